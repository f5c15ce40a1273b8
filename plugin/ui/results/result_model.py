"""Qt model of the results in the list, without their records."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

from qgis.PyQt.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, Qt, pyqtSignal
from qgis.PyQt.QtGui import QImage

from ...app.phrases import hit_title
from ...core.i18n import tr
from ...core.library.query import SearchHit
from ...core.text import inert
from ..widgets.drag_and_drop import record_mime_data

HitRole = int(Qt.ItemDataRole.UserRole) + 1
FactsRole = int(Qt.ItemDataRole.UserRole) + 2
KindRole = int(Qt.ItemDataRole.UserRole) + 3

#: MIME type of dragged rows, beside QGIS's layer URIs
MIME_RECORD = "application/x-cartoguide-record"


class ResultListModel(QAbstractListModel):
    """Rows of results. ``more_requested`` is emitted with the number of rows when the list is scrolled to its end.

    ``make_facts`` returns a row's second line, ``load_thumbnail`` its image, or None before that is loaded.
    """

    more_requested = pyqtSignal(int)

    def __init__(self, facts_of: Callable[[SearchHit], str], thumbnail_of: Callable[[SearchHit], Optional[QImage]],
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._hits: list[SearchHit] = []
        self._identifiers: set[str] = set()
        self._has_more = False
        self._make_facts = facts_of
        self._load_thumbnail = thumbnail_of

    @property
    def hits(self) -> Sequence[SearchHit]:
        return tuple(self._hits)

    def set_hits(self, hits: Sequence[SearchHit], has_more: bool = False) -> None:
        """Replace the rows. ``has_more``: there are further results."""
        self.beginResetModel()
        self._hits, self._has_more = list(hits), has_more
        self._identifiers = {hit.identifier for hit in hits}
        self.endResetModel()

    def set_has_more(self, has_more: bool) -> None:
        """Say whether there are further results than the rows."""
        self._has_more = has_more

    def append_hits(self, hits: Sequence[SearchHit], has_more: bool) -> None:
        """Append rows. Records that are in the list already are left out."""
        new_hits = [hit for hit in hits if hit.identifier not in self._identifiers]
        self._identifiers.update(hit.identifier for hit in new_hits)
        self._has_more = has_more and bool(hits)
        if new_hits:
            self.beginInsertRows(QModelIndex(), len(self._hits), len(self._hits) + len(new_hits) - 1)
            self._hits += new_hits
            self.endInsertRows()

    def canFetchMore(self, parent: QModelIndex) -> bool:  # noqa: N802
        """Qt: True if there are further results."""
        return not parent.isValid() and self._has_more

    def fetchMore(self, parent: QModelIndex) -> None:  # noqa: N802
        """Qt: request further results, which are appended later."""
        if self.canFetchMore(parent):
            self._has_more = False
            self.more_requested.emit(len(self._hits))

    def hit(self, row: int) -> Optional[SearchHit]:
        """Return the result in ``row``, or None."""
        return self._hits[row] if 0 <= row < len(self._hits) else None

    def row_of(self, identifier: str) -> int:
        """Return the row of a record, or -1."""
        return next((row for row, hit in enumerate(self._hits) if hit.identifier == identifier), -1)

    def refresh_rows(self) -> None:
        """Paint every row again, because a thumbnail or a record's terms were loaded."""
        if self._hits:
            self.dataChanged.emit(self.index(0), self.index(len(self._hits) - 1))

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: N802, B008
        """Qt: the number of rows."""
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: QModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Qt: the texts, image and values of a row."""
        hit = self.hit(index.row()) if index.isValid() else None
        if hit is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return hit_title(hit)
        if role == FactsRole:
            return self._make_facts(hit)
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = tr("＋ adds its service to the map in the way that fits it (Ctrl+Enter)") if hit.endpoint else ""
            return inert("\n".join(part for part in (hit_title(hit), self._make_facts(hit), tip) if part))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{hit_title(hit)}. {self._make_facts(hit)}"
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return tr("Record {row} of {rows}", row=index.row() + 1, rows=len(self._hits))
        if role == Qt.ItemDataRole.DecorationRole:
            return self._load_thumbnail(hit)
        return {HitRole: hit, KindRole: hit.kind}.get(role)

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        """Qt: rows can be selected and dragged."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags

    def mimeTypes(self) -> list[str]:  # noqa: N802
        """Qt: the MIME types of a dragged row."""
        return [MIME_RECORD, "text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:  # noqa: N802
        """Qt: identifiers and titles of the dragged records, and the first one for QGIS's canvas."""
        hits = [hit for hit in (self.hit(index.row()) for index in indexes) if hit]
        data = record_mime_data(hits[0].identifier, hit_title(hits[0])) if hits else QMimeData()
        data.setData(MIME_RECORD, "\n".join(hit.identifier for hit in hits).encode())
        data.setText("\n".join(hit_title(hit) for hit in hits))
        return data

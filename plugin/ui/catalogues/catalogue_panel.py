"""Panel with a row for each catalogue of the search."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence

from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...core.text import escaped
from ...gis.catalogues.federated_search import SourceStatus
from ..widgets.labels import LinkLabel
from .source_row import CatalogueAction, SourceRowWidget

#: rows that are visible without scrolling
_MAX_VISIBLE_ROWS = 3


class CataloguePanel(QWidget):
    """``action_requested`` carries a ``CatalogueAction`` and the catalogue's key, "" for LIST and ADD."""

    action_requested = pyqtSignal(str, str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.rows: Dict[str, SourceRowWidget] = {}
        self.empty_label = LinkLabel()
        self.empty_label.linkActivated.connect(lambda link: self.action_requested.emit(link.lstrip("#"), ""))
        self.empty_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        inner = QWidget()
        self._rows_layout = QVBoxLayout(inner)
        self._rows_layout.setContentsMargins(0, 0, 0, 0)
        self._rows_layout.setSpacing(0)
        self.scroll_area = _RowsScrollArea()
        self.scroll_area.setWidget(inner)
        self.scroll_area.setAccessibleName(tr("The catalogues that are searched"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.scroll_area)
        layout.addWidget(self.empty_label)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.show_rows([], False)

    def show_rows(self, rows: List[SourceStatus], on: bool, reason: str = "", only: Sequence[str] = ()) -> None:
        """Show a row for each catalogue, or ``reason`` if there is none.

        ``on``: the search in catalogues is switched on. ``only`` has the keys of the catalogues that the list is
        filtered by.
        """
        for key in [key for key in self.rows if key not in {row.source.key for row in rows}]:
            removed = self.rows.pop(key)
            self._rows_layout.removeWidget(removed)
            removed.hide()
            removed.deleteLater()
        for row in rows:
            if row.source.key not in self.rows:
                widget = self.rows[row.source.key] = SourceRowWidget(row.source.key)
                widget.action_requested.connect(self.action_requested)
                self._rows_layout.addWidget(widget)
            self.rows[row.source.key].only_action.setChecked(row.source.key in only)
            self.show_row(row)
        self._fit_height()
        self.scroll_area.setVisible(on and bool(rows))
        self.setVisible(on)
        links = " ".join(f"<a href='#{action.value}'>{label}</a>" for action, label in (
            (CatalogueAction.LIST, tr("Catalogues…")), (CatalogueAction.ADD, tr("Add a catalogue…"))))
        self.empty_label.setText(escaped(reason) or f"{tr('No catalogue is switched on.')} {links}")
        self.empty_label.setVisible(on and not rows)

    def show_row(self, row: SourceStatus) -> None:
        widget = self.rows.get(row.source.key)
        if widget is not None:
            widget.show_row(row)
            self._fit_height()

    def _fit_height(self) -> None:
        """Adapt the height, which depends on the rows' buttons."""
        self.scroll_area.fit_rows([row.sizeHint().height() for row in self.rows.values()])


class _RowsScrollArea(QScrollArea):
    """Scroll area as high as its first rows."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def fit_rows(self, heights: List[int]) -> None:
        """Set the height for rows of these heights in pixels."""
        self.setFixedHeight(sum(heights[:_MAX_VISIBLE_ROWS]))

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: any width."""
        return QSize(120, self.height())

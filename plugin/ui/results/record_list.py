"""List of records: a thumbnail, the title and one line of facts in each row."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

from qgis.PyQt.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QRect, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import (
    QFont,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPalette,
    QPen,
    QPixmap,
    QResizeEvent,
)
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionToolButton,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ...app.phrases import hit_title, sample_summary
from ...core.i18n import tr
from ...core.library.query import SearchHit
from ...core.records.model.record import ResourceKind
from ...core.text import inert
from ...gis.runtime import images
from ..widgets.drag_and_drop import record_mime_data
from ..widgets.form_widgets import AloneWhenCurrent
from ..widgets.labels import LinkLabel, wrap_lines
from ..widgets.theme import ThemeColours, icon, mix_colours, on_white_background, scaled_font

HitRole = int(Qt.ItemDataRole.UserRole) + 1
FactsRole = int(Qt.ItemDataRole.UserRole) + 2
KindRole = int(Qt.ItemDataRole.UserRole) + 3

#: MIME type of dragged rows, beside QGIS's layer URIs
MIME_RECORD = "application/x-cartoguide-record"
_PADDING = 6
#: pixels of the corners of the card that stands for an image
_CARD_RADIUS = 3
#: words of a service type, and QGIS's icon for it
_SERVICE_SYMBOLS = (("wmts", "mIconXyz"), ("tms", "mIconXyz"), ("wfs", "mIconWfs"), ("feature", "mIconWfs"),
                    ("wcs", "mIconWcs"), ("coverage", "mIconWcs"), ("download", "mIconWfs"),
                    ("csw", "record"), ("discovery", "record"), ("wps", "mActionPlay"), ("invoke", "mActionPlay"))
#: facts that stay in a row whatever its width: the first ones (kind, year, terms)
_MIN_FACTS = 3


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
            tip = tr("＋ adds it to the map in the way that fits it (Ctrl+Enter)") if hit.can_be_added else ""
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


def fit_facts(facts: str, font: QFont, width: int, max_lines: int) -> list[str]:
    """Return the facts in at most ``max_lines`` lines.

    Facts at the end that do not fit are left to the tooltip. Only the first ``_MIN_FACTS`` are elided, if even they
    do not fit.
    """
    parts = facts.split(" · ")
    lines = wrap_lines(facts, font, width, max_lines)
    while len(parts) > _MIN_FACTS and lines[-1].endswith("…"):
        parts.pop()
        lines = wrap_lines(" · ".join(parts), font, width, max_lines)
    return lines


def symbol_name(kind: str, service_type: str) -> str:
    """Return the name of the icon for a record without an image: QGIS's own for that kind of service or data."""
    if kind != ResourceKind.SERVICE:
        return {ResourceKind.DATASET.value: "mIconRaster",
                ResourceKind.SERIES.value: "propertyicons/temporal"}.get(kind, "record")
    words = service_type.lower()
    # WMTS before WMS: the longer name first
    return next((symbol for word, symbol in _SERVICE_SYMBOLS if word in words), "mIconWms")


class RecordDelegate(QStyledItemDelegate):
    """Paints a row: the title in at most two lines, the facts below."""

    def __init__(self, view: RecordListView) -> None:
        super().__init__(view)
        self._view = view
        self._thumbnails: dict[tuple[int, int], QPixmap] = {}

    @property
    def line_count(self) -> int:
        """Lines in a row: two for the title, one for the facts, or two if the list is narrow."""
        facts_width = QFontMetrics(scaled_font(self._view, 0.92)).horizontalAdvance(sample_summary())
        return 3 if facts_width <= self._text_area(self._view.viewport().rect()).width() else 4

    def _text_area(self, row: QRect) -> QRect:
        """Return the place of a row's texts, right of its image. The button covers the beginning of its right side."""
        side = QFontMetrics(self._view.font()).lineSpacing() * 3
        return row.adjusted(side + 2 * _PADDING + 2, _PADDING, -_PADDING, -_PADDING)

    @property
    def add_button_size(self) -> int:
        """Width and height of the button that adds a row's service, in pixels."""
        return int(QFontMetrics(self._view.font()).lineSpacing()) + 8

    def add_button_rect(self, row: QRect, index: QModelIndex) -> QRect:
        """Return the place of the button in a row, which is empty for a record that offers nothing."""
        hit = index.data(HitRole)
        if hit is None or not hit.can_be_added:
            return QRect()
        side = self.add_button_size
        return QRect(row.right() - side - _PADDING + 1, row.top() + _PADDING, side, side)

    def _paint_add_button(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        place = self.add_button_rect(option.rect, index)
        if place.isEmpty():
            return
        button = QStyleOptionToolButton()
        button.initFrom(self._view)
        button.rect = place
        button.icon = icon("mActionAdd")
        button.iconSize = QSize(16, 16)
        button.toolButtonStyle = Qt.ToolButtonStyle.ToolButtonIconOnly
        button.subControls = QStyle.SubControl.SC_ToolButton
        button.state = QStyle.StateFlag.State_Enabled | QStyle.StateFlag.State_Raised
        if self._view.pressed_button_row == index.row():
            button.state = QStyle.StateFlag.State_Enabled | QStyle.StateFlag.State_Sunken
        self._view.style().drawComplexControl(QStyle.ComplexControl.CC_ToolButton, button, painter, self._view)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # noqa: N802
        """Qt: the same height for every row."""
        return QSize(160, QFontMetrics(self._view.font()).lineSpacing() * self.line_count + 2 * _PADDING)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        title = option.text
        option.text = ""
        option.icon = icon("")
        option.features &= ~QStyleOptionViewItem.ViewItemFeature.HasDecoration
        self._view.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, self._view)
        painter.save()
        side = QFontMetrics(self._view.font()).lineSpacing() * 3
        frame = QRect(option.rect.left() + _PADDING, option.rect.top() + _PADDING, side, side)
        self._paint_thumbnail(painter, frame, index)
        if index.row() == self._view.highlighted_row:
            painter.setPen(QPen(ThemeColours(self._view).accent, 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))
        self._paint_add_button(painter, option, index)
        self._paint_text(painter, self.add_button_rect(option.rect, index), title, index.data(FactsRole) or "", option)
        painter.restore()

    def _paint_thumbnail(self, painter: QPainter, frame: QRect, index: QModelIndex) -> None:
        colours = ThemeColours(self._view)
        picture = index.data(Qt.ItemDataRole.DecorationRole)
        if isinstance(picture, QImage) and not picture.isNull():
            painter.drawPixmap(frame, self._square_thumbnail(picture, frame.width()))
            painter.setPen(colours.line)
            painter.drawRect(frame.adjusted(0, 0, -1, -1))
            return
        # a card with the symbol of what the record describes, in place of the image that is not here yet
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colours.line)
        painter.setBrush(colours.chip)
        painter.drawRoundedRect(frame.adjusted(0, 0, -1, -1), _CARD_RADIUS, _CARD_RADIUS)
        size = frame.width() * 5 // 9
        hit = index.data(HitRole)
        name = symbol_name(index.data(KindRole) or "", hit.service_type if hit is not None else "")
        icon(name).paint(painter, QRect(frame.center().x() - size // 2, frame.center().y() - size // 2, size, size))

    def _square_thumbnail(self, picture: QImage, side: int) -> QPixmap:
        """Return the middle square of ``picture``, ``side`` logical pixels wide, in the screen's resolution. Cached."""
        ratio = self._view.devicePixelRatioF()
        key = (picture.cacheKey(), round(side * ratio))
        if key not in self._thumbnails:
            if len(self._thumbnails) > 500:
                self._thumbnails.clear()
            edge = min(picture.width(), picture.height())
            square = on_white_background(picture).copy((picture.width() - edge) // 2, (picture.height() - edge) // 2,
                                                       edge, edge)
            pixmap = QPixmap.fromImage(images.scaled(square, QSize(key[1], key[1]), keep_aspect_ratio=False))
            pixmap.setDevicePixelRatio(ratio)
            self._thumbnails[key] = pixmap
        return self._thumbnails[key]

    def row_lines(self, row: QRect, button: QRect, title: str, facts: str) -> tuple[list[str], list[str], int]:
        """Return the lines of the title and of the facts, and the top of the first one in pixels.

        ``button`` is the place of the row's button, empty without one. Facts below it have the whole width.
        """
        area, spacing = self._text_area(row), QFontMetrics(self._view.font()).lineSpacing()
        beside = area.width() if button.isEmpty() else button.left() - _PADDING - area.left()
        title_lines = wrap_lines(title, self._view.font(), beside, 2)
        rest, facts_lines, top = self.line_count - len(title_lines), [""], area.top()
        for width in (area.width(), beside):
            facts_lines = fit_facts(facts, scaled_font(self._view, 0.92), width, rest)
            top = area.top() + (rest - len(facts_lines)) * spacing // 2
            if top + len(title_lines) * spacing > button.bottom():
                break
        return title_lines, facts_lines, top

    def _paint_text(self, painter: QPainter, button: QRect, title: str, facts: str, option: QStyleOptionViewItem
                    ) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        palette = option.palette
        text_colour = palette.color(QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text)
        background = palette.color(QPalette.ColorRole.Base)
        metrics = QFontMetrics(self._view.font())
        title_lines, facts_lines, top = self.row_lines(option.rect, button, title, facts)
        left, baseline = self._text_area(option.rect).left(), top + metrics.ascent()
        painter.setPen(text_colour)
        painter.setFont(self._view.font())
        for line in title_lines:
            painter.drawText(left, baseline, line)
            baseline += metrics.lineSpacing()
        # a theme's colours of a selection may differ little as they are
        painter.setPen(text_colour if selected else mix_colours(text_colour, background, 0.22))
        painter.setFont(scaled_font(self._view, 0.92))
        for line in facts_lines:
            painter.drawText(left, baseline, line)
            baseline += metrics.lineSpacing()


class RecordListView(AloneWhenCurrent, QListView):
    """List view that explains itself when it is empty."""

    open_requested = pyqtSignal()
    moved_above_first = pyqtSignal()
    paste_requested = pyqtSignal()
    #: the SearchHit whose service is to be added to the map
    add_requested = pyqtSignal(object)
    remove_requested = pyqtSignal()
    undo_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setObjectName("cartoguide_records")
        self.setAccessibleName(tr("Records"))
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragEnabled(True)
        #: row whose extent is under the mouse on the map canvas, or -1
        self.highlighted_row = -1
        #: row whose Add button is held down, or -1
        self.pressed_button_row = -1
        self._delegate = RecordDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleDescription(tr("Enter opens a record, Ctrl+Enter adds its service to the map."))
        self.setMinimumHeight(self.fontMetrics().lineSpacing() * 4 + 2 * _PADDING)
        self.empty_label = LinkLabel(parent=self.viewport())
        self.empty_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self.viewport())
        layout.addWidget(self.empty_label)
        self.empty_label.hide()

    def selected_hits(self) -> list[SearchHit]:
        """Return the selected results in the list's order, or the current one if none is selected."""
        rows = sorted(self.selectionModel().selectedIndexes(), key=lambda index: index.row()) or [self.currentIndex()]
        return [index.data(HitRole) for index in rows if index.isValid()]

    def highlight_row(self, row: int) -> None:
        """Frame the row whose extent is under the mouse on the map canvas. -1 frames none."""
        self.highlighted_row = row
        self.viewport().update()
        if row >= 0:
            self.scrollTo(self.model().index(row, 0))

    def show_empty_text(self, html: str) -> None:
        """Show ``html`` in the middle of the list. "" hides it."""
        self.empty_label.setText(html)
        self.empty_label.setVisible(bool(html))

    def _add(self, index: QModelIndex) -> None:
        hit = index.data(HitRole)
        if hit is not None and hit.can_be_added:
            self.add_requested.emit(hit)

    def _button_index(self, event: QMouseEvent) -> QModelIndex:
        """Return the row whose Add button is under the mouse, or an invalid index."""
        index = self.indexAt(event.pos())
        over = index.isValid() and self._delegate.add_button_rect(self.visualRect(index), index).contains(event.pos())
        return index if over else QModelIndex()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: a press on an Add button neither selects nor opens its row."""
        index = self._button_index(event)
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.pressed_button_row = index.row()
            self.viewport().update()
            return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: a click on an Add button adds the service of its row."""
        pressed, self.pressed_button_row = self.pressed_button_row, -1
        if pressed < 0:
            super().mouseReleaseEvent(event)
            return
        self.viewport().update()
        index = self._button_index(event)
        if index.row() == pressed:
            self._add(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: a button that is held down is not dragged."""
        if self.pressed_button_row < 0:
            super().mouseMoveEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: a double click on an Add button adds once."""
        if not self._button_index(event).isValid():
            super().mouseDoubleClickEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: lay out the rows again, which have more lines in a narrow list."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Qt: Enter opens the row and Ctrl+Enter adds its service, Delete removes the selected rows and Ctrl+Z restores
        them, Ctrl+V pastes, Up in the first row goes back to the search field.
        """
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._add(self.currentIndex())
            else:
                self.open_requested.emit()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.paste_requested.emit()
        elif event.matches(QKeySequence.StandardKey.Delete) and self.currentIndex().isValid():
            self.remove_requested.emit()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo_requested.emit()
        elif event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.moved_above_first.emit()
        else:
            super().keyPressEvent(event)

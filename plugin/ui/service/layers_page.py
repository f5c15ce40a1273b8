"""Page with the layers of a service: searched, shown with their legends, dragged or added to the map."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.PyQt.QtCore import (
    QEvent,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    pyqtSignal,
)
from qgis.PyQt.QtGui import QFontMetrics, QGuiApplication, QIcon, QImage, QKeyEvent, QPainter
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHBoxLayout,
    QMenu,
    QSplitter,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from ...core.i18n import tr
from ...core.wms.model.service import Layer, Service
from ...gis.legends.legend_nodes import LegendKey
from ...gis.legends.legend_previews import LegendPreviews, Preview
from ..widgets.drag_and_drop import layers_mime_data
from ..widgets.form_widgets import AloneWhenCurrent, fill_layout, search_line
from ..widgets.rich_text import RichTextView
from ..widgets.theme import ThemeColours, icon, on_white_background, scaled_font
from .layer_model import LayerModel, LayerRole, SummaryRole, SwatchRole
from .service_html import layer_html

_PAD = 3
_GAP = 6
#: size of the summary's font relative to the title's
_SUMMARY_FONT_SCALE = 0.9
#: services with up to this number of layers are shown expanded
_MAX_EXPANDED = 60
_MAX_EXPANDED_MATCHES = 150
#: milliseconds that a part of the tree must be visible before its legends are requested
_LEGEND_DELAY = 150


class LayerDelegate(QStyledItemDelegate):
    """Delegate with two lines in every row. All rows have the same height, so a long list is laid out quickly."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # noqa: N802
        """Qt: return the size of a row, whose width is that of the view."""
        return QSize(80, self._height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Qt: paint the theme's background, then symbol, title and summary."""
        self.initStyleOption(option, index)
        option.text = ""
        option.icon = QIcon()
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        colours = ThemeColours(self._view)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        room = option.rect.adjusted(_PAD, _PAD, -_PAD, -_PAD)
        side = room.height()
        symbol: Optional[QImage] = index.data(SwatchRole)
        square = QRect(room.left(), room.top(), side, side)
        if symbol is not None:
            _draw_swatch(painter, square, symbol, colours)
        else:
            # Qt 6 gives None for an icon without a picture
            (index.data(Qt.ItemDataRole.DecorationRole) or QIcon()).paint(painter, square.adjusted(6, 6, -6, -6))
        room.setLeft(square.right() + _GAP)
        facts = index.data(SummaryRole)
        painter.save()
        painter.setPen(colours.highlighted_text if selected else colours.text)
        font = self._view.font()
        lines = QFontMetrics(font)
        title = QRect(room.left(), room.top(), room.width(), lines.height() if facts else room.height())
        painter.setFont(font)
        text = lines.elidedText(index.data(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(title, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        if facts:
            small = scaled_font(self._view, _SUMMARY_FONT_SCALE)
            painter.setFont(small)
            painter.setPen(colours.highlighted_text if selected else colours.muted)
            below = QRect(room.left(), title.bottom(), room.width(), room.bottom() - title.bottom() + 1)
            text = QFontMetrics(small).elidedText(facts, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(below, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()

    def _height(self) -> int:
        small = QFontMetrics(scaled_font(self._view, _SUMMARY_FONT_SCALE))
        return int(QFontMetrics(self._view.font()).height() + small.height() + 2 * _PAD)


def _draw_swatch(painter: QPainter, square: QRect, symbol: QImage, colours: ThemeColours) -> None:
    """Draw the symbol on white, never enlarged."""
    size = symbol.size()
    if size.width() > square.width() - 4 or size.height() > square.height() - 4:
        size.scale(square.width() - 4, square.height() - 4, Qt.AspectRatioMode.KeepAspectRatio)
    painter.save()
    painter.fillRect(square, Qt.GlobalColor.white)
    painter.setPen(colours.line)
    painter.drawRect(square.adjusted(0, 0, -1, -1))
    target = QRect(square.topLeft(), size)
    target.moveCenter(square.center())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(target, on_white_background(symbol))
    painter.restore()


class _LayerTree(AloneWhenCurrent, QTreeView):
    """Tree in which only a key or a mouse button that is pressed in it adds to what is selected."""


class LayersPage(QWidget):
    """Tree of layers with the details of the current one.

    ``add_requested`` carries layer names, bottom first. ``operation_requested`` carries an operation and layer names.
    """

    add_requested = pyqtSignal(list)
    operation_requested = pyqtSignal(str, list)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._service: Optional[Service] = None
        self._endpoint = ""
        self.previews = LegendPreviews(self)
        self.previews.received.connect(self._on_legend_received)
        self.model = LayerModel(parent=self, swatch=self._swatch, make_mime_data=self._mime_data)
        self.search = search_line(tr("Find a layer…"), tr("Find a layer"))
        self.search.textChanged.connect(self._search)
        self.search.installEventFilter(self)
        self.add = QToolButton()
        self.add.setIcon(icon("mActionAddWmsLayer"))
        self.add.setToolTip(tr("Add the chosen layers to the map; they can also be dragged onto it"))
        self.add.setAccessibleName(tr("Add the chosen layers to the map"))
        self.add.clicked.connect(lambda _checked=False: self._request_add())
        self.tree = self._create_tree()
        self.detail_view = RichTextView(tr("Details of the layer"))
        self.detail_view.setMinimumHeight(40)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.tree)
        self.splitter.addWidget(self.detail_view)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        top = fill_layout(QHBoxLayout(), self.search, self.add, spacing=3, wide=self.search)
        fill_layout(QVBoxLayout(self), top, self.splitter, spacing=2, wide=self.splitter, margins=(4, 2, 4, 0))
        self._legend_timer = QTimer(self)
        self._legend_timer.setSingleShot(True)
        self._legend_timer.setInterval(_LEGEND_DELAY)
        self._legend_timer.timeout.connect(self._request_legends)
        self._update_add_button()

    def show_service(self, service: Optional[Service], endpoint: str, selected: Sequence[str] = ()) -> None:
        """Show the layers of ``service`` at ``endpoint``, or nothing if it is None, with some of them selected.

        Search text and current layer are kept if the same service was loaded again.
        """
        if service is not None and service is self._service and endpoint == self._endpoint:
            return
        again = bool(endpoint) and endpoint == self._endpoint and service is not None and self._service is not None
        search_text, current = self.search.text(), self.tree.currentIndex().data(LayerRole)
        self._service, self._endpoint = service, endpoint
        self.previews.cancel()
        self.detail_view.show_html("")
        self.model.show_layers(service.root if service else None)
        if self.search.text():
            self.search.clear()
        self.tree.setRootIsDecorated(self.model.has_groups)
        if service is not None and len(self.model.requestable_nodes()) <= _MAX_EXPANDED:
            self.tree.expandAll()
        if again and search_text:
            self.search.setText(search_text)
        self._select_layer(current if again else None)
        if not again:
            self._select_names(selected)
        self._update_add_button()
        self._legend_timer.start()

    def _select_names(self, names: Sequence[str]) -> None:
        """Select the rows of the layers called ``names``, if there are any, and make the first of them current."""
        indexes = [index for index in map(self.model.index_of, names) if index.isValid()]
        selection = self.tree.selectionModel()
        for number, index in enumerate(indexes):
            if number == 0:
                self.tree.setCurrentIndex(index)
            selection.select(index, QItemSelectionModel.SelectionFlag.Select)

    def selected_names(self) -> list[str]:
        """Return the names of the selected layers in the order of the capabilities. A group stands for its layers."""
        return self.model.layer_names(self.tree.selectionModel().selectedIndexes())

    def visible_layers(self) -> list[Layer]:
        """Return the layers whose rows are visible, from the top."""
        layers: list[Layer] = []
        index = self.tree.indexAt(QPoint(1, 1))
        bottom = self.tree.viewport().height()
        while index.isValid() and self.tree.visualRect(index).top() <= bottom:
            if not self.model.hasChildren(index):
                layers.append(index.data(LayerRole))
            index = self.tree.indexBelow(index)
        return layers

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: load legends after a change of size, and move from the search line to the tree by the Down key."""
        if watched is self.search:
            if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and \
                    event.key() == Qt.Key.Key_Down:
                self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
            return False
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._legend_timer.start()
        return False

    def hideEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: cancel the requests for legends."""
        super().hideEvent(event)
        self._legend_timer.stop()
        self.previews.cancel()

    def _create_tree(self) -> QTreeView:
        tree = _LayerTree()
        tree.setAccessibleName(tr("Layers of the service"))
        tree.setHeaderHidden(True)
        tree.setUniformRowHeights(True)
        tree.setModel(self.model)
        tree.setItemDelegate(LayerDelegate(tree))
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setIndentation(14)
        tree.setMinimumSize(QSize(80, 48))
        tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        tree.setDragEnabled(True)
        tree.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._show_menu)
        tree.selectionModel().currentChanged.connect(self._show_layer)
        tree.selectionModel().selectionChanged.connect(lambda *_changed: self._update_add_button())
        tree.verticalScrollBar().valueChanged.connect(lambda _value: self._legend_timer.start())
        tree.expanded.connect(lambda _index: self._legend_timer.start())
        tree.collapsed.connect(lambda _index: self._legend_timer.start())
        tree.viewport().installEventFilter(self)
        return tree

    def _search(self, text: str) -> None:
        current = self.tree.currentIndex().data(LayerRole)
        self.model.search(text)
        if text:
            self._expand_matches()
        elif len(self.model.requestable_nodes()) <= _MAX_EXPANDED:
            self.tree.expandAll()
        self._select_layer(current)
        self._legend_timer.start()

    def _select_layer(self, layer: Optional[Layer]) -> None:
        """Make the row of ``layer`` current, or the first row if it has none."""
        index = self.model.index_of(layer.name) if layer is not None and layer.name else QModelIndex()
        self.tree.setCurrentIndex(index if index.isValid() else self.model.index(0, 0))

    def _expand_matches(self) -> None:
        """Expand the groups with matches, up to a limit."""
        left = _MAX_EXPANDED_MATCHES
        waiting = [self.model.index(row, 0) for row in range(min(self.model.rowCount(), left))]
        while waiting and left > 0:
            index = waiting.pop(0)
            count = self.model.rowCount(index)
            if count:
                left -= count
                self.tree.expand(index)
                waiting += [self.model.index(row, 0, index) for row in range(min(count, left))]

    def _update_add_button(self) -> None:
        self.add.setEnabled(bool(self.selected_names()))

    def _request_add(self) -> None:
        names = self.selected_names()
        if names:
            self.add_requested.emit(names)

    def context_menu(self) -> QMenu:
        menu = QMenu(self)
        names = self.selected_names()
        add = menu.addAction(icon("mActionAddWmsLayer"), tr("Add to map"))
        add.triggered.connect(lambda _checked=False: self._request_add())
        copy = menu.addAction(icon("mActionEditCopy"), tr("Copy the name"))
        copy.triggered.connect(lambda _checked=False: QGuiApplication.clipboard().setText(",".join(names)))
        menu.addSeparator()
        for name, label in (("GetMap", tr("Request its map…")), ("GetLegendGraphic", tr("Request its legend…")),
                            ("DescribeLayer", tr("Find its data source")), ("GetStyles", tr("Show its styles"))):
            action = menu.addAction(label)
            action.triggered.connect(lambda _checked=False, name=name: self.operation_requested.emit(name, names))
        for action in menu.actions():
            action.setEnabled(bool(names))
        return menu

    def _show_menu(self, position: QPoint) -> None:
        menu = self.context_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.tree.viewport().mapToGlobal(position))

    def _mime_data(self, names: Sequence[str], title: str) -> QMimeData:
        return layers_mime_data(self._endpoint, names, title)

    # -- legends

    def _legend_key(self, layer: Layer) -> LegendKey:
        return self._endpoint, layer.name or "", ""

    def _swatch(self, layer: Layer) -> Optional[QImage]:
        preview = self.previews.get(self._legend_key(layer))
        return preview.swatch if preview else None

    def _request_legends(self) -> None:
        if self._service is None or not self.isVisible():
            return
        current = self.tree.currentIndex().data(LayerRole)
        layers = ([current] if current is not None else []) + self.visible_layers()
        has_legend_graphics = self._service.operation("GetLegendGraphic") is not None
        keys = [
            self._legend_key(layer) for layer in layers
            if layer.name and (has_legend_graphics or any(style.legends for style in layer.styles))
        ]
        self.previews.request(self._service, list(dict.fromkeys(keys)))

    def _on_legend_received(self, key: LegendKey) -> None:
        self.tree.viewport().update()
        current = self.tree.currentIndex().data(LayerRole)
        preview = self.previews.get(key)
        if current is not None and preview is not None and self._legend_key(current) == key:
            self._show_detail(current, preview)

    def _show_layer(self, index: QModelIndex, _before: QModelIndex) -> None:
        layer = index.data(LayerRole)
        if layer is None:
            self.detail_view.show_html("")
            return
        self._show_detail(layer, self.previews.get(self._legend_key(layer)))
        self._legend_timer.start()

    def _show_detail(self, layer: Layer, preview: Optional[Preview]) -> None:
        width = 0
        if preview is not None:
            width = min(preview.legend.width(), max(60, self.detail_view.viewport().width() - 24))
        body = layer_html(layer, legend_width=width)
        self.detail_view.show_html(body, {"legend": on_white_background(preview.legend)} if preview is not None else {})

"""The layers of a service: searched, looked through with their legends, dragged or added to the map."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.PyQt.QtCore import QEvent, QMimeData, QModelIndex, QObject, QPoint, QSize, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication, QImage, QKeyEvent
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSplitter,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from ..core.i18n import tr
from ..core.wms.model import Layer, Service
from ..gis.legend_previews import Key, LegendPreviews, Preview
from .layer_model import LayerModel, LayerRole
from .layer_rows import LayerDelegate
from .map_drop import layers_mime
from .rich_text import RichText
from .service_words import layer_html
from .theme import icon, on_paper

#: services up to this size are shown unfolded, and so are results of a search
_UNFOLDED = 60
_MOST_FOUND = 150
#: milliseconds that a part of the tree must be seen before its legends are asked for
_LOOKED_AT = 150


class LayersPage(QWidget):
    """``add_asked`` carries layer names, bottom first; ``operation_asked`` an operation and the layers for it."""

    add_asked = pyqtSignal(list)
    operation_asked = pyqtSignal(str, list)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._service: Optional[Service] = None
        self._endpoint = ""
        self.previews = LegendPreviews(self)
        self.previews.came.connect(self._legend_came)
        self.model = LayerModel(parent=self, swatch=self._swatch, make_drag=self._drag)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find a layer…"))
        self.search.setAccessibleName(tr("Find a layer"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._search)
        self.search.installEventFilter(self)
        self.add = QToolButton()
        self.add.setIcon(icon("mActionAddWmsLayer"))
        self.add.setToolTip(tr("Add the chosen layers to the map; they can also be dragged onto it"))
        self.add.setAccessibleName(tr("Add the chosen layers to the map"))
        self.add.clicked.connect(lambda _checked=False: self._add())
        self.tree = self._tree()
        self.detail = RichText(tr("Details of the layer"))
        self.detail.setMinimumHeight(40)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.tree)
        self.splitter.addWidget(self.detail)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        top = QHBoxLayout()
        top.setSpacing(3)
        top.addWidget(self.search, 1)
        top.addWidget(self.add)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 2, 4, 0)
        layout.setSpacing(2)
        layout.addLayout(top)
        layout.addWidget(self.splitter, 1)
        self._look = QTimer(self)
        self._look.setSingleShot(True)
        self._look.setInterval(_LOOKED_AT)
        self._look.timeout.connect(self._ask_legends)
        self._enable()

    def show_service(self, service: Optional[Service], endpoint: str) -> None:
        """Show the layers of ``service`` at ``endpoint``; None empties the page.

        A service that was read again keeps the search and the chosen layer.
        """
        if service is not None and service is self._service and endpoint == self._endpoint:
            return
        again = bool(endpoint) and endpoint == self._endpoint and service is not None and self._service is not None
        words, current = self.search.text(), self.tree.currentIndex().data(LayerRole)
        self._service, self._endpoint = service, endpoint
        self.previews.cancel()
        self.detail.show_body("")
        self.model.show_layers(service.root if service else None)
        if self.search.text():
            self.search.clear()
        self.tree.setRootIsDecorated(self.model.has_groups)
        if service is not None and len(self.model.leaves()) <= _UNFOLDED:
            self.tree.expandAll()
        if again and words:
            self.search.setText(words)
        self._go_to(current if again else None)
        self._enable()
        self._look.start()

    def chosen(self) -> list[str]:
        """The names of the chosen layers, groups resolved, in the document's order."""
        return self.model.names(self.tree.selectionModel().selectedIndexes())

    def visible_layers(self) -> list[Layer]:
        """The layers whose rows are seen now, from the top."""
        found: list[Layer] = []
        index = self.tree.indexAt(QPoint(1, 1))
        bottom = self.tree.viewport().height()
        while index.isValid() and self.tree.visualRect(index).top() <= bottom:
            if not self.model.hasChildren(index):
                found.append(index.data(LayerRole))
            index = self.tree.indexBelow(index)
        return found

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: another size or the first look shows other rows; Down in the search goes to the tree."""
        if watched is self.search:
            if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and \
                    event.key() == Qt.Key.Key_Down:
                self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
            return False
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._look.start()
        return False

    def hideEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: nobody looks: what is not there yet is not needed."""
        super().hideEvent(event)
        self._look.stop()
        self.previews.cancel()

    def _tree(self) -> QTreeView:
        tree = QTreeView()
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
        tree.selectionModel().selectionChanged.connect(lambda *_changed: self._enable())
        tree.verticalScrollBar().valueChanged.connect(lambda _value: self._look.start())
        tree.expanded.connect(lambda _index: self._look.start())
        tree.collapsed.connect(lambda _index: self._look.start())
        tree.viewport().installEventFilter(self)
        return tree

    def _search(self, text: str) -> None:
        current = self.tree.currentIndex().data(LayerRole)
        self.model.search(text)
        if text:
            self._unfold()
        elif len(self.model.leaves()) <= _UNFOLDED:
            self.tree.expandAll()
        self._go_to(current)
        self._look.start()

    def _go_to(self, layer: Optional[Layer]) -> None:
        """Choose the row of ``layer`` where it is shown, else the first one."""
        here = self.model.index_of(layer.name) if layer is not None and layer.name else QModelIndex()
        self.tree.setCurrentIndex(here if here.isValid() else self.model.index(0, 0))

    def _unfold(self) -> None:
        """Open the groups that hold what was found, as far as a person would read on."""
        left = _MOST_FOUND
        waiting = [self.model.index(row, 0) for row in range(min(self.model.rowCount(), left))]
        while waiting and left > 0:
            index = waiting.pop(0)
            count = self.model.rowCount(index)
            if count:
                left -= count
                self.tree.expand(index)
                waiting += [self.model.index(row, 0, index) for row in range(min(count, left))]

    def _enable(self) -> None:
        self.add.setEnabled(bool(self.chosen()))

    def _add(self) -> None:
        names = self.chosen()
        if names:
            self.add_asked.emit(names)

    def menu(self) -> QMenu:
        """What can be done with the chosen layers."""
        menu = QMenu(self)
        names = self.chosen()
        add = menu.addAction(icon("mActionAddWmsLayer"), tr("Add to map"))
        add.triggered.connect(lambda _checked=False: self._add())
        copy = menu.addAction(icon("mActionEditCopy"), tr("Copy the name"))
        copy.triggered.connect(lambda _checked=False: QGuiApplication.clipboard().setText(",".join(names)))
        menu.addSeparator()
        for name, words in (("GetMap", tr("Ask for its map…")), ("GetLegendGraphic", tr("Ask for its legend…")),
                            ("DescribeLayer", tr("Look for the data behind it")),
                            ("GetStyles", tr("Look through its styles"))):
            action = menu.addAction(words)
            action.triggered.connect(lambda _checked=False, name=name: self.operation_asked.emit(name, names))
        for action in menu.actions():
            action.setEnabled(bool(names))
        return menu

    def _show_menu(self, place: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.tree.viewport().mapToGlobal(place))

    def _drag(self, names: Sequence[str], title: str) -> QMimeData:
        return layers_mime(self._endpoint, names, title)

    # -- legends

    def _key(self, layer: Layer) -> Key:
        return self._endpoint, layer.name or "", ""

    def _swatch(self, layer: Layer) -> Optional[QImage]:
        preview = self.previews.get(self._key(layer))
        return preview.swatch if preview else None

    def _ask_legends(self) -> None:
        """Ask for the legends of the chosen layer and of the rows that are seen."""
        if self._service is None or not self.isVisible():
            return
        current = self.tree.currentIndex().data(LayerRole)
        layers = ([current] if current is not None else []) + self.visible_layers()
        drawn = self._service.operation("GetLegendGraphic") is not None
        keys = [self._key(layer) for layer in layers
                if layer.name and (drawn or any(style.legends for style in layer.styles))]
        self.previews.want(self._service, list(dict.fromkeys(keys)))

    def _legend_came(self, key: Key) -> None:
        self.tree.viewport().update()
        current = self.tree.currentIndex().data(LayerRole)
        preview = self.previews.get(key)
        if current is not None and preview is not None and self._key(current) == key:
            self._show_detail(current, preview)

    def _show_layer(self, index: QModelIndex, _before: QModelIndex) -> None:
        layer = index.data(LayerRole)
        if layer is None:
            self.detail.show_body("")
            return
        self._show_detail(layer, self.previews.get(self._key(layer)))
        self._look.start()

    def _show_detail(self, layer: Layer, preview: Optional[Preview]) -> None:
        width = 0
        if preview is not None:
            width = min(preview.legend.width(), max(60, self.detail.viewport().width() - 24))
        body = layer_html(layer, legend_width=width)
        self.detail.show_body(body, {"legend": on_paper(preview.legend)} if preview is not None else {})

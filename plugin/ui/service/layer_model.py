"""Qt model of the layer tree of a service, with search, drag and check boxes.

A view queries a model for every row when it lays them out, and a service may have thousands of layers. Rows are
therefore QStandardItems, which Qt reads without calling Python. Only the rows that match the search are created, a few
hundred at a time. What is painted is read from the nodes.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence

from qgis.PyQt.QtCore import QMimeData, QModelIndex, QObject, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QIcon, QImage, QPixmap, QStandardItem, QStandardItemModel

from ...app.phrases import scale_range_text
from ...core.i18n import tr
from ...core.text import bounded_title, fold, inert
from ...core.wms.model.service import Layer
from ..widgets.theme import icon, on_white_background

LayerRole = int(Qt.ItemDataRole.UserRole) + 1
SummaryRole = int(Qt.ItemDataRole.UserRole) + 2
SwatchRole = int(Qt.ItemDataRole.UserRole) + 3

#: rows that are created in one step: the others follow after the window was painted
ROWS_PER_STEP = 250

#: function that returns drag data for layer names and a title
MakeMimeData = Callable[[Sequence[str], str], QMimeData]


class LayerNode:
    """Layer in the tree. ``style`` is the chosen style. ``checked`` is used for requestable layers only.

    ``visible_children`` are the children that match the search. ``item`` is the row of the node, if it was created.
    """

    __slots__ = ("layer", "children", "visible_children", "checked", "style", "item", "_search_key")

    def __init__(self, layer: Layer) -> None:
        self.layer = layer
        self.children = tuple(LayerNode(child) for child in layer.layers)
        self.visible_children: Sequence[LayerNode] = self.children
        self.checked = False
        self.style = ""
        self.item: Optional[LayerTreeItem] = None
        self._search_key: Optional[str] = None

    @property
    def is_requestable(self) -> bool:
        """True if the layer has a name and no layer below it has one."""
        return self.layer.name is not None and not any(node.layer.name for node in self._descendants())

    def requestable_nodes(self) -> Iterator[LayerNode]:
        """Yield the requestable nodes in the order of the capabilities."""
        if not self.children:
            if self.layer.name is not None:
                yield self
            return
        if self.is_requestable:
            yield self
            return
        for child in self.children:
            yield from child.requestable_nodes()

    def search_key(self) -> str:
        """Return the normalised title and name, which are searched. The result is cached."""
        if self._search_key is None:
            self._search_key = fold(f"{self.layer.title} {self.layer.name or ''}")
        return self._search_key

    def walk(self) -> Iterator[LayerNode]:
        yield self
        yield from self._descendants()

    def search(self, words: Sequence[str]) -> bool:
        """Reduce the visible children to those that contain all ``words``, and the groups that contain such a layer.

        A group that matches itself keeps all of its children. Return True if anything matches.
        """
        folded = self.search_key()
        if all(word in folded for word in words):
            self._reset_search()
            return True
        if not self.children:
            return False
        self.visible_children = [child for child in self.children if child.search(words)]
        return bool(self.visible_children)

    def clear_items(self) -> None:
        """Forget the rows of this node and of all nodes below it."""
        self.item = None
        for child in self.children:
            child.clear_items()

    def _reset_search(self) -> None:
        self.visible_children = self.children
        for child in self.children:
            if child.children:
                child._reset_search()

    def _descendants(self) -> Iterator[LayerNode]:
        for child in self.children:
            yield child
            yield from child._descendants()


def layer_title(layer: Layer) -> str:
    """Return the layer's title, or its name, or a text for a group with neither."""
    return bounded_title(layer.title or layer.name or tr("Group without a title"))


def layer_summary(node: LayerNode) -> str:
    """Return the second line of a row: the number of layers of a group, or "can be queried" and the scale range."""
    if node.children:
        return tr("%n layer(s)", n=sum(1 for _ in node.requestable_nodes()))
    parts = (tr("can be queried") if node.layer.queryable else "", scale_range_text(node.layer.scale_range),
             "" if node.layer.name else tr("cannot be requested"))
    return " · ".join(part for part in parts if part)


class LayerTreeItem(QStandardItem):
    """Row of a node."""

    __slots__ = ("node",)

    def __init__(self, node: LayerNode) -> None:
        super().__init__(layer_title(node.layer))
        self.node = node


class LayerModel(QStandardItemModel):
    """Model of the tree below a root layer, or of the root itself if it has no children.

    ``checkable`` shows check boxes. ``checks_changed`` is emitted once for each change, however many boxes it affects.
    ``swatch`` returns the legend symbol of a layer, and ``make_mime_data`` the drag data of layers.
    """

    checks_changed = pyqtSignal()

    def __init__(self, checkable: bool = False, parent: Optional[QObject] = None,
                 swatch: Optional[Callable[[Layer], Optional[QImage]]] = None,
                 make_mime_data: Optional[MakeMimeData] = None) -> None:
        super().__init__(parent)
        self._checkable = checkable
        self._swatch = swatch
        self._make_mime_data = make_mime_data
        self._top_nodes: list[LayerNode] = []
        self._pending_nodes: list[LayerNode] = []
        self._unindexed_nodes: Iterator[LayerNode] = iter(())
        self._requestable: list[LayerNode] = []
        self._row_timer = QTimer(self)
        self._row_timer.setInterval(0)
        self._row_timer.timeout.connect(self._append_rows)

    def show_layers(self, root: Optional[Layer]) -> None:
        """Show the layers below ``root``."""
        top = LayerNode(root) if root else None
        self._top_nodes = [] if top is None else [*top.children] or [top]
        self._requestable = [leaf for node in self._top_nodes for leaf in node.requestable_nodes()]
        self._unindexed_nodes = (node for top in self._top_nodes for node in top.walk())
        self._show_nodes(self._top_nodes)

    def search(self, text: str) -> None:
        """Show the layers that contain every word of ``text``, or all layers if it is empty."""
        words = fold(text).split()
        self._show_nodes([node for node in self._top_nodes if node.search(words)])

    @property
    def has_groups(self) -> bool:
        """True if the tree has more than one level."""
        return any(node.children for node in self._top_nodes)

    def requestable_nodes(self) -> Sequence[LayerNode]:
        """Return all requestable layers in the order of the capabilities, the bottom of the map first."""
        return self._requestable

    def checked_nodes(self) -> list[LayerNode]:
        """Return the checked layers in the order of the capabilities."""
        return [leaf for leaf in self.requestable_nodes() if leaf.checked]

    def set_checked(self, names: Optional[Sequence[str]]) -> None:
        """Check the layers called ``names`` and uncheck all others. None checks all."""
        checked = None if names is None else set(names)
        for leaf in self.requestable_nodes():
            leaf.checked = checked is None or leaf.layer.name in checked
        self._notify_checks_changed()

    def layer_names(self, indexes: Iterable[QModelIndex]) -> list[str]:
        """Return the names of the layers of these rows without repeats, in the order of the capabilities.

        A group stands for all of its layers.
        """
        nodes = [self.node(index) for index in indexes]
        meant = {leaf.layer.name for node in nodes if node for leaf in node.requestable_nodes()}
        return [leaf.layer.name or "" for leaf in self.requestable_nodes() if leaf.layer.name in meant]

    def node(self, index: QModelIndex) -> Optional[LayerNode]:
        item = self.itemFromIndex(index) if index.isValid() else None
        return item.node if isinstance(item, LayerTreeItem) else None

    def index_of(self, name: str) -> QModelIndex:
        """Return the index of the layer called ``name``, or an invalid index if it has no row."""
        node = next((leaf for leaf in self.requestable_nodes() if leaf.layer.name == name and leaf.item is not None),
                    None)
        return node.item.index() if node is not None and node.item is not None else QModelIndex()

    def data(self, index: QModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Qt: return title, check state, icon, or a tooltip with the summary."""
        node = self.node(index)
        if node is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return layer_title(node.layer)
        if role == SummaryRole:
            return layer_summary(node)
        if role == SwatchRole:
            return self._swatch(node.layer) if self._swatch and not node.children else None
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            parts = (layer_title(node.layer), node.layer.name, layer_summary(node))
            text = "\n".join(part for part in parts if part)
            return inert(text) if role == Qt.ItemDataRole.ToolTipRole else text
        if role == Qt.ItemDataRole.CheckStateRole and self._checkable:
            # Qt 6 accepts only the number
            return getattr(_check_state(node), "value", _check_state(node))
        if role == Qt.ItemDataRole.DecorationRole:
            swatch = self.data(index, SwatchRole) if self._checkable else None
            if swatch is not None:
                return QIcon(QPixmap.fromImage(on_white_background(swatch)))
            return icon("mActionFolder" if node.children else "mIconWms")
        return node.layer if role == LayerRole else None

    def setData(self, index: QModelIndex, value: Any, role: int = int(Qt.ItemDataRole.EditRole)) -> bool:  # noqa: N802
        """Qt: check a layer, or all layers of a group."""
        node = self.node(index)
        if node is None or role != Qt.ItemDataRole.CheckStateRole:
            return False
        on = Qt.CheckState(value) != Qt.CheckState.Unchecked
        for leaf in node.requestable_nodes():
            leaf.checked = on
        self._notify_checks_changed()
        return True

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:  # noqa: N802
        """Qt: return the drag data of these rows."""
        rows = list(indexes)
        names = self.layer_names(rows)
        if self._make_mime_data is None or not names:
            return QMimeData()
        return self._make_mime_data(names, str(rows[0].data()))

    def _show_nodes(self, top: list[LayerNode]) -> None:
        self.clear()
        for node in self._top_nodes:
            node.clear_items()
        self._pending_nodes = top
        if top:
            self._append_rows()

    def _append_rows(self) -> None:
        """Create the next rows with all rows below them. After the last one, prepare the search keys."""
        if not self._pending_nodes:
            ready = [node.search_key() for node in islice(self._unindexed_nodes, ROWS_PER_STEP)]
            if not ready:
                self._row_timer.stop()
            return
        count, end = 0, 0
        while end < len(self._pending_nodes) and count < ROWS_PER_STEP:
            count += 1 + len(self._pending_nodes[end].visible_children)
            end += 1
        rows, self._pending_nodes = self._pending_nodes[:end], self._pending_nodes[end:]
        self.invisibleRootItem().appendRows([self._create_item(node) for node in rows])
        self._row_timer.start()

    def _create_item(self, node: LayerNode) -> LayerTreeItem:
        item = node.item = LayerTreeItem(node)
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self._make_mime_data is not None:
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        item.setFlags(flags | Qt.ItemFlag.ItemIsUserCheckable if self._checkable else flags)
        if node.visible_children:
            item.appendRows([self._create_item(child) for child in node.visible_children])
        return item

    def _notify_checks_changed(self) -> None:
        self._notify_level_changed(QModelIndex())
        self.checks_changed.emit()

    def _notify_level_changed(self, parent_index: QModelIndex) -> None:
        """Emit dataChanged level by level.

        A layoutChanged without its announcement would invalidate the indexes of views.
        """
        count = self.rowCount(parent_index)
        if not count:
            return
        self.dataChanged.emit(self.index(0, 0, parent_index), self.index(count - 1, 0, parent_index))
        for row in range(count):
            index = self.index(row, 0, parent_index)
            if self.hasChildren(index):
                self._notify_level_changed(index)


def _check_state(node: LayerNode) -> Qt.CheckState:
    leaves = list(node.requestable_nodes())
    ticked = sum(leaf.checked for leaf in leaves)
    if not ticked:
        return Qt.CheckState.Unchecked
    return Qt.CheckState.Checked if ticked == len(leaves) else Qt.CheckState.PartiallyChecked

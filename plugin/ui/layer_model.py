"""A service's layers as a tree for Qt: looked through, searched, dragged, and (in the chooser) ticked.

A view asks a model for every row when it lays them out, and a service may have thousands: so rows are Qt's own items,
which answer without Python, and only those are made that the search leaves, a few hundred at a time. What is painted
comes from the nodes.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence

from qgis.PyQt.QtCore import QMimeData, QModelIndex, QObject, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QImage, QStandardItem, QStandardItemModel

from ..core.i18n import tr
from ..core.text import fold
from ..core.wms.model import Layer
from .theme import icon
from .words import scale_words

LayerRole = int(Qt.ItemDataRole.UserRole) + 1
FactsRole = int(Qt.ItemDataRole.UserRole) + 2
SwatchRole = int(Qt.ItemDataRole.UserRole) + 3

#: rows that are made at once; the others follow as soon as the window has drawn itself
AT_ONCE = 250

#: a drag's data from the names of its layers and a title for it
MakeDrag = Callable[[Sequence[str], str], QMimeData]


class Node:
    """One layer in the tree; ``style`` is the chosen one, ``checked`` counts for layers that can be asked for.

    ``shown`` are the children that the search leaves, ``item`` is the row where there is one.
    """

    __slots__ = ("layer", "children", "shown", "checked", "style", "item", "_folded")

    def __init__(self, layer: Layer) -> None:
        self.layer = layer
        self.children = [Node(child) for child in layer.layers]
        self.shown = self.children
        self.checked = False
        self.style = ""
        self.item: Optional[LayerItem] = None
        self._folded: Optional[str] = None

    @property
    def can_be_asked(self) -> bool:
        """Whether it is drawn by itself: it has a name, and no layer below it has one."""
        return self.layer.name is not None and not any(node.layer.name for node in self._below())

    def leaves(self) -> Iterator[Node]:
        """The nodes that can be asked for, in the document's order."""
        if not self.children:
            if self.layer.name is not None:
                yield self
            return
        if self.can_be_asked:
            yield self
            return
        for child in self.children:
            yield from child.leaves()

    def folded(self) -> str:
        """What is searched in, worked out once."""
        if self._folded is None:
            self._folded = fold(f"{self.layer.title} {self.layer.name or ''}")
        return self._folded

    def walk(self) -> Iterator[Node]:
        """This node and all below it."""
        yield self
        yield from self._below()

    def search(self, words: Sequence[str]) -> bool:
        """Leave what holds every one of ``words``, the groups that hold it, and all of a group that is found itself."""
        folded = self.folded()
        if all(word in folded for word in words):
            self._show_all()
            return True
        if not self.children:
            return False
        self.shown = [child for child in self.children if child.search(words)]
        return bool(self.shown)

    def forget_items(self) -> None:
        """The rows of this node and of all below it are gone."""
        self.item = None
        for child in self.children:
            child.forget_items()

    def _show_all(self) -> None:
        self.shown = self.children
        for child in self.children:
            if child.children:
                child._show_all()

    def _below(self) -> Iterator[Node]:
        for child in self.children:
            yield child
            yield from child._below()


def layer_title(layer: Layer) -> str:
    """The layer's title, else its name, else a word for a group without either."""
    return layer.title or layer.name or tr("Group without a title")


def layer_facts(node: Node) -> str:
    """The second line of a row: how many layers a group has; whether a layer can be queried, and its scales."""
    if node.children:
        return tr("%n layer(s)", n=sum(1 for _ in node.leaves()))
    parts = (tr("can be queried") if node.layer.queryable else "", scale_words(node.layer.scale_range),
             "" if node.layer.name else tr("cannot be asked for"))
    return " · ".join(part for part in parts if part)


class LayerItem(QStandardItem):
    """The row of one node."""

    def __init__(self, node: Node) -> None:
        super().__init__(layer_title(node.layer))
        self.node = node


class LayerModel(QStandardItemModel):
    """The tree below the root layer (the root itself where it has no children); ``checkable`` shows tick boxes.

    ``ticks_changed`` comes once for each change, however many ticks it moved.
    """

    ticks_changed = pyqtSignal()

    def __init__(self, checkable: bool = False, parent: Optional[QObject] = None,
                 swatch: Optional[Callable[[Layer], Optional[QImage]]] = None,
                 make_drag: Optional[MakeDrag] = None) -> None:
        super().__init__(parent)
        self._checkable = checkable
        self._swatch = swatch
        self._make_drag = make_drag
        self._all: list[Node] = []
        self._rest: list[Node] = []
        self._unfolded: Iterator[Node] = iter(())
        self._leaves: list[Node] = []
        self._go_on = QTimer(self)
        self._go_on.setInterval(0)
        self._go_on.timeout.connect(self._more_rows)

    def show_layers(self, root: Optional[Layer]) -> None:
        """Show the layers below ``root``."""
        top = Node(root) if root else None
        self._all = [] if top is None else top.children or [top]
        self._leaves = [leaf for node in self._all for leaf in node.leaves()]
        self._unfolded = (node for top in self._all for node in top.walk())
        self._show(self._all)

    def search(self, text: str) -> None:
        """Show what holds every word of ``text``; nothing typed shows all."""
        words = fold(text).split()
        self._show([node for node in self._all if node.search(words)])

    @property
    def has_groups(self) -> bool:
        """Whether the tree is more than a flat list."""
        return any(node.children for node in self._all)

    def leaves(self) -> Sequence[Node]:
        """Every layer that can be asked for, in the document's order (the bottom of the map first)."""
        return self._leaves

    def chosen(self) -> list[Node]:
        """The ticked layers, in the document's order."""
        return [leaf for leaf in self.leaves() if leaf.checked]

    def check(self, names: Optional[Sequence[str]]) -> None:
        """Tick the layers called ``names``; None ticks all."""
        wanted = None if names is None else set(names)
        for leaf in self.leaves():
            leaf.checked = wanted is None or leaf.layer.name in wanted
        self._all_changed()

    def names(self, indexes: Iterable[QModelIndex]) -> list[str]:
        """The layers that rows mean, each once, in the document's order: of a group, all that it holds."""
        nodes = [self.node(index) for index in indexes]
        meant = {leaf.layer.name for node in nodes if node for leaf in node.leaves()}
        return [leaf.layer.name or "" for leaf in self.leaves() if leaf.layer.name in meant]

    def node(self, index: QModelIndex) -> Optional[Node]:
        """The node at ``index``."""
        item = self.itemFromIndex(index) if index.isValid() else None
        return item.node if isinstance(item, LayerItem) else None

    def index_of(self, name: str) -> QModelIndex:
        """The shown row of the layer called ``name``, or no index."""
        found = next((leaf for leaf in self.leaves() if leaf.layer.name == name and leaf.item is not None), None)
        return found.item.index() if found is not None and found.item is not None else QModelIndex()

    def data(self, index: QModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Qt: title, tick, tooltip with what the layer is."""
        node = self.node(index)
        if node is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return layer_title(node.layer)
        if role == FactsRole:
            return layer_facts(node)
        if role == SwatchRole:
            return self._swatch(node.layer) if self._swatch and not node.children else None
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            parts = (layer_title(node.layer), node.layer.name, layer_facts(node))
            return "\n".join(part for part in parts if part)
        if role == Qt.ItemDataRole.CheckStateRole and self._checkable:
            # Qt 6 takes the number only
            return getattr(_state(node), "value", _state(node))
        if role == Qt.ItemDataRole.DecorationRole:
            return icon("mActionFolder" if node.children else "mIconWms")
        return node.layer if role == LayerRole else None

    def setData(self, index: QModelIndex, value: Any, role: int = int(Qt.ItemDataRole.EditRole)) -> bool:  # noqa: N802
        """Qt: tick a layer, or all below a group."""
        node = self.node(index)
        if node is None or role != Qt.ItemDataRole.CheckStateRole:
            return False
        on = Qt.CheckState(value) != Qt.CheckState.Unchecked
        for leaf in node.leaves():
            leaf.checked = on
        self._all_changed()
        return True

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:  # noqa: N802
        """Qt: what a drag of these rows carries."""
        rows = list(indexes)
        names = self.names(rows)
        if self._make_drag is None or not names:
            return QMimeData()
        return self._make_drag(names, str(rows[0].data()))

    def _show(self, top: list[Node]) -> None:
        self.clear()
        for node in self._all:
            node.forget_items()
        self._rest = top
        if top:
            self._more_rows()

    def _more_rows(self) -> None:
        """Make the next rows: groups with all that is in them. Once all are there, get ready to be searched."""
        if not self._rest:
            ready = [node.folded() for node in islice(self._unfolded, AT_ONCE)]
            if not ready:
                self._go_on.stop()
            return
        count, taken = 0, 0
        while taken < len(self._rest) and count < AT_ONCE:
            count += 1 + len(self._rest[taken].shown)
            taken += 1
        rows, self._rest = self._rest[:taken], self._rest[taken:]
        self.invisibleRootItem().appendRows([self._row(node) for node in rows])
        self._go_on.start()

    def _row(self, node: Node) -> LayerItem:
        item = node.item = LayerItem(node)
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self._make_drag is not None:
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        item.setFlags(flags | Qt.ItemFlag.ItemIsUserCheckable if self._checkable else flags)
        if node.shown:
            item.appendRows([self._row(child) for child in node.shown])
        return item

    def _all_changed(self) -> None:
        self._level_changed(QModelIndex())
        self.ticks_changed.emit()

    def _level_changed(self, above: QModelIndex) -> None:
        """Tell that ticks changed, level by level: a layoutChanged that nobody announced kills a view's indexes."""
        count = self.rowCount(above)
        if not count:
            return
        self.dataChanged.emit(self.index(0, 0, above), self.index(count - 1, 0, above))
        for row in range(count):
            index = self.index(row, 0, above)
            if self.hasChildren(index):
                self._level_changed(index)


def _state(node: Node) -> Qt.CheckState:
    leaves = list(node.leaves())
    ticked = sum(leaf.checked for leaf in leaves)
    if not ticked:
        return Qt.CheckState.Unchecked
    return Qt.CheckState.Checked if ticked == len(leaves) else Qt.CheckState.PartiallyChecked

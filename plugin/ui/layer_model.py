"""A service's layers as a tree for Qt: looked through, searched, and (in the chooser) ticked."""

from __future__ import annotations

from typing import Any, Iterator, Optional, Sequence

from qgis.PyQt.QtCore import QAbstractItemModel, QModelIndex, QObject, QSortFilterProxyModel, Qt

from ..core.i18n import tr
from ..core.text import fold
from ..core.wms.model import Layer
from .theme import icon
from .words import scale_words

LayerRole = int(Qt.ItemDataRole.UserRole) + 1
SearchRole = int(Qt.ItemDataRole.UserRole) + 2


class Node:
    """One layer in the tree; ``style`` is the chosen one, ``checked`` counts for layers that can be asked for."""

    def __init__(self, layer: Layer, parent: Optional[Node] = None) -> None:
        self.layer = layer
        self.parent = parent
        self.children = [Node(child, self) for child in layer.layers]
        self.row = 0
        self.checked = False
        self.style = ""
        for row, child in enumerate(self.children):
            child.row = row

    @property
    def can_be_asked(self) -> bool:
        """Whether it is drawn by itself: it has a name and no layers below it."""
        return self.layer.name is not None and not self.children

    def leaves(self) -> Iterator[Node]:
        """The nodes that can be asked for, in the document's order."""
        if self.can_be_asked:
            yield self
        for child in self.children:
            yield from child.leaves()


def layer_title(layer: Layer) -> str:
    """The layer's title, else its name, else a word for a group without either."""
    return layer.title or layer.name or tr("Group without a title")


class LayerModel(QAbstractItemModel):
    """The tree below the root layer (the root itself where it has no children); ``checkable`` shows tick boxes."""

    def __init__(self, checkable: bool = False, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._checkable = checkable
        self._top: list[Node] = []

    def show_layers(self, root: Optional[Layer]) -> None:
        """Show the layers below ``root``."""
        self.beginResetModel()
        top = Node(root) if root else None
        if top is None:
            self._top = []
        elif top.children:
            self._top = top.children
            for child in self._top:
                child.parent = None
        else:
            self._top = [top]
        self.endResetModel()

    @property
    def has_groups(self) -> bool:
        """Whether the tree is more than a flat list."""
        return any(node.children for node in self._top)

    def leaves(self) -> list[Node]:
        """Every layer that can be asked for, in the document's order (the bottom of the map first)."""
        return [leaf for node in self._top for leaf in node.leaves()]

    def chosen(self) -> list[Node]:
        """The ticked layers, in the document's order."""
        return [leaf for leaf in self.leaves() if leaf.checked]

    def check(self, names: Optional[Sequence[str]]) -> None:
        """Tick the layers called ``names``; None ticks all."""
        for leaf in self.leaves():
            leaf.checked = names is None or leaf.layer.name in names
        self._all_changed()

    def node(self, index: QModelIndex) -> Optional[Node]:
        """The node at ``index``."""
        return index.internalPointer() if index.isValid() else None

    def index(self, row: int, column: int, parent: QModelIndex = QModelIndex()) -> QModelIndex:  # noqa: B008
        """Qt: the index of a row below ``parent``."""
        above = self.node(parent)
        nodes = above.children if above else self._top
        return self.createIndex(row, column, nodes[row]) if 0 <= row < len(nodes) and column == 0 else QModelIndex()

    def parent(self, index: QModelIndex) -> QModelIndex:  # type: ignore[override]
        """Qt: the index above."""
        node = self.node(index)
        above = node.parent if node else None
        return self.createIndex(above.row, 0, above) if above else QModelIndex()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: N802, B008
        """Qt: the rows below ``parent``."""
        node = self.node(parent)
        return len(node.children if node else self._top)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: N802, B008
        """Qt: one column."""
        return 1

    def data(self, index: QModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Qt: title, tick, tooltip with what the layer is."""
        node = self.node(index)
        if node is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return layer_title(node.layer)
        if role == Qt.ItemDataRole.ToolTipRole:
            parts = (layer_title(node.layer), node.layer.name, scale_words(node.layer.scale_range))
            return "\n".join(part for part in parts if part)
        if role == Qt.ItemDataRole.CheckStateRole and self._checkable:
            # Qt 6 takes the number only
            return getattr(_state(node), "value", _state(node))
        if role == Qt.ItemDataRole.DecorationRole:
            return icon("mIconWms" if node.can_be_asked else "mActionFolder")
        if role == SearchRole:
            return fold(f"{node.layer.title} {node.layer.name or ''}")
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

    def flags(self, index: QModelIndex) -> Qt.ItemFlags:
        """Qt: everything can be chosen; in the chooser it can be ticked."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self._checkable else flags

    def _all_changed(self, above: QModelIndex = QModelIndex()) -> None:  # noqa: B008
        """Tell that ticks changed, level by level: a layoutChanged that nobody announced kills proxies' indexes."""
        count = self.rowCount(above)
        if not count:
            return
        self.dataChanged.emit(self.index(0, 0, above), self.index(count - 1, 0, above))
        for row in range(count):
            self._all_changed(self.index(row, 0, above))


def _state(node: Node) -> Qt.CheckState:
    leaves = list(node.leaves())
    ticked = sum(leaf.checked for leaf in leaves)
    if not ticked:
        return Qt.CheckState.Unchecked
    return Qt.CheckState.Checked if ticked == len(leaves) else Qt.CheckState.PartiallyChecked


class LayerFilter(QSortFilterProxyModel):
    """Keeps the layers whose title or name holds every typed word, and the groups that hold them."""

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.setRecursiveFilteringEnabled(True)
        self._words: list[str] = []

    def search(self, text: str) -> None:
        """Filter by ``text``; nothing typed shows all."""
        self._words = fold(text).split()
        self.invalidateFilter()

    def filterAcceptsRow(self, row: int, parent: QModelIndex) -> bool:  # noqa: N802
        """Qt: whether a row stays."""
        text = self.sourceModel().index(row, 0, parent).data(SearchRole) or ""
        return all(word in text for word in self._words)

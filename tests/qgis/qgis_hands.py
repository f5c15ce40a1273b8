"""What a person does in QGIS's layer tree, by QGIS's own classes, as its window does it."""

from __future__ import annotations

from typing import Any, Sequence

from qgis.core import (
    QgsLayerDefinition,
    QgsLayerTreeGroup,
    QgsLayerTreeLayer,
    QgsLayerTreeModel,
    QgsLayerTreeNode,
    QgsMapLayer,
    QgsProject,
    QgsReadWriteContext,
)
from qgis.gui import QgsLayerTreeView
from qgis.PyQt.QtCore import QModelIndex, QPersistentModelIndex, Qt
from qgis.PyQt.QtXml import QDomDocument


class LayerTree:
    """QGIS's layer tree of the project: model, view and default actions."""

    def __init__(self) -> None:
        self.project = QgsProject.instance()
        self.root = self.project.layerTreeRoot()
        self.model = QgsLayerTreeModel(self.root)
        self.model.setFlag(QgsLayerTreeModel.Flag.AllowNodeReorder)
        self.model.setFlag(QgsLayerTreeModel.Flag.AllowNodeChangeVisibility)
        self.view = QgsLayerTreeView()
        self.view.setModel(self.model)
        self.actions = self.view.defaultActions()

    def index(self, node: QgsLayerTreeNode) -> QModelIndex:
        """Return the place of ``node`` in the view, whose model QGIS 3.40 filters."""
        found = self.model.node2index(node)
        model = self.view.model()
        return model.mapFromSource(found) if hasattr(model, "mapFromSource") else found

    def select(self, *nodes: QgsLayerTreeNode) -> None:
        """Select nodes as clicks do. The last one is the current one."""
        selection = self.view.selectionModel()
        selection.clear()
        for node in nodes:
            flags = selection.SelectionFlag.Select | selection.SelectionFlag.Rows
            selection.select(self.index(node), flags)
        if nodes:
            selection.setCurrentIndex(self.index(nodes[-1]), selection.SelectionFlag.NoUpdate)

    def run(self, action: str, *nodes: QgsLayerTreeNode) -> None:
        """Trigger one of the view's default actions, such as "GroupSelected", with ``nodes`` selected."""
        self.select(*nodes)
        made = getattr(self.actions, f"action{action}")()
        if made is not None:
            # None is one that QGIS does not offer for these nodes
            made.trigger()
            made.deleteLater()

    def drag(self, node: QgsLayerTreeNode, target: QgsLayerTreeGroup, place: int = 0, pause: Any = None) -> None:
        """Drag a node to a place of a group. ``pause`` is called between the drop and the removal of what was dragged.
        """
        data = self.model.mimeData([self.model.node2index(node)])
        # as the view holds what is selected: the node may be another one by then
        here = QPersistentModelIndex(self.model.node2index(node))
        if self.model.dropMimeData(data, Qt.DropAction.MoveAction, place, 0, self.model.node2index(target)):
            if pause is not None:
                pause()
            if here.isValid():
                self.model.removeRows(here.row(), 1, here.parent())

    def copy(self, *nodes: QgsLayerTreeNode) -> QDomDocument:
        """Return what "Copy Layer/Group" puts on the clipboard."""
        # with a name, as QGIS's: a document without one is passed on as another one
        document = QDomDocument("qgis-layer-definition")
        worked, message = QgsLayerDefinition.exportLayerDefinition(document, list(nodes), QgsReadWriteContext())
        assert worked, message
        # the clipboard has text
        copied = QDomDocument()
        assert copied.setContent(document.toString())[0]
        return copied

    def paste(self, copied: QDomDocument, into: QgsLayerTreeGroup = None) -> None:
        """Do "Paste Layer/Group" with ``into`` selected, by default with nothing selected."""
        worked, message = QgsLayerDefinition.loadLayerDefinition(
            copied, self.project, self.root if into is None else into, QgsReadWriteContext())
        assert worked, message

    def duplicate(self, layer: QgsMapLayer) -> QgsMapLayer:
        """Do "Duplicate Layer", after which the new layer is not ticked."""
        made = layer.clone()
        made.setName(f"{layer.name()} copy")
        self.project.addMapLayer(made, False)
        node = self.root.findLayer(layer.id())
        copy = QgsLayerTreeLayer(made)
        node.parent().insertChildNode(node.parent().children().index(node) + 1, copy)
        copy.setItemVisibilityChecked(False)
        self.paste_style(layer, made)
        return made

    def paste_style(self, source: QgsMapLayer, target: QgsMapLayer,
                    categories: QgsMapLayer.StyleCategory = None) -> None:
        """Do "Copy Style" and "Paste Style", of all categories by default."""
        document = QDomDocument("qgis")
        chosen = [] if categories is None else [categories]
        source.exportNamedStyle(document, QgsReadWriteContext(), *chosen)
        target.importNamedStyle(document, *chosen)
        target.triggerRepaint()

    def add(self, layer: QgsMapLayer, group: QgsLayerTreeGroup, place: int = 0) -> QgsMapLayer:
        """Add a layer while ``group`` is the current one, as the browser and the data source manager do."""
        self.project.addMapLayer(layer, False)
        group.insertLayer(place, layer)
        return layer

    def groups(self, name: str) -> Sequence[QgsLayerTreeGroup]:
        """Return the groups called ``name``."""
        return [group for group in self.root.findGroups(True) if group.name() == name]

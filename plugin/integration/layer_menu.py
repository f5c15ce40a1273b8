"""Entries in the layer tree's context menu: record, terms and credit of any layer from a map service.

This module is imported when QGIS starts.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Callable, List, Optional, Tuple

from qgis.core import QgsMapLayer, QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import QAction

from ..core.i18n import tr
from ..gis.runtime.compat import raster_layer_type

if TYPE_CHECKING:
    from qgis.gui import QgisInterface


class LayerAction(str, Enum):
    """The entries of the menu. The object names of the actions are made of the values."""

    SHOW_RECORD = "record"
    SHOW_TERMS = "terms"
    COPY_CREDIT = "credit"


class LayerMenu(QObject):
    """The submenu of layers from map services. It is added on creation and removed by ``close``.

    ``run_action`` is called with the current layer and the entry that was chosen.
    """

    def __init__(self, iface: QgisInterface, menu: str, icon: QIcon,
                 run_action: Callable[[QgsMapLayer, LayerAction], None]) -> None:
        super().__init__()
        self._iface = iface
        self._run_action = run_action
        self.actions: List[Tuple[LayerAction, QAction]] = []
        for entry, label in ((LayerAction.SHOW_RECORD, tr("Show catalogue record")),
                             (LayerAction.SHOW_TERMS, tr("Show terms")), (LayerAction.COPY_CREDIT, tr("Copy credit"))):
            action = QAction(icon, label, iface.mainWindow())
            action.setObjectName(f"CartoguideLayer{entry.value.capitalize()}")
            action.triggered.connect(lambda _checked=False, entry=entry: self._run(entry))
            iface.addCustomActionForLayerType(action, menu, raster_layer_type(), False)
            self.actions.append((entry, action))
        QgsProject.instance().layersAdded.connect(self._on_layers_added)
        self._on_layers_added(list(QgsProject.instance().mapLayers().values()))

    def close(self) -> None:
        """Remove the entries, the last added first."""
        QgsProject.instance().layersAdded.disconnect(self._on_layers_added)
        for _, action in reversed(self.actions):
            self._iface.removeCustomActionForLayerType(action)
            action.deleteLater()
        self.actions = []

    def _on_layers_added(self, layers: List[QgsMapLayer]) -> None:
        for layer in layers:
            if isinstance(layer, QgsRasterLayer) and layer.providerType() == "wms":
                for _, action in self.actions:
                    self._iface.addCustomActionForLayer(action, layer)

    def _run(self, entry: LayerAction) -> None:
        layer: Optional[QgsMapLayer] = self._iface.activeLayer()
        if layer is not None:
            self._run_action(layer, entry)

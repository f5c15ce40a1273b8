"""The layer tree's context menu: record, terms and credit of any layer that comes from a map service.

What is imported here is imported when QGIS starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, List, Optional, Tuple

from qgis.core import QgsMapLayer, QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import QAction

from ..core.i18n import tr
from ..gis.runtime.compat import raster_layer_type

if TYPE_CHECKING:
    from qgis.gui import QgisInterface

    from .layer_commands import LayerCommands

SHOW_RECORD, SHOW_TERMS, COPY_CREDIT = "record", "terms", "credit"


class LayerMenu(QObject):
    """Adds its submenu when it is made; ``close`` takes it away. ``answers`` makes what does it when it is needed."""

    def __init__(self, iface: QgisInterface, menu: str, icon: QIcon, answers: Callable[[], LayerCommands]) -> None:
        super().__init__()
        self._iface = iface
        self._commands = answers
        self.actions: List[Tuple[str, QAction]] = []
        for what, words in ((SHOW_RECORD, tr("Show catalogue record")), (SHOW_TERMS, tr("Show terms")),
                            (COPY_CREDIT, tr("Copy credit"))):
            action = QAction(icon, words, iface.mainWindow())
            action.setObjectName(f"CartoguideLayer{what.capitalize()}")
            action.triggered.connect(lambda _checked=False, what=what: self._run(what))
            iface.addCustomActionForLayerType(action, menu, raster_layer_type(), False)
            self.actions.append((what, action))
        QgsProject.instance().layersAdded.connect(self._on_layers_added)
        self._on_layers_added(list(QgsProject.instance().mapLayers().values()))

    def close(self) -> None:
        """Take everything away, the last added first."""
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

    def _run(self, what: str) -> None:
        layer: Optional[QgsMapLayer] = self._iface.activeLayer()
        if layer is not None:
            self._commands().run(layer, what)

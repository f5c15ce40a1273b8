"""Entries in the layer tree's context menu: of map services' layers, of snapshots, and of copied maps' groups.

This module is imported when QGIS starts.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Callable, List, Optional, Sequence, Tuple

from qgis.core import QgsLayerTreeGroup, QgsMapLayer, QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import QAction, QMenu

from ..core.i18n import tr
from ..core.text import list_quoted_names
from ..gis.runtime import compat
from ..gis.runtime.compat import raster_layer_type

if TYPE_CHECKING:
    from qgis.gui import QgisInterface

    from ..core.errors import CartoguideError
    from ..ui.widgets.messages import Messages


class SnapshotMenu(QObject):
    """The context menu entry of layers with a snapshot. It is added on creation and removed by ``close``."""

    def __init__(self, iface: QgisInterface, menu: str, switch_composer: Callable[[Sequence[str]], bool]) -> None:
        """Add the entry.

        ``switch_composer`` gets the identifiers of layers. It switches the whole custom map and returns true where one
        of them is on it.
        """
        super().__init__()
        self._iface, self._menu, self._switch_composer = iface, menu, switch_composer
        self.action = QAction(tr("Switch between snapshot and live service"), iface.mainWindow())
        self.action.triggered.connect(lambda _checked=False: self.switch_selected())
        iface.addCustomActionForLayerType(self.action, menu, compat.raster_layer_type(), False)
        self._project = QgsProject.instance()
        self._project.layersAdded.connect(self._on_layers_added)
        self._project.readProject.connect(self.report_missing_snapshots)

    def close(self) -> None:
        self._project.readProject.disconnect(self.report_missing_snapshots)
        self._project.layersAdded.disconnect(self._on_layers_added)
        self._iface.removeCustomActionForLayerType(self.action)
        self.action.deleteLater()

    def add_to_layers(self, layers: Sequence[QgsMapLayer]) -> None:
        """Add the entry to the menus of those ``layers`` that have a snapshot."""
        for layer in layers:
            if layer.customProperty("cartoguide/snapshot"):
                self._iface.addCustomActionForLayer(self.action, layer)

    def report_missing_snapshots(self, _document: object = None) -> None:
        """Warn about snapshots that an opened project does not find, and offer the live services instead."""
        self.add_to_layers(list(self._project.mapLayers().values()))
        if not any(layer.customProperty("cartoguide/live") and not layer.isValid()
                   for layer in self._project.mapLayers().values()):
            return
        from ..gis.layers.snapshot_switch import layers_without_snapshot

        missing = layers_without_snapshot(self._project)
        if missing:
            names = list_quoted_names([layer.name() for layer in missing])
            self._messages().show_warning_with_action(
                tr("The snapshot of %n layer(s) was not found: {names}.", n=len(missing), names=names),
                tr("Use the live services"), lambda: self.show_live(missing))

    def switch_selected(self) -> None:
        """Switch the layers that are selected in the layer tree."""
        from ..core.errors import CartoguideError
        from ..gis.layers import snapshot_switch
        from ..gis.sources.layer_source import shows_snapshot

        view = self._iface.layerTreeView()
        selected = [layer for layer in (view.selectedLayers() if view is not None else [])
                    if snapshot_switch.local_copy(layer, self._project) is not None]
        if not selected or self._switch_composer([layer.id() for layer in selected]):
            return
        live = [layer for layer in selected if shows_snapshot(layer)]
        if live:
            self.show_live(live)
        for layer in selected:
            copy = snapshot_switch.local_copy(layer, self._project)
            if layer in live or copy is None:
                continue
            try:
                snapshot_switch.switch_to_snapshot(layer, copy, self._project)
            except CartoguideError as error:
                self._messages().show_error(error)

    def show_live(self, layers: Sequence[QgsRasterLayer]) -> None:
        """Let the layers show their live services again. Errors are shown."""
        from ..gis.layers import snapshot_switch

        messages = self._messages()

        def done(problems: List[CartoguideError]) -> None:
            for problem in problems:
                messages.show_error(problem)

        snapshot_switch.switch_to_live(list(layers), done, messages.show_error)

    def _on_layers_added(self, layers: Sequence[QgsMapLayer]) -> None:
        self.add_to_layers(layers)

    def _messages(self) -> Messages:
        from ..ui.widgets.messages import InlineMessage, Messages

        return Messages(self._iface.messageBar(), InlineMessage())


class LayerAction(str, Enum):
    """The entries of the menu. The object names of the actions are made of the values."""

    SHOW_RECORD = "record"
    SHOW_TERMS = "terms"
    COPY_CREDIT = "credit"


class LayerMenu(QObject):
    """The submenu of layers from map services, and the entry of groups with a map's document, as copies have.

    They are added on creation and removed by ``close``. ``run_action`` is called with the current layer and the entry
    that was chosen, ``open_group`` with the current group.
    """

    def __init__(self, iface: QgisInterface, menu: str, icon: QIcon,
                 run_action: Callable[[QgsMapLayer, LayerAction], None],
                 open_group: Callable[[QgsLayerTreeGroup], None]) -> None:
        super().__init__()
        self._iface, self._icon = iface, icon
        self._run_action, self._open_group = run_action, open_group
        self.actions: List[Tuple[LayerAction, QAction]] = []
        for entry, label in ((LayerAction.SHOW_RECORD, tr("Show catalogue record")),
                             (LayerAction.SHOW_TERMS, tr("Show terms")), (LayerAction.COPY_CREDIT, tr("Copy credit"))):
            action = QAction(icon, label, iface.mainWindow())
            action.setObjectName(f"CartoguideLayer{entry.value.capitalize()}")
            action.triggered.connect(lambda _checked=False, entry=entry: self._run(entry))
            iface.addCustomActionForLayerType(action, menu, raster_layer_type(), False)
            self.actions.append((entry, action))
        self._menu_signal = compat.layer_tree_menu_signal(iface.layerTreeView())
        if self._menu_signal is not None:
            self._menu_signal.connect(self._on_menu)
        QgsProject.instance().layersAdded.connect(self._on_layers_added)
        self._on_layers_added(list(QgsProject.instance().mapLayers().values()))

    def close(self) -> None:
        """Remove the entries, the last added first."""
        QgsProject.instance().layersAdded.disconnect(self._on_layers_added)
        if self._menu_signal is not None:
            self._menu_signal.disconnect(self._on_menu)
        for _, action in reversed(self.actions):
            self._iface.removeCustomActionForLayerType(action)
            action.deleteLater()
        self.actions = []

    def _on_layers_added(self, layers: List[QgsMapLayer]) -> None:
        for layer in layers:
            if isinstance(layer, QgsRasterLayer) and _is_of_map_service(layer):
                for _, action in self.actions:
                    self._iface.addCustomActionForLayer(action, layer)

    def _on_menu(self, menu: QMenu) -> None:
        group = self._iface.layerTreeView().currentNode()
        if isinstance(group, QgsLayerTreeGroup) and group.customProperty("cartoguide/document"):
            menu.addAction(self._icon, tr("Open as custom map"), lambda: self._open_group(group))

    def _run(self, entry: LayerAction) -> None:
        layer: Optional[QgsMapLayer] = self._iface.activeLayer()
        if layer is not None:
            self._run_action(layer, entry)


def _is_of_map_service(layer: QgsRasterLayer) -> bool:
    from ..gis.runtime.drawn_source import drawn_source
    return drawn_source(layer).is_map_service

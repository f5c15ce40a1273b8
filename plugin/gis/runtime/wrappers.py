"""Wrappers of objects that QGIS owns, kept for as long as QGIS runs.

PyQt takes the functions that are connected to an object's signals for parts of the object's wrapper. When Python finds
the last reference to a wrapper in a cycle that nothing else refers to, such as a closed dock or a traceback, it clears
them with it: functions, lambdas and partials are called no more, those of other plugins too, though the object lives
on. Methods are called all the same. (PyQt 5.15 and 6: ``qpycore_clearSlotProxies``.)
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Callable, Dict, Iterable, List, Optional

from qgis.core import QgsApplication, QgsMapLayer, QgsNetworkAccessManager, QgsProject
from qgis.PyQt.QtCore import QObject

if TYPE_CHECKING:
    from qgis.gui import QgisInterface


class _Layers:
    """The layers of the project by their ids. Its methods stay connected, whatever is cleared."""

    def __init__(self, layers: Dict[str, QgsMapLayer]) -> None:
        self.layers = layers

    def add(self, layers: Iterable[QgsMapLayer]) -> None:
        self.layers.update((layer.id(), layer) for layer in layers)

    def remove(self, layer_ids: Iterable[str]) -> None:
        for layer_id in layer_ids:
            self.layers.pop(layer_id, None)


def keep_wrappers(iface: Optional[QgisInterface]) -> Callable[[], None]:
    """Keep the wrappers of what is shared with QGIS and other plugins, and of the project's layers. Main thread only.

    ``iface`` is None without a window. Return a function that stops following the layers of the project. The wrappers
    that are kept by then stay until QGIS ends, since Python clears cycles of the plugin only after it was unloaded.
    """
    project = QgsProject.instance()
    layers = _Layers(project.mapLayers())
    shared: List[QObject] = [
        QgsApplication.instance(), QgsApplication.authManager(), QgsApplication.messageLog(),
        QgsApplication.processingRegistry(), QgsApplication.svgCache(), QgsApplication.taskManager(),
        QgsNetworkAccessManager.instance(), project, project.layerTreeRoot(), project.layoutManager(),
        project.mapThemeCollection(), project.timeSettings()]
    if iface is not None:
        shared += [iface.mainWindow(), iface.mapCanvas(), iface.messageBar(), iface.layerTreeView()]
    # Python sees no cycle through a property of C++, and no class of the plugin may outlive it
    QgsApplication.instance().setProperty("cartoguide_wrappers", SimpleNamespace(shared=shared, layers=layers.layers))
    project.layersAdded.connect(layers.add)
    project.layersRemoved.connect(layers.remove)

    def close() -> None:
        project.layersAdded.disconnect(layers.add)
        project.layersRemoved.disconnect(layers.remove)

    return close

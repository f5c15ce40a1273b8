"""A QGIS interface for tests, on a real main window, canvas, layer tree and locator."""

from __future__ import annotations

from qgis.core import QgsLayerTreeModel, QgsLocator, QgsProject
from qgis.gui import QgsLayerTreeView, QgsMapCanvas, QgsMessageBar
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QObject, pyqtSignal
from qgis.PyQt.QtWidgets import QMainWindow, QMenu, QToolBar


class Window(QObject):
    """What the plugin uses of QGIS's interface, on a real main window."""

    initializationCompleted = pyqtSignal()

    def __init__(self):
        super().__init__()
        self.window = QMainWindow()
        self.bar = QgsMessageBar(self.window)
        self.toolbar = QToolBar(self.window)
        self.menu = {}
        self.drop_handlers = []
        self.options = []
        self.help = QMenu(self.window)
        self.canvas = QgsMapCanvas(self.window)
        self.locator = QgsLocator(self.window)
        self.layer_actions = []
        self.layers_with = []
        self.tree_model = QgsLayerTreeModel(QgsProject.instance().layerTreeRoot(), self.window)
        self.tree_view = QgsLayerTreeView(self.window)
        self.tree_model.setFlag(QgsLayerTreeModel.Flag.AllowNodeReorder)
        self.tree_view.setModel(self.tree_model)

    def mainWindow(self):  # noqa: N802
        return self.window

    def mapCanvas(self):  # noqa: N802
        return self.canvas

    def messageBar(self):  # noqa: N802
        return self.bar

    def addWebToolBarIcon(self, action):  # noqa: N802
        self.toolbar.addAction(action)

    def removeWebToolBarIcon(self, action):  # noqa: N802
        self.toolbar.removeAction(action)

    def addPluginToWebMenu(self, menu, action):  # noqa: N802
        self.menu.setdefault(menu, []).append(action)

    def removePluginWebMenu(self, menu, action):  # noqa: N802
        self.menu[menu].remove(action)

    def addDockWidget(self, area, dock):  # noqa: N802
        self.window.addDockWidget(area, dock)

    def registerCustomDropHandler(self, handler):  # noqa: N802
        self.drop_handlers.append(handler)

    def unregisterCustomDropHandler(self, handler):  # noqa: N802
        self.drop_handlers.remove(handler)

    def registerOptionsWidgetFactory(self, factory):  # noqa: N802
        self.options.append(factory)

    def unregisterOptionsWidgetFactory(self, factory):  # noqa: N802
        self.options.remove(factory)

    def pluginHelpMenu(self):  # noqa: N802
        return self.help

    def removeDockWidget(self, dock):  # noqa: N802
        self.window.removeDockWidget(dock)

    def registerLocatorFilter(self, locator_filter):  # noqa: N802
        self.locator.registerFilter(locator_filter)

    def deregisterLocatorFilter(self, locator_filter):  # noqa: N802
        self.locator.deregisterFilter(locator_filter)

    def addCustomActionForLayerType(self, action, menu, layer_type, all_layers):  # noqa: N802
        self.layer_actions.append((action, menu, layer_type, all_layers))

    def removeCustomActionForLayerType(self, action):  # noqa: N802
        self.layer_actions = [one for one in self.layer_actions if one[0] is not action]
        self.layers_with = [one for one in self.layers_with if one[0] is not action]

    def addCustomActionForLayer(self, action, layer):  # noqa: N802
        self.layers_with.append((action, layer.id()))

    def layerTreeView(self):  # noqa: N802
        return self.tree_view

    def activeLayer(self):  # noqa: N802
        return self.tree_view.currentLayer()


def settle():
    """Handle what is waiting, deleted objects too."""
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()

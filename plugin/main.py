"""The plugin inside QGIS: one action that shows the dock; what ``initGui`` adds, ``unload`` takes away in reverse."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, List, Optional, Sequence

from qgis.core import QgsApplication, QgsProject, QgsSettings
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import QAction, QMenu

from .core.i18n import tr
from .core.resources import ICONS
from .gis.credits import expression_functions
from .gis.layouts import validity_check
from .gis.runtime import i18n
from .integration.registration import QgisIntegration
from .integration.snapshot_menu import SnapshotMenu
from .ui.credits.credits_menu import CreditsMenu
from .ui.settings.options_factory import OptionsFactory
from .ui.widgets import guide

if TYPE_CHECKING:
    from qgis.gui import QgisInterface

    from .processing.provider import CartoguideProvider
    from .ui.dock.dock_widget import CartoguideDock
    from .ui.identify.identify_tool import IdentifyController

MENU = "Cartoguide"
DOCK_VISIBLE_SETTING = "cartoguide/dock/visible"
#: pixels; at this width all tabs of a record are seen
INITIAL_DOCK_WIDTH = 400
ICON = ICONS / "cartoguide.svg"
IDENTIFY_ICON = ICON.with_name("identify.svg")


class CartoguidePlugin:
    """What QGIS loads. Nothing heavy is imported before the dock is first shown."""

    def __init__(self, iface: QgisInterface) -> None:
        self.iface = iface
        self.action: Optional[QAction] = None
        self.dock: Optional[CartoguideDock] = None
        self.identify_action: Optional[QAction] = None
        self.identify: Optional[IdentifyController] = None
        self.integration: Optional[QgisIntegration] = None
        self._credits_menu: Optional[CreditsMenu] = None
        self._snapshot_menu: Optional[SnapshotMenu] = None
        self._options_factory: Optional[OptionsFactory] = None
        self._help_action: Optional[QAction] = None
        self._waiting_for_qgis = False
        self.provider: Optional[CartoguideProvider] = None

    def initProcessing(self) -> None:  # noqa: N802
        """QGIS: the algorithms alone; there may be no window (``qgis_process``)."""
        from .processing.provider import CartoguideProvider

        i18n.install()
        expression_functions.register()
        self.provider = CartoguideProvider(in_window=self.iface is not None)
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self) -> None:  # noqa: N802
        """QGIS: add the action to the Web toolbar and menu; show the dock if it was shown last time."""
        self.initProcessing()
        self.action = QAction(QIcon(str(ICON)), "Cartoguide", self.iface.mainWindow())
        self.action.setObjectName("CartoguideToggle")
        self.action.setCheckable(True)
        self.action.setToolTip(tr("Cartoguide: records of map services, their terms, and credited maps"))
        self.action.toggled.connect(self._toggle_dock)
        self.iface.addWebToolBarIcon(self.action)
        self.iface.addPluginToWebMenu(MENU, self.action)
        self.identify_action = QAction(QIcon(str(IDENTIFY_ICON)), tr("Ask all services what lies here"),
                                       self.iface.mainWindow())
        self.identify_action.setObjectName("CartoguideIdentify")
        self.identify_action.setCheckable(True)
        self.identify_action.setToolTip(tr("Cartoguide: click on the map, and every map service in it says what lies "
                                           "there"))
        self.identify_action.triggered.connect(self._toggle_identify)
        self.iface.addPluginToWebMenu(MENU, self.identify_action)
        QgsProject.instance().readProject.connect(self._restore_legends)
        validity_check.register()
        self._credits_menu = CreditsMenu(self.iface, MENU, lambda: self.dock.session.library
                                         if self.dock is not None else None)
        self._snapshot_menu = SnapshotMenu(self.iface, MENU, self._switch_custom_map)
        self._options_factory = OptionsFactory(QIcon(str(ICON)), lambda: self.dock.session.library
                                               if self.dock is not None else None, self._settings_changed,
                                               self._show_success)
        self.iface.registerOptionsWidgetFactory(self._options_factory)
        self._help_action = QAction(QIcon(str(ICON)), tr("Cartoguide: user guide"), self.iface.mainWindow())
        self._help_action.triggered.connect(self._show_guide)
        self.iface.pluginHelpMenu().addAction(self._help_action)
        self.integration = QgisIntegration(self, self.action.icon())
        if QgsSettings().value(DOCK_VISIBLE_SETTING, False, type=bool):
            self._show_dock_when_ready()

    def unload(self) -> None:
        """QGIS: take everything away again, the last added first."""
        self._stop_waiting()
        if self.integration is not None:
            self.integration.close()
            self.integration = None
        if self.dock is not None:
            dock, self.dock = self.dock, None
            dock.visibilityChanged.disconnect(self._on_dock_visibility_changed)
            dock.close_down()
            self.iface.removeDockWidget(dock)
            dock.setParent(None)
            dock.deleteLater()
        guide.close()
        tasks = sys.modules.get(f"{__package__}.gis.runtime.tasks")
        if tasks is not None:
            tasks.shutdown()
        if self.identify is not None:
            self.identify.close()
            self.identify = None
        if self.identify_action is not None:
            self.identify_action.triggered.disconnect(self._toggle_identify)
            self.iface.removePluginWebMenu(MENU, self.identify_action)
            self.identify_action.deleteLater()
            self.identify_action = None
        if self._options_factory is not None:
            self.iface.unregisterOptionsWidgetFactory(self._options_factory)
            self._options_factory = None
        if self._help_action is not None:
            self.iface.pluginHelpMenu().removeAction(self._help_action)
            self._help_action.deleteLater()
            self._help_action = None
        if self.action is not None:
            if self._snapshot_menu is not None:
                self._snapshot_menu.close()
                self._snapshot_menu = None
            if self._credits_menu is not None:
                self._credits_menu.close()
                self._credits_menu = None
            validity_check.unregister()
            QgsProject.instance().readProject.disconnect(self._restore_legends)
            self.action.toggled.disconnect(self._toggle_dock)
            self.iface.removePluginWebMenu(MENU, self.action)
            self.iface.removeWebToolBarIcon(self.action)
            self.action.deleteLater()
            self.action = None
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
        self._remove_empty_menu()
        expression_functions.unregister()
        i18n.remove()

    def _remove_empty_menu(self) -> None:
        """QGIS makes the plugin's menu with its first entry; of an empty one it takes the entry out, not the menu."""
        for menu in self.iface.mainWindow().findChildren(QMenu):
            if menu.title().replace("&", "") == MENU and menu.isEmpty():
                menu.deleteLater()

    def show_dock(self) -> CartoguideDock:
        """The dock, made when it is first asked for, and shown."""
        if self.dock is None:
            from .ui.dock.dock_widget import CartoguideDock

            window = self.iface.mainWindow()
            self.dock = CartoguideDock(self.iface, window)
            self.dock.search_bar.add_action_button(self.identify_action)
            if self.integration is not None:
                self.integration.on_dock_created(self.dock.session.library)
            # QGIS has restored its window by now and kept the dock's place for it
            if not window.restoreDockWidget(self.dock):
                self.iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
                self._widen_dock()
                # a window that is still being made becomes wider once it is on the screen
                QTimer.singleShot(250, self._widen_dock)
            self.dock.visibilityChanged.connect(self._on_dock_visibility_changed)
        self.dock.show()
        self.dock.raise_()
        return self.dock

    def show_credits(self) -> None:
        """The credits of this project, in a window of their own."""
        if self._credits_menu is not None:
            self._credits_menu.show_audit()

    def _widen_dock(self) -> None:
        if self.dock is not None and not self.dock.isFloating() and self.dock.width() < INITIAL_DOCK_WIDTH:
            self.iface.mainWindow().resizeDocks([self.dock], [INITIAL_DOCK_WIDTH], Qt.Orientation.Horizontal)

    def _switch_custom_map(self, layer_ids: Sequence[str]) -> bool:
        """Whether one of the layers is on the dock's custom map, which was switched then."""
        return self.dock is not None and self.dock.composer_controller.offline.toggle_for_layers(layer_ids)

    def _restore_legends(self) -> None:
        """A project was opened: its layers get back the legends that they kept in it."""
        from .gis.legends.legend_nodes import restore_swatches

        restore_swatches(QgsProject.instance().mapLayers().values())

    def _settings_changed(self, names: List[str]) -> None:
        """QGIS's options were closed with OK."""
        if self.dock is not None:
            self.dock.session.apply_settings(names)
        if self.integration is not None:
            self.integration.settings_changed()
        if "canvas_credit" in names:
            self.iface.mapCanvas().refresh()

    def _show_success(self, words: str) -> None:
        self.iface.messageBar().pushSuccess(MENU, words)

    def _show_guide(self) -> None:
        guide.show()

    def _toggle_identify(self, on: bool) -> None:
        if self.identify is None:
            from .ui.identify.identify_tool import IdentifyController

            self.identify = IdentifyController(self.iface, self.identify_action)
        if on:
            self.identify.activate()
        else:
            self.identify.deactivate()

    def _toggle_dock(self, on: bool) -> None:
        if on:
            self.show_dock()
        elif self.dock is not None:
            self.dock.hide()

    def _on_dock_visibility_changed(self, _visible: bool) -> None:
        """The dock was closed or shown by other means; a tab over it does not count as closed."""
        if self.action is None or self.dock is None:
            return
        shown = not self.dock.isHidden()
        QgsSettings().setValue(DOCK_VISIBLE_SETTING, shown)
        self.action.blockSignals(True)
        self.action.setChecked(shown)
        self.action.blockSignals(False)

    def _show_dock_when_ready(self) -> None:
        if self.iface.mainWindow().isVisible():
            self._show_dock_again()
        else:
            self.iface.initializationCompleted.connect(self._show_dock_again)
            self._waiting_for_qgis = True

    def _show_dock_again(self) -> None:
        self._stop_waiting()
        if self.action is not None:
            self.action.setChecked(True)

    def _stop_waiting(self) -> None:
        if self._waiting_for_qgis:
            self.iface.initializationCompleted.disconnect(self._show_dock_again)
            self._waiting_for_qgis = False

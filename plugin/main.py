"""The entry point of the plugin: ``initGui`` adds its parts to QGIS, ``unload`` removes them in reverse order."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Callable, List, Optional, Sequence

from qgis import utils as qgis_utils
from qgis.core import QgsApplication, QgsProject, QgsSettings
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import QAction, QMenu

from .core.i18n import tr
from .core.resources import ICONS
from .core.text import escaped
from .gis.checks import validity_check
from .gis.credits import expression_functions
from .gis.runtime import i18n
from .gis.runtime.wrappers import keep_wrappers
from .integration.layer_menu import SnapshotMenu
from .integration.registration import QgisIntegration
from .ui.credits.credits_menu import CreditsMenu
from .ui.settings.options_factory import OptionsFactory

if TYPE_CHECKING:
    from qgis.gui import QgisInterface

    from .gis.library.record_library import RecordLibrary
    from .ui.dock.dock_widget import CartoguideDock
    from .ui.identify import IdentifyController

MENU = "Cartoguide"
DOCK_VISIBLE_SETTING = "cartoguide/dock/visible"
#: pixels; at this width all tabs of a record are visible
INITIAL_DOCK_WIDTH = 400
ICON = ICONS / "cartoguide.svg"
IDENTIFY_ICON = ICON.with_name("identify.svg")


class CartoguidePlugin:
    """The plugin object that QGIS loads.

    Every part is added by an ``_add_`` method, which also registers how it is removed. Start-up has to stay below
    30 ms: the dock, the identify tool and the algorithms are imported when they are first used.
    """

    def __init__(self, iface: QgisInterface) -> None:
        self.iface = iface
        self.action: Optional[QAction] = None
        self.dock: Optional[CartoguideDock] = None
        self.compose_action: Optional[QAction] = None
        self.identify_action: Optional[QAction] = None
        self.identify: Optional[IdentifyController] = None
        self.integration: Optional[QgisIntegration] = None
        self._credits_menu: Optional[CreditsMenu] = None
        #: entries of the menu that need a custom map
        self._map_actions: List[QAction] = []
        self._waiting_for_qgis = False
        #: removes the parts that were added, the last one first
        self._added = ExitStack()

    # -- QGIS

    def initProcessing(self) -> None:  # noqa: N802
        """QGIS: add the algorithms alone. There may be no window (``qgis_process``)."""
        self._added.callback(keep_wrappers(None))
        self._add_translations()
        self._add_processing_provider()
        self._add_temporary_files()

    def initGui(self) -> None:  # noqa: N802
        """QGIS: add all parts, and show the dock if it was open when QGIS was closed."""
        self._added.callback(keep_wrappers(self.iface))
        self._add_translations()
        self._added.callback(self._remove_empty_menu)
        self._add_processing_provider()
        self._add_dock_action()
        self._add_compose_action()
        self._add_separator()
        self._add_record_commands()
        self._add_separator()
        self._add_map_commands()
        self._add_separator()
        self._add_identify_action()
        self._add_project_hooks()
        self._add_menus()
        self._add_separator()
        self._add_command(tr("Check the listed records…"),
                          lambda: self.show_dock().list_page.checks.check())
        self._add_command(tr("Health of services…"), lambda: self.show_dock().open_health())
        self._add_separator()
        self._add_command(tr("Settings…"), lambda: self.show_dock().open_settings())
        self._add_command(tr("A first map"), lambda: _show_guide("first-map"))
        self._add_command(tr("User guide"), _show_guide)
        self._add_options_page()
        self._add_help_action()
        self._added.callback(self._close_windows)
        self._add_integration()
        self._added.callback(self._stop_waiting)
        # not a part of QGIS's start, which it need not hold up
        QTimer.singleShot(0, self._remove_leftovers)
        if QgsSettings().value(DOCK_VISIBLE_SETTING, False, type=bool):
            self._show_dock_when_ready()

    def unload(self) -> None:
        """QGIS: remove everything, the last added first."""
        self._added.close()
        _forget_packages()

    # -- the parts

    def _add_temporary_files(self) -> None:
        """Note temporary files in the profile, so that the next start removes what a crash left."""
        from .core.storage import temporary_files

        temporary_files.use_register(Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide" / "temporary")
        self._added.callback(temporary_files.close_register)

    def _remove_leftovers(self) -> None:
        """Remove the temporary files of a QGIS that crashed, in a task."""
        if self.action is None:
            return  # unloaded meanwhile
        from .core.storage import temporary_files

        self._add_temporary_files()
        if temporary_files.needs_sweep():
            from .core.snapshot.manifest import remove_downloads
            from .gis.runtime import log, tasks

            tasks.start(tr("Removing temporary files"), lambda _: temporary_files.sweep((remove_downloads,)),
                        lambda _: None, log.error)

    def _add_translations(self) -> None:
        i18n.install()
        self._added.callback(i18n.remove)
        self._added.callback(_call_imported, "gis.runtime.page_fonts", "remove")
        self._added.callback(_call_imported, "gis.network.bound_origins", "close")
        expression_functions.register()
        self._added.callback(expression_functions.unregister)

    def _add_processing_provider(self) -> None:
        from .processing.provider import CartoguideProvider

        provider = CartoguideProvider(in_window=self.iface is not None)
        QgsApplication.processingRegistry().addProvider(provider)
        self._added.callback(QgsApplication.processingRegistry().removeProvider, provider)

    def _add_dock_action(self) -> None:
        self.action = action = QAction(QIcon(str(ICON)), tr("Records and services"), self.iface.mainWindow())
        action.setObjectName("CartoguideToggle")
        action.setCheckable(True)
        action.setToolTip(tr("Cartoguide: records of map services, their terms, and credited maps"))
        action.toggled.connect(self._toggle_dock)
        self.iface.addWebToolBarIcon(action)
        self._add_to_menu(action)

        def remove() -> None:
            self.action = None
            action.toggled.disconnect(self._toggle_dock)
            self.iface.removeWebToolBarIcon(action)

        self._added.callback(remove)

    def _add_compose_action(self) -> None:
        """Add the action that shows the dock of the custom map to the menu."""
        self.compose_action = action = QAction(tr("Custom map"), self.iface.mainWindow())
        action.setObjectName("CartoguideCompose")
        action.setCheckable(True)
        action.toggled.connect(self._toggle_compose)
        self._add_to_menu(action)

        def remove() -> None:
            self.compose_action = None
            action.toggled.disconnect(self._toggle_compose)

        self._added.callback(remove)

    def _add_record_commands(self) -> None:
        """Add what opens records and what groups and finds them, in the words of the dock."""
        menu = QMenu(tr("Open records"), self.iface.mainWindow())
        for text, run in (
                (tr("Open files…"), lambda: self.show_dock().open_files()),
                (tr("Open a folder…"), lambda: self.show_dock().record_actions.records.open_folder()),
                (tr("Open an address…"), lambda: self.show_dock().open_address()),
                (tr("Paste"), lambda: self.show_dock().record_actions.records.paste())):
            menu.addAction(text, run)
        self._add_to_menu(menu.menuAction())
        self._added.callback(menu.deleteLater)
        self._add_command(tr("Collections…"), lambda: self.show_dock().open_collections())
        self._add_command(tr("Catalogues…"), lambda: self.show_dock().open_catalogues())
        self._add_command(tr("Add a catalogue…"), lambda: self.show_dock().list_page.catalogues.open_add_dialog())

    def _add_map_commands(self) -> None:
        """Add the commands on the custom map. Those that need a map are disabled while there is none."""
        self._add_command(tr("New custom map"), lambda: self._run_on_map("new"))
        self._add_command(tr("Open a custom map…"), lambda: self._run_on_map("open"))
        self._map_actions = [
            self._add_command(text, partial(self._run_on_map, name)) for text, name in (
                (tr("Layout of the custom map"), "layout"), (tr("Export the custom map as PDF…"), "pdf"),
                (tr("Snapshot for offline use…"), "snapshot"))
        ]
        self._added.callback(self._map_actions.clear)
        self._enable_map_actions(0)

    def _run_on_map(self, name: str) -> None:
        """Run the ``ComposerAction`` called ``name``, beside the custom map that it changes."""
        from .ui.composer.composer_panel import ComposerAction

        dock = self.dock or self.show_dock()
        dock.compose_dock.open()
        dock.composer.action_requested.emit(ComposerAction(name))

    def _enable_map_actions(self, count: int) -> None:
        for action in self._map_actions:
            action.setEnabled(count > 0)

    def _add_command(self, text: str, run: Callable[[], object]) -> QAction:
        action = QAction(text, self.iface.mainWindow())
        action.triggered.connect(lambda _checked=False: run())
        self._add_to_menu(action)
        return action

    def _add_separator(self) -> None:
        line = QAction(self.iface.mainWindow())
        line.setSeparator(True)
        self._add_to_menu(line)

    def _add_to_menu(self, action: QAction) -> None:
        """Add an action to the plugin's menu, and register that it is removed from it and deleted."""
        self.iface.addPluginToWebMenu(MENU, action)
        self._added.callback(action.deleteLater)
        self._added.callback(self.iface.removePluginWebMenu, MENU, action)

    def _add_identify_action(self) -> None:
        self.identify_action = action = QAction(QIcon(str(IDENTIFY_ICON)), tr("Identify on all services"),
                                                self.iface.mainWindow())
        action.setObjectName("CartoguideIdentify")
        action.setCheckable(True)
        action.setToolTip(tr("Cartoguide: click the map to query every map service at that point"))
        action.triggered.connect(self._toggle_identify)
        self._add_to_menu(action)

        def remove() -> None:
            self.identify_action = None
            action.triggered.disconnect(self._toggle_identify)

        self._added.callback(remove)

    def _add_project_hooks(self) -> None:
        """Restore legends when a project is opened, and check the credits of layouts before QGIS exports them.

        When a project is opened or saved, it is noted which layouts somebody has edited, as those are never replaced.
        """
        project = QgsProject.instance()
        for signal, slot in ((project.readProject, self._restore_legends), (project.readProject, self._forget_edited),
                             (project.writeProject, self._note_saved)):
            signal.connect(slot)
            self._added.callback(signal.disconnect, slot)
        validity_check.register()
        self._added.callback(validity_check.unregister)

    def _add_menus(self) -> None:
        self._credits_menu = CreditsMenu(self.iface, MENU, self._dock_library,
                                         lambda: (self.dock or self.show_dock()).compose_dock.open())
        self._added.callback(self._credits_menu.close)
        snapshot_menu = SnapshotMenu(self.iface, MENU, self._switch_custom_map)
        self._added.callback(snapshot_menu.close)

    def _add_options_page(self) -> None:
        factory = OptionsFactory(QIcon(str(ICON)), self._dock_library, self._on_settings_changed, self._show_success)
        self.iface.registerOptionsWidgetFactory(factory)
        self._added.callback(self.iface.unregisterOptionsWidgetFactory, factory)

    def _add_help_action(self) -> None:
        action = QAction(QIcon(str(ICON)), tr("Cartoguide: user guide"), self.iface.mainWindow())
        action.triggered.connect(lambda _checked=False: _show_guide())
        self.iface.pluginHelpMenu().addAction(action)

        def remove() -> None:
            self.iface.pluginHelpMenu().removeAction(action)
            action.deleteLater()

        self._added.callback(remove)

    def _add_integration(self) -> None:
        self.integration = integration = QgisIntegration(self, QIcon(str(ICON)))

        def remove() -> None:
            self.integration = None
            integration.close()

        self._added.callback(remove)

    def _close_windows(self) -> None:
        """Close what was opened since: running exports, the dock, the user guide, running tasks, the identify tool."""
        sealed_layouts = sys.modules.get(f"{__package__}.gis.export.sealed_layouts")
        reason = tr("Cartoguide was unloaded while a map was drawn, so the map was not exported.")
        if sealed_layouts is not None and sealed_layouts.abort_all(reason):
            self.iface.messageBar().pushWarning(MENU, escaped(reason))
        if self.dock is not None:
            dock, self.dock = self.dock, None
            dock.visibilityChanged.disconnect(self._on_dock_visibility_changed)
            dock.compose_dock.visibilityChanged.disconnect(self._on_compose_visibility_changed)
            dock.close_down()
            self.iface.removeDockWidget(dock.compose_dock)
            self.iface.removeDockWidget(dock)
            dock.setParent(None)
            dock.deleteLater()
        _call_imported("ui.widgets.guide", "close")
        _call_imported("gis.runtime.tasks", "shutdown")
        if self.identify is not None:
            self.identify.close()
            self.identify = None

    def _remove_empty_menu(self) -> None:
        """Delete the plugin's menu: QGIS creates it with the first entry, but keeps it without entries."""
        for menu in self.iface.mainWindow().findChildren(QMenu):
            if menu.title().replace("&", "") == MENU and menu.isEmpty():
                menu.deleteLater()

    # -- commands

    def show_dock(self) -> CartoguideDock:
        """Show the dock, which is created on the first call, and return it."""
        if self.dock is None:
            from .ui.dock.dock_widget import CartoguideDock

            window = self.iface.mainWindow()
            self.dock = CartoguideDock(self.iface, window)
            self.dock.list_page.search_bar.add_action(self.identify_action)
            if self.integration is not None:
                self.integration.on_dock_created(self.dock)
            # QGIS has restored its window by now and kept the docks' positions for it
            if not window.restoreDockWidget(self.dock):
                self.iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
                self._widen_dock()
                # a window that is still being built becomes wider once it is on the screen
                QTimer.singleShot(250, self._widen_dock)
            compose = self.dock.compose_dock
            if not window.restoreDockWidget(compose):
                self.iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, compose)
                window.tabifyDockWidget(self.dock, compose)
                compose.hide()
            self.dock.visibilityChanged.connect(self._on_dock_visibility_changed)
            compose.visibilityChanged.connect(self._on_compose_visibility_changed)
            self.dock.composer.credits_requested.connect(self.show_credits)
            self.dock.composer.count_changed.connect(self._enable_map_actions)
        self.dock.show()
        self.dock.raise_()
        return self.dock

    def show_credits(self) -> None:
        if self._credits_menu is not None:
            self._credits_menu.show_audit()

    def start_identify(self) -> None:
        if self.identify_action is not None:
            self.identify_action.trigger()

    # -- callbacks

    def _dock_library(self) -> Optional[RecordLibrary]:
        return self.dock.library if self.dock is not None else None

    def _widen_dock(self) -> None:
        if self.dock is not None and not self.dock.isFloating() and self.dock.width() < INITIAL_DOCK_WIDTH:
            self.iface.mainWindow().resizeDocks([self.dock], [INITIAL_DOCK_WIDTH], Qt.Orientation.Horizontal)

    def _switch_custom_map(self, layer_ids: Sequence[str]) -> bool:
        """Switch the dock's custom map where one of the layers is on it. Return true where it was switched."""
        return self.dock is not None and self.dock.composer_controller.offline.toggle_for_layers(layer_ids)

    def _restore_legends(self) -> None:
        """Restore the legends that are saved in the layers of an opened project."""
        from .gis.legends.legend_nodes import restore_swatches

        restore_swatches(QgsProject.instance().mapLayers().values())

    def _forget_edited(self) -> None:
        from .gis.layouts import layout_items

        layout_items.forget_edited_layouts(QgsProject.instance())

    def _note_saved(self) -> None:
        from .gis.layouts import layout_items

        layout_items.note_saved_layouts(QgsProject.instance())

    def _on_settings_changed(self, names: List[str]) -> None:
        """Apply the settings after QGIS's options were closed with OK."""
        if self.dock is not None:
            self.dock.session.apply_settings(names)
        if self.integration is not None:
            self.integration.settings_changed()
        if "canvas_credit" in names:
            self.iface.mapCanvas().refresh()

    def _show_success(self, text: str) -> None:
        self.iface.messageBar().pushSuccess(MENU, escaped(text))

    def _toggle_identify(self, on: bool) -> None:
        if self.identify is None:
            from .ui.identify import IdentifyController

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

    def _toggle_compose(self, on: bool) -> None:
        if on:
            if self.dock is None:
                self.show_dock()
            if self.dock is not None:
                self.dock.compose_dock.open()
        elif self.dock is not None:
            self.dock.compose_dock.hide()

    def _on_compose_visibility_changed(self, _visible: bool) -> None:
        """Follow the dock of the custom map that was closed or shown by other means."""
        if self.compose_action is not None and self.dock is not None:
            self.compose_action.blockSignals(True)
            self.compose_action.setChecked(not self.dock.compose_dock.isHidden())
            self.compose_action.blockSignals(False)

    def _on_dock_visibility_changed(self, _visible: bool) -> None:
        """Follow a dock that was closed or shown by other means. A dock behind another tab is not closed."""
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


def _show_guide(page: str = "index") -> None:
    """Open the page of the user guide that is a value of ``GuideTopic``."""
    from .gis.runtime.guide_pages import GuideTopic
    from .ui.widgets import guide

    guide.show(GuideTopic(page))


def _call_imported(module: str, function: str) -> None:
    """Call a function that ends the use of a module, if the module was imported since QGIS's start."""
    imported = sys.modules.get(f"{__package__}.{module}")
    if imported is not None:
        getattr(imported, function)()


def _forget_packages() -> None:
    """Remove the plugin's packages from Python's modules.

    QGIS removes the modules that an import names. Those above them, whose members they are, would stay and hold the
    modules of this loading when the plugin is loaded again.
    """
    root = __name__.partition(".")[0]
    if root in qgis_utils.plugins:
        for name in [name for name in sys.modules if name.startswith(f"{root}.")]:
            del sys.modules[name]

"""Registration of Cartoguide with QGIS's browser, locator, data source manager and layer tree.

This module is imported when QGIS starts. The modules that find, show and change things are imported when they are
first needed.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Optional

from qgis.core import QgsApplication
from qgis.gui import QgsGui
from qgis.PyQt.QtGui import QIcon

from ..gis.library import library_changes
from ..gis.runtime import compat
from ..ui.widgets.drag_and_drop import RecordDropHandler
from .browser_items import BrowserTree
from .browser_providers import BrowserItemGuiProvider, BrowserItemProvider
from .data_source_provider import DataSourceRegistration
from .layer_menu import LayerMenu
from .locator_filter import ADD_TO_MAP, COPY_CREDIT, PREFIX, CartoguideLocatorFilter, ResultData, ResultKind

if TYPE_CHECKING:
    from ..gis.library.library_reader import LibraryReader
    from .browser_actions import BrowserItemActions
    from .data_source_page import DataSourcePage
    from .dock_commands import DockCommands, PluginHost
    from .layer_commands import LayerCommands
    from .locator_search import LocatorSearch
    from .record_commands import RecordCommands


class QgisIntegration:
    """Cartoguide's parts in QGIS's own windows. They are added on creation and removed by ``close``."""

    def __init__(self, host: PluginHost, icon: QIcon) -> None:
        self._host = host
        self._iface = host.iface
        self._creation_lock = threading.RLock()
        self._records: Optional[LibraryReader] = None
        self._commands: Optional[RecordCommands] = None
        self._browser_actions: Optional[BrowserItemActions] = None
        self._locator_search: Optional[LocatorSearch] = None
        self.tree = BrowserTree(self.records)
        self.item_provider = BrowserItemProvider(self.tree)
        self.item_gui_provider = BrowserItemGuiProvider(self.browser_actions)
        QgsGui.dataItemGuiProviderRegistry().addProvider(self.item_gui_provider)
        QgsApplication.dataItemProviderRegistry().addProvider(self.item_provider)
        self.locator_filter = CartoguideLocatorFilter(self.locator_search, self.on_result_picked)
        compat.register_locator_filter(self._iface.registerLocatorFilter, self.locator_filter, PREFIX)
        self.source_select = DataSourceRegistration(icon, self._create_source_page)
        self.layer_menu = LayerMenu(self._iface, "Cartoguide", icon,
                                    lambda layer, action: self._layer_commands().run(layer, action),
                                    lambda group: self._host.show_dock().open_map_group(group))
        self.drop_handler = RecordDropHandler(lambda text: self.commands().add_dropped(text))
        self._iface.registerCustomDropHandler(self.drop_handler)
        library_changes.subscribe(self._on_library_changed)

    def close(self) -> None:
        """Remove everything, the last added first."""
        library_changes.unsubscribe(self._on_library_changed)
        self._iface.unregisterCustomDropHandler(self.drop_handler)
        self.layer_menu.close()
        self.source_select.close()
        self._iface.deregisterLocatorFilter(self.locator_filter)
        QgsApplication.dataItemProviderRegistry().removeProvider(self.item_provider)
        QgsGui.dataItemGuiProviderRegistry().removeProvider(self.item_gui_provider)
        if self._commands is not None:
            self._commands.changed.disconnect(self.tree.refresh)
            self._commands.close()
        if self._records is not None:
            self._records.close()

    def on_dock_created(self, dock: DockCommands) -> None:
        """Share the dock's record library and follow its changes."""
        self.records().use_library(dock.library)
        self.commands()
        dock.subscribe_to_changes(self.tree.refresh)

    def settings_changed(self) -> None:
        """Open the library again: the settings may name another one, or another network."""
        if self._records is not None:
            self._records.reopen()
            self.tree.refresh()

    def _on_library_changed(self) -> None:
        """Show the records again after a Processing algorithm has changed the library."""
        if self._commands is not None:
            self._commands.notify_changed()
        else:
            self.tree.refresh()

    # -- created when they are first needed

    def records(self) -> LibraryReader:
        """Return the reader of the record library. Safe to call from any thread."""
        with self._creation_lock:
            if self._records is None:
                from ..gis.library.library_reader import LibraryReader

                self._records = LibraryReader()
            return self._records

    def commands(self) -> RecordCommands:
        if self._commands is None:
            from .record_commands import RecordCommands

            self._commands = RecordCommands(self._host, self.records())
            self._commands.changed.connect(self.tree.refresh)
        return self._commands

    def browser_actions(self) -> BrowserItemActions:
        if self._browser_actions is None:
            from .browser_actions import BrowserItemActions

            self._browser_actions = BrowserItemActions(self.commands(), self._iface.mainWindow())
        return self._browser_actions

    def locator_search(self) -> LocatorSearch:
        """Return the search of the locator filter. Safe to call from any thread."""
        with self._creation_lock:
            if self._locator_search is None:
                from .locator_search import LocatorSearch, locator_actions

                self._locator_search = LocatorSearch(self.records(), locator_actions())
            return self._locator_search

    def _layer_commands(self) -> LayerCommands:
        from .layer_commands import LayerCommands

        return LayerCommands(self.commands())

    def _create_source_page(self, parent: Any, flags: Any, mode: Any) -> DataSourcePage:
        from .data_source_page import DataSourcePage

        return DataSourcePage(self.commands(), parent, flags, mode)

    # -- the locator

    def on_result_picked(self, result: ResultData, secondary_action: Optional[int]) -> None:
        """Run a result of the locator, or its secondary action with this number."""
        kind = result.get("what")
        if kind == ResultKind.ACTION:
            from .locator_search import locator_actions

            for action in locator_actions():
                if action.key == result.get("key"):
                    action.run(self.commands())
        elif kind == ResultKind.RECORD:
            self._run_record_result(str(result.get("id")), secondary_action)
        elif kind == ResultKind.LAYER:
            self._run_layer_result(result, secondary_action)

    def _run_record_result(self, identifier: str, secondary_action: Optional[int]) -> None:
        commands = self.commands()
        if secondary_action == ADD_TO_MAP:
            commands.add_to_map(identifier)
        elif secondary_action == COPY_CREDIT:
            commands.copy_credit(identifier)
        else:
            commands.show_record(identifier)

    def _run_layer_result(self, result: ResultData, secondary_action: Optional[int]) -> None:
        commands, endpoint = self.commands(), str(result.get("endpoint"))
        if secondary_action == COPY_CREDIT:
            commands.copy_service_credit(endpoint)
        else:
            commands.add_layers_to_map(endpoint, [str(result.get("name"))])

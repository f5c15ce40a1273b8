"""Registers Cartoguide with QGIS's own windows when the plugin starts, and takes all of it away again.

QGIS starts with this: what finds, shows and does things is imported when it is first needed.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Dict, Optional

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
from .locator_filter import ADD_TO_MAP, COPY_CREDIT, PREFIX, CartoguideLocatorFilter, ResultData

if TYPE_CHECKING:
    from ..gis.library.library_reader import LibraryReader
    from ..gis.library.record_library import RecordLibrary
    from ..main import CartoguidePlugin
    from .browser_actions import BrowserItemActions
    from .data_source_page import DataSourcePage
    from .layer_commands import LayerCommands
    from .locator_search import LocatorSearch
    from .record_commands import RecordCommands


class QgisIntegration:
    """Everything of Cartoguide that stands in a window of QGIS's; ``close`` takes it away, the last added first."""

    def __init__(self, plugin: CartoguidePlugin, icon: QIcon) -> None:
        self._plugin = plugin
        self._iface = plugin.iface
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
        self.layer_menu = LayerMenu(self._iface, "Cartoguide", icon, self._layer_commands)
        self.drop_handler = RecordDropHandler(lambda text: self.commands().add_dropped(text))
        self._iface.registerCustomDropHandler(self.drop_handler)
        library_changes.subscribe(self._on_library_changed)

    def close(self) -> None:
        """Take everything away."""
        library_changes.unsubscribe(self._on_library_changed)
        self._iface.unregisterCustomDropHandler(self.drop_handler)
        self.layer_menu.close()
        self.source_select.close()
        self._iface.deregisterLocatorFilter(self.locator_filter)
        QgsApplication.dataItemProviderRegistry().removeProvider(self.item_provider)
        QgsGui.dataItemGuiProviderRegistry().removeProvider(self.item_gui_provider)
        if self._commands is not None:
            self._commands.close()
        if self._records is not None:
            self._records.close()

    def on_dock_created(self, shelf: RecordLibrary) -> None:
        """There is a dock now: its records are those of all parts."""
        self.records().use_library(shelf)
        self.commands()
        dock = self._plugin.dock
        if dock is not None:
            dock.session.records_changed.connect(self.tree.refresh)
            dock.session.service_changed.connect(lambda _endpoint: self.tree.refresh())

    def settings_changed(self) -> None:
        """Settings were stored: there may be another store, or another network."""
        if self._records is not None:
            self._records.reopen()
            self.tree.refresh()

    def _on_library_changed(self) -> None:
        """An algorithm wrote records: whoever shows some reads again."""
        if self._commands is not None:
            self._commands.notify_changed()
        else:
            self.tree.refresh()

    # -- made when they are first needed

    def records(self) -> LibraryReader:
        """The records that are kept; any thread may ask."""
        with self._creation_lock:
            if self._records is None:
                from ..gis.library.library_reader import LibraryReader

                self._records = LibraryReader()
            return self._records

    def commands(self) -> RecordCommands:
        """What is done with records."""
        if self._commands is None:
            from .record_commands import RecordCommands

            self._commands = RecordCommands(self._plugin, self.records())
            self._commands.changed.connect(self.tree.refresh)
        return self._commands

    def browser_actions(self) -> BrowserItemActions:
        """What is done with the browser's items."""
        if self._browser_actions is None:
            from .browser_actions import BrowserItemActions

            self._browser_actions = BrowserItemActions(self.commands(), self._iface.mainWindow())
        return self._browser_actions

    def locator_search(self) -> LocatorSearch:
        """What the locator finds; asked for in threads."""
        with self._creation_lock:
            if self._locator_search is None:
                from .locator_actions import locator_actions
                from .locator_search import LocatorSearch

                self._locator_search = LocatorSearch(self.records(), locator_actions())
            return self._locator_search

    def _layer_commands(self) -> LayerCommands:
        from .layer_commands import LayerCommands

        return LayerCommands(self.commands())

    def _create_source_page(self, *given: Any) -> DataSourcePage:
        from .data_source_page import DataSourcePage

        return DataSourcePage(self.commands(), *given)

    # -- the locator

    def on_result_picked(self, picked: ResultData, action: Optional[int]) -> None:
        """A result of the locator was picked, or one of its other actions."""
        what = picked.get("what")
        if what == "action":
            from .locator_actions import run_action

            run_action(str(picked.get("key")), self._plugin, self.commands())
        elif what == "record":
            self._run_record_result(str(picked.get("id")), action)
        elif what == "layer":
            self._run_layer_result(picked, action)

    def _run_record_result(self, identifier: str, action: Optional[int]) -> None:
        desk = self.commands()
        if action == ADD_TO_MAP:
            desk.add_to_map(identifier)
        elif action == COPY_CREDIT:
            desk.copy_credit(identifier)
        else:
            desk.show_record(identifier)

    def _run_layer_result(self, picked: Dict[str, Any], action: Optional[int]) -> None:
        desk, endpoint = self.commands(), str(picked.get("endpoint"))
        if action == COPY_CREDIT:
            desk.copy_service_credit(endpoint)
        else:
            desk.add_layers_to_map(endpoint, [str(picked.get("name"))])

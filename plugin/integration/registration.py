"""Registration of Cartoguide with QGIS's browser, locator, data source manager and layer tree.

This module is imported when QGIS starts. The modules that find, show and change things are imported when they are
first needed.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Sequence

from qgis.core import QgsApplication, QgsDataItemProvider
from qgis.gui import QgsDataItemGuiProvider, QgsGui, QgsSourceSelectProvider
from qgis.PyQt import sip
from qgis.PyQt.QtGui import QIcon

from ..core.i18n import tr
from ..gis.library import library_changes
from ..gis.runtime import compat
from ..ui.widgets.drag_and_drop import RecordDropHandler
from .browser_items import PROVIDER, BrowserItem, BrowserTree, GroupItem, RootItem
from .layer_menu import LayerMenu
from .locator_filter import ADD_TO_MAP, COPY_CREDIT, PREFIX, CartoguideLocatorFilter, ResultData, ResultKind

if TYPE_CHECKING:
    from qgis.core import QgsDataItem
    from qgis.gui import QgsDataItemGuiContext
    from qgis.PyQt.QtCore import QMimeData, Qt
    from qgis.PyQt.QtGui import QIcon
    from qgis.PyQt.QtWidgets import QMenu, QWidget

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
        self._layers: Optional[LayerCommands] = None
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
        if self._layers is None:
            from .layer_commands import LayerCommands

            self._layers = LayerCommands(self.commands())
        return self._layers

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


class BrowserItemProvider(QgsDataItemProvider):
    """Creates our root item. QGIS owns the provider once it is registered."""

    def __init__(self, tree: BrowserTree) -> None:
        super().__init__()
        self._tree = tree

    def name(self) -> str:
        return PROVIDER

    def dataProviderKey(self) -> str:  # noqa: N802
        return PROVIDER

    def capabilities(self) -> Any:
        """QGIS: the items come from the network, not from files."""
        return compat.network_item_capability()

    def createDataItem(self, path: str, parent: Optional[QgsDataItem]) -> Optional[QgsDataItem]:  # noqa: N802
        if path or parent is not None:
            return None
        root = RootItem(self._tree, _main_groups)
        sip.transferto(root, None)
        return root


def _main_groups(root: GroupItem) -> Sequence[QgsDataItem]:
    """Return the groups below the root. Their module is imported when the root is first opened."""
    from .record_items import root_groups

    return root_groups(root)


class BrowserItemGuiProvider(QgsDataItemGuiProvider):
    """Menus, double clicks, drops and properties of our items.

    ``get_actions`` returns the object that handles them, created on the first call.
    """

    def __init__(self, get_actions: Callable[[], BrowserItemActions]) -> None:
        super().__init__()
        self._item_actions = get_actions

    def name(self) -> str:
        return PROVIDER

    def populateContextMenu(self, item: QgsDataItem, menu: QMenu, selectedItems: Sequence[QgsDataItem],  # noqa: N802,N803
                            _context: QgsDataItemGuiContext) -> None:
        if isinstance(item, BrowserItem):
            selected = [other for other in selectedItems if isinstance(other, BrowserItem)]
            self._item_actions().populate_menu(item, menu, selected)

    def handleDoubleClick(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> bool:  # noqa: N802
        """QGIS: a double click or Enter. False lets the item unfold."""
        return isinstance(item, BrowserItem) and self._item_actions().activate(item)

    def acceptDrop(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> bool:  # noqa: N802
        """QGIS: return true where something can be dropped on the item."""
        return isinstance(item, BrowserItem) and self._item_actions().accepts_drop(item)

    def handleDrop(self, item: QgsDataItem, _context: QgsDataItemGuiContext, data: QMimeData,  # noqa: N802
                   _action: Qt.DropAction) -> bool:
        return isinstance(item, BrowserItem) and self._item_actions().handle_drop(item, data)

    def createParamWidget(self, item: QgsDataItem, _context: QgsDataItemGuiContext) -> Optional[QWidget]:  # noqa: N802
        """QGIS: create the widget with the item's properties."""
        return self._item_actions().create_properties_widget(item) if isinstance(item, BrowserItem) else None


NAME = "cartoguide"

#: creates a page from parent, window flags and QgsProviderRegistry.WidgetMode
PageFactory = Callable[[Optional["QWidget"], Any, Any], "DataSourcePage"]


class DataSourceProvider(QgsSourceSelectProvider):
    def __init__(self, icon: QIcon, page_factory: PageFactory) -> None:
        super().__init__()
        self._icon, self._page_factory = icon, page_factory

    def name(self) -> str:
        return NAME

    def providerKey(self) -> str:  # noqa: N802
        """QGIS: the name of the page."""
        return NAME

    def text(self) -> str:
        """QGIS: the label of the page."""
        return "Cartoguide"

    def toolTip(self) -> str:  # noqa: N802
        """QGIS: the tooltip of the page."""
        return tr("Add a map service by its catalogue record")

    def ordering(self) -> int:
        """QGIS: after its own remote sources."""
        return int(QgsSourceSelectProvider.Ordering.OrderRemoteProvider) + 90

    def icon(self) -> QIcon:
        return self._icon

    def createDataSourceWidget(self, *positional: Any, **named: Any) -> DataSourcePage:  # noqa: N802
        """QGIS: create the page. Parent, window flags and widget mode come by position or by name."""
        values = [*positional, *(named.get(name) for name in ("parent", "fl", "widgetMode")[len(positional):])]
        return self._page_factory(values[0], values[1], values[2])


class DataSourceRegistration:
    """The registered provider and its pages. It is registered on creation. ``close`` removes it and its pages.

    QGIS's data source manager creates and deletes its page when a provider is added and removed.
    """

    def __init__(self, icon: QIcon, page_factory: PageFactory) -> None:
        self._page_factory = page_factory
        self._pages: List[DataSourcePage] = []
        self._provider = DataSourceProvider(icon, self._create_page)
        QgsGui.sourceSelectProviderRegistry().addProvider(self._provider)

    def _create_page(self, parent: Optional[QWidget], flags: Any, mode: Any) -> DataSourcePage:
        page = self._page_factory(parent, flags, mode)
        self._pages.append(page)
        return page

    def close(self) -> None:
        """Remove everything. The thread of a page ends before QGIS can delete the page."""
        pages, self._pages = [page for page in self._pages if not sip.isdeleted(page)], []
        for page in pages:
            page.close_down()
        QgsGui.sourceSelectProviderRegistry().removeProvider(self._provider)
        for page in pages:
            if not sip.isdeleted(page):
                page.deleteLater()

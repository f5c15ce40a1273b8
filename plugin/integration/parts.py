"""Registers Cartoguide with QGIS's own windows when the plugin starts, and takes all of it away again.

QGIS starts with this: what finds, shows and does things is imported when it is first needed.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Dict, Optional

from qgis.core import QgsApplication
from qgis.gui import QgsGui
from qgis.PyQt.QtGui import QIcon

from ..gis import compat, kept_news
from ..ui.map_drop import RecordDropHandler
from .browser import BrowserGui, BrowserProvider
from .items import Tree
from .layer_menu import LayerMenu
from .locator import ADD, COPY, PREFIX, CartoguideLocator, Pick
from .source_provider import SourceSelection

if TYPE_CHECKING:
    from ..gis.kept_records import KeptRecords
    from ..gis.shelf import Shelf
    from ..main import CartoguidePlugin
    from .browser_menu import BrowserMenu
    from .desk import Desk
    from .layer_facts import LayerAnswers
    from .locator_search import LocatorSearch
    from .source_page import SourcePage


class QgisParts:
    """Everything of Cartoguide that stands in a window of QGIS's; ``close`` takes it away, the last added first."""

    def __init__(self, plugin: CartoguidePlugin, icon: QIcon) -> None:
        self._plugin = plugin
        self._iface = plugin.iface
        self._making = threading.RLock()
        self._records: Optional[KeptRecords] = None
        self._desk: Optional[Desk] = None
        self._menu: Optional[BrowserMenu] = None
        self._search: Optional[LocatorSearch] = None
        self.tree = Tree(self.records)
        self.browser = BrowserProvider(self.tree)
        self.browser_gui = BrowserGui(self.browser_menu)
        QgsGui.dataItemGuiProviderRegistry().addProvider(self.browser_gui)
        QgsApplication.dataItemProviderRegistry().addProvider(self.browser)
        self.locator = CartoguideLocator(self.search, self.pick)
        compat.register_locator(self._iface.registerLocatorFilter, self.locator, PREFIX)
        self.sources = SourceSelection(icon, self._page)
        self.layers = LayerMenu(self._iface, "Cartoguide", icon, self._answers)
        self.drops = RecordDropHandler(lambda text: self.desk().drop(text))
        self._iface.registerCustomDropHandler(self.drops)
        kept_news.listen(self._kept_elsewhere)

    def close(self) -> None:
        """Take everything away."""
        kept_news.stop(self._kept_elsewhere)
        self._iface.unregisterCustomDropHandler(self.drops)
        self.layers.close()
        self.sources.close()
        self._iface.deregisterLocatorFilter(self.locator)
        QgsApplication.dataItemProviderRegistry().removeProvider(self.browser)
        QgsGui.dataItemGuiProviderRegistry().removeProvider(self.browser_gui)
        if self._desk is not None:
            self._desk.close()
        if self._records is not None:
            self._records.close()

    def dock_made(self, shelf: Shelf) -> None:
        """There is a dock now: its records are those of all parts."""
        self.records().use(shelf)
        self.desk()
        dock = self._plugin.dock
        if dock is not None:
            dock.session.records_changed.connect(self.tree.refresh)
            dock.session.service_changed.connect(lambda _endpoint: self.tree.refresh())

    def settings_changed(self) -> None:
        """Settings were stored: there may be another store, or another network."""
        if self._records is not None:
            self._records.reopen()
            self.tree.refresh()

    def _kept_elsewhere(self) -> None:
        """An algorithm wrote records: whoever shows some reads again."""
        if self._desk is not None:
            self._desk.tell_changed()
        else:
            self.tree.refresh()

    # -- made when they are first needed

    def records(self) -> KeptRecords:
        """The records that are kept; any thread may ask."""
        with self._making:
            if self._records is None:
                from ..gis.kept_records import KeptRecords

                self._records = KeptRecords()
            return self._records

    def desk(self) -> Desk:
        """What is done with records."""
        if self._desk is None:
            from .desk import Desk

            self._desk = Desk(self._plugin, self.records())
            self._desk.changed.connect(self.tree.refresh)
        return self._desk

    def browser_menu(self) -> BrowserMenu:
        """What is done with the browser's items."""
        if self._menu is None:
            from .browser_menu import BrowserMenu

            self._menu = BrowserMenu(self.desk(), self._iface.mainWindow())
        return self._menu

    def search(self) -> LocatorSearch:
        """What the locator finds; asked for in threads."""
        with self._making:
            if self._search is None:
                from .actions import actions
                from .locator_search import LocatorSearch

                self._search = LocatorSearch(self.records(), actions())
            return self._search

    def _answers(self) -> LayerAnswers:
        from .layer_facts import LayerAnswers

        return LayerAnswers(self.desk())

    def _page(self, *given: Any) -> SourcePage:
        from .source_page import SourcePage

        return SourcePage(self.desk(), *given)

    # -- the locator

    def pick(self, picked: Pick, action: Optional[int]) -> None:
        """A result of the locator was picked, or one of its other actions."""
        what = picked.get("what")
        if what == "action":
            from .actions import run

            run(str(picked.get("key")), self._plugin, self.desk())
        elif what == "record":
            self._pick_record(str(picked.get("id")), action)
        elif what == "layer":
            self._pick_layer(picked, action)

    def _pick_record(self, identifier: str, action: Optional[int]) -> None:
        desk = self.desk()
        if action == ADD:
            desk.add(identifier)
        elif action == COPY:
            desk.copy_credit(identifier)
        else:
            desk.show(identifier)

    def _pick_layer(self, picked: Dict[str, Any], action: Optional[int]) -> None:
        desk, endpoint = self.desk(), str(picked.get("endpoint"))
        if action == COPY:
            desk.copy_credit_of(endpoint)
        else:
            desk.add_layers(endpoint, [str(picked.get("name"))])

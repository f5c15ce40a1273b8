"""What is done with the browser's items: menus, double clicks, drops, properties. Made when it is first needed."""

from __future__ import annotations

from functools import partial
from typing import List, Optional, Sequence

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QMimeData, QObject
from qgis.PyQt.QtWidgets import QMenu, QWidget

from ..core.i18n import tr
from ..gis.runtime.tasks import no_op
from ..ui.widgets.drag_and_drop import dragged_uris, parse_dropped_layers
from ..ui.widgets.input_dialogs import open_name_dialog
from ..ui.widgets.theme import icon
from .browser_items import BrowserItem, GroupItem, LoadMoreItem, RootItem
from .properties_widgets import LayerProperties, RecordProperties
from .record_commands import RecordCommands
from .record_items import (
    CatalogueItem,
    CollectionItem,
    CollectionsItem,
    FetchLayersItem,
    NetworksItem,
    RecordGroupItem,
    RecordItem,
    ServiceLayerItem,
    SourceItem,
)

_ITEMS_ACCEPTING_FILES = (RootItem, NetworksItem, RecordGroupItem)


class BrowserItemActions(QObject):
    """Does what is asked of items by way of ``desk``."""

    def __init__(self, desk: RecordCommands, window: Optional[QWidget]) -> None:
        super().__init__()
        self._commands = desk
        self._window = window

    # -- menus

    def populate_menu(self, item: BrowserItem, menu: QMenu, selected: Sequence[BrowserItem]) -> None:
        """Add what can be done with ``item``, or with all ``selected`` records."""
        if isinstance(item, RecordItem):
            self._add_record_entries(menu, [one for one in selected if isinstance(one, RecordItem)] or [item])
        elif isinstance(item, ServiceLayerItem):
            self._add_layer_entries(menu, item)
        elif isinstance(item, FetchLayersItem):
            menu.addAction(icon("mActionRefresh"), tr("Ask the service for its layers"),
                           partial(self._fetch_layers, item))
        elif isinstance(item, (LoadMoreItem, CatalogueItem)):
            menu.addAction(
                tr("Show more") if isinstance(item, LoadMoreItem) else tr("Search it in the dock"),
                partial(self.activate, item))
        elif isinstance(item, CollectionItem):
            self._add_collection_entries(menu, item)
        elif isinstance(item, CollectionsItem):
            menu.addAction(icon("mActionAdd"), tr("New collection…"), partial(self._prompt_new_collection, ()))
        elif isinstance(item, RootItem):
            menu.addAction(icon("cartoguide"), tr("Open the dock"), partial(self._commands.run_in_dock, no_op))
            menu.addAction(icon("mActionFileOpen"), tr("Open records…"),
                           lambda: self._commands.run_in_dock(lambda dock: dock.record_controller.open_files()))
        elif isinstance(item, SourceItem):
            menu.addAction(icon("cartoguide"), tr("Show its records in the dock"), partial(self._show_source, item))
        if isinstance(item, GroupItem):
            menu.addAction(icon("mActionRefresh"), tr("Refresh"), partial(_refresh, item))

    def _add_record_entries(self, menu: QMenu, items: List[RecordItem]) -> None:
        desk, identifiers = self._commands, [item.identifier for item in items]
        if len(items) == 1:
            item = items[0]
            served = bool(item.hit.endpoint)
            menu.addAction(icon("cartoguide"), tr("Show catalogue record"), partial(desk.show_record, item.identifier))
            menu.addAction(icon("mActionAddWmsLayer"), tr("Add to map"), partial(desk.add_to_map,
                                                                                 item.identifier)).setEnabled(served)
            menu.addAction(tr("Choose layers…"), partial(desk.add_to_map, item.identifier, "choose")).setEnabled(served)
            menu.addAction(tr("Use as base"), partial(desk.add_to_map, item.identifier, "base")).setEnabled(served)
            menu.addSeparator()
            menu.addAction(icon("mActionEditCopy"), tr("Copy credit"), partial(desk.copy_credit, item.identifier))
            menu.addAction(tr("Show terms"), partial(desk.show_record, item.identifier, "terms"))
        else:
            menu.addAction(icon("mActionAddWmsLayer"), tr("Add %n record(s) to the map", n=len(items)),
                           partial(self._add_all, [item.identifier for item in items if item.hit.endpoint]))
        menu.addSeparator()
        self._add_collection_submenu(menu, items, identifiers)
        if not any(item.hit.starter for item in items):
            menu.addAction(icon("mActionDeleteSelected"), tr("Remove %n record(s) from my records", n=len(items)),
                           partial(desk.remove_records, identifiers))
        menu.addSeparator()

    def _add_collection_submenu(self, menu: QMenu, items: List[RecordItem], identifiers: List[str]) -> None:
        store = self._commands.records.store_if_open
        below = menu.addMenu(icon("collection"), tr("Add to collection"))
        for name, _ in store.collections.names() if store is not None else ():
            below.addAction(name.replace("&", "&&"), partial(self.add_to_collection, name, identifiers))
        below.addSeparator()
        below.addAction(tr("New collection…"), partial(self._prompt_new_collection, identifiers))
        collection = items[0].collection
        if collection and all(item.collection == collection for item in items):
            menu.addAction(tr("Take %n record(s) out of “{name}”", n=len(items), name=collection.replace("&", "&&")),
                           partial(self.remove_from_collection, collection, identifiers))

    def _add_layer_entries(self, menu: QMenu, item: ServiceLayerItem) -> None:
        desk, identifier = self._commands, item.record.identifier
        menu.addAction(icon("mActionAddWmsLayer"), tr("Add to map"),
                       partial(desk.add_layers_to_map, item.endpoint, item.names,
                               identifier)).setEnabled(bool(item.names))
        menu.addSeparator()
        menu.addAction(icon("cartoguide"), tr("Show catalogue record"), partial(desk.show_record, identifier))
        menu.addAction(icon("mActionEditCopy"), tr("Copy credit"), partial(desk.copy_credit, identifier))
        menu.addAction(tr("Show terms"), partial(desk.show_record, identifier, "terms"))

    def _add_collection_entries(self, menu: QMenu, item: CollectionItem) -> None:
        name = item.title
        menu.addAction(icon("cartoguide"), tr("Show its records in the dock"),
                       lambda: self._commands.run_in_dock(lambda dock: dock.facets.set_collection(name)))
        menu.addAction(
            tr("Rename…"), lambda: open_name_dialog(self._window, tr("Rename the collection"), name,
                                                    partial(self.rename_collection, name)))
        menu.addAction(tr("Export as a zip…"),
                       lambda: self._commands.run_in_dock(lambda dock: dock.collection_controller.ask_export(name)))
        menu.addAction(icon("mActionDeleteSelected"), tr("Delete"), partial(self.delete_collection, name))

    def _add_all(self, identifiers: Sequence[str]) -> None:
        for identifier in identifiers:
            self._commands.add_to_map(identifier)

    # -- collections

    def add_to_collection(self, name: str, identifiers: Sequence[str]) -> None:
        """Put records behind those of a collection, which is made where there is none."""
        self._commands.change_collection(
            name, lambda sets: sets.add_members(name, list(identifiers)), lambda count:
            (tr("%n record(s) added to “{name}”.", n=count, name=name)
             if count else tr("“{name}” holds what was selected already.", name=name)
             if identifiers else tr("The collection “{name}” is there; it is empty.", name=name)))

    def remove_from_collection(self, name: str, identifiers: Sequence[str]) -> None:
        """Take records out of a collection; they stay in the store."""
        self._commands.change_collection(name, lambda sets: sets.remove_members(name, list(identifiers)), lambda count:
                                         (tr("%n record(s) taken out of “{name}”.", n=count, name=name)))

    def rename_collection(self, name: str, new: str) -> None:
        """Give a collection another name."""
        self._commands.run_task(
            tr("Keeping the collection"),
            lambda: self._commands.records.store().update_collections(lambda sets: sets.rename(name, new)),
            self._commands.notify_changed)

    def delete_collection(self, name: str) -> None:
        """Forget a collection; its records stay."""
        self._commands.change_collection(
            name, lambda sets: sets.delete(name), lambda _:
            (tr("The collection “{name}” was deleted; its records are still there.", name=name)))

    def _prompt_new_collection(self, identifiers: Sequence[str]) -> None:
        open_name_dialog(self._window, tr("New collection"), "", lambda name: self.add_to_collection(name, identifiers))

    # -- double clicks

    def activate(self, item: BrowserItem) -> bool:
        """What a double click does; False: the item unfolds."""
        if isinstance(item, RecordItem):
            self._commands.show_record(item.identifier)
        elif isinstance(item, ServiceLayerItem) and not item.layer.layers:
            self._commands.add_layers_to_map(item.endpoint, item.names, item.record.identifier)
        elif isinstance(item, FetchLayersItem):
            self._fetch_layers(item)
        elif isinstance(item, LoadMoreItem):
            item.load_more()
        elif isinstance(item, CatalogueItem):
            self._commands.run_in_dock(lambda dock: dock.search_bar.catalogues.setChecked(True))
        else:
            return False
        return True

    def _fetch_layers(self, item: FetchLayersItem) -> None:
        record = item.record

        def heard() -> None:
            if not sip.isdeleted(record):
                record.refresh()

        self._commands.fetch_service(item.endpoint, heard)

    def _show_source(self, item: SourceItem) -> None:
        def work(dock: object) -> None:
            facets = dock.facets  # type: ignore[attr-defined]
            facets.chosen = {"source": item.part.sources}
            facets.changed.emit()

        self._commands.run_in_dock(work)

    # -- drops

    def accepts_drop(self, item: BrowserItem) -> bool:
        """Records go to collections, files to whatever holds records."""
        return isinstance(item, (CollectionItem, CollectionsItem, *_ITEMS_ACCEPTING_FILES))

    def handle_drop(self, item: BrowserItem, data: QMimeData) -> bool:
        """Something was dropped on ``item``; False where it makes no sense there."""
        identifiers = [text for text in dragged_uris(data) if parse_dropped_layers(text) is None]
        if identifiers and isinstance(item, CollectionItem):
            self.add_to_collection(item.title, identifiers)
        elif identifiers and isinstance(item, CollectionsItem):
            self._prompt_new_collection(identifiers)
        elif not identifiers and data.hasUrls() and isinstance(item, _ITEMS_ACCEPTING_FILES):
            paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
            addresses = [url.toString() for url in data.urls() if not url.isLocalFile()]
            self._commands.run_in_dock(lambda dock: dock.record_controller.open_dropped(paths, addresses))
        else:
            return False
        return True

    # -- properties

    def create_properties_widget(self, item: BrowserItem) -> Optional[QWidget]:
        """The record's sheet, or what a layer says of itself."""
        if isinstance(item, RecordItem):
            return RecordProperties(self._commands, item.identifier)
        if isinstance(item, ServiceLayerItem):
            return LayerProperties(item.layer)
        return None


def _refresh(item: GroupItem) -> None:
    if not sip.isdeleted(item):
        item.refresh()

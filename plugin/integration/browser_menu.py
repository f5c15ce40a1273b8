"""What is done with the browser's items: menus, double clicks, drops, properties. Made when it is first needed."""

from __future__ import annotations

from functools import partial
from typing import List, Optional, Sequence

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QMimeData, QObject
from qgis.PyQt.QtWidgets import QMenu, QWidget

from ..core.i18n import tr
from ..gis.callbacks import nothing
from ..ui.map_drop import dragged_texts, dropped_layers
from ..ui.name_dialog import ask_name
from ..ui.theme import icon
from .desk import Desk
from .items import GroupItem, MoreItem, RootItem, _Item
from .record_items import (
    AskItem,
    CatalogueItem,
    CollectionItem,
    CollectionsItem,
    LayerItem,
    NetworksItem,
    PartItem,
    RecordItem,
    SourceItem,
)
from .sheets import LayerSheet, RecordSheet

_FILES = (RootItem, NetworksItem, PartItem)


class BrowserMenu(QObject):
    """Does what is asked of items by way of ``desk``."""

    def __init__(self, desk: Desk, window: Optional[QWidget]) -> None:
        super().__init__()
        self._desk = desk
        self._window = window

    # -- menus

    def fill(self, item: _Item, menu: QMenu, selected: Sequence[_Item]) -> None:
        """Add what can be done with ``item``, or with all ``selected`` records."""
        if isinstance(item, RecordItem):
            self._of_records(menu, [one for one in selected if isinstance(one, RecordItem)] or [item])
        elif isinstance(item, LayerItem):
            self._of_layer(menu, item)
        elif isinstance(item, AskItem):
            menu.addAction(icon("mActionRefresh"), tr("Ask the service for its layers"), partial(self._ask, item))
        elif isinstance(item, (MoreItem, CatalogueItem)):
            menu.addAction(tr("Show more") if isinstance(item, MoreItem) else tr("Search it in the dock"),
                           partial(self.activate, item))
        elif isinstance(item, CollectionItem):
            self._of_collection(menu, item)
        elif isinstance(item, CollectionsItem):
            menu.addAction(icon("mActionAdd"), tr("New collection…"), partial(self._ask_new, ()))
        elif isinstance(item, RootItem):
            menu.addAction(icon("cartoguide"), tr("Open the dock"), partial(self._desk.in_dock, nothing))
            menu.addAction(icon("mActionFileOpen"), tr("Open records…"),
                           lambda: self._desk.in_dock(lambda dock: dock.record_actions.open_files()))
        elif isinstance(item, SourceItem):
            menu.addAction(icon("cartoguide"), tr("Show its records in the dock"), partial(self._show_source, item))
        if isinstance(item, GroupItem):
            menu.addAction(icon("mActionRefresh"), tr("Refresh"), partial(_refresh, item))

    def _of_records(self, menu: QMenu, items: List[RecordItem]) -> None:
        desk, identifiers = self._desk, [item.identifier for item in items]
        if len(items) == 1:
            item = items[0]
            served = bool(item.hit.endpoint)
            menu.addAction(icon("cartoguide"), tr("Show catalogue record"), partial(desk.show, item.identifier))
            menu.addAction(icon("mActionAddWmsLayer"), tr("Add to map"),
                           partial(desk.add, item.identifier)).setEnabled(served)
            menu.addAction(tr("Choose layers…"), partial(desk.add, item.identifier, "choose")).setEnabled(served)
            menu.addAction(tr("Use as base"), partial(desk.add, item.identifier, "base")).setEnabled(served)
            menu.addSeparator()
            menu.addAction(icon("mActionEditCopy"), tr("Copy credit"), partial(desk.copy_credit, item.identifier))
            menu.addAction(tr("Show terms"), partial(desk.show, item.identifier, "terms"))
        else:
            menu.addAction(icon("mActionAddWmsLayer"), tr("Add %n record(s) to the map", n=len(items)),
                           partial(self._add_all, [item.identifier for item in items if item.hit.endpoint]))
        menu.addSeparator()
        self._collections_of(menu, items, identifiers)
        if not any(item.hit.starter for item in items):
            menu.addAction(icon("mActionDeleteSelected"), tr("Remove %n record(s) from my records", n=len(items)),
                           partial(desk.remove, identifiers))
        menu.addSeparator()

    def _collections_of(self, menu: QMenu, items: List[RecordItem], identifiers: List[str]) -> None:
        store = self._desk.records.ready
        below = menu.addMenu(icon("collection"), tr("Add to collection"))
        for name, _ in store.collections.names() if store is not None else ():
            below.addAction(name.replace("&", "&&"), partial(self.add_to, name, identifiers))
        below.addSeparator()
        below.addAction(tr("New collection…"), partial(self._ask_new, identifiers))
        collection = items[0].collection
        if collection and all(item.collection == collection for item in items):
            menu.addAction(tr("Take %n record(s) out of “{name}”", n=len(items), name=collection.replace("&", "&&")),
                           partial(self.take_out, collection, identifiers))

    def _of_layer(self, menu: QMenu, item: LayerItem) -> None:
        desk, identifier = self._desk, item.record.identifier
        menu.addAction(icon("mActionAddWmsLayer"), tr("Add to map"), partial(
            desk.add_layers, item.endpoint, item.names, identifier)).setEnabled(bool(item.names))
        menu.addSeparator()
        menu.addAction(icon("cartoguide"), tr("Show catalogue record"), partial(desk.show, identifier))
        menu.addAction(icon("mActionEditCopy"), tr("Copy credit"), partial(desk.copy_credit, identifier))
        menu.addAction(tr("Show terms"), partial(desk.show, identifier, "terms"))

    def _of_collection(self, menu: QMenu, item: CollectionItem) -> None:
        name = item.title
        menu.addAction(icon("cartoguide"), tr("Show its records in the dock"), lambda: self._desk.in_dock(
            lambda dock: dock.facets.choose_collection(name)))
        menu.addAction(tr("Rename…"), lambda: ask_name(self._window, tr("Rename the collection"), name, partial(
            self.rename, name)))
        menu.addAction(tr("Export as a zip…"), lambda: self._desk.in_dock(
            lambda dock: dock.collections.ask_export(name)))
        menu.addAction(icon("mActionDeleteSelected"), tr("Delete"), partial(self.delete, name))

    def _add_all(self, identifiers: Sequence[str]) -> None:
        for identifier in identifiers:
            self._desk.add(identifier)

    # -- collections

    def add_to(self, name: str, identifiers: Sequence[str]) -> None:
        """Put records behind those of a collection, which is made where there is none."""
        self._desk.change_collection(name, lambda sets: sets.add(name, list(identifiers)), lambda count: (
            tr("%n record(s) added to “{name}”.", n=count, name=name) if count
            else tr("“{name}” holds what was selected already.", name=name) if identifiers
            else tr("The collection “{name}” is there; it is empty.", name=name)))

    def take_out(self, name: str, identifiers: Sequence[str]) -> None:
        """Take records out of a collection; they stay in the store."""
        self._desk.change_collection(name, lambda sets: sets.remove(name, list(identifiers)), lambda count: (
            tr("%n record(s) taken out of “{name}”.", n=count, name=name)))

    def rename(self, name: str, new: str) -> None:
        """Give a collection another name."""
        self._desk.run(tr("Keeping the collection"), lambda: self._desk.records.store().change_collections(
            lambda sets: sets.rename(name, new)), self._desk.tell_changed)

    def delete(self, name: str) -> None:
        """Forget a collection; its records stay."""
        self._desk.change_collection(name, lambda sets: sets.drop(name), lambda _: (
            tr("The collection “{name}” was deleted; its records are still there.", name=name)))

    def _ask_new(self, identifiers: Sequence[str]) -> None:
        ask_name(self._window, tr("New collection"), "", lambda name: self.add_to(name, identifiers))

    # -- double clicks

    def activate(self, item: _Item) -> bool:
        """What a double click does; False: the item unfolds."""
        if isinstance(item, RecordItem):
            self._desk.show(item.identifier)
        elif isinstance(item, LayerItem) and not item.layer.layers:
            self._desk.add_layers(item.endpoint, item.names, item.record.identifier)
        elif isinstance(item, AskItem):
            self._ask(item)
        elif isinstance(item, MoreItem):
            item.show_more()
        elif isinstance(item, CatalogueItem):
            self._desk.in_dock(lambda dock: dock.top.catalogues.setChecked(True))
        else:
            return False
        return True

    def _ask(self, item: AskItem) -> None:
        record = item.record

        def heard() -> None:
            if not sip.isdeleted(record):
                record.refresh()

        self._desk.ask_service(item.endpoint, heard)

    def _show_source(self, item: SourceItem) -> None:
        def work(dock: object) -> None:
            facets = dock.facets  # type: ignore[attr-defined]
            facets.chosen = {"source": item.part.sources}
            facets.changed.emit()

        self._desk.in_dock(work)

    # -- drops

    def accepts(self, item: _Item) -> bool:
        """Records go to collections, files to whatever holds records."""
        return isinstance(item, (CollectionItem, CollectionsItem, *_FILES))

    def drop(self, item: _Item, data: QMimeData) -> bool:
        """Something was dropped on ``item``; False where it makes no sense there."""
        identifiers = [text for text in dragged_texts(data) if dropped_layers(text) is None]
        if identifiers and isinstance(item, CollectionItem):
            self.add_to(item.title, identifiers)
        elif identifiers and isinstance(item, CollectionsItem):
            self._ask_new(identifiers)
        elif not identifiers and data.hasUrls() and isinstance(item, _FILES):
            paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
            addresses = [url.toString() for url in data.urls() if not url.isLocalFile()]
            self._desk.in_dock(lambda dock: dock.record_actions.open_dropped(paths, addresses))
        else:
            return False
        return True

    # -- properties

    def properties(self, item: _Item) -> Optional[QWidget]:
        """The record's sheet, or what a layer says of itself."""
        if isinstance(item, RecordItem):
            return RecordSheet(self._desk, item.identifier)
        if isinstance(item, LayerItem):
            return LayerSheet(item.layer)
        return None


def _refresh(item: GroupItem) -> None:
    if not sip.isdeleted(item):
        item.refresh()

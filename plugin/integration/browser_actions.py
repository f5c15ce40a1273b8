"""Menus, double clicks, drops and properties of the browser's items. Imported when they are first needed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, List, Optional, Sequence

from qgis.PyQt.QtCore import QMimeData, QObject
from qgis.PyQt.QtWidgets import QMenu, QWidget

from ..app.maps.map_state import AddMode
from ..app.phrases import scale_range_text
from ..core.distributions.uses import add_label_of
from ..core.i18n import tr
from ..core.review.report.html_fragments import html_link
from ..core.text import escaped
from ..core.wms.model.service import Layer
from ..ui.record.metadata_tab import MetadataTab
from ..ui.widgets.dialogs import open_name_dialog
from ..ui.widgets.drag_and_drop import dragged_uris, parse_dropped_layers
from ..ui.widgets.rich_text import RichTextView, html_paragraphs, html_table
from ..ui.widgets.theme import icon
from .browser_items import BrowserItem, GroupItem, LoadMoreItem, RootItem
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

if TYPE_CHECKING:
    from ..core.terms.model import RecordWithTerms
    from .record_commands import RecordCommands


_ITEMS_ACCEPTING_FILES = (RootItem, NetworksItem, RecordGroupItem)


class BrowserItemActions(QObject):
    def __init__(self, commands: RecordCommands, window: Optional[QWidget]) -> None:
        super().__init__()
        self._commands = commands
        self._window = window

    # -- menus

    def populate_menu(self, item: BrowserItem, menu: QMenu, selected: Sequence[BrowserItem]) -> None:
        """Add the actions of ``item``, or of all ``selected`` records, to ``menu``."""
        if isinstance(item, RecordItem):
            self._add_record_entries(menu, [other for other in selected if isinstance(other, RecordItem)] or [item])
        elif isinstance(item, ServiceLayerItem):
            self._add_layer_entries(menu, item)
        elif isinstance(item, FetchLayersItem):
            menu.addAction(icon("mActionRefresh"), tr("Load the layers of the service"),
                           partial(self._fetch_layers, item))
        elif isinstance(item, (LoadMoreItem, CatalogueItem)):
            menu.addAction(
                tr("Show more") if isinstance(item, LoadMoreItem) else tr("Search it in the dock"),
                partial(self.activate, item))
        elif isinstance(item, CollectionItem):
            self._add_collection_entries(menu, item)
        elif isinstance(item, CollectionsItem):
            menu.addAction(icon("mActionNewFolder"), tr("New collection…"), partial(self._prompt_new_collection, ()))
        elif isinstance(item, RootItem):
            menu.addAction(icon("cartoguide"), tr("Open the dock"), self._commands.show_dock)
            menu.addAction(icon("mActionFileOpen"), tr("Open records…"),
                           lambda: self._commands.run_in_dock(lambda dock: dock.open_files()))
        elif isinstance(item, SourceItem):
            menu.addAction(icon("cartoguide"), tr("Show its records in the dock"), partial(self._show_source, item))
        if isinstance(item, GroupItem):
            menu.addAction(icon("mActionRefresh"), tr("Refresh"), item.read_again)

    def _add_record_entries(self, menu: QMenu, items: List[RecordItem]) -> None:
        commands, identifiers = self._commands, [item.identifier for item in items]
        if len(items) == 1:
            item = items[0]
            menu.addAction(icon("cartoguide"), tr("Show catalogue record"),
                           partial(commands.show_record, item.identifier))
            menu.addAction(icon("mActionAddWmsLayer"), add_label_of(item.hit.offered),
                           partial(commands.add_to_map, item.identifier)).setEnabled(item.hit.can_be_added)
            for action in (menu.addAction(tr("Add layers…"),
                                          partial(commands.add_to_map, item.identifier, AddMode.CHOOSE)),
                           menu.addAction(tr("Add as base map"),
                                          partial(commands.add_to_map, item.identifier, AddMode.AS_BASE))):
                action.setEnabled(bool(item.hit.endpoint))
            menu.addSeparator()
            menu.addAction(icon("mActionEditCopy"), tr("Copy credit"), partial(commands.copy_credit, item.identifier))
            menu.addAction(tr("Show terms"), partial(commands.show_terms, item.identifier))
        else:
            menu.addAction(icon("mActionAddWmsLayer"), tr("Add %n record(s) to the map", n=len(items)),
                           partial(self._add_all, [item.identifier for item in items if item.hit.can_be_added]))
        menu.addSeparator()
        self._add_collection_submenu(menu, items, identifiers)
        if not any(item.hit.starter for item in items):
            menu.addAction(icon("mActionDeleteSelected"), tr("Remove %n record(s) from my records", n=len(items)),
                           partial(commands.remove_records, identifiers))
        menu.addSeparator()

    def _add_collection_submenu(self, menu: QMenu, items: List[RecordItem], identifiers: List[str]) -> None:
        submenu = menu.addMenu(icon("collection"), tr("Add to collection"))
        for name, _ in self._commands.read_library(lambda store: store.collections.names()) or ():
            submenu.addAction(name.replace("&", "&&"), partial(self.add_to_collection, name, identifiers))
        submenu.addSeparator()
        submenu.addAction(tr("New collection…"), partial(self._prompt_new_collection, identifiers))
        collection = items[0].collection
        if collection and all(item.collection == collection for item in items):
            menu.addAction(tr("Remove %n record(s) from “{name}”", n=len(items), name=collection.replace("&", "&&")),
                           partial(self.remove_from_collection, collection, identifiers))

    def _add_layer_entries(self, menu: QMenu, item: ServiceLayerItem) -> None:
        commands, identifier = self._commands, item.record.identifier
        add = menu.addAction(icon("mActionAddWmsLayer"), tr("Add to map"),
                             partial(commands.add_layers_to_map, item.endpoint, item.names, identifier))
        add.setEnabled(bool(item.names))
        menu.addSeparator()
        menu.addAction(icon("cartoguide"), tr("Show catalogue record"), partial(commands.show_record, identifier))
        menu.addAction(icon("mActionEditCopy"), tr("Copy credit"), partial(commands.copy_credit, identifier))
        menu.addAction(tr("Show terms"), partial(commands.show_terms, identifier))

    def _add_collection_entries(self, menu: QMenu, item: CollectionItem) -> None:
        name = item.title
        menu.addAction(icon("cartoguide"), tr("Show its records in the dock"),
                       lambda: self._commands.run_in_dock(lambda dock: dock.show_collection(name)))
        menu.addAction(tr("Rename…"), lambda: open_name_dialog(
            self._window, tr("Rename the collection"), name, partial(self.rename_collection, name)))
        menu.addAction(tr("Export as a zip…"),
                       lambda: self._commands.run_in_dock(lambda dock: dock.export_collection(name)))
        menu.addAction(icon("mActionDeleteSelected"), tr("Delete"), partial(self.delete_collection, name))

    def _add_all(self, identifiers: Sequence[str]) -> None:
        for identifier in identifiers:
            self._commands.add_to_map(identifier)

    # -- collections

    def add_to_collection(self, name: str, identifiers: Sequence[str]) -> None:
        """Append records to a collection, which is created where it does not exist."""
        def message(count: int) -> str:
            if count:
                return tr("%n record(s) added to “{name}”.", n=count, name=name)
            if identifiers:
                return tr("“{name}” contains the selected records already.", name=name)
            return tr("Collection “{name}” created (empty).", name=name)

        self._commands.change_collection(
            name, lambda collections: collections.add_members(name, list(identifiers)), message)

    def remove_from_collection(self, name: str, identifiers: Sequence[str]) -> None:
        """Remove records from a collection. They stay in the library."""
        self._commands.change_collection(
            name, lambda collections: collections.remove_members(name, list(identifiers)),
            lambda count: tr("%n record(s) removed from “{name}”.", n=count, name=name))

    def rename_collection(self, name: str, new: str) -> None:
        self._commands.run_task(
            tr("Saving the collection"),
            lambda: self._commands.records.store().update_collections(
                lambda collections: collections.rename(name, new)),
            self._commands.notify_changed)

    def delete_collection(self, name: str) -> None:
        """Delete a collection. Its records stay in the library."""
        self._commands.change_collection(
            name, lambda collections: collections.delete(name),
            lambda _: tr("Collection “{name}” deleted. Its records remain in the library.", name=name))

    def _prompt_new_collection(self, identifiers: Sequence[str]) -> None:
        open_name_dialog(self._window, tr("New collection"), "", lambda name: self.add_to_collection(name, identifiers))

    # -- double clicks

    def activate(self, item: BrowserItem) -> bool:
        """Run the action of a double click. Return false where the item has none and unfolds."""
        if isinstance(item, RecordItem):
            self._commands.show_record(item.identifier)
        elif isinstance(item, ServiceLayerItem) and not item.layer.layers:
            self._commands.add_layers_to_map(item.endpoint, item.names, item.record.identifier)
        elif isinstance(item, FetchLayersItem):
            self._fetch_layers(item)
        elif isinstance(item, LoadMoreItem):
            item.load_more()
        elif isinstance(item, CatalogueItem):
            self._commands.run_in_dock(lambda dock: dock.search_catalogues())
        else:
            return False
        return True

    def _fetch_layers(self, item: FetchLayersItem) -> None:
        self._commands.fetch_service(item.endpoint, item.record.read_again)

    def _show_source(self, item: SourceItem) -> None:
        self._commands.run_in_dock(lambda dock: dock.show_sources(item.part.sources))

    # -- drops

    def accepts_drop(self, item: BrowserItem) -> bool:
        """Return true for collections, which take records, and for groups of records, which take files."""
        return isinstance(item, (CollectionItem, CollectionsItem, *_ITEMS_ACCEPTING_FILES))

    def handle_drop(self, item: BrowserItem, data: QMimeData) -> bool:
        """Handle a drop on ``item``. Return false where the item does not accept the data."""
        identifiers = [text for text in dragged_uris(data) if parse_dropped_layers(text) is None]
        if identifiers and isinstance(item, CollectionItem):
            self.add_to_collection(item.title, identifiers)
        elif identifiers and isinstance(item, CollectionsItem):
            self._prompt_new_collection(identifiers)
        elif not identifiers and data.hasUrls() and isinstance(item, _ITEMS_ACCEPTING_FILES):
            paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
            addresses = [url.toString() for url in data.urls() if not url.isLocalFile()]
            self._commands.run_in_dock(lambda dock: dock.open_dropped(paths, addresses))
        else:
            return False
        return True

    # -- properties

    def create_properties_widget(self, item: BrowserItem) -> Optional[QWidget]:
        """Return a widget with the properties of a record or a layer, None for other items."""
        if isinstance(item, RecordItem):
            return RecordProperties(self._commands, item.identifier)
        if isinstance(item, ServiceLayerItem):
            return LayerProperties(item.layer)
        return None


class RecordProperties(MetadataTab):
    """All fields of a record and its terms, loaded in a task."""

    def __init__(self, commands: RecordCommands, identifier: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.show_html(f"<p>{escaped(tr('Reading the record…'))}</p>")
        commands.load_record(identifier, self._on_loaded, self)

    def _on_loaded(self, record_and_terms: Optional[RecordWithTerms]) -> None:
        if record_and_terms is None:
            self.show_html(f"<p>{escaped(tr('This record no longer exists.'))}</p>")
        else:
            self.show_record(*record_and_terms)


class LayerProperties(RichTextView):
    """Title, name, abstract, styles and CRSs of a layer."""

    def __init__(self, layer: Layer, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Description of the layer by its service"), parent)
        styles = ", ".join(style.title or style.name for style in layer.styles)
        facts = html_table(((tr("Name"), escaped(layer.name or "")),
                            (tr("Keywords"), escaped(", ".join(layer.keywords))),
                            (tr("Scales"), escaped(scale_range_text(layer.scale_range))),
                            (tr("Styles"), escaped(styles)),
                            (tr("Coordinate reference systems"), escaped(", ".join(layer.crs))),
                            (tr("Credit"), escaped((layer.attribution.title or "") if layer.attribution else "")),
                            (tr("Metadata"), "<br>".join(html_link(document.url) for document in layer.metadata_urls))))
        self.show_html(
            f"<h2>{escaped(layer.title or layer.name or '')}</h2>{html_paragraphs(layer.abstract or '')}{facts}")

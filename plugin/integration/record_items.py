"""The browser's items below the root: networks, collections, records, and the layers of their services."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple
from urllib.parse import quote

from qgis.core import QgsDataItem, QgsMimeDataUtils

from ..app.phrases import hit_summary, hit_title
from ..core.distributions.record_distributions import wms_address
from ..core.i18n import tr
from ..core.library.query import SearchHit
from ..core.library.record_browser import RecordSubset
from ..core.records.model.record import ResourceKind
from ..core.wms.model.service import Layer
from ..gis.library.record_library import BUNDLED
from ..gis.profiles import record_loading
from ..ui.widgets import drag_and_drop
from .browser_items import ROOT, BrowserTree, GroupItem, LeafItem, LoadMoreItem, mime_uri

#: larger groups are divided by kind and initial; where they cannot be, as many items are shown at first
MAX_ITEMS = 200
#: items that are added at a time
_MORE_ITEMS = 500
_KINDS = tuple(kind.value for kind in ResourceKind)


def root_groups(root: GroupItem) -> Sequence[QgsDataItem]:
    """Return the groups below the root: networks, collections and all records."""
    tree = root.tree
    return (NetworksItem(root, tree, tr("Networks and catalogues"), f"{ROOT}/networks",
                         tr("Where your records come from"), 0),
            CollectionsItem(root, tree, tr("Collections"), f"{ROOT}/collections",
                            tr("Named sets of records"), 1),
            RecordGroupItem(root, tree, tr("All records"), f"{ROOT}/records", RecordSubset(), 2))


class NetworksItem(GroupItem):
    """The sources of records: the network of the profile first, then all others."""

    icon_name = "networks"

    def read_children(self) -> Sequence[QgsDataItem]:
        """Return a group for each source, and an item for each saved catalogue without saved records."""
        from ..gis.catalogues.catalogue_list import saved_sources

        profile = record_loading.current_profile()
        stored = self.tree.records.store().sources()
        own = tuple(dict.fromkeys(address for address in (BUNDLED, profile.catalogue.url) if address))
        items: List[QgsDataItem] = [
            SourceItem(self, self.tree, profile.title or tr("Network"), f"{self.path()}/own",
                       RecordSubset(sources=own), 0)
        ]
        others = [(address, title or address) for address, (_, title) in stored.items() if address not in own]
        for address, title in others:
            items.append(
                SourceItem(self, self.tree, title, f"{self.path()}/{quote(address, safe='')}",
                           RecordSubset(sources=(address, )), len(items)))
        for source in saved_sources(profile):
            if source.key not in stored and source.address.rstrip("/") != profile.catalogue.url.rstrip("/"):
                items.append(
                    CatalogueItem(self, source.display_name, f"{self.path()}/{quote(source.key, safe='')}",
                                  tr("No records saved yet. Double-click to search it in the dock."), len(items)))
        return items


class CatalogueItem(LeafItem):
    """A saved catalogue without records in the library."""

    icon_name = "networks"


class CollectionsItem(GroupItem):
    icon_name = "collection"

    def read_children(self) -> Sequence[QgsDataItem]:
        return [
            CollectionItem(self, self.tree, f"{name} ({count:n})", f"{self.path()}/{quote(name, safe='')}",
                           RecordSubset(collection=name), number)
            for number, (name, count) in enumerate(self.tree.records.store().collections.names())
        ]


class RecordGroupItem(GroupItem):
    """A subset of the records, divided by kind, then by initial, where it is large."""

    icon_name = "records"

    def __init__(self, parent: QgsDataItem, tree: BrowserTree, name: str, path: str, part: RecordSubset,
                 order: int) -> None:
        super().__init__(parent, tree, name, path, "", order)
        self.part = part
        self.shown_count = MAX_ITEMS

    def read_children(self) -> Sequence[QgsDataItem]:
        """Return the records of the subset, or smaller subsets."""
        browser, part = self.tree.records.store().browser, self.part
        count = browser.count(part)
        if count > MAX_ITEMS and part.initial is None:
            kinds = browser.count_by_kind(part) if not part.kind else {}
            if len(kinds) > 1:
                return self._by_kind(kinds)
            letters = browser.count_by_initial(part)
            if len(letters) > 1:
                return self._by_letter(letters)
        items: List[QgsDataItem] = [
            RecordItem(self, self.tree, hit, number) for number, hit in enumerate(browser.page(part, self.shown_count))
        ]
        if count > len(items):
            items.append(
                LoadMoreItem(self, tr("More… (%n record(s))", n=count - len(items)), len(items), self._show_more))
        return items

    def _show_more(self) -> None:
        self.shown_count += _MORE_ITEMS
        self.read_again()

    def _by_kind(self, kinds: dict[str, int]) -> List[QgsDataItem]:
        names = {ResourceKind.SERVICE.value: tr("Services"), ResourceKind.DATASET.value: tr("Datasets"),
                 ResourceKind.SERIES.value: tr("Series")}
        ordered = sorted(kinds, key=lambda kind: _KINDS.index(kind) if kind in _KINDS else len(_KINDS))
        return [
            RecordGroupItem(self, self.tree, f"{names.get(kind, tr('Other records'))} ({kinds[kind]:n})",
                            f"{self.path()}/{kind}", _narrowed(self.part, kind=kind), number)
            for number, kind in enumerate(ordered)
        ]

    def _by_letter(self, letters: Sequence[Tuple[str, int]]) -> List[QgsDataItem]:
        return [
            RecordGroupItem(self, self.tree, f"{letter.upper() or tr('Without a title')} ({count:n})",
                            f"{self.path()}/{quote(letter or ' ', safe='')}",
                            _narrowed(self.part, initial=letter), number)
            for number, (letter, count) in enumerate(letters)
        ]


def _narrowed(part: RecordSubset, kind: str = "", initial: Optional[str] = None) -> RecordSubset:
    return RecordSubset(kind or part.kind, part.sources, part.collection, initial)


class SourceItem(RecordGroupItem):
    """The records of a network, a catalogue or a folder."""

    icon_name = "networks"


class CollectionItem(RecordGroupItem):
    """A collection. Records can be dropped on it."""

    icon_name = "collection"

    @property
    def title(self) -> str:
        return self.part.collection


class RecordItem(GroupItem):
    """A record, with the layers of its service below it where they are known."""

    #: QGIS 3.22 shows the properties of layer items only
    kind = QgsDataItem.Type.Layer

    def __init__(self, parent: RecordGroupItem, tree: BrowserTree, hit: SearchHit, order: int) -> None:
        title = hit_title(hit)
        super().__init__(parent, tree, title, f"{parent.path()}/{quote(hit.identifier, safe='')}",
                         f"{title}\n{hit_summary(hit)}\n{hit.organisation}".strip(), order)
        self.hit = hit
        self.icon_name = "record" if hit.can_be_added else "record-plain"
        self.collection = parent.part.collection
        if not hit.endpoint:
            self._set_leaf()

    def _set_leaf(self) -> None:
        self.setCapabilitiesV2(QgsDataItem.Capability.NoCapabilities)
        self.setState(QgsDataItem.State.Populated)

    def update_from(self, newer: Any) -> None:
        """Take over the title and service of ``newer``, the same record read again."""
        had_service = bool(self.hit.endpoint)
        self.hit, self.icon_name = newer.hit, newer.icon_name
        super().update_from(newer)
        if had_service and not self.hit.endpoint:
            self.depopulate()
            self._set_leaf()
        elif self.hit.endpoint and not had_service:
            self.setCapabilitiesV2(QgsDataItem.Capability.Fertile)
            self.setState(QgsDataItem.State.NotPopulated)

    @property
    def identifier(self) -> str:
        return self.hit.identifier

    def hasDragEnabled(self) -> bool:  # noqa: N802
        """QGIS: records can be dragged to the map, to the layer tree and to collections."""
        return True

    def mimeUris(self) -> List[QgsMimeDataUtils.Uri]:  # noqa: N802
        """QGIS: the URI that is dragged."""
        return [mime_uri(self.identifier, self.name())]

    def read_children(self) -> Sequence[QgsDataItem]:
        """Return the layers of the service, or an item that fetches them where its capabilities are not saved."""
        record = self.tree.records.load_record(self.identifier)
        endpoint = wms_address(record) if record is not None else None
        if endpoint is None:
            return ()
        service = self.tree.records.known_service(endpoint)
        if service is None:
            return (FetchLayersItem(self, self, endpoint),)
        root = service.root
        layers = (root.layers or (root,)) if root is not None else ()
        return layer_items(self, self, endpoint, layers)


class FetchLayersItem(LeafItem):
    """An item in place of the layers. A double click fetches the capabilities: nothing is requested before."""

    icon_name = "mActionRefresh"

    def __init__(self, parent: QgsDataItem, record: RecordItem, endpoint: str) -> None:
        super().__init__(parent, tr("Load the layers of the service"), f"{parent.path()}/ask",
                         tr("Double-click to query {address}", address=endpoint), 0)
        self.record, self.endpoint = record, endpoint


class ServiceLayerItem(GroupItem):
    """A layer or a group of layers of a record's service."""

    kind = QgsDataItem.Type.Layer

    def __init__(self, parent: QgsDataItem, record: RecordItem, endpoint: str, layer: Layer, order: int) -> None:
        name = layer.title or layer.name or tr("Layer without a name")
        super().__init__(parent, record.tree, name, f"{parent.path()}/{order}-{quote(layer.name or '', safe='')}",
                         "\n".join(part for part in (name, layer.name, layer.abstract) if part), order)
        self.icon_name = "mIconFolder" if layer.layers else "mIconWms"
        self.record, self.endpoint, self.layer = record, endpoint, layer
        self.shown_count = MAX_ITEMS
        if not layer.layers:
            self.setCapabilitiesV2(QgsDataItem.Capability.NoCapabilities)
            self.setState(QgsDataItem.State.Populated)

    def update_from(self, newer: Any) -> None:
        """Take over the description of ``newer``, the same layer read again."""
        self.layer = newer.layer
        super().update_from(newer)

    @property
    def names(self) -> Tuple[str, ...]:
        """The names of the layers that can be requested: this layer, or those below it."""
        return tuple(layer.name for layer in self.layer.walk() if layer.name and not layer.layers)

    def hasDragEnabled(self) -> bool:  # noqa: N802
        """QGIS: layers that can be requested can be dragged."""
        return bool(self.names)

    def mimeUris(self) -> List[QgsMimeDataUtils.Uri]:  # noqa: N802
        """QGIS: the URI that is dragged."""
        return [mime_uri(drag_and_drop.layers_drag_text(self.endpoint, self.names), self.name())]

    def read_children(self) -> Sequence[QgsDataItem]:
        return layer_items(self, self.record, self.endpoint, self.layer.layers)

    def load_more(self) -> None:
        self.shown_count += _MORE_ITEMS
        self.read_again()


def layer_items(parent: Any, record: RecordItem, endpoint: str, layers: Sequence[Layer]) -> List[QgsDataItem]:
    """Return items for the first of ``layers``, and an item that shows more."""
    limit = getattr(parent, "shown_count", MAX_ITEMS)
    items: List[QgsDataItem] = [
        ServiceLayerItem(parent, record, endpoint, layer, number) for number, layer in enumerate(layers[:limit])
    ]
    if len(layers) > limit:
        def load_more() -> None:
            parent.shown_count = limit + _MORE_ITEMS
            parent.read_again()

        items.append(LoadMoreItem(parent, tr("More… (%n layer(s))", n=len(layers) - limit), len(items), load_more))
    return items

"""The browser's tree from the root down to a service's layers."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple
from urllib.parse import quote

from qgis.core import QgsDataItem, QgsMimeDataUtils

from ..app.phrases import hit_summary, hit_title
from ..core.i18n import tr
from ..core.library.query import SearchHit
from ..core.library.record_browser import RecordSubset
from ..core.records.model.endpoints import wms_endpoint as endpoint_of
from ..core.wms.model.service import Layer
from ..gis.library.record_library import BUNDLED
from ..gis.profiles import record_loading
from ..ui.widgets import drag_and_drop
from .browser_items import ROOT, BrowserTree, GroupItem, LeafItem, LoadMoreItem, mime_uri

#: a part with more records than this is divided; as many are shown of what cannot be, and so many more at a time
MAX_ITEMS = 200
_MORE_ITEMS = 500
_KINDS = ("service", "dataset", "series", "other")


def root_groups(root: GroupItem) -> Sequence[QgsDataItem]:
    """Networks, collections, records."""
    tree = root.tree
    return (NetworksItem(root, tree, tr("Networks and catalogues"), f"{ROOT}/networks",
                         tr("Where your records come from"), 0),
            CollectionsItem(root, tree, tr("Collections"), f"{ROOT}/collections",
                            tr("Sets of records that you name and keep"),
                            1), RecordGroupItem(root, tree, tr("All records"), f"{ROOT}/records", RecordSubset(), 2))


class NetworksItem(GroupItem):
    """The network of the profile first, then every other place that records come from."""

    icon_name = "networks"

    def read(self) -> Sequence[QgsDataItem]:
        """One group for each place; a catalogue of which nothing is kept is there too."""
        from ..gis.catalogues.federated_search import saved_sources

        profile = record_loading.current_profile()
        kept = self.tree.records.store().sources()
        own = tuple(dict.fromkeys(address for address in (BUNDLED, profile.catalogue.url) if address))
        found: List[QgsDataItem] = [
            SourceItem(self, self.tree, profile.title or tr("Network"), f"{self.path()}/own", RecordSubset(sources=own),
                       0)
        ]
        others = [(address, title or address) for address, (_, title) in kept.items() if address not in own]
        for address, title in others:
            found.append(
                SourceItem(self, self.tree, title, f"{self.path()}/{quote(address, safe='')}",
                           RecordSubset(sources=(address, )), len(found)))
        for source in saved_sources(profile):
            if source.key not in kept and source.address.rstrip("/") != profile.catalogue.url.rstrip("/"):
                found.append(
                    CatalogueItem(self, source.display_name, f"{self.path()}/{quote(source.key, safe='')}",
                                  tr("Nothing of it is kept yet. A double click searches it in the dock."), len(found)))
        return found


class CatalogueItem(LeafItem):
    """A saved catalogue of which no record is kept."""

    icon_name = "networks"


class CollectionsItem(GroupItem):
    """The person's named sets."""

    icon_name = "collection"

    def read(self) -> Sequence[QgsDataItem]:
        """One group for each set."""
        return [
            CollectionItem(self, self.tree, f"{name} ({count:n})", f"{self.path()}/{quote(name, safe='')}",
                           RecordSubset(collection=name), number)
            for number, (name, count) in enumerate(self.tree.records.store().collections.names())
        ]


class RecordGroupItem(GroupItem):
    """Some of the records: all of them where they are few, else by kind, then by first letter, then page by page."""

    icon_name = "records"

    def __init__(self, parent: QgsDataItem, tree: BrowserTree, name: str, path: str, part: RecordSubset,
                 order: int) -> None:
        super().__init__(parent, tree, name, path, "", order)
        self.part = part
        self.shown_count = MAX_ITEMS

    def read(self) -> Sequence[QgsDataItem]:
        """Records, or parts of them."""
        browsing, part = self.tree.records.store().browser, self.part
        count = browsing.count(part)
        if count > MAX_ITEMS and part.initial is None:
            kinds = browsing.count_by_kind(part) if not part.kind else {}
            if len(kinds) > 1:
                return self._by_kind(kinds)
            letters = browsing.count_by_initial(part)
            if len(letters) > 1:
                return self._by_letter(letters)
        found: List[QgsDataItem] = [
            RecordItem(self, self.tree, hit, number) for number, hit in enumerate(browsing.page(part, self.shown_count))
        ]
        if count > len(found):
            found.append(
                LoadMoreItem(self, tr("More… (%n record(s))", n=count - len(found)), len(found), self._show_more))
        return found

    def _show_more(self) -> None:
        self.shown_count += _MORE_ITEMS
        self.refresh()

    def _by_kind(self, kinds: dict[str, int]) -> List[QgsDataItem]:
        names = {"service": tr("Services"), "dataset": tr("Datasets"), "series": tr("Series")}
        ordered = sorted(kinds, key=lambda kind: _KINDS.index(kind) if kind in _KINDS else len(_KINDS))
        return [
            RecordGroupItem(self, self.tree,
                            f"{names.get(kind, tr('Other records'))} ({kinds[kind]:n})", f"{self.path()}/{kind}",
                            _narrowed(self.part, kind=kind), number) for number, kind in enumerate(ordered)
        ]

    def _by_letter(self, letters: Sequence[Tuple[str, int]]) -> List[QgsDataItem]:
        return [
            RecordGroupItem(self, self.tree, f"{letter.upper() or tr('Without a title')} ({count:n})",
                            f"{self.path()}/{quote(letter or ' ', safe='')}", _narrowed(self.part,
                                                                                        initial=letter), number)
            for number, (letter, count) in enumerate(letters)
        ]


def _narrowed(part: RecordSubset, kind: str = "", initial: Optional[str] = None) -> RecordSubset:
    return RecordSubset(kind or part.kind, part.sources, part.collection, initial)


class SourceItem(RecordGroupItem):
    """The records of one network, catalogue or folder."""

    icon_name = "networks"


class CollectionItem(RecordGroupItem):
    """One of the person's sets; records may be dropped on it."""

    icon_name = "collection"

    @property
    def title(self) -> str:
        """The collection's name."""
        return self.part.collection


class RecordItem(GroupItem):
    """A record; below it, the layers of its service as far as they are known."""

    #: QGIS 3.22 shows properties of nothing else
    kind = QgsDataItem.Type.Layer

    def __init__(self, parent: RecordGroupItem, tree: BrowserTree, hit: SearchHit, order: int) -> None:
        title = hit_title(hit)
        super().__init__(parent, tree, title, f"{parent.path()}/{quote(hit.identifier, safe='')}",
                         f"{title}\n{hit_summary(hit)}\n{hit.organisation}".strip(), order)
        self.hit = hit
        self.icon_name = "record" if hit.endpoint else "record-plain"
        self.collection = parent.part.collection
        if not hit.endpoint:
            self.setCapabilitiesV2(QgsDataItem.Capability.NoCapabilities)
            self.setState(QgsDataItem.State.Populated)

    def take_over(self, newer: Any) -> None:
        """The record may have another title or service now."""
        self.hit, self.icon_name = newer.hit, newer.icon_name
        super().update_from(newer)

    @property
    def identifier(self) -> str:
        """What the record is called in the store."""
        return self.hit.identifier

    def hasDragEnabled(self) -> bool:  # noqa: N802
        """QGIS: records go to the map, to the layer tree, to a collection."""
        return True

    def mimeUris(self) -> List[QgsMimeDataUtils.Uri]:  # noqa: N802
        """QGIS: what is dragged."""
        return [mime_uri(self.identifier, self.name())]

    def read(self) -> Sequence[QgsDataItem]:
        """The service's layers; where it was never asked, an item that asks it."""
        record = self.tree.records.load_record(self.identifier)
        endpoint = endpoint_of(record) if record is not None else None
        if endpoint is None:
            return ()
        service = self.tree.records.known_service(endpoint)
        if service is None:
            return (FetchLayersItem(self, self, endpoint),)
        root = service.root
        layers = (root.layers or (root,)) if root is not None else ()
        return layer_items(self, self, endpoint, layers)


class FetchLayersItem(LeafItem):
    """Stands where layers would be: nothing is asked of the network before the person wants it."""

    icon_name = "mActionRefresh"

    def __init__(self, parent: QgsDataItem, record: RecordItem, endpoint: str) -> None:
        super().__init__(parent, tr("Ask the service for its layers"), f"{parent.path()}/ask",
                         tr("A double click asks {address}", address=endpoint), 0)
        self.record, self.endpoint = record, endpoint


class ServiceLayerItem(GroupItem):
    """A layer, or a group of layers, of a record's service."""

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

    def take_over(self, newer: Any) -> None:
        """The service may say something else of the layer now."""
        self.layer = newer.layer
        super().update_from(newer)

    @property
    def names(self) -> Tuple[str, ...]:
        """The layers that can be asked for: this one, or those below it."""
        return tuple(layer.name for layer in self.layer.walk() if layer.name and not layer.layers)

    def hasDragEnabled(self) -> bool:  # noqa: N802
        """QGIS: what can be asked for can be dragged."""
        return bool(self.names)

    def mimeUris(self) -> List[QgsMimeDataUtils.Uri]:  # noqa: N802
        """QGIS: what is dragged."""
        return [mime_uri(drag_and_drop.layers_drag_text(self.endpoint, self.names), self.name())]

    def read(self) -> Sequence[QgsDataItem]:
        """The layers below it."""
        return layer_items(self, self.record, self.endpoint, self.layer.layers)

    def load_more(self) -> None:
        """Show more of its layers."""
        self.shown_count += _MORE_ITEMS
        self.refresh()


def layer_items(parent: Any, record: RecordItem, endpoint: str, layers: Sequence[Layer]) -> List[QgsDataItem]:
    """The first of ``layers``, and an item for the others."""
    most = getattr(parent, "shown", MAX_ITEMS)
    found: List[QgsDataItem] = [
        ServiceLayerItem(parent, record, endpoint, layer, number) for number, layer in enumerate(layers[:most])
    ]
    if len(layers) > most:
        def show_more() -> None:
            parent.shown = most + _MORE_ITEMS
            parent.refresh()

        found.append(LoadMoreItem(parent, tr("More… (%n layer(s))", n=len(layers) - most), len(found), show_more))
    return found

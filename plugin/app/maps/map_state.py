"""The custom map while it is composed: its services in order, and the rest of its state."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Any, Callable, Collection, Mapping, Optional, Protocol, Sequence, Union

from qgis.core import QgsMapLayer

from ...core.custommap.foreign_maps import can_be_agreed
from ...core.custommap.map_entries import entry_endpoint, stored_credit, stored_data_credit
from ...core.custommap.model import BlendMode, CustomMap, MapEntry, MapRole, OwnLayer
from ...core.custommap.own_sources import is_temporary
from ...core.custommap.service_state import DrawnState, Progress
from ...core.dates import format_date
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record
from ...core.terms.model import Terms
from ...gis.layers.blend_modes import blend_of_style
from ...gis.own_layers.opening import waits_for
from ...gis.runtime.terms import terms_for
from ...gis.sources.layer_source import ENDPOINT, mark
from ..phrases import record_title

#: "Servicio WMS de Suelos" is about "Suelos"
_WMS_PREFIX = re.compile(r"^(?:servicio\s+|service\s+)?WMS\b\s*(?:(?:de|of)\s+|[:–-]\s*)?", re.IGNORECASE)
#: opacities that differ by less are the same: QGIS's slider moves in steps of a percent
_OPACITY_TOLERANCE = 0.004


class AddMode(str, Enum):
    """Ways to add a service to the map."""

    #: the use that fits the service
    ADD = "add"
    CHOOSE = "choose"
    AS_BASE = "base"
    AS_OVERLAY = "overlay"
    AS_SERIES = "series"
    PROJECT_ONLY = "project"


@dataclass(frozen=True)
class LayerChoice:
    """Chosen layers: names (bottom first), a style for each ("" is the default), image format, CRS and role.

    ``moment`` (ISO 8601) is that of a time series.
    """

    layers: tuple[str, ...]
    styles: tuple[str, ...]
    format: Optional[str] = None
    crs: Optional[str] = None
    role: MapRole = MapRole.OVERLAY
    moment: Optional[str] = None

    @classmethod
    def of_names(cls, names: Sequence[str], role: MapRole = MapRole.OVERLAY) -> LayerChoice:
        """Return the layers called ``names`` in their default styles."""
        return cls(tuple(names), ("",) * len(names), None, None, role)


class ServiceRemedy(str, Enum):
    """Remedies of a service or own layer that is not drawn, the best first."""

    NEW_ADDRESS = "new address"
    SNAPSHOT = "snapshot"
    #: agree to a layer that a foreign map names
    OPEN = "open"
    RETRY = "retry"
    #: hide it, so that it is not printed
    LEAVE_OUT = "leave out"


@dataclass(frozen=True)
class MapRowState:
    """Values of one row. ``problem`` is a text about what is wrong, or ""."""

    title: str
    role: MapRole
    detail: str = ""
    opacity: float = 1.0
    visible: bool = True
    problem: str = ""
    tip: str = ""
    is_series: bool = False
    remedies: tuple[ServiceRemedy, ...] = ()
    #: it is a layer of the cartographer's own, and this is its source line
    is_own: bool = False
    #: its data come from the web, such as a publisher's features
    is_served: bool = False
    credit: str = ""
    blend: BlendMode = BlendMode.NORMAL
    #: it was added from a record
    has_record: bool = False


class LayersOnMap(Protocol):
    """The document, which alone has the layers that are on the map."""

    def layer_of(self, part: MapPart) -> Union[MapEntry, OwnLayer]:
        """Return the layer that a part of the map stands for."""

    def role_of(self, part: MapPart) -> MapRole:
        """Return its place among the others."""


@dataclass(eq=False)
class _Part:
    """A layer of the document, with what the window adds.

    The document has the layer of a part that is on the map. A part that is not on it, because it is being made or was
    removed, has its layer itself.
    """

    _layer: Any
    _role: MapRole = MapRole.OVERLAY
    _map: Optional[LayersOnMap] = field(default=None, init=False)
    #: the state of those of its layers that are shown, by what was received of them
    received: DrawnState = field(default_factory=DrawnState, init=False)

    @property
    def layer(self) -> Any:
        """The layer of the document, a MapEntry or an OwnLayer."""
        return self._layer if self._map is None else self._map.layer_of(self)  # type: ignore[arg-type]

    @property
    def role(self) -> MapRole:
        """The place that it has among the others."""
        return self._role if self._map is None else self._map.role_of(self)  # type: ignore[arg-type]

    def put_on(self, custom_map: LayersOnMap) -> None:
        """Follow the document, which has its layer from now on."""
        self._layer, self._map = None, custom_map

    def take_off(self) -> None:
        """Keep the layer that the document is about to lose."""
        self._layer, self._role, self._map = self.layer, self.role, None


@dataclass(eq=False)
class MapItem(_Part):
    """One service: its entry in the document, with what the window adds.

    ``layer_ids`` are the ids of its QGIS layers by WMS layer name. ``problem`` is a text about what is wrong, or "",
    and ``error`` its reason. If ``adds_layers`` is True, its layers join those of the same service that are on the map.
    Otherwise they replace them, or those of ``replaces``.
    """

    layer_ids: dict[str, str] = field(default_factory=dict)
    problem: str = ""
    adds_layers: bool = False
    replaces: Optional[MapItem] = None
    error: Optional[CartoguideError] = None
    #: when its layers could not be made, while they are not
    failed_since: Optional[datetime] = None
    #: its layers are being made, or its service is being loaded for them
    loading: bool = False
    #: it waits for its service, and for a new reading of it
    awaiting_service: bool = False
    refreshing: bool = False
    #: its layers are drawn from what its entry was before, until they can be drawn from what it is
    outdated: bool = False
    #: whether its sub-group showed its layers when it last had any, None if it never had a sub-group
    expanded: Optional[bool] = None
    #: the ids of those of its layers that the person made, and put into the map's group
    adopted: frozenset[str] = frozenset()

    @property
    def entry(self) -> MapEntry:
        return self.layer  # type: ignore[no-any-return]

    @property
    def state(self) -> DrawnState:
        """Its progress: by its layers until they are made, then by what was received of them."""
        if self.loading:
            return DrawnState(Progress.LOADING)
        if not self.problem:
            return self.received
        progress = Progress.PARTLY if self.layer_ids and self.error is None else Progress.FAILED
        return DrawnState(progress, self.failed_since, self.problem, self.error.detail if self.error else "")

    @property
    def is_unavailable(self) -> bool:
        """True if no layer could be made for it although nothing is on its way."""
        return bool(self.problem) and self.state.progress is Progress.FAILED

    @property
    def is_missing(self) -> bool:
        """True if it is not drawn, or lacks parts, as far as it is shown."""
        is_shown = not self.entry.is_hidden(tuple(self.layer_ids))
        return self.is_unavailable and is_shown or self.received.is_missing

    def names_in_order(self) -> tuple[str, ...]:
        """Return the names of the layers that it has in the project, bottom first."""
        return tuple(name for name in self.entry.layers or tuple(self.layer_ids) if name in self.layer_ids)

    def row_state(self) -> MapRowState:
        names = tuple(self.entry.layers or self.layer_ids)
        shown = sum(map(self.entry.is_visible, names))
        detail = tr("%n layer(s)", n=len(names)) if shown in (0, len(names)) else \
            tr("{shown} of {count} layers", shown=shown, count=len(names))
        if self.entry.moment:
            detail = f"{format_date(self.entry.moment)} · {detail}"
        if self.entry.is_hidden(names):
            detail = f"{tr('hidden')} · {detail}"
        elif self.state.progress is Progress.LOADING:
            detail = tr("loading…")
        return MapRowState(
            title=without_wms_prefix(self.entry.title),
            role=self.role,
            detail=detail,
            opacity=self.entry.opacity,
            visible=self.entry.visible,
            problem=self.state.problem or self.problem,
            tip=self.entry.title,
            is_series=bool(self.entry.moment),
            has_record=bool(self.entry.record_id),
            blend=self.entry.blend)


@dataclass(eq=False)
class OwnItem(_Part):
    """One of the cartographer's own layers: its reference in the document, with what the window adds.

    ``layer_id`` is the id of its QGIS layer, "" if the project has none. ``problem`` is a text about what is wrong, or
    "". An item that is opened in place of another one, which is drawn until then, has it in ``replaces``.
    """

    layer_id: str = ""
    problem: str = ""
    #: its QGIS layer is being made
    loading: bool = False
    replaces: Optional[OwnItem] = None

    @property
    def own(self) -> OwnLayer:
        return self.layer  # type: ignore[no-any-return]

    @property
    def state(self) -> DrawnState:
        """Its progress: by its layer until that is made, then by what was received of it."""
        return DrawnState(Progress.LOADING) if self.loading else self.received

    @property
    def is_missing(self) -> bool:
        """True if its server did not send it, or parts of it, as far as it is shown."""
        return self.received.is_missing

    def row_state(self) -> MapRowState:
        detail = waits_for(self.own) if self.loading else \
            tr("loading…") if self.received.progress is Progress.LOADING else self.own.credit
        if not self.own.visible:
            detail = " · ".join(filter(None, (tr("hidden"), detail)))
        return MapRowState(title=self.own.name, role=self.role, detail=detail, opacity=self.own.opacity,
                           visible=self.own.visible,
                           problem="" if self.loading else self.problem or self.received.problem,
                           tip=self.own.name, is_own=True, is_served=bool(self.own.origin.web_address),
                           credit=self.own.credit, blend=blend_of_style(self.own.style), remedies=self.remedies())

    def remedies(self) -> tuple[ServiceRemedy, ...]:
        """Return what can be done about a layer that is not drawn, besides locating its file."""
        if not self.problem or self.layer_id or self.loading:
            return ()
        if self.own.trust.may_open:
            return () if is_temporary(self.own) else (ServiceRemedy.RETRY,)
        return (ServiceRemedy.OPEN,) if can_be_agreed(self.own) else ()


#: what lies on the map: a service or an own layer
MapPart = Union[MapItem, OwnItem]


def layer_ids_of(part: MapPart) -> tuple[str, ...]:
    if isinstance(part, OwnItem):
        return (part.layer_id,) if part.layer_id else ()
    return tuple(part.layer_ids.values())


def drawn_layer_ids(part: MapPart) -> tuple[str, ...]:
    """Return the ids of those QGIS layers of a part of the map that are shown."""
    if isinstance(part, OwnItem):
        return layer_ids_of(part) if part.own.visible else ()
    return tuple(layer_id for name, layer_id in part.layer_ids.items() if part.entry.is_visible(name))


def title_of(part: MapPart) -> str:
    return part.own.name if isinstance(part, OwnItem) else without_wms_prefix(part.entry.title) or part.entry.endpoint


def source_of_layer(entry: MapEntry, name: str) -> tuple[object, ...]:
    """Return the fields of an entry that decide what the layer called ``name`` is drawn from."""
    style = dict(zip(entry.layers, entry.styles)).get(name, "")
    return normalise_endpoint(entry.endpoint), name, style, entry.format, bool(entry.moment)


def is_same_service(one: MapEntry, other: MapEntry) -> bool:
    """Return whether two entries are one service of the map, before and after a change of it."""
    # of another record the service may owe another credit, so it is a part of its own
    return (one.title, one.layers) == (other.title, other.layers) or (
        normalise_endpoint(one.endpoint) == normalise_endpoint(other.endpoint) and one.record_id == other.record_id)


def is_of_same_record(former: MapEntry, entry: MapEntry) -> bool:
    """Return whether ``entry`` may take the place of ``former`` at the same address, or be added to it.

    The service of another record may owe another credit, so it is another part of the map. Where one of the records has
    no identifier, they differ by their credits.
    """
    if former.record_id and entry.record_id:
        return former.record_id == entry.record_id
    without = [one for one in (former, entry) if not one.record_id]
    return former.credit.line == entry.credit.line or any(not one.credit.line for one in without)


def make_entry(record: Record, terms: Terms, endpoint: str, choice: LayerChoice) -> MapEntry:
    """Return the document's entry for layers of a record's service, with the credit that the terms require today."""
    return MapEntry(
        endpoint=entry_endpoint(endpoint),
        title=record_title(record),
        record_id=record.id,
        layers=choice.layers,
        styles=choice.styles,
        format=choice.format,
        credit=stored_credit(terms),
        data_credits=(stored_data_credit(terms_for(record.data)),) if record.data is not None else (),
        moment=choice.moment)


def without_wms_prefix(title: str) -> str:
    """Return a service's title without a leading "WMS" or "Servicio WMS de", and with a capital."""
    bare = _WMS_PREFIX.sub("", title).strip()
    return bare[:1].upper() + bare[1:] if bare else title


def with_layers(document: CustomMap, layers: Sequence[Union[MapEntry, OwnLayer]], has_base: bool) -> CustomMap:
    """Return ``document`` with these services and own layers, given bottom first. ``has_base``: the first is the base.
    """
    services: list[MapEntry] = []
    own_layers: list[OwnLayer] = []
    for layer in layers:
        if isinstance(layer, OwnLayer):
            own_layers.append(replace(layer, entries_below=len(services)))
        else:
            services.append(layer)
    return replace(document, base=services[0] if has_base else None, overlays=tuple(services[int(has_base):]),
                   own_layers=tuple(own_layers))


def merged_entry(item: MapItem, addition: MapItem) -> MapEntry:
    """Return the entry of ``item`` with the layers of ``addition`` above its own.

    Layers that are there already keep their place. The moment of ``addition`` replaces that of ``item`` if it has one.
    """
    layers = list(item.entry.layers or item.layer_ids)
    styles = list(item.entry.styles) or [""] * len(layers)
    for name, style in zip(addition.entry.layers, addition.entry.styles):
        if name not in layers:
            layers.append(name)
            styles.append(style)
    moment = addition.entry.moment or item.entry.moment
    return replace(with_data_credits(item.entry, addition.entry), layers=tuple(layers), styles=tuple(styles),
                   moment=moment)


def with_data_credits(entry: MapEntry, other: MapEntry) -> MapEntry:
    """Return ``entry`` with the credits that the data of ``other``, the same service, ask for too."""
    return replace(entry, data_credits=tuple(dict.fromkeys((*entry.data_credits, *other.data_credits))))


def entry_without_layers(entry: MapEntry, names: Sequence[str], gone: Collection[str]) -> MapEntry:
    """Return the entry without the layers ``gone``. What is left is named: no names mean all layers of the service.

    ``names`` are the layers of an entry that has no names.
    """
    left = tuple(name for name in entry.layers or names if name not in gone)
    styles = dict(zip(entry.layers, entry.styles))
    return replace(entry, layers=left, styles=tuple(styles.get(name, "") for name in left),
                   hidden=tuple(name for name in entry.hidden if name in left),
                   layer_opacities={name: value for name, value in entry.layer_opacities.items() if name in left},
                   names={name: given for name, given in entry.names.items() if name in left},
                   private=tuple(name for name in entry.private if name in left),
                   legend=replace(entry.legend, layers={
                       name: edit for name, edit in entry.legend.layers.items() if name in left}))


def entry_with_layers_in_order(entry: MapEntry, order: Sequence[str], names: Sequence[str]) -> MapEntry:
    """Return the entry with those of its layers that ``order`` names in that order (bottom first).

    The others keep their places. ``names`` are the layers of an entry that has no names, which means all of them.
    """
    names = entry.layers or tuple(names)
    ordered = iter([name for name in order if name in names])
    moved = tuple(next(ordered, name) if name in order else name for name in names)
    if moved == names:
        return entry
    styles = dict(zip(names, entry.styles or ("",) * len(names)))
    return replace(entry, layers=moved, styles=tuple(styles[name] for name in moved))


def entry_with_ticks(entry: MapEntry, ticks: Mapping[str, bool]) -> MapEntry:
    """Return the entry with its layers visible as in the layer tree. ``ticks`` are the check boxes by layer name.

    Without a tick the service is hidden, and all its layers are visible as soon as it is shown again.
    """
    if all(entry.is_visible(name) == on for name, on in ticks.items()):
        return entry
    if not any(ticks.values()):
        return replace(entry, visible=False, hidden=())
    others = tuple(name for name in entry.hidden if name not in ticks)
    return replace(entry, visible=True, hidden=(*others, *(name for name, on in ticks.items() if not on)))


def entry_with_group_ticks(entry: MapEntry, group_tick: bool, ticks: Mapping[str, bool]) -> MapEntry:
    """Return the entry visible as in the layer tree, where both its sub-group and its layers have ticks.

    ``ticks`` are those of the layers, by layer name. The service is hidden with the last of its layers that is
    unticked. When the sub-group is ticked again after that, all layers are.
    """
    others = tuple(name for name in entry.hidden if name not in ticks)
    unticked = tuple(name for name, on in ticks.items() if not on)
    if entry.visible == group_tick and set(entry.hidden) == {*others, *unticked}:
        return entry
    if group_tick and unticked and len(unticked) == len(ticks):
        return replace(entry, visible=False, hidden=(*others, *unticked)) if entry.visible else replace(
            entry, visible=True, hidden=others)
    return replace(entry, visible=group_tick, hidden=(*others, *unticked))


def entry_shown(entry: MapEntry, on: bool, names: Collection[str]) -> MapEntry:
    """Return the entry shown or hidden. ``names`` are its layers: if all of them are unticked, none is any more."""
    if on and not any(name not in entry.hidden for name in names):
        return replace(entry, visible=True, hidden=tuple(name for name in entry.hidden if name not in names))
    return replace(entry, visible=on)


def entry_with_opacities(entry: MapEntry, opacities: Mapping[str, float]) -> MapEntry:
    """Return the entry with the opacities of its layers, by layer name. One that all share is stored as the service's.
    """
    if all(abs(entry.opacity_of(name) - value) < _OPACITY_TOLERANCE for name, value in opacities.items()):
        return entry
    values = {name: round(value, 4) for name, value in opacities.items()}
    if len(set(values.values())) == 1:
        return replace(entry, opacity=next(iter(values.values())), layer_opacities={})
    others = {name: value for name, value in entry.layer_opacities.items() if name not in values}
    own = {name: value for name, value in values.items() if abs(value - entry.opacity) >= _OPACITY_TOLERANCE}
    return replace(entry, layer_opacities={**others, **own})


class FormerServices:
    """Remembers of which service layers were that left, and what each layer of a service was made from.

    The layers themselves are in the project, or are kept by ``RemovedLayers``.
    """

    def __init__(self, find_layer: Callable[[str], Optional[QgsMapLayer]],
                 find_ids: Callable[[], Collection[str]]) -> None:
        """``find_layer`` returns a layer that can return, by its id. ``find_ids`` returns the ids of the map's layers.
        """
        self._find_layer, self._find_ids = find_layer, find_ids
        #: the newest last
        self._left: list[MapItem] = []
        #: what the layers of services were made from, by id
        self.drawn_from: dict[str, tuple[object, ...]] = {}
        #: the addresses that these layers were marked with, by id
        self.marked_with: dict[str, str] = {}

    def forget(self) -> None:
        """Let no layer that left return. What those of the map were made from is known as before."""
        self._left = []

    def clear(self) -> None:
        """Forget everything: the project was cleared."""
        self._left, self.drawn_from, self.marked_with = [], {}, {}

    def note(self, item: MapItem, layer_ids: Mapping[str, str]) -> None:
        """Remember of which service the layers are that leave, by WMS layer name."""
        self._left = [left for left in self._left if any(map(self._find_layer, left.layer_ids.values()))]
        self._left.append(MapItem(item.entry, item.role, dict(layer_ids), expanded=item.expanded, adopted=item.adopted))

    def note_sources(self, item: MapItem) -> None:
        """Remember that the layers of a service are drawn from what its entry says."""
        self.drawn_from.update({layer_id: source_of_layer(item.entry, name)
                                for name, layer_id in item.layer_ids.items()})
        layers = {layer_id: self._find_layer(layer_id) for layer_id in item.layer_ids.values()}
        self.marked_with.update({layer_id: str(mark(layer, ENDPOINT) or "")
                                 for layer_id, layer in layers.items() if layer is not None})

    def layers_of(self, entry: MapEntry, drawn_alike: bool = False) -> dict[str, str]:
        """Return the ids of layers that were this service's and left the project or the map, by WMS layer name.

        With ``drawn_alike`` only those that are drawn from what the entry says.
        """
        on_map, found = set(self._find_ids()), dict[str, str]()
        for left in self._items_of(entry):
            for name, layer_id in left.layer_ids.items():
                if layer_id not in on_map and self._find_layer(layer_id) is not None and (
                        not drawn_alike or self.drawn_from.get(layer_id) == source_of_layer(entry, name)):
                    found.setdefault(name, layer_id)
        return {name: layer_id for name, layer_id in found.items() if name in entry.layers or not entry.layers}

    def bring_back(self, item: MapItem) -> None:
        """Give a service the layers that it had before, as far as they are drawn from what its entry says."""
        item.layer_ids = {**self.layers_of(item.entry, drawn_alike=True), **item.layer_ids}
        item.adopted = item.adopted.union(*(left.adopted for left in self._items_of(item.entry))).intersection(
            item.layer_ids.values())
        if item.expanded is None:
            item.expanded = next((left.expanded for left in self._items_of(item.entry)), None)

    def _items_of(self, entry: MapEntry) -> list[MapItem]:
        """Return what is remembered of a service, the same entry first, and then the newest."""
        alike = [left for left in reversed(self._left) if is_same_service(left.entry, entry)]
        return sorted(alike, key=lambda left: left.entry != entry)

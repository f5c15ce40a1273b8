"""The custom map while it is composed: its services in order, and the rest of its state."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Collection, Mapping, Optional, Sequence, TypeVar, Union

from ...core.custommap.foreign_maps import can_be_agreed
from ...core.custommap.map_entries import stored_credit
from ...core.custommap.model import (
    BlendMode,
    CustomMap,
    MapEntry,
    MapRole,
    OwnLayer,
)
from ...core.custommap.own_sources import is_temporary
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.terms.model import Terms
from ...gis.layers.blend_modes import blend_of_style
from ...gis.own_layers.opening import waits_for
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
    """Chosen layers: names (bottom first), a style for each ("" is the default), image format, CRS and role."""

    layers: tuple[str, ...]
    styles: tuple[str, ...]
    format: Optional[str] = None
    crs: Optional[str] = None
    role: MapRole = MapRole.OVERLAY

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
    credit: str = ""
    blend: BlendMode = BlendMode.NORMAL


class BuildState(str, Enum):
    """Progress of a service or own layer of the map, judged by the layers that were made for it."""

    NOT_ASKED = "not asked"
    LOADING = "loading"
    DRAWN = "drawn"
    #: some of its layers are missing
    PARTLY = "partly"
    FAILED = "failed"


@dataclass(eq=False)
class MapItem:
    """One service on the map: its entry in the document, with what the window adds.

    ``layer_ids`` are the ids of its QGIS layers by WMS layer name. ``problem`` is a text about what is wrong, or "",
    and ``error`` its reason. If ``adds_layers`` is True, its layers join those of the same service that are on the map.
    Otherwise they replace them, or those of ``replaces``.
    """

    entry: MapEntry
    role: MapRole = MapRole.OVERLAY
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
    #: whether its sub-group showed its layers when it last had any, None if it never had a sub-group
    expanded: Optional[bool] = None

    @property
    def build_state(self) -> BuildState:
        """The progress of its layers."""
        if self.loading:
            return BuildState.LOADING
        if not self.problem:
            return BuildState.DRAWN if self.layer_ids else BuildState.NOT_ASKED
        return BuildState.PARTLY if self.layer_ids and self.error is None else BuildState.FAILED

    @property
    def is_unavailable(self) -> bool:
        """True if nothing of it is drawn although nothing is on its way."""
        return self.build_state is BuildState.FAILED

    def names_in_order(self) -> tuple[str, ...]:
        """Return the names of the layers that it has in the project, bottom first."""
        return tuple(name for name in self.entry.layers or tuple(self.layer_ids) if name in self.layer_ids)

    def remove_layer_names(self, gone: Collection[str]) -> None:
        """Remove layers from the entry. What is left is named: no names would mean all layers of the service."""
        names = self.entry.layers or tuple(self.layer_ids)
        styles = dict(zip(self.entry.layers, self.entry.styles))
        left = tuple(name for name in names if name not in gone)
        self.layer_ids = {name: layer_id for name, layer_id in self.layer_ids.items() if name not in gone}
        self.entry = replace(self.entry, layers=left, styles=tuple(styles.get(name, "") for name in left),
                             hidden=tuple(name for name in self.entry.hidden if name in left),
                             layer_opacities={name: value for name, value in self.entry.layer_opacities.items()
                                              if name in left},
                             legend=replace(self.entry.legend, layers={
                                 name: edit for name, edit in self.entry.legend.layers.items() if name in left}))

    def row_state(self) -> MapRowState:
        """Return the values that the item's row shows."""
        detail = tr("%n layer(s)", n=len(self.entry.layers or self.layer_ids))
        if self.loading:
            detail = tr("loading…")
        elif self.entry.moment:
            detail = f"{self.entry.moment} · {detail}"
        return MapRowState(
            title=without_wms_prefix(self.entry.title),
            role=self.role,
            detail=detail,
            opacity=self.entry.opacity,
            visible=self.entry.visible,
            problem=self.problem,
            tip=self.entry.title,
            is_series=bool(self.entry.moment),
            blend=self.entry.blend)


@dataclass(eq=False)
class OwnItem:
    """One of the cartographer's own layers on the map: its reference in the document, with what the window adds.

    ``layer_id`` is the id of its QGIS layer, "" if the project has none. ``problem`` is a text about what is wrong, or
    "". An item that is opened in place of another one, which is drawn until then, has it in ``replaces``.
    """

    own: OwnLayer
    layer_id: str = ""
    problem: str = ""
    #: its QGIS layer is being made
    loading: bool = False
    replaces: Optional[OwnItem] = None

    @property
    def role(self) -> MapRole:
        """The role that it has among the services: it is never the base."""
        return MapRole.OVERLAY

    def row_state(self) -> MapRowState:
        """Return the values that the item's row shows."""
        return MapRowState(title=self.own.name, role=self.role,
                           detail=waits_for(self.own) if self.loading else self.own.credit, opacity=self.own.opacity,
                           visible=self.own.visible, problem="" if self.loading else self.problem,
                           tip=self.own.name, is_own=True,
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
_Part = TypeVar("_Part", MapItem, OwnItem, MapPart)


def layer_ids_of(part: MapPart) -> tuple[str, ...]:
    """Return the ids of the QGIS layers of a part of the map."""
    if isinstance(part, OwnItem):
        return (part.layer_id,) if part.layer_id else ()
    return tuple(part.layer_ids.values())


def role_in(document: CustomMap, entry: MapEntry) -> MapRole:
    return MapRole.BASE if entry is document.base else MapRole.OVERLAY


def make_entry(record: Record, terms: Terms, endpoint: str, choice: LayerChoice) -> MapEntry:
    """Return the document's entry for layers of a record's service, with the credit that the terms require today."""
    return MapEntry(
        endpoint=endpoint,
        title=record_title(record),
        record_id=record.id,
        layers=choice.layers,
        styles=choice.styles,
        format=choice.format,
        credit=stored_credit(terms))


def without_wms_prefix(title: str) -> str:
    """Return a service's title without a leading "WMS" or "Servicio WMS de", and with a capital."""
    bare = _WMS_PREFIX.sub("", title).strip()
    return bare[:1].upper() + bare[1:] if bare else title


def base_first(items: Sequence[_Part]) -> list[_Part]:
    """Return the items bottom first: the base, then the overlays and own layers in their order."""
    return sorted(items, key=lambda item: item.role is not MapRole.BASE)


def with_layers(document: CustomMap, stack: Sequence[MapPart]) -> CustomMap:
    """Return ``document`` with these services and own layers, given bottom first."""
    services: list[MapItem] = []
    own_layers: list[OwnLayer] = []
    for part in base_first(stack):
        if isinstance(part, OwnItem):
            own_layers.append(replace(part.own, entries_below=len(services)))
        else:
            services.append(part)
    return replace(document, base=next((item.entry for item in services if item.role is MapRole.BASE), None),
                   overlays=tuple(item.entry for item in services if item.role is not MapRole.BASE),
                   own_layers=tuple(own_layers))


def layer_of(part: MapPart) -> Union[MapEntry, OwnLayer]:
    """Return the layer of the document that a part of the map stands for."""
    return part.own if isinstance(part, OwnItem) else part.entry


def merge_layers(item: MapItem, addition: MapItem) -> None:
    """Add the layers of ``addition`` above those of ``item``.

    Layers that are there already keep their place. The moment of ``addition`` replaces that of ``item`` if it has one.
    """
    layers = list(item.entry.layers or item.layer_ids)
    styles = list(item.entry.styles) or [""] * len(layers)
    for name, style in zip(addition.entry.layers, addition.entry.styles):
        if name not in layers:
            layers.append(name)
            styles.append(style)
    moment = addition.entry.moment or item.entry.moment
    update_entry(item, layers=tuple(layers), styles=tuple(styles), moment=moment)
    item.layer_ids.update(addition.layer_ids)


def update_entry(item: MapItem, **values: object) -> None:
    """Change fields of an item's entry."""
    item.entry = replace(item.entry, **values)  # type: ignore[arg-type]


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

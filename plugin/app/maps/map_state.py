"""The custom map while it is composed: its services in order, and everything else in its document."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Mapping, Optional, Sequence

from ...core.custommap.map_editing import stored_credit
from ...core.custommap.model import CustomMap, MapEntry, MapExtent, PageSetup, SnapshotReference
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.snapshot.snapshot_sources import Snapshot
from ...core.terms.model import Terms
from ..phrases import record_title
from .extent_mode import CANVAS, KEPT
from .layer_choice import LayerChoice

_WMS_PREFIX = re.compile(r"^(?:servicio\s+|service\s+)?WMS\b\s*(?:(?:de|of)\s+|[:–-]\s*)?", re.IGNORECASE)


@dataclass
class MapItem:
    """One service on the map: its entry, its role, the ids of its QGIS layers by WMS layer name, and what is wrong.

    ``adds_layers``: its layers are added to those that the map has of the service, and replace none.
    """

    entry: MapEntry
    role: str = "overlay"
    layer_ids: dict[str, str] = field(default_factory=dict)
    problem: str = ""
    adds_layers: bool = False

    def row_state(self) -> MapRowState:
        """Return the values that the item's row shows."""
        detail = tr("%n layer(s)", n=len(self.entry.layers))
        if self.entry.moment:
            detail = f"{self.entry.moment} · {detail}"
        return MapRowState(without_wms_prefix(self.entry.title), self.role, detail, self.entry.opacity,
                           self.entry.visible, self.problem, self.entry.title, bool(self.entry.moment))


@dataclass
class MapState:
    """Everything in the document that is not a service."""

    title: str = ""
    page: PageSetup = PageSetup()
    scale: Optional[float] = None
    extent: Optional[MapExtent] = None
    centre: Optional[tuple[float, float]] = None
    extra: Mapping[str, object] = field(default_factory=dict)
    #: "" by default: then QGIS's language, and the CRS of the network profile
    language: str = ""
    crs: str = ""
    #: one of the modes in ``extent_mode``
    extent_mode: str = CANVAS
    #: reference to the map's snapshot, and the snapshot while it is shown
    snapshot_reference: Optional[SnapshotReference] = None
    shown_snapshot: Optional[Snapshot] = None

    @classmethod
    def of_document(cls, document: CustomMap) -> MapState:
        """Return the state that shows ``document``, without its snapshot."""
        mode = KEPT if document.extent or document.centre else CANVAS
        return cls(document.title, document.page, document.scale, document.extent, document.centre, document.extra,
                   document.language, document.crs, mode)


def role_in(document: CustomMap, entry: MapEntry) -> str:
    """Return the role of an entry of ``document``: "base" or "overlay"."""
    return "base" if entry is document.base else "overlay"


def make_entry(record: Record, terms: Terms, endpoint: str, choice: LayerChoice) -> MapEntry:
    """Return the document's entry for layers of a record's service, with the credit that the terms require now."""
    return MapEntry(endpoint, record_title(record), record.id, choice.layers, choice.styles, choice.format,
                    credit=stored_credit(terms))


def without_wms_prefix(title: str) -> str:
    """Return a service's title without "WMS" in front, which says nothing on paper."""
    bare = _WMS_PREFIX.sub("", title).strip()
    return bare[:1].upper() + bare[1:] if bare else title


def base_first(items: Sequence[MapItem]) -> list[MapItem]:
    """Return the base, then the overlays, bottom first."""
    return sorted(items, key=lambda item: item.role != "base")


def make_document(items: Sequence[MapItem], state: MapState, title: str, crs: str, language: str) -> CustomMap:
    """Return the custom map document of these services."""
    ordered = base_first(items)
    base = next((item.entry for item in ordered if item.role == "base"), None)
    overlays = tuple(item.entry for item in ordered if item.role != "base")
    return CustomMap(title, language, base, overlays, crs, state.extent, state.centre, state.scale, state.page,
                     dict(state.extra), state.snapshot_reference)


def merge_layers(former: MapItem, more: MapItem) -> None:
    """Add the layers of ``more`` on top of those of ``former``. Layers that are there already keep their place."""
    layers, styles = list(former.entry.layers), list(former.entry.styles)
    for name, style in zip(more.entry.layers, more.entry.styles):
        if name not in layers:
            layers.append(name)
            styles.append(style)
    update_entry(former, layers=tuple(layers), styles=tuple(styles), moment=more.entry.moment or former.entry.moment)
    former.layer_ids.update(more.layer_ids)


def update_entry(item: MapItem, **values: object) -> None:
    """Change fields of an item's entry."""
    item.entry = replace(item.entry, **values)  # type: ignore[arg-type]


@dataclass(frozen=True)
class MapRowState:
    """Values of one row. ``problem`` is a text about what is wrong, or ""."""

    title: str
    role: str
    detail: str = ""
    opacity: float = 1.0
    visible: bool = True
    problem: str = ""
    tip: str = ""
    is_series: bool = False

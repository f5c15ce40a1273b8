"""The input of the preflight rules: document, plan, services, records and page."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Collection, List, Mapping, Optional, Sequence, Tuple, Union

from ..box import Box
from ..custommap.ground_scale import GroundScale, Position
from ..custommap.model import CustomMap, EntryCredit, LayerPlan, MapEntry, Plan
from ..custommap.suggestions import SuggestionCandidate
from ..errors import CartoguideError
from ..records.model.endpoints import value_for_endpoint
from ..records.model.record import Record
from ..snapshot.manifest import SnapshotManifest
from ..terms.model import Terms
from ..wms.model.service import ScaleRange, Service


@dataclass(frozen=True)
class PrintFrame:
    """The map item on the page: scale denominator, size in millimetres, extent in degrees.

    ``scale`` is the ground's, as ``ground`` measures it. ``nominal_scale`` is QGIS's own denominator, with which scale
    ranges are compared. It differs where the projection stretches.
    """

    scale: float
    width: float
    height: float
    extent: Optional[Box] = None
    nominal_scale: Optional[float] = None
    ground: Optional[GroundScale] = None
    #: the map's corners in degrees, one after another, None where they are those of the extent
    corners: Optional[Tuple[Position, ...]] = None

    def pixels(self, dpi: float) -> Tuple[int, int]:
        """Return the size of the map's image in pixels at ``dpi``."""
        return round(self.width / 25.4 * dpi), round(self.height / 25.4 * dpi)


@dataclass
class PreflightContext:
    """One map as the rules see it. ``services`` and ``records`` are by endpoint, ``titles`` by entry."""

    document: CustomMap
    plan: Plan
    services: Mapping[str, Union[Service, CartoguideError]] = field(default_factory=dict)
    records: Mapping[str, Record] = field(default_factory=dict)
    frame: Optional[PrintFrame] = None
    dpi: int = 300
    titles: Sequence[str] = ()
    #: http endpoints with a host that is known to support https
    https_endpoints: Sequence[str] = ()
    #: manifest of the snapshot, where the map shows it
    snapshot: Optional[SnapshotManifest] = None
    #: the map is not shown on the canvas, because its group in the layer tree is not ticked
    hidden_on_canvas: bool = False
    #: denominators between which own layers are drawn, by the ids of these
    own_scales: Mapping[str, ScaleRange] = field(default_factory=dict)
    #: services of the library that may be the map's base, the best first
    base_offers: Sequence[SuggestionCandidate] = ()
    #: ids of own layers of areas that fill the map
    filling_layers: Collection[str] = ()

    @cached_property
    def entries(self) -> Tuple[MapEntry, ...]:
        """The base, then the overlays, bottom first."""
        return self.document.entries

    def entry_title(self, index: int) -> str:
        """Return the title of an entry's service."""
        if index < len(self.titles) and self.titles[index]:
            return self.titles[index]
        entry = self.entries[index]
        record = self.record_of(entry)
        return entry.title or (record.title if record else None) or entry.endpoint

    def entry_layers(self, index: int) -> List[LayerPlan]:
        """Return the layers of an entry that are drawn."""
        return [layer for layer in self.plan.layers if layer.entry_index == index and layer.visible]

    def service_of(self, entry: MapEntry) -> Optional[Service]:
        """Return the entry's service where it is known."""
        service = value_for_endpoint(self.services, entry.endpoint)
        return service if isinstance(service, Service) else None

    def record_of(self, entry: MapEntry) -> Optional[Record]:
        """Return the entry's record where it is known."""
        return entry.record_in(self.records)

    def terms_of(self, index: int) -> Optional[Terms]:
        """Return the terms of an entry, None where neither its record nor its service is known."""
        return self.plan.terms[index] if index < len(self.plan.terms) else None

    def credit_of(self, index: int) -> EntryCredit:
        return self.plan.credits[index] if index < len(self.plan.credits) else EntryCredit()

    @property
    def extent(self) -> Optional[Box]:
        """The extent of the printed map in degrees."""
        return self.frame.extent if self.frame and self.frame.extent else self.plan.extent

    @property
    def corners(self) -> Optional[Tuple[Position, ...]]:
        """The corners of the printed map in degrees, one after another."""
        if self.frame is not None and self.frame.corners:
            return self.frame.corners
        box = self.extent
        return None if box is None else (
            (box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north))

    @property
    def scale(self) -> Optional[float]:
        """The denominator of the ground's scale."""
        return self.frame.scale if self.frame else self.plan.scale

    @property
    def nominal_factor(self) -> float:
        """QGIS's own denominator, with which the layers' scale ranges are compared, over the ground's."""
        return self.frame.nominal_scale / self.frame.scale if self.frame and self.frame.nominal_scale else 1.0


"""The custom map document: what a person composes from a base and overlays (``*.custommap.json``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Mapping, Optional, Tuple

FORMAT = "cartoguide-custommap"
VERSION = 1


@dataclass(frozen=True)
class StoredCredit:
    """What the document itself keeps of a record's terms, so that a lost record never loses the credit."""

    line: str = ""
    required: str = "undecided"
    licence: Optional[str] = None
    licence_url: Optional[str] = None
    #: members that a later version of the format wrote; written back as they were
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class MapEntry:
    """One service on the map. ``layers`` bottom first, ``styles`` one for each layer ("" is the default style).

    ``opacity`` is 0 to 1. ``format`` and ``crs`` may be None: then they are chosen when the plan is made. ``moment``
    (ISO 8601): the layers are a series, by their dates or a TIME dimension, and the map shows this moment of it.
    """

    endpoint: str
    title: str = ""
    record_id: Optional[str] = None
    layers: Tuple[str, ...] = ()
    styles: Tuple[str, ...] = ()
    format: Optional[str] = None
    opacity: float = 1.0
    visible: bool = True
    credit: StoredCredit = StoredCredit()
    #: members that a later version of the format wrote; written back as they were
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    moment: Optional[str] = None


@dataclass(frozen=True)
class MapExtent:
    """West, south, east, north in longitude and latitude degrees (CRS:84), always."""

    west: float
    south: float
    east: float
    north: float
    #: members that a later version of the format wrote; written back as they were
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class PageSetup:
    """Paper ("A4" to "A0"), orientation ("landscape" | "portrait"), and the name of the layout template."""

    paper: str = "A4"
    orientation: str = "landscape"
    template: str = "guide"
    #: members that a later version of the format wrote; written back as they were
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class SnapshotReference:
    """The snapshot of a map: its folder (absolute, or relative to the document's), and whether the map shows it
    instead of the live services.
    """

    path: str
    in_use: bool = False
    #: members that a later version of the format wrote; written back as they were
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class CustomMap:
    """The whole document. ``overlays`` are bottom first.

    Either ``extent`` or ``centre`` (lon, lat) with ``scale`` is set; an extent with a scale means that scale at the
    extent's centre; neither means the extent of what is shown.
    """

    title: str = ""
    language: str = "es"
    base: Optional[MapEntry] = None
    overlays: Tuple[MapEntry, ...] = ()
    crs: str = "EPSG:25830"
    extent: Optional[MapExtent] = None
    centre: Optional[Tuple[float, float]] = None
    scale: Optional[float] = None
    page: PageSetup = PageSetup()
    #: what a later version of the format wrote and this one does not know; written back as it was
    extra: Mapping[str, Any] = field(default_factory=dict)
    #: the snapshot that was made of the map, if there is one
    snapshot: Optional[SnapshotReference] = None

    @property
    def entries(self) -> Tuple[MapEntry, ...]:
        """Base first, then the overlays, bottom first."""
        return ((self.base,) if self.base else ()) + self.overlays


@dataclass(frozen=True)
class SnapshotSource:
    """Where a layer's pixels are kept: the source as GDAL opens it, the snapshot's folder, and when (ISO 8601)."""

    source: str
    folder: str
    made: str = ""


@dataclass(frozen=True)
class LayerPlan:
    """One QGIS layer to be made: one WMS layer of one service.

    ``address`` is the prefix to ask (own parameters kept); ``crs`` one that the layer offers; ``scale_range`` as
    denominators (largest scale, smallest scale); ``extent`` in CRS:84. ``rights`` is the credit line. ``contacts`` hold
    organisation, individual, position, email, phone, address, url, role; ``links`` name, url, description, protocol,
    format; ``constraints`` are (kind, text) with kind "access", "use", "limitation" or "other".
    """

    address: str
    name: str
    style: str
    format: str
    crs: str
    title: str
    abstract: str = ""
    opacity: float = 1.0
    visible: bool = True
    role: str = "overlay"
    record_id: Optional[str] = None
    service_title: str = ""
    entry_index: int = 0
    keywords: Tuple[str, ...] = ()
    contacts: Tuple[Mapping[str, str], ...] = ()
    rights: Tuple[str, ...] = ()
    licences: Tuple[str, ...] = ()
    constraints: Tuple[Tuple[str, str], ...] = ()
    fees: str = ""
    links: Tuple[Mapping[str, str], ...] = ()
    extent: Optional[MapExtent] = None
    scale_range: Tuple[Optional[float], Optional[float]] = (None, None)
    legend_url: Optional[str] = None
    attribution_url: Optional[str] = None
    feature_info_format: Optional[str] = None
    ignore_operation_addresses: bool = False
    max_width: Optional[int] = None
    max_height: Optional[int] = None
    #: whether the terms ask for the credit: "yes", "no" or "undecided"
    credit_required: str = "undecided"
    #: the moments of the layer's TIME dimension as the service lists them; empty where it has none (06-042 Annex D)
    time_extent: str = ""
    #: of a series, when the layer is drawn; of a TIME dimension, the time that the map shows (UTC, end excluded)
    time_span: Optional[Tuple[datetime, datetime]] = None
    #: parameter and value of each dimension that the service has no default for: without, it answers with an error
    dimension_values: Tuple[Tuple[str, str], ...] = ()
    #: what the record, else the service, says of the whole
    service_abstract: str = ""
    #: the snapshot's raster that the layer shows instead of its live service
    snapshot_source: Optional[SnapshotSource] = None


@dataclass(frozen=True)
class PlanNote:
    """Something the planner had to decide or could not do, told to the person: an entry index and words."""

    text: str
    entry_index: Optional[int] = None
    is_missing: bool = False


@dataclass(frozen=True)
class Plan:
    """What QGIS must do for a custom map: layers bottom first, and notes on what was decided or is missing."""

    title: str
    crs: str
    layers: Tuple[LayerPlan, ...]
    notes: Tuple[PlanNote, ...] = ()
    extent: Optional[MapExtent] = None
    centre: Optional[Tuple[float, float]] = None
    scale: Optional[float] = None
    page: PageSetup = PageSetup()
    language: str = "es"

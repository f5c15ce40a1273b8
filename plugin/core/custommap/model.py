"""The data model of custom maps: the document with base and overlays, and the plan made from it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Any, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from ..pages.leaflet import LeafletTexts
from ..pages.logos import MapLogos
from ..pages.page_features import only_paper
from ..records.model.endpoints import value_for_endpoint
from ..records.model.record import Record
from ..terms.model import Decision, Terms
from ..terms.paper_gate import UnfitCredit
from ..trust.provenance import Trust
from ..wms.model.service import Service

FORMAT = "cartoguide-custommap"
VERSION = 1
#: the code of a map's language
LANGUAGE_PATTERN = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_Service = TypeVar("_Service")


class BlendMode(str, Enum):
    """Ways in which a layer's colours are mixed with those below it, as QGIS has them."""

    NORMAL = "normal"
    LIGHTEN = "lighten"
    SCREEN = "screen"
    DODGE = "dodge"
    ADDITION = "addition"
    DARKEN = "darken"
    MULTIPLY = "multiply"
    BURN = "burn"
    OVERLAY = "overlay"
    SOFT_LIGHT = "soft_light"
    HARD_LIGHT = "hard_light"
    DIFFERENCE = "difference"
    SUBTRACT = "subtract"


class MapRole(str, Enum):
    """Place of a service on the map: below everything else, or above the base."""

    BASE = "base"
    OVERLAY = "overlay"


@dataclass(frozen=True)
class StoredCredit:
    """The part of a record's terms saved in the document, so that a missing record does not lose the credit."""

    line: str = ""
    required: Decision = Decision.UNDECIDED
    licence: Optional[str] = None
    licence_url: Optional[str] = None
    #: unknown members, written by a later version of the format, kept as they are
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    #: what the person has written for lines that may not be printed as they stand, "" for a duty without any line
    answers: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class EntryCredit:
    """The credit of an entry. ``from_document_only``: the record is missing and the document's copy is used.

    ``unfit`` are the lines that may not be printed before the person has completed them. ``answers`` and ``year`` (of
    the data) complete lines of its layers too.
    """

    lines: Tuple[str, ...] = ()
    required: Decision = Decision.UNDECIDED
    from_document_only: bool = False
    unfit: Tuple[UnfitCredit, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict, hash=False)
    year: str = ""


@dataclass(frozen=True)
class LayerLegend:
    """Edits of one layer's place in the legend. Without any of them the legend is as the service has it.

    ``titles`` are by the map's language. ``heading`` is the title, by language, of the group that the layer is in
    instead of its service's. ``position`` orders the layers of the whole legend, the topmost first. ``classes`` are
    titles of the layer's classes by language, by the text that the service has for them.
    """

    titles: Mapping[str, str] = field(default_factory=dict, hash=False)
    heading: Mapping[str, str] = field(default_factory=dict, hash=False)
    hidden: bool = False
    position: Optional[int] = None
    #: unknown members, written by a later version of the format, kept as they are
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    classes: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class EntryLegend:
    """Edits of a service in the legend: its title, and what applies to layers that have none.

    ``layers`` has the edits of single layers by name.
    """

    titles: Mapping[str, str] = field(default_factory=dict, hash=False)
    heading: Mapping[str, str] = field(default_factory=dict, hash=False)
    hidden: bool = False
    position: Optional[int] = None
    layers: Mapping[str, LayerLegend] = field(default_factory=dict, hash=False)
    #: unknown members, written by a later version of the format, kept as they are
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    classes: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)

    def of_layer(self, name: str) -> LayerLegend:
        """Return the edits that apply to the layer called ``name``."""
        own = self.layers.get(name, LayerLegend())
        return LayerLegend(own.titles, own.heading or self.heading, own.hidden or self.hidden,
                           self.position if own.position is None else own.position, own.extra,
                           {**self.classes, **own.classes})


@dataclass(frozen=True)
class MapEntry:
    """One service on the map.

    ``layers`` are bottom first, with one of ``styles`` for each layer ("" is the default style). ``opacity`` is 0 to 1.
    ``format`` may be None and is chosen by the planner then. ``moment`` (ISO 8601) is set where the layers are a time
    series, by their dates or a TIME dimension: the map shows this moment.
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
    #: unknown members, written by a later version of the format, kept as they are
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    moment: Optional[str] = None
    #: names of layers that are not drawn although the service is visible
    hidden: Tuple[str, ...] = ()
    #: opacities of layers whose own differs from the service's, by name
    layer_opacities: Mapping[str, float] = field(default_factory=dict, hash=False)
    #: how the page's legend differs from what the service has
    legend: EntryLegend = EntryLegend()
    #: how the colours of all its layers are mixed with what lies below them
    blend: BlendMode = BlendMode.NORMAL

    def is_visible(self, name: str) -> bool:
        """Return whether the layer called ``name`` is drawn."""
        return self.visible and name not in self.hidden

    def opacity_of(self, name: str) -> float:
        """Return the opacity (0 to 1) of the layer called ``name``."""
        return self.layer_opacities.get(name, self.opacity)

    def with_blend(self, blend: BlendMode) -> MapEntry:
        """Return the entry mixed this way with what lies below it."""
        return replace(self, blend=blend)


@dataclass(frozen=True)
class OwnLayer:
    """A layer of the cartographer's own on the map (points, tracks, boundaries), by reference.

    ``type`` ("vector", "raster", …), ``provider`` and ``source`` are as QGIS names them. A path in ``source`` is
    absolute, or relative to the document's file. ``style`` is QML. ``credit`` is its source line on the page.
    """

    id: str
    name: str
    type: str
    provider: str
    source: str
    style: str = ""
    opacity: float = 1.0
    visible: bool = True
    credit: str = ""
    #: number of the map's services that are drawn before it
    entries_below: int = 0
    #: unknown members, written by a later version of the format, kept as they are
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    #: how the page's legend differs from its name and place
    legend: LayerLegend = LayerLegend()
    #: whether its source may be opened. No part of the document: that says nothing about itself
    trust: Trust = field(default=Trust.OWN, compare=False)
    #: why it is not opened, as a sentence, "" if nobody has been asked yet
    refusal: str = field(default="", compare=False)
    #: what its path led to when somebody agreed to open it, with links followed, "" if nobody was asked
    agreed_file: str = field(default="", compare=False)


def drawing_order(services: Sequence[_Service], own_layers: Sequence[OwnLayer],
                  has_base: bool) -> Tuple[Union[_Service, OwnLayer], ...]:
    """Return services and own layers in the order of drawing, bottom first. Nothing is drawn below a base.

    ``services`` are bottom first, as entries or as what stands for them. This is the one decision about the order:
    composer, layer tree, page and legend go by it.
    """
    order: List[Union[_Service, OwnLayer]] = []
    waiting = sorted(own_layers, key=lambda own: own.entries_below)
    for number, service in enumerate(services):
        while waiting and max(waiting[0].entries_below, int(has_base)) <= number:
            order.append(waiting.pop(0))
        order.append(service)
    return (*order, *waiting)


@dataclass(frozen=True)
class MapExtent:
    """West, south, east and north in degrees of longitude and latitude (CRS:84)."""

    west: float
    south: float
    east: float
    north: float
    #: unknown members, written by a later version of the format, kept as they are
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


class Orientation(str, Enum):
    LANDSCAPE = "landscape"
    PORTRAIT = "portrait"


@dataclass(frozen=True)
class PageSetup:
    """Paper ("A4" to "A0"), orientation, and the name of the layout template.

    ``link`` is a web address that a QR code on the map leads to, or "". ``rotation`` is that of the map on the page in
    degrees, clockwise, from 0 to less than 360, as QGIS's rotation of a layout's map. At 0 the map stays as it is in
    the template. ``leaflet`` has the texts of a leaflet's reverse. ``theme`` names the page's colours and size of type
    (``page_themes``). ``logos`` are those of the map, None for those that the settings name. An empty tuple is a page
    without logos.
    """

    paper: str = "A4"
    orientation: Orientation = Orientation.LANDSCAPE
    template: str = "guide"
    #: unknown members, written by a later version of the format, kept as they are
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    link: str = ""
    rotation: float = 0.0
    leaflet: LeafletTexts = LeafletTexts()
    theme: str = "standard"
    logos: MapLogos = None
    #: the path of a template that somebody agreed to open, and what it led to then, with links followed
    agreed_template: Tuple[str, str] = field(default=("", ""), compare=False)

    @property
    def agreed_file(self) -> str:
        """File that the template's path led to when somebody agreed to open it, "" if nobody was asked about it."""
        path, file = self.agreed_template
        return file if path == self.template else ""

    def on_offered_paper(self) -> PageSetup:
        """Return the page on the only paper that its template exists for, if there is only one. Others stay."""
        only = only_paper(self.template)
        return self if only is None else replace(self, paper=only.paper, orientation=Orientation(only.orientation))


@dataclass(frozen=True)
class SnapshotReference:
    """The snapshot of a map: its folder (absolute, or relative to the document's), and whether the map shows it."""

    path: str
    in_use: bool = False
    #: unknown members, written by a later version of the format, kept as they are
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class CustomMap:
    """The whole document. ``overlays`` are bottom first.

    Either ``extent`` or ``centre`` (lon, lat) with ``scale`` is set. An extent with a scale means that scale at the
    extent's centre. Neither means the extent of what is shown.
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
    #: unknown members, written by a later version of the format, kept as they are
    extra: Mapping[str, Any] = field(default_factory=dict)
    #: the snapshot of the map, if one was taken
    snapshot: Optional[SnapshotReference] = None
    #: those with the same number of entries below bottom first
    own_layers: Tuple[OwnLayer, ...] = ()
    #: keyed digest of what it names, by the profile that saved it (``trust.provenance``)
    seal: str = field(default="", compare=False)
    #: who wrote the document that it was read from. A map that was made here is the profile's own
    trust: Trust = field(default=Trust.OWN, compare=False)
    #: what was changed when it was read or built, as sentences for people
    change_notes: Tuple[str, ...] = field(default=(), compare=False)

    @property
    def entries(self) -> Tuple[MapEntry, ...]:
        """The base, then the overlays, bottom first."""
        return ((self.base,) if self.base else ()) + self.overlays

    @property
    def stack(self) -> Tuple[Union[MapEntry, OwnLayer], ...]:
        """The services and own layers in the order of drawing, bottom first."""
        return drawing_order(self.entries, self.own_layers, self.base is not None)


@dataclass(frozen=True)
class SnapshotDescriptions:
    """Services and records as a snapshot stores them, by endpoint. ``day`` (ISO 8601) is that of the snapshot.

    They describe the snapshot's own map. Anybody may have written them: where a service or its record is known from the
    library, a catalogue or the service itself, they count for a stricter duty only.
    """

    services: Mapping[str, Service] = field(default_factory=dict, hash=False)
    records: Mapping[str, Record] = field(default_factory=dict, hash=False)
    day: str = ""

    def service(self, endpoint: str) -> Optional[Service]:
        """Return the service at ``endpoint``, or None."""
        return value_for_endpoint(self.services, endpoint)

    def record(self, endpoint: str) -> Optional[Record]:
        """Return the record of the service at ``endpoint``, or None."""
        return value_for_endpoint(self.records, endpoint)


#: those of a map that shows no snapshot
NO_DESCRIPTIONS = SnapshotDescriptions()


@dataclass(frozen=True)
class SnapshotSource:
    """The saved raster of a layer: the source as GDAL opens it, the snapshot's folder, and its time (ISO 8601)."""

    source: str
    folder: str
    made: str = ""


@dataclass(frozen=True)
class LayerPlan:
    """One QGIS layer to create: one WMS layer of one service.

    ``address`` is the prefix of requests (own parameters kept). ``crs`` is one that the layer offers. ``scale_range``
    are denominators (largest scale, smallest scale). ``extent`` is in CRS:84. ``rights`` are the credit lines.
    ``contacts`` have the keys organisation, individual, position, email, phone, address, url, role. ``links`` have
    name, url, description, protocol, format. ``constraints`` are (kind, text) with the kinds "access", "use",
    "limitation" and "other".
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
    role: MapRole = MapRole.OVERLAY
    record_id: Optional[str] = None
    service_title: str = ""
    entry_index: int = 0
    keywords: Tuple[str, ...] = ()
    contacts: Tuple[Mapping[str, str], ...] = ()
    rights: Tuple[str, ...] = ()
    #: credits that may not be printed before somebody has completed them
    unfit_credits: Tuple[UnfitCredit, ...] = ()
    licences: Tuple[str, ...] = ()
    constraints: Tuple[Tuple[str, str], ...] = ()
    fees: str = ""
    links: Tuple[Mapping[str, str], ...] = ()
    extent: Optional[MapExtent] = None
    scale_range: Tuple[Optional[float], Optional[float]] = (None, None)
    legend_url: Optional[str] = None
    #: True if the service offers GetLegendGraphic as JSON
    has_json_legend: bool = False
    attribution_url: Optional[str] = None
    feature_info_format: Optional[str] = None
    ignore_operation_addresses: bool = False
    #: the id of the authentication configuration that QGIS sends with every request of the layer, whatever its address
    authcfg: str = ""
    max_width: Optional[int] = None
    max_height: Optional[int] = None
    credit_required: Decision = Decision.UNDECIDED
    #: the extent of the layer's TIME dimension as the service writes it, or empty (06-042 Annex D)
    time_extent: str = ""
    #: the time at which a layer of a series is drawn, or the time shown of a TIME dimension (UTC, end excluded)
    time_span: Optional[Tuple[datetime, datetime]] = None
    #: parameter and value of each dimension without a default: requests without it fail
    dimension_values: Tuple[Tuple[str, str], ...] = ()
    #: abstract of the record, else of the service
    service_abstract: str = ""
    #: the raster of the snapshot that is shown instead of the live service
    snapshot_source: Optional[SnapshotSource] = None
    #: the day of the snapshot whose terms of this layer differ from those known elsewhere, or empty
    stored_terms_day: str = ""
    #: the map's entry that it belongs to
    entry: Optional[MapEntry] = None
    #: how many times as large as on A4 the service is asked to draw its symbols
    symbol_factor: float = 1.0
    blend: BlendMode = BlendMode.NORMAL


class LoginUse(str, Enum):
    """The use of a login where the capabilities name another host than the one that the login is for."""

    #: the addresses on other hosts are not used
    KEPT = "kept"
    #: they are used without the login
    WITHHELD = "withheld"


@dataclass(frozen=True)
class PlanNote:
    """A decision of the planner, or something missing, as a text for people.

    ``login_use`` is set if it is about a login.
    """

    text: str
    entry_index: Optional[int] = None
    is_missing: bool = False
    login_use: Optional[LoginUse] = None


@dataclass(frozen=True)
class Plan:
    """The plan of a custom map: layers bottom first, and notes on decisions and on what is missing."""

    title: str
    crs: str
    layers: Tuple[LayerPlan, ...]
    notes: Tuple[PlanNote, ...] = ()
    extent: Optional[MapExtent] = None
    centre: Optional[Tuple[float, float]] = None
    scale: Optional[float] = None
    page: PageSetup = PageSetup()
    language: str = "es"
    #: the terms of each of the map's entries, None where neither its record nor its service is known
    terms: Tuple[Optional[Terms], ...] = ()
    #: the credit of each of the map's entries
    credits: Tuple[EntryCredit, ...] = ()
    #: for each of the map's entries the terms that its snapshot stores, None where they do not differ from ``terms``
    stored_terms: Tuple[Optional[Terms], ...] = ()
    own_layers: Tuple[OwnLayer, ...] = ()
    #: the edits of the legend of each of the map's entries
    legends: Tuple[EntryLegend, ...] = ()
    #: on a page of one moment of a series: its heading, and the indexes of the layers that change with time
    moment_title: str = ""
    varying_layers: Tuple[int, ...] = ()

    @property
    def order(self) -> Tuple[Union[int, OwnLayer], ...]:
        """The indexes of the map's entries and the own layers in the order of drawing, bottom first."""
        count = max([len(self.terms), *(layer.entry_index + 1 for layer in self.layers)])
        return drawing_order(range(count), self.own_layers, False)

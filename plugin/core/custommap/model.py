"""The data model of custom maps: the document with base and overlays, and the plan made from it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from ..addresses import source_without_secrets
from ..box import Box
from ..i18n import tr
from ..json_document import MAX_PATH, JsonNode, json_number
from ..json_fields import (
    BOOLEAN,
    WEB_ADDRESS,
    ValueKind,
    by_name,
    choice,
    filled_problem,
    integer,
    items,
    json_object,
    matching,
    member,
    not_written_like,
    number,
    object_of,
    one_of,
    pair,
    string,
    unknown_members,
)
from ..page_design.page_themes import STANDARD
from ..pages.leaflet import LeafletTexts
from ..pages.logos import MapLogos
from ..pages.page_feature import PageProblem
from ..pages.page_features import only_paper, with_members
from ..records.model.endpoints import value_for_endpoint
from ..records.model.record import Record
from ..sources.layer_source import LayerSource, WmsSource
from ..terms.model import Decision, Terms
from ..terms.paper_gate import UnfitCredit
from ..text import single_line
from ..trust.files import is_local_path
from ..trust.provenance import Trust
from ..wms.dimensions.iso8601 import parse_time
from ..wms.model.service import Service

FORMAT = "cartoguide-custommap"
#: the kind of an entry that names none, and the most characters of one
WMS, MAX_KIND = "wms", 60
VERSION = 1
#: the code of a map's language
LANGUAGE_PATTERN = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
PAPERS = ("A0", "A1", "A2", "A3", "A4", "A5")
MAX_OVERLAYS, MAX_LAYERS, MAX_OWN_LAYERS = 500, 5_000, 200
#: texts of one own layer's terms
MAX_LICENCES = 50
#: characters of one own layer's style
MAX_STYLE = 500_000
#: characters of a seal
MAX_SEAL = 200
#: lines of a credit that a person has completed, and characters of one
MAX_ANSWERS, MAX_ANSWER = 40, 2_000
#: the highest position in the order of a legend, and characters of a title or heading in it
MAX_POSITION, MAX_LEGEND_TITLE = 100_000, 300
#: languages of one title of a legend
_MAX_LANGUAGES = 40
#: renamed classes of one layer, and characters of a class's text
_MAX_CLASSES, _MAX_CLASS_TEXT = 500, 1_000
_CRS = re.compile(r"[A-Za-z][\w.+-]*:[^\s\"'<>]{1,180}")
_PROVIDER = re.compile(r"[A-Za-z][\w-]{0,39}")
_TEMPLATE = re.compile(r"[\w][\w .-]{0,79}")
_THEME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_TEMPLATE_SUFFIX = ".qpt"
_Service = TypeVar("_Service")


def legend_title(title: str) -> str:
    """Return ``title`` as a title or heading in the legend: on one line and not longer than the document allows."""
    return single_line(title)[:MAX_LEGEND_TITLE].strip()


_TITLES_WITH_EMPTY = by_name(string(MAX_LEGEND_TITLE, clean=legend_title), _MAX_LANGUAGES, lambda language: (
    "" if LANGUAGE_PATTERN.fullmatch(language) else not_written_like("es", language)))
#: texts by language, each on one line, without empty ones
_TITLES = ValueKind(lambda node, key: {language: title for language, title in _TITLES_WITH_EMPTY.read(node, key).items()
                                  if title}, dict)
_CLASSES = by_name(_TITLES, _MAX_CLASSES)


def _read_classes(node: JsonNode, key: str) -> Mapping[str, Mapping[str, str]]:
    """Return the titles of classes by their own texts, without those that have none."""
    return {name: titles for name, titles in _CLASSES.read(node, key).items()
            if titles and len(name) <= _MAX_CLASS_TEXT}


def _read_blend(node: JsonNode, key: str) -> BlendMode:
    """Return how an entry is mixed with what lies below it. A way that is not known is the normal one."""
    value = node.text(key)
    return next((mode for mode in BlendMode if mode.value == value), BlendMode.NORMAL)


def _moment_problem(value: str) -> str:
    return not_written_like("2016-06-03", value) if value and parse_time(value) is None else ""


def _template_problem(value: str) -> str:
    """Return the problem of what is neither a bundled template's name nor the path of the person's own, or ""."""
    if value.lower().endswith(_TEMPLATE_SUFFIX):
        return "" if is_local_path(value) else tr("must be a file of this computer")
    return "" if _TEMPLATE.fullmatch(value) else not_written_like("guide", value)


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


@json_object
class StoredCredit:
    """The part of a record's terms saved in the document, so that a missing record does not lose the credit."""

    line: str = member(string(), default="")
    required: Decision = member(choice(Decision), default=Decision.UNDECIDED)
    licence: Optional[str] = member(string(), default=None)
    licence_url: Optional[str] = member(ValueKind(lambda node, key: node.web_address(key) if node.text(key) else ""),
                                        default=None)
    extra: Mapping[str, Any] = unknown_members()
    #: what the person has written for lines that may not be printed as they stand, "" for a duty without any line
    answers: Mapping[str, str] = member(by_name(string(MAX_ANSWER), MAX_ANSWERS), default={}, sparse=True)
    #: the words that restrict the use of data, whose record is not that of the entry
    limits: Tuple[str, ...] = member(items(string(MAX_ANSWER), MAX_ANSWERS), default=(), sparse=True)


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


@json_object
class LayerLegend:
    """Edits of one layer's place in the legend. Without any of them the legend is as the service has it.

    ``titles`` are by the map's language. ``heading`` is the title, by language, of the group that the layer is in
    instead of its service's. ``position`` orders the layers of the whole legend, the topmost first. ``classes`` are
    titles of the layer's classes by language, by the text that the service has for them.
    """

    titles: Mapping[str, str] = member(_TITLES, default={}, sparse=True)
    heading: Mapping[str, str] = member(_TITLES, default={}, sparse=True)
    hidden: bool = member(BOOLEAN, default=False, sparse=True)
    position: Optional[int] = member(integer(0, MAX_POSITION), default=None, sparse=True)
    extra: Mapping[str, Any] = unknown_members()
    classes: Mapping[str, Mapping[str, str]] = member(ValueKind(_read_classes, _CLASSES.write), default={}, sparse=True)


@json_object
class EntryLegend:
    """Edits of a service in the legend: its title, and what applies to layers that have none.

    ``layers`` has the edits of single layers by name.
    """

    titles: Mapping[str, str] = member(_TITLES, default={}, sparse=True)
    heading: Mapping[str, str] = member(_TITLES, default={}, sparse=True)
    hidden: bool = member(BOOLEAN, default=False, sparse=True)
    position: Optional[int] = member(integer(0, MAX_POSITION), default=None, sparse=True)
    layers: Mapping[str, LayerLegend] = member(by_name(object_of(LayerLegend), MAX_LAYERS), default={}, sparse=True,
                                               order=1)
    extra: Mapping[str, Any] = unknown_members()
    classes: Mapping[str, Mapping[str, str]] = member(ValueKind(_read_classes, _CLASSES.write), default={}, sparse=True)

    def of_layer(self, name: str) -> LayerLegend:
        """Return the edits that apply to the layer called ``name``."""
        own = self.layers.get(name, LayerLegend())
        return LayerLegend(own.titles, own.heading or self.heading, own.hidden or self.hidden,
                           self.position if own.position is None else own.position, own.extra,
                           {**self.classes, **own.classes})


@json_object
class MapEntry:
    """One service on the map.

    ``layers`` are bottom first, with one of ``styles`` for each layer ("" is the default style). ``opacity`` is 0 to 1.
    ``format`` may be None and is chosen by the planner then. ``moment`` (ISO 8601) is set where the layers are a time
    series, by their dates or a TIME dimension: the map shows this moment.
    """

    endpoint: str = member(WEB_ADDRESS)
    title: str = member(string(), default="")
    record_id: Optional[str] = member(string(), default=None, order=-1)
    layers: Tuple[str, ...] = member(
        items(string(problem=lambda name: "" if name else tr("must not be empty")), MAX_LAYERS), default=())
    styles: Tuple[str, ...] = member(items(string(), MAX_LAYERS), default=())
    format: Optional[str] = member(string(), default=None)
    opacity: float = member(number(0, 1), default=1.0)
    visible: bool = member(BOOLEAN, default=True)
    credit: StoredCredit = member(object_of(StoredCredit), default=StoredCredit())
    extra: Mapping[str, Any] = unknown_members()
    moment: Optional[str] = member(string(problem=_moment_problem), default=None, sparse=True)
    #: names of layers that are not drawn although the service is visible
    hidden: Tuple[str, ...] = member(items(string(), MAX_LAYERS), default=(), sparse=True)
    #: opacities of layers whose own differs from the service's, by name
    layer_opacities: Mapping[str, float] = member(by_name(number(0, 1), MAX_LAYERS), default={}, sparse=True)
    #: names that layers were given in QGIS's layer tree, by the layers' names at the service
    names: Mapping[str, str] = member(by_name(string(MAX_LEGEND_TITLE, clean=legend_title), MAX_LAYERS), default={},
                                      sparse=True)
    #: names of layers that QGIS has as private: they are drawn, and are in no list of layers nor in the legend
    private: Tuple[str, ...] = member(items(string(), MAX_LAYERS), default=(), sparse=True)
    #: how the page's legend differs from what the service has
    legend: EntryLegend = member(object_of(EntryLegend), default=EntryLegend(), sparse=True, order=1)
    #: how the colours of all its layers are mixed with what lies below them
    blend: BlendMode = member(ValueKind(_read_blend, lambda blend: blend.value), default=BlendMode.NORMAL, sparse=True)
    #: the kind of its source. A later version may have written others, which are kept and not drawn
    kind: str = member(string(MAX_KIND), default=WMS, sparse=True)
    #: credits that data sets ask for by whose records it was added
    data_credits: Tuple[StoredCredit, ...] = member(items(object_of(StoredCredit), MAX_LAYERS), default=(),
                                                    sparse=True)

    @property
    def refusal(self) -> str:
        """The reason why it cannot be drawn, as a sentence, or ""."""
        return "" if self.kind == WMS else tr(
            "This version of Cartoguide does not draw sources of the kind “{kind}”. Update Cartoguide.",
            kind=single_line(self.kind))

    def record_in(self, records: Mapping[str, Record]) -> Optional[Record]:
        """Return its record of those by endpoint and, where services share an endpoint, by identifier, or None."""
        named = records.get(self.record_id or "")
        return named if named is not None and named.id == self.record_id else value_for_endpoint(records, self.endpoint)

    def as_read(self, node: JsonNode) -> MapEntry:
        """Return the entry. Raises InvalidDocument if its layers and styles are not as many."""
        if self.styles and len(self.styles) != len(self.layers):
            raise node.error("styles", tr("must have one style for each layer: {styles} for {layers}",
                                          styles=len(self.styles), layers=len(self.layers)))
        return replace(self, moment=self.moment or None, kind=self.kind or WMS)

    def is_visible(self, name: str) -> bool:
        """Return whether the layer called ``name`` is drawn."""
        return self.visible and name not in self.hidden

    def is_hidden(self, names: Sequence[str]) -> bool:
        """Return whether nothing is drawn of the service, which has the layers ``names`` if the entry names none."""
        names = self.layers or names
        return not self.visible or (bool(names) and not any(map(self.is_visible, names)))

    def opacity_of(self, name: str) -> float:
        """Return the opacity (0 to 1) of the layer called ``name``."""
        return self.layer_opacities.get(name, self.opacity)

    def with_blend(self, blend: BlendMode) -> MapEntry:
        """Return the entry mixed this way with what lies below it."""
        return replace(self, blend=blend)


@json_object
class OwnLayer:
    """A layer of the cartographer's own on the map (points, tracks, boundaries), by reference.

    ``type`` ("vector", "raster", …), ``provider`` and ``source`` are as QGIS names them. A path in ``source`` is
    absolute, or relative to the document's file. ``style`` is QML. ``credit`` is its source line on the page.
    """

    id: str = member(string(problem=filled_problem))
    name: str = member(string(), absent="")
    type: str = member(matching(_PROVIDER, "vector"), absent="vector")
    provider: str = member(matching(_PROVIDER, "ogr"), absent="ogr")
    source: str = member(string(problem=filled_problem, clean=source_without_secrets))
    style: str = member(string(MAX_STYLE), default="")
    opacity: float = member(number(0, 1), default=1.0)
    visible: bool = member(BOOLEAN, default=True)
    credit: str = member(string(), default="")
    #: number of the map's services that are drawn before it
    entries_below: int = member(integer(0, 2 * MAX_OVERLAYS), default=0)
    extra: Mapping[str, Any] = unknown_members()
    #: QGIS has it as private: it is drawn, and is in no list of layers nor in the legend
    private: bool = member(BOOLEAN, default=False, sparse=True)
    #: reference system that it was given in QGIS, where its source has another one or none
    crs: str = member(matching(_CRS, "EPSG:25830"), default="", sparse=True)
    #: how the page's legend differs from its name and place
    legend: LayerLegend = member(object_of(LayerLegend), default=LayerLegend(), sparse=True)
    #: it has no credit, and its terms require one or may do so
    credit_owed: bool = member(BOOLEAN, default=False, sparse=True)
    #: why what its service says of its terms could not be read completely, as a sentence, or ""
    terms_gap: str = member(string(), default="", sparse=True)
    #: what its terms say, as the map prints it: a licence with its address, or texts about use
    licences: Tuple[str, ...] = member(items(string(), MAX_LICENCES), default=(), sparse=True)
    #: whether its source may be opened. No part of the document: that says nothing about itself
    trust: Trust = field(default=Trust.OWN, compare=False)
    #: why it is not opened, as a sentence, "" if nobody has been asked yet
    refusal: str = field(default="", compare=False)
    #: what its path led to when somebody agreed to open it, with links followed, "" if nobody was asked
    agreed_file: str = field(default="", compare=False)

    @property
    def origin(self) -> LayerSource:
        # the plugin's start needs this module, and not the readers of the kinds' documents
        from ..sources.kinds import read_source
        return read_source(self.provider, self.source)

    @property
    def moment(self) -> str:
        """The time (ISO 8601) that its tiles show, or ""."""
        from ..sources.kinds import tile_time
        return tile_time(self.origin)

    def as_read(self, _node: JsonNode) -> OwnLayer:
        """Return the layer as one that nobody has agreed to open yet."""
        return replace(self, trust=Trust.FOREIGN)


def drawing_order(services: Sequence[_Service], own_layers: Sequence[OwnLayer],
                  has_base: bool) -> Tuple[Union[_Service, OwnLayer], ...]:
    """Return services and own layers in the order of drawing, bottom first. Nothing is drawn below a base.

    ``services`` are bottom first, as entries or as what stands for them. This is the one decision about the order:
    composer, layer tree, page and legend go by it.
    """
    order: List[Union[_Service, OwnLayer]] = []
    waiting = sorted(own_layers, key=lambda own: own.entries_below)
    for index, service in enumerate(services):
        while waiting and max(waiting[0].entries_below, int(has_base)) <= index:
            order.append(waiting.pop(0))
        order.append(service)
    return (*order, *waiting)


@json_object
class MapExtent:
    """Extent of a custom map as its document has it, in degrees. Whatever is computed of it is a ``Box``."""

    west: float = member(number(-180, 180))
    south: float = member(number(-90, 90))
    #: beyond 180 across the antimeridian
    east: float = member(number(-180, 540))
    north: float = member(number(-90, 90))
    extra: Mapping[str, Any] = unknown_members()

    @classmethod
    def of(cls, box: Box) -> MapExtent:
        """Return the extent of a document for a box in degrees, which on a canvas may be larger than the world."""
        whole = box.unwrapped
        south, north = max(whole.south, -90.0), min(whole.north, 90.0)
        if whole.width >= 360:
            return cls(-180.0, south, 180.0, north)
        turns = 360 * math.floor((whole.west + 180) / 360)
        return cls(whole.west - turns, south, whole.east - turns, north)

    @property
    def box(self) -> Box:
        return Box(self.west, self.south, self.east, self.north)

    def as_read(self, node: JsonNode) -> MapExtent:
        """Return the extent. Raises InvalidDocument if it has no area."""
        if self.west >= self.east:
            raise node.error("east", tr("must lie east of “west” ({west})", west=f"{self.west:g}"))
        if self.south >= self.north:
            raise node.error("north", tr("must lie north of “south” ({south})", south=f"{self.south:g}"))
        return self


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
    extra: Mapping[str, Any] = unknown_members()
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


@json_object
class SnapshotReference:
    """The snapshot of a map: its folder (absolute, or relative to the document's), and whether the map shows it."""

    path: str = member(string(MAX_PATH, lambda path: "" if is_local_path(path) else tr(
        "must be a folder of this computer")))
    in_use: bool = member(BOOLEAN, default=False)
    extra: Mapping[str, Any] = unknown_members()


#: in the order in which they are written. Those of newer page features follow
_PAGE_MEMBERS = tuple(dict.fromkeys(("paper", "orientation", "template", "link", "rotation", "leaflet", "theme",
                                     "logos", *(feature.member for feature in with_members()))))
_PAGE_KINDS = {"paper": one_of(PAPERS), "orientation": choice(Orientation),
               "template": string(MAX_PATH, _template_problem), "theme": matching(_THEME, STANDARD),
               "rotation": ValueKind(lambda node, key: node.number(key, -360, 360) % 360, json_number)}


def _read_page(page: JsonNode, key: str) -> PageSetup:
    """Return the page. Its features read their own members."""
    node = page.child(key)
    if node is None:
        return PageSetup()
    values = {feature.member: feature.read(node) for feature in with_members() if feature.read is not None}
    values.update((name, kind.read(node, name)) for name, kind in _PAGE_KINDS.items()
                  if node.value.get(name) is not None)
    return PageSetup(extra=node.unknown_members(_PAGE_MEMBERS), **values)


def _page_members(page: PageSetup) -> Dict[str, Any]:
    members = {feature.member: feature.write(getattr(page, feature.member))
               for feature in with_members() if feature.write is not None}
    members.update((name, kind.write(getattr(page, name))) for name, kind in _PAGE_KINDS.items())
    members.update(rotation=members["rotation"] or None, theme=page.theme if page.theme != STANDARD else None)
    written = {name: members[name] for name in _PAGE_MEMBERS if members[name] is not None}
    return {**written, **{name: value for name, value in page.extra.items() if name not in written}}


@json_object
class CustomMap:
    """The whole document. ``overlays`` are bottom first.

    Either ``extent`` or ``centre`` (lon, lat) with ``scale`` is set. An extent with a scale means that scale at the
    extent's centre. Neither means the extent of what is shown.
    """

    title: str = member(string(), default="")
    language: str = member(matching(LANGUAGE_PATTERN, "es"), default="es")
    base: Optional[MapEntry] = member(object_of(MapEntry), default=None)
    overlays: Tuple[MapEntry, ...] = member(items(object_of(MapEntry), MAX_OVERLAYS), default=())
    crs: str = member(matching(_CRS, "EPSG:25830"), default="EPSG:25830")
    extent: Optional[MapExtent] = member(object_of(MapExtent), default=None)
    centre: Optional[Tuple[float, float]] = member(pair((-180, 180), (-90, 90)), default=None)
    scale: Optional[float] = member(number(1, 1e9), default=None)
    page: PageSetup = member(ValueKind(_read_page, _page_members), default=PageSetup())
    extra: Mapping[str, Any] = unknown_members()
    #: the snapshot of the map, if one was taken
    snapshot: Optional[SnapshotReference] = member(object_of(SnapshotReference), default=None, sparse=True)
    #: those with the same number of entries below bottom first
    own_layers: Tuple[OwnLayer, ...] = member(items(object_of(OwnLayer), MAX_OWN_LAYERS), default=(), sparse=True)
    #: keyed digest of what it names, by the profile that saved it (``trust.provenance``)
    seal: str = member(string(MAX_SEAL), default="", sparse=True, compare=False)
    #: who wrote the document that it was read from. A map that was made here is the profile's own
    trust: Trust = field(default=Trust.OWN, compare=False)
    #: what was changed when it was read or built, as sentences for people
    change_notes: Tuple[str, ...] = field(default=(), compare=False)
    #: centre and scale are those that fit the page to the base. Nobody has chosen them
    fitted: bool = member(BOOLEAN, default=False, sparse=True)

    def as_read(self, node: JsonNode) -> CustomMap:
        """Return the map as one of somebody else. Raises InvalidDocument if two own layers have one id."""
        identifiers = [own.id for own in self.own_layers]
        for position, identifier in enumerate(identifiers):
            if identifier in identifiers[:position]:
                raise node.error(f"own_layers/{position}/id",
                                 tr("is that of another layer: {value}", value=identifier[:60]))
        return replace(self, trust=Trust.FOREIGN)

    @property
    def entries(self) -> Tuple[MapEntry, ...]:
        """The base, then the overlays, bottom first."""
        return ((self.base,) if self.base else ()) + self.overlays

    def with_entries(self, entries: Sequence[MapEntry]) -> CustomMap:
        """Return the map with others in place of its entries. The first is the base if it has one."""
        count = 1 if self.base else 0
        return replace(self, base=entries[0] if count else None, overlays=tuple(entries[count:]))

    @property
    def has_visible_base(self) -> bool:
        """True if there is a base that is not hidden, nor all of its layers."""
        return self.base is not None and not self.base.is_hidden(())

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
    """One QGIS layer to create, such as one layer of a WMS.

    ``source`` is what it is made from: a LayerSource for a layer that QGIS has already. ``scale_range`` are
    denominators (largest scale, smallest scale). ``extent`` is in CRS:84. ``rights`` are the credit lines.
    ``contacts`` have the keys organisation, individual, position, email, phone, address, url, role. ``links`` have
    name, url, description, protocol, format. ``constraints`` are (kind, text) with the kinds "access", "use",
    "limitation" and "other".
    """

    source: Union[WmsSource, LayerSource]
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
    extent: Optional[Box] = None
    scale_range: Tuple[Optional[float], Optional[float]] = (None, None)
    attribution_url: Optional[str] = None
    credit_required: Decision = Decision.UNDECIDED
    #: the time at which a layer of a series is drawn, or the time shown of a TIME dimension (UTC, end excluded). None
    #: where the service's default is shown
    time_span: Optional[Tuple[datetime, datetime]] = None
    #: what is shown of a series or of a TIME dimension: the value as the service writes it, or the day, month or year
    moment: str = ""
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
    #: the name that it was given in QGIS's layer tree, or empty
    given_name: str = ""
    #: QGIS has it as private: it is drawn, and is not in the legend
    private: bool = False
    #: it is drawn pale and grey, as the ground below a series that is multiplied
    is_pale: bool = False
    #: False where the colours of its legend are not those of the map
    in_legend: bool = True
    #: its image lets nothing through of what lies below
    opaque: bool = False
    #: its service is shown as a time series, or as one of the layers of a series
    of_series: bool = False

    @property
    def is_in_series(self) -> bool:
        """True if it shows a moment of a series, which has no colour where it has no value."""
        return self.of_series or bool(self.moment)

    @property
    def label(self) -> str:
        """The name that people know it by: the one that they gave it, else its title."""
        return self.given_name or self.title or self.name

    @property
    def address(self) -> str:
        """The address of its service or file."""
        return self.source.address

    @property
    def name(self) -> str:
        """The layer's name in its service, or ""."""
        return self.source.name if isinstance(self.source, WmsSource) else next(iter(self.source.names), "")

    @property
    def wms(self) -> Optional[WmsSource]:
        """Its source, if that is a WMS."""
        return self.source if isinstance(self.source, WmsSource) else None

    @property
    def time_extent(self) -> str:
        """The extent of its TIME dimension, whose moments its service is asked for, or ""."""
        return self.source.time_extent if isinstance(self.source, WmsSource) else ""


class LoginUse(str, Enum):
    """The use of a login where the capabilities name another host than the one that the login is for."""

    #: the addresses on other hosts are not used
    KEPT = "kept"
    #: they are used without the login
    WITHHELD = "withheld"


@dataclass(frozen=True)
class PlanNote:
    """A decision of the planner, or something missing, as a text for people.

    ``login_use`` is set if it is about a login, ``reason`` if a whole service is missing: the part of ``text`` that
    other services may have too.
    """

    text: str
    entry_index: Optional[int] = None
    is_missing: bool = False
    login_use: Optional[LoginUse] = None
    reason: str = ""


@dataclass(frozen=True)
class Plan:
    """The plan of a custom map: layers bottom first, and notes on decisions and on what is missing."""

    title: str
    crs: str
    layers: Tuple[LayerPlan, ...]
    notes: Tuple[PlanNote, ...] = ()
    extent: Optional[Box] = None
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
    #: the number of that moment, and how many there are, None where it is not one of several pages
    moment_number: Optional[Tuple[int, int]] = None
    #: what the layers that change with time show, without their dates
    series_title: str = ""
    varying_layers: Tuple[int, ...] = ()
    #: on the overview of a map book: the area of its sheets in ``crs``, with a margin
    sheets_area: Optional[Box] = None
    #: why the map is printed as a guide map and not on the page that its document asks for, and what that lacks
    replaced_page: Optional[PageProblem] = None
    #: the document has a base that is not hidden, also one that could not be made
    has_base: bool = False
    #: False where the document has no title, and ``title`` is the one that a map has until somebody gives it another
    is_title_given: bool = True
    #: ``centre`` and ``scale`` are those that fit the page to what is on it, and nobody has chosen them
    is_fitted: bool = False

    @property
    def order(self) -> Tuple[Union[int, OwnLayer], ...]:
        """The indexes of the map's entries and the own layers in the order of drawing, bottom first."""
        count = max([len(self.terms), *(layer.entry_index + 1 for layer in self.layers)])
        return drawing_order(range(count), self.own_layers, False)

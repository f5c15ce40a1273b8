"""The planner: a custom map, its services and records become one QGIS layer for each WMS layer, nothing silently
missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Callable, Collection, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import urlsplit, urlunsplit

from ..addresses import host_of_address, is_internal_host, is_web_address
from ..box import Box
from ..dates import format_date
from ..distributions.record_distributions import describes_endpoint
from ..errors import CartoguideError, InvalidRequest
from ..i18n import tr
from ..pages.page_features import shows_all_moments, unmet_need
from ..records.model.endpoints import normalise_endpoint, value_for_endpoint
from ..records.model.record import Record
from ..sources.layer_source import WmsSource
from ..terms import DEFAULT_SETTINGS, TermsSettings, terms_for
from ..terms.credit_duty import CreditDuty, duty_of_terms, keeps_terms, same_terms
from ..terms.labels import incomplete_terms_text
from ..terms.model import Terms
from ..terms.paper_gate import unfit_reasons
from ..text import MAX_TITLE, bounded_title, list_quoted_names, printable, single_line
from ..wms.crs.codes import advertised_crs, is_automatic_crs, normalise_crs
from ..wms.dimensions.declared_dimensions import parameter_name, select_dimension_values, shown_time
from ..wms.dimensions.time_series import TimeSeriesEntry, time_dimension_extent
from ..wms.model.protocol import IDENTIFYING_PARAMETERS
from ..wms.model.service import Layer, LinkedDocument, Service, Style
from ..wms.requests.urls import query_parameters, split_address, url_prefix
from ..wms.responses.style_rules import JSON_LEGEND_FORMAT
from . import layer_metadata
from .model import (
    NO_DESCRIPTIONS,
    BlendMode,
    CustomMap,
    EntryCredit,
    LayerPlan,
    LoginUse,
    MapEntry,
    MapRole,
    OwnLayer,
    Plan,
    PlanNote,
    SnapshotDescriptions,
)
from .moments import has_series, lacks_place, plan_multiples
from .time_selection import ShownMoment, blended_series, is_below_series, is_series, layers_at_one_time, select_moment

#: formats for GetFeatureInfo, best first: with geometry and attributes, then readable text
_INFO_FORMATS = ("application/vnd.ogc.gml", "application/vnd.ogc.gml/3.1.1", "text/xml; subtype=gml/3.1.1",
                 "application/gml+xml", "application/geo+json", "application/geojson", "application/json", "text/html",
                 "text/plain")
#: formats with transparency, best first (GIF has one transparent colour and 256 in all)
_TRANSPARENT = ("image/png", "image/png; mode=32bit", "image/png32", "image/webp", "image/png; mode=8bit", "image/png8",
                "image/vnd.jpeg-png", "image/vnd.jpeg-png8", "image/gif")
_OPAQUE = ("image/jpeg", "image/jpg")
#: other formats that QGIS reads
_OTHER_FORMATS = ("image/png; mode=24bit", "image/png24", "image/jpeg", "image/jpg", "image/tiff", "image/bmp")
#: the same grid under several codes: axes in another order, or another name for the same projection
_EQUIVALENT_CODES: Tuple[Tuple[str, ...], ...] = (("EPSG:3857", "EPSG:900913", "EPSG:102100", "EPSG:3785",
                                                   "EPSG:102113"), ("EPSG:4326", "CRS:84"),
                                                  ("EPSG:4258", "EPSG:4326", "CRS:84"), ("EPSG:2154", "EPSG:102110"),
                                                  )
#: UTM codes as (first code, first zone, last zone), best first: easting first, ETRS89 and WGS 84 before ED50
_UTM_NORTH: Tuple[Tuple[int, int, int], ...] = (
    (25828, 28, 38), (32601, 1, 60), (3038, 26, 39), (4082, 27, 28), (23028, 28, 38))
_UTM_SOUTH: Tuple[Tuple[int, int, int], ...] = ((32701, 1, 60),)
_WEB_MERCATOR_CODES = ("EPSG:3857", "EPSG:3785", "EPSG:102100", "EPSG:900913")
_GEOGRAPHIC_CODES = ("EPSG:4258", "CRS:84", "EPSG:4326", "EPSG:4269", "EPSG:4230")
#: Lambert azimuthal equal area for Europe (north first, FACTS of its registry entry)
_EUROPE_EXTENT = Box(-25.0, 30.0, 45.0, 72.0)


def drawable_layers(service: Service) -> List[Layer]:
    """Return every layer that can be requested and draws something, bottom first.

    A named layer with named children (MapServer names its root and makes it queryable) is an image of all of them. It
    would repeat its children and hide their legends and scale ranges, so only leaves are returned. They are in the
    document's order: servers list layers as they draw them, and the first one is at the bottom (as in a request's list,
    7.3.3.3). A group whose children have no names is requested as a whole.
    """
    return drawable_in(service.root) if service.root is not None else []


def drawable_in(layer: Layer) -> List[Layer]:
    """Return the layers that a group stands for, bottom first (see ``drawable_layers``), or the layer itself."""
    return [below for below in layer.walk() if below.name and not _has_named_child(below)]


def select_layers(service: Service, names: Sequence[str]) -> Tuple[List[Layer], List[str]]:
    """Return the layers called ``names`` in that order (bottom first), and the names that the service does not have.

    A named group among them is one layer. Without names, all of ``drawable_layers`` are returned.
    """
    if not names:
        return drawable_layers(service), []
    layers, missing = [], []
    for name in names:
        layer = service.layer(name)
        if layer is None:
            missing.append(name)
        else:
            layers.append(layer)
    return layers, missing


def ground_layers(service: Service, names: Sequence[str] = ()) -> Tuple[str, ...]:
    """Return the layers of a base that are the ground of its lines and names: all up to the topmost opaque one.

    That is the lowest one alone where none is declared opaque.
    """
    layers = select_layers(service, names)[0]
    operation = service.operation("GetMap")
    formats = operation.formats if operation is not None else ()
    is_opaque = bool(formats) and not any(map(supports_transparency, formats))
    top = max((number for number, layer in enumerate(layers) if layer.opaque or is_opaque), default=0)
    return tuple(layer.name or "" for layer in layers[:top + 1])


def select_style(layer: Layer, wanted: str) -> Tuple[str, bool]:
    """Return the style to request, and whether it is ``wanted``. An empty text is the layer's default style (7.3.3.4).
    """
    if not wanted or layer.style(wanted) is not None:
        return wanted, True
    return "", wanted.lower() == "default"


def legend_graphic(layer: Layer, style: str) -> Optional[LinkedDocument]:
    """Return the legend graphic of a style, of the default one where ``style`` is empty, or None."""
    default = layer.style("default") or next(iter(layer.styles), None)
    chosen: Optional[Style] = layer.style(style) if style else default
    legends = chosen.legends if chosen else ()
    return next((item for item in legends if item.url.lower().startswith(("http://", "https://"))), None)


def feature_info_format(service: Service, layer: Layer) -> Optional[str]:
    """Return the media type for GetFeatureInfo as advertised, or None where the layer is not queryable."""
    operation = service.operation("GetFeatureInfo")
    if not layer.queryable or operation is None:
        return None
    offered = {"".join(name.lower().split()): name for name in reversed(operation.formats)}
    for name in _INFO_FORMATS:
        media_type = offered.get("".join(name.split()))
        if media_type:
            return media_type
    return next(iter(operation.formats), None)


def _has_named_child(layer: Layer) -> bool:
    return any(below.name for child in layer.layers for below in child.walk())


def best_format(offered: Sequence[str], opaque: bool, wanted: Optional[str] = None) -> Optional[str]:
    """Return the format to request, as the service spells it, or None where QGIS reads none of the offered ones.

    ``wanted`` is the document's choice, which is taken if the service offers it. Otherwise layers that the service
    calls opaque are requested as JPEG, which is smaller, and all others as PNG with transparency. Even the base of a
    map is, unless it is opaque: JPEG would fill its gaps and blur its text.
    """
    if wanted:
        chosen = advertised_format(offered, wanted)
        if chosen:
            return chosen
    order: List[str] = [*(_OPAQUE if opaque else ()), *_TRANSPARENT, *_OTHER_FORMATS]
    for name in order:
        chosen = advertised_format(offered, name)
        if chosen:
            return chosen
    return next((name for name in offered if normalise_media_type(name).startswith("image/png")), None)


def advertised_format(offered: Sequence[str], name: str) -> Optional[str]:
    """Return the spelling in which a format is offered, or None. Case and spaces make no difference."""
    return next((item for item in offered if normalise_media_type(item) == normalise_media_type(name)), None)


def supports_transparency(name: str) -> bool:
    """Return true where images of this format can show the layers below."""
    return normalise_media_type(name) in {normalise_media_type(item) for item in _TRANSPARENT
                                          } or (normalise_media_type(name).startswith("image/png") and "24" not in name)


def normalise_media_type(name: str) -> str:
    """Return a media type in lower case without spaces."""
    return re.sub(r"\s+", "", name).lower()


def best_crs(layer: Layer, map_crs: str, area: Optional[Box] = None) -> Optional[str]:
    """Return the CRS in which to request ``layer``, as the service spells it, or None where none can be requested.

    The layer's own and inherited CRSs count (06-042 7.2.4.6.7). The order is: first the map's CRS, second the same grid
    under another code (swapped axes, an older name), third the UTM zone of the area (easting first, ETRS89 and WGS 84
    before ED50), fourth the European equal-area grid within Europe, fifth a neighbouring UTM zone if the area is within
    6 degrees of its meridian, then web Mercator, degrees, and the first one offered.

    ``area`` is in CRS:84. Without it the zone of the map's CRS counts.
    """
    spelling: Dict[str, str] = {}
    for code in layer.crs:
        spelling.setdefault(normalise_crs(code), code)
    map_crs_spelling = advertised_crs(layer, map_crs)
    if map_crs_spelling is not None:
        return map_crs_spelling
    for find in (_equivalent_crs, _regional_crs, _global_crs):
        chosen = find(spelling, normalise_crs(map_crs), area)
        if chosen is not None:
            return spelling[chosen]
    return next((code for name, code in spelling.items() if not is_automatic_crs(name)), None)


def same_crs(first: str, second: str) -> bool:
    """Return true where two spellings name one CRS. EPSG:4326 and CRS:84 are different: their axes differ."""
    return normalise_crs(first) == normalise_crs(second)


def utm_zone(crs: str) -> Optional[int]:
    """Return the UTM zone of a known code, positive in the north and negative in the south, or None."""
    match = re.fullmatch(r"EPSG:(\d+)", normalise_crs(crs))
    if not match:
        return None
    code = int(match.group(1))
    for sign, families in ((1, _UTM_NORTH), (-1, _UTM_SOUTH)):
        for start, first, last in families:
            if start <= code <= start + last - first:
                return sign * (first + code - start)
    return None


def _equivalent_crs(offered: Dict[str, str], map_crs: str, area: Optional[Box]) -> Optional[str]:
    for twins in _EQUIVALENT_CODES:
        if map_crs in twins:
            equivalent = next((code for code in twins if code in offered), None)
            if equivalent:
                return equivalent
    zone = utm_zone(map_crs)
    if zone is None:
        return None
    # 25830 and 3042 are one grid with its axes swapped, 32630 lies within a metre of it; ED50 is 200 m away
    modern = [code for code in _utm_codes(zone) if not code.startswith("EPSG:23")]
    if map_crs.startswith("EPSG:23"):
        return None
    same_datum = [code for code in modern if code.startswith("EPSG:32") == map_crs.startswith("EPSG:32")]
    return next((code for code in (*same_datum, *modern) if code in offered), None)


def _regional_crs(offered: Dict[str, str], map_crs: str, area: Optional[Box]) -> Optional[str]:
    zone = utm_zone(map_crs)
    if area is None and zone is None:
        return None
    if area is None:
        longitude, latitude = (abs(zone or 0) - 1) * 6 - 177.0, 1.0 if (zone or 0) > 0 else -1.0
    else:
        longitude, latitude = area.centre
        if area.width > 18:
            return None
    sign = 1 if latitude >= 0 else -1
    own_zone = min(max(int((longitude + 180) // 6) + 1, 1), 60)
    for number in _zones_near(own_zone, longitude, within=3.0):
        regional = next((code for code in _utm_codes(sign * number) if code in offered), None)
        if regional:
            return regional
    if "EPSG:3035" in offered and _contains(longitude, latitude, _EUROPE_EXTENT):
        return "EPSG:3035"
    for number in _zones_near(own_zone, longitude, within=6.0):
        regional = next((code for code in _utm_codes(sign * number) if code in offered), None)
        if regional:
            return regional
    return None


def _global_crs(offered: Dict[str, str], map_crs: str, area: Optional[Box]) -> Optional[str]:
    mercator: Sequence[str] = _WEB_MERCATOR_CODES
    if area is not None and max(abs(area.south), abs(area.north)) > 85:
        mercator = ()
    return next((code for code in (*mercator, *_GEOGRAPHIC_CODES) if code in offered), None)


def _zones_near(own_zone: int, longitude: float, within: float) -> List[int]:
    """Return the zones with their central meridian within so many degrees, the nearest first."""
    distance: Callable[[int], float] = lambda zone: abs((zone - 1) * 6 - 177 - longitude)  # noqa: E731
    return sorted(
        (zone for zone in (own_zone - 1, own_zone, own_zone + 1) if 1 <= zone <= 60 and distance(zone) <= within),
        key=distance)


def _utm_codes(zone: int) -> List[str]:
    families = _UTM_NORTH if zone > 0 else _UTM_SOUTH
    return [f"EPSG:{start + abs(zone) - first}" for start, first, last in families if first <= abs(zone) <= last]


def _contains(longitude: float, latitude: float, extent: Box) -> bool:
    return extent.west <= longitude <= extent.east and extent.south <= latitude <= extent.north


@dataclass(frozen=True)
class GetMapAddress:
    """A GetMap address.

    ``url`` is a prefix (06-042 6.3.3). ``ignore_advertised``: the addresses in the capabilities are not to be used.
    ``note`` explains to people why the address differs from the record's. ``authcfg`` is the id of the authentication
    configuration that all requests of the layers may carry, and ``login_use`` says where one decided the choice.
    ``login_address`` and ``login_target`` are the address that a withheld login is for and the one that it would have
    to be sent to.
    """

    url: str
    ignore_advertised: bool = False
    note: str = ""
    authcfg: str = ""
    login_use: Optional[LoginUse] = None
    login_address: str = ""
    login_target: str = ""


def choose_getmap_address(endpoint: str, service: Service) -> GetMapAddress:
    """Return the address for GetMap: the advertised one, where the service answers GetCapabilities there too.

    Where only the maps are served elsewhere, QGIS finds that address itself and the endpoint is returned. An unusable
    address (not http(s), a host in the server's internal network, a missing parameter of the endpoint) is ignored, and
    of one with parameters of a request only its endpoint is used. One that falls back from https to http on the same
    host is requested by https. Raises InvalidRequest where the endpoint is not a web address.
    """
    endpoint_prefix = url_prefix(endpoint)
    operation = service.operation("GetMap")
    advertised = _prefix(operation.get if operation else None)
    if operation is None or not operation.get:
        return GetMapAddress(endpoint_prefix)
    if advertised is None:
        return GetMapAddress(
            endpoint_prefix, True,
            tr("The service's address for maps is not a web address ({address}). The "
               "record's address is used.", address=operation.get[:200]))
    # QGIS would send them beside its own, and some servers take the first of two values
    names_request = bool(split_address(operation.get).parameters.keys() - IDENTIFYING_PARAMETERS)
    if advertised == endpoint_prefix:
        return GetMapAddress(endpoint_prefix, names_request)
    host, advertised_host = host_of_address(endpoint_prefix), host_of_address(advertised)
    if is_internal_host(advertised_host) and not is_internal_host(host):
        return GetMapAddress(
            endpoint_prefix, True,
            tr("The service's address for maps ({address}) is inside its own network. The "
               "record's address is used.", address=advertised))
    if advertised_host == host and _loses_parameters(endpoint_prefix, advertised):
        return GetMapAddress(endpoint_prefix, True)
    if endpoint_prefix.startswith("https:") and advertised.startswith("http:") and advertised_host == host:
        return GetMapAddress(_with_endpoint_scheme(advertised, endpoint_prefix), True)
    note = ""
    if normalise_endpoint(advertised) != normalise_endpoint(endpoint_prefix):
        note = tr("The service's maps come from {address}, the record names {endpoint}.", address=advertised,
                  endpoint=endpoint_prefix)
    capabilities = service.operation("GetCapabilities")
    answers_there = _prefix(capabilities.get if capabilities else None) == advertised
    return GetMapAddress(advertised if answers_there else endpoint_prefix, names_request, note)


def is_getmap_address(address: GetMapAddress, service: Service) -> bool:
    """Return true where QGIS sends GetMap to the chosen address itself, with the parameters in it."""
    operation = service.operation("GetMap")
    return address.ignore_advertised or operation is None or _prefix(operation.get) in (None, address.url)


def _prefix(address: Optional[str]) -> Optional[str]:
    try:
        return url_prefix(address) if address else None
    except InvalidRequest:
        return None


def _loses_parameters(endpoint: str, advertised: str) -> bool:
    """Return true where the advertised address lacks a parameter of the endpoint (``map=…``)."""
    advertised_names = {name.lower() for name, _ in query_parameters(advertised)}
    return any(name.lower() not in advertised_names for name, _ in query_parameters(endpoint))


def _with_endpoint_scheme(advertised: str, endpoint: str) -> str:
    parts, endpoint_parts = urlsplit(advertised), urlsplit(endpoint)
    return urlunsplit((endpoint_parts.scheme, endpoint_parts.netloc, parts.path, "",
                       "")) + "?" + (f"{parts.query}" if parts.query else "")


#: returns the address for the maps of a service, from its endpoint
AddressChoice = Callable[[str, Service], GetMapAddress]


def make_plan(custom_map: CustomMap, services: Mapping[str, Union[Service, CartoguideError]],
              records: Mapping[str, Record], settings: TermsSettings = DEFAULT_SETTINGS,
              all_moments: Optional[bool] = None, choose_address: AddressChoice = choose_getmap_address,
              snapshot: SnapshotDescriptions = NO_DESCRIPTIONS) -> Plan:
    """Return the plan of ``custom_map``: base below, overlays above, each service's layers bottom first.

    ``services`` and ``records`` (see ``MapEntry.record_in``) are by endpoint, in any spelling. The terms are resolved
    here, of record and service together and with ``settings``, so that every caller plans the same credits. Of a time
    series only the layer of the moment shown is planned. With ``all_moments`` (by default for a page of small
    multiples) all of them are. ``choose_address`` decides which address a service's maps are requested from, and with
    which login. By default they are requested without one. A map that lacks what the template of its page needs is
    planned as a guide map, of one moment, and ``replaced_page`` says why.

    What the ``snapshot`` stores is used for services and records that are not known otherwise. Where its terms differ
    from those known, the stricter duty to credit counts, and a note says so.

    What cannot be drawn (a service that failed or was not loaded, a missing layer, a layer without usable CRS or image
    format) becomes a note with ``is_missing`` set. A decision that differs from the document becomes a note without it.
    Never raises.
    """
    layers: List[LayerPlan] = []
    notes: List[PlanNote] = []
    terms: List[Optional[Terms]] = []
    include_all_moments = shows_all_moments(custom_map.page.template) if all_moments is None else all_moments
    credits: List[EntryCredit] = []
    stored_terms: List[Optional[Terms]] = []
    titles: List[str] = []
    for index, entry in enumerate(custom_map.entries):
        role = MapRole.BASE if index == 0 and custom_map.base else MapRole.OVERLAY
        others = frozenset(other.record_id for other in custom_map.entries if other.record_id != entry.record_id)
        described = _describe(entry, services, records, settings, snapshot, others)
        record, service = described.record, described.service
        credit = layer_metadata.entry_credit(entry, record, described.terms, described.claims, described.service_line)
        terms.append(described.terms)
        credits.append(credit)
        stored_terms.append(described.stored_terms)
        title = bounded_title(entry.title or (record.title if record else None) or entry.endpoint)
        titles.append(title)
        if isinstance(service, CartoguideError):
            notes.append(PlanNote(tr("“{title}” is missing from the map: its service cannot be used. {reason}",
                                     title=title, reason=service.user_text), index, not entry.is_hidden(()),
                                  reason=service.user_text))
            continue
        planner = _EntryPlanner(custom_map, entry, index, role, title, service, record, described.terms, credit,
                                snapshot.day if described.stored_terms is not None else "")
        layers.extend(planner.plan_layers(include_all_moments, choose_address))
        notes.extend(PlanNote(text, index, missing, planner.login_uses.get(text))
                     for text, missing in planner.notes.items())
    notes.extend(PlanNote(incomplete_terms_text(own.name, own.terms_gap)) for own in custom_map.own_layers
                 if own.visible and own.terms_gap)
    layers = _with_pale_ground(custom_map, layers, lambda entry: _service_of(entry, services, snapshot))
    extent = custom_map.extent.box if custom_map.extent is not None else None
    if extent is None and custom_map.centre is None:
        extent = visible_extent(layers)
    if not include_all_moments:
        chosen, layers = layers, list(layers_at_one_time(layers))
        notes.extend(PlanNote(tr("“{title}” is drawn for {shown} and not for {moment}: a page shows one time.",
                                 title=layer.title, shown=layer.moment, moment=before.moment), layer.entry_index)
                     for before, layer in zip(chosen, layers)
                     if before.time_span is not None and before.time_span != layer.time_span)
    has_title = bool(custom_map.title.strip()) or not custom_map.entries
    title = custom_map.title if has_title else default_map_title(titles, custom_map.language)
    plan = Plan(title=title, crs=custom_map.crs, layers=tuple(layers), notes=tuple(notes), extent=extent,
                centre=custom_map.centre, scale=custom_map.scale, page=custom_map.page, language=custom_map.language,
                terms=tuple(terms), credits=tuple(credits), stored_terms=tuple(stored_terms),
                own_layers=_own_layers(custom_map), legends=tuple(entry.legend for entry in custom_map.entries),
                has_base=custom_map.has_visible_base, is_title_given=has_title, is_fitted=custom_map.fitted)
    shown = [title for title, entry in zip(titles, custom_map.entries) if entry.visible]
    lacking = unmet_need(plan.page, PlannedMap(custom_map, plan))
    if lacking is None:
        return plan
    if shows_all_moments(plan.page.template):
        plan = make_plan(_as_guide_map(custom_map, services, snapshot), services, records, settings, all_moments,
                         choose_address, snapshot)
        printed = tr("The map is printed as a guide map of one time, with {services}.",
                     services=list_quoted_names(shown or [own.name for own in plan.own_layers]))
    else:
        plan = replace(plan, page=replace(plan.page, template="guide"))
        printed = tr("The map is printed as a guide map.")
    lacking = lacking._replace(message=f"{lacking.message} {printed}")
    return replace(plan, replaced_page=lacking, notes=(*plan.notes, PlanNote(lacking.message)))


@dataclass(frozen=True)
class PlannedMap:
    """A map with its plan as the features of its page see it (``MapOnPage``)."""

    custom_map: CustomMap
    plan: Plan = Plan("", "", ())

    @property
    def moments(self) -> int:
        return len(plan_multiples(self.plan).panels)

    @property
    def is_one_series(self) -> bool:
        return sum(entry.visible for entry in self.custom_map.entries) == 1 and (
            has_series(self.plan) or not self.plan.layers)

    @property
    def lacks_place(self) -> bool:
        # the scale of a fitted map may still be that of another page
        return lacks_place(replace(self.plan, scale=None) if self.custom_map.fitted else self.plan)

    @property
    def has_ground(self) -> bool:
        shows_moment = any(layer.role is MapRole.BASE and layer.visible and layer.is_in_series
                           for layer in self.plan.layers)
        return self.custom_map.has_visible_base and not shows_moment or any(
            own.visible for own in self.custom_map.own_layers)


def _service_of(entry: MapEntry, services: Mapping[str, Union[Service, CartoguideError]],
                snapshot: SnapshotDescriptions) -> Optional[Service]:
    found = value_for_endpoint(services, entry.endpoint)
    return found if isinstance(found, Service) else snapshot.service(entry.endpoint)


def _with_pale_ground(custom_map: CustomMap, layers: Sequence[LayerPlan],
                      find_service: Callable[[MapEntry], Optional[Service]]) -> List[LayerPlan]:
    """Return the layers, those of the base's ground as pale ones if a series is multiplied with them."""
    base = custom_map.base
    service = find_service(base) if base is not None else None
    if base is None or service is None or not is_below_series(custom_map.overlays, find_service):
        return list(layers)
    ground = ground_layers(service, base.layers)
    # the legend of a base of one layer explains its lines too
    in_legend = all(layer.name in ground for layer in layers if layer.role is MapRole.BASE)
    return [replace(layer, is_pale=True, in_legend=in_legend)
            if layer.role is MapRole.BASE and layer.name in ground else layer for layer in layers]


def _as_guide_map(custom_map: CustomMap, services: Mapping[str, Union[Service, CartoguideError]],
                  snapshot: SnapshotDescriptions) -> CustomMap:
    """Return the map on the guide map's page, with one moment of each series."""
    entries = [entry if series is None else _at_moment(custom_map, entry, series)
               for entry, series in _series_without_moment(custom_map, services, snapshot)]
    return replace(custom_map.with_entries(entries), page=replace(custom_map.page, template="guide"))


def at_one_moment(custom_map: CustomMap, services: Mapping[str, Union[Service, CartoguideError]],
                  snapshot: SnapshotDescriptions = NO_DESCRIPTIONS) -> Tuple[CustomMap, List[PlanNote]]:
    """Return the map with one moment of each whole service that has a layer for each, and notes about such services.

    That is the moment that the service shows by default. Layers of several moments that the map names stay.
    """
    entries, notes = [], []
    for index, (entry, series) in enumerate(_series_without_moment(custom_map, services, snapshot)):
        count = len(series.layer_steps()) if series is not None else 0
        if series is not None and count > 1 and not entry.layers:
            entry = _at_moment(custom_map, entry, series)
            notes.append(PlanNote(_chosen_moment_text(entry.title, series), index))
        elif count > 1 and entry.blend is not BlendMode.MULTIPLY:
            notes.append(PlanNote(tr("“{title}”: {count} times are drawn over each other, in colours that the legend "
                                     "does not have.", title=entry.title, count=count), index))
        entries.append(entry)
    return custom_map.with_entries(entries), notes


def _chosen_moment_text(title: str, shown: ShownMoment) -> str:
    return tr("No time of “{title}” was chosen. It shows {moment}.", title=title,
              moment=format_date(shown.entry.moment))


def _at_moment(custom_map: CustomMap, entry: MapEntry, series: ShownMoment) -> MapEntry:
    """Return an entry with the moment that is shown of it, as it is added in the window."""
    shown = replace(entry, moment=series.entry.moment)
    return shown if entry is custom_map.stack[0] else blended_series(shown)


def _series_without_moment(
        custom_map: CustomMap, services: Mapping[str, Union[Service, CartoguideError]],
        snapshot: SnapshotDescriptions) -> Iterator[Tuple[MapEntry, Optional[ShownMoment]]]:
    """Yield each entry, with the time series of its layers if the map names no moment of it."""
    for entry in custom_map.entries:
        service = value_for_endpoint(services, entry.endpoint) or snapshot.service(entry.endpoint)
        if entry.moment or not isinstance(service, Service):
            yield entry, None
            continue
        names = [layer.name or "" for layer in select_layers(service, entry.layers)[0]]
        yield entry, select_moment(service, names, "")


class _EntryPlanner:
    """Plans the layers of one entry. ``notes`` are its texts, each with whether something is missing."""

    def __init__(self, custom_map: CustomMap, entry: MapEntry, index: int, role: MapRole, title: str,
                 service: Service, record: Optional[Record], terms: Optional[Terms], credit: EntryCredit,
                 stored_terms_day: str = "") -> None:
        self.custom_map, self.entry, self.index, self.role, self.title = custom_map, entry, index, role, title
        self.service = service
        self.record, self.terms = record, terms
        self.notes: Dict[str, bool] = {}
        self.login_uses: Dict[str, LoginUse] = {}
        self.credit = credit
        self.stored_terms_day = stored_terms_day
        self.is_series = is_series(entry, service)
        self.area = _map_area(custom_map)
        self._layers_by_other_crs: Dict[str, List[str]] = {}
        #: the moments shown of a series, or those of its layers, by the layer's name
        self._steps: Dict[str, TimeSeriesEntry] = {}

    def plan_layers(self, all_moments: bool, choose_address: AddressChoice) -> List[LayerPlan]:
        """Return the plans, bottom first. Of a time series, only the layer of the moment shown, or all of them."""
        layers, missing_names = select_layers(self.service, self.entry.layers)
        if self.entry.moment and layers:
            layers = self._layers_at_moment(layers, self.entry.moment, all_moments)
        elif self.entry.blend is BlendMode.MULTIPLY and not all_moments:
            layers = self._layers_not_multiplied(layers)
        for name in missing_names:
            self._note_missing(tr("“{title}” no longer offers the layer “{layer}”.", title=self.title, layer=name),
                               name)
        if not layers and not missing_names:
            self._note_missing(tr("“{title}” offers no layer that can be requested.", title=self.title))
        try:
            address = choose_address(self.entry.endpoint, self.service)
        except CartoguideError as error:
            self._note_missing(
                tr("“{title}” is missing from the map: its service cannot be used. {reason}", title=self.title,
                   reason=error.user_text))
            return []
        self._note(address.note)
        if address.login_use is not None:
            self.login_uses[address.note] = address.login_use
        self._note_credit()
        if self.stored_terms_day:
            self._note(differing_terms_text(self.stored_terms_day, self.title))
        styles = dict(zip(self.entry.layers, self.entry.styles))
        planned = (self._plan_layer(layer, styles.get(layer.name or "", ""), address) for layer in layers)
        plans = [plan for plan in planned if plan]
        for crs, names in self._layers_by_other_crs.items():
            self._note(
                tr("“{title}”: {layers} is not offered in {wanted} and is requested in {crs}.", title=self.title,
                   layers=list_quoted_names(names), wanted=self.custom_map.crs, crs=crs))
        return plans

    def _layers_at_moment(self, layers: List[Layer], moment: str, all_moments: bool) -> List[Layer]:
        """Return those of ``layers`` that are drawn. Layers outside of the time series always are."""
        shown = select_moment(self.service, [layer.name or "" for layer in layers], moment)
        if shown is None:
            self._note(tr("“{title}” is no longer a time series: all of its layers are drawn.", title=self.title))
            return layers
        if not shown.is_exact:
            self._note(
                tr("“{title}” offers nothing for {moment}: {other} is shown.", title=self.title,
                   moment=format_date(moment), other=format_date(shown.entry.moment)))
        self._steps = shown.layer_steps()
        others = {name for name in self._steps if name != shown.entry.layer}
        return layers if all_moments else [layer for layer in layers if layer.name not in others]

    def _layers_not_multiplied(self, layers: List[Layer]) -> List[Layer]:
        """Return those of ``layers`` that are drawn: of several moments one, whose colours are those of the legend."""
        drawn = [layer.name or "" for layer in layers if self.entry.is_visible(layer.name or "")]
        shown = select_moment(self.service, drawn, "")
        steps = shown.layer_steps() if shown is not None else {}
        if shown is None or len(steps) < 2:
            return layers
        self._note(_chosen_moment_text(self.title, shown))
        self._steps = steps
        return [layer for layer in layers if layer.name == shown.entry.layer or layer.name not in steps]

    def _plan_layer(self, layer: Layer, wanted_style: str, address: GetMapAddress) -> Optional[LayerPlan]:
        name = layer.name or ""
        title = bounded_title(layer.title or name)
        extent = layer_metadata.layer_extent(layer, self.record)
        crs = best_crs(layer, self.custom_map.crs, self.area or extent)
        image_format = self._format(layer, title)
        if crs is None:
            self._note_missing(
                tr("“{title}”: the layer “{layer}” offers no coordinate reference system in which "
                   "it can be requested.", title=self.title,
                   layer=title), name)
        if crs is None or image_format is None:
            return None
        if not same_crs(crs, self.custom_map.crs):
            self._layers_by_other_crs.setdefault(crs, []).append(title)
        style, is_wanted = select_style(layer, wanted_style)
        if not is_wanted:
            self._note(
                tr("“{title}”: the layer “{layer}” no longer has the style “{style}”. Its default style is used.",
                   title=self.title, layer=title, style=wanted_style))
        self._note_layer_limits(layer, title)
        values = self._dimension_values(layer, title, address)
        step = self._steps.get(name)
        graphic = legend_graphic(layer, style)
        legend_operation = self.service.operation("GetLegendGraphic")
        attribution = layer.attribution or self.service.attribution
        credit = layer_metadata.layer_credit(self.credit, layer)
        source = WmsSource(
            address.url, name, style, image_format, crs, legend_url=graphic.url if graphic else None,
            has_json_legend=legend_operation is not None and JSON_LEGEND_FORMAT in legend_operation.formats,
            feature_info_format=feature_info_format(self.service, layer), authcfg=address.authcfg,
            ignore_operation_addresses=address.ignore_advertised or bool(values), dimension_values=values,
            max_width=self.service.limits.width, max_height=self.service.limits.height,
            time_extent=time_dimension_extent(layer))
        return LayerPlan(
            source, title,
            abstract=layer.abstract or (self.record.abstract if self.record else None) or self.service.abstract or "",
            opacity=self.entry.opacity_of(name), blend=self.entry.blend, visible=self.entry.is_visible(name),
            given_name=self.entry.names.get(name, ""), private=name in self.entry.private,
            role=self.role, record_id=self.record.id if self.record else self.entry.record_id,
            service_title=(self.record.title if self.record else None) or self.entry.title or self.service.title,
            entry_index=self.index, keywords=layer_metadata.layer_keywords(layer, self.record, self.service),
            contacts=layer_metadata.layer_contacts(self.record, self.service), rights=credit.lines,
            unfit_credits=credit.unfit, licences=layer_metadata.layer_licences(
                    self.entry, self.record, self.terms),
            constraints=layer_metadata.layer_constraints(self.record, self.terms, self.service), fees=self._fees(),
            links=layer_metadata.layer_links(self.entry.endpoint, self.record, self.terms, layer), extent=extent,
            scale_range=layer.scale_range,
            attribution_url=attribution.url if attribution and is_web_address(attribution.url) else None,
            credit_required=self.credit.required, time_span=(step.begin, step.end) if step is not None else None,
            moment=step.moment if step is not None else shown_time(layer),
            service_abstract=(self.record.abstract if self.record else None) or self.service.abstract or "",
            stored_terms_day=self.stored_terms_day, entry=self.entry,
            opaque=bool(layer.opaque) or not supports_transparency(image_format), of_series=self.is_series)

    def _format(self, layer: Layer, title: str) -> Optional[str]:
        operation = self.service.operation("GetMap")
        wanted = self.entry.format
        image_format = best_format(operation.formats if operation else (), layer.opaque, wanted)
        if image_format is None:
            self._note_missing(
                tr("“{title}” offers no image format that can be shown for the layer “{layer}”.", title=self.title,
                   layer=title), layer.name or "")
            return None
        if wanted and "".join(image_format.lower().split()) != "".join(wanted.lower().split()):
            self._note(
                tr("“{title}” does not offer {wanted}; {format} is used.", title=self.title, wanted=wanted,
                   format=image_format))
        if self.role is MapRole.OVERLAY and not layer.opaque and not supports_transparency(image_format):
            self._note(
                tr("“{title}”: images in {format} have no transparency and cover what lies below them.",
                   title=self.title, format=image_format))
        return image_format

    def _fees(self) -> str:
        texts = (self.terms.fees if self.terms else None, self.record.fees if self.record else None, self.service.fees)
        return next((text for text in texts if text), "")

    def _note_credit(self) -> None:
        if self.credit.from_document_only:
            self._note(
                tr("The record of “{title}” is not available. The credit saved in the map is used.",
                   title=self.title))
        elif not self.credit.lines and not self.credit.unfit:
            self._note(tr("No credit is known for “{title}”.", title=self.title))
        for sentence in unfit_reasons(self.credit.unfit, self.title):
            self._note(sentence)

    def _note_layer_limits(self, layer: Layer, title: str) -> None:
        if layer.no_subsets or any(layer.fixed_size):
            self._note(
                tr("“{title}”: the layer “{layer}” is only available in a fixed size or extent.",
                   title=self.title, layer=title))

    def _dimension_values(self, layer: Layer, title: str, address: GetMapAddress) -> Tuple[Tuple[str, str], ...]:
        """Return a value for each dimension without a default (C.4.2), to be sent with the layer's address.

        QGIS itself sends only a time, and only where it knows the moments and the Temporal Controller shows one.
        """
        step = self._steps.get(layer.name or "")
        span = (step.begin, step.end) if step is not None and time_dimension_extent(layer) else None
        selected = select_dimension_values(layer, {}, span)[0]
        values: Dict[str, str] = {}
        for dimension in layer.dimensions:
            name = parameter_name(dimension.name)
            if dimension.default or not dimension.extent:
                continue
            if name in selected and is_getmap_address(address, self.service):
                values[name] = selected[name]
            if name == "TIME" and time_dimension_extent(layer):
                continue
            if name in values:
                self._note(
                    tr(
                        "“{title}”: the layer “{layer}” is drawn for {name} {value}: its service has no default "
                        "value.", title=self.title, layer=title, name=dimension.name, value=values[name]))
            else:
                self._note(
                    tr("“{title}”: the layer “{layer}” needs a value for “{name}”, which QGIS does not send: it may "
                       "stay empty. Request it under Operations.", title=self.title, layer=title, name=dimension.name))
        return tuple(values.items())

    def _note(self, text: str) -> None:
        if text:
            self.notes.setdefault(text, False)

    def _note_missing(self, text: str, name: Optional[str] = None) -> None:
        """Note that the layer called ``name``, or without one the service, is missing, if it is shown at all."""
        self.notes[text] = self.entry.is_visible(name) if name is not None else not self.entry.is_hidden(())


def _own_layers(custom_map: CustomMap) -> Tuple[OwnLayer, ...]:
    """Return the own layers with the place that they have among the services, also where the base could not be made."""
    lowest = 1 if custom_map.base else 0
    return tuple(replace(own, entries_below=max(own.entries_below, lowest)) for own in custom_map.own_layers)


@dataclass(frozen=True)
class _Description:
    """The record, service and terms that are known of an entry.

    ``terms`` are those that count, but for a stricter duty to credit of one of ``claims``. ``stored_terms`` are those
    of the snapshot, where others are known and differ. ``service_line`` is the credit of the service alone, for an
    entry that names no record.
    """

    record: Optional[Record]
    service: Union[Service, CartoguideError]
    terms: Optional[Terms]
    claims: Tuple[CreditDuty, ...] = ()
    stored_terms: Optional[Terms] = None
    service_line: str = ""


def _describe(entry: MapEntry, services: Mapping[str, Union[Service, CartoguideError]], records: Mapping[str, Record],
              settings: TermsSettings, snapshot: SnapshotDescriptions, others: Collection[Optional[str]]
              ) -> _Description:
    """Return what is known of an entry, from the library and the service before the snapshot.

    ``others`` are the identifiers of the records of other entries. They say nothing of this one at the same address.
    """
    record, stored_record = (None if found is not None and entry.record_id and found.id in others else found
                             for found in (entry.record_in(records), entry.record_in(snapshot.records)))
    found = value_for_endpoint(services, entry.endpoint) if not entry.refusal else CartoguideError(entry.refusal)
    service = found if isinstance(found, Service) else None
    stored_service = snapshot.service(entry.endpoint) if not entry.refusal else None
    usable = service or stored_service or found or CartoguideError(tr("It has not been loaded yet."))
    claims: List[CreditDuty] = []
    if service is not None and (record is None or not describes_endpoint(record, entry.endpoint)):
        # no record of this service vouches for what it asks for itself
        claims.append(duty_of_terms(terms_for(None, service, settings)))
    stored_terms = _terms(stored_record, stored_service, settings)
    if stored_terms is not None:
        claims.append(duty_of_terms(stored_terms))
    terms = _terms(record or stored_record, service or stored_service, settings)
    if record is not None and service is None and stored_service is not None and terms is not None:
        of_record = terms_for(record, None, settings)
        claims.append(duty_of_terms(of_record))
        terms = terms if keeps_terms(of_record, terms) else of_record
    is_known = record is not None or service is not None
    differ = is_known and stored_terms is not None and terms is not None and not same_terms(terms, stored_terms)
    of_service = _terms(None, service or stored_service, settings) if not entry.record_id else None
    return _Description(record or stored_record, usable, terms, tuple(claims), stored_terms if differ else None,
                        of_service.credit if of_service is not None else "")


def _terms(record: Optional[Record], service: Optional[Service], settings: TermsSettings) -> Optional[Terms]:
    return terms_for(record, service, settings) if record or service else None


def differing_terms_text(day: str, title: str) -> str:
    """Return a text for people about terms of a service that differ from those its snapshot stores."""
    return tr("“{title}”: terms as stored in the snapshot of {date} differ from those known here. The stricter duty to "
              "credit counts.", title=title, date=day)


def _map_area(custom_map: CustomMap) -> Optional[Box]:
    if custom_map.extent:
        return custom_map.extent.box
    if custom_map.centre:
        longitude, latitude = custom_map.centre
        return Box(longitude, latitude, longitude, latitude)
    return None


def visible_extent(layers: Sequence[LayerPlan]) -> Optional[Box]:
    """Return the extent of the base, else of all visible layers."""
    return (Box.around(plan.extent for plan in layers if plan.role is MapRole.BASE)
            or Box.around(plan.extent for plan in layers if plan.visible))


# -- title of a map to which nobody has given one

_KIND = (r"(?:(?:Parque|Paraje|Reserva|Monumento|Espacio|Parc|Parco|Paratge)\s+(?:Natural|Nacional|Regional|Rural|"
         r"Periurbano|Protegido|Naturel|National|Naturale|Nazionale))")
_WORD = r"[A-ZÀ-ÖØ-Þ][\w'’-]*"
_LINKS = r"(?:\s+(?:de|del|de\s+la|de\s+las|de\s+los|des|du|della|y|e|et|i|la|las|los|el))?"
_PARK = re.compile(rf"{_KIND}(?:{_LINKS}\s+{_WORD})+|"
                   rf"(?:{_WORD}\s+)+(?:National|Natural|Nature|Regional|State)\s+Park\b")


#: what a title says to a computer, before and after what it says to people
_MACHINE_WORDS = re.compile(r"^(?:(?:servicio|service)\s+)?(?:wms|view service)\b[\s:.–-]*(?:(?:de|del|of)\s+)?|"
                            r"[\s:.–-]*\(?\bwms\)?\s*$", re.IGNORECASE)
#: letters of a service's title that a map is called after: a longer one is a description
_LONGEST_TITLE = 120
#: what a map is called after which nothing on it names, by the map's language
_NAMELESS = {"en": "Custom map", "es": "Mapa personalizado"}


def default_map_title(service_titles: Iterable[str], language: str) -> str:
    """Return the name of the first park that one of the titles names, else the title of the only service or series.

    "Custom map" in ``language`` (ISO 639-1), that of the page, where there are several, or that title is an address,
    a name for computers or a whole description.
    """
    titles = [single_line(printable(title[:MAX_TITLE])) for title in service_titles]
    park = next((match.group(0) for match in map(_PARK.search, titles) if match is not None), "")
    shown = _MACHINE_WORDS.sub("", titles[0]) if len(titles) == 1 and len(titles[0]) <= _LONGEST_TITLE else ""
    is_for_people = " " in shown and "://" not in shown and "_" not in shown
    return park or (shown[:1].upper() + shown[1:] if is_for_people else _NAMELESS.get(language, _NAMELESS["en"]))

"""Descriptions of distributions, by the documents of their servers.

A record may be wrong about the kind of a service, or not say it: the answer decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from .. import json_document, safe_xml
from ..addresses import host_and_port, is_web_address, joined_address
from ..errors import Cancelled, CartoguideError, UnexpectedResponse, UnreadableDocument
from ..i18n import tr
from ..sources import offered_layers as offered
from ..sources.arcgis import esri_addresses, read_esri_info
from ..sources.offered_layers import OfferedLayer
from ..sources.source_kind import Documents
from ..text import single_line
from ..wms.model.xml_values import attribute, children, local_name, namespace
from ..wms.requests.urls import with_parameters
from ..wms.responses.document_detection import is_html
from ..wms.responses.image_headers import image_format
from ..wms.responses.response_validation import ExpectedContent
from .kinds import LinkKind
from .links import Link, read_link
from .record_distributions import Distribution
from .uses import FILES, kind_name, missing_layers_note

#: coverages that one DescribeCoverage asks for, and documents that lead to others before a file is reached
_MAX_COVERAGES, _MAX_STEPS = 40, 3
_MAX_FILES = 500
#: the deepest level of vector tiles that do not say it, and levels that are looked at for one with tiles
_DEEPEST_VECTOR, _MAX_LEVELS = 14, 10


@dataclass(frozen=True)
class Description:
    """Layers or files that a distribution offers. A WMS has its own description, so that its ``layers`` are empty.

    ``files`` are those to be fetched, by a feed or by the distribution itself. ``note`` is a sentence for people about
    what is other than the record says. The layers are ``named`` if they are those that the distribution names, and
    ``missing`` are the names that the service does not have.
    """

    kind: LinkKind
    address: str
    layers: Tuple[OfferedLayer, ...] = ()
    files: Tuple[Distribution, ...] = ()
    note: str = ""
    named: bool = False
    missing: Tuple[str, ...] = ()


class OtherKind(CartoguideError):
    """A service answers as another kind than the one that was asked for."""

    def __init__(self, kind: LinkKind, text: str) -> None:
        super().__init__(text)
        self.kind = kind


def describe(distribution: Distribution, documents: Documents, crs: str = "", style: str = "",
             place: Optional[Tuple[float, float]] = None) -> Description:
    """Return what a distribution offers. Tiles come in matrices of ``crs`` if there are such, drawn by ``style``.

    Where nothing says how deep tiles go, it is looked for at ``place`` (longitude and latitude). The layers are those
    that the distribution names, else all. Raises CartoguideError with the reason if it offers nothing that can be
    opened, and Cancelled.
    """
    kinds = [kind for kind in (distribution.kind, *distribution.possible) if kind in _READERS or kind in FILES]
    if not kinds:
        raise CartoguideError(tr("QGIS opens no {kind}.", kind=kind_name(distribution.kind)), distribution.address)
    problem: Optional[CartoguideError] = None
    for kind in dict.fromkeys(kinds):
        try:
            return _described(_Case(kind, distribution, documents, crs, style, place))
        except Cancelled:
            raise
        except OtherKind as other:
            problem = problem or other
            if other.kind in _READERS and other.kind is not kind:
                found = _described(_Case(other.kind, distribution, documents, crs, style, place))
                note = tr("The record’s link is called {expected}, but it answers as {kind}.",
                          expected=kind_name(kind), kind=kind_name(other.kind)) if distribution.kind is kind else ""
                return replace(found, note=" ".join(filter(None, (note, found.note))))
        except CartoguideError as error:
            problem = problem or error
    raise problem or CartoguideError(distribution.address)


def _described(case: _Case) -> Description:
    kind, distribution = case.kind, case.distribution
    if kind is LinkKind.GEOJSON and not distribution.sure:
        _look_at(case)
    if kind in FILES:
        return Description(kind, distribution.address, files=(replace(distribution, kind=kind),))
    found = _READERS[kind](case)
    if kind is LinkKind.WMS or found.files:
        return found
    if not found.layers:
        raise CartoguideError(tr("{host} offers no layer that can be opened.", host=case.host), distribution.address)
    wanted = {name: [layer for layer in found.layers if layer.is_called(name)] for name in distribution.names}
    missing = tuple(name for name, layers in wanted.items() if not layers and not distribution.guessed)
    layers = tuple(dict.fromkeys(layer for called in wanted.values() for layer in called))
    return replace(found, layers=layers or found.layers, named=bool(layers), missing=missing,
                   note=missing_layers_note(missing, not layers))


@dataclass(frozen=True)
class _Case:
    kind: LinkKind
    distribution: Distribution
    documents: Documents
    crs: str
    style: str
    place: Optional[Tuple[float, float]]

    @property
    def address(self) -> str:
        return self.distribution.address.strip()

    @property
    def host(self) -> str:
        return host_and_port(self.address)

    def read(self, address: str, *accepted: LinkKind) -> bytes:
        """Return the document at ``address``. Raises OtherKind for one of another kind than those accepted."""
        data = self.documents.read(address, ExpectedContent.ANY)
        kind = kind_of_document(data, address)
        if kind not in (accepted or (self.kind,)):
            expected = kind_name(self.kind)
            if kind is None:
                raise UnreadableDocument(tr("{host} does not answer as {kind}.", host=self.host, kind=expected),
                                         address)
            raise OtherKind(kind, tr("{host} does not answer as {expected}, but as {kind}.", host=self.host,
                                     expected=expected, kind=kind_name(kind)))
        return data

    def found(self, layers: Sequence[OfferedLayer]) -> Description:
        return Description(self.kind, self.address, tuple(layers))


def _look_at(case: _Case) -> None:
    """Raise OtherKind for a document of another kind. What cannot be looked at is fetched as a file, which says why."""
    try:
        case.read(case.address)
    except CartoguideError as error:
        if isinstance(error, (Cancelled, OtherKind)):
            raise


def kind_of_document(data: bytes, address: str) -> Optional[LinkKind]:
    """Return the kind of service or file whose description, or content, this document is. None if it is none."""
    head = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if head in (b"{", b"["):
        return _kind_of_json(data, address)
    if head != b"<" or is_html(data):
        return LinkKind.PAGE if is_html(data) else None
    try:
        root = safe_xml.parse(data, host_and_port(address))
    except CartoguideError:
        return None
    name, space = local_name(root).lower(), namespace(root).lower()
    if name in ("wms_capabilities", "wmt_ms_capabilities"):
        return LinkKind.WMS
    if name == "wfs_capabilities":
        return LinkKind.WFS
    if name == "wcs_capabilities" or name == "capabilities" and "/wcs" in space:
        return LinkKind.WCS
    if name == "capabilities" and "/wmts" in space:
        return LinkKind.WMTS
    return {"capabilities": LinkKind.CATALOGUE, "tilemap": LinkKind.TMS, "tilemapservice": LinkKind.TMS,
            "feed": LinkKind.ATOM, "featurecollection": LinkKind.GML, "kml": LinkKind.KML,
            "coveragedescription": LinkKind.WCS}.get(name)


def _kind_of_json(data: bytes, address: str) -> Optional[LinkKind]:
    try:
        value = json_document.parse_json(data, host_and_port(address))
    except CartoguideError:
        return None
    if not isinstance(value, dict):
        return None
    if "stac_version" in value:
        return LinkKind.STAC
    if isinstance(value.get("tiles"), list) and ("tilejson" in value or "minzoom" in value):
        return LinkKind.TILEJSON
    if isinstance(value.get("sources"), dict) and "layers" in value:
        return LinkKind.STYLE
    if value.get("type") in ("FeatureCollection", "Feature") and "conformsTo" not in value:
        return LinkKind.GEOJSON
    if "tilesets" in value or "tileMatrixSetURI" in value:
        return LinkKind.OGCAPI_TILES
    if "currentVersion" in value or "error" in value:
        path = address.partition("?")[0].lower()
        return LinkKind.ARCGIS_FEATURE if "/featureserver" in path else (
            LinkKind.ARCGIS_MAP if "/mapserver" in path else None)
    return LinkKind.OGCAPI_FEATURES if "collections" in value or "links" in value else None


# -- kinds


def _wms(case: _Case) -> Description:
    case.read(with_parameters(case.address, {"SERVICE": "WMS", "REQUEST": "GetCapabilities"}))
    return Description(LinkKind.WMS, case.address)


def _wmts(case: _Case) -> Description:
    if offered.tile_template(case.address):
        return _xyz(case)
    is_document = "capabilities" in case.address.partition("?")[0].lower()
    address = case.address if is_document else with_parameters(
        case.address, {"SERVICE": "WMTS", "REQUEST": "GetCapabilities", "VERSION": "1.0.0"})
    return case.found(offered.wmts_layers(case.read(address), case.address, case.crs))


def _xyz(case: _Case) -> Description:
    template = offered.tile_template(case.address)
    if not template:
        raise CartoguideError(tr("The address of the tiles has places that QGIS does not know."), case.address)
    levels = (0, _deepest_level(case, template, offered.DEFAULT_DEEPEST, lambda data: bool(image_format(data))))
    # the name of a link to tiles is that of any other
    layer = offered.tile_layer(case.address, "", levels)
    return case.found([layer] if layer is not None else [])


def _deepest_level(case: _Case, template: str, deepest: int, is_tile: Callable[[bytes], bool]) -> int:
    """Return the deepest level with a tile at the place, from ``deepest`` upwards, by asking for one of each.

    QGIS asks for tiles below a service's last level as well, and draws holes. A server without any tile there keeps
    ``deepest``. Raises CartoguideError for one that does not answer with tiles.
    """
    longitude, latitude = case.place or (0.0, 0.0)
    is_known = case.place is not None and "{q}" not in template
    for level in range(deepest, max(deepest - _MAX_LEVELS, -1), -1) if is_known else (0,):
        address = offered.tile_address(template, level, longitude, latitude)
        try:
            data = case.documents.read(address, ExpectedContent.ANY)
        except UnexpectedResponse as error:
            if error.status not in (204, 400, 404, 410):
                raise
            continue
        if data and not is_tile(data):
            raise UnreadableDocument(tr("{host} sends something else than tiles.", host=case.host), address)
        if data and is_known:
            return level
    return deepest


def _tms(case: _Case) -> Description:
    if offered.tile_template(case.address):
        return _xyz(case)
    address = case.address
    found: List[OfferedLayer] = []
    layers, others = offered.tms_layers(case.read(address), address)
    for other in (others[:_MAX_COVERAGES] if not layers else ()):
        found += offered.tms_layers(case.read(other), other)[0]
    return case.found(layers or found)


def _vector_tiles(case: _Case) -> Description:
    service = re.match(r"(.*/VectorTileServer)(?:/.*)?$", case.address.partition("?")[0], re.IGNORECASE)
    if service is not None and not offered.tile_template(case.address):
        base = service.group(1)
        read_esri_info(case.documents.read(f"{base}?f=json", ExpectedContent.JSON), case.host)
        layer = offered.vector_tile_layer(f"{base}/tile/{{z}}/{{y}}/{{x}}.pbf", "", (0, 16),
                                          case.style or f"{base}/resources/styles/root.json")
    else:
        template = offered.tile_template(case.address)
        if not template:
            return _tilejson(case)
        levels = (0, _deepest_level(case, template, _DEEPEST_VECTOR, lambda data: data.lstrip()[:1] not in (
            b"<", b"{", b"[")))
        layer = offered.vector_tile_layer(case.address, "", levels, case.style)
    return case.found([layer] if layer is not None else [])


def _tilejson(case: _Case) -> Description:
    layer = offered.tilejson_layer(case.read(case.address, LinkKind.TILEJSON), case.address, "", case.style)
    return case.found([layer] if layer is not None else [])


def _style(case: _Case) -> Description:
    found: List[OfferedLayer] = []
    for name, target, levels in offered.style_sources(case.read(case.address), case.address):
        layer = offered.vector_tile_layer(target, name, levels, case.address, name)
        if layer is None:
            layer = offered.tilejson_layer(case.documents.read(target, ExpectedContent.JSON), target, name,
                                           case.address, name)
        if layer is not None:
            found.append(layer)
    return case.found(found)


def _ogcapi_tiles(case: _Case) -> Description:
    address, is_vector = case.address, re.search(r"mvt|pbf|vector", case.address) is not None
    for _ in range(_MAX_STEPS):
        if offered.tile_template(address):
            title = next(iter(case.distribution.names), "")
            layer = offered.vector_tile_layer(address, title, style=case.style) if is_vector else offered.tile_layer(
                address, title)
            return case.found([layer] if layer is not None else [])
        data = case.read(with_parameters(address, {"f": "json"}), LinkKind.OGCAPI_TILES, LinkKind.OGCAPI_FEATURES)
        address, is_vector = offered.ogcapi_tile_template(data, address)
        if not address:
            break
    raise CartoguideError(tr("{host} offers no tiles in web mercator.", host=case.host), case.address)


def _wfs(case: _Case) -> Description:
    address = with_parameters(case.address, {"SERVICE": "WFS", "REQUEST": "GetCapabilities"})
    return case.found(offered.wfs_layers(case.read(address), case.address))


def _ogcapi_features(case: _Case) -> Description:
    landing = offered.landing_address(case.address)
    page = case.read(with_parameters(landing, {"f": "json"}))
    address = offered.collections_address(page, landing)
    data = page if b'"collections"' in page else case.read(with_parameters(address, {"f": "json"}))
    return case.found(offered.ogcapi_layers(data, address, landing.rstrip("/")))


def _arcgis(case: _Case) -> Description:
    service, number = offered.arcgis_service(case.address)
    data = case.documents.read(esri_addresses(case.address)[-1], ExpectedContent.JSON)
    read_esri_info(data, case.host)
    layers = (offered.arcgis_map_layers if case.kind is LinkKind.ARCGIS_MAP else offered.arcgis_feature_layers)(
        data, service)
    if case.kind is LinkKind.ARCGIS_MAP and not case.distribution.names:
        # the map of all layers is what the address is
        layers = layers[:1]
    named = [layer for layer in layers if number and layer.name == number]
    return case.found(named or layers)


def _wcs(case: _Case) -> Description:
    asked = {"SERVICE": "WCS", "VERSION": "1.0.0"}
    names = offered.wcs_names(case.read(with_parameters(case.address, {**asked, "REQUEST": "GetCapabilities"})),
                              case.address)
    wanted = [name for name, title in names if name in case.distribution.names or title in case.distribution.names]
    listed = wanted or [name for name, _ in names[:_MAX_COVERAGES]]
    if not listed:
        return case.found([])
    return case.found(offered.wcs_layers(case.read(with_parameters(
        case.address, {**asked, "REQUEST": "DescribeCoverage", "COVERAGE": listed})), case.address))


def _atom(case: _Case) -> Description:
    """Read the files of a feed, and of the feeds of datasets that it leads to (INSPIRE download services)."""
    files: Dict[str, Distribution] = {}
    waiting, seen = [case.address], {case.address}
    while waiting and len(seen) < 20:
        address = waiting.pop(0)
        for one in _links_of_feed(case.read(address), address):
            if one.kind is LinkKind.ATOM and one.address not in seen:
                seen.add(one.address)
                waiting.append(one.address)
            elif one.kind in FILES or one.kind is LinkKind.ARCHIVE:
                files.setdefault(one.address, one)
    if not files:
        raise CartoguideError(tr("The feed of {host} lists no file that can be opened.", host=case.host), case.address)
    return Description(LinkKind.ATOM, case.address, files=tuple(files.values())[:_MAX_FILES])


def _links_of_feed(data: bytes, address: str) -> List[Distribution]:
    """Return the distributions that the entries of an Atom feed (RFC 4287) link to."""
    found: List[Distribution] = []
    for name, entry in children(safe_xml.parse(data, host_and_port(address))):
        if name != "entry":
            continue
        parts = list(children(entry))
        title = next((single_line("".join(part.itertext())) for kind, part in parts if kind == "title"), "")
        for kind, part in parts:
            href = joined_address(address, attribute(part, "href") or "") if kind == "link" else ""
            relation = attribute(part, "rel") or "alternate"
            if not is_web_address(href) or relation not in ("alternate", "enclosure", "section", "related"):
                continue
            link = Link(href, media_type=attribute(part, "type") or "", name=attribute(part, "title") or title,
                        protocol="WWW:DOWNLOAD" if relation != "related" else "")
            reading = read_link(link)
            found.append(Distribution(reading.kind or next(iter(reading.possible), None), href, reading.names,
                                      link.name, link.media_type, reading.sure, reading.because, reading.possible))
    return found


_READERS: Dict[LinkKind, Callable[[_Case], Description]] = {
    LinkKind.WMS: _wms, LinkKind.WMTS: _wmts, LinkKind.XYZ: _xyz, LinkKind.TMS: _tms, LinkKind.WFS: _wfs,
    LinkKind.OGCAPI_FEATURES: _ogcapi_features, LinkKind.ARCGIS_MAP: _arcgis, LinkKind.ARCGIS_FEATURE: _arcgis,
    LinkKind.VECTOR_TILES: _vector_tiles, LinkKind.TILEJSON: _tilejson, LinkKind.STYLE: _style,
    LinkKind.OGCAPI_TILES: _ogcapi_tiles, LinkKind.WCS: _wcs, LinkKind.ATOM: _atom}

"""Reads what one link of a record leads to, from all that the record says of it, strongest evidence first.

The order: the URI of its protocol, its media type and relation, the parameters of its address, the shape of its
address, the text of its protocol, its name and description. An address outranks the text of a protocol, which people
choose from a list. Where nothing decides, the answer is to ask the server, with the kinds that are possible.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Callable, Dict, List, Optional, Tuple
from urllib.parse import unquote, urlsplit

from ..wms.requests.urls import own_parameters
from .kinds import ANY_OWS, ARCHIVES, EXTENSIONS, FILE_WORDS, MEDIA_TYPES, OPERATIONS, PROTOCOL_WORDS, LinkKind

_SERVICES: Dict[str, LinkKind] = {
    "wms": LinkKind.WMS, "wmts": LinkKind.WMTS, "wfs": LinkKind.WFS, "wcs": LinkKind.WCS, "csw": LinkKind.CATALOGUE,
    **dict.fromkeys(("wps", "sos", "sps", "ols", "3dps"), LinkKind.OTHER_SERVICE), "tms": LinkKind.TMS,
    "wms-c": LinkKind.WMS}
_OGC_SERVICES = frozenset((LinkKind.WMS, LinkKind.WMTS, LinkKind.WFS, LinkKind.WCS))
#: relations of OGC API (as the last part of their URI) and of registered links
_RELATIONS: Dict[str, LinkKind] = {
    "tilesets-vector": LinkKind.OGCAPI_TILES, "tilesets-map": LinkKind.OGCAPI_TILES,
    "tilesets-coverage": LinkKind.OGCAPI_TILES,
    "map": LinkKind.OGCAPI_MAPS, "coverage": LinkKind.OGCAPI_COVERAGES, "wmts": LinkKind.WMTS, "wms": LinkKind.WMS,
    "xyz": LinkKind.XYZ,
    "wfs": LinkKind.WFS, "pmtiles": LinkKind.PMTILES, "tilejson": LinkKind.TILEJSON, "describedby": LinkKind.PAGE,
    "metadata-license": LinkKind.PAGE, "landingpage": LinkKind.PAGE, "documentation": LinkKind.PAGE,
    "thumbnail": LinkKind.IMAGE, "overview": LinkKind.IMAGE, "icon": LinkKind.IMAGE}
#: nothing else is opened
_SCHEMES = ("http", "https", "pmtiles")
_URI = re.compile(r"^(?:https?://|urn:)", re.IGNORECASE)
_PLACES = re.compile(r"\{(?:x|tilecol|col)\}|%7b(?:x|tilecol)%7d", re.IGNORECASE)
#: of a template, that its tiles are pictures
_PICTURE = re.compile(r"\.(?:png|jpe?g|webp|gif|tiff?)\b|=(?:image/)?(?:png|jpe?g|webp)", re.IGNORECASE)
_QUADKEY = re.compile(r"\{(?:q|quadkey)\}", re.IGNORECASE)
_MEDIA_TYPE = re.compile(r"^(?:application|text|image|model|multipart)/[\w.+*-]+(?:\s*;.*)?$", re.IGNORECASE)
_LAYER_NAME = re.compile(r"^[^\s,;/]{1,200}$")
_ARCGIS = re.compile(
    r"/(?:rest/)?services/.+?/(?P<server>Map|Feature|Image|VectorTile|Scene|GP|Geocode|Geometry|Geoenrichment|Stream)"
    r"Server(?P<rest>/.*)?$", re.IGNORECASE)
#: without the folder of services, in the spelling that the software has
_ARCGIS_BEHIND_PROXY = re.compile(
    r"/(?P<server>Map|Feature|Image|VectorTile)Server(?P<rest>/(?:\d+|tile|query|export|WMTS).*|/?)$")
_ARCGIS_OGC = re.compile(r"/(WMS|WFS|WCS)Server/?$", re.IGNORECASE)
_ARCGIS_KINDS: Dict[str, LinkKind] = {
    "map": LinkKind.ARCGIS_MAP, "feature": LinkKind.ARCGIS_FEATURE, "image": LinkKind.ARCGIS_IMAGE,
    "vectortile": LinkKind.VECTOR_TILES}
_QUERY_FORMATS = {"geojson": LinkKind.GEOJSON, "kmz": LinkKind.KML, "html": LinkKind.PAGE, "": LinkKind.PAGE}
_COLLECTION = re.compile(r"/collections/(?P<id>[^/]+)(?:/(?P<part>[^/?]+)(?P<rest>/.*)?)?/?$", re.IGNORECASE)
#: the landing pages of GeoServer, QGIS Server and ArcGIS
_OGC_API = re.compile(r"/ogc/(?P<part>features|tiles|maps|coverages)/v\d+(?=/|$)|/wfs3(?=/|$)|/OGCFeatureServer(?=/|$)",
                      re.IGNORECASE)
_PARTS: Dict[str, LinkKind] = {
    "features": LinkKind.OGCAPI_FEATURES, "maps": LinkKind.OGCAPI_MAPS, "coverages": LinkKind.OGCAPI_COVERAGES,
    "items": LinkKind.OGCAPI_FEATURES, "tiles": LinkKind.OGCAPI_TILES, "map": LinkKind.OGCAPI_MAPS,
    "styles": LinkKind.OGCAPI_MAPS,
    "coverage": LinkKind.OGCAPI_COVERAGES,
    **dict.fromkeys(("position", "area", "cube", "trajectory", "corridor", "radius", "locations", "instances"),
                    LinkKind.OTHER_SERVICE)}
#: the protocol that one part of a path names: at its beginning, at its end or between underscores
_PATH_WORD = re.compile(
    r"^(wmts|wms|wfs|wcs|csw|wps|sos)(?:server)?(?![a-z])|"
    r"(?<![a-z])(wmts|wms|wfs|wcs|csw|wps|sos)(?:server)?(?:\.\w+)?$|_(wmts|wms|wfs|wcs|csw|wps|sos)_", re.IGNORECASE)
_CATALOGUE_PAGE = re.compile(r"catalog\.search#?/|/metadata/|/srv/[a-z]{3}/(?:metadata|xml|main|catalog)",
                             re.IGNORECASE)
_MAP_FILE = re.compile(r"/(?:mapserv|qgis_mapserv|mapserver)(?:\.(?:exe|fcgi|cgi))?/?$|qgis_?server", re.IGNORECASE)
#: words of protocols that only say that there is an address
_PLAIN_PROTOCOL = re.compile(r"^(?:https?|ftp|www:|file$|link$|download$|url$|root$|other|none|html?$|\s*$)",
                             re.IGNORECASE)
_DOWNLOAD_PROTOCOL = re.compile(r"download", re.IGNORECASE)
_PAGE_PATH = re.compile(r"/(?:docs?|help|about|ayuda|documentation|wiki|blog|news|noticias|faq|portal|content|"
                        r"asset_publisher)(?:/|$)", re.IGNORECASE)
_MAX_NAMES = 200
#: characters of a link whose reading is cached
_MAX_SHORT = 1_500


@dataclass(frozen=True)
class Link:
    """The values of a record about one address. ``function`` is CI_OnLineFunctionCode or the relation of a link."""

    url: str
    protocol: str = ""
    protocol_uri: str = ""
    media_type: str = ""
    function: str = ""
    name: str = ""
    description: str = ""


@dataclass(frozen=True)
class Reading:
    """The kind of what is behind a link. ``kind`` is None where nothing says it.

    ``sure``: no server needs to be asked. ``because`` names the field and the rule. ``names`` are those of layers,
    types of features, coverages or collections, as the link writes them, and those that are ``guessed`` may be any
    other text. ``possible`` are the kinds to be tried of a link that is not sure, the likeliest first.
    """

    kind: Optional[LinkKind]
    sure: bool = False
    because: str = ""
    names: Tuple[str, ...] = ()
    possible: Tuple[LinkKind, ...] = ()
    guessed: bool = False


@dataclass(frozen=True)
class _Address:
    """The parts of an address that its kind is read from."""

    url: str
    scheme: str
    path: str
    parameters: Dict[str, str]

    @classmethod
    def of(cls, url: str) -> _Address:
        try:
            parts = urlsplit(url.strip())
        except ValueError:
            return cls(url, "", "", {})
        parameters: Dict[str, str] = {}
        # some write all parameters after a second "?"
        for name, value in own_parameters(parts.query.replace("?", "&"), ()):
            parameters.setdefault(name.strip().lower(), value.strip())
        return cls(url, parts.scheme.lower(), unquote(parts.path), parameters)

    def value(self, *names: str) -> str:
        """Return the first value of the parameters ``names`` that is not empty, or an empty text."""
        if not self.parameters:
            return ""
        return next((self.parameters[name] for name in names if self.parameters.get(name)), "")

    @property
    def extension(self) -> str:
        """The extension of the file that the path ends in, in lower case, without a dot."""
        last = self.path.rstrip("/").rpartition("/")[2]
        return last.rpartition(".")[2].lower() if "." in last else ""

    def names(self, *parameters: str) -> Tuple[str, ...]:
        """Return the names in a list of names."""
        return tuple(dict.fromkeys(filter(None, (part.strip() for part in self.value(*parameters).split(",")))))


def read_link(link: Link) -> Reading:
    """Return the kind of ``link`` with the evidence for it."""
    # the links of a map's records are read again with each change of the map
    return (_read_short if sum(map(len, vars(link).values())) <= _MAX_SHORT else _read)(link)


def _read(link: Link) -> Reading:
    link = Link(*(value and " ".join(value.split()) for value in vars(link).values()))
    if not link.media_type and _MEDIA_TYPE.match(link.protocol):
        # OGC API Records and Atom have no protocol but a type
        link = replace(link, media_type=link.protocol, protocol="")
    address = _Address.of(link.url)
    if address.scheme not in _SCHEMES:
        kind = LinkKind.DATABASE if PROTOCOL_WORDS.find(link.protocol) is LinkKind.DATABASE else LinkKind.OTHER_FILE
        return Reading(kind, True, f"url: {address.scheme or 'no'} address")
    reading: Optional[Reading] = None
    for evidence in _EVIDENCE:
        reading = evidence(link, address)
        if reading is not None:
            break
    if reading is None:
        reading = Reading(None, False, "nothing says it", possible=())
    if reading.kind is LinkKind.GEOJSON and not reading.because.startswith("url:"):
        # items of STAC and landing pages of OGC API are called so too
        reading = replace(reading, sure=address.extension == "geojson", possible=(LinkKind.GEOJSON,))
    return _with_names(reading, link, address)


_read_short = lru_cache(maxsize=1024)(_read)


def _by_uri(link: Link, address: _Address) -> Optional[Reading]:
    """Read the URI of a protocol, as Anchor or as text, or of a relation."""
    for field, text in (("protocol uri", link.protocol_uri), ("protocol", link.protocol), ("function", link.function)):
        if not _URI.search(text):
            continue
        last = re.split(r"[/#:]", text.rstrip("/#:"))[-1].lower()
        kind = _RELATIONS.get(last) if "/rel/" in text else None
        kind = kind or _SERVICES.get(last) or PROTOCOL_WORDS.find(text.replace("_", " ").replace("%20", " "))
        if kind is None or kind is LinkKind.PAGE:
            continue
        single = _single_answer(address)
        if single is not None and kind in _OGC_SERVICES:
            return single
        other = _service_parameter(address)
        disagrees = other is not None and other is not kind
        return Reading(kind, not disagrees, f"{field}: {text}", possible=(kind, other) if other and disagrees else ())
    return None


def _by_media_type(link: Link, address: _Address) -> Optional[Reading]:
    kind = MEDIA_TYPES.find(link.media_type) if link.media_type else None
    relation = _RELATIONS.get(link.function.lower()) if link.function else None
    if kind is None and relation is not None:
        return Reading(relation, True, f"function: {link.function}")
    if kind is LinkKind.VECTOR_TILES and _COLLECTION.search(address.path.partition("{")[0] + "x"):
        kind = LinkKind.OGCAPI_TILES
    if kind is LinkKind.GEOJSON and _ogcapi(address) is LinkKind.OGCAPI_FEATURES:
        kind = LinkKind.OGCAPI_FEATURES
    if kind is LinkKind.GEOTIFF and (_asks_for_cog(link)):
        kind = LinkKind.COG
    return Reading(kind, True, f"media type: {link.media_type}") if kind is not None else None


def _asks_for_cog(link: Link) -> bool:
    return any(FILE_WORDS.find(text) is LinkKind.COG for text in (link.protocol, link.media_type))


def _service_parameter(address: _Address) -> Optional[LinkKind]:
    service = _SERVICES.get(address.value("service").lower())
    return service or OPERATIONS.get(address.value("request").lower())


def _single_answer(address: _Address) -> Optional[Reading]:
    """Read a request for one picture, one file or one record, and not for a service."""
    request = address.value("request").lower()
    if request in ("getmap", "map") and address.value("bbox") and address.value("layers"):
        form = address.value("format")
        kind = LinkKind.PAGE if "openlayers" in form else FILE_WORDS.find(form) or LinkKind.IMAGE
        return Reading(kind, True, "url: request=GetMap")
    if request in ("getlegendgraphic", "gettile"):
        return Reading(LinkKind.IMAGE, True, f"url: request={request}")
    if request == "getfeatureinfo":
        return Reading(LinkKind.PAGE, True, "url: request=GetFeatureInfo")
    if request == "getfeature" and address.value("typename", "typenames", "storedquery_id", "resourceid", "featureid"):
        form = address.value("outputformat")
        kind = _file_of_format(form) if form else LinkKind.GML
        return Reading(kind, True, f"url: request=GetFeature, outputFormat={form}")
    if request == "getcoverage" and address.value("coverageid", "coverage", "identifier", "identifiers"):
        form = address.value("format")
        kind = _file_of_format(form) if form else LinkKind.GEOTIFF
        return Reading(kind, True, f"url: request=GetCoverage, format={form}")
    if request == "getrecordbyid":
        return Reading(LinkKind.METADATA, True, "url: request=GetRecordById")
    return None


def _file_of_format(form: str) -> LinkKind:
    found = MEDIA_TYPES.find(form) or FILE_WORDS.find(form.replace("-", " ").replace("_", " "))
    if found is None and re.search(r"json", form, re.IGNORECASE):
        return LinkKind.GEOJSON
    if found is None and re.search(r"gml|xml", form, re.IGNORECASE):
        return LinkKind.GML
    return found or LinkKind.OTHER_FILE


def _by_request(link: Link, address: _Address) -> Optional[Reading]:
    """Read the parameters of requests."""
    single = _single_answer(address)
    if single is not None:
        return single
    if _PLACES.search(address.url) or _WMTS_DOCUMENT.search(address.path):
        return None
    service = address.value("service").lower()
    kind = _service_parameter(address)
    if kind is not None:
        field = f"service={service}" if service else f"request={address.value('request')}"
        in_path = _last_service_of_path(address)
        if in_path is None or in_path is kind or service:
            return Reading(kind, True, f"url: {field}")
        return Reading(in_path, False, f"url: {field}", possible=(in_path, kind))
    arcgis = _ARCGIS.search(address.path)
    if arcgis is None and address.value("f", "format", "outputformat"):
        form = address.value("outputformat", "format", "f")
        file = FILE_WORDS.find(form) or MEDIA_TYPES.find(form)
        if file is not None and not _last_service_of_path(address) and _ogcapi(address) is None:
            return Reading(file, True, f"url: format={form}")
    return None


_WMTS_DOCUMENT = re.compile(r"wmtscapabilities\.xml$", re.IGNORECASE)


def _ogcapi(address: _Address) -> Optional[LinkKind]:
    """Return the kind of an address below ``/collections/``, or None."""
    if re.search(r"/stac(?:/|$)", address.path, re.IGNORECASE):
        return LinkKind.STAC if re.search(r"/collections/[^/]+", address.path) else None
    found = _COLLECTION.search(address.path)
    # QGIS Server writes "items.json"
    return _PARTS.get((found.group("part") or "").lower().partition(".")[0]) if found is not None else None


def _last_service_of_path(address: _Address) -> Optional[LinkKind]:
    """Return the protocol that the last part of the path names that names one.

    It begins or ends that part, or is between underscores: a service ``REDIAM_WFS_…`` lies behind ``/mapwms/`` too.
    Between hyphens it is a word of a title, from which portals make the addresses of their pages.
    """
    for part in reversed(address.path.split("/")):
        words = _PATH_WORD.findall(part)
        if words:
            return _SERVICES[next(filter(None, words[-1])).lower()]
    return None


def _by_shape(link: Link, address: _Address) -> Optional[Reading]:
    """Read the shape of the address, which no other server has."""
    path = address.path
    templated = _by_template(link, address)
    if templated is not None:
        return templated
    if _WMTS_DOCUMENT.search(path):
        return Reading(LinkKind.WMTS, True, "url: WMTSCapabilities.xml")
    arcgis = _by_arcgis(address)
    if arcgis is not None:
        return arcgis
    if _CATALOGUE_PAGE.search(address.url):
        return Reading(LinkKind.METADATA, True, "url: a record of a catalogue")
    collection = _ogcapi(address)
    if collection is not None:
        return Reading(collection, True, "url: /collections/")
    api = _OGC_API.search(path)
    if api is not None:
        part = (api.group("part") or "items").lower()
        return Reading(_PARTS[part], True, f"url: {api.group()}")
    if _COLLECTION.search(path):
        return _asked(PROTOCOL_WORDS.find(link.protocol), "url: /collections/",
                      (LinkKind.OGCAPI_FEATURES, LinkKind.OGCAPI_TILES, LinkKind.CATALOGUE, LinkKind.STAC))
    return _by_file(link, address) or _by_service_path(link, address)


def _by_template(link: Link, address: _Address) -> Optional[Reading]:
    """Read the template of tiles."""
    if not _PLACES.search(address.url) and not _QUADKEY.search(address.url):
        return None
    if re.search(r"\.(?:pbf|mvt)\b|[?&]f=(?:mvt|pbf)|mapbox-vector-tile|vnd\.mvt", address.url, re.IGNORECASE):
        is_collection = "/collections/" in address.path
        return Reading(LinkKind.OGCAPI_TILES if is_collection else LinkKind.VECTOR_TILES, True,
                       "url: template of vector tiles")
    if re.search(r"\{tilematrix", address.url, re.IGNORECASE):
        if re.search(r"/(?:collections/.*/)?(?:map/)?tiles/", address.path, re.IGNORECASE):
            return Reading(LinkKind.OGCAPI_TILES, True, "url: template of OGC API tiles")
        return Reading(LinkKind.WMTS, True, "url: template of WMTS")
    kind = PROTOCOL_WORDS.find(link.protocol)
    if kind is LinkKind.VECTOR_TILES:
        return Reading(kind, True, f"protocol: {link.protocol}")
    if _PICTURE.search(address.url):
        return Reading(LinkKind.XYZ, True, "url: template of tiles")
    return _asked(LinkKind.XYZ, "url: template of tiles", (LinkKind.VECTOR_TILES,))


def _by_arcgis(address: _Address) -> Optional[Reading]:
    """Read an address of ArcGIS Server, whose services answer to several protocols."""
    ogc = _ARCGIS_OGC.search(address.path)
    if ogc is not None:
        return Reading(_SERVICES[ogc.group(1).lower()], True, f"url: {ogc.group(1)}Server")
    found = _ARCGIS.search(address.path) or _ARCGIS_BEHIND_PROXY.search(address.path)
    if found is None:
        if re.search(r"/(?:rest/services|arcgis/rest)(?:/[^/]+)?/?$", address.path, re.IGNORECASE):
            return _asked(None, "url: directory of services", (LinkKind.ARCGIS_MAP, LinkKind.ARCGIS_FEATURE))
        return None
    server, rest = found.group("server").lower(), (found.group("rest") or "").lower()
    if server == "vectortile" and "/resources/styles" in rest:
        return Reading(LinkKind.STYLE, True, "url: VectorTileServer/resources/styles")
    if rest.startswith("/wmts"):
        return Reading(LinkKind.WMTS, True, "url: MapServer/WMTS")
    if re.match(r"/tile/\d", rest) or rest.startswith(("/export", "/thumbnail", "/info/thumbnail")):
        return Reading(LinkKind.IMAGE, True, "url: one picture of ArcGIS")
    if rest.endswith("/query"):
        form = address.value("f").lower()
        kind = _QUERY_FORMATS.get(form, LinkKind.OTHER_FILE)
        return Reading(kind, True, f"url: one query, f={form}")
    return Reading(_ARCGIS_KINDS.get(server, LinkKind.OTHER_SERVICE), True, f"url: {found.group('server')}Server")


def _by_file(link: Link, address: _Address) -> Optional[Reading]:
    """Read the extension of a file, and of what an archive says that it holds."""
    if address.scheme == "pmtiles":
        return Reading(LinkKind.PMTILES, True, "url: pmtiles://")
    extension = address.extension
    if re.search(r"/(?:tilejson|tiles)\.json$", address.path, re.IGNORECASE):
        return Reading(LinkKind.TILEJSON, True, "url: tiles.json")
    if re.search(r"/style[^/]*\.json$", address.path, re.IGNORECASE):
        return Reading(LinkKind.STYLE, True, "url: style.json")
    if extension in ARCHIVES:
        return _by_archive(link, address)
    kind = EXTENSIONS.get(extension)
    if kind is None or _service_parameter(address) is not None:
        return None
    if kind is LinkKind.GEOTIFF and (_asks_for_cog(link) or re.search(r"/cogs?/|\.cog\.", address.path, re.IGNORECASE)
                                 and not link.protocol):
        kind = LinkKind.COG
    if kind is LinkKind.GEOTIFF and PROTOCOL_WORDS.find(link.protocol) in (LinkKind.IMAGE,):
        kind = LinkKind.IMAGE
    if kind is LinkKind.OTHER_FILE and extension == "laz" and address.path.lower().endswith(".copc.laz"):
        kind = LinkKind.COPC
    return Reading(kind, True, f"url: .{extension}")


def _by_archive(link: Link, address: _Address) -> Reading:
    """Read what an archive holds from its name, its link's name and its protocol."""
    stem = address.path.rstrip("/").rpartition("/")[2].lower()
    inner = [EXTENSIONS.get(part) for part in re.split(r"[._-]", stem)[:-1]]
    named = EXTENSIONS.get(link.name.lower().rpartition(".")[2]) if "." in link.name else None
    protocol = FILE_WORDS.find(link.protocol.replace("_", " "))
    media = MEDIA_TYPES.find(link.media_type)
    for kind, field in ((named, f"name: {link.name}"), (protocol, f"protocol: {link.protocol}"),
                        (media, f"media type: {link.media_type}"),
                        (next(filter(None, reversed(inner)), None), f"url: {stem}")):
        if kind is not None and kind not in (LinkKind.PAGE, LinkKind.IMAGE):
            return Reading(kind, True, field)
    words = FILE_WORDS.find(f"{link.name} {link.description}")
    return _asked(words, "url: an archive", (LinkKind.SHAPEFILE, LinkKind.GEOPACKAGE, LinkKind.ARCHIVE))


def _by_service_path(link: Link, address: _Address) -> Optional[Reading]:
    """Read a word of the path that names a protocol."""
    path = address.path
    if re.search(r"/(?:wms/)?reflect$", path, re.IGNORECASE):
        return _asked(None, "url: /reflect", (LinkKind.PAGE, LinkKind.IMAGE))
    if re.search(r"/wms/kml$", path, re.IGNORECASE):
        return Reading(LinkKind.KML, True, "url: /wms/kml")
    if re.search(r"/tiles/WebMercatorQuad/?$", path, re.IGNORECASE):
        return _asked(LinkKind.OGCAPI_TILES, "url: /tiles/WebMercatorQuad", ())
    if re.search(r"/atom[^/]*(?:/.*)?\.xml$", path, re.IGNORECASE):
        return _asked(LinkKind.ATOM, "url: /atom", ())
    if re.search(r"/tms/1\.0(?:\.0)?(?:/|$)", path, re.IGNORECASE):
        return Reading(LinkKind.TMS, True, "url: /tms/1.0.0")
    stated = PROTOCOL_WORDS.find(link.protocol)
    word = _last_service_of_path(address)
    if word is None and stated is None and re.search(r"/mapwms/", path, re.IGNORECASE):
        return Reading(LinkKind.WMS, False, "url: /mapwms/", possible=ANY_OWS)
    if word is None or _PAGE_PATH.search(path) and stated not in _OGC_SERVICES:
        if word is not None:
            return _asked(None, "url: a page about it", (word, LinkKind.PAGE))
        return None
    if stated is not None and stated is not word and stated not in _PLAIN:
        # GeoServer and MapProxy answer to several protocols at one address, a service's name may hold another's word
        if re.search(r"/(?:wms|wfs|wcs|wmts)/?$", path, re.IGNORECASE) and stated not in _OGC_SERVICES:
            return Reading(stated, False, f"protocol: {link.protocol}", possible=(stated, word))
        last = path.rstrip("/").rpartition("/")[2]
        if _PATH_WORD.search(last):
            return Reading(word, False, f"url: /{last}", possible=(word, stated))
        return Reading(stated, False, f"protocol: {link.protocol}", possible=(stated, word))
    sure = stated is word or word in _OGC_SERVICES
    return Reading(word, sure, "url: a word of its path")


_PLAIN = frozenset((LinkKind.PAGE, LinkKind.IMAGE, LinkKind.METADATA))


def _by_protocol(link: Link, address: _Address) -> Optional[Reading]:
    """Read the text of the protocol."""
    kind = PROTOCOL_WORDS.find(link.protocol.replace("_", " ")) if link.protocol else None
    if kind is None and re.search(r"\besri\b|arcgis", link.protocol, re.IGNORECASE):
        return _asked(None, f"protocol: {link.protocol}", (LinkKind.ARCGIS_MAP, LinkKind.ARCGIS_FEATURE))
    if kind is None:
        return None
    if kind is LinkKind.PAGE and re.match(r"html?$", link.protocol, re.IGNORECASE) and _last_service_of_path(address):
        return _asked(None, f"protocol: {link.protocol}", (LinkKind.PAGE, LinkKind.IMAGE))
    return Reading(kind, True, f"protocol: {link.protocol}")


def _by_name(link: Link, address: _Address) -> Optional[Reading]:
    """Read name and description, which say what the publisher calls it: never sure but for a file."""
    bare = re.search(r"/(?:ows|mapcache|service|services|gwc/service|mapproxy/service)/?$", address.path, re.IGNORECASE)
    for text in (link.name, link.description):
        file = FILE_WORDS.find(text)
        download = _DOWNLOAD_PROTOCOL.search(link.protocol + link.function)
        if file is not None and download:
            return Reading(file, "." in text, f"name: {text}", possible=() if "." in text else (file,))
        kind = PROTOCOL_WORDS.find(text)
        if kind in _OGC_SERVICES and (bare or address.value("map") or address.url.rstrip().endswith(("?", "&"))):
            return Reading(kind, False, f"name: {text}", possible=(kind,))
    if bare or _MAP_FILE.search(address.path):
        return _asked(None, "url: several protocols", ANY_OWS)
    if re.search(r"(?:^|/)stac(?:/|$)", address.path, re.IGNORECASE):
        return _asked(None, "url: /stac", (LinkKind.STAC, LinkKind.OGCAPI_FEATURES))
    if re.search(r"/collections/?$|/ogcapi/?$|/ogc/v\d", address.path, re.IGNORECASE):
        return _asked(None, "url: a landing page",
                      (LinkKind.OGCAPI_FEATURES, LinkKind.CATALOGUE, LinkKind.STAC, LinkKind.OGCAPI_TILES))
    if re.search(r"json", link.media_type, re.IGNORECASE):
        return _asked(None, f"media type: {link.media_type}", (LinkKind.GEOJSON, LinkKind.OGCAPI_FEATURES,
        LinkKind.STAC))
    if re.search(r"text/html", link.media_type, re.IGNORECASE) or (
            _PLAIN_PROTOCOL.search(link.protocol) and link.protocol and not _DOWNLOAD_PROTOCOL.search(link.protocol)):
        return Reading(LinkKind.PAGE, False, "protocol: a link", possible=(LinkKind.PAGE,))
    return None


def _asked(kind: Optional[LinkKind], because: str, possible: Tuple[LinkKind, ...]) -> Reading:
    """Return a reading that the server's own document has to settle."""
    if kind is not None:
        possible = (kind, *(other for other in possible if other is not kind))
    return Reading(kind, False, because, possible=possible)


_Evidence = Callable[[Link, _Address], Optional[Reading]]
_EVIDENCE: List[_Evidence] = [_by_uri, _by_media_type, _by_request, _by_shape, _by_protocol, _by_name]


def _with_names(reading: Reading, link: Link, address: _Address) -> Reading:
    """Add the names of layers, types, coverages or collections that the link has."""
    kind = reading.kind
    names: Tuple[str, ...] = ()
    if kind is LinkKind.WMS:
        names = address.names("layers", "layer")
    elif kind is LinkKind.WFS:
        names = address.names("typenames", "typename")
    elif kind is LinkKind.WCS:
        names = address.names("coverageid", "coverage", "identifiers", "identifier")
    elif kind is LinkKind.WMTS:
        names = address.names("layer", "layers")
    elif kind in (LinkKind.OGCAPI_FEATURES, LinkKind.OGCAPI_TILES, LinkKind.OGCAPI_MAPS, LinkKind.OGCAPI_COVERAGES):
        found = re.search(r"/collections/([^/?]+)", address.path)
        names = (found.group(1),) if found else ()
    elif kind in (LinkKind.ARCGIS_MAP, LinkKind.ARCGIS_FEATURE):
        found = re.search(r"/(?:Map|Feature)Server/(\d+)", address.path, re.IGNORECASE)
        names = (found.group(1),) if found else ()
    if not names and kind in _OGC_SERVICES | {LinkKind.OGCAPI_FEATURES} and _is_layer_name(link.name):
        # whoever links to the description of a service may call it by any name
        return replace(reading, names=(link.name,), guessed=address.value("request").lower() == "getcapabilities")
    return replace(reading, names=names[:_MAX_NAMES]) if names else reading


def _is_layer_name(name: str) -> bool:
    """Return whether a link's name can be that of a layer, and is not that of its protocol."""
    return bool(_LAYER_NAME.match(name)) and PROTOCOL_WORDS.find(name) is None and name.lower() not in (
        # with the codes of INSPIRE's SpatialDataServiceType and OnLineDescriptionCode
        "accesspoint", "endpoint", "service", "servicio", "tiles", "map", "data", "link", "url", "view", "download",
        "discovery", "transformation", "invoke", "other", "accessservice")


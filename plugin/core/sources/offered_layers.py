"""The layers that services offer, read from their own descriptions, with the sources by which QGIS opens them.

Everything here reads documents. ``plugin/core/distributions/description.py`` fetches them.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple
from urllib.parse import urlsplit, urlunsplit

from lxml import etree

from .. import json_document, safe_xml
from ..addresses import host_and_port, is_web_address, joined_address
from ..box import Box
from ..errors import UnreadableDocument
from ..i18n import tr
from ..text import fold, single_line
from ..wms.crs.codes import normalise_crs
from ..wms.model.xml_values import attribute, descendants, local_name, named_children, named_text
from ..wms.requests.urls import url_prefix, with_parameters
from .source_kind import ProviderInfo
from .source_text import encoded_source
from .tile_hosts import one_server
from .tilejson import read_tilejson

#: layers of one service that are offered
MAX_LAYERS = 2_000
#: the deepest level that is requested of tiles that do not say how deep they go
DEFAULT_DEEPEST = 19
#: the number of the CRSs that only ESRI defines begins here
_FIRST_ESRI = 37_000
_MERCATOR = re.compile(r"(?<!\d)(?:3857|900913|3785|102100|102113)(?!\d)|OSGEO:41001", re.IGNORECASE)
_WEB_MERCATOR_SETS = re.compile(r"GoogleMapsCompatible|WebMercatorQuad|(?<!\d)(?:3857|900913)(?!\d)", re.IGNORECASE)
#: spellings of the places in the template of a tile
_PLACES = {"z": "z", "zoom": "z", "level": "z", "tilematrix": "z", "x": "x", "col": "x", "tilecol": "x", "y": "y",
           "row": "y", "tilerow": "y", "-y": "-y", "q": "q", "quadkey": "q", "r": "", "ratio": "", "retina": ""}
_PLACE = re.compile(r"\$?\{\s*(?P<name>[^{}]{1,80}?)\s*\}")


@dataclass(frozen=True)
class Counting:
    """The request for the number of features of a layer in a box (degrees) or in all, and how its answer is read.

    ``read`` returns None for an answer without a number.
    """

    address: Callable[[Optional[Box]], str]
    read: Callable[[bytes], Optional[int]]


@dataclass(frozen=True)
class OfferedLayer:
    """A layer that a service offers. ``type``, ``provider`` and ``source`` are as QGIS and a map's document name them.

    ``counting`` is None where the service does not count its features. ``stated`` is what the document that offers it
    says of its terms, if its source does not lead there.
    """

    name: str
    title: str
    type: str
    provider: str
    source: str
    counting: Optional[Counting] = None
    stated: ProviderInfo = ProviderInfo()

    def is_called(self, name: str) -> bool:
        """Return whether ``name`` is its name, with or without the prefix of XML, or its title."""
        return name in (self.name, self.name.rpartition(":")[2]) or self.name == name.rpartition(":")[2] or fold(
            name) == fold(self.title)


def quoted_source(**parameters: str) -> str:
    """Return a source of QGIS's providers of features: ``name='value' name='value'``."""
    return " ".join("{}='{}'".format(name, value.replace("\\", "\\\\").replace("'", "\\'"))
                    for name, value in parameters.items())


# -- tiles


def wmts_layers(data: bytes, address: str, crs: str = "") -> List[OfferedLayer]:
    """Return the layers of a WMTS by its capabilities (07-057r7, 7.1.1.2), in matrices of ``crs`` if it has them.

    Raises UnreadableDocument.
    """
    root = safe_xml.parse(data, host_and_port(address))
    sets = {named_text(found, "Identifier"): normalise_crs(named_text(found, "SupportedCRS"))
            for found in named_children(_child(root, "Contents"), "TileMatrixSet")}
    is_document = "/wmtscapabilities.xml" in address.lower()
    # QGIS takes an address without these words for that of a WMS
    url = address if is_document and "/WMTSCapabilities.xml" in address else with_parameters(
        address, {"SERVICE": "WMTS", "REQUEST": "GetCapabilities"})
    found: List[OfferedLayer] = []
    for layer in named_children(_child(root, "Contents"), "Layer")[:MAX_LAYERS]:
        name = named_text(layer, "Identifier")
        linked = [named_text(link, "TileMatrixSet") for link in named_children(layer, "TileMatrixSetLink")]
        matrix_set = _best_set([one for one in linked if sets.get(one)], sets, crs)
        formats = [single_line(one.text or "") for one in named_children(layer, "Format")]
        images = [one for one in formats if one.startswith("image/")]
        if not name or not matrix_set or not images:
            continue
        styles = named_children(layer, "Style")
        style = next((one for one in styles if attribute(one, "isDefault") == "true"), styles[0] if styles else None)
        dimensions = [(named_text(one, "Identifier"), named_text(one, "Default"))
                      for one in named_children(layer, "Dimension")]
        more = {"tileDimensions": ";".join(f"{key}={value}" for key, value in dimensions)} if dimensions else {}
        image = next((one for one in ("image/png", "image/png8", "image/jpeg") if one in images), images[0])
        found.append(OfferedLayer(name, named_text(layer, "Title") or name, "raster", "wms", encoded_source(
            crs=sets[matrix_set], dpiMode="7", format=image, layers=name, styles=named_text(style, "Identifier"),
            tileMatrixSet=matrix_set, **more, url=url)))
    return found


def _best_set(names: Sequence[str], sets: Mapping[str, str], crs: str) -> str:
    ranked = sorted(names, key=lambda name: (sets[name] != crs, _MERCATOR.search(sets[name]) is None))
    return ranked[0] if ranked else ""


def tile_template(address: str) -> str:
    """Return the template of a tile's address as QGIS writes it, or "" if it has other places than level and tile.

    A server of several is one of them, and a tile of double size is one of the usual size.
    """
    text = re.sub("%7B", "{", re.sub("%7D", "}", address.strip(), flags=re.IGNORECASE), flags=re.IGNORECASE)
    text = one_server(text)
    text = re.sub(r"\{(?:s|subdomain)\}", "a", text, flags=re.IGNORECASE)
    if re.search(r"\{tilematrixset(?:id)?\}", text, re.IGNORECASE):
        text = re.sub(r"\{tilematrixset(?:id)?\}", "WebMercatorQuad", text, flags=re.IGNORECASE)

    def place(match: re.Match[str]) -> str:
        known = _PLACES.get(match.group("name").lower())
        return match.group() if known is None else f"{{{known}}}" if known else ""

    text = _PLACE.sub(place, text)
    places = set(re.findall(r"\{([^{}]*)\}", text))
    return text if places in ({"z", "x", "y"}, {"z", "x", "-y"}, {"q"}) else ""


def tile_address(template: str, level: int, longitude: float, latitude: float) -> str:
    """Return the address of the tile of a level at a place in degrees, in web mercator."""
    count = 2 ** level
    sine = math.sin(math.radians(max(-85.0, min(85.0, latitude))))
    column = min(count - 1, max(0, int((longitude + 180.0) / 360.0 * count)))
    row = min(count - 1, max(0, int((0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * count)))
    places = {"z": level, "x": column, "y": row, "-y": count - 1 - row, "q": 0}
    return re.sub(r"\{(z|x|-?y|q)\}", lambda match: str(places[match.group(1)]), template)


def tile_layer(address: str, title: str, levels: Tuple[int, int] = (0, DEFAULT_DEEPEST)) -> Optional[OfferedLayer]:
    """Return the layer of the images at a tile's template, or None if its places are not those of a tile."""
    template = tile_template(address)
    return OfferedLayer("", title, "raster", "wms", encoded_source(
        type="xyz", url=template, zmin=str(levels[0]), zmax=str(levels[1]))) if template else None


#: metres of a pixel of the one tile that shows the world in web mercator
_UNITS_OF_LEVEL_0 = 156543.03392804097


def tms_layers(data: bytes, address: str) -> Tuple[List[OfferedLayer], List[str]]:
    """Return the tiles of a TMS by the document of a tile map, and the addresses of tile maps in that of a service.

    OSGeo Tile Map Service 1.0.0: only maps in web mercator have the levels of XYZ. Raises UnreadableDocument.
    """
    root = safe_xml.parse(data, host_and_port(address))
    if local_name(root) == "TileMapService":
        maps = [one for one in descendants(root, ("TileMap",)) if _MERCATOR.search(attribute(one, "srs") or "")]
        return [], [joined_address(address, attribute(one, "href") or "") for one in maps][:MAX_LAYERS]
    image = next(iter(descendants(root, ("TileFormat",))), None)
    extension = attribute(image, "extension") if image is not None else None
    if local_name(root) != "TileMap" or not extension or not _MERCATOR.search(named_text(root, "SRS")):
        return [], []
    orders = []
    for one in descendants(root, ("TileSet",)):
        order, units = attribute(one, "order") or "", attribute(one, "units-per-pixel") or ""
        if order.isdigit() and re.fullmatch(r"\d{1,20}(?:\.\d{1,30})?", units) and abs(
                float(units) * 2 ** min(int(order[:3]), 60) / _UNITS_OF_LEVEL_0 - 1) > 0.1:
            # MapProxy begins with the four tiles of level 1: QGIS would draw them at other places
            return [], []
        orders += [int(order)] if order.isdigit() else []
    layer = tile_layer(f"{address.partition('?')[0].rstrip('/')}/{{z}}/{{x}}/{{-y}}.{extension}",
                       named_text(root, "Title"), (min(orders, default=0), max(orders, default=DEFAULT_DEEPEST)))
    return [layer] if layer is not None else [], []


# -- vector tiles


def vector_tile_layer(address: str, title: str, levels: Tuple[int, int] = (0, 14), style: str = "",
                      name: str = "") -> Optional[OfferedLayer]:
    """Return the layer of the vector tiles at a template, drawn by the style at ``style``, or None for no template."""
    template = tile_template(address)
    more = {"styleUrl": style} if style else {}
    return OfferedLayer(name, title, "vector-tile", "vectortile", encoded_source(
        type="xyz", url=template, zmin=str(levels[0]), zmax=str(levels[1]), **more)) if template else None


def tilejson_layer(data: bytes, address: str, title: str, style: str = "", name: str = "") -> Optional[OfferedLayer]:
    """Return the layer of a TileJSON document (3.0.0): vector tiles, or images. Raises UnreadableDocument."""
    value = _object(data, address)
    tiles = value.get("tiles")
    if not isinstance(tiles, list) or not tiles or not isinstance(tiles[0], str):
        raise UnreadableDocument(tr("{name} is not a TileJSON document.", name=address))
    template = joined_address(address, tiles[0])
    title = single_line(str(value.get("name") or "")) or title
    is_vector = "vector_layers" in value or re.search(r"\.(?:pbf|mvt)\b", template) is not None
    levels = (_level(value, "minzoom", 0), _level(value, "maxzoom", 14 if is_vector else DEFAULT_DEEPEST))
    layer = vector_tile_layer(template, title, levels, style, name) if is_vector else tile_layer(
        template, title, levels)
    return replace(layer, stated=read_tilejson(data, address)) if layer is not None else None


def style_sources(data: bytes, address: str) -> List[Tuple[str, str, Tuple[int, int]]]:
    """Return the vector sources of a style (MapLibre, version 8): name, template or TileJSON, and levels."""
    value = _object(data, address)
    sources = value.get("sources")
    found = []
    for name, source in list(sources.items())[:20] if isinstance(sources, dict) else ():
        if not isinstance(source, dict) or source.get("type") != "vector":
            continue
        tiles, url = source.get("tiles"), source.get("url")
        target = tiles[0] if isinstance(tiles, list) and tiles and isinstance(tiles[0], str) else url
        if isinstance(target, str) and is_web_address(joined_address(address, target)):
            found.append((str(name), joined_address(address, target),
                          (_level(source, "minzoom", 0), _level(source, "maxzoom", 14))))
    return found


def ogcapi_tile_template(data: bytes, address: str) -> Tuple[str, bool]:
    """Return a template of web mercator tiles among the links of OGC API tile sets, and whether they are vector tiles.

    OGC API - Tiles, 20-057 8. Where no link is a template, it is the address of the tile set's own document, or "".
    """
    value = _object(data, address)
    sets = value.get("tilesets") if isinstance(value.get("tilesets"), list) else [value]
    others: List[str] = []
    for one in sets if isinstance(sets, list) else ():
        if not isinstance(one, dict):
            continue
        named = " ".join(str(one.get(key) or "") for key in ("tileMatrixSetId", "tileMatrixSetURI", "tileMatrixSet"))
        for link in _dicts(one.get("links")):
            href = joined_address(address, str(link.get("href") or ""))
            is_template = re.search(r"\{tilematrix\}", href, re.IGNORECASE) is not None
            if named.strip() and not _WEB_MERCATOR_SETS.search(named):
                continue
            if is_template and re.search(r"mvt|mapbox-vector|png|jpeg", str(link.get("type") or "") + href):
                return href, re.search(r"mvt|vector", str(link.get("type") or "") + href) is not None
            if link.get("rel") == "self" and href != address:
                others.append(href)
    return (others[0] if others else ""), False


# -- features


def wfs_layers(data: bytes, address: str) -> List[OfferedLayer]:
    """Return the types of features of a WFS by its capabilities. Raises UnreadableDocument."""
    root = safe_xml.parse(data, host_and_port(address))
    version = attribute(root, "version") or ""
    found = []
    for one in named_children(_child(root, "FeatureTypeList"), "FeatureType")[:MAX_LAYERS]:
        # a prefix may be declared on the element alone: the name stays as it is written
        name = named_text(one, "Name")
        crs = normalise_crs(named_text(one, "DefaultCRS", "DefaultSRS", "SRS"))
        if not name:
            continue
        found.append(OfferedLayer(name, named_text(one, "Title") or name, "vector", "WFS", quoted_source(
            pagingEnabled="true", preferCoordinatesForWfsT11="false", restrictToRequestBBOX="1",
            srsname="EPSG:4326" if crs == "CRS:84" else crs, typename=name, url=url_prefix(address), version="auto"),
            _wfs_counting(address, name, version) if version[:1] in ("1", "2") and version != "1.0.0" else None))
    return found


def _wfs_counting(address: str, name: str, version: str) -> Counting:
    def ask(box: Optional[Box]) -> str:
        parameters = {"SERVICE": "WFS", "VERSION": version, "REQUEST": "GetFeature",
                      "TYPENAMES" if version.startswith("2") else "TYPENAME": name, "RESULTTYPE": "hits"}
        # the axes of the URN are latitude and longitude
        more = {"BBOX": [*(f"{side:.9g}" for side in box.with_axes_swapped), "urn:ogc:def:crs:EPSG::4326"]} \
            if box is not None else {}
        return with_parameters(url_prefix(address), {**parameters, **more})

    def read(data: bytes) -> Optional[int]:
        root = safe_xml.parse(data, host_and_port(address))
        counted = attribute(root, "numberMatched") or attribute(root, "numberOfFeatures") or ""
        return int(counted) if counted.isdigit() else None

    return Counting(ask, read)


def collections_address(data: bytes, address: str) -> str:
    """Return the address of the collections by the links of a landing page (17-069r4 7.2), at ``address``."""
    links = ((str(link.get("rel") or ""), str(link.get("type") or ""), str(link.get("href") or ""))
             for link in _dicts(_object(data, address).get("links")))
    found = [joined_address(address, href) for rel, media, href in links
             if rel.rpartition("/")[2] == "data" and "html" not in media and href]
    return found[0] if found else f"{landing_address(address).rstrip('/')}/collections"


def landing_address(address: str) -> str:
    """Return the address of the landing page that a collection, its items or the landing page itself is below."""
    parts = urlsplit(address)
    path = re.split("/collections(?:/|$)", parts.path)[0]
    own = [part for part in parts.query.split("&")
           if part.partition("=")[0].lower() not in ("f", "limit", "bbox", "offset", "startindex", "datetime")]
    return str(urlunsplit((parts.scheme, parts.netloc, path, "&".join(own), "")))


def ogcapi_layers(data: bytes, address: str, landing: str) -> List[OfferedLayer]:
    """Return the collections of features in the document of the collections (17-069r4 7.13), at ``address``.

    QGIS opens them by the ``landing`` page alone. Raises UnreadableDocument.
    """
    value = _object(data, address)
    if not isinstance(value.get("collections"), list):
        raise UnreadableDocument(tr("{name} is not the description of an OGC API.", name=host_and_port(address)))
    found = []
    for one in _dicts(value["collections"])[:MAX_LAYERS]:
        name = str(one.get("id") or one.get("name") or "")
        items = [joined_address(address, str(link.get("href") or "")) for link in _dicts(one.get("links"))
                 if link.get("rel") == "items"]
        if not name or not items or str(one.get("itemType") or "feature").lower() not in ("feature", "features"):
            continue
        found.append(OfferedLayer(name, single_line(str(one.get("title") or "")) or name, "vector", "OAPIF",
                                  quoted_source(pagingEnabled="true", restrictToRequestBBOX="1", typename=name,
                                                url=landing), _ogcapi_counting(items[0])))
    return found


def _ogcapi_counting(items: str) -> Counting:
    def ask(box: Optional[Box]) -> str:
        more = {"bbox": [f"{side:.9g}" for side in box]} if box is not None else {}
        return with_parameters(items, {"f": "json", "limit": "1", **more})

    def read(data: bytes) -> Optional[int]:
        return json_document.count_of(_object(data, items).get("numberMatched"))

    return Counting(ask, read)


# -- ArcGIS


_ARCGIS = re.compile(r"^(?P<service>.*/(?:Map|Feature)Server)(?:/(?P<layer>\d+))?", re.IGNORECASE)


def arcgis_service(address: str) -> Tuple[str, str]:
    """Return the address of an ArcGIS service without parameters, and the number of the layer that it names or ""."""
    found = _ARCGIS.match(address.partition("?")[0])
    return (found.group("service"), found.group("layer") or "") if found is not None else (address, "")


def arcgis_map_layers(data: bytes, address: str) -> List[OfferedLayer]:
    """Return the whole map of an ArcGIS MapServer and its layers (ArcGIS REST API). Raises UnreadableDocument."""
    value, (service, _number) = _object(data, address), arcgis_service(address)
    crs = esri_crs(value.get("spatialReference"))
    kinds = str(value.get("supportedImageFormatTypes") or "PNG32").split(",")
    image = next((one for one in ("PNG32", "PNG24", "PNG", "JPG") if one in kinds), "PNG32")

    def layer(number: str, title: str) -> OfferedLayer:
        return OfferedLayer(number, title, "raster", "arcgismapserver",
                            quoted_source(crs=crs, format=image, layer=number, url=service))

    title = single_line(str(value.get("mapName") or "")) or service.rstrip("/").split("/")[-2]
    return [layer("", title), *(layer(str(one["id"]), single_line(str(one.get("name") or one["id"])))
                                for one in _dicts(value.get("layers"))[:MAX_LAYERS] if "id" in one)]


def arcgis_feature_layers(data: bytes, address: str) -> List[OfferedLayer]:
    """Return the layers with geometries of an ArcGIS FeatureServer (ArcGIS REST API). Raises UnreadableDocument."""
    value, (service, _number) = _object(data, address), arcgis_service(address)
    crs = esri_crs(value.get("spatialReference") or (value.get("fullExtent") or {}).get("spatialReference"))
    return [OfferedLayer(number, single_line(str(one.get("name") or "")), "vector", "arcgisfeatureserver",
                         quoted_source(crs=crs, url=f"{service}/{number}"), _arcgis_counting(f"{service}/{number}"))
            for one in _dicts(value.get("layers"))[:MAX_LAYERS] if "id" in one
            for number in [str(one["id"])] if not one.get("subLayerIds")]


def esri_crs(reference: object) -> str:
    """Return the code of a spatial reference of ArcGIS, by default that of web mercator."""
    value: Mapping[str, Any] = reference if isinstance(reference, dict) else {}
    number = json_document.count_of(value.get("latestWkid")) or json_document.count_of(value.get("wkid"))
    if not number:
        return "EPSG:3857"
    return f"{'ESRI' if number >= _FIRST_ESRI else 'EPSG'}:{number}"


def _arcgis_counting(layer: str) -> Counting:
    def ask(box: Optional[Box]) -> str:
        more = {"geometry": ",".join(f"{side:.9g}" for side in box), "geometryType": "esriGeometryEnvelope",
                "inSR": "4326", "spatialRel": "esriSpatialRelIntersects"} if box is not None else {}
        return with_parameters(f"{layer}/query", {"where": "1=1", "returnCountOnly": "true", "f": "json", **more})

    def read(data: bytes) -> Optional[int]:
        return json_document.count_of(_object(data, layer).get("count"))

    return Counting(ask, read)


# -- coverages


def wcs_names(data: bytes, address: str) -> List[Tuple[str, str]]:
    """Return names and titles of the coverages of a WCS 1.0.0 (03-065r6) by its capabilities.

    Raises UnreadableDocument for one of another version, which QGIS does not read with all its servers.
    """
    root = safe_xml.parse(data, host_and_port(address))
    version = attribute(root, "version") or ""
    if version != "1.0.0":
        raise UnreadableDocument(tr("{name} answers with WCS {version}. QGIS opens coverages by WCS 1.0.0.",
                                    name=host_and_port(address), version=version or "?"))
    briefs = named_children(_child(root, "ContentMetadata"), "CoverageOfferingBrief")[:MAX_LAYERS]
    return [(name, named_text(one, "label") or name) for one in briefs for name in [named_text(one, "name")] if name]


def wcs_layers(data: bytes, address: str) -> List[OfferedLayer]:
    """Return the coverages of an answer to DescribeCoverage (03-065r6), in the server's own name of a format.

    Raises UnreadableDocument.
    """
    root = safe_xml.parse(data, host_and_port(address))
    found = []
    for one in descendants(root, ("CoverageOffering",)):
        name = named_text(one, "name")
        formats = [single_line(part.text or "") for part in descendants(one, ("formats",))]
        form = next((part for part in formats if re.search(r"tiff?", part, re.IGNORECASE)), "")
        systems = [normalise_crs(code) for kind in ("nativeCRSs", "requestResponseCRSs", "requestCRSs")
                   for part in descendants(one, (kind,)) for code in (part.text or "").split()]
        if name and form and systems:
            found.append(OfferedLayer(name, named_text(one, "label") or name, "raster", "wcs", encoded_source(
                crs=systems[0], format=form, identifier=name, url=url_prefix(address))))
    return found


# -- values


def _child(parent: Optional[etree._Element], name: str) -> Optional[etree._Element]:
    return next(iter(named_children(parent, name)), None)


def _object(data: bytes, address: str) -> Dict[str, Any]:
    name = host_and_port(address)
    value = json_document.parse_json(data, name)
    if not isinstance(value, dict):
        raise UnreadableDocument(tr("{name} sends JSON that describes no service.", name=name))
    return value


def _dicts(value: object) -> List[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _level(value: Mapping[str, Any], name: str, default: int) -> int:
    found = value.get(name)
    return min(int(found), 30) if isinstance(found, (int, float)) and 0 <= found <= 40 else default

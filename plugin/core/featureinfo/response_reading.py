"""Reading of GetFeatureInfo responses by content, whatever media type the server states."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Iterator, List, Mapping, Optional, Tuple

from lxml import etree

from .. import safe_xml
from ..box import Box
from ..errors import CartoguideError
from ..json_document import parse_json
from ..safe_xml import decode
from ..text import printable
from ..wms.crs import transformation
from ..wms.crs.codes import normalise_crs
from ..wms.model.xml_values import element_text, local_name, named_children
from ..wms.responses.document_detection import is_html, looks_like_xml
from .features import (
    GML_GEOMETRY_ELEMENTS,
    FeatureInfoResult,
    Geometry,
    IdentifiedFeature,
    envelope_corners,
    geometry_from_geojson,
    geometry_from_gml,
)
from .queries import FeatureInfoQuery
from .safe_html import page_is_empty, sanitise_html

#: limits of one response: more than was requested, less than would block the window
MAX_FEATURES = 100
MAX_ATTRIBUTES = 200
_MAX_VALUE_LENGTH = 10_000
_MAX_DEPTH = 4
#: number of characters of a response that are shown as text
_MAX_TEXT_LENGTH = 200_000
#: bytes of a response that are read. A larger one is shown as text, as far as that goes
_MAX_BYTES = 16_000_000
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_LAYER = re.compile(r"\s*(?:Layer|Results for FeatureType|Capa)\s+['\"“]?(.*?)['\"”]?\s*:?\s*\Z", re.IGNORECASE)
_FEATURE = re.compile(r"\s*Feature\s+([^:=]{0,80}?)\s*:?\s*\Z", re.IGNORECASE)
_SEPARATOR_LINE = re.compile(r"\s*[-=_*]{4,}\s*\Z")
_NO_RESULTS = re.compile(r"no (?:results|features)|search returned no|sin resultados", re.IGNORECASE)
_HEADING = re.compile(r"\s*GetFeatureInfo results:?\s*\Z", re.IGNORECASE)
_MAX_HEADING_LENGTH = 500
_MAX_NAME_LENGTH = 200
_MEMBER_ELEMENTS = ("featureMember", "featureMembers", "member")
_MAX_XML_DEPTH = 6


def read_geojson_features(text: str, request_crs: str) -> Optional[Tuple[IdentifiedFeature, ...]]:
    """Return the features of a FeatureCollection or Feature, or None for any other text.

    Coordinates are always x, y. Without ``crs`` they are degrees if possible (RFC 7946, 4), otherwise in
    ``request_crs``.
    """
    try:
        document = parse_json(text.lstrip("\ufeff").encode("utf-8", "replace"))
    except CartoguideError:
        return None
    if not isinstance(document, Mapping):
        return None
    listed = [document] if document.get("type") == "Feature" else document.get("features")
    if not isinstance(listed, list):
        return None
    common = _crs(document)
    collection_name = document.get("name") if isinstance(document.get("name"), str) else ""
    return tuple(
        _feature(item, common, str(collection_name or ""), request_crs) for item in listed[:MAX_FEATURES]
        if isinstance(item, Mapping))


def _feature(item: Mapping[str, Any], common: str, collection_name: str, request_crs: str) -> IdentifiedFeature:
    identifier = str(item["id"]) if isinstance(item.get("id"), (str, int)) else ""
    # GeoServer and QGIS Server: layer, a dot, the feature's number
    layer = collection_name or (identifier.rpartition(".")[0] if "." in identifier else "")
    properties = item.get("properties")
    members = properties.items() if isinstance(properties, Mapping) else ()
    pairs = chain.from_iterable(_flatten(str(key), value, 0) for key, value in members)
    geometry = geometry_from_geojson(item.get("geometry"))
    crs = _crs(item) or common or _guess_crs(geometry, request_crs)
    return IdentifiedFeature(layer, tuple(islice(pairs, MAX_ATTRIBUTES)), identifier, crs, geometry)


def _flatten(name: str, value: Any, depth: int) -> Iterator[Tuple[str, str]]:
    """Yield a property as pairs of texts. Nested properties are named by their path."""
    if isinstance(value, Mapping) and depth < _MAX_DEPTH:
        for key, inner in value.items():
            yield from _flatten(f"{name}.{key}", inner, depth + 1)
    elif value is None:
        yield name, ""
    elif isinstance(value, bool):
        yield name, "true" if value else "false"
    elif isinstance(value, (list, Mapping)):
        yield name, json.dumps(value, ensure_ascii=False)[:_MAX_VALUE_LENGTH]
    else:
        yield name, str(value)[:_MAX_VALUE_LENGTH]


def _crs(item: Mapping[str, Any]) -> str:
    crs = item.get("crs")
    properties = crs.get("properties") if isinstance(crs, Mapping) else None
    name = properties.get("name") if isinstance(properties, Mapping) else None
    return normalise_crs(name) if isinstance(name, str) else ""


def _guess_crs(geometry: Optional[Geometry], request_crs: str) -> str:
    if geometry is None:
        return ""
    west, south, east, north = geometry.bbox()
    return "CRS:84" if -180 <= west <= east <= 360 and -90 <= south <= north <= 90 else normalise_crs(request_crs)


def read_feature_info(body: bytes, content_type: str, format: str, query: FeatureInfoQuery) -> FeatureInfoResult:
    """Return the response in displayable form. ``content_type`` is the whole header.

    The format is detected from the body, not from the media type. Coordinates are returned x (east) first: swapped axes
    are corrected if only that fits the query. Raises nothing: a body that cannot be parsed is returned as text.
    """
    text = printable(decode_text(body[:_MAX_BYTES], content_type))
    displayed = text[:_MAX_TEXT_LENGTH]
    if not text.strip():
        return FeatureInfoResult(format, text=displayed, is_empty=True)
    start = text.lstrip("\ufeff \r\n\t")[:1]
    features: Optional[Tuple[IdentifiedFeature, ...]] = None
    if start in ("{", "["):
        features = read_geojson_features(text, query.crs)
    elif is_html(body) or ("html" in content_type.lower() and start == "<" and not text.lstrip().startswith("<?xml")):
        # instead of features in JSON or XML an empty page does not say that nothing was found
        is_empty = not any(name in format.lower() for name in ("json", "xml", "gml")) and page_is_empty(text)
        return FeatureInfoResult(format, html=sanitise_html(text), text=displayed, is_empty=is_empty)
    elif looks_like_xml(body) or start == "<":
        try:
            features = read_xml_features(body[:_MAX_BYTES], query.crs)
        except CartoguideError:
            features = None
    else:
        features = read_text_features(displayed)
    if features is None:
        return FeatureInfoResult(format, text=displayed)
    located = tuple(_with_valid_location(feature, query) for feature in features)
    return FeatureInfoResult(format, located, text=displayed, is_empty=not features)


def decode_text(body: bytes, content_type: str) -> str:
    """Return the response as text: in its declared encoding, otherwise UTF-8, otherwise windows-1252."""
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return body.decode("utf-16", "replace")
    header, meta = _CHARSET.search(content_type), _META_CHARSET.search(body[:2048])
    declared = [header.group(1) if header else "", meta.group(1).decode("ascii") if meta else ""]
    for name in [*declared, "utf-8-sig", "windows-1252"]:
        try:
            if name:
                return decode(body, name)
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("utf-8", "replace")


def _with_valid_location(feature: IdentifiedFeature, query: FeatureInfoQuery) -> IdentifiedFeature:
    """Drop the location if its CRS is unknown, and swap its axes if only that fits the query."""
    if feature.zoom_bbox is None:
        return feature
    try:
        transformation.first_axis_is_north(feature.crs)
    except CartoguideError:
        return replace(feature, geometry=None, bbox=None)
    if normalise_crs(feature.crs) != normalise_crs(query.crs) or feature.zoom_bbox.intersects(query.bbox):
        return feature
    if not feature.zoom_bbox.with_axes_swapped.intersects(query.bbox):
        return feature
    geometry = feature.geometry.with_axes_swapped() if feature.geometry is not None else None
    return replace(feature, geometry=geometry, bbox=feature.bbox and feature.bbox.with_axes_swapped)


def read_text_features(text: str) -> Optional[Tuple[IdentifiedFeature, ...]]:
    """Return the features in ``text``, or None if its form is unknown.

    The tuple is empty if the text states that there are no results.
    """
    reader = _TextReader()
    lines = text.lstrip("\ufeff").splitlines()
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        while reader.is_unterminated(line) and index < len(lines):
            # a quoted value that continues on the next line
            line = f"{line}\n{lines[index]}"
            index += 1
        reader.read_line(line)
    reader.finish_feature()
    if reader.features:
        return tuple(reader.features[:MAX_FEATURES])
    return () if _NO_RESULTS.search(text) or reader.only_headings else None


class _TextReader:
    """Collects features line by line. A feature ends where another feature, a layer or a separator line begins."""

    def __init__(self) -> None:
        self.features: List[IdentifiedFeature] = []
        self.only_headings = True
        self._layer, self._name = "", ""
        self._attributes: List[Tuple[str, str]] = []

    def is_unterminated(self, line: str) -> bool:
        """Return whether a quoted value continues on the next line."""
        value = line.partition("=")[2].strip()
        return _is_attribute(line) and value.startswith("'") and not (len(value) > 1 and value.endswith("'")) \
            and line.count("\n") < 200

    def read_line(self, line: str) -> None:
        """Read a heading, a separator or an attribute."""
        if not line.strip() or _HEADING.match(line[:_MAX_HEADING_LENGTH]):
            return
        heading_line = line if len(line) < _MAX_HEADING_LENGTH else ""
        layer_heading, feature_heading = _LAYER.match(heading_line), _FEATURE.match(heading_line)
        first, equals, value = line.partition("=")
        if layer_heading is not None and not equals:
            self.finish_feature()
            # GeoServer puts the namespace in front
            self._layer = layer_heading.group(1).rpartition(":")[2]
        elif feature_heading is not None and not equals:
            self.finish_feature()
            self._name = feature_heading.group(1)
        elif _SEPARATOR_LINE.match(heading_line):
            self.finish_feature()
        elif _is_attribute(line) and len(self._attributes) < MAX_ATTRIBUTES:
            self._attributes.append((first.strip(), _unquoted(value.strip())))
        else:
            self.only_headings = False

    def finish_feature(self) -> None:
        """Add the current feature if it has attributes."""
        if self._attributes:
            self.features.append(IdentifiedFeature(self._layer, tuple(self._attributes), self._name))
        self._attributes, self._name = [], ""


def _is_attribute(line: str) -> bool:
    """Return whether a line, or the first of several, is a name and a value."""
    name, equals, _value = line.partition("\n")[0].partition("=")
    return bool(name and equals) and len(name.strip()) <= _MAX_NAME_LENGTH


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == "'" else value


def read_xml_features(body: bytes, request_crs: str) -> Optional[Tuple[IdentifiedFeature, ...]]:
    """Return the features of an XML response, or None if its form is unknown.

    Raises CartoguideError if it is not well-formed.
    """
    root = safe_xml.parse(body)
    readers = {"msGMLOutput": _mapserver, "FeatureInfoResponse": _esri, "GetFeatureInfoResponse": _qgis}
    reader = readers.get(local_name(root))
    if reader is not None:
        features = reader(root, request_crs)
    elif "FeatureCollection" in local_name(root):
        features = _collection(root, request_crs)
    else:
        return None
    return tuple(feature for feature, _ in zip(features, range(MAX_FEATURES)))


def _child_elements(element: etree._Element) -> List[etree._Element]:
    return [child for child in element if isinstance(child.tag, str)]


def _mapserver(root: etree._Element, request_crs: str) -> Iterator[IdentifiedFeature]:
    """Read ``NAME_layer`` elements with ``NAME_feature`` elements in them (MapServer's mapgml.c)."""
    for layer in _child_elements(root):
        name = local_name(layer)
        name = name[:-len("_layer")] if name.endswith("_layer") else name
        for element in _child_elements(layer):
            if _child_elements(element) or local_name(element).endswith("_feature"):
                yield _read_feature(element, name, request_crs)


def _collection(root: etree._Element, request_crs: str) -> Iterator[IdentifiedFeature]:
    """Read gml:featureMember(s) or wfs:member, and the collections inside collections of WFS 2.0."""
    for child in _child_elements(root):
        if local_name(child) not in _MEMBER_ELEMENTS:
            continue
        for element in _child_elements(child):
            if "FeatureCollection" in local_name(element):
                yield from _collection(element, request_crs)
            else:
                # MapServer and others name the type after the layer
                yield _read_feature(element, local_name(element), request_crs)


def _read_feature(element: etree._Element, layer: str, request_crs: str) -> IdentifiedFeature:
    pairs: List[Tuple[str, str]] = []
    geometry: Optional[Tuple[Geometry, str]] = None
    box: Optional[Tuple[Box, str]] = None
    for child in _child_elements(element):
        name = local_name(child)
        if name in ("boundedBy", "Box", "Envelope"):
            box = box or _read_envelope(child, request_crs)
            continue
        geometry_element = _geometry_element(child)
        if geometry_element is not None:
            geometry = geometry or _read_geometry(geometry_element, request_crs)
            continue
        pairs += _flatten_element(child, name, 0)
    if geometry is not None:
        return IdentifiedFeature(layer, tuple(pairs[:MAX_ATTRIBUTES]), _identifier(element), geometry[1], geometry[0])
    return IdentifiedFeature(layer, tuple(pairs[:MAX_ATTRIBUTES]), _identifier(element), box[1] if box else "", None,
                             box[0] if box else None)


def _flatten_element(element: etree._Element, name: str, depth: int) -> List[Tuple[str, str]]:
    """Return a property as pairs of texts. Nested properties are named by their path."""
    inner = _child_elements(element)
    if not inner or depth >= _MAX_XML_DEPTH:
        return [(name, " ".join("".join(element.itertext()).split())[:_MAX_VALUE_LENGTH])]
    return [pair for child in inner for pair in _flatten_element(child, f"{name}.{local_name(child)}", depth + 1)]


def _identifier(element: etree._Element) -> str:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] in ("id", "fid")), "")


def _geometry_element(element: etree._Element) -> Optional[etree._Element]:
    """Return the geometry element that a property is or directly contains, or None."""
    if local_name(element) in GML_GEOMETRY_ELEMENTS:
        return element
    inner = _child_elements(element)
    return inner[0] if inner and local_name(inner[0]) in GML_GEOMETRY_ELEMENTS else None


def _read_geometry(element: etree._Element, request_crs: str) -> Optional[Tuple[Geometry, str]]:
    geometry = geometry_from_gml(element)
    if geometry is None:
        return None
    crs, swap = _crs_and_swap(element, request_crs)
    return (geometry.with_axes_swapped() if swap else geometry), crs


def _read_envelope(element: etree._Element, request_crs: str) -> Optional[Tuple[Box, str]]:
    corners = envelope_corners(element)
    if len(corners) != 2:
        return None
    with_crs = (child for child in element.iter() if isinstance(child.tag, str) and child.get("srsName"))
    crs, swap = _crs_and_swap(next(with_crs, element), request_crs)
    (x1, y1), (x2, y2) = ((y, x) if swap else (x, y) for x, y in corners)
    return Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)), crs


def _crs_and_swap(element: etree._Element, request_crs: str) -> Tuple[str, bool]:
    """Return the CRS of a geometry, its own or inherited, and whether its axes must be swapped.

    URNs and http addresses of the registry follow the axis order of the CRS, short names and those of GML 2 are x, y
    (OGC 09-048r5, 5).
    """
    ancestor: Optional[etree._Element] = element
    while ancestor is not None and not ancestor.get("srsName"):
        ancestor = ancestor.getparent()
    written = (ancestor.get("srsName") or "").strip() if ancestor is not None else ""
    crs = normalise_crs(written or request_crs)
    has_crs_order = written.lower().startswith(("urn:", "http://www.opengis.net/def/", "https://www.opengis.net/def/"))
    try:
        return crs, has_crs_order and transformation.first_axis_is_north(crs)
    except CartoguideError:
        return crs, False


def _esri(root: etree._Element, _request_crs: str) -> Iterator[IdentifiedFeature]:
    """Read Esri's two forms: FIELDS with an attribute for each field, or FeatureInfo with FieldName and FieldValue.

    ncWMS uses the name FeatureInfo too, with each value as an element.
    """
    for element in root.iter():
        if local_name(element) == "FIELDS":
            yield IdentifiedFeature(_esri_layer(element),
                                    tuple((key, str(value)) for key, value in element.attrib.items()))
        elif local_name(element) == "FeatureInfo":
            pairs = []
            for field in _child_elements(element):
                texts = {local_name(part): element_text(part) for part in _child_elements(field)}
                if "FieldName" in texts:
                    pairs.append((texts["FieldName"], texts.get("FieldValue", "")))
                elif not texts:
                    pairs.append((local_name(field), element_text(field)))
            yield IdentifiedFeature(_esri_layer(element) or _ncwms_layer(element), tuple(pairs))


def _ncwms_layer(element: etree._Element) -> str:
    """Return the layer named beside a FeatureInfo of ncWMS 2."""
    siblings = element.itersiblings(preceding=True)
    return next((element_text(part) for part in siblings if local_name(part) == "layer"), "")


def _esri_layer(element: etree._Element) -> str:
    ancestor: Optional[etree._Element] = element
    while ancestor is not None:
        for key in ("layername", "layerName", "LayerName"):
            if ancestor.get(key):
                return str(ancestor.get(key))
        ancestor = ancestor.getparent()
    return ""


def _qgis(root: etree._Element, request_crs: str) -> Iterator[IdentifiedFeature]:
    """Read QGIS Server's Layer, Feature and Attribute elements. The Attributes of rasters are in the Layer itself."""
    for layer in named_children(root, "Layer"):
        name = layer.get("name") or ""
        attributes = _qgis_attributes(layer)
        if attributes:
            yield IdentifiedFeature(name, attributes)
        for element in named_children(layer, "Feature"):
            box = next(iter(named_children(element, "BoundingBox")), None)
            crs, bbox = _qgis_box(box, request_crs)
            yield IdentifiedFeature(name, _qgis_attributes(element), element.get("id") or "", crs, None, bbox)


def _qgis_attributes(element: etree._Element) -> Tuple[Tuple[str, str], ...]:
    return tuple((child.get("name") or "", child.get("value") or "") for child in _child_elements(element)
                 if local_name(child) == "Attribute" and child.get("name") != "geometry")[:MAX_ATTRIBUTES]


def _qgis_box(element: Optional[etree._Element], request_crs: str) -> Tuple[str, Optional[Box]]:
    if element is None:
        return "", None
    try:
        box = Box(*(float(element.get(side) or "") for side in ("minx", "miny", "maxx", "maxy")))
    except ValueError:
        return "", None
    return normalise_crs(element.get("CRS") or element.get("SRS") or request_crs), box

"""GetFeatureInfo as XML: MapServer's msGMLOutput, GML 2 and 3 collections, ESRI's and QGIS Server's documents."""

from __future__ import annotations

from typing import Iterator, List, Optional, Tuple

from lxml import etree

from .. import safexml
from ..errors import CartoguideError
from ..wms import axes
from ..wms.crs import normalise
from ..wms.values import local
from .geojson import MOST_ATTRIBUTES, MOST_FEATURES
from .geometry import GML_GEOMETRIES, Geometry, corners, from_gml
from .model import Box, Feature

_MEMBERS = ("featureMember", "featureMembers", "member")
_LONGEST = 10_000
_DEPTH = 6


def read_xml(body: bytes, asked_crs: str) -> Optional[Tuple[Feature, ...]]:
    """The features of an XML answer; None where it is written in no known way. CartoguideError: it is no sound XML."""
    root = safexml.parse(body)
    readers = {"msGMLOutput": _mapserver, "FeatureInfoResponse": _esri, "GetFeatureInfoResponse": _qgis}
    reader = readers.get(local(root))
    if reader is not None:
        found = reader(root, asked_crs)
    elif "FeatureCollection" in local(root):
        found = _collection(root, asked_crs)
    else:
        return None
    return tuple(feature for feature, _ in zip(found, range(MOST_FEATURES)))


def _elements(element: etree._Element) -> List[etree._Element]:
    return [child for child in element if isinstance(child.tag, str)]


def _mapserver(root: etree._Element, asked_crs: str) -> Iterator[Feature]:
    """``NAME_layer`` elements with ``NAME_feature`` elements in them (MapServer's mapgml.c)."""
    for layer in _elements(root):
        name = local(layer)
        name = name[:-len("_layer")] if name.endswith("_layer") else name
        for element in _elements(layer):
            if _elements(element) or local(element).endswith("_feature"):
                yield _feature(element, name, asked_crs)


def _collection(root: etree._Element, asked_crs: str) -> Iterator[Feature]:
    """Features in gml:featureMember(s) or wfs:member; collections in collections (WFS 2.0) are looked into."""
    for child in _elements(root):
        if local(child) not in _MEMBERS:
            continue
        for element in _elements(child):
            if "FeatureCollection" in local(element):
                yield from _collection(element, asked_crs)
            else:
                # MapServer's WFS and others name the type after the layer
                yield _feature(element, local(element), asked_crs)


def _feature(element: etree._Element, layer: str, asked_crs: str) -> Feature:
    pairs: List[Tuple[str, str]] = []
    geometry: Optional[Tuple[Geometry, str]] = None
    box: Optional[Tuple[Box, str]] = None
    for child in _elements(element):
        name = local(child)
        if name in ("boundedBy", "Box", "Envelope"):
            box = box or _box(child, asked_crs)
            continue
        shape = _shape(child)
        if shape is not None:
            geometry = geometry or _geometry(shape, asked_crs)
            continue
        pairs += _flat(child, name, 0)
    if geometry is not None:
        return Feature(layer, tuple(pairs[:MOST_ATTRIBUTES]), _identifier(element), geometry[1], geometry[0])
    return Feature(layer, tuple(pairs[:MOST_ATTRIBUTES]), _identifier(element), box[1] if box else "", None,
                   box[0] if box else None)


def _flat(element: etree._Element, name: str, depth: int) -> List[Tuple[str, str]]:
    """A property as pairs of texts; what is nested gets its way as its name."""
    inner = _elements(element)
    if not inner or depth >= _DEPTH:
        return [(name, " ".join("".join(element.itertext()).split())[:_LONGEST])]
    return [pair for child in inner for pair in _flat(child, f"{name}.{local(child)}", depth + 1)]


def _identifier(element: etree._Element) -> str:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] in ("id", "fid")), "")


def _shape(element: etree._Element) -> Optional[etree._Element]:
    """The geometry element that a property is or directly holds."""
    if local(element) in GML_GEOMETRIES:
        return element
    inner = _elements(element)
    return inner[0] if inner and local(inner[0]) in GML_GEOMETRIES else None


def _geometry(element: etree._Element, asked_crs: str) -> Optional[Tuple[Geometry, str]]:
    geometry = from_gml(element)
    if geometry is None:
        return None
    crs, swap = _system(element, asked_crs)
    return (geometry.swapped() if swap else geometry), crs


def _box(element: etree._Element, asked_crs: str) -> Optional[Tuple[Box, str]]:
    found = corners(element)
    if len(found) != 2:
        return None
    inside = next((child for child in element.iter() if isinstance(child.tag, str) and child.get("srsName")), element)
    crs, swap = _system(inside, asked_crs)
    (x1, y1), (x2, y2) = ((y, x) if swap else (x, y) for x, y in found)
    return (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)), crs


def _system(element: etree._Element, asked_crs: str) -> Tuple[str, bool]:
    """The CRS of a geometry, its own or inherited, and whether its axes are to be exchanged: names as URN or http
    address of the registry follow the CRS's own axis order, short names and GML 2's are x, y (OGC 09-048r5, 5).
    """
    holder: Optional[etree._Element] = element
    while holder is not None and not holder.get("srsName"):
        holder = holder.getparent()
    written = (holder.get("srsName") or "").strip() if holder is not None else ""
    crs = normalise(written or asked_crs)
    strict = written.lower().startswith(("urn:", "http://www.opengis.net/def/", "https://www.opengis.net/def/"))
    try:
        return crs, strict and axes.first_axis_is_north(crs)
    except CartoguideError:
        return crs, False


def _esri(root: etree._Element, _asked_crs: str) -> Iterator[Feature]:
    """ESRI's two forms: FIELDS with an attribute for each field; FeatureInfo with FieldName and FieldValue. ncWMS
    calls its answer the same, and writes each value as an element.
    """
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        if local(element) == "FIELDS":
            yield Feature(_esri_layer(element), tuple((key, str(value)) for key, value in element.attrib.items()))
        elif local(element) == "FeatureInfo":
            pairs = []
            for field in _elements(element):
                texts = {local(part): _words(part) for part in _elements(field)}
                if "FieldName" in texts:
                    pairs.append((texts["FieldName"], texts.get("FieldValue", "")))
                elif not texts:
                    pairs.append((local(field), _words(field)))
            yield Feature(_esri_layer(element) or _ncwms_layer(element), tuple(pairs))


def _words(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _ncwms_layer(element: etree._Element) -> str:
    """The layer that stands beside a FeatureInfo of ncWMS 2."""
    beside = (part for part in element.itersiblings(preceding=True) if isinstance(part.tag, str))
    return next((_words(part) for part in beside if local(part) == "layer"), "")


def _esri_layer(element: etree._Element) -> str:
    holder: Optional[etree._Element] = element
    while holder is not None:
        for key in ("layername", "layerName", "LayerName"):
            if holder.get(key):
                return str(holder.get(key))
        holder = holder.getparent()
    return ""


def _qgis(root: etree._Element, asked_crs: str) -> Iterator[Feature]:
    """QGIS Server: Layer with Feature with Attribute elements; rasters have their Attributes in the Layer itself."""
    for layer in (child for child in _elements(root) if local(child) == "Layer"):
        name = layer.get("name") or ""
        own = _attributes(layer)
        if own:
            yield Feature(name, own)
        for element in (child for child in _elements(layer) if local(child) == "Feature"):
            box = next((child for child in _elements(element) if local(child) == "BoundingBox"), None)
            crs, sides = _qgis_box(box, asked_crs)
            yield Feature(name, _attributes(element), element.get("id") or "", crs, None, sides)


def _attributes(element: etree._Element) -> Tuple[Tuple[str, str], ...]:
    return tuple((child.get("name") or "", child.get("value") or "") for child in _elements(element)
                 if local(child) == "Attribute" and child.get("name") != "geometry")[:MOST_ATTRIBUTES]


def _qgis_box(element: Optional[etree._Element], asked_crs: str) -> Tuple[str, Optional[Box]]:
    if element is None:
        return "", None
    try:
        west, south, east, north = (float(element.get(side) or "") for side in ("minx", "miny", "maxx", "maxy"))
    except ValueError:
        return "", None
    return normalise(element.get("CRS") or element.get("SRS") or asked_crs), (west, south, east, north)

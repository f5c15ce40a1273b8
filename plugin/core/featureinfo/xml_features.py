"""GetFeatureInfo responses in XML.

Read are MapServer's msGMLOutput, GML 2 and 3 collections, and the documents of Esri, ncWMS and QGIS Server.
"""

from __future__ import annotations

from typing import Iterator, List, Optional, Tuple

from lxml import etree

from .. import safe_xml
from ..errors import CartoguideError
from ..wms.crs import transformation
from ..wms.crs.bounding_boxes import BBox
from ..wms.crs.codes import normalise_crs
from ..wms.model.xml_values import local_name
from .features import IdentifiedFeature
from .geojson_features import MAX_ATTRIBUTES, MAX_FEATURES
from .geometry import GML_GEOMETRY_ELEMENTS, Geometry, envelope_corners, geometry_from_gml

_MEMBER_ELEMENTS = ("featureMember", "featureMembers", "member")
_MAX_VALUE_LENGTH = 10_000
_MAX_DEPTH = 6


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
    box: Optional[Tuple[BBox, str]] = None
    for child in _child_elements(element):
        name = local_name(child)
        if name in ("boundedBy", "Box", "Envelope"):
            box = box or _read_envelope(child, request_crs)
            continue
        geometry_element = _geometry_element(child)
        if geometry_element is not None:
            geometry = geometry or _read_geometry(geometry_element, request_crs)
            continue
        pairs += _flatten(child, name, 0)
    if geometry is not None:
        return IdentifiedFeature(layer, tuple(pairs[:MAX_ATTRIBUTES]), _identifier(element), geometry[1], geometry[0])
    return IdentifiedFeature(layer, tuple(pairs[:MAX_ATTRIBUTES]), _identifier(element), box[1] if box else "", None,
                             box[0] if box else None)


def _flatten(element: etree._Element, name: str, depth: int) -> List[Tuple[str, str]]:
    """Return a property as pairs of texts. Nested properties are named by their path."""
    inner = _child_elements(element)
    if not inner or depth >= _MAX_DEPTH:
        return [(name, " ".join("".join(element.itertext()).split())[:_MAX_VALUE_LENGTH])]
    return [pair for child in inner for pair in _flatten(child, f"{name}.{local_name(child)}", depth + 1)]


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


def _read_envelope(element: etree._Element, request_crs: str) -> Optional[Tuple[BBox, str]]:
    corners = envelope_corners(element)
    if len(corners) != 2:
        return None
    with_crs = (child for child in element.iter() if isinstance(child.tag, str) and child.get("srsName"))
    crs, swap = _crs_and_swap(next(with_crs, element), request_crs)
    (x1, y1), (x2, y2) = ((y, x) if swap else (x, y) for x, y in corners)
    return (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)), crs


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
        if not isinstance(element.tag, str):
            continue
        if local_name(element) == "FIELDS":
            yield IdentifiedFeature(_esri_layer(element),
                                    tuple((key, str(value)) for key, value in element.attrib.items()))
        elif local_name(element) == "FeatureInfo":
            pairs = []
            for field in _child_elements(element):
                texts = {local_name(part): _element_text(part) for part in _child_elements(field)}
                if "FieldName" in texts:
                    pairs.append((texts["FieldName"], texts.get("FieldValue", "")))
                elif not texts:
                    pairs.append((local_name(field), _element_text(field)))
            yield IdentifiedFeature(_esri_layer(element) or _ncwms_layer(element), tuple(pairs))


def _element_text(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _ncwms_layer(element: etree._Element) -> str:
    """Return the layer named beside a FeatureInfo of ncWMS 2."""
    siblings = (part for part in element.itersiblings(preceding=True) if isinstance(part.tag, str))
    return next((_element_text(part) for part in siblings if local_name(part) == "layer"), "")


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
    for layer in (child for child in _child_elements(root) if local_name(child) == "Layer"):
        name = layer.get("name") or ""
        attributes = _qgis_attributes(layer)
        if attributes:
            yield IdentifiedFeature(name, attributes)
        for element in (child for child in _child_elements(layer) if local_name(child) == "Feature"):
            box = next((child for child in _child_elements(element) if local_name(child) == "BoundingBox"), None)
            crs, bbox = _qgis_box(box, request_crs)
            yield IdentifiedFeature(name, _qgis_attributes(element), element.get("id") or "", crs, None, bbox)


def _qgis_attributes(element: etree._Element) -> Tuple[Tuple[str, str], ...]:
    return tuple((child.get("name") or "", child.get("value") or "") for child in _child_elements(element)
                 if local_name(child) == "Attribute" and child.get("name") != "geometry")[:MAX_ATTRIBUTES]


def _qgis_box(element: Optional[etree._Element], request_crs: str) -> Tuple[str, Optional[BBox]]:
    if element is None:
        return "", None
    try:
        west, south, east, north = (float(element.get(side) or "") for side in ("minx", "miny", "maxx", "maxy"))
    except ValueError:
        return "", None
    return normalise_crs(element.get("CRS") or element.get("SRS") or request_crs), (west, south, east, north)

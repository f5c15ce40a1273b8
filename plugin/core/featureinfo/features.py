"""Results of GetFeatureInfo: features with attributes and locations, or HTML, or text.

Geometries are read from GML 2, GML 3 and GeoJSON, and written as WKT. OGR is not used. It has no reader for most of the
documents around them, ``CreateGeometryFromGML`` reads an invalid number as 0 and writes to standard error, and GDAL is
optional for the core.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple

from lxml import etree

from ..box import Box
from ..csv_tables import safe_cell
from ..wms.model.xml_values import local_name

#: limit of positions in one geometry, enough to flash it on the map
_MAX_POSITIONS = 50_000
_GEOJSON_TYPES = ("Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon")
_MULTI_TYPES = {
    "MultiPoint": "MultiPoint", "MultiLineString": "MultiLineString", "MultiCurve": "MultiLineString",
    "MultiPolygon": "MultiPolygon", "MultiSurface": "MultiPolygon"
}
_RING_ELEMENTS = ("outerBoundaryIs", "exterior", "innerBoundaryIs", "interior")
#: names of geometry elements
GML_GEOMETRY_ELEMENTS = ("Point", "LineString", "Curve", "Polygon", "Surface", *_MULTI_TYPES)

Position = Tuple[float, float]


@dataclass(frozen=True)
class Geometry:
    """A geometry of a GeoJSON type, with ``coordinates`` nested as in GeoJSON (RFC 7946, 3.1)."""

    geometry_type: str
    coordinates: Any

    def positions(self) -> Iterator[Position]:
        """Yield every position."""
        return _positions(self.coordinates)

    def bbox(self) -> Box:
        """Return the smallest box around the geometry."""
        points = list(self.positions())
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        return Box(min(xs), min(ys), max(xs), max(ys))

    def with_axes_swapped(self) -> Geometry:
        """Return the geometry with x and y swapped."""
        return Geometry(self.geometry_type, _swapped(self.coordinates))

    def wkt(self) -> str:
        """Return the well-known text (OGC 06-103r4, 7)."""
        depth = {"Point": 0, "LineString": 1, "MultiPoint": 1, "Polygon": 2, "MultiLineString": 2, "MultiPolygon": 3}
        coordinates = _wkt(self.coordinates, depth[self.geometry_type])
        return f"{self.geometry_type.upper()} {f'({coordinates})' if self.geometry_type == 'Point' else coordinates}"


def geometry_from_geojson(value: Any) -> Optional[Geometry]:
    """Return the geometry of a GeoJSON object, or None if it is invalid, empty or a collection."""
    if not isinstance(value, Mapping) or value.get("type") not in _GEOJSON_TYPES:
        return None
    depth = {"Point": 0, "LineString": 1, "MultiPoint": 1, "Polygon": 2, "MultiLineString": 2,
             "MultiPolygon": 3}[value["type"]]
    coordinates = _parse_coordinates(value.get("coordinates"), depth)
    return _if_finite(Geometry(value["type"], coordinates)) if coordinates is not None else None


def geometry_from_gml(element: etree._Element) -> Optional[Geometry]:
    """Return the geometry of a GML 2 or 3 element, axes as written, or None if it is invalid or unknown."""
    name = local_name(element)
    if name in _MULTI_TYPES:
        kind = _MULTI_TYPES[name]
        parts = [geometry_from_gml(part) for part in _member_geometries(element)]
        valid = [part.coordinates for part in parts if part is not None]
        return _if_finite(Geometry(kind, valid)) if valid else None
    if name == "Point":
        points = _read_positions(element)
        return _if_finite(Geometry("Point", points[0])) if points else None
    if name in ("LineString", "Curve"):
        points = _read_positions(element)
        return _if_finite(Geometry("LineString", points)) if len(points) > 1 else None
    if name in ("Polygon", "Surface", "PolygonPatch"):
        rings = [
            _read_positions(ring) for ring in element.iter()
            if isinstance(ring.tag, str) and local_name(ring) in _RING_ELEMENTS
        ]
        rings = [ring for ring in rings if len(ring) > 3]
        return _if_finite(Geometry("Polygon", rings)) if rings else None
    return None


def envelope_corners(element: etree._Element) -> List[Position]:
    """Return the two corners of a gml:Box or gml:Envelope, axes as written, or an empty list if invalid."""
    points = [point for point in _read_positions(element) if all(map(math.isfinite, point))]
    return [points[0], points[-1]] if len(points) > 1 else []


def _member_geometries(element: etree._Element) -> Iterator[etree._Element]:
    """Yield the members of a multi-geometry: the nearest geometries below it."""
    for child in element:
        if not isinstance(child.tag, str):
            continue
        if local_name(child) in GML_GEOMETRY_ELEMENTS:
            yield child
        else:
            yield from _member_geometries(child)


def _read_positions(element: etree._Element) -> List[Position]:
    points: List[Position] = []
    for part in element.iter():
        if not isinstance(part.tag, str) or len(points) > _MAX_POSITIONS:
            continue
        name = local_name(part)
        if name == "coordinates":
            points += _read_coordinates(part)
        elif name in ("pos", "posList", "lowerCorner", "upperCorner"):
            points += _read_pos_list(part)
        elif name == "coord":
            values = [_number(child.text) for child in part if isinstance(child.tag, str)]
            points += [(values[0], values[1])] if len(values) > 1 else []
    return points


def _read_coordinates(element: etree._Element) -> List[Position]:
    """Read gml:coordinates (GML 2.1.2, 4.3.4) with its separators ``ts``, ``cs`` and ``decimal``."""
    separator, tuples = element.get("cs") or ",", element.get("ts") or " "
    decimal, text = element.get("decimal") or ".", element.text or ""
    texts = text.split() if not tuples.strip() else text.split(tuples)
    positions = []
    for text_of_tuple in texts:
        parts = text_of_tuple.strip().split(separator)
        numbers = [_number(part.replace(decimal, ".")) for part in parts]
        if len(numbers) > 1:
            positions.append((numbers[0], numbers[1]))
    return positions


def _read_pos_list(element: etree._Element) -> List[Position]:
    """Read gml:pos or gml:posList. srsDimension is the count of numbers for each position."""
    numbers = [_number(number) for number in (element.text or "").split()]
    dimension = element.get("srsDimension") or element.get("dimension") or ""
    size = int(dimension) if dimension in ("2", "3", "4") else len(numbers) if local_name(element) != "posList" else 2
    return [(numbers[at], numbers[at + 1]) for at in range(0, len(numbers) - size + 1, max(size, 2)) if size > 1]


def _number(text: Optional[str]) -> float:
    try:
        return float((text or "").strip())
    except ValueError:
        return math.nan


def _parse_coordinates(value: Any, depth: int) -> Any:
    """Return ``value`` as positions nested ``depth`` deep, or None for anything else."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value or len(value) > _MAX_POSITIONS:
        return None
    if depth == 0:
        is_position = len(value) > 1 and all(isinstance(part, (int, float)) for part in value[:2])
        return (float(value[0]), float(value[1])) if is_position else None
    parts = [_parse_coordinates(part, depth - 1) for part in value]
    return None if any(part is None for part in parts) else parts


def _positions(value: Any) -> Iterator[Position]:
    if isinstance(value, tuple):
        yield value
    else:
        for part in value:
            yield from _positions(part)


def _swapped(value: Any) -> Any:
    return (value[1], value[0]) if isinstance(value, tuple) else [_swapped(part) for part in value]


def _wkt(value: Any, depth: int) -> str:
    if depth == 0:
        return f"{value[0]:.12g} {value[1]:.12g}"
    return f"({', '.join(_wkt(part, depth - 1) for part in value)})"


def _if_finite(geometry: Geometry) -> Optional[Geometry]:
    """Return the geometry, or None if a number in it is missing or infinite."""
    return geometry if all(math.isfinite(x) and math.isfinite(y) for x, y in geometry.positions()) else None


@dataclass(frozen=True)
class IdentifiedFeature:
    """One feature of a response.

    ``layer`` and ``attributes`` are as in the response. ``crs`` is the CRS of the geometry or box, if there is one,
    with x to the east.
    """

    layer: str = ""
    attributes: Tuple[Tuple[str, str], ...] = ()
    identifier: str = ""
    crs: str = ""
    geometry: Optional[Geometry] = None
    bbox: Optional[Box] = None

    @property
    def zoom_bbox(self) -> Optional[Box]:
        """The box to zoom to, in ``crs``, or None if the response has no location."""
        return self.geometry.bbox() if self.geometry is not None else self.bbox

    def value(self, name: str) -> str:
        """Return the value of the attribute called ``name``, or an empty text."""
        return next((value for key, value in self.attributes if key == name), "")


@dataclass(frozen=True)
class FeatureInfoResult:
    """One response in displayable form: features for a table, a sanitised HTML fragment, or text.

    ``text`` is always the response as text.
    """

    format: str = ""
    features: Tuple[IdentifiedFeature, ...] = ()
    html: str = ""
    text: str = ""
    is_empty: bool = False

    @property
    def has_attributes(self) -> bool:
        """True if any feature has attributes."""
        return any(feature.attributes for feature in self.features)


def attribute_names(features: Sequence[IdentifiedFeature]) -> List[str]:
    """Return the names of the features' attributes, each once, in order."""
    return list(dict.fromkeys(name for feature in features for name, _ in feature.attributes))


def group_by_layer(features: Sequence[IdentifiedFeature]) -> List[Tuple[str, List[IdentifiedFeature]]]:
    """Return the features grouped by layer, in the order of the response."""
    by_layer: dict[str, List[IdentifiedFeature]] = {}
    for feature in features:
        by_layer.setdefault(feature.layer, []).append(feature)
    return list(by_layer.items())


def as_tsv(features: Sequence[IdentifiedFeature], heading: bool = True) -> str:
    """Return the features as tab-separated values for spreadsheets, one line each.

    Tabs and line breaks in values become spaces.
    """
    names = attribute_names(features)
    lines = ["\t".join(map(_cell, names))] if heading else []
    lines += ["\t".join(_cell(feature.value(name)) for name in names) for feature in features]
    return "\n".join(lines) + "\n"


def _cell(value: str) -> str:
    return safe_cell(" ".join(value.split()))

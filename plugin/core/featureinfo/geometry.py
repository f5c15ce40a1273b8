"""Geometries as answers bring them: read from GML 2, GML 3 and GeoJSON, written as WKT."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple

from lxml import etree

from ..wms.model.xml_values import local_name

#: points of one geometry that are read; flashing more than these tells nobody more
_MAX_POSITIONS = 50_000
_GEOJSON_TYPES = ("Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon")
_MULTI_TYPES = {
    "MultiPoint": "MultiPoint", "MultiLineString": "MultiLineString", "MultiCurve": "MultiLineString",
    "MultiPolygon": "MultiPolygon", "MultiSurface": "MultiPolygon"
}
_RING_ELEMENTS = ("outerBoundaryIs", "exterior", "innerBoundaryIs", "interior")
#: element names that are geometries or hold one
GML_GEOMETRY_ELEMENTS = ("Point", "LineString", "Curve", "Polygon", "Surface", *_MULTI_TYPES)

Position = Tuple[float, float]


@dataclass(frozen=True)
class Geometry:
    """A geometry of one of GeoJSON's kinds, its ``coordinates`` nested as GeoJSON nests them (RFC 7946, 3.1)."""

    geometry_type: str
    coordinates: Any

    def positions(self) -> Iterator[Position]:
        """Every position."""
        return _positions(self.coordinates)

    def bbox(self) -> Tuple[float, float, float, float]:
        """The smallest box around it."""
        points = list(self.positions())
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        return min(xs), min(ys), max(xs), max(ys)

    def with_axes_swapped(self) -> Geometry:
        """The same with its axes exchanged."""
        return Geometry(self.geometry_type, _swapped(self.coordinates))

    def wkt(self) -> str:
        """Well-known text (OGC 06-103r4, 7)."""
        depth = {"Point": 0, "LineString": 1, "MultiPoint": 1, "Polygon": 2, "MultiLineString": 2, "MultiPolygon": 3}
        inside = _wkt(self.coordinates, depth[self.geometry_type])
        return f"{self.geometry_type.upper()} {f'({inside})' if self.geometry_type == 'Point' else inside}"


def geometry_from_geojson(value: Any) -> Optional[Geometry]:
    """A GeoJSON geometry object; None for one that is broken, empty or a collection."""
    if not isinstance(value, Mapping) or value.get("type") not in _GEOJSON_TYPES:
        return None
    depth = {"Point": 0, "LineString": 1, "MultiPoint": 1, "Polygon": 2, "MultiLineString": 2,
             "MultiPolygon": 3}[value["type"]]
    coordinates = _parse_coordinates(value.get("coordinates"), depth)
    return _if_finite(Geometry(value["type"], coordinates)) if coordinates is not None else None


def geometry_from_gml(element: etree._Element) -> Optional[Geometry]:
    """The geometry of a GML 2 or 3 geometry element, axes as written; None where there is none or it is broken."""
    name = local_name(element)
    if name in _MULTI_TYPES:
        kind = _MULTI_TYPES[name]
        parts = [geometry_from_gml(part) for part in _member_geometries(element)]
        whole = [part.coordinates for part in parts if part is not None]
        return _if_finite(Geometry(kind, whole)) if whole else None
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
    """The two corners of a gml:Box or gml:Envelope, axes as written; fewer where it is broken."""
    points = [point for point in _read_positions(element) if all(map(math.isfinite, point))]
    return [points[0], points[-1]] if len(points) > 1 else []


def _member_geometries(element: etree._Element) -> Iterator[etree._Element]:
    """The members of a multi-geometry: the geometries nearest below it."""
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
    """gml:coordinates (GML 2.1.2, 4.3.4): tuples apart by ``ts``, numbers by ``cs``, with ``decimal`` in them."""
    apart, tuples = element.get("cs") or ",", element.get("ts") or " "
    text = element.text or ""
    words = text.split() if not tuples.strip() else text.split(tuples)
    found = []
    for word in words:
        numbers = [_number(part.replace(element.get("decimal") or ".", ".")) for part in word.strip().split(apart)]
        if len(numbers) > 1:
            found.append((numbers[0], numbers[1]))
    return found


def _read_pos_list(element: etree._Element) -> List[Position]:
    """gml:pos and gml:posList: numbers in a row, as many for each position as srsDimension says."""
    numbers = [_number(word) for word in (element.text or "").split()]
    told = element.get("srsDimension") or element.get("dimension") or ""
    size = int(told) if told in ("2", "3", "4") else len(numbers) if local_name(element) != "posList" else 2
    return [(numbers[at], numbers[at + 1]) for at in range(0, len(numbers) - size + 1, max(size, 2)) if size > 1]


def _number(text: Optional[str]) -> float:
    try:
        return float((text or "").strip())
    except ValueError:
        return math.nan


def _parse_coordinates(value: Any, depth: int) -> Any:
    """``value`` as positions nested ``depth`` deep, or None where it is anything else."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value or len(value) > _MAX_POSITIONS:
        return None
    if depth == 0:
        sound = len(value) > 1 and all(isinstance(part, (int, float)) for part in value[:2])
        return (float(value[0]), float(value[1])) if sound else None
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
    """The geometry, unless a number of it is missing or infinite."""
    return geometry if all(math.isfinite(x) and math.isfinite(y) for x, y in geometry.positions()) else None

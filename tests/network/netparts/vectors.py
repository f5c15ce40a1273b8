"""Shapefiles for MapServer: UTF-8 attributes, EPSG:25830, with a spatial index."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Sequence, Tuple

from osgeo import ogr, osr

ogr.UseExceptions()

Point = Tuple[float, float]
Feature = Tuple[Any, Dict[str, Any]]

KINDS = {"point": ogr.wkbPoint, "line": ogr.wkbLineString, "polygon": ogr.wkbPolygon}
TYPES = {str: ogr.OFTString, int: ogr.OFTInteger, float: ogr.OFTReal}


def write_features(
    folder: str, name: str, kind: str, fields: Sequence[Tuple[str, type, int]], features: Iterable[Feature]
) -> None:
    """Write ``folder/name.shp``.

    ``kind`` is "point" (geometry: a point), "line" (a list of points) or "polygon" (a list of rings); ``fields`` are
    (name of up to 10 letters, type, width).
    """
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(25830)
    source = ogr.GetDriverByName("ESRI Shapefile").CreateDataSource(f"{folder}/{name}.shp")
    layer = source.CreateLayer(name, reference, KINDS[kind], ["ENCODING=UTF-8", "SPATIAL_INDEX=YES"])
    for field, type_, width in fields:
        definition = ogr.FieldDefn(field, TYPES[type_])
        definition.SetWidth(width)
        if type_ is float:
            definition.SetPrecision(2)
        layer.CreateField(definition)
    for geometry, values in features:
        feature = ogr.Feature(layer.GetLayerDefn())
        for field, value in values.items():
            feature.SetField(field, value)
        feature.SetGeometry(_geometry(kind, geometry))
        layer.CreateFeature(feature)
    layer = None
    source = None


def _geometry(kind: str, data: Any) -> ogr.Geometry:
    if kind == "point":
        shape = ogr.Geometry(ogr.wkbPoint)
        shape.AddPoint_2D(*data)
        return shape
    if kind == "line":
        return _line(ogr.wkbLineString, data)
    shape = ogr.Geometry(ogr.wkbPolygon)
    for ring in data:
        shape.AddGeometry(_line(ogr.wkbLinearRing, list(ring) + [ring[0]]))
    return shape


def _line(kind: int, points: List[Point]) -> ogr.Geometry:
    shape = ogr.Geometry(kind)
    for x, y in points:
        shape.AddPoint_2D(round(x, 2), round(y, 2))
    return shape

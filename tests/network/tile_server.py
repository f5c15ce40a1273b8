"""A loopback server of tiles and ArcGIS services: real vector tiles, TileJSON, a style, and Esri's JSON.

The vector tiles are written by GDAL's MVT driver.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Dict

from odd_server import OddServer
from osgeo import ogr, osr

TILE_CREDIT = "© Tile Makers 2024"
STYLE_CREDIT = "© Style Makers"
MAP_CREDIT = "© ArcGIS Map Agency"
FEATURE_CREDIT = "© ArcGIS Feature Agency"
#: one square of EPSG:3857 in which everything lies, in metres
EXTENT = {"xmin": 0, "ymin": 0, "xmax": 100000, "ymax": 100000, "spatialReference": {"wkid": 102100}}


class TileServer(OddServer):
    """``vector_tiles``, ``style``, ``picture_tiles``, ``map_service`` and ``feature_service`` are addresses."""

    def __enter__(self) -> TileServer:
        super().__enter__()
        self.vector_tiles = f"{self.url}/data/places/{{z}}/{{x}}/{{y}}.pbf"
        self.style = f"{self.url}/style.json"
        self.picture_tiles = f"{self.url}/styles/plain/{{z}}/{{x}}/{{y}}.png"
        self.map_service = f"{self.url}/arcgis/rest/services/land/MapServer"
        self.feature_service = f"{self.url}/arcgis/rest/services/wells/FeatureServer/0"
        for path, tile in _vector_tiles().items():
            self.answers[f"/data/places/{path}"] = (200, "application/x-protobuf", tile)
        self._answer("/data/places.json", {
            "tilejson": "3.0.0", "tiles": [self.vector_tiles], "vector_layers": [],
            "attribution": f'<a href="https://makers.invalid/terms">{TILE_CREDIT.replace("©", "&copy;")}</a>'})
        self._answer("/styles/plain.json", {"tilejson": "2.0.0", "tiles": [], "attribution": TILE_CREDIT})
        self._answer("/style.json", {
            "version": 8, "layers": [], "sources": {
                "places": {"type": "vector", "url": f"{self.url}/data/places.json"},
                "other": {"type": "vector", "attribution": STYLE_CREDIT, "tiles": []}}})
        self._answer("/arcgis/rest/services/land/MapServer", {
            "currentVersion": 10.91, "mapName": "Land", "copyrightText": MAP_CREDIT, "capabilities": "Map",
            "supportedImageFormatTypes": "PNG32,PNG", "fullExtent": EXTENT, "initialExtent": EXTENT,
            "spatialReference": {"wkid": 102100}, "singleFusedMapCache": False, "layers": [{"id": 0, "name": "Land"}]})
        self._answer("/arcgis/rest/services/land/MapServer/0", {
            "currentVersion": 10.91, "name": "Land", "type": "Feature Layer", "extent": EXTENT, "copyrightText": ""})
        self._answer("/arcgis/rest/services/wells/FeatureServer/0", {
            "currentVersion": 10.91, "id": 0, "name": "Wells", "type": "Feature Layer", "extent": EXTENT,
            "geometryType": "esriGeometryPoint", "objectIdField": "OBJECTID", "copyrightText": "", "layers": [],
            "maxRecordCount": 1000, "capabilities": "Query",
            "fields": [{"name": "OBJECTID", "type": "esriFieldTypeOID", "alias": "OBJECTID"}]})
        self._answer("/arcgis/rest/services/wells/FeatureServer", {
            "currentVersion": 10.91, "serviceDescription": "", "copyrightText": FEATURE_CREDIT, "layers": [{"id": 0}]})
        self.files["/arcgis/rest/services/wells/FeatureServer/0/query"] = _wells
        return self

    def _answer(self, path: str, value: Dict[str, Any]) -> None:
        self.answers[path] = (200, "application/json", json.dumps(value).encode())


def _wells(request: Dict[str, Any]) -> bytes:
    """The one well: its number, or itself."""
    if "returnIdsOnly=true" in request["query"]:
        return json.dumps({"objectIdFieldName": "OBJECTID", "objectIds": [1]}).encode()
    return json.dumps({
        "objectIdFieldName": "OBJECTID", "geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 102100},
        "features": [{"attributes": {"OBJECTID": 1}, "geometry": {"x": 50000, "y": 50000}}]}).encode()


def _vector_tiles() -> Dict[str, bytes]:
    """The tiles of zooms 0 and 1 with one point, by path."""
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(3857)
    with tempfile.TemporaryDirectory() as folder:
        made = ogr.GetDriverByName("MVT").CreateDataSource(
            f"{folder}/tiles", options=["MAXZOOM=1", "COMPRESS=NO", "FORMAT=DIRECTORY"])
        layer = made.CreateLayer("places", srs, ogr.wkbPoint)
        layer.CreateField(ogr.FieldDefn("name", ogr.OFTString))
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetField("name", "Somewhere")
        feature.SetGeometry(ogr.CreateGeometryFromWkt("POINT (50000 50000)"))
        layer.CreateFeature(feature)
        del feature, layer, made
        root = Path(folder, "tiles")
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*.pbf")}

"""A loopback server of every kind of source but WMS, in the test network's park: tiles, features in pages, a file.

Each kind's second part fails if told so: a tile, a page of features, a range of the file.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List, Tuple
from urllib.parse import parse_qs

from osgeo import gdal, osr
from tile_server import TileServer
from wire_faults import ANSWERS

#: the park, and the one level of its tiles
WEST, SOUTH, EAST, NORTH = -3.5966, 38.3295, -3.4233, 38.4306
LEVEL = 12
#: features in a page, and of a layer
PAGE, FEATURES = 100, 250
_HALF = 20037508.342789244
_GML = ('xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" '
        'xmlns:ms="http://example.test/ms" xmlns:ows="http://www.opengis.net/ows/1.1" '
        'xmlns:xlink="http://www.w3.org/1999/xlink"')


class SourceServer(TileServer):
    """``sources`` has the provider and source of a layer of each kind by the kind's name."""

    def __enter__(self) -> SourceServer:
        super().__enter__()
        columns, rows = _tiles()
        picture, shape = _png(), self.answers["/data/places/0/0/0.pbf"][2]
        for column in columns:
            for row in rows:
                for name in ("pictures", "wmtstiles"):
                    self.answers[f"/{name}/{LEVEL}/{column}/{row}.png"] = (200, "image/png", picture)
                self.answers[f"/shapes/{LEVEL}/{column}/{row}.pbf"] = (200, "application/x-protobuf", shape)
        self.answers["/wmts"] = (200, "text/xml", _wmts(self.url).encode())
        self.files["/wfs"] = self._wfs
        self.files["/features/collections/points/items"] = self._items
        openapi = "application/vnd.oai.openapi+json;version=3.0"
        self._answer("/features/", {"title": "Features", "links": [
            {"rel": rel, "type": openapi if rel == "service-desc" else "application/json",
             "href": f"{self.url}/features/{path}"}
            for rel, path in (("self", ""), ("conformance", "conformance"), ("data", "collections"),
                              ("service-desc", "api"))]})
        self._answer("/features/api", {"openapi": "3.0.0", "info": {"title": "Features", "version": "1"}, "paths": {}})
        self.answers["/features"] = self.answers["/features/"]
        self._answer("/features/conformance", {"conformsTo": [
            f"http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/{name}" for name in ("core", "geojson")]})
        self._answer("/features/collections", {"links": [], "collections": [self._collection()]})
        self._answer("/features/collections/points", self._collection())
        self.files["/arcgis/rest/services/wells/FeatureServer/0/query"] = _wells
        extent = dict(zip(("xmin", "ymin", "xmax", "ymax"), (*_metres(WEST, SOUTH), *_metres(EAST, NORTH))),
                      spatialReference={"wkid": 102100})
        for path in ("land/MapServer", "land/MapServer/0", "wells/FeatureServer/0"):
            path = f"/arcgis/rest/services/{path}"
            self._answer(path, {**json.loads(self.answers[path][2]), "extent": extent, "fullExtent": extent,
                                "initialExtent": extent})
        self.files["/arcgis/rest/services/land/MapServer/export"] = _land
        self.answers["/relief.tif"] = (200, "image/tiff", geotiff())
        levels = f"&zmin={LEVEL}&zmax={LEVEL}"
        self.sources: Dict[str, Tuple[str, str, str]] = {
            "XYZ": ("raster", "wms", f"type=xyz&url={self.url}/pictures/{{z}}/{{x}}/{{y}}.png{levels}"),
            "WMTS": ("raster", "wms", "crs=EPSG:3857&format=image/png&layers=pictures&styles=default"
                                      f"&tileMatrixSet=mercator&url={self.url}/wmts"),
            "vector tiles": ("vector-tile", "vectortile",
                             f"type=xyz&url={self.url}/shapes/{{z}}/{{x}}/{{y}}.pbf{levels}"),
            "WFS": ("vector", "WFS", f"pagingEnabled='true' srsname='EPSG:4326' typename='ms:points' "
                                     f"url='{self.url}/wfs' version='2.0.0'"),
            "OGC API Features": ("vector", "OAPIF", f"typename='points' url='{self.url}/features/' pageSize='{PAGE}'"),
            "ArcGIS features": ("vector", "arcgisfeatureserver", f"crs='EPSG:3857' url='{self.feature_service}'"),
            "ArcGIS map": ("raster", "arcgismapserver", f"crs='EPSG:3857' format='PNG32' layer='0' "
                                                        f"url='{self.map_service}'"),
            "web file": ("raster", "gdal", f"/vsicurl/{self.url}/relief.tif")}
        #: what nobody watches: requests of GDAL's own, and a part of the features, whichever it is
        kind, provider, source = self.sources["WFS"]
        self.unwatched = {"GDAL tiles": ("raster", "gdal", _gdal_tiles(self.url)),
                          "some features": (kind, provider, f"{source} maxNumFeatures='120'")}
        return self

    def break_second_parts(self, answer: str = "500") -> None:
        """Give this answer of ``wire_faults`` instead of a tile, a page of features and a range of the file."""
        self.fault, self.strikes = ANSWERS[answer], is_second_part

    @property
    def broken(self) -> List[str]:
        """The kinds of which a part was asked for in vain."""
        failed = [_kind_of(request) for request in self.requests if is_second_part(request)]
        return list(dict.fromkeys(failed))

    def _collection(self) -> Dict[str, Any]:
        href = f"{self.url}/features/collections/points"
        return {"id": "points", "title": "Points", "extent": {"spatial": {"bbox": [[WEST, SOUTH, EAST, NORTH]]}},
                "links": [{"rel": "items", "type": "application/geo+json", "href": f"{href}/items"}]}

    def _items(self, request: Dict[str, Any]) -> bytes:
        start = int(parse_qs(request["query"]).get("offset", ["0"])[0])
        following = f"{self.url}/features/collections/points/items?offset={start + PAGE}&limit={PAGE}"
        return json.dumps({
            "type": "FeatureCollection", "numberMatched": FEATURES, "links": [
                {"rel": "next", "type": "application/geo+json", "href": following}] if start + PAGE < FEATURES else [],
            "features": [{"type": "Feature", "id": number, "properties": {"number": number},
                          "geometry": {"type": "Point", "coordinates": place(number)}}
                         for number in range(start, min(start + PAGE, FEATURES))]}).encode()

    def _wfs(self, request: Dict[str, Any]) -> bytes:
        values = {name.upper(): texts[0] for name, texts in parse_qs(request["query"]).items()}
        operation = values.get("REQUEST", "").lower()
        if operation == "getcapabilities":
            return _wfs_capabilities(self.url).encode()
        if operation == "describefeaturetype":
            return _SCHEMA.encode()
        start = int(values.get("STARTINDEX", "0"))
        numbers = range(start, min(start + min(PAGE, int(values.get("COUNT", PAGE))), FEATURES))
        if values.get("RESULTTYPE") == "hits":
            numbers = range(0)
        members = "".join(
            f'<wfs:member><ms:points gml:id="points.{number}"><ms:geometry><gml:Point gml:id="p{number}" '
            f'srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>{place(number)[1]} {place(number)[0]}</gml:pos>'
            f"</gml:Point></ms:geometry><ms:number>{number}</ms:number></ms:points></wfs:member>" for number in numbers)
        return (f'<wfs:FeatureCollection {_GML} timeStamp="2024-01-01T00:00:00" numberMatched="{FEATURES}" '
                f'numberReturned="{len(numbers)}">{members}</wfs:FeatureCollection>').encode()


def _kind_of(request: Dict[str, Any]) -> str:
    path = str(request["path"])
    return {"pictures": "XYZ", "wmtstiles": "WMTS", "shapes": "vector tiles", "wfs": "WFS",
            "features": "OGC API Features", "relief.tif": "web file"}.get(
        path.split("/")[1], "ArcGIS map" if "MapServer" in path else "ArcGIS features")


def is_second_part(request: Dict[str, Any]) -> bool:
    """Every other tile, a page of features but the first, all but the first range of the file, a picture of the map."""
    path, query = str(request["path"]), str(request["query"])
    tile = re.search(rf"/{LEVEL}/(\d+)/(\d+)\.", path)
    if tile is not None:
        return (int(tile.group(1)) + int(tile.group(2))) % 2 == 0
    if path == "/wfs":
        return "GETFEATURE" in query.upper() and re.search(r"STARTINDEX=[1-9]", query, re.IGNORECASE) is not None
    if path.endswith("/items"):
        return re.search(r"offset=[1-9]", query) is not None
    if path.endswith("/query"):
        return re.search(rf"objectIds=(?:.*%2C|.*,)?{FEATURES}\b", query) is not None
    if path.endswith(".tif"):
        return not str(request["headers"].get("Range", "bytes=0-")).startswith("bytes=0-")
    return path.endswith("/export")


def place(number: int) -> Tuple[float, float]:
    """Longitude and latitude of a feature."""
    column, row = number % 16, number // 16
    return (round(WEST + (EAST - WEST) * (column + 0.5) / 16, 5), round(SOUTH + (NORTH - SOUTH) * (row + 0.5) / 16, 5))


def _metres(longitude: float, latitude: float) -> Tuple[float, float]:
    """The place in EPSG:3857."""
    return (longitude / 180 * _HALF,
            math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2)) / math.pi * _HALF)


def _tiles() -> Tuple[range, range]:
    """Columns and rows of the tiles around the park, with a few at each side."""
    tile = 2 * _HALF / 2 ** LEVEL
    (west, south), (east, north) = _metres(WEST, SOUTH), _metres(EAST, NORTH)
    return (range(int((west + _HALF) / tile) - 4, int((east + _HALF) / tile) + 5),
            range(int((_HALF - north) / tile) - 4, int((_HALF - south) / tile) + 5))


def _wells(request: Dict[str, Any]) -> bytes:
    """The numbers of all wells, or those asked for."""
    values = parse_qs(request["query"] or (request["body"] or b"").decode())
    if values.get("returnIdsOnly") == ["true"]:
        return json.dumps({"objectIdFieldName": "OBJECTID", "objectIds": list(range(1, FEATURES + 1))}).encode()
    numbers = [int(number) for number in values.get("objectIds", ["1"])[0].split(",")]
    places = {number: _metres(*place(number - 1)) for number in numbers}
    return json.dumps({
        "objectIdFieldName": "OBJECTID", "geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 102100},
        "features": [{"attributes": {"OBJECTID": number}, "geometry": {"x": x, "y": y}}
                     for number, (x, y) in places.items()]}).encode()


def _land(request: Dict[str, Any]) -> bytes:
    """A picture of the size that is asked for."""
    width, height = map(int, parse_qs(request["query"])["size"][0].split(","))
    return _png(width, height)


def _png(width: int = 256, height: int = 256) -> bytes:
    """A tile or picture of one colour."""
    dataset = gdal.GetDriverByName("MEM").Create("", width, height, 3)
    for band, value in ((1, 60), (2, 140), (3, 90)):
        dataset.GetRasterBand(band).Fill(value)
    return _written("PNG", dataset, "tile.png")


@lru_cache(maxsize=1)
def geotiff() -> bytes:
    """An uncompressed picture of the park, whose pixels begin behind its first range."""
    dataset = gdal.GetDriverByName("MEM").Create("", 512, 512, 3)
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(4326)
    dataset.SetProjection(reference.ExportToWkt())
    dataset.SetGeoTransform((WEST, (EAST - WEST) / 512, 0, NORTH, 0, (SOUTH - NORTH) / 512))
    for band in (1, 2, 3):
        dataset.GetRasterBand(band).WriteRaster(0, 0, 512, 512, bytes(number * band % 200 for number in range(512**2)))
    return _written("GTiff", dataset, "relief.tif", ["TILED=YES"])


def _written(driver: str, dataset: Any, name: str, options: Any = ()) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        gdal.GetDriverByName(driver).CreateCopy(f"{folder}/{name}", dataset, options=list(options))
        return (Path(folder) / name).read_bytes()


def _gdal_tiles(url: str) -> str:
    """The description of the XYZ tiles for GDAL's driver, as a layer's source."""
    return (f"<GDAL_WMS><Service name='TMS'><ServerUrl>{url}/pictures/${{z}}/${{x}}/${{y}}.png</ServerUrl></Service>"
            f"<DataWindow><UpperLeftX>-{_HALF}</UpperLeftX><UpperLeftY>{_HALF}</UpperLeftY><LowerRightX>{_HALF}"
            f"</LowerRightX><LowerRightY>-{_HALF}</LowerRightY><TileLevel>{LEVEL}</TileLevel><TileCountX>1</TileCountX>"
            "<TileCountY>1</TileCountY><YOrigin>top</YOrigin></DataWindow><Projection>EPSG:3857</Projection>"
            "<BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY><BandsCount>3</BandsCount>"
            "<ZeroBlockHttpCodes>500,404,200</ZeroBlockHttpCodes><ZeroBlockOnServerException>true"
            "</ZeroBlockOnServerException></GDAL_WMS>")


def _wmts(url: str) -> str:
    denominator = 559082264.0287178 / 2 ** LEVEL
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"
 xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">
<ows:ServiceIdentification><ows:Title>Tiles</ows:Title><ows:ServiceType>OGC WMTS</ows:ServiceType>
<ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion></ows:ServiceIdentification>
<Contents><Layer><ows:Title>Pictures</ows:Title><ows:Identifier>pictures</ows:Identifier>
<ows:WGS84BoundingBox><ows:LowerCorner>-180 -85</ows:LowerCorner><ows:UpperCorner>180 85</ows:UpperCorner>
</ows:WGS84BoundingBox><Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style>
<Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>mercator</TileMatrixSet></TileMatrixSetLink>
<ResourceURL format="image/png" resourceType="tile"
 template="{url}/wmtstiles/{{TileMatrix}}/{{TileCol}}/{{TileRow}}.png"/></Layer>
<TileMatrixSet><ows:Identifier>mercator</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
<TileMatrix><ows:Identifier>{LEVEL}</ows:Identifier><ScaleDenominator>{denominator}</ScaleDenominator>
<TopLeftCorner>-{_HALF} {_HALF}</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight>
<MatrixWidth>{2 ** LEVEL}</MatrixWidth><MatrixHeight>{2 ** LEVEL}</MatrixHeight></TileMatrix></TileMatrixSet></Contents>
</Capabilities>"""


def _wfs_capabilities(url: str) -> str:
    operations = "".join(
        f'<ows:Operation name="{name}"><ows:DCP><ows:HTTP><ows:Get xlink:href="{url}/wfs"/></ows:HTTP></ows:DCP>'
        "</ows:Operation>" for name in ("GetCapabilities", "DescribeFeatureType", "GetFeature"))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<wfs:WFS_Capabilities {_GML} version="2.0.0"><ows:ServiceIdentification><ows:Title>Points</ows:Title>
<ows:ServiceType>WFS</ows:ServiceType><ows:ServiceTypeVersion>2.0.0</ows:ServiceTypeVersion>
</ows:ServiceIdentification><ows:OperationsMetadata>{operations}
<ows:Constraint name="ImplementsResultPaging"><ows:NoValues/><ows:DefaultValue>TRUE</ows:DefaultValue></ows:Constraint>
<ows:Constraint name="CountDefault"><ows:NoValues/><ows:DefaultValue>{PAGE}</ows:DefaultValue></ows:Constraint>
</ows:OperationsMetadata><wfs:FeatureTypeList><wfs:FeatureType><wfs:Name>ms:points</wfs:Name>
<wfs:Title>Points</wfs:Title><wfs:DefaultCRS>urn:ogc:def:crs:EPSG::4326</wfs:DefaultCRS>
<ows:WGS84BoundingBox><ows:LowerCorner>{WEST} {SOUTH}</ows:LowerCorner>
<ows:UpperCorner>{EAST} {NORTH}</ows:UpperCorner></ows:WGS84BoundingBox></wfs:FeatureType></wfs:FeatureTypeList>
</wfs:WFS_Capabilities>"""


_SCHEMA = """<?xml version="1.0" encoding="UTF-8"?>
<schema targetNamespace="http://example.test/ms" xmlns:ms="http://example.test/ms"
 xmlns="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml/3.2" elementFormDefault="qualified">
<import namespace="http://www.opengis.net/gml/3.2" schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>
<element name="points" type="ms:pointsType" substitutionGroup="gml:AbstractFeature"/>
<complexType name="pointsType"><complexContent><extension base="gml:AbstractFeatureType"><sequence>
<element name="geometry" type="gml:PointPropertyType" minOccurs="0"/>
<element name="number" minOccurs="0" type="int"/></sequence></extension></complexContent></complexType></schema>"""

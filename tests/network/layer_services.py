"""Small sound services of every kind that an own layer can come from, for ``OddServer``: one point, one coverage.

``furnish`` gives a server their answers. ``sources`` has the layers as QGIS and a custom map's document name them.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict, Mapping, NamedTuple
from urllib.parse import quote

from odd_server import OddServer

BOX = (-4.0, 38.0, -3.0, 39.0)
_EXTENT = {"xmin": BOX[0], "ymin": BOX[1], "xmax": BOX[2], "ymax": BOX[3], "spatialReference": {"wkid": 4326}}
_POINT = {"type": "Feature", "id": 1, "properties": {"nombre": "Fuente"},
          "geometry": {"type": "Point", "coordinates": [-3.51, 38.38]}}
_FEATURES = {"type": "FeatureCollection", "features": [_POINT], "numberMatched": 1, "numberReturned": 1, "links": []}

_WFS = """<WFS_Capabilities version="2.0.0" xmlns="http://www.opengis.net/wfs/2.0" xmlns:a="http://a.invalid"
 xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink"><ows:ServiceIdentification>
<ows:Title>WFS</ows:Title><ows:ServiceType>WFS</ows:ServiceType><ows:ServiceTypeVersion>2.0.0</ows:ServiceTypeVersion>
</ows:ServiceIdentification><ows:OperationsMetadata>{operations}</ows:OperationsMetadata><FeatureTypeList><FeatureType>
<Name>a:rios</Name><Title>Rios</Title><DefaultCRS>urn:ogc:def:crs:EPSG::4326</DefaultCRS><ows:WGS84BoundingBox>
<ows:LowerCorner>-4 38</ows:LowerCorner><ows:UpperCorner>-3 39</ows:UpperCorner></ows:WGS84BoundingBox></FeatureType>
</FeatureTypeList></WFS_Capabilities>"""
_WFS_OPERATION = """<ows:Operation name="{name}"><ows:DCP><ows:HTTP><ows:Get xlink:href="{url}"/></ows:HTTP></ows:DCP>
</ows:Operation>"""
_WFS_TYPE = """<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:a="http://a.invalid" targetNamespace="http://a.invalid"
 xmlns:gml="http://www.opengis.net/gml/3.2" elementFormDefault="qualified"><element name="rios" type="a:riosType"
 substitutionGroup="gml:AbstractFeature"/><complexType name="riosType"><complexContent><extension
 base="gml:AbstractFeatureType"><sequence><element name="geom" type="gml:PointPropertyType" minOccurs="0"/><element
 name="nombre" type="string" minOccurs="0"/></sequence></extension></complexContent></complexType></schema>"""
_WFS_FEATURES = """<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:a="http://a.invalid"
 xmlns:gml="http://www.opengis.net/gml/3.2" numberMatched="1" numberReturned="1"><wfs:member>
<a:rios gml:id="rios.1"><a:geom>
<gml:Point srsName="urn:ogc:def:crs:EPSG::4326" gml:id="p1"><gml:pos>38.38 -3.51</gml:pos></gml:Point>
</a:geom><a:nombre>Fuente</a:nombre></a:rios></wfs:member></wfs:FeatureCollection>"""
_WMTS = """<Capabilities version="1.0.0" xmlns="http://www.opengis.net/wmts/1.0"
 xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink">
<ows:ServiceIdentification><ows:Title>WMTS</ows:Title><ows:ServiceType>OGC WMTS</ows:ServiceType>
<ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion></ows:ServiceIdentification>
<ows:OperationsMetadata><ows:Operation name="GetTile"><ows:DCP><ows:HTTP><ows:Get xlink:href="{url}">
<ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues>
</ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation></ows:OperationsMetadata><Contents>
<Layer><ows:Title>Rios</ows:Title><ows:WGS84BoundingBox><ows:LowerCorner>-4 38</ows:LowerCorner>
<ows:UpperCorner>-3 39</ows:UpperCorner></ows:WGS84BoundingBox><ows:Identifier>rios</ows:Identifier>
<Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style><Format>image/png</Format>
<TileMatrixSetLink><TileMatrixSet>g</TileMatrixSet></TileMatrixSetLink></Layer><TileMatrixSet>
<ows:Identifier>g</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
<TileMatrix><ows:Identifier>0</ows:Identifier><ScaleDenominator>559082264.0287178</ScaleDenominator>
<TopLeftCorner>-20037508.34 20037508.34</TopLeftCorner><TileWidth>256</TileWidth>
<TileHeight>256</TileHeight><MatrixWidth>1</MatrixWidth><MatrixHeight>1 </MatrixHeight></TileMatrix>
</TileMatrixSet></Contents></Capabilities>"""
_WCS = """<WCS_Capabilities version="1.0.0" xmlns="http://www.opengis.net/wcs" xmlns:gml="http://www.opengis.net/gml"
 xmlns:xlink="http://www.w3.org/1999/xlink"><Service><name>WCS</name><label>WCS</label></Service><Capability><Request>
<GetCapabilities>{dcp}</GetCapabilities><DescribeCoverage>{dcp}</DescribeCoverage><GetCoverage>{dcp}</GetCoverage></Request>
</Capability><ContentMetadata><CoverageOfferingBrief><name>rios</name><label>Rios</label><lonLatEnvelope
 srsName="urn:ogc:def:crs:OGC:1.3:CRS84"><gml:pos>-4 38</gml:pos><gml:pos>-3 39</gml:pos></lonLatEnvelope>
</CoverageOfferingBrief></ContentMetadata></WCS_Capabilities>"""
_WCS_DCP = '<DCPType><HTTP><Get><OnlineResource xlink:href="{url}"/></Get></HTTP></DCPType>'
_WCS_COVERAGE = """<CoverageDescription version="1.0.0" xmlns="http://www.opengis.net/wcs"
 xmlns:gml="http://www.opengis.net/gml"><CoverageOffering><name>rios</name><label>Rios</label><lonLatEnvelope
 srsName="urn:ogc:def:crs:OGC:1.3:CRS84"><gml:pos>-4 38</gml:pos><gml:pos>-3 39</gml:pos></lonLatEnvelope><domainSet>
<spatialDomain><gml:Envelope srsName="EPSG:4326"><gml:pos>-4 38</gml:pos><gml:pos>-3 39</gml:pos></gml:Envelope>
<gml:RectifiedGrid dimension="2"><gml:limits><gml:GridEnvelope><gml:low>0 0</gml:low><gml:high>9 9</gml:high>
</gml:GridEnvelope></gml:limits><gml:axisName>x</gml:axisName><gml:axisName>y</gml:axisName><gml:origin><gml:pos>-4 39
</gml:pos></gml:origin><gml:offsetVector>0.1 0</gml:offsetVector><gml:offsetVector>0 -0.1</gml:offsetVector>
</gml:RectifiedGrid></spatialDomain></domainSet><rangeSet><RangeSet><name>bands</name><label>bands</label></RangeSet>
</rangeSet><supportedCRSs><requestResponseCRSs>EPSG:4326</requestResponseCRSs><nativeCRSs>EPSG:4326</nativeCRSs>
</supportedCRSs><supportedFormats nativeFormat="GTiff"><formats>GTiff</formats></supportedFormats></CoverageOffering>
</CoverageDescription>"""


class ServedLayer(NamedTuple):
    """An own layer of a service: its provider, type and source, where its requests go, and how many follow each other.

    None follow where QGIS asks nothing until the layer is drawn.
    """

    provider: str
    type: str
    source: str
    path: str
    requests: int


def sources(base: str) -> Dict[str, ServedLayer]:
    """Return a layer of each kind at the address of a server."""
    at = quote(base, safe=":/")
    return {
        "WFS": ServedLayer("WFS", "vector", f"url='{base}/wfs' typename='a:rios' version='2.0.0' srsname='EPSG:4326'",
                           "/wfs", 4),
        "OGC API Features": ServedLayer("OAPIF", "vector", f"url='{base}/oapif' typename='rios'", "/oapif", 5),
        "ArcGIS FeatureServer": ServedLayer("arcgisfeatureserver", "vector",
                                            f"crs='EPSG:4326' url='{base}/arcgis/FeatureServer/0'", "/arcgis", 4),
        "ArcGIS MapServer": ServedLayer("arcgismapserver", "raster",
                                        f"crs='EPSG:4326' format='PNG32' layer='0' url='{base}/arcgis/MapServer'",
                                        "/arcgis", 3),
        "XYZ": ServedLayer("wms", "raster", f"type=xyz&url={at}/xyz/%7Bz%7D/%7Bx%7D/%7By%7D.png&zmin=0&zmax=19",
                           "/xyz", 0),
        "WMTS": ServedLayer("wms", "raster", "crs=EPSG:3857&format=image/png&layers=rios&styles=default&tileMatrixSet=g"
                            f"&url={quote(base + '/wmts?SERVICE=WMTS&REQUEST=GetCapabilities', safe=':/')}",
                            "/wmts", 1),
        "vector tiles": ServedLayer("vectortile", "vector-tile", f"type=xyz&url={at}/mvt/%7Bz%7D/%7Bx%7D/%7By%7D.pbf&"
                                    "zmin=0&zmax=14", "/mvt", 0),
        "WCS": ServedLayer("wcs", "raster", f"crs=EPSG:4326&format=GTiff&identifier=rios&url={at}/wcs?", "/wcs", 4),
        "GeoJSON by address": ServedLayer("ogr", "vector", f"/vsicurl/{base}/points/rios.geojson", "/points", 3),
    }


def furnish(server: OddServer, base: str) -> None:
    """Give the server sound answers of every kind, with the addresses of ``base`` in them."""
    operations = "".join(_WFS_OPERATION.format(name=name, url=f"{base}/wfs?")
                         for name in ("GetCapabilities", "DescribeFeatureType", "GetFeature"))
    dcp, coverage = _WCS_DCP.format(url=f"{base}/wcs?"), _coverage()

    def by_request(answers: Mapping[str, bytes]) -> Any:
        def answer(request: Mapping[str, Any]) -> bytes:
            asked = request["query"].upper()
            return next((body for name, body in answers.items() if f"REQUEST={name}" in asked), b"")
        return answer

    server.files.update({
        "/wfs": by_request({"GETCAPABILITIES": _WFS.format(operations=operations).encode(),
                            "DESCRIBEFEATURETYPE": _WFS_TYPE.encode(), "GETFEATURE": _WFS_FEATURES.encode()}),
        "/wmts": _WMTS.format(url=f"{base}/wmts?").encode(),
        "/wcs": by_request({"GETCAPABILITIES": _WCS.format(dcp=dcp).encode(), "GETCOVERAGE": coverage,
                            "DESCRIBECOVERAGE": _WCS_COVERAGE.encode()}),
        "/points/rios.geojson": json.dumps(_FEATURES).encode(),
        **{path: json.dumps(value).encode() for path, value in {**_arcgis(), **_oapif(base)}.items()}})


def _coverage() -> bytes:
    from osgeo import gdal, osr

    system = osr.SpatialReference()
    system.ImportFromEPSG(4326)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.tif"
        data = gdal.GetDriverByName("GTiff").Create(str(path), 10, 10, 1, gdal.GDT_Byte)
        data.SetGeoTransform((BOX[0], 0.1, 0, BOX[3], 0, -0.1))
        data.SetProjection(system.ExportToWkt())
        data.GetRasterBand(1).Fill(1)
        del data
        return path.read_bytes()


def _arcgis() -> Dict[str, Any]:
    fields = [{"name": "OBJECTID", "type": "esriFieldTypeOID", "alias": "OBJECTID"}]
    layer = {"currentVersion": 10.91, "id": 0, "name": "Rios", "type": "Feature Layer", "extent": _EXTENT,
             "geometryType": "esriGeometryPoint", "objectIdField": "OBJECTID", "maxRecordCount": 1000,
             "capabilities": "Query", "fields": fields, "layers": []}
    service = {"currentVersion": 10.91, "mapName": "Rios", "capabilities": "Map",
               "supportedImageFormatTypes": "PNG32,PNG", "fullExtent": _EXTENT, "initialExtent": _EXTENT,
               "spatialReference": {"wkid": 4326},
               "singleFusedMapCache": False, "layers": [{"id": 0, "name": "Rios"}]}
    found = {"objectIdFieldName": "OBJECTID", "objectIds": [1], "count": 1, "geometryType": "esriGeometryPoint",
             "spatialReference": {"wkid": 4326}, "fields": fields,
             "features": [{"attributes": {"OBJECTID": 1}, "geometry": {"x": -3.51, "y": 38.38}}], "extent": _EXTENT}
    return {"/arcgis/FeatureServer": service, "/arcgis/FeatureServer/0": layer, "/arcgis/FeatureServer/0/query": found,
            "/arcgis/MapServer": service, "/arcgis/MapServer/0": layer}


def _oapif(base: str) -> Dict[str, Any]:
    at = f"{base}/oapif"

    def link(relation: str, path: str, media: str = "application/json") -> Dict[str, str]:
        return {"rel": relation, "type": media, "href": f"{at}{path}"}

    collection = {"id": "rios", "title": "Rios", "extent": {"spatial": {"bbox": [list(BOX)]}},
                  "links": [link("items", "/collections/rios/items", "application/geo+json")]}
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 1000, "default": 10}}
    return {"/oapif": {"title": "OGC API", "links": [
                link("self", ""), link("service-desc", "/api", "application/vnd.oai.openapi+json;version=3.0"),
                link("conformance", "/conformance"), link("data", "/collections")]},
            "/oapif/api": {"openapi": "3.0.2", "info": {"title": "a", "version": "1"}, "paths": {
                "/collections/rios/items": {"get": {"parameters": [limit]}}}},
            "/oapif/conformance": {"conformsTo": []}, "/oapif/collections": {"collections": [collection], "links": []},
            "/oapif/collections/rios": collection, "/oapif/collections/rios/items": _FEATURES}

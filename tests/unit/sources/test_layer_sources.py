"""The kind and the address of a layer's source, read from the source texts that QGIS writes."""

from __future__ import annotations

import pytest

from plugin.core.sources.layer_source import LayerSource, SourceType, read_source

WEB = "https://x.invalid/a"


@pytest.mark.parametrize(("provider", "source", "kind", "address", "names"), [
    ("wms", f"crs=EPSG:25830&format=image/png&layers=a&layers=b&styles&url={WEB}?map%3Db%26c%3Dd", SourceType.WMS,
     f"{WEB}?map=b&c=d", ("a", "b")),
    ("wms", f"crs=EPSG:3857&layers=x&styles&tileMatrixSet=GM&url={WEB}", SourceType.WMTS, WEB, ("x",)),
    ("wms", f"type=xyz&url={WEB}/%7Bz%7D/%7Bx%7D/%7By%7D.png", SourceType.XYZ, WEB + "/{z}/{x}/{y}.png", ()),
    ("vectortile", f"type=xyz&url={WEB}/%7Bz%7D.pbf&zmax=5", SourceType.VECTOR_TILES, WEB + "/{z}.pbf", ()),
    ("xyzvectortiles", f"type=xyz&url={WEB}/%7Bz%7D.pbf&zmax=5", SourceType.VECTOR_TILES, WEB + "/{z}.pbf", ()),
    ("arcgisvectortileservice", f"serviceType=arcgis&type=xyz&url={WEB}/VectorTileServer", SourceType.VECTOR_TILES,
     f"{WEB}/VectorTileServer", ()),
    ("arcgismapserver", f"crs='EPSG:3857' format='PNG32' layer='3' url='{WEB}/MapServer'", SourceType.ARCGIS,
     f"{WEB}/MapServer", ("3",)),
    ("arcgisfeatureserver", f"crs='EPSG:25830' url='{WEB}/FeatureServer/0' http-header:referer=''", SourceType.ARCGIS,
     f"{WEB}/FeatureServer/0", ()),
    ("WFS", f"pagingEnabled='true' srsname='EPSG:25830' typename='ms:roads' url='{WEB}?map=it\\'s'", SourceType.WFS,
     f"{WEB}?map=it's", ("ms:roads",)),
    ("WFS", f"{WEB}?SERVICE=WFS&TYPENAME=x", SourceType.WFS, f"{WEB}?SERVICE=WFS&TYPENAME=x", ()),
    ("OAPIF", f"typename='lakes' url='{WEB}/oapi'", SourceType.OGCAPI_FEATURES, f"{WEB}/oapi", ("lakes",)),
    ("wcs", f"cache=PreferNetwork&crs=EPSG:4326&identifier=dem&url={WEB}", SourceType.WCS, WEB, ("dem",)),
    ("gdal", f"/vsicurl/{WEB}.tif", SourceType.WEB_FILE, f"{WEB}.tif", ()),
    ("gdal", f"WCS:{WEB}?service=WCS", SourceType.WCS, f"{WEB}?service=WCS", ()),
    ("gdal", "/vsis3/bucket/a.tif", SourceType.WEB_FILE, "", ()),
    ("ogr", f"{WEB}.geojson|layername=a", SourceType.WEB_FILE, f"{WEB}.geojson", ()),
    ("ogr", f"/vsizip//vsicurl/{WEB}.zip", SourceType.WEB_FILE, f"{WEB}.zip", ()),
    ("pdal", f"{WEB}.copc.laz", SourceType.WEB_FILE, f"{WEB}.copc.laz", ()),
    ("postgres", "dbname='gis' host=db.invalid table=\"public\".\"a\"", SourceType.DATABASE, "", ()),
    ("ogr", "PG:dbname='gis' host='db.invalid'", SourceType.DATABASE, "", ()),
    ("memory", "Point?crs=EPSG:25830", SourceType.MEMORY, "", ()),
    ("somebody's", f"url='{WEB}'", SourceType.WEB_FILE, WEB, ()), ("somebody's", "any", SourceType.OTHER, "", ())])
def test_a_source_on_the_web_is_recognised_by_its_address(provider, source, kind, address, names):
    found = read_source(provider, source)
    assert (found.type, found.address, found.names, found.path) == (kind, address, names, "")
    assert found.type.label


@pytest.mark.parametrize(("provider", "source", "path"), [
    ("ogr", "/data/a b.gpkg|layername=roads", "/data/a b.gpkg"), ("gdal", "C:\\data\\a.tif", "C:\\data\\a.tif"),
    ("gdal", "GPKG:/data/a.gpkg:relief", "/data/a.gpkg"), ("gdal", 'NETCDF:"/data/a.nc":t', "/data/a.nc"),
    ("delimitedtext", "file:///data/a%20b.csv?type=csv&xField=x", "/data/a b.csv"),
    ("delimitedtext", "file:///C:/data/a.csv?type=csv", "C:/data/a.csv"),
    ("wms", "type=mbtiles&url=/data/a.mbtiles", "/data/a.mbtiles"),
    ("vectortile", "type=mbtiles&url=/data/a.mbtiles", "/data/a.mbtiles"),
    ("wms", "type=xyz&url=file:///data/%7Bz%7D/%7Bx%7D/%7By%7D.png", "/data/{z}/{x}/{y}.png"),
    ("ept", "/data/ept.json", "/data/ept.json")])
def test_a_local_source_is_recognised_by_its_path(provider, source, path):
    found = read_source(provider, source)
    assert (found.type, found.path, found.address) == (SourceType.FILE, path, "") and not found.type.is_web


def test_a_styles_address_is_read_if_it_is_on_the_web():
    source = f"type=xyz&url={WEB}/%7Bz%7D.pbf&styleUrl="
    assert read_source("vectortile", f"{source}{WEB}/style.json").style_address == f"{WEB}/style.json"
    assert read_source("vectortile", f"{source}file:///etc/passwd").style_address == ""
    assert read_source("wms", "") == LayerSource(SourceType.WMS)

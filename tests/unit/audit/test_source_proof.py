"""How a layer's completeness is known: watched, local, or not checked, which every unknown source is."""

from __future__ import annotations

import pytest

from plugin.core.sources.kinds import kind_of, read_source
from plugin.core.sources.source_kind import SourceProof

WATCHED, LOCAL, UNCHECKED = SourceProof.WATCHED, SourceProof.LOCAL, SourceProof.UNCHECKED
WMS = "crs=EPSG:25830&format=image/png&layers=a&styles&url=http://example.test/wms"


def proof(provider, text):
    source = read_source(provider, text)
    return kind_of(source).proof(source)


@pytest.fixture
def folder(tmp_path):
    for name in ("map.tif", "map.gpkg", "points.csv", "mesh.2dm", "grid.nc", "data.zip", "tiles.mbtiles", "track.gpx"):
        (tmp_path / name).write_bytes(b"\x00data")
    (tmp_path / "shapes").mkdir()
    return tmp_path


def test_a_wms_is_watched_if_its_requests_can_be_told_and_pictures_in_tiles_are_fetched():
    assert proof("wms", WMS + "&tileMatrixSet=GoogleMapsCompatible") is WATCHED
    assert proof("wms", "type=xyz&url=https://example.test/%7Bz%7D/%7Bx%7D/%7By%7D.png") is WATCHED
    assert proof("wms", WMS) is WATCHED
    assert proof("wms", WMS + "&layers=b&styles") is WATCHED
    for other in (WMS.replace("layers=a&", ""),
                  WMS.replace("layers=a", "layers=a,b"), WMS.replace("layers=a", "layers=a%2Cb"),
                  WMS.replace("http://example.test/wms", ""),
                  WMS.replace("http://example.test/wms", "file:///folder/capabilities.xml"),
                  WMS.replace("http://example.test/wms", "file:///folder/c.xml") + "&tileMatrixSet=a",
                  WMS + "&tileMatrixSet=a&interpretation=maptilerterrain",
                  "type=xyz&url=https://example.test/%7Bz%7D/%7Bx%7D/%7By%7D.png&interpretation=terrariumterrain",
                  "type=xyz&url=https://example.test/{switch:a,b}/%7Bz%7D/%7Bx%7D/%7By%7D.png"):
        assert proof("wms", other) is UNCHECKED, other
    assert proof("gdal", "WMS:http://example.test/wms?LAYERS=a") is UNCHECKED


def test_what_the_export_asks_services_for_itself_is_watched():
    for provider, text in (("WFS", "url='http://example.test/wfs' typename='ms:a' version='2.0.0'"),
                           ("OAPIF", "url='http://example.test/' typename='a'"),
                           ("arcgisfeatureserver", "url='http://example.test/FeatureServer/0'"),
                           ("arcgismapserver", "url='http://example.test/MapServer' layer='0'"),
                           ("wcs", "url=http://example.test/wcs&identifier=a&format=GTiff"),
                           ("vectortile", "type=xyz&url=https://example.test/{z}/{x}/{y}.pbf"),
                           ("xyzvectortiles", "type=xyz&url=https://example.test/{z}/{x}/{y}.pbf"),
                           ("gdal", "/vsicurl/https://example.test/a.tif"), ("gdal", "https://example.test/a.tif"),
                           ("ogr", "/vsicurl/https://example.test/a.gpkg|layername=a"),
                           ("ogr", "https://example.test/a.geojson")):
        assert proof(provider, text) is WATCHED


@pytest.mark.parametrize("provider, source", [
    ("vectortile", "type=xyz&url=https://example.test/{z}/{x}/{y}.pbf&url_2=https://example.test/b/{z}/{x}/{y}.pbf"),
    ("vectortile", "serviceType=arcgis&type=xyz&url=https://example.test/VectorTileServer"), ("vectortile", ""),
    ("WFS", "url='file:///folder/a.xml' typename='a'"),
    ("wcs", "url=http://example.test/wcs&identifier=a&format=GTiff&version=1.1.0"),
    ("wcs", "url=http://example.test/wcs&identifier=a&format=GTiff&time=2016"), ("gdal", "/vsicurl/https://a.test/a.vrt"),
    ("gdal", "/vsizip//vsicurl/https://example.test/a.zip/a.tif"),
    ("gdal", "/vsicurl?url=https%3A%2F%2Fexample.test%2Fa.tif"), ("gdal", "/vsis3/bucket/a.tif"),
    ("gdal", "/vsiwebhdfs/http://example.test/a.tif"), ("gdal", "/vsistdin/"),
    ("gdal", 'NETCDF:"/vsicurl/https://example.test/a.nc":t'), ("gdal", "https://example.test/a.nc"),
    ("gdal", "<GDAL_WMS><Service/></GDAL_WMS>"), ("gdal", "EEDAI:projects/a"),
    ("gdal", "s3://bucket/a.tif"), ("gdal", "GTI:/"), ("gdal", "STACIT:/"),
    ("ogr", "/vsicurl/https://example.test/a.shp|layername=a"), ("ogr", "https://example.test/a.gml"),
    ("ogr", "WFS:https://example.test/wfs"), ("ogr", "OAPIF:https://example.test"), ("ogr", "ES:localhost"),
    ("delimitedtext", "https://example.test/a.csv?type=csv"), ("mdal", "/vsicurl/https://example.test/a.2dm"),
    ("ept", "https://example.test/ept.json"), ("copc", "https://example.test/a.copc.laz"),
    ("pdal", "https://example.test/a.laz"), ("virtual", "?query=select%201"), ("virtualraster", "?formula=1"),
    ("cesiumtiles", "url=https://example.test/tileset.json"), ("sensorthings", "url='https://example.test'"),
    ("unheard", "whatever"), ("", ""), ("ogr", "/nowhere/at/all.gpkg"), ("ogr", "")])
def test_whatever_asks_a_server_or_is_not_known_is_unchecked(provider, source):
    assert proof(provider, source) is UNCHECKED


@pytest.mark.parametrize("provider, source", [
    ("memory", "Point?crs=EPSG:4326"), ("mesh_memory", ""), ("postgres", "dbname='a' host=example.test table=b"),
    ("ogr", "PG:dbname=a host=example.test"), ("spatialite", "dbname='/folder/a.sqlite' table=b"),
    ("ogr", '{"type": "FeatureCollection", "features": []}'), ("gdal", "/vsimem/a.tif"),
    ("gdal", "{folder}/map.tif"), ("ogr", "{folder}/map.gpkg|layername=a|subset=url = 'http://example.test'"),
    ("gdal", "GPKG:{folder}/map.gpkg:table"), ("gdal", 'NETCDF:"{folder}/grid.nc":t'),
    ("gdal", "/vsizip/{folder}/data.zip/inside/a.tif"), ("ogr", "/vsizip/{{{folder}/data.zip}}/a.shp"),
    ("ogr", "{folder}/shapes"), ("delimitedtext", "file://{folder}/points.csv?type=csv&xField=x"),
    ("gpx", "{folder}/track.gpx?type=track"), ("mdal", '2DM:"{folder}/mesh.2dm"'), ("mdal", "{folder}/mesh.2dm"),
    ("wms", "type=mbtiles&url=file://{folder}/tiles.mbtiles"),
    ("vectortile", "type=mbtiles&url={folder}/tiles.mbtiles"),
    ("vectortile", "type=xyz&url=file://{folder}/%7Bz%7D/%7Bx%7D/%7By%7D.pbf"),
    ("wms", "type=xyz&url=file://{folder}/%7Bz%7D/%7Bx%7D/%7By%7D.png")])
def test_memory_databases_and_plain_files_are_local(folder, provider, source):
    text = source if source.startswith('{"') else source.format(folder=folder)
    assert proof(provider, text) is LOCAL


@pytest.mark.parametrize("description, expected", [
    ("II*\0<GDALMetadata><Item name='a'>1</Item></GDALMetadata>", LOCAL),
    ('II*\0<GDALMetadata><Item name="OVERVIEW_FILE">https://example.test/a.tif</Item></GDALMetadata>', UNCHECKED),
    ("<VRTDataset><SourceFilename relativeToVRT='1'>map.tif</SourceFilename></VRTDataset>", LOCAL),
    ("<VRTDataset><SourceFilename>/vsicurl/https://example.test/a.tif</SourceFilename></VRTDataset>", UNCHECKED),
    ("<VRTDataset><SourceFilename>/vsi&#99;url/x</SourceFilename></VRTDataset>", UNCHECKED),
    ("<VRTDataset><SourceFilename>WMS:example</SourceFilename></VRTDataset>", UNCHECKED),
    ("<VRTDataset><SourceFilename relativeToVRT='1'>nested.vrt</SourceFilename></VRTDataset>", UNCHECKED),
    ("<VRTDataset><SourceFilename relativeToVRT='1'>plain.vrt</SourceFilename></VRTDataset>", LOCAL),
    ("<VRTDataset><SourceFilename relativeToVRT='1'>this.vrt</SourceFilename></VRTDataset>", UNCHECKED),
    ("<OGRVRTDataSource><OGRVRTLayer><SrcDataSource>map.gpkg</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>", LOCAL),
    ("<OGRVRTDataSource><SrcDataSource>WFS:http://example.test</SrcDataSource></OGRVRTDataSource>", UNCHECKED),
    ("\ufeff<?xml version='1.0'?>\n<GDAL_WMS><Service><ServerUrl>x</ServerUrl></Service></GDAL_WMS>", UNCHECKED),
    ("<WCS_GDAL><ServiceURL>http://example.test</ServiceURL></WCS_GDAL>", UNCHECKED),
    ("<VRTDataset/>", UNCHECKED), ("<!DOCTYPE a><!-- a --><GDAL_WMS/>", UNCHECKED),
    ("<GDALTileIndexDataset/>", UNCHECKED),
    ("<OGRWFSDataSource><URL>http://example.test</URL></OGRWFSDataSource>", UNCHECKED),
    ("<Capabilities xmlns='http://www.opengis.net/wmts/1.0'/>", UNCHECKED),
    ("<kml xmlns='http://www.opengis.net/kml/2.2'/>", LOCAL)])
def test_a_file_that_describes_data_elsewhere_is_read(folder, description, expected):
    (folder / "plain.vrt").write_text("<VRTDataset><SourceFilename>/data/map.tif</SourceFilename></VRTDataset>")
    (folder / "nested.vrt").write_text("<VRTDataset><SourceFilename>/vsicurl/http://a.test/a</SourceFilename>"
                                       "</VRTDataset>")
    (folder / "this.vrt").write_text(description, "utf-8")
    assert proof("gdal", str(folder / "this.vrt")) is expected
    assert proof("ogr", f"{folder}/this.vrt|layername=a") is expected


def test_catalogues_of_assets_are_unchecked_and_geojson_is_local(folder):
    (folder / "items.json").write_text('{"stac_version": "1.0.0", "assets": {"a": {"href": "https://a.test/a.tif"}}}')
    (folder / "plain.json").write_text('{"type": "FeatureCollection", "name": "https://a.test", "features": []}')
    assert proof("gdal", str(folder / "items.json")) is UNCHECKED
    assert proof("ogr", str(folder / "plain.json")) is LOCAL

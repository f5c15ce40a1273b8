"""The kind and the address of a layer's source, read from the source texts that QGIS writes."""

from __future__ import annotations

import os
import random

import pytest

from plugin.core.sources.files import as_described
from plugin.core.sources.kinds import read_source, source_keys
from plugin.core.sources.layer_source import LayerSource, SourceType
from plugin.core.sources.source_text import encoded_pairs, encoded_parameters, encoded_source

WEB = "https://x.invalid/a"


@pytest.mark.parametrize(("provider", "source", "kind", "address", "names"), [
    ("wms", f"crs=EPSG:25830&format=image/png&layers=b&layers=a&styles&styles&url={WEB}?map%3Db%26c%3Dd",
     SourceType.WMS, f"{WEB}?map=b&c=d", ("a", "b")),
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


@pytest.mark.parametrize(("provider", "source"), [
    ("gdal", "/vsicurl?max_retry=3&url=https%3A%2F%2Fx.invalid%2Fa.tif"),
    ("ogr", f"/vsizip/{{/vsicurl/{WEB}.zip}}/b.shp"), ("gdal", f'NETCDF:"{WEB}.nc":t'),
    ("gdal", f'ZARR:"/vsicurl/{WEB}.zarr"'), ("gdal", f'STACIT:"{WEB}.json"'), ("ogr", f"GPKG:/vsicurl/{WEB}.gpkg:t"),
    ("ogr", f"ESRIJSON:{WEB}/query?f=json"), ("gdal", f"vrt:///vsicurl/{WEB}.tif?bands=1"),
    ("gdal", "/vsis3_streaming/bucket/a.tif"), ("gdal", "/vsizip//vsis3/bucket/a.zip/a.tif"),
    ("gdal", f"/vsisubfile/0_99,/vsicurl/{WEB}.tif"), ("mdal", f'NetCDF:"/vsicurl/{WEB}.nc"'),
    ("gdal", f"<GDAL_WMS><Service name='TMS'><ServerUrl>{WEB}/${{z}}/${{x}}.png</ServerUrl></Service></GDAL_WMS>"),
    ("ogr", f"<OGRVRTDataSource><OGRVRTLayer name='a'><SrcDataSource>{WEB}.json</SrcDataSource></OGRVRTLayer>"
            "</OGRVRTDataSource>")])
def test_a_file_on_the_web_is_recognised_behind_drivers_and_in_descriptions(provider, source):
    found = read_source(provider, source)
    assert (found.type, found.path) == (SourceType.WEB_FILE, "")


@pytest.mark.parametrize(("provider", "source"), [
    ("ogr", f'{{"type": "Feature", "properties": {{"page": "{WEB}"}}, "geometry": null}}'),
    ("gdal", "<VRTDataset><SourceFilename>/data/a.tif</SourceFilename></VRTDataset>"),
    ("ogr", ""), ("wms", "type=mbtiles")])
def test_features_and_descriptions_in_a_source_are_no_path(provider, source):
    found = read_source(provider, source)
    assert (found.type, found.path) == (SourceType.FILE, "")
    assert len(source_keys(found, "id", "/data")) == 1


@pytest.mark.parametrize(("provider", "source", "path"), [
    ("ogr", f"/data/a.gpkg|layername=a|subset=page = '{WEB}'", "/data/a.gpkg"),
    ("delimitedtext", f"file:///data/a.csv?type=csv&subset=page = '{WEB}'", "/data/a.csv"),
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
    assert read_source("wms", "") == LayerSource(SourceType.WMS, provider="wms")


@pytest.mark.parametrize("source", ["EEDAI:projects/a", "CARTO:user tables=a", "PLScenes:Data", "NGW:a", "ES:localhost",
                                    "OGCAPI:a"])
@pytest.mark.parametrize("provider", ["gdal", "ogr"])
def test_a_driver_of_a_web_service_needs_no_address(provider, source):
    assert read_source(provider, source).type.is_web


TILES = "https://tile.x.invalid/${z}/${x}/${y}.png"


@pytest.mark.parametrize(("name", "provider", "text", "address"), [
    ("a.xml", "gdal", f"<GDAL_WMS><Service name='TMS'><ServerUrl>{TILES}</ServerUrl></Service></GDAL_WMS>", TILES),
    ("a.wms", "gdal", f"<GDAL_WMS><Service><ServerUrl>{WEB}?map=a&amp;token=secret</ServerUrl></Service></GDAL_WMS>",
     f"{WEB}?map=a"),
    ("a.xml", "gdal", f"<GDAL_WMTS><GetCapabilitiesUrl>{WEB}</GetCapabilitiesUrl></GDAL_WMTS>", WEB),
    ("a.wcs", "gdal", f"<WCS_GDAL><ServiceURL>{WEB}</ServiceURL></WCS_GDAL>", WEB),
    ("a.xml", "ogr", f"<OGRWFSDataSource><URL>{WEB}</URL></OGRWFSDataSource>", WEB),
    ("a.vrt", "gdal", f"<VRTDataset><SourceFilename>b.tif</SourceFilename><SourceFilename>/vsicurl/{WEB}.tif"
                      "</SourceFilename></VRTDataset>", f"{WEB}.tif"),
    ("a.vrt", "gdal", "<VRTDataset><SourceFilename>/vsis3/bucket/a.tif</SourceFilename></VRTDataset>", ""),
    ("a.vrt", "gdal", "<VRTDataset><SourceFilename>EEDAI:a</SourceFilename></VRTDataset>", ""),
    ("a.vrt", "ogr", f"<OGRVRTDataSource><OGRVRTLayer name='a'><SrcDataSource>WFS:{WEB}</SrcDataSource></OGRVRTLayer>"
                     "</OGRVRTDataSource>", WEB),
    ("a.vrt", "gdal", "<VRTDataset><SourceFilename relativeToVRT='1'>inner.vrt</SourceFilename></VRTDataset>",
     f"{WEB}.tif"),
    ("a.json", "gdal", f'{{"stac_version": "1.0.0", "assets": {{"a": {{"href": "{WEB}.tif"}}}}}}', f"{WEB}.tif"),
    ("a.xml", "wms", f"<Capabilities xmlns='http://www.opengis.net/wmts/1.0'><Get href='{WEB}'/></Capabilities>", WEB)])
def test_a_file_that_describes_data_on_the_web_is_a_file_on_the_web(tmp_path, name, provider, text, address):
    (tmp_path / "inner.vrt").write_text(f"<VRTDataset><SourceFilename>/vsicurl/{WEB}.tif</SourceFilename></VRTDataset>")
    file = tmp_path / name
    source = f"crs=EPSG:3857&layers=a&tileMatrixSet=b&url=file://{file}" if provider == "wms" else str(file)
    absent = as_described(read_source(provider, source))
    file.write_text(text, "utf-8")
    found = as_described(read_source(provider, source))
    assert (found.type, found.address, found.path) == (SourceType.WEB_FILE, address, str(file))
    for written in (f"vrt://{file}?bands=1", f"WMTS:{file},layer=a") if provider == "gdal" else ():
        other = read_source(provider, written)
        assert other.type is SourceType.FILE, "its folder is left out of what is published"
        assert as_described(other).type is SourceType.WEB_FILE
    # what is noted on the layer counts while the file cannot be read
    assert absent.type is SourceType.FILE and source_keys(absent, "id", "") == source_keys(found, "id", "")


@pytest.mark.parametrize(("name", "text"), [
    ("a.vrt", "<VRTDataset><!-- https://a.invalid --><SourceFilename>b.tif</SourceFilename>"
              f"<Metadata><MDI key='page'>{WEB}</MDI></Metadata></VRTDataset>"),
    ("a.vrt", "<VRTDataset><SourceFilename relativeToVRT='1'>a.vrt</SourceFilename></VRTDataset>"),
    ("a.xml", "<GDAL_WMS xmlns='http://a.invalid'><Service><ServerUrl>file:///data/${z}.png</ServerUrl></Service>"
              "</GDAL_WMS>"),
    ("a.xml", f"<gml:Dictionary xmlns:gml='http://www.opengis.net/gml'><gml:name>{WEB}</gml:name></gml:Dictionary>"),
    ("a.json", f'{{"type": "FeatureCollection", "name": "{WEB}", "features": []}}'),
    ("a.tif", f"<GDAL_WMS><ServerUrl>{WEB}</ServerUrl></GDAL_WMS>")])
def test_a_file_of_this_computer_stays_one_whatever_it_mentions(tmp_path, name, text):
    (tmp_path / name).write_text(text, "utf-8")
    source = read_source("gdal", str(tmp_path / name))
    assert as_described(source) is source and source.type is SourceType.FILE


def test_a_pipe_or_a_folder_of_that_name_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.vrt")
    (tmp_path / "b.vrt").mkdir()
    for name in ("a.vrt", "b.vrt", "gone.vrt"):
        source = read_source("gdal", str(tmp_path / name))
        assert as_described(source) is source


def test_what_is_written_into_an_encoded_source_is_read_from_it_again():
    letters = random.Random(1)
    for _ in range(500):
        pairs = [(letters.choice(("url", "layers", "styles", "ñ&=")),
                  "".join(letters.choices("aZ0 %&=?#+,;:/{}[]ñ\u20ac\U0001f5fa'\"\\", k=letters.randrange(12))))
                 for _ in range(letters.randrange(6))]
        source = encoded_source(pairs)
        assert encoded_pairs(source) == sorted(pairs, key=lambda pair: pair[0])
        assert encoded_source(encoded_pairs(source)) == source
        assert encoded_parameters(source) == dict(pairs), "the last value of each name, as QGIS goes by"

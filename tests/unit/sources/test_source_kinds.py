"""Each kind of source decides about its own sources, and everybody else asks the registry."""

from __future__ import annotations

import pytest

from plugin.core.request import HttpMethod
from plugin.core.sources.kinds import KINDS, kind_of, read_source, source_keys
from plugin.core.sources.layer_source import LayerSource, SourceType
from plugin.core.sources.source_kind import SentRequest
from plugin.core.wms.responses.response_validation import ExpectedContent

WEB = "https://maps.invalid"


def test_every_type_of_source_has_one_kind():
    assert sorted(kind.type for kind in KINDS) == sorted(SourceType)


def keys(provider, text, layer_id="l1", folder="/projects"):
    return source_keys(read_source(provider, text), layer_id, folder)


@pytest.mark.parametrize(("one", "other"), [
    # QGIS 3.22 and 3.40 write the same layer with other parameters in another order
    (("wms", f"contextualWMSLegend=0&crs=EPSG:25830&dpiMode=7&featureCount=10&format=image/png&layers=a&styles&"
             f"url={WEB}/wms?map%3Db"),
     ("wms", f"crs=EPSG:3857&dpiMode=7&format=image/jpeg&layers=a&styles=blue&tilePixelRatio=0&url={WEB}/wms?MAP%3Db"
             "%26TIME%3D2019-01-01")),
    (("wms", f"crs=EPSG:3857&layers=x&styles=default&tileMatrixSet=GM&url={WEB}/wmts"),
     ("wms", f"tileMatrixSet=Other&layers=x&styles=&crs=EPSG:25830&url={WEB}/wmts?SERVICE%3DWMTS")),
    (("vectortile", f"type=xyz&url={WEB}/%7Bz%7D/%7Bx%7D/%7By%7D.pbf&zmax=14&zmin=0"),
     ("xyzvectortiles", f"type=xyz&url={WEB}/%7Bz%7D/%7Bx%7D/%7By%7D.pbf&zmin=0&zmax=14&styleUrl={WEB}/style.json")),
    (("WFS", " pagingEnabled='true' restrictToRequestBBOX='1' srsname='EPSG:25830' typename='ms:roads' "
             f"url='{WEB}/wfs' version='auto'"),
     ("WFS", f"pagingEnabled='default' preferCoordinatesForWfsT11='false' srsname='EPSG:4326' typename='ms:roads' "
             f"url='{WEB}/wfs?' version='2.0.0' sql=SELECT * FROM roads")),
    (("OAPIF", f"typename='lakes' url='{WEB}/oapi'"),
     ("OAPIF", f" pageSize='100' typename='lakes' url='{WEB}/oapi' featureFormat='application/geo+json'")),
    (("arcgisfeatureserver", f"crs='EPSG:25830' url='{WEB}/FeatureServer/0'"),
     ("arcgisfeatureserver", f" crs='EPSG:3857' url='{WEB}/FeatureServer/0' http-header:referer='' sql=a > 1")),
    (("arcgismapserver", f"crs='EPSG:3857' format='PNG32' layer='3' url='{WEB}/MapServer'"),
     ("arcgismapserver", f"crs='EPSG:25830' format='JPG' layer='3' url='{WEB}/MapServer'")),
    (("wcs", f"cache=PreferNetwork&crs=EPSG:4326&format=GTiff&identifier=dem&url={WEB}/wcs"),
     ("wcs", f"crs=EPSG:3857&dpiMode=7&format=image/tiff&identifier=dem&url={WEB}/wcs?")),
    (("ogr", "/projects/data/a.gpkg|layername=roads"), ("ogr", "/projects/data/a.gpkg|layername=roads|subset=a > 1")),
    (("postgres", "dbname='gis' host=db table=\"public\".\"a\" sql="),
     ("postgres", "dbname='gis' host=db table=\"public\".\"a\" sql=name = 'x'")),
    (("postgres", "service='gis' host=db user='ana' password='x' key='id' type=Point table=\"s\".\"a sql=b\" (geom)"),
     ("postgres", "service='gis' host=db authcfg=abc1234 key='id' estimatedmetadata=true srid=25830 type=Point "
                  "checkPrimaryKeyUnicity='1' table=\"s\".\"a sql=b\" (geom) sql=\"host\" = 'c' AND b=1")),
    (("postgres", "dbname='gis' table=\"(SELECT * FROM a WHERE b = 1)\" (geom)"),
     ("postgres", "dbname='gis' key='_uid_' table=\"(SELECT * FROM a WHERE b = 1)\" (geom) sql=x")),
    (("ogr", "PG:dbname=gis host=db|layername=a"), ("ogr", "PG:dbname=gis host=db|layername=a|subset=b > 1")),
    (("spatialite", "dbname='/projects/a.sqlite' table=\"a\" (geometry)"),
     ("spatialite", "dbname='/projects/a.sqlite' key='pk' table=\"a\" (geometry) sql=a > 1")),
    (("delimitedtext", "file:///projects/mi%20lista.csv?type=csv&xField=x&yField=y"),
     ("delimitedtext", "file:///projects/mi%20lista.csv?type=csv&useHeader=Yes&xField=x&yField=y&subset=%22a%22%20%3D1")),
    (("memory", "Point?crs=EPSG:25830&uid={1}"), ("memory", "Point?crs=EPSG:25830&field=a:integer(0,0)&uid={1}"))])
def test_a_source_is_the_same_however_it_is_written(one, other):
    assert set(keys(*one)) & set(keys(*other))


@pytest.mark.parametrize(("one", "other"), [
    (("wms", f"layers=a&styles&url={WEB}/wms"), ("wms", f"layers=b&styles&url={WEB}/wms")),
    (("wms", f"layers=a&styles&url={WEB}/wms"), ("wms", f"layers=a&layers=b&styles&styles&url={WEB}/wms")),
    (("wms", f"layers=a&styles&url={WEB}/ows"), ("wms", f"layers=a&styles&tileMatrixSet=g&url={WEB}/ows")),
    (("wms", f"type=xyz&url={WEB}/a/%7Bz%7D.png"), ("wms", f"type=xyz&url={WEB}/b/%7Bz%7D.png")),
    (("WFS", f"typename='a' url='{WEB}'"), ("OAPIF", f"typename='a' url='{WEB}'")),
    (("arcgismapserver", f"layer='3' url='{WEB}/MapServer'"), ("arcgismapserver", f"layer='4' url='{WEB}/MapServer'")),
    (("ogr", "/data/a.gpkg|layername=roads"), ("ogr", "/data/a.gpkg|layername=rivers")),
    (("postgres", "dbname='gis' table=\"s\".\"a\" (geom)"), ("postgres", "dbname='gis' table=\"s\".\"b\" (geom)")),
    (("postgres", "dbname='gis' table=\"s\".\"a\" (geom)"), ("postgres", "dbname='gis' table=\"t\".\"a\" (geom)")),
    (("postgres", "dbname='gis' table=\"s\".\"a\" (geom)"), ("postgres", "dbname='gis2' table=\"s\".\"a\" (geom)")),
    (("postgres", "dbname='gis' host=a table=\"a\""), ("postgres", "dbname='gis' host=b table=\"a\"")),
    (("postgres", "dbname='gis' table=\"(SELECT 1)\" (g)"), ("postgres", "dbname='gis' table=\"(SELECT 2)\" (g)")),
    (("ogr", "PG:dbname=gis|layername=a"), ("ogr", "PG:dbname=gis|layername=b")),
    (("spatialite", "dbname='/a.sqlite' table=\"a\" (g)"), ("spatialite", "dbname='/a.sqlite' table=\"b\" (g)")),
    (("spatialite", "dbname='/a.sqlite' table=\"a\" (g)"), ("spatialite", "dbname='/b.sqlite' table=\"a\" (g)")),
    (("gpx", "/data/a.gpx?type=track"), ("gpx", "/data/a.gpx?type=waypoint")),
    (("delimitedtext", "file:///data/a.csv?type=csv"), ("delimitedtext", "file:///data/b.csv?type=csv")),
    (("postgres", "dbname='gis' table=\"a\""), ("postgres", "dbname='gis' table=\"b\""))])
def test_other_data_is_another_source(one, other):
    assert not set(keys(*one)) & set(keys(*other))


@pytest.mark.parametrize(("provider", "text"), [
    ("ogr", "/projects/data/a.gpkg|layername=roads"), ("gdal", "GPKG:/projects/data/a.gpkg:relief"),
    ("spatialite", "dbname='/projects/data/a.sqlite' table=\"a\" (geometry)"),
    ("gpx", "/projects/data/a.gpx?type=track"), ("delimitedtext", "file:///projects/data/mi%20lista.csv?type=csv")])
def test_a_file_is_the_same_where_the_project_is_moved_with_it(provider, text):
    moved = text.replace("/projects/", "/elsewhere/")
    assert set(keys(provider, text)) & set(keys(provider, moved, folder="/elsewhere"))
    assert set(keys(provider, text)) & set(keys(provider, text, folder="/elsewhere")), "saved elsewhere"
    assert not set(keys(provider, text)) & set(keys(provider, moved, folder="/other"))


def test_a_layer_without_a_place_is_known_by_its_id():
    for provider, text in (("memory", "Point"), ("virtual", "?query=SELECT 1"), ("mesh_memory", "")):
        assert keys(provider, text, "a") == keys(provider, text, "a") != keys(provider, text, "b")
    annotations = LayerSource(SourceType.ANNOTATIONS)
    assert kind_of(annotations).identity(annotations, "a", "") != kind_of(annotations).identity(annotations, "b", "")


@pytest.mark.parametrize(("provider", "text", "url", "expected"), [
    ("wms", f"layers=a&styles&url={WEB}/wms?map%3Db", f"{WEB}/wms?map=b&SERVICE=WMS&REQUEST=GetCapabilities",
     ExpectedContent.XML),
    ("WFS", f"typename='a' url='{WEB}/wfs'", f"{WEB}/wfs?SERVICE=WFS&REQUEST=GetCapabilities", ExpectedContent.XML),
    ("arcgisfeatureserver", f"url='{WEB}/FeatureServer/0'", f"{WEB}/FeatureServer/0?f=json", ExpectedContent.JSON),
    ("OAPIF", f"typename='a' url='{WEB}/oapi'", f"{WEB}/oapi", ExpectedContent.JSON),
    ("ogr", f"/vsicurl/{WEB}/a.geojson", f"{WEB}/a.geojson", ExpectedContent.ANY)])
def test_a_server_is_asked_first_for_what_describes_it(provider, text, url, expected):
    source = read_source(provider, text)
    first = kind_of(source).first_request(source.address)
    assert (first.request.method, first.request.url, first.expected) == (HttpMethod.GET, url, expected)


def test_tiles_and_local_sources_ask_for_nothing_before_they_are_drawn():
    for provider, text in (("wms", f"type=xyz&url={WEB}/%7Bz%7D"), ("vectortile", f"type=xyz&url={WEB}/%7Bz%7D"),
                           ("ogr", "/data/a.gpkg"), ("memory", "Point"), ("somebody's", "any")):
        assert kind_of(read_source(provider, text)).first_request is None


#: (provider, source, a request for a part of its layer, requests that are none)
REQUESTS = [
    ("wms", "url=http://a.test/wms&layers=roads&styles=&format=image/png&crs=EPSG:25830",
     "http://maps.a.test/get?SERVICE=WMS&request=GetMap&LAYERS=roads&BBOX=1,2,3,4",
     ["http://a.test/wms?REQUEST=GetMap&LAYERS=rivers", "http://a.test/wms?REQUEST=GetLegendGraphic&LAYERS=roads"]),
    ("wms", "url=http://a.test/wmts&layers=roads&tileMatrixSet=GM&styles=&format=image/png",
     "http://a.test/wmts?REQUEST=GetTile&LAYER=roads&TILECOL=1",
     ["http://a.test/wmts?REQUEST=GetTile&LAYER=rivers", "http://a.test/wmts?REQUEST=GetCapabilities"]),
    ("wms", "url=http://a.test/wmts&layers=ma%20pa&tileMatrixSet=GM&styles=&format=image/png",
     "http://tiles.a.test/1.0.0/ma%20pa/default/GM/3/2/1.png", ["http://tiles.a.test/1.0.0/mapa/default/GM/3/2/1.png"]),
    ("wms", "type=xyz&url=https://t.test/%7Bz%7D/%7Bx%7D/%7By%7D.png?k%3D1", "https://t.test/5/6/7.png?k=1",
     ["https://t.test/style.json", "https://u.test/5/6/7.png?k=1"]),
    ("vectortile", "type=xyz&url=https://t.test/data/{z}/{x}/{y}.pbf", "https://t.test/data/5/6/7.pbf",
     ["https://t.test/fonts/a.pbf"]),
    ("wfs", "typename='ms:points' url='http://a.test/wfs'",
     "http://a.test/wfs?SERVICE=WFS&REQUEST=GetFeature&TYPENAMES=ms:points&COUNT=100",
     ["http://a.test/wfs?REQUEST=DescribeFeatureType&TYPENAME=ms:points",
      "http://a.test/wfs?REQUEST=GetFeature&TYPENAME=ms:lines"]),
    ("oapif", "typename='lakes' url='http://a.test/api/'", "http://a.test/api/collections/lakes/items?limit=10",
     ["http://a.test/api/collections/lakes", "http://a.test/api/collections/rivers/items"]),
    ("wcs", "identifier=dem&url=http://a.test/wcs", "http://a.test/wcs?REQUEST=GetCoverage&COVERAGE=dem",
     ["http://a.test/wcs?REQUEST=DescribeCoverage&COVERAGE=dem"]),
    ("arcgisfeatureserver", "crs='EPSG:4326' url='http://a.test/FeatureServer/0'",
     "http://a.test/FeatureServer/0/query?f=json&where=1%3D1", ["http://a.test/FeatureServer/0?f=json"]),
]


@pytest.mark.parametrize(("provider", "text", "part", "others"), REQUESTS, ids=[case[2] for case in REQUESTS])
def test_a_request_is_known_for_a_part_of_a_layer(provider, text, part, others):
    source = read_source(provider, text)
    draws = kind_of(source).draws
    assert draws(source, SentRequest.of(part))
    assert [other for other in others if draws(source, SentRequest.of(other))] == []

"""Sources of foreign layers: what QGIS opens is written anew, and what is not understood is refused."""

from __future__ import annotations

import random
from urllib.parse import quote, unquote

import pytest

from plugin.core.trust.sources import ReferenceKind, judge_source

WEB = "https://maps.example.org/ows"
#: type of layer, provider, source, what it leads to, and what must be in the source that QGIS opens
SOUND = [
    ("vector", "ogr", "/maps/paths.gpkg|layername=paths", "/maps/paths.gpkg", "/maps/paths.gpkg|layername=paths"),
    ("vector", "ogr", "/maps/a.geojson|layerid=0|subset=\"kind\" = 'x' AND n IN (1, 2)", "/maps/a.geojson",
     "|subset=\"kind\" = 'x' AND n IN (1, 2)"),
    ("vector", "OGR", "/maps/with | bar/../a.shp", None, ""),
    ("vector", "delimitedtext", "file:///maps/p%20x.csv?type=csv&xField=x&yField=y&crs=EPSG:25830", "/maps/p x.csv",
     "file:///maps/p%20x.csv?type=csv&xField=x&yField=y"),
    ("vector", "gpx", "/maps/t.gpx?type=track", "/maps/t.gpx", "/maps/t.gpx?type=track"),
    ("raster", "gdal", "/maps/relief.tif", "/maps/relief.tif", "/maps/relief.tif"),
    ("raster", "gdal", "GPKG:/maps/relief.gpkg:relief", "/maps/relief.gpkg", "GPKG:/maps/relief.gpkg:relief"),
    ("raster", "wms", f"crs=EPSG:3857&format=image/png&layers=a&layers=b&styles=&styles=x&url={WEB}?", WEB,
     "layers=a&layers=b"),
    ("raster", "wms", "type=xyz&url=https://tiles.example.org/%7Bz%7D/%7Bx%7D/%7By%7D.png&zmax=19&zmin=0",
     "https://tiles.example.org", "url=https://tiles.example.org/{z}/{x}/{y}.png"),
    ("raster", "wcs", f"identifier=dem&url={WEB}", WEB, "identifier=dem"),
    ("vector-tile", "vectortile", f"type=xyz&url={WEB}/%7Bz%7D/%7Bx%7D/%7By%7D.pbf&zmax=14", WEB, "{z}/{x}/{y}.pbf"),
    ("vector-tile", "", f"type=xyz&url={WEB}/%7Bz%7D.pbf", WEB, "{z}.pbf"),
    ("vector", "WFS", f"pagingEnabled='true' srsname='EPSG:25830' typename='ms:points' url='{WEB}' version='2.0.0'",
     WEB, "typename='ms:points'"),
    ("vector", "WFS", f"{WEB}?SERVICE=WFS&TYPENAME=ms:points", WEB, "TYPENAME=ms:points"),
    ("vector", "OAPIF", f"typename='points' url='{WEB}'", WEB, f"url='{WEB}'"),
    ("vector", "arcgisfeatureserver", f"crs='EPSG:25830' url='{WEB}/FeatureServer/0' sql=kind = 'x'", WEB,
     "sql=kind = 'x'"),
    ("raster", "arcgismapserver", f"crs='EPSG:3857' format='PNG32' layer='0' url='{WEB}/MapServer'", WEB, "layer='0'"),
    ("vector", "postgres", "dbname='gis' host=db.example.org port=5432 user='ana' key='id' srid=25830 type=Point "
     "table=\"public\".\"paths\" (geom) sql=\"n\" > 3", "gis (db.example.org:5432)", 'table="public"."paths" (geom)'),
    ("point-cloud", "pdal", "/maps/cloud.laz", "/maps/cloud.laz", "/maps/cloud.laz"),
    ("mesh", "mdal", "/maps/wind.2dm", "/maps/wind.2dm", "/maps/wind.2dm"),
]
HOSTILE = [
    ("vector", "ogr", "/maps/data.zip"), ("vector", "ogr", "/maps/a.geojson.gz"),
    ("raster", "gdal", "/maps/relief.zip"),
    ("raster", "gdal", "/maps/relief.tar"), ("mesh", "mdal", "/maps/m.grb"), ("vector", "ogr", "/maps/a.dbf"),
    ("vector", "ogr", "/maps/a.gpkg|subset=1=1 /* '*/ and x /*' */"),
    ("vector", "ogr", "/maps/a.gpkg|subset=E'\\' and b"),
    ("vector", "ogr", "/maps/a.gpkg|subset=x in (with r as (1) 2)"),
    ("vector", "WFS", "typename='a' url='http://h' filter='\"t\" = env(\\'CANARY\\')'"),
    ("vector", "WFS", "typename='a' url='http://h' filter='\"t\" = @user_account_name'"),
    ("raster", "wms", "layers=a&styles=&maxWidth=1&maxHeight=1&url=http://h"),
    ("vector", "virtual", "?query=select readfile('/etc/passwd')"),
    ("vector", "memory", "Point?crs=EPSG:4326"),
    ("vector", "spatialite", "dbname='/maps/a.sqlite' table=\"a\" (geom)"),
    ("vector", "ogr", "/vsicurl/http://127.0.0.1/a.geojson"), ("raster", "gdal", "/vsizip//vsicurl/http://h/a.zip"),
    ("vector", "ogr", "WFS:http://127.0.0.1/wfs"), ("vector", "ogr", "CSV:/etc/passwd"),
    ("vector", "ogr", "PG:dbname=x"), ("vector", "ogr", "MySQL:x"), ("vector", "ogr", "MVT:http://h/0"),
    ("vector", "ogr", "<OGRVRTDataSource></OGRVRTDataSource>"), ("vector", "ogr", '{"type": "FeatureCollection"}'),
    ("raster", "gdal", "SENTINEL2_L1C:/vsizip//vsicurl/http://h/x"), ("raster", "gdal", "<GDAL_WMS></GDAL_WMS>"),
    ("raster", "gdal", "NETCDF:\"/maps/a.nc\":x"), ("vector", "ogr", "\\\\host\\share\\a.shp"),
    ("vector", "ogr", "//host/share/a.shp"), ("vector", "ogr", "/dev/ptmx"), ("vector", "ogr", "paths.gpkg"),
    ("vector", "ogr", "/maps/a.gpkg|subset=SELECT * FROM 'b.shp'.b"),
    ("vector", "ogr", "/maps/a.gpkg|subset=x = ogr_geocode('http://h')"),
    ("vector", "ogr", "/maps/a.gpkg|subset=1=1; ATTACH 'x' AS y"),
    ("vector", "ogr", "/maps/a.gpkg|subset=x = load_extension ('x')"),
    ("vector", "ogr", "/maps/a.gpkg|authcfg=abc1234"), ("vector", "ogr", "/maps/a.csv|option:OPEN=x"),
    ("vector", "delimitedtext", "file://host/share/a.csv?type=csv"),
    ("vector", "delimitedtext", "http://h/a.csv?type=csv"),
    ("vector", "delimitedtext", "file:///maps/a.csv?type=csv&subset=env('HOME') = 'x'"),
    ("vector", "delimitedtext", "file:///maps/a.csv?type=regexp&delimiter=(a%2B)%2B"),
    ("vector", "delimitedtext", "file:///maps/a.csv?type=csv&watchFile=yes"),
    ("raster", "wms", "type=xyz&url=file:///etc/%7Bz%7D"), ("raster", "wms", "type=mbtiles&url=/maps/a.mbtiles"),
    ("raster", "wms", "url=http://h&url=file:///x&layers=a&styles="), ("raster", "wms", "layers=a&styles="),
    ("vector-tile", "vectortile", "type=mbtiles&url=/maps/a.mbtiles"),
    ("vector", "WFS", "url='file:///etc/passwd' typename='a'"), ("vector", "WFS", "url='http://h' url='file:///x'"),
    ("vector", "WFS", "url='http://h' sql=SELECT * FROM a"), ("vector", "WFS", "url='http://h' cacheDirectory='/x'"),
    ("vector", "postgres", "service='x' table=\"a\" (geom)"),
    ("vector", "postgres", "dbname='host=evil' table=\"a\" (geom)"),
    ("vector", "postgres", "dbname='x' table=\"(SELECT pg_read_file('/etc/passwd'))\" (geom) sslkey='/x'"),
    ("vector", "postgres", "dbname='x' table=(SELECT 1) (geom)"),
    ("vector", "gdal", "/maps/a.tif"), ("raster", "ogr", "/maps/a.gpkg"), ("vector", "", "/maps/a.gpkg"),
    ("vector", "nobody", "http://h"), ("point-cloud", "pdal", "/maps/pipeline.json"),
    ("vector", "ogr", "/maps/a\nb.gpkg"), ("vector", "ogr", "x" * 30_000),
]


@pytest.mark.parametrize(("layer_type", "provider", "source", "name", "written"), SOUND)
def test_a_sound_source_is_written_anew_and_says_what_it_leads_to(layer_type, provider, source, name, written):
    found = judge_source(layer_type, provider, source)
    if name is None:
        assert found.problem
        return
    assert found.problem == "" and written in found.source and found.reference is not None
    origin = "https://maps.example.org" if name == WEB else name
    assert found.reference.name == origin
    assert found.path == (name if found.reference.kind is ReferenceKind.FILE else "")
    # what was written anew is judged alike
    again = judge_source(layer_type, found.provider, found.source)
    assert (again.source, again.problem, again.reference) == (found.source, "", found.reference)


@pytest.mark.parametrize(("layer_type", "provider", "source"), HOSTILE)
def test_a_source_that_leads_elsewhere_is_refused_with_a_reason(layer_type, provider, source):
    found = judge_source(layer_type, provider, source)
    assert found.problem and not found.source and found.reference is None and found.path == ""


def test_a_service_is_asked_itself_and_in_images_of_a_sensible_size():
    found = judge_source("raster", "wms", f"layers=a&styles=&stepWidth=1&stepHeight=1&IgnoreGetMapUrl=0&url={WEB}")
    assert "step" not in found.source and found.source.count("IgnoreGetMapUrl") == 1
    assert found.source.endswith("IgnoreGetMapUrl=1&IgnoreGetFeatureInfoUrl=1")


@pytest.mark.parametrize("login", ["authcfg='ab12345'", "username='ana'", "password='x'", "http-header:X='y'"])
def test_a_login_is_left_out_of_a_service_and_of_a_database(login):
    service = judge_source("vector", "WFS", f"{login} typename='a' url='{WEB}'")
    name = login.partition("=")[0]
    assert service.problem == "" and name not in service.source
    tiles = judge_source("raster", "wms", f"{login.replace(chr(39), '')}&type=xyz&url={WEB}/%7Bz%7D")
    assert tiles.problem == "" and name not in tiles.source
    former = judge_source("vector", "WFS", f"{WEB}?SERVICE=WFS&auth%63fg=ab12345&TYPENAME=a&username=x")
    assert former.source == f"{WEB}?SERVICE=WFS&TYPENAME=a"
    address = judge_source("vector", "OAPIF", "typename='a' url='https://ana:secret@maps.example.org/ows'")
    assert "secret" not in address.source
    database = judge_source("vector", "postgres", "dbname='gis' authcfg=ab12345 password='x' table=\"a\" (geom)")
    assert database.problem == "" and "authcfg" not in database.source and "password" not in database.source


@pytest.mark.parametrize("option", ["TYPE=xyz", "type=XYZ", "Type=XYZ"])
def test_an_option_is_what_qgis_reads(option):
    """QGIS knows names in one spelling only: tiles in another one were a WMS, whose images may be anywhere."""
    found = judge_source("raster", "wms", f"{option}&layers=a&styles=&url={WEB}")
    assert found.source.startswith("type=xyz&")
    images = judge_source("raster", "wms", f"tilematrixset=&layers=a&styles=&URL={WEB}")
    assert images.source == f"layers=a&styles=&url={WEB}&IgnoreGetMapUrl=1&IgnoreGetFeatureInfoUrl=1"
    assert "tileMatrixSet=a" in judge_source("raster", "wms", f"tilematrixset=a&url={WEB}").source
    features = judge_source("vector", "WFS", f"TYPENAME='a' URL='{WEB}' featuremode='complexFeatures'")
    assert features.source == f"typename='a' url='{WEB}' featureMode='simpleFeatures'"


@pytest.mark.parametrize("address", ["http://\uff11\uff12\uff17.0.0.1/a", "http://h:0/a", "http://h:99999/a", "http://h:x/a",
                                     "http://a\u2024b/", "http://\u2488com/"])
def test_the_host_that_is_shown_is_the_one_that_is_requested(address):
    assert judge_source("raster", "wms", f"type=xyz&url={quote(address, safe='/:')}").problem


@pytest.mark.parametrize("condition", ["\"a\" LIKE '%a%a%a%a%b'", "\"a\" ilike \"b\"", "a LIKE ('%a%a%a%a%')",
                                       "a LIKE b", "a NOT LIKE '%%%%'", "a like'%%%%'", "a LIKE '%a%b'"])
def test_a_filter_ends(condition):
    """LIKE takes a time that each wildcard multiplies."""
    assert judge_source("vector", "ogr", f"/maps/a.gpkg|subset={condition}").problem


def test_a_filter_may_look_for_words():
    condition = "\"a\" LIKE '%it''s%' OR b ILIKE 'x%' AND c NOT LIKE '%y%' OR d = '50 %, 60 %, 70 %, 80 %'"
    assert judge_source("vector", "ogr", f"/maps/a.gpkg|subset={condition}").problem == ""


def test_a_database_elsewhere_gets_no_name_and_no_password_of_the_person():
    table = "dbname='gis' table=\"a\" (geom)"
    found = judge_source("vector", "postgres", f"{table} HOST='db.example.org'")
    assert "host='db.example.org' user='guest' password='guest'" in found.source
    assert "user='ana' password='guest'" in judge_source("vector", "postgres", f"{table} host=h user=ana").source
    # on this computer the name of the person is the way in
    assert "guest" not in judge_source("vector", "postgres", table).source


def test_no_mixture_of_sound_and_hostile_parts_leads_out():
    """What is let through leads only to the file or server that is named, whatever the parts are mixed with."""
    draw = random.Random(20261125)
    parts = sorted({part for _type, _provider, source, *_ in (*SOUND, *HOSTILE) for part in source.split("|")
                    + source.split("&") + source.split(" ") if len(part) < 200})
    providers = sorted({(layer_type, provider) for layer_type, provider, *_ in (*SOUND, *HOSTILE)})
    passed = 0
    for _ in range(40_000):
        layer_type, provider = draw.choice(providers)
        source = draw.choice(["|", "&", " ", ""]).join(draw.sample(parts, draw.randint(1, 4)))
        found = judge_source(layer_type, provider, source)
        assert bool(found.problem) != bool(found.source)
        if not found.source:
            continue
        passed += 1
        # a file may have any name, and an address any parameter
        names = found.source.replace(found.path or "\0", "").lower()
        text = unquote(names)
        if provider.lower() == "ogr":
            # a layer of the file may have any name too
            text = text.partition("|subset=")[2]
        if provider.lower() in ("ogr", "gdal", "postgres"):
            # of nobody's, so that the person's own is not sent
            text = text.replace("password='guest'", "")
            for word in ("/vsi", "select ", "ogr_geocode", "load_extension", "pg_read_file", "/dev/", "attach",
                         "authcfg", "password", "service=", "sslkey"):
                assert word not in text, (source, found.source)
        options = names.partition("'")[0] if "='" in names else names
        assert not names.startswith("authcfg") and "&authcfg" not in options and " authcfg" not in names
        again = judge_source(layer_type, found.provider, found.source)
        assert (again.source, again.reference) == (found.source, found.reference)
        if found.reference.kind is ReferenceKind.SERVER:
            assert found.reference.name.startswith(("http://", "https://"))
    assert passed > 300

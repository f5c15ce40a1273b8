"""Own layers in the document: their place, their paths, their secrets, and what readers and writers make of them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from plugin.core.addresses import source_without_secrets
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import MAX_STYLE, CustomMap, MapEntry, OwnLayer, drawing_order
from plugin.core.custommap.own_sources import file_of, is_temporary, with_file
from plugin.core.errors import InvalidDocument
from plugin.core.snapshot.snapshot_sources import with_absolute_paths, with_relative_paths

POINTS = OwnLayer("points_1", "Puntos", "vector", "ogr", "/maps/data/points.gpkg|layername=p", "<qgis/>", 0.5, False,
                  "© Ana, 2024", 1)
SERVICES = tuple(MapEntry(f"https://maps.example/{name}?", name) for name in "abc")


def own(name: str, below: int) -> OwnLayer:
    return replace(POINTS, id=name, name=name, entries_below=below)


def names(order) -> str:
    return "".join(part.name if isinstance(part, OwnLayer) else part.title for part in order)


def test_own_layers_lie_between_and_above_the_services():
    layers = (own("z", 9), own("x", 1), own("y", 1), own("w", 0))
    assert names(drawing_order(SERVICES, layers, False)) == "waxybcz"
    assert names(drawing_order(SERVICES, layers, True)) == "awxybcz", "nothing lies below the base"
    assert names(CustomMap(base=SERVICES[0], overlays=SERVICES[1:], own_layers=layers).stack) == "awxybcz"
    assert names(CustomMap(own_layers=layers[:2]).stack) == "xz"


def test_a_document_keeps_its_own_layers():
    document = CustomMap("Mapa", overlays=SERVICES, own_layers=(POINTS, own("x", 0)))
    written = write_document(document)
    assert json.loads(written)["own_layers"][0] == {
        "id": "points_1", "name": "Puntos", "type": "vector", "provider": "ogr",
        "source": "/maps/data/points.gpkg|layername=p", "style": "<qgis/>", "opacity": 0.5, "visible": False,
        "credit": "© Ana, 2024", "entries_below": 1}
    assert read_document(written) == document and write_document(read_document(written)) == written


def test_a_document_without_own_layers_is_written_as_before():
    assert "own_layers" not in json.loads(write_document(CustomMap("Mapa", overlays=SERVICES)))


def test_members_of_a_later_version_stay():
    changed = json.loads(write_document(CustomMap("Mapa", own_layers=(POINTS,))))
    changed["own_layers"][0]["blend"] = {"mode": "multiply"}
    assert json.loads(write_document(read_document(json.dumps(changed).encode()))) == changed


@pytest.mark.parametrize(("member", "value"), [
    ("id", ""), ("source", " "), ("provider", "../x"), ("type", "a b"), ("opacity", 2), ("entries_below", -1),
    ("style", "x" * (MAX_STYLE + 1)), ("credit", 5)])
def test_a_broken_own_layer_is_refused_with_its_place(member, value):
    changed = json.loads(write_document(CustomMap("Mapa", own_layers=(POINTS,))))
    changed["own_layers"][0][member] = value
    with pytest.raises(InvalidDocument, match=member):
        read_document(json.dumps(changed).encode())


def test_two_own_layers_with_one_id_are_refused():
    with pytest.raises(InvalidDocument, match="id"):
        read_document(write_document(CustomMap("Mapa", own_layers=(POINTS, POINTS))))


@pytest.mark.parametrize(("provider", "source", "relative"), [
    ("ogr", "{}/data/points.gpkg|layername=p|subset=\"a\" > 1", "data/points.gpkg|layername=p|subset=\"a\" > 1"),
    ("gdal", "GPKG:{}/r.gpkg:table", "GPKG:r.gpkg:table"),
    ("delimitedtext", "file://{}/un%20sitio.csv?delimiter=;&xField=x", "file:un%20sitio.csv?delimiter=;&xField=x"),
    ("gpx", "{}/track.gpx?type=track", "track.gpx?type=track"),
])
def test_files_beside_the_document_are_relative_to_it(tmp_path, provider, source, relative):
    layer = replace(POINTS, provider=provider, source=source.format(tmp_path.as_posix()))
    document, file = CustomMap("Mapa", own_layers=(layer,)), tmp_path / "map.custommap.json"
    written = with_relative_paths(document, file)
    assert written.own_layers[0].source == relative
    assert with_absolute_paths(written, file) == document
    other = with_absolute_paths(written, tmp_path / "moved" / "map.custommap.json")
    assert f"{tmp_path.as_posix()}/moved/" in other.own_layers[0].source


@pytest.mark.parametrize(("provider", "source"), [
    ("ogr", "/elsewhere/points.gpkg"), ("wfs", "url='https://maps.example/wfs' typename='a'"),
    ("postgres", "dbname='gis' host=db table=\"a\".\"b\" (geom)"), ("ogr", "/vsicurl/https://maps.example/a.json"),
    ("wms", "type=xyz&url=https://maps.example/%7Bz%7D.png")])
def test_other_sources_stay_as_they_are(tmp_path, provider, source):
    document = CustomMap("Mapa", own_layers=(replace(POINTS, provider=provider, source=source),))
    file = tmp_path / "map.custommap.json"
    assert with_relative_paths(document, file) == document == with_absolute_paths(document, file)


def test_another_file_takes_the_place_of_a_missing_one():
    assert with_file(POINTS, "/b/q.gpkg").source == "/b/q.gpkg|layername=p"
    assert file_of(POINTS) == "/maps/data/points.gpkg" and file_of(replace(POINTS, provider="wfs")) != POINTS.source
    assert is_temporary(replace(POINTS, provider="memory")) and not is_temporary(POINTS)


SECRETS = [
    ("dbname='gis' user='ana' password='s3cr\\'et' authcfg=abc1234 table=\"a\"",
     "dbname='gis' user='ana' authcfg=abc1234 table=\"a\""),
    ("url='https://ana:s3cret@maps.example/wfs?token=s3cret' typename='a' password='s3cret'",
     "url='https://maps.example/wfs' typename='a'"),
    ("contextualWMSLegend=0&url=https%3A%2F%2Fana%3As3cret%40maps.example%2Fwms&username=ana&password=s3cret",
     "contextualWMSLegend=0&url=https%3A%2F%2Fmaps.example%2Fwms&username=ana"),
    ("type=xyz&url=https://maps.example/{z}?apikey%3Ds3cret&zmax=19",
     "type=xyz&url=https%3A%2F%2Fmaps.example%2F%7Bz%7D&zmax=19"),
    ("PG:host=db password=s3cret dbname=gis", "PG:host=db dbname=gis"),
    ("MySQL:gis,user=ana,password=s3cret,port=3306", "MySQL:gis,user=ana,port=3306"),
    ("OCI:ana/s3cret@db", "OCI:ana@db"),
    ("/vsicurl/https://maps.example/a.json?token=s3cret", "/vsicurl/https://maps.example/a.json"),
    ("url=https://maps.example&http-header:Authorization=Bearer%20s3cret&http-header:referer=x",
     "url=https://maps.example&http-header:referer=x"),
]


@pytest.mark.parametrize(("source", "clean"), SECRETS)
def test_no_password_is_written_into_a_document(source, clean):
    assert source_without_secrets(source) == clean
    assert source_without_secrets(clean) == clean
    assert b"s3cr" not in write_document(CustomMap("Mapa", own_layers=(replace(POINTS, source=source),)))


def test_paths_and_plain_sources_have_no_secrets():
    for source in ("/maps/a b, c;d&e/points.gpkg|layername=pass", "C:\\maps\\a.shp",
                   "type=xyz&url=https://a.example/%7Bz%7D",
                   "dbname='/x y/a.sqlite' table=\"t\" (geom) sql=\"a\" = 1", "Point?crs=EPSG:4326&uid={1-2}"):
        assert source_without_secrets(source) == source

"""Custom map documents: round trips without loss, errors that name the place, hostile input refused."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin.core import json_document
from plugin.core.box import Box
from plugin.core.custommap import own_sources
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import (
    MAX_OVERLAYS,
    CustomMap,
    MapEntry,
    MapExtent,
    Orientation,
    OwnLayer,
    PageSetup,
    StoredCredit,
)
from plugin.core.errors import CartoguideError, InvalidDocument, UnreadableDocument
from plugin.core.pages.leaflet import TEXT_LENGTHS, LeafletPhoto, LeafletTexts, TableSource
from plugin.core.pages.logos import MapLogo
from plugin.core.publication.published_document import published_document
from plugin.core.terms.model import Decision
from plugin.core.text import printable
from tests.examples import examples

ENTRY = {"record_id": "a1", "endpoint": "https://x.org/mapwms/A?", "title": "Guía", "layers": ["relieve", "ríos"],
         "styles": ["", "azul"],
         "format": "image/png", "opacity": 0.5, "visible": False,
         "credit": {"line": "Junta, Guía, 2014", "required": "yes", "licence": "CC-BY-4.0",
                    "licence_url": "https://creativecommons.org/licenses/by/4.0/"}}
#: a PNG of one pixel
LOGO = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
WHOLE = {"format": "cartoguide-custommap", "version": 1, "title": "Mi mapa", "language": "es", "base": ENTRY,
         "overlays": [{**ENTRY, "endpoint": "http://127.0.0.1:8000/b?map=c&", "opacity": 1}], "crs": "EPSG:25830",
         "extent": {"west": -3.7, "south": 38.25, "east": -3.35, "north": 38.5}, "centre": [-3.5, 38.4], "scale": 25000,
         "page": {"paper": "A3", "orientation": "portrait", "template": "guide"}}


def changed(path, value):
    """The whole document with one place changed; ``path`` is a JSON pointer, a value of ... removes it."""
    document = json.loads(json.dumps(WHOLE))
    *way, last = path.split("/")[1:]
    place = document
    for part in way:
        place = place[int(part)] if isinstance(place, list) else place[part]
    if value is ...:
        del place[last]
    elif isinstance(place, list):
        place[int(last)] = value
    else:
        place[last] = value
    return document


def data(document):
    return json.dumps(document).encode()


def test_every_member_is_read():
    found = read_document(data(WHOLE))
    assert found.base == MapEntry(
        "https://x.org/mapwms/A?", "Guía", "a1", ("relieve", "ríos"), ("", "azul"), "image/png", 0.5, False,
        StoredCredit("Junta, Guía, 2014", Decision.YES, "CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"))
    assert (found.extent, found.centre, found.scale) == (MapExtent(-3.7, 38.25, -3.35, 38.5), (-3.5, 38.4), 25000)
    assert found.page == PageSetup("A3", Orientation.PORTRAIT)
    assert (found.title, found.language, found.crs) == ("Mi mapa", "es", "EPSG:25830")
    assert [entry.endpoint for entry in found.entries] == ["https://x.org/mapwms/A?", "http://127.0.0.1:8000/b?map=c&"]


def test_the_texts_of_a_leaflet_come_back_and_empty_ones_are_not_written():
    texts = {"visitor_text": "Un parque.\nDos ríos.", "emergency_numbers": "112", "photo": "later.jpg"}
    found = read_document(data(changed("/page/leaflet", texts)))
    assert found.page.leaflet == LeafletTexts("Un parque.\nDos ríos.", emergency_numbers="112",
                                              extra={"photo": "later.jpg"})
    assert json.loads(write_document(found))["page"]["leaflet"] == texts
    assert "leaflet" not in json.loads(write_document(read_document(data(WHOLE))))["page"], "as documents were before"


@pytest.mark.parametrize(("paper", "orientation", "former"), [
    ("A2", "landscape", "A2 landscape"), ("A3", "portrait", "A3 portrait"), ("A5", "portrait", "A5 portrait")])
def test_a_leaflet_on_another_paper_is_read_as_a3_landscape_and_that_is_noted(paper, orientation, former):
    page = {"paper": paper, "orientation": orientation, "template": "leaflet", "link": "https://a.example/",
            "leaflet": {"visitor_text": "Un parque.", "bleed": True}, "theme": "contrast", "later": 1}
    found = read_document(data(changed("/page", page)))
    note, = found.change_notes
    assert former in note and "A3 landscape" in note
    written = json.loads(write_document(found))
    assert written["page"] == {**page, "paper": "A3", "orientation": "landscape"}, "the rest is as it was"
    assert read_document(write_document(found)).change_notes == ()


def test_other_templates_keep_their_paper():
    for page in (WHOLE["page"], {"paper": "A2", "orientation": "portrait", "template": "/maps/leaflet.qpt"},
                 {"paper": "A3", "orientation": "landscape", "template": "leaflet"}):
        found = read_document(data(changed("/page", page)))
        assert found.change_notes == () and json.loads(write_document(found))["page"] == page


def test_the_layers_of_a_leaflets_table_come_back_without_secrets():
    table = [{"endpoint": "https://a.example/wms?map=b&", "layer": "senderos"}, {"own_layer": "x", "later": 1}]
    found = read_document(data(changed("/page/leaflet", {"table": table})))
    assert found.page.leaflet.table == (TableSource("https://a.example/wms?map=b&", "senderos"),
                                        TableSource(own_layer="x", extra={"later": 1}))
    assert json.loads(write_document(found))["page"]["leaflet"] == {"table": table}
    secret = replace(found.page.leaflet, table=(TableSource("https://user:pw@a.example/wms?", "a"),))
    assert b"user:pw" not in write_document(replace(found, page=replace(found.page, leaflet=secret)))


def test_the_photos_of_a_leaflet_come_back_and_lie_where_the_document_lies():
    photos = [{"path": "fotos/a.jpg", "text": "Un puente", "credit": "Ana Pérez, CC BY 4.0"}]
    found = read_document(data(changed("/page/leaflet", {"photos": photos})))
    assert found.page.leaflet.photos == (LeafletPhoto("fotos/a.jpg", "Un puente", "Ana Pérez, CC BY 4.0"),)
    assert json.loads(write_document(found))["page"]["leaflet"] == {"photos": photos}
    absolute = own_sources.with_absolute_sources(found, Path("/datos/mapa.custommap.json"))
    assert absolute.page.leaflet.photos[0].path == "/datos/fotos/a.jpg"
    assert own_sources.with_relative_sources(absolute, Path("/datos/b.custommap.json")) == found
    published = published_document(absolute, Path("/otra/mapa.pdf"), None, None)
    assert published.page.leaflet.photos[0].path == "a.jpg", "no folder of this computer goes out"


@pytest.mark.parametrize(("photos", "pointer"), [
    ([{"path": "https://a.example/a.jpg"}], "/0/path"), ([{"path": "//host/a.jpg"}], "/0/path"), ([{}], "/0/path"),
    ([{"path": "/vsicurl/a"}], "/0/path"), ([{"path": "a.jpg"}] * 4, ""),
    ([{"path": "a.jpg", "credit": "a" * 301}], "/0/credit")])
def test_a_photo_elsewhere_or_one_too_many_is_refused(photos, pointer):
    with pytest.raises(InvalidDocument) as caught:
        read_document(data(changed("/page/leaflet", {"photos": photos})))
    assert caught.value.pointer == f"/page/leaflet/photos{pointer}"


def test_the_logos_of_a_map_come_back_and_none_is_something_else_than_no_list():
    logos = [{"image": LOGO, "text": "Junta"}, {"image": LOGO, "text": "", "later": 1}]
    found = read_document(data(changed("/page/logos", logos)))
    assert found.page.logos == (MapLogo(LOGO, "Junta"), MapLogo(LOGO, extra={"later": 1}))
    assert json.loads(write_document(found))["page"]["logos"] == logos
    assert published_document(found, Path("/otra/mapa.pdf"), None, None).page.logos == found.page.logos
    none = read_document(data(changed("/page/logos", [])))
    assert none.page.logos == () and json.loads(write_document(none))["page"]["logos"] == []
    for document in (WHOLE, changed("/page/logos", None)):
        settings_logos = read_document(data(document))
        assert settings_logos.page.logos is None
        assert json.loads(write_document(settings_logos)) == WHOLE, "as documents were before"


@pytest.mark.parametrize(("logos", "pointer"), [
    ([{"image": LOGO}] * 5, ""), ({}, ""), ("a", ""), ([LOGO], "/0"), ([{}], "/0/image"), ([{"image": 5}], "/0/image"),
    ([{"image": LOGO}, {"image": "/datos/logo.png"}], "/1/image"), ([{"image": "A" * 400_004}], "/0/image"),
    ([{"image": "PHN2Zz48c2NyaXB0Lz48L3N2Zz4="}], "/0/image"), ([{"image": LOGO[:-8]}], "/0/image"),
    ([{"image": LOGO, "text": "a" * 301}], "/0/text")])
def test_logos_that_are_none_or_too_many_are_refused(logos, pointer):
    with pytest.raises(InvalidDocument) as caught:
        read_document(data(changed("/page/logos", logos)))
    assert caught.value.pointer == f"/page/logos{pointer}"
    assert len(caught.value.user_text) < 300


@pytest.mark.parametrize(("table", "pointer"), [
    ([{"endpoint": "https://a.example/"}], "/0/layer"), ([{"endpoint": "file:///a", "layer": "b"}], "/0/endpoint"),
    ([{"endpoint": "https://a.example/", "layer": " "}], "/0/layer"), ([7], "/0"), ({}, ""),
    ([{"own_layer": "a"}] * 41, "")])
def test_a_table_of_no_layers_is_refused(table, pointer):
    with pytest.raises(InvalidDocument) as caught:
        read_document(data(changed("/page/leaflet", {"table": table})))
    assert caught.value.pointer == f"/page/leaflet/table{pointer}"


@pytest.mark.parametrize("name", list(TEXT_LENGTHS))
def test_the_texts_of_a_leaflet_are_bounded_texts(name):
    for value in ("a" * (TEXT_LENGTHS[name] + 1), 5, ["a"], "a\x00"):
        with pytest.raises(InvalidDocument) as caught:
            read_document(data(changed("/page/leaflet", {name: value})))
        assert caught.value.pointer == f"/page/leaflet/{name}"


@pytest.mark.parametrize(("written", "read"), [(30, 30), (7.5, 7.5), (-90, 270), (360, 0), (0, 0)])
def test_the_rotation_of_the_page_comes_back(written, read):
    found = read_document(data(changed("/page/rotation", written)))
    assert found.page.rotation == read
    assert read_document(write_document(found)) == found
    assert json.loads(write_document(found))["page"].get("rotation", 0) == read


def test_what_was_written_by_this_version_comes_back_byte_for_byte():
    written = write_document(read_document(data(WHOLE)))
    assert write_document(read_document(written)) == written
    assert json.loads(written) == WHOLE
    assert list(json.loads(written)) == list(WHOLE)
    assert "Guía".encode() in written and written.startswith(b'{\n  "format"') and written.endswith(b"}\n")


def test_an_entry_of_another_kind_comes_back_as_it_was():
    document = changed("/overlays/0/kind", "wfs")
    assert json.loads(write_document(read_document(data(document)))) == document
    found = read_document(data(document))
    assert [entry.kind for entry in found.entries] == ["wms", "wfs"]
    assert not found.base.refusal and "“wfs”" in found.overlays[0].refusal
    for written in ("wms", "", None):
        again = json.loads(write_document(read_document(data(changed("/base/kind", written)))))
        assert again == WHOLE, "none is written for a WMS"


def test_the_shortest_document_is_an_empty_map():
    assert read_document(b'{"format": "cartoguide-custommap", "version": 1}') == CustomMap()
    assert read_document(write_document(CustomMap())) == CustomMap()


def test_a_byte_order_mark_does_no_harm():
    assert read_document(b"\xef\xbb\xbf" + data(WHOLE)) == read_document(data(WHOLE))


@pytest.mark.parametrize("path", ["", "/base", "/base/credit", "/overlays/0", "/page", "/extent"])
def test_members_of_a_later_version_are_kept_where_they_stood(path):
    document = changed(f"{path}/future", {"a": [1, None, "x"]})
    assert json.loads(write_document(read_document(data(document)))) == document


@pytest.mark.parametrize(("path", "value"), [
    ("/format", "other"), ("/format", ...), ("/version", ...), ("/version", 2), ("/version", "1"), ("/version", True),
    ("/title", 7), ("/language", "es; DROP"), ("/base", "x"), ("/base/endpoint", ...), ("/base/endpoint",
                                                                                        "file:///etc/passwd"),
    ("/base/endpoint", "javascript:alert(1)"), ("/base/endpoint", "https://"), ("/base/endpoint", "https://a b.org/"),
    ("/base/endpoint", "//x.org/"), ("/base/endpoint", "https://[x/"),
    ("/base/opacity", 1.01), ("/base/opacity", -0.1), ("/base/opacity", "0.5"), ("/base/opacity", True),
    ("/base/visible", 1),
    ("/base/kind", 3),
    ("/base/layers", "a"), ("/base/layers/1", 5), ("/base/layers/0", ""), ("/base/styles", ["a"]), ("/base/record_id",
                                                                                                    3),
    ("/base/credit", []), ("/base/credit/required", "maybe"), ("/base/credit/licence_url", "javascript:x"),
    ("/base/credit/line", 1),
    ("/overlays", {}), ("/overlays/0", None), ("/overlays/0/endpoint", "ftp://x.org/"), ("/crs", "25830"), ("/crs",
        ""), ("/crs", "EPSG:\"x"),
    ("/extent", []), ("/extent/west", ...), ("/extent/west", -200), ("/extent/east", -3.7), ("/extent/north", 38.25),
    ("/extent/north", 91),
    ("/centre", [1]), ("/centre", "x"), ("/centre/0", 181), ("/centre/1", None), ("/scale", 0), ("/scale", "25000"),
    ("/scale", 1e300),
    ("/page", "A4"), ("/page/paper", "A9"), ("/page/orientation", "upright"),
    ("/page/rotation", 400), ("/page/rotation", "left"), ("/page/template", "../../x"),
    ("/page/template", ""), ("/page/leaflet", "a"),
])
def test_a_broken_rule_names_its_place(path, value):
    with pytest.raises(InvalidDocument) as caught:
        read_document(data(changed(path, value)), "mapa.custommap.json")
    assert caught.value.pointer == path
    assert caught.value.user_text.startswith("mapa.custommap.json is not valid: “")


def test_a_document_that_is_cut_is_refused_in_whole_sentences_of_the_plugin():
    with pytest.raises(UnreadableDocument) as caught:
        read_document(b'{"title": "Despe', "mapa.custommap.json")
    assert caught.value.user_text == "mapa.custommap.json is broken JSON at line 1, column 11."
    assert "Unterminated string" in caught.value.detail


def test_places_are_told_as_people_count():
    with pytest.raises(InvalidDocument) as caught:
        read_document(data(changed("/overlays/0/opacity", 3)))
    assert "“overlays › 1 › opacity” must be between 0 and 1, not 3. Correct it" in caught.value.user_text


def test_a_newer_version_is_refused_politely():
    with pytest.raises(InvalidDocument) as caught:
        read_document(data({**WHOLE, "version": 3, "base": "unknown shape"}))
    assert "newer Cartoguide" in caught.value.user_text and "update" in caught.value.user_text


@pytest.mark.parametrize("content", [
    b"", b"  \n", b"{", b"[]", b"null", b'"x"', b"\xff\xfe{\x00}\x00", b"<xml/>", b"[" * 100_000,
    b'{"a":' * 200 + b"1" + b"}" * 200,
    b'{"format": "cartoguide-custommap", "version": 1, "version": 1}',
    b'{"format": "cartoguide-custommap", "version": NaN}',
    b'{"format": "cartoguide-custommap", "version": 1, "future": 1e999}',
    b'{"format": "cartoguide-custommap", "version": 1, "f": "\\ud800"}',
    b'{"format": "cartoguide-custommap", "version": ' + b"9" * 10_000 + b"}",
])
def test_what_is_no_document_is_refused_with_a_reason(content):
    with pytest.raises(UnreadableDocument) as caught:
        read_document(content, "m.json")
    assert caught.value.user_text.startswith("m.json")


def test_a_document_that_would_be_too_large_indented_is_read_again(monkeypatch):
    monkeypatch.setattr(json_document, "MAX_BYTES", 65_000)
    found = read_document(data({**WHOLE, "later": {str(number): 0 for number in range(5_000)}}))
    assert b"\n" not in write_document(found)
    assert read_document(write_document(found)) == found


def test_enormous_documents_are_refused_before_they_are_parsed():
    with pytest.raises(UnreadableDocument, match="too large"):
        read_document(b"{" + b" " * 9_000_000 + b"}")
    with pytest.raises(InvalidDocument) as caught:
        read_document(data({**WHOLE, "overlays": [ENTRY] * (MAX_OVERLAYS + 1)}))
    assert caught.value.pointer == "/overlays"


#: texts of foreign documents are read without control characters and direction marks
text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30).map(printable)
json_value = st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False,
                                                                                allow_infinity=False) | text,
                          lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
                          max_leaves=6)


@settings(max_examples=examples(200), deadline=None)
@given(st.binary(max_size=200) | json_value.map(lambda value: json.dumps(value).encode()) |
       st.dictionaries(st.sampled_from(list(WHOLE)), json_value).map(lambda value: json.dumps({**WHOLE,
                                                                                               **value}).encode()))
def test_nothing_but_a_clear_error_comes_of_anything_else(content):
    try:
        assert isinstance(read_document(content), CustomMap)
    except CartoguideError as error:
        assert error.user_text


def test_the_documented_members_are_the_ones_that_are_written():
    described = Path(read_document.__code__.co_filename).read_text(encoding="utf-8").split('"""')[1]
    for name in [*WHOLE, *ENTRY, "kind", *ENTRY["credit"], *WHOLE["extent"], *WHOLE["page"]]:
        assert name in described


@pytest.mark.parametrize(("member", "value", "words"), [
    ("scale", 0, "must be between 1 and 1000000000, not 0"),
    ("crs", "25830", "must be written like “EPSG:25830”, not “25830”"),
])
def test_a_wrong_value_is_told_with_what_would_be_right(member, value, words):
    document = {"format": "cartoguide-custommap", "version": 1, member: value}
    with pytest.raises(CartoguideError, match=words):
        read_document(json.dumps(document).encode())


@pytest.mark.parametrize(("provider", "source"), [
    ("gdal", 'NETCDF:"https://x.invalid/a.nc":t'), ("ogr", "GPKG:/vsicurl/https://x.invalid/a.gpkg:t"),
    ("gdal", "<GDAL_WMS><ServerUrl>https://x.invalid/${z}.png</ServerUrl></GDAL_WMS>"),
    ("ogr", '{"type": "Point", "coordinates": [1, 2]}')])
def test_what_is_no_file_beside_the_document_keeps_its_source_when_it_is_read(provider, source):
    custom_map = CustomMap(own_layers=(OwnLayer("1", "N", "vector", provider, source),))
    absolute = own_sources.with_absolute_sources(custom_map, Path("/datos/mapa.custommap.json"))
    assert absolute.own_layers[0].source == source


@pytest.mark.parametrize(("box", "written"), [
    (Box(-4.5, 37.0, -3.25, 38.0), (-4.5, 37.0, -3.25, 38.0)), (Box(170, -20, -170, 10), (170, -20, 190, 10)),
    (Box(170, -20, 190, 10), (170, -20, 190, 10)), (Box(-190, -20, -170, 10), (170, -20, 190, 10)),
    (Box(-250, -120, 250, 120), (-180, -90, 180, 90))])
def test_the_extent_of_every_canvas_and_service_is_read_again(box, written):
    found = read_document(write_document(CustomMap(extent=MapExtent.of(box)))).extent
    assert found == MapExtent(*written)

"""The kinds that links of records lead to, by all that a record says of them."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin.core.distributions.kinds import LinkKind, Role
from plugin.core.distributions.links import Link, read_link
from plugin.core.distributions.record_distributions import Distribution, distributions_of, wms_distributions
from plugin.core.records.input.file_reader import read_path
from plugin.core.records.model.endpoints import normalise_endpoint
from plugin.core.records.model.record import ConnectPoint, OnlineResource, Operation, Record
from tests.unit.repository.sources import ROOT

SHARED = ROOT.parent / "shared" / "links"
TABLE = Path(__file__).with_name("links.tsv")
#: of these nothing opens, however they are called
NEVER_OPENED = {"page", "other-file", "other-service", "metadata", "image", "catalogue", "sensorthings", "database"}


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("row", rows(TABLE), ids=lambda row: f"{row['protocol']} {row['url']}"[:90])
def test_each_link_is_what_it_leads_to(row):
    reading = read_link(Link(row["url"], row["protocol"], row["protocol_uri"], row["media_type"], row["function"],
                             row["name"]))
    if row["kind"] == "ask":
        assert not reading.sure, reading
        return
    assert reading.because
    if row["kind"] in ("page", "other-service"):
        assert reading.kind is None or reading.kind.value in NEVER_OPENED, reading
    else:
        assert reading.kind is LinkKind(row["kind"]), reading


@pytest.mark.skipif(not SHARED.is_dir(), reason="the labelled links are not there")
def test_of_the_labelled_links_almost_all_are_right_and_none_is_wrong_and_sure():
    answers = subprocess.run([sys.executable, "-m", "plugin.core", "links", str(SHARED / "links.tsv")], cwd=ROOT,
                             capture_output=True, check=True).stdout
    judged = subprocess.run([sys.executable, str(SHARED / "score_links.py"), str(SHARED / "links.tsv")], input=answers,
                            capture_output=True, check=False)
    assert judged.returncode == 0, judged.stdout.decode()


@pytest.mark.parametrize(("link", "kind", "sure"), [
    (Link("https://geo.test/{z}/{x}/{y}"), LinkKind.XYZ, False),
    (Link("https://geo.test/{z}/{x}/{y}.png?key=a"), LinkKind.XYZ, True),
    (Link("https://geo.test/{z}/{x}/{y}?format=image/jpeg"), LinkKind.XYZ, True),
    (Link("https://geo.test/items/a.json", media_type="application/geo+json"), LinkKind.GEOJSON, False),
    (Link("https://geo.test/a", "GeoJSON"), LinkKind.GEOJSON, False),
    (Link("https://geo.test/a.geojson", media_type="application/geo+json"), LinkKind.GEOJSON, True)])
def test_what_more_than_one_kind_is_called_is_left_to_the_server(link, kind, sure):
    reading = read_link(link)
    assert (reading.kind, reading.sure) == (kind, sure)


#: pieces of which addresses and protocols are made
WORDS = st.sampled_from(["OGC:WMS", "wfs", "WMTS", "/ows", "/rest/services/a/MapServer/1", "?service=WMS",
                         "&layers=a,b", "&request=GetMap", "&bbox=1,2,3,4", "https://geo.test", "http://",
                         "{z}/{x}/{y}", ".zip", "%",
                         "[", "::1", "/collections/a/items", "ESRI:REST", "text/html", "http://www.opengis.net/def/",
                         "\u00e9", "\x00", " ", "jdbc:", "?", "#", "application/json"])
TEXTS = st.one_of(st.lists(WORDS, max_size=6).map("".join), st.text(max_size=40))


@given(st.builds(Link, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS))
def test_any_link_is_read_and_whatever_is_not_of_the_web_is_never_openable(link):
    reading = read_link(link)
    assert reading.because
    assert not reading.sure or reading.kind is not None
    if reading.kind is not None and reading.possible:
        assert reading.kind in reading.possible
    if not link.url.strip().lower().startswith(("http:", "https:", "pmtiles:")):
        assert reading.kind in (LinkKind.OTHER_FILE, LinkKind.DATABASE) and not reading.names


@given(st.builds(Link, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS))
def test_spaces_around_values_change_nothing(link):
    padded = Link(*(f"  {value} \n" for value in vars(link).values()))
    assert read_link(padded).kind is read_link(link).kind


@pytest.mark.parametrize("link, names", [
    (Link("https://geo.test/wms?service=WMS&layers=roads,paths", "OGC:WMS"), ("roads", "paths")),
    (Link("https://geo.test/wms?", "OGC:WMS", name="ws:roads"), ("ws:roads",)),
    (Link("https://geo.test/wms?", "OGC:WMS", name="Roads of the park"), ()),
    (Link("https://geo.test/wms?", "OGC:WMS", name="WMS"), ()),
    (Link("https://geo.test/wfs?", "OGC:WFS", name="t:points"), ("t:points",)),
    (Link("https://geo.test/api/collections/trails/items"), ("trails",)),
    (Link("https://geo.test/arcgis/rest/services/a/MapServer/3"), ("3",)),
    (Link("https://geo.test/ows?service=WCS&coverageId=dem"), ("dem",)),
])
def test_a_link_names_its_layers(link, names):
    assert read_link(link).names == names


def kinds(record):
    return [(one.kind, one.sure) for one in distributions_of(record)]


def test_the_type_of_a_service_decides_what_a_link_leaves_open():
    bare = OnlineResource("https://geo.test/ows?")
    assert kinds(Record("x", online=(bare,))) == [(None, False)]
    assert kinds(Record("x", online=(bare,), service_type="view")) == [(LinkKind.WMS, False)]
    assert kinds(Record("x", online=(bare,), service_type="OGC:WFS")) == [(LinkKind.WFS, False)]
    operation = Operation("GetTile", (), (ConnectPoint("https://geo.test/t?"),))
    assert kinds(Record("x", operations=(operation,), service_type="view")) == [(LinkKind.WMTS, False)]
    # a page about the service stays one
    page = OnlineResource("https://geo.test/about.html")
    assert kinds(Record("x", online=(page,), service_type="view")) == [(LinkKind.PAGE, True)]


def test_one_service_that_a_record_names_twice_is_one_distribution():
    links = (OnlineResource("https://geo.test/wms?service=WMS&request=GetCapabilities"),
             OnlineResource("https://geo.test/wms?", "OGC:WMS", "roads"),
             OnlineResource("https://geo.test/wfs?", "OGC:WFS"))
    found = distributions_of(Record("x", online=links))
    assert [one.kind for one in found] == [LinkKind.WMS, LinkKind.WFS] and found[0].names == ("roads",)
    assert [one.role for one in found] == [Role.VIEW, Role.DOWNLOAD]
    assert Distribution(None, "https://geo.test/").role is Role.INFORMATION


def test_the_address_of_a_service_is_no_file_but_a_request_to_it_may_be():
    service = OnlineResource("https://geo.test/wms?", "OGC:WMS")
    picture = OnlineResource("https://geo.test/wms", "HTTP", media_type="image/tiff")
    for links in ((service, picture), (picture, service)):
        assert [one.kind for one in distributions_of(Record("x", online=links))] == [LinkKind.WMS]
    coverage = OnlineResource("https://geo.test/wms?request=GetCoverage&coverage=dem", media_type="image/tiff")
    for other in (coverage, OnlineResource("https://geo.test/dem.tif", media_type="image/tiff")):
        assert [one.kind for one in distributions_of(Record("x", online=(service, other)))] == [
            LinkKind.WMS, LinkKind.GEOTIFF]
    assert [one.kind for one in distributions_of(Record("x", online=(picture,)))] == [LinkKind.GEOTIFF]


def test_the_records_of_the_network_have_the_wms_that_they_had():
    found = [record for _name, record in read_path(str(ROOT / "resources"), "") if isinstance(record, Record)]
    assert found
    for record in found:
        assert [normalise_endpoint(one.address) for one in distributions_of(record) if one.kind is LinkKind.WMS] == [
            normalise_endpoint(one.address) for one in wms_distributions(record)]


def test_the_command_prints_a_line_for_each_link_of_a_record(tmp_path):
    record = next((ROOT / "resources").rglob("*.xml"))
    done = subprocess.run([sys.executable, "-m", "plugin.core", "links", str(record), str(tmp_path / "none.xml")],
                          cwd=ROOT, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines and all(line["kind"] in {kind.value for kind in LinkKind} | {""} for line in lines)
    assert any(line["kind"] == "wms" and line["address"].startswith("http") for line in lines)
    assert done.returncode == 1 and "none.xml" in done.stderr

"""Network profiles, the bundled starter records, and moving them to another network."""

import hashlib
import json
import os
import re
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from plugin.core import network_profile
from plugin.core.distributions.record_distributions import wms_address
from plugin.core.errors import CartoguideError, InvalidDocument
from plugin.core.network_profile import (
    CatalogueType,
    NetworkCatalogue,
    NetworkProfile,
    bundled_profile,
    read_profile,
    read_profile_file,
    rebase,
    starter_record_id,
    with_overrides,
)
from plugin.core.records import read
from plugin.core.records.model.record import is_starter
from plugin.core.terms import Decision, terms_for
from tests.irregular_files import at_once

ORGANISATION = "Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía"
VALID = {"format": "cartoguide-network", "version": 1, "id": "n", "title": "N", "base_url": "http://127.0.0.1:8000/",
         "node": "TEST",
         "catalogue": {"type": "geonetwork", "url": "http://127.0.0.1:8000/geonetwork"}}


def profile(folder=Path("."), **changes):
    return read_profile(json.dumps({**VALID, **changes}).encode(), folder)


@pytest.fixture(scope="module", name="starters")
def _starters():
    found = {}
    for path in bundled_profile().records:
        (record,) = read(path.read_bytes(), path.name)
        found[path.stem] = record
    return found


def test_the_bundled_profile_is_the_network_that_is_known():
    network = bundled_profile()
    assert (network.base_url, network.service_prefix) == ("https://www.juntadeandalucia.es", "REDIAM")
    assert network.catalogue == NetworkCatalogue(CatalogueType.GEONETWORK,
                                                 "https://portalrediam.cica.es/geonetwork", "spa")
    assert all(path.is_file() for path in network.records) and len(network.records) == 3
    assert network.endpoint("guide") == "https://www.juntadeandalucia.es/medioambiente/mapwms/REDIAM_mapa_guia_pn_despenaperros_2014?"


def test_a_network_may_name_the_coordinate_system_of_its_maps():
    assert (bundled_profile().crs, profile().crs, profile(crs="EPSG:2056").crs) == ("EPSG:25830", "EPSG:25830",
                                                                                    "EPSG:2056")
    with pytest.raises(InvalidDocument, match="crs"):
        profile(crs="25830")


def test_every_service_of_the_bundled_profile_has_its_starter_record(starters):
    assert {wms_address(record) for record in starters.values()} == set(bundled_profile().endpoints.values())


def test_starter_records_say_so_and_name_the_organisation(starters):
    for record in starters.values():
        assert is_starter(record)
        assert "Registro de partida" in record.abstract and "aproximado" in record.abstract
        assert [contact.organisation for contact in record.contacts] == [ORGANISATION]
        assert record.kind == "service" and record.language == "spa"


def test_starter_records_invent_nothing_that_is_not_known(starters):
    for record in starters.values():
        assert not any(contact.emails or contact.individual for contact in record.contacts + record.metadata_contacts)
        assert (record.dates, record.overviews, record.date_stamp) == ((), (), None)
        assert [link.url for link in record.online] == [wms_address(record)]
        assert all(item.title is None for item in record.conformance)


def test_their_identifier_is_the_sha1_of_the_endpoint_s_path(starters):
    for record in starters.values():
        path = re.sub(r"^https://[^/]+|\?$", "", wms_address(record))
        assert record.id == hashlib.sha1(path.encode()).hexdigest() == starter_record_id(wms_address(record))


@pytest.mark.parametrize("name", ["precipitation", "park-guide"])
def test_the_two_described_services_have_all_their_described_fields(starters, name):
    record = starters[name]
    assert [(item.name, len(item.connect_points), item.platforms) for item in record.operations] == [
        (operation, count, ("HTTP-GET", "HTTP-POST")) for operation, count in (
            ("GetCapabilities", 1), ("GetMap", 6), ("GetFeatureInfo", 3), ("sld:DescribeLayer", 1),
            ("sld:GetLegendGraphic", 3),
            ("ms:GetStyles", 1))]
    assert {point.url for item in record.operations for point in item.connect_points} == {wms_address(record)}
    assert (record.service_type, record.service_versions, record.fees, record.coupling_type) == ("OGC:WMS", ("1.3.0",),
                                                                                                 "Gratuito", "tight")
    assert (record.status, record.access_constraints, record.use_constraints) == (("completed",), ("otherRestrictions",
        ), ("otherRestrictions",))
    assert {"WMS", "humanInteractionService", "Andalucía", "REDIAM"} <= set(record.keywords)
    assert (record.standard_name, record.standard_version, record.character_set) == ("ISO 19119/2005", "1.0", "utf8")
    assert [(item.name, item.version) for item in record.formats] == [("WMS", "1.3.0")]
    assert [item.passed for item in record.conformance] == [True] * (2 if name == "park-guide" else 1)
    terms = terms_for(record)
    assert (terms.free, terms.credit_required) == (Decision.YES, Decision.YES)
    assert [step.field for step in terms.chain] == ["use_limitations", "access_constraints", "use_constraints",
                                                    "other_constraints", "fees"]
    assert ORGANISATION in terms.credit


def test_the_service_that_nobody_described_leaves_its_terms_open(starters):
    terms = terms_for(starters["public-use-facilities"])
    assert (terms.free, terms.credit_required) == (Decision.UNDECIDED, Decision.UNDECIDED)
    assert not starters["public-use-facilities"].operations


def test_records_can_be_files_or_folders_beside_the_profile(tmp_path):
    (tmp_path / "records").mkdir()
    for name in ("b.xml", "a.xml", "note.txt"):
        (tmp_path / "records" / name).write_text("x")
    (tmp_path / "one.xml").write_text("x")
    (tmp_path / "profile.json").write_text(json.dumps({**VALID, "records": ["one.xml", "records", "records/a.xml"]}))
    found = read_profile_file(tmp_path / "profile.json")
    assert [path.name for path in found.records] == ["one.xml", "a.xml", "b.xml"]
    assert (found.base_url, found.services) == ("http://127.0.0.1:8000", {})


@pytest.mark.parametrize(("changes", "place"), [
    ({"format": "other"}, "/format"), ({"version": 2}, "/version"), ({"id": 3}, "/id"), ({"base_url": "file:///etc"},
                                                                                         "/base_url"),
    ({"base_url": "https://user:secret@example.org"}, "/base_url"), ({"base_url": "javascript:alert(1)"}, "/base_url"),
    ({"base_url": "https://:secret@example.org"}, "/base_url"), ({"base_url": None}, "/base_url"),
    ({"node": "a/../b"}, "/node"), ({"catalogue": {"type": "ftp", "url": "http://x"}}, "/catalogue/type"),
    ({"catalogue": {"type": "csw", "url": "ftp://x"}}, "/catalogue/url"), ({"catalogue": []}, "/catalogue"),
    ({"catalogue": {"type": "csw", "url": "http://x", "language": "../x"}}, "/catalogue/language"),
    ({"records": "a.xml"}, "/records"), ({"records": ["a.xml", 7]}, "/records/1"), ({"services": {"a": 1}},
                                                                                    "/services/a"),
])
def test_a_profile_that_breaks_its_format_is_refused_with_the_place(changes, place):
    with pytest.raises(InvalidDocument) as caught:
        profile(**changes)
    assert caught.value.pointer == place


def test_a_prefix_of_services_is_refused_with_the_whole_rule():
    assert [profile(node=prefix).service_prefix for prefix in ("a~b", "á", "x" * 60, "")] == ["a~b", "á", "x" * 60, ""]
    for prefix in ("x" * 61, "a b"):
        with pytest.raises(InvalidDocument, match="at most 60 letters, digits, “-”, “_”, “.” or “~”"):
            profile(node=prefix)


def test_a_bundled_profile_that_is_missing_calls_for_a_new_installation(monkeypatch, tmp_path):
    monkeypatch.setattr(network_profile, "BUNDLED_PROFILE", tmp_path / "none.json")
    with pytest.raises(CartoguideError, match="Reinstall the plugin"):
        bundled_profile()


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff\xfe", b"nonsense", b"[" * 100_000])
def test_what_is_no_profile_at_all_is_refused_with_a_reason(data):
    with pytest.raises(CartoguideError) as caught:
        read_profile(data, Path("."))
    assert caught.value.user_text


def test_settings_stand_over_the_profile_and_empty_ones_do_not():
    network = bundled_profile()
    assert with_overrides(network) == network
    moved = with_overrides(network, "https://example.org/", "NODO", "csw", "https://example.org/csw")
    assert (moved.base_url, moved.service_prefix, moved.catalogue.type, moved.catalogue.url) == (
        "https://example.org", "NODO", "csw", "https://example.org/csw")
    assert moved.endpoint("guide") == "https://example.org/medioambiente/mapwms/NODO_mapa_guia_pn_despenaperros_2014?"
    with pytest.raises(InvalidDocument):
        with_overrides(network, base_url="ftp://example.org")
    assert with_overrides(network, catalogue_type="none").catalogue.url == ""


def test_a_starter_record_moves_to_another_network_with_a_new_identifier(starters):
    old = bundled_profile()
    new = NetworkProfile("t", "T", "http://127.0.0.1:8000", "TEST")
    for path in old.records:
        before = path.read_bytes()
        (record,) = read(rebase(before, old, new), path.name)
        assert wms_address(record).startswith("http://127.0.0.1:8000/medioambiente/mapwms/TEST_")
        assert record.id == starter_record_id(wms_address(record)) != starters[path.stem].id
        assert b"juntadeandalucia.es/" not in rebase(before, old, new)
        assert rebase(rebase(before, old, new), new, old) == before
        assert is_starter(record) and record.title == starters[path.stem].title


def test_other_addresses_of_the_record_stay_as_they_are():
    old, new = bundled_profile(), NetworkProfile("t", "T", "http://127.0.0.1:8000", "TEST")
    text = (b"<a>https://www.juntadeandalucia.es/medioambiente/portal</a><b>https://example.org/REDIAM_x?</b>"
            b"<c>https://www.juntadeandalucia.es.example.org/medioambiente/mapwms/REDIAM_x?</c><d>REDIAM</d>")
    assert rebase(text, old, new) == text


def test_moving_nowhere_changes_nothing():
    data = bundled_profile().records[0].read_bytes()
    assert rebase(data, bundled_profile(), bundled_profile()) == data


def test_the_identifier_does_not_depend_on_host_or_query():
    assert starter_record_id("https://a.org/x/y?") == starter_record_id("http://b.org:8080/x/y?map=z") != starter_record_id("https://a.org/x/Y?")


ELSEWHERE = ["/etc/passwd", "/dev/zero", "/dev/ptmx", "\\\\host\\share\\a.xml", "//host/share/a.xml", "../outside.xml",
             "records/../../outside.xml", "..", "/", "/vsicurl/http://a.example/a.xml", "http://a.example/a.xml",
             "file:///etc/passwd", "out.xml", "linked", "linked/outside.xml", "mixed"]


@pytest.fixture(name="folder")
def _folder(tmp_path):
    """A folder of a profile, with a record and with links that lead out of it."""
    folder = tmp_path / "profile"
    (folder / "mixed").mkdir(parents=True)
    (folder / "a.xml").write_bytes(b"<a/>")
    (tmp_path / "outside.xml").write_bytes(b"<secret/>")
    (folder / "out.xml").symlink_to(tmp_path / "outside.xml")
    (folder / "mixed" / "out.xml").symlink_to(tmp_path / "outside.xml")
    (folder / "linked").symlink_to(tmp_path)
    return folder


@pytest.mark.parametrize("path", ELSEWHERE)
def test_a_profile_names_no_file_outside_its_folder(folder, path, tmp_path):
    file = folder / "network.json"
    file.write_text(json.dumps({**VALID, "records": ["a.xml", path]}))
    with zipfile.ZipFile(tmp_path / "network.zip", "w") as archive:
        archive.write(file, "network.json")
    for read_it, place in ((read_profile_file, file), (network_profile.load, file)):
        with pytest.raises(InvalidDocument) as caught:
            read_it(place)
        assert caught.value.pointer == "/records/1" and path in caught.value.user_text
    try:
        from_zip = network_profile.load(tmp_path / "network.zip")
    except CartoguideError:
        return
    network_profile.unpack(from_zip, tmp_path / "unpacked")
    assert not any(b"secret" in written.read_bytes() for written in (tmp_path / "unpacked").rglob("*.xml"))


def test_a_record_that_is_a_pipe_or_a_device_is_refused_at_once(folder):
    os.mkfifo(folder / "pipe.xml")
    (folder / "network.json").write_text(json.dumps({**VALID, "records": ["pipe.xml", "a.xml"]}))
    with at_once():
        with pytest.raises(CartoguideError, match="pipe.xml is a pipe"):
            network_profile.load(folder / "network.json")
        found = dict(network_profile.read_record_files(read_profile_file(folder / "network.json")))
    assert found[folder / "a.xml"] == b"<a/>" and isinstance(found[folder / "pipe.xml"], CartoguideError)


def test_the_records_of_a_profile_are_limited_in_number_and_in_size(folder, monkeypatch):
    (folder / "b.xml").write_bytes(b"<b/>" * 10)
    (folder / "network.json").write_text(json.dumps({**VALID, "records": ["a.xml", "b.xml"]}))
    monkeypatch.setattr(network_profile, "MAX_RECORDS_BYTES", 43)
    with pytest.raises(CartoguideError, match="too large"):
        network_profile.load(folder / "network.json")
    (folder / "b.xml").open("wb").truncate(3_000_000_000)
    with pytest.raises(CartoguideError, match="b.xml is too large"):
        network_profile.load(folder / "network.json")
    monkeypatch.setattr(network_profile, "MAX_RECORDS", 1)
    with pytest.raises(CartoguideError):
        read_profile_file(folder / "network.json")


def test_a_profile_that_is_imported_and_exported_keeps_its_records(folder, tmp_path):
    (folder / "records").mkdir()
    (folder / "records" / "c.xml").write_bytes(b"<c/>")
    (folder / "inner.xml").symlink_to(folder / "a.xml")
    named = ["a.xml", "records", "inner.xml", "gone.xml"]
    (folder / "network.json").write_text(json.dumps({**VALID, "records": named}))
    loaded = network_profile.load(folder / "network.json")
    assert sorted(loaded.records.values()) == [b"<a/>", b"<a/>", b"<c/>"]
    network_profile.save(loaded, tmp_path / "out.zip")
    again = network_profile.load(network_profile.unpack(network_profile.load(tmp_path / "out.zip"),
                                                                    tmp_path / "again"))
    assert sorted(again.records.values()) == sorted(loaded.records.values())


def test_the_bundled_profile_can_be_exported_with_its_records(tmp_path):
    loaded = network_profile.load(network_profile.BUNDLED_PROFILE)
    assert len(loaded.records) == 3
    network_profile.save(loaded, tmp_path / "bundled.zip")
    assert len(network_profile.load(tmp_path / "bundled.zip").records) == 3


@pytest.mark.parametrize("text", [b"http://a.example/" * 200_000, b"http://a.example/x" * 200_000,
                                  b"http://a.example" + b"/" * 3_000_000])
def test_a_record_full_of_addresses_is_moved_in_linear_time(text):
    old = NetworkProfile("a", "a", "http://a.example", "n")
    begun = time.process_time()
    assert rebase(text, old, replace(old, base_url="http://b.example")) == text
    assert time.process_time() - begun < 5

"""Maps of somebody else: what is asked, what is shown after each answer, and what is never lost or gained by saving."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.foreign_maps import Consent, admit, examine, one_layer, recognised, sealed
from plugin.core.custommap.model import CustomMap, OwnLayer, PageSetup, SnapshotReference
from plugin.core.pages.leaflet import LeafletPhoto, LeafletTexts, TableSource
from plugin.core.snapshot.snapshot_sources import with_absolute_paths, with_relative_paths
from plugin.core.trust.provenance import KEY_BYTES, Trust

KEY = b"k" * KEY_BYTES
TEMPLATES = Path("/profile/templates")


def layer(source: str, provider: str = "ogr", layer_type: str = "vector", name: str = "a", **more: object) -> OwnLayer:
    return OwnLayer(name, name, layer_type, provider, source, **more)  # type: ignore[arg-type]


def read(custom_map: CustomMap, path: Path) -> CustomMap:
    """The map as it is read from a document at ``path``."""
    return with_absolute_paths(read_document(write_document(custom_map)), path)


def saved(custom_map: CustomMap, path: Path, key: bytes = KEY) -> bytes:
    """The document as a profile with ``key`` saves it at ``path``."""
    relative = with_relative_paths(custom_map, path)
    return write_document(replace(relative, seal=sealed(with_absolute_paths(relative, path), key).seal))


def opened(data: bytes, path: Path, key: bytes = KEY) -> CustomMap:
    return recognised(with_absolute_paths(read_document(data), path), key)


FULL = CustomMap("A", own_layers=(layer("/maps/paths.gpkg", style="<qgis/>"), layer("/data/b.gpkg", name="b")),
                 page=PageSetup(template="/data/x.qpt", leaflet=LeafletTexts(photos=(LeafletPhoto("/maps/p.jpg"),))),
                 snapshot=SnapshotReference("/maps/offline", True))


def test_what_a_profile_saved_it_knows_again_and_no_other_one_does():
    path = Path("/maps/a.custommap.json")
    data = saved(FULL, path)
    mine = opened(data, path)
    assert mine.trust is Trust.OWN and {own.trust for own in mine.own_layers} == {Trust.OWN}
    for other in (opened(data, path, b"o" * KEY_BYTES), opened(data, path, b""),
                  opened(data, Path("/elsewhere/a.custommap.json")), opened(write_document(FULL), path)):
        assert other.trust is Trust.FOREIGN and {own.trust for own in other.own_layers} == {Trust.FOREIGN}


@pytest.mark.parametrize(("member", "value"), [("source", "/etc/passwd"), ("provider", "gdal"),
                                               ("style", "<qgis x='1'/>"), ("type", "raster")])
def test_a_changed_layer_makes_a_document_foreign(member, value):
    path = Path("/maps/a.custommap.json")
    document = json.loads(saved(FULL, path))
    document["own_layers"][1][member] = value
    assert opened(json.dumps(document).encode(), path).trust is Trust.FOREIGN


@pytest.mark.parametrize(("member", "value"), [("name", "other"), ("credit", "c"), ("visible", False),
                                               ("opacity", 0.5)])
def test_what_is_no_reference_may_be_changed_by_hand(member, value):
    path = Path("/maps/a.custommap.json")
    document = json.loads(saved(FULL, path))
    document["own_layers"][0][member] = value
    assert opened(json.dumps(document).encode(), path).trust is Trust.OWN


def test_a_document_cannot_say_that_it_is_trusted():
    path = Path("/maps/a.custommap.json")
    document = json.loads(write_document(FULL))
    document.update(trust="own", seal="own")
    for own in document["own_layers"]:
        own.update(trust="own", refusal="")
    assert opened(json.dumps(document).encode(), path).trust is Trust.FOREIGN


def test_a_map_that_names_nothing_needs_no_seal():
    plain = CustomMap("A")
    assert sealed(plain, KEY).seal == "" and opened(write_document(plain), Path("/x.json")).trust is Trust.OWN


def test_a_map_with_a_layer_that_nobody_agreed_to_is_saved_without_a_seal():
    path = Path("/maps/a.custommap.json")
    foreign = admit(examine(read(FULL, path), path.parent, TEMPLATES), Consent.LISTED).document
    assert [own.trust for own in foreign.own_layers] == [Trust.AGREED, Trust.FOREIGN]
    assert opened(saved(foreign, path), path).trust is Trust.FOREIGN


def test_each_answer_opens_what_it_says_and_tells_the_rest(tmp_path):
    path = tmp_path / "a.custommap.json"
    near, far = tmp_path / "data" / "near.gpkg", Path("/far/far.gpkg")
    document = CustomMap("A", own_layers=(
        layer(near.as_posix(), name="near"), layer(far.as_posix(), name="far"),
        layer("type=xyz&url=https://t.example.org/%7Bz%7D", "wms", "raster", "tiles"),
        layer("?query=x", "virtual", name="query")),
        page=PageSetup(template="/far/x.qpt", leaflet=LeafletTexts(
            photos=(LeafletPhoto("/far/p.jpg"), LeafletPhoto((tmp_path / "q.jpg").as_posix())),
            table=(TableSource(own_layer="near"),))),
        snapshot=SnapshotReference("/far/offline", True))
    foreign = examine(read(document, path), tmp_path, TEMPLATES)
    assert [(thing.reference.name, thing.is_elsewhere) for thing in foreign.things] == [
        (near.as_posix(), False), (far.as_posix(), True), ("https://t.example.org", False), ("/far/p.jpg", True),
        ("/far/x.qpt", True), ("/far/offline", True)]
    assert [one.name for one in foreign.refused] == ["query"] and foreign.needs_consent
    none, listed, everything = (admit(foreign, consent) for consent in list(Consent)[:3])
    for admitted, agreed in ((none, []), (listed, ["near", "tiles"]), (everything, ["near", "far", "tiles"])):
        assert [own.name for own in admitted.document.own_layers if own.trust is Trust.AGREED] == agreed
        told = "\n".join(admitted.left_out)
        for own in admitted.document.own_layers:
            assert (own.name in agreed) == (own.refusal == "") == (f"“{own.name}” is not opened" not in told)
    for admitted in (none, listed):
        page = admitted.document.page
        assert [photo.path for photo in page.leaflet.photos] == [(tmp_path / "q.jpg").as_posix()]
        assert page.template == "guide" and admitted.document.snapshot is None and admitted.changes_page
        assert all(path in "\n".join(admitted.left_out) for path in ("/far/p.jpg", "/far/x.qpt", "/far/offline"))
    assert everything.document.page.template == "/far/x.qpt" and not everything.changes_page
    assert everything.document.snapshot == SnapshotReference("/far/offline", True)


def test_ids_are_new_and_the_table_follows():
    path = Path("/maps/a.custommap.json")
    document = CustomMap("A", own_layers=(layer("/maps/a.gpkg"),),
                         page=PageSetup(leaflet=LeafletTexts(table=(TableSource(own_layer="a"),))))
    found = examine(read(document, path), path.parent, TEMPLATES).document
    own, = found.own_layers
    assert own.id != "a" and found.page.leaflet.table[0].own_layer == own.id


def test_a_link_that_leads_out_of_the_folder_is_elsewhere(tmp_path):
    (tmp_path / "in").mkdir()
    os.symlink("/etc/passwd", tmp_path / "in" / "a.csv")
    document = CustomMap("A", own_layers=(layer((tmp_path / "in" / "a.csv").as_posix()),))
    foreign = examine(read(document, tmp_path / "in" / "m.json"), tmp_path / "in", TEMPLATES)
    assert foreign.things[0].is_elsewhere


def test_a_template_in_the_persons_own_folder_and_a_snapshot_around_the_document_are_near(tmp_path):
    document = CustomMap("A", page=PageSetup(template=(tmp_path / "t" / "x.qpt").as_posix()),
                         snapshot=SnapshotReference(tmp_path.as_posix(), True))
    foreign = examine(read(document, tmp_path / "m.json"), tmp_path, tmp_path / "t")
    assert not foreign.needs_consent
    admitted = admit(foreign, Consent.NONE)
    assert admitted.left_out == () and admitted.document.page == document.page


def test_the_source_that_is_opened_is_the_one_that_was_judged():
    own = layer("authcfg=ab12345&type=xyz&url=https://t.example.org/%7Bz%7D", "wms", "raster", style="",
                trust=Trust.FOREIGN)
    admitted, = admit(one_layer(own), Consent.LISTED).document.own_layers
    assert "authcfg" not in admitted.source and admitted.trust is Trust.AGREED and admitted.id == own.id
    assert not one_layer(layer("?query=x", "virtual")).needs_consent

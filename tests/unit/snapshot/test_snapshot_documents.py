"""Manifests, packages and documents of snapshots: round trips, and hostile input refused."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from plugin.core.box import Box
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import CustomMap, LayerPlan, MapEntry, Plan, SnapshotReference
from plugin.core.errors import CartoguideError, InvalidDocument, UnreadableDocument
from plugin.core.snapshot import snapshot_package
from plugin.core.snapshot.manifest import (
    MANIFEST,
    RasterFormat,
    SnapshotFile,
    SnapshotLayer,
    SnapshotManifest,
    SnapshotState,
    load_manifest,
    read_manifest,
    save_manifest,
    sha256_of_file,
    unusable_reason,
    write_manifest,
)
from plugin.core.snapshot.snapshot_sources import (
    Snapshot,
    live_layers,
    snapshot_folder,
    with_absolute_paths,
    with_relative_paths,
    with_snapshot,
)
from plugin.core.sources.layer_source import WmsSource

LAYER = SnapshotLayer("http://h/wms?", "park", "", "Park", "Guide", "EPSG:25830", "rasters.gpkg", "layer_01",
                      "Somebody", "CC BY 4.0", (10000.0, ))
MADE = SnapshotManifest("Park", SnapshotState.COMPLETE, "2026-11-22T00:00:00+00:00", "EPSG:25830",
                        Box(0.0, 0.0, 10.0, 10.0), Box(-3.0, 38.0, -2.9, 38.1), 300, (10000.0, ), RasterFormat.GPKG,
                        (LAYER, ), notes=("a note", ), extra={"later": [1]})


def written(folder: Path, **changes) -> SnapshotManifest:
    """A snapshot of two small files."""
    folder.mkdir(parents=True)
    (folder / "rasters.gpkg").write_bytes(b"SQLite format 3\x00" + b"x" * 3000)
    (folder / "CREDITS.txt").write_text("Somebody")
    files = tuple(
        SnapshotFile(name, role, "", (folder / name).stat().st_size, sha256_of_file(folder / name))
        for name, role in (("rasters.gpkg", "raster"), ("CREDITS.txt", "credits")))
    manifest = replace(MADE, files=files, **changes)
    save_manifest(folder, manifest)
    return manifest


def test_a_manifest_comes_back_as_it_was(tmp_path):
    manifest = written(tmp_path / "one")
    assert read_manifest(write_manifest(manifest)) == manifest
    assert load_manifest(tmp_path / "one") == manifest and load_manifest(tmp_path) is None
    assert unusable_reason(tmp_path / "one", manifest) == ""


@pytest.mark.parametrize("path", ["../x.gpkg", "/etc/x", "a/../../x", "C:/x", "a\\b", "\\\\server\\x", "", "a/./b",
                                  "x\n"])
def test_a_path_out_of_the_folder_is_refused(path):
    document = json.loads(write_manifest(MADE))
    document["layers"][0]["file"] = path
    with pytest.raises(InvalidDocument) as refused:
        read_manifest(json.dumps(document).encode())
    assert refused.value.pointer == "/layers/0/file"


@pytest.mark.parametrize(("member", "value"), [
    ("version", 2), ("area", [1, 2, 0, 3]), ("area", None), ("dpi", 0), ("state", "nearly"), ("scales", ["x"]),
    ("format", "x"), ("made", "yesterday"), ("made", "2026-11-22")])
def test_what_is_no_manifest_is_refused(member, value):
    document = {**json.loads(write_manifest(MADE)), member: value}
    with pytest.raises(CartoguideError):
        read_manifest(json.dumps(document).encode())


def test_an_unfinished_or_broken_snapshot_is_not_usable(tmp_path):
    folder = tmp_path / "one"
    manifest = written(folder)
    assert "Roads" in unusable_reason(folder,
                                      replace(manifest, state=SnapshotState.INCOMPLETE,
                                              problems=("“Roads” lacks 1 picture", )))
    # GDAL would open a virtual raster by whatever name, and that may name files elsewhere
    (folder / "rasters.gpkg").write_text("<VRTDataset/>")
    assert "rasters.gpkg" in unusable_reason(folder, manifest)
    (folder / "rasters.gpkg").unlink()
    assert "rasters.gpkg" in unusable_reason(folder, manifest)


def test_a_package_carries_the_snapshot_and_nothing_else(tmp_path):
    manifest = written(tmp_path / "one")
    (tmp_path / "one" / "notes of mine.txt").write_text("private")
    told = []
    snapshot_package.write_package(tmp_path / "one", tmp_path / "p.cartoguide.zip",
                                   lambda percent, _words: told.append(percent))
    assert told[-1] == 100 and snapshot_package.read_package_manifest(str(tmp_path / "p.cartoguide.zip")) == manifest
    snapshot_package.extract_package(tmp_path / "p.cartoguide.zip", tmp_path / "two")
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == ["CREDITS.txt", "rasters.gpkg", MANIFEST]
    assert load_manifest(tmp_path / "two") == manifest
    with pytest.raises(CartoguideError, match="already"):
        snapshot_package.extract_package(tmp_path / "p.cartoguide.zip", tmp_path / "two")


def test_a_changed_or_unfinished_snapshot_is_not_packed(tmp_path):
    written(tmp_path / "one")
    (tmp_path / "one" / "CREDITS.txt").write_text("Nobody")
    with pytest.raises(CartoguideError, match=r"CREDITS\.txt"):
        snapshot_package.write_package(tmp_path / "one", tmp_path / "p.zip")
    written(tmp_path / "two", state=SnapshotState.INCOMPLETE, problems=("“Roads” lacks 1 picture",))
    with pytest.raises(CartoguideError, match="Roads"):
        snapshot_package.write_package(tmp_path / "two", tmp_path / "p.zip")
    assert not (tmp_path / "p.zip").exists()


def hostile(path: Path, manifest: SnapshotManifest, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(MANIFEST, write_manifest(manifest))
        for name, data in files.items():
            made.writestr(name, data)
    return path


@pytest.mark.parametrize(("files", "why"), [
    ({"rasters.gpkg": b"x" * 5_000_000, "CREDITS.txt": b"Somebody"}, "more data than its package states"),
    ({"rasters.gpkg": b"SQLite format 3\x00" + b"x" * 3000, "CREDITS.txt": b"Nobody!!"}, "changed or damaged"),
    ({"rasters.gpkg": b"SQLite format 3\x00" + b"x" * 3000}, "damaged"),
    ({"rasters.gpkg": b"SQLite format 3\x00" + b"x" * 3000, "CREDITS.txt": b"Somebody", "../evil.txt": b"x"},
     "outside the package")], ids=["bomb", "changed", "lacking", "climbing"])
def test_a_hostile_package_leaves_nothing(tmp_path, files, why):
    manifest = written(tmp_path / "one")
    package = hostile(tmp_path / "p.zip", manifest, files)
    with pytest.raises(CartoguideError, match=why):
        snapshot_package.extract_package(package, tmp_path / "into" / "two")
    assert list((tmp_path / "into").iterdir()) == [] and not (tmp_path / "evil.txt").exists()


def test_a_package_of_a_newer_cartoguide_says_so_and_an_unwritable_place_is_told(tmp_path):
    manifest = written(tmp_path / "one")
    newer = write_manifest(manifest).replace(b'"version": 1', b'"version": 2')
    with zipfile.ZipFile(tmp_path / "newer.zip", "w") as made:
        made.writestr(MANIFEST, newer)
    with pytest.raises(CartoguideError, match="newer than this version of Cartoguide supports") as failed:
        snapshot_package.extract_package(tmp_path / "newer.zip", tmp_path / "two")
    assert "Update" in failed.value.user_text and not (tmp_path / "two").exists()
    snapshot_package.write_package(tmp_path / "one", tmp_path / "p.zip")
    with pytest.raises(CartoguideError, match="could not be unpacked"):
        snapshot_package.extract_package(tmp_path / "p.zip", Path("/proc/nobody-writes-here/two"))


def test_other_zips_are_no_packages(tmp_path):
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as made:
        made.writestr("x.xml", b"<x/>")
    assert snapshot_package.read_package_manifest(str(tmp_path / "p.zip")) is None
    with pytest.raises(UnreadableDocument):
        snapshot_package.extract_package(tmp_path / "p.zip", tmp_path / "two")


# -- the document that has a snapshot


def test_a_document_keeps_its_snapshot():
    document = CustomMap(title="Park", base=MapEntry("http://h/wms?"),
                         snapshot=SnapshotReference("park.snapshot", True, {"x": 1}))
    assert read_document(write_document(document)) == document
    assert "snapshot" not in json.loads(write_document(replace(document, snapshot=None)))


@pytest.mark.parametrize("path", ["//server/share", "\\\\server\\share", "https://h/x", "/vsicurl/http://h/x", " "])
def test_a_snapshot_on_another_machine_is_refused(path):
    document = json.loads(write_document(CustomMap(base=MapEntry("http://h/wms?"))))
    document["snapshot"] = {"path": path, "in_use": True}
    with pytest.raises(InvalidDocument):
        read_document(json.dumps(document).encode())


def test_the_path_is_relative_where_both_can_be_moved_together(tmp_path):
    inside = CustomMap(snapshot=SnapshotReference(str(tmp_path / "maps" / "park.snapshot"), True))
    assert with_relative_paths(inside, tmp_path / "maps" / "m.custommap.json").snapshot.path == "park.snapshot"
    assert with_relative_paths(inside, tmp_path / "other" / "m.custommap.json") == inside
    assert snapshot_folder(SnapshotReference("park.snapshot"), tmp_path / "m.json") == tmp_path / "park.snapshot"
    assert snapshot_folder(SnapshotReference("."), tmp_path / "m.json") == tmp_path
    written = with_relative_paths(inside, tmp_path / "maps" / "m.json")
    assert with_absolute_paths(written, tmp_path / "maps" / "m.json") == inside and with_absolute_paths(
        CustomMap(), tmp_path) == CustomMap()


def test_a_plan_shows_what_the_snapshot_holds(tmp_path):
    plans = tuple(LayerPlan(WmsSource("http://h/wms?", name, "", "image/png", "EPSG:25830"),
                            name) for name in ("park", "roads"))
    shown = with_snapshot(Plan("Park", "EPSG:25830", plans), Snapshot(tmp_path, MADE))
    assert shown.layers[0].snapshot_source.source == f"GPKG:{tmp_path / 'rasters.gpkg'}:layer_01"
    assert [layer.name for layer in live_layers(shown, None)] == ["roads"]

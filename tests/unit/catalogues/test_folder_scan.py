"""Scans of a folder: changed files are read again, deleted ones are marked, none is dropped silently."""

from __future__ import annotations

import os
import zipfile

import pytest
from made_catalogue import made

from plugin.core.catalogues import folder_scan
from plugin.core.errors import CartoguideError

RECORDS = made(6)


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "registros"
    (place / "dentro").mkdir(parents=True)
    (place / "uno.xml").write_bytes(RECORDS[0].xml)
    (place / "dentro" / "dos.xml").write_bytes(RECORDS[1].xml)
    with zipfile.ZipFile(place / "paquete.zip", "w") as archive:
        archive.writestr("tres.xml", RECORDS[2].xml)
        archive.writestr("cuatro.xml", RECORDS[3].xml)
    return place


def level(folder, store, known):
    change = folder_scan.scan_folder(str(folder), known)
    return folder_scan.import_changes(str(folder), change, store), change.state


def touch(path, data):
    path.write_bytes(data)
    about = os.stat(path)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns + 1_000_000))


def vanished(store, name):
    return [copy.vanished_at is not None for copy in store.find_copies(name)]


def test_files_folders_and_packages_are_read_once(folder, store):
    summary, state = level(folder, store, {})
    assert (summary.new, summary.vanished, summary.failures) == (4, 0, []) and store.count_records() == 4
    assert not folder_scan.scan_folder(str(folder), state)
    again, _ = level(folder, store, folder_scan.state_from_json(folder_scan.state_to_json(state)))
    assert (again.new, again.changed, again.same) == (0, 0, 0)


def test_records_of_one_document_that_share_an_identifier_or_have_none_are_all_kept(folder, store):
    bare = [record.xml.split(b"?>")[-1] for record in RECORDS]
    nameless = [part.replace(b"made-000%d" % (number + 1), b"") for number, part in enumerate(bare)]
    body = b"".join((bare[0], bare[0].replace(b"Relieve", b"Otro"), nameless[1], nameless[2]))
    touch(folder / "uno.xml", b"<records>" + body + b"</records>")
    (folder / "paquete.zip").unlink()
    (folder / "dentro" / "dos.xml").unlink()
    summary, state = level(folder, store, {})
    assert (summary.new, summary.vanished, summary.failures) == (4, 0, [])
    assert len(store.find_copies("made-0001")) == 2 and store.count_records() == 3
    touch(folder / "tres.xml", RECORDS[3].xml)
    summary, state = level(folder, store, state)
    assert (summary.new, summary.changed, summary.vanished) == (1, 0, 0)
    touch(folder / "uno.xml", RECORDS[0].xml)
    summary, state = level(folder, store, state)
    assert summary.vanished == 3
    assert vanished(store, "made-0001") == [False, True]
    touch(folder / "uno.xml", RECORDS[4].xml)
    summary, state = level(folder, store, state)
    assert (summary.new, summary.vanished) == (1, 1), "another record took its place"


def test_what_changed_is_read_again_and_only_that(folder, store):
    _, state = level(folder, store, {})
    touch(folder / "uno.xml", RECORDS[0].xml.replace(b"Relieve", b"Nuevo relieve"))
    change = folder_scan.scan_folder(str(folder), state)
    assert change.changed == (str(folder / "uno.xml"),) and change.removed == ()
    summary = folder_scan.import_changes(str(folder), change, store)
    assert (summary.new, summary.changed, summary.vanished) == (0, 1, 0)
    assert store.load_record("made-0001").title.startswith("Nuevo")


def test_what_vanished_is_marked_and_stays(folder, store):
    _, state = level(folder, store, {})
    (folder / "dentro" / "dos.xml").unlink()
    (folder / "paquete.zip").unlink()
    summary, state = level(folder, store, state)
    assert summary.vanished == 3 and store.count_records() == 4
    assert vanished(store, "made-0002") == vanished(store, "made-0003") == [True]
    assert vanished(store, "made-0001") == [False]
    (folder / "dentro" / "dos.xml").write_bytes(RECORDS[1].xml)
    level(folder, store, state)
    assert vanished(store, "made-0002") == [False], "it is back"


def test_a_record_that_left_its_package_is_marked(folder, store):
    _, state = level(folder, store, {})
    with zipfile.ZipFile(folder / "paquete.zip", "w") as archive:
        archive.writestr("tres.xml", RECORDS[2].xml)
    summary, _ = level(folder, store, state)
    assert summary.vanished == 1 and vanished(store, "made-0004") == [True] and vanished(store, "made-0003") == [False]


def test_a_file_that_breaks_is_told_of_and_its_record_stays(folder, store):
    _, state = level(folder, store, {})
    touch(folder / "uno.xml", RECORDS[0].xml[:300])
    summary, _ = level(folder, store, state)
    [(name, why, *_)] = summary.failures
    assert name == str(folder / "uno.xml") and why and summary.unread == {name}
    assert summary.vanished == 0 and vanished(store, "made-0001") == [False]


def test_a_folder_out_of_reach_vanishes_nothing(folder, store):
    _, state = level(folder, store, {})
    folder.rename(folder.with_name("fuera"))
    with pytest.raises(CartoguideError, match="are kept"):
        folder_scan.scan_folder(str(folder), state)
    assert vanished(store, "made-0001") == [False]


def test_too_many_files_are_refused(folder, monkeypatch):
    monkeypatch.setattr(folder_scan, "MAX_FILES", 2)
    with pytest.raises(CartoguideError, match="too many"):
        folder_scan.scan_folder(str(folder), {})

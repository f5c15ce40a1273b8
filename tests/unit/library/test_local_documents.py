"""Documents of files, folders and packages, one at a time: bad ones are reported in their place, the rest is read."""

from __future__ import annotations

import os
import zipfile

import pytest
from made_catalogue import made

from plugin.core.errors import CartoguideError
from plugin.core.library.bulk_import import import_documents
from plugin.core.library.local_documents import LocalDocuments, group_by_folder
from plugin.core.records.input import packages
from plugin.core.records.input.file_reader import read_file_bytes

RECORDS = made(6)


def zipped(path, entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return str(path)


def reasons(paths):
    return {place: data.user_text for place, data in LocalDocuments(paths) if isinstance(data, CartoguideError)}


def test_records_inside_a_package_keep_their_place_and_their_bytes(tmp_path, store):
    path = zipped(tmp_path / "a.zip", [(f"{n}/r.xml", one.xml) for n, one in enumerate(RECORDS)])
    summary = import_documents(store, str(tmp_path), "folder", "A", LocalDocuments([path]))
    assert (summary.new, summary.failure_count) == (6, 0)
    for number, one in enumerate(RECORDS):
        assert store.load_original(one.id) == (f"{path}!{number}/r.xml", one.xml)


def test_of_a_packages_record_in_several_formats_the_first_that_can_be_read_counts(tmp_path):
    folders = [f"uuid-{number}" for number in range(3)]
    entries = []
    for folder, one in zip(folders, RECORDS):
        entries += [(f"{folder}/info.xml", b"<info/>"), (f"{folder}/metadata/metadata-iso19139.xml", one.xml),
                    (f"{folder}/metadata/metadata.xml", b"<other/>" if folder == "uuid-1" else one.xml),
                    (f"{folder}/public/extra.xml", b"<no/>")]
    path = zipped(tmp_path / "a.mef", entries)
    found = list(LocalDocuments([path]))
    assert [place.split("!")[1] for place, _ in found] == [
        "uuid-0/metadata/metadata.xml", "uuid-1/metadata/metadata-iso19139.xml", "uuid-2/metadata/metadata.xml"]
    assert [data for _, data in found] == [one.xml for one in RECORDS[:3]]


def test_each_file_is_opened_once_and_a_package_is_not_read_into_memory(tmp_path, monkeypatch):
    (tmp_path / "a.xml").write_bytes(RECORDS[0].xml)
    (tmp_path / "b.xml").write_bytes(b"")
    package = zipped(tmp_path / "c.zip", [("r.xml", RECORDS[1].xml)])
    opened, open_file = [], os.open
    monkeypatch.setattr(os, "open", lambda path, *more: opened.append(os.path.basename(path)) or open_file(path, *more))
    found = dict(LocalDocuments([str(tmp_path)]))
    assert list(found.values()) == [RECORDS[0].xml, b"", RECORDS[1].xml]
    assert opened[:2] == ["a.xml", "b.xml"] and set(opened[2:]) == {"c.zip"}
    assert read_file_bytes(package, whole_package=False) == b"PK\3\4"


def test_a_file_that_grows_while_it_is_read_is_read_to_its_end(tmp_path, monkeypatch):
    path = tmp_path / "a.xml"
    path.write_bytes(b"12345678")
    status = os.stat(path)
    with open(path, "ab") as stream:
        stream.write(b"9" * 20_000)
    monkeypatch.setattr(os, "fstat", lambda _descriptor: status)
    assert len(read_file_bytes(str(path))) == 20_008


def test_what_is_hostile_is_told_and_the_rest_comes(tmp_path, store, monkeypatch):
    monkeypatch.setattr(packages, "_SUSPECT_FROM", 100_000)
    place = tmp_path / "dentro"
    place.mkdir()
    zipped(place / "bomba.zip", [("a.xml", RECORDS[0].xml), ("b.xml", b" " * 3_000_000), ("c.xml", RECORDS[1].xml)])
    inner = zipped(tmp_path / "inner.zip", [("a.xml", RECORDS[2].xml)])
    with open(inner, "rb") as stream:
        zipped(place / "nido.zip", [("../../fuera.xml", RECORDS[2].xml), ("inner.zip", stream.read()),
                                    ("bien.xml", RECORDS[3].xml)])
    (place / "roto.zip").write_bytes(b"PK\x03\x04" + b"\x00" * 100)
    (place / "vacio.xml").write_bytes(b"")
    (place / "respuesta.xml").write_bytes(
        b'<csw:GetRecordsResponse xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"><csw:SearchResults/>'
        b"</csw:GetRecordsResponse>")
    with open(place / "enorme.xml", "wb") as stream:
        stream.truncate(200_000_000)
    os.mkfifo(place / "tubo.xml")
    (place / "z.xml").write_bytes(RECORDS[4].xml)
    summary = import_documents(store, str(place), "folder", "A", LocalDocuments([str(place)]))
    assert summary.new == 3, "before the bomb, beside the nested package, and behind all of them"
    told = {failed.location[len(str(place)) + 1:]: failed.reason for failed in summary.failure_reasons}
    assert set(told) == {"bomba.zip", "nido.zip!../../fuera.xml", "nido.zip!inner.zip", "roto.zip", "vacio.xml",
                         "respuesta.xml", "enorme.xml", "tubo.xml"}
    assert "far more" in told["bomba.zip"] and "outside" in told["nido.zip!../../fuera.xml"]
    assert "inside a package" in told["nido.zip!inner.zip"] and "too large" in told["enorme.xml"]
    assert "without records" in told["respuesta.xml"] and "not a file" in told["tubo.xml"]


def test_two_entries_of_one_name_are_two_places(tmp_path, store):
    with pytest.warns(UserWarning, match="Duplicate"):
        path = zipped(tmp_path / "a.zip", [("r.xml", RECORDS[0].xml),
                                           ("r.xml", RECORDS[0].xml.replace(b"Relieve", b"Otro"))])
    import_documents(store, str(tmp_path), "folder", "A", LocalDocuments([path]))
    assert len(store.find_copies(RECORDS[0].id)) == 2


@pytest.mark.skipif(os.name == "nt", reason="its file names are texts")
def test_a_name_that_is_no_text_is_kept_as_one(tmp_path, store):
    path = os.path.join(os.fsencode(tmp_path), b"caf\xe9.xml")
    with open(path, "wb") as stream:
        stream.write(RECORDS[0].xml)
    assert import_documents(store, str(tmp_path), "folder", "A", LocalDocuments([str(tmp_path)])).new == 1
    assert store.load_original(RECORDS[0].id)[0].endswith("caf\ufffd.xml")


def test_what_is_opened_is_sorted_by_its_folder_and_read_once(tmp_path):
    for name in ("a/uno.xml", "a/dos.xml", "b/c/tres.xml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(RECORDS[0].xml)
    given = [str(tmp_path / name) for name in ("a/uno.xml", "b", "b/c/tres.xml", "b/c", "a/dos.xml", "a/uno.xml")]
    assert group_by_folder(given) == {str(tmp_path / "a"): [given[0], given[4]], str(tmp_path / "b"): [given[1]]}


def test_how_far_it_is_counts_files_and_parts_of_packages(tmp_path):
    folder = tmp_path / "r"
    folder.mkdir()
    zipped(folder / "a.zip", [(f"{n}.xml", one.xml) for n, one in enumerate(RECORDS[:4])])
    (folder / "b.xml").write_bytes(RECORDS[5].xml)
    documents = LocalDocuments([str(folder)])
    assert documents.total == 2
    assert [documents.done for _ in documents] == [0.25, 0.5, 0.75, 1.0, 1.0] and documents.done == 2


def test_a_folder_that_cannot_be_listed_is_told_and_the_rest_comes(tmp_path, monkeypatch):
    for name in ("a/uno.xml", "b/dos.xml"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(RECORDS[0].xml)
    listed = os.scandir

    def refusing(path):
        if os.fspath(path).endswith("a"):
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", refusing)
    assert [place for place, _ in LocalDocuments([str(tmp_path)])] == [str(tmp_path / "b/dos.xml"), str(tmp_path / "a")]
    assert "cannot be read" in reasons([str(tmp_path)])[str(tmp_path / "a")]


def test_a_large_tree_without_records_ends_once_it_is_cancelled(tmp_path, monkeypatch):
    for number in range(50):
        (tmp_path / f"{number:02}").mkdir()
    listed, scan = [], os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: listed.append(path) or scan(path))
    assert not list(LocalDocuments([str(tmp_path)], lambda: len(listed) >= 5)) and len(listed) < 8
    assert "no file that could be" in reasons([str(tmp_path)])[str(tmp_path)]

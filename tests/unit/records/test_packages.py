"""Packages: MEF 1 and 2, plain zips, and the ones that are built to harm."""

from __future__ import annotations

import io
import struct
import time
import tracemalloc
import zipfile
import zlib
from pathlib import Path
from typing import Any, List

import pytest

from plugin.core.errors import CartoguideError, NotARecord, UnreadableDocument
from plugin.core.records import Record, read, read_all
from plugin.core.records.input import packages
from plugin.core.records.input.file_reader import read_path

INFO = '<info version="{}"><general><uuid>{}</uuid><schema>iso19139</schema></general></info>'


def record(identifier):
    return (f'<MD_Metadata xmlns="http://www.isotc211.org/2005/gmd"><fileIdentifier>{identifier}</fileIdentifier>'
            "</MD_Metadata>")


def package(*entries, compression=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return stream.getvalue()


def all_of(data, name="p.zip"):
    found = list(read_all(data, name))
    return ([(item.id, item.source) for item in found if isinstance(item, Record)],
            [item.user_text for item in found if isinstance(item, CartoguideError)])


def test_a_mef_of_the_first_kind_gives_its_metadata_only():
    data = package(("info.xml", INFO.format("1.0", "a")), ("metadata.xml", record("a")),
                   ("public/data.xml", record("not this")), ("private/inner.zip", "PK\x03\x04"))
    assert all_of(data, "one.mef") == ([("a", "one.mef!metadata.xml")], [])


def test_a_mef_of_the_second_kind_gives_each_record_once():
    data = package(
        ("a/info.xml", INFO.format("2.0", "a")), ("a/metadata/metadata.xml", record("a")),
        ("a/metadata/metadata.iso19139.xml", record("a again")), ("a/public/x.xml", record("not this")),
        ("a/applschema/metadata.xml", record("nor this")),
        ("b/info.xml", INFO.format("2.0", "b")), ("b/metadata/metadata.xml", "<eml/>"),
        ("b/metadata/metadata.iso19139.xml", record("b")))
    assert all_of(data, "two.mef") == (
        [("a", "two.mef!a/metadata/metadata.xml"), ("b", "two.mef!b/metadata/metadata.iso19139.xml")], [])


def test_a_plain_zip_gives_every_record_in_it():
    json_record = '{"type": "Feature", "id": "c", "properties": {"type": "dataset", "title": "C"}}'
    data = package(("deep/er/b.xml", record("b")), ("a.xml", record("a")), ("c.json", json_record), ("notes.txt", "x"),
                   ("__MACOSX/a.xml", "x"), (".hidden.xml", "x"), ("folder/", ""))
    assert all_of(data) == ([("b", "p.zip!deep/er/b.xml"), ("a", "p.zip!a.xml"), ("c", "p.zip!c.json")], [])


def test_one_bad_entry_does_not_hide_the_others():
    data = package(("a.xml", record("a")), ("b.xml", "<broken"), ("c.xml", "<html/>"), ("d.xml", record("d")),
                   ("e.xml", ""))
    records, problems = all_of(data)
    assert [identifier for identifier, _ in records] == ["a", "d"]
    assert [problem.split()[0] for problem in problems] == ["p.zip!b.xml", "p.zip!c.xml", "p.zip!e.xml"]
    assert [item.id for item in read(data)] == ["a", "d"]


def test_a_zip_without_records_is_refused_by_its_name():
    with pytest.raises(NotARecord) as caught:
        read(package(("a.png", "x")), "p.zip")
    assert "zip package without catalogue records" in caught.value.user_text
    with pytest.raises(NotARecord):
        read(package(), "p.zip")


@pytest.mark.parametrize("name", ["../a.xml", "/etc/a.xml", "a/../../b.xml", "C:\\a.xml", "..\\a.xml"])
def test_entries_that_climb_out_are_not_read(name):
    records, problems = all_of(package((name, record("evil")), ("b.xml", record("b"))))
    assert [identifier for identifier, _ in records] == ["b"]
    assert len(problems) == 1 and "outside the package" in problems[0]


def test_nested_packages_are_refused_with_a_word():
    inner = package(("a.xml", record("a")))
    records, problems = all_of(package(("inner.zip", inner), ("looks.xml", inner), ("b.xml", record("b"))))
    assert [identifier for identifier, _ in records] == ["b"]
    assert len(problems) == 2 and all("package inside a package" in problem for problem in problems)


def test_a_bomb_is_stopped_while_it_unpacks():
    data = package(*((f"{number}.xml", b"<a>" + b" " * 30_000_000) for number in range(4)))
    assert len(data) < 200_000
    started = time.process_time()
    with pytest.raises(UnreadableDocument) as caught:
        read(data, "bomb.zip")
    assert "unpacks to far more" in caught.value.user_text
    assert time.process_time() - started < 5


def test_an_entry_that_is_too_large_is_refused_alone(monkeypatch):
    monkeypatch.setattr(packages.safe_xml, "MAX_BYTES", 2_000_000)
    records, problems = all_of(package(("a.xml", "<a>" + " " * 3_000_000), ("b.xml", record("b"))))
    assert [identifier for identifier, _ in records] == ["b"]
    assert "too large" in problems[0]


def test_a_file_of_200_megabytes_is_refused_by_its_size_and_not_taken_into_memory(tmp_path):
    path = tmp_path / "large.xml"
    with open(path, "wb") as stream:
        stream.write(b"<a>")
        stream.truncate(200_000_000)
    tracemalloc.start()
    try:
        (found,) = [error for _, error in read_path(path)]
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
    assert "large.xml is too large to be read: 200 MB, the limit is 32 MB" in found.user_text
    bomb = package(*((f"{number}.xml", b"<a>" + b" " * 50_000_000) for number in range(4)))
    path.write_bytes(bomb)
    problems = [error.user_text for _, error in read_path(path)]
    assert "unpacks to far more" in problems[-1]


def test_one_member_is_read_in_bounds_and_alone(tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(package(("list.json", b"x" * 1000), ("bomb.xml", b" " * 90_000_000)))
    assert packages.read_member(str(path), "list.json", 1000) == b"x" * 1000
    with pytest.raises(UnreadableDocument, match="too large"):
        packages.read_member(str(path), "bomb.xml", 1000)
    assert packages.read_member(str(path), "other.json", 1000) is None
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, packages.MAX_DIRECTORY_BYTES + 1, 0, 0)
    path.write_bytes(b"PK\x03\x04" + b"\0" * 100 + end)
    assert packages.read_member(str(path), "list.json", 1000) is None


def test_sizes_that_lie_do_not_help_a_bomb():
    data = bytearray(package(("a.xml", b"<a>" + b" " * 60_000_000 + b"</a>")))
    place = data.rfind(b"PK\x01\x02")
    struct.pack_into("<L", data, place + 24, 10)
    with pytest.raises(CartoguideError):
        read(bytes(data), "liar.zip")


def test_encrypted_and_damaged_entries_are_told():
    data = bytearray(package(("a.xml", record("a")), ("b.xml", record("b"))))
    place = data.rfind(b"PK\x01\x02")
    struct.pack_into("<H", data, place + 8, 1)
    records, problems = all_of(bytes(data))
    assert [identifier for identifier, _ in records] == ["a"] and "encrypted" in problems[0]
    stored = package(("a.xml", record("a")), compression=zipfile.ZIP_STORED)
    damaged = stored.replace(b"fileIdentifier", b"FILEidentifier")
    with pytest.raises(UnreadableDocument) as caught:
        read(damaged, "p.zip")
    assert "damaged" in caught.value.user_text


def test_a_list_of_a_million_files_is_refused_before_it_is_read():
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, packages.MAX_DIRECTORY_BYTES + 1, 0, 0)
    with pytest.raises(UnreadableDocument) as caught:
        read(b"PK\x03\x04" + b"\0" * 100 + end, "p.zip")
    assert "too many files" in caught.value.user_text


def test_any_cut_or_change_of_a_package_is_read_or_refused():
    data = package(("info.xml", INFO.format("1.0", "a")), ("metadata.xml", record("a")), ("public/", ""))
    for position in range(0, len(data), 3):
        changed = data[:position] + bytes((data[position] ^ 0xFF,)) + data[position + 1:]
        for candidate in (data[:position], changed):
            try:
                read(candidate, "p.zip")
            except CartoguideError as error:
                assert error.user_text
            except zlib.error:
                pytest.fail("a damaged package must be a clear error")


def test_of_an_unpacked_mef_only_the_record_is_read_and_that_once(tmp_path):
    other = b"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>"
    for name, native in (("a", record("a").encode()), ("b", other)):
        home = tmp_path / name
        for folder in ("metadata", "public", "applschema"):
            (home / folder).mkdir(parents=True)
        (home / "info.xml").write_text("<info version='1.1'><general/></info>")
        (home / "metadata" / "metadata.xml").write_bytes(native)
        (home / "metadata" / "metadata-iso19139.xml").write_text(record(name))
        (home / "public" / "legend.xml").write_text("<legend/>")
        (home / "applschema" / "metadata.xml").write_text("<gfc/>")
    (tmp_path / "metadata").mkdir()
    for name in ("metadata.xml", "more.xml", "info.xml"):
        (tmp_path / "metadata" / name).write_text(record(f"loose {name}"))
    found = [(Path(name).name, item.id) for name, item in read_path(tmp_path) if isinstance(item, Record)]
    assert found == [("metadata.xml", "a"), ("metadata-iso19139.xml", "b"),
                     *((name, f"loose {name}") for name in ("info.xml", "metadata.xml", "more.xml"))]
    (refused,) = [item for _, item in read_path(tmp_path) if isinstance(item, CartoguideError)]
    assert "RDF" in refused.user_text


def test_a_package_without_the_file_is_not_understood_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("records/list.json", b"{}")
    opened: List[object] = []
    whole = zipfile.ZipFile

    def noted(*given: Any, **named: Any) -> zipfile.ZipFile:
        opened.append(given)
        return whole(*given, **named)

    monkeypatch.setattr(packages.zipfile, "ZipFile", noted)
    assert packages.read_member(str(path), "collection.json", 1000) is None and not opened
    assert packages.read_member(str(path), "records/list.json", 1000) == b"{}" and opened

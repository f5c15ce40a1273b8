"""Files that people save: written whole or not at all, and a truncated one is never accepted."""

from __future__ import annotations

import errno
import io
import os
import sqlite3
import struct
import zlib
from pathlib import Path

import pytest

from plugin.core.errors import CartoguideError
from plugin.core.files import atomic_write, incomplete_error, is_complete_file, write_error


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0\1\2\0\3\4")) + chunk(b"IEND", b""))


FILES = {"map.pdf": b"%PDF-1.4\n1 0 obj\nendobj\nstartxref\n9\n%%EOF\n",
         "map.svg": b"<svg><g/>" + b" " * 90 + b"</svg>\n",
         "map.png": _png(), "map.jpg": b"\xff\xd8\xff\xda\x00\x02" + b"x" * 50 + b"\xff\xd9", "map.pgw": b"1.0\n0.0\n"}


@pytest.mark.parametrize("name", FILES)
def test_a_whole_file_is_whole_and_an_empty_or_absent_one_is_not(tmp_path, name):
    assert not is_complete_file(tmp_path / name)
    (tmp_path / name).write_bytes(b"")
    assert not is_complete_file(tmp_path / name)
    (tmp_path / name).write_bytes(FILES[name])
    assert is_complete_file(tmp_path / name)


@pytest.mark.parametrize("name", ["map.pdf", "map.svg", "map.png", "map.jpg"])
def test_a_file_cut_off_anywhere_is_not(tmp_path, name):
    for length in range(len(FILES[name]) - 1):
        (tmp_path / name).write_bytes(FILES[name][:length])
        assert not is_complete_file(tmp_path / name), length


def test_a_file_appears_whole_or_stays_what_it_was(tmp_path: Path) -> None:
    path = tmp_path / "año.csv"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), atomic_write(path) as stream:
        stream.write(b"half")
        assert path.read_bytes() == b"old"
        raise ZeroDivisionError
    assert path.read_bytes() == b"old"
    with atomic_write(path) as stream:
        stream.write(b"new")
    assert path.read_bytes() == b"new"
    with pytest.raises(CartoguideError, match="could not be written"), atomic_write(tmp_path / "gone" / "a"):
        pass
    assert list(tmp_path.iterdir()) == [path]
    (tmp_path / "usual").touch()
    assert os.stat(path).st_mode == os.stat(tmp_path / "usual").st_mode


def test_a_block_may_close_the_stream_that_it_writes_to(tmp_path):
    with atomic_write(tmp_path / "words.csv") as file, io.TextIOWrapper(file, "utf-8") as stream:
        stream.write("día")
    assert (tmp_path / "words.csv").read_text(encoding="utf-8") == "día"
    assert [path.name for path in tmp_path.iterdir()] == ["words.csv"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_a_full_disk_is_named_by_its_folder(tmp_path):
    with pytest.raises(CartoguideError) as failed, atomic_write(tmp_path / "map.csv"), \
            open("/dev/full", "wb", buffering=0) as full:
        full.write(b"x")
    assert str(tmp_path) in failed.value.user_text and "is full" in failed.value.user_text
    assert "map.csv" in failed.value.user_text and list(tmp_path.iterdir()) == []


def test_what_else_prevents_writing_keeps_its_words(tmp_path):
    denied = write_error(tmp_path / "a.csv", PermissionError(13, "Permission denied"))
    assert denied.user_text == "a.csv could not be written: Permission denied. Choose another location."
    assert write_error(tmp_path / "a.csv", OSError(5, "Input/output error"), "Other words.").user_text == "Other words."
    assert "is full" not in incomplete_error(tmp_path / "a.pdf").user_text
    working = tmp_path / ".cartoguide-1" / "a.pdf"
    working.parent.mkdir()
    full = write_error(working, OSError(errno.ENOSPC, "No space left on device"), "Other words.").user_text
    assert f"folder {tmp_path} is full" in full
    in_library = write_error(tmp_path / "r.sqlite", sqlite3.OperationalError("database or disk is full"))
    assert "is full" in in_library.user_text

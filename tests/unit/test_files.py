"""Files that people save: written whole or not at all, and a truncated one is never accepted."""

from __future__ import annotations

import io
import os
import struct
import zlib
from pathlib import Path

import pytest

from plugin.core.errors import CartoguideError
from plugin.core.files import atomic_write, is_complete_file


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0\1\2\0\3\4")) + chunk(b"IEND", b""))


FILES = {"map.pdf": b"%PDF-1.4\n1 0 obj\nendobj\nstartxref\n9\n%%EOF\n",
         "map.svg": b"<svg><g/>" + b" " * 90 + b"</svg>\n",
         "map.png": _png(), "map.jpg": b"\xff\xd8\xff\xe0" + b"x" * 50 + b"\xff\xd9", "map.pgw": b"1.0\n0.0\n"}


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

"""Atomic writes: files appear whole, stay unchanged if writing fails, and have the usual permissions."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plugin.core.errors import CartoguideError
from plugin.core.files import atomic_write


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

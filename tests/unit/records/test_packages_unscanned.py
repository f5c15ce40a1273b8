"""The list of a package's many files is made without Python's garbage collector, which would hold the window."""

from __future__ import annotations

import gc
import zipfile
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

from plugin.core.gc_control import gc_paused
from plugin.core.records.input import packages

_MANY = 3000


@pytest.fixture
def scans() -> Any:
    """The generations that the collector looks through."""
    found: List[int] = []

    def note(phase: str, info: Dict[str, int]) -> None:
        if phase == "start":
            found.append(info["generation"])

    before = gc.get_threshold()
    gc.collect()
    gc.set_threshold(700, 10, 10)
    gc.callbacks.append(note)
    yield found
    gc.callbacks.remove(note)
    gc.set_threshold(*before)


def _objects(count: int) -> List[List[int]]:
    return [[number] for number in range(count)]


def test_what_is_made_unscanned_is_not_looked_at_afterwards_either(scans: List[int]) -> None:
    kept = _objects(_MANY)
    assert scans  # it is looked for, else the rest says nothing
    scans.clear()
    with gc_paused():
        kept += _objects(20 * _MANY)
    young = sum(len(gc.get_objects(generation=number)) for number in (0, 1))
    assert not scans and gc.isenabled() and young < _MANY


def test_scanning_goes_on_after_an_error(scans: List[int]) -> None:
    with pytest.raises(ValueError, match="inside"), gc_paused():
        raise ValueError("inside")
    assert gc.isenabled()


@pytest.mark.parametrize("opening", [lambda path: next(packages.read_file_entries(path)),
                                     lambda path: packages.read_member(path, "records/00001.xml", 1000)])
def test_a_large_package_is_listed_unscanned(tmp_path: Path, scans: List[int], opening: Callable[[str], Any]) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(_MANY):
            archive.writestr(f"records/{number:05d}.xml", b"<a/>")
    scans.clear()
    assert opening(str(path))
    assert 2 not in scans and 1 not in scans


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

"""The file list of a package is read only where the requested file may be in it."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any, List

import pytest

from plugin.core.records.input import packages


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

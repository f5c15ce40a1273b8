"""QGIS as the tools start it: with the Python that it was made for, whatever is first on PATH."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


def program(path: Path, text: str = "") -> Path:
    """Write a shell script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def run_qgis(load_tool):
    return load_tool("tools/run_qgis")


def test_qgis_finds_its_own_python_where_another_one_is_first_on_path(run_qgis, tmp_path, monkeypatch):
    """QGIS takes the library of the Python that it finds by PATH. With another one's it stands at a dialog."""
    noted = tmp_path / "noted"
    program(tmp_path / "pyenv" / "python3")
    program(tmp_path / "pyenv" / "qgis", f'{{ command -v python3; echo "home: $PYTHONHOME"; echo "$0"; }} > {noted}')
    monkeypatch.setenv("PATH", str(tmp_path / "pyenv"), prepend=os.pathsep)
    monkeypatch.setenv("PYTHONHOME", str(tmp_path / "pyenv"))
    options = run_qgis.arguments(["--profile-folder", str(tmp_path / "profile")])
    assert run_qgis.started_qgis(options, ":0", tmp_path / "report").wait() == 0
    python, home, qgis = noted.read_text().splitlines()
    assert python == str(Path(sys.executable).parent / "python3")
    assert home == "home: "
    assert qgis == str(tmp_path / "pyenv" / "qgis"), "the QGIS that was asked for"

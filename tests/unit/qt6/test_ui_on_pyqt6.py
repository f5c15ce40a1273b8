"""The parts of the plugin that run without QGIS run on PyQt6, the Qt of QGIS 4."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slowness import patience


@pytest.fixture(scope="module")
def said(pyqt6, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    program = Path(__file__).with_name("widgets.py")
    environment = {"HOME": str(home), "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    answer = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=patience(110),
                            stdin=subprocess.DEVNULL, env=environment)
    assert answer.returncode == 0, answer.stderr[-3000:]
    return json.loads(answer.stdout.strip().splitlines()[-1])


def test_every_module_is_imported_and_every_widget_drawn_and_used(said):
    assert said["failures"] == []
    assert said["modules"] > 200


def test_the_main_parts_of_the_dock_are_among_them(said):
    drawn = {name.rsplit(".", 1)[-1] for name in said["widgets"]}
    assert {"SearchBar", "FacetRow", "RecordListView", "ComposerPanel", "ServiceView", "OperationsPage", "SettingsForm",
            "WelcomePanel", "CompareDialog", "RecordView tab 5", "RecordListView with hits", "MapRows with rows",
            "LayersPage with layers", "OperationsPage with its form", "FeatureTable with features"} <= drawn
    assert len(drawn) > 60
    assert said["closed"].count("QMenu") > 10

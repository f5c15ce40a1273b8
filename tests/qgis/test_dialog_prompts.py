"""The folder in which file dialogs open."""

from __future__ import annotations

from pathlib import Path

import pytest
from qgis.PyQt.QtWidgets import QFileDialog, QWidget

from plugin.gis.runtime import settings
from plugin.ui.widgets.dialog_prompts import DialogPrompts


@pytest.fixture
def starts(monkeypatch):
    """The places where dialogs began; each is cancelled."""
    found = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName",
                        lambda _parent, _title, start, _filters: found.append(start) or ("", ""))
    return found


def test_a_map_is_exported_into_the_folder_of_its_project(project, qtbot, starts, tmp_path):
    parent = QWidget()
    qtbot.addWidget(parent)
    prompts = DialogPrompts(parent)
    settings.set("last_folder", str(tmp_path / "elsewhere"))
    assert prompts.save_file("Export", "map.pdf", "PDF (*.pdf)", in_project=True) is None
    (tmp_path / "park").mkdir()
    assert project.write(str(tmp_path / "park" / "park.qgz"))
    prompts.save_file("Export", "map.pdf", "PDF (*.pdf)", in_project=True)
    prompts.save_file("Save", "records.csv", "CSV (*.csv)")
    assert [Path(start) for start in starts] == [tmp_path / "elsewhere" / "map.pdf", tmp_path / "park" / "map.pdf",
                                                 tmp_path / "elsewhere" / "records.csv"]


def test_the_export_asks_for_a_file_in_the_folder_of_the_project(open_dock, project, starts, tmp_path):
    dock = open_dock()
    assert project.write(str(tmp_path / "park.qgz"))
    assert dock.composer_controller.exporter.ask_path("pdf") is None
    assert Path(starts[0]).parent == tmp_path and starts[0].endswith(".pdf")

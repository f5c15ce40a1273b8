"""The record library in the settings: moved with its records, refused with a reason, unchanged after a refusal."""

from __future__ import annotations

import sqlite3

import pytest

from plugin.core.library.query import LibraryQuery
from plugin.core.library.record_store import RecordStore
from plugin.core.records import read
from plugin.gis.library.record_library import store_path
from plugin.gis.runtime import settings
from plugin.ui.settings.settings_form import SettingsDialog


@pytest.fixture
def dock(repository, open_dock):
    data = (repository / "resources" / "records" / "park-guide.xml").read_text(encoding="utf-8")
    record = read(data.replace("cartoguide:starter", "nuevo").replace("Despeñaperros. 2014", "de mi disco").encode())[0]
    store = RecordStore(store_path())
    store.save("here", "folder", "Hojas", [(record, "a.xml")])
    store.collections.save("Mías", [record.id])
    store.close()
    return open_dock()


@pytest.fixture
def dialog(dock):
    dock.dialogs.open_settings()
    return dock.findChild(SettingsDialog)


def own(dock):
    return [hit.title for hit in dock.model.hits if "de mi disco" in hit.title]


def choose(dialog, path):
    dialog.form.fields["store/path"].setFilePath(str(path))
    dialog.buttons.button(dialog.buttons.StandardButton.Ok).click()


def test_another_place_with_the_records_taken_along(dock, dialog, wait_until, tmp_path):
    before = store_path()
    assert not dialog.form.copy_records_box.isEnabled()
    choose(dialog, tmp_path / "compartido" / "registros.sqlite")
    wait_until(lambda: settings.get("store/path") and not dock.session.loading)
    assert dock.session.library.store_if_open.path == tmp_path / "compartido" / "registros.sqlite"
    wait_until(lambda: own(dock))
    assert dock.session.collections() == [("Mías", 1)]
    assert "3 records are now in the other library" in dock.messages.history[-1][1]
    assert before.exists()


def test_another_place_without_them_is_an_empty_store_and_the_way_back_is_there(dock, dialog, wait_until, tmp_path):
    dialog.form.copy_records_box.setChecked(False)
    choose(dialog, tmp_path / "registros.sqlite")
    wait_until(lambda: settings.get("store/path") and not dock.session.loading)
    wait_until(lambda: not own(dock))
    assert dock.model.rowCount() == 3
    settings.reset("store/path")
    dock.session.apply_settings(["store/path"])
    wait_until(lambda: own(dock))


def test_what_cannot_hold_the_records_is_refused_and_left_alone(dock, dialog, wait_until, tmp_path):
    foreign = tmp_path / "foreign.sqlite"
    connection = sqlite3.connect(foreign)
    connection.execute("create table other(x)")
    connection.commit()
    connection.close()
    before = foreign.read_bytes()
    for path, said in ((foreign, "not a Cartoguide record library"), ("registros.sqlite", "full path")):
        choose(dialog, path)
        wait_until(lambda said=said: said in dialog.form.problem_label.text())
        assert dialog.buttons.button(dialog.buttons.StandardButton.Ok).isEnabled()
    assert settings.get("store/path") == ""
    assert foreign.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["foreign.sqlite"]
    assert dock.session.library.store_if_open.search(LibraryQuery("disco")).hits

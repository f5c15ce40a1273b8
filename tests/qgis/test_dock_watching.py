"""Watched folders in the dock: changed files are read again, deleted ones are marked, across sessions."""

from __future__ import annotations

import pytest

from plugin.core.records import read
from plugin.gis.library import folder_watcher
from plugin.gis.runtime import settings


@pytest.fixture
def make_dock(open_dock, wait_until, monkeypatch):
    monkeypatch.setattr(folder_watcher, "SETTLE_MILLISECONDS", 50)

    def make():
        dock = open_dock(320)
        wait_until(lambda: not dock.watched_folders.folders.scanning)
        return dock

    return make


@pytest.fixture
def sheet(repository):
    guide = repository / "resources" / "records" / "park-guide.xml"
    record = read(guide.read_bytes())[0]

    def make(letter, title):
        text = guide.read_text(encoding="utf-8").replace("cartoguide:starter", "nuevo")
        return text.replace(record.id, letter * 40).replace(record.title, title).encode()

    return make


def rows(dock):
    return {dock.model.index(row).data(): dock.session.facts(dock.model.hit(row))
            for row in range(dock.model.rowCount())}


def last(dock):
    return dock.messages.history[-1][1] if dock.messages.history else ""


def test_a_watched_folder_is_followed_marked_and_watched_again_by_the_next_session(make_dock, wait_until, sheet,
                                                                                   tmp_path):
    folder = tmp_path / "registros"
    folder.mkdir()
    (folder / "a.xml").write_bytes(sheet("a", "Hoja A"))
    (folder / "b.xml").write_bytes(sheet("b", "Hoja B"))
    dock = make_dock()
    dock.watched_folders.watch(str(folder))
    wait_until(lambda: {"Hoja A", "Hoja B"} <= set(rows(dock)))
    assert last(dock) == "Folder registros: 2 new."
    assert len(rows(dock)) == 4, "the starter of the same service gave way"
    (folder / "a.xml").write_bytes(sheet("a", "Hoja A, corregida"))
    wait_until(lambda: "Hoja A, corregida" in rows(dock))
    assert "1 changed" in last(dock)
    (folder / "b.xml").unlink()
    wait_until(lambda: "removed from its source" in rows(dock)["Hoja B"])
    assert "removed from" not in rows(dock)["Hoja A, corregida"]
    assert last(dock) == "Folder registros: 1 removed."
    dock.close_down()
    (folder / "c.xml").write_bytes(sheet("c", "Hoja C"))
    second = make_dock()
    wait_until(lambda: "Hoja C" in rows(second))
    assert "removed from its source" in rows(second)["Hoja B"]
    second.watched_folders.unwatch(str(folder))
    assert settings.get("watched_folders") == ""
    second.watched_folders_menu.fill()
    assert second.watched_folders_menu.menu.isEmpty()


def test_what_cannot_be_read_or_reached_is_told_and_nothing_is_lost(make_dock, wait_until, sheet, tmp_path):
    folder = tmp_path / "registros"
    folder.mkdir()
    (folder / "a.xml").write_bytes(sheet("a", "Hoja A"))
    (folder / "x.xml").write_bytes(b"<broken")
    dock = make_dock()
    dock.watched_folders.watch(str(folder))
    wait_until(lambda: "1 could not be read" in last(dock))
    wait_until(lambda: "Hoja A" in rows(dock))
    dock.watched_folders.watch(str(folder / "below"))
    assert "already being watched" in last(dock)
    wait_until(lambda: not dock.watched_folders.folders.scanning)
    folder.rename(tmp_path / "fuera")
    dock.watched_folders.folders.scan(str(folder))
    wait_until(lambda: "cannot be reached" in last(dock))
    assert "removed from" not in rows(dock)["Hoja A"]
    dock.watched_folders_menu.fill()
    lines = dock.watched_folders_menu.menu.actions()[0].menu().actions()
    assert "cannot be reached" in lines[0].text()
    assert [line.text() for line in lines[2:]] == ["Show its records", "Scan now", "Stop watching"]


def test_settings_that_hold_nonsense_watch_nothing(make_dock):
    settings.set("watched_folders", '{"a": [')
    assert make_dock().watched_folders.folders.folders == ()

"""Harvests from the dock: progress, stop, resume, and a summary that lists every failure."""

from __future__ import annotations

import pytest
from made_catalogue import made
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QPlainTextEdit
from scripted_catalogue import ScriptedCatalogue

from plugin.core.catalogues.model import Source, SourceKind
from plugin.core.errors import CartoguideError
from plugin.core.library.record_store import CheckpointStore
from plugin.gis.catalogues import catalogue_client, harvest
from plugin.gis.runtime import settings
from plugin.ui.catalogues.catalogues_dialog import HarvestDialog
from plugin.ui.dock import job_progress
from plugin.ui.dock.job_progress import JobRow
from plugin.ui.widgets.messages import DetailsDialog


@pytest.fixture
def server():
    with ScriptedCatalogue(made(45)) as running:
        yield running


@pytest.fixture
def dock(server, monkeypatch, open_dock):
    monkeypatch.setattr(harvest, "EVERYTHING", harvest.CatalogueQuery(page_size=10))
    monkeypatch.setattr("plugin.ui.catalogues.catalogues_dialog.EVERYTHING", harvest.CatalogueQuery(page_size=10))
    settings.set("first_byte_timeout", 8.0)
    settings.set("retries", 0)
    catalogue_client.forget_protocol()
    return open_dock()


def dialog_of(dock, kind):
    return next(child for child in reversed(dock.findChildren(kind)) if child.isVisible())


def rows(dock):
    return [row for row in dock.job_rows.findChildren(JobRow) if row.isVisible()]


def asked(dock, source):
    dock.list_page.catalogues.open_harvest_dialog(source)
    return dialog_of(dock, HarvestDialog)


def ended(dock, wait_until):
    wait_until(lambda: not dock.list_page.harvests.running and not harvest._running)
    wait_until(lambda: not dock.session.loading)


@pytest.mark.slow
def test_everything_or_what_the_search_finds_is_harvested(dock, server, wait_until):
    source = Source(f"{server.url}/geonetwork", SourceKind.GEONETWORK, "Red")
    dock.search.setText("precipitación")
    dialog = asked(dock, source)
    assert "precipitación" in dialog.query_label.text() and dialog.search_radio.isChecked()
    dialog.harvest_button.click()
    ended(dock, wait_until)
    assert rows(dock)[0].label.text() == "Red: 9 new"
    wait_until(lambda: any(hit.identifier == "made-0005" for hit in dock.model.hits))
    dialog = asked(dock, source)
    dialog.everything_radio.setChecked(True)
    dialog.harvest_button.click()
    ended(dock, wait_until)
    [row] = rows(dock)
    assert row.label.text() == "Red: 36 new, 9 unchanged", "it replaces the result of the one before"
    row.close_button.click()
    assert not dock.job_rows.isVisible()


def test_the_docks_filter_is_harvested_whole_and_what_went_well_is_told_for_a_while(dock, server, wait_until,
                                                                                   monkeypatch):
    monkeypatch.setattr(job_progress, "_DISPLAY_MS", 60)
    source = Source(f"{server.url}/api", SourceKind.OGC_API, "Red")
    for facet, value in (("keyword", "agua"), ("keyword", "clima"), ("licence", "undecided"), ("kind", "service")):
        dock.facets.set_value(facet, value, True)
    dialog = asked(dock, source)
    assert dialog.query_label.text() == "agua or clima, Services, Terms unclear" and dialog.filter_label.isVisible()
    dialog.harvest_button.click()
    [row] = rows(dock)
    wait_until(lambda: not row.running)
    assert row.label.text() == "Red: 4 new, 41 left out"
    wait_until(lambda: not dock.job_rows.isVisible())
    ended(dock, wait_until)
    dialog = asked(dock, source)
    note = dialog.filter_label.text()
    assert "Not supported by the catalogue: Keyword, Terms." in note, "it has said by now what it can"
    dialog.everything_radio.setChecked(True)
    assert not dialog.filter_label.isVisible()


def test_a_line_is_closed_also_when_no_widget_has_the_focus(dock, monkeypatch, wait_until):
    monkeypatch.setattr(job_progress, "_DISPLAY_MS", 20)
    monkeypatch.setattr(job_progress.QApplication, "focusWidget", lambda: None)
    dock.job_rows.add("A", "a").show_result("1 new", False, False)
    wait_until(lambda: dock.job_rows.rows == [])


def test_a_line_that_asks_for_something_stays_until_it_is_closed(dock, qtbot, monkeypatch, wait_until):
    monkeypatch.setattr(job_progress, "_DISPLAY_MS", 20)
    quick, slow = dock.job_rows.add("A", "a"), dock.job_rows.add("B", "b")
    slow.show_result("broken off", True, True)
    quick.show_result("1 new", False, False)
    wait_until(lambda: dock.job_rows.rows == [slow])
    qtbot.wait(80)
    assert slow.isVisible()
    qtbot.keyClick(slow, Qt.Key.Key_Escape)
    assert dock.job_rows.rows == [] and not dock.job_rows.isVisible()


def test_a_stopped_harvest_goes_on_where_it_was(dock, server, wait_until, monkeypatch):
    source = Source(f"{server.url}/csw", SourceKind.CSW_2, "Red")
    server.misbehave, server.fault_from = "hang", 4
    asked(dock, source).harvest_button.click()
    row = rows(dock)[0]
    wait_until(lambda: "30" in row.label.text())
    row.cancel.click()
    ended(dock, wait_until)
    assert "stopped" in row.label.text() and row.resume_button.isVisible(
    ) and dock.session.library.store_if_open.count_records() >= 30
    server.misbehave = ""
    dialog = asked(dock, source)
    assert dialog.resume_label.isVisible() and dialog.restart_box.isVisible(), "the break is told the next time too"
    dialog.close()
    with monkeypatch.context() as patch:
        patch.setattr(CheckpointStore, "load", locked)
        patch.setattr(CheckpointStore, "save", locked)
        dialog = asked(dock, source)
        assert not dialog.resume_label.isVisible() and "library is locked" in dock.messages.history[-1][1]
        dialog.close()
        dock.list_page.harvests.start(source, harvest.EVERYTHING, restart=True)
        assert len(dock.messages.history) == 2 and not dock.list_page.harvests.running
    row.resume_button.click()
    ended(dock, wait_until)
    assert "45 new" in rows(dock)[-1].label.text()


def locked(*_):
    raise CartoguideError("The record library is locked.")


def test_what_failed_is_counted_and_its_reasons_are_one_click_away(dock, server, wait_until):
    source = Source(f"{server.url}/csw", SourceKind.CSW_2, "Red")
    server.misbehave = "broken-record"
    asked(dock, source).harvest_button.click()
    ended(dock, wait_until)
    row = rows(dock)[0]
    assert "44 new" in row.label.text() and "1 failed" in row.label.text()
    row.reasons_button.click()
    assert "índice está roto" in dialog_of(dock, DetailsDialog).findChild(QPlainTextEdit).toPlainText()


def test_a_harvest_that_breaks_off_says_why_and_one_runs_at_a_time(dock, server, wait_until):
    source = Source(f"{server.url}/csw", SourceKind.CSW_2, "Red")
    server.misbehave, server.fault_from = "password", 2
    asked(dock, source).harvest_button.click()
    dock.list_page.harvests.start(source, harvest.EVERYTHING)
    assert "already" in dock.messages.history[-1][1]
    ended(dock, wait_until)
    row = rows(dock)[0]
    assert "interrupted" in row.label.text() and row.resume_button.isVisible() and row.reasons_button.isVisible()
    assert dock.session.library.store_if_open.find_copies("made-0001")

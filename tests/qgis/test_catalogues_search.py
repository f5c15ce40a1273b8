"""Searches of all catalogues from the dock: merged results, a line for each catalogue, versions, saving."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
from catalogue_servers import CatalogueServer, has
from made_catalogue import made
from qgis.core import QgsCoordinateReferenceSystem, QgsRectangle
from qgis.gui import QgsMapCanvas, QgsMessageBar
from qgis.PyQt.QtCore import QItemSelectionModel, Qt
from qgis.PyQt.QtWidgets import QDialog
from scripted_catalogue import ScriptedCatalogue

from plugin.app.records import remote_search_controller
from plugin.core.catalogues.model import Source, SourceKind
from plugin.core.catalogues.result_merging import RemoteHit
from plugin.core.errors import CartoguideError
from plugin.core.library.record_store import RecordStore
from plugin.core.records import read
from plugin.gis.catalogues import catalogue_client
from plugin.gis.library.record_library import store_path
from plugin.gis.runtime import settings, tasks
from plugin.ui.dock.dock_widget import CartoguideDock
from plugin.ui.widgets.error_actions import LoginDialog
from plugin.ui.widgets.messages import DetailsDialog
from tests.qgis.waiting import Held

RECORDS = made(12)


@pytest.fixture(autouse=True)
def quick(qgis_app, monkeypatch):
    monkeypatch.setattr(remote_search_controller, "_DEBOUNCE_MS", 30)
    settings.set("catalogue_type", "csw")
    settings.set("catalogue_url", "http://own.invalid/csw")
    settings.set("sources_off", '[["csw2", "http://own.invalid/csw"]]')
    settings.set("first_byte_timeout", 8.0)
    settings.set("retries", 0)
    catalogue_client.forget_protocol()


@pytest.fixture
def server():
    with ScriptedCatalogue(RECORDS) as running:
        yield running


@pytest.fixture
def make_dock(qgis_app, qtbot, wait_until):
    made_here = []

    def make(*sources, iface=None):
        widget = CartoguideDock(iface)
        made_here.append(widget)
        qtbot.addWidget(widget)
        widget.list_page.catalogues.sources.add(sources)
        widget.resize(340, 760)
        widget.show()
        wait_until(lambda: not widget.session.loading)
        return widget

    yield make
    for widget in made_here:
        widget.close_down()
    tasks.shutdown()


@pytest.fixture
def settled(wait_until):
    def wait(dock):
        wait_until(lambda: not dock.list_page.results._search_debounce.isActive() and not dock.session.loading
                   and not dock.list_page.remote_search.search.busy and not dock.session._count_worker.pending)

    return wait


def csw(server, title="IDE"):
    return Source(f"{server.url}/csw", SourceKind.CSW_2, title)


def geonetwork(server, title="GN"):
    return Source(f"{server.url}/geonetwork", SourceKind.GEONETWORK, title)


def remote(dock):
    return {hit.identifier: hit for hit in dock.model.hits if isinstance(hit, RemoteHit)}


def lines(dock):
    return [f"{row.name_label.text()}: {row.state.text()}" for row in dock.list_page.catalogue_panel.rows.values()]


def entry(row, words):
    return next(action for action in row.menu.menu().actions() if action.text() == words)


def choose(dock, identifier):
    dock.list.setCurrentIndex(dock.model.index(dock.model.row_of(identifier)))
    dock.pages.open_record()


def test_nothing_is_asked_before_the_person_asks(make_dock, server, qtbot, settled):
    dock = make_dock(csw(server))
    qtbot.keyClicks(dock.search, "comarca")
    settled(dock)
    assert "Search the catalogues" in dock.list.empty_label.text() and not server.requests
    dock.list.empty_label.linkActivated.emit("#remote")
    settled(dock)
    assert dock.list_page.search_bar.catalogues.isChecked()
    assert len(remote(dock)) == 12 and lines(dock) == ["IDE: 12 found"]
    dock.close_down()
    server.requests.clear()
    again = make_dock()
    settled(again)
    assert again.list_page.search_bar.catalogues.isChecked()
    assert not server.requests, "the words of the last time are no new wish"
    again.search.setText("precipitación")
    settled(again)
    assert server.requests and len(remote(again)) >= 1


def test_words_chips_and_the_type_go_to_every_catalogue(make_dock, server, settled):
    dock = make_dock(geonetwork(server))
    dock.list_page.search_bar.catalogues.click()
    for word in ("p", "pr", "precipitación"):
        dock.search.setText(word)
    settled(dock)
    assert set(remote(dock)) == {"made-0005", "made-0010"}
    searches = [body for _, path, body in server.requests if path.endswith("_search")]
    assert len(searches) <= 2, "the first one, and one for what was typed in the end"
    dock.facets.set_value("kind", "service", True)
    settled(dock)
    assert set(remote(dock)) == {"made-0010"}
    dock.facets.clear()
    dock.search.clear()
    dock.facets.set_value("keyword", "agua", True)
    settled(dock)
    assert set(remote(dock)) == {"made-0005", "made-0010"}


def test_only_one_catalogue_is_asked_and_the_counts_say_what_they_are_of(make_dock, server, settled, wait_until):
    with ScriptedCatalogue(made(70)) as large:
        many = csw(large, "Grande")
        dock = make_dock(geonetwork(server), many)
        own = wait_until(dock.facets.total.text)
        dock.list_page.search_bar.catalogues.click()
        settled(dock)
        assert dock.facets.total.text() == "at least 53 records", "50 of the large one, 12 of them in both"
        hint = dock.facets.total.toolTip()
        assert "3 in your records" in hint and "50 from catalogues" in hint
        services = dock.facets._chips[("kind", "service")]
        assert services.text() == "Services ≥ 28" and services.accessibleName() == "Type: Services, at least 28"
        dock.list_page.catalogue_panel.rows[many.key].more.click()
        settled(dock)
        assert dock.facets.total.text() == "73 records" and services.text() == "Services 38"
        large.requests.clear()
        entry(dock.list_page.catalogue_panel.rows[geonetwork(server).key], "Only this catalogue").trigger()
        settled(dock)
        assert not large.requests and lines(dock) == ["GN: 12 found"]
        assert len(dock.model.hits) == 12 == len(remote(dock)) and dock.facets.total.text() == "12 records"
        chip = dock.facets._chips[("source", geonetwork(server).key)]
        assert chip.isChecked() and chip.text() == "GN 12"
        assert entry(dock.list_page.catalogue_panel.rows[geonetwork(server).key], "Only this catalogue").isChecked()
        chip.click()
        settled(dock)
        assert len(dock.list_page.catalogue_panel.rows) == 2 and large.requests
        [kept] = [key for key in dock.session.sources() if key not in (many.key, geonetwork(server).key)]
        dock.facets.toggle_only_value("source", kept)
        settled(dock)
        assert not dock.list_page.catalogue_panel.rows
        assert "No other catalogue is contacted" in dock.list_page.catalogue_panel.empty_label.text()
        assert dock.facets.total.text() == "3 records" == own


def test_what_a_catalogue_cannot_be_asked_for_is_sorted_out_here_and_said(make_dock, server, settled):
    dock = make_dock(csw(server))
    dock.list_page.search_bar.catalogues.click()
    dock.facets.set_value("year", "2015", True)
    settled(dock)
    assert set(remote(dock)) == {"made-0005"} and lines(dock) == ["IDE: 1 found"]
    row = dock.list_page.catalogue_panel.rows[csw(server).key]
    assert "Not supported by the catalogue: Year." in row.accessibleName() and "Year" in row.state.toolTip()


def test_the_maps_view_goes_to_every_catalogue(make_dock, server, qtbot, settled):
    canvas = QgsMapCanvas()
    qtbot.addWidget(canvas)
    canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    canvas.setExtent(QgsRectangle(51.8, -10.2, 52.2, -9.8))
    bar = QgsMessageBar()
    qtbot.addWidget(bar)
    dock = make_dock(geonetwork(server), iface=SimpleNamespace(mapCanvas=lambda: canvas, messageBar=lambda: bar))
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    assert len(remote(dock)) == 12
    dock.facets.in_view_chip.click()
    settled(dock)
    assert set(remote(dock)) == {"made-0007"}, "the only one in the Indian Ocean"


def test_results_are_merged_with_the_kept_ones_and_the_newer_speaks(make_dock, server, settled, wait_until):
    older = replace(RECORDS[0], stamp="2001-01-01", title="Relieve viejo")
    newer = replace(RECORDS[1], stamp="2040-01-01", title="Relieve nuevo")
    store = RecordStore(store_path())
    store.save("mine", "folder", "Míos", [(read(item.xml)[0], f"{item.id}.xml") for item in (older, newer)])
    store.close()
    dock = make_dock(csw(server, "A"), geonetwork(server, "B"))
    dock.search.setText("relieve")
    settled(dock)
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    statuses = dock.list_page.remote_search.search.federated.statuses
    assert [(row.state, str(row.error or "")) for row in statuses] == [("done", "")] * 2
    identifiers = [hit.identifier for hit in dock.model.hits]
    assert len(identifiers) == len(set(identifiers)) == 12
    rows = remote(dock)
    assert rows["made-0001"].local_date_stamp == "2001-01-01" and "made-0002" not in rows
    text = dock.model.index(dock.model.row_of("made-0001")).data(Qt.ItemDataRole.ToolTipRole)
    assert "newer in A" in text and "in A ·" in dock.model.index(dock.model.row_of("made-0004")).data(
        Qt.ItemDataRole.ToolTipRole)
    choose(dock, "made-0002")
    wait_until(lambda: dock.view.record.title == "Relieve nuevo")
    assert dock.record_actions.origin_bar.isVisible() and dock.record_actions.origin_bar.text_label.text(
    ) == "Also in A, B" and not dock.record_actions.origin_bar.save_button.isVisible()
    dock.record_actions.origin_bar.versions.menu().actions()[0].trigger()
    wait_until(lambda: dock.view.record.title == RECORDS[1].title)
    assert dock.record_actions.origin_bar.save_button.isVisible()
    choose(dock, "made-0001")
    assert "copy is dated 2001-01-01" in dock.record_actions.origin_bar.text_label.text() and len(
        dock.record_actions.origin_bar.versions.menu().actions()) == 3


def test_an_outline_becomes_the_whole_record_and_is_kept(make_dock, server, settled, wait_until, qtbot):
    dock = make_dock(geonetwork(server))
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    choose(dock, "made-0003")
    assert dock.view.record.title == RECORDS[2].title
    wait_until(lambda: dock.view.record.original == RECORDS[2].xml)
    assert "not saved yet" in dock.record_actions.origin_bar.text_label.text()
    dock.record_actions.origin_bar.save_button.setFocus()
    qtbot.keyClick(dock.record_actions.origin_bar.save_button, Qt.Key.Key_Space)
    wait_until(lambda: "made-0003" not in remote(dock))
    settled(dock)
    assert dock.session.library.store_if_open.find_copies("made-0003")[0].source == f"{server.url}/geonetwork"
    assert dock.view.record.id == "made-0003" and dock.list.currentIndex().row() == dock.model.row_of("made-0003")
    assert not dock.record_actions.origin_bar.save_button.isVisible()
    assert "Saved in your records" in dock.messages.history[-1][1]
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    assert "made-0003" in [hit.identifier for hit in dock.model.hits] and not remote(dock)


def test_the_version_that_is_shown_is_saved_and_not_the_one_that_came_last(make_dock, server, settled, wait_until):
    older = replace(RECORDS[2], stamp="2001-01-01", title="Relieve viejo")
    with ScriptedCatalogue([older]) as second:
        dock = make_dock(csw(server, "A"), csw(second, "B"))
        dock.list_page.search_bar.catalogues.click()
        settled(dock)
        choose(dock, older.id)
        wait_until(lambda: dock.view.record.title == RECORDS[2].title)
        versions = dock.record_actions.origin_bar.versions.menu
        versions().actions()[1].trigger()
        wait_until(lambda: dock.view.record.title == older.title)
        versions().actions()[0].trigger()
        wait_until(lambda: dock.view.record.title == RECORDS[2].title)
        [save] = [action for action in dock.record_actions.context_menu.build_menu().actions()
                  if not action.isSeparator()]
        save.trigger()
        wait_until(lambda: older.id not in remote(dock))
        [copy] = dock.session.library.store_if_open.find_copies(older.id)
    assert (copy.source, dock.session.record(older.id).title) == (f"{server.url}/csw", RECORDS[2].title)


def test_a_record_is_saved_again_after_it_was_removed(make_dock, server, settled, wait_until):
    dock = make_dock(geonetwork(server))
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    for _ in range(2):
        dock.list_page.remote_search.save_records([remote(dock)["made-0003"]])
        wait_until(lambda: "made-0003" not in remote(dock))
        settled(dock)
        dock.list_page.remove_records(["made-0003"])
        wait_until(lambda: "made-0003" in remote(dock))
        settled(dock)


def test_a_record_that_cannot_be_saved_is_named(make_dock, server, settled, wait_until):
    dock = make_dock(geonetwork(server))
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    server.records.remove(RECORDS[2])
    dock.list_page.remote_search.save_records([remote(dock)["made-0003"]])
    wait_until(lambda: dock.messages.history)
    [(_, text)] = dock.messages.history
    assert f"“{RECORDS[2].title}” was not saved" in text
    server.records.insert(2, RECORDS[2])
    dock.list_page.remote_search.save_records([remote(dock)["made-0003"]])
    wait_until(lambda: "made-0003" not in remote(dock))
    gone = replace(next(iter(remote(dock).values())), identifier="gone", title="Mapa ido")
    dock.list_page.remote_search.save_records([gone])
    assert "“Mapa ido” was not saved" in dock.messages.history[-1][1]


def test_a_complete_record_that_comes_late_is_not_shown_where_none_is(make_dock, server, settled, wait_until,
                                                                      monkeypatch):
    held = Held(monkeypatch, ScriptedCatalogue, "_formatted", lambda *_: True)
    dock = make_dock(geonetwork(server))
    dock.list_page.search_bar.catalogues.click()
    dock.search.setText("comarca")
    settled(dock)
    assert len(remote(dock)) == dock.model.rowCount()
    choose(dock, "made-0003")
    wait_until(held.done.is_set)
    dock.search.setText("nothing has these words")
    wait_until(lambda: not dock.model.rowCount() and dock.view.record is None)
    jobs = list(dock.list_page.remote_search.search._record_jobs.values())
    held.end()
    wait_until(lambda: not any(job.running for job in jobs))
    assert dock.view.record is None and not dock.pages.record_opened


def test_a_deferred_outline_does_not_cover_the_complete_record(make_dock, server, settled, wait_until,
                                                               monkeypatch):
    held = Held(monkeypatch, ScriptedCatalogue, "_formatted", lambda *_: True)
    dock = make_dock(geonetwork(server))
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    choose(dock, "made-0003")
    wait_until(held.done.is_set)
    results, [job] = dock.list_page.results, dock.list_page.remote_search.search._record_jobs.values()
    monkeypatch.setattr(results._deferred_timer, "start", lambda: None)
    results.run_search()
    wait_until(lambda: results._deferred_record is not None and not dock.session.loading)
    held.end()
    wait_until(lambda: not job.running)
    results._show_deferred()
    assert dock.view.record.original == RECORDS[2].xml


@pytest.mark.parametrize("way", ["shown", "added"])
def test_a_record_that_was_left_before_it_was_complete_is_not_added_and_named(make_dock, server, settled, way):
    dock = make_dock(geonetwork(server))
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    refused = []
    dock.map.builds.not_added.connect(lambda title, _error: refused.append(title))
    dock.list_page.add_remote("made-0003")
    assert dock.map.arrivals.pending
    (partial(choose, dock) if way == "shown" else dock.list_page.add_remote)("made-0004")
    title = RECORDS[2].title
    assert refused == [title], "an export that waits is not begun without it"
    assert dock.map.arrivals.pending is (way == "added")
    assert dock.messages.history == [
        ("error", f"“{title}” is not added: Another record was selected before this one was complete.")]
    if way == "shown":
        settled(dock)
        choose(dock, "made-0003")
        settled(dock)
        assert len(dock.messages.history) == 1 and not dock.map.arrivals.pending, "nor later, unasked"
        choose(dock, "made-0004")
        assert dock.note.details.text() == "Try again"
        dock.note.details.click()
        assert dock.view.record.title == title and dock.map.arrivals.pending


def test_results_that_cannot_be_compared_with_the_library_say_why(make_dock, server, settled, monkeypatch):
    def locked(_store, _identifiers):
        raise CartoguideError("The record library is locked.")

    dock = make_dock(csw(server))
    monkeypatch.setattr(RecordStore, "find_by_identifiers", locked)
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    assert "The record library is locked." in dock.messages.history[-1][1]
    # what asks for the star of the shown record hears the same, and raises nothing in the window
    dock.record_actions.menu.show_star()
    assert not dock.session.record_for_endpoint("https://geo.test/wms?")


def test_several_are_kept_from_the_lists_menu(make_dock, server, settled, wait_until):
    dock = make_dock(geonetwork(server))
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    rows = [dock.model.row_of(f"made-000{number}") for number in (2, 4)]
    dock.list.setCurrentIndex(dock.model.index(rows[0]))
    dock.pages.open_record()
    dock.list.selectionModel().select(dock.model.index(rows[1]), QItemSelectionModel.SelectionFlag.Select)
    [keep] = [action for action in dock.record_actions.context_menu.build_menu().actions() if not action.isSeparator()]
    assert keep.text() == "Save 2 records in my records", "what is not kept cannot be put into a collection"
    keep.trigger()
    wait_until(lambda: dock.session.library.store_if_open.find_copies("made-0002") and dock.session.library.
               store_if_open.find_copies("made-0004"))
    wait_until(lambda: not {"made-0002", "made-0004"} & set(remote(dock)))
    assert dock.session.record("made-0004").original == RECORDS[3].xml


@pytest.mark.slow
def test_a_record_that_goes_onto_the_map_is_kept(make_dock, network, settled, wait_until, project):
    pytest.importorskip("netserve.csw", reason="pycsw is not installed", exc_type=ImportError)
    settings.set("first_byte_timeout", 30.0)
    dock = make_dock(geonetwork(network, "Red"))
    dock.search.setText("guía")
    dock.list_page.search_bar.catalogues.click()
    wait_until(lambda: not dock.list_page.remote_search.search.busy and remote(dock), 60)
    identifier = next(iter(remote(dock)))
    choose(dock, identifier)
    wait_until(lambda: dock.record_actions.origin_bar.save_button.isVisible() and dock.view.record.id == identifier)
    dock.add_dropped(identifier)
    wait_until(lambda: project.mapLayers(), 60)
    assert dock.session.library.store_if_open.find_copies(identifier), "its credit is read from it the next time too"
    assert all(layer.metadata().rights() for layer in project.mapLayers().values())


def test_a_catalogue_that_fails_costs_its_own_line_only(make_dock, server, settled, wait_until):
    with ScriptedCatalogue(RECORDS) as locked, ScriptedCatalogue(made(40)) as round_and_round:
        locked.misbehave, round_and_round.misbehave = "password", "repeat"
        dead = Source("http://127.0.0.1:9/csw", SourceKind.CSW_2, "Muerto")
        dock = make_dock(csw(server, "Vivo"), dead, geonetwork(locked, "Cerrado"), csw(round_and_round, "Noria"))
        dock.list_page.search_bar.catalogues.click()
        settled(dock)
        said = dict(line.split(": ", 1) for line in lines(dock))
        assert (said["Vivo"], said["Muerto"], said["Cerrado"]) == ("12 found", "is down", "requires a login")
        row = dock.list_page.catalogue_panel.rows[dead.key]
        assert "refuses" in row.accessibleName()
        assert row.reasons_button.isVisible() and row.retry_button.isVisible() and not row.more.isVisible()
        row.reasons_button.click()
        assert any(isinstance(child, DetailsDialog) and child.isVisible() for child in dock.findChildren(QDialog))
        more = dock.list_page.catalogue_panel.rows[csw(round_and_round).key].more
        for _ in range(5):
            if not more.isVisible():
                break
            more.click()
            settled(dock)
        assert not more.isVisible(), "a page that comes again and again ends the search of its catalogue"
        shut = dock.list_page.catalogue_panel.rows[geonetwork(locked).key]
        entry(shut, "Login…").trigger()
        assert any(isinstance(child, LoginDialog) for child in dock.findChildren(QDialog))
        locked.misbehave = ""
        shut.retry_button.click()
        settled(dock)
        assert shut.state.text() == "12 found" and not shut.reasons_button.isVisible()
        assert dock.messages.history == [], "nothing pops up over a catalogue that fails"


def test_more_comes_page_by_page_and_the_list_stays_where_it_is(make_dock, settled, monkeypatch):
    with ScriptedCatalogue(made(70)) as large:
        dock = make_dock(csw(large))
        dock.list_page.search_bar.catalogues.click()
        settled(dock)
        assert lines(dock) == ["IDE: 50 of 70"]
        choose(dock, "made-0007")
        bar = dock.list.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        before = dock.list.indexAt(dock.list.viewport().rect().topLeft()).data()
        dock.list_page.catalogue_panel.rows[csw(large).key].more.click()
        settled(dock)
        assert lines(dock) == ["IDE: 70 found"] and len(remote(dock)) == 70
        assert dock.view.record.id == "made-0007"
        assert dock.list.indexAt(dock.list.viewport().rect().topLeft()).data() == before


def test_what_is_pressed_and_opened_between_two_searches_does_no_harm(make_dock, server, settled, wait_until, tmp_path):
    (tmp_path / "a.xml").write_bytes(replace(RECORDS[8], number=77, title="Comarca abierta").xml)
    dock = make_dock(csw(server))
    dock.search.setText("comarca")
    settled(dock)
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    dock.list_page.remote_search.search._debounce_timer.setInterval(60_000)
    dock.search.setText("comarca 1")
    wait_until(lambda: dock.list_page.remote_search.search._debounce_timer.isActive())
    dock.list_page.catalogue_panel.action_requested.emit("more", csw(server).key)
    dock.list_page.remote_search.search._debounce_timer.setInterval(10)
    dock.search.setText("comarca")
    dock.session.open_paths([str(tmp_path / "a.xml")])
    settled(dock)
    wait_until(lambda: dock.view.record.id == "made-0077")
    settled(dock)
    assert dock.search.text() == "comarca" and dock.view.record.id == "made-0077" and len(remote(dock)) == 12


def test_no_catalogue_says_what_to_do(make_dock, settled):
    dock = make_dock()
    dock.list_page.search_bar.catalogues.click()
    settled(dock)
    label = dock.list_page.catalogue_panel.empty_label
    assert label.isVisible() and "Add a catalogue" in label.text()


@pytest.mark.slow
def test_real_servers_answer_the_dock(make_dock, settled, wait_until):
    if not has("pycsw", "sqlalchemy") or not has("pygeoapi", "tinydb", "flask", "yaml"):
        pytest.skip("pycsw and pygeoapi are not installed")
    settings.set("first_byte_timeout", 30.0)
    with CatalogueServer("pycsw", RECORDS[:8]) as one, CatalogueServer("pygeoapi", RECORDS[4:]) as two:
        dock = make_dock(Source(f"{one.url}/geonetwork/srv/spa/csw", SourceKind.CSW_2, "pycsw"),
                         Source(two.url, SourceKind.OGC_API, "pygeoapi", "registros"))
        dock.search.setText("comarca")
        settled(dock)
        dock.list_page.search_bar.catalogues.click()
        wait_until(lambda: not dock.list_page.remote_search.search.busy, 60)
        assert sorted(lines(dock)) == ["pycsw: 8 found", "pygeoapi: 8 found"]
        assert set(remote(dock)) == {record.id for record in RECORDS}
        choose(dock, "made-0001")
        wait_until(lambda: dock.record_actions.origin_bar.save_button.isVisible())
        assert dock.view.record.title == RECORDS[0].title

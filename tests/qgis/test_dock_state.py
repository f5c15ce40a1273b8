"""State of the dock that is saved between sessions, and its welcome at the first."""

from __future__ import annotations

import pytest
from qgis.core import QgsSettings
from qgis.PyQt.QtCore import Qt

from plugin.core.library.query import SortOrder
from plugin.gis.runtime import settings
from plugin.ui.dock.dock_widget import STATE_PREFIX
from plugin.ui.dock.search_bar import DockAction
from plugin.ui.record.issues_dialog import IssuesDialog
from plugin.ui.widgets import guide


def test_search_order_filters_and_the_chosen_record_are_there_again(network_dock, wait_until):
    dock = network_dock()
    wait_until(lambda: dock.model.rowCount() == 3)
    came = []
    dock.list_page.results.results_shown.connect(came.append)
    dock.facets.set_sort(SortOrder.TITLE)
    dock.facets.set_value("kind", "service", True)
    wait_until(lambda: came and came[-1].facets and came[-1].sort == "title")
    dock.list.setCurrentIndex(dock.model.index(2))
    wanted = dock.model.hit(2).identifier
    wait_until(lambda: dock.view.record is not None and dock.list_page.results.selected_identifier == wanted)
    dock.view.tabs.setCurrentIndex(3)
    dock.save_state()
    again = network_dock()
    wait_until(lambda: again.model.rowCount() == 3 and again.view.record is not None)
    assert again.facets.sort is SortOrder.TITLE
    assert again.facets.selected == {"kind": ("service",)}
    assert again.view.tabs.currentIndex() == 3
    assert again.list_page.results.selected_identifier == wanted
    assert again.model.hit(again.list.currentIndex().row()).identifier == wanted


@pytest.mark.parametrize("damaged", ["[1, 2", "7", '{"kind": 3, "nobody": ["x"], "year": ["2014", 5]}'])
def test_a_damaged_state_is_survived(open_dock, damaged):
    store = QgsSettings()
    for key in ("narrowed", "order", "record", "collection", "splitter", "tab"):
        store.setValue(STATE_PREFIX + key, damaged)
    dock = open_dock()
    assert set(dock.facets.selected) <= {"year"}
    assert dock.facets.sort is SortOrder.RELEVANCE


def test_it_is_seen_until_it_is_closed(open_dock):
    dock = open_dock()
    assert dock.list_page.welcome.isVisible()
    dock.list_page.welcome.done.click()
    assert not dock.list_page.welcome.isVisible()
    assert not open_dock().list_page.welcome.isVisible(), "closed for good"


def test_the_welcome_goes_with_the_first_map_and_leaves_the_menu_to_its_page(network_dock, wait_until):
    dock = network_dock()
    wait_until(lambda: dock.model.rowCount() == 3)
    assert dock.list_page.welcome.isVisible()
    dock.list.add_requested.emit(dock.model.hit(0))
    wait_until(lambda: len(dock.map.items) == 1, 60)
    wait_until(dock.list_page.welcome.isHidden)
    assert settings.get("welcomed")
    assert "A first map" in [action.text() for action in dock.list_page.search_bar.more.menu().actions()]


@pytest.mark.parametrize("what", [DockAction.FIRST_MAP, DockAction.FILES, DockAction.CATALOGUE])
def test_each_of_its_three_things_does_what_it_says(open_dock, monkeypatch, what):
    done = []
    monkeypatch.setattr(guide, "show", done.append)
    monkeypatch.setattr("plugin.app.records.record_controller.RecordController.open_files",
                        lambda _self: done.append(DockAction.FILES))
    monkeypatch.setattr("plugin.ui.catalogues.catalogue_controller.CatalogueController.open_add_dialog",
                        lambda _self: done.append(DockAction.CATALOGUE))
    dock = open_dock()
    dock.list_page.welcome.label.linkActivated.emit(what)
    assert done == [what]
    assert dock.list_page.welcome.isVisible() and not settings.get("welcomed"), "the other things are still to be done"


def test_its_links_are_reached_by_keyboard_and_it_is_low(open_dock):
    dock = open_dock(width=320)
    assert dock.list_page.welcome.label.focusPolicy() != Qt.FocusPolicy.NoFocus
    assert dock.list_page.welcome.label.text().count("<a ") == 3
    assert dock.list_page.welcome.height() < 4 * dock.fontMetrics().height()


def test_the_plus_opens_records_and_the_last_button_has_a_menu_with_the_rest(open_dock):
    dock = open_dock()

    def labels(button):
        return [action.text() for action in button.menu().actions() if not action.isSeparator()]

    assert labels(dock.list_page.search_bar.add) == ["Open files…", "Open a folder…", "Open an address…", "Paste"]
    assert labels(dock.list_page.search_bar.more) == [
        "Search the catalogues", "Catalogues…", "Add a catalogue…", "Refresh from the catalogue",
        "Check the listed records…", "Health of services…", "Settings…", "A first map",
            "User guide (F1)"]


def test_the_menu_of_the_dock_checks_the_listed_records(network_dock, wait_until, monkeypatch, tmp_path):
    dock = network_dock()
    wait_until(lambda: dock.model.rowCount() == 3)
    target = tmp_path / "issues.csv"
    monkeypatch.setattr(dock.prompts, "save_file", lambda *_: target)
    dock.list_page.search_bar.action_requested.emit(DockAction.CHECK)
    dialog = wait_until(lambda: next(iter(dock.findChildren(IssuesDialog)), None))
    assert dialog.tree.topLevelItemCount() == 3 and not target.exists()
    dialog.save_button.click()
    wait_until(target.exists)
    dialog.close()

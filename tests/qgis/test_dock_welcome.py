"""The welcome message of the first start."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import Qt

from plugin.gis.runtime import settings
from plugin.ui.dock.search_bar import DockAction
from plugin.ui.widgets import guide


def test_it_is_seen_until_it_is_closed(open_dock):
    dock = open_dock()
    assert dock.welcome.isVisible()
    dock.welcome.done.click()
    assert not dock.welcome.isVisible()
    assert not open_dock().welcome.isVisible(), "closed for good"


@pytest.mark.parametrize("what", [DockAction.FIRST_MAP, DockAction.FILES, DockAction.CATALOGUE])
def test_each_of_its_three_things_does_what_it_says(open_dock, monkeypatch, what):
    done = []
    monkeypatch.setattr(guide, "show", done.append)
    monkeypatch.setattr("plugin.app.records.record_controller.RecordController.open_files",
                        lambda _self: done.append(DockAction.FILES))
    monkeypatch.setattr("plugin.ui.catalogues.catalogue_controller.CatalogueController.open_add_dialog",
                        lambda _self: done.append(DockAction.CATALOGUE))
    dock = open_dock()
    dock.welcome.label.linkActivated.emit(what)
    assert done == [what]
    assert settings.get("welcomed")


def test_its_links_are_reached_by_keyboard_and_it_is_low(open_dock):
    dock = open_dock(width=320)
    assert dock.welcome.label.focusPolicy() != Qt.FocusPolicy.NoFocus
    assert dock.welcome.label.text().count("<a ") == 3
    assert dock.welcome.height() < 5 * dock.fontMetrics().height()

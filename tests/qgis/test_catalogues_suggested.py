"""Suggested catalogues are shown as switches, and none is contacted before it is switched on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from qgis.PyQt.QtCore import Qt

from plugin.core.catalogues.source_list import suggested_catalogues
from plugin.gis.catalogues import catalogue_list
from plugin.gis.catalogues.catalogue_list import CatalogueList
from plugin.ui.catalogues.catalogues_dialog import CataloguesDialog


@pytest.fixture
def dialog(qgis_app, qtbot):
    dialog = CataloguesDialog(CatalogueList())
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def row(dialog, title):
    rows = [dialog.tree.topLevelItem(number) for number in range(dialog.tree.topLevelItemCount())]
    return next(item for item in rows if item.text(0).startswith(title))


def test_suggestions_are_switched_off_show_their_terms_and_request_nothing(dialog, requested_hosts):
    sources = dialog._sources.enabled_sources()
    item = row(dialog, "IDEE")
    assert item.checkState(0) == Qt.CheckState.Unchecked
    dialog.tree.setCurrentItem(item)
    assert dialog.terms_label.isVisible()
    assert "CC BY 4.0" in dialog.terms_label.text() and "ign.es" in dialog.terms_label.text()
    assert not dialog.harvest.isEnabled() and not dialog.remove.isEnabled() and not dialog.rename.isEnabled()
    assert "IDEE" not in [source.title for source in sources]
    assert requested_hosts == []


def test_a_suggestion_that_is_switched_on_becomes_one_of_the_persons_catalogues(dialog, qtbot, requested_hosts):
    row(dialog, "IDEE").setCheckState(0, Qt.CheckState.Checked)
    qtbot.waitUntil(lambda: row(dialog, "IDEE").data(0, Qt.ItemDataRole.UserRole) is not None)
    assert "IDEE" in [source.title for source in dialog._sources.enabled_sources()]
    titles = [dialog.tree.topLevelItem(number).text(0) for number in range(dialog.tree.topLevelItemCount())]
    assert len([title for title in titles if title.startswith("IDEE")]) == 1
    row(dialog, "IDEE").setCheckState(0, Qt.CheckState.Unchecked)
    assert "IDEE" not in [source.title for source in dialog._sources.enabled_sources()]
    # a catalogue is first contacted when it is searched
    assert requested_hosts == []


def test_a_search_contacts_only_catalogues_that_are_switched_on(network_dock, network, wait_until, monkeypatch,
                                                                requested_hosts):
    dead = replace(suggested_catalogues()[0], source=replace(suggested_catalogues()[0].source,
                                                             address="https://suggested.invalid/csw"))
    monkeypatch.setattr(catalogue_list, "suggested_catalogues", lambda: (dead,))
    dock = network_dock()
    requested_hosts.clear()
    dock.list_page.search_bar.catalogues.setChecked(True)
    dock.list_page.search_bar.search.setText("mapa")
    wait_until(lambda: "127.0.0.1" in requested_hosts)
    assert "suggested.invalid" not in requested_hosts
    dock.list_page.catalogues.sources.add([dead.source])
    dock.list_page.search_bar.search.setText("mapa guía")
    wait_until(lambda: "suggested.invalid" in requested_hosts)

"""Cartoguide in QGIS's locator: a real QgsLocator with its threads, a real record library, the test network."""

from __future__ import annotations

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsLocatorContext, QgsLocatorResult, QgsProject, QgsSettings
from qgis.PyQt.QtGui import QGuiApplication

from plugin.core.library.blob_cache import BlobKind
from plugin.gis.library import record_library
from plugin.gis.runtime import compat, settings
from plugin.gis.services import service_cache
from plugin.integration.locator_filter import ADD_TO_MAP, COPY_CREDIT


@pytest.fixture
def locator(network, plugin_window, monkeypatch, wait_until):
    """``locator(text)``: the results for what was typed, as QGIS finds them."""
    monkeypatch.setattr(service_cache, "_shared", None)
    settings.set("profile", str(network.profile_path))
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    found, ends = [], []
    plugin_window.locator.foundResult.connect(lambda result: found.append(QgsLocatorResult(result)))
    plugin_window.locator.finished.connect(lambda: ends.append(1))

    def search(text):
        found.clear()
        ends.clear()
        plugin_window.locator.fetchResults(text, QgsLocatorContext())
        wait_until(lambda: ends)
        return list(found)

    search.window, search.plugin = plugin_window, plugin_window.plugin
    return search


def titles(results, group):
    return [result.displayString for result in results if result.group == group]


def test_the_prefix_has_two_letters_and_stays_the_persons_own(locator):
    own = locator.plugin.integration.locator_filter
    assert own.activePrefix() == "cg"
    assert not [key for key in QgsSettings().allKeys() if "locator" in key and "cartoguide" in key]
    locator.plugin.unload()
    assert locator.window.locator.filters() == []
    # each QGIS reads one of them
    keys = [key.format(name="cartoguide") for key in compat._PREFIX_KEYS]
    try:
        for key in keys:
            QgsSettings().setValue(key, "mapa")
        locator.plugin.initGui()
        assert locator.plugin.integration.locator_filter.activePrefix() == "mapa"
    finally:
        for key in keys:
            QgsSettings().remove(key)


def test_records_and_actions_are_found_and_a_pick_shows_them(locator, network, wait_until):
    results = locator("cg mapa guia")
    assert len(titles(results, "Cartoguide: records")) == 1
    record = next(result for result in results if result.group == "Cartoguide: records")
    assert record.description
    assert [action.text for action in record.actions] == ["Add to map", "Copy credit"]
    record.filter.triggerResult(record)
    dock = locator.plugin.dock
    wait_until(lambda: dock.view.record is not None and dock.view.record.title == record.displayString)
    assert network.requests == []
    actions = locator("cg ")
    assert "Credits of this project…" in titles(actions, "Cartoguide: actions")
    assert titles(actions, "Cartoguide: records") == []
    credits = next(result for result in locator("cg credits") if result.group == "Cartoguide: actions")
    credits.filter.triggerResult(credits)
    assert locator.plugin._credits_menu.dialog.isVisible()
    locator.plugin._credits_menu.dialog.close()


def test_the_other_actions_copy_the_credit_and_add_to_the_map(locator, wait_until):
    record = next(result for result in locator("cg mapa guia") if result.group == "Cartoguide: records")
    QGuiApplication.clipboard().setText("")
    record.filter.triggerResultFromAction(record, COPY_CREDIT)
    wait_until(lambda: "Mapa guía" in QGuiApplication.clipboard().text())
    assert locator.plugin.dock is None
    record.filter.triggerResultFromAction(record, ADD_TO_MAP)
    wait_until(lambda: QgsProject.instance().mapLayers(), 40)


def test_layers_of_services_that_were_heard_are_found_by_their_titles(locator, network, wait_until):
    locator("cg lluvia")
    desk = locator.plugin.integration.commands()
    heard = []
    desk.fetch_service(network.endpoints["guide"] if "guide" in network.endpoints else
                     next(iter(network.endpoints.values())), lambda: heard.append(1))
    wait_until(lambda: heard)
    keeping = locator.plugin.integration.records().store().blob_cache
    wait_until(lambda: keeping.addresses(BlobKind.CAPABILITIES))
    service = locator.plugin.integration.records().saved_service(keeping.addresses(BlobKind.CAPABILITIES)[0][0])
    leaf = next(layer for layer in service.iter_layers() if layer.name and not layer.layers)
    asked = len(network.requests)
    results = locator(f"cg {leaf.title}")
    assert leaf.title in titles(results, "Cartoguide: layers")
    assert len(network.requests) == asked
    by_service = titles(locator(f"cg {service.title}"), "Cartoguide: layers")
    assert leaf.title not in by_service, "none of the words is the layer's own"
    assert leaf.title in titles(locator(f"cg {service.title.split()[-1]} {leaf.title}"), "Cartoguide: layers")
    layer = next(result for result in results if result.group == "Cartoguide: layers"
                 and result.displayString == leaf.title)
    layer.filter.triggerResult(layer)
    wait_until(lambda: QgsProject.instance().mapLayers(), 40)
    assert len(QgsProject.instance().mapLayers()) == 1


def test_typing_without_the_prefix_makes_no_store(locator):
    assert titles(locator("mapa guia"), "Cartoguide: records") == []
    assert not record_library.store_path().exists()
    assert titles(locator("cg mapa guia"), "Cartoguide: records")
    assert titles(locator("mapa guia"), "Cartoguide: records")
    assert locator("ma") == []


def test_a_store_that_cannot_be_read_is_no_end_of_the_locator(locator, logged):
    path = record_library.store_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"SQLite format 3\0" + bytes(3000))
    results = locator("cg credits")
    assert "Credits of this project…" in titles(results, "Cartoguide: actions")

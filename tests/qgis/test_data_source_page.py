"""Cartoguide's page in QGIS's data source manager: search, preview, add, and removal with the plugin."""

from __future__ import annotations

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsNetworkAccessManager, QgsNetworkRequestParameters, QgsProject
from qgis.gui import QgsGui
from qgis.PyQt import sip
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QDialogButtonBox, QWidget

from plugin.gis.runtime import settings, tasks
from plugin.gis.services import service_cache
from tests.qgis.qgis_window import settle


@pytest.fixture
def page(network, plugin_window, monkeypatch, wait_until, qtbot):
    """The page as QGIS makes it, shown, its records there."""
    monkeypatch.setattr(service_cache, "_shared", None)
    settings.set("profile", str(network.profile_path))
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    made = provider().createDataSourceWidget(plugin_window.window)
    made.plugin = plugin_window.plugin
    made.resize(900, 500)
    made.show()
    wait_until(lambda: made.model.rowCount() == 3)
    return made


def provider():
    return next(one for one in QgsGui.sourceSelectProviderRegistry().providers() if one.name() == "cartoguide")


def test_typing_finds_and_add_puts_the_service_on_the_map(page, wait_until, qtbot):
    qtbot.keyClicks(page.search, "mapa guia")
    wait_until(lambda: page.model.rowCount() == 1)
    wait_until(lambda: "Mapa guía" in page.terms.credit.text())
    add = next(button for button in page.buttons.buttons()
               if page.buttons.buttonRole(button) == QDialogButtonBox.ButtonRole.AcceptRole or "Add" in button.text())
    assert add.isEnabled()
    add.click()
    wait_until(lambda: QgsProject.instance().mapLayers(), 40)
    assert all(layer.metadata().rights() for layer in QgsProject.instance().mapLayers().values())


def test_no_server_is_asked_for_the_images_of_the_list_unless_the_setting_says_so(page, wait_until):
    requested = []
    QgsNetworkAccessManager.instance().requestAboutToBeCreated[QgsNetworkRequestParameters].connect(
        lambda parameters: requested.append(parameters.request().url().toString()))
    overviews = {page.model.hit(row).overview for row in range(3)} - {""}
    assert overviews
    page.list.viewport().repaint()
    wait_until(lambda: not tasks._jobs)
    assert requested == []
    settings.set("load_thumbnails", True)
    page.list.viewport().repaint()
    wait_until(lambda: overviews <= set(requested), 20)


def test_what_is_not_found_says_so_and_cannot_be_added(page, wait_until, qtbot):
    qtbot.keyClicks(page.search, "xyzzy")
    wait_until(lambda: page.model.rowCount() == 0)
    assert page.list.empty_label.isVisible()
    assert "No record" in page.list.empty_label.text()
    assert not page.show_record.isEnabled()
    assert page.terms.isHidden()


def test_every_control_has_a_name_and_is_reached_by_keyboard(page):
    for widget in (page.search, page.list, page.catalogues, page.show_record):
        assert widget.accessibleName() or widget.text()
        assert widget.focusPolicy() != Qt.FocusPolicy.NoFocus


def test_the_page_goes_with_the_plugin(plugin_window, qtbot):
    """How QGIS's own manager takes it out and in again is seen in test_reload."""
    window = QWidget()
    qtbot.addWidget(window)
    page = provider().createDataSourceWidget(window)
    plugin_window.plugin.unload()
    assert "cartoguide" not in [one.name() for one in QgsGui.sourceSelectProviderRegistry().providers()]
    settle()
    assert sip.isdeleted(page)
    plugin_window.plugin.initGui()
    assert provider()


def test_what_is_read_for_a_window_that_is_gone_is_not_shown(page, wait_until):
    shown, window = [], QWidget()
    page._commands.load_record(page.model.hit(0).identifier, shown.append, window)
    sip.delete(window)
    page._commands.load_record(page.model.hit(0).identifier, lambda _record: shown.append("page"), page)
    wait_until(lambda: shown and not tasks._jobs)
    assert shown == ["page"]

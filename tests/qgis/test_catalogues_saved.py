"""The catalogues in the dock: added by address, listed, renamed and removed, and pasted or dropped texts."""

from __future__ import annotations

import pytest
from catalogue_servers import CatalogueServer, has
from made_catalogue import made
from qgis.PyQt.QtCore import QMimeData, QPointF, Qt, QUrl
from qgis.PyQt.QtGui import QDropEvent, QGuiApplication
from qgis.PyQt.QtWidgets import QDialog, QLabel, QLineEdit
from scripted_catalogue import ScriptedCatalogue

from plugin.core.catalogues.model import Source, SourceKind
from plugin.core.catalogues.source_list import suggested_catalogues
from plugin.gis.catalogues import catalogue_client
from plugin.gis.catalogues.catalogue_list import CatalogueList
from plugin.gis.runtime import settings
from plugin.ui.catalogues.catalogues_dialog import AddCatalogueDialog, CataloguesDialog
from plugin.ui.widgets.error_actions import LoginDialog
from tests.slowness import slowness

RECORDS = made(6)


@pytest.fixture(autouse=True)
def quick(qgis_app):
    settings.set("catalogue_type", "csw")
    settings.set("catalogue_url", "http://own.invalid/csw")
    settings.set("first_byte_timeout", 3.0 * slowness())
    settings.set("retries", 0)
    catalogue_client.forget_protocol()
    QGuiApplication.clipboard().clear()


@pytest.fixture
def server():
    with ScriptedCatalogue(RECORDS) as running:
        yield running


@pytest.fixture
def dock(open_dock):
    return open_dock()


def dialog_of(dock, kind):
    found = [child for child in dock.findChildren(QDialog) if isinstance(child, kind) and child.isVisible()]
    return found[-1] if found else None


def names(dock):
    return [source.display_name for source in dock.list_page.catalogues.sources.sources()]


def looked(dock, wait_until, address):
    dock.list_page.search_bar.action_requested.emit("catalogue")
    dialog = dialog_of(dock, AddCatalogueDialog)
    dialog.address.setText(address)
    dialog.detect_button.click()
    wait_until(lambda: not dialog.progress_bar.isVisible())
    return dialog


def test_a_catalogue_is_added_by_address_and_found_out(dock, server, qtbot, wait_until):
    dialog = looked(dock, wait_until, f"{server.url}/geonetwork/srv/spa/catalog.search")
    assert "GeoNetwork 4.2.8" in dialog.status_label.text()
    assert [source.kind for source in dialog.chosen_sources()] == [
        SourceKind.GEONETWORK], "its CSW has the same records"
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert names(dock)[1:] == ["GeoNetwork de pruebas"]
    assert dock.list_page.catalogues.sources.enabled_sources()[1].address == f"{server.url}/geonetwork"
    again = looked(dock, wait_until, f"{server.url}/geonetwork")
    again.add_button.click()
    assert len(names(dock)) == 2 and "already" in dock.messages.history[-1][1]


@pytest.mark.slow
def test_real_servers_are_found_out(dock, wait_until):
    if not has("pycsw", "sqlalchemy") or not has("pygeoapi", "tinydb", "flask", "yaml"):
        pytest.skip("pycsw and pygeoapi are not installed")
    settings.set("first_byte_timeout", 30.0)
    with CatalogueServer("pycsw", RECORDS) as csw, CatalogueServer("pygeoapi", RECORDS) as api:
        for address in (f"{csw.url}/geonetwork/srv/spa/csw?service=CSW&request=GetCapabilities", api.url):
            looked(dock, wait_until, address).add_button.click()
    found = dock.list_page.catalogues.sources.sources()[1:]
    assert [source.kind for source in found][0] in (SourceKind.CSW_2, SourceKind.CSW_3)
    assert (found[-1].kind, found[-1].collection) == (SourceKind.OGC_API, "registros")


def test_what_is_no_catalogue_is_told_and_a_document_can_be_opened(dock, server, wait_until):
    dialog = looked(dock, wait_until, "http://127.0.0.1:9/csw")
    assert "refuses" in dialog.status_label.text() and dialog.details.isVisible() and not dialog.add_button.isEnabled()
    dialog.close()
    dialog = looked(dock, wait_until, f"{server.url}/geonetwork/srv/api/records/made-0002/formatters/xml")
    assert dialog.add_button.text() == "Open"
    dialog.add_button.click()
    wait_until(lambda: dock.view.record is not None and dock.view.record.id == "made-0002")


def test_the_list_is_kept_by_the_keyboard(dock, qtbot, wait_until):
    for name in ("a", "b"):
        dock.list_page.catalogues.sources.add([Source(f"https://{name}.invalid/csw", SourceKind.CSW_2, name.upper())])
    dock.list_page.search_bar.action_requested.emit("catalogues")
    dialog = dialog_of(dock, CataloguesDialog)
    assert [dialog.tree.topLevelItem(row).text(0) for row in range(3)][1:] == ["A", "B"]
    assert not dialog.remove.isEnabled(), "the network's own stays"
    tree = dialog.tree
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_Space)
    qtbot.wait(10)
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert [source.display_name for source in dock.list_page.catalogues.sources.enabled_sources()] == ["A", "B"]
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    editor = tree.findChild(QLineEdit)
    qtbot.keyClicks(editor, "Alfa")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    wait_until(lambda: names(dock)[1:] == ["Alfa", "B"])
    qtbot.wait(10)
    qtbot.keyClick(tree, Qt.Key.Key_Delete)
    assert names(dock)[1:] == ["B"] and dialog.undo.isVisible()
    qtbot.keyClick(tree, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyRelease(tree, Qt.Key.Key_Control)  # else QGIS takes it for held in every test after this
    assert names(dock)[1:] == ["Alfa", "B"] and not dialog.undo.isVisible()
    assert [source.display_name for source in CatalogueList().sources()] == names(dock), "it is in the settings"


def test_a_login_is_an_id_and_the_networks_own_can_have_one(dock):
    own = dock.list_page.catalogues.sources.sources()[0]
    dock.list_page.catalogues.ask_login(own)
    dialog = dialog_of(dock, LoginDialog)
    assert any("own.invalid" in label.text() for label in dialog.findChildren(QLabel)), "where the login goes is said"
    dialog.auth_select.configId = lambda: "abc1234"
    dialog.accept()
    [kept] = dock.list_page.catalogues.sources.sources()
    assert kept.authcfg == "abc1234" and dock.list_page.catalogues.sources.is_network_catalogue(kept)


def test_a_broken_list_is_told_and_the_networks_own_is_there(dock):
    settings.set("sources", "{")
    dock.list_page.search_bar.action_requested.emit("catalogues")
    dialog = dialog_of(dock, CataloguesDialog)
    # beside the network's own are those that can be switched on
    assert dialog.tree.topLevelItemCount() == 1 + len(suggested_catalogues())
    assert "list of sources" in dialog.status_label.text()


def test_a_dropped_catalogue_is_offered(dock, server, wait_until):
    data = QMimeData()
    data.setUrls([QUrl(f"{server.url}/csw?service=CSW&request=GetCapabilities")])
    dock.dropEvent(QDropEvent(QPointF(10, 10), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
                              Qt.KeyboardModifier.NoModifier))
    wait_until(lambda: dialog_of(dock, AddCatalogueDialog))
    dialog = dialog_of(dock, AddCatalogueDialog)
    assert "Catálogo con guion" in dialog.status_label.text() and dialog.add_button.isEnabled()
    dialog.add_button.click()
    assert names(dock)[1:] == ["Catálogo con guion"]
    assert not dock.session.loading


def test_ctrl_v_in_the_list_opens_xml_and_addresses(dock, server, qtbot, wait_until):
    dock.list.setFocus()
    QGuiApplication.clipboard().setText(RECORDS[0].xml.decode())
    qtbot.keyClick(dock.list, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyRelease(dock.list, Qt.Key.Key_Control)
    wait_until(lambda: dock.view.record is not None and dock.view.record.id == "made-0001")
    QGuiApplication.clipboard().setText(f"{server.url}/geonetwork/srv/spa/catalog.search#/metadata/made-0003")
    dock.list_page.search_bar.action_requested.emit("paste")
    wait_until(lambda: dock.view.record.id == "made-0003")
    asked = len(server.requests)
    assert asked == 1, "a record is opened by one request"
    QGuiApplication.clipboard().setText("hola")
    dock.list_page.search_bar.action_requested.emit("paste")
    assert "neither" in dock.messages.history[-1][1] and not dock.session.loading


def test_a_map_services_address_opens_as_a_record_of_itself(dock, network, wait_until):
    settings.set("first_byte_timeout", 30.0)  # a real server on a machine that may be busy
    service = f"{network.url}/medioambiente/mapwms/NODO_precipitacion_total_diaria_junio_2016?"
    for address in (f"{service}SERVICE=WMS&REQUEST=GetCapabilities", service):
        dock.session.open_text(address)
        wait_until(lambda: not dock.session.loading, 30)
        # the list is painted before the record below it
        wait_until(lambda: dock.view.record is not None and dock.view.record.source_format == "wms-capabilities")
        assert dock.session.endpoint(dock.view.record)
        # the service is loaded when its record is shown
        wait_until(dock.view.add_bar.button.isEnabled, 30)

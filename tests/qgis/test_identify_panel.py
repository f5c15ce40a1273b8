"""The identify panel: services side by side, tables, sanitised pages, copying, cancel."""

from __future__ import annotations

import pytest
from network import REFERENCE
from odd_server import OddServer
from qgis.core import QgsCoordinateReferenceSystem, QgsPointXY
from qgis.gui import QgsMapCanvas, QgsMapMouseEvent
from qgis.PyQt.QtCore import QEvent, QPointF, QSize, Qt
from qgis.PyQt.QtGui import QGuiApplication, QMouseEvent
from qgis.PyQt.QtWidgets import QApplication, QDockWidget, QMainWindow, QTextBrowser

from plugin.gis.runtime import tasks
from plugin.gis.services import service_cache
from plugin.ui.identify import IdentifyController
from tests.qgis.map_windows import PLACE, show, wms


class Window:
    """What the tool uses of QGIS's interface."""

    def __init__(self):
        self.window = QMainWindow()
        self.canvas = QgsMapCanvas(self.window)
        self.window.setCentralWidget(self.canvas)

    def mapCanvas(self):  # noqa: N802
        return self.canvas

    def mainWindow(self):  # noqa: N802
        return self.window

    def addDockWidget(self, area, dock):  # noqa: N802
        self.window.addDockWidget(area, dock)

    def removeDockWidget(self, dock):  # noqa: N802
        self.window.removeDockWidget(dock)


@pytest.fixture
def identify(qgis_app, qtbot, network, monkeypatch):
    monkeypatch.setattr(service_cache, "_shared", None, raising=False)
    window = Window()
    qtbot.addWidget(window.window)
    window.window.resize(QSize(900, 700))
    window.canvas.setRenderFlag(False)
    window.window.show()
    tool = IdentifyController(window)
    yield tool
    tool.close()
    tasks.shutdown()


def test_the_panel_shares_the_place_of_the_records_and_leaves_the_map_its_height(identify, qtbot):
    window = identify._iface.window
    records = QDockWidget("Cartoguide", window)
    records.setObjectName("CartoguideDock")
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, records)
    qtbot.waitUntil(records.isVisible)
    height = identify.canvas.height()
    identify.activate()
    assert window.dockWidgetArea(identify.panel) == Qt.DockWidgetArea.RightDockWidgetArea
    assert identify.panel in window.tabifiedDockWidgets(records)
    qtbot.waitUntil(lambda: not identify.panel.visibleRegion().isEmpty())
    assert identify.canvas.height() == height


def click(identify, point):
    """A click of the mouse on the place."""
    canvas = identify.canvas
    pixel = canvas.getCoordinateTransform().transform(point)
    where = QPointF(round(pixel.x() - 0.5), round(pixel.y() - 0.5))
    mouse = QMouseEvent(QEvent.Type.MouseButtonRelease, where, where, Qt.MouseButton.LeftButton,
                        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    identify.tool.canvasReleaseEvent(QgsMapMouseEvent(canvas, mouse))


def quiet(panel):
    return bool(panel.sections) and not any(section.progress_bar.isVisibleTo(section) for section in panel.sections)


def test_a_click_asks_every_service_and_only_the_dead_one_fails(identify, network, wait_until, qtbot):
    guide = network.endpoints["guide"]
    identify.canvas.setLayers([wms(network.endpoints["facilities"], "miradores"), wms(guide, "limite_parque"),
                               wms(network.endpoints["precipitation"], "precipitacion_20160601")])
    identify.activate()
    QApplication.processEvents()
    point = show(identify.canvas, "EPSG:25830", metres=20_000)
    network.fault({"match": {"request": "GetFeatureInfo", "endpoint": "guide"}, "action": {"type": "hang"}})
    click(identify, point)
    panel = identify.panel
    facilities, park, rain = panel.sections
    wait_until(lambda: not facilities.progress_bar.isVisibleTo(facilities) and not rain.progress_bar.isVisibleTo(rain),
               30)
    # one hangs: the others are there, and it can be given up alone
    assert park.progress_bar.isVisibleTo(park) and panel.cancel.isVisibleTo(panel)
    park.cancel.click()
    assert "Cancelled" in park.status_label.text() and quiet(panel)
    assert "Not queryable" in rain.status_label.text()
    table = facilities.tables[0]
    assert table.single and table.features[0].value("CODIGO") == REFERENCE["code"]
    facilities.copy_table.click()
    head, line = QGuiApplication.clipboard().text().splitlines()
    assert dict(zip(head.split("\t"), line.split("\t")))["NOMBRE"] == "Mirador de la Piedra de Referencia"
    table.selectRow(1)
    facilities.copy_row.click()
    assert QGuiApplication.clipboard().text() == "NOMBRE\tMirador de la Piedra de Referencia\n"
    # the feature's place, which its box tells
    facilities.zoom.click()
    assert identify.canvas.center().distance(PLACE) < 1 and identify.canvas.scale() == pytest.approx(5000, rel=0.01)
    with qtbot.waitSignal(facilities.flash_requested, timeout=1000):
        facilities.flash.click()
    # asked again, the service that hung answers: the place lies outside the park
    network.fault()
    park.retry.click()
    wait_until(lambda: quiet(panel), 30)
    assert "Nothing was found here." in park.status_label.text() and not park.tables
    inside = QgsPointXY(452500, 4248500)
    identify.canvas.setCenter(inside)
    click(identify, inside)
    facilities, park, rain = panel.sections
    wait_until(lambda: quiet(panel), 30)
    assert park.tables[0].features[0].value("NOMBRE") == "Parque Natural Despeñaperros"
    west, south, east, north = park.tables[0].features[0].zoom_bbox
    assert west < inside.x() < east and north - south > 10_000
    # side by side where there is room, below one another where there is none
    panel.setFloating(True)
    panel.resize(1000, 400)
    wait_until(lambda: park.geometry().left() >= facilities.geometry().right(), 5)
    panel.resize(320, 700)
    wait_until(lambda: park.geometry().top() >= facilities.geometry().bottom(), 5)


def test_another_format_is_asked_for_and_a_page_is_harmless(identify, network, wait_until):
    with OddServer() as odd:
        odd.files["/x.png"] = b"never"
        page = f"""<html><body onload="x()"><script src="{odd.url}/x.js"></script><img src="{odd.url}/x.png" alt="foto">
        <table onclick="y()"><tr><td style="background:url({odd.url}/x.png)">Mirador</td></tr></table>
        <a href="javascript:alert(1)">no</a><a href="http://ejemplo.invalid/">ficha</a></body></html>"""
        identify.canvas.setLayers([wms(network.endpoints["facilities"], "miradores")])
        identify.activate()
        QApplication.processEvents()
        point = show(identify.canvas, "EPSG:25830")
        click(identify, point)
        section = identify.panel.sections[0]
        wait_until(lambda: quiet(identify.panel), 30)
        assert section.formats.currentText() == "application/vnd.ogc.gml"
        network.fault({"match": {"request": "GetFeatureInfo"},
                       "action": {"type": "body", "text": page, "content_type": "text/html", "status": 200}})
        section.formats.setCurrentIndex(section.formats.findData("text/html"))
        section.formats.activated.emit(section.formats.currentIndex())
        wait_until(lambda: quiet(identify.panel), 30)
        assert section.formats.currentText() == "text/html"
        shown = section.findChild(QTextBrowser)
        assert "Mirador" in shown.toPlainText() and "[foto]" in shown.toPlainText()
        assert "javascript" not in shown.toHtml() and "http://ejemplo.invalid/" in shown.toHtml()
        assert odd.requests == []


def test_nothing_to_ask_is_said(identify):
    identify.activate()
    assert identify.canvas.mapTool() is identify.tool
    identify.canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    identify.identify(QgsPointXY(447500, 4256500))
    assert identify.panel.sections == []
    identify.deactivate()
    assert identify.canvas.mapTool() is not identify.tool

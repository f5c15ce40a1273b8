"""The state of each service in row, layer tree, picture and message, while its server dies, drips and comes back."""

from __future__ import annotations

import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import layer_services
import numpy as np
import pytest
from loopback import LoopbackServer
from netserve.faults import one_colour_png
from odd_server import OddServer
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsNetworkAccessManager,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
)
from qgis.gui import QgsLayerTreeMapCanvasBridge
from qgis.PyQt.QtCore import QTimer, QUrl
from qgis.PyQt.QtGui import QImage
from qgis.PyQt.QtNetwork import QNetworkRequest
from qgis.PyQt.QtWidgets import QPushButton

from plugin.app.maps.map_state import LayerChoice
from plugin.core.custommap.model import MapRole, Orientation, PageSetup
from plugin.core.custommap.service_state import Progress
from plugin.core.review.checks.rules import Severity
from plugin.gis.export.layout_export import ExportFormat
from plugin.gis.runtime import settings
from plugin.gis.services import service_cache
from plugin.gis.sources.service_states import ServiceStates, Viewer
from tests.qgis.qgis_window import Window
from tests.slowness import slowness

GETMAP = {"request": "GetMap", "endpoint": "guide"}
#: (what the server does, the cause that the person reads)
FAULTS = {
    "404": ({"type": "status", "code": 404}, "answers with HTTP 404"),
    "500": ({"type": "status", "code": 500}, "answers with HTTP 500"),
    "a web page": ({"type": "html"}, "sends a web page in place of the map"),
    "an exception": ({"type": "exception", "code": "NoApplicableCode", "text": "down"}, "sends an error in place of"),
    "no image": ({"type": "body", "text": "x", "content_type": "image/png", "status": 200}, "that cannot be read"),
    "half an image": ({"type": "truncate", "share": 0.5}, "closes the connection"),
    "nothing": ({"type": "close"}, "closes the connection"),
}
#: seconds within which the state is right everywhere, also on a machine that has much else to do
PROMPTLY = 15.0


class MapWindow:
    """A dock beside a canvas and a layer tree, with the guide as base and the facilities above it."""

    def __init__(self, dock, window, wait_until):
        self.dock, self.window, self.wait_until = dock, window, wait_until
        self.map = dock.composer_controller.map
        self._moves = 0.0

    def add(self, word, names, role):
        dock = self.dock
        row = next(row for row in range(dock.model.rowCount()) if word in dock.model.index(row).data())
        dock.list.setCurrentIndex(dock.model.index(row))
        dock.pages.open_record()
        record = dock.view.record
        endpoint = dock.session.endpoint(record)
        dock.session.load_service(endpoint)
        self.wait_until(lambda: dock.session.services.get(endpoint), 30)
        count = len(self.map.items) + 1
        dock.map.add(record, endpoint, LayerChoice(names, ("",) * len(names), role=role))
        self.wait_until(lambda: len(self.map.items) == count and not self.map.adding, 60)

    def move(self, share=0.05):
        """Show another place on the canvas, which no picture has been drawn of: ``share`` of its width further."""
        self._moves += share
        project = QgsProject.instance()
        canvas = self.window.canvas
        box = QgsRectangle(-3.515, 38.385, -3.49, 38.40)
        box = QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:4326"), canvas.mapSettings().destinationCrs(),
                                     project).transformBoundingBox(box)
        step = box.width() * self._moves
        canvas.setExtent(QgsRectangle(box.xMinimum() + step, box.yMinimum(), box.xMaximum() + step, box.yMaximum()))
        canvas.refresh()

    def move_until(self, progress):
        """Move until the first service is that far, once more whenever the canvas is drawn and it is not."""
        drawn = []
        self.window.canvas.mapCanvasRefreshed.connect(lambda: drawn.append(True))

        def is_there():
            if self.map.items[0].state.progress is progress:
                return True
            if drawn and not self.window.canvas.isDrawing():
                # what draws the page may have said something else meanwhile
                drawn.clear()
                QTimer.singleShot(500, self.move)
            return False

        self.move()
        self.wait_until(is_there, 20)

    def rows(self):
        """The texts of the rows, topmost first, as the labels have them."""
        return [row._status.text() for row in self.dock.composer.rows.rows]

    def marks(self):
        """The tooltips of the icons in the layer tree."""
        view, root = self.window.tree_view, QgsProject.instance().layerTreeRoot()
        return [mark.toolTip() for node in (*root.findLayers(), *root.findGroups()) for mark in view.indicators(node)]

    def hatched(self):
        """The share of the picture of the page that has the colour of the hatching's lines."""
        view = self.dock.composer.picture
        image = view.grab(view.page_rectangle().toAlignedRect()).toImage().convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits().asstring(image.sizeInBytes()), np.uint8).reshape(-1, 4)
        # lines that are scaled with the picture are mixed with what is below them
        blue, green, red = (pixels[:, place].astype(int) for place in range(3))
        return float(((red - green > 60) & (red - blue > 45)).mean())

    def buttons(self):
        """The texts of the buttons of the message that is shown, and of its menu for those without room."""
        return [one.text() for button in self._message_buttons()
                for one in (button.menu().actions() if button.menu() is not None else [button])]

    def press(self, text):
        next(button for button in self._message_buttons() if button.text() == text).click()

    def _message_buttons(self):
        item = self.window.bar.currentItem()
        return item.findChildren(QPushButton) if item is not None else []

    def messages(self):
        return [text for _level, text in self.dock.messages.history]

    def is_drawn(self):
        preview = self.dock.composer_controller.page.preview
        return preview.picture is not None and preview.picture.is_complete and not preview.is_drawing \
            and not self.window.canvas.isDrawing() and all(
                item.state.progress is Progress.DRAWN for item in self.map.items)


@pytest.fixture
def network_window(network, qtbot, monkeypatch, page_picture, open_dock, wait_until):
    """``network_window(network)``: the map on that network, drawn everywhere."""
    windows = []

    def make(network=network):
        monkeypatch.setattr(service_cache, "_shared", None, raising=False)
        settings.set("profile", str(network.profile_path))
        settings.set("retries", 0)
        QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
        window = Window()
        qtbot.addWidget(window.window)
        window.canvas.resize(500, 340)
        window.window.show()
        window.canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
        QgsLayerTreeMapCanvasBridge(QgsProject.instance().layerTreeRoot(), window.canvas, window.canvas)
        dock = open_dock(height=760, iface=window,
                         before=lambda dock: setattr(dock.session, "services", service_cache.ServiceCache()))
        wait_until(lambda: dock.model.rowCount() == 3)
        dock.compose_dock.resize(420, 640)
        dock.compose_dock.show()
        shown = MapWindow(dock, window, wait_until)
        windows.append(window)
        shown.add("Despeñaperros", ("limite_parque", "carreteras"), MapRole.BASE)
        shown.add("quipamientos", ("miradores",), MapRole.OVERLAY)
        shown.move()
        wait_until(shown.is_drawn, 60)
        return shown

    yield make
    for window in windows:
        window.canvas.stopRendering()


def promptly(wait_until, condition):
    """Wait for ``condition``, which may take PROMPTLY seconds of a machine that has nothing else to do."""
    began = time.monotonic()
    wait_until(condition, 60)
    assert time.monotonic() - began < PROMPTLY * slowness()


def test_a_service_that_fails_is_told_everywhere_and_no_more_when_it_is_back(network_window, network, wait_until):
    shown = network_window()
    assert not any("⚠" in text for text in shown.rows()) and shown.marks() == []
    # some symbols of the map are red
    assert (symbols := shown.hatched()) < 0.005
    network.fault({"match": GETMAP, "action": {"type": "status", "code": 503}})
    shown.move()
    promptly(wait_until, lambda: "failed since" in shown.rows()[1] and shown.marks())
    assert re.search(r"⚠ 127\.0\.0\.1:\d+ answers with HTTP 503 · failed since \d\d:\d\d", shown.rows()[1])
    assert "⚠" not in shown.rows()[0], "the other service is drawn"
    assert len(shown.marks()) == 2 and all("HTTP 503" in mark for mark in shown.marks())
    wait_until(lambda: any("1 service missing" in text for text in shown.messages()))
    assert "answers with HTTP 503" in shown.messages()[-1].split("missing")[0], "the cause first"
    assert shown.buttons() == ["Try again", "Leave it out", "Details…"]
    findings = shown.dock.composer.findings

    def errors():
        return [finding for finding in findings.findings if finding.severity is Severity.ERROR]

    wait_until(errors)
    failed, = errors()
    assert re.search(r"^It is not drawn: 127\.0\.0\.1:\d+ answers with HTTP 503\.$", failed.message)
    assert failed.advice == "The map is not exported without it." and "1 error" in findings.fold_button.text()
    assert shown.hatched() < symbols + 0.001, "the picture of before has all"
    assert "Fills" not in shown.dock.composer.page.meter.text(), "an empty base fills no page"
    shown.dock.composer_controller.extent.set_scale(31_000.0)
    promptly(wait_until, lambda: shown.hatched() > 0.03)
    assert "Missing: " in shown.dock.composer.picture.accessibleDescription()
    network.reset()
    shown.move()
    promptly(wait_until, lambda: not any("⚠" in text for text in shown.rows()) and shown.marks() == [])
    # some lines of the map are red
    promptly(wait_until, lambda: shown.hatched() < 0.015)
    assert "Missing" not in shown.dock.composer.picture.accessibleDescription()
    wait_until(lambda: not shown.dock.note.isVisible() and not errors())
    assert "Fills" in shown.dock.composer.page.meter.text()


def test_a_service_that_lacks_a_layer_is_told_of_when_the_others_fail(network_window, network, wait_until, tmp_path):
    shown = network_window()
    project, lost = QgsProject.instance(), shown.map.items[0].layer_ids["carreteras"]
    project.write(str(tmp_path / "park.qgs"))
    text = (tmp_path / "park.qgs").read_text(encoding="utf-8")
    # somebody has removed a layer elsewhere
    text = re.sub(rf"<maplayer(?:(?!</maplayer>).)*<id>{lost}</id>.*?</maplayer>", "", text, flags=re.DOTALL)
    text = re.sub(rf'<layer-tree-layer[^>]*id="{lost}"[^>]*>.*?</layer-tree-layer>', "", text, flags=re.DOTALL)
    (tmp_path / "park.qgs").write_text(text, encoding="utf-8")
    project.read(str(tmp_path / "park.qgs"))
    wait_until(lambda: shown.map.items and shown.map.items[0].problem == "1 layer missing" and not shown.map.adding, 60)
    network.fault({"match": GETMAP, "action": {"type": "status", "code": 503}})
    shown.move()
    wait_until(lambda: shown.map.items[0].received.is_missing, 60)
    promptly(wait_until, lambda: any("answers with HTTP 503" in text for text in shown.messages()))


@pytest.mark.slow
def test_no_check_is_said_to_have_gone_well_beside_a_service_that_fails_since(network_window, network, wait_until):
    shown = network_window()
    panel = shown.dock.composer.findings

    def is_undrawn():
        return any(finding.rule == "undrawn" for finding in panel.findings)

    panel.check.click()
    wait_until(lambda: panel.status_label.text().startswith("All images arrived"), 60)
    network.fault({"match": GETMAP, "action": {"type": "status", "code": 503}})
    shown.move()
    wait_until(is_undrawn, 60)
    assert panel.status_label.text().startswith("Changed since it was checked.")
    network.reset()
    shown.move()
    wait_until(lambda: not is_undrawn(), 60)
    assert panel.status_label.text().startswith("Changed since it was checked."), "the check was of a time before"


def test_a_server_that_is_away_is_one_issue_which_leads_to_all_its_services(network_window, network, wait_until):
    shown = network_window()
    panel = shown.dock.composer.findings
    network.fault({"match": {"request": "GetMap"}, "action": {"type": "status", "code": 404}})
    shown.move()
    wait_until(lambda: all(item.received.is_missing for item in shown.map.items), 60)
    panel.check.click()
    wait_until(lambda: panel.status_label.text().startswith("Not all images arrived"), 60)

    def errors():
        return [finding for finding in panel.findings if finding.severity is Severity.ERROR]

    wait_until(lambda: len(errors()) == 1, 20)
    away, = errors()
    assert "They are not drawn: " in away.message and "answers with HTTP 404" in away.message
    assert all(word in away.service_title for word in ("Despeñaperros", "quipamientos"))
    assert [remedy.label for remedy in away.remedies] == ["Try again", "Leave them out"]
    network.reset()
    panel.rows[0].buttons[0].click()
    wait_until(lambda: not errors() and not any(item.received.is_missing for item in shown.map.items), 60)


def test_a_service_whose_address_finds_nothing_leads_to_its_record(network_window, network, wait_until):
    shown = network_window()
    dock, panel = shown.dock, shown.dock.composer.findings
    dock.pages.open_list()
    network.fault({"match": GETMAP, "action": {"type": "status", "code": 404}})
    shown.move()
    wait_until(lambda: any(finding.rule == "undrawn" for finding in panel.findings), 60)
    row = next(row for row in panel.rows if row.finding.rule == "undrawn")
    assert [button.text() for button in row.buttons] == ["Try again", "Leave it out", "Show its record"]
    row.buttons[-1].click()
    assert dock.pages.record_opened and "Despeñaperros" in dock.view.record.title
    assert dock.view.tabs.currentWidget() is dock.view.service
    dock.pages.open_list()
    menu = shown.dock.composer.rows.rows[0].menu_button.menu()
    next(action for action in menu.actions() if action.text() == "Show its record").trigger()
    assert dock.pages.record_opened and "quipamientos" in dock.view.record.title
    network.reset()


@pytest.mark.slow
def test_each_way_of_failing_has_its_cause_and_what_is_cancelled_has_none(network_window, network, wait_until):
    shown = network_window()
    for action, cause in FAULTS.values():
        network.fault({"match": GETMAP, "action": action})
        shown.move_until(Progress.FAILED)
        assert cause in shown.map.items[0].state.cause, action
        network.reset()
        shown.move_until(Progress.DRAWN)
    network.fault({"match": {**GETMAP, "layer": "carreteras"}, "action": {"type": "status", "code": 500}})
    shown.move()
    wait_until(lambda: "drawn in part since" in shown.rows()[1], 20)
    network.reset()
    shown.move_until(Progress.DRAWN)
    # a slow answer is awaited, and one that nobody awaits any more is no failure
    network.fault({"match": GETMAP, "action": {"type": "drip", "seconds": 0.2}})
    shown.move()
    wait_until(lambda: "loading…" in shown.rows()[1], 20)
    assert shown.marks() == []
    network.reset()
    shown.move()
    wait_until(lambda: shown.map.items[0].state.progress is Progress.DRAWN, 60)
    assert not any("⚠" in text for text in shown.rows())


def test_a_server_that_hangs_is_told_and_can_be_left_out_or_tried_again(
        network_window, network, wait_until):
    shown = network_window()
    former = QgsNetworkAccessManager.timeout()
    QgsNetworkAccessManager.setTimeout(2000)
    try:
        network.fault({"match": GETMAP, "action": {"type": "hang", "seconds": 5}})
        shown.move()
        wait_until(lambda: "loading…" in shown.rows()[1], 20)
        wait_until(lambda: "failed since" in shown.rows()[1], 60)
        assert "does not respond in time" in shown.rows()[1]
        # both of its layers, of which the first alone would be left out
        wait_until(lambda: shown.map.items[0].state.progress is Progress.FAILED)
    finally:
        QgsNetworkAccessManager.setTimeout(former)
    wait_until(lambda: "Leave it out" in shown.buttons(), 10)
    shown.press("Leave it out")
    wait_until(lambda: shown.marks() == [] and not shown.dock.note.isVisible(), 20)
    assert not shown.map.items[0].entry.visible
    shown.map.undo()
    wait_until(lambda: "failed since" in shown.rows()[1], 20)
    network.reset()
    row = shown.dock.composer.rows.rows[1]
    next(action for action in row.remedy_button.menu().actions() if action.text() == "Try again").trigger()
    wait_until(lambda: not any("⚠" in text for text in shown.rows()) and shown.marks() == [], 30)


@pytest.mark.slow
def test_an_export_of_a_dead_service_names_it_before_the_legends_that_miss_with_it(
        network_window, network, wait_until, tmp_path):
    shown = network_window()
    exporter, before = shown.dock.composer_controller.exporter, len(shown.messages())
    settings.set("check_before_export", False)
    network.fault({"match": {"endpoint": "guide"}, "action": {"type": "status", "code": 503}})
    # nothing was asked of it on the canvas since it died
    assert not any("⚠" in text for text in shown.rows())
    shown.map.commit(page=PageSetup("A4", Orientation.LANDSCAPE, "guide"))
    exporter.export(ExportFormat.PDF, tmp_path / "mapa.pdf")
    wait_until(lambda: any("not exported" in text for text in shown.messages()[before:]), 120)
    text = next(text for text in shown.messages()[before:] if "not exported" in text)
    assert "answers with HTTP 503" in text and "legend" not in text and list(tmp_path.iterdir()) == []
    assert shown.buttons() == ["Try again", "Leave it out", "Details…"]


def test_an_error_of_a_check_goes_with_its_cause_and_trying_again_exports(
        network_window, network, wait_until, tmp_path):
    shown = network_window()
    settings.set("export_dpi", 96)
    panel, exporter = shown.dock.composer.findings, shown.dock.composer_controller.exporter
    target = tmp_path / "mapa.pdf"

    def failures():
        return [finding for finding in panel.findings if finding.rule == "print-size"]

    def refuse():
        before = len(shown.messages())
        network.fault({"match": {**GETMAP, "layer": "carreteras"}, "action": {"type": "status", "code": 500}})
        shown.move()
        wait_until(lambda: "drawn in part since" in shown.rows()[1])
        assert "answers with HTTP 500" in shown.rows()[1]
        assert len(shown.marks()) == 1, "the other layer of the service came"
        exporter.export(ExportFormat.PDF, target)
        wait_until(lambda: any("not exported" in text for text in shown.messages()[before:]), 120)
        assert failures() and not target.exists()
        refused = next(text for text in shown.messages()[before:] if "not exported" in text)
        assert "1 service drawn in part: “" in refused and "(“Carreteras”)" in refused, "the layer that failed"
        network.reset()

    refuse()
    failed, = failures()
    assert [remedy.label for remedy in failed.remedies] == ["Check again", "Leave it out", "Remove from the map"]
    assert "smaller" not in failed.advice, "a server that fails does so for an image of any size"
    row = shown.dock.composer.rows.rows[1]
    next(action for action in row.remedy_button.menu().actions() if action.text() == "Try again").trigger()
    wait_until(lambda: not any("⚠" in text for text in shown.rows()))
    wait_until(lambda: not failures())
    assert "arrived at" not in panel.status_label.text(), "nobody has checked what has come since"
    shown.map.set_opacity(1, 0.5)
    shown.map.undo()
    shown.dock.composer_controller.refresh_view()
    assert not failures(), "nor does it come back"
    refuse()
    shown.press("Try again")
    wait_until(target.exists, 120)
    wait_until(lambda: not failures() and not any("⚠" in text for text in shown.rows()))


def test_of_a_service_that_lacks_a_layer_that_layer_alone_is_left_out(network_window, network, wait_until, tmp_path):
    shown = network_window()
    settings.set("export_dpi", 96)
    settings.set("check_before_export", False)
    shown.map.remove(1)
    wait_until(shown.is_drawn, 60)
    target, exporter = tmp_path / "mapa.pdf", shown.dock.composer_controller.exporter
    network.fault({"match": {**GETMAP, "layer": "carreteras"}, "action": {"type": "status", "code": 500}})
    exporter.export(ExportFormat.PDF, target)
    wait_until(lambda: any("not exported" in text for text in shown.messages()), 120)
    shown.press("Leave it out")
    entry = shown.map.items[0].entry
    assert entry.visible and entry.hidden == ("carreteras",), "the map keeps what it has"
    wait_until(lambda: shown.marks() == [], 60)
    exporter.export(ExportFormat.PDF, target)
    wait_until(target.exists, 120)
    # nothing is left without the last layer
    shown.map.hide_layers({shown.map.items[0]: ()})
    network.fault({"match": {**GETMAP, "layer": "limite_parque"}, "action": {"type": "status", "code": 500}})
    shown.move()
    wait_until(lambda: "failed since" in shown.rows()[0], 60)
    wait_until(lambda: shown.buttons() == ["Try again", "Details…"], 20)


def test_an_export_that_waits_for_a_service_ends_with_its_loading(network_window, network, wait_until):
    """Whoever cancels wants no file, and no later addition begins the export."""
    shown = network_window()
    controller, item, begun = shown.dock.composer_controller, shown.map.items[0], []
    network.fault({"match": {"request": "GetCapabilities", "endpoint": "guide"},
                   "action": {"type": "delay", "seconds": 3}})
    item.problem = "its service does not respond"
    controller.layers.unavailable._export_again([item], lambda: begun.append(True))
    assert item.loading and not begun
    shown.dock.map_additions.cancel()
    assert not shown.map.adding and not begun
    network.reset()
    shown.map.builds.reload(item)
    wait_until(lambda: not shown.map.adding, 60)
    assert not begun
    item.problem = "its service does not respond"
    controller.layers.unavailable._export_again([item], lambda: begun.append(True))
    wait_until(lambda: begun, 60)
    assert not shown.map.adding


def test_what_the_canvas_says_late_takes_no_cause_away_and_invents_none(network_window, network, wait_until):
    """It says what failed when all of its layers are drawn, in words of QGIS. The page may have been judged before."""
    shown = network_window()
    states, item = shown.map.builds.states, shown.map.items[0]
    layer = shown.map.mirror.layer(item.layer_ids["carreteras"])
    late = f"Error transferring {item.entry.endpoint}BBOX=1,2,3,4 - server replied: Internal Server Error"

    def say():
        states._on_render_error(late, layer)
        states._on_canvas_drawn(None)
        states.judge_now()

    say()
    assert item.received.is_missing and "has not sent the map" in item.received.cause, "nothing else is known of it"
    network.fault({"match": {**GETMAP, "layer": "carreteras"}, "action": {"type": "status", "code": 500}})
    shown.move()
    wait_until(lambda: "answers with HTTP 500" in item.received.cause)
    wait_until(lambda: not shown.window.canvas.isDrawing())
    say()
    assert "answers with HTTP 500" in item.received.cause
    states.note_images(Viewer.PAGE, layer.id(), {f"{item.entry.endpoint}BBOX=4": ("The service is closed", "")})
    states.judge_now()
    for _drawing in range(2):
        say()
        assert item.received.cause == "The service is closed", "though it names no server"


class Tiles(BaseHTTPRequestHandler):
    """Tiles of one colour, or the failure that a test wishes."""

    protocol_version = "HTTP/1.1"
    answer = (200, "image/png", one_colour_png(256, 256, "#3366cc"))

    def do_GET(self):  # noqa: N802
        status, media_type, body = type(self).answer
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


@pytest.mark.slow
def test_an_own_layer_of_tiles_says_how_far_it_is(network_window, wait_until, monkeypatch):
    shown, fine = network_window(), Tiles.answer
    with LoopbackServer(Tiles) as server:
        layer = QgsRasterLayer(f"type=xyz&url={server.url}/{{z}}/{{x}}/{{y}}.png&zmin=0&zmax=19", "Mosaico", "wms")
        QgsProject.instance().addMapLayer(layer)
        shown.map.add_own_layer(layer, "© Someone")
        own = shown.map.own_items[0]
        wait_until(lambda: own.state.progress is Progress.DRAWN, 30)
        for answer, cause in (((500, "text/plain", b"x"), "answers with HTTP 500"),
                              ((200, "text/html", b"<html></html>"), "sends a web page in place of the map")):
            monkeypatch.setattr(Tiles, "answer", answer)
            shown.move(1.5)
            wait_until(lambda: own.state.is_missing and own.state.progress is not Progress.LOADING, 30)
            row = next(text for text in shown.rows() if "⚠" in text)
            assert f"{urlsplit(server.url).netloc} {cause}" in row and len(shown.marks()) == 1
            monkeypatch.setattr(Tiles, "answer", fine)
            # QGIS takes a web page that came as a tile for that tile until it is closed, so another place is shown
            shown.move(1.5)
            wait_until(lambda: own.state.progress is Progress.DRAWN, 30)
            assert not any("⚠" in text for text in shown.rows()) and shown.marks() == []


def test_what_a_dead_server_would_not_send_is_missing_no_more_once_it_answers_again(qgis_app, wait_until):
    """Layers of other scales stayed failed for ever: an export that succeeded said below that it could not."""
    with LoopbackServer(Tiles) as server:
        address = server.url
    one, other = (QgsRasterLayer(f"type=xyz&url={address}/{name}/{{z}}/{{x}}/{{y}}.png&zmin=0&zmax=19", name, "wms")
                  for name in ("one", "other"))
    states = ServiceStates(lambda: (one, other))
    recovered = []
    states.recovered.connect(lambda viewer, layer_ids: recovered.append((viewer, layer_ids)))

    def ask(path):
        QgsNetworkAccessManager.blockingGet(QNetworkRequest(QUrl(f"{address}/{path}")), "", True)

    def lacks(*layers):
        return [layer.name() for layer in (one, other) if states.state(layer.id()).is_missing] == [
            layer.name() for layer in layers]

    def serve(path):
        # the same port again, after its failure
        back = ThreadingHTTPServer(("127.0.0.1", urlsplit(address).port), Tiles)
        threading.Thread(target=back.serve_forever, daemon=True).start()
        try:
            ask(path)
        finally:
            back.shutdown()
            back.server_close()

    try:
        ask("capabilities")
        wait_until(lambda: lacks(one, other), 10)
        assert "refuses connections" in states.state(other.id()).cause
        serve("one/3/1/1.png")
        wait_until(lambda: lacks(), 10)
        # another cause is told of, and nothing of the former one is left
        ask("one/3/1/2.png")
        ask("other/3/1/2.png")
        wait_until(lambda: lacks(one, other), 10)
        states._lacking[Viewer.CANVAS] = {other.id()}
        fine, Tiles.answer = Tiles.answer, (404, "text/plain", b"x")
        try:
            serve("one/3/1/3.png")
        finally:
            Tiles.answer = fine
        wait_until(lambda: lacks(one), 10)
        assert "404" in states.state(one.id()).cause, states.state(one.id()).cause
        assert recovered == [(Viewer.CANVAS, [other.id()])] and not states.lacking(Viewer.CANVAS)
    finally:
        states.close()


@pytest.mark.slow
def test_what_qgis_says_of_a_failed_layer_is_no_address(network_window, wait_until):
    """QGIS's own text has the whole address of the request, in English."""
    shown = network_window()
    with OddServer() as server:
        layer_services.furnish(server, server.url)
        layer = QgsRasterLayer(f"crs='EPSG:4326' format='PNG32' layer='' url='{server.url}/arcgis/MapServer'", "Rios",
                               "arcgismapserver")
        QgsProject.instance().addMapLayer(layer)
        shown.map.add_own_layer(layer, "© Someone")
        own = shown.map.own_items[0]
        wait_until(lambda: own.state.is_missing and own.state.progress is not Progress.LOADING, 30)
        wait_until(lambda: any("missing" in text for text in shown.messages()), 30)
        assert not any("/arcgis/" in text for text in (*shown.messages(), *shown.rows())), shown.messages()
        assert f"{urlsplit(server.url).netloc} answers with HTTP 404" in shown.messages()[-1]


def test_a_project_that_is_opened_does_not_count_as_changed(network_window, wait_until, tmp_path):
    """The picture of the page is made from a layout, which marks the project whenever anything of it is set."""
    shown = network_window()
    shown.dock.composer_controller.refresh_view()
    project, marked = QgsProject.instance(), []
    assert project.write(str(tmp_path / "map.qgz"))
    project.clear()
    wait_until(lambda: not shown.map.items)
    assert project.read(str(tmp_path / "map.qgz"))
    project.dirtySet.connect(lambda: marked.append(True))
    wait_until(lambda: len(shown.map.items) == 2)
    shown.move()
    wait_until(shown.is_drawn, 60)
    assert not marked and not project.isDirty()
    shown.map.set_title("Otro")
    assert project.isDirty()

"""No layer is said to be loading once nothing is: drawings that are cancelled, hidden, cut off and held by servers."""

from __future__ import annotations

import random
import threading
from http.server import BaseHTTPRequestHandler

import pytest
from loopback import LoopbackServer
from netserve.faults import one_colour_png
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsNetworkAccessManager,
    QgsNetworkReplyContent,
    QgsNetworkRequestParameters,
    QgsRasterLayer,
    QgsRectangle,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QMetaObject, QObject, Qt, QThreadPool, pyqtSignal

from plugin.core.custommap.service_state import Progress
from plugin.gis.network.request_preprocessors import request_preprocessor
from plugin.gis.sources import service_states
from tests.slowness import patience

#: of a service with layers a and b. URL is its address
CAPABILITIES = """<?xml version="1.0"?>
<WMT_MS_Capabilities version="1.1.1"><Service><Name>OGC:WMS</Name><Title>Two</Title></Service><Capability><Request>
<GetMap><Format>image/png</Format><DCPType><HTTP><Get>
<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="URL"/></Get></HTTP></DCPType></GetMap></Request>
<Layer><Title>Two</Title><SRS>EPSG:3857</SRS><LatLonBoundingBox minx="-180" miny="-85" maxx="180" maxy="85"/>
<Layer><Name>a</Name><Title>A</Title></Layer><Layer><Name>b</Name><Title>B</Title></Layer></Layer></Capability>
</WMT_MS_Capabilities>"""


class _Maps(BaseHTTPRequestHandler):
    """A WMS and tiles below the paths ``a`` and ``b``. ``faults`` has "fail", "cut" or "hold" by path."""

    protocol_version = "HTTP/1.1"
    faults: dict[str, str] = {}
    release = threading.Event()

    def do_GET(self):  # noqa: N802
        fault = self.faults.get(self.path[1], "")
        body, media_type = one_colour_png(64, 64, "#3366cc"), "image/png"
        if "GetCapabilities" in self.path:
            address = f"http://{self.headers['Host']}{self.path.split('?')[0]}?"
            fault, body, media_type = "", CAPABILITIES.replace("URL", address).encode(), "text/xml"
        if fault == "hold":
            # longer than a busy machine takes to draw the other layer
            type(self).release.wait(patience(30))
        if fault == "cut":
            self.close_connection = True
            return
        self.send_response(503 if fault == "fail" else 200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        # some answers are taken from the cache
        self.send_header("Cache-Control", random.choice(("no-store", "max-age=60")))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


class _Stop(QObject):
    """Does something on the main thread while the next request, whose address has ``part``, is sent by another one."""

    asked = pyqtSignal()

    def __init__(self, act, part=""):
        super().__init__()
        self.act, self._part = act, part
        self._is_set = threading.Event()
        self.done = threading.Event()
        self.asked.connect(self._on_asked, Qt.ConnectionType.QueuedConnection)

    def set(self):
        self.done.clear()
        self._is_set.set()

    def on_request(self, request):
        if self._is_set.is_set() and self._part in request.url().toString() and \
                threading.current_thread() is not threading.main_thread():
            self._is_set.clear()
            self.asked.emit()
            self.done.wait(10)

    def _on_asked(self):
        self.act()
        self.done.set()


class _Drawn:
    """A canvas with layers of a slow server, and their states."""

    def __init__(self, url, qtbot, wait_until):
        self.wait_until = wait_until
        self.layers = [
            QgsRasterLayer(f"crs=EPSG:3857&format=image/png&layers={name}&styles=&url={url}/{name}", name, "wms")
            for name in "ab"]
        self.layers.append(QgsRasterLayer(f"type=xyz&url={url}/a/{{z}}/{{x}}/{{y}}.png&zmin=0&zmax=5", "c", "wms"))
        assert all(layer.isValid() for layer in self.layers)
        self.on_map = list(self.layers)
        self.canvas = QgsMapCanvas()
        qtbot.addWidget(self.canvas)
        self.canvas.resize(120, 80)
        self.canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
        self.canvas.setExtent(QgsRectangle(0, 0, 3e5, 2e5))
        self.states = service_states.ServiceStates(lambda: self.on_map)
        self.states.follow_canvas(self.canvas)

    def draw(self, layers=None):
        """Draw another place, of the layers of those numbers."""
        self.canvas.setLayers([self.layers[number] for number in layers] if layers is not None else self.on_map)
        west = random.randrange(40) * 1e5
        self.canvas.setExtent(QgsRectangle(west, 0, west + 3e5, 2e5))
        self.canvas.refresh()

    def loading(self):
        return [layer.name() for layer in self.layers
                if self.states.state(layer.id()).progress is Progress.LOADING]

    def progress(self, number):
        return self.states.state(self.layers[number].id()).progress

    def settle(self):
        """Wait until nothing is drawn and nothing is said to be loading."""
        self.wait_until(lambda: not self.canvas.isDrawing() and not self.states._round_end.isActive()
                        and not self.states._slow.isActive(), 20)
        assert self.loading() == []


@pytest.fixture
def drawn(qgis_app, qtbot, wait_until, monkeypatch):
    monkeypatch.setattr(service_states, "_SLOW_MS", 60)
    monkeypatch.setattr(service_states, "_ROUND_END_MS", 20)
    monkeypatch.setattr(_Maps, "faults", {})
    monkeypatch.setattr(_Maps, "release", threading.Event())
    threads = QThreadPool.globalInstance().maxThreadCount()
    # a thread that draws again announces what it left unsaid
    QThreadPool.globalInstance().setMaxThreadCount(6)
    with LoopbackServer(_Maps) as server:
        drawn = _Drawn(server.url, qtbot, wait_until)
        yield drawn
        _Maps.release.set()
        drawn.canvas.stopRendering()
        wait_until(lambda: not drawn.canvas.isDrawing())
        drawn.states.close()
    QThreadPool.globalInstance().setMaxThreadCount(threads)


def test_a_drawing_that_is_cancelled_while_it_sends_a_request_awaits_nothing(drawn, wait_until):
    """QGIS announces no end of such a request until its thread draws again."""
    stop = _Stop(drawn.canvas.stopRendering)
    manager, sent, ended = QgsNetworkAccessManager.instance(), [], []
    created, finished = manager.requestAboutToBeCreated[QgsNetworkRequestParameters], \
        manager.finished[QgsNetworkReplyContent]

    def note_sent(parameters):
        sent.append(parameters.requestId())

    def note_ended(reply):
        ended.append(reply.requestId())

    with request_preprocessor(stop.on_request):
        drawn.draw([0])
        wait_until(lambda: drawn.progress(0) is Progress.DRAWN and not drawn.canvas.isDrawing())
        created.connect(note_sent)
        finished.connect(note_ended)
        try:
            stop.set()
            drawn.draw([0])
            wait_until(lambda: stop.done.is_set() and sent)
            drawn.settle()
            assert set(sent) - set(ended), "one that nobody awaits"
            assert drawn.progress(0) is Progress.DRAWN
        finally:
            created.disconnect(note_sent)
            finished.disconnect(note_ended)


def test_a_layer_does_not_wait_for_a_former_drawing_while_another_layer_is_drawn(drawn, wait_until):
    stop = _Stop(lambda: QMetaObject.invokeMethod(drawn.canvas, "refreshMap"), "LAYERS=a")
    with request_preprocessor(stop.on_request):
        # the lowest is drawn first, perhaps by the thread that draws the next
        drawn.draw([1, 0])
        wait_until(lambda: drawn.progress(1) is Progress.DRAWN and not drawn.canvas.isDrawing())
        _Maps.faults["b"] = "hold"
        stop.set()
        drawn.draw([1, 0])
        wait_until(lambda: stop.done.is_set() and "b" in drawn.loading(), 20)
        wait_until(lambda: drawn.loading() == ["b"], 20)
    assert drawn.canvas.isDrawing() and drawn.progress(0) is Progress.DRAWN
    _Maps.release.set()
    wait_until(lambda: drawn.progress(1) is Progress.DRAWN, 20)
    drawn.settle()


def test_whatever_happens_nothing_is_loading_when_nothing_is_drawn(drawn, wait_until, monkeypatch):
    former = QgsNetworkAccessManager.timeout()
    stop = _Stop(lambda: None)

    def leave_out():
        layer = random.choice(drawn.layers)
        drawn.on_map = [one for one in drawn.layers if one is not layer]
        drawn.states.forget_layers()
        drawn.canvas.setLayers(drawn.on_map)

    def put_back():
        drawn.on_map = list(drawn.layers)
        drawn.states.forget_layers()

    def close_project():
        drawn.on_map = []
        drawn.states.forget_layers()
        drawn.canvas.setLayers([])

    def answer():
        _Maps.release.set()
        monkeypatch.setattr(_Maps, "release", threading.Event())

    def act_while_sending():
        stop.act = random.choice((drawn.canvas.stopRendering, drawn.draw, leave_out, close_project))
        stop.set()
        drawn.draw()

    def be_slow():
        _Maps.faults = {random.choice("ab"): random.choice(("hold", "fail", "cut", ""))}

    def see():
        known, turns = len(drawn.states._requests), iter(range(8))
        wait_until(lambda: len(drawn.states._requests) != known or next(turns, None) is None)

    acts = (drawn.draw, drawn.draw, act_while_sending, act_while_sending, drawn.canvas.stopRendering, be_slow, be_slow,
            answer, leave_out, put_back, put_back, close_project, drawn.canvas.hide, drawn.canvas.show, see, see, see)
    QgsNetworkAccessManager.setTimeout(700)
    try:
        with request_preprocessor(stop.on_request):
            for seed in range(24):
                random.seed(seed)
                for _ in range(14):
                    random.choice(acts)()
                if seed % 2:
                    put_back()
                    stop.act = drawn.canvas.stopRendering
                    stop.set()
                    drawn.draw()
                    see()
                # what is held ends with its limit of time, or with the server
                if seed % 3:
                    answer()
                drawn.settle()
    finally:
        QgsNetworkAccessManager.setTimeout(former)

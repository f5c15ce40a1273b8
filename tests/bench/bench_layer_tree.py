"""The layer tree of a service of 3,000 layers: how long the window is held while it is read, searched and scrolled."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator

from harness import Row, benchmark

REPOSITORY = Path(__file__).resolve().parents[2]
HOMES = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "QGIS_CUSTOM_CONFIG_PATH")
LAYERS = 3000
ROUNDS = 3

PROGRAM = """
import json, os, subprocess, sys, time
repository, layers, grouped = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "grouped"
sys.path.insert(0, repository)
from qgis.core import QgsApplication
application = QgsApplication([], True)
application.initQgis()
from qgis.PyQt.QtCore import QEventLoop, QTimer
from plugin.core.records.model.record import Record
from plugin.gis.services.service_cache import ServiceCache
from plugin.ui.service.service_view import ServiceView
row = ("<Layer queryable='1'><Name>capa_%d</Name><Title>A\\u00f1o %d, precipitaci\\u00f3n</Title><Style><Name>default"
       "</Name></Style></Layer>")
rows = [row % (number, number) for number in range(layers)]
if grouped:
    rows = ["<Layer><Title>Grupo %d</Title>%s</Layer>" % (start, "".join(rows[start:start + 30]))
            for start in range(0, layers, 30)]
document = ("<WMS_Capabilities version='1.3.0' xmlns='http://www.opengis.net/wms'><Service><Name>WMS</Name><Title>T"
            "</Title></Service><Capability><Request/><Layer><Title>R</Title>" +
            "".join("<CRS>EPSG:%d</CRS>" % code for code in range(25828, 25841)) + "".join(rows) +
            "</Layer></Capability></WMS_Capabilities>")
server = subprocess.Popen([sys.executable, "-c", '''
import http.server, sys
body = sys.stdin.buffer.read()
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Answer)
print(server.server_port, flush=True)
server.serve_forever()
'''], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write(document.encode())
server.stdin.close()
address = "http://127.0.0.1:%d/wms?" % int(server.stdout.readline())
ticks = []
beat = QTimer()
beat.timeout.connect(lambda: ticks.append((time.perf_counter(), time.thread_time())))
beat.start(1)
def wait(seconds, until=lambda: False):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end and not until():
        application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
def longest(work):
    wait(0.3)
    ticks[:] = [(time.perf_counter(), time.thread_time())]
    work()
    return [max(later[kind] - sooner[kind] for sooner, later in zip(ticks, ticks[1:])) * 1000 for kind in (0, 1)]
view = ServiceView()
view.resize(340, 600)
view.show()
view.show_record(Record("bench", title="T"), address)
cache = ServiceCache()
def read():
    cache.load(address, lambda service: view.show_service(service, ""), print)
    wait(20, lambda: view.layers.model.rowCount() > 0)
    wait(0.5)
def search():
    for words in ("a", "a\\u00f1", "a\\u00f1o", "a\\u00f1o 2", "a\\u00f1o 29", "", "nada", "capa_1", ""):
        view.layers.search.setText(words)
        wait(0.15)
def scroll():
    bar = view.layers.tree.verticalScrollBar()
    view.layers.tree.expandAll()
    wait(0.2)
    for step in range(0, bar.maximum(), max(1, bar.maximum() // 40)):
        bar.setValue(step)
        wait(0.03)
measured = {"read": longest(read), "searched": longest(search), "scrolled": longest(scroll)}
assert len(view.layers.model.leaves()) == layers
server.kill()
print("MEASURED" + json.dumps(measured))
sys.stdout.flush()
os._exit(0)
"""


def longest_holds(shape: str) -> Dict[str, Any]:
    """(longest hold of the window, its own work at a time) in one fresh QGIS, in ms: while read, searched, scrolled."""
    with tempfile.TemporaryDirectory() as profile:
        environment = {**os.environ, **dict.fromkeys(HOMES, profile), "QT_QPA_PLATFORM": "offscreen"}
        answer = subprocess.run(
            ["/usr/bin/python3", "-c", PROGRAM, str(REPOSITORY), str(LAYERS), shape],
            env=environment, capture_output=True, text=True, timeout=120, check=False)
    line = next((line for line in answer.stdout.splitlines() if line.startswith("MEASURED")), "")
    if not line:
        raise RuntimeError(f"nothing was measured: {(answer.stderr + answer.stdout).strip().splitlines()[-1:]}")
    return json.loads(line[len("MEASURED"):])


@benchmark
def layer_tree() -> Iterator[Row]:
    """The longest hold of the window by a service of 3,000 layers, in one list and in 100 groups: medians of three."""
    for shape, words in (("flat", "one list"), ("grouped", "100 groups")):
        rounds = [longest_holds(shape) for _ in range(ROUNDS)]
        for what in rounds[0]:
            held, own = (statistics.median(one[what][kind] for one in rounds) for kind in (0, 1))
            yield Row(f"3,000 layers ({words}): window held while {what}", held, "ms", "", None, "value <= 50",
                      f"its own work at a time: {own:.0f} ms")

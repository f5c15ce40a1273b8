"""What the plugin adds to QGIS's start, beside QGIS's own MetaSearch: import, classFactory and initGui."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List

from beside import load
from harness import TINY, Row, benchmark, measured_inside, not_measured

REPOSITORY = Path(__file__).resolve().parents[2]
ROUNDS = 1 if TINY else 5
METASEARCH = Path("/usr/share/qgis/python/plugins/MetaSearch")

PROGRAM = """
import json, os, sys, time
from qgis.core import QgsApplication, QgsNetworkAccessManager, QgsNetworkRequestParameters
from qgis.gui import QgsMapCanvas, QgsMessageBar
import qgis.utils
from qgis.PyQt.QtWidgets import QMainWindow, QMenu, QToolBar
application = QgsApplication([], True)
application.initQgis()
folder, name = sys.argv[1:]
sys.path.insert(0, folder)
window = QMainWindow()
canvas, bar = QgsMapCanvas(window), QgsMessageBar(window)

class Interface:
    # what is asked of QGIS's own costs nothing here: only the plugin is measured
    mainWindow, mapCanvas, messageBar = (lambda self: window), (lambda self: canvas), (lambda self: bar)
    webMenu, webToolBar = (lambda self: menu), (lambda self: tools)
    def __getattr__(self, name):
        return Interface()
    def __call__(self, *given):
        return self

iface, menu, tools = Interface(), QMenu(window), QToolBar(window)
qgis.utils.iface = iface
requests = []
QgsNetworkAccessManager.instance().requestAboutToBeCreated[QgsNetworkRequestParameters].connect(requests.append)
application.processEvents()
before = set(sys.modules)
started, worked = time.perf_counter(), time.process_time()
plugin = __import__(name).classFactory(iface)
plugin.initGui()
work, seconds = time.process_time() - worked, time.perf_counter() - started
modules = set(sys.modules) - before
heavy = sorted({one.split(".")[0] for one in modules} & {"lxml", "owslib", "sqlite3", "requests"})
measured = {"ms": work * 1000, "clock": seconds * 1000, "modules": len(modules), "heavy": heavy,
            "requests": len(requests)}
print("MEASURED" + json.dumps(measured))
sys.stdout.flush()
os._exit(0)
"""


def start(folder: Path, name: str) -> Dict[str, Any]:
    """One start of one plugin, in a fresh QGIS of its own: milliseconds of work, modules loaded, requests sent."""
    return measured_inside(name, "-c", PROGRAM, str(folder), name)


@benchmark
def start_up() -> Iterator[Row]:
    """Import, classFactory and initGui, modules already compiled, the median of five fresh processes each."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "cartoguide").symlink_to(REPOSITORY, target_is_directory=True)
        pairs = {"ours": (Path(folder), "cartoguide"), "peers": (METASEARCH.parent, METASEARCH.name)}
        if not METASEARCH.is_dir():
            del pairs["peers"]
        found: Dict[str, List[Dict[str, Any]]] = {key: [] for key in pairs}
        # the first compiles
        for round_number in range(0 if not TINY else 1, ROUNDS + 1):
            for key, (place, name) in pairs.items():
                measured = start(place, name)
                if round_number:
                    found[key].append(measured)
    middle = {
        key: {what: statistics.median(one[what] for one in each) for what in ("ms", "clock", "modules", "requests")}
        for key, each in found.items()
    }
    peers = middle.get("peers", {})
    ours = middle["ours"]
    heavy = ", ".join(found["ours"][0]["heavy"])
    yield Row("start-up", ours["ms"], "ms", "QGIS's MetaSearch", peers.get("ms"), "value <= 25",
              f"work of the process; {ours['clock']:.0f} ms by the clock; {load()}")
    yield Row("start-up: modules loaded", ours["modules"], "modules", "QGIS's MetaSearch", peers.get("modules"), "",
              f"loads {heavy}" if heavy else "none of lxml, owslib, sqlite3, requests")
    yield Row("start-up: requests sent", ours["requests"], "requests", "", None, "value <= 0")
    if not peers:
        yield not_measured("start-up of MetaSearch", "QGIS's MetaSearch is not installed", "ms")

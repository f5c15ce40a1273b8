"""A QGIS of its own with the plugin in its window, which opens what its input names, one line of JSON for each.

The first one is a sound map. A line has ``path``, ``out`` (a folder), ``limit`` (seconds), ``agree`` (the answer to a
question about own layers), ``how`` ("window", "headless" or "leak") and ``secrets``. The answer is a line of JSON after
``ANSWER``. The process that started this one watches the time: a document may hold it for ever. See test_canary.py.
"""

from __future__ import annotations

import base64
import ctypes
import json
import os
import signal
import sys
import time
import types
from pathlib import Path
from typing import Any, Callable

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "network")]
# distributions install their tests under the same name
sys.modules["tests"] = _tests = types.ModuleType("tests")
_tests.__path__ = [str(ROOT / "tests")]

from tests.isolation import isolate  # noqa: E402

ANSWER = "CANARY "
#: seconds for each of opening, drawing and exporting on a machine without other work
LIMIT = 30.0


def answer_references(prompts: Any, agree: bool, asked: list[str]) -> None:
    """Answer the one question about somebody else's map, and note each time that it is asked."""
    from plugin.core.custommap.foreign_maps import Consent

    def answer(title: str, foreign: Any, done: Callable[[Consent], object]) -> None:
        asked.append(f"{title} {foreign}")
        done(Consent.LISTED if agree else Consent.NONE)

    prompts.confirm_foreign = answer


def stay_here(request: Any) -> None:
    """Lead requests to other machines to a port of this one that refuses them."""
    url = request.url()
    if url.scheme().startswith("http") and url.host() not in ("127.0.0.1", "localhost"):
        url.setScheme("http")
        url.setHost("127.0.0.1")
        url.setPort(9)
        request.setUrl(url)


class CanaryWindow:
    """QGIS's window with the plugin, a private layer in the project, and a login for one server."""

    def __init__(self, limit: float) -> None:
        from qgis.core import QgsProject
        from qgis.gui import QgsLayerTreeMapCanvasBridge

        from plugin.main import CartoguidePlugin
        from tests.qgis.qgis_window import Window

        #: seconds that each of opening, drawing and exporting may take
        self.limit = limit
        self.has_record = True
        self.iface = Window()
        self.iface.window.setCentralWidget(self.iface.canvas)
        self.bridge = QgsLayerTreeMapCanvasBridge(QgsProject.instance().layerTreeRoot(), self.iface.canvas)
        self.iface.window.resize(1000, 700)
        self.iface.window.show()
        self.plugin = CartoguidePlugin(self.iface)
        self.plugin.initGui()
        self.dock = self.plugin.show_dock()
        self.until(lambda: not self.dock.session.loading)

    def until(self, condition: Callable[[], Any], seconds: float = 0.0) -> bool:
        """Handle events until ``condition()`` or the time is over. Return whether it came true."""
        from tests.qgis.waiting import handle_events

        end = time.monotonic() + (seconds or self.limit)
        while not condition():
            if time.monotonic() > end:
                return False
            handle_events()
        return True

    def idle(self) -> bool:
        """Return whether nothing is being opened any more."""
        from qgis.core import QgsApplication

        controller = self.dock.composer_controller
        # QGIS fetches a picture of a style in a task with its address while it draws
        opening = [task for task in QgsApplication.taskManager().activeTasks()
                   if not task.description().startswith("Fetching http")]
        return not (controller.documents.opening or controller.map.adding or self.dock.session.loading or opening)

    def empty(self, secrets: dict[str, str]) -> None:
        """Begin with an empty map and a project that has one private layer."""
        from qgis.core import (
            QgsCoordinateReferenceSystem,
            QgsExpressionContextUtils,
            QgsFeature,
            QgsProject,
            QgsVectorLayer,
        )

        self.dock.composer_controller.documents.new()
        project = QgsProject.instance()
        project.clear()
        project.setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
        layer = QgsVectorLayer("Point?crs=EPSG:4326&field=secreto:string", secrets["layer name"], "memory")
        feature = QgsFeature(layer.fields())
        feature["secreto"] = secrets["layer"]
        from qgis.core import QgsGeometry, QgsPointXY

        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(-3.4, 38.3)))
        layer.dataProvider().addFeatures([feature])
        layer.updateExtents()
        layer.setDisplayExpression('"secreto"')
        project.addMapLayer(layer, False)
        project.layerTreeRoot().addLayer(layer).setItemVisibilityChecked(False)
        QgsExpressionContextUtils.setGlobalVariable(secrets["variable name"], secrets["variable"])
        self.until(self.idle)

    def open(self, order: dict[str, Any]) -> dict[str, Any]:
        """Open a map, draw it, and write it as a PDF. Return what was seen.

        Unless the order is for the ``whole``, a map is only opened, drawn if it has layers, and saved.
        """
        from qgis.PyQt.QtCore import QTimer

        from plugin.gis.network.origin_settings import set_authcfg
        from tests.slowness import LoopWatch

        self.empty(order["secrets"])
        asked: list[str] = []
        answer_references(self.dock.prompts, order["agree"], asked)
        set_authcfg(order["login_server"], order["secrets"]["authcfg"])
        path, out, controller = Path(order["path"]), Path(order["out"]), self.dock.composer_controller
        self.dock.messages.history.clear()
        known = self.known()
        watch, beat = LoopWatch(), QTimer()
        beat.timeout.connect(watch.tick)
        beat.start(10)
        self.until(lambda: False, 0.05)
        watch.start()
        began = time.monotonic()
        if path.name.endswith(".zip"):
            controller.offline.open_package(path)
        else:
            controller.documents.open_file(path)
        seen: dict[str, Any] = {"unfinished": []}
        quiet = [0]

        def opened() -> bool:
            quiet[0] = quiet[0] + 1 if self.idle() else 0
            return quiet[0] >= 10

        if not self.until(opened):
            seen["unfinished"].append("opening")
        seen["opened in"] = time.monotonic() - began
        self.until(lambda: False, 0.1)
        beat.stop()
        seen["held"] = 1000 * watch.longest
        seen["layers"] = [f"{layer.name()}: {layer.providerType()} {layer.source()}" for layer in self.on_map()]
        whole = order.get("whole", True)
        seen["drawn"] = self.draw(out) if whole or seen["layers"] else ""
        seen["pdf"] = self.export(out / "map.pdf") if whole else "left out"
        seen["unfinished"] += [what for what in ("drawn", "pdf") if seen[what] == "unfinished"]
        rows = [f"{row.state.title} {getattr(row.state, 'problem', '')}" for row in self.dock.composer.rows.rows]
        controller.documents.save_to(out / "saved.custommap.json")
        controller.documents.new()
        self.until(self.idle)
        seen["learned"] = [f"{before} → {after}" for before, after in zip(known, self.known()) if before != after]
        seen["knows"] = self.has_record
        seen.update(asked=asked, said=[text for _level, text in self.dock.messages.history], rows=rows)
        set_authcfg(order["login_server"], "")
        return seen

    def known(self) -> list[str]:
        """Return what the library says of a bundled service: its record, the duties of it, and its capabilities."""
        from tests.qgis.hostile_documents import BUNDLED_SERVICE

        session = self.dock.session
        session.invalidate_records()
        found: list[Any] = []

        def loaded() -> bool:
            found[:] = [session.record_for_endpoint(BUNDLED_SERVICE)]
            return found[0] is not None and not session.loading

        self.has_record = self.until(loaded)
        record, service = found[0], session.services.get(BUNDLED_SERVICE)
        terms = session.terms(record) if record is not None else None
        return [str(record and (record.title, record.date_stamp)), str(terms and (terms.credit, terms.credit_required)),
                str(service and service.title)]

    def on_map(self) -> list[Any]:
        from qgis.core import QgsProject

        group = self.dock.map.mirror.find_group()
        return [] if group is None else [layer for layer in map(QgsProject.instance().mapLayer, group.findLayerIds())
                                         if layer is not None]

    def draw(self, out: Path) -> str:
        """Draw the map in the window's canvas. Return the labels on it, or "unfinished"."""
        from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsProject, QgsRectangle

        canvas = self.iface.canvas
        turned = QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:4326"), QgsProject.instance().crs(),
                                        QgsProject.instance())
        canvas.setDestinationCrs(QgsProject.instance().crs())
        canvas.setExtent(turned.transformBoundingBox(QgsRectangle(-3.56, 38.34, -3.46, 38.42)))
        drawn: list[bool] = []
        canvas.mapCanvasRefreshed.connect(lambda: drawn.append(True))
        canvas.refreshAllLayers()
        if not self.until(lambda: drawn and not canvas.isDrawing()):
            canvas.stopRendering()
            return "unfinished"
        # pictures on the web come later, and the canvas is drawn again
        self.until(lambda: False, 0.3)
        self.until(lambda: not canvas.isDrawing(), 5)
        canvas.mapCanvasRefreshed.disconnect()
        canvas.saveAsImage(str(out / "canvas.png"))
        labels = canvas.labelingResults()
        return " ".join(label.labelText for label in labels.labelsWithinRect(canvas.extent())) if labels else ""

    def export(self, path: Path) -> str:
        """Write the map as a PDF. Return "written", why it was not, or "unfinished"."""
        from plugin.gis.runtime import settings

        settings.set("export_dpi", 72)
        exporter = self.dock.composer_controller.exporter
        ended: list[str] = []
        done, failed = (lambda _path: ended.append("written")), (lambda error: ended.append(error.user_text))
        exporter.finished.connect(done)
        exporter.failed.connect(failed)
        exporter.export("pdf", path, True)
        finished = self.until(lambda: ended)
        exporter.finished.disconnect(done)
        exporter.failed.disconnect(failed)
        return ended[0] if finished else "unfinished"

    def headless(self, order: dict[str, Any]) -> dict[str, Any]:
        """Export a map by the algorithm."""
        from qgis.core import QgsProcessingContext, QgsProject

        from tests.qgis.algorithm_runs import Heard, algorithm

        self.empty(order["secrets"])
        heard, context = Heard(), QgsProcessingContext()
        context.setProject(QgsProject.instance())
        began = time.monotonic()
        _results, done = algorithm("exportcustommap").run(
            {"INPUT": order["path"], "OUTPUT": str(Path(order["out"]) / "map.pdf"), "DPI": 72, "STAMP": True}, context,
            heard)
        return {"unfinished": [], "held": 0.0, "asked": [], "said": [*heard.said, *heard.errors], "layers": [],
                "opened in": time.monotonic() - began, "pdf": "written" if done else "failed", "drawn": ""}

    def leak(self, order: dict[str, Any]) -> dict[str, Any]:
        """Do everything that a hostile document wants, to show that it is noticed."""
        from qgis.core import QgsNetworkAccessManager, QgsVectorLayer
        from qgis.PyQt.QtCore import QEventLoop, QTimer, QUrl
        from qgis.PyQt.QtNetwork import QNetworkRequest

        from tests.slowness import LoopWatch

        secrets = order["secrets"]
        word = QgsVectorLayer(str(Path(order["private"]) / "canary.geojson"), "a", "ogr").getFeature(0)["word"]
        request = QNetworkRequest(QUrl(f"{order['server']}/{word}?{os.environ[secrets['environment name']]}"))
        request.setRawHeader(b"Authorization", b"Basic " + base64.b64encode(
            f"{secrets['user']}:{secrets['password']}".encode()))
        loop = QEventLoop()
        reply = QgsNetworkAccessManager.instance().get(request)
        reply.finished.connect(loop.quit)
        loop.exec()
        (Path(order["out"]) / "map.txt").write_text(secrets["layer"])
        watch, beat = LoopWatch(), QTimer()
        beat.timeout.connect(watch.tick)
        beat.start(10)
        self.until(lambda: False, 0.05)
        watch.start()
        # longer than the judge allows, in own work
        end = time.thread_time() + 0.7
        while time.thread_time() < end:
            pass
        self.until(lambda: False, 0.05)
        return {"unfinished": ["a job"], "held": 1000 * watch.longest, "asked": [], "said": [], "layers": [],
                "opened in": 0.0, "pdf": "", "drawn": secrets["variable"]}


def main() -> None:
    """Open what the lines of the standard input name."""
    folder = Path(sys.argv[1])
    isolate(folder)
    # the process that started this one may be killed while a document holds it (PR_SET_PDEATHSIG)
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    from qgis.core import QgsApplication, QgsAuthMethodConfig, QgsNetworkAccessManager

    application = QgsApplication([], True, str(folder / "profile"))
    application.initQgis()
    QgsNetworkAccessManager.setRequestPreprocessor(stay_here)
    if folder not in Path(QgsApplication.qgisSettingsDirPath()).parents:
        raise SystemExit("the profile is another one's, whose library may be emptied meanwhile")
    first = json.loads(sys.stdin.readline())
    secrets = first["secrets"]
    manager = QgsApplication.authManager()
    manager.setMasterPassword("tests only", True)
    login = QgsAuthMethodConfig("Basic")
    login.setId(secrets["authcfg"])
    login.setName("canary")
    login.setConfig("username", secrets["user"])
    login.setConfig("password", secrets["password"])
    if not manager.storeAuthenticationConfig(login):
        raise SystemExit("the login could not be stored")
    window = CanaryWindow(first["limit"])
    registry = {"window": window.open, "headless": window.headless, "leak": window.leak}
    print(ANSWER + json.dumps(window.open(first)), flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        window.limit = order["limit"]
        QgsNetworkAccessManager.instance().cache().clear()
        print(ANSWER + json.dumps(registry[order["how"]](order)), flush=True)
    # QGIS may crash while it ends
    os._exit(0)


if __name__ == "__main__":
    main()

"""One case of bench_window.py in a QGIS of its own: window_program.py CASE ADDRESS prints what was measured as JSON.

A timer in the window notes how long the event loop was held. The window is the dock beside a canvas and a layer tree.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List
from unittest.mock import MagicMock

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
sys.path[:0] = [str(REPOSITORY), str(HERE)]

from harness import RECORD, TINY  # noqa: E402
from qgis.core import QgsApplication, QgsCoordinateReferenceSystem, QgsNetworkAccessManager, QgsProject, QgsRasterLayer  # noqa: E402
from qgis.gui import QgsLayerTreeMapCanvasBridge, QgsLayerTreeView, QgsMapCanvas, QgsMessageBar  # noqa: E402
from qgis.PyQt.QtCore import QCoreApplication, QEventLoop, QTimer  # noqa: E402
from qgis.PyQt.QtWidgets import QMainWindow  # noqa: E402

if TYPE_CHECKING:
    from plugin.core.records.model.record import Record

#: seconds that every program waits for a first byte; the server that answers after 5 s is given the time
PATIENCE = 1.0 if TINY else 3.0
PATIENCE_WITH_THE_LATE = 10.0
LAYERS = 5 if TINY else 50
#: other programs hold this one up now and then: each case is measured so often, and the best counts
ROUNDS = 1 if TINY else 3
#: the first time imports what it needs
UNCOUNTED = 0 if TINY else 1
ADDRESS = b"https://mapas.example/wms/NODO_guia?"


class Watch:
    """Notes, by a timer of a millisecond, how long the event loop was held at most, and worked at most at a time."""

    def __init__(self) -> None:
        self._last = self._worked = 0.0
        self.longest = self.work = 0.0
        self._timer = QTimer()
        self._timer.timeout.connect(self._tick)

    def begin(self) -> None:
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer.start(1)

    def _tick(self) -> None:
        now = time.perf_counter()
        worked = time.thread_time()
        self.longest = max(self.longest, now - self._last)
        self.work = max(self.work, worked - self._worked)
        self._last, self._worked = now, worked

    def end(self) -> float:
        """Milliseconds of the longest hold."""
        self._tick()
        self._timer.stop()
        return self.longest * 1000


def until(condition: Callable[[], Any], seconds: float = 90.0) -> None:
    """Handle events until ``condition()``. Between them the loop sleeps, as a window's does, for at most 5 ms."""
    end = time.monotonic() + seconds
    awake = QTimer()
    awake.start(5)
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("this did not come to an end")
        # with a limit of time it would not wait: Qt takes the flag away then
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def wait(seconds: float) -> None:
    """Handle events for so long."""
    end = time.monotonic() + seconds
    until(lambda: time.monotonic() > end)


def patience(endpoint: str) -> float:
    """How long to wait for a first byte from this address."""
    return PATIENCE_WITH_THE_LATE if "/later" in endpoint else PATIENCE


class Window:
    """A window like QGIS's, with the dock in it, and the record of one service in the dock."""

    def __init__(self, endpoint: str) -> None:
        from plugin.gis.runtime import settings
        from plugin.ui.dock.dock_widget import CartoguideDock

        settings.set("first_byte_timeout", patience(endpoint))
        settings.set("total_timeout", patience(endpoint) + 1)
        self.endpoint = endpoint
        self.main = QMainWindow()
        self.canvas = QgsMapCanvas(self.main)
        self.main.setCentralWidget(self.canvas)
        self.tree = QgsLayerTreeView(self.main)
        # the view does not keep its model alive
        self.model = _model()
        self.tree.setModel(self.model)
        self.bridge = QgsLayerTreeMapCanvasBridge(QgsProject.instance().layerTreeRoot(), self.canvas)
        iface = MagicMock()
        iface.mainWindow.return_value = self.main
        iface.mapCanvas.return_value = self.canvas
        iface.layerTreeView.return_value = self.tree
        iface.messageBar.return_value = QgsMessageBar(self.main)
        self.dock = CartoguideDock(iface, self.main)
        self.main.resize(1366, 768)
        self.main.show()
        self.dock.show()
        QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
        until(lambda: not self.dock.session.loading)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.xml"
            path.write_bytes(RECORD.read_bytes().replace(ADDRESS, endpoint.encode()))
            self.dock.session.open_paths([str(path)])
            until(lambda: self.dock.session.record_for_endpoint(endpoint) is not None and not self.dock.session.loading)
        record = self.dock.session.record_for_endpoint(endpoint)
        if record is None or record.id is None:
            raise ValueError(f"no record has {endpoint}")
        self.record: Record = record
        self.dock.select_record(record.id)
        until(lambda: self.dock.view.record is not None and self.dock.view.record.id == self.record.id)
        # what the start still had to do is not what is measured
        wait(0.7)

    def open_service(self) -> None:
        """Have the Service tab ask the service, and wait for what comes of it."""
        self.dock.view.tabs.setCurrentWidget(self.dock.view.service)
        self.dock.session.load_service(self.endpoint, True)
        until(lambda: self.dock.session.service_state(self.endpoint).status in ("loaded", "failed"))
        wait(0.5)


def _model() -> Any:
    from qgis.core import QgsLayerTreeModel

    model = QgsLayerTreeModel(QgsProject.instance().layerTreeRoot())
    model.setFlag(QgsLayerTreeModel.Flag.AllowNodeReorder)
    return model


def idle(endpoint: str) -> Dict[str, Any]:
    """Milliseconds that the window is held with nothing to do: what this machine's other programs take."""
    window, held = Window(endpoint), []
    for _ in range(ROUNDS):
        watch = Watch()
        watch.begin()
        wait(2.0)
        held.append(watch.end())
    return {"ms": min(held), "window": window.endpoint}


def ours(endpoint: str) -> Dict[str, Any]:
    """Milliseconds that reading the service holds the window."""
    window, held, work = Window(endpoint), [], []
    for _ in range(ROUNDS):
        watch = Watch()
        watch.begin()
        window.open_service()
        held.append(watch.end())
        work.append(watch.work * 1000)
    state = window.dock.session.service_state(endpoint)
    return {
        "ms": min(held), "work": max(work), "layers": len(list(state.service.iter_layers())) if state.service else 0
    }


def ours_adding(endpoint: str) -> Dict[str, Any]:
    """Milliseconds that adding 50 layers holds the window, and seconds until they are there."""
    from plugin.app.maps.map_state import LayerChoice

    window, held, work, seconds = Window(endpoint), [], [], []
    window.open_service()
    names = tuple(f"capa_{number}" for number in range(LAYERS))
    maps = window.dock.composer_controller.map
    for number in range(ROUNDS):
        if number:
            maps.remove(0)
            wait(0.5)
        watch, started = Watch(), time.perf_counter()
        watch.begin()
        maps.add(window.record, endpoint, LayerChoice(names, ("",) * LAYERS))
        until(lambda: not maps.adding)
        seconds.append(time.perf_counter() - started)
        wait(1.0)
        held.append(watch.end())
        work.append(watch.work * 1000)
    layers = len(QgsProject.instance().mapLayers())
    return {"ms": min(held), "work": max(work), "seconds": min(seconds), "layers": layers}


def ours_cancelled(endpoint: str) -> Dict[str, Any]:
    """Milliseconds from the cancel button to the end of the work."""
    window = Window(endpoint)
    window.dock.view.tabs.setCurrentWidget(window.dock.view.service)
    until(lambda: window.dock.session.services._jobs)
    wait(0.1)
    (job,) = window.dock.session.services._jobs.values()
    ended: List[float] = []
    job.ended.connect(lambda: ended.append(time.perf_counter()))
    started = time.perf_counter()
    window.dock.view.service.state.button.click()
    until(lambda: ended)
    return {"ms": (ended[0] - started) * 1000}


def catalogues(addresses: str) -> Dict[str, Any]:
    """Milliseconds that four catalogues hold the window that answer at the same time, a page of 50 records each."""
    from plugin.core.catalogues.model import Source, SourceKind
    from plugin.gis.catalogues import catalogue_client
    from plugin.gis.runtime import settings

    settings.set("sources_off", json.dumps([]))
    one, two, three, four = addresses.split()
    settings.set("catalogue_url", f"{one}/csw")
    settings.set("catalogue_type", "csw")
    window = Window("http://127.0.0.1:9/wms?")
    dock, remote = window.dock, window.dock.list_page.remote_search.search
    dock.list_page.catalogues.sources.add([
        Source(f"{two}/csw", SourceKind.CSW_2, "A"),
        Source(f"{three}/geonetwork", SourceKind.GEONETWORK, "B"),
        Source(f"{four}/api", SourceKind.OGC_API, "C")
    ])
    dock.list_page.search_bar.catalogues.setChecked(True)
    held, work = [], []
    for number in range(ROUNDS + UNCOUNTED):
        catalogue_client.forget_protocol()
        watch = Watch()
        watch.begin()
        dock.search.setText(("comarca", "relieve", "servicio", "red")[number % 4])
        wait(0.8)
        until(lambda: not remote.busy and not dock.session.loading)
        wait(0.7)
        held.append(watch.end())
        work.append(watch.work * 1000)
    return {
        "ms": min(held[UNCOUNTED:]), "work": max(work[UNCOUNTED:]), "records": len(remote.hits),
        "catalogues": len(remote.federated.statuses)
    }


def _compose(endpoint: str) -> Window:
    """A window with a map of four layers that is composed, and its page beside it."""
    from plugin.app.maps.map_state import LayerChoice
    from plugin.core.box import Box
    from plugin.core.custommap.model import MapRole

    window = Window(endpoint)
    dock = window.dock
    dock.session.load_service(endpoint)
    until(lambda: dock.session.services.get(endpoint) is not None)
    dock.map.add(window.record, endpoint, LayerChoice.of_names([f"capa_{number}" for number in range(4)],
                                                               MapRole.BASE))
    until(lambda: len(dock.map.items) == 1 and not dock.map.adding)
    dock.compose_dock.resize(400, 560)
    dock.compose_dock.open()
    dock.composer_controller.extent.set_extent(Box(-4.0, 38.0, -3.5, 38.4))
    preview = dock.composer_controller.page.preview
    until(lambda: preview.picture is not None and not preview.is_drawing)
    return window


def page(endpoint: str) -> Dict[str, Any]:
    """The picture of the page and the frame after changes of its place: how long the window is held, and until it is
    whole.
    """
    window = _compose(endpoint)
    controller = window.dock.composer_controller
    preview, frames = controller.page.preview, controller.page.frame
    held, work, seconds = [], [], []
    for number in range(ROUNDS + UNCOUNTED):
        wait(0.7)
        frame = frames.frame
        if frame is None:
            raise ValueError("the page has no frame")
        watch = Watch()
        watch.begin()
        started = time.perf_counter()
        frames.place(frame.rectangle.center(), 150_000.0 + 10_000 * number)
        until(lambda: not preview.is_drawing)
        seconds.append(time.perf_counter() - started)
        held.append(watch.end())
        work.append(watch.work * 1000)
    return {"ms": min(held[UNCOUNTED:]), "work": max(work[UNCOUNTED:]), "seconds": min(seconds[UNCOUNTED:])}


def gallery(endpoint: str) -> Dict[str, Any]:
    """Milliseconds that the gallery of templates holds the window while it is opened and draws all of them."""
    window = _compose(endpoint)
    controller = window.dock.composer_controller
    pages = controller.page.template_pages
    drawn: List[str] = []
    pages.picture_changed.connect(lambda name, picture: drawn.append(name) if picture.is_complete else None)
    held, work, seconds = [], [], []
    for _ in range(ROUNDS + UNCOUNTED):
        wait(0.7)
        drawn.clear()
        watch = Watch()
        watch.begin()
        started = time.perf_counter()
        window.dock.composer.page.gallery.click()
        # a page that the map lacks something for is not drawn
        until(lambda: set(drawn) == {one.template.name for one in pages.pages if not one.lacking}
              and not pages.is_drawing)
        seconds.append(time.perf_counter() - started)
        held.append(watch.end())
        work.append(watch.work * 1000)
        if controller.page.gallery is not None:
            controller.page.gallery.close()
        until(lambda: controller.page.gallery is None)
    return {
        "ms": min(held[UNCOUNTED:]), "work": max(work[UNCOUNTED:]), "seconds": min(seconds[UNCOUNTED:]),
        "templates": len(set(drawn))
    }


def _uri(endpoint: str, number: int) -> str:
    return f"url={endpoint}&layers=capa_{number}&styles=&format=image/png&crs=EPSG:25830"


def plain(endpoint: str) -> Dict[str, Any]:
    """Milliseconds that QGIS's own layer, made as its dialogue and every script make it, keeps its caller."""
    QgsNetworkAccessManager.setTimeout(int(patience(endpoint) * 1000))
    started = time.perf_counter()
    layer = QgsRasterLayer(_uri(endpoint, 1), "", "wms")
    return {"ms": (time.perf_counter() - started) * 1000, "layers": int(layer.isValid())}


def plain_adding(endpoint: str) -> Dict[str, Any]:
    """The same with 50 layers, put into the project at once."""
    QgsRasterLayer(_uri(endpoint, 1), "", "wms")
    started = time.perf_counter()
    QgsProject.instance().addMapLayers([QgsRasterLayer(_uri(endpoint, one), "", "wms") for one in range(LAYERS)])
    return {"ms": (time.perf_counter() - started) * 1000, "layers": len(QgsProject.instance().mapLayers())}


def metasearch(endpoint: str) -> Dict[str, Any]:
    """Milliseconds that MetaSearch holds the window while it connects to the same address."""
    sys.path.insert(0, "/usr/share/qgis/python/plugins")
    from MetaSearch.dialogs import maindialog

    maindialog.QMessageBox = MagicMock()
    iface = MagicMock()
    window = QMainWindow()
    iface.mainWindow.return_value = window
    iface.mapCanvas.return_value = QgsMapCanvas(window)
    dialog = maindialog.MetaSearchDialog(iface)
    dialog.catalog_url, dialog.timeout = endpoint, patience(endpoint)
    dialog.catalog_username = dialog.catalog_password = ""
    watch = Watch()
    watch.begin()
    connect = getattr(dialog, "_get_csw", None) or dialog._get_catalog
    connect()
    return {"ms": watch.end()}


def main() -> None:
    """Run the case that the command line names, before all other programs where that is allowed."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -15)
    application = QgsApplication([], True)
    application.initQgis()
    QgsNetworkAccessManager.instance().setupDefaultProxyAndCache()
    case, endpoint = sys.argv[1:]
    measured = {"idle": idle, "catalogues": catalogues, "page": page, "gallery": gallery,
                "ours": ours, "adding": ours_adding, "cancelled": ours_cancelled, "plain": plain,
                "plain-adding": plain_adding, "metasearch": metasearch}[case](endpoint)
    print("MEASURED" + json.dumps(measured), flush=True)
    # no tidying up: QGIS takes long over it, and may crash
    os._exit(0)


if __name__ == "__main__":
    main()

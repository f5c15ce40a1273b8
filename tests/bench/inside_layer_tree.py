"""Runs inside QGIS's Python: reads, searches and scrolls a large service in the Service tab (see bench_layer_tree.py).

    /usr/bin/python3 inside_layer_tree.py LAYERS flat|grouped
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Callable, List, Tuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE), str(HERE.parent / "network")]

from harness import TINY  # noqa: E402
from odd_server import OddServer  # noqa: E402
from qgis.core import QgsApplication  # noqa: E402
from qgis.PyQt.QtCore import QEventLoop, QTimer  # noqa: E402

#: at most this many steps of the scroll bar, and texts that are searched
STEPS = 4 if TINY else 40
WORDS = ("a", "añ", "año", "año 2", "año 29", "", "nada", "capa_1", "")
ROW = ("<Layer queryable='1'><Name>capa_{0}</Name><Title>Año {0}, precipitación</Title><Style><Name>default</Name>"
       "</Style></Layer>")
#: layers of a group
GROUP = 30


def capabilities(layers: int, grouped: bool) -> bytes:
    """Return the document of a service with so many layers, in one list or in groups."""
    rows = [ROW.format(number) for number in range(layers)]
    if grouped:
        rows = [f"<Layer><Title>Grupo {start}</Title>{''.join(rows[start:start + GROUP])}</Layer>"
                for start in range(0, layers, GROUP)]
    systems = "".join(f"<CRS>EPSG:{code}</CRS>" for code in range(25828, 25841))
    return ("<WMS_Capabilities version='1.3.0' xmlns='http://www.opengis.net/wms'><Service><Name>WMS</Name><Title>T"
            f"</Title></Service><Capability><Request/><Layer><Title>R</Title>{systems}{''.join(rows)}"
            "</Layer></Capability></WMS_Capabilities>").encode()


def wait(seconds: float, until: Callable[[], bool] = lambda: False) -> None:
    """Handle events for so long, or until the condition holds."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end and not until():
        # until the next beat, which comes after a millisecond
        QgsApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


class Beats:
    """The beats of a timer of a millisecond: by the clock, and by the work of its thread."""

    def __init__(self) -> None:
        self._ticks: List[Tuple[float, float]] = []
        self._timer = QTimer()
        self._timer.timeout.connect(self._note)
        self._timer.start(1)

    def _note(self) -> None:
        self._ticks.append((time.perf_counter(), time.thread_time()))

    def longest(self, work: Callable[[], None]) -> List[float]:
        """Milliseconds of the longest hold during ``work``, and of the thread's longest work at a time."""
        wait(0.3)
        self._ticks.clear()
        self._note()
        work()
        return [max(later[kind] - sooner[kind] for sooner, later in zip(self._ticks, self._ticks[1:])) * 1000
                for kind in (0, 1)]


def main() -> None:
    """Measure what the command line names."""
    application = QgsApplication([], True)
    application.initQgis()
    from plugin.core.records.model.record import Record
    from plugin.gis.services.service_cache import ServiceCache
    from plugin.ui.service.service_view import ServiceView

    layers, grouped = int(sys.argv[1]), sys.argv[2] == "grouped"
    with OddServer() as server:
        document, address = capabilities(layers, grouped), f"{server.url}/wms?"
        server.files["/wms"] = document
        beats, cache, view = Beats(), ServiceCache(), ServiceView()
        view.resize(340, 600)
        view.show()
        view.show_record(Record("bench", title="T"), address)

        def read() -> None:
            cache.request(address, lambda service: view.show_service(service, ""), print)
            wait(20, lambda: bool(view.layers.model.rowCount() > 0))
            wait(0.5)

        def search() -> None:
            for words in WORDS:
                view.layers.search.setText(words)
                wait(0.15)

        def scroll() -> None:
            bar = view.layers.tree.verticalScrollBar()
            view.layers.tree.expandAll()
            wait(0.2)
            for step in range(0, bar.maximum(), max(1, bar.maximum() // STEPS)):
                bar.setValue(step)
                wait(0.03)

        measured = {"read": beats.longest(read), "searched": beats.longest(search), "scrolled": beats.longest(scroll)}
        found = len(view.layers.model.requestable_nodes())
    if found != layers:
        raise SystemExit(f"{found} layers were read, not {layers}")
    print("MEASURED" + json.dumps(measured), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()

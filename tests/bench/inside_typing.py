"""Runs inside QGIS's Python: types into the dock over a large store and prints what that took (see store_keys.py).

    /usr/bin/python3 inside_typing.py STORE MORE    both files as bench_store.py makes them
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

from beside import Idle  # noqa: E402
from harness import TINY  # noqa: E402
from qgis.core import QgsApplication  # noqa: E402
from qgis.PyQt.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer  # noqa: E402
from qgis.PyQt.QtGui import QKeyEvent  # noqa: E402
from slowness import waited_for_a_core  # noqa: E402

#: typed one key after another; each text is cleared before the next
TYPED = ("cuenca", *(() if TINY else ("servicio de mapas", "precipitación", "red agua", "información", "hábitat costa",
                                     "map network")))
#: milliseconds between two keys: a quick typist's
BETWEEN = 120
_SIZE = 8


class Painted(QObject):
    """When the results list was painted last, and for which query."""

    def __init__(self, dock: Any) -> None:
        super().__init__(dock)
        self._dock = dock
        self.shown = ""
        self.text, self.at = "", 0.0
        dock.list_page.results.results_shown.connect(self._note)
        dock.list.viewport().installEventFilter(self)

    def _note(self, query: Any) -> None:
        self.shown = query.text
        self._dock.list.viewport().update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: the list is painted now, and it is there when this event is done."""
        if event.type() == QEvent.Type.Paint and self.shown != self.text:
            self.text = self.shown
            QTimer.singleShot(0, self._done)
        return False

    def _done(self) -> None:
        self.at = time.perf_counter()

    def is_current(self, text: str, since: float) -> bool:
        """Return whether the results of ``text`` were painted after ``since``."""
        return self.text == text and self.at > since


def _is_past(moment: float) -> bool:
    return time.perf_counter() > moment


class Ticks(QObject):
    """How late a timer of 5 ms fires in the window."""

    def __init__(self) -> None:
        super().__init__()
        self.late: List[float] = []
        #: without what was spent waiting for a core
        self.own: List[float] = []
        self._last, self._waited = time.perf_counter(), waited_for_a_core()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(5)

    def _tick(self) -> None:
        now, waited = time.perf_counter(), waited_for_a_core()
        self.late.append((now - self._last - 0.005) * 1000)
        self.own.append(self.late[-1] - (waited - self._waited) * 1000)
        self._last, self._waited = now, waited

    def stop(self) -> None:
        """No more ticks."""
        self._timer.stop()


class Import(threading.Thread):
    """New records without end, into the store that the dock shows."""

    def __init__(self, store: Any, more: Path) -> None:
        super().__init__(daemon=True)
        self._store, self._more = store, more
        self.ended = threading.Event()
        self.records = 0

    def run(self) -> None:
        from plugin.core.library.bulk_import import import_documents

        def told(summary: Any) -> None:
            self.records = summary.records

        import_documents(self._store, "more", "folder", "More", self._documents(), told, self.ended.is_set)

    def _documents(self) -> Iterator[Tuple[str, bytes]]:
        documents = []
        with open(self._more, "rb") as stream:
            while size := stream.read(_SIZE):
                documents.append(stream.read(int.from_bytes(size, "little")))
        number = 0
        while True:
            for data in documents:
                begin = data.index(b"CharacterString>") + len(b"CharacterString>")
                own = data[begin : begin + 40]
                number += 1
                fresh = hashlib.sha1(own + b"%d" % number, usedforsecurity=False).hexdigest()
                yield f"more/{number}.xml", data.replace(own, fresh.encode())


def wait(condition: Callable[[], bool], seconds: float) -> bool:
    """Handle events until the condition holds; whether it did."""
    until = time.perf_counter() + seconds
    while not condition():
        if time.perf_counter() > until:
            return False
        QgsApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    return True


def press(widget: QObject, letter: str) -> None:
    """One key, as the window system tells of it; QTest knows no letters with accents."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        event = QKeyEvent(kind, Qt.Key.Key_unknown, Qt.KeyboardModifier.NoModifier, letter)
        QgsApplication.sendEvent(widget, event)


def typed(dock: Any, painted: Painted) -> Tuple[List[float], List[float], int]:
    """Milliseconds from each key press to the results that it asks for, the same without what the window's thread
    waited for a core, and how many keys were overtaken.

    What the thread that searches waited for a core stays in both. That of an import delays no key by itself.
    """
    times: List[float] = []
    own: List[float] = []
    missed = 0
    for text in TYPED:
        dock.search.clear()
        wait(lambda: painted.text == "", 2)
        for letter in text:
            pressed, waited = time.perf_counter(), waited_for_a_core()
            press(dock.search, letter)
            if wait(functools.partial(painted.is_current, dock.search.text(), pressed), 2):
                times.append((painted.at - pressed) * 1000)
                own.append(max(0.0, times[-1] - (waited_for_a_core() - waited) * 1000))
            else:
                missed += 1
            wait(functools.partial(_is_past, pressed + BETWEEN / 1000), 1)
    return times, own, missed


def measured(dock: Any, painted: Painted) -> Dict[str, Any]:
    """One phase: key presses, and the window's timer meanwhile."""
    with Idle() as idle:
        ticks = Ticks()
        times, own, missed = typed(dock, painted)
        ticks.stop()
    return {"painted": times, "painted_own": own, "missed": missed, "late": ticks.late, "own": ticks.own,
            "machine": idle.late, "imported": 0}


def main() -> None:
    """Open the dock on the store, type without and with an import."""
    application = QgsApplication([], True)
    application.initQgis()
    from plugin.gis.runtime import settings
    from plugin.ui.dock.dock_widget import CartoguideDock

    settings.set("store/path", sys.argv[1])
    dock = CartoguideDock()
    dock.resize(340, 760)
    dock.show()
    painted = Painted(dock)
    awake = QTimer(dock)  # the loop sleeps between events, as a window's does, and looks up now and then
    awake.start(5)
    if not wait(lambda: not dock.session.loading and dock.model.rowCount() > 0, 120):
        raise SystemExit("the dock shows nothing")
    typed(dock, painted)  # what is loaded when first used is loaded
    phases = {"quiet": measured(dock, painted)}
    beside = Import(dock.session.library.store(), Path(sys.argv[2]))
    beside.start()
    wait(lambda: beside.records > 0, 60)
    before = beside.records
    phases["importing"] = measured(dock, painted)
    phases["importing"]["imported"] = beside.records - before
    beside.ended.set()
    print("MEASURED" + json.dumps(phases), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()

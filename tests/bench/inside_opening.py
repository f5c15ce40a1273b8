"""Runs inside QGIS's Python: opens files in the dock as a person does, prints what that took (see bench_opening.py).

    /usr/bin/python3 inside_opening.py PATH [PICTURES]    PICTURES: a folder for pictures of the dock
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

from beside import Idle, resident  # noqa: E402
from inside_typing import Ticks, wait  # noqa: E402
from qgis.core import QgsApplication  # noqa: E402
from qgis.gui import QgsMapCanvas  # noqa: E402
from qgis.PyQt.QtCore import QEvent, QObject, Qt, QTimer  # noqa: E402
from qgis.PyQt.QtWidgets import QMainWindow  # noqa: E402

_PATIENCE = 1800


class FirstPaint(QObject):
    """When the list was painted for the first time with records of what is opened."""

    def __init__(self, dock: Any) -> None:
        super().__init__(dock)
        self._dock, self.at = dock, 0.0
        dock.list.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: three records come with the plugin; more than these are of what is opened."""
        if event.type() == QEvent.Type.Paint and not self.at and self._dock.model.rowCount() > 3:
            QTimer.singleShot(0, self._done)
        return False

    def _done(self) -> None:
        self.at = self.at or time.perf_counter()


class Memory(QObject):
    """Peak memory of this process, in MB above the start."""

    def __init__(self) -> None:
        super().__init__()
        self._start, self.most = resident(), 0.0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(500)

    def look(self) -> None:
        """Look now."""
        self.most = max(self.most, resident() - self._start)


def measured(dock: Any, path: str, picture: Callable[[str], None]) -> Dict[str, Any]:
    """What opening ``path`` takes."""
    first, memory = FirstPaint(dock), Memory()
    imports = dock.session.imports
    with Idle() as idle:
        ticks = Ticks()
        began = time.perf_counter()
        dock.session.open_paths([path])
        one = imports.running[0]
        wait(lambda: one.result.saved > 4000 or not imports.running, _PATIENCE)
        picture("during")
        wait(lambda: not imports.running, _PATIENCE)
        seconds = time.perf_counter() - began
        wait(lambda: not dock.session.searching, 60)
        wait(lambda: time.perf_counter() - began > seconds + 2, 10)
        ticks.stop()
    memory.look()
    picture("after")
    found = one.result
    return {
        "seconds": seconds, "first": first.at - began, "memory": memory.most, "late": ticks.late, "own": ticks.own,
        "machine": idle.late, "new": sum(summary.new for summary in found.summaries), "failed": found.failure_count,
        "shown": dock.model.rowCount(), "told": [row.label.text() for row in _lines(dock)]
    }


def _lines(dock: Any) -> Any:
    from plugin.ui.dock.job_progress import JobRow

    return dock.job_rows.findChildren(JobRow)


def main() -> None:
    """Open the dock, then what the command line names."""
    application = QgsApplication([], True)
    application.initQgis()
    from plugin.ui.dock.dock_widget import CartoguideDock

    window = QMainWindow()
    window.setCentralWidget(QgsMapCanvas(window))
    dock = CartoguideDock(None, window)
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    window.resize(1200, 760)
    window.show()
    awake = QTimer(dock)  # the loop sleeps between events, as a window's does, and looks up now and then
    awake.start(5)
    if not wait(lambda: not dock.session.loading and dock.model.rowCount() > 0, 120):
        raise SystemExit("the dock shows nothing")
    wait(lambda: False, 1)

    def picture(name: str) -> None:
        if len(sys.argv) > 2:
            dock.grab().save(os.path.join(sys.argv[2], f"{name}.png"))

    print("MEASURED" + json.dumps(measured(dock, sys.argv[1], picture)), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()

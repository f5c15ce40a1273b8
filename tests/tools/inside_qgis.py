"""Runs inside QGIS at its start (qgis --code): sizes the window, runs a script, and reports errors and readiness.

The script finds ``iface`` and ``plugin`` (the running Cartoguide, or None); it may hold a generator ``script()``
that yields seconds to wait between its steps.
"""

from __future__ import annotations

import json
import os
import runpy
import traceback
from pathlib import Path
from typing import Any, Iterator

from qgis import utils
from qgis.core import Qgis, QgsApplication
from qgis.PyQt.QtCore import QTimer

NAME = "cartoguide"
errors: list[str] = []


class RunningPlugin:
    """The plugin that is running when a script asks for a part of it. It holds none beyond its unloading."""

    def __getattr__(self, name: str) -> Any:
        return getattr(utils.plugins[NAME], name)


def note_message(text: str, tag: str, level: int) -> None:
    """Keep what was logged as an error of Python or of the plugin."""
    if level == Qgis.MessageLevel.Critical or "Traceback" in text:
        errors.append(f"{tag}: {text}")


def report() -> None:
    """Say that all is done, whole or not at all."""
    path = Path(os.environ["CARTOGUIDE_REPORT"])
    bar = utils.iface.messageBar()
    shown = [item.text() for item in bar.items() if item.level() == Qgis.MessageLevel.Critical]
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"loaded": NAME in utils.active_plugins, "errors": errors + shown}), encoding="utf-8")
    part.replace(path)


def follow(steps: Iterator[Any]) -> None:
    """Take the script's next step, then wait for as long as it asks, longer where the machine has other work."""
    try:
        seconds = next(steps)
    except StopIteration:
        report()
    except Exception:
        errors.append(traceback.format_exc())
        report()
    else:
        QTimer.singleShot(int(float(seconds or 0) * 1000 * _pace()), lambda: follow(steps))


def _pace() -> float:
    """Return how much longer than alone a step may take, up to five times."""
    return min(5.0, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))


def begin() -> None:
    """Once the window is there: give it its size and run the script."""
    window = utils.iface.mainWindow()
    if not window.isVisible():
        QTimer.singleShot(200, begin)
        return
    size = os.environ.get("CARTOGUIDE_WINDOW", "")
    if size:
        width, height = (int(part) for part in size.split("x"))
        window.setGeometry(0, 0, width, height)
    steps: Iterator[Any] = iter(())
    script = os.environ.get("CARTOGUIDE_SCRIPT", "")
    if script:
        try:
            plugin = RunningPlugin() if NAME in utils.plugins else None
            names = runpy.run_path(script, {"iface": utils.iface, "plugin": plugin})
            steps = names["script"]() if "script" in names else steps
        except Exception:
            errors.append(traceback.format_exc())
    follow(steps)


QgsApplication.messageLog().messageReceived.connect(note_message)
QTimer.singleShot(500, begin)

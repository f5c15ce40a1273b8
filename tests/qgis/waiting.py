"""Waiting for events in tests that judge themselves what came of it."""

from __future__ import annotations

import time
from typing import Any, Callable

from qgis.PyQt.QtCore import QCoreApplication

from tests.slowness import patience


def until(condition: Callable[[], Any], seconds: float = 0.0) -> Any:
    """Handle events until ``condition()`` is true or the patience of tests is over, and give its value."""
    end = time.monotonic() + patience(seconds)
    while not condition() and time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.002)
    return condition()

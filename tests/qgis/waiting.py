"""Waiting for events in tests, without work for a core while there are none."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable

import pytest
from qgis.PyQt.QtCore import QCoreApplication, QEventLoop, QTimer

from tests.slowness import patience


def handle_events(milliseconds: int = 10) -> None:
    """Handle the events that there are, or wait for the next ones, at most for so long."""
    awake = QTimer()
    awake.start(milliseconds)
    # with a limit of time it would not wait: Qt takes the flag away then
    QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def lay_out() -> None:
    """Handle events until layouts have come to rest: what one round sets begins the timers of the next one.

    A pause is too short for that on a busy machine, where all of it may pass before the first round.
    """
    for _ in range(10):
        QCoreApplication.processEvents()


def until(condition: Callable[[], Any], seconds: float = 0.0) -> Any:
    """Handle events until ``condition()`` is true or the patience of tests is over, and give its value."""
    end = time.monotonic() + patience(seconds)
    while not condition() and time.monotonic() < end:
        handle_events()
    return condition()


class Held:
    """Calls of a method in other threads, which do their work but return only after ``end``.

    Only those are held for whose arguments ``waits`` returns true. ``done`` is set once one has done its work.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, waits: Callable[..., object]) -> None:
        self.done, self._end, method = threading.Event(), threading.Event(), getattr(owner, name)

        def wait(*given: Any, **named: Any) -> Any:
            value = method(*given, **named)
            if waits(*given, **named):
                self.done.set()
                assert self._end.wait(patience())
            return value

        monkeypatch.setattr(owner, name, wait)

    def end(self) -> None:
        """Let the calls return."""
        self._end.set()

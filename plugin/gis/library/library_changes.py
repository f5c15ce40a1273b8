"""News of the kept records: who writes them elsewhere (Processing) tells; who shows them hears, on the main thread.

QGIS loads this file when it starts.
"""

from __future__ import annotations

from typing import Callable, List

_listeners: List[Callable[[], None]] = []


def subscribe(listener: Callable[[], None]) -> None:
    """Have ``heard``, which must not raise, called on the main thread after every news."""
    _listeners.append(listener)


def unsubscribe(listener: Callable[[], None]) -> None:
    """Call it no longer."""
    if listener in _listeners:
        _listeners.remove(listener)


def notify() -> None:
    """Other records are kept now; from any thread, returns at once."""
    from ..runtime.main_thread import post

    if _listeners:
        post(_call_listeners)


def _call_listeners() -> None:
    for heard in list(_listeners):
        heard()

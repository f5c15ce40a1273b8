"""News of the kept records: who writes them elsewhere (Processing) tells; who shows them hears, on the main thread.

QGIS loads this file when it starts.
"""

from __future__ import annotations

from typing import Callable, List

_listeners: List[Callable[[], None]] = []


def listen(heard: Callable[[], None]) -> None:
    """Have ``heard``, which must not raise, called on the main thread after every news."""
    _listeners.append(heard)


def stop(heard: Callable[[], None]) -> None:
    """Call it no longer."""
    if heard in _listeners:
        _listeners.remove(heard)


def tell() -> None:
    """Other records are kept now; from any thread, returns at once."""
    from .main_thread import post

    if _listeners:
        post(_call)


def _call() -> None:
    for heard in list(_listeners):
        heard()

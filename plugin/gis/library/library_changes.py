"""Change notifications of the record library: writers call ``notify``, views subscribe.

This module is imported at start-up, so it imports nothing heavy.
"""

from __future__ import annotations

from typing import Callable, List

_listeners: List[Callable[[], None]] = []


def subscribe(listener: Callable[[], None]) -> None:
    """Call ``listener`` on the main thread after every change. It must not raise."""
    _listeners.append(listener)


def unsubscribe(listener: Callable[[], None]) -> None:
    """Stop calling ``listener``."""
    if listener in _listeners:
        _listeners.remove(listener)


def notify() -> None:
    """Notify the listeners of a change. May be called from any thread and returns at once."""
    from ..runtime.main_thread import post

    if _listeners:
        post(_call_listeners)


def _call_listeners() -> None:
    for listener in list(_listeners):
        listener()

"""Python's own work in small turns: what has to be done for many records does not keep a window waiting.

Only a thread that sleeps gives the interpreter to another at once; else each turn of a window's thread begins with a
wait of some milliseconds, many times for one picture.
"""

from __future__ import annotations

import time
from typing import Iterable, TypeVar

T = TypeVar("T")

#: some milliseconds of work
DEFAULT_INTERVAL = 40
_PAUSE_SECONDS = 0.0002
_is_disabled = False


def disable_yielding() -> None:
    """Nobody waits for this process's interpreter: it has no window."""
    global _is_disabled  # noqa: PLW0603 - the process's own
    _is_disabled = True


def yielding(items: Iterable[T], interval: int = DEFAULT_INTERVAL) -> Iterable[T]:
    """``items``, with a moment for others after each so many of them."""
    return items if _is_disabled else _yield_periodically(items, interval)


def _yield_periodically(items: Iterable[T], interval: int) -> Iterable[T]:
    for number, item in enumerate(items, 1):
        yield item
        if number % interval == 0:
            time.sleep(_PAUSE_SECONDS)

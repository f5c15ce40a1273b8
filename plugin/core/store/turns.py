"""Python's own work in small turns: what has to be done for many records does not keep a window waiting.

Only a thread that sleeps gives the interpreter to another at once; else each turn of a window's thread begins with a
wait of some milliseconds, many times for one picture.
"""

from __future__ import annotations

import time
from typing import Iterable, TypeVar

T = TypeVar("T")

#: some milliseconds of work
EVERY = 40
_SECONDS = 0.0002
_alone = False


def no_others() -> None:
    """Nobody waits for this process's interpreter: it has no window."""
    global _alone  # noqa: PLW0603 - the process's own
    _alone = True


def in_turns(items: Iterable[T], every: int = EVERY) -> Iterable[T]:
    """``items``, with a moment for others after each so many of them."""
    return items if _alone else _in_turns(items, every)


def _in_turns(items: Iterable[T], every: int) -> Iterable[T]:
    for number, item in enumerate(items, 1):
        yield item
        if number % every == 0:
            time.sleep(_SECONDS)

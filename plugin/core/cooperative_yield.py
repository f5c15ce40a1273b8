"""Short pauses in long work, so that a window in the same process stays responsive.

A thread that computes gives Python's interpreter to a waiting thread only every few milliseconds, and a window needs it
many times to paint one image. A thread that sleeps gives it away at once.
"""

from __future__ import annotations

import time
from typing import Callable, ContextManager, Generator, Iterable, Iterator, TypeVar

T = TypeVar("T")

#: items between two pauses, unless the caller knows better: some milliseconds of work
DEFAULT_INTERVAL = 40
_PAUSE_SECONDS = 0.0002


def yielding(items: Iterable[T], interval: int = DEFAULT_INTERVAL) -> Iterator[T]:
    """Yield ``items``, with a pause after every ``interval`` of them in which other threads can run."""
    for number, item in enumerate(items, 1):
        yield item
        if number % interval == 0:
            time.sleep(_PAUSE_SECONDS)


def run_to_end(steps: Generator[object, None, T]) -> T:
    """Run work that pauses between its steps without a pause, and return what it returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


def steps_within(context: Callable[[], ContextManager[object]],
                 steps: Generator[None, None, T]) -> Generator[None, None, T]:
    """Run each step within a new context, which ends before each pause."""
    while True:
        with context():
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
        yield

"""Places in Qt's thread pools: lent to others while a thread waits, and while it runs Python.

Qt scales and converts larger pictures in the global pool and waits for it, and PyQt keeps Python's lock meanwhile: with
that pool full of threads that want the lock, QGIS would stand still for ever. So none of ours counts in it.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator

from qgis.PyQt.QtCore import QThreadPool

from .compat import task_pool


@contextmanager
def pool_thread_lent() -> Iterator[None]:
    """Lend this thread's place in the tasks' pool to others while it waits: other tasks and rendering need it."""
    with _lent(task_pool()):
        yield


@contextmanager
def python_in_pool() -> Iterator[None]:
    """For Python that runs in a thread of the global pool: its place is free for what Qt does there."""
    with _lent(QThreadPool.globalInstance()):
        yield


@contextmanager
def _lent(pool: QThreadPool) -> Iterator[None]:
    pool.releaseThread()
    try:
        yield
    finally:
        pool.reserveThread()

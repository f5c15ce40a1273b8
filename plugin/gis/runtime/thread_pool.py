"""Places in Qt's thread pools: lent to others while a thread waits, and while it runs Python.

Qt scales and converts larger pictures in the global pool and waits for it, and PyQt keeps Python's lock meanwhile: with
that pool full of threads that want the lock, QGIS would stand still for ever. So none of ours counts in it.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Iterator, Optional

from qgis.PyQt.QtCore import QThreadPool

from .compat import task_pool


class _ThreadSlot(threading.local):
    """The pool in which this thread has a place that it has not lent yet."""

    pool: Optional[QThreadPool] = None


_slot = _ThreadSlot()


@contextmanager
def task_slot() -> Iterator[None]:
    """For a task's whole run: its thread has a place in the tasks' pool, which is lent at once where that is the
    global one.
    """
    pool = task_pool()
    if pool is QThreadPool.globalInstance():
        with _released(pool):
            yield
        return
    _slot.pool = pool
    try:
        yield
    finally:
        _slot.pool = None


@contextmanager
def pool_slot_released() -> Iterator[None]:
    """Lend this thread's place in the tasks' pool to others while it waits: other tasks and rendering need it.

    A place is lent once: a thread that has lent its own already, or that is none of the pool's, has nothing to lend.
    """
    pool, _slot.pool = _slot.pool, None
    if pool is None:
        yield
        return
    try:
        with _released(pool):
            yield
    finally:
        _slot.pool = pool


@contextmanager
def global_pool_slot_released() -> Iterator[None]:
    """For Python that runs in a thread of the global pool: its place is free for what Qt does there."""
    with _released(QThreadPool.globalInstance()):
        yield


@contextmanager
def _released(pool: QThreadPool) -> Iterator[None]:
    pool.releaseThread()
    try:
        yield
    finally:
        pool.reserveThread()

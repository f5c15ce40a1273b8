"""The pool of the plugin's jobs, and slots of Qt's thread pools, released while a thread waits or runs Python.

Qt scales and converts large images in the global pool and waits for it, while PyQt holds Python's lock. If all threads
of that pool waited for the lock, QGIS would hang. Therefore no thread of the plugin occupies a slot of that pool.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Iterator, Optional

from qgis.core import QgsFeedback
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QCoreApplication, QThreadPool

from ...core.errors import Cancelled

#: seconds
_CANCEL_POLL_SECONDS = 0.05


class _ThreadSlot(threading.local):
    """The pool in which this thread occupies a slot, or None if it has released its slot."""

    pool: Optional[QThreadPool] = None


_slot = _ThreadSlot()
#: jobs that run Python at the same time. Each more lets the window wait 5 ms longer for Python's lock
_RUNNING_JOBS = 4
_job_pool: Optional[QThreadPool] = None


def job_pool() -> QThreadPool:
    """Return the pool of the plugin's jobs. The first call is on the main thread.

    A pool of QGIS's tasks is not used: when a task has ended, its task manager takes the task's runnable out of the
    pool by its address, where that of another job may be by then, which never begins. Like the global pool, it is
    waited for when the application ends.
    """
    global _job_pool
    if _job_pool is None or sip.isdeleted(_job_pool):
        _job_pool = QThreadPool(QCoreApplication.instance())
        _job_pool.setMaxThreadCount(_RUNNING_JOBS)
    return _job_pool


@contextmanager
def task_slot(pool: QThreadPool) -> Iterator[None]:
    """Keep track of a thread's slot in ``pool`` while a job runs. A slot of the global pool is released at once."""
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
    """Release this thread's slot in the pool of its job while the thread waits.

    No-op if the slot was already released, or if the thread is not a thread of the pool.
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
def hold_lock(lock: threading.Lock, feedback: Optional[QgsFeedback], address: str = "") -> Iterator[None]:
    """Hold ``lock``. While waiting for it, this thread's pool slot is released and ``feedback`` may cancel.

    Raises Cancelled, with ``address`` as its detail.
    """
    with pool_slot_released():
        while not lock.acquire(timeout=_CANCEL_POLL_SECONDS):
            if feedback is not None and feedback.isCanceled():
                raise Cancelled(address)
    try:
        yield
    finally:
        lock.release()


@contextmanager
def global_pool_slot_released() -> Iterator[None]:
    """Release a slot of the global pool while one of its threads runs Python."""
    with _released(QThreadPool.globalInstance()):
        yield


@contextmanager
def _released(pool: QThreadPool) -> Iterator[None]:
    pool.releaseThread()
    try:
        yield
    finally:
        pool.reserveThread()


class ExtraSlots:
    """Slots of the global pool beyond its own, for threads that wait for servers.

    QGIS renders a map's layers in that pool, which has as many slots as the machine has cores: on two cores the third
    layer would not even be requested before the first has arrived. Main thread only.
    """

    def __init__(self) -> None:
        self._count = 0

    def add(self, count: int) -> None:
        """Make it ``count`` slots if they are fewer."""
        for _ in range(max(0, count - self._count)):
            QThreadPool.globalInstance().releaseThread()
        self._count = max(count, self._count)

    def remove(self) -> None:
        """Remove them again. Threads that run in the slots go on."""
        for _ in range(self._count):
            QThreadPool.globalInstance().reserveThread()
        self._count = 0

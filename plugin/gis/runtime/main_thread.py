"""Work for the main thread, asked for by any other.

PyQt learns of the end of a QObject that C++ made through a signal to the main thread. For an object of another thread
that signal is queued, and when it arrives a new object may live at the same address: its wrapper is then marked as
deleted while it is in use. So worker threads hold no such objects (replies, network managers, caches): they ask here.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Callable, Iterator, List, Optional, TypeVar

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QCoreApplication, QObject, Qt, QThread, pyqtSignal, pyqtSlot

from ...core.errors import Cancelled
from ...core.gc_control import gc_paused

T = TypeVar("T")
#: seconds between two looks at the cancel button
_CANCEL_POLL_SECONDS = 0.02


class _MainThreadInvoker(QObject):
    """Lives on the main thread and does there what it is asked for."""

    work_posted = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self.work_posted.connect(self.run_work, Qt.ConnectionType.QueuedConnection)
        application = QCoreApplication.instance()
        if application is not None:
            self.moveToThread(application.thread())

    @pyqtSlot(object)
    def run_work(self, work: Callable[[], None]) -> None:
        """Do one piece of work."""
        work()


_invoker: Optional[_MainThreadInvoker] = None
_invoker_lock = threading.Lock()


def is_main() -> bool:
    """Whether this is the thread of the window (also where there is no application)."""
    application = QCoreApplication.instance()
    return application is None or QThread.currentThread() == application.thread()


def post(work: Callable[[], None]) -> None:
    """Have ``work``, which must not raise, done on the main thread soon; returns at once."""
    global _invoker
    with _invoker_lock:
        if _invoker is None:
            _invoker = _MainThreadInvoker()
    _invoker.work_posted.emit(work)


def close() -> None:
    """Nothing is asked for any more: for unloading."""
    global _invoker
    with _invoker_lock:
        desk, _invoker = _invoker, None
    if desk is not None:
        desk.work_posted.disconnect(desk.run_work)
        desk.deleteLater()


def call(work: Callable[[], T], feedback: Optional[QgsFeedback] = None) -> T:
    """The result of ``work`` done on the main thread, or what it raised; there itself it is done at once.

    Cancelled where ``feedback`` was cancelled while waiting: the main thread may be held by something else.
    """
    if is_main():
        return work()
    done = threading.Event()
    results: List[T] = []
    problems: List[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as problem:  # noqa: BLE001 - raised again where it was asked for
            problems.append(problem)
        finally:
            done.set()

    post(run)
    while not done.wait(_CANCEL_POLL_SECONDS):
        if feedback is not None and feedback.isCanceled():
            raise Cancelled
    if problems:
        raise problems[0]
    return results[0]


_parsing_lock = threading.Lock()


@contextmanager
def exclusive_parsing() -> Iterator[None]:
    """Reading documents in Python, in one worker thread after the other: Python does not work faster for many, and each
    of them takes a turn before the window's. What was read is not looked at for garbage meanwhile.
    """
    with _parsing_lock, gc_paused():
        yield

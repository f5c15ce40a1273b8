"""Calls on the main thread from any other thread.

PyQt learns of the destruction of a QObject that C++ created through a signal to the main thread. For an object of
another thread that signal is queued. When it arrives, a new object may have the same address, and its wrapper is then
marked as deleted while it is in use. Therefore worker threads use no such objects (replies, network managers, caches,
``QThread.currentThread()``) and call the main thread instead.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Callable, Iterator, List, Optional, TypeVar

from qgis.core import QgsFeedback
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QCoreApplication, QObject, Qt, QTimer, QTimerEvent, pyqtSignal

from ...core.errors import Cancelled

T = TypeVar("T")
#: seconds
_CANCEL_POLL_SECONDS = 0.02
#: milliseconds after which work is tried again that had to wait
_RETRY_MS = 5
#: calls of QGIS that must not be disturbed, one within the other
_undisturbed: List[object] = []


class _MainThreadInvoker(QObject):
    """Receiver on the main thread that runs the posted functions."""

    work_posted = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        application = QCoreApplication.instance()
        if application is not None:
            self.moveToThread(application.thread())
        # afterwards: PyQt calls the method in the thread that the object has now. With pyqtSlot it would find the
        # thread itself, but PyQt 6 would never release the class
        self.work_posted.connect(self.run_work, Qt.ConnectionType.QueuedConnection)

    def run_work(self, work: Callable[[], None]) -> None:
        """Run one posted function, at once or when the call is over that must not be disturbed."""
        if is_undisturbed():
            # posted again: work of a plugin that is unloaded meanwhile is never run
            QTimer.singleShot(_RETRY_MS, lambda: None if sip.isdeleted(self) else self.work_posted.emit(work))
        else:
            work()


_invoker: Optional[_MainThreadInvoker] = None
_invoker_lock = threading.Lock()


def is_main() -> bool:
    """Return whether this is the main thread. Without an application every thread counts as it."""
    # Qt's own object of a thread of Python's ends with it, and must not be asked for: see the head of this file
    return QCoreApplication.instance() is None or threading.get_ident() == threading.main_thread().ident


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let no step or posted function begin while QGIS handles events within a call. Main thread only.

    While the source of a layer is changed it has no provider. A legend that it was given then, as by the picture of a
    page, ended the process.
    """
    _undisturbed.append(object())
    try:
        yield
    finally:
        _undisturbed.pop()


def is_undisturbed() -> bool:
    """Return true within such a call, where a step that touches layers has to wait."""
    return bool(_undisturbed)


def when_undisturbed(work: Callable[[], object]) -> None:
    """Run ``work`` at once or, within a call that must not be disturbed, after it. Main thread only."""
    if is_undisturbed():
        QTimer.singleShot(_RETRY_MS, lambda: when_undisturbed(work))
    else:
        work()


class _WaitingTimer(QTimer):
    """Timer that stays active while it is due within a call that must not be disturbed, and is due again after it."""

    def __init__(self, owner: QObject) -> None:
        super().__init__(owner)
        self._delayed: Optional[int] = None

    def timerEvent(self, event: QTimerEvent) -> None:  # noqa: N802
        """Qt: announce that the time is over, or wait."""
        if is_undisturbed():
            if self._delayed is None:
                self._delayed = self.interval()
                self.setInterval(_RETRY_MS)
            return
        if self._delayed is not None:
            delayed, self._delayed = self._delayed, None
            self.setInterval(delayed)
        super().timerEvent(event)


def single_shot(owner: QObject, milliseconds: int, run: Optional[Callable[[], object]] = None) -> QTimer:
    """Return a timer of ``owner`` that calls ``run`` once, ``milliseconds`` after it was started last.

    It waits for the end of a call that must not be disturbed.
    """
    timer = _WaitingTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    if run is not None:
        timer.timeout.connect(run)
    return timer


def open_receiver() -> None:
    """Create the receiver, for work that is posted by ``post_if_open``. Main thread only."""
    global _invoker
    with _invoker_lock:
        if _invoker is None:
            _invoker = _MainThreadInvoker()


def post_if_open(work: Callable[[], None]) -> None:
    """Schedule ``work`` on the main thread, unless the plugin was unloaded. ``work`` must not raise."""
    with _invoker_lock:
        if _invoker is not None:
            _invoker.work_posted.emit(work)


def post(work: Callable[[], None]) -> None:
    """Schedule ``work`` on the main thread and return at once. ``work`` must not raise."""
    _post(work)


def _post(work: Callable[[], None]) -> _MainThreadInvoker:
    """Schedule ``work`` and return the receiver that runs it, unless ``close`` removes it before."""
    global _invoker
    with _invoker_lock:
        if _invoker is None:
            _invoker = _MainThreadInvoker()
        invoker = _invoker
        invoker.work_posted.emit(work)
    return invoker


def close() -> None:
    """Remove the receiver when the plugin is unloaded."""
    global _invoker
    with _invoker_lock:
        invoker, _invoker = _invoker, None
    if invoker is not None:
        invoker.work_posted.disconnect(invoker.run_work)
        invoker.deleteLater()


def call(work: Callable[[], T], feedback: Optional[QgsFeedback] = None) -> T:
    """Run ``work`` on the main thread, wait for it and return its result. On the main thread it runs at once.

    Raises what ``work`` raises, and Cancelled if ``feedback`` is cancelled while the main thread is busy, or the plugin
    is unloaded.
    """
    if is_main():
        return work()
    begun, done = threading.Event(), threading.Event()
    results: List[T] = []
    errors: List[BaseException] = []

    def run() -> None:
        begun.set()
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the calling thread
            errors.append(error)
        finally:
            done.set()

    invoker = _post(run)
    while not done.wait(_CANCEL_POLL_SECONDS):
        # what was posted to a receiver that is gone never begins
        if (feedback is not None and feedback.isCanceled()) or (invoker is not _invoker and not begun.is_set()):
            raise Cancelled
    if errors:
        # held here, it would hold this frame, and the collector would end both in any thread
        raise errors.pop()
    return results[0]


_parsing_lock = threading.Lock()


@contextmanager
def exclusive_parsing() -> Iterator[None]:
    """Let one worker thread at a time parse documents in Python.

    Several threads would not be faster, and each of them delays the main thread.
    """
    with _parsing_lock:
        yield

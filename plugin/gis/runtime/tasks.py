"""Everything that takes longer than a blink: work in a QgsTask, its result on the main thread, cancellable."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from typing import Any, Callable, Generic, List, Optional, Set, TypeVar

from qgis.core import QgsApplication, QgsFeedback, QgsTask
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QEventLoop, QObject, QTimer, pyqtSignal

from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from . import log, main_thread
from .compat import task_flags
from .thread_pool import task_slot

T = TypeVar("T")
#: called on the main thread with the reason of a failure
ErrorCallback = Callable[[CartoguideError], None]
#: called on the main thread with percent (0 to 100) and what is being done
ProgressCallback = Callable[[float, str], None]


def no_op(*_arguments: object) -> None:
    """Do nothing, whatever the arguments: a callback for callers that need none."""


class Feedback(QgsFeedback):
    """What work gets: whether it was cancelled, and a way to say how far it is (safe from the worker thread)."""

    progress_reported = pyqtSignal(float, str)

    def report(self, percent: float, text: str = "") -> None:
        """How much is done (0 to 100) and, in words, what is being done."""
        self.setProgress(percent)
        self.progress_reported.emit(percent, text)

    def raise_if_cancelled(self) -> None:
        """Raise Cancelled where the person has cancelled."""
        if self.isCanceled():
            raise Cancelled


class Job(QObject):
    """One piece of work under way. ``progressed`` tells (percent, words); ``ended`` comes once, however it ended."""

    progressed = pyqtSignal(float, str)
    ended = pyqtSignal()

    def __init__(self, description: str, work: Callable[[Feedback], Any], done: Callable[[Any], None],
                 failed: ErrorCallback, owner: Optional[QObject], quiet: bool) -> None:
        super().__init__()
        self.cancelled = False
        self._running = True
        self._done, self._failed, self._owner = done, failed, owner
        self._feedback = Feedback()
        self._feedback.progress_reported.connect(self._on_progress_reported)
        self._task = _Task(description, work, self._feedback, self._finish, quiet)
        self._owner_connection = owner.destroyed.connect(self.cancel) if owner is not None else None

    @property
    def running(self) -> bool:
        """Whether a result may still come."""
        return self._running and not self.cancelled

    def cancel(self) -> None:
        """Give up: the work is told to stop, and neither ``done`` nor ``failed`` is called any more."""
        if not self.running:
            return
        self.cancelled = True
        self._feedback.cancel()
        if not sip.isdeleted(self._task):
            self._task.cancel()

    def begin(self) -> None:
        """Hand the work to QGIS; what was cancelled before ends without it."""
        if self.cancelled or sip.isdeleted(self._task):
            self._finish()
        else:
            QgsApplication.taskManager().addTask(self._task)

    def wait(self, seconds: float) -> bool:
        """Whether the worker thread is done with the work within ``seconds``; blocks, for unloading only."""
        return not self._task.work_started.is_set() or self._task.work_finished.wait(max(0.0, seconds))

    def _on_progress_reported(self, percent: float, text: str) -> None:
        if self.running and self._owner_is_alive():
            if not sip.isdeleted(self._task):
                self._task.show_progress(percent)
            self.progressed.emit(percent, text)

    def _owner_is_alive(self) -> bool:
        return self._owner is None or not sip.isdeleted(self._owner)

    def _finish(self) -> None:
        """On the main thread, once, after the work ended or was cancelled."""
        silent = self.cancelled or sip.isdeleted(self._task) or self._task.isCanceled() or not self._owner_is_alive()
        self._running = False
        _jobs.discard(self)
        if self._owner_connection is not None and self._owner is not None and not sip.isdeleted(self._owner):
            QObject.disconnect(self._owner_connection)
        global _callbacks_running
        task, done, failed = self._task, self._done, self._failed
        # the closures may hold widgets and documents; the job itself may be kept for long
        self._done = self._failed = no_op
        if not silent:
            _callbacks_running += 1
            try:
                if task.failure is not None:
                    failed(task.failure)
                else:
                    done(task.value)
            except Exception:  # noqa: BLE001 - must not unwind into Qt, which would abort the process
                log.warning(traceback.format_exc())
                sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
            finally:
                _callbacks_running -= 1
        task.value = None
        self.ended.emit()


class _Task(QgsTask):
    """The QgsTask under a Job: keeps result or error until the main thread takes it."""

    def __init__(self, description: str, work: Callable[[Feedback], Any], feedback: Feedback,
                 on_end: Callable[[], None], quiet: bool) -> None:
        super().__init__(description, task_flags(quiet))
        self.value: Any = None
        self.failure: Optional[CartoguideError] = None
        self.work_started = threading.Event()
        self.work_finished = threading.Event()
        self._work: Optional[Callable[[Feedback], Any]] = work
        self._feedback = feedback
        self._on_end: Optional[Callable[[], None]] = on_end

    def run(self) -> bool:
        """In the worker thread. Always True: QGIS would announce a failed task in words of its own."""
        self.work_started.set()
        work, self._work = self._work, None
        try:
            if work is not None and not self._feedback.isCanceled():
                with task_slot():
                    self.value = work(self._feedback)
        except CartoguideError as error:
            # frames would keep what they hold (layers, replies) alive into another thread
            self.failure = error.with_traceback(None)
            if not isinstance(error, Cancelled):
                log.error(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the person is told
            self.failure = unexpected_error(error)
            log.error(self.failure)
        finally:
            self.work_finished.set()
        return True

    def cancel(self) -> None:
        """Also called by QGIS's own task list."""
        self._feedback.cancel()
        super().cancel()

    def show_progress(self, percent: float) -> None:
        """How much is done, for QGIS's own progress bar."""
        self.setProgress(percent)

    def finished(self, result: bool) -> None:
        """On the main thread."""
        on_end, self._on_end = self._on_end, None
        if on_end is not None:
            on_end()


def start(description: str, work: Callable[[Feedback], T], done: Callable[[T], None], failed: ErrorCallback,
          owner: Optional[QObject] = None, progress: Optional[Callable[[float, str],
                                                                       None]] = None, quiet: bool = False) -> Job:
    """Run ``work`` in a task; then ``done`` with its result, or ``failed`` with a CartoguideError, on the main thread.

    Nothing is called once the job was cancelled or ``owner`` was deleted (which cancels it). ``progress`` gets percent
    and words. A ``quiet`` job is not shown in QGIS's task list where QGIS can hide it: for what is over in 300 ms, or
    comes in dozens (small pictures).
    """
    job = Job(description, work, done, failed, owner, quiet)
    if progress is not None:
        job.progressed.connect(progress)
    _jobs.add(job)
    if _callbacks_running:
        # QGIS 3.22 now and then leaves a task in its queue for ever that is added while another one is finishing
        QTimer.singleShot(0, job.begin)
    else:
        job.begin()
    return job


def shutdown(seconds: float = 2.0) -> None:
    """Cancel every job and wait briefly for their threads: for unloading."""
    jobs = list(_jobs)
    for job in jobs:
        job.cancel()
    end = time.monotonic() + seconds
    for job in jobs:
        job.wait(end - time.monotonic())
    main_thread.close()


def run_and_wait(work: Callable[[Feedback], T], seconds: float = 0.0, feedback: Optional[QgsFeedback] = None,
                 progress: Optional[Callable[[float, str], None]] = None, description: str = "Cartoguide") -> T:
    """The result of ``work`` done in a task, for scripts without a window: pumps events until it is there.

    Raises what the work raised, Cancelled where ``feedback`` or the task was cancelled, CartoguideError after
    ``seconds`` (0: no limit).
    """
    if feedback is not None and feedback.isCanceled():
        raise Cancelled
    loop = QEventLoop()
    results: List[T] = []
    failures: List[CartoguideError] = []
    late: List[bool] = []
    job = start(description, work, results.append, failures.append, None, progress)
    job.ended.connect(loop.quit)
    if feedback is not None:
        feedback.canceled.connect(job.cancel)
    if seconds > 0:
        def give_up() -> None:
            late.append(True)
            loop.quit()

        QTimer.singleShot(int(seconds * 1000), give_up)
    loop.exec()
    if feedback is not None:
        feedback.canceled.disconnect(job.cancel)
    if failures:
        raise failures[0]
    if results:
        return results[0]
    job.cancel()
    if late:
        raise CartoguideError(tr("This took too long and was cancelled after {seconds} s.", seconds=f"{seconds:g}"))
    raise Cancelled


def unexpected_error(error: BaseException) -> CartoguideError:
    """An error of the program itself, in words; the traceback is its detail."""
    detail = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return CartoguideError(tr("An unexpected error occurred: {reason}. Please report it with the details.",
                              reason=f"{type(error).__name__}: {error}"), detail)


class LatestJob(Generic[T]):
    """Only the newest answer counts: starting a job cancels the one before."""

    def __init__(self, owner: Optional[QObject] = None) -> None:
        self._owner = owner
        self._job: Optional[Job] = None

    @property
    def running(self) -> bool:
        """Whether an answer may still come."""
        return self._job is not None and self._job.running

    def start(self, description: str, work: Callable[[Feedback], T], done: Callable[[T], None], failed: ErrorCallback,
              progress: Optional[Callable[[float, str], None]] = None, quiet: bool = True) -> Job:
        """As ``start`` of this module."""
        self.cancel()
        self._job = start(description, work, done, failed, self._owner, progress, quiet)
        return self._job

    def cancel(self) -> None:
        """Give up the running job, if there is one."""
        if self._job is not None:
            self._job.cancel()
            self._job = None


#: strong references: Python would collect a running task that nobody else holds
_jobs: Set[Job] = set()
#: how many jobs are telling their ends just now, one inside another
_callbacks_running = 0

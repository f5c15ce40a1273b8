"""Background jobs: work in a thread with progress and cancellation, its result delivered on the main thread."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from typing import Any, Callable, Generic, List, Optional, Set, TypeVar, Union

import qgis.utils
from qgis.core import QgsApplication, QgsFeedback, QgsTask
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QEventLoop, QObject, QRunnable, QThreadPool, QTimer, pyqtSignal

from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.numbers import format_figures
from . import crs_ownership, log, main_thread
from .compat import has_silent_tasks, task_flags, task_pool
from .thread_pool import job_pool, task_slot

T = TypeVar("T")
#: called on the main thread with the reason of a failure
ErrorCallback = Callable[[CartoguideError], None]
#: called on the main thread with percent (0 to 100) and what is being done
ProgressCallback = Callable[[float, str], None]


def no_op(*_arguments: object) -> None:
    """Do nothing, whatever the arguments: a callback for callers that need none."""


#: a task that ran as long as this may be announced by QGIS; its setting says 5 s and can be set to 1 s
_NOTIFIED_TASK_MS = 900


class Feedback(QgsFeedback):
    """Feedback of a job for its work: progress and cancellation. May be used from the worker thread."""

    progress_reported = pyqtSignal(float, str)

    def report(self, percent: float, text: str = "") -> None:
        """Report the progress in percent (0 to 100), and a text on the current step."""
        self.setProgress(percent)
        self.progress_reported.emit(percent, text)

    def raise_if_cancelled(self) -> None:
        """Raise Cancelled if the job was cancelled."""
        if self.isCanceled():
            raise Cancelled


class Job(QObject):
    """A running job. ``progressed`` has percent and a text, ``ended`` is emitted once, however the job ends."""

    progressed = pyqtSignal(float, str)
    ended = pyqtSignal()

    def __init__(self, description: str, work: Callable[[Feedback], Any], done: Callable[[Any], None],
                 failed: ErrorCallback, owner: Optional[QObject], asks_to_close: bool = False) -> None:
        super().__init__()
        self.cancelled = False
        self._running = True
        self._done, self._failed, self._owner = done, failed, owner
        self._feedback = Feedback()
        self._feedback.progress_reported.connect(self._on_progress_reported)
        self._work = _Work(work, self._feedback)
        self._task: Union[_Task, _HiddenTask] = (
            _Task(description, self._work, self._finish) if asks_to_close else _HiddenTask(self._work, self._finish))
        self._owner_connection = owner.destroyed.connect(self.cancel) if owner is not None else None

    @property
    def running(self) -> bool:
        """True while a result may still arrive."""
        return self._running and not self.cancelled

    def cancel(self) -> None:
        """Cancel the work. Neither ``done`` nor ``failed`` is called afterwards."""
        if not self.running:
            return
        self.cancelled = True
        self._feedback.cancel()
        if not self._task.is_deleted():
            self._task.cancel()

    def begin(self) -> None:
        """Begin the work, unless the job was cancelled before."""
        if self.cancelled or self._task.is_deleted():
            self._finish()
        else:
            crs_ownership.claim_common_crs()
            self._task.begin()

    def wait(self, seconds: float) -> bool:
        """Block until the worker thread has finished, for at most ``seconds``, and return True if it has."""
        return not self._work.started.is_set() or self._work.finished.wait(max(0.0, seconds))

    @property
    def has_ended(self) -> bool:
        """True once the worker thread has finished."""
        return self._work.finished.is_set()

    def _on_progress_reported(self, percent: float, text: str) -> None:
        if self.running and self._owner_is_alive():
            if not self._task.is_deleted():
                self._task.show_progress(percent)
            self.progressed.emit(percent, text)

    def _owner_is_alive(self) -> bool:
        return self._owner is None or not sip.isdeleted(self._owner)

    def _finish(self) -> None:
        """Call ``done`` or ``failed`` on the main thread, once, after the work has ended or was cancelled."""
        silent = self.cancelled or not self._work.completed or not self._owner_is_alive()
        self._running = False
        _jobs.discard(self)
        if self._owner_connection is not None and self._owner is not None and not sip.isdeleted(self._owner):
            QObject.disconnect(self._owner_connection)
        global _callbacks_running
        work, done, failed = self._work, self._done, self._failed
        # the closures may hold widgets and documents, and the job may live long
        self._done = self._failed = no_op
        if not silent:
            _callbacks_running += 1
            try:
                if work.failure is not None:
                    failed(work.failure)
                else:
                    done(work.value)
            except Exception:  # noqa: BLE001 - must not unwind into Qt, which would abort the process
                log.warning(traceback.format_exc())
                sys.excepthook(*sys.exc_info())
            finally:
                _callbacks_running -= 1
        work.value = work.failure = None
        self.ended.emit()


class _Work:
    """The work of a job. Holds the result or the error for the main thread."""

    def __init__(self, function: Callable[[Feedback], Any], feedback: Feedback) -> None:
        #: true once the task has ended and QGIS has not cancelled it
        self.completed = False
        self.value: Any = None
        self.failure: Optional[CartoguideError] = None
        self.started = threading.Event()
        self.finished = threading.Event()
        self.feedback = feedback
        self._function: Optional[Callable[[Feedback], Any]] = function

    def run(self, pool: QThreadPool) -> None:
        """Run the work in this thread, which is one of ``pool``. Raises nothing."""
        self.started.set()
        function, self._function = self._function, None
        try:
            if function is not None and not self.feedback.isCanceled():
                with task_slot(pool):
                    self.value = function(self.feedback)
        except CartoguideError as error:
            # the frames of a traceback would keep layers and replies alive into another thread
            self.failure = error.with_traceback(None)
            if not isinstance(error, Cancelled):
                log.error(error)
        except Exception as error:  # noqa: BLE001 - any error is shown to the user
            self.failure = unexpected_error(error)
            log.error(self.failure)
        finally:
            self.finished.set()


class _HiddenTask(QRunnable):
    """Work in the pool of the plugin, of which QGIS knows nothing.

    Each task that QGIS shows puts a wide progress bar into the status bar. With large type that makes the window wider
    than a small screen, for a moment, and the canvas is drawn anew. QGIS can hide tasks from 3.26 on, but its task
    manager never begins one in a thousand of them on a busy machine.
    """

    def __init__(self, work: _Work, on_end: Callable[[], None]) -> None:
        super().__init__()
        # emptied on the main thread: the thread of the pool must not be the last one to hold the job
        self._held: List[Any] = [work, on_end]

    def begin(self) -> None:
        """Hand the work to a thread."""
        main_thread.open_receiver()
        job_pool().start(self)

    def run(self) -> None:
        """Qt: run the work in the thread of the pool, then finish the job on the main thread."""
        self._held[0].run(job_pool())
        held = self._held

        def end() -> None:
            work, on_end = held
            held.clear()
            # a cancel of the job is its own matter. Work that cancels its feedback itself has ended with Cancelled
            work.completed = True
            on_end()

        # nobody waits for it once the plugin is unloaded
        main_thread.post_if_open(end)

    @staticmethod
    def is_deleted() -> bool:
        """Return False: the work is not Qt's."""
        return False

    def cancel(self) -> None:
        """Do nothing: the feedback is cancelled, and the work looks at it."""

    def show_progress(self, percent: float) -> None:
        """Do nothing: QGIS does not show this work."""


class _Task(QgsTask):
    """Work in QGIS's task list, which asks before it closes with it."""

    def __init__(self, description: str, work: _Work, on_end: Callable[[], None]) -> None:
        super().__init__(description, task_flags())
        self._work = work
        self._on_end: Optional[Callable[[], None]] = on_end
        self._description = description

    def begin(self) -> None:
        """Hand the work to the task manager."""
        QgsApplication.taskManager().addTask(self)

    def is_deleted(self) -> bool:
        return bool(sip.isdeleted(self))

    def run(self) -> bool:
        """Run the work in the worker thread. Always returns True, because QGIS shows a message for failed tasks."""
        self._work.run(task_pool())
        return True

    def cancel(self) -> None:
        """Cancel the work. QGIS's task list calls this too."""
        self._work.feedback.cancel()
        super().cancel()

    def show_progress(self, percent: float) -> None:
        """Set the progress (percent) of QGIS's task list."""
        self.setProgress(percent)

    def finished(self, result: bool) -> None:
        """Finish the job on the main thread."""
        on_end, self._on_end = self._on_end, None
        self._work.completed = not self.isCanceled()
        if on_end is None:
            return
        if has_silent_tasks() or self.elapsedTime() < _NOTIFIED_TASK_MS:
            main_thread.when_undisturbed(on_end)
        else:
            # QGIS 3.22 says "Task complete" after this call, which would cover a message of the callback
            QTimer.singleShot(0, self._withdraw_message)
            QTimer.singleShot(0, lambda: main_thread.when_undisturbed(on_end))

    def _withdraw_message(self) -> None:
        """Remove QGIS's message about this task, which nobody waits for, from its message bar."""
        interface = qgis.utils.iface
        if interface is None:
            return
        bar = interface.messageBar()
        # the newest comes first
        for item in bar.items():
            if item.text() == self._description:
                bar.popWidget(item)
                return


def start(description: str, work: Callable[[Feedback], T], done: Callable[[T], None], failed: ErrorCallback,
          owner: Optional[QObject] = None, progress: Optional[ProgressCallback] = None,
          asks_to_close: bool = False) -> Job:
    """Run ``work`` in a task and deliver its result on the main thread.

    Calls ``done`` with the result or ``failed`` with a CartoguideError. Neither is called after a cancel or after the
    deletion of ``owner``, which cancels the job. ``progress`` is called with percent and a text. The plugin's window
    shows the progress and cancels: QGIS's task list would put a bar of 240 pixels into the status bar, which makes the
    window wider than a small screen. A closing QGIS cancels jobs, and asks the person first about those that
    ``asks_to_close``, which is for a file that the person is waiting for. Only those are in its list.
    """
    job = Job(description, work, done, failed, owner, asks_to_close)
    if progress is not None:
        job.progressed.connect(progress)
    _jobs.add(job)
    if _callbacks_running:
        # QGIS 3.22 sometimes never starts a task that is added while another one is finishing
        QTimer.singleShot(0, job.begin)
    else:
        job.begin()
    return job


def shutdown(seconds: float = 2.0) -> None:
    """Cancel all jobs and wait up to ``seconds`` for their threads, when the plugin is unloaded."""
    jobs = list(_jobs)
    for job in jobs:
        job.cancel()
    end = time.monotonic() + seconds
    for job in jobs:
        job.wait(end - time.monotonic())
    main_thread.close()
    # nothing takes the result of these any more. QGIS's task manager still ends its own tasks
    hidden = [job for job in jobs if isinstance(job._task, _HiddenTask)]
    _jobs.difference_update(hidden)
    _outliving.extend(job for job in hidden if not job.has_ended)


def run_and_wait(work: Callable[[Feedback], T], seconds: float = 0.0, feedback: Optional[QgsFeedback] = None,
                 progress: Optional[ProgressCallback] = None, description: str = "Cartoguide") -> T:
    """Run ``work`` in a task, process events until it ends, and return its result. For scripts without a window.

    Raises what ``work`` raises, Cancelled if ``feedback`` or the task is cancelled, and CartoguideError after
    ``seconds`` (0 for no limit).
    """
    if feedback is not None and feedback.isCanceled():
        raise Cancelled
    loop = QEventLoop()
    results: List[T] = []
    failures: List[CartoguideError] = []
    timed_out: List[bool] = []
    job = start(description, work, results.append, failures.append, None, progress)
    job.ended.connect(loop.quit)
    if feedback is not None:
        feedback.canceled.connect(job.cancel)
    if seconds > 0:
        def give_up() -> None:
            timed_out.append(True)
            loop.quit()

        QTimer.singleShot(int(seconds * 1000), give_up)
    loop.exec()
    if feedback is not None:
        feedback.canceled.disconnect(job.cancel)
    if failures:
        # held here, it would hold this frame, and the collector would end both in any thread
        raise failures.pop()
    if results:
        return results[0]
    job.cancel()
    if timed_out:
        raise CartoguideError(tr("This took too long and was cancelled after {seconds} s.",
                                 seconds=format_figures(seconds)))
    raise Cancelled


def unexpected_error(error: BaseException) -> CartoguideError:
    """Return the error to show for an unexpected exception, with the traceback as its detail."""
    detail = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return CartoguideError(tr("An unexpected error occurred: {reason}. Please report it with the details.",
                              reason=f"{type(error).__name__}: {error}"), detail)


class LatestJob(Generic[T]):
    """At most one running job: starting another one cancels it."""

    def __init__(self, owner: Optional[QObject] = None) -> None:
        self._owner = owner
        self._job: Optional[Job] = None

    @property
    def running(self) -> bool:
        """True while a result may still arrive."""
        return self._job is not None and self._job.running

    def start(self, description: str, work: Callable[[Feedback], T], done: Callable[[T], None], failed: ErrorCallback,
              progress: Optional[ProgressCallback] = None) -> Job:
        """Cancel the running job and start another one, see ``start`` of this module."""
        self.cancel()
        self._job = start(description, work, done, failed, self._owner, progress)
        return self._job

    def cancel(self) -> None:
        """Cancel the running job, if any."""
        if self._job is not None:
            self._job.cancel()
            self._job = None


class RunningJobs(QObject):
    """Jobs at the same time that are cancelled together. ``changed`` is emitted after each one's begin and end."""

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._jobs: List[Job] = []

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def add(self, job: Job) -> None:
        """Hold a job that has been started until it ends."""
        self._jobs.append(job)
        job.ended.connect(self._on_ended)
        self.changed.emit()

    def cancel(self) -> None:
        """Cancel all of them."""
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            job.cancel()
        self.changed.emit()

    def _on_ended(self) -> None:
        self._jobs = [job for job in self._jobs if job.running]
        self.changed.emit()


#: strong references, because Python would collect a running task without one
_jobs: Set[Job] = set()
#: jobs whose threads run on after ``shutdown``, since a thread must not be the last one to hold its job
_outliving: List[Job] = []
#: number of nested ``done`` and ``failed`` callbacks that are running
_callbacks_running = 0


#: returns the result of a query. The second argument is a function that returns True once the query is outdated
QueryFunction = Callable[[Any, Callable[[], bool]], Any]


class LatestQueryWorker(QObject):
    """Runs queries in a dedicated thread and emits the result of the newest one on the main thread.

    ``result_ready`` carries the query and its result, ``failed`` the query and a CartoguideError. Tasks are not used,
    because all threads of the task manager may be busy with an import.
    """

    result_ready = pyqtSignal(object, object)
    failed = pyqtSignal(object, object)
    _query_finished = pyqtSignal(int, object, object, object)

    def __init__(self, name: str, work: QueryFunction, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._name, self._work = name, work
        self._state = threading.Condition()
        self._newest_number, self._started_number = 0, 0
        self._query: Any = None
        self._pending, self._stopped = False, False
        self._thread: Optional[threading.Thread] = None
        self._query_finished.connect(self._deliver)

    @property
    def pending(self) -> bool:
        """True while a result is outstanding."""
        return self._pending

    def submit(self, query: Any) -> None:
        """Run a query. The result of an earlier one is discarded."""
        with self._state:
            if self._stopped:
                return
            self._newest_number += 1
            self._query = query
            self._pending = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._state.notify()

    def cancel(self) -> None:
        """Discard the result of the current query."""
        with self._state:
            self._newest_number += 1
            self._started_number = self._newest_number
            self._pending = False

    def stop(self, seconds: float = 2.0) -> None:
        """End the thread, waiting up to ``seconds`` for it. No signal is emitted afterwards."""
        with self._state:
            self._stopped = True
            self._newest_number += 1
            self._pending = False
            self._state.notify()
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self) -> None:
        while True:
            with self._state:
                self._state.wait_for(lambda: self._stopped or self._started_number != self._newest_number)
                if self._stopped:
                    return
                number, query = self._newest_number, self._query
                self._started_number = number
            self._run_query(number, query)

    def _run_query(self, number: int, query: Any) -> None:
        result: Any = None
        failure: Optional[CartoguideError] = None
        try:
            result = self._work(query, lambda: self._newest_number != number)
        except Cancelled:
            return
        except CartoguideError as error:
            failure = error.with_traceback(None)
        except Exception as error:  # noqa: BLE001 - any error is shown to the user
            if self._newest_number != number:
                return
            failure = unexpected_error(error)
            log.error(failure)
        if self._newest_number != number:
            return
        try:
            self._query_finished.emit(number, query, result, failure)
        except RuntimeError:
            # the window was deleted before ``stop`` was called
            self._stopped = True

    def _deliver(self, number: int, query: Any, result: Any, failure: Optional[CartoguideError]) -> None:
        if number != self._newest_number:
            return
        self._pending = False
        if failure is not None:
            self.failed.emit(query, failure)
        else:
            self.result_ready.emit(query, result)

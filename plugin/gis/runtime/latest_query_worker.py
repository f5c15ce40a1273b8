"""One thread that answers the newest question only: for what is asked at every key press, beside all tasks."""

from __future__ import annotations

import threading
from typing import Any, Callable, Optional

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.errors import Cancelled, CartoguideError
from . import log
from .tasks import unexpected_error

#: gives the answer to a question; the second argument says whether it is no longer wanted
QueryFunction = Callable[[Any, Callable[[], bool]], Any]


class LatestQueryWorker(QObject):
    """``answered`` (question, answer) and ``failed`` (question, CartoguideError) come on the main thread, and only of
    the newest question. A thread of its own: QGIS's task threads may all be busy with an import.
    """

    answered = pyqtSignal(object, object)
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
        """Whether an answer is still to come."""
        return self._pending

    def submit(self, query: Any) -> None:
        """Ask; what was asked before is no longer wanted."""
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
        """What was asked is no longer wanted, and nothing is asked instead."""
        with self._state:
            self._newest_number += 1
            self._started_number = self._newest_number
            self._pending = False

    def stop(self, seconds: float = 2.0) -> None:
        """End the thread; nothing is told any more."""
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
                number, question = self._newest_number, self._query
                self._started_number = number
            self._run_query(number, question)

    def _run_query(self, number: int, question: Any) -> None:
        answer: Any = None
        failure: Optional[CartoguideError] = None
        try:
            answer = self._work(question, lambda: self._newest_number != number)
        except Cancelled:
            return
        except CartoguideError as error:
            failure = error.with_traceback(None)
        except Exception as error:  # noqa: BLE001 - whatever it is, the person is told
            if self._newest_number != number:
                return
            failure = unexpected_error(error)
            log.error(failure)
        if self._newest_number != number:
            return
        try:
            self._query_finished.emit(number, question, answer, failure)
        except RuntimeError:
            # the window was deleted without a word
            self._stopped = True

    def _deliver(self, number: int, question: Any, answer: Any, failure: Optional[CartoguideError]) -> None:
        if number != self._newest_number:
            return
        self._pending = False
        if failure is not None:
            self.failed.emit(question, failure)
        else:
            self.answered.emit(question, answer)

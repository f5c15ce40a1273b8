"""Worker thread for queries at every key press, of which only the newest counts."""

from __future__ import annotations

import threading
from typing import Any, Callable, Optional

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.errors import Cancelled, CartoguideError
from . import log
from .tasks import unexpected_error

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

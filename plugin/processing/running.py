"""Work of an algorithm in whatever thread QGIS runs it: progress and cancel of Processing, errors in its own kind."""

from __future__ import annotations

import threading
from typing import Callable, TypeVar

from qgis.core import QgsProcessingException, QgsProcessingFeedback
from qgis.PyQt.QtCore import Qt

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..gis import log, main_thread, tasks
from ..gis.network_errors import Cancelled

T = TypeVar("T")


class _Told(tasks.Feedback):
    """What work gets in an algorithm's own thread: what it tells goes on to Processing at once."""

    def __init__(self, feedback: QgsProcessingFeedback) -> None:
        super().__init__()
        self._feedback, self._turn = feedback, threading.Lock()
        # a slot of QgsFeedback itself, called in the thread of whoever cancels
        feedback.canceled.connect(self.cancel, Qt.ConnectionType.DirectConnection)
        if feedback.isCanceled():
            self.cancel()

    def tell(self, percent: float, text: str = "") -> None:
        """How far it is; from any thread."""
        with self._turn:
            self._feedback.setProgress(percent)
            if text:
                self._feedback.setProgressText(text)

    def close(self) -> None:
        """The work is done."""
        self._feedback.canceled.disconnect(self.cancel)


def blocking(work: Callable[[tasks.Feedback], T], feedback: QgsProcessingFeedback) -> T:
    """The result of ``work``, which may use the network: on the main thread in a task while events are handled, in a
    worker right there. Raises what the work raises; Cancelled where ``feedback`` was cancelled.
    """
    if main_thread.is_main():
        def tell(percent: float, text: str) -> None:
            feedback.setProgress(percent)
            if text:
                feedback.setProgressText(text)

        return tasks.run_to_end(work, feedback=feedback, progress=tell)
    told = _Told(feedback)
    try:
        value = work(told)
        told.stop_if_cancelled()
        return value
    finally:
        told.close()


def guarded(work: Callable[[], T], feedback: QgsProcessingFeedback) -> T:
    """The result of ``work``; what it raises becomes the exception that Processing knows, the detail goes to its log.

    A cancelled algorithm fails too: nobody shall take its half for the whole.
    """
    try:
        return work()
    except QgsProcessingException:
        raise
    except Cancelled as error:
        raise QgsProcessingException(tr("Cancelled.")) from error
    except CartoguideError as error:
        raise _failure(error, feedback) from error
    except Exception as error:  # noqa: BLE001 - whatever it is, the person is told
        failure = tasks.unexpected(error)
        log.error(failure)
        raise _failure(failure, feedback) from error


def _failure(error: CartoguideError, feedback: QgsProcessingFeedback) -> QgsProcessingException:
    if error.detail:
        feedback.pushDebugInfo(error.detail)
    return QgsProcessingException(error.user_text)

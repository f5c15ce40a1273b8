"""Running the work of an algorithm in any thread, with the progress, cancel and errors of Processing.

QGIS imports this module when it starts. Everything else is imported when an algorithm runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, TypeVar

from qgis.core import QgsProcessingException, QgsProcessingFeedback

from ..core.errors import CartoguideError
from ..core.i18n import tr

if TYPE_CHECKING:
    from ..gis.runtime.tasks import Feedback

T = TypeVar("T")


def run_blocking(work: Callable[[Feedback], T], feedback: QgsProcessingFeedback) -> T:
    """Run ``work``, which may use the network, and return its result.

    On the main thread it runs in a task while events are processed, in a worker thread it runs directly. Raises what
    ``work`` raises, and Cancelled where ``feedback`` was cancelled.
    """
    from ..gis.runtime import main_thread, tasks

    if main_thread.is_main():
        def report(percent: float, text: str) -> None:
            feedback.setProgress(percent)
            if text:
                feedback.setProgressText(text)

        return tasks.run_and_wait(work, feedback=feedback, progress=report)
    from .feedback_adapter import ProcessingFeedbackAdapter

    adapter = ProcessingFeedbackAdapter(feedback)
    try:
        value = work(adapter)
        adapter.raise_if_cancelled()
        return value
    finally:
        adapter.close()


def with_processing_errors(work: Callable[[], T], feedback: QgsProcessingFeedback) -> T:
    """Run ``work`` and return its result. Its exceptions become QgsProcessingException, their details go to the log.

    A cancelled algorithm fails too, so that a partial result is never taken for a complete one.
    """
    from ..core.errors import Cancelled
    from ..gis.runtime import log, tasks

    try:
        return work()
    except QgsProcessingException:
        raise
    except Cancelled as error:
        raise QgsProcessingException(tr("Cancelled.")) from error
    except CartoguideError as error:
        raise _processing_exception(error, feedback) from error
    except Exception as error:  # noqa: BLE001 - reported to the user
        failure = tasks.unexpected_error(error)
        log.error(failure)
        raise _processing_exception(failure, feedback) from error


def _processing_exception(error: CartoguideError, feedback: QgsProcessingFeedback) -> QgsProcessingException:
    if error.detail:
        feedback.pushDebugInfo(error.detail)
    return QgsProcessingException(error.user_text)

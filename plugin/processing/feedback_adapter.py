"""Adapter from QgsProcessingFeedback to our Feedback."""

from __future__ import annotations

import threading

from qgis.core import QgsProcessingFeedback
from qgis.PyQt.QtCore import Qt

from ..gis.runtime import tasks


class ProcessingFeedbackAdapter(tasks.Feedback):
    """Forwards progress to Processing and receives its cancel. Created and closed in the worker thread."""

    def __init__(self, feedback: QgsProcessingFeedback) -> None:
        super().__init__()
        self._feedback, self._lock = feedback, threading.Lock()
        # a slot of QgsFeedback, called directly in the cancelling thread
        feedback.canceled.connect(self.cancel, Qt.ConnectionType.DirectConnection)
        if feedback.isCanceled():
            self.cancel()

    def report(self, percent: float, text: str = "") -> None:
        """Report the progress, from any thread."""
        with self._lock:
            self._feedback.setProgress(percent)
            if text:
                self._feedback.setProgressText(text)

    def close(self) -> None:
        self._feedback.canceled.disconnect(self.cancel)

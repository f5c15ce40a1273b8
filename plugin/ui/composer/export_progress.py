"""The progress dialog of an export."""

from __future__ import annotations

from typing import Callable

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QProgressDialog, QWidget

from ...core.i18n import tr


def show_export_progress(window: QWidget, name: str, feedback: QgsFeedback) -> Callable[[], None]:
    """Show the progress of ``feedback`` in a dialog with a Cancel button, and return a function that closes it.

    Modal: QGIS renders on the main thread, and the project must not change meanwhile.
    """
    progress = QProgressDialog(tr("Drawing {name}…", name=name), tr("Cancel"), 0, 100, window)
    progress.setWindowTitle(tr("Cartoguide: export"))
    progress.setWindowModality(Qt.WindowModality.ApplicationModal)
    progress.setMinimumDuration(300)
    progress.canceled.connect(feedback.cancel)
    feedback.progressChanged.connect(lambda percent: progress.setValue(int(percent)))
    progress.setValue(0)

    def close() -> None:
        progress.reset()
        progress.deleteLater()

    return close

"""qgis.core: settings are Qt's, icons are empty, the rest does nothing."""

from __future__ import annotations

from typing import Any

from PyQt6.QtCore import QObject, QSettings, pyqtSignal
from PyQt6.QtGui import QIcon

from .nothing import Nothing, fill


class QgsSettings(QSettings):
    """As QGIS's: a default after the key, and the wanted type."""


class QgsApplication(Nothing):
    """Only what a widget asks for."""

    @staticmethod
    def getThemeIcon(_name: str) -> QIcon:  # noqa: N802
        """No picture."""
        return QIcon()

    @staticmethod
    def qgisSettingsDirPath() -> str:  # noqa: N802
        """Nowhere in particular."""
        return "/nonexistent"


class QgsFeedback(QObject):
    """Never cancelled."""

    canceled = pyqtSignal()
    progressChanged = pyqtSignal(float)

    def isCanceled(self) -> bool:  # noqa: N802
        """No."""
        return False


class QgsTask(QObject):
    """Never run."""

    taskCompleted = pyqtSignal()
    taskTerminated = pyqtSignal()
    progressChanged = pyqtSignal(float)
    Flag = Nothing.Flag

    def __init__(self, *_arguments: Any, **_names: Any) -> None:
        super().__init__()


fill(__name__)

"""Messages for QGIS's log panel, under the tag "Cartoguide"."""

from __future__ import annotations

from qgis.core import Qgis, QgsMessageLog

from ...core.errors import CartoguideError

TAG = "Cartoguide"


def info(text: str) -> None:
    """Log information, without a notification."""
    QgsMessageLog.logMessage(text, TAG, Qgis.MessageLevel.Info, False)


def warning(text: str) -> None:
    """Log a warning, without a notification. The caller shows the error."""
    QgsMessageLog.logMessage(text, TAG, Qgis.MessageLevel.Warning, False)


def error(failure: CartoguideError) -> None:
    """Log an error with its technical detail."""
    detail = f"\n{failure.detail}" if failure.detail else ""
    warning(f"{failure.user_text}{detail}")

"""The one log tag of the plugin: what the person need not see goes to "Cartoguide" in QGIS's log."""

from __future__ import annotations

from qgis.core import Qgis, QgsMessageLog

from ...core.errors import CartoguideError

TAG = "Cartoguide"


def info(text: str) -> None:
    """Note something that went as it should; no notification."""
    QgsMessageLog.logMessage(text, TAG, Qgis.MessageLevel.Info, False)


def warning(text: str) -> None:
    """Note something that went wrong; no notification: the caller shows the error where it belongs."""
    QgsMessageLog.logMessage(text, TAG, Qgis.MessageLevel.Warning, False)


def error(failure: CartoguideError) -> None:
    """Note an error with its technical detail."""
    detail = f"\n{failure.detail}" if failure.detail else ""
    warning(f"{failure.user_text}{detail}")

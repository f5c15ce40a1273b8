"""Messages for QGIS's log panel, which shows HTML, under the tag "Cartoguide"."""

from __future__ import annotations

from qgis.core import Qgis, QgsMessageLog

from ...core.errors import CartoguideError
from ...core.text import inert

TAG = "Cartoguide"


def info(text: str) -> None:
    """Log a message (level Info). QGIS shows no notification."""
    _write(text, Qgis.MessageLevel.Info)


def warning(text: str) -> None:
    """Log a warning. QGIS shows no notification."""
    _write(text, Qgis.MessageLevel.Warning)


def error(failure: CartoguideError) -> None:
    """Log an error with its technical detail, at the level of a warning, since the caller shows the error."""
    detail = f"\n{failure.detail}" if failure.detail else ""
    warning(f"{failure.user_text}{detail}")


def _write(text: str, level: Qgis.MessageLevel) -> None:
    # every start imports this module, and few log anything
    from ...core.addresses import text_without_secrets

    QgsMessageLog.logMessage(inert(text_without_secrets(text)), TAG, level, notifyUser=False)

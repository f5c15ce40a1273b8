"""How old something is, in words: a time of day where it is of today, else hours and days."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QDateTime

from ..core.errors import CartoguideError
from ..core.i18n import tr

_HOUR, _DAY = 3600.0, 86400.0


def age_text(seconds: float) -> str:
    """An age in its largest whole unit: "3 days ago"."""
    if seconds >= _DAY:
        return tr("%n day(s) ago", n=int(seconds // _DAY))
    if seconds >= _HOUR:
        return tr("%n hour(s) ago", n=int(seconds // _HOUR))
    if seconds >= 60:
        return tr("%n minute(s) ago", n=int(seconds // 60))
    return tr("a moment ago")


def loaded_text(seconds: float, error: Optional[CartoguideError] = None) -> str:
    """When a service described itself, ``seconds`` ago, and why it says nothing newer where it is in ``trouble``."""
    if error is not None:
        return tr("From {age}; the service could not be reached: {reason}", age=age_text(seconds),
                  reason=error.user_text)
    now = QDateTime.currentDateTime()
    then = now.addSecs(-int(seconds))
    if then.date() == now.date():
        return tr("Loaded at {time}", time=then.time().toString("HH:mm"))
    return tr("Loaded {age}", age=age_text(seconds))

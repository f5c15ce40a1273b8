"""Conversion between Python's datetime and Qt's QDateTime, both in UTC."""

from __future__ import annotations

from datetime import datetime, timezone

from qgis.PyQt.QtCore import QDateTime, Qt


def to_qdatetime(moment: datetime) -> QDateTime:
    """Return ``moment`` as a QDateTime in UTC, in whole seconds."""
    return QDateTime.fromSecsSinceEpoch(int(moment.astimezone(timezone.utc).timestamp()), Qt.TimeSpec.UTC)


def to_utc(moment: QDateTime, whole_seconds: bool = False) -> datetime:
    """Return ``moment`` as a datetime in UTC, to the millisecond or cut to whole seconds."""
    seconds = moment.toSecsSinceEpoch() if whole_seconds else moment.toMSecsSinceEpoch() / 1000
    return datetime.fromtimestamp(seconds, timezone.utc)

"""The record that the window shows."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.records.model.record import Record


class SelectedRecord(QObject):
    """``changed`` carries the record (None: none is selected) and whether it may be a newer version of the one before.
    """

    changed = pyqtSignal(object, bool)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.record: Optional[Record] = None

    def select(self, record: Optional[Record], compare_with_previous: bool = True) -> None:
        """Select ``record``.

        ``may_replace``: if it has the identifier of the record before, it is compared with it as its newer version.
        """
        self.record = record
        self.changed.emit(record, compare_with_previous)

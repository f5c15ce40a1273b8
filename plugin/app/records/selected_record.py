"""The record that the window shows."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.records.model.record import Record


class SelectedRecord(QObject):
    """Holds the selected record.

    ``changed(record, compare_with_previous)`` is emitted at each selection, with None if no record is selected.
    """

    changed = pyqtSignal(object, bool)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.record: Optional[Record] = None

    def select(self, record: Optional[Record], compare_with_previous: bool = True) -> None:
        """Select ``record``.

        ``compare_with_previous``: if the previous record has the same identifier, the window shows what changed.
        """
        self.record = record
        self.changed.emit(record, compare_with_previous)

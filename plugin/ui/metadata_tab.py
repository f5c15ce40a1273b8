"""Every field of the record, the metadata block and what no field holds included."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtWidgets import QWidget

from ..core.i18n import tr
from ..core.records.model import Record
from ..core.records.sheet import record_body
from ..core.terms.model import Terms
from .rich_text import RichText


class MetadataTab(RichText):
    """The record's sheet; it is made when the tab is first seen."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("All fields of the record"), parent)
        self._waiting: Optional[tuple[Record, Terms]] = None

    def show_record(self, record: Record, terms: Terms) -> None:
        """Show all fields of ``record``."""
        self._waiting = (record, terms)
        if self.isVisible():
            self._fill()

    def showEvent(self, event: object) -> None:  # noqa: N802
        """Qt: now the sheet is needed."""
        super().showEvent(event)
        self._fill()

    def _fill(self) -> None:
        if self._waiting is not None:
            record, terms = self._waiting
            self._waiting = None
            self.show_body(record_body(record, terms))
            self.verticalScrollBar().setValue(0)

"""Metadata tab: every field of the record, including the elements that no field holds."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtWidgets import QWidget

from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.review.report.record_fields import record_body
from ...core.terms.model import Terms
from ..widgets.rich_text import RichTextView


class MetadataTab(RichTextView):
    """Sheet of all fields of the record, created when the tab is first shown."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("All fields of the record"), parent)
        self._pending: Optional[tuple[Record, Terms]] = None

    def show_record(self, record: Record, terms: Terms) -> None:
        self._pending = (record, terms)
        if self.isVisible():
            self._show_pending()

    def showEvent(self, event: object) -> None:  # noqa: N802
        """Qt: create the sheet if that is pending."""
        super().showEvent(event)
        self._show_pending()

    def _show_pending(self) -> None:
        if self._pending is not None:
            record, terms = self._pending
            self._pending = None
            self.show_html(record_body(record, terms))
            self.verticalScrollBar().setValue(0)

"""Comparing the selected record with other versions of it, or with other records of the list."""

from __future__ import annotations

from functools import partial
from typing import Callable, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QWidget

from ...app.phrases import hit_title
from ...app.records.dock_session import DockSession
from ...app.records.record_controller import SelectedRecord
from ...core.catalogues.result_merging import RemoteHit
from ...core.dates import format_day
from ...core.i18n import tr
from ...core.library.query import SearchHit
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record

#: records of the list that are offered for a comparison; a search brings others to the front
_MAX_OFFERED = 50


class CompareController(QObject):
    """Opens comparisons as windows of ``window``."""

    def __init__(self, session: DockSession, selected: SelectedRecord, hits: Callable[[], Sequence[SearchHit]],
                 window: QWidget) -> None:
        """``hits`` returns what the list shows."""
        super().__init__(window)
        self._session, self._selected, self._hits, self._window = session, selected, hits, window

    def compare_selected(self, former: Optional[Record] = None) -> None:
        """Compare the selected record with ``former``, the version before it.

        The dialog also offers the other versions that the library has, and the records of the list. Records of the
        same service come first.
        """
        from .compare_view import CompareDialog

        record = self._selected.record
        if record is None:
            return
        dialog = CompareDialog(record, (), self._window, former)
        endpoint = self._session.endpoint(record)
        key = normalise_endpoint(endpoint) if endpoint else ""
        hits = [hit for hit in self._hits()[:_MAX_OFFERED]
                if hit.identifier != record.id and not isinstance(hit, RemoteHit)]
        for hit in sorted(hits, key=lambda hit: not key or hit.endpoint != key):
            dialog.add_choice(hit_title(hit), partial(self._session.record, hit.identifier))
        dialog.show()

        def add_versions(versions: List[Tuple[str, str, Record]]) -> None:
            for day, source, version in reversed(versions):
                if former is None or version.original != former.original:
                    dialog.add_choice(tr("As read on {day} from {source}", day=format_day(day), source=source),
                                      lambda version=version: version, first=former is None)  # type: ignore[misc]

        self._session.versions(record, add_versions, dialog)

    def compare_two(self, first: SearchHit, second: SearchHit) -> None:
        """Compare two records of the list."""
        from .compare_view import CompareDialog

        first_record, second_record = self._session.record(first.identifier), self._session.record(second.identifier)
        if first_record is not None and second_record is not None:
            CompareDialog(first_record, [second_record], self._window).show()

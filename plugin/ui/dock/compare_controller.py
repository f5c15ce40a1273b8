"""Comparing the chosen record: with earlier versions of it, with others of the list, or two that are selected."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, List, Optional, Tuple

from qgis.PyQt.QtCore import QObject

from ...app.phrases import hit_title
from ...core.catalogues.result_merging import RemoteHit
from ...core.date_formatting import format_day
from ...core.i18n import tr
from ...core.library.query import SearchHit
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record

if TYPE_CHECKING:
    from .dock_widget import CartoguideDock

#: records of the list that are offered for a comparison; a search brings others to the front
_MAX_OFFERED = 50


class CompareController(QObject):
    """Opens the comparison for the Checks tab and for the list."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._session = dock.session
        dock.view.checks.compare_requested.connect(self.compare_selected)

    def compare_selected(self, former: Optional[Record] = None) -> None:
        """Show the chosen record beside ``former``, its earlier version, or another version that the store holds, or
        one of those in the list.
        """
        from ..record.compare_view import CompareDialog

        record = self._dock.view.record
        if record is None:
            return
        dialog = CompareDialog(record, (), self._dock, former)
        endpoint = self._session.endpoint(record)
        key = normalise_endpoint(endpoint) if endpoint else ""
        hits = [
            hit for hit in self._dock.model.hits[:_MAX_OFFERED]
            if hit.identifier != record.id and not isinstance(hit, RemoteHit)
        ]
        for hit in sorted(hits, key=lambda hit: not key or hit.endpoint != key):
            dialog.add_choice(hit_title(hit), partial(self._session.record, hit.identifier))
        dialog.show()

        def offer(versions: List[Tuple[str, str, Record]]) -> None:
            for day, source, version in reversed(versions):
                if former is None or version.original != former.original:
                    dialog.add_choice(tr("As read on {day} from {source}", day=format_day(day), source=source),
                                      lambda version=version: version, first=former is None)  # type: ignore[misc]

        self._session.versions(record, offer, dialog)

    def compare_two(self, first: SearchHit, second: SearchHit) -> None:
        """Show two results side by side."""
        from ..record.compare_view import CompareDialog

        one, other = self._session.record(first.identifier), self._session.record(second.identifier)
        if one is not None and other is not None:
            CompareDialog(one, [other], self._dock).show()

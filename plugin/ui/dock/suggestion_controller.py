"""Services that go with the custom map, searched for in the record library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional

from qgis.PyQt.QtCore import QObject, QTimer

from ...app.maps.map_extent import service_extent
from ...core.custommap.suggestions import Suggestion, SuggestionCandidate, suggest_services
from ...core.i18n import tr
from ...core.library.query import LibraryQuery
from ...core.records.model.record import Record
from ...gis.runtime import tasks

if TYPE_CHECKING:
    from .composer_controller import ComposerController


class SuggestionController(QObject):
    """Looks in the store, in a job, whenever the map has other services than before."""

    def __init__(self, actions: ComposerController, add: Callable[[Record, str], None]) -> None:
        super().__init__(actions)
        self._controller = actions
        self._add = add
        self._rows = actions.composer.suggestions
        self._search_job: tasks.LatestJob[list[SuggestionCandidate]] = tasks.LatestJob(self)
        self._endpoints: Optional[tuple[str, ...]] = None
        self._rows.add_requested.connect(self._on_add_requested)
        # the store opens in the background when the dock does
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(400)
        self._timer.timeout.connect(self._search)

    def refresh(self) -> None:
        """Look again if the map has other services now."""
        endpoints = tuple(item.entry.endpoint for item in self._controller.map.items)
        if endpoints == self._endpoints or self._controller.map.adding:
            return
        self._endpoints = endpoints
        if endpoints:
            self._timer.start()
        else:
            self._search_job.cancel()
            self._rows.show_suggestions(())

    def _search(self) -> None:
        maps = self._controller.map
        boxes = [box for box in (service_extent(maps, item) for item in maps.items) if box is not None]
        if not boxes:
            self._rows.show_suggestions(())
            return
        # the smallest service is what the map is about: a base often covers far more
        area = min(boxes, key=lambda box: (box.east - box.west) * (box.north - box.south))
        query = LibraryQuery(bbox=(area.west, area.south, area.east, area.north), facets={"kind": ("service",)})
        shelf = maps.session.library
        records = [record for record in (maps.session.record(item.entry.record_id) if item.entry.record_id else None
                                         for item in maps.items) if record is not None]
        endpoints = list(self._endpoints or ())

        def find(feedback: tasks.Feedback) -> list[SuggestionCandidate]:
            page = shelf.load_page((query, 0), feedback.isCanceled)
            return [SuggestionCandidate(hit.identifier, hit.title, hit.endpoint) for hit in page.hits]

        def found(candidates: list[SuggestionCandidate]) -> None:
            self._rows.show_suggestions(suggest_services(records, endpoints, candidates))

        self._search_job.start(tr("Looking for services that go with the map"), find, found, lambda _error: None)

    def _on_add_requested(self, suggestion: Suggestion) -> None:
        record = self._controller.map.session.record(suggestion.candidate.identifier)
        if record is not None:
            endpoint = self._controller.map.session.endpoint(record)
            if endpoint:
                self._add(record, endpoint)

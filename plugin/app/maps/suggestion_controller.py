"""Services of the record library that would go well with the custom map."""

from __future__ import annotations

from typing import Callable, Optional

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.custommap.suggestions import Suggestion, SuggestionCandidate, suggest_services
from ...core.i18n import tr
from ...core.library.query import Facet, LibraryQuery
from ...core.records.model.record import Record, ResourceKind
from ...gis.runtime import tasks
from .extent_controller import service_extent, smallest_extent
from .map_controller import MapController


class SuggestionController(QObject):
    """Searches the library in a task whenever the map has other services than before."""

    #: suggestions, best first
    suggestions_changed = pyqtSignal(list)

    def __init__(self, map_controller: MapController, add: Callable[[Record, str], None],
                 parent: Optional[QObject] = None) -> None:
        """``add`` adds a record's service (by its endpoint) to the map."""
        super().__init__(parent)
        self._map, self._add = map_controller, add
        self._search_job: tasks.LatestJob[list[SuggestionCandidate]] = tasks.LatestJob(self)
        self._endpoints: Optional[tuple[str, ...]] = None
        # the library is opened in the background when the dock is
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(400)
        self._timer.timeout.connect(self._search)

    def refresh(self) -> None:
        """Search again if the map's services have changed."""
        endpoints = tuple(item.entry.endpoint for item in self._map.items)
        if endpoints == self._endpoints or self._map.adding:
            return
        self._endpoints = endpoints
        if endpoints:
            self._timer.start()
        else:
            self._search_job.cancel()
            self.suggestions_changed.emit([])

    def _search(self) -> None:
        extents = [service_extent(self._map, item) for item in self._map.items]
        area = smallest_extent([extent for extent in extents if extent is not None])
        if area is None:
            self.suggestions_changed.emit([])
            return
        query = LibraryQuery(bbox=(area.west, area.south, area.east, area.north),
                             facets={Facet.KIND: (ResourceKind.SERVICE.value,)})
        library = self._map.session.library
        records = [record for record in map(self._map.record_of, self._map.items) if record is not None]
        endpoints = list(self._endpoints or ())

        def find(feedback: tasks.Feedback) -> list[SuggestionCandidate]:
            page = library.load_page((query, 0), feedback.isCanceled)
            return [SuggestionCandidate(hit.identifier, hit.title, hit.endpoint) for hit in page.hits]

        def show(candidates: list[SuggestionCandidate]) -> None:
            self.suggestions_changed.emit(list(suggest_services(records, endpoints, candidates)))

        self._search_job.start(tr("Searching for services that match the map"), find, show, lambda _error: None)

    def add_suggestion(self, suggestion: Suggestion) -> None:
        """Add the suggested service to the map."""
        session = self._map.session
        record = session.record(suggestion.candidate.identifier)
        if record is not None:
            endpoint = session.endpoint(record)
            if endpoint:
                self._add(record, endpoint)

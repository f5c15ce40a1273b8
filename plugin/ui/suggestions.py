"""Services that go with the custom map, searched for in the record library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional

from qgis.PyQt.QtCore import QObject, QTimer

from ..core.custommap.suggest import Candidate, Suggestion, suggestions
from ..core.i18n import tr
from ..core.records.model import Record
from ..core.store.query import Query
from ..gis import tasks
from .map_extent import box_of

if TYPE_CHECKING:
    from .composer_actions import ComposerActions


class Suggestions(QObject):
    """Looks in the store, in a job, whenever the map has other services than before."""

    def __init__(self, actions: ComposerActions, add: Callable[[Record, str], None]) -> None:
        super().__init__(actions)
        self._actions = actions
        self._add = add
        self._rows = actions.composer.suggestions
        self._latest: tasks.Latest[list[Candidate]] = tasks.Latest(self)
        self._asked: Optional[tuple[str, ...]] = None
        self._rows.add_asked.connect(self._wanted)
        # the store opens in the background when the dock does
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(400)
        self._timer.timeout.connect(self._look)

    def refresh(self) -> None:
        """Look again if the map has other services now."""
        endpoints = tuple(item.entry.endpoint for item in self._actions.map.items)
        if endpoints == self._asked or self._actions.map.adding:
            return
        self._asked = endpoints
        if endpoints:
            self._timer.start()
        else:
            self._latest.cancel()
            self._rows.show_suggestions(())

    def _look(self) -> None:
        maps = self._actions.map
        boxes = [box for box in (box_of(maps, item) for item in maps.items) if box is not None]
        if not boxes:
            self._rows.show_suggestions(())
            return
        # the smallest service is what the map is about: a base often covers far more
        area = min(boxes, key=lambda box: (box.east - box.west) * (box.north - box.south))
        query = Query(box=(area.west, area.south, area.east, area.north), facets={"kind": ("service",)})
        shelf = maps.session.shelf
        records = [record for record in (maps.session.record(item.entry.record_id) if item.entry.record_id else None
                                         for item in maps.items) if record is not None]
        endpoints = list(self._asked or ())

        def find(feedback: tasks.Feedback) -> list[Candidate]:
            page = shelf.page((query, 0), feedback.isCanceled)
            return [Candidate(hit.identifier, hit.title, hit.endpoint) for hit in page.hits]

        def found(candidates: list[Candidate]) -> None:
            self._rows.show_suggestions(suggestions(records, endpoints, candidates))

        self._latest.start(tr("Looking for services that go with the map"), find, found, lambda _error: None)

    def _wanted(self, suggestion: Suggestion) -> None:
        record = self._actions.map.session.record(suggestion.candidate.identifier)
        if record is not None:
            endpoint = self._actions.map.session.endpoint(record)
            if endpoint:
                self._add(record, endpoint)

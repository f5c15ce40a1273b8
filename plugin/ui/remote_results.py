"""What the catalogues find, without a widget: the same query asked of all of them, as lines for the list."""

from __future__ import annotations

from typing import Callable, Dict, List, Mapping, Optional, Tuple

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ..core.errors import CartoguideError
from ..core.records.model import Record
from ..core.sources.merging import Merged, Version
from ..core.sources.model import Source
from ..core.sources.weaving import row_of, source_query, wanted_sources
from ..core.store.query import Hit, Query
from ..core.store.turns import in_turns
from ..gis import tasks
from ..gis.latest import LatestThread
from ..gis.shelf import Shelf
from ..gis.source_list import SourceList
from ..gis.sources import SourceSearch, load_full

#: so long nothing changes before servers are asked: longer than a thoughtful typist's pause
_REST_MILLISECONDS = 600
#: whole records that are remembered
_MOST_RECORDS = 200

#: identifier, date stamp and source: one version of a record
_Key = Tuple[str, str, str]


class RemoteResults(QObject):
    """``changed``: the lines are others now. ``row_changed`` (source's key) and ``started`` tell how the search stands.
    ``record_came`` (identifier): what is known of a version is more now, or why it is not.
    """

    changed = pyqtSignal()
    started = pyqtSignal()
    row_changed = pyqtSignal(str)
    record_came = pyqtSignal(str)

    def __init__(self, shelf: Shelf, sources: SourceList, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._shelf, self._sources = shelf, sources
        self.search = SourceSearch(self)
        self.search.results_changed.connect(self._came)
        self.search.row_changed.connect(self.row_changed)
        self.on = False
        self._query = Query()
        self._asked: Optional[Query] = None
        self._rows: Dict[str, Hit] = {}
        self._ranks: Dict[str, int] = {}
        self._pending: Dict[str, Merged] = {}
        self._whole: Dict[_Key, Record] = {}
        self._from: Dict[str, Tuple[Source, Record]] = {}
        self._problems: Dict[_Key, CartoguideError] = {}
        self._reading: Dict[_Key, tasks.Job] = {}
        self._making = LatestThread("cartoguide-merge", self._make, self)
        self._making.answered.connect(self._made)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MILLISECONDS)
        self._rest.timeout.connect(self.ask)

    # -- asking

    @property
    def rows(self) -> List[Hit]:
        """The lines, in the order in which they came."""
        return list(self._rows.values())

    @property
    def busy(self) -> bool:
        """Whether answers are still to come."""
        return self._rest.isActive() or self.search.running or self._making.waiting

    @property
    def complete(self) -> bool:
        """Whether the lines are all that the catalogues have, so that counts of them are exact."""
        return not self.on or (not self.busy and self.search.complete)

    def titles(self) -> Dict[str, Tuple[str, str]]:
        """Kind and title of each catalogue of the search, by its key."""
        return {row.source.key: (row.source.kind, row.source.shown) for row in self.search.rows}

    def switch(self, on: bool) -> None:
        """Ask the catalogues from now on, or no longer."""
        self.on = on
        if on:
            self.ask()
        else:
            self._rest.stop()
            self._forget()

    def wish(self, query: Query) -> None:
        """This is looked for now: the catalogues are asked once nothing else was wished for a while."""
        if query == self._query:
            return
        self._query = query
        if not self.on:
            return
        self._forget()
        self._rest.start()

    def remember(self, query: Query) -> None:
        """This is looked for, but nobody has asked the catalogues for it."""
        self._query = query

    def ask(self) -> None:
        """Ask all catalogues that are switched on, now. A collection is a set of what is kept: none is asked for it."""
        self._rest.stop()
        self._forget()
        self._asked = self._query
        if not self._query.collection:
            self.search.start(source_query(self._query), wanted_sources(self._query, self._sources.switched_on()))
        self.started.emit()

    def hasten(self) -> None:
        """Do not wait any longer."""
        if self._rest.isActive():
            self.ask()

    def refresh(self) -> None:
        """What is kept has changed: see again which lines are newer."""
        if self._rows or self._pending:
            self._came([item.identifier for item in self.search.results])

    def close(self) -> None:
        """End what is under way."""
        self._rest.stop()
        self.search.cancel()
        self._making.stop()
        for job in list(self._reading.values()):
            job.cancel()

    def _forget(self) -> None:
        """Other results are wanted."""
        self.search.start(source_query(Query()), ())
        self._making.cancel()
        self._pending.clear()
        self._ranks.clear()
        shown, self._rows = bool(self._rows), {}
        if shown:
            self.changed.emit()

    # -- what came

    def _came(self, identifiers: List[str]) -> None:
        for identifier in identifiers:
            self._pending[identifier] = self.search.result(identifier)
        if self._pending:
            self._making.ask((self._asked or self._query, dict(self._pending), self._ranked()))

    def _ranked(self) -> Dict[str, int]:
        """Each new identifier's place among the results of the catalogue that speaks for it."""
        counts: Dict[str, int] = {}
        for item in self.search.results:
            key = item.best.source.key
            self._ranks.setdefault(item.identifier, counts.get(key, 0))
            counts[key] = counts.get(key, 0) + 1
        return dict(self._ranks)

    def _make(self, question: Tuple[Query, Mapping[str, Merged], Mapping[str, int]],
              cancelled: Callable[[], bool]) -> Dict[str, Optional[Hit]]:
        """In a thread: the lines of what came, held against what is kept."""
        query, items, ranks = question
        kept = {hit.identifier: hit for hit in self._shelf.store().by_identifiers(list(items))}
        made: Dict[str, Optional[Hit]] = {}
        for identifier, merged in in_turns(list(items.items()), 1):
            if cancelled():
                break
            made[identifier] = row_of(merged, ranks.get(identifier, 0), query, kept.get(identifier))
        return made

    def _made(self, question: Tuple[Query, Mapping[str, Merged], Mapping[str, int]],
              made: Dict[str, Optional[Hit]]) -> None:
        for identifier, hit in made.items():
            if self._pending.get(identifier) is question[1][identifier]:
                del self._pending[identifier]
            if hit is None:
                self._rows.pop(identifier, None)
            else:
                self._rows[identifier] = hit
        self.changed.emit()

    # -- versions

    def versions(self, identifier: str) -> List[Version]:
        """Every version that catalogues have of a record, the newest first."""
        try:
            merged = self.search.result(identifier)
        except KeyError:
            return []
        return [merged.best, *merged.others]

    def record(self, identifier: str, version: Version) -> Record:
        """The whole record of a version if it is there; else its index entry, and ``record_came`` tells of it."""
        key = _key(identifier, version)
        if key in self._whole:
            return self._whole[key]
        if key not in self._reading and key not in self._problems:
            self._read(key, version)
        # one that needs no reading is there at once
        return self._whole.get(key, version.found.record)

    def whole(self, identifier: str, version: Version) -> Optional[Record]:
        """The whole record of a version, None as long as it is not there."""
        return self._whole.get(_key(identifier, version))

    def last(self, identifier: str) -> Optional[Tuple[Source, Record]]:
        """The version of a record that was read last, and whose it is; None where none was, or it was dropped."""
        return self._from.get(identifier)

    def drop(self, identifier: str) -> None:
        """The record is kept now: ``last`` gives it no more."""
        self._from.pop(identifier, None)

    def problem(self, identifier: str, version: Version) -> Optional[CartoguideError]:
        """Why the whole record could not be read."""
        return self._problems.get(_key(identifier, version))

    def retry(self, identifier: str, version: Version) -> None:
        """Ask for the whole record again."""
        key = _key(identifier, version)
        if self._problems.pop(key, None) is not None:
            self._read(key, version)
            self.record_came.emit(identifier)

    def _read(self, key: _Key, version: Version) -> None:
        def done(record: Record) -> None:
            self._reading.pop(key, None)
            while len(self._whole) >= _MOST_RECORDS:
                del self._whole[next(iter(self._whole))]
            self._whole[key] = record
            self._from[key[0]] = (version.source, record)
            self.record_came.emit(key[0])

        def failed(error: CartoguideError) -> None:
            self._reading.pop(key, None)
            self._problems[key] = error
            self.record_came.emit(key[0])

        source: Source = version.source
        job = load_full(source, version.found, done, failed, self)
        if job is not None:
            self._reading[key] = job


def _key(identifier: str, version: Version) -> _Key:
    return identifier, version.found.record.date_stamp or "", version.source.key

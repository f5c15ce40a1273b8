"""The list's query in all catalogues, with its results merged into rows of the list."""

from __future__ import annotations

from typing import Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.catalogues.model import Source
from ...core.catalogues.record_merger import MergedRecord, SourceRecord
from ...core.catalogues.result_merging import selected_sources, to_catalogue_query, to_search_hit
from ...core.cooperative_yield import yielding
from ...core.errors import CartoguideError
from ...core.library.query import LibraryQuery, SearchHit
from ...core.records.model.record import Record
from ...gis.catalogues.catalogue_list import CatalogueList
from ...gis.catalogues.federated_search import FederatedSearch, request_full_record
from ...gis.library.record_library import RecordLibrary
from ...gis.runtime import tasks
from ...gis.runtime.latest_query_worker import LatestQueryWorker

#: debounce before requests: longer than a pause while typing
_DEBOUNCE_MS = 600
#: cached complete records
_MAX_RECORDS = 200

#: identifier, date stamp and source: one version of a record
_VersionKey = Tuple[str, str, str]


class _MergeRequest(NamedTuple):
    """New results of a query by identifier, and the rank of each result in its catalogue."""

    query: LibraryQuery
    results: Mapping[str, MergedRecord]
    ranks: Mapping[str, int]


class RemoteSearch(QObject):
    """Searches the catalogues that are switched on. ``changed`` is emitted when ``hits`` has changed.

    ``started`` and ``row_changed`` (the catalogue's key) report the search's progress. ``record_updated`` (identifier)
    is emitted when a complete record was loaded or has failed.
    """

    changed = pyqtSignal()
    started = pyqtSignal()
    row_changed = pyqtSignal(str)
    record_updated = pyqtSignal(str)

    def __init__(self, library: RecordLibrary, sources: CatalogueList, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._library, self._sources = library, sources
        self.federated = FederatedSearch(self)
        self.federated.results_changed.connect(self._on_results_changed)
        self.federated.status_changed.connect(self.row_changed)
        self.enabled = False
        self._query = LibraryQuery()
        self._requested_query: Optional[LibraryQuery] = None
        self._hits: Dict[str, SearchHit] = {}
        self._ranks: Dict[str, int] = {}
        self._pending: Dict[str, MergedRecord] = {}
        self._full_records: Dict[_VersionKey, Record] = {}
        self._last_versions: Dict[str, Tuple[Source, Record]] = {}
        self._errors: Dict[_VersionKey, CartoguideError] = {}
        self._record_jobs: Dict[_VersionKey, tasks.Job] = {}
        self._row_worker = LatestQueryWorker("cartoguide-merge", self._build_hits, self)
        self._row_worker.result_ready.connect(self._on_hits_built)
        self._debounce_timer = QTimer(self)
        self._debounce_timer.setSingleShot(True)
        self._debounce_timer.setInterval(_DEBOUNCE_MS)
        self._debounce_timer.timeout.connect(self.search_now)

    # -- searching

    @property
    def query(self) -> LibraryQuery:
        return self._query

    @property
    def hits(self) -> List[SearchHit]:
        """Results in the order in which they arrived."""
        return list(self._hits.values())

    @property
    def busy(self) -> bool:
        """True while responses are awaited."""
        return self._debounce_timer.isActive() or self.federated.running or self._row_worker.pending

    @property
    def complete(self) -> bool:
        """True if the results are all that the catalogues have, so that counts are exact."""
        return not self.enabled or (not self.busy and self.federated.complete)

    def source_titles(self) -> Dict[str, Tuple[str, str]]:
        """Return kind and title of each searched catalogue, by its key."""
        return {row.source.key: (row.source.kind.value, row.source.display_name) for row in self.federated.statuses}

    def set_enabled(self, on: bool) -> None:
        """Switch the search on, which starts it, or off."""
        self.enabled = on
        if on:
            self.search_now()
        else:
            self._debounce_timer.stop()
            self._clear()

    def search_later(self, query: LibraryQuery) -> None:
        """Search for ``query`` once it has not changed for a moment."""
        if query == self._query:
            return
        self._query = query
        if not self.enabled:
            return
        self._clear()
        self._debounce_timer.start()

    def set_query(self, query: LibraryQuery) -> None:
        """Set the query without searching."""
        self._query = query

    def search_now(self) -> None:
        """Search all catalogues that are switched on, but none for a collection, which is a set of local records."""
        self._debounce_timer.stop()
        self._clear()
        self._requested_query = self._query
        if not self._query.collection:
            self.federated.start(to_catalogue_query(self._query),
                              selected_sources(self._query, self._sources.enabled_sources()))
        self.started.emit()

    def skip_debounce(self) -> None:
        """Search now if a search is waiting."""
        if self._debounce_timer.isActive():
            self.search_now()

    def refresh(self) -> None:
        """Compare the results with the library again, which has changed."""
        if self._hits or self._pending:
            self._on_results_changed([item.identifier for item in self.federated.results])

    def close(self) -> None:
        """Cancel everything."""
        self._debounce_timer.stop()
        self.federated.cancel()
        self._row_worker.stop()
        for job in list(self._record_jobs.values()):
            job.cancel()

    def _clear(self) -> None:
        """Drop the results."""
        self.federated.start(to_catalogue_query(LibraryQuery()), ())
        self._row_worker.cancel()
        self._pending.clear()
        self._ranks.clear()
        shown, self._hits = bool(self._hits), {}
        if shown:
            self.changed.emit()

    # -- results

    def _on_results_changed(self, identifiers: List[str]) -> None:
        for identifier in identifiers:
            self._pending[identifier] = self.federated.result(identifier)
        if self._pending:
            self._row_worker.submit(_MergeRequest(self._requested_query or self._query, dict(self._pending),
                                                  self._updated_ranks()))

    def _updated_ranks(self) -> Dict[str, int]:
        """Return each identifier's rank in the catalogue of its best version."""
        counts: Dict[str, int] = {}
        for item in self.federated.results:
            key = item.best.source.key
            self._ranks.setdefault(item.identifier, counts.get(key, 0))
            counts[key] = counts.get(key, 0) + 1
        return dict(self._ranks)

    def _build_hits(self, request: _MergeRequest, cancelled: Callable[[], bool]) -> Dict[str, Optional[SearchHit]]:
        """Return the rows of new results, compared with the library. Runs in a thread."""
        local_hits = {hit.identifier: hit for hit in self._library.store().find_by_identifiers(list(request.results))}
        hits: Dict[str, Optional[SearchHit]] = {}
        for identifier, merged in yielding(list(request.results.items()), 1):
            if cancelled():
                break
            hits[identifier] = to_search_hit(merged, request.ranks.get(identifier, 0), request.query,
                                             local_hits.get(identifier))
        return hits

    def _on_hits_built(self, request: _MergeRequest, hits: Dict[str, Optional[SearchHit]]) -> None:
        for identifier, hit in hits.items():
            if self._pending.get(identifier) is request.results[identifier]:
                # no newer result has arrived meanwhile
                del self._pending[identifier]
            if hit is None:
                self._hits.pop(identifier, None)
            else:
                self._hits[identifier] = hit
        self.changed.emit()

    # -- versions

    def versions(self, identifier: str) -> List[SourceRecord]:
        """Return the catalogues' versions of a record, the newest first."""
        try:
            merged = self.federated.result(identifier)
        except KeyError:
            return []
        return [merged.best, *merged.others]

    def record(self, identifier: str, version: SourceRecord) -> Record:
        """Return the complete record of a version if it is loaded.

        Otherwise load it, return the outline that the search found, and emit ``record_updated`` later.
        """
        key = _version_key(identifier, version)
        if key in self._full_records:
            return self._full_records[key]
        if key not in self._record_jobs and key not in self._errors:
            self._load_record(key, version)
        # a complete result is returned without a request
        return self._full_records.get(key, version.item.record)

    def full_record(self, identifier: str, version: SourceRecord) -> Optional[Record]:
        """Return the complete record of a version, or None before it is loaded."""
        return self._full_records.get(_version_key(identifier, version))

    def last_version(self, identifier: str) -> Optional[Tuple[Source, Record]]:
        """Return the version of a record that was loaded last, with its catalogue, or None."""
        return self._last_versions.get(identifier)

    def discard_last_version(self, identifier: str) -> None:
        """Forget the version that ``last_version`` returns, because it was saved."""
        self._last_versions.pop(identifier, None)

    def error(self, identifier: str, version: SourceRecord) -> Optional[CartoguideError]:
        """Return why the complete record could not be loaded, or None."""
        return self._errors.get(_version_key(identifier, version))

    def retry(self, identifier: str, version: SourceRecord) -> None:
        """Request the complete record again after it failed."""
        key = _version_key(identifier, version)
        if self._errors.pop(key, None) is not None:
            self._load_record(key, version)
            self.record_updated.emit(identifier)

    def _load_record(self, key: _VersionKey, version: SourceRecord) -> None:
        def done(record: Record) -> None:
            self._record_jobs.pop(key, None)
            while len(self._full_records) >= _MAX_RECORDS:
                del self._full_records[next(iter(self._full_records))]
            self._full_records[key] = record
            self._last_versions[key[0]] = (version.source, record)
            self.record_updated.emit(key[0])

        def failed(error: CartoguideError) -> None:
            self._record_jobs.pop(key, None)
            self._errors[key] = error
            self.record_updated.emit(key[0])

        source: Source = version.source
        job = request_full_record(source, version.item, done, failed, self)
        if job is not None:
            self._record_jobs[key] = job


def _version_key(identifier: str, version: SourceRecord) -> _VersionKey:
    return identifier, version.item.record.date_stamp or "", version.source.key

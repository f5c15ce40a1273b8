"""The search in catalogues, the version of a remote record that is shown, and saving it to the library."""

from __future__ import annotations

from typing import Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.catalogues.model import Source
from ...core.catalogues.result_merging import (
    MergedRecord,
    RemoteHit,
    SourceRecord,
    selected_sources,
    to_catalogue_query,
    to_search_hit,
)
from ...core.cooperative_yield import yielding
from ...core.dates import format_day
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.library.query import Facet, LibraryQuery, SearchHit
from ...core.records.model.record import Record
from ...gis.catalogues.catalogue_list import CatalogueList
from ...gis.catalogues.federated_search import FederatedSearch, SearchState, SourceStatus, request_full_record
from ...gis.library.record_library import RecordLibrary, RecordSource
from ...gis.runtime import settings, tasks
from ...gis.runtime.main_thread import single_shot
from ...gis.runtime.tasks import LatestQueryWorker
from ..phrases import short_catalogue_name
from ..window import Notifier
from .dock_session import DockSession
from .record_controller import SelectedRecord

#: debounce before requests: longer than a pause while typing
_DEBOUNCE_MS = 600
#: cached complete records
_MAX_RECORDS = 200

#: identifier, date stamp and source: one version of a record
_VersionKey = Tuple[str, str, str]
#: catalogues that are named where several have a record
_MAX_NAMED = 2


class _MergeRequest(NamedTuple):
    """New results of a query by identifier, and the rank of each result in its catalogue."""

    query: LibraryQuery
    results: Mapping[str, MergedRecord]
    ranks: Mapping[str, int]


class RemoteSearch(QObject):
    """Searches the catalogues that are switched on. ``changed`` is emitted when ``hits`` has changed.

    ``started`` and ``row_changed`` (the catalogue's key) report the search's progress. ``record_updated`` (identifier)
    is emitted when a complete record was loaded or has failed, and ``failed`` (CartoguideError) when results could not
    be compared with the library.
    """

    changed = pyqtSignal()
    started = pyqtSignal()
    row_changed = pyqtSignal(str)
    record_updated = pyqtSignal(str)
    failed = pyqtSignal(object)

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
        self._errors: Dict[_VersionKey, CartoguideError] = {}
        self._record_jobs: Dict[_VersionKey, tasks.Job] = {}
        self._row_worker = LatestQueryWorker("cartoguide-merge", self._build_hits, self)
        self._row_worker.result_ready.connect(self._on_hits_built)
        self._row_worker.failed.connect(self._on_hits_failed)
        self._debounce_timer = single_shot(self, _DEBOUNCE_MS, self.search_now)

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
        self._debounce_timer.stop()
        self.federated.cancel()
        self._row_worker.stop()
        for job in list(self._record_jobs.values()):
            job.cancel()

    def _clear(self) -> None:
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

    def _on_hits_failed(self, _request: _MergeRequest, error: CartoguideError) -> None:
        self.failed.emit(error)
        # the search is over
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

    def version_of(self, record: Record) -> Optional[SourceRecord]:
        """Return the catalogue's version that ``record`` is the complete record or the outline of, or None."""
        identifier = record.id or ""
        return next((version for version in self.versions(identifier)
                     if record in (version.item.record, self.full_record(identifier, version))), None)

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


class RemoteSearchController(QObject):
    """Makes no network request before the person switches the search on, or changes the query while it is on."""

    #: the merged results changed
    hits_changed = pyqtSignal()
    #: statuses of the catalogues, whether the search is on, why no catalogue is searched ("" if any is), and the keys
    #: of the only ones to search (empty for all)
    rows_changed = pyqtSignal(list, bool, str, tuple)
    #: status of one catalogue
    row_changed = pyqtSignal(object)
    #: where the selected record comes from, its versions (text, whether shown), whether it can be saved, and whether
    #: loading it has failed
    origin_changed = pyqtSignal(str, list, bool, bool)
    #: why the selected record cannot be added to the map
    adding_blocked = pyqtSignal(str)
    #: the record that was requested for the map is complete and selected
    map_record_ready = pyqtSignal()
    #: ``awaits_map_record`` may have changed
    map_record_awaited = pyqtSignal()
    #: title of the record that was requested for the map, why there is none (a CartoguideError), and its identifier
    map_record_failed = pyqtSignal(str, object, str)

    def __init__(self, session: DockSession, sources: CatalogueList, selected: SelectedRecord, notifier: Notifier,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._sources, self._selected, self._notifier = session, sources, selected, notifier
        self._selected_hit: Optional[SearchHit] = None
        self._shown_version: Optional[SourceRecord] = None
        #: the version of the selected record that the person picked
        self._picked_version: Optional[SourceRecord] = None
        #: versions that are saved once they are complete, each with the message of it, by their identifiers
        self._pending_saves: Dict[str, Tuple[SourceRecord, str]] = {}
        #: identifier of the record that is added to the map once it is complete
        self._pending_map_record = ""
        self._restored_query_seen = False
        self.search = RemoteSearch(session.library, sources, self)
        self.search.changed.connect(self._on_hits_changed)
        self.search.started.connect(self._show_rows)
        self.search.row_changed.connect(lambda key: self.row_changed.emit(self.search.federated.status(key)))
        self.search.record_updated.connect(self._on_record_updated)
        self.search.failed.connect(notifier.show_error)
        sources.changed.connect(self._on_sources_changed)
        # left on the last time: no reason to go to the network before the query changes
        self.search.enabled = bool(settings.get("search_catalogues"))

    # -- searching

    def on_search_started(self, query: LibraryQuery) -> None:
        """Search the catalogues for the list's query, but not for the first one, which is restored from last time."""
        if not self._restored_query_seen:
            self._restored_query_seen = True
            self.search.set_query(query)
        else:
            self.search.search_later(query)

    def set_enabled(self, on: bool) -> None:
        """Switch the search in catalogues on or off, also for the next session."""
        settings.set("search_catalogues", on)
        self.search.set_enabled(on)
        self._show_rows()

    def _on_hits_changed(self) -> None:
        self.hits_changed.emit()
        # the selected record may have other versions now
        self.show_origin()

    def _show_rows(self) -> None:
        query, rows = self.search.query, self.search.federated.statuses if self.search.enabled else []
        only, reason = query.facets.get(Facet.SOURCE, ()), ""
        if query.collection:
            reason = tr("A collection is a set of your own records. No catalogue is searched for it.")
        elif only and not rows:
            kinds_and_titles = {**self.search.source_titles(), **self._session.sources()}
            shown = ", ".join(short_catalogue_name(kinds_and_titles.get(key, ("", ""))[1] or key) for key in only)
            reason = tr("Only records from {sources} are searched. No other catalogue is contacted.", sources=shown)
        self.rows_changed.emit(list(rows), self.search.enabled, reason, tuple(only))

    def _on_sources_changed(self) -> None:
        if self.search.enabled:
            self.search.search_now()

    # -- one catalogue of the search

    def status(self, key: str) -> Optional[SourceStatus]:
        """Return the status of the catalogue ``key``, or None if it is no longer searched."""
        return next((row for row in self.search.federated.statuses if row.source.key == key), None)

    def show_reason(self, key: str) -> None:
        """Show why a catalogue failed, or its notes."""
        row = self.status(key)
        if row is not None:
            error = row.error if row.state is SearchState.FAILED else None
            text = error.user_text if error else "\n".join(row.notes)
            self._notifier.show_details(f"{row.source.display_name}\n{text}",
                                        error.detail if error else row.source.address)

    def exclude(self, key: str) -> None:
        row = self.status(key)
        if row is not None:
            self._sources.set_enabled(row.source, False)

    # -- the selected record

    def record(self, hit: RemoteHit) -> Optional[Record]:
        """Return the record of a catalogue's result, as far as it has been loaded."""
        version = self._version_for(hit)
        return self.search.record(hit.identifier, version) if version is not None else None

    def _version_for(self, hit: Optional[SearchHit]) -> Optional[SourceRecord]:
        """Return the version to show of a catalogue's result: the picked one, else the newest."""
        if not isinstance(hit, RemoteHit):
            return None
        versions = self.search.versions(hit.identifier)
        same = self._selected_hit is not None and self._selected_hit.identifier == hit.identifier
        return self._picked_version if same and self._picked_version in versions else next(iter(versions), None)

    def on_hit_selected(self, hit: Optional[SearchHit]) -> None:
        """Show where the selected result comes from. None is a record that is not in the list."""
        self._shown_version = self._version_for(hit)
        if self._selected_hit is None or hit is None or self._selected_hit.identifier != hit.identifier:
            self._picked_version = None
        former, self._selected_hit = self._selected_hit, hit
        self.show_origin()
        if not self.awaits_map_record:
            self._leave_map_record(former)
        self.map_record_awaited.emit()

    def _on_record_updated(self, identifier: str) -> None:
        self._show_full_record(identifier)
        self.run_pending(identifier)

    def _show_full_record(self, identifier: str) -> None:
        if self._selected_hit is None or self._selected_hit.identifier != identifier or self._shown_version is None:
            return
        record = self.search.full_record(identifier, self._shown_version)
        if record is not None:
            self._selected.select(record, compare_with_previous=False)
        self.show_origin()

    def show_version(self, index: int) -> None:
        """Show another version of the selected record. ``index`` counts as in ``origin_changed``."""
        hit = self._selected_hit
        if hit is None:
            return
        versions = self.search.versions(hit.identifier)
        if self._local_date_stamp() is not None and index == len(versions):
            self._shown_version = None
            record = self._session.record(hit.identifier)
            if record is not None:
                self._selected.select(record, compare_with_previous=False)
        elif index < len(versions):
            self._shown_version = self._picked_version = versions[index]
            self._selected.select(self.search.record(hit.identifier, versions[index]), compare_with_previous=False)
        self.show_origin()

    def _local_date_stamp(self) -> Optional[str]:
        """Return the date stamp of the library's copy of the selected record, or None without a copy."""
        if isinstance(self._selected_hit, RemoteHit):
            return self._selected_hit.local_date_stamp
        return self._selected_hit.date_stamp if self._selected_hit is not None else None

    def show_origin(self) -> None:
        """Show where the selected record comes from, and what can be done with it."""
        hit, version = self._selected_hit, self._shown_version
        versions = self.search.versions(hit.identifier) if hit is not None else []
        if hit is None or not versions:
            self.origin_changed.emit("", [], False, False)
            return
        stamp = self._local_date_stamp()
        listed = self._version_list(versions, version, stamp)
        if version is None:
            names = list(dict.fromkeys(short_catalogue_name(copy.source.display_name) for copy in versions))
            catalogues = ", ".join([*names[:_MAX_NAMED], *(["…"] if len(names) > _MAX_NAMED else [])])
            self.origin_changed.emit(tr("Also in {catalogues}", catalogues=catalogues), listed, False, False)
            return
        complete = self.search.full_record(hit.identifier, version) is not None
        failed = self.search.error(hit.identifier, version) is not None
        name = short_catalogue_name(version.source.display_name)
        if failed:
            text = tr("{name} returned only a summary of this record.", name=name)
        elif not complete:
            text = tr("Loading the complete record from {name}…", name=name)
        elif stamp is not None:
            text = tr("From {name}. Your copy is dated {day}.", name=name, day=format_day(stamp) or tr("no date"))
        else:
            text = tr("From {name}, not saved yet.", name=name)
        self.origin_changed.emit(text, listed, complete, failed)
        if not complete:
            self.adding_blocked.emit(tr("The complete record has not been loaded yet. Its terms are missing."))

    @staticmethod
    def _version_list(versions: Sequence[SourceRecord], shown: Optional[SourceRecord],
                      stamp: Optional[str]) -> List[Tuple[str, bool]]:
        """Return a label for each version, the library's copy last, and whether it is shown."""
        listed = [(_version_label(version.source.display_name, version.item.record.date_stamp), version is shown)
                  for version in versions]
        if stamp is not None:
            listed.append((_version_label(tr("My records"), stamp), shown is None))
        return listed

    def reload_shown_version(self) -> None:
        """Request the complete record again after it failed."""
        if self._selected_hit is not None and self._shown_version is not None:
            self.search.retry(self._selected_hit.identifier, self._shown_version)

    def show_error_of_shown_version(self) -> None:
        """Show why the complete record could not be loaded."""
        hit, version = self._selected_hit, self._shown_version
        error = self.search.error(hit.identifier, version) if hit is not None and version is not None else None
        if error is not None:
            self._notifier.show_details(error.user_text, error.detail)

    # -- saving

    def save_shown_version(self) -> None:
        hit, version = self._selected_hit, self._shown_version
        if hit is not None and version is not None:
            self._save_when_complete(hit.identifier, version, tr("Saved in your records."))

    def save_records(self, hits: Sequence[RemoteHit]) -> None:
        """Save the records of several results, each as soon as it is complete."""
        for hit in hits:
            version = self._version_for(hit)
            if version is None:
                self._notifier.show_error(CartoguideError(
                    tr("“{title}” was not saved, because it is no longer among the results. Search for it again.",
                       title=hit.title)))
            else:
                self._save_when_complete(hit.identifier, version, tr("Saved in your records."))

    def save_for_map(self, record: Record) -> None:
        """Save a record that only a catalogue has and whose service is added to the map.

        The credit is read from it again later.
        """
        version = self.search.version_of(record)
        if version is not None and any(
                isinstance(hit, RemoteHit) and hit.identifier == record.id for hit in self.search.hits):
            self._save_when_complete(record.id or "", version,
                                     tr("Saved in your records. The map’s credit is read from it."))

    def _save_when_complete(self, identifier: str, version: SourceRecord, message: str) -> None:
        self._pending_saves[identifier] = (version, message)
        self.search.retry(identifier, version)
        self.search.record(identifier, version)
        self.run_pending(identifier)

    def request_for_map(self, identifier: str) -> None:
        """Emit ``map_record_ready`` once this remote record is selected and complete."""
        if identifier != self._pending_map_record:
            self._leave_map_record(self._selected_hit)
        self._pending_map_record = identifier
        self.map_record_awaited.emit()

    def _leave_map_record(self, former: Optional[SearchHit]) -> None:
        """Say that ``former`` is not added to the map, if it was to be, because another record takes its place."""
        if former is not None and former.identifier == self._pending_map_record:
            self._pending_map_record = ""
            self.map_record_failed.emit(former.title, CartoguideError(
                tr("Another record was selected before this one was complete.")), former.identifier)

    @property
    def awaits_map_record(self) -> bool:
        """True while the selected record is added to the map as soon as it is complete."""
        return self._selected_hit is not None and self._selected_hit.identifier == self._pending_map_record

    def run_pending(self, identifier: str) -> None:
        """Save the record, and announce it for the map, if either was requested and it is complete or has failed."""
        if identifier in self._pending_saves:
            version, message = self._pending_saves[identifier]
            record, error = self.search.full_record(identifier, version), self.search.error(identifier, version)
            if record is not None or error is not None:
                del self._pending_saves[identifier]
            if record is not None:
                self._session.save_record(
                    RecordSource(version.source.key, version.source.kind.value, version.source.display_name), record,
                    message)
            elif error is not None:
                self._notifier.show_error(CartoguideError(
                    tr("“{title}” was not saved. {reason}", title=version.item.record.title or identifier,
                       reason=error.user_text), error.detail))
        if identifier == self._pending_map_record:
            self._announce_for_map(identifier)

    def _announce_for_map(self, identifier: str) -> None:
        version = self._shown_version
        if self._selected_hit is None or self._selected_hit.identifier != identifier:
            return
        # no version is the copy in the library, which is shown
        record = self._selected.record if version is None else self.search.full_record(identifier, version)
        error = self.search.error(identifier, version) if version is not None else None
        if record is None and error is None:
            return
        # first: to add it may lead here once more
        self._pending_map_record = ""
        if record is not None:
            if record is not self._selected.record:
                self._selected.select(record, compare_with_previous=False)
            self.map_record_ready.emit()
        else:
            # the page of the record says why
            self.map_record_failed.emit(self._selected_hit.title, error, identifier)
        self.map_record_awaited.emit()

    def close(self) -> None:
        """Cancel what is running."""
        self.search.close()


def _version_label(name: str, stamp: Optional[str]) -> str:
    return f"{format_day(stamp) or tr('no date')} · {name}"

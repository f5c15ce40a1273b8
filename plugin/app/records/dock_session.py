"""The library, and the records, terms and services that the dock shows. Slow work runs in tasks and threads."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, TypeVar

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.catalogues.paste_classifier import PastedText, PasteKind, classify_pasted_text
from ...core.catalogues.protocols.geonetwork_api import page_url
from ...core.catalogues.result_merging import RemoteHit
from ...core.distributions.kinds import LinkKind
from ...core.distributions.record_distributions import Distribution, distributions_of, wms_address
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.library.query import LibraryQuery, ResultPage, SearchHit
from ...core.network_profile import DEFAULT_CRS, CatalogueType
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record, RecordFormat, is_starter
from ...core.terms.model import Terms
from ...core.text import list_quoted_names
from ...core.wms.model.service import Service
from ...core.wms.requests.urls import split_address, url_prefix, with_parameters
from ...gis.catalogues import paste_import
from ...gis.library.record_library import BUNDLED, RecordLibrary, RecordSource, SaveResult, find_endpoint_hits
from ...gis.profiles import record_loading
from ...gis.runtime import tasks
from ...gis.runtime.tasks import LatestQueryWorker
from ...gis.runtime.terms import terms_for
from ...gis.services import service_cache
from .. import phrases
from ..window import ViewRequests
from .import_jobs import ImportJobs, SourcedRecords, opened_text, paste_progress_text, paste_sources
from .row_images import RowImages

if TYPE_CHECKING:
    from ...core.library.record_collections import RecordCollections
    from ...core.library.record_store import RecordStore

T = TypeVar("T")

#: cached records
_MAX_RECORDS = 500
#: called in a worker thread: records by the source that they are saved under
_RecordsBySource = Callable[[], SourcedRecords]
#: number of records whose terms are cached
_MAX_TERMS = 500
_NETWORK_SETTINGS = ("profile", "base_url", "node", "catalogue_type", "catalogue_url")


class RecordSession(QObject):
    """Opens the record library and reads from it. Signals are emitted on the main thread."""

    #: the list must be searched again
    records_changed = pyqtSignal()
    #: records were added or changed in the background
    background_updated = pyqtSignal()
    page_loaded = pyqtSignal(object, int, object)
    counts_loaded = pyqtSignal(object, object)
    record_loaded = pyqtSignal(str, object)
    busy_changed = pyqtSignal(str)
    failed = pyqtSignal(object)
    warned = pyqtSignal(str, str)
    notified = pyqtSignal(str)
    #: an import replaced records: a text, and the function that undoes it
    records_replaced = pyqtSignal(str, object)
    records_opened = pyqtSignal(object)
    #: identifier of a record that ``save_record`` has saved
    record_saved = pyqtSignal(str)
    #: names of the collections that an import restored, and whether they are to be shown
    collections_imported = pyqtSignal(list, bool)
    library_closing = pyqtSignal()
    catalogue_detected = pyqtSignal(object)
    #: the AddressSecret of an address that the person entered
    login_found = pyqtSignal(object)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.library = RecordLibrary()
        self.opening = False
        self.views = ViewRequests()
        self.network_crs = DEFAULT_CRS
        self._profile_records: list[Record] = []
        self._records: OrderedDict[str, Record] = OrderedDict()
        #: parameters of pasted addresses that name layers, by the identifier of the record of their service
        self._pasted_layers: Dict[str, Dict[str, str]] = {}
        self._jobs = tasks.RunningJobs(self)
        self._jobs.changed.connect(self._on_jobs_changed)
        self._problem_reported = False
        self._page_worker = LatestQueryWorker("cartoguide-search", self.library.load_page, self)
        self._count_worker = LatestQueryWorker("cartoguide-count", self.library.counts, self)
        self._record_worker = LatestQueryWorker("cartoguide-read", self.library.load_record, self)
        self.imports = ImportJobs(self.library, self.views, self)
        self._connect_imports()
        self._page_worker.result_ready.connect(self._on_page_loaded)
        self._count_worker.result_ready.connect(self.counts_loaded)
        self._record_worker.result_ready.connect(self._on_record_loaded)
        for thread in (self._page_worker, self._count_worker, self._record_worker):
            thread.failed.connect(lambda _question, error: self.failed.emit(error))

    def _connect_imports(self) -> None:
        imports = self.imports
        imports.job_started.connect(lambda job, text: self.show_job(job, text, True))
        # a large import has its own row
        imports.large_import_started.connect(lambda _job: self.busy_changed.emit(""))
        imports.records_added.connect(self.background_updated)
        imports.imported.connect(self.show_saved_records)
        imports.library_changed.connect(self.invalidate_records)
        imports.library_changed.connect(self.report_library_notices)
        imports.collections_imported.connect(self.collections_imported)
        imports.failed.connect(self.failed)
        imports.warned.connect(self.warned)
        imports.notified.connect(self.notified)
        imports.replaced.connect(self.records_replaced)
        imports.undone.connect(self.reload_records)

    @property
    def loading(self) -> bool:
        """True while records are being loaded or searched."""
        return self.opening or self._page_worker.pending or self._record_worker.pending

    @property
    def searching(self) -> bool:
        """True while the first results of a search are awaited."""
        return self._page_worker.pending

    def start(self) -> None:
        """Open the library and add the network profile's records, without the network."""
        self.opening = True
        self.network_crs = record_loading.current_profile().crs
        self._jobs.add(
            record_loading.request_profile_records(
                self._open_library, lambda error: self._open_library(record_loading.RecordLoadResult((), (error, ))),
                self))

    def reopen_library(self) -> None:
        """Open the library at the location that the settings name now."""
        self.cancel_opening()
        self.library_closing.emit()
        self.library.reopen()
        self._records.clear()
        self._problem_reported = False
        self.start()

    def search(self, query: LibraryQuery, offset: int = 0) -> None:
        """Search in a thread. ``page_loaded`` carries query, offset and page of the newest search only."""
        self._page_worker.submit((query, offset))

    def count(self, query: LibraryQuery) -> None:
        """Count the results by facets. ``counts_loaded`` carries query and counts."""
        self._count_worker.submit(query)

    def sources(self) -> Mapping[str, tuple[str, str]]:
        """Return kind and title of each source of records by its address, as of the last count."""
        return self.library.sources

    def collections(self) -> List[Tuple[str, int]]:
        """Return each collection's name and number of members."""
        return self.read_library(lambda store: store.collections.names()) or []

    def read_library(self, work: Callable[[RecordStore], T]) -> Optional[T]:
        """Return what ``work`` reads from the library, see ``RecordLibrary.read``. ``failed`` announces errors."""
        return self.library.read(work, self.failed.emit)

    def change_collections(self, work: Callable[[RecordCollections], T], done: Callable[[T], None]) -> None:
        """Call ``work`` with the library's collections in a task, then ``done`` with its result."""
        self._jobs.add(
            tasks.start(tr("Saving the collection"), lambda _feedback: self.library.store().update_collections(work),
                        done, self.failed.emit, self))

    def show_job(self, job: tasks.Job, text: str, is_opening: bool = False) -> None:
        """Show ``job`` as running, with a button to cancel it. ``is_opening``: it adds records."""
        if is_opening:
            self._begin_opening(text)
        else:
            self.busy_changed.emit(text)
        self._jobs.add(job)

    def versions(self, record: Record, done: Callable[[List[Tuple[str, str, Record]]], None], owner: QObject) -> None:
        """Load the other versions of ``record`` and call ``done`` with day, source and record of each.

        Nothing is called if ``owner`` is deleted before.
        """
        tasks.start(tr("Searching for other versions"), lambda _feedback: self.library.other_versions(record), done,
                    self.failed.emit, owner)

    def request_record(self, hit: SearchHit) -> Optional[Record]:
        """Return a result's record if it is cached. Otherwise load it, emit ``record_loaded`` later and return None."""
        record = self._records.get(hit.identifier)
        if record is not None and (record.date_stamp or "") == hit.date_stamp and is_starter(record) == hit.starter:
            self._record_worker.cancel()
            return record
        self._record_worker.submit(hit.identifier)
        return None

    def record(self, record_id: str) -> Optional[Record]:
        """Return the record called ``record_id``, or None."""
        if record_id not in self._records and self.library.store_if_open is not None:
            try:
                self._cache_record(record_id, self.library.load_record(record_id, bool))
            except CartoguideError as error:
                self.failed.emit(error)
        return self._records.get(record_id)

    def starter_records(self) -> list[Record]:
        """Return the bundled records that no catalogue's version has replaced."""
        current = [self.record(record.id or "") for record in self._profile_records]
        return [record for record in current if record is not None and is_starter(record)]

    def open_paths(self, paths: Sequence[str]) -> None:
        """Import files, folders and packages of any size. Documents that cannot be read are reported."""
        self.imports.open(paths)

    def open_text(self, text: str) -> None:
        """Open pasted or typed text: XML, web addresses or paths.

        For the address of a catalogue, ``catalogue_detected`` is emitted, and ``login_found`` for one with a login.
        Capabilities of a service without a record are saved as a record.
        """
        try:
            taken = classify_pasted_text(text)
        except CartoguideError as error:
            self.failed.emit(error)
            return
        if taken.kind == PasteKind.PATH:
            self.open_paths(taken.locations)
            return
        if taken.secrets:
            self.login_found.emit(taken.secrets[0])
        self._begin_opening(paste_progress_text(taken))
        view = self.views.request()
        job = paste_import.request_pasted(taken, lambda result: self._store_pasted(taken, result, view),
                                          self.failed.emit, self, self.catalogue_detected.emit)
        self._jobs.add(job)

    def _store_pasted(self, taken: PastedText, result: record_loading.RecordLoadResult, view: int) -> None:
        known = self._describing_record(result.records)
        if len(taken.locations) == 1 and len(result.records) == 1:
            self._pasted_layers[known or result.records[0].id or ""] = split_address(taken.locations[0]).named
        if known:
            self.notified.emit(tr("Your records describe this service already."))
            if self.views.show(view):
                with self.views.showing():
                    self.records_opened.emit([known])
        else:
            self._store_results(result, lambda: paste_sources(taken, result.records), view)

    def _describing_record(self, records: Sequence[Record]) -> str:
        """Return the identifier of the record that describes these capabilities better, or ""."""
        if len(records) != 1 or records[0].source_format != RecordFormat.WMS_CAPABILITIES:
            return ""
        hits = self.read_library(
            lambda store: store.find_by_endpoint(normalise_endpoint(wms_address(records[0]) or ""))) or []
        return next((hit.identifier for hit in hits if hit.identifier != records[0].id), "")

    def save_record(self, source: RecordSource, record: Record, message: str) -> None:
        """Save a record that was shown already, then show ``message``. Another one may be selected by then."""
        def done(saved: SaveResult) -> None:
            self.invalidate_records()
            for identifier, stored in saved.records.items():
                self._cache_record(identifier, stored)
                self.record_saved.emit(identifier)
            self.report_library_notices()
            self.notified.emit(message)

        self._cache_record(record.id or "", record)
        self._jobs.add(
            tasks.start(tr("Saving the records"), lambda feedback: self.library.save(source, [record], feedback), done,
                        self.failed.emit, self))

    def refresh_from_catalogue(self, records: Sequence[Record]) -> None:
        """Request the catalogue's version of ``records``, which are found by their endpoints."""
        self._begin_opening(tr("Contacting the catalogue…"))
        view = self.views.request()
        self._jobs.add(record_loading.request_refresh(list(records), lambda result: self._on_refreshed(result, view),
                                                      self.failed.emit, self))

    def _on_refreshed(self, result: record_loading.RecordLoadResult, view: int) -> None:
        own = record_loading.current_profile().catalogue
        self._store_results(result,
                            lambda: [(RecordSource(own.url, own.type, phrases.short_address(own.url)), result.records)],
                            view, True)

    def cancel_opening(self) -> None:
        """Cancel the jobs that add records."""
        self._jobs.cancel()

    def invalidate_records(self) -> None:
        """Clear the cache after a change of the library in the background."""
        self._records.clear()
        self.background_updated.emit()

    def reload_records(self) -> None:
        """Search the list again after records were removed or restored."""
        self._records.clear()
        self.records_changed.emit()

    def catalogue_page(self, identifier: str) -> str:
        """Return the address of a record's page in the catalogue that it comes from, or ""."""
        sources, copies = self.read_library(lambda store: (store.sources(), store.find_copies(identifier))) or ({}, [])
        own = record_loading.current_profile().catalogue
        for copy in copies if identifier else ():
            if sources.get(copy.source, ("", ""))[0] == CatalogueType.GEONETWORK:
                language = own.language if copy.source == own.url else "eng"
                return page_url(copy.source, identifier, language)
            if copy.source == BUNDLED and own.type is CatalogueType.GEONETWORK and own.url:
                return page_url(own.url, identifier, own.language)
        return ""

    def show_saved_records(self, records: Mapping[str, Record], is_shown: bool) -> None:
        """Show records that were saved, the first of them by identifier. Only list them if not ``is_shown``."""
        if is_shown:
            with self.views.showing():
                self._reset_cache(records)
                self.records_opened.emit(list(records))
        else:
            self.invalidate_records()
            self.report_library_notices()

    def cached_record(self, identifier: str) -> Optional[Record]:
        """Return the record called ``identifier`` if it is cached."""
        return self._records.get(identifier)

    def close(self) -> None:
        """Cancel all jobs and close the library."""
        self._jobs.cancel()
        for thread in (self._page_worker, self._count_worker, self._record_worker):
            thread.stop()
        self.library.close()

    # -- outcome

    def _begin_opening(self, text: str) -> None:
        self.opening = True
        self.busy_changed.emit(text)

    def _on_jobs_changed(self) -> None:
        if not self._jobs:
            self.opening = False
            self.busy_changed.emit("")

    def _cache_record(self, identifier: str, record: Optional[Record]) -> None:
        if record is None:
            return
        self._records[identifier] = record
        self._records.move_to_end(identifier)
        while len(self._records) > _MAX_RECORDS:
            self._records.popitem(last=False)

    def _on_page_loaded(self, question: tuple[LibraryQuery, int], page: ResultPage) -> None:
        self.page_loaded.emit(*question, page)

    def _on_record_loaded(self, identifier: str, record: Optional[Record]) -> None:
        self._cache_record(identifier, record)
        self.record_loaded.emit(identifier, record)

    def _open_library(self, loaded: record_loading.RecordLoadResult) -> None:
        """Open the library in a task and add the network profile's records."""
        title = tr("Bundled with Cartoguide")
        self._jobs.add(
            tasks.start(tr("Opening the records"), lambda _feedback: self.library.save_bundled(loaded, title),
                        lambda result: self._on_library_opened(loaded, result), self._on_open_failed, self))

    def _on_library_opened(self, loaded: record_loading.RecordLoadResult, saved: SaveResult) -> None:
        self._profile_records = list(loaded.records)
        self._reset_cache(saved.records)
        if loaded.problem is not None:
            self.failed.emit(loaded.problem)
        if loaded.failures:
            self._report_failures(loaded)

    def _on_open_failed(self, error: CartoguideError) -> None:
        self.records_changed.emit()
        self.failed.emit(error)

    def _reset_cache(self, records: Mapping[str, Record]) -> None:
        self._records.clear()
        for identifier, record in records.items():
            self._cache_record(identifier, record)
        self.records_changed.emit()
        self.report_library_notices()

    def report_library_notices(self) -> None:
        """Show the library's problem, once, and its notices."""
        if self.library.problem is not None and not self._problem_reported:
            self._problem_reported = True
            self.failed.emit(self.library.problem)
        for notice in self.library.take_notices():
            self.warned.emit(notice, "")

    def _store_results(self, result: record_loading.RecordLoadResult, by_source: _RecordsBySource, view: int,
                       refreshed: bool = False) -> None:
        """Save loaded records, then show them, which ``view`` asked for, and report the outcome."""
        def save(feedback: tasks.Feedback) -> SaveResult:
            parts = [self.library.save(source, list(records), feedback) for source, records in by_source()]
            return SaveResult(sum(part.count for part in parts),
                              {name: record for part in parts for name, record in part.records.items()},
                              sum(part.replaced for part in parts))

        def done(saved: SaveResult) -> None:
            is_shown = self.views.show(view)
            self.show_saved_records(saved.records, is_shown)
            report(result, saved.replaced, is_shown)
            if saved.replaced and not refreshed:
                self.notified.emit(tr("%n record(s) replaced in the library.", n=saved.replaced))

        report = self._report_refreshed if refreshed else self._report_opened
        if not result.records:
            report(result, 0, True)
            return
        self._jobs.add(tasks.start(tr("Saving the records"), save, done, self.failed.emit, self))

    def _report_opened(self, result: record_loading.RecordLoadResult, _replaced: int, is_shown: bool) -> None:
        if result.failures:
            self._report_failures(result)
        elif len(result.records) > 1 or not is_shown:
            self.notified.emit(tr("%n record(s) read.", n=len(result.records)))

    def _report_refreshed(self, result: record_loading.RecordLoadResult, replaced: int, _is_shown: bool) -> None:
        """Report which records were read again. ``replaced`` of them are others than before."""
        records = result.records
        names = list_quoted_names([phrases.record_title(record) for record in records])
        done = "" if not records else \
            tr("Nothing has changed in the catalogue: {names}.", names=names) if not replaced else \
            tr("Updated from the catalogue: {names}.", names=names) if len(records) == 1 else \
            tr("%n record(s) read again from the catalogue, {changed} of them changed: {names}.", n=len(records),
               changed=replaced, names=names)
        if len(result.failures) == 1 and not records:
            self.failed.emit(result.failures[0])
        elif result.failures:
            stay = tr("%n record(s) could not be updated.", n=len(result.failures))
            self.warned.emit(f"{done} {stay}".strip(), _error_details(result.failures))
        elif done:
            self.notified.emit(done)

    def _report_failures(self, result: record_loading.RecordLoadResult) -> None:
        """Show one message about all failures. Each is in its detail."""
        if len(result.failures) == 1 and not result.records:
            self.failed.emit(result.failures[0])
        else:
            self.warned.emit(opened_text(len(result.records), len(result.failures)), _error_details(result.failures))


def _error_details(errors: Sequence[CartoguideError]) -> str:
    return "\n\n".join("\n".join(part for part in (error.user_text, error.detail) if part) for error in errors)


class ServiceStatus(str, Enum):
    """States of a service's capabilities in the dock: not loaded, loading, failed, loaded."""

    UNKNOWN = "unknown"
    LOADING = "loading"
    FAILED = "failed"
    LOADED = "loaded"


@dataclass(frozen=True)
class ServiceState:
    """State of a service's capabilities.

    ``loaded_text`` says when they were loaded. ``error`` is the reason why loading failed or, if the status is UNKNOWN,
    was given up. It is also set if a cached copy is used instead.
    """

    status: ServiceStatus = ServiceStatus.UNKNOWN
    service: Optional[Service] = None
    error: Optional[CartoguideError] = None
    loaded_text: str = ""


class DockSession(RecordSession):
    """Session of one dock. Signals are emitted on the main thread."""

    terms_changed = pyqtSignal(object)
    service_changed = pyqtSignal(str)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.services = service_cache.shared()
        self.services.save_to(lambda: self.library.store().blob_cache)
        self._terms: dict[int, tuple[Record, Optional[Service], Terms]] = {}
        self._distributions: dict[int, tuple[Record, tuple[Distribution, ...]]] = {}
        self._service_states: dict[str, ServiceState] = {}
        self._load_owners: dict[str, QObject] = {}
        self.images = RowImages(lambda: self.library, self)

    # -- records

    def facts(self, hit: SearchHit) -> str:
        """Return the second line of a result's row."""
        if isinstance(hit, RemoteHit):
            return phrases.remote_hit_summary(hit)
        record = self.cached_record(hit.identifier)
        if record is None:
            return phrases.hit_summary(hit)
        return phrases.record_summary(record, self.terms(record), is_starter(record), phrases.removal_note(hit))

    def endpoint(self, record: Record) -> Optional[str]:
        """Return the address of the record's map service, or None.

        The layers that it names are those of the address that was pasted last, if that named some.
        """
        endpoint, named = wms_address(record), self._pasted_layers.get(record.id or "")
        return with_parameters(url_prefix(endpoint), named) if endpoint and named else endpoint

    def distributions(self, record: Record) -> tuple[Distribution, ...]:
        """Return the distributions of the record but for the map service at ``endpoint``."""
        cached = self._distributions.get(id(record))
        if cached is None or cached[0] is not record:
            own = normalise_endpoint(self.endpoint(record) or "")
            cached = (record, tuple(one for one in distributions_of(record) if one.kind is not LinkKind.WMS
                                    or normalise_endpoint(one.address) != own))
            if len(self._distributions) > _MAX_TERMS:
                self._distributions.clear()
            self._distributions[id(record)] = cached
        return cached[1]

    def record_for_endpoint(self, endpoint: str) -> Optional[Record]:
        """Return the best record of the service at ``endpoint``, see ``find_endpoint_hits``, or None."""
        best = self.read_library(lambda store: find_endpoint_hits(store, endpoint)) or []
        return self.record(best[0].identifier) if best else None

    # -- terms

    def terms(self, record: Record) -> Terms:
        """Return the record's terms. They include those in the service's capabilities once these are loaded."""
        endpoint = self.endpoint(record)
        service = self.services.get(endpoint) if endpoint else None
        cached = self._terms.get(id(record))
        if cached is None or cached[0] is not record or cached[1] is not service:
            cached = (record, service, terms_for(record, service))
            if len(self._terms) > _MAX_TERMS:
                self._terms.clear()
            self._terms[id(record)] = cached
        return cached[2]

    def apply_settings(self, names: Sequence[str]) -> None:
        """Apply changed settings: another library, network profile or credit pattern."""
        self._terms.clear()
        if "store/path" in names:
            self.reopen_library()
        elif any(name in _NETWORK_SETTINGS for name in names):
            self.start()
        else:
            self.records_changed.emit()

    # -- services

    def service_state(self, endpoint: str) -> ServiceState:
        return self._service_states.get(normalise_endpoint(endpoint), ServiceState())

    def load_service(self, endpoint: str, refresh: bool = False) -> None:
        """Load the service's capabilities, unless they are loaded or being loaded.

        ``refresh`` loads them again, from the server.
        """
        status = self.service_state(endpoint).status
        if status is ServiceStatus.LOADING or (status is not ServiceStatus.UNKNOWN and not refresh):
            self.service_changed.emit(endpoint)
            return
        key = normalise_endpoint(endpoint)
        owner = self._load_owners[key] = QObject(self)
        self._set_service_state(endpoint, ServiceState(ServiceStatus.LOADING, self.services.get(endpoint)))
        self.services.request(endpoint, lambda service: self._on_service_loaded(endpoint, service),
                              lambda error: self._on_service_failed(endpoint, error), owner, refresh)

    def cancel_service(self, endpoint: str) -> None:
        """Stop loading the service's capabilities."""
        owner = self._load_owners.pop(normalise_endpoint(endpoint), None)
        if owner is not None:
            self.services.cancel(owner)
            owner.deleteLater()
            service = self.services.get(endpoint)
            if service is not None:
                self._on_service_loaded(endpoint, service)
            else:
                self._set_service_state(endpoint, ServiceState(
                    error=CartoguideError(tr("Cancelled before the service responded."))))

    def _release_owner(self, endpoint: str) -> None:
        """Delete the owner of a request that has ended."""
        owner = self._load_owners.pop(normalise_endpoint(endpoint), None)
        if owner is not None:
            owner.deleteLater()

    def _on_service_loaded(self, endpoint: str, service: Service) -> None:
        self._release_owner(endpoint)
        error = self.services.error(endpoint)
        at = phrases.loaded_text(self.services.age(endpoint) or 0.0, error)
        self._set_service_state(endpoint, ServiceState(ServiceStatus.LOADED, service, error, at))
        record = self.record_for_endpoint(endpoint)
        if record is not None:
            self.terms_changed.emit(record)

    def _on_service_failed(self, endpoint: str, error: CartoguideError) -> None:
        self._release_owner(endpoint)
        self._set_service_state(endpoint, ServiceState(ServiceStatus.FAILED, self.services.get(endpoint), error))

    def _set_service_state(self, endpoint: str, state: ServiceState) -> None:
        self._service_states[normalise_endpoint(endpoint)] = state
        self.service_changed.emit(endpoint)

    def close(self) -> None:
        """Cancel all requests and close the library."""
        for owner in list(self._load_owners.values()):
            self.services.cancel(owner)
        self._load_owners.clear()
        self.services.save_to(None)
        super().close()

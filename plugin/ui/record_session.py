"""The records that the dock shows, without a widget: kept in the store, looked for and read in threads."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Callable, List, Mapping, Optional, Sequence, Tuple, TypeVar

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.profiles import CRS
from ..core.records.from_service import SOURCE_FORMAT
from ..core.records.links import endpoint, normalise_endpoint
from ..core.records.model import Record
from ..core.records.starter import is_starter
from ..core.sources.taking import PATH, Taken, take
from ..core.store.query import Hit, Page, Query
from ..gis import catalogue, pasting, tasks
from ..gis.latest import LatestThread
from ..gis.shelf import Kept, Place, Shelf
from . import pasted, words
from .imports import Imports, opened_words

if TYPE_CHECKING:
    from ..core.store.collections import Collections

T = TypeVar("T")

#: records that are remembered as they were read; the others are read again when they are shown
_MOST_RECORDS = 500
#: in a worker thread: the places that records come from, each with its records
_Places = Callable[[], List[Tuple[Place, Sequence[Record]]]]


class RecordSession(QObject):
    """Opens, keeps, finds and reads records. Signals come on the main thread."""

    #: something else is to be seen than before
    records_changed = pyqtSignal()
    #: records came in, or changed, beside what is looked at
    records_came = pyqtSignal()
    page_came = pyqtSignal(object, int, object)
    counted = pyqtSignal(object, object)
    record_came = pyqtSignal(str, object)
    busy_changed = pyqtSignal(str)
    failed = pyqtSignal(object)
    warned = pyqtSignal(str, str)
    told = pyqtSignal(str)
    opened = pyqtSignal(object)
    collections_came = pyqtSignal(list)
    store_closing = pyqtSignal()
    recognised = pyqtSignal(object)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.shelf = Shelf()
        self.opening = False
        self.network_crs = CRS
        self._of_profile: list[Record] = []
        self._records: OrderedDict[str, Record] = OrderedDict()
        self._jobs: list[tasks.Job] = []
        self._problem_told = False
        self._pages = LatestThread("cartoguide-search", self.shelf.page, self)
        self._counts = LatestThread("cartoguide-count", self.shelf.counts, self)
        self._reading = LatestThread("cartoguide-read", self.shelf.record, self)
        self.imports = Imports(self)
        self._pages.answered.connect(self._page_came)
        self._counts.answered.connect(self.counted)
        self._reading.answered.connect(self._read)
        for thread in (self._pages, self._counts, self._reading):
            thread.failed.connect(lambda _question, error: self.failed.emit(error))

    @property
    def loading(self) -> bool:
        """Whether records are being read or looked for."""
        return self.opening or self._pages.waiting or self._reading.waiting

    @property
    def searching(self) -> bool:
        """Whether results are being looked for."""
        return self._pages.waiting

    def start(self) -> None:
        """Open the store and read the records of the network profile; nothing is asked of the network."""
        self.opening = True
        self.network_crs = catalogue.profile().crs
        self._keep(catalogue.read_profile_records(
            self._open, lambda error: self._open(catalogue.Opened((), (error,))), self))

    def reopen_store(self) -> None:
        """The store is at another place now: go on with that one."""
        self.cancel_opening()
        self.store_closing.emit()
        self.shelf.reopen()
        self._records.clear()
        self._problem_told = False
        self.start()

    def search(self, query: Query, offset: int = 0) -> None:
        """Look for records in a thread; ``page_came`` gives (query, offset, page) of the newest search only."""
        self._pages.ask((query, offset))

    def count(self, query: Query) -> None:
        """Count what a search finds, in all and by facets; ``counted`` gives (query, counts)."""
        self._counts.ask(query)

    def sources(self) -> Mapping[str, tuple[str, str]]:
        """Kind and title of each source of records, by its address; the newest count's, so that nothing waits."""
        return self.shelf.sources

    def collections(self) -> List[Tuple[str, int]]:
        """Each collection's name and number of members."""
        store = self.shelf.ready
        return store.collections.names() if store is not None else []

    def change_collections(self, work: Callable[[Collections], T], done: Callable[[T], None]) -> None:
        """Do ``work`` on the store's collections in a task, then ``done`` with what it gave."""
        self._keep(tasks.start(tr("Keeping the collection"),
                               lambda _feedback: self.shelf.store().change_collections(work), done, self.failed.emit,
                               self, quiet=True))

    def run(self, job: tasks.Job, what: str, opening: bool = False) -> None:
        """Show ``job`` as what is under way, with a way to cancel it; ``opening``: it brings records."""
        if opening:
            self._begin(what)
        else:
            self.busy_changed.emit(what)
        self._keep(job)

    def versions(self, record: Record, done: Callable[[List[Tuple[str, str, Record]]], None], owner: QObject) -> None:
        """Later ``done`` with the other versions of ``record`` (day, source, record), unless ``owner`` is gone."""
        tasks.start(tr("Looking for other versions"), lambda _feedback: self.shelf.versions(record), done,
                    self.failed.emit, owner, quiet=True)

    def read(self, hit: Hit) -> Optional[Record]:
        """The record of a result, if it is at hand; else None, and ``record_came`` brings it."""
        record = self._records.get(hit.identifier)
        if record is not None and (record.date_stamp or "") == hit.date_stamp and is_starter(record) == hit.starter:
            self._reading.cancel()
            return record
        self._reading.ask(hit.identifier)
        return None

    def record(self, record_id: str) -> Optional[Record]:
        """The record called ``record_id``."""
        if record_id not in self._records and self.shelf.ready is not None:
            try:
                self._remember(record_id, self.shelf.record(record_id, bool))
            except CartoguideError as error:
                self.failed.emit(error)
        return self._records.get(record_id)

    def starters(self) -> list[Record]:
        """The starter records that no catalogue's own has replaced."""
        current = [self.record(record.id or "") for record in self._of_profile]
        return [record for record in current if record is not None and is_starter(record)]

    def open_paths(self, paths: Sequence[str]) -> None:
        """Read files, folders and packages of any size; every record that can be read is kept, the rest is told."""
        self.imports.open(paths)

    def open_text(self, text: str) -> None:
        """Open what was pasted or typed: XML, addresses, paths. ``recognised`` tells of a catalogue (Detected) at an
        address; the capabilities of a map service that no record describes are a record of it.
        """
        try:
            taken = take(text)
        except CartoguideError as error:
            self.failed.emit(error)
            return
        if taken.kind == PATH:
            self.open_paths(taken.places)
            return
        self._begin(pasted.asked_words(taken))
        job = pasting.open_taken(taken, lambda result: self._take_pasted(taken, result), self.failed.emit, self,
                                 self.recognised.emit)
        self._keep(job)

    def _take_pasted(self, taken: Taken, result: catalogue.Opened) -> None:
        known = self._described(result.records)
        if known:
            self.told.emit(tr("Your records describe this service already."))
            self.opened.emit([known])
        else:
            self._take(result, lambda: pasted.places(taken, result.records))

    def _described(self, records: Sequence[Record]) -> str:
        """The record that describes better what was read as a service's own capabilities; empty where none does."""
        store = self.shelf.ready
        if store is None or len(records) != 1 or records[0].source_format != SOURCE_FORMAT:
            return ""
        hits = store.by_endpoint(normalise_endpoint(endpoint(records[0]) or ""))
        return next((hit.identifier for hit in hits if hit.identifier != records[0].id), "")

    def keep_record(self, place: Place, record: Record, said: str) -> None:
        """Keep a record that is shown already; it is at hand at once, and ``said`` is told when it is on the disk."""
        self._remember(record.id or "", record)
        self._keep(tasks.start(tr("Keeping the records"), lambda feedback: self.shelf.put(place, [record], feedback),
                               lambda kept: self._kept(kept, lambda: self.told.emit(said)), self.failed.emit, self))

    def refresh(self, records: Sequence[Record]) -> None:
        """Ask the catalogue for its own version of ``records``, found by their endpoints."""
        self._begin(tr("Asking the catalogue…"))
        self._keep(catalogue.refresh(list(records), self._refreshed, self.failed.emit, self))

    def _refreshed(self, result: catalogue.Opened) -> None:
        own = catalogue.profile().catalogue
        self._take(result, lambda: [(Place(own.url, own.type, words.hidden_address(own.url)), result.records)], True)

    def cancel_opening(self) -> None:
        """Give up what is being read."""
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            job.cancel()
        self._ended()

    def forget_read(self) -> None:
        """The store was written beside what is looked at: what was remembered of its records is old."""
        self._records.clear()
        self.records_came.emit()

    def kept(self, records: Mapping[str, Record]) -> None:
        """Records were kept, and these are the first of them: they are to be seen."""
        self._know(records)
        self.opened.emit(list(records))

    def at_hand(self, identifier: str) -> Optional[Record]:
        """The record called ``identifier`` if it was read already."""
        return self._records.get(identifier)

    def close(self) -> None:
        """End what is under way, and let go of the store."""
        for job in self._jobs:
            job.cancel()
        for thread in (self._pages, self._counts, self._reading):
            thread.stop()
        self.shelf.close()

    # -- what came of opening

    def _begin(self, what: str) -> None:
        self.opening = True
        self.busy_changed.emit(what)

    def _keep(self, job: tasks.Job) -> None:
        self._jobs.append(job)
        job.ended.connect(self._ended)

    def _ended(self) -> None:
        self._jobs = [job for job in self._jobs if job.running]
        if not self._jobs:
            self.opening = False
            self.busy_changed.emit("")

    def _remember(self, identifier: str, record: Optional[Record]) -> None:
        if record is None:
            return
        self._records[identifier] = record
        self._records.move_to_end(identifier)
        while len(self._records) > _MOST_RECORDS:
            self._records.popitem(last=False)

    def _page_came(self, question: tuple[Query, int], page: Page) -> None:
        self.page_came.emit(*question, page)

    def _read(self, identifier: str, record: Optional[Record]) -> None:
        self._remember(identifier, record)
        self.record_came.emit(identifier, record)

    def _open(self, found: catalogue.Opened) -> None:
        """Open the store in a task, and put the network profile's records into it."""
        title = tr("Comes with Cartoguide")
        self._keep(tasks.start(tr("Opening the records"), lambda _feedback: self.shelf.put_bundled(found, title),
                               lambda kept: self._started(found, kept), self._start_failed, self))

    def _started(self, found: catalogue.Opened, kept: Kept) -> None:
        self._of_profile = list(found.records)
        self._know(kept.records)
        if found.problem is not None:
            self.failed.emit(found.problem)
        if found.failures:
            self._tell_failures(found)

    def _start_failed(self, error: CartoguideError) -> None:
        self.records_changed.emit()
        self.failed.emit(error)

    def _know(self, records: Mapping[str, Record]) -> None:
        """Records were kept: what was remembered of them is old."""
        self._records.clear()
        for identifier, record in records.items():
            self._remember(identifier, record)
        self.records_changed.emit()
        self.tell_store()

    def tell_store(self) -> None:
        """Tell what the store has to say about itself, once."""
        if self.shelf.problem is not None and not self._problem_told:
            self._problem_told = True
            self.failed.emit(self.shelf.problem)
        for notice in self.shelf.notices():
            self.warned.emit(notice, "")

    def _take(self, result: catalogue.Opened, places: _Places, refreshed: bool = False) -> None:
        """Keep what was read, then show it and tell what came of it."""
        def keep(feedback: tasks.Feedback) -> Kept:
            parts = [self.shelf.put(place, list(records), feedback) for place, records in places()]
            return Kept(sum(part.count for part in parts),
                        {name: record for part in parts for name, record in part.records.items()})

        tell = self._tell_refreshed if refreshed else self._tell_opened
        if not result.records:
            tell(result)
            return
        self._keep(tasks.start(tr("Keeping the records"), keep, lambda kept: self._kept(kept, lambda: tell(result)),
                               self.failed.emit, self))

    def _kept(self, kept: Kept, tell: Callable[[], None]) -> None:
        self.kept(kept.records)
        tell()

    def _tell_opened(self, result: catalogue.Opened) -> None:
        if result.failures:
            self._tell_failures(result)
        elif len(result.records) > 1:
            self.told.emit(tr("%n record(s) read.", n=len(result.records)))

    def _tell_refreshed(self, result: catalogue.Opened) -> None:
        kept = result.records
        done = tr("%n record(s) now are the catalogue’s own.", n=len(kept)) if kept else ""
        if len(result.failures) == 1 and not kept:
            self.failed.emit(result.failures[0])
        elif result.failures:
            stay = tr("%n record(s) stay as they were.", n=len(result.failures))
            self.warned.emit(f"{done} {stay}".strip(), _details(result.failures))
        elif done:
            self.told.emit(done)

    def _tell_failures(self, result: catalogue.Opened) -> None:
        """One message, however many failed: the one error as it is, or how many of how many, each in the detail."""
        if len(result.failures) == 1 and not result.records:
            self.failed.emit(result.failures[0])
        else:
            self.warned.emit(opened_words(len(result.records), len(result.failures)), _details(result.failures))


def _details(errors: Sequence[CartoguideError]) -> str:
    """Every error's words and detail, one after the other."""
    return "\n\n".join("\n".join(part for part in (error.user_text, error.detail) if part) for error in errors)

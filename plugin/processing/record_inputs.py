"""The records that an algorithm is given: of files and folders, kept ones, those behind addresses; for workers."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Callable, Iterator, List, Tuple

from ..core.catalogues.detection import DetectedCatalogue
from ..core.errors import Cancelled, CartoguideError
from ..core.i18n import tr
from ..core.records.input.file_reader import read_path
from ..core.records.model.endpoints import is_web_address
from ..core.records.model.record import Record
from ..gis.catalogues.paste_import import open_address
from ..gis.library.record_library import RecordLibrary
from ..gis.library.record_lookup import record_at_endpoint
from ..gis.profiles import record_loading
from ..gis.runtime.i18n import record_language
from ..gis.runtime.tasks import Feedback


@dataclass(frozen=True)
class RecordSelection:
    """What was given: paths of files and folders, and ``names``, identifiers of kept records or addresses."""

    paths: Tuple[str, ...] = ()
    identifiers_or_addresses: Tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was given."""
        return not self.paths and not self.identifiers_or_addresses


@dataclass(frozen=True)
class LoadedRecords:
    """The records in the order in which they were given, and what could not be read."""

    records: Tuple[Record, ...]
    failures: Tuple[CartoguideError, ...]


@contextmanager
def open_library(feedback: Feedback) -> Iterator[RecordLibrary]:
    """The records that the person keeps, those that come with the network among them; for worker threads.

    CartoguideError where they cannot be opened: what is kept aside for one run is of no use to anybody.
    """
    shelf = RecordLibrary()
    try:
        shelf.save_bundled(record_loading.load_profile_records(feedback), tr("Bundled with Cartoguide"))
        if shelf.problem is not None:
            raise shelf.problem
        yield shelf
    finally:
        shelf.close()


def load_records(selection: RecordSelection, feedback: Feedback, warn: Callable[[str], None]) -> LoadedRecords:
    """The records that ``given`` names, in a worker thread; what cannot be read is told to ``warn`` and left out.

    CartoguideError where nothing at all could be read.
    """
    records, failures = _load_paths(selection.paths, feedback)
    named, lost = _load_named(selection.identifiers_or_addresses, feedback)
    records += named
    failures += lost
    for failure in failures:
        warn(failure.user_text)
    if not records:
        raise failures[0] if failures else CartoguideError(tr("No record was found in what was given."))
    return LoadedRecords(tuple(records), tuple(failures))


def _load_paths(paths: Tuple[str, ...], feedback: Feedback) -> Tuple[List[Record], List[CartoguideError]]:
    records: List[Record] = []
    failures: List[CartoguideError] = []
    for path in paths:
        for name, found in read_path(path, record_language()):
            feedback.raise_if_cancelled()
            if isinstance(found, CartoguideError):
                failures.append(found.with_traceback(None))
            elif found is None:
                failures.append(CartoguideError(tr("{name} is a catalogue’s answer without a record.", name=name)))
            else:
                records.append(found)
                feedback.report(0, tr("%n record(s) read", n=len(records)))
    return records, failures


def _load_named(names: Tuple[str, ...], feedback: Feedback) -> Tuple[List[Record], List[CartoguideError]]:
    if not names:
        return [], []
    records: List[Record] = []
    failures: List[CartoguideError] = []
    with open_library(feedback) as shelf:
        for name in names:
            try:
                if is_web_address(name):
                    records += _load_from_address(name, shelf, feedback)
                    continue
                record = shelf.store().load_record(name, record_language())
            except Cancelled:
                raise
            except CartoguideError as error:
                failures.append(error.with_traceback(None))
                continue
            if record is not None:
                records.append(record)
            else:
                failures.append(CartoguideError(
                    tr("You keep no record with the identifier {identifier}.", identifier=name), name))
    return records, failures


def _load_from_address(address: str, shelf: RecordLibrary, feedback: Feedback) -> List[Record]:
    """The record that is kept of the service at an address, else what is there: records, or a service's own words."""
    kept = record_at_endpoint(address, shelf.store())
    if kept is not None:
        return [kept]
    found = open_address(address, feedback)
    if isinstance(found, DetectedCatalogue):
        raise CartoguideError(tr("At {address} is a catalogue. Search or harvest it.", address=address), address)
    return [replace(record, source=address) for record in found.records]

"""The records that an algorithm is given: of files and folders, kept ones, those behind addresses; for workers."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Callable, Iterator, List, Tuple

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.files import read_path
from ..core.records.links import is_web_address
from ..core.records.model import Record
from ..core.sources.detect import Detected
from ..gis import catalogue
from ..gis.i18n import record_language
from ..gis.known_records import kept_at
from ..gis.network import Cancelled
from ..gis.pasting import at_address
from ..gis.shelf import Shelf
from ..gis.tasks import Feedback


@dataclass(frozen=True)
class Wanted:
    """What was given: paths of files and folders, and ``names``, identifiers of kept records or addresses."""

    paths: Tuple[str, ...] = ()
    names: Tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether nothing was given."""
        return not self.paths and not self.names


@dataclass(frozen=True)
class Given:
    """The records in the order in which they were given, and what could not be read."""

    records: Tuple[Record, ...]
    failures: Tuple[CartoguideError, ...]


@contextmanager
def open_shelf(feedback: Feedback) -> Iterator[Shelf]:
    """The records that the person keeps, those that come with the network among them; for worker threads.

    CartoguideError where they cannot be opened: what is kept aside for one run is of no use to anybody.
    """
    shelf = Shelf()
    try:
        shelf.put_bundled(catalogue.profile_records(feedback), tr("Comes with Cartoguide"))
        if shelf.problem is not None:
            raise shelf.problem
        yield shelf
    finally:
        shelf.close()


def read(given: Wanted, feedback: Feedback, warn: Callable[[str], None]) -> Given:
    """The records that ``given`` names, in a worker thread; what cannot be read is told to ``warn`` and left out.

    CartoguideError where nothing at all could be read.
    """
    records, failures = _of_paths(given.paths, feedback)
    named, lost = _named(given.names, feedback)
    records += named
    failures += lost
    for failure in failures:
        warn(failure.user_text)
    if not records:
        raise failures[0] if failures else CartoguideError(tr("No record was found in what was given."))
    return Given(tuple(records), tuple(failures))


def _of_paths(paths: Tuple[str, ...], feedback: Feedback) -> Tuple[List[Record], List[CartoguideError]]:
    records: List[Record] = []
    failures: List[CartoguideError] = []
    for path in paths:
        for name, found in read_path(path, record_language()):
            feedback.stop_if_cancelled()
            if isinstance(found, CartoguideError):
                failures.append(found.with_traceback(None))
            elif found is None:
                failures.append(CartoguideError(tr("{name} is a catalogue’s answer without a record.", name=name)))
            else:
                records.append(found)
                feedback.tell(0, tr("%n record(s) read", n=len(records)))
    return records, failures


def _named(names: Tuple[str, ...], feedback: Feedback) -> Tuple[List[Record], List[CartoguideError]]:
    if not names:
        return [], []
    records: List[Record] = []
    failures: List[CartoguideError] = []
    with open_shelf(feedback) as shelf:
        for name in names:
            try:
                if is_web_address(name):
                    records += _behind(name, shelf, feedback)
                    continue
                record = shelf.store().get(name, record_language())
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


def _behind(address: str, shelf: Shelf, feedback: Feedback) -> List[Record]:
    """The record that is kept of the service at an address, else what is there: records, or a service's own words."""
    kept = kept_at(address, shelf.store())
    if kept is not None:
        return [kept]
    found = at_address(address, feedback)
    if isinstance(found, Detected):
        raise CartoguideError(tr("At {address} is a catalogue. Search or harvest it.", address=address), address)
    return [replace(record, source=address) for record in found.records]

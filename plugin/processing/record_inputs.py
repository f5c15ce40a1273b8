"""Loading the records that an algorithm gets: from files and folders, from the library, from addresses.

For worker threads.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Callable, Iterable, Iterator, List, Optional, Tuple

from ..core.addresses import is_web_address
from ..core.catalogues.detection import DetectedCatalogue
from ..core.errors import Cancelled, CartoguideError
from ..core.i18n import tr
from ..core.library.blob_cache import BlobKind
from ..core.library.failure_groups import failure_lines, failure_of
from ..core.records.input.file_reader import read_path
from ..core.records.model.record import Record
from ..core.review.report.local_pictures import SavedPicture
from ..core.trust.files import is_regular
from ..gis.catalogues.paste_import import open_address
from ..gis.library.record_library import RecordLibrary, record_at_endpoint, store_path
from ..gis.profiles import record_loading
from ..gis.runtime.i18n import record_language
from ..gis.runtime.tasks import Feedback
from ..gis.services.saved_blobs import load_blob

#: what could not be read, and the error
_Failure = Tuple[str, CartoguideError]


@dataclass(frozen=True)
class RecordSelection:
    """The records named by parameters: paths of files and folders, identifiers in the library or addresses."""

    paths: Tuple[str, ...] = ()
    identifiers_or_addresses: Tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True where the selection names nothing."""
        return not self.paths and not self.identifiers_or_addresses


@dataclass(frozen=True)
class LoadedRecords:
    """The loaded records in the order of the selection, and the errors of the others."""

    records: Tuple[Record, ...]
    failures: Tuple[CartoguideError, ...]


@contextmanager
def open_library(feedback: Feedback) -> Iterator[RecordLibrary]:
    """Open the record library, with the records bundled with the network profile. For worker threads.

    Raises CartoguideError where the library cannot be opened: a library that exists for one run only helps nobody.
    """
    library = RecordLibrary()
    try:
        library.save_bundled(record_loading.load_profile_records(feedback), tr("Bundled with Cartoguide"))
        if library.problem is not None:
            raise library.problem
        yield library
    finally:
        library.close()


@contextmanager
def saved_pictures(records: Iterable[Record]) -> Iterator[Optional[SavedPicture]]:
    """Give access to the overview images of ``records`` that the record library has saved. For worker threads.

    No server is asked, and a library that is not there is not made: there is None then.
    """
    if not any(record.overviews for record in records) or not is_regular(store_path()):
        yield None
        return
    library = RecordLibrary()

    def saved_picture(url: str) -> Optional[bytes]:
        blob = load_blob(lambda: library.store().blob_cache, BlobKind.THUMBNAIL, url)
        return blob.data if blob is not None else None

    try:
        yield saved_picture
    finally:
        library.close()


def load_records(selection: RecordSelection, feedback: Feedback, warn: Callable[[str], None]) -> LoadedRecords:
    """Load the records of ``selection``, in a worker thread. Records that cannot be read are reported to ``warn``.

    Raises CartoguideError where no record can be read.
    """
    records, failures = _load_paths(selection.paths, feedback)
    from_names, name_failures = _load_named(selection.identifiers_or_addresses, feedback)
    records += from_names
    failures += name_failures
    for line in failure_lines([failure_of(name, error) for name, error in failures]):
        warn(line)
    errors = tuple(error for _, error in failures)
    if not records:
        raise errors[0] if errors else CartoguideError(tr("The input contains no record."))
    # a file may be named by itself and by its folder
    once = {(record.id, record.title, record.original): record for record in reversed(records)}
    return LoadedRecords(tuple(reversed(once.values())), errors)


def _load_paths(paths: Tuple[str, ...], feedback: Feedback) -> Tuple[List[Record], List[_Failure]]:
    records: List[Record] = []
    failures: List[_Failure] = []
    for path in paths:
        for name, record in read_path(path, record_language()):
            feedback.raise_if_cancelled()
            if isinstance(record, CartoguideError):
                failures.append((name, record.with_traceback(None)))
            elif record is None:
                failures.append((name, CartoguideError(
                    tr("{name} is a catalogue response without records.", name=name))))
            else:
                records.append(record)
                feedback.report(0, tr("%n record(s) read", n=len(records)))
    return records, failures


def _load_named(names: Tuple[str, ...], feedback: Feedback) -> Tuple[List[Record], List[_Failure]]:
    if not names:
        return [], []
    records: List[Record] = []
    failures: List[_Failure] = []
    with open_library(feedback) as library:
        for name in names:
            try:
                if is_web_address(name):
                    records += _load_from_address(name, library, feedback)
                    continue
                record = library.store().load_record(name, record_language())
            except Cancelled:
                raise
            except CartoguideError as error:
                failures.append((name, error.with_traceback(None)))
                continue
            if record is not None:
                records.append(record)
            else:
                failures.append((name, CartoguideError(
                    tr("Your library has no record with the identifier {identifier}.", identifier=name), name)))
    return records, failures


def _load_from_address(address: str, library: RecordLibrary, feedback: Feedback) -> List[Record]:
    """Return the library's record of the service at ``address``, else the records or the service found there."""
    stored = record_at_endpoint(address, library.store())
    if stored is not None:
        return [stored]
    content = open_address(address, feedback)
    if isinstance(content, DetectedCatalogue):
        raise CartoguideError(tr("There is a catalogue at {address}. Search or harvest it.", address=address), address)
    return [replace(record, source=address) for record in content.records]

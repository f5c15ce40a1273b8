"""Import of files, folders and packages into the record library, in a task, one document at a time."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject

from ...core import safe_xml
from ...core.catalogues.model import SourceKind
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.library.local_documents import LocalDocuments, group_by_folder, location_of
from ...core.records import read
from ...core.records.input.file_reader import read_path
from ...core.records.model.record import Record
from ..runtime import tasks
from ..runtime.i18n import record_language
from .record_library import (
    BUNDLED,
    MAX_RETURNED_RECORDS,
    ImportTarget,
    RecordLibrary,
    RecordSource,
    remove_replaced_starters,
)

if TYPE_CHECKING:
    from ...core.library.bulk_import import ImportSummary, SourceDocument
    from ...core.library.collection_file import CollectionFile
    from ...core.library.failure_groups import ImportFailure

#: an import of more documents than this shows its progress, and its result stays visible
MANY_DOCUMENTS = 200
#: bytes at the beginning of a capabilities document that contain its root element
_HEAD_BYTES = 4096
_CAPABILITIES_MARKS = (b"WMS_Capabilities", b"WMT_MS_Capabilities")


@dataclass
class ImportResult:
    """Progress and result of an import. The task writes it, and other threads may read its numbers at any time.

    ``folders`` are the sources of the records. ``records`` are the imported records by identifier, if they are few.
    ``problem`` is the error of an import of a single document.
    """

    paths: Tuple[str, ...]
    documents_read: int = 0
    folders: Tuple[str, ...] = ()
    records: Mapping[str, Record] = field(default_factory=dict)
    collections: Tuple[str, ...] = ()
    #: source, identifier and location of the copies that the library did not have
    added: Sequence[Tuple[str, str, str]] = ()
    #: bundled records that were removed, because the import describes their services
    replaced_starters: List[Record] = field(default_factory=list)
    #: collections that the library did not have
    new_collections: Tuple[str, ...] = ()
    problem: Optional[CartoguideError] = None
    #: one for errors before the import, and one for each folder
    summaries: List[ImportSummary] = field(default_factory=list)

    @property
    def changed(self) -> int:
        """Number of records that replaced another version."""
        return sum(summary.changed for summary in self.summaries)

    @property
    def replaced(self) -> int:
        """Number of the library's records that are shown no longer as they were: another version or source is."""
        return self.changed + sum(summary.replaced for summary in self.summaries) + len(self.replaced_starters)

    @property
    def can_be_undone(self) -> bool:
        """True if something was replaced that can be shown again. A file that was changed itself is read again."""
        return self.replaced > self.changed

    @property
    def saved(self) -> int:
        """Number of records read: new, changed and same."""
        return sum(summary.records for summary in self.summaries)

    @property
    def failure_count(self) -> int:
        """Number of documents that could not be read."""
        return sum(summary.failure_count for summary in self.summaries)

    @property
    def not_records(self) -> int:
        """Number of documents of another kind than records."""
        return sum(summary.not_records for summary in self.summaries)

    @property
    def already_there(self) -> int:
        """Number of records read that the library had before, from the same place or from another one."""
        return sum(summary.same + summary.copies for summary in self.summaries)

    @property
    def failures(self) -> List[ImportFailure]:
        return [failure for summary in self.summaries for failure in summary.failure_reasons]

    @property
    def is_large(self) -> bool:
        """True for an import of many documents."""
        return self.documents_read > MANY_DOCUMENTS


def start(paths: Sequence[str], library: RecordLibrary, done: Callable[[ImportResult], None],
          failed: tasks.ErrorCallback, owner: Optional[QObject] = None) -> Tuple[tasks.Job, ImportResult]:
    """Import files and folders into the library in a task.

    Batches are saved durably as they are read, and stay after a failure or cancel. The job reports percent (0 if
    unknown) and a text. ``done`` is called with the result that is returned here too.
    """
    result = ImportResult(tuple(paths))
    job = tasks.start(tr("Reading records"), lambda feedback: _ImportJob(result, library, feedback).run(), done, failed,
                      owner)
    return job, result


def undo_import(result: ImportResult, library: RecordLibrary) -> None:
    """Show the library as before the import: without the records and collections that it added.

    Copies of records that the library has from elsewhere too stay as former ones. For worker threads.
    """
    store = library.store()
    added = set(result.added)
    removed: List[str] = []
    former: Dict[str, List[str]] = {}
    for identifier in dict.fromkeys(identifier for _, identifier, _ in result.added):
        copies = store.find_copies(identifier)
        own = [copy for copy in copies if (copy.source, identifier, copy.location) in added]
        if len(own) == len(copies):
            removed.append(identifier)
        else:
            for copy in own:
                former.setdefault(copy.source, []).append(copy.location)
    store.remove(removed)
    for source, locations in former.items():
        store.mark_vanished(source, locations)
    for name in result.new_collections:
        store.update_collections(lambda collections, name=name: collections.delete(name))  # type: ignore[misc]
    if result.replaced_starters:
        title = store.sources().get(BUNDLED, ("", ""))[1]
        library.save(RecordSource(BUNDLED, BUNDLED, title), result.replaced_starters)


class _ImportJob:
    def __init__(self, result: ImportResult, library: RecordLibrary, feedback: tasks.Feedback) -> None:
        self._result, self._library, self._feedback = result, library, feedback
        self._collections: List[CollectionFile] = []

    def run(self) -> ImportResult:
        """Import all paths, and restore exported collections. Raises Cancelled, CartoguideError."""
        from ...core.library.bulk_import import ImportSummary
        from ...core.library.collection_file import restore_collection

        result = self._result
        result.summaries.append(ImportSummary())
        self._find_collections()
        target = self._library.import_target()
        result.added = target.added
        known_collections = dict(target.store.collections.names())
        groups = group_by_folder(result.paths)
        without_files = {collection.path for collection in self._collections
                         if not any(file for _, file in collection.members)}
        result.folders = tuple(groups)
        for folder, paths in groups.items():
            self._import_folder(target, folder, [path for path in paths if path not in without_files])
            if result.saved:
                result.replaced_starters += remove_replaced_starters(target.store)
            self._feedback.raise_if_cancelled()
        restored = []
        for collection in self._collections:
            location = location_of(_folder_of(collection.path, groups))
            members = collection.resolve_identifiers(target.store, location)
            restored.append(restore_collection(target.store, collection.name, members))
        result.collections = tuple(restored)
        result.new_collections = tuple(name for name in restored if name not in known_collections)
        identifiers = list(dict.fromkeys(target.identifiers.values()))
        if len(identifiers) <= MAX_RETURNED_RECORDS and not result.is_large:
            result.records = self._library.load_records(identifiers)
        if result.failure_count == 1 and not result.saved and not result.collections:
            result.problem = _reading_error(result.failures[0])
        return result

    def _add_failure(self, location: str, error: CartoguideError) -> None:
        from ...core.library.failure_groups import failure_of

        self._result.summaries[0].add_failure(failure_of(location, error))

    def _find_collections(self) -> None:
        """Find the exported collections among the paths. The records of an unreadable one are imported all the same."""
        from ...core.library.collection_file import read_collection_file

        for path in dict.fromkeys(map(os.path.abspath, self._result.paths)):
            try:
                collection = read_collection_file(path) if path.lower().endswith(".zip") else None
            except CartoguideError as error:
                self._add_failure(location_of(path), error)
            else:
                self._collections += [collection] if collection is not None else []

    def _import_folder(self, target: ImportTarget, folder: str, paths: Sequence[str]) -> None:
        from ...core.library.bulk_import import import_documents

        summaries = self._result.summaries
        documents = LocalDocuments(paths, self._feedback.isCanceled)
        location = location_of(folder)

        def report(summary: ImportSummary) -> None:
            if summaries[-1] is not summary:
                summaries.append(summary)
            self._report(documents)

        incoming = self._counted(self._save_services_aside(target, location, documents), documents)
        report(import_documents(target, location, SourceKind.FOLDER.value,
                                os.path.basename(location) or location, incoming, report,
                                self._feedback.isCanceled))

    def _counted(self, documents: Iterator[SourceDocument], files: LocalDocuments) -> Iterator[SourceDocument]:
        for document in documents:
            self._result.documents_read += 1
            if self._result.documents_read == MANY_DOCUMENTS + 1:
                self._report(files)
            yield document

    def _report(self, files: LocalDocuments) -> None:
        result = self._result
        # documents that were read may not be saved yet
        saved = min(1.0, (result.saved + result.failure_count) / max(1, result.documents_read))
        percent = min(99.0, 100.0 * saved * files.done / files.total) if files.total else 0.0
        self._feedback.report(percent, tr("%n record(s) read", n=result.saved))

    def _save_services_aside(self, target: ImportTarget, folder: str,
                             documents: LocalDocuments) -> Iterator[SourceDocument]:
        """Yield the documents. Capabilities documents in an exported collection are saved as records instead."""
        inside = tuple(f"{collection.path}!" for collection in self._collections)
        for location, data in documents:
            if inside and location.startswith(inside) and isinstance(data, bytes) and _is_capabilities(data):
                self._save_service(target, folder, location, data)
            else:
                yield location, data

    def _save_service(self, target: ImportTarget, folder: str, location: str, data: bytes) -> None:
        from ...core.dates import utc_now
        from ...core.library.index.index_row import index_row
        from ...core.library.record_copies import IncomingRecord, Origin

        origin = Origin(folder, SourceKind.FOLDER.value, os.path.basename(folder) or folder, utc_now())
        summary = self._result.summaries[0]
        try:
            records = read(data, location, record_language(), capabilities_as_record=True)
            outcomes = target.save_rows(origin, [IncomingRecord(index_row(record), location, record.original)
                                                 for record in records])
        except CartoguideError as error:
            self._add_failure(location, error)
            return
        summary.add_outcomes(outcomes)


def _folder_of(path: str, folders: Iterable[str]) -> str:
    """Return the folder that contains ``path``, or an empty text."""
    return next((folder for folder in folders if path.startswith(folder.rstrip(os.sep) + os.sep)), "")


def _is_capabilities(data: bytes) -> bool:
    return any(mark in data[:_HEAD_BYTES] for mark in _CAPABILITIES_MARKS)


def _reading_error(failure: ImportFailure) -> CartoguideError:
    path = failure.location
    if os.path.isfile(path) and os.path.getsize(path) <= safe_xml.MAX_BYTES:
        for _, result in read_path(path):
            if isinstance(result, CartoguideError):
                return result.with_traceback(None)
    return CartoguideError(failure.reason, path)

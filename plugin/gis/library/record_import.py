"""Files, folders and packages of any size into the store: in a task, document by document, never all in memory."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Callable, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject

from ...core import safe_xml
from ...core.catalogues.local_documents import LocalDocuments, group_by_folder, is_empty_folder, location_of
from ...core.catalogues.model import FOLDER
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records import read
from ...core.records.input.file_reader import read_path
from ...core.records.model.record import Record
from ..runtime import tasks
from ..runtime.i18n import record_language
from .record_library import MAX_RETURNED_RECORDS, ImportTarget, RecordLibrary, remove_replaced_starters

if TYPE_CHECKING:
    from ...core.library.bulk_import import ImportSummary, SourceDocument
    from ...core.library.collection_file import CollectionFile

#: an opening of more documents than this is shown with its progress, and told in a line that stays
MANY_DOCUMENTS = 200
#: the beginning of a map service's own description, in which its root element stands
_HEAD_BYTES = 4096
_CAPABILITIES_MARKS = (b"WMS_Capabilities", b"WMT_MS_Capabilities")


@dataclass
class ImportResult:
    """How far an opening is, and what came of it. The task writes it; its numbers may be read at any time.

    ``folders`` are the sources that the records are of; ``records`` the first that came, by identifier, where they are
    few; ``problem``: the one document that was to be opened cannot be read.
    """

    paths: Tuple[str, ...]
    documents_read: int = 0
    folders: Tuple[str, ...] = ()
    records: Mapping[str, Record] = field(default_factory=dict)
    collections: Tuple[str, ...] = ()
    problem: Optional[CartoguideError] = None
    #: one for each folder, and one for what was wrong before anything was read
    summaries: List[ImportSummary] = field(default_factory=list)

    @property
    def new(self) -> int:
        """How many records the store did not have."""
        return sum(part.new for part in self.summaries)

    @property
    def changed(self) -> int:
        """How many it had otherwise."""
        return sum(part.changed for part in self.summaries)

    @property
    def same(self) -> int:
        """How many it had already."""
        return sum(part.same for part in self.summaries)

    @property
    def saved(self) -> int:
        """All of these."""
        return sum(part.records for part in self.summaries)

    @property
    def failure_count(self) -> int:
        """How many documents could not be read."""
        return sum(part.failure_count for part in self.summaries)

    @property
    def failures(self) -> List[Tuple[str, str]]:
        """Place and reason of the first of them."""
        return [pair for part in self.summaries for pair in part.failure_reasons]

    @property
    def is_large(self) -> bool:
        """Whether it takes its time."""
        return self.documents_read > MANY_DOCUMENTS


def start(paths: Sequence[str], library: RecordLibrary, done: Callable[[ImportResult], None],
          failed: Callable[[CartoguideError], None], owner: Optional[QObject] = None) -> Tuple[tasks.Job, ImportResult]:
    """Take what lies at ``paths`` into the store, acknowledged batch by batch; what is acknowledged stays whatever
    happens later. The job tells percent (0: not known) and words; ``done`` gets the Intake that is given here.
    """
    intake = ImportResult(tuple(paths))
    job = tasks.start(tr("Reading records"), lambda feedback: _ImportJob(intake, library, feedback).run(), done, failed,
                      owner)
    return job, intake


class _ImportJob:
    """One opening, in its task."""

    def __init__(self, intake: ImportResult, shelf: RecordLibrary, feedback: tasks.Feedback) -> None:
        self._result, self._library, self._feedback = intake, shelf, feedback
        self._collections: List[CollectionFile] = []

    def run(self) -> ImportResult:
        """Read everything, and make the exported collections again."""
        from ...core.library.bulk_import import ImportSummary
        from ...core.library.collection_file import restore_collection

        intake = self._result
        intake.summaries.append(ImportSummary())
        self._find_collections()
        keeper = self._library.import_target()
        groups = group_by_folder(intake.paths)
        intake.folders = tuple(groups)
        for folder, paths in groups.items():
            self._import_folder(keeper, folder, self._without_empty(paths))
            if intake.saved:
                remove_replaced_starters(keeper.store)
            self._feedback.raise_if_cancelled()
        intake.collections = tuple(
            restore_collection(keeper.store, one.name,
                               one.resolve_identifiers(keeper.store, location_of(_folder_of(one.path, groups))))
            for one in self._collections)
        few = list(dict.fromkeys(keeper.identifiers.values()))
        if len(few) <= MAX_RETURNED_RECORDS and not intake.is_large:
            intake.records = self._library.load_records(few)
        if intake.failure_count == 1 and not intake.saved and not intake.collections:
            intake.problem = _reading_error(*intake.failures[0])
        return intake

    def _add_failure(self, place: str, why: str) -> None:
        own = self._result.summaries[0]
        own.failure_count += 1
        own.failure_reasons.append((place, why))

    def _find_collections(self) -> None:
        """The exported collections among what is opened; of one that cannot be understood the records are read."""
        from ...core.library.collection_file import read_collection_file

        for path in dict.fromkeys(map(os.path.abspath, self._result.paths)):
            try:
                found = read_collection_file(path) if path.lower().endswith(".zip") else None
            except CartoguideError as error:
                self._add_failure(location_of(path), error.user_text)
            else:
                self._collections += [found] if found is not None else []

    def _without_empty(self, paths: Sequence[str]) -> List[str]:
        """Without collections that hold nothing, which is no fault of theirs, and folders that do, which is told."""
        empty = {one.path for one in self._collections if not any(file for _, file in one.members)}
        found = []
        for path in paths:
            if os.path.isdir(path) and is_empty_folder(path):
                name = location_of(path)
                self._add_failure(name, tr("{name} contains no file that could be a catalogue record.", name=name))
            elif path not in empty:
                found.append(path)
        return found

    def _import_folder(self, target: ImportTarget, folder: str, paths: Sequence[str]) -> None:
        from ...core.library.bulk_import import import_documents

        parts = self._result.summaries
        documents = LocalDocuments(paths, self._feedback.isCanceled)
        place = location_of(folder)

        def told(summary: ImportSummary) -> None:
            if parts[-1] is not summary:
                parts.append(summary)
            self._report(documents)

        told(
            import_documents(target, place, FOLDER,
                             os.path.basename(place) or place,
                             self._counted(self._save_services_aside(place, documents), documents), told,
                             self._feedback.isCanceled))

    def _counted(self, documents: Iterator[SourceDocument], files: LocalDocuments) -> Iterator[SourceDocument]:
        for document in documents:
            self._result.documents_read += 1
            if self._result.documents_read == MANY_DOCUMENTS + 1:
                self._report(files)
            yield document

    def _report(self, files: LocalDocuments) -> None:
        intake = self._result
        # what was handed on is not in the store yet
        there = min(1.0, (intake.saved + intake.failure_count) / max(1, intake.documents_read))
        percent = min(99.0, 100.0 * there * files.done / files.total) if files.total else 0.0
        self._feedback.report(percent, tr("%n record(s) read", n=intake.saved))

    def _save_services_aside(self, folder: str, documents: LocalDocuments) -> Iterator[SourceDocument]:
        """The documents; of an exported collection, what a map service says of itself is a record there."""
        inside = tuple(f"{collection.path}!" for collection in self._collections)
        for place, data in documents:
            if inside and place.startswith(inside) and isinstance(data, bytes) and _is_capabilities(data):
                self._save_service(folder, place, data)
            else:
                yield place, data

    def _save_service(self, folder: str, place: str, data: bytes) -> None:
        from ...core.library.record_copies import CHANGED, NEW, SAME

        own = self._result.summaries[0]
        try:
            records = read(data, place, record_language(), capabilities_as_record=True)
            outcomes = self._library.store().save(folder, FOLDER,
                                                  os.path.basename(folder) or folder,
                                                  [(record, place) for record in records])
        except CartoguideError as error:
            self._add_failure(place, error.user_text)
            return
        own.new += outcomes.count(NEW)
        own.changed += outcomes.count(CHANGED)
        own.same += outcomes.count(SAME)


def _folder_of(path: str, folders: Iterable[str]) -> str:
    """The one of the folders that a file was read from."""
    return next((folder for folder in folders if path.startswith(folder.rstrip(os.sep) + os.sep)), "")


def _is_capabilities(data: bytes) -> bool:
    return any(mark in data[:_HEAD_BYTES] for mark in _CAPABILITIES_MARKS)


def _reading_error(place: str, why: str) -> CartoguideError:
    """The error of the one document that was to be opened, with its detail."""
    if os.path.isfile(place) and os.path.getsize(place) <= safe_xml.MAX_BYTES:
        for _, found in read_path(place):
            if isinstance(found, CartoguideError):
                return found.with_traceback(None)
    return CartoguideError(why, place)

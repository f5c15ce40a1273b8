"""Files, folders and packages of any size into the store: in a task, document by document, never all in memory."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Callable, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject

from ..core import safexml
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records import read
from ..core.records.files import read_path
from ..core.records.model import Record
from ..core.sources.documents import Documents, by_folder, is_empty, place_of
from ..core.sources.model import FOLDER
from . import tasks
from .i18n import record_language
from .keeper import Keeper, retire_starters
from .shelf import MOST_GIVEN, Shelf

if TYPE_CHECKING:
    from ..core.store.chunks import Document
    from ..core.store.collection_file import CollectionFile
    from ..core.store.importing import Summary

#: an opening of more documents than this is shown with its progress, and told in a line that stays
MANY = 200
#: the beginning of a map service's own description, in which its root element stands
_HEAD = 4096
_SERVICE = (b"WMS_Capabilities", b"WMT_MS_Capabilities")


@dataclass
class Intake:
    """How far an opening is, and what came of it. The task writes it; its numbers may be read at any time.

    ``folders`` are the sources that the records are of; ``records`` the first that came, by identifier, where they are
    few; ``problem``: the one document that was to be opened cannot be read.
    """

    paths: Tuple[str, ...]
    handed: int = 0
    folders: Tuple[str, ...] = ()
    records: Mapping[str, Record] = field(default_factory=dict)
    collections: Tuple[str, ...] = ()
    problem: Optional[CartoguideError] = None
    #: one for each folder, and one for what was wrong before anything was read
    parts: List[Summary] = field(default_factory=list)

    @property
    def new(self) -> int:
        """How many records the store did not have."""
        return sum(part.new for part in self.parts)

    @property
    def changed(self) -> int:
        """How many it had otherwise."""
        return sum(part.changed for part in self.parts)

    @property
    def same(self) -> int:
        """How many it had already."""
        return sum(part.same for part in self.parts)

    @property
    def kept(self) -> int:
        """All of these."""
        return sum(part.records for part in self.parts)

    @property
    def failed(self) -> int:
        """How many documents could not be read."""
        return sum(part.failures for part in self.parts)

    @property
    def reasons(self) -> List[Tuple[str, str]]:
        """Place and reason of the first of them."""
        return [pair for part in self.parts for pair in part.failed]

    @property
    def is_large(self) -> bool:
        """Whether it takes its time."""
        return self.handed > MANY


def start(paths: Sequence[str], shelf: Shelf, done: Callable[[Intake], None],
          failed: Callable[[CartoguideError], None], owner: Optional[QObject] = None) -> Tuple[tasks.Job, Intake]:
    """Take what lies at ``paths`` into the store, acknowledged batch by batch; what is acknowledged stays whatever
    happens later. The job tells percent (0: not known) and words; ``done`` gets the Intake that is given here.
    """
    intake = Intake(tuple(paths))
    job = tasks.start(tr("Reading records"), lambda feedback: _Work(intake, shelf, feedback).run(), done, failed, owner)
    return job, intake


class _Work:
    """One opening, in its task."""

    def __init__(self, intake: Intake, shelf: Shelf, feedback: tasks.Feedback) -> None:
        self._intake, self._shelf, self._feedback = intake, shelf, feedback
        self._collections: List[CollectionFile] = []

    def run(self) -> Intake:
        """Read everything, and make the exported collections again."""
        from ..core.store.collection_file import restore
        from ..core.store.importing import Summary

        intake = self._intake
        intake.parts.append(Summary())
        self._look_for_collections()
        keeper = self._shelf.keeper()
        groups = by_folder(intake.paths)
        intake.folders = tuple(groups)
        for folder, paths in groups.items():
            self._read(keeper, folder, self._worth_reading(paths))
            if intake.kept:
                retire_starters(keeper.store)
            self._feedback.stop_if_cancelled()
        intake.collections = tuple(
            restore(keeper.store, one.name, one.identifiers(keeper.store, place_of(_source(one.path, groups))))
            for one in self._collections)
        few = list(dict.fromkeys(keeper.identifiers.values()))
        if len(few) <= MOST_GIVEN and not intake.is_large:
            intake.records = self._shelf.given(few)
        if intake.failed == 1 and not intake.kept and not intake.collections:
            intake.problem = _problem(*intake.reasons[0])
        return intake

    def _fail(self, place: str, why: str) -> None:
        own = self._intake.parts[0]
        own.failures += 1
        own.failed.append((place, why))

    def _look_for_collections(self) -> None:
        """The exported collections among what is opened; of one that cannot be understood the records are read."""
        from ..core.store.collection_file import look

        for path in dict.fromkeys(map(os.path.abspath, self._intake.paths)):
            try:
                found = look(path) if path.lower().endswith(".zip") else None
            except CartoguideError as error:
                self._fail(place_of(path), error.user_text)
            else:
                self._collections += [found] if found is not None else []

    def _worth_reading(self, paths: Sequence[str]) -> List[str]:
        """Without collections that hold nothing, which is no fault of theirs, and folders that do, which is told."""
        empty = {one.path for one in self._collections if not any(file for _, file in one.members)}
        found = []
        for path in paths:
            if os.path.isdir(path) and is_empty(path):
                name = place_of(path)
                self._fail(name, tr("{name} holds no file that could be a catalogue record.", name=name))
            elif path not in empty:
                found.append(path)
        return found

    def _read(self, keeper: Keeper, folder: str, paths: Sequence[str]) -> None:
        from ..core.store.importing import import_documents

        parts = self._intake.parts
        documents = Documents(paths, self._feedback.isCanceled)
        place = place_of(folder)

        def told(summary: Summary) -> None:
            if parts[-1] is not summary:
                parts.append(summary)
            self._tell(documents)

        told(import_documents(keeper, place, FOLDER, os.path.basename(place) or place,
                              self._counted(self._without_services(place, documents), documents), told,
                              self._feedback.isCanceled))

    def _counted(self, documents: Iterator[Document], files: Documents) -> Iterator[Document]:
        for document in documents:
            self._intake.handed += 1
            if self._intake.handed == MANY + 1:
                self._tell(files)
            yield document

    def _tell(self, files: Documents) -> None:
        intake = self._intake
        # what was handed on is not in the store yet
        there = min(1.0, (intake.kept + intake.failed) / max(1, intake.handed))
        percent = min(99.0, 100.0 * there * files.done / files.total) if files.total else 0.0
        self._feedback.tell(percent, tr("%n record(s) read", n=intake.kept))

    def _without_services(self, folder: str, documents: Documents) -> Iterator[Document]:
        """The documents; of an exported collection, what a map service says of itself is a record there."""
        inside = tuple(f"{collection.path}!" for collection in self._collections)
        for place, data in documents:
            if inside and place.startswith(inside) and isinstance(data, bytes) and _is_service(data):
                self._keep_service(folder, place, data)
            else:
                yield place, data

    def _keep_service(self, folder: str, place: str, data: bytes) -> None:
        from ..core.store.copies import CHANGED, NEW, SAME

        own = self._intake.parts[0]
        try:
            records = read(data, place, record_language(), capabilities_as_record=True)
            outcomes = self._shelf.store().put(folder, FOLDER, os.path.basename(folder) or folder,
                                               [(record, place) for record in records])
        except CartoguideError as error:
            self._fail(place, error.user_text)
            return
        own.new += outcomes.count(NEW)
        own.changed += outcomes.count(CHANGED)
        own.same += outcomes.count(SAME)


def _source(path: str, folders: Iterable[str]) -> str:
    """The one of the folders that a file was read from."""
    return next((folder for folder in folders if path.startswith(folder.rstrip(os.sep) + os.sep)), "")


def _is_service(data: bytes) -> bool:
    return any(mark in data[:_HEAD] for mark in _SERVICE)


def _problem(place: str, why: str) -> CartoguideError:
    """The error of the one document that was to be opened, with its detail."""
    if os.path.isfile(place) and os.path.getsize(place) <= safexml.MAX_BYTES:
        for _, found in read_path(place):
            if isinstance(found, CartoguideError):
                return found.with_traceback(None)
    return CartoguideError(why, place)

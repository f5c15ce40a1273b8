"""A folder as a source: what changed since it was last looked at; what vanished is told, never dropped."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterable, List, Mapping, Optional, Protocol, Set, Tuple

from ..errors import CartoguideError, UnreadableDocument
from ..i18n import tr
from ..records.files import files_below, read_path
from ..records.model import Record
from ..records.places import document_of, places_of
from .model import FOLDER, Counts

#: a folder with more files than this is a store's work in one go, not one to be watched
MOST_FILES = 100_000
#: as many records are kept in one go
_BATCH = 200
#: how identifiers begin that the store makes for records without one
_MADE = ("place:", "sha256:")

#: path to (time of the last change in nanoseconds, bytes)
State = Dict[str, Tuple[int, int]]


@dataclass(frozen=True)
class Change:
    """How a folder differs from what was known of it."""

    fresh: Tuple[str, ...]
    gone: Tuple[str, ...]
    state: State

    def __bool__(self) -> bool:
        return bool(self.fresh or self.gone)


@dataclass
class FolderSummary(Counts):
    """What came of reading a folder: counts, how many records vanished, and (file, why) for what could not be read;
    ``unread`` are the files that were not read whole.
    """

    vanished: int = 0
    failures: List[Tuple[str, str]] = field(default_factory=list)
    unread: Set[str] = field(default_factory=set)


class FolderKeeper(Protocol):
    """What is needed of the store."""

    def put(self, source: str, kind: str, title: str, records: Iterable[Tuple[Record, str]]) -> List[str]:
        """Keep records, each with its place."""

    def vanish_unseen(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark what is not there any more."""


def look(folder: str, known: Mapping[str, Tuple[int, int]]) -> Change:
    """What is new, changed or gone in ``folder``. UnreadableDocument where the folder itself cannot be reached: then
    nothing of it has vanished, as far as anybody knows.
    """
    try:
        with os.scandir(folder):
            pass
    except OSError as error:
        raise UnreadableDocument(tr("The folder {name} cannot be reached; what was read from it before stays.",
                                    name=folder), str(error)) from error
    state: State = {}
    for path in files_below(folder):
        try:
            about = os.stat(path)
        except OSError:
            continue  # gone between the listing and the look
        state[path] = (about.st_mtime_ns, about.st_size)
        if len(state) > MOST_FILES:
            raise UnreadableDocument(tr("{name} holds more than {count} files, too many to be watched. Choose a folder "
                                        "within it.", name=folder, count=MOST_FILES))
    fresh = tuple(path for path, mark in state.items() if known.get(path) != mark)
    return Change(fresh, tuple(path for path in known if path not in state), state)


def keep(folder: str, change: Change, store: FolderKeeper, language: str = "",
         told: Optional[Callable[[int, int], None]] = None) -> FolderSummary:
    """Read what is fresh into the store and mark there what vanished.

    ``told`` gets (files done, of how many) and may raise to break off; nothing is marked then. A file that cannot be
    read is told of, and what was read from it before stays as it is.
    """
    summary = FolderSummary()
    read: Dict[str, Set[Tuple[str, str]]] = {}
    batch: List[Tuple[Record, str]] = []
    title = os.path.basename(folder.rstrip("/\\")) or folder
    for number, path in enumerate(change.fresh):
        failed = False
        records: List[Record] = []
        for name, found in read_path(path, language):
            if isinstance(found, CartoguideError):
                failed = True
                summary.failures.append((name, found.user_text))
            elif found is not None:
                records.append(found)
        placed = places_of(records, path)
        batch += placed
        if failed:
            summary.unread.add(path)
        else:
            read[path] = {(record.id or "", place) for record, place in placed}
        if len(batch) >= _BATCH:
            _put(folder, title, batch, store, summary)
        if told is not None:
            told(number + 1, len(change.fresh))
    _put(folder, title, batch, store, summary)

    def is_seen(identifier: str, place: str) -> bool:
        path = _file_of(place, change.state)
        own = "" if identifier.startswith(_MADE) else identifier
        return path is not None and (path not in read or (own, place) in read[path])

    summary.vanished = store.vanish_unseen(folder, is_seen)
    return summary


def _file_of(place: str, state: State) -> Optional[str]:
    """The file that a place lies in, where that is there."""
    path = place if place in state else document_of(place)
    while path not in state:
        before, mark, _ = path.rpartition("!")
        if not mark:
            return None
        path = before
    return path


def _put(folder: str, title: str, batch: List[Tuple[Record, str]], store: FolderKeeper, summary: FolderSummary) -> None:
    if batch:
        summary.count(store.put(folder, FOLDER, title, batch))
    batch.clear()


def state_to_json(state: State) -> Dict[str, List[int]]:
    """What was known of a folder, as JSON-ready values."""
    return {path: list(mark) for path, mark in state.items()}


def state_from_json(value: object) -> State:
    """What ``state_to_json`` wrote; anything else is nothing known."""
    if not isinstance(value, dict):
        return {}
    return {str(path): (mark[0], mark[1]) for path, mark in value.items()
            if isinstance(mark, list) and len(mark) == 2 and all(isinstance(item, int) for item in mark)}

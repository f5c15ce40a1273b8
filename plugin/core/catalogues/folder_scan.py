"""Folders as sources: changes since the last scan, and their import. The state of a folder is saved between
sessions.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterable, List, Mapping, Optional, Set, Tuple

from ..errors import UnreadableDocument
from ..i18n import tr
from ..library.bulk_import import RecordSink, import_documents
from ..library.checkpoints import CheckpointStore
from ..library.failure_groups import ImportFailure
from ..records.input.file_reader import find_record_files
from ..records.model.record_locations import document_location
from .local_documents import LocalDocuments, location_of
from .model import SaveCounts, SourceKind

#: scanning more files than this every minute would keep a disk busy
MAX_FILES = 200_000

#: time of the last change (nanoseconds) and size in bytes of each path
FolderState = Dict[str, Tuple[int, int]]


@dataclass(frozen=True)
class FolderChange:
    """Difference between a folder and its last known state: changed files, removed files, and the new state."""

    changed: Tuple[str, ...]
    removed: Tuple[str, ...]
    state: FolderState

    def __bool__(self) -> bool:
        return bool(self.changed or self.removed)


@dataclass
class FolderSummary(SaveCounts):
    """Outcome of reading a folder.

    ``failures`` are the first failures, ``failed`` the number of all of them, ``unread`` the
    files that were not read completely, and ``vanished`` the number of records that are no longer in the folder.
    """

    vanished: int = 0
    failures: List[ImportFailure] = field(default_factory=list)
    failed: int = 0
    unread: Set[str] = field(default_factory=set)


def scan_folder(folder: str, known: Mapping[str, Tuple[int, int]]) -> FolderChange:
    """Return the changes in ``folder`` since the state ``known``.

    Raises UnreadableDocument if the folder, or a folder in it, cannot be reached, or if it has too many files.
    """
    def on_error(error: OSError) -> None:
        if error.filename != folder and not os.path.lexists(error.filename):
            return  # removed since it was listed
        raise UnreadableDocument(
            tr("The folder {name} cannot be reached. Records read from it earlier are kept.",
               name=location_of(str(error.filename))), str(error)) from error

    state: FolderState = {}
    for path in find_record_files(folder, on_error):
        try:
            status = os.stat(path)
        except OSError:
            continue  # removed since it was listed
        state[path] = (status.st_mtime_ns, status.st_size)
        if len(state) > MAX_FILES:
            raise UnreadableDocument(
                tr("{name} contains more than {count} files, too many to watch. Choose a folder inside it.",
                   name=folder, count=MAX_FILES))
    changed = tuple(path for path, file_state in state.items() if known.get(path) != file_state)
    return FolderChange(changed, tuple(path for path in known if path not in state), state)


class _NonMarkingSink:
    """Record sink for an import that does not mark copies as vanished: files that did not change are not read."""

    def __init__(self, store: RecordSink) -> None:
        self.save_rows, self.merge_segments = store.save_rows, store.merge_segments

    def mark_unseen_as_vanished(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark nothing."""
        return 0


def import_changes(folder: str, change: FolderChange, store: RecordSink,
                   report: Optional[Callable[[int, int], None]] = None,
                   cancelled: Optional[Callable[[], bool]] = None) -> FolderSummary:
    """Import the changed files of ``folder``, then mark the records that are no longer in it as vanished.

    ``report`` gets the number of files done and their total. It may raise to cancel. An import that is cancelled, also
    by ``cancelled()`` returning True, marks nothing. Records of a file that cannot be read stay as they are.
    """
    files = _FileLookup(change)
    documents = LocalDocuments(change.changed, cancelled)
    location = location_of(folder)
    done = import_documents(_NonMarkingSink(store), location, SourceKind.FOLDER.value,
                            os.path.basename(location.rstrip("/\\")) or location, documents,
                            lambda _: report(int(documents.done), len(change.changed))
                            if report is not None else None, cancelled, True)
    summary = FolderSummary(done.new, done.changed, done.same, 0, list(done.failure_reasons), done.failure_count)
    if done.cancelled or done.is_seen is None or (cancelled is not None and cancelled()):
        summary.unread = set(change.changed)
        return summary
    was_seen, all_listed = done.is_seen, done.failure_count == len(done.failure_reasons)
    summary.unread = {
        path for path in (files.file_of(failure.location) for failure in done.failure_reasons) if path is not None
    }
    if not all_listed:
        summary.unread |= files.changed - _files_with_records(store, location, files, was_seen)

    def is_seen(identifier: str, location: str) -> bool:
        path = files.file_of(location)
        if path is None:
            return False
        if path not in files.changed or path in summary.unread:
            return True
        return was_seen(identifier, location) or not (all_listed or location_of(path) == document_location(location))

    summary.vanished = store.mark_unseen_as_vanished(location, is_seen)
    return summary


def _files_with_records(store: RecordSink, source: str, files: _FileLookup, was_seen: Callable[[str, str],
                                                                                               bool]) -> Set[str]:
    """Return the files in which an import met records, for when not all failures are listed."""
    paths: Set[str] = set()

    def note(identifier: str, location: str) -> bool:
        path = files.file_of(location)
        if path is not None and was_seen(identifier, location):
            paths.add(path)
        return True

    store.mark_unseen_as_vanished(source, note)
    return paths


class _FileLookup:
    """Lookup of the file that a location lies in."""

    def __init__(self, change: FolderChange) -> None:
        self._state = change.state
        self.changed = set(change.changed)
        #: paths of files whose names are not valid text, by location
        self._undecodable = {
            location_of(path): path for path in change.state if not path.isascii() and location_of(path) != path
        }

    def file_of(self, location: str) -> Optional[str]:
        """Return the file of a location, or None if it no longer exists."""
        path = location if location in self._state or location in self._undecodable else document_location(location)
        while path not in self._state and path not in self._undecodable:
            outer, separator, _ = path.rpartition("!")
            if not separator:
                return None
            path = outer
        return self._undecodable.get(path, path)


def state_to_json(state: FolderState) -> Dict[str, List[int]]:
    return {path: list(file_state) for path, file_state in state.items()}


def state_from_json(value: object) -> FolderState:
    """Return the state that ``state_to_json`` wrote, or an empty one if it is not valid."""
    if not isinstance(value, dict):
        return {}
    return {
        str(path): (file_state[0], file_state[1]) for path, file_state in value.items()
        if isinstance(file_state, list) and len(file_state) == 2 and all(isinstance(item, int) for item in file_state)
    }


#: approximate number of files in one part; encoding a part holds the interpreter for a few milliseconds
_FILES_PER_PART = 4000


def load_folder_state(checkpoints: CheckpointStore, folder: str) -> FolderState:
    """Return the saved state of ``folder``, empty if it was never scanned."""
    head = checkpoints.load(_checkpoint_key(folder)) or {}
    state = state_from_json(head.get("files"))
    part_total = head.get("parts")
    for number in range(part_total if isinstance(part_total, int) else 0):
        state.update(state_from_json((checkpoints.load(_checkpoint_key(folder, number)) or {}).get("files")))
    return state


def save_folder_state(checkpoints: CheckpointStore, folder: str, state: FolderState,
                      changed_paths: Optional[Iterable[str]] = None) -> None:
    """Save the state of ``folder`` in parts, so that a change writes little.

    ``changed_paths`` are the paths that differ from the saved state (None: any may). After an interruption some files
    are read again, with no other harm.
    """
    head = checkpoints.load(_checkpoint_key(folder)) or {}
    known_parts = head.get("parts")
    part_count = known_parts if isinstance(
        known_parts, int) and known_parts * _FILES_PER_PART * 2 >= len(state) else _part_count(len(state))
    writes_all = changed_paths is None or part_count != known_parts
    numbers = range(part_count) if writes_all else sorted({_part_of(path, part_count) for path in changed_paths or ()})
    files: List[FolderState] = [{} for _ in range(part_count)]
    for path, file_state in state.items():
        files[_part_of(path, part_count)][path] = file_state
    if part_count != known_parts:
        checkpoints.save(_checkpoint_key(folder), None)
    for number in numbers:
        checkpoints.save(_checkpoint_key(folder, number), {"files": state_to_json(files[number])})
    for number in range(part_count, known_parts if isinstance(known_parts, int) else 0):
        checkpoints.save(_checkpoint_key(folder, number), None)
    if part_count != known_parts:
        checkpoints.save(_checkpoint_key(folder), {"parts": part_count})


def _part_count(files: int) -> int:
    part_total = 1
    while part_total * _FILES_PER_PART < files:
        part_total *= 2
    return part_total


def _part_of(path: str, part_total: int) -> int:
    return zlib.crc32(path.encode("utf-8", "surrogateescape")) % part_total


def _checkpoint_key(folder: str, part: Optional[int] = None) -> str:
    return f"folder:{folder}" if part is None else f"folder:{folder}\n{part}"

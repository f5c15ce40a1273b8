"""Names of temporary files and folders, and a register by which the next start removes what a crash left.

A temporary file stands beside the file that it becomes, which may be anywhere. Its name begins with ``PREFIX`` and the
identifier of its process. The register is a folder of the user's profile. In it each process notes the folders in which
it had temporary files, and holds a lock while it lives.
"""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Callable, List, Optional, Sequence, Set

from .file_lock import FileLock
from .syncing import PRIVATE_FOLDER, create_private

PREFIX = ".cartoguide-"
_NOTES, _LOCK = ".folders", ".lock"
#: files of notes that one sweep reads, and the size of one, so that a sweep is short whatever is in the folder
_MAX_REGISTERED, _MAX_NOTE_BYTES = 1000, 1_000_000


class _Register:
    """The notes of this process. Without a register nothing is noted, and a crash leaves its temporary files."""

    def __init__(self) -> None:
        self.identifier = os.urandom(8).hex()
        self.folder: Optional[Path] = None
        self._mutex = threading.Lock()
        self._number = 0
        self._noted: Set[Path] = set()
        self._lock: Optional[FileLock] = None

    def open(self, folder: Path) -> None:
        """Begin the use of the register ``folder``, unless it is in use."""
        with self._mutex:
            if self._lock is None:
                self.identifier, self.folder = os.urandom(8).hex(), folder

    def next_name(self) -> str:
        """Return a name that no other file has."""
        with self._mutex:
            self._number += 1
            return f"{PREFIX}{self.identifier}-{self._number}"

    def note(self, folder: Path) -> None:
        """Note that ``folder`` has temporary files. Does nothing if the register cannot be written."""
        with self._mutex:
            if self.folder is None or folder in self._noted:
                return
            try:
                self._hold_lock()
                path = self.folder / f"{self.identifier}{_NOTES}"
                create_private(path)
                with open(path, "a", encoding="ascii") as stream:
                    stream.write(json.dumps(str(folder)) + "\n")
            except OSError:
                return
            self._noted.add(folder)

    def others(self) -> List[Path]:
        """Return the notes of other processes, living or dead."""
        notes = sorted(self.folder.glob(f"*{_NOTES}")) if self.folder is not None else []
        return [path for path in notes[:_MAX_REGISTERED] if path.stem != self.identifier]

    def sweep(self, clean: Sequence[Callable[[Path], None]]) -> int:
        """Remove the temporary files of processes that have died, and return how many there were."""
        with self._mutex:
            registers = self.others()
            if not registers:
                return 0
            try:
                self._hold_lock()
            except OSError:
                return 0
            if not self._locks_work():
                return 0
        return sum(_sweep_process(path, clean) for path in registers)

    def close(self) -> None:
        """Remove the notes if no temporary file is left, and release the lock."""
        with self._mutex:
            if self._lock is None or self.folder is None:
                self.folder = None
                return
            is_clean = not any(entry for folder in self._noted for entry in _entries(folder, self.identifier))
            if is_clean:
                (self.folder / f"{self.identifier}{_NOTES}").unlink(missing_ok=True)
            self._lock.release()
            self._lock = None
            if is_clean:
                (self.folder / f"{self.identifier}{_LOCK}").unlink(missing_ok=True)
            self._noted.clear()
            self.folder = None

    def _hold_lock(self) -> None:
        if self._lock is None and self.folder is not None:
            self.folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
            lock = FileLock(self.folder / f"{self.identifier}{_LOCK}")
            if lock.acquire(0):
                self._lock = lock

    def _locks_work(self) -> bool:
        """Return False on a file system without locks, where living and dead processes look the same."""
        if self.folder is None or self._lock is None:
            return False
        second = FileLock(self.folder / f"{self.identifier}{_LOCK}")
        if second.acquire(0):
            second.release()
            return False
        return True


_register = _Register()


def use_register(folder: Path) -> None:
    """Note temporary files in the register ``folder``, which is created when there is something to note."""
    _register.open(folder)


def close_register() -> None:
    """End the use of the register, when no more files are written."""
    _register.close()


def needs_sweep() -> bool:
    """Return True if another process noted temporary files. It may have died."""
    return bool(_register.others())


def sweep(clean: Sequence[Callable[[Path], None]] = ()) -> int:
    """Remove what processes that have died left in the folders that they noted, and return the number of removed files
    and folders.

    Each function of ``clean`` gets every such folder.
    """
    return _register.sweep(clean)


def temporary_path(parent: Path, suffix: str = "") -> Path:
    """Return the path of a new temporary file or folder in ``parent``, which the caller creates and removes."""
    _register.note(parent.absolute())
    return parent / f"{_register.next_name()}{suffix}"


def temporary_folder(parent: Path) -> Path:
    """Create a temporary folder in ``parent`` that only its owner may read. Raises OSError."""
    path = temporary_path(parent)
    path.mkdir(PRIVATE_FOLDER)
    return path


def note_folder(folder: Path) -> None:
    """Let the next start look at ``folder`` if this process dies."""
    _register.note(folder.absolute())


def _sweep_process(notes: Path, clean: Sequence[Callable[[Path], None]]) -> int:
    """Remove what the process of these notes left, unless it lives."""
    lock_path = notes.with_suffix(_LOCK)
    lock = FileLock(lock_path)
    try:
        if not lock.acquire(0):
            return 0
    except OSError:
        return 0
    try:
        removed = 0
        for folder in _noted_folders(notes):
            for entry in _entries(folder, notes.stem):
                removed += _remove(entry)
            for function in clean:
                function(folder)
        notes.unlink(missing_ok=True)
    except OSError:
        return 0  # the next start tries again
    finally:
        lock.release()
    with suppress(OSError):
        lock_path.unlink(missing_ok=True)
    return removed


def _noted_folders(notes: Path) -> List[Path]:
    folders: List[Path] = []
    with open(notes, encoding="ascii", errors="replace") as stream:
        for line in stream.read(_MAX_NOTE_BYTES).splitlines():
            try:
                folder = json.loads(line)
            except ValueError:
                continue  # the process died while it wrote this line, before it made a file there
            if isinstance(folder, str) and Path(folder).is_absolute():
                folders.append(Path(folder))
    return folders


def _entries(folder: Path, identifier: str) -> List[Path]:
    """Return the temporary files and folders of a process in ``folder``."""
    try:
        return [path for path in folder.iterdir() if path.name.startswith(f"{PREFIX}{identifier}-")]
    except OSError:
        return []  # the folder is gone, or on a drive that is not connected


def _remove(path: Path) -> bool:
    import shutil

    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
    return not path.exists()

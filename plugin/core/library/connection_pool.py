"""SQLite connections, each used by one thread at a time, and transactions on them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
import weakref
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional, Tuple

from ..errors import Cancelled, CartoguideError
from ..i18n import tr
from ..storage.file_lock import FileLock
from ..storage.syncing import PRIVATE_FOLDER, create_private
from ..storage.temporary_files import temporary_folder
from . import schema

#: other QGIS windows write for about a second at a time, so a lock held longer than this means that one hangs
LOCK_TIMEOUT_SECONDS = 30.0
_OPCODES_BETWEEN_CHECKS = 20_000
#: idle connections that are kept open
_MAX_IDLE = 4

FileIdentity = Tuple[int, int]


class StoreBusy(CartoguideError):
    """Another QGIS has locked the store for too long."""


class ReadOnlyStore(CartoguideError):
    """The store's files can be read, but not written."""


class ConnectionPool:
    """Connections to the file of one store. After the file was replaced, the next use opens the new file.

    ``is_read_only`` is True if there is a file that this user may read, but not write, as in a read-only profile.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_read_only = path.is_file() and path.stat().st_size > 0 and not (
            os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))
        #: copy of the files for reading, if they cannot be read where they are
        self._copy: Optional[Path] = None
        self.lock = FileLock(path.with_suffix(".lock"))
        self._state = threading.Condition()
        self._idle: List[sqlite3.Connection] = []
        self._identities: Dict[sqlite3.Connection, Optional[FileIdentity]] = {}
        self._in_use = 0
        self._is_exclusive = False
        # from Python 3.13 on, a connection that is never closed causes a warning
        weakref.finalize(self, _close_all, self._idle)

    def file_identity(self) -> Optional[FileIdentity]:
        """Return device and inode of the file, or None if there is none. Another file at the same path has others."""
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        return status.st_dev, status.st_ino

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection to the calling thread.

        Raises CartoguideError if the file cannot be opened, is of a newer version, or belongs to another program.
        """
        with self._state:
            self._state.wait_for(lambda: not self._is_exclusive)
            self._in_use += 1
            connection = self._idle.pop() if self._idle else None
        try:
            identity = self.file_identity()
            if connection is not None and (identity is None or self._identities.get(connection) != identity):
                self._discard(connection)
                connection = None
            if connection is None:
                connection = self._connect()
            yield connection
        finally:
            with self._state:
                self._in_use -= 1
                is_kept = connection is not None and len(self._idle) < _MAX_IDLE
                if connection is not None and is_kept:
                    self._idle.append(connection)
                self._state.notify_all()
            if connection is not None and not is_kept:
                self._discard(connection)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Wait until this process has no open connection, and open none inside, so that the file may be moved."""
        with self._state:
            self._state.wait_for(lambda: not self._is_exclusive)
            self._is_exclusive = True
            self._state.wait_for(lambda: self._in_use == 0)
            self._close_idle()
        try:
            yield
        finally:
            with self._state:
                self._is_exclusive = False
                self._state.notify_all()

    @contextmanager
    def write_transaction(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection inside a write transaction, which is committed at the end and rolled back after an
        exception.

        Raises StoreBusy if another QGIS has been writing for too long, and ReadOnlyStore.
        """
        self._check_writable()
        with self.connection() as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                raise _busy_error(str(error)) from error
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise

    @contextmanager
    def read_transaction(self, cancelled: Optional[Callable[[], bool]] = None) -> Iterator[sqlite3.Connection]:
        """Lend a connection that sees one state of the store.

        Raises Cancelled soon after ``cancelled()`` returns True.
        """
        with self.connection() as connection:
            if cancelled is not None:
                connection.set_progress_handler(lambda: 1 if cancelled() else 0, _OPCODES_BETWEEN_CHECKS)
            try:
                connection.execute("BEGIN")
                yield connection
            except sqlite3.OperationalError as error:
                if cancelled is not None and "interrupt" in str(error):
                    raise Cancelled from error
                raise
            finally:
                connection.set_progress_handler(None, 0)
                _roll_back(connection)

    @contextmanager
    def locked(self, seconds: float = LOCK_TIMEOUT_SECONDS) -> Iterator[None]:
        """Hold the lock on the store's files: inside, no other thread or QGIS adds to the journal or replaces a file.

        Raises StoreBusy after ``seconds``, ReadOnlyStore, and CartoguideError if the lock's file cannot be made.
        """
        self._check_writable()
        self._make_folder()
        try:
            acquired = self.lock.acquire(seconds)
        except OSError as error:
            raise self._cannot_open_error(str(error)) from error
        if not acquired:
            raise _busy_error("lock file")
        try:
            yield
        finally:
            self.lock.release()

    def close(self) -> None:
        """Close the idle connections. Others are closed when they are returned."""
        with self._state:
            self._close_idle()

    # -- private
    def _check_writable(self) -> None:
        if self.is_read_only:
            raise ReadOnlyStore(
                tr("The record library {name} can only be read. To save records, make its folder writable or choose "
                   "another library in the settings.", name=self.path.name), str(self.path))

    def _connect_for_reading(self) -> sqlite3.Connection:
        """Open a file that cannot be written, nor anything beside it.

        SQLite's own reading needs the files of a write-ahead log beside it. Without such a log nothing is missing.
        """
        log = self.path.with_name(self.path.name + "-wal")
        options = ("mode=ro", "mode=ro&immutable=1") if not log.exists() or not log.stat().st_size else ("mode=ro",)
        problem: Optional[sqlite3.OperationalError] = None
        for option in options:
            try:
                return self._checked(sqlite3.connect(f"{self.path.resolve().as_uri()}?{option}", uri=True,
                                                     timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None,
                                                     check_same_thread=False))
            except sqlite3.OperationalError as error:
                problem = error
        try:
            if self._copy is None:
                self._copy = self._copied(log)
            return self._checked(sqlite3.connect(str(self._copy), isolation_level=None, check_same_thread=False))
        except (OSError, sqlite3.OperationalError) as error:
            raise self._cannot_open_error(str(error)) from problem

    def _copied(self, log: Path) -> Path:
        """Return a copy of the file with its log, which another QGIS left when it was killed."""
        folder = temporary_folder(Path(tempfile.gettempdir()))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        for path in (self.path, log):
            shutil.copyfile(path, folder / path.name)
        return folder / self.path.name

    def _checked(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        try:
            if schema.needs_migration(connection, self.path.name):
                self._check_writable()
            connection.execute("PRAGMA temp_store = MEMORY")
            self._identities[connection] = self.file_identity()
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> sqlite3.Connection:
        if self.is_read_only:
            return self._connect_for_reading()
        self._make_folder()
        try:
            # SQLite gives the files beside it the same permissions
            create_private(self.path)
        except OSError as error:
            raise self._cannot_open_error(str(error)) from error
        try:
            connection = sqlite3.connect(str(self.path), timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None,
                                         check_same_thread=False)
        except sqlite3.OperationalError as error:
            raise self._cannot_open_error(str(error)) from error
        try:
            unprepared = schema.needs_migration(connection, self.path.name)
            # larger than SQLite's default, so that an import writes fewer pages (only has an effect on new files)
            connection.execute("PRAGMA page_size = 8192")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("PRAGMA cache_size = -32000")
            connection.execute("PRAGMA mmap_size = 1073741824")
            connection.execute("PRAGMA journal_size_limit = 67108864")
            if unprepared:
                schema.create_or_migrate(connection, self.path.name)
            self._identities[connection] = self.file_identity()
        except sqlite3.OperationalError as error:
            connection.close()
            raise self._cannot_open_error(str(error)) from error
        except BaseException:
            connection.close()
            raise
        return connection

    def _make_folder(self) -> None:
        try:
            self.path.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        except OSError as error:
            raise self._cannot_open_error(str(error)) from error

    def _cannot_open_error(self, detail: str) -> CartoguideError:
        return CartoguideError(
            tr(
                "The record library {name} cannot be opened. Check that its folder exists and can be written, or "
                "choose another in the settings.",
                name=str(self.path),
            ),
            detail,
        )

    def _discard(self, connection: sqlite3.Connection) -> None:
        self._identities.pop(connection, None)
        connection.close()

    def _close_idle(self) -> None:
        while self._idle:
            self._discard(self._idle.pop())


def _close_all(connections: List[sqlite3.Connection]) -> None:
    for connection in connections:
        connection.close()


def _busy_error(detail: str) -> StoreBusy:
    return StoreBusy(
        tr("The record library is busy: another QGIS has been writing to it for too long. Try again in a moment."),
        detail)


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")

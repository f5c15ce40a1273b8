"""SQLite connections, each used by one thread at a time, and transactions on them."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional, Tuple

from ..errors import Cancelled, CartoguideError
from ..i18n import tr
from ..storage.file_lock import FileLock
from ..storage.syncing import PRIVATE_FOLDER, create_private
from . import schema

#: other QGIS windows write for about a second at a time, so a lock held longer than this means that one hangs
LOCK_TIMEOUT_SECONDS = 30.0
_OPCODES_BETWEEN_CHECKS = 20_000
#: idle connections that are kept open
_MAX_IDLE = 4

FileIdentity = Tuple[int, int]


class StoreBusy(CartoguideError):
    """Another QGIS has locked the store for too long."""


class ConnectionPool:
    """Connections to the file of one store. After the file was replaced, the next use opens the new file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = FileLock(path.with_suffix(".lock"))
        self._state = threading.Condition()
        self._idle: List[sqlite3.Connection] = []
        self._identities: Dict[sqlite3.Connection, Optional[FileIdentity]] = {}
        self._in_use = 0
        self._is_exclusive = False
        # from Python 3.13 on, a connection that is never closed causes a warning
        weakref.finalize(self, _close_all, self._idle)

    def file_identity(self) -> Optional[FileIdentity]:
        """Return device and inode of the file, which differ for a file that replaces it, or None if there is no
        file.
        """
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

        Raises StoreBusy if another QGIS has been writing for too long.
        """
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

        Raises StoreBusy after ``seconds``, and CartoguideError if the lock's file cannot be made.
        """
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
    def _connect(self) -> sqlite3.Connection:
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

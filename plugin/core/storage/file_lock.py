"""Lock on a file, so that one thread of one QGIS writes at a time."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from typing import Optional

_POLL_SECONDS = 0.001


class FileLock:
    """Lock on ``path``, not reentrant. The operating system releases it when its process dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread_lock = threading.Lock()
        self._file: Optional[int] = None

    def acquire(self, seconds: float) -> bool:
        """Wait for the lock for at most ``seconds`` and return True if it was acquired. Raises OSError if the file
        fails.
        """
        until = time.monotonic() + seconds
        if not self._thread_lock.acquire(timeout=seconds):
            return False
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            while not _try(self._file):
                if time.monotonic() >= until:
                    self._close()
                    self._thread_lock.release()
                    return False
                time.sleep(_POLL_SECONDS)
        except BaseException:
            self._close()
            self._thread_lock.release()
            raise
        return True

    def release(self) -> None:
        self._close()
        self._thread_lock.release()

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)  # this releases the lock
            self._file = None


if sys.platform == "win32":
    import msvcrt

    def _try(file: int) -> bool:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # a file system without locks, where SQLite's own locks remain
        return True

"""Syncing of files and folders to the disk, so that a name never stands for contents that a power cut took."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import BinaryIO

#: files that only their owner may read
PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
#: errors of file systems that cannot sync what they were asked to
_UNSUPPORTED = (errno.EINVAL, errno.ENOTSUP)


def sync_stream(stream: BinaryIO) -> None:
    """Write what ``stream`` holds to the disk. Raises OSError if the disk is full or fails."""
    stream.flush()
    try:
        os.fsync(stream.fileno())
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise


def sync_file(path: Path) -> None:
    """Write to the disk what was written to the file at ``path`` and closed. Raises OSError."""
    with open(path, "rb+") as stream:
        sync_stream(stream)


def sync_folder(folder: Path) -> None:
    """Write the names in ``folder`` to the disk, on systems that support it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return  # a folder that may be written but not listed
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
    finally:
        os.close(handle)


def private_opener(path: str, flags: int) -> int:
    """Open a file that only its owner may read, for ``open(…, opener=private_opener)``."""
    return os.open(path, flags, PRIVATE_FILE)


def create_private(path: Path) -> None:
    """Create an empty file that only its owner may read, unless there is a file. Raises OSError."""
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE))

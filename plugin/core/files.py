"""Files that people save: their names, writing them completely or not at all, and the test that they are complete."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Iterator, Optional

from .errors import CartoguideError
from .i18n import tr
from .storage.syncing import PRIVATE_FILE, private_opener, sync_file, sync_folder
from .storage.temporary_files import PREFIX, temporary_path
from .text import without_direction_marks
from .trust.files import UnusableFile, is_device_name, open_regular
from .wms.responses.image_headers import is_complete_image

#: last bytes of a complete file by its suffix, before optional white space
_END_MARKERS = {".pdf": b"%%EOF", ".svg": b"</svg>"}
_TAIL_BYTES = 64
#: characters that no file name may have on Windows, control characters, and marks that hide the order of a name
_RESERVED = re.compile("[\\\\/:*?\"<>|\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u200b-\u200f\ufeff\ufffe\uffff]+")
#: longest name; file systems allow 255 bytes with suffix and number
_MAX_NAME_BYTES = 120
#: errors of a full disk, or of a share of it that is used up
_FULL = (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)
_FULL_ON_WINDOWS = (39, 112)
#: bytes left on a disk on which a map can no longer be written
_NEXT_TO_NOTHING = 1_000_000
_IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif")


def safe_file_name(title: str) -> str:
    """Return ``title`` as a file name valid on every operating system, "cartoguide" if nothing is left of it."""
    name = _RESERVED.sub(" ", without_direction_marks(title))
    # an option of a program, a hidden file and an alternative name of Windows are none of a title's business
    name = re.sub(r"\s+", " ", name).strip(" .").lstrip("-~. ")
    name = name.encode("utf-8")[:_MAX_NAME_BYTES].decode("utf-8", "ignore").rstrip(" .")
    if is_device_name(name):
        name = f"_{name}"
    return name or "cartoguide"


def plain_file_name(text: str, fallback: str) -> str:
    """Return ``text`` as a file name of letters, digits, ``_``, ``.`` and ``-``, ``fallback`` if nothing is left of it.

    It is valid on every operating system, in a zip and in a manifest.
    """
    return safe_file_name(re.sub(r"[^\w.-]+", "-", text).strip("-.") or fallback)


def write_bytes_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` completely or not at all. Raises CartoguideError if that fails."""
    with atomic_write(path) as file:
        file.write(data)


@contextmanager
def atomic_write(path: Path, private: bool = False) -> Iterator[BinaryIO]:
    """Return a stream whose bytes replace the file ``path`` once the block ends.

    The bytes are on the disk before they get the name, so that a power cut leaves no empty file there.
    If the block raises, the former file stays as it was. A new file gets the usual permissions, or with ``private``
    those of a file that only its owner may read. A file that is replaced passes its permissions on. Raises
    CartoguideError if the file cannot be written.
    """
    temporary = temporary_path(path.parent, ".part")
    try:
        # not a file of tempfile, because those are readable only by their owner
        with open(temporary, "xb", opener=private_opener if private else None) as stream:
            yield stream
        # the block may have closed the stream, as text and zip writers around it do
        sync_file(temporary)
        _copy_permissions(path, temporary, private)
        os.replace(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        if temporary.exists():
            temporary.unlink()


def write_error(path: Path, error: Exception, otherwise: str = "") -> CartoguideError:
    """Return the error for the file or folder ``path`` that could not be written. A full disk is named by its folder.

    ``otherwise`` is the text where the disk is not full, or else says that the file could not be written.
    """
    if is_disk_full(path, error):
        return CartoguideError(disk_full_text(path), str(error))
    return CartoguideError(otherwise or tr(
        "{name} could not be written: {reason}. Choose another location.", name=path.name,
        reason=getattr(error, "strerror", None) or type(error).__name__), f"{path}\n{error}")


def incomplete_error(path: Path, detail: str = "") -> CartoguideError:
    """Return the error for the file ``path`` that Qt or GDAL wrote in part, without saying why."""
    if is_disk_full(path):
        return CartoguideError(disk_full_text(path), detail)
    return CartoguideError(tr("The file {name} could not be written completely. Is the disk full?", name=path.name),
                           detail)


def disk_full_text(path: Path) -> str:
    """Return the text for a file or folder whose disk is full: it names the disk by the folder on it."""
    return tr("The disk with the folder {folder} is full, so {name} could not be written. Free some space on it, or "
              "choose a folder on another disk.", folder=str(_shown_folder(path)), name=path.name)


def is_disk_full(path: Path, error: Optional[Exception] = None) -> bool:
    """Return whether ``error`` says that the disk is full, or without one whether the disk of ``path`` is."""
    if error is not None:
        # SQLite has its own errors, with a text
        return getattr(error, "errno", None) in _FULL or getattr(error, "winerror", None) in _FULL_ON_WINDOWS or \
            "disk is full" in str(error)
    try:
        return shutil.disk_usage(_shown_folder(path)).free < _NEXT_TO_NOTHING
    except OSError:
        return False


def _shown_folder(path: Path) -> Path:
    """Return the folder of a path that a person knows: that of the target, not the working folder beside it."""
    folder = path if path.is_dir() else path.parent
    while folder.name.startswith(PREFIX):
        folder = folder.parent
    return folder


def _copy_permissions(path: Path, temporary: Path, private: bool) -> None:
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return  # a new file
    os.chmod(temporary, mode & PRIVATE_FILE if private else mode)


def is_complete_file(path: Path) -> bool:
    """Return True if the file is complete as far as its format shows, False if it is not or cannot be read.

    Exported files are tested, because Qt and GDAL report success even if the disk is full.
    """
    last = _END_MARKERS.get(path.suffix.lower())
    try:
        with open_regular(path) as file:
            if last is None:
                body = file.read()
                return is_complete_image(body) is True if path.suffix.lower() in _IMAGE_SUFFIXES else bool(body)
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            return file.read().rstrip().endswith(last)
    except (UnusableFile, OSError):
        return False

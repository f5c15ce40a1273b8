"""Files that anybody may have named: each is a regular file, opened once and read within a limit.

A path of a document, a record or a profile may name a device, a pipe, another computer or a driver of GDAL. Opening a
device or a pipe can wait for ever, and asking for the size of a file says nothing about the one that is opened later.
So a file is opened without waiting, judged by its handle and read from that handle. A path that a foreign thing names
is judged by its letters first, because on Windows the mere look at ``\\\\host\\share`` sends a login to that host.
"""

from __future__ import annotations

import os
import posixpath
import re
import stat
from pathlib import Path
from typing import BinaryIO, Optional, Union
from urllib.parse import unquote

from ..errors import CartoguideError, UnreadableDocument, too_large
from ..i18n import tr

AnyPath = Union[str, "os.PathLike[str]"]

#: most characters of a path that is shown
_MAX_SHOWN = 120
_WINDOWS = os.name == "nt"
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
#: a share of another computer, or a name space of Windows: ``\\host\share``, ``//host/share``, ``\\?\…``, ``\\.\…``
_SHARE = re.compile(r"\s*[\\/]{2}")
#: an address, a virtual file system of GDAL, or the prefix with which GDAL and Qt choose a driver: ``PDF:1:a.pdf``
_ADDRESS = re.compile(r"\s*(?:[\\/]vsi|[a-z][a-z0-9+.-]+:|:[\\/]|<)", re.IGNORECASE)
#: an alternate data stream of Windows: ``photo.jpg:stream``, ``folder::$INDEX_ALLOCATION``
_STREAM = re.compile(r":[^:\\/]*:?\$|\.[a-z]\w{0,7}:[^\\/]*\Z", re.IGNORECASE)
_DRIVE_BELOW_ROOT = re.compile(r"\A/(?=[a-z]:)", re.IGNORECASE)
_DRIVE = re.compile(r"\A\s*[a-z]:(?=[\\/]|\Z)", re.IGNORECASE)
#: folders of POSIX systems whose files are devices and states of the system
_SYSTEM_FOLDERS = ("/dev", "/proc", "/sys")
#: names of devices on Windows, with any suffix and in any folder
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])\s*(\.|:|\Z)", re.IGNORECASE)
#: name spaces of Windows in which a path is not a device: a long path of a drive or of a share
_LONG_PATH = re.compile(r"[\\/]{2}\?[\\/](?:[a-z]:[\\/]|unc[\\/])", re.IGNORECASE)
_NAME_SPACE = re.compile(r"[\\/]{2}[?.][\\/]")
#: not there on Windows, where devices are refused by their names
_OPEN_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY",
                                                                 "O_NOINHERIT"))
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class UnusableFile(UnreadableDocument):
    """A path that leads to no file which can be read: none there, a folder, a device, too large, elsewhere.

    ``is_missing`` is True where nothing has that name.
    """

    def __init__(self, user_text: str, detail: str = "", is_missing: bool = False) -> None:
        super().__init__(user_text, detail)
        self.is_missing = is_missing


def open_regular(path: AnyPath, limit: Optional[int] = None, agreed: str = "") -> BinaryIO:
    """Return the regular file ``path``, opened for reading. The caller closes it.

    Its size is at most ``limit`` bytes, any with None. A link is followed to what it names. With ``agreed``, what the
    path led to when it was judged or somebody agreed to open it (``leads_to``), only that file is opened. Raises
    UnusableFile if the file cannot be opened, is another or not a regular one, UnreadableDocument if it is too large.
    Neither waits for anybody.
    """
    return os.fdopen(_open_agreed(path, limit, agreed) if agreed else _open(path, limit), "rb")


def leads_to(path: AnyPath) -> str:
    """Return what a path leads to now, with links followed, "" for one that leads nowhere."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return ""


def read_regular(path: AnyPath, limit: int, agreed: str = "") -> bytes:
    """Return the bytes of the regular file ``path``, at most ``limit``, with ``agreed`` as ``open_regular`` has it.

    Raises UnusableFile if the file cannot be read or is not a regular one, UnreadableDocument if it is too large.
    """
    with open_regular(path, limit, agreed) as file:
        try:
            # files of the system say that they are empty, and may have no end
            data = file.read(limit + 1) or b""
        except OSError as error:
            raise _unreadable(path, error) from error
    if len(data) > limit:
        raise too_large(_name(path), limit)
    return data


def check_regular(path: AnyPath, limit: Optional[int] = None) -> None:
    """Raise UnusableFile or UnreadableDocument where ``open_regular`` would, for a file that QGIS or GDAL opens."""
    os.close(_open(path, limit))


def check_kind(path: AnyPath, limit: Optional[int] = None) -> None:
    """Raise as ``check_regular``, judging by the file's status only, without opening it.

    It is for files of SQLite: on POSIX systems all locks that this process has on a file end when any handle of it is
    closed.
    """
    if _WINDOWS and is_device_name(path):
        raise UnusableFile(_kind_text(path, stat.S_IFCHR), str(path))
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    _require_regular(path, status, limit)


def is_regular(path: AnyPath, limit: Optional[int] = None) -> bool:
    """Return whether ``open_regular`` would open the file."""
    try:
        check_regular(path, limit)
    except CartoguideError:
        return False
    return True


def is_local_path(path: str, windows: bool = _WINDOWS) -> bool:
    """Return whether a path that a foreign thing names may be looked at: it is of this computer and no device."""
    return not foreign_path_problem(path, windows)


def foreign_path_problem(path: str, windows: bool = _WINDOWS) -> str:
    """Return why a path that a foreign thing names is not looked at, as a sentence, or "" if it may be.

    Only the letters of the path are judged. What it leads to is judged by ``open_regular`` and ``inside``. Names that
    are devices only on Windows are refused with ``windows``.
    """
    shown = _shown(path)
    if not path.strip() or _CONTROL.search(path):
        return tr("“{path}” is not the name of a file. Choose a file of this computer.", path=shown)
    if _SHARE.match(path):
        return tr("“{path}” is on another computer, and is not opened for a file of somebody else. "
                  "Copy it to this computer.", path=shown)
    beyond_drive = _DRIVE.sub("", path, count=1)
    if _ADDRESS.match(beyond_drive) or _STREAM.search(beyond_drive) or (windows and ":" in beyond_drive):
        return tr("“{path}” is an address or a part of a file, not a file. Choose a file of this computer.", path=shown)
    if _is_system_path(path) or (windows and is_device_name(path)):
        return tr("“{path}” is a device or a file of the system, and is not opened. Choose another file.", path=shown)
    return ""


def local_path(address: str) -> str:
    """Return the path that an address of the kind file leads to, as Qt has it, "" for another text."""
    scheme, _colon, rest = address.strip().partition(":")
    if scheme.lower() != "file":
        return ""
    path = unquote(rest)
    return _DRIVE_BELOW_ROOT.sub("", path[2:] if path.startswith("///") else path)


def is_device_name(path: AnyPath) -> bool:
    """Return whether Windows takes the path for a device, as ``NUL``, ``C:\\con.txt`` and ``\\\\.\\COM1``."""
    text = os.fspath(path)
    name = re.split(r"[\\/]", text.rstrip(" ."))[-1]
    return bool(_DEVICE.match(name.lstrip()) or (_NAME_SPACE.match(text) and not _LONG_PATH.match(text)))


def inside(path: AnyPath, folder: AnyPath) -> bool:
    """Return whether ``path`` lies in ``folder`` or below it, both with their links followed."""
    try:
        inner, outer = Path(os.path.realpath(path)), Path(os.path.realpath(folder))
    except (OSError, ValueError):
        return False
    return outer in inner.parents


def _is_system_path(path: str) -> bool:
    normal = posixpath.normpath(path.strip())
    return any(normal == folder or normal.startswith(folder + "/") for folder in _SYSTEM_FOLDERS)


def _open(path: AnyPath, limit: Optional[int], flags: int = 0) -> int:
    """Return the descriptor of a regular file."""
    # the opening of some devices does something, so they are not even opened
    check_kind(path, limit)
    try:
        descriptor = os.open(path, _OPEN_FLAGS | flags)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    try:
        # another file may have got the name meanwhile
        _require_regular(path, os.fstat(descriptor), limit)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _open_agreed(path: AnyPath, limit: Optional[int], agreed: str) -> int:
    """Return the descriptor of the file ``agreed`` if ``path`` still leads there, before and after it was opened."""
    descriptor = None
    if leads_to(path) == agreed:
        descriptor = _open(agreed, limit, _NO_LINK)
        if leads_to(path) == agreed:
            return descriptor
        os.close(descriptor)
    raise UnusableFile(tr("{name} is not opened: it was replaced by a link to another file after you agreed to open "
                          "it.", name=_name(path)), leads_to(path))


def _require_regular(path: AnyPath, status: os.stat_result, limit: Optional[int]) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnusableFile(_kind_text(path, status.st_mode), str(path))
    if limit is not None and status.st_size > limit:
        raise too_large(_name(path), limit, status.st_size)


def _kind_text(path: AnyPath, mode: int) -> str:
    """Return what a path is that is not a regular file."""
    name = _name(path)
    if stat.S_ISDIR(mode):
        return tr("{name} is a folder, not a file. Choose a file.", name=name)
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        return tr("{name} is a pipe of another program, not a file. Choose a file.", name=name)
    return tr("{name} is a device, not a file. Choose a file.", name=name)


def _unreadable(path: AnyPath, error: Exception) -> UnusableFile:
    is_missing = isinstance(error, (FileNotFoundError, NotADirectoryError))
    reason = getattr(error, "strerror", None) or tr("its name cannot be the name of a file")
    return UnusableFile(tr("{name} could not be opened: {reason}.", name=_name(path), reason=reason), str(error),
                        is_missing)


def _name(path: AnyPath) -> str:
    """Return the last part of a path, as messages name it."""
    text = os.fspath(path)
    return _shown(os.path.basename(text.rstrip("/\\")) or text)


def _shown(text: str) -> str:
    """Return a path for a message, shortened at its beginning."""
    clean = _CONTROL.sub(" ", text)
    return clean if len(clean) <= _MAX_SHOWN else f"…{clean[-_MAX_SHOWN:]}"

"""Records from files and folders, in a fixed order, within limits, with one error for each file that cannot be read."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import BinaryIO, Callable, Iterator, List, Optional, Tuple, Union

from ... import safe_xml
from ...errors import CartoguideError, NotARecord, UnreadableDocument, too_large
from ...i18n import tr
from ...trust.files import UnusableFile, open_regular
from ..model.record import Record
from .document_reader import read_all
from .packages import MEF_ATTACHMENTS

ReadResult = Union[Record, CartoguideError, None]
#: limit for a package (zip, MEF), which may contain images and data besides records
MAX_PACKAGE_BYTES = 512_000_000
#: the first bytes of a zip package
PACKAGE_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
#: length of the beginning of a file in which the root element is searched
_HEAD_BYTES = 8192
_RECORD_ROOT = re.compile(rb"<(?:[\w.-]+:)?(?:\w+_)?(?:M[DI]_Metadata|simpledc|Record)[\s>]")
#: suffixes of files that are read in a folder. A file named by a person is read whatever its suffix.
RECORD_SUFFIXES = frozenset((".xml", ".iso19139", ".mef", ".zip", ".json", ".geojson", ".atom", ".rdf", ".ttl", ".nt",
                             ".jsonld"))


def read_path(path: Union[str, Path], language: str = "") -> Iterator[Tuple[str, ReadResult]]:
    """Yield each file at or below ``path`` with each of its records, or with the error that prevented reading.

    None stands for a valid document without a record (a catalogue's empty answer).
    """
    name = str(path)
    if not os.path.isdir(name):
        yield from _read_one(name, language, read_file_bytes)
        return
    any_file = False
    for file in find_record_files(name):
        any_file = True
        yield from _read_one(file, language, read_file_bytes)
    if not any_file:
        yield name, NotARecord(tr("{name} contains no file that could be a catalogue record.", name=name))


def read_stream(stream: BinaryIO, name: str, language: str = "") -> Iterator[Tuple[str, ReadResult]]:
    """Yield the records of a stream that is read completely, as ``read_path`` does. ``name`` stands for the file."""
    return _read_one(name, language, lambda name: _read_bounded(stream, name))


def is_pipe(path: Union[str, Path]) -> bool:
    """Return True if ``path`` is a named pipe. Opening one blocks until its other end is opened."""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def find_record_files(folder: str, on_error: Optional[Callable[[OSError], None]] = None,
                      should_stop: Callable[[], bool] = lambda: False) -> Iterator[str]:
    """Yield the files in a folder and its subfolders that may contain records, sorted by name in each folder.

    Links to folders are not followed. Of an unpacked MEF only the record is found, without list of contents and
    attachments. ``on_error`` is called for each folder that cannot be listed, and may raise. ``should_stop`` is called
    for each folder and ends the search.
    """
    for below, folders, names in os.walk(folder, onerror=on_error):
        if should_stop():
            return
        if "info.xml" in names and "metadata" in folders:
            folders[:] = [name for name in folders if name.lower() not in MEF_ATTACHMENTS]
            names.remove("info.xml")
        elif os.path.basename(below) == "metadata" and os.path.isfile(os.path.join(below, "..", "info.xml")):
            names = _native_format(below, names)
        folders.sort()
        for name in sorted(names):
            if os.path.splitext(name)[1].lower() in RECORD_SUFFIXES:
                yield os.path.join(below, name)


def _native_format(folder: str, names: List[str]) -> List[str]:
    """Return only the native format of a record that is stored in several, if that format is supported."""
    try:
        with open_regular(os.path.join(folder, "metadata.xml")) as stream:
            head = stream.read(_HEAD_BYTES)
    except (UnusableFile, OSError):
        return names
    return ["metadata.xml"] if _RECORD_ROOT.search(head) else names


def _read_one(name: str, language: str, load: Callable[[str], bytes]) -> Iterator[Tuple[str, ReadResult]]:
    empty = True
    try:
        for result in read_all(load(name), name, language):
            empty = False
            yield name, result
    except CartoguideError as error:
        yield name, error
        return
    if empty:
        yield name, None


def read_file_bytes(name: str, whole_package: bool = True) -> bytes:
    """Return the content of a file, without ``whole_package`` only the first bytes of a zip package.

    Raises UnreadableDocument if it cannot be read or is too large for its kind.
    """
    try:
        with open_regular(name) as stream:
            return _read_bounded(stream, name, os.fstat(stream.fileno()).st_size, whole_package)
    except UnusableFile as error:
        if error.is_missing:
            raise UnreadableDocument(tr("{name} does not exist.", name=name), error.detail) from error
        if isinstance(error.__cause__, PermissionError):
            raise UnreadableDocument(tr("{name} cannot be read: permission denied.", name=name),
                                     error.detail) from error
        raise
    except OSError as error:
        raise UnreadableDocument(tr("{name} could not be read.", name=name), str(error)) from error


def _read_bounded(stream: BinaryIO, name: str, size: int = 0, whole_package: bool = True) -> bytes:
    """Return the content of a stream. Raises UnreadableDocument if it exceeds the limit of its kind.

    ``size`` is its size in bytes if known beforehand.
    """
    data = stream.read(4)
    if not whole_package and data in PACKAGE_STARTS:
        return data
    limit = MAX_PACKAGE_BYTES if data[:2] == b"PK" else safe_xml.MAX_BYTES
    if size > limit:
        raise too_large(name, limit, size)
    data += stream.read(size)
    if len(data) != size:
        # a pipe, or a file that grew. Memory for all that is asked for is taken at once
        data += stream.read(limit)
        if len(data) > limit:
            raise too_large(name, limit)
    return data

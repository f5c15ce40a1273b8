"""Packages of records: MEF 1 and 2 of GeoNetwork and plain zips, read entry by entry within limits, never unpacked to
disk.
"""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile
import zlib
from typing import BinaryIO, Dict, Iterator, List, Optional, Set, Tuple, Union

from ... import safe_xml
from ...errors import CartoguideError, UnreadableDocument, too_large
from ...i18n import tr
from ...trust.files import UnusableFile, open_regular

#: limit for the central directory in memory: about 100,000 entries
MAX_DIRECTORY_BYTES = 16_000_000
#: the same for a package read from its file, of which only the directory is in memory
MAX_DIRECTORY_BYTES_OF_FILE = 64_000_000
MAX_UNPACKED_BYTES = 2_000_000_000
#: the same for a package read from its file, one group of entries at a time
MAX_UNPACKED_BYTES_OF_FILE = 100_000_000_000
#: limit for the compression ratio: catalogue records shrink to about a tenth, very repetitive ones to a fiftieth
MAX_RATIO = 200
_SUSPECT_FROM = 20_000_000

#: file in an exported collection with the collection's name
COLLECTION_INDEX = "cartoguide-collection.json"
#: end of a package, which contains the end of the directory unless the comment is very long (APPNOTE 4.3.16)
_TAIL_BYTES = 66_000

_RECORD_SUFFIXES = (".xml", ".json", ".geojson", ".atom", ".iso19139", ".rdf", ".ttl", ".nt", ".jsonld")
_PACKAGE_SUFFIXES = (".zip", ".mef", ".kmz", ".jar", ".7z", ".gz", ".tgz", ".tar", ".rar")
#: limit for nested folders
_MAX_DEPTH = 50
#: folders of a MEF without records: attachments, schemas, the record of the feature catalogue
MEF_ATTACHMENTS = frozenset(("public", "private", "thumbnails", "applschema", "relatedmetadata", "schema"))

#: path in the package with the bytes of the entry, or with the error that prevented reading
PackageEntry = Tuple[str, Union[bytes, CartoguideError]]


def read_entries(data: bytes, name: str = "") -> Iterator[List[PackageEntry]]:
    """Yield the documents of a package in groups. In a group (one record in several formats) the first readable one
    counts.

    The error of an entry (encrypted, damaged, path outside the package, nested package) is given instead of its bytes.
    Raises UnreadableDocument if the package is broken or unpacks to far more than expected.
    """
    where = name or tr("The package")
    archive = _open_archive(io.BytesIO(data), where, _directory_size(data), MAX_DIRECTORY_BYTES)
    budget = _UnpackBudget(len(data), where, MAX_UNPACKED_BYTES)
    with archive:
        for group in _grouped_entries([info for info in archive.infolist() if not info.is_dir()]):
            yield [(info.filename, _read_entry(archive, info, budget, where)) for info in group]


def read_file_entries(path: str) -> Iterator[Tuple[float, List[PackageEntry]]]:
    """Yield the documents of the package at ``path``, one group in memory at a time, each with the progress (0 to 1).

    Raises OSError if the file cannot be read, UnusableFile if it is not a regular one, otherwise as ``read_entries``.
    """
    with open_regular(path) as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(max(0, size - _TAIL_BYTES))
        archive = _open_archive(file, path, _directory_size(file.read()), MAX_DIRECTORY_BYTES_OF_FILE)
        budget = _UnpackBudget(size, path, MAX_UNPACKED_BYTES_OF_FILE)
        with archive:
            groups = list(_grouped_entries([info for info in archive.infolist() if not info.is_dir()]))
            # free the entries that are no documents: a package may have hundreds of thousands
            archive.filelist.clear()
            archive.NameToInfo.clear()
            groups.reverse()
            count = len(groups)
            while groups:
                group = groups.pop()
                yield 1 - len(groups) / count, [(info.filename, _read_entry(archive, info, budget, path))
                                                for info in group]


def read_member(path: str, name: str, max_bytes: int) -> Optional[bytes]:
    """Return one file of the package at ``path`` without reading the others, or None if it is missing or not in a
    package.

    Raises UnreadableDocument if the file is larger than ``max_bytes``.
    """
    try:
        with open_regular(path) as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(max(0, size - _TAIL_BYTES))
            directory = _directory_size(file.read())
            if directory > MAX_DIRECTORY_BYTES:
                return None
            # most packages do not have it, and understanding the list of a large one takes its time
            file.seek(max(0, size - _TAIL_BYTES - directory))
            if name.encode("utf-8") not in file.read():
                return None
            archive = zipfile.ZipFile(file)
            with archive, archive.open(name) as stream:
                data = stream.read(max_bytes + 1)
    except (UnusableFile, KeyError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, OverflowError,
            NotImplementedError, RuntimeError, struct.error):
        return None
    if len(data) > max_bytes:
        raise too_large(f"{path}!{name}", max_bytes)
    return data


def _open_archive(file: BinaryIO, where: str, directory_size: int, max_size: int) -> zipfile.ZipFile:
    if directory_size > max_size:
        raise UnreadableDocument(tr("{name} contains too many files to be read.", name=where))
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, OverflowError, struct.error, OSError, NotImplementedError) as error:
        raise UnreadableDocument(tr("{name} is a broken zip package.", name=where), str(error)) from error


def _directory_size(data: bytes) -> int:
    """Return the size of the central directory that the package declares (APPNOTE 4.3.14, 4.3.16).

    It is checked before the directory is read into memory.
    """
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - 65_557))
    if end < 0 or end + 16 > len(data):
        return 0
    size = int(struct.unpack_from("<L", data, end + 12)[0])
    if size == 0xFFFFFFFF:
        wide = data.rfind(b"PK\x06\x06", 0, end)
        if 0 <= wide <= len(data) - 48:
            size = int(struct.unpack_from("<Q", data, wide + 40)[0])
    return size


class _UnpackBudget:
    """Limit for the number of bytes that a package may unpack to."""

    def __init__(self, packed: int, where: str, most: int) -> None:
        self._limit = min(most, max(_SUSPECT_FROM, packed * MAX_RATIO))
        self._used = 0
        self._where = where

    def spend(self, size: int) -> None:
        """Count ``size`` more bytes. Raises UnreadableDocument if the limit is exceeded."""
        self._used += size
        if self._used > self._limit:
            raise UnreadableDocument(
                tr("{name} unpacks to far more data than expected and was not read completely.", name=self._where),
                f"{self._used} bytes")


def _read_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: _UnpackBudget,
                where: str) -> Union[bytes, CartoguideError]:
    location = f"{where}!{info.filename}"
    if escapes_package(info.filename):
        return UnreadableDocument(tr("{name} contains a path outside the package and was not read.", name=location))
    if info.filename.lower().endswith(_PACKAGE_SUFFIXES):
        return UnreadableDocument(tr("{name} is a package inside a package; unpack it first.", name=location))
    if info.flag_bits & 1:
        return UnreadableDocument(tr("{name} is encrypted and cannot be read.", name=location))
    pieces: List[bytes] = []
    size = 0
    try:
        with archive.open(info) as stream:
            while size <= safe_xml.MAX_BYTES:
                piece = stream.read(1 << 20)
                if not piece:
                    data = b"".join(pieces)
                    if data.startswith(b"PK\x03\x04"):
                        return UnreadableDocument(
                            tr("{name} is a package inside a package; unpack it first.", name=location))
                    return data
                size += len(piece)
                budget.spend(len(piece))
                pieces.append(piece)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError,
            struct.error) as error:
        return UnreadableDocument(tr("{name} is damaged and cannot be read.", name=location), str(error))
    return too_large(location, safe_xml.MAX_BYTES, size)


def escapes_package(path: str) -> bool:
    """Return True if the path of an entry leads outside the package, on any operating system."""
    parts = path.replace("\\", "/").split("/")
    return path.startswith(("/", "\\")) or ".." in parts or (len(path) > 1 and path[1] == ":") or "\x00" in path


def _grouped_entries(infos: List[zipfile.ZipInfo]) -> Iterator[List[zipfile.ZipInfo]]:
    """Yield the entries to read: the metadata of a MEF (its native format first), or every document of a plain zip."""
    folders = {posixpath.dirname(info.filename) for info in infos if posixpath.basename(info.filename) == "info.xml"}
    metadata: Dict[str, List[zipfile.ZipInfo]] = {}
    rest: List[zipfile.ZipInfo] = []
    for info in infos:
        folder, inner_path = _mef_folder(info.filename, folders)
        if folder is None:
            rest.append(info)
        elif inner_path.startswith("metadata") and inner_path.endswith(".xml"):
            metadata.setdefault(folder, []).append(info)
    known = {folder for folder, entries in metadata.items() if entries}
    for folder in sorted(known):
        yield sorted(metadata[folder],
                     key=lambda info: (posixpath.basename(info.filename) != "metadata.xml", info.filename))
    for info in rest:
        if _is_document(info.filename):
            yield [info]


def _mef_folder(path: str, folders: Set[str]) -> Tuple[Optional[str], str]:
    """Return the MEF folder (the one with info.xml) that a path belongs to, and the path inside it."""
    folder = posixpath.dirname(path)
    deep = path.count("/") > _MAX_DEPTH
    while folders and not deep:
        if folder in folders:
            inner_path = path[len(folder) + 1:] if folder else path
            first = inner_path.split("/")[0].lower()
            if inner_path == "info.xml" or first in MEF_ATTACHMENTS or first == "metadata" or "/" not in inner_path:
                return folder, inner_path
        above = posixpath.dirname(folder)
        if above == folder:
            break
        folder = above
    return None, path


def _is_document(path: str) -> bool:
    base = posixpath.basename(path.replace("\\", "/"))
    if base.startswith(".") or "__MACOSX/" in path or path == COLLECTION_INDEX:
        return False
    return base.lower().endswith((*_RECORD_SUFFIXES, *_PACKAGE_SUFFIXES))

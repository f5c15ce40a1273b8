"""The journal: every acknowledged record's original bytes in an append-only file, the truth that the index is
rebuilt from.

An entry is ``CGj1``, two lengths and a CRC-32 (little-endian, four bytes each), a JSON header, and bytes packed by
zlib: of a ``put`` some records of one source, one after another, so that what records share is packed once.
A damaged entry is found by its CRC and stepped over to the next mark, so that damage costs only what it touches.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Iterator, List, Mapping, Optional, Sequence, Tuple

from ..errors import UnreadableDocument
from ..i18n import tr

ENTRY_MARK = b"CGj1"
_FRAME = struct.Struct("<4sIII")
_MAX_HEADER = 4_000_000
_MAX_BODY = 1_000_000_000
#: level 1 packs these documents to a tenth at a speed that import never waits for
_COMPRESSION_LEVEL = 1
#: records of one entry together: enough to pack well, few enough to be unpacked in a blink, or lost together
MAX_BLOCK_BYTES = 200_000
MAX_BLOCK_RECORDS = 16
_CHUNK = 1 << 20


@dataclass(frozen=True)
class JournalEntry:
    """One entry: where it begins and ends, its header, and its unpacked bytes."""

    offset: int
    end: int
    header: Mapping[str, Any]
    data: bytes

    def records(self) -> Iterator[Tuple[str, str, bytes]]:
        """Identifier, place and original bytes of each record of a ``put``."""
        position = 0
        for identifier, place, size in self.header.get("items", ()):
            yield str(identifier), str(place), self.data[position : position + int(size)]
            position += int(size)


def compress(data: bytes) -> bytes:
    """``data`` as an entry holds it; zlib works outside the interpreter's lock, so threads may pack side by side."""
    return zlib.compress(data, _COMPRESSION_LEVEL) if data else b""


def decompress(body: bytes) -> bytes:
    """What ``packed`` was given. zlib.error: the bytes are no such thing."""
    return zlib.decompress(body) if body else b""


def encode_entry(header: Mapping[str, Any], data: bytes = b"") -> bytes:
    """Return the bytes of one entry."""
    head = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    body = compress(data)
    return b"".join((_FRAME.pack(ENTRY_MARK, len(head), len(body), zlib.crc32(body, zlib.crc32(head))), head, body))


def split_into_blocks(sizes: Sequence[int]) -> List[Tuple[int, int]]:
    """How records of these sizes are put into entries: from each position to before each other."""
    found, begin, total = [], 0, 0
    for number, size in enumerate(sizes):
        if number > begin and (total + size > MAX_BLOCK_BYTES or number - begin >= MAX_BLOCK_RECORDS):
            found.append((begin, number))
            begin, total = number, 0
        total += size
    if sizes:
        found.append((begin, len(sizes)))
    return found


class Journal:
    """The append-only file beside the index. Only the holder of the store's lock may append or cut."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def size(self) -> int:
        """How long the file is; 0 where there is none."""
        try:
            return os.stat(self.path).st_size
        except FileNotFoundError:
            return 0

    def append(self, frames: Sequence[bytes]) -> List[int]:
        """Write entries at the end and make sure that they are on the disk; gives the offset of each.

        OSError: they could not be written, and none of them is there.
        """
        offsets = []
        is_new = not self.path.exists()
        with open(self.path, "ab") as stream:
            begin = position = stream.seek(0, os.SEEK_END)
            for entry in frames:
                offsets.append(position)
                position += len(entry)
            try:
                stream.write(b"".join(frames))
                stream.flush()
                os.fsync(stream.fileno())
            except OSError:
                self.truncate(begin)
                raise
        if is_new:
            _sync_directory(self.path.parent)
        return offsets

    def truncate(self, size: int) -> None:
        """Take back what was appended behind ``size`` and not acknowledged."""
        if self.size() > size:
            os.truncate(self.path, size)

    def read_entry(self, offset: int) -> JournalEntry:
        """The entry at ``offset``. UnreadableDocument: it is not there, or it is damaged."""
        try:
            with open(self.path, "rb") as stream:
                entry = _entry_at(stream, offset)
        except OSError as error:
            raise UnreadableDocument(
                tr("The record's original document cannot be read from the store."), str(error)
            ) from error
        if entry is None:
            raise self.damaged_error(offset)
        return entry

    def read_record(self, offset: int, number: int, identifier: str) -> Tuple[str, bytes]:
        """Place and original bytes of one record of an entry. UnreadableDocument as ``read``."""
        found = list(self.read_entry(offset).records())
        if number >= len(found) or found[number][0] != identifier:
            raise self.damaged_error(offset)
        return found[number][1:]

    def damaged_error(self, offset: int) -> UnreadableDocument:
        """The error for an entry that is not what it should be."""
        return UnreadableDocument(
            tr("The record's original document is damaged in the store. Read it again from its source."),
            f"{self.path.name} at {offset}",
        )

    def entries(self, begin: int = 0) -> Iterator[JournalEntry]:
        """Every sound entry from ``begin`` on, oldest first; what is damaged is stepped over."""
        if self.size() <= begin:
            return
        with open(self.path, "rb") as stream:
            offset: Optional[int] = begin
            while offset is not None:
                entry = _entry_at(stream, offset)
                if entry is None:
                    offset = _next_mark(stream, offset + 1)
                    continue
                yield entry
                offset = entry.end


    def find_versions(self, identifier: str) -> List[Tuple[int, int, Mapping[str, Any]]]:
        """Where every version of a record that was ever acknowledged stands, oldest first: offset, number in its entry,
        and the entry's header. Reads headers only.
        """
        found: List[Tuple[int, int, Mapping[str, Any]]] = []
        if not self.path.exists():
            return found
        with open(self.path, "rb") as stream:
            offset: Optional[int] = 0
            while offset is not None:
                header, end = _header_at(stream, offset)
                if header is None:
                    offset = _next_mark(stream, offset + 1)
                    continue
                found += [(offset, number, header) for number, item in enumerate(header.get("items", ()))
                          if item[0] == identifier]
                offset = end
        return found


def _header_at(stream: BinaryIO, offset: int) -> Tuple[Optional[Mapping[str, Any]], int]:
    """The header of the entry at ``offset`` and where the entry ends; nothing is said of its bytes."""
    stream.seek(offset)
    frame_bytes = stream.read(_FRAME.size)
    if len(frame_bytes) < _FRAME.size:
        return None, 0
    mark, head_size, body_size, _ = _FRAME.unpack(frame_bytes)
    if mark != ENTRY_MARK or head_size > _MAX_HEADER or body_size > _MAX_BODY:
        return None, 0
    try:
        header = json.loads(stream.read(head_size))
    except ValueError:
        return None, 0
    return (header if isinstance(header, dict) else None), offset + _FRAME.size + head_size + body_size


def _entry_at(stream: BinaryIO, offset: int) -> Optional[JournalEntry]:
    stream.seek(offset)
    frame_bytes = stream.read(_FRAME.size)
    if len(frame_bytes) < _FRAME.size:
        return None
    mark, head_size, body_size, crc = _FRAME.unpack(frame_bytes)
    if mark != ENTRY_MARK or head_size > _MAX_HEADER or body_size > _MAX_BODY:
        return None
    head, body = stream.read(head_size), stream.read(body_size)
    if len(body) < body_size or zlib.crc32(body, zlib.crc32(head)) != crc:
        return None
    try:
        header = json.loads(head)
        data = decompress(body)
    except (ValueError, zlib.error):
        return None
    end = offset + _FRAME.size + head_size + body_size
    return JournalEntry(offset, end, header, data) if isinstance(header, dict) else None


def _next_mark(stream: BinaryIO, offset: int) -> Optional[int]:
    """Where the next entry may begin."""
    kept = b""
    stream.seek(offset)
    while True:
        chunk = stream.read(_CHUNK)
        if not chunk:
            return None
        found = (kept + chunk).find(ENTRY_MARK)
        if found >= 0:
            return offset - len(kept) + found
        offset += len(chunk)
        kept = (kept + chunk)[1 - len(ENTRY_MARK) :]


def _sync_directory(folder: Path) -> None:
    """Have the disk know of a new file, where the system lets a folder be synced."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

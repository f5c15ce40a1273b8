"""Journal: append-only file with the original bytes of every record that was ever saved.

The index can be rebuilt from it. An entry is ``CGj1``, two lengths and a CRC-32 (little-endian, four bytes each), a
JSON header, and bytes compressed by zlib. The bytes of a ``put`` are several records of one source, so that they are
compressed together. A damaged entry is detected by its CRC and skipped up to the next mark.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO, Callable, Iterator, List, Mapping, Optional, Sequence, Tuple

from ..errors import UnreadableDocument
from ..i18n import tr
from ..storage.syncing import create_private, sync_folder

ENTRY_MARK = b"CGj1"
_FRAME = struct.Struct("<4sIII")
_MAX_HEADER = 4_000_000
_MAX_BODY = 1_000_000_000
#: level 1 compresses metadata records to a tenth, and faster than they are imported
_COMPRESSION_LEVEL = 1
#: limits of one entry: enough records to compress well, few enough to be decompressed at once, or lost together
MAX_BLOCK_BYTES = 200_000
MAX_BLOCK_RECORDS = 16
_CHUNK = 1 << 20


class JournalOperation(str, Enum):
    """Operations of the journal, which are the values of ``op`` in the headers of its entries."""

    PUT = "put"
    SEEN = "seen"
    VANISH = "vanish"
    FORGET = "forget"
    COLLECTION = "collection"
    COLLECTION_ADDED = "collection-added"
    COLLECTION_REMOVED = "collection-removed"
    COLLECTION_DROPPED = "collection-dropped"


@dataclass(frozen=True)
class JournalEntry:
    """One entry: its offset, the offset of its end, its header, and its uncompressed bytes."""

    offset: int
    end: int
    header: Mapping[str, Any]
    data: bytes

    def records(self) -> Iterator[Tuple[str, str, bytes]]:
        """Yield identifier, location and original bytes of each record of a ``put``."""
        position = 0
        for identifier, place, size in self.header.get("items", ()):
            yield str(identifier), str(place), self.data[position : position + int(size)]
            position += int(size)


def compress(data: bytes) -> bytes:
    """Return ``data`` as they are stored in an entry. zlib releases the interpreter while it works."""
    return zlib.compress(data, _COMPRESSION_LEVEL) if data else b""


def decompress(body: bytes) -> bytes:
    """Return the data that were compressed. Raises zlib.error if ``body`` is damaged."""
    return zlib.decompress(body) if body else b""


def encode_entry(header: Mapping[str, Any], data: bytes = b"") -> bytes:
    header_bytes = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    body = compress(data)
    crc = zlib.crc32(body, zlib.crc32(header_bytes))
    return b"".join((_FRAME.pack(ENTRY_MARK, len(header_bytes), len(body), crc), header_bytes, body))


def split_into_blocks(sizes: Sequence[int]) -> List[Tuple[int, int]]:
    """Split records of these sizes into entries and return the first and the last position (exclusive) of each."""
    blocks, begin, total = [], 0, 0
    for number, size in enumerate(sizes):
        if number > begin and (total + size > MAX_BLOCK_BYTES or number - begin >= MAX_BLOCK_RECORDS):
            blocks.append((begin, number))
            begin, total = number, 0
        total += size
    if sizes:
        blocks.append((begin, len(sizes)))
    return blocks


class Journal:
    """The append-only file beside the index. Only the holder of the store's lock may append or truncate."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def size(self) -> int:
        """Return the length of the file, 0 if there is none."""
        try:
            return os.stat(self.path).st_size
        except FileNotFoundError:
            return 0

    def append(self, frames: Sequence[bytes]) -> List[int]:
        """Append entries, sync them to the disk, and return the offset of each.

        Raises OSError if they cannot be written. Nothing is appended then.
        """
        offsets = []
        is_new = not self.path.exists()
        create_private(self.path)
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
            sync_folder(self.path.parent)
        return offsets

    def truncate(self, size: int) -> None:
        """Remove what was appended after the offset ``size``."""
        if self.size() > size:
            os.truncate(self.path, size)

    def read_entry(self, offset: int) -> JournalEntry:
        """Return the entry at ``offset``. Raises UnreadableDocument if there is none or it is damaged."""
        try:
            with open(self.path, "rb") as stream:
                entry = _entry_at(stream, offset)
        except OSError as error:
            raise UnreadableDocument(
                tr("The record's original document cannot be read from the record library."), str(error)
            ) from error
        if entry is None:
            raise self.damaged_error(offset)
        return entry

    def read_record(self, offset: int, number: int, identifier: str) -> Tuple[str, bytes]:
        """Return location and original bytes of one record of an entry.

        Raises UnreadableDocument if the entry is damaged, or does not hold the record ``identifier`` at ``number``.
        """
        records = list(self.read_entry(offset).records())
        if number >= len(records) or records[number][0] != identifier:
            raise self.damaged_error(offset)
        return records[number][1:]

    def damaged_error(self, offset: int) -> UnreadableDocument:
        return UnreadableDocument(
            tr("The record's original document is damaged in the record library. Read it again from its source."),
            f"{self.path.name} at {offset}",
        )

    def entries(self, begin: int = 0, on_damage: Optional[Callable[[int], object]] = None) -> Iterator[JournalEntry]:
        """Yield every undamaged entry from the offset ``begin`` on, oldest first.

        ``on_damage`` gets the offset of each block that is damaged. The beginning of an entry at the end of the file
        is not: its process died while it wrote, and acknowledged nothing.
        """
        if self.size() <= begin:
            return
        with open(self.path, "rb") as stream:
            offset: Optional[int] = begin
            while offset is not None:
                entry = _entry_at(stream, offset)
                if entry is None:
                    damage, offset = offset, _next_mark(stream, offset + 1)
                    if on_damage is not None and damage < self.size() and not (
                            offset is None and _is_cut_off(stream, damage)):
                        on_damage(damage)
                    continue
                yield entry
                offset = entry.end

    def find_versions(self, identifier: str) -> List[Tuple[int, int, Mapping[str, Any]]]:
        """Return offset, number within the entry, and header for every saved version of a record, oldest first.

        Reads headers only.
        """
        return [(offset, number, header) for offset, header in self.headers()
                for number, item in enumerate(header.get("items", ())) if item[0] == identifier]

    def headers(self, begin: int = 0) -> Iterator[Tuple[int, Mapping[str, Any]]]:
        """Yield offset and header of every entry from the offset ``begin`` on, oldest first."""
        if self.size() <= begin:
            return
        with open(self.path, "rb") as stream:
            offset: Optional[int] = begin
            while offset is not None:
                header, end = _header_at(stream, offset)
                if header is None:
                    offset = _next_mark(stream, offset + 1)
                    continue
                yield offset, header
                offset = end


def _header_at(stream: BinaryIO, offset: int) -> Tuple[Optional[Mapping[str, Any]], int]:
    """Return the header of the entry at ``offset`` and the offset of its end, without reading its body.

    Return (None, 0) if there is no entry, and None with the end if the header is not an object.
    """
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
    header_bytes, body = stream.read(head_size), stream.read(body_size)
    if len(body) < body_size or zlib.crc32(body, zlib.crc32(header_bytes)) != crc:
        return None
    try:
        header = json.loads(header_bytes)
        data = decompress(body)
    except (ValueError, zlib.error):
        return None
    end = offset + _FRAME.size + head_size + body_size
    return JournalEntry(offset, end, header, data) if isinstance(header, dict) else None


def _is_cut_off(stream: BinaryIO, offset: int) -> bool:
    """Return True if an entry begins at ``offset`` and the file ends before it does."""
    stream.seek(offset)
    frame_bytes = stream.read(_FRAME.size)
    if len(frame_bytes) < _FRAME.size:
        return ENTRY_MARK.startswith(frame_bytes[:len(ENTRY_MARK)])
    mark, head_size, body_size, _ = _FRAME.unpack(frame_bytes)
    return bool(mark == ENTRY_MARK) and offset + _FRAME.size + head_size + body_size > os.fstat(stream.fileno()).st_size


def _next_mark(stream: BinaryIO, offset: int) -> Optional[int]:
    """Return the next offset at which an entry may begin."""
    tail = b""
    stream.seek(offset)
    while True:
        chunk = stream.read(_CHUNK)
        if not chunk:
            return None
        position = (tail + chunk).find(ENTRY_MARK)
        if position >= 0:
            return offset - len(tail) + position
        offset += len(chunk)
        tail = (tail + chunk)[1 - len(ENTRY_MARK) :]

"""Some documents read for the index: a row, a digest and packed bytes for each record, all that writing needs.

A chunk goes from the process that reads to the one that writes as it is: who only hands it on looks at nothing in it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ..errors import CartoguideError
from ..gc_control import gc_paused
from ..i18n import tr
from .index_row import IndexRow
from .journal import compress, split_into_blocks
from .record_copies import IncomingRecord, PackedBlock
from .row_extraction import index_rows

#: a document on its way in: its place inside the source, and its bytes or what kept them from being fetched
SourceDocument = Tuple[str, Union[bytes, CartoguideError]]
_DIGEST_BYTES = 32
_FIELDS = tuple(one.name for one in fields(IndexRow))
_BOX, _KEYWORDS = _FIELDS.index("bbox"), _FIELDS.index("keywords")


@dataclass(frozen=True)
class EncodedChunk:
    """Records as they go from one process to another: how many, their rows as JSON, and their digests and blocks."""

    count: int
    rows: bytes
    digests_and_blocks: bytes


class ParsedChunk:
    """The records of some documents, and (place, why) of those that hold none that can be read."""

    def __init__(self, found: Sequence[IncomingRecord] = (), failed: Sequence[Tuple[str, str]] = (),
                 coded: Optional[EncodedChunk] = None) -> None:
        self.failures = list(failed)
        self._records = list(found)
        self._encoded = coded

    def __len__(self) -> int:
        return len(self._records) if self._encoded is None else self._encoded.count

    @property
    def records(self) -> List[IncomingRecord]:
        """The records."""
        return self._records if self._encoded is None else _decode(self._encoded)

    def encoded(self) -> EncodedChunk:
        """The records as they go to another process."""
        return _encode(self._records) if self._encoded is None else self._encoded


def document_size(data: Union[bytes, CartoguideError]) -> int:
    """The bytes of a document."""
    return len(data) if isinstance(data, bytes) else 0


def read_chunk(chunk: Sequence[SourceDocument]) -> ParsedChunk:
    """Read documents, and pack their records' bytes for the journal."""
    with gc_paused():
        return _read_chunk(chunk)


def _read_chunk(chunk: Sequence[SourceDocument]) -> ParsedChunk:
    read: List[Tuple[IndexRow, str, bytes]] = []
    failed: List[Tuple[str, str]] = []
    for place, data in chunk:
        if isinstance(data, CartoguideError):
            failed.append((place, data.user_text))
            continue
        lost: List[CartoguideError] = []
        try:
            records = index_rows(data, place, errors=lost)
        except CartoguideError as error:
            failed.append((place, error.user_text))
            continue
        failed += [(place, error.user_text) for error in lost]
        if not records:
            failed.append((place, tr("{name} is a catalogue’s answer without a record.", name=place)))
        numbers: Dict[str, int] = {}
        for row, own in records:
            # a document that names an identifier twice, or none, has two records there all the same
            number = numbers[row.identifier] = numbers.get(row.identifier, 0) + 1
            read.append((row, place if number == 1 else f"{place}#{number}", own))
    found: List[IncomingRecord] = []
    for begin, end in split_into_blocks([len(own) for _, _, own in read]):
        some = read[begin:end]
        block = PackedBlock(compress(b"".join(own for _, _, own in some)), tuple(len(own) for _, _, own in some))
        found += [
            IncomingRecord(row, place, b"",
                           hashlib.sha256(own).digest(), block, number) for number, (row, place, own) in enumerate(some)
        ]
    return ParsedChunk(found, failed)


def _encode(found: Sequence[IncomingRecord]) -> EncodedChunk:
    lines: List[Tuple[Any, ...]] = []
    parts: List[bytes] = []
    last: Optional[PackedBlock] = None
    for one in found:
        parts.append(one.digest)
        sizes: Tuple[int, ...] = ()
        packed_size = 0
        if one.block is not None and one.block is not last:
            last, sizes, packed_size = one.block, one.block.sizes, len(one.block.body)
            parts.append(one.block.body)
        lines.append((list(vars(one.row).values()), one.location, packed_size, sizes))
    return EncodedChunk(len(lines), json.dumps(lines).encode("ascii"), b"".join(parts))


def _decode(coded: EncodedChunk) -> List[IncomingRecord]:
    found: List[IncomingRecord] = []
    position = number = 0
    block: Optional[PackedBlock] = None
    for values, place, packed_size, sizes in json.loads(coded.rows):
        digest = coded.digests_and_blocks[position : position + _DIGEST_BYTES]
        position += _DIGEST_BYTES
        if sizes:
            block, number = PackedBlock(coded.digests_and_blocks[position : position + packed_size], tuple(sizes)), 0
            position += packed_size
        values[_KEYWORDS] = tuple(values[_KEYWORDS])
        values[_BOX] = None if values[_BOX] is None else tuple(values[_BOX])
        found.append(IncomingRecord(IndexRow(*values), place, b"", digest, block, number))
        number += 1
    return found

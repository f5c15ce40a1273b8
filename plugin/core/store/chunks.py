"""Some documents read for the index: a row, a digest and packed bytes for each record, all that writing needs.

A chunk goes from the process that reads to the one that writes as it is: who only hands it on looks at nothing in it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ..errors import CartoguideError
from ..garbage import unscanned
from ..i18n import tr
from .copies import Block, Incoming
from .extract import rows
from .indexing import IndexRow
from .journal import blocks, packed

#: a document on its way in: its place inside the source, and its bytes or what kept them from being fetched
Document = Tuple[str, Union[bytes, CartoguideError]]
_DIGEST = 32
_FIELDS = tuple(one.name for one in fields(IndexRow))
_BOX, _KEYWORDS = _FIELDS.index("box"), _FIELDS.index("keywords")


@dataclass(frozen=True)
class Coded:
    """Records as they go from one process to another: how many, their rows as JSON, and their digests and blocks."""

    count: int
    rows: bytes
    parts: bytes


class Chunk:
    """The records of some documents, and (place, why) of those that hold none that can be read."""

    def __init__(
        self, found: Sequence[Incoming] = (), failed: Sequence[Tuple[str, str]] = (), coded: Optional[Coded] = None
    ) -> None:
        self.failed = list(failed)
        self._found = list(found)
        self._coded = coded

    def __len__(self) -> int:
        return len(self._found) if self._coded is None else self._coded.count

    @property
    def found(self) -> List[Incoming]:
        """The records."""
        return self._found if self._coded is None else _decoded(self._coded)

    def coded(self) -> Coded:
        """The records as they go to another process."""
        return _coded(self._found) if self._coded is None else self._coded


def size_of(data: Union[bytes, CartoguideError]) -> int:
    """The bytes of a document."""
    return len(data) if isinstance(data, bytes) else 0


def read_chunk(chunk: Sequence[Document]) -> Chunk:
    """Read documents, and pack their records' bytes for the journal."""
    with unscanned():
        return _read_chunk(chunk)


def _read_chunk(chunk: Sequence[Document]) -> Chunk:
    read: List[Tuple[IndexRow, str, bytes]] = []
    failed: List[Tuple[str, str]] = []
    for place, data in chunk:
        if isinstance(data, CartoguideError):
            failed.append((place, data.user_text))
            continue
        lost: List[CartoguideError] = []
        try:
            records = rows(data, place, lost=lost)
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
    found: List[Incoming] = []
    for begin, end in blocks([len(own) for _, _, own in read]):
        some = read[begin:end]
        block = Block(packed(b"".join(own for _, _, own in some)), tuple(len(own) for _, _, own in some))
        found += [
            Incoming(row, place, b"", hashlib.sha256(own).digest(), block, number)
            for number, (row, place, own) in enumerate(some)
        ]
    return Chunk(found, failed)


def _coded(found: Sequence[Incoming]) -> Coded:
    lines: List[Tuple[Any, ...]] = []
    parts: List[bytes] = []
    last: Optional[Block] = None
    for one in found:
        parts.append(one.digest)
        sizes: Tuple[int, ...] = ()
        packed_size = 0
        if one.block is not None and one.block is not last:
            last, sizes, packed_size = one.block, one.block.sizes, len(one.block.body)
            parts.append(one.block.body)
        lines.append((list(vars(one.row).values()), one.place, packed_size, sizes))
    return Coded(len(lines), json.dumps(lines).encode("ascii"), b"".join(parts))


def _decoded(coded: Coded) -> List[Incoming]:
    found: List[Incoming] = []
    position = number = 0
    block: Optional[Block] = None
    for values, place, packed_size, sizes in json.loads(coded.rows):
        digest = coded.parts[position : position + _DIGEST]
        position += _DIGEST
        if sizes:
            block, number = Block(coded.parts[position : position + packed_size], tuple(sizes)), 0
            position += packed_size
        values[_KEYWORDS] = tuple(values[_KEYWORDS])
        values[_BOX] = None if values[_BOX] is None else tuple(values[_BOX])
        found.append(Incoming(IndexRow(*values), place, b"", digest, block, number))
        number += 1
    return found

"""Some documents read for the index: a row, a digest and packed bytes for each record, all that writing needs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Dict, List, Sequence, Tuple, Union

from ..errors import CartoguideError
from .copies import Block, Incoming
from .extract import rows
from .indexing import IndexRow
from .journal import blocks, packed

#: a document on its way in: its place inside the source, and its bytes or what kept them from being fetched
Document = Tuple[str, Union[bytes, CartoguideError]]


@dataclass
class Chunk:
    """The records of some documents, and (place, why) of those that hold none that can be read."""

    found: List[Incoming] = field(default_factory=list)
    failed: List[Tuple[str, str]] = field(default_factory=list)


def size_of(data: Union[bytes, CartoguideError]) -> int:
    """The bytes of a document."""
    return len(data) if isinstance(data, bytes) else 0


def read_chunk(chunk: Sequence[Document]) -> Chunk:
    """Read documents, and pack their records' bytes for the journal."""
    read: List[Tuple[IndexRow, str, bytes]] = []
    failed: List[Tuple[str, str]] = []
    for place, data in chunk:
        if isinstance(data, CartoguideError):
            failed.append((place, data.user_text))
            continue
        try:
            records = rows(data, place)
        except CartoguideError as error:
            failed.append((place, error.user_text))
            continue
        numbers: Dict[str, int] = {}
        for row, own in records:
            # a document that names an identifier twice, or none, has two records there all the same
            number = numbers[row.identifier] = numbers.get(row.identifier, 0) + 1
            read.append((row, place if number == 1 else f"{place}#{number}", own))
    found: List[Incoming] = []
    for begin, end in blocks([len(own) for _, _, own in read]):
        some = read[begin:end]
        block = Block(packed(b"".join(own for _, _, own in some)), end - begin)
        found += [
            Incoming(row, place, own, hashlib.sha256(own).digest(), block, number)
            for number, (row, place, own) in enumerate(some)
        ]
    return Chunk(found, failed)

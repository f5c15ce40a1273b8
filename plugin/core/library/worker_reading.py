"""A process that reads documents: what it is asked, and what it answers.

A question is [place, size] of each document as JSON, and the documents one after another; the answer the numbers of
those that could not be read and how many records there are, and the records as a chunk is coded.
"""

from __future__ import annotations

import json
from itertools import accumulate
from typing import List, Sequence, Tuple

from . import worker_process
from .parsed_chunks import EncodedChunk, ParsedChunk, read_chunk


def read_in_worker(process: worker_process.WorkerProcess, chunk: Sequence[Tuple[str, bytes]]) -> ParsedChunk:
    """What ``read_chunk`` gives for these documents; a document that cannot be read is read here again, because only
    this process speaks the person's language. OSError, EOFError: the process is lost.
    """
    sizes = json.dumps([(place, len(data)) for place, data in chunk]).encode("ascii")
    head, rows, parts = process.request([sizes, b"".join(data for _, data in chunk)], 3)
    about = json.loads(head)
    there = ParsedChunk(coded=EncodedChunk(about["count"], rows, parts))
    if not about["failed"]:
        return there
    here = read_chunk([chunk[number] for number in about["failed"]])
    there.failures = here.failures
    return ParsedChunk([*there.records, *here.records], here.failures) if here.records else there


def serve() -> None:
    """The far end."""
    worker_process.serve(_handle_read)


def _handle_read(ask: worker_process.ReceiveMessage, answer: worker_process.SendMessage) -> None:
    places = json.loads(ask())
    data = ask()
    ends = accumulate(size for _, size in places)
    chunk = [(place, data[end - size : end]) for (place, size), end in zip(places, ends)]
    found = read_chunk(chunk)
    failed: List[int] = []
    if found.failures:
        lost = {place for place, _ in found.failures}
        failed = [number for number, (place, _) in enumerate(chunk) if place in lost]
        found = read_chunk([one for one in chunk if one[0] not in lost])
    coded = found.encoded()
    answer(json.dumps({"failed": failed, "count": coded.count}).encode("ascii"))
    answer(coded.rows)
    answer(coded.digests_and_blocks)

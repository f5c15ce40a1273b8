"""A process that writes chunks into a store, so that the one with the window does nothing for an import but hand on.

A question is the store's path, the batch's origin and whether its marks are wanted, as JSON, and its chunks as they are
coded; the answer how many records were new, changed and same, and the marks. Where anything is wrong it only says so:
who asked does the same work again, and tells a person.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from . import worker_process
from .batch_writer import PAUSE, BatchOutcome, save_batch
from .connection_pool import ConnectionPool
from .journal import Journal
from .parsed_chunks import EncodedChunk, ParsedChunk
from .record_copies import IncomingRecord, Origin
from .record_writer import RecordWriter


def write_in_worker(process: worker_process.WorkerProcess, path: Path, origin: Origin, chunks: Sequence[ParsedChunk],
                    with_keys: bool) -> BatchOutcome:
    """Have a batch written. OSError, EOFError: the process is lost, or could not; what it wrote is there all the same,
    and is taken for the same when it is written again.
    """
    coded = [chunk.encoded() for chunk in chunks]
    question = {
        "path": os.fspath(path), "origin": vars(origin), "marks": with_keys, "counts": [one.count for one in coded]
    }
    messages = [json.dumps(question).encode("ascii")]
    for one in coded:
        messages += [one.rows, one.digests_and_blocks]
    head, marked = process.request(messages, 2)
    outcome = json.loads(head)
    if "error" in outcome:
        raise OSError(outcome["error"])
    return BatchOutcome(outcome["new"], outcome["changed"], outcome["same"], marked)


_writers: Dict[str, RecordWriter] = {}


def serve() -> None:
    """The far end."""
    worker_process.serve(_handle_write)


def _handle_write(ask: worker_process.ReceiveMessage, answer: worker_process.SendMessage) -> None:
    question = json.loads(ask())
    coded = [EncodedChunk(count, ask(), ask()) for count in question["counts"]]
    written: Optional[BatchOutcome] = None
    failure = ""
    try:
        batch: List[IncomingRecord] = [one for some in coded for one in ParsedChunk(coded=some).records]
        written = save_batch(
            _writer(question["path"]).save_batch, Origin(**question["origin"]), batch, question["marks"])
    except Exception as error:  # noqa: BLE001 - whatever it is, the other end comes upon it too, and tells of it
        failure = f"{type(error).__name__}: {error}"
    if written is None:
        answer(json.dumps({"error": failure}).encode("ascii"))
        answer(b"")
        return
    time.sleep(PAUSE)
    answer(json.dumps({"new": written.new, "changed": written.changed, "same": written.same}).encode("ascii"))
    answer(written.copy_keys)


def _writer(path: str) -> RecordWriter:
    if path not in _writers:
        where = Path(path)
        _writers[path] = RecordWriter(ConnectionPool(where), Journal(where.with_suffix(".journal")))
    return _writers[path]

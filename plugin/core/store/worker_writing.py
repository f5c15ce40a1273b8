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

from . import worker
from .batches import PAUSE, Written, put
from .chunks import Chunk, Coded
from .connections import Connections
from .copies import Incoming, Origin
from .journal import Journal
from .writing import Writer


def write(process: worker.Worker, path: Path, origin: Origin, chunks: Sequence[Chunk], marks: bool) -> Written:
    """Have a batch written. OSError, EOFError: the process is lost, or could not; what it wrote is there all the same,
    and is taken for the same when it is written again.
    """
    coded = [chunk.coded() for chunk in chunks]
    question = {"path": os.fspath(path), "origin": vars(origin), "marks": marks, "counts": [one.count for one in coded]}
    messages = [json.dumps(question).encode("ascii")]
    for one in coded:
        messages += [one.rows, one.parts]
    head, marked = process.ask(messages, 2)
    outcome = json.loads(head)
    if "error" in outcome:
        raise OSError(outcome["error"])
    return Written(outcome["new"], outcome["changed"], outcome["same"], marked)


_writers: Dict[str, Writer] = {}


def serve() -> None:
    """The far end."""
    worker.serve(_answer)


def _answer(ask: worker.Ask, answer: worker.Answer) -> None:
    question = json.loads(ask())
    coded = [Coded(count, ask(), ask()) for count in question["counts"]]
    written: Optional[Written] = None
    failure = ""
    try:
        batch: List[Incoming] = [one for some in coded for one in Chunk(coded=some).found]
        written = put(_writer(question["path"]).put, Origin(**question["origin"]), batch, question["marks"])
    except Exception as error:  # noqa: BLE001 - whatever it is, the other end comes upon it too, and tells of it
        failure = f"{type(error).__name__}: {error}"
    if written is None:
        answer(json.dumps({"error": failure}).encode("ascii"))
        answer(b"")
        return
    time.sleep(PAUSE)
    answer(json.dumps({"new": written.new, "changed": written.changed, "same": written.same}).encode("ascii"))
    answer(written.marks)


def _writer(path: str) -> Writer:
    if path not in _writers:
        where = Path(path)
        _writers[path] = Writer(Connections(where), Journal(where.with_suffix(".journal")))
    return _writers[path]

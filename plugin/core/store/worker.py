"""Another process of Python that reads documents: both ends of the line to it.

A question is two messages, JSON and bytes: [place, size] of each document, and the documents one after another. So is
the answer: what was found, with the records' digests, their bytes where a document holds more than one record, and the
packed blocks. Nothing on the line can make either end do anything else.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from contextlib import suppress
from dataclasses import fields
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple

from .chunks import Chunk, read_chunk
from .copies import Block, Incoming
from .indexing import IndexRow

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_DIGEST = 32
_FIELDS = tuple(one.name for one in fields(IndexRow))
_BOX, _KEYWORDS = _FIELDS.index("box"), _FIELDS.index("keywords")
_BEGIN = (
    "import importlib, json, sys; sys.path[:] = json.loads(sys.argv[1]); importlib.import_module(sys.argv[2]).serve()"
)
_INPUT, _OUTPUT = 0, 1
#: where cores are scarce, windows go first
_AFTER_OTHERS = 3
#: reading makes hardly any garbage that has to be looked for
_GARBAGE = 50_000


def python() -> Optional[str]:
    """The Python that a worker can run in; None where there is none for certain.

    Inside QGIS the running program is QGIS, and what goes by the name of Python there may be another version: it is
    looked for where this one's library is. A line that breaks must not end this process.
    """
    if not sys.platform.startswith("linux") or not hasattr(os, "posix_spawn"):
        return None
    if signal.getsignal(signal.SIGPIPE) != signal.SIG_IGN:
        return None
    major, minor = sys.version_info[:2]
    name = os.path.join(sys.base_exec_prefix, "bin", f"python{major}.{minor}")
    return name if os.access(name, os.X_OK) else None


class Worker:
    """The near end: a process that reads chunks of documents. OSError or EOFError from any method: it is lost."""

    def __init__(self, executable: str) -> None:
        from multiprocessing.connection import Connection

        far_read, near_write = os.pipe()
        near_read, far_write = os.pipe()
        self._questions, self._answers = Connection(near_write, readable=False), Connection(near_read, writable=False)
        try:
            self._process = os.posix_spawn(
                executable,
                [executable, "-c", _BEGIN, json.dumps([path for path in sys.path if path]), __name__],
                os.environ,
                file_actions=[(os.POSIX_SPAWN_DUP2, far_read, _INPUT), (os.POSIX_SPAWN_DUP2, far_write, _OUTPUT)],
            )
        except BaseException:
            self._questions.close()
            self._answers.close()
            raise
        finally:
            os.close(far_read)
            os.close(far_write)
        try:
            if json.loads(self._answers.recv_bytes()) != sys.version:
                raise OSError(f"{executable} is another Python")
        except BaseException:
            self.close()
            raise

    def read(self, chunk: Sequence[Tuple[str, bytes]]) -> Chunk:
        """What ``read_chunk`` gives for these documents; a document that cannot be read is read here again, because
        only this process speaks the person's language.
        """
        documents = [data for _, data in chunk]
        self._questions.send_bytes(json.dumps([(place, len(data)) for place, data in chunk]).encode("ascii"))
        self._questions.send_bytes(b"".join(documents))
        answer = json.loads(self._answers.recv_bytes())
        found = _unpacked(answer, self._answers.recv_bytes(), documents)
        failed = read_chunk([chunk[number] for number in answer["failed"]])
        return Chunk(found + failed.found, failed.failed)

    def close(self) -> None:
        """End the process, which holds nothing that could be lost."""
        self._questions.close()
        self._answers.close()
        with suppress(OSError):  # it may have ended by itself
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)


def serve() -> None:
    """The far end: answer until the line is closed."""
    from multiprocessing.connection import Connection

    questions, answers = Connection(os.dup(_INPUT), writable=False), Connection(os.dup(_OUTPUT), readable=False)
    os.dup2(2, _OUTPUT)  # what a library prints is no answer
    os.nice(_AFTER_OTHERS)
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    try:
        answers.send_bytes(json.dumps(sys.version).encode("ascii"))
        while True:
            _answer(questions, answers)
    except (EOFError, OSError):
        return  # the other end is gone


def _answer(questions: Connection, answers: Connection) -> None:
    places = json.loads(questions.recv_bytes())
    data = questions.recv_bytes()
    ends = list(accumulate(size for _, size in places))
    documents = [data[end - size : end] for (_, size), end in zip(places, ends)]
    found: List[Tuple[Any, ...]] = []
    failed: List[int] = []
    parts: List[bytes] = []
    chunks = [(place, content) for (place, _), content in zip(places, documents)]
    read = read_chunk(chunks)
    if read.failed:
        lost = {place for place, _ in read.failed}
        failed = [number for number, (place, _) in enumerate(chunks) if place in lost]
        read = read_chunk([one for one in chunks if one[0] not in lost])
    here = {id(content): number for number, content in enumerate(documents)}
    packed: Dict[int, int] = {}
    for one in read.found:
        whole = here.get(id(one.data))
        parts.append(one.digest)
        if whole is None:
            parts.append(one.data)
        found.append((list(vars(one.row).values()), one.place, whole, len(one.data), _number(one.block, packed, parts)))
    answers.send_bytes(json.dumps({"found": found, "failed": failed}).encode("ascii"))
    answers.send_bytes(b"".join(parts))


def _number(block: Optional[Block], packed: Dict[int, int], parts: List[bytes]) -> Tuple[int, int]:
    """(bytes, records) of the block that begins with this record; (0, 0) for the others in it."""
    if block is None or id(block) in packed:
        return 0, 0
    packed[id(block)] = len(packed)
    parts.append(block.body)
    return len(block.body), block.count


def _unpacked(answer: Dict[str, Any], data: bytes, documents: Sequence[bytes]) -> List[Incoming]:
    found = []
    position = number = 0
    block: Optional[Block] = None
    for values, place, whole, size, (packed, count) in answer["found"]:
        digest = data[position : position + _DIGEST]
        position += _DIGEST
        if whole is None:
            own = data[position : position + size]
            position += size
        else:
            own = documents[whole]
        if count:
            block, number = Block(data[position : position + packed], count), 0
            position += packed
        values[_KEYWORDS] = tuple(values[_KEYWORDS])
        values[_BOX] = None if values[_BOX] is None else tuple(values[_BOX])
        found.append(Incoming(IndexRow(*values), place, own, digest, block, number))
        number += 1
    return found

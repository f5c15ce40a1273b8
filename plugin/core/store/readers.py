"""Who reads the documents of an import: a thread, and where there are many, processes beside this one.

Reading is mostly Python's own work, which one process does on one core only, and during which a window in the same
process waits for its turn.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import List, Optional, Sequence, Tuple

from ..errors import CartoguideError
from . import worker, worker_reading
from .chunks import Chunk, Document, read_chunk, size_of

#: a process takes a moment to start; what is less than this is read sooner without one
FEW_BYTES = 5_000_000
_MOST_PROCESSES = 3
#: cores that are left to writing and to windows: with one process more on two cores a window is held twice as often
_LEFT = 1


class Readers:
    """Reads chunks of documents side by side. A worker that is lost costs nothing: its chunk is read here."""

    def __init__(self) -> None:
        self._python = worker.python() if _cores() > 1 else None
        self._threads = ThreadPoolExecutor(min(max(_cores() - _LEFT, 1), _MOST_PROCESSES), "cartoguide-import")
        self._lock = threading.Lock()
        self._own = threading.local()
        self._workers: List[worker.Worker] = []
        self._bytes = 0

    @property
    def beside(self) -> bool:
        """Whether there is enough to read for other processes to be worth their start, and there can be some."""
        return self._python is not None and self._bytes > FEW_BYTES

    def submit(self, chunk: Sequence[Document]) -> Future[Chunk]:
        """Have a chunk read; what only one thread may call."""
        self._bytes += sum(size_of(data) for _, data in chunk)
        if self.beside:
            return self._threads.submit(self._read_beside, chunk)
        return self._threads.submit(self._read_here, chunk)

    def __enter__(self) -> Readers:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown()
        for one in self._workers:
            one.close()

    def _read_here(self, chunk: Sequence[Document]) -> Chunk:
        with self._lock:  # two threads would only keep each other from the interpreter
            return read_chunk(chunk)

    def _read_beside(self, chunk: Sequence[Document]) -> Chunk:
        whole: List[Tuple[str, bytes]] = [(place, data) for place, data in chunk if isinstance(data, bytes)]
        lost = [(place, data.user_text) for place, data in chunk if isinstance(data, CartoguideError)]
        one = self._worker()
        if one is None:
            return self._read_here(chunk)
        try:
            read = worker_reading.read(one, whole)
        except (OSError, EOFError, ValueError):
            self._python = None
            return self._read_here(chunk)
        read.failed[:0] = lost
        return read

    def _worker(self) -> Optional[worker.Worker]:
        """This thread's process."""
        python = self._python
        if python is None:
            return None
        if not hasattr(self._own, "worker"):
            try:
                self._own.worker = worker.Worker(python, worker_reading.__name__)
            except (OSError, EOFError, ValueError):
                self._python = None
                return None
            self._workers.append(self._own.worker)
        found: worker.Worker = self._own.worker
        return found


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

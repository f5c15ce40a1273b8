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
from . import worker_process, worker_reading
from .parsed_chunks import ParsedChunk, SourceDocument, document_size, read_chunk

#: a process takes a moment to start; what is less than this is read sooner without one
PROCESS_THRESHOLD_BYTES = 5_000_000
_MAX_PROCESSES = 3
#: cores that are left to writing and to windows: with one process more on two cores a window is held twice as often
_RESERVED_CORES = 1


class ReaderPool:
    """Reads chunks of documents side by side. A worker that is lost costs nothing: its chunk is read here."""

    def __init__(self) -> None:
        self._python = worker_process.find_python() if _cores() > 1 else None
        self._threads = ThreadPoolExecutor(min(max(_cores() - _RESERVED_CORES, 1), _MAX_PROCESSES), "cartoguide-import")
        self._lock = threading.Lock()
        self._thread_local = threading.local()
        self._workers: List[worker_process.WorkerProcess] = []
        self._bytes = 0

    @property
    def uses_processes(self) -> bool:
        """Whether there is enough to read for other processes to be worth their start, and there can be some."""
        return self._python is not None and self._bytes > PROCESS_THRESHOLD_BYTES

    def submit(self, chunk: Sequence[SourceDocument]) -> Future[ParsedChunk]:
        """Have a chunk read; what only one thread may call."""
        self._bytes += sum(document_size(data) for _, data in chunk)
        if self.uses_processes:
            return self._threads.submit(self._read_in_process, chunk)
        return self._threads.submit(self._read_in_thread, chunk)

    def __enter__(self) -> ReaderPool:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown()
        for one in self._workers:
            one.close()

    def _read_in_thread(self, chunk: Sequence[SourceDocument]) -> ParsedChunk:
        with self._lock:  # two threads would only keep each other from the interpreter
            return read_chunk(chunk)

    def _read_in_process(self, chunk: Sequence[SourceDocument]) -> ParsedChunk:
        whole: List[Tuple[str, bytes]] = [(place, data) for place, data in chunk if isinstance(data, bytes)]
        lost = [(place, data.user_text) for place, data in chunk if isinstance(data, CartoguideError)]
        one = self._worker()
        if one is None:
            return self._read_in_thread(chunk)
        try:
            read = worker_reading.read_in_worker(one, whole)
        except (OSError, EOFError, ValueError):
            self._python = None
            return self._read_in_thread(chunk)
        read.failures[:0] = lost
        return read

    def _worker(self) -> Optional[worker_process.WorkerProcess]:
        """This thread's process."""
        python = self._python
        if python is None:
            return None
        if not hasattr(self._thread_local, "worker"):
            try:
                self._thread_local.worker = worker_process.WorkerProcess(python, worker_reading.__name__)
            except (OSError, EOFError, ValueError):
                self._python = None
                return None
            self._workers.append(self._thread_local.worker)
        found: worker_process.WorkerProcess = self._thread_local.worker
        return found


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

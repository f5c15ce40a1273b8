"""What a benchmark watches beside the work: how late a timer fires, how much memory and how many cores are used."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator, List, Sequence

from harness import Row
from lxml import etree

# some of the programs that import this one have no other folder than theirs on the path
sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from slowness import waited_for_a_core  # noqa: E402

_TICK = 0.005
#: another process with the same timer and nothing to do: what is late there is the machine's
_IDLE = """
import sys, threading, time
late, ended = [], threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
while not ended.is_set():
    began = time.perf_counter()
    time.sleep(0.005)
    late.append((time.perf_counter() - began - 0.005) * 1000)
print(max(late, default=0.0))
"""


class Idle:
    """How late a timer of 5 ms fires at worst in another process that has nothing else to do: ``late``, at the end."""

    def __enter__(self) -> Idle:
        self.late = 0.0
        self._process = subprocess.Popen(
            [sys.executable, "-c", _IDLE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: Any) -> None:
        self.late = float(self._process.communicate("")[0] or 0)


class Watch(threading.Thread):
    """How late a timer of 5 ms fires in this process, and in an idle one; the most memory that this process takes."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._ended = threading.Event()
        self.before = self.memory = resident()
        self.late: List[float] = [0.0]
        #: without what was spent waiting for a core
        self.own: List[float] = [0.0]
        self._idle = Idle()

    def run(self) -> None:
        while not self._ended.is_set():
            started, waited = time.perf_counter(), waited_for_a_core()
            time.sleep(_TICK)
            self.late.append((time.perf_counter() - started - _TICK) * 1000)
            self.own.append(self.late[-1] - (waited_for_a_core() - waited) * 1000)
            if len(self.late) % 20 == 0:
                self.memory = max(self.memory, resident())

    def __enter__(self) -> Watch:
        self._idle.__enter__()
        self.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._ended.set()
        self.join()
        self._idle.__exit__()

    def row(self, name: str) -> Row:
        """How late the timer was at worst."""
        return late_row(name, self.late, self._idle.late, "a timer's thread beside it", self.own)


def late_row(name: str, late: Sequence[float], machine: float, what: str, own: Sequence[float]) -> Row:
    """How late a timer (milliseconds) was at worst, beside the same in an idle process at the same time; ``own`` is the
    same without what was spent waiting for a core, which other programs had.
    """
    ordered = sorted(late)
    share = {part: ordered[int((len(ordered) - 1) * part / 100)] for part in (99, 99.9)}
    note = (
        f"{what}, {len(ordered)} ticks, 99 % within {share[99]:.0f} ms, 99.9 % within {share[99.9]:.0f} ms; at worst "
        f"{max(own):.0f} ms without waiting for a core; {load()}"
    )
    return Row(name, ordered[-1], "ms", "the same timer in an idle process", machine, "value <= 50", note)


def load() -> str:
    """How busy the machine is, whoever keeps it so."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def resident(process: object = "self") -> float:
    """The memory that a process has in use, in MB, without what it maps of files."""
    with open(f"/proc/{process}/status", encoding="ascii") as stream:
        for line in stream:
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1000
    return 0.0


@contextmanager
def cores(count: int) -> Iterator[None]:
    """Only so many cores for this process."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(before)[:count]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def core_seconds() -> float:
    """The time that cores have worked for this process and for those that it started and that have ended."""
    every = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in every)


def bare_rate(documents: Sequence[bytes], read: Callable[[bytes], object] = etree.fromstring) -> float:
    """Documents in a second of one core's time, whoever else uses the core meanwhile; the best of three."""
    rates = []
    for _ in range(3):
        started = time.thread_time()
        for data in documents:
            read(data)
        rates.append(len(documents) / (time.thread_time() - started))
    return max(rates)

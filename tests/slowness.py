"""How much longer than alone a test may take on a machine that has other work, and for how long it was held itself."""

from __future__ import annotations

import os
import time
from typing import Dict

#: seconds that a test waits for an event before it fails. Only a test that fails waits so long
_PATIENCE = 60.0
#: seconds after which pytest-timeout (pyproject.toml) would end the whole run
_MOST = 500.0
#: the system reads a file to tell it
_CORES = os.cpu_count() or 1


def slowness() -> float:
    """Return the runnable processes per core of the last minute, at least 1: the factor for every limit of time."""
    try:
        return max(1.0, os.getloadavg()[0] / _CORES)
    except OSError:
        return 1.0


def patience(seconds: float = 0.0) -> float:
    """Return how long to wait for an event or a process that takes at most ``seconds`` on a machine without other work.

    The load of the last minute lags behind: a limit must be generous on its own.
    """
    return min(max(_PATIENCE, seconds) * slowness(), _MOST)


class LoopWatch:
    """The longest time between two beats of an event loop that its thread worked or was held.

    Connect ``tick`` to a timer of ``interval`` seconds. ``longest`` is in seconds, beyond that interval. It is without
    the time for which this thread, or another one of the process that it may have waited for, was ready to run while
    other processes had the cores.
    """

    def __init__(self, interval: float = 0.01) -> None:
        self._interval = interval
        self._files: Dict[str, int] = {}
        self.start()

    def __del__(self) -> None:
        for file in self._files.values():
            os.close(file)

    def start(self) -> None:
        """Measure from now."""
        self.longest = 0.0
        self._last = (time.monotonic(), time.thread_time(), self._waits())

    def tick(self) -> None:
        """The beat of the timer."""
        last, now = self._last, (time.monotonic(), time.thread_time(), self._waits())
        waited = max((seconds - last[2].get(thread, 0.0) for thread, seconds in now[2].items()), default=0.0)
        self.longest = max(self.longest, max(now[1] - last[1], now[0] - last[0] - waited) - self._interval)
        self._last = now

    def _waits(self) -> Dict[str, float]:
        """The seconds for which each thread was ready to run while others did (empty where the system is silent)."""
        try:
            threads = os.listdir("/proc/self/task")
        except OSError:
            return {}
        found = {}
        for thread in {*threads, *self._files}:
            try:
                if thread not in self._files:
                    self._files[thread] = os.open(f"/proc/self/task/{thread}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
                found[thread] = int(os.pread(self._files[thread], 99, 0).split()[1]) / 1e9
            except (OSError, IndexError):
                # it has ended
                if thread in self._files:
                    os.close(self._files.pop(thread))
        return found


def own_clock() -> float:
    """Return seconds of a clock that stands still while this thread is ready to run and others do."""
    return time.monotonic() - waited_for_a_core()


def waited_for_a_core() -> float:
    """Return the seconds for which this thread was ready to run while others did (0 where the system does not say)."""
    try:
        with open("/proc/thread-self/schedstat", encoding="ascii") as stream:
            return int(stream.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0

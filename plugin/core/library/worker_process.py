"""Other processes of Python that work for this one: how they are started, and both ends of the line to them.

A question is some messages of bytes, and so is the answer. Nothing on the line can make either end do anything else.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from contextlib import suppress
from typing import Callable, List, Optional, Sequence, Tuple

from .cooperative_yield import disable_yielding

_BOOTSTRAP = (
    "import importlib, json, sys; sys.path[:] = json.loads(sys.argv[1]); importlib.import_module(sys.argv[2]).serve()")
_INPUT, _OUTPUT = 0, 1
#: Linux's F_SETPIPE_SZ, which Python has a name for from 3.10 on
_SET_PIPE_SIZE = 1031
_PIPE_BYTES = 1 << 20
#: where cores are scarce, windows go first
_NICENESS = 10
#: reading makes hardly any garbage that has to be looked for
_GC_THRESHOLD = 50_000

ReceiveMessage = Callable[[], bytes]
SendMessage = Callable[[bytes], None]


def find_python() -> Optional[str]:
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


class WorkerProcess:
    """The near end: a process that runs ``serve()`` of a module. OSError or EOFError from any method: it is lost."""

    def __init__(self, executable: str, module: str) -> None:
        from multiprocessing.connection import Connection

        far_read, near_write = _pipe()
        near_read, far_write = _pipe()
        self._requests, self._responses = Connection(near_write, readable=False), Connection(near_read, writable=False)
        try:
            self._process = os.posix_spawn(
                executable, [executable, "-c", _BOOTSTRAP,
                             json.dumps([path for path in sys.path if path]), module], os.environ,
                file_actions=[(os.POSIX_SPAWN_DUP2, far_read, _INPUT), (os.POSIX_SPAWN_DUP2, far_write, _OUTPUT)],
            )
        except BaseException:
            self._requests.close()
            self._responses.close()
            raise
        finally:
            os.close(far_read)
            os.close(far_write)
        try:
            if json.loads(self._responses.recv_bytes()) != sys.version:
                raise OSError(f"{executable} is another Python")
        except BaseException:
            self.close()
            raise

    def request(self, messages: Sequence[bytes], answers: int) -> List[bytes]:
        """Send a question, and wait for an answer of so many messages."""
        for message in messages:
            self._requests.send_bytes(message)
        return [self._responses.recv_bytes() for _ in range(answers)]

    def close(self) -> None:
        """End the process, which holds nothing that could be lost."""
        self._requests.close()
        self._responses.close()
        with suppress(OSError):  # it may have ended by itself
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)


def _pipe() -> Tuple[int, int]:
    """A pipe that takes a chunk in few pieces, where the system lets it: each piece wakes both ends."""
    import fcntl

    ends = os.pipe()
    with suppress(OSError):  # beyond what all of a person's pipes may take
        fcntl.fcntl(ends[1], _SET_PIPE_SIZE, _PIPE_BYTES)
    return ends


def serve(handle: Callable[[ReceiveMessage, SendMessage], None]) -> None:
    """The far end: have ``answer`` take each question and give its answer, until the line is closed."""
    from multiprocessing.connection import Connection

    questions, answers = Connection(os.dup(_INPUT), writable=False), Connection(os.dup(_OUTPUT), readable=False)
    os.dup2(2, _OUTPUT)  # what a library prints is no answer
    _lower_priority()
    disable_yielding()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD)
    try:
        answers.send_bytes(json.dumps(sys.version).encode("ascii"))
        while True:
            handle(questions.recv_bytes, answers.send_bytes)
    except (EOFError, OSError):
        return  # the other end is gone


def _lower_priority() -> None:
    """Let windows go first, and do not take a core from one that was just woken."""
    os.nice(_NICENESS)
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))

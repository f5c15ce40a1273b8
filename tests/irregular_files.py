"""Paths that are no regular files, or huge ones, as anybody may name them: for the tests of what reads files."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from pathlib import Path
from typing import Iterator

import pytest

#: kinds of paths that no reader opens
IRREGULAR = ("folder", "fifo", "socket", "link to a fifo", "link to zero", "/dev/zero", "/dev/null", "/dev/ptmx",
             "/dev/tty", "dangling link", "circle of links", "missing", "name with a zero byte")
HUGE = "3 GB"
#: seconds after which something hangs, on the slowest machine; bytes that a reader may read before it sees how many
HANGS, MOST_READ = 60.0, 500_000_000


@contextlib.contextmanager
def at_once() -> Iterator[None]:
    """Fail where what is done inside waits for somebody, or reads a file of gigabytes or one without end."""
    began, before = time.monotonic(), _bytes_read()
    yield
    assert time.monotonic() - began < HANGS
    assert _bytes_read() - before < MOST_READ


def _bytes_read() -> int:
    """The bytes that this process has read so far, by whatever thread (0 where the system does not say)."""
    try:
        with open("/proc/self/io", encoding="ascii") as stream:
            return int(stream.readline().split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def make_irregular(path: Path, kind: str) -> str:
    """Make ``path`` one of a kind, and return it. A device is a path of its own."""
    if kind.startswith("/dev/"):
        if not os.path.exists(kind):
            pytest.skip(f"no {kind} here")
        return kind
    if kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        # the name stays when the socket is closed. It may be no longer than some systems allow
        with socket.socket(socket.AF_UNIX) as made:
            here = os.getcwd()
            os.chdir(path.parent)
            try:
                made.bind(path.name)
            finally:
                os.chdir(here)
    elif kind == "link to a fifo":
        os.mkfifo(path.with_name("pipe"))
        path.symlink_to(path.with_name("pipe"))
    elif kind == "link to zero":
        path.symlink_to("/dev/zero")
    elif kind == "dangling link":
        path.symlink_to(path.with_name("nothing"))
    elif kind == "circle of links":
        path.symlink_to(path)
    elif kind == "name with a zero byte":
        return f"{path}\x00{path.suffix}"
    elif kind == HUGE:
        with open(path, "wb") as stream:
            stream.truncate(3_000_000_000)
    return str(path)

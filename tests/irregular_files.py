"""Paths that are no regular files, or huge ones, as anybody may name them: for the tests of what reads files."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

#: kinds of paths that no reader opens
IRREGULAR = ("folder", "fifo", "socket", "link to a fifo", "link to zero", "/dev/zero", "/dev/null", "/dev/ptmx",
             "/dev/tty", "dangling link", "circle of links", "missing", "name with a zero byte")
HUGE = "3 GB"


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

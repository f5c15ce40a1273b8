"""Texts as somebody hostile would write them into a record, a service or a document, and a watch on opened files."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path
from typing import Iterator

#: environment variable that the expressions in the texts read
SECRET_NAME, SECRET = "CARTOGUIDE_SECRET", "secret-of-the-environment"
#: an expression that takes minutes, with little memory
ENDLESS = "array_length(array_foreach(generate_series(1, 30000), array_length(generate_series(1, 3000))))"
DIRECTION_MARKS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
FORMULA = "=cmd|'/C calc'!A0"


def hostile(image: Path, word: str = "") -> str:
    """A text with a tag that opens ``image``, links, expressions and marks. ``word`` makes it different from others."""
    return (f'<img src="file://{image}"><b>{word}</b> <a href="file://{image}">a</a> <a href="javascript:b()">b</a> '
            f"[% env('{SECRET_NAME}') %] [% {ENDLESS} %] %1 &url=http://evil.invalid/ \u202egnp.exe\u202c {FORMULA}")


class OpenedFiles:
    """Counts how often a file is opened, by anybody (inotify, Linux)."""

    _OPEN, _NONBLOCK = 0x20, os.O_NONBLOCK

    def __init__(self, path: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._descriptor = libc.inotify_init1(self._NONBLOCK)
        if self._descriptor < 0 or libc.inotify_add_watch(self._descriptor, os.fsencode(path), self._OPEN) < 0:
            raise OSError(ctypes.get_errno(), "inotify")

    def count(self) -> int:
        """The number of times since the last call."""
        return sum(1 for _ in self._events())

    def _events(self) -> Iterator[int]:
        try:
            data = os.read(self._descriptor, 65536)
        except BlockingIOError:
            return
        while data:
            _, mask, _, length = struct.unpack_from("iIII", data)
            data = data[16 + length:]
            yield mask

    def close(self) -> None:
        """End the watch."""
        os.close(self._descriptor)

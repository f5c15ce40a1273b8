"""``python -m plugin.core`` without its start, which takes longer than nearly all that it does."""

from __future__ import annotations

import io
import os
import sys
from typing import NamedTuple
from unittest.mock import patch


class Ended(NamedTuple):
    """What subprocess.run would return of it."""

    returncode: int
    stdout: bytes
    stderr: bytes


def run_command(*arguments: str, data: bytes = b"", encoding: str = "utf-8", **environment: str) -> Ended:
    """Run the command line in this process with ``data`` as its standard input.

    Of this process's environment it sees no language, as QGIS's tests leave it: what ``environment`` says counts.
    """
    from plugin.core.__main__ import run_command_line

    seen = {name: value for name, value in os.environ.items() if name not in ("LC_ALL", "LC_MESSAGES", "LANGUAGE")}
    out, errors = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(stream, encoding, newline="\n") for stream in (io.BytesIO(data), out, errors)]
    with patch.dict(os.environ, {**seen, "LANG": "C", **environment}, clear=True), \
            patch.multiple(sys, argv=["core", *arguments], **dict(zip(("stdin", "stdout", "stderr"), streams))):
        try:
            status = run_command_line()
        except SystemExit as ended:
            status = int(ended.code or 0)
        for stream in streams[1:]:
            stream.flush()
    return Ended(status, out.getvalue(), errors.getvalue())

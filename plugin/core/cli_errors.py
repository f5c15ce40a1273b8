"""Error messages of the commands on standard error, one line for each problem."""

from __future__ import annotations

import sys

from .errors import CartoguideError


def print_error(text: str) -> None:
    """Write ``text`` as a line to standard error, after the text written to standard output so far."""
    sys.stdout.flush()
    sys.stderr.write(text + "\n")


def error_line(name: str, error: CartoguideError) -> str:
    """Return the text of ``error`` on one line that begins with the file name."""
    text = " ".join(error.user_text.split())
    return text if text.startswith(name) else f"{name}: {text}"

"""What the commands tell on standard error: one line for each thing that went wrong."""

from __future__ import annotations

import sys

from .errors import CartoguideError


def print_error(text: str) -> None:
    """Write ``text`` as a line of its own, behind what standard output has got so far."""
    sys.stdout.flush()
    sys.stderr.write(text + "\n")


def error_line(name: str, error: CartoguideError) -> str:
    """One line that begins with the file, whatever the error says."""
    text = " ".join(error.user_text.split())
    return text if text.startswith(name) else f"{name}: {text}"

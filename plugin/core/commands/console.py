"""Standard input, output and error of the commands, and errors on one line each."""

from __future__ import annotations

import sys

from ..errors import CartoguideError
from ..safe_xml import MAX_BYTES


def print_error(text: str) -> None:
    """Write ``text`` as a line to standard error, after the text written to standard output so far."""
    sys.stdout.flush()
    sys.stderr.write(text + "\n")


def error_line(name: str, error: CartoguideError) -> str:
    """Return the text of ``error`` on one line that begins with the file name."""
    text = " ".join(error.user_text.split())
    return text if text.startswith(name) else f"{name}: {text}"


def print_file_error(path: str, error: Exception) -> int:
    """Write the error of a file as a line to standard error. Return 1, the exit status."""
    if isinstance(error, OSError):
        sys.stderr.write(f"{path}: {error.strerror or error}\n")
    else:
        sys.stderr.write(f"{path}: {error}\n")
    return 1


def read_bytes(path: str) -> bytes:
    """Return the bytes of a file, or of standard input for ``-``, cut off just above the size limit."""
    if path == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with open(path, "rb") as file:
        return file.read(MAX_BYTES + 1)


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is not None:
        buffer.write(data)
    else:
        sys.stdout.write(data.decode("utf-8"))


def escape_unencodable_output() -> None:
    """Write characters that the terminal's encoding lacks as escapes, so that no character stops the output."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")

"""Standard input, output and error of the commands, and errors on one line each."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Mapping, Sequence

from ..i18n import tr
from ..safe_xml import MAX_BYTES


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--language`` to a command."""
    parser.add_argument("--language", default="", metavar="CODE",
                        help=tr("language of the output and of localised texts (es, en …)"))


def requested_language(arguments: Sequence[str]) -> str:
    """Return the language that ``arguments`` ask for, or an empty text. argparse's own texts are in it too."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--language", nargs="?", default="")
    return parser.parse_known_args(list(arguments))[0].language or ""


def print_error(text: str) -> None:
    """Write ``text`` as a line to standard error, after the text written to standard output so far."""
    sys.stdout.flush()
    sys.stderr.write(text + "\n")


def print_file_error(path: str, error: Exception) -> int:
    """Write the error of a file to standard error, on one line that begins with its path. Return 1, the exit status."""
    reason = str((isinstance(error, OSError) and error.strerror) or error)
    text = " ".join(reason.split())
    print_error(text if text.startswith(path) else f"{path}: {text}")
    return 1


def print_json_line(values: Mapping[str, Any]) -> None:
    """Print values as one line of JSON, with escapes where the output's encoding lacks a character."""
    line = json.dumps(values, ensure_ascii=False)
    try:
        line.encode(sys.stdout.encoding or "ascii")
    except UnicodeError:
        line = json.dumps(values)
    sys.stdout.write(line + "\n")


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

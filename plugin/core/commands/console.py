"""Standard input, output and error of the commands, and errors on one line each."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import select
import sys
import time
from typing import Any, BinaryIO, Mapping, Sequence

from ..i18n import tr
from ..records.input.file_reader import MAX_PACKAGE_BYTES, is_pipe
from ..records.model.languages import alpha3
from ..safe_xml import MAX_BYTES
from ..trust.files import UnusableFile, open_regular

#: time for another program to begin writing to a pipe, in seconds
_WRITER_SECONDS = 0.5


def add_language_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", default="", metavar="CODE", type=_known_language,
                        help=tr("language of the output and of localised texts (es, en …)"))


def _known_language(text: str) -> str:
    """Return a language as written. Raises ArgumentTypeError for a code that names none."""
    if text and not alpha3(re.split(r"[-_.@]", text.strip(), maxsplit=1)[0]):
        raise argparse.ArgumentTypeError(tr(
            "Unknown language “{code}”. Use a code of ISO 639, such as es or spa.", code=text))
    return text


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
    """Return the bytes of a file, a pipe, or of standard input for ``-``, cut off just above the size limit.

    Raises CartoguideError where the file cannot be opened.
    """
    if path == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with open_input(path) as file:
        return file.read(MAX_BYTES + 1)


def open_input(path: str) -> BinaryIO:
    """Return a regular file, or what another program writes to a pipe, opened for reading.

    Raises CartoguideError where the file cannot be opened, or nobody begins to write to the pipe.
    """
    return io.BytesIO(_pipe_bytes(path)) if is_pipe(path) else open_regular(path)


def _pipe_bytes(path: str) -> bytes:
    """Return the bytes of a named pipe, cut off just above the size limit of packages."""
    data, until, has_writer = bytearray(), time.monotonic() + _WRITER_SECONDS, False
    with io.FileIO(path, opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as stream:
        while len(data) <= MAX_PACKAGE_BYTES:
            piece = stream.read(1 << 20)
            if piece:
                data += piece
            elif piece is None:
                # a program has opened the pipe, and has written nothing more yet
                has_writer = True
                select.select([stream], [], [])
            elif data or has_writer:
                break
            elif time.monotonic() > until:
                raise UnusableFile(tr("{name} is a pipe that no program writes to.", name=path))
            else:
                time.sleep(_WRITER_SECONDS / 20)
    return bytes(data)


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

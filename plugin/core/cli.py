"""Cartoguide without QGIS: ``python3 -m plugin.core`` reads records and capabilities, and shows requests."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Iterator, List, Optional, Sequence, Tuple

from .console import complain, line_of
from .errors import CartoguideError
from .i18n import tr
from .records import Record
from .records.checks import cli as checks
from .records.files import Found, is_pipe, read_path, read_stream
from .records.sheet import sheet_html
from .records.summary import summary
from .terms import Terms, resolve
from .wms import cli as services


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run one subcommand; the exit status is 1 if something could not be read, 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python3 -m plugin.core", description=tr(
        "Reads catalogue records and map services, with no QGIS and no network."))
    subparsers = parser.add_subparsers(title=tr("commands"), metavar="")
    _add_read(subparsers)
    checks.add_parser(subparsers)
    services.add_parsers(subparsers)
    _write_anything()
    options = parser.parse_args(arguments)
    if not hasattr(options, "run"):
        parser.print_help()
        return 0
    try:
        status = int(options.run(options) or 0)
        sys.stdout.flush()
    except CartoguideError as error:
        complain(error.user_text)
        return 1
    except BrokenPipeError:
        # whoever read the output has seen enough; the interpreter must not complain at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status


def _add_read(subparsers: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    command = subparsers.add_parser("read", help=tr("read catalogue records and show them with their terms"))
    command.add_argument("files", nargs="+", metavar="FILE",
                         help=tr("a file, a package (zip, MEF), a folder, or - for the standard input"))
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=tr("one JSON object a line: the Record, its terms"))
    form.add_argument("--html", action="store_true", help=tr("one page to read and to print"))
    command.add_argument("--language", default="", metavar="CODE", help=tr("which localised texts to show (es, en …)"))
    command.set_defaults(run=_read)


def _read(options: argparse.Namespace) -> int:
    status = 0
    gathered: List[Tuple[Record, Terms]] = []
    for given in options.files:
        for name, found in _found(given, options.language):
            if isinstance(found, CartoguideError):
                complain(line_of(name, found))
                status = 1
            elif found is None:
                complain(tr("{name}: an answer without a record.", name=name))
            elif options.html:
                gathered.append((found, resolve(found)))
            elif options.json:
                _print_json(found, resolve(found))
            else:
                sys.stdout.write(summary(found, resolve(found)) + "\n")
    if gathered:
        sys.stdout.flush()
        _write_bytes(sheet_html(gathered).encode("utf-8"))
    return status


def _found(given: str, language: str) -> Iterator[Tuple[str, Found]]:
    """What a file, a folder, a pipe or (as "-") the standard input holds."""
    if given == "-" and sys.stdin is not None:
        yield from read_stream(sys.stdin.buffer, "stdin", language)
    elif is_pipe(given):
        with open(given, "rb") as stream:
            yield from read_stream(stream, given, language)
    else:
        yield from read_path(given, language)


def _print_json(record: Record, terms: Terms) -> None:
    values = {**record.to_dict(), "terms": terms.to_dict()}
    line = json.dumps(values, ensure_ascii=False)
    try:
        line.encode(sys.stdout.encoding or "ascii")
    except UnicodeError:
        line = json.dumps(values)
    sys.stdout.write(line + "\n")


def _write_anything() -> None:
    """Let no character stop the output: what the terminal's encoding lacks is written as its escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _write_bytes(data: bytes) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is not None:
        buffer.write(data)
    else:
        sys.stdout.write(data.decode("utf-8"))

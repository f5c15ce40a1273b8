"""Command line without QGIS: reads records and capabilities, and shows requests."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Iterator, List, Optional, Sequence, Tuple

from .cli_errors import error_line, print_error
from .errors import CartoguideError
from .i18n import tr
from .records import Record
from .records.checks import check_command as checks
from .records.input.file_reader import ReadResult, is_pipe, read_path, read_stream
from .records.report.record_sheet import sheet_html
from .records.report.text_summary import text_summary
from .terms import Terms, terms_for
from .wms import cli as services


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run one subcommand. Return 1 if something could not be read, 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python3 -m plugin.core", description=tr(
        "Reads catalogue records and map services without QGIS and without network."))
    subparsers = parser.add_subparsers(title=tr("commands"), metavar="")
    _add_read_command(subparsers)
    checks.add_check_parser(subparsers)
    services.add_parsers(subparsers)
    _escape_unencodable_output()
    options = parser.parse_args(arguments)
    if not hasattr(options, "run"):
        parser.print_help()
        return 0
    try:
        status = int(options.run(options) or 0)
        sys.stdout.flush()
    except CartoguideError as error:
        print_error(error.user_text)
        return 1
    except BrokenPipeError:
        # the reader of the output has closed it, which the interpreter must not report at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status


def _add_read_command(subparsers: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    command = subparsers.add_parser("read", help=tr("read catalogue records and show them with their terms"))
    command.add_argument("files", nargs="+", metavar="FILE",
                         help=tr("a file, a package (zip, MEF), a folder, or - for the standard input"))
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=tr("one JSON object per line: the record and its terms"))
    form.add_argument("--html", action="store_true", help=tr("one HTML page to read and print"))
    command.add_argument("--language", default="", metavar="CODE", help=tr("language of localised texts (es, en …)"))
    command.set_defaults(run=_run_read)


def _run_read(options: argparse.Namespace) -> int:
    status = 0
    gathered: List[Tuple[Record, Terms]] = []
    for path in options.files:
        for name, found in _read_input(path, options.language):
            if isinstance(found, CartoguideError):
                print_error(error_line(name, found))
                status = 1
            elif found is None:
                print_error(tr("{name}: a response without records.", name=name))
            elif options.html:
                gathered.append((found, terms_for(found)))
            elif options.json:
                _print_json(found, terms_for(found))
            else:
                sys.stdout.write(text_summary(found, terms_for(found)) + "\n")
    if gathered:
        sys.stdout.flush()
        _write_to_stdout(sheet_html(gathered).encode("utf-8"))
    return status


def _read_input(path: str, language: str) -> Iterator[Tuple[str, ReadResult]]:
    """Yield the records of a file, a folder, a pipe or the standard input ("-")."""
    if path == "-" and sys.stdin is not None:
        yield from read_stream(sys.stdin.buffer, "stdin", language)
    elif is_pipe(path):
        with open(path, "rb") as stream:
            yield from read_stream(stream, path, language)
    else:
        yield from read_path(path, language)


def _print_json(record: Record, terms: Terms) -> None:
    values = {**record.to_dict(), "terms": terms.to_dict()}
    line = json.dumps(values, ensure_ascii=False)
    try:
        line.encode(sys.stdout.encoding or "ascii")
    except UnicodeError:
        line = json.dumps(values)
    sys.stdout.write(line + "\n")


def _escape_unencodable_output() -> None:
    """Write characters that the terminal's encoding lacks as escapes, so that no character stops the output."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _write_to_stdout(data: bytes) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is not None:
        buffer.write(data)
    else:
        sys.stdout.write(data.decode("utf-8"))

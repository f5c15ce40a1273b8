"""Command ``read``: records with their terms, from the command line."""

from __future__ import annotations

import argparse
import sys
from typing import Any, Iterator, List, Tuple

from ..errors import CartoguideError
from ..i18n import tr
from ..records import Record
from ..records.input.file_reader import ReadResult, is_pipe, read_path, read_stream
from ..records.report.record_sheet import sheet_html
from ..records.report.text_summary import text_summary
from ..terms import Terms, terms_for
from .console import open_input, print_error, print_file_error, print_json_line, write_bytes


def add_parser(subparsers: Any) -> None:
    """Add ``read`` to the subparsers of a command line."""
    command = subparsers.add_parser("read", help=tr("read catalogue records and show them with their terms"))
    command.add_argument("files", nargs="+", metavar="FILE",
                         help=tr("a file, a package (zip, MEF), a folder, or - for the standard input"))
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=tr("one JSON object per line: the record and its terms"))
    form.add_argument("--html", action="store_true", help=tr("one HTML page to read and print"))
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the records. Return 1 if something could not be read."""
    status = 0
    gathered: List[Tuple[Record, Terms]] = []
    for path in options.files:
        for name, result in read_input(path, options.language):
            if isinstance(result, CartoguideError):
                status = print_file_error(name, result)
            elif result is None:
                print_error(tr("{name}: a response without records.", name=name))
            elif options.html:
                gathered.append((result, terms_for(result)))
            elif options.json:
                print_json_line({**result.to_dict(), "terms": terms_for(result).to_dict()})
            else:
                sys.stdout.write(text_summary(result, terms_for(result)) + "\n")
    if gathered:
        sys.stdout.flush()
        write_bytes(sheet_html(gathered).encode("utf-8"))
    return status


def read_input(path: str, language: str) -> Iterator[Tuple[str, ReadResult]]:
    """Yield the records of a file, a folder, a pipe or the standard input ("-")."""
    if path == "-" and sys.stdin is not None:
        yield from read_stream(sys.stdin.buffer, "stdin", language)
    elif is_pipe(path):
        try:
            stream = open_input(path)
        except CartoguideError as error:
            yield path, error
            return
        with stream:
            yield from read_stream(stream, path, language)
    else:
        yield from read_path(path, language)

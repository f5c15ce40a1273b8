"""Command ``verify``: the credits that a map's file owes and carries, from the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, List

from ..errors import CartoguideError
from ..i18n import tr
from ..publication.map_verification import VerifiedMap, records_by_source, verify_map
from ..publication.verification_report import verification_html, verification_lines, verification_values
from ..publication.written_map import read_written_map
from ..records import Record
from ..terms import terms_for
from .console import print_error, print_file_error, print_json_line, write_bytes
from .read import read_input


def add_parser(subparsers: Any) -> None:
    """Add ``verify`` to the subparsers of a command line."""
    command = subparsers.add_parser(
        "verify", help=tr("verify that maps carry the credits that they owe"),
        description=tr("Reads the text, the metadata and the list of sources of exported maps. The exit status is 1 "
                       "unless every map is known to carry every credit that it owes."))
    command.add_argument("files", nargs="+", metavar="FILE",
                         help=tr("a map as PDF, SVG, PNG, JPEG or GeoTIFF, or a custom map"))
    command.add_argument("--records", action="append", default=[], metavar="PATH",
                         help=tr("records of the map’s services: a file, a package or a folder; can be repeated"))
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=tr("one JSON object per line"))
    form.add_argument("--html", action="store_true", help=tr("one HTML page to read and print"))
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what each map owes and carries. Return 1 unless all of them are complete and could be read."""
    status = 0
    records: List[Record] = []
    for path in options.records:
        for name, result in read_input(path, options.language):
            if isinstance(result, CartoguideError):
                status = print_file_error(name, result)
            elif result is not None:
                records.append(result)
    verified: List[VerifiedMap] = []
    for path in options.files:
        try:
            verified.append(verify_map(read_written_map(Path(path)), records_by_source(records), terms_for))
        except CartoguideError as error:
            print_error(error.user_text)
            status = 1
            continue
        if options.json:
            print_json_line(verification_values(verified[-1]))
        elif not options.html:
            sys.stdout.write("\n".join(verification_lines(verified[-1])) + "\n\n")
    if options.html and verified:
        sys.stdout.flush()
        write_bytes(verification_html(verified).encode("utf-8"))
    return status or int(not all(one.is_complete for one in verified))

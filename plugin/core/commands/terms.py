"""Command ``terms``: the terms of use of records and services, from the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from ..errors import CartoguideError
from ..i18n import tr
from ..records import Record
from ..terms import Terms, terms_for
from ..terms.labels import limit_label
from ..text import quoted, single_line
from ..wms import read_service
from ..wms.model.service import Service
from .console import print_file_error, print_json_line, read_bytes
from .read import read_input

#: the beginning of a document, in which the name of its root element is
_ROOT_BYTES = 4_000


def add_parser(subparsers: Any) -> None:
    """Add ``terms`` to the subparsers of a command line."""
    command = subparsers.add_parser("terms", help=tr("read the terms of use of records and services"))
    command.add_argument("files", nargs="+", metavar="FILE",
                         help=tr("records, packages, folders or capabilities documents, or - for the standard input"))
    command.add_argument("--json", action="store_true", help=tr("one JSON object per line"))
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the terms of each record or service. Return 1 if something could not be read."""
    status = 0
    for path in options.files:
        for name, resource in _resources(path, options.language):
            if isinstance(resource, CartoguideError):
                status = print_file_error(name, resource)
            elif options.json:
                print_json_line(_json_values(name, resource))
            else:
                sys.stdout.write("\n".join(_lines(name, resource)) + "\n\n")
    return status


def _resources(path: str, language: str) -> Iterator[Tuple[str, Union[Record, Service, CartoguideError]]]:
    """Yield the records of a path, or its service where it is a capabilities document."""
    service = _service(path)
    if service is not None:
        yield path, service
        return
    for name, resource in read_input(path, language):
        if resource is not None:
            yield name, resource


def _service(path: str) -> Optional[Service]:
    """Return the service of a capabilities document, or None for anything else."""
    if not Path(path).is_file():
        return None
    data = read_bytes(path)
    if b"_Capabilities" not in data[:_ROOT_BYTES]:
        return None
    try:
        return read_service(data, path)
    except CartoguideError:
        return None


def _terms(resource: Union[Record, Service]) -> Terms:
    return terms_for(resource) if isinstance(resource, Record) else terms_for(None, resource)


def _json_values(name: str, resource: Union[Record, Service]) -> Dict[str, Any]:
    identifier = resource.id if isinstance(resource, Record) else None
    source = (resource.source if isinstance(resource, Record) else None) or name
    return {"source": source, "id": identifier, "title": resource.title, **_terms(resource).to_dict()}


def _lines(name: str, resource: Union[Record, Service]) -> List[str]:
    """Return the title, the sentence, the credit line, the limits and the texts."""
    terms = _terms(resource)
    lines = [single_line(resource.title or name), "  " + single_line(terms.sentence)]
    if terms.credit:
        lines.append("  " + tr("Credit: {credit}", credit=terms.credit))
    lines += [f"  {limit_label(limit.kind)}: {quoted(single_line(limit.text))}" for limit in terms.limits]
    lines += [f"  {quoted(single_line(text))}" for text in terms.texts]
    return lines

"""Command ``capabilities``: the Service that a WMS capabilities document describes."""

from __future__ import annotations

import argparse
import sys
from typing import Any, List

from ..errors import CartoguideError
from ..i18n import tr
from ..wms.model.service import Layer, Service
from .console import print_file_error, print_json_line, read_bytes


def add_parser(subparsers: Any) -> None:
    """Add ``capabilities`` to the subparsers of a command line."""
    command = subparsers.add_parser("capabilities", help=tr("read WMS capabilities documents"))
    command.add_argument("file", nargs="+", metavar="FILE",
                         help=tr("a capabilities document, or - for the standard input"))
    command.add_argument("--json", action="store_true", help=tr("one JSON object per line: the service"))
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print each document's Service as JSON or as an outline. Return 1 if a document could not be read."""
    from ..wms.capabilities.parser import read_service

    status = 0
    for path in options.file:
        try:
            service = read_service(read_bytes(path), path)
        except (CartoguideError, OSError) as error:
            status = print_file_error(path, error)
            continue
        if options.json:
            print_json_line(service.to_dict())
        else:
            sys.stdout.write("\n".join(_outline(service)) + "\n")
    return status


def _outline(service: Service) -> List[str]:
    lines = [f"{service.title} (WMS {service.version})"]
    lines += [f"  {name}: {info.get or info.post or '–'}" for name, info in service.operations.items()]
    if service.root:
        lines += _layer_lines(service.root, 1)
    return lines


def _layer_lines(layer: Layer, depth: int) -> List[str]:
    name = f"[{layer.name}] " if layer.name else ""
    lines = [f"{'  ' * depth}{name}{layer.title}"]
    for child in layer.layers:
        lines += _layer_lines(child, depth + 1)
    return lines

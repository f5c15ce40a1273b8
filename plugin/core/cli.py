"""Command line without QGIS: reads records and capabilities, and shows requests."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Optional, Sequence

from .commands import capabilities, check, read, request, terms
from .commands.console import add_language_option, escape_unencodable_output, print_error, requested_language
from .errors import CartoguideError
from .i18n import set_translator, tr
from .resources import plugin_version
from .translation_catalogue import language_of_environment, load_translator


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run one subcommand. Return 1 if something could not be read, 2 for a wrong command line.

    The texts are in the language that ``--language`` names, else in that of the environment.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    language = requested_language(words) or language_of_environment(os.environ)
    set_translator(load_translator(language), language)
    try:
        return _run(words)
    finally:
        set_translator(None)


def _run(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m plugin.core", description=tr(
        "Reads catalogue records and map services without QGIS and without network."))
    parser.add_argument("--version", action="version", version=f"Cartoguide {plugin_version()}",
                        help=tr("print the version and exit"))
    subparsers = parser.add_subparsers(title=tr("commands"), metavar="")
    for command in (read, terms, check, capabilities, request):
        command.add_parser(subparsers)
    for subparser in subparsers.choices.values():
        add_language_option(subparser)
    escape_unencodable_output()
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

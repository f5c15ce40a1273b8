"""Command line without QGIS: reads, judges and checks records and capabilities, and builds requests."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import select
import sys
import textwrap
import time
from pathlib import Path
from typing import Any, BinaryIO, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from .box import Box
from .dates import format_date
from .distributions.record_distributions import wms_address
from .errors import CartoguideError, UnreadableDocument
from .i18n import set_translator, tr
from .network_profile import bundled_profile, read_profile_file
from .records.input.file_reader import MAX_PACKAGE_BYTES, ReadResult, is_pipe, read_path, read_stream
from .records.input.format_detection import DocumentFormat, detect_format
from .records.model.codelists import code_label
from .records.model.languages import alpha3, language_label
from .records.model.operation_grouping import group_operations
from .records.model.record import Contact, Record, title_of_record
from .request import HttpMethod, Request, as_curl_command, as_http_message
from .resources import plugin_version
from .review.checks.rules import Family, Finding, Severity, sorted_findings
from .review.report.record_sheet import sheet_html
from .safe_xml import MAX_BYTES, to_utf8
from .sources.descriptions import read_descriptions
from .terms import DescribedService, Terms, summary_sentence, terms_for
from .terms.labels import limit_label, trail_text
from .text import MAX_SHOWN, printable, quoted, single_line, truncate
from .translation_catalogue import language_of_environment, load_translator
from .trust.files import UnusableFile, open_regular
from .wms import read_service
from .wms.model.protocol import OPERATION_NAMES, OperationName, operation_key
from .wms.model.service import Layer, Service

#: time for another program to begin writing to a pipe, in seconds
_WRITER_SECONDS = 0.5
#: columns of a table of links, in the order of the members of a link
_LINK_COLUMNS = ("url", "protocol", "protocol_uri", "media_type", "function", "name", "description")
#: a record, or a service by its own description
_Resource = Union[Record, DescribedService]
#: the beginning of a document, in which the name of its root element is
_ROOT_BYTES = 4_000
#: characters of a line of a record's summary
_WIDTH = 96


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
    for add_parser in (add_read_parser, add_terms_parser, add_links_parser, add_check_parser,
                       add_capabilities_parser, add_request_parser):
        add_parser(subparsers)
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


def add_read_parser(subparsers: Any) -> None:
    command = subparsers.add_parser("read", help=tr("read catalogue records and show them with their terms"))
    command.add_argument("files", nargs="+", metavar="FILE",
                         help=tr("a file, a package (zip, MEF), a folder, or - for the standard input"))
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=tr("one JSON object per line: the record and its terms"))
    form.add_argument("--html", action="store_true", help=tr("one HTML page to read and print"))
    command.set_defaults(run=run_read)


def run_read(options: argparse.Namespace) -> int:
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


def add_terms_parser(subparsers: Any) -> None:
    command = subparsers.add_parser("terms", help=tr("read the terms of use of records and services"))
    command.add_argument("files", nargs="+", metavar="FILE",
                         help=tr("records, packages, folders or descriptions of services (capabilities, ArcGIS, OGC "
                                 "API, TileJSON, styles), or - for the standard input"))
    command.add_argument("--json", action="store_true", help=tr("one JSON object per line"))
    command.set_defaults(run=run_terms)


def run_terms(options: argparse.Namespace) -> int:
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


def _resources(path: str, language: str) -> Iterator[Tuple[str, Union[_Resource, CartoguideError]]]:
    """Yield the records of a path, or the services that its document describes."""
    data = b""
    if path == "-" and sys.stdin is not None:
        data = sys.stdin.buffer.read(MAX_PACKAGE_BYTES + 1)
    elif Path(path).is_file():
        data = read_bytes(path)
    services = _services(data, path)
    yield from ((path, service) for service in services)
    if services:
        return
    found = read_stream(io.BytesIO(data), "stdin", language) if path == "-" else read_input(path, language)
    for name, resource in found:
        if resource is not None:
            yield name, resource


def _services(data: bytes, path: str) -> Sequence[Union[DescribedService, CartoguideError]]:
    """Return the services of a capabilities document or of another description, none for anything else."""
    head = data[:_ROOT_BYTES]
    try:
        if b"WMS_Capabilities" in head or b"WMT_MS_Capabilities" in head:
            return [read_service(data, path)]
        if b"Capabilities" in head or detect_format(head) is DocumentFormat.JSON:
            return read_descriptions(data, path)
    except UnreadableDocument:
        return []
    except CartoguideError as error:
        return [error]
    return []


def _terms(resource: _Resource) -> Terms:
    return terms_for(resource) if isinstance(resource, Record) else terms_for(None, resource)


def _json_values(name: str, resource: _Resource) -> Dict[str, Any]:
    identifier = resource.id if isinstance(resource, Record) else None
    source = (resource.source if isinstance(resource, Record) else None) or name
    return {"source": source, "id": identifier, "title": resource.title, **_terms(resource).to_dict()}


def _lines(name: str, resource: _Resource) -> List[str]:
    """Return the title, the sentence, the credit line, the limits and the texts."""
    terms = _terms(resource)
    lines = [single_line(resource.title or name), "  " + single_line(terms.sentence)]
    if terms.credit:
        lines.append("  " + tr("Credit: {credit}", credit=terms.credit))
    lines += [f"  {limit_label(limit.kind)}: {quoted(single_line(limit.text))}" for limit in terms.limits]
    lines += [f"  {quoted(single_line(text))}" for text in terms.texts]
    return lines


def add_links_parser(subparsers: Any) -> None:
    command = subparsers.add_parser("links", help=tr("tell what the links of records lead to"), description=tr(
        "Prints one JSON object per line: for each link of a record, or for each row of a table of links (columns "
        "protocol, media_type, function, name and url, separated by tabs)."))
    command.add_argument("files", nargs="+", metavar="FILE",
                         help=tr("records, packages, folders or a table (.tsv), or - for the standard input"))
    command.set_defaults(run=run_links)


def run_links(options: argparse.Namespace) -> int:
    """Print the distribution of each link. Return 1 if something could not be read."""
    from .distributions.links import Link, read_link
    from .distributions.record_distributions import distributions_of

    status = 0
    for path in options.files:
        if path.lower().endswith((".tsv", ".tab")):
            for row in _table_rows(path):
                reading = read_link(Link(*(row.get(name) or "" for name in _LINK_COLUMNS)))
                print_json_line({"kind": reading.kind.value if reading.kind else "", "sure": reading.sure,
                                 "names": list(reading.names), "because": reading.because,
                                 "possible": [kind.value for kind in reading.possible]})
            continue
        for name, result in read_input(path, options.language):
            if isinstance(result, CartoguideError):
                status = print_file_error(name, result)
                continue
            for one in distributions_of(result) if result is not None else ():
                print_json_line({
                    "source": name, "id": result.id if result is not None else None,
                    "kind": one.kind.value if one.kind else "", "sure": one.sure, "names": list(one.names),
                    "because": one.because, "possible": [kind.value for kind in one.possible],
                    "role": one.role.value, "address": one.address, "title": one.title})
    return status


def _table_rows(path: str) -> List[Dict[str, str]]:
    """Return the rows of a table whose cells are separated by tabs, by the names of its first row."""
    import csv

    text = to_utf8(read_bytes(path)).decode("utf-8", "replace")
    return [{name or "": value or "" for name, value in row.items() if isinstance(value, str)}
            for row in csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)]


def add_check_parser(subparsers: Any) -> None:
    command = subparsers.add_parser(
        "check", help=tr("check catalogue records against INSPIRE, ISO 19119 and the network's conventions"),
        description=tr("Prints the issues, the most severe first. The exit status is 1 if an error is found or a "
                       "file cannot be read."))
    command.add_argument("files", nargs="*", metavar="FILE",
                         help=tr("a file, a package (zip, MEF), a folder, or - for the standard input"))
    command.add_argument("--csv", action="store_true", help=tr("print CSV with one row per issue"))
    command.add_argument("--family", action="append", choices=[family.value for family in Family], default=[],
                         help=tr("only the rules of this family; can be repeated"))
    command.add_argument("--profile", default="", metavar="FILE",
                         help=tr("the network profile whose conventions are checked (default: the bundled one)"))
    command.add_argument("--against", default="", metavar="FILE",
                         help=tr("compare with a service: its capabilities document"))
    command.add_argument("--rules", action="store_true", help=tr("print the table of all rules"))
    command.set_defaults(run=run_check)


def run_check(options: argparse.Namespace) -> int:
    """Print the findings. Return 1 if one is an error or something could not be read, 2 if no file is named."""
    from .review.checks.runner import check_records, findings_csv, rules_table

    if options.rules:
        sys.stdout.write(rules_table())
        return 0
    if not options.files:
        print_error(tr("Name a file, a package or a folder of records."))
        return 2
    profile = read_profile_file(Path(options.profile)) if options.profile else bundled_profile()
    families = [Family(name) for name in options.family] or None
    records, status = _read_records(options.files, options.language)
    checked = check_records(records, profile, None, families)
    if options.against:
        checked = _add_service_findings(checked, options.against)
    if options.csv:
        sys.stdout.write(findings_csv(checked).replace("\r\n", "\n"))
    else:
        sys.stdout.write("".join(_format_findings(record, findings) for record, findings in checked))
    has_errors = any(finding.severity is Severity.ERROR for _, findings in checked for finding in findings)
    return 1 if has_errors else status


def _read_records(files: Sequence[str], language: str) -> Tuple[List[Record], int]:
    """Return the records of all files, and 1 if something could not be read, else 0."""
    records: List[Record] = []
    status = 0
    for path in files:
        for name, result in read_input(path, language):
            if isinstance(result, CartoguideError):
                status = print_file_error(name, result)
            elif result is not None:
                records.append(result)
    return records, status


def _add_service_findings(checked: Sequence[Tuple[Record, Tuple[Finding, ...]]],
                          path: str) -> List[Tuple[Record, Tuple[Finding, ...]]]:
    """Add the findings of the comparison with a service. Raises CartoguideError if its capabilities cannot be read."""
    from .review.checks.service_rules import against_service

    try:
        service = read_service(read_bytes(path), path)
    except OSError as error:
        raise CartoguideError(tr("{name} could not be read.", name=path), str(error)) from error
    return [(record, sorted_findings([*findings, *against_service(record, service)])) for record, findings in checked]


def _format_findings(record: Record, findings: Sequence[Finding]) -> str:
    """Return the record's title and its findings, indented."""
    from .review.checks.runner import severity_summary

    lines = [f"{title_of_record(record)} ({record.source})", f"  {severity_summary(findings)}"]
    for finding in findings:
        lines.append(f"  {finding.severity.label}: {finding.message} [{finding.rule}]")
        values = f"{finding.value or '–'} ≠ {finding.other}" if finding.other else finding.value
        if values:
            lines.append(f"    {values}")
        lines.append(f"    → {finding.advice}")
    return "\n".join(lines) + "\n\n"


def add_capabilities_parser(subparsers: Any) -> None:
    command = subparsers.add_parser("capabilities", help=tr("read WMS capabilities documents"))
    command.add_argument("file", nargs="+", metavar="FILE",
                         help=tr("a capabilities document, or - for the standard input"))
    command.add_argument("--json", action="store_true", help=tr("one JSON object per line: the service"))
    command.set_defaults(run=run_capabilities)


def run_capabilities(options: argparse.Namespace) -> int:
    """Print each document's Service as JSON or as an outline. Return 1 if a document could not be read."""
    from .wms.capabilities.parser import read_service

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


def add_request_parser(subparsers: Any) -> None:
    info, legend, capabilities = (operation.value for operation in (
        OperationName.GET_FEATURE_INFO, OperationName.GET_LEGEND_GRAPHIC, OperationName.GET_CAPABILITIES))
    command = subparsers.add_parser(
        "request", help=tr("build a WMS request without sending it"),
        description=tr("Prints the address of a GET request. A POST request is printed as a message: method and "
                       "address, headers, a blank line, the body. The exit status is 1 if the capabilities do not "
                       "allow the request."))
    command.add_argument("capabilities", metavar="CAPABILITIES",
                         help=tr("the service's capabilities document, or - for the standard input"))
    command.add_argument("--operation", default=OperationName.GET_MAP.value, metavar="NAME",
                         help=", ".join(OPERATION_NAMES))
    command.add_argument("--layer", action="append", default=[], metavar="NAME",
                         help=tr("from the bottom to the top; can be repeated"))
    command.add_argument("--style", action="append", default=[], metavar="NAME",
                         help=tr("one for each layer; can be repeated"))
    command.add_argument("--crs", default="", metavar="CODE", help=tr("such as {code}", code="EPSG:25830"))
    command.add_argument("--bbox", type=_parse_bbox, metavar="W,S,E,N", help=tr("in degrees of longitude and latitude"))
    command.add_argument("--native-bbox", type=_parse_bbox, metavar="MINX,MINY,MAXX,MAXY",
                         help=tr("in the units of the CRS, with x to the east"))
    command.add_argument("--size", type=_parse_size, default=None, metavar="WxH", help=tr("in pixels"))
    command.add_argument("--format", default="", metavar="TYPE", help=tr("the media type of the response"))
    command.add_argument("--transparent", action="store_true", default=None, help=tr("a transparent background"))
    command.add_argument("--background", default="", metavar="#RRGGBB", help=tr("the colour of the background"))
    command.add_argument("--exceptions", default="", metavar="KIND", help="xml, inimage, blank")
    command.add_argument("--time", default="", metavar="TIME", help="ISO 8601")
    command.add_argument("--elevation", default="", metavar="VALUE", help=tr("the value of the elevation dimension"))
    command.add_argument("--dimension", action="append", default=[], type=_parse_dimension, metavar="NAME=VALUE",
                         help=tr("another dimension; can be repeated"))
    command.add_argument("--i", type=int, default=None, metavar="COLUMN",
                         help=tr("{operation}: from 0 on the left", operation=info))
    command.add_argument("--j", type=int, default=None, metavar="ROW",
                         help=tr("{operation}: from 0 at the top", operation=info))
    command.add_argument("--query-layer", action="append", metavar="NAME",
                         help=tr("{operation}: a layer that is queried; can be repeated", operation=info))
    command.add_argument("--info-format", default="", metavar="TYPE",
                         help=tr("{operation}: the media type of the response", operation=info))
    command.add_argument("--feature-count", type=int, default=1, metavar="N",
                         help=tr("{operation}: the maximum number of features per layer", operation=info))
    command.add_argument("--scale", type=float, default=None, metavar="DENOMINATOR", help=legend)
    command.add_argument("--rule", default="", metavar="NAME", help=legend)
    command.add_argument("--sld", default="", metavar="FILE|URL",
                         help=tr("{operations}: a style of your own",
                                 operations=f"{OperationName.GET_MAP.value}, {info}, {legend}"))
    command.add_argument("--version", default="", metavar="VERSION",
                         help=tr("{operation}: the requested version", operation=capabilities))
    command.add_argument("--update-sequence", default="", metavar="VALUE",
                         help=tr("{operation}: that of the document you have", operation=capabilities))
    command.add_argument("--method", type=str.upper, choices=[method.value for method in HttpMethod],
                         default=HttpMethod.GET.value)
    command.add_argument("--encoding", choices=("form", "xml"), default="", help=tr("the encoding of a POST body"))
    command.add_argument("--address", default="", metavar="URL",
                         help=tr("used instead of the address that the service advertises"))
    command.add_argument("--curl", action="store_true", help=tr("print the request as a curl command"))
    # A value such as -3.6,38.3,-3.4,38.4 is a value, not an option: argparse knows only single numbers by itself.
    command._negative_number_matcher = re.compile(r"-\.?\d")
    command.set_defaults(run=run_request)


def run_request(options: argparse.Namespace) -> int:
    """Print the request. Return 1 if the capabilities cannot be read or do not allow the request."""
    from .wms.capabilities.parser import read_service

    try:
        request = request_from_arguments(read_service(read_bytes(options.capabilities), options.capabilities), options)
    except (CartoguideError, OSError) as error:
        return print_file_error(options.capabilities, error)
    if options.curl:
        text = as_curl_command(request)
    else:
        text = request.url if request.method is HttpMethod.GET else as_http_message(request)
    sys.stdout.write(text + "\n")
    return 0


def request_from_arguments(service: Service, args: argparse.Namespace) -> Request:
    """Return the request that the command line describes. The operation's name may have a prefix and any case.

    Raises CartoguideError for an unknown operation or a missing option, and InvalidRequest for a request that the
    capabilities do not allow.
    """
    from .wms.requests.get_capabilities import advertised_capabilities_request
    from .wms.requests.get_feature_info import feature_info_request
    from .wms.requests.get_map import map_request
    from .wms.requests.sld_profile import describe_layer_request, legend_request, styles_request

    key = operation_key(args.operation)
    operation = next((operation for operation in OperationName if operation_key(operation) == key), None)
    args.layer = _split_layer_names(service, args.layer)
    if len(args.style) == 1 and len(args.layer) > 1:
        args.style = args.style[0].split(",")  # one value for several layers is a list, as in STYLES
    options = {"method": HttpMethod(args.method), "address": args.address}
    if operation is OperationName.GET_CAPABILITIES:
        return advertised_capabilities_request(service, update_sequence=args.update_sequence, version=args.version,
                                               **options)
    if operation is OperationName.GET_LEGEND_GRAPHIC:
        _require_options(args, layer=args.layer)
        return legend_request(service, args.layer[0], next(iter(args.style), ""), format=args.format, size=args.size,
                              scale=args.scale, rule=args.rule, user_style=_read_user_style(args.sld), **options)
    if operation is OperationName.DESCRIBE_LAYER:
        return describe_layer_request(service, args.layer, **options)
    if operation is OperationName.GET_STYLES:
        return styles_request(service, args.layer, **options)
    if operation is OperationName.GET_MAP:
        return map_request(service, _map_options(args), encoding=args.encoding, **options)
    if operation is OperationName.GET_FEATURE_INFO:
        _require_options(args, i=args.i, j=args.j)
        return feature_info_request(service, _map_options(args), args.i, args.j, query_layers=args.query_layer,
                                    info_format=args.info_format, feature_count=args.feature_count, **options)
    raise CartoguideError(
        tr("Unknown operation {name}. Available: {offered}.", name=args.operation,
           offered=", ".join(OPERATION_NAMES)))


def _split_layer_names(service: Service, names: List[str]) -> List[str]:
    """Return the layers' names. A name that the service does not have is split at its commas, as in LAYERS."""
    result: List[str] = []
    for name in names:
        result += [name] if service.layer(name) is not None else name.split(",")
    return result


def _map_options(args: argparse.Namespace) -> Any:
    from .wms.requests.get_map import MapOptions

    _require_options(args, crs=args.crs, size=args.size)
    dimensions: Dict[str, str] = dict(args.dimension)
    for name in ("time", "elevation"):
        if getattr(args, name):
            dimensions[name] = getattr(args, name)
    return MapOptions(layers=args.layer, crs=args.crs, width=args.size[0], height=args.size[1], bbox=args.bbox,
                      native_bbox=args.native_bbox, styles=args.style, format=args.format, transparent=args.transparent,
                      background=args.background, exceptions=args.exceptions, dimensions=dimensions,
                      user_style=_read_user_style(args.sld))


def _read_user_style(source: str) -> str:
    """Return the style named by ``--sld``: a web address unchanged, or the text of a file."""
    if not source or source.lower().startswith(("http://", "https://")):
        return source
    return to_utf8(read_bytes(source)).decode("utf-8", "replace")


def _require_options(args: argparse.Namespace, **values: object) -> None:
    """Raise a CartoguideError that names the missing options of the operation."""
    missing = [f"--{name}" for name, value in values.items() if value is None or value in ("", [])]
    if missing:
        raise CartoguideError(tr("{operation} requires {options}.",
                                 operation=args.operation, options=", ".join(missing)))


def _parse_bbox(text: str) -> Box:
    parts = tuple(float(part) for part in text.split(","))
    if len(parts) != 4:
        raise argparse.ArgumentTypeError(tr("four numbers are needed: {value}", value=text))
    return Box(*parts)


def _parse_size(text: str) -> Tuple[int, int]:
    parts = [int(part) for part in re.split("[xX×,]", text.strip())]
    if len(parts) != 2:
        raise argparse.ArgumentTypeError(tr("width x height is needed: {value}", value=text))
    return (parts[0], parts[1])


def _parse_dimension(text: str) -> Tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise argparse.ArgumentTypeError(tr("NAME=VALUE is needed: {value}", value=text))
    return (name.strip(), value.strip())



def text_summary(record: Record, terms: Terms) -> str:
    """Return title, abstract, terms and access to the resource in lines of about ``_WIDTH`` characters.

    Of texts beyond ``MAX_SHOWN`` characters the beginning.
    """
    lines = [printable(title_of_record(record))]
    lines.append("=" * min(len(lines[0]), _WIDTH))
    for name, value in (*_identification(record), *_summary_of_terms(terms), *_access(record),
                        *_metadata(record)):
        if value:
            # wrapping takes forty times the memory of the text
            lines += _wrap_field(name, printable(truncate(value, MAX_SHOWN)))
    return "\n".join(lines) + "\n"


def _wrap_field(name: str, value: str) -> Iterator[str]:
    indent = " " * 20
    first = f"{name + ':':<19} "
    for paragraph in value.splitlines():
        if paragraph.strip():
            yield from textwrap.wrap(paragraph.strip(), _WIDTH, initial_indent=first, subsequent_indent=indent,
                                     break_long_words=False, break_on_hyphens=False)
            first = indent


def _identification(record: Record) -> Iterator[Tuple[str, str]]:
    yield tr("Type"), code_label("MD_ScopeCode", record.hierarchy_level or record.kind.value)
    yield tr("Identifier"), record.id or ""
    yield tr("Abstract"), record.abstract or ""
    yield tr("Dates"), ", ".join(f"{format_date(date.value)} ({code_label('CI_DateTypeCode', date.type)})" if date.
                                 type else format_date(date.value) for date in record.dates)
    yield tr("Status"), ", ".join(code_label("MD_ProgressCode", status) for status in record.status)
    yield tr("Contacts"), "\n".join(_contact(contact) for contact in record.contacts)
    yield tr("Keywords"), ", ".join(record.keywords)
    yield tr("Extent"), "\n".join(", ".join(f"{side} {value}" for side, value in (
        (tr("west"), box.west), (tr("east"), box.east), (tr("south"), box.south), (tr("north"), box.north))
        if value is not None) for box in record.extents)


def _summary_of_terms(terms: Terms) -> Iterator[Tuple[str, str]]:
    yield tr("Terms"), summary_sentence(terms)
    yield tr("Credit"), terms.credit
    yield tr("Read from"), trail_text(terms)
    yield tr("Unclear"), "\n".join(terms.undecided)


def _access(record: Record) -> Iterator[Tuple[str, str]]:
    kind = f"{record.service_type or ''} {', '.join(record.service_versions)}"
    yield tr("Service"), kind.strip()
    yield tr("WMS address"), wms_address(record) or ""
    yield tr("Fees"), record.fees or ""
    yield tr("Operations"), ", ".join(operation.name for operation in group_operations(record))
    yield tr("Links"), "\n".join(" ".join(part for part in (
        f"[{link.protocol}]" if link.protocol else "", link.url, f"({link.name})" if link.name else "") if part)
        for link in record.online)


def _metadata(record: Record) -> Iterator[Tuple[str, str]]:
    yield tr("Language"), language_label(record.language)
    yield tr("Date stamp"), format_date(record.date_stamp)
    yield tr("Not shown here"), tr("%n value(s) without a field; --json lists them under unread",
                                   n=len(record.unread)) if record.unread else ""
    yield tr("Source"), record.source


def _contact(contact: Contact) -> str:
    name = ", ".join(part for part in (contact.individual, contact.organisation) if part) or contact.position or ""
    role = code_label("CI_RoleCode", contact.role)
    return " ".join(part for part in (f"{name} ({role})" if role and name else name or role, *contact.emails) if part)

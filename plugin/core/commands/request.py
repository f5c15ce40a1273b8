"""Command ``request``: a WMS request, built without sending it."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any, Dict, List, Tuple

from ..errors import CartoguideError
from ..i18n import tr
from ..request import HttpMethod, Request, as_curl_command, as_http_message
from ..safe_xml import to_utf8
from ..wms.model.operation_name import OPERATION_NAMES, OperationName, operation_key
from ..wms.model.service import Service
from .console import print_file_error, read_bytes


def add_parser(subparsers: Any) -> None:
    """Add ``request`` to the subparsers of a command line."""
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
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the request. Return 1 if the capabilities cannot be read or do not allow the request."""
    from ..wms.capabilities.parser import read_service

    try:
        request = request_from_arguments(read_service(read_bytes(options.capabilities), options.capabilities),
                                         options)
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
    from ..wms.requests.get_capabilities import advertised_capabilities_request
    from ..wms.requests.get_feature_info import feature_info_request
    from ..wms.requests.get_map import map_request
    from ..wms.requests.sld_profile import describe_layer_request, legend_request, styles_request

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
    from ..wms.requests.get_map import MapOptions

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


def _parse_bbox(text: str) -> Tuple[float, ...]:
    parts = tuple(float(part) for part in text.split(","))
    if len(parts) != 4:
        raise argparse.ArgumentTypeError(tr("four numbers are needed: {value}", value=text))
    return parts


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

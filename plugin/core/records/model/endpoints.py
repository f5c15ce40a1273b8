"""Addresses of map services in a record, and the normal form by which addresses of one service are compared."""

from __future__ import annotations

import posixpath
import re
from itertools import chain, combinations
from typing import Iterator, List, Mapping, Optional, TypeVar
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from ...addresses import is_web_address
from ...wms.model.protocol import OPERATION_PARAMETERS, OperationName, operation_key
from .record import OnlineResource, Record

T = TypeVar("T")

#: WMS as a word, which excludes WMTS
_WMS_WORD = re.compile(r"(?<![a-z])wms(?![a-z])|web\s?map\s?service|wms_xml", re.IGNORECASE)
_SERVICE_PARAMETER = re.compile(r"[?&]service=([^&#]*)", re.IGNORECASE)
#: paths of common WMS servers
_WMS_PATH = re.compile(r"/(?:wms|mapwms|wmsserver)(?:[/?.]|$)", re.IGNORECASE)
#: parameters of a complete request for one map or legend, which is not an endpoint. A GetCapabilities request may
#: limit its layers with the same parameters.
_SINGLE_MAP_REQUEST = re.compile(r"[?&](?:bbox|layers?|query_layers)=[^&]", re.IGNORECASE)
_CAPABILITIES_REQUEST = re.compile(r"[?&]request=getcapabilities(?:&|$)", re.IGNORECASE)
#: other OGC protocols as words of an address or a protocol
_OTHER_PROTOCOL = re.compile(r"(?<![a-z])(wmts|wfs|wcs|csw|sos|tms|wps)(?![a-z])", re.IGNORECASE)
#: address of MapServer, whose services depend on the map file
_MAP_FILE = re.compile(r"[?&]map=[^&]", re.IGNORECASE)
#: parameters in which the addresses of one service may differ
_REQUEST_PARAMETERS = OPERATION_PARAMETERS | {"LANGUAGE", "ACCEPTVERSIONS"}
#: parameters on which it depends which service answers
_SERVICE_PARAMETERS = frozenset(("map", "mapfile", "project"))
#: other parameters of which all combinations are tried, and most that are tried alone
_MAX_OPTIONAL, _MAX_KEYS = 5, 50
_DEFAULT_PORTS = {"http": "80", "https": "443"}
#: operations whose addresses lead to the service, the better first
ENDPOINT_OPERATIONS = (OperationName.GET_CAPABILITIES, OperationName.GET_MAP)


def wms_endpoints(record: Record) -> List[OnlineResource]:
    """Return the links and connect points of ``record`` that lead to a WMS, one for each endpoint, the likeliest first.
    """
    links: dict[str, OnlineResource] = {}
    for link in _wms_links(record):
        links.setdefault(normalise_endpoint(link.url), link)
    return list(links.values())


def wms_endpoint(record: Record) -> Optional[str]:
    """Return the WMS address of ``record`` as written, with its path and parameters, or None if it has none."""
    return next((link.url for link in _wms_links(record)), None)


def service_protocol(record: Record) -> str:
    """Return the protocol of a service by its record, such as "WMTS", or "" if the record does not say.

    INSPIRE's types say what a service is for: a "view" service may be a WMS, a WMTS or something else. Then its
    versions, the protocols of its links and its addresses decide, in this order.
    """
    links = [(link.url, link.protocol or "") for link in record.online]
    links += [(point.url, point.protocol or "") for operation in record.operations
              for point in operation.connect_points]
    parameters = [match.group(1) for match in (_SERVICE_PARAMETER.search(url) for url, _ in links) if match]
    groups = ([record.service_type or ""], record.service_versions, [protocol for _, protocol in links], parameters,
              [urlsplit(url).path for url, _ in links if is_web_address(url)])
    for texts in groups:
        if any(_WMS_WORD.search(text) for text in texts):
            return "WMS"
        other = next((match for match in map(_OTHER_PROTOCOL.search, texts) if match), None)
        if other is not None:
            return other.group(1).upper()
    return "WMS" if wms_endpoint(record) else ""


def normalise_endpoint(url: str) -> str:
    """Return one form for all spellings of an endpoint, only for comparisons.

    Scheme, case of the host and a dot behind it, default port, ``?`` or ``&`` at the end, LANGUAGE and the parameters
    of operations are ignored, and dot segments of the path resolved (RFC 3986, 6.2.2.3). The case of the path and other
    parameters are significant.
    """
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").lower().rstrip(".")
        port = str(parts.port or "")
    except ValueError:
        return url.strip()
    if not host:
        return url.strip()
    if port and port != _DEFAULT_PORTS.get(parts.scheme.lower()):
        host = f"{host}:{port}"
    parameters = sorted((name.lower(), value) for name, value in parse_qsl(parts.query, keep_blank_values=True)
                        if name and name.upper() not in _REQUEST_PARAMETERS)
    path = unquote(parts.path).rstrip("/")
    if "//" in path or "/." in path:
        path = posixpath.normpath("/" + path.lstrip("/")).rstrip("/")
    return f"//{host}{path}" + (f"?{urlencode(parameters)}" if parameters else "")


def endpoint_keys(endpoint: str) -> List[str]:
    """Return the normal form of an endpoint, and those that it has without some of its parameters, the longest first.

    A server answers the same with a parameter that it does not know, so that such an address is the same service.
    Parameters that choose a service (MAP of MapServer and QGIS Server) are in all of them.
    """
    key, _mark, query = normalise_endpoint(endpoint).partition("?")
    pairs = parse_qsl(query, keep_blank_values=True)
    chosen = [pair for pair in pairs if pair[0] in _SERVICE_PARAMETERS]
    others = [pair for pair in pairs if pair[0] not in _SERVICE_PARAMETERS]
    most = len(others) if len(others) <= _MAX_OPTIONAL else 1
    kept = [others] + [list(some) for count in range(most, -1, -1) for some in combinations(others[:_MAX_KEYS], count)
                       if list(some) != others]
    forms = (urlencode(sorted([*chosen, *some])) for some in kept)
    return list(dict.fromkeys(f"{key}?{form}" if form else key for form in forms))


def describes_endpoint(record: Record, endpoint: str) -> bool:
    """Return whether ``record`` names ``endpoint``, in any spelling, as the address of a WMS."""
    key = normalise_endpoint(endpoint)
    return any(normalise_endpoint(link.url) == key for link in _wms_links(record))


def value_for_endpoint(values: Mapping[str, T], endpoint: str) -> Optional[T]:
    """Return the value of ``endpoint`` in ``values``, whose keys are endpoints in any spelling, or None."""
    if endpoint in values:
        return values[endpoint]
    normalised = normalise_endpoint(endpoint)
    return next((value for key, value in values.items() if normalise_endpoint(key) == normalised), None)


def _wms_links(record: Record) -> Iterator[OnlineResource]:
    """Yield every link that leads to a WMS, lazily, because most callers need only the likeliest."""
    for link in chain(_wms_links_by_protocol(record), _wms_links_by_operation(record), _wms_links_by_address(record)):
        if not is_web_address(link.url):
            continue
        if not _SINGLE_MAP_REQUEST.search(link.url) or _CAPABILITIES_REQUEST.search(link.url):
            yield link


def _has_wms_protocol(link: OnlineResource) -> bool:
    return bool(link.protocol and _WMS_WORD.search(link.protocol))


def _wms_links_by_protocol(record: Record) -> Iterator[OnlineResource]:
    """Yield the links with a WMS protocol, those for GetMap before those for GetCapabilities."""
    links = [link for link in record.online if _has_wms_protocol(link)]
    links.sort(key=lambda link: 0 if "get-map" in (link.protocol or "").lower() else 1)
    yield from links


def _wms_links_by_operation(record: Record) -> Iterator[OnlineResource]:
    """Yield the connect points of GetCapabilities and GetMap, unless the record describes another type of service."""
    kind = (record.service_type or "").strip().lower()
    if kind and kind != "view" and not _WMS_WORD.search(kind):
        return
    for name in ENDPOINT_OPERATIONS:
        for operation in record.operations:
            if operation_key(operation.name) != operation_key(name):
                continue
            for point in operation.connect_points:
                if _names_other_protocol(point.url, point.protocol):
                    continue
                parameter = _SERVICE_PARAMETER.search(point.url)
                is_wms = parameter is not None and parameter.group(1).lower() == "wms"
                if is_wms or (parameter is None and (kind or name is OperationName.GET_MAP)):
                    yield OnlineResource(point.url, point.protocol, point.name)


def _wms_links_by_address(record: Record) -> Iterator[OnlineResource]:
    """Yield the links with SERVICE=WMS in their address, and in a record of a WMS those that look like an endpoint."""
    kind = (record.service_type or "").strip().lower()
    for link in record.online:
        parameter = _SERVICE_PARAMETER.search(link.url)
        if parameter and parameter.group(1).lower() == "wms":
            yield link
    if kind == "view" or _WMS_WORD.search(kind):
        for link in record.online:
            if link.protocol or _names_other_protocol(link.url, None):
                continue
            if _WMS_PATH.search(link.url) or link.url.rstrip().endswith(("?", "&")):
                yield link
    else:
        for link in record.online:
            if link.protocol or _SERVICE_PARAMETER.search(link.url):
                continue
            if _WMS_PATH.search(link.url) or (_MAP_FILE.search(link.url) and _describes_wms(link)):
                yield link


def _names_other_protocol(url: str, protocol: Optional[str]) -> bool:
    """Return True if a link is that of a WMTS or another service, and not of a WMS."""
    texts = (protocol or "", url.split("?")[0])
    return not any(map(_WMS_WORD.search, texts)) and any(map(_OTHER_PROTOCOL.search, texts))


def mentions_wms(text: str) -> bool:
    """Return True if ``text``, such as a service type or protocol, mentions WMS."""
    return bool(_WMS_WORD.search(text))


def _describes_wms(link: OnlineResource) -> bool:
    """Return True if the name or description of a link mentions WMS."""
    return any(_WMS_WORD.search(text) for text in (link.name, link.description) if text)

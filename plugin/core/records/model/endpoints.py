"""The addresses in a record that lead to a map service, and how two addresses of one service are told to be one."""

from __future__ import annotations

import re
from itertools import chain
from typing import Iterator, List, Mapping, Optional, TypeVar
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from .record import OnlineResource, Record

T = TypeVar("T")

#: WMS, but neither WMTS nor a word that has those letters in it
_WMS_WORD = re.compile(r"(?<![a-z])wms(?![a-z])|web\s?map\s?service|wms_xml", re.IGNORECASE)
_SERVICE_PARAMETER = re.compile(r"[?&]service=([^&#]*)", re.IGNORECASE)
#: WMS addresses that say so in their path, as servers of the field write it
_WMS_PATH = re.compile(r"/(?:wms|mapwms|wmsserver)(?:[/?.]|$)", re.IGNORECASE)
#: a whole request for one map or legend, from which no endpoint's prefix can be told; one for capabilities may name
#: the layers that they are to tell of
_SINGLE_MAP_REQUEST = re.compile(r"[?&](?:bbox|layers?|query_layers)=[^&]", re.IGNORECASE)
_CAPABILITIES_REQUEST = re.compile(r"[?&]request=getcapabilities(?:&|$)", re.IGNORECASE)
#: an address of MapServer, which serves whatever its map file offers
_MAP_FILE = re.compile(r"[?&]map=[^&]", re.IGNORECASE)
_REQUEST_PARAMETERS = frozenset(("service", "request", "version", "language", "acceptversions"))
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_OPERATIONS = ("GetCapabilities", "GetMap")


def is_web_address(url: Optional[str]) -> bool:
    """Whether ``url`` is an http(s) address with a host; nothing else is ever opened."""
    if not url:
        return False
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.netloc)


def wms_endpoints(record: Record) -> List[OnlineResource]:
    """The record's links and connect points that lead to a WMS, the likeliest first, one for each endpoint."""
    found: dict[str, OnlineResource] = {}
    for link in _wms_links(record):
        found.setdefault(normalise_endpoint(link.url), link)
    return list(found.values())


def wms_endpoint(record: Record) -> Optional[str]:
    """The record's WMS address as written, its prefix and parameters kept; None where it has none."""
    return next((link.url for link in _wms_links(record)), None)


def normalise_endpoint(url: str) -> str:
    """One form for all spellings of an endpoint, for comparing only.

    The scheme, the host's case, the default port, ``?`` and ``&`` at the end, and the parameters that only ask for
    something (SERVICE, REQUEST, VERSION, LANGUAGE) make no difference; the path's case and other parameters do.
    """
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").lower()
        port = str(parts.port or "")
    except ValueError:
        return url.strip()
    if not host:
        return url.strip()
    if port and port != _DEFAULT_PORTS.get(parts.scheme.lower()):
        host = f"{host}:{port}"
    own = sorted((name.lower(), value) for name, value in parse_qsl(parts.query, keep_blank_values=True)
                 if name.lower() not in _REQUEST_PARAMETERS)
    path = unquote(parts.path).rstrip("/")
    return f"//{host}{path}" + (f"?{urlencode(own)}" if own else "")


def value_for_endpoint(values: Mapping[str, T], endpoint: str) -> Optional[T]:
    """Return the value of ``endpoint`` in ``values``, whose keys are endpoints in any spelling, or None."""
    if endpoint in values:
        return values[endpoint]
    normalised = normalise_endpoint(endpoint)
    return next((value for key, value in values.items() if normalise_endpoint(key) == normalised), None)


def _wms_links(record: Record) -> Iterator[OnlineResource]:
    """Every link that leads to a WMS; what the likeliest ones settle, the others are not looked at for."""
    for link in chain(_wms_links_by_protocol(record), _wms_links_by_operation(record), _wms_links_by_address(record)):
        if is_web_address(link.url) and (not _SINGLE_MAP_REQUEST.search(link.url) or
                                         _CAPABILITIES_REQUEST.search(link.url)):
            yield link


def _has_wms_protocol(link: OnlineResource) -> bool:
    return bool(link.protocol and _WMS_WORD.search(link.protocol))


def _wms_links_by_protocol(record: Record) -> Iterator[OnlineResource]:
    """Links whose protocol is WMS: those to ask maps from before those to ask capabilities from."""
    links = [link for link in record.online if _has_wms_protocol(link)]
    links.sort(key=lambda link: 0 if "get-map" in (link.protocol or "").lower() else 1)
    yield from links


def _wms_links_by_operation(record: Record) -> Iterator[OnlineResource]:
    """Connect points of GetCapabilities and GetMap, where nothing says that the service is another one."""
    kind = (record.service_type or "").strip().lower()
    if kind and kind != "view" and not _WMS_WORD.search(kind):
        return
    for wanted in _OPERATIONS:
        for operation in record.operations:
            if operation.name.split(":")[-1].lower() != wanted.lower():
                continue
            for point in operation.connect_points:
                asked = _SERVICE_PARAMETER.search(point.url)
                is_wms = asked is not None and asked.group(1).lower() == "wms"
                if is_wms or (asked is None and (kind or wanted == "GetMap")):
                    yield OnlineResource(point.url, point.protocol, point.name)


def _wms_links_by_address(record: Record) -> Iterator[OnlineResource]:
    """Links that show it in the address; in a record of a WMS, those whose address looks like one."""
    kind = (record.service_type or "").strip().lower()
    for link in record.online:
        asked = _SERVICE_PARAMETER.search(link.url)
        if asked and asked.group(1).lower() == "wms":
            yield link
    if kind == "view" or _WMS_WORD.search(kind):
        for link in record.online:
            if not link.protocol and (_WMS_PATH.search(link.url) or link.url.rstrip().endswith(("?", "&"))):
                yield link
    else:
        for link in record.online:
            if not link.protocol and not _SERVICE_PARAMETER.search(link.url) and (_WMS_PATH.search(
                    link.url) or (_MAP_FILE.search(link.url) and _describes_wms(link))):
                yield link


def mentions_wms(text: str) -> bool:
    """Whether a service type or protocol, or words about a service, say WMS."""
    return bool(_WMS_WORD.search(text))


def _describes_wms(link: OnlineResource) -> bool:
    """Whether a link's name or description says WMS."""
    return any(_WMS_WORD.search(words) for words in (link.name, link.description) if words)

"""The normal form by which addresses of one service are compared."""

from __future__ import annotations

import posixpath
from functools import lru_cache
from itertools import combinations
from typing import List, Mapping, Optional, TypeVar
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from ...wms.model.protocol import OPERATION_PARAMETERS
from ...wms.requests.urls import own_parameters

T = TypeVar("T")

#: parameters in which the addresses of one service may differ
_REQUEST_PARAMETERS = OPERATION_PARAMETERS | {"LANGUAGE", "ACCEPTVERSIONS"}
#: parameters on which it depends which service answers
_SERVICE_PARAMETERS = frozenset(("map", "mapfile", "project"))
#: other parameters of which all combinations are tried, and most that are tried alone
_MAX_OPTIONAL, _MAX_KEYS = 5, 50
#: letters of an address whose normal form is kept
_MAX_KEPT_LENGTH = 2000
_DEFAULT_PORTS = {"http": "80", "https": "443"}


def normalise_endpoint(url: str) -> str:
    """Return one form for all spellings of an endpoint, only for comparisons.

    Scheme, case of the host and a dot behind it, default port, ``?`` or ``&`` at the end, LANGUAGE and the parameters
    of operations are ignored, and dot segments of the path resolved (RFC 3986, 6.2.2.3). The case of the path and other
    parameters are significant.
    """
    # the same few hundreds are compared again and again, and a hostile one may have a megabyte
    return _normalised(url) if len(url) <= _MAX_KEPT_LENGTH else _normalised.__wrapped__(url)


@lru_cache(maxsize=1024)
def _normalised(url: str) -> str:
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
    parameters = sorted((name.lower(), value) for name, value in own_parameters(parts.query, _REQUEST_PARAMETERS)
                        if name)
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


def value_for_endpoint(values: Mapping[str, T], endpoint: str) -> Optional[T]:
    """Return the value of ``endpoint`` in ``values``, whose keys are endpoints in any spelling, or None."""
    if endpoint in values:
        return values[endpoint]
    normalised = normalise_endpoint(endpoint)
    return next((value for key, value in values.items() if normalise_endpoint(key) == normalised), None)

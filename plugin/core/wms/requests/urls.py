"""Addresses of services, their parameters, and requests built of both (06-042 6.3).

A GET address is a prefix to which parameters are appended, a POST address is complete.
"""

from __future__ import annotations

import re
from typing import Collection, Iterable, List, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote, unquote_plus, urlsplit, urlunsplit

from ...errors import InvalidRequest
from ...i18n import tr
from ...request import HttpMethod, Request
from ..model.protocol import IDENTIFYING_PARAMETERS, OPERATION_PARAMETERS

#: a list is joined with literal commas, commas inside its items are encoded (6.8.2)
ParameterValue = Union[str, Sequence[str]]

_MAX_URL_LENGTH = 65_536
_INVALID_IN_HOST = re.compile(r"[\s\x00-\x1f\x7f<>\"\\^`{|}]")
#: legal in a query without special meaning (RFC 3986 3.4), unlike "?", "&", "=", "," and "+" (6.3.2)
_UNENCODED = ":/"
_PATH_SAFE = "/:@!$&'()*+,;=~%-._"
_QUERY_SAFE = _PATH_SAFE + "?"
FORM_MEDIA_TYPE = "application/x-www-form-urlencoded"
XML_MEDIA_TYPE = "text/xml; charset=UTF-8"


def url_prefix(address: str, excluded: Collection[str] = OPERATION_PARAMETERS) -> str:
    """Return the address of a service as a prefix (6.3.3) that ends in ``?`` or ``&``.

    It keeps its parameters except those of operations: an address may be that of a request, and no parameter is sent
    twice. The fragment is dropped, and characters outside ASCII are percent-encoded as UTF-8. Raises InvalidRequest
    unless the address is http or https.
    """
    base, parameters = _split_parameters(address, excluded)
    return f"{base}?" + "".join(f"{parameter}&" for parameter in parameters)


def with_parameters(address: str, parameters: Mapping[str, ParameterValue]) -> str:
    """Return the address with ``parameters`` appended (6.3.3).

    The address's parameters stay in front as written, unless ``parameters`` has one of the same name. Names are
    case-insensitive (6.8.1) and never repeated. SERVICE, REQUEST and VERSION of the address are dropped. Raises
    InvalidRequest unless the address is http or https.
    """
    base, existing = _split_parameters(address, (*parameters, *IDENTIFYING_PARAMETERS))
    return _join_parameters(base, existing + [encode_parameter(name, value) for name, value in parameters.items()])


def complete_url(address: str, parameters: Iterable[str] = ()) -> str:
    """Return a POST address or a link, which is already complete (6.3.4).

    Parameters whose names are in ``parameters`` are removed, because the body contains them. Raises InvalidRequest
    unless the address is http or https.
    """
    base, existing = _split_parameters(address, ())
    names = {name.upper() for name in parameters}
    names.update(IDENTIFYING_PARAMETERS if names else ())
    remaining = [part for part in existing if _parameter_name(part) not in names]
    if remaining != existing:
        return _join_parameters(base, remaining)
    query = address.strip().partition("#")[0].partition("?")
    return _join_parameters(base, existing) + (query[1] if not existing else "&" if query[2].endswith("&") else "")


def encode_form(parameters: Mapping[str, ParameterValue]) -> bytes:
    """Return the parameters as an ``application/x-www-form-urlencoded`` body in UTF-8."""
    return "&".join(encode_parameter(name, value) for name, value in parameters.items()).encode("ascii")


def encode_parameter(name: str, value: ParameterValue) -> str:
    """Return ``NAME=value`` with the value percent-encoded as UTF-8.

    ``:``, ``/`` and the commas between the items of a list are not encoded.
    """
    items = [value] if isinstance(value, str) else list(value)
    return f"{quote(name, safe='')}={','.join(quote(item, safe=_UNENCODED) for item in items)}"


def host_and_path(address: str) -> str:
    """Return host (in lower case) and path, which identify a service whatever parameters its addresses have."""
    parts = urlsplit(address)
    return f"{parts.netloc.lower()}{parts.path}"


def query_parameters(address: str) -> List[Tuple[str, str]]:
    """Return the decoded (name, value) pairs in the address, in order."""
    query = urlsplit(address.strip()).query
    pairs = (part.partition("=") for part in query.split("&") if part)
    return [(unquote_plus(name), unquote_plus(value)) for name, _, value in pairs]


def _split_parameters(address: str, excluded: Iterable[str]) -> Tuple[str, List[str]]:
    """Return the address without its query, and its parameters as written, each name once, without ``excluded``."""
    scheme, host, path, query = _split_url(address)
    seen = {name.upper() for name in excluded}
    parameters = []
    for part in query.lstrip("?").split("&"):
        name = _parameter_name(part)
        if name and name not in seen:
            seen.add(name)
            parameters.append(quote(part, safe=_QUERY_SAFE))
    return urlunsplit((scheme, host, path or "/", "", "")), parameters


def _parameter_name(part: str) -> str:
    return unquote_plus(part.partition("=")[0]).strip().upper()


def _join_parameters(base: str, parameters: List[str]) -> str:
    return f"{base}?{'&'.join(parameters)}" if parameters else base


def _split_url(address: str) -> Tuple[str, str, str, str]:
    """Return scheme, host, path and query of an http(s) address, encoded where necessary.

    Raises InvalidRequest for any other text.
    """
    text = re.sub(r"[\r\n\t]", "", address.strip()).replace("&amp;", "&")
    if not text or len(text) > _MAX_URL_LENGTH:
        raise InvalidRequest(tr("The address is empty or too long."), text[:200])
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
        if parts.scheme.lower() not in ("http", "https") or not host or _INVALID_IN_HOST.search(parts.netloc):
            raise ValueError(text)
        name = host if host.isascii() else host.encode("idna").decode("ascii")
    except (ValueError, UnicodeError) as error:
        raise InvalidRequest(
            tr("“{address}” is not a web address. A service's address begins with http:// or https://.",
               address=text[:200]), str(error)[:200]) from error
    login = parts.netloc.rpartition("@")[0]
    displayed_host = f"[{name}]" if ":" in name else name
    netloc = (f"{quote(login, safe=':%')}@" if login else "") + displayed_host
    if port is not None:
        netloc += f":{port}"
    # an ampersand without a question mark was meant to separate parameters that are missing
    path = parts.path if "?" in text else parts.path.rstrip("&")
    return parts.scheme.lower(), netloc, quote(path, safe=_PATH_SAFE), parts.query


def as_https(url: str) -> str:
    """Return an http address as https. The default port of http is dropped."""
    return re.sub(r"^http://([^/?#]*?)(?::80)?(?=[/?#]|$)", r"https://\1", url, count=1, flags=re.IGNORECASE)


def build_request(address: str, method: HttpMethod, parameters: Mapping[str, ParameterValue],
                  body: Optional[bytes] = None) -> Request:
    """Return a request of an operation with ``parameters``, in the place of those of other operations in ``address``.

    GET appends them to ``address``. POST sends them as a form, or sends ``body``, an XML document with the same
    content. Raises InvalidRequest if ``address`` is not an http(s) address.
    """
    if method is HttpMethod.GET:
        return Request(HttpMethod.GET, with_parameters(url_prefix(address), parameters))
    target = complete_url(address, (*parameters, *OPERATION_PARAMETERS))
    if body is not None:
        return Request(HttpMethod.POST, target, {"Content-Type": XML_MEDIA_TYPE}, body)
    return Request(HttpMethod.POST, target, {"Content-Type": FORM_MEDIA_TYPE}, encode_form(parameters))

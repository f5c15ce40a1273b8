"""Addresses of services: a GET address is a prefix that parameters are appended to, a POST address is complete (06-042
6.3).
"""

from __future__ import annotations

import re
from typing import Iterable, List, Mapping, Sequence, Tuple, Union
from urllib.parse import quote, unquote_plus, urlsplit, urlunsplit

from ...errors import InvalidRequest
from ...i18n import tr

#: a list is joined with commas, which stay literal, while commas inside its items are encoded (6.8.2)
ParameterValue = Union[str, Sequence[str]]

#: parameters that belong to a request, never to a service's address
_REQUEST_PARAMETERS = ("SERVICE", "REQUEST", "VERSION", "WMTVER")
_MAX_URL_LENGTH = 65_536
_INVALID_IN_HOST = re.compile(r"[\s\x00-\x1f\x7f<>\"\\^`{|}]")
#: legal in a query and without a role there (RFC 3986 3.4); "?", "&", "=", "," and "+" have one (6.3.2)
_UNENCODED = ":/"
_PATH_SAFE = "/:@!$&'()*+,;=~%-._"
_QUERY_SAFE = _PATH_SAFE + "?"


def url_prefix(address: str) -> str:
    """The address as a prefix (6.3.3): ends in ``?`` or ``&``, keeps its own parameters but SERVICE, REQUEST, VERSION.

    The fragment is dropped, what is not ASCII is percent-encoded as UTF-8. InvalidRequest unless it is http or https.
    """
    base, own = _split_parameters(address, _REQUEST_PARAMETERS)
    return f"{base}?" + "".join(f"{parameter}&" for parameter in own)


def with_parameters(address: str, parameters: Mapping[str, ParameterValue]) -> str:
    """The address with ``parameters`` appended (6.3.3).

    Its own parameters stay, in front and as they are written, unless one of ``parameters`` bears the same name: names
    ignore case (6.8.1), and none is repeated. An address' own SERVICE, REQUEST or VERSION gives way to the request's.
    """
    base, own = _split_parameters(address, (*parameters, *_REQUEST_PARAMETERS))
    return _join_parameters(base, own + [encode_parameter(name, value) for name, value in parameters.items()])


def complete_url(address: str, parameters: Iterable[str] = ()) -> str:
    """A POST address or a link, which is complete as it stands (6.3.4): only what the body also says is taken out of
    it.
    """
    base, own = _split_parameters(address, ())
    names = {name.upper() for name in parameters}
    names.update(_REQUEST_PARAMETERS if names else ())
    kept = [part for part in own if _parameter_name(part) not in names]
    if kept != own:
        return _join_parameters(base, kept)
    query = address.strip().partition("#")[0].partition("?")
    return _join_parameters(base, own) + (query[1] if not own else "&" if query[2].endswith("&") else "")


def encode_form(parameters: Mapping[str, ParameterValue]) -> bytes:
    """The parameters as an ``application/x-www-form-urlencoded`` body, in UTF-8."""
    return "&".join(encode_parameter(name, value) for name, value in parameters.items()).encode("ascii")


def encode_parameter(name: str, value: ParameterValue) -> str:
    """``NAME=value``, the value percent-encoded as UTF-8; ``:`` and ``/`` stay readable, and so do a list's own
    commas.
    """
    items = [value] if isinstance(value, str) else list(value)
    return f"{quote(name, safe='')}={','.join(quote(item, safe=_UNENCODED) for item in items)}"


def query_parameters(address: str) -> List[Tuple[str, str]]:
    """(name, value) of the address's own parameters, decoded, in its order."""
    query = urlsplit(address.strip()).query
    pairs = (part.partition("=") for part in query.split("&") if part)
    return [(unquote_plus(name), unquote_plus(value)) for name, _, value in pairs]


def _split_parameters(address: str, excluded: Iterable[str]) -> Tuple[str, List[str]]:
    """The address without its query, and its own parameters as written: each name once, none of those ``taken``."""
    scheme, host, path, query = _split_url(address)
    seen = {name.upper() for name in excluded}
    own = []
    for part in query.lstrip("?").split("&"):
        name = _parameter_name(part)
        if name and name not in seen:
            seen.add(name)
            own.append(quote(part, safe=_QUERY_SAFE))
    return urlunsplit((scheme, host, path or "/", "", "")), own


def _parameter_name(part: str) -> str:
    return unquote_plus(part.partition("=")[0]).strip().upper()


def _join_parameters(base: str, parameters: List[str]) -> str:
    return f"{base}?{'&'.join(parameters)}" if parameters else base


def _split_url(address: str) -> Tuple[str, str, str, str]:
    """Scheme, host, path and query of an http(s) address, encoded as far as they need to be."""
    text = re.sub(r"[\r\n\t]", "", address.strip()).replace("&amp;", "&")
    if not text or len(text) > _MAX_URL_LENGTH:
        raise InvalidRequest(tr("The service has no usable address."), text[:200])
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
    shown = f"[{name}]" if ":" in name else name
    netloc = (f"{quote(login, safe=':%')}@" if login else "") + shown + (f":{port}" if port is not None else "")
    # an ampersand that follows no question mark was to part parameters that are not there
    path = parts.path if "?" in text else parts.path.rstrip("&")
    return parts.scheme.lower(), netloc, quote(path, safe=_PATH_SAFE), parts.query


def as_https(url: str) -> str:
    """An http address as its host answers by https: at the port of https, where the address names that of http."""
    return re.sub(r"^http://([^/?#]*?)(?::80)?(?=[/?#]|$)", r"https://\1", url, count=1, flags=re.IGNORECASE)

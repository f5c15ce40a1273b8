"""Addresses of services, their parameters, and requests built of both (06-042 6.3).

A GET address is a prefix to which parameters are appended, a POST address is complete.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Collection, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union
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
#: ampersands of XML or HTML, escaped once or several times
_AMPERSAND = re.compile(r"&(?:amp;)+", re.IGNORECASE)
#: a second question mark that begins another parameter, as behind an address that is itself the query of a proxy
_SECOND_QUERY = re.compile(r"\?(?=[A-Za-z_][\w.:-]*=)")
FORM_MEDIA_TYPE = "application/x-www-form-urlencoded"
XML_MEDIA_TYPE = "text/xml; charset=UTF-8"


@dataclass(frozen=True)
class ServiceAddress:
    """The parts of a service's address, such as a record, a document or a person names it.

    ``endpoint`` is a prefix (6.3.3) that ends in ``?`` or ``&``. It has the parameters of the server itself (``map``,
    keys, ``LANGUAGE``, those of a vendor) as written and in their order. ``parameters`` are those that OGC defines for
    operations, in capital letters and decoded. Where a name is repeated, the first value counts.

    Values of dimensions (``DIM_…``, C.3.5) stay in the endpoint: only the capabilities tell them from a vendor's own
    parameters. Requests that send a value for one replace it.
    """

    endpoint: str
    parameters: Mapping[str, str]

    @property
    def layers(self) -> Tuple[Tuple[str, str], ...]:
        """The named layers, bottom first, each with its style ("" is the default one).

        A comma may be part of a name: see ``layer_list``.
        """
        names, styles = _listed(self.layer_list), _listed(self.parameters.get("STYLES", ""))
        return tuple(zip(names, styles if len(styles) == len(names) else ("",) * len(names)))

    @property
    def named(self) -> Dict[str, str]:
        """The parameters that say which layers, styles and time are meant. Empty if no layer is named."""
        names = {"LAYERS": self.layer_list, **{name: value for name, value in self.parameters.items()
                                               if name in ("STYLES", "TIME")}}
        return names if self.layer_list else {}

    @property
    def layer_list(self) -> str:
        """The value of LAYERS or LAYER, or ""."""
        return self.parameters.get("LAYERS", "") or self.parameters.get("LAYER", "")


def split_address(address: str) -> ServiceAddress:
    """Return the endpoint in an address, and the parameters of a request in it.

    An address in a record is often that of a request. Everything that sends a request, and every layer of QGIS, begins
    with the endpoint, so that no parameter is sent twice: of two values some servers take the first, others the last.
    The fragment is dropped, and characters outside ASCII are percent-encoded as UTF-8. Raises InvalidRequest unless
    the address is http or https.
    """
    base, parts = _split_parameters(address)
    own, of_operations = divide_parameters(parts)
    parameters: Dict[str, str] = {}
    for part in of_operations:
        parameters.setdefault(_parameter_name(part), unquote_plus(part.partition("=")[2]).strip())
    return ServiceAddress(_prefix_of(base, own), parameters)


def url_prefix(address: str) -> str:
    """Return the endpoint of ``split_address``."""
    return split_address(address).endpoint


def described_prefix(address: str) -> str:
    """Return the prefix that QGIS has its capabilities from if ``address`` is that of a layer.

    QGIS sends all parameters of its address but those that say what a request is for.
    """
    base, parts = _split_parameters(address)
    return _prefix_of(base, divide_parameters(parts, IDENTIFYING_PARAMETERS)[0])


def divide_parameters(parts: Iterable[str],
                      excluded: Collection[str] = OPERATION_PARAMETERS) -> Tuple[List[str], List[str]]:
    """Return the parts ``name=value`` of a query as written: those of the server itself, and those in ``excluded``.

    ``excluded`` are names in capital letters. Letter case and percent-encoding of names do not count (6.8.1).
    """
    own: List[str] = []
    found: List[str] = []
    for part in parts:
        pieces = _SECOND_QUERY.split(part)
        kept = [piece for piece in pieces if _parameter_name(piece) not in excluded]
        if len(kept) == len(pieces):
            own.append(part)
            continue
        found += [piece for piece in pieces if _parameter_name(piece) in excluded]
        # behind the address of another server its query goes on
        is_open = bool(kept) and kept[0] is pieces[0] and "://" in unquote_plus(kept[0]) and len(kept) == 1
        if kept:
            own.append("?".join(kept) + ("?" if is_open else ""))
    return own, found


def _listed(value: str) -> List[str]:
    return [name.strip() for name in value.split(",")] if value else []


def _prefix_of(base: str, parts: List[str]) -> str:
    return f"{base}?" + "".join(f"{part}&" for part in parts)


def with_parameters(address: str, parameters: Mapping[str, ParameterValue]) -> str:
    """Return the address with ``parameters`` appended (6.3.3).

    The address's parameters stay in front as written, unless ``parameters`` has one of the same name. Names are
    case-insensitive (6.8.1). SERVICE, REQUEST and VERSION of the address are dropped. Raises InvalidRequest unless the
    address is http or https.
    """
    base, parts = _split_parameters(address)
    existing, _ = divide_parameters(parts, {*map(str.upper, parameters), *IDENTIFYING_PARAMETERS})
    return _join_parameters(base, existing + [encode_parameter(name, value) for name, value in parameters.items()])


def complete_url(address: str, parameters: Iterable[str] = ()) -> str:
    """Return a POST address or a link, which is already complete (6.3.4).

    Parameters whose names are in ``parameters`` are removed, because the body contains them. Raises InvalidRequest
    unless the address is http or https.
    """
    base, existing = _split_parameters(address)
    names = {name.upper() for name in parameters}
    names.update(IDENTIFYING_PARAMETERS if names else ())
    remaining, removed = divide_parameters(existing, names)
    if removed:
        return _join_parameters(base, remaining)
    query = _AMPERSAND.sub("&", address.strip()).partition("#")[0].partition("?")
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
    return _decoded(_parts(urlsplit(address.strip()).query))


def own_parameters(query: str, excluded: Collection[str]) -> List[Tuple[str, str]]:
    """Return the decoded (name, value) pairs of a query that are not in ``excluded`` (in capital letters), in order."""
    return _decoded(divide_parameters(_parts(query), excluded)[0])


def _parts(query: str) -> List[str]:
    return [part for part in _AMPERSAND.sub("&", query).lstrip("?").split("&") if part]


def _decoded(parts: Iterable[str]) -> List[Tuple[str, str]]:
    pairs = (part.partition("=") for part in parts)
    return [(unquote_plus(name), unquote_plus(value)) for name, _, value in pairs]


def _split_parameters(address: str) -> Tuple[str, List[str]]:
    """Return the address without its query, and the parts of the query as written, encoded where necessary."""
    scheme, host, path, query = _split_url(address)
    parts = [quote(part, safe=_QUERY_SAFE) for part in _parts(query)]
    return urlunsplit((scheme, host, path or "/", "", "")), parts


def _parameter_name(part: str) -> str:
    return unquote_plus(part.partition("=")[0]).strip().upper()


def _join_parameters(base: str, parameters: List[str]) -> str:
    return f"{base}?{'&'.join(parameters)}" if parameters else base


def _split_url(address: str) -> Tuple[str, str, str, str]:
    """Return scheme, host, path and query of an http(s) address, encoded where necessary.

    Raises InvalidRequest for any other text.
    """
    # halves of surrogate pairs, which JSON may have, cannot be encoded
    text = re.sub(r"[\r\n\t\ud800-\udfff]", "", address.strip())
    text = _AMPERSAND.sub("&", text)
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

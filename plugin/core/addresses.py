"""Web addresses from outside: hosts that only their own machine or network can reach, and secrets in addresses.

Logins and keys belong in QGIS's authentication store. They are set apart where an address is read, so that no table,
document, log or message can contain them.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from typing import Any, Callable, List, Optional, Tuple
from urllib.parse import quote, unquote, unquote_plus, urljoin, urlsplit

#: suffixes of names that no public server answers to (RFC 6761, 6762, 8375, and ICANN's ``.internal``)
_INTERNAL_SUFFIXES = (".local", ".localhost", ".localdomain", ".internal", ".home.arpa")
#: IPv6 addresses that contain an IPv4 address (RFC 6052)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_USER_NAMES = ("user", "username", "usr", "login")
_PASSWORD_NAMES = ("password", "passwd", "pwd", "pass")
_KEY_NAMES = {"token", "access_token", "auth_token", "apikey", "api_key", "api-key", "authkey", "auth_key", "secret",
              "client_secret"}
#: the end of every name above that makes a parameter a secret. It begins with the sign, which is found fastest
_HINT = re.compile("=(?:{})".format("|".join(
    f"(?<={name}=)" for name in ("key", "token", "secret", *_PASSWORD_NAMES))).encode("ascii"), re.IGNORECASE)
_START = re.compile(r"\s*https?://", re.IGNORECASE)
_END_OF_HOST = re.compile(r"[/?#\\]")
_LOGIN = re.compile(rb"://[^\s/?#\"'<>@]*@")
#: an address inside of a text, without the marks that end it in XML, JSON or prose
_WEB_ADDRESS = re.compile(r"https?://(?:[^\s\"'<>`|\x00-\x1f\\]+|\\(?![\"\\/bfnrt]))+", re.IGNORECASE)
#: a parameter of a data source in QGIS that is a secret, with its quoted or plain value and the mark after it
_SECRET_OF_SOURCE = re.compile(
    r"(?<![\w:-])(?:" + "|".join((*_PASSWORD_NAMES, *sorted(_KEY_NAMES))) + r"|http-header:(?!referer)[\w-]+)\s?=\s?"
    r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s'"&;,|]*)(?:[&;,]|\s|(?=$|[|'"]))""", re.IGNORECASE)
_ORACLE_LOGIN = re.compile(r"^(OCI:[^/@]*)/[^@]*@", re.IGNORECASE)
#: addresses with secrets in one document. A catalogue's page with a key in each link has some thousand
_MAX_SECRETS = 20_000
#: parameters of one address. Of an address with more nobody needs the parameters, which are removed with their secrets
_MAX_PARAMETERS = 2_000
_ESCAPED_AMPERSANDS = ("&amp;", "&#38;", "&#x26;", "\\u0026")


def is_web_address(url: Optional[str]) -> bool:
    """Return True if ``url`` is an http(s) address with a host. No other address is ever opened."""
    if not url:
        return False
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.netloc)


def joined_address(base: str, reference: str) -> str:
    """Return the address that ``reference`` means in the document at ``base``, "" if it cannot be one."""
    try:
        return urljoin(base, reference)
    except ValueError:
        return ""


def host_of_address(address: str) -> str:
    """Return the host of an address in lower case, or an empty text."""
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def host_and_port(address: str) -> str:
    """Return the host of an address for display, with its port if it names one, or an empty text."""
    try:
        return urlsplit(address).netloc.rpartition("@")[2]
    except ValueError:
        return ""


def is_internal_host(host: str) -> bool:
    """Return True for a name or an IP address that only its own machine or network can reach.

    Names are judged by their form alone: a name of a public form may still resolve to an internal IP address.
    """
    name = host.strip("[]").rstrip(".").lower()
    if ("." not in name and ":" not in name) or name.endswith(_INTERNAL_SUFFIXES):
        return True
    try:
        number = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    if isinstance(number, ipaddress.IPv6Address):
        if number in _NAT64:
            number = ipaddress.IPv4Address(int(number) & 0xFFFFFFFF)
        else:
            number = number.ipv4_mapped or number.sixtofour or number
    return not number.is_global or number.is_multicast


class TooManySecrets(ValueError):
    """The document has so many addresses with secrets that it was made to take time."""


@dataclass(frozen=True)
class AddressSecret:
    """Login or keys that stood in an address, set apart from it. It must never be written outside QGIS's store.

    ``address`` is the address without them, ``keys`` are parameters by name. Its repr shows the address only.
    """

    address: str
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    keys: Tuple[Tuple[str, str], ...] = field(default=(), repr=False)


def separate_secrets(address: str) -> Tuple[str, Optional[AddressSecret]]:
    """Return an address without login and keys, and these if there were any.

    A login is the name and password before the host. Parameters such as ``?token=c`` and ``?user=a`` are removed too.
    Other texts, paths of files among them, are returned unchanged.
    """
    match = _START.match(address)
    if match is None:
        return address, None
    end = _END_OF_HOST.search(address, match.end())
    host_end = end.start() if end else len(address)
    login, has_login, host = address[match.end():host_end].rpartition("@")
    rest, mark, query = address[host_end:].partition("?")
    query, hash_mark, fragment = query.partition("#") if mark else (query, "", "")
    keys, remaining = _separate_parameters(query)
    if not keys and not has_login:
        return address, None
    if keys and not remaining:
        mark = ""
    user, _, password = login.partition(":")
    parameters = {name.lower(): value for name, value in keys}
    user = unquote(user) or next((parameters[name] for name in _USER_NAMES if name in parameters), "")
    password = unquote(password) or next((parameters[name] for name in _PASSWORD_NAMES if name in parameters), "")
    kept = tuple(pair for pair in keys if pair[0] and pair[0].lower() not in (*_USER_NAMES, *_PASSWORD_NAMES))
    clean = f"{address[:match.end()]}{host}{rest}{mark}{remaining}{hash_mark}{fragment}"
    return clean, AddressSecret(clean.strip(), user, password, kept)


def without_secrets(address: str) -> str:
    """Return an address without login and keys."""
    return separate_secrets(address)[0]


def text_without_secrets(text: str) -> str:
    """Return a text whose web addresses have no logins and no keys. Linear in its length."""
    if not _may_have_secrets(text.lower().encode("utf-8", "surrogatepass")):
        return text
    return _WEB_ADDRESS.sub(lambda match: without_secrets(match[0]), text)


def json_without_secrets(value: Any) -> Any:
    """Return a value of JSON without the logins and keys in the web addresses of its texts."""
    return with_changed_texts(value, text_without_secrets)


def with_changed_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value of JSON with ``change`` applied to its texts, those of its lists and objects too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, (list, tuple)):
        return [with_changed_texts(item, change) for item in value]
    return {key: with_changed_texts(item, change) for key, item in value.items()} if isinstance(value, dict) else value


def source_without_secrets(source: str) -> str:
    """Return a data source, as QGIS's providers write it, without passwords and keys. A user name stays.

    The source may be an address, a list of parameters (``name='value' …`` or ``name=value&…``, encoded or not), or a
    connection string of GDAL. The id of an authentication configuration (``authcfg``) stays.
    """
    clean = _ORACLE_LOGIN.sub(r"\1@", text_without_secrets(source))
    clean = with_changed_parameters(_SECRET_OF_SOURCE.sub("", clean), text_without_secrets)
    return clean if clean == source else clean.rstrip("&;, ")


def with_changed_parameters(source: str, change: Callable[[str], str]) -> str:
    """Return a source with ``change`` applied to the values of its encoded parameters, which may be addresses."""
    if "%" not in source:
        return source
    parts = []
    for part in source.split("&"):
        name, mark, value = part.partition("=")
        decoded = unquote(value)
        clean = change(decoded)
        parts.append(part if clean == decoded else f"{name}{mark}{quote(clean, safe='')}")
    return "&".join(parts)


def document_without_secrets(data: bytes) -> Tuple[bytes, Tuple[AddressSecret, ...]]:
    """Return the bytes of an XML or JSON document whose web addresses have no logins and no keys, and these.

    A document without any is returned as it is. Ampersands may be escaped as XML or JSON does it. ``data`` must be in
    an encoding that extends ASCII. Raises TooManySecrets.
    """
    if not _may_have_secrets(data):
        return data, ()
    found: List[AddressSecret] = []

    def clean(match: re.Match[str]) -> str:
        written = match[0]
        escaped = next((mark for mark in _ESCAPED_AMPERSANDS if mark in written), "&")
        address, secret = separate_secrets(written.replace(escaped, "&") if escaped != "&" else written)
        if secret is None:
            return written
        found.append(secret)
        if len(found) > _MAX_SECRETS:
            raise TooManySecrets(f"more than {_MAX_SECRETS} addresses with a login or a key")
        return address.replace("&", escaped)

    changed = _WEB_ADDRESS.sub(clean, data.decode("latin-1"))
    return (changed.encode("latin-1") if found else data), tuple(found)


def _separate_parameters(query: str) -> Tuple[Tuple[Tuple[str, str], ...], str]:
    """Return the parameters of a query that are secrets, decoded, and the query without them, as written."""
    parts = query.split("&", _MAX_PARAMETERS)
    if len(parts) > _MAX_PARAMETERS:
        return (("", ""),), ""
    names = [unquote_plus(part.partition("=")[0]).strip().lower() for part in parts]
    with_password = any(name in _PASSWORD_NAMES for name in names)
    secret_names = _KEY_NAMES | set(_PASSWORD_NAMES) | (set(_USER_NAMES) if with_password else set())
    secret = [part for part, name in zip(parts, names) if name in secret_names and part.partition("=")[2]]
    if not secret:
        return (), query
    pairs = (part.partition("=") for part in secret)
    return (tuple((unquote_plus(name), unquote_plus(value)) for name, _, value in pairs),
            "&".join(part for part in parts if part not in secret))


def _may_have_secrets(data: bytes) -> bool:
    """Return False for most texts without secrets, fast. Bytes are searched faster than characters."""
    if b"://" not in data:
        return False
    return b"@" in data and _LOGIN.search(data) is not None or _HINT.search(data) is not None

"""Addresses in GeoNetwork: from any address of a record to the request for its XML."""

from __future__ import annotations

import re
from typing import Optional
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

from ..request import HttpMethod, Request

_LANGUAGE = r"(?:[a-z]{2,3}|[a-z]{2}_[A-Z]{2})"
#: position of the identifier: after ``#`` in the browser's address, in the API's path, in a parameter
_IN_FRAGMENT = re.compile(r"^/?(?:metadata|full_view|record)/([^/?#&|]+)")
_IN_API = re.compile(rf"^(?P<root>.*?)/srv/(?:{_LANGUAGE}/)?api(?:/[\d.]+)?/records/(?P<id>[^/]+)(?:/.*)?$")
_IN_PAGE = re.compile(rf"^(?P<root>.*?)/srv/(?:{_LANGUAGE}/)?(?P<page>[^/]*)/?$")
_PARAMETERS = ("uuid", "id", "fileidentifier")
_PAGES = re.compile(r"(?:main\.(?:home|search)|metadata\.show|metadata\.formatter\.\w+|md\.format\.\w+"
                    r"|xml\.metadata\.get"
                    r"|xml_iso19139\w*|iso19139\.xml|search|home|find|catalog\.(?:search|edit)|csw|)(?:;.*)?")
_IDENTIFIER = re.compile(r"[\w.:{}()@~+-]{1,200}")


def record_request(address: str) -> Optional[Request]:
    """Return the request for a record's XML from any address that GeoNetwork uses for it, or None for other addresses.

    Recognised are the browser's addresses (``…/srv/spa/catalog.search#/metadata/{id}``, with or without further parts),
    those of the API (``…/srv/api/records/{id}[/formatters/…]``), and those with ``uuid=``. The request is for
    ``…/srv/api/records/{id}/formatters/xml`` of the same catalogue.
    """
    try:
        parts = urlsplit(address.strip())
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not host:
        return None
    root, identifier = _find_record(parts.path, parts.query, parts.fragment)
    if root is None or identifier is None or not _IDENTIFIER.fullmatch(identifier):
        return None
    catalogue = urlunsplit((parts.scheme.lower(), parts.netloc, root, "", ""))
    return Request(HttpMethod.GET, record_url(catalogue, identifier), {"Accept": "application/xml"})


def record_url(root: str, identifier: str) -> str:
    """Return the address of a record's XML. ``root`` is the root address of the GeoNetwork."""
    return f"{root.rstrip('/')}/srv/api/records/{quote(identifier, safe='')}/formatters/xml"


def page_url(root: str, identifier: str, language: str = "spa") -> str:
    """Return the address of a record's page for people. ``language`` is an ISO 639-2 code."""
    return f"{root.rstrip('/')}/srv/{language}/catalog.search#/metadata/{quote(identifier, safe='')}"


def csw_url(root: str, language: str = "spa") -> str:
    """Return the address of the CSW. ``root`` is the root address, ``language`` an ISO 639-2 code."""
    return f"{root.rstrip('/')}/srv/{language}/csw"


def _find_record(path: str, query: str, fragment: str) -> tuple[Optional[str], Optional[str]]:
    """Return the path of the catalogue's root and the identifier, each None if the address has none."""
    api = _IN_API.match(path)
    if api:
        return api.group("root"), unquote(api.group("id"))
    page = _IN_PAGE.match(path)
    is_known_page = page is not None and _PAGES.fullmatch(page.group("page")) is not None
    named = _IN_FRAGMENT.match(fragment)
    if named and (is_known_page or "/srv/" not in path):
        return (page.group("root") if page else path.rstrip("/")), unquote(named.group(1))
    parameters = {name.lower(): value for name, value in parse_qsl(query)}
    value = parameters.get("uuid") or (
        next((parameters[name] for name in _PARAMETERS if parameters.get(name)), None) if is_known_page else None)
    if value is None:
        return None, None
    if page is not None:
        return (page.group("root"), value) if is_known_page else (None, None)
    return (path.rstrip("/"), value) if re.search(r"geonetwork", path, re.IGNORECASE) else (None, None)

"""What an address is: a catalogue of which kind, or a document; asked in few, cheap requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, List, Optional, Tuple
from urllib.parse import urlsplit

from .. import safexml
from ..catalogue import geonetwork as geonetwork_addresses
from ..errors import CartoguideError, InvalidRequest
from ..i18n import tr
from ..records import sniff
from ..records.json_reading import parse
from ..records.links import is_web_address
from ..request import Request, Response
from ..wms.answers import explain_answer
from .csw_offer import CswOffer, is_capabilities, read_offer
from .model import CSW2, CSW3, FILE, GEONETWORK, Fetch, Source
from .ogcapi import link_of, source_of
from .opening import api_offers, csw_offer, geonetwork_version

_ANY = {"Accept": "application/json, application/xml;q=0.9, */*;q=0.5"}
#: what may stand behind the root of a GeoNetwork in the addresses that people copy
_GEONETWORK_PATH = ("/srv", "/apps/")


@dataclass(frozen=True)
class Detected:
    """The sources at an address, the best first, and in words what was found there.

    A source of kind "file" stands for a document of records at that address, to be opened and not to be searched.
    """

    sources: Tuple[Source, ...]
    said: str


def detect(address: str, fetch: Fetch) -> Detected:
    """What ``address`` is. CartoguideError says what it is instead, or why it could not be told.

    At most five requests; one that fails does not end the search, but a login that is asked for does.
    """
    address = address.strip()
    if not is_web_address(address):
        raise InvalidRequest(tr("“{address}” is not a web address. A catalogue's address begins with http:// or "
                                "https://.", address=address[:200]), address[:200])
    if geonetwork_addresses.record_request(address) is not None:
        return Detected((Source(address, FILE),), tr("A record of a GeoNetwork catalogue."))
    problems: List[CartoguideError] = []
    for attempt in _attempts(address):
        try:
            found = attempt(address, fetch)
        except CartoguideError as error:
            if getattr(error, "status", 0) in (401, 403, 407):
                raise
            problems.append(error.with_traceback(None))
            if _unreachable(error):
                break
            continue
        if found is not None:
            return found
    raise problems[0] if problems else CartoguideError(
        tr("{address} is no catalogue that Cartoguide knows.", address=address), address)


def _attempts(address: str) -> Iterator[Any]:
    if _geonetwork_root(address):
        yield _geonetwork
    yield _as_it_is
    yield _csw


def _unreachable(error: CartoguideError) -> bool:
    """Whether no answer came at all: then no other question gets one. gis.network tells the kinds."""
    return getattr(error, "kind", "") in ("dns", "refused", "tls", "offline", "proxy", "timeout", "too-slow")


def _geonetwork_root(address: str) -> str:
    """The root of a GeoNetwork as its addresses show it; empty where nothing does."""
    parts = urlsplit(address)
    for mark in _GEONETWORK_PATH:
        before, found, _ = parts.path.partition(mark)
        if found:
            return f"{parts.scheme}://{parts.netloc}{before.rstrip('/')}"
    if "geonetwork" in parts.path.lower():
        return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
    return ""


def _geonetwork(address: str, fetch: Fetch) -> Optional[Detected]:
    """GeoNetwork says who it is at ``/srv/api/site``; version 3 and older have no search of this kind."""
    root = _geonetwork_root(address)
    response = fetch(Request("GET", f"{root}/srv/api/site", {"Accept": "application/json"}))
    main, version, title = geonetwork_version(response)
    if not main:
        return None
    name = title or root
    csw = Source(geonetwork_addresses.csw_address(root, "eng"), CSW2, name)
    if main < 4:
        return Detected((csw,), tr("GeoNetwork {version}: “{title}”.", version=version or "3", title=name))
    own = Source(root, GEONETWORK, name)
    said = tr("GeoNetwork {version}: “{title}”.", version=version, title=name)
    if urlsplit(address).path.rstrip("/").endswith("/csw"):
        return Detected((Source(address.partition("?")[0], CSW2, name), own), said)
    return Detected((own, csw), said)


def _as_it_is(address: str, fetch: Fetch) -> Optional[Detected]:
    """What the address itself gives: capabilities, an OGC API, a document of records."""
    response = fetch(Request("GET", address, _ANY))
    if response.status in (400, 404, 405, 406, 500, 501):
        return None
    form = sniff.form(response.body)
    if form == "json":
        return _json(response, address, fetch)
    if form == "xml":
        return _xml(response, address)
    explain_answer(response, "any")
    return Detected((Source(address, FILE),), tr("A package of records.")) if form == "zip" else None


def _xml(response: Response, address: str) -> Optional[Detected]:
    root = safexml.parse(response.body, address)
    if is_capabilities(root):
        return _catalogue(read_offer(response.body, address), address)
    if sniff.record_kind(root) is not None or sniff.is_answer(root):
        return Detected((Source(address, FILE),), tr("A document of records."))
    if sniff.is_wms(root):
        raise InvalidRequest(tr("{address} is a map service (WMS), not a catalogue.", address=address), address)
    return None


def _json(response: Response, address: str, fetch: Fetch) -> Optional[Detected]:
    value = parse(response.body, address)
    if not isinstance(value, dict):
        return None
    if value.get("type") in ("FeatureCollection", "Feature"):
        collection = link_of(value, "collection", ("application/json",))
        if collection is None or value.get("type") == "Feature":
            return Detected((Source(address, FILE),), tr("A document of records."))
        address = str(collection["href"])
    elif not (link_of(value, "data") or link_of(value, "items") or isinstance(value.get("collections"), list)):
        return None
    offers = api_offers(address, fetch)
    if not offers:
        raise InvalidRequest(tr("{address} is an OGC API, but none of its collections holds catalogue records.",
                                address=address), address)
    landing = _landing(offers[0].collection, address)
    sources = tuple(source_of(offer, landing) for offer in offers)
    return Detected(sources, tr("OGC API Records with %n collection(s).", n=len(sources)))


def _landing(collection: str, address: str) -> str:
    """The landing page that stands above a collection's address."""
    before, found, _ = collection.partition("?")[0].partition("/collections/")
    return before if found else address


def _csw(address: str, fetch: Fetch) -> Optional[Detected]:
    return _catalogue(csw_offer(address, fetch), address)


def _catalogue(offer: CswOffer, address: str) -> Detected:
    base = _without_request(address)
    said = tr("CSW {version}: “{title}”.", version=offer.version, title=offer.title or base)
    own = Source(base, offer.kind, offer.title)
    other = (Source(base, CSW2, offer.title),) if offer.kind == CSW3 else ()
    return Detected((own, *other), said)


def _without_request(address: str) -> str:
    """A CSW's address without the parameters of a GetCapabilities that may stand in it."""
    parts = urlsplit(address)
    ours = ("service", "request", "version", "acceptversions")
    kept = [part for part in parts.query.split("&") if part and part.partition("=")[0].lower() not in ours]
    return parts._replace(query="&".join(kept), fragment="").geturl()

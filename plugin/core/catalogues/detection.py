"""Detection of the kind of catalogue at an address, with few and small requests, and the protocol for a known one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Iterator, List, Optional, Tuple
from urllib.parse import urlsplit

from .. import safe_xml
from ..addresses import is_web_address, joined_address
from ..errors import CartoguideError, FailureKind, InvalidRequest, NotARecord, failure_kind
from ..i18n import tr
from ..json_document import as_text, parse_json
from ..records.input import format_detection
from ..records.input.document_reader import describes_records
from ..records.input.format_detection import DocumentFormat
from ..records.rdf.rdf_xml import is_rdf_root
from ..request import HttpMethod, Request, Response
from ..wms.model.protocol import IDENTIFYING_PARAMETERS
from ..wms.requests.urls import divide_parameters
from ..wms.responses.response_validation import ExpectedContent, check_response
from .model import CatalogueProtocol, Fetch, Source, SourceKind, trusted_address
from .protocols import geonetwork_api
from .protocols.ckan import CkanProtocol, ckan_root, parse_status, status_request
from .protocols.csw import CswCapabilities, CswProtocol, capabilities_request, is_capabilities, parse_csw_capabilities
from .protocols.geonetwork_api import GeoNetworkProtocol
from .protocols.ogcapi_records import (
    ApiCollection,
    OgcApiProtocol,
    find_link,
    parse_record_collections,
    source_of_collection,
)
from .source_list import csw_source

_JSON = {"Accept": "application/json"}
_VERSIONS = {SourceKind.CSW_2: "2.0.2", SourceKind.CSW_3: "3.0.0"}
_UNREACHABLE = (FailureKind.DNS, FailureKind.REFUSED, FailureKind.TLS, FailureKind.OFFLINE, FailureKind.PROXY,
                FailureKind.TIMEOUT, FailureKind.TOO_SLOW)
_ANY = {"Accept": "application/json, application/xml;q=0.9, */*;q=0.5"}
#: how the path continues after the root of a GeoNetwork
_GEONETWORK_PATH = ("/srv", "/apps/")
#: what CKAN's pages name as their generator, and where in them
_CKAN_PAGE = re.compile(rb"""name=["']generator["']\s+content=["']ckan\b""", re.IGNORECASE)
_PAGE_HEAD = 20_000


def create_protocol(source: Source, fetch: Fetch, language: str = "") -> CatalogueProtocol:
    """Fetch the capabilities of a remote source and return its protocol.

    ``language`` (ISO 639) chooses among localised texts of records. Raises CartoguideError if the source cannot be
    reached or is not such a catalogue.
    """
    if source.kind in (SourceKind.CSW_2, SourceKind.CSW_3):
        return CswProtocol(source, fetch_csw_capabilities(source.address, fetch, _VERSIONS[source.kind]), language)
    if source.kind == SourceKind.OGC_API:
        return OgcApiProtocol(source, fetch_api_collection(source, fetch))
    if source.kind == SourceKind.CKAN:
        return CkanProtocol(source)
    if source.kind == SourceKind.GEONETWORK:
        return _create_geonetwork_protocol(source, fetch, language)
    raise InvalidRequest(tr("“{name}” is not a catalogue that can be searched.", name=source.display_name),
                         source.kind.value)


def _create_geonetwork_protocol(source: Source, fetch: Fetch, language: str) -> CatalogueProtocol:
    """Return the protocol of GeoNetwork 4, or the CSW protocol for older versions, which lack its search."""
    response = fetch(Request(HttpMethod.GET, f"{source.address.rstrip('/')}/srv/api/site", _JSON))
    if response.status in (401, 403, 407, 429, 502, 503, 504):
        check_response(response, ExpectedContent.JSON)
    if parse_geonetwork_version(response)[0] >= 4:
        return GeoNetworkProtocol(source, language)
    try:
        return CswProtocol(source, fetch_csw_capabilities(csw_source(source).address, fetch), language)
    except CartoguideError as error:
        if failure_kind(error) is not None:
            raise  # no response: the address may be right all the same
        raise NotARecord(
            tr("{name} is neither a GeoNetwork nor a CSW. Check its address.", name=source.display_name),
            f"{source.address}\n{error.detail}", "catalogue") from error


def parse_geonetwork_version(response: Response) -> Tuple[int, str, str]:
    """Return main version, version as written, and title from a response of ``/srv/api/site``.

    The main version is 0 if the response is not from a GeoNetwork, and 3 if it gives no version.
    """
    if response.status != 200 or response.body.lstrip()[:1] != b"{":
        return 0, "", ""
    try:
        site = parse_json(response.body, response.url)
    except CartoguideError:
        return 0, "", ""
    title, version = as_text(site.get("system/site/name")) or "", as_text(site.get("system/platform/version")) or ""
    if not title and not version:
        return 0, "", ""
    main = version.split(".")[0]
    return (int(main) if main.isdigit() and len(main) < 4 else 3), version, title


def fetch_csw_capabilities(address: str, fetch: Fetch, version: str = "") -> CswCapabilities:
    """Return the capabilities of the CSW at ``address``, in ``version`` or its best one. Sends at most two requests.

    Raises CartoguideError if it cannot be reached or is not a CSW.
    """
    problem: Optional[CartoguideError] = None
    for requested_version in ((version,) if version else ("", "2.0.2")):
        response = fetch(capabilities_request(address, requested_version))
        try:
            check_response(response, ExpectedContent.XML)
            return parse_csw_capabilities(response.body, address)
        except CartoguideError as error:
            problem = problem or error
            if response.status in (401, 403, 404, 407):
                break
    raise problem or NotARecord(address)


def fetch_api_collection(source: Source, fetch: Fetch) -> ApiCollection:
    """Return the collection of an OGC API that ``source`` names, or its first one with records if it names none.

    Raises CartoguideError if there is none.
    """
    offers = fetch_api_collections(source.address, fetch, source.collection)
    if not offers:
        raise NotARecord(tr("{name} has no collection of records.", name=source.display_name), source.key, "collection")
    return offers[0]


def fetch_api_collections(landing: str, fetch: Fetch, collection: str = "") -> List[ApiCollection]:
    """Return the collections of records of the API whose landing page, or list of collections, is at ``landing``."""
    document, address = _fetch_json(landing, fetch)
    if isinstance(document, dict) and not isinstance(document.get("collections"), list) and "itemType" not in document:
        data = find_link(document, "data", ("application/json",))
        target = _absolute(data["href"], address) if data else f"{landing.partition('?')[0].rstrip('/')}/collections"
        document, address = _fetch_json(target, fetch)
    if not isinstance(document, dict):
        return []
    if collection and isinstance(document.get("collections"), list):
        document = {**document, "collections": [item for item in document["collections"]
                                                if isinstance(item, dict) and item.get("id") == collection]}
    return parse_record_collections(document, address)


def _absolute(href: str, address: str) -> str:
    return trusted_address(joined_address(address, href), address)


def _fetch_json(address: str, fetch: Fetch) -> Tuple[Any, str]:
    response = fetch(Request(HttpMethod.GET, address, _JSON))
    check_response(response, ExpectedContent.JSON)
    return parse_json(response.body, address), response.url


@dataclass(frozen=True)
class DetectedCatalogue:
    """Sources at an address, the best first, and a description for people.

    A source of kind "file" stands for a document of records, which can be opened but not searched.
    """

    sources: Tuple[Source, ...]
    description: str


#: returns what it found at an address, or None; raises CartoguideError if a request fails
Detector = Callable[[str, Fetch], Optional[DetectedCatalogue]]


def detect_catalogue(address: str, fetch: Fetch) -> DetectedCatalogue:
    """Return the catalogues at ``address``.

    Sends at most five requests. A failed request does not end the detection, unless a login is required or the server
    cannot be reached. Raises CartoguideError with what the address is instead, or why it could not be detected.
    """
    address = address.strip()
    if not is_web_address(address):
        raise InvalidRequest(tr("“{address}” is not a web address. A catalogue's address begins with http:// or "
                                "https://.", address=address[:200]), address[:200])
    if geonetwork_api.record_request(address) is not None:
        return DetectedCatalogue((Source(address, SourceKind.FILE),), tr("A record of a GeoNetwork catalogue."))
    problems: List[CartoguideError] = []
    for attempt in _detectors(address):
        try:
            detected = attempt(address, fetch)
        except CartoguideError as error:
            if getattr(error, "status", 0) in (401, 403, 407):
                raise
            problems.append(error.with_traceback(None))
            if _is_unreachable(error):
                break
            continue
        if detected is not None:
            return detected
    raise problems[0] if problems else CartoguideError(
        tr("{address} is not a catalogue of a supported kind.", address=address), address)


def _detectors(address: str) -> Iterator[Detector]:
    """Yield the detectors for an address, the most specific first."""
    if _geonetwork_root(address):
        yield _detect_geonetwork
    if ckan_root(address):
        yield _detect_ckan
    yield _detect_from_content
    yield _detect_csw


def _is_unreachable(error: CartoguideError) -> bool:
    """Return True if the server cannot be reached, so that no other request would get a response either."""
    return failure_kind(error) in _UNREACHABLE


def _geonetwork_root(address: str) -> str:
    """Return the root of a GeoNetwork if ``address`` looks like one of its addresses, else ""."""
    parts = urlsplit(address)
    for path_mark in _GEONETWORK_PATH:
        root_path, separator, _ = parts.path.partition(path_mark)
        if separator:
            return f"{parts.scheme}://{parts.netloc}{root_path.rstrip('/')}"
    if "geonetwork" in parts.path.lower():
        return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
    return ""


def _detect_geonetwork(address: str, fetch: Fetch) -> Optional[DetectedCatalogue]:
    """Detect a GeoNetwork by ``/srv/api/site``. Versions before 4 are searched through their CSW."""
    root = _geonetwork_root(address)
    response = fetch(Request(HttpMethod.GET, f"{root}/srv/api/site", {"Accept": "application/json"}))
    main, version, title = parse_geonetwork_version(response)
    if not main:
        return None
    name = title or root
    csw = Source(geonetwork_api.csw_url(root, "eng"), SourceKind.CSW_2, name)
    if main < 4:
        return DetectedCatalogue((csw,), tr("GeoNetwork {version}: “{title}”.", version=version or "3", title=name))
    preferred = Source(root, SourceKind.GEONETWORK, name)
    description = tr("GeoNetwork {version}: “{title}”.", version=version, title=name)
    if urlsplit(address).path.rstrip("/").endswith("/csw"):
        return DetectedCatalogue((Source(address.partition("?")[0], SourceKind.CSW_2, name), preferred), description)
    return DetectedCatalogue((preferred, csw), description)


def _detect_ckan(address: str, fetch: Fetch) -> Optional[DetectedCatalogue]:
    """Detect a CKAN by ``status_show``. The address of one package is that of a record."""
    parts = urlsplit(address)
    if parts.path.rstrip("/").endswith("/package_show"):
        return DetectedCatalogue((Source(address, SourceKind.FILE),), tr("A document of records."))
    root = ckan_root(address) or f"{parts.scheme}://{parts.netloc}"
    found = parse_status(fetch(status_request(root)))
    if found is None:
        return None
    version, title = found
    return DetectedCatalogue((Source(root, SourceKind.CKAN, title or root),),
                             tr("CKAN {version}: “{title}”.", version=version, title=title or root))


def _detect_from_content(address: str, fetch: Fetch) -> Optional[DetectedCatalogue]:
    """Detect a catalogue by the document at the address: capabilities, an OGC API, or records."""
    response = fetch(Request(HttpMethod.GET, address, _ANY))
    if response.status in (400, 404, 405, 406, 500, 501):
        return None
    document_format = format_detection.detect_format(response.body)
    if document_format == DocumentFormat.JSON:
        return _detect_json(response, address, fetch)
    if document_format == DocumentFormat.XML:
        return _detect_xml(response, address)
    if document_format == DocumentFormat.TURTLE:
        return DetectedCatalogue((Source(address, SourceKind.FILE),), tr("A document of records."))
    check_response(response, ExpectedContent.ANY)
    if document_format == DocumentFormat.HTML and _CKAN_PAGE.search(response.body[:_PAGE_HEAD]):
        return _detect_ckan(address, fetch)
    if document_format == DocumentFormat.ZIP:
        return DetectedCatalogue((Source(address, SourceKind.FILE),), tr("A package of records."))
    return None


def _detect_xml(response: Response, address: str) -> Optional[DetectedCatalogue]:
    root = safe_xml.parse(response.body, address)
    if is_capabilities(root):
        return _csw_catalogue(parse_csw_capabilities(response.body, address), address)
    if (format_detection.record_format(root) is not None or format_detection.response_entries(root) is not None
            or is_rdf_root(root)):
        return DetectedCatalogue((Source(address, SourceKind.FILE),), tr("A document of records."))
    if format_detection.is_wms_capabilities(root):
        raise InvalidRequest(tr("{address} is a map service (WMS), not a catalogue.", address=address), address)
    return None


def _detect_json(response: Response, address: str, fetch: Fetch) -> Optional[DetectedCatalogue]:
    value = parse_json(response.body, address)
    if describes_records(value):
        return DetectedCatalogue((Source(address, SourceKind.FILE),), tr("A document of records."))
    if not isinstance(value, dict):
        return None
    if value.get("type") in ("FeatureCollection", "Feature"):
        collection = find_link(value, "collection", ("application/json",))
        if collection is None or value.get("type") == "Feature":
            return DetectedCatalogue((Source(address, SourceKind.FILE),), tr("A document of records."))
        address = str(collection["href"])
    elif not (find_link(value, "data") or find_link(value, "items") or isinstance(value.get("collections"), list)):
        return None
    offers = fetch_api_collections(address, fetch)
    if not offers:
        raise InvalidRequest(tr("{address} is an OGC API, but none of its collections contains catalogue records.",
                                address=address), address)
    landing = _landing_page(offers[0].collection_address, address)
    sources = tuple(source_of_collection(offer, landing) for offer in offers)
    return DetectedCatalogue(sources, tr("OGC API Records with %n collection(s).", n=len(sources)))


def _landing_page(collection: str, address: str) -> str:
    """Return the landing page of the API that a collection belongs to."""
    root_path, separator, _ = collection.partition("?")[0].partition("/collections/")
    return root_path if separator else address


def _detect_csw(address: str, fetch: Fetch) -> Optional[DetectedCatalogue]:
    return _csw_catalogue(fetch_csw_capabilities(address, fetch), address)


def _csw_catalogue(offer: CswCapabilities, address: str) -> DetectedCatalogue:
    base = _strip_capabilities_parameters(address)
    description = tr("CSW {version}: “{title}”.", version=offer.version, title=offer.title or base)
    preferred = Source(base, offer.kind, offer.title)
    other = (Source(base, SourceKind.CSW_2, offer.title),) if offer.kind == SourceKind.CSW_3 else ()
    return DetectedCatalogue((preferred, *other), description)


def _strip_capabilities_parameters(address: str) -> str:
    """Return a CSW's address without the parameters of a GetCapabilities request."""
    parts = urlsplit(address)
    own, _ = divide_parameters(filter(None, parts.query.split("&")), IDENTIFYING_PARAMETERS | {"ACCEPTVERSIONS"})
    return parts._replace(query="&".join(own), fragment="").geturl()

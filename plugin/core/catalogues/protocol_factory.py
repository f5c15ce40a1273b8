"""Creation of the protocol for a source, from its capabilities."""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from ..addresses import joined_address
from ..errors import CartoguideError, InvalidRequest, NotARecord, failure_kind
from ..i18n import tr
from ..json_document import parse_json
from ..records.formats.json_members import as_text
from ..request import HttpMethod, Request, Response
from ..wms.responses.response_validation import ExpectedContent, check_response
from .declared_addresses import trusted_address
from .model import CatalogueProtocol, Fetch, Source, SourceKind
from .protocols.csw import CswProtocol
from .protocols.csw_capabilities import CswCapabilities, capabilities_request, parse_csw_capabilities
from .protocols.geonetwork_api import GeoNetworkProtocol
from .protocols.ogcapi_records import ApiCollection, OgcApiProtocol, find_link, parse_record_collections
from .source_list import csw_source

_JSON = {"Accept": "application/json"}
_VERSIONS = {SourceKind.CSW_2: "2.0.2", SourceKind.CSW_3: "3.0.0"}


def create_protocol(source: Source, fetch: Fetch, language: str = "") -> CatalogueProtocol:
    """Fetch the capabilities of a remote source and return its protocol.

    ``language`` (ISO 639) chooses among localised texts of records. Raises CartoguideError if the source cannot be
    reached or is not such a catalogue.
    """
    if source.kind in (SourceKind.CSW_2, SourceKind.CSW_3):
        return CswProtocol(source, fetch_csw_capabilities(source.address, fetch, _VERSIONS[source.kind]), language)
    if source.kind == SourceKind.OGC_API:
        return OgcApiProtocol(source, fetch_api_collection(source, fetch))
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

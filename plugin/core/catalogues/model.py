"""Types shared by all catalogues: source, query, response, and the interface of a protocol."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Callable, Collection, Dict, Iterable, List, Mapping, Optional, Protocol, Tuple, TypeVar, Union
from urllib.parse import urlsplit, urlunsplit

from ..addresses import is_web_address, without_secrets
from ..box import Box
from ..cooperative_yield import yielding
from ..errors import CartoguideError, NotARecord
from ..i18n import tr
from ..json_document import JsonNode
from ..json_fields import choice, json_object, member, string
from ..library.query import Facet
from ..records import read
from ..records.model.record import Record
from ..request import HttpMethod, Request, Response
from ..wms.responses.response_validation import ExpectedContent, check_response

MAX_PAGE_SIZE = 1000
Entry = TypeVar("Entry")

#: sends a request and returns the response; raises CartoguideError if there is none
Fetch = Callable[[Request], Response]


class SourceKind(str, Enum):
    """Kinds of sources: the protocols of catalogues, files and folders."""

    CSW_2 = "csw2"
    CSW_3 = "csw3"
    OGC_API = "ogcapi"
    GEONETWORK = "geonetwork"
    CKAN = "ckan"
    FILE = "file"
    FOLDER = "folder"

    @property
    def is_catalogue(self) -> bool:
        """True for a catalogue that is searched through the network."""
        return self not in (SourceKind.FILE, SourceKind.FOLDER)


@json_object
class Source:
    """A source of records: a catalogue, a file or a folder.

    ``address`` is the address of a CSW, the root of a GeoNetwork or CKAN, the landing page of an OGC API, or a path.
    ``collection`` is the id of an OGC API's collection, ``language`` the ISO 639-2 code in GeoNetwork's addresses,
    ``authcfg`` the id of an authentication configuration of QGIS.
    """

    address: str = member(string(clean=without_secrets))
    kind: SourceKind = member(choice(SourceKind), absent=SourceKind.CSW_2)
    title: str = member(string(), default="", sparse=True)
    collection: str = member(string(), default="", sparse=True)
    language: str = member(string(), default="", sparse=True)
    authcfg: str = member(string(), default="", sparse=True)

    def as_read(self, node: JsonNode) -> Source:
        """Return the source. Raises InvalidDocument for a catalogue without a web address."""
        if self.kind.is_catalogue and not is_web_address(self.address):
            raise node.error("address", tr("must begin with http:// or https://"))
        return self

    @property
    def key(self) -> str:
        """Return the key of this source, which is also its address in the record store."""
        return f"{self.address}#{self.collection}" if self.collection else self.address

    @property
    def display_name(self) -> str:
        """Return its title, or its key if it has none."""
        return self.title or self.key


class CatalogueSort(str, Enum):
    """Orders in which a catalogue returns its records: by none in particular, or as ``SortOrder`` and by identifier."""

    NONE = ""
    RELEVANCE = "relevance"
    TITLE = "title"
    DATE = "date"
    IDENTIFIER = "identifier"


@dataclass(frozen=True)
class CatalogueQuery:
    """Query to a catalogue. All conditions must hold. The empty query finds everything.

    Every word of ``text`` must occur in the record, which must have all ``keywords``. ``type`` is the catalogue's own
    term ("service", "dataset"). ``bbox`` is west, south, east, north in degrees (CRS:84), which the record must
    intersect. ``start`` counts from 1. ``facets`` are pairs of a ``Facet`` other than
    the source, by its value, and the values of which the record must have one. ``operates_on`` is the identifier of a
    data set that the record of a service names, which only a CSW is asked for.

    Raises ValueError if a value is out of range.
    """

    text: str = ""
    keywords: Tuple[str, ...] = ()
    type: str = ""
    bbox: Optional[Box] = None
    sort: CatalogueSort = CatalogueSort.NONE
    page_size: int = 50
    start: int = 1
    facets: Tuple[Tuple[str, Tuple[str, ...]], ...] = ()
    operates_on: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.page_size <= MAX_PAGE_SIZE or self.start < 1:
            raise ValueError(f"no query: {self!r}")
        if self.bbox is not None and not self.bbox.south <= self.bbox.north:
            raise ValueError(f"no box: {self.bbox!r}")

    @property
    def words(self) -> List[str]:
        return self.text.split()

    def facet_values(self, facet: str) -> Tuple[str, ...]:
        """Return the values of a facet, of which the record must have one, or an empty tuple if any will do."""
        return dict(self.facets).get(facet, ())

    def select_facets(self, facets: Collection[str]) -> Tuple[Tuple[str, Tuple[str, ...]], ...]:
        """Return the conditions on ``facets`` only."""
        return tuple(pair for pair in self.facets if pair[0] in facets)

    @property
    def types(self) -> Tuple[str, ...]:
        """Return the types to request, of which the record must have one.

        Empty if any will do, or if "other" is among them, for which catalogues have no term.
        """
        kinds = (self.type,) if self.type else self.facet_values(Facet.KIND)
        return kinds if "other" not in kinds else ()


@dataclass(frozen=True)
class CatalogueRecord:
    """One record of a response and its address in the catalogue.

    ``full`` is False for an index entry, whose full record the protocol's ``record_request`` fetches.
    """

    record: Record
    location: str
    full: bool = True


@dataclass(frozen=True)
class SearchResponse:
    """One page of a response.

    ``total`` is the number of results that the source claims, ``next_request`` fetches the next page (None on the
    last), ``entry_count`` is the number of entries, readable or not, ``failures`` are the errors of those that were
    not, and ``notes`` are warnings about the source's response.
    """

    items: Tuple[CatalogueRecord, ...] = ()
    total: Optional[int] = None
    next_request: Optional[Request] = None
    notes: Tuple[str, ...] = ()
    failures: Tuple[CartoguideError, ...] = ()
    entry_count: int = 0

    @property
    def records(self) -> Tuple[Record, ...]:
        return tuple(item.record for item in self.items)


class CatalogueProtocol(Protocol):
    """Interface of all protocols. Builds requests and parses responses, without sending anything."""

    source: Source

    def first_request(self, query: CatalogueQuery) -> Request:
        """Return the request for the first page. Raises InvalidRequest if the source does not support the query."""

    def locally_checked(self, query: CatalogueQuery) -> CatalogueQuery:
        """Return the conditions that the source does not support or may ignore, which are checked by
        ``local_filter.matches``.
        """

    def unsent_conditions(self, query: CatalogueQuery) -> Tuple[str, ...]:
        """Return the conditions that are not sent to the source: "text", "type", or names of facets. For display."""

    def parse_page(self, request: Request, response: Response) -> SearchResponse:
        """Return the page in the response to ``request``. Raises CartoguideError if it is not one."""

    def record_request(self, identifier: str, package: bool = False) -> Request:
        """Return the request for one full record, as a package if ``package`` is True and the source has packages
        (MEF).
        """

    def parse_record(self, identifier: str, response: Response) -> CatalogueRecord:
        """Return the record in the response to ``record_request``. Raises CartoguideError if it is not one."""

    def shifted_request(self, request: Request, size: int, offset: int = 0) -> Optional[Request]:
        """Return ``request`` for ``size`` entries, ``offset`` entries further on, or None if pages have no
        positions.
        """

    def respelled_request(self, request: Request) -> Optional[Request]:
        """Return a refused search with another name for the property that holds all text, or None without any."""
        return None

    def page_size(self, request: Request) -> int:
        """Return the number of entries that ``request`` asks for, 0 if unknown."""


def parsed_entries(entries: Iterable[Entry], parse: Callable[[Entry], Union[CatalogueRecord, CartoguideError]]
                   ) -> Tuple[Tuple[CatalogueRecord, ...], Tuple[CartoguideError, ...]]:
    """Return the records of the entries of a page, and the errors of those that are none, in their order."""
    found = [parse(entry) for entry in yielding(entries, 1)]
    return (tuple(item for item in found if isinstance(item, CatalogueRecord)),
            tuple(item for item in found if isinstance(item, CartoguideError)))


def missing_record_error(source: Source, identifier: str, address: str) -> NotARecord:
    """Return the error for a response from ``address`` without the requested record."""
    return NotARecord(tr("{name} has no record {identifier}.", name=source.display_name, identifier=identifier),
                      address, "empty")


def record_in(source: Source, identifier: str, response: Response, location: str,
              content: ExpectedContent = ExpectedContent.JSON, language: str = "") -> CatalogueRecord:
    """Return the record of a document that was fetched from ``location``. Raises CartoguideError without one."""
    check_response(response, content)
    records = read(response.body, location, language)
    if not records:
        raise missing_record_error(source, identifier, response.url)
    return CatalogueRecord(records[0], location)


def no_records_error(source: Source, text: str) -> NotARecord:
    """Return the error for JSON without a list of records. ``text`` is the message in it, if any."""
    if text:
        return NotARecord(
            tr("{name} returned this message instead of records: “{words}”", name=source.display_name,
               words=text[:300]),
            text, "answer")
    return NotARecord(tr("{name} returned JSON without a list of records.", name=source.display_name), "", "answer")


def request_to_json(request: Request) -> Dict[str, Any]:
    body = None if request.body is None else base64.b64encode(request.body).decode("ascii")
    return {"method": request.method.value, "url": request.url, "headers": dict(request.headers), "body": body}


def request_from_json(value: Mapping[str, Any]) -> Request:
    """Return the request that ``request_to_json`` wrote. Raises ValueError for anything else."""
    try:
        method, url, headers, body = value["method"], value["url"], value["headers"], value["body"]
        data = None if body is None else base64.b64decode(body, validate=True)
        if not url.startswith(("http://", "https://")):
            raise ValueError(url)
        return Request(HttpMethod(method), url, {str(name): str(text) for name, text in headers.items()}, data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error


def query_key(source: Source, query: CatalogueQuery) -> str:
    """Return the key under which a harvest of ``query`` from ``source`` is saved, independent of the page size."""
    first_page = replace(query, page_size=1, start=1)
    values: List[Any] = [
        source.kind.value, source.key, first_page.text,
        list(first_page.keywords), first_page.type, first_page.bbox, first_page.sort.value
    ]
    if first_page.facets:
        values.append([[facet, list(facet_values)] for facet, facet_values in first_page.facets])
    return hashlib.sha256(json.dumps(values, ensure_ascii=True).encode("ascii")).hexdigest()[:32]


def format_degrees(value: float) -> str:
    """Return degrees as text without exponent and trailing zeros."""
    return f"{value:.9f}".rstrip("0").rstrip(".")


def format_bbox(bbox: Box) -> str:
    """Return the four numbers, separated by commas."""
    return ",".join(format_degrees(value) for value in bbox)


_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def is_loopback(address: str) -> bool:
    """Return True if an address is valid only on the machine that it comes from."""
    try:
        return (urlsplit(address).hostname or "").lower() in _LOOPBACK
    except ValueError:
        return False


def trusted_address(declared: str, address: str) -> str:
    """Return the address that a catalogue declares, made safe for a client that reached it at ``address``.

    It never leads from https to http, nor to the localhost of the server that declares it: path and query are then
    taken over to the host of ``address``. ``address`` itself is returned if the declared one is not a web address.
    """
    try:
        declared_parts, used_parts = urlsplit(declared), urlsplit(address)
        declared_host, used_host = (declared_parts.hostname or "").lower(), (used_parts.hostname or "").lower()
    except ValueError:
        return address
    if declared_parts.scheme.lower() not in ("http", "https") or not declared_host:
        return address
    is_same_host = declared_host == used_host
    on_used_host = urlunsplit((used_parts.scheme, used_parts.netloc, declared_parts.path, declared_parts.query, ""))
    if not is_same_host and declared_host in _LOOPBACK:
        return on_used_host if declared_parts.path else address
    if used_parts.scheme.lower() == "https" and declared_parts.scheme.lower() == "http":
        return on_used_host if is_same_host else address
    return declared

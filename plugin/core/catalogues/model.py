"""What all sources share: the source itself, a query, an answer, and the face of a protocol."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any, Callable, Collection, Dict, Iterable, List, Mapping, Optional, Protocol, Tuple

from ..errors import CartoguideError, NotARecord
from ..i18n import tr
from ..records.model.record import Record
from ..request import Request, Response

CSW2, CSW3, OGCAPI, GEONETWORK = "csw2", "csw3", "ogcapi", "geonetwork"
FILE, FOLDER = "file", "folder"
REMOTE = (CSW2, CSW3, OGCAPI, GEONETWORK)
KINDS = (*REMOTE, FILE, FOLDER)
SORTS = ("", "relevance", "title", "date", "identifier")
MAX_PAGE_SIZE = 1000

#: carries a request; raises CartoguideError where no answer came. QGIS's in the program, a plain one in tests
Fetch = Callable[[Request], Response]
BBox = Tuple[float, float, float, float]


@dataclass(frozen=True)
class Source:
    """Where records come from.

    ``address`` is a CSW's own address, GeoNetwork's root, the landing page of an OGC API, a file or a folder;
    ``collection`` is the id of an OGC API's collection; ``language`` the ISO 639-2 code in GeoNetwork's addresses;
    ``authcfg`` the id of one of QGIS's authentication configurations, never a secret.
    """

    address: str
    kind: str
    title: str = ""
    collection: str = ""
    language: str = ""
    authcfg: str = ""

    @property
    def key(self) -> str:
        """What tells this source from others, in the store too."""
        return f"{self.address}#{self.collection}" if self.collection else self.address

    @property
    def display_name(self) -> str:
        """Its title, else its address."""
        return self.title or self.key


@dataclass(frozen=True)
class CatalogueQuery:
    """What is looked for; all conditions must hold. The empty query means everything.

    ``text``: every word stands somewhere in the record; ``keywords``: all of them; ``type`` as the catalogue calls it
    ("service", "dataset"); ``box``: west, south, east, north in degrees (CRS:84), met by the record's own; ``sort``
    one of SORTS; ``start`` counts from 1; ``facets``: pairs of a facet (of ``store.indexing.FACETS``, but for
    "source") and its values, of which the record must bear one.
    """

    text: str = ""
    keywords: Tuple[str, ...] = ()
    type: str = ""
    bbox: Optional[BBox] = None
    sort: str = ""
    page_size: int = 50
    start: int = 1
    facets: Tuple[Tuple[str, Tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        if self.sort not in SORTS or not 1 <= self.page_size <= MAX_PAGE_SIZE or self.start < 1:
            raise ValueError(f"no query: {self!r}")
        if self.bbox is not None and not (len(self.bbox) == 4 and self.bbox[1] <= self.bbox[3]):
            raise ValueError(f"no box: {self.bbox!r}")

    @property
    def words(self) -> List[str]:
        """The words of the text."""
        return self.text.split()

    def facet_values(self, facet: str) -> Tuple[str, ...]:
        """The wanted values of a facet, one of which must be borne; empty where any will do."""
        return dict(self.facets).get(facet, ())

    def select_facets(self, facets: Collection[str]) -> Tuple[Tuple[str, Tuple[str, ...]], ...]:
        """The pairs of ``facets`` alone."""
        return tuple(pair for pair in self.facets if pair[0] in facets)

    @property
    def types(self) -> Tuple[str, ...]:
        """The types that catalogues can be asked for, one of which is wanted; empty where any will do, or where
        "other" records are wanted too, which no catalogue calls so.
        """
        kinds = (self.type,) if self.type else self.facet_values("kind")
        return kinds if "other" not in kinds else ()


@dataclass(frozen=True)
class CatalogueRecord:
    """One record of an answer and the address at which the source gives it alone.

    ``full`` says that it is the whole record; else ``detail`` of the protocol asks for that.
    """

    record: Record
    location: str
    full: bool = True


@dataclass(frozen=True)
class SearchResponse:
    """One page. ``total`` is what the source claims, ``next`` continues (None: this was the last page), ``count`` is
    how many entries the page had, readable or not; ``failures`` one error for each that was not; ``notes`` are words
    about what the source did wrong.
    """

    items: Tuple[CatalogueRecord, ...] = ()
    total: Optional[int] = None
    next_request: Optional[Request] = None
    notes: Tuple[str, ...] = ()
    failures: Tuple[CartoguideError, ...] = ()
    entry_count: int = 0

    @property
    def records(self) -> Tuple[Record, ...]:
        """The records alone."""
        return tuple(item.record for item in self.items)


@dataclass
class SaveCounts:
    """How many records that were kept are new to the store, changed there, or the same as before."""

    new: int = 0
    changed: int = 0
    same: int = 0

    def add_outcomes(self, outcomes: Iterable[str]) -> None:
        """Count what became of records; an older copy of what is there counts as the same."""
        for outcome in outcomes:
            if outcome == "new":
                self.new += 1
            elif outcome == "changed":
                self.changed += 1
            else:
                self.same += 1


class CatalogueProtocol(Protocol):
    """The one face of all protocols. Nothing here sends anything."""

    source: Source

    def first_request(self, query: CatalogueQuery) -> Request:
        """The request for the first page of a query. InvalidRequest where the source cannot be asked so."""

    def locally_checked(self, query: CatalogueQuery) -> CatalogueQuery:
        """What of the query the source cannot be asked for, or not surely: readers check it (``matching.holds``)."""

    def unsent_conditions(self, query: CatalogueQuery) -> Tuple[str, ...]:
        """What of the query the source is not asked for at all, for people to know: "text", "type", names of facets."""

    def parse_page(self, request: Request, response: Response) -> SearchResponse:
        """The page that answers ``request``. CartoguideError where it is none."""

    def record_request(self, identifier: str, package: bool = False) -> Request:
        """The request for one whole record, as a package where the source knows such (MEF)."""

    def parse_record(self, identifier: str, response: Response) -> CatalogueRecord:
        """The record that answers ``detail``."""

    def shifted_request(self, request: Request, size: int, offset: int = 0) -> Optional[Request]:
        """``request`` for ``size`` entries, ``forward`` entries further on; None where pages have no positions."""

    def page_size(self, request: Request) -> int:
        """How many entries ``request`` asks for; 0 where the protocol does not say."""


def no_records_error(source: Source, text: str) -> NotARecord:
    """The error for JSON that holds no list of records, with the ``words`` that it has for that."""
    if text:
        return NotARecord(
            tr("{name} did not answer with records. It says: “{words}”", name=source.display_name, words=text[:300]),
            text, "answer")
    return NotARecord(tr("{name} answered with JSON that holds no list of records.", name=source.display_name), "",
                      "answer")


def request_to_json(request: Request) -> Dict[str, Any]:
    """A request as JSON-ready values, for a continuation that outlives the session."""
    body = None if request.body is None else base64.b64encode(request.body).decode("ascii")
    return {"method": request.method, "url": request.url, "headers": dict(request.headers), "body": body}


def request_from_json(value: Mapping[str, Any]) -> Request:
    """The request that ``request_to_json`` wrote; ValueError for anything else."""
    try:
        method, url, headers, body = value["method"], value["url"], value["headers"], value["body"]
        data = None if body is None else base64.b64decode(body, validate=True)
        if method not in ("GET", "POST") or not url.startswith(("http://", "https://")):
            raise ValueError(url)
        return Request(method, url, {str(name): str(text) for name, text in headers.items()}, data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error


def query_key(source: Source, query: CatalogueQuery) -> str:
    """One name for harvesting ``query`` from ``source``, whatever the page size."""
    asked = replace(query, page_size=1, start=1)
    values: List[Any] = [source.kind, source.key, asked.text, list(asked.keywords), asked.type, asked.bbox, asked.sort]
    if asked.facets:
        values.append([[facet, list(wanted)] for facet, wanted in asked.facets])
    return hashlib.sha256(json.dumps(values, ensure_ascii=True).encode("ascii")).hexdigest()[:32]


def split_at_antimeridian(bbox: BBox) -> List[BBox]:
    """A box, or its two parts where it crosses the date line (west greater than east)."""
    west, south, east, north = bbox
    return [bbox] if west <= east else [(west, south, 180.0, north), (-180.0, south, east, north)]


def format_degrees(value: float) -> str:
    """A number of degrees as servers read it: without exponent and trailing zeros."""
    return f"{value:.9f}".rstrip("0").rstrip(".")


def format_bbox(bbox: BBox) -> str:
    """The four numbers, separated by commas."""
    return ",".join(format_degrees(value) for value in bbox)

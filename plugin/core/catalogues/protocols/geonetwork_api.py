"""API of GeoNetwork 4: search in its Elasticsearch index, and records as XML or MEF."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

from ...addresses import is_web_address, joined_address
from ...errors import CartoguideError, NotARecord
from ...i18n import tr
from ...json_document import as_text, count_of, object_in, parse_json, problem_text
from ...library.query import Facet
from ...records import read
from ...records.formats.json_values import JsonObject
from ...records.model.extents import extent_of_positions
from ...records.model.record import (
    Constraint,
    ConstraintGroup,
    ConstraintKind,
    Contact,
    Extent,
    OnlineResource,
    Overview,
    Record,
    RecordDate,
)
from ...records.xml.record_builder import resource_kind
from ...request import HttpMethod, Request, Response
from ...wms.responses.response_validation import ExpectedContent, check_response
from ..model import (
    CatalogueProtocol,
    CatalogueQuery,
    CatalogueRecord,
    CatalogueSort,
    SearchResponse,
    Source,
    missing_record_error,
    no_records_error,
    parsed_entries,
)

SOURCE_FORMAT = "geonetwork-index"
_MAX_DEPTH = 8
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
#: limit of positions in Elasticsearch (index.max_result_window); beyond it only ``search_after`` works
MAX_RESULT_WINDOW = 10_000
_FIELDS = ("uuid", "metadataIdentifier", "resourceTitleObject", "resourceAbstractObject", "resourceType", "dateStamp",
           "mainLanguage", "tag", "Org*", "contact*", "link", "overview", "geom", "serviceType", "MD_*Object",
           "resourceDate", "parentUuid", "standardNameObject")
_SPECIAL = re.compile(r'([+\-=&|!(){}\[\]^"~*?:\\/])')
_SORTS: Dict[CatalogueSort, List[JsonObject]] = {
    CatalogueSort.TITLE: [{"resourceTitleObject.default.sort": "asc"}, {"uuid": "asc"}],
    CatalogueSort.DATE: [{"dateStamp": "desc"}, {"uuid": "asc"}],
    CatalogueSort.IDENTIFIER: [{"uuid": "asc"}], CatalogueSort.NONE: [{"uuid": "asc"}],
    CatalogueSort.RELEVANCE: ["_score", {"uuid": "asc"}],  # type: ignore[list-item]
}
_JSON = {"Content-Type": "application/json; charset=UTF-8", "Accept": "application/json"}
MEF_MEDIA_TYPE = "application/x-gn-mef-2-zip"


def record_from_hit(hit: JsonObject, root: str) -> Optional[Record]:
    """Return the record in one hit (``_id``, ``_source``), or None if it has no document."""
    fields = hit.get("_source")
    if not isinstance(fields, dict):
        return None
    identifier = as_text(fields.get("uuid")) or as_text(fields.get("metadataIdentifier")) or as_text(hit.get("_id"))
    level = _first(fields.get("resourceType"))
    texts = tuple(text for text in map(_localised, _objects(fields.get("MD_LegalConstraintsOtherConstraintsObject")))
                  if text)
    limits = tuple(text for text in map(_localised, _objects(fields.get("MD_LegalConstraintsUseLimitationObject")))
                   if text)
    others = tuple(Constraint(text) for text in texts)
    group = ConstraintGroup(ConstraintKind.LEGAL, use_limitations=tuple(Constraint(text) for text in limits),
                            other_constraints=others)
    return Record(
        source_format=SOURCE_FORMAT, id=identifier, parent_id=as_text(fields.get("parentUuid")),
        title=_localised(fields.get("resourceTitleObject")), abstract=_localised(fields.get("resourceAbstractObject")),
        hierarchy_level=level, kind=resource_kind(level), language=as_text(fields.get("mainLanguage")),
        date_stamp=as_text(fields.get("dateStamp")), dates=tuple(
            RecordDate(value, as_text(item.get("type"))) for item in _objects(fields.get("resourceDate"))
            for value in (as_text(item.get("date")), )
            if value), keywords=tuple(word for word in map(_localised, _objects(fields.get("tag"))) if word),
        contacts=tuple(_contacts(fields)), service_type=_first(fields.get("serviceType")), use_limitations=limits,
        other_constraints=others, constraint_groups=(group, ) if texts or limits else (), online=tuple(_links(fields)),
        overviews=tuple(_overviews(fields, root)), extents=_extents(fields.get("geom")),
        original=json.dumps(fields).encode("ascii"))


def _objects(value: Any) -> List[JsonObject]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, dict)]


def _first(value: Any) -> Optional[str]:
    return next((text for item in (value if isinstance(value, list) else [value]) if (text := as_text(item))), None)


def _localised(value: Any) -> Optional[str]:
    """Return the text of an index object in the record's default language, else in any language."""
    if not isinstance(value, dict):
        return as_text(value)
    named = [as_text(item) for name, item in value.items() if name.startswith("lang")]
    return as_text(value.get("default")) or next((text for text in named if text), None)


def _contacts(fields: JsonObject) -> Iterator[Contact]:
    for item in _objects(fields.get("contactForResource")) or _objects(fields.get("contact")):
        name = _localised(item.get("organisationObject")) or as_text(item.get("organisation"))
        if name:
            email = as_text(item.get("email"))
            yield Contact(organisation=name, emails=(email,) if email else (), role=as_text(item.get("role")))


def _links(fields: JsonObject) -> Iterator[OnlineResource]:
    for item in _objects(fields.get("link")):
        url = _localised(item.get("urlObject")) or as_text(item.get("url"))
        if url and is_web_address(url):
            yield OnlineResource(url, as_text(item.get("protocol")),
                                 _localised(item.get("nameObject")) or as_text(item.get("name")),
                                 _localised(item.get("descriptionObject")) or as_text(item.get("description")),
                                 as_text(item.get("function")))


def _overviews(fields: JsonObject, root: str) -> Iterator[Overview]:
    for item in _objects(fields.get("overview")):
        url = as_text(item.get("url"))
        if url:
            address = joined_address(f"{root}/", url)
            if is_web_address(address):
                yield Overview(address, _localised(item.get("nameObject")) or as_text(item.get("name")))


def _extents(value: Any) -> Tuple[Extent, ...]:
    extents = []
    for shape in _objects(value):
        positions = list(_positions(shape.get("coordinates"), 0))
        if str(shape.get("type", "")).lower() == "envelope" and len(positions) == 2:
            (west, north), (east, south) = positions
            extents.append(Extent(west=west, east=east, south=south, north=north))
            continue
        box = extent_of_positions(positions)
        if box is not None:
            extents.append(box)
    return tuple(extents)


def _positions(value: Any, depth: int) -> Iterator[Tuple[float, float]]:
    if not isinstance(value, list) or depth > _MAX_DEPTH:
        return
    if len(value) >= 2 and all(isinstance(item, (int, float)) for item in value[:2]):
        yield float(value[0]), float(value[1])
        return
    for item in value:
        yield from _positions(item, depth + 1)


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


class GeoNetworkProtocol(CatalogueProtocol):
    """Protocol of one GeoNetwork 4, at the root address of its source."""

    def __init__(self, source: Source, language: str = "") -> None:
        self.source = source
        self._language = language
        self._root = source.address.rstrip("/")

    def first_request(self, query: CatalogueQuery) -> Request:
        """Return the search as an Elasticsearch body, by POST to ``/srv/api/search/records/_search``."""
        filters: List[JsonObject] = [{"terms": {"isTemplate": ["n"]}}]
        filters += [{"term": {"tag.default": word}} for word in query.keywords if word.strip()]
        if query.types:
            filters.append({"terms": {"resourceType": list(query.types)}})
        filters += _facet_conditions(query)
        if query.bbox is not None:
            shapes: List[JsonObject] = [{
                "geo_shape": {
                    "geom": {
                        "shape": {"type": "envelope", "coordinates": [[west, north], [east, south]]},
                        "relation": "intersects"
                    }
                }
            } for west, south, east, north in query.bbox.parts]
            filters.append(_any_of(shapes))
        condition: JsonObject = {"filter": filters}
        if query.words:
            text = " ".join(f"{_escape(word)}*" for word in query.words)
            condition["must"] = [_text_condition(text, ["resourceTitleObject.*^4", "tag.*^2", "any.*"])]
        order = query.sort
        if order is CatalogueSort.NONE and query.words:
            order = CatalogueSort.RELEVANCE
        return self._search_request({
            "from": query.start - 1, "size": query.page_size, "track_total_hits": True, "query": {"bool": condition},
            "sort": _SORTS[order], "_source": list(_FIELDS)
        })

    def locally_checked(self, query: CatalogueQuery) -> CatalogueQuery:
        """Return the facets that the index does not support, or matches less exactly."""
        loose = (Facet.ORGANISATION, Facet.YEAR, Facet.LICENCE, *(() if query.types else (Facet.KIND,)))
        return CatalogueQuery(
            facets=query.select_facets([facet for facet, values in query.facets if values and facet in loose]))

    def unsent_conditions(self, query: CatalogueQuery) -> Tuple[str, ...]:
        """Return the licence, which is read from the full record, and kinds for which the index has no term."""
        return tuple(facet for facet, _ in self.locally_checked(query).facets if facet in (Facet.LICENCE, Facet.KIND))

    def parse_page(self, request: Request, response: Response) -> SearchResponse:
        """Return the page of index entries, which are not yet full records."""
        check_response(response, ExpectedContent.JSON)
        value = parse_json(response.body, self.source.display_name)
        outer_hits = object_in(value, "hits")
        hits = outer_hits.get("hits")
        if not isinstance(hits, list):
            raise no_records_error(self.source, problem_text(value))
        records, failures = parsed_entries(hits, self._parse_hit)
        total = _parse_total(outer_hits.get("total"))
        return SearchResponse(records, total, self._next_page(request, hits, total), (), failures, len(hits))

    def _parse_hit(self, hit: Any) -> Union[CatalogueRecord, CartoguideError]:
        record = record_from_hit(hit, self._root) if isinstance(hit, dict) else None
        if record is None or not record.id:
            return NotARecord(tr("{name} returned an entry that is not a record.", name=self.source.display_name))
        record_address = self.record_url(record.id)
        return CatalogueRecord(replace(record, source=record_address), record_address, full=False)

    def record_request(self, identifier: str, package: bool = False) -> Request:
        """Return the request for one full record as XML, or as a package (MEF 2)."""
        if not package:
            return Request(HttpMethod.GET, self.record_url(identifier), {"Accept": "application/xml"})
        address = f"{self._root}/srv/api/records/{quote(identifier, safe='')}/formatters/zip?withRelated=false"
        return Request(HttpMethod.GET, address, {"Accept": MEF_MEDIA_TYPE})

    def parse_record(self, identifier: str, response: Response) -> CatalogueRecord:
        """Return the record in an XML or MEF response."""
        check_response(response, ExpectedContent.ANY)
        record_address = self.record_url(identifier)
        records = read(response.body, record_address, self._language)
        if not records:
            raise missing_record_error(self.source, identifier, response.url)
        chosen = next((record for record in records if record.id == identifier), records[0])
        return CatalogueRecord(replace(chosen, source=record_address), record_address)

    def record_url(self, identifier: str) -> str:
        """Return the address of one record's XML in this catalogue."""
        return record_url(self._root, identifier)

    def shifted_request(self, request: Request, size: int, offset: int = 0) -> Optional[Request]:
        """Return the same search from another position, or None beyond the result window, where only ``search_after``
        works.
        """
        body = json.loads(request.body or b"{}")
        if "search_after" in body or int(body.get("from", 0)) + offset + size > MAX_RESULT_WINDOW:
            return None if offset else replace(request, body=_serialise({**body, "size": size}))
        return self._search_request({**body, "from": int(body.get("from", 0)) + offset, "size": size})

    def page_size(self, request: Request) -> int:
        """Return the number of entries that a search asks for."""
        return int(json.loads(request.body or b"{}").get("size", 0))

    def _search_request(self, body: JsonObject) -> Request:
        return Request(HttpMethod.POST, f"{self._root}/srv/api/search/records/_search", _JSON, _serialise(body))

    def _next_page(self, request: Request, hits: List[Any], total: Optional[int]) -> Optional[Request]:
        """Return the request for the next page, by the sort values of the last entry if it has any, else by
        position.
        """
        body = json.loads(request.body or b"{}")
        start, size = int(body.get("from", 0)), int(body.get("size", 10))
        after = hits[-1].get("sort") if hits and isinstance(hits[-1], dict) else None
        if not hits or (len(hits) < size and (total is None or ("search_after" in body or start + len(hits) >= total))):
            return None
        if isinstance(after, list) and after:
            return self._search_request({**body, "from": 0, "search_after": after})
        next_start = start + len(hits)
        if (total is not None and next_start >= total) or next_start + size > MAX_RESULT_WINDOW:
            return None
        return self._search_request({**body, "from": next_start})


def _facet_conditions(query: CatalogueQuery) -> List[JsonObject]:
    """Return conditions for the facets that the index has fields for.

    An organisation is searched by its words, since versions differ in the field, and in the contact, that they index.
    """
    conditions: List[JsonObject] = []
    for facet, field in ((Facet.KEYWORD, "tag.default"), (Facet.SERVICE_TYPE, "serviceType")):
        if query.facet_values(facet):
            conditions.append({"terms": {field: list(query.facet_values(facet))}})
    if query.facet_values(Facet.YEAR):
        conditions.append(
            _any_of([{"terms": {f"{kind}YearForResource": list(query.facet_values(Facet.YEAR))}}
                     for kind in ("revision", "publication", "creation")]))
    names = [" ".join(_escape(word) for word in name.split()) for name in query.facet_values(Facet.ORGANISATION)]
    if names:
        conditions.append(_any_of([_text_condition(name, ["any.*"]) for name in names]))
    return conditions


def _any_of(conditions: List[JsonObject]) -> JsonObject:
    return conditions[0] if len(conditions) == 1 else {"bool": {"should": conditions, "minimum_should_match": 1}}


def _text_condition(query_text: str, fields: List[str]) -> JsonObject:
    return {
        "query_string": {
            "query": query_text, "fields": fields, "default_operator": "AND", "analyze_wildcard": True, "lenient": True
        }
    }


def _escape(word: str) -> str:
    return _SPECIAL.sub(lambda match: chr(92) + match.group(), word)


def _serialise(body: JsonObject) -> bytes:
    return json.dumps(body, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _parse_total(value: Any) -> Optional[int]:
    """Return the number of results, or None if it is only a lower bound. Before Elasticsearch 7 it is a plain
    number.
    """
    if isinstance(value, dict):
        return _parse_total(value.get("value")) if value.get("relation", "eq") == "eq" else None
    return count_of(value)

"""API of GeoNetwork 4: search in its Elasticsearch index, and records as XML or MEF."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Dict, List, Optional, Tuple
from urllib.parse import quote

from ...cooperative_yield import yielding
from ...errors import CartoguideError, NotARecord
from ...i18n import tr
from ...json_document import parse_json
from ...library.query import Facet
from ...records import read
from ...records.formats.json_members import JsonObject, problem_text
from ...request import HttpMethod, Request, Response
from ...wms.responses.response_validation import ExpectedContent, check_response
from ..geonetwork_urls import record_url
from ..model import (
    CatalogueQuery,
    CatalogueRecord,
    CatalogueSort,
    SearchResponse,
    Source,
    missing_record_error,
    no_records_error,
    split_at_antimeridian,
)
from .geonetwork_index import record_from_hit

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


class GeoNetworkProtocol:
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
            } for west, south, east, north in split_at_antimeridian(query.bbox)]
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
        outer_hits = value.get("hits") if isinstance(value, dict) else None
        hits = outer_hits.get("hits") if isinstance(outer_hits, dict) else None
        if not isinstance(outer_hits, dict) or not isinstance(hits, list):
            raise no_records_error(self.source, problem_text(value))
        records: List[CatalogueRecord] = []
        failures: List[CartoguideError] = []
        for hit in yielding(hits, 1):
            record = record_from_hit(hit, self._root) if isinstance(hit, dict) else None
            if record is None or not record.id:
                failures.append(NotARecord(tr("{name} returned an entry that is not a record.",
                                              name=self.source.display_name)))
                continue
            record_address = self.record_url(record.id)
            records.append(CatalogueRecord(replace(record, source=record_address), record_address, full=False))
        total = _parse_total(outer_hits.get("total"))
        return SearchResponse(tuple(records), total, self._next_page(request, hits, total), (), tuple(failures),
                              len(hits))

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

    def respelled_request(self, request: Request) -> Optional[Request]:
        """Return None, because names of properties have one spelling here."""
        return None

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
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None

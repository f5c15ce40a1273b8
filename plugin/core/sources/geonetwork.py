"""GeoNetwork 4's own API: the search of its Elasticsearch index, records as XML and as MEF."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Dict, List, Optional, Tuple
from urllib.parse import quote

from ..catalogue.geonetwork import record_address
from ..errors import CartoguideError, NotARecord
from ..i18n import tr
from ..records import read
from ..records.json_reading import JsonObject, parse, problem_text
from ..request import Request, Response
from ..store.turns import in_turns
from ..wms.answers import explain_answer
from .boxes import halves
from .geonetwork_index import record_of_index
from .model import Answer, Found, Source, SourceQuery, no_records

#: Elasticsearch refuses to count further (index.max_result_window); behind it, only ``search_after`` goes on
WINDOW = 10_000
_FIELDS = ("uuid", "metadataIdentifier", "resourceTitleObject", "resourceAbstractObject", "resourceType", "dateStamp",
           "mainLanguage", "tag", "Org*", "contact*", "link", "overview", "geom", "serviceType", "MD_*Object",
           "resourceDate", "parentUuid", "standardNameObject")
_SPECIAL = re.compile(r'([+\-=&|!(){}\[\]^"~*?:\\/])')
_SORTS: Dict[str, List[JsonObject]] = {
    "title": [{"resourceTitleObject.default.sort": "asc"}, {"uuid": "asc"}],
    "date": [{"dateStamp": "desc"}, {"uuid": "asc"}],
    "identifier": [{"uuid": "asc"}], "": [{"uuid": "asc"}],
    "relevance": ["_score", {"uuid": "asc"}],  # type: ignore[list-item]
}
_JSON = {"Content-Type": "application/json; charset=UTF-8", "Accept": "application/json"}
MEF = "application/x-gn-mef-2-zip"


class GeoNetworkProtocol:
    """One GeoNetwork 4, whose root address is the source's."""

    def __init__(self, source: Source, language: str = "") -> None:
        self.source = source
        self._language = language
        self._root = source.address.rstrip("/")

    def first(self, query: SourceQuery) -> Request:
        """The search as an Elasticsearch body, by POST to ``/srv/api/search/records/_search``."""
        filters: List[JsonObject] = [{"terms": {"isTemplate": ["n"]}}]
        filters += [{"term": {"tag.default": word}} for word in query.keywords if word.strip()]
        if query.types:
            filters.append({"terms": {"resourceType": list(query.types)}})
        filters += _facets(query)
        if query.box is not None:
            shapes: List[JsonObject] = [
                {"geo_shape": {"geom": {"shape": {"type": "envelope", "coordinates": [[west, north], [east, south]]},
                                        "relation": "intersects"}}}
                for west, south, east, north in halves(query.box)]
            filters.append(_any(shapes))
        condition: JsonObject = {"filter": filters}
        if query.words:
            text = " ".join(f"{_escaped(word)}*" for word in query.words)
            condition["must"] = [_text(text, ["resourceTitleObject.*^4", "tag.*^2", "any.*"])]
        order = query.sort or ("relevance" if query.words else "")
        return self._search({"from": query.start - 1, "size": query.page_size, "track_total_hits": True,
                             "query": {"bool": condition}, "sort": _SORTS[order], "_source": list(_FIELDS)})

    def left(self, query: SourceQuery) -> SourceQuery:
        """What the index is not asked for, or not for exactly the same."""
        loose = ("organisation", "year", "licence", *(() if query.types else ("kind",)))
        return SourceQuery(facets=query.narrowed_to([facet for facet, values in query.facets
                                                     if values and facet in loose]))

    def unsent(self, query: SourceQuery) -> Tuple[str, ...]:
        """The licence, which is read from the whole record, and kinds that the index does not name."""
        return tuple(facet for facet, _ in self.left(query).facets if facet in ("licence", "kind"))

    def read(self, request: Request, response: Response) -> Answer:
        """The page: what the index says of each record, not yet the records themselves."""
        explain_answer(response, "json")
        value = parse(response.body, self.source.shown)
        outer = value.get("hits") if isinstance(value, dict) else None
        hits = outer.get("hits") if isinstance(outer, dict) else None
        if not isinstance(outer, dict) or not isinstance(hits, list):
            raise no_records(self.source, problem_text(value))
        found: List[Found] = []
        failures: List[CartoguideError] = []
        for hit in in_turns(hits, 1):
            record = record_of_index(hit, self._root) if isinstance(hit, dict) else None
            if record is None or not record.id:
                failures.append(NotARecord(tr("{name} sent an entry that is no record.", name=self.source.shown)))
                continue
            place = self.place(record.id)
            found.append(Found(replace(record, source=place), place, full=False))
        total = _total(outer.get("total"))
        return Answer(tuple(found), total, self._next(request, hits, total), (), tuple(failures), len(hits))

    def detail(self, identifier: str, package: bool = False) -> Request:
        """One whole record as XML, or as a package (MEF 2)."""
        if not package:
            return Request("GET", self.place(identifier), {"Accept": "application/xml"})
        address = f"{self._root}/srv/api/records/{quote(identifier, safe='')}/formatters/zip?withRelated=false"
        return Request("GET", address, {"Accept": MEF})

    def read_detail(self, identifier: str, response: Response) -> Found:
        """The record that came as XML or as MEF."""
        explain_answer(response, "any")
        place = self.place(identifier)
        records = read(response.body, place, self._language)
        if not records:
            raise NotARecord(tr("{name} has no record {identifier}.", name=self.source.shown, identifier=identifier),
                             response.url, "empty")
        chosen = next((record for record in records if record.id == identifier), records[0])
        return Found(replace(chosen, source=place), place)

    def place(self, identifier: str) -> str:
        """The address at which this catalogue gives one record as XML."""
        return record_address(self._root, identifier)

    def resized(self, request: Request, size: int, forward: int = 0) -> Optional[Request]:
        """The same search from another position; None behind the window, where only the last entry leads on."""
        body = json.loads(request.body or b"{}")
        if "search_after" in body or int(body.get("from", 0)) + forward + size > WINDOW:
            return None if forward else replace(request, body=_written({**body, "size": size}))
        return self._search({**body, "from": int(body.get("from", 0)) + forward, "size": size})

    def size(self, request: Request) -> int:
        """How many entries a search asks for."""
        return int(json.loads(request.body or b"{}").get("size", 0))

    def _search(self, body: JsonObject) -> Request:
        return Request("POST", f"{self._root}/srv/api/search/records/_search", _JSON, _written(body))

    def _next(self, request: Request, hits: List[Any], total: Optional[int]) -> Optional[Request]:
        """The page behind the last entry: by its sort values, which hold however many there are, else by position."""
        body = json.loads(request.body or b"{}")
        start, size = int(body.get("from", 0)), int(body.get("size", 10))
        after = hits[-1].get("sort") if hits and isinstance(hits[-1], dict) else None
        if not hits or (len(hits) < size and (total is None or ("search_after" in body or start + len(hits) >= total))):
            return None
        if isinstance(after, list) and after:
            return self._search({**body, "from": 0, "search_after": after})
        behind = start + len(hits)
        if (total is not None and behind >= total) or behind + size > WINDOW:
            return None
        return self._search({**body, "from": behind})


def _facets(query: SourceQuery) -> List[JsonObject]:
    """The facets that the index has fields for. An organisation is looked for by its words: which contact's is *the*
    organisation, and under which field it is filed, differs from version to version.
    """
    made: List[JsonObject] = []
    for facet, field in (("keyword", "tag.default"), ("service_type", "serviceType")):
        if query.values(facet):
            made.append({"terms": {field: list(query.values(facet))}})
    if query.values("year"):
        made.append(_any([{"terms": {f"{kind}YearForResource": list(query.values("year"))}}
                          for kind in ("revision", "publication", "creation")]))
    names = [" ".join(_escaped(word) for word in name.split()) for name in query.values("organisation")]
    if names:
        made.append(_any([_text(name, ["any.*"]) for name in names]))
    return made


def _any(conditions: List[JsonObject]) -> JsonObject:
    return conditions[0] if len(conditions) == 1 else {"bool": {"should": conditions, "minimum_should_match": 1}}


def _text(words: str, fields: List[str]) -> JsonObject:
    return {"query_string": {"query": words, "fields": fields, "default_operator": "AND", "analyze_wildcard": True,
                             "lenient": True}}


def _escaped(word: str) -> str:
    return _SPECIAL.sub(lambda match: chr(92) + match.group(), word)


def _written(body: JsonObject) -> bytes:
    return json.dumps(body, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _total(value: Any) -> Optional[int]:
    """How many there are: an object since Elasticsearch 7, a number before; a lower bound counts as unknown."""
    if isinstance(value, dict):
        return _total(value.get("value")) if value.get("relation", "eq") == "eq" else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


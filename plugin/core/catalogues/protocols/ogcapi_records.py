"""OGC API - Records (OGC 20-004r1): search of a collection by ``q``, ``type`` and ``bbox``, with links to further
pages.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union
from urllib.parse import quote, urlsplit

from ...addresses import joined_address
from ...errors import CartoguideError, NotARecord
from ...i18n import tr
from ...json_document import as_text, count_of, parse_json, problem_text
from ...library.query import Facet
from ...records import read
from ...records.formats.json_values import JsonObject
from ...request import HttpMethod, Request, Response
from ...wms.requests.urls import with_parameters
from ...wms.responses.response_validation import ExpectedContent, check_response
from ..model import (
    CatalogueProtocol,
    CatalogueQuery,
    CatalogueRecord,
    SearchResponse,
    Source,
    SourceKind,
    format_bbox,
    no_records_error,
    parsed_entries,
    record_in,
    trusted_address,
)

_HEADERS = {"Accept": "application/geo+json, application/json;q=0.9"}


@dataclass(frozen=True)
class ApiCollection:
    """A collection of records: the address of its items, its own address, its title, and the hosts that its API
    names.
    """

    items_address: str
    collection_address: str
    title: str = ""
    hosts: Tuple[str, ...] = ()


class OgcApiProtocol(CatalogueProtocol):
    def __init__(self, source: Source, offer: ApiCollection) -> None:
        self.source = source
        self.collection = offer

    def first_request(self, query: CatalogueQuery) -> Request:
        """Return the request for the first page of items (8.4).

        ``q`` joins words by *or*, or matches them as a phrase (8.4.5), so only one word is sent and the others are
        checked locally.
        """
        parameters: Dict[str, str] = {"limit": str(query.page_size)}
        if query.start > 1:
            parameters["offset"] = str(query.start - 1)
        words = _search_terms(query)
        if words:
            parameters["q"] = words[0]
        if len(query.types) == 1:
            parameters["type"] = query.types[0]
        if query.bbox is not None:
            parameters["bbox"] = format_bbox(query.bbox)
        return Request(HttpMethod.GET, with_parameters(self.collection.items_address, parameters), _HEADERS)

    def locally_checked(self, query: CatalogueQuery) -> CatalogueQuery:
        """Return the words that are not sent, and all facets, since servers may ignore the optional parameter
        ``type``.
        """
        return CatalogueQuery(text=" ".join(_search_terms(query)[1:]), facets=query.facets)

    def unsent_conditions(self, query: CatalogueQuery) -> Tuple[str, ...]:
        """Return the text if it has several words, and all facets but one kind and one keyword.

        The standard has no parameters for them.
        """
        sent = (*((Facet.KEYWORD,) if _single_keyword(query) else ()),
                *((Facet.KIND,) if len(query.types) == 1 else ()))
        unsent_facets = [facet for facet, values in query.facets if values and facet not in sent]
        return (*(("text",) if len(query.words) > 1 else ()), *unsent_facets)

    def parse_page(self, request: Request, response: Response) -> SearchResponse:
        """Return the page. Its next link is followed only to the catalogue's own hosts."""
        check_response(response, ExpectedContent.JSON)
        value = parse_json(response.body, self.source.display_name)
        features = value.get("features") if isinstance(value, dict) else None
        if not isinstance(features, list):
            raise no_records_error(self.source, problem_text(value))
        records, failures = parsed_entries(features, self._parse_feature)
        next_request, notes = self._next_page(value, request, response)
        total_count = count_of(value.get("numberMatched"))
        return SearchResponse(records, total_count, next_request, notes, failures, len(features))

    def record_request(self, identifier: str, package: bool = False) -> Request:
        return Request(HttpMethod.GET, self.record_url(identifier), _HEADERS)

    def parse_record(self, identifier: str, response: Response) -> CatalogueRecord:
        """Return the record that an item contains."""
        return record_in(self.source, identifier, response, self.record_url(identifier))

    def record_url(self, identifier: str) -> str:
        """Return the address of one item."""
        parts = urlsplit(self.collection.items_address)
        return parts._replace(path=f"{parts.path.rstrip('/')}/{quote(identifier, safe='')}", fragment="").geturl()

    def shifted_request(self, request: Request, size: int, offset: int = 0) -> Optional[Request]:
        """Return None, because pages have no positions here."""
        return None

    def page_size(self, request: Request) -> int:
        """Return the number of entries asked for, 0 if the address does not contain it."""
        value = dict(part.partition("=")[::2] for part in urlsplit(request.url).query.split("&")).get("limit", "")
        return int(value) if value.isdigit() else 0

    def _parse_feature(self, feature: Any) -> Union[CatalogueRecord, CartoguideError]:
        identifier = as_text(feature.get("id")) if isinstance(feature, dict) else None
        record_address = self.record_url(identifier) if identifier else self.collection.items_address
        try:
            record = read(json.dumps(feature).encode("ascii"), record_address)[0]
        except (CartoguideError, IndexError) as error:
            name = identifier or tr("An entry")
            return NotARecord(
                tr("{name} of {source} is not a catalogue record.", name=name, source=self.source.display_name),
                str(error), "feature")
        return CatalogueRecord(replace(record, source=record_address), record_address)

    def _next_page(self, value: JsonObject, request: Request,
                   response: Response) -> Tuple[Optional[Request], Tuple[str, ...]]:
        """Return the request for the next page (RFC 8288 relation ``next``) and warnings.

        Only GET on the same host, or one that the API declares, is followed.
        """
        link = find_link(value, "next", ("application/geo+json", "application/json"))
        if link is None:
            return None, ()
        if str(link.get("method", "GET")).upper() != "GET":
            return None, (tr("The link to the next page uses a method that is not supported."),)
        joined = joined_address(response.url, str(link["href"]).strip())
        address = trusted_address(joined, self.collection.items_address) if joined else ""
        hosts = {_host(self.collection.items_address), _host(self.source.address), *self.collection.hosts}
        if not address.startswith(("http://", "https://")) or _host(address) not in hosts:
            return None, (tr("The link to the next page leads to {address}, which does not belong to the catalogue; "
                             "it was not followed.", address=(address or str(link["href"]))[:200]),)
        return replace(request, url=address), ()


def _single_keyword(query: CatalogueQuery) -> Tuple[str, ...]:
    """Return the keyword if exactly one is requested. Alternatives cannot be expressed with ``q``."""
    keywords = query.facet_values(Facet.KEYWORD)
    return keywords if len(keywords) == 1 else ()


def _search_terms(query: CatalogueQuery) -> List[str]:
    """Return the words of text and keywords, the longest and probably rarest first."""
    words = [
        *query.words, *(word for keyword in (*query.keywords, *_single_keyword(query)) for word in keyword.split())
    ]
    return sorted((word for word in (word.strip(",") for word in words) if word), key=len, reverse=True)


def find_link(value: Any, relation: str, types: Sequence[str] = ()) -> Optional[JsonObject]:
    """Return the link of a relation (by its last part), preferring those of ``types``, then those without a type."""
    links = value.get("links") if isinstance(value, dict) else None
    links_of_relation = [
        link for link in (links if isinstance(links, list) else ())
        if isinstance(link, dict) and isinstance(link.get("href"), str) and
        str(link.get("rel", "")).rsplit("/", 1)[-1] == relation
    ]

    def rank(link: JsonObject) -> int:
        media = str(link.get("type") or "").split(";")[0].strip().lower()
        return list(types).index(media) if media in types else len(types) + (1 if media else 0)

    best = min(links_of_relation, key=rank, default=None)
    page = best is not None and bool(types) and "html" in str(best.get("type"))
    return None if page else best


def parse_record_collections(value: JsonObject, address: str) -> List[ApiCollection]:
    """Return the collections of records in a list of collections, or in the description of one."""
    collections_value = value.get("collections")
    collections = collections_value if isinstance(collections_value, list) else [value]
    record_collections = []
    for item in collections:
        if not isinstance(item, dict) or not as_text(item.get("id")) or not is_record_collection(item):
            continue
        items = find_link(item, "items", ("application/geo+json", "application/json"))
        own_link = find_link(item, "self", ("application/json",))
        base = trusted_address(joined_address(address, own_link["href"]), address) if own_link else address
        if items is not None:
            target = trusted_address(joined_address(address, items["href"]), address)
        elif own_link is not None:
            target = base.partition("?")[0].rstrip("/") + "/items"
        else:
            continue
        hosts = tuple(dict.fromkeys((_host(target), _host(base), _host(address))))
        title = as_text(item.get("title")) or str(item["id"])
        record_collections.append(ApiCollection(strip_format(target), strip_format(base), title, hosts))
    return record_collections


def is_record_collection(item: JsonObject) -> bool:
    """Return True if a collection holds records, by its item type, a link, or its own type (10.1)."""
    kinds = item.get("itemType")
    words = [str(kind).lower() for kind in (kinds if isinstance(kinds, list) else [kinds])]
    own_type = str(item.get("type", "")).lower()
    return "record" in words or "catalog" in own_type or find_link(item, "ogc-catalog") is not None


def source_of_collection(offer: ApiCollection, landing: str) -> Source:
    name = offer.items_address.partition("?")[0].rstrip("/").split("/")[-2]
    return Source(landing, SourceKind.OGC_API, offer.title, collection=name)


def strip_format(address: str) -> str:
    """Return an address without ``f=``. The format is requested by the header, and links would repeat the parameter."""
    parts = urlsplit(address)
    parameters = [part for part in parts.query.split("&") if part and not part.lower().startswith("f=")]
    return parts._replace(query="&".join(parameters), fragment="").geturl()


def _host(address: str) -> str:
    return urlsplit(address).netloc.rpartition("@")[2].lower()

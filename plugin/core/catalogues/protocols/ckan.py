"""CKAN's Action API, version 3: ``package_search`` with Solr's query syntax, and ``package_show`` for one record."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Dict, Optional, Tuple, Union
from urllib.parse import quote, urlsplit

from ...errors import CartoguideError
from ...json_document import as_text, count_of, object_in, parse_json, problem_text
from ...library.query import Facet
from ...records.formats.ckan import read_package
from ...request import HttpMethod, Request, Response
from ...wms.requests.urls import query_parameters, with_parameters
from ...wms.responses.response_validation import ExpectedContent, check_response
from ..model import (
    CatalogueProtocol,
    CatalogueQuery,
    CatalogueRecord,
    CatalogueSort,
    SearchResponse,
    Source,
    format_bbox,
    missing_record_error,
    no_records_error,
    parsed_entries,
    record_in,
)

_HEADERS = {"Accept": "application/json"}
#: how the path continues after the root of a CKAN
_BELOW_ROOT = re.compile(r"/(?:api(?:/3)?(?:/action(?:/.*)?)?|dataset(?:/.*)?|group(?:/.*)?|organization(?:/.*)?)/?$")
_SORTS = {
    CatalogueSort.TITLE: "title_string asc", CatalogueSort.DATE: "metadata_modified desc",
    CatalogueSort.RELEVANCE: "score desc, metadata_modified desc", CatalogueSort.IDENTIFIER: "id asc",
    # pages must not change their order while they are fetched
    CatalogueSort.NONE: "id asc"}


def ckan_root(address: str) -> str:
    """Return the root of the CKAN that an address belongs to if it looks like one of CKAN's, else ""."""
    parts = urlsplit(address)
    found = _BELOW_ROOT.search(parts.path)
    if found is None and "ckan" not in address.lower():
        return ""
    path = parts.path[:found.start()] if found is not None else parts.path
    return f"{parts.scheme}://{parts.netloc}{path.rstrip('/')}"


def status_request(root: str) -> Request:
    """Return the request for the version and the title of a CKAN."""
    return Request(HttpMethod.GET, f"{root}/api/3/action/status_show", _HEADERS)


def parse_status(response: Response) -> Optional[Tuple[str, str]]:
    """Return version and title from the response to ``status_request``, or None if it is not that of a CKAN."""
    if response.status != 200 or response.body.lstrip()[:1] != b"{":
        return None
    try:
        value = parse_json(response.body, response.url)
    except CartoguideError:
        return None
    status = object_in(value, "result")
    version = as_text(status.get("ckan_version"))
    return (version, as_text(status.get("site_title")) or "") if version else None


class CkanProtocol(CatalogueProtocol):
    """Searches the packages of one CKAN. ``source.address`` is its root."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def first_request(self, query: CatalogueQuery) -> Request:
        """Return the request for the first page. Words are joined by *and*, and quoted, so that none is an operator.

        ``ext_bbox`` is known to the extension spatial alone. Others ignore it.
        """
        parameters: Dict[str, str] = {"rows": str(query.page_size), "start": str(query.start - 1),
                                      "sort": _SORTS[query.sort]}
        if query.words:
            parameters["q"] = " ".join(map(_quoted, query.words))
        tags = [f"tags:{_quoted(keyword)}" for keyword in query.keywords]
        alternatives = query.facet_values(Facet.KEYWORD)
        if alternatives:
            tags.append(f"tags:({' OR '.join(map(_quoted, alternatives))})")
        if tags:
            parameters["fq"] = " ".join(f"+{tag}" for tag in tags)
        if query.bbox is not None:
            parameters["ext_bbox"] = format_bbox(query.bbox)
        return Request(HttpMethod.GET, with_parameters(self._action("package_search"), parameters), _HEADERS)

    def locally_checked(self, query: CatalogueQuery) -> CatalogueQuery:
        """Return all conditions but the words, since a CKAN without an extension ignores them."""
        return CatalogueQuery(keywords=query.keywords, type=query.type, bbox=query.bbox, facets=query.facets)

    def unsent_conditions(self, query: CatalogueQuery) -> Tuple[str, ...]:
        """Return the type and all facets but keywords."""
        return (*(("type",) if query.type else ()),
                *(facet for facet, values in query.facets if values and facet != Facet.KEYWORD))

    def parse_page(self, request: Request, response: Response) -> SearchResponse:
        """Return the page. Raises CartoguideError with CKAN's message if there is none."""
        check_response(response, ExpectedContent.JSON)
        value = parse_json(response.body, self.source.display_name)
        result = object_in(value, "result")
        packages = result.get("results")
        if not isinstance(packages, list):
            raise no_records_error(self.source, problem_text(value))
        records, failures = parsed_entries(packages, lambda package: self._parse_package(package, response.url))
        total = count_of(result.get("count"))
        reached = self._start(request) + len(packages)
        has_more = bool(packages) and (total is None or reached < total)
        following = self._at(request, reached) if has_more else None
        return SearchResponse(records, total, following, (), failures, len(packages))

    def _parse_package(self, package: Any, address: str) -> Union[CatalogueRecord, CartoguideError]:
        identifier = as_text(package.get("id") or package.get("name")) if isinstance(package, dict) else None
        if identifier is None or not isinstance(package.get("resources"), list):
            return missing_record_error(self.source, identifier or "?", address)
        location = self.record_url(identifier)
        return CatalogueRecord(read_package(package, location), location)

    def record_request(self, identifier: str, package: bool = False) -> Request:
        return Request(HttpMethod.GET, self.record_url(identifier), _HEADERS)

    def parse_record(self, identifier: str, response: Response) -> CatalogueRecord:
        """Return the record of one package. Raises CartoguideError if there is none."""
        return record_in(self.source, identifier, response, self.record_url(identifier))

    def record_url(self, identifier: str) -> str:
        """Return the address of one package's description."""
        return f"{self._action('package_show')}?id={quote(identifier, safe='')}"

    def shifted_request(self, request: Request, size: int, offset: int = 0) -> Optional[Request]:
        """Return the request for ``size`` packages, ``offset`` packages further on."""
        moved = self._at(request, self._start(request) + offset)
        return replace(moved, url=with_parameters(moved.url, {"rows": str(size)}))

    def page_size(self, request: Request) -> int:
        """Return the number of packages asked for."""
        return _number(request, "rows")

    def _action(self, name: str) -> str:
        return f"{self.source.address.rstrip('/')}/api/3/action/{name}"

    def _at(self, request: Request, start: int) -> Request:
        return replace(request, url=with_parameters(request.url, {"start": str(start)}))

    def _start(self, request: Request) -> int:
        return _number(request, "start")


def _number(request: Request, name: str) -> int:
    value: Any = dict(query_parameters(request.url)).get(name, "")
    return int(value) if value.isdigit() and len(value) < 10 else 0


def _quoted(text: str) -> str:
    """Return a phrase of Solr's query syntax, in which only quotation marks and backslashes have a meaning."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

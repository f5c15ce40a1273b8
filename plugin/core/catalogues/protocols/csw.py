"""CSW 2.0.2 (OGC 07-006r1) and 3.0.0 (OGC 12-176r7): capabilities, GetRecords and GetRecordById."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union
from urllib.parse import unquote, urlsplit

from lxml import etree

from ... import safe_xml
from ...box import WORLD
from ...distributions.record_distributions import wms_distributions
from ...errors import CartoguideError, NotARecord
from ...i18n import tr
from ...library.query import Facet
from ...records import read
from ...records.input.format_detection import describe_document
from ...records.model.endpoints import normalise_endpoint
from ...records.model.record import Record, ResourceKind, is_starter
from ...records.xml.element_names import split_tag
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
    SourceKind,
    format_bbox,
    format_degrees,
    is_loopback,
    parsed_entries,
    record_in,
    trusted_address,
)
from ..result_merging import comparable_date_stamp

CSW_202 = "http://www.opengis.net/cat/csw/2.0.2"
CSW_30 = "http://www.opengis.net/cat/csw/3.0"
GMD = "http://www.isotc211.org/2005/gmd"
_OWS = {CSW_202: "http://www.opengis.net/ows", CSW_30: "http://www.opengis.net/ows/2.0"}
_XLINK = "{http://www.w3.org/1999/xlink}href"
#: longitude before latitude, both for servers that respect the CRS and for those that ignore it
LONGITUDE_LATITUDE = "urn:ogc:def:crs:OGC:1.3:CRS84"
_GML_31, _GML_32 = "http://www.opengis.net/gml", "http://www.opengis.net/gml/3.2"
_ANY_TEXT = ("csw:AnyText", "AnyText", "csw30:AnyText", "apiso:AnyText")
_SUBJECT = ("dc:subject", "Subject", "apiso:Subject", "keyword", "apiso:KeywordType")
_TYPE = ("dc:type", "Type", "apiso:Type")
#: pycsw lists both and fills neither from records, whose coupled resources are in its text
_OPERATES_ON = (("apiso:OperatesOn", "OperatesOn"), ("apiso:OperatesOnIdentifier", "OperatesOnIdentifier"))
_SERVICE_TYPE = ("apiso:ServiceType", "ServiceType")
#: dates of a resource (OGC 07-045 table 9); a year is searched only on servers that support all of them
_DATES = (("apiso:RevisionDate", "RevisionDate"), ("apiso:PublicationDate", "PublicationDate"),
          ("apiso:CreationDate", "CreationDate"))
_SORTED = {CatalogueSort.TITLE: (("dc:title", "Title", "apiso:Title"), "ASC"),
           CatalogueSort.DATE: (("dct:modified", "Modified", "apiso:Modified"), "DESC"),
           CatalogueSort.IDENTIFIER: (("dc:identifier", "Identifier", "apiso:Identifier"), "ASC")}
#: wildcards that are unlikely in addresses, so that "_" and "%" are literal
_WILDCARD, _SINGLE_WILDCARD, _ESCAPE = "*", "#", "!"
#: records of one endpoint that are read to choose among
_MAX_SAME_ENDPOINT = 50
#: last parts of a path that many services share
_COMMON_PATH_NAMES = re.compile(
    r"(?:wms|ows|wfs|mapserv(?:\.exe|\.cgi)?|mapserver|wmsserver|services?|request|maps?"
    r"|index(?:\.\w+)?|geoserver|mapwms|cgi-bin|qgis_mapserv\.fcgi)?", re.IGNORECASE)
_HEADERS = {"Content-Type": "application/xml; charset=UTF-8", "Accept": "application/xml"}


def build_filter(query: CatalogueQuery, offer: CswCapabilities) -> Optional[etree._Element]:
    """Return the Filter element for ``query``, or None if it has no conditions."""
    fes = _fes(offer.version)
    conditions: List[Any] = [_like(fes, offer.queryable(*_ANY_TEXT), word) for word in query.words]
    conditions += [_like(fes, offer.queryable(*_SUBJECT), word) for word in query.keywords if word.strip()]
    conditions += _any_of(fes, [fes.PropertyIsEqualTo(offer.queryable(*_TYPE), kind) for kind in query.types])
    if query.operates_on:
        names = [*filter(lambda names: offer.has_queryable(*names), _OPERATES_ON), _ANY_TEXT]
        conditions += _any_of(fes, [_like(fes, offer.queryable(*one), query.operates_on, True) for one in names])
    for facet in supported_facets(query, offer):
        conditions += _any_of(fes, [_facet_condition(fes, offer, facet, value) for value in query.facet_values(facet)])
    conditions += _bbox_conditions(fes, query)
    if not conditions:
        return None
    condition = conditions[0] if len(conditions) == 1 else fes.And(conditions)
    built: etree._Element = fes.FilterRequest().setConstraint(condition)
    return _correct_fes2(built) if offer.version.startswith("3") else built


def supported_facets(query: CatalogueQuery, offer: CswCapabilities) -> Tuple[str, ...]:
    """Return the facets, except the kind, that can be sent to the server. It may return too many records, never too
    few.
    """
    supported: Dict[str, bool] = {
        Facet.KEYWORD: True, Facet.ORGANISATION: True, Facet.SERVICE_TYPE: offer.has_queryable(*_SERVICE_TYPE),
        Facet.YEAR: all(offer.has_queryable(*names) for names in _DATES)
    }
    return tuple(facet for facet, values in query.facets if values and supported.get(facet, False))


def _facet_condition(fes: ModuleType, offer: CswCapabilities, facet: str, value: str) -> Any:
    """Return the condition that a record has a value of a facet.

    An organisation is searched by its words, since servers differ in which of several contacts they index as
    organisation.
    """
    if facet == Facet.YEAR:
        year = int(value) if value.isdigit() else 0
        names = [offer.queryable(*names) for names in _DATES]
        # a date that is only a year sorts after the last day of the year before
        return fes.Or([fes.PropertyIsBetween(name, f"{year - 1:04}-12-31", f"{year + 1:04}-01-01") for name in names])
    if facet == Facet.ORGANISATION:
        parts = [_like(fes, offer.queryable(*_ANY_TEXT), word, True) for word in value.split()]
        return parts[0] if len(parts) == 1 else fes.And(parts)
    return _like(fes, offer.queryable(*(_SUBJECT if facet == Facet.KEYWORD else _SERVICE_TYPE)), value, True)


def _any_of(fes: ModuleType, conditions: List[Any]) -> List[Any]:
    """Return one condition that holds if any of ``conditions`` does, as a list. Empty if there are none."""
    return [fes.Or(conditions)] if len(conditions) > 1 else conditions


def _correct_fes2(built: etree._Element) -> etree._Element:
    """Correct OWSLib's FES 2.0: remove matchCase, which PropertyIsLike does not have (7.7.3.4), and use GML 3.2 for
    envelopes.
    """
    for node in list(built.iter("*")):
        if etree.QName(node).localname == "PropertyIsLike":
            node.attrib.pop("matchCase", None)
        elif etree.QName(node).namespace == _GML_31:
            node.tag = etree.QName(_GML_32, etree.QName(node).localname)
    etree.cleanup_namespaces(built)
    return built


def build_sort_by(query: CatalogueQuery, offer: CswCapabilities) -> Optional[etree._Element]:
    """Return the SortBy element, or None if no order is requested or the server does not support it."""
    names, order = _SORTED.get(query.sort, ((), ""))
    if not names or not offer.can_sort(*names):
        return None
    fes = _fes(offer.version)
    built: etree._Element = fes.SortBy([fes.SortProperty(offer.queryable(*names), order)]).toXML()
    return built


def _fes(version: str) -> ModuleType:
    """Return OWSLib's filter encoding for a version of CSW. It takes long to load, so it is imported here."""
    if version.startswith("3"):
        from owslib import fes2

        fes_2: ModuleType = fes2
        return fes_2
    from owslib import fes

    fes_1: ModuleType = fes
    return fes_1


def _like(fes: ModuleType, name: str, word: str, exact: bool = False) -> Any:
    """Return the condition that a property contains ``word`` in any case, without wildcards.

    The word is sent in lower case unless ``exact``, because catalogues on SQLite compare accented letters by case.
    """
    pattern = f"{_WILDCARD}{escape_like_pattern(word.strip() if exact else word.strip().lower())}{_WILDCARD}"
    return fes.PropertyIsLike(name, pattern, escapeChar=_ESCAPE, singleChar=_SINGLE_WILDCARD, wildCard=_WILDCARD,
                              matchCase=False)


def _bbox_conditions(fes: ModuleType, query: CatalogueQuery) -> List[Any]:
    """Return the condition on the bounding box. Across the antimeridian it has two parts, of which one must hold."""
    if query.bbox is None:
        return []
    return _any_of(fes, [
        fes.BBox([format_degrees(value) for value in part], LONGITUDE_LATITUDE)
        for part in query.bbox.parts
    ])


def _get_records(version: str, schema: str, start: int, maximum: int, condition: Optional[etree._Element],
                 order: Optional[etree._Element] = None) -> bytes:
    """Return the document of a GetRecords request for full records (2.0.2: 10.8, 3.0.0: 7.3)."""
    is_new = version.startswith("3")
    namespace = CSW_30 if is_new else CSW_202
    root = etree.Element(etree.QName(namespace, "GetRecords"), nsmap={"csw": namespace}, service="CSW",
                         version=version, outputFormat="application/xml", outputSchema=schema,
                         startPosition=str(start), maxRecords=str(maximum))
    if not is_new:
        root.set("resultType", "results")
    query = etree.SubElement(root, etree.QName(namespace, "Query"), typeNames="csw:Record")
    etree.SubElement(query, etree.QName(namespace, "ElementSetName")).text = "full"
    if condition is not None:
        constraint = etree.SubElement(query, etree.QName(namespace, "Constraint"),
                                      version="2.0.0" if is_new else "1.1.0")
        constraint.append(condition)
    if order is not None:
        query.append(order)
    return safe_xml.serialise(root)


class CswProtocol(CatalogueProtocol):
    """Protocol of one CSW, according to its capabilities."""

    def __init__(self, source: Source, offer: CswCapabilities, language: str = "") -> None:
        self.source = source
        self.capabilities = offer
        self._language = language

    def first_request(self, query: CatalogueQuery) -> Request:
        """Return a GetRecords request for full records in the richest schema offered (2.0.2: 10.8, 3.0.0: 7.3).

        It is sent by POST, except to version 3.0.0 with a bounding box. pycsw, the most common server of that version,
        ignores bounding boxes in posted filters, while every server must support the parameter BBOX (table 6).
        """
        if self._uses_get(query):
            return self._first_get_request(query)
        offer = self.capabilities
        body = _get_records(offer.version, offer.best_schema, query.start, self._limited_page_size(query.page_size),
                            build_filter(query, offer), build_sort_by(query, offer))
        return Request(HttpMethod.POST, offer.post_address, _HEADERS, body)

    def locally_checked(self, query: CatalogueQuery) -> CatalogueQuery:
        """Return the facets, on which servers may return too much. With a bounding box in 3.0.0 return the whole
        query.
        """
        if self._uses_get(query):
            return query
        return CatalogueQuery(facets=query.select_facets(
            [facet for facet, values in query.facets if values and not (facet == Facet.KIND and query.types)]))

    def unsent_conditions(self, query: CatalogueQuery) -> Tuple[str, ...]:
        """Return the facets without a queryable. With a bounding box in 3.0.0 return everything else."""
        facets = [facet for facet, values in query.facets if values]
        if self._uses_get(query):
            named = (("text", query.words), ("type", query.type), ("keyword", query.keywords))
            return (*(name for name, value in named if value), *facets)
        sent = (*supported_facets(query, self.capabilities), *((Facet.KIND,) if query.types else ()))
        return tuple(facet for facet in facets if facet not in sent)

    def _uses_get(self, query: CatalogueQuery) -> bool:
        return query.bbox is not None and self._namespace == CSW_30

    def _first_get_request(self, query: CatalogueQuery) -> Request:
        around = (query.bbox or WORLD).in_order
        requested = {
            "SERVICE": "CSW", "VERSION": self.capabilities.version, "REQUEST": "GetRecords", "TYPENAMES": "csw:Record",
            "NAMESPACE": f"xmlns(csw={CSW_30})", "ELEMENTSETNAME": "full",
            "OUTPUTSCHEMA": self.capabilities.best_schema, "BBOX": format_bbox(around),
            "STARTPOSITION": str(query.start), "MAXRECORDS": str(self._limited_page_size(query.page_size))
        }
        order = build_sort_by(query, self.capabilities)
        if order is not None:
            name, direction = (node.text or "" for node in list(order.iter("*"))[-2:])
            requested["SORTBY"] = f"{name}:{direction[:1]}"
        return Request(HttpMethod.GET, with_parameters(self.capabilities.get_address, requested),
                       {"Accept": "application/xml"})

    def parse_page(self, request: Request, response: Response) -> SearchResponse:
        """Return the page. If its counts contradict each other, the entries themselves are counted and notes say so."""
        root = self._parse_root(response)
        results = next((node for node in root.iter("*") if split_tag(node.tag)[1] == "SearchResults"), None)
        if results is None:
            raise NotARecord(
                tr("{name} returned {what} instead of search results.", name=self.source.display_name,
                   what=describe_document(root)), f"<{root.tag}>", "answer")
        entries = list(results.iterchildren("*"))
        records, failures = parsed_entries(entries, self._parse_entry)
        start, requested = self._position(request)
        total = _parse_count(results.get("numberOfRecordsMatched"))
        next_start, notes = _next_position(start, requested, len(entries), total,
                                           _parse_count(results.get("nextRecord")))
        return SearchResponse(records, total,
                              self.shifted_request(request, requested, next_start - start) if next_start else None,
                              notes, failures, len(entries))

    def record_request(self, identifier: str, package: bool = False) -> Request:
        """Return a GetRecordById request. CSW has no packages."""
        return Request(HttpMethod.GET, self.record_url(identifier), {"Accept": "application/xml"})

    def parse_record(self, identifier: str, response: Response) -> CatalogueRecord:
        """Return the record of a GetRecordById response."""
        return record_in(self.source, identifier, response, self.record_url(identifier), ExpectedContent.XML,
                         self._language)

    def record_url(self, identifier: str) -> str:
        """Return the address of one record in this catalogue."""
        return with_parameters(
            self.capabilities.get_address, {
                "SERVICE": "CSW", "VERSION": self.capabilities.version, "REQUEST": "GetRecordById",
                "ELEMENTSETNAME": "full", "OUTPUTSCHEMA": self.capabilities.best_schema, "ID": identifier
            })

    def shifted_request(self, request: Request, size: int, offset: int = 0) -> Optional[Request]:
        """Return the same GetRecords from another position."""
        start, _ = self._position(request)
        if request.body is None:
            position = {"STARTPOSITION": str(start + offset), "MAXRECORDS": str(size)}
            return replace(request, url=with_parameters(request.url,
                                                        {**dict(query_parameters(request.url)), **position}))
        root = safe_xml.parse(request.body, self.source.address)
        root.set("startPosition", str(start + offset))
        root.set("maxRecords", str(size))
        return replace(request, body=safe_xml.serialise(root))

    def respelled_request(self, request: Request) -> Optional[Request]:
        """Return a GetRecords with ``AnyText`` for ``csw:AnyText`` or the reverse, or None if it names neither.

        Servers know one or both of them (OGC 07-006r1 table 6, OGC 12-176r7 table 17), whatever they list.
        """
        root = safe_xml.parse(request.body, self.source.address) if request.body else None
        names = [] if root is None else [
            node for node in root.iter("*") if split_tag(node.tag)[1] in ("PropertyName", "ValueReference")
            and (node.text or "").rpartition(":")[2] == "AnyText"]
        if root is None or not names:
            return None
        for node in names:
            node.text = "AnyText" if ":" in (node.text or "") else "csw:AnyText"
        return replace(request, body=safe_xml.serialise(root))

    def page_size(self, request: Request) -> int:
        """Return the number of records that a GetRecords asks for."""
        return self._position(request)[1]

    @property
    def _namespace(self) -> str:
        return CSW_30 if self.capabilities.version.startswith("3") else CSW_202

    def _limited_page_size(self, size: int) -> int:
        return min(size, self.capabilities.max_records) if self.capabilities.max_records > 0 else size

    def _position(self, request: Request) -> Tuple[int, int]:
        if request.body is None:
            requested = dict(query_parameters(request.url))
            return int(requested.get("STARTPOSITION", "1")), int(requested.get("MAXRECORDS", "10"))
        root = safe_xml.parse(request.body, self.source.address)
        return int(root.get("startPosition", "1")), int(root.get("maxRecords", "10"))

    def _parse_root(self, response: Response) -> etree._Element:
        check_response(response, ExpectedContent.XML)
        return safe_xml.parse(response.body, self.source.display_name)

    def _parse_entry(self, entry: etree._Element) -> Union[CatalogueRecord, CartoguideError]:
        try:
            records = read(safe_xml.serialise(entry), self.source.address, self._language)
            if not records:
                raise NotARecord(tr("{name} returned an entry that is not a record.", name=self.source.display_name),
                                 entry.tag)
        except CartoguideError as error:
            return error.with_traceback(None)
        record = records[0]
        record_address = self.record_url(record.id) if record.id else self.source.address
        return CatalogueRecord(replace(record, source=record_address), record_address)


def _parse_count(text: Optional[str]) -> Optional[int]:
    return int(text) if text is not None and text.isdigit() and len(text) < 12 else None


def _next_position(start: int, requested: int, count: int, total: Optional[int],
                   declared: Optional[int]) -> Tuple[int, Tuple[str, ...]]:
    """Return the position of the next page (0 for none) and warnings about the position that the server declared."""
    next_start = start + count
    if declared is None:
        has_more = count > 0 and (total >= next_start if total is not None else count >= requested)
        return (next_start if has_more else 0), ()
    if declared == 0:
        if count and total is not None and next_start <= total:
            return next_start, (tr("The catalogue reported its last page after only {given} of {total} records.",
                                   given=next_start - 1, total=total), )
        return 0, ()
    if declared <= start:
        note = tr("The catalogue pointed back from record {start} to record {declared}; this was ignored.", start=start,
                  declared=declared)
        return (next_start if count else 0), (note,)
    if total is not None and declared == total + 1 and next_start >= declared:
        return 0, ()
    if declared > start + requested:
        if not count:
            return 0, ()
        note = tr("The catalogue skipped from record {behind} to record {declared}; the records in between were "
                  "requested too.",
                  behind=next_start, declared=declared)
        return next_start, (note,)
    if not count and (total is None or declared > total):
        return 0, ()
    return declared, ()


@dataclass(frozen=True)
class CswCapabilities:
    """Capabilities of one CSW.

    ``version`` is 2.0.2 or 3.0.0. ``post_address`` and ``get_address`` are those of GetRecords. ``max_records`` is the
    largest page that the server announces (0 if it announces none).
    """

    version: str
    post_address: str
    get_address: str
    title: str = ""
    schemas: Tuple[str, ...] = ()
    queryables: Tuple[str, ...] = ()
    max_records: int = 0

    @property
    def kind(self) -> SourceKind:
        return SourceKind.CSW_3 if self.version.startswith("3") else SourceKind.CSW_2

    @property
    def best_schema(self) -> str:
        """Return the richest offered output schema that can be read: ISO 19139, else ISO 19115-3, else Dublin Core."""
        for schema in self.schemas:
            if schema.rstrip("/") == GMD:
                return schema
        newer = sorted((schema for schema in self.schemas if "19115/-3/mdb" in schema), reverse=True)
        if newer:
            return newer[0]
        return CSW_30 if self.version.startswith("3") else CSW_202

    def queryable(self, *names: str) -> str:
        """Return the server's spelling of the first of ``names`` that it lists, or the first name if it lists none."""
        exact = (name for name in names if name in self.queryables)
        return next(exact, None) or next(self._spellings(names), names[0])

    def has_queryable(self, *names: str) -> bool:
        """Return True if the server lists one of ``names`` among its queryables, in any spelling."""
        return any(self._spellings(names))

    def _spellings(self, names: Sequence[str]) -> Iterator[str]:
        """Yield the queryables that are one of ``names``, whatever their prefix and case."""
        return (listed for name in names for listed in self.queryables
                if name.rpartition(":")[2].lower() == listed.rpartition(":")[2].rpartition("/")[2].lower())

    def can_sort(self, *names: str) -> bool:
        """Return True if results can be sorted by one of ``names``. Assumed for servers that list no queryables."""
        return not self.queryables or self.has_queryable(*names)


def capabilities_request(address: str, version: str = "") -> Request:
    """Return a GetCapabilities request. Without ``version`` the server responds in its best one (OGC 06-121r9 7.3.2).

    2.0.2 knows the parameter VERSION, 3.0 AcceptVersions. A list of versions is not sent, because pycsw rejects it.
    """
    parameters = {"SERVICE": "CSW", "REQUEST": "GetCapabilities"}
    if version:
        parameters["VERSION" if version == "2.0.2" else "ACCEPTVERSIONS"] = version
    return Request(HttpMethod.GET, with_parameters(address, parameters), {"Accept": "application/xml"})


def is_capabilities(root: etree._Element) -> bool:
    """Return True if ``root`` is a capabilities document of a supported CSW version."""
    namespace, local = split_tag(root.tag)
    return local == "Capabilities" and namespace in _OWS


def parse_csw_capabilities(data: bytes, address: str) -> CswCapabilities:
    """Return the capabilities in a document from ``address``. Raises NotARecord if it is another document."""
    root = safe_xml.parse(data, address)
    if not is_capabilities(root):
        raise NotARecord(
            tr("{name} returned {what} instead of the capabilities of a CSW catalogue.", name=address,
               what=describe_document(root)), f"<{root.tag}>", "capabilities")
    namespace = split_tag(root.tag)[0]
    version = "3.0.0" if namespace == CSW_30 else "2.0.2"
    ows = _OWS[namespace]
    operation = next((node for node in root.iter(f"{{{ows}}}Operation") if node.get("name") == "GetRecords"), None)
    # the allowed values of each parameter and constraint, by its name in lower case
    domains: Dict[str, List[str]] = {}
    for node in _domains(root, operation, ows):
        domains.setdefault((node.get("name") or "").lower(), []).extend(_values(node, ows))
    queryables = [value for name, values in domains.items() for value in values
                  if name.endswith("queryables") and value.lower() not in ("allowed", "true", "false")]
    max_records = next((value for name in ("maxrecorddefault", "maxrecords") for value in domains.get(name, ())), "")
    title = root.findtext(f"{{{ows}}}ServiceIdentification/{{{ows}}}Title") or ""
    return CswCapabilities(version=version, post_address=_post_address(operation, ows, address),
                           get_address=_get_address(operation, ows, address), title=" ".join(title.split()),
                           schemas=tuple(dict.fromkeys(domains.get("outputschema", ()))),
                           queryables=tuple(dict.fromkeys(queryables)),
                           max_records=int(max_records) if max_records.isdigit() else 0)


def _domains(root: etree._Element, operation: Optional[etree._Element], ows: str) -> Iterator[etree._Element]:
    """Yield the parameters and constraints of GetRecords, then those of all operations."""
    elements = [operation] if operation is not None else []
    elements += root.findall(f"{{{ows}}}OperationsMetadata")
    for element in elements:
        for name in ("Parameter", "Constraint"):
            yield from element.findall(f"{{{ows}}}{name}")


def _values(node: etree._Element, ows: str) -> List[str]:
    names = (f"{{{ows}}}Value", f"{{{ows}}}DefaultValue")
    return [value.text.strip() for value in node.iter(*names) if value.text and value.text.strip()]


def _post_address(operation: Optional[etree._Element], ows: str, address: str) -> str:
    """Return the address to which GetRecords is posted as XML, as declared if it can be trusted."""
    declared = []
    for post in operation.iter(f"{{{ows}}}Post") if operation is not None else ():
        encodings = [value.upper() for node in post.findall(f"{{{ows}}}Constraint") for value in _values(node, ows)]
        if post.get(_XLINK) and (not encodings or "XML" in encodings):
            declared.append(post.get(_XLINK, "").strip())
    return _usable_address(declared, address)


def _get_address(operation: Optional[etree._Element], ows: str, address: str) -> str:
    declared = [node.get(_XLINK, "") for node in operation.iter(f"{{{ows}}}Get")] if operation is not None else []
    return _usable_address(declared, address)


def _usable_address(declared: List[str], address: str) -> str:
    """Return the declared address of an operation, or ``address`` if it is valid only on the server's own machine."""
    if not declared or (is_loopback(declared[0]) and not is_loopback(address)):
        return address
    return trusted_address(declared[0], address)


def endpoint_search_request(csw_url: str, endpoint: str) -> Request:
    """Return a GetRecords request for the full ISO 19139 records that contain the endpoint's address (CSW 2.0.2, 10.8).

    The search text is the distinctive part of the address: the last part of its path, or host and path if that is a
    common word. Records with another scheme, query or former host are therefore found too. ``choose_record`` selects
    among the results.
    """
    version = "2.0.2"
    fes = _fes(version)
    condition = fes.FilterRequest().setConstraint(_like(fes, _ANY_TEXT[0], distinctive_part(endpoint), True))
    return Request(HttpMethod.POST, csw_url, _HEADERS, _get_records(version, GMD, 1, _MAX_SAME_ENDPOINT, condition))


def choose_record(records: Iterable[Record], endpoint: str) -> Optional[Record]:
    """Return the record that leads to ``endpoint``, or None.

    Records of services come before those of datasets, newer ones before older ones.
    """
    normalised = normalise_endpoint(endpoint)
    candidates = [record for record in records if not is_starter(record)
                  and any(normalise_endpoint(one.address) == normalised for one in wms_distributions(record))]
    return max(candidates, key=lambda record: (record.kind is ResourceKind.SERVICE,
                                               comparable_date_stamp(record.date_stamp or "")), default=None)


def distinctive_part(endpoint: str) -> str:
    """Return the end of the address's path, or host and path if the end is a common word."""
    parts = urlsplit(endpoint.strip())
    path = unquote(parts.path).strip("/")
    last = path.rpartition("/")[2]
    if len(last) >= 6 and not _COMMON_PATH_NAMES.fullmatch(last):
        return last
    return "/".join(part for part in ((parts.hostname or ""), path) if part)


def escape_like_pattern(text: str) -> str:
    """Return ``text`` as a literal of PropertyIsLike without wildcards (OGC 04-095, 10.2)."""
    return re.sub(f"[{re.escape(_WILDCARD + _SINGLE_WILDCARD + _ESCAPE)}]", lambda match: _ESCAPE + match.group(), text)

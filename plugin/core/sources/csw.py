"""CSW 2.0.2 (OGC 07-006r1) and 3.0.0 (OGC 12-176r7): GetRecords and GetRecordById, built and read."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Optional, Tuple, Union

from lxml import etree

from .. import safexml
from ..errors import CartoguideError, NotARecord
from ..i18n import tr
from ..records import read
from ..records.documents import cut
from ..records.names import split
from ..records.sniff import describe
from ..request import Request, Response
from ..store.turns import in_turns
from ..wms.addresses import parameters_of, with_parameters
from ..wms.answers import explain_answer
from .boxes import written
from .csw_filter import filter_of, sendable, sort_of
from .csw_offer import CSW_30, CSW_202, CswOffer
from .model import Answer, Found, Source, SourceQuery

_HEADERS = {"Content-Type": "application/xml; charset=UTF-8", "Accept": "application/xml"}


class CswProtocol:
    """One CSW, asked as its capabilities say."""

    def __init__(self, source: Source, offer: CswOffer, language: str = "") -> None:
        self.source = source
        self.offer = offer
        self._language = language

    def first(self, query: SourceQuery) -> Request:
        """GetRecords for full records in the richest schema offered (10.8; 7.3).

        By POST; in 3.0.0 by GET where there is a box: pycsw, which speaks 3.0.0 for most of the field, takes a box in
        no posted filter, and the parameter BBOX is one that every server of that version must know (table 6).
        """
        if self._by_parameters(query):
            return self._first_by_parameters(query)
        space = self._namespace
        root = etree.Element(etree.QName(space, "GetRecords"), nsmap={"csw": space}, service="CSW",
                             version=self.offer.version, outputFormat="application/xml",
                             outputSchema=self.offer.schema, startPosition=str(query.start),
                             maxRecords=str(self._allowed(query.page_size)))
        if space == CSW_202:
            root.set("resultType", "results")
        inner = etree.SubElement(root, etree.QName(space, "Query"), typeNames="csw:Record")
        etree.SubElement(inner, etree.QName(space, "ElementSetName")).text = "full"
        condition = filter_of(query, self.offer)
        if condition is not None:
            version = "1.1.0" if space == CSW_202 else "2.0.0"
            etree.SubElement(inner, etree.QName(space, "Constraint"), version=version).append(condition)
        order = sort_of(query, self.offer)
        if order is not None:
            inner.append(order)
        return Request("POST", self.offer.post, _HEADERS, _written(root))

    def left(self, query: SourceQuery) -> SourceQuery:
        """The facets, of which a server may give too much; with a box in 3.0.0 everything, because there the server is
        asked for the box alone.
        """
        if self._by_parameters(query):
            return query
        return SourceQuery(facets=query.narrowed_to(
            [facet for facet, values in query.facets if values and not (facet == "kind" and query.types)]))

    def unsent(self, query: SourceQuery) -> Tuple[str, ...]:
        """The facets that the server has no queryable for; with a box in 3.0.0 everything else."""
        wanted = [facet for facet, values in query.facets if values]
        if self._by_parameters(query):
            named = (("text", query.words), ("type", query.type), ("keyword", query.keywords))
            return (*(name for name, value in named if value), *wanted)
        sent = (*sendable(query, self.offer), *(("kind",) if query.types else ()))
        return tuple(facet for facet in wanted if facet not in sent)

    def _by_parameters(self, query: SourceQuery) -> bool:
        return query.box is not None and self._namespace == CSW_30

    def _first_by_parameters(self, query: SourceQuery) -> Request:
        west, south, east, north = query.box or (-180.0, -90.0, 180.0, 90.0)
        around = (west, south, east, north) if west <= east else (-180.0, south, 180.0, north)
        asked = {"SERVICE": "CSW", "VERSION": self.offer.version, "REQUEST": "GetRecords", "TYPENAMES": "csw:Record",
                 "NAMESPACE": f"xmlns(csw={CSW_30})", "ELEMENTSETNAME": "full", "OUTPUTSCHEMA": self.offer.schema,
                 "BBOX": written(around), "STARTPOSITION": str(query.start),
                 "MAXRECORDS": str(self._allowed(query.page_size))}
        order = sort_of(query, self.offer)
        if order is not None:
            name, direction = (node.text or "" for node in list(order.iter("*"))[-2:])
            asked["SORTBY"] = f"{name}:{direction[:1]}"
        return Request("GET", with_parameters(self.offer.get, asked), {"Accept": "application/xml"})

    def read(self, request: Request, response: Response) -> Answer:
        """The page; where its counts contradict each other, notes say so and the entries themselves count."""
        root = self._root(response)
        results = next((node for node in root.iter("*") if split(node.tag)[1] == "SearchResults"), None)
        if results is None:
            raise NotARecord(tr("{name} did not answer with search results but with {what}.", name=self.source.shown,
                                what=describe(root)), f"<{root.tag}>", "answer")
        found: List[Found] = []
        failures: List[CartoguideError] = []
        entries = list(results.iterchildren("*"))
        for entry in in_turns(entries, 1):
            one = self._entry(entry)
            if isinstance(one, Found):
                found.append(one)
            else:
                failures.append(one)
        start, asked = self._position(request)
        total = _number(results.get("numberOfRecordsMatched"))
        following, notes = _following(start, asked, len(entries), total, _number(results.get("nextRecord")))
        return Answer(tuple(found), total, self.resized(request, asked, following - start) if following else None,
                      notes, tuple(failures), len(entries))

    def detail(self, identifier: str, package: bool = False) -> Request:
        """GetRecordById for the whole record; CSW knows no packages."""
        return Request("GET", self.place(identifier), {"Accept": "application/xml"})

    def read_detail(self, identifier: str, response: Response) -> Found:
        """The record of a GetRecordById answer."""
        explain_answer(response, "xml")
        records = read(response.body, self.place(identifier), self._language)
        if not records:
            raise NotARecord(tr("{name} has no record {identifier}.", name=self.source.shown, identifier=identifier),
                             response.url, "empty")
        return Found(records[0], self.place(identifier))

    def place(self, identifier: str) -> str:
        """The address at which this catalogue gives one record."""
        return with_parameters(self.offer.get, {
            "SERVICE": "CSW", "VERSION": self.offer.version, "REQUEST": "GetRecordById", "ELEMENTSETNAME": "full",
            "OUTPUTSCHEMA": self.offer.schema, "ID": identifier})

    def resized(self, request: Request, size: int, forward: int = 0) -> Optional[Request]:
        """The same GetRecords from another position."""
        start, _ = self._position(request)
        if request.body is None:
            place = {"STARTPOSITION": str(start + forward), "MAXRECORDS": str(size)}
            return replace(request, url=with_parameters(request.url, {**dict(parameters_of(request.url)), **place}))
        root = safexml.parse(request.body, self.source.address)
        root.set("startPosition", str(start + forward))
        root.set("maxRecords", str(size))
        return replace(request, body=_written(root))

    def size(self, request: Request) -> int:
        """How many records a GetRecords asks for."""
        return self._position(request)[1]

    @property
    def _namespace(self) -> str:
        return CSW_30 if self.offer.version.startswith("3") else CSW_202

    def _allowed(self, size: int) -> int:
        return min(size, self.offer.most) if self.offer.most > 0 else size

    def _position(self, request: Request) -> Tuple[int, int]:
        if request.body is None:
            asked = dict(parameters_of(request.url))
            return int(asked.get("STARTPOSITION", "1")), int(asked.get("MAXRECORDS", "10"))
        root = safexml.parse(request.body, self.source.address)
        return int(root.get("startPosition", "1")), int(root.get("maxRecords", "10"))

    def _root(self, response: Response) -> etree._Element:
        explain_answer(response, "xml")
        return safexml.parse(response.body, self.source.shown)

    def _entry(self, entry: etree._Element) -> Union[Found, CartoguideError]:
        try:
            records = read(cut(entry), self.source.address, self._language)
            if not records:
                raise NotARecord(tr("{name} sent an entry that is no record.", name=self.source.shown), entry.tag)
        except CartoguideError as error:
            return error.with_traceback(None)
        record = records[0]
        place = self.place(record.id) if record.id else self.source.address
        return Found(replace(record, source=place), place)


def _written(root: etree._Element) -> bytes:
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


def _number(text: Optional[str]) -> Optional[int]:
    return int(text) if text is not None and text.isdigit() and len(text) < 12 else None


def _following(start: int, asked: int, count: int, total: Optional[int],
               told: Optional[int]) -> Tuple[int, Tuple[str, ...]]:
    """The position of the next page (0: there is none), and what was wrong with what the server said about it."""
    behind = start + count
    if told is None:
        more = count > 0 and (total >= behind if total is not None else count >= asked)
        return (behind if more else 0), ()
    if told == 0:
        if count and total is not None and behind <= total:
            return behind, (tr("It said that nothing follows, but gave only {given} of {total} records.",
                               given=behind - 1, total=total),)
        return 0, ()
    if told <= start:
        note = tr("It sent the search back from record {start} to record {told}, which was not followed.",
                  start=start, told=told)
        return (behind if count else 0), (note,)
    if total is not None and told == total + 1 and behind >= told:
        return 0, ()
    if told > start + asked:
        if not count:
            return 0, ()
        note = tr("It skipped from record {behind} to record {told}; those between were asked for as well.",
                  behind=behind, told=told)
        return behind, (note,)
    if not count and (total is None or told > total):
        return 0, ()
    return told, ()

"""Extraction of index rows from original bytes.

ISO 19139 is read with smaller handler tables than those of the full reader, which takes 2.7 times as long (0.5 ms to
1.4 ms a record, and two thirds of an import). Other formats are read with the full reader. Both ways must give the same
row, which the tests check.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Dict, FrozenSet, Iterable, List, Optional, Tuple, cast

from ... import safe_xml
from ...errors import CartoguideError, NotARecord
from ...i18n import tr
from ...records import read, read_all
from ...records.input import format_detection
from ...records.input.document_reader import set_secrets_apart
from ...records.input.format_detection import DocumentFormat
from ...records.iso.elements import (
    CONSTRAINTS,
    DATE,
    EXTENT,
    OPERATION,
    ORDER_PROCESS,
    SERVICE,
    build_date,
    build_keywords,
    build_online_resource,
    build_operation,
    build_overview,
    constraint_groups,
    or_named_reference,
)
from ...records.iso.iso19139 import identification_info, read_record
from ...records.model.record import ConstraintGroup, Contact, Operation, Record, RecordFormat
from ...records.xml.element_names import ISO_NAMES
from ...records.xml.element_walker import (
    NIL_REASONS,
    REGISTER_CODE_PREFIX,
    Builder,
    Element,
    ElementWalker,
    FieldValues,
    Handler,
    HandlerTable,
    build_one,
    code,
    iso_type,
    nested,
    repeat,
    text,
    texts,
)
from ...records.xml.record_builder import flat_constraints, flat_keywords, resource_kind
from ...terms import terms_for
from ...terms.model import Decision, Terms
from .index_row import IndexRow, index_row

_DASHES = frozenset("-–—")
_LONGER_THAN_NIL_REASON = 1 + max(len(reason) for reason in NIL_REASONS)
#: tags that are kept for each table, since a hostile document may have any number
_MAX_TAGS = 1000


class _IndexedFields:
    """The fields of a Record that the index needs, under the same names."""

    def __init__(self, bag: FieldValues) -> None:
        value_of = bag.get
        self.id: Optional[str] = value_of("id")
        self.date_stamp: Optional[str] = value_of("date_stamp")
        self.title: Optional[str] = value_of("title")
        self.alternate_titles: List[str] = value_of("alternate_titles", ())
        self.abstract: Optional[str] = value_of("abstract")
        self.purpose: Optional[str] = value_of("purpose")
        self.service_type: Optional[str] = value_of("service_type")
        self.service_versions: Tuple[str, ...] = tuple(value_of("service_versions", ()))
        self.fees: Optional[str] = value_of("fees")
        self.credits: Tuple[str, ...] = tuple(value_of("credits", ()))
        self.kind = resource_kind(value_of("hierarchy_level"), value_of("identified", ""))
        self.dates = value_of("dates", ())
        self.contacts = (*value_of("contacts", ()), *value_of("cited", ()))
        self.metadata_contacts = tuple(value_of("metadata_contacts", ()))
        self.keyword_groups = value_of("keyword_groups", ())
        self.keywords = flat_keywords(self.keyword_groups)
        self.constraint_groups: Tuple[ConstraintGroup, ...] = tuple(value_of("constraint_groups", ()))
        self._operations: List[Tuple[ElementWalker, Element]] = value_of("operations", [])
        self.online = value_of("online", ())
        self.operates_on = tuple({**dict.fromkeys(value_of("operates_on", ())), **value_of("coupled", {})})
        self.extents = value_of("extents", ())
        self.overviews = value_of("overviews", ())

    @property
    def operations(self) -> List[Operation]:
        """Return the operations, which may give the address or the kind of a service whatever they are called."""
        found = (build_one(reading, item, OPERATION, build_operation) for reading, prop in self._operations
                 for item in prop)
        return [operation for operation in found if operation is not None]


class _HandlersByTag(Dict[Any, Optional[Handler]]):
    """Handlers of a table keyed by whole tags, so that each property needs one lookup instead of two."""

    def __init__(self, table: HandlerTable) -> None:
        super().__init__()
        self.table = table

    def __missing__(self, tag: Any) -> Optional[Handler]:
        handler = self.table.get(ISO_NAMES[tag])
        if len(self) < _MAX_TAGS:
            self[tag] = handler
        return handler


#: keyed by the id of a handler table, all of which exist as long as the program
_handlers: Dict[int, _HandlersByTag] = {}


class _IndexWalker(ElementWalker):
    """Element walker that looks up whole tags and collects no unread values: the same fields in less time."""

    __slots__ = ()

    def add_unread(self, element: Element, text: str, attribute: Optional[str] = None) -> None:
        """Ignore a value."""

    def add_unread_attributes(self, element: Element, except_for: FrozenSet[str] = frozenset()) -> None:
        """Ignore attributes."""

    def add_unread_element(self, element: Element) -> None:
        """Ignore an element."""

    def walk(self, element: Element, table: HandlerTable, bag: FieldValues) -> None:
        """Read the properties that ``table`` names."""
        handlers = _handlers.get(id(table)) or _handlers.setdefault(id(table), _HandlersByTag(table))
        for prop in element:
            handler = handlers[prop.tag]
            if handler is None and prop.keys():
                handler = table.get(iso_type(prop))
            if handler is not None:
                handler(self, prop, bag)

    def objects(self, prop: Element) -> Iterable[Element]:
        """Return the property itself, whose children are the objects, or the object that an empty property refers to.
        """
        return prop if len(prop) or not prop.keys() else self.resolve_reference(prop)

    def text(self, prop: Element) -> Optional[str]:
        """Return the text of a property. Attributes are not examined in the plain case."""
        if len(prop) == 1:
            text = _plain_text(prop[0])
            if text is not None:
                return text
        return super().text(prop)

    def text_and_href(self, prop: Element) -> Tuple[Optional[str], Optional[str]]:
        """Return the text of a property and the address that an Anchor gives it."""
        if len(prop) == 1 and not prop.text:
            child = prop[0]
            text = _plain_text(child)
            if text is not None and not child.keys():
                return text, None
        return super().text_and_href(prop)

    def code(self, prop: Element) -> Optional[str]:
        """Return the code of a code list property. Its text is not examined in the plain case."""
        if len(prop) == 1:
            value = prop[0].get("codeListValue")
            if value:
                value = value.strip()
                if value and value[0] not in _DASHES and ":" not in value and value.lower() not in NIL_REASONS \
                        and not value.startswith(REGISTER_CODE_PREFIX):
                    return value
        return super().code(prop)


def _plain_text(child: Element) -> Optional[str]:
    """Return the text of an element without children, or None if it may need the complete treatment."""
    text = child.text
    if not text:
        return None
    text = text.strip()
    if not text or text[0] in _DASHES or len(child):
        return None
    if len(text) < _LONGER_THAN_NIL_REASON and text.lower() in NIL_REASONS:
        return None
    return text


def _organisations(field: str) -> Handler:
    build: Builder = lambda bag: Contact(organisation=bag["organisation"])  # noqa: E731
    return or_named_reference(field, repeat(field, {"organisationName": text("organisation")}, build))


def _collect_operation(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    bag.setdefault("operations", []).append((reading, prop))


_ONLINE: Dict[str, Handler] = {"linkage": text("url"), "protocol": text("protocol")}
_TRANSFER: Dict[str, Handler] = {"onLine": repeat("online", _ONLINE, build_online_resource)}
_CITATION: Dict[str, Handler] = {
    "title": text("title"), "alternateTitle": texts("alternate_titles"), "date": repeat("dates", DATE, build_date),
    "citedResponsibleParty": _organisations("cited"),
}
_KEYWORDS: Dict[str, Handler] = {"keyword": texts("keywords")}
_read_keywords = repeat("keyword_groups", _KEYWORDS, build_keywords)
_IDENTIFICATION: Dict[str, Handler] = {
    "citation": nested(_CITATION), "abstract": text("abstract"), "purpose": text("purpose"),
    "credit": texts("credits"),
    "pointOfContact": _organisations("contacts"), "graphicOverview": repeat("overviews", {"fileName": text("url")},
                                                                            build_overview),
    "descriptiveKeywords": _read_keywords, "keywords": _read_keywords,
    "resourceConstraints": constraint_groups("constraint_groups", CONSTRAINTS),
    "restrictions": constraint_groups("constraint_groups",
                                      CONSTRAINTS), "extent": nested(EXTENT), "serviceType": text("service_type"),
    "accessProperties": nested(ORDER_PROCESS), "containsOperations": _collect_operation,
    **{name: SERVICE[name] for name in ("coupledResource", "operatesOn")},
}
_FORMAT_DISTRIBUTOR: Dict[str, Handler] = {
    "distributionOrderProcess": nested(ORDER_PROCESS), "distributorTransferOptions": nested(_TRANSFER),
}
_FORMAT: Dict[str, Handler] = {"formatDistributor": nested(_FORMAT_DISTRIBUTOR)}
_DISTRIBUTION: Dict[str, Handler] = {
    "distributionFormat": nested(_FORMAT),
    "distributor": nested({**_FORMAT_DISTRIBUTOR, "distributorFormat": nested(_FORMAT)}),
    "transferOptions": nested(_TRANSFER),
}
_METADATA: Dict[str, Handler] = {
    "fileIdentifier": text("id"), "hierarchyLevel": code("hierarchy_level"),
    "contact": _organisations("metadata_contacts"), "dateStamp": text("date_stamp"),
    "identificationInfo": identification_info(_IDENTIFICATION), "distributionInfo": nested(_DISTRIBUTION),
}


def iso19139_row(root: Element) -> IndexRow:
    """Return the index row of an ISO 19139 record element."""
    bag: FieldValues = {}
    _IndexWalker(root).walk(root, _METADATA, bag)
    brief = _IndexedFields(bag)
    terms = _resolve_terms(brief.constraint_groups, brief.fees, brief.credits)
    if terms.credit_required is Decision.NO:
        # any text that describes the record may ask for one all the same
        terms = terms_for(read_record(root))
    return index_row(cast(Record, brief), terms)


def index_rows(data: bytes, name: str = "", capabilities_as_record: bool = False,
               errors: Optional[List[CartoguideError]] = None) -> List[Tuple[IndexRow, bytes]]:
    """Return the index row and the original bytes of each record in ``data``.

    ``name`` is the document's name for error messages. ``errors`` receives the errors of records that could not be read
    while others could. Raises CartoguideError if no record could be read.
    """
    if format_detection.detect_format(data) == DocumentFormat.XML:
        data, _ = set_secrets_apart(data)
        try:
            root = safe_xml.parse(data, name, keep_blank_text=False)
        except CartoguideError:
            root = None  # the full reader reports what is wrong with it
        if root is not None and format_detection.record_format(root) == RecordFormat.ISO19139:
            return [(iso19139_row(root), data)]
    results = list(read_all(data, name, capabilities_as_record=capabilities_as_record))
    records = [result for result in results if isinstance(result, Record)]
    problems = [result for result in results if isinstance(result, CartoguideError)]
    if problems and not records:
        raise problems[0]
    if errors is not None:
        errors += problems
    return [(index_row(record), record.original) for record in records]


def read_index_row(data: bytes, name: str = "", identifier: str = "") -> IndexRow:
    """Return the index row of a record from its original bytes. ``identifier`` chooses among several records.

    Raises NotARecord if there is none, and CartoguideError if the bytes cannot be read.
    """
    if format_detection.detect_format(data) == DocumentFormat.XML:
        rows = [row for row, _ in index_rows(data, name, capabilities_as_record=True)]
    else:
        rows = [index_row(record) for record in read(data, name, capabilities_as_record=True)]
    if not rows:
        raise NotARecord(tr("{name} contains no catalogue record.", name=name))
    return next((row for row in rows if row.identifier == identifier), rows[0])


@lru_cache(maxsize=4096)
def _resolve_terms(constraints: Tuple[ConstraintGroup, ...], fees: Optional[str], credits: Tuple[str, ...]) -> Terms:
    """Return the terms as far as the index needs them: licence and cost depend on these fields alone."""
    flat: Dict[str, Any] = flat_constraints(constraints)
    return terms_for(Record("", constraint_groups=constraints, fees=fees, credits=credits, **flat))

"""Handlers of the elements that both encodings share, by the tables of ISO 19115 B.2, B.3 and ISO 19119."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Dict, Iterable, List, Optional

from ...dates import INDETERMINATE_POSITIONS
from ..model.record import (
    AssociatedResource,
    Conformance,
    ConnectPoint,
    Constraint,
    ConstraintGroup,
    ConstraintKind,
    Contact,
    DistributionFormat,
    Extent,
    KeywordGroup,
    OnlineResource,
    Operation,
    Overview,
    RecordDate,
    TemporalExtent,
)
from ..xml.element_names import ISO_NAMES
from ..xml.element_walker import (
    HREF,
    TITLE,
    Element,
    ElementWalker,
    FieldValues,
    Handler,
    HandlerTable,
    build_one,
    built,
    clean_text,
    code,
    codes,
    html_constraints,
    iso_type,
    nested,
    reference,
    repeat,
    set_once,
    text,
    texts,
)


def build_contact(values: FieldValues) -> Contact:
    """Return the CI_ResponsibleParty with the parts of its address joined in one line."""
    individual = values.get("individual")
    if individual is None:
        individual = " ".join(values[part] for part in ("first_name", "last_name") if part in values) or None
    return Contact(organisation=values.get("organisation"), individual=individual, position=values.get("position"),
                   emails=tuple(values.get("emails", ())), phones=tuple(values.get("phones", ())),
                   address=_joined_address(values), url=values.get("url"), role=values.get("role"))


def _joined_address(values: FieldValues) -> Optional[str]:
    lines: List[str] = list(values.get("delivery", ()))
    street = " ".join(values[part] for part in ("street", "street_number") if part in values)
    town = " ".join(values[part] for part in ("postal_code", "city") if part in values)
    others = (street, values.get("post_box"), town, values.get("area"), values.get("country"))
    lines += [part for part in others if part]
    return ", ".join(lines) or None


def _protocol(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read the protocol as text, and the address of an Anchor that says it as ``protocol_uri``."""
    value, href = walker.text_and_href(prop)
    if value is not None or href is not None:
        set_once(walker, prop, values, "protocol", " ".join((value or href or "").split()))
    if href is not None:
        set_once(walker, prop, values, "protocol_uri", href)


build_date = built(RecordDate, "value")
build_online_resource = built(OnlineResource, "url")
DATE: Dict[str, Handler] = {"date": text("value"), "dateType": code("type")}

ONLINE_RESOURCE: Dict[str, Handler] = {
    "linkage": text("url"),
    "protocol": _protocol,
    "applicationProfile": text("application_profile"),
    "name": text("name"),
    "description": text("description"),
    "function": code("function"),
}

_TELEPHONE: Dict[str, Handler] = {"voice": texts("phones")}

ADDRESS: Dict[str, Handler] = {
    "deliveryPoint": texts("delivery"),
    "city": text("city"),
    "administrativeArea": text("area"),
    "postalCode": text("postal_code"),
    "country": text("country"),
    "electronicMailAddress": texts("emails"),
    "+streetName": text("street"),
    "+streetNumber": text("street_number"),
    "+postBox": text("post_box"),
}

CONTACT_INFO: Dict[str, Handler] = {
    "phone": nested(_TELEPHONE),
    "address": nested(ADDRESS),
    "onlineResource": nested({"linkage": text("url")}),
}

RESPONSIBLE_PARTY: Dict[str, Handler] = {
    "individualName": text("individual"),
    "organisationName": text("organisation"),
    "positionName": text("position"),
    "contactInfo": nested(CONTACT_INFO),
    "role": code("role"),
    "+individualFirstName": text("first_name"),
    "+individualLastName": text("last_name"),
}

#: parts of the citation of a thesaurus or a specification
IDENTIFIER: Dict[str, Handler] = {"code": text("identifier")}
TITLE_ONLY: Dict[str, Handler] = {"title": text("title")}


def contacts(field: str) -> Handler:
    """Return a handler for a property whose objects are responsible parties, or which names one by ``xlink:title``."""
    return or_named_reference(field, repeat(field, RESPONSIBLE_PARTY, build_contact))


def or_named_reference(field: str, handler: Handler) -> Handler:
    """Return a handler that reads an empty property with an ``xlink:title`` as a contact of that name."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        name = clean_text(prop.get(TITLE))
        if name is None or len(prop) or (prop.get(HREF) or "").startswith("#"):
            handler(walker, prop, values)
            return
        address = clean_text(prop.get(HREF))
        values.setdefault(field, []).append(Contact(organisation=name, url=address))
        walker.add_unread_attributes(prop, frozenset((TITLE, HREF)))
    return read


def first_date(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read the date of a cited document. Its type and further dates are unread."""
    for item in walker.objects(prop):
        value = build_one(walker, item, {"date": text("value")}, lambda inner: inner["value"])
        if value is not None:
            set_once(walker, item, values, "date", value)


CITATION: Dict[str, Handler] = {
    "title": text("title"),
    "alternateTitle": texts("alternate_titles"),
    "date": repeat("dates", DATE, build_date),
    "citedResponsibleParty": contacts("cited"),
}


def constraint_text(field: str) -> Handler:
    """Return a handler for a free text that may be an Anchor, which keeps text and address together."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value, href = walker.text_and_href(prop)
        if value is not None or href is not None:
            values.setdefault(field, []).extend(html_constraints(value, href))
    return read


CONSTRAINTS: Dict[str, Handler] = {
    "useLimitation": constraint_text("use_limitations"),
    "accessConstraints": codes("access_constraints"),
    "useConstraints": codes("use_constraints"),
    "otherConstraints": constraint_text("other_constraints"),
    "classification": code("classification"),
    # the Creative Commons profile of the Marine Community Profile
    "+attributionConstraints": constraint_text("use_limitations"),
    "+licenseLink": constraint_text("licence_link"),
    "+licenseName": constraint_text("licence_name"),
    "+otherConstraints": constraint_text("other_constraints"),
}


def _first_text(values: Iterable[Constraint]) -> Optional[str]:
    return next((value.text or value.href for value in values), None)


def build_constraint_group(kind: ConstraintKind, values: FieldValues) -> ConstraintGroup:
    references: List[Constraint] = list(values.get("references", ()))
    name, link = _first_text(values.get("licence_name", ())), _first_text(values.get("licence_link", ()))
    if name or link:
        references.append(Constraint(name, link))
    return ConstraintGroup(
        kind=kind, use_limitations=tuple(values.get("use_limitations", ())),
        access_constraints=tuple(values.get("access_constraints", ())),
        use_constraints=tuple(values.get("use_constraints", ())),
        other_constraints=tuple(values.get("other_constraints", ())), classification=values.get("classification"),
        references=tuple(references))


def constraint_kind(item: Element) -> ConstraintKind:
    """Return the kind of a constraints object.

    An element of a profile counts as the ISO type that its ``isoType`` names.
    """
    name = ISO_NAMES[item.tag]
    if name.startswith("+"):
        name += next((value for key, value in item.items() if key.endswith("isoType")), "")
    if "Legal" in name:
        return ConstraintKind.LEGAL
    return ConstraintKind.SECURITY if "Security" in name else ConstraintKind.GENERIC


def constraint_groups(field: str, table: Dict[str, Handler]) -> Handler:
    """Return a handler for a property that contains constraints of any kind."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            kind = constraint_kind(item)
            group = build_one(walker, item, table,
                              lambda inner, kind=kind: build_constraint_group(kind, inner))  # type: ignore[misc]
            if group is not None:
                values.setdefault(field, []).append(group)
    return read


_build_format = built(DistributionFormat)
FORMAT: Dict[str, Handler] = {"name": text("name"), "version": text("version")}
ORDER_PROCESS: Dict[str, Handler] = {"fees": text("fees")}

_TRANSFER_OPTIONS: Dict[str, Handler] = {
    "unitsOfDistribution": text("units"),
    "onLine": repeat("online", ONLINE_RESOURCE, build_online_resource),
}


def transfer_options(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read MD_DigitalTransferOptions, whose units of distribution label each of its links. Without a link they are
    unread.
    """
    for item in walker.objects(prop):
        inner: FieldValues = {}
        unread_before = len(walker.unread_items)
        walker.walk(item, _TRANSFER_OPTIONS, inner)
        units: Optional[str] = inner.get("units")
        if "online" in inner:
            values.setdefault("online", []).extend(_with_distribution_units(inner["online"], units))
        elif units:
            del walker.unread_items[unread_before:]
            walker.add_unread_element(item)


def _with_distribution_units(links: List[OnlineResource], units: Optional[str]) -> List[OnlineResource]:
    if not units:
        return links
    return [replace(link, distribution_units=units) for link in links]


def formats(table: HandlerTable) -> Handler:
    """Return a handler for formats, each of which may have distributors with links and an order process."""
    with_distributors = {**table, "formatDistributor": nested(FORMAT_DISTRIBUTOR)}

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            inner: FieldValues = {}
            walker.walk(item, with_distributors, inner)
            if "online" in inner:
                values.setdefault("online", []).extend(inner.pop("online"))
            if "fees" in inner:
                set_once(walker, item, values, "fees", inner.pop("fees"))
            if inner:
                values.setdefault("formats", []).append(_build_format(inner))
    return read


#: distributor of one format
FORMAT_DISTRIBUTOR: Dict[str, Handler] = {
    "distributionOrderProcess": nested(ORDER_PROCESS),
    "distributorTransferOptions": transfer_options,
}
_DISTRIBUTOR: Dict[str, Handler] = {**FORMAT_DISTRIBUTOR, "distributorFormat": formats(FORMAT)}

DISTRIBUTION: Dict[str, Handler] = {
    "distributionFormat": formats(FORMAT),
    "distributor": nested(_DISTRIBUTOR),
    "transferOptions": transfer_options,
}


def decimal(field: str) -> Handler:
    """Return a handler for a decimal number. A text that is not a number is unread."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is None:
            return
        number = parse_decimal(value)
        if number is None:
            walker.add_unread(prop, value)
        else:
            set_once(walker, prop, values, field, number)
    return read


def parse_decimal(value: str) -> Optional[float]:
    """Return the finite number in ``value``, which may have a decimal comma, or None if it is not a number."""
    try:
        number = float(value.replace(",", ".") if value.count(",") == 1 and "." not in value else value)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in value else None


_BOUNDING_BOX: Dict[str, Handler] = {
    "westBoundLongitude": decimal("west"),
    "eastBoundLongitude": decimal("east"),
    "southBoundLatitude": decimal("south"),
    "northBoundLatitude": decimal("north"),
}


def _time_position(field: str) -> Handler:
    """Return a handler for a time position, whose text is in the element itself.

    An indeterminate one is kept with its word ("before 2000"), and a word alone as "now" or "unknown" too
    (ISO 19136 14.2.2.7, indeterminatePosition).
    """
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        unread_before = len(walker.unread_items)
        value = walker.text(prop)
        word = (prop.get("indeterminatePosition") or "").strip()
        if word in INDETERMINATE_POSITIONS:
            del walker.unread_items[unread_before:]
            walker.add_unread_attributes(prop, frozenset(("indeterminatePosition",)))
            value = f"{word} {value}" if value and word in ("before", "after") else value or word
        if value is not None:
            set_once(walker, prop, values, field, value)
    return read


_TIME_PRIMITIVE: Dict[str, Handler] = {
    "beginPosition": _time_position("begin"),
    "endPosition": _time_position("end"),
    "begin": nested({"timePosition": _time_position("begin")}),
    "end": nested({"timePosition": _time_position("end")}),
    "timePosition": _time_position("instant"),
}


def _build_temporal_extent(values: FieldValues) -> TemporalExtent:
    instant = values.get("instant")
    return TemporalExtent(values.get("begin", instant), values.get("end", instant))


def _bounding_box(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read a bounding box. Polygons and descriptions have no field."""
    for item in prop:
        if "EX_GeographicBoundingBox" not in (ISO_NAMES[item.tag], iso_type(item)):
            walker.add_unread_element(prop)
            return
    _read_bounding_box(walker, prop, values)


_read_bounding_box = repeat("extents", _BOUNDING_BOX, built(Extent))

TEMPORAL: Dict[str, Handler] = {
    "extent": repeat("temporal_extents", _TIME_PRIMITIVE, _build_temporal_extent),
    "spatialExtent": _bounding_box,
}

EXTENT: Dict[str, Handler] = {"geographicElement": _bounding_box, "temporalElement": nested(TEMPORAL)}


_TRUE = frozenset(("true", "1"))
_FALSE = frozenset(("false", "0"))


def _conformance_pass(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    text_value = walker.text(prop)
    if text_value is None:
        return
    lower = text_value.lower()
    if lower in _TRUE or lower in _FALSE:
        set_once(walker, prop, values, "passed", lower in _TRUE)
    else:
        walker.add_unread(prop, text_value)


_SPECIFICATION: Dict[str, Handler] = {"title": text("title"), "date": first_date, "identifier": nested(IDENTIFIER)}
CONFORMANCE_RESULT: Dict[str, Handler] = {
    "specification": nested(_SPECIFICATION),
    "explanation": text("explanation"),
    "pass": _conformance_pass,
}

_read_result = repeat("conformance", CONFORMANCE_RESULT, built(Conformance))


def _quality_result(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read a conformance result. Quantitative and other results have no field."""
    if any(ISO_NAMES[item.tag] != "DQ_ConformanceResult" for item in prop):
        walker.add_unread_element(prop)
    else:
        _read_result(walker, prop, values)


LINEAGE: Dict[str, Handler] = {"statement": text("lineage")}
REPORT: Dict[str, Handler] = {"result": _quality_result}
QUALITY: Dict[str, Handler] = {"report": nested(REPORT), "lineage": nested(LINEAGE)}


build_keywords, build_overview = built(KeywordGroup, "keywords"), built(Overview, "url")
build_associated = built(AssociatedResource)
KEYWORDS: Dict[str, Handler] = {"keyword": texts("keywords"), "type": code("type"),
                                "thesaurusName": nested({"title": text("thesaurus")})}
BROWSE_GRAPHIC: Dict[str, Handler] = {
    "fileName": text("url"),
    "fileDescription": text("description"),
    "fileType": text("type"),
}
_AGGREGATE_INFORMATION: Dict[str, Handler] = {
    "aggregateDataSetName": nested(TITLE_ONLY),
    "aggregateDataSetIdentifier": nested({"code": text("id")}),
    "associationType": code("type"),
}

def build_operation(values: FieldValues) -> Optional[Operation]:
    """Return the SV_OperationMetadata, whose name may be empty, or None without name and address."""
    if "name" not in values and "connect_points" not in values:
        return None
    return Operation(values.get("name", ""), tuple(values.get("platforms", ())),
                     tuple(values.get("connect_points", ())))


CONNECT_POINT: Dict[str, Handler] = {"linkage": text("url"), "protocol": text("protocol"), "name": text("name")}

OPERATION: Dict[str, Handler] = {
    "operationName": text("name"),
    "DCP": codes("platforms"),
    "distributedComputingPlatform": codes("platforms"),
    "connectPoint": repeat("connect_points", CONNECT_POINT, built(ConnectPoint, "url")),
}


def _coupled_identifier(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read the identifier of a coupled resource, which operatesOn usually repeats."""
    value = walker.text(prop)
    if value is not None:
        set_once(walker, prop, values.setdefault("coupled", {}), value, value)


_COUPLED_RESOURCE: Dict[str, Handler] = {"identifier": _coupled_identifier}

SERVICE: Dict[str, Handler] = {
    "serviceType": text("service_type"),
    "serviceTypeVersion": texts("service_versions"),
    "accessProperties": nested(ORDER_PROCESS),
    "restrictions": constraint_groups("constraint_groups", CONSTRAINTS),
    "couplingType": code("coupling_type"),
    "coupledResource": nested(_COUPLED_RESOURCE),
    "containsOperations": repeat("operations", OPERATION, build_operation),
    "operatesOn": reference("operates_on"),
}

IDENTIFICATION: Dict[str, Handler] = {
    "citation": nested(CITATION),
    "abstract": text("abstract"),
    "purpose": text("purpose"),
    "credit": texts("credits"),
    "status": codes("status"),
    "pointOfContact": contacts("contacts"),
    "graphicOverview": repeat("overviews", BROWSE_GRAPHIC, build_overview),
    "resourceFormat": formats(FORMAT),
    "descriptiveKeywords": repeat("keyword_groups", KEYWORDS, build_keywords),
    "keywords": repeat("keyword_groups", KEYWORDS, build_keywords),
    "resourceConstraints": constraint_groups("constraint_groups", CONSTRAINTS),
    "aggregationInfo": repeat("associated", _AGGREGATE_INFORMATION, build_associated),
    "extent": nested(EXTENT),
    **SERVICE,
}

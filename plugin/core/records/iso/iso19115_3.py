"""Reader of ISO 19115-3 records (mdb 1.0 and 2.0, srv 2.x, with the ISO 19157 quality of either edition)."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, List, Tuple

from ..model.languages import alpha3
from ..model.record import Constraint, Contact, Record, RecordFormat
from ..xml.element_names import ISO_NAMES
from ..xml.element_walker import (
    Element,
    ElementWalker,
    FieldValues,
    Handler,
    code,
    codes,
    nested,
    reference,
    repeat,
    set_once,
    text,
    texts,
)
from ..xml.record_builder import build_record
from .elements import (
    ADDRESS,
    BROWSE_GRAPHIC,
    CONSTRAINTS,
    DATE,
    EXTENT,
    FORMAT_DISTRIBUTOR,
    KEYWORDS,
    LINEAGE,
    OPERATION,
    ORDER_PROCESS,
    QUALITY,
    build_associated,
    build_contact,
    build_date,
    build_keywords,
    build_operation,
    build_overview,
    constraint_groups,
    formats,
    or_named_reference,
    transfer_options,
)
from .iso19139 import identification_info, reference_system


def _telephone(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read a CI_Telephone for voice calls. Fax and SMS numbers have no field."""
    for item in walker.objects(prop):
        kinds = [child for child in item if ISO_NAMES[child.tag] == "numberType"]
        spoken = all(peek_code(kind) in ("", "voice") for kind in kinds)
        if spoken:
            walker.walk(item, _TELEPHONE, values)
        else:
            walker.add_unread_element(item)


def peek_code(prop: Element) -> str:
    """Return the code of a code list property without marking it as read."""
    for child in prop:
        return (child.get("codeListValue") or child.text or "").strip()
    return ""


_TELEPHONE: Dict[str, Handler] = {"number": texts("phones")}

_CONTACT: Dict[str, Handler] = {
    "phone": _telephone,
    "address": nested(ADDRESS),
    "onlineResource": nested({"linkage": text("url")}),
}
_INDIVIDUAL: Dict[str, Handler] = {
    "name": text("individual"),
    "positionName": text("position"),
    "contactInfo": nested(_CONTACT),
}


_ORGANISATION: Dict[str, Handler] = {
    "name": text("organisation"),
    "contactInfo": nested(_CONTACT),
    # each person of an organisation becomes a separate contact
    "individual": repeat("people", _INDIVIDUAL, lambda inner: inner),
    "positionName": text("position"),
}


def _party(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    for item in walker.objects(prop):
        inner: FieldValues = {}
        walker.walk(item, _INDIVIDUAL if "Individual" in ISO_NAMES[item.tag] else _ORGANISATION, inner)
        if inner:
            values.setdefault("parties", []).append(inner)


_RESPONSIBILITY: Dict[str, Handler] = {"role": code("role"), "party": _party}


def responsibilities(field: str) -> Handler:
    """Return a handler for a property whose objects are responsibilities, with one contact for each party and person.
    """
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            inner: FieldValues = {}
            walker.walk(item, _RESPONSIBILITY, inner)
            values.setdefault(field, []).extend(_contacts(inner))
    return or_named_reference(field, read)


def _contacts(values: FieldValues) -> List[Contact]:
    role = values.get("role")
    contacts: List[Contact] = []
    for party in values.get("parties", ()):
        people: List[FieldValues] = party.pop("people", [])
        shared = build_contact(party)
        if not people:
            contacts.append(replace(shared, role=role))
        for number, person in enumerate(people):
            contact = build_contact(person)
            # the first person gets the contact data of the organisation
            contacts.append(Contact(
                organisation=shared.organisation, individual=contact.individual,
                position=contact.position or (shared.position if number == 0 else None),
                emails=contact.emails + (shared.emails if number == 0 else ()),
                phones=contact.phones + (shared.phones if number == 0 else ()),
                address=contact.address or (shared.address if number == 0 else None),
                url=contact.url or (shared.url if number == 0 else None), role=role))
    if not contacts and role:
        contacts.append(Contact(role=role))
    return contacts


#: types of dates that can serve as date stamp, the most relevant first (ISO 19115-1 dateInfo)
_DATE_STAMP_TYPES = ("lastUpdate", "lastRevision", "revision", "publication", "creation")
_LINKAGE: Dict[str, Handler] = {"linkage": text("url")}

_RESOURCE_NAME: Dict[str, Handler] = {
    "title": text("title"),
    "identifier": nested({"code": text("id")}),
    "onlineResource": nested(_LINKAGE),
}


def _linked_title(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    value, href = walker.text_and_href(prop)
    if value is not None:
        set_once(walker, prop, values, "title", value)
    if href is not None:
        set_once(walker, prop, values, "url", href)


_CITED_DOCUMENT: Dict[str, Handler] = {"title": _linked_title, "onlineResource": nested(_LINKAGE)}

_CITATION: Dict[str, Handler] = {
    "title": text("title"),
    "alternateTitle": texts("alternate_titles"),
    "date": repeat("dates", DATE, build_date),
    "citedResponsibleParty": responsibilities("cited"),
}
_FORMAT_CITATION: Dict[str, Handler] = {"title": text("name"), "edition": text("version")}
_FORMAT: Dict[str, Handler] = {
    "formatSpecificationCitation": nested(_FORMAT_CITATION),
    "name": text("name"),
    "version": text("version"),
}
_read_format = formats(_FORMAT)

_DISTRIBUTION: Dict[str, Handler] = {
    "distributionFormat": _read_format,
    "transferOptions": transfer_options,
    "distributor": nested({**FORMAT_DISTRIBUTOR, "distributorFormat": _read_format}),
}


_by_reference = reference("references")
_by_citation = nested(_RESOURCE_NAME)


def _metadata_reference(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read the record of an associated resource: a uuidref, an address, or a citation with an identifier."""
    if len(prop):
        _by_citation(walker, prop, values)
        return
    inner: FieldValues = {}
    _by_reference(walker, prop, inner)
    for value in inner.get("references", ()):
        set_once(walker, prop, values, "url" if "://" in value else "id", value)


_ASSOCIATED: Dict[str, Handler] = {
    "name": nested(_RESOURCE_NAME),
    "associationType": code("type"),
    "metadataReference": _metadata_reference,
}


def _browse_file_name(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read the file name of an image, which may be its address."""
    text("url")(walker, prop, values)
    values.setdefault("named_by", prop)


def _browse_linkage(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read the address of an image, which takes precedence over a mere file name."""
    inner: FieldValues = {}
    nested(_LINKAGE)(walker, prop, inner)
    if "url" not in inner:
        return
    if "named_by" in values and "url" in values and "://" in inner["url"] and "://" not in values["url"]:
        walker.add_unread(values["named_by"], values["url"])
        values["url"] = inner["url"]
    else:
        set_once(walker, prop, values, "url", inner["url"])


_BROWSE: Dict[str, Handler] = {**BROWSE_GRAPHIC, "fileName": _browse_file_name, "linkage": _browse_linkage}
_CONSTRAINTS: Dict[str, Handler] = {
    **CONSTRAINTS,
    # the document that sets the constraint
    "reference": repeat("references", _CITED_DOCUMENT,
                        lambda inner: Constraint(inner.get("title"), inner.get("url"))),
}
_COUPLED_RESOURCE: Dict[str, Handler] = {"resource": reference("operates_on")}
_OPERATED_DATASET: Dict[str, Handler] = {"identifier": nested({"code": texts("operates_on")})}

_IDENTIFICATION: Dict[str, Handler] = {
    "citation": nested(_CITATION),
    "abstract": text("abstract"),
    "purpose": text("purpose"),
    "credit": texts("credits"),
    "status": codes("status"),
    "pointOfContact": responsibilities("contacts"),
    "graphicOverview": repeat("overviews", _BROWSE, build_overview),
    "resourceFormat": _read_format,
    "descriptiveKeywords": repeat("keyword_groups", KEYWORDS, build_keywords),
    "resourceConstraints": constraint_groups("constraint_groups", _CONSTRAINTS),
    "associatedResource": repeat("associated", _ASSOCIATED, build_associated),
    "extent": nested(EXTENT),
    "serviceType": text("service_type"),
    "serviceTypeVersion": texts("service_versions"),
    "accessProperties": nested(ORDER_PROCESS),
    "couplingType": code("coupling_type"),
    "coupledResource": nested(_COUPLED_RESOURCE),
    "containsOperations": repeat("operations", OPERATION, build_operation),
    "operatesOn": reference("operates_on"),
    "operatedDataset": nested(_OPERATED_DATASET),
}


def _collect_date_info(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    values.setdefault("stamps", []).append(prop)


_LOCALE: Dict[str, Handler] = {"language": code("language"), "characterEncoding": code("character_set")}
_SCOPE: Dict[str, Handler] = {"resourceScope": code("hierarchy_level")}
_STANDARD: Dict[str, Handler] = {"title": text("standard_name"), "edition": text("standard_version")}
_PARENT: Dict[str, Handler] = {"identifier": nested({"code": text("parent_id")})}
_read_parent = nested(_PARENT)


def _parent_metadata(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read parentMetadata, which is a citation with an identifier or a reference to the record."""
    if len(prop):
        _read_parent(walker, prop, values)
        return
    inner: FieldValues = {}
    _by_reference(walker, prop, inner)
    for value in inner.get("references", ()):
        set_once(walker, prop, values, "parent_id", value)


METADATA: Dict[str, Handler] = {
    "metadataIdentifier": nested({"code": text("id")}),
    "defaultLocale": nested(_LOCALE),
    "parentMetadata": _parent_metadata,
    "metadataScope": nested(_SCOPE),
    "contact": responsibilities("metadata_contacts"),
    "dateInfo": _collect_date_info,
    "metadataStandard": nested(_STANDARD),
    "referenceSystemInfo": reference_system,
    "identificationInfo": identification_info(_IDENTIFICATION),
    "distributionInfo": nested(_DISTRIBUTION),
    "dataQualityInfo": nested(QUALITY),
    "resourceLineage": nested(LINEAGE),
}


def read_record(root: Element, language: str = "", original: bytes = b"", source: str = "") -> Record:
    """Return the Record of an mdb:MD_Metadata element. Arguments as for ``iso19139.read_record``."""
    walker = ElementWalker(root, alpha3(language))
    values: FieldValues = {}
    walker.walk(root, METADATA, values)
    _set_date_stamp(walker, values)
    return build_record(walker, values, RecordFormat.ISO19115_3.value, original, source)


def _set_date_stamp(walker: ElementWalker, values: FieldValues) -> None:
    """Set the date stamp to the most relevant of the record's dates (``_DATE_STAMP_TYPES``). The others are unread."""
    ranked: List[Tuple[int, Element]] = []
    for prop in values.pop("stamps", []):
        kinds = [peek_code(child) for item in prop for child in item if ISO_NAMES[child.tag] == "dateType"]
        known = bool(kinds) and kinds[0] in _DATE_STAMP_TYPES
        ranked.append((_DATE_STAMP_TYPES.index(kinds[0]) if known else len(_DATE_STAMP_TYPES), prop))
    best = min(ranked, key=lambda pair: pair[0])[1] if ranked else None
    for _, prop in ranked:
        if prop is best:
            nested({"date": text("date_stamp")})(walker, prop, values)
        else:
            walker.add_unread_element(prop)

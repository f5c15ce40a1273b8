"""ISO 19115-3 (mdb 1.0 and 2.0, srv 2.x, with the ISO 19157 quality of either edition) to a Record."""

from __future__ import annotations

from typing import Dict, List, Tuple

from .handlers import code, codes, each, inside, put, reference, text, texts
from .iso19139 import build_record, identification, reference_system
from .iso_citation import DATE, build_date
from .iso_constraints import CONSTRAINTS, groups
from .iso_distribution import ORDER, build_format, transfer
from .iso_extent import EXTENT
from .iso_identification import BROWSE, KEYWORDS, build_associated, build_keywords, build_overview
from .iso_party import code_of, responsibilities
from .iso_quality import LINEAGE, QUALITY
from .iso_service import OPERATION, build_operation
from .model import Constraint, Record
from .names import NAMES
from .quick import new_reading
from .reading import Bag, Element, Handler, Reading

SOURCE_FORMAT = "iso19115-3"
#: the date that says how old the record itself is, the most telling first (ISO 19115-1 dateInfo)
_STAMPS = ("lastUpdate", "lastRevision", "revision", "publication", "creation")
_ONE_ADDRESS: Dict[str, Handler] = {"linkage": text("url")}

_NAME: Dict[str, Handler] = {"title": text("title"), "identifier": inside({"code": text("identifier")}),
                             "onlineResource": inside(_ONE_ADDRESS)}


def _cited_constraint(reading: Reading, prop: Element, bag: Bag) -> None:
    """mco:reference: the document that sets the constraint, by title and address."""
    for item in reading.objects(prop):
        own: Bag = {}
        reading.walk(item, _CITED, own)
        if own:
            bag.setdefault("references", []).append(Constraint(own.get("title"), own.get("url")))


def _linked_title(reading: Reading, prop: Element, bag: Bag) -> None:
    value, href = reading.linked(prop)
    if value is not None:
        put(reading, prop, bag, "title", value)
    if href is not None:
        put(reading, prop, bag, "url", href)


_CITED: Dict[str, Handler] = {"title": _linked_title, "onlineResource": inside(_ONE_ADDRESS)}

_CITATION: Dict[str, Handler] = {
    "title": text("title"), "alternateTitle": texts("alternate_titles"), "date": each("dates", DATE, build_date),
    "citedResponsibleParty": responsibilities("cited"),
}
_FORMAT_CITATION: Dict[str, Handler] = {
    "title": text("name"), "edition": text("version"),
}
_FORMAT: Dict[str, Handler] = {
    "formatSpecificationCitation": inside(_FORMAT_CITATION), "name": text("name"), "version": text("version"),
}
_read_format = each("formats", _FORMAT, build_format)

_DISTRIBUTION: Dict[str, Handler] = {
    "distributionFormat": _read_format, "transferOptions": transfer,
    "distributor": inside({"distributionOrderProcess": inside(ORDER), "distributorTransferOptions": transfer,
                           "distributorFormat": _read_format}),
}


_by_reference = reference("references")
_by_citation = inside(_NAME)


def _metadata_reference(reading: Reading, prop: Element, bag: Bag) -> None:
    """The record of an associated resource: by uuidref or address, or by a citation with its identifier."""
    if len(prop):
        _by_citation(reading, prop, bag)
        return
    own: Bag = {}
    _by_reference(reading, prop, own)
    for value in own.get("references", ()):
        put(reading, prop, bag, "url" if "://" in value else "identifier", value)


_ASSOCIATED: Dict[str, Handler] = {
    "name": inside(_NAME), "associationType": code("association"), "metadataReference": _metadata_reference,
}


def _file_name(reading: Reading, prop: Element, bag: Bag) -> None:
    """A picture's file name, which may be its address."""
    text("url")(reading, prop, bag)
    bag.setdefault("named_by", prop)


def _picture_link(reading: Reading, prop: Element, bag: Bag) -> None:
    """A picture's address, which counts before a mere file name."""
    own: Bag = {}
    inside(_ONE_ADDRESS)(reading, prop, own)
    if "url" not in own:
        return
    if "named_by" in bag and "url" in bag and "://" in own["url"] and "://" not in bag["url"]:
        reading.keep(bag["named_by"], bag["url"])
        bag["url"] = own["url"]
    else:
        put(reading, prop, bag, "url", own["url"])


_BROWSE: Dict[str, Handler] = {**BROWSE, "fileName": _file_name, "linkage": _picture_link}
_CONSTRAINTS: Dict[str, Handler] = {**CONSTRAINTS, "reference": _cited_constraint}
_COUPLED: Dict[str, Handler] = {"resource": reference("operates_on")}
_OPERATED: Dict[str, Handler] = {"identifier": inside({"code": texts("operates_on")})}

_IDENTIFICATION: Dict[str, Handler] = {
    "citation": inside(_CITATION), "abstract": text("abstract"), "purpose": text("purpose"),
    "credit": texts("credits"), "status": codes("status"),
    "pointOfContact": responsibilities("contacts"), "graphicOverview": each("overviews", _BROWSE, build_overview),
    "resourceFormat": _read_format,
    "descriptiveKeywords": each("keyword_groups", KEYWORDS, build_keywords),
    "resourceConstraints": groups("constraint_groups", _CONSTRAINTS),
    "associatedResource": each("associated", _ASSOCIATED, build_associated), "extent": inside(EXTENT),
    "serviceType": text("service_type"), "serviceTypeVersion": texts("service_versions"),
    "accessProperties": inside(ORDER), "couplingType": code("coupling_type"), "coupledResource": inside(_COUPLED),
    "containsOperations": each("operations", OPERATION, build_operation), "operatesOn": reference("operates_on"),
    "operatedDataset": inside(_OPERATED),
}


def _dated(reading: Reading, prop: Element, bag: Bag) -> None:
    bag.setdefault("stamps", []).append(prop)


_LOCALE: Dict[str, Handler] = {"language": code("language"), "characterEncoding": code("character_set")}
_SCOPE: Dict[str, Handler] = {"resourceScope": code("hierarchy_level")}
_STANDARD: Dict[str, Handler] = {"title": text("standard_name"), "edition": text("standard_version")}
_PARENT: Dict[str, Handler] = {"identifier": inside({"code": text("parent_id")})}
_read_parent = inside(_PARENT)


def _parent(reading: Reading, prop: Element, bag: Bag) -> None:
    """parentMetadata: a citation with an identifier, or a reference to the record."""
    if len(prop):
        _read_parent(reading, prop, bag)
        return
    own: Bag = {}
    _by_reference(reading, prop, own)
    for value in own.get("references", ()):
        put(reading, prop, bag, "parent_id", value)


METADATA: Dict[str, Handler] = {
    "metadataIdentifier": inside({"code": text("id")}), "defaultLocale": inside(_LOCALE), "parentMetadata": _parent,
    "metadataScope": inside(_SCOPE), "contact": responsibilities("metadata_contacts"), "dateInfo": _dated,
    "metadataStandard": inside(_STANDARD), "referenceSystemInfo": reference_system,
    "identificationInfo": identification(_IDENTIFICATION), "distributionInfo": inside(_DISTRIBUTION),
    "dataQualityInfo": inside(QUALITY), "resourceLineage": inside(LINEAGE),
}


def read_record(root: Element, language: str = "", original: bytes = b"", source: str = "",
                whole: bool = True) -> Record:
    """The Record that an mdb:MD_Metadata element holds."""
    reading = new_reading(root, language, whole)
    bag: Bag = {}
    reading.walk(root, METADATA, bag)
    _stamp(reading, bag)
    return build_record(reading, bag, SOURCE_FORMAT, original, source)


def _stamp(reading: Reading, bag: Bag) -> None:
    """The record's own date, the most telling of those given; the others are kept as unread."""
    ranked: List[Tuple[int, Element]] = []
    for prop in bag.pop("stamps", []):
        kinds = [code_of(child) for item in prop for child in item if NAMES[child.tag] == "dateType"]
        ranked.append((_STAMPS.index(kinds[0]) if kinds and kinds[0] in _STAMPS else len(_STAMPS), prop))
    best = min(ranked, key=lambda pair: pair[0])[1] if ranked else None
    for _, prop in ranked:
        if prop is best:
            inside({"date": text("date_stamp")})(reading, prop, bag)
        else:
            reading.leave(prop)

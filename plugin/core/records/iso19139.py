"""ISO 19139: MD_Metadata and its profiles (gmd, gmi, srv, gmx) to a Record."""

from __future__ import annotations

from typing import Any, Dict

from .handlers import code, inside, text
from .iso_citation import contacts
from .iso_constraints import flatten
from .iso_distribution import DISTRIBUTION
from .iso_identification import IDENTIFICATION
from .iso_lean import LEAN_IDENTIFICATION, metadata_table
from .iso_quality import QUALITY
from .model import Record
from .names import NAMES
from .quick import new_reading
from .reading import Bag, Element, Handler, Reading, Table
from .starter import MARK

SOURCE_FORMAT = "iso19139"
_SERVICE_LEVELS = frozenset(("service", "services"))
#: as FGDC calls the forms of data ("vector digital data"), from which catalogues make Dublin Core's type
_FORMS_OF_DATA = "digital data"
_DATASET_LEVELS = frozenset(("dataset", "nongeographicdataset", "tile"))


def identification(table: Table) -> Handler:
    """Service or data: the first one names the record's kind where its level does not."""
    identified = inside(table)

    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        for item in prop:
            bag.setdefault("identified", NAMES[item.tag] + _stands_for(item))
        identified(reading, prop, bag)
    return read


def _stands_for(item: Element) -> str:
    return next((value for name, value in item.items() if name.endswith("isoType")), "")


def build_reference_system(bag: Bag) -> str:
    """The identifier of a reference system; a bare number under EPSG's name is written as EPSG writes it."""
    value: str = bag["code"]
    if value.isdigit() and bag.get("space", "").upper() in ("EPSG", "OGP"):
        return f"EPSG:{value}"
    return value


def reference_system(reading: Reading, prop: Element, bag: Bag) -> None:
    """referenceSystemInfo: the code, with its code space where that makes it whole."""
    for item in reading.objects(prop):
        own: Bag = {}
        mark = len(reading.left)
        reading.walk(item, _SYSTEM, own)
        value = build_reference_system(own) if "code" in own else None
        if value is None:
            if own:
                del reading.left[mark:]
                reading.leave(item)
            continue
        if "space" in own and value == own["code"]:
            reading.keep(item, own["space"])
        bag.setdefault("reference_systems", []).append(value)


_IDENTIFIER: Dict[str, Handler] = {"code": text("code"), "codeSpace": text("space")}
_SYSTEM: Dict[str, Handler] = {"referenceSystemIdentifier": inside(_IDENTIFIER)}

METADATA: Dict[str, Handler] = {
    "fileIdentifier": text("id"), "language": code("language"), "characterSet": code("character_set"),
    "parentIdentifier": text("parent_id"), "hierarchyLevel": code("hierarchy_level"),
    "contact": contacts("metadata_contacts"), "dateStamp": text("date_stamp"),
    "metadataStandardName": text("standard_name"), "metadataStandardVersion": text("standard_version"),
    "referenceSystemInfo": reference_system, "identificationInfo": identification(IDENTIFICATION),
    "distributionInfo": inside(DISTRIBUTION), "dataQualityInfo": inside(QUALITY),
}

_LEAN = metadata_table(identification(LEAN_IDENTIFICATION))

#: the bag's fields that are the Record's as they stand, one value or a list of values
_SINGLE = ("id", "parent_id", "language", "character_set", "hierarchy_level", "date_stamp", "standard_name",
           "standard_version", "title", "abstract", "purpose", "service_type", "fees", "coupling_type", "lineage")
_LISTS = ("metadata_contacts", "alternate_titles", "credits", "dates", "status", "keyword_groups", "constraint_groups",
          "service_versions", "operations", "extents", "temporal_extents", "reference_systems", "formats", "online",
          "conformance", "overviews", "associated")


def read_record(root: Element, language: str = "", original: bytes = b"", source: str = "",
                whole: bool = True) -> Record:
    """The Record that an MD_Metadata element (or a profile's in its place) holds; not whole, what an index needs."""
    reading = new_reading(root, language, whole)
    bag: Bag = {}
    reading.walk(root, METADATA if whole else _LEAN, bag)
    return build_record(reading, bag, SOURCE_FORMAT, original, source)


def build_record(reading: Reading, bag: Bag, source_format: str, original: bytes, source: str = "") -> Record:
    """A Record from everything that the walk gathered."""
    values: Dict[str, Any] = {field: bag[field] for field in _SINGLE if field in bag}
    for field in _LISTS:
        if field in bag:
            values[field] = tuple(bag[field])
    values["contacts"] = tuple(bag.get("contacts", ())) + tuple(bag.get("cited", ()))
    values["keywords"] = flat_keywords(values.get("keyword_groups", ()))
    values.update(flatten(values.get("constraint_groups", ())))
    values["operates_on"] = tuple({**dict.fromkeys(bag.get("operates_on", ())), **bag.get("coupled", {})})
    values["kind"] = kind_of(bag.get("hierarchy_level"), bag.get("identified", ""))
    return Record(source_format=source_format, unread=reading.unread(), original=original, source=source, **values)


def flat_keywords(groups: Any) -> tuple[str, ...]:
    """Every keyword of the groups once, in their order; the mark of a starter record is not one for people."""
    flat: Dict[str, None] = {}
    for group in groups:
        flat.update(dict.fromkeys(group.keywords))
    flat.pop(MARK, None)
    return tuple(flat)


def kind_of(level: Any, identified: str = "") -> str:
    """ "service", "dataset", "series" or "other": by the hierarchy level, else by the type of the identification."""
    word = (level or "").strip().lower()
    if word in _SERVICE_LEVELS:
        return "service"
    if word == "series":
        return "series"
    if word in _DATASET_LEVELS or word.endswith(_FORMS_OF_DATA):
        return "dataset"
    if "Service" in identified:
        return "service"
    if not word and "Data" in identified:
        return "dataset"  # ISO 19115 B.2.1: hierarchyLevel is dataset unless told
    return "other"

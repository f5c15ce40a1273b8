"""ISO 19139: MD_Metadata and its profiles (gmd, gmi, srv, gmx) to a Record."""

from __future__ import annotations

from typing import Any, Dict

from ..model.record import STARTER_KEYWORD, Record
from ..xml.element_names import ISO_NAMES
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler, HandlerTable
from ..xml.fast_walker import make_walker
from ..xml.field_handlers import code, nested, text
from .citation import contacts
from .constraints import flat_constraints
from .distribution import DISTRIBUTION
from .identification import IDENTIFICATION
from .index_tables import INDEX_IDENTIFICATION, index_metadata_table
from .quality import QUALITY

SOURCE_FORMAT = "iso19139"
_SERVICE_LEVELS = frozenset(("service", "services"))
#: as FGDC calls the forms of data ("vector digital data"), from which catalogues make Dublin Core's type
_FGDC_DATA_FORM = "digital data"
_DATASET_LEVELS = frozenset(("dataset", "nongeographicdataset", "tile"))


def identification_info(table: HandlerTable) -> Handler:
    """Service or data: the first one names the record's kind where its level does not."""
    identified = nested(table)

    def read(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
        for item in prop:
            bag.setdefault("identified", ISO_NAMES[item.tag] + _iso_type(item))
        identified(reading, prop, bag)
    return read


def _iso_type(item: Element) -> str:
    return next((value for name, value in item.items() if name.endswith("isoType")), "")


def build_reference_system(bag: FieldValues) -> str:
    """The identifier of a reference system; a bare number under EPSG's name is written as EPSG writes it."""
    value: str = bag["code"]
    if value.isdigit() and bag.get("space", "").upper() in ("EPSG", "OGP"):
        return f"EPSG:{value}"
    return value


def reference_system(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    """referenceSystemInfo: the code, with its code space where that makes it whole."""
    for item in reading.objects(prop):
        own: FieldValues = {}
        mark = len(reading.unread_items)
        reading.walk(item, _REFERENCE_SYSTEM, own)
        value = build_reference_system(own) if "code" in own else None
        if value is None:
            if own:
                del reading.unread_items[mark:]
                reading.add_unread_element(item)
            continue
        if "space" in own and value == own["code"]:
            reading.add_unread(item, own["space"])
        bag.setdefault("reference_systems", []).append(value)


_IDENTIFIER: Dict[str, Handler] = {"code": text("code"), "codeSpace": text("space")}
_REFERENCE_SYSTEM: Dict[str, Handler] = {"referenceSystemIdentifier": nested(_IDENTIFIER)}

METADATA: Dict[str, Handler] = {
    "fileIdentifier": text("id"), "language": code("language"), "characterSet": code("character_set"),
    "parentIdentifier": text("parent_id"), "hierarchyLevel": code("hierarchy_level"),
    "contact": contacts("metadata_contacts"), "dateStamp": text("date_stamp"),
    "metadataStandardName": text("standard_name"), "metadataStandardVersion": text("standard_version"),
    "referenceSystemInfo": reference_system, "identificationInfo": identification_info(IDENTIFICATION),
    "distributionInfo": nested(DISTRIBUTION), "dataQualityInfo": nested(QUALITY),
}

_INDEX_METADATA = index_metadata_table(identification_info(INDEX_IDENTIFICATION))

#: the bag's fields that are the Record's as they stand, one value or a list of values
_SINGLE_FIELDS = ("id", "parent_id", "language", "character_set", "hierarchy_level", "date_stamp", "standard_name",
                  "standard_version", "title", "abstract", "purpose", "service_type", "fees", "coupling_type",
                  "lineage")
_LIST_FIELDS = ("metadata_contacts", "alternate_titles", "credits", "dates", "status", "keyword_groups",
                "constraint_groups", "service_versions", "operations", "extents", "temporal_extents",
                "reference_systems", "formats", "online", "conformance", "overviews", "associated")


def read_record(root: Element, language: str = "", original: bytes = b"", source: str = "",
                all_fields: bool = True) -> Record:
    """The Record that an MD_Metadata element (or a profile's in its place) holds; not whole, what an index needs."""
    reading = make_walker(root, language, all_fields)
    bag: FieldValues = {}
    reading.walk(root, METADATA if all_fields else _INDEX_METADATA, bag)
    return build_record(reading, bag, SOURCE_FORMAT, original, source)


def build_record(reading: ElementWalker, bag: FieldValues, source_format: str, original: bytes,
                 source: str = "") -> Record:
    """A Record from everything that the walk gathered."""
    values: Dict[str, Any] = {field: bag[field] for field in _SINGLE_FIELDS if field in bag}
    for field in _LIST_FIELDS:
        if field in bag:
            values[field] = tuple(bag[field])
    values["contacts"] = tuple(bag.get("contacts", ())) + tuple(bag.get("cited", ()))
    values["keywords"] = flat_keywords(values.get("keyword_groups", ()))
    values.update(flat_constraints(values.get("constraint_groups", ())))
    values["operates_on"] = tuple({**dict.fromkeys(bag.get("operates_on", ())), **bag.get("coupled", {})})
    values["kind"] = resource_kind(bag.get("hierarchy_level"), bag.get("identified", ""))
    return Record(source_format=source_format, unread=reading.unread_values(), original=original, source=source,
                  **values)


def flat_keywords(groups: Any) -> tuple[str, ...]:
    """Every keyword of the groups once, in their order; the mark of a starter record is not one for people."""
    flat: Dict[str, None] = {}
    for group in groups:
        flat.update(dict.fromkeys(group.keywords))
    flat.pop(STARTER_KEYWORD, None)
    return tuple(flat)


def resource_kind(level: Any, identified: str = "") -> str:
    """ "service", "dataset", "series" or "other": by the hierarchy level, else by the type of the identification."""
    word = (level or "").strip().lower()
    if word in _SERVICE_LEVELS:
        return "service"
    if word == "series":
        return "series"
    if word in _DATASET_LEVELS or word.endswith(_FGDC_DATA_FORM):
        return "dataset"
    if "Service" in identified:
        return "service"
    if not word and "Data" in identified:
        return "dataset"  # ISO 19115 B.2.1: hierarchyLevel is dataset unless told
    return "other"

"""Reader of ISO 19139 records: MD_Metadata and its profiles (gmd, gmi, srv, gmx)."""

from __future__ import annotations

from typing import Dict

from ..model.languages import alpha3
from ..model.record import Record, RecordFormat
from ..xml.element_names import ISO_NAMES
from ..xml.element_walker import (
    Element,
    ElementWalker,
    FieldValues,
    Handler,
    HandlerTable,
    code,
    iso_type,
    nested,
    text,
)
from ..xml.record_builder import build_record
from .elements import DISTRIBUTION, IDENTIFICATION, QUALITY, contacts


def identification_info(table: HandlerTable) -> Handler:
    """Return a handler for identificationInfo by ``table``. The first object's type is stored as ``identified``."""
    identified = nested(table)

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in prop:
            values.setdefault("identified", ISO_NAMES[item.tag] + iso_type(item))
        identified(walker, prop, values)
    return read


def build_reference_system(values: FieldValues) -> str:
    """Return the identifier of a reference system, with a bare number in the EPSG code space written as
    ``EPSG:number``.
    """
    value: str = values["code"]
    if value.isdigit() and values.get("space", "").upper() in ("EPSG", "OGP"):
        return f"EPSG:{value}"
    return value


def reference_system(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read referenceSystemInfo: the code, completed by its code space if necessary."""
    for item in walker.objects(prop):
        inner: FieldValues = {}
        unread_before = len(walker.unread_items)
        walker.walk(item, _REFERENCE_SYSTEM, inner)
        value = build_reference_system(inner) if "code" in inner else None
        if value is None:
            if inner:
                del walker.unread_items[unread_before:]
                walker.add_unread_element(item)
            continue
        if "space" in inner and value == inner["code"]:
            walker.add_unread(item, inner["space"])
        values.setdefault("reference_systems", []).append(value)


_IDENTIFIER: Dict[str, Handler] = {"code": text("code"), "codeSpace": text("space")}
_REFERENCE_SYSTEM: Dict[str, Handler] = {"referenceSystemIdentifier": nested(_IDENTIFIER)}

METADATA: Dict[str, Handler] = {
    "fileIdentifier": text("id"),
    "language": code("language"),
    "characterSet": code("character_set"),
    "parentIdentifier": text("parent_id"),
    "hierarchyLevel": code("hierarchy_level"),
    "contact": contacts("metadata_contacts"),
    "dateStamp": text("date_stamp"),
    "metadataStandardName": text("standard_name"),
    "metadataStandardVersion": text("standard_version"),
    "referenceSystemInfo": reference_system,
    "identificationInfo": identification_info(IDENTIFICATION),
    "distributionInfo": nested(DISTRIBUTION),
    "dataQualityInfo": nested(QUALITY),
}


def read_record(root: Element, language: str = "", original: bytes = b"", source: str = "") -> Record:
    """Return the Record of an MD_Metadata element, or of a profile's element derived from it.

    ``language`` is the preferred language of localised texts (ISO 639), ``original`` the bytes of the record,
    ``source`` its file or address.
    """
    walker = ElementWalker(root, alpha3(language))
    values: FieldValues = {}
    walker.walk(root, METADATA, values)
    return build_record(walker, values, RecordFormat.ISO19139.value, original, source)

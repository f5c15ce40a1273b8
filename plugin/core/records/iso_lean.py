"""The tables of ISO 19139 for those who only index: what a search, a list and the terms need, the rest passed over.

The handlers are the whole tables' own, so a value that is read here is the value that is read there.
"""

from __future__ import annotations

from typing import Dict, Iterable

from .handlers import code, each, inside, text
from .iso_citation import CITATION, PARTY, build_contact
from .iso_distribution import ORDER, transfer
from .iso_identification import IDENTIFICATION, KEYWORDS, build_keywords
from .iso_service import POINT, build_operation, build_point
from .reading import Handler, Table

#: the Record's fields that these tables leave empty; contacts have only names and role, operations no platforms,
#: keyword groups no thesaurus
PASSED_OVER = (
    "character_set", "parent_id", "standard_name", "standard_version", "status", "coupling_type", "operates_on",
    "reference_systems", "formats", "conformance", "lineage", "associated", "unread")


_PARTY_NAMES = (
    "individualName", "organisationName", "positionName", "role", "+individualFirstName", "+individualLastName")


def _only(table: Table, names: Iterable[str]) -> Dict[str, Handler]:
    return {name: table[name] for name in names}


def _contacts(field: str) -> Handler:
    return each(field, _only(PARTY, _PARTY_NAMES), build_contact)


_CITATION: Dict[str, Handler] = {**CITATION, "citedResponsibleParty": _contacts("cited")}
_OPERATION: Dict[str, Handler] = {
    "operationName": text("name"), "connectPoint": each("connect_points", POINT, build_point),
}
LEAN_IDENTIFICATION: Dict[str, Handler] = {
    **_only(IDENTIFICATION, (
        "abstract", "purpose", "credit", "graphicOverview", "resourceConstraints", "extent", "serviceType",
        "serviceTypeVersion", "accessProperties", "restrictions")),
    "citation": inside(_CITATION), "pointOfContact": _contacts("contacts"),
    "descriptiveKeywords": each("keyword_groups", _only(KEYWORDS, ("keyword", "type")), build_keywords),
    "keywords": each("keyword_groups", _only(KEYWORDS, ("keyword", "type")), build_keywords),
    "containsOperations": each("operations", _OPERATION, build_operation),
}
_DISTRIBUTION: Dict[str, Handler] = {
    "transferOptions": transfer,
    "distributor": inside({"distributionOrderProcess": inside(ORDER), "distributorTransferOptions": transfer}),
}


def metadata_table(identification: Handler) -> Dict[str, Handler]:
    """The table of MD_Metadata, given what reads an identification by the lean table."""
    return {
        "fileIdentifier": text("id"), "language": code("language"), "hierarchyLevel": code("hierarchy_level"),
        "contact": _contacts("metadata_contacts"), "dateStamp": text("date_stamp"),
        "identificationInfo": identification, "distributionInfo": inside(_DISTRIBUTION),
    }


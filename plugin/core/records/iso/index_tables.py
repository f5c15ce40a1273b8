"""Tables of ISO 19139 for indexing: the fields that a search, a list and the terms need.

The handlers are those of the complete tables, so that a field has the same value in both.
"""

from __future__ import annotations

from typing import Dict, Iterable

from ..xml.element_walker import Handler, HandlerTable, code, nested, repeat, text
from .citation import CITATION, RESPONSIBLE_PARTY, build_contact, or_named_reference
from .distribution import FORMAT_DISTRIBUTOR, transfer_options
from .identification import IDENTIFICATION, KEYWORDS, build_keywords
from .service import CONNECT_POINT, build_connect_point, build_operation

#: fields of the Record that these tables leave empty. Contacts have only names and role, operations no platforms,
#: keyword groups no thesaurus.
OMITTED_FIELDS = ("character_set", "parent_id", "standard_name", "standard_version", "status", "coupling_type",
                  "operates_on", "reference_systems", "formats", "conformance", "lineage", "associated", "unread")


_PARTY_NAMES = (
    "individualName", "organisationName", "positionName", "role", "+individualFirstName", "+individualLastName")


def _subset(table: HandlerTable, names: Iterable[str]) -> Dict[str, Handler]:
    return {name: table[name] for name in names}


def _contacts(field: str) -> Handler:
    return or_named_reference(field, repeat(field, _subset(RESPONSIBLE_PARTY, _PARTY_NAMES), build_contact))


_CITATION: Dict[str, Handler] = {**CITATION, "citedResponsibleParty": _contacts("cited")}
_OPERATION: Dict[str, Handler] = {
    "operationName": text("name"),
    "connectPoint": repeat("connect_points", CONNECT_POINT, build_connect_point),
}
INDEX_IDENTIFICATION: Dict[str, Handler] = {
    **_subset(IDENTIFICATION, ("abstract", "purpose", "credit", "graphicOverview", "resourceConstraints", "extent",
                               "serviceType", "serviceTypeVersion", "accessProperties", "restrictions")),
    "citation": nested(_CITATION),
    "pointOfContact": _contacts("contacts"),
    "descriptiveKeywords": repeat("keyword_groups", _subset(KEYWORDS, ("keyword", "type")), build_keywords),
    "keywords": repeat("keyword_groups", _subset(KEYWORDS, ("keyword", "type")), build_keywords),
    "containsOperations": repeat("operations", _OPERATION, build_operation),
}
_FORMAT: Dict[str, Handler] = {"formatDistributor": nested(FORMAT_DISTRIBUTOR)}
_DISTRIBUTION: Dict[str, Handler] = {
    "distributionFormat": nested(_FORMAT),
    "transferOptions": transfer_options,
    "distributor": nested({**FORMAT_DISTRIBUTOR, "distributorFormat": nested(_FORMAT)}),
}


def index_metadata_table(identification: Handler) -> Dict[str, Handler]:
    """Return the table of MD_Metadata for indexing, with ``identification`` as the handler of identificationInfo."""
    return {
        "fileIdentifier": text("id"), "language": code("language"), "hierarchyLevel": code("hierarchy_level"),
        "contact": _contacts("metadata_contacts"), "dateStamp": text("date_stamp"),
        "identificationInfo": identification, "distributionInfo": nested(_DISTRIBUTION),
    }

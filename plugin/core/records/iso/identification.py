"""Identification of data and services (ISO 19115 B.2.2, ISO 19119 SV_ServiceIdentification)."""

from __future__ import annotations

from typing import Dict, Optional

from ..model.record import AssociatedResource, KeywordGroup, Overview
from ..xml.element_walker import FieldValues, Handler, code, codes, nested, repeat, text, texts
from .citation import CITATION, TITLE_ONLY, contacts
from .constraints import CONSTRAINTS, constraint_groups
from .distribution import FORMAT, formats
from .extent import EXTENT
from .service import SERVICE


def build_keywords(values: FieldValues) -> Optional[KeywordGroup]:
    """Return the MD_Keywords, or None without a keyword."""
    if "keywords" not in values:
        return None
    return KeywordGroup(tuple(values["keywords"]), values.get("type"), values.get("title"))


def build_overview(values: FieldValues) -> Optional[Overview]:
    """Return the MD_BrowseGraphic, or None without an address."""
    if "url" not in values:
        return None
    return Overview(values["url"], values.get("description"), values.get("type"))


def build_associated(values: FieldValues) -> Optional[AssociatedResource]:
    """Return the MD_AggregateInformation or MD_AssociatedResource."""
    return AssociatedResource(values.get("identifier"), values.get("title"), values.get("association"),
                              values.get("url"))


KEYWORDS: Dict[str, Handler] = {"keyword": texts("keywords"), "type": code("type"), "thesaurusName": nested(TITLE_ONLY)}
BROWSE_GRAPHIC: Dict[str, Handler] = {
    "fileName": text("url"),
    "fileDescription": text("description"),
    "fileType": text("type"),
}
_AGGREGATE_INFORMATION: Dict[str, Handler] = {
    "aggregateDataSetName": nested(TITLE_ONLY),
    "aggregateDataSetIdentifier": nested({"code": text("identifier")}),
    "associationType": code("association"),
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

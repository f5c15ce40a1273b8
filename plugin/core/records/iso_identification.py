"""Identification of data and services (ISO 19115 B.2.2, ISO 19119 SV_ServiceIdentification)."""

from __future__ import annotations

from typing import Dict, Optional

from .handlers import code, codes, each, inside, text, texts
from .iso_citation import CITATION, TITLE_ONLY, contacts
from .iso_constraints import CONSTRAINTS, groups
from .iso_distribution import FORMAT, build_format
from .iso_extent import EXTENT
from .iso_service import SERVICE
from .model import Associated, KeywordGroup, Overview
from .reading import Bag, Handler


def build_keywords(bag: Bag) -> Optional[KeywordGroup]:
    """MD_Keywords, or None without a keyword."""
    if "keywords" not in bag:
        return None
    return KeywordGroup(tuple(bag["keywords"]), bag.get("type"), bag.get("title"))


def build_overview(bag: Bag) -> Optional[Overview]:
    """MD_BrowseGraphic, or None without an address."""
    if "url" not in bag:
        return None
    return Overview(bag["url"], bag.get("description"), bag.get("type"))


def build_associated(bag: Bag) -> Optional[Associated]:
    """MD_AggregateInformation or MD_AssociatedResource."""
    return Associated(bag.get("identifier"), bag.get("title"), bag.get("association"), bag.get("url"))


KEYWORDS: Dict[str, Handler] = {
    "keyword": texts("keywords"), "type": code("type"), "thesaurusName": inside(TITLE_ONLY),
}
BROWSE: Dict[str, Handler] = {
    "fileName": text("url"), "fileDescription": text("description"), "fileType": text("type"),
}
_AGGREGATE: Dict[str, Handler] = {
    "aggregateDataSetName": inside(TITLE_ONLY), "aggregateDataSetIdentifier": inside({"code": text("identifier")}),
    "associationType": code("association"),
}

IDENTIFICATION: Dict[str, Handler] = {
    "citation": inside(CITATION), "abstract": text("abstract"), "purpose": text("purpose"),
    "credit": texts("credits"), "status": codes("status"),
    "pointOfContact": contacts("contacts"), "graphicOverview": each("overviews", BROWSE, build_overview),
    "resourceFormat": each("formats", FORMAT, build_format),
    "descriptiveKeywords": each("keyword_groups", KEYWORDS, build_keywords),
    "keywords": each("keyword_groups", KEYWORDS, build_keywords),
    "resourceConstraints": groups("constraint_groups", CONSTRAINTS),
    "aggregationInfo": each("associated", _AGGREGATE, build_associated),
    "extent": inside(EXTENT),
    **SERVICE,
}

"""Identification of data and services (ISO 19115 B.2.2, ISO 19119 SV_ServiceIdentification)."""

from __future__ import annotations

from typing import Dict, Optional

from ..model.record import AssociatedResource, ConnectPoint, KeywordGroup, Operation, Overview
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
from .citation import CITATION, TITLE_ONLY, contacts
from .constraints import CONSTRAINTS, constraint_groups
from .distribution import FORMAT, ORDER_PROCESS, formats
from .extent import EXTENT


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

def build_connect_point(values: FieldValues) -> Optional[ConnectPoint]:
    """Return the connect point, or None without an address."""
    return ConnectPoint(values["url"], values.get("protocol"), values.get("name")) if "url" in values else None


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
    "connectPoint": repeat("connect_points", CONNECT_POINT, build_connect_point),
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

"""Identification of data and services (ISO 19115 B.2.2, ISO 19119 SV_ServiceIdentification)."""

from __future__ import annotations

from typing import Dict, Optional

from ..model.record import AssociatedResource, ConnectPoint, KeywordGroup, Operation, Overview
from ..xml.element_walker import (
    Element,
    ElementWalker,
    FieldValues,
    Handler,
    built,
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

build_keywords, build_overview = built(KeywordGroup, "keywords"), built(Overview, "url")
build_associated = built(AssociatedResource)
KEYWORDS: Dict[str, Handler] = {"keyword": texts("keywords"), "type": code("type"),
                                "thesaurusName": nested({"title": text("thesaurus")})}
BROWSE_GRAPHIC: Dict[str, Handler] = {
    "fileName": text("url"),
    "fileDescription": text("description"),
    "fileType": text("type"),
}
_AGGREGATE_INFORMATION: Dict[str, Handler] = {
    "aggregateDataSetName": nested(TITLE_ONLY),
    "aggregateDataSetIdentifier": nested({"code": text("id")}),
    "associationType": code("type"),
}

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
    "connectPoint": repeat("connect_points", CONNECT_POINT, built(ConnectPoint, "url")),
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

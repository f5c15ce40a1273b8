"""Additions of ISO 19119 to an identification: service type, operations, coupled data."""

from __future__ import annotations

from typing import Dict, Optional

from ..model.record import ConnectPoint, Operation
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
from .constraints import CONSTRAINTS, constraint_groups
from .distribution import ORDER_PROCESS


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

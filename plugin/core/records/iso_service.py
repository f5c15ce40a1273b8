"""What ISO 19119 adds to an identification: service type, operations, coupled data."""

from __future__ import annotations

from typing import Dict, Optional

from .handlers import code, codes, each, inside, put, reference, text, texts
from .iso_constraints import CONSTRAINTS, groups
from .iso_distribution import ORDER
from .model import ConnectPoint, Operation
from .reading import Bag, Element, Handler, Reading


def build_point(bag: Bag) -> Optional[ConnectPoint]:
    """A connect point, or None without an address."""
    return ConnectPoint(bag["url"], bag.get("protocol"), bag.get("name")) if "url" in bag else None


def build_operation(bag: Bag) -> Optional[Operation]:
    """SV_OperationMetadata; one without a name keeps an empty one."""
    if "name" not in bag and "connect_points" not in bag:
        return None
    return Operation(bag.get("name", ""), tuple(bag.get("platforms", ())), tuple(bag.get("connect_points", ())))


POINT: Dict[str, Handler] = {"linkage": text("url"), "protocol": text("protocol"), "name": text("name")}

OPERATION: Dict[str, Handler] = {
    "operationName": text("name"), "DCP": codes("platforms"), "distributedComputingPlatform": codes("platforms"),
    "connectPoint": each("connect_points", POINT, build_point),
}


def _coupled_identifier(reading: Reading, prop: Element, bag: Bag) -> None:
    """The identifier of a coupled resource, which operatesOn usually names too."""
    value = reading.text(prop)
    if value is not None:
        put(reading, prop, bag.setdefault("coupled", {}), value, value)


_COUPLED: Dict[str, Handler] = {"identifier": _coupled_identifier}

SERVICE: Dict[str, Handler] = {
    "serviceType": text("service_type"), "serviceTypeVersion": texts("service_versions"),
    "accessProperties": inside(ORDER), "restrictions": groups("constraint_groups", CONSTRAINTS),
    "couplingType": code("coupling_type"), "coupledResource": inside(_COUPLED),
    "containsOperations": each("operations", OPERATION, build_operation), "operatesOn": reference("operates_on"),
}

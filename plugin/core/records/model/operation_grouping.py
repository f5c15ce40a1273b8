"""Operations grouped by name, with repeated addresses counted once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Tuple

from .record import ConnectPoint, Record


@dataclass(frozen=True)
class OperationAddress:
    """Address of an operation, the number of entries with it, their protocols (often output formats) and names."""

    url: str
    count: int
    protocols: Tuple[str, ...]
    names: Tuple[str, ...] = ()


@dataclass(frozen=True)
class GroupedOperation:
    """Operation with its name as written, and its platforms and addresses without repeats."""

    name: str
    platforms: Tuple[str, ...]
    addresses: Tuple[OperationAddress, ...]


def group_operations(record: Record) -> List[GroupedOperation]:
    """Return the record's operations in their order, with those of the same name merged."""
    platforms: Dict[str, Dict[str, None]] = {}
    points: Dict[str, Dict[str, List[ConnectPoint]]] = {}
    for operation in record.operations:
        platforms.setdefault(operation.name, {}).update(dict.fromkeys(operation.platforms))
        addresses = points.setdefault(operation.name, {})
        for point in operation.connect_points:
            addresses.setdefault(point.url, []).append(point)
    return [
        GroupedOperation(name, tuple(platforms[name]), tuple(_address(url, same) for url, same in addresses.items()))
        for name, addresses in points.items()]


def _address(url: str, points: List[ConnectPoint]) -> OperationAddress:
    protocols = dict.fromkeys(point.protocol for point in points if point.protocol)
    names = dict.fromkeys(point.name for point in points if point.name)
    return OperationAddress(url, len(points), tuple(protocols), tuple(names))

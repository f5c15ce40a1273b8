"""Operations as people want to see them: entries that repeat one address are one, with their count and formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Tuple

from .record import ConnectPoint, Record


@dataclass(frozen=True)
class OperationAddress:
    """One address of an operation: how many entries name it, and the protocols (often output formats) they give it."""

    url: str
    count: int
    protocols: Tuple[str, ...]


@dataclass(frozen=True)
class GroupedOperation:
    """One operation: name as written, platforms and addresses without repeats."""

    name: str
    platforms: Tuple[str, ...]
    addresses: Tuple[OperationAddress, ...]


def group_operations(record: Record) -> List[GroupedOperation]:
    """The record's operations in their order; those of one name are one."""
    platforms: Dict[str, Dict[str, None]] = {}
    points: Dict[str, Dict[str, List[ConnectPoint]]] = {}
    for operation in record.operations:
        platforms.setdefault(operation.name, {}).update(dict.fromkeys(operation.platforms))
        addresses = points.setdefault(operation.name, {})
        for point in operation.connect_points:
            addresses.setdefault(point.url, []).append(point)
    return [
        GroupedOperation(
            name, tuple(platforms[name]),
            tuple(
                OperationAddress(url, len(same), tuple(dict.fromkeys(point.protocol for point in same
                                                                     if point.protocol)))
                for url, same in addresses.items())) for name, addresses in points.items()
    ]

"""Operations grouped by name, with repeated addresses counted once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Tuple

from .record import ConnectPoint, Record


@dataclass(frozen=True)
class OperationAddress:
    """Address of an operation, the number of connect points with it, and their protocols and names.

    Some harvesters write one connect point for each output format, with the format as its protocol.
    """

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

    @property
    def entry_count(self) -> int:
        """Return the number of connect points."""
        return sum(address.count for address in self.addresses)

    @property
    def formats(self) -> Tuple[str, ...]:
        """Return the output formats, which are the protocols that are media types."""
        protocols = (protocol for address in self.addresses for protocol in address.protocols)
        return tuple(dict.fromkeys(protocol for protocol in protocols if "/" in protocol))


def group_operations(record: Record) -> List[GroupedOperation]:
    """Return the record's operations in their order, with those of the same name merged."""
    platforms: Dict[str, Dict[str, None]] = {}
    points_by_name: Dict[str, Dict[str, List[ConnectPoint]]] = {}
    for operation in record.operations:
        platforms.setdefault(operation.name, {}).update(dict.fromkeys(operation.platforms))
        points_by_url = points_by_name.setdefault(operation.name, {})
        for point in operation.connect_points:
            points_by_url.setdefault(point.url, []).append(point)
    return [GroupedOperation(name, tuple(platforms[name]),
                             tuple(_address(url, points) for url, points in points_by_url.items()))
            for name, points_by_url in points_by_name.items()]


def _address(url: str, points: List[ConnectPoint]) -> OperationAddress:
    protocols = dict.fromkeys(point.protocol for point in points if point.protocol)
    names = dict.fromkeys(point.name for point in points if point.name)
    return OperationAddress(url, len(points), tuple(protocols), tuple(names))

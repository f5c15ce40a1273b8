"""Distribution: formats, order process, and links with the label of their transfer options (ISO 19115 B.2.10)."""

from __future__ import annotations

from typing import Dict, List, Optional

from ..model.record import DistributionFormat, OnlineResource
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler
from ..xml.field_handlers import nested, repeat, text
from .citation import ONLINE_RESOURCE, build_online_resource


def build_format(values: FieldValues) -> DistributionFormat:
    """Return the MD_Format."""
    return DistributionFormat(values.get("name"), values.get("version"))


FORMAT: Dict[str, Handler] = {"name": text("name"), "version": text("version")}
ORDER_PROCESS: Dict[str, Handler] = {"fees": text("fees")}

_TRANSFER_OPTIONS: Dict[str, Handler] = {
    "unitsOfDistribution": text("units"),
    "onLine": repeat("online", ONLINE_RESOURCE, build_online_resource),
}


def transfer_options(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read MD_DigitalTransferOptions, whose units of distribution label each of its links. Without a link they are
    unread.
    """
    for item in walker.objects(prop):
        inner: FieldValues = {}
        unread_before = len(walker.unread_items)
        walker.walk(item, _TRANSFER_OPTIONS, inner)
        units: Optional[str] = inner.get("units")
        if "online" in inner:
            values.setdefault("online", []).extend(_with_distribution_units(inner["online"], units))
        elif units:
            del walker.unread_items[unread_before:]
            walker.add_unread_element(item)


def _with_distribution_units(links: List[OnlineResource], units: Optional[str]) -> List[OnlineResource]:
    if not units:
        return links
    return [OnlineResource(link.url, link.protocol, link.name, link.description, link.function, units)
            for link in links]


_DISTRIBUTOR: Dict[str, Handler] = {
    "distributionOrderProcess": nested(ORDER_PROCESS),
    "distributorTransferOptions": transfer_options,
    "distributorFormat": repeat("formats", FORMAT, build_format),
}

DISTRIBUTION: Dict[str, Handler] = {
    "distributionFormat": repeat("formats", FORMAT, build_format),
    "distributor": nested(_DISTRIBUTOR),
    "transferOptions": transfer_options,
}

"""Distribution: formats, orders, and links with the label of the transfer options that hold them (ISO 19115 B.2.10)."""

from __future__ import annotations

from typing import Dict, List, Optional

from ..model.record import DistributionFormat, OnlineResource
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler
from ..xml.field_handlers import nested, repeat, text
from .citation import ONLINE_RESOURCE, build_online_resource


def build_format(bag: FieldValues) -> DistributionFormat:
    """MD_Format."""
    return DistributionFormat(bag.get("name"), bag.get("version"))


FORMAT: Dict[str, Handler] = {"name": text("name"), "version": text("version")}
ORDER_PROCESS: Dict[str, Handler] = {"fees": text("fees")}

_TRANSFER_OPTIONS: Dict[str, Handler] = {
    "unitsOfDistribution": text("units"), "onLine": repeat("online", ONLINE_RESOURCE, build_online_resource),
}


def transfer_options(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    """MD_DigitalTransferOptions: its units of distribution label every link in it; without a link they are unread."""
    for item in reading.objects(prop):
        own: FieldValues = {}
        mark = len(reading.unread_items)
        reading.walk(item, _TRANSFER_OPTIONS, own)
        units: Optional[str] = own.get("units")
        if "online" in own:
            bag.setdefault("online", []).extend(_with_distribution_units(own["online"], units))
        elif units:
            del reading.unread_items[mark:]
            reading.add_unread_element(item)


def _with_distribution_units(links: List[OnlineResource], units: Optional[str]) -> List[OnlineResource]:
    if not units:
        return links
    return [OnlineResource(link.url, link.protocol, link.name, link.description, link.function, units)
            for link in links]


_DISTRIBUTOR: Dict[str, Handler] = {
    "distributionOrderProcess": nested(ORDER_PROCESS), "distributorTransferOptions": transfer_options,
    "distributorFormat": repeat("formats", FORMAT, build_format),
}

DISTRIBUTION: Dict[str, Handler] = {
    "distributionFormat": repeat("formats", FORMAT, build_format), "distributor": nested(_DISTRIBUTOR),
    "transferOptions": transfer_options,
}

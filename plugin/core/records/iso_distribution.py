"""Distribution: formats, orders, and links with the label of the transfer options that hold them (ISO 19115 B.2.10)."""

from __future__ import annotations

from typing import Dict, List, Optional

from .handlers import each, inside, text
from .iso_citation import ONLINE, build_online
from .model import Format, OnlineResource
from .reading import Bag, Element, Handler, Reading


def build_format(bag: Bag) -> Format:
    """MD_Format."""
    return Format(bag.get("name"), bag.get("version"))


FORMAT: Dict[str, Handler] = {"name": text("name"), "version": text("version")}
ORDER: Dict[str, Handler] = {"fees": text("fees")}

_TRANSFER: Dict[str, Handler] = {
    "unitsOfDistribution": text("units"), "onLine": each("online", ONLINE, build_online),
}


def transfer(reading: Reading, prop: Element, bag: Bag) -> None:
    """MD_DigitalTransferOptions: its units of distribution label every link in it; without a link they are unread."""
    for item in reading.objects(prop):
        own: Bag = {}
        mark = len(reading.left)
        reading.walk(item, _TRANSFER, own)
        units: Optional[str] = own.get("units")
        if "online" in own:
            bag.setdefault("online", []).extend(_labelled(own["online"], units))
        elif units:
            del reading.left[mark:]
            reading.leave(item)


def _labelled(links: List[OnlineResource], units: Optional[str]) -> List[OnlineResource]:
    if not units:
        return links
    return [OnlineResource(link.url, link.protocol, link.name, link.description, link.function, units)
            for link in links]


_DISTRIBUTOR: Dict[str, Handler] = {
    "distributionOrderProcess": inside(ORDER), "distributorTransferOptions": transfer,
    "distributorFormat": each("formats", FORMAT, build_format),
}

DISTRIBUTION: Dict[str, Handler] = {
    "distributionFormat": each("formats", FORMAT, build_format), "distributor": inside(_DISTRIBUTOR),
    "transferOptions": transfer,
}

"""Distribution: formats, order process, and links with the label of their transfer options (ISO 19115 B.2.10)."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, List, Optional

from ..model.record import DistributionFormat, OnlineResource
from ..xml.element_walker import (
    Element,
    ElementWalker,
    FieldValues,
    Handler,
    HandlerTable,
    built,
    nested,
    repeat,
    set_once,
    text,
)
from .citation import ONLINE_RESOURCE, build_online_resource

_build_format = built(DistributionFormat)
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
    return [replace(link, distribution_units=units) for link in links]


def formats(table: HandlerTable) -> Handler:
    """Return a handler for formats, each of which may have distributors with links and an order process."""
    with_distributors = {**table, "formatDistributor": nested(FORMAT_DISTRIBUTOR)}

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            inner: FieldValues = {}
            walker.walk(item, with_distributors, inner)
            if "online" in inner:
                values.setdefault("online", []).extend(inner.pop("online"))
            if "fees" in inner:
                set_once(walker, item, values, "fees", inner.pop("fees"))
            if inner:
                values.setdefault("formats", []).append(_build_format(inner))
    return read


#: distributor of one format
FORMAT_DISTRIBUTOR: Dict[str, Handler] = {
    "distributionOrderProcess": nested(ORDER_PROCESS),
    "distributorTransferOptions": transfer_options,
}
_DISTRIBUTOR: Dict[str, Handler] = {**FORMAT_DISTRIBUTOR, "distributorFormat": formats(FORMAT)}

DISTRIBUTION: Dict[str, Handler] = {
    "distributionFormat": formats(FORMAT),
    "distributor": nested(_DISTRIBUTOR),
    "transferOptions": transfer_options,
}

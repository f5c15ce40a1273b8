"""What DescribeLayer answers: the WFS or WCS behind each layer (05-078r4 8.3; 02-070 for 1.1.x)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Tuple

from lxml import etree

from .. import safexml
from ..records.links import is_web_address
from .values import attribute, local

_TYPES = ("FeatureTypeName", "CoverageTypeName", "Name")


@dataclass(frozen=True)
class LayerDescription:
    """The data behind a layer: ``kind`` is "WFS" or "WCS" (or as written), ``address`` its service's, ``types`` what it
    is called there. ``layer`` is the layer's name where the answer repeats it (1.1.x).

    Without an address there is nothing behind the layer that can be had.
    """

    kind: str
    address: str = ""
    types: Tuple[str, ...] = ()
    layer: str = ""


def read_descriptions(data: bytes, name: str = "") -> Tuple[LayerDescription, ...]:
    """The descriptions in a DescribeLayer answer, in its order: one for each layer that was asked for.

    UnreadableDocument where ``data`` is no XML; a document that is something else describes nothing. Addresses that are
    not http(s) are left out.
    """
    root = safexml.parse(data, name)
    if local(root) not in ("DescribeLayerResponse", "WMS_DescribeLayerResponse"):
        return ()
    return tuple(_description(element) for element in root if _is(element, ("LayerDescription",)))


def offered_type(capabilities: bytes, wanted: str, name: str = "") -> str:
    """``wanted`` as the WFS capabilities write it: DescribeLayer often leaves out the prefix that a WFS 2.0 puts in
    front.

    ``wanted`` itself where none fits, or several do. UnreadableDocument where ``capabilities`` is no XML.
    """
    root = safexml.parse(capabilities, name)
    types = [element for element in root.iter() if _is(element, ("FeatureType",))]
    offered = [_text(element, ("Name",)) for element in types]
    if wanted in offered:
        return wanted
    alike = [found for found in offered if found.rpartition(":")[2] == wanted.rpartition(":")[2]]
    return alike[0] if len(alike) == 1 else wanted


def _description(element: etree._Element) -> LayerDescription:
    kind = _text(element, ("owsType",)) or attribute(element, "owsType") or ""
    address = _address(element) or attribute(element, "owsURL") or ""
    wfs = attribute(element, "wfs") or ""
    if not address and wfs:
        kind, address = kind or "WFS", wfs
    types = [text for text in (_of(found) for found in _named(element, _TYPES)) if text]
    types += [text for text in (attribute(found, "typeName") for found in _named(element, ("Query",))) if text]
    return LayerDescription(kind.upper(), address if is_web_address(address) else "", tuple(dict.fromkeys(types)),
                            attribute(element, "name") or "")


def _address(element: etree._Element) -> Optional[str]:
    for found in _named(element, ("OnlineResource",)):
        url = attribute(found, "href")
        if url:
            return url
    return None


def _named(element: etree._Element, names: Tuple[str, ...]) -> List[etree._Element]:
    return [found for found in element.iter() if found is not element and _is(found, names)]


def _is(element: etree._Element, names: Tuple[str, ...]) -> bool:
    return isinstance(element.tag, str) and local(element) in names


def _text(element: etree._Element, names: Tuple[str, ...]) -> str:
    return next((_of(found) for found in _named(element, names)), "")


def _of(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())

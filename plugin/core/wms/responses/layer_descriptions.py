"""What DescribeLayer answers: the WFS or WCS behind each layer (05-078r4 8.3; 02-070 for 1.1.x)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Tuple

from lxml import etree

from ... import safe_xml
from ...records.model.endpoints import is_web_address
from ..model.xml_values import attribute, local_name

_TYPE_NAME_ELEMENTS = ("FeatureTypeName", "CoverageTypeName", "Name")


@dataclass(frozen=True)
class LayerDescription:
    """The data behind a layer: ``kind`` is "WFS" or "WCS" (or as written), ``address`` its service's, ``types`` what it
    is called there. ``layer`` is the layer's name where the answer repeats it (1.1.x).

    Without an address there is nothing behind the layer that can be had.
    """

    service_type: str
    url: str = ""
    type_names: Tuple[str, ...] = ()
    layer: str = ""


def read_layer_descriptions(data: bytes, name: str = "") -> Tuple[LayerDescription, ...]:
    """The descriptions in a DescribeLayer answer, in its order: one for each layer that was asked for.

    UnreadableDocument where ``data`` is no XML; a document that is something else describes nothing. Addresses that are
    not http(s) are left out.
    """
    root = safe_xml.parse(data, name)
    if local_name(root) not in ("DescribeLayerResponse", "WMS_DescribeLayerResponse"):
        return ()
    return tuple(_description(element) for element in root if _has_name(element, ("LayerDescription",)))


def qualified_type_name(capabilities: bytes, type_name: str, name: str = "") -> str:
    """``wanted`` as the WFS capabilities write it: DescribeLayer often leaves out the prefix that a WFS 2.0 puts in
    front.

    ``wanted`` itself where none fits, or several do. UnreadableDocument where ``capabilities`` is no XML.
    """
    root = safe_xml.parse(capabilities, name)
    types = [element for element in root.iter() if _has_name(element, ("FeatureType",))]
    offered = [_text(element, ("Name",)) for element in types]
    if type_name in offered:
        return type_name
    alike = [found for found in offered if found.rpartition(":")[2] == type_name.rpartition(":")[2]]
    return alike[0] if len(alike) == 1 else type_name


def _description(element: etree._Element) -> LayerDescription:
    kind = _text(element, ("owsType",)) or attribute(element, "owsType") or ""
    address = _online_resource_url(element) or attribute(element, "owsURL") or ""
    wfs = attribute(element, "wfs") or ""
    if not address and wfs:
        kind, address = kind or "WFS", wfs
    types = [text for text in (_element_text(found) for found in _descendants(element, _TYPE_NAME_ELEMENTS)) if text]
    types += [text for text in (attribute(found, "typeName") for found in _descendants(element, ("Query",))) if text]
    return LayerDescription(kind.upper(), address if is_web_address(address) else "", tuple(dict.fromkeys(types)),
                            attribute(element, "name") or "")


def _online_resource_url(element: etree._Element) -> Optional[str]:
    for found in _descendants(element, ("OnlineResource",)):
        url = attribute(found, "href")
        if url:
            return url
    return None


def _descendants(element: etree._Element, names: Tuple[str, ...]) -> List[etree._Element]:
    return [found for found in element.iter() if found is not element and _has_name(found, names)]


def _has_name(element: etree._Element, names: Tuple[str, ...]) -> bool:
    return isinstance(element.tag, str) and local_name(element) in names


def _text(element: etree._Element, names: Tuple[str, ...]) -> str:
    return next((_element_text(found) for found in _descendants(element, names)), "")


def _element_text(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())

"""DescribeLayer responses: the WFS or WCS behind each layer (05-078r4 8.3, 02-070 for 1.1.x)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from lxml import etree

from ... import safe_xml
from ...addresses import is_web_address
from ..model.xml_values import attribute, descendants, element_text, has_name, local_name

_TYPE_NAME_ELEMENTS = ("FeatureTypeName", "CoverageTypeName", "Name")


@dataclass(frozen=True)
class LayerDescription:
    """The data behind a layer.

    ``service_type`` is "WFS" or "WCS" (or as written), ``url`` its service, ``type_names`` the feature types or
    coverages there. ``layer`` is the layer's name if the response repeats it (1.1.x). Without ``url`` no data is
    available.
    """

    service_type: str
    url: str = ""
    type_names: Tuple[str, ...] = ()
    layer: str = ""


def read_layer_descriptions(data: bytes, name: str = "") -> Tuple[LayerDescription, ...]:
    """Return the descriptions in a DescribeLayer response, one for each requested layer, in order.

    Any other XML document gives none. Addresses that are not http(s) are left out. Raises UnreadableDocument if
    ``data`` is not XML.
    """
    root = safe_xml.parse(data, name)
    if local_name(root) not in ("DescribeLayerResponse", "WMS_DescribeLayerResponse"):
        return ()
    return tuple(_description(element) for element in root if has_name(element, "LayerDescription"))


def qualified_type_name(capabilities: bytes, type_name: str, name: str = "") -> str:
    """Return ``type_name`` as written in the WFS capabilities.

    DescribeLayer often leaves out the prefix that WFS 2.0 requires. If no type or several types match, ``type_name`` is
    returned unchanged. Raises UnreadableDocument if ``capabilities`` is not XML.
    """
    root = safe_xml.parse(capabilities, name)
    types = [element for element in root.iter() if has_name(element, "FeatureType")]
    offered = [_text(element, "Name") for element in types]
    if type_name in offered:
        return type_name
    matches = [candidate for candidate in offered if candidate.rpartition(":")[2] == type_name.rpartition(":")[2]]
    return matches[0] if len(matches) == 1 else type_name


def data_addresses(capabilities: bytes, name: str = "") -> Tuple[str, ...]:
    """Return every address that the capabilities of a WFS, WCS or WMTS name for requests, of whatever operation.

    Raises UnreadableDocument if ``capabilities`` is not XML.
    """
    root = safe_xml.parse(capabilities, name)
    methods = (element for element in root.iter() if has_name(element, "Get", "Post"))
    found = (attribute(element, key) for method in methods
             for element in (method, *descendants(method, ("OnlineResource",))) for key in ("href", "onlineResource"))
    tiles = (attribute(element, "template") for element in root.iter() if has_name(element, "ResourceURL"))
    return tuple(dict.fromkeys(address for address in (*found, *tiles) if address))


def named_addresses(capabilities: bytes, name: str = "") -> Tuple[str, ...]:
    """Return every address that the capabilities of a WMS or WMTS name, of operations, legends and all else.

    Raises UnreadableDocument if ``capabilities`` is not XML.
    """
    root = safe_xml.parse(capabilities, name)
    found = (attribute(element, key) for element in root.iter() if isinstance(element.tag, str)
             for key in ("href", "onlineResource", "template"))
    return tuple(dict.fromkeys(address for address in found if address))


def _description(element: etree._Element) -> LayerDescription:
    kind = _text(element, "owsType") or attribute(element, "owsType") or ""
    named = (attribute(resource, "href") for resource in descendants(element, ("OnlineResource",)))
    address = next(filter(None, named), None) or attribute(element, "owsURL") or ""
    wfs = attribute(element, "wfs") or ""
    if not address and wfs:
        kind, address = kind or "WFS", wfs
    types = [text for text in (element_text(child) for child in descendants(element, _TYPE_NAME_ELEMENTS)) if text]
    types += [text for text in (attribute(child, "typeName") for child in descendants(element, ("Query",))) if text]
    return LayerDescription(kind.upper(), address if is_web_address(address) else "", tuple(dict.fromkeys(types)),
                            attribute(element, "name") or "")


def _text(element: etree._Element, name: str) -> str:
    return next((element_text(child) for child in descendants(element, (name,))), "")

"""Operations in capabilities: names, GET and POST addresses, formats, exception formats (7.2.4.4)."""

from __future__ import annotations

from typing import Dict, Iterator, List, Optional, Tuple

from lxml import etree

from ..model import xml_values
from ..model.service import OperationInfo

#: the usual prefix of a namespace, whatever prefix a document uses
_PREFIXES = {"http://www.opengis.net/sld": "sld", "http://mapserver.gis.umn.edu/mapserver": "ms",
             "http://www.qgis.org/wms": "qgs"}
#: names of the operations in WMS 1.0.0 (00-028 Annex A)
_WMS_1_0_NAMES = {"Map": "GetMap", "Capabilities": "GetCapabilities", "FeatureInfo": "GetFeatureInfo"}


def read_operations(request: Optional[etree._Element]) -> Dict[str, OperationInfo]:
    """Return the operations under Request by name, in the document's order.

    Extensions keep their prefix (``sld:DescribeLayer``). An operation described twice is merged.
    """
    operations: Dict[str, OperationInfo] = {}
    for element in () if request is None else request:
        if not isinstance(element.tag, str):
            continue
        name = _name(element)
        existing = operations.get(name)
        operation = _operation(name, element)
        operations[name] = operation if existing is None else _merged(existing, operation)
    return operations


def read_exception_formats(element: Optional[etree._Element]) -> Tuple[str, ...]:
    return _formats(element) if element is not None else ()


def _name(element: etree._Element) -> str:
    name, space = xml_values.local_name(element), xml_values.namespace(element)
    name = _WMS_1_0_NAMES.get(name, name)
    if not space or space.startswith(xml_values.WMS_NAMESPACE):
        return name
    prefix = _PREFIXES.get(space) or element.prefix
    return f"{prefix}:{name}" if prefix else name


def _operation(name: str, element: etree._Element) -> OperationInfo:
    get: Optional[str] = None
    post: Optional[str] = None
    encodings: List[str] = []
    for method in xml_values.descendants(element, ("Get", "Post")):
        url = _method_url(method)
        if xml_values.local_name(method) == "Get":
            get = get or url
        else:
            post = post or url
            texts = map(xml_values.single_line_text, xml_values.descendants(method, ("Value", "Format")))
            encodings += [text for text in texts if text]
    return OperationInfo(name, get, post, _formats(element), tuple(dict.fromkeys(encodings)),
                         tuple(dict.fromkeys(_named_addresses(element))))


def _named_addresses(element: etree._Element) -> Iterator[str]:
    for part in element.iter():
        for name, value in part.attrib.items():
            if etree.QName(name).localname in ("href", "onlineResource") and str(value).strip():
                yield str(value).strip()


def _method_url(method: etree._Element) -> Optional[str]:
    """Return the address of a Get or Post: its OnlineResource, or an attribute as in WMS 1.0.0."""
    for resource in xml_values.descendants(method, ("OnlineResource",)):
        url = xml_values.online_resource_url(resource)
        if url:
            return url
    return xml_values.attribute(method, "onlineResource") or xml_values.attribute(method, "href")


def _formats(element: etree._Element) -> Tuple[str, ...]:
    """Return the texts of the Format elements, each once. In WMS 1.0.0 formats are empty elements inside Format."""
    formats: List[str] = []
    for child in element:
        if not isinstance(child.tag, str) or xml_values.local_name(child) != "Format":
            continue
        child_names = [xml_values.local_name(part) for part in child if isinstance(part.tag, str)]
        text = xml_values.single_line_text(child) if not child_names else None
        formats += child_names if child_names else [text] if text else []
    return tuple(dict.fromkeys(formats))


def _merged(first: OperationInfo, second: OperationInfo) -> OperationInfo:
    """Combine two descriptions of one operation. The second fills in what the first leaves open."""
    return OperationInfo(first.name, first.get or second.get, first.post or second.post,
                         tuple(dict.fromkeys(first.formats + second.formats)),
                         tuple(dict.fromkeys(first.post_encodings + second.post_encodings)),
                         tuple(dict.fromkeys(first.named_addresses + second.named_addresses)))

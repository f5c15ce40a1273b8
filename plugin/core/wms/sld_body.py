"""GetMap as an XML document (05-078r4 9.2.3), for services that declare that their POST address takes XML.

MapServer and most others take the parameters as a form, which is what is sent unless a service declares otherwise: the
capabilities of 06-042 have no place for it, but some say it as OWS Common does (a Constraint PostEncoding inside Post)
or with a Format inside Post.
"""

from __future__ import annotations

from typing import List, Mapping

from lxml import etree

from ..errors import InvalidRequest
from ..i18n import tr
from .addresses import Value
from .model import OperationInfo, Service

SLD = "http://www.opengis.net/sld"
SE = "http://www.opengis.net/se"
OWS = "http://www.opengis.net/ows"
WMS = "http://www.opengis.net/wms"
#: what the document has a place for
_KNOWN = frozenset(("SERVICE", "VERSION", "REQUEST", "LAYERS", "STYLES", "CRS", "SRS", "BBOX", "WIDTH", "HEIGHT",
                    "FORMAT", "TRANSPARENT", "BGCOLOR", "EXCEPTIONS", "TIME", "ELEVATION"))
_OPTIONAL = {"EXCEPTIONS": "Exceptions", "TIME": "Time", "ELEVATION": "Elevation"}


def takes_xml(info: OperationInfo, encoding: str) -> bool:
    """Whether a POST is to be XML: as ``encoding`` says (``xml``, ``form``), else where XML is declared and a form is
    not.
    """
    if encoding:
        return encoding.lower() == "xml"
    declared = [value.lower() for value in info.post_encodings]
    takes_a_form = any("kvp" in value or "form" in value for value in declared)
    return any("xml" in value for value in declared) and not takes_a_form


def map_body(service: Service, parameters: Mapping[str, Value]) -> bytes:
    """The GetMap document that says the same as ``parameters``; InvalidRequest where it cannot."""
    beyond = sorted(set(parameters) - _KNOWN)
    if beyond:
        raise InvalidRequest(tr("A request as XML cannot carry {parameters}. Use GET, or a form.",
                                parameters=", ".join(beyond)))
    root = etree.Element(f"{{{SLD}}}GetMap", nsmap={"sld": SLD, "se": SE, "ows": OWS, "wms": WMS},
                         attrib={"service": "WMS", "version": service.version})
    _styled_layers(root, _items(parameters["LAYERS"]), _items(parameters["STYLES"]))
    crs = _one(parameters.get("CRS") or parameters.get("SRS") or "")
    _add(root, SLD, "CRS", crs)
    box = _items(parameters["BBOX"])
    box_element = etree.SubElement(root, f"{{{SLD}}}BoundingBox", attrib={"crs": crs})
    _add(box_element, OWS, "LowerCorner", " ".join(box[:2]))
    _add(box_element, OWS, "UpperCorner", " ".join(box[2:]))
    output = etree.SubElement(root, f"{{{SLD}}}Output")
    size = etree.SubElement(output, f"{{{SLD}}}Size")
    _add(size, SLD, "Width", _one(parameters["WIDTH"]))
    _add(size, SLD, "Height", _one(parameters["HEIGHT"]))
    _add(output, WMS, "Format", _one(parameters["FORMAT"]))
    if "TRANSPARENT" in parameters:
        _add(output, SLD, "Transparent", _one(parameters["TRANSPARENT"]).lower())
    if "BGCOLOR" in parameters:
        _add(output, SLD, "BGcolor", _one(parameters["BGCOLOR"]))
    for name, element in _OPTIONAL.items():
        if name in parameters:
            _add(root, SLD, element, _one(parameters[name]))
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def _styled_layers(root: etree._Element, layers: List[str], styles: List[str]) -> None:
    """Each layer as a NamedLayer; a style of its own as a NamedStyle (SLD 1.1.0 11.2, 11.3)."""
    document = etree.SubElement(root, f"{{{SLD}}}StyledLayerDescriptor", attrib={"version": "1.1.0"})
    for index, layer in enumerate(layers):
        named = etree.SubElement(document, f"{{{SLD}}}NamedLayer")
        _add(named, SE, "Name", layer)
        style = styles[index] if index < len(styles) else ""
        if style:
            _add(etree.SubElement(named, f"{{{SLD}}}NamedStyle"), SE, "Name", style)


def _add(parent: etree._Element, space: str, name: str, text: str) -> None:
    """A child element with text; InvalidRequest where the text holds what XML cannot."""
    try:
        etree.SubElement(parent, f"{{{space}}}{name}").text = text
    except ValueError as error:
        raise InvalidRequest(tr("“{words}” cannot be written as XML.", words=repr(text)[:80]), str(error)) from error


def _items(value: Value) -> List[str]:
    return [value] if isinstance(value, str) else list(value)


def _one(value: Value) -> str:
    return value if isinstance(value, str) else ",".join(value)

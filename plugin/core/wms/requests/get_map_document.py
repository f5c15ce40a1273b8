"""GetMap as an XML document (05-078r4 9.2.3), for services whose POST address accepts XML.

Most servers, MapServer among them, accept the parameters as a form, which is the default. The capabilities of 06-042
cannot declare an encoding. Some services declare it as in OWS Common (a Constraint PostEncoding inside Post) or with a
Format inside Post.
"""

from __future__ import annotations

from typing import List, Mapping

from lxml import etree

from ...errors import InvalidRequest
from ...i18n import tr
from ..model.service import OperationInfo, Service
from .urls import ParameterValue

SLD = "http://www.opengis.net/sld"
SE = "http://www.opengis.net/se"
OWS = "http://www.opengis.net/ows"
WMS = "http://www.opengis.net/wms"
#: parameters that the document can express
_SUPPORTED_PARAMETERS = frozenset(("SERVICE", "VERSION", "REQUEST", "LAYERS", "STYLES", "CRS", "SRS", "BBOX", "WIDTH",
                                   "HEIGHT", "FORMAT", "TRANSPARENT", "BGCOLOR", "EXCEPTIONS", "TIME", "ELEVATION"))
_OPTIONAL_ELEMENTS = {"EXCEPTIONS": "Exceptions", "TIME": "Time", "ELEVATION": "Elevation"}


def uses_xml_body(info: OperationInfo, encoding: str) -> bool:
    """Return whether a POST body is XML.

    ``encoding`` (``xml`` or ``form``) decides. If it is empty, XML is used if it is declared and a form is not.
    """
    if encoding:
        return encoding.lower() == "xml"
    declared = [value.lower() for value in info.post_encodings]
    takes_a_form = any("kvp" in value or "form" in value for value in declared)
    return any("xml" in value for value in declared) and not takes_a_form


def get_map_document(service: Service, parameters: Mapping[str, ParameterValue]) -> bytes:
    """Return the GetMap document with the content of ``parameters``.

    Raises InvalidRequest for parameters that the document cannot express.
    """
    beyond = sorted(set(parameters) - _SUPPORTED_PARAMETERS)
    if beyond:
        raise InvalidRequest(tr("A request as XML cannot contain {parameters}. Use GET or a form.",
                                parameters=", ".join(beyond)))
    root = etree.Element(f"{{{SLD}}}GetMap", nsmap={"sld": SLD, "se": SE, "ows": OWS, "wms": WMS},
                         attrib={"service": "WMS", "version": service.version})
    _add_styled_layers(root, _as_list(parameters["LAYERS"]), _as_list(parameters["STYLES"]))
    crs = _as_text(parameters.get("CRS") or parameters.get("SRS") or "")
    _add_element(root, SLD, "CRS", crs)
    box = _as_list(parameters["BBOX"])
    box_element = etree.SubElement(root, f"{{{SLD}}}BoundingBox", attrib={"crs": crs})
    _add_element(box_element, OWS, "LowerCorner", " ".join(box[:2]))
    _add_element(box_element, OWS, "UpperCorner", " ".join(box[2:]))
    output = etree.SubElement(root, f"{{{SLD}}}Output")
    size = etree.SubElement(output, f"{{{SLD}}}Size")
    _add_element(size, SLD, "Width", _as_text(parameters["WIDTH"]))
    _add_element(size, SLD, "Height", _as_text(parameters["HEIGHT"]))
    _add_element(output, WMS, "Format", _as_text(parameters["FORMAT"]))
    if "TRANSPARENT" in parameters:
        _add_element(output, SLD, "Transparent", _as_text(parameters["TRANSPARENT"]).lower())
    if "BGCOLOR" in parameters:
        _add_element(output, SLD, "BGcolor", _as_text(parameters["BGCOLOR"]))
    for name, element in _OPTIONAL_ELEMENTS.items():
        if name in parameters:
            _add_element(root, SLD, element, _as_text(parameters[name]))
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def _add_styled_layers(root: etree._Element, layers: List[str], styles: List[str]) -> None:
    """Add each layer as a NamedLayer, a style other than the default as a NamedStyle (SLD 1.1.0 11.2, 11.3)."""
    document = etree.SubElement(root, f"{{{SLD}}}StyledLayerDescriptor", attrib={"version": "1.1.0"})
    for index, layer in enumerate(layers):
        named = etree.SubElement(document, f"{{{SLD}}}NamedLayer")
        _add_element(named, SE, "Name", layer)
        style = styles[index] if index < len(styles) else ""
        if style:
            _add_element(etree.SubElement(named, f"{{{SLD}}}NamedStyle"), SE, "Name", style)


def _add_element(parent: etree._Element, space: str, name: str, text: str) -> None:
    """Add a child element with text. Raises InvalidRequest for characters that XML cannot contain."""
    try:
        etree.SubElement(parent, f"{{{space}}}{name}").text = text
    except ValueError as error:
        raise InvalidRequest(tr("“{words}” cannot be written as XML.", words=repr(text)[:80]), str(error)) from error


def _as_list(value: ParameterValue) -> List[str]:
    return [value] if isinstance(value, str) else list(value)


def _as_text(value: ParameterValue) -> str:
    return value if isinstance(value, str) else ",".join(value)

"""WFS GetFeature for an area: WFS 1.0.0 (OGC 02-058), 1.1.0 (04-094) and 2.0.0 (09-025r2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict

from . import safe_xml
from .box import Box
from .errors import UnreadableDocument
from .i18n import tr
from .request import HttpMethod, Request
from .text import single_line
from .wms.crs.bounding_boxes import format_number
from .wms.model.xml_values import local_name
from .wms.requests.urls import ParameterValue, url_prefix, with_parameters

#: names of a type's CRS in 2.0.0, 1.1.0 and 1.0.0
_CRS_ELEMENTS = ("defaultcrs", "defaultsrs", "srs")
_ROOT = "wfs_capabilities"
_SCHEMA_LOCATION = "{http://www.w3.org/2001/XMLSchema-instance}schemaLocation"


@dataclass(frozen=True)
class FeatureType:
    """A feature type as the capabilities have it: its qualified name, title, and the CRS of its features as written."""

    version: str
    name: str
    title: str
    crs: str


def capabilities_request(address: str) -> Request:
    """Return a GetCapabilities request. Without VERSION the service answers with its latest (06-121r3 7.3.2)."""
    return Request(HttpMethod.GET, with_parameters(url_prefix(address), {"SERVICE": "WFS",
                                                                         "REQUEST": "GetCapabilities"}))


def read_feature_type(capabilities: bytes, type_name: str, name: str = "") -> FeatureType:
    """Return the feature type called ``type_name`` in WFS capabilities, with or without its prefix.

    Raises UnreadableDocument if the document is another one, or does not have exactly one such type.
    """
    root = safe_xml.parse(capabilities, name)
    if local_name(root).lower() != _ROOT:
        raise UnreadableDocument(tr("{name} is not a capabilities document.", name=name or tr("The document")))
    types = [element for element in root.iter() if local_name(element).lower() == "featuretype"]
    by_name = [(_text(element, "name"), element) for element in types]
    found = [pair for pair in by_name if pair[0] == type_name] or [
        pair for pair in by_name if pair[0].rpartition(":")[2] == type_name.rpartition(":")[2]]
    if len(found) != 1:
        raise UnreadableDocument(tr("The WFS at {host} does not offer “{type}”.", host=name, type=type_name[:100]))
    qualified, element = found[0]
    return FeatureType(single_line(root.get("version") or "1.0.0"), qualified, _text(element, "title"),
                       next((text for text in (_text(element, key) for key in _CRS_ELEMENTS) if text), ""))


def features_request(address: str, feature_type: FeatureType, bounds: Box, north_first: bool, count: int) -> Request:
    """Return the request for at most ``count`` features within ``bounds``, which are in the type's CRS.

    ``north_first``: the CRS has its northing or latitude first, which a URN or an http address of a CRS means
    literally (04-094 14.3.3, 09-025r2 7.9.2.4.4). Other names mean the easting or longitude first.
    """
    is_literal = feature_type.crs.lower().startswith(("urn:", "http:", "https:"))
    is_swapped = north_first and is_literal and not feature_type.version.startswith("1.0")
    numbers = [format_number(value) for value in (bounds.with_axes_swapped if is_swapped else bounds)]
    is_second = feature_type.version.startswith("2.")
    version = "2.0.0" if is_second else feature_type.version
    if not feature_type.version.startswith("1.0") and feature_type.crs:
        numbers.append(feature_type.crs)
    parameters: Dict[str, ParameterValue] = {
        "SERVICE": "WFS", "VERSION": version, "REQUEST": "GetFeature",
        "TYPENAMES" if is_second else "TYPENAME": feature_type.name,
        "COUNT" if is_second else "MAXFEATURES": str(count), "BBOX": numbers}
    return Request(HttpMethod.GET, with_parameters(url_prefix(address), parameters))


def plain_collection(data: bytes, name: str = "") -> bytes:
    """Return a GML feature collection without what a reader could follow: entities, and addresses of schemas.

    Raises UnreadableDocument if ``data`` is not XML or another document.
    """
    root = safe_xml.parse(data, name)
    if local_name(root).lower() != "featurecollection":
        raise UnreadableDocument(tr("{name} returned another document in place of the features: {element}.",
                                    name=name or tr("The server"), element=local_name(root).lower()[:80]))
    for element in root.iter():
        if isinstance(element.tag, str):
            element.attrib.pop(_SCHEMA_LOCATION, None)
    return safe_xml.serialise(root)


def _text(element: Any, name: str) -> str:
    return next((single_line("".join(child.itertext())) for child in element if local_name(child).lower() == name), "")

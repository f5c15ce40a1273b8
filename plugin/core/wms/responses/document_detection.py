"""Detection of documents that are not WMS capabilities, with a description for people."""

from __future__ import annotations

import re
from typing import Optional

from lxml import etree

from ...errors import NotCapabilities
from ...i18n import tr
from ..model.xml_values import has_name, local_name, namespace
from .image_headers import image_format

_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]", re.IGNORECASE)
_XML_START = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<(?:\?xml|[A-Za-z_!])")


def is_html(data: bytes) -> bool:
    """Return whether the bytes are, or begin as, a web page."""
    return bool(_HTML.search(data[:2048].replace(b"\x00", b"")))


def reject_non_xml(data: bytes, name: str) -> None:
    """Raise NotCapabilities for bytes that are clearly not XML: a web page, an image, JSON or an archive."""
    description = _describe_non_xml(data)
    if description:
        raise not_capabilities_error(name, description)


def _describe_non_xml(data: bytes) -> str:
    head = data[:512].lstrip()
    picture = image_format(data)
    if picture and picture != "svg":
        return tr("an image ({format})", format=picture.upper())
    if head.startswith((b"{", b"[")):
        return tr("a JSON document")
    if head.startswith(b"PK\x03\x04"):
        return tr("a zip archive")
    if head.startswith(b"%PDF"):
        return tr("a PDF document")
    return tr("a web page") if is_html(data) and b"WM" not in head[:200] else ""


def looks_like_xml(data: bytes) -> bool:
    """Return whether the bytes begin as an XML document does."""
    return bool(_XML_START.match(data[:512].replace(b"\x00", b"")))


def not_capabilities_error(name: str, what: str, detail: str = "", version: str = "") -> NotCapabilities:
    """Return the error for a document that contains ``what`` instead of capabilities."""
    where = name or tr("The document")
    return NotCapabilities(
        tr("{name} contains {what}, but WMS capabilities were expected. Check the address or the file.",
           name=where, what=what), detail, what, version)


def describe_document(root: etree._Element) -> str:
    """Return a description of an XML document by its root element."""
    name, space = local_name(root), namespace(root)
    service = _other_service_type(name, space, root)
    if service:
        return tr("the capabilities of a {service}", service=service)
    description = _document_descriptions().get(name.lower())
    if description:
        return description
    return tr("an XML document whose root element is “{element}”", element=name[:80])


def _other_service_type(name: str, space: str, root: etree._Element) -> Optional[str]:
    """Return the service type (WFS, WCS, CSW, WMTS …) by namespace or stated ServiceType, or None."""
    if "capabilities" not in name.lower():
        return None
    for part, service in (("/wfs", "WFS"), ("/wcs", "WCS"), ("/csw", "CSW"), ("/cat/", "CSW"), ("/wmts", "WMTS"),
                          ("/wps", "WPS"), ("/sos", "SOS"), ("/sps", "SPS"), ("/ogc/wfs", "WFS"), ("/tms", "TMS")):
        if part in space.lower() + "/":
            return service
    for element in root.iter():
        if has_name(element, "ServiceType") and element.text:
            return element.text.strip()[:40] or None
    return {"wfs_capabilities": "WFS", "wcs_capabilities": "WCS", "wmtscapabilities": "WMTS"}.get(name.lower())


def _document_descriptions() -> dict[str, str]:
    return {
        "html": tr("a web page"),
        "md_metadata": tr("a metadata record (ISO 19139 or ISO 19115-3)"),
        "mi_metadata": tr("a metadata record (ISO 19139 or ISO 19115-3)"),
        "record": tr("a metadata record (Dublin Core)"),
        "getrecordbyidresponse": tr("a response of a CSW catalogue"),
        "getrecordsresponse": tr("a response of a CSW catalogue"),
        "featurecollection": tr("a collection of features (GML)"),
        "describelayerresponse": tr("a DescribeLayer response"),
        "wms_describelayerresponse": tr("a DescribeLayer response"),
        "styledlayerdescriptor": tr("a style (SLD)"),
        "feed": tr("an Atom feed"),
        "rss": tr("an RSS feed"),
        "svg": tr("an image (SVG)"),
        "kml": tr("a KML document"),
        "tilemapservice": tr("the capabilities of a TMS"),
        "wms_tile_service": tr("the capabilities of a tile service"),
        "opensearchdescription": tr("an OpenSearch description"),
        "envelope": tr("a SOAP message"),
    }

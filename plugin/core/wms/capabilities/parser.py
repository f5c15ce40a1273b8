"""Parser of WMS capabilities: 1.3.0 (OGC 06-042), 1.1.1 (01-068r3), 1.1.0 and 1.0.0."""

from __future__ import annotations

import re
from typing import Dict, List, Optional, Tuple

from lxml import etree

from ... import safe_xml
from ...errors import UnreadableDocument
from ...i18n import tr
from ..model import xml_values
from ..model.service import LinkedDocument, Service, ServiceContact, ServiceLimits
from ..model.versions import is_supported_version, parse_version
from ..responses import document_detection
from ..responses.exception_reports import error_from_report
from .layer_tree import read_keywords, read_layer_tree
from .links import record_id_from_url
from .operations import read_exception_formats, read_operations

_ROOT_NAMES = ("wms_capabilities", "wmt_ms_capabilities")
_UNDECLARED_PREFIX = re.compile(r"Namespace prefix (\S+) (?:for \S+ )?on \S+ is not defined")
#: prefixes that the DTD of 1.1.x declares (01-068r3 Annex A.1), and others that are often not declared
_KNOWN_PREFIXES = {"xlink": "http://www.w3.org/1999/xlink", "sld": "http://www.opengis.net/sld",
                   "xsi": "http://www.w3.org/2001/XMLSchema-instance", "ms": "http://mapserver.gis.umn.edu/mapserver"}
_ROOT_TAG = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?WM(?:T_M)?S_Capabilities\b")
_XML_DECLARATION = re.compile(rb"\A<\?xml[^>]*>")
_MAX_UNDECLARED_PREFIXES = 20
#: limit of elements, some 10,000 layers. They take longer to read than those of a record
MAX_ELEMENTS = 200_000
#: texts that only fill a field
_PLACEHOLDER_TEXTS = frozenset(("-", "--", "---"))


def read_service(data: bytes, name: str = "") -> Service:
    """Return the Service described by a capabilities document, with inherited values filled in.

    ``name`` names the document in errors. Raises UnreadableDocument for bytes that are not well-formed XML,
    ServiceError for an exception report, and NotCapabilities for any other document or an unsupported version.
    """
    root = parse_document(data, name)
    if xml_values.local_name(root).lower() not in _ROOT_NAMES:
        error = error_from_report(root)
        if error:
            raise error
        description = document_detection.describe_document(root)
        raise document_detection.not_capabilities_error(name, description, str(root.tag)[:200])
    version = _document_version(root, name)
    numbers = parse_version(version) or (1, 3, 0)
    service_element, capability = xml_values.child(root, "Service"), xml_values.child(root, "Capability")
    title = xml_values.name_of(xml_values.child(service_element, "Title")) or ""
    layers = [] if capability is None else [child for kind, child in xml_values.children(capability) if kind == "Layer"]
    if not layers:
        layers = [child for kind, child in xml_values.children(root) if kind == "Layer"]
    metadata_urls, languages, default_language = _read_inspire_extension(capability)
    return Service(
        version=version, title=title, name=xml_values.child_text(service_element, "Name"),
        abstract=xml_values.prose(xml_values.child(service_element, "Abstract")),
        keywords=read_keywords(xml_values.child(service_element, "KeywordList"),
                               xml_values.child(service_element, "Keywords")),
        online_resource=xml_values.online_resource_url(xml_values.child(service_element, "OnlineResource")),
        contact=_read_contact(xml_values.child(service_element, "ContactInformation")),
        fees=xml_values.terms_text(xml_values.child(service_element, "Fees")),
        access_constraints=xml_values.terms_text(xml_values.child(service_element, "AccessConstraints")),
        limits=ServiceLimits(*(xml_values.parse_positive_integer(xml_values.child_text(service_element, limit))
                               for limit in ("LayerLimit", "MaxWidth", "MaxHeight"))),
        operations=read_operations(xml_values.child(capability, "Request")),
        exceptions=read_exception_formats(xml_values.child(capability, "Exception")),
        update_sequence=xml_values.attribute(root, "updateSequence"),
        metadata_urls=metadata_urls, languages=languages, default_language=default_language,
        root=read_layer_tree(layers, numbers, title), supports_sld=_supports_sld(capability), original=data)


def parse_document(data: bytes, name: str = "") -> etree._Element:
    """Return the root element of a WMS document.

    Undeclared prefixes are declared first, as the DTD of 1.1.x would have done. Raises NotCapabilities for a web page,
    an image or another format, and UnreadableDocument for XML that is not well-formed.
    """
    document_detection.reject_non_xml(data, name)
    for _ in range(_MAX_UNDECLARED_PREFIXES):
        try:
            return safe_xml.parse(data, name, max_elements=MAX_ELEMENTS)
        except UnreadableDocument as error:
            undeclared = _UNDECLARED_PREFIX.search(error.detail)
            repaired = _declare_prefix(data, undeclared.group(1)) if undeclared else None
            if repaired is None:
                what = ""
                if document_detection.is_html(data):
                    what = tr("a web page")
                elif not document_detection.looks_like_xml(data) and data.strip():
                    what = tr("something other than XML")
                if what:
                    raise document_detection.not_capabilities_error(name, what, error.detail) from error
                raise
            data = repaired
    raise UnreadableDocument(tr("{name} uses too many undeclared prefixes.", name=name or tr("The document")))


def _declare_prefix(data: bytes, prefix: str) -> Optional[bytes]:
    """Return ``data`` with ``prefix`` declared on its root element, or None if that is impossible."""
    if b"\x00" in data[:8]:
        data = _XML_DECLARATION.sub(b"", safe_xml.to_utf8(data))
    tag = _ROOT_TAG.search(data)
    if tag is None or not re.match(r"[A-Za-z_][\w.-]*\Z", prefix, re.ASCII):
        return None
    uri = _KNOWN_PREFIXES.get(prefix, f"urn:undeclared:{prefix}")
    return data[:tag.end()] + f' xmlns:{prefix}="{uri}"'.encode("ascii") + data[tag.end():]


def _document_version(root: etree._Element, name: str) -> str:
    """Return the document's version in its full form.

    A missing version follows from the root element. Raises NotCapabilities for an unsupported version.
    """
    stated = xml_values.attribute(root, "version")
    if stated is None:
        return "1.3.0" if xml_values.local_name(root).lower() == _ROOT_NAMES[0] else "1.1.1"
    numbers = parse_version(stated)
    if numbers is None or not ((1, 0, 0) <= numbers < (1, 4, 0)):
        what = tr("a capabilities document of WMS {version}, which is not supported", version=stated[:20])
        raise document_detection.not_capabilities_error(name, what, stated, stated)
    version = ".".join(map(str, numbers))
    return version if is_supported_version(version) else stated


def _read_contact(element: Optional[etree._Element]) -> ServiceContact:
    """Read ContactInformation. The parts of the postal address are joined with commas."""
    if element is None:
        return ServiceContact()

    def text(*path: str) -> Optional[str]:
        return _without_placeholder(xml_values.child_text(element, *path))

    parts = [text("ContactAddress", part) for part in ("Address", "PostCode", "City", "StateOrProvince", "Country")]
    return ServiceContact(
        organisation=text("ContactPersonPrimary", "ContactOrganization"),
        individual=text("ContactPersonPrimary", "ContactPerson"), position=text("ContactPosition"),
        email=text("ContactElectronicMailAddress"), phone=text("ContactVoiceTelephone"),
        address=", ".join(dict.fromkeys(part for part in parts if part)) or None)


def _without_placeholder(value: Optional[str]) -> Optional[str]:
    """Return None for a text that only fills the field."""
    return None if value in _PLACEHOLDER_TEXTS else value


def _read_inspire_extension(
        capability: Optional[etree._Element]) -> Tuple[Tuple[LinkedDocument, ...], Tuple[str, ...], Optional[str]]:
    """Return the metadata links, languages (the default first) and default language of INSPIRE's extension.

    It is found in ExtendedCapabilities (1.3.0) or in VendorSpecificCapabilities (1.1.1).
    """
    links: Dict[str, LinkedDocument] = {}
    languages: Dict[str, None] = {}
    default: Optional[str] = None
    for extended in _extended_capabilities(capability):
        for element in extended.iter():
            if not isinstance(element.tag, str):
                continue
            kind = xml_values.local_name(element)
            if kind == "MetadataUrl":
                texts = {
                    xml_values.local_name(part): xml_values.single_line_text(part) for part in element
                    if isinstance(part.tag, str)
                }
                url = texts.get("URL")
                if url:
                    links.setdefault(url, LinkedDocument(url, texts.get("MediaType"),
                                                         record_id=record_id_from_url(url)))
            elif kind in ("DefaultLanguage", "SupportedLanguage", "ResponseLanguage"):
                language = next((xml_values.single_line_text(part) for part in element.iter()
                                 if isinstance(part.tag, str) and xml_values.local_name(part) == "Language"),
                                None) or xml_values.single_line_text(element)
                if language:
                    languages.setdefault(language)
                    default = default or (language if kind == "DefaultLanguage" else None)
    ordered = ([default] if default else []) + [language for language in languages if language != default]
    return tuple(links.values()), tuple(ordered), default


def _extended_capabilities(capability: Optional[etree._Element]) -> List[etree._Element]:
    """Return the extended capabilities of the service. They are never inside a Layer."""
    if capability is None:
        return []
    names = ("ExtendedCapabilities", "_ExtendedCapabilities", "VendorSpecificCapabilities")
    return [
        element for element in capability if isinstance(element.tag, str) and xml_values.local_name(element) in names
    ]


def _supports_sld(capability: Optional[etree._Element]) -> bool:
    """Return SupportSLD of UserDefinedSymbolization (05-078r4 7.3, 01-068r3 7.1.4.3)."""
    for element in () if capability is None else capability:
        if isinstance(element.tag, str) and xml_values.local_name(element) == "UserDefinedSymbolization":
            return bool(xml_values.parse_boolean(xml_values.attribute(element, "SupportSLD")))
    return False

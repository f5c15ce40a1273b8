"""Parser of WMS capabilities: 1.3.0 (OGC 06-042), 1.1.1 (01-068r3), 1.1.0 and 1.0.0.

A project needs only some layers of a document. ``prune_capabilities`` leaves the others out, because QGIS's WMS
provider parses the document again for every layer: 300 ms with 3,000 layers, a few milliseconds with those in use.
"""

from __future__ import annotations

import re
from typing import Collection, Dict, Iterator, List, Optional, Tuple

from lxml import etree

from ... import safe_xml
from ...errors import UnreadableDocument
from ...i18n import tr
from ..model import xml_values
from ..model.protocol import is_supported_version, parse_version
from ..model.service import LinkedDocument, OperationInfo, Service, ServiceContact, ServiceLimits
from ..responses import document_detection
from ..responses.exception_reports import error_from_report
from .layer_tree import read_keywords, read_layer_tree, record_id_from_url

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
        exceptions=_formats(xml_values.child(capability, "Exception")),
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
        value = xml_values.child_text(element, *path)
        return None if value in _PLACEHOLDER_TEXTS else value

    parts = [text("ContactAddress", part) for part in ("Address", "PostCode", "City", "StateOrProvince", "Country")]
    return ServiceContact(
        organisation=text("ContactPersonPrimary", "ContactOrganization"),
        individual=text("ContactPersonPrimary", "ContactPerson"), position=text("ContactPosition"),
        email=text("ContactElectronicMailAddress"), phone=text("ContactVoiceTelephone"),
        address=", ".join(dict.fromkeys(part for part in parts if part)) or None)


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
            kind = xml_values.local_name(element)
            if kind == "MetadataUrl":
                texts = {xml_values.local_name(part): xml_values.single_line_text(part) for part in element}
                url = texts.get("URL")
                if url:
                    links.setdefault(url, LinkedDocument(url, texts.get("MediaType"),
                                                         record_id=record_id_from_url(url)))
            elif kind in ("DefaultLanguage", "SupportedLanguage", "ResponseLanguage"):
                language = next(map(xml_values.single_line_text, xml_values.descendants(element, ("Language",))),
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
    return [element for element in capability if xml_values.has_name(element, *names)]


def _supports_sld(capability: Optional[etree._Element]) -> bool:
    """Return SupportSLD of UserDefinedSymbolization (05-078r4 7.3, 01-068r3 7.1.4.3)."""
    for element in () if capability is None else capability:
        if xml_values.has_name(element, "UserDefinedSymbolization"):
            return bool(xml_values.parse_boolean(xml_values.attribute(element, "SupportSLD")))
    return False


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


def _formats(element: Optional[etree._Element]) -> Tuple[str, ...]:
    """Return the texts of the Format elements, each once. In WMS 1.0.0 formats are empty elements inside Format."""
    formats: List[str] = []
    for child in () if element is None else element:
        if not xml_values.has_name(child, "Format"):
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


def prune_capabilities(data: bytes, names: Collection[str]) -> bytes:
    """Return the capabilities document with only the layers called ``names`` (case-sensitive) and the groups above
    them.

    Everything that these layers inherit stays, and so does everything outside the layer tree. Raises UnreadableDocument
    for XML that is not well-formed.
    """
    root = parse_document(data)
    needed = frozenset(names)
    # layers are in Capability, in some documents directly in the root
    for parent in (root, *root):
        for child in [element for element in parent if xml_values.has_name(element, "Layer")]:
            _prune_layer(child, needed)
    return safe_xml.serialise(root)


def _prune_layer(layer: etree._Element, names: Collection[str]) -> bool:
    """Remove unneeded layers below ``layer``. Return whether ``layer`` is needed or contains a needed one."""
    needed = xml_values.child_text(layer, "Name") in names
    for child in [element for element in layer if xml_values.has_name(element, "Layer")]:
        if _prune_layer(child, names):
            needed = True
        else:
            layer.remove(child)
    return needed

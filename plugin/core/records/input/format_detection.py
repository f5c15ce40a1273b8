"""Detection of a document's format by its first bytes and its root element, never by its file name."""

from __future__ import annotations

import re
from enum import Enum
from typing import Dict, Optional, Sequence, Tuple

from lxml import etree

from ...errors import NotARecord
from ...i18n import tr, tr_noop, translated
from ...safe_xml import strip_preamble
from ...text import truncate
from ..model.record import RecordFormat
from ..rdf.turtle import looks_like_turtle
from ..xml.element_names import split_tag


class DocumentFormat(str, Enum):
    """Formats of documents that are recognised by their first bytes."""

    XML = "xml"
    HTML = "html"
    JSON = "json"
    TURTLE = "turtle"
    ZIP = "zip"
    PDF = "pdf"
    IMAGE = "image"
    COMPRESSED = "compressed"
    DATABASE = "database"
    SHAPEFILE = "shapefile"
    TEXT = "text"
    BINARY = "binary"
    EMPTY = "empty"


_ISO_ROOTS = frozenset(("MD_Metadata", "MI_Metadata"))
_DUBLIN_CORE_ROOTS = frozenset(("Record", "SummaryRecord", "BriefRecord"))
_ATOM = "http://www.w3.org/2005/Atom"
#: envelopes of catalogues, which are valid without a record
_RESPONSE_ROOTS = frozenset(("GetRecordsResponse", "GetRecordByIdResponse", "SearchResults"))
#: elements of a response that are not entries (OGC 07-006r1 10.8.5, OGC 12-176r7 7.3.5)
_RESPONSE_PARTS = frozenset(("RequestId", "SearchStatus", "SearchResults", "FederatedSearchResult",
                             "FederatedSearchResultBase", "FederatedException"))

_EXCEPTIONS = frozenset(("ExceptionReport", "ServiceExceptionReport", "WMTException", "apiError", "Envelope", "Fault",
                         "OAI-PMH"))
#: elements with the text of other exceptions than OGC's: GeoNetwork's API, SOAP 1.1 and 1.2, OAI-PMH
_MESSAGE_ELEMENTS = {
    "apiError": ("code", "message", "description"), "Fault": ("faultstring", "Text"), "OAI-PMH": ("error", )
}

#: letters after "<" in most documents: <?xml, <gmd:, <GetRecordsResponse, <csw:, <mdb:. They spare the other tests
_COMMON_FIRST_LETTERS = b"?gGcm"
_SUFFIXES = {DocumentFormat.JSON: ("json", "application/json"), DocumentFormat.TURTLE: ("ttl", "text/turtle")}
#: characters in which the first statement of Turtle begins
_TURTLE_HEAD = 8192
_SIGNATURES = (
    (b"\x89PNG", DocumentFormat.IMAGE),
    (b"\xff\xd8\xff", DocumentFormat.IMAGE),
    (b"GIF8", DocumentFormat.IMAGE),
    (b"II*\x00", DocumentFormat.IMAGE),
    (b"MM\x00*", DocumentFormat.IMAGE),
    (b"BM", DocumentFormat.IMAGE),
    (b"PK\x03\x04", DocumentFormat.ZIP),
    (b"PK\x05\x06", DocumentFormat.ZIP),
    (b"%PDF", DocumentFormat.PDF),
    (b"\x1f\x8b", DocumentFormat.COMPRESSED),
    (b"BZh", DocumentFormat.COMPRESSED),
    (b"\xfd7zXZ", DocumentFormat.COMPRESSED),
    (b"7z\xbc\xaf", DocumentFormat.COMPRESSED),
    (b"Rar!", DocumentFormat.COMPRESSED),
    (b"SQLite format 3", DocumentFormat.DATABASE),
    (b"{\\rtf", DocumentFormat.TEXT),
    (b"\x00\x00\x27\x0a", DocumentFormat.SHAPEFILE),
)


def detect_format(data: bytes) -> DocumentFormat:
    """Return the DocumentFormat of ``data`` by its first bytes."""
    if data[:1] == b"<" and data[1:2] in _COMMON_FIRST_LETTERS:
        return DocumentFormat.XML
    for signature, document_format in _SIGNATURES:
        # "BM" begins a bitmap, but also plain text
        if data.startswith(signature) and not (signature == b"BM" and data[:64].isascii()):
            return document_format
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return DocumentFormat.IMAGE
    head = strip_preamble(data[:65536])
    first_character = head.lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n")[:1]
    if first_character and first_character in b"<@#_bBpP" and looks_like_turtle(
            head[:_TURTLE_HEAD].decode("utf-8", "replace").lstrip("\ufeff")):
        return DocumentFormat.TURTLE
    if first_character == b"<":
        return DocumentFormat.HTML if _is_html(head) else DocumentFormat.XML
    if first_character in (b"{", b"["):
        return DocumentFormat.JSON
    if not first_character:
        return DocumentFormat.BINARY if data.strip(b" \t\r\n\xef\xbb\xbf\xff\xfe") else DocumentFormat.EMPTY
    return DocumentFormat.BINARY if b"\x00" in head[:1024] else DocumentFormat.TEXT


def document_suffix(data: bytes) -> Tuple[str, str]:
    """Return the suffix of a file with the document of a record, and its media type."""
    return _SUFFIXES.get(detect_format(data), ("xml", "application/xml"))


def _is_html(head: bytes) -> bool:
    text = head[:2048].replace(b"\x00", b"").lower().lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return text.startswith((b"<!doctype html", b"<html", b"<head", b"<body"))


def looks_like_html(data: bytes) -> bool:
    """Return True if a document that is not well-formed XML has an HTML element near its beginning."""
    head = data[:4096].replace(b"\x00", b"").lower()
    return b"<html" in head or b"<!doctype html" in head


def record_format(element: etree._Element) -> Optional[RecordFormat]:
    """Return the RecordFormat whose reader reads ``element`` as a record, or None if it is not a record."""
    namespace, local = split_tag(element.tag)
    if local in _ISO_ROOTS or local.endswith(("_MD_Metadata", "_MI_Metadata")):
        return _iso_format(element)
    if local in _DUBLIN_CORE_ROOTS and "/cat/csw" in namespace:
        return RecordFormat.DUBLIN_CORE
    if local == "entry" and namespace == _ATOM:
        return RecordFormat.ATOM
    if local == "simpledc" or (local == "dc" and "openarchives.org" in namespace):
        return RecordFormat.DUBLIN_CORE
    for name, value in element.items():
        if name.endswith("isoType") and value.split(":")[-1] in _ISO_ROOTS:
            return _iso_format(element)
    return None


def _iso_format(element: etree._Element) -> RecordFormat:
    """Return the encoding of a record, which in an application profile only the elements in it show."""
    is_new = any("19115/-3/" in node.tag for node in (element, *element.iterchildren("*")))
    return RecordFormat.ISO19115_3 if is_new else RecordFormat.ISO19139


def response_entries(root: etree._Element) -> Optional[Sequence[etree._Element]]:
    """Return the entries of a catalogue's response, of whatever kind, or None if the document is not a response."""
    if root.tag == f"{{{_ATOM}}}feed":
        return [node for node in root if node.tag == f"{{{_ATOM}}}entry"]
    envelopes = [node for node in root.iter("*") if split_tag(node.tag)[1] in _RESPONSE_ROOTS]
    if not envelopes:
        return None
    return [entry for envelope in envelopes for entry in envelope if split_tag(entry.tag)[1] not in _RESPONSE_PARTS]


def is_wms_capabilities(root: etree._Element) -> bool:
    """Return True for WMS capabilities of any version."""
    return split_tag(root.tag)[1] in ("WMS_Capabilities", "WMT_MS_Capabilities")


def _service_of_namespace(namespace: str) -> str:
    for part, word in (("/wms", "WMS"), ("/wfs", "WFS"), ("/wmts", "WMTS"), ("/wcs", "WCS"), ("/cat/csw", "CSW"),
                       ("/wps", "WPS"), ("/sos", "SOS")):
        if part in namespace:
            return word
    return "OGC"


#: descriptions of documents without records, by the local name of the root element
_ROOT_DESCRIPTIONS: Dict[str, str] = {name: description for description, names in (
    (tr_noop("a WMS capabilities document"), "WMS_Capabilities WMT_MS_Capabilities"),
    (tr_noop("a WFS capabilities document"), "WFS_Capabilities"),
    (tr_noop("a WCS capabilities document"), "WCS_Capabilities"),
    (tr_noop("a TMS capabilities document"), "TileMapService"),
    (tr_noop("a service exception"), "ServiceExceptionReport WMTException"),
    (tr_noop("an exception report"), "apiError"),
    (tr_noop("a DescribeLayer response"), "WMS_DescribeLayerResponse DescribeLayerResponse"),
    (tr_noop("a map style (SLD)"), "StyledLayerDescriptor"),
    (tr_noop("a collection of features (GML)"), "FeatureCollection"),
    (tr_noop("a GetFeatureInfo response"), "FeatureInfoResponse msGMLOutput"),
    (tr_noop("a DIF metadata record, a format that Cartoguide does not read"), "DIF"),
    (tr_noop("an RDF document without data sets and services of DCAT"), "RDF"),
    (tr_noop("an INTERLIS transfer (GM03), a format that Cartoguide does not read"), "TRANSFER"),
    (tr_noop("an EML metadata record, a format that Cartoguide does not read"), "eml"),
    (tr_noop("an ANZMETA metadata record, a format that Cartoguide does not read"), "anzmeta"),
    (tr_noop("a register (ISO 19135)"), "RE_Register"),
    (tr_noop("an OpenSearch description"), "OpenSearchDescription"),
    (tr_noop("an Atom feed"), "feed"),
    (tr_noop("an Atom entry"), "entry"),
    (tr_noop("an RSS feed"), "rss"),
    (tr_noop("an HTML page"), "html"),
    (tr_noop("an SVG image"), "svg"),
    (tr_noop("a KML document"), "kml"),
    (tr_noop("a GPX document"), "gpx"),
    (tr_noop("a QGIS project"), "qgis"),
    (tr_noop("a QGIS layer definition"), "qlr"),
    (tr_noop("an XML schema"), "schema"),
    (tr_noop("an XSLT style sheet"), "stylesheet"),
    (tr_noop("a feature catalogue (ISO 19110)"), "FC_FeatureCatalogue"),
    (tr_noop("a catalogue of code lists"), "CT_CodelistCatalogue CodeListDictionary"),
    (tr_noop("a SensorML document"), "SensorML"),
    (tr_noop("an OWS context document"), "OWSContext"),
    (tr_noop("a WMC context document"), "ViewContext"),
    (tr_noop("a CSW response without records"),
     "DescribeRecordResponse GetDomainResponse TransactionResponse HarvestResponse Acknowledgement"),
    (tr_noop("a CSW request"), "GetRecords GetRecordById DescribeRecord GetDomain Harvest"),
    (tr_noop("an OGC request"), "GetCapabilities"),
) for name in names.split()}


#: descriptions of envelopes that may contain records, used only if no record was found in them
_ENVELOPE_DESCRIPTIONS: Dict[str, str] = {name: description for description, names in (
    (tr_noop("a CSW request"), "Transaction"),
    (tr_noop("a WPS request or response"), "Execute"),
    (tr_noop("a catalogue of code lists"), "Dictionary"),
    (tr_noop("a catalogue of reference systems"), "CT_CrsCatalogue"),
    (tr_noop("a catalogue of units"), "CT_UomCatalogue"),
    (tr_noop("an OGC request"), "GetFeature GetMap DescribeFeatureType GetCoverage"),
) for name in names.split()}

_ISO_METADATA = re.compile(r"isotc211\.org/(?:2005|19115|19157)|standards\.iso\.org/(?:iso/)?(?:19115|19139|19157)",
                           re.IGNORECASE)


def describe_document(root: etree._Element) -> str:
    """Return a translated description of a document that contains no record."""
    return _known_description(root) or tr("an XML document of another kind")


def _known_description(root: etree._Element) -> Optional[str]:
    """Return the description of a document without records, or None for XML of an unknown kind."""
    namespace, local = split_tag(root.tag)
    if local == "ExceptionReport":
        return tr("a CSW exception") if "/cat/csw" in namespace else tr("an OGC exception report")
    if local == "Capabilities":
        return tr("a {service} capabilities document", service=_service_of_namespace(namespace))
    if local == "metadata" and not namespace:
        return _describe_metadata(root)
    if local == "RDF" and "rdf-syntax" not in namespace:
        return None
    if local in ("Envelope", "Fault") and "soap" in namespace:
        return tr("a SOAP message")
    if local == "OAI-PMH":
        return tr("an OAI-PMH response")
    if local == "info" and root.find("general") is not None:
        return tr("the table of contents of a GeoNetwork package (MEF); open the package itself")
    known = _ROOT_DESCRIPTIONS.get(local) or _ENVELOPE_DESCRIPTIONS.get(local)
    return translated(known) if known else _describe_by_namespace(namespace)


def _describe_by_namespace(namespace: str) -> Optional[str]:
    """Return a description of a document by the namespace of its root element, or None."""
    if _ISO_METADATA.search(namespace):
        return tr("a part of an ISO metadata record, not a whole one")
    if "opengis.net/wps" in namespace:
        return tr("a WPS request or response")
    if "opengis.net/sos" in namespace or "opengis.net/om/" in namespace:
        return tr("an observation or another response of a sensor service (SOS)")
    if "opengis.net/gml" in namespace:
        return tr("a GML document")
    return None


def _describe_metadata(root: etree._Element) -> Optional[str]:
    children = {split_tag(child.tag)[1] for child in root if isinstance(child.tag, str)}
    if children & {"idinfo", "metainfo"}:
        return tr("an FGDC metadata record, a format that Cartoguide does not read")
    if children & {"Esri", "dataIdInfo", "mdFileID"}:
        return tr("an ArcGIS metadata record, a format that Cartoguide does not read")
    return None


def exception_text(root: etree._Element) -> str:
    """Return the code and text of an exception report (OGC 06-121r9 clause 8, OGC 06-042 Annex E)."""
    messages = []
    for node in root.iter("*"):
        local = split_tag(node.tag)[1]
        if local in ("Exception", "ServiceException"):
            code = node.get("exceptionCode") or node.get("code") or ""
            text = " ".join(" ".join(node.itertext()).split())
            messages.append(": ".join(part for part in (code, text) if part))
        elif local in _MESSAGE_ELEMENTS:
            texts = [
                " ".join(" ".join(inner.itertext()).split()) for inner in node.iter("*")
                if split_tag(inner.tag)[1] in _MESSAGE_ELEMENTS[local]
            ]
            messages.append(": ".join(dict.fromkeys(text for text in texts if text)))
    return "; ".join(message for message in messages if message)


def not_a_record_error(root: etree._Element, name: str = "") -> NotARecord:
    """Return the error for a well-formed XML document without a record, which describes the document."""
    description = _known_description(root)
    document = name or tr("The document")
    exception = exception_text(root) if split_tag(root.tag)[1] in _EXCEPTIONS else ""
    detail = f"<{root.tag}>"
    if description is None:
        return NotARecord(
            tr("{name} is not a catalogue record; its root element is {element}.", name=document,
               element=split_tag(root.tag)[1][:80]), detail, describe_document(root))
    if exception:
        return NotARecord(
            tr("{name} is not a catalogue record but {what}: {said}", name=document, what=description,
               said=truncate(exception, 300)), f"{detail} {exception}", description)
    return NotARecord(tr("{name} is not a catalogue record but {what}.", name=document, what=description), detail,
                      description)


_FORMAT_DESCRIPTIONS: Dict[DocumentFormat, str] = {
    DocumentFormat.HTML: tr_noop("an HTML page"),
    DocumentFormat.IMAGE: tr_noop("an image"),
    DocumentFormat.PDF: tr_noop("a PDF document"),
    DocumentFormat.COMPRESSED: tr_noop("a compressed file; unpack it first"),
    DocumentFormat.DATABASE: tr_noop("an SQLite database"),
    DocumentFormat.SHAPEFILE: tr_noop("a shapefile"),
    DocumentFormat.TEXT: tr_noop("plain text"),
    DocumentFormat.BINARY: tr_noop("a binary file"),
    DocumentFormat.JSON: tr_noop("a JSON document of another kind"),
    DocumentFormat.TURTLE: tr_noop("an RDF document without data sets and services of DCAT"),
    DocumentFormat.ZIP: tr_noop("a zip package"),
}


def unsupported_format_error(document_format: DocumentFormat, name: str = "") -> NotARecord:
    """Return the error for bytes in a format that contains no records."""
    description = translated(_FORMAT_DESCRIPTIONS[document_format])
    return NotARecord(
        tr("{name} is not a catalogue record but {what}.", name=name or tr("The document"), what=description), "",
        description)


def is_other_document(root: etree._Element) -> bool:
    """Return True if the root element is that of a document without records, such as capabilities."""
    local = split_tag(root.tag)[1]
    if local in ("ExceptionReport", "Capabilities"):
        return True
    return local in _ROOT_DESCRIPTIONS and local not in ("feed", "entry")

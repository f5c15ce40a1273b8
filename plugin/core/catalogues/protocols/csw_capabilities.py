"""Capabilities of a CSW (OGC 07-006r1 10.4, OGC 12-176r7 7.1): version, schemas, queryables, addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Tuple

from lxml import etree

from ... import safe_xml
from ...errors import NotARecord
from ...i18n import tr
from ...records.input.format_detection import describe_document
from ...records.xml.element_names import split_tag
from ...request import HttpMethod, Request
from ...wms.requests.urls import with_parameters
from ..declared_addresses import is_loopback, trusted_address
from ..model import SourceKind

CSW_202 = "http://www.opengis.net/cat/csw/2.0.2"
CSW_30 = "http://www.opengis.net/cat/csw/3.0"
GMD = "http://www.isotc211.org/2005/gmd"
_OWS = {CSW_202: "http://www.opengis.net/ows", CSW_30: "http://www.opengis.net/ows/2.0"}
_XLINK = "{http://www.w3.org/1999/xlink}href"


@dataclass(frozen=True)
class CswCapabilities:
    """Capabilities of one CSW.

    ``version`` is 2.0.2 or 3.0.0. ``post_address`` and ``get_address`` are those of GetRecords. ``max_records`` is the
    largest page that the server announces (0 if it announces none).
    """

    version: str
    post_address: str
    get_address: str
    title: str = ""
    schemas: Tuple[str, ...] = ()
    queryables: Tuple[str, ...] = ()
    formats: Tuple[str, ...] = ()
    max_records: int = 0

    @property
    def kind(self) -> SourceKind:
        return SourceKind.CSW_3 if self.version.startswith("3") else SourceKind.CSW_2

    @property
    def best_schema(self) -> str:
        """Return the richest offered output schema that can be read: ISO 19139, else ISO 19115-3, else Dublin Core."""
        for schema in self.schemas:
            if schema.rstrip("/") == GMD:
                return schema
        newer = sorted((schema for schema in self.schemas if "19115/-3/mdb" in schema), reverse=True)
        if newer:
            return newer[0]
        return CSW_30 if self.version.startswith("3") else CSW_202

    def queryable(self, *names: str) -> str:
        """Return the server's spelling of the first of ``names`` that it lists, or the first name if it lists none."""
        for name in names:
            if name in self.queryables:
                return name
        for name in names:
            local = name.rpartition(":")[2].lower()
            for listed in self.queryables:
                if listed.rpartition(":")[2].rpartition("/")[2].lower() == local:
                    return listed
        return names[0]

    def has_queryable(self, *names: str) -> bool:
        """Return True if the server lists one of ``names`` among its queryables, in any spelling."""
        return any(name.rpartition(":")[2].lower() == listed.rpartition(":")[2].rpartition("/")[2].lower()
                   for name in names for listed in self.queryables)

    def can_sort(self, *names: str) -> bool:
        """Return True if results can be sorted by one of ``names``. Assumed for servers that list no queryables."""
        return not self.queryables or self.has_queryable(*names)


def capabilities_request(address: str, version: str = "") -> Request:
    """Return a GetCapabilities request. Without ``version`` the server responds in its best one (OGC 06-121r9 7.3.2).

    2.0.2 knows the parameter VERSION, 3.0 AcceptVersions. A list of versions is not sent, because pycsw rejects it.
    """
    parameters = {"SERVICE": "CSW", "REQUEST": "GetCapabilities"}
    if version:
        parameters["VERSION" if version == "2.0.2" else "ACCEPTVERSIONS"] = version
    return Request(HttpMethod.GET, with_parameters(address, parameters), {"Accept": "application/xml"})


def is_capabilities(root: etree._Element) -> bool:
    """Return True if ``root`` is a capabilities document of a supported CSW version."""
    namespace, local = split_tag(root.tag)
    return local == "Capabilities" and namespace in _OWS


def parse_csw_capabilities(data: bytes, address: str) -> CswCapabilities:
    """Return the capabilities in a document from ``address``. Raises NotARecord if it is another document."""
    root = safe_xml.parse(data, address)
    if not is_capabilities(root):
        raise NotARecord(
            tr("{name} returned {what} instead of the capabilities of a CSW catalogue.", name=address,
               what=describe_document(root)), f"<{root.tag}>", "capabilities")
    namespace = split_tag(root.tag)[0]
    version = "3.0.0" if namespace == CSW_30 else "2.0.2"
    ows = _OWS[namespace]
    operation = next((node for node in root.iter(f"{{{ows}}}Operation") if node.get("name") == "GetRecords"), None)
    # the allowed values of each parameter and constraint, by its name in lower case
    domains: Dict[str, List[str]] = {}
    for node in _domains(root, operation, ows):
        domains.setdefault((node.get("name") or "").lower(), []).extend(_values(node, ows))
    queryables = [value for name, values in domains.items() for value in values
                  if name.endswith("queryables") and value.lower() not in ("allowed", "true", "false")]
    max_records = next((value for name in ("maxrecorddefault", "maxrecords") for value in domains.get(name, ())), "")
    title = root.findtext(f"{{{ows}}}ServiceIdentification/{{{ows}}}Title") or ""
    return CswCapabilities(version=version, post_address=_post_address(operation, ows, address),
                           get_address=_get_address(operation, ows, address), title=" ".join(title.split()),
                           schemas=tuple(dict.fromkeys(domains.get("outputschema", ()))),
                           queryables=tuple(dict.fromkeys(queryables)),
                           formats=tuple(dict.fromkeys(domains.get("outputformat", ()))),
                           max_records=int(max_records) if max_records.isdigit() else 0)


def _domains(root: etree._Element, operation: Optional[etree._Element], ows: str) -> Iterator[etree._Element]:
    """Yield the parameters and constraints of GetRecords, then those of all operations."""
    elements = [operation] if operation is not None else []
    elements += root.findall(f"{{{ows}}}OperationsMetadata")
    for element in elements:
        for name in ("Parameter", "Constraint"):
            yield from element.findall(f"{{{ows}}}{name}")


def _values(node: etree._Element, ows: str) -> List[str]:
    names = (f"{{{ows}}}Value", f"{{{ows}}}DefaultValue")
    return [value.text.strip() for value in node.iter(*names) if value.text and value.text.strip()]


def _post_address(operation: Optional[etree._Element], ows: str, address: str) -> str:
    """Return the address to which GetRecords is posted as XML, as declared if it can be trusted."""
    declared = []
    for post in operation.iter(f"{{{ows}}}Post") if operation is not None else ():
        encodings = [value.upper() for node in post.findall(f"{{{ows}}}Constraint") for value in _values(node, ows)]
        if post.get(_XLINK) and (not encodings or "XML" in encodings):
            declared.append(post.get(_XLINK, "").strip())
    return _usable_address(declared, address)


def _get_address(operation: Optional[etree._Element], ows: str, address: str) -> str:
    declared = [node.get(_XLINK, "") for node in operation.iter(f"{{{ows}}}Get")] if operation is not None else []
    return _usable_address(declared, address)


def _usable_address(declared: List[str], address: str) -> str:
    """Return the declared address of an operation, or ``address`` if it is valid only on the server's own machine."""
    if not declared or (is_loopback(declared[0]) and not is_loopback(address)):
        return address
    return trusted_address(declared[0], address)

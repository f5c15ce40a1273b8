"""XMP packets (ISO 16684-1) with a map's title, creators, rights, licences and sources.

Dublin Core, XMP Rights Management and Creative Commons' properties are what image libraries, search engines and
archives read.
"""

from __future__ import annotations

from typing import Iterable, List, Optional, Sequence, Tuple

from lxml import etree

from ..text import printable
from .map_statement import MapStatement

_NAMESPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "cc": "http://creativecommons.org/ns#",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "xmpRights": "http://ns.adobe.com/xap/1.0/rights/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "pdfaid": "http://www.aiim.org/pdfa/ns/id/",
    "photoshop": "http://ns.adobe.com/photoshop/1.0/",
    "pdfaExtension": "http://www.aiim.org/pdfa/ns/extension/",
    "pdfaSchema": "http://www.aiim.org/pdfa/ns/schema#",
    "pdfaProperty": "http://www.aiim.org/pdfa/ns/property#",
}
#: properties that PDF/A does not know and wants described (ISO 19005-3, 6.6.2.3), with their types
_CC_PROPERTIES = (("license", "Bag URI", "Licences of the map's sources"),
                  ("attributionName", "Text", "Credits to show with the map"))
_META = "adobe:ns:meta/"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_BEGIN = '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
_END = '\n<?xpacket end="r"?>'


def xmp_packet(statement: MapStatement, media_type: str, pdfa: Optional[Tuple[int, str]] = None) -> bytes:
    """Return the packet of a map in a file of ``media_type`` as UTF-8.

    ``pdfa`` is the part and the conformance level of PDF/A that the file conforms to.
    """
    root = etree.Element(f"{{{_META}}}xmpmeta", nsmap={"x": _META})
    rdf = etree.SubElement(root, _name("rdf:RDF"), nsmap=dict(_NAMESPACES.items()))
    description = etree.SubElement(rdf, _name("rdf:Description"))
    description.set(_name("rdf:about"), "")
    properties = _Properties(description, statement.language)
    properties.text("dc:format", media_type)
    properties.translated("dc:title", statement.title)
    properties.translated("dc:description", statement.summary)
    properties.items("dc:creator", "rdf:Seq", statement.creators)
    properties.items("dc:subject", "rdf:Bag", statement.keywords)
    properties.items("dc:language", "rdf:Bag", [statement.language])
    rights = "\n".join(statement.credits)
    properties.translated("dc:rights", rights)
    properties.text("photoshop:Credit", "; ".join(statement.credits))
    properties.text("dc:source", "\n".join(_each(source.endpoint for source in statement.sources)))
    properties.text("dc:coverage", "; ".join(_each(time for source in statement.sources for time in source.times)))
    properties.items("dc:relation", "rdf:Bag", [source.record_id for source in statement.sources])
    licences = _each(source.licence_url for source in statement.sources)
    if licences:
        properties.resources("cc:license", licences)
        properties.text("cc:attributionName", "; ".join(statement.credits))
        properties.text("xmpRights:WebStatement", licences[0])
    if rights:
        properties.text("xmpRights:Marked", "True")
        properties.translated("xmpRights:UsageTerms", "\n".join(_each(source.licence for source in statement.sources)))
    properties.text("xmp:CreateDate", statement.made)
    properties.text("xmp:ModifyDate", statement.made)
    properties.text("xmp:MetadataDate", statement.made)
    properties.text("xmp:CreatorTool", statement.software)
    if media_type == "application/pdf":
        properties.text("pdf:Producer", statement.software)
        properties.text("pdf:Keywords", ", ".join(statement.keywords))
    if pdfa is not None:
        properties.text("pdfaid:part", str(pdfa[0]))
        properties.text("pdfaid:conformance", pdfa[1])
        if licences:
            _describe_properties(description, "cc", "Creative Commons", _CC_PROPERTIES)
    etree.cleanup_namespaces(root, keep_ns_prefixes=["rdf", "dc"])
    body = str(etree.tostring(root, encoding="unicode", pretty_print=True))
    return (_BEGIN + body + _END).encode("utf-8")


class _Properties:
    """The properties of one rdf:Description. Empty values are left out."""

    def __init__(self, description: etree._Element, language: str) -> None:
        self._description, self._language = description, language or "x-default"

    def text(self, name: str, value: str) -> None:
        """Add a simple value."""
        if value.strip():
            etree.SubElement(self._description, _name(name)).text = printable(value)

    def translated(self, name: str, value: str) -> None:
        """Add a text in the map's language, which is the default too."""
        if value.strip():
            alternatives = etree.SubElement(etree.SubElement(self._description, _name(name)), _name("rdf:Alt"))
            for language in dict.fromkeys(("x-default", self._language)):
                item = etree.SubElement(alternatives, _name("rdf:li"))
                item.set(_LANGUAGE, language)
                item.text = printable(value)

    def items(self, name: str, kind: str, values: Sequence[str]) -> None:
        """Add several values, in order (rdf:Seq) or not (rdf:Bag)."""
        values = _each(values)
        if values:
            container = etree.SubElement(etree.SubElement(self._description, _name(name)), _name(kind))
            for value in values:
                etree.SubElement(container, _name("rdf:li")).text = printable(value)

    def resources(self, name: str, addresses: Sequence[str]) -> None:
        """Add addresses as resources in a rdf:Bag, a single one too, because the property is described as one."""
        container = etree.SubElement(etree.SubElement(self._description, _name(name)), _name("rdf:Bag"))
        for address in addresses:
            etree.SubElement(container, _name("rdf:li")).set(_name("rdf:resource"), printable(address))


def _describe_properties(description: etree._Element, prefix: str, schema: str,
                         described: Sequence[Tuple[str, str, str]]) -> None:
    """Add the extension schema of properties, given as name, type and description."""
    bag = etree.SubElement(etree.SubElement(description, _name("pdfaExtension:schemas")), _name("rdf:Bag"))
    item = etree.SubElement(bag, _name("rdf:li"))
    item.set(_name("rdf:parseType"), "Resource")
    for name, value in (("schema", schema), ("namespaceURI", _NAMESPACES[prefix]), ("prefix", prefix)):
        etree.SubElement(item, _name(f"pdfaSchema:{name}")).text = value
    properties = etree.SubElement(etree.SubElement(item, _name("pdfaSchema:property")), _name("rdf:Seq"))
    for name, value_type, text in described:
        entry = etree.SubElement(properties, _name("rdf:li"))
        entry.set(_name("rdf:parseType"), "Resource")
        for member, value in (("name", name), ("valueType", value_type), ("category", "external"),
                              ("description", text)):
            etree.SubElement(entry, _name(f"pdfaProperty:{member}")).text = value


def _each(values: Iterable[str]) -> List[str]:
    return list(dict.fromkeys(value.strip() for value in values if value.strip()))


def _name(qualified: str) -> str:
    prefix, name = qualified.split(":")
    return f"{{{_NAMESPACES[prefix]}}}{name}"

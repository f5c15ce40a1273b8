"""Reader of DCAT 2 and 3, as DCAT-AP, GeoDCAT-AP and DCAT-US use it: data sets, series and data services of a graph.

A bounded reader of the subset of RDF that catalogues write: RDF/XML, Turtle, N-Triples, and JSON-LD without contexts
at other addresses. Each record alone is written as Turtle. Values that no field has are unread, by their properties.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import Any, Dict, List, Optional, Set, Tuple
from urllib.parse import unquote

from lxml import etree

from ... import safe_xml
from ...addresses import is_web_address
from ...errors import CartoguideError, NotARecord
from ...i18n import tr
from ...json_document import parse_json
from ..model.extents import extent_from_corners, extent_of_positions, parse_numbers
from ..model.languages import alpha3
from ..model.record import (
    Conformance,
    Constraint,
    ConstraintGroup,
    ConstraintKind,
    Contact,
    DistributionFormat,
    Extent,
    KeywordGroup,
    OnlineResource,
    Overview,
    Record,
    RecordDate,
    RecordFormat,
    ResourceKind,
    TemporalExtent,
    UnreadValue,
)
from ..rdf.description import GraphReading, RdfDescription, last_part
from ..rdf.graph import RDF_TYPE, Graph, Literal, Node, Value, as_turtle, name
from ..rdf.json_ld import is_json_ld, read_json_ld
from ..rdf.rdf_xml import read_rdf_xml
from ..rdf.turtle import read_turtle
from ..xml.element_names import split_tag
from ..xml.record_builder import flat_constraints, flat_keywords, resource_kind
from .json_values import legal_constraints, stated_terms
from .ogcapi_records import pop_extents

Element = etree._Element

_DATASETS = ("dcat:Dataset", "dcat:DatasetSeries", "dctype:Dataset")
_SERVICES = ("dcat:DataService", "dctype:Service")
#: of these one is there if a node is described, and not only named
_DESCRIBING = ("dct:title", "dct:description", "dcat:distribution", "dcat:endpointURL", "dc:title")
#: properties that lead to another record. What they name is no part of this one
_TO_RECORDS = frozenset(name(short) for short in (
    "dcat:dataset", "dcat:service", "dcat:record", "dcat:catalog", "dcat:servesDataset", "dcat:inSeries",
    "dct:isPartOf", "dct:hasPart", "dcat:next", "dcat:prev", "dct:relation", "dct:source", "dct:isVersionOf",
    "dct:hasVersion", "dct:replaces", "dct:isReplacedBy", "foaf:primaryTopic", "dct:isReferencedBy", "dct:references"))
_PARTIES: Tuple[Tuple[str, str], ...] = (
    ("dcat:contactPoint", "pointOfContact"), ("adms:contactPoint", "pointOfContact"), ("dct:publisher", "publisher"),
    ("dct:creator", "author"), ("dct:rightsHolder", "rightsHolder"), ("dct:contributor", "contributor"),
    ("dc:publisher", "publisher"), ("dc:creator", "author"), ("dcatde:originator", "originator"),
    ("dcatde:maintainer", "custodian"),
    *((f"{prefix}:{role}", role) for prefix in ("geodcat", "geodcatap") for role in (
        "custodian", "distributor", "originator", "principalInvestigator", "processor", "resourceProvider", "user")))
#: texts of a statement of rights (Open Data Rights Statement Vocabulary) that are read as terms
_RIGHTS_TEXTS = ("odrs:copyrightNotice", "odrs:copyrightStatement", "odrs:databaseRightStatement",
                 "odrs:reuserGuidelines", "odrs:dataLicense", "odrs:contentLicense", "odrs:copyrightHolder")
_CREDIT_TEXTS = ("odrs:attributionText", "dcatde:licenseAttributionByText")
_ACCESS_CODE = re.compile(r"https?://(?:publications\.europa\.eu/resource/authority/access-right/|"
                          r"inspire\.ec\.europa\.eu/metadata-?codelist/)", re.IGNORECASE)
_CRS = re.compile(r"/def/crs/|urn:ogc:def:crs:", re.IGNORECASE)
_IANA = re.compile(r"https?://www\.iana\.org/assignments/media-types/", re.IGNORECASE)
_WKT_CRS = re.compile(r"\A\s*<([^<>\s]+)>\s*")
_WKT_NUMBERS = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_MAX_WKT = 200_000


def read_elements(roots: List[Element], language: str, original: Optional[bytes], source: str) -> List[Record]:
    """Return the records of graphs in RDF/XML, which are read as one. ``original`` is the document if it is one graph.
    """
    graph = Graph(source)
    read_rdf_xml(roots, graph)
    return read_graph(graph, language, original, source)


def describes(roots: List[Element]) -> bool:
    """Return whether graphs in RDF/XML have a data set, a series, a service, or what a catalogue says of one."""
    graph = Graph()
    read_rdf_xml(roots, graph)
    links = _Links(GraphReading(graph))
    return bool(links.records) or any(map(links.is_record, graph.subjects()))


def read_turtle_records(data: bytes, language: str, source: str) -> List[Record]:
    """Return the records of a document in Turtle. Raises UnreadableDocument, NotARecord if it has none."""
    try:
        text = safe_xml.to_utf8(data).decode("utf-8", "replace")
    except (LookupError, UnicodeDecodeError):
        text = data.decode("utf-8", "replace")
    graph = Graph(source)
    read_turtle(text.lstrip("\ufeff"), graph, source or tr("The document"))
    records = read_graph(graph, language, data, source)
    if not records:
        raise not_dcat_error(source)
    return records


def read_value(value: Any, language: str, data: bytes, source: str) -> Optional[List[Record]]:
    """Return the records of a parsed JSON document, or None without records of DCAT in JSON-LD."""
    if not is_json_ld(value):
        return None
    graph = Graph(source)
    read_json_ld(value, graph)
    return read_graph(graph, language, data, source) or None


def not_dcat_error(source: str) -> NotARecord:
    """Return the error for a graph without data sets and services."""
    what = tr("an RDF document without data sets and services of DCAT")
    return NotARecord(tr("{name} is not a catalogue record but {what}.", name=source or tr("The document"), what=what),
                      "", what)


def read_graph(graph: Graph, language: str, original: Optional[bytes], source: str) -> List[Record]:
    """Return the data sets, series and services of a graph, else its catalogues, in the order of the document.

    ``original`` is the document, which is that of the record if there is only one.
    """
    reading = GraphReading(graph, tuple(filter(None, (alpha3(language), "eng"))), source)
    links = _Links(reading)
    nodes = [node for node in graph.subjects() if links.is_record(node)]
    nodes = nodes or [node for node in graph.subjects() if name("dcat:Catalog") in graph.types(node)
                      and any(graph.values(node, name(short)) for short in _DESCRIBING)]
    reading.records = set(nodes)
    return [_Resource(reading, links, node).record(original if len(nodes) == 1 else None, source) for node in nodes]


class _Links:
    """The nodes of a graph by the properties that lead to them."""

    def __init__(self, reading: GraphReading) -> None:
        self._reading = reading
        self.records: Dict[Value, List[Node]] = defaultdict(list)
        self.services: Dict[Value, List[Node]] = defaultdict(list)
        self._listed: Set[Value] = set()
        self._accessed: Set[Value] = set()
        graph = reading.graph
        for node in graph.subjects():
            for value in graph.values(node, name("foaf:primaryTopic")):
                self.records[value].append(node)
            for value in graph.values(node, name("dcat:servesDataset")):
                self.services[value].append(node)
            for short in ("dcat:dataset", "dcat:service"):
                self._listed.update(graph.values(node, name(short)))
            self._accessed.update(graph.values(node, name("dcat:accessService")))

    def is_record(self, node: Node) -> bool:
        """Return whether a node is a data set, a series or a service, and is described."""
        graph = self._reading.graph
        types = set(graph.types(node))
        is_dataset = any(name(short) in types for short in _DATASETS)
        is_service = any(name(short) in types for short in _SERVICES) and (
            node in self._listed or node not in self._accessed)
        # data portals leave the class of what a catalogue lists to its reader
        is_listed = not types and node in self._listed
        return (is_dataset or is_service or is_listed) and any(graph.values(node, name(short)) for short in _DESCRIBING)


class _Resource:
    """A data set, a series, a service or a catalogue as a record."""

    def __init__(self, reading: GraphReading, links: _Links, node: Node) -> None:
        self._reading, self._links, self._node = reading, links, node
        self._about = RdfDescription(reading, node)
        written = [alpha3(last_part(str(value.text if isinstance(value, Literal) else value)))
                   for value in self._about.values("dct:language")]
        if len(reading.languages) < 2:
            # without a person's language that of the record comes before English
            self._about.reading = replace(reading, languages=tuple(filter(None, (*written, *reading.languages))))
        self._metadata = [RdfDescription(self._about.reading, other, self._about.used) for other in links.records[node]]
        self._metadata += self._about.inner("foaf:isPrimaryTopicOf")
        self._credits: List[str] = []
        self._formats: Dict[str, None] = {}

    def record(self, original: Optional[bytes], source: str) -> Record:
        """Return the record. Without ``original`` it is written as Turtle."""
        about, parts = self._about, self._parts()
        for metadata in self._metadata:
            metadata.take("foaf:primaryTopic")
        is_service = about.has_type(*_SERVICES)
        level = next(iter(about.labels("dct:type")), None)
        kind = resource_kind(level)
        if is_service or about.has_type("dcat:DatasetSeries") or kind is ResourceKind.OTHER:
            kind = next((found for short, found in (
                ("dcat:DatasetSeries", ResourceKind.SERIES), ("dcat:Catalog", ResourceKind.OTHER))
                if about.has_type(short)), ResourceKind.SERVICE if is_service else ResourceKind.DATASET)
        identifiers = about.texts("dct:identifier", "dc:identifier")
        blocks = [self._terms(about)]
        online = self._service_links(about, None) if is_service else []
        for distribution in about.inner("dcat:distribution", "adms:sample"):
            blocks.append(self._terms(distribution))
            online += self._distribution_links(distribution)
        for service in self._links.services[self._node]:
            served = RdfDescription(about.reading, service, about.used)
            served.used.add((service, name("dcat:servesDataset"), self._node))
            blocks.append(self._terms(served))
            online += self._service_links(served, None)
        online += self._pages(about)
        systems, conformance = self._standards(about)
        keyword_groups = self._keywords(about)
        constraint_groups = [*self._access(), *legal_constraints(*blocks)]
        values: Dict[str, Any] = {
            "id": identifiers[0] if identifiers else about.address or None,
            "alternate_titles": [*identifiers[1:], *about.texts("dct:alternative", "skos:altLabel")],
            "title": about.text("dct:title", "dc:title", "rdfs:label"),
            "abstract": about.text("dct:description", "dc:description"),
            "parent_id": next(map(_identifier, about.inner("dcat:inSeries", "dct:isPartOf")), None),
            "language": next((last_part(text).lower() for holder in (*self._metadata, about)
                              for text in holder.labels("dct:language")), None),
            "hierarchy_level": level, "kind": kind,
            "date_stamp": next(filter(None, (holder.text("dct:modified", "dct:issued") for holder in self._metadata)),
                               None),
            "standard_name": next((item.label() or item.address for holder in self._metadata
                                   for item in holder.inner("dct:conformsTo")), None),
            "metadata_contacts": [contact for holder in self._metadata for contact in _contacts(holder)],
            "dates": [RecordDate(text, date) for short, date in (
                ("dct:issued", "publication"), ("dct:modified", "revision"), ("dct:created", "creation"))
                for text in about.texts(short)],
            "status": about.labels("adms:status"), "contacts": _contacts(about), "keyword_groups": keyword_groups,
            "keywords": flat_keywords(keyword_groups), "constraint_groups": constraint_groups,
            "credits": list(dict.fromkeys([*self._credits, *about.texts("dct:bibliographicCitation")])),
            "service_type": self._service_type(about, online) if is_service else None,
            "operates_on": [_identifier(item) for item in about.inner("dcat:servesDataset")],
            "extents": self._extents(about), "temporal_extents": _periods(about), "reference_systems": systems,
            "conformance": conformance, "lineage": "\n".join(_statements(about, "dct:provenance")) or None,
            "formats": [DistributionFormat(text) for text in self._formats], "online": online,
            "overviews": [Overview(address) for short in ("foaf:depiction", "schema:thumbnail", "schema:image")
                          for address in _addresses(about, short)],
        }
        values = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
        values.update(flat_constraints(constraint_groups))
        if original is None:
            original = as_turtle([statement for _, statement in parts])
        unread = about.unread(parts)
        if identifiers and about.address and about.address not in identifiers:
            unread = (UnreadValue("@id", about.address), *unread)
        return Record(RecordFormat.DCAT.value, original=original, source=source, unread=unread, **values)

    def _parts(self) -> List[Tuple[str, Tuple[Node, str, Value]]]:
        """Return the statements of this record, of its record in the catalogue, and of the services that serve it.

        The class of a service that belongs to the record is left out, lest it be a record by itself.
        """
        def follow(predicate: str, value: Value) -> bool:
            return predicate not in _TO_RECORDS and (value not in self._reading.records or predicate == name(
                "dcat:accessService"))

        holders = [("", self._node), *(("foaf:isPrimaryTopicOf", other) for other in self._links.records[self._node]),
                   *(("dcat:service", other) for other in self._links.services[self._node])]
        found: Dict[Tuple[Node, str, Value], str] = {}
        services = {value for value in self._links.services[self._node] if value != self._node}
        for prefix, node in holders:
            for path, statement in RdfDescription(self._reading, node).parts(follow):
                subject, predicate, value = statement
                is_inner = subject in services or subject != self._node and subject in self._reading.records
                if is_inner and (predicate == RDF_TYPE or predicate == name("dcat:servesDataset")
                                 and value != self._node):
                    continue
                found.setdefault(statement, f"{prefix}/{path}" if prefix else path)
        # the other records that this one names are known by their identifiers
        for (_, predicate, value), path in list(found.items()):
            for identifier in RdfDescription(self._reading, value).values("dct:identifier") if (
                    predicate in _TO_RECORDS and value in self._reading.records and value != self._node) else ():
                found.setdefault((str(value), name("dct:identifier"), identifier), f"{path}/dct:identifier")
        return [(path, statement) for statement, path in found.items()]

    def _terms(self, holder: RdfDescription) -> List[Constraint]:
        """Return licence and rights of a data set, a distribution or a service, and keep the credits that they ask for.
        """
        found: List[Constraint] = []
        for item in holder.inner("dct:license", "dct:rights", "schema:license", "dc:rights", "odrl:hasPolicy"):
            self._credits += item.texts(*_CREDIT_TEXTS)
            texts = [text for text in (item.label(), *item.texts("dct:description", "rdfs:comment", "skos:definition"),
                                       *item.labels(*_RIGHTS_TEXTS)) if text]
            href = item.address if is_web_address(item.address) else None
            if isinstance(item.node, Literal):
                found += stated_terms(texts)
                continue
            if not texts and href is None:
                # the type of a licence is all that is said of it: "Attribution" (ADMS)
                texts = item.labels("dct:type") or [text for text in (item.address,) if text]
            found += [Constraint(texts[0] if texts else None, href)] if texts or href else []
            found += stated_terms(texts[1:])
        self._credits += holder.texts(*_CREDIT_TEXTS)
        return found + stated_terms(holder.labels(*_RIGHTS_TEXTS))

    def _access(self) -> List[ConstraintGroup]:
        found: List[Constraint] = []
        for item in self._about.inner("dct:accessRights"):
            label, href = item.label(), item.address if is_web_address(item.address) else None
            if href and _ACCESS_CODE.match(href):
                label = ""  # the label of a code
            texts = [text for text in (label, *item.texts("dct:description")) if text]
            found += [Constraint(texts[0] if texts else None, href)] if texts or href else []
            found += stated_terms(texts[1:])
        if not found:
            return []
        return [ConstraintGroup(ConstraintKind.LEGAL, access_constraints=("otherRestrictions",),
                                other_constraints=tuple(dict.fromkeys(found)))]

    def _distribution_links(self, distribution: RdfDescription) -> List[OnlineResource]:
        """Return the links of a distribution. Its format is that of the file, if it has one beside a page."""
        title, description = distribution.text("dct:title", "rdfs:label"), distribution.text("dct:description")
        form = distribution.inner("dct:format")
        format_text = next((text for item in form for text in (item.label() or last_part(item.address),) if text), None)
        media = next(filter(None, map(_media_type, distribution.inner("dcat:mediaType"))), None)
        media = media or next(filter(None, (_media_type(item) for item in form if _IANA.match(item.address)
                                            or "/" in item.label())), None)
        if format_text or media:
            self._formats.setdefault(format_text or media or "")
        standards = [item.address or item.label() for item in distribution.inner("dct:conformsTo")]
        uri = next((text for text in standards if not _CRS.search(text)), None) or next(
            (item.address for item in form if item.address and not _IANA.match(item.address)), None)
        protocol = None if format_text == media else format_text
        files = _addresses(distribution, "dcat:downloadURL")
        pages = [address for address in _addresses(distribution, "dcat:accessURL") if address not in files]
        links = [OnlineResource(address, protocol, title, description, "download", None, uri, media_type=media)
                 for address in files]
        links += [OnlineResource(address, None if files else protocol, title, description, None, None,
                                 None if files else uri, media_type=None if files else media) for address in pages]
        for service in distribution.inner("dcat:accessService"):
            self._formats.update(dict.fromkeys(service.labels("dct:format")))
            # the address of the distribution is often that of its service
            reached = self._service_links(service, title)
            links = [link for link in links if link.url not in {other.url for other in reached}] + reached
        return links

    def _service_links(self, service: RdfDescription, title: Optional[str]) -> List[OnlineResource]:
        named, description = title or service.text("dct:title", "rdfs:label"), service.text("dct:description")
        protocol = next((item.address or item.label() for item in service.inner("dct:conformsTo")
                         if not _CRS.search(item.address)), None) if service.node != self._node else next(
            (item for item in (str(value.text if isinstance(value, Literal) else value)
                               for value in service.values("dct:conformsTo")) if not _CRS.search(item)), None)
        is_uri = protocol is not None and ":" in protocol
        links = [OnlineResource(address, None if is_uri else protocol, named, description, None, None,
                                protocol if is_uri else None) for address in _addresses(service, "dcat:endpointURL")]
        links += [OnlineResource(address, None, named, None, "endpointDescription")
                  for address in _addresses(service, "dcat:endpointDescription")]
        return links

    def _service_type(self, about: RdfDescription, online: List[OnlineResource]) -> Optional[str]:
        """Return INSPIRE's type of a service or its protocol."""
        types = [last_part(item.address) for item in about.inner("geodcat:serviceType", "geodcatap:serviceType")]
        return next(iter(types), None) or next((link.protocol_uri or link.protocol for link in online
                                                if link.protocol_uri or link.protocol), None)

    def _pages(self, about: RdfDescription) -> List[OnlineResource]:
        found = []
        for short, function in (("dcat:landingPage", "landingPage"), ("foaf:page", "documentation"),
                                ("foaf:homepage", "documentation")):
            for item in about.inner(short):
                address = item.address if is_web_address(item.address) else item.label()
                if address:
                    found.append(OnlineResource(address, None, (item.label() if item.address else "") or None,
                                                function=function))
        return found

    def _standards(self, about: RdfDescription) -> Tuple[List[str], List[Conformance]]:
        systems = about.labels("geodcat:referenceSystem", "geodcatap:referenceSystem")
        conformance = []
        for item in about.inner("dct:conformsTo"):
            label = item.label()
            if _CRS.search(item.address or label) or any(_CRS.search(text) for text in item.labels("dct:identifier")):
                systems.append(item.address or label)
            else:
                conformance.append(Conformance(title=label or None, identifier=item.address or None))
        return list(dict.fromkeys(systems)), conformance

    def _keywords(self, about: RdfDescription) -> List[KeywordGroup]:
        groups = []
        words = about.texts("dcat:keyword", "dc:subject", "schema:keywords")
        if words:
            groups.append(KeywordGroup(tuple(words)))
        by_scheme: Dict[Tuple[str, str], List[str]] = {}
        for short, kind in (("dcat:theme", "theme"), ("dct:subject", "theme"), ("dcatap:hvdCategory", "theme"),
                            ("dct:spatial", "place")):
            for item in about.inner(short):
                if kind == "place" and not item.address and not item.values("skos:prefLabel", "rdfs:label",
                                                                             "locn:geographicName"):
                    continue
                scheme = next(iter(item.labels("skos:inScheme")), "") or (
                    item.address[:-len(last_part(item.address))].rstrip("/#") if item.address else "")
                word = item.label() if not isinstance(item.node, Literal) or kind != "place" else ""
                word = word or unquote(last_part(item.address))
                if word:
                    by_scheme.setdefault((kind, scheme), []).append(word)
        groups += [KeywordGroup(tuple(dict.fromkeys(words)), kind, scheme or None)
                   for (kind, scheme), words in by_scheme.items()]
        return groups

    def _extents(self, about: RdfDescription) -> List[Extent]:
        found: List[Extent] = []
        for place in about.inner("dct:spatial"):
            if isinstance(place.node, Literal):
                # DCAT-US: west, south, east, north
                numbers = parse_numbers(place.node.text)
                box = extent_from_corners(numbers[:2], numbers[2:]) if len(numbers) == 4 else None
                found += [box] if box is not None else []
                if box is None:
                    about.used.discard((self._node, name("dct:spatial"), place.node))
                continue
            boxes: List[Extent] = []
            for short in ("dcat:bbox", "locn:geometry", "geosparql:asWKT", "dcat:centroid"):
                for value in place.values(short):
                    read = _extent_of(value)
                    if read is not None and (not boxes or read[0] in boxes):
                        boxes.append(read[0])
                        if read[1]:
                            place.used.add((str(place.node), name(short), value))
            found += boxes
        return list(dict.fromkeys(found))


def _identifier(item: RdfDescription) -> str:
    """Return the identifier of another record that this one names, else its address."""
    return item.text("dct:identifier") or item.address or item.label()


def _addresses(holder: RdfDescription, short: str) -> List[str]:
    return list(dict.fromkeys(text for item in holder.inner(short) for text in (item.address or item.label(),) if text))


def _media_type(item: RdfDescription) -> str:
    """Return a media type that is written as a text or as an address of IANA's register."""
    if _IANA.match(item.address):
        return _IANA.sub("", item.address)
    label = item.label() or last_part(item.address)
    return label


def _statements(about: RdfDescription, short: str) -> List[str]:
    """Return the texts of statements, of which each is a text or a node with a label and a description."""
    return [text for item in about.inner(short)
            for text in (item.label(), *item.texts("dct:description", "rdfs:comment")) if text]


def _contacts(about: RdfDescription) -> List[Contact]:
    found = [contact for short, role in _PARTIES for item in about.inner(short)
             for contact in (_contact(item, role),) if contact]
    for attribution in about.inner("prov:qualifiedAttribution"):
        role = next(iter(attribution.labels("dcat:hadRole", "dct:type", "prov:hadRole")), None)
        found += [contact for item in attribution.inner("prov:agent") for contact in (_contact(item, role),) if contact]
    return list(dict.fromkeys(found))


def _contact(item: RdfDescription, role: Optional[str]) -> Optional[Contact]:
    if isinstance(item.node, Literal):
        return Contact(organisation=item.label() or None, role=role) if item.label() else None
    organisation = item.text("vcard:organization-name", "vcard:hasOrganizationName")
    called = item.text("foaf:name", "vcard:fn", "schema:name", "skos:prefLabel", "rdfs:label")
    if organisation is None and not item.has_type("vcard:Individual", "foaf:Person"):
        organisation, called = called, None
    emails = [_without_scheme(text, "mailto:") for text in _contact_values(
        item, "vcard:hasEmail", "vcard:email", "foaf:mbox", "schema:email")]
    phones = [_without_scheme(text, "tel:") for text in _contact_values(
        item, "vcard:hasTelephone", "vcard:tel", "foaf:phone", "schema:telephone")]
    places = [text for place in item.inner("vcard:hasAddress", "vcard:adr", "locn:address") for text in place.texts(
        "vcard:street-address", "locn:thoroughfare", "vcard:postal-code", "locn:postCode", "vcard:locality",
        "locn:postName", "vcard:region", "vcard:country-name", "locn:adminUnitL1", "locn:fullAddress")]
    pages = _contact_values(item, "foaf:homepage", "vcard:hasURL", "foaf:workplaceHomepage")
    url = next(iter(pages), None) or (item.address if is_web_address(item.address) else None)
    contact = Contact(organisation, called, None, tuple(emails), tuple(phones), ", ".join(places) or None, url, role)
    return contact if contact != Contact(role=role) else None


def _contact_values(item: RdfDescription, *properties: str) -> List[str]:
    """Return mail addresses, telephone numbers or pages, each an address, a text, or the value of a node (vCard)."""
    return [text for holder in item.inner(*properties)
            for text in (_addresses(holder, "vcard:hasValue") or [holder.address or holder.label()]) if text]


def _without_scheme(text: str, scheme: str) -> str:
    return text[len(scheme):] if text.lower().startswith(scheme) else text


def _periods(about: RdfDescription) -> List[TemporalExtent]:
    found = []
    for item in about.inner("dct:temporal"):
        if isinstance(item.node, Literal):
            begin, _, end = item.label().partition("/")
            found.append(TemporalExtent(begin or None, end or (begin if "/" not in item.label() else None) or None))
            continue
        begins = item.texts("dcat:startDate", "schema:startDate", "schemas:startDate") or _instants(
            item, "time:hasBeginning")
        ends = item.texts("dcat:endDate", "schema:endDate", "schemas:endDate") or _instants(item, "time:hasEnd")
        if begins or ends:
            found.append(TemporalExtent(next(iter(begins), None), next(iter(ends), None)))
    return found


def _instants(item: RdfDescription, short: str) -> List[str]:
    return [text for instant in item.inner(short) for text in instant.texts(
        "time:inXSDDateTimeStamp", "time:inXSDDateTime", "time:inXSDDate", "time:inXSDgYear", "time:inXSDgYearMonth")]


def _extent_of(value: Value) -> Optional[Tuple[Extent, bool]]:
    """Return the extent of a geometry (WKT, GML or GeoJSON), and whether it is a box, or None if it cannot be read."""
    if not isinstance(value, Literal) or len(value.text) > _MAX_WKT:
        return None
    text = value.text.strip()
    try:
        if text.startswith("{"):
            feature: Dict[str, Any] = {"geometry": parse_json(text.encode("utf-8", "replace"))}
            found = pop_extents(feature, {})
            return (found[0], "geometry" not in feature) if found else None
        if text.startswith("<") and not _WKT_CRS.match(text):
            return _extent_of_gml(safe_xml.parse(text.encode("utf-8", "replace")))
    except CartoguideError:
        return None
    named = _WKT_CRS.match(text)
    numbers = [float(number) for number in _WKT_NUMBERS.findall(text[named.end():] if named else text)]
    return _extent_around(numbers, named.group(1) if named else None) if re.match(
        r"[A-Z]+", text[named.end():] if named else text, re.IGNORECASE) else None


def _extent_of_gml(root: Element) -> Optional[Tuple[Extent, bool]]:
    crs = root.get("srsName")
    numbers = [number for node in root.iter("*") if split_tag(node.tag)[1] in (
        "lowerCorner", "upperCorner", "posList", "pos", "coordinates") for number in parse_numbers(node.text or "")]
    if len(numbers) == 4:
        box = extent_from_corners(numbers[:2], numbers[2:], crs)
        return (box, True) if box is not None else None
    return _extent_around(numbers, crs)


def _extent_around(numbers: List[float], crs: Optional[str]) -> Optional[Tuple[Extent, bool]]:
    """Return the extent around positions in the axis order of their CRS, and whether they are its corners."""
    pairs = list(zip(numbers[::2], numbers[1::2]))
    if not pairs or len(numbers) % 2 or any(abs(number) > 1e9 for number in numbers):
        return None
    xs, ys = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    box = extent_from_corners((min(xs), min(ys)), (max(xs), max(ys)), crs) if crs else extent_of_positions(pairs)
    corners = {(x, y) for x in (min(xs), max(xs)) for y in (min(ys), max(ys))}
    return (box, set(pairs) <= corners) if box is not None else None

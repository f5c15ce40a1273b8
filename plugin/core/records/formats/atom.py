"""Atom entries that lead to services and data (RFC 4287), with GeoRSS, Dublin Core and OWS context offerings."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from typing import Dict, List, Optional

from lxml import etree

from ..model.endpoints import is_web_address
from ..model.extents import extent_from_corners, extent_of_positions, parse_numbers
from ..model.record import (
    ConnectPoint,
    Constraint,
    ConstraintGroup,
    Contact,
    KeywordGroup,
    OnlineResource,
    Operation,
    Overview,
    Record,
    RecordDate,
    TemporalExtent,
)
from ..xml.element_names import ElementNames
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler, clean_text
from ..xml.fast_walker import make_walker
from ..xml.field_handlers import set_once, text, texts
from ..xml.record_builder import build_record

SOURCE_FORMAT = "atom"
_ATOM = "http://www.w3.org/2005/Atom"
_NAMES = ElementNames(
    re.compile(r"https?://(?:www\.w3\.org/2005/Atom|purl\.org/dc/|www\.georss\.org/"
               r"|www\.opengis\.net/(?:gml|owc)|inspire\.ec\.europa\.eu/)"))
_NAVIGATION_RELATIONS = frozenset(("self", "search", "next", "previous", "first", "last", "up", "profile"))
_OVERVIEW_RELATIONS = frozenset(("icon", "preview", "thumbnail"))
#: the types of text constructs (RFC 4287 3.1.1)
_TEXT_CONSTRUCT_TYPES = frozenset(("", "text", "html", "xhtml"))
_TAG = re.compile(r"<[^<>]{1,2000}>")
#: the last word of an OWS context offering's code, and the service type that it means
_OFFERING_SERVICE_TYPES = {
    "wms": "OGC:WMS", "wmts": "OGC:WMTS", "wfs": "OGC:WFS", "wcs": "OGC:WCS", "wps": "OGC:WPS", "csw": "OGC:CSW"
}


def _category(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    word = clean_text(prop.get("label")) or clean_text(prop.get("term"))
    if word is None:
        reading.add_unread_element(prop)
        return
    taken = {"scheme", "label" if clean_text(prop.get("label")) else "term"}
    if clean_text(prop.get("term")) == word:
        taken.add("term")
    reading.add_unread_attributes(prop, frozenset(taken))
    bag.setdefault("subjects", {}).setdefault(clean_text(prop.get("scheme")), []).append(word)


def _link(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    relation = (clean_text(prop.get("rel")) or "").lower()
    url = clean_text(prop.get("href"))
    if url is None or relation in _NAVIGATION_RELATIONS:
        reading.add_unread_element(prop)
        return
    media, title = clean_text(prop.get("type")), clean_text(prop.get("title"))
    if relation == "license":
        bag.setdefault("rights", []).append(Constraint(title, url))
        reading.add_unread_attributes(prop, frozenset(("href", "title", "rel")))
    elif relation in _OVERVIEW_RELATIONS:
        bag.setdefault("overviews", []).append(Overview(url, title, media))
        reading.add_unread_attributes(prop, frozenset(("href", "title", "rel", "type")))
    else:
        bag.setdefault("online", []).append(OnlineResource(url, media, title, None, clean_text(prop.get("rel"))))
        reading.add_unread_attributes(prop, frozenset(("href", "title", "rel", "type")))


def _person(role: str) -> Handler:
    table: Dict[str, Handler] = {"name": text("name"), "email": texts("emails"), "uri": text("url")}

    def build(bag: FieldValues) -> Contact:
        return Contact(individual=bag.get("name"), emails=tuple(bag.get("emails", ())), url=bag.get("url"), role=role)

    def read(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
        own: FieldValues = {}
        reading.walk(prop, table, own)
        if own:
            bag.setdefault("contacts", []).append(build(own))
    return read


def _text_construct(field: str) -> Handler:
    """An Atom text construct: plain, escaped HTML or XHTML (RFC 4287 3.1); markup is dropped."""
    def read(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
        kind = (prop.get("type") or "").strip()
        reading.add_unread_attributes(prop, frozenset(("type",)) if kind in _TEXT_CONSTRUCT_TYPES else frozenset())
        value = clean_text(" ".join("".join(prop.itertext()).split()) if len(prop) else prop.text)
        if value is not None and kind.endswith("html"):
            value = clean_text(_TAG.sub(" ", value))
        if value is not None:
            set_once(reading, prop, bag, field, value)
    return read


def _rights(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    own: FieldValues = {}
    _text_construct("value")(reading, prop, own)
    if "value" in own:
        value = " ".join(own["value"].split())
        bag.setdefault("rights", []).append(Constraint(value, value if is_web_address(value) else None))


def _date(kind: Optional[str]) -> Handler:
    def read(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
        value = reading.text(prop)
        if value is not None and value.count("/") == 1:
            begin, end = (clean_text(part) for part in value.split("/"))
            bag.setdefault("temporal_extents", []).append(TemporalExtent(begin, end))
        elif value is not None:
            bag.setdefault("dates", []).append(RecordDate(value, kind))
    return read


def _organisation(role: str) -> Handler:
    def read(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
        value = reading.text(prop)
        if value is not None:
            bag.setdefault("contacts", []).append(Contact(organisation=value, role=role))
    return read


def _georss_extent(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    """GeoRSS: box, polygon, line and point with latitude first, or a GML envelope or polygon in its own CRS."""
    crs: Optional[str] = "EPSG:4326"
    values: List[float] = []
    for node in prop.iter("*"):
        crs = node.get("srsName") or crs
        values += parse_numbers(node.text or "")
    pairs = list(zip(values[::2], values[1::2]))
    box = None
    if len(values) == 4:
        box = extent_from_corners(values[:2], values[2:], crs)
    elif pairs:
        around = extent_of_positions([(second, first) for first, second in pairs])
        if around is not None and around.south is not None and around.north is not None:
            box = extent_from_corners((around.south, around.west or 0.0), (around.north, around.east or 0.0), crs)
    if box is not None:
        bag.setdefault("extents", []).append(box)
    if box is None or len(values) != 4:
        reading.add_unread_element(prop)  # a box says less than a polygon


def _offering(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    """owc:offering: a service with its operations (OGC 12-084r2 7.4)."""
    code = clean_text(prop.get("code")) or ""
    kind = _OFFERING_SERVICE_TYPES.get(code.rsplit("/", 1)[-1].lower())
    if kind is not None:
        set_once(reading, prop, bag, "service_type", kind)
    reading.add_unread_attributes(prop, frozenset(("code",)) if kind is not None else frozenset())
    for child in prop:
        href = clean_text(child.get("href"))
        if _NAMES[child.tag] == "operation" and href is not None:
            method = clean_text(child.get("method"))
            point = ConnectPoint(href, clean_text(child.get("type")))
            bag.setdefault("operations", []).append(
                Operation(clean_text(child.get("code")) or "", (method, ) if method else (), (point, )))
            reading.add_unread_attributes(child, frozenset(("href", "method", "type", "code")))
            for inner in child:
                reading.add_unread_element(inner)
        else:
            reading.add_unread_element(child)


def _subject(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    value = reading.text(prop)
    if value is not None:
        bag.setdefault("subjects", {}).setdefault(None, []).append(value)


def _source(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    """The feed that an entry is of: read when it is known what the entry says itself."""
    bag["source"] = prop


def _apply_feed_defaults(reading: ElementWalker, bag: FieldValues) -> None:
    """What holds by the feed for an entry that says nothing of its own; the rest of the feed has no field."""
    prop = bag.pop("source", None)
    if prop is None:
        return
    wanted: Dict[str, Handler] = {} if "rights" in bag else {"rights": _rights}
    if not any(contact.role == "author" for contact in bag.get("contacts", ())):
        wanted["author"] = _person("author")
    reading.walk(prop, wanted, bag)


_TABLE: Dict[str, Handler] = {
    "id": text("id"), "identifier": text("id"), "title": _text_construct("title"),
    "summary": _text_construct("abstract"), "content": _text_construct("abstract"),
    "description": _text_construct("abstract"), "updated": text("date_stamp"), "modified": text("date_stamp"),
    "published": _date("publication"), "date": _date(None), "created": _date("creation"),
    "issued": _date("publication"), "author": _person("author"), "contributor": _person("contributor"),
    "publisher": _organisation("publisher"), "creator": _organisation("originator"), "category": _category,
    "subject": _subject, "rights": _rights, "license": _rights, "link": _link, "where": _georss_extent,
    "box": _georss_extent, "polygon": _georss_extent, "point": _georss_extent, "line": _georss_extent,
    "offering": _offering, "language": text("language"), "spatial_dataset_identifier_code": text("dataset"),
    "source": _source,
}


def with_feed_source(entry: Element) -> Element:
    """An entry of a feed with what holds for it by the feed: its rights and authors where it has none of its own, put
    into an atom:source as for an entry that is copied elsewhere (RFC 4287 4.2.1, 4.2.10, 4.2.11).
    """
    feed = entry.getparent()
    if feed is None or entry.find(f"{{{_ATOM}}}source") is not None:
        return entry
    wanted = [node for name in ("author", "rights") if entry.find(f"{{{_ATOM}}}{name}") is None
              for node in feed.findall(f"{{{_ATOM}}}{name}")]
    if wanted:
        etree.SubElement(entry, f"{{{_ATOM}}}source").extend(deepcopy(node) for node in wanted)
    return entry


def read_entry(root: Element, language: str = "", original: bytes = b"", source: str = "",
               all_fields: bool = True) -> Record:
    """The Record that one atom:entry holds."""
    reading = make_walker(root, language, all_fields, _NAMES)
    bag: FieldValues = {}
    reading.walk(root, _TABLE, bag)
    dataset = bag.pop("dataset", None)
    if dataset is not None:
        reading.add_unread(root, dataset, "spatial_dataset_identifier_code")
    bag["keyword_groups"] = [KeywordGroup(tuple(words), None, scheme)
                             for scheme, words in bag.pop("subjects", {}).items()]
    _apply_feed_defaults(reading, bag)
    rights = bag.pop("rights", [])
    if rights:
        bag["constraint_groups"] = [ConstraintGroup("legal", other_constraints=tuple(rights))]
    kind = "service" if "service_type" in bag else "dataset" if dataset is not None else "other"
    return replace(build_record(reading, bag, SOURCE_FORMAT, original, source), kind=kind)

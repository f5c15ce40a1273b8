"""Reader of Atom entries (RFC 4287) for services and data, with GeoRSS, Dublin Core and OWS context offerings."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from typing import Dict, List, Optional

from lxml import etree

from ...addresses import is_web_address
from ...html_text import plain_text
from ..model.extents import extent_from_corners, extent_of_positions, parse_numbers
from ..model.languages import alpha3
from ..model.record import (
    ConnectPoint,
    Constraint,
    ConstraintGroup,
    ConstraintKind,
    Contact,
    OnlineResource,
    Operation,
    Overview,
    Record,
    RecordDate,
    RecordFormat,
    ResourceKind,
    TemporalExtent,
)
from ..xml.element_names import ElementNames
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler, clean_text, set_once, text, texts
from ..xml.record_builder import build_record, keyword_groups_by_scheme
from .ows_context import Offering, content_link

_ATOM = "http://www.w3.org/2005/Atom"
_NAMES = ElementNames(
    re.compile(r"https?://(?:www\.w3\.org/2005/Atom|purl\.org/dc/|www\.georss\.org/"
               r"|www\.opengis\.net/(?:gml|owc)|inspire\.ec\.europa\.eu/)"))
_NAVIGATION_RELATIONS = frozenset(("self", "search", "next", "previous", "first", "last", "up", "profile"))
_OVERVIEW_RELATIONS = frozenset(("icon", "preview", "thumbnail"))
#: the types of text constructs (RFC 4287 3.1.1)
_TEXT_CONSTRUCT_TYPES = frozenset(("", "text", "html", "xhtml"))
_TAG = re.compile(r"<[^<>]{1,2000}>")


def _category(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    keyword = clean_text(prop.get("label")) or clean_text(prop.get("term"))
    if keyword is None:
        walker.add_unread_element(prop)
        return
    read_attributes = {"scheme", "label" if clean_text(prop.get("label")) else "term"}
    if clean_text(prop.get("term")) == keyword:
        read_attributes.add("term")
    walker.add_unread_attributes(prop, frozenset(read_attributes))
    values.setdefault("subjects", {}).setdefault(clean_text(prop.get("scheme")), []).append(keyword)


def _link(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    relation = (clean_text(prop.get("rel")) or "").lower()
    url = clean_text(prop.get("href"))
    if url is None or relation in _NAVIGATION_RELATIONS:
        walker.add_unread_element(prop)
        return
    media, title = clean_text(prop.get("type")), clean_text(prop.get("title"))
    if relation == "license":
        values.setdefault("rights", []).append(Constraint(title, url))
        walker.add_unread_attributes(prop, frozenset(("href", "title", "rel")))
    elif relation in _OVERVIEW_RELATIONS:
        values.setdefault("overviews", []).append(Overview(url, title, media))
        walker.add_unread_attributes(prop, frozenset(("href", "title", "rel", "type")))
    else:
        values.setdefault("online", []).append(OnlineResource(url, media, title, None, clean_text(prop.get("rel"))))
        walker.add_unread_attributes(prop, frozenset(("href", "title", "rel", "type")))


def _person(role: str) -> Handler:
    table: Dict[str, Handler] = {"name": text("name"), "email": texts("emails"), "uri": text("url")}

    def build(values: FieldValues) -> Contact:
        return Contact(individual=values.get("name"), emails=tuple(values.get("emails", ())), url=values.get("url"),
                       role=role)

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        inner: FieldValues = {}
        walker.walk(prop, table, inner)
        if inner:
            values.setdefault("contacts", []).append(build(inner))
    return read


def _text_construct(field: str) -> Handler:
    """Return a handler for an Atom text construct: plain, escaped HTML or XHTML (RFC 4287 3.1). Markup is dropped."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        kind = (prop.get("type") or "").strip()
        walker.add_unread_attributes(prop, frozenset(("type",)) if kind in _TEXT_CONSTRUCT_TYPES else frozenset())
        value = clean_text(" ".join("".join(prop.itertext()).split()) if len(prop) else prop.text)
        if value is not None and kind.endswith("html"):
            value = clean_text(_TAG.sub(" ", plain_text(value)))
        elif value is not None and not len(prop):
            value = plain_text(value)
        if value is not None:
            set_once(walker, prop, values, field, value)
    return read


def _rights(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    inner: FieldValues = {}
    _text_construct("value")(walker, prop, inner)
    if "value" in inner:
        value = " ".join(inner["value"].split())
        values.setdefault("rights", []).append(Constraint(value, value if is_web_address(value) else None))


def _date(kind: Optional[str]) -> Handler:
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is not None and value.count("/") == 1:
            begin, end = (clean_text(part) for part in value.split("/"))
            values.setdefault("temporal_extents", []).append(TemporalExtent(begin, end))
        elif value is not None:
            values.setdefault("dates", []).append(RecordDate(value, kind))
    return read


def _organisation(role: str) -> Handler:
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is not None:
            values.setdefault("contacts", []).append(Contact(organisation=value, role=role))
    return read


def _georss_extent(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read GeoRSS: box, polygon, line and point with latitude first, or a GML envelope or polygon in its CRS."""
    crs: Optional[str] = "EPSG:4326"
    coordinates: List[float] = []
    for node in prop.iter("*"):
        crs = node.get("srsName") or crs
        coordinates += parse_numbers(node.text or "")
    pairs = list(zip(coordinates[::2], coordinates[1::2]))
    box = None
    if len(coordinates) == 4:
        box = extent_from_corners(coordinates[:2], coordinates[2:], crs)
    elif pairs:
        around = extent_of_positions([(second, first) for first, second in pairs])
        if around is not None and around.south is not None and around.north is not None:
            box = extent_from_corners((around.south, around.west or 0.0), (around.north, around.east or 0.0), crs)
    if box is not None:
        values.setdefault("extents", []).append(box)
    if box is None or len(coordinates) != 4:
        walker.add_unread_element(prop)  # a box says less than a polygon


def _offering(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read an owc:offering, a service with its operations (OGC 12-084r2 7.4)."""
    code = clean_text(prop.get("code")) or ""
    operations: List[Operation] = []
    contents: List[OnlineResource] = []
    for child in prop:
        href, media = clean_text(child.get("href")), clean_text(child.get("type"))
        if _NAMES[child.tag] == "operation" and href is not None:
            method = clean_text(child.get("method"))
            operations.append(Operation(clean_text(child.get("code")) or "", (method, ) if method else (),
                                        (ConnectPoint(href, media), )))
            walker.add_unread_attributes(child, frozenset(("href", "method", "type", "code")))
        elif _NAMES[child.tag] == "content" and href is not None:
            contents.append(content_link(code, href, clean_text(child.get("title")), media))
            walker.add_unread_attributes(child, frozenset(("href", "type", "title")))
        else:
            walker.add_unread_element(child)
            continue
        for inner in child:
            walker.add_unread_element(inner)
    found = Offering(code, tuple(operations), tuple(contents))
    if found.service_type is not None:
        set_once(walker, prop, values, "service_type", found.service_type)
    # links to contents carry the code too
    is_read = found.service_type is not None or contents
    walker.add_unread_attributes(prop, frozenset(("code",)) if is_read else frozenset())
    values.setdefault("operations", []).extend(operations)
    values.setdefault("online", []).extend(found.links)


def _subject(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    value = walker.text(prop)
    if value is not None:
        values.setdefault("subjects", {}).setdefault(None, []).append(value)


def _source(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Store the feed of an entry, which is read after the entry itself."""
    values["source"] = prop


def _apply_feed_defaults(walker: ElementWalker, values: FieldValues) -> None:
    """Read rights and authors from the feed if the entry has none. The rest of the feed has no field."""
    prop = values.pop("source", None)
    if prop is None:
        return
    missing: Dict[str, Handler] = {} if "rights" in values else {"rights": _rights}
    if not any(contact.role == "author" for contact in values.get("contacts", ())):
        missing["author"] = _person("author")
    walker.walk(prop, missing, values)


_TABLE: Dict[str, Handler] = {
    "id": text("id"),
    "identifier": text("id"),
    "title": _text_construct("title"),
    "summary": _text_construct("abstract"),
    "content": _text_construct("abstract"),
    "description": _text_construct("abstract"),
    "updated": text("date_stamp"),
    "modified": text("date_stamp"),
    "published": _date("publication"),
    "date": _date(None),
    "created": _date("creation"),
    "issued": _date("publication"),
    "author": _person("author"),
    "contributor": _person("contributor"),
    "publisher": _organisation("publisher"),
    "creator": _organisation("originator"),
    "category": _category,
    "subject": _subject,
    "rights": _rights,
    "license": _rights,
    "link": _link,
    "where": _georss_extent,
    "box": _georss_extent,
    "polygon": _georss_extent,
    "point": _georss_extent,
    "line": _georss_extent,
    "offering": _offering,
    "language": text("language"),
    "spatial_dataset_identifier_code": text("dataset"),
    "source": _source,
}


def with_feed_source(entry: Element) -> Element:
    """Return an entry with the rights and authors of its feed that apply to it, in an atom:source element.

    The entry is changed as if it were copied elsewhere (RFC 4287 4.2.1, 4.2.10, 4.2.11).
    """
    feed = entry.getparent()
    if feed is None or entry.find(f"{{{_ATOM}}}source") is not None:
        return entry
    missing = [node for name in ("author", "rights") if entry.find(f"{{{_ATOM}}}{name}") is None
               for node in feed.findall(f"{{{_ATOM}}}{name}")]
    if missing:
        etree.SubElement(entry, f"{{{_ATOM}}}source").extend(deepcopy(node) for node in missing)
    return entry


def read_entry(root: Element, language: str = "", original: bytes = b"", source: str = "") -> Record:
    """Return the Record of an atom:entry element. Arguments as for ``iso19139.read_record``."""
    walker = ElementWalker(root, alpha3(language), _NAMES)
    values: FieldValues = {}
    walker.walk(root, _TABLE, values)
    dataset = values.pop("dataset", None)
    if dataset is not None:
        walker.add_unread(root, dataset, "spatial_dataset_identifier_code")
    values["keyword_groups"] = keyword_groups_by_scheme(values.pop("subjects", {}))
    _apply_feed_defaults(walker, values)
    rights = values.pop("rights", [])
    if rights:
        values["constraint_groups"] = [ConstraintGroup(ConstraintKind.LEGAL, other_constraints=tuple(rights))]
    kind = (ResourceKind.SERVICE if "service_type" in values
            else ResourceKind.DATASET if dataset is not None else ResourceKind.OTHER)
    return replace(build_record(walker, values, RecordFormat.ATOM.value, original, source), kind=kind)

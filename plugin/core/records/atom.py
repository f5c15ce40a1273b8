"""Atom entries that lead to services and data (RFC 4287), with GeoRSS, Dublin Core and OWS context offerings."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from typing import Dict, List, Optional

from lxml import etree

from .boxes import from_corners, numbers, of_positions
from .handlers import put, text, texts
from .iso19139 import build_record
from .links import is_web_address
from .model import (
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
from .names import Names
from .quick import new_reading
from .reading import Bag, Element, Handler, Reading, clean

SOURCE_FORMAT = "atom"
_ATOM = "http://www.w3.org/2005/Atom"
_NAMES = Names(re.compile(r"https?://(?:www\.w3\.org/2005/Atom|purl\.org/dc/|www\.georss\.org/"
                          r"|www\.opengis\.net/(?:gml|owc)|inspire\.ec\.europa\.eu/)"))
_NAVIGATION = frozenset(("self", "search", "next", "previous", "first", "last", "up", "profile"))
_PICTURES = frozenset(("icon", "preview", "thumbnail"))
#: the types of text constructs (RFC 4287 3.1.1)
_CONSTRUCTS = frozenset(("", "text", "html", "xhtml"))
_TAG = re.compile(r"<[^<>]{1,2000}>")
#: the last word of an OWS context offering's code, and the service type that it means
_OFFERINGS = {"wms": "OGC:WMS", "wmts": "OGC:WMTS", "wfs": "OGC:WFS", "wcs": "OGC:WCS", "wps": "OGC:WPS",
              "csw": "OGC:CSW"}


def _category(reading: Reading, prop: Element, bag: Bag) -> None:
    word = clean(prop.get("label")) or clean(prop.get("term"))
    if word is None:
        reading.leave(prop)
        return
    taken = {"scheme", "label" if clean(prop.get("label")) else "term"}
    if clean(prop.get("term")) == word:
        taken.add("term")
    reading.attributes(prop, frozenset(taken))
    bag.setdefault("subjects", {}).setdefault(clean(prop.get("scheme")), []).append(word)


def _link(reading: Reading, prop: Element, bag: Bag) -> None:
    relation = (clean(prop.get("rel")) or "").lower()
    url = clean(prop.get("href"))
    if url is None or relation in _NAVIGATION:
        reading.leave(prop)
        return
    media, title = clean(prop.get("type")), clean(prop.get("title"))
    if relation == "license":
        bag.setdefault("rights", []).append(Constraint(title, url))
        reading.attributes(prop, frozenset(("href", "title", "rel")))
    elif relation in _PICTURES:
        bag.setdefault("overviews", []).append(Overview(url, title, media))
        reading.attributes(prop, frozenset(("href", "title", "rel", "type")))
    else:
        bag.setdefault("online", []).append(OnlineResource(url, media, title, None, clean(prop.get("rel"))))
        reading.attributes(prop, frozenset(("href", "title", "rel", "type")))


def _person(role: str) -> Handler:
    table: Dict[str, Handler] = {"name": text("name"), "email": texts("emails"), "uri": text("url")}

    def build(bag: Bag) -> Contact:
        return Contact(individual=bag.get("name"), emails=tuple(bag.get("emails", ())), url=bag.get("url"), role=role)

    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        own: Bag = {}
        reading.walk(prop, table, own)
        if own:
            bag.setdefault("contacts", []).append(build(own))
    return read


def _words(field: str) -> Handler:
    """An Atom text construct: plain, escaped HTML or XHTML (RFC 4287 3.1); markup is dropped."""
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        kind = (prop.get("type") or "").strip()
        reading.attributes(prop, frozenset(("type",)) if kind in _CONSTRUCTS else frozenset())
        value = clean(" ".join("".join(prop.itertext()).split()) if len(prop) else prop.text)
        if value is not None and kind.endswith("html"):
            value = clean(_TAG.sub(" ", value))
        if value is not None:
            put(reading, prop, bag, field, value)
    return read


def _rights(reading: Reading, prop: Element, bag: Bag) -> None:
    own: Bag = {}
    _words("value")(reading, prop, own)
    if "value" in own:
        value = " ".join(own["value"].split())
        bag.setdefault("rights", []).append(Constraint(value, value if is_web_address(value) else None))


def _date(kind: Optional[str]) -> Handler:
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value = reading.text(prop)
        if value is not None and value.count("/") == 1:
            begin, end = (clean(part) for part in value.split("/"))
            bag.setdefault("temporal_extents", []).append(TemporalExtent(begin, end))
        elif value is not None:
            bag.setdefault("dates", []).append(RecordDate(value, kind))
    return read


def _organisation(role: str) -> Handler:
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value = reading.text(prop)
        if value is not None:
            bag.setdefault("contacts", []).append(Contact(organisation=value, role=role))
    return read


def _where(reading: Reading, prop: Element, bag: Bag) -> None:
    """GeoRSS: box, polygon, line and point with latitude first, or a GML envelope or polygon in its own CRS."""
    crs: Optional[str] = "EPSG:4326"
    values: List[float] = []
    for node in prop.iter("*"):
        crs = node.get("srsName") or crs
        values += numbers(node.text or "")
    pairs = list(zip(values[::2], values[1::2]))
    box = None
    if len(values) == 4:
        box = from_corners(values[:2], values[2:], crs)
    elif pairs:
        around = of_positions([(second, first) for first, second in pairs])
        if around is not None and around.south is not None and around.north is not None:
            box = from_corners((around.south, around.west or 0.0), (around.north, around.east or 0.0), crs)
    if box is not None:
        bag.setdefault("extents", []).append(box)
    if box is None or len(values) != 4:
        reading.leave(prop)  # a box says less than a polygon


def _offering(reading: Reading, prop: Element, bag: Bag) -> None:
    """owc:offering: a service with its operations (OGC 12-084r2 7.4)."""
    code = clean(prop.get("code")) or ""
    kind = _OFFERINGS.get(code.rsplit("/", 1)[-1].lower())
    if kind is not None:
        put(reading, prop, bag, "service_type", kind)
    reading.attributes(prop, frozenset(("code",)) if kind is not None else frozenset())
    for child in prop:
        href = clean(child.get("href"))
        if _NAMES[child.tag] == "operation" and href is not None:
            method = clean(child.get("method"))
            point = ConnectPoint(href, clean(child.get("type")))
            bag.setdefault("operations", []).append(
                Operation(clean(child.get("code")) or "", (method,) if method else (), (point,)))
            reading.attributes(child, frozenset(("href", "method", "type", "code")))
            for inner in child:
                reading.leave(inner)
        else:
            reading.leave(child)


def _subject(reading: Reading, prop: Element, bag: Bag) -> None:
    value = reading.text(prop)
    if value is not None:
        bag.setdefault("subjects", {}).setdefault(None, []).append(value)


def _source(reading: Reading, prop: Element, bag: Bag) -> None:
    """The feed that an entry is of: read when it is known what the entry says itself."""
    bag["source"] = prop


def _of_feed(reading: Reading, bag: Bag) -> None:
    """What holds by the feed for an entry that says nothing of its own; the rest of the feed has no field."""
    prop = bag.pop("source", None)
    if prop is None:
        return
    wanted: Dict[str, Handler] = {} if "rights" in bag else {"rights": _rights}
    if not any(contact.role == "author" for contact in bag.get("contacts", ())):
        wanted["author"] = _person("author")
    reading.walk(prop, wanted, bag)


_TABLE: Dict[str, Handler] = {
    "id": text("id"), "identifier": text("id"), "title": _words("title"), "summary": _words("abstract"),
    "content": _words("abstract"), "description": _words("abstract"), "updated": text("date_stamp"),
    "modified": text("date_stamp"), "published": _date("publication"), "date": _date(None),
    "created": _date("creation"), "issued": _date("publication"), "author": _person("author"),
    "contributor": _person("contributor"), "publisher": _organisation("publisher"),
    "creator": _organisation("originator"), "category": _category, "subject": _subject, "rights": _rights,
    "license": _rights, "link": _link, "where": _where, "box": _where, "polygon": _where, "point": _where,
    "line": _where, "offering": _offering, "language": text("language"),
    "spatial_dataset_identifier_code": text("dataset"), "source": _source,
}


def with_source(entry: Element) -> Element:
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
               whole: bool = True) -> Record:
    """The Record that one atom:entry holds."""
    reading = new_reading(root, language, whole, _NAMES)
    bag: Bag = {}
    reading.walk(root, _TABLE, bag)
    dataset = bag.pop("dataset", None)
    if dataset is not None:
        reading.keep(root, dataset, "spatial_dataset_identifier_code")
    bag["keyword_groups"] = [KeywordGroup(tuple(words), None, scheme)
                             for scheme, words in bag.pop("subjects", {}).items()]
    _of_feed(reading, bag)
    rights = bag.pop("rights", [])
    if rights:
        bag["constraint_groups"] = [ConstraintGroup("legal", other_constraints=tuple(rights))]
    kind = "service" if "service_type" in bag else "dataset" if dataset is not None else "other"
    return replace(build_record(reading, bag, SOURCE_FORMAT, original, source), kind=kind)


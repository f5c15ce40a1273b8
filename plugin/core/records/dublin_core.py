"""Dublin Core in CSW 2.0.2 and 3.0.0 (csw:Record, SummaryRecord, BriefRecord), OAI-PMH and GeoNetwork's form."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Dict, List, Optional

from .boxes import from_bbox, from_corners, numbers
from .handlers import text, texts
from .iso19139 import build_record, kind_of
from .iso_extent import to_number
from .links import is_web_address
from .model import (
    Associated,
    Constraint,
    ConstraintGroup,
    Contact,
    Format,
    KeywordGroup,
    OnlineResource,
    Overview,
    Record,
    RecordDate,
    TemporalExtent,
)
from .names import Names
from .quick import new_reading
from .reading import Bag, Element, Handler, Reading, Table, clean

SOURCE_FORMAT = "csw-dc"
_NAMES = Names(re.compile(r"https?://(?:purl\.org/dc/|www\.opengis\.net/(?:cat/csw|ows|gml)|www\.openarchives\.org/)"))
_RESTRICTIONS = frozenset((
    "copyright", "patent", "patentPending", "trademark", "license", "intellectualPropertyRights", "restricted",
    "otherRestrictions"))
#: of a DCMI Box (DCMI Box Encoding Scheme)
_LIMIT = re.compile(r"\b(north|south|east|west)limit\s*=\s*([-+]?[\d.]+)", re.IGNORECASE)
_PROJECTED = re.compile(r"\bunits\s*=(?!\s*(?:signed )?(?:decimal )?degrees)", re.IGNORECASE)
_PERIOD = re.compile(r"\b(start|end)\s*=\s*([^;]+)", re.IGNORECASE)


def _value(reading: Reading, prop: Element, but: str = "") -> Optional[str]:
    """The text of a leaf; its attributes but one are kept, and so is everything that stands inside it."""
    reading.attributes(prop, frozenset((but,)))
    for child in prop:
        reading.leave(child)
    return clean(prop.text)


def _scheme(prop: Element, *names: str) -> Optional[str]:
    """An attribute that names a scheme or protocol; catalogues write ``None`` where they have none."""
    for name in names:
        value = clean(prop.get(name))
        if value is not None and value != "None":
            return value
    return None


def _titles(reading: Reading, prop: Element, bag: Bag) -> None:
    value = _value(reading, prop)
    if value is not None:
        if "title" in bag:
            bag.setdefault("alternate_titles", []).append(value)
        else:
            bag["title"] = value


def _subject(reading: Reading, prop: Element, bag: Bag) -> None:
    scheme = _scheme(prop, "scheme")
    value = _value(reading, prop, "scheme")
    if value is not None:
        bag.setdefault("subjects", {}).setdefault(scheme, []).append(value)
    elif scheme is not None:
        reading.keep(prop, scheme, "scheme")


def _date(kind: Optional[str]) -> Handler:
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value = _value(reading, prop)
        if value is not None:
            bag.setdefault("dates", []).append(RecordDate(value, kind))
    return read


def _party(role: str) -> Handler:
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value = _value(reading, prop)
        if value is not None:
            bag.setdefault("contacts", []).append(Contact(organisation=value, role=role))
    return read


def _rights(reading: Reading, prop: Element, bag: Bag) -> None:
    """dc:rights, dct:license, dct:accessRights: a code of ISO 19115, an address, or words."""
    value = _value(reading, prop)
    if value is None:
        return
    if value in _RESTRICTIONS:
        bag.setdefault("access_constraints", []).append(value)
    else:
        bag.setdefault("rights", []).append(Constraint(value, value if is_web_address(value) else None))


def _link(reading: Reading, prop: Element, bag: Bag) -> None:
    """dct:references with its scheme, dc:URI with protocol, name, description and function."""
    taken = frozenset(("scheme", "protocol", "name", "description", "function"))
    url = clean(prop.text)
    if url is None or url == "None":
        reading.attributes(prop)
        return
    reading.attributes(prop, taken)
    for child in prop:
        reading.leave(child)
    scheme = _scheme(prop, "scheme", "protocol")
    other = _scheme(prop, "protocol")
    if other is not None and other != scheme:
        reading.keep(prop, other, "protocol")
    name, description = _scheme(prop, "name"), _scheme(prop, "description")
    if "thumbnail" in (scheme or "").lower() or "thumbnail" in (name or "").lower():
        bag.setdefault("overviews", []).append(Overview(url, name or description, scheme))
        for attribute, value in (("description", description if name else None), ("function", prop.get("function"))):
            if clean(value) is not None:
                reading.keep(prop, value or "", attribute)
        return
    bag.setdefault("online", []).append(OnlineResource(url, scheme, name, description, _scheme(prop, "function")))


def _related(kind: Optional[str]) -> Handler:
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value = _value(reading, prop)
        if value is not None:
            at = value if is_web_address(value) else None
            bag.setdefault("associated", []).append(Associated(None if at else value, None, kind, at))
    return read


def _format(reading: Reading, prop: Element, bag: Bag) -> None:
    value = _value(reading, prop)
    if value is not None:
        bag.setdefault("formats", []).append(Format(value))


def _box(reading: Reading, prop: Element, bag: Bag) -> None:
    """ows:BoundingBox in the axis order of its CRS, ows:WGS84BoundingBox in longitude and latitude."""
    corners: Dict[str, List[float]] = {}
    for child in prop:
        name = _NAMES[child.tag]
        if name in ("LowerCorner", "UpperCorner") and not len(child):
            corners[name] = numbers(child.text or "")
    plain = set(corners) == {"LowerCorner", "UpperCorner"} and len(prop) == 2
    geographic = _NAMES[prop.tag] == "WGS84BoundingBox"
    box = from_corners(corners["LowerCorner"], corners["UpperCorner"],
                       None if geographic else prop.get("crs")) if plain else None
    if box is None:
        reading.leave(prop)
        return
    reading.attributes(prop, frozenset(("dimensions",)))
    bag.setdefault("extents", []).append(box)


def _temporal(reading: Reading, prop: Element, bag: Bag) -> None:
    """dct:temporal as a DCMI Period or an ISO 8601 interval; csw30:TemporalExtent as begin and end."""
    if len(prop):
        own: Bag = {}
        reading.walk(prop, {"begin": text("begin"), "end": text("end")}, own)
        if own:
            bag.setdefault("temporal_extents", []).append(TemporalExtent(own.get("begin"), own.get("end")))
        return
    value = clean(prop.text)
    period = {name.lower(): limit.strip() for name, limit in _PERIOD.findall(value or "")}
    if value is not None and period:
        bag.setdefault("temporal_extents", []).append(TemporalExtent(period.get("start"), period.get("end")))
        reading.leave(prop)  # the scheme and the name of a period have no field
    elif value is not None and value.count("/") == 1 and " " not in value:
        begin, end = (clean(part.replace("..", "")) for part in value.split("/"))
        bag.setdefault("temporal_extents", []).append(TemporalExtent(begin, end))
        reading.attributes(prop)
    else:
        reading.leave(prop)


def _place(reading: Reading, prop: Element, bag: Bag) -> None:
    """dct:spatial and dc:coverage as a DCMI Box in degrees; the name of a place has no field."""
    limits = {side.lower(): to_number(value) for side, value in _LIMIT.findall(prop.text or "")}
    sides = [limits.get(side) for side in ("west", "south", "east", "north")]
    if not len(prop) and None not in sides and not _PROJECTED.search(prop.text or ""):
        box = from_bbox([side for side in sides if side is not None])
        if box is not None and box not in bag.get("extents", ()):
            bag.setdefault("extents", []).append(box)
    reading.leave(prop)  # the name, the units and what else a box says have no field


_TABLE: Table = {
    "spatial": _place, "coverage": _place,
    "identifier": text("id"), "title": _titles, "alternative": texts("alternate_titles"), "type": text("level"),
    "subject": _subject, "abstract": text("abstract"), "description": text("abstract"), "language": text("language"),
    "modified": text("date_stamp"), "date": _date(None), "created": _date("creation"), "issued": _date("publication"),
    "dateSubmitted": _date("creation"), "available": _date("released"), "creator": _party("originator"),
    "publisher": _party("publisher"), "contributor": _party("contributor"), "rightsHolder": _party("rightsHolder"),
    "rights": _rights, "license": _rights, "accessRights": _rights, "references": _link, "URI": _link,
    "relation": _related(None), "isPartOf": _related("largerWorkCitation"), "hasPart": _related("isComposedOf"),
    "requires": _related("dependency"), "format": _format, "BoundingBox": _box, "WGS84BoundingBox": _box,
    "temporal": _temporal, "TemporalExtent": _temporal,
}


def read_record(root: Element, language: str = "", original: bytes = b"", source: str = "",
                whole: bool = True) -> Record:
    """The Record that a csw:Record, SummaryRecord or BriefRecord element holds."""
    reading = new_reading(root, language, whole, _NAMES)
    bag: Bag = {}
    reading.walk(root, _TABLE, bag)
    level = bag.pop("level", None)
    bag["keyword_groups"] = [KeywordGroup(tuple(words), None, scheme)
                             for scheme, words in bag.pop("subjects", {}).items()]
    access, rights = bag.pop("access_constraints", []), bag.pop("rights", [])
    if access or rights:
        bag["constraint_groups"] = [ConstraintGroup(
            "legal", access_constraints=tuple(access), other_constraints=tuple(rights))]
    bag["hierarchy_level"] = level
    return replace(build_record(reading, bag, SOURCE_FORMAT, original, source), kind=_kind(level))


def _kind(level: Optional[str]) -> str:
    """dc:type as it stands, or the last word of its address (``http://purl.org/dc/dcmitype/Service``)."""
    word = re.split(r"[/#:]", level or "")[-1]
    return {"collection": "series", "livedata": "dataset"}.get(word.lower()) or kind_of(word)


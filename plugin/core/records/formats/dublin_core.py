"""Reader of Dublin Core in CSW 2.0.2 and 3.0.0 (csw:Record, SummaryRecord, BriefRecord), OAI-PMH and GeoNetwork."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Callable, Dict, List, Optional

from ...addresses import is_web_address
from ...html_text import read_html_text
from ..iso.elements import parse_decimal
from ..model.extents import extent_from_bbox, extent_from_corners, parse_numbers
from ..model.languages import alpha3
from ..model.record import (
    AssociatedResource,
    ConstraintGroup,
    ConstraintKind,
    Contact,
    DistributionFormat,
    OnlineResource,
    Overview,
    Record,
    RecordDate,
    RecordFormat,
    ResourceKind,
    TemporalExtent,
)
from ..xml.element_names import ElementNames
from ..xml.element_walker import (
    Element,
    ElementWalker,
    FieldValues,
    Handler,
    HandlerTable,
    clean_text,
    html_constraints,
    text,
    texts,
)
from ..xml.record_builder import build_record, keyword_groups_by_scheme, resource_kind

_NAMES = ElementNames(
    re.compile(r"https?://(?:purl\.org/dc/|www\.opengis\.net/(?:cat/csw|ows|gml)|www\.openarchives\.org/)"))
_RESTRICTIONS = frozenset((
    "copyright", "patent", "patentPending", "trademark", "license", "intellectualPropertyRights", "restricted",
    "otherRestrictions"))
#: of a DCMI Box (DCMI Box Encoding Scheme)
_BOX_LIMIT = re.compile(r"\b(north|south|east|west)limit\s*=\s*([-+]?[\d.]+)", re.IGNORECASE)
_PROJECTED_UNITS = re.compile(r"\bunits\s*=(?!\s*(?:signed )?(?:decimal )?degrees)", re.IGNORECASE)
_PERIOD = re.compile(r"\b(start|end)\s*=\s*([^;]+)", re.IGNORECASE)


def _leaf_text(walker: ElementWalker, prop: Element, except_for: str = "") -> Optional[str]:
    """Return the text of a leaf. Its other attributes and its child elements are unread."""
    walker.add_unread_attributes(prop, frozenset((except_for,)))
    for child in prop:
        walker.add_unread_element(child)
    return clean_text(prop.text)


def _scheme_attribute(prop: Element, *names: str) -> Optional[str]:
    """Return the first attribute of ``names`` that is set. Catalogues write ``None`` for an absent scheme or protocol.
    """
    for name in names:
        value = clean_text(prop.get(name))
        if value is not None and value != "None":
            return value
    return None


def _title(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    value = _leaf_text(walker, prop)
    if value is not None:
        value = read_html_text(value).text
        if "title" in values:
            values.setdefault("alternate_titles", []).append(value)
        else:
            values["title"] = value


def _subject(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    scheme = _scheme_attribute(prop, "scheme")
    value = _leaf_text(walker, prop, "scheme")
    if value is not None:
        values.setdefault("subjects", {}).setdefault(scheme, []).append(value)
    elif scheme is not None:
        walker.add_unread(prop, scheme, "scheme")


def _each(field: str, build: Callable[[str], Any]) -> Handler:
    """Return a handler for a repeatable leaf, whose texts become values by ``build``."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = _leaf_text(walker, prop)
        if value is not None:
            values.setdefault(field, []).append(build(value))

    return read


def _date(kind: Optional[str]) -> Handler:
    return _each("dates", lambda value: RecordDate(value, kind))


def _contact_with_role(role: str) -> Handler:
    return _each("contacts", lambda value: Contact(organisation=value, role=role))


def _associated_resource(kind: Optional[str]) -> Handler:
    return _each("associated", lambda value: AssociatedResource(None, None, kind, value) if is_web_address(value)
                 else AssociatedResource(value, None, kind))


def _rights(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read dc:rights, dct:license and dct:accessRights, which are a code of ISO 19115, an address or a text."""
    value = _leaf_text(walker, prop)
    if value is None:
        return
    if value in _RESTRICTIONS:
        values.setdefault("access_constraints", []).append(value)
    else:
        values.setdefault("rights", []).extend(html_constraints(value, value if is_web_address(value) else None))


def _link(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read dct:references with its scheme, and dc:URI with protocol, name, description and function."""
    read_attributes = frozenset(("scheme", "protocol", "name", "description", "function"))
    url = clean_text(prop.text)
    if url is None or url == "None":
        walker.add_unread_attributes(prop)
        return
    walker.add_unread_attributes(prop, read_attributes)
    for child in prop:
        walker.add_unread_element(child)
    scheme = _scheme_attribute(prop, "scheme", "protocol")
    other = _scheme_attribute(prop, "protocol")
    if other is not None and other != scheme:
        walker.add_unread(prop, other, "protocol")
    name, description = _scheme_attribute(prop, "name"), _scheme_attribute(prop, "description")
    if "thumbnail" in (scheme or "").lower() or "thumbnail" in (name or "").lower():
        values.setdefault("overviews", []).append(Overview(url, name or description, scheme))
        for attribute, value in (("description", description if name else None), ("function", prop.get("function"))):
            if clean_text(value) is not None:
                walker.add_unread(prop, value or "", attribute)
        return
    values.setdefault("online",
                      []).append(OnlineResource(url, scheme, name, description, _scheme_attribute(prop, "function")))


def _bounding_box(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read ows:BoundingBox in the axis order of its CRS, and ows:WGS84BoundingBox in longitude and latitude."""
    corners: Dict[str, List[float]] = {}
    for child in prop:
        name = _NAMES[child.tag]
        if name in ("LowerCorner", "UpperCorner") and not len(child):
            corners[name] = parse_numbers(child.text or "")
    plain = set(corners) == {"LowerCorner", "UpperCorner"} and len(prop) == 2
    geographic = _NAMES[prop.tag] == "WGS84BoundingBox"
    box = extent_from_corners(corners["LowerCorner"], corners["UpperCorner"],
                              None if geographic else prop.get("crs")) if plain else None
    if box is None:
        walker.add_unread_element(prop)
        return
    walker.add_unread_attributes(prop, frozenset(("dimensions",)))
    values.setdefault("extents", []).append(box)


def _temporal(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read dct:temporal (DCMI Period or ISO 8601 interval) and csw30:TemporalExtent with begin and end."""
    if len(prop):
        inner: FieldValues = {}
        walker.walk(prop, {"begin": text("begin"), "end": text("end")}, inner)
        if inner:
            values.setdefault("temporal_extents", []).append(TemporalExtent(inner.get("begin"), inner.get("end")))
        return
    value = clean_text(prop.text)
    period = {name.lower(): limit.strip() for name, limit in _PERIOD.findall(value or "")}
    if value is not None and period:
        values.setdefault("temporal_extents", []).append(TemporalExtent(period.get("start"), period.get("end")))
        walker.add_unread_element(prop)  # the scheme and the name of a period have no field
    elif value is not None and value.count("/") == 1 and " " not in value:
        begin, end = (clean_text(part.replace("..", "")) for part in value.split("/"))
        values.setdefault("temporal_extents", []).append(TemporalExtent(begin, end))
        walker.add_unread_attributes(prop)
    else:
        walker.add_unread_element(prop)


def _spatial(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read dct:spatial and dc:coverage as a DCMI Box in degrees. The name of a place has no field."""
    limits = {side.lower(): parse_decimal(value) for side, value in _BOX_LIMIT.findall(prop.text or "")}
    sides = [limits.get(side) for side in ("west", "south", "east", "north")]
    if not len(prop) and None not in sides and not _PROJECTED_UNITS.search(prop.text or ""):
        box = extent_from_bbox([side for side in sides if side is not None])
        if box is not None and box not in values.get("extents", ()):
            values.setdefault("extents", []).append(box)
    walker.add_unread_element(prop)  # the name, the units and what else a box says have no field


_TABLE: HandlerTable = {
    "spatial": _spatial,
    "coverage": _spatial,
    "identifier": text("id"),
    "title": _title,
    "alternative": texts("alternate_titles"),
    "type": text("level"),
    "subject": _subject,
    "abstract": text("abstract"),
    "description": text("abstract"),
    "language": text("language"),
    "modified": text("date_stamp"),
    "date": _date(None),
    "created": _date("creation"),
    "issued": _date("publication"),
    "dateSubmitted": _date("creation"),
    "available": _date("released"),
    "creator": _contact_with_role("originator"),
    "publisher": _contact_with_role("publisher"),
    "contributor": _contact_with_role("contributor"),
    "rightsHolder": _contact_with_role("rightsHolder"),
    "rights": _rights,
    "license": _rights,
    "accessRights": _rights,
    "references": _link,
    "URI": _link,
    "relation": _associated_resource(None),
    "isPartOf": _associated_resource("largerWorkCitation"),
    "hasPart": _associated_resource("isComposedOf"),
    "requires": _associated_resource("dependency"),
    "format": _each("formats", DistributionFormat),
    "BoundingBox": _bounding_box,
    "WGS84BoundingBox": _bounding_box,
    "temporal": _temporal,
    "TemporalExtent": _temporal,
}


def read_record(root: Element, language: str = "", original: bytes = b"", source: str = "") -> Record:
    """Return the Record of a csw:Record, SummaryRecord or BriefRecord element.

    Arguments as for ``iso19139.read_record``.
    """
    walker = ElementWalker(root, alpha3(language), _NAMES)
    values: FieldValues = {}
    walker.walk(root, _TABLE, values)
    level = values.pop("level", None)
    values["keyword_groups"] = keyword_groups_by_scheme(values.pop("subjects", {}))
    access, rights = values.pop("access_constraints", []), values.pop("rights", [])
    if access or rights:
        values["constraint_groups"] = [ConstraintGroup(
            ConstraintKind.LEGAL, access_constraints=tuple(access), other_constraints=tuple(rights))]
    values["hierarchy_level"] = level
    record = build_record(walker, values, RecordFormat.DUBLIN_CORE.value, original, source)
    return replace(record, kind=_resource_kind(level))


def _resource_kind(level: Optional[str]) -> ResourceKind:
    """Return the kind of resource for dc:type, which may be an address (``http://purl.org/dc/dcmitype/Service``)."""
    word = re.split(r"[/#:]", level or "")[-1]
    known = {"collection": ResourceKind.SERIES, "livedata": ResourceKind.DATASET}
    return known.get(word.lower()) or resource_kind(word)

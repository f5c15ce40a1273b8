"""Entries of GeoNetwork's index as records for a list of results. The full record is fetched separately."""

from __future__ import annotations

import json
from typing import Any, Iterator, List, Optional, Tuple

from ...addresses import joined_address
from ...records.formats.json_members import JsonObject, as_text
from ...records.model.endpoints import is_web_address
from ...records.model.extents import extent_of_positions
from ...records.model.record import (
    Constraint,
    ConstraintGroup,
    ConstraintKind,
    Contact,
    Extent,
    OnlineResource,
    Overview,
    Record,
    RecordDate,
)
from ...records.xml.record_builder import resource_kind

SOURCE_FORMAT = "geonetwork-index"
_MAX_DEPTH = 8


def record_from_hit(hit: JsonObject, root: str) -> Optional[Record]:
    """Return the record in one hit (``_id``, ``_source``), or None if it has no document."""
    fields = hit.get("_source")
    if not isinstance(fields, dict):
        return None
    identifier = as_text(fields.get("uuid")) or as_text(fields.get("metadataIdentifier")) or as_text(hit.get("_id"))
    level = _first(fields.get("resourceType"))
    texts = tuple(text for text in map(_localised, _objects(fields.get("MD_LegalConstraintsOtherConstraintsObject")))
                  if text)
    limits = tuple(text for text in map(_localised, _objects(fields.get("MD_LegalConstraintsUseLimitationObject")))
                   if text)
    others = tuple(Constraint(text) for text in texts)
    group = ConstraintGroup(ConstraintKind.LEGAL, use_limitations=tuple(Constraint(text) for text in limits),
                            other_constraints=others)
    return Record(
        source_format=SOURCE_FORMAT, id=identifier, parent_id=as_text(fields.get("parentUuid")),
        title=_localised(fields.get("resourceTitleObject")), abstract=_localised(fields.get("resourceAbstractObject")),
        hierarchy_level=level, kind=resource_kind(level), language=as_text(fields.get("mainLanguage")),
        date_stamp=as_text(fields.get("dateStamp")), dates=tuple(
            RecordDate(value, as_text(item.get("type"))) for item in _objects(fields.get("resourceDate"))
            for value in (as_text(item.get("date")), )
            if value), keywords=tuple(word for word in map(_localised, _objects(fields.get("tag"))) if word),
        contacts=tuple(_contacts(fields)), service_type=_first(fields.get("serviceType")), use_limitations=limits,
        other_constraints=others, constraint_groups=(group, ) if texts or limits else (), online=tuple(_links(fields)),
        overviews=tuple(_overviews(fields, root)), extents=_extents(fields.get("geom")),
        original=json.dumps(fields).encode("ascii"))


def _objects(value: Any) -> List[JsonObject]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, dict)]


def _first(value: Any) -> Optional[str]:
    return next((text for item in (value if isinstance(value, list) else [value]) if (text := as_text(item))), None)


def _localised(value: Any) -> Optional[str]:
    """Return the text of an index object in the record's default language, else in any language."""
    if not isinstance(value, dict):
        return as_text(value)
    named = [as_text(item) for name, item in value.items() if name.startswith("lang")]
    return as_text(value.get("default")) or next((text for text in named if text), None)


def _contacts(fields: JsonObject) -> Iterator[Contact]:
    for item in _objects(fields.get("contactForResource")) or _objects(fields.get("contact")):
        name = _localised(item.get("organisationObject")) or as_text(item.get("organisation"))
        if name:
            email = as_text(item.get("email"))
            yield Contact(organisation=name, emails=(email,) if email else (), role=as_text(item.get("role")))


def _links(fields: JsonObject) -> Iterator[OnlineResource]:
    for item in _objects(fields.get("link")):
        url = _localised(item.get("urlObject")) or as_text(item.get("url"))
        if url and is_web_address(url):
            yield OnlineResource(url, as_text(item.get("protocol")),
                                 _localised(item.get("nameObject")) or as_text(item.get("name")),
                                 _localised(item.get("descriptionObject")) or as_text(item.get("description")),
                                 as_text(item.get("function")))


def _overviews(fields: JsonObject, root: str) -> Iterator[Overview]:
    for item in _objects(fields.get("overview")):
        url = as_text(item.get("url"))
        if url:
            address = joined_address(f"{root}/", url)
            if is_web_address(address):
                yield Overview(address, _localised(item.get("nameObject")) or as_text(item.get("name")))


def _extents(value: Any) -> Tuple[Extent, ...]:
    extents = []
    for shape in _objects(value):
        positions = list(_positions(shape.get("coordinates"), 0))
        if str(shape.get("type", "")).lower() == "envelope" and len(positions) == 2:
            (west, north), (east, south) = positions
            extents.append(Extent(west=west, east=east, south=south, north=north))
            continue
        box = extent_of_positions(positions)
        if box is not None:
            extents.append(box)
    return tuple(extents)


def _positions(value: Any, depth: int) -> Iterator[Tuple[float, float]]:
    if not isinstance(value, list) or depth > _MAX_DEPTH:
        return
    if len(value) >= 2 and all(isinstance(item, (int, float)) for item in value[:2]):
        yield float(value[0]), float(value[1])
        return
    for item in value:
        yield from _positions(item, depth + 1)

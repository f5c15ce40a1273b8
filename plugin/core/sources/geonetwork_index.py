"""What GeoNetwork's index says of a record, as a Record for a list of results; the whole record is asked for apart."""

from __future__ import annotations

import json
from typing import Any, Iterator, List, Optional, Tuple
from urllib.parse import urljoin

from ..records.boxes import of_positions
from ..records.iso19139 import kind_of
from ..records.json_reading import JsonObject, text_of
from ..records.links import is_web_address
from ..records.model import Constraint, ConstraintGroup, Contact, Extent, OnlineResource, Overview, Record, RecordDate

SOURCE_FORMAT = "geonetwork-index"
_DEEPEST = 8


def record_of_index(hit: JsonObject, root: str) -> Optional[Record]:
    """The Record that one hit (``_id``, ``_source``) speaks of; None where it holds no document."""
    fields = hit.get("_source")
    if not isinstance(fields, dict):
        return None
    identifier = text_of(fields.get("uuid")) or text_of(fields.get("metadataIdentifier")) or text_of(hit.get("_id"))
    level = _first(fields.get("resourceType"))
    texts = tuple(text for text in map(_localised, _objects(fields.get("MD_LegalConstraintsOtherConstraintsObject")))
                  if text)
    limits = tuple(text for text in map(_localised, _objects(fields.get("MD_LegalConstraintsUseLimitationObject")))
                   if text)
    others = tuple(Constraint(text) for text in texts)
    group = ConstraintGroup("legal", use_limitations=tuple(Constraint(text) for text in limits),
                            other_constraints=others)
    return Record(
        source_format=SOURCE_FORMAT, id=identifier, parent_id=text_of(fields.get("parentUuid")),
        title=_localised(fields.get("resourceTitleObject")), abstract=_localised(fields.get("resourceAbstractObject")),
        hierarchy_level=level, kind=kind_of(level), language=text_of(fields.get("mainLanguage")),
        date_stamp=text_of(fields.get("dateStamp")),
        dates=tuple(RecordDate(value, text_of(item.get("type"))) for item in _objects(fields.get("resourceDate"))
                    for value in (text_of(item.get("date")),) if value),
        keywords=tuple(word for word in map(_localised, _objects(fields.get("tag"))) if word),
        contacts=tuple(_contacts(fields)), service_type=_first(fields.get("serviceType")),
        use_limitations=limits, other_constraints=others, constraint_groups=(group,) if texts or limits else (),
        online=tuple(_links(fields)), overviews=tuple(_overviews(fields, root)), extents=_extents(fields.get("geom")),
        original=json.dumps(fields).encode("ascii"))


def _objects(value: Any) -> List[JsonObject]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, dict)]


def _first(value: Any) -> Optional[str]:
    return next((text for item in (value if isinstance(value, list) else [value]) if (text := text_of(item))), None)


def _localised(value: Any) -> Optional[str]:
    """The text of an index object: in the record's own language, else in any."""
    if not isinstance(value, dict):
        return text_of(value)
    named = [text_of(item) for name, item in value.items() if name.startswith("lang")]
    return text_of(value.get("default")) or next((text for text in named if text), None)


def _contacts(fields: JsonObject) -> Iterator[Contact]:
    for item in _objects(fields.get("contactForResource")) or _objects(fields.get("contact")):
        name = _localised(item.get("organisationObject")) or text_of(item.get("organisation"))
        if name:
            email = text_of(item.get("email"))
            yield Contact(organisation=name, emails=(email,) if email else (), role=text_of(item.get("role")))


def _links(fields: JsonObject) -> Iterator[OnlineResource]:
    for item in _objects(fields.get("link")):
        url = _localised(item.get("urlObject")) or text_of(item.get("url"))
        if url and is_web_address(url):
            yield OnlineResource(url, text_of(item.get("protocol")),
                                 _localised(item.get("nameObject")) or text_of(item.get("name")),
                                 _localised(item.get("descriptionObject")) or text_of(item.get("description")),
                                 text_of(item.get("function")))


def _overviews(fields: JsonObject, root: str) -> Iterator[Overview]:
    for item in _objects(fields.get("overview")):
        url = text_of(item.get("url"))
        if url:
            address = urljoin(f"{root}/", url)
            if is_web_address(address):
                yield Overview(address, _localised(item.get("nameObject")) or text_of(item.get("name")))


def _extents(value: Any) -> Tuple[Extent, ...]:
    found = []
    for shape in _objects(value):
        positions = list(_positions(shape.get("coordinates"), 0))
        if str(shape.get("type", "")).lower() == "envelope" and len(positions) == 2:
            (west, north), (east, south) = positions
            found.append(Extent(west=west, east=east, south=south, north=north))
            continue
        box = of_positions(positions)
        if box is not None:
            found.append(box)
    return tuple(found)


def _positions(value: Any, depth: int) -> Iterator[Tuple[float, float]]:
    if not isinstance(value, list) or depth > _DEEPEST:
        return
    if len(value) >= 2 and all(isinstance(item, (int, float)) for item in value[:2]):
        yield float(value[0]), float(value[1])
        return
    for item in value:
        yield from _positions(item, depth + 1)

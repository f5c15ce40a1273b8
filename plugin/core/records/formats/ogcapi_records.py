"""Reader of OGC API - Records (OGC 20-004r1): GeoJSON features, alone and in collections."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Tuple

from ...errors import NotARecord
from ...html_text import plain_text, read_html_text
from ...i18n import tr
from ...json_document import as_text, object_in, problem_text
from ..model.extents import extent_from_bbox, extent_of_positions
from ..model.record import (
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
    RecordFormat,
    TemporalExtent,
)
from ..xml.record_builder import resource_kind
from .json_values import JsonObject, build_json_record, objects_in, original_bytes, pop_text, pop_texts, stated_terms

_MAX_DEPTH = 8
#: links that lead around in the catalogue, not to the resource
NAVIGATION_RELATIONS = frozenset(
    ("self", "alternate", "collection", "root", "parent", "items", "next", "prev", "first", "last", "conformance",
     "data", "queryables", "service-desc", "service-doc", "up"))
_GEOJSON = ("Feature", "FeatureCollection", "Collection", "Catalog")
#: members that an exception report has
_PROBLEM_MEMBERS = frozenset(("code", "status", "error", "message"))
OVERVIEW_RELATIONS = frozenset(("preview", "icon", "thumbnail"))


def pop_extents(feature: JsonObject, properties: JsonObject) -> Tuple[Extent, ...]:
    """Return the extents of a record in degrees. A geometry that is not a rectangle or a point stays, to be unread."""
    extents: Dict[Extent, None] = {}
    for box in _pop_bboxes(feature, properties):
        extents.setdefault(box)
    geometry = feature.get("geometry")
    if isinstance(geometry, dict):
        positions = list(_positions(geometry.get("coordinates"), 0))
        around = extent_of_positions(positions)
        if around is not None:
            if not extents:
                extents[around] = None
            if around in extents and _is_rectangle(positions, around):
                del feature["geometry"]
    return tuple(extents)


def pop_temporal_extents(feature: JsonObject, properties: JsonObject) -> Tuple[TemporalExtent, ...]:
    """Return the times of a record: an instant, an interval with ``..`` for an open end, or the intervals of its
    extent.
    """
    extents: Dict[TemporalExtent, None] = {}
    for holder in (feature, properties):
        time = holder.get("time")
        if isinstance(time, dict):
            for name in ("interval", "date", "timestamp"):
                period = _period(time.get(name))
                if period is not None:
                    time.pop(name)
                    extents.setdefault(period)
        elif _period(time) is not None:
            extents.setdefault(_period(holder.pop("time")))  # type: ignore[arg-type]
    temporal = object_in(properties.get("extent"), "temporal")
    intervals = temporal.get("interval")
    if isinstance(intervals, list):
        nested = bool(intervals) and all(isinstance(item, list) for item in intervals)
        periods = [_period(item) for item in (intervals if nested else [intervals])]
        if all(period is not None for period in periods):
            temporal.pop("interval")
        for period in periods:
            if period is not None:
                extents.setdefault(period)
    return tuple(extents)


def _pop_bboxes(feature: JsonObject, properties: JsonObject) -> Iterator[Extent]:
    box = _extent_from_numbers(feature.get("bbox"))
    if box is not None:
        del feature["bbox"]
        yield box
    spatial = object_in(properties.get("extent"), "spatial")
    bboxes = spatial.get("bbox")
    if isinstance(bboxes, list) and bboxes:
        boxes = [_extent_from_numbers(item) for item in (bboxes if isinstance(bboxes[0], list) else [bboxes])]
        if all(item is not None for item in boxes):
            spatial.pop("bbox")
        yield from (item for item in boxes if item is not None)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e9


def _extent_from_numbers(values: Any) -> Optional[Extent]:
    if not isinstance(values, list) or not all(_is_number(value) for value in values):
        return None
    return extent_from_bbox([float(value) for value in values])


def _positions(value: Any, depth: int) -> Iterator[Tuple[float, float]]:
    """Yield the positions in the coordinates of any type of geometry."""
    if not isinstance(value, list) or depth > _MAX_DEPTH:
        return
    if len(value) >= 2 and _is_number(value[0]) and _is_number(value[1]):
        yield float(value[0]), float(value[1])
        return
    for item in value:
        yield from _positions(item, depth + 1)


def _is_rectangle(positions: List[Tuple[float, float]], box: Extent) -> bool:
    """Return True if every position is a corner of ``box``, which then replaces the geometry without loss."""
    return all(x in (box.west, box.east) and y in (box.south, box.north) for x, y in positions)


def _period(value: Any) -> Optional[TemporalExtent]:
    if isinstance(value, list) and len(value) == 2:
        begin, end = (_period_end(item) for item in value)
        return TemporalExtent(begin, end) if begin or end else None
    instant = _period_end(value)
    return TemporalExtent(instant, instant) if instant else None


def _period_end(value: Any) -> Optional[str]:
    text = as_text(value) if isinstance(value, str) else None
    return None if text == ".." else text


def read_value(value: Any, data: bytes, name: str = "") -> List[Record]:
    """Return every record of a JSON document, an empty list for an empty collection of features.

    ``data`` is the document that ``value`` was parsed from. Raises NotARecord if it is something else.
    """
    if isinstance(value, dict) and value.get("type") == "Feature":
        features, single = [value], True
    elif isinstance(value, dict) and value.get("type") == "FeatureCollection":
        features, single = objects_in(value, "features", None), False
    else:
        features, single = (value if isinstance(value, list) else []), False
    records = [read_feature(feature, data if single else None, name) for feature in features if is_record(feature)]
    if not records and not (isinstance(value, dict) and value.get("features") == [] and
                            not _other_document_kind(value)):
        raise _not_a_record_error(value, name)
    return records


def is_record(feature: Any) -> bool:
    """Return True if a GeoJSON feature is a catalogue record (7.1), which has a title and states its type."""
    if not isinstance(feature, dict) or feature.get("type") != "Feature" or _other_document_kind(feature):
        return False
    properties = feature.get("properties")
    if not isinstance(properties, dict):
        return False
    conforms = feature.get("conformsTo")
    says_so = isinstance(conforms, list) and any("ogcapi-records" in str(item) for item in conforms)
    named = isinstance(properties.get("title"), str) or isinstance(properties.get("description"), str)
    return says_so or (named and (isinstance(properties.get("type"), str) or "recordCreated" in properties
                                  or "recordUpdated" in properties or "externalIds" in properties))


def read_feature(feature: JsonObject, original: Optional[bytes] = None, source: str = "") -> Record:
    """Return the Record of one feature. ``feature`` is emptied: the members left in it are unread."""
    if original is None:
        original = original_bytes(feature)
    feature.pop("type", None)
    properties: JsonObject = feature["properties"]
    level = pop_text(properties, "type", "recordType")
    groups = _pop_keyword_groups(properties)
    limits, links, overviews = _pop_links(feature)
    constraints = _pop_constraints(properties, limits)
    values: Dict[str, Any] = {
        "id": pop_text(feature, "id"),
        "title": read_html_text(pop_text(properties, "title") or "").text or None,
        "abstract": plain_text(pop_text(properties, "description") or "") or None,
        "language": _pop_language(properties),
        "date_stamp": pop_text(properties, "updated", "recordUpdated", "created",
                               "recordCreated"), "hierarchy_level": level, "kind": resource_kind(level),
        "contacts": tuple(pop_contacts(properties)), "keyword_groups": groups,
        "constraint_groups": constraints, "formats": _pop_formats(properties), "online": links, "overviews": overviews,
        "extents": pop_extents(feature, properties), "temporal_extents": pop_temporal_extents(feature, properties),
    }
    return build_json_record(RecordFormat.OGCAPI_RECORD, feature, original, source, values)


def _pop_keyword_groups(properties: JsonObject) -> Tuple[KeywordGroup, ...]:
    groups = []
    keywords = pop_texts(properties, "keywords")
    if keywords:
        groups.append(KeywordGroup(tuple(keywords)))
    for theme in objects_in(properties, "themes"):
        keywords = pop_texts(theme, "concepts")
        for concept in objects_in(theme, "concepts"):
            keyword = pop_text(concept, "title", "id", "name")
            if keyword is not None:
                keywords.append(keyword)
        if keywords:
            groups.append(KeywordGroup(tuple(keywords), "theme", pop_text(theme, "scheme")))
    return tuple(groups)


def _pop_language(properties: JsonObject) -> Optional[str]:
    value = properties.get("language")
    return pop_text(value, "code") if isinstance(value, dict) else pop_text(properties, "language")


def _pop_formats(properties: JsonObject) -> Tuple[DistributionFormat, ...]:
    formats = [DistributionFormat(name) for name in pop_texts(properties, "formats")]
    for item in objects_in(properties, "formats"):
        name = pop_text(item, "name", "mediaType")
        if name is not None:
            formats.append(DistributionFormat(name, pop_text(item, "version")))
    return tuple(formats)


def _pop_constraints(properties: JsonObject, limits: List[Constraint]) -> Tuple[ConstraintGroup, ...]:
    """Return licence and rights (7.1, table 8), which are free texts, SPDX identifiers or addresses."""
    constraints = list(limits)
    for name in ("license", "licence", "rights", "accessRights", "attribution"):
        constraints += stated_terms(pop_texts(properties, name))
    return (ConstraintGroup(ConstraintKind.LEGAL, other_constraints=tuple(constraints)),) if constraints else ()


def _pop_links(feature: JsonObject) -> Tuple[List[Constraint], Tuple[OnlineResource, ...], Tuple[Overview, ...]]:
    """Return licences, links to the resource, and images. Links within the catalogue are unread."""
    limits: List[Constraint] = []
    links: List[OnlineResource] = []
    overviews: List[Overview] = []
    holders = [(holder, name) for holder in (feature, feature["properties"]) for name in ("links", "associations")]
    for link in (item for holder, name in holders for item in objects_in(holder, name)):
        relation = str(link.get("rel") or "").rsplit("/", 1)[-1].lower()
        if relation in NAVIGATION_RELATIONS:
            continue
        url = pop_text(link, "href")
        if url is None:
            continue
        if relation == "license":
            link.pop("rel")
            limits.append(Constraint(pop_text(link, "title"), url))
        elif relation in OVERVIEW_RELATIONS:
            link.pop("rel")
            overviews.append(Overview(url, pop_text(link, "title"), pop_text(link, "type")))
        else:
            # the type of a link without a protocol says either, "OGC:WMS" or a media type
            protocol = pop_text(link, "protocol", "type")
            links.append(OnlineResource(url, protocol, pop_text(link, "title", "name"), pop_text(link, "description"),
                                        pop_text(link, "rel"), media_type=pop_text(link, "type")))
    return limits, tuple(links), tuple(overviews)


def pop_contacts(properties: JsonObject) -> List[Contact]:
    """Return the contacts, providers and publisher of a record (table 9, with the providers of earlier drafts).

    Of a party with several roles the first is used, and the others are unread.
    """
    contacts = [Contact(organisation=name, role="publisher") for name in pop_texts(properties, "publisher")]
    for name in ("contacts", "contactPoint", "providers", "creators", "contributors", "publishers"):
        if isinstance(properties.get(name), dict):
            properties[name] = [properties[name]]
        role = {"creators": "author", "contributors": "contributor", "publishers": "publisher"}.get(name)
        contacts += [Contact(organisation=text, role=role) for text in pop_texts(properties, name)]
        contacts += [
            contact for contact in (_pop_contact(party, role) for party in objects_in(properties, name)) if contact
        ]
    return contacts


def _pop_contact(party: JsonObject, role: Optional[str]) -> Optional[Contact]:
    organisation = pop_text(party, "organization", "organisation")
    individual = pop_text(party, "name", "individual")
    emails, phones = _pop_values(party, "emails", "email"), _pop_values(party, "phones", "phone")
    address = _pop_address(party)
    url = pop_text(party, "url", "uri", "onlineResource")
    if url is None:
        url = next((href for href in (pop_text(link, "href") for link in objects_in(party, "links")) if href), None)
    position = pop_text(party, "position", "positionName")
    contact = Contact(organisation, individual, position, tuple(emails), tuple(phones), address, url,
                      _pop_role(party) or role)
    return contact if contact != Contact(role=contact.role) or contact.role else None


def _pop_role(party: JsonObject) -> Optional[str]:
    roles = party.get("roles")
    if isinstance(roles, list) and roles:
        first = roles[0]
        if isinstance(first, str):
            party["roles"] = roles[1:]
            return first.strip() or None
        if isinstance(first, dict):
            return pop_text(first, "name", "title", "id")
    return pop_text(party, "role")


def _pop_values(party: JsonObject, plural: str, single: str) -> List[str]:
    texts = pop_texts(party, plural)
    texts += [value for value in (pop_text(item, "value") for item in objects_in(party, plural)) if value]
    single_text = pop_text(party, single)
    return texts + [single_text] if single_text else texts


def _pop_address(party: JsonObject) -> Optional[str]:
    """Return the first address in one line."""
    if isinstance(party.get("address"), dict):
        party["addresses"] = [party.pop("address"), *objects_in(party, "addresses")]
    for address in objects_in(party, "addresses"):
        lines = pop_texts(address, "deliveryPoint")
        town = " ".join(part for part in (pop_text(address, "postalCode"), pop_text(address, "city")) if part)
        area, country = pop_text(address, "administrativeArea"), pop_text(address, "country")
        lines += [part for part in (town, area, country) if part]
        if lines:
            return ", ".join(lines)
    return pop_text(party, "address")


def _other_document_kind(value: JsonObject) -> str:
    """Return a description of a JSON object that is not a record, or ""."""
    inner = object_in(value, "properties")
    links = inner.get("links")
    if "stac_version" in value or "stac_extensions" in value:
        return tr("a STAC catalogue without items and collections")
    if "offerings" in inner or (isinstance(links, dict) and "profiles" in links):
        return tr("an OWS context document")
    return ""


def _describe_json(value: Any) -> str:
    if not isinstance(value, dict):
        return tr("a JSON document of another kind")
    other = _other_document_kind(value)
    features = value.get("features")
    if not other and isinstance(features, list):
        other = next(
            (kind for kind in (_other_document_kind(item) for item in features if isinstance(item, dict)) if kind), "")
    if other:
        return other
    if str(value.get("format", "")).startswith("cartoguide-"):
        return tr("a Cartoguide document ({kind})", kind=str(value["format"])[:60])
    if isinstance(value.get("collections"), list):
        return tr("a list of collections (OGC API)")
    if "@context" in value or "@graph" in value:
        return tr("a JSON-LD document (DCAT, schema.org or another vocabulary)")
    if "openapi" in value or "swagger" in value:
        return tr("the description of an API (OpenAPI)")
    if value.get("type") == "Collection" or "itemType" in value:
        return tr("the description of a collection (OGC API)")
    if value.get("type") in ("Feature", "FeatureCollection"):
        return tr("a GeoJSON document whose features are not records")
    if isinstance(value.get("conformsTo"), list) and "title" not in value:
        return tr("a conformance declaration (OGC API)")
    if isinstance(value.get("links"), list):
        return tr("a page of an OGC API without records")
    return tr("a JSON document of another kind")


def _not_a_record_error(value: Any, name: str) -> NotARecord:
    where = name or tr("The document")
    problem = ""
    if isinstance(value, dict) and value.get("type") not in _GEOJSON and _PROBLEM_MEMBERS & value.keys():
        problem = problem_text(value)
    if problem:
        what = tr("an exception report")
        return NotARecord(tr("{name} is not a catalogue record but {what}: {said}", name=where, what=what,
                             said=" ".join(problem.split())[:300]), problem, what)
    what = _describe_json(value)
    return NotARecord(tr("{name} is not a catalogue record but {what}.", name=where, what=what), "", what)

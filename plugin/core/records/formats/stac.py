"""Reader of STAC items and collections (STAC 0.9 to 1.1), alone, in collections of items and in lists of collections.

Read of the extensions: web map links, projection, scientific citation, language and contacts.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, Dict, List, Optional, Tuple

from ...addresses import is_web_address
from ...html_text import plain_text, read_html_text
from ...json_document import object_in
from ..model.extents import extent_from_bbox
from ..model.record import (
    Constraint,
    Contact,
    DistributionFormat,
    KeywordGroup,
    OnlineResource,
    Overview,
    Record,
    RecordDate,
    RecordFormat,
    ResourceKind,
    TemporalExtent,
)
from .json_values import (
    MAX_OBJECTS,
    JsonObject,
    absolute_address,
    build_json_record,
    legal_constraints,
    objects_in,
    original_bytes,
    pop_text,
    pop_texts,
    stated_terms,
)
from .ogcapi_records import NAVIGATION_RELATIONS, OVERVIEW_RELATIONS, pop_contacts, pop_extents, pop_temporal_extents

#: roles of providers, the one that licenses the data first, as codes of CI_RoleCode
_ROLES = {"licensor": "rightsHolder", "producer": "originator", "processor": "processor", "host": "distributor"}
_PICTURES = ("image/png", "image/jpeg", "image/webp", "image/gif")
_PICTURE_ROLES = frozenset(("thumbnail", "overview", "visual"))
#: the member of a link that names layers (web map links 1.2), for each relation
_LAYERS = ("wms:layers", "wmts:layer", "wfs:layers", "pmtiles:layers")


def read_records(value: Any, data: bytes, name: str) -> Optional[List[Record]]:
    """Return the records of a parsed JSON document, or None if it has neither items nor collections of STAC."""
    if is_stac(value):
        return [_read(value, data, name)]
    found: List[JsonObject] = []
    if isinstance(value, dict):
        found = [item for member in ("features", "collections") for item in objects_in(value, member, None)
                 if is_stac(item)]
    return [_read(item, original_bytes(item), name) for item in found] or None


def is_stac(value: Any) -> bool:
    """Return whether a JSON object is an item or a collection. A catalog describes nothing but its links."""
    if not isinstance(value, dict) or not isinstance(value.get("id"), (str, int)):
        return False
    is_item = value.get("type") == "Feature" and isinstance(value.get("properties"), dict)
    is_collection = value.get("type") in ("Collection", None) and isinstance(value.get("extent"), dict)
    return (is_item or is_collection) and ("stac_version" in value or is_item and isinstance(value.get("assets"), dict))


def _read(value: JsonObject, original: bytes, source: str) -> Record:
    is_item = value.pop("type", None) == "Feature"
    about: JsonObject = value["properties"] if is_item else value
    base = next((link["href"] for link in objects_in(value, "links")
                 if link.get("rel") == "self" and isinstance(link.get("href"), str)), source)
    terms, online, overviews = _pop_links(value, base)
    of_assets: List[List[Constraint]] = []
    for key, asset in islice(object_in(value, "assets").items(), MAX_OBJECTS):
        if isinstance(asset, dict):
            of_assets.append(stated_terms(pop_texts(asset, "license")))
            _pop_asset(key, asset, base, online, overviews)
    # "other" and "various" only say that the licences are linked
    licences = [] if terms and about.get("license") in ("other", "various") else pop_texts(about, "license")
    keywords = pop_texts(about, "keywords")
    versions = pop_texts(value, "stac_version")
    values: Dict[str, Any] = {
        "id": pop_text(value, "id"), "parent_id": pop_text(value, "collection") if is_item else None,
        "title": read_html_text(pop_text(about, "title") or "").text or None,
        "abstract": plain_text(pop_text(about, "description") or "") or None,
        "language": pop_text(object_in(about, "language"), "code"),
        "kind": ResourceKind.DATASET if is_item else ResourceKind.SERIES,
        "standard_name": "STAC" if versions else None, "standard_version": next(iter(versions), None),
        "date_stamp": pop_text(about, "updated"), "dates": _pop_dates(about),
        "contacts": [*pop_contacts({"contacts": about.get("contacts")}), *_pop_providers(about)],
        "credits": [text for name in ("attribution", "sci:citation") for text in pop_texts(about, name)],
        "keyword_groups": [KeywordGroup(tuple(keywords))] if keywords else [],
        "constraint_groups": legal_constraints([*stated_terms(licences), *terms], *of_assets),
        "reference_systems": _pop_reference_systems(about), "online": online, "overviews": overviews,
        "formats": [DistributionFormat(media) for media in dict.fromkeys(
            link.media_type for link in online if link.function == "download" and link.media_type)],
        "extents": pop_extents(value, about) if is_item else _pop_collection_extents(value),
        "temporal_extents": _pop_times(about) or pop_temporal_extents(value, about),
    }
    return build_json_record(RecordFormat.STAC, value, original, source, values)


def _pop_dates(about: JsonObject) -> List[RecordDate]:
    found = [(pop_text(about, name), kind) for name, kind in (("created", "creation"), ("published", "publication"))]
    return [RecordDate(text, kind) for text, kind in found if text]


def _pop_times(about: JsonObject) -> List[TemporalExtent]:
    """Return the period of an item, else its instant."""
    begin, end = pop_text(about, "start_datetime"), pop_text(about, "end_datetime")
    if begin or end:
        return [TemporalExtent(begin, end)]
    instant = pop_text(about, "datetime")
    return [TemporalExtent(instant, instant)] if instant else []


def _pop_collection_extents(value: JsonObject) -> List[Any]:
    """Return the whole extent of a collection. The first of several boxes surrounds the others, which stay unread."""
    spatial = object_in(object_in(value, "extent"), "spatial")
    boxes = spatial.get("bbox")
    if isinstance(boxes, list) and boxes and isinstance(boxes[0], list):
        numbers = [float(number) for number in boxes[0] if isinstance(number, (int, float)) and abs(number) < 1e9]
        box = extent_from_bbox(numbers) if len(numbers) == len(boxes[0]) else None
        if box is not None:
            spatial["bbox"] = boxes[1:]
            return [box]
    return []


def _pop_providers(about: JsonObject) -> List[Contact]:
    contacts = []
    for party in objects_in(about, "providers"):
        name = pop_text(party, "name")
        if name is None:
            continue
        roles = pop_texts(party, "roles")
        first = next((role for role in _ROLES if role in roles), next(iter(roles), None))
        rest = [role for role in roles if role != first]
        if rest:
            party["roles"] = rest
        contacts.append(Contact(organisation=name, url=pop_text(party, "url"), role=_ROLES.get(first or "", first)))
    return contacts


def _pop_reference_systems(about: JsonObject) -> List[str]:
    code, number = pop_text(about, "proj:code"), pop_text(about, "proj:epsg")
    return [text for text in (code, f"EPSG:{number}" if number else None) if text]


def _pop_links(value: JsonObject, base: str) -> Tuple[List[Constraint], List[OnlineResource], List[Overview]]:
    terms: List[Constraint] = []
    online: List[OnlineResource] = []
    overviews: List[Overview] = []
    for link in objects_in(value, "links"):
        relation = str(link.get("rel") or "").rsplit("/", 1)[-1].lower()
        if relation in NAVIGATION_RELATIONS or relation in ("child", "item"):
            continue
        written = pop_text(link, "href")
        if written is None:
            continue
        href = absolute_address(written, base)
        link.pop("rel", None)
        title, media = pop_text(link, "title"), pop_text(link, "type")
        if relation in ("license", "copyright"):
            terms.append(Constraint(title, href))
            if media:
                link["type"] = media
        elif relation in OVERVIEW_RELATIONS:
            overviews.append(Overview(href, title, media))
        else:
            layers = [layer for name in _LAYERS for layer in pop_texts(link, name)]
            # the type of a link to a map service is that of its maps
            is_map = media in _PICTURES and relation in ("wms", "wmts", "xyz")
            online.append(OnlineResource(href, None, ",".join(layers) or title, title if layers else None,
                                         relation or None, media_type=None if is_map else media))
            if is_map:
                link["type"] = media
    return terms, online, overviews


def _pop_asset(key: str, asset: JsonObject, base: str, online: List[OnlineResource], overviews: List[Overview]) -> None:
    """Read an asset, which is a picture of the item if its role or its key says so, else a download."""
    written = pop_text(asset, "href")
    if written is None:
        return
    href, media, title = absolute_address(written, base), pop_text(asset, "type"), pop_text(asset, "title") or key
    roles = pop_texts(asset, "roles")
    if media in _PICTURES and (_PICTURE_ROLES & {*roles, key}) and is_web_address(href):
        overviews.append(Overview(href, title, media))
        rest = [role for role in roles if role not in _PICTURE_ROLES]
    else:
        function = "metadata" if "metadata" in roles else "download"
        online.append(OnlineResource(href, None, title, plain_text(pop_text(asset, "description") or "") or None,
                                     function, media_type=media))
        rest = [role for role in roles if role not in ("data", function)]
    if rest:
        asset["roles"] = rest

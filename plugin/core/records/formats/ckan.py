"""Reader of CKAN's packages: the answers of ``package_show`` and ``package_search``, with what the extensions dcat,
spatial and scheming add.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, Dict, List, Optional, Tuple

from ...addresses import is_web_address
from ...html_text import plain_text, read_html_text
from ...json_document import as_text
from ..model.extents import extent_from_corners, parse_numbers
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
    RecordDate,
    RecordFormat,
    ResourceKind,
    TemporalExtent,
)
from ..xml.record_builder import resource_kind
from .json_values import (
    JsonObject,
    build_json_record,
    copied,
    json_of,
    legal_constraints,
    objects_in,
    original_bytes,
    pop_list,
    pop_text,
    stated_terms,
)
from .ogcapi_records import pop_extents

#: members that only packages have, of which one is enough beside name and resources
_MARKS = ("license_id", "owner_org", "metadata_modified", "metadata_created", "num_resources", "organization")
_BOX = ("bbox-west-long", "bbox-south-lat", "bbox-east-long", "bbox-north-lat")
_PARTIES = (
    ("author", "author_email", "author"), ("maintainer", "maintainer_email", "pointOfContact"),
    ("contact_name", "contact_email", "pointOfContact"), ("contact-name", "contact-email", "pointOfContact"),
    ("publisher_name", "publisher_email", "publisher"), ("creator_name", "creator_email", "author"))


def read_records(value: Any, data: bytes, name: str) -> Optional[List[Record]]:
    """Return the records of a parsed JSON document, or None if it is none of CKAN's.

    The list is empty for an answer without packages.
    """
    if not isinstance(value, dict):
        return None
    result = value.get("result") if value.get("success") is True else None
    if isinstance(result, dict) and isinstance(result.get("results"), list):
        packages = [item for item in result["results"] if _is_package(item)]
        return [read_package(item, name) for item in packages] if packages or not result["results"] else None
    if isinstance(result, dict) and isinstance(result.get("resources"), list):
        return [_read(result, data, name)]
    return [_read(value, data, name)] if _is_package(value) and any(mark in value for mark in _MARKS) else None


def is_answer(value: JsonObject) -> bool:
    """Return whether a JSON object is an answer of CKAN's API with packages."""
    result = value.get("result")
    return value.get("success") is True and isinstance(result, dict) and bool({"results", "resources"} & result.keys())


def read_package(package: JsonObject, source: str) -> Record:
    """Return the record of one package of an answer. ``package`` is left as it is."""
    return _read(copied(package), original_bytes({"success": True, "result": package}), source)


def _is_package(value: Any) -> bool:
    has_resources = isinstance(value, dict) and isinstance(value.get("resources"), list)
    return has_resources and as_text(value.get("name")) is not None


def _read(package: JsonObject, original: bytes, source: str) -> Record:
    _take_extras(package)
    level = pop_text(package, "resource-type", "dcat_type", "dcat_type_name")
    online: List[OnlineResource] = []
    formats: Dict[str, None] = {}
    blocks = [_pop_terms(package)]
    for resource in objects_in(package, "resources"):
        blocks.append(_pop_terms(resource))
        _pop_resource(resource, online, formats)
    page = pop_text(package, "url", "landing_page")
    if page is not None and is_web_address(page):
        online.append(OnlineResource(page, function="information"))
    title = pop_text(package, "title")
    keywords = [text for tag in objects_in(package, "tags")
                for text in (pop_text(tag, "display_name") or pop_text(tag, "name"),) if text]
    for tag in objects_in(package, "tags"):
        tag.pop("name", None)
    groups = [KeywordGroup(tuple(dict.fromkeys(keywords)))] if keywords else []
    themes = [text for group in objects_in(package, "groups")
              for text in (pop_text(group, "title", "display_name", "name"),) if text] + pop_list(package, "theme")
    groups += [KeywordGroup(tuple(dict.fromkeys(themes)), "theme")] if themes else []
    values: Dict[str, Any] = {
        "id": pop_text(package, "id", "guid", "identifier"),
        "title": read_html_text(title or pop_text(package, "name") or "").text or None,
        "abstract": plain_text(pop_text(package, "notes", "description") or "") or None,
        "language": next(iter(pop_list(package, "language") or pop_list(package, "metadata-language")), None),
        "hierarchy_level": level,
        "kind": ResourceKind.DATASET if resource_kind(level) is ResourceKind.OTHER else resource_kind(level),
        "service_type": pop_text(package, "spatial-data-service-type"),
        "date_stamp": pop_text(package, "metadata_modified", "metadata-date"), "dates": _pop_dates(package),
        "contacts": _pop_contacts(package), "keyword_groups": groups,
        "constraint_groups": [*_access(package), *legal_constraints(*blocks)],
        "extents": _pop_extents(package), "temporal_extents": _pop_times(package),
        "reference_systems": pop_list(package, "spatial-reference-system"),
        "lineage": pop_text(package, "provenance", "lineage"), "online": online,
        "formats": [DistributionFormat(text) for text in formats],
        "overviews": [Overview(url) for url in (pop_text(package, "graphic-preview-file"),) if url],
    }
    return build_json_record(RecordFormat.CKAN, package, original, source, values)


def _take_extras(package: JsonObject) -> None:
    """Make members of the extras, in which extensions and harvesters keep theirs. A member of the package comes first.
    """
    left = []
    extras = package.get("extras")
    for extra in extras if isinstance(extras, list) else ():
        key = as_text(extra.get("key")) if isinstance(extra, dict) else None
        if key and not package.get(key):
            package[key] = extra.get("value")
        else:
            left.append(extra)
    if isinstance(extras, list):
        package["extras"] = left


def _pop_terms(holder: JsonObject) -> List[Constraint]:
    """Return licence and rights of a package or a resource. The title of a licence comes before its id."""
    address = pop_text(holder, "license_url", "licence_url", "licence-url")
    title = pop_text(holder, "license_title", "license", "license_id")
    found = [Constraint(title, address)] if title or address else []
    for name in ("licence", "rights", "terms_of_use", "use_constraints", "use-limitations", "attribution",
                 "attribution_text", "licenseAttributionByText", "license_attribution_by_text"):
        found += stated_terms(pop_list(holder, name))
    return found


def _access(package: JsonObject) -> List[ConstraintGroup]:
    texts = [text for name in ("access_rights", "access_constraints", "limitations-on-public-access")
             for text in pop_list(package, name)]
    if not texts:
        return []
    return [ConstraintGroup(ConstraintKind.LEGAL, access_constraints=("otherRestrictions",),
                            other_constraints=tuple(stated_terms(texts)))]


def _pop_resource(resource: JsonObject, online: List[OnlineResource], formats: Dict[str, None]) -> None:
    form, media = pop_text(resource, "format"), pop_text(resource, "mimetype")
    conforms = pop_list(resource, "conforms_to")
    if len(conforms) > 1:
        resource["conforms_to"] = conforms[1:]
    name = pop_text(resource, "name", "title")
    description = plain_text(pop_text(resource, "description") or "") or None
    protocol = pop_text(resource, "resource_locator_protocol")
    function = pop_text(resource, "resource_locator_function")
    if form:
        formats.setdefault(form)
    addresses = [text for text in (pop_text(resource, "url"), pop_text(resource, "download_url"),
                                   pop_text(resource, "access_url")) if text]
    for address in dict.fromkeys(addresses):
        online.append(OnlineResource(address, protocol or form, name, description, function, None,
                                     next(iter(conforms), None), media_type=media))


def _pop_contacts(package: JsonObject) -> List[Contact]:
    found = []
    for name, email, role in _PARTIES:
        organisation, address = pop_text(package, name), pop_text(package, email)
        if organisation or address:
            found.append(Contact(organisation=organisation, emails=(address,) if address else (), role=role))
    publishers = [(holder, role) for member, role in (("publisher", "publisher"), ("creator", "author"),
                                                      ("contact", "pointOfContact"))
                  for holder in objects_in(package, member)]
    for party, role in publishers:
        who, where = pop_text(party, "name"), pop_text(party, "email")
        if who or where:
            found.append(Contact(organisation=who, emails=(where,) if where else (), url=pop_text(party, "url", "uri"),
                                 role=role))
    found += _pop_responsible_parties(package)
    organization = package.get("organization")
    if isinstance(organization, dict):
        title = pop_text(organization, "title", "name")
        if title and not any(contact.role == "publisher" for contact in found):
            found.append(Contact(organisation=title, role="publisher"))
        elif title:
            organization["title"] = title
    return found


def _pop_responsible_parties(package: JsonObject) -> List[Contact]:
    """Return the parties that the extension spatial writes as JSON in a text: a name and roles of CI_RoleCode."""
    parties = json_of(package.get("responsible-party"))
    if not isinstance(parties, list) or not all(isinstance(party, dict) for party in parties):
        return []
    found = []
    for party in parties:
        roles = party.get("roles") if isinstance(party.get("roles"), list) else [party.get("role")]
        name = as_text(party.get("name"))
        if name:
            found += [Contact(organisation=name, role=as_text(role)) for role in roles]
    if found:
        del package["responsible-party"]
    return found


def _pop_dates(package: JsonObject) -> List[RecordDate]:
    found: List[Tuple[Optional[str], Optional[str]]] = [(pop_text(package, name), kind) for name, kind in (
        ("issued", "publication"), ("modified", "revision"), ("created", "creation"))]
    written = json_of(package.get("dataset-reference-date"))
    if isinstance(written, list) and all(isinstance(item, dict) for item in written):
        del package["dataset-reference-date"]
        found += [(as_text(item.get("value")), as_text(item.get("type"))) for item in written]
    # the date of the package is that of its record, unless nothing else says when the data are from
    if not any(text for text, _ in found):
        found.append((pop_text(package, "metadata_created"), "publication"))
    return [RecordDate(text, kind) for text, kind in found if text]


def _pop_times(package: JsonObject) -> List[TemporalExtent]:
    found = []
    for begin, end in (("temporal_start", "temporal_end"), ("temporal_coverage-from", "temporal_coverage-to"),
                       ("temporal-extent-begin", "temporal-extent-end")):
        found += [TemporalExtent(first, last) for first, last in zip_longest(
            pop_list(package, begin), pop_list(package, end))]
    for item in objects_in(package, "temporal_coverage"):
        first, last = pop_text(item, "start"), pop_text(item, "end")
        if first or last:
            found.append(TemporalExtent(first, last))
    return found


def _pop_extents(package: JsonObject) -> List[Extent]:
    """Return the extent of ``spatial`` (GeoJSON, as JSON or as a text, or four numbers), else of the sides."""
    found: List[Extent] = []
    for holder, member in [(package, "spatial"), *((item, "geom") for item in objects_in(package, "spatial_coverage"))]:
        geometry = json_of(holder.get(member))
        numbers = parse_numbers(geometry) if isinstance(geometry, str) else []
        if isinstance(geometry, dict):
            feature: JsonObject = {"geometry": geometry}
            found += pop_extents(feature, {})
            if "geometry" not in feature:
                del holder[member]
        elif len(numbers) == 4:
            box = extent_from_corners(numbers[:2], numbers[2:])
            if box is not None:
                found.append(box)
                del holder[member]
    if not found and all(name in package for name in _BOX):
        numbers = parse_numbers(" ".join(as_text(package[name]) or "?" for name in _BOX))
        box = extent_from_corners(numbers[:2], numbers[2:]) if len(numbers) == 4 else None
        if box is not None:
            found.append(box)
            for name in _BOX:
                del package[name]
    return list(dict.fromkeys(found))

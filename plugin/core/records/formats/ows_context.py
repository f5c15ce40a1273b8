"""Reader of OWS Context in GeoJSON (OGC 14-055r2), and of offerings, which Atom (OGC 12-084r2) has too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ...html_text import plain_text, read_html_text
from ...json_document import object_in
from ...wms.requests.urls import query_parameters
from ..model.record import (
    ConnectPoint,
    Constraint,
    Contact,
    KeywordGroup,
    OnlineResource,
    Operation,
    Overview,
    Record,
    RecordDate,
    RecordFormat,
    ResourceKind,
)
from .json_values import (
    JsonObject,
    build_json_record,
    copied,
    legal_constraints,
    objects_in,
    original_bytes,
    pop_text,
    pop_texts,
    stated_terms,
)
from .ogcapi_records import pop_extents, pop_temporal_extents

#: the last word of an offering's code, and the service type that it means
OFFERING_SERVICE_TYPES = {"wms": "OGC:WMS", "wmts": "OGC:WMTS", "wfs": "OGC:WFS", "wcs": "OGC:WCS", "wps": "OGC:WPS",
                          "csw": "OGC:CSW"}
#: the parameters that name what an operation asks for
_NAMES = ("layers", "layer", "typenames", "typename", "coverageid", "coverage", "identifier")
#: members of a context that hold for its resources, unless they have their own (12-084r2 7.2)
_INHERITED = ("rights", "authors", "publisher", "creator", "lang")


@dataclass(frozen=True)
class Offering:
    """One way to the content of a resource: a service with its operations, or files (OGC 12-080r2 7.3)."""

    code: str
    operations: Tuple[Operation, ...] = ()
    contents: Tuple[OnlineResource, ...] = ()

    @property
    def service_type(self) -> Optional[str]:
        """The type of the service, or None for files and unknown codes."""
        return OFFERING_SERVICE_TYPES.get(self.code.rstrip("/").rpartition("/")[2].lower())

    @property
    def links(self) -> Tuple[OnlineResource, ...]:
        """The contents, and one link to the service with the names of the layers that its operations ask for."""
        points = [(operation.name.lower(), point.url) for operation in self.operations
                  for point in operation.connect_points]
        address = next((url for name, url in points if name == "getcapabilities"), None)
        if address is None or self.service_type is None:
            return self.contents
        names = next(filter(None, (_names_in(url) for _, url in points)), None)
        return (OnlineResource(address, None, names, protocol_uri=self.code), *self.contents)


def content_link(code: str, href: str, title: Optional[str], media_type: Optional[str]) -> OnlineResource:
    """Return the link to a file of an offering. The last word of the offering's code is its format: "geotiff"."""
    return OnlineResource(href, code.rpartition("/")[2] or None, title, function="download", media_type=media_type)


def _names_in(address: str) -> Optional[str]:
    try:
        parameters = {name.lower(): value for name, value in query_parameters(address)}
    except ValueError:
        return None
    return next((parameters[name] for name in _NAMES if parameters.get(name)), None)


def read_records(value: Any, data: bytes, name: str) -> Optional[List[Record]]:
    """Return one record for each resource of a context, one of the context itself if it has none, or None.

    None stands for any other document.
    """
    if not isinstance(value, dict) or not is_context(value):
        return None
    about = object_in(value, "properties")
    resources = [item for item in objects_in(value, "features", None) if isinstance(item.get("properties"), dict)]
    if not resources:
        rest = {**value, "type": None, "features": []}
        return [_read(rest, about, data, name, ResourceKind.OTHER)]
    found = []
    for resource in resources:
        inherited = {key: about[key] for key in _INHERITED if key in about}
        alone = {"type": "FeatureCollection", "id": value.get("id"), "properties": inherited, "features": [resource]}
        original = data if len(resources) == 1 else original_bytes(alone)
        resource.pop("type", None)
        properties = resource["properties"]
        for key, member in copied(inherited).items():
            properties.setdefault(key, member)
        found.append(_read(resource, properties, original, name))
    return found


def is_context(value: JsonObject) -> bool:
    """Return whether a JSON object is a context, by its specification or by the offerings of its resources."""
    if value.get("type") != "FeatureCollection":
        return False
    profiles = object_in(object_in(value, "properties"), "links").get("profiles")
    return "/spec/owc" in f"{value.get('id')} {profiles}" or any(
        isinstance(item.get("properties"), dict) and item["properties"].get("offerings")
        for item in objects_in(value, "features")[:20])


def _read(rest: JsonObject, about: JsonObject, original: bytes, source: str,
          kind: Optional[ResourceKind] = None) -> Record:
    offerings = [_pop_offering(offering) for offering in objects_in(about, "offerings")]
    links = object_in(about, "links")
    online = [link for offering in offerings for link in offering.links]
    online += _pop_links(links, "data", "download") + _pop_links(links, "alternates", None)
    online += _pop_links(links, "via", "completeMetadata")
    overviews = [Overview(link.url, link.name, link.media_type) for link in _pop_links(links, "previews", None)]
    service_type = next(filter(None, (offering.service_type for offering in offerings)), None)
    keywords: Dict[Optional[str], List[str]] = {}
    for category in objects_in(about, "categories"):
        word = pop_text(category, "label", "term")
        if word is not None:
            keywords.setdefault(pop_text(category, "scheme"), []).append(word)
    words = [text.strip() for text in (pop_text(about, "keywords") or "").split(",") if text.strip()]
    if words:
        keywords.setdefault(None, []).extend(words)
    values: Dict[str, Any] = {
        "id": pop_text(rest, "id") if kind is None else None, "language": pop_text(about, "lang"),
        "title": read_html_text(pop_text(about, "title") or "").text or None,
        "abstract": plain_text(pop_text(about, "abstract", "subtitle") or "") or None,
        "kind": kind or (ResourceKind.SERVICE if service_type else ResourceKind.OTHER),
        "date_stamp": pop_text(about, "updated"), "service_type": service_type,
        "dates": [RecordDate(text, "publication") for text in pop_texts(about, "published")],
        "contacts": _pop_contacts(about),
        "keyword_groups": [KeywordGroup(tuple(dict.fromkeys(group)), None, scheme)
                           for scheme, group in keywords.items()],
        "constraint_groups": legal_constraints(_pop_rights(about)),
        "operations": [operation for offering in offerings for operation in offering.operations],
        "online": online, "overviews": overviews, "extents": pop_extents(rest, about),
        "temporal_extents": pop_temporal_extents(rest, {**about, "time": about.pop("date", None)}),
    }
    return build_json_record(RecordFormat.OWS_CONTEXT, rest, original, source, values)


def _pop_rights(about: JsonObject) -> List[Constraint]:
    return stated_terms(text for name in ("rights", "attribution", "license") for text in pop_texts(about, name))


def _pop_offering(offering: JsonObject) -> Offering:
    code = pop_text(offering, "code") or ""
    operations = []
    for operation in objects_in(offering, "operations"):
        href = pop_text(operation, "href")
        if href is not None:
            method = pop_text(operation, "method")
            operations.append(Operation(pop_text(operation, "code") or "", (method,) if method else (),
                                        (ConnectPoint(href, pop_text(operation, "type")),)))
    contents = []
    for content in objects_in(offering, "contents"):
        href = pop_text(content, "href")
        if href is not None:
            contents.append(content_link(code, href, pop_text(content, "title"), pop_text(content, "type")))
    found = Offering(code, tuple(operations), tuple(contents))
    if code and found.service_type is None:
        offering["code"] = code
    return found


def _pop_links(links: JsonObject, name: str, function: Optional[str]) -> List[OnlineResource]:
    found = []
    for link in objects_in(links, name):
        href = pop_text(link, "href")
        if href is not None:
            found.append(OnlineResource(href, None, pop_text(link, "title"), function=function,
                                        media_type=pop_text(link, "type")))
    return found


def _pop_contacts(about: JsonObject) -> Sequence[Contact]:
    found = []
    for author in objects_in(about, "authors"):
        name, email = pop_text(author, "name"), pop_text(author, "email")
        if name or email:
            found.append(Contact(individual=name, emails=(email,) if email else (), url=pop_text(author, "uri"),
                                 role="author"))
    for member, role in (("publisher", "publisher"), ("creator", "originator")):
        found += [Contact(organisation=name, role=role) for name in pop_texts(about, member)]
    return found

"""OGC API - Features: collections of features, described by landing page, collection and API definition.

OGC API - Common, 19-072.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, Iterator, List, Mapping, Sequence

from .. import json_document
from ..addresses import is_web_address, joined_address
from ..errors import Cancelled, CartoguideError, UnexpectedResponse, UnreadableDocument
from ..i18n import tr
from ..text import single_line
from ..wms.requests.urls import with_parameters
from ..wms.responses.response_validation import ExpectedContent
from .attribution_text import attribution_text, description_text, overlong_text
from .layer_source import LayerSource, SourceType
from .source_kind import (
    Documents,
    LayerSourceKind,
    ProviderInfo,
    SentRequest,
    addresses_of_operations,
    fetched_from,
    json_request,
)
from .source_text import service_reader

#: relations of a licence (RFC 8288, registered by RFC 4946), of terms, and of a metadata record
_LICENCE_RELATIONS = ("license", "copyright")
_TERMS_RELATIONS = ("terms-of-service",)
_RECORD_RELATIONS = ("describedby", "item", "canonical")
_MAX_COLLECTIONS = 5_000
_RECORD_MEDIA = ("xml", "geo+json", "iso19139")


def read_ogcapi_description(data: bytes, address: str) -> ProviderInfo:
    """Return title, attribution, licence and record links of a landing page or a collection (19-072 7.2, 8.2).

    ``address`` is that of the document, for relative links. Raises UnreadableDocument.
    """
    value = _object(data, address)
    if not is_ogcapi_description(value):
        raise UnreadableDocument(tr("{name} is not the description of an OGC API.", name=address))
    return _described(value, address)


def is_ogcapi_description(value: Mapping[str, Any]) -> bool:
    """Return whether a JSON object can be a landing page or a collection."""
    return "links" in value or "id" in value


def read_collections(data: bytes, address: str) -> List[ProviderInfo]:
    """Return what each collection in a list of collections says (17-069r4 7.13). Raises UnreadableDocument."""
    values = _object(data, address).get("collections")
    return [_described(value, address) for value in (values[:_MAX_COLLECTIONS] if isinstance(values, list) else ())
            if isinstance(value, dict)]


def _described(value: Mapping[str, Any], address: str) -> ProviderInfo:
    credit, link = attribution_text(value.get("attribution"))
    links = list(_links(value, address))
    licences = [ProviderInfo(licence=item["title"], licence_url=item["href"]) for item in links
                if item["rel"].lower() in _LICENCE_RELATIONS]
    stated = _texts_of(value.get("license"))
    licences += [ProviderInfo(licence="" if is_web_address(text) else text, licence_url=text if is_web_address(text)
                              else "") for text in stated]
    first = licences[0] if licences else ProviderInfo()
    terms = [item["href"] for item in links if item["rel"] in _TERMS_RELATIONS]
    terms += [text for name in ("rights", "accessRights", "termsOfService") for text in _texts_of(value.get(name))]
    terms += filter(None, [overlong_text(value.get("attribution"))])
    return ProviderInfo(title=attribution_text(value.get("title"))[0], owner=_owner(value), credit=credit,
                        access="\n".join(dict.fromkeys(terms)), licence=first.licence, licence_url=first.licence_url,
                        url=link, credit_stated=bool(credit), origin=tr("OGC API: attribution") if credit else "",
                        documents=tuple(item["href"] for item in links
                                        if item["rel"] in _RECORD_RELATIONS and _is_record(item["type"])),
                        description=description_text(value.get("description")), others=tuple(licences[1:]))


def api_definition_address(data: bytes, address: str) -> str:
    """Return the address of the API definition that a landing page links to, or "" (19-072 7.3)."""
    links = list(_links(_object(data, address), address))
    return next((item["href"] for item in links if item["rel"] == "service-desc" and "json" in item["type"]), "")


def read_api_definition(data: bytes, address: str) -> ProviderInfo:
    """Return title, provider and licence of an API definition (OpenAPI 3, Info object). Raises UnreadableDocument."""
    value = _object(data, address)
    info = value.get("info")
    if not isinstance(info, dict):
        raise UnreadableDocument(tr("{name} is not the description of an OGC API.", name=address))
    contact, licence = json_document.object_in(info, "contact"), json_document.object_in(info, "license")
    credit, link = attribution_text(info.get("attribution") or info.get("x-attribution"))
    owner = attribution_text(contact.get("name"))[0]
    terms = attribution_text(info.get("termsOfService"))[0]
    site = contact.get("url")
    return ProviderInfo(title=attribution_text(info.get("title"))[0], owner=owner, credit=credit, access=terms,
                        licence=attribution_text(licence.get("name"))[0],
                        licence_url=_web(licence.get("url")), url=link or _web(site), credit_stated=bool(credit),
                        description=description_text(info.get("description")),
                        origin=tr("OGC API: attribution") if credit else tr("OGC API: contact") if owner else "")


def ogcapi_addresses(address: str, collection: str) -> List[str]:
    """Return the addresses of a collection and of its landing page."""
    bare, _, query = address.partition("?")
    bare = bare.rstrip("/")
    landing = bare.split("/collections")[0]
    suffix = f"?{query}" if query else ""
    found = [f"{landing}/collections/{collection}{suffix}"] if collection else []
    return [*found, f"{landing}{suffix}"]


def _texts_of(value: object) -> List[str]:
    """Return the plain texts of a member that may be a text or a list of them."""
    values: List[object] = value[:20] if isinstance(value, list) else [value]
    return [text for item in values for text in (attribution_text(item)[0] or overlong_text(item),) if text]


def _owner(value: Mapping[str, Any]) -> str:
    """Return the name of the first provider or contact, as STAC and OGC API - Records write them."""
    for key in ("providers", "contacts"):
        people: Sequence[Any] = value[key] if isinstance(value.get(key), list) else []
        for person in people[:1]:
            if isinstance(person, dict):
                return attribution_text(person.get("organization") or person.get("name"))[0]
    return ""


def _links(value: Mapping[str, Any], address: str) -> Iterator[Dict[str, str]]:
    links = value.get("links")
    for link in links[:200] if isinstance(links, list) else ():
        if not isinstance(link, dict) or not isinstance(link.get("href"), str):
            continue
        target = joined_address(address, link["href"])
        if is_web_address(target):
            yield {"href": target, **{key: single_line(str(link.get(key) or "")) for key in ("rel", "type", "title")}}


def _is_record(media_type: str) -> bool:
    return any(part in media_type.lower() for part in _RECORD_MEDIA)


def _object(data: bytes, address: str) -> Dict[str, Any]:
    value = json_document.parse_json(data, address)
    if not isinstance(value, dict):
        raise UnreadableDocument(tr("{name} is not the description of an OGC API.", name=address))
    return value


def _web(value: object) -> str:
    return value if isinstance(value, str) and is_web_address(value) else ""


def _terms(source: LayerSource, documents: Documents) -> ProviderInfo:
    """Return attribution and licence of the collection, else of the landing page and the API definition."""
    infos: List[ProviderInfo] = []
    problems: List[CartoguideError] = []
    addresses = ogcapi_addresses(source.address, next(iter(source.names), ""))
    for address in addresses:
        try:
            data = _read(address, documents)
            infos.append(read_ogcapi_description(data, address))
            definition = api_definition_address(data, address) if address == addresses[-1] else ""
            if definition:
                infos.append(read_api_definition(documents.read(definition, ExpectedContent.ANY), definition))
        except Cancelled:
            raise
        except CartoguideError as error:
            problems.append(error)
    if problems and not infos:
        raise problems[-1]
    return replace(_most_specific(infos), unread=tuple(problem.user_text for problem in problems))


def _read(address: str, documents: Documents) -> bytes:
    """Return the document at an address, which some servers have with a slash at its end only."""
    try:
        return documents.read(with_parameters(address, {"f": "json"}), ExpectedContent.JSON)
    except UnexpectedResponse as error:
        if error.status != 404:
            raise
        bare, mark, query = address.partition("?")
        return documents.read(with_parameters(f"{bare}/{mark}{query}", {"f": "json"}), ExpectedContent.JSON)


def _most_specific(infos: Sequence[ProviderInfo]) -> ProviderInfo:
    """Return one description with each value from the first that has it, and those of which it is made.

    Title and owner belong together.
    """
    def first(name: str) -> str:
        return next((str(getattr(info, name)) for info in infos if getattr(info, name)), "")

    credited = next((info for info in infos if info.credit), None)
    owner = next((info for info in infos if info.owner), ProviderInfo())
    return ProviderInfo(title=first("title"), owner=owner.owner, credit=credited.credit if credited else "",
                        fees=first("fees"), access=first("access"), licence=first("licence"),
                        licence_url=first("licence_url"), url=first("url"), credit_stated=credited is not None,
                        origin=(credited or owner).origin,
                        documents=tuple(dict.fromkeys(url for info in infos for url in info.documents)),
                        others=tuple(infos))


def _draws(source: LayerSource, request: SentRequest) -> bool:
    return request.is_below(source.address, "items") and any(name in request.segments for name in source.names)


KIND = LayerSourceKind(SourceType.OGCAPI_FEATURES, service_reader(SourceType.OGCAPI_FEATURES, "oapif"),
                       proof=fetched_from("oapif"), draws=_draws,
                       terms=_terms, described_by_layer=True, has_pages=True, first_request=json_request(),
                       next_addresses=addresses_of_operations)

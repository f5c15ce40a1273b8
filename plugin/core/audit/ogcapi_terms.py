"""Credits and terms of OGC APIs: landing page, collection and API definition (OGC API - Common, 19-072)."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping, Sequence

from .. import json_document
from ..addresses import is_web_address, joined_address
from ..errors import UnreadableDocument
from ..i18n import tr
from ..text import single_line
from .attribution_text import attribution_text
from .audit_row import ProviderInfo

#: relations of a licence (RFC 8288, registered by RFC 4946), of terms, and of a metadata record
_LICENCE_RELATIONS = ("license", "copyright")
_TERMS_RELATIONS = ("terms-of-service",)
_RECORD_RELATIONS = ("describedby", "item", "canonical")
_RECORD_MEDIA = ("xml", "geo+json", "iso19139")


def read_ogcapi_description(data: bytes, address: str) -> ProviderInfo:
    """Return title, attribution, licence and record links of a landing page or a collection (19-072 7.2, 8.2).

    ``address`` is that of the document, for relative links. Raises UnreadableDocument.
    """
    value = _object(data, address)
    if "links" not in value and "id" not in value:
        raise UnreadableDocument(tr("{name} is not the description of an OGC API.", name=address))
    credit, link = attribution_text(value.get("attribution"))
    links = list(_links(value, address))
    licence = next((item for item in links if item["rel"] in _LICENCE_RELATIONS), None)
    stated = attribution_text(value.get("license"))[0]
    is_address = is_web_address(stated)
    licence_url = licence["href"] if licence else stated if is_address else ""
    terms = next((item["href"] for item in links if item["rel"] in _TERMS_RELATIONS), "")
    return ProviderInfo(title=attribution_text(value.get("title"))[0], owner=_owner(value), credit=credit,
                        access=terms, licence=(licence["title"] if licence else "") or ("" if is_address else stated),
                        licence_url=licence_url, url=link, credit_stated=bool(credit),
                        origin=tr("OGC API: attribution") if credit else "",
                        documents=tuple(item["href"] for item in links
                                        if item["rel"] in _RECORD_RELATIONS and _is_record(item["type"])))


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
    contact, licence = _member(info, "contact"), _member(info, "license")
    credit, link = attribution_text(info.get("attribution") or info.get("x-attribution"))
    owner = attribution_text(contact.get("name"))[0]
    terms = attribution_text(info.get("termsOfService"))[0]
    site = contact.get("url")
    return ProviderInfo(title=attribution_text(info.get("title"))[0], owner=owner, credit=credit, access=terms,
                        licence=attribution_text(licence.get("name"))[0],
                        licence_url=_web(licence.get("url")), url=link or _web(site), credit_stated=bool(credit),
                        origin=tr("OGC API: attribution") if credit else tr("OGC API: contact") if owner else "")


def ogcapi_addresses(address: str, collection: str) -> List[str]:
    """Return the addresses of a collection and of its landing page."""
    bare, _, query = address.partition("?")
    bare = bare.rstrip("/")
    landing = bare.split("/collections")[0]
    suffix = f"?{query}" if query else ""
    found = [f"{landing}/collections/{collection}{suffix}"] if collection else []
    return [*found, f"{landing}/{suffix}"]


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


def _member(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _web(value: object) -> str:
    return value if isinstance(value, str) and is_web_address(value) else ""

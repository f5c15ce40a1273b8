"""Citations, dates, contacts and online resources (ISO 19115 B.3: CI_Citation, CI_ResponsibleParty and others)."""

from __future__ import annotations

from typing import Dict, List, Optional

from ..model.record import Contact, OnlineResource, RecordDate
from ..xml.element_walker import (
    HREF,
    TITLE,
    Element,
    ElementWalker,
    FieldValues,
    Handler,
    build_one,
    built,
    clean_text,
    code,
    nested,
    repeat,
    set_once,
    text,
    texts,
)


def build_contact(values: FieldValues) -> Contact:
    """Return the CI_ResponsibleParty with the parts of its address joined in one line."""
    individual = values.get("individual")
    if individual is None:
        individual = " ".join(values[part] for part in ("first_name", "last_name") if part in values) or None
    return Contact(organisation=values.get("organisation"), individual=individual, position=values.get("position"),
                   emails=tuple(values.get("emails", ())), phones=tuple(values.get("phones", ())),
                   address=_joined_address(values), url=values.get("url"), role=values.get("role"))


def _joined_address(values: FieldValues) -> Optional[str]:
    lines: List[str] = list(values.get("delivery", ()))
    street = " ".join(values[part] for part in ("street", "street_number") if part in values)
    town = " ".join(values[part] for part in ("postal_code", "city") if part in values)
    others = (street, values.get("post_box"), town, values.get("area"), values.get("country"))
    lines += [part for part in others if part]
    return ", ".join(lines) or None


def _protocol(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read the protocol as text, and the address of an Anchor that says it as ``protocol_uri``."""
    value, href = walker.text_and_href(prop)
    if value is not None or href is not None:
        set_once(walker, prop, values, "protocol", " ".join((value or href or "").split()))
    if href is not None:
        set_once(walker, prop, values, "protocol_uri", href)


build_date = built(RecordDate, "value")
build_online_resource = built(OnlineResource, "url")
DATE: Dict[str, Handler] = {"date": text("value"), "dateType": code("type")}

ONLINE_RESOURCE: Dict[str, Handler] = {
    "linkage": text("url"),
    "protocol": _protocol,
    "applicationProfile": text("application_profile"),
    "name": text("name"),
    "description": text("description"),
    "function": code("function"),
}

_TELEPHONE: Dict[str, Handler] = {"voice": texts("phones")}

ADDRESS: Dict[str, Handler] = {
    "deliveryPoint": texts("delivery"),
    "city": text("city"),
    "administrativeArea": text("area"),
    "postalCode": text("postal_code"),
    "country": text("country"),
    "electronicMailAddress": texts("emails"),
    "+streetName": text("street"),
    "+streetNumber": text("street_number"),
    "+postBox": text("post_box"),
}

CONTACT_INFO: Dict[str, Handler] = {
    "phone": nested(_TELEPHONE),
    "address": nested(ADDRESS),
    "onlineResource": nested({"linkage": text("url")}),
}

RESPONSIBLE_PARTY: Dict[str, Handler] = {
    "individualName": text("individual"),
    "organisationName": text("organisation"),
    "positionName": text("position"),
    "contactInfo": nested(CONTACT_INFO),
    "role": code("role"),
    "+individualFirstName": text("first_name"),
    "+individualLastName": text("last_name"),
}

#: parts of the citation of a thesaurus or a specification
IDENTIFIER: Dict[str, Handler] = {"code": text("identifier")}
TITLE_ONLY: Dict[str, Handler] = {"title": text("title")}


def contacts(field: str) -> Handler:
    """Return a handler for a property whose objects are responsible parties, or which names one by ``xlink:title``."""
    return or_named_reference(field, repeat(field, RESPONSIBLE_PARTY, build_contact))


def or_named_reference(field: str, handler: Handler) -> Handler:
    """Return a handler that reads an empty property with an ``xlink:title`` as a contact of that name."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        name = clean_text(prop.get(TITLE))
        if name is None or len(prop) or (prop.get(HREF) or "").startswith("#"):
            handler(walker, prop, values)
            return
        address = clean_text(prop.get(HREF))
        values.setdefault(field, []).append(Contact(organisation=name, url=address))
        walker.add_unread_attributes(prop, frozenset((TITLE, HREF)))
    return read


def first_date(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read the date of a cited document. Its type and further dates are unread."""
    for item in walker.objects(prop):
        value = build_one(walker, item, {"date": text("value")}, lambda inner: inner["value"])
        if value is not None:
            set_once(walker, item, values, "date", value)


CITATION: Dict[str, Handler] = {
    "title": text("title"),
    "alternateTitle": texts("alternate_titles"),
    "date": repeat("dates", DATE, build_date),
    "citedResponsibleParty": contacts("cited"),
}

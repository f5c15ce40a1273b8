"""Citations, dates, contacts, online resources (ISO 19115 B.3: CI_Citation, CI_ResponsibleParty …)."""

from __future__ import annotations

from typing import Dict, List, Optional

from ..model.record import Contact, OnlineResource, RecordDate
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler
from ..xml.field_handlers import build_one, code, nested, repeat, set_once, text, texts


def build_date(bag: FieldValues) -> Optional[RecordDate]:
    """CI_Date, or None without a date."""
    return RecordDate(bag["value"], bag.get("type")) if "value" in bag else None


def build_contact(bag: FieldValues) -> Contact:
    """CI_ResponsibleParty from what its properties gave; the parts of the address joined in one line."""
    individual = bag.get("individual")
    if individual is None:
        individual = " ".join(bag[part] for part in ("first_name", "last_name") if part in bag) or None
    return Contact(organisation=bag.get("organisation"), individual=individual, position=bag.get("position"),
                   emails=tuple(bag.get("emails", ())), phones=tuple(bag.get("phones", ())),
                   address=_joined_address(bag), url=bag.get("url"), role=bag.get("role"))


def _joined_address(bag: FieldValues) -> Optional[str]:
    lines: List[str] = list(bag.get("delivery", ()))
    street = " ".join(bag[part] for part in ("street", "street_number") if part in bag)
    town = " ".join(bag[part] for part in ("postal_code", "city") if part in bag)
    lines += [part for part in (street, bag.get("post_box"), town, bag.get("area"), bag.get("country")) if part]
    return ", ".join(lines) or None


def build_online_resource(bag: FieldValues) -> Optional[OnlineResource]:
    """CI_OnlineResource, or None without an address."""
    if "url" not in bag:
        return None
    return OnlineResource(url=bag["url"], protocol=bag.get("protocol"), name=bag.get("name"),
                          description=bag.get("description"), function=bag.get("function"))


DATE: Dict[str, Handler] = {"date": text("value"), "dateType": code("type")}

ONLINE_RESOURCE: Dict[str, Handler] = {
    "linkage": text("url"), "protocol": text("protocol"), "name": text("name"), "description": text("description"),
    "function": code("function"),
}

_TELEPHONE: Dict[str, Handler] = {"voice": texts("phones")}

ADDRESS: Dict[str, Handler] = {
    "deliveryPoint": texts("delivery"), "city": text("city"), "administrativeArea": text("area"),
    "postalCode": text("postal_code"), "country": text("country"), "electronicMailAddress": texts("emails"),
    "+streetName": text("street"), "+streetNumber": text("street_number"), "+postBox": text("post_box"),
}

CONTACT_INFO: Dict[str, Handler] = {
    "phone": nested(_TELEPHONE), "address": nested(ADDRESS), "onlineResource": nested({"linkage": text("url")}),
}

RESPONSIBLE_PARTY: Dict[str, Handler] = {
    "individualName": text("individual"), "organisationName": text("organisation"), "positionName": text("position"),
    "contactInfo": nested(CONTACT_INFO), "role": code("role"), "+individualFirstName": text("first_name"),
    "+individualLastName": text("last_name"),
}

#: a citation of which only title, date and identifier are asked: a thesaurus, a specification
IDENTIFIER: Dict[str, Handler] = {"code": text("identifier")}
TITLE_ONLY: Dict[str, Handler] = {"title": text("title")}


def contacts(field: str) -> Handler:
    """A property whose objects are responsible parties."""
    return repeat(field, RESPONSIBLE_PARTY, build_contact)


def first_date(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    """The date of a cited document; its type and further dates are kept as unread."""
    for item in reading.objects(prop):
        value = build_one(reading, item, {"date": text("value")}, lambda own: own["value"])
        if value is not None:
            set_once(reading, item, bag, "date", value)


CITATION: Dict[str, Handler] = {
    "title": text("title"), "alternateTitle": texts("alternate_titles"), "date": repeat("dates", DATE, build_date),
    "citedResponsibleParty": contacts("cited"),
}

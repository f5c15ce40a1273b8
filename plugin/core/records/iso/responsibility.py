"""Responsibilities of ISO 19115-1: a role and the parties that have it (CI_Responsibility, CI_Party)."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, List

from ..model.record import Contact
from ..xml.element_names import ISO_NAMES
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler
from ..xml.field_handlers import code, nested, text, texts
from .citation import ADDRESS, build_contact


def _telephone(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    """CI_Telephone: a number to speak to; a fax or text number has no field."""
    for item in reading.objects(prop):
        kinds = [child for child in item if ISO_NAMES[child.tag] == "numberType"]
        spoken = all(peek_code(kind) in ("", "voice") for kind in kinds)
        if spoken:
            reading.walk(item, _TELEPHONE, bag)
        else:
            reading.add_unread_element(item)


def peek_code(prop: Element) -> str:
    """The code of a code list property, without marking it as read."""
    for child in prop:
        return (child.get("codeListValue") or child.text or "").strip()
    return ""


_TELEPHONE: Dict[str, Handler] = {"number": texts("phones")}

_CONTACT: Dict[str, Handler] = {
    "phone": _telephone, "address": nested(ADDRESS), "onlineResource": nested({"linkage": text("url")}),
}
_INDIVIDUAL: Dict[str, Handler] = {
    "name": text("individual"), "positionName": text("position"), "contactInfo": nested(_CONTACT),
}


def _individual(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    """A person of an organisation: each is a contact of their own."""
    for item in reading.objects(prop):
        own: FieldValues = {}
        reading.walk(item, _INDIVIDUAL, own)
        if own:
            bag.setdefault("people", []).append(own)


_ORGANISATION: Dict[str, Handler] = {
    "name": text("organisation"), "contactInfo": nested(_CONTACT), "individual": _individual,
    "positionName": text("position"),
}


def _party(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
    for item in reading.objects(prop):
        own: FieldValues = {}
        reading.walk(item, _INDIVIDUAL if "Individual" in ISO_NAMES[item.tag] else _ORGANISATION, own)
        if own:
            bag.setdefault("parties", []).append(own)


_RESPONSIBILITY: Dict[str, Handler] = {"role": code("role"), "party": _party}


def responsibilities(field: str) -> Handler:
    """A property whose objects are responsibilities: one contact for each party and person."""
    def read(reading: ElementWalker, prop: Element, bag: FieldValues) -> None:
        for item in reading.objects(prop):
            own: FieldValues = {}
            reading.walk(item, _RESPONSIBILITY, own)
            bag.setdefault(field, []).extend(_contacts(own))
    return read


def _contacts(bag: FieldValues) -> List[Contact]:
    role = bag.get("role")
    found: List[Contact] = []
    for party in bag.get("parties", ()):
        people: List[FieldValues] = party.pop("people", [])
        shared = build_contact(party)
        if not people:
            found.append(replace(shared, role=role))
        for number, person in enumerate(people):
            one = build_contact(person)
            # what is known of the organisation stands with its first person
            found.append(Contact(
                organisation=shared.organisation, individual=one.individual,
                position=one.position or (shared.position if number == 0 else None),
                emails=one.emails + (shared.emails if number == 0 else ()),
                phones=one.phones + (shared.phones if number == 0 else ()),
                address=one.address or (shared.address if number == 0 else None),
                url=one.url or (shared.url if number == 0 else None), role=role))
    if not found and role:
        found.append(Contact(role=role))
    return found

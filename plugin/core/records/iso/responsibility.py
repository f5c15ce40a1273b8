"""Responsibilities of ISO 19115-1: a role and the parties that have it (CI_Responsibility, CI_Party)."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, List

from ..model.record import Contact
from ..xml.element_names import ISO_NAMES
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler, code, nested, text, texts
from .citation import ADDRESS, build_contact, or_named_reference


def _telephone(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read a CI_Telephone for voice calls. Fax and SMS numbers have no field."""
    for item in walker.objects(prop):
        kinds = [child for child in item if ISO_NAMES[child.tag] == "numberType"]
        spoken = all(peek_code(kind) in ("", "voice") for kind in kinds)
        if spoken:
            walker.walk(item, _TELEPHONE, values)
        else:
            walker.add_unread_element(item)


def peek_code(prop: Element) -> str:
    """Return the code of a code list property without marking it as read."""
    for child in prop:
        return (child.get("codeListValue") or child.text or "").strip()
    return ""


_TELEPHONE: Dict[str, Handler] = {"number": texts("phones")}

_CONTACT: Dict[str, Handler] = {
    "phone": _telephone,
    "address": nested(ADDRESS),
    "onlineResource": nested({"linkage": text("url")}),
}
_INDIVIDUAL: Dict[str, Handler] = {
    "name": text("individual"),
    "positionName": text("position"),
    "contactInfo": nested(_CONTACT),
}


def _individual(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read a person of an organisation. Each person becomes a separate contact."""
    for item in walker.objects(prop):
        inner: FieldValues = {}
        walker.walk(item, _INDIVIDUAL, inner)
        if inner:
            values.setdefault("people", []).append(inner)


_ORGANISATION: Dict[str, Handler] = {
    "name": text("organisation"),
    "contactInfo": nested(_CONTACT),
    "individual": _individual,
    "positionName": text("position"),
}


def _party(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    for item in walker.objects(prop):
        inner: FieldValues = {}
        walker.walk(item, _INDIVIDUAL if "Individual" in ISO_NAMES[item.tag] else _ORGANISATION, inner)
        if inner:
            values.setdefault("parties", []).append(inner)


_RESPONSIBILITY: Dict[str, Handler] = {"role": code("role"), "party": _party}


def responsibilities(field: str) -> Handler:
    """Return a handler for a property whose objects are responsibilities, with one contact for each party and person.
    """
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            inner: FieldValues = {}
            walker.walk(item, _RESPONSIBILITY, inner)
            values.setdefault(field, []).extend(_contacts(inner))
    return or_named_reference(field, read)


def _contacts(values: FieldValues) -> List[Contact]:
    role = values.get("role")
    contacts: List[Contact] = []
    for party in values.get("parties", ()):
        people: List[FieldValues] = party.pop("people", [])
        shared = build_contact(party)
        if not people:
            contacts.append(replace(shared, role=role))
        for number, person in enumerate(people):
            contact = build_contact(person)
            # the first person gets the contact data of the organisation
            contacts.append(Contact(
                organisation=shared.organisation, individual=contact.individual,
                position=contact.position or (shared.position if number == 0 else None),
                emails=contact.emails + (shared.emails if number == 0 else ()),
                phones=contact.phones + (shared.phones if number == 0 else ()),
                address=contact.address or (shared.address if number == 0 else None),
                url=contact.url or (shared.url if number == 0 else None), role=role))
    if not contacts and role:
        contacts.append(Contact(role=role))
    return contacts

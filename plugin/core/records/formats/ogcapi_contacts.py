"""Contacts of OGC API - Records (OGC 20-004r1, table 9), and the providers of its drafts."""

from __future__ import annotations

from typing import List, Optional

from ..model.record import Contact
from .json_members import JsonObject, objects_in, pop_text, pop_texts


def pop_contacts(properties: JsonObject) -> List[Contact]:
    """Take the contacts, providers and publisher of a record; a party with several roles keeps the others as unread."""
    found = [Contact(organisation=name, role="publisher") for name in pop_texts(properties, "publisher")]
    for name in ("contacts", "contactPoint", "providers", "creators", "contributors", "publishers"):
        if isinstance(properties.get(name), dict):
            properties[name] = [properties[name]]
        role = {"creators": "author", "contributors": "contributor", "publishers": "publisher"}.get(name)
        found += [Contact(organisation=text, role=role) for text in pop_texts(properties, name)]
        found += [
            contact for contact in (_pop_contact(party, role) for party in objects_in(properties, name)) if contact
        ]
    return found


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
    found = pop_texts(party, plural)
    found += [value for value in (pop_text(item, "value") for item in objects_in(party, plural)) if value]
    one = pop_text(party, single)
    return found + [one] if one else found


def _pop_address(party: JsonObject) -> Optional[str]:
    """The first address in one line."""
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

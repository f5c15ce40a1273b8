"""Contacts of OGC API - Records (OGC 20-004r1, table 9), and the providers of its drafts."""

from __future__ import annotations

from typing import List, Optional

from .json_reading import JsonObject, take_objects, take_text, take_texts
from .model import Contact


def take_contacts(properties: JsonObject) -> List[Contact]:
    """Take the contacts, providers and publisher of a record; a party with several roles keeps the others as unread."""
    found = [Contact(organisation=name, role="publisher") for name in take_texts(properties, "publisher")]
    for name in ("contacts", "contactPoint", "providers", "creators", "contributors", "publishers"):
        if isinstance(properties.get(name), dict):
            properties[name] = [properties[name]]
        role = {"creators": "author", "contributors": "contributor", "publishers": "publisher"}.get(name)
        found += [Contact(organisation=text, role=role) for text in take_texts(properties, name)]
        found += [contact for contact in (_contact(party, role) for party in take_objects(properties, name)) if contact]
    return found


def _contact(party: JsonObject, role: Optional[str]) -> Optional[Contact]:
    organisation = take_text(party, "organization", "organisation")
    individual = take_text(party, "name", "individual")
    emails, phones = _values(party, "emails", "email"), _values(party, "phones", "phone")
    address = _address(party)
    url = take_text(party, "url", "uri", "onlineResource")
    if url is None:
        url = next((href for href in (take_text(link, "href") for link in take_objects(party, "links")) if href), None)
    position = take_text(party, "position", "positionName")
    contact = Contact(organisation, individual, position, tuple(emails), tuple(phones), address, url,
                      _role(party) or role)
    return contact if contact != Contact(role=contact.role) or contact.role else None


def _role(party: JsonObject) -> Optional[str]:
    roles = party.get("roles")
    if isinstance(roles, list) and roles:
        first = roles[0]
        if isinstance(first, str):
            party["roles"] = roles[1:]
            return first.strip() or None
        if isinstance(first, dict):
            return take_text(first, "name", "title", "id")
    return take_text(party, "role")


def _values(party: JsonObject, plural: str, single: str) -> List[str]:
    found = take_texts(party, plural)
    found += [value for value in (take_text(item, "value") for item in take_objects(party, plural)) if value]
    one = take_text(party, single)
    return found + [one] if one else found


def _address(party: JsonObject) -> Optional[str]:
    """The first address in one line."""
    if isinstance(party.get("address"), dict):
        party["addresses"] = [party.pop("address"), *take_objects(party, "addresses")]
    for address in take_objects(party, "addresses"):
        lines = take_texts(address, "deliveryPoint")
        town = " ".join(part for part in (take_text(address, "postalCode"), take_text(address, "city")) if part)
        area, country = take_text(address, "administrativeArea"), take_text(address, "country")
        lines += [part for part in (town, area, country) if part]
        if lines:
            return ", ".join(lines)
    return take_text(party, "address")

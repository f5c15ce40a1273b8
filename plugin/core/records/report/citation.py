"""The citation of a record in a text: who, when, what and where."""

from __future__ import annotations

from typing import Optional

from ...i18n import tr
from ...terms.credit_line import credited_year
from ...text import single_line
from ..model.record import Record


def citation(record: Record, address: str, today: str) -> str:
    """Return the citation of what a record describes, in the order of ISO 690.

    ``address`` is that of its service or of its page, or "". ``today`` is the date of access as it is written.
    """
    year = credited_year(record)
    head = " ".join(part for part in (_owner(record) or "", f"({year})" if year else "") if part)
    parts = [single_line(part).rstrip(".") for part in (head, record.title or record.id or "") if part]
    text = ". ".join(parts) + "." if parts else ""
    return f"{text} {tr('{address} (accessed on {day})', address=address, day=today)}".strip() if address else text


def _owner(record: Record) -> Optional[str]:
    """Return the organisation, or else the person, that is responsible: author, owner, publisher, any contact."""
    for role in ("author", "owner", "publisher", "pointOfContact", None):
        for contact in record.contacts:
            if role in (None, contact.role) and (contact.organisation or contact.individual):
                return contact.organisation or contact.individual
    return None

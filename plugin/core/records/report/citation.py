"""The citation of a record: who, when, what and where, as text and for programs that manage citations."""

from __future__ import annotations

from datetime import date
from typing import Optional

from ...i18n import tr
from ...terms.credit_line import credited_year
from ...text import single_line
from ..model.record import Contact, Record, ResourceKind, title_of_record
from .bibliography import Work, WorkKind, author_of

_KINDS = {ResourceKind.SERVICE: WorkKind.SERVICE, ResourceKind.DATASET: WorkKind.DATASET,
          ResourceKind.SERIES: WorkKind.DATASET}


def citation(record: Record, address: str, today: str) -> str:
    """Return the citation of what a record describes, in the order of ISO 690.

    ``address`` is that of its service or of its page, or "". ``today`` is the date of access as it is written.
    """
    year = credited_year(record)
    head = " ".join(part for part in (_owner(record) or "", f"({year})" if year else "") if part)
    parts = [single_line(part).rstrip(".") for part in (head, record.title or record.id or "") if part]
    text = ". ".join(parts) + "." if parts else ""
    return f"{text} {tr('{address} (accessed on {day})', address=address, day=today)}".strip() if address else text


def record_work(record: Record, address: str, today: date) -> Work:
    """Return what a record describes as a work to cite. ``address`` and ``today`` as for ``citation``."""
    owner = _responsible(record)
    return Work(_KINDS.get(record.kind, WorkKind.OTHER), title_of_record(record),
                (author_of(owner.organisation or "", owner.individual or ""),) if owner is not None else (),
                credited_year(record), publisher=_publisher(record), address=address, accessed=today,
                language=record.language or "", identifier=record.id or "")


def _owner(record: Record) -> Optional[str]:
    """Return the organisation, or else the person, that is responsible."""
    contact = _responsible(record)
    return contact.organisation or contact.individual if contact is not None else None


def _responsible(record: Record) -> Optional[Contact]:
    """Return the responsible party: author, owner, publisher, any contact."""
    for role in ("author", "owner", "publisher", "pointOfContact", None):
        for contact in record.contacts:
            if role in (None, contact.role) and (contact.organisation or contact.individual):
                return contact
    return None


def _publisher(record: Record) -> str:
    return next((contact.organisation for contact in record.contacts
                 if contact.role == "publisher" and contact.organisation), "")

"""Summary of a record in plain text, for a terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Iterator, Tuple

from ...dates import format_date
from ...distributions.record_distributions import wms_address
from ...i18n import tr
from ...records.model.codelists import code_label
from ...records.model.languages import language_label
from ...records.model.operation_grouping import group_operations
from ...records.model.record import Contact, Record, title_of_record
from ...text import MAX_SHOWN, printable, truncate

if TYPE_CHECKING:
    from ...terms.model import Terms

WIDTH = 96


def text_summary(record: Record, terms: Terms) -> str:
    """Return title, abstract, terms and access to the resource in lines of about ``WIDTH`` characters.

    Of texts beyond ``MAX_SHOWN`` characters the beginning.
    """
    lines = [printable(title_of_record(record))]
    lines.append("=" * min(len(lines[0]), WIDTH))
    for name, value in (*_identification(record), *_terms(record, terms), *_access(record), *_metadata(record)):
        if value:
            # wrapping takes forty times the memory of the text
            lines += _wrap_field(name, printable(truncate(value, MAX_SHOWN)))
    return "\n".join(lines) + "\n"


def _wrap_field(name: str, value: str) -> Iterator[str]:
    indent = " " * 20
    first = f"{name + ':':<19} "
    for paragraph in value.splitlines():
        if paragraph.strip():
            yield from textwrap.wrap(paragraph.strip(), WIDTH, initial_indent=first, subsequent_indent=indent,
                                     break_long_words=False, break_on_hyphens=False)
            first = indent


def _identification(record: Record) -> Iterator[Tuple[str, str]]:
    yield tr("Type"), code_label("MD_ScopeCode", record.hierarchy_level or record.kind.value)
    yield tr("Identifier"), record.id or ""
    yield tr("Abstract"), record.abstract or ""
    yield tr("Dates"), ", ".join(f"{format_date(date.value)} ({code_label('CI_DateTypeCode', date.type)})" if date.
                                 type else format_date(date.value) for date in record.dates)
    yield tr("Status"), ", ".join(code_label("MD_ProgressCode", status) for status in record.status)
    yield tr("Contacts"), "\n".join(_contact(contact) for contact in record.contacts)
    yield tr("Keywords"), ", ".join(record.keywords)
    yield tr("Extent"), "\n".join(", ".join(f"{side} {value}" for side, value in (
        (tr("west"), box.west), (tr("east"), box.east), (tr("south"), box.south), (tr("north"), box.north))
        if value is not None) for box in record.extents)


def _terms(record: Record, terms: Terms) -> Iterator[Tuple[str, str]]:
    from ...terms import summary_sentence
    from ...terms.labels import trail_text

    yield tr("Terms"), summary_sentence(terms)
    yield tr("Credit"), terms.credit
    yield tr("Read from"), trail_text(terms)
    yield tr("Unclear"), "\n".join(terms.undecided)


def _access(record: Record) -> Iterator[Tuple[str, str]]:
    kind = f"{record.service_type or ''} {', '.join(record.service_versions)}"
    yield tr("Service"), kind.strip()
    yield tr("WMS address"), wms_address(record) or ""
    yield tr("Fees"), record.fees or ""
    yield tr("Operations"), ", ".join(operation.name for operation in group_operations(record))
    yield tr("Links"), "\n".join(" ".join(part for part in (
        f"[{link.protocol}]" if link.protocol else "", link.url, f"({link.name})" if link.name else "") if part)
        for link in record.online)


def _metadata(record: Record) -> Iterator[Tuple[str, str]]:
    yield tr("Language"), language_label(record.language)
    yield tr("Date stamp"), format_date(record.date_stamp)
    yield tr("Not shown here"), tr("%n value(s) without a field; --json lists them under unread",
                                   n=len(record.unread)) if record.unread else ""
    yield tr("Source"), record.source


def _contact(contact: Contact) -> str:
    name = ", ".join(part for part in (contact.individual, contact.organisation) if part) or contact.position or ""
    role = code_label("CI_RoleCode", contact.role)
    return " ".join(part for part in (f"{name} ({role})" if role and name else name or role, *contact.emails) if part)

"""The rows of a record's sheet: names in the person's language, values as ready HTML."""

from __future__ import annotations

from typing import Iterator, List, Tuple

from ..i18n import tr
from .codelists import label, language_label
from .folding import FoldedAddress, fold_operations
from .markup import day, escaped, lines, link, paragraphs
from .model import Conformance, Contact, Extent, OnlineResource, Record, TemporalExtent

Rows = List[Tuple[str, str]]


def overview_rows(record: Record) -> Rows:
    """What a reader wants to know first: purpose, dates, contacts, keywords, where and when."""
    return [
        (tr("Other titles"), lines(escaped(title) for title in record.alternate_titles)),
        (tr("Purpose"), paragraphs(record.purpose)),
        (tr("Dates"), lines(f"{day(date.value)} ({escaped(label('CI_DateTypeCode', date.type))})"
                            if date.type else day(date.value) for date in record.dates)),
        (tr("Status"), escaped(", ".join(label("MD_ProgressCode", status) for status in record.status))),
        (tr("Contacts"), "".join(contact_html(contact) for contact in record.contacts)),
        (tr("Credits"), lines(paragraphs(words) for words in record.credits)),
        (tr("Keywords"), escaped(", ".join(record.keywords))),
        (tr("Extent"), lines(extent_html(extent) for extent in record.extents)),
        (tr("Time"), lines(_time(period) for period in record.temporal_extents)),
        (tr("Overviews"), lines(link(view.url, view.description) for view in record.overviews)),
        (tr("Lineage"), paragraphs(record.lineage)),
        (tr("Associated"), lines(link(other.url, other.title or other.id) + _type(other.type)
                                 for other in record.associated)),
    ]


def service_rows(record: Record) -> Rows:
    """How the resource is reached: service, operations, links, formats."""
    return [
        (tr("Service type"), escaped(record.service_type or "")),
        (tr("Version"), escaped(", ".join(record.service_versions))),
        (tr("Coupling type"), escaped(label("SV_CouplingType", record.coupling_type))),
        (tr("Operations"), "".join(_operations(record))),
        (tr("Operates on"), lines(link(identifier) for identifier in record.operates_on)),
        (tr("Links"), "".join(_online(item) for item in record.online)),
        (tr("Formats"), lines(escaped(" ".join(part for part in (item.name, item.version) if part))
                              for item in record.formats)),
        (tr("Reference systems"), escaped(", ".join(record.reference_systems))),
    ]


def metadata_rows(record: Record) -> Rows:
    """The record about itself."""
    standard = " · ".join(part for part in (record.standard_name, record.standard_version) if part)
    return [
        (tr("Identifier"), escaped(record.id or "")),
        (tr("Parent"), escaped(record.parent_id or "")),
        (tr("Hierarchy level"), escaped(label("MD_ScopeCode", record.hierarchy_level))),
        (tr("Language"), escaped(language_label(record.language))),
        (tr("Character set"), escaped(label("MD_CharacterSetCode", record.character_set))),
        (tr("Date stamp"), day(record.date_stamp)),
        (tr("Standard"), escaped(standard)),
        (tr("Record contacts"), "".join(contact_html(contact) for contact in record.metadata_contacts)),
        (tr("Conformance"), "".join(_conformance(result) for result in record.conformance)),
    ]


def contact_html(contact: Contact) -> str:
    """One contact in a paragraph."""
    name = ", ".join(part for part in (contact.individual, contact.position, contact.organisation) if part)
    role = label("CI_RoleCode", contact.role)
    reach = [escaped(value) for value in (*contact.emails, *contact.phones)]
    if contact.address:
        reach.append(escaped(contact.address))
    if contact.url:
        reach.append(link(contact.url))
    return f"<p>{lines((escaped(f'{role}: {name}' if role and name else name or role), ' · '.join(reach)))}</p>"


def extent_html(extent: Extent) -> str:
    """A box in degrees, each side by its name."""
    sides = ((tr("west"), extent.west), (tr("east"), extent.east), (tr("south"), extent.south),
             (tr("north"), extent.north))
    return escaped(", ".join(f"{name} {value}°" for name, value in sides if value is not None))


def _time(period: TemporalExtent) -> str:
    if period.begin == period.end:
        return day(period.begin)
    return f"{day(period.begin) or '…'} – {day(period.end) or '…'}"


def _type(code: object) -> str:
    return f" ({escaped(label('DS_AssociationTypeCode', str(code)))})" if code else ""


def _operations(record: Record) -> Iterator[str]:
    for operation in fold_operations(record):
        platforms = ", ".join(label("DCPList", platform) for platform in operation.platforms)
        heading = f"<strong>{escaped(operation.name)}</strong>" + (f" ({escaped(platforms)})" if platforms else "")
        yield f"<p>{lines((heading, *(_address(address) for address in operation.addresses)))}</p>"


def _address(address: FoldedAddress) -> str:
    notes = []
    if address.count > 1:
        notes.append(tr("%n entries", n=address.count))
    notes += address.protocols
    return link(address.url) + (f' <span class="aside">{escaped(", ".join(notes))}</span>' if notes else "")


def _online(item: OnlineResource) -> str:
    notes = " · ".join(part for part in (
        item.protocol, item.distribution_units, label("CI_OnLineFunctionCode", item.function)) if part)
    description = item.description if item.description != item.name else None
    shown = link(item.url, item.name) + ("<br>" + link(item.url) if item.name else "")
    return f"<p>{lines((shown, paragraphs(description), escaped(notes)))}</p>"


def _conformance(result: Conformance) -> str:
    if result.passed is None:
        passed = tr("not evaluated")
    else:
        passed = tr("conformant") if result.passed else tr("not conformant")
    title = result.title or result.identifier or ""
    heading = f"{escaped(title)}{f' ({day(result.date)})' if result.date else ''}: {escaped(passed)}"
    return f"<p>{lines((heading, paragraphs(result.explanation)))}</p>"

"""The rows of a record's sheet: names in the person's language, values as ready HTML."""

from __future__ import annotations

from typing import Iterator, List, Tuple

from ...i18n import tr
from ..model.codelists import code_label, language_label
from ..model.operation_grouping import OperationAddress, group_operations
from ..model.record import Conformance, Contact, Extent, OnlineResource, Record, TemporalExtent
from .html_fragments import date_html, escaped, join_lines, link, with_line_breaks

Rows = List[Tuple[str, str]]


def overview_rows(record: Record) -> Rows:
    """What a reader wants to know first: purpose, dates, contacts, keywords, where and when."""
    return [
        (tr("Other titles"), join_lines(escaped(title) for title in record.alternate_titles)),
        (tr("Purpose"), with_line_breaks(record.purpose)),
        (tr("Dates"),
         join_lines(f"{date_html(date.value)} ({escaped(code_label('CI_DateTypeCode', date.type))})" if date.
                    type else date_html(date.value) for date in record.dates)),
        (tr("Status"), escaped(", ".join(code_label("MD_ProgressCode", status) for status in record.status))),
        (tr("Contacts"), "".join(contact_html(contact) for contact in record.contacts)),
        (tr("Credits"), join_lines(with_line_breaks(words) for words in record.credits)),
        (tr("Keywords"), escaped(", ".join(record.keywords))),
        (tr("Extent"), join_lines(extent_html(extent) for extent in record.extents)),
        (tr("Time"), join_lines(_period_html(period) for period in record.temporal_extents)),
        (tr("Overviews"), join_lines(link(view.url, view.description) for view in record.overviews)),
        (tr("Lineage"), with_line_breaks(record.lineage)),
        (tr("Associated"),
         join_lines(
             link(other.url, other.title or other.id) + _association_type(other.type) for other in record.associated)),
    ]


def service_rows(record: Record) -> Rows:
    """How the resource is reached: service, operations, links, formats."""
    return [
        (tr("Service type"), escaped(record.service_type or "")),
        (tr("Version"), escaped(", ".join(record.service_versions))),
        (tr("Coupling type"), escaped(code_label("SV_CouplingType", record.coupling_type))),
        (tr("Operations"), "".join(_operations_html(record))),
        (tr("Operates on"), join_lines(link(identifier) for identifier in record.operates_on)),
        (tr("Links"), "".join(_online_html(item) for item in record.online)),
        (tr("Formats"),
         join_lines(escaped(" ".join(part for part in (item.name, item.version) if part)) for item in record.formats)),
        (tr("Reference systems"), escaped(", ".join(record.reference_systems))),
    ]


def metadata_rows(record: Record) -> Rows:
    """The record about itself."""
    standard = " · ".join(part for part in (record.standard_name, record.standard_version) if part)
    return [(tr("Identifier"), escaped(record.id or "")), (tr("Parent"), escaped(record.parent_id or "")),
            (tr("Hierarchy level"), escaped(code_label("MD_ScopeCode", record.hierarchy_level))),
            (tr("Language"), escaped(language_label(record.language))),
            (tr("Character set"), escaped(code_label("MD_CharacterSetCode", record.character_set))),
            (tr("Date stamp"), date_html(record.date_stamp)), (tr("Standard"), escaped(standard)),
            (tr("Record contacts"), "".join(contact_html(contact) for contact in record.metadata_contacts)),
            (tr("Conformance"), "".join(_conformance_html(result) for result in record.conformance)), ]


def contact_html(contact: Contact) -> str:
    """One contact in a paragraph."""
    name = ", ".join(part for part in (contact.individual, contact.position, contact.organisation) if part)
    role = code_label("CI_RoleCode", contact.role)
    reach = [escaped(value) for value in (*contact.emails, *contact.phones)]
    if contact.address:
        reach.append(escaped(contact.address))
    if contact.url:
        reach.append(link(contact.url))
    return f"<p>{join_lines((escaped(f'{role}: {name}' if role and name else name or role), ' · '.join(reach)))}</p>"


def extent_html(extent: Extent) -> str:
    """A box in degrees, each side by its name."""
    sides = ((tr("west"), extent.west), (tr("east"), extent.east), (tr("south"), extent.south),
             (tr("north"), extent.north))
    return escaped(", ".join(f"{name} {value}°" for name, value in sides if value is not None))


def _period_html(period: TemporalExtent) -> str:
    if period.begin == period.end:
        return date_html(period.begin)
    return f"{date_html(period.begin) or '…'} – {date_html(period.end) or '…'}"


def _association_type(code: object) -> str:
    return f" ({escaped(code_label('DS_AssociationTypeCode', str(code)))})" if code else ""


def _operations_html(record: Record) -> Iterator[str]:
    for operation in group_operations(record):
        platforms = ", ".join(code_label("DCPList", platform) for platform in operation.platforms)
        heading = f"<strong>{escaped(operation.name)}</strong>" + (f" ({escaped(platforms)})" if platforms else "")
        yield f"<p>{join_lines((heading, *(_address_html(address) for address in operation.addresses)))}</p>"


def _address_html(address: OperationAddress) -> str:
    notes = []
    if address.count > 1:
        notes.append(tr("%n entries", n=address.count))
    notes += address.protocols
    return link(address.url) + (f' <span class="aside">{escaped(", ".join(notes))}</span>' if notes else "")


def _online_html(item: OnlineResource) -> str:
    notes = " · ".join(part for part in (item.protocol, item.distribution_units,
                                         code_label("CI_OnLineFunctionCode", item.function)) if part)
    description = item.description if item.description != item.name else None
    shown = link(item.url, item.name) + ("<br>" + link(item.url) if item.name else "")
    return f"<p>{join_lines((shown, with_line_breaks(description), escaped(notes)))}</p>"


def _conformance_html(result: Conformance) -> str:
    if result.passed is None:
        passed = tr("not evaluated")
    else:
        passed = tr("conformant") if result.passed else tr("not conformant")
    title = result.title or result.identifier or ""
    heading = f"{escaped(title)}{f' ({date_html(result.date)})' if result.date else ''}: {escaped(passed)}"
    return f"<p>{join_lines((heading, with_line_breaks(result.explanation)))}</p>"

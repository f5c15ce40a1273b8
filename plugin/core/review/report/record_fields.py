"""Fields of a record as HTML: the rows of every section, as the dock's Metadata tab and the record sheet show them.

Everything is escaped. The sections are built here by hand, because the dock shows them on QGIS's main thread, where
importing Jinja2 would take about 100 ms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from ...i18n import tr
from ...numbers import format_figures
from ...records.model.codelists import code_label
from ...records.model.languages import language_label
from ...records.model.operation_grouping import OperationAddress, group_operations
from ...records.model.record import (
    STARTER_KEYWORD,
    Conformance,
    Constraint,
    ConstraintGroup,
    ConstraintKind,
    Contact,
    Extent,
    OnlineResource,
    Record,
    ResourceKind,
    TemporalExtent,
    is_starter,
    title_of_record,
)
from ...text import escaped, fold
from .html_fragments import aside, date_html, fields_table, html_link, join_lines, section, with_line_breaks

if TYPE_CHECKING:
    from ...terms.model import Terms

#: elements that no field holds: the catalogue's name of the level, and the attributes of the resource
_LEVEL_NAME = "hierarchyLevelName"
_ATTRIBUTES = "contentInfo"

#: translated field names (plain text) and values (ready HTML)
Rows = List[Tuple[str, str]]


def record_body(record: Record, terms: Terms) -> str:
    """Return the sections of one record as HTML: Overview, Terms, Service, Metadata."""
    kind = " · ".join(part for part in (
        code_label("MD_ScopeCode", record.hierarchy_level or record.kind.value), record.service_type or "",
        ", ".join(record.service_versions),
        ", ".join(code_label("MD_ProgressCode", status) for status in record.status)) if part)
    abstract = f"<p>{with_line_breaks(record.abstract)}</p>" if record.abstract else ""
    return "".join((
        f"<h2>{escaped(title_of_record(record))}</h2>",
        f'<p class="kind">{escaped(kind)}</p>' if kind else "",
        starter_notice(record),
        section(tr("Overview"), abstract, fields_table(overview_rows(record))),
        section(tr("Terms"), terms_html(record, terms)),
        section(tr("Service"), fields_table(service_rows(record))),
        section(tr("Metadata"), fields_table(metadata_rows(record)), unread_values(record), absent_fields(record)),
    ))


def terms_html(record: Record, terms: Terms) -> str:
    """Return the licence, the fields that the terms were read from, and the constraints."""
    from ...terms.labels import field_label, licence_title, step_text

    licence = licence_title(terms.licence) if terms.licence else terms.licence_text
    chain = [(escaped(field_label(step.field)),
              html_link(step.href, step_text(step)) if step.href else with_line_breaks(step_text(step)))
             for step in terms.chain]
    rows = [
        (tr("Licence"), html_link(terms.licence_url, licence)),
        (tr("Read from"), join_lines(f"{field}: {text}" for field, text in chain)),
        (tr("Fees"), escaped(record.fees or "")),
        *constraint_rows(record),
        (tr("Unclear"), join_lines(escaped(text) for text in terms.undecided)),
    ]
    return fields_table(rows)


def constraint_rows(record: Record, seen: Optional[Dict[str, str]] = None) -> Rows:
    """Return the constraints block by block, as grouped in the record, then those that stand in no block.

    ``seen`` has the texts that stand in other rows already, folded, with the names of these rows, and gets those of
    the rows that are returned. Such a text is replaced by the name of its row. With None each text is repeated.
    """
    groups = record.constraint_groups
    rows: Rows = []
    for number, group in enumerate(groups, 1):
        rows += _rows_of_constraints(group, f"{_constraint_kind(group.kind)} {number}" if len(groups) > 1
                                     else _constraint_kind(group.kind), seen)
    ungrouped: Dict[str, Any] = {
        name: tuple(value for value in getattr(record, name) if not any(value in grouped(group) for group in groups))
        for name, grouped in _GROUPED_CONSTRAINTS.items()}
    return rows + _rows_of_constraints(ConstraintGroup(ConstraintKind.GENERIC, **ungrouped), "", seen)


#: the record's own lists of constraints, and the values that a block has of the same list
_GROUPED_CONSTRAINTS: Dict[str, Callable[[ConstraintGroup], Tuple[object, ...]]] = {
    "use_limitations": lambda group: tuple(item.text for item in group.use_limitations),
    "access_constraints": lambda group: group.access_constraints,
    "use_constraints": lambda group: group.use_constraints,
    "other_constraints": lambda group: group.other_constraints,
}


def _rows_of_constraints(group: ConstraintGroup, heading: str, seen: Optional[Dict[str, str]]) -> Rows:
    """Return the rows of one block. ``heading`` is put before the name of the first."""
    def texts(name: str, items: Sequence[Union[Constraint, str]]) -> Tuple[str, str]:
        return name, join_lines(_constraint_html(item, name, seen) for item in items)

    rows = [
        (tr("Classification"), escaped(code_label("MD_ClassificationCode", group.classification))),
        texts(tr("Use limitations"), group.use_limitations),
        (tr("Access constraints"), _restriction_labels(group.access_constraints)),
        (tr("Use constraints"), _restriction_labels(group.use_constraints)),
        texts(tr("Other constraints"), group.other_constraints),
        texts(tr("References"), group.references),
    ]
    filled = [row for row in rows if row[1]]
    return ([(f"{heading}: {filled[0][0]}", filled[0][1])] + filled[1:]) if filled and heading else filled


def _constraint_html(item: Union[Constraint, str], name: str, seen: Optional[Dict[str, str]]) -> str:
    text, href = (item, None) if isinstance(item, str) else (item.text, item.href)
    key = fold(text or href or "")
    if seen is not None and key:
        known, is_new_address = seen.get(key), bool(href) and href not in seen
        seen.setdefault(key, name)
        seen.setdefault(href or key, name)
        if known is not None:
            note = aside(tr("as under “{field}”", field=known)).strip()
            return f"{note} {html_link(href)}" if is_new_address else note
    return html_link(href, text) if href else with_line_breaks(text)


def _constraint_kind(kind: ConstraintKind) -> str:
    return {ConstraintKind.LEGAL: tr("Legal constraints"), ConstraintKind.SECURITY: tr("Security constraints"),
            ConstraintKind.GENERIC: tr("Constraints")}[kind]


def overview_rows(record: Record) -> Rows:
    """Return the rows about the resource: purpose, dates, contacts, keywords, extents."""
    return [
        (tr("Other titles"), join_lines(escaped(title) for title in record.alternate_titles)),
        (tr("Purpose"), with_line_breaks(record.purpose)),
        (tr("Dates"), join_lines(
            f"{date_html(date.value)} ({escaped(code_label('CI_DateTypeCode', date.type))})" if date.type
            else date_html(date.value) for date in record.dates)),
        (tr("Status"), escaped(", ".join(code_label("MD_ProgressCode", status) for status in record.status))),
        (tr("Contacts"), "".join(contact_html(contact) for contact in record.contacts)),
        (tr("Credits"), join_lines(with_line_breaks(credit) for credit in record.credits)),
        (tr("Keywords"), join_lines(_keywords_html(record))),
        (tr("Extent"), join_lines(extent_html(extent) for extent in record.extents)),
        (tr("Time"), join_lines(_period_html(period) for period in record.temporal_extents)),
        (tr("Overviews"), join_lines(html_link(overview.url, overview.description) +
                                     aside(overview.type) for overview in record.overviews)),
        (tr("Lineage"), with_line_breaks(record.lineage)),
        (tr("Associated"), join_lines(
            html_link(associated.url, associated.title or associated.id) + _association_type(associated.type) +
            aside(associated.id if associated.title else "") for associated in record.associated)),
    ]


def service_rows(record: Record) -> Rows:
    """Return the rows about access to the resource: service, operations, links, formats."""
    return [
        (tr("Service type"), escaped(record.service_type or "")),
        (tr("Version"), escaped(", ".join(record.service_versions))),
        (tr("Coupling type"), escaped(code_label("SV_CouplingType", record.coupling_type))),
        (tr("Operations"), "".join(_operations_html(record))),
        (tr("Operates on"), join_lines(html_link(identifier) for identifier in record.operates_on)),
        (tr("Links"), "".join(_online_html(resource) for resource in record.online)),
        (tr("Formats"), join_lines(
            escaped(" ".join(part for part in (format_.name, format_.version) if part)) for format_ in record.formats)),
        (tr("Reference systems"), escaped(", ".join(record.reference_systems))),
    ]


def metadata_rows(record: Record) -> Rows:
    """Return the rows about the record itself."""
    standard = " · ".join(part for part in (record.standard_name, record.standard_version) if part)
    return [
        (tr("Identifier"), escaped(record.id or "")),
        (tr("Parent"), escaped(record.parent_id or "")),
        (tr("Hierarchy level"), escaped(code_label("MD_ScopeCode", record.hierarchy_level or record.kind.value))),
        (tr("Hierarchy level name"), escaped(_level_name(record))),
        (tr("Language"), escaped(language_label(record.language))),
        (tr("Character set"), escaped(code_label("MD_CharacterSetCode", record.character_set))),
        (tr("Date stamp"), date_html(record.date_stamp)),
        (tr("Metadata standard"), escaped(standard)),
        (tr("Record contacts"), "".join(contact_html(contact) for contact in record.metadata_contacts)),
        (tr("Conformance"), "".join(_conformance_html(result) for result in record.conformance)),
        (tr("Format"), escaped(record.source_format)),
        (tr("Source"), escaped(record.source)),
    ]


def contact_html(contact: Contact, roles: Sequence[str] = (), note: str = "") -> str:
    """Return one contact as a paragraph. ``roles`` are further codes of its role, ``note`` stands behind its name."""
    name = ", ".join(part for part in (contact.individual, contact.position, contact.organisation) if part)
    role = ", ".join(code_label("CI_RoleCode", code) for code in (contact.role, *roles) if code)
    reach = [escaped(value) for value in (*contact.emails, *contact.phones)]
    if contact.address:
        reach.append(escaped(contact.address))
    if contact.url:
        reach.append(html_link(contact.url))
    heading = escaped(f"{role}: {name}" if role and name else name or role) + aside(note)
    return f"<p>{join_lines((heading, ' · '.join(reach)))}</p>"


def extent_html(extent: Extent) -> str:
    """Return a bounding box in degrees, each side with its name."""
    sides = ((tr("west"), extent.west), (tr("east"), extent.east), (tr("south"), extent.south),
             (tr("north"), extent.north))
    return escaped(", ".join(f"{name} {format_figures(value, 9)}°" for name, value in sides if value is not None))


def _keywords_html(record: Record) -> Iterator[str]:
    """Yield the keywords of each block with their type and thesaurus, then those that stand in no block."""
    grouped = {keyword for group in record.keyword_groups for keyword in group.keywords}
    for group in record.keyword_groups:
        words = [word for word in group.keywords if word != STARTER_KEYWORD]
        if words:
            kind = code_label("MD_KeywordTypeCode", group.type)
            yield escaped(", ".join(words)) + aside(" · ".join(part for part in (kind, group.thesaurus) if part))
    yield escaped(", ".join(word for word in record.keywords if word not in grouped))


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
    notes += [*address.protocols, *address.names]
    return html_link(address.url) + aside(", ".join(notes))


def _online_html(resource: OnlineResource) -> str:
    notes = " · ".join(part for part in (
        resource.protocol, resource.protocol_uri if resource.protocol_uri != resource.protocol else None,
        resource.application_profile, resource.media_type if resource.media_type != resource.protocol else None,
        resource.distribution_units,
        code_label("CI_OnLineFunctionCode", resource.function)) if part)
    description = resource.description if resource.description != resource.name else None
    address = html_link(resource.url, resource.name) + ("<br>" + html_link(resource.url) if resource.name else "")
    return f"<p>{join_lines((address, with_line_breaks(description), escaped(notes)))}</p>"


def _conformance_html(result: Conformance) -> str:
    if result.passed is None:
        passed = tr("not evaluated")
    else:
        passed = tr("conformant") if result.passed else tr("not conformant")
    title = result.title or result.identifier or tr("Conformity to an unnamed specification")
    date = f" ({date_html(result.date)})" if result.date else ""
    identifier = f" ({escaped(result.identifier)})" if result.title and result.identifier else ""
    heading = f"{escaped(title)}{date}: {escaped(passed)}{identifier}"
    return f"<p>{join_lines((heading, with_line_breaks(result.explanation)))}</p>"


def _restriction_labels(codes: Sequence[str]) -> str:
    return escaped(", ".join(code_label("MD_RestrictionCode", code) for code in codes))


def starter_notice(record: Record) -> str:
    """Return a notice that a starter record is one, or an empty text."""
    if not is_starter(record):
        return ""
    text = tr("This is a starter record: unknown values are missing or approximate until the record of the "
              "catalogue replaces it.")
    return f'<p class="starter">{escaped(text)}</p>'


def unread_values(record: Record, level: int = 4) -> str:
    """Return a table of the values that no field holds, so that nothing in a record stays out of sight.

    ``level`` is that of its heading.
    """
    texts_by_path: Dict[str, Dict[str, None]] = {}
    for item in record.unread:
        if _LEVEL_NAME in item.path:
            continue
        texts_by_path.setdefault(_short_path(item.path), {}).setdefault(item.text)
    if not texts_by_path:
        return ""
    rows = [(path, join_lines(with_line_breaks(text) for text in texts)) for path, texts in texts_by_path.items()]
    return f'<h{level}>{escaped(tr("Also in the record"))}</h{level}><div class="rest">{fields_table(rows)}</div>'


def _level_name(record: Record) -> str:
    """Return the name that the catalogue has for this kind of record, explained where it is one of GeoNetwork's."""
    names = [item.text for item in record.unread if _LEVEL_NAME in item.path]
    return ", ".join(tr("{name}: one resource without parts of its own", name=name) if name.lower() == "simple"
                     else name for name in names)


def absent_fields(record: Record) -> str:
    """Return a line that names the fields of the sheet that the record leaves empty."""
    rows = [(tr("Abstract"), record.abstract or ""), *overview_rows(record)]
    if record.kind is ResourceKind.SERVICE:
        rows += service_rows(record)
    if not any(_ATTRIBUTES in item.path for item in record.unread):
        rows.append((tr("Attributes"), ""))
    absent = [name for name, value in rows + metadata_rows(record) if not value and name not in _optional_fields()]
    if record.conformance and not any(result.identifier for result in record.conformance):
        absent.append(tr("Identifier of the specification"))
    return f'<p class="aside">{escaped(tr("Not given in the record:"))} {escaped(", ".join(absent))}</p>'


def _optional_fields() -> Tuple[str, ...]:
    """Return the names of fields that are absent where there is nothing to say, and of those that no record has."""
    return tr("Other titles"), tr("Credits"), tr("Parent"), tr("Hierarchy level name"), tr("Source"), tr("Format")


def _short_path(path: str) -> str:
    """Return the last properties that lead to a value, without prefixes and without the objects between them."""
    steps = [step.rsplit(":", 1)[-1] for step in path.split("/")]
    properties = [step for step in steps if step[:1].islower() and step not in ("identificationInfo", "codeListValue")]
    return " › ".join(properties[-3:]) or path

"""Comparison of two records field by field."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import Enum
from typing import Callable, Iterable, Iterator, List, Optional, Sequence, Tuple

from ..dates import format_dates_in, is_before
from ..i18n import tr
from ..records.model.codelists import code_label
from ..records.model.extents import format_extent
from ..records.model.languages import language_label
from ..records.model.operation_grouping import group_operations
from ..records.model.record import Contact, OnlineResource, Record

_MAX_WORDS = 3_000
#: fields whose values are dates, perhaps with a word
_DATE_FIELDS = frozenset(("dates", "temporal_extents", "date_stamp"))


class ComparisonMark(str, Enum):
    """Relation of a value to the two records."""

    SAME = "same"
    CHANGED = "changed"
    FIRST = "first"
    SECOND = "second"

    @property
    def symbol(self) -> str:
        """Return a sign that shows the mark without colour."""
        return {
            ComparisonMark.SAME: "=", ComparisonMark.CHANGED: "≠", ComparisonMark.FIRST: "−", ComparisonMark.SECOND: "+"
        }[self]


@dataclass(frozen=True)
class MarkedText:
    """Part of a text that is in both records (SAME), or only in the FIRST or the SECOND."""

    mark: ComparisonMark
    text: str


@dataclass(frozen=True)
class FieldDifference:
    """One field of two records.

    ``first`` and ``second`` are its values as shown to people, one string for each entry of a list. ``items`` marks
    every entry. ``word_marks`` marks the changed words of a single text, and is empty if the texts are too different.
    """

    field: str
    name: str
    mark: ComparisonMark
    first: Tuple[str, ...]
    second: Tuple[str, ...]
    items: Tuple[MarkedText, ...] = ()
    word_marks: Tuple[MarkedText, ...] = ()


def compare_records(first: Record, second: Record) -> List[FieldDifference]:
    """Return every field that at least one record has, equal ones included, in the order of a record sheet."""
    differences = []
    for field, name, values in _compared_fields():
        first_values, second_values = _non_blank(values(first)), _non_blank(values(second))
        if first_values or second_values:
            found = _difference(field, name, first_values, second_values)
            differences.append(_with_formatted_dates(found) if field in _DATE_FIELDS else found)
    return differences


def _with_formatted_dates(item: FieldDifference) -> FieldDifference:
    """Return a comparison of dates as they are written for people, unless two that differ would look the same."""
    values = {*item.first, *item.second}
    if len({format_dates_in(value) for value in values}) < len(values):
        return item

    def formatted(marks: Tuple[MarkedText, ...]) -> Tuple[MarkedText, ...]:
        return tuple(replace(mark, text=format_dates_in(mark.text)) for mark in marks)

    return replace(item, first=tuple(map(format_dates_in, item.first)),
                   second=tuple(map(format_dates_in, item.second)), items=formatted(item.items),
                   word_marks=formatted(item.word_marks))


def newer_record(first: Record, second: Record) -> Optional[Record]:
    """Return the record with the later date stamp, or the later last date of its resource. None if neither is later."""
    for first_date, second_date in ((first.date_stamp, second.date_stamp), (_latest_date(first), _latest_date(second))):
        if is_before(first_date, second_date) or _is_later_same_day(second_date, first_date):
            return second
        if is_before(second_date, first_date) or _is_later_same_day(first_date, second_date):
            return first
    return None


def is_version_of(first: Record, second: Record) -> bool:
    """Return True if the two are versions of one record: they have the same identifier or describe the same service."""
    from ..distributions.record_distributions import wms_address
    from ..records.model.endpoints import normalise_endpoint

    if first.id and first.id == second.id:
        return True
    first_address, second_address = wms_address(first), wms_address(second)
    if not first_address or not second_address or first.kind != second.kind:
        return False
    return normalise_endpoint(first_address) == normalise_endpoint(second_address)


def field_label(field: str) -> str:
    """Return the translated name of a field of the Record."""
    alias = {"keyword_groups": "keywords", "constraint_groups": "other_constraints"}.get(field, field)
    return next((name for known, name, _ in _compared_fields() if known == alias), field.replace("_", " ").capitalize())


def _difference(field: str, name: str, left: Tuple[str, ...], right: Tuple[str, ...]) -> FieldDifference:
    keys, others = [_normalise_spaces(value) for value in left], [_normalise_spaces(value) for value in right]
    if sorted(keys) == sorted(others):
        return FieldDifference(field, name, ComparisonMark.SAME, left, right,
                               tuple(MarkedText(ComparisonMark.SAME, value) for value in left))
    mark = ComparisonMark.CHANGED if left and right else ComparisonMark.FIRST if left else ComparisonMark.SECOND
    items = [
        MarkedText(ComparisonMark.SAME if key in others else ComparisonMark.FIRST, value)
        for key, value in zip(keys, left)
    ]
    items += [MarkedText(ComparisonMark.SECOND, value) for key, value in zip(others, right) if key not in keys]
    if all(item.mark is ComparisonMark.SAME for item in items):  # the same entries, some of them more often
        items = [MarkedText(ComparisonMark.FIRST, value)
                 for value in left] + [MarkedText(ComparisonMark.SECOND, value) for value in right]
    pieces = tuple(_mark_words(left[0], right[0])) if len(left) == len(right) == 1 else ()
    return FieldDifference(field, name, mark, left, right, tuple(items), pieces)


def _mark_words(first: str, second: str) -> Iterator[MarkedText]:
    """Yield the texts compared word by word, nothing if they are too long or too different for useful marks."""
    left, right = re.findall(r"\S+\s*", first), re.findall(r"\S+\s*", second)
    if len(left) < 4 or len(right) < 4 or len(left) + len(right) > _MAX_WORDS:
        return
    matcher = SequenceMatcher(None, [word.strip() for word in left], [word.strip() for word in right], autojunk=False)
    if matcher.ratio() < 0.4:
        return
    for _, start, end, begin, stop in matcher.get_opcodes():
        before_, after = "".join(left[start:end]), "".join(right[begin:stop])
        if before_.split() == after.split():
            yield MarkedText(ComparisonMark.SAME, after)
            continue
        if before_:
            yield MarkedText(ComparisonMark.FIRST, before_)
        if after:
            yield MarkedText(ComparisonMark.SECOND, after)


def _non_blank(values: Iterable[Optional[str]]) -> Tuple[str, ...]:
    return tuple(value.strip() for value in values if value and value.strip())


def _normalise_spaces(value: str) -> str:
    """Return ``value`` with single spaces. Accents and case stay significant."""
    return " ".join(value.split())


def _latest_date(record: Record) -> Optional[str]:
    dates = [date.value for date in record.dates]
    return next((value for value in dates if not any(is_before(value, other) for other in dates)), None)


def _is_later_same_day(first: Optional[str], second: Optional[str]) -> bool:
    """Return True if ``first`` is a later time on the same day as ``second``, both written in the same form."""
    return bool(first and second and first[:10] == second[:10] and len(first) >= 16 and len(second) >= 16
                and first.rstrip("Z") > second.rstrip("Z"))


_FieldValues = Callable[[Record], Sequence[Optional[str]]]


def _compared_fields() -> List[Tuple[str, str, _FieldValues]]:
    """Return field, translated name and a function for the values shown, in the order of a record sheet."""
    return [
        ("title", tr("Title"), lambda record: [record.title]),
        ("alternate_titles", tr("Other titles"), lambda record: record.alternate_titles),
        ("abstract", tr("Abstract"), lambda record: [record.abstract]),
        ("purpose", tr("Purpose"), lambda record: [record.purpose]),
        ("credits", tr("Credits"), lambda record: record.credits),
        ("dates", tr("Dates"), lambda record: [
            f"{date.value} ({code_label('CI_DateTypeCode', date.type)})" if date.type else date.value
            for date in record.dates
        ]),
        ("status", tr("Status"), lambda record: [code_label("MD_ProgressCode", code) for code in record.status]),
        ("contacts", tr("Contacts"), lambda record: [_contact(contact) for contact in record.contacts]),
        ("keywords", tr("Keywords"), lambda record: record.keywords),
        ("extents", tr("Extent"), lambda record: [format_extent(extent) for extent in record.extents]),
        ("temporal_extents", tr("Time"),
         lambda record: [f"{extent.begin or '…'} – {extent.end or '…'}" for extent in record.temporal_extents]),
        ("lineage", tr("Lineage"), lambda record: [record.lineage]),
        ("use_limitations", tr("Use limitations"), lambda record: record.use_limitations),
        ("access_constraints", tr("Access constraints"),
         lambda record: [code_label("MD_RestrictionCode", code) for code in record.access_constraints]),
        ("use_constraints", tr("Use constraints"),
         lambda record: [code_label("MD_RestrictionCode", code) for code in record.use_constraints]),
        ("other_constraints", tr("Other constraints"), lambda record:
         [" · ".join(part for part in (item.text, item.href) if part) for item in record.other_constraints]),
        ("fees", tr("Fees"), lambda record: [record.fees]),
        ("service_type", tr("Service type"), lambda record: [record.service_type]),
        ("service_versions", tr("Version"), lambda record: record.service_versions),
        ("coupling_type", tr("Coupling type"), lambda record: [code_label("SV_CouplingType", record.coupling_type)]),
        ("operates_on", tr("Operates on"), lambda record: record.operates_on),
        ("operations", tr("Operations"), _operations),
        ("online", tr("Links"), lambda record: [_link(link) for link in record.online]),
        ("formats", tr("Formats"),
         lambda record: [" ".join(part for part in (item.name, item.version) if part) for item in record.formats]),
        ("reference_systems", tr("Reference systems"), lambda record: record.reference_systems),
        ("conformance", tr("Conformance"), lambda record: [
            " · ".join(part for part in (item.title, item.date, item.explanation, _passed(item.passed)) if part)
            for item in record.conformance
        ]), ("overviews", tr("Overviews"), lambda record: [item.url for item in record.overviews]),
        ("associated", tr("Associated"), lambda record:
         [" · ".join(part for part in (item.title, item.id, item.url) if part) for item in record.associated]),
        ("id", tr("Identifier"), lambda record: [record.id]),
        ("parent_id", tr("Parent"), lambda record: [record.parent_id]),
        ("hierarchy_level", tr("Hierarchy level"), lambda record: [code_label("MD_ScopeCode", record.hierarchy_level)]),
        ("language", tr("Language"), lambda record: [language_label(record.language)]),
        ("character_set", tr("Character set"),
         lambda record: [code_label("MD_CharacterSetCode", record.character_set)]),
        ("date_stamp", tr("Date stamp"), lambda record: [record.date_stamp]),
        ("standard_name", tr("Metadata standard"),
         lambda record: [" · ".join(part for part in (record.standard_name, record.standard_version) if part)]),
        ("metadata_contacts", tr("Record contacts"),
         lambda record: [_contact(contact) for contact in record.metadata_contacts]),
        ("unread", tr("Also in the record"),
         lambda record: [f"{item.path.rpartition('/')[2]}: {item.text}" for item in record.unread]),
    ]


def _contact(contact: Contact) -> str:
    return " · ".join(part
                      for part in (code_label("CI_RoleCode", contact.role), contact.organisation, contact.individual,
                                   contact.position, *contact.emails, *contact.phones, contact.address, contact.url)
                      if part)


def _link(link: OnlineResource) -> str:
    return " · ".join(part for part in (link.url, link.protocol, link.protocol_uri,
                                        link.application_profile, link.media_type, link.name, link.description,
                                        code_label("CI_OnLineFunctionCode", link.function), link.distribution_units)
                      if part)


def _operations(record: Record) -> List[str]:
    """Return each operation with its platforms and addresses. Repeated entries count once."""
    return [
        " · ".join((operation.name, ", ".join(sorted(operation.platforms)),
                    *dict.fromkeys(address.url for address in operation.addresses)))
        for operation in group_operations(record)
    ]


def _passed(value: Optional[bool]) -> str:
    return tr("not evaluated") if value is None else tr("conformant") if value else tr("not conformant")

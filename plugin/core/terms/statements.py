"""The statements of a record and its service about terms, each with what could be read from it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterator, List, Optional, Sequence, Tuple

from ..records.model.record import Constraint, ConstraintGroup, ConstraintKind, Record
from ..text import fold, single_line
from ..wms.model.service import Service
from .cross_references import referenced_fields
from .licences import InspireCodeKind, LicenceMention, licence_table
from .model import Decision, Licence
from .reading import TextReading, read_text
from .text_cache import cached_by_text

SERVICE_FEES = "service: Fees"
SERVICE_ACCESS = "service: AccessConstraints"
SERVICE_ATTRIBUTION = "service: Attribution"
#: the code that only refers to the other constraints (ISO 19115 B.5.24)
OTHER_RESTRICTIONS = "otherRestrictions"

#: characters of all texts of a record that are read
MAX_TEXTS = 60_000
_SHORT_TEXT = 200
#: characters by which texts are compared
_SHOWN = 2_000
_NO_READING = TextReading("", understood=True)
_EMPTY_PHRASE = re.compile(
    r"\W*(?:none|ningun[oa]s?|n/?a|no aplica(?:ble)?|not applicable|no procede|nil|keine|aucune?s?"
    r"|nessun[ao]|geen|cap|unknown"
    r"|not specified|no especificad[oa]|sin especificar)?\W*")


@dataclass(frozen=True)
class ConstraintStatement:
    """One text of a constraint field. ``access_only``: its block constrains access and not use."""

    field: str
    text: str
    reading: TextReading
    href: Optional[str] = None
    access_only: bool = False
    use_condition: Optional[Licence] = None
    access_condition: Optional[Licence] = None
    refers_to: Tuple[str, ...] = ()

    @property
    def mentions(self) -> Tuple[LicenceMention, ...]:
        """The licences that the text names."""
        return self.reading.licences

    @property
    def is_empty_phrase(self) -> bool:
        """True for a mere "none" or "not applicable"."""
        return bool(_EMPTY_PHRASE.fullmatch(fold(self.text[:60]))) and len(self.text) <= 60 and not self.href

    @property
    def concerns_use(self) -> bool:
        """True for a text about use: not a mere reference, not "none", not a code about access."""
        return not (self.access_condition or self.refers_to or self.is_empty_phrase)

    @property
    def is_decisive(self) -> bool:
        """True where a licence, a duty to credit or the cost can be read from the text."""
        return bool(self.mentions or self.use_condition) or Decision.UNDECIDED is not self.reading.credit or (
            self.reading.mentions_free or self.reading.free is not Decision.UNDECIDED)

    @property
    def restricts(self) -> bool:
        """True where the text restricts the use, or may do so."""
        return self.concerns_use and self.reading.restricts


@dataclass(frozen=True)
class RestrictionCodes:
    """The codes of accessConstraints or useConstraints in all blocks of the record."""

    field: str
    codes: Tuple[str, ...]

    @property
    def refers_to_other_constraints(self) -> bool:
        """True where the codes refer to the other constraints."""
        return OTHER_RESTRICTIONS in self.codes


def record_statements(record: Record) -> List[ConstraintStatement]:
    """Return every constraint text of a record, block by block as nested there, then those outside of blocks."""
    found: List[ConstraintStatement] = []
    for group in record.constraint_groups:
        found.extend(_group_statements(group, sum(len(item.text) for item in found)))
    rest = ConstraintGroup(
        ConstraintKind.LEGAL, tuple(Constraint(text) for text in record.use_limitations), record.access_constraints,
        record.use_constraints, record.other_constraints)
    listed = {(item.field, single_line(item.text[:_SHOWN])) for item in found}
    found.extend(item for item in _group_statements(rest, sum(len(item.text) for item in found))
                 if (item.field, single_line(item.text[:_SHOWN])) not in listed)
    return found


def record_codes(record: Record) -> Tuple[RestrictionCodes, RestrictionCodes]:
    """Return the access codes and the use codes of a record, without repeats, in order."""
    groups = record.constraint_groups
    access = [code for group in groups for code in group.access_constraints] + list(record.access_constraints)
    use = [code for group in groups for code in group.use_constraints] + list(record.use_constraints)
    return (RestrictionCodes("access_constraints",
                             _distinct_codes(access)), RestrictionCodes("use_constraints", _distinct_codes(use)))


def classifications(record: Record) -> List[str]:
    """Return the codes of MD_SecurityConstraints other than "unclassified", without repeats (ISO 19115 B.5.11)."""
    found = [(group.classification or "").strip() for group in record.constraint_groups]
    return without_duplicates([code for code in found if code and code.lower() != "unclassified"])


def service_statements(service: Optional[Service]) -> List[ConstraintStatement]:
    """Return the statements of the capabilities: AccessConstraints, conditions in Fees, and Attribution (06-042
    7.2.4.3).

    "none" is the reserved word there and states nothing. INSPIRE puts its conditions into Fees.
    """
    if service is None:
        return []
    found = []
    if service.access_constraints and fold(service.access_constraints[:10]) != "none":
        found.append(_parse_statement(service.access_constraints, SERVICE_ACCESS, None, False))
    if service.fees:
        fees = _parse_statement(service.fees, SERVICE_FEES, None, False)
        if fees.mentions or fees.use_condition or fees.reading.credit is not Decision.UNDECIDED:
            found.append(fees)
    attribution = service.attribution
    if attribution and attribution.title:
        mentions = tuple(licence_table().find_mentions(attribution.title))
        if mentions:
            found.append(ConstraintStatement(SERVICE_ATTRIBUTION, attribution.title,
                                             TextReading(attribution.title, licences=mentions, understood=True),
                                             attribution.url))
    return found


def inspire_use_condition(text: str) -> Optional[Licence]:
    """Return INSPIRE's "no conditions apply" or "conditions unknown" where the text is one of them, else None."""
    found = licence_table().inspire_code(text)
    return found[1] if found and found[0] is InspireCodeKind.CONDITIONS else None


def _group_statements(group: ConstraintGroup, length: int) -> Iterator[ConstraintStatement]:
    """Yield the statements of a block. ``length`` is that of the texts read before: there is a limit to all of them."""
    access_only = bool(group.access_constraints) and not group.use_constraints
    for field, constraints in (("use_limitations", group.use_limitations), ("references", group.references),
                               ("other_constraints", group.other_constraints)):
        for constraint in constraints:
            text = constraint.text or constraint.href
            if text and text.strip():
                is_over = length > MAX_TEXTS and len(text) > _SHORT_TEXT
                length += len(text)
                if is_over:
                    yield ConstraintStatement(field, text, TextReading(text, is_cut=True), constraint.href)
                    continue
                yield _parse_statement(text, field, constraint.href, access_only and field == "other_constraints")


@cached_by_text(2048)
def _parse_statement(text: str, field: str, href: Optional[str], access_only: bool) -> ConstraintStatement:
    condition = licence_table().inspire_code(text, href)
    if condition and condition[0] is InspireCodeKind.ACCESS:
        return ConstraintStatement(field, text, _NO_READING, href, access_only=True, access_condition=condition[1])
    if condition:
        return ConstraintStatement(field, text, _NO_READING, href, use_condition=condition[1])
    return ConstraintStatement(field, text, read_text(text, href, field == SERVICE_FEES), href, access_only,
                               refers_to=tuple(target for target in referenced_fields(text) if target != field))


def _distinct_codes(codes: Sequence[str]) -> Tuple[str, ...]:
    return tuple(dict.fromkeys(code.strip() for code in codes if code.strip()))


def without_duplicates(texts: Sequence[str]) -> List[str]:
    """Return the texts without repeats, in order."""
    return list(dict.fromkeys(texts))

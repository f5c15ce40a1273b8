"""Resolution of the effective terms of a record and its service along the record's own references."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Dict, List, Optional, Sequence, Tuple

from ..i18n import tr
from ..records.model.codelists import code_label
from ..records.model.record import Record
from ..text import quoted, single_line
from ..wms.model.service import Service
from .credit_line import credit_line, credited_year
from .credit_pattern import DEFAULT_SETTINGS, TermsSettings
from .licences import LicenceMention, merge_mentions
from .limits import Limit, LimitKind
from .model import Decision, Licence, Terms, TrailStep
from .prescribed_credit import MAX_CREDIT_LENGTH, credited_roles
from .reading import TextReading, read_text
from .reading_trail import build_trail, unresolved_references
from .statements import (
    OTHER_RESTRICTIONS,
    SERVICE_FEES,
    ConstraintStatement,
    RestrictionCodes,
    classifications,
    inspire_use_condition,
    record_codes,
    record_statements,
    service_statements,
    without_duplicates,
)
from .terms_summary import summary_sentence
from .year_blanks import fill_year

_HREF = re.compile(r"https?://[^\s<>\"'«»]+", re.IGNORECASE)


def terms_for(record: Optional[Record], service: Optional[Service] = None,
              settings: TermsSettings = DEFAULT_SETTINGS) -> Terms:
    """Return the Terms of ``record``, and of ``service`` where its capabilities are known. Never raises.

    Every decision rests on text that was read: a named licence, INSPIRE's codes, fees and duties. Contradicting
    statements leave the matter undecided, and ``undecided`` names both. ``settings`` hold the pattern of the credit
    line. Without a record the service alone is read.
    """
    record = record if record is not None else Record("")
    statements = record_statements(record) + service_statements(service)
    codes = record_codes(record)
    mentions = merge_mentions([mention for statement in statements for mention in statement.mentions])
    licence, notes = _licence(mentions, statements)
    conflict = notes[0] if mentions and not licence else None
    credit, credit_notes = _credit_duty(mentions, statements)
    cost = _cost(record, service, mentions, statements)
    roles = credited_roles(item.text for item in statements if item.reading.credit is Decision.YES)
    not_required = credit is Decision.NO
    prescribed = without_duplicates([
        words for item in statements if not not_required and not item.access_condition
        for words in item.reading.prescribed
    ])
    record_credits = [
        single_line(words) for words in record.credits if not not_required and len(words) <= MAX_CREDIT_LENGTH
    ]
    texts = tuple(without_duplicates([item.text.strip() for item in statements if item.concerns_use]))
    notes += unresolved_references(record, statements, codes)
    if licence is None and not mentions and texts and credit is Decision.UNDECIDED and not cost.leftovers:
        notes.append(tr("The text is not a known licence. Read it before you publish: “{words}”",
                        words=_shorten("\n\n".join(texts))))
    if any(item.reading.is_cut for item in statements):
        notes.append(tr("A text is too long, so only its beginning was read."))
    year = credited_year(record)
    terms = Terms(
        licence=licence, licence_url=_licence_address(licence, statements), texts=texts,
        chain=build_trail(record, service, statements, codes) +
        tuple(TrailStep("credits", words) for words in record_credits), free=cost.free, free_for_some=cost.for_some,
        fees=cost.fees, credit_required=credit,
        credit=credit_line(record, licence, settings.credit_pattern, service, roles,
                           without_duplicates([fill_year(words, year) for words in prescribed] + record_credits),
                           credit is Decision.YES),
        prescribed=tuple(prescribed), access=_access(record, statements, codes, service),
        limits=_limits(statements, _fee_readings(record, service)),
        leftovers=tuple(cost.leftovers), undecided=tuple(without_duplicates(notes + credit_notes + list(cost.notes))),
        conflict=conflict)
    return replace(terms, sentence=summary_sentence(terms))


def _licence(mentions: Sequence[LicenceMention],
             statements: Sequence[ConstraintStatement]) -> Tuple[Optional[Licence], List[str]]:
    """Return the only licence that is named, else INSPIRE's condition code, and the notes why there is none."""
    names = [mention.licence.name or mention.licence.title for mention in mentions]
    conditions = unique_licences([item.use_condition for item in statements if item.use_condition])
    if len(mentions) > 1:
        return None, [tr("Several licences are named, {others} and {last}, but not which one applies.",
                         others=", ".join(names[:-1]), last=names[-1])]
    stated = [item for item in conditions if item.requires_credit is not Decision.UNDECIDED]
    if mentions and stated and mentions[0].licence.requires_credit is not Decision.NO:
        return None, [tr("One field names {licence}, another says that no conditions apply.", licence=names[0])]
    if mentions:
        return mentions[0].licence, []
    if stated:
        return stated[0], []
    if conditions:
        return conditions[0], [tr("According to the record, the conditions of access and use are unknown.")]
    if not any(item.is_decisive or item.concerns_use for item in statements):
        return None, [tr("No licence is named.")]
    return None, []


def _credit_duty(mentions: Sequence[LicenceMention],
                 statements: Sequence[ConstraintStatement]) -> Tuple[Decision, List[str]]:
    """Decide whether credit is required: all licences, codes and texts that mention it have to agree.

    "Not required" also needs that no other text about use was left over.
    """
    requiring, exempting = [], []
    for licence in _licences(mentions, statements):
        if licence.requires_credit is Decision.YES:
            requiring.append(licence.name or licence.title)
        elif licence.requires_credit is Decision.NO:
            exempting.append(licence.name or licence.title)
    for item in statements:
        requiring += [quoted(_shorten(words)) for words in item.reading.credit_clauses]
        exempting += [quoted(_shorten(words)) for words in item.reading.exempting_clauses]
    if requiring and exempting:
        return Decision.UNDECIDED, [
            tr("The texts contradict each other about credit: {asking} requires it, {sparing} does not.",
               asking=requiring[0], sparing=exempting[0])
        ]
    if requiring:
        return Decision.YES, []
    unclear = [item for item in statements if item.concerns_use and (item.restricts or item.reading.wishes)]
    if exempting and unclear:
        return Decision.UNDECIDED, [
            tr("{sparing} requires no credit, but another text could not be understood: “{words}”.",
               sparing=exempting[0], words=_shorten(_left_over(unclear[0])))
        ]
    if exempting and all(item.reading.credit is not Decision.UNDECIDED for item in statements
                         if item.reading.exempting_clauses):
        return Decision.NO, []
    return Decision.UNDECIDED, [tr("It is not stated, or not clearly, whether a credit is required.")]


def _left_over(item: ConstraintStatement) -> str:
    """Return the words of a text that restrict the use or were not understood."""
    words = [*item.reading.leftovers, *(limit.text for limit in item.reading.limits if not limit.from_licence)]
    return words[0] if words else item.text


def _licences(mentions: Sequence[LicenceMention], statements: Sequence[ConstraintStatement]) -> List[Licence]:
    return [mention.licence for mention in mentions] + [item.use_condition for item in statements if item.use_condition]


@dataclass(frozen=True)
class _Cost:
    """The decision about the cost, the texts that it rests on, and the clauses that were left over."""

    free: Decision
    fees: Optional[str] = None
    leftovers: Sequence[str] = ()
    notes: Sequence[str] = ()
    for_some: bool = False


def _cost(record: Record, service: Optional[Service], mentions: Sequence[LicenceMention],
          statements: Sequence[ConstraintStatement]) -> _Cost:
    """Decide whether the use is free of charge: by the fees fields, the constraints, and what the licence grants.

    It is only where no text restricts the use or was left over.
    """
    free, paid, unclear = _fee_fields(record, service, statements)
    free += [item.text for item in statements if item.reading.free is Decision.YES]
    paid += [_cost_words(item) for item in statements if item.reading.free is Decision.NO]
    licences = _licences(mentions, statements)
    granted = bool(licences) and all(licence.free_of_charge is Decision.YES for licence in licences)
    restricting = [item for item in statements if item.restricts]
    leftovers = without_duplicates([single_line(words) for item in restricting
                                    for words in [*item.reading.leftovers, *_limit_texts(item)]])
    partly = [_cost_words(item) for item in statements if item.reading.mentions_free
              and item.reading.free is Decision.UNDECIDED]
    if paid and (free or granted):
        return _Cost(Decision.UNDECIDED, " / ".join(without_duplicates(paid)), leftovers, [
            tr("The texts contradict each other about fees: “{first}” and “{second}”.",
               first=_shorten(free[0] if free else licences[0].name or licences[0].title), second=_shorten(paid[0]))
        ])
    if paid:
        return _Cost(Decision.NO, " / ".join(without_duplicates(paid)), leftovers)
    if unclear:
        if free:
            note = tr("The texts contradict each other about fees: “{first}” and “{second}”.", first=_shorten(free[0]),
                      second=_shorten(unclear[0]))
        else:
            note = tr("It is not clear from “{words}” whether it is free of charge.", words=_shorten(unclear[0]))
        return _Cost(Decision.UNDECIDED, " / ".join(without_duplicates(unclear)), leftovers, [note], bool(free))
    if free or granted or partly:
        if leftovers or partly and not free or any(item.reading.is_cut for item in restricting):
            words = _shorten((leftovers or partly or free or [item.text for item in restricting])[0])
            return _Cost(Decision.UNDECIDED, partly[0] if partly else None, leftovers, [
                tr("This text may limit who may use it free of charge, or for what: “{words}”.",
                   words=words)
            ], True)
        return _Cost(Decision.YES)
    if leftovers:
        return _Cost(Decision.UNDECIDED, None, leftovers, [tr("Fees are not stated.")])
    return _Cost(Decision.UNDECIDED, notes=[tr("Fees are not stated.")])


def _cost_words(item: ConstraintStatement) -> str:
    """Return the clauses of a text that are about the cost. A text of the fees field is about nothing else."""
    return item.text if item.field == SERVICE_FEES else item.reading.cost_words


def _limit_texts(item: ConstraintStatement) -> List[str]:
    return [limit.text for limit in item.reading.limits if not limit.from_licence]


def _fee_fields(record: Record, service: Optional[Service],
                statements: Sequence[ConstraintStatement]) -> Tuple[List[str], List[str], List[str]]:
    """Return the texts of the fees fields that say free, those that say a price, and those that are unclear.

    A licence or a condition in Fees is none of them.
    """
    free, paid, unclear = [], [], []
    read_already = {item.text for item in statements if item.field == SERVICE_FEES}
    for text in (record.fees, service.fees if service else None):
        if not text or not text.strip():
            continue
        reading = read_text(text, None, True)
        if reading.free is Decision.YES:
            free.append(text)
        elif reading.free is Decision.NO:
            paid.append(text)
        elif text not in read_already and not reading.licences and inspire_use_condition(text) is None:
            unclear.append(text)
    return free, paid, unclear


def _fee_readings(record: Record, service: Optional[Service]) -> List[TextReading]:
    return [read_text(text, None, True) for text in (record.fees, service.fees if service else None) if text]


def _limits(statements: Sequence[ConstraintStatement], fees: Sequence[TextReading]) -> Tuple[Limit, ...]:
    """Return the limits of all texts about use, each kind once, those of the texts before those of licences."""
    found: Dict[LimitKind, Limit] = {}
    for reading in [*(item.reading for item in statements if item.concerns_use), *fees]:
        for limit in reading.limits:
            if limit.kind not in found or found[limit.kind].from_licence:
                found[limit.kind] = limit
    return tuple(found.values())


def _licence_address(licence: Optional[Licence], statements: Sequence[ConstraintStatement]) -> Optional[str]:
    if licence and licence.url:
        return licence.url
    for item in statements:
        if not item.concerns_use:
            continue
        found: List[str] = _HREF.findall(item.text[:10_000])
        for address in ([item.href] if item.href else []) + found:
            if address.lower().startswith(("http://", "https://")):
                return address.rstrip(".,;:)]”")
    return None


def _access(record: Record, statements: Sequence[ConstraintStatement], codes: Sequence[RestrictionCodes],
            service: Optional[Service]) -> Optional[str]:
    """Return the text about access alone: the classification, and the constraints of the record or the service."""
    classification_labels = [code_label("MD_ClassificationCode", code) for code in classifications(record)]
    constraints = _access_constraints(statements, codes, service)
    return "\n".join(classification_labels + ([constraints] if constraints else [])) or None


def _access_constraints(statements: Sequence[ConstraintStatement], codes: Sequence[RestrictionCodes],
                        service: Optional[Service]) -> Optional[str]:
    """Return INSPIRE's code as text, else the texts that constrain only access, else codes, else the service's text."""
    for item in statements:
        if item.access_condition:
            if item.access_condition.id == "INSPIRE-noLimitations":
                return tr("No limitations on public access.")
            return item.text
    texts = without_duplicates(
        [item.text for item in statements if item.access_only and not item.is_decisive and not item.refers_to])
    if texts:
        return "\n".join(texts)
    plain = [code_label("MD_RestrictionCode", code) for code in codes[0].codes if code != OTHER_RESTRICTIONS]
    if plain:
        return ", ".join(plain)
    if service and service.access_constraints:
        return service.access_constraints
    return None


def unique_licences(licences: Sequence[Licence]) -> List[Licence]:
    """Return the licences without repeats, in order."""
    return list({licence.id: licence for licence in reversed(licences)}.values())[::-1]


def _shorten(text: str, length: int = 160) -> str:
    line = single_line(text[:10 * length])
    return line if len(line) <= length else line[:length - 1].rstrip() + "…"

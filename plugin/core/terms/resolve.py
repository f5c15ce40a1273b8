"""Resolution of the effective terms of a record and its service along the record's own references."""

from __future__ import annotations

import re
from typing import Iterable, List, Optional, Sequence, Tuple

from ..i18n import tr
from ..records.model.codelists import code_label
from ..records.model.record import Record
from ..text import single_line
from ..wms.model.service import Service
from .credit_line import credit_line
from .fees import free_of_charge
from .licences import LicenceMention, merge_mentions
from .model import Decision, Licence, Terms, TrailStep
from .prescribed_credit import MAX_CREDIT_LENGTH, credited_roles, prescribed_statements
from .reading_trail import build_trail, unresolved_references
from .settings import DEFAULT_SETTINGS, TermsSettings
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
from .use_restrictions import restricts_use

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
    free, fees, fee_notes = _cost(record, service, mentions, statements)
    roles = credited_roles(item.text for item in statements if item.credit_required is Decision.YES)
    not_required = credit is Decision.NO
    prescribed = [
        words for item in statements if not not_required and not item.access_only
        for words in prescribed_statements(item.text)
    ]
    record_credits = [
        single_line(words) for words in record.credits if not not_required and len(words) <= MAX_CREDIT_LENGTH
    ]
    deciding = _deciding_statements(statements, licence)
    text = deciding[0].text if len(deciding) == 1 else _join_texts(item.text for item in deciding)
    notes += unresolved_references(record, statements, codes)
    if licence is None and not mentions and text and credit is Decision.UNDECIDED:
        notes.append(tr("The text is not a known licence. Read it before you publish: “{words}”", words=_shorten(text)))
    return Terms(
        licence=licence, licence_text=text, licence_url=_licence_address(licence, deciding),
        chain=build_trail(record, service, statements, codes) +
        tuple(TrailStep("credits", words) for words in record_credits), free=free, fees=fees, credit_required=credit,
        credit=credit_line(record, licence, settings.credit_pattern, service, roles,
                           without_duplicates(prescribed + record_credits)),
        access=_access(record, statements, codes, service), limits=_restrictions(statements),
        undecided=tuple(without_duplicates(notes + credit_notes + fee_notes)), conflict=conflict)


def _licence(mentions: Sequence[LicenceMention],
             statements: Sequence[ConstraintStatement]) -> Tuple[Optional[Licence], List[str]]:
    """Return the only licence that is named, else INSPIRE's condition code, and the notes why there is none."""
    names = [mention.licence.name or mention.licence.title for mention in mentions]
    conditions = unique_licences([item.use_condition for item in statements if item.use_condition])
    if len(mentions) > 1:
        return None, [tr("Different licences are named, {others} and {last}: which one applies is not stated.",
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
    """Decide whether credit is required: all licences, codes and texts that mention it have to agree."""
    requiring, exempting = [], []
    for licence in _licences(mentions, statements):
        if licence.requires_credit is Decision.YES:
            requiring.append(licence.name or licence.title)
        elif licence.requires_credit is Decision.NO:
            exempting.append(licence.name or licence.title)
    for item in statements:
        if item.credit_required is Decision.YES:
            requiring.append(tr("“{words}”", words=_shorten(item.text)))
        elif item.credit_required is Decision.NO:
            exempting.append(tr("“{words}”", words=_shorten(item.text)))
    if requiring and exempting:
        return Decision.UNDECIDED, [
            tr("Whether credit is required is contradictory: {asking} asks for it, {sparing} does not.",
               asking=requiring[0], sparing=exempting[0])
        ]
    if requiring:
        return Decision.YES, []
    if exempting:
        return Decision.NO, []
    return Decision.UNDECIDED, [tr("Whether credit is required is not stated in a text that could be understood.")]


def _licences(mentions: Sequence[LicenceMention], statements: Sequence[ConstraintStatement]) -> List[Licence]:
    return [mention.licence for mention in mentions] + [item.use_condition for item in statements if item.use_condition]


def _cost(record: Record, service: Optional[Service], mentions: Sequence[LicenceMention],
          statements: Sequence[ConstraintStatement]) -> Tuple[Decision, Optional[str], List[str]]:
    """Decide whether the use is free: by the fees fields, then by the constraints, then by what the licence grants."""
    free, other = _fee_fields(record, service, statements)
    limited = [item.text for item in statements if item.free_of_charge is Decision.NO]
    if free and other:
        return Decision.UNDECIDED, " / ".join(without_duplicates(other)), [
            tr("The fees are contradictory: “{first}” and “{second}”.", first=_shorten(free[0]),
               second=_shorten(other[0]))
        ]
    if other:
        return Decision.UNDECIDED, " / ".join(without_duplicates(other)), [
            tr("Whether it is free of charge is not clear from “{words}”.", words=_shorten(other[0]))
        ]
    if limited:
        return Decision.UNDECIDED, limited[0], [
            tr("It is not simply free of charge: “{words}”.", words=_shorten(limited[0]))
        ]
    if free or any(item.free_of_charge is Decision.YES for item in statements):
        return Decision.YES, None, []
    licences = _licences(mentions, statements)
    if licences and all(licence.free_of_charge is Decision.YES for licence in licences):
        return Decision.YES, None, []
    return Decision.UNDECIDED, None, [tr("Fees are not stated.")]


def _fee_fields(record: Record, service: Optional[Service],
                statements: Sequence[ConstraintStatement]) -> Tuple[List[str], List[str]]:
    """Return (texts that say free, texts that were not understood). A licence or a condition in Fees is neither."""
    free, other = [], []
    read_already = {item.text for item in statements if item.field == SERVICE_FEES}
    for text in (record.fees, service.fees if service else None):
        if not text or not text.strip():
            continue
        if free_of_charge(text) is Decision.YES:
            free.append(text)
        elif text not in read_already and inspire_use_condition(text) is None:
            other.append(text)
    return free, other


def _deciding_statements(statements: Sequence[ConstraintStatement],
                         licence: Optional[Licence]) -> List[ConstraintStatement]:
    """Return the statement whose text is the effective licence.

    It names the licence, requires credit, or mentions the cost. Contradicting texts are all returned. Where nothing
    decides, every text about use is returned.
    """
    naming = [item for item in statements if item.mentions]
    if naming:
        return naming[:1] if licence else naming
    stating = [item for item in statements if item.use_condition is not None and item.use_condition == licence]
    if stating:
        return stating[:1]
    crediting = [item for item in statements if item.credit_required is not Decision.UNDECIDED]
    if crediting:
        return crediting if len({item.credit_required for item in crediting}) > 1 else crediting[:1]
    priced = [item for item in statements if item.free_of_charge is not Decision.UNDECIDED]
    if priced:
        return priced[:1]
    return [item for item in statements if item.concerns_use]


def _restrictions(statements: Sequence[ConstraintStatement]) -> Tuple[str, ...]:
    return tuple(
        without_duplicates([
            item.text for item in statements
            if item.concerns_use and not item.mentions and not item.use_condition and restricts_use(item.text)
        ]))


def _licence_address(licence: Optional[Licence], deciding: Sequence[ConstraintStatement]) -> Optional[str]:
    if licence and licence.url:
        return licence.url
    for item in deciding:
        for address in ([item.href] if item.href else []) + _HREF.findall(item.text[:10_000]):
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


def _join_texts(texts: Iterable[str]) -> Optional[str]:
    """Join the texts of several fields by an empty line."""
    return "\n\n".join(without_duplicates([text.strip() for text in texts])) or None


def _shorten(text: str, length: int = 160) -> str:
    line = single_line(text)
    return line if len(line) <= length else line[:length - 1].rstrip() + "…"

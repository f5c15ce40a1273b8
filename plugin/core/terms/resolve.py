"""Resolution of the effective terms of a record and its service along the record's own references."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Iterable, List, Optional, Sequence, Tuple

from ..blanks import fill_year
from ..i18n import tr
from ..records.model.codelists import code_label
from ..records.model.record import Record
from ..sources.source_kind import ProviderInfo
from ..text import fold, quoted, shorten, single_line
from .credit_line import DEFAULT_SETTINGS, TermsSettings, attribution_line, credit_line, credited_year
from .labels import licence_name
from .lexicon import lexicon_of, words_of
from .model import Decision, Licence, Terms, TrailStep
from .prescribed_credit import MAX_CREDIT_LENGTH, credited_roles
from .reading import limits_of
from .reading_trail import build_trail, classifications, unresolved_references
from .statements import (
    OTHER_RESTRICTIONS,
    ConstraintStatement,
    DescribedService,
    RestrictionCodes,
    code_statements,
    described_statements,
    record_codes,
    record_statements,
    service_statements,
    unread_statements,
)
from .terms_summary import summary_sentence
from .verdict import Evidence, Kind, TermsVerdict, Vote, reach_verdict

#: characters of a text that a message quotes
_QUOTED = 160
_HREF = re.compile(r"https?://[^\s<>\"'«»]+", re.IGNORECASE)


def terms_for(record: Optional[Record], service: Optional[DescribedService] = None,
              settings: TermsSettings = DEFAULT_SETTINGS) -> Terms:
    """Return the Terms of ``record``, and of ``service`` where its capabilities or its description are known.

    Never raises.

    Every decision rests on text that was read: a named licence, INSPIRE's codes, fees and duties. Contradicting
    statements leave the matter undecided, and ``undecided`` names both. ``settings`` hold the pattern of the credit
    line. Without a record the service alone is read.
    """
    record = record if record is not None else Record("")
    statements = record_statements(record) + service_statements(service)
    codes = record_codes(record)
    gaps = service.gaps if isinstance(service, ProviderInfo) else ()
    others = [*code_statements(codes), *(Evidence(Kind.REFERENCE, reason) for reason in gaps)]
    verdict = reach_verdict([*(item for statement in statements for item in statement.evidence), *others])
    unread = list(unread_statements(record)) if verdict.credit is not Decision.YES else []
    if unread:
        statements += unread
        verdict = reach_verdict([*(item for statement in statements for item in statement.evidence), *others])
    described = list(described_statements(record, service)) if verdict.credit is not Decision.YES else []
    if described:
        # it is about the credit alone: what is said of licence and cost stands in the constraints
        statements += described
        verdict = replace(verdict, credit=Decision.YES, evidence=(
            *verdict.evidence, *(item for statement in described for item in statement.evidence)))
    licence, conflict = _licence(verdict)
    roles = credited_roles(item.words for item in verdict.of(Kind.DUTY))
    year = credited_year(record)
    publishers = [attribution_line(item.mention.licence, record, service) for item in verdict.evidence
                  if item.mention and item.mention.publisher]
    prescribed = _unique([*(fill_year(words, year) for item in statements for words in item.prescribed),
                          *filter(None, publishers)])
    record_credits = [single_line(words) for words in record.credits
                      if verdict.credit is not Decision.NO and len(words) <= MAX_CREDIT_LENGTH]
    texts = _unique(item.text.strip() for item in statements if item.concerns_use)
    leftovers = _unique(single_line(item.words) for item in verdict.of(Kind.UNKNOWN, Kind.LIMIT, Kind.REFERENCE))
    notes = [conflict] if conflict else []
    notes += [tr("The service’s terms could not be read completely: {reason}", reason=reason) for reason in gaps]
    notes += _notes(record, statements, codes, verdict) + _credit_notes(verdict) + _cost_notes(verdict)
    terms = Terms(
        licence=licence, licence_url=_licence_address(licence, statements), texts=texts,
        chain=build_trail(record, [item for item in statements if item.field != "credits"], codes) +
        tuple(TrailStep("credits", words) for words in record_credits), free=verdict.free,
        free_for_some=verdict.free is Decision.UNDECIDED and bool(verdict.voting("free", Vote.YES, Vote.PARTLY)),
        fees=_fees(verdict, statements), credit_required=verdict.credit,
        credit=credit_line(record, licence, settings.credit_pattern, service, roles,
                           _unique([*prescribed, *record_credits]),
                           verdict.credit is Decision.YES),
        prescribed=prescribed, access=_access(record, statements, codes, service),
        limits=limits_of([item for statement in statements for item in statement.evidence]),
        leftovers=leftovers, undecided=_unique(notes), conflict=conflict,
        states_date=_is_date_owed(verdict, licence))
    return replace(terms, sentence=summary_sentence(terms))


def _is_date_owed(verdict: TermsVerdict, licence: Optional[Licence]) -> bool:
    """Return true where a licence or a text about credit asks for the date of the last update."""
    texts = [item.words for item in verdict.of(Kind.DUTY, Kind.WISH)] if verdict.credit is Decision.YES else []
    return licence is not None and "{date}" in licence.attribution or any(
        span.has("update-date") for text in texts for span in lexicon_of("update-date").spans(words_of(fold(text))))


def _licence(verdict: TermsVerdict) -> Tuple[Optional[Licence], Optional[str]]:
    """Return the only licence that is named, else INSPIRE's condition code, and a message where several are."""
    names = [mention.licence.name or mention.licence.title for mention in verdict.licences]
    demands = {(mention.licence.requires_credit, mention.licence.limits) for mention in verdict.licences}
    known = [mention.licence for mention in verdict.licences if mention.licence.id.startswith("CC-BY")]
    if len(names) > 1 and len(demands) == len(known) == 1:  # one is enough, and this one is known everywhere
        return known[0], None
    if len(names) > 1:
        return None, tr("Several licences are named, {others} and {last}, but not which one applies.",
                        others=", ".join(names[:-1]), last=names[-1])
    if names:
        return verdict.licences[0].licence, None
    codes = [*verdict.of(Kind.CODE_UNKNOWN), *verdict.of(Kind.CODE_OPEN, Kind.CODE_CONTRADICTED)]
    return (codes[0].code if codes else None), None


def _notes(record: Record, statements: Sequence[ConstraintStatement], codes: Sequence[RestrictionCodes],
           verdict: TermsVerdict) -> List[str]:
    """Return the open questions about the licence."""
    notes = unresolved_references(statements, codes)
    if verdict.of(Kind.CODE_UNKNOWN):
        notes.append(tr("According to the record, the conditions of access and use are unknown."))
    elif not verdict.licences and not any(item.is_decisive or item.concerns_use for item in statements):
        notes.append(tr("No licence is named."))
    texts = [item.text.strip() for item in statements if item.concerns_use]
    if texts and not verdict.licences and verdict.credit is Decision.UNDECIDED and not verdict.of(
            Kind.CODE_OPEN, Kind.CODE_UNKNOWN, Kind.UNKNOWN, Kind.LIMIT):
        notes.append(tr("The text is not a known licence. Read it before you publish: “{words}”",
                        words=shorten("\n\n".join(_unique(texts)), _QUOTED)))
    if any(item.reading.is_cut for item in statements):
        notes.append(tr("A text is too long, so only its beginning was read."))
    return notes


def _credit_notes(verdict: TermsVerdict) -> List[str]:
    """Return why the duty to credit is open, or which texts contradict each other about it."""
    asking, sparing, doubtful = (verdict.voting("credit", vote) for vote in (Vote.YES, Vote.NO, Vote.BLOCKS))
    if asking and sparing:
        return [tr("The texts contradict each other about credit: {asking} requires it, {sparing} does not.",
                   asking=_quoted(asking[0]), sparing=_quoted(sparing[0]))]
    if asking or verdict.credit is Decision.NO:
        return []
    if sparing and doubtful:
        return [tr("{sparing} requires no credit, but another text could not be understood: “{words}”.",
                   sparing=_quoted(sparing[0]), words=shorten(doubtful[0].words, _QUOTED))]
    return [tr("It is not stated, or not clearly, whether a credit is required.")]


def _cost_notes(verdict: TermsVerdict) -> List[str]:
    """Return why the cost is open."""
    if verdict.free is not Decision.UNDECIDED:
        return []
    paid, free, partly, doubtful = (verdict.voting("free", vote) for vote in (Vote.NO, Vote.YES, Vote.PARTLY,
                                                                              Vote.BLOCKS))
    if paid:
        return [tr("The texts contradict each other about fees: “{first}” and “{second}”.",
                   first=shorten((free or partly)[0].words, _QUOTED), second=shorten(paid[0].words, _QUOTED))]
    if free or partly:
        return [tr("This text may limit who may use it free of charge, or for what: “{words}”.",
                   words=shorten((doubtful or partly)[0].words, _QUOTED))]
    return [tr("Fees are not stated.")]


def _fees(verdict: TermsVerdict, statements: Sequence[ConstraintStatement]) -> Optional[str]:
    """Return the texts of the fees fields and the clauses about the cost, as written, where it is not free of charge.
    """
    if verdict.free is Decision.YES:
        return None
    stated = [item.text if item.is_about_fees else item.reading.cost_words for item in statements
              if item.reading.has(Kind.PRICE)]
    open_fees = [item.text for item in statements if item.is_about_fees and not item.is_decisive_beyond_cost
                 and not item.reading.has(Kind.FREE)]
    partly = [item.reading.cost_words for item in statements if item.reading.has(Kind.FREE_FOR_SOME)]
    return " / ".join(_unique(stated or open_fees or partly)) or None


def _quoted(item: Evidence) -> str:
    """Return the name of a licence, or the words of a text in quotation marks."""
    return licence_name(item.mention.licence) if item.mention else quoted(shorten(item.words, _QUOTED))


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
            service: Optional[DescribedService]) -> Optional[str]:
    """Return the text about access alone: the classification, and the constraints of the record or the service."""
    classification_labels = [code_label("MD_ClassificationCode", code) for code in classifications(record)]
    constraints = _access_constraints(statements, codes, service)
    return "\n".join(classification_labels + ([constraints] if constraints else [])) or None


def _access_constraints(statements: Sequence[ConstraintStatement], codes: Sequence[RestrictionCodes],
                        service: Optional[DescribedService]) -> Optional[str]:
    """Return INSPIRE's code as text, else the texts that constrain only access, else codes, else the service's text."""
    for item in statements:
        if item.access_condition:
            if item.access_condition.id == "INSPIRE-noLimitations":
                return tr("No limitations on public access.")
            return item.text
    texts = _unique(item.text for item in statements if item.access_only and not item.is_decisive
                    and not item.refers_to)
    if texts:
        return "\n".join(texts)
    plain = [code_label("MD_RestrictionCode", code) for code in codes[0].codes if code != OTHER_RESTRICTIONS]
    if plain:
        return ", ".join(plain)
    stated = service.access if isinstance(service, ProviderInfo) else service.access_constraints if service else None
    return stated or None


def _unique(texts: Iterable[str]) -> Tuple[str, ...]:
    return tuple(dict.fromkeys(texts))

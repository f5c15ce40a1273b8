"""The effective terms of a record and its service: resolved along the record's own references, never guessed."""

from __future__ import annotations

import re
from typing import Iterable, List, Optional, Sequence, Tuple

from ..i18n import tr
from ..records.codelists import label
from ..records.model import Record
from ..text import tidy
from ..wms.model import Service
from .asked import LONGEST, asked_roles, asked_statements
from .chain import build_chain, dangling
from .credit import credit_line
from .fees import free_of_charge
from .licences import Mention, merged
from .limits import limits_use
from .model import Decision, Licence, Step, Terms
from .pattern import DEFAULT_PATTERN
from .statements import (
    SENDS_ON,
    SERVICE_FEES,
    CodeField,
    Statement,
    classifications,
    read_condition,
    record_codes,
    record_statements,
    service_statements,
    unique,
)

_HREF = re.compile(r"https?://[^\s<>\"'«»]+", re.IGNORECASE)


def resolve(record: Record, service: Optional[Service] = None, pattern: str = DEFAULT_PATTERN) -> Terms:
    """The Terms of ``record``, and of ``service`` where its capabilities are at hand; never raises.

    Every decision rests on words that were read: a licence that is named, INSPIRE's codes, fees and duties in words.
    Two statements that contradict each other leave the matter undecided, and ``undecided`` names both.
    """
    statements = record_statements(record) + service_statements(service)
    codes = record_codes(record)
    mentions = merged([mention for statement in statements for mention in statement.mentions])
    licence, notes = _licence(mentions, statements)
    conflict = notes[0] if mentions and not licence else None
    credit, credit_notes = _credit(mentions, statements)
    free, fees, fee_notes = _fees(record, service, mentions, statements)
    roles = asked_roles(item.text for item in statements if item.credit is Decision.YES)
    spared = credit is Decision.NO
    prescribed = [words for item in statements if not spared and not item.access_only
                  for words in asked_statements(item.text)]
    own = [tidy(words) for words in record.credits if not spared and len(words) <= LONGEST]
    deciding = _deciding(statements, licence)
    text = deciding[0].text if len(deciding) == 1 else _apart(item.text for item in deciding)
    notes += dangling(record, statements, codes)
    if licence is None and not mentions and text and credit is Decision.UNDECIDED:
        notes.append(tr("The text is not a known licence. Read it before you publish: “{words}”", words=_short(text)))
    return Terms(
        licence=licence, licence_text=text, licence_url=_address(licence, deciding),
        chain=build_chain(record, service, statements, codes) + tuple(Step("credits", words) for words in own),
        free=free, fees=fees, credit_required=credit,
        credit=credit_line(record, licence, pattern, service, roles, unique(prescribed + own)),
        access=_access(record, statements, codes, service),
        limits=_limits(statements), undecided=tuple(unique(notes + credit_notes + fee_notes)),
        conflict=conflict)


def _licence(mentions: Sequence[Mention], statements: Sequence[Statement]) -> Tuple[Optional[Licence], List[str]]:
    """The one licence that everything said agrees on; INSPIRE's condition codes stand for one where none is named."""
    names = [mention.licence.name or mention.licence.title for mention in mentions]
    conditions = unique_licences([item.condition for item in statements if item.condition])
    if len(mentions) > 1:
        return None, [tr("Different licences are named, {others} and {last}: which one applies is not said.",
                         others=", ".join(names[:-1]), last=names[-1])]
    stated = [item for item in conditions if item.requires_credit is not Decision.UNDECIDED]
    if mentions and stated and mentions[0].licence.requires_credit is not Decision.NO:
        return None, [tr("One field names {licence}, another says that no conditions apply.", licence=names[0])]
    if mentions:
        return mentions[0].licence, []
    if stated:
        return stated[0], []
    if conditions:
        return conditions[0], [tr("The conditions of access and use are unknown, says the record itself.")]
    if not any(item.decides or item.speaks_of_use for item in statements):
        return None, [tr("No licence is named.")]
    return None, []


def _credit(mentions: Sequence[Mention], statements: Sequence[Statement]) -> Tuple[Decision, List[str]]:
    """Whether credit is a duty: what licences, codes and words say, if all that speak of it agree."""
    asking, sparing = [], []
    for licence in _licences(mentions, statements):
        if licence.requires_credit is Decision.YES:
            asking.append(licence.name or licence.title)
        elif licence.requires_credit is Decision.NO:
            sparing.append(licence.name or licence.title)
    for item in statements:
        if item.credit is Decision.YES:
            asking.append(tr("“{words}”", words=_short(item.text)))
        elif item.credit is Decision.NO:
            sparing.append(tr("“{words}”", words=_short(item.text)))
    if asking and sparing:
        return Decision.UNDECIDED, [
            tr("Whether credit is required is contradictory: {asking} asks for it, {sparing} does not.",
               asking=asking[0], sparing=sparing[0])]
    if asking:
        return Decision.YES, []
    if sparing:
        return Decision.NO, []
    return Decision.UNDECIDED, [tr("Whether credit is required is not said in words that could be read.")]


def _licences(mentions: Sequence[Mention], statements: Sequence[Statement]) -> List[Licence]:
    return [mention.licence for mention in mentions] + [item.condition for item in statements if item.condition]


def _fees(record: Record, service: Optional[Service], mentions: Sequence[Mention],
          statements: Sequence[Statement]) -> Tuple[Decision, Optional[str], List[str]]:
    """Free of charge or not: the fees fields first, then words in the constraints, then what the licence grants."""
    free, other = _fee_fields(record, service, statements)
    limited = [item.text for item in statements if item.free is Decision.NO]
    if free and other:
        return Decision.UNDECIDED, " / ".join(unique(other)), [
            tr("The fees are contradictory: “{first}” and “{second}”.", first=_short(free[0]), second=_short(other[0]))]
    if other:
        return Decision.UNDECIDED, " / ".join(unique(other)), [
            tr("Whether it is free of charge is not clear from “{words}”.", words=_short(other[0]))]
    if limited:
        return Decision.UNDECIDED, limited[0], [
            tr("It is not simply free of charge: “{words}”.", words=_short(limited[0]))]
    if free or any(item.free is Decision.YES for item in statements):
        return Decision.YES, None, []
    licences = _licences(mentions, statements)
    if licences and all(licence.free_of_charge is Decision.YES for licence in licences):
        return Decision.YES, None, []
    return Decision.UNDECIDED, None, [tr("Nothing is said about fees.")]


def _fee_fields(record: Record, service: Optional[Service],
                statements: Sequence[Statement]) -> Tuple[List[str], List[str]]:
    """(texts that say free, texts that were not understood); a licence or a condition in Fees is neither."""
    free, other = [], []
    read_already = {item.text for item in statements if item.field == SERVICE_FEES}
    for text in (record.fees, service.fees if service else None):
        if not text or not text.strip():
            continue
        if free_of_charge(text) is Decision.YES:
            free.append(text)
        elif text not in read_already and read_condition(text) is None:
            other.append(text)
    return free, other


def _deciding(statements: Sequence[Statement], licence: Optional[Licence]) -> List[Statement]:
    """The statement whose text is the effective licence: it names the licence, asks for credit, or speaks of cost.

    Where texts contradict each other it is all of them; where nothing decides, every text about use.
    """
    naming = [item for item in statements if item.mentions]
    if naming:
        return naming[:1] if licence else naming
    stating = [item for item in statements if item.condition is not None and item.condition == licence]
    if stating:
        return stating[:1]
    crediting = [item for item in statements if item.credit is not Decision.UNDECIDED]
    if crediting:
        return crediting if len({item.credit for item in crediting}) > 1 else crediting[:1]
    priced = [item for item in statements if item.free is not Decision.UNDECIDED]
    if priced:
        return priced[:1]
    return [item for item in statements if item.speaks_of_use]


def _limits(statements: Sequence[Statement]) -> Tuple[str, ...]:
    return tuple(unique([item.text for item in statements
                         if item.speaks_of_use and not item.mentions and not item.condition and limits_use(item.text)]))


def _address(licence: Optional[Licence], deciding: Sequence[Statement]) -> Optional[str]:
    if licence and licence.url:
        return licence.url
    for item in deciding:
        for address in ([item.href] if item.href else []) + _HREF.findall(item.text[:10_000]):
            if address.lower().startswith(("http://", "https://")):
                return address.rstrip(".,;:)]”")
    return None


def _access(record: Record, statements: Sequence[Statement], codes: Sequence[CodeField],
            service: Optional[Service]) -> Optional[str]:
    """What is said about access alone, in words: the classification, and what the constraints or the service say."""
    secret = [label("MD_ClassificationCode", code) for code in classifications(record)]
    said = _access_constraints(statements, codes, service)
    return "\n".join(secret + ([said] if said else [])) or None


def _access_constraints(statements: Sequence[Statement], codes: Sequence[CodeField],
                        service: Optional[Service]) -> Optional[str]:
    """INSPIRE's codes in words, else texts of blocks that constrain only access, else codes, else the service's."""
    for item in statements:
        if item.access:
            if item.access.id == "INSPIRE-noLimitations":
                return tr("No limitations on public access.")
            return item.text
    texts = unique([item.text for item in statements if item.access_only and not item.decides and not item.leads])
    if texts:
        return "\n".join(texts)
    plain = [label("MD_RestrictionCode", code) for code in codes[0].codes if code != SENDS_ON]
    if plain:
        return ", ".join(plain)
    if service and service.access_constraints:
        return service.access_constraints
    return None


def unique_licences(licences: Sequence[Licence]) -> List[Licence]:
    """Licences without repeats, in order."""
    return list({licence.id: licence for licence in reversed(licences)}.values())[::-1]


def _apart(texts: Iterable[str]) -> Optional[str]:
    """Texts of several fields, an empty line between them."""
    return "\n\n".join(unique([text.strip() for text in texts])) or None


def _short(text: str, length: int = 160) -> str:
    line = tidy(text)
    return line if len(line) <= length else line[:length - 1].rstrip() + "…"

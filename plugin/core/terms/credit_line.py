"""The credit line of a record: owner, title, year and licence in the pattern of the settings.

Empty placeholders of the pattern vanish together with their labels, brackets and separators.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Dict, Iterable, List, Mapping, Optional, Pattern, Sequence, Set, Tuple

from ..records.model.record import Contact, Record
from ..sources.source_kind import ProviderInfo
from ..text import bounded_title, fold, single_line, truncate, unique_texts
from .credit_duty import comparable, shows
from .lexicon import alternatives
from .model import CREDIT_BLANKS, Decision, Licence, Terms
from .server_defaults import names_nobody
from .statements import DescribedService

#: roles to credit, best first, as codes of CI_RoleCode (19115:2003 and 19115-1)
CREDITED_ROLES = ("owner", "author", "rightsHolder", "principalInvestigator", "originator", "publisher", "custodian",
                  "pointOfContact", "resourceProvider", "distributor")

_YEAR = re.compile(r"(?<![\d:/.,])(?:1[89]|20)\d{2}(?![\d]|[.,/]\d)")
_YEAR_OF_A_DATE = re.compile(r"(?<!\d)(?:1[89]|20)\d{2}(?!\d)")
_DATE_TYPES = ("revision", "publication", "creation")
#: characters of a title or name that are read
_MAX_NAME = 2_000


DEFAULT_PATTERN = "{owner}, {title}, {year}, {licence}"
PLACEHOLDERS = ("owner", "title", "year", "licence", "url")


@dataclass(frozen=True)
class TermsSettings:
    """The person's choices about terms. ``credit_pattern`` is the pattern of the credit line."""

    credit_pattern: str = DEFAULT_PATTERN


DEFAULT_SETTINGS = TermsSettings()

_TOKEN = re.compile(r"(?P<place>\{[^{}]*\})|(?P<open>[(\[<«“\"])|(?P<close>[)\]>»”])"
                    r"|(?P<separator>\s*[,;·|•]\s*|\.\s+|\.\Z|(?<=\}):\s+|\s+[-–—/]\s+)|(?P<text>\s+"
                    r"|[^\s{}(\[<«“\")\]>»”,;:·|•.]+|.)", re.DOTALL)
_CLOSES = {"(": ")", "[": "]", "<": ">", "«": "»", "“": "”", '"': '"'}


def fill_pattern(pattern: str, values: Mapping[str, str]) -> str:
    """Return ``pattern`` with its placeholders filled.

    A part between two separators or in brackets is omitted with its label and separator where all of its placeholders
    are empty. Unknown placeholders are empty. Unbalanced braces are ignored.
    """
    tokens = [(match.lastgroup or "text", match.group()) for match in _TOKEN.finditer(pattern[:1000])]
    clean = {name: single_line(value).rstrip(" ,;:") for name, value in values.items()}
    text, _ = _fill_parts(tokens, 0, "", clean)
    return single_line(text)


def unknown_placeholders(pattern: str) -> Tuple[str, ...]:
    """Return the placeholders of a pattern that are not in PLACEHOLDERS, for the settings form."""
    found = re.findall(r"\{([^{}]*)\}", pattern)
    return tuple(name for name in dict.fromkeys(found) if name.strip() not in PLACEHOLDERS)


def _fill_parts(tokens: List[Tuple[str, str]], position: int, closing: str, values: Mapping[str,
                                                                                            str]) -> Tuple[str, int]:
    """Return the text from ``position`` to the closing bracket (or the end) and the position after it."""
    written, part, pending = "", "", ""
    placeholders = filled_placeholders = 0

    def finished() -> str:
        if placeholders and not filled_placeholders or not part.strip():
            return written
        if not written:
            return part.lstrip()
        glue = pending.lstrip(".") if written.endswith(".") and pending.startswith(".") else pending
        return written.rstrip() + glue + (part.lstrip() if glue[-1:].isspace() else part)

    while position < len(tokens):
        kind, text = tokens[position]
        position += 1
        if closing and text == closing:
            break
        if kind == "place":
            value = values.get(text[1:-1].strip(), "")
            placeholders, filled_placeholders, part = placeholders + 1, filled_placeholders + bool(value), part + value
        elif kind == "open" and any(other == _CLOSES[text] for _, other in tokens[position:]):
            inner, position = _fill_parts(tokens, position, _CLOSES[text], values)
            placeholders, filled_placeholders = placeholders + 1, filled_placeholders + bool(inner.strip())
            part = part + text + inner.strip() + _CLOSES[text] if inner.strip() else part.rstrip()
        elif kind == "separator":
            written, pending = finished(), text
            part, placeholders, filled_placeholders = "", 0, 0
        else:
            part += text
    end = finished()
    if pending.strip() == "." and not part and end and not closing and not end.endswith("."):
        end += "."
    return end, position


def credit_line(record: Optional[Record], licence: Optional[Licence] = None, pattern: str = DEFAULT_PATTERN,
                service: Optional[DescribedService] = None, roles: Sequence[str] = (), statements: Sequence[str] = (),
                is_owed: bool = False) -> str:
    """Return the credit line of a record in the given pattern.

    The placeholders are {owner} {title} {year} {licence} {url}, where {url} is the licence's address. Values missing in
    the record are taken from its service, and an empty value leaves no trace in the line. {year} is empty where the
    title names the year already. The contacts with one of ``roles`` are named after the owner. The ``statements``
    prescribed by the terms are appended, else the words that the licence itself prescribes. Without owner, title and
    statements the line is empty, and so it is where a credit ``is_owed`` and nobody is known to whom, since a title
    names nobody. Texts of servers as delivered are left out.
    """
    owner = credited_owner(record, service, roles)
    title = _title(record, service)
    if not owner and (is_owed or not title):
        return _with_statements("", statements)
    year = credited_year(record) if record else ""
    if year and re.search(rf"(?<!\d){year}(?!\d)", title):
        year = ""
    if licence and licence.id.startswith("INSPIRE-"):
        licence = None  # INSPIRE's condition codes are not licences
    line = fill_pattern(
        pattern, {
            "owner": owner, "title": title, "year": year, "licence": (licence.name or licence.title) if licence else "",
            "url": (licence.url or "") if licence else ""
        })
    words = attribution_line(licence, record, service) if licence and owner and not statements else ""
    if not words or all(word in comparable(line) for word in comparable(words).split()):
        return _with_statements(line, statements)
    return words if owner in words and title in words else _with_statements(line, [words])


def _with_statements(line: str, statements: Iterable[str]) -> str:
    """Return a line with the statements that it does not contain yet, each as a sentence."""
    for statement in statements:
        if not shows([line], statement):
            line = f"{line.rstrip('. ')}. {statement}" if line else statement
    return line


def attribution_line(licence: Licence, record: Optional[Record], service: Optional[DescribedService] = None) -> str:
    """Return the credit that a licence or its publisher prescribes with its blanks filled.

    The text is empty where there is none, or one of its blanks is not known.
    """
    year = credited_year(record) if record else ""
    line, values = licence.attribution, {"owner": credited_owner(record, service), "product": _title(record, service),
                                         "year": year, "date": year}
    for blank in CREDIT_BLANKS:
        line = line.replace(f"{{{blank}}}", values[blank] or f"{{{blank}}}")
    return "" if any(f"{{{blank}}}" in line for blank in CREDIT_BLANKS) else line


def joined_credit(credit: str, terms: Terms) -> str:
    """Return a credit line with what other terms of the same source ask for besides."""
    if not terms.credit or terms.credit_required is Decision.NO or shows([credit], terms.credit):
        return credit
    return terms.credit if shows([terms.credit], credit) else _with_statements(credit, [terms.credit])


def _title(record: Optional[Record], service: Optional[DescribedService]) -> str:
    return _name((record.title if record else None) or (service.title if service else "") or "")


def credited_owner(record: Optional[Record], service: Optional[DescribedService] = None,
                   roles: Sequence[str] = ()) -> str:
    """Return the names to credit, joined by " / ": the organisations (else persons) of the highest role in
    CREDITED_ROLES.

    The resource's contacts count before the metadata's contacts, then the service's Attribution (06-042 7.2.4.6.11) and
    its contact. The resource's contacts with one of ``roles`` follow.
    """
    if record:
        for contacts in (record.contacts, record.metadata_contacts):
            names = _highest_ranked_names(contacts)
            if names:
                additional = [
                    _contact_name(contact) for role in roles for contact in record.contacts
                    if fold(contact.role or "") == fold(role)
                ]
                return " / ".join(unique_texts(names + [name for name in additional if name]))
    if isinstance(service, ProviderInfo):
        # an attribution that is shown word for word is the whole credit
        return "" if service.credit else _name(service.owner)
    if service:
        attribution = service.attribution
        contact = service.contact.organisation or service.contact.individual
        return _name((attribution.title if attribution else None) or "") or _name(contact or "")
    return ""


def _name(text: str) -> str:
    """Return a title or a name on one line, "" for a server's as delivered. One longer than a title can be is cut."""
    name = single_line(text[:_MAX_NAME])
    return "" if names_nobody(name) else bounded_title(name)


def credited_year(record: Record) -> str:
    """Return the year of the data, or an empty text.

    It is the only year named in the title, because the dates of a record often are those of the service. Without one it
    is the year that contains the whole temporal extent, then the latest revision, publication or creation date, in this
    order, then any other date of the resource. The date stamp is the date of the metadata and does not count.
    """
    named = years_named((record.title or "")[:_MAX_NAME])
    onwards = bool(_open_ended().search(fold((record.title or "")[:500])))
    if len(named) == 1 and not onwards:
        return named[0]
    spans: Set[str] = {year for extent in record.temporal_extents for value in (extent.begin, extent.end)
             for year in _YEAR_OF_A_DATE.findall(value or "")}
    closed = all(extent.begin and extent.end for extent in record.temporal_extents)
    if not named and closed and len(spans) == 1:
        return spans.pop()
    for date_type in _DATE_TYPES:
        years: List[str] = [
            year for date in record.dates if (date.type or "").lower() == date_type
            for year in _YEAR_OF_A_DATE.findall(date.value)
        ]
        if years:
            return max(years)
    rest = [year for date in record.dates for year in _YEAR_OF_A_DATE.findall(date.value)]
    return max(rest) if rest else ""


@lru_cache(maxsize=1)
def _open_ended() -> Pattern[str]:
    """Return the pattern of an open period: its first year is not the year of the data."""
    return re.compile(
        rf"\b(?:{alternatives('since')})\s+(?:\w{{1,4}}['\s]){{0,2}}(?:1[89]|20)\d{{2}}\b"
        rf"|(?<!\d)(?:1[89]|20)\d{{2}}\s*(?:[-/]|\b(?:{alternatives('until')})\b)\s*(?:\w{{1,3}}['\s]\s?)?"
        rf"(?:{alternatives('until-now')}|(?=\)|\Z))")


@lru_cache(maxsize=1)
def _not_a_year() -> Pattern[str]:
    """Return the pattern of numbers that look like years."""
    return re.compile(rf"\b(?:{alternatives('not-a-year')})[\s-]*(?:1[89]|20)\d{{2}}\b")


def years_named(text: str) -> List[str]:
    """Return the distinct years from 1800 to 2099 in a text. "Natura 2000" and "1:2000" are not years."""
    return list(dict.fromkeys(_YEAR.findall(_not_a_year().sub(" ", fold(text[:500])))))


def _contact_name(contact: Contact) -> str:
    # longer than a title: some documents name all institutes of a project in one field
    name = truncate(single_line((contact.organisation or contact.individual or "")[:2 * _MAX_NAME]), _MAX_NAME)
    return name if any(char.isalnum() for char in name) and not names_nobody(name) else ""


def _highest_ranked_names(contacts: Sequence[Contact]) -> List[str]:
    ranked = {fold(role): position for position, role in enumerate(CREDITED_ROLES)}
    found: Dict[int, List[str]] = {}
    for contact in contacts:
        name = _contact_name(contact)
        if name:
            rank = ranked.get(fold(contact.role or ""), len(CREDITED_ROLES))
            found.setdefault(rank, []).append(name)
    if not found:
        return []
    return unique_texts(found[min(found)])

"""The closed-world reading of one text about use.

A claim (free of charge, no credit needed) is made only where every clause of the text is understood: known words in a
known pattern with nothing left over. A duty to credit and a limit are read wherever their words stand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import FrozenSet, Iterator, List, Optional, Pattern, Sequence, Tuple

from ..text import single_line, unescaped
from .clauses import MAX_TEXT, Clause, parse_clause, split_clauses, unread
from .inspire_codes import code_of_text, denies_limits
from .lexicon import (
    LICENCE_WORD,
    LINE_WORD,
    URL_WORD,
    Lexicon,
    Span,
    alternatives,
    entries,
    is_whole,
    lexicons,
    split_heading,
)
from .licences import LicenceMention, licence_table, merge_mentions
from .model import Decision, Licence, Limit, LimitKind
from .prescribed_credit import (
    is_bare_name,
    is_denial,
    is_name,
    name_behind_comma,
    names_to_credit,
    owners_beside_source,
    prescribed_lines,
    prescribed_statements,
    proper_names,
)
from .text_cache import cached_by_text
from .verdict import Evidence, Kind, code_evidence, licence_evidence

#: words that leave the meaning of a clause as it is
_PLAIN = frozenset({"filler", "subject", "whole", "verb", "scope", "open", "liberty", "politeness", "licence"})
_CREDIT_WORDS = frozenset({"credit", "mark", "whom", "duty", "cond", "manner", "imper", "copy", "wish", "label",
                           "line"})
_CREDIT_HEADS = frozenset({"credit", "manner", "imper", "copy", "mark", "line"})
_RESTRICTIVE = frozenset({"free", "paid", "ban", "perm", "noncom", "personal", "internal", "evaluation", "education",
                          "only",
                          "licence", "register", "sharealike", "reserved", "noderiv", "bare"})
#: words by which a clause has to do with use or cost
_USE_WORDS = frozenset({"use", "free", "paid", "cost", "ban", "perm", "verb", "whole", "scope", "only", "group",
                        "noncom",
                        "personal", "internal", "evaluation", "education", "noderiv", "sharealike", "reserved", "duty",
                        "cond",
                        "without", "register", "commercial", "redistribute", "cache", "modify", "second"})
#: limits of what may be done with copies: the use itself can be free of charge all the same
_COPY_LIMITS = frozenset({LimitKind.NO_REDISTRIBUTION, LimitKind.NO_CACHING, LimitKind.NO_DERIVATIVES,
                          LimitKind.SHARE_ALIKE})
_COPY_LIMIT_WORDS = _PLAIN | {"ban", "neg", "redistribute", "cache", "modify", "sharealike", "noderiv", "duty"}
_CONTRARY = frozenset({"neg", "ban", "only", "second", "paid", "noncom", "purpose", "group", "risk"})
#: words that a mere duty to credit does not hold, whatever else stands in its clause
_BEYOND_CREDIT = (_RESTRICTIVE - {"licence"}) | {"neg", "group", "risk", "second", "purpose", "commercial", "except",
                                                 "bound", "unfit", "access-limited", "charge", "cost", "copy"}
#: words that may limit a grant: beside one of them each word of the clause has to be known
_LIMITING = frozenset({"neg", "ban", "only", "solely", "except", "paid", "group", "purpose", "perm", "noncom",
                       "noderiv", "personal", "internal", "evaluation", "education", "private", "register", "risk",
                       "second", "bound", "unfit", "access-limited", "charge", "reserved", "later", "past", "without",
                       "wish", "contact", "bare"})
#: words of a grant that limit nothing, whatever other classes they have
_HARMLESS_IN_GRANT = frozenset({"filler", "free", "scope", "open", "liberty", "verb", "manner"})
#: what stands before an adjective of the data
_DESCRIBED = frozenset({"filler", "subject"})
_BLANK = re.compile(r"(?<!\s)\s+|(?<=\()")
#: codes of MD_RestrictionCode that stand in a text of a service and say nothing
_NEUTRAL_CODES = frozenset({"otherrestrictions", "otherconstraints"})
#: a place that a server's template fills: its sign is no price
_TEMPLATE = re.compile(r"\$(?:\{[^{}\n]{1,60}\}|[A-Z_]{3,40}\b)")
_NUMBER_OF_LIST = re.compile(r"\d{1,2}[.)]")
_YEAR = re.compile(r"(?:19|20)\d\d")
#: the copyright sign in letters
_SIGN = re.compile(r"(?<!\S)\([cC]\)(?=\s{0,2}(?:[12]\d\d\d|[^\W\d_a-zà-ÿ]))")
#: words of a notice of rights
_MAX_NOTICE = 14
#: characters before the end of a line that tell its language
_MAX_AROUND = 300
_WISH_DISTANCE = 9
_DUTY_DISTANCE = 16
_NEGATION_DISTANCE = 3


@dataclass(frozen=True)
class ClauseReading:
    """Content of one clause. ``understood``: it consists of known words in a known pattern."""

    text: str
    understood: bool = False
    concerns_use: bool = False
    free: bool = False
    mentions_free: bool = False
    paid: bool = False
    mentions_paid: bool = False
    #: credit is a duty
    asks: bool = False
    exempts: bool = False
    wishes: bool = False
    limits: Tuple[LimitKind, ...] = ()
    licences: Tuple[LicenceMention, ...] = ()
    names: Tuple[str, ...] = ()
    known_words: int = 0
    #: consists of known words that state limits of what may be done with copies
    only_limits: bool = False
    #: holds a word that denies, forbids or restricts
    is_contrary: bool = False
    #: only denies of something what was said before: "the orthophotos are not"
    denies_rest: bool = False
    #: most of its words are known to its language
    familiar: bool = False
    #: speaks of credit, and neither asks for it nor exempts from it
    hints: bool = False
    #: holds an unknown word that is written as a name
    names_somebody: bool = False
    #: the name behind a licence that asks for credit: "CC BY 4.0 Instituto Geográfico"
    owner: str = ""
    #: its only limit is that it is unfit for navigation
    unfit: bool = False
    #: the entry of INSPIRE's code lists that the clause is
    code: Optional[Licence] = None


@dataclass(frozen=True)
class TextReading:
    """Content of a text: one or more items of evidence of each clause, and the lines to show, as written.

    ``cost_clauses`` are the clauses that speak of a price or of none. ``stated_limits`` include those of licences.
    """

    text: str
    evidence: Tuple[Evidence, ...] = ()
    prescribed: Tuple[str, ...] = ()
    cost_clauses: Tuple[str, ...] = ()
    is_cut: bool = False

    @property
    def cost_words(self) -> str:
        """The clauses about the cost, else the whole text."""
        return " ".join(self.cost_clauses) or self.text

    def has(self, *kinds: Kind) -> bool:
        """Return true where the text holds evidence of one of ``kinds``."""
        return any(item.kind in kinds for item in self.evidence)


def limits_of(evidence: Sequence[Evidence]) -> Tuple[Limit, ...]:
    """Return the limits that texts state and licences imply, each kind once, with the words of a text if possible."""
    found = {item.limit: Limit(item.limit, item.words) for item in reversed(evidence) if item.limit}
    for mention in (item.mention for item in evidence if item.mention):
        for kind in mention.licence.limits:
            text = found[kind].text if kind in found else mention.licence.name or mention.licence.title
            found[kind] = Limit(kind, text, True)
    order = {item.limit: None for item in evidence if item.limit}
    return tuple(found[kind] for kind in {**order, **dict.fromkeys(found)})


@cached_by_text(4096)
def read_text(text: str, fees: bool = False) -> TextReading:
    """Return the reading of a text. ``fees``: its field is about fees alone, where "none" says free."""
    is_cut = unread(text)
    text = text[:MAX_TEXT]
    text = unescaped(text) if "&" in text else text
    text = text if "(b)" in text else _SIGN.sub("©", text)
    plain, lines = _without_lines(_TEMPLATE.sub(" ", text))
    plain, formulas = licence_table().without_formulas(plain)
    clauses = [_read_clause(clause, fees) for clause in split_clauses(plain)]
    for number, (before, clause) in enumerate(zip(clauses, clauses[1:]), 1):
        if before.mentions_free and clause.denies_rest:
            clauses[number] = replace(clause, limits=tuple(dict.fromkeys((*clause.limits, LimitKind.PRICE))))
    words = [_restored(clause.text, lines, formulas) for clause in clauses]
    named = merge_mentions([*formulas, *(mention for clause in clauses for mention in clause.licences),
                            *(mention for line in lines for mention in licence_table().find_mentions(line))])
    found = [item for mention in named for item in licence_evidence(mention)]
    found += [item for clause, written in zip(clauses, words) for item in _clause_evidence(clause, written)]
    prescribed = prescribed_statements(text) or tuple(dict.fromkeys(
        name for clause in clauses for name in clause.names))
    prescribed += tuple(clause.owner for clause in clauses if clause.owner)
    if not any(clause.wishes for clause in clauses):
        found += [Evidence(Kind.LINE, line) for line in prescribed]
    if not prescribed and any(line.demanded and not is_denial(text[line.start:line.end])
                              for line in prescribed_lines(text)):
        found.append(Evidence(Kind.DUTY, single_line(text[:300])))
    if is_cut:
        found.append(Evidence(Kind.UNKNOWN, single_line(text[:300])))
    return TextReading(text, tuple(found), prescribed, tuple(
        written for clause, written in zip(clauses, words)
        if clause.mentions_free or clause.mentions_paid or LimitKind.PRICE in clause.limits), is_cut)


def _clause_evidence(clause: ClauseReading, words: str) -> Iterator[Evidence]:
    """Yield what a clause says beside the licences that it names."""
    for kind in clause.limits:
        found = Kind.UNFIT if clause.unfit else Kind.COPY_LIMIT if kind in _COPY_LIMITS else Kind.LIMIT
        yield Evidence(found, words, limit=kind)
    says = ((Kind.DUTY, clause.asks), (Kind.EXEMPTION, clause.exempts), (Kind.WISH, clause.wishes or clause.hints),
            (Kind.FREE, clause.free), (Kind.PRICE, clause.paid),
            (Kind.FREE_FOR_SOME, clause.mentions_free and not clause.free))
    said = [kind for kind, is_said in says if is_said]
    yield from (Evidence(kind, words) for kind in said)
    if clause.code:
        yield code_evidence(clause.code, words)
    elif clause.understood or clause.only_limits or not clause.concerns_use and clause.familiar:
        if not said and not clause.limits:
            names = not clause.understood and (clause.names_somebody or any(proper_names(clause.text)))
            yield Evidence(Kind.WISH if names else Kind.IRRELEVANT, words)
    elif not clause.paid and _COPY_LIMITS.issuperset(clause.limits):
        is_name_alone = not said and not clause.licences and is_bare_name(clause.text)
        yield Evidence(Kind.NAME if is_name_alone else Kind.UNKNOWN, words)


def _without_lines(text: str) -> Tuple[str, List[str]]:
    """Return a text with LINE_WORD in place of the credit lines in it, and those lines.

    A line that is not quoted and holds words of a restriction stays.
    """
    parts: List[str] = []
    lines: List[str] = []
    position = 0
    for line in prescribed_lines(text):
        content = text[line.start:line.end]
        if line.start < position or not (line.quoted or is_name(content, text[:line.end][-_MAX_AROUND:])):
            continue
        parts += [text[position:line.start], f" {LINE_WORD} "]
        lines.append(content)
        position = line.end
    return "".join(parts) + text[position:], lines


def _restored(clause: str, lines: Sequence[str], formulas: Sequence[LicenceMention]) -> str:
    """Return a clause with the credit lines and the names of licences back in their places."""
    for mention in formulas:
        clause = clause.replace(LICENCE_WORD, mention.licence.name or mention.licence.title)
    for line in lines if LINE_WORD in clause else ():
        clause = clause.replace(LINE_WORD, line, 1)
    return single_line(clause)


@cached_by_text(8192)
def _read_clause(text: str, fees: bool) -> ClauseReading:
    heading, rest = split_heading(text)
    if heading:
        found = _read_clause(rest, fees or heading == "heading-fees")
        return replace(found, text=text) if found.understood or not code_of_text(text) else ClauseReading(
            text, understood=True, code=code_of_text(text))
    code = code_of_text(text)
    mentions, folded = licence_table().find_in_clause(text)
    if code or not mentions and denies_limits(text) or text.strip(" .,;").lower() in _NEUTRAL_CODES:
        return ClauseReading(text, understood=True, code=code)
    clause = parse_clause(text, folded)
    owner = _owner_behind(text, clause) if mentions else ""
    if owner:
        named = _read_clause(text[:text.rindex(owner)], fees)
        asks = any(mention.licence.requires_credit is Decision.YES for mention in mentions)
        return replace(named, text=text, owner=owner if asks else "", hints=named.hints or not asks)
    name = next(name_behind_comma(text), "")
    if name:
        named = _read_clause(text[:text.rindex(name)].rstrip(" ,"), fees)
        if named.asks and named.understood:
            return replace(named, text=text, names=(name,))
    if not clause.words or not fees and _NUMBER_OF_LIST.fullmatch(text):
        return ClauseReading(text, understood=True)
    readings = [_read_in(clause, lexicon, fees, mentions) for lexicon in lexicons().candidates(clause.words)]
    known = max(reading.known_words for reading in readings)
    readings = [reading for reading in readings if reading.known_words * 10 >= known * 9]
    # the same words may deny in another language that knows as many of them
    doubtful = any(reading.is_contrary and not reading.understood for reading in readings
                   if reading.known_words == known)
    best = next((reading for reading in readings if reading.understood and not doubtful), readings[0])
    if doubtful and best.understood:
        best = next(reading for reading in readings if not reading.understood)
    # "no" is no negation in a language that knows fewer of the words
    asks = any(reading.asks for reading in readings if not (best.exempts and reading.known_words < best.known_words))
    limits = tuple(dict.fromkeys([*best.limits, *(kind for reading in readings if reading.known_words == known
                                                  for kind in reading.limits)]))
    return replace(
        best, text=text, concerns_use=any(reading.concerns_use for reading in readings),
        mentions_free=any(reading.mentions_free for reading in readings),
        mentions_paid=any(reading.mentions_paid for reading in readings), asks=asks,
        exempts=best.exempts and not asks, wishes=any(reading.wishes for reading in readings), limits=limits,
        unfit=best.unfit and limits == best.limits)


def _owner_behind(text: str, clause: Clause) -> str:
    """Return the name that stands behind the licence at the end of a clause, as written, or an empty text."""
    if len(text) > 300 or LICENCE_WORD not in clause.words or clause.words[-1] == LICENCE_WORD:
        return ""
    count = clause.words[::-1].index(LICENCE_WORD)
    words = clause.words[-count:]
    for start in (match.end() for match in reversed(list(_BLANK.finditer(text)))):
        name = text[start:].strip(" ,;:–-.")
        name = name if name.count("(") == name.count(")") else name.strip("()")
        found = parse_clause(name).words
        if len(found) > count:
            return ""
        if len(found) == count:
            is_site = words == (URL_WORD,) and "/" not in name and "@" not in name
            bare, words = name.lstrip("© "), words[1:] if words[0] == "©" else words
            if len(bare) == 2 and bare.isupper():
                return ""  # the country that the licence was adapted to: "CC BY 2.1 JP"
            return name if is_site or found[-len(words):] == words and bare[:1].isupper() and is_name(
                bare) and _names_an_office(lexicons().candidates(words)[0].spans(words)) else ""
    return ""


def _names_an_office(spans: Sequence[Span]) -> bool:
    """Return true where no word says more than who: "for" stands only between words of a name ("Amt für Karten")."""
    return all(span.classes <= {"filler", "group", "subject"} or span.has("purpose") and 0 < index < len(spans) - 1
               and not spans[index - 1].classes and spans[index + 1].classes <= {"subject"}
               for index, span in enumerate(spans))


def _read_in(clause: Clause, lexicon: Lexicon, fees: bool, mentions: Sequence[LicenceMention]) -> ClauseReading:
    """Return the reading of a clause with the words of one language."""
    spans = lexicon.spans(clause.words)
    classes = frozenset().union(*(span.classes for span in spans))
    is_open_set = lexicon.language in entries("capital-nouns")
    second = "second" in classes
    wishes = _is_wish(spans)
    asks = not wishes and _asks_for_credit(clause, spans)
    limits = _clause_limits(clause, spans, classes, fees)
    harmless = "harmless" in classes and classes.isdisjoint(_RESTRICTIVE) and not (
        "group" in classes and classes & {"verb", "scope"})
    if "contact" in classes and not harmless:
        harmless = classes.isdisjoint(_RESTRICTIVE | _USE_WORDS | {"use", "risk", "second"})
    exempts = _is_exemption(spans, classes) and _is_one_negation(clause, spans)
    grants = not clause.is_question and lexicon.is_rich and _is_grant(clause, spans, asks, is_open_set)
    known_use = grants or not clause.is_question and _is_known(clause, spans, classes, is_open_set)
    if known_use:  # every word leaves the meaning as it is, so none names a group
        limits = tuple(kind for kind in limits if kind is not LimitKind.GROUP)
    notice = _is_notice(clause, spans)
    bare = (fees or "cost" in classes) and _is_bare(spans)
    is_readable = not limits and not second and not clause.is_cut
    only_credit = classes.isdisjoint(_BEYOND_CREDIT) and (
        asks and _is_familiar(clause, spans, is_open_set) or "line" in classes and all(span.classes for span in spans))
    hints = not asks and not exempts and (not classes.isdisjoint(_CREDIT_HEADS - {"copy", "line", "mark"})
                                          or not harmless and _speaks_of_owner(spans, classes))
    understood = is_readable and (known_use or exempts or harmless or notice or bare or only_credit)
    denied = _is_free_denied(spans)
    mentions_free = not denied and ("free" in classes or bare or any(span.has("bare") and span.has("open")
                                                                     for span in spans))
    mentions_paid = "paid" in classes or denied
    paid = mentions_paid and not mentions_free and not harmless and _is_price(spans, classes)
    only_limits = bool(limits) and not second and _COPY_LIMITS.issuperset(limits) and all(
        span.classes & _COPY_LIMIT_WORDS for span in spans)
    concerns = bool(mentions or classes & _USE_WORDS or any(map(_names_limits, clause.words))
                    or classes >= {"neg", "purpose"} or not _is_language_known(clause, spans))
    # free use on the sole condition that the source is named
    is_open_with_credit = asks and _is_use_free(spans) and all(
        span.has("whom") or span.classes.isdisjoint(_BEYOND_CREDIT - {"bare", "free"}) for span in spans)
    says_free = bare or "free" in classes and (known_use or exempts) or known_use and is_open_with_credit
    return ClauseReading(
        clause.text, understood, concerns_use=concerns and not harmless, free=understood and says_free,
        mentions_free=mentions_free, paid=paid, mentions_paid=mentions_paid, asks=asks,
        exempts=exempts and not clause.is_question, wishes=wishes, limits=limits,
        licences=() if second or "later" in classes or _is_licence_denied(spans) else tuple(mentions),
        names=_names(clause.text) if asks and not classes & {"line", "copy"} else (),
        known_words=sum((10 if span.exact else 9) * (span.end - span.start) for span in spans if span.classes),
        only_limits=only_limits, is_contrary=not classes.isdisjoint(_CONTRARY),
        denies_rest=_ends_denied(spans) and classes.isdisjoint(_USE_WORDS - {"verb"}),
        unfit=limits == (LimitKind.OTHER,) and "fitness" in classes and classes.isdisjoint(
            _RESTRICTIVE - {"ban"} | {"group", "commercial", "private", "redistribute", "cache", "modify"}),
        owner=clause.text.rstrip(" .") if notice and clause.words[:1] == ("copyright",) and set(
            clause.words[1:2]) & clause.names else "", familiar=_is_familiar(clause, spans, is_open_set), hints=hints,
        names_somebody=not is_open_set and any(
            not span.classes and span.start and clause.words[span.start] in clause.names for span in spans))


def _is_grant(clause: Clause, spans: Sequence[Span], asks: bool, german: bool) -> bool:
    """Return true where a clause names a licence or says that use is free, and holds nothing that may limit it."""
    licences = [index for index, span in enumerate(spans) if span.has("licence")]
    if not licences and not any(span.has("free", "liberty") for span in spans):
        return False
    if not any(span.has("subject", "whole", "verb", "scope") for span in spans):
        return False
    names = clause.acronyms if german else clause.names
    return _is_familiar(clause, spans, german) and all(
        _limits_nothing(clause, spans, index, licences, asks) if span.classes else
        _is_neutral(clause, spans, index, licences, names) for index, span in enumerate(spans))


def _is_neutral(clause: Clause, spans: Sequence[Span], index: int, licences: Sequence[int],
                names: FrozenSet[str]) -> bool:
    """Return true where a word of a grant that is not known cannot say for whom it is.

    It may be any before a licence, or describe the data. Elsewhere it has to be a name, and beside mere "free of
    charge" one that stands before it or behind words about credit.
    """
    word, rest = clause.words[spans[index].start], spans[index + 1:]
    if licences and index < licences[0]:
        return True
    described = next((other for other in rest if other.classes), spans[index])
    if index and spans[index - 1].classes <= _DESCRIBED and described.has("subject"):
        return True
    if not (index and word in names or word == URL_WORD or licences and word[0].isdigit()):
        return False
    return bool(licences) or any(other.has("free", "liberty") for other in rest) or any(
        other.has("cond", "manner", "credit", "imper") for other in spans[:index])


def _limits_nothing(clause: Clause, spans: Sequence[Span], index: int, licences: Sequence[int], asks: bool) -> bool:
    """Return true where a known word of a grant takes nothing away, be it that it asks for credit."""
    span = spans[index]
    if not (span.has("duty", "cond") or span.classes & _LIMITING):
        return True
    if asks and span.has("duty", "cond", "contrast"):
        return True
    if not span.has("group") and (span.classes & _HARMLESS_IN_GRANT or licences and span.has("beside-licence")):
        return True
    if span.has("purpose") and _is_for_use(spans[index + 1:]) or span.has("perm") and index + 1 in licences:
        return True
    return bool(licences) and span.has("frame", "purpose") and _is_of_licence(clause, spans, index)


def _is_for_use(rest: Sequence[Span]) -> bool:
    """Return true where "use" follows but for articles and "free": "for the use of the data", "for free use"."""
    following = next((span for span in rest if not span.has("filler", "liberty")), None)
    return following is not None and following.has("whole")


def _is_use_free(spans: Sequence[Span]) -> bool:
    """Return true where the use is said to be free: "free use", "the use of the data is free"."""
    whole = False
    for one, two in zip(spans, [*spans[1:], None]):
        if one.has("liberty") and (whole or two is not None and two.has("whole")):
            return True
        whole = one.has("whole") or whole and one.has("filler", "subject")
    return False


def _is_free_denied(spans: Sequence[Span]) -> bool:
    """Return true where "free of charge" is denied: a negation stands directly before it."""
    return any(span.has("free") and any(other.has("neg") and not other.has("free")
                                        for other in spans[max(0, index - 2):index])
               for index, span in enumerate(spans))


@lru_cache(maxsize=1)
def _names(text: str) -> Tuple[str, ...]:
    """Return the names of several words that the words about credit name, else that of one word beside "source".

    The clause is read in several languages, and has the same names in each.
    """
    return tuple(names_to_credit(text)) or tuple(owners_beside_source(text)) or tuple(name_behind_comma(text))


def _is_licence_denied(spans: Sequence[Span]) -> bool:
    """Return true where a negation stands shortly before the licence."""
    places = [index for index, span in enumerate(spans) if span.has("licence")]
    return any(span.has("neg", "ban") for index in places for span in spans[max(0, index - 6):index])


def _is_bare(spans: Sequence[Span]) -> bool:
    """Return true for a mere "none", "fees: none" or "free service"."""
    bare = [span for span in spans if span.has("bare")]
    allowed = ("cost", "filler") if len(bare) == 1 and bare[0].has("neg") else ("cost", "filler", "subject", "whole")
    return len(bare) == 1 and all(span is bare[0] or span.has(*allowed) for span in spans)


def _is_known(clause: Clause, spans: Sequence[Span], classes: FrozenSet[str], german: bool) -> bool:
    """Return true where a clause consists of words that say who may do what, what it costs, and whom to credit."""
    credits = not classes.isdisjoint(_CREDIT_HEADS)
    seen_credit = after_sign = after_name = False
    names = clause.acronyms if german else clause.names
    for index, span in enumerate(spans):
        after_sign = span.has("copy") or after_sign and not span.classes
        if span.has("credit", "manner", "imper", "mark", "copy"):
            seen_credit = True
        if span.classes & _PLAIN or span.has("free") or credits and span.classes & _CREDIT_WORDS:
            continue
        if span.has("perm") and any(other.has("licence") for other in spans[index + 1:index + 2]):
            continue  # "with licence CC BY 4.0"
        if "licence" in classes and (span.has("beside-licence") or span.has("frame", "purpose") and _is_of_licence(
                clause, spans, index)):
            continue
        if "without" in span.classes and "ban" not in classes and "neg" not in classes:
            continue
        word = clause.words[span.start]
        is_number = word[0].isdigit() and (seen_credit or after_name or bool(_YEAR.fullmatch(word)))
        after_name = word in names or after_sign and word in clause.names
        if (seen_credit or "licence" in classes) and not span.classes and (after_name or word == URL_WORD or is_number):
            continue
        return False
    return True


def _is_of_licence(clause: Clause, spans: Sequence[Span], index: int) -> bool:
    """Return true for words around a licence: "is subject to the terms of CC BY 4.0".

    Terms that neither the licence nor the word for it stands beside are others: "CC BY 4.0 and the publisher's terms".
    """
    if spans[index].has("purpose"):  # "for the reuse of the data"
        return next((span.has("whole", "frame") for span in spans[index + 1:] if not span.has("filler")), False)
    is_terms = spans[index].has("risk") or bool(_terms_word().fullmatch(clause.words[spans[index].start]))
    return not is_terms or any(span.has("licence") for span in spans[index + 1:]) or (
        index > 0 and spans[index - 1].has("licence", "beside-licence"))


@lru_cache(maxsize=8192)
def _names_limits(word: str) -> bool:
    return bool(_limits_word().fullmatch(word))


@lru_cache(maxsize=1)
def _limits_word() -> Pattern[str]:
    """Return the pattern of words for limits of use and conditions in all languages."""
    return re.compile(f"{alternatives('code-condition')}|{alternatives('code-limit')}")


@lru_cache(maxsize=1)
def _terms_word() -> Pattern[str]:
    """Return the pattern of words for terms and conditions in all languages."""
    return re.compile(alternatives("code-condition"))


def _is_notice(clause: Clause, spans: Sequence[Span]) -> bool:
    """Return true for a copyright notice: its sign, names and years."""
    classes = frozenset().union(*(span.classes for span in spans))
    head, line, rest = clause.text.partition(LINE_WORD)
    if line and not rest.strip(" .,;)") and is_whole(head, "label"):
        return True
    if spans[0].has("copy") and len(clause.words) <= _MAX_NOTICE and is_name(clause.text):
        return True
    if not spans[0].has("copy") and ("line" not in classes or classes & {"neg", "ban"}):
        return False
    return all(span.classes & {"copy", "filler", "whom", "licence", "line", "credit", "label", "mark", "subject"}
               or clause.words[span.start][0].isdigit()
               or not span.classes and clause.words[span.start] in clause.names for span in spans)


def _is_exemption(spans: Sequence[Span], classes: FrozenSet[str]) -> bool:
    """Return true where the whole clause says that no credit is needed."""
    allowed = _PLAIN | {"credit", "whom", "mark", "duty", "neg", "free", "without", "manner", "cond", "imper"}
    if any(not span.classes & allowed for span in spans) or "ban" in classes or "second" in classes:
        return False
    negations = [index for index, span in enumerate(spans) if span.has("neg") and not span.classes & _PLAIN
                 and not span.has("without")]
    if "without" in classes:
        return all(_is_negated(spans, index) for index, span in enumerate(spans) if span.has("duty")) and (
            not negations or "duty" in classes)
    if not classes & {"credit", "manner", "imper"} and not ("mark" in classes and "whom" in classes):
        return False
    if not negations or len(negations) > 3:
        return False
    index = negations[-1]
    after = next((span for span in spans[index + 1:] if not span.has("filler", "whom", "subject")), None)
    return after is not None and after.has("credit", "duty", "manner", "mark", "imper") and (
        "duty" in classes or after.has("credit", "manner", "imper"))


def _is_one_negation(clause: Clause, spans: Sequence[Span]) -> bool:
    """Return true where a clause is denied once. "Ne … pas" and "no … ninguna" are one negation."""
    words = [clause.words[span.start] for span in spans if span.has("neg") and not span.has("without")
             and not span.classes & _PLAIN]
    return len(words) <= 1 or len([word for word in words if word not in entries("double-negation")]) <= 1


def _is_wish(spans: Sequence[Span]) -> bool:
    wishes = [span.start for span in spans if span.has("wish")]
    credits = [span.start for span in spans if span.has("credit", "mark", "manner", "imper")]
    return any(abs(wish - credit) <= _WISH_DISTANCE for wish in wishes for credit in credits[:20])


def _speaks_of_owner(spans: Sequence[Span], classes: FrozenSet[str]) -> bool:
    """Return true where a clause is about rights, owner or source, or says that something has to be shown."""
    first = next((span for span in spans if not span.has("filler")), spans[0])
    # what is denied is known: "no copyright", but not "do not remove the copyright notice"
    return first.has("mark") or classes >= {"mark", "duty"} or not classes.isdisjoint({"copy", "whom"}) and (
        classes.isdisjoint({"neg", "without"}) or not all(span.classes for span in spans))


def _asks_for_credit(clause: Clause, spans: Sequence[Span]) -> bool:
    """Return true where a clause makes credit a duty."""
    classes = frozenset().union(*(span.classes for span in spans))
    if "without" in classes:
        return "ban" in classes or "neg" in classes and not classes.isdisjoint({"verb", "use", "whole"})
    whom = [span.start for span in spans if span.has("whom")]
    for index, span in enumerate(spans):
        if span.has("manner") and not _is_negated(spans, index):
            return True
        if span.has("imper") and "neg" not in classes and (
                any(place != span.start for place in whom) or _names_follow(clause, span)) and all(
                    other.has("filler", "politeness", "whom", "subject", "licence") for other in spans[:index]):
            return True
        strong = span.has("credit", "imper") or "line" in classes and span.has("mark")
        if not strong and not (span.has("mark") and any(abs(span.start - place) <= 8 for place in whom)):
            continue
        if _is_negated(spans, index):
            continue
        for other in range(max(0, index - _DUTY_DISTANCE), min(len(spans), index + _DUTY_DISTANCE)):
            duty = spans[other]
            first, last = min(index, other), max(index, other)
            if duty.has("ban") or _is_negated(spans, other) or _banned_between(spans, first, last):
                continue
            if duty.has("cond") and other < index:
                return True
            if duty.has("duty") and not any(near.has("only") and not (near.start and near.has("contrast"))
                                            for near in spans[max(0, first - 3):last + 4]):
                return True
    return False


def _names_follow(clause: Clause, span: Span) -> bool:
    return any(word in clause.names for word in clause.words[span.end:span.end + 6])


def _is_negated(spans: Sequence[Span], index: int) -> bool:
    """Return true where a negation stands shortly before a phrase."""
    for span in reversed(spans[max(0, index - _NEGATION_DISTANCE):index]):
        if span.has("neg", "ban"):
            return True
        if not span.classes or span.has("scope", "free", "open"):
            return False
    return False


def _is_denied(spans: Sequence[Span], index: int) -> bool:
    """Return true where a negation stands shortly before a phrase or directly behind it."""
    return _is_negated(spans, index) or index + 1 < len(spans) and spans[index + 1].has("neg")


def _banned_between(spans: Sequence[Span], start: int, end: int) -> bool:
    return end - start > 1 and any(span.has("neg", "ban") for span in spans[start + 1:end])


def _is_price(spans: Sequence[Span], classes: FrozenSet[str]) -> bool:
    """Return true where a price is meant for all: not denied, for no group, deed or condition alone."""
    if classes & {"commercial", "group", "only", "cond", "second", "noncom", "refer", "past"} or _denies_each(spans):
        return False
    return not any(_is_denied(spans, index) for index, span in enumerate(spans) if span.has("paid"))


def _clause_limits(clause: Clause, spans: Sequence[Span], classes: FrozenSet[str], fees: bool) -> Tuple[LimitKind, ...]:
    """Return the limits that the words of a clause state."""
    found: List[LimitKind] = []
    denied = bool(classes & {"ban", "unfit"}) or _is_deed_denied(spans)
    permission = _permission_required(spans, fees)
    forbidden = denied and "without" not in classes
    if "noncom" in classes or "commercial" in classes and (
            forbidden or permission or "except" in classes and "free" not in classes):
        found.append(LimitKind.NON_COMMERCIAL)
    if "commercial" not in classes or forbidden:
        for name, kind in (("personal", LimitKind.PERSONAL_USE), ("internal", LimitKind.INTERNAL_USE),
                           ("evaluation", LimitKind.EVALUATION), ("education", LimitKind.OTHER)):
            if name in classes:
                found.append(kind)
    if "private" in classes and "noncom" in classes and LimitKind.PERSONAL_USE not in found:
        found.append(LimitKind.PERSONAL_USE)
    for name, kind in (("redistribute", LimitKind.NO_REDISTRIBUTION), ("cache", LimitKind.NO_CACHING),
                       ("modify", LimitKind.NO_DERIVATIVES)):
        if name in classes and forbidden and "sharealike" not in classes and (
                not permission or name == "redistribute" and "ban" in classes):
            found.append(kind)
    if "noderiv" in classes and LimitKind.NO_DERIVATIVES not in found and ("sharealike" not in classes or forbidden):
        found.append(LimitKind.NO_DERIVATIVES)
    # the rights that are reserved are given on request
    if permission or "reserved" in classes and not classes & {"line", "credit"}:
        found.append(LimitKind.PERMISSION_REQUIRED)
    if "sharealike" in classes:
        found.append(LimitKind.SHARE_ALIKE)
    bounded = "bound" in classes and "free" in classes  # "within the municipality" names a place
    named_for = {"free", "only", "paid", "access-limited"} | ({"bare"} if fees else set())
    if _names_group(spans) and classes & named_for and not bounded and not set(found) - {LimitKind.PERSONAL_USE}:
        found.append(LimitKind.GROUP)
    if _is_free_denied(spans) or _is_priced(spans, classes):
        found.append(LimitKind.PRICE)
    if _is_other_limit(clause, spans, classes, fees) and not found:
        found.append(LimitKind.OTHER)
    if _is_registration_required(spans, classes) and LimitKind.OTHER not in found:
        found.append(LimitKind.OTHER)
    return tuple(found)


def _is_deed_denied(spans: Sequence[Span]) -> bool:
    """Return true where a negation stands shortly before what is done, or after it at the end ("caching is not")."""
    if any(span.has("neg") and any(other.has("verb", "whole", "commercial", "redistribute", "cache", "modify")
                                   for other in spans[index + 1:index + 5]) for index, span in enumerate(spans)):
        return True
    return _ends_denied(spans) and any(span.has("redistribute", "cache", "modify") for span in spans[:-1])


def _ends_denied(spans: Sequence[Span]) -> bool:
    """Return true where a clause of several words ends in a negation: what was said of one is denied of another."""
    last = [span for span in spans if not span.has("filler", "verb") or span.has("neg")][-1:]
    return len(spans) > 1 and bool(last) and last[0].has("neg") and not last[0].has("free") and not (
        last[0].has("bare") and any(span.has("cost") for span in spans))


def _denies_each(spans: Sequence[Span]) -> bool:
    """Return true where two negations deny each of two things: "neither … nor"."""
    return spans[0].has("neg") and len([span for span in spans if span.has("neg")]) > 1


def _names_group(spans: Sequence[Span]) -> bool:
    """Return true where people or organisations are named, not a purpose."""
    noncommercial = any(span.has("noncom") for span in spans)
    return any(span.has("group") and not span.has("personal", "internal", "evaluation", "education", "noncom")
               and not (span.has("private") and noncommercial) for span in spans)


def _is_priced(spans: Sequence[Span], classes: FrozenSet[str]) -> bool:
    """Return true where something has a price for somebody, or is left out of what is free of charge."""
    if "harmless" in classes or "past" in classes:
        return False
    if _denies_each(spans):
        return False
    # where a sale is forbidden or allowed, it is the reader's own
    sale_is_deed = not classes.isdisjoint({"ban", "verb"})
    paid = [index for index, span in enumerate(spans) if span.has("paid") and not span.has("free")
            and not (sale_is_deed and span.has("commercial"))]
    if not all(_is_denied(spans, index) for index in paid):
        return "refer" not in classes or "free" in classes
    if "free" in classes or "cost" in classes and "neg" in classes:
        excepted = "except" in classes and not _names_group(spans)
        return excepted or "free" in classes and _ends_denied(spans)
    return "charge" in classes and "cost" in classes and "neg" not in classes


def _is_registration_required(spans: Sequence[Span], classes: FrozenSet[str]) -> bool:
    """Return true where an account or a password is asked for."""
    if "register" not in classes or "neg" in classes:
        return False
    free = next((index for index, span in enumerate(spans) if span.has("free")), len(spans))
    after_free = any(span.has("register") for span in spans[free + 1:])
    return bool(after_free or classes & {"duty", "cond", "only", "after", "perm"})


def _is_other_limit(clause: Clause, spans: Sequence[Span], classes: FrozenSet[str], fees: bool) -> bool:
    """Return true where something is forbidden, unsuitable or bounded that has no name among the limits."""
    if "access-limited" in classes or _cites_access_limits(clause, classes):
        return True
    if clause.is_question:
        return False
    if "unfit" in classes:
        return True
    if classes & {"free", "open"} and "bound" in classes or "free" in classes or any(
            span.has("bare") and span.has("open") for span in spans):
        return "bound" in classes and "past" not in classes
    if fees or classes & {"harmless", "cost", "bare", "without", "wish", "paid"}:
        return False
    if classes & {"perm", "register", "second"}:
        return False
    for index, span in enumerate(spans):
        if span.has("ban", "solely") and not _credits_near(spans, index):
            return True
        if span.has("neg") and any(other.has("verb", "whole", "use") or other.has("purpose")
                                   for other in spans[index + 1:index + 4]):
            near = spans[index + 1:index + 6]
            if any(other.has("purpose") for other in near) and not _credits_near(spans, index):
                return True
    return False


def _credits_near(spans: Sequence[Span], index: int) -> bool:
    return any(span.has("credit", "manner", "imper", "mark", "duty", "whom") for span in spans[index + 1:index + 6])


def _cites_access_limits(clause: Clause, classes: FrozenSet[str]) -> bool:
    """Return true where public access is limited by article 13(1) of the INSPIRE directive (2007/2/EC)."""
    return {"13", "1", "inspire"} <= set(clause.words) and not classes & {"neg", "scope"}


def _permission_required(spans: Sequence[Span], fees: bool) -> bool:
    """Return true where a permission is named and not said to be needless.

    The name of a licence does not count, nor does a price on request.
    """
    banned = any(span.has("ban") for span in spans)
    if fees and all(span.has("cost", "filler", "subject") or span.has("perm") and not span.has("use", "verb", "duty")
                    for span in spans):
        return False
    for index, span in enumerate(spans):
        # the word "licence" beside the name of one, which is a permission in some languages
        before = index - 3 if span.has("beside-licence") else index
        beside = [*spans[max(0, before):index], *spans[index + 1:index + 3]]
        is_named = any(other.has("licence") for other in beside)
        if span.has("perm") and not is_named:
            near = [*spans[max(0, index - 3):index], *spans[index + 1:index + 3]]
            if banned or not any(other.has("neg", "without") for other in near):
                return True
    return False


def _is_familiar(clause: Clause, spans: Sequence[Span], german: bool) -> bool:
    """Return true where a third of the words of a clause are known, so that its language and its matter are.

    Articles alone tell the language and not the matter, unless a name stands beside them.
    """
    known = sum(span.end - span.start for span in spans if span.classes - {"beside-licence", "frame"})
    tells = any(span.classes - {"beside-licence", "frame", "filler"} for span in spans) or not german and any(
        word in clause.names for word in clause.words[1:])
    return len(clause.words) > 2 and known * 3 >= len(clause.words) and tells


def _is_language_known(clause: Clause, spans: Sequence[Span]) -> bool:
    """Return false for several words of which none is known: another language may say anything."""
    plain = [word for word in clause.words if word.isalpha() and word not in clause.names]
    return len(plain) < 2 or any(span.classes - {"subject", "frame"} for span in spans)

"""The names and statements that the terms themselves prescribe for a credit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import FrozenSet, Iterable, Iterator, List, Optional, Pattern, Tuple

from ..blanks import blank_words
from ..text import fold, single_line, unique_texts
from .lexicon import Span, alternatives, classes_in, entries, label_lexicon, lexicons, token_places, words_of
from .licences import licence_table
from .text_cache import cached_by_text

#: longer texts do not fit on a map, and longer lines that a label or a sign makes a credit
MAX_CREDIT_LENGTH, _MAX_LINE_LENGTH = 300, 600
_MAX_TEXT = 20_000
#: words and signs of a text that are read, more than prose of that length has
_MAX_TOKENS = 5_000
_MAX_STATEMENTS = 20
#: characters of a further creditor
_MAX_NAME = 100

_QUOTES = {"「": "」", "『": "』", "«": "»", "“": "”", "„": "“”\"", '"': '"', "‘": "’", "»": "«", "‹": "›", "”": "”"}
_OPENING = re.compile("[«“„\"‘»‹”「『]")
_SENTENCE_START = re.compile(r"[.!?;]\s|\n\s*\n")
#: the end of a line to show that is not quoted: the line, or a full stop before another sentence
_LINE_END = re.compile(r"\n|;\s|。|；|[.!?](?=\s+[^\W\d_a-zà-ÿ]|\s*\Z)|\s[|]\s"
                       r"|\s[-–—]\s(?:[^\W\d_]{2,10}\s)?(?=https?:)")
_NOTICE = re.compile(r"(?:©|\(c\)(?=\s*(?:19|20)\d\d))"
                     r"(?:[^\n;“”\"«»<>©|]|<[^<>\n]{1,40}>){3,800}", re.IGNORECASE)
#: a licence after the line is no part of it
_LICENCE_AFTER = re.compile(r"(?:,|\s[–-]|\()\s?"
                            r"(?:CC[ -]BY(?:-[A-Z]{2}){0,2}(?:[ -]\d\.\d)?|CC0(?: 1\.0)?|dl-de/\S{2,10})\)?[.\s]*\Z")
_CITATION = re.compile(r"\(\d{4}[a-z]?\)\Z")
#: a remark that the data were changed, in brackets at the end of a line
_CHANGED = re.compile(r"[\[(]([^\[\]()]{3,40})[\])]\s*\Z")
_RESTRICTIONS = ("only", "noncom", "personal", "internal", "evaluation", "education", "ban", "perm", "paid", "free",
                 "reserved", "cond", "register", "wish", "duty", "verb")
_MAX_LABEL_WORDS = 9
#: words in small letters behind a name
_VERB_BEHIND = re.compile(r"(?<=[^\W_a-zà-ÿ.,;)]|[\w)])(?<![.,;:])(?:\s[a-zà-ÿ]+){2,4}\Z")
_MAX_QUOTATIONS = 60
_WITHOUT_CONTENT = re.compile(r"(?:\(c\))?[\W\d_]*(?:https?://\S*)?\W*\Z", re.IGNORECASE)
_COLON_ALONE = re.compile(r"[:：]\s*(?!//)(?:\n\s*)?")
#: classes of words that stand in no name
_NO_NAME = frozenset({"only", "solely", "noncom", "internal", "personal", "evaluation", "ban", "paid", "perm",
                      "reserved", "neg", "cond", "free", "register", "sharealike", "noderiv", "duty", "wish", "unfit"})
#: a legal form or a short name behind a colon: what is quoted after it is a part of the name ("ФГБУ «ВСЕГЕИ»")
_FORM_BEFORE_QUOTE = re.compile(r"[:：]\s*(?:[^\W\d_]+\s){0,2}[^\W\d_a-zà-ÿа-я]{2,6}\s*\Z")
_BLANKS = re.compile(r"\s")
_NAME_WORD = re.compile(r"[^\W_]+(?:[.-][^\W_]+)*")
_COLON = re.compile(r"\s*[:：=]\s*(?:\n\s*)?")
#: words between a label and its colon
_GAP = re.compile(r"[^\n:;.«“„\"‘»]{0,70}:\s*(?:\n\s*)?")
_NAME = re.compile(r"\s*[«“\"„]?([^\W_]+(?:[.'’/&-][^\W_]+)*\.?|[(),/&-])")
#: a short form in brackets behind the name that it stands for
_SHORT_FORM = re.compile(r"(?<=\w )\(([^\W\d_a-zà-ÿ]{2,8})\)")
_fold = lru_cache(maxsize=20_000)(fold)


def credited_roles(texts: Iterable[str]) -> Tuple[str, ...]:
    """Return the roles (CI_RoleCode) named by texts that make credit a duty: "owner", "author", both or none."""
    folded = fold(" ".join(text[:_MAX_TEXT] for text in texts))
    return tuple(role for role in ("owner", "author") if re.search(rf"\b(?:{alternatives(f'{role}-word')})\b", folded))


@lru_cache(maxsize=1)
def _rights() -> Pattern[str]:
    """Return the pattern of "all rights reserved"."""
    return re.compile(rf"\.?\s{{0,3}}(?:{alternatives('rights-reserved', False)})\.?", re.IGNORECASE)


@lru_cache(maxsize=1)
def _after_notice() -> Pattern[str]:
    """Return the pattern of what follows a notice of rights."""
    return re.compile(rf"(?<![\s,–-])[\s,–-]*(?:https?://|www\.|{alternatives('after-notice', False)}).*",
                      re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class PrescribedLine:
    """A line to show, by its position in the text. ``demanded``: its label says that it must be shown."""

    start: int
    end: int
    demanded: bool = False
    quoted: bool = False


@cached_by_text(2048)
def prescribed_lines(text: str) -> Tuple[PrescribedLine, ...]:
    """Return the positions of the lines that are introduced by a label or quoted in a sentence about credit."""
    return tuple(sorted(_after_labels(text[:_MAX_TEXT]), key=lambda line: line.start)[:_MAX_STATEMENTS])


@cached_by_text(2048)
def prescribed_statements(text: str) -> Tuple[str, ...]:
    """Return the statements that a constraint prescribes for the credit, as written.

    These are quoted text after a crediting word, the text
    after a label ("Source:", "Cite as:"), the name after "must be given to", or a copyright notice.
    """
    text = text[:_MAX_TEXT]
    lines = prescribed_lines(text)
    notices = [match for match in islice(_NOTICE.finditer(text), _MAX_STATEMENTS)
               if not any(line.start - 1 <= match.start() <= line.end for line in lines)]
    starts = [*(line.start for line in lines), len(text)]
    places = sorted([(line.start, line.end, False) for line in lines] + [
        (match.start(), min(_with_further_names(text, match.end()), min(
            start for start in starts if start > match.start())), True) for match in notices])
    return tuple(_usable_statements(
        _after_notice().sub("", _first_line(text[start:end])) if is_notice else text[start:end]
        for start, end, is_notice in places))


def _after_labels(text: str) -> Iterator[PrescribedLine]:
    """Yield each line that is introduced by a label, and each quotation in a sentence about credit."""
    tokens = list(islice(token_places(text), _MAX_TOKENS))
    words = [_fold(text[start:end]) for start, end in tokens]
    taken: List[Tuple[int, int]] = []
    for start, quoted in islice(_quotations(text), _MAX_QUOTATIONS):
        before, after = _sentence_around(text, start, start + len(quoted) + 2)
        if not _FORM_BEFORE_QUOTE.search(before) and _is_prescribing(before, after):
            yield PrescribedLine(start + 1, start + 1 + len(quoted), _is_demanding(before), True)
            taken.append((start, start + len(quoted) + 2))
    end = 0
    quotation = iter([*taken, (len(text) + 1, len(text) + 1)])
    ahead = next(quotation)
    for span in label_lexicon().spans(words):
        start = tokens[span.start][0]
        while ahead[1] <= start:
            end, ahead = max(end, ahead[1]), next(quotation)
        if not span.classes or start < end:
            continue
        after_label = tokens[span.end - 1][1]
        found = _content(text[:ahead[0]], start, after_label, span)
        if found is not None and not (text[found[1]:].lstrip().startswith(tuple(_QUOTES)) and classes_in(
                words_of(fold(text[found[0]:found[1]]))[-2:]) & {"credit", "imper", "manner"}):
            yield PrescribedLine(found[0], found[1], _is_demanding(text[max(0, start - 60):found[0]]))
            end = found[1]
            taken.append(found)
    for line in _after_colons(text):
        if not any(line.start < used_end and used_start < line.end for used_start, used_end in taken):
            yield line
            taken.append((line.start, line.end))


def _after_colons(text: str) -> Iterator[PrescribedLine]:
    """Yield each line after a colon whose words before it ask for a credit, in whatever order."""
    for match in islice(_COLON_ALONE.finditer(text), 40):
        kinds = classes_in(words_of(fold(_sentence_around(text, match.start(), match.start())[0]))[-_MAX_LABEL_WORDS:])
        if kinds & {"credit", "imper", "manner"} or kinds & {"mark", "whom"} and kinds & {"duty", "cond"}:
            start, end = _line_at(text, match.end())
            yield PrescribedLine(start, end, not kinds & {"wish", "neg", "risk", "group"})


def owners_beside_source(text: str) -> Iterator[str]:
    """Yield the names in a clause that makes credit a duty where their place shows that they are the owner's.

    These are the words that a short form in brackets stands for, before the words of the duty, else one word that is
    written as a name: directly behind a word for a source ("the source ACME", "la fuente (ACME)"), or before "as" and
    one ("ACME as the source").
    """
    words = list(_NAME_WORD.finditer(text))
    folded = [_fold(word.group()) for word in words]
    lexicon = lexicons().candidates(folded)[0]
    spans = lexicon.spans(folded)
    for short in _SHORT_FORM.finditer(text):
        before = [word for word in words if word.end() <= short.start()][-len(short.group(1)):]
        behind = [span for span in spans if words[span.start].start() >= short.end()][:1]
        if [word.group()[0].upper() for word in before] == list(short.group(1)) and any(
                span.has("duty", "credit", "mark", "manner") for span in behind):
            yield text[before[0].start():short.end()]
            return
    for index, span in enumerate(spans):
        if span.classes or not words[span.start].group()[0].isupper() or lexicon.language in entries("capital-nouns"):
            continue
        previous, *following = (spans[max(index - 1, 0)], *spans[index + 1:index + 3])
        is_named = previous.has("whom") and text[words[previous.end - 1].end():words[span.start].start()] in (" ", " (")
        is_number = bool(following) and words[following[0].start].group()[0].isdigit()
        is_as = len(following) == 2 and folded[following[0].start] in entries("as-word") and following[1].has("whom")
        if is_named and not is_number or is_as:
            yield words[span.start].group()


def names_to_credit(text: str) -> Iterator[str]:
    """Yield the proper names in a clause that makes credit a duty where words about credit stand directly beside them.

    Any other name is somebody's who made a standard, a law or a licence.
    """
    lexicon = lexicons().candidates(words_of(fold(text)))[0]
    for name in proper_names(text):
        before, _, after = text.partition(name)
        last, first = ([span for span in lexicon.spans(words) if not span.classes or span.classes - {"filler"}]
                       for words in (words_of(fold(before)), words_of(fold(after))))
        is_as = any(word in entries("as-word") for word in words_of(fold(after))[:1])
        if is_as or any(span.has("credit", "imper", "mark", "manner", "whom") for span in last[-1:]) or any(
                span.has("duty", "credit", "mark", "manner") for span in first[:1]):
            yield name


def proper_names(text: str) -> Iterator[str]:
    """Yield the names of at least two words in a clause, as written, without words about credit and use."""
    run: List[Tuple[int, int, bool]] = []
    words = [(match.group(), match.start(), match.end()) for match in _NAME_WORD.finditer(text)]
    folded = [_fold(word) for word, _, _ in words]
    known = {folded[position] for lexicon in lexicons().candidates(folded) for span in lexicon.spans(folded)
             if span.classes - {"group", "risk", "use", "second", "beside-licence"}
             for position in range(span.start, span.end)}
    for word, start, end in [*words, ("", 0, 0)]:
        is_name = bool(word) and word[0].isupper() and _fold(word) not in known
        is_link = bool(run) and bool(word) and (word.lower() in entries("name-link") or
                                                word[0].islower() and _fold(word) not in known and run[-1][2])
        gap = text[run[-1][1]:start] if run and word else ""
        if word and (is_name or is_link) and (not run or gap.strip() in ("", "'", "’", "-")):
            run.append((start, end, is_name))
            continue
        while run and not run[-1][2] and _fold(text[run[-1][0]:run[-1][1]]) in entries("name-link"):
            run.pop()
        if sum(item[2] for item in run) >= 2:
            yield text[run[0][0]:run[-1][1]]
        run = [(start, end, True)] if is_name else []


def _content(text: str, start: int, after: int, span: Span) -> Optional[Tuple[int, int]]:
    """Return the position of the line after a label, or None where the label introduces nothing."""
    plain = _COLON.match(text, after)
    gap = plain or _GAP.match(text, after)
    if plain is None and gap is not None and not _is_label_gap(text[after:gap.end()]):
        gap = None
    if gap and text[gap.end() - 1:gap.end() + 2] != "://":
        return _line_at(text, start if span.has("opening") else gap.end())
    name = _names_at(text, after) if span.has("intro", "opening") else None
    if name and _goes_on(text, name):
        return None
    # the words are a part of the line: "Contains … data © Crown copyright"
    return _line_at(text, start) if name and not span.has("intro") else name


def _goes_on(text: str, name: Tuple[int, int]) -> bool:
    """Return true where an unknown word in small letters follows one word of a name: "Sveriges geologiska"."""
    following = _NAME_WORD.match(text, name[1] + 1)
    return following is not None and not _BLANKS.search(text[name[0]:name[1]]) and (
        following.group()[0].islower() and not classes_in([_fold(following.group())]))


@lru_cache(maxsize=1024)
def _is_demanding(label: str) -> bool:
    """Return true where the words of a label are about crediting and make no mere wish."""
    ends = list(_SENTENCE_START.finditer(label))
    kinds = classes_in(words_of(fold(label[ends[-1].end():] if ends else label)))
    return bool(kinds & {"credit", "duty", "imper", "manner"}) and not kinds & {"wish", "neg", "risk", "group"}


def _is_label_gap(gap: str) -> bool:
    """Return true where the words between a label and the colon still belong to the label."""
    words = words_of(fold(gap))
    spans = lexicons().candidates(words)[0].spans(words) if words else []
    known = sum(1 for span in spans if span.classes)
    return known * 2 >= len(spans)


def _line_at(text: str, start: int) -> Tuple[int, int]:
    """Return the position of the line that begins at ``start``: a quotation, or the rest of the sentence."""
    if start < len(text) and text[start] in _QUOTES:
        closing = _closing(text, start)
        if closing is not None:
            return start + 1, closing
    stop = _in_brackets(text, start, _with_further_names(text, _end_of_line(text, start)))
    stop = _before_verb(text, start, _before_next_demand(text, start, stop))
    rights = _rights().match(text, stop)
    if rights:
        return start, rights.end()
    if _CITATION.search(text[max(start, stop - 10):stop]):
        return start, _end_of_citation(text, stop)
    licence = _LICENCE_AFTER.search(text, max(start, stop - 24), stop)
    return start, licence.start() if licence else stop


def _before_next_demand(text: str, start: int, stop: int) -> int:
    """Return the end of a line before a sentence that goes on: "DREAL Bretagne et indiquer la date"."""
    for found in islice(_and().finditer(text, start, stop), _MAX_STATEMENTS):
        words = words_of(fold(text[found.end():min(stop, found.end() + 60)]))[:3]
        spans = [span for lexicon in lexicons().candidates(words) for span in lexicon.spans(words)] if words else []
        if text[found.end():found.end() + 1].islower() and any(
                span.has("mark", "imper", "duty", "credit") and not span.has("filler") for span in spans):
            return found.start()
    return stop


def _before_verb(text: str, start: int, stop: int) -> int:
    """Return the end of a line before the verb that says what to do with it: "© Agency is shown", "ist anzugeben"."""
    verb = _VERB_BEHIND.search(text, max(start, stop - 50), stop)
    words = words_of(fold(verb.group())) if verb else []
    spans = lexicons().candidates(words)[0].spans(words)
    is_verb = all(span.has("filler", "duty", "mark", "credit", "imper") for span in spans) and any(
        span.has("mark", "credit", "imper") for span in spans)
    return verb.start() if verb and is_verb else stop


@lru_cache(maxsize=1)
def _and() -> Pattern[str]:
    """Return the pattern of "and" between two demands."""
    return re.compile(rf"\s(?:{alternatives('and-word', False)})\s")


def _with_further_names(text: str, stop: int) -> int:
    """Return the end of a line whose further creditors follow behind semicolons (two offices in one line)."""
    for _ in range(_MAX_STATEMENTS):
        if text[stop:stop + 1] == ".":
            end = _LINE_END.search(text, stop + 1)
            following = text[stop + 1:end.start() if end else len(text)]
            if not is_bare_name(following) or len(following) > _MAX_NAME:
                break
            stop += 1 + len(following.rstrip())
            continue
        if text[stop:stop + 1] != ";":
            break
        following = text[stop + 1:_end_of_line(text, stop + 1)]
        name = following.strip()
        if not name or len(name) > _MAX_NAME or not name[0].isupper() or ":" in name or not is_name(name) or (
                licence_table().find_in_clause(name)[0]):
            break
        stop += 1 + len(following.rstrip())
    return stop


@cached_by_text(2048)
def is_bare_name(text: str) -> bool:
    """Return true for names and years alone: an owner ("Land NRW / Geobasis NRW"), or a citation of a work.

    In a language that writes every noun with a capital, a word for an office or an abbreviation has to be among them.
    """
    text = text.strip(" .,;:\n")
    words = _NAME_WORD.findall(text)
    if not 1 < len(words) <= 25 or len(text) > MAX_CREDIT_LENGTH or text.isupper() or set(text) & set("?!%€$£\n"):
        return False
    if not all(word[0].isupper() or word[0].isdigit() or word in entries("name-link") for word in words):
        return False
    folded = words_of(fold(text))
    lexicons_read = lexicons().candidates(folded)
    read = [lexicon.spans(folded) for lexicon in lexicons_read]
    known = [{folded[span.start]: span.classes for span in spans
              if span.classes and folded[span.start] not in entries("name-link")} for spans in read]
    if any(classes & _NO_NAME for names in known for classes in names.values()) or any(
            span.has("purpose") and following.has("group") for spans in read
            for span, following in zip(spans, spans[1:])):
        return False
    plain = {"filler", "subject", "beside-licence", "group", "purpose", "second"}
    known = [names for names in known if all(classes & plain and not classes - plain - {"whom", "use"}
                                             for classes in names.values())]
    unknown = max(([word for word in folded if word.isalpha() and word not in names
                    and word not in entries("name-link")] for names in known), key=len, default=[])
    if len(unknown) < 2 and (not unknown or any("group" in classes for names in known for classes in names.values())):
        return False
    is_open_set = any(lexicon.language in entries("capital-nouns") for lexicon in lexicons_read)
    return not is_open_set or bool(_offices().search(text)) or any(word.isupper() and len(word) > 1 for word in words)


@lru_cache(maxsize=1)
def _offices() -> Pattern[str]:
    """Return the pattern of words for offices, in languages that write every noun with a capital."""
    return re.compile(rf"\b(?:{alternatives('office', False)})\b", re.IGNORECASE)


def name_behind_comma(text: str) -> Iterator[str]:
    """Yield the name behind the last comma of a clause about credit: "Naamsvermelding verplicht, Kadaster"."""
    name = text.rpartition(",")[2].strip(" .") if "," in text else ""
    words = _NAME_WORD.findall(name)
    if words and len(name) <= _MAX_NAME and all(
            word[0].isupper() or word in entries("name-link") for word in words) and not classes_in(
                words_of(fold(name))) - {"filler", "subject", "group"}:
        yield name


@cached_by_text(2048)
def is_name(content: str, label: str = "") -> bool:
    """Return true where no word of a line restricts the use.

    The languages are those of the ``label`` and its line that know the word before the line, else those of both. A
    line of another language counts where a third of its words are known.
    """
    remark = _CHANGED.search(content)
    if remark and classes_in(words_of(fold(remark[1]))) <= {"modify", "verb", "subject", "filler"}:
        content = content[:remark.start()]
    words = words_of(fold(content))
    languages = lexicons().candidates(words)
    around = lexicons().candidates(words_of(fold(label))) if label else languages
    last = words_of(fold(label[:-len(content)]))[-1:] if label.endswith(content) else []
    common = [lexicon for lexicon in around if last and lexicon.spans(last)[0].classes] or [
        lexicon for lexicon in languages if lexicon in around]
    is_known = any(len(words) <= 3 * sum(bool(span.classes) for span in lexicon.spans(words)) for lexicon in languages)
    languages = common or (languages if is_known else around)
    return not any(span.has(*_RESTRICTIONS) for lexicon in languages for span in lexicon.spans(words))


def _end_of_citation(text: str, stop: int) -> int:
    """Return the end of a citation whose title and publisher follow as further sentences."""
    for _ in range(4):
        following = _LINE_END.search(text, stop + 1)
        end = following.start() if following else len(text)
        words = words_of(fold(text[stop:end]))
        if not words or len(words) > 20 or classes_in(words) & {"duty", "verb", "free", "cond", "ban", "neg", "wish",
                                                                "harmless", "paid", "credit"}:
            break
        stop = end
        if not following or text[end] == "\n":
            break
    return stop


def _in_brackets(text: str, start: int, stop: int) -> int:
    """Return the end of a line before the bracket that closes what began before it: "free use (source: IGN)"."""
    depth = 0
    for position in range(start, stop):
        depth += (text[position] == "(") - (text[position] == ")")
        if depth < 0:
            return position
    return stop


def _end_of_line(text: str, start: int, through: str = "") -> int:
    """Return the end of the line at ``start``: no abbreviation ends it, nor do the signs of ``through``."""
    return next((end.start() for end in _LINE_END.finditer(text, start) if not (
        text[end.start()] in through or _is_abbreviation(text, start, end.start()))), len(text))


def _is_abbreviation(text: str, start: int, dot: int) -> bool:
    if text[dot] != ".":
        return False
    word = re.split(r"[\s(]", text[max(start, dot - 14):dot])[-1]
    if word.lower() in entries("legal-form") and not text[dot + 1:dot + 2].strip():
        return not text[dot + 1:].strip()
    return (len(word) <= 2 and word.isalpha()) or word.lower() in entries("abbreviation")


def _names_at(text: str, start: int) -> Optional[Tuple[int, int]]:
    """Return the position of the proper name that begins at ``start``, or None."""
    last, position = start, start
    first = None
    for token in _NAME.finditer(text, start, start + 400):
        if token.start() != position:
            break
        word = token.group(1)
        position = token.end()
        if word in "(),/&-":
            if first is None or word == ",":
                break
            last = token.end() if word == ")" else last
            continue
        if word[0].isupper() or word[0].isdigit() and first is not None:
            first = token.start(1) if first is None else first
            last = token.end()
            if word.endswith(".") and len(word) > 3 and "." not in word[:-1]:
                break
        elif word.lower() not in entries("name-link"):
            break
    if first is None or last - first < 2:
        return None
    return first, last - (text[last - 1] in ".,:")


def _quotations(text: str) -> Iterator[Tuple[int, str]]:
    position = 0
    while True:
        match = _OPENING.search(text, position)
        if match is None:
            return
        closing = _closing(text, match.start())
        if closing is None:
            position = match.end()
            continue
        yield match.start(), text[match.start() + 1:closing]
        position = closing + 1


def _closing(text: str, start: int) -> Optional[int]:
    """Return the position of the quotation mark that closes the one at ``start``, or None."""
    marks = _QUOTES[text[start]]
    places = [place for place in (text.find(mark, start + 1, start + 420) for mark in marks) if place > 0]
    if not places or "\n\n" in text[start:min(places)]:
        return None
    return min(places)


def _sentence_around(text: str, start: int, end: int) -> Tuple[str, str]:
    """Return the parts of the sentence before and after a quotation, at most 160 and 80 characters of them."""
    before = text[max(0, start - 160):start]
    ends = list(_SENTENCE_START.finditer(before))
    after = text[end:end + 80]
    stop = _SENTENCE_START.search(after)
    return before[ends[-1].end():] if ends else before, after[:stop.start()] if stop else after


@lru_cache(maxsize=1024)
def _is_prescribing(before: str, after: str) -> bool:
    """Return true where the words around a quotation say that it is to be shown."""
    words = words_of(fold(before))
    if any(span.classes for span in label_lexicon().spans(words)):
        return True
    if classes_in(words) & {"credit", "mark", "manner", "whom"}:
        return True
    kinds = classes_in(words + words_of(fold(after)))
    return bool(kinds & {"credit", "mark"} and kinds & {"duty", "cond", "imper", "manner"})


def _first_line(notice: str) -> str:
    line = notice[:_end_of_line(notice, 0, ";")]
    return line[:_before_verb(line, 0, len(line))]


def _usable_statements(found: Iterable[str]) -> List[str]:
    tidied = (_without_end(single_line(statement).lstrip(" .,:;")) for statement in found)
    return unique_texts(statement for statement in tidied
                        if len(statement) <= _MAX_LINE_LENGTH and not _WITHOUT_CONTENT.match(statement)
                        and fold(statement) not in _answers())


@lru_cache(maxsize=1)
def _answers() -> FrozenSet[str]:
    """Return what stands behind a label in the place of a name: "Attribution: required"."""
    return frozenset((*blank_words("answer"), *blank_words("denial")))


def is_denial(line: str) -> bool:
    """Return true for what stands behind a label and says that there is no duty: "Attribution: not required"."""
    return fold(line.strip(" .,:;")) in blank_words("denial")


def _without_end(statement: str) -> str:
    """Return a statement without the signs behind it. The full stop of a company's legal form stays ("Ltd.")."""
    bare = statement.rstrip(" .,:;")
    is_company = statement[len(bare):len(bare) + 1] == "." and re.split(r"[\s(]", bare)[-1].lower() in entries(
        "legal-form")
    return f"{bare}." if is_company else bare


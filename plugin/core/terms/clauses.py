"""The clauses of a text about use: sentences, list items and lines, as words that can be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import FrozenSet, Iterator, Tuple

from ..text import fold
from .lexicon import LICENCE_WORD, URL_WORD, entries, words_of
from .text_cache import cached_by_text

#: characters of a text that are read; the rest is not, and the text is undecided then
MAX_TEXT = 20_000
#: words of a clause and clauses of a text that are read
MAX_WORDS = 300
MAX_CLAUSES = 400
_ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'«»“”]+|[^\s<>()@,;:]{1,64}@[\w.-]{3,100}"
    r"|(?<![\w.])[a-z0-9-]{2,40}(?:\.[a-z0-9-]{2,40}){0,3}\.(?:com|org|net|eu|gov|info|es|de|fr|it|pt|nl|be|at|ch|li|uk|ie"
    r"|pl|cz|sk|hu|ro|bg|gr|hr|si|ee|lv|lt|fi|se|no|dk|cat|gal|eus|swiss)(?![\w.]\w|\w)(?:/[^\s<>\"'«»“”]*)?",
    re.IGNORECASE)
#: begins where a row of marks begins: a row of full stops is not read once for each of them
_END = re.compile(r"(?:(?<![.!?…])[.!?…]+[)\]\"”»']*(?=\s|\Z)|[;•●▪■◦·►‣。；]|\n[ \t]*\n|\n)")
#: a dash or a version behind an exclamation mark
_IN_NAME = re.compile(r" ?(?:\d|[-–] ?\w)")
#: a month and a year behind the number of a day: "19. März 2013"
_IN_DATE = re.compile(r"\s?[^\W\d_]{3,12}\s(?:19|20)\d\d\b")
_INVISIBLE = {0xAD: None, 0x200B: None, 0x200C: None, 0x200D: None, 0xFEFF: None, 0x2060: None}
_LINE_WIDTH = 60
_CAPITAL = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Clause:
    """A clause as written and as folded words.

    ``names``: the folded words that are written with a capital. ``acronyms``: those written in capitals among others.
    """

    text: str
    words: Tuple[str, ...]
    names: FrozenSet[str]
    is_question: bool = False
    is_cut: bool = False
    acronyms: FrozenSet[str] = frozenset()


def split_clauses(text: str) -> Tuple[str, ...]:
    """Return the sentences, list items and lines of a text. Lines that only break a sentence are joined.

    What follows after MAX_CLAUSES is one clause.
    """
    found = list(islice(_split(text[:MAX_TEXT].translate(_INVISIBLE)), MAX_CLAUSES + 1))
    return tuple(found) if len(found) <= MAX_CLAUSES else (*found[:MAX_CLAUSES], text[-MAX_TEXT:])


@cached_by_text(4096)
def parse_clause(text: str, with_licence: str = "") -> Clause:
    """Return the words of a clause. ``with_licence`` is its folded text with the licences replaced by LICENCE_WORD."""
    bare = _ADDRESS.sub(f" {URL_WORD} ", text)
    folded = _ADDRESS.sub(f" {URL_WORD} ", with_licence) or fold(bare)
    capitals = frozenset(fold(word) for word in _CAPITAL.findall(bare) if word[0].isupper())
    words = words_of(folded)
    acronyms = frozenset(fold(word) for word in _CAPITAL.findall(bare) if word.isupper() and 1 < len(word) < 9)
    return Clause(text, tuple(words[:MAX_WORDS]), capitals - {LICENCE_WORD}, "?" in bare or "¿" in bare,
                  len(words) > MAX_WORDS, frozenset() if bare.isupper() else acronyms)


def _split(text: str) -> Iterator[str]:
    start = 0
    line_start = 0
    for match in _END.finditer(text):
        mark = match.group()
        if mark == "\n":
            rest = text[match.end():match.end() + 40].lstrip()
            width, line_start = match.start() - line_start, match.end()
            if rest[:1] and not (rest[0].isupper() and width < _LINE_WIDTH) and rest[0] not in "-*–—>":
                continue
        elif mark[0] == "!" and _IN_NAME.match(text, match.end()):
            continue  # a Hungarian licence is called "Nevezd meg! - Ne add el! 4.0"
        elif mark[0] == "." and _continues(text, start, match.start(), match.end()):
            continue
        clause = text[start:match.end()].strip(" \t\r\n-–—*•●▪■◦·►‣;")
        if clause:
            yield clause
        start = match.end()
    clause = text[start:].strip(" \t\r\n-–—*;")
    if clause:
        yield clause


def _continues(text: str, start: int, dot: int, end: int) -> bool:
    """Return true where a full stop ends an abbreviation or a number of a list, not a sentence."""
    before = text[max(start, dot - 12):dot].split()
    word = before[-1].lower().strip("(\"'«“") if before else ""
    if word in entries("abbreviation") or (len(word) == 1 and word.isalpha()):
        return True
    if word.isdigit() and _IN_DATE.match(text, end):
        return True
    following = text[end:end + 8].lstrip()
    return bool(following) and following[0].islower() and word.replace(".", "").isalpha() and len(word) < 5


def unread(text: str) -> bool:
    """Return true where a text is longer than what is read of it."""
    return len(text) > MAX_TEXT

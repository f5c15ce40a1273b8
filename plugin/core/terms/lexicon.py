"""Words of terms of use in many languages (resources/terms), and the phrases of them that stand in a clause.

Each file holds one language. A line is ``class: phrase | phrase``. ``(a/b/)`` in a phrase stands for a, b or nothing,
and ``word*`` for every word that begins so. The classes are listed in resources/terms/README.txt.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from itertools import product
from typing import Any, Dict, FrozenSet, Iterable, Iterator, List, NamedTuple, Pattern, Sequence, Set, Tuple

from ..resources import RESOURCES
from ..text import fold, single_line

WORDS_PATH = RESOURCES / "terms"
#: words of the file common.txt count in every language
COMMON = "common"
#: the word that stands for a licence found in a clause
LICENCE_WORD = "licencementioned"
URL_WORD = "webaddress"
#: the word that stands for a credit line found in a text
LINE_WORD = "linetoshow"
#: words of the program, which are of no language
_PLACEHOLDERS = frozenset({LICENCE_WORD, URL_WORD, LINE_WORD})
_MAX_PHRASE = 14
_MAX_LANGUAGES = 3
_MIN_PHRASES = 520
#: words that introduce the line to show. They are looked for by themselves, because they hold words of other classes.
LABEL_CLASSES = frozenset({"label", "intro", "opening"})
#: classes of whole texts and of references: they hold words of other classes too
_TEXT_CLASSES = frozenset({"heading", "heading-fees", "absent", "update-date", "ref-verb", "ref-any", "ref-filler",
                           "ref-limitation", "ref-access", "ref-use", "ref-other"})
_MAX_HEADING = 70
#: classes that patterns are made of
_RAW_CLASSES = frozenset({"abbreviation", "double-negation", "owner-word", "author-word", "rights-reserved",
                          "after-notice", "name-link", "denies-licence", "compares-licence", "before-licence", "since",
                          "until", "until-now", "not-a-year", "and-word", "as-word", "capital-nouns", "office",
                          "legal-form"})
#: words of INSPIRE's labels
CODE_CLASSES = frozenset({"code-none", "code-condition", "code-limit", "code-access", "code-use", "code-apply",
                          "code-filler", "code-unknown"})
_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|[€$£©?*§%&]")
#: letters of scripts that leave no space between words
UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_UNSPACED = re.compile(f"[{UNSPACED}]")
_CHOICE = re.compile(r"\(([^()]*)\)")
#: a part of a phrase: what stands between blanks, or one of several in brackets
_PART = re.compile(r"(?:[^\s()]|\([^()]*\))+")
_ENTRY_WORD = re.compile(r"[^\W\d_]+\*?|\d+(?:[.,]\d+)*|[€$£©?*§%&]")


#: an entry of a word table: its class, and its folded text. The words of all entries would be 150,000 objects, for
#: which Python's full garbage collection runs, and holds the window, several times
Phrase = Tuple[str, str]


class Span(NamedTuple):
    """A phrase or an unknown word: its position among the words of the clause, and its classes.

    ``exact`` is false for a single word of which only the stem is known.
    """

    start: int
    end: int
    classes: FrozenSet[str]
    exact: bool = False

    def has(self, *classes: str) -> bool:
        """Return true where the phrase is of one of ``classes``."""
        return not self.classes.isdisjoint(classes)


class Lexicon:
    """The phrases of one language."""

    def __init__(self, language: str, phrases: Sequence[Phrase]) -> None:
        self.language = language
        self._root: Dict[str, Any] = {}
        self._stems = {word[:-1]: word for word in _words_in(phrases) if word.endswith("*")}
        for kind, written in phrases:
            self._add(kind, written)
        shared_nodes(self._root, {})
        self._symbols = lru_cache(maxsize=20_000)(self._find_symbols)
        #: the words that were read last, and what was found: a clause is read for several questions
        self._last: Tuple[Tuple[str, ...], List[Span]] = ((), [])
        #: knows enough words to tell that a word which it does not know restricts nothing
        self.is_rich = len(phrases) >= _MIN_PHRASES

    def _add(self, kind: str, written: str) -> None:
        """Add all that a phrase stands for, part by part."""
        nodes = [self._root]
        for choices in map(_choices, _PART.findall(written)):
            reached = []
            for node in nodes:
                for words in choices:
                    end = node
                    for word in words:
                        end = end.setdefault(word, {})
                    reached.append(end)
            nodes = reached
        kinds = frozenset((kind,))
        for node in nodes:
            if node is not self._root:
                node[""] = node[""] | kinds if "" in node else kinds

    def spans(self, words: Sequence[str]) -> List[Span]:
        """Return the longest known phrases of ``words`` from left to right, and the unknown words between them."""
        key = tuple(words)
        former, found = self._last
        if former == key:
            return list(found)
        symbols = [*map(self._symbols, words)]
        found, position = [], 0
        while position < len(words):
            end, classes = self._longest(symbols, position)
            found.append(Span(position, end, classes, end > position + 1 or words[position] in self._root))
            position = end
        self._last = key, found
        return list(found)

    def _longest(self, symbols: Sequence[Tuple[str, ...]], start: int) -> Tuple[int, FrozenSet[str]]:
        end, found = start + 1, frozenset()  # type: Tuple[int, FrozenSet[str]]
        ahead = [(self._root, start)]
        last = min(len(symbols), start + _MAX_PHRASE)
        while ahead:
            node, position = ahead.pop()
            classes = node.get("")
            if classes and position >= end:
                found = classes if position > end else found | classes
                end = position
            if position < last:
                ahead += [(node[key], position + 1) for key in symbols[position] if key in node]
        return end, found

    def _find_symbols(self, word: str) -> Tuple[str, ...]:
        """Return the word and the stems that it begins with."""
        return (word, *(self._stems[word[:length]] for length in range(3, min(len(word), 24) + 1)
                        if word[:length] in self._stems and word not in _PLACEHOLDERS))


def shared_nodes(node: Dict[str, Any], known: Dict[Any, Dict[str, Any]]) -> Dict[str, Any]:
    """Return the node of ``known`` with the same value and continuations, and let the continuations be shared too.

    A node has the nodes that follow it by their words, and its value under "". What follows a word mostly follows
    others too, so that one node of thirty is left. Python's full garbage collection visits each of them and holds the
    window meanwhile.
    """
    for word, following in node.items():
        if word:
            is_end = len(following) == 1 and "" in following
            node[word] = known.setdefault(following[""], following) if is_end else shared_nodes(following, known)
    key = node.get(""), *((word, id(following)) for word, following in node.items() if word)
    return known.setdefault(key, node)


class Lexicons:
    """The words of all languages."""

    def __init__(self, tables: Dict[str, List[Phrase]]) -> None:
        common = tables.pop(COMMON, [])
        self._phrases = [(language, common + phrases) for language, phrases in sorted(tables.items())]
        #: a language is built when a text in it is read: that takes longer than to find out the language
        self._built: Dict[int, Lexicon] = {}
        self._languages: Dict[str, int] = {}
        shared = _words_in(common)
        for number, (language, _) in enumerate(self._phrases):
            for word in _words_in(tables[language]) - shared:
                self._languages[word] = self._languages.get(word, 0) | 1 << number
        self._stem_lengths = sorted({len(word) - 1 for word in self._languages if word.endswith("*")})
        self._mask = lru_cache(maxsize=20_000)(self._find_mask)

    def candidates(self, words: Sequence[str]) -> List[Lexicon]:
        """Return the languages that know most of ``words``, best first. English where none is known."""
        chosen, best = self._best(words)
        return [self._lexicon(number) for number in chosen[:_MAX_LANGUAGES if best else 1]]

    def languages(self, words: Sequence[str], least: int = 1) -> List[str]:
        """Return the codes of the languages that know most of ``words``, best first, none for fewer than ``least``."""
        chosen, best = self._best(words)
        return [self._phrases[number][0] for number in chosen] if best >= least else []

    def _best(self, words: Sequence[str]) -> Tuple[List[int], int]:
        """Return the numbers of the languages that know most of ``words``, best first, and how many the best knows."""
        counts: Dict[int, int] = {}
        for word, count in Counter(words).items():
            mask = self._mask(word)
            counts[mask] = counts.get(mask, 0) + count
        totals = [0] * len(self._phrases)
        for mask, count in counts.items():
            while mask:
                lowest = mask & -mask
                totals[lowest.bit_length() - 1] += count
                mask -= lowest
        best = max(totals, default=0)
        chosen = [number for number, total in enumerate(totals) if total * 10 >= best * 7]
        chosen.sort(key=lambda number: (-totals[number], self._phrases[number][0] != "en"))
        return chosen, best

    def _lexicon(self, number: int) -> Lexicon:
        found = self._built.get(number)
        if found is None:  # two threads may build the same one: the later stays
            found = self._built[number] = Lexicon(*self._phrases[number])
        return found

    def _find_mask(self, word: str) -> int:
        mask = self._languages.get(word, 0)
        for length in self._stem_lengths:
            if length > len(word) or word in _PLACEHOLDERS:
                break
            mask |= self._languages.get(word[:length] + "*", 0)
        return mask


def words_of(folded: str) -> List[str]:
    """Return the words, numbers and telling signs of a folded text."""
    if folded.isascii() or not _UNSPACED.search(folded):
        return _WORD.findall(folded)
    return [folded[start:end] for start, end in token_places(folded)]


def token_places(text: str) -> Iterator[Tuple[int, int]]:
    """Yield the places of the words, numbers and telling signs of a text.

    In a script without spaces the known words are cut out, and what stands between two of them is one word.
    """
    for match in _WORD.finditer(text):
        if not _UNSPACED.search(match.group()):
            yield match.span()
            continue
        for piece in _pieces().finditer(match.group()):
            yield match.start() + piece.start(), match.start() + piece.end()


@lru_cache(maxsize=1)
def _pieces() -> Pattern[str]:
    """Return the pattern of the words within letters without spaces, the longest known ones first."""
    written = {word for lines in _sources().values() for _, line in lines if _UNSPACED.search(line)
               for word in re.findall(rf"\w*[{UNSPACED}]\w*", line)}
    known = "|".join(sorted({*written, *map(fold, written)}, key=len, reverse=True)) or r"(?!)"
    return re.compile(rf"(?:{known})|(?:(?!{known})[{UNSPACED}])+|[^{UNSPACED}]+")


@lru_cache(maxsize=1)
def lexicons() -> Lexicons:
    """Return the words of all languages, which are read once."""
    others = LABEL_CLASSES | _TEXT_CLASSES | CODE_CLASSES
    return Lexicons({language: [phrase for phrase in phrases if phrase[0] not in others]
                     for language, phrases in _tables().items()})


def languages_of(text: str, least: int = 1) -> List[str]:
    """Return the languages (ISO 639-1) that a text may be written in, the likeliest first.

    Empty where fewer than ``least`` of its words are known to any.
    """
    return lexicons().languages(words_of(fold(text)), least)


def classes_in(words: Sequence[str]) -> FrozenSet[str]:
    """Return the classes of all known phrases of ``words``, in each language that knows most of them."""
    return frozenset().union(*(span.classes for lexicon in lexicons().candidates(words)
                               for span in lexicon.spans(words)))


@lru_cache(maxsize=1)
def code_lexicons() -> Lexicons:
    """Return the words of INSPIRE's labels in all languages."""
    return Lexicons({language: [phrase for phrase in phrases if phrase[0] in CODE_CLASSES]
                     for language, phrases in _tables().items()})


@cache
def lexicon_of(*kinds: str) -> Lexicon:
    """Return the phrases of some classes in all languages together."""
    return Lexicon("all", [phrase for phrases in _tables().values() for phrase in phrases if phrase[0] in kinds])


def label_lexicon() -> Lexicon:
    """Return the words of all languages that introduce the line to show."""
    return lexicon_of(*sorted(LABEL_CLASSES))


def split_heading(text: str) -> Tuple[str, str]:
    """Return the class of the heading before the colon of a text ("Terms of use:") and the rest, or an empty class."""
    head, colon, rest = text[:_MAX_HEADING].partition(":")
    if colon and not rest.startswith("//"):
        for kind in ("heading", "heading-fees"):
            if is_whole(head, kind):
                return kind, text[len(head) + 1:].strip()
    return "", text


def is_whole(text: str, kind: str) -> bool:
    """Return true where a text is a phrase of a class of whole texts."""
    words = words_of(fold(text[:200])) if len(text) <= 200 else []
    spans = lexicon_of(kind).spans(words) if words else []
    return len(spans) == 1 and spans[0].has(kind)


@cache
def entries(kind: str) -> Tuple[str, ...]:
    """Return the entries of a class in all languages as written, each choice of a phrase by itself."""
    written = (part for lines in _sources().values() for name, line in lines if name == kind
               for part in line.split("|"))
    return tuple(dict.fromkeys(single_line(spelling) for part in written for spelling in spellings(part)))


@cache
def alternatives(kind: str, folded: bool = True) -> str:
    """Return the entries of a class as alternatives of a pattern, the longest first. ``word*`` is a stem."""
    found = {fold(entry) if folded else entry for entry in entries(kind)}
    return "|".join(re.escape(entry).replace(r"\*", r"\w*").replace(r"\ ", r"\s+")
                    for entry in sorted(found, key=len, reverse=True))


@lru_cache(maxsize=1)
def _tables() -> Dict[str, List[Phrase]]:
    return {language: list(_phrases(lines)) for language, lines in _sources().items()}


@lru_cache(maxsize=1)
def _sources() -> Dict[str, List[Tuple[str, str]]]:
    """Return the lines of each language with their classes."""
    return {path.stem: list(_lines(path.read_text(encoding="utf-8"))) for path in sorted(WORDS_PATH.glob("*.txt"))
            if path.stem != "README"}


def _lines(text: str) -> Iterator[Tuple[str, str]]:
    """Yield each line of a word file with its class."""
    kind = ""
    for line in text.splitlines():
        head, colon, rest = line.partition(":")
        if colon and re.fullmatch(r"[a-z-]+", head):
            kind, line = head, rest
        if line.strip() and not line.startswith("#"):
            yield kind, line


def _phrases(lines: Sequence[Tuple[str, str]]) -> Iterator[Phrase]:
    for kind, line in lines:
        if kind in _RAW_CLASSES:
            continue
        yield from ((kind, written) for written in fold(line).split("|") if _ENTRY_WORD.search(written))


def _words_in(phrases: Iterable[Phrase]) -> Set[str]:
    """Return the words of all that phrases stand for."""
    return {word for _, written in phrases for part in _PART.findall(written) for words in _choices(part)
            for word in words}


def spellings(phrase: str) -> Iterator[str]:
    """Yield each of the texts that a phrase stands for."""
    pieces = _CHOICE.split(phrase)
    choices = [[piece] if index % 2 == 0 else piece.split("/") for index, piece in enumerate(pieces)]
    for chosen in product(*choices):
        yield "".join(chosen)


def _choices(part: str) -> Sequence[Sequence[str]]:
    """Return the words of each of the texts that a part of a phrase stands for."""
    return [_ENTRY_WORD.findall(text) for text in spellings(part)] if "(" in part else [_ENTRY_WORD.findall(part)]

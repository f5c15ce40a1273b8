"""Names of licences in folded texts, compared word by word.

Case, accents and punctuation do not matter, nor how a version is written ("v4", "4.0", "4_0") or where it stands
("CC 4.0 BY"). The time is linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import Any, Dict, Generic, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar

from ..text import fold
from .lexicon import UNSPACED, shared_nodes

Value = TypeVar("Value")

#: a word, a number, a version whose parts are joined as in addresses ("2-0"), or a sign of a script without spaces
_WORD = re.compile(rf"[1-9][-_][0-9](?![0-9.,_-]{{0,8}}[0-9])|[0-9]+(?:[.,][0-9]+)*|[{UNSPACED}]|[^\W\d_{UNSPACED}]+")
_VERSION = re.compile(r"([1-9])(?:[.,_-]([0-9]))?")
_MAX_GAP = 6
#: between the words of a name, and behind the longer ones
_JOINS, _LOOSE_JOINS = frozenset(" -_/+>|®™'!・"), frozenset(" -_/+>|®™,:()[]'\"&*!・")
_SHORT_WORD = 3
#: the word that stands for all words for a licence
_LICENCE = "licence"
#: words that may stand between those of a name
_MAX_FILLERS = 3
_MAX_BEHIND = 5


class Word(NamedTuple):
    """A word of a folded text: its position, what stands between it and the one before, and the version that it is.

    ``dotted``: the version is written with both parts.
    """

    text: str
    start: int
    end: int
    gap: str
    version: str = ""
    dotted: bool = False


class Name(NamedTuple, Generic[Value]):
    """A name found among words: the words from ``start`` up to ``end`` and the version in it."""

    value: Value
    end: int
    version: str = ""


class Vocabulary:
    """Words that do not count in a name: "licence", "version" and small ones, in many languages."""

    def __init__(self, table: Mapping[str, Sequence[str]]) -> None:
        self.licence = frozenset(fold(word) for word in table["licence"])
        self.version = frozenset(fold(word) for word in table["version"])
        self.small = frozenset(fold(word) for word in table["small"])
        self.fillers = self.licence | self.version | self.small | {_LICENCE}
        self._keys: Dict[str, Tuple[str, ...]] = {}

    def words(self, text: str) -> List[Word]:
        """Return the words of a folded text. All words for a licence are one word."""
        found, end = [], 0
        for match in _WORD.finditer(text):
            word, gap = match.group(), text[end:match.start()] if match.start() - end <= _MAX_GAP else "\n"
            version = _VERSION.fullmatch(word)
            number = f"{version.group(1)}.{version.group(2) or 0}" if version else ""
            found.append(Word(number or (_LICENCE if word in self.licence else word), match.start(), match.end(), gap,
                              number, bool(version and version.group(2))))
            end = match.end()
        return found

    def key(self, text: str) -> Tuple[str, ...]:
        """Return the words by which whole texts are compared."""
        found: List[str] = []
        # the 19,000 names of the table have only 1,100 different parts, and no word reaches over a blank
        for part in text.split():
            if part not in self._keys:
                self._keys[part] = tuple(word.text for word in self.words(fold(part)))
            found += self._keys[part]
        return tuple(found)

    def joins(self, before: Word, word: Word, loose: bool = False) -> bool:
        """Return true where two words can belong to one name: no end of a sentence stands between them."""
        gap = word.gap
        if "." in gap:
            is_abbreviated = len(before.text) == 1 or before.text in self.version
            if not (gap == "." or is_abbreviated and gap in (". ", ".), ", "., ")):
                return False
            return gap != "." or not (before.version and word.version)
        allowed = _LOOSE_JOINS if loose or len(before.text) > _SHORT_WORD else _JOINS
        return allowed.issuperset(gap)

    def version_behind(self, words: Sequence[Word], end: int) -> Optional[Tuple[int, str]]:
        """Return the end and the version that follows a name: "4.0", "v4", "licence, version 4"."""
        for position in range(end, min(end + _MAX_BEHIND, len(words))):
            before, word = words[position - 1], words[position]
            if word.version:
                is_bare = position == end and _JOINS.issuperset(word.gap)
                if word.dotted and self.joins(before, word, True) or before.text in self.version and self.joins(
                        before, word) or is_bare:
                    return position + 1, word.version
                return None
            if word.text not in self.version and word.text != _LICENCE or not self.joins(before, word, True):
                return None
        return None

    def version_before(self, words: Sequence[Word], start: int) -> Optional[Tuple[int, str]]:
        """Return the start and the version of "version 2.0 of the …" before a name."""
        for position in range(start - 1, max(start - 1 - _MAX_BEHIND, 0), -1):
            word = words[position]
            if not self.joins(word, words[position + 1]):
                return None
            if word.version and words[position - 1].text in self.version:
                return position - 1, word.version
            if word.text not in self.small and word.text != _LICENCE:
                return None
        return None


class NameTree(Generic[Value]):
    """Names by their words. ``loose``: any short punctuation may stand between the words, also an end of a sentence."""

    def __init__(self, vocabulary: Vocabulary, loose: bool = False) -> None:
        self._vocabulary = vocabulary
        self._loose = loose
        self._root: Dict[str, Any] = {}

    def add(self, name: str, value: Value) -> None:
        """Add a name. The first value of a name stays. Words for "version" are left out."""
        node = self._root
        for word in (word for word in self._vocabulary.key(name) if word not in self._vocabulary.version):
            node = node.setdefault(word, {})
        if node is not self._root:
            node.setdefault("", value)

    def close(self) -> None:
        """Make the tree as small as it can be. Nothing can be added afterwards."""
        shared_nodes(self._root, {})

    def longest(self, words: Sequence[Word], start: int, fillers: bool = True) -> Optional[Name[Value]]:
        """Return the longest name that begins at a word. ``fillers``: other words and a version may stand in it."""
        found: Optional[Name[Value]] = None
        node, version, between = self._root, "", 0
        for position in range(start, len(words)):
            word = words[position]
            if position > start and not (self._loose and word.gap != "\n" or self._vocabulary.joins(
                    words[position - 1], word)):
                break
            following = node.get(word.text)
            if following is not None:
                node = following
                if "" in node:
                    found = Name(node[""], position + 1, version)
                continue
            if position == start or not fillers or between == _MAX_FILLERS:
                break
            if word.dotted and not version or word.version and words[position - 1].text in self._vocabulary.version:
                version = word.version
            elif word.text not in self._vocabulary.fillers:
                break
            between += 1
        return found

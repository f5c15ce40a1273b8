"""The table of well-known licences (resources/licences.json), found by address, name and SPDX identifier."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, Dict, FrozenSet, Iterator, List, Mapping, Match, Optional, Pattern, Sequence, Tuple
from urllib.parse import unquote

from ..resources import RESOURCES
from ..text import fold
from .creative_commons import CreativeCommonsMatcher
from .lexicon import LICENCE_WORD, URL_WORD, alternatives, spellings
from .licence_names import Name, NameTree, Vocabulary, Word
from .model import Decision, Licence

TABLE_PATH = RESOURCES / "licences.json"
#: the rest of an overlong text is not searched
MAX_TEXT_LENGTH = 20_000
_MAX_MENTIONS = 40
_MAX_FORMULA = 600
_MAX_TAILS = 3

_ADDRESS = re.compile(
    r"(?:https?://|www\.|(?<![\w./-])(?:creative|opendata)commons\.org/)[^\s<>\"'«»“”]+", re.IGNORECASE)
_ADDRESS_PREFIX = re.compile(r"\A(?:https?:)?(?://)?(?:www\.)?", re.IGNORECASE)
#: characters before a licence that may deny it or compare with it
_NEAR = 90
_ENDINGS = (".html", ".htm", ".rdf", ".json")


@dataclass(frozen=True)
class LicenceMention:
    """A licence named in a text: its position in the folded text, and its family, version and port.

    A family may hold others: ``OGL`` is any Open Government Licence, ``OGL/UK`` that of the United Kingdom.
    """

    licence: Licence
    family: str
    version: str = ""
    port: str = ""
    start: int = 0
    end: int = 0
    #: named with the publisher whose credit line it prescribes
    publisher: str = ""

    def is_compatible(self, other: LicenceMention) -> bool:
        """Return true where both can mean the same licence. One of them may omit the version or the port."""
        return (_is_within(self.family, other.family)
                and (not self.version or not other.version or self.version == other.version)
                and (not self.port or not other.port or self.port == other.port))

    @property
    def precision(self) -> Tuple[int, bool, bool, bool]:
        """The sort key by which the most specific mention comes last."""
        return self.family.count("/"), bool(self.version), bool(self.port), bool(self.publisher)


@dataclass(frozen=True, eq=False)
class _TableEntry:
    """A block of the table: a licence, or a publisher that uses one."""

    licence: Licence
    family: str
    version: str
    names: Tuple[str, ...]
    #: sentences that stand for the licence, which may end and begin between two words
    phrases: Tuple[str, ...] = ()
    #: names that count only where the text holds nothing else
    names_alone: Tuple[str, ...] = ()
    addresses: Tuple[str, ...] = ()
    tails: Tuple[str, ...] = ()
    except_before: FrozenSet[str] = frozenset()
    publisher: str = ""

    def mention(self, start: int = 0, end: int = 0) -> LicenceMention:
        """Return the mention of the entry at a position."""
        return LicenceMention(self.licence, self.family, self.version, "", start, end, self.publisher)


class LicenceTable:
    """The licence table, ready to search."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._vocabulary = Vocabulary(table["words"])
        self._registers = tuple(normalise_address(address) + "/" for address in table["registers"])
        self._commons = CreativeCommonsMatcher(table["creative_commons"], self._vocabulary)
        self._names: NameTree[_TableEntry] = NameTree(self._vocabulary)
        self._sentences: NameTree[_TableEntry] = NameTree(self._vocabulary, loose=True)
        self._alone: Dict[Tuple[str, ...], _TableEntry] = {}
        self._tails: Dict[str, NameTree[str]] = {}
        self._addresses = _AddressBook()
        self._versions: Dict[Tuple[str, str], _TableEntry] = {}
        self._entries = [_parse_entry(item) for item in table["licences"]]
        for entry in self._entries:
            self._add(entry)
        #: the publishers come last, because each uses a licence of those above
        self._publishers = [self._parse_publisher(item) for item in table["publishers"]]
        for entry in self._publishers:
            self._add(entry)
        self._sentences.close()

    def _add(self, entry: _TableEntry) -> None:
        for name in entry.names:
            self._names.add(name, entry)
        for name in entry.phrases:
            self._sentences.add(name, entry)
        for name in entry.names_alone:
            self._alone.setdefault(self._vocabulary.key(name), entry)
        for address in entry.addresses:
            self._addresses.add(address, entry)
        if entry.tails:
            tree = self._tails[entry.licence.id] = NameTree(self._vocabulary, loose=True)
            for tail in entry.tails:
                tree.add(tail, tail)
        if not entry.publisher:
            self._versions.setdefault((entry.family, entry.version), entry)

    def _parse_publisher(self, item: Mapping[str, Any]) -> _TableEntry:
        base = self._by_whole_name(item["licence"])
        if base is None:
            raise ValueError(f"{item['name']}: no licence {item['licence']} is in the table")
        licence = replace(base.licence, attribution=item["attribution"], source=item["source"])
        return _TableEntry(licence, base.family, base.version, tuple(item["names"]),
                           addresses=tuple(item["addresses"]), publisher=item["name"])

    def find_by_address(self, address: str) -> Optional[LicenceMention]:
        """Return the licence at an address in any of its forms (scheme, language, deed or legal code), or None."""
        plain = normalise_address(address)
        entry = self._addresses.find(plain)
        if entry:
            return entry.mention()
        found = self._commons.find_by_address(plain.partition("#")[0])
        if found:
            return LicenceMention(*found)
        for register in self._registers:
            if plain.startswith(register):
                return self._by_whole_name(_name_in_register(plain[len(register):]))
        return None

    def find_mentions(self, text: str) -> List[LicenceMention]:
        """Return every different licence named by a text, each by its most precise mention.

        A licence that the text denies ("not CC BY") or compares itself with ("compatible with CC BY") does not count.
        """
        return merge_mentions(self.find_in_clause(text)[0])

    def without_formulas(self, text: str) -> Tuple[str, Tuple[LicenceMention, ...]]:
        """Return a text with LICENCE_WORD in place of licences that are a formula of several sentences.

        The rest of such a text is folded.
        """
        if len(text) > _MAX_FORMULA:
            return text, ()
        folded = fold(text)
        words = self._vocabulary.words(folded)
        for position in range(len(words)):
            name = self._sentences.longest(words, position, False)
            if name:
                entry, start, end = name.value, words[position].start, words[name.end - 1].end
                rest = f"{folded[:start]} {LICENCE_WORD}. {folded[end:].lstrip(' .)')}"
                return rest, (entry.mention(),)
        return text, ()

    def find_in_clause(self, text: str) -> Tuple[Tuple[LicenceMention, ...], str]:
        """Return the licences that a clause names, and the folded clause with LICENCE_WORD in place of each.

        A licence that another is compared with is left out. The folded clause is empty where there is no licence.
        """
        text = text[:MAX_TEXT_LENGTH]
        found: List[LicenceMention] = []

        def replace_address(match: Match[str]) -> str:
            mention = self.find_by_address(match.group()) if len(found) < _MAX_MENTIONS else None
            if mention is None:
                return f" {URL_WORD} "
            found.append(mention)
            return f" {LICENCE_WORD} "

        folded = fold(_ADDRESS.sub(replace_address, text))
        parts, position, compared_until = [], 0, -1
        for mention in self._find_in_text(folded):
            before = folded[max(0, mention.start - _NEAR):mention.start]
            if _ends_in("denies-licence").search(before.rstrip("\"'([ ") + " "):
                continue
            compared = _ends_in("compares-licence", self._vocabulary.licence).search(before.rstrip("\"'([ ") + " ")
            if 0 <= compared_until < mention.start and not folded[compared_until:mention.start].strip(" ,;/&"):
                position = compared_until = mention.end  # a list of those that a licence is compared with
                continue
            if compared:  # what a licence is compared with says nothing
                compared_until = mention.end
                parts.append(folded[position:mention.start - len(before) + compared.start()])
                position = mention.end
                continue
            found.append(mention)
            parts += [folded[position:mention.start], f" {LICENCE_WORD} "]
            position = mention.end
        return tuple(found), "".join(parts) + folded[position:] if found or parts else ""

    def _find_in_text(self, folded: str) -> List[LicenceMention]:
        """Return the licences named in a folded text, the longest name at each word, none within another."""
        words = self._vocabulary.words(folded)
        alone = self._alone.get(tuple(word.text for word in words))
        if alone:
            return [alone.mention(words[0].start, words[-1].end)]
        found: List[LicenceMention] = []
        position = 0
        while position < len(words) and len(found) < _MAX_MENTIONS:
            at_word = self._mention(words, position)
            if at_word:
                found.append(at_word[0])
            position = at_word[1] if at_word else position + 1
        return found

    def _mention(self, words: Sequence[Word], start: int) -> Optional[Tuple[LicenceMention, int]]:
        """Return the licence named at a word, and the position of the word after it."""
        found = (self._names.longest(words, start), self._sentences.longest(words, start, False))
        by_name = max((name for name in found if name), key=lambda name: name.end, default=None)
        commons = self._commons.find(words, start)
        if commons and (by_name is None or commons.end > by_name.end):
            return LicenceMention(*commons.value, words[start].start, words[commons.end - 1].end), commons.end
        return self._entry_mention(words, start, by_name) if by_name else None

    def _entry_mention(self, words: Sequence[Word], start: int,
                       name: Name[_TableEntry]) -> Optional[Tuple[LicenceMention, int]]:
        entry, end, version = name
        if end < len(words) and words[end].text in entry.except_before:
            return None
        version, end = self._version_and_tail(words, end, entry, version)
        begin = words[start].start
        if not version and not entry.version:
            before = self._vocabulary.version_before(words, start)
            begin, version = (words[before[0]].start, before[1]) if before else (begin, version)
        entry = self._of_version(entry, version)
        return entry.mention(begin, words[end - 1].end), end

    def _version_and_tail(self, words: Sequence[Word], end: int, entry: _TableEntry, version: str) -> Tuple[str, int]:
        """Read what belongs to a name behind it: its short form in brackets, a version, and the licence's own words."""
        tails = self._tails.get(entry.licence.id)
        for _ in range(_MAX_TAILS):
            behind = None if version else self._vocabulary.version_behind(words, end)
            if behind:
                end, version = behind
            is_joined = end < len(words) and self._vocabulary.joins(words[end - 1], words[end], True)
            short = self._names.longest(words, end) if is_joined else None
            tail = tails.longest(words, end, False) if tails else None
            if short and _is_within(short.value.family, entry.family) and (not version or not short.version):
                end, version = short.end, version or short.version or short.value.version
            elif tail:
                end = tail.end
            elif not behind:
                break
        return version, end

    def _of_version(self, entry: _TableEntry, version: str) -> _TableEntry:
        """Return the licence of an entry's family that has the version, else the entry."""
        return self._versions.get((entry.family, version), entry) if version and not entry.publisher else entry

    def _by_whole_name(self, text: str) -> Optional[LicenceMention]:
        """Return the licence where a text is nothing but its name."""
        words = self._vocabulary.words(fold(text))
        found = self._mention(words, 0) if words else None
        return replace(found[0], start=0, end=0) if found and found[1] == len(words) else None


class _AddressBook:
    """Entries by address. A ``*`` in an address stands for anything."""

    def __init__(self) -> None:
        self._exact: Dict[str, _TableEntry] = {}
        self._open: List[Tuple[Sequence[str], _TableEntry]] = []

    def add(self, address: str, value: _TableEntry) -> None:
        """Add an address, with or without scheme. The first value of an address stays."""
        plain = normalise_address(address)
        if "*" in plain:
            self._open.append((plain.split("*"), value))
        else:
            self._exact.setdefault(plain, value)

    def find(self, plain: str) -> Optional[_TableEntry]:
        """Return the value of an address from :func:`normalise_address`, with its fragment or without."""
        for address in (plain, plain.partition("#")[0]):
            if address in self._exact:
                return self._exact[address]
            for parts, value in self._open:
                if _has_parts(address, parts):
                    return value
        return None


@lru_cache(maxsize=1)
def licence_table() -> LicenceTable:
    """Return the bundled table, which is read once."""
    return LicenceTable(table_data())


def merge_mentions(mentions: Sequence[LicenceMention]) -> List[LicenceMention]:
    """Merge the mentions that can mean the same licence into the most precise one, at the position of the first."""
    merged: List[LicenceMention] = []
    for mention in sorted(mentions, key=lambda item: item.precision, reverse=True):
        if not any(mention.is_compatible(other) for other in merged):
            merged.append(mention)
    order = [mention.family for mention in mentions]
    return sorted(merged, key=lambda item: order.index(item.family))


def normalise_address(address: str) -> str:
    """Return an address in lower case without scheme, ``www.``, query, ending, trailing slashes and punctuation."""
    bare, _, fragment = unquote(_ADDRESS_PREFIX.sub("", address.strip())).partition("#")
    bare = bare.split("?")[0].rstrip(".,;:)]}>/ ").lower()
    fragment = fragment.rstrip(".,;:)]}>/ ").lower()
    for ending in _ENDINGS:
        bare = bare[:-len(ending)] if bare.endswith(ending) else bare
    return f"{bare}#{fragment}" if fragment else bare


def _name_in_register(rest: str) -> str:
    """Return the name of a licence at the end of an address: the fragment, else the path, on one level."""
    path, _, fragment = rest.partition("#")
    return (fragment or path).replace("/", "-")


def _has_parts(address: str, parts: Sequence[str]) -> bool:
    """Return true where an address begins and ends with the outer parts, with the others in order between."""
    first, *between, last = parts
    position, end = len(first), len(address) - len(last)
    if not (address.startswith(first) and address.endswith(last) and position <= end):
        return False
    for part in between:
        found = address.find(part, position, end)
        if found < 0:
            return False
        position = found + len(part)
    return True


def _is_within(family: str, other: str) -> bool:
    """Return true where two families are one, or one holds the other."""
    return f"{family}/".startswith(f"{other}/") or f"{other}/".startswith(f"{family}/")


@cache
def _ends_in(kind: str, licence: FrozenSet[str] = frozenset()) -> Pattern[str]:
    """Return the pattern of a text that ends in a word of a class and words that stand before a licence.

    A word for ``licence`` may stand before it: "under a licence compatible with the".
    """
    before = rf"(?:{alternatives('before-licence')})\s+"
    named = rf"(?:(?:{before}){{0,3}}(?:{'|'.join(sorted(licence))})\s+)?" if licence else ""
    return re.compile(rf"\b{named}(?:{alternatives(kind)})\s+(?:{before}){{0,6}}\Z")


def _parse_entry(item: Mapping[str, Any]) -> _TableEntry:
    limits = frozenset(item.get("limits", ()))
    licence = Licence(
        id=item["id"], title=item["title"], url=item.get("url"), name=item.get("name", ""),
        requires_credit=Decision(item["credit"]), share_alike="share-alike" in limits,
        allows_commercial=_unless(limits, "non-commercial", "commercial-on-request"),
        allows_derivatives=_unless(limits, "no-derivatives"), free_of_charge=Decision(item["free"]),
        commercial_on_request="commercial-on-request" in limits, attribution=item.get("attribution", ""),
        source=item.get("source"))
    return _TableEntry(licence, item.get("family", item["id"]), item.get("version", ""), tuple(_own_names(item)),
                       tuple(text for phrase in item.get("phrases", ()) for text in spellings(phrase)),
                       tuple(item.get("names_alone", ())),
                       tuple(item.get("addresses", ())) + ((item["url"],) if item.get("url") else ()),
                       tuple(item.get("tails", ())), frozenset(map(fold, item.get("except_before", ()))))


def _own_names(item: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of an entry. Those that stand alone are not looked for within texts."""
    alone = item.get("names_alone", ())
    yield from (name for name in (item["id"], item.get("name", ""), item["title"]) if name and name not in alone)
    yield from item.get("names", ())


def _unless(limits: FrozenSet[str], *forbidding: str) -> Decision:
    if "unknown" in limits:
        return Decision.UNDECIDED
    return Decision.YES if limits.isdisjoint(forbidding) else Decision.NO


@lru_cache(maxsize=1)
def table_data() -> Dict[str, Any]:
    """Return the content of the bundled file."""
    data: Dict[str, Any] = json.loads(TABLE_PATH.read_text(encoding="utf-8"))
    return data

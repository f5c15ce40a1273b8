"""The Creative Commons licences: six kinds in many versions, ports and spellings, made from one entry of the table."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Dict, FrozenSet, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .licence_names import Name, NameTree, Vocabulary, Word
from .model import Decision, Licence

_TITLES = {"by": "Attribution", "nc": "NonCommercial", "sa": "ShareAlike", "nd": "NoDerivatives"}
_ELEMENTS = ("by", "nc", "sa", "nd")
_PAGES = ("deed", "legalcode", "rdf")
#: words between "Creative Commons" and the element "Attribution", and between its name and "Creative Commons"
_MAX_FILLERS, _MAX_BEFORE_COMMONS = 6, 3


class CommonsLicence(NamedTuple):
    licence: Licence
    family: str
    version: str
    port: str


class _Elements(NamedTuple):
    """The elements of a licence as they stand in a text."""

    names: FrozenSet[str]
    version: str
    end: int
    has_code: bool


class CreativeCommonsMatcher:
    """Finds Creative Commons licences by address and in texts, and builds the Licence that is meant."""

    def __init__(self, table: Mapping[str, Any], vocabulary: Vocabulary) -> None:
        self._table = table
        self._vocabulary = vocabulary
        self._elements: NameTree[FrozenSet[str]] = NameTree(vocabulary)
        self._joined = {"".join(_ordered(frozenset(others))): frozenset(("by", *others))
                        for count in range(3) for others in combinations(("nc", "sa", "nd"), count)}
        for joined, elements in self._joined.items():
            self._elements.add(joined, elements)
        for element in _ELEMENTS:
            self._elements.add(element, frozenset((element,)))
            for name in table["elements"][element]:
                self._elements.add(name, frozenset((element,)))
                self._elements.add("".join(vocabulary.key(name)), frozenset((element,)))
        self._commons: NameTree[str] = NameTree(vocabulary)
        for name in table["commons"]:
            self._commons.add(name, name)
        self._tails: NameTree[str] = NameTree(vocabulary)
        for tail in table["tails"]:
            self._tails.add(tail, tail)
        self._places: NameTree[str] = NameTree(vocabulary)
        for code, names in table["places"].items():
            for name in names:
                self._places.add(name, code)
        self._between = frozenset(table["between"])

    def find_by_address(self, plain: str) -> Optional[CommonsLicence]:
        """Return the licence of an address given without scheme and trailing slash, or None.

        The address is a kind, a version, a port and a page in this order, each of which but the first may be absent.
        """
        prefix = next((prefix for prefix in self._table["addresses"] if plain.startswith(prefix)), None)
        if prefix is None:
            return None
        kind, *rest = plain[len(prefix):].split("/")
        elements = frozenset(kind.split("-"))
        if "by" not in elements or not elements.issubset(_ELEMENTS):
            return None
        version = rest.pop(0) if rest and rest[0] in self._table["versions"] else ""
        is_port = bool(version and rest) and (rest[0].isalpha() and len(rest[0]) in (2, 3) or rest[0] == "scotland")
        port = rest.pop(0) if is_port else ""
        if rest and rest[0].startswith(_PAGES):
            rest.pop(0)
        return None if rest else self._build(elements, version, port)

    def find(self, words: Sequence[Word], start: int) -> Optional[Name[CommonsLicence]]:
        """Return the licence named by the words that begin at ``start``, or None."""
        behind = self._after_commons(words, start)
        first = self._joined.get(words[start].text[2:]) if words[start].text.startswith("ccby") else None
        is_code = words[start].text == "cc"
        if not behind and not first:
            found = self._read_elements(words, start, frozenset(), False)
            return self._without_prefix(words, found) if found else None
        found = self._read_elements(words, start + 1 if first else behind, first or frozenset(), not is_code, True)
        if not found or "by" not in found.names:
            return None
        return self._complete(words, found)

    def _after_commons(self, words: Sequence[Word], start: int) -> int:
        """Return the end of "CC" or "Creative Commons" at a word, or 0."""
        found = self._commons.longest(words, start, False)
        return found.end if found else 0

    def _without_prefix(self, words: Sequence[Word], found: _Elements) -> Optional[Name[CommonsLicence]]:
        """Return a licence that is named by its elements and its version, or stands before "Creative Commons"."""
        if "by" not in found.names:
            return None
        if len(found.names) > 1 or found.version or not found.has_code:
            for position in range(found.end, min(found.end + _MAX_BEFORE_COMMONS, len(words))):
                if not self._vocabulary.joins(words[position - 1], words[position]):
                    break
                end = self._after_commons(words, position) if words[position].text != "cc" else 0
                if end:
                    return self._complete(words, found._replace(end=end))
        return self._complete(words, found) if len(found.names) > 1 and found.version else None

    def _read_elements(self, words: Sequence[Word], start: int, first: FrozenSet[str], spelled: bool,
                       named: bool = False) -> Optional[_Elements]:
        """Return the elements and the version at a word, or None. ``spelled``: words for "licence" may stand before."""
        names, version, end, has_code, fillers = first, "", start if first else 0, bool(first), 0
        position = start
        while position < len(words):
            before, word = words[position - 1], words[position]
            is_first = not named and position == start
            # "Creative Commons 4.0 (attribution)"
            is_loose = word.dotted or bool(version) and not names
            if not is_first and not self._vocabulary.joins(before, word, is_loose):
                break
            element = self._elements.longest(words, position, False)
            if element:
                is_late = bool(version) and "by" in names
                if element.value <= names or is_late or not named and not names and "by" not in element.value:
                    break
                has_code = has_code or word.text in self._joined
                names, position = names | element.value, element.end
                end = position
            elif word.version and not version and (named or names) and (
                    word.dotted or before.text in self._vocabulary.version
                    or "by" in names and not word.gap.strip(" -_")):
                version, position = word.version, position + 1
                end = position
            elif word.text == "igo" and "by" in names and not version:
                position += 1
            elif fillers < _MAX_FILLERS and self._may_stand_between(word, names, spelled):
                fillers, position = fillers + 1, position + 1
            else:
                break
        return _Elements(names, version, end, has_code) if names else None

    def _may_stand_between(self, word: Word, names: FrozenSet[str], spelled: bool) -> bool:
        if word.text in self._vocabulary.version:
            return True
        if "by" in names:
            return word.text in self._between
        allowed = self._vocabulary.fillers if spelled else self._vocabulary.licence | {"licence"}
        return word.text in allowed or spelled and word.text == "cc"

    def _complete(self, words: Sequence[Word], found: _Elements) -> Name[CommonsLicence]:
        """Add what follows: a version, words such as "International", and the port."""
        version, end = found.version, found.end
        behind = None if version else self._vocabulary.version_behind(words, end)
        end, version = behind or (end, version)
        tail = self._tail(words, end)
        if tail != end and not version:
            behind = self._vocabulary.version_behind(words, tail)
            tail, version = behind or (end, version)
        port, end = self._port(words, tail)
        if any(word.text == "igo" for word in words[max(found.end - 3, 0):found.end]):
            port = "igo"
        return Name(self._build(found.names, version, port), end, version)

    def _tail(self, words: Sequence[Word], end: int) -> int:
        is_joined = end < len(words) and self._vocabulary.joins(words[end - 1], words[end], True)
        found = self._tails.longest(words, end, False) if is_joined else None
        return found.end if found else end

    def _port(self, words: Sequence[Word], end: int) -> Tuple[str, int]:
        """Return the port named at a word, and its end. Two letters are one only at the end of a part of a sentence."""
        if end >= len(words) or not self._vocabulary.joins(words[end - 1], words[end], True):
            return "", end
        word = words[end]
        if word.text in self._table["places"]:
            is_last = end + 1 == len(words) or words[end + 1].gap[:1] in (")", ".", ",", ";", "\n")
            if word.gap == "-" or word.gap == " " and is_last:
                return word.text, end + 1
        place = self._places.longest(words, end, False)
        return (place.value, place.end) if place else ("", end)

    def _build(self, elements: FrozenSet[str], version: str, port: str) -> CommonsLicence:
        version = version if version in self._table["versions"] else ""
        port = port if version and version < "4" else ""
        parts = _ordered(elements)
        return CommonsLicence(self._licence(parts, version, port), "CC-" + "-".join(parts), version, port)

    def _licence(self, parts: Sequence[str], version: str, port: str) -> Licence:
        kind = "-".join(parts)
        url = None
        if version:
            url = f"https://creativecommons.org/licenses/{kind}/{version}/" + (f"{port}/" if port else "")
        tail = [version] + ([port.upper()] if port else []) if version else []
        reach = {"4.0": "International", "3.0": "Unported"}.get(version, "Generic") if not port else port.upper()
        title = "Creative Commons " + "-".join(_TITLES[part] for part in parts)
        title += f" {version} {reach}" if version else ""
        ported: Dict[str, List[str]] = self._table["spdx_ports"]
        is_listed = port in ported.get(f"{kind}-{version}", ())
        name = " ".join(["CC", kind.upper()] + tail)
        return Licence(
            id="-".join(["CC", kind.upper()] + (tail if is_listed else tail[:1])), title=title, url=url, name=name,
            requires_credit=Decision.YES, share_alike="sa" in parts,
            allows_commercial=Decision.NO if "nc" in parts else Decision.YES,
            allows_derivatives=Decision.NO if "nd" in parts else Decision.YES, free_of_charge=Decision.YES,
            attribution=self._table["attribution"].replace("{licence}", name), source=url or self._table["source"])


def _ordered(elements: FrozenSet[str]) -> Sequence[str]:
    """Return the elements in the order of the licences' names. The legacy order ``by-nd-nc`` is the same licence."""
    return ["by"] + [name for name in _ELEMENTS[1:] if name in elements]

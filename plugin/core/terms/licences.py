"""The table of well-known licences (resources/licences.json), found by address, name and SPDX identifier."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, List, Mapping, Match, Optional, Pattern, Sequence, Tuple
from urllib.parse import unquote

from ..resources import RESOURCES
from ..text import fold
from .creative_commons import CreativeCommonsMatcher
from .lexicon import LICENCE_WORD, URL_WORD
from .model import Decision, Licence

TABLE_PATH = RESOURCES / "licences.json"
#: the rest of an overlong text is not searched
MAX_TEXT_LENGTH = 20_000
#: length of the pieces that are searched one by one, and how far a mention may reach beyond its piece. The time is
#: linear in the length of the text by this, whatever the patterns cost.
_PIECE, _REACH = 300, 200
_MAX_MENTIONS = 40
_MAX_FORMULA = 600
#: a text without any of these words names no licence
_TRIGGER = re.compile(
    r"\b(?:cc|cc0|creative\s?commons|pdm|public|publi\w{0,3}o?|publica?|pubblico|gemeinfrei|open|odbl|odc|pddl|ogl"
    r"|licen[cs]\w*|lizenz\w*|lisens\w*|lisenssi\w*|etalab|iodl|dl|datenlizenz|nlod|modellicentie|gratis|copernicus"
    r"|sentinel|opendata|terms_\w+|dominio|domaine|domini|government|freie|libre|libero|noncommercial\w*|[1-4]\.0)")

_ADDRESS = re.compile(
    r"(?:https?://|www\.|(?<![\w./-])(?:creative|opendata)commons\.org/)[^\s<>\"'«»“”]+", re.IGNORECASE)
_ADDRESS_PREFIX = re.compile(r"\A(?:https?:)?(?://)?(?:www\.)?", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:no|not|non|nicht|kein\w*|excepto|except|salvo|instead of|en lugar de|rather than)\s+"
    r"(?:(?:is|are|es|esta|estan|se|el|la|los|una?|an?|the|der|die|das|ist|sind|sous|bajo|under|unter|sotto|sob|con"
    r"|with|mit"
    r"|licen\w+|lizenz\w*|available|disponibles?|publicad\w+|published|distribut\w+|distribuid\w+|covered"
    r"|released)\s+){0,6}\Z")
_COMPARED = re.compile(
    r"\b(?:compatib\w+|kompatib\w+|interoperab\w+|equivalen\w+|similar\w*|aquivalent|analog[ao]?)\s+"
    r"(?:(?:with|to|con|a|al|mit|zu|zur|avec|com|amb|the|la|el|die|der|una?|an?|licen\w+|lizenz)\s+){0,4}\Z")


@dataclass(frozen=True)
class LicenceMention:
    """A licence named in a text: its position in the folded text, and its family, version and port."""

    licence: Licence
    family: str
    version: str = ""
    port: str = ""
    start: int = 0
    end: int = 0

    def is_compatible(self, other: LicenceMention) -> bool:
        """Return true where both can mean the same licence. One of them may omit the version or the port."""
        return (self.family == other.family and (not self.version or not other.version or self.version == other.version)
                and (not self.port or not other.port or self.port == other.port))

    @property
    def precision(self) -> Tuple[bool, bool]:
        """The sort key by which the most specific mention comes last."""
        return bool(self.version), bool(self.port)


class InspireCodeKind(str, Enum):
    """INSPIRE's two lists of codes: limitations on public access, and conditions of access and use."""

    ACCESS = "access"
    CONDITIONS = "conditions"


@dataclass(frozen=True)
class _TableEntry:
    licence: Licence
    family: str
    version: str
    addresses: Tuple[Pattern[str], ...]
    texts: Tuple[Pattern[str], ...]
    formulas: Tuple[Pattern[str], ...] = ()


class LicenceTable:
    """The compiled licence table."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._entries = [_parse_entry(item) for item in table["licences"]]
        self._inspire_codes = [(InspireCodeKind(item["kind"]), _parse_entry(item)) for item in table["conditions"]]
        self._commons = CreativeCommonsMatcher(table["creative_commons"])

    def find_by_address(self, address: str) -> Optional[LicenceMention]:
        """Return the licence at an address in any of its forms (scheme, language, deed or legal code), or None."""
        plain = normalise_address(address)
        for entry in self._entries:
            if any(pattern.fullmatch(plain) for pattern in entry.addresses):
                return LicenceMention(entry.licence, entry.family, entry.version)
        found = self._commons.find_by_address(plain)
        return LicenceMention(*found) if found else None

    def inspire_code(self, text: str, href: Optional[str] = None) -> Optional[Tuple[InspireCodeKind, Licence]]:
        """Return kind and entry where the whole text or its address is one of INSPIRE's codes, else None."""
        addresses = [
            normalise_address(item) for item in ([href] if href else []) + _ADDRESS.findall(text[:MAX_TEXT_LENGTH])
        ]
        words = fold(text[:400]).strip(" .,;:!\"'()")
        for kind, entry in self._inspire_codes:
            if any(pattern.fullmatch(address) for pattern in entry.addresses for address in addresses):
                return kind, entry.licence
            if len(text) <= 400 and any(pattern.fullmatch(words) for pattern in entry.texts):
                return kind, entry.licence
        return None

    def find_mentions(self, text: str, href: Optional[str] = None) -> List[LicenceMention]:
        """Return every different licence named by a text and its address, each by its most precise mention.

        A licence that the text denies ("not CC BY") or compares itself with ("compatible with CC BY") does not count.
        """
        by_address = self.find_by_address(href) if href else None
        mentions, _ = self.find_in_clause(text)
        return merge_mentions(([by_address] if by_address else []) + list(mentions))

    def without_formulas(self, text: str) -> Tuple[str, Tuple[LicenceMention, ...]]:
        """Return a text with LICENCE_WORD in place of licences that are a formula of several sentences.

        The rest of such a text is folded.
        """
        folded = fold(text[:_MAX_FORMULA]) if len(text) <= _MAX_FORMULA and _TRIGGER.search(text.lower()) else ""
        for entry in self._entries if folded else ():
            for pattern in entry.formulas:
                match = pattern.search(folded)
                if match:
                    rest = f"{folded[:match.start()]} {LICENCE_WORD}. {folded[match.end():]}"
                    return rest, (LicenceMention(entry.licence, entry.family, entry.version),)
        return text, ()

    def find_in_clause(self, text: str) -> Tuple[Tuple[LicenceMention, ...], str]:
        """Return the licences that a clause names, and the folded clause with LICENCE_WORD in place of each.

        The folded clause is empty where there is none.
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
        parts, position = [], 0
        for mention in self._find_in_text(folded):
            if _is_denied_or_compared(folded, mention):
                continue
            found.append(mention)
            if mention.start >= position:
                parts += [folded[position:mention.start], f" {LICENCE_WORD} "]
            position = max(position, mention.end)
        return tuple(found), "".join(parts) + folded[position:] if found else ""

    def _find_in_text(self, folded: str) -> List[LicenceMention]:
        found: List[LicenceMention] = []
        for start in range(0, len(folded), _PIECE):
            end = min(len(folded), start + _PIECE + _REACH)
            if _TRIGGER.search(folded, start, end):
                found += [mention for mention in self._find_in_piece(folded, start, end)
                          if mention.start < start + _PIECE]
            if len(found) > _MAX_MENTIONS:
                break
        return found[:_MAX_MENTIONS]

    def _find_in_piece(self, folded: str, start: int, end: int) -> List[LicenceMention]:
        found = [
            LicenceMention(entry.licence, entry.family, entry.version, "", match.start(), match.end())
            for entry in self._entries for pattern in entry.texts for match in pattern.finditer(folded, start, end)
        ]
        found += [LicenceMention(*item) for item in self._commons.find_in_text(folded, start, end)]
        found.sort(key=lambda mention: (mention.start, -mention.end))
        widest: List[LicenceMention] = []
        for mention in found:  # those within a wider one are not counted
            if not widest or mention.end > widest[-1].end or (mention.start, mention.end) == (widest[-1].start,
                                                                                              widest[-1].end):
                widest.append(mention)
        return widest


def licence_table() -> LicenceTable:
    """Return the bundled table, which is read once."""
    return _load_table()


def merge_mentions(mentions: Sequence[LicenceMention]) -> List[LicenceMention]:
    """Merge the mentions that can mean the same licence into the most precise one, at the position of the first."""
    merged: List[LicenceMention] = []
    for mention in sorted(mentions, key=lambda item: item.precision, reverse=True):
        if not any(mention.is_compatible(other) for other in merged):
            merged.append(mention)
    order = [mention.family for mention in mentions]
    return sorted(merged, key=lambda item: order.index(item.family))


def normalise_address(address: str) -> str:
    """Return an address in lower case without scheme, ``www.``, query, fragment, trailing slashes and punctuation."""
    bare = unquote(_ADDRESS_PREFIX.sub("", address.strip())).split("?")[0]
    bare, _, fragment = bare.partition("#")
    if fragment.startswith("terms_"):
        bare = f"opendata.swiss/{fragment}"
    bare = bare.rstrip(".,;:)]}>/ ").lower()
    return re.sub(r"\.(?:html?|rdf|json)\Z", "", bare)


def _is_denied_or_compared(folded: str, mention: LicenceMention) -> bool:
    before = folded[max(0, mention.start - 90):mention.start].rstrip("\"'([ ") + " "
    return bool(_DENIED.search(before) or _COMPARED.search(before))


def _parse_entry(item: Mapping[str, Any]) -> _TableEntry:
    licence = Licence(
        id=item["id"], title=item["title"], url=item.get("url"), name=item.get("name", ""),
        requires_credit=Decision(item["requires_credit"]), share_alike=bool(item.get("share_alike", False)),
        allows_commercial=Decision(item.get("allows_commercial", "undecided")),
        allows_derivatives=Decision(item.get("allows_derivatives", "undecided")),
        free_of_charge=Decision(item["free_of_charge"]),
        commercial_on_request=bool(item.get("commercial_on_request", False)))
    return _TableEntry(licence, item.get("family", item["id"]), item.get("version", ""),
                       tuple(re.compile(pattern) for pattern in item["addresses"]),
                       tuple(re.compile(pattern) for pattern in item["texts"]),
                       tuple(re.compile(pattern) for pattern in item.get("formulas", ())))


@lru_cache(maxsize=1)
def _load_table() -> LicenceTable:
    return LicenceTable(json.loads(TABLE_PATH.read_text(encoding="utf-8")))

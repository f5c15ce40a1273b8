"""The table of well-known licences (resources/licences.json), found by address, name and SPDX identifier."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, List, Mapping, Optional, Pattern, Sequence, Tuple
from urllib.parse import unquote

from ..resources import RESOURCES
from ..text import fold
from .creative_commons import CreativeCommonsMatcher
from .model import Decision, Licence

TABLE_PATH = RESOURCES / "licences.json"
#: the rest of an overlong text is not searched
MAX_TEXT_LENGTH = 40_000

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


@dataclass(frozen=True)
class _TableEntry:
    licence: Licence
    family: str
    version: str
    kind: str
    addresses: Tuple[Pattern[str], ...]
    texts: Tuple[Pattern[str], ...]


class LicenceTable:
    """The compiled licence table."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._entries = [_parse_entry(item) for item in table["licences"]]
        self._conditions = [_parse_entry(item) for item in table["conditions"]]
        self._commons = CreativeCommonsMatcher(table["creative_commons"])

    def find_by_address(self, address: str) -> Optional[LicenceMention]:
        """Return the licence at an address in any of its forms (scheme, language, deed or legal code), or None."""
        plain = normalise_address(address)
        for entry in self._entries:
            if any(pattern.fullmatch(plain) for pattern in entry.addresses):
                return LicenceMention(entry.licence, entry.family, entry.version)
        found = self._commons.find_by_address(plain)
        return LicenceMention(*found) if found else None

    def inspire_code(self, text: str, href: Optional[str] = None) -> Optional[Tuple[str, Licence]]:
        """Return ("access" or "conditions", entry) where the whole text or its address is one of INSPIRE's codes, else
        None.
        """
        addresses = [
            normalise_address(item) for item in ([href] if href else []) + _ADDRESS.findall(text[:MAX_TEXT_LENGTH])
        ]
        words = fold(text[:400]).strip(" .,;:!\"'()")
        for entry in self._conditions:
            if any(pattern.fullmatch(address) for pattern in entry.addresses for address in addresses):
                return entry.kind, entry.licence
            if len(text) <= 400 and any(pattern.fullmatch(words) for pattern in entry.texts):
                return entry.kind, entry.licence
        return None

    def find_mentions(self, text: str, href: Optional[str] = None) -> List[LicenceMention]:
        """Return every different licence named by a text and its address, each by its most precise mention.

        A licence that the text denies ("not CC BY") or compares itself with ("compatible with CC BY") does not count.
        """
        addresses = ([href] if href else []) + _ADDRESS.findall(text[:MAX_TEXT_LENGTH])
        found = [mention for mention in (self.find_by_address(address) for address in addresses) if mention]
        folded = fold(_ADDRESS.sub(" ", text[:MAX_TEXT_LENGTH]))
        return merge_mentions(
            found + [mention for mention in self._find_in_text(folded) if not _is_denied_or_compared(folded, mention)])

    def _find_in_text(self, folded: str) -> List[LicenceMention]:
        found = [
            LicenceMention(entry.licence, entry.family, entry.version, "", match.start(), match.end())
            for entry in self._entries for pattern in entry.texts for match in pattern.finditer(folded)
        ]
        found += [LicenceMention(*item) for item in self._commons.find_in_text(folded)]
        return sorted((mention for mention in found if not any(_contains(other, mention) for other in found)),
                      key=lambda mention: mention.start)


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
    bare = unquote(_ADDRESS_PREFIX.sub("", address.strip())).split("#")[0].split("?")[0]
    bare = bare.rstrip(".,;:)]}>/ ").lower()
    return re.sub(r"\.(?:html?|rdf|json)\Z", "", bare)


def _contains(outer: LicenceMention, inner: LicenceMention) -> bool:
    return (outer.start <= inner.start and inner.end <= outer.end
            and (outer.end - outer.start) > (inner.end - inner.start))


def _is_denied_or_compared(folded: str, mention: LicenceMention) -> bool:
    before = folded[max(0, mention.start - 90):mention.start].rstrip("\"'([ ") + " "
    return bool(_DENIED.search(before) or _COMPARED.search(before))


def _parse_entry(item: Mapping[str, Any]) -> _TableEntry:
    licence = Licence(
        id=item["id"], title=item["title"], url=item.get("url"), name=item.get("name", ""),
        requires_credit=Decision(item["requires_credit"]), share_alike=bool(item.get("share_alike", False)),
        allows_commercial=Decision(item.get("allows_commercial", "undecided")),
        allows_derivatives=Decision(item.get("allows_derivatives", "undecided")),
        free_of_charge=Decision(item["free_of_charge"]))
    return _TableEntry(licence, item.get("family", item["id"]), item.get("version", ""), item.get("kind", "licence"),
                       tuple(re.compile(pattern) for pattern in item["addresses"]),
                       tuple(re.compile(pattern) for pattern in item["texts"]))


@lru_cache(maxsize=1)
def _load_table() -> LicenceTable:
    return LicenceTable(json.loads(TABLE_PATH.read_text(encoding="utf-8")))

"""The Creative Commons licences: six kinds in many versions, ports and spellings, made from one entry of the table."""

from __future__ import annotations

import re
from typing import Any, FrozenSet, Iterator, List, Mapping, Match, Optional, Sequence, Tuple

from .model import Decision, Licence

#: the fields of a LicenceMention: (licence, family, version, port, start, end)
MentionFields = Tuple[Licence, str, str, str, int, int]

_TITLES = {"by": "Attribution", "nc": "NonCommercial", "sa": "ShareAlike", "nd": "NoDerivatives"}
_VERSION = r"(?:[\s,_(-]*(?:v(?:er(?:si[oa]n[e]?|sao|sio)?)?\.?\s*)?(?P<version>[1-4](?:[._]\d)?)(?![\d.]\d|\d))?"
_LICENCE_WORDS = (
    r"(?:[\s:,(-]+(?:licen[cs]\w{0,4}|lizenz|cc|de|la|una|publica?|publique|internationale?|internacional)\b)"
    r"{0,6}[\s:,(-]+(?:d')?")


class CreativeCommonsMatcher:
    """Finds Creative Commons licences by address and in texts, and builds the Licence that is meant."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table
        self._addresses = [re.compile(pattern) for pattern in table["addresses"]]
        self._elements = {name: re.compile(r"\b(?:" + "|".join(table[key]) + r")\b") for name, key in
                          (("nc", "noncommercial"), ("sa", "sharealike"), ("nd", "noderivatives"))}
        words = "|".join(sorted(table["noncommercial"] + table["sharealike"] + table["noderivatives"], key=len,
                                reverse=True))
        places = "|".join(re.escape(place) for names in table["places"].values() for place in names)
        ports = "|".join(table["places"])
        port = (r"(?:[\s,(]*(?:international|internacional|internationale|internazionale|unported|generic|generica)\b)?"
                rf"(?:-(?P<code>{ports})\b|[\s,(-]+(?P<place>{places})\b|\s(?P<last>{ports})(?=\W*\Z|[).,;]))?")
        elements = rf"(?P<elements>(?:[\s,/_+-]+(?:y |and |und |et |e |i )?(?:{words})\b){{0,4}})"
        attribution = "|".join(table["attribution"])
        self._patterns = [
            re.compile(rf"\bcc[\s/_-]*by(?![a-z])(?P<elements>(?:[\s/_+-]*(?:nc|sa|nd)(?![a-z]))*)(?:-(?P<igo>igo)\b)?{_VERSION}{port}"),
            re.compile(rf"\bcreative\s*commons\b{_LICENCE_WORDS}(?:{attribution})\b{elements}{_VERSION}{port}"),
            re.compile(rf"\b(?:{attribution})\b{elements}{_VERSION}(?:\s+\w+){{0,2}}\s+(?:de\s+)?creative\s*commons\b"),
            # the name of a licence without "Creative Commons": its elements and its version
            re.compile(rf"\b(?:{attribution})\b(?P<elements>(?:[\s,/_+-]{{1,3}}(?:{words})(?!\w)){{1,3}})"
                       rf"[\s,]{{1,2}}(?P<version>[1-4]\.\d)(?!\d){port}"),
        ]

    def find_by_address(self, plain: str) -> Optional[MentionFields]:
        """Return the licence of an address given without scheme and trailing slash, or None."""
        for pattern in self._addresses:
            match = pattern.fullmatch(plain)
            if match:
                parts = match.groupdict()
                elements = frozenset(re.findall(r"nc|sa|nd", parts["kind"]))
                return self._mention_fields(elements, parts.get("version") or "", parts.get("port") or "", 0, 0)
        return None

    def find_in_text(self, folded: str, start: int, end: int) -> Iterator[MentionFields]:
        """Yield every mention of a licence in a piece of a folded text."""
        for pattern in self._patterns:
            for match in pattern.finditer(folded, start, end):
                named = (match.group("elements") or "").replace("_", " ")
                elements = frozenset(name for name, words in self._elements.items() if words.search(named))
                yield self._mention_fields(elements,
                                           match.group("version") or "", self._port(match), match.start(), match.end())

    def _port(self, match: Match[str]) -> str:
        parts = match.groupdict()
        if parts.get("igo"):
            return "igo"
        place = parts.get("place")
        if place:
            return next((code for code, names in self._table["places"].items() if place in names), "")
        return parts.get("code") or parts.get("last") or ""

    def _mention_fields(self, elements: FrozenSet[str], version: str, port: str, start: int, end: int) -> MentionFields:
        version = version.replace("_", ".")
        version = version if "." in version or not version else version + ".0"
        version = version if version in self._table["versions"] else ""
        port = port if version and version < "4" else ""
        return self._licence(elements, version, port), "CC-" + "-".join(_ordered(elements)), version, port, start, end

    def _licence(self, elements: FrozenSet[str], version: str, port: str) -> Licence:
        parts = _ordered(elements)
        kind = "-".join(parts)
        url = None
        if version:
            url = f"https://creativecommons.org/licenses/{kind}/{version}/" + (f"{port}/" if port else "")
        tail = [version] + ([port.upper()] if port else []) if version else []
        reach = {"4.0": "International", "3.0": "Unported"}.get(version, "Generic") if not port else port.upper()
        title = "Creative Commons " + "-".join(_TITLES[part] for part in parts)
        title += f" {version} {reach}" if version else ""
        is_listed = port in self._table["spdx_ports"].get(f"{kind}-{version}", ())
        return Licence(
            id="-".join(["CC", kind.upper()] + (tail if is_listed else tail[:1])), title=title, url=url,
            name=" ".join(["CC", kind.upper()] + tail),
            requires_credit=Decision.YES, share_alike="sa" in elements,
            allows_commercial=Decision.NO if "nc" in elements else Decision.YES,
            allows_derivatives=Decision.NO if "nd" in elements else Decision.YES, free_of_charge=Decision.YES)


def _ordered(elements: FrozenSet[str]) -> Sequence[str]:
    """Return the elements in the order of the licences' names. The legacy order ``by-nd-nc`` is the same licence."""
    order: List[str] = ["by"]
    return order + [name for name in ("nc", "sa", "nd") if name in elements]

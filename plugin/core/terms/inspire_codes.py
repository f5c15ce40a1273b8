"""INSPIRE's codes about access and use, by address, by code, and by their labels in any wording.

A label ("no conditions apply", "conditions unknown", "no limitations on public access") consists of words of the
classes ``code-…`` of one language alone (resources/terms), so that "no conditions apply to schools" is none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Dict, Optional, Sequence

from ..text import fold
from .lexicon import Span, code_lexicons, words_of
from .licences import normalise_address, table_data
from .model import Decision, Licence
from .text_cache import cached_by_text

#: an entry of one of the two lists. What follows it is a file format, a language, or a paragraph of article 13(1)
_ADDRESS = re.compile(r"inspire\.ec\.europa\.eu/metadata-?codelist/"
                      r"(?:conditionsapplyingtoaccessanduse|limitationsonpublicaccess)/(\w+)(?:[:./].*)?")
#: PUBLIC, RESTRICTED, NON_PUBLIC, SENSITIVE and CONFIDENTIAL
_ACCESS_RIGHT = re.compile(r"publications\.europa\.eu/resource/authority/access-right/(\w+)")
_BARE = re.compile(r"[A-Za-z]+(?:_[A-Za-z0-9]+){0,3}")
_PARAGRAPH = re.compile(r"_article13_1.*\Z")
#: no entry of the lists: limits of nothing, or of use, are denied
_NO_LIMITS = "no limits"
_MAX_LABEL = 160
_MAX_WORDS = 18


@lru_cache(maxsize=1)
def inspire_codes() -> Dict[str, Licence]:
    """Return the entries of the bundled table by their codes in lower case."""
    return {item.get("code", item["url"].rpartition("/")[2]).lower(): Licence(
        item["id"], item["title"], item["url"], requires_credit=Decision(item["credit"]),
        free_of_charge=Decision(item["free"])) for item in table_data()["codes"]}


def code_at(address: str) -> Optional[Licence]:
    """Return the entry of INSPIRE's code lists at an address in any of its forms, or None.

    An access right of the EU's vocabularies (DCAT-AP 3, 5.1) is the entry about public access that means the same.
    """
    plain = normalise_address(address).partition("#")[0]
    found = _ADDRESS.fullmatch(plain)
    if found:
        return _entry(found[1])
    right = _ACCESS_RIGHT.fullmatch(plain)
    return _entry("nolimitations" if right[1] == "public" else "inspire_directive") if right else None


def code_of_text(text: str) -> Optional[Licence]:
    """Return the entry of INSPIRE's code lists that a whole text is, by its code or in words, or None."""
    text = text.strip()
    return _entry(text) if _BARE.fullmatch(text) else _entry(_stated_code(text) or "")


def denies_limits(text: str) -> bool:
    """Return true where a whole text says in words of one language that there are no limits: of access, use, or any."""
    return not _BARE.fullmatch(text.strip()) and _stated_code(text.strip()) in ("noLimitations", _NO_LIMITS)


def is_wording_of(text: str, code: Licence) -> bool:
    """Return true where a text consists of words of INSPIRE's labels in one language, among them those of a code."""
    words = words_of(fold(text)) if len(text) <= _MAX_LABEL else []
    needed = (("code-unknown",),) if code.id == "INSPIRE-conditionsUnknown" else (("code-none",), (
        "code-condition", "code-limit"))
    return code.id != "INSPIRE-Article13" and 1 < len(words) <= _MAX_WORDS and any(
        all(span.classes for span in spans) and all(any(span.has(*kinds) for span in spans) for kinds in needed)
        and any(span.has("code-unknown") for span in spans) is (code.id == "INSPIRE-conditionsUnknown")
        for spans in (lexicon.spans(words) for lexicon in code_lexicons().candidates(words)))


def _entry(code: str) -> Optional[Licence]:
    return inspire_codes().get(_PARAGRAPH.sub("", code.lower()))


@cached_by_text(4096)
def _stated_code(text: str) -> Optional[str]:
    """Return the code that a whole text states in words, or None."""
    words = words_of(fold(text)) if len(text) <= _MAX_LABEL else []
    if not 1 < len(words) <= _MAX_WORDS:
        return None
    found = {_code_in(lexicon.spans(words)) for lexicon in code_lexicons().candidates(words)} - {"foreign"}
    return found.pop() if len(found) == 1 else None


def _code_in(spans: Sequence[Span]) -> Optional[str]:
    """Return the code that the words of one language state, None for none, "foreign" where one is not known."""
    if not all(span.classes for span in spans):
        return "foreign"
    negations = sum(span.has("code-none") for span in spans)
    conditions, limits = (any(span.has(kind) for span in spans) for kind in ("code-condition", "code-limit"))
    if any(span.has("code-unknown") for span in spans):
        return "conditionsUnknown" if conditions else None
    if not negations or conditions is limits:
        return None
    if conditions:
        return "noConditionsApply"
    is_about_access = any(span.has("code-access") for span in spans) and not any(span.has("code-use") for span in spans)
    return "noLimitations" if is_about_access else _NO_LIMITS

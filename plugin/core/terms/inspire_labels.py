"""INSPIRE's labels in any wording: "no conditions apply", "conditions unknown", "no limitations on public access".

A label consists of words of the classes ``code-…`` of one language alone (resources/terms), so that "no conditions
apply to schools" is none.
"""

from __future__ import annotations

import re
from typing import Optional, Sequence

from ..text import fold
from .lexicon import Span, code_lexicons, words_of
from .licences import licence_table
from .model import Licence
from .text_cache import cached_by_text

_BASE = "http://inspire.ec.europa.eu/metadata-codelist/"
_LISTS = ("ConditionsApplyingToAccessAndUse", "LimitationsOnPublicAccess")
_BARE = re.compile(r"[A-Za-z]+(?:_[A-Za-z0-9]+){0,3}")
_MAX_LABEL = 160
_MAX_WORDS = 18


def code_of_text(text: str) -> Optional[Licence]:
    """Return the entry of INSPIRE's code lists that a whole text is, by its code or in words, or None."""
    code = text.strip() if _BARE.fullmatch(text.strip()) else stated_code(text)
    for code_list in _LISTS if code else ():
        found = licence_table().inspire_code("", f"{_BASE}{code_list}/{code}")
        if found:
            return found[1]
    return None


@cached_by_text(4096)
def stated_code(text: str) -> Optional[str]:
    """Return the last part of the address of the code that a whole text states in words, or None."""
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
    return "noLimitations" if is_about_access else None

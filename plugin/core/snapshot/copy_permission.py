"""The permission to copy maps, as far as the terms of a service state it."""

from __future__ import annotations

import re
from typing import List, Optional

from ..terms.model import Decision, Terms
from ..text import fold

_COPYING_WORDS = (
    r"(?:almacen\w*|guard\w+|copi\w+|descarg\w+|reproduc\w+|duplic\w+|uso (?:sin conexion|offline)|sin conexion"
    r"|stor(?:e|ed|ing|age)|cach(?:e|ed|es|ing)|cop(?:y|ies|ied|ying)|download\w*|offline|bulk"
    r"|mass(?:ive)? request\w*|archiv\w+|scrap\w+|speicher\w*|kopie\w*|herunterlad\w*"
    r"|stock\w+|telecharg\w+|enregistr\w+)")
_FORBIDDING_WORDS = (
    r"(?:prohib\w+|proib\w+|forbid\w*|forbidden|verboten|untersagt|interdit\w*|vietat\w+"
    r"|not? (?:be )?(?:allowed|permitted|authori[sz]ed)|no (?:esta |estan )?permitid\w+|no autorizad\w+"
    r"|no se (?:permite|autoriza)\w*|may not|must not|shall not|cannot|can not|not allow\w*|do not"
    r"|without permission"
    r"|no (?:podra|podran|puede|pueden|debe|deben|debera|deberan)|nicht (?:gestattet|zulassig|erlaubt))")
_WORDS_BETWEEN = r"(?:\W+\w+){0,7}?\W+"
_BANS = re.compile(
    rf"\b(?:{_FORBIDDING_WORDS}{_WORDS_BETWEEN}{_COPYING_WORDS}|{_COPYING_WORDS}{_WORDS_BETWEEN}{_FORBIDDING_WORDS})\b")
#: a ban on use without credit does not concern copies
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n+")
_ONLY_WITHOUT_CREDIT = re.compile(
    r"\b(?:without (?:credit|attribution|citing|mention\w*)|sin (?:citar|mencion\w*|atribu\w*))\b")


def copy_prohibition(terms: Optional[Terms]) -> str:
    """Return the sentence of the terms that forbids storing, copying or downloading, or an empty text.

    All fields that the terms were read from count. A ban on use without credit does not forbid a copy.
    """
    for text in _terms_texts(terms):
        for sentence in _SENTENCE.split(text[:20_000]):
            folded = fold(sentence)
            if _BANS.search(folded) and not _ONLY_WITHOUT_CREDIT.search(folded):
                return " ".join(sentence.split())
    return ""


def copy_reservation(terms: Optional[Terms]) -> str:
    """Return a text of the terms that people should read before they keep a copy, or an empty text."""
    if terms is None:
        return ""
    limits = [limit.text for limit in terms.limits if not limit.from_licence] or list(terms.leftovers)
    if limits:
        return " ".join(limits[0].split())
    return (terms.fees or "") if terms.free is not Decision.YES and terms.fees else ""


def _terms_texts(terms: Optional[Terms]) -> List[str]:
    if terms is None:
        return []
    texts = [*terms.texts, terms.access or "", terms.fees or ""]
    texts += [step.text for step in terms.chain]
    return list(dict.fromkeys(text for text in texts if text))

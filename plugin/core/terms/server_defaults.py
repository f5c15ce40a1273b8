"""Texts that name nobody: those with which servers are delivered ("GeoServer Web Map Service"), and empty words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import FrozenSet, Pattern, Tuple

from ..blanks import blank_words
from ..resources import RESOURCES
from ..text import fold
from .lexicon import alternatives, entries

DEFAULTS_PATH = RESOURCES / "server-defaults.txt"
_BEFORE = r"[,;.·|/–—-]"
_AFTER = r"[,;:.·|/–—-]"
_EDGES = " ,;:·|/–—-"
#: what separates the creditors of a line from each other
_BETWEEN_CREDITORS = re.compile(r"[;|·,，、；\n]|\s[–—/-]\s|(?<=[^\W\d_]{2})\.\s|(?<=/[aA])\.\s")
_SIGN = re.compile(r"©|℗|®|\(c\)|\bcopyright\b", re.IGNORECASE)
#: characters of a longer text, which is no line, title or name
_MAX_LINE = 10_000
_OUTSIDE_LETTERS = re.compile(r"\A[\W\d_]+|[\W\d_]+\Z")


@lru_cache(maxsize=1)
def server_defaults() -> Tuple[str, ...]:
    """Return the texts of the data file, the longest first."""
    lines = (line.strip() for line in DEFAULTS_PATH.read_text(encoding="utf-8").splitlines())
    return tuple(sorted({line for line in lines if line and not line.startswith("#")}, key=len, reverse=True))


def is_server_default(text: str) -> bool:
    """Return whether a title, abstract or name is nothing but a text of a server as delivered."""
    return bool(text.strip()) and not without_server_defaults(text)


def names_nobody(text: str) -> bool:
    """Return whether a title or name is a text of a server as delivered, or a word for none ("unknown", "TODO")."""
    return bool(text.strip()) and (_bare(text) in _nobody() or not without_server_defaults(text))


def nameless_creditor(line: str) -> str:
    """Return the first creditor of a line whose whole name is a word for none or a program, "" if there is no such.

    A creditor stands between commas, dashes and full stops, behind a sign or behind a label ("© none", "Source: n/a").
    A line that names nobody at all ("© 2024. All rights reserved") is returned whole.
    """
    if _bare(line) in _nobody():
        return line
    is_named = False
    for part in _BETWEEN_CREDITORS.split(line):
        names = [_bare(_labels().sub("", fold(name))) for name in _SIGN.split(part)]
        is_open = not names[-1] and _labels().match(fold(_SIGN.split(part)[-1])) is not None
        if is_open or not _nobody().isdisjoint(names):
            return part.strip()
        is_named = is_named or any(name and name not in _beside_names() for name in names)
    return "" if is_named else line


def _bare(name: str) -> str:
    """Return the folded words of a name without the years, signs and brackets around them."""
    return fold(_OUTSIDE_LETTERS.sub("", name))


@lru_cache(maxsize=1)
def _nobody() -> FrozenSet[str]:
    return frozenset((*blank_words("nobody"), *_folded()))


@lru_cache(maxsize=1)
def _beside_names() -> FrozenSet[str]:
    return frozenset((*blank_words("beside"), *map(fold, entries("label"))))


@lru_cache(maxsize=1)
def _labels() -> Pattern[str]:
    """Return the pattern of the folded words before a creditor, with their colon ("source:", "出典:")."""
    return re.compile(rf"\A[\W\d_]*(?:{alternatives('label')})\s*:")


def without_server_defaults(line: str) -> str:
    """Return a line without its parts between commas, full stops or dashes that are texts of a server as delivered."""
    if not has_server_default(line):
        return line
    remaining = _pattern().sub(lambda found: found["before"] or "", line)
    return line if remaining == line else remaining.strip(_EDGES).strip()


def has_server_default(line: str) -> bool:
    """Return whether a text of a server as delivered stands anywhere in a line."""
    folded = fold(line) if len(line) <= _MAX_LINE else ""
    return any(default in folded for default in _folded())


@lru_cache(maxsize=1)
def _folded() -> Tuple[str, ...]:
    return tuple(fold(default).strip(". ") for default in server_defaults())


@lru_cache(maxsize=1)
def _pattern() -> Pattern[str]:
    texts = "|".join(r"\s+".join(map(re.escape, default.rstrip(".").split())) for default in server_defaults())
    return re.compile(rf"(?:\A|(?P<before>(?<=[^\W\d_]{{4}})\.)\s|{_BEFORE}\s+)\s*"
                      rf"(?:(?:{texts})\.?)(?=\s*(?:\Z|{_AFTER}(?:\s|\Z)))", re.IGNORECASE)

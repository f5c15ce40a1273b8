"""Texts that name nobody: those with which servers are delivered ("GeoServer Web Map Service"), and empty words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import FrozenSet, Pattern, Tuple

from ..blanks import blank_words
from ..resources import RESOURCES
from ..text import fold
from .lexicon import entries

DEFAULTS_PATH = RESOURCES / "server-defaults.txt"
_BEFORE = r"[,;.·|/–—-]"
_AFTER = r"[,;:.·|/–—-]"
_EDGES = " ,;:·|/–—-"
#: what separates the creditors of a line from each other
_BETWEEN_CREDITORS = re.compile(r"[;|·,，、；\n]|\s[–—/-]\s|(?<=[^\W\d_]{2})\.\s|(?<=/[aA])\.\s")
_SIGN = re.compile(r"©|℗|®|\(c\)|\bcopyright\b", re.IGNORECASE)
#: characters of a longer text, which is no line, title or name
_MAX_LINE = 10_000
_BEFORE_LETTERS = re.compile(r"\A[\W\d_]+")
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
    """Return the first creditor of a line whose whole name is a word for none or a program, or "".

    A creditor stands between commas, dashes and full stops, behind a sign or behind a label ("© none", "Source: n/a").
    A line that names nobody at all ("© 2024. All rights reserved") is returned whole.
    """
    if _bare(line) in _nobody():
        return line
    is_named = False
    for part in _BETWEEN_CREDITORS.split(line):
        texts = [fold(name) for name in _SIGN.split(part)]
        names = [_bare(text[_label_length(text):]) for text in texts]
        is_open = not names[-1] and _label_length(texts[-1]) > 0
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
def _labels() -> Tuple[FrozenSet[str], Pattern[str]]:
    """Return the folded words before a creditor, and the pattern of those that are stems ("autor*").

    One pattern of all of them takes a fifth of a second to compile.
    """
    labels = {fold(label) for label in entries("label")}
    stems = {label for label in labels if "*" in label}
    pattern = "|".join(re.escape(stem).replace(r"\*", r"\w*") for stem in sorted(stems))
    return frozenset(" ".join(label.split()) for label in labels - stems), re.compile(pattern)


def _label_length(folded: str) -> int:
    """Return the length of the label with its colon that a folded text begins with ("source:", "出典:"), or 0."""
    head, colon, _name = folded.partition(":")
    words, stems = _labels()
    label = " ".join(_BEFORE_LETTERS.sub("", head).split())
    return len(head) + 1 if colon and (label in words or stems.fullmatch(label)) else 0


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

"""Texts with which servers are delivered ("GeoServer Web Map Service"): nobody's title, name or credit."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Pattern, Tuple

from ..resources import RESOURCES
from ..text import fold

DEFAULTS_PATH = RESOURCES / "server-defaults.txt"
_SEPARATOR = r"[,;:.·|/–—-]"
_EDGES = " ,;:·|/–—-"


@lru_cache(maxsize=1)
def server_defaults() -> Tuple[str, ...]:
    """Return the texts of the data file, the longest first."""
    lines = (line.strip() for line in DEFAULTS_PATH.read_text(encoding="utf-8").splitlines())
    return tuple(sorted({line for line in lines if line and not line.startswith("#")}, key=len, reverse=True))


def is_server_default(text: str) -> bool:
    """Return whether a title, abstract or name is nothing but a text of a server as delivered."""
    return bool(text.strip()) and not without_server_defaults(text)


def without_server_defaults(line: str) -> str:
    """Return a line without its parts between commas, full stops or dashes that are texts of a server as delivered."""
    folded = fold(line)
    if not any(default in folded for default in _folded()):
        return line
    remaining = _pattern().sub(lambda found: found["before"] or "", line)
    return line if remaining == line else remaining.strip(_EDGES).strip()


@lru_cache(maxsize=1)
def _folded() -> Tuple[str, ...]:
    return tuple(fold(default).strip(". ") for default in server_defaults())


@lru_cache(maxsize=1)
def _pattern() -> Pattern[str]:
    texts = "|".join(r"\s+".join(map(re.escape, default.rstrip(".").split())) for default in server_defaults())
    return re.compile(rf"(?:\A|(?P<before>(?<=[^\W\d_]{{4}})\.)\s|{_SEPARATOR}\s+)\s*"
                      rf"(?:(?:{texts})\.?)(?=\s*(?:\Z|{_SEPARATOR}(?:\s|\Z)))", re.IGNORECASE)

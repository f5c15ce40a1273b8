"""The pattern of a credit line: empty placeholders vanish together with their labels, brackets and separators."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import List, Mapping, Tuple

from ..text import single_line

DEFAULT_PATTERN = "{owner}, {title}, {year}, {licence}"
PLACEHOLDERS = ("owner", "title", "year", "licence", "url")


@dataclass(frozen=True)
class TermsSettings:
    """The person's choices about terms. ``credit_pattern`` is the pattern of the credit line."""

    credit_pattern: str = DEFAULT_PATTERN


DEFAULT_SETTINGS = TermsSettings()

_TOKEN = re.compile(r"(?P<place>\{[^{}]*\})|(?P<open>[(\[<«“\"])|(?P<close>[)\]>»”])"
                    r"|(?P<separator>\s*[,;·|•]\s*|\.\s+|\.\Z|(?<=\}):\s+|\s+[-–—/]\s+)|(?P<text>\s+"
                    r"|[^\s{}(\[<«“\")\]>»”,;:·|•.]+|.)", re.DOTALL)
_CLOSES = {"(": ")", "[": "]", "<": ">", "«": "»", "“": "”", '"': '"'}


def fill_pattern(pattern: str, values: Mapping[str, str]) -> str:
    """Return ``pattern`` with its placeholders filled.

    A part between two separators or in brackets is omitted with its label and separator where all of its placeholders
    are empty. Unknown placeholders are empty. Unbalanced braces are ignored.
    """
    tokens = [(match.lastgroup or "text", match.group()) for match in _TOKEN.finditer(pattern[:1000])]
    clean = {name: single_line(value).rstrip(" ,;:") for name, value in values.items()}
    text, _ = _fill_parts(tokens, 0, "", clean)
    return single_line(text)


def unknown_placeholders(pattern: str) -> Tuple[str, ...]:
    """Return the placeholders of a pattern that are not in PLACEHOLDERS, for the settings form."""
    found = re.findall(r"\{([^{}]*)\}", pattern)
    return tuple(name for name in dict.fromkeys(found) if name.strip() not in PLACEHOLDERS)


def _fill_parts(tokens: List[Tuple[str, str]], position: int, closing: str, values: Mapping[str,
                                                                                            str]) -> Tuple[str, int]:
    """Return the text from ``position`` to the closing bracket (or the end) and the position after it."""
    written, part, pending = "", "", ""
    placeholders = filled_placeholders = 0

    def finished() -> str:
        if placeholders and not filled_placeholders or not part.strip():
            return written
        if not written:
            return part.lstrip()
        glue = pending.lstrip(".") if written.endswith(".") and pending.startswith(".") else pending
        return written.rstrip() + glue + (part.lstrip() if glue[-1:].isspace() else part)

    while position < len(tokens):
        kind, text = tokens[position]
        position += 1
        if closing and text == closing:
            break
        if kind == "place":
            value = values.get(text[1:-1].strip(), "")
            placeholders, filled_placeholders, part = placeholders + 1, filled_placeholders + bool(value), part + value
        elif kind == "open" and any(other == _CLOSES[text] for _, other in tokens[position:]):
            inner, position = _fill_parts(tokens, position, _CLOSES[text], values)
            placeholders, filled_placeholders = placeholders + 1, filled_placeholders + bool(inner.strip())
            part = part + text + inner.strip() + _CLOSES[text] if inner.strip() else part.rstrip()
        elif kind == "separator":
            written, pending = finished(), text
            part, placeholders, filled_placeholders = "", 0, 0
        else:
            part += text
    end = finished()
    if pending.strip() == "." and not part and end and not closing and not end.endswith("."):
        end += "."
    return end, position

"""XML as text for display: decoded as declared, with lines short enough for an editor."""

from __future__ import annotations

import codecs
import re

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\x00\x00", "utf-32"), (b"\x00\x00\xfe\xff", "utf-32"),
         (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_DECLARED = re.compile(rb"""\A\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_MAX_LINE_LENGTH = 2000
_BETWEEN_TAGS = re.compile(r">\s*(?=<)")


def detect_encoding(data: bytes) -> str:
    """Return the encoding of ``data`` by its byte order mark, otherwise by its declaration, otherwise UTF-8."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding
    declared = _DECLARED.match(data[:400])
    name = declared.group(1).decode("ascii") if declared else "utf-8"
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "utf-8"


def decode_for_display(data: bytes, max_line_length: int = _MAX_LINE_LENGTH) -> str:
    """Return ``data`` as text. Invalid bytes become a mark, and lines over ``max_line_length`` are broken between tags.
    """
    text = data.decode(detect_encoding(data), "replace").replace("\r\n", "\n").replace("\r", "\n")
    if not any(len(line) > max_line_length for line in text.split("\n")):
        return text
    return "\n".join(_break_line(line, max_line_length) for line in text.split("\n"))


def _break_line(line: str, max_line_length: int) -> str:
    """Return a long line broken between its tags, and within texts if necessary."""
    if len(line) <= max_line_length:
        return line
    pieces = _BETWEEN_TAGS.sub(">\n", line).split("\n")
    return "\n".join("\n".join(piece[start:start + max_line_length]
                               for start in range(0, len(piece), max_line_length)) or piece for piece in pieces)

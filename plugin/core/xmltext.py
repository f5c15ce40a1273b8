"""XML bytes as text to look at: decoded as they declare, with lines short enough for an editor."""

from __future__ import annotations

import codecs
import re

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\x00\x00", "utf-32"), (b"\x00\x00\xfe\xff", "utf-32"),
         (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_DECLARED = re.compile(rb"""\A\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_LONGEST_LINE = 2000
_BETWEEN_TAGS = re.compile(r">\s*(?=<)")


def encoding_of(data: bytes) -> str:
    """The encoding that ``data`` has by its byte order mark, else by its declaration, else UTF-8."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding
    declared = _DECLARED.match(data[:400])
    name = declared.group(1).decode("ascii") if declared else "utf-8"
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "utf-8"


def text_of(data: bytes, longest: int = _LONGEST_LINE) -> str:
    """``data`` as text; misfits become a mark, lines over ``longest`` characters break between tags."""
    text = data.decode(encoding_of(data), "replace").replace("\r\n", "\n").replace("\r", "\n")
    if not any(len(line) > longest for line in text.split("\n")):
        return text
    return "\n".join(_broken(line, longest) for line in text.split("\n"))


def _broken(line: str, longest: int) -> str:
    """A long line cut between its tags, and where that is not enough, in its middle."""
    if len(line) <= longest:
        return line
    pieces = _BETWEEN_TAGS.sub(">\n", line).split("\n")
    return "\n".join("\n".join(piece[start:start + longest] for start in range(0, len(piece), longest)) or piece
                     for piece in pieces)

"""Objects of PDF files (ISO 32000-1, 7.3), read and written.

Values are Python's own: None, bool, int, float, bytes for strings, lists, and dicts by names without their slash.
``PdfName`` and ``PdfReference`` are the two kinds that Python does not have.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, NamedTuple, Tuple

from ..errors import CartoguideError
from ..i18n import tr

#: bytes of a string (ISO 19005-3, 6.1.13)
MAX_STRING = 32_767
#: levels of arrays and dictionaries within each other
_MAX_DEPTH = 50
_SPACE = re.compile(rb"(?:[\x00\t\n\x0c\r ]+|%[^\r\n]*)*")
_REFERENCE = re.compile(rb"(\d{1,9})[\x00\t\n\x0c\r ]+(\d{1,5})[\x00\t\n\x0c\r ]+R(?![\w.])")
_NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)")
_REGULAR = re.compile(rb"[^\x00\t\n\x0c\r ()<>\[\]{}/%]*")
_KEYWORD = re.compile(rb"true|false|null")
_HEX = re.compile(rb"[0-9A-Fa-f\s]*")
_ESCAPED_NAME = re.compile(rb"#([0-9A-Fa-f]{2})")
_LITERAL_PART = re.compile(rb"[^()\\\r]+|\\(?:[0-7]{1,3}|\r\n|.|\n)|\r\n?|[()]", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"", b"\r\n": b""}

#: a bytes-like object, an open file's memory map among them
Buffer = Any


class PdfName(str):
    """A name, without its slash."""


class PdfReference(NamedTuple):
    """A reference to an indirect object."""

    number: int
    generation: int = 0


PdfDict = Dict[str, Any]


class UnreadablePdf(CartoguideError):
    """A PDF whose structure cannot be read."""

    def __init__(self, detail: str) -> None:
        super().__init__(tr("The structure of the PDF cannot be read."), detail)


def read_value(data: Buffer, position: int, depth: int = 0) -> Tuple[Any, int]:
    """Return the object at ``position`` and the position after it. Raises UnreadablePdf where there is none."""
    if depth > _MAX_DEPTH:
        raise UnreadablePdf(f"objects are nested too deep at {position}")
    position = skip_space(data, position)
    start = bytes(data[position:position + 2])
    if start == b"<<":
        return _read_dict(data, position + 2, depth)
    if start[:1] == b"[":
        return _read_list(data, position + 1, depth)
    if start[:1] == b"/":
        end = _end_of(_REGULAR, data, position + 1)
        name = _ESCAPED_NAME.sub(lambda found: bytes([int(found[1], 16)]), bytes(data[position + 1:end]))
        return PdfName(name.decode("utf-8", "replace")), end
    if start[:1] == b"(":
        return _read_literal(data, position + 1)
    if start[:1] == b"<":
        return _read_hex(data, position + 1)
    reference = _REFERENCE.match(data, position)
    if reference is not None:
        return PdfReference(int(reference[1]), int(reference[2])), reference.end()
    number = _NUMBER.match(data, position)
    if number is not None:
        return float(number[0]) if b"." in number[0] else int(number[0]), number.end()
    keyword = _KEYWORD.match(data, position)
    if keyword is not None:
        return {b"true": True, b"false": False, b"null": None}[keyword[0]], keyword.end()
    raise UnreadablePdf(f"no object at {position}: {start!r}")


def skip_space(data: Buffer, position: int) -> int:
    """Return the position of the first byte from ``position`` on that is neither white space nor in a comment."""
    return _end_of(_SPACE, data, position)


def write_value(value: Any) -> bytes:
    """Return the object as a file has it. Strings are written in hexadecimal digits."""
    if value is None:
        return b"null"
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, PdfReference):
        return b"%d %d R" % value
    if isinstance(value, (int, float)):
        return f"{value:.6f}".rstrip("0").rstrip(".").encode() if isinstance(value, float) else b"%d" % value
    if isinstance(value, PdfName):
        return b"/" + _written_name(value)
    if isinstance(value, bytes):
        return b"<" + value.hex().upper().encode() + b">"
    if isinstance(value, str):
        return write_value(text_string(value))
    if isinstance(value, dict):
        return b"<< " + b" ".join(b"/" + _written_name(name) + b" " + write_value(item)
                                  for name, item in value.items()) + b" >>"
    return b"[" + b" ".join(map(write_value, value)) + b"]"


def text_string(text: str) -> bytes:
    """Return the bytes of a text string: ASCII as it is, everything else as UTF-16 with its mark (7.9.2.2).

    A text that is longer than a string may be is cut.
    """
    if text.isascii():
        return text[:MAX_STRING].encode()
    encoded = text[:MAX_STRING].encode("utf-16-be", "replace")[:MAX_STRING - 3]
    # half a pair of surrogates is no character
    return b"\xfe\xff" + (encoded[:-2] if 0xd8 <= encoded[-2] <= 0xdb else encoded)


def _written_name(name: str) -> bytes:
    return b"".join(bytes([byte]) if 0x21 <= byte <= 0x7e and byte not in b"#()<>[]{}/%" else b"#%02X" % byte
                    for byte in name.encode("utf-8"))


def _read_dict(data: Buffer, position: int, depth: int) -> Tuple[PdfDict, int]:
    members: PdfDict = {}
    while True:
        position = skip_space(data, position)
        if bytes(data[position:position + 2]) == b">>":
            return members, position + 2
        name, position = read_value(data, position, depth + 1)
        if not isinstance(name, PdfName):
            raise UnreadablePdf(f"a dictionary has no name at {position}")
        members[str(name)], position = read_value(data, position, depth + 1)


def _read_list(data: Buffer, position: int, depth: int) -> Tuple[List[Any], int]:
    items: List[Any] = []
    while True:
        position = skip_space(data, position)
        if bytes(data[position:position + 1]) == b"]":
            return items, position + 1
        item, position = read_value(data, position, depth + 1)
        items.append(item)


def _read_literal(data: Buffer, position: int) -> Tuple[bytes, int]:
    parts: List[bytes] = []
    level = 1
    while True:
        match = _LITERAL_PART.match(data, position)
        if match is None:
            raise UnreadablePdf(f"a string has no end at {position}")
        part, position = match[0], match.end()
        if part == b"(":
            level += 1
        elif part == b")":
            level -= 1
            if not level:
                return b"".join(parts), position
        elif part[:1] == b"\r":
            part = b"\n"
        elif part[:1] == b"\\":
            escape = part[1:]
            part = bytes([int(escape, 8) & 255]) if escape.isdigit() and escape < b"8" else _ESCAPES.get(escape, escape)
        parts.append(part)


def _read_hex(data: Buffer, position: int) -> Tuple[bytes, int]:
    end = _end_of(_HEX, data, position)
    if bytes(data[end:end + 1]) != b">":
        raise UnreadablePdf(f"a string has no end at {position}")
    digits = b"".join(bytes(data[position:end]).split())
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode()), end + 1


def _end_of(pattern: re.Pattern[bytes], data: Buffer, position: int) -> int:
    """Return the position after what the pattern, which may be empty, matches at ``position``."""
    match = pattern.match(data, position)
    return match.end() if match is not None else position

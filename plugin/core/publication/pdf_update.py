"""Objects of PDF files (ISO 32000-1, 7.3), and incremental updates (7.5.6): new objects are appended, the rest stays.

QGIS writes PDF 1.4 without structure, XMP or attachments, and GDAL adds a georeference. What is missing is appended,
so that images of hundreds of megabytes are neither decoded nor copied. Files with a cross-reference stream or with
encryption, which neither QGIS nor GDAL writes, cannot be updated.
"""

from __future__ import annotations

import re
import zlib
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

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
PdfDict = Dict[str, Any]
#: bytes that a stream may unpack to
_MAX_STREAM = 64_000_000
_MAX_SECTIONS = 100
_STARTXREF = re.compile(rb"startxref\s+(\d{1,12})\s+%%EOF")
_SUBSECTION = re.compile(rb"\s*(\d{1,9})\s+(\d{1,9})\s*\r?\n?")
_ENTRY = re.compile(rb"(\d{10}) (\d{5}) ([nf])[ \r\n]{1,2}")
_HEADER = re.compile(rb"\s*(\d{1,9})\s+(\d{1,5})\s+obj")
_STREAM = re.compile(rb"stream(?:\r\n|\n)")


class PdfName(str):
    """A name, without its slash."""


class PdfReference(NamedTuple):
    """A reference to an indirect object."""

    number: int
    generation: int = 0


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


def read_text_string(value: Any) -> str:
    """Return the text of a text string (ISO 32000-1, 7.9.2.2), "" for anything else.

    Of PDFDocEncoding only what it shares with Latin-1 is read.
    """
    if not isinstance(value, (bytes, bytearray)):
        return value if isinstance(value, str) else ""
    if value[:2] == b"\xfe\xff":
        return bytes(value[2:]).decode("utf-16-be", "replace")
    return bytes(value).decode("latin-1")


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


_FLATE = PdfName("FlateDecode")


class PdfUpdate:
    """A PDF and the objects that are to be added to it or to replace present ones.

    ``data`` is the whole file. Raises UnreadablePdf if its structure is not understood.
    """

    def __init__(self, data: Buffer) -> None:
        self._data = data
        self._changed: Dict[int, Tuple[int, bytes]] = {}
        self._offsets: Dict[int, Tuple[int, int]] = {}
        self._values: Dict[int, Any] = {}
        found = _STARTXREF.findall(bytes(data[max(0, len(data) - 2048):]))
        if not found:
            raise UnreadablePdf("there is no startxref")
        self._last_section = int(found[-1])
        self.trailer = self._read_sections()
        if "Encrypt" in self.trailer:
            raise UnreadablePdf("the file is encrypted")
        self._size = max([int(self.trailer.get("Size", 0)), *(number + 1 for number in self._offsets)])

    @property
    def catalogue(self) -> PdfReference:
        root = self.trailer.get("Root")
        if not isinstance(root, PdfReference):
            raise UnreadablePdf("the trailer names no catalogue")
        return root

    def value(self, value: Any) -> Any:
        """Return ``value``, or the object that it refers to. Of a stream the dictionary is returned."""
        if not isinstance(value, PdfReference):
            return value
        if value.number not in self._values:
            position = self._position(value)
            self._values[value.number] = None if position is None else read_value(self._data, position)[0]
        return self._values[value.number]

    def dictionary(self, value: Any) -> PdfDict:
        """Return a copy of the dictionary that ``value`` is or refers to, empty if it is something else."""
        found = self.value(value)
        return dict(found) if isinstance(found, dict) else {}

    def stream(self, reference: Any) -> bytes:
        """Return the unpacked bytes of a stream. Raises UnreadablePdf for a filter other than FlateDecode."""
        position = self._position(reference) if isinstance(reference, PdfReference) else None
        if position is None:
            raise UnreadablePdf(f"there is no stream {reference}")
        members, position = read_value(self._data, position)
        start = _STREAM.match(self._data, skip_space(self._data, position))
        length = self.value(members.get("Length")) if isinstance(members, dict) else None
        if start is None or not isinstance(length, int) or length < 0:
            raise UnreadablePdf(f"object {reference.number} is no stream")
        packed = bytes(self._data[start.end():start.end() + length])
        filters = self.value(members.get("Filter"))
        if isinstance(filters, list) and len(filters) == 1:
            filters = filters[0]
        if filters in (None, []):
            return packed
        if filters != "FlateDecode" or members.get("DecodeParms"):
            raise UnreadablePdf(f"object {reference.number} is packed with {filters}")
        return inflate(packed)

    def pages(self) -> List[PdfReference]:
        """Return the references of the pages, in order."""
        pages: List[PdfReference] = []
        waiting = [self.value(self.catalogue)["Pages"]]
        seen = set()
        while waiting:
            node = waiting.pop(0)
            if not isinstance(node, PdfReference) or node in seen:
                raise UnreadablePdf("the tree of pages is broken")
            seen.add(node)
            kids = self.value(self.dictionary(node).get("Kids"))
            if isinstance(kids, list):
                waiting[:0] = kids
            else:
                pages.append(node)
        return pages

    def add(self, value: Any, stream: Optional[bytes] = None, packed: bool = True) -> PdfReference:
        """Add an object, a stream if ``stream`` is given, and return its reference."""
        reference = PdfReference(self._size)
        self._size += 1
        self.replace(reference, value, stream, packed)
        return reference

    def reserve(self) -> PdfReference:
        """Return the reference of an object that is going to be written by ``replace``."""
        return self.add(None)

    def replace(self, reference: PdfReference, value: Any, stream: Optional[bytes] = None, packed: bool = True) -> None:
        """Write an object anew. ``packed`` streams are compressed with FlateDecode."""
        if stream is None:
            body = write_value(value)
        else:
            if packed:
                stream, value = zlib.compress(stream, 6), {**value, "Filter": _FLATE}
            body = write_value({**value, "Length": len(stream)}) + b"\nstream\n" + stream + b"\nendstream"
        self._changed[reference.number] = (reference.generation, body)
        self._values[reference.number] = value

    def appendix(self, trailer: PdfDict) -> bytes:
        """Return the bytes to append to the file. ``trailer`` has members that the trailer is to have besides."""
        start = len(self._data)
        parts = [b"\n"]
        offsets: Dict[int, int] = {}
        position = start + 1
        for number in sorted(self._changed):
            generation, body = self._changed[number]
            offsets[number] = position
            part = b"%d %d obj\n" % (number, generation) + body + b"\nendobj\n"
            parts.append(part)
            position += len(part)
        # some readers take the first section of a table for the one that begins with object 0
        parts.append(b"xref\n0 1\n0000000000 65535 f \n")
        for first, numbers in _runs(sorted(offsets)):
            parts.append(b"%d %d\n" % (first, len(numbers)))
            parts += [b"%010d %05d n \n" % (offsets[number], self._changed[number][0]) for number in numbers]
        members: PdfDict = {name: self.trailer[name] for name in ("Root", "Info", "ID") if name in self.trailer}
        members.update({**trailer, "Size": self._size, "Prev": self._last_section})
        parts.append(b"trailer\n" + write_value(members) + b"\nstartxref\n%d\n%%%%EOF\n" % position)
        return b"".join(parts)

    def _position(self, reference: PdfReference) -> Optional[int]:
        """Return the position behind an object's header, or None for an object that is not there."""
        offset, _generation = self._offsets.get(reference.number, (0, 0))
        header = _HEADER.match(self._data, offset) if offset else None
        if header is None:
            return None
        if int(header[1]) != reference.number:
            raise UnreadablePdf(f"object {reference.number} is not at {offset}")
        return header.end()

    def _read_sections(self) -> PdfDict:
        """Read the cross-reference sections, the newest first, and return the newest trailer."""
        trailer: Optional[PdfDict] = None
        position: Any = self._last_section
        for _section in range(_MAX_SECTIONS):
            members = self._read_section(position)
            trailer = members if trailer is None else trailer
            position = members.get("Prev")
            if not isinstance(position, int):
                return trailer
        raise UnreadablePdf("there are too many cross-reference sections")

    def _read_section(self, position: int) -> PdfDict:
        position = skip_space(self._data, position)
        if bytes(self._data[position:position + 4]) != b"xref":
            raise UnreadablePdf(f"there is no cross-reference table at {position}")
        position += 4
        while True:
            subsection = _SUBSECTION.match(self._data, position)
            if subsection is None:
                break
            position = subsection.end()
            for number in range(int(subsection[1]), int(subsection[1]) + int(subsection[2])):
                entry = _ENTRY.match(self._data, position)
                if entry is None:
                    raise UnreadablePdf(f"the cross-reference table is broken at {position}")
                position = entry.end()
                self._offsets.setdefault(number, (int(entry[1]) if entry[3] == b"n" else 0, int(entry[2])))
        position = skip_space(self._data, position)
        if bytes(self._data[position:position + 7]) != b"trailer":
            raise UnreadablePdf(f"there is no trailer at {position}")
        members, _end = read_value(self._data, position + 7)
        if not isinstance(members, dict):
            raise UnreadablePdf("the trailer is no dictionary")
        return members


def inflate(packed: bytes, limit: int = _MAX_STREAM) -> bytes:
    """Return the unpacked bytes of a FlateDecode stream, at most ``limit``. Raises UnreadablePdf."""
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(packed, limit)
    except zlib.error as error:
        raise UnreadablePdf(f"a stream cannot be unpacked: {error}") from error
    if unpacking.unconsumed_tail:
        raise UnreadablePdf(f"a stream unpacks to more than {limit} bytes")
    return data


def _runs(numbers: List[int]) -> List[Tuple[int, List[int]]]:
    """Return consecutive numbers together, each run with its first."""
    runs: List[Tuple[int, List[int]]] = []
    for number in numbers:
        if runs and runs[-1][0] + len(runs[-1][1]) == number:
            runs[-1][1].append(number)
        else:
            runs.append((number, [number]))
    return runs

"""Incremental updates of PDF files (ISO 32000-1, 7.5.6): new objects are appended, what is there stays byte by byte.

QGIS writes PDF 1.4 without structure, XMP or attachments, and GDAL adds a georeference. What is missing is appended,
so that images of hundreds of megabytes are neither decoded nor copied. Files with a cross-reference stream or with
encryption, which neither QGIS nor GDAL writes, cannot be updated.
"""

from __future__ import annotations

import re
import zlib
from typing import Any, Dict, List, Optional, Tuple

from .pdf_objects import Buffer, PdfDict, PdfName, PdfReference, UnreadablePdf, read_value, skip_space, write_value

#: bytes that a stream may unpack to
_MAX_STREAM = 64_000_000
_MAX_SECTIONS = 100
_STARTXREF = re.compile(rb"startxref\s+(\d{1,12})\s+%%EOF")
_SUBSECTION = re.compile(rb"\s*(\d{1,9})\s+(\d{1,9})\s*\r?\n?")
_ENTRY = re.compile(rb"(\d{10}) (\d{5}) ([nf])[ \r\n]{1,2}")
_HEADER = re.compile(rb"\s*(\d{1,9})\s+(\d{1,5})\s+obj")
_STREAM = re.compile(rb"stream(?:\r\n|\n)")
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

    def replace(self, reference: PdfReference, value: Any, stream: Optional[bytes] = None,
                packed: bool = True) -> None:
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

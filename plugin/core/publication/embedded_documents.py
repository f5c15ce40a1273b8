"""The custom map's document inside published maps, and the name of the list of sources beside it.

A map may have been saved again by another program, and may come from anywhere. So a PDF is not read as a whole: its
attachments are streams that stand by themselves in every PDF (ISO 32000-1, 7.5.7), and each is tried. Of a TIFF only
the directories are read, and the tag in which GDAL has its metadata.
"""

from __future__ import annotations

import re
import struct
import zlib
from typing import Iterator, NamedTuple, Optional, Tuple

from .. import json_document
from ..errors import CartoguideError
from ..i18n import tr
from ..text import unescaped
from .pdf_update import Buffer

DOCUMENT_NAME = "map.custommap.json"
SOURCES_NAME = "cartoguide-sources.json"
#: domain and item of GDAL's metadata in a GeoTIFF
TIFF_DOMAIN = "CARTOGUIDE"
#: suffixes of published maps that have their document inside
MAP_SUFFIXES = (".pdf", ".png", ".tif", ".tiff")

_MAX_ATTACHMENTS = 200
_MAX_CHUNKS = 20_000
_MAX_BYTES = json_document.MAX_BYTES
#: bytes in which a document names its format, and those of a stream's dictionary
_HEAD, _MAX_DICTIONARY = 4_000, 2_000
#: bytes at the end and at the beginning of a PDF in which a document is searched: exported maps have it at the end, and
#: other programs may write it first. Of a PDF of gigabytes the rest is not read
_SEARCHED_TAIL, _SEARCHED_HEAD = 48_000_000, 8_000_000
#: text at the head of every document
_DOCUMENT_MARKER = b'"cartoguide-custommap"'
_STREAM = re.compile(rb"stream\r?\n")
_TIFF_ITEM = re.compile(rb'<Item name="([^"]{1,80})"[^<>]{0,200}domain="CARTOGUIDE"[^<>]{0,200}>([^<]*)</Item>')
_TIFF_MAGIC = (b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")
#: the tag with GDAL's metadata, and the types of its value: bytes and text
_GDAL_METADATA, _TIFF_TEXT = 42112, (1, 2, 7)
#: directories of a TIFF that are read, entries of one, and bytes of GDAL's metadata, which are escaped twice
_MAX_DIRECTORIES, _MAX_ENTRIES, _MAX_METADATA = 64, 1_000, 4 * _MAX_BYTES


def embedded_document(data: Buffer) -> Optional[bytes]:
    """Return the custom map's document inside a published map, or None. ``data`` is the whole PDF, PNG or GeoTIFF.

    Raises CartoguideError if a PDF has more attachments than are read, and no document among those.
    """
    head = bytes(data[:8])
    if head.startswith(b"%PDF-"):
        return _pdf_attachment(data, 0, len(data))
    if head == b"\x89PNG\r\n\x1a\n":
        return _png_text(data)
    return _tiff_item(data) if head.startswith(_TIFF_MAGIC) else None


def is_published_map(data: Buffer) -> bool:
    """Return whether the bytes begin as a PDF, PNG or TIFF does."""
    return bytes(data[:8]).startswith((b"%PDF-", b"\x89PNG\r\n\x1a\n", *_TIFF_MAGIC))


def document_inside(data: Buffer, name: str) -> bytes:
    """Return the custom map's document inside the map ``name``. Raises CartoguideError if there is none.

    Of a large PDF only the end and the beginning are searched, so that this takes no longer than a blink.
    """
    size = len(data)
    if bytes(data[:8]).startswith(b"%PDF-") and size > _SEARCHED_TAIL + _SEARCHED_HEAD:
        parts = ((size - _SEARCHED_TAIL, size), (0, _SEARCHED_HEAD))
        found = next(filter(None, (_pdf_attachment(data, start, end) for start, end in parts)), None)
    else:
        found = embedded_document(data)
    if found is None:
        raise CartoguideError(tr("{name} contains no custom map. Only maps that Cartoguide exported as PDF, PNG or "
                                 "GeoTIFF contain theirs.", name=name))
    return found


def _pdf_attachment(data: Buffer, first: int, end: int) -> Optional[bytes]:
    """Return the last document among the attachments between two positions of a PDF.

    An update stands behind what it replaces.
    """
    for _candidate in range(_MAX_ATTACHMENTS):
        end = data.rfind(b"/EmbeddedFile", first, end)
        if end < 0:
            return None
        keyword = _STREAM.search(bytes(data[end:end + _MAX_DICTIONARY]))
        if keyword is None:
            continue
        start = end + keyword.end()
        for unpack in (_unpacked, _as_it_is):
            if _DOCUMENT_MARKER in unpack(data, start, _HEAD):
                return unpack(data, start, _MAX_BYTES)
    if data.rfind(b"/EmbeddedFile", first, end) >= 0:
        raise CartoguideError(tr("The file has more than {count} attachments, and only these were read.",
                                 count=_MAX_ATTACHMENTS))
    return None


def _unpacked(data: Buffer, start: int, limit: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(bytes(data[start:start + limit]), limit)
    except zlib.error:
        return b""


def _as_it_is(data: Buffer, start: int, limit: int) -> bytes:
    return bytes(data[start:start + limit]).partition(b"endstream")[0].rstrip(b"\r\n")


def _png_text(data: Buffer) -> Optional[bytes]:
    """Return the document among the international texts of a PNG (ISO/IEC 15948, 11.3.4.5), or None."""
    position, keyword = 8, DOCUMENT_NAME.encode("latin-1") + b"\x00"
    for _chunk in range(_MAX_CHUNKS):
        if position + 12 > len(data):
            break
        length, kind = struct.unpack(">I4s", bytes(data[position:position + 8]))
        if kind == b"iTXt" and bytes(data[position + 8:position + 8 + len(keyword)]) == keyword and length < _MAX_BYTES:
            body = bytes(data[position + 8 + len(keyword):position + 8 + length])
            text = body[2:].split(b"\x00", 2)[-1]
            if body[:1] != b"\x01":
                return text
            try:
                return zlib.decompressobj().decompress(text, _MAX_BYTES)
            except zlib.error:
                return None
        if kind == b"IEND":
            break
        position += 12 + length
    return None


class _TiffLayout(NamedTuple):
    """The layout of a TIFF's directories (TIFF 6.0, 2, and BigTIFF)."""

    order: str
    is_big: bool

    def first(self, data: Buffer) -> int:
        """Return the position of the first directory."""
        position, kind = (8, "Q") if self.is_big else (4, "I")
        return self._number(data, position, kind)

    def directory(self, data: Buffer, position: int) -> Tuple[int, int, int]:
        """Return the number of entries of a directory, the position of the first one, and the bytes of one."""
        if self.is_big:
            return self._number(data, position, "Q"), position + 8, 20
        return self._number(data, position, "H"), position + 2, 12

    def value(self, data: Buffer, position: int) -> Tuple[int, int, int, int]:
        """Return tag, type and count of the entry at ``position``, and the position of its value."""
        tag, kind = self._number(data, position, "H"), self._number(data, position + 2, "H")
        if self.is_big:
            count, place, inline = self._number(data, position + 4, "Q"), position + 12, 8
        else:
            count, place, inline = self._number(data, position + 4, "I"), position + 8, 4
        return tag, kind, count, place if count <= inline else self.next(data, place)

    def next(self, data: Buffer, position: int) -> int:
        return self._number(data, position, "Q" if self.is_big else "I")

    def _number(self, data: Buffer, position: int, kind: str) -> int:
        layout = self.order + kind
        return int(struct.unpack(layout, bytes(data[position:position + struct.calcsize(layout)]))[0])


def _tiff_metadata(data: Buffer) -> Iterator[bytes]:
    """Yield GDAL's metadata of each directory of a TIFF."""
    head = bytes(data[:4])
    layout = _TiffLayout("<" if head.startswith(b"II") else ">", b"+" in head)
    try:
        position = layout.first(data)
        for _directory in range(_MAX_DIRECTORIES):
            if not 0 < position < len(data):
                return
            count, entries, size = layout.directory(data, position)
            for number in range(min(count, _MAX_ENTRIES)):
                tag, kind, length, value = layout.value(data, entries + number * size)
                if tag == _GDAL_METADATA and kind in _TIFF_TEXT and length <= _MAX_METADATA:
                    yield bytes(data[value:value + length])
            position = layout.next(data, entries + count * size)
    except (struct.error, OverflowError):
        return


def _tiff_item(data: Buffer) -> Optional[bytes]:
    for metadata in _tiff_metadata(data):
        for match in _TIFF_ITEM.finditer(metadata):
            if match[1] == DOCUMENT_NAME.encode() and len(match[2]) <= 2 * _MAX_BYTES:
                # GDAL escapes the value, and its XML once more
                return unescaped(unescaped(match[2].decode("utf-8", "replace"))).encode("utf-8", "replace")
    return None

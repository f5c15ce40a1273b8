"""The files inside published maps: the custom map's document and the list of its sources.

A map may have been saved again by another program, and may come from anywhere. So a PDF is not read as a whole: its
attachments are streams that stand by themselves in every PDF (ISO 32000-1, 7.5.7), and each is tried.
"""

from __future__ import annotations

import re
import struct
import zlib
from typing import Iterator, Optional

from .. import json_document
from ..errors import CartoguideError
from ..i18n import tr
from ..text import unescaped
from .pdf_objects import Buffer

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
_STREAM = re.compile(rb"stream\r?\n")
_TIFF_ITEM = re.compile(rb'<Item name="([^"]{1,80})"[^<>]{0,200}domain="CARTOGUIDE"[^<>]{0,200}>([^<]*)</Item>')
_TIFF_MAGIC = (b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")


def embedded_file(data: Buffer, name: str) -> Optional[bytes]:
    """Return the file ``name`` inside a published map, or None. ``data`` is the whole PDF, PNG or GeoTIFF."""
    return next(embedded_files(data, name), None)


def embedded_files(data: Buffer, name: str) -> Iterator[bytes]:
    """Yield all files ``name`` inside a published map, the newest first: a PDF of several maps has one of each.

    Raises CartoguideError after the last one that is read if there are more attachments.
    """
    head = bytes(data[:8])
    if head.startswith(b"%PDF-"):
        yield from _pdf_attachments(data, _FORMATS[name])
        return
    found = png_text(data, name) if head == b"\x89PNG\r\n\x1a\n" else \
        _tiff_item(data, name) if head.startswith(_TIFF_MAGIC) else None
    if found is not None:
        yield found


def is_published_map(data: Buffer) -> bool:
    """Return whether the bytes begin as a PDF, PNG or TIFF does."""
    return bytes(data[:8]).startswith((b"%PDF-", b"\x89PNG\r\n\x1a\n", *_TIFF_MAGIC))


def document_inside(data: Buffer, name: str) -> bytes:
    """Return the custom map's document inside the map ``name``. Raises CartoguideError if there is none."""
    found = embedded_file(data, DOCUMENT_NAME)
    if found is None:
        raise CartoguideError(tr("{name} contains no custom map. Only maps that Cartoguide exported as PDF, PNG or "
                                 "GeoTIFF contain theirs.", name=name))
    return found


_FORMATS = {DOCUMENT_NAME: b'"cartoguide-custommap"', SOURCES_NAME: b'"cartoguide-sources"'}


def _pdf_attachments(data: Buffer, marker: bytes) -> Iterator[bytes]:
    """Yield the attachments of a PDF that have ``marker`` at their head.

    The last comes first, because an update stands behind what it replaces.
    """
    end = len(data)
    for _candidate in range(_MAX_ATTACHMENTS):
        end = data.rfind(b"/EmbeddedFile", 0, end)
        if end < 0:
            return
        keyword = _STREAM.search(bytes(data[end:end + _MAX_DICTIONARY]))
        if keyword is None:
            continue
        start = end + keyword.end()
        for unpack in (_unpacked, _as_it_is):
            if marker in unpack(data, start, _HEAD):
                yield unpack(data, start, _MAX_BYTES)
                break
    if data.rfind(b"/EmbeddedFile", 0, end) >= 0:
        raise CartoguideError(tr("The file has more than {count} attachments, and only these were read.",
                                 count=_MAX_ATTACHMENTS))


def _unpacked(data: Buffer, start: int, limit: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(bytes(data[start:start + limit]), limit)
    except zlib.error:
        return b""


def _as_it_is(data: Buffer, start: int, limit: int) -> bytes:
    return bytes(data[start:start + limit]).partition(b"endstream")[0].rstrip(b"\r\n")


def png_text(data: Buffer, name: str) -> Optional[bytes]:
    """Return the international text ``name`` of a PNG (ISO/IEC 15948, 11.3.4.5), or None."""
    position, keyword = 8, name.encode("latin-1") + b"\x00"
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


def _tiff_item(data: Buffer, name: str) -> Optional[bytes]:
    for match in _TIFF_ITEM.finditer(data):
        if match[1] == name.encode() and len(match[2]) <= 2 * _MAX_BYTES:
            # GDAL escapes the value, and its XML once more
            return unescaped(unescaped(match[2].decode("utf-8", "replace"))).encode("utf-8", "replace")
    return None

"""XMP, credits and attachments in images: PNG (ISO/IEC 15948), JPEG (ISO/IEC 10918-1), GIF (GIF89a) and SVG."""

from __future__ import annotations

import struct
import zlib
from typing import List, Sequence, Tuple

from lxml import etree

from ..safe_xml import serialise
from ..text import printable
from .animated_gif import SIGNATURE, sub_blocks
from .map_statement import MapStatement
from .pdf_description import Attachment
from .xmp import xmp_packet

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_XMP = "XML:com.adobe.xmp"
_JPEG_XMP = b"http://ns.adobe.com/xap/1.0/\x00"
_JPEG_IPTC = b"Photoshop 3.0\x00"
_GIF_COMMENT, _GIF_XMP = b"\x21\xfe", b"\x21\xff\x0bXMP DataXMP"
#: XMP stands in a GIF as it is, not in sub-blocks: these bytes lead a reader of sub-blocks to its end
_GIF_XMP_END = b"\x01" + bytes(range(255, -1, -1)) + b"\x00"
#: bytes of a GIF's comment
_MAX_COMMENT = 10_000
#: bytes that a JPEG segment holds
_MAX_SEGMENT = 65_533
#: datasets of IPTC-IIM's record 2 and their largest sizes in bytes
_TITLE, _KEYWORD, _BYLINE = (5, 64), (25, 64), (80, 32)
_CREDIT, _COPYRIGHT, _CAPTION = (110, 32), (116, 128), (120, 2000)


def png_with_metadata(data: bytes, statement: MapStatement, attachments: Sequence[Attachment]) -> bytes:
    """Return a PNG with the statement's XMP and the attachments as compressed texts, named as their files.

    Raises ValueError if ``data`` is not a PNG.
    """
    if not data.startswith(_PNG) or data[12:16] != b"IHDR":
        raise ValueError("this is no PNG")
    end_of_header = 8 + 12 + struct.unpack(">I", data[8:12])[0]
    chunks = [_international_text(_PNG_XMP, xmp_packet(statement, "image/png"), compressed=False)]
    chunks += [_international_text(attachment.name, attachment.data) for attachment in attachments]
    return b"".join([data[:end_of_header], *chunks, data[end_of_header:]])


def jpeg_with_metadata(data: bytes, statement: MapStatement) -> bytes:
    """Return a JPEG with the statement as XMP and as IPTC. Raises ValueError if ``data`` is not a JPEG.

    XMP that does not fit into a segment is left out: IPTC has the credits.
    """
    if not data.startswith(b"\xff\xd8\xff"):
        raise ValueError("this is no JPEG")
    position = 2
    while data[position:position + 2] in (b"\xff\xe0", b"\xff\xe1"):
        position += 2 + struct.unpack(">H", data[position + 2:position + 4])[0]
    segments = []
    packet = _JPEG_XMP + xmp_packet(statement, "image/jpeg")
    if len(packet) <= _MAX_SEGMENT:
        segments.append(_segment(0xe1, packet))
    segments.append(_segment(0xed, _JPEG_IPTC + _photoshop_resource(0x0404, _iptc(statement))))
    return b"".join([data[:position], *segments, data[position:]])


def gif_with_metadata(data: bytes, statement: MapStatement) -> bytes:
    """Return a GIF with title and credits as a comment and the statement as XMP. Raises ValueError for other data."""
    if not data.startswith(SIGNATURE) or len(data) < 13:
        raise ValueError("this is no GIF")
    # the screen's descriptor, and the palette of all frames if there is one
    head = 13 + (3 * 2**((data[10] & 7) + 1) if data[10] & 0x80 else 0)
    comment = _cut(printable("\n".join([statement.title, *statement.credits])), _MAX_COMMENT)
    return b"".join([data[:head], _GIF_COMMENT, sub_blocks(comment), _GIF_XMP, xmp_packet(statement, "image/gif"),
                     _GIF_XMP_END, data[head:]])


def svg_with_metadata(data: bytes, statement: MapStatement) -> bytes:
    """Return an SVG whose metadata element has the statement as RDF. Raises ValueError if ``data`` is not an SVG."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"this is no SVG: {error}") from error
    namespace = etree.QName(root).namespace
    if etree.QName(root).localname != "svg":
        raise ValueError("this is no SVG")
    for former in root.findall(f"{{{namespace}}}metadata"):
        root.remove(former)
    heads = [child for child in root
             if isinstance(child.tag, str) and etree.QName(child).localname in ("title", "desc")]
    position = len(heads) and root.index(heads[-1]) + 1
    root.set("{http://www.w3.org/XML/1998/namespace}lang", statement.language)
    packet = etree.fromstring(xmp_packet(statement, "image/svg+xml"), parser)
    metadata = etree.Element(f"{{{namespace}}}metadata")
    metadata.append(packet[0])
    root.insert(position, metadata)
    return serialise(root.getroottree())


def _international_text(keyword: str, data: bytes, compressed: bool = True) -> bytes:
    """Return an iTXt chunk (11.3.4.5)."""
    body = keyword.encode("latin-1", "replace")[:79] + b"\x00" + (b"\x01" if compressed else b"\x00") + b"\x00\x00\x00"
    body += zlib.compress(data, 9) if compressed else data
    return struct.pack(">I", len(body)) + b"iTXt" + body + struct.pack(">I", zlib.crc32(b"iTXt" + body))


def _segment(marker: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xff, marker, len(body) + 2) + body


def _photoshop_resource(number: int, data: bytes) -> bytes:
    return b"8BIM" + struct.pack(">HHI", number, 0, len(data)) + data + b"\x00" * (len(data) % 2)


def _iptc(statement: MapStatement) -> bytes:
    credits = "; ".join(statement.credits)
    values: List[Tuple[Tuple[int, int], str]] = [
        (_TITLE, statement.title), *((_BYLINE, name) for name in statement.creators), (_CREDIT, credits),
        (_COPYRIGHT, credits), (_CAPTION, f"{statement.title}. {credits}"),
        *((_KEYWORD, keyword) for keyword in statement.keywords)]
    # 1:90 says that the texts are UTF-8
    datasets = [_dataset(1, 90, b"\x1b%G")]
    datasets += [_dataset(2, number, _cut(printable(value), size)) for (number, size), value in values if value]
    return b"".join(datasets)[:60_000]


def _dataset(record: int, number: int, value: bytes) -> bytes:
    return struct.pack(">BBBH", 0x1c, record, number, len(value)) + value


def _cut(text: str, size: int) -> bytes:
    """Return at most ``size`` bytes of UTF-8, without a part of a character at the end."""
    return text.encode("utf-8")[:size].decode("utf-8", "ignore").encode("utf-8")

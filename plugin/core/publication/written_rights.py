"""Rights that a map's file states in its metadata: XMP in every format, IPTC in JPEG."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Iterable, List, Optional, Tuple

from lxml import etree

from .. import safe_xml
from ..errors import CartoguideError
from .embedded_documents import png_text
from .image_metadata import JPEG_IPTC, PNG_XMP
from .pdf_objects import Buffer
from .xmp import CONTENT_DIGEST

_DC = "{http://purl.org/dc/elements/1.1/}"
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_BEGIN, _END = b"<x:xmpmeta", b"</x:xmpmeta>"
_MAX_PACKET = 8_000_000
_MAX_PACKETS = 20
#: credit, copyright and caption of IPTC-IIM's record 2
_IPTC_RIGHTS = (110, 116, 120)


@dataclass(frozen=True)
class WrittenRights:
    """Rights in a file's metadata: its credits, the addresses of its sources, and the digest of its content."""

    credits: Tuple[str, ...] = ()
    endpoints: Tuple[str, ...] = ()
    digest: str = ""


def read_rights(data: Buffer) -> WrittenRights:
    """Return the rights in the metadata of a PDF, PNG, JPEG, TIFF or GIF. ``data`` is the whole file."""
    packet = _packet(data)
    rights = rights_in_xmp(packet) if packet is not None else WrittenRights()
    if rights.credits or bytes(data[:3]) != b"\xff\xd8\xff":
        return rights
    # IPTC has the same, cut to its lengths
    return WrittenRights(_each(_iptc_credits(data)), rights.endpoints, rights.digest)


def rights_in_xmp(root: etree._Element) -> WrittenRights:
    """Return the rights in a document that has RDF in it, an SVG for example."""
    credits, endpoints = [], []
    for element in root.iter(f"{_DC}rights"):
        texts = [item.text or "" for item in element.iter(f"{_RDF}li")] or [element.text or ""]
        credits += [line for text in texts for line in text.split("\n")]
    for element in root.iter(f"{_DC}source"):
        endpoints += (element.text or "").split("\n")
    digests = [element.text or "" for element in root.iter(CONTENT_DIGEST)]
    return WrittenRights(_each(credits), _each(endpoints), digests[0].strip() if digests else "")


def _packet(data: Buffer) -> Optional[etree._Element]:
    """Return the last XMP packet of a file: an updated PDF has its former ones too."""
    if bytes(data[:8]) == b"\x89PNG\r\n\x1a\n":
        text = png_text(data, PNG_XMP)
        return _parsed(text) if text is not None else None
    end = len(data)
    for _candidate in range(_MAX_PACKETS):
        end = data.rfind(_BEGIN, 0, end)
        if end < 0:
            return None
        close = data.find(_END, end, end + _MAX_PACKET)
        root = _parsed(bytes(data[end:close + len(_END)])) if close >= 0 else None
        if root is not None:
            return root
    return None


def _parsed(packet: bytes) -> Optional[etree._Element]:
    # the packet's wrapper begins with an instruction that the parser does not take for XML's beginning
    start, close = packet.find(_BEGIN), packet.rfind(_END)
    if start < 0 or close < start:
        return None
    try:
        return safe_xml.parse(packet[start:close + len(_END)], max_bytes=_MAX_PACKET)
    except CartoguideError:
        return None


def _iptc_credits(data: Buffer) -> Iterable[str]:
    start = bytes(data[:1_000_000]).find(JPEG_IPTC)
    if start < 0:
        return
    body = bytes(data[start:start + 65_536])
    for match in re.finditer(rb"\x1c\x02([\x6e\x74\x78])", body):
        if match[1][0] in _IPTC_RIGHTS and match.end() + 2 <= len(body):
            size, = struct.unpack(">H", body[match.end():match.end() + 2])
            yield body[match.end() + 2:match.end() + 2 + size].decode("utf-8", "replace")


def _each(texts: Iterable[str]) -> Tuple[str, ...]:
    found: List[str] = [text.strip() for text in texts]
    return tuple(dict.fromkeys(text for text in found if text))

"""Digests of what a map's file shows: they tell whether its picture was changed while its metadata were kept.

A digest is a text of its kind, a colon and a SHA-256 in hexadecimal:

- ``rgba``: width and height as decimal numbers, each followed by a line feed, and the decoded pixels, row by row from
  the top, each as red, green, blue and opacity of one byte. Pixels without opacity count as zeros. So a PNG or TIFF
  that is compressed again without loss keeps its digest.
- ``jpeg``: the file without its application segments and comments, up to the end of its image, because decoders differ
  in their pixels. The segment "Adobe" stays, which says how the colours are stored.
- ``svg``: Canonical XML 1.0 without comments of the drawing, without its metadata element.

A digest does not prove who made a map. A new one can be computed after a change.
"""

from __future__ import annotations

import hashlib
from enum import Enum
from pathlib import Path
from typing import Callable, Iterable

from lxml import etree

from .pdf_objects import Buffer

#: return the digest of the pixels of a PNG or TIFF, or "" where they cannot be read
PixelDigest = Callable[[Path], str]

RGBA, JPEG, SVG = "rgba", "jpeg", "svg"
_SCAN = 0xda
_APPLICATION, _ADOBE, _COMMENT = range(0xe0, 0xf0), 0xee, 0xfe
_MAX_SEGMENTS = 100_000


class ContentState(str, Enum):
    """The relation of a file's picture to the one that was exported."""

    SAME = "same"
    CHANGED = "changed"
    UNKNOWN = "unknown"


def compared_content(written: str, found: str) -> ContentState:
    """Return the state of a picture by the digest in its metadata and the one that was computed, "" if unknown.

    A picture that was saved in a format with another kind of digest is changed.
    """
    if written.partition(":")[0] not in (RGBA, JPEG, SVG) or not found:
        return ContentState.UNKNOWN
    return ContentState.SAME if written == found else ContentState.CHANGED


def pixels_digest(width: int, height: int, rows: Iterable[bytes]) -> str:
    """Return the digest of pixels. ``rows`` has one or more whole rows in each item."""
    digest = hashlib.sha256(b"%d\n%d\n" % (width, height))
    for part in rows:
        digest.update(part)
    return f"{RGBA}:{digest.hexdigest()}"


def jpeg_digest(data: Buffer) -> str:
    """Return the digest of a JPEG, or "" if its segments cannot be read."""
    if bytes(data[:2]) != b"\xff\xd8":
        return ""
    digest, position = hashlib.sha256(), 2
    for _segment in range(_MAX_SEGMENTS):
        head = bytes(data[position:position + 4])
        if len(head) < 4 or head[0] != 0xff:
            return ""
        if head[1] == 0xff:
            # a marker may be preceded by any number of these
            position += 1
            continue
        length = 2 + int.from_bytes(head[2:], "big")
        kind = head[1]
        if kind == _SCAN:
            end = data.rfind(b"\xff\xd9", position)
            if end < 0:
                return ""
            digest.update(data[position:end])
            return f"{JPEG}:{digest.hexdigest()}"
        if kind == _ADOBE or kind not in _APPLICATION and kind != _COMMENT:
            digest.update(data[position:position + length])
        position += length
    return ""


def svg_digest(root: etree._Element) -> str:
    """Remove the metadata from an SVG and return its digest, or "" if it has no canonical form."""
    for child in [child for child in root if isinstance(child.tag, str)
                  and etree.QName(child).localname == "metadata"]:
        child.tail = None
        root.remove(child)
    digest = _Digest()
    try:
        etree.ElementTree(root).write_c14n(digest, with_comments=False)
    except (etree.LxmlError, ValueError):
        return ""
    return f"{SVG}:{digest.sha256.hexdigest()}"


class _Digest:
    """A file to write to that is only digested."""

    def __init__(self) -> None:
        self.sha256 = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.sha256.update(data)
        return len(data)

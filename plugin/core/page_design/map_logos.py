"""Logos that are part of a custom map's document: images as base64, and the check of an SVG that becomes one."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Optional

from lxml import etree

from .. import safe_xml
from ..errors import CartoguideError
from ..i18n import tr
from ..wms.responses.image_headers import image_format, image_size, is_complete_image

#: logos on one page
MAX_LOGOS = 4
#: bytes and pixels of a side of a logo in a document, and characters of its text
MAX_LOGO_BYTES, MAX_LOGO_EDGE, MAX_LOGO_TEXT = 300_000, 2000, 300
#: characters of a logo as base64 (RFC 4648, 4)
MAX_LOGO_CHARACTERS = 4 * ((MAX_LOGO_BYTES + 2) // 3)

_FORMATS = ("png", "jpeg")
#: images inside an SVG, and the most pixels of one
_INNER_FORMATS, _MAX_INNER_PIXELS = ("png", "jpeg", "gif", "webp"), 40_000_000
_SCRIPTS = frozenset({"script", "handler", "listener", "foreignobject", "iframe"})
_DATA = re.compile(r"data:image/[\w.+-]{1,40};base64,", re.IGNORECASE)
_OUTSIDE = re.compile(r"@import|url\(\s*[\"']?\s*(?![#\s\"'])", re.IGNORECASE)


def logo_bytes(image: str) -> bytes:
    """Return the bytes of a logo's base64. Raises ValueError if it is none."""
    try:
        return base64.b64decode(image.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise ValueError(str(error)) from error


def logo_problem(image: str) -> str:
    """Return what is wrong with the image of a logo in a document, to follow its name in a sentence, or ""."""
    try:
        data = logo_bytes(image)
    except ValueError:
        return tr("must be a PNG or JPEG as base64, not a path or an address")
    kind = image_format(data)
    if kind == "svg":
        return tr("must be a PNG or JPEG: an SVG is not taken from a document")
    if kind not in _FORMATS:
        return tr("must be a PNG or JPEG as base64, not a path or an address")
    if len(data) > MAX_LOGO_BYTES:
        return tr("has more than {count} bytes", count=MAX_LOGO_BYTES)
    width, height = image_size(data) or (0, 0)
    if not (width and height and is_complete_image(data)):
        return tr("is a damaged image")
    if max(width, height) > MAX_LOGO_EDGE:
        return tr("has {width} × {height} pixels, but at most {most} by {most} are allowed", width=width, height=height,
                  most=MAX_LOGO_EDGE)
    return ""


def self_contained_svg(data: bytes, name: str, max_bytes: int) -> bytes:
    """Return an SVG without its comments, processing instructions and document type, if it is complete in itself.

    Drawing it reads no other file and contacts no server. Raises CartoguideError if it refers to something outside, if
    it contains a script, or if it is not SVG.
    """
    root = safe_xml.parse(data, name, max_bytes)
    if _local_name(root) != "svg":
        raise CartoguideError(tr("{file} is not an image.", file=name))
    if b"<?xml-stylesheet" in data:
        raise _outside_error(name)
    for element in root.iter(etree.Element):
        tag = _local_name(element)
        attributes = [(etree.QName(key).localname.lower(), str(value)) for key, value in element.attrib.items()]
        if tag in _SCRIPTS or any(key.startswith("on") for key, _value in attributes):
            raise CartoguideError(tr("{file} contains a script, so it is not taken. Save it as a PNG, or without "
                                     "scripts.", file=name))
        texts = [value for _key, value in attributes] + ([element.text or ""] if tag == "style" else [])
        # a link is not followed when the image is drawn
        links = [value.strip() for key, value in attributes if key == "href" and tag != "a"]
        if any(_OUTSIDE.search(text) for text in texts) or not all(map(_is_inside, links)):
            raise _outside_error(name)
    return bytes(etree.tostring(root, encoding="utf-8"))


def _outside_error(name: str) -> CartoguideError:
    return CartoguideError(tr("{file} refers to other files or addresses, so it is not taken. Save it as a PNG, or "
                              "with its images embedded.", file=name))


def _is_inside(reference: str) -> bool:
    """Return whether a reference leads to a part of the SVG, or is a raster image itself."""
    if not reference or reference.startswith("#"):
        return True
    start = _DATA.match(reference)
    image = _decoded("".join(reference[start.end():].split())) if start else None
    # what the bytes are counts, not what the reference says of them
    if image is None or image_format(image) not in _INNER_FORMATS:
        return False
    width, height = image_size(image) or (0, 0)
    return 0 < width * height <= _MAX_INNER_PIXELS


def _decoded(text: str) -> Optional[bytes]:
    try:
        return logo_bytes(text)
    except ValueError:
        return None


def _local_name(element: etree._Element) -> str:
    return etree.QName(element).localname.lower()

"""Logos of a map: images that are part of its document, in place of those that the person's settings name."""

from __future__ import annotations

import base64
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ..i18n import tr
from ..json_document import JsonNode
from ..json_fields import json_object, member, read_object, string, unknown_members, write_object
from ..wms.responses.image_headers import image_format, image_size, is_complete_image, is_overloaded
from .page_feature import PageFeature

#: logos on one page
MAX_LOGOS = 4
#: bytes and pixels of a side of a logo in a document, and characters of its text
MAX_LOGO_BYTES, MAX_LOGO_EDGE, MAX_LOGO_TEXT = 300_000, 2000, 300
#: characters of a logo as base64 (RFC 4648, 4)
MAX_LOGO_CHARACTERS = 4 * ((MAX_LOGO_BYTES + 2) // 3)

_FORMATS = ("png", "jpeg")


def logo_bytes(image: str) -> bytes:
    """Return the bytes of a logo's base64. Raises ValueError if it is none."""
    return base64.b64decode(image, validate=True)


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
    if not (width and height and is_complete_image(data)) or is_overloaded(data):
        return tr("is a damaged image")
    if max(width, height) > MAX_LOGO_EDGE:
        return tr("has {width} × {height} pixels, but at most {most} by {most} are allowed", width=width, height=height,
                  most=MAX_LOGO_EDGE)
    return ""


@json_object
class MapLogo:
    """A logo of the map: a PNG or JPEG as base64, and its text for those who do not see it."""

    image: str = member(string(MAX_LOGO_CHARACTERS, logo_problem))
    text: str = member(string(MAX_LOGO_TEXT), default="")
    extra: Mapping[str, Any] = unknown_members()


#: the logos of a map, None for those that the settings name. An empty tuple is a page without logos
MapLogos = Optional[Tuple[MapLogo, ...]]


def read_logos(page: JsonNode) -> MapLogos:
    """Return the logos in the document's page. Raises InvalidDocument."""
    if page.value.get("logos") is None:
        return None
    return tuple(read_object(MapLogo, node) for node in page.children("logos", MAX_LOGOS))


def write_logos(logos: MapLogos) -> Optional[List[Dict[str, Any]]]:
    """Return the logos as a member of the document's page, None for those of the settings."""
    return None if logos is None else list(map(write_object, logos))


FEATURE: PageFeature[MapLogos] = PageFeature("logos", "logos", change_label=lambda: tr("logos of the page"),
                                             read=read_logos, write=write_logos)

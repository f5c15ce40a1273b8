"""Preference of INFO_FORMATs: formats that become a table before text, HTML last."""

from __future__ import annotations

from enum import Enum
from typing import Optional, Sequence


class InfoFormatKind(Enum):
    """Kinds of GetFeatureInfo responses, the best first."""

    GEOJSON = "geojson"
    GML = "gml"
    ESRI = "esri"
    XML = "xml"
    TEXT = "text"
    HTML = "html"
    OTHER = "other"

    @classmethod
    def from_media_type(cls, media_type: str) -> InfoFormatKind:
        """Return the kind of a media type as written by services."""
        media = "".join(media_type.lower().split())
        name = media.partition(";")[0]
        if "json" in media:
            return cls.GEOJSON
        if "gml" in media:
            return cls.GML
        if "esri" in media or media == "application/vnd.ogc.wms_xml":
            return cls.ESRI
        if name in ("text/xml", "application/xml"):
            return cls.XML
        if name == "text/plain":
            return cls.TEXT
        return cls.HTML if "html" in media else cls.OTHER


def best_format(offered: Sequence[str]) -> Optional[str]:
    """Return the preferred format as advertised, the first one among equals, or None if none is offered."""
    preference = list(InfoFormatKind)
    return min(offered, key=lambda media: preference.index(InfoFormatKind.from_media_type(media)), default=None)


def fallback_format(offered: Sequence[str], first: str) -> Optional[str]:
    """Return the format to request if ``first`` only revealed that there is something: HTML, otherwise text.

    None if neither is offered.
    """
    for kind in (InfoFormatKind.HTML, InfoFormatKind.TEXT):
        for media in offered:
            if media != first and InfoFormatKind.from_media_type(media) is kind:
                return media
    return None

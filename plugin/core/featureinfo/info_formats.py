"""Preference of INFO_FORMATs: formats that become a table before text, HTML last."""

from __future__ import annotations

from typing import Optional, Sequence

#: kinds of responses, the best first
KINDS_BY_PREFERENCE = ("geojson", "gml", "esri", "xml", "text", "html", "other")


def format_kind(media_type: str) -> str:
    """Return one of ``KINDS_BY_PREFERENCE`` for a media type as written by services."""
    name = "".join(media_type.lower().split())
    if "json" in name:
        return "geojson"
    if "gml" in name:
        return "gml"
    if "esri" in name or name == "application/vnd.ogc.wms_xml":
        return "esri"
    if name.partition(";")[0] in ("text/xml", "application/xml"):
        return "xml"
    if name.partition(";")[0] == "text/plain":
        return "text"
    return "html" if "html" in name else "other"


def best_format(offered: Sequence[str]) -> Optional[str]:
    """Return the preferred format as advertised, the first one among equals, or None if none is offered."""
    return min(offered, key=lambda media: KINDS_BY_PREFERENCE.index(format_kind(media)), default=None)


def fallback_format(offered: Sequence[str], first: str) -> Optional[str]:
    """Return the format to request if ``first`` only revealed that there is something: HTML, otherwise text.

    None if neither is offered.
    """
    others = [media for media in offered if media != first and format_kind(media) in ("html", "text")]
    return min(others, key=lambda media: format_kind(media) != "html", default=None)

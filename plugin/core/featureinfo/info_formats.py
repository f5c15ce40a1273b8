"""Which INFO_FORMAT is best read: what becomes a table before text, and a page last of all."""

from __future__ import annotations

from typing import Optional, Sequence

#: kinds of answers, the best first
KINDS_BY_PREFERENCE = ("geojson", "gml", "esri", "xml", "text", "html", "other")


def format_kind(media_type: str) -> str:
    """One of ``ORDER`` for a media type as services write them."""
    plain = "".join(media_type.lower().split())
    if "json" in plain:
        return "geojson"
    if "gml" in plain:
        return "gml"
    if "esri" in plain or plain == "application/vnd.ogc.wms_xml":
        return "esri"
    if plain.partition(";")[0] in ("text/xml", "application/xml"):
        return "xml"
    if plain.partition(";")[0] == "text/plain":
        return "text"
    return "html" if "html" in plain else "other"


def best_format(offered: Sequence[str]) -> Optional[str]:
    """The format to ask for, as advertised; among equals the first one. None where none is offered."""
    return min(offered, key=lambda media: KINDS_BY_PREFERENCE.index(format_kind(media)), default=None)


def fallback_format(offered: Sequence[str], first: str) -> Optional[str]:
    """What to ask for where ``first`` told nothing but that something is there: a page, else text; None without."""
    rest = [media for media in offered if media != first and format_kind(media) in ("html", "text")]
    return min(rest, key=lambda media: format_kind(media) != "html", default=None)

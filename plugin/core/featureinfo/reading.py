"""An answer of GetFeatureInfo to what can be shown, whatever the server calls it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Optional, Tuple

from ..errors import CartoguideError
from ..wms import axes
from ..wms.crs import normalise
from ..wms.identify import is_html, looks_like_xml
from .asking import Question
from .geojson import read_geojson
from .gml import read_xml
from .model import Answer, Box, Feature
from .plain import read_plain
from .safe_html import page_is_empty, safe_fragment

#: characters of an answer that are shown as text
_MOST_TEXT = 200_000
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)


def read_answer(body: bytes, content_type: str, format: str, question: Question) -> Answer:
    """``body`` as an Answer; ``content_type`` is the whole header. What it looks like counts, not what it is called.

    Where a feature lies is brought to x east; axes that can only be meant the other way round are exchanged.
    CartoguideError never: what cannot be read is shown as text.
    """
    text = decoded(body, content_type)
    shown = text[:_MOST_TEXT]
    if not text.strip():
        return Answer(format, text=shown, empty=True)
    start = text.lstrip("\ufeff \r\n\t")[:1]
    features: Optional[Tuple[Feature, ...]] = None
    if start in ("{", "["):
        features = read_geojson(text, question.crs)
    elif is_html(body) or ("html" in content_type.lower() and start == "<" and not text.lstrip().startswith("<?xml")):
        return Answer(format, html=safe_fragment(text), text=shown, empty=page_is_empty(text))
    elif looks_like_xml(body) or start == "<":
        try:
            features = read_xml(body, question.crs)
        except CartoguideError:
            features = None
    else:
        features = read_plain(shown)
    if features is None:
        return Answer(format, text=shown)
    return Answer(format, tuple(_placed(feature, question) for feature in features), text=shown, empty=not features)


def decoded(body: bytes, content_type: str) -> str:
    """The text of an answer: in the encoding that it declares, else UTF-8, else Windows' own."""
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return body.decode("utf-16", "replace")
    meta = _META_CHARSET.search(body[:2048])
    told = _CHARSET.search(content_type)
    names = [told.group(1) if told else "", meta.group(1).decode("ascii") if meta else "", "utf-8-sig", "windows-1252"]
    for name in names:
        try:
            if name:
                return body.decode(name)
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("utf-8", "replace")


def _placed(feature: Feature, question: Question) -> Feature:
    """The feature with a box only where its CRS is known, and with its axes as they can only be meant."""
    if feature.place is None:
        return feature
    try:
        axes.first_axis_is_north(feature.crs)
    except CartoguideError:
        return replace(feature, geometry=None, box=None)
    if normalise(feature.crs) != normalise(question.crs) or _meet(feature.place, question.box):
        return feature
    west, south, east, north = feature.place
    if not _meet((south, west, north, east), question.box):
        return feature
    geometry = feature.geometry.swapped() if feature.geometry is not None else None
    box = feature.box and (feature.box[1], feature.box[0], feature.box[3], feature.box[2])
    return replace(feature, geometry=geometry, box=box)


def _meet(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]

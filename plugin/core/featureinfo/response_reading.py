"""An answer of GetFeatureInfo to what can be shown, whatever the server calls it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Optional, Tuple

from ..errors import CartoguideError
from ..wms.crs import transformation
from ..wms.crs.bounding_boxes import BBox
from ..wms.crs.codes import normalise_crs
from ..wms.responses.document_detection import is_html, looks_like_xml
from .features import FeatureInfoResult, IdentifiedFeature
from .geojson_features import read_geojson_features
from .queries import FeatureInfoQuery
from .safe_html import page_is_empty, sanitise_html
from .text_features import read_text_features
from .xml_features import read_xml_features

#: characters of an answer that are shown as text
_MAX_TEXT_LENGTH = 200_000
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)


def read_feature_info(body: bytes, content_type: str, format: str, query: FeatureInfoQuery) -> FeatureInfoResult:
    """``body`` as an Answer; ``content_type`` is the whole header. What it looks like counts, not what it is called.

    Where a feature lies is brought to x east; axes that can only be meant the other way round are exchanged.
    CartoguideError never: what cannot be read is shown as text.
    """
    text = decode_text(body, content_type)
    shown = text[:_MAX_TEXT_LENGTH]
    if not text.strip():
        return FeatureInfoResult(format, text=shown, is_empty=True)
    start = text.lstrip("\ufeff \r\n\t")[:1]
    features: Optional[Tuple[IdentifiedFeature, ...]] = None
    if start in ("{", "["):
        features = read_geojson_features(text, query.crs)
    elif is_html(body) or ("html" in content_type.lower() and start == "<" and not text.lstrip().startswith("<?xml")):
        return FeatureInfoResult(format, html=sanitise_html(text), text=shown, is_empty=page_is_empty(text))
    elif looks_like_xml(body) or start == "<":
        try:
            features = read_xml_features(body, query.crs)
        except CartoguideError:
            features = None
    else:
        features = read_text_features(shown)
    if features is None:
        return FeatureInfoResult(format, text=shown)
    return FeatureInfoResult(format, tuple(_with_valid_location(feature, query) for feature in features), text=shown,
                             is_empty=not features)


def decode_text(body: bytes, content_type: str) -> str:
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


def _with_valid_location(feature: IdentifiedFeature, query: FeatureInfoQuery) -> IdentifiedFeature:
    """The feature with a box only where its CRS is known, and with its axes as they can only be meant."""
    if feature.zoom_bbox is None:
        return feature
    try:
        transformation.first_axis_is_north(feature.crs)
    except CartoguideError:
        return replace(feature, geometry=None, bbox=None)
    if normalise_crs(feature.crs) != normalise_crs(query.crs) or _intersects(feature.zoom_bbox, query.bbox):
        return feature
    west, south, east, north = feature.zoom_bbox
    if not _intersects((south, west, north, east), query.bbox):
        return feature
    geometry = feature.geometry.with_axes_swapped() if feature.geometry is not None else None
    bbox = feature.bbox and (feature.bbox[1], feature.bbox[0], feature.bbox[3], feature.bbox[2])
    return replace(feature, geometry=geometry, bbox=bbox)


def _intersects(one: BBox, other: BBox) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]

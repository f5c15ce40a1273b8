"""Reading of GetFeatureInfo responses by content, whatever media type the server states."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Optional, Tuple

from ..errors import CartoguideError
from ..safe_xml import decode
from ..text import printable
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

#: number of characters of a response that are shown as text
_MAX_TEXT_LENGTH = 200_000
#: bytes of a response that are read. A larger one is shown as text, as far as that goes
_MAX_BYTES = 16_000_000
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)


def read_feature_info(body: bytes, content_type: str, format: str, query: FeatureInfoQuery) -> FeatureInfoResult:
    """Return the response in displayable form. ``content_type`` is the whole header.

    The format is detected from the body, not from the media type. Coordinates are returned x (east) first: swapped axes
    are corrected if only that fits the query. Raises nothing: a body that cannot be parsed is returned as text.
    """
    text = printable(decode_text(body[:_MAX_BYTES], content_type))
    displayed = text[:_MAX_TEXT_LENGTH]
    if not text.strip():
        return FeatureInfoResult(format, text=displayed, is_empty=True)
    start = text.lstrip("\ufeff \r\n\t")[:1]
    features: Optional[Tuple[IdentifiedFeature, ...]] = None
    if start in ("{", "["):
        features = read_geojson_features(text, query.crs)
    elif is_html(body) or ("html" in content_type.lower() and start == "<" and not text.lstrip().startswith("<?xml")):
        # instead of features in JSON or XML an empty page does not say that nothing was found
        is_empty = not any(name in format.lower() for name in ("json", "xml", "gml")) and page_is_empty(text)
        return FeatureInfoResult(format, html=sanitise_html(text), text=displayed, is_empty=is_empty)
    elif looks_like_xml(body) or start == "<":
        try:
            features = read_xml_features(body[:_MAX_BYTES], query.crs)
        except CartoguideError:
            features = None
    else:
        features = read_text_features(displayed)
    if features is None:
        return FeatureInfoResult(format, text=displayed)
    located = tuple(_with_valid_location(feature, query) for feature in features)
    return FeatureInfoResult(format, located, text=displayed, is_empty=not features)


def decode_text(body: bytes, content_type: str) -> str:
    """Return the response as text: in its declared encoding, otherwise UTF-8, otherwise windows-1252."""
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return body.decode("utf-16", "replace")
    header, meta = _CHARSET.search(content_type), _META_CHARSET.search(body[:2048])
    declared = [header.group(1) if header else "", meta.group(1).decode("ascii") if meta else ""]
    for name in [*declared, "utf-8-sig", "windows-1252"]:
        try:
            if name:
                return decode(body, name)
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("utf-8", "replace")


def _with_valid_location(feature: IdentifiedFeature, query: FeatureInfoQuery) -> IdentifiedFeature:
    """Drop the location if its CRS is unknown, and swap its axes if only that fits the query."""
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


def _intersects(first: BBox, second: BBox) -> bool:
    return first[0] <= second[2] and second[0] <= first[2] and first[1] <= second[3] and second[1] <= first[3]

"""Choices of an operation's form, read from the capabilities, and parsers of its text fields."""

from __future__ import annotations

from typing import Optional, Sequence

from ...core.errors import InvalidRequest
from ...core.i18n import tr
from ...core.wms.dimensions.iso8601 import expand_time_extent
from ...core.wms.dimensions.value_selection import fallback_value
from ...core.wms.model.service import Dimension, Layer, Service
from .operation_fields import GeographicEnvelope

#: number of values of a dimension in a list
_MAX_VALUES = 300


def extent_of_layers(layers: Sequence[Layer]) -> Optional[GeographicEnvelope]:
    """Return (west, south, east, north) in degrees around all layers, or None if they state no extent."""
    boxes = [layer.geographic_bbox for layer in layers if layer.geographic_bbox]
    if not boxes:
        return None
    return (min(box.west for box in boxes), min(box.south for box in boxes), max(box.east for box in boxes),
            max(box.north for box in boxes))


def preferred_first(offered: Sequence[str], preferred: Sequence[str]) -> list[str]:
    """Return the offered formats with the most preferred one first."""
    best = next((name for name in preferred if name in offered), None)
    return [best, *(name for name in offered if name != best)] if best else list(offered)


def style_choices(layer: Layer) -> list[tuple[str, str]]:
    """Return pairs of label and name of a layer's styles, the default style first."""
    named = [(style.title or style.name, style.name) for style in layer.styles if style.name]
    return [(tr("default"), ""), *named]


def dimension_choices(dimension: Dimension) -> list[tuple[str, str]]:
    """Return the listed values of a dimension, first its default, or a valid value if it has none."""
    listed = [part.strip() for part in dimension.extent.split(",") if part.strip()][:_MAX_VALUES]
    if any("/" in part for part in listed):
        listed = [moment.value for moment in expand_time_extent(dimension.extent)[:_MAX_VALUES]]
    return [(value, value) for value in dict.fromkeys([dimension.default or fallback_value(dimension), *listed])]


def exception_choices(service: Service, operation: str) -> list[tuple[str, str]]:
    """Return pairs of label and value of the exception formats (OGC 06-042 7.3.3.11).

    GetFeatureInfo reports exceptions as XML only (7.4.3.9).
    """
    labels = {"xml": tr("as a report (XML)"), "inimage": tr("drawn into the image"), "blank": tr("as a blank image")}
    choices = []
    for offered in service.exceptions:
        kind = offered.lower().rpartition("se_")[2].rpartition("/")[2]
        if operation == "GetMap" or kind == "xml":
            choices.append((labels.get(kind, offered), offered))
    return choices


def parse_pixel(text: str) -> tuple[Optional[int], Optional[int]]:
    """Return column and row of a typed position, or (None, None), the centre, if the text is empty.

    Raises InvalidRequest if the text is not two whole numbers.
    """
    if not text.strip():
        return None, None
    try:
        column, row = (int(part) for part in text.split(","))
    except ValueError:
        raise InvalidRequest(tr("The position must be two whole numbers: column, row.")) from None
    return column, row


def parse_scale(text: str) -> Optional[float]:
    """Return a typed scale denominator, with or without ``1:``, or None if the text is empty.

    Raises InvalidRequest if the text is not a number.
    """
    plain = text.strip().rpartition(":")[2].replace(" ", "").replace("\u202f", "")
    if not plain:
        return None
    try:
        return float(plain)
    except ValueError:
        raise InvalidRequest(tr("The scale must be a number above 0.")) from None

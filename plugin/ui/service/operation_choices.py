"""What an operation's form offers of a service, and what is read from its written fields."""

from __future__ import annotations

from typing import Optional, Sequence

from ...core.errors import InvalidRequest
from ...core.i18n import tr
from ...core.wms.dimensions.iso8601 import expand_time_extent
from ...core.wms.dimensions.value_selection import fallback_value
from ...core.wms.model.service import Dimension, Layer, Service
from .operation_fields import GeographicEnvelope

_MAX_VALUES = 300


def extent_of_layers(layers: Sequence[Layer]) -> Optional[GeographicEnvelope]:
    """The box in degrees around all of the layers; None where they do not say."""
    boxes = [layer.geographic_bbox for layer in layers if layer.geographic_bbox]
    if not boxes:
        return None
    return (min(box.west for box in boxes), min(box.south for box in boxes), max(box.east for box in boxes),
            max(box.north for box in boxes))


def preferred_first(offered: Sequence[str], preferred: Sequence[str]) -> list[str]:
    """The offered formats as they stand, the best of them in front."""
    best = next((name for name in preferred if name in offered), None)
    return [best, *(name for name in offered if name != best)] if best else list(offered)


def style_choices(layer: Layer) -> list[tuple[str, str]]:
    """The styles of a layer, the default one first."""
    named = [(style.title or style.name, style.name) for style in layer.styles if style.name]
    return [(tr("the default one"), ""), *named]


def dimension_choices(dimension: Dimension) -> list[tuple[str, str]]:
    """The values of a dimension that can be listed: first its default, else one that the service offers."""
    listed = [part.strip() for part in dimension.extent.split(",") if part.strip()][:_MAX_VALUES]
    if any("/" in part for part in listed):
        listed = [moment.value for moment in expand_time_extent(dimension.extent)[:_MAX_VALUES]]
    return [(value, value) for value in dict.fromkeys([dimension.default or fallback_value(dimension), *listed])]


def exception_choices(service: Service, operation: str) -> list[tuple[str, str]]:
    """How errors can be told, in words and as asked for (06-042 7.3.3.11); of GetFeatureInfo as XML alone (7.4.3.9)."""
    words = {"xml": tr("as a report (XML)"), "inimage": tr("written into the picture"),
             "blank": tr("as an empty picture")}
    found = []
    for offered in service.exceptions:
        kind = offered.lower().rpartition("se_")[2].rpartition("/")[2]
        if operation == "GetMap" or kind == "xml":
            found.append((words.get(kind, offered), offered))
    return found


def parse_pixel(text: str) -> tuple[Optional[int], Optional[int]]:
    """Column and row as written; None for the middle. InvalidRequest where they are no two whole numbers."""
    if not text.strip():
        return None, None
    try:
        column, row = (int(part) for part in text.split(","))
    except ValueError:
        raise InvalidRequest(tr("The place needs two whole numbers: column, row.")) from None
    return column, row


def parse_scale(text: str) -> Optional[float]:
    """A denominator as written, with or without ``1:``; None where nothing is. InvalidRequest for anything else."""
    plain = text.strip().rpartition(":")[2].replace(" ", "").replace("\u202f", "")
    if not plain:
        return None
    try:
        return float(plain)
    except ValueError:
        raise InvalidRequest(tr("A scale is a number above 0.")) from None

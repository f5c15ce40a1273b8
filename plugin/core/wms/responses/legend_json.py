"""Legends as JSON: the classes of a GetLegendGraphic response with FORMAT=application/json.

GeoServer describes rules and the colour map of rasters, QGIS Server sends an icon and a title for each class.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ...json_document import parse_json
from ...text import single_line

JSON_LEGEND_FORMAT = "application/json"
_HEX_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_MAX_DEPTH = 20


@dataclass(frozen=True)
class LegendClass:
    """One class of a legend: its label, and a colour (#rrggbb, opacity 0 to 1) or an icon (bytes of an image)."""

    label: str
    colour: str = ""
    opacity: float = 1.0
    icon: bytes = b""


def colour_class(colour: object, label: object, quantity: object, opacity: object) -> Optional[LegendClass]:
    """Return the class of an entry of a colour map, None for one that is transparent or has no colour.

    An entry without a label is called by its quantity.
    """
    text = str(colour or "").strip().lower()
    try:
        strength = min(1.0, max(0.0, float(str(opacity)))) if opacity not in (None, "") else 1.0
    except ValueError:
        strength = 1.0
    if not _HEX_COLOUR.fullmatch(text) or strength <= 0:
        return None
    return LegendClass(single_line(str(label or "")) or single_line(str(quantity or "")), text, strength)


def read_legend_json(data: bytes, name: str = "") -> Tuple[LegendClass, ...]:
    """Return the classes of a legend as JSON, empty if it has none that can be drawn.

    Raises UnreadableDocument if ``data`` is not JSON.
    """
    value = parse_json(data, name)
    if not isinstance(value, dict):
        return ()
    return tuple(_geoserver_classes(value)) or tuple(_qgis_classes(_objects(value, "nodes"), 0))


def _objects(value: Dict[str, Any], member: str) -> List[Dict[str, Any]]:
    found = value.get(member)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _geoserver_classes(value: Dict[str, Any]) -> Iterator[LegendClass]:
    for legend in _objects(value, "Legend"):
        for rule in _objects(legend, "rules"):
            for symbolizer in _objects(rule, "symbolizers"):
                raster = symbolizer.get("Raster")
                colour_map = raster.get("colormap") if isinstance(raster, dict) else None
                for entry in _objects(colour_map, "entries") if isinstance(colour_map, dict) else ():
                    found = colour_class(entry.get("color"), entry.get("label"), entry.get("quantity"),
                                         entry.get("opacity"))
                    if found is not None:
                        yield found


def _qgis_classes(nodes: List[Dict[str, Any]], depth: int) -> Iterator[LegendClass]:
    for node in nodes if depth < _MAX_DEPTH else ():
        symbols = _objects(node, "symbols")
        for item in symbols or [node]:
            icon = _icon(item.get("icon"))
            if icon:
                yield LegendClass(single_line(str(item.get("title") or "")), icon=icon)
        yield from _qgis_classes(_objects(node, "nodes"), depth + 1)


def _icon(value: object) -> bytes:
    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else b""
    except (binascii.Error, ValueError):
        return b""

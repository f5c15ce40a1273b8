"""Legends in words: rules of the styles in a GetStyles response (SLD 1.0, SE 1.1), and the classes of a legend as JSON.

GeoServer's JSON describes rules and the colour map of rasters, QGIS Server sends an icon and a title for each class.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from lxml import etree

from ...json_document import parse_json
from ...safe_xml import parse
from ...text import single_line
from ..model.service import ScaleRange, in_scale_range
from ..model.xml_values import local_name, named_children, named_text

JSON_LEGEND_FORMAT = "application/json"
_HEX_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_MAX_DEPTH = 20
#: opacity up to which a fill is not seen. A boundary has it, so that its inside can be clicked
_UNSEEN = 0.05


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


def read_legend_json(data: bytes) -> Tuple[LegendClass, ...]:
    """Return the classes of a legend as JSON, empty if it has none that can be drawn.

    Raises UnreadableDocument if ``data`` is not JSON.
    """
    value = parse_json(data)
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


class SymbolKind(str, Enum):
    """Kinds of symbolizers. For a rule with several, the legend shows the first of them in this order."""

    POLYGON = "polygon"
    RASTER = "raster"
    LINE = "line"
    POINT = "point"
    TEXT = "text"


_SYMBOLIZERS = {"PointSymbolizer": SymbolKind.POINT, "LineSymbolizer": SymbolKind.LINE,
                "PolygonSymbolizer": SymbolKind.POLYGON, "RasterSymbolizer": SymbolKind.RASTER,
                "TextSymbolizer": SymbolKind.TEXT}


@dataclass(frozen=True)
class StyleRule:
    """One rule of a style.

    ``name`` is the value of RULE in GetLegendGraphic. ``scale_range`` holds the denominators (MinScaleDenominator,
    MaxScaleDenominator), None where open. ``fill`` is the only colour of the rule's areas (#rrggbb), "" for several, a
    pattern or an opacity. ``classes`` are the entries of a raster's colour map. ``is_outline`` is True for areas of
    which only the outline is seen, as that of a boundary.
    """

    name: str
    title: str = ""
    symbol: SymbolKind = SymbolKind.POLYGON
    scale_range: ScaleRange = (None, None)
    fill: str = ""
    classes: Tuple[LegendClass, ...] = ()
    is_outline: bool = False

    def is_drawn_at(self, scale: float) -> bool:
        return in_scale_range(self.scale_range, scale)


@dataclass(frozen=True)
class LayerStyle:
    """One style of one layer with its rules in drawing order. Rules may lack a name."""

    layer: str
    name: str = ""
    title: str = ""
    is_default: bool = False
    rules: Tuple[StyleRule, ...] = ()


def is_styles_document(data: bytes) -> bool:
    """Return whether ``data`` is a StyledLayerDescriptor. Raises UnreadableDocument if it is not XML."""
    return local_name(parse(data)) == "StyledLayerDescriptor"


def read_styles(data: bytes, name: str = "") -> Tuple[LayerStyle, ...]:
    """Return every style in a StyledLayerDescriptor, in order. Named styles have no rules.

    Any other XML document gives none. Raises UnreadableDocument if ``data`` is not XML.
    """
    root = parse(data, name)
    if local_name(root) != "StyledLayerDescriptor":
        return ()
    return tuple(_style(named_text(layer, "Name"), item)
                 for layer in root if local_name(layer) in ("NamedLayer", "UserLayer")
                 for item in layer if local_name(item) in ("UserStyle", "NamedStyle"))


def read_style_rules(data: bytes, style: str = "") -> Dict[str, Tuple[StyleRule, ...]]:
    """Return the named rules of each layer in a StyledLayerDescriptor, in drawing order.

    If ``style`` is given only its rules are returned. Rules without a name cannot be requested and are left out, but
    for those with a colour map. Any other XML document gives none. Raises UnreadableDocument if ``data`` is not XML.
    """
    rules_by_layer: Dict[str, Tuple[StyleRule, ...]] = {}
    styles = read_styles(data)
    for layer in dict.fromkeys(item.layer for item in styles if item.layer):
        layer_styles = [item for item in styles if item.layer == layer]
        chosen = [item for item in layer_styles if style and item.name == style] or layer_styles
        rules = {rule.name or str(number): rule for item in chosen for number, rule in enumerate(item.rules)
                 if rule.name or rule.classes}
        if rules:
            rules_by_layer[layer] = tuple(rules.values())
    return rules_by_layer


def _style(layer: str, element: etree._Element) -> LayerStyle:
    rules = tuple(_rule(rule) for kind in ("FeatureTypeStyle", "CoverageStyle")
                  for feature_style in named_children(element, kind) for rule in named_children(feature_style, "Rule"))
    return LayerStyle(layer, named_text(element, "Name"), _title(element),
                      named_text(element, "IsDefault").lower() in ("1", "true"), rules)


def _rule(element: etree._Element) -> StyleRule:
    kinds = {_SYMBOLIZERS[local_name(child)] for child in element if local_name(child) in _SYMBOLIZERS}
    symbol = next((kind for kind in SymbolKind if kind in kinds), SymbolKind.POLYGON)
    return StyleRule(named_text(element, "Name"), _title(element), symbol,
                     (_number(element, "MinScaleDenominator"), _number(element, "MaxScaleDenominator")),
                     _fill_colour(element), _colour_map(element),
                     _are_outlines(named_children(element, "PolygonSymbolizer")))


def _colour_map(rule: etree._Element) -> Tuple[LegendClass, ...]:
    """Return the entries of the colour map of a rule's RasterSymbolizer (SLD 1.0, 02-070, 11.6)."""
    found = [colour_class(entry.get("color"), entry.get("label"), entry.get("quantity"), entry.get("opacity"))
             for symbolizer in named_children(rule, "RasterSymbolizer")
             for colour_map in named_children(symbolizer, "ColorMap")
             for entry in named_children(colour_map, "ColorMapEntry")]
    return tuple(entry for entry in found if entry is not None)


def _are_outlines(areas: Sequence[etree._Element]) -> bool:
    """Return whether areas have a stroke, and no fill that is seen (SLD 1.0, 02-070, 11.2)."""
    parts = [part for area in areas for part in area]
    fills = [part for part in parts if local_name(part) == "Fill"]
    return any(local_name(part) == "Stroke" for part in parts) and all(
        not named_children(fill, "GraphicFill") and _is_unseen(_css_values([fill]).get("fill-opacity", "1"))
        for fill in fills)


def _is_unseen(opacity: str) -> bool:
    try:
        return float(opacity) <= _UNSEEN
    except ValueError:
        return False


def _css_values(parts: Sequence[etree._Element]) -> Dict[str, str]:
    return {str(item.get("name")): single_line("".join(item.itertext())).lower()
            for part in parts for item in part if local_name(item) in ("CssParameter", "SvgParameter")}


def _fill_colour(rule: etree._Element) -> str:
    areas = [child for child in rule if local_name(child) == "PolygonSymbolizer"]
    fills = [fill for area in areas for fill in area.iter() if local_name(fill) == "Fill"]
    names = _css_values(fills)
    colour = names.get("fill", "")
    is_plain = len(fills) == 1 and set(names) <= {"fill"} and not named_children(fills[0], "GraphicFill")
    return colour if is_plain and _HEX_COLOUR.fullmatch(colour) else ""


def _title(element: etree._Element) -> str:
    """Return the Title, which SE 1.1 puts inside a Description."""
    description = named_children(element, "Description")
    return named_text(element, "Title") or (named_text(description[0], "Title") if description else "")


def _number(element: etree._Element, name: str) -> Optional[float]:
    try:
        return float(named_text(element, name))
    except ValueError:
        return None

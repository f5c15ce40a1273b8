"""Rules of the styles in a GetStyles response (SLD 1.0, SE 1.1), one for each entry of a legend."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Dict, List, Optional, Tuple

from lxml import etree

from ...safe_xml import parse
from ...text import single_line
from ..model.service import ScaleRange, in_scale_range
from .legend_json import LegendClass, colour_class

_HEX_COLOUR = re.compile(r"#[0-9a-f]{6}")


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
    pattern or an opacity. ``classes`` are the entries of a raster's colour map.
    """

    name: str
    title: str = ""
    symbol: SymbolKind = SymbolKind.POLYGON
    scale_range: ScaleRange = (None, None)
    fill: str = ""
    classes: Tuple[LegendClass, ...] = ()

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
    return _local(parse(data)) == "StyledLayerDescriptor"


def read_styles(data: bytes, name: str = "") -> Tuple[LayerStyle, ...]:
    """Return every style in a StyledLayerDescriptor, in order. Named styles have no rules.

    Any other XML document gives none. Raises UnreadableDocument if ``data`` is not XML.
    """
    root = parse(data, name)
    if _local(root) != "StyledLayerDescriptor":
        return ()
    return tuple(_style(_text(layer, "Name"), item)
                 for layer in root if _local(layer) in ("NamedLayer", "UserLayer")
                 for item in layer if _local(item) in ("UserStyle", "NamedStyle"))


def read_style_rules(data: bytes, style: str = "", name: str = "") -> Dict[str, Tuple[StyleRule, ...]]:
    """Return the named rules of each layer in a StyledLayerDescriptor, in drawing order.

    If ``style`` is given only its rules are returned. Rules without a name cannot be requested and are left out, but
    for those with a colour map. Any other XML document gives none. Raises UnreadableDocument if ``data`` is not XML.
    """
    rules_by_layer: Dict[str, Tuple[StyleRule, ...]] = {}
    styles = read_styles(data, name)
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
                  for feature_style in _children(element, kind) for rule in _children(feature_style, "Rule"))
    return LayerStyle(layer, _text(element, "Name"), _title(element),
                      _text(element, "IsDefault").lower() in ("1", "true"), rules)


def _rule(element: etree._Element) -> StyleRule:
    kinds = {_SYMBOLIZERS[_local(child)] for child in element if _local(child) in _SYMBOLIZERS}
    symbol = next((kind for kind in SymbolKind if kind in kinds), SymbolKind.POLYGON)
    return StyleRule(_text(element, "Name"), _title(element), symbol,
                     (_number(element, "MinScaleDenominator"), _number(element, "MaxScaleDenominator")),
                     _fill_colour(element), _colour_map(element))


def _colour_map(rule: etree._Element) -> Tuple[LegendClass, ...]:
    """Return the entries of the colour map of a rule's RasterSymbolizer (SLD 1.0, 02-070, 11.6)."""
    found = [colour_class(entry.get("color"), entry.get("label"), entry.get("quantity"), entry.get("opacity"))
             for symbolizer in _children(rule, "RasterSymbolizer") for colour_map in _children(symbolizer, "ColorMap")
             for entry in _children(colour_map, "ColorMapEntry")]
    return tuple(entry for entry in found if entry is not None)


def _fill_colour(rule: etree._Element) -> str:
    areas = [child for child in rule if _local(child) == "PolygonSymbolizer"]
    fills = [fill for area in areas for fill in area.iter() if _local(fill) == "Fill"]
    names = {str(item.get("name")): single_line("".join(item.itertext())).lower()
             for fill in fills for item in fill if _local(item) in ("CssParameter", "SvgParameter")}
    colour = names.get("fill", "")
    is_plain = len(fills) == 1 and set(names) <= {"fill"} and all(_local(item) != "GraphicFill" for item in fills[0])
    return colour if is_plain and _HEX_COLOUR.fullmatch(colour) else ""


def _title(element: etree._Element) -> str:
    """Return the Title, which SE 1.1 puts inside a Description."""
    description = _children(element, "Description")
    return _text(element, "Title") or (_text(description[0], "Title") if description else "")


def _local(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _children(element: etree._Element, name: str) -> List[etree._Element]:
    return [child for child in element if _local(child) == name]


def _text(element: etree._Element, name: str) -> str:
    return next((single_line("".join(child.itertext())) for child in _children(element, name)), "")


def _number(element: etree._Element, name: str) -> Optional[float]:
    try:
        return float(_text(element, name))
    except ValueError:
        return None

"""The rules of a service's styles, as GetStyles tells them (SLD 1.0, SE 1.1): what a legend has one entry for
each of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

from lxml import etree

from ...safe_xml import parse
from ...text import single_line
from ..model.service import ScaleRange, in_scale_range

_SYMBOLIZERS = {"PointSymbolizer": "point", "LineSymbolizer": "line", "PolygonSymbolizer": "polygon",
                "RasterSymbolizer": "raster", "TextSymbolizer": "text"}
#: which geometry a rule with several symbolizers is drawn as in a legend
_GEOMETRY_PRECEDENCE = ("polygon", "raster", "line", "point", "text")


@dataclass(frozen=True)
class StyleRule:
    """One rule: ``name`` is what GetLegendGraphic takes as RULE; ``geometry`` is point, line, polygon, raster or text.

    ``scale_range`` holds denominators as written (MinScaleDenominator, MaxScaleDenominator), None where open.
    """

    name: str
    title: str = ""
    geometry: str = "polygon"
    scale_range: ScaleRange = (None, None)

    def is_drawn_at(self, scale: float) -> bool:
        """Whether the rule draws at the scale denominator ``scale``."""
        return in_scale_range(self.scale_range, scale)


@dataclass(frozen=True)
class LayerStyle:
    """One style of one layer: its rules in drawing order, also those that have no name; ``is_default`` as written."""

    layer: str
    name: str = ""
    title: str = ""
    is_default: bool = False
    rules: Tuple[StyleRule, ...] = ()


def read_styles(data: bytes, name: str = "") -> Tuple[LayerStyle, ...]:
    """Every style in a StyledLayerDescriptor, in its order: user styles with their rules, named styles without.

    UnreadableDocument where ``data`` is no XML; a document that is something else holds no styles.
    """
    root = parse(data, name)
    if _local(root) != "StyledLayerDescriptor":
        return ()
    return tuple(_style(_text(layer, "Name"), item)
                 for layer in root if _local(layer) in ("NamedLayer", "UserLayer")
                 for item in layer if _local(item) in ("UserStyle", "NamedStyle"))


def read_style_rules(data: bytes, style: str = "", name: str = "") -> Dict[str, Tuple[StyleRule, ...]]:
    """The named rules of each layer in a StyledLayerDescriptor, in drawing order; only ``style``'s where that is given.

    Rules without a name cannot be asked for and are left out. UnreadableDocument where ``data`` is no XML; a document
    that is something else holds no rules.
    """
    found: Dict[str, Tuple[StyleRule, ...]] = {}
    styles = read_styles(data, name)
    for layer in dict.fromkeys(item.layer for item in styles if item.layer):
        own = [item for item in styles if item.layer == layer]
        chosen = [item for item in own if style and item.name == style] or own
        rules = {rule.name: rule for item in chosen for rule in item.rules if rule.name}
        if rules:
            found[layer] = tuple(rules.values())
    return found


def _style(layer: str, element: etree._Element) -> LayerStyle:
    rules = tuple(_rule(rule) for kind in ("FeatureTypeStyle", "CoverageStyle")
                  for feature_style in _children(element, kind) for rule in _children(feature_style, "Rule"))
    return LayerStyle(layer, _text(element, "Name"), _title(element),
                      _text(element, "IsDefault").lower() in ("1", "true"), rules)


def _rule(element: etree._Element) -> StyleRule:
    kinds = {_SYMBOLIZERS[_local(child)] for child in element if _local(child) in _SYMBOLIZERS}
    geometry = next((kind for kind in _GEOMETRY_PRECEDENCE if kind in kinds), "polygon")
    return StyleRule(_text(element, "Name"), _title(element), geometry,
                     (_number(element, "MinScaleDenominator"), _number(element, "MaxScaleDenominator")))


def _title(element: etree._Element) -> str:
    """The Title, in SE 1.1 inside a Description."""
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

"""The rules of a service's styles, as GetStyles tells them (SLD 1.0, SE 1.1): what a legend has one entry for
each of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

from lxml import etree

from ..safexml import parse
from ..text import tidy
from .model import ScaleRange, draws_at

_SYMBOLIZERS = {"PointSymbolizer": "point", "LineSymbolizer": "line", "PolygonSymbolizer": "polygon",
                "RasterSymbolizer": "raster", "TextSymbolizer": "text"}
#: which geometry a rule with several symbolizers is drawn as in a legend
_PRECEDENCE = ("polygon", "raster", "line", "point", "text")


@dataclass(frozen=True)
class Rule:
    """One rule: ``name`` is what GetLegendGraphic takes as RULE; ``geometry`` is point, line, polygon, raster or text.

    ``scale_range`` holds denominators as written (MinScaleDenominator, MaxScaleDenominator), None where open.
    """

    name: str
    title: str = ""
    geometry: str = "polygon"
    scale_range: ScaleRange = (None, None)

    def shows_at(self, scale: float) -> bool:
        """Whether the rule draws at the scale denominator ``scale``."""
        return draws_at(self.scale_range, scale)


def read_rules(data: bytes, style: str = "", name: str = "") -> Dict[str, Tuple[Rule, ...]]:
    """The named rules of each layer in a StyledLayerDescriptor, in drawing order; only ``style``'s where that is given.

    Rules without a name cannot be asked for and are left out. UnreadableDocument where ``data`` is no XML; a document
    that is something else holds no rules.
    """
    root = parse(data, name)
    found: Dict[str, Tuple[Rule, ...]] = {}
    if _local(root) != "StyledLayerDescriptor":
        return found
    for layer in _children(root, "NamedLayer"):
        layer_name = _text(layer, "Name")
        styles = _children(layer, "UserStyle")
        chosen = [item for item in styles if style and _text(item, "Name") == style] or styles
        rules: List[Rule] = []
        for item in chosen:
            for feature_style in _children(item, "FeatureTypeStyle"):
                rules.extend(rule for rule in map(_rule, _children(feature_style, "Rule")) if rule.name)
        if layer_name and rules:
            found[layer_name] = tuple({rule.name: rule for rule in rules}.values())
    return found


def _rule(element: etree._Element) -> Rule:
    kinds = {_SYMBOLIZERS[_local(child)] for child in element if _local(child) in _SYMBOLIZERS}
    description = _children(element, "Description")
    title = _text(element, "Title") or (_text(description[0], "Title") if description else "")
    return Rule(_text(element, "Name"), title, next((kind for kind in _PRECEDENCE if kind in kinds), "polygon"),
                (_number(element, "MinScaleDenominator"), _number(element, "MaxScaleDenominator")))


def _local(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _children(element: etree._Element, name: str) -> List[etree._Element]:
    return [child for child in element if _local(child) == name]


def _text(element: etree._Element, name: str) -> str:
    return next((tidy("".join(child.itertext())) for child in _children(element, name)), "")


def _number(element: etree._Element, name: str) -> Optional[float]:
    try:
        return float(_text(element, name))
    except ValueError:
        return None

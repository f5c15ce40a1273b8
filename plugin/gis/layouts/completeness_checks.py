"""What must be true before a map is called finished: no service missing, every credit on the page and to be read."""

from __future__ import annotations

from typing import List, Mapping, Tuple

from qgis.core import (
    QgsCoordinateTransform,
    QgsCsException,
    QgsExpression,
    QgsLayout,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsMapLayer,
    QgsPrintLayout,
)

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import fold
from ..credits.credit_lines import credit_lines, credit_required, layers_of_maps, visible_layers
from ..credits.credit_lines import layers_without_credit as lacking_credits
from ..credits.layer_metadata import LIVE_SOURCE
from . import layout_items, layout_legend, text_fitting
from .layout_builder import awaits_legends, layout_requirements, missing_legends

#: a snapshot may end this part of the map's width within it: less than is seen
_EDGE_TOLERANCE = 0.002


class IncompleteMap(CartoguideError):
    """The map lacks a service or a credit, so it was not exported; ``problems`` names each in words."""

    def __init__(self, problems: List[str], detail: str = "") -> None:
        head = tr("The map was not exported, because it is not complete:")
        super().__init__("\n".join([head, *problems]), detail)
        self.problems = problems


def check_complete(layout: QgsPrintLayout) -> None:
    """IncompleteMap unless all that the layout was built for is on it: layers, credits, legends, and
    nothing cut off.
    """
    problems = missing_services(layout) + missing_credits(layout) + cut_off_items(layout) + missing_legends(layout)
    if awaits_legends(layout):
        problems.append(tr("Its legend has not been fetched yet."))
    if problems:
        raise IncompleteMap(problems)


def missing_services(layout: QgsPrintLayout) -> List[str]:
    """The layers that the map should show and does not: not made, taken out, broken, or nowhere near this area."""
    item = layout_items.main_map(layout)
    if item is None:
        return [tr("The layout has no map item with the id “map”.")]
    shown = {layer.id(): layer for layer in layers_of_maps(layout_items.map_items(layout))}
    problems = []
    for need in layout_requirements(layout):
        lacking = [name for layer_id, name in zip(need.layers, need.names) if not _is_drawn(shown, layer_id)]
        if need.names == [""]:
            problems.append(need.title)
        elif len(lacking) == len(need.names):
            problems.append(tr("“{service}” is missing from the map.", service=need.title))
        elif lacking:
            problems.append(tr("“{service}” lacks its layer(s) {layers}.", service=need.title,
                               layers=", ".join(lacking)))
        elif any(_snapshot_too_small(shown[layer_id], item) for layer_id in need.layers):
            problems.append(tr("The snapshot of “{service}” does not cover all of this map.", service=need.title))
        elif not any(_intersects_map(shown[layer_id], item) for layer_id in need.layers):
            problems.append(tr("“{service}” has nothing in the area of this map.", service=need.title))
    return problems


def missing_credits(layout: QgsPrintLayout) -> List[str]:
    """The credits that the map's layers ask for and that no label shows."""
    item = layout_items.main_map(layout)
    if item is None:
        return []
    text = fold(" ".join(label.currentText() for label in credit_labels(layout)))
    shown = visible_layers(layers_of_maps(layout_items.map_items(layout)), item.scale())
    drawn = {layer.id() for layer in shown}
    wanted = {
        line: need.title for need in layout_requirements(layout) for line in need.credits
        if any(layer_id in drawn for layer_id in need.layers)
    }
    for layer in shown:
        for line in credit_lines(layer):
            wanted.setdefault(line, layer.name())
    problems = [tr("The credit of “{service}” is not on the map: {credit}", service=title, credit=credit)
                for credit, title in wanted.items() if fold(credit) not in text]
    problems.extend(tr("“{layer}” has no credit line, and its terms may ask for one.", layer=layer.name())
                    for layer in lacking_credits(shown))
    return problems


def layout_problems(layout: QgsLayout) -> List[Tuple[str, str]]:
    """What any layout, whoever made it, lacks: a short title and a sentence for each thing, in words."""
    maps = [
        item for item in layout_items.items_of_type(layout, QgsLayoutItemMap)
        if item.isVisible() and not item.excludeFromExports()
    ]
    found: List[Tuple[str, str]] = []
    if layout_requirements(layout):
        found += [(tr("A service is missing"), words) for words in missing_services(layout)]
    shown = {layer.id(): layer for item in maps for layer in visible_layers(layers_of_maps([item]), item.scale())}
    text = fold(_page_text(layout))
    asked = {line: layer.name() for layer in reversed(list(shown.values())) if credit_required(layer) != "no"
             for line in credit_lines(layer)}
    found += [(tr("A credit is not on the page"), tr("The credit of “{service}” is not on the map: {credit}",
                                                     service=name, credit=line))
              for line, name in asked.items() if fold(line) not in text]
    found += [(tr("A layer has no credit"), tr("“{layer}” has no credit line, and its terms may ask for one.",
                                               layer=layer.name()))
              for layer in lacking_credits(shown.values())]
    return found


def _page_text(layout: QgsLayout) -> str:
    """All text that the layout's pages show: labels, and HTML with its expressions evaluated."""
    texts = [
        label.currentText() for label in layout_items.items_of_type(layout, QgsLayoutItemLabel)
        if label.isVisible() and not label.excludeFromExports()
    ]
    for frame in layout.multiFrames():
        html = getattr(frame, "html", None)
        if callable(html):
            texts.append(QgsExpression.replaceExpressionText(str(html()), frame.createExpressionContext()))
    return " ".join(texts)


def credit_labels(layout: QgsPrintLayout) -> List[QgsLayoutItemLabel]:
    """The label with the id “credits”, else every label that is to be seen: somebody's own template may say it
    elsewhere.
    """
    own = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    labels = [own] if own is not None else layout_items.items_of_type(layout, QgsLayoutItemLabel)
    return [label for label in labels if label.isVisible() and not label.excludeFromExports()]


def cut_off_items(layout: QgsPrintLayout) -> List[str]:
    """Credits that run out of their box, and a legend that runs off the page: what is cut off is not shown."""
    problems = []
    own = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    if own is not None and text_fitting.label_overflows(own):
        problems.append(tr("The credits do not fit their place on the page. Make the item “credits” larger in your "
                           "template, or choose a larger paper or one of Cartoguide's templates: these put what is too "
                           "long on a further page."))
    item = layout_items.find_item(layout, layout_items.LEGEND, QgsLayoutItemLegend)
    if item is not None and not item.resizeToContents() and layout_legend.legend_overflows(item):
        problems.append(tr("The legend does not fit its place on the page. Choose a larger paper or fewer layers."))
    return problems


def _is_drawn(shown: Mapping[str, QgsMapLayer], layer_id: str) -> bool:
    layer = shown.get(layer_id)
    return layer is not None and layer.isValid() and layer.opacity() > 0


def _snapshot_too_small(layer: QgsMapLayer, item: QgsLayoutItemMap) -> bool:
    """Whether the layer shows a snapshot that ends within the map: beyond it the map would be blank."""
    if not layer.customProperty(LIVE_SOURCE) or layer.providerType() != "gdal":
        return False
    shown = item.extent().buffered(-item.extent().width() * _EDGE_TOLERANCE)
    transform = QgsCoordinateTransform(layer.crs(), item.crs(), item.layout().project())
    try:
        return not transform.transformBoundingBox(layer.extent()).contains(shown)
    except QgsCsException:
        return True


def _intersects_map(layer: QgsMapLayer, item: QgsLayoutItemMap) -> bool:
    """Whether the layer's extent meets the map's; a layer that tells none is given the benefit of the doubt."""
    extent = layer.extent()
    if extent.isEmpty() or extent.isNull():
        return True
    transform = QgsCoordinateTransform(layer.crs(), item.crs(), item.layout().project())
    try:
        return bool(transform.transformBoundingBox(extent).intersects(item.extent()))
    except QgsCsException:
        return True

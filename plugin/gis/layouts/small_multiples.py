"""Small multiples in a layout: maps of the same area and scale, each with the layers of one moment."""

from __future__ import annotations

from typing import List, Optional, Sequence

from qgis.core import QgsLayoutItemLabel, QgsLayoutItemMap, QgsMapLayer, QgsPrintLayout, QgsProject, QgsRectangle

from ...core.custommap.model import LayerPlan, Plan
from ...core.custommap.small_multiples import MultiplesPanel, legend_layer_plans, plan_multiples
from ...core.i18n import tr
from ...core.text import inert
from ..credits.map_phrases import short_date
from ..own_layers.drawing import visible_layers_in_order
from . import layout_items
from .locator_map import outline_layers
from .map_frame import MapFrame, set_map_time_range

#: relative differences of size below this are rounding errors
_SHAPE_TOLERANCE = 1e-6


def fill_small_multiples(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]],
                         frame: MapFrame, outline_project: QgsProject) -> List[str]:
    """Distribute the plan's layers over the layout's maps. Return notes on moments without a map.

    ``layers`` are the QGIS layers of ``plan.layers``, None for one that could not be made. The first map already has
    its extent and scale. Superfluous maps are removed with their labels. ``outline_project`` gets the outline's layers.
    """
    items = layout_items.map_items(layout)
    if len(items) < 2:
        return []
    panels = plan_multiples(plan).panels
    one_year = len({panel.day.year for panel in panels if panel.day}) == 1
    project = layout.project()
    layers_above, layers_below = outline_layers(outline_project, frame)
    # QGIS ignores an extent that almost equals the present one, but 3.40 requests images a pixel wider for it
    shown = items[0].extent()
    items[0].setExtent(shown.scaled(2))
    items[0].setExtent(shown)
    for number, item in enumerate(items):
        label = layout_items.find_item(layout, f"{layout_items.LABEL_PREFIX}{number + 1}", QgsLayoutItemLabel)
        if number >= len(panels):
            _remove_map(layout, item, label, number)
            continue
        if panels[number].time_span is not None:
            set_map_time_range(item, panels[number].time_span)
        made = visible_layers_in_order(plan, layers, project, panels[number].layer_indexes)[::-1]
        _show_layers(item, items[0], shown, [*layers_above, *made, *layers_below])
        if label is not None:
            label.setText(inert(_panel_title(panels[number], plan.language, one_year)))
    if len(panels) > len(items):
        return [tr("The template has {places} maps, but there are {count} to show: only the first ones are shown.",
                   places=len(items), count=len(panels))]
    return []


def legend_layers(layout: QgsPrintLayout, plan: Plan) -> Sequence[LayerPlan]:
    """Return the layers whose legends the layout shows: small maps share one legend."""
    return legend_layer_plans(plan) if len(layout_items.map_items(layout)) > 1 else plan.layers


def _show_layers(item: QgsLayoutItemMap, first: QgsLayoutItemMap, shown: QgsRectangle,
                 layers: Sequence[QgsMapLayer]) -> None:
    if item is not first:
        item.setCrs(first.crs())
        # items of another shape show more or less of the area, never another scale
        units = shown.width() / first.rect().width()
        width, height = units * item.rect().width(), units * item.rect().height()
        is_same = abs(width / shown.width() - 1) + abs(height / shown.height() - 1) < _SHAPE_TOLERANCE
        item.setExtent(shown if is_same else QgsRectangle.fromCenterAndSize(shown.center(), width, height))
    item.setLayers(layers)
    item.setKeepLayerSet(True)
    item.setFollowVisibilityPreset(False)


def _remove_map(layout: QgsPrintLayout, item: QgsLayoutItemMap, label: Optional[QgsLayoutItemLabel],
                number: int) -> None:
    """Remove a map without layers, which on paper would look like a failed one.

    The first map stays, because the other items are linked to it.
    """
    if number:
        layout.removeLayoutItem(item)
        if label is not None:
            layout.removeLayoutItem(label)


def _panel_title(panel: MultiplesPanel, language: str, one_year: bool) -> str:
    """Return the day, with its year only if the maps differ in years, else the layer's title."""
    return short_date(language, panel.day, not one_year) if panel.day is not None else panel.title

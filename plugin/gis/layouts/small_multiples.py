"""Small multiples in a layout: every map the same place and scale, each with the layers of one moment."""

from __future__ import annotations

from typing import List, Optional, Sequence

from qgis.core import QgsLayoutItemLabel, QgsLayoutItemMap, QgsMapLayer, QgsPrintLayout, QgsRectangle

from ...core.custommap.model import LayerPlan, Plan
from ...core.custommap.small_multiples import MultiplesPanel, legend_layer_plans, plan_multiples
from ...core.i18n import tr
from ..credits.map_phrases import short_date
from . import layout_items
from .locator_map import outline_layers
from .map_frame import MapFrame, set_map_time_range

#: a relative difference of scale below this is the noise of floating figures
_SCALE_TOLERANCE = 1e-6


def fill_small_multiples(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]],
                         frame: MapFrame) -> List[str]:
    """Share the plan's layers out among the layout's maps; gives notes on moments that have no map.

    ``layers`` are the QGIS layers of ``plan.layers``, None for one that could not be made. The first map has its
    extent and scale already. Maps that are left over are taken out, with their labels.
    """
    items = layout_items.map_items(layout)
    if len(items) < 2:
        return []
    panels = plan_multiples(plan).panels
    one_year = len({panel.day.year for panel in panels if panel.day}) == 1
    project = layout.project()
    above, below = outline_layers(project, frame)
    # QGIS takes no extent that is almost the present one; other last bits, and 3.40 asks for images a pixel wider
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
        drawn = [layers[place] for place in panels[number].layer_indexes]
        _show_layers(item, items[0], shown, [*above, *(layer for layer in drawn[::-1] if layer is not None), *below])
        if label is not None:
            label.setText(_panel_title(panels[number], plan.language, one_year).replace("[%", "[\u200b%"))
    if len(panels) > len(items):
        return [tr("The template has {places} maps, and there are {count} to show: those of the first are shown.",
                   places=len(items), count=len(panels))]
    return []


def legend_layers(layout: QgsPrintLayout, plan: Plan) -> Sequence[LayerPlan]:
    """The layers whose legends the layout shows: of small maps, one stands for all."""
    return legend_layer_plans(plan) if len(layout_items.map_items(layout)) > 1 else plan.layers


def _show_layers(item: QgsLayoutItemMap, first: QgsLayoutItemMap, shown: QgsRectangle,
                 layers: Sequence[QgsMapLayer]) -> None:
    if item is not first:
        item.setCrs(first.crs())
        item.setExtent(shown)
        # boxes of another shape show more or less of the place, never at another scale
        if abs(item.scale() / first.scale() - 1) > _SCALE_TOLERANCE:
            item.setScale(first.scale())
    item.setLayers(layers)
    item.setKeepLayerSet(True)
    item.setFollowVisibilityPreset(False)


def _remove_map(layout: QgsPrintLayout, item: QgsLayoutItemMap, label: Optional[QgsLayoutItemLabel],
                number: int) -> None:
    """An empty frame on paper looks like a map that failed; the first one is what all else is bound to and stays."""
    if number:
        layout.removeLayoutItem(item)
        if label is not None:
            layout.removeLayoutItem(label)


def _panel_title(panel: MultiplesPanel, language: str, one_year: bool) -> str:
    """The day, with its year only where the maps are of different ones; else what the layer is called."""
    return short_date(language, panel.day, not one_year) if panel.day is not None else panel.title

"""Items for the summary of a series: the map of its maximum, a chart of its moments, and what they are computed from.

They are on the layout from the beginning and invisible until they are drawn: their content comes from the images of the
small maps, which are fetched when the page is exported or shown. QGIS's own export leaves them out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

from qgis.core import (
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPrintLayout,
)
from qgis.PyQt.QtCore import QRectF, Qt

from ...core.json_document import stored_object
from ..runtime import compat

#: ids of the map of the maximum, the chart, their headings, and the line that says what they are computed from
MAXIMUM, CHART = "maximum", "chart"
MAXIMUM_LABEL, CHART_LABEL, METHOD_LABEL = "label:maximum", "label:chart", "method"
SUMMARY_ITEMS = (MAXIMUM, CHART, MAXIMUM_LABEL, CHART_LABEL, METHOD_LABEL)
_PANELS = "cartoguide/series"


@dataclass(frozen=True)
class SeriesPanel:
    """One small map of the series: the id of its item, of the layer that changes, and a short name of its moment."""

    item: str
    layer: str
    moment: str


@dataclass(frozen=True)
class SeriesState:
    """The small maps of a layout's series. ``above`` and ``below`` are ids of the outlines around their layers.

    ``by_day`` is True if the moments are days.
    """

    panels: Tuple[SeriesPanel, ...]
    above: Tuple[str, ...]
    below: Tuple[str, ...]
    by_day: bool


def add_summary_items(layout: QgsPrintLayout, like: QgsLayoutItemMap, heading: QgsLayoutItemLabel, maximum: QRectF,
                      chart: QRectF) -> None:
    """Add the invisible items. ``maximum`` and ``chart`` are their places, without headings, in millimetres.

    Frames are those of the small map ``like``, type is that of its ``heading``.
    """
    height = heading.rect().height()
    half = min(0.4 * chart.width(), 75.0 * height / 3.8)
    for item_id, place in ((MAXIMUM, maximum), (CHART, chart)):
        picture = QgsLayoutItemPicture(layout)
        picture.setResizeMode(QgsLayoutItemPicture.ResizeMode.Stretch)
        if item_id == MAXIMUM:
            picture.setFrameEnabled(like.frameEnabled())
            picture.setFrameStrokeColor(like.frameStrokeColor())
            picture.setFrameStrokeWidth(like.frameStrokeWidth())
        _add(layout, picture, item_id, place, like.page())
    for item_id, place in ((MAXIMUM_LABEL, QRectF(maximum.x(), maximum.y() - height, maximum.width(), height)),
                           (CHART_LABEL, QRectF(chart.x(), chart.y() - height, half, height)),
                           (METHOD_LABEL, QRectF(chart.x() + half, chart.y() - height, chart.width() - half, height))):
        label = QgsLayoutItemLabel(layout)
        font = compat.label_font(heading)
        if item_id == METHOD_LABEL:
            font.setBold(False)
            font.setStyleName("")
            label.setHAlign(Qt.AlignmentFlag.AlignRight)
        compat.set_label_font(label, font)
        compat.set_label_colour(label, compat.label_colour(heading))
        label.setVAlign(heading.vAlign())
        label.setMarginX(heading.marginX())
        label.setMarginY(heading.marginY())
        _add(layout, label, item_id, place, like.page())


def record_series(layout: QgsPrintLayout, state: SeriesState) -> None:
    """Note which layers of which maps are the layout's series."""
    layout.setCustomProperty(_PANELS, json.dumps({
        "panels": [[panel.item, panel.layer, panel.moment] for panel in state.panels], "above": state.above,
        "below": state.below, "by_day": state.by_day}, ensure_ascii=False))


def series_state(layout: QgsPrintLayout) -> Optional[SeriesState]:
    """Return the layout's series, or None if it has none or no place for its summary."""
    stored = stored_object(layout.customProperty(_PANELS))
    panels = [SeriesPanel(*row) for row in _list(stored, "panels")
              if isinstance(row, list) and len(row) == 3 and all(isinstance(text, str) for text in row)]
    if not panels or not isinstance(layout.itemById(MAXIMUM), QgsLayoutItemPicture):
        return None
    above, below = (tuple(text for text in _list(stored, name) if isinstance(text, str)) for name in ("above", "below"))
    return SeriesState(tuple(panels), above, below, stored.get("by_day") is True)


def summary_items(layout: QgsPrintLayout) -> Dict[str, QgsLayoutItem]:
    found = {item_id: layout.itemById(item_id) for item_id in SUMMARY_ITEMS}
    return {item_id: item for item_id, item in found.items() if item is not None}


def _list(stored: Dict[str, object], name: str) -> List[object]:
    values = stored.get(name)
    return values if isinstance(values, list) else []


def _add(layout: QgsPrintLayout, item: QgsLayoutItem, item_id: str, place: QRectF, page: int) -> None:
    item.setId(item_id)
    layout.addLayoutItem(item)
    item.attemptResize(QgsLayoutSize(place.width(), place.height()))
    item.attemptMove(QgsLayoutPoint(place.x(), place.y()), True, False, max(0, page))
    item.setVisibility(False)

"""Picture of the map on a leaflet's cover, which goes on over the panels beside it that have room."""

from __future__ import annotations

import json
import math
from typing import Dict

from qgis.core import QgsLayoutItem, QgsLayoutItemMap, QgsLayoutItemShape, QgsPrintLayout, QgsRectangle
from qgis.PyQt.QtCore import QRectF

from ..layouts import layout_items
from .print_marks import print_margin

#: panels of the sheet, and the number of the cover, counted from the left
PANELS, COVER_PANEL = 4, 3
#: ids of the white grounds below what stands on a panel, followed by the panel's number
GROUND_PREFIX = "panel-ground:"
#: millimetres between the last line on a panel and the map, and the least height of the map there
_BELOW, _LEAST = 7.0, 35.0
#: millimetres by which a ground reaches beyond what it covers, where else a line of the map shines through, and the map
#: of the panels below the cover, where else a line of paper does
_LAP = 0.3
#: id of the map on the panels beside the cover, and the property of the cover with the ends of what stands on panels
BESIDE, _ENDS = "cover:beside", "cartoguide/panel-ends"


def panel_width(layout: QgsPrintLayout) -> float:
    """Return the width in millimetres of each panel of the folded sheet."""
    return float(layout.pageCollection().page(0).rect().width() - 2 * print_margin(layout)) / PANELS


def centre_cover(layout: QgsPrintLayout, item: QgsLayoutItemMap) -> None:
    """Let the cover's maps together show the middle of the map ``item`` at its scale, each its part of it."""
    maps = [found for name in (layout_items.COVER, BESIDE)
            if (found := layout_items.find_item(layout, name, QgsLayoutItemMap)) is not None]
    places = [QRectF(part.pagePos(), part.rect().size()) for part in maps]
    whole = QRectF()
    for place in places:
        whole = whole.united(place)
    units, turn = item.extent().width() / item.rect().width(), math.radians(item.mapRotation())
    for part, place in zip(maps, places):
        x, y = units * (place.center().x() - whole.center().x()), units * (whole.center().y() - place.center().y())
        centre = item.extent().center()
        centre.set(centre.x() + x * math.cos(turn) - y * math.sin(turn),
                   centre.y() + x * math.sin(turn) + y * math.cos(turn))
        part.setExtent(QgsRectangle.fromCenterAndSize(centre, units * place.width(), units * place.height()))


def spread_cover(layout: QgsPrintLayout, item: QgsLayoutItemMap, ends: Dict[int, float]) -> None:
    """Let the cover's map go on below what stands on the panels to the left of it.

    ``ends`` has the lower end of that, in millimetres, for each panel that has room. A panel of which nothing was said
    is full. No-op where no panel has room enough. The panels have a map to themselves: a service writes its names whole
    into a picture, and none is cut by the cover.
    """
    cover = layout_items.find_item(layout, layout_items.COVER, QgsLayoutItemMap)
    band = layout.itemById("band")
    if cover is None or not isinstance(band, QgsLayoutItem):
        return
    known = {int(number): float(end) for number, end in json.loads(str(cover.customProperty(_ENDS) or "{}")).items()}
    known.update(ends)
    cover.setCustomProperty(_ENDS, json.dumps(known))
    page, width, margin = max(0, cover.page()), panel_width(layout), print_margin(layout)
    top, bottom = band.pagePos().y(), cover.pagePos().y() + cover.rect().height()
    lefts = [margin + number * width for number in range(PANELS)]
    starts = {number: max(top, end + _BELOW if end else 0.0) for number, end in known.items() if number < COVER_PANEL}
    starts = {number: start for number, start in starts.items() if bottom - start >= _LEAST}
    if not starts:
        return
    first, last, start = min(starts), max(starts), min(starts.values())
    _place_ground(layout, COVER_PANEL, QRectF(lefts[COVER_PANEL], top, width, cover.pagePos().y() - top), page)
    for number in range(first, last + 1):
        end = starts.get(number, bottom)
        _place_ground(layout, number, QRectF(lefts[number], start, width, end - start).adjusted(
            0, 0, 0, _LAP if end == bottom else 0), page)
    right = lefts[last] + width + (_LAP if last + 1 == COVER_PANEL else 0.0)
    layout_items.place_item(_beside(layout, cover), QRectF(lefts[first], start, right - lefts[first], bottom - start),
                            page)
    centre_cover(layout, item)


def _place_ground(layout: QgsPrintLayout, number: int, place: QRectF, page: int) -> None:
    """Put a panel's white ground where something stands on the panel, or remove it."""
    ground = layout_items.find_item(layout, f"{GROUND_PREFIX}{number}", QgsLayoutItemShape)
    if place.height() <= _LAP:
        if ground is not None:
            layout.removeLayoutItem(ground)
        return
    # not over the map that ends at the cover, and not beyond the paper: QGIS would find no page there
    place = place.adjusted(0 if number == COVER_PANEL else -_LAP, -_LAP if place.top() > 0 else 0.0, 0, 0)
    if ground is None:
        ground = layout_items.add_rectangle(layout, f"{GROUND_PREFIX}{number}", {"color": "#ffffff"}, place, page)
    else:
        layout_items.place_item(ground, place, page)
    layout.moveItemToBottom(ground)


def _beside(layout: QgsPrintLayout, cover: QgsLayoutItemMap) -> QgsLayoutItemMap:
    """Return the map on the panels beside the cover, below all else, which shows what the cover's does."""
    beside = layout_items.find_item(layout, BESIDE, QgsLayoutItemMap)
    if beside is None:
        beside = QgsLayoutItemMap(layout)
        beside.setId(BESIDE)
        layout.addLayoutItem(beside)
        beside.setLocked(True)
    beside.setCrs(cover.crs())
    beside.setMapRotation(cover.mapRotation())
    beside.setLayers(cover.layers())
    beside.setKeepLayerSet(True)
    beside.setIsTemporal(cover.isTemporal())
    beside.setTemporalRange(cover.temporalRange())
    layout.moveItemToBottom(beside)
    return beside

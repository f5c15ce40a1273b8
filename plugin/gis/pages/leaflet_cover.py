"""Picture of the map on a leaflet's cover, which goes on over the panels beside it that have room."""

from __future__ import annotations

import json
import math
from typing import Dict, List

from qgis.core import (
    QgsLayoutItem,
    QgsLayoutItemMap,
    QgsLayoutItemPage,
    QgsLayoutItemShape,
    QgsPrintLayout,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QRectF

from ..layouts import layout_items
from .print_marks import MARK_PREFIX, print_margin

#: panels of the sheet, and the number of the cover, counted from the left
PANELS, COVER_PANEL = 4, 3
#: ids of the white grounds below what stands on a panel, followed by the panel's number
GROUND_PREFIX = "panel-ground:"
#: millimetres between the last line on a panel and the map, and the least height of the map there
BELOW, _LEAST = 7.0, 35.0
#: highest location map as a share of its width
TALLEST_LOCATION = 0.85
#: share of the paper's height that may stay white below what stands on a panel, so that the map has one edge
_WHITE = 0.17
#: millimetres by which a ground reaches beyond what it covers, where else a line of the map shines through, and the map
#: of the panels below the cover, where else a line of paper does
_LAP = 0.3
#: id of the maps on the panels beside the cover, the second and third with a number, and the property of the cover with
#: the ends of what stands on panels
BESIDE, _ENDS = "cover:beside", "cartoguide/panel-ends"


def panel_width(layout: QgsPrintLayout) -> float:
    """Return the width in millimetres of each panel of the folded sheet."""
    return float(layout.pageCollection().page(0).rect().width() - 2 * print_margin(layout)) / PANELS


def centre_cover(layout: QgsPrintLayout, item: QgsLayoutItemMap) -> None:
    """Let the cover's maps together show the middle of the map ``item`` at its scale, each its part of it."""
    cover = layout_items.find_item(layout, layout_items.COVER, QgsLayoutItemMap)
    maps = [*([] if cover is None else [cover]), *_parts_beside(layout)]
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


def level_panels(layout: QgsPrintLayout, ends: Dict[int, float]) -> Dict[int, float]:
    """Move the location map from the back to the panel beside the cover on which the least stands, if it has room.

    ``ends`` are those of what stands on panels, and are returned as they are then. The texts of the back are spread
    over the room that it leaves. All stays with less than two texts on the back, and where the map's strip below the
    panels has one edge all the same, would have none, or would begin lower.
    """
    cover = layout_items.find_item(layout, layout_items.COVER, QgsLayoutItemMap)
    heading, inset, rule = (layout_items.find_item(layout, name, QgsLayoutItem) for name in (
        layout_items.HEADING_PREFIX + "location", layout_items.INSET, "back_rule"))
    if cover is None or heading is None or inset is None or rule is None:
        return ends
    known, width = {**known_ends(layout), **ends}, panel_width(layout)
    back = print_margin(layout) + width
    texts = [found for name in (layout_items.ABSTRACT, *layout_items.LEAFLET_TEXTS)
             if (found := [item for prefix in (layout_items.HEADING_PREFIX, "")
                           if (item := layout_items.find_item(layout, prefix + name, QgsLayoutItem)) is not None
                           and item.pagePos().x() < back])]
    if len(known) < COVER_PANEL - 1 or not all(known.values()) or len(texts) < 2 or inset.pagePos().x() > back:
        return ends
    panel, lowest = min(known, key=lambda number: known[number]), max(*known.values(), cover.pagePos().y() - BELOW)
    former, gap = _place(heading).united(_place(inset)), heading.rect().height()
    above, white = known[panel], _WHITE * layout.pageCollection().page(cover.page()).rect().height()
    known[panel] = above + gap + former.height()
    if lowest - above <= white or known[panel] > lowest or lowest - min(known.values()) > white:
        return ends
    for item in (heading, inset):
        _move(item, panel * width, above + gap - former.top())
    # down to where the map begins on the panels beside it
    taller = max(0.0, min(lowest - known[panel], TALLEST_LOCATION * inset.rect().width() - inset.rect().height()))
    layout_items.place_item(inset, _place(inset).adjusted(0, 0, 0, taller), max(0, inset.page()))
    known[panel] += taller
    heights = [_place(text[0]).united(_place(text[-1])).height() for text in texts]
    y = _place(texts[0][0]).top()
    free = (rule.pagePos().y() - y - sum(heights)) / len(texts)
    for text, height in zip(texts, heights):
        down = y - _place(text[0]).top()
        for item in text:
            _move(item, 0.0, down)
        y += height + free
    return known


def known_ends(layout: QgsPrintLayout) -> Dict[int, float]:
    """Return the ends of what stands on the panels beside the cover, 0 for one on which nothing does.

    They are in millimetres by the panel's number. A panel that is full is not among them.
    """
    cover = layout_items.find_item(layout, layout_items.COVER, QgsLayoutItemMap)
    stored = "" if cover is None else str(cover.customProperty(_ENDS) or "")
    return {int(number): float(end) for number, end in json.loads(stored or "{}").items()}


def _place(item: QgsLayoutItem) -> QRectF:
    return QRectF(item.pagePos(), item.rect().size())


def _move(item: QgsLayoutItem, right: float, down: float) -> None:
    layout_items.place_item(item, _place(item).translated(right, down), max(0, item.page()))


def spread_cover(layout: QgsPrintLayout, item: QgsLayoutItemMap, ends: Dict[int, float]) -> None:
    """Let the cover's map go on below what stands on the panels to the left of it.

    ``ends`` has the lower end of that, in millimetres, for each panel that has room. A panel of which nothing was said
    is full. No-op where no panel has room enough. Where something stands on all of them, the map is one strip below
    them and on the cover, whose band is higher then. Panels on which the map begins at another height all the same have
    a map to themselves, on which nothing lies: a service writes its names whole into a picture, and none is cut.
    """
    cover = layout_items.find_item(layout, layout_items.COVER, QgsLayoutItemMap)
    band = layout.itemById("band")
    if cover is None or not isinstance(band, QgsLayoutItem):
        return
    known = {**known_ends(layout), **ends}
    cover.setCustomProperty(_ENDS, json.dumps(known))
    page, width, margin = max(0, cover.page()), panel_width(layout), print_margin(layout)
    top, bottom = band.pagePos().y(), cover.pagePos().y() + cover.rect().height()
    lefts = [margin + number * width for number in range(PANELS)]
    starts = {number: max(top, end + BELOW if end else 0.0) for number, end in known.items() if number < COVER_PANEL}
    white, lowest = _WHITE * (bottom - top), max(starts.values(), default=bottom)
    are_filled = len(starts) == COVER_PANEL - 1 and min(starts.values()) > top
    if are_filled and bottom - lowest >= _LEAST:
        _lower_cover(layout, cover, band, lowest - cover.pagePos().y())
        if cover.pagePos().y() - min(starts.values()) <= white:
            lowest = max(lowest, cover.pagePos().y())
        starts = {number: lowest if lowest - start <= white else start for number, start in starts.items()}
    least = _LEAST if are_filled else max(_LEAST, white)
    starts = {number: start for number, start in starts.items() if bottom - start >= least}
    if starts:
        _place_ground(layout, COVER_PANEL, QRectF(lefts[COVER_PANEL], top, width, cover.pagePos().y() - top), page)
    # a map of its own for neighbours with the same height of map, the one at the cover first
    runs: List[List[int]] = []
    for number in sorted(starts, reverse=True):
        if runs and runs[-1][0] == number + 1 and abs(starts[number] - starts[number + 1]) < _LAP:
            runs[-1].insert(0, number)
        else:
            runs.append([number])
    for part in _parts_beside(layout)[len(runs):]:
        layout.removeLayoutItem(part)
    for at, (first, *others) in enumerate(runs):
        start, last = starts[first], (others or [first])[-1]
        # the lower one of two neighbours goes on below the higher one
        left = lefts[first] - (_LAP if starts.get(first - 1, start) < start else 0.0)
        right = lefts[last] + width + (_LAP if last + 1 == COVER_PANEL or starts.get(last + 1, start) < start else 0.0)
        layout_items.place_item(_beside(layout, cover, at), QRectF(left, start, right - left, bottom - start), page)
    ground = layout_items.find_item(layout, f"{GROUND_PREFIX}{COVER_PANEL}", QgsLayoutItemShape)
    parts = sorted(_parts_beside(layout), key=lambda part: part.pagePos().y())
    for lowered in (*([] if ground is None else [ground]), *parts):
        layout.moveItemToBottom(lowered, True)
    # at once, and not for Undo, which saves every item each time
    layout.updateZValues(False)
    centre_cover(layout, item)


def _lower_cover(layout: QgsPrintLayout, cover: QgsLayoutItemMap, band: QgsLayoutItem, down: float) -> None:
    """Let the cover's map begin lower by a distance in millimetres, below a higher band. Title and fold stay."""
    if down <= 0:
        return
    page = max(0, cover.page())
    stays = (layout_items.TITLE, layout_items.SUBTITLE, band.id(), cover.id())
    marks = (layout_items.FOLD_PREFIX, MARK_PREFIX, GROUND_PREFIX)
    for item in layout_items.items_of_type(layout, QgsLayoutItem):
        if item.page() == page and item.pagePos().x() >= band.pagePos().x() and item.parentGroup() is None and not (
                isinstance(item, QgsLayoutItemPage) or item.id() in stays or item.id().startswith(marks)):
            _move(item, 0.0, down)
    layout_items.place_item(band, _place(band).adjusted(0, 0, 0, down), page)
    layout_items.place_item(cover, _place(cover).adjusted(0, down, 0, 0), page)


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
        layout_items.add_rectangle(layout, f"{GROUND_PREFIX}{number}", {"color": "#ffffff"}, place, page)
    else:
        layout_items.place_item(ground, place, page)


def _parts_beside(layout: QgsPrintLayout) -> List[QgsLayoutItemMap]:
    """Return the maps on the panels beside the cover, the one next to it first."""
    names = (f"{BESIDE}{number or ''}" for number in range(COVER_PANEL))
    return [found for name in names
            if (found := layout_items.find_item(layout, name, QgsLayoutItemMap)) is not None]


def _beside(layout: QgsPrintLayout, cover: QgsLayoutItemMap, number: int) -> QgsLayoutItemMap:
    """Return a map on the panels beside the cover, numbered from it on, which shows what the cover's does."""
    beside = layout_items.find_item(layout, f"{BESIDE}{number or ''}", QgsLayoutItemMap)
    if beside is None:
        beside = QgsLayoutItemMap(layout)
        beside.setId(f"{BESIDE}{number or ''}")
        layout.addLayoutItem(beside)
        beside.setLocked(True)
    beside.setCrs(cover.crs())
    beside.setMapRotation(cover.mapRotation())
    beside.setLayers(cover.layers())
    beside.setKeepLayerSet(True)
    beside.setKeepLayerStyles(cover.keepLayerStyles())
    beside.setLayerStyleOverrides(cover.layerStyleOverrides())
    beside.setBackgroundColor(cover.backgroundColor())
    beside.setIsTemporal(cover.isTemporal())
    beside.setTemporalRange(cover.temporalRange())
    return beside

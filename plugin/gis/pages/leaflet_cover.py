"""Picture of the map on a leaflet's cover, which goes on over the panels beside it that have room."""

from __future__ import annotations

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
#: millimetres by which a ground reaches beyond what it covers, where else a line of the map shines through
_LAP = 0.3


def panel_width(layout: QgsPrintLayout) -> float:
    """Return the width in millimetres of each panel of the folded sheet."""
    return float(layout.pageCollection().page(0).rect().width() - 2 * print_margin(layout)) / PANELS


def centre_cover(layout: QgsPrintLayout, item: QgsLayoutItemMap) -> None:
    """Let the cover show the middle of the map ``item`` at its scale."""
    cover = layout_items.find_item(layout, layout_items.COVER, QgsLayoutItemMap)
    if cover is not None:
        units = item.extent().width() / item.rect().width()
        cover.setExtent(QgsRectangle.fromCenterAndSize(item.extent().center(), units * cover.rect().width(),
                                                       units * cover.rect().height()))


def spread_cover(layout: QgsPrintLayout, item: QgsLayoutItemMap, ends: Dict[int, float]) -> None:
    """Let the cover's map go on below what stands on the panels to the left of it.

    ``ends`` has the lower end of that, in millimetres, for each panel that has room. A panel of which nothing was said
    is full. No-op where no panel has room enough.
    """
    cover = layout_items.find_item(layout, layout_items.COVER, QgsLayoutItemMap)
    band = layout.itemById("band")
    if cover is None or not isinstance(band, QgsLayoutItem):
        return
    page, width, margin = max(0, cover.page()), panel_width(layout), print_margin(layout)
    top, bottom = band.pagePos().y(), cover.pagePos().y() + cover.rect().height()
    lefts = [margin + number * width for number in range(PANELS)]
    ends = {number: end + _BELOW if end else 0.0 for number, end in ends.items()}
    with_room = [number for number, end in ends.items() if bottom - end >= _LEAST]
    if not with_room:
        return
    first = min(with_room)
    for number in range(first, PANELS):
        ground = layout_items.find_item(layout, f"{GROUND_PREFIX}{number}", QgsLayoutItemShape)
        if ground is not None:
            end = min(bottom, ground.pagePos().y() + ground.rect().height())
        elif cover.pagePos().x() < lefts[number] + width / 2 and number != COVER_PANEL:
            # the map is there already
            end = top
        else:
            end = cover.pagePos().y() if number == COVER_PANEL else bottom
        end = ends.get(number, end)
        if end <= top:
            continue
        # not beyond the paper: QGIS would find no page there
        place = QRectF(lefts[number], top, width, end - top).adjusted(-_LAP, -_LAP if top else 0.0, 0,
                                                                      _LAP if end == bottom else 0)
        if ground is None:
            ground = layout_items.add_rectangle(layout, f"{GROUND_PREFIX}{number}", {"color": "#ffffff"}, place, page)
        else:
            layout_items.place_item(ground, place, page)
        layout.moveItemToBottom(ground)
    right, left = cover.pagePos().x() + cover.rect().width(), min(lefts[first], cover.pagePos().x())
    layout_items.place_item(cover, QRectF(left, top, right - left, bottom - top), page)
    layout.moveItemToBottom(cover)
    centre_cover(layout, item)


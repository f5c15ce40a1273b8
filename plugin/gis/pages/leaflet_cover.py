"""Cover of a leaflet with its detail of the map or photo, and the panels beside it."""

from __future__ import annotations

import json
from typing import Dict

from qgis.core import QgsLayoutItem, QgsLayoutItemMap, QgsPrintLayout, QgsRectangle
from qgis.PyQt.QtCore import QRectF

from ..layouts import layout_items
from .print_marks import print_margin

#: panels of the sheet, and the number of the cover, counted from the left
PANELS, COVER_PANEL = 4, 3
#: millimetres between the last line on a panel and what follows it there
BELOW = 7.0
#: highest location map as a share of its width
TALLEST_LOCATION = 0.85
#: share of the paper's height by which the panels may end differently before the location map is moved
_UNEVEN = 0.17
#: property of the layout with the ends of what stands on panels
_ENDS = "cartoguide/panel-ends"


def panel_width(layout: QgsPrintLayout) -> float:
    """Return the width in millimetres of each panel of the folded sheet."""
    return float(layout.pageCollection().page(0).rect().width() - 2 * print_margin(layout)) / PANELS


def centre_cover(layout: QgsPrintLayout, item: QgsLayoutItemMap) -> None:
    """Let the cover show the middle of the map ``item`` at its scale."""
    cover = layout_items.find_item(layout, layout_items.COVER, QgsLayoutItemMap)
    if cover is not None:
        units, size = item.extent().width() / item.rect().width(), cover.rect().size()
        cover.setExtent(QgsRectangle.fromCenterAndSize(item.extent().center(), units * size.width(),
                                                       units * size.height()))


def level_panels(layout: QgsPrintLayout, ends: Dict[int, float]) -> Dict[int, float]:
    """Move the location map from the back to the panel beside the cover on which the least stands, if it has room.

    ``ends`` are those of what stands on panels, and are returned as they are then. All stays without a text on the
    back, and where the panels end alike all the same.
    """
    heading, inset = (layout_items.find_item(layout, name, QgsLayoutItem) for name in (
        layout_items.HEADING_PREFIX + "location", layout_items.INSET))
    if heading is None or inset is None:
        return ends
    known, width = {**known_ends(layout), **ends}, panel_width(layout)
    back = print_margin(layout) + width
    texts = [item for name in (layout_items.ABSTRACT, *layout_items.LEAFLET_TEXTS)
             if (item := layout_items.find_item(layout, name, QgsLayoutItem)) is not None and item.pagePos().x() < back]
    if len(known) < COVER_PANEL - 1 or not all(known.values()) or not texts or inset.pagePos().x() > back:
        return ends
    panel, lowest = min(known, key=lambda number: known[number]), max(known.values())
    former, gap = _place(heading).united(_place(inset)), heading.rect().height()
    above = known[panel]
    known[panel] = above + gap + former.height()
    paper = layout.pageCollection().page(max(0, inset.page())).rect().height()
    if lowest - above <= _UNEVEN * paper or known[panel] > lowest:
        return ends
    for item in (heading, inset):
        _move(item, panel * width, above + gap - former.top())
    # down to where what stands on the panels beside it ends
    taller = max(0.0, min(lowest - known[panel], TALLEST_LOCATION * inset.rect().width() - inset.rect().height()))
    layout_items.place_item(inset, _place(inset).adjusted(0, 0, 0, taller), max(0, inset.page()))
    known[panel] += taller
    return known


def ground_location(layout: QgsPrintLayout, ends: Dict[int, float], foot: float) -> Dict[int, float]:
    """Let the location map end at ``foot``, in millimetres, where it is the last on a panel beside the back.

    The credits on the back end there too. Return the ends of what stands on panels.
    """
    heading, inset = (layout_items.find_item(layout, name, QgsLayoutItem) for name in (
        layout_items.HEADING_PREFIX + "location", layout_items.INSET))
    if heading is None or inset is None:
        return ends
    place = _place(inset)
    panel = int((place.left() - print_margin(layout)) // panel_width(layout))
    if not 0 < panel < COVER_PANEL or not place.bottom() + 0.01 >= ends.get(panel, 0.0) or foot <= place.bottom():
        return ends
    for item in (heading, inset):
        _move(item, 0.0, foot - place.bottom())
    return {**ends, panel: foot}


def known_ends(layout: QgsPrintLayout) -> Dict[int, float]:
    """Return the ends of what stands on the panels beside the cover, 0 for one on which nothing does.

    They are in millimetres by the panel's number. A panel that is full is not among them.
    """
    stored = str(layout.customProperty(_ENDS) or "")
    return {int(number): float(end) for number, end in json.loads(stored or "{}").items()}


def note_ends(layout: QgsPrintLayout, ends: Dict[int, float]) -> None:
    """Note the ends of what stands on panels, as ``known_ends`` returns them."""
    layout.setCustomProperty(_ENDS, json.dumps(ends))


def _place(item: QgsLayoutItem) -> QRectF:
    return QRectF(item.pagePos(), item.rect().size())


def _move(item: QgsLayoutItem, right: float, down: float) -> None:
    layout_items.place_item(item, _place(item).translated(right, down), max(0, item.page()))


def lower_band(layout: QgsPrintLayout, bottom: float, above: float) -> None:
    """Let the cover's band end at ``bottom``, and what stands at its foot stand ``above`` millimetres higher.

    Both are in millimetres. The title and its second line stay.
    """
    band, accent = (layout_items.find_item(layout, name, QgsLayoutItem) for name in ("band", "band_accent"))
    if band is None or accent is None:
        return
    page, former = max(0, band.page()), _place(band)
    for item in layout_items.items_of_type(layout, QgsLayoutItem):
        if item.page() == page and item.id() not in (layout_items.TITLE, layout_items.SUBTITLE, band.id()) and (
                item.parentGroup() is None and former.contains(_place(item))):
            _move(item, 0.0, bottom - above - former.bottom())
    layout_items.place_item(band, former.adjusted(0, 0, 0, bottom - former.bottom()), page)
    layout_items.place_item(accent, QRectF(former.left(), bottom, former.width(), accent.rect().height()), page)

"""QR code on a page: it leads to an address that the document names."""

from __future__ import annotations

import base64
from typing import Iterator, List, Optional

from qgis.core import QgsLayout, QgsLayoutItem, QgsLayoutItemMap, QgsLayoutItemPicture, QgsLayoutSize, QgsPrintLayout
from qgis.PyQt.QtCore import QPointF, QRectF

from ...core.i18n import tr
from ...core.page_design.print_boxes import PRINT_MARGIN
from ...core.pages.qr_code import QUIET_ZONE, qr_modules, qr_svg
from ..layouts import layout_items, text_fitting
from .layout_feature import LayoutFeature, PageBuilding

#: id of the item
QR_CODE = "qr_code"
_LEGEND_HEADING = layout_items.HEADING_PREFIX + layout_items.LEGEND
#: millimetres of one module on A4: what a telephone reads at arm's length needs no more than this
_MODULE = 0.5
#: a page without its margin for the print shop, as ``QRectF.adjusted`` takes it
_WITHIN_BLEED = (PRINT_MARGIN, PRINT_MARGIN, -PRINT_MARGIN, -PRINT_MARGIN)
#: largest share of the map's shorter side, and millimetres between the code and the map's frame
_LARGEST_SHARE, _MARGIN = 0.35, 2.0
#: millimetres on A4 between the code and the text beside it, and the least width of that text, or of a legend
_GAP, _LEAST_TEXT, _LEAST_LEGEND = 3.0, 38.0, 100.0
#: millimetres between the code and the edge of a map that goes to the edge of the paper, where it is cut or folded
_PAPER_MARGIN = 8.0


def add_qr_code(item: QgsLayoutItemMap, link: str, factor: float = 1.0) -> List[str]:
    """Add the code of ``link`` to the foot of a page, or to a free corner of the map where a template has no foot.

    Return a note where there is no room. Call it before the texts at the foot are fitted.

    An empty link adds nothing. The code is ``factor`` times as large as on A4, as a wall map is read from afar. It is
    drawn as vectors on white.
    """
    if not link:
        return []
    layout = item.layout()
    try:
        side = (len(qr_modules(link)) + 2 * QUIET_ZONE) * _MODULE * factor
    except ValueError:
        return [tr("The address of the QR code is too long, so the code is left out.")]
    is_bundled = text_fitting.type_factor(layout) is not None
    place = _place_in_foot(layout, side, factor) if is_bundled else _place_on_map(item, side)
    if place is None:
        return [tr("The page has no room for the QR code, so it is left out.")]
    picture = QgsLayoutItemPicture(layout)
    picture.setId(QR_CODE)
    layout.addLayoutItem(picture)
    picture.attemptSetSceneRect(place)
    picture.attemptResize(QgsLayoutSize(side, side))
    picture.setPicturePath(f"base64:{base64.b64encode(qr_svg(link)).decode('ascii')}",
                           QgsLayoutItemPicture.Format.FormatSVG)
    picture.setLocked(True)
    return []


def _place_in_foot(layout: QgsPrintLayout, side: float, factor: float) -> Optional[QRectF]:
    """Return the place at the right end of the texts below a map, or of a legend there, where they give way."""
    # a panel of a leaflet is as narrow as addresses are long: there the code is beside prose
    beside = layout_items.TERMS if layout_items.vertical_folds(layout, 0) else layout_items.SOURCES
    for names, least in (((beside, layout_items.HEADING_PREFIX + beside), _LEAST_TEXT),
                         ((layout_items.LEGEND, _LEGEND_HEADING), _LEAST_LEGEND)):
        items = [item for item in map(layout.itemById, names) if isinstance(item, QgsLayoutItem)]
        area = QRectF()
        for item in items:
            area = area.united(item.sceneBoundingRect())
        taken = side + _GAP * factor
        if not items or side > area.height() or area.width() - taken < least * factor:
            continue
        for item in items:
            room = area.right() - taken - item.sceneBoundingRect().left()
            item.attemptResize(QgsLayoutSize(min(item.rect().width(), room), item.rect().height()))
        return QRectF(area.right() - side, area.top(), side, side)
    return None


def _place_on_map(item: QgsLayoutItemMap, side: float) -> Optional[QRectF]:
    """Return a free corner of the map of a person's template, None without one."""
    layout, frame = item.layout(), item.sceneBoundingRect()
    page = layout.pageCollection().page(max(0, item.page()))
    is_full = frame.contains(page.mapRectToScene(page.rect()).adjusted(*_WITHIN_BLEED))
    if side > _LARGEST_SHARE * min(frame.width(), frame.height()):
        return None
    margin = _PAPER_MARGIN if is_full else _MARGIN
    return next((area for area in _corners(frame, side, margin) if is_free(layout, item, area)), None)


def _corners(frame: QRectF, side: float, margin: float) -> Iterator[QRectF]:
    left, right = frame.left() + margin, frame.right() - margin - side
    top, bottom = frame.top() + margin, frame.bottom() - margin - side
    for x, y in ((right, bottom), (left, bottom), (right, top), (left, top)):
        yield QRectF(QPointF(x, y), QPointF(x + side, y + side))


def is_free(layout: QgsLayout, main: QgsLayoutItemMap, area: QRectF, moved: Optional[QgsLayoutItem] = None) -> bool:
    """Return whether nothing lies in the area but the map and what contains it: its grid and backgrounds.

    ``moved`` is an item that would move there.
    """
    inside = main.sceneBoundingRect().adjusted(1.0, 1.0, -1.0, -1.0)
    others = [item for item in layout.items() if isinstance(item, QgsLayoutItem) and item not in (main, moved)
              and item.isVisible() and not item.sceneBoundingRect().contains(inside)]
    return not any(item.sceneBoundingRect().intersects(area) for item in others)


def _fill(page: PageBuilding) -> List[str]:
    return add_qr_code(page.item, page.plan.page.link, text_fitting.type_factor(page.layout) or 1.0)


FEATURE = LayoutFeature("qr_code", fill=_fill)

"""QR code on a page: it leads to an address that the document names."""

from __future__ import annotations

import base64
from typing import Iterator, List

from qgis.core import QgsLayout, QgsLayoutItem, QgsLayoutItemMap, QgsLayoutItemPicture, QgsLayoutSize
from qgis.PyQt.QtCore import QPointF, QRectF

from ...core.i18n import tr
from ...core.page_design.print_boxes import PRINT_MARGIN
from ...core.pages.qr_code import QUIET_ZONE, qr_modules, qr_svg
from ..layouts import text_fitting
from .layout_feature import LayoutFeature, PageBuilding

#: id of the item
QR_CODE = "qr_code"
#: millimetres of one module on A4: what a telephone reads at arm's length needs no more than this
_MODULE = 0.5
#: a page without its margin for the print shop, as ``QRectF.adjusted`` takes it
_WITHIN_BLEED = (PRINT_MARGIN, PRINT_MARGIN, -PRINT_MARGIN, -PRINT_MARGIN)
#: largest share of the map's shorter side, and millimetres between the code and the map's frame
_LARGEST_SHARE, _MARGIN = 0.35, 2.0
#: millimetres between the code and the edge of a map that goes to the edge of the paper, where it is cut or folded
_PAPER_MARGIN = 8.0


def add_qr_code(item: QgsLayoutItemMap, link: str, factor: float = 1.0) -> List[str]:
    """Add the code of ``link`` to a free corner of a layout's map. Return a note where there is no room.

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
    frame = item.sceneBoundingRect()
    page = layout.pageCollection().page(max(0, item.page()))
    is_full = frame.contains(page.mapRectToScene(page.rect()).adjusted(*_WITHIN_BLEED))
    margin = _PAPER_MARGIN if is_full else _MARGIN
    place = next((area for area in _corners(frame, side, margin) if is_free(layout, item, area)), None)
    if place is None or side > _LARGEST_SHARE * min(frame.width(), frame.height()):
        return [tr("The map has no room for the QR code, so it is left out.")]
    picture = QgsLayoutItemPicture(layout)
    picture.setId(QR_CODE)
    layout.addLayoutItem(picture)
    picture.attemptSetSceneRect(place)
    picture.attemptResize(QgsLayoutSize(side, side))
    picture.setPicturePath(f"base64:{base64.b64encode(qr_svg(link)).decode('ascii')}",
                           QgsLayoutItemPicture.Format.FormatSVG)
    picture.setLocked(True)
    return []


def _corners(frame: QRectF, side: float, margin: float) -> Iterator[QRectF]:
    left, right = frame.left() + margin, frame.right() - margin - side
    top, bottom = frame.top() + margin, frame.bottom() - margin - side
    for x, y in ((right, bottom), (left, bottom), (right, top), (left, top)):
        yield QRectF(QPointF(x, y), QPointF(x + side, y + side))


def is_free(layout: QgsLayout, main: QgsLayoutItemMap, area: QRectF) -> bool:
    """Return whether nothing lies in the area but the map and what contains it: its grid and backgrounds."""
    inside = main.sceneBoundingRect().adjusted(1.0, 1.0, -1.0, -1.0)
    others = [item for item in layout.items() if isinstance(item, QgsLayoutItem) and item is not main
              and item.isVisible() and not item.sceneBoundingRect().contains(inside)]
    return not any(item.sceneBoundingRect().intersects(area) for item in others)


def _fill(page: PageBuilding) -> List[str]:
    return add_qr_code(page.item, page.plan.page.link, text_fitting.type_factor(page.layout) or 1.0)


FEATURE = LayoutFeature("qr_code", fill_rest=_fill)

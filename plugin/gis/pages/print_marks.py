"""Bleed and crop marks of a page for a print shop: what touches the edge of the paper is drawn beyond it.

The pages of the layout become larger by a margin on each side, in which bleed and marks lie. In a PDF the paper's edge
is the TrimBox, and the drawing reaches the BleedBox (ISO 32000-1, 14.11.2).
"""

from __future__ import annotations

from typing import List, Optional, Tuple

from qgis.core import (
    QgsLayoutItem,
    QgsLayoutItemMap,
    QgsLayoutItemPage,
    QgsLayoutItemShape,
    QgsLayoutSize,
    QgsPrintLayout,
)
from qgis.PyQt.QtCore import QRectF

from ...core.page_design.print_boxes import BLEED, PRINT_MARGIN
from ..layouts.layout_items import add_rectangle, place_item

#: ids of the marks, followed by page and number
MARK_PREFIX = "crop-mark:"
_MARGIN = "cartoguide/print_margin"
#: length and width of a mark, and its distance from the paper's edge, in millimetres: beyond the bleed
_LENGTH, _WIDTH, _DISTANCE = 5.0, 0.2, 4.0
#: millimetres from the edge within which an item touches it
_TOUCHING = 0.2


def add_bleed(layout: QgsPrintLayout, tick_prefix: str) -> None:
    """Make room for bleed around all pages of a layout that was just loaded, and extend what touches their edges.

    Ticks of folds, whose ids begin with ``tick_prefix``, are moved beyond the paper.
    """
    pages = layout.pageCollection()
    papers = [(page.rect().width(), page.rect().height()) for page in pages.pages()]
    items = [(item, max(0, item.page()), item.pagePos(), item.rect()) for item in layout.items()
             if isinstance(item, QgsLayoutItem) and not isinstance(item, QgsLayoutItemPage)
             and item.parentGroup() is None]
    for page, (width, height) in zip(pages.pages(), papers):
        page.setPageSize(QgsLayoutSize(width + 2 * PRINT_MARGIN, height + 2 * PRINT_MARGIN))
    pages.reflow()
    for item, number, place, rect in items:
        left, top = place.x(), place.y()
        right, bottom = left + rect.width(), top + rect.height()
        width, height = papers[min(number, len(papers) - 1)]
        if item.id().startswith(tick_prefix):
            # outside the paper, as far from its edge as the crop marks
            top = -_DISTANCE - _LENGTH if top < height / 2 else height + _DISTANCE
            bottom = top + _LENGTH
        elif isinstance(item, (QgsLayoutItemShape, QgsLayoutItemMap)):
            left -= BLEED if left <= _TOUCHING else 0.0
            top -= BLEED if top <= _TOUCHING else 0.0
            right += BLEED if right >= width - _TOUCHING else 0.0
            bottom += BLEED if bottom >= height - _TOUCHING else 0.0
        place_item(item, QRectF(left + PRINT_MARGIN, top + PRINT_MARGIN, right - left, bottom - top), number)
    layout.setCustomProperty(_MARGIN, PRINT_MARGIN)


def draw_crop_marks(layout: QgsPrintLayout, first: int = 0) -> None:
    """Draw crop marks at the corners of the pages of a layout with bleed, from the one with the number ``first`` on."""
    if not print_margin(layout):
        return
    for number, page in enumerate(layout.pageCollection().pages()[first:], first):
        width, height = page.rect().width(), page.rect().height()
        left, right, top, bottom = PRINT_MARGIN, width - PRINT_MARGIN, PRINT_MARGIN, height - PRINT_MARGIN
        marks: List[Tuple[float, float, float, float]] = []
        for x in (left, right):
            marks += [(x - _WIDTH / 2, top - _DISTANCE - _LENGTH, _WIDTH, _LENGTH),
                      (x - _WIDTH / 2, bottom + _DISTANCE, _WIDTH, _LENGTH)]
        for y in (top, bottom):
            marks += [(left - _DISTANCE - _LENGTH, y - _WIDTH / 2, _LENGTH, _WIDTH),
                      (right + _DISTANCE, y - _WIDTH / 2, _LENGTH, _WIDTH)]
        for mark, place in enumerate(marks, 1):
            add_rectangle(layout, f"{MARK_PREFIX}{number + 1}:{mark}", {"color": "#000000"}, QRectF(*place), number)


def print_margin(layout: QgsPrintLayout) -> float:
    """Return the millimetres between the paper's edge and that of the layout's pages, 0 for a layout without bleed."""
    value = layout.customProperty(_MARGIN)
    try:
        return PRINT_MARGIN if value is not None and float(value) > 0 else 0.0
    except (TypeError, ValueError):
        return 0.0


def cut_paper(layout: QgsPrintLayout, number: int) -> Optional[Tuple[float, float]]:
    """Return width and height in millimetres of a page with bleed when it is cut, None without bleed."""
    margin, page = print_margin(layout), layout.pageCollection().page(number).rect()
    return (page.width() - 2 * margin, page.height() - 2 * margin) if margin else None

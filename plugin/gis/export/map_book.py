"""Items that make the sheets of an atlas a book: the number in the foot, and the names of adjoining sheets."""

from __future__ import annotations

from typing import List, Optional, Sequence

from qgis.core import (
    QgsLayoutItemLabel,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPrintLayout,
)
from qgis.PyQt.QtCore import QPointF, QRectF, Qt
from qgis.PyQt.QtGui import QColor, QFont

from ...core.custommap.map_book import AdjoiningSheet, SheetSide, adjoining_sheets
from ...core.custommap.model import MapExtent
from ...core.text import inert, single_line, truncate
from ..credits.map_phrases import map_phrase
from ..credits.page_qr_code import is_free
from ..layouts import layout_items, text_fitting
from ..runtime import compat
from .page_description import LINKED_PAGE, layout_language, map_extent

#: id of the labels of adjoining sheets, followed by the side and a number
ADJOINING_PREFIX = "adjoining:"
#: points of the letters on A4, and the share of the side that a name may take
_POINTS, _MAX_SHARE = 7.5, 0.45
#: millimetres between the map's frame and the name, and around the name
_DISTANCE, _PADDING = 1.2, 1.0
_MAX_NAME = 80
_TEXT, _BACKGROUND = QColor(38, 38, 38), QColor(255, 255, 255)
_ROTATIONS = {SheetSide.NORTH: 0.0, SheetSide.SOUTH: 0.0, SheetSide.WEST: -90.0, SheetSide.EAST: 90.0}
_SEPARATOR = " · "


def add_book_items(layouts: Sequence[QgsPrintLayout], names: Sequence[str]) -> None:
    """Number the sheets of an atlas, and write the names of adjoining sheets at the edges of their maps.

    ``names`` are those of the sheets. In a PDF with all ``layouts`` in this order the names lead to their sheets.
    Pages with small multiples, or with a rotated map, get no names.
    """
    pages = _first_pages(layouts)
    extents = [_sheet_extent(layout) for layout in layouts]
    for index, layout in enumerate(layouts):
        _number_sheet(layout, index + 1, len(layouts))
        for sheet in adjoining_sheets(extents, index):
            _add_name(layout, sheet, names[sheet.index], pages[sheet.index])


def _first_pages(layouts: Sequence[QgsPrintLayout]) -> List[int]:
    """Return the number of each layout's first page in a file of all, from 0."""
    numbers, count = [], 0
    for layout in layouts:
        numbers.append(count)
        pages = layout.pageCollection()
        count += sum(pages.shouldExportPage(number) for number in range(pages.pageCount()))
    return numbers


def _sheet_extent(layout: QgsPrintLayout) -> Optional[MapExtent]:
    items = layout_items.map_items(layout)
    if len(items) != 1 or items[0].mapRotation():
        return None
    extent = map_extent(items[0])
    return MapExtent(*extent) if extent is not None else None


def _number_sheet(layout: QgsPrintLayout, number: int, count: int) -> None:
    """Write the sheet's number behind the text of the colophon, or in its place where there is room for one only."""
    label = layout_items.find_item(layout, layout_items.COLOPHON, QgsLayoutItemLabel)
    if label is None:
        return
    text = map_phrase(layout_language(layout), "sheet_number", number=number, count=count)
    font = QFont(compat.label_font(label))
    for shown in (_SEPARATOR.join([label.currentText(), text]), text):
        compat.set_label_font(label, font)
        label.setText(inert(shown))
        if text_fitting.shrink_to_fit(label):
            return


def _add_name(layout: QgsPrintLayout, sheet: AdjoiningSheet, name: str, page: int) -> None:
    """Add the name of an adjoining sheet inside the map's frame, unless something is there."""
    main = layout_items.main_map(layout)
    if main is None:
        return
    frame = main.sceneBoundingRect()
    along = frame.width() if _ROTATIONS[sheet.side] == 0 else frame.height()
    font = _font(layout, frame)
    text = _text(layout, sheet, name, font, _MAX_SHARE * along)
    width = text_fitting.text_width(text, font) + 2 * _PADDING + 0.5
    height = text_fitting.text_height(text, font, width) + _PADDING
    area = _area(frame, sheet, width, height)
    if width > along - 2 * _DISTANCE or not is_free(layout, main, area):
        return
    label = QgsLayoutItemLabel(layout)
    _fill(label, text, font)
    number = sum(item.id().startswith(f"{ADJOINING_PREFIX}{sheet.side.value}")
                 for item in layout_items.items_of_type(layout, QgsLayoutItemLabel)) + 1
    label.setId(f"{ADJOINING_PREFIX}{sheet.side.value}:{number}")
    layout.addLayoutItem(label)
    label.attemptResize(QgsLayoutSize(width, height))
    label.attemptMove(QgsLayoutPoint(area.center().x() - width / 2, area.center().y() - height / 2))
    label.setItemRotation(_ROTATIONS[sheet.side])
    label.setCustomProperty(LINKED_PAGE, page)
    label.setLocked(True)


def _font(layout: QgsPrintLayout, frame: QRectF) -> QFont:
    """Return the font of the page's credits in the size of names, larger on larger papers."""
    credits = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    font = QFont(compat.label_font(credits)) if credits is not None else QFont()
    font.setPointSizeF(_POINTS * max(1.0, min(frame.width(), frame.height()) / 200.0))
    return font


def _text(layout: QgsPrintLayout, sheet: AdjoiningSheet, name: str, font: QFont, width: float) -> str:
    """Return name and number of the sheet, the name cut to the width in millimetres."""
    name, length = single_line(name), _MAX_NAME
    while True:
        text = map_phrase(layout_language(layout), "adjoining_sheet", name=truncate(name, length),
                          number=sheet.index + 1)
        if length <= 4 or text_fitting.text_width(text, font) <= width:
            return text
        length -= 4


def _area(frame: QRectF, sheet: AdjoiningSheet, width: float, height: float) -> QRectF:
    """Return the area of a name in the layout: inside the frame, at the middle of the shared edge if it fits there."""
    is_level = _ROTATIONS[sheet.side] == 0
    start, length = (frame.left(), frame.width()) if is_level else (frame.top(), frame.height())
    room = width / 2 + _DISTANCE
    middle = min(max(start + sheet.place * length, start + room), start + length - room)
    inward = _DISTANCE + height / 2
    centre = {SheetSide.NORTH: QPointF(middle, frame.top() + inward),
              SheetSide.SOUTH: QPointF(middle, frame.bottom() - inward),
              SheetSide.WEST: QPointF(frame.left() + inward, middle),
              SheetSide.EAST: QPointF(frame.right() - inward, middle)}[sheet.side]
    half = QPointF(width / 2, height / 2) if is_level else QPointF(height / 2, width / 2)
    return QRectF(centre - half, centre + half)


def _fill(label: QgsLayoutItemLabel, text: str, font: QFont) -> None:
    label.setText(inert(text))
    compat.set_label_font(label, font)
    compat.set_label_colour(label, _TEXT)
    for set_margin in (label.setMarginX, label.setMarginY):
        set_margin(0)
    label.setHAlign(Qt.AlignmentFlag.AlignHCenter)
    label.setVAlign(Qt.AlignmentFlag.AlignVCenter)
    label.setBackgroundEnabled(True)
    label.setBackgroundColor(_BACKGROUND)

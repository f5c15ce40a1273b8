"""A further page for what has no room on the map's own sheet: terms and sources first, credits only where they must.

Credits belong beside the map, for who has the one sheet in the hand. So where the three texts below a map are too long,
terms and sources go to a page of their own and leave their room to the credits; where even that is too little, the
credits follow them. The map's sheet says where they are. Only the bundled templates are changed like this.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPrintLayout,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QColor, QFont

from ...core.i18n import tr
from ..credits.map_phrases import map_phrase
from ..runtime import compat
from . import dynamic_labels, layout_items, text_fitting

#: the label on the map's sheet that says where the rest is, and the heading of the further page
OVERFLOW_NOTE, OVERFLOW_HEADING = "further", "heading:further"
_MUTED = QColor("#4d5a52")
#: what the templates' type and margins are for on A4, in points and millimetres
_HEADING_SIZE, _MARGIN, _HEADING_HEIGHT, _GAP = 7.2, 14.0, 4.2, 5.0
#: room for the further page's heading, millimetres on A4
_TITLE_HEIGHT = 15.0
#: type on the further page, and lines no wider than are read well; points and millimetres on A4
_FONT_SIZE, _MAX_LINE_WIDTH = 7.4, 182.0

#: type and box (millimetres on its page)
LabelStyle = Tuple[QFont, QRectF]
#: a text as it reads now, its heading, and its label
TextBlock = Tuple[str, Optional[QgsLayoutItemLabel], QgsLayoutItemLabel]


def text_labels(layout: QgsPrintLayout) -> Dict[str, QgsLayoutItemLabel]:
    """The labels for credits, terms and sources that the layout has, in this order."""
    found = {
        item_id: layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
        for item_id in dynamic_labels.LABEL_FUNCTIONS
    }
    return {item_id: label for item_id, label in found.items() if label is not None}


def label_styles(layout: QgsPrintLayout) -> Dict[str, LabelStyle]:
    """Type and box of the three texts, by item id."""
    return {
        item_id: (QFont(compat.label_font(label)), _label_bounds(label))
        for item_id, label in text_labels(layout).items()
    }


def move_to_overflow_page(layout: QgsPrintLayout, language: str, template_styles: Dict[str, LabelStyle]) -> List[str]:
    """Move to a further page what the sheet has no room for; notes on what fits nowhere.

    ``own`` are the template's looks: the texts may have been changed in vain.
    """
    labels = text_labels(layout)
    headings = {
        item_id: layout_items.find_item(layout, layout_items.HEADING_PREFIX + item_id, QgsLayoutItemLabel)
        for item_id in labels
    }
    heading = headings.get(layout_items.CREDITS)
    if layout_items.CREDITS not in labels or len(labels) < 2 or heading is None:
        return []
    for item_id, label in labels.items():
        compat.set_label_font(label, template_styles[item_id][0])
        label.setText(dynamic_labels.label_expression(layout, item_id))
    credits = labels[layout_items.CREDITS]
    font, room = template_styles[layout_items.CREDITS]
    top = room.top()
    for _, box in template_styles.values():
        room = room.united(box)
    size = QFont(compat.label_font(heading)).pointSizeF() / _HEADING_SIZE
    # the headings of the other texts may stand within the room, that of the credits above it
    room.setTop(top)
    sheet = max(0, credits.page())
    page = layout.pageCollection().extendByNewPage()
    number = layout.pageCollection().pageNumber(page)
    moved = [item_id for item_id in labels if item_id != layout_items.CREDITS]
    _place_item(heading,
                QRectF(room.left(),
                       _label_bounds(heading).top(),
                       room.width() * 0.45,
                       _label_bounds(heading).height()), sheet)
    _place_item(credits, room, sheet)
    if not _fit_credits(layout, credits):
        moved.insert(0, layout_items.CREDITS)
        compat.set_label_font(credits, font)
        credits.setText(dynamic_labels.label_expression(layout, layout_items.CREDITS))
    pointer = _add_overflow_note(layout, moved, language, number + 1, font)
    above = _label_bounds(heading)
    left = above.right() if layout_items.CREDITS not in moved else room.left()
    _place_item(pointer, QRectF(left, above.top(), room.right() - left, above.height()), sheet)
    if layout_items.CREDITS in moved:
        pointer.setHAlign(Qt.AlignmentFlag.AlignLeft)
    blocks = [(labels[item_id].currentText(), headings[item_id], labels[item_id]) for item_id in moved]
    return _fill_overflow_pages(layout, number, blocks, size, language)


def _fit_credits(layout: QgsPrintLayout, credits: QgsLayoutItemLabel) -> bool:
    """Whether the credits fit their new place: also by what is free below it, or one behind the other."""
    font = QFont(compat.label_font(credits))
    least = text_fitting.min_font_size(font)
    if text_fitting.shrink_to_fit(credits, least):
        return True
    colophon = layout_items.find_item(layout, layout_items.COLOPHON, QgsLayoutItemLabel)
    if colophon is not None:
        text_fitting.narrow_to_text(colophon)
    around = [
        item for item in layout_items.items_of_type(layout, QgsLayoutItem)
        if item.id() and item.page() == credits.page() and not item.id().startswith("page")
    ]
    for in_a_row in (False, True):
        compat.set_label_font(credits, font)
        credits.setText(dynamic_labels.label_expression(layout, layout_items.CREDITS, on_one_line=in_a_row))
        text_fitting.extend_down(credits, around)
        if text_fitting.shrink_to_fit(credits, least):
            return True
    return False


def _add_overflow_note(layout: QgsPrintLayout, moved: Sequence[str], language: str, page: int,
                       font: QFont) -> QgsLayoutItemLabel:
    """What says, on the map's sheet, where the rest is."""
    first, *rest = [map_phrase(language, item_id) for item_id in moved]
    names = [first, *(name[:1].lower() + name[1:] for name in rest)]
    listed = map_phrase(language, "and").join([", ".join(names[:-1]), names[-1]]) if rest else first
    label = QgsLayoutItemLabel(layout)
    layout.addLayoutItem(label)
    label.setId(OVERFLOW_NOTE)
    label.setText(map_phrase(language, "further_page", what=listed, page=page))
    compat.set_label_font(label, font)
    compat.set_label_colour(label, _MUTED)
    for set_margin in (label.setMarginX, label.setMarginY):
        set_margin(0)
    label.setHAlign(Qt.AlignmentFlag.AlignRight)
    label.setVAlign(Qt.AlignmentFlag.AlignTop)
    return label


def _fill_overflow_pages(layout: QgsPrintLayout, number: int, blocks: Sequence[TextBlock], size: float,
                         language: str) -> List[str]:
    """Set the texts below one another on page ``number``, ``size`` times as large as on A4; where that is too little,
    each on a page of its own.
    """
    page = layout.pageCollection().page(number).rect()
    whole = page.width() - 2 * _MARGIN * size
    head = _add_page_heading(layout, blocks[0][1], language)
    _place_item(head, QRectF(_MARGIN * size, _MARGIN * size, whole, 9 * size), number)
    for width, together in ((min(whole, _MAX_LINE_WIDTH * size), True), (whole, True), (whole, False)):
        sets = [list(blocks)] if together else [[block] for block in blocks]
        fonts = [_font_for(some, width, _available_height(page.height(), size, len(some)), size) for some in sets]
        if all(font is not None for font in fonts):
            break
    notes = []
    for place, (some, font) in enumerate(zip(sets, fonts)):
        if place:
            layout.pageCollection().extendByNewPage()
        _stack_blocks(some, font, width, _available_height(page.height(), size, len(some)), size, number + place)
        if font is None:
            notes += [tr("The text “{id}” is too long for its place on the page.", id=block[2].id()) for block in some]
    return notes


def _available_height(height: float, size: float, count: int) -> float:
    """Millimetres that a page of this height has for ``count`` texts without their headings."""
    return height - (2 * _MARGIN + _TITLE_HEIGHT) * size - count * (_HEADING_HEIGHT + _GAP) * size


def _font_for(blocks: Sequence[TextBlock], width: float, free: float, size: float) -> Optional[QFont]:
    """The largest type in which the texts fit; None where none does that can be read."""
    font = QFont(compat.label_font(blocks[0][2]))
    points = _FONT_SIZE * size
    while points >= text_fitting.MIN_FONT_SIZE:
        font.setPointSizeF(points)
        if sum(_block_height(text, font, width) for text, _, _ in blocks) <= free:
            return font
        points -= 0.2
    return None


def _block_height(text: str, font: QFont, width: float) -> float:
    return text_fitting.text_height(text, font, width) + 1.0


def _stack_blocks(blocks: Sequence[TextBlock], font: Optional[QFont], width: float, free: float, size: float,
                  page: int) -> None:
    """Put the texts below one another, with some room for what a map that comes to show more has to say."""
    used = QFont(compat.label_font(blocks[0][2]))
    used.setPointSizeF(text_fitting.MIN_FONT_SIZE)
    used = font or used
    heights = [_block_height(text, used, width) for text, _, _ in blocks]
    share = min(1.5, max(free / sum(heights), 0.0)) if sum(heights) else 1.0
    left, top = _MARGIN * size, (_MARGIN + _TITLE_HEIGHT) * size
    for (_, heading, label), height in zip(blocks, heights):
        compat.set_label_font(label, used)
        if heading is not None:
            _place_item(heading, QRectF(left, top, width, _HEADING_HEIGHT * size), page)
        _place_item(label, QRectF(left, top + _HEADING_HEIGHT * size, width, height * share), page)
        top += (_HEADING_HEIGHT + _GAP) * size + height * share


def _add_page_heading(layout: QgsPrintLayout, model: Optional[QgsLayoutItemLabel], language: str) -> QgsLayoutItemLabel:
    """The further page's heading: the map's title."""
    title = layout_items.find_item(layout, layout_items.TITLE, QgsLayoutItemLabel)
    label = QgsLayoutItemLabel(layout)
    layout.addLayoutItem(label)
    label.setId(OVERFLOW_HEADING)
    label.setText(title.text() if title is not None else map_phrase(language, "sources"))
    if model is not None:
        font = QFont(compat.label_font(model))
        font.setPointSizeF(font.pointSizeF() * 1.8)
        compat.set_label_font(label, font)
    for set_margin in (label.setMarginX, label.setMarginY):
        set_margin(0)
    return label


def _label_bounds(label: QgsLayoutItemLabel) -> QRectF:
    """Where the label stands on its page, in millimetres."""
    place = label.pagePos()
    return QRectF(place.x(), place.y(), label.rect().width(), label.rect().height())


def _place_item(item: QgsLayoutItem, box: QRectF, page: int) -> None:
    """Put an item at ``box`` (millimetres) of a page."""
    item.attemptResize(QgsLayoutSize(box.width(), box.height()))
    item.attemptMove(QgsLayoutPoint(box.x(), box.y()), True, False, page)

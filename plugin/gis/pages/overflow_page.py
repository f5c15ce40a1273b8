"""Overflow page for what does not fit the map's sheet: terms and sources first, credits and legend only if necessary.

Credits belong beside the map, because readers may have only that sheet. If the three texts below a map are too long,
terms and sources move to an extra page and leave their space to the credits. If even that is too little, the credits
follow. A legend or a leaflet's table that is too long for its place continues on extra pages, the legend beside or
below the texts where its rest has room there. The map's sheet says where they are. Only the bundled templates are
changed like this.
"""

from __future__ import annotations

from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from qgis.core import (
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemShape,
    QgsLayoutSize,
    QgsPrintLayout,
)
from qgis.PyQt.QtCore import QRectF, QSizeF, Qt
from qgis.PyQt.QtGui import QColor, QFont

from ...core.i18n import tr
from ...core.page_design.type_scale import TextRole, least_size, size_of
from ..credits.map_phrases import map_phrase
from ..layouts import dynamic_labels, layout_items, text_fitting
from ..layouts.page_theme import layout_theme
from ..runtime import compat
from .print_marks import print_margin

#: ids of the note on the map's sheet about the extra page, and of that page's heading
OVERFLOW_NOTE, OVERFLOW_HEADING = "further", "heading:further"
#: id of those credits that have room on the map's sheet where all of them are on the extra page, and millimetres that
#: their place has beyond what their letters take
FIRST_CREDITS, _ALLOWANCE = "further:credits", 1.0
#: the same for the pages of a long legend, and the id of its heading on the second and later ones
LEGEND_NOTE, LEGEND_PAGE_HEADING = "further:legend", "heading:further:legend"
_LEGEND_CONTINUED = f"{layout_items.HEADING_PREFIX}legend-continued"
#: the same for the pages of a long table
TABLE_NOTE, TABLE_PAGE_HEADING = "further:table", "heading:further:table"
#: id of a further page's number, followed by that number, and its width in millimetres on A4
PAGE_NUMBER_PREFIX, _NUMBER_WIDTH = "further:number:", 32.0
#: margin of the extra page, height of a heading, and space between two texts, millimetres on A4
_MARGIN, _HEADING_HEIGHT, _GAP = 14.0, 4.4, 5.0
#: height of the extra page's heading, millimetres on A4
_TITLE_HEIGHT = 15.0
#: ids of the shapes of a sheet's title that its further pages repeat
_TITLE_SHAPES = ("band", "band_accent")
#: lower edge of the title's ground on an extra page, top and height of the title on it, millimetres on A4
_BAND_BOTTOM, _BAND_TITLE, _BAND_TITLE_HEIGHT = 23.5, 10.2, 10.0
#: the widest comfortable line in millimetres on A4
_MAX_LINE_WIDTH = 182.0
#: least space between a heading and a note beside it, millimetres on A4
_NOTE_GAP = 4.0
#: share of a legend's height from which on a note is too high for its foot
_MUCH = 0.15
#: least width and height in millimetres on A4 of what a legend gets of a page with texts
_LEAST_SHARED = 34.0

#: font and bounds (millimetres on its page)
LabelStyle = Tuple[QFont, QRectF]


class TextBlock(NamedTuple):
    """A text that moves to the overflow page, evaluated, with its heading and its label."""

    text: str
    heading: Optional[QgsLayoutItemLabel]
    label: QgsLayoutItemLabel


def text_labels(layout: QgsPrintLayout) -> Dict[str, QgsLayoutItemLabel]:
    """Return the labels of credits, terms and sources that the layout has, in this order."""
    found = {
        item_id: layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
        for item_id in dynamic_labels.LABEL_FUNCTIONS
    }
    return {item_id: label for item_id, label in found.items() if label is not None}


def label_styles(layout: QgsPrintLayout) -> Dict[str, LabelStyle]:
    """Return font and bounds of the three texts, by item id."""
    return {
        item_id: (QFont(compat.label_font(label)), _label_bounds(label))
        for item_id, label in text_labels(layout).items()
    }


def move_to_overflow_page(layout: QgsPrintLayout, language: str, template_styles: Dict[str, LabelStyle]) -> List[str]:
    """Move the texts that do not fit the sheet to an extra page. Return notes on those that fit nowhere.

    ``template_styles`` are the fonts and bounds of the template, since earlier attempts to fit may have changed them.
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
    font, area = template_styles[layout_items.CREDITS]
    top = area.top()
    for _, bounds in template_styles.values():
        area = area.united(bounds)
    # the headings of the other texts may lie within the area, that of the credits above it
    area.setTop(top)
    sheet = max(0, credits.page())
    page = layout.pageCollection().extendByNewPage()
    number = layout.pageCollection().pageNumber(page)
    moved_ids = [item_id for item_id in labels if item_id != layout_items.CREDITS]
    pointer = _add_overflow_note(layout, moved_ids, language, number + 1, font)
    heading_bounds = _label_bounds(heading)
    heading_bounds.setLeft(area.left())
    heading_bounds.setWidth(area.width() * 0.45)
    layout_items.place_item(heading, heading_bounds, sheet)
    beside = QRectF(heading_bounds.right(), heading_bounds.top(), area.right() - heading_bounds.right(),
                    heading_bounds.height())
    layout_items.place_item(pointer, beside, sheet)
    credits_area = QRectF(area)
    if text_fitting.label_overflows(pointer):
        # a narrow panel has no room for it beside the heading, so it stands between that and the credits
        height = text_fitting.text_height(pointer.text(), font, area.width()) + 1.0
        layout_items.place_item(pointer, QRectF(area.left(), area.top(), area.width(), height), sheet)
        pointer.setHAlign(Qt.AlignmentFlag.AlignLeft)
        credits_area.setTop(area.top() + height)
    layout_items.place_item(credits, credits_area, sheet)
    if not _fit_credits(layout, credits):
        moved_ids.insert(0, layout_items.CREDITS)
        compat.set_label_font(credits, font)
        credits.setText(dynamic_labels.label_expression(layout, layout_items.CREDITS))
        layout.removeLayoutItem(pointer)
        pointer = _add_overflow_note(layout, moved_ids, language, number + 1, font)
        height = text_fitting.text_height(pointer.text(), font, area.width()) + 1.0
        layout_items.place_item(pointer, QRectF(area.left(), heading_bounds.top(), area.width(),
                                                max(height, heading_bounds.height())), sheet)
        pointer.setHAlign(Qt.AlignmentFlag.AlignLeft)
        _add_first_credits(layout, credits, area.adjusted(
            0, max(0.0, heading_bounds.top() + max(height, heading_bounds.height()) - area.top()), 0, 0), sheet)
    blocks = [TextBlock(labels[item_id].currentText(), headings[item_id], labels[item_id]) for item_id in moved_ids]
    return _fill_overflow_pages(layout, number, blocks, language)


def has_room_for_note(layout: QgsPrintLayout, item_id: str, language: str) -> bool:
    """Return whether the note that the text ``item_id`` is on the next page has room beside the credits' heading."""
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + layout_items.CREDITS, QgsLayoutItemLabel)
    credits = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    if heading is None or credits is None:
        return False
    note = _overflow_text([item_id], language, layout.pageCollection().pageCount() + 1)
    needed = text_fitting.text_width(note, compat.label_font(credits)) + _NOTE_GAP * text_fitting.space_factor(layout)
    return bool(text_fitting.text_width(heading.currentText(), compat.label_font(heading)) + needed
                <= credits.rect().width())


def move_one_text(layout: QgsPrintLayout, item_id: str, language: str, font: QFont) -> List[str]:
    """Move terms or sources alone to an extra page, and say so beside the credits' heading.

    ``font`` is the template's. Return a note if the text does not fit there either.
    """
    label, credits = text_labels(layout)[item_id], text_labels(layout)[layout_items.CREDITS]
    heading, beside = (layout_items.find_item(layout, layout_items.HEADING_PREFIX + name, QgsLayoutItemLabel)
                       for name in (item_id, layout_items.CREDITS))
    page = layout.pageCollection().extendByNewPage()
    number = int(layout.pageCollection().pageNumber(page))
    pointer = _add_overflow_note(layout, [item_id], language, number + 1, QFont(compat.label_font(credits)))
    place = _label_bounds(credits if beside is None else beside)
    width = text_fitting.text_width(pointer.text(), compat.label_font(pointer)) + 1.0
    right = credits.pagePos().x() + credits.rect().width()
    if beside is not None:
        layout_items.place_item(beside, QRectF(place.left(), place.top(), right - width - place.left(), place.height()))
    layout_items.place_item(pointer, QRectF(right - width, place.top(), width, place.height()), max(0, credits.page()))
    compat.set_label_font(label, font)
    label.setText(dynamic_labels.label_expression(layout, item_id))
    return _fill_overflow_pages(layout, number, [TextBlock(label.currentText(), heading, label)], language)


def move_legend(layout: QgsPrintLayout, legend: QgsLayoutItemLegend, language: str) -> int:
    """Move the legend to an extra page, and say so in its place. Return the number of that page, from 1."""
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + layout_items.LEGEND, QgsLayoutItemLabel)
    place, sheet = _label_bounds(legend if heading is None else heading), max(0, legend.page())
    size = text_fitting.space_factor(layout)
    number, area = begin_page(layout, heading, language, LEGEND_PAGE_HEADING)
    note = _add_label(layout, LEGEND_NOTE, map_phrase(language, "overflow_note",
                                                      what=map_phrase(language, layout_items.LEGEND), page=number + 1))
    if heading is not None:
        compat.set_label_font(note, QFont(compat.label_font(heading)))
    layout_items.place_item(note, place, sheet)
    if heading is not None:
        layout_items.place_item(heading, QRectF(area.left(), area.top(), area.width(), _HEADING_HEIGHT * size), number)
        area.setTop(area.top() + _HEADING_HEIGHT * size)
    layout_items.place_item(legend, area, number)
    return number + 1


def point_to_legend(layout: QgsPrintLayout, legend: QgsLayoutItemLegend, language: str) -> QgsLayoutItemLabel:
    """Add a note that the legend continues on the next page: at its foot, or beside its heading if it is that low."""
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + layout_items.LEGEND, QgsLayoutItemLabel)
    place, sheet, size = _label_bounds(legend), max(0, legend.page()), text_fitting.space_factor(layout)
    note = _add_label(layout, LEGEND_NOTE, continued_legend_note(language, layout.pageCollection().pageCount() + 1))
    font = QFont(compat.label_font(heading)) if heading is not None else QFont()
    style = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    if style is not None:
        # the credits themselves may be set smaller
        font = QFont(compat.label_font(style))
        font.setPointSizeF(max(font.pointSizeF(), text_fitting.role_points(layout, TextRole.CREDITS)))
    compat.set_label_font(note, font)
    beside = QRectF() if heading is None else QRectF(heading.pagePos().x() + heading.rect().width(),
                                                     heading.pagePos().y(), 0.0, heading.rect().height())
    beside.setRight(place.right())
    height = text_fitting.text_height(note.text(), compat.label_font(note), place.width()) + 1.0
    if height > _MUCH * place.height() and (
            text_fitting.text_width(note.text(), compat.label_font(note)) + 1.0 <= beside.width()):
        layout_items.place_item(note, beside, sheet)
        note.setVAlign(Qt.AlignmentFlag.AlignBottom)
        return note
    layout_items.place_item(legend, place.adjusted(0, 0, 0, -height - size), sheet)
    layout_items.place_item(note, QRectF(place.left(), place.bottom() - height, place.width(), height), sheet)
    return note


def add_legend_page(layout: QgsPrintLayout, language: str) -> Tuple[int, QRectF]:
    """Add an extra page on which the legend continues. Return its number, from 0, and the area for the legend."""
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + layout_items.LEGEND, QgsLayoutItemLabel)
    number, area = begin_page(layout, heading, language, LEGEND_PAGE_HEADING)
    if heading is not None:
        add_legend_heading(layout, language, number, area, _LEGEND_CONTINUED)
        area.setTop(area.top() + legend_heading_height(layout))
    return number, area


def add_legend_heading(layout: QgsPrintLayout, language: str, number: int, area: QRectF,
                       item_id: str = LEGEND_PAGE_HEADING) -> None:
    """Add the heading of a continued legend at the top of ``area`` (millimetres) of the page ``number``, from 0."""
    model = layout_items.find_item(layout, layout_items.HEADING_PREFIX + layout_items.LEGEND, QgsLayoutItemLabel)
    label = _add_label(layout, item_id, _continued_legend(language))
    if model is not None:
        compat.set_label_font(label, QFont(compat.label_font(model)))
    compat.set_label_colour(label, QColor(layout_theme(layout).heading))
    layout_items.place_item(label, QRectF(area.left(), area.top(), area.width(), legend_heading_height(layout)), number)


def legend_heading_height(layout: QgsPrintLayout) -> float:
    return _HEADING_HEIGHT * text_fitting.space_factor(layout)


def areas_beside_texts(layout: QgsPrintLayout) -> Iterator[Tuple[int, QRectF]]:
    """Yield a page, from 0, and an area in millimetres that its texts leave free: beside them, then below them.

    The texts stand close together meanwhile. They take their places again when no area was taken.
    """
    labels = [label for label in text_labels(layout).values() if label.page() > 0]
    if layout.itemById(OVERFLOW_HEADING) is None or not labels:
        return
    size, number = text_fitting.space_factor(layout), max(label.page() for label in labels)
    free, gap, least = extra_page_area(layout), _GAP * size, _LEAST_SHARED * size
    labels = sorted((label for label in labels if label.page() == number), key=lambda label: label.pagePos().y())
    items = [item for label in labels for item in (
        layout_items.find_item(layout, layout_items.HEADING_PREFIX + label.id(), QgsLayoutItemLabel), label)
        if item is not None]
    former = [_label_bounds(item) for item in items]
    top, right = free.top(), max(bounds.right() for bounds in former) + 2 * gap
    for item, bounds in zip(items, former):
        is_text = item in labels
        height = _block_height(item.currentText(), compat.label_font(item), bounds.width()) if is_text else (
            _HEADING_HEIGHT * size)
        layout_items.place_item(item, QRectF(bounds.left(), top, bounds.width(), height), number)
        top += height + (gap if is_text else 0.0)
    if free.right() - right >= least:
        yield number, QRectF(right, free.top(), free.right() - right, free.height())
    if free.bottom() - top >= least:
        yield number, QRectF(free.left(), top, free.width(), free.bottom() - top)
    for item, bounds in zip(items, former):
        layout_items.place_item(item, bounds, number)


def continued_legend_note(language: str, page: int) -> str:
    """Return the note that the legend continues on ``page``, from 1."""
    return map_phrase(language, "overflow_note", what=_continued_legend(language), page=page)


def _continued_legend(language: str) -> str:
    return f"{map_phrase(language, layout_items.LEGEND)} {map_phrase(language, 'continued')}"


def begin_page(layout: QgsPrintLayout, heading: Optional[QgsLayoutItemLabel], language: str,
               item_id: str, paper: Optional[QSizeF] = None) -> Tuple[int, QRectF]:
    """Add an extra page with the map's title. Return its number, from 0, and the free area below the title.

    ``heading`` has the font that the title is derived from, ``item_id`` is the id of the title's label. ``paper`` is
    the size in millimetres of the page once it is cut, by default that of the last page.
    """
    pages, area = layout.pageCollection(), extra_page_area(layout, paper)
    number, size = int(pages.pageCount()), text_fitting.space_factor(layout)
    page = pages.extendByNewPage()
    if paper is not None:
        page.setPageSize(QgsLayoutSize(*(side + 2 * print_margin(layout) for side in (paper.width(), paper.height()))))
        pages.reflow()
    title = _add_page_heading(layout, heading, language, QRectF(
        area.left(), area.top() - _TITLE_HEIGHT * size, area.width(), 9 * size), number)
    title.setId(item_id)
    return number, area


def title_bottom(layout: QgsPrintLayout) -> float:
    """Return where the coloured ground of the title ends on the first page, in millimetres, 0 without one."""
    shapes = [layout_items.find_item(layout, name, QgsLayoutItemShape) for name in _TITLE_SHAPES]
    found = [shape.pagePos().y() + shape.rect().height() for shape in shapes if shape is not None]
    title = layout_items.find_item(layout, layout_items.TITLE, QgsLayoutItemLabel)
    return float(max(found)) if len(found) == len(shapes) and title is not None and title.page() == 0 else 0.0


def repeat_title(layout: QgsPrintLayout, page: int, taller: float = 0.0) -> None:
    """Draw the ground of the first page's title on a further page too, so many millimetres ``taller``."""
    for name in _TITLE_SHAPES:
        shape = layout_items.find_item(layout, name, QgsLayoutItemShape)
        if shape is not None:
            copy = QgsLayoutItemShape(layout)
            copy.setShapeType(QgsLayoutItemShape.Shape.Rectangle)
            copy.setSymbol(shape.symbol().clone())
            layout.addLayoutItem(copy)
            place = QRectF(shape.pagePos(), shape.rect().size())
            layout_items.place_item(copy, place.adjusted(0, 0, 0, taller) if name == layout_items.BAND else
                                    place.translated(0, taller), page)


def extra_page_area(layout: QgsPrintLayout, paper: Optional[QSizeF] = None) -> QRectF:
    """Return the free area in millimetres that an extra page would have below its title.

    ``paper`` is its size once it is cut, by default that of the last page.
    """
    pages, size, edge = layout.pageCollection(), text_fitting.space_factor(layout), print_margin(layout)
    last = pages.page(pages.pageCount() - 1).rect().size()
    width, height = (last.width() - 2 * edge, last.height() - 2 * edge) if paper is None else (
        paper.width(), paper.height())
    margin, title = _MARGIN * size, _TITLE_HEIGHT * size
    return QRectF(edge + margin, edge + margin + title, width - 2 * margin, height - title - 2 * margin)


def _fit_credits(layout: QgsPrintLayout, credits: QgsLayoutItemLabel) -> bool:
    """Return whether the credits fit, also with the free space below them or in one paragraph."""
    font = QFont(compat.label_font(credits))
    min_size = text_fitting.least_label_points(credits)
    if text_fitting.shrink_to_fit(credits, min_size):
        return True
    colophon = layout_items.find_item(layout, layout_items.COLOPHON, QgsLayoutItemLabel)
    if colophon is not None:
        text_fitting.narrow_to_text(colophon)
    obstacles = [
        item for item in layout_items.items_of_type(layout, QgsLayoutItem)
        if item.id() and item.page() == credits.page() and not item.id().startswith("page")
    ]
    for in_a_row in (False, True):
        compat.set_label_font(credits, font)
        credits.setText(dynamic_labels.label_expression(layout, layout_items.CREDITS, on_one_line=in_a_row))
        text_fitting.extend_down(credits, obstacles)
        if text_fitting.shrink_to_fit(credits, min_size):
            return True
    return False


def _add_first_credits(layout: QgsPrintLayout, credits: QgsLayoutItemLabel, area: QRectF, sheet: int) -> None:
    """Print as many credits as have room in ``area`` on the map's sheet too, which may be copied alone."""
    font, lines = QFont(compat.label_font(credits)), credits.currentText().split("\n")
    font.setPointSizeF(text_fitting.least_label_points(credits))
    count = next((number for number in range(len(lines) - 1, 0, -1) if text_fitting.text_height(
        "\n".join(lines[:number]), font, area.width()) <= area.height() - _ALLOWANCE), 0)
    label = _add_label(layout, FIRST_CREDITS, "")
    compat.set_label_font(label, font)
    compat.set_label_colour(label, QColor(layout_theme(layout).ink))
    layout_items.place_item(label, area, sheet)
    # the lines of a long paragraph are more than those that are counted here
    for number in range(count, 0, -1):
        label.setText(dynamic_labels.label_expression(layout, layout_items.CREDITS, first=number))
        if not text_fitting.label_overflows(label):
            return
    layout.removeLayoutItem(label)


def _add_overflow_note(layout: QgsPrintLayout, moved: Sequence[str], language: str, page: int,
                       font: QFont) -> QgsLayoutItemLabel:
    """Add the note on the map's sheet about the page with the moved texts."""
    label = _add_label(layout, OVERFLOW_NOTE, _overflow_text(moved, language, page))
    compat.set_label_font(label, font)
    label.setHAlign(Qt.AlignmentFlag.AlignRight)
    return label


def _overflow_text(moved: Sequence[str], language: str, page: int) -> str:
    first, *others = [map_phrase(language, item_id) for item_id in moved]
    names = [first, *(name[:1].lower() + name[1:] for name in others)]
    what = map_phrase(language, "and").join([", ".join(names[:-1]), names[-1]]) if others else first
    return map_phrase(language, "overflow_note", what=what, page=page)


def _add_label(layout: QgsPrintLayout, item_id: str, text: str) -> QgsLayoutItemLabel:
    """Add a muted label without margins."""
    label = QgsLayoutItemLabel(layout)
    layout.addLayoutItem(label)
    label.setId(item_id)
    label.setText(text)
    compat.set_label_colour(label, QColor(layout_theme(layout).muted))
    for set_margin in (label.setMarginX, label.setMarginY):
        set_margin(0)
    label.setVAlign(Qt.AlignmentFlag.AlignTop)
    return label


def _fill_overflow_pages(layout: QgsPrintLayout, number: int, blocks: Sequence[TextBlock], language: str) -> List[str]:
    """Set the texts below one another on page ``number``. If that is too little space, each gets a page to itself."""
    size = text_fitting.space_factor(layout)
    page = layout.pageCollection().page(number).rect()
    full_width = page.width() - 2 * _MARGIN * size
    for width, together in ((min(full_width, _MAX_LINE_WIDTH * size), True), (full_width, True), (full_width, False)):
        pages = [list(blocks)] if together else [[block] for block in blocks]
        heights = [_available_height(page.height(), size, len(page_blocks)) for page_blocks in pages]
        fonts = [_font_for(page_blocks, width, height) for page_blocks, height in zip(pages, heights)]
        if all(font is not None for font in fonts):
            break
    notes = []
    for offset, (page_blocks, font, height) in enumerate(zip(pages, fonts, heights)):
        if offset:
            layout.pageCollection().extendByNewPage()
        _add_page_heading(layout, page_blocks[0].heading, language,
                          QRectF(_MARGIN * size, _MARGIN * size, full_width, 9 * size), number + offset)
        _stack_blocks(page_blocks, font, width, height, size, number + offset)
        if font is None:
            notes += [tr("The text “{id}” is too long for its space on the page.", id=block.label.id())
                      for block in page_blocks]
    return notes


def _available_height(height: float, size: float, count: int) -> float:
    """Return the millimetres that a page of this height has for ``count`` texts without their headings."""
    return height - (2 * _MARGIN + _TITLE_HEIGHT) * size - count * (_HEADING_HEIGHT + _GAP) * size


def _font_for(blocks: Sequence[TextBlock], width: float, available: float) -> Optional[QFont]:
    """Return the largest font in which the texts fit, or None if they do not fit in a legible one."""
    font = QFont(compat.label_font(blocks[0].label))
    points, least = _points(blocks)
    while True:
        font.setPointSizeF(points)
        if sum(_block_height(text, font, width) for text, _, _ in blocks) <= available:
            return font
        if points <= least:
            return None
        points = max(points - 0.2, least)


def _points(blocks: Sequence[TextBlock]) -> Tuple[float, float]:
    """Return the size of type of an overflow page and the least one, in points."""
    layout = blocks[0].label.layout()
    factor = text_fitting.type_factor(layout) or 1.0
    return size_of(TextRole.OVERFLOW, factor), least_size(TextRole.OVERFLOW, factor)


def _block_height(text: str, font: QFont, width: float) -> float:
    return text_fitting.text_height(text, font, width) + 1.0


def _stack_blocks(blocks: Sequence[TextBlock], font: Optional[QFont], width: float, available: float, size: float,
                  page: int) -> None:
    """Put the texts below one another, with some room for a map that comes to show more layers."""
    block_font = QFont(compat.label_font(blocks[0].label))
    block_font.setPointSizeF(_points(blocks)[1])
    block_font = font or block_font
    heights = [_block_height(text, block_font, width) for text, _, _ in blocks]
    share = min(1.5, max(available / sum(heights), 0.0)) if sum(heights) else 1.0
    left, top = _MARGIN * size, (_MARGIN + _TITLE_HEIGHT) * size
    layout = blocks[0].label.layout()
    headings = [layout_items.find_item(layout, layout_items.HEADING_PREFIX + item_id, QgsLayoutItemLabel)
                for item_id in text_labels(layout)]
    # one was shrunk to its place on the sheet
    points = max((compat.label_font(heading).pointSizeF() for heading in headings if heading is not None), default=0.0)
    for (_, heading, label), height in zip(blocks, heights):
        compat.set_label_font(label, block_font)
        if heading is not None:
            heading_font = QFont(compat.label_font(heading))
            heading_font.setPointSizeF(points)
            compat.set_label_font(heading, heading_font)
            layout_items.place_item(heading, QRectF(left, top, width, _HEADING_HEIGHT * size), page)
        layout_items.place_item(label, QRectF(left, top + _HEADING_HEIGHT * size, width, height * share), page)
        top += (_HEADING_HEIGHT + _GAP) * size + height * share


def _add_page_heading(layout: QgsPrintLayout, model: Optional[QgsLayoutItemLabel], language: str, bounds: QRectF,
                      page: int) -> QgsLayoutItemLabel:
    """Add the extra page's heading: the map's title, smaller or cut where it has to be, and the number of the page.

    They are on the ground that the title has on the first page, where it has one.
    """
    has_band, theme = title_bottom(layout) > 0, layout_theme(layout)
    title = layout_items.find_item(layout, layout_items.TITLE, QgsLayoutItemLabel)
    if has_band:
        size = text_fitting.space_factor(layout)
        # as on all of these pages, no letter is closer to the paper's edge than office printers reach
        repeat_title(layout, page, _BAND_BOTTOM * size - title_bottom(layout))
        bounds = QRectF(bounds.left(), _BAND_TITLE * size, bounds.width(), _BAND_TITLE_HEIGHT * size)
    # as many pages as there will be
    number = _add_label(layout, f"{PAGE_NUMBER_PREFIX}{page + 1}", map_phrase(
        language, "page_number", number="[% @layout_page %]", count="[% @layout_numpages %]"))
    style = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel) or model
    if style is not None:
        font = QFont(compat.label_font(style))
        font.setPointSizeF(text_fitting.role_points(layout, TextRole.NOTE))
        compat.set_label_font(number, font)
    number.setHAlign(Qt.AlignmentFlag.AlignRight)
    number.setVAlign(Qt.AlignmentFlag.AlignVCenter)
    width = _NUMBER_WIDTH * text_fitting.space_factor(layout)
    layout_items.place_item(number, QRectF(bounds.right() - width, bounds.top(), width, bounds.height()), page)
    if has_band:
        compat.set_label_colour(number, QColor(theme.title))
    label = QgsLayoutItemLabel(layout)
    layout.addLayoutItem(label)
    label.setId(OVERFLOW_HEADING)
    label.setText(title.text() if title is not None else map_phrase(language, "sources"))
    if title is not None and has_band:
        compat.set_label_font(label, QFont(compat.label_font(title)))
        label.setVAlign(Qt.AlignmentFlag.AlignVCenter)
    elif model is not None:
        font = QFont(compat.label_font(model))
        font.setPointSizeF(font.pointSizeF() * 1.8)
        compat.set_label_font(label, font)
    compat.set_label_colour(label, QColor(theme.title if has_band else theme.heading))
    for set_margin in (label.setMarginX, label.setMarginY):
        set_margin(0)
    layout_items.place_item(label, bounds.adjusted(0, 0, -width, 0), page)
    # a long title takes a second line rather than lose its end
    text_fitting.shrink_to_fit(label, text_fitting.least_label_points(label))
    text_fitting.cut_to_fit(label)
    return label


def _label_bounds(label: QgsLayoutItem) -> QRectF:
    """Return the item's bounds on its page, in millimetres."""
    position = label.pagePos()
    return QRectF(position.x(), position.y(), label.rect().width(), label.rect().height())

"""Folded leaflet: its texts for visitors, cover and bleed. Table and photos are in the modules beside this one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Hashable, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPrintLayout,
)
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QFont

from ...core.custommap.model import PageSetup, Plan
from ...core.i18n import tr
from ...core.page_design.type_scale import TextRole
from ...core.pages.leaflet import TEMPLATE
from ...core.publication.page_elements import ElementRole
from ...core.text import inert, printable, with_short_paragraphs, without_direction_marks
from ..credits.map_phrases import map_phrase
from ..layouts import layout_items, templates, text_fitting
from ..layouts.map_frame import set_map_time
from ..runtime import compat
from .layout_feature import LayoutFeature, MapRoom, PageBuilding
from .leaflet_cover import TALLEST_LOCATION, centre_cover, note_ends, panel_width
from .leaflet_photos import PHOTO_CONTENTS, PHOTO_PREFIX, photo_credits, photo_problems, place_photos
from .leaflet_table import TABLE_CONTENTS, await_table, table_credits, table_problems
from .print_marks import add_bleed, draw_crop_marks
from .qr_code import QR_CODE

#: sizes of the letters as shares of the template's: larger where there is little to say, smaller where there is much
_FACTORS = (1.4, 1.35, 1.3, 1.25, 1.2, 1.15, 1.1, 1.05, 1.0, 0.95, 0.9, 0.85, 0.8)
#: least size of a heading as a share of the letters below it
_HEADING_SHARE = 1.1
#: space between a heading and its text, and between two texts, as shares of a heading's height
_HEADING_GAP, _SECTION_GAP = 0.15, 0.9
#: height that a text is given beyond what its letters take
_ALLOWANCE = 0.6
#: heading of the location map with the spaces above and below it, as a share of its height
_LOCATION_HEAD = 1 + _HEADING_GAP + _SECTION_GAP
#: highest location map on the back, which nothing else fills where there are few texts, and on the panel beside it, as
#: a share of its width
_TALLEST = (TALLEST_LOCATION, 0.75)
#: share of a panel's room that is too much to stay white at its foot
_MUCH = 0.2
#: least letters with which all texts stand on the back, and letters that are large enough not to ask for more room
_LEAST_ON_BACK, _LARGE = 1.0, 1.2
#: heights that the location map gives way to where texts lack room, as shares of the template's
_LOWER_MAPS = (1.0, 0.8, 0.6)
#: millimetres on A4 between credits, terms and sources, and around the line above them
_BETWEEN = 3.0
#: millimetres of a text that gives way to others
_SHORTEST = 10.0
_TEXTS = (layout_items.ABSTRACT, *layout_items.LEAFLET_TEXTS)


def _room_key(page: PageSetup, _with_services: bool) -> Hashable:
    return bool(page.leaflet.table), _has_bleed(page)


def _has_bleed(page: PageSetup) -> bool:
    return page.leaflet.bleed and page.template == TEMPLATE


def _share_room(layout: QgsPrintLayout, page: PageSetup, _with_services: bool) -> None:
    if _has_bleed(page):
        add_bleed(layout, layout_items.FOLD_PREFIX)
    _share_table_room(layout, page)


def _share_table_room(layout: QgsPrintLayout, page: PageSetup) -> None:
    """Note that a table is awaited, or remove its place."""
    place, item = layout.itemById(layout_items.TABLE), layout_items.main_map(layout)
    if place is None or item is None:
        return
    if page.leaflet.table:
        place.setVisibility(False)
        await_table(layout)
        return
    heading = layout.itemById(layout_items.HEADING_PREFIX + layout_items.TABLE)
    for left_over in (place, heading):
        if left_over is not None:
            layout.removeLayoutItem(left_over)


def _fill(page: PageBuilding) -> List[str]:
    """Fill cover, photos and texts, and draw crop marks. Return notes."""
    _place_photos(page.layout, page.plan)
    _fill_cover(page.layout, page.item, page.plan)
    notes = _fill_texts(page)
    draw_crop_marks(page.layout)
    return notes


def _fill_cover(layout: QgsPrintLayout, item: QgsLayoutItemMap, plan: Plan) -> None:
    """Show the middle of the map on the cover, with its layers and at its scale."""
    cover = layout_items.find_item(layout, layout_items.COVER, QgsLayoutItemMap)
    if cover is None:
        return
    cover.setCrs(item.crs())
    cover.setMapRotation(item.mapRotation())
    cover.setLayers(item.layers())
    cover.setKeepLayerSet(True)
    cover.setKeepLayerStyles(item.keepLayerStyles())
    cover.setLayerStyleOverrides(item.layerStyleOverrides())
    cover.setBackgroundColor(item.backgroundColor())
    centre_cover(layout, item)
    set_map_time(cover, plan)


def _place_photos(layout: QgsPrintLayout, plan: Plan) -> None:
    """Give the photos their places. In the bundled template the first is on the cover, and the text for visitors begins
    below the others.
    """
    credits = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    slot = layout.itemById(layout_items.PHOTOS)
    font = QFont(compat.label_font(credits)) if credits is not None else QFont()
    is_bundled = not templates.is_user_template(plan.page.template)
    cover = layout_items.find_item(layout, layout_items.COVER, QgsLayoutItemMap) if is_bundled else None
    used = place_photos(layout, slot, plan.page.leaflet.photos, font, cover)
    if not used or templates.is_user_template(plan.page.template):
        return
    for item_id, shrinks in ((layout_items.HEADING_PREFIX + layout_items.ABSTRACT, False),
                             (layout_items.ABSTRACT, True)):
        item = layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
        if item is not None:
            place = item.pagePos()
            if shrinks:
                item.attemptResize(QgsLayoutSize(item.rect().width(), max(10.0, item.rect().height() - used)))
            item.attemptMove(QgsLayoutPoint(place.x(), place.y() + used), True, False, max(0, item.page()))


@dataclass(frozen=True)
class _Section:
    """A text with its heading, where the template has one, and the font that the template gives it."""

    name: str
    label: QgsLayoutItemLabel
    heading: Optional[QgsLayoutItemLabel]
    font: QFont
    heading_font: Optional[QFont] = None

    def items(self) -> List[QgsLayoutItemLabel]:
        return [self.label] if self.heading is None else [self.heading, self.label]


def _fill_texts(page: PageBuilding) -> List[str]:
    """Fill the labels of the leaflet's texts, and remove those that are empty. Return notes on texts that do not fit.

    In the bundled template they are arranged on as few panels as they need. Other templates keep their arrangement.
    No-op for a template without these labels.
    """
    layout, plan = page.layout, page.plan
    if not layout_items.has_leaflet_texts(layout):
        return []
    sections = [section for name in _TEXTS if (section := _section(layout, name)) is not None]
    filled = [section for section in sections if _set_text(section, plan)]
    if not templates.is_user_template(plan.page.template):
        _arrange_panels(page, sections, filled)
    for section in sections:
        if section not in filled:
            for item in section.items():
                layout.removeLayoutItem(item)
    unfit = [section.name for section in filled if not text_fitting.shrink_to_fit(section.label, _least_size(section))]
    for section in filled:
        text_fitting.cut_to_fit(section.label)
    return [tr("The text “{id}” is too long for its space on the page.", id=name) for name in unfit]


def _arrange_panels(page: PageBuilding, sections: Sequence[_Section], filled: Sequence[_Section]) -> None:
    """Share out texts, location map and table over the panels.

    Credits stand at the foot of the back, above them all texts where they have room in letters of a good size and no
    table is awaited. Else the first of them, the text for visitors, has the panel beside the back. With the table no
    panel is left empty then. One size of letters is on all panels. The
    location map is as high as there is room, and the table stands on the next free panel.
    """
    layout, width, first = page.layout, panel_width(page.layout), sections[0]
    inset = layout_items.find_item(layout, layout_items.INSET, QgsLayoutItemMap)
    title = layout_items.find_item(layout, layout_items.HEADING_PREFIX + "location", QgsLayoutItemLabel)
    if first.name != layout_items.ABSTRACT or inset is None or title is None:
        return
    visit = _united(first.items())
    visit.setBottom(inset.pagePos().y() + inset.rect().height())
    top = min(section.items()[0].pagePos().y() for section in sections)
    back = QRectF(visit.left() - width, top, visit.width(), _stack_credits(layout) - top)
    has_photos, head = visit.top() > top + 1, _LOCATION_HEAD * title.rect().height()

    def panels(on_visit: int, place: int, share: float = 1.0) -> List[Tuple[Sequence[_Section], QRectF]]:
        """Return the texts of back and visit, the first ``on_visit`` of which are on the latter, and their room.

        The location map is on the panel with the number ``place``, and at least this share of its height.
        """
        least = share * inset.rect().height() + head
        return [(members, room.adjusted(0, 0, 0, -least if number == place else 0.0)) for number, (members, room)
                in enumerate(((filled[on_visit:], back), (filled[:on_visit], visit)))]

    def factor(on_visit: int, place: int, share: float = 1.0) -> float:
        return min((_fitting_factor(members, room) for members, room in panels(on_visit, place, share) if members),
                   default=1.0)

    def lacking(on_visit: int, place: int, share: float = 1.0) -> float:
        return float(sum(max(0.0, _needed_height(members, room, _FACTORS[-1]) - room.height())
                         for members, room in panels(on_visit, place, share) if members))

    chosen = 0, 0, 1.0
    has_table = layout.itemById(layout_items.TABLE) is not None and bool(filled)
    if has_table or (first in filled and (has_photos or factor(0, 0) < _LEAST_ON_BACK)):
        # beside a table that is not read yet, it is moved once its length is known
        chosen = 1, 1 if factor(1, 0) < min(factor(1, 1), _LEAST_ON_BACK if has_table else _LARGE) else 0, 1.0
    for share in _LOWER_MAPS:
        if lacking(*chosen) > 0:
            # further texts have room below the visit, but none is moved where that does not make all of them whole
            others = ((count, place, share) for count in range(len(filled)) for place in (0, 1))
            chosen = max((each for each in others if lacking(*each) <= 0), key=lambda each: factor(*each),
                         default=(*chosen[:2], share))
    on_visit, place, _share = chosen
    letters = factor(*chosen)
    ends = [_stack(members, room, letters) if members else room.top() for members, room in panels(*chosen)]
    if filled:
        _match_headings(layout, filled[0])
    ends[place] = _place_location(title, inset, (back, visit)[place], ends[place], place == 0)
    table = [item for name in (layout_items.TABLE, layout_items.HEADING_PREFIX + layout_items.TABLE)
             if (item := layout_items.find_item(layout, name, QgsLayoutItem)) is not None]
    has_visit = has_photos or on_visit > 0
    room_below = {1: ends[1] if has_visit else 0.0, 2: 0.0}
    if table:
        del room_below[2 if has_visit else 1]
    for item in () if has_visit else table:
        item.attemptMove(QgsLayoutPoint(item.pagePos().x() - width, item.pagePos().y()), True, False,
                         max(0, item.page()))
    note_ends(layout, room_below)


def _place_location(title: QgsLayoutItemLabel, inset: QgsLayoutItemMap, room: QRectF, above: float,
                    is_on_back: bool) -> float:
    """Place the location map below the texts that end at ``above``, and return where it ends.

    It takes the rest of its panel, but is not higher than a share of its width. On the back, which no other map fills,
    much room is shared out above and below it.
    """
    head, page = title.rect().height(), max(0, inset.page())
    y = above + _SECTION_GAP * head if above > room.top() else above
    top = y + (1 + _HEADING_GAP) * head
    height = min(room.bottom() - top, _TALLEST[0 if is_on_back else 1] * room.width())
    free = room.bottom() - top - height
    if is_on_back and free > _MUCH * room.height():
        y, top = y + free / 2, top + free / 2
    layout_items.place_item(title, QRectF(room.left(), y, room.width(), head), page)
    layout_items.place_item(inset, QRectF(room.left(), top, room.width(), height), page)
    return float(top + height)


def _stack_credits(layout: QgsPrintLayout) -> float:
    """Close up credits, terms and sources at the foot of their panel. Return the lower end of the room above them."""
    gap, y = _BETWEEN * text_fitting.space_factor(layout), 0.0
    code = layout_items.find_item(layout, QR_CODE, QgsLayoutItem)
    rule = layout_items.find_item(layout, "back_rule", QgsLayoutItem)
    colophon = layout_items.find_item(layout, layout_items.COLOPHON, QgsLayoutItemLabel)
    if rule is None or colophon is None:
        return y
    y = colophon.pagePos().y()
    for name in (layout_items.SOURCES, layout_items.TERMS, layout_items.CREDITS):
        label, heading = (layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
                          for item_id in (name, layout_items.HEADING_PREFIX + name))
        if label is None:
            continue
        head, text = _taken(heading), _taken(label)
        is_beside = code is not None and label.pagePos().x() + label.rect().width() < code.pagePos().x()
        beside = code if is_beside else None
        y -= gap + max(head + text, beside.rect().height() if beside is not None else 0.0)
        page = max(0, label.page())
        if heading is not None:
            layout_items.place_item(heading, QRectF(label.pagePos().x(), y, heading.rect().width(), head), page)
        layout_items.place_item(label, QRectF(label.pagePos().x(), y + head, label.rect().width(), text), page)
        if beside is not None:
            beside.attemptMove(QgsLayoutPoint(beside.pagePos().x(), y), True, False, page)
    rule.attemptMove(QgsLayoutPoint(rule.pagePos().x(), y - gap), True, False, max(0, rule.page()))
    return float(y - 2 * gap)


def _taken(label: Optional[QgsLayoutItemLabel]) -> float:
    """Return the height in millimetres that a label's text takes in its letters."""
    return 0.0 if label is None else text_fitting.text_height(
        label.currentText(), compat.label_font(label), label.rect().width()) + _ALLOWANCE


def _section(layout: QgsPrintLayout, name: str) -> Optional[_Section]:
    label = layout_items.find_item(layout, name, QgsLayoutItemLabel)
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + name, QgsLayoutItemLabel)
    return None if label is None else _Section(
        name, label, heading, QFont(compat.label_font(label)),
        QFont(compat.label_font(heading)) if heading is not None else None)


def _set_text(section: _Section, plan: Plan) -> bool:
    """Set the section's text and heading. Return whether it has a text."""
    texts = plan.page.leaflet
    values: Dict[str, str] = {layout_items.ABSTRACT: texts.visitor_text, "directions": texts.directions,
                              "opening_hours": texts.opening_hours, "emergency_numbers": texts.emergency_numbers}
    text, phrase = _tidied(values[section.name]), section.name
    if section.name == layout_items.ABSTRACT and text:
        phrase = "visitor_text"
    if section.heading is not None:
        section.heading.setText(inert(map_phrase(plan.language, phrase)))
    section.label.setText(inert(with_short_paragraphs(text)))
    return bool(text)


def _tidied(text: str) -> str:
    """Return the text without hidden marks, and without white space at the ends of lines and of all."""
    return "\n".join(line.strip() for line in without_direction_marks(printable(text)).strip().splitlines())


def _fitting_factor(sections: Sequence[_Section], room: QRectF) -> float:
    """Return the largest share of the template's letters in which the sections fit the room, else the smallest."""
    return next((factor for factor in _FACTORS if _needed_height(sections, room, factor) <= room.height()),
                _FACTORS[-1])


def _needed_height(sections: Sequence[_Section], room: QRectF, factor: float) -> float:
    heights = [_set_size(section, factor, room.width()) for section in sections]
    heads = [_head(section) for section in sections]
    return sum(heights) + sum(heads) + _SECTION_GAP * max(heads) * (len(sections) - 1)


def _stack(sections: Sequence[_Section], room: QRectF, factor: float) -> float:
    """Place the sections one below the other, in letters of a share of the template's. Return where they end.

    If they do not fit, the first ones give way, so that the numbers to call are whole.
    """
    lacking = _needed_height(sections, room, factor) - room.height()
    heights = [_set_size(section, factor, room.width()) for section in sections]
    heads = [_head(section) for section in sections]
    gap = _SECTION_GAP * max(heads)
    for number, height in enumerate(heights[:-1]):
        if lacking > 0:
            heights[number] = max(min(height, _SHORTEST), height - lacking)
            lacking -= height - heights[number]
    y = room.top()
    page = max(0, sections[0].label.page())
    for section, height, head in zip(sections, heights, heads):
        if section.heading is not None:
            layout_items.place_item(
                section.heading, QRectF(room.left(), y, room.width(), section.heading.rect().height()), page)
        height = min(height, max(1.0, room.bottom() - y - head))
        layout_items.place_item(section.label, QRectF(room.left(), y + head, room.width(), height), page)
        y += head + height + gap
    return float(y - gap)


def _head(section: _Section) -> float:
    return float(section.heading.rect().height()) * (1 + _HEADING_GAP) if section.heading is not None else 0.0


def _set_size(section: _Section, factor: float, width: float) -> float:
    """Set the text's letters to a share of the template's, and return the height in millimetres that it takes then.

    Its heading keeps above them.
    """
    font = QFont(section.font)
    font.setPointSizeF(max(round(section.font.pointSizeF() * factor, 2), _least_size(section)))
    compat.set_label_font(section.label, font)
    if section.heading is not None and section.heading_font is not None:
        _set_heading_size(section.heading, section.heading_font, font.pointSizeF())
    return text_fitting.text_height(section.label.currentText(), font, width) + _ALLOWANCE


def _set_heading_size(heading: QgsLayoutItemLabel, template_font: QFont, below: float) -> float:
    """Give a heading at least _HEADING_SHARE of the letters below it, and the height that it takes then.

    Return the height by which it became taller.
    """
    font, former = QFont(template_font), heading.rect().height()
    font.setPointSizeF(max(template_font.pointSizeF(), round(_HEADING_SHARE * below, 2)))
    compat.set_label_font(heading, font)
    needed = text_fitting.text_height(heading.currentText(), font, heading.rect().width()) + _ALLOWANCE
    heading.attemptResize(QgsLayoutSize(heading.rect().width(), needed))
    return float(needed - former)


def _match_headings(layout: QgsPrintLayout, section: _Section) -> None:
    """Give the headings of table and location map the size of those of the texts: the outer panels have two sizes."""
    letters = compat.label_font(section.label).pointSizeF()
    for name in (layout_items.TABLE, "location"):
        heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + name, QgsLayoutItemLabel)
        if heading is None:
            continue
        taller = _set_heading_size(heading, QFont(compat.label_font(heading)), letters)
        place = heading.pagePos()
        below = layout.itemById(layout_items.TABLE)
        if name == layout_items.TABLE and below is not None:
            below.attemptResize(QgsLayoutSize(below.rect().width(), below.rect().height() - taller))
            below.attemptMove(QgsLayoutPoint(below.pagePos().x(), below.pagePos().y() + taller), True, False,
                              max(0, below.page()))
        elif name != layout_items.TABLE:
            heading.attemptMove(QgsLayoutPoint(place.x(), place.y() - taller), True, False, max(0, heading.page()))


def _least_size(section: _Section) -> float:
    return text_fitting.least_points(section.label.layout(), TextRole.BODY, section.font.pointSizeF())


def _united(items: Sequence[QgsLayoutItem]) -> QRectF:
    """Return the bounds of items on their page, in millimetres."""
    room = QRectF()
    for item in items:
        room = room.united(QRectF(item.pagePos().x(), item.pagePos().y(), item.rect().width(), item.rect().height()))
    return room


def _problems(layout: QgsPrintLayout) -> List[str]:
    item = layout_items.main_map(layout)
    return [] if item is None else table_problems(layout, item) + photo_problems(layout)


def _credits(layout: QgsPrintLayout) -> Dict[str, str]:
    """Return the credit lines of photos and table, with what they are of."""
    return {**{credit: tr("photos") for credit in photo_credits(layout)},
            **{credit: tr("table of trails and facilities") for credit in table_credits(layout)}}


def _describe(item: QgsLayoutItem, language: str) -> Optional[Tuple[ElementRole, str]]:
    if isinstance(item, QgsLayoutItemMap) and item.id() == layout_items.COVER:
        return ElementRole.FIGURE, map_phrase(language, "alt_cover", title=layout_items.layout_title(item.layout()))
    if isinstance(item, QgsLayoutItemPicture) and item.id().startswith(PHOTO_PREFIX):
        return ElementRole.FIGURE, str(item.customProperty(layout_items.ALTERNATIVE_TEXT, ""))
    return None


FEATURE = LayoutFeature(
    "leaflet", room=MapRoom((layout_items.TABLE,), _room_key, _share_room), fill_rest=_fill,
    contents=(TABLE_CONTENTS, PHOTO_CONTENTS), problems=_problems, credits=_credits, describe=_describe)

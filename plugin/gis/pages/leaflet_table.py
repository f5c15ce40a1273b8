"""Draw the table of a leaflet beside its map, and the numbers of its rows on the map. Main thread only.

The template has an item with the id ``table``, whose place the table takes. Without a table its map takes that place.
A table that is too long for one column has two. What these have no room for continues on extra pages if the person has
chosen so, else the least important rows are left out, and the layout's notes say how many.
Numbers are items of the layout, so that each can be moved by hand.
"""

from __future__ import annotations

import json
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from qgis.core import (
    QgsGeometry,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutMeasurement,
    QgsPrintLayout,
    QgsProject,
)
from qgis.PyQt.QtCore import QPointF, QRectF, QSizeF, Qt
from qgis.PyQt.QtGui import QColor, QFont, QPolygonF, QTransform

from ...core.custommap.model import Plan
from ...core.i18n import tr
from ...core.json_document import stored_object
from ...core.page_design.type_scale import TextRole
from ...core.pages.leaflet import (
    MAX_ROWS,
    FacilityTable,
    NumberPlace,
    PageBox,
    TableFeature,
    length_text,
    place_numbers,
    shortened_table,
)
from ...core.text import inert, printable, truncate_words, without_direction_marks
from ..credits.map_phrases import map_phrase
from ..layouts import layout_items, templates, text_fitting
from ..layouts.layout_items import add_notes
from ..layouts.page_theme import layout_theme
from ..runtime import compat, page_fonts
from ..services.service_cache import ServiceCache
from . import overflow_page
from .layout_feature import TaskContents
from .leaflet_cover import BELOW, ground_location, known_ends, level_panels, note_ends, panel_width
from .leaflet_table_reading import MapArea, TableRequest, TableResult, read_table, table_request
from .print_marks import draw_crop_marks, print_margin

_TABLE = "cartoguide/table"
_AWAITED = "awaited"
#: ids of the table's credits, and of the grounds below its numbers on the map, followed by the number
CREDITS, GROUND_PREFIX = "table-credits", "table-ground:"
#: ids of the lines that lead from the table to the map, and from the legend to the table
HINT, POINTER = "table-hint", "table-pointer"
#: id of the heading of the table on an extra page
_CONTINUED = f"{layout_items.HEADING_PREFIX}table-continued"
#: sizes of the letters as shares of those of the credits: larger where there is room, smaller where the type allows it
_FACTORS = (1.2, 1.1, 1.0, 0.94, 0.88, 0.82)
#: sizes of the letters as shares of those of the texts beside the table, where these are larger
_TEXT_SHARES = (1.0, 0.94, 0.88, 0.82, 0.76)
#: height of a line, of a group's heading and of the space above it, as shares of the letters' height
_LINE, _HEAD, _SPACE = 1.32, 1.5, 0.8
_MM_PER_POINT = 25.4 / 72
#: width of the numbers' column and of the lengths' column in heights of letters, and the gap between columns
_NUMBER_WIDTH, _LENGTH_WIDTH, _GAP = 2.2, 4.2, 0.6
#: height of each line of a name of several lines, least width of a column on an extra page, and the gap between two
_WRAPPED, _COLUMN, _COLUMN_GAP = 1.4, 24.0, 2.0
#: shares of a panel's height that two columns take, tried one after the other
_COLUMN_SHARES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
#: the same for the columns of a further sheet
_SHEET_SHARES = tuple(step / 20 for step in range(2, 21))
#: least width of a name in one of two columns, in heights of letters
_LEAST_NAME = 6.0
#: least millimetres of a panel beside the table's on which it goes on
_LEAST_PART = 60.0
#: pages that a table may continue on
_MAX_PAGES = 20
#: millimetres at the edge of the cut paper that have no numbers, and at the edges of the map where symbols may be cut
_EDGE, _CUT = 5.0, 4.0
_HALO = 0.35


class TableState(NamedTuple):
    """Problems of the table, the credits that its data ask for, and the area that its numbers are placed on."""

    problems: Tuple[str, ...]
    credits: Tuple[str, ...]
    area: str


def shown_area(item: QgsLayoutItemMap) -> str:
    """Return the corners of what a map shows as a text, which changes when the map is moved."""
    return json.dumps([round(value, 3) for point in item.visibleExtentPolygon() for value in (point.x(), point.y())])


def await_table(layout: QgsPrintLayout) -> None:
    """Note that the layout's page is to have a table, which is read later."""
    layout.setCustomProperty(_TABLE, json.dumps({_AWAITED: True}))


def record_table(layout: QgsPrintLayout, state: TableState) -> None:
    """Note the state of the table that was drawn."""
    layout.setCustomProperty(_TABLE, json.dumps(state._asdict(), ensure_ascii=False))


def table_credits(layout: QgsPrintLayout) -> List[str]:
    """Return the credits that the data of the layout's table ask for."""
    return _texts(layout, "credits")


def table_problems(layout: QgsPrintLayout, item: QgsLayoutItemMap) -> List[str]:
    """Return a text for each thing that the layout's table lacks. ``item`` is the map with its numbers."""
    stored = stored_object(layout.customProperty(_TABLE))
    if stored.get(_AWAITED):
        return [tr("Its table of trails and facilities has not been read yet.")]
    problems = _texts(layout, "problems")
    if stored and stored.get("area") != shown_area(item):
        problems.append(tr("The map was moved after the numbers of the table were put on it. Build the page again."))
    return problems


def _texts(layout: QgsPrintLayout, name: str) -> List[str]:
    values = stored_object(layout.customProperty(_TABLE)).get(name)
    return [text for text in values if isinstance(text, str)] if isinstance(values, list) else []


class _Line(NamedTuple):
    """A line of the table: a heading, or a row with its number. ``text_lines`` are the lines that its text takes."""

    text: str
    number: int = 0
    length: str = ""
    text_lines: int = 1


def request_table(layout: QgsPrintLayout, plan: Plan, project: QgsProject,
                  services: Optional[ServiceCache] = None) -> Optional[TableRequest]:
    """Return what the table of a layout is read from, None for a page without one."""
    item = layout_items.main_map(layout)
    if item is None or layout.itemById(layout_items.TABLE) is None:
        return None
    return table_request(plan, project, map_area(item, project), services)


def map_area(item: QgsLayoutItemMap, project: QgsProject) -> MapArea:
    """Return the area that a map shows on the cut paper, without what may be cut at its edges."""
    shown = _on_paper(item, QRectF(item.pagePos(), item.rect().size()).adjusted(_CUT, _CUT, -_CUT, -_CUT), _CUT)
    to_map, _can_invert = _to_page(item).inverted()
    return MapArea(QgsGeometry.fromQPolygonF(to_map.map(QPolygonF(shown))), str(item.crs().authid()),
                   project.transformContext())


def set_table(layout: QgsPrintLayout, plan: Plan, result: Optional[TableResult]) -> None:
    """Draw the table that was read, and its numbers on the map. No-op without a result.

    Rows that the page has no room for, and what could not be read, are problems, with which the page is incomplete.
    """
    place, item = layout.itemById(layout_items.TABLE), layout_items.main_map(layout)
    if result is None or not isinstance(place, QgsLayoutItem) or item is None:
        return
    table, problems, notes = result.table, list(result.problems), list(result.table.notes)
    is_drawn = len(table.features) <= MAX_ROWS and _draw_rows(layout, place, plan.language, table,
                                                              not plan.page.leaflet.further_sheet)
    if not is_drawn and len(table.features) <= MAX_ROWS and templates.may_have_more_pages(plan.page):
        if plan.page.leaflet.further_sheet:
            further = _draw_continued(layout, place, plan.language, table)
            is_drawn = further > 0
            if is_drawn:
                notes.append(tr("The table is too long for its place and continues on page {page}.", page=further))
        else:
            shown = _longest_that_fits(layout, place, plan.language, table)
            is_drawn = bool(shown.features) and _draw_rows(layout, place, plan.language, shown)
            if is_drawn:
                notes.append(tr("The table has no room for %n row(s), which are left out: the shortest trails and the "
                                "last places. They can be put on a further sheet in the form of the leaflet.",
                                n=len(table.features) - len(shown.features)))
                table = shown
    if not is_drawn:
        problems.append(tr("The table has %n row(s), for which the page has no room. Choose fewer layers for it, or a "
                           "larger paper.", n=len(table.features)))
    else:
        unplaced = _draw_numbers(layout, item, place, table.features)
        problems.extend(tr("The number {number} of the table, “{name}”, has no place on the map.", number=number,
                           name=table.features[number - 1].name) for number in unplaced)
        if not templates.is_user_template(plan.page.template):
            _fill_below(layout, place)
    layout.removeLayoutItem(place)
    record_table(layout, TableState(tuple(problems), table.credits, shown_area(item)))
    add_notes(layout, [*notes, *problems])


def _lines(table: FacilityTable, language: str) -> List[_Line]:
    decimal, number = map_phrase(language, "decimal"), 0
    lines: List[_Line] = []
    for group in table.groups:
        lines.append(_Line(_clean(group.title)))
        for feature in group.features:
            number += 1
            name = f"{feature.name} ({feature.kind})" if feature.kind else feature.name
            lines.append(_Line(_clean(name), number,
                               length_text(feature.length, decimal) if feature.length is not None else ""))
    return lines


def _clean(text: str) -> str:
    return without_direction_marks(printable(text))


class _Place(NamedTuple):
    """A place for the table: areas on one or two panels in the order of reading, and a place for its heading.

    ``heading`` is None where it stays.
    """

    areas: Sequence[QRectF]
    heading: Optional[QRectF] = None


class _Arrangement(NamedTuple):
    """The table in letters of one size: the lines of each column and its place, and the credits below them."""

    font: QFont
    runs: Sequence[Sequence[_Line]]
    columns: Sequence[QRectF]
    credit_text: str
    credit_font: QFont
    credit_place: QRectF
    heading: Optional[QRectF]


def _arrange(layout: QgsPrintLayout, place: QgsLayoutItem, language: str, table: FacilityTable,
             factors: Sequence[float] = _FACTORS, may_wrap: bool = True) -> Optional[_Arrangement]:
    """Return the table in the largest letters that its place has room for, None if it does not fit it in any.

    They are never larger than those of the texts beside it, and no larger than those of credits where names would take
    more lines then. A table that is too long for one column has two, or goes on on a panel beside it that has room.
    Columns in which names take more lines than on a whole panel come last, and only if they ``may_wrap``.
    """
    base = _base_font(layout)
    least = text_fitting.least_points(layout, TextRole.TABLE, base.pointSizeF())
    sizes = [base.pointSizeF() * factor for factor in factors]
    if factors == _FACTORS:
        sizes = [size * share for size in _text_sizes(layout) for share in _TEXT_SHARES
                 if size * share > sizes[0]] + sizes
    sizes = list(dict.fromkeys(max(least, size) for size in sizes))
    large = [size for size in sizes if size >= base.pointSizeF()]
    usual = [(where, count, False) for where in _places(layout, place) for count in (1, 2)]
    narrow = [(where, 2, True) for where in _places(layout, place) if may_wrap]
    for some_sizes, ways in ((large, usual), (sizes[len(large):], usual), (sizes, narrow)):
        for where, count, wraps in ways:
            for size in some_sizes:
                made = _arranged(layout, language, table, size, where, count, wraps)
                if made is not None:
                    return made
    return None


def _arranged(layout: QgsPrintLayout, language: str, table: FacilityTable, size: float, where: _Place, count: int,
              may_wrap: bool) -> Optional[_Arrangement]:
    """Return the table in letters of this size in ``count`` columns on each of its panels, None without room.

    Where names must not take more lines than on a whole panel in usual letters, the same is so for larger ones. In
    columns in which they may, lengths stand behind the names.
    """
    base, lines, width = _base_font(layout), _lines(table, language), where.areas[-1].width()
    font, small = QFont(base), QFont(base)
    font.setPointSizeF(size)
    letter = size * _MM_PER_POINT
    # small print, as the other credits
    small.setPointSizeF(min(size, max(text_fitting.least_points(layout, TextRole.TABLE, base.pointSizeF()),
                                      base.pointSizeF())))
    credit_text = map_phrase(language, "table_data", credits="; ".join(table.credits)) if table.credits else ""
    credit_height = text_fitting.text_height(credit_text, small, width) + letter if credit_text else 0.0
    last = where.areas[-1]
    areas = [*where.areas[:-1], last.adjusted(0, 0, 0, -credit_height)]
    columns = [column for area in areas for column in (_columns(area, letter, count) if count > 1 else [area])]
    if count > 1 and any(line.number and _name_width(line, font, columns[0].width()) < _LEAST_NAME * letter
                         for line in lines):
        return None
    if may_wrap:
        lines = [line._replace(text=f"{line.text}, {line.length}", length="") if line.length else line
                 for line in lines]
    wrapped = [_wrapped(line, font, columns[0].width()) for line in lines]
    usual = font if count > 1 else base
    if not may_wrap and size >= base.pointSizeF() and sum(line.text_lines for line in wrapped) > sum(
            _wrapped(line, usual, width).text_lines for line in lines):
        return None
    # columns of one panel are of the same length, if both have room for all
    for share in _COLUMN_SHARES if count > 1 and len(areas) == 1 else (1.0,):
        runs, drawn = _distribute(wrapped, [share * column.height() for column in columns], letter,
                                  map_phrase(language, "continued"))
        if drawn == len(lines):
            return _Arrangement(font, runs, columns, credit_text, small, QRectF(
                last.left(), last.bottom() - credit_height, last.width(), credit_height), where.heading)
    return None


def _places(layout: QgsPrintLayout, place: QgsLayoutItem) -> List[_Place]:
    """Return the places that the table may take, its own first, then with the free part of a panel beside it.

    Below what stands on the panel before it begins with its heading, and goes on at the top of the next.
    """
    area, width = QRectF(place.pagePos(), place.rect().size()), panel_width(layout)
    area.setTop(area.top() + _hint_height(layout))
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + layout_items.TABLE, QgsLayoutItemLabel)
    places, ends = [_Place([area])], known_ends(layout)
    number = int((area.left() - print_margin(layout)) // width)
    if heading is None:
        return places
    top, above = heading.pagePos().y(), ends.get(number - 1, 0.0) + BELOW
    if above > BELOW and area.bottom() - above >= _LEAST_PART:
        rows = QRectF(area.left() - width, above + area.top() - top, area.width(), 0.0)
        rows.setBottom(area.bottom())
        places.append(_Place([rows, QRectF(area.left(), top, area.width(), area.bottom() - top)],
                             QRectF(rows.left(), above, heading.rect().width(), heading.rect().height())))
    elif ends.get(number + 1) == 0.0:
        places.append(_Place([area, QRectF(area.left() + width, top, area.width(), area.bottom() - top)]))
    return places


def _hint_height(layout: QgsPrintLayout) -> float:
    return 2.0 * float(_base_font(layout).pointSizeF()) * _MM_PER_POINT


def _add_hints(layout: QgsPrintLayout, language: str, first: QRectF, page: int, count: int) -> None:
    """Say above the table's first column that its numbers are on the map, and beside the legend's heading where the
    ``count`` numbers of the map are explained.
    """
    font, muted = _base_font(layout), QColor(layout_theme(layout).muted)
    high = _hint_height(layout)
    _label(layout, HINT, map_phrase(language, "table_hint"), font,
           QRectF(first.left(), first.top() - high, first.width(), high), page, muted)
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + layout_items.LEGEND, QgsLayoutItemLabel)
    item = layout_items.main_map(layout)
    if heading is None or item is None or heading.page() != item.page() or not count:
        return
    place = QRectF(heading.pagePos(), heading.rect().size())
    text = map_phrase(language, "table_pointer", numbers=f"1–{count}" if count > 1 else "1")
    taken = text_fitting.text_width(heading.currentText(), compat.label_font(heading)) + BELOW
    if place.width() - taken >= text_fitting.text_width(text, font):
        _label(layout, POINTER, text, font, place.adjusted(taken, 0, 0, 0), max(0, heading.page()),
               align=Qt.AlignmentFlag.AlignRight, vertical=Qt.AlignmentFlag.AlignVCenter)


def _text_sizes(layout: QgsPrintLayout) -> List[float]:
    """Return the size in points of the letters of the leaflet's texts, none on a page without them."""
    labels = (layout_items.find_item(layout, name, QgsLayoutItemLabel)
              for name in (layout_items.ABSTRACT, *layout_items.LEAFLET_TEXTS))
    return [compat.label_font(label).pointSizeF() for label in labels if label is not None][:1]


def _longest_that_fits(layout: QgsPrintLayout, place: QgsLayoutItem, language: str,
                       table: FacilityTable) -> FacilityTable:
    """Return the table with as many of its features as its place has room for in the smallest letters."""
    fitting, beyond = 0, len(table.features)
    while beyond - fitting > 1:
        count = (fitting + beyond) // 2
        if _arrange(layout, place, language, shortened_table(table, count), _FACTORS[-1:]) is not None:
            fitting = count
        else:
            beyond = count
    return shortened_table(table, fitting)


def _draw_rows(layout: QgsPrintLayout, place: QgsLayoutItem, language: str, table: FacilityTable,
               may_wrap: bool = True) -> bool:
    """Draw heading, rows and credits into the place of the table. Return False if they do not fit it."""
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + layout_items.TABLE, QgsLayoutItemLabel)
    if heading is not None:
        heading.setText(inert(map_phrase(language, "table")))
    made = _arrange(layout, place, language, table, may_wrap=may_wrap)
    if made is None:
        return False
    page = max(0, place.page())
    if heading is not None and made.heading is not None:
        layout_items.place_item(heading, made.heading, page)
    _add_hints(layout, language, made.columns[0], page, len(table.features))
    for block, (run, column) in enumerate(zip(made.runs, made.columns), 1):
        _draw_block(layout, run, column, made.font, page, block)
    if made.credit_text:
        _label(layout, CREDITS, made.credit_text, made.credit_font, made.credit_place, page,
               vertical=Qt.AlignmentFlag.AlignBottom)
    return True


def _fill_below(layout: QgsPrintLayout, place: QgsLayoutItem) -> None:
    """Let the location map fill the foot of a panel that the table leaves free."""
    ends: Dict[int, float] = {}
    for label in layout_items.items_of_type(layout, QgsLayoutItemLabel):
        if label.id().startswith(layout_items.TABLE_PREFIX) and label.page() == place.page():
            panel = int((label.pagePos().x() - print_margin(layout)) // panel_width(layout))
            ends[panel] = max(ends.get(panel, 0.0), label.pagePos().y() + label.rect().height())
    foot = place.pagePos().y() + place.rect().height()
    if ends:
        # credits or a note stand at the foot of the last one
        ends[max(ends)] = foot
    known = level_panels(layout, {**known_ends(layout), **ends})
    note_ends(layout, ground_location(layout, known, foot))


def _base_font(layout: QgsPrintLayout) -> QFont:
    """Return the font of the credits, which the table has too."""
    style = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    return QFont(compat.label_font(style)) if style is not None else QFont()


def _draw_continued(layout: QgsPrintLayout, place: QgsLayoutItem, language: str, table: FacilityTable) -> int:
    """Draw the first rows into the places of the table, the others in columns on further sheets, with whole names.

    The place says on which page the table continues. Return the number of that page, from 1, 0 if nothing is drawn.
    """
    page, font, where = max(0, place.page()), _base_font(layout), _places(layout, place)[-1]
    font.setPointSizeF(text_fitting.least_points(layout, TextRole.TABLE, font.pointSizeF()))
    letter, last = font.pointSizeF() * _MM_PER_POINT, where.areas[-1]
    continued = map_phrase(language, "continued")
    title, number = f"{map_phrase(language, 'table')} {continued}", int(layout.pageCollection().pageCount())
    pointer = map_phrase(language, "overflow_note", what=title, page=number + 1)
    pointer_height = text_fitting.text_height(pointer, font, last.width()) + letter
    areas = [*where.areas[:-1], last.adjusted(0, 0, 0, -pointer_height)]
    lines = _lines(table, language)
    wrapped = [_wrapped(line, font, last.width()) for line in lines]
    first, drawn = _distribute(wrapped, [area.height() for area in areas], letter, continued)
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + layout_items.TABLE, QgsLayoutItemLabel)
    heading_font = QFont(compat.label_font(heading)) if heading is not None else QFont(font)
    credit_text = map_phrase(language, "table_data", credits="; ".join(table.credits)) if table.credits else ""
    sheets = _further_sheets(layout, _resumed(lines, drawn, continued), title, heading_font, credit_text,
                             continued) if drawn else None
    if sheets is None:
        return 0
    if heading is not None and where.heading is not None:
        layout_items.place_item(heading, where.heading, page)
    _add_hints(layout, language, areas[0], page, len(table.features))
    for block, (run, area) in enumerate(zip(first, areas), 1):
        _draw_block(layout, run, area, font, page, block)
    _label(layout, overflow_page.TABLE_NOTE, pointer, font,
           QRectF(last.left(), last.bottom() - pointer_height, last.width(), pointer_height), page,
           QColor(layout_theme(layout).muted), vertical=Qt.AlignmentFlag.AlignBottom)
    end = 0.0
    for start in range(0, len(sheets.runs), len(sheets.columns)):
        added, free = overflow_page.begin_page(layout, heading, language, overflow_page.TABLE_PAGE_HEADING,
                                               sheets.paper)
        _label(layout, _CONTINUED, title, heading_font,
               QRectF(free.left(), free.top(), free.width(), sheets.columns[0].top() - free.top()), added,
               QColor(layout_theme(layout).heading))
        shown = sheets.runs[start:start + len(sheets.columns)]
        for column, rows in enumerate(shown):
            _draw_block(layout, rows, sheets.columns[column], sheets.font, added, len(areas) + start + column + 1)
        size = sheets.font.pointSizeF() * _MM_PER_POINT
        end = max(sum(_height_of(line, size, not at) for at, line in enumerate(rows)) for rows in shown)
    if credit_text:
        top = sheets.columns[0].top() + end + letter
        _label(layout, CREDITS, credit_text, font, QRectF(free.left(), top, free.width(), free.bottom() - top), added)
    draw_crop_marks(layout, number)
    return number + 1


class _Sheets(NamedTuple):
    """Further sheets: their paper, None for that of the map, the columns of each, and the lines of all of these."""

    paper: Optional[QSizeF]
    font: QFont
    columns: Sequence[QRectF]
    runs: Sequence[Sequence[_Line]]


def _further_sheets(layout: QgsPrintLayout, lines: Sequence[_Line], title: str, heading_font: QFont, credit_text: str,
                    continued: str) -> Optional[_Sheets]:
    """Return the sheets for the rest of a table: one of the smallest paper that has room for it, in the largest letters
    that fit it, else as many of the map's as it takes. None if it takes too many.
    """
    base = _base_font(layout)
    least = text_fitting.least_points(layout, TextRole.TABLE, base.pointSizeF())
    sizes = [size * share for size in _text_sizes(layout) for share in _TEXT_SHARES if size * share > base.pointSizeF()]
    sizes += [max(least, base.pointSizeF()), least]
    for paper, pages in ((QSizeF(210, 148), 1), (QSizeF(297, 210), 1), (None, 1), (None, _MAX_PAGES)):
        free = overflow_page.extra_page_area(layout, paper)
        for size in sizes if pages == 1 else [least]:
            font, small = QFont(base), QFont(base)
            font.setPointSizeF(size)
            small.setPointSizeF(least)
            letter = size * _MM_PER_POINT
            head = text_fitting.text_height(title, heading_font, free.width()) + letter
            credit = text_fitting.text_height(credit_text, small, free.width()) + 2 * letter if credit_text else 0.0
            columns = _columns(free.adjusted(0, head, 0, -credit), letter)
            rest = [_wrapped(line, font, columns[0].width()) for line in lines]
            for share in _SHEET_SHARES if pages == 1 else (1.0,):
                runs, count = _distribute(rest, [share * column.height() for column in columns] * pages, letter,
                                          continued)
                if count == len(rest):
                    return _Sheets(paper, font, columns, runs)
    return None


def _columns(area: QRectF, letter: float, count: int = 0) -> List[QRectF]:
    """Return columns side by side: ``count``, or as many as an extra page has room for."""
    gap = _COLUMN_GAP * letter
    count = count or max(1, int((area.width() + gap) / (_COLUMN * letter + gap)))
    width = (area.width() - (count - 1) * gap) / count
    return [QRectF(area.left() + number * (width + gap), area.top(), width, area.height()) for number in range(count)]


def _wrapped(line: _Line, font: QFont, width: float) -> _Line:
    """Return the line with breaks at words, so that it is not cut. Headings are bold and somewhat wider."""
    bold = QFont(font)
    page_fonts.set_semibold(bold)
    text = (text_fitting.wrap_text(line.text, font, _name_width(line, font, width) - 0.4) if line.number
            else text_fitting.wrap_text(line.text, bold, width - 0.4))
    return line._replace(text=text, text_lines=text.count("\n") + 1)


def _resumed(lines: Sequence[_Line], drawn: int, continued: str) -> List[_Line]:
    """Return the lines that are not drawn yet, the rest of a group below its heading again."""
    rest = list(lines[drawn:])
    if rest and rest[0].number:
        rest.insert(0, _heading_again(lines[:drawn], continued))
    return rest


def _heading_again(lines: Sequence[_Line], continued: str) -> _Line:
    """Return the last heading of these lines, as that of the rest of its group."""
    heading = next(line for line in reversed(lines) if not line.number)
    text = heading.text if heading.text.endswith(continued) else f"{heading.text} {continued}"
    return heading._replace(text=text)


def _distribute(lines: Sequence[_Line], heights: Sequence[float], letter: float,
                continued: str = "") -> Tuple[List[List[_Line]], int]:
    """Distribute the lines over blocks of these heights. Return their lines, and how many lines have room.

    A heading stays with the row that follows it. With ``continued`` a group that goes on in another block has its
    heading again, with that word.
    """
    runs: List[List[_Line]] = [[]]
    used = 0.0
    for number, line in enumerate(lines):
        needed = _height_of(line, letter, not runs[-1])
        follower = lines[number + 1] if not line.number and number + 1 < len(lines) else None
        together = needed + (_height_of(follower, letter, False) if follower is not None else 0.0)
        if used + together > heights[len(runs) - 1]:
            if len(runs) == len(heights):
                return runs, number
            again = [_heading_again(lines[:number], continued)] if continued and line.number else []
            runs.append(again)
            used = sum(_height_of(heading, letter, True) for heading in again)
            needed = _height_of(line, letter, not again)
        runs[-1].append(line)
        used += needed
    return runs, len(lines)


def _height_of(line: _Line, letter: float, is_first: bool) -> float:
    more = _WRAPPED * (line.text_lines - 1)
    if line.number:
        return (_LINE + more) * letter
    return (_HEAD + more + (0.0 if is_first else _SPACE)) * letter


def _draw_block(layout: QgsPrintLayout, lines: Sequence[_Line], area: QRectF, font: QFont, page: int,
                block: int) -> None:
    """Draw lines as labels: of each group a heading, and its numbers, names and lengths as a label each."""
    letter = font.pointSizeF() * _MM_PER_POINT
    bold = QFont(font)
    page_fonts.set_semibold(bold)
    first, last = _NUMBER_WIDTH * letter, _LENGTH_WIDTH * letter
    y, is_first, colour = area.top(), True, QColor(layout_theme(layout).heading)
    for line in lines:
        height = _height_of(line, letter, is_first)
        space = 0.0 if is_first else _SPACE * letter
        prefix = f"{layout_items.TABLE_PREFIX}{block}:{line.number}"
        if not line.number:
            _label(layout, prefix, _cut(line.text, bold, area.width()), bold,
                   QRectF(area.left(), y + space, area.width(), height - space), page, colour)
        else:
            name_width = _name_width(line, font, area.width())
            _label(layout, prefix + layout_items.ROW_NUMBER_SUFFIX, str(line.number), bold,
                   QRectF(area.left(), y, first, height), page, colour, Qt.AlignmentFlag.AlignRight)
            _label(layout, prefix, _cut(line.text, font, name_width), font,
                   QRectF(area.left() + first + _GAP * letter, y, name_width, height), page)
            if line.length:
                _label(layout, prefix + layout_items.ROW_LENGTH_SUFFIX, line.length, font,
                       QRectF(area.right() - last, y, last, height), page, None, Qt.AlignmentFlag.AlignRight)
        y, is_first = y + height, False


def _name_width(line: _Line, font: QFont, width: float) -> float:
    """Return the width in millimetres that a row of this width leaves for its name."""
    letter = font.pointSizeF() * _MM_PER_POINT
    return float(width - (_NUMBER_WIDTH + _GAP + (_LENGTH_WIDTH + _GAP if line.length else 0.0)) * letter)


def _cut(text: str, font: QFont, width: float) -> str:
    return "\n".join(_cut_line(line, font, width) for line in text.split("\n"))


def _cut_line(text: str, font: QFont, width: float) -> str:
    length = len(text)
    while length > 4 and text_fitting.text_width(truncate_words(text, length), font) > width - 0.4:
        length -= 1
    return truncate_words(text, length)


def _label(layout: QgsPrintLayout, item_id: str, text: str, font: QFont, bounds: QRectF, page: int,
           colour: Optional[QColor] = None, align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
           vertical: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignTop) -> QgsLayoutItemLabel:
    label = QgsLayoutItemLabel(layout)
    label.setId(item_id)
    label.setText(inert(text))
    compat.set_label_font(label, font)
    if colour is not None:
        compat.set_label_colour(label, colour)
    for set_margin in (label.setMarginX, label.setMarginY):
        set_margin(0)
    label.setHAlign(align)
    label.setVAlign(vertical)
    layout.addLayoutItem(label)
    layout_items.place_item(label, bounds, page)
    label.setLocked(True)
    return label


def _draw_numbers(layout: QgsPrintLayout, item: QgsLayoutItemMap, place: QgsLayoutItem,
                  features: Sequence[TableFeature]) -> List[int]:
    style = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    font = QFont(compat.label_font(style)) if style is not None else QFont()
    font.setPointSizeF(text_fitting.least_points(layout, TextRole.PLACE, font.pointSizeF()))
    page_fonts.set_semibold(font)
    to_page = _to_page(item)
    letter = font.pointSizeF() * _MM_PER_POINT
    height = 1.35 * letter + 2 * _HALO
    wanted = []
    for number, feature in enumerate(features, 1):
        width = max(height, text_fitting.text_width(str(number), font) + 0.8 * letter + 2 * _HALO)
        points = [to_page.map(QPointF(*point)) for point in feature.places]
        wanted.append(NumberPlace(tuple((point.x(), point.y()) for point in points), width, height, feature.along))
    page = max(0, item.page())
    # a map that goes to the edge of the paper is cut there
    frame = _on_paper(item, QRectF(item.pagePos(), item.rect().size()).adjusted(0.5, 0.5, -0.5, -0.5), _EDGE)
    others = [other for other in layout_items.items_of_type(layout, QgsLayoutItem)
              if other is not item and other is not place and other.isVisible() and other.page() == item.page()
              and not other.sceneBoundingRect().contains(item.sceneBoundingRect().adjusted(1, 1, -1, -1))]
    taken = [_box(QRectF(other.pagePos(), other.rect().size())) for other in others]
    boxes = place_numbers(wanted, _box(frame), taken)
    missing = []
    for number, box in enumerate(boxes, 1):
        if box is None:
            missing.append(number)
            continue
        bounds = QRectF(box.left, box.top, box.right - box.left, box.bottom - box.top)
        _ground(layout, number, bounds, page)
        _label(layout, f"{layout_items.TABLE_NUMBER_PREFIX}{number}", str(number), font, bounds, page, QColor("white"),
               Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignVCenter)
    return missing


def _ground(layout: QgsPrintLayout, number: int, bounds: QRectF, page: int) -> None:
    """Draw the ground of a number: a pill of the theme's colour with a white halo."""
    shape = layout_items.add_rectangle(
        layout, f"{GROUND_PREFIX}{number}",
        {"color": layout_theme(layout).heading, "outline_style": "solid", "outline_color": "#ffffff",
         "outline_width": str(2 * _HALO), "outline_width_unit": "MM"},
        bounds.adjusted(_HALO, _HALO, -_HALO, -_HALO), page)
    shape.setCornerRadius(QgsLayoutMeasurement(bounds.height() / 2 - _HALO))


def _on_paper(item: QgsLayoutItemMap, area: QRectF, edge: float) -> QRectF:
    """Return the part of an area of the item's page that lies this many millimetres inside of the cut paper."""
    layout = item.layout()
    margin = print_margin(layout) + edge
    return area.intersected(layout.pageCollection().page(max(0, item.page())).rect().adjusted(
        margin, margin, -margin, -margin))


def _to_page(item: QgsLayoutItemMap) -> QTransform:
    """Return the transformation of map coordinates to millimetres on the map's page."""
    shown = QPolygonF(item.visibleExtentPolygon())
    corners = QPolygonF([shown.at(number) for number in range(4)])
    area = QRectF(item.pagePos(), item.rect().size())
    target = QPolygonF([area.topLeft(), area.topRight(), area.bottomRight(), area.bottomLeft()])
    # coordinates of millions of metres are moved to the corner first, for the sake of their last digits
    origin = corners.at(0)
    transform = QTransform()
    QTransform.quadToQuad(corners.translated(-origin.x(), -origin.y()), target, transform)
    return QTransform.fromTranslate(-origin.x(), -origin.y()) * transform


def _box(area: QRectF) -> PageBox:
    return PageBox(area.left(), area.top(), area.right(), area.bottom())


TABLE_CONTENTS = TaskContents(request_table, lambda request: request.key, read_table, set_table)

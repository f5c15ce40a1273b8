"""Items that make the sheets of an atlas a book: numbers, names of adjoining sheets, an overview and an index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeatureRequest,
    QgsFillSymbol,
    QgsGeometry,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPolygon,
    QgsLayoutItemShape,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QPointF, QRectF, QSizeF, Qt
from qgis.PyQt.QtGui import QColor, QFont, QImage, QPolygonF

from ...core.box import Box
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.page_design.type_scale import TextRole
from ...core.pages.map_book import (
    MAX_NAMES,
    AdjoiningSheet,
    IndexEntry,
    NameIndex,
    SheetSide,
    adjoining_sheets,
    index_entries,
)
from ...core.text import inert, single_line, truncate, truncate_words
from ..credits.layer_credits import owed_credits, unfit_credits
from ..credits.layer_metadata import listed_layers
from ..credits.map_phrases import map_phrase
from ..layouts import layout_items, text_fitting
from ..layouts.credit_legibility import rgb_pixels
from ..layouts.locator_map import locate_among_sheets
from ..layouts.page_theme import layout_theme
from ..runtime import compat, page_fonts
from ..runtime.tasks import Feedback
from . import overflow_page
from .feature_names import FeatureSource, named_features
from .layout_legend import LEGEND_IMAGE
from .page_description import LINKED_PAGE, layout_language, map_extent
from .qr_code import is_free

if TYPE_CHECKING:
    from ..layouts.credit_legibility import Pixels

#: ids of the index's heading and of its credits on each page
HEADING, CREDITS = layout_items.HEADING_PREFIX + "index", "index-credits"
#: millimetres on A4 of a line, a column, the gap between columns, the page's margin and the heading
_LINE, _COLUMN, _GAP, _MARGIN, _HEADING_HEIGHT = 4.0, 56.0, 6.0, 14.0, 12.0
#: factors of the letters of an index on pages of its own, the first of which leaves it on one, and its widest column
_INDEX_FACTORS, _WIDEST = (1.4, 1.25, 1.1), 90.0
#: least room between a name of the index and its numbers, which dots lead to, and one of those dots
_LEADER, _DOT, _MOST_DOTS = "\u2002…\u2002", ".", 200
#: id of the number of an index's page
NUMBER = "index-page"
#: width of A4 in millimetres
_A4_WIDTH = 210.0
#: characters of a name
_MAX_INDEX_NAME = 200
#: id of the labels of adjoining sheets, followed by the side and a number
ADJOINING_PREFIX = "adjoining:"
#: ids of a sheet's outline and label on the overview, followed by the sheet's number
OUTLINE_PREFIX, SHEET_PREFIX = "sheet-outline:", "sheet:"
#: share of the side that a name may take
_MAX_SHARE = 0.25
#: millimetres between the map's frame and the name, and around the name
_DISTANCE, _PADDING = 1.2, 1.0
_MAX_NAME = 80
#: millimetres by which a name is moved at a time, and around it that are clear of others
_MOVE, _CLEAR = 1.5, 0.8
#: sides on which the name stands before the middle of the edge, from the left or from the top
_BEFORE_MIDDLE = (SheetSide.NORTH, SheetSide.WEST)
_ROTATIONS = {SheetSide.NORTH: 0.0, SheetSide.SOUTH: 0.0, SheetSide.WEST: -90.0, SheetSide.EAST: 90.0}
_SEPARATOR = " · "
#: millimetres on A4 of the outline of a sheet on the overview
_OUTLINE_WIDTH = 0.45
#: id and colour of what pales the overview's map below the sheets: red, green, blue and opacity
VEIL, _VEIL_COLOUR = "overview-veil", "255,255,255,90"
#: millimetres of a pixel on a screen
_PIXEL = 0.3
#: id of each column of the list of sheets, followed by its number, and the columns in a place wider than high
LIST_PREFIX, _WIDE_COLUMNS = "sheet-list:", 4
#: how many more columns the list is tried in
_MORE_COLUMNS = 8
#: share of a sheet that another may cover at a side and leave it a part for its label on the overview
_MAX_OVERLAP = 0.45
#: part by which the bounds of a rectangle may be larger than itself
_ROUNDING = 1e-3
#: share of a side that two sheets have in common which lie beside one another
_BESIDE = 0.9
#: share of a sheet's width on the overview that its label may take
_MAX_LABEL_SHARE = 0.92


class NameSource(NamedTuple):
    """Features of a layer that an index names, the areas of the sheets in its CRS, and its credits."""

    features: FeatureSource
    request: QgsFeatureRequest
    sheets: List[Optional[QgsGeometry]]
    credits: Tuple[str, ...]


def layers_with_names(project: QgsProject) -> List[QgsVectorLayer]:
    """Return the project's vector layers whose features have places, by name."""
    layers = [layer for layer in listed_layers(project) if isinstance(layer, QgsVectorLayer) and layer.isValid()
              and layer.isSpatial()]
    return sorted(layers, key=lambda layer: layer.name())


def name_source(layer: QgsVectorLayer, sheets: Sequence[Optional[QgsGeometry]],
                crs: QgsCoordinateReferenceSystem, project: QgsProject) -> NameSource:
    """Prepare the names of ``layer`` for another thread. ``sheets`` are the areas of the sheets in ``crs``.

    Main thread only. Raises CartoguideError if the layer's place on the sheets cannot be computed, or if its credit may
    not be printed.
    """
    _check_credit(layer)
    transform, placed, bounds = QgsCoordinateTransform(crs, layer.crs(), project), [], QgsGeometry()
    for sheet in sheets:
        area = QgsGeometry(sheet) if sheet is not None else None
        try:
            if area is not None and area.transform(transform) != 0:
                raise QgsCsException("")
        except QgsCsException:
            raise CartoguideError(tr("The names of “{layer}” cannot be placed on the sheets: their coordinate system "
                                     "is another.", layer=layer.name())) from None
        placed.append(area)
        if area is not None:
            bounds = area if bounds.isNull() else bounds.combine(area)
    return NameSource(FeatureSource.of_layer(layer), QgsFeatureRequest().setFilterRect(bounds.boundingBox()), placed,
                      tuple(owed_credits([layer])))


def _check_credit(layer: QgsVectorLayer) -> None:
    """Raise CartoguideError if the credit of the names may not be printed before somebody has completed it."""
    unfit = unfit_credits([layer])
    if unfit:
        raise CartoguideError(unfit[0])


def read_names(source: NameSource, feedback: Feedback) -> NameIndex:
    """Return the names on the sheets, with the sheets' indices and the credits of the layer.

    May run in any thread. Raises CartoguideError for more than MAX_NAMES, or for none.
    """
    found: Dict[str, Set[int]] = {}
    for name, feature in named_features(source.features, source.request, feedback):
        if not name:
            continue
        name, geometry = truncate(name, _MAX_INDEX_NAME), feature.geometry()
        sheets = [index for index, area in enumerate(source.sheets) if area is not None and area.intersects(geometry)]
        if sheets:
            found.setdefault(name, set()).update(sheets)
        if len(found) > MAX_NAMES:
            raise CartoguideError(tr("The layer “{layer}” has more than {most} names on the sheets: choose another, "
                                     "or filter it.", layer=source.features.title, most=MAX_NAMES))
    if not found:
        raise CartoguideError(tr("The layer “{layer}” has no name on the sheets. Choose another for the index, or "
                                 "none.", layer=source.features.title))
    return NameIndex(index_entries(found), source.credits)


def sheet_areas(layouts: Sequence[QgsPrintLayout]) -> List[Optional[QgsGeometry]]:
    """Return the areas that the main maps of layouts show, in the CRS of each map, or None without a map."""
    maps = [layout_items.main_map(layout) for layout in layouts]
    return [QgsGeometry.fromQPolygonF(item.visibleExtentPolygon()) if item is not None else None for item in maps]


class _IndexStyle:
    """Fonts and measures of an index on the pages of a layout, and the text of its credits, "" without any.

    Its letters are ``factor`` times as large as their role's.
    """

    def __init__(self, layout: QgsPrintLayout, index: NameIndex, factor: float = 1.0) -> None:
        credits = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
        self.paper = layout.pageCollection().page(0).rect()
        self.size = max(1.0, min(self.paper.width(), self.paper.height()) / _A4_WIDTH) * factor
        self.line, self.gap = _LINE * self.size, _GAP * self.size
        self.font = QFont(compat.label_font(credits)) if credits is not None else QFont()
        self.font.setPointSizeF(text_fitting.role_points(layout, TextRole.INDEX, self.size))
        self.heading = map_phrase(layout_language(layout), "name_index")
        self.credits = map_phrase(layout_language(layout), "names_from",
                                  credits="; ".join(index.credits)) if index.credits else ""
        widest = max((text_fitting.text_width(f"{entry.name}{_LEADER}{_numbers(entry)}", self.font)
                      for entry in index.entries), default=0.0)
        #: millimetres that the entries ask for, as far as they are not cut
        self.column = min(widest + _PADDING + 1.0, _COLUMN * self.size)

    def entries_area(self, area: QRectF, heading_height: float) -> QRectF:
        """Return the part of ``area`` between the heading and the credits."""
        credit_height = text_fitting.text_height(self.credits, self.font, area.width()) + self.line \
            if self.credits else 0.0
        return area.adjusted(0, heading_height, 0, -credit_height)

    def grid(self, area: QRectF) -> Tuple[int, int, float]:
        """Return columns, lines and the width of a column of the entries in ``area``."""
        columns, width = self.widest(area, max(1, int((area.width() + self.gap) // (self.column + self.gap))))
        return columns, max(1, int(area.height() // self.line)), width

    def widest(self, area: QRectF, columns: int) -> Tuple[int, float]:
        """Return so many columns and the width that each of them has."""
        return columns, min((area.width() - (columns - 1) * self.gap) / columns, _WIDEST * self.size)


def add_index_pages(layout: QgsPrintLayout, index: NameIndex) -> List[QgsLayoutItemLabel]:
    """Add pages with the names, and with the credits of their source, to the layout. Return each entry's label.

    ``set_links`` makes the labels lead to their sheets, once the pages of the file are known.
    """
    title = layout_items.find_item(layout, layout_items.TITLE, QgsLayoutItemLabel)
    for factor in (*_INDEX_FACTORS, 1.0):
        style = _IndexStyle(layout, index, factor)
        margin, height = _MARGIN * style.size / factor, _HEADING_HEIGHT * style.size / factor
        area = style.paper.adjusted(margin, margin, -margin, -margin)
        band = overflow_page.title_bottom(layout)
        if band:
            area.setTop(band + margin / 2)
            height = 0.0
        columns, lines, _width = style.grid(style.entries_area(area, height))
        if len(index.entries) <= columns * lines:
            break
    heading_font = QFont(compat.label_font(title)) if title is not None else QFont(style.font)
    heading_font.setPointSizeF(text_fitting.role_points(layout, TextRole.INDEX_HEADING, style.size / factor))
    labels: List[QgsLayoutItemLabel] = []
    for first in range(0, len(index.entries), columns * lines):
        page = layout.pageCollection().pageNumber(layout.pageCollection().extendByNewPage())
        if band:
            overflow_page.repeat_title(layout, page)
        labels += _write_index(layout, style, index.entries[first:first + columns * lines], first, area, heading_font,
                               height, page, title if band else None)
    return labels


def _add_index_below_sheets(overview: QgsPrintLayout, index: NameIndex, room: QRectF) -> List[QgsLayoutItemLabel]:
    """Add the index to the overview, in ``room`` of its first page, if all of it fits there. Return the labels."""
    heading = layout_items.find_item(overview, layout_items.HEADING_PREFIX + layout_items.LEGEND, QgsLayoutItemLabel)
    if heading is None:
        return []
    style, font = _IndexStyle(overview, index), QFont(compat.label_font(heading))
    height = text_fitting.text_height(style.heading, font, room.width()) + _PADDING
    area = style.entries_area(room, height)
    columns, lines, width = style.grid(area)
    if len(index.entries) > columns * lines or area.height() < style.line or any(
            not _entry_text(entry, style.font, width).startswith(entry.name) for entry in index.entries):
        return []
    return _write_index(overview, style, index.entries, 0, room, font, height, 0)


def _write_index(layout: QgsPrintLayout, style: _IndexStyle, entries: Sequence[IndexEntry], first: int, area: QRectF,
                 heading_font: QFont, heading_height: float, page: int,
                 title: Optional[QgsLayoutItemLabel] = None) -> List[QgsLayoutItemLabel]:
    """Write heading, entries and credits into ``area`` of a page. ``first`` is the number of the first, from 0.

    With a ``title`` of the first page the heading has its place and letters.
    """
    place = QRectF(area.topLeft(), QSizeF(area.width(), heading_height)) if title is None else QRectF(
        title.pagePos(), title.rect().size())
    heading = _add_label(layout, HEADING, style.heading, heading_font if title is None else compat.label_font(title),
                         place, page)
    compat.set_label_colour(heading, QColor(layout_theme(layout).heading if title is None else
                                            layout_theme(layout).title))
    heading.setVAlign(Qt.AlignmentFlag.AlignTop if title is None else Qt.AlignmentFlag.AlignVCenter)
    room = style.entries_area(area, heading_height)
    if style.credits:
        _add_label(layout, CREDITS, style.credits, style.font,
                   QRectF(QPointF(room.left(), room.bottom() + style.line / 2), area.bottomRight()), page)
    columns, lines, width = style.grid(room)
    # few names stand in columns of the same length, not in one long one
    # on a page of its own they fill it downwards
    columns, width = (columns, width) if title is None else style.widest(room, max(1, -(-len(entries) // lines)))
    rows, labels = min(lines, -(-len(entries) // columns)), []
    for number, entry in enumerate(entries):
        column, row = divmod(number, rows)
        place = QRectF(room.left() + column * (width + style.gap), room.top() + row * style.line, width, style.line)
        labels.append(_add_label(layout, f"{layout_items.INDEX_PREFIX}{first + number + 1}",
                                 _entry_text(entry, style.font, width), style.font, place, page))
    return labels


def set_links(labels: Sequence[QgsLayoutItemLabel], index: NameIndex, pages: Sequence[int]) -> None:
    """Make each label lead to the first sheet of its entry. ``pages`` are those of the sheets in the file, from 0."""
    for label, entry in zip(labels, index.entries):
        label.setCustomProperty(LINKED_PAGE, pages[entry.sheets[0]])


def _numbers(entry: IndexEntry) -> str:
    return truncate(", ".join(str(index + 1) for index in entry.sheets), 40)


def _entry_text(entry: IndexEntry, font: QFont, width: float) -> str:
    """Return the name, cut to the width in millimetres, and the numbers of its sheets at the end of a line of dots."""
    numbers, length = _numbers(entry), len(entry.name)
    while True:
        name = truncate_words(entry.name, length)
        free = width - 1.0 - text_fitting.text_width(f"{name}\u2002\u2002{numbers}", font)
        if length <= 4 or free >= 0:
            dots = _DOT * min(_MOST_DOTS, max(0, int(free / text_fitting.text_width(_DOT, font))))
            return f"{name}\u2002{dots}\u2002{numbers}" if dots else f"{name}\u2002{numbers}"
        length -= 2


def _add_label(layout: QgsPrintLayout, item_id: str, text: str, font: QFont, bounds: QRectF,
               page: int) -> QgsLayoutItemLabel:
    label = QgsLayoutItemLabel(layout)
    label.setId(item_id)
    label.setText(inert(text))
    compat.set_label_font(label, font)
    for set_margin in (label.setMarginX, label.setMarginY):
        set_margin(0)
    label.setHAlign(Qt.AlignmentFlag.AlignLeft)
    label.setVAlign(Qt.AlignmentFlag.AlignTop)
    layout.addLayoutItem(label)
    layout_items.place_item(label, bounds, page)
    return label


@dataclass(frozen=True)
class BookParts:
    """Parts of a map book besides its sheets: a page with an overview of them, and an index of a layer's names."""

    has_overview: bool = False
    index_layer: Optional[QgsVectorLayer] = None


#: sheets without anything else
SHEETS_ONLY = BookParts()


def add_book_items(layouts: Sequence[QgsPrintLayout], names: Sequence[str],
                   overview: Optional[QgsPrintLayout] = None, index: Optional[NameIndex] = None) -> None:
    """Number the sheets of an atlas, and write the names of adjoining sheets at the edges of their maps.

    ``names`` are those of the sheets. The layout ``overview`` gets the outlines and numbers of the sheets. In a PDF
    with all layouts in this order, after the overview, names and numbers lead to their sheets. Pages with small
    multiples, or with a rotated map, get no names. The ``index`` stands below the list of sheets on the overview where
    all of it has room there, else on pages behind the last sheet.
    """
    first = [overview] if overview is not None else []
    pages = _first_pages([*first, *layouts])[len(first):]
    room = _outline_sheets(overview, layouts, names, pages) if overview is not None else None
    if index is not None:
        labels = _add_index_below_sheets(overview, index, room) if overview is not None and room is not None else []
        set_links(labels or add_index_pages(layouts[-1], index), index, pages)
        if not labels:
            _number_index_pages(layouts[-1], pages[-1], sum(_exported_pages(layout) for layout in [*first, *layouts]))
    maps = [item for layout in layouts for item in [layout_items.main_map(layout)] if item is not None]
    if maps and len({item.crs().authid() for item in maps}) == 1:
        locate_among_sheets(layouts, _fields(sheet_areas(layouts)), maps[0].crs(), layouts[0].project())
    extents = [_sheet_extent(layout) for layout in layouts]
    for number, layout in enumerate(layouts):
        _number_sheet(layout, number + 1, len(layouts))
        for sheet in adjoining_sheets(extents, number):
            _add_name(layout, sheet, names[sheet.index], pages[sheet.index])


def _first_pages(layouts: Sequence[QgsPrintLayout]) -> List[int]:
    """Return the number of each layout's first page in a file of all, from 0."""
    numbers, count = [], 0
    for layout in layouts:
        numbers.append(count)
        count += _exported_pages(layout)
    return numbers


def _exported_pages(layout: QgsPrintLayout) -> int:
    pages = layout.pageCollection()
    return sum(pages.shouldExportPage(number) for number in range(pages.pageCount()))


def _number_index_pages(layout: QgsPrintLayout, first: int, count: int) -> None:
    """Write its number in the file of ``count`` pages on each page of the index, where the sheets have the colophon."""
    colophon = layout_items.find_item(layout, layout_items.COLOPHON, QgsLayoutItemLabel)
    if colophon is None:
        return
    for heading in [item for item in layout_items.items_of_type(layout, QgsLayoutItemLabel)
                    if item.id() == HEADING and item.page()]:
        text = map_phrase(layout_language(layout), "page_number", number=first + heading.page() + 1, count=count)
        label = _add_label(layout, NUMBER, text, compat.label_font(colophon),
                           QRectF(colophon.pagePos(), colophon.rect().size()), heading.page())
        label.setHAlign(colophon.hAlign())
        label.setVAlign(colophon.vAlign())
        compat.set_label_colour(label, QColor(layout_theme(layout).muted))


def _sheet_extent(layout: QgsPrintLayout) -> Optional[Box]:
    items = layout_items.map_items(layout)
    if len(items) != 1 or items[0].mapRotation():
        return None
    return map_extent(items[0])


def _outline_sheets(overview: QgsPrintLayout, layouts: Sequence[QgsPrintLayout], names: Sequence[str],
                    pages: Sequence[int]) -> Optional[QRectF]:
    """Draw the areas of the sheets on the overview's map, each with its number, and with its name where it has room.

    Return the room that is left below their list.
    """
    main = layout_items.main_map(overview)
    if main is None:
        return None
    to_page, _is_invertible = main.layoutToMapCoordsTransform().inverted()
    frame = main.sceneBoundingRect()
    font = _font(overview, frame, TextRole.SHEET_NUMBER)
    # with the name of a style the font is measured as Regular, and drawn bold
    page_fonts.set_semibold(font)
    taken: List[QRectF] = []
    maps = [(index, layout_items.main_map(layout)) for index, layout in enumerate(layouts)]
    areas = [(index, to_page.map(item.visibleExtentPolygon())) for index, item in maps if item is not None]
    _pale(overview, main)
    bounds = [area.boundingRect() for _index, area in areas]
    if all(_is_upright(QgsGeometry.fromQPolygonF(area)) for _index, area in areas):
        # a line in the middle of what two sheets show instead of the edges of both
        bounds = [_cell(own, bounds) for own in bounds]
        areas = [(index, QPolygonF(cell)) for (index, _area), cell in zip(areas, bounds)]
    # all outlines first: none lies on a number
    for index, area in areas:
        _add_outline(overview, area, index + 1, frame)
    for (index, _area), own in zip(areas, bounds):
        taken.append(_add_sheet_label(overview, _own_part(own, bounds), names[index], index + 1, pages[index], font,
                                      taken))
    return _list_sheets(overview, names)


def _list_sheets(overview: QgsPrintLayout, names: Sequence[str]) -> Optional[QRectF]:
    """Put a list of the sheets in place of the legend, whose colours the paled map does not show.

    A legend stays where the list has no room, or where it is on several pages. Return the room below the list.
    """
    legends = layout_items.legends(overview)
    heading = layout_items.find_item(overview, layout_items.HEADING_PREFIX + layout_items.LEGEND, QgsLayoutItemLabel)
    if len(legends) != 1 or heading is None:
        return None
    legend, page = legends[0], max(0, legends[0].page())
    area = QRectF(legend.pagePos(), legend.rect().size())
    font = _font(overview, legend.sceneBoundingRect(), TextRole.SHEET_NUMBER)
    lines = [f"{number}{_SEPARATOR}{single_line(name)}" if single_line(name) else str(number)
             for number, name in enumerate(names, 1)]
    line = text_fitting.text_height("x", font, area.width())
    least = _WIDE_COLUMNS if area.width() > area.height() else 1
    arranged = next((found for is_cut in (False, True) for columns in range(least, least + _MORE_COLUMNS)
                     if (found := _list_columns(lines, font, area.width() / columns, columns, is_cut))
                     and max(len(column) for column in found) * line <= area.height()), None)
    if page or arranged is None:
        return None
    for item in (legend, overview.itemById(LEGEND_IMAGE)):
        if item is not None:
            overview.removeLayoutItem(item)
    heading.setText(map_phrase(layout_language(overview), "sheets"))
    width = area.width() / len(arranged)
    height = line * max(len(column) for column in arranged)
    for number, column in enumerate(arranged):
        _add_label(overview, f"{LIST_PREFIX}{number + 1}", "\n".join(column), font,
                   QRectF(area.left() + number * width, area.top(), width, height), page)
    return area.adjusted(0, height + _GAP, 0, 0)


def _list_columns(lines: Sequence[str], font: QFont, width: float, columns: int, is_cut: bool) -> List[List[str]]:
    """Return the lines of each column of a list, those too wide on several lines, or cut. Empty where a word is wider.
    """
    if is_cut:
        wrapped = [[next((text for length in range(len(line), 4, -1) for text in (truncate_words(line, length),)
                          if text_fitting.text_width(text, font) <= width - _PADDING), line)] for line in lines]
    else:
        wrapped = [text_fitting.wrap_text(line, font, width - _PADDING).split("\n") for line in lines]
    if any(text_fitting.text_width(part, font) > width - _PADDING for parts in wrapped for part in parts):
        return []
    rows = -(-len(lines) // columns)
    return [[part for parts in wrapped[first:first + rows] for part in parts]
            for first in range(0, len(wrapped), rows)]


def _pale(overview: QgsPrintLayout, main: QgsLayoutItemMap) -> None:
    """Pale the map of the overview, so that the sheets are what is seen of it."""
    veil = QgsLayoutItemShape(overview)
    veil.setId(VEIL)
    veil.setShapeType(QgsLayoutItemShape.Shape.Rectangle)
    veil.setSymbol(QgsFillSymbol.createSimple({"color": _VEIL_COLOUR, "outline_style": "no"}))
    overview.addLayoutItem(veil)
    # readers of PDFs draw the picture of the map up to a whole pixel, above which the title stands
    veil.attemptSetSceneRect(main.sceneBoundingRect().adjusted(-_PIXEL, 0, _PIXEL, _PIXEL))
    veil.setLocked(True)


def _add_outline(overview: QgsPrintLayout, area: QPolygonF, number: int, frame: QRectF) -> None:
    outline = QgsLayoutItemPolygon(area, overview)
    outline.setId(f"{OUTLINE_PREFIX}{number}")
    width = _OUTLINE_WIDTH * _enlargement(overview, frame)
    symbol = QgsFillSymbol.createSimple({"style": "no", "outline_color": layout_theme(overview).heading,
                                         "outline_width": str(width),
                                         "joinstyle": "miter"})
    outline.setSymbol(symbol)
    overview.addLayoutItem(outline)
    outline.setLocked(True)


def _is_upright(area: QgsGeometry) -> bool:
    """Return whether an area is a rectangle whose sides are those of its bounds."""
    return bool(area.boundingBox().area() <= (1 + _ROUNDING) * area.area())


def _cell(area: QRectF, others: Sequence[QRectF]) -> QRectF:
    """Return a sheet's area as far as the middle of the strips that it shares with the sheets beside it."""
    cell = QRectF(area)
    for other in others:
        shared = other.intersected(area)
        if shared.height() > _BESIDE * min(area.height(), other.height()):
            if other.left() < area.left() and other.right() < area.right():
                cell.setLeft(max(cell.left(), shared.center().x()))
            elif other.left() > area.left() and other.right() > area.right():
                cell.setRight(min(cell.right(), shared.center().x()))
        if shared.width() > _BESIDE * min(area.width(), other.width()):
            if other.top() < area.top() and other.bottom() < area.bottom():
                cell.setTop(max(cell.top(), shared.center().y()))
            elif other.top() > area.top() and other.bottom() > area.bottom():
                cell.setBottom(min(cell.bottom(), shared.center().y()))
    return cell


def _fields(areas: Sequence[Optional[QgsGeometry]]) -> List[Optional[QgsGeometry]]:
    """Return the areas of sheets as far as the middle of what they share, if all are rectangles, else as they are."""
    bounds = [area.boundingBox() for area in areas if area is not None]
    if len(bounds) < len(areas) or not all(_is_upright(area) for area in areas if area is not None):
        return list(areas)
    boxes = [QRectF(box.xMinimum(), box.yMinimum(), box.width(), box.height()) for box in bounds]
    cells = [_cell(box, boxes) for box in boxes]
    return [QgsGeometry.fromRect(QgsRectangle(cell.left(), cell.top(), cell.right(), cell.bottom())) for cell in cells]


def _own_part(area: QRectF, others: Sequence[QRectF]) -> QRectF:
    """Return a sheet's area without the strips at its edges that it shares with its neighbours."""
    near = [other for other in others if other.intersects(area)]
    across, along = _MAX_OVERLAP * area.width(), _MAX_OVERLAP * area.height()
    room = area.adjusted(across, along, -across, -along)
    return QRectF(QPointF(max([area.left(), *(each.right() for each in near if each.right() < room.left())]),
                          max([area.top(), *(each.bottom() for each in near if each.bottom() < room.top())])),
                  QPointF(min([area.right(), *(each.left() for each in near if each.left() > room.right())]),
                          min([area.bottom(), *(each.top() for each in near if each.top() > room.bottom())])))


def _add_sheet_label(overview: QgsPrintLayout, area: QRectF, name: str, number: int, page: int, font: QFont,
                     taken: Sequence[QRectF]) -> QRectF:
    """Write a sheet's number into its area, with its name where that fits. Return the label's place.

    The label is in a corner, clear of names in the middle of the sheet, and in one where no other label is.
    """
    name = truncate(single_line(name), _MAX_NAME)
    texts = [f"{number}{_SEPARATOR}{name}", str(number)] if name else [str(number)]
    width, height, text = 0.0, 0.0, ""
    for text in texts:
        width = text_fitting.text_width(text, font) + 2 * _PADDING + 0.5
        height = text_fitting.text_height(text, font, width) + _PADDING
        if width <= _MAX_LABEL_SHARE * area.width():
            break
    room = QPointF(max(0.0, area.width() - width) / 2 - _DISTANCE, max(0.0, area.height() - height) / 2 - _DISTANCE)
    half = QPointF(width / 2, height / 2)
    centres = [area.center() + QPointF(room.x() * x, room.y() * y)
               for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0))]
    places = [QRectF(centre - half, centre + half) for centre in centres]
    place = next((each for each in places if not any(each.intersects(other) for other in taken)), places[0])
    label = QgsLayoutItemLabel(overview)
    _fill(overview, label, text, font)
    label.setId(f"{SHEET_PREFIX}{number}")
    overview.addLayoutItem(label)
    label.attemptResize(QgsLayoutSize(width, height))
    label.attemptMove(QgsLayoutPoint(place.left(), place.top()))
    label.setCustomProperty(LINKED_PAGE, page)
    label.setLocked(True)
    return place


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
        if text_fitting.shrink_to_fit(label, text_fitting.least_label_points(label)):
            return


def _add_name(layout: QgsPrintLayout, sheet: AdjoiningSheet, name: str, page: int) -> None:
    """Add the name of an adjoining sheet inside the map's frame, unless something is there."""
    main = layout_items.main_map(layout)
    if main is None:
        return
    frame = main.sceneBoundingRect()
    along = frame.width() if _ROTATIONS[sheet.side] == 0 else frame.height()
    font = _font(layout, frame, TextRole.PANEL)
    text = _text(layout, sheet, name, font, _MAX_SHARE * along)
    width = text_fitting.text_width(text, font) + 2 * _PADDING + 0.5
    height = text_fitting.text_height(text, font, width) + _PADDING
    area = _area(frame, sheet, width, height)
    if width > along - 2 * _DISTANCE or not is_free(layout, main, area):
        return
    label = QgsLayoutItemLabel(layout)
    _fill(layout, label, text, font)
    number = sum(item.id().startswith(f"{ADJOINING_PREFIX}{sheet.side.value}")
                 for item in layout_items.items_of_type(layout, QgsLayoutItemLabel)) + 1
    label.setId(f"{ADJOINING_PREFIX}{sheet.side.value}:{number}")
    layout.addLayoutItem(label)
    label.attemptResize(QgsLayoutSize(width, height))
    label.attemptMove(QgsLayoutPoint(area.center().x() - width / 2, area.center().y() - height / 2))
    label.setItemRotation(_ROTATIONS[sheet.side])
    label.setCustomProperty(LINKED_PAGE, page)
    label.setLocked(True)


def _font(layout: QgsPrintLayout, frame: QRectF, role: TextRole) -> QFont:
    """Return the font of the page's credits in the role's size, larger on larger papers."""
    credits = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    font = QFont(compat.label_font(credits)) if credits is not None else QFont()
    font.setPointSizeF(text_fitting.role_points(layout, role, _enlargement(layout, frame)))
    return font


def _enlargement(layout: QgsPrintLayout, frame: QRectF) -> float:
    """Return the factor by which letters and lines are larger than on A4, from the template or the map's frame."""
    return text_fitting.type_factor(layout) or float(max(1.0, min(frame.width(), frame.height()) / 200.0))


def _text(layout: QgsPrintLayout, sheet: AdjoiningSheet, name: str, font: QFont, width: float) -> str:
    """Return name and number of the sheet, the name cut to the width in millimetres."""
    name, length = single_line(name), _MAX_NAME
    while True:
        text = map_phrase(layout_language(layout), "adjoining_sheet", name=truncate_words(name, length),
                          number=sheet.index + 1)
        if length <= 4 or text_fitting.text_width(text, font) <= width:
            return text
        length -= 4


def _area(frame: QRectF, sheet: AdjoiningSheet, width: float, height: float) -> QRectF:
    """Return the area of a name in the layout: inside the frame, beside the middle of the shared edge if it fits there.

    That on the adjoining sheet is on the other side of the middle, so that what one of them covers is seen on the other
    sheet, as far as they overlap.
    """
    is_level = _ROTATIONS[sheet.side] == 0
    start, length = (frame.left(), frame.width()) if is_level else (frame.top(), frame.height())
    room = width / 2 + _DISTANCE
    aside = -room if sheet.side in _BEFORE_MIDDLE else room
    middle = min(max(start + sheet.place * length + aside, start + room), start + length - room)
    inward = _DISTANCE + height / 2
    centre = {SheetSide.NORTH: QPointF(middle, frame.top() + inward),
              SheetSide.SOUTH: QPointF(middle, frame.bottom() - inward),
              SheetSide.WEST: QPointF(frame.left() + inward, middle),
              SheetSide.EAST: QPointF(frame.right() - inward, middle)}[sheet.side]
    half = QPointF(width / 2, height / 2) if is_level else QPointF(height / 2, width / 2)
    return QRectF(centre - half, centre + half)


def clear_adjoining_names(layout: QgsPrintLayout, draw: Callable[[QgsLayoutItemMap], QImage]) -> None:
    """Move the names of adjoining sheets along their edges to where they cover least of what the map says.

    ``draw`` returns the image of a map. A name stays on its side of the middle of the shared edge. No-op on pages
    without such names.
    """
    main = layout_items.main_map(layout)
    labels = [item for item in layout_items.items_of_type(layout, QgsLayoutItemLabel)
              if item.id().startswith(ADJOINING_PREFIX)]
    if main is None or not labels:
        return
    frame, detail = main.sceneBoundingRect(), _detail(draw(main))
    for label in labels:
        area = label.sceneBoundingRect()
        places = [place for place in _places(frame, area, SheetSide(label.id().split(":")[1]))
                  if is_free(layout, main, place, label)]
        if places:
            # the first of those that cover equally little, which is the nearest
            move = min(places, key=lambda place: _covered(detail, frame, place)).center() - area.center()
            position = label.positionWithUnits()
            label.attemptMove(QgsLayoutPoint(position.x() + move.x(), position.y() + move.y()))


def _places(frame: QRectF, area: QRectF, side: SheetSide) -> List[QRectF]:
    """Return the places of a name on its side of the middle of the shared edge, its own first, then the nearest."""
    is_level, sign = _ROTATIONS[side] == 0, -1 if side in _BEFORE_MIDDLE else 1
    inner = frame.adjusted(_DISTANCE, _DISTANCE, -_DISTANCE, -_DISTANCE)
    found, moved = [], QRectF(area)
    while inner.adjusted(-0.1, -0.1, 0.1, 0.1).contains(moved):
        found.append(QRectF(moved))
        moved.translate(sign * _MOVE if is_level else 0.0, 0.0 if is_level else sign * _MOVE)
    return found


def _detail(image: QImage) -> Pixels:
    """Return how much the brightness changes at each pixel of an image: most at letters and their halo."""
    import numpy

    light = rgb_pixels(image).sum(axis=2, dtype=numpy.float32)
    change: Pixels = numpy.zeros_like(light)
    change[:, 1:] += numpy.diff(light, axis=1) ** 2
    change[1:] += numpy.diff(light, axis=0) ** 2
    return change


def _covered(detail: Pixels, frame: QRectF, place: QRectF) -> float:
    """Return how much detail of the map in ``frame`` a name at ``place`` would cover or touch."""
    rows, columns = detail.shape
    near = place.adjusted(-_CLEAR, -_CLEAR, _CLEAR, _CLEAR).intersected(frame).translated(-frame.topLeft())
    left, right = (int(value / frame.width() * columns) for value in (near.left(), near.right()))
    top, bottom = (int(value / frame.height() * rows) for value in (near.top(), near.bottom()))
    return float(detail[top:bottom + 1, left:right + 1].sum())


def _fill(layout: QgsPrintLayout, label: QgsLayoutItemLabel, text: str, font: QFont) -> None:
    label.setText(inert(text))
    compat.set_label_font(label, font)
    for set_margin in (label.setMarginX, label.setMarginY):
        set_margin(0)
    label.setHAlign(Qt.AlignmentFlag.AlignHCenter)
    label.setVAlign(Qt.AlignmentFlag.AlignVCenter)
    theme = layout_theme(layout)
    compat.set_label_colour(label, QColor(theme.title))
    label.setBackgroundEnabled(True)
    label.setBackgroundColor(QColor(theme.band))

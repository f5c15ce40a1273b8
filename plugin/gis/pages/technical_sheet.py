"""Technical sheet: a table of facts about the services on the map, and their abstracts, in the map's language."""

from __future__ import annotations

from typing import Callable, Dict, List, NamedTuple, Sequence

from qgis.core import (
    QgsLayoutFrame,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemManualTable,
    QgsLayoutItemMap,
    QgsLayoutSize,
    QgsPrintLayout,
    QgsTableCell,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QColor, QFont

from ...core.custommap.model import LayerPlan, PageSetup, Plan
from ...core.i18n import tr
from ...core.numbers import format_scale
from ...core.page_design.type_scale import TextRole
from ...core.text import MAX_SHOWN, single_line, truncate, unique_texts, with_short_paragraphs
from ..credits.map_credits import ServiceOnMap, visible_services, with_language
from ..credits.map_phrases import map_phrase
from ..layouts import layout_items, text_fitting
from ..layouts.locator_map import enlarge_locator_map
from ..layouts.page_theme import layout_theme
from ..runtime import compat, page_fonts
from .layout_feature import LayoutFeature, MapRoom
from .legend_fitting import required_size

#: the bundled template whose map takes the room of what is known of services where there are none
_TEMPLATE = "sheet"
#: those whose location map takes what the legend above it leaves
_SPREAD = (_TEMPLATE, "guide")
#: services side by side in one table
_MAX_SERVICES = 3
_MAX_TEXT_LENGTH = 320
#: characters that texts are cut to, one after the other, where the table is too long for its frame with short lists
_SHORT_TEXTS = (240, 180, 140, 110, 80, 60)
#: factors of the letters of description and table where both leave height, and millimetres on A4 below the description
_ENLARGED, _BELOW = (1.4, 1.35, 1.3, 1.25, 1.2, 1.15, 1.1, 1.05, 1.0), 1.0
#: part of the estimated height of the table that it surely has
_SURELY = 0.93
#: millimetres on A4 between the legend and the heading of a location map that has grown
_GAP = 4.0
#: how many times as wide the margins of cells become at most there, in so many steps
_WIDEST_MARGIN, _MARGIN_STEPS = 4.0, 12
#: keys of rows with lists, and the fewest and most characters of such a list
_LISTS, _LIST_LENGTHS = ("layers", "scales"), (24, _MAX_TEXT_LENGTH)
_LayerPlans = Sequence[LayerPlan]


class FactRow(NamedTuple):
    """A row of the table: its label, and each service's value. Lists of layers and scales give way to other facts."""

    label: str
    values: Sequence[str]
    is_list: bool = False


def fill_technical_sheet(layout: QgsPrintLayout, plan: Plan) -> List[str]:
    """Fill the layout's table of facts. Return notes on services and text that do not fit."""
    frame = layout_items.find_item(layout, layout_items.FACTS, QgsLayoutFrame)
    table = frame.multiFrame() if frame is not None else None
    if frame is None or not isinstance(table, QgsLayoutItemManualTable):
        return []
    services = visible_services(plan)
    layout_items.show_heading(layout, layout_items.FACTS, bool(services))
    frame.setVisibility(bool(services))
    shown = services[:_MAX_SERVICES]
    table.setIncludeTableHeader(False)
    width = float(frame.customProperty("cartoguide/room") or frame.rect().width())
    first_width = min(width * 0.2, 42.0)
    # the table's grid and margins take part of the frame
    remaining = width - first_width - 2 * table.cellMargin() * (len(shown) + 1) - table.gridStrokeWidth() * 4
    table.setColumnWidths([first_width, *([remaining / max(len(shown), 1)] * len(shown))])
    facts = _Facts(table, frame, technical_sheet_rows(shown, plan.language))
    if services and plan.page.template == _TEMPLATE:
        _share_with_abstract(layout, plan, frame, facts)
    notes = []
    if len(services) > _MAX_SERVICES:
        notes.append(tr("The table has space for {most} services. The others are left out.", most=_MAX_SERVICES))
    if not facts.fit():
        notes.append(tr("The text “{id}” is too long for its space on the page.", id=layout_items.FACTS))
    return notes


def _share_with_abstract(layout: QgsPrintLayout, plan: Plan, frame: QgsLayoutFrame, facts: _Facts) -> None:
    """Share the height of description and table out between them, in larger letters where both leave some of it.

    The description has the room that it lacks as far as only lists of the table give way.
    """
    label = layout_items.find_item(layout, layout_items.ABSTRACT, QgsLayoutItemLabel)
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + layout_items.FACTS, QgsLayoutItemLabel)
    if label is None or heading is None:
        return
    font, points = QFont(compat.label_font(label)), compat.label_font(label).pointSizeF()
    text = with_short_paragraphs(truncate(abstract_text(plan), MAX_SHOWN))
    width = label.rect().width() - 2 * label.marginX()
    whole, head = QRectF(frame.pagePos(), frame.rect().size()), QRectF(heading.pagePos(), heading.rect().size())
    described = QRectF(label.pagePos(), label.rect().size())

    def lacking() -> float:
        return float(text_fitting.text_height(text, font, width) + 2 * label.marginY() - described.height())

    def move(by: float) -> None:
        layout_items.place_item(frame, whole.adjusted(0, by, 0, 0))
        layout_items.place_item(heading, head.translated(0, by))
        label.attemptResize(QgsLayoutSize(described.width(), described.height() + by))

    for factor in _ENLARGED:
        font.setPointSizeF(points * factor)
        by = lacking() + _BELOW * text_fitting.space_factor(layout)
        if by > whole.height() / 2:
            continue
        move(by)
        if facts.fits_in(factor):
            compat.set_label_font(label, font)
            facts.enlarge(factor)
            return
    font.setPointSizeF(text_fitting.least_label_points(label))
    by = lacking()
    # less by a line each time
    while by > 0:
        move(by)
        if facts.fits_with_short_lists():
            return
        by -= text_fitting.text_height("x", font, whole.width())
    move(0.0)


class _Facts:
    """The table of facts with its rows, and what becomes of both where its frame is too low."""

    def __init__(self, table: QgsLayoutItemManualTable, frame: QgsLayoutFrame, rows: Sequence[FactRow]) -> None:
        self._table, self._frame, self._rows = table, frame, rows
        self._points = table.contentTextFormat().size()
        self._least = text_fitting.least_points(table.layout(), TextRole.TABLE, self._points)

    def fits_with_short_lists(self) -> bool:
        """Return whether the frame has room for the table in the least letters, with the shortest lists."""
        return self._draw(self._least, _LIST_LENGTHS[0])

    def fits_in(self, factor: float) -> bool:
        """Return whether the frame has room for the whole table in letters that are so many times as large."""
        return self._draw(self._points * factor)

    def enlarge(self, factor: float) -> None:
        """Make the letters so many times as large, and spread the rows over the frame's height as far as looks well.
        """
        self._points *= factor
        margin, widths = self._table.cellMargin(), self._table.columnWidths()
        for number in range(_MARGIN_STEPS, -1, -1):
            more = number * (_WIDEST_MARGIN - 1) / _MARGIN_STEPS * margin
            self._table.setCellMargin(margin + more)
            self._table.setColumnWidths([width - 2 * more for width in widths])
            if self._draw(self._points):
                return

    def fit(self) -> bool:
        """Shrink the letters until the frame has room, then cut the lists, then all texts. Return False if it has not.
        """
        points = self._points
        while not self._draw(points):
            if points > self._least:
                points = max(points - 0.2, self._least)
                continue
            least, most = _LIST_LENGTHS
            if not self._draw(points, least):
                return any(self._draw(points, least, length) for length in _SHORT_TEXTS)
            while least < most:
                middle = (least + most + 1) // 2
                least, most = (middle, most) if self._draw(points, middle) else (least, middle - 1)
            return self._draw(points, least)
        return True

    def _draw(self, points: float, list_length: int = _MAX_TEXT_LENGTH, length: int = _MAX_TEXT_LENGTH) -> bool:
        """Set letters of this size, and texts cut to these lengths. Return whether the frame has room for them."""
        table = self._table
        text = table.contentTextFormat()
        text.setSize(points)
        table.setContentTextFormat(text)
        widths = table.columnWidths()
        rows = [[_cell(row.label, True, widths[0], table),
                 *(_cell(_cut_list(value, min(length, list_length)) if row.is_list else _cut(value, length), False,
                         width, table) for value, width in zip(row.values, widths[1:]))] for row in self._rows]
        table.setTableContents(rows)
        table.recalculateTableSize()
        font, available = QFont(text.font()), self._frame.rect().height()
        font.setPointSizeF(points)
        # QGIS does not count the rows from one on that is higher than the frame. The others are not less than the frame
        estimate = sum(2 * table.cellMargin() + max(
            text_fitting.text_height(str(cell.content()), font, width) for cell, width in zip(row, widths))
            for row in rows)
        return bool(max(table.totalSize().height(), _SURELY * estimate) <= available + 0.3)


def _cell(text: str, is_header: bool, width: float, table: QgsLayoutItemManualTable) -> QgsTableCell:
    text_format = table.contentTextFormat()
    font = text_format.font()
    font.setPointSizeF(text_format.size())
    if is_header:
        page_fonts.set_semibold(font)
    cell = QgsTableCell(text_fitting.wrap_cell(text, font, width, table.layout()))
    cell.setVerticalAlignment(Qt.AlignmentFlag.AlignTop)
    if is_header:
        text_format.setFont(font)
        text_format.setColor(QColor(layout_theme(table.layout()).heading))
        cell.setTextFormat(text_format)
    return cell


def technical_sheet_rows(services: Sequence[ServiceOnMap], language: str) -> List[FactRow]:
    """Return the rows of the table. Those without a value are left out."""
    readers: Dict[str, Callable[[_LayerPlans], str]] = {
        "organisation": lambda layers: _contact_values(layers, "organisation"),
        "contact": lambda layers: _contact_values(layers, "email"),
        "layers": _layer_titles,
        "system": lambda layers: ", ".join(dict.fromkeys(layer.wms.crs for layer in layers if layer.wms)),
        "scales": lambda layers: _scales(layers, language),
        "extent": lambda layers: _extent(layers, language),
        "fees": lambda layers: _fees(layers, language),
        "credit_required": lambda layers: map_phrase(language, layers[0].credit_required.value),
    }
    rows = [FactRow(map_phrase(language, key), [_truncate(read(service.layers)) for service in services], key in _LISTS)
            for key, read in readers.items()]
    title_row = FactRow(map_phrase(language, "service"), [_truncate(service.title) for service in services])
    return [title_row, *(row for row in rows if any(row.values))]


def abstract_text(plan: Plan) -> str:
    """Return each service's abstract, after its title if there are several."""
    texts_by_title: Dict[str, str] = {}
    for service in visible_services(plan):
        text = single_line(next((layer.service_abstract or layer.abstract for layer in service.layers), ""))
        if text:
            text = with_language(text, plan.language)
            texts_by_title.setdefault(service.title, text)
    if len(texts_by_title) == 1:
        return next(iter(texts_by_title.values()))
    return "\n".join(f"{title.rstrip('.')}: {text}" for title, text in texts_by_title.items())


def _contact_values(layers: _LayerPlans, key: str) -> str:
    return "; ".join(unique_texts([contact[key] for contact in layers[0].contacts if contact.get(key)]))


def _layer_titles(layers: _LayerPlans) -> str:
    titles = unique_texts([layer.title or layer.name for layer in layers])
    return f"{len(titles)}: {', '.join(titles)}" if len(titles) > 1 else titles[0]


def _scales(layers: _LayerPlans, language: str) -> str:
    """Return the scales at which most of the layers are drawn, then the layers that are drawn at others."""
    titles_by_scales: Dict[str, List[str]] = {}
    for layer in layers:
        largest, smallest = layer.scale_range
        ends = [map_phrase(language, key, scale=_scale(end))
                for key, end in (("from_scale", largest), ("to_scale", smallest)) if end]
        titles_by_scales.setdefault(" ".join(ends) or map_phrase(language, "any_scale"), []).append(
            layer.title or layer.name)
    most, *others = sorted(titles_by_scales, key=lambda scales: -len(titles_by_scales[scales]))
    return "; ".join((most, *(f"{', '.join(unique_texts(titles_by_scales[scales]))}: {scales}" for scales in others)))


def _scale(denominator: float) -> str:
    return format_scale(denominator).replace("\u202f", "\u00a0")


def _extent(layers: _LayerPlans, language: str) -> str:
    bounds = next((layer.extent for layer in layers if layer.extent), None)
    if bounds is None:
        return ""
    west, east, north, south = (map_phrase(language, key) for key in ("west", "east", "north_letter", "south"))
    longitudes = [f"{abs(value):.3f}° {east if value >= 0 else west}" for value in (bounds.west, bounds.east)]
    latitudes = [f"{abs(value):.3f}° {north if value >= 0 else south}" for value in (bounds.south, bounds.north)]
    text = f"{' – '.join(longitudes)}; {' – '.join(latitudes)}"
    return text.replace(".", map_phrase(language, "decimal"))


def _fees(layers: _LayerPlans, language: str) -> str:
    # it loads the words of all languages, which QGIS's start does without
    from ...core.terms.terms_summary import says_only_free

    fees = next((layer.fees for layer in layers if layer.fees), "")
    return map_phrase(language, "free") if says_only_free(fees) else fees


def _truncate(text: str) -> str:
    # no-break spaces, which hold a number together, are white space too
    return _cut("\u00a0".join(map(single_line, text.split("\u00a0"))), _MAX_TEXT_LENGTH)


def _cut(text: str, length: int) -> str:
    """Return at most ``length`` characters, cut between words."""
    return text if len(text) <= length else text[:length].rsplit(" ", 1)[0] + " …"


def _cut_list(text: str, length: int) -> str:
    """Return at most ``length`` characters of a list, cut between its words where there are several."""
    kept, mark = max((text[:length].rpartition(mark)[:2] for mark in (", ", "; ")), key=lambda part: len(part[0]))
    return f"{kept}{mark}…" if mark and len(text) > length else _cut(text, length)


#: what moves on a sheet without services, and the map, which takes the room
_MOVED = (layout_items.ABSTRACT, layout_items.LEGEND, layout_items.HEADING_PREFIX + layout_items.LEGEND,
          layout_items.HEADING_PREFIX + "location", layout_items.FACTS, layout_items.MAP)


def _share_room(layout: QgsPrintLayout, page: PageSetup, with_services: bool) -> None:
    """Make the map higher on a sheet without services, and put the legend beside the location map in place of facts."""
    found = [layout_items.find_item(layout, name, QgsLayoutItem) for name in _MOVED]
    if page.template != _TEMPLATE or with_services or None in found:
        return
    abstract, legend, heading, location, facts, _ = (item for item in found if item is not None)
    lower = location.pagePos().y() - heading.pagePos().y()
    left, width = abstract.pagePos().x(), abstract.rect().width()
    bottom, top = facts.pagePos().y() + facts.rect().height(), legend.pagePos().y() + lower
    layout_items.place_item(heading, QRectF(left, location.pagePos().y(), width, heading.rect().height()))
    layout_items.place_item(legend, QRectF(left, top, width, bottom - top))
    # the grid is drawn by an item of its own above the map
    for name in (layout_items.MAP, layout_items.GRID):
        item = layout_items.find_item(layout, name, QgsLayoutItem)
        if item is not None:
            item.attemptResize(QgsLayoutSize(item.rect().width(), item.rect().height() + lower))


def spread_location(layout: QgsPrintLayout, page: PageSetup) -> None:
    """Give the location map of a sheet or a guide map the height that the legend above it leaves."""
    legend = layout_items.find_item(layout, layout_items.LEGEND, QgsLayoutItemLegend)
    inset = layout_items.find_item(layout, layout_items.INSET, QgsLayoutItemMap)
    if page.template not in _SPREAD or legend is None or inset is None or legend.page() != inset.page() or (
            inset.pagePos().y() < legend.pagePos().y() + legend.rect().height()):
        return
    gap = _GAP * text_fitting.space_factor(layout)
    taken = enlarge_locator_map(layout, legend.rect().height() - required_size(legend)[1] - gap)
    legend.attemptResize(QgsLayoutSize(legend.rect().width(), legend.rect().height() - taken))


FEATURE = LayoutFeature("technical_sheet", room=MapRoom((*_MOVED, layout_items.GRID), lambda page, with_services: (
    page.template == _TEMPLATE and not with_services), _share_room),
                        fill=lambda page: fill_technical_sheet(page.layout, page.plan))

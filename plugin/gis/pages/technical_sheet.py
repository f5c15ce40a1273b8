"""Technical sheet: a table of facts about the services on the map, and their abstracts, in the map's language."""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Sequence

from qgis.core import (
    QgsLayoutFrame,
    QgsLayoutItem,
    QgsLayoutItemManualTable,
    QgsLayoutSize,
    QgsPrintLayout,
    QgsTableCell,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QColor

from ...core.custommap.model import LayerPlan, PageSetup, Plan
from ...core.i18n import tr
from ...core.numbers import format_scale
from ...core.page_design.type_scale import TextRole
from ...core.text import fold, single_line, unique_texts
from ..credits.map_credits import ServiceOnMap, visible_services
from ..credits.map_phrases import map_phrase
from ..layouts import layout_items, text_fitting
from ..layouts.page_theme import layout_theme
from ..runtime import page_fonts
from .layout_feature import LayoutFeature, MapRoom

#: the bundled template whose map takes the room of what is known of services where there are none
_TEMPLATE = "sheet"
#: services side by side in one table
_MAX_SERVICES = 3
_MAX_TEXT_LENGTH = 320
#: characters that a text is cut to, one after the other, where the table would be too long for its frame
_SHORT_TEXTS = (240, 180, 140, 110, 80, 60)
_LayerPlans = Sequence[LayerPlan]


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
    rows = technical_sheet_rows(shown, plan.language)
    table.setIncludeTableHeader(False)
    width = float(frame.customProperty("cartoguide/room") or frame.rect().width())
    first_width = min(width * 0.2, 42.0)
    # the table's grid and margins take part of the frame
    remaining = width - first_width - 2 * table.cellMargin() * (len(shown) + 1) - table.gridStrokeWidth() * 4
    table.setColumnWidths([first_width, *([remaining / max(len(shown), 1)] * len(shown))])
    _set_rows(table, rows)
    notes = []
    if len(services) > _MAX_SERVICES:
        notes.append(tr("The table has space for {most} services. The others are left out.", most=_MAX_SERVICES))
    if not _fit_table(table, frame, rows):
        notes.append(tr("The text “{id}” is too long for its space on the page.", id=layout_items.FACTS))
    return notes


def _cell(text: str, is_header: bool, table: QgsLayoutItemManualTable) -> QgsTableCell:
    cell = QgsTableCell(text)
    cell.setVerticalAlignment(Qt.AlignmentFlag.AlignTop)
    if is_header:
        text_format = table.contentTextFormat()
        font = text_format.font()
        page_fonts.set_semibold(font)
        text_format.setFont(font)
        text_format.setColor(QColor(layout_theme(table.layout()).heading))
        cell.setTextFormat(text_format)
    return cell


def _fit_table(table: QgsLayoutItemManualTable, frame: QgsLayoutFrame, rows: Sequence[Sequence[str]]) -> bool:
    """Shrink the table's font until it fits its frame, then cut its texts. Return False if it does not fit even so."""
    text = table.contentTextFormat()
    least = text_fitting.least_points(table.layout(), TextRole.TABLE, text.size())
    lengths = iter(_SHORT_TEXTS)
    while table.totalSize().height() > frame.rect().height() + 0.3:
        if text.size() > least:
            text.setSize(max(text.size() - 0.2, least))
            table.setContentTextFormat(text)
        else:
            length = next(lengths, None)
            if length is None:
                return False
            rows = [[label, *(_cut(value, length) for value in values)] for label, *values in rows]
        _set_rows(table, rows)
    return True


def _set_rows(table: QgsLayoutItemManualTable, rows: Sequence[Sequence[str]]) -> None:
    table.setTableContents([[_cell(text, column == 0, table) for column, text in enumerate(row)] for row in rows])
    table.recalculateTableSize()


def technical_sheet_rows(services: Sequence[ServiceOnMap], language: str) -> List[List[str]]:
    """Return rows of a label and each service's value. Rows without a value are left out."""
    readers: Dict[str, Callable[[_LayerPlans], str]] = {
        "organisation": lambda layers: _contact_values(layers, "organisation"),
        "contact": lambda layers: _contact_values(layers, "email"),
        "layers": _layer_titles,
        "system": lambda layers: ", ".join(dict.fromkeys(layer.wms.crs for layer in layers if layer.wms)),
        "format": lambda layers: ", ".join(dict.fromkeys(layer.wms.format for layer in layers if layer.wms)),
        "scales": lambda layers: _scales(layers, language),
        "extent": lambda layers: _extent(layers, language),
        "keywords": lambda layers: ", ".join(unique_texts([word for layer in layers for word in layer.keywords])),
        "fees": lambda layers: _fees(layers, language),
        "credit_required": lambda layers: map_phrase(language, layers[0].credit_required.value),
        "record": _record_id,
    }
    rows = [[map_phrase(language, key), *(_truncate(read(service.layers)) for service in services)]
            for key, read in readers.items()]
    title_row = [[map_phrase(language, "service"), *(_truncate(service.title) for service in services)]]
    return title_row + [row for row in rows if any(row[1:])]


def abstract_text(plan: Plan) -> str:
    """Return each service's abstract, after its title if there are several."""
    texts_by_title: Dict[str, str] = {}
    for service in visible_services(plan):
        text = single_line(next((layer.service_abstract or layer.abstract for layer in service.layers), ""))
        if text:
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
    """Return the scales that all layers together cover: from the largest to the smallest of any."""
    largest: List[Optional[float]] = [layer.scale_range[0] for layer in layers]
    smallest: List[Optional[float]] = [layer.scale_range[1] for layer in layers]
    ends = []
    if all(largest):
        ends.append(map_phrase(language, "from_scale", scale=_scale(min(value for value in largest if value))))
    if all(smallest):
        ends.append(map_phrase(language, "to_scale", scale=_scale(max(value for value in smallest if value))))
    return " ".join(ends) or map_phrase(language, "any_scale")


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
    fees = next((layer.fees for layer in layers if layer.fees), "")
    return map_phrase(language, "free") if fold(fees) in ("none", "free") else fees


def _record_id(layers: _LayerPlans) -> str:
    """Return the identifier, with a space to wrap at if it is longer than a column and has no punctuation."""
    name = layers[0].record_id or ""
    return f"{name[:20]} {name[20:]}" if len(name) > 30 and name.isalnum() else name


def _truncate(text: str) -> str:
    return _cut(single_line(text), _MAX_TEXT_LENGTH)


def _cut(text: str, length: int) -> str:
    """Return at most ``length`` characters, cut between words."""
    return text if len(text) <= length else text[:length].rsplit(" ", 1)[0] + " …"


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


FEATURE = LayoutFeature("technical_sheet", room=MapRoom((*_MOVED, layout_items.GRID), lambda page, with_services: (
    page.template == _TEMPLATE and not with_services), _share_room),
                        fill_rest=lambda page: fill_technical_sheet(page.layout, page.plan))

"""Texts of the technical sheet and the leaflet, in the map's language: facts of services, and what visitors ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsLayoutFrame,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemManualTable,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPrintLayout,
    QgsTableCell,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QColor, QFont

from ...core.custommap.model import LayerPlan, Plan
from ...core.i18n import tr
from ...core.page_design.type_scale import TextRole
from ...core.text import (
    MAX_SHOWN,
    fold,
    inert,
    printable,
    single_line,
    truncate,
    unique_texts,
    with_short_paragraphs,
    without_direction_marks,
)
from ..credits.map_credits import ServiceOnMap, visible_services
from ..credits.map_phrases import map_phrase
from ..runtime import compat, page_fonts
from . import layout_items, templates, text_fitting
from .page_theme import layout_theme

#: services side by side in one table
_MAX_SERVICES = 3
_MAX_TEXT_LENGTH = 320
#: characters that a text is cut to, one after the other, where the table would be too long for its frame
_SHORT_TEXTS = (240, 180, 140, 110, 80, 60)
#: rows of the table in large print, where all would be cut short
_LARGE_PRINT_ROWS = ("organisation", "layers", "fees", "credit_required")
_LayerPlans = Sequence[LayerPlan]
#: sizes of the letters as shares of the template's: larger where there is room, smaller where there is much to say
_FACTORS = (1.35, 1.25, 1.15, 1.08, 1.0, 0.95, 0.9, 0.85, 0.8)
#: space between a heading and its text, and between two texts, as shares of a heading's height
_HEADING_GAP, _SECTION_GAP = 0.15, 0.9
#: height that a text is given beyond what its letters take
_ALLOWANCE = 0.6
#: millimetres of a text that gives way to others
_SHORTEST = 10.0
_TEXTS = (layout_items.ABSTRACT, *layout_items.LEAFLET_TEXTS)


def fill_technical_sheet(layout: QgsPrintLayout, plan: Plan) -> List[str]:
    """Fill the layout's table of facts. Return notes on services and text that do not fit."""
    frame = layout_items.find_item(layout, layout_items.FACTS, QgsLayoutFrame)
    table = frame.multiFrame() if frame is not None else None
    if frame is None or not isinstance(table, QgsLayoutItemManualTable):
        return []
    services = visible_services(plan)
    shown = services[:_MAX_SERVICES]
    rows = technical_sheet_rows(shown, plan.language, layout_theme(layout).is_large)
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


def technical_sheet_rows(services: Sequence[ServiceOnMap], language: str, only_first: bool = False) -> List[List[str]]:
    """Return rows of a label and each service's value. Rows without a value are left out.

    With ``only_first`` there are only those that readers ask for most.
    """
    readers: Tuple[Tuple[str, Callable[[_LayerPlans, str], str]],
                   ...] = (("organisation", _organisation), ("contact", _contact), ("layers", _layer_titles),
                           ("system", _crs_codes), ("format", _formats), ("scales", _scales), ("extent", _extent),
                           ("keywords", _keywords), ("fees", _fees), ("credit_required",
                                                                      _credit_required), ("record", _record_id))
    rows = [[map_phrase(language, key), *(_truncate(read(service.layers, language)) for service in services)]
            for key, read in readers if not only_first or key in _LARGE_PRINT_ROWS]
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


def _organisation(layers: _LayerPlans, _language: str) -> str:
    return _contact_values(layers, "organisation")


def _contact(layers: _LayerPlans, _language: str) -> str:
    return _contact_values(layers, "email")


def _layer_titles(layers: _LayerPlans, _language: str) -> str:
    titles = unique_texts([layer.title or layer.name for layer in layers])
    return f"{len(titles)}: {', '.join(titles)}" if len(titles) > 1 else titles[0]


def _crs_codes(layers: _LayerPlans, _language: str) -> str:
    return ", ".join(dict.fromkeys(layer.crs for layer in layers))


def _formats(layers: _LayerPlans, _language: str) -> str:
    return ", ".join(dict.fromkeys(layer.format for layer in layers))


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
    return f"1:{denominator:,.0f}".replace(",", "\u00a0")


def _extent(layers: _LayerPlans, language: str) -> str:
    bounds = next((layer.extent for layer in layers if layer.extent), None)
    if bounds is None:
        return ""
    west, east, north, south = (map_phrase(language, key) for key in ("west", "east", "north_letter", "south"))
    longitudes = [f"{abs(value):.3f}° {east if value >= 0 else west}" for value in (bounds.west, bounds.east)]
    latitudes = [f"{abs(value):.3f}° {north if value >= 0 else south}" for value in (bounds.south, bounds.north)]
    text = f"{' – '.join(longitudes)}; {' – '.join(latitudes)}"
    return text.replace(".", ",") if language.startswith("es") else text


def _keywords(layers: _LayerPlans, _language: str) -> str:
    return ", ".join(unique_texts([word for layer in layers for word in layer.keywords]))


def _fees(layers: _LayerPlans, language: str) -> str:
    fees = next((layer.fees for layer in layers if layer.fees), "")
    return map_phrase(language, "free") if fold(fees) in ("none", "free") else fees


def _credit_required(layers: _LayerPlans, language: str) -> str:
    return map_phrase(language, layers[0].credit_required.value)


def _record_id(layers: _LayerPlans, _language: str) -> str:
    """Return the identifier, with a space to wrap at if it is longer than a column and has no punctuation."""
    name = layers[0].record_id or ""
    return f"{name[:20]} {name[20:]}" if len(name) > 30 and name.isalnum() else name


def _truncate(text: str) -> str:
    return _cut(single_line(text), _MAX_TEXT_LENGTH)


def _cut(text: str, length: int) -> str:
    """Return at most ``length`` characters, cut between words."""
    return text if len(text) <= length else text[:length].rsplit(" ", 1)[0] + " …"


@dataclass(frozen=True)
class _Section:
    """A text with its heading, where the template has one, and the font that the template gives it."""

    name: str
    label: QgsLayoutItemLabel
    heading: Optional[QgsLayoutItemLabel]
    font: QFont

    def items(self) -> List[QgsLayoutItemLabel]:
        """Return heading and text."""
        return [self.label] if self.heading is None else [self.heading, self.label]


def fill_leaflet(layout: QgsPrintLayout, plan: Plan) -> List[str]:
    """Fill the labels of the leaflet's texts, and remove those that are empty. Return notes on texts that do not fit.

    In the bundled template they close up and take the room of all of them. The services' abstracts stand in place of a
    text for visitors. Other templates keep their arrangement. No-op for a template without these labels.
    """
    if not has_leaflet_texts(layout):
        return []
    sections = [section for name in _TEXTS if (section := _section(layout, name)) is not None]
    panels = _panels(sections)
    rooms = {id(panel): _united([item for section in panel for item in section.items()]) for panel in panels}
    filled = [section for section in sections if _fill(section, plan)]
    for section in sections:
        if section not in filled:
            for item in section.items():
                layout.removeLayoutItem(item)
    if not filled:
        return []
    if not templates.is_user_template(plan.page.template):
        stacks = [([section for section in panel if section in filled], rooms[id(panel)]) for panel in panels]
        stacks = [(members, room) for members, room in stacks if members]
        # one size of letters on all panels
        factor = min(_fitting_factor(members, room) for members, room in stacks)
        for members, room in stacks:
            _stack(members, room, factor)
    unfit = [section.name for section in filled if not text_fitting.shrink_to_fit(section.label, _least_size(section))]
    for section in filled:
        text_fitting.cut_to_fit(section.label)
    return [tr("The text “{id}” is too long for its space on the page.", id=name) for name in unfit]


def has_leaflet_texts(layout: QgsPrintLayout) -> bool:
    """Return whether the template has a label for a text of a leaflet."""
    return any(layout_items.find_item(layout, name, QgsLayoutItemLabel) is not None
               for name in layout_items.LEAFLET_TEXTS)


def _panels(sections: Sequence[_Section]) -> List[List[_Section]]:
    """Return the sections of each panel of the leaflet, which are at the same distance from the left."""
    panels: Dict[int, List[_Section]] = {}
    for section in sections:
        panels.setdefault(round(section.label.pagePos().x()), []).append(section)
    return list(panels.values())


def _section(layout: QgsPrintLayout, name: str) -> Optional[_Section]:
    label = layout_items.find_item(layout, name, QgsLayoutItemLabel)
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + name, QgsLayoutItemLabel)
    return None if label is None else _Section(name, label, heading, QFont(compat.label_font(label)))


def _fill(section: _Section, plan: Plan) -> bool:
    """Set the section's text and heading. Return whether it has a text."""
    texts = plan.page.leaflet
    values: Dict[str, str] = {layout_items.ABSTRACT: texts.visitor_text, "directions": texts.directions,
                              "opening_hours": texts.opening_hours, "emergency_numbers": texts.emergency_numbers}
    text, phrase = _tidied(values[section.name]), section.name
    if section.name == layout_items.ABSTRACT and text:
        phrase = "visitor_text"
    elif section.name == layout_items.ABSTRACT:
        text = truncate(abstract_text(plan), MAX_SHOWN)
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
    heads = [_head(section) for section in sections]
    return sum(_set_size(section, factor, room.width()) for section in sections) + sum(heads) + _SECTION_GAP * max(
        heads) * (len(sections) - 1)


def _stack(sections: Sequence[_Section], room: QRectF, factor: float) -> None:
    """Place the sections one below the other, in letters of a share of the template's.

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
            _place(section.heading, room.left(), y, room.width(), section.heading.rect().height(), page)
        height = min(height, max(1.0, room.bottom() - y - head))
        _place(section.label, room.left(), y + head, room.width(), height, page)
        y += head + height + gap


def _head(section: _Section) -> float:
    return float(section.heading.rect().height()) * (1 + _HEADING_GAP) if section.heading is not None else 0.0


def _set_size(section: _Section, factor: float, width: float) -> float:
    """Set the text's letters to a share of the template's, and return the height in millimetres that it takes then."""
    font = QFont(section.font)
    font.setPointSizeF(max(round(section.font.pointSizeF() * factor, 2), _least_size(section)))
    compat.set_label_font(section.label, font)
    return text_fitting.text_height(section.label.currentText(), font, width) + _ALLOWANCE


def _least_size(section: _Section) -> float:
    return text_fitting.least_points(section.label.layout(), TextRole.BODY, section.font.pointSizeF())


def _united(items: Sequence[QgsLayoutItem]) -> QRectF:
    """Return the bounds of items on their page, in millimetres."""
    room = QRectF()
    for item in items:
        room = room.united(QRectF(item.pagePos().x(), item.pagePos().y(), item.rect().width(), item.rect().height()))
    return room


def _place(label: QgsLayoutItemLabel, x: float, y: float, width: float, height: float, page: int) -> None:
    label.attemptResize(QgsLayoutSize(width, height))
    label.attemptMove(QgsLayoutPoint(x, y), True, False, page)

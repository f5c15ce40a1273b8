"""Elements of a layout's pages in reading order, for programs that read a page aloud or take its text."""

from __future__ import annotations

from typing import Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsExpressionContextUtils,
    QgsLayoutFrame,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemScaleBar,
    QgsPrintLayout,
    QgsReferencedRectangle,
)
from qgis.PyQt.QtCore import QModelIndex, Qt

from ...core.box import WORLD, Box
from ...core.numbers import format_scale
from ...core.publication.page_elements import ElementRole, PageElement
from ...core.publication.pdf_description import PageDescription
from ..credits.expression_functions import LANGUAGE_VARIABLE
from ..credits.layer_credits import layers_drawn_by, owed_credits
from ..credits.layer_metadata import is_outline
from ..credits.map_phrases import default_map_language, map_language, map_phrase
from ..layouts import layout_items
from ..runtime.conversions import rectangle_box
from ..runtime.ground_scale import document_scale
from .page_features import FEATURES
from .print_marks import cut_paper
from .series_summary import CHART, MAXIMUM, METHOD_LABEL

#: left, top, width and height in millimetres from the upper left corner of the page
Area = Tuple[float, float, float, float]
SortKey = Tuple[float, ...]
#: millimetres by which the tops of items of one row differ
_ROW = 3.0
#: what ends small multiples: numbers behind those of the maps
_SUMMARY = {MAXIMUM: 10_001, CHART: 10_002}
#: headings of a place with another name
_TARGETS = {"location": layout_items.INSET}
#: custom property of an item: number, from 0, of the page that it leads to in a file of all pages
LINKED_PAGE = "cartoguide/linked_page"
#: layers named in the text that describes a map
_MAX_LAYERS_NAMED = 12
#: between a map's title and its label
_SEPARATOR = " – "


class ReadingOrder:
    """Sort keys of the items of one page. ``areas`` are those of all items by id, also of the former ones."""

    def __init__(self, layout: QgsPrintLayout, page: int, items: Sequence[QgsLayoutItem],
                 areas: Mapping[str, Area]) -> None:
        self._areas = areas
        self._folds = layout_items.vertical_folds(layout, page)
        self._has_title = layout_items.TITLE in areas
        self._maps = [(number, areas[item.id()]) for item in items for number in [_map_number(item.id())]
                      if number is not None and item.id() in areas]
        self._runs: Dict[str, Area] = {}
        for prefix in layout_items.ROW_PREFIXES:
            rows = [area_on_page(item) for item in items if item.id().startswith(prefix)]
            if rows:
                self._runs[prefix] = (min(area[0] for area in rows), min(area[1] for area in rows), 0.0, 0.0)
        title = areas.get(layout_items.TITLE)
        self._cover = self._panel(title) if title is not None else -1

    def is_title(self, item: QgsLayoutItem) -> bool:
        """Return whether an item is the page's title. On a page without one, that is the title at its foot."""
        return item.id() == layout_items.TITLE or (item.id() == layout_items.FOOT and not self._has_title)

    def key(self, item: QgsLayoutItem) -> SortKey:
        """Return the item's sort key. A heading precedes its item, and what lies on a map follows it."""
        name = item.id()
        if self.is_title(item) or name == layout_items.SUBTITLE:
            return (0, 0 if self.is_title(item) else 1)
        number = _SUMMARY.get(name) or _map_number(name)
        if number is not None:
            return (1, number, 1)
        if name == METHOD_LABEL:
            return (1, _SUMMARY[CHART], 2)
        if name.startswith(layout_items.LABEL_PREFIX):
            labelled = name[len(layout_items.LABEL_PREFIX):]
            return (1, _SUMMARY.get(labelled) or _map_number(layout_items.MAP_PREFIX + labelled) or 0, 0)
        for prefix, run in self._runs.items():
            if name.startswith(prefix):
                return (2, *self._place(run), 1, *_row_of_run(name, area_on_page(item)))
        target = name[len(layout_items.HEADING_PREFIX):] if name.startswith(layout_items.HEADING_PREFIX) else ""
        area = self._areas.get(_TARGETS.get(target, target)) or self._areas.get(name) or area_on_page(item)
        place = (*self._place(area), 0 if target else 1, area[1])
        for number, frame in self._maps:
            if _lies_in(area, frame):
                return (1, number, 2, *place)
        return (2, *place)

    def _place(self, area: Area) -> Tuple[int, int, float]:
        """Return panel, row and left edge. The panel of the title is the first."""
        panel = self._panel(area)
        return (-1 if panel == self._cover else panel), round(area[1] / _ROW), area[0]

    def _panel(self, area: Area) -> int:
        return sum(fold < area[0] + area[2] / 2 for fold in self._folds)


def area_on_page(item: QgsLayoutItem) -> Area:
    """Return the item's area from the upper left corner of its page."""
    bounds = item.sceneBoundingRect()
    corner = item.layout().pageCollection().page(item.page()).pos()
    return bounds.left() - corner.x(), bounds.top() - corner.y(), bounds.width(), bounds.height()


def _map_number(name: str) -> Optional[int]:
    """Return the number of the map with this id, from 1, or None if it is not one of the page's maps."""
    if name == layout_items.MAP:
        return 1
    number = name[len(layout_items.MAP_PREFIX):]
    return int(number) if name.startswith(layout_items.MAP_PREFIX) and number.isdecimal() else None


def _row_of_run(name: str, area: Area) -> List[float]:
    """Return the place of a row among those of its run, which may have several columns."""
    if name.startswith(layout_items.INDEX_PREFIX):
        number = name[len(layout_items.INDEX_PREFIX):]
        return [float(number) if number.isdecimal() else 0.0]
    return [area[1], area[0]]


def _lies_in(area: Area, frame: Area) -> bool:
    x, y = area[0] + area[2] / 2, area[1] + area[3] / 2
    return frame[0] <= x <= frame[0] + frame[2] and frame[1] <= y <= frame[1] + frame[3]


def layout_language(layout: QgsPrintLayout) -> str:
    """Return the language (ISO 639-1) in which the layout's map was composed, else that of a new map."""
    value = QgsExpressionContextUtils.layoutScope(layout).variable(LANGUAGE_VARIABLE)
    return map_language(str(value)) if value else default_map_language()


def describe_pages(layout: QgsPrintLayout) -> List[PageDescription]:
    """Return the exported pages of a layout with their elements in reading order."""
    pages = layout.pageCollection()
    title = layout_items.layout_title(layout)
    described: List[PageDescription] = []
    for number in range(pages.pageCount()):
        if pages.shouldExportPage(number):
            name = title if not described else f"{title} ({len(described) + 1})"
            described.append(PageDescription(name, _elements_of_page(layout, number), cut_paper(layout, number)))
    return described


def map_extent(item: QgsLayoutItemMap) -> Optional[Box]:
    """Return what a layout's map shows in degrees (WGS 84), or None if it cannot be computed."""
    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    transform = QgsCoordinateTransform(item.crs(), degrees, item.layout().project())
    try:
        extent = transform.transformBoundingBox(QgsReferencedRectangle(layout_items.visible_bounds(item), item.crs()))
    except QgsCsException:
        return None
    box = rectangle_box(extent)
    return box if box.has_area and box.intersection(WORLD) == box else None


def map_description(item: QgsLayoutItemMap, language: str) -> str:
    """Return what a map shows, in words: its title, scale, extent, layers and credits."""
    layout = item.layout()
    if item.id() == layout_items.INSET:
        return map_phrase(language, "alt_location", title=layout_items.layout_title(layout))
    layers = [layer for layer in layers_drawn_by([item]) if not is_outline(layer)]
    names = list(dict.fromkeys(layer.name() for layer in layers))
    listed = ", ".join(names[:_MAX_LAYERS_NAMED]) + (" …" if len(names) > _MAX_LAYERS_NAMED else "")
    # a small map is told from its neighbours by its label
    title = _SEPARATOR.join(dict.fromkeys(filter(None, (layout_items.layout_title(layout), _label_of_map(item)))))
    sentences = [map_phrase(language, "alt_map", title=title, scale=format_scale(document_scale(item) or item.scale()))]
    extent = map_extent(item)
    if extent is not None:
        west, south, east, north = (f"{value:.3f}".replace(".", map_phrase(language, "decimal")) for value in extent)
        sentences.append(map_phrase(language, "alt_extent", west=west, south=south, east=east, north=north))
    if names:
        sentences.append(map_phrase(language, "alt_layers", layers=listed))
    credits = "; ".join(owed_credits(layers))
    if credits:
        sentences.append(map_phrase(language, "alt_credits", credits=credits))
    return " ".join(sentences)


def _label_of_map(item: QgsLayoutItemMap) -> str:
    """Return the text of a small map's label, or "" if the map has none."""
    name = item.id()
    number = "1" if name == layout_items.MAP else name[len(layout_items.MAP_PREFIX):]
    label = layout_items.find_item(item.layout(), layout_items.LABEL_PREFIX + number, QgsLayoutItemLabel)
    return label.currentText().strip() if label is not None and label.isVisible() else ""


def _elements_of_page(layout: QgsPrintLayout, page: int) -> List[PageElement]:
    language = layout_language(layout)
    items = [item for item in layout.items() if isinstance(item, QgsLayoutItem) and item.page() == page
             and item.isVisible() and item.id() != layout_items.GRID]
    areas = {item.id(): area_on_page(item) for item in items if item.id()}
    grid = layout_items.find_item(layout, layout_items.GRID, QgsLayoutItemMap)
    if grid is not None and grid.page() == page and layout_items.MAP in areas:
        # the figures along the frame belong to the map
        areas[layout_items.MAP] = area_on_page(grid)
    order = ReadingOrder(layout, page, items, areas)
    found: List[Tuple[SortKey, PageElement]] = []
    for item in items:
        element = _element(item, language, order, areas)
        if element is not None:
            found.append((order.key(item), element))
    return [element for _key, element in sorted(found, key=lambda pair: pair[0])]


def _element(item: QgsLayoutItem, language: str, order: ReadingOrder,
             areas: Mapping[str, Area]) -> Optional[PageElement]:
    """Return an item as an element of its page, or None if it says nothing by itself."""
    if isinstance(item, QgsLayoutItemLabel):
        return _label_element(item, order, areas)
    role, text = _role_and_text(item, language)
    if role is None:
        return None
    area = areas[layout_items.MAP] if item.id() == layout_items.MAP else area_on_page(item)
    entries = tuple(_legend_entries(item)) if isinstance(item, QgsLayoutItemLegend) else ()
    return PageElement(role, area, text, _linked_page(item), entries)


def _label_element(item: QgsLayoutItemLabel, order: ReadingOrder, areas: Mapping[str, Area]) -> Optional[PageElement]:
    name, area, role = item.id(), area_on_page(item), ElementRole.PARAGRAPH
    if order.is_title(item):
        role = ElementRole.TITLE
    elif name.startswith((layout_items.HEADING_PREFIX, layout_items.LABEL_PREFIX)) or name == layout_items.FOOT:
        role = ElementRole.HEADING
    elif name.startswith(layout_items.TABLE_NUMBER_PREFIX):
        # letters of the map, like those of its names
        return None
    elif name.startswith(layout_items.INDEX_PREFIX):
        role = ElementRole.ROW
    elif name.startswith(layout_items.TABLE_PREFIX):
        if name.endswith(layout_items.ROW_LENGTH_SUFFIX):
            # a part of its row
            return None
        role = (ElementRole.ROW_NUMBER if name.endswith(layout_items.ROW_NUMBER_SUFFIX)
                else ElementRole.SUBHEADING if name.endswith(":0") else ElementRole.ROW)
        length = areas.get(name + layout_items.ROW_LENGTH_SUFFIX)
        if length is not None:
            area = (area[0], area[1], length[0] + length[2] - area[0], area[3])
    return PageElement(role, area, item.currentText(), _linked_page(item))


def _legend_entries(item: QgsLayoutItemLegend) -> Iterator[str]:
    """Yield the texts of a legend: its title, and those of its groups, layers and symbols."""
    yield item.title()
    model = item.model()
    waiting = [QModelIndex()]
    while waiting:
        parent = waiting.pop()
        for row in range(model.rowCount(parent)):
            index = model.index(row, 0, parent)
            yield str(model.data(index, Qt.ItemDataRole.DisplayRole) or "")
            waiting.append(index)


def _linked_page(item: QgsLayoutItem) -> Optional[int]:
    value = str(item.customProperty(LINKED_PAGE, ""))
    return int(value) if value.isdecimal() and len(value) < 7 else None


def _role_and_text(item: QgsLayoutItem, language: str) -> Tuple[Optional[ElementRole], str]:
    for feature in FEATURES:
        described = feature.describe(item, language) if feature.describe is not None else None
        if described is not None:
            return described
    if isinstance(item, QgsLayoutItemMap):
        return ElementRole.FIGURE, map_description(item, language)
    if isinstance(item, QgsLayoutItemLegend):
        return ElementRole.LIST, item.title()
    if isinstance(item, QgsLayoutItemScaleBar):
        return ElementRole.FIGURE, map_phrase(language, "alt_scale_bar", unit=item.unitLabel())
    if isinstance(item, QgsLayoutFrame):
        return ElementRole.PARAGRAPH, ""
    return None, ""

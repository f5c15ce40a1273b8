"""Elements of a layout's pages in reading order, for programs that read a page aloud or take its text."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

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
    QgsLayoutItemPicture,
    QgsLayoutItemScaleBar,
    QgsPrintLayout,
    QgsReferencedRectangle,
)

from ...core.numbers import format_scale
from ...core.publication.page_elements import ElementRole, PageElement
from ...core.publication.pdf_description import PageDescription
from ..credits.credit_lines import layers_drawn_by, owed_credits
from ..credits.expression_functions import LANGUAGE_VARIABLE
from ..credits.map_phrases import default_map_language, map_language, map_phrase
from ..layouts import layout_items
from ..page_items.logos import LOGO_PREFIX
from ..page_items.photos import ALTERNATIVE_TEXT, PHOTO_PREFIX
from ..page_items.print_marks import cut_paper
from ..page_items.summary_items import CHART, MAXIMUM, METHOD_LABEL

#: custom property of an item: number, from 0, of the page that it leads to in a file of all pages
LINKED_PAGE = "cartoguide/linked_page"
#: layers named in the text that describes a map
_MAX_LAYERS_NAMED = 12
_ITEM_ROLES = {layout_items.TITLE: ElementRole.TITLE, layout_items.FOOT: ElementRole.HEADING}
#: read before everything else, in this order
_FIRST = (layout_items.TITLE, layout_items.SUBTITLE, layout_items.MAP)


def layout_language(layout: QgsPrintLayout) -> str:
    """Return the language (ISO 639-1) in which the layout's map was composed, else that of a new map."""
    value = QgsExpressionContextUtils.layoutScope(layout).variable(LANGUAGE_VARIABLE)
    return map_language(str(value)) if value else default_map_language()


def layout_title(layout: QgsPrintLayout) -> str:
    """Return the text of the layout's title, else its name."""
    label = layout_items.find_item(layout, layout_items.TITLE, QgsLayoutItemLabel)
    return (label.currentText().strip() if label is not None else "") or str(layout.name())


def describe_pages(layout: QgsPrintLayout) -> List[PageDescription]:
    """Return the exported pages of a layout with their elements in reading order."""
    pages = layout.pageCollection()
    title = layout_title(layout)
    described: List[PageDescription] = []
    for number in range(pages.pageCount()):
        if pages.shouldExportPage(number):
            name = title if not described else f"{title} ({len(described) + 1})"
            described.append(PageDescription(name, _elements_of_page(layout, number), cut_paper(layout, number)))
    return described


def map_extent(item: QgsLayoutItemMap) -> Optional[Tuple[float, float, float, float]]:
    """Return west, south, east and north of a layout's map in degrees (WGS 84), or None if it cannot be computed."""
    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    transform = QgsCoordinateTransform(item.crs(), degrees, item.layout().project())
    try:
        extent = transform.transformBoundingBox(QgsReferencedRectangle(layout_items.visible_bounds(item),
                                                                        item.crs()))
    except QgsCsException:
        return None
    west, south, east, north = extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum()
    return (west, south, east, north) if -180 <= west < east <= 180 and -90 <= south < north <= 90 else None


def map_description(item: QgsLayoutItemMap, language: str) -> str:
    """Return what a map shows, in words: its title, scale, extent, layers and credits."""
    layout = item.layout()
    if item.id() == layout_items.INSET:
        return map_phrase(language, "alt_location", title=layout_title(layout))
    layers = layers_drawn_by([item])
    names = list(dict.fromkeys(layer.name() for layer in layers))
    listed = ", ".join(names[:_MAX_LAYERS_NAMED]) + (" …" if len(names) > _MAX_LAYERS_NAMED else "")
    sentences = [map_phrase(language, "alt_map", title=layout_title(layout), scale=format_scale(item.scale()))]
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


def _elements_of_page(layout: QgsPrintLayout, page: int) -> List[PageElement]:
    language = layout_language(layout)
    items = [item for item in layout.items() if isinstance(item, QgsLayoutItem) and item.page() == page
             and item.isVisible() and item.id() != layout_items.GRID]
    places = {item.id(): _area(item) for item in items if item.id()}
    grid = layout_items.find_item(layout, layout_items.GRID, QgsLayoutItemMap)
    if grid is not None and grid.page() == page and layout_items.MAP in places:
        # the figures along the frame belong to the map
        places[layout_items.MAP] = _area(grid)
    found: List[Tuple[Tuple[float, ...], PageElement]] = []
    for item in items:
        role, text = _role_and_text(item, language)
        if role is not None:
            area = places.get(item.id()) or _area(item)
            found.append((_reading_order(item, places), PageElement(role, area, text, _linked_page(item))))
    return [element for _order, element in sorted(found, key=lambda pair: pair[0])]


def _linked_page(item: QgsLayoutItem) -> Optional[int]:
    value = str(item.customProperty(LINKED_PAGE, ""))
    return int(value) if value.isdecimal() and len(value) < 7 else None


def _role_and_text(item: QgsLayoutItem, language: str) -> Tuple[Optional[ElementRole], str]:
    if isinstance(item, QgsLayoutItemLabel):
        is_heading = item.id().startswith((layout_items.HEADING_PREFIX, layout_items.LABEL_PREFIX))
        role = ElementRole.HEADING if is_heading else _ITEM_ROLES.get(item.id(), ElementRole.PARAGRAPH)
        return role, item.currentText()
    if isinstance(item, QgsLayoutItemMap) and item.id() == layout_items.COVER:
        return ElementRole.FIGURE, map_phrase(language, "alt_cover", title=layout_title(item.layout()))
    if isinstance(item, QgsLayoutItemMap):
        return ElementRole.FIGURE, map_description(item, language)
    if isinstance(item, QgsLayoutItemLegend):
        return ElementRole.LIST, item.title()
    if isinstance(item, QgsLayoutItemScaleBar):
        return ElementRole.FIGURE, map_phrase(language, "alt_scale_bar", unit=item.unitLabel())
    if isinstance(item, QgsLayoutFrame):
        return ElementRole.PARAGRAPH, ""
    if isinstance(item, QgsLayoutItemPicture) and item.id().startswith(LOGO_PREFIX):
        return ElementRole.FIGURE, map_phrase(language, "alt_logo", number=item.id()[len(LOGO_PREFIX):])
    if isinstance(item, QgsLayoutItemPicture) and (item.id().startswith(PHOTO_PREFIX) or item.id() in (MAXIMUM, CHART)):
        return ElementRole.FIGURE, str(item.customProperty(ALTERNATIVE_TEXT, ""))
    return None, ""


def _reading_order(item: QgsLayoutItem, places: Dict[str, Tuple[float, float, float, float]]) -> Tuple[float, ...]:
    """Return the sort key of an item: title, subtitle and map first, then by rows. A heading precedes its item."""
    name = item.id()
    if name in _FIRST:
        return (0, _FIRST.index(name), 0, 0, 0)
    named = name[len(layout_items.HEADING_PREFIX):] if name.startswith(layout_items.HEADING_PREFIX) else ""
    is_heading = 0 if named or name.startswith(layout_items.LABEL_PREFIX) else 1
    target = layout_items.INSET if named == "location" else named
    if name.startswith(layout_items.LABEL_PREFIX):
        number = name[len(layout_items.LABEL_PREFIX):]
        target = number if number in (MAXIMUM, CHART) else (
            layout_items.MAP if number == "1" else layout_items.MAP_PREFIX + number)
    elif name == METHOD_LABEL:
        # after the chart, whose heading it stands beside
        target, is_heading = CHART, 2
    left, top, _width, _height = places.get(target) or _area(item)
    # items of one row differ by parts of a millimetre
    return (1, round(top / 3), left, is_heading, top)


def _area(item: QgsLayoutItem) -> Tuple[float, float, float, float]:
    """Return left, top, width and height in millimetres from the upper left corner of the item's page."""
    bounds = item.sceneBoundingRect()
    corner = item.layout().pageCollection().page(item.page()).pos()
    return bounds.left() - corner.x(), bounds.top() - corner.y(), bounds.width(), bounds.height()


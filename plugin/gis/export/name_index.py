"""Index of a map book: the names of a layer, each with its sheets, on extra pages with the credit of the layer."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeatureRequest,
    QgsGeometry,
    QgsLayoutItemLabel,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPrintLayout,
    QgsProject,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QFont

from ...core.custommap.map_book import MAX_NAMES, IndexEntry, NameIndex, index_entries
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.page_design.type_scale import TextRole
from ...core.text import inert, truncate
from ..credits.credit_lines import owed_credits, unfit_credits
from ..credits.layer_metadata import is_outline
from ..credits.map_phrases import map_phrase
from ..feature_tables.feature_names import FeatureSource, named_features
from ..layouts import layout_items, text_fitting
from ..page_reading.page_description import LINKED_PAGE, layout_language
from ..runtime import compat
from ..runtime.tasks import Feedback

#: ids of the index's heading and of its credits on each page
HEADING, CREDITS = layout_items.HEADING_PREFIX + "index", "index-credits"
#: millimetres on A4 of a line, a column, the gap between columns, the page's margin and the heading
_LINE, _COLUMN, _GAP, _MARGIN, _HEADING_HEIGHT = 4.0, 56.0, 6.0, 14.0, 12.0
#: width of A4 in millimetres
_A4_WIDTH = 210.0
#: characters of a name
_MAX_NAME = 200


class NameSource(NamedTuple):
    """Features of a layer that an index names, the areas of the sheets in its CRS, and its credits."""

    features: FeatureSource
    request: QgsFeatureRequest
    sheets: List[Optional[QgsGeometry]]
    credits: Tuple[str, ...]


def layers_with_names(project: QgsProject) -> List[QgsVectorLayer]:
    """Return the project's vector layers whose features have places, by name."""
    layers = [layer for layer in project.mapLayers().values() if isinstance(layer, QgsVectorLayer) and layer.isValid()
              and layer.isSpatial() and not is_outline(layer)]
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
        name, geometry = truncate(name, _MAX_NAME), feature.geometry()
        sheets = [index for index, area in enumerate(source.sheets)
                  if area is not None and area.intersects(geometry)]
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


def add_index_pages(layout: QgsPrintLayout, index: NameIndex) -> List[QgsLayoutItemLabel]:
    """Add pages with the names, and with the credits of their source, to the layout. Return each entry's label.

    ``set_links`` makes the labels lead to their sheets, once the pages of the file are known.
    """
    title = layout_items.find_item(layout, layout_items.TITLE, QgsLayoutItemLabel)
    credits = layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel)
    collection = layout.pageCollection()
    paper = collection.page(0).rect()
    size = max(1.0, min(paper.width(), paper.height()) / _A4_WIDTH)
    font = QFont(compat.label_font(credits)) if credits is not None else QFont()
    font.setPointSizeF(text_fitting.role_points(layout, TextRole.INDEX, size))
    heading_font = QFont(compat.label_font(title)) if title is not None else QFont(font)
    heading_font.setPointSizeF(text_fitting.role_points(layout, TextRole.INDEX_HEADING, size))
    area = paper.adjusted(_MARGIN * size, (_MARGIN + _HEADING_HEIGHT) * size, -_MARGIN * size, -_MARGIN * size)
    credit_text = map_phrase(layout_language(layout), "names_from", credits="; ".join(index.credits))
    credit_height = 0.0
    if index.credits:
        credit_height = text_fitting.text_height(credit_text, font, area.width()) + _LINE * size
        area.setBottom(area.bottom() - credit_height)
    columns = max(1, int((area.width() + _GAP * size) // ((_COLUMN + _GAP) * size)))
    width = (area.width() - (columns - 1) * _GAP * size) / columns
    lines = max(1, int(area.height() // (_LINE * size)))
    labels: List[QgsLayoutItemLabel] = []
    page = 0
    entries = index.entries
    for number, entry in enumerate(entries):
        place = number % (columns * lines)
        if place == 0:
            page = collection.pageNumber(collection.extendByNewPage())
            _add_label(layout, HEADING, map_phrase(layout_language(layout), "name_index"), heading_font,
                       QRectF(area.left(), _MARGIN * size, area.width(), _HEADING_HEIGHT * size), page)
            if index.credits:
                _add_label(layout, CREDITS, credit_text, font,
                           QRectF(area.left(), area.bottom() + _LINE * size / 2, area.width(), credit_height), page)
        # few names stand in columns of the same length, not in one long one
        rows = min(lines, -(-(len(entries) - (number - place)) // columns))
        column, row = divmod(place, rows)
        bounds = QRectF(area.left() + column * (width + _GAP * size), area.top() + row * _LINE * size, width,
                        _LINE * size)
        labels.append(_add_label(layout, f"{layout_items.INDEX_PREFIX}{number + 1}", _entry_text(entry, font, width),
                                 font, bounds, page))
    return labels


def set_links(labels: Sequence[QgsLayoutItemLabel], index: NameIndex, pages: Sequence[int]) -> None:
    """Make each label lead to the first sheet of its entry. ``pages`` are those of the sheets in the file, from 0."""
    for label, entry in zip(labels, index.entries):
        label.setCustomProperty(LINKED_PAGE, pages[entry.sheets[0]])


def _entry_text(entry: IndexEntry, font: QFont, width: float) -> str:
    """Return the name and the numbers of its sheets, the name cut to the width in millimetres."""
    numbers = ", ".join(str(index + 1) for index in entry.sheets)
    length = len(entry.name)
    while True:
        text = f"{truncate(entry.name, length)}\u2002{truncate(numbers, 40)}"
        if length <= 4 or text_fitting.text_width(text, font) <= width - 1.0:
            return text
        length -= 2


def _add_label(layout: QgsPrintLayout, item_id: str, text: str, font: QFont, bounds: QRectF,
               page: int) -> QgsLayoutItemLabel:
    label = QgsLayoutItemLabel(layout)
    label.setId(item_id)
    label.setText(inert(text))
    compat.set_label_font(label, font)
    for set_margin in (label.setMarginX, label.setMarginY):
        set_margin(0)
    label.setVAlign(Qt.AlignmentFlag.AlignTop)
    layout.addLayoutItem(label)
    label.attemptResize(QgsLayoutSize(bounds.width(), bounds.height()))
    label.attemptMove(QgsLayoutPoint(bounds.x(), bounds.y()), True, False, page)
    return label

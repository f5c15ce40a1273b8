"""Fit a layout's legend into its item, and continue it on extra pages where it is too long for its place.

A legend that fits is set in columns, somewhat smaller if need be. Of one that does not, as much as is legible stays in
its place. The rest goes on in legends of the same size of type on extra pages, in columns that are as wide as the
entries ask for. Only the bundled templates get extra pages.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from itertools import product
from typing import Dict, Generator, List, NamedTuple, Optional, Sequence, Tuple

from qgis.core import (
    QgsFillSymbol,
    QgsGeometry,
    QgsLayerTreeGroup,
    QgsLayerTreeLayer,
    QgsLayerTreeModelLegendNode,
    QgsLayerTreeNode,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutSize,
    QgsLayoutUtils,
    QgsLegendPatchShape,
    QgsLegendRenderer,
    QgsLegendStyle,
    QgsMapLayerLegendUtils,
    QgsRasterSymbolLegendNode,
    QgsReadWriteContext,
    QgsRectangle,
    QgsSymbolLegendNode,
)
from qgis.PyQt.QtCore import QRectF, QSizeF, Qt
from qgis.PyQt.QtGui import QFont
from qgis.PyQt.QtXml import QDomDocument

from ...core.i18n import tr
from ...core.page_design.type_scale import MIN_FIGURE, TextRole
from ...core.text import inert
from ..credits.map_phrases import map_phrase
from ..layouts import layout_items, text_fitting
from ..layouts.text_fitting import font_metrics, text_width, wrap_text
from ..legends import legend_columns
from ..legends.graphic_cutting import row_cuts
from ..legends.legend_columns import CONTINUED_PROPERTY, TITLE_PROPERTY, LegendPart
from ..legends.legend_nodes import (
    INDENT_PROPERTY,
    SYMBOL_WIDTH,
    Swatch,
    SwatchNode,
    cut_into_pieces,
    label_height,
    label_image_size,
    pair_classes,
    part_classes,
    scale_pieces,
    scaled_size,
)
from ..runtime import compat
from . import overflow_page

#: factors by which fonts and symbols shrink until the legend fits (the last ones are hardly legible)
_SIZE_FACTORS = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4)
#: smallest factor of a template whose type does not follow the plugin's scale at which the legend counts as legible
_MIN_READABLE_FACTOR = 0.75
#: factors of a leaflet's legend that leaves much of its panel free, and of a guide map's, whose letters that are
#: pictures of the service stay sharp
_LARGER_FACTORS, _GUIDE_FACTORS = (1.3, 1.2, 1.1), (1.4, 1.3, 1.2, 1.1)
#: entries that are wrapped at most in a guide map's legend of larger letters
_MOST_WRAPPED = 2
#: size of the heading of such a legend as a share of that of the titles in it
_HEADING_SHARE = 1.1
_MIN_COLUMN_WIDTH = 29.0
#: cost of shrinking to nothing, counted in wrapped entries
_SHRINK_COST = 28.0
_STYLES = (QgsLegendStyle.Style.Group, QgsLegendStyle.Style.Subgroup, QgsLegendStyle.Style.SymbolLabel)
#: True for the group of a series of small maps, whose columns stand below one heading
SERIES_PROPERTY = "cartoguide/series"
LABEL_PROPERTY, LANGUAGE_PROPERTY = "legend/title-label", "cartoguide/language"
#: a layer's label as QGIS last drew or measured it, which it goes on to use when the label has changed
_CACHED_LABEL_PROPERTY = "cached_name"
#: millimetres at which the entries below a layer's heading stand further right than the entries of other layers, for
#: symbols of full size. It shows which entries belong to the heading.
_INDENT = 2.2
#: how much wider than an equal share a column may be for its entries, as others are narrower, tried in turn
_STRETCHES = (1.4, 1.25, 1.12, 1.0)
_TOO_WIDE = math.inf
#: lines that columns over which a legend is spread have at least on average, and the steps in which their height grows
_SPREAD_LINES, _SPREAD_STEPS = 4, 20
#: part of a legend's height that is full enough
_MOSTLY_FULL = 0.7
#: degrees of division of a legend
_GROUP_DIVIDED, _LAYER_DIVIDED = 1, 2
#: part of the item's height that is filled, because heights are estimated, and attempts to fit a corrected estimate
_FILL, _ATTEMPTS = 0.995, 3
#: the same where the rest goes on elsewhere, so that a wrong estimate leaves no place empty
_FILLING_ATTEMPTS = 12
#: part of its size at which a service's whole graphic counts as legible
_LEGIBLE_GRAPHIC = 0.6
#: part of the legend's height from which a whole graphic is cut into pieces, and millimetres on A4 of a piece
_CUT_FROM, _PIECE_HEIGHT = 0.5, 12.0
#: part of the height of an extra page that a piece may have, beside the headings above it
_PIECE_SHARE = 0.88
#: part of a legend's height in full size that it needs at least in the smallest one, beside that one's factor: fewer
#: entries are wrapped
_SURELY_TOO_LONG = 0.8
#: lines that a legend's place has at least, a title and an entry, else all of the legend is on extra pages
_LEAST_LINES = 2
#: share of the entries that are not wrapped in the columns of a legend that continues on extra pages
_UNWRAPPED = 0.8
#: lines that have no room for which an entry is wrapped
_WRAPPED_COST = 0.4
#: millimetres by which edges differ that are drawn in one line
_SAME_EDGE = 0.5
#: labels of an own layer's entries as QGIS has them, before they are wrapped
LABELS_PROPERTY = "cartoguide/labels"
#: the label of a layer's single entry, which is a blank below a heading: QGIS takes the name where there is none
ENTRY_PROPERTY, BLANK = "cartoguide/entry", " "


class _Spaces(NamedTuple):
    """Spaces above groups and entries and between columns, as shares of the template's."""

    group: float
    entry: float
    column: float


#: the template's, and those of a legend that has nearly room enough
_LOOSE, _CLOSE, _DENSE = _Spaces(1.0, 1.0, 1.0), _Spaces(0.5, 0.5, 0.7), _Spaces(0.3, 0.0, 0.5)


@dataclass(frozen=True)
class _TemplateStyle:
    """The template's style of its legend: fonts by element, symbol size and spaces in millimetres, columns."""

    fonts: Dict[int, QFont]
    symbol: Tuple[float, float]
    column_space: float
    label_space: float
    columns: int

    @property
    def points(self) -> float:
        """Font size of the entries."""
        return float(self.fonts[QgsLegendStyle.Style.SymbolLabel].pointSizeF())


def is_plain_entry(item: QgsLayoutItemLegend, node: QgsLayerTreeNode) -> bool:
    """Return whether a node of the legend is an own layer that is shown by its entry alone, without a heading."""
    return isinstance(node, QgsLayerTreeLayer) and is_single_entry(
        item.model().layerLegendNodes(node)) and not node.customProperty("legend/title-style")


def is_single_entry(nodes: Sequence[QgsLayerTreeModelLegendNode]) -> bool:
    return len(nodes) == 1 and bool(nodes[0].isEmbeddedInParent())


def is_own_layer(tree_layer: QgsLayerTreeLayer) -> bool:
    """Return whether a node of the legend is an own layer's."""
    return tree_layer.customProperty(LABELS_PROPERTY) is not None


def cut_graphics(item: QgsLayoutItemLegend) -> None:
    """Let high whole graphics of the legend be divided between their rows, so that they go on in the next column."""
    least = _CUT_FROM * item.rect().height()
    for tree_layer, swatch in _graphic_pieces(item):
        if min(1.0, item.rect().width() / swatch.width) * swatch.height > least:
            rows = swatch.image.height()
            piece = max(1, round(_PIECE_HEIGHT * text_fitting.space_factor(item.layout()) / swatch.height * rows))
            cut_into_pieces(tree_layer, [cut / rows for cut in row_cuts(swatch.image, piece)])
            item.model().refreshLayerLegend(tree_layer)


def _graphic_pieces(item: QgsLayoutItemLegend) -> List[Tuple[QgsLayerTreeLayer, Swatch]]:
    """Return the whole graphics of the legend, or the pieces of those that are cut, with their layers."""
    return [(tree_layer, node.swatch) for tree_layer in item.model().rootGroup().findLayers()
            for node in item.model().layerLegendNodes(tree_layer, True)
            if isinstance(node, SwatchNode) and node.swatch.is_whole_graphic]


def fitting_steps(item: QgsLayoutItemLegend, only_legible: bool = False,
                  most: int = sys.maxsize) -> Generator[None, None, List[str]]:
    """Set columns, font and symbol size so that the legend stays inside its item, and pause between short steps.

    Notes are returned at the end if it becomes too small. With ``only_legible`` no smaller sizes are tried. It gets
    ``most`` columns at most.

    A slightly smaller legend with one line for each entry and whole groups is preferred to a full-size one in narrow
    columns. Where a group has to be divided, it is continued under its title in the next column.
    """
    _prepare(item)
    style = _template_style(item)
    max_columns = min(most, _most_columns(item, style))
    least, legible = _least_factors(item, style.points)
    if only_legible:
        # most long legends are seen at once not to fit, before all sizes and numbers of columns are tried
        _apply_style(item, style, 1.0, 1)
        yield
        height = sum(part.height for part in _measured_parts(item, style, 1.0))
        if _SURELY_TOO_LONG * least * height > max_columns * item.rect().height():
            return [overflow_text(item)]
    best: Optional[Tuple[float, float, int, float]] = None
    is_leaflet = bool(layout_items.vertical_folds(item.layout(), max(0, item.page())))
    larger = _LARGER_FACTORS if is_leaflet else _GUIDE_FACTORS if _is_guide(item) else ()
    for factor in sorted({*_SIZE_FACTORS, least, *larger}, reverse=True):
        if (best is not None or only_legible) and factor < least:
            break
        is_whole = False
        for columns in range(1, max_columns + 1):
            division: Optional[float] = None
            for stretch in _STRETCHES if columns > 1 else _STRETCHES[-1:]:
                division = yield from _division_cost(item, style, factor, columns, stretch)
                if division != _TOO_WIDE:
                    # narrower columns are higher
                    break
            if division is None or division == _TOO_WIDE:
                continue
            wrapped_labels = _count_wrapped_labels(item)
            cost = _cost(factor, wrapped_labels, division, is_leaflet)
            if best is None or cost < best[0]:
                best = cost, factor, columns, stretch
            is_whole = not wrapped_labels and not division
            # more columns may keep a group whole
            if not division:
                break
        if is_whole:
            break
    if best is None:
        return [overflow_text(item)]
    yield from _division_cost(item, style, *best[1:])
    yield from _spread(item, style, best[1:])
    if best[1] > 1:
        _match_heading(item)
    if best[1] < legible:
        return [tr("The legend is long and was printed at {percent} % of its size. Choose a larger paper or fewer "
                   "layers.", percent=round(best[1] * 100))]
    return []


def _cost(factor: float, wrapped_labels: int, division: float, is_leaflet: bool) -> float:
    """Return the cost of a legend of so many times its size, in which so many entries are wrapped.

    A guide map's legend has larger letters only where next to none is, and nothing is divided.
    """
    if factor > 1 and not is_leaflet and (division or wrapped_labels > _MOST_WRAPPED):
        return _TOO_WIDE
    return (1 - factor) * _SHRINK_COST + wrapped_labels + division


def _is_guide(item: QgsLayoutItemLegend) -> bool:
    """Return whether a legend is in a bundled template with a location map and without a table of facts."""
    layout = item.layout()
    return text_fitting.type_factor(layout) is not None and layout.itemById(layout_items.FACTS) is None and (
        layout.itemById(layout_items.INSET) is not None)


def _match_heading(item: QgsLayoutItemLegend) -> None:
    """Give the heading above a legend of larger letters at least the size of the titles in it."""
    heading = layout_items.find_item(
        item.layout(), layout_items.HEADING_PREFIX + layout_items.LEGEND, QgsLayoutItemLabel)
    points = _HEADING_SHARE * compat.legend_font(item, QgsLegendStyle.Style.Group).pointSizeF()
    if heading is None or compat.label_font(heading).pointSizeF() >= points:
        return
    font = QFont(compat.label_font(heading))
    font.setPointSizeF(points)
    compat.set_label_font(heading, font)
    place = QRectF(heading.pagePos(), heading.rect().size())
    taller = text_fitting.text_height(heading.currentText(), font, place.width()) - place.height()
    layout_items.place_item(heading, place.adjusted(0, -max(0.0, taller), 0, 0))


def _spread(item: QgsLayoutItemLegend, style: _TemplateStyle,
            found: Tuple[float, int, float]) -> Generator[None, None, None]:
    """Spread a legend in a strip over more columns of equal height than ``found`` (factor, columns, stretch).

    No entry is wrapped for that, and nothing is divided but the only group, whose columns stand below one heading.
    """
    if item.rect().width() <= item.rect().height():
        return
    model, wrapped, used = item.model(), _count_wrapped_labels(item), item.columnCount()
    nodes = model.rootGroup().children()
    is_alone = len(nodes) == 1 and not _graphic_pieces(item)
    for columns in range(_most_columns(item, style), used, -1):
        _apply_style(item, style, found[0], columns)
        yield
        parts, limit = _parts_and_limit(item, style, found[0])
        if _count_wrapped_labels(item) > wrapped or len(parts) < columns * _SPREAD_LINES:
            continue
        total = sum(part.height for part in parts)
        heights = (min(limit, total / columns * (1 + step / _SPREAD_STEPS)) for step in range(_SPREAD_STEPS))
        tried = (legend_columns.column_breaks(parts, columns, height) for height in heights)
        breaks = next((found_breaks for found_breaks in tried if found_breaks is not None and (
            is_alone or not legend_columns.break_cost(parts, found_breaks))), ())
        if len(breaks) < used:
            continue
        item.setColumnCount(len(breaks) + 1)
        for node in legend_columns.divide(model, parts, breaks):
            if isinstance(node, QgsLayerTreeGroup):
                node.setName("\n".join([BLANK] * (node.name().count("\n") + 1)))
            else:
                label = str(node.customProperty(LABEL_PROPERTY) or "")
                set_label(node, "\n".join([BLANK] * (label.count("\n") + 1)))
        width, height = required_size(item)
        if width <= item.rect().width() + 0.1 and height <= item.rect().height() + 0.1:
            return
    yield from _division_cost(item, style, *found)


class _Squeezing(NamedTuple):
    """Place of a legend, spaces in it, and True for classes of scales in two columns."""

    room: QRectF
    spaces: _Spaces
    is_paired: bool = False


def squeezing_steps(item: QgsLayoutItemLegend, is_too_long: bool) -> Generator[None, None, Optional[List[str]]]:
    """Fit the legend with less space between its lines, with scales in two columns, or in the location map's place too.

    The mildest of these that leaves groups and layers whole is taken. One that fits and divides some stays as it was
    where none does, and the location map stays unless the legend ``is_too_long`` without its place. Returns notes, None
    if all of this is too little: nothing is changed then.
    """
    layout, page = item.layout(), max(0, item.page())
    inset = layout_items.find_item(layout, layout_items.INSET, QgsLayoutItemMap)
    place = QRectF(item.pagePos(), item.rect().size())
    rooms = [place]
    if is_too_long and inset is not None and inset.page() == item.page():
        below = QRectF(inset.pagePos(), inset.rect().size())
        if below.top() >= place.bottom() and max(abs(below.left() - place.left()),
                                                 abs(below.right() - place.right())) < _SAME_EDGE:
            rooms.append(place.united(below))
    look = _template_style(item)
    may_pair = _pair_classes(item, look)
    _part_classes(item)
    attempts = [_Squeezing(room, spaces, is_paired) for room in rooms
                for spaces, is_paired in ((_LOOSE, False), *product((_CLOSE, _DENSE), (False, True)))
                if (may_pair or not is_paired) and (room, spaces) != (place, _LOOSE)]
    as_it_was = _Squeezing(place, _LOOSE)
    best, division = (None, math.inf) if is_too_long else (as_it_was, _division(item))
    top = QgsLegendStyle.Side.Top
    margins = [(element, item.style(element).margin(top)) for element in (
        QgsLegendStyle.Style.Group, QgsLegendStyle.Style.Symbol, QgsLegendStyle.Style.SymbolLabel)]

    def squeeze(attempt: _Squeezing) -> Generator[None, None, List[str]]:
        layout_items.place_item(item, attempt.room, page)
        for element, margin in margins:
            style = item.style(element)
            style.setMargin(top, margin * (
                attempt.spaces.group if element == QgsLegendStyle.Style.Group else attempt.spaces.entry))
            item.setStyle(element, style)
        _save_look(item, replace(look, column_space=look.column_space * attempt.spaces.column))
        legend_columns.join_parts(item.model())
        _part_classes(item)
        if attempt.is_paired:
            _pair_classes(item, look)
        if attempt == as_it_was and is_too_long:
            return []
        return (yield from fitting_steps(item, only_legible=True))

    tried = as_it_was
    for attempt in attempts:
        if best is not None and (attempt.room != place or attempt.spaces == _DENSE and division <= _GROUP_DIVIDED):
            # a heading that is continued is a lesser evil
            break
        notes = yield from squeeze(attempt)
        tried = attempt
        if not notes and _division(item) < division:
            best, division = attempt, _division(item)
        if not division:
            break
    if best != tried:
        yield from squeeze(best or as_it_was)
    if best is None or best.room == place:
        return None if best is None else []
    for obsolete in (inset, layout.itemById(layout_items.HEADING_PREFIX + "location")):
        if obsolete is not None:
            layout.removeLayoutItem(obsolete)
    return [tr("The location map is left out: the legend takes its place.")]


def filling_out_steps(item: QgsLayoutItemLegend) -> Generator[None, None, None]:
    """Set a legend that leaves much of its height empty in fewer columns, in which fewer entries are wrapped.

    The classes of its scales stand in two columns then, without which it would be too high.
    """
    used, wrapped, look = item.columnCount(), _count_wrapped_labels(item), _template_style(item)
    if used < 2 or not wrapped or required_size(item)[1] > _MOSTLY_FULL * item.rect().height():
        return
    if _pair_classes(item, look, used - 1):
        notes = yield from fitting_steps(item, only_legible=True, most=used - 1)
        if not notes and not _division(item) and _count_wrapped_labels(item) < wrapped:
            return
    legend_columns.join_parts(item.model())
    _part_classes(item)
    yield from fitting_steps(item, only_legible=True)


def _pair_classes(item: QgsLayoutItemLegend, look: _TemplateStyle, columns: int = 0) -> bool:
    """Let the classes of scales stand in two columns where these have room. Return whether any does.

    They are within ``columns`` of the legend, by default as many as it may have.
    """
    columns = columns or _most_columns(item, look)
    _apply_style(item, look, _least_factors(item, look.points)[1], columns)
    # others are narrower than an equal share
    width = item.wmsLegendWidth() * (_STRETCHES[1] if columns > 1 else 1.0) - _INDENT
    paired = [tree_layer for tree_layer in item.model().rootGroup().findLayers()
              if (nodes := item.model().layerLegendNodes(tree_layer, True))
              and all(isinstance(node, SwatchNode) for node in nodes)
              and not legend_columns.shows_some(tree_layer)
              and pair_classes(tree_layer, [node.swatch for node in nodes], item.legendSettings(), width)]
    for tree_layer in paired:
        item.model().refreshLayerLegend(tree_layer)
    return bool(paired)


def _part_classes(item: QgsLayoutItemLegend) -> None:
    for tree_layer in item.model().rootGroup().findLayers():
        if part_classes(tree_layer):
            item.model().refreshLayerLegend(tree_layer)


def is_divided(item: QgsLayoutItemLegend) -> bool:
    """Return whether a group or a layer of the legend goes on in another column."""
    return bool(_division(item))


def _division(item: QgsLayoutItemLegend) -> int:
    """Return 0 for a legend of whole groups, more where one is divided, most where the classes of a layer are."""
    root = item.model().rootGroup()
    if any(layer.customProperty(CONTINUED_PROPERTY) for layer in root.findLayers()):
        return _LAYER_DIVIDED
    return _GROUP_DIVIDED if any(group.customProperty(CONTINUED_PROPERTY) for group in root.findGroups()) else 0


def _most_columns(item: QgsLayoutItemLegend, style: _TemplateStyle) -> int:
    gap = style.column_space
    return max(style.columns, int((item.rect().width() + gap) // (_MIN_COLUMN_WIDTH + gap)))


def _prepare(item: QgsLayoutItemLegend) -> None:
    item.setResizeToContents(False)
    item.setWrapString("\n")
    # the columns begin where the tree says
    item.setSplitLayer(False)


def continuing_steps(item: QgsLayoutItemLegend) -> Generator[None, None, List[str]]:
    """Leave as much of the legend in its place as has room there, continue it on extra pages, and pause in between.

    The rest shares the page of texts that had no room on the sheet, if all of it fits there. Where its place is too
    small even for a few lines, all of it is on extra pages. Returns notes at the end: the page that it continues on,
    and entries that are too large for any page.
    """
    _prepare(item)
    layout, language = item.layout(), str(item.customProperty(LANGUAGE_PROPERTY) or "")
    place, page = item.rect().size(), layout.pageCollection().pageCount() + 1
    legend_columns.join_parts(item.model())
    note = overflow_page.point_to_legend(layout, item, language)
    filled = yield from _filling_sheet(item)
    rest: Optional[Sequence[QgsLayerTreeNode]]
    if filled is not None:
        rest, factor = filled.rest, filled.arrangement.factor
        shared = yield from _share_page_of_texts(item, rest, factor)
        if shared:
            note.setText(overflow_page.continued_legend_note(language, shared))
            page, rest = shared, ()
        notes = [tr("The legend is too long for its place and continues on page {page}.", page=page)]
    else:
        layout.removeLayoutItem(note)
        item.attemptResize(QgsLayoutSize(place.width(), place.height()))
        overflow_page.move_legend(layout, item, language)
        notes = [tr("The legend is too long for the map’s sheet and is on page {page}.", page=page)]
        factor = 1.0
        rest = yield from _filling_page(item, factor)
    while rest:
        item = _further_legend(item, rest, *overflow_page.add_legend_page(layout, language))
        rest = yield from _filling_page(item, factor)
    if rest is None:
        fit_notes = yield from fitting_steps(item, only_legible=True)
        notes += fit_notes
    return notes


def _share_page_of_texts(item: QgsLayoutItemLegend, nodes: Sequence[QgsLayerTreeNode],
                         factor: float) -> Generator[None, None, int]:
    """Put these nodes beside or below the texts of the overflow page. Return its number, from 1, or 0 without room."""
    layout = item.layout()
    for page, area in overflow_page.areas_beside_texts(layout):
        place = area.adjusted(0, overflow_page.legend_heading_height(layout), 0, 0)
        further = _further_legend(item, [node.clone() for node in nodes], page, place)
        rest = yield from _filling_page(further, factor)
        if rest is not None and not rest:
            overflow_page.add_legend_heading(layout, str(item.customProperty(LANGUAGE_PROPERTY) or ""), page, area)
            return page + 1
        layout.removeLayoutItem(further)
    return 0


def _further_legend(item: QgsLayoutItemLegend, nodes: Sequence[QgsLayerTreeNode], page: int,
                    area: QRectF) -> QgsLayoutItemLegend:
    """Return a legend of these nodes in an area (millimetres) of a further page, in the style of ``item``."""
    layout = item.layout()
    document, context = QDomDocument(), QgsReadWriteContext()
    root = document.createElement("items")
    item.writeXml(root, document, context)
    element = root.firstChildElement()
    # QGIS gives it one of its own
    element.removeAttribute("uuid")
    further = QgsLayoutItemLegend(layout)
    further.readXml(element, document, context)
    further.setId(f"{layout_items.FURTHER_LEGEND_PREFIX}{page + 1}")
    layout.addLayoutItem(further)
    further.finalizeRestoreFromXml()
    further.model().rootGroup().clear()
    for node in nodes:
        further.model().rootGroup().addChildNode(node)
    layout_items.place_item(further, area, page)
    return further


def _filling_sheet(item: QgsLayoutItemLegend) -> Generator[None, None, Optional[_FilledPlace]]:
    """Fill the legend's place beside the map with as much of it as has room, and take the rest out of it.

    More and narrower columns than entries ask for, and the smallest legible type, are tried where they hold more.
    None if hardly anything has room: a few lines, or a graphic that would not be legible in the item's width.
    """
    style = _template_style(item)
    whole = [node.clone() for node in item.model().rootGroup().children()]
    columns, most = _comfortable_columns(item, style), _most_columns(item, style)
    _, legible = _least_factors(item, style.points)
    best: Optional[_FilledPlace] = None
    # small type and many columns first: most others are seen at once to hold less
    for factor in sorted({1.0, min(1.0, legible)}):
        for count in range(most, columns - 1, -1):
            for stretch in (_STRETCHES if count > 1 else _STRETCHES[-1:]):
                filled = yield from _filled_place(item, style, whole, _Arrangement(count, factor, stretch), True,
                                                  best.worth if best is not None else -math.inf)
                if filled is not None and filled.worth > -math.inf:
                    best = filled
                if filled is None or filled.worth > -math.inf:
                    # narrower columns would hold less
                    break
    if best is None:
        _restore_nodes(item, whole)
        return None
    return (yield from _filled_place(item, style, whole, best.arrangement, True))


def _filling_page(item: QgsLayoutItemLegend,
                  factor: float) -> Generator[None, None, Optional[Sequence[QgsLayerTreeNode]]]:
    """Fill a legend on a further page with as much of it as has room, and take the rest out of it.

    What has room all at once is spread over the width. The nodes of the rest are returned at the end, None if not even
    one line has room.
    """
    style = _template_style(item)
    _reduce_graphics(item)
    whole = [node.clone() for node in item.model().rootGroup().children()]
    columns = _comfortable_columns(item, style)
    filled = yield from _filled_place(item, style, whole, _Arrangement(columns, factor), False)
    if filled is not None and not filled.rest and filled.arrangement.columns < columns:
        # with fewer columns each is wider
        wider = yield from _filled_place(item, style, whole, filled.arrangement, False)
        if wider is None or wider.rest:
            filled = yield from _filled_place(item, style, whole, _Arrangement(columns, factor), False)
    return None if filled is None else filled.rest


class _Arrangement(NamedTuple):
    """Columns of a legend, the factor of its type and symbols, and how much wider than a share a column may be."""

    columns: int
    factor: float
    stretch: float = 1.0


class _FilledPlace(NamedTuple):
    """Nodes that had no room in a legend, how it is arranged, and its lines less what was divided and wrapped.

    The worth of a legend that is too wide is less than any other.
    """

    rest: Sequence[QgsLayerTreeNode]
    arrangement: _Arrangement
    worth: float


def _filled_place(item: QgsLayoutItemLegend, style: _TemplateStyle, whole: Sequence[QgsLayerTreeNode],
                  arrangement: _Arrangement, is_sheet: bool,
                  least: float = -math.inf) -> Generator[None, None, Optional[_FilledPlace]]:
    """Fill the item with as much of the nodes ``whole`` as has room in this way.

    None if hardly anything has, or if it is not worth more than ``least``.
    """
    model, (columns, factor, stretch) = item.model(), arrangement
    _restore_nodes(item, whole)
    _apply_style(item, style, factor, columns, stretch)
    yield
    parts, limit = _parts_and_limit(item, style, factor)
    if is_sheet and _graphic_pieces(item):
        parts = _measured_parts(item, style, factor, _LEGIBLE_GRAPHIC)
    shrunk = (1 - factor) * _SHRINK_COST
    for _attempt in range(_FILLING_ATTEMPTS):
        yield
        breaks, count = legend_columns.filled_columns(parts, columns, limit, is_spread=not is_sheet)
        if count < (min(_LEAST_LINES, len(parts)) if is_sheet else 1) or count - shrunk <= least:
            return None
        rest: Sequence[QgsLayerTreeNode] = ()
        if count < len(parts):
            rest = _split_off(item, parts, count)
        item.setColumnCount(len(breaks) + 1)
        for node in legend_columns.divide(model, parts, breaks):
            _set_continued_title(item, node)
        width, height = required_size(item)
        if width > item.rect().width() + 0.1:
            return _FilledPlace(rest, arrangement, -math.inf) if is_sheet else None
        if height <= item.rect().height() + 0.1:
            ends = (*breaks, count) if count < len(parts) else breaks
            division = legend_columns.break_cost(parts[:count + 1], ends)
            worth = count - division - _WRAPPED_COST * _count_wrapped_labels(item) - shrunk
            used = arrangement if is_sheet else arrangement._replace(columns=len(breaks) + 1)
            return _FilledPlace(rest, used, worth) if worth > least else None
        limit *= min(0.98, item.rect().height() / height)
        _restore_nodes(item, whole)
        _apply_style(item, style, factor, columns, stretch)
    return None


def _restore_nodes(item: QgsLayoutItemLegend, whole: Sequence[QgsLayerTreeNode]) -> None:
    root = item.model().rootGroup()
    root.clear()
    for node in whole:
        root.addChildNode(node.clone())


def _split_off(item: QgsLayoutItemLegend, parts: Sequence[LegendPart], count: int) -> Sequence[QgsLayerTreeNode]:
    """Take all but the first ``count`` parts out of the legend, and return their nodes for another one."""
    split = legend_columns.split_off(item.model(), parts, count)
    for node in split.continued:
        node.setCustomProperty(TITLE_PROPERTY, _continued_title(item, node))
    if split.divided is not None and is_own_layer(split.divided[0]):
        former, rest = split.divided
        labels = list(former.customProperty(LABELS_PROPERTY))
        first = len(QgsMapLayerLegendUtils.legendNodeOrder(former))
        former.setCustomProperty(LABELS_PROPERTY, labels[:first])
        rest.setCustomProperty(LABELS_PROPERTY, labels[first:])
    return split.rest


def _comfortable_columns(item: QgsLayoutItemLegend, style: _TemplateStyle) -> int:
    """Return the number of columns in which most entries are on one line, and pictures are not too small."""
    font = style.fonts[QgsLegendStyle.Style.SymbolLabel]
    before = style.symbol[0] + style.label_space + 0.5 + _INDENT
    widths, pictures = [_MIN_COLUMN_WIDTH], [0.0]
    for tree_layer in item.model().rootGroup().findLayers():
        for label in tree_layer.customProperty(LABELS_PROPERTY) or ():
            widths.append(before + text_width(label, font))
        for node in item.model().layerLegendNodes(tree_layer, True):
            swatch = node.swatch if isinstance(node, SwatchNode) else None
            if swatch is not None and swatch.is_whole_graphic:
                pictures.append(swatch.width * _LEGIBLE_GRAPHIC)
            elif swatch is not None:
                pictures.append(before + label_image_size(swatch, style.points)[0])
                widths.append(before + text_width(tree_layer.customProperty(ENTRY_PROPERTY) or swatch.label, font))
    width = max(sorted(widths)[int(_UNWRAPPED * (len(widths) - 1))], _MIN_COLUMN_WIDTH, *pictures)
    return max(1, int((item.rect().width() + style.column_space) / (width + style.column_space)))


def _reduce_graphics(item: QgsLayoutItemLegend) -> None:
    """Make graphics smaller that have a piece higher than the page, as far as they stay legible."""
    available = _PIECE_SHARE * item.rect().height()
    heights: Dict[QgsLayerTreeLayer, float] = {}
    for tree_layer, swatch in _graphic_pieces(item):
        height = scaled_size(swatch, SYMBOL_WIDTH, item.rect().width())[1]
        heights[tree_layer] = max(height, heights.get(tree_layer, 0.0))
    for tree_layer, height in heights.items():
        if height > available:
            scale_pieces(tree_layer, max(_LEGIBLE_GRAPHIC, available / height))
            item.model().refreshLayerLegend(tree_layer)


def _least_factors(item: QgsLayoutItemLegend, points: float) -> Tuple[float, float]:
    """Return the smallest factor that is tried only to avoid wrapped entries, and the smallest legible one.

    ``points`` is the size of the template's entries.
    """
    if text_fitting.type_factor(item.layout()) is None:
        return min(1.0, max(_MIN_READABLE_FACTOR, MIN_FIGURE / points)), _MIN_READABLE_FACTOR
    least = text_fitting.least_points(item.layout(), TextRole.LEGEND, points) / points
    return least, least


def _division_cost(item: QgsLayoutItemLegend, look: _TemplateStyle, factor: float, columns: int,
                   stretch: float) -> Generator[None, None, Optional[float]]:
    """Lay the legend out this way and return the cost of its divided groups, ``_TOO_WIDE``, or None if too high."""
    _apply_style(item, look, factor, columns, stretch)
    yield
    model, available = item.model(), item.rect().height()
    parts, limit = _parts_and_limit(item, look, factor)
    item.setColumnCount(columns)
    for _attempt in range(_ATTEMPTS):
        yield
        breaks = legend_columns.column_breaks(parts, columns, limit)
        if breaks is None:
            return None
        item.setColumnCount(len(breaks) + 1)
        for node in legend_columns.divide(model, parts, breaks):
            _set_continued_title(item, node)
        width, height = required_size(item)
        if width > item.rect().width() + 0.1:
            return _TOO_WIDE
        if height <= available + 0.1:
            return legend_columns.break_cost(parts, breaks)
        limit *= min(0.98, available / height)
        legend_columns.join_parts(model)
    return None


def _parts_and_limit(item: QgsLayoutItemLegend, look: _TemplateStyle, factor: float) -> Tuple[List[LegendPart], float]:
    """Return the lines of the legend and the height that they may have in a column, both as estimated.

    Heights of text differ between versions of QGIS. The limit is corrected by the whole legend in one column.
    """
    parts = _measured_parts(item, look, factor)
    item.setColumnCount(1)
    estimate = sum(part.height for part in parts) - sum(part.above for part in parts[:1])
    correction = estimate / max(required_size(item)[1], 0.1) if parts else 1.0
    return parts, item.rect().height() * _FILL * correction


def _measured_parts(item: QgsLayoutItemLegend, look: _TemplateStyle, factor: float,
                    least_graphic: float = 0.0) -> List[LegendPart]:
    """Return the lines of the legend, as it is wrapped now, with their estimated heights.

    No height is enough for a graphic that the column reduces to less than ``least_graphic`` of its size.
    """
    styles, top, bottom = QgsLegendStyle.Style, QgsLegendStyle.Side.Top, QgsLegendStyle.Side.Bottom
    space = factor * look.symbol[0] / SYMBOL_WIDTH
    points = compat.legend_font(item, styles.SymbolLabel).pointSizeF()
    ascents = {style: font_metrics(compat.legend_font(item, style)).ascent() / 100.0 for style in _STYLES}

    def text_height(text: str, style: QgsLegendStyle.Style) -> float:
        lines = text.count("\n") + 1
        return float(lines * ascents[style] + (lines - 1) * compat.legend_line_gap(item, style))

    def heading_height(text: str, style: QgsLegendStyle.Style) -> float:
        return float(text_height(text, style) + item.style(style).margin(top) + item.style(style).margin(bottom))

    def entries_of(layer: QgsLayerTreeLayer) -> List[float]:
        heights = []
        is_plain = is_plain_entry(item, layer)
        # the symbol of a layer with one stands below the layer's name where that is a heading
        for node in item.model().layerLegendNodes(layer):
            label = str((layer.customProperty(LABEL_PROPERTY) if is_plain else node.data(
                Qt.ItemDataRole.DisplayRole)) or "")
            height = max(text_height(label, styles.SymbolLabel), label_height(label, points))
            swatch: Optional[Swatch] = getattr(node, "swatch", None)
            if swatch is not None:
                height = max(height, scaled_size(swatch, look.symbol[0] * factor, item.wmsLegendWidth())[1])
                if swatch.is_whole_graphic and item.wmsLegendWidth() < least_graphic * swatch.width:
                    height = math.inf
            is_continued = swatch is not None and swatch.is_continued
            margin = item.style(QgsLegendStyle.Style.Symbol).margin(top)
            heights.append(height if is_continued else max(height, 3.3 * space) + margin)
        return heights

    def continued_height(node: QgsLayerTreeNode, style: QgsLegendStyle.Style, is_first: bool = True) -> float:
        """Return the height of a repeated heading, which has no space above it where it is the first of its column."""
        text = node.name() if node.customProperty(SERIES_PROPERTY) else wrap_text(
            _continued_title(item, node), compat.legend_font(item, style), item.wmsLegendWidth() - 0.5)
        return heading_height(text, style) - (item.style(style).margin(top) if is_first else 0.0)

    parts: List[LegendPart] = []
    follows_series = False
    for number, node in enumerate(item.model().rootGroup().children()):
        if isinstance(node, QgsLayerTreeGroup):
            parts.append(LegendPart(heading_height(node.name(), styles.Group), 0, group=number,
                                    above=item.style(styles.Group).margin(top)))
            continued = continued_height(node, styles.Group)
            for position, layer in enumerate(node.findLayers()):
                title = str(layer.customProperty(LABEL_PROPERTY) or "")
                has_heading = legend_columns.has_heading(layer) and not is_plain_entry(item, layer)
                own_heading = heading_height(title, styles.Subgroup) if has_heading else 0.0
                own_continued = continued_height(layer, styles.Subgroup, False) if has_heading else 0.0
                parts += legend_columns.layer_parts(number, position, own_heading, entries_of(layer), continued,
                                                    own_continued)
        elif isinstance(node, QgsLayerTreeLayer):
            title = str(node.customProperty(LABEL_PROPERTY) or "")
            has_heading = legend_columns.has_heading(node) and not is_plain_entry(item, node)
            own_heading = heading_height(title, styles.Group) if has_heading else 0.0
            own_continued = continued_height(node, styles.Group) if has_heading else 0.0
            added = legend_columns.layer_parts(number, None, own_heading, entries_of(node), 0.0, own_continued, (
                item.style(styles.Group).margin(top), item.style(QgsLegendStyle.Style.Symbol).margin(top)))
            if follows_series and added:
                # it would look like one of the classes above it, which have no heading on small maps
                added[0] = replace(added[0], is_apart=True)
            follows_series = not is_own_layer(node) and not has_heading
            parts += added
    return parts


def _set_continued_title(item: QgsLayoutItemLegend, node: QgsLayerTreeNode) -> None:
    """Set the title of a node that continues a group or layer: the title and a word that says so.

    The classes of a series go on beside the others below one heading, in line with them.
    """
    title = _continued_title(item, node)
    width = item.wmsLegendWidth() - 0.5
    if node.customProperty(SERIES_PROPERTY):
        node.setName("\n".join([BLANK] * (node.name().count("\n") + 1)))
    elif isinstance(node, QgsLayerTreeGroup):
        node.setName(wrap_text(title, compat.legend_font(item, QgsLegendStyle.Style.Group), width))
    else:
        style = QgsLegendRenderer.nodeLegendStyle(node, item.model())
        font_style = style if style in _STYLES else QgsLegendStyle.Style.Subgroup
        set_label(node, wrap_text(title, compat.legend_font(item, font_style), width))


def _continued_title(item: QgsLayoutItemLegend, node: QgsLayerTreeNode) -> str:
    """Return the title of a node that continues a group or layer, which may be one itself."""
    title = str(node.customProperty(TITLE_PROPERTY))
    word = map_phrase(str(item.customProperty(LANGUAGE_PROPERTY) or ""), "continued")
    return title if title.endswith(word) else f"{title} {word}"


def set_label(tree_layer: QgsLayerTreeNode, text: str) -> None:
    """Set the text above a layer's entries, for measuring as well as for drawing."""
    tree_layer.setCustomProperty(LABEL_PROPERTY, text)
    tree_layer.removeCustomProperty(_CACHED_LABEL_PROPERTY)


def _count_wrapped_labels(item: QgsLayoutItemLegend) -> int:
    """Return the number of entries with more than one line in the present layout."""
    nodes = [node for layer in item.model().rootGroup().findLayers()
             for node in item.model().layerLegendNodes(layer, True)]
    return sum("\n" in node.userLabel() for node in nodes)


def overflow_text(item: QgsLayoutItemLegend) -> str:
    """Return the sentence about a legend that does not fit, which names a graphic that cannot be divided."""
    for tree_layer, swatch in _graphic_pieces(item):
        if scaled_size(swatch, SYMBOL_WIDTH, item.rect().width())[1] > _PIECE_SHARE * item.rect().height():
            return tr("The legend of “{layer}” is one picture, which is too high for the page and has no blank rows "
                      "between which it could be divided. Choose a larger paper, or hide it in the legend.",
                      layer=tree_layer.customProperty(TITLE_PROPERTY))
    return tr("The legend does not fit on the page. Choose a larger paper or fewer layers.")


def legend_overflows(item: QgsLayoutItemLegend) -> bool:
    """Return whether the legend needs more space than its item has."""
    width, height = required_size(item)
    return bool(width > item.rect().width() + 0.5 or height > item.rect().height() + 0.5)


def required_size(item: QgsLayoutItemLegend) -> Tuple[float, float]:
    """Return width and height in millimetres that the legend takes as it is arranged."""
    # without a resolution QGIS assumes 88 dpi, where QGIS 3.30 and later round small letters to whole pixels
    dpi = float(item.layout().renderContext().dpi())
    context = QgsLayoutUtils.createRenderContextForLayout(item.layout(), None, dpi)
    size = QgsLegendRenderer(item.model(), item.legendSettings()).minimumSize(context)
    return size.width(), size.height()


def _save_look(item: QgsLayoutItemLegend, look: _TemplateStyle) -> None:
    """Save what later fitting starts from in the legend."""
    item.setColumnSpace(look.column_space)
    item.setCustomProperty("cartoguide/look", [str(value) for value in (
        *look.symbol, look.column_space, look.label_space, look.columns,
        *(look.fonts[style].pointSizeF() for style in _STYLES))])


def _template_style(item: QgsLayoutItemLegend) -> _TemplateStyle:
    """Return the template's style, which is saved in the item so that later fitting starts from it."""
    saved = item.customProperty("cartoguide/look")
    if not saved:
        saved = [item.symbolWidth(), item.symbolHeight(), item.columnSpace(),
                 item.style(QgsLegendStyle.Style.SymbolLabel).margin(QgsLegendStyle.Side.Left), item.columnCount(),
                 *(compat.legend_font(item, style).pointSizeF() for style in _STYLES)]
        item.setCustomProperty("cartoguide/look", [str(value) for value in saved])
    values = [float(value) for value in saved]
    fonts = {}
    for style, size in zip(_STYLES, values[5:]):
        font = QFont(compat.legend_font(item, style))
        font.setPointSizeF(size)
        fonts[style] = font
    return _TemplateStyle(fonts, (values[0], values[1]), values[2], values[3], int(values[4]))


def _apply_style(item: QgsLayoutItemLegend, look: _TemplateStyle, factor: float, columns: int,
                 stretch: float = 1.0) -> None:
    """Set sizes and wrap labels to a column of an equal share of the width, or of ``stretch`` times that."""
    legend_columns.join_parts(item.model())
    fonts = {}
    for style, template_font in look.fonts.items():
        font = QFont(template_font)
        font.setPointSizeF(template_font.pointSizeF() * factor)
        compat.set_legend_font(item, style, font)
        fonts[style] = font
    symbol = look.symbol[0] * factor
    item.setSymbolWidth(symbol)
    item.setSymbolHeight(look.symbol[1] * factor)
    item.setColumnCount(columns)
    width = (item.rect().width() - (columns - 1) * look.column_space) / columns
    item.setWmsLegendWidth(width)
    label_width = width * stretch - symbol - look.label_space - 0.5
    indent = _INDENT * symbol / SYMBOL_WIDTH
    for group in item.model().rootGroup().findGroups():
        group.setName(wrap_text(group.customProperty(TITLE_PROPERTY), fonts[QgsLegendStyle.Style.Group], width - 0.5))
    for tree_layer in item.model().rootGroup().findLayers():
        if is_own_layer(tree_layer):
            _wrap_own_labels(item, tree_layer, fonts, width, label_width)
        else:
            _wrap_layer_labels(item, tree_layer, fonts, width, label_width, indent)


def _wrap_layer_labels(item: QgsLayoutItemLegend, tree_layer: QgsLayerTreeLayer, fonts: Dict[int, QFont], width: float,
                       label_width: float, indent: float) -> None:
    if not legend_columns.has_heading(tree_layer):
        indent = 0.0
    tree_layer.setCustomProperty(INDENT_PROPERTY, indent)
    heading = tree_layer.customProperty(TITLE_PROPERTY)
    set_label(tree_layer, wrap_text(heading, fonts[QgsLegendStyle.Style.Subgroup], width - 0.5))
    entry = tree_layer.customProperty(ENTRY_PROPERTY)
    nodes = item.model().layerLegendNodes(tree_layer, True)
    for number, node in zip(legend_columns.entry_numbers(tree_layer, len(nodes)), nodes):
        swatch: Optional[Swatch] = getattr(node, "swatch", None)
        if swatch is not None and not swatch.is_whole_graphic:
            label = BLANK if entry == BLANK else wrap_text(
                entry or inert(swatch.label), fonts[QgsLegendStyle.Style.SymbolLabel], label_width - indent)
            node.setUserLabel(label)
            # for the nodes that QGIS makes anew: of a copy of the layout, or of a project that is opened again
            QgsMapLayerLegendUtils.setLegendNodeUserLabel(tree_layer, number, label)


def _wrap_own_labels(item: QgsLayoutItemLegend, tree_layer: QgsLayerTreeLayer, fonts: Dict[int, QFont], width: float,
                     label_width: float) -> None:
    """Wrap the labels of an own layer. They are saved in its node: QGIS makes its entries anew when a project opens."""
    nodes = item.model().layerLegendNodes(tree_layer)
    heading, entry_font = tree_layer.customProperty(TITLE_PROPERTY), fonts[QgsLegendStyle.Style.SymbolLabel]
    if is_plain_entry(item, tree_layer):
        label, former = wrap_text(heading, entry_font, label_width), tree_layer.customProperty(LABEL_PROPERTY)
        set_label(tree_layer, label)
        _set_row_height(item, tree_layer, 0, nodes[0], label)
        if label != former:
            # an entry goes on to be measured with the label that it was made with
            item.model().refreshLayerLegend(tree_layer)
        return
    style = QgsLegendRenderer.nodeLegendStyle(tree_layer, item.model())
    set_label(tree_layer, wrap_text(heading, fonts[style], width - 0.5))
    if is_single_entry(nodes):
        QgsMapLayerLegendUtils.setLegendNodeUserLabel(tree_layer, 0, BLANK)
        nodes[0].setUserLabel(BLANK)
        return
    numbers = legend_columns.entry_numbers(tree_layer, len(nodes))
    for number, node, label in zip(numbers, nodes, tree_layer.customProperty(LABELS_PROPERTY) or ()):
        if label:
            wrapped = wrap_text(label, entry_font, label_width)
            QgsMapLayerLegendUtils.setLegendNodeUserLabel(tree_layer, number, wrapped)
            # QGIS takes milliseconds to tell each label to the whole legend, which is laid out once all are set
            node.blockSignals(node is not nodes[-1])
            node.setUserLabel(wrapped)
            _set_row_height(item, tree_layer, number, node, wrapped)
            node.blockSignals(False)


def _set_row_height(item: QgsLayoutItemLegend, tree_layer: QgsLayerTreeLayer, number: int,
                    node: QgsLayerTreeModelLegendNode, label: str) -> None:
    """Make a row of an own layer as high as its label, whose lines QGIS would draw over the next row.

    The row is as high as its symbol, for which no other height can be set. A size that a person chose stays.
    """
    if not isinstance(node, (QgsSymbolLegendNode, QgsRasterSymbolLegendNode)):
        return
    is_plain = is_plain_entry(item, tree_layer)
    former = tree_layer.patchSize() if is_plain else QgsMapLayerLegendUtils.legendNodeSymbolSize(tree_layer, number)
    height = label_height(label, compat.legend_font(item, QgsLegendStyle.Style.SymbolLabel).pointSizeF())
    if former.width() > 0 or height <= item.symbolHeight() and former.height() <= 0:
        return
    size = QSizeF(0.0, max(height, item.symbolHeight()))
    symbol, shape = node.symbol() if isinstance(node, QgsSymbolLegendNode) else None, QgsLegendPatchShape()
    if isinstance(symbol, QgsFillSymbol):
        # an area keeps its shape in the middle of a high row
        shape = QgsLegendPatchShape(symbol.type(), QgsGeometry.fromRect(QgsRectangle(
            0, 0, item.symbolWidth(), item.symbolHeight())), True)
    if is_plain:
        tree_layer.setPatchSize(size)
        if not shape.isNull():
            tree_layer.setPatchShape(shape)
        return
    QgsMapLayerLegendUtils.setLegendNodeSymbolSize(tree_layer, number, size)
    node.setUserPatchSize(size)
    if not shape.isNull():
        QgsMapLayerLegendUtils.setLegendNodePatchShape(tree_layer, number, shape)
        node.setPatchShape(shape)

"""The layout's legend: grouped by service, limited to layers drawn at the map's scale, fitted, and as an image."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Dict, Generator, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsExpressionContextUtils,
    QgsImageLegendNode,
    QgsLayerTreeGroup,
    QgsLayerTreeLayer,
    QgsLayerTreeModelLegendNode,
    QgsLayerTreeNode,
    QgsLayoutItemLegend,
    QgsLayoutItemPicture,
    QgsLayoutObject,
    QgsLayoutUtils,
    QgsLegendRenderer,
    QgsLegendStyle,
    QgsMapLayer,
    QgsMapLayerLegendUtils,
    QgsPrintLayout,
    QgsProperty,
    QgsRasterSymbolLegendNode,
    QgsSimpleLegendNode,
    QgsSymbolLegendNode,
    QgsWmsLegendNode,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QFont, QImage, QPainter

from ...core.custommap.legend.tree import LegendGroup, LegendItem, LegendTree, legend_tree
from ...core.custommap.model import OwnLayer, Plan
from ...core.i18n import tr
from ...core.page_design.type_scale import MIN_FIGURE, TextRole
from ...core.text import fold, inert
from ..credits.map_phrases import map_phrase
from ..layouts import layout_items, templates, text_fitting
from ..layouts.dynamic_labels import PLUGIN_INSTALLED
from ..layouts.text_fitting import font_metrics, wrap_text
from ..legends import legend_columns
from ..legends.legend_columns import TITLE_PROPERTY, LegendPart
from ..legends.legend_graphics import FetchedLegends, is_visible_at, legend_key
from ..legends.legend_nodes import (
    INDENT_PROPERTY,
    SYMBOL_WIDTH,
    Swatch,
    has_swatches,
    png_base64,
    scaled_size,
    set_swatches,
)
from ..own_layers.references import find_layer
from ..runtime import compat
from . import overflow_page

LEGEND_IMAGE = "legend:picture"
_VARIABLE = "cartoguide_legend_picture"
_DPI, _MM = 300, 25.4
#: Qt's quality of its PNG: hardly larger than by default, and packed in two thirds of the time
_PNG_QUALITY = 50
_PROPERTIES = QgsLayoutObject.DataDefinedProperty
#: factors by which fonts and symbols shrink until the legend fits (the last ones are hardly legible)
_SIZE_FACTORS = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4)
#: smallest factor of a template whose type does not follow the plugin's scale at which the legend counts as legible
_MIN_READABLE_FACTOR = 0.75
_MIN_COLUMN_WIDTH = 29.0
#: cost of shrinking to nothing, counted in wrapped entries
_SHRINK_COST = 28.0
_STYLES = (QgsLegendStyle.Style.Group, QgsLegendStyle.Style.Subgroup, QgsLegendStyle.Style.SymbolLabel)
_LABEL_PROPERTY, _LANGUAGE_PROPERTY = "legend/title-label", "cartoguide/language"
#: a layer's label as QGIS last drew or measured it, which it goes on to use when the label has changed
_CACHED_LABEL_PROPERTY = "cached_name"
#: millimetres at which the entries below a layer's heading stand further right than the entries of other layers, for
#: symbols of full size. It shows which entries belong to the heading.
_INDENT = 2.2
#: part of the item's height that is filled, because heights are estimated, and attempts to fit a corrected estimate
_FILL, _ATTEMPTS = 0.995, 3
#: labels of an own layer's entries as QGIS has them, before they are wrapped
_LABELS_PROPERTY = "cartoguide/labels"
#: the label of a layer's single entry, which is a blank below a heading: QGIS takes the name where there is none
_ENTRY_PROPERTY, _BLANK = "cartoguide/entry", " "
_LABELLED_NODES = (QgsSymbolLegendNode, QgsRasterSymbolLegendNode, QgsSimpleLegendNode)


def save_legend_image(layout: QgsPrintLayout) -> None:
    """Draw the layout's legend into its image item, adding the item if needed. Does nothing without a legend."""
    legend = layout_items.find_item(layout, layout_items.LEGEND, QgsLayoutItemLegend)
    if legend is None:
        return
    QgsExpressionContextUtils.setLayoutVariable(layout, _VARIABLE, f"base64:{_draw_legend(legend)}")
    image_item = layout_items.find_item(layout, LEGEND_IMAGE, QgsLayoutItemPicture)
    if image_item is None:
        image_item = QgsLayoutItemPicture(layout)
        image_item.setId(LEGEND_IMAGE)
        image_item.setResizeMode(QgsLayoutItemPicture.ResizeMode.Zoom)
        image_item.setPictureAnchor(QgsLayoutItemPicture.ReferencePoint.UpperLeft)
        layout.addLayoutItem(image_item)
        image_item.setLocked(True)
    image_item.setZValue(legend.zValue() - 0.5)
    image_item.attemptResize(legend.sizeWithUnits())
    image_item.attemptMove(legend.positionWithUnits(), True, False, max(0, legend.page()))
    _bind_property(image_item, _PROPERTIES.PictureSource, f"if({PLUGIN_INSTALLED}, '', @{_VARIABLE})")
    _bind_property(legend, _PROPERTIES.Opacity, f"if({PLUGIN_INSTALLED}, 100, 0)")


def _bind_property(item: QgsLayoutObject, which: object, expression: str) -> None:
    item.dataDefinedProperties().setProperty(which, QgsProperty.fromExpression(expression))
    item.refreshDataDefinedProperty(which)


def _draw_legend(legend: QgsLayoutItemLegend) -> str:
    """Return the legend as a PNG of its size at print resolution, in base64.

    SVG would gain nothing: QGIS rasterises it, and Qt supports only two font weights there.
    """
    width, height = (round(size / _MM * _DPI) for size in (legend.rect().width(), legend.rect().height()))
    image = QImage(max(1, width), max(1, height), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    try:
        context = QgsLayoutUtils.createRenderContextForLayout(legend.layout(), painter, _DPI)
        # the legend draws in millimetres
        painter.scale(_DPI / _MM, _DPI / _MM)
        renderer = QgsLegendRenderer(legend.model(), legend.legendSettings())
        renderer.setLegendSize(legend.rect().size())
        renderer.drawLegend(context)
    finally:
        painter.end()
    return png_base64(image, _PNG_QUALITY)


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


def filling_steps(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]], legends: FetchedLegends,
                  scale: float) -> Generator[None, None, List[str]]:
    """Fill the layout's legend item, fit it into its size, and pause between short steps.

    Notes on missing entries and small print are returned at the end.

    A legend that would be too small to read on the sheet of a bundled template is moved to an extra page.

    ``layers`` are the QGIS layers of ``plan.layers``, in the same order (None for one that could not be made).
    """
    item = layout_items.find_item(layout, layout_items.LEGEND, QgsLayoutItemLegend)
    if item is None:
        return []
    tree = legend_tree(plan)
    legends = _with_class_titles(tree, legends, plan.language)
    for layer_plan, layer in zip(plan.layers, layers):
        swatches = legends.swatches.get(legend_key(layer_plan))
        if layer is not None and swatches and not has_swatches(layer, swatches):
            set_swatches(layer, swatches)
    compat.stop_legend_updates(item)
    item.setCustomProperty(_LANGUAGE_PROPERTY, plan.language)
    root = item.model().rootGroup()
    root.clear()
    notes = list(legends.notes)
    for group in tree:
        found = ((entry, _drawn_layer(layout, entry, layers, legends, scale)) for entry in group.items)
        members = [(entry, layer) for entry, layer in found if layer is not None and not entry.is_hidden]
        notes.extend(_add_group(item, group, members, legends))
    _set_own_layers_apart(item)
    yield
    fit_notes = yield from fitting_steps(item)
    if fit_notes and templates.may_have_more_pages(plan.page):
        page = overflow_page.move_legend(layout, item, plan.language)
        fit_notes = [tr("The legend is too long for the map’s sheet and is on page {page}.", page=page)]
        fit_notes += yield from fitting_steps(item)
    return notes + fit_notes


def _with_class_titles(tree: LegendTree, legends: FetchedLegends, language: str) -> FetchedLegends:
    """Return the legends with the titles that the cartographer gave to classes."""
    swatches = dict(legends.swatches)
    for entry in (entry for group in tree for entry in group.items):
        if not isinstance(entry.layer, OwnLayer) and entry.edit.classes:
            key = legend_key(entry.layer)
            swatches[key] = tuple(replace(swatch, label=entry.class_title(swatch.label, language)) if swatch.label else
                                  swatch for swatch in swatches.get(key, ()))
    return replace(legends, swatches=swatches)


def _drawn_layer(layout: QgsPrintLayout, entry: LegendItem, layers: Sequence[Optional[QgsMapLayer]],
                 legends: FetchedLegends, scale: float) -> Optional[QgsMapLayer]:
    """Return the QGIS layer of one in the legend's tree if it is drawn at ``scale`` and may have entries, else None."""
    if isinstance(entry.layer, OwnLayer):
        layer = find_layer(layout.project(), entry.layer) if entry.layer.visible else None
        return layer if layer is not None and layer.isValid() and layer.isInScaleRange(scale) else None
    layer = layers[entry.plan_index]
    is_drawn = layer is not None and layer.isValid() and is_visible_at(entry.layer, scale)
    return layer if is_drawn and legends.swatches.get(legend_key(entry.layer)) else None


def _add_group(item: QgsLayoutItemLegend, group: LegendGroup, members: Sequence[Tuple[LegendItem, QgsMapLayer]],
               legends: FetchedLegends) -> List[str]:
    """Add the title of a group, then its layers. Return notes on those without entries.

    A layer with a single entry is shown by that entry alone.
    """
    root = item.model().rootGroup()
    if not members:
        return []
    if not group.title:
        return [note for entry, layer in members for note in _add_own_layer(item, root, layer, entry)]
    # QGIS evaluates the names of groups and layers, and the entries of some layers, as expressions
    title = inert(group.title)
    parent = root.addGroup(title)
    parent.setCustomProperty(TITLE_PROPERTY, title)
    notes = []
    for entry, layer in members:
        if isinstance(entry.layer, OwnLayer):
            notes.extend(_add_own_layer(item, parent, layer, entry))
        else:
            repeats_title = fold(entry.title) == fold(title) or (
                len(members) == 1 and not entry.is_renamed and fold(entry.title) in fold(title))
            _add_service_layer(parent, layer, entry.title, legends.swatches[legend_key(entry.layer)], repeats_title)
    if not parent.children():
        root.removeChildNode(parent)
    return notes


def _add_service_layer(parent: QgsLayerTreeGroup, layer: QgsMapLayer, title: str, swatches: Sequence[Swatch],
                       repeats_title: bool) -> None:
    tree_layer = parent.addLayer(layer)
    heading = inert(title)
    tree_layer.setCustomProperty(TITLE_PROPERTY, heading)
    _set_label(tree_layer, heading)
    has_single_entry = len(swatches) == 1 and not swatches[0].is_whole_graphic
    if has_single_entry:
        tree_layer.setCustomProperty(_ENTRY_PROPERTY, heading)
    styles = QgsLegendStyle.Style
    QgsLegendRenderer.setNodeLegendStyle(tree_layer,
                                         styles.Hidden if has_single_entry or repeats_title else styles.Subgroup)


def _add_own_layer(item: QgsLayoutItemLegend, parent: QgsLayerTreeGroup, layer: QgsMapLayer,
                   entry: LegendItem) -> List[str]:
    """Add an own layer with the entries that QGIS has for it. Return a note if it has none.

    The picture of a service instead of entries may arrive too late for the page.
    """
    tree_layer = parent.addLayer(layer)
    tree_layer.setCustomProperty(TITLE_PROPERTY, inert(entry.title if entry.is_renamed else layer.name()))
    nodes = item.model().layerLegendNodes(tree_layer)
    if not nodes or any(isinstance(node, (QgsWmsLegendNode, QgsImageLegendNode)) for node in nodes):
        parent.removeChildNode(tree_layer)
        return [tr("“{layer}” is not in the legend: QGIS has no entries of its own for it.", layer=layer.name())]
    if not _is_single_entry(nodes):
        is_in_root = parent == item.model().rootGroup()
        QgsLegendRenderer.setNodeLegendStyle(tree_layer, QgsLegendStyle.Style.Group if is_in_root else
                                             QgsLegendStyle.Style.Subgroup)
    tree_layer.setCustomProperty(_LABELS_PROPERTY, [
        str(node.data(Qt.ItemDataRole.DisplayRole) or "") if isinstance(node, _LABELLED_NODES) else "" for node in nodes
    ])
    return []


def _set_own_layers_apart(item: QgsLayoutItemLegend) -> None:
    """Give single entries a heading of their names where they would look like one of what is above them.

    The classes of an own layer do not stand further right than other entries, as those of services do.
    """
    styles = QgsLegendStyle.Style
    has_heading_above = False
    for node in item.model().rootGroup().children():
        if has_heading_above and isinstance(node, QgsLayerTreeLayer):
            QgsLegendRenderer.setNodeLegendStyle(node, styles.Group)
        has_heading_above = has_heading_above or not _is_plain_entry(item, node)
    for group in item.model().rootGroup().findGroups():
        has_classes_above = False
        for node in group.findLayers():
            is_single = _is_plain_entry(item, node) or node.customProperty(_ENTRY_PROPERTY)
            if has_classes_above and is_single:
                QgsLegendRenderer.setNodeLegendStyle(node, styles.Subgroup)
                node.setCustomProperty(_ENTRY_PROPERTY, _BLANK)
            has_classes_above = has_classes_above or (_is_own_layer(node) and not is_single)


def _is_plain_entry(item: QgsLayoutItemLegend, node: QgsLayerTreeNode) -> bool:
    """Return whether a node of the legend is an own layer that is shown by its entry alone, without a heading."""
    return isinstance(node, QgsLayerTreeLayer) and _is_single_entry(
        item.model().layerLegendNodes(node)) and not node.customProperty("legend/title-style")


def _is_single_entry(nodes: Sequence[QgsLayerTreeModelLegendNode]) -> bool:
    return len(nodes) == 1 and bool(nodes[0].isEmbeddedInParent())


def _is_own_layer(tree_layer: QgsLayerTreeLayer) -> bool:
    """Return whether a node of the legend is an own layer's."""
    return tree_layer.customProperty(_LABELS_PROPERTY) is not None


def fitting_steps(item: QgsLayoutItemLegend) -> Generator[None, None, List[str]]:
    """Set columns, font and symbol size so that the legend stays inside its item, and pause between short steps.

    Notes are returned at the end if it becomes too small.

    A slightly smaller legend with one line for each entry and whole groups is preferred to a full-size one in narrow
    columns. Where a group has to be divided, it is continued under its title in the next column.
    """
    item.setResizeToContents(False)
    item.setWrapString("\n")
    # the columns begin where the tree says
    item.setSplitLayer(False)
    style = _template_style(item)
    gap = style.column_space
    max_columns = max(style.columns, int((item.rect().width() + gap) // (_MIN_COLUMN_WIDTH + gap)))
    least, legible = _least_factors(item, style.points)
    best: Optional[Tuple[float, float, int]] = None
    for factor in sorted({*_SIZE_FACTORS, least}, reverse=True):
        if best is not None and factor < least:
            break
        division: Optional[int] = None
        for columns in range(1, max_columns + 1):
            division = yield from _division_cost(item, style, factor, columns)
            if division is not None:
                break
        if division is None:
            continue
        wrapped_labels = _count_wrapped_labels(item)
        cost = (1 - factor) * _SHRINK_COST + wrapped_labels + division
        if best is None or cost < best[0]:
            best = cost, factor, columns
        if not wrapped_labels and not division:
            break
    if best is None:
        return [tr("The legend does not fit on the page. Choose a larger paper or fewer layers.")]
    yield from _division_cost(item, style, *best[1:])
    if best[1] < legible:
        return [tr("The legend is long and was printed at {percent} % of its size. Choose a larger paper or fewer "
                   "layers.", percent=round(best[1] * 100))]
    return []


def _least_factors(item: QgsLayoutItemLegend, points: float) -> Tuple[float, float]:
    """Return the smallest factor that is tried only to avoid wrapped entries, and the smallest legible one.

    ``points`` is the size of the template's entries.
    """
    if text_fitting.type_factor(item.layout()) is None:
        return min(1.0, max(_MIN_READABLE_FACTOR, MIN_FIGURE / points)), _MIN_READABLE_FACTOR
    least = text_fitting.least_points(item.layout(), TextRole.LEGEND, points) / points
    return least, least


def _division_cost(item: QgsLayoutItemLegend, look: _TemplateStyle, factor: float,
                   columns: int) -> Generator[None, None, Optional[int]]:
    """Lay the legend out this way and return the cost of its divided groups, or None if it leaves its item."""
    _apply_style(item, look, factor, columns)
    yield
    model = item.model()
    parts = _measured_parts(item, look, factor)
    available = item.rect().height()
    # heights of text differ between versions of QGIS: the estimate is corrected by the whole legend in one column
    item.setColumnCount(1)
    estimate = sum(part.height for part in parts)
    limit = available * _FILL * (estimate / max(_required_size(item)[1], 0.1) if parts else 1.0)
    item.setColumnCount(columns)
    for _attempt in range(_ATTEMPTS):
        yield
        breaks = legend_columns.column_breaks(parts, columns, limit)
        if breaks is None:
            return None
        item.setColumnCount(len(breaks) + 1)
        for node in legend_columns.divide(model, parts, breaks):
            _set_continued_title(item, node)
        width, height = _required_size(item)
        if width > item.rect().width() + 0.1:
            return None
        if height <= available + 0.1:
            return legend_columns.break_cost(parts, breaks)
        limit *= min(0.98, available / height)
        legend_columns.join_parts(model)
    return None


def _measured_parts(item: QgsLayoutItemLegend, look: _TemplateStyle, factor: float) -> List[LegendPart]:
    """Return the lines of the legend, as it is wrapped now, with their estimated heights."""
    styles, top, bottom = QgsLegendStyle.Style, QgsLegendStyle.Side.Top, QgsLegendStyle.Side.Bottom
    space = factor * look.symbol[0] / SYMBOL_WIDTH
    ascents = {style: font_metrics(compat.legend_font(item, style)).ascent() / 100.0 for style in _STYLES}

    def text_height(text: str, style: QgsLegendStyle.Style) -> float:
        lines = text.count("\n") + 1
        return float(lines * ascents[style] + (lines - 1) * compat.legend_line_gap(item, style))

    def heading_height(text: str, style: QgsLegendStyle.Style) -> float:
        return float(text_height(text, style) + item.style(style).margin(top) + item.style(style).margin(bottom))

    def entries_of(layer: QgsLayerTreeLayer) -> List[float]:
        heights = []
        for node in item.model().layerLegendNodes(layer, True):
            height = text_height(str(node.data(Qt.ItemDataRole.DisplayRole) or ""), styles.SymbolLabel)
            swatch: Optional[Swatch] = getattr(node, "swatch", None)
            if swatch is not None:
                height = max(height, scaled_size(swatch, look.symbol[0] * factor, item.wmsLegendWidth())[1])
            heights.append(max(height, 3.3 * space) + item.style(styles.Symbol).margin(top))
        return heights

    parts: List[LegendPart] = []
    for number, node in enumerate(item.model().rootGroup().children()):
        if isinstance(node, QgsLayerTreeGroup):
            heading = heading_height(node.name(), styles.Group)
            parts.append(LegendPart(heading, 0, group=number))
            for position, layer in enumerate(node.findLayers()):
                title = str(layer.customProperty(_LABEL_PROPERTY) or "")
                has_heading = legend_columns.has_heading(layer) and not _is_plain_entry(item, layer)
                own_heading = heading_height(title, styles.Subgroup) if has_heading else 0.0
                parts += legend_columns.layer_parts(number, position, own_heading, entries_of(layer), heading)
        elif isinstance(node, QgsLayerTreeLayer):
            title = str(node.customProperty(_LABEL_PROPERTY) or "")
            own_heading = 0.0 if _is_plain_entry(item, node) else heading_height(title, styles.Group)
            parts += legend_columns.layer_parts(number, None, own_heading, entries_of(node), 0.0)
    return parts


def _set_continued_title(item: QgsLayoutItemLegend, node: QgsLayerTreeNode) -> None:
    """Set the title of a node that continues a group or layer: the title and a word that says so."""
    language = str(item.customProperty(_LANGUAGE_PROPERTY) or "")
    title = f"{node.customProperty(TITLE_PROPERTY)} {map_phrase(language, 'continued')}"
    width = item.wmsLegendWidth() - 0.5
    if isinstance(node, QgsLayerTreeGroup):
        node.setName(wrap_text(title, compat.legend_font(item, QgsLegendStyle.Style.Group), width))
    else:
        style = QgsLegendRenderer.nodeLegendStyle(node, item.model())
        font_style = style if style in _STYLES else QgsLegendStyle.Style.Subgroup
        _set_label(node, wrap_text(title, compat.legend_font(item, font_style), width))


def _set_label(tree_layer: QgsLayerTreeNode, text: str) -> None:
    """Set the text above a layer's entries, for measuring as well as for drawing."""
    tree_layer.setCustomProperty(_LABEL_PROPERTY, text)
    tree_layer.removeCustomProperty(_CACHED_LABEL_PROPERTY)


def _count_wrapped_labels(item: QgsLayoutItemLegend) -> int:
    """Return the number of entries with more than one line in the present layout."""
    nodes = [node for layer in item.model().rootGroup().findLayers()
             for node in item.model().layerLegendNodes(layer, True)]
    return sum("\n" in node.userLabel() for node in nodes)


def legend_overflows(item: QgsLayoutItemLegend) -> bool:
    """Return whether the legend needs more space than its item has."""
    width, height = _required_size(item)
    return bool(width > item.rect().width() + 0.5 or height > item.rect().height() + 0.5)


def _required_size(item: QgsLayoutItemLegend) -> Tuple[float, float]:
    # without a resolution QGIS assumes 88 dpi, where QGIS 3.30 and later round small letters to whole pixels
    dpi = float(item.layout().renderContext().dpi())
    context = QgsLayoutUtils.createRenderContextForLayout(item.layout(), None, dpi)
    size = QgsLegendRenderer(item.model(), item.legendSettings()).minimumSize(context)
    return size.width(), size.height()


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


def _apply_style(item: QgsLayoutItemLegend, look: _TemplateStyle, factor: float, columns: int) -> None:
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
    label_width = width - symbol - look.label_space - 0.5
    indent = _INDENT * symbol / SYMBOL_WIDTH
    for group in item.model().rootGroup().findGroups():
        group.setName(
            wrap_text(group.customProperty(TITLE_PROPERTY), fonts[QgsLegendStyle.Style.Group], width - 0.5))
    for tree_layer in item.model().rootGroup().findLayers():
        if _is_own_layer(tree_layer):
            _wrap_own_labels(item, tree_layer, fonts, width, label_width)
        else:
            _wrap_layer_labels(item, tree_layer, fonts, width, label_width, indent)


def _wrap_layer_labels(item: QgsLayoutItemLegend, tree_layer: QgsLayerTreeLayer, fonts: Dict[int, QFont], width: float,
                       label_width: float, indent: float) -> None:
    if not legend_columns.has_heading(tree_layer):
        indent = 0.0
    tree_layer.setCustomProperty(INDENT_PROPERTY, indent)
    heading = tree_layer.customProperty(TITLE_PROPERTY)
    _set_label(tree_layer, wrap_text(heading, fonts[QgsLegendStyle.Style.Subgroup], width - 0.5))
    entry = tree_layer.customProperty(_ENTRY_PROPERTY)
    for number, node in enumerate(item.model().layerLegendNodes(tree_layer, True)):
        swatch: Optional[Swatch] = getattr(node, "swatch", None)
        if swatch is not None and not swatch.is_whole_graphic:
            label = _BLANK if entry == _BLANK else wrap_text(
                entry or inert(swatch.label), fonts[QgsLegendStyle.Style.SymbolLabel], label_width - indent)
            node.setUserLabel(label)
            # for the nodes that QGIS makes anew: of a copy of the layout, or of a project that is opened again
            QgsMapLayerLegendUtils.setLegendNodeUserLabel(tree_layer, number, label)


def _wrap_own_labels(item: QgsLayoutItemLegend, tree_layer: QgsLayerTreeLayer, fonts: Dict[int, QFont], width: float,
                     label_width: float) -> None:
    """Wrap the labels of an own layer. They are saved in its node: QGIS makes its entries anew when a project opens."""
    nodes = item.model().layerLegendNodes(tree_layer)
    heading, entry_font = tree_layer.customProperty(TITLE_PROPERTY), fonts[QgsLegendStyle.Style.SymbolLabel]
    if _is_plain_entry(item, tree_layer):
        _set_label(tree_layer, wrap_text(heading, entry_font, label_width))
        return
    style = QgsLegendRenderer.nodeLegendStyle(tree_layer, item.model())
    _set_label(tree_layer, wrap_text(heading, fonts[style], width - 0.5))
    if _is_single_entry(nodes):
        QgsMapLayerLegendUtils.setLegendNodeUserLabel(tree_layer, 0, _BLANK)
        nodes[0].setUserLabel(_BLANK)
        return
    for number, (node, label) in enumerate(zip(nodes, tree_layer.customProperty(_LABELS_PROPERTY) or ())):
        if label:
            wrapped = wrap_text(label, entry_font, label_width)
            QgsMapLayerLegendUtils.setLegendNodeUserLabel(tree_layer, number, wrapped)
            # QGIS takes milliseconds to tell each label to the whole legend, which is laid out once all are set
            node.blockSignals(number < len(nodes) - 1)
            node.setUserLabel(wrapped)
            node.blockSignals(False)

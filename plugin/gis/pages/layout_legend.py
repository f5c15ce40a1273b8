"""The layout's legend: grouped by subject or service, limited to layers drawn at the map's scale, and as an image."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile
from typing import Callable, Collection, Dict, Generator, List, Mapping, Optional, Sequence, Set, Tuple

from qgis.core import (
    QgsExpressionContextUtils,
    QgsImageLegendNode,
    QgsLayerTreeGroup,
    QgsLayerTreeLayer,
    QgsLayerTreeModelLegendNode,
    QgsLayoutItemLegend,
    QgsLayoutItemPicture,
    QgsLayoutObject,
    QgsLayoutUtils,
    QgsLegendRenderer,
    QgsLegendStyle,
    QgsLineSymbol,
    QgsMapLayer,
    QgsMapLayerLegendUtils,
    QgsMarkerSymbol,
    QgsPrintLayout,
    QgsProperty,
    QgsRasterSymbolLegendNode,
    QgsSimpleLegendNode,
    QgsSymbolLegendNode,
    QgsWmsLegendNode,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QImage, QPainter, qGray

from ...core.cooperative_yield import run_to_end
from ...core.custommap.legend.tree import LegendGroup, LegendItem, LegendTree, printed_tree, series_once
from ...core.custommap.model import OwnLayer, Plan
from ...core.i18n import tr
from ...core.text import fold, inert, single_line
from ..credits.layer_metadata import is_drawn_at
from ..credits.map_credits import layers_of_said_days, title_without_day
from ..credits.map_phrases import map_phrase, moment_text
from ..layers.blend_modes import paled
from ..layouts import layout_items, templates
from ..layouts.dynamic_labels import PLUGIN_INSTALLED
from ..layouts.symbol_size import symbol_factor
from ..legends import legend_columns
from ..legends.legend_columns import TITLE_PROPERTY
from ..legends.legend_graphics import FetchedLegends, is_visible_at, legend_key
from ..legends.legend_nodes import (
    Swatch,
    SwatchNode,
    drawn_classes,
    has_swatches,
    is_blank,
    keep_swatches,
    part_classes,
    png_base64,
    set_swatches,
)
from ..own_layers.references import find_layer
from ..runtime import compat, images
from . import legend_fitting
from .legend_fitting import (
    BLANK,
    ENTRY_PROPERTY,
    LABEL_PROPERTY,
    LABELS_PROPERTY,
    LANGUAGE_PROPERTY,
    SERIES_PROPERTY,
    is_own_layer,
    is_plain_entry,
    is_single_entry,
    set_label,
)
from .page_description import layout_language

LEGEND_IMAGE = "legend:picture"
_VARIABLE = "cartoguide_legend_picture"
_DPI, _MM = 300, 25.4
#: Qt's quality of its PNG: hardly larger than by default, and packed in two thirds of the time
_PNG_QUALITY = 50
_PROPERTIES = QgsLayoutObject.DataDefinedProperty
#: properties of a node with what a person made of its entries
_ENTRY_PROPERTIES = ("legend/label-", "legend/patch-shape-", "legend/symbol-size-", "legend/custom-symbol-",
                     "legend/color-ramp-")
#: a word of a class's title, other than a unit
_WORD = re.compile(r"[^\W\d_]{4,}")
#: titles of series in whose maps white says that it did not rain
_RAIN = re.compile(r"\b(?:precipit|lluvia|rain)")
#: shades of grey, of 255, below which one is dark, and within which several of so many classes are one on paper
_DARK, _SAME_GREY, _MANY_ALIKE = 140, 30, 3
_LABELLED_NODES = (QgsSymbolLegendNode, QgsRasterSymbolLegendNode, QgsSimpleLegendNode)


def save_legend_image(layout: QgsPrintLayout) -> None:
    """Draw each of the layout's legends into its image item, which is added if needed. No-op without a legend."""
    for number, legend in enumerate(layout_items.legends(layout)):
        suffix = f":{number + 1}" if number else ""
        variable = f"{_VARIABLE}_{number + 1}" if number else _VARIABLE
        QgsExpressionContextUtils.setLayoutVariable(layout, variable, f"base64:{_draw_legend(legend)}")
        image_item = layout_items.find_item(layout, LEGEND_IMAGE + suffix, QgsLayoutItemPicture)
        if image_item is None:
            image_item = QgsLayoutItemPicture(layout)
            image_item.setId(LEGEND_IMAGE + suffix)
            image_item.setResizeMode(QgsLayoutItemPicture.ResizeMode.Zoom)
            image_item.setPictureAnchor(QgsLayoutItemPicture.ReferencePoint.UpperLeft)
            layout.addLayoutItem(image_item)
            image_item.setLocked(True)
        image_item.setZValue(legend.zValue() - 0.5)
        image_item.attemptResize(legend.sizeWithUnits())
        image_item.attemptMove(legend.positionWithUnits(), True, False, max(0, legend.page()))
        _bind_property(image_item, _PROPERTIES.PictureSource, f"if({PLUGIN_INSTALLED}, '', @{variable})")
        _bind_property(legend, _PROPERTIES.Opacity, f"if({PLUGIN_INSTALLED}, 100, 0)")


def _bind_property(item: QgsLayoutObject, which: object, expression: str) -> None:
    item.dataDefinedProperties().setProperty(which, QgsProperty.fromExpression(expression))
    item.refreshDataDefinedProperty(which)


def _draw_legend(legend: QgsLayoutItemLegend) -> str:
    """Return the legend as a PNG of its width at print resolution, as far down as it is drawn, in base64.

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
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    # the item has the picture at its upper edge, and packing the blank rows below takes as long as packing the others
    data, blank, drawn = bytes(bits), bytes(image.bytesPerLine()), image.height()
    while drawn > 1 and data.startswith(blank, (drawn - 1) * len(blank)):
        drawn -= 1
    return png_base64(image.copy(0, 0, image.width(), drawn), _PNG_QUALITY)


#: nodes of QGIS's layer tree by the ids of their layers
_ProjectNodes = Mapping[str, QgsLayerTreeLayer]


def filling_steps(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]], legends: FetchedLegends,
                  scale: float) -> Generator[None, None, List[str]]:
    """Fill the layout's legend item, fit it into its size, and pause between short steps.

    Notes on missing entries and small print are returned at the end.

    A legend that would be too small to read on the sheet of a bundled template has less space between its lines, then
    the place of the location map too, and if that is too little, it continues on extra pages. The classes of small maps
    come first, so that they stay on the sheet.

    ``layers`` are the QGIS layers of ``plan.layers``, in the same order (None for one that could not be made).
    """
    item = layout_items.find_item(layout, layout_items.LEGEND, QgsLayoutItemLegend)
    if item is None:
        return []
    tree, is_series = printed_tree(plan), len(layout_items.map_items(layout)) > 1
    if not is_series and not plan.varying_layers:
        tree = _without_day(tree, plan)
    nodes = {node.layerId(): node for node in layout.project().layerTreeRoot().findLayers()}
    legends = _with_class_titles(tree, legends, plan.language, layers, nodes)
    legends = _as_drawn(plan, _with_no_rain(plan, legends))
    for layer_plan, layer in zip(plan.layers, layers):
        swatches = legends.swatches.get(legend_key(layer_plan))
        if layer is not None and swatches and not has_swatches(layer, swatches):
            set_swatches(layer, swatches)
    compat.stop_legend_updates(item)
    item.setCustomProperty(LANGUAGE_PROPERTY, plan.language)
    root = item.model().rootGroup()
    root.clear()
    if is_series:
        tree = tuple(sorted(tree, key=lambda group: not _has_series(group, plan)))
    notes = [*legends.notes, *_grey_notes(tree, legends)]
    for group in tree:
        drawn = {entry.reference: layer for entry in group.items if not entry.is_hidden
                 for layer in [_drawn_layer(layout, entry, layers, legends, scale)] if layer is not None}
        entries = series_once([entry for entry in group.items if entry.reference in drawn],
                              lambda one: legends.swatches[legend_key(one)],
                              lambda moment: moment_text(plan.language, moment))
        members = [(entry, drawn[entry.reference]) for entry in _each_once(entries, legends)]
        classes = {}
        for entry, layer in members:
            if isinstance(entry.layer, OwnLayer):
                classes[layer.id()] = yield from drawn_classes(layer)
        is_titled = plan.is_title_given and sum(bool(other.title) for other in tree) == 1
        is_of_series = is_series and _has_series(group, plan)
        notes.extend(_add_group(item, group, members, legends, nodes, classes, is_of_series, is_titled))
    _set_own_layers_apart(item, plan.language)
    yield
    layout_items.show_heading(layout, layout_items.LEGEND, bool(root.children()))
    legend_fitting.cut_graphics(item)
    may_continue = templates.may_have_more_pages(plan.page)
    fit_notes = yield from legend_fitting.fitting_steps(item, only_legible=may_continue)
    if may_continue and (fit_notes or legend_fitting.is_divided(item)):
        squeezed = yield from legend_fitting.squeezing_steps(item, bool(fit_notes))
        fit_notes = (yield from legend_fitting.continuing_steps(item)) if squeezed is None else squeezed
    elif may_continue:
        yield from legend_fitting.filling_out_steps(item)
    return notes + fit_notes


def _without_day(tree: LegendTree, plan: Plan) -> LegendTree:
    """Return the legend without the days in layers' titles that the page says in its own language below the title."""
    dated = layers_of_said_days(plan)

    def shortened(item: LegendItem) -> LegendItem:
        title = title_without_day(item.title)
        is_dated = item.plan_index in dated and item.title == item.default_title and title
        return replace(item, title=title, default_title=title) if is_dated else item

    return tuple(replace(group, items=tuple(map(shortened, group.items))) for group in tree)


#: returns whether an entry stays, given the key of its class ("" for another entry, its number for one of a service)
EntryFilter = Callable[[str], bool]


def leave_out_of_legend(layout: QgsPrintLayout, layer_ids: Collection[str], empty: Collection[str] = (),
                        shown: Optional[Mapping[str, EntryFilter]] = None) -> None:
    """Remove the entries of layers from the legends of a layout, and fit what is left of each into its place.

    ``empty`` are all layers of which nothing is drawn: of a legend of rain the entry that says so is left. Of the
    layers whose ids are in ``shown`` some entries stay.
    """
    phrases = [map_phrase(layout_language(layout), name) for name in ("no_rain_uncoloured", "no_rain_or_data")]
    for legend in layout_items.legends(layout):
        root, model = legend.model().rootGroup(), legend.model()
        is_dry = {node.layerId() for node in root.findLayers() if node.layerId() in empty
                  # a long one is wrapped
                  and any(single_line(str(entry.data(Qt.ItemDataRole.DisplayRole) or "")) in phrases
                          for entry in model.layerLegendNodes(node)[:1])}
        left_out = set(layer_ids) - is_dry
        stays = {**dict.fromkeys(is_dry, {"0"}.__contains__), **{
            layer_id: entries for layer_id, entries in (shown or {}).items() if layer_id not in left_out | is_dry}}
        shortened = {node.layerId() for node in root.findLayers() if node.layerId() in stays
                     if not all(map(stays[node.layerId()], _keys_of(model.layerLegendNodes(node))))}
        if not shortened and not any(node.layerId() in left_out for node in root.findLayers()):
            continue
        compat.stop_legend_updates(legend)
        legend_columns.join_parts(model)
        for node in [node for node in root.findLayers() if node.layerId() in shortened]:
            # rows of two columns have the numbers of rows
            if part_classes(node):
                model.refreshLayerLegend(node)
            entries = model.layerLegendNodes(node)
            kept = [number for number, entry in zip(legend_columns.entry_numbers(node, len(entries)), entries)
                    if stays[node.layerId()](_key_of(entry))]
            if kept:
                legend_columns.show_entries(model, node, kept)
        for node in [node for node in root.findLayers() if node.layerId() in left_out]:
            parent = node.parent()
            compat.release_group_layers(parent)
            parent.removeChildNode(node)
            if parent is not root and not parent.children():
                parent.parent().removeChildNode(parent)
        if root.children():
            run_to_end(legend_fitting.fitting_steps(legend))
        elif legend.id() == layout_items.LEGEND:
            layout_items.show_heading(layout, layout_items.LEGEND, False)


def _key_of(entry: QgsLayerTreeModelLegendNode) -> str:
    return str(entry.data(compat.rule_key_role()) or "")


def _keys_of(entries: Sequence[QgsLayerTreeModelLegendNode]) -> List[str]:
    """Return the keys of all classes of a layer, of which two are in a row where they stand in two columns."""
    beside = sum(isinstance(entry, SwatchNode) and entry.beside is not None for entry in entries)
    return [*map(_key_of, entries), *(str(len(entries) + number) for number in range(beside))]


def _has_series(group: LegendGroup, plan: Plan) -> bool:
    return any(not isinstance(entry.layer, OwnLayer) and entry.plan_index in plan.varying_layers
               for entry in group.items)


def _each_once(entries: Sequence[LegendItem], legends: FetchedLegends) -> List[LegendItem]:
    """Return the layers of a group without those of a further service that would look and be called the same."""
    shown: List[LegendItem] = []
    for entry in entries:
        if isinstance(entry.layer, OwnLayer) or not any(
                entry.title == other.title and not isinstance(other.layer, OwnLayer)
                and entry.reference.entry_index != other.reference.entry_index
                and legends.swatches[legend_key(entry.layer)] == legends.swatches[legend_key(other.layer)]
                for other in shown):
            shown.append(entry)
    return shown


def _with_no_rain(plan: Plan, legends: FetchedLegends) -> FetchedLegends:
    """Return the legends of rain with an entry for the places where there is none, white as on its maps.

    Pictures do not tell whether a white place was dry or lacks data, be it beyond the region or on a day that was not
    measured. Above another service these places are uncoloured.
    """
    lowest = min((layer.entry_index for layer in plan.layers if layer.visible), default=0)
    swatches = dict(legends.swatches)
    for layer in plan.layers:
        key, is_above = legend_key(layer), layer.entry_index != lowest
        classes, title = swatches.get(key, ()), fold(f"{layer.label} {layer.service_title}")
        if _RAIN.search(title) and _is_scale(classes) and not is_blank(classes[0]):
            image = QImage(70, 33, QImage.Format.Format_ARGB32)
            image.fill(Qt.GlobalColor.transparent if is_above else Qt.GlobalColor.white)
            phrase = "no_rain_uncoloured" if is_above else "no_rain_or_data"
            swatches[key] = (Swatch(image, 7.0, 3.3, map_phrase(plan.language, phrase), is_area=True), *classes)
    return replace(legends, swatches=swatches)


def _as_drawn(plan: Plan, legends: FetchedLegends) -> FetchedLegends:
    """Return the legends with the areas of translucent layers as pale as on the map, and a pale ground in grey."""
    swatches = dict(legends.swatches)
    for layer in plan.layers:
        classes = swatches.get(legend_key(layer), ())
        if layer.is_pale:
            classes = swatches[legend_key(layer)] = tuple(
                replace(swatch, image=paled(swatch.image)) for swatch in classes)
        if layer.opacity < 1.0 and any(swatch.is_area for swatch in classes):
            swatches[legend_key(layer)] = tuple(
                replace(swatch, image=images.faded(swatch.image, layer.opacity)) if swatch.is_area else swatch
                for swatch in classes)
    return replace(legends, swatches=swatches)


def _grey_notes(tree: LegendTree, legends: FetchedLegends) -> List[str]:
    """Return a note on each legend of dark classes that black and white printers print in the same grey."""
    notes: Dict[str, None] = {}
    for entry in (item for group in tree for item in group.items):
        layer = entry.layer
        if isinstance(layer, OwnLayer) or not _is_scale(classes := legends.swatches.get(legend_key(layer), ())):
            continue
        colours = [swatch.image.pixelColor(swatch.image.rect().center()) for swatch in classes]
        greys = [255 - round((255 - qGray(colour.rgb())) * colour.alphaF()) for colour in colours]
        alike = max((sum(0 <= other - grey <= _SAME_GREY for other in greys) for grey in greys if grey < _DARK),
                    default=0)
        if alike >= _MANY_ALIKE:
            notes[tr("Printed in black and white, {count} of the {total} classes of “{layer}” look alike.", count=alike,
                     total=len(classes), layer=layer.service_title or entry.title)] = None
    return list(notes)


def _is_scale(classes: Sequence[Swatch]) -> bool:
    """Return whether the classes are colours of areas. A white one says as much as the others then."""
    return len(classes) > 1 and all(swatch.is_area for swatch in classes)


def _with_class_titles(tree: LegendTree, legends: FetchedLegends, language: str,
                       layers: Sequence[Optional[QgsMapLayer]], nodes: _ProjectNodes) -> FetchedLegends:
    """Return the legends with the titles that a person gave to classes: in the editor, else in QGIS's layer tree."""
    swatches = dict(legends.swatches)
    for entry in (entry for group in tree for entry in group.items):
        if isinstance(entry.layer, OwnLayer):
            continue
        key, layer = legend_key(entry.layer), layers[entry.plan_index]
        node = nodes.get(layer.id()) if layer is not None else None
        if key in swatches and (entry.edit.classes or node is not None):
            swatches[key] = tuple(
                replace(swatch, label=title) if (title := _class_title(entry, swatch, language, node, number)) else
                swatch for number, swatch in enumerate(swatches[key]))
    return replace(legends, swatches=swatches)


def _class_title(entry: LegendItem, swatch: Swatch, language: str, node: Optional[QgsLayerTreeLayer],
                 number: int) -> str:
    title = entry.class_title(swatch.label, language) if swatch.label else ""
    if title != swatch.label or node is None or swatch.is_whole_graphic:
        return title
    return str(QgsMapLayerLegendUtils.legendNodeUserLabel(node, number) or "") or title


def _title_in_tree(entry: LegendItem, node: Optional[QgsLayerTreeLayer]) -> str:
    """Return a layer's title: the one that the editor has for it, else that of QGIS's layer tree."""
    is_own = isinstance(entry.layer, OwnLayer)
    if node is None or (entry.title != entry.default_title):
        return entry.title
    return str(node.customProperty(LABEL_PROPERTY) or (node.name() if is_own else "") or entry.title)


def _entries_in_tree(node: Optional[QgsLayerTreeLayer]) -> Optional[List[int]]:
    """Return the numbers of the entries that a person left in QGIS's layer tree, in their order. None for all."""
    if node is None or not QgsMapLayerLegendUtils.hasLegendNodeOrder(node):
        return None
    return list(QgsMapLayerLegendUtils.legendNodeOrder(node))


def _drawn_layer(layout: QgsPrintLayout, entry: LegendItem, layers: Sequence[Optional[QgsMapLayer]],
                 legends: FetchedLegends, scale: float) -> Optional[QgsMapLayer]:
    """Return the QGIS layer of one in the legend's tree if it is drawn at ``scale`` and may have entries, else None."""
    if isinstance(entry.layer, OwnLayer):
        layer = find_layer(layout.project(), entry.layer) if entry.layer.visible else None
        return layer if layer is not None and layer.isValid() and is_drawn_at(layer, scale) else None
    layer = layers[entry.plan_index]
    is_drawn = layer is not None and layer.isValid() and is_visible_at(entry.layer, scale)
    return layer if is_drawn and legends.swatches.get(legend_key(entry.layer)) else None


def _add_group(item: QgsLayoutItemLegend, group: LegendGroup, members: Sequence[Tuple[LegendItem, QgsMapLayer]],
               legends: FetchedLegends, tree_nodes: _ProjectNodes,
               classes: Mapping[str, Optional[Set[str]]], is_of_series: bool, is_titled: bool) -> List[str]:
    """Add the title of a group, then its layers. Return notes on those without entries.

    A layer with a single entry is shown by that entry alone. The one series of small maps needs no title but the one
    that the page was given. Its classes stand side by side in columns, also below a title.
    """
    without_title = is_of_series and is_titled
    root = item.model().rootGroup()
    if not members:
        return []
    if not group.title:
        return [note for entry, layer in members for note in _add_own_layer(
            item, root, layer, entry, tree_nodes.get(layer.id()), classes.get(layer.id()))]
    first, node = members[0][0], tree_nodes.get(members[0][1].id())
    shown_title = group.title
    if len(members) == 1 and group.heading is None and group.title == group.default_title and not isinstance(
            first.layer, OwnLayer) and len(legends.swatches[legend_key(first.layer)]) > 1:
        # the classes of a single layer stand below its own title, which is the more precise one
        shown_title = _title_in_tree(first, node)
    # QGIS evaluates the names of groups and layers, and the entries of some layers, as expressions
    title = inert(shown_title)
    parent = root
    if not without_title:
        parent = root.addGroup(title)
        parent.setCustomProperty(TITLE_PROPERTY, title)
        parent.setCustomProperty(SERIES_PROPERTY, is_of_series)
    notes = []
    several = sum(len(legends.swatches.get(legend_key(entry.layer), ())) > 1 for entry, _ in members
                  if not isinstance(entry.layer, OwnLayer)) > 1
    if group.is_subject and several:
        # classes that are not named in words stand right below the subject, which says what they are
        members = sorted(members, key=lambda member: _is_named(legends, member[0]))
    for entry, layer in members:
        if isinstance(entry.layer, OwnLayer):
            notes.extend(_add_own_layer(item, parent, layer, entry, tree_nodes.get(layer.id()),
                                        classes.get(layer.id())))
        else:
            node = tree_nodes.get(layer.id())
            heading = _title_in_tree(entry, node)
            repeats_title = fold(heading) == fold(title) or (
                len(members) == 1 and not entry.is_renamed and fold(heading) in fold(title))
            swatches = legends.swatches[legend_key(entry.layer)]
            if group.is_subject and not entry.is_renamed:
                # under its subject a class that is named in words says of itself what it is
                repeats_title = not several or entry is members[0][0] or _is_named(legends, entry)
            repeats_title = repeats_title or without_title
            # without any the layer's legend was hidden because it has a login
            shown = _entries_in_tree(node) or None
            visible = [number for number in (range(len(swatches)) if shown is None else shown)
                       if number >= len(swatches) or _is_scale(swatches) or not is_blank(swatches[number])]
            if not visible:
                notes.append(tr("“{layer}” is not in the legend: its symbol is white or nearly so.", layer=heading))
                continue
            _add_service_layer(item, parent, layer, heading, swatches, repeats_title,
                               visible if len(visible) < len(swatches) else shown,
                               swatches[0].is_one_of_several and not entry.is_renamed)
    if parent is not root and not parent.children():
        root.removeChildNode(parent)
    return notes


def _is_named(legends: FetchedLegends, entry: LegendItem) -> bool:
    """Return whether each class of a layer says of itself in words what it is. Those of own layers do."""
    return isinstance(entry.layer, OwnLayer) or all(
        _WORD.search(swatch.label) for swatch in legends.swatches.get(legend_key(entry.layer), ()))


def _add_service_layer(item: QgsLayoutItemLegend, parent: QgsLayerTreeGroup, layer: QgsMapLayer, title: str,
                       swatches: Sequence[Swatch], repeats_title: bool, shown: Optional[Sequence[int]],
                       names_class: bool) -> None:
    tree_layer = parent.addLayer(layer)
    keep_swatches(tree_layer)
    heading = inert(title)
    tree_layer.setCustomProperty(TITLE_PROPERTY, heading)
    set_label(tree_layer, heading)
    has_single_entry = len(swatches) == 1 and not swatches[0].is_whole_graphic
    if has_single_entry:
        tree_layer.setCustomProperty(ENTRY_PROPERTY, inert(swatches[0].label) if names_class else heading)
    styles = QgsLegendStyle.Style
    QgsLegendRenderer.setNodeLegendStyle(tree_layer,
                                         styles.Hidden if has_single_entry or repeats_title else styles.Subgroup)
    if shown is not None:
        legend_columns.show_entries(item.model(), tree_layer, [number for number in shown if number < len(swatches)])


def _add_own_layer(item: QgsLayoutItemLegend, parent: QgsLayerTreeGroup, layer: QgsMapLayer, entry: LegendItem,
                   tree_node: Optional[QgsLayerTreeLayer], classes: Optional[Set[str]]) -> List[str]:
    """Add an own layer with the entries that QGIS has for it. Return a note if it has none.

    They are those that a person left in the layer tree (``tree_node``), and of a filtered layer the drawn ``classes``.
    The picture of a service instead of entries may arrive too late for the page.
    """
    tree_layer = parent.addLayer(layer)
    tree_layer.setCustomProperty(TITLE_PROPERTY, inert(_title_in_tree(entry, tree_node)))
    shown = _own_entries(item, tree_layer, tree_node, classes)
    if shown is not None:
        legend_columns.show_entries(item.model(), tree_layer, shown)
    _enlarge_symbols(item, tree_layer)
    nodes = item.model().layerLegendNodes(tree_layer)
    if not nodes or any(isinstance(node, (QgsWmsLegendNode, QgsImageLegendNode)) for node in nodes):
        parent.removeChildNode(tree_layer)
        return [tr("“{layer}” is not in the legend: QGIS has no entries of its own for it.", layer=layer.name())]
    if not is_single_entry(nodes):
        is_in_root = parent == item.model().rootGroup()
        QgsLegendRenderer.setNodeLegendStyle(tree_layer, QgsLegendStyle.Style.Group if is_in_root else
                                             QgsLegendStyle.Style.Subgroup)
    tree_layer.setCustomProperty(LABELS_PROPERTY, [
        str(node.data(Qt.ItemDataRole.DisplayRole) or "") if isinstance(node, _LABELLED_NODES) else "" for node in nodes
    ])
    return []


def _enlarge_symbols(item: QgsLayoutItemLegend, tree_layer: QgsLayerTreeLayer) -> None:
    """Let the points and lines of an own layer's entries be as large as on the map, which enlarges them with the paper.

    None becomes larger than the place of a symbol for that.
    """
    factor, nodes = symbol_factor(item.layout()), item.model().layerLegendNodes(tree_layer)
    if factor <= 1:
        return
    for number, node in zip(legend_columns.entry_numbers(tree_layer, len(nodes)), nodes):
        symbol = (node.customSymbol() or node.symbol()) if isinstance(node, QgsSymbolLegendNode) else None
        if isinstance(symbol, (QgsMarkerSymbol, QgsLineSymbol)):
            larger = symbol.clone()
            if isinstance(larger, QgsMarkerSymbol):
                larger.setSize(max(symbol.size(), min(factor * symbol.size(), item.symbolWidth())))
            else:
                larger.setWidth(max(symbol.width(), min(factor * symbol.width(), item.symbolHeight())))
            QgsMapLayerLegendUtils.setLegendNodeCustomSymbol(tree_layer, number, larger)
            node.setCustomSymbol(larger)


def _own_entries(item: QgsLayoutItemLegend, tree_layer: QgsLayerTreeLayer, tree_node: Optional[QgsLayerTreeLayer],
                 classes: Optional[Set[str]]) -> Optional[List[int]]:
    """Take over from QGIS's layer tree how an own layer's entries look, and return those to be shown, None for all."""
    taken_over = {name: tree_node.customProperty(name) for name in tree_node.customProperties()
                  if name.startswith(_ENTRY_PROPERTIES)} if tree_node is not None else {}
    for name, value in taken_over.items():
        tree_layer.setCustomProperty(name, value)
    if taken_over:
        item.model().refreshLayerLegend(tree_layer)
    nodes, shown = item.model().layerLegendNodes(tree_layer), _entries_in_tree(tree_node)
    if classes is None:
        return shown
    # of labels and diagrams there are entries without a key
    drawn = [number for number, node in enumerate(nodes)
             if (key := _key_of(node)) in classes or not key]
    return drawn if shown is None else [number for number in shown if number in drawn]


def _set_own_layers_apart(item: QgsLayoutItemLegend, language: str) -> None:
    """Set single entries apart from what is above them, where they would look like one of that.

    Several in a row are the rows of one group, one alone has a heading of its name. Several at the top are a group too
    where there are other headings. The classes of an own layer do not
    stand further right than other entries, as those of services do. Those of the one series of small maps have no
    heading, and single entries after them need none either.
    """
    styles, root = QgsLegendStyle.Style, item.model().rootGroup()
    runs: List[List[QgsLayerTreeLayer]] = [[]]
    has_heading_above = False
    for node in root.children():
        is_single = is_plain_entry(item, node)
        if has_heading_above and is_single:
            runs[-1].append(node)
        else:
            runs.append([])
            if has_heading_above and isinstance(node, QgsLayerTreeLayer):
                QgsLegendRenderer.setNodeLegendStyle(node, styles.Group)
        has_heading_above = has_heading_above or (not is_single and (
            isinstance(node, QgsLayerTreeGroup) or legend_columns.has_heading(node)))
    top = list(takewhile(lambda node: is_plain_entry(item, node), root.children())) if has_heading_above else []
    if len(top) > 1:
        _put_in_group(root, top, map_phrase(language, "own_features"))
    for run in runs:
        if len(run) == 1:
            QgsLegendRenderer.setNodeLegendStyle(run[0], styles.Group)
        elif run:
            _put_in_group(root, run, map_phrase(language, "other_features"))
    for group in root.findGroups():
        has_classes_above = False
        for node in group.findLayers():
            is_single = is_plain_entry(item, node) or node.customProperty(ENTRY_PROPERTY)
            if has_classes_above and is_single:
                QgsLegendRenderer.setNodeLegendStyle(node, styles.Subgroup)
                node.setCustomProperty(ENTRY_PROPERTY, BLANK)
            has_classes_above = has_classes_above or (is_own_layer(node) and not is_single)


def _put_in_group(root: QgsLayerTreeGroup, nodes: Sequence[QgsLayerTreeLayer], title: str) -> None:
    """Put neighbours in the root of the legend into a group of this title."""
    group = root.insertGroup(root.children().index(nodes[0]), title)
    group.setCustomProperty(TITLE_PROPERTY, title)
    for node in nodes:
        group.addChildNode(node.clone())
        root.removeChildNode(node)

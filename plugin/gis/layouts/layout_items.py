"""The items of a layout template, which are found by their ids.

A template is any .qpt file with items of these ids. An item that it lacks is left out and reported, never added to
somebody's design. Only ``map`` and ``credits`` are required for a map that may be published.

    title, subtitle     labels: the map's title, and the line below it (services and years)
    map                 the map
    grid                a map without layers above it. Its first grid becomes the kilometre grid, its second one the
                        geographic grid. Without it those of ``map`` are used.
    legend              a legend: filled by service and fitted into the item's size
    inset               a second map: the location of this map
    scalebar, scale_text, north_arrow   bound to ``map``
    credits, terms, sources             labels: credit lines, terms of use, sources of the data
    projection          label: reference system and grid
    colophon            label: date and software of the map
    heading:NAME        label: a heading in the map's language, NAME one of legend, location, credits, terms, sources,
                        abstract, facts, directions, opening_hours, emergency_numbers

Further items are optional:

    map:2, map:3 …      small multiples: maps of the same area and scale, one for each moment of a series, of which
                        ``map`` is the first. Superfluous ones are removed from the layout.
    label:1, label:2 …  labels: the heading of each small map
    abstract            label: the abstracts of the services, on a leaflet the text for visitors where there is one
    directions, opening_hours, emergency_numbers    labels: texts of a leaflet, each with its heading. They stand below
                        ``abstract``, and empty ones are removed
    facts               a table (manual): organisation, layers, reference system, fees … of each service
    field_note          label: 100 km squares of the military grid (MGRS), magnetic declination with its date
    table               a shape: the place of the table of features. Without a table it is removed, and in the bundled
                        template the map takes its place
    photos              a shape: the place of a leaflet's photos, each above its credit. It is removed. In the bundled
                        template it may lie over ``abstract``, which begins below the photos
    cover               a map: a detail of ``map`` around its middle, at the same scale
    frame_number        label: the number of an animation's frame, and how many there are
    foot                label: title and scale again, for the second page of a leaflet
    logos               a shape: the place of the logos of the map or of the settings, side by side
    band                a shape: the ground of the title in the bundled templates, which has the logos at its right end

A template that leaves items out on purpose lists them in its layout variable ``cartoguide_without`` (ids separated by
commas). One whose type follows the plugin's scale says in ``cartoguide_type_factor`` how many times as large as on A4
it is (``core/page_design/type_scale``).
"""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import chain, count, takewhile
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar
from zlib import crc32

from qgis import core
from qgis.core import (
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsFeatureRequest,
    QgsFillSymbol,
    QgsLayerTreeLayer,
    QgsLayout,
    QgsLayoutItem,
    QgsLayoutItemAttributeTable,
    QgsLayoutItemHtml,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemManualTable,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsLayoutItemRegistry,
    QgsLayoutItemScaleBar,
    QgsLayoutItemShape,
    QgsLayoutObject,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsMapLayer,
    QgsMasterLayoutInterface,
    QgsPalLayerSettings,
    QgsPrintLayout,
    QgsProject,
    QgsProperty,
    QgsPropertyCollection,
    QgsPropertyDefinition,
    QgsReadWriteContext,
    QgsRectangle,
    QgsStyleEntityVisitorInterface,
    QgsStyleSymbolEntity,
    QgsStyleTextFormatEntity,
    QgsSymbol,
    QgsTextFormat,
    QgsVectorLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QRectF, Qt, QUrl
from qgis.PyQt.QtXml import QDomDocument

from ...core.addresses import is_web_address
from ...core.errors import CartoguideError
from ...core.json_document import stored_list, stored_object
from ...core.trust.drawing import PICTURE_OPTIONS
from ...core.trust.expressions import expressions_in_text
from ...core.trust.files import is_local_path, read_regular
from ..runtime import compat
from ..sources.layer_source import is_group_layer
from ..sources.style_expressions import named_layers, property_expressions, symbol_expressions, symbol_parts

_NOTES = "cartoguide/notes"
#: property of a picture with its text for those who do not see it
ALTERNATIVE_TEXT = "cartoguide/text"
#: property of the pages that the plugin builds with what they need to be complete, and its name in former versions
REQUIREMENTS, FORMER_REQUIREMENTS = "cartoguide/requirements", "cartoguide/needs"
#: property with what the page shows of time by the ids of layers, as JSON
MOMENTS = "cartoguide/moments"
#: layout variable with the ids that a template leaves out on purpose
OMITTED_VARIABLE = "cartoguide_without"

TITLE, SUBTITLE = "title", "subtitle"
MAP, GRID, LEGEND, INSET = "map", "grid", "legend", "inset"
SCALEBAR, SCALE_TEXT, NORTH_ARROW = "scalebar", "scale_text", "north_arrow"
CREDITS, TERMS, SOURCES = "credits", "terms", "sources"
PROJECTION, COLOPHON = "projection", "colophon"
ABSTRACT, FACTS, FOOT = "abstract", "facts", "foot"
LOGOS, BAND, FIELD_NOTE, FRAME_NUMBER = "logos", "band", "field_note", "frame_number"
TABLE, PHOTOS, COVER = "table", "photos", "cover"
#: ticks at the edges of a page where it is folded, followed by any name
FOLD_PREFIX = "fold"
LEAFLET_TEXTS = ("directions", "opening_hours", "emergency_numbers")
HEADING_PREFIX, MAP_PREFIX, LABEL_PREFIX = "heading:", "map:", "label:"
#: a legend that continues the one with the id ``legend`` on an extra page, followed by the number of that page
FURTHER_LEGEND_PREFIX = "legend:"
#: rows of a leaflet's table, their numbers on the map, and entries of a map book's index, followed by what tells them
TABLE_PREFIX, TABLE_NUMBER_PREFIX, INDEX_PREFIX = "table:", "table-number:", "index:"
ROW_PREFIXES = (TABLE_PREFIX, INDEX_PREFIX)
#: addresses that a page in HTML loads, which those of its links are not
_LOADED = re.compile(r"""(?:<(?:img|iframe|embed|object|link|image|source|body|table|td)\b[^>]*?\s(?:src|data|href|
    xlink:href|background)\s*=\s*["']?|url\(\s*["']?)(https?://[^\s"'<>)]+)""", re.IGNORECASE | re.VERBOSE)
#: properties by which an expression chooses a picture, an address in one, and features that are asked for theirs
_PICTURE_PROPERTIES = frozenset(("name", "file", "ShapeSVGFile"))
_ADDRESS, MAX_FEATURES = re.compile(r"https?://[^\s'\"<>]+", re.IGNORECASE), 1_000
#: the first version of QGIS that draws pictures in the HTML of labels
_HTML_PICTURES_SINCE = 33_900
#: bytes of a page in HTML that is read
_MAX_HTML = 4_000_000
#: what follows the id of a table's row in those of its number and of its length
ROW_NUMBER_SUFFIX, ROW_LENGTH_SUFFIX = ":number", ":length"

#: items that a template is expected to contain, with their types
EXPECTED_ITEMS = {
    TITLE: QgsLayoutItemLabel, SUBTITLE: QgsLayoutItemLabel, MAP: QgsLayoutItemMap, LEGEND: QgsLayoutItemLegend,
    INSET: QgsLayoutItemMap, SCALEBAR: QgsLayoutItemScaleBar, SCALE_TEXT: QgsLayoutItemLabel,
    NORTH_ARROW: QgsLayoutItemPicture, CREDITS: QgsLayoutItemLabel, TERMS: QgsLayoutItemLabel,
    SOURCES: QgsLayoutItemLabel, PROJECTION: QgsLayoutItemLabel, COLOPHON: QgsLayoutItemLabel,
}

#: name of the map that a layout was built for, and the layout's state, as long as nobody has edited it
_MAP_NAME, _AS_BUILT = "cartoguide/map", "cartoguide/as_built"
#: beginning of the names of the variables that the plugin gives layouts
_OWN_VARIABLES = "cartoguide_"

Item = TypeVar("Item", bound=QgsLayoutItem)


def find_item(layout: QgsPrintLayout, item_id: str, kind: Type[Item]) -> Optional[Item]:
    """Return the layout's item with this id if it is of this type, else None."""
    item = layout.itemById(item_id)
    return item if isinstance(item, kind) else None


def show_heading(layout: QgsPrintLayout, name: str, has_content: bool) -> None:
    """Show the heading of an item only while something stands below it."""
    heading = find_item(layout, HEADING_PREFIX + name, QgsLayoutItemLabel)
    if heading is not None:
        heading.setVisibility(has_content)


def main_map(layout: QgsPrintLayout) -> Optional[QgsLayoutItemMap]:
    """Return the layout's map item with the id ``map``, or None."""
    return find_item(layout, MAP, QgsLayoutItemMap)


def legends(layout: QgsPrintLayout) -> List[QgsLayoutItemLegend]:
    """Return the legend of the map and those that continue it on extra pages, in their order."""
    found = [item for item in items_of_type(layout, QgsLayoutItemLegend)
             if item.id() == LEGEND or item.id().startswith(FURTHER_LEGEND_PREFIX)]
    return sorted(found, key=lambda item: (item.id() != LEGEND, item.page()))


def visible_bounds(item: QgsLayoutItemMap) -> QgsRectangle:
    """Return the bounds of what the map item shows in its CRS, which for a rotated map are larger than its extent."""
    if not item.mapRotation():
        return QgsRectangle(item.extent())
    return QgsRectangle(item.visibleExtentPolygon().boundingRect())


def vertical_folds(layout: QgsPrintLayout, page: int) -> List[float]:
    """Return the places at which a page is folded, in millimetres from its left edge, as its ticks mark them."""
    return sorted({round(float(item.pagePos().x() + item.rect().width() / 2), 2)
                   for item in items_of_type(layout, QgsLayoutItemShape)
                   if item.id().startswith(FOLD_PREFIX) and item.page() == page})


def map_scale(layout: QgsPrintLayout) -> float:
    """Return the scale denominator of the layout's main map, 0 for a layout without one."""
    item = main_map(layout)
    return float(item.scale()) if item is not None else 0.0


def missing_items(layout: QgsPrintLayout) -> List[str]:
    """Return the ids of expected items that are missing or of another type.

    Items that the template leaves out on purpose are not listed.
    """
    omitted = str(QgsExpressionContextUtils.layoutScope(layout).variable(OMITTED_VARIABLE) or "").replace(" ",
                                                                                                          "").split(",")
    return [
        item_id for item_id, kind in EXPECTED_ITEMS.items()
        if item_id not in omitted and find_item(layout, item_id, kind) is None
    ]


def map_items(layout: QgsPrintLayout) -> List[QgsLayoutItemMap]:
    """Return the layout's main map and then those of small multiples by number, or an empty list."""
    first = main_map(layout)
    if first is None:
        return []
    numbered = [(int(item.id()[len(MAP_PREFIX):]), item) for item in items_of_type(layout, QgsLayoutItemMap)
                if item.id().startswith(MAP_PREFIX) and item.id()[len(MAP_PREFIX):].isdigit()]
    return [first, *(item for _, item in sorted(numbered, key=lambda pair: pair[0]))]


def map_layers(item: QgsLayoutItemMap, layers: Sequence[QgsMapLayer]) -> List[QgsMapLayer]:
    """Return ``layers`` as they can be given to a layout's map that shows some of them, and read again afterwards.

    From 3.32 on a map shows copies of groups that are drawn as one layer, and writes the ids of those that it was
    given. It deletes its copies before it copies what it is given next, which ends QGIS if these are the same
    (QgsLayoutItemMap::setLayers). So they are copied here, with the ids that the map writes.
    """
    def is_copy(layer: QgsMapLayer) -> bool:
        return is_group_layer(layer) and layer.project() is None

    if not any(map(is_copy, layers)):
        return list(layers)
    document, context = QDomDocument(), QgsReadWriteContext()
    written = document.createElement("item")
    item.writeXml(written, document, context)
    names = written.elementsByTagName("LayerSet").at(0).toElement().elementsByTagName("Layer")
    ids = {layer.id(): names.at(number).toElement().text() for number, layer in enumerate(item.layers())}
    return [_group_with_id(layer, ids[layer.id()]) if layer.id() in ids and is_copy(layer) else layer
            for layer in layers]


def _group_with_id(layer: QgsMapLayer, layer_id: str) -> QgsMapLayer:
    """Return a copy of a group that is drawn as one layer, with an id, which QGIS lets nobody set before 3.38."""
    document, context = QDomDocument(), QgsReadWriteContext()
    element = document.createElement("maplayer")
    layer.writeLayerXml(element, document, context)
    name = element.firstChildElement("id")
    element.replaceChild(document.createElement("id"), name)
    element.firstChildElement("id").appendChild(document.createTextNode(layer_id))
    copy = layer.clone()
    copy.readLayerXml(element, context)
    copy.setChildLayers(layer.childLayers())
    return copy


def items_of_type(layout: QgsPrintLayout, kind: Type[Item]) -> List[Item]:
    """Return all items of one type, in no particular order."""
    items: List[Any] = layout.items()
    return [item for item in items if isinstance(item, kind)]


def is_exported(item: QgsLayoutItem) -> bool:
    """Return whether an item is exported, wherever it lies and however it is drawn."""
    return bool(item.isVisible() and not _evaluated(item, QgsLayoutObject.DataDefinedProperty.ExcludeFromExports,
                                                    item.excludeFromExports()))


def opacity(item: QgsLayoutItem) -> float:
    """Return the opacity with which an item is drawn (0 to 1), be it that of an expression."""
    percent = _evaluated(item, QgsLayoutObject.DataDefinedProperty.Opacity, None)
    return float(item.itemOpacity() if percent is None else percent / 100.0)


def _evaluated(item: QgsLayoutItem, name: QgsLayoutObject.DataDefinedProperty, otherwise: Any) -> Any:
    """Return what an expression of an item makes of a property, as QGIS takes it: the item's getters do not tell."""
    properties, key = item.dataDefinedProperties(), compat.enum_value(name)
    if not properties.isActive(key):
        return otherwise
    context = item.createExpressionContext()
    if isinstance(otherwise, bool):
        return properties.valueAsBool(key, context, otherwise)[0]
    value, is_number = properties.valueAsDouble(key, context, 0.0)
    return value if is_number else otherwise


def is_printed(item: QgsLayoutItem) -> bool:
    """Return whether an exported item is drawn at all: it is not transparent, and lies on a page that is exported."""
    if not is_exported(item) or opacity(item) <= 0 or item.layout() is None:
        return False
    bounds = item.sceneBoundingRect()
    # one without a size intersects nothing
    return any(sheet.intersects(bounds) or sheet.contains(bounds.topLeft()) for sheet in (
        page.sceneBoundingRect() for page in item.layout().pageCollection().pages() if not page.excludeFromExports()))


def layers_beside_maps(layout: QgsLayout) -> List[QgsMapLayer]:
    """Return the layers that printed tables, elevation profiles, views in 3D and expressions of items read, each once.
    """
    found: List[Optional[QgsMapLayer]] = [
        table.sourceLayer() for table in layout.multiFrames()
        if isinstance(table, QgsLayoutItemAttributeTable) and any(map(is_printed, table.frames()))]
    for item in layout.items():
        if not isinstance(item, QgsLayoutItem) or not is_printed(item):
            continue
        if item.type() == QgsLayoutItemRegistry.ItemType.Layout3DMap:
            found += _layers_in_3d(item)
        elif hasattr(core, "QgsLayoutItemElevationProfile") and isinstance(item, core.QgsLayoutItemElevationProfile):
            found += item.layers()
    found += [layout.project().mapLayer(name) for name in named_layers(
        _item_expressions(layout), layout.createExpressionContext(), layout.project()) if name is not None]
    return list({layer.id(): layer for layer in found if layer is not None}.values())


def unknown_readings(layout: QgsLayout) -> List[str]:
    """Return the expressions of printed items that read a layer which only their evaluation knows, each once."""
    context, project = layout.createExpressionContext(), layout.project()
    return [text for text in dict.fromkeys(_item_expressions(layout))
            if None in named_layers((text,), context, project)]


def _item_expressions(layout: QgsLayout) -> Iterator[str]:
    """Yield the expressions in texts, tables, symbols and properties of printed items."""
    for item in layout.items():
        if not isinstance(item, QgsLayoutItem) or not is_printed(item):
            continue
        yield from property_expressions(item.dataDefinedProperties())
        if isinstance(item, QgsLayoutItemLabel):
            yield from expressions_in_text(item.text())
        elif isinstance(item, QgsLayoutItemLegend):
            yield from _legend_expressions(item)
        else:
            styles = _StylePictures()
            item.accept(styles)
            yield from styles.expressions
        if isinstance(item, QgsLayoutItemMap):
            yield from (grid.annotationExpression() for grid in item.grids().asList()
                        if grid.enabled() and grid.annotationEnabled())
    for frame in layout.multiFrames():
        if not any(map(is_printed, frame.frames())):
            continue
        yield from property_expressions(frame.dataDefinedProperties())
        if isinstance(frame, QgsLayoutItemAttributeTable):
            yield from (column.attribute() for column in frame.columns())
            yield frame.featureFilter() if frame.filterFeatures() else ""
        elif isinstance(frame, QgsLayoutItemManualTable):
            contents = (cell.content() for row in frame.tableContents() for cell in row)
            yield from (content.asExpression() for content in contents if isinstance(content, QgsProperty))
        elif isinstance(frame, QgsLayoutItemHtml):
            yield from expressions_in_text(frame.html())


def _legend_expressions(legend: QgsLayoutItemLegend) -> Iterator[str]:
    """Yield the expressions in the title of a legend and in the names of its groups, layers and classes."""
    root = legend.model().rootGroup()
    texts = [legend.title()]
    for node in (*root.findGroups(True), *root.findLayers()):
        texts += [node.name(), *(str(node.customProperty(key)) for key in node.customProperties())]
        if isinstance(node, QgsLayerTreeLayer):
            yield node.labelExpression()
    for text in texts:
        yield from expressions_in_text(text)


def web_contents(layout: QgsLayout) -> List[str]:
    """Return the web addresses that printed items show something from without a layer, each once.

    These are pictures, HTML, the pictures of symbols and text formats, and the annotations that QGIS draws on maps.
    """
    found: List[str] = []
    for item in layout.items():
        if not isinstance(item, QgsLayoutItem) or not is_printed(item):
            continue
        if isinstance(item, QgsLayoutItemPicture):
            # the path of an expression is known once it is drawn
            found += [item.evaluatedPath() or item.picturePath()]
        elif isinstance(item, QgsLayoutItemLabel) and item.mode() == QgsLayoutItemLabel.Mode.ModeHtml:
            found += _loaded_by_html(item.currentText())
        elif isinstance(item, QgsLayoutItemMap) and item.drawAnnotations():
            found += _shown_by_annotations(layout.project())
        if not isinstance(item, QgsLayoutItemLegend):
            # it shows the shapes of a legend's symbols alone, and QGIS 3.22 crashes when Python looks at one of them
            styles = _StylePictures()
            item.accept(styles)
            found += styles.found
    for frame in _printed_html(layout):
        if frame.contentMode() != QgsLayoutItemHtml.ContentMode.Url:
            found += _loaded_by_html(QgsExpression.replaceExpressionText(frame.html(), frame.createExpressionContext()))
    for url in _shown_pages(layout):
        found += [url.toString()] if is_web_address(url.toString()) else _loaded_by_html(_page_text(url) or "")
    return list(dict.fromkeys(address for address in found if is_web_address(address)))


def unread_pages(layout: QgsLayout) -> List[str]:
    """Return the names of the pages in HTML that printed items show and that cannot be read, each once.

    QGIS shows a page of another computer, or a very large one, all the same. Nobody knows what maps are in it.
    """
    return list(dict.fromkeys(url.fileName() or url.toString() for url in _shown_pages(layout)
                              if not is_web_address(url.toString()) and _page_text(url) is None))


def _printed_html(layout: QgsLayout) -> List[QgsLayoutItemHtml]:
    return [frame for frame in layout.multiFrames()
            if isinstance(frame, QgsLayoutItemHtml) and any(map(is_printed, frame.frames()))]


def _shown_pages(layout: QgsLayout) -> List[QUrl]:
    """Return the addresses of the pages in HTML that printed items show, and not the source of one."""
    key = compat.enum_value(QgsLayoutObject.DataDefinedProperty.SourceUrl)
    found = [QUrl(frame.dataDefinedProperties().valueAsString(
        key, frame.createExpressionContext(), frame.url().toString())[0])
        for frame in _printed_html(layout) if frame.contentMode() == QgsLayoutItemHtml.ContentMode.Url]
    return [url for url in found if not url.isEmpty()]


def _loaded_by_html(html: str) -> List[str]:
    return [unescape(address) for address in _LOADED.findall(html)]


def _page_text(url: QUrl) -> Optional[str]:
    """Return a page in HTML of this computer, or None if it is on another one or cannot be read."""
    path = url.toLocalFile() if url.isLocalFile() else ""
    if not is_local_path(path):
        return None
    try:
        return read_regular(path, _MAX_HTML).decode("utf-8", "replace")
    except CartoguideError:
        return None


def _shown_by_annotations(project: QgsProject) -> List[str]:
    """Return the paths and addresses that visible annotations of the old kind, which lie in no layer, draw."""
    found: List[str] = []
    for note in project.annotationManager().annotations():
        if note.isVisible():
            found += symbol_pictures([note.markerSymbol(), note.fillSymbol()])
            if hasattr(note, "filePath"):
                found.append(note.filePath())
            elif hasattr(note, "htmlSource"):
                # of a file it is what QGIS has read of it
                found += [QUrl.fromUserInput(note.sourceFile()).toString(), *_loaded_by_html(note.htmlSource())]
    return found


def symbol_pictures(symbols: Iterable[Optional[QgsSymbol]], layer: Optional[QgsVectorLayer] = None) -> List[str]:
    """Return the paths and addresses of the pictures that symbols are drawn with, "" for parts without any.

    Those that an expression chooses are its values for features of ``layer``.
    """
    found: List[str] = []
    for part in symbol_parts(symbols):
        option = PICTURE_OPTIONS.get(part.layerType(), "")
        found.append(str(part.properties().get(option, "")))
        if option:
            found += chosen_pictures(part.dataDefinedProperties(), part.propertyDefinitions(), layer)
    return found


def chosen_pictures(properties: QgsPropertyCollection, definitions: Mapping[int, QgsPropertyDefinition],
                    layer: Optional[QgsVectorLayer] = None) -> List[str]:
    """Return the paths and addresses that expressions choose pictures by: those in them, and for features of ``layer``.
    """
    found: List[str] = []
    for key in properties.propertyKeys() if properties.count() else ():
        if properties.isActive(key) and key in definitions and definitions[key].name() in _PICTURE_PROPERTIES:
            chosen = properties.property(key)
            found += [*_ADDRESS.findall(chosen.asExpression()), *_values(chosen, layer)]
    return list(dict.fromkeys(found))


def _values(chosen: QgsProperty, layer: Optional[QgsVectorLayer]) -> Iterator[str]:
    """Yield what an expression makes of the features of a layer, of so many that it takes no time."""
    context = layer.createExpressionContext() if layer is not None else QgsExpressionContext()
    for feature in layer.getFeatures(QgsFeatureRequest().setLimit(MAX_FEATURES)) if layer is not None else ():
        context.setFeature(feature)
        yield chosen.valueAsString(context)[0]


def label_pictures(settings: QgsPalLayerSettings, layer: Optional[QgsVectorLayer] = None) -> List[str]:
    """Return the paths and addresses of the pictures in labels that expressions choose, as ``chosen_pictures``."""
    found = chosen_pictures(settings.dataDefinedProperties(), settings.propertyDefinitions(), layer)
    if settings.format().allowHtmlFormatting():
        text = (QgsProperty.fromExpression if settings.isExpression else QgsProperty.fromField)(settings.fieldName)
        found += html_pictures(text.asExpression(), *_values(text, layer))
    return found


def html_pictures(*texts: str) -> List[str]:
    """Return the addresses of the pictures in texts of labels that are written as HTML, which QGIS 3.40 draws first."""
    return [address for text in texts for address in _loaded_by_html(text)] if (
        compat.QGIS_VERSION >= _HTML_PICTURES_SINCE) else []


def format_pictures(formats: Iterable[QgsTextFormat]) -> List[str]:
    """Return the paths and addresses of the pictures behind texts."""
    # their backgrounds die with them
    held = list(formats)
    grounds = [ground for ground in (one.background() for one in held) if ground.enabled()]
    return [*symbol_pictures(ground.markerSymbol() for ground in grounds), *(ground.svgFile() for ground in grounds)]


class _StylePictures(QgsStyleEntityVisitorInterface):
    """Collects the pictures of the symbols and text formats of a layout's item, as ``found``, and ``expressions``."""

    def __init__(self) -> None:
        super().__init__()
        self.found: List[str] = []
        self.expressions: List[str] = []

    def visit(self, leaf: QgsStyleEntityVisitorInterface.StyleLeaf) -> bool:
        """QGIS: look at a symbol or a text format."""
        if isinstance(leaf.entity, QgsStyleSymbolEntity):
            self.found += symbol_pictures([leaf.entity.symbol()])
            self.expressions += symbol_expressions([leaf.entity.symbol()])
        elif isinstance(leaf.entity, QgsStyleTextFormatEntity):
            self.found += format_pictures([leaf.entity.format()])
        return True


def has_online_terrain(layout: QgsLayout) -> bool:
    """Return whether a printed view in 3D has the heights that QGIS requests from the web without a layer."""
    scenes = [_scene(item) for item in layout.items() if isinstance(item, QgsLayoutItem) and is_printed(item)
              and item.type() == QgsLayoutItemRegistry.ItemType.Layout3DMap]
    return any(scene is not None and _terrain(scene)[0] == "online" for scene in scenes)


def _scene(item: QgsLayoutItem) -> Any:
    # not in every QGIS, and slow to load
    from qgis import _3d

    return sip.cast(item, _3d.QgsLayoutItem3DMap).mapSettings()


def _terrain(scene: Any) -> Tuple[str, str]:
    """Return the kind of a scene's heights and the id of their layer, which QGIS gives away nowhere else."""
    # it has to outlive its elements
    document = QDomDocument()
    element = scene.writeXml(document, QgsReadWriteContext()).firstChildElement("terrain")
    generator = element.firstChildElement("generator")
    # newer versions of QGIS name the layer one level above
    return str(generator.attribute("type")), str(generator.attribute("layer") or element.attribute("layer"))


def _layers_in_3d(item: QgsLayoutItem) -> List[Optional[QgsMapLayer]]:
    scene, project = _scene(item), item.layout().project()
    if scene is None:
        return []
    heights = project.mapLayer(_terrain(scene)[1])
    return [*scene.layers(), heights, *project.mapThemeCollection().mapThemeVisibleLayers(scene.terrainMapTheme())]


def has_leaflet_texts(layout: QgsPrintLayout) -> bool:
    return any(find_item(layout, name, QgsLayoutItemLabel) is not None for name in LEAFLET_TEXTS)


def place_item(item: QgsLayoutItem, bounds: QRectF, page: Optional[int] = None) -> None:
    """Place an item at ``bounds`` (millimetres) of a page (from 0), by default of the one where it is."""
    item.attemptResize(QgsLayoutSize(bounds.width(), bounds.height()))
    item.attemptMove(QgsLayoutPoint(bounds.x(), bounds.y()), True, False, max(0, item.page() if page is None else page))


def add_rectangle(layout: QgsPrintLayout, item_id: str, style: Mapping[str, str], bounds: QRectF,
                  page: int) -> QgsLayoutItemShape:
    """Add a locked rectangle at ``bounds`` (millimetres) of a page (from 0), filled as QGIS's properties in ``style``.
    """
    shape = QgsLayoutItemShape(layout)
    shape.setId(item_id)
    shape.setShapeType(QgsLayoutItemShape.Shape.Rectangle)
    shape.setSymbol(QgsFillSymbol.createSimple({"outline_style": "no", **style}))
    layout.addLayoutItem(shape)
    place_item(shape, bounds, page)
    shape.setLocked(True)
    return shape


def set_notes(layout: QgsPrintLayout, notes: Sequence[str]) -> None:
    """Note decisions and omissions of the layout, instead of those noted before."""
    layout.setCustomProperty(_NOTES, json.dumps(notes))


def layout_notes(layout: QgsPrintLayout) -> List[str]:
    """Return notes on decisions and omissions made when the layout was built."""
    return [note for note in stored_list(layout.customProperty(_NOTES)) if isinstance(note, str)]


def add_notes(layout: QgsPrintLayout, notes: Sequence[str]) -> None:
    """Add notes on what was decided after the layout was built."""
    set_notes(layout, [*layout_notes(layout), *notes])


def shown_moments(layout: QgsPrintLayout) -> Dict[str, str]:
    """Return what the page shows of time (ISO 8601) by the ids of layers of a series or with a TIME dimension."""
    stored = stored_object(layout.customProperty(MOMENTS))
    return {layer_id: moment for layer_id, moment in stored.items() if isinstance(moment, str)}


def layout_title(layout: QgsPrintLayout) -> str:
    """Return the text of the layout's title, else its name."""
    label = find_item(layout, TITLE, QgsLayoutItemLabel)
    return (label.currentText().strip() if label is not None else "") or str(layout.name())


def layout_names(name: str) -> Iterator[str]:
    """Return the names that layouts of a map with this name get: the name itself, then ``name (2)`` and so on."""
    return chain((name,), (f"{name} ({number})" for number in count(2)))


def note_as_built(layout: QgsPrintLayout, name: str) -> None:
    """Write into a layout that it is as it was built, of the map with this name."""
    layout.setCustomProperty(_MAP_NAME, name)
    layout.setCustomProperty(_AS_BUILT, _built_state(layout))


def is_as_built(layout: Optional[QgsMasterLayoutInterface]) -> bool:
    """Return whether a layout was built by Cartoguide and not edited, renamed or copied since, or is none.

    The undo stack has what was done in this session, but for variables, which the state has. Of former sessions the
    saved state says that nothing was done.
    """
    return layout is None or isinstance(layout, QgsPrintLayout) and layout.undoStack().stack().isClean() and (
        layout.customProperty(_AS_BUILT) == _built_state(layout))


def _built_state(layout: QgsPrintLayout) -> str:
    """Return when a layout's project was saved, and its contents. A project saved without Cartoguide has another time.
    """
    return f"{layout.project().lastSaveDateTime().toString(Qt.DateFormat.ISODate)} {_built_contents(layout)}"


def _built_contents(layout: QgsPrintLayout) -> str:
    """Return a number made of the variables that are not Cartoguide's, and the layout's name."""
    variables = zip(*(layout.customProperty(key) or () for key in ("variableNames", "variableValues")))
    others = sorted(f"{name}={value}" for name, value in variables if not str(name).startswith(_OWN_VARIABLES))
    return f"{crc32(json.dumps(others).encode()):08x} {layout.name()}"


def forget_edited_layouts(project: QgsProject) -> None:
    """Write into the layouts of an opened project which of them somebody may have edited without Cartoguide."""
    for layout in project.layoutManager().printLayouts():
        if not is_as_built(layout):
            layout.removeCustomProperty(_AS_BUILT)


def note_saved_layouts(project: QgsProject) -> None:
    """Write into the layouts of a project that is being saved which of them are still as they were built."""
    for layout in project.layoutManager().printLayouts():
        _time, _, contents = str(layout.customProperty(_AS_BUILT) or "").partition(" ")
        if contents == _built_contents(layout) and layout.undoStack().stack().isClean():
            layout.setCustomProperty(_AS_BUILT, _built_state(layout))
        else:
            layout.removeCustomProperty(_AS_BUILT)


def edited_layout(layout: QgsPrintLayout) -> Optional[QgsPrintLayout]:
    """Return the newest layout of the same map that somebody has edited, beside which ``layout`` was built, or None."""
    manager, name = layout.project().layoutManager(), str(layout.customProperty(_MAP_NAME))
    # somebody may have renamed it since
    beside = takewhile(lambda former: former is not None and former.name() != layout.name(),
                       map(manager.layoutByName, layout_names(name)))
    return next((former for former in reversed(list(beside)) if isinstance(former, QgsPrintLayout)
                 and former.customProperty(_MAP_NAME) == name), None)

"""Ground of a map without a base: a tint of the page's theme, or the region's outline, and the names of features.

A base that ends within the frame has the tint beside it. A map of values, as of the rain of a day, stays on white where
its region is not shown: there a tint would be a value that its legend does not have.
"""

from __future__ import annotations

from typing import Iterator, List, Sequence, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsExpression,
    QgsFeatureRequest,
    QgsGeometry,
    QgsLabeling,
    QgsLayoutItemMap,
    QgsLayoutMeasurement,
    QgsMapLayerStyle,
    QgsPalLayerSettings,
    QgsPointXY,
    QgsProject,
    QgsReadWriteContext,
    QgsTextBufferSettings,
    QgsTextFormat,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtXml import QDomDocument

from ...core.custommap.ground_scale import Position
from ...core.custommap.model import OwnLayer
from ...core.page_design.page_themes import PageTheme
from ...core.page_design.type_scale import TextRole, size_of
from ...core.pages.leaflet import name_field
from ...core.preflight.ground import is_of_values, shows_base
from ...core.sources.layer_source import SourceType
from ..credits.layer_metadata import is_outline
from ..layouts import layout_items, text_fitting
from ..layouts.locator_map import PALE_SEA, outline_layers
from ..layouts.map_frame import WGS84
from ..layouts.page_theme import layout_theme
from ..own_layers.references import find_layer
from ..runtime import compat, page_fonts
from ..runtime.drawn_source import drawn_source
from ..sources.layer_source import OWN_LAYER
from .layout_feature import PageBuilding

#: the bundled template whose map has no edge of its own, and the width of the one that plain ground needs, in mm
_EDGED, _EDGE = "guide", 0.15
#: millimetres on A4 between a point and its name, and of the light edge around letters
_NAME_DISTANCE, _NAME_EDGE = 0.6, 0.5
#: how much names avoid symbols, from 0 to 2
_OBSTACLE = 2.0
#: letters of a name after which it goes on below, and the height of its lines by that of the letters
_LINE_LETTERS, _LINE_HEIGHT = 28, 0.85
#: share of the map that an area takes up whose name runs along its edge
_LARGE = 0.15
#: share of the map that areas fill which are its ground, how many are looked at, and what is read without a request.
#: So many places across and along the map tell
_FILLED, _MOST_AREAS = 0.9, 1000
#: areas of a layer among which those of the same name are looked for
_MOST_NAMES = 300
_LOCAL, _PLACES = (SourceType.FILE, SourceType.MEMORY), 6


def show_ground(page: PageBuilding) -> None:
    """Show a ground below the main map where no base covers it, and an edge around a guide's.

    A day of a series does not count as a base: it has no colour where it has no value. Somebody else's template keeps
    the ground that it has, unless the region is shown.
    """
    layout, plan, item = page.layout, page.plan, page.item
    if len(layout_items.map_items(layout)) > 1 or plan.moment_title:
        return
    theme = layout_theme(layout)
    is_ours = text_fitting.type_factor(layout) is not None
    if is_ours and not is_of_values(plan):
        item.setBackgroundColor(QColor(theme.ground))
    if shows_base(plan):
        return
    region = [layer for layers in outline_layers(page.project, page.frame, layout) for layer in layers]
    if region:
        item.setLayers([*item.layers(), *region])
        item.setBackgroundColor(QColor(PALE_SEA))
    above = layout_items.find_item(layout, layout_items.GRID, QgsLayoutItemMap)
    if plan.page.template == _EDGED and above is not None:
        above.setFrameEnabled(True)
        above.setFrameStrokeColor(QColor(theme.border))
        above.setFrameStrokeWidth(QgsLayoutMeasurement(_EDGE))
    if is_ours and not region:
        styles = dict(_named_styles(page, theme._replace(ground=item.backgroundColor().name())))
        if styles:
            item.setKeepLayerStyles(True)
            item.setLayerStyleOverrides({**item.layerStyleOverrides(), **styles})


def filling_layers(own_layers: Sequence[OwnLayer], project: QgsProject, corners: Sequence[Position]) -> List[str]:
    """Return the ids of the visible own layers of areas that fill a map with these corners (longitude, latitude).

    A layer of a service, which would be asked for its features here, is one if its extent is.
    """
    found = []
    for own in own_layers:
        layer = find_layer(project, own) if own.visible else None
        if not isinstance(layer, QgsVectorLayer) or not layer.isValid() or layer.geometryType() in (
                compat.point_geometry(), compat.line_geometry()):
            continue
        transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem(WGS84), layer.crs(), project)
        try:
            frame = QgsGeometry.fromPolygonXY([[transform.transform(QgsPointXY(*corner)) for corner in corners]])
        except QgsCsException:
            continue
        fills = layer.extent().contains(frame.boundingBox())
        if fills and drawn_source(layer).type in _LOCAL:
            fills = _has_areas_everywhere(layer, frame)
        if fills:
            found.append(own.id)
    return found


def _has_areas_everywhere(layer: QgsVectorLayer, frame: QgsGeometry) -> bool:
    """Return whether nearly all of some places spread over a frame, in the layer's CRS, lie in areas of the layer."""
    box = frame.boundingBox()
    steps = [(number + 0.5) / _PLACES for number in range(_PLACES)]
    places = [QgsPointXY(box.xMinimum() + x * box.width(), box.yMinimum() + y * box.height())
              for x in steps for y in steps]
    left = [place for place in places if frame.contains(place)]
    allowed = (1 - _FILLED) * len(left)
    request = QgsFeatureRequest(box).setNoAttributes().setLimit(_MOST_AREAS)
    for feature in layer.getFeatures(request):
        extent = feature.geometry().boundingBox()
        left = [place for place in left if not (extent.contains(place) and feature.geometry().contains(place))]
        if len(left) <= allowed:
            return True
    return False


def _named_styles(page: PageBuilding, theme: PageTheme) -> Iterator[Tuple[str, str]]:
    """Yield the ids of layers of features that have names and no labels, each with its style and the names."""
    numbered = {source.own_layer for source in page.plan.page.leaflet.table}
    for layer in page.item.layers():
        if not isinstance(layer, QgsVectorLayer) or is_outline(layer) or layer.labelsEnabled() or numbered & {
                layer.id(), layer.customProperty(OWN_LAYER)}:
            continue
        field = name_field([field.name() for field in layer.fields()])
        if field:
            yield layer.id(), _with_names(layer, field, theme, _is_large(layer, page))


def _with_names(layer: QgsVectorLayer, field: str, theme: PageTheme, is_large: bool) -> str:
    """Return the layer's style with labels of ``field``. The layer stays as it is."""
    style, document = QgsMapLayerStyle(), QDomDocument()
    style.readFromLayer(layer)
    document.setContent(style.xmlData())
    root = document.documentElement()
    former = root.firstChildElement("labeling")
    if not former.isNull():
        root.removeChild(former)
    root.appendChild(QgsVectorLayerSimpleLabeling(_name_settings(layer, field, theme, is_large)).save(
        document, QgsReadWriteContext()))
    root.setAttribute("labelsEnabled", "1")
    return str(document.toString(-1))


def _name_settings(layer: QgsVectorLayer, field: str, theme: PageTheme, is_large: bool) -> QgsPalLayerSettings:
    """Return labels beside points, along lines, and in areas. Those without room are left out by QGIS."""
    text, edge, settings = QgsTextFormat(), QgsTextBufferSettings(), QgsPalLayerSettings()
    font = text.font()
    font.setFamily(page_fonts.FAMILY)
    text.setFont(font)
    text.setSize(size_of(TextRole.PLACE))
    text.setSizeUnit(compat.points_unit())
    text.setColor(QColor(theme.place))
    text.setLineHeight(_LINE_HEIGHT)
    edge.setEnabled(True)
    edge.setSize(_NAME_EDGE)
    edge.setColor(QColor(theme.ground))
    text.setBuffer(edge)
    settings.fieldName = QgsExpression.quotedColumnRef(field)
    settings.isExpression = True
    settings.setFormat(text)
    # no name on a symbol of the layer, but beside it or not at all
    obstacles = settings.obstacleSettings()
    obstacles.setFactor(_OBSTACLE)
    settings.setObstacleSettings(obstacles)
    kind = layer.geometryType()
    if kind == compat.point_geometry():
        settings.placement = QgsPalLayerSettings.Placement.OrderedPositionsAroundPoint
        settings.offsetType = QgsPalLayerSettings.OffsetType.FromSymbolBounds
    elif kind == compat.line_geometry():
        settings.placement = QgsPalLayerSettings.Placement.Curved
    else:
        if drawn_source(layer).type in _LOCAL and layer.featureCount() <= _MOST_NAMES:
            # a town of several parts is named once
            settings.fieldName = (f"CASE WHEN $area >= maximum($area, group_by:={settings.fieldName}) "
                                  f"THEN {settings.fieldName} END")
        # towns before what lies in them
        settings.priority = 10
        # a name in the middle of an area that is as large as the map would lie on what is shown in it
        settings.placement = (QgsPalLayerSettings.Placement.PerimeterCurved if is_large else
                              QgsPalLayerSettings.Placement.Horizontal)
        # beside an area that is smaller than its name. Newer versions of QGIS make a number of two flags.
        settings.setPolygonPlacementFlags(settings.polygonPlacementFlags()
                                          | QgsLabeling.PolygonPlacementFlag.AllowPlacementOutsideOfPolygon)
    settings.dist = _NAME_DISTANCE
    settings.autoWrapLength = _LINE_LETTERS
    return settings


def _is_large(layer: QgsVectorLayer, page: PageBuilding) -> bool:
    """Return whether areas of a layer take up much of the map, by the layer's extent."""
    item = page.item
    try:
        extent = QgsCoordinateTransform(layer.crs(), item.crs(), page.project).transformBoundingBox(layer.extent())
    except QgsCsException:
        return False
    shown, shared = item.extent(), extent.intersect(item.extent())
    largest = shared.width() * shared.height() / max(1, layer.featureCount())
    return bool(largest > _LARGE * shown.width() * shown.height())

"""The location map: a coarse outline of the surrounding region with the map's extent on it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsFillSymbol,
    QgsLayoutItemMap,
    QgsLineSymbol,
    QgsMapLayer,
    QgsMarkerSymbol,
    QgsPalLayerSettings,
    QgsPointXY,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
    QgsRendererCategory,
    QgsSingleSymbolRenderer,
    QgsTextBufferSettings,
    QgsTextFormat,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtGui import QColor

from ...core.i18n import tr
from ...core.page_design.type_scale import TextRole, size_of
from ...core.resources import RESOURCES
from ..runtime import compat
from ..runtime.gdal import quiet_gdal
from . import layout_items, text_fitting
from .map_frame import WGS84, MapFrame, grown_to_ratio
from .text_fitting import FONT_FAMILIES

OUTLINE_FOLDER = RESOURCES / "outline"
_PROPERTY = "cartoguide/outline"
#: maps wider than this share of a view use the next larger one
_LARGEST_SHARE = 0.5
#: kind of land, fill, outline colour and outline width: on the location map, and below small maps
_LAND = (("neighbour", "#eceae2", "#c3c9c2", "0.1"), ("land", "#f7f4ea", "#9aa79e", "0.15"),
         ("region", "#d3e3d6", "#24513b", "0.22"))
_BACKGROUND_LAND = (("neighbour", "#f1f0ec", "#d5d8d3", "0.08"), ("land", "#f1f0ec", "#d5d8d3", "0.08"),
                    ("region", "#ffffff", "#d5d8d3", "0.08"))
#: the outline is precise enough for this scale denominator and larger ones
_OUTLINE_SCALE = 1_500_000
#: least share of the region's bounds in an area that shows the region, and how many times as large that may be
_REGION_SHOWN, _REGION_LOST = 0.9, 3.0


@dataclass(frozen=True)
class OutlineView:
    """A view of the outline, with two extents (west, south, east, north in degrees).

    Maps whose centre is in ``applies_to`` use the view, which shows ``extent``.
    """

    name: str
    applies_to: Tuple[float, float, float, float]
    extent: Tuple[float, float, float, float]
    crs: str

    def covers(self, longitude: float, latitude: float) -> bool:
        """Return whether a map with this centre belongs to the view."""
        west, south, east, north = self.applies_to
        return west <= longitude <= east and south <= latitude <= north


_VIEWS = (OutlineView("region", (-7.6, 35.9, -1.5, 38.8), (-7.75, 35.85, -1.35, 38.95), "EPSG:25830"),
          OutlineView("peninsula", (-9.8, 35.8, 4.6, 44.0), (-10.2, 35.4, 5.0, 44.2), "EPSG:25830"),
          )


def fill_locator_map(layout: QgsPrintLayout, project: QgsProject, frame: MapFrame) -> Optional[str]:
    """Fill the layout's location map.

    If no outline covers the map, the item is removed and a note is returned.
    """
    inset = layout_items.find_item(layout, layout_items.INSET, QgsLayoutItemMap)
    if inset is None:
        return None
    longitude, latitude = frame.centre
    span = _geographic_extent(layout, project).width()
    view = next((view for view in _VIEWS if view.covers(longitude, latitude)
                 and span < _LARGEST_SHARE * (view.extent[2] - view.extent[0])), None)
    if view is None:
        heading = layout.itemById(layout_items.HEADING_PREFIX + "location")
        for obsolete in (inset, heading):
            if obsolete is not None:
                layout.removeLayoutItem(obsolete)
        return tr("There is no outline map of this area, so the location map is left out.")
    crs = QgsCoordinateReferenceSystem(view.crs)
    inset.setCrs(crs)
    scale = text_fitting.type_factor(layout) or max(1.0, inset.rect().width() / 62.0)
    inset.setLayers(_locator_layers(project, view, scale))
    inset.setKeepLayerSet(True)
    transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem(WGS84), crs, project)
    inset.setExtent(
        grown_to_ratio(transform.transformBoundingBox(QgsRectangle(*view.extent)),
                       inset.rect().width() / inset.rect().height()))
    main = layout_items.main_map(layout)
    for overview in inset.overviews().asList():
        overview.setLinkedMap(main)
    return None


def _geographic_extent(layout: QgsPrintLayout, project: QgsProject) -> QgsRectangle:
    """Return the map's extent in longitude and latitude."""
    item = layout_items.main_map(layout)
    if item is None:
        return QgsRectangle()
    return QgsCoordinateTransform(item.crs(), QgsCoordinateReferenceSystem(WGS84),
                                  project).transformBoundingBox(layout_items.visible_bounds(item))


def outline_layers(project: QgsProject, frame: MapFrame) -> Tuple[List[QgsMapLayer], List[QgsMapLayer]]:
    """Return the layers above and below small maps of the whole region: its outline, and pale land.

    Both are empty elsewhere and at larger scales, for which the outline is too coarse. The land is white, so that it
    resembles no colour of a legend.
    """
    longitude, latitude = frame.centre
    if not any(view.covers(longitude, latitude) for view in _VIEWS) or frame.scale < _OUTLINE_SCALE:
        return [], []
    return [_outline_layer(project, "outline", "land.geojson", "",
                           1.0)], [_outline_layer(project, "ground", "land.geojson", "", 1.0)]


def region_area(area: QgsRectangle, crs: QgsCoordinateReferenceSystem, project: QgsProject) -> Optional[QgsRectangle]:
    """Return the bounds of the region's outline in ``crs`` if ``area``, also in ``crs``, shows the region, else None.

    It shows the region if it holds nearly all of it and is not many times as large.
    """
    data = json.loads((OUTLINE_FOLDER / "land.geojson").read_text(encoding="utf-8"))
    region = next(feature for feature in data["features"] if feature["properties"].get("kind") == "region")
    transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem(WGS84), crs, project)
    bounds = QgsRectangle()
    try:
        for longitude, latitude in region["geometry"]["coordinates"][0]:
            point = transform.transform(QgsPointXY(longitude, latitude))
            bounds.combineExtentWith(point.x(), point.y())
    except QgsCsException:
        return None
    shared = bounds.intersect(area)
    size = bounds.width() * bounds.height()
    if shared.width() * shared.height() < _REGION_SHOWN * size or area.width() * area.height() > _REGION_LOST * size:
        return None
    return bounds


def empty_layer(project: QgsProject) -> QgsMapLayer:
    """Return a layer without features: a layout map with an empty list of layers would draw all visible ones."""
    for layer in project.mapLayers().values():
        if layer.customProperty(_PROPERTY) == "nothing":
            return layer
    layer = _load_outline("places.geojson", "nothing", "view", ())
    layer.setCustomProperty(_PROPERTY, "nothing")
    layer.setFlags(layer.flags() | QgsMapLayer.LayerFlag.Private)
    project.addMapLayer(layer, False)
    return layer


def is_background_layer(layer: QgsMapLayer) -> bool:
    """Return whether this module made the layer for pages: an outline, or the layer without features."""
    return bool(layer.customProperty(_PROPERTY))


def _locator_layers(project: QgsProject, view: OutlineView, scale: float) -> List[QgsMapLayer]:
    """Return the outline's layers, top first, with places ``scale`` times as large as on A4.

    They are added to the project (hidden), because a layout draws only the project's layers.
    """
    return [
        _outline_layer(project, f"places-{view.name}", "places.geojson", view.name, scale),
        _outline_layer(project, "borders", "borders.geojson", "", scale),
        _outline_layer(project, "land", "land.geojson", "", scale)
    ]


def _outline_layer(project: QgsProject, name: str, file: str, view: str, scale: float) -> QgsMapLayer:
    key = f"{name}@{scale:.2f}"
    for layer in project.mapLayers().values():
        if layer.customProperty(_PROPERTY) == key and layer.isValid():
            return layer
    feature_filter = ("view", (view, "both")) if view else ("kind", ("region",)) if name == "outline" else ("", ())
    layer = _load_outline(file, name, *feature_filter)
    layer.setCustomProperty(_PROPERTY, key)
    layer.setFlags(layer.flags() | QgsMapLayer.LayerFlag.Private)
    if view:
        _style_places(layer, scale)
    elif name == "outline":
        layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple(
            {"style": "no", "outline_color": "#4d5a52", "outline_width": "0.15"})))
    elif file.startswith("land"):
        _style_land(layer, _BACKGROUND_LAND if name == "ground" else _LAND)
    else:
        layer.setRenderer(QgsSingleSymbolRenderer(QgsLineSymbol.createSimple(
            {"line_color": "#9aa79e", "line_width": "0.15", "line_style": "dash"})))
    project.addMapLayer(layer, False)
    return layer


def _load_outline(file: str, title: str, name: str, values: Sequence[str]) -> QgsVectorLayer:
    """Return an outline file as a layer, limited to features whose property ``name`` is one of ``values`` ("": all).

    The GeoJSON text itself is the source, which GDAL reads. A project that names a file of the plugin would show an
    empty location map where the plugin is not installed.
    """
    data = json.loads((OUTLINE_FOLDER / file).read_text(encoding="utf-8"))
    if name:
        data["features"] = [feature for feature in data["features"] if feature["properties"].get(name) in values]
    # QGIS first tries to open it for writing, and GDAL prints an error
    with quiet_gdal():
        # the bar separates the options of a source, so it is escaped as JSON allows
        return QgsVectorLayer(json.dumps(data, separators=(",", ":")).replace("|", "\\u007c"), f"Cartoguide: {title}",
                              "ogr")


def _style_land(layer: QgsVectorLayer, looks: Tuple[Tuple[str, str, str, str], ...]) -> None:
    layer.setRenderer(QgsCategorizedSymbolRenderer("kind", [
        QgsRendererCategory(kind, QgsFillSymbol.createSimple(
            {"color": fill, "outline_color": outline, "outline_width": width}), kind)
        for kind, fill, outline, width in looks]))


def _style_places(layer: QgsVectorLayer, scale: float) -> None:
    layer.setRenderer(QgsSingleSymbolRenderer(QgsMarkerSymbol.createSimple(
        {"name": "circle", "color": "#4d5a52", "outline_style": "no", "size": f"{0.8 * scale:.2f}"})))
    text = QgsTextFormat()
    font = text.font()
    font.setFamily(next((family for family in FONT_FAMILIES if family in compat.font_families()), font.family()))
    text.setFont(font)
    text.setSize(size_of(TextRole.PLACE, scale))
    text.setSizeUnit(compat.points_unit())
    text.setColor(QColor("#3c4841"))
    buffer = QgsTextBufferSettings()
    buffer.setEnabled(True)
    buffer.setSize(0.35)
    buffer.setColor(QColor(247, 244, 234, 200))
    text.setBuffer(buffer)
    settings = QgsPalLayerSettings()
    settings.fieldName = "name"
    settings.setFormat(text)
    settings.dist = 0.5
    layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
    layer.setLabelsEnabled(True)

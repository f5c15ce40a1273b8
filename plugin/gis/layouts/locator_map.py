"""The location map: a coarse outline of the region around the map, with the map's extent on it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFillSymbol,
    QgsLayoutItemMap,
    QgsLineSymbol,
    QgsMapLayer,
    QgsMarkerSymbol,
    QgsPalLayerSettings,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
    QgsRendererCategory,
    QgsSingleSymbolRenderer,
    QgsTextBufferSettings,
    QgsTextFormat,
    QgsUnitTypes,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtGui import QColor

from ...core.i18n import tr
from ...core.resources import RESOURCES
from ..runtime import compat
from ..runtime.gdal import quiet_gdal
from . import layout_items
from .map_frame import WGS84, MapFrame, grown_to_ratio
from .text_fitting import FONT_FAMILIES

OUTLINE_FOLDER = RESOURCES / "outline"
_PROPERTY = "cartoguide/outline"
#: a map wider than this share of a view is shown on the next larger one
_LARGEST_SHARE = 0.5
#: kind of land, its fill, its outline and that one's width: on the location map, and below small maps
_LAND = (("neighbour", "#eceae2", "#c3c9c2", "0.1"), ("land", "#f7f4ea", "#9aa79e", "0.15"),
         ("region", "#d3e3d6", "#24513b", "0.22"))
_BACKGROUND_LAND = (("neighbour", "#f1f0ec", "#d5d8d3", "0.08"), ("land", "#f1f0ec", "#d5d8d3", "0.08"),
                    ("region", "#ffffff", "#d5d8d3", "0.08"))
#: the outline's lines are good for this scale and smaller ones
_OUTLINE_SCALE = 1_500_000


@dataclass(frozen=True)
class OutlineView:
    """A view of the outline: the box where maps belong to it and the box that it shows (west, south, east, north)."""

    name: str
    applies_to: Tuple[float, float, float, float]
    extent: Tuple[float, float, float, float]
    crs: str


_VIEWS = (OutlineView("region", (-7.6, 35.9, -1.5, 38.8), (-7.75, 35.85, -1.35, 38.95), "EPSG:25830"),
          OutlineView("peninsula", (-9.8, 35.8, 4.6, 44.0), (-10.2, 35.4, 5.0, 44.2), "EPSG:25830"),
          )


def fill_locator_map(layout: QgsPrintLayout, project: QgsProject, frame: MapFrame) -> Optional[str]:
    """Fill the layout's inset; where no outline holds the map, the inset is taken out and a note says so."""
    inset = layout_items.find_item(layout, layout_items.INSET, QgsLayoutItemMap)
    if inset is None:
        return None
    longitude, latitude = frame.centre
    span = _geographic_extent(layout, project).width()
    view = next((item for item in _VIEWS if item.applies_to[0] <= longitude <= item.applies_to[2] and
                 item.applies_to[1] <= latitude <= item.applies_to[3] and span < _LARGEST_SHARE *
                 (item.extent[2] - item.extent[0])), None)
    if view is None:
        heading = layout.itemById(layout_items.HEADING_PREFIX + "location")
        for item in (inset, heading):
            if item is not None:
                layout.removeLayoutItem(item)
        return tr("There is no outline of this part of the world, so the map goes without a location map.")
    crs = QgsCoordinateReferenceSystem(view.crs)
    inset.setCrs(crs)
    inset.setLayers(_locator_layers(project, view, inset.rect().width()))
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
    """What the map shows, in longitude and latitude."""
    item = layout_items.main_map(layout)
    if item is None:
        return QgsRectangle()
    return QgsCoordinateTransform(item.crs(), QgsCoordinateReferenceSystem(WGS84),
                                  project).transformBoundingBox(item.extent())


def outline_layers(project: QgsProject, frame: MapFrame) -> Tuple[List[QgsMapLayer], List[QgsMapLayer]]:
    """What lies above and below small maps of the whole region: its outline, and pale land; both empty elsewhere.

    Larger scales have neither: the outline is too coarse for them. The land is white, so that it looks like no colour
    of a legend.
    """
    longitude, latitude = frame.centre
    held = any(
        item.applies_to[0] <= longitude <= item.applies_to[2] and item.applies_to[1] <= latitude <= item.applies_to[3]
        for item in _VIEWS)
    if not held or frame.nominal_scale < _OUTLINE_SCALE:
        return [], []
    return [_outline_layer(project, "outline", "land.geojson", "",
                           1.0)], [_outline_layer(project, "ground", "land.geojson", "", 1.0)]


def empty_layer(project: QgsProject) -> QgsMapLayer:
    """A layer without features: a layout map with an empty list of layers would draw all that the project shows."""
    for layer in project.mapLayers().values():
        if layer.customProperty(_PROPERTY) == "nothing":
            return layer
    layer = _load_outline("places.geojson", "nothing", "view", ())
    layer.setCustomProperty(_PROPERTY, "nothing")
    layer.setFlags(layer.flags() | QgsMapLayer.LayerFlag.Private)
    project.addMapLayer(layer, False)
    return layer


def _locator_layers(project: QgsProject, view: OutlineView, width: float) -> List[QgsMapLayer]:
    """The outline's layers, top first; kept in the project (hidden) because a layout draws only the project's layers.
    """
    scale = max(1.0, width / 62.0)
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
    kept = ("view", (view, "both")) if view else ("kind", ("region",)) if name == "outline" else ("", ())
    layer = _load_outline(file, name, *kept)
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
    """The outline's file as a layer, of its features those whose property ``name`` is one of ``values`` ("": all).

    Its text is its source, which GDAL's GeoJSON driver reads: a project that names a file of the plugin would show an
    empty location map where the plugin is not.
    """
    data = json.loads((OUTLINE_FOLDER / file).read_text(encoding="utf-8"))
    if name:
        data["features"] = [one for one in data["features"] if one["properties"].get(name) in values]
    # QGIS first opens it to be written, which GDAL refuses on the console
    with quiet_gdal():
        # the bar parts a source's options, and is a letter like another in JSON's own spelling
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
    text.setSize(4.8 * scale)
    text.setSizeUnit(QgsUnitTypes.RenderUnit.RenderPoints)
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

"""The location map: a coarse outline of the surrounding region with the map's extent on it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsCentroidFillSymbolLayer,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsFillSymbol,
    QgsGeometry,
    QgsLayoutItem,
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
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QColor

from ...core.box import Box
from ...core.custommap.ground_scale import has_outline
from ...core.i18n import tr
from ...core.page_design.page_themes import PageTheme
from ...core.page_design.type_scale import TextRole
from ...core.resources import RESOURCES
from ..runtime import compat, page_fonts
from ..runtime.gdal import quiet_gdal
from ..sources.layer_source import OUTLINE
from . import layout_items, text_fitting
from .map_frame import WGS84, MapFrame, grown_to_ratio
from .page_theme import layout_theme
from .text_fitting import FONT_FAMILIES

OUTLINE_FOLDER = RESOURCES / "outline"
#: maps wider than this share of a view use the next larger one, and those wider than this share of the largest none
_LARGEST_SHARE, _SHARE_OF_ALL = 0.5, 0.75
#: kind of land, fill, outline colour and outline width below small maps
_BACKGROUND_LAND = (("neighbour", "#f1f0ec", "#d5d8d3", "0.08"), ("land", "#f1f0ec", "#d5d8d3", "0.08"),
                    ("region", "#ffffff", "#d5d8d3", "0.08"))
#: colour of the sea around that land
PALE_SEA = "#eef3f5"
#: distances across and along within which the names of two places collide, and a name with the outline of the map, in
#: millimetres on A4
_NAME_ROOM, _MARK_ROOM = (5.5, 3.3), (8.5, 3.8)
#: how far from the middle of a view, as a share of it, a map may be that is not small beside it, and the shares across
#: and along of such a map in its surroundings, which are shown instead
_ASIDE, _SMALL, _SHARE_ACROSS, _SHARE_ALONG = 0.12, 0.25, 0.45, 0.7
#: least width over height of a location map that grows, and least millimetres on A4 by which it does
_HIGHEST, _LEAST_TAKEN = 1.5, 3.0
#: diameter in millimetres on A4 of the dot that marks a map which would be smaller than that on the location map
_LEAST_MARK = 2.2
#: part of their width or height that is shown around the sheets of a book
_AROUND_SHEETS = 0.06
#: beginning of the key of the layer of a view's places, which the view's name ends
_PLACES = "places-"
#: easting and northing in the CRS of the views beyond which the outline lacks land
_OUTLINE_END = 1_150_000.0, 5_040_000.0
#: least share of the region's bounds in an area that shows the region, and how many times as large that may be
_REGION_SHOWN, _REGION_LOST = 0.9, 3.0


@dataclass(frozen=True)
class OutlineView:
    """A view of the outline, with two extents in degrees.

    Maps whose centre is in ``applies_to`` use the view, which shows ``extent``.
    """

    name: str
    applies_to: Box
    extent: Box
    crs: str

    def covers(self, longitude: float, latitude: float) -> bool:
        """Return whether a map with this centre belongs to the view."""
        return self.applies_to.intersects(Box(longitude, latitude, longitude, latitude))


@dataclass(frozen=True)
class _LocatorLook:
    """Colours of the location map, size of its marks as a share of A4's, points of its names, and the names."""

    theme: PageTheme
    scale: float
    points: float
    names: Tuple[str, ...]

    def key(self, name: str) -> str:
        """Return a key of the layer that is different for each look."""
        theme = self.theme
        colours = (theme.place, theme.region, theme.land, theme.heading, theme.muted)
        return f"{name}@{self.scale:.2f}/{self.points:.2f}/{','.join((*colours, *self.names))}"

    def land(self) -> Tuple[Tuple[str, str, str, str], ...]:
        """Return kind of land, fill, outline colour and outline width."""
        theme = self.theme
        return (("neighbour", theme.neighbour, theme.border, "0.1"), ("land", theme.land, theme.border, "0.15"),
                ("region", theme.region, theme.heading, "0.22"))


_VIEWS = (OutlineView("region", Box(-7.6, 35.9, -1.5, 38.8), Box(-7.75, 35.85, -1.35, 38.95), "EPSG:25830"),
          OutlineView("peninsula", Box(-9.8, 35.8, 4.6, 44.0), Box(-10.2, 35.4, 5.0, 44.2), "EPSG:25830"),
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
                 and span < (_SHARE_OF_ALL if view is _VIEWS[-1] else _LARGEST_SHARE) * view.extent.width), None)
    if view is None:
        heading = layout.itemById(layout_items.HEADING_PREFIX + "location")
        for obsolete in (inset, heading):
            if obsolete is not None:
                layout.removeLayoutItem(obsolete)
        return tr("There is no outline map of this area, so the location map is left out.")
    inset.setCrs(QgsCoordinateReferenceSystem(view.crs))
    inset.setKeepLayerSet(True)
    _show_view(inset, view, project)
    main = layout_items.main_map(layout)
    for overview in inset.overviews().asList():
        overview.setLinkedMap(main)
    return None


def enlarge_locator_map(layout: QgsPrintLayout, free: float) -> float:
    """Let the location map grow upwards into a free height, with its heading. Return the millimetres that it took."""
    inset = layout_items.find_item(layout, layout_items.INSET, QgsLayoutItemMap)
    view = next((view for view in _VIEWS if inset is not None and any(
        _has_places(layer, view.name) for layer in inset.layers())), None)
    if inset is None or view is None:
        return 0.0
    place, width = inset.pagePos(), inset.rect().width()
    taken = min(free, float(width / _HIGHEST - inset.rect().height()))
    if taken < _LEAST_TAKEN * text_fitting.space_factor(layout):
        return 0.0
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + "location", QgsLayoutItem)
    if heading is not None:
        layout_items.place_item(heading, QRectF(heading.pagePos(), heading.rect().size()).translated(0, -taken))
    layout_items.place_item(inset, QRectF(place.x(), place.y() - taken, width, inset.rect().height() + taken))
    _show_view(inset, view, inset.layers()[0].project())
    return taken


def locate_among_sheets(layouts: Sequence[QgsPrintLayout], areas: Sequence[Optional[QgsGeometry]],
                        crs: QgsCoordinateReferenceSystem, project: QgsProject) -> None:
    """Let the location maps of a book's sheets show all sheets with their numbers in place of the whole region.

    ``areas`` are those of the sheets, in ``crs``. No-op for one sheet, and for sheets that are large in their region.
    """
    placed = [(number, QgsGeometry(area)) for number, area in enumerate(areas, 1) if area is not None]
    insets = [(layout, inset) for layout in layouts
              for inset in [layout_items.find_item(layout, layout_items.INSET, QgsLayoutItemMap)] if inset is not None]
    if len(placed) < 2 or not insets:
        return
    to_degrees = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem(WGS84), project)
    to_inset = QgsCoordinateTransform(crs, insets[0][1].crs(), project)
    bounds, features = QgsRectangle(), []
    try:
        for number, area in placed:
            bounds.combineExtentWith(to_inset.transformBoundingBox(area.boundingBox()))
            area.transform(to_degrees)
            ring = [[vertex.x(), vertex.y()] for vertex in area.vertices()]
            features.append({"type": "Feature", "properties": {"sheet": str(number)},
                             "geometry": {"type": "Polygon", "coordinates": [ring]}})
    except QgsCsException:
        return
    layout, inset = insets[0]
    bounds = grown_to_ratio(bounds.buffered(_AROUND_SHEETS * max(bounds.width(), bounds.height())),
                            inset.rect().width() / inset.rect().height())
    if bounds.width() > _LARGEST_SHARE * inset.extent().width():
        return
    scale = text_fitting.type_factor(layout) or max(1.0, inset.rect().width() / 62.0)
    sheets = _text_layer({"type": "FeatureCollection", "features": features}, "sheets")
    theme = layout_theme(layout)
    sheets.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": theme.heading, "outline_width": f"{0.15 * scale:.2f}"})))
    _label(sheets, "sheet", text_fitting.role_points(layout, TextRole.PLACE, scale), theme)
    sheets.setCustomProperty(OUTLINE, "sheets")
    sheets.setFlags(sheets.flags() | QgsMapLayer.LayerFlag.Private)
    project.addMapLayer(sheets, False)
    for _layout, inset in insets:
        inset.setLayers([sheets, *(layer for layer in inset.layers() if not _has_places(layer))])
        inset.setExtent(grown_to_ratio(bounds, inset.rect().width() / inset.rect().height()))
        # beside the region it may have been a dot
        area = _main_area(inset, project)
        _mark_small_map(inset, max(area.width(), area.height()), scale)


def _main_area(inset: QgsLayoutItemMap, project: QgsProject) -> QgsRectangle:
    """Return the area of the main map in the CRS of the location map, an empty one without a main map."""
    main = layout_items.main_map(inset.layout())
    return QgsRectangle() if main is None else QgsCoordinateTransform(
        main.crs(), inset.crs(), project).transformBoundingBox(layout_items.visible_bounds(main))


def _has_places(layer: QgsMapLayer, view: str = "") -> bool:
    """Return whether a layer has the names of the places of this view, or of any."""
    return str(layer.customProperty(OUTLINE) or "").startswith(f"{_PLACES}{view}")


def _show_view(inset: QgsLayoutItemMap, view: OutlineView, project: QgsProject) -> None:
    """Let the location map show a view of the outline, or the surroundings of a map that the view has at its edge."""
    layout, main = inset.layout(), layout_items.main_map(inset.layout())
    scale = text_fitting.type_factor(layout) or max(1.0, inset.rect().width() / 62.0)
    transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem(WGS84), inset.crs(), project)
    ratio = inset.rect().width() / inset.rect().height()
    shown = _before_end(grown_to_ratio(transform.transformBoundingBox(QgsRectangle(*view.extent)), ratio))
    area = shown if main is None else _main_area(inset, project)
    aside = max(abs(area.center().x() - shown.center().x()) / shown.width(),
                abs(area.center().y() - shown.center().y()) / shown.height())
    if view is _VIEWS[-1] and aside > _ASIDE and area.width() > _SMALL * shown.width():
        width = max(area.width() / _SHARE_ACROSS, area.height() * ratio / _SHARE_ALONG)
        shown = _before_end(QgsRectangle.fromCenterAndSize(area.center(), width, width / ratio))
    inset.setExtent(shown)
    _mark_small_map(inset, max(area.width(), area.height()), scale)
    names = _legible_places(view, transform, area, scale * shown.width() / inset.rect().width())
    inset.setLayers(_locator_layers(project, view, scale, layout, names))


def _mark_small_map(inset: QgsLayoutItemMap, side: float, scale: float) -> None:
    """Let a dot show where a map lies that is too small beside the location map to be seen there.

    ``side`` is the longer side of the map's area in units of the location map, ``scale`` the size of marks as a share
    of A4's.
    """
    least = _LEAST_MARK * scale
    for overview in inset.overviews().asList():
        symbol = overview.frameSymbol().clone()
        last = symbol.symbolLayerCount() - 1
        if isinstance(symbol.symbolLayer(last), QgsCentroidFillSymbolLayer):
            symbol.deleteSymbolLayer(last)
        is_small = side * inset.rect().width() < least * inset.extent().width()
        # the corners of the area are further out than the dot is wide
        symbol.symbolLayer(0).setEnabled(not is_small)
        if is_small:
            outline = symbol.symbolLayer(0).strokeColor()
            dot = QgsCentroidFillSymbolLayer()
            dot.setSubSymbol(QgsMarkerSymbol.createSimple(
                {"name": "circle", "size": f"{least:.2f}", "color": outline.name(), "outline_color": "#ffffff",
                 "outline_width": f"{0.2 * scale:.2f}"}))
            symbol.appendSymbolLayer(dot)
        overview.setFrameSymbol(symbol)


def _before_end(shown: QgsRectangle) -> QgsRectangle:
    """Move what is shown to before the outline's end, behind which sea would be drawn for land."""
    east, north = min(shown.xMaximum(), _OUTLINE_END[0]), min(shown.yMaximum(), _OUTLINE_END[1])
    return QgsRectangle(east - shown.width(), north - shown.height(), east, north)


def _legible_places(view: OutlineView, transform: QgsCoordinateTransform, area: QgsRectangle,
                    unit: float) -> Tuple[str, ...]:
    """Return the names of the view's places that have room beside more important ones, which come first in the file.

    None lies on the outline of the map's ``area``. ``unit`` is a millimetre of A4 on the location map in metres.
    """
    across, along = (distance * unit for distance in _MARK_ROOM)
    outside = QgsRectangle(area.xMinimum() - across, area.yMinimum() - along, area.xMaximum() + across,
                           area.yMaximum() + along)
    inside = QgsRectangle()
    if area.width() > 2 * across and area.height() > 2 * along:
        inside = QgsRectangle(area.xMinimum() + across, area.yMinimum() + along, area.xMaximum() - across,
                              area.yMaximum() - along)
    taken: List[QgsPointXY] = []
    shown = []
    for place in json.loads((OUTLINE_FOLDER / "places.geojson").read_text(encoding="utf-8"))["features"]:
        point = transform.transform(QgsPointXY(*place["geometry"]["coordinates"]))
        if place["properties"]["view"] not in (view.name, "both") or outside.contains(point) and not inside.contains(
                point):
            continue
        if all(abs(point.x() - other.x()) > _NAME_ROOM[0] * unit or abs(point.y() - other.y()) > _NAME_ROOM[1] * unit
               for other in taken):
            taken.append(point)
            shown.append(str(place["properties"]["name"]))
    return tuple(shown)


def _geographic_extent(layout: QgsPrintLayout, project: QgsProject) -> QgsRectangle:
    """Return the map's extent in longitude and latitude."""
    item = layout_items.main_map(layout)
    if item is None:
        return QgsRectangle()
    return QgsCoordinateTransform(item.crs(), QgsCoordinateReferenceSystem(WGS84),
                                  project).transformBoundingBox(layout_items.visible_bounds(item))


def outline_layers(project: QgsProject, frame: MapFrame,
                   layout: QgsPrintLayout) -> Tuple[List[QgsMapLayer], List[QgsMapLayer]]:
    """Return the layers above and below small maps of the whole region: its outline, and pale land.

    Both are empty elsewhere and at larger scales, for which the outline is too coarse. A large paper is seen from as
    far as its type is large. The land is white, so that it resembles no colour of a legend.
    """
    longitude, latitude = frame.centre
    if not any(view.covers(longitude, latitude) for view in _VIEWS) or not (
            has_outline(frame.scale, text_fitting.type_factor(layout) or 1.0)):
        return [], []
    return [_outline_layer(project, "outline", "land.geojson", "")], [
        _outline_layer(project, "ground", "land.geojson", "")]


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
        if layer.customProperty(OUTLINE) == "nothing":
            return layer
    layer = _load_outline("places.geojson", "nothing", "view", ())
    layer.setCustomProperty(OUTLINE, "nothing")
    layer.setFlags(layer.flags() | QgsMapLayer.LayerFlag.Private)
    project.addMapLayer(layer, False)
    return layer


def _locator_layers(project: QgsProject, view: OutlineView, scale: float, layout: QgsPrintLayout,
                    names: Tuple[str, ...]) -> List[QgsMapLayer]:
    """Return the outline's layers in the layout's colours, top first, with places ``scale`` times as large as on A4.

    They are added to the project (hidden), because a layout draws only the project's layers.
    """
    look = _LocatorLook(layout_theme(layout), scale, text_fitting.role_points(layout, TextRole.PLACE, scale), names)
    return [
        _outline_layer(project, f"{_PLACES}{view.name}", "places.geojson", view.name, look),
        _outline_layer(project, "borders", "borders.geojson", "", look),
        _outline_layer(project, "land", "land.geojson", "", look)
    ]


def _outline_layer(project: QgsProject, name: str, file: str, view: str,
                   look: Optional[_LocatorLook] = None) -> QgsMapLayer:
    """Return a layer of the outline that looks like this, "" for none. Without a look it is for small maps."""
    key = name if look is None else look.key(name)
    for layer in project.mapLayers().values():
        if layer.customProperty(OUTLINE) == key and layer.isValid():
            return layer
    feature_filter = ("name", look.names) if view and look else ("kind", ("region",)) if name == "outline" else ("", ())
    layer = _load_outline(file, name, *feature_filter)
    layer.setCustomProperty(OUTLINE, key)
    layer.setFlags(layer.flags() | QgsMapLayer.LayerFlag.Private)
    if view and look is not None:
        _style_places(layer, look)
    elif name == "outline":
        layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple(
            {"style": "no", "outline_color": "#4d5a52", "outline_width": "0.15"})))
    elif file.startswith("land"):
        _style_land(layer, _BACKGROUND_LAND if look is None else look.land())
    elif look is not None:
        layer.setRenderer(QgsSingleSymbolRenderer(QgsLineSymbol.createSimple(
            {"line_color": look.theme.border, "line_width": "0.15", "line_style": "dash"})))
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
    return _text_layer(data, title)


def _text_layer(data: Dict[str, Any], title: str) -> QgsVectorLayer:
    """Return a layer whose source is the text of this GeoJSON."""
    # QGIS first tries to open it for writing, and GDAL prints an error
    with quiet_gdal():
        # the bar separates the options of a source, so it is escaped as JSON allows
        return QgsVectorLayer(json.dumps(data, separators=(",", ":")).replace("|", "\\u007c"), f"Cartoguide: {title}",
                              "ogr")


def _style_land(layer: QgsVectorLayer, styles: Tuple[Tuple[str, str, str, str], ...]) -> None:
    layer.setRenderer(QgsCategorizedSymbolRenderer("kind", [
        QgsRendererCategory(kind, QgsFillSymbol.createSimple(
            {"color": fill, "outline_color": outline, "outline_width": width}), kind)
        for kind, fill, outline, width in styles]))


def _style_places(layer: QgsVectorLayer, look: _LocatorLook) -> None:
    layer.setRenderer(QgsSingleSymbolRenderer(QgsMarkerSymbol.createSimple(
        {"name": "circle", "color": look.theme.muted, "outline_style": "no", "size": f"{0.8 * look.scale:.2f}"})))
    _label(layer, "name", look.points, look.theme)


def _label(layer: QgsVectorLayer, field: str, points: float, theme: PageTheme) -> None:
    """Write a field of each feature beside its point, or into its area."""
    text = QgsTextFormat()
    font = text.font()
    available = page_fonts.available_families()
    font.setFamily(next((family for family in FONT_FAMILIES if family in available), font.family()))
    text.setFont(font)
    text.setSize(points)
    text.setSizeUnit(compat.points_unit())
    text.setColor(QColor(theme.place))
    buffer = QgsTextBufferSettings()
    buffer.setEnabled(True)
    buffer.setSize(0.35)
    halo = QColor(theme.land)
    halo.setAlpha(200)
    buffer.setColor(halo)
    text.setBuffer(buffer)
    settings = QgsPalLayerSettings()
    settings.fieldName = field
    settings.setFormat(text)
    settings.dist = 0.5
    layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
    layer.setLabelsEnabled(True)

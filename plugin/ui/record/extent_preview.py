"""Small map of a record's extents, painted from the world outlines installed with QGIS without any network request."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator, Optional, Sequence

from qgis.core import (
    QgsApplication,
    QgsFeature,
    QgsFeatureRequest,
    QgsMapToPixelSimplifier,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QObject, QPointF, QRectF, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QTransform
from qgis.PyQt.QtWidgets import QWidget

from ...core.i18n import tr
from ...core.records.model.record import Extent
from ...gis.runtime.conversions import extent_rectangles
from ..widgets.theme import ThemeColours, mix_colours

#: least height of the map in degrees, so that a small extent is shown with some land around it
_MIN_VIEW_DEGREES = 5.0
#: maps wider than this, in degrees, share one path of the whole world
_WORLD_VIEW_DEGREES = 120.0
#: QgsMapToPixelSimplifier.SimplifyGeometry: its flags are plain numbers in every version
_SIMPLIFY_GEOMETRY = 1
#: images in the cache
_CACHE_SIZE = 24


def extent_text(extent: Extent) -> str:
    """Return an extent as text: "3.7° W to 3.3° W, 38.3° N to 38.5° N"."""
    def side(value: Optional[float], positive: str, negative: str) -> str:
        if value is None:
            return "?"
        return f"{abs(value):.2f}".rstrip("0").rstrip(".") + "°\u00a0" + (negative if value < 0 else positive)

    east, west, north, south = tr("E"), tr("W"), tr("N"), tr("S")
    return tr("{west} to {east}, {south} to {north}", west=side(extent.west, east, west),
              east=side(extent.east, east, west), south=side(extent.south, north, south),
              north=side(extent.north, north, south))


class ExtentPainter(QObject):
    """Painter of extents on land and sea. It opens the world outlines once, and ``owner`` owns their layers.

    The land of the whole world is read in steps, between which the window responds. Until then wide views are painted
    without it. ``land_read`` is emitted when it is there.
    """

    land_read = pyqtSignal()

    def __init__(self, owner: QObject) -> None:
        super().__init__(owner)
        self._owner = owner
        self._layers: dict[str, Optional[QgsVectorLayer]] = {}
        self._world: Optional[QPainterPath] = None
        self._steps: Optional[Iterator[None]] = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._run_step)
        self._cache: dict[tuple[object, ...], QImage] = {}

    def draw(self, widget: QWidget, extents: Sequence[Extent], width: int, height: int) -> Optional[QImage]:
        """Return an image of the extents in the theme's colours, or None if none of them is usable.

        ``width`` and ``height`` are in the widget's logical pixels.
        """
        boxes = extent_rectangles(extents)
        if not boxes or width < 40 or height < 40:
            return None
        colours = ThemeColours(widget)
        key = (tuple(extents), width, height, colours.base.name(), widget.devicePixelRatioF())
        if key in self._cache:
            return self._cache[key]
        image = self._draw(boxes, width, height, colours, widget.devicePixelRatioF())
        if self._steps is None:
            while len(self._cache) >= _CACHE_SIZE:
                self._cache.pop(next(iter(self._cache)))
            self._cache[key] = image
        return image

    def _draw(self, boxes: Sequence[QgsRectangle], width: int, height: int, colours: ThemeColours,
              ratio: float) -> QImage:
        view = _view_rectangle(boxes, width / height)
        image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(colours.sea)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(ratio, ratio)
        scale_x, scale_y = width / view.width(), height / view.height()

        def place(x: float, y: float) -> QPointF:
            return QPointF((x - view.xMinimum()) * scale_x, (view.yMaximum() - y) * scale_y)

        to_pixels = QTransform(scale_x, 0, 0, -scale_y, -view.xMinimum() * scale_x, view.yMaximum() * scale_y)
        land = to_pixels.map(self._outline("countries", view))
        painter.fillPath(land, colours.land)
        if view.width() < 60:
            provinces = to_pixels.map(self._outline("states_provinces", view))
            painter.strokePath(provinces, QPen(mix_colours(colours.land, colours.text, 0.2), 0.6))
        painter.strokePath(land, QPen(colours.muted, 0.8))
        _paint_rectangles(
            painter,
            [QRectF(place(box.xMinimum(), box.yMaximum()), place(box.xMaximum(), box.yMinimum()))
             for box in boxes], colours.accent)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colours.line, 1))
        painter.drawRect(QRectF(0.5, 0.5, width - 1, height - 1))
        painter.end()
        return image

    def _outline(self, name: str, view: QgsRectangle) -> QPainterPath:
        """Return the outlines of a world layer within ``view`` in degrees. Empty if QGIS has no world map installed."""
        if view.width() > _WORLD_VIEW_DEGREES:
            return self._world_land()
        layer = self._layer(name)
        return _path(_read_features(layer, view), view) if layer is not None else QPainterPath()

    def _layer(self, name: str) -> Optional[QgsVectorLayer]:
        if name not in self._layers:
            self._layers[name] = _open_world_layer(name, self._owner)
        return self._layers[name]

    def _world_land(self) -> QPainterPath:
        """Return the land of the whole world, empty while it is being read."""
        if self._world is not None:
            return self._world
        if self._steps is None:
            self._steps = self._read_world()
            self._timer.start()
        return QPainterPath()

    def _run_step(self) -> None:
        if self._steps is None:
            return
        try:
            next(self._steps)
        except StopIteration:
            self._steps = None
            self.land_read.emit()
        else:
            self._timer.start()

    def _read_world(self) -> Iterator[None]:
        """Read the land of the whole world. Together the steps take 80 ms of processor time, the longest one 30 ms."""
        whole = QgsRectangle(-180.0, -90.0, 180.0, 90.0)
        layer = self._layer("countries")
        yield
        features = _read_features(layer, whole) if layer is not None else []
        yield
        path = _path(features, whole)
        yield
        self._world = _without_small_islands(path, whole.width() / 300)


def _read_features(layer: QgsVectorLayer, view: QgsRectangle) -> list[QgsFeature]:
    request = QgsFeatureRequest().setFilterRect(view.buffered(view.width() * 0.05)).setSubsetOfAttributes([])
    return list(layer.getFeatures(request))


def _path(features: Sequence[QgsFeature], view: QgsRectangle) -> QPainterPath:
    """Return outlines with a tolerance of half a pixel. All points of the world take 0.25 s to paint."""
    path = QPainterPath()
    coarse = QgsMapToPixelSimplifier(_SIMPLIFY_GEOMETRY, view.width() / 600)
    for feature in features:
        geometry = coarse.simplify(feature.geometry())  # which owns the shape below
        shape = geometry.constGet()
        if shape is not None:
            path.addPath(shape.asQPainterPath())
    return path


def _without_small_islands(path: QPainterPath, degrees: float) -> QPainterPath:
    """Return the path without the thousands of islands that are smaller than a pixel."""
    visible = QPainterPath()
    for ring in path.toSubpathPolygons():
        box = ring.boundingRect()
        if box.width() + box.height() >= degrees:
            visible.addPolygon(ring)
    return visible


def _paint_rectangles(painter: QPainter, boxes: Sequence[QRectF], colour: QColor) -> None:
    """Paint the extents, and a ring around each that is too small to see."""
    for box in boxes:
        painter.setPen(QPen(colour, 1.6))
        fill = QColor(colour)
        fill.setAlpha(60)
        painter.setBrush(fill)
        painter.drawRect(box)
        if max(box.width(), box.height()) < 12:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(box.center(), 9, 9)


def _view_rectangle(boxes: Sequence[QgsRectangle], aspect: float) -> QgsRectangle:
    """Return the rectangle on display in degrees: the extents with a margin, in the image's aspect ratio."""
    whole = QgsRectangle(boxes[0])
    for box in boxes[1:]:
        whole.combineExtentWith(box)
    height = min(max(whole.height() * 1.6, whole.width() * 1.6 / aspect, _MIN_VIEW_DEGREES), 180.0)
    width = min(height * aspect, 400.0)
    centre = whole.center()
    return QgsRectangle.fromCenterAndSize(centre, width, height)


def _open_world_layer(name: str, owner: QObject) -> Optional[QgsVectorLayer]:
    path = Path(QgsApplication.pkgDataPath()) / "resources" / "data" / "world_map.gpkg"
    layer = QgsVectorLayer(f"{path}|layername={name}", name, "ogr") if path.exists() else None
    if layer is None or not layer.isValid():
        return None
    # Python may collect its objects after QGIS has ended, so the widget owns the layer
    layer.setParent(owner)
    return layer

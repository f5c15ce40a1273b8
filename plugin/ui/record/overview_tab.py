"""Overview tab: images, abstract, contacts, dates, extents and keywords of a record on one page."""

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
from qgis.PyQt.QtCore import QEvent, QObject, QPointF, QRectF, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QResizeEvent, QTransform
from qgis.PyQt.QtWidgets import QStyle, QWidget

from ...app.phrases import short_address
from ...core.dates import format_day
from ...core.i18n import tr
from ...core.numbers import format_figures
from ...core.records.model.codelists import code_label
from ...core.records.model.extents import drawable_extents
from ...core.records.model.languages import language_label
from ...core.records.model.record import STARTER_KEYWORD, Contact, Extent, OnlineResource, Record, is_starter
from ...core.review.report.html_fragments import date_html, html_link
from ...core.text import escaped
from ...gis.library.thumbnails import AS_OF_KEY
from ..widgets.rich_text import RichTextView, html_paragraphs, html_table
from ..widgets.theme import ThemeColours, mix_colours, on_white_background

#: least height of the map in degrees, so that a small extent is shown with some land around it
_MIN_VIEW_DEGREES = 5.0
#: maps wider than this, in degrees, share one path of the whole world
_WORLD_VIEW_DEGREES = 120.0
#: QgsMapToPixelSimplifier.SimplifyGeometry: its flags are plain numbers in every version
_SIMPLIFY_GEOMETRY = 1
#: images in the cache
_CACHE_SIZE = 24
_MAP_RATIO = 0.5
_MAX_WIDTH = 420
_MAX_THUMBNAIL_HEIGHT = 130
#: characters of a link's text that says more than a layer's number
_LEAST_LINK_LENGTH = 4


def extent_text(extent: Extent) -> str:
    """Return an extent as text: "3.7° W to 3.3° W, 38.3° N to 38.5° N"."""
    def side(value: Optional[float], positive: str, negative: str) -> str:
        if value is None:
            return "?"
        return format_figures(round(abs(value), 2)) + "°\u00a0" + (negative if value < 0 else positive)

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
        boxes = [QgsRectangle(*box) for box in drawable_extents(extents)]
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


class OverviewTab(RichTextView):
    """Page with the most important facts. ``refresh_requested`` is emitted by the link of a starter record."""

    refresh_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Overview of the record"), parent)
        self._painter = ExtentPainter(self)
        self._record: Optional[Record] = None
        self._thumbnails: dict[str, QImage] = {}
        self._thumbnail_dates: dict[str, str] = {}
        self._shows_thumbnails = True
        self._shown_width = 0
        self._render_pending = False
        self._render_timer = QTimer(self)
        self._render_timer.setSingleShot(True)
        self._render_timer.setInterval(60)
        self._render_timer.timeout.connect(self._render)
        self._painter.land_read.connect(self._render_timer.start)
        self.link_clicked.connect(self._open_inner_link)

    def show_record(self, record: Record) -> None:
        """Show ``record``. Its images follow by ``show_thumbnail``."""
        self._record = record
        self._thumbnails, self._thumbnail_dates = {}, {}
        self._render_pending = True
        if self.isVisible():
            self._render_from_top()

    def show_thumbnail(self, url: str, image: QImage) -> None:
        """Show an image of the record's overviews. Images of other records are ignored."""
        if self._record and any(overview.url == url for overview in self._record.overviews) and not image.isNull():
            self._thumbnails[url] = on_white_background(image)
            self._thumbnail_dates[url] = image.text(AS_OF_KEY)
            if not self._render_pending:
                self._render_timer.start()

    def show_thumbnails(self, is_shown: bool) -> None:
        """Show the record's thumbnail, or leave it out where the page has a map of its service already."""
        if is_shown != self._shows_thumbnails:
            self._shows_thumbnails = is_shown
            if self._thumbnails and not self._render_pending:
                self._render_timer.start()

    def showEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: render the page if that is pending."""
        super().showEvent(event)
        if self._render_pending:
            self._render_from_top()

    def _render_from_top(self) -> None:
        self._render_pending = False
        self._render()
        self.verticalScrollBar().setValue(0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: fit the images to the width of the page."""
        super().resizeEvent(event)
        if self._record and not self._render_pending and abs(self._page_width() - self._shown_width) > 3:
            self._render_timer.start()

    def _page_width(self) -> int:
        # with room for the scroll bar: images that make it appear and disappear would be rendered forever
        room = self.width() - 2 * self.frameWidth() - self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return int(max(80, min(room - 2 * round(self.document().documentMargin()) - 4, _MAX_WIDTH)))

    def _render(self) -> None:
        record = self._record
        if record is None:
            return
        self._shown_width = width = self._page_width()
        images: dict[str, QImage] = {}
        no_abstract = f'<p class="quiet">{escaped(tr("This record has no abstract."))}</p>'
        parts = [self._starter_note(record), self._thumbnail_html(record, width, images),
                 html_paragraphs(record.abstract) if record.abstract else no_abstract,
                 html_table(_fact_rows(record))]
        map_image = self._painter.draw(self, record.extents, width, round(width * _MAP_RATIO))
        if map_image is not None:
            images["map"] = map_image
            extents = "; ".join(extent_text(extent) for extent in record.extents)
            parts.append(f'<p><img src="map" width="{width}" height="{round(width * _MAP_RATIO)}" '
                         f'alt="{escaped(extents)}"></p>')
        keywords = [word for word in record.keywords if word != STARTER_KEYWORD]
        if keywords:
            chips = "&nbsp; ".join(f'<span class="chip">&nbsp;{_without_line_breaks(word)}&nbsp;</span>'
                                   for word in keywords)
            parts.append(f"<p>{chips}</p>")
        scroll_position = self.verticalScrollBar().value()
        self.show_html("".join(parts), images)
        self.verticalScrollBar().setValue(scroll_position)

    @staticmethod
    def _starter_note(record: Record) -> str:
        if not is_starter(record):
            return ""
        note = tr("Starter record: basic facts about the service until the record is loaded from the catalogue.")
        return (f'<p class="quiet">{escaped(note)} '
                f'<a href="#refresh">{escaped(tr("Refresh from the catalogue"))}</a></p>')

    def _thumbnail_html(self, record: Record, width: int, images: dict[str, QImage]) -> str:
        """Return HTML for the largest image that was loaded, never enlarged."""
        if not self._thumbnails or not self._shows_thumbnails:
            return ""
        url, image = max(self._thumbnails.items(), key=lambda item: item[1].width())
        fit = min(1.0, width / image.width(), _MAX_THUMBNAIL_HEIGHT / image.height())
        images["thumbnail"] = image
        description = next((overview.description for overview in record.overviews if overview.url == url), None)
        width, height = round(image.width() * fit), round(image.height() * fit)
        since = self._thumbnail_dates.get(url)
        old = tr("This image was loaded on {day}. Its server does not respond now.",
                 day=format_day(since)) if since else ""
        return (f'<p><img src="thumbnail" width="{width}" height="{height}" '
                f'alt="{escaped(description or tr("Thumbnail"))}"></p>'
                + (f'<p class="quiet">{escaped(old)}</p>' if old else ""))

    def _open_inner_link(self, address: str) -> None:
        if address == "#refresh":
            self.refresh_requested.emit()


def _fact_rows(record: Record) -> list[tuple[str, str]]:
    """Return pairs of label and HTML value of the most important facts."""
    rows = [(code_label("CI_DateTypeCode", date.type) if date.type else tr("Date"), date_html(date.value))
            for date in record.dates]
    rows.append((tr("Status"), escaped(", ".join(code_label("MD_ProgressCode", code) for code in record.status))))
    rows += [(_role_label(contact), _contact_html(contact)) for contact in record.contacts]
    rows += [(tr("Period"), _period_html(extent.begin, extent.end)) for extent in record.temporal_extents]
    if record.extents and not drawable_extents(record.extents):
        rows.append((tr("Extent"), escaped(tr("The record states no usable extent."))))
    else:
        rows += [(tr("Extent"), escaped(extent_text(extent))) for extent in record.extents[:3]]
    rows.append((tr("Language"), escaped(language_label(record.language)) if record.language else ""))
    rows.append((tr("Links"), "<br>".join(
        html_link(online.url, _link_label(online)) for online in record.online)))
    return rows


def _link_label(online: OnlineResource) -> str:
    """Return the text of a link: what its record says of it, with its address where that is a mere code such as "0"."""
    label = online.description or online.name or online.distribution_units or ""
    if len(label) >= _LEAST_LINK_LENGTH:
        return label
    address = short_address(online.url)
    return f"{label} · {address}" if label else address


def _without_line_breaks(text: str) -> str:
    """Return a short text as HTML that is not broken into lines."""
    return escaped(text).replace(" ", "&nbsp;") if len(text) <= 40 else escaped(text)


def _role_label(contact: Contact) -> str:
    return code_label("CI_RoleCode", contact.role) if contact.role else tr("Contact")


def _contact_html(contact: Contact) -> str:
    """Return organisation, person, position, mail addresses, phones and link as lines of HTML."""
    lines = [escaped(text) for text in (contact.organisation, contact.individual, contact.position) if text]
    lines += [escaped(email) for email in contact.emails]
    lines += [escaped(phone) for phone in contact.phones]
    if contact.url:
        lines.append(html_link(contact.url))
    return "<br>".join(lines)


def _period_html(begin: Optional[str], end: Optional[str]) -> str:
    if begin == end:
        return date_html(begin)
    return tr("{begin} to {end}", begin=date_html(begin) or "…", end=date_html(end) or "…")


def overview_urls(record: Record) -> Sequence[str]:
    """Return the addresses of the record's overviews, large ones last."""
    return sorted((overview.url for overview in record.overviews), key=lambda url: "large" in url.lower())

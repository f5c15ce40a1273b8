"""Logos on a page: those of the map, else the person's own and those of partners from files that the settings name."""

from __future__ import annotations

import base64
import math
from functools import lru_cache
from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence, Tuple

from qgis.core import (
    QgsApplication,
    QgsFillSymbol,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemPicture,
    QgsLayoutItemShape,
    QgsLayoutSize,
    QgsPrintLayout,
)
from qgis.PyQt.QtCore import QByteArray, QRectF, QSize, QSizeF, Qt
from qgis.PyQt.QtGui import QColor, QImage, QPainter

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.json_document import stored_list
from ...core.pages.logos import MAX_LOGO_BYTES, MAX_LOGO_TEXT, MAX_LOGOS, MapLogo, logo_bytes, logo_problem
from ...core.publication.page_elements import ElementRole
from ...core.text import printable, single_line, without_direction_marks
from ...core.trust.files import UnusableFile, read_regular
from ...core.trust.svg_pictures import self_contained_svg
from ..credits.map_phrases import map_phrase
from ..layouts import layout_items, templates
from ..layouts.layout_items import ALTERNATIVE_TEXT
from ..library.thumbnails import decode_image
from ..runtime import settings
from ..runtime.images import png_bytes, scaled
from .layout_feature import LayoutFeature, PageBuilding

#: ids of the logos, followed by a number, and of the ground below them
LOGO_PREFIX, GROUND = "logo:", "logo-ground"
#: bytes of a file, pixels of a side, enough for 60 mm, and dots per inch
_MAX_BYTES, _MAX_EDGE, _DOTS_PER_INCH = 5_000_000, 1000, 400
#: pixels of the longer side of a logo that becomes part of a map, the first of which its bytes allow
_EDGES = (_MAX_EDGE, 800, 640, 500, 400, 320, 240)
#: shares of the band's height that the logos and their margin take, and the largest share of its width
_HEIGHT, _MARGIN, _MAX_WIDTH = 0.6, 0.2, 0.4
#: a band that is less than so many times as wide as it is high is a cover, at whose foot the logos stand
_COVER_RATIO, _COVER_HEIGHT = 4.0, 0.1
#: gap between logos, and the ground around them, as shares of their height
_GAP, _PADDING = 0.35, 0.15
#: widest and highest logo, as width by height
_MAX_RATIO = 8.0


class Logo(NamedTuple):
    """A logo as a layout's picture takes it: its source, its width by its height, and its text, if it has one.

    ``image`` has the pixels of a map's logo, of which the page takes as many as it shows.
    """

    source: str
    is_svg: bool
    ratio: float
    text: str = ""
    image: Optional[QImage] = None


def logo_files() -> List[Path]:
    return [Path(path) for path in stored_list(settings.get("logos")) if isinstance(path, str) and path][:MAX_LOGOS]


def add_logos(layout: QgsPrintLayout, slot: Optional[QgsLayoutItem], band: Optional[QgsLayoutItem],
              titles: Sequence[QgsLayoutItemLabel], of_map: Optional[Sequence[MapLogo]] = None) -> List[str]:
    """Put the logos into the item ``slot`` of a template, or else into ``band``, the ground of the ``titles``.

    They are those ``of_map``, or if it is None those of the settings. The titles keep clear of them. On a page without
    a ground the first of the ``titles`` is the ``band``. Call it before
    the texts are fitted. Return notes on logos that cannot be read.
    """
    place = slot or band
    if place is None:
        return []
    logos, notes = _logos_of_settings() if of_map is None else _logos_of_map(of_map)
    if not logos:
        return notes
    bounds = place.sceneBoundingRect()
    places = _row(logos, bounds, is_at_right=False) if place is slot else _places_in_band(bounds, titles, logos)
    _place(layout, logos, places)
    return notes


def _logos_of_map(of_map: Sequence[MapLogo]) -> Tuple[List[Logo], List[str]]:
    """Return the logos of a map, and notes on those that cannot be read."""
    logos: List[Logo] = []
    notes: List[str] = []
    for number, logo in enumerate(of_map, 1):
        try:
            logos.append(_read_map_logo(logo.image)._replace(text=_tidied(logo.text)))
        except CartoguideError:
            notes.append(tr("Logo {number} of the map cannot be read, so it is left out. Choose another.",
                            number=number))
    return logos, notes


def _logos_of_settings() -> Tuple[List[Logo], List[str]]:
    """Return the logos that the settings name, and notes on files that cannot be read."""
    logos: List[Logo] = []
    notes: List[str] = []
    for path in logo_files():
        try:
            status = path.stat()
            logos.append(read_logo(path, status.st_mtime_ns, status.st_size))
        except (CartoguideError, OSError):
            notes.append(tr("The logo {file} cannot be read, so it is left out. Choose another in the settings.",
                            file=path.name))
    return logos, notes


def embedded_logo(path: Path) -> MapLogo:
    """Return an image file as a logo that is part of a map: a PNG, as large as a document takes it. For any thread.

    An SVG is drawn, so that what the map carries cannot refer to anything. Its text is the file's name. Raises
    CartoguideError with that name if the file is missing, too large or no image, or if it is an SVG that needs others.
    """
    name = printable(path.name)
    try:
        data = read_regular(path, _MAX_BYTES)
    except UnusableFile as error:
        if not error.is_missing:
            raise
        raise CartoguideError(tr("The logo {file} is not there.", file=name), error.detail) from error
    if path.suffix.lower() == ".svg":
        try:
            image = _drawn_svg(self_contained_svg(data, name, _MAX_BYTES))
        except ImportError as error:
            raise CartoguideError(tr("This QGIS cannot draw {file}. Save it as a PNG.", file=name),
                                  str(error)) from error
    else:
        try:
            image = decode_image(data, _MAX_EDGE)
        except CartoguideError as error:
            raise CartoguideError(tr("The logo {file} cannot be read: it is damaged, or not an image.", file=name),
                                  error.user_text) from error
    if image.isNull():
        raise CartoguideError(tr("{file} is not an image.", file=name))
    for edge in _EDGES:
        fitting = image if max(image.width(), image.height()) <= edge else scaled(image, QSize(edge, edge))
        packed = png_bytes(fitting)
        if len(packed) <= MAX_LOGO_BYTES:
            return MapLogo(base64.b64encode(packed).decode("ascii"), _tidied(path.stem)[:MAX_LOGO_TEXT])
    raise CartoguideError(tr("The logo {file} is too large to be part of a map.", file=name))


def logo_image(logo: MapLogo) -> QImage:
    """Return the image of a map's logo, null if it cannot be read."""
    if logo_problem(logo.image):
        return QImage()
    try:
        return decode_image(logo_bytes(logo.image), _MAX_EDGE)
    except CartoguideError:
        return QImage()


def _drawn_svg(data: bytes) -> QImage:
    """Return an SVG as an image whose longer side has the most pixels of a logo, null if it is none."""
    # not needed by other logos, and some installations of QGIS lack it
    from qgis.PyQt.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(QByteArray(data))
    size = renderer.viewBoxF().size()
    if not renderer.isValid() or size.isEmpty():
        return QImage()
    fitting = size.scaled(QSizeF(_MAX_EDGE, _MAX_EDGE), Qt.AspectRatioMode.KeepAspectRatio).toSize()
    image = QImage(fitting.expandedTo(QSize(1, 1)), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


def _tidied(text: str) -> str:
    return single_line(without_direction_marks(printable(text)))


@lru_cache(maxsize=2 * MAX_LOGOS)
def _read_map_logo(image: str) -> Logo:
    """Read a logo from its base64. Raises CartoguideError if it is not an image."""
    if logo_problem(image):
        raise CartoguideError(logo_problem(image))
    picture = decode_image(logo_bytes(image), _MAX_EDGE)
    return Logo(_embedded(png_bytes(picture)), False, _bounded_ratio(QSizeF(picture.size())), "", picture)


def _places_in_band(band: QRectF, titles: Sequence[QgsLayoutItemLabel], logos: Sequence[Logo]) -> List[QRectF]:
    """Return the places at the right end of a page's title band, whose title gives way, or at the foot of a cover."""
    if band.width() >= _COVER_RATIO * band.height():
        margin = _MARGIN * band.height()
        # the ground ends as far from the edge as the title begins, where the contents of the page end
        side = (titles[0].sceneBoundingRect().left() - band.left() if titles else margin) + \
            _PADDING * _HEIGHT * band.height()
        area = QRectF(band.right() - _MAX_WIDTH * band.width(), band.top() + margin,
                      _MAX_WIDTH * band.width() - side, _HEIGHT * band.height())
        places = _row(logos, area, is_at_right=True)
        _keep_clear(titles, right=places[0].left() - margin)
        return places
    height = _COVER_HEIGHT * band.height()
    # the ground begins where the title does
    left = titles[0].sceneBoundingRect().left() + _PADDING * height if titles else band.left() + height
    area = QRectF(left, band.bottom() - 1.6 * height, band.right() - left - height, height)
    places = _row(logos, area, is_at_right=False)
    _keep_clear(titles, bottom=places[0].top() - height / 2)
    return places


@lru_cache(maxsize=MAX_LOGOS)
def read_logo(path: Path, changed: int, size_in_bytes: int) -> Logo:
    """Read a logo. ``changed``, the time of the file, and its size tell a changed file from the one that was read.

    Raises CartoguideError if it is not an image, or is too large.
    """
    data = read_regular(path, _MAX_BYTES)
    is_svg = path.suffix.lower() == ".svg"
    if is_svg:
        # the file may be somebody else's, as a logo of a partner often is
        source, black = _embedded(self_contained_svg(data, path.name, _MAX_BYTES)), QColor("black")
        size = QSizeF(QgsApplication.svgCache().svgViewboxSize(source, 100.0, black, black, 1.0, 1.0))
    else:
        image = decode_image(data, _MAX_EDGE)
        source, size = _embedded(png_bytes(image)), QSizeF(image.size())
    if size.isEmpty():
        raise CartoguideError(tr("{file} is not an image.", file=path.name))
    return Logo(source, is_svg, _bounded_ratio(size))


def _bounded_ratio(size: QSizeF) -> float:
    ratio = float(size.width() / size.height())
    return min(max(ratio, 1 / _MAX_RATIO), _MAX_RATIO)


def _embedded(data: bytes) -> str:
    """Return the data as the path of a picture that is part of the layout."""
    return f"base64:{base64.b64encode(data).decode('ascii')}"


def _row(logos: Sequence[Logo], area: QRectF, is_at_right: bool) -> List[QRectF]:
    """Return the places of the logos beside one another in the area, as large as they fit."""
    shares = sum(logo.ratio for logo in logos) + _GAP * (len(logos) - 1)
    height = min(area.height(), area.width() / shares)
    widths, total = [logo.ratio * height for logo in logos], shares * height
    left = area.right() - total if is_at_right else area.left()
    top = area.center().y() - height / 2
    places = []
    for width in widths:
        places.append(QRectF(left, top, width, height))
        left += width + _GAP * height
    return places


def _keep_clear(titles: Sequence[QgsLayoutItemLabel], right: float = math.inf, bottom: float = math.inf) -> None:
    """Make the titles end at ``right`` and at ``bottom``, in millimetres of the layout."""
    for label in titles:
        bounds = label.sceneBoundingRect()
        label.attemptResize(QgsLayoutSize(min(bounds.right(), right) - bounds.left(),
                                          min(bounds.bottom(), bottom) - bounds.top()))


def _place(layout: QgsPrintLayout, logos: Sequence[Logo], places: Sequence[QRectF]) -> None:
    """Draw the logos on a white ground, which shows those that were made for white paper."""
    padding = _PADDING * places[0].height()
    ground = QgsLayoutItemShape(layout)
    ground.setId(GROUND)
    ground.setShapeType(QgsLayoutItemShape.Shape.Rectangle)
    ground.setSymbol(QgsFillSymbol.createSimple({"color": "#ffffff", "outline_style": "no"}))
    layout.addLayoutItem(ground)
    whole = places[0].united(places[-1]).adjusted(-padding, -padding, padding, padding)
    _move(ground, whole)
    for number, (logo, area) in enumerate(zip(logos, places), 1):
        picture = QgsLayoutItemPicture(layout)
        picture.setId(f"{LOGO_PREFIX}{number}")
        picture.setCustomProperty(ALTERNATIVE_TEXT, logo.text)
        layout.addLayoutItem(picture)
        picture.setResizeMode(QgsLayoutItemPicture.ResizeMode.Zoom)
        _move(picture, area)
        formats = QgsLayoutItemPicture.Format
        picture.setPicturePath(_source(logo, area), formats.FormatSVG if logo.is_svg else formats.FormatRaster)


def _source(logo: Logo, area: QRectF) -> str:
    """Return the source of a logo for its place, in millimetres.

    QGIS drops pixels where an exported image has fewer than the logo, which leaves its edges ragged.
    """
    size = QSizeF(area.width(), area.height()) * (_DOTS_PER_INCH / 25.4)
    image = logo.image
    if image is None or image.width() <= size.width() and image.height() <= size.height():
        return logo.source
    return _embedded(png_bytes(scaled(image, size.toSize())))


def _move(item: QgsLayoutItem, area: QRectF) -> None:
    item.attemptSetSceneRect(area)
    item.setLocked(True)


def _fill(page: PageBuilding) -> List[str]:
    """Add the logos where the template has a place for them. The title of a bundled one gives way to them."""
    layout, setup = page.layout, page.plan.page
    titles = [label for item_id in (layout_items.TITLE, layout_items.SUBTITLE)
              for label in [layout_items.find_item(layout, item_id, QgsLayoutItemLabel)] if label is not None]
    band = None if templates.is_user_template(setup.template) else layout.itemById(layout_items.BAND) or next(
        iter(titles), None)
    return add_logos(layout, layout.itemById(layout_items.LOGOS), band, titles, setup.logos)


def _describe(item: QgsLayoutItem, language: str) -> Optional[Tuple[ElementRole, str]]:
    if not isinstance(item, QgsLayoutItemPicture) or not item.id().startswith(LOGO_PREFIX):
        return None
    text = str(item.customProperty(ALTERNATIVE_TEXT, "") or "")
    return ElementRole.FIGURE, map_phrase(language, "alt_named_logo", name=text) if text else map_phrase(
        language, "alt_logo", number=item.id()[len(LOGO_PREFIX):])


FEATURE = LayoutFeature("logos", fill=_fill, describe=_describe)

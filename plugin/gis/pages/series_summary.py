"""Summary of a series on a page of small multiples: the map of its maximum, and a chart of its moments.

Both are on the layout from the beginning and invisible until they are drawn: their content comes from the images of the
small maps, which are fetched when the page is exported or shown. QGIS's own export leaves them out.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsExpressionContextUtils,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsMapLayer,
    QgsMapRendererCustomPainterJob,
    QgsMapSettings,
    QgsPrintLayout,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QColor, QImage, QPainter

from ...core.custommap.map_findings import MapFinding
from ...core.i18n import tr
from ...core.json_document import stored_object
from ...core.page_design.type_scale import TextRole
from ...core.pages.series_summary import Colour, SeriesClass, SeriesMaximum, SummaryDefect, SummaryError, series_maximum
from ...core.review.checks.rules import Severity
from ...core.text import escaped
from ..credits.expression_functions import LANGUAGE_VARIABLE
from ..credits.layer_credits import credits_of_layers
from ..credits.map_phrases import map_language, map_phrase
from ..layouts import layout_items, text_fitting
from ..layouts.layout_items import ALTERNATIVE_TEXT
from ..legends.legend_nodes import SwatchLegend
from ..runtime import compat, images

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

#: units of the drawing per millimetre: Qt rounds sizes of type to whole units
_UNITS = 100
_MM_PER_POINT = 25.4 / 72
#: share of a column's room that it fills, and lines of the scale, in percent
_COLUMN_SHARE, _LINES = 0.72, (0, 50, 100)
#: lines of the scale, and edges without which pale classes are lost on white paper, in millimetres
_LINE_COLOUR, _LINE_WIDTH, _EDGE_WIDTH = "#b4bcb6", 0.1, 0.06
#: ids of the map of the maximum, the chart, their headings, and the line that says what they are computed from
MAXIMUM, CHART = "maximum", "chart"
MAXIMUM_LABEL, CHART_LABEL, METHOD_LABEL = "label:maximum", "label:chart", "method"
SUMMARY_ITEMS = (MAXIMUM, CHART, MAXIMUM_LABEL, CHART_LABEL, METHOD_LABEL)
_PANELS = "cartoguide/series"
#: bytes of all images at most. Larger ones are computed from every second or third pixel
_MAX_BYTES = 300_000_000
#: colour of the places where nothing is drawn, which is no class
_WHITE = (255, 255, 255)
_BYTES_PER_PIXEL = 4

LayerFinder = Callable[[str], Optional[QgsMapLayer]]
LayerDrawing = Callable[[QgsLayoutItemMap, QgsMapLayer], Tuple[QImage, QgsMapSettings]]


@dataclass(frozen=True)
class ChartStyle:
    """Size in millimetres, and the type of the figures: family, size in points, colour (#rrggbb)."""

    width: float
    height: float
    family: str
    points: float
    text_colour: str


def shares_chart(shares: Sequence[Sequence[float]], colours: Sequence[str], moments: Sequence[str],
                 style: ChartStyle) -> bytes:
    """Return the chart. ``shares`` (0 to 1) of each moment are stacked from below, in ``colours`` (#rrggbb).

    ``moments`` stand below the columns, as many of them as there is room for.
    """
    letter = style.points * _MM_PER_POINT
    left, bottom, top = 4.2 * letter, style.height - 1.5 * letter, 0.7 * letter
    room = (style.width - left) / max(1, len(shares))
    parts: List[str] = []
    for percent in _LINES:
        y = bottom - (bottom - top) * percent / 100
        parts.append(_line(left, y, style.width, y))
        parts.append(_text(left - 0.5 * letter, y + 0.35 * letter, "end", f"{percent} %"))
    longest = max((len(moment) for moment in moments), default=1)
    step = max(1, -(-int(100 * 0.75 * letter * longest) // max(1, int(100 * room))))
    for number, (column, moment) in enumerate(zip(shares, moments)):
        x, y = left + number * room, bottom
        for share, colour in zip(column, colours):
            height = (bottom - top) * share
            if height > 0:
                y -= height
                parts.append(f'<rect x="{_units(x + room * (1 - _COLUMN_SHARE) / 2)}" y="{_units(y)}" '
                             f'width="{_units(room * _COLUMN_SHARE)}" height="{_units(height)}" '
                             f'fill="{escaped(colour)}" stroke="{_LINE_COLOUR}" stroke-width="{_units(_EDGE_WIDTH)}"/>')
        if number % step == 0:
            parts.append(_text(x + room / 2, style.height - 0.25 * letter, "middle", moment))
    body = "".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{style.width}mm" height="{style.height}mm" '
            f'viewBox="0 0 {_units(style.width)} {_units(style.height)}"><g font-family="{escaped(style.family)}" '
            f'font-size="{_units(letter)}" fill="{escaped(style.text_colour)}">{body}</g></svg>').encode()


def _units(millimetres: float) -> int:
    return round(millimetres * _UNITS)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return (f'<line x1="{_units(x1)}" y1="{_units(y1)}" x2="{_units(x2)}" y2="{_units(y2)}" stroke="{_LINE_COLOUR}" '
            f'stroke-width="{_units(_LINE_WIDTH)}"/>')


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text x="{_units(x)}" y="{_units(y)}" text-anchor="{anchor}">{escaped(text)}</text>'


@dataclass(frozen=True)
class SeriesPanel:
    """One small map of the series: the id of its item, of the layer that changes, and a short name of its moment."""

    item: str
    layer: str
    moment: str


@dataclass(frozen=True)
class SeriesState:
    """The small maps of a layout's series. ``above`` and ``below`` are ids of the outlines around their layers.

    ``by_day`` is True if the moments are days. ``ground`` are the ids of the layers below the series, which each of the
    maps has, the lowest first.
    """

    panels: Tuple[SeriesPanel, ...]
    above: Tuple[str, ...]
    below: Tuple[str, ...]
    by_day: bool
    ground: Tuple[str, ...] = ()


def add_summary_items(layout: QgsPrintLayout, like: QgsLayoutItemMap, heading: QgsLayoutItemLabel, maximum: QRectF,
                      chart: QRectF) -> None:
    """Add the invisible items. ``maximum`` and ``chart`` are their places, without headings, in millimetres.

    Frames are those of the small map ``like``, type is that of its ``heading``.
    """
    height = heading.rect().height()
    half = min(0.4 * chart.width(), 75.0 * height / 3.8)
    for item_id, place in ((MAXIMUM, maximum), (CHART, chart)):
        picture = QgsLayoutItemPicture(layout)
        picture.setResizeMode(QgsLayoutItemPicture.ResizeMode.Stretch)
        if item_id == MAXIMUM:
            picture.setFrameEnabled(like.frameEnabled())
            picture.setFrameStrokeColor(like.frameStrokeColor())
            picture.setFrameStrokeWidth(like.frameStrokeWidth())
        _add(layout, picture, item_id, place, like.page())
    for item_id, place in ((MAXIMUM_LABEL, QRectF(maximum.x(), maximum.y() - height, maximum.width(), height)),
                           (CHART_LABEL, QRectF(chart.x(), chart.y() - height, half, height)),
                           (METHOD_LABEL, QRectF(chart.x() + half, chart.y() - height, chart.width() - half, height))):
        label = QgsLayoutItemLabel(layout)
        font = compat.label_font(heading)
        if item_id == METHOD_LABEL:
            font.setBold(False)
            font.setStyleName("")
            label.setHAlign(Qt.AlignmentFlag.AlignRight)
        compat.set_label_font(label, font)
        compat.set_label_colour(label, compat.label_colour(heading))
        label.setVAlign(heading.vAlign())
        label.setMarginX(heading.marginX())
        label.setMarginY(heading.marginY())
        _add(layout, label, item_id, place, like.page())


def record_series(layout: QgsPrintLayout, state: SeriesState) -> None:
    """Note which layers of which maps are the layout's series."""
    layout.setCustomProperty(_PANELS, json.dumps({
        "panels": [[panel.item, panel.layer, panel.moment] for panel in state.panels], "above": state.above,
        "below": state.below, "by_day": state.by_day, "ground": state.ground}, ensure_ascii=False))


def series_state(layout: QgsPrintLayout) -> Optional[SeriesState]:
    """Return the layout's series, or None if it has none or no place for its summary."""
    stored = stored_object(layout.customProperty(_PANELS))
    panels = [SeriesPanel(*row) for row in _list(stored, "panels")
              if isinstance(row, list) and len(row) == 3 and all(isinstance(text, str) for text in row)]
    if not panels or not isinstance(layout.itemById(MAXIMUM), QgsLayoutItemPicture):
        return None
    above, below, ground = (tuple(text for text in _list(stored, name) if isinstance(text, str))
                            for name in ("above", "below", "ground"))
    return SeriesState(tuple(panels), above, below, stored.get("by_day") is True, ground)


def summary_items(layout: QgsPrintLayout) -> Dict[str, QgsLayoutItem]:
    found = {item_id: layout.itemById(item_id) for item_id in SUMMARY_ITEMS}
    return {item_id: item for item_id, item in found.items() if item is not None}


def _list(stored: Dict[str, object], name: str) -> List[object]:
    values = stored.get(name)
    return values if isinstance(values, list) else []


def _add(layout: QgsPrintLayout, item: QgsLayoutItem, item_id: str, place: QRectF, page: int) -> None:
    item.setId(item_id)
    layout.addLayoutItem(item)
    layout_items.place_item(item, place, page)
    item.setVisibility(False)


def fill_from_maps(layout: QgsPrintLayout, draw_layer: LayerDrawing) -> List[MapFinding]:
    """Fill the summary from the layout's small maps, and return a finding if the page has none.

    ``draw_layer`` returns the image of one layer of a map, and the settings that it was drawn with.
    """
    state = series_state(layout)
    if state is None:
        return []
    pictures: List[QImage] = []
    ground: List[QImage] = []
    settings = QgsMapSettings()
    for panel in state.panels:
        item = layout_items.find_item(layout, panel.item, QgsLayoutItemMap)
        layer = layout.project().mapLayer(panel.layer)
        if item is not None and layer is not None:
            picture, settings = draw_layer(item, layer)
            pictures.append(picture)
            if not ground:
                below = filter(None, map(layout.project().mapLayer, state.ground))
                ground = [draw_layer(item, layer)[0] for layer in below]
    reason = fill_summary(layout, pictures, settings, layout.project().mapLayer, ground)
    return [MapFinding("summary", Severity.NOTE, tr("The page has no map of the maximum. {reason}", reason=reason),
                       tr("The small maps are complete without it."))] if reason else []


def fill_summary(layout: QgsPrintLayout, pictures: Sequence[QImage], settings: QgsMapSettings,
                 find_layer: LayerFinder, ground: Sequence[QImage] = ()) -> str:
    """Draw the summary and make it visible, or hide it and return why the page has none.

    ``pictures`` are the images of the series' layers alone, one for each of its small maps, drawn with ``settings``.
    ``ground`` are those of the layers below the series. ``find_layer`` returns the layer with an id. Main thread only.
    """
    state = series_state(layout)
    if state is None:
        return ""
    _show(layout, False)
    try:
        layers = [layer for layer in (find_layer(panel.layer) for panel in state.panels) if layer is not None]
        legend = _legend_classes(layers)
        if len(pictures) != len(state.panels) or any(picture.isNull() for picture in pictures):
            raise SummaryError(SummaryDefect.UNEQUAL_IMAGES)
        opacity = max(0.01, float(layers[0].opacity())) if layers else 1.0
        result = series_maximum(_arrays(pictures, opacity), legend)
    except SummaryError as error:
        return _defect_text(error.defect)
    _draw_maximum(layout, state, (*ground, _image_of(result.image, opacity)), settings, find_layer)
    _draw_chart(layout, state, result, legend)
    _describe(layout, state, layers, result)
    _show(layout, True)
    return ""


def hide_summary(layout: QgsPrintLayout) -> None:
    """Hide the summary, as on a page whose series has changed or lacks an image."""
    _show(layout, False)


def _show(layout: QgsPrintLayout, is_visible: bool) -> None:
    for item in summary_items(layout).values():
        item.setVisibility(is_visible)


def _legend_classes(layers: Sequence[QgsMapLayer]) -> List[SeriesClass]:
    """Return the classes of the legend that the layers share. Raises SummaryError if it is not made of areas."""
    for layer in layers:
        legend = layer.legend()
        if isinstance(legend, SwatchLegend) and legend.swatches:
            if any(not swatch.is_area for swatch in legend.swatches):
                break
            return [SeriesClass(_colour_of(swatch.image), swatch.label) for swatch in legend.swatches
                    if swatch.image.pixelColor(swatch.image.rect().center()).alpha() and _colour_of(
                        swatch.image) != _WHITE]
    raise SummaryError(SummaryDefect.NO_ORDER)


def _colour_of(image: QImage) -> Colour:
    colour = image.pixelColor(image.width() // 2, image.height() // 2)
    return colour.red(), colour.green(), colour.blue()


def _arrays(pictures: Sequence[QImage], opacity: float) -> List[Array]:
    """Return the images as height × width × RGBA, not premultiplied, without their layers' opacity."""
    import numpy

    total = sum(picture.width() * picture.height() * _BYTES_PER_PIXEL for picture in pictures)
    step = 1
    while total / step ** 2 > _MAX_BYTES:
        step += 1
    arrays = []
    for picture in pictures:
        pixels = images.converted(picture, QImage.Format.Format_RGBA8888)
        bits = pixels.constBits()
        bits.setsize(pixels.bytesPerLine() * pixels.height())
        rows = numpy.frombuffer(bits, dtype=numpy.uint8).reshape(pixels.height(), pixels.bytesPerLine())
        array = rows[:, :_BYTES_PER_PIXEL * pixels.width()].reshape(pixels.height(), pixels.width(), _BYTES_PER_PIXEL)
        array = array[::step, ::step].copy()
        if opacity < 1.0:
            array[:, :, 3] = numpy.clip(numpy.rint(array[:, :, 3] / opacity), 0, 255)
        arrays.append(array)
    return arrays


def _image_of(array: Array, opacity: float) -> QImage:
    import numpy

    pixels = array.copy()
    if opacity < 1.0:
        pixels[:, :, 3] = numpy.rint(pixels[:, :, 3] * opacity)
    height, width = pixels.shape[:2]
    return QImage(pixels.tobytes(), width, height, _BYTES_PER_PIXEL * width, QImage.Format.Format_RGBA8888).copy()


def _draw_maximum(layout: QgsPrintLayout, state: SeriesState, shown: Sequence[QImage], settings: QgsMapSettings,
                  find_layer: LayerFinder) -> None:
    """Put the map of the maximum into its picture: the images, the lowest first, between the outlines of the maps."""
    item, picture = layout_items.main_map(layout), layout.itemById(MAXIMUM)
    if item is None:
        return
    image = QImage(settings.outputSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(item.backgroundColor())
    painter = QPainter(image)
    try:
        _draw_layers(painter, settings, [find_layer(layer_id) for layer_id in state.below])
        for one in shown:
            painter.drawImage(image.rect(), one)
        _draw_layers(painter, settings, [find_layer(layer_id) for layer_id in state.above])
    finally:
        painter.end()
    picture.setPicturePath(f"base64:{base64.b64encode(images.png_bytes(image)).decode('ascii')}",
                           QgsLayoutItemPicture.Format.FormatRaster)


def _draw_layers(painter: QPainter, settings: QgsMapSettings, layers: Sequence[Optional[QgsMapLayer]]) -> None:
    found = [layer for layer in layers if layer is not None]
    if found:
        own = QgsMapSettings(settings)
        own.setLayers(found)
        own.setBackgroundColor(QColor(0, 0, 0, 0))
        QgsMapRendererCustomPainterJob(own, painter).renderSynchronously()


def _draw_chart(layout: QgsPrintLayout, state: SeriesState, result: SeriesMaximum,
                legend: Sequence[SeriesClass]) -> None:
    picture = layout.itemById(CHART)
    label = layout_items.find_item(layout, CHART_LABEL, QgsLayoutItemLabel)
    if not isinstance(picture, QgsLayoutItemPicture) or label is None:
        return
    style = ChartStyle(picture.rect().width(), picture.rect().height(), compat.label_font(label).family(),
                       text_fitting.role_points(layout, TextRole.GRID_FIGURE), compat.label_colour(label).name())
    svg = shares_chart(result.shares, [QColor(*legend[number].colour).name() for number in result.classes],
                       [panel.moment for panel in state.panels], style)
    picture.setPicturePath(f"base64:{base64.b64encode(svg).decode('ascii')}", QgsLayoutItemPicture.Format.FormatSVG)


def _describe(layout: QgsPrintLayout, state: SeriesState, layers: Sequence[QgsMapLayer], result: SeriesMaximum) -> None:
    """Give both pictures their alternative texts: what they show, of what, and its credits."""
    language = map_language(str(_variable(layout, LANGUAGE_VARIABLE) or ""))
    sums = [sum(shares) for shares in result.shares]
    largest = max(range(len(sums)), key=lambda number: sums[number])
    texts = {
        MAXIMUM: map_phrase(language, "alt_maximum", count=len(state.panels)),
        CHART: map_phrase(language, "alt_chart", moment=_heading_of(layout, state, largest),
                          percent=round(100 * sums[largest])),
    }
    credits = "; ".join(credits_of_layers(layers))
    for item_id, text in texts.items():
        item = layout.itemById(item_id)
        if item is not None:
            credit = f" {map_phrase(language, 'alt_credits', credits=credits)}" if credits else ""
            item.setCustomProperty(ALTERNATIVE_TEXT, text + credit)


def _heading_of(layout: QgsPrintLayout, state: SeriesState, number: int) -> str:
    label = layout_items.find_item(layout, f"{layout_items.LABEL_PREFIX}{number + 1}", QgsLayoutItemLabel)
    return label.currentText() if label is not None else state.panels[number].moment


def _variable(layout: QgsPrintLayout, name: str) -> object:
    return QgsExpressionContextUtils.layoutScope(layout).variable(name)


def _defect_text(defect: SummaryDefect) -> str:
    return {
        SummaryDefect.NOTHING_DRAWN: tr("None of its maps shows anything here."),
        SummaryDefect.OTHER_COLOURS: tr("The colours of its maps are not those of its legend."),
        SummaryDefect.NO_ORDER: tr("Its legend does not say which of its classes is the highest."),
        SummaryDefect.UNEQUAL_IMAGES: tr("Not all of its maps could be read."),
    }[defect]

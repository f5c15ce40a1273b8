"""Fetch legends fit for print: one image for each rule of a style, at 300 dpi.

A service's whole legend graphic does not print well: at screen resolution it is blurred on paper, and its letters are
of any size. Therefore the rules are read with GetStyles, each rule's symbol is requested by itself (SLD profile of WMS
05-078r4, RULE), and the labels are set as text. A service without rules may send its classes as JSON. Else its whole
graphic is requested at print resolution (LEGEND_OPTIONS of GeoServer, MAP_RESOLUTION of MapServer, DPI of QGIS Server)
and cut into symbols and labels, or, if it is not made of those, used as it is. MapServer has no words for the classes
of a raster in any other answer.

Everything here blocks and runs in a task, never on the main thread.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Union

from qgis.core import QgsFeedback
from qgis.PyQt.QtGui import QColor, QImage, QPainter, QTransform

from ...core.custommap.model import LayerPlan
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.request import HttpMethod, Request, Response
from ...core.sources.layer_source import WmsSource
from ...core.text import list_quoted_names
from ...core.wms.model.service import in_scale_range
from ...core.wms.requests.urls import url_prefix, with_parameters
from ...core.wms.responses.image_headers import image_format
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ...core.wms.responses.style_rules import (
    JSON_LEGEND_FORMAT,
    StyleRule,
    SymbolKind,
    is_styles_document,
    read_legend_json,
    read_style_rules,
)
from ..network.client import IMAGE_ATTEMPTS, retry_image
from ..network.drawn_errors import ConfirmedImages, check_for_drawn_error
from ..runtime import images
from ..runtime.thread_pool import pool_slot_released
from .archive import RequestSender, legend_request_sender
from .graphic_cutting import SCREEN_DPI, colour_swatch, cut_graphic, icon_swatch
from .legend_nodes import SYMBOL_WIDTH, LegendKey, Swatch

DPI = 300
#: of whole graphics, whose letters stay sharp where a legend with much room enlarges them
_GRAPHIC_DPI = 400
#: whole graphics are made for the screen: at this resolution their letters are about as large as the text around them
_SCREEN_DPI = 170.0
#: how many times as large a graphic at print resolution is at least, and by how much its shape may differ
_LEAST_GROWTH, _SAME_SHAPE = 1.5, 0.1
_AREAS = (SymbolKind.POLYGON, SymbolKind.RASTER)
_MM_PER_INCH = 25.4
#: size of requested symbols in millimetres: point symbols get room for large ones and are cropped afterwards
_LINE_SIZE = (SYMBOL_WIDTH, 3.3)
_POINT_SIZE = (12.0, 12.0)
_MAX_POINT_SIZE = 3.9
#: a line is requested this many times as wide and its middle is cut out, because services draw lines as zigzags
_LINE_STRETCH = 16
#: pixels of a frame's row of which one is looked at, and pixels from the image's edge that its sides are in
_EVERY, _SIDE = 3, 16
#: steepest line, in pixels per pixel, that is levelled
_MAX_LINE_SLOPE = 0.2
#: lightness (0 to 255) from which a colour is invisible on paper, and a difference of colour that is invisible
_PALE_LIGHTNESS, _COLOUR_TOLERANCE = 244, 16
#: classes of a legend at most, and symbols that are requested one by one: styles with more use the whole graphic
_MAX_CLASSES, _MAX_SYMBOLS = 500, 250
_OK = 200
#: layers whose legends are requested in parallel (the network's limit for each server applies as well)
_MAX_PARALLEL = 4


@dataclass
class FetchedLegends:
    """Swatches by layer key, with notes on the legends that could not be fetched.

    ``missing`` holds those notes that are about legends which their services advertise. A map without them is
    incomplete. ``unoffered`` holds those about other legends, which were requested all the same. ``failed`` are the
    reasons by layer key.
    """

    swatches: Dict[LegendKey, Tuple[Swatch, ...]] = field(default_factory=dict)
    notes: List[str] = field(default_factory=list)
    missing: List[str] = field(default_factory=list)
    unoffered: List[str] = field(default_factory=list)
    failed: Dict[LegendKey, str] = field(default_factory=dict)


class _Defect(str, Enum):
    """Defects of an image that is valid: not the format or size requested, empty, or of one colour."""

    NONE = ""
    FORMAT = "format"
    SIZE = "size"
    TRANSPARENT = "transparent"
    PLAIN = "plain"


@dataclass(frozen=True)
class _LegendClient:
    """Carrier of the requests, the times that an unusable response is requested, and threads for symbols."""

    send: RequestSender
    attempts: int
    symbol_pool: ThreadPoolExecutor


@dataclass
class _LayerLegend:
    """Swatches of one layer, and notes on those that are not as they should be."""

    swatches: List[Swatch]
    notes: List[str]


@dataclass(frozen=True)
class _LegendImage:
    """An image of a legend, and True for a JPEG where a PNG was requested."""

    image: QImage
    is_jpeg_for_png: bool


@dataclass(frozen=True)
class _WholeGraphic:
    """A service's own graphic with its defect, and the resolution that it was made for."""

    swatch: Swatch
    defect: _Defect
    dpi: float


_PlannedWms = Tuple[LayerPlan, WmsSource]


def legend_key(plan: LayerPlan) -> LegendKey:
    """Return the key of a layer's legend: address, layer name, style.

    A legend that a snapshot stores belongs to its map: the snapshot's folder is before the address.
    """
    folder = f"{plan.snapshot_source.folder}|" if plan.snapshot_source is not None else ""
    return f"{folder}{plan.address}", plan.name, plan.wms.style if plan.wms is not None else ""


def is_visible_at(plan: LayerPlan, scale: float) -> bool:
    """Return whether the layer is visible and is drawn at this scale denominator."""
    return plan.visible and in_scale_range(plan.scale_range, scale)


def fetch_legends(plans: Sequence[LayerPlan], scale: float, feedback: Optional[QgsFeedback] = None,
                  send: Optional[RequestSender] = None, attempts: int = IMAGE_ATTEMPTS) -> FetchedLegends:
    """Fetch the legends of all layers that are drawn at ``scale``, a denominator.

    A layer whose legend fails is left out, with one note for each service and reason. ``send`` carries the requests
    (default: the network, or the snapshot that a layer shows). An unusable response is requested ``attempts`` times
    at most. Blocks, for worker threads. Raises Cancelled.
    """
    if send is None:
        send = legend_request_sender(plans, feedback)
    shown = [(plan, plan.wms) for plan in plans if plan.wms is not None and is_visible_at(plan, scale)]
    legends = FetchedLegends()
    # titles of the layers by service, reason, and True if the service advertises the legend
    failures: Dict[Tuple[str, str, bool], List[str]] = {}

    # the symbols of a layer wait in a pool of their own: the threads of its layers wait for them
    with pool_slot_released(), ThreadPoolExecutor(max_workers=_MAX_PARALLEL) as pool, \
            ThreadPoolExecutor(max_workers=_MAX_PARALLEL) as symbol_pool:
        client = _LegendClient(send, attempts, symbol_pool)
        rules = _fetch_rules(shown, client, legends.notes)

        def collect(planned: _PlannedWms) -> Union[_LayerLegend, CartoguideError]:
            plan, source = planned
            try:
                # a service that draws larger symbols chooses its rules as for a smaller scale
                return _fetch_layer_legend(source, rules.get(legend_key(plan), ()), scale * plan.symbol_factor, client)
            except CartoguideError as error:
                return error

        for number, ((plan, source), result) in enumerate(zip(shown, pool.map(collect, shown)), 1):
            if isinstance(result, Cancelled):
                raise result
            if feedback is not None:
                feedback.setProgress(100.0 * number / len(shown))
            if isinstance(result, CartoguideError):
                reason = plan.service_title, result.user_text, bool(source.legend_url)
                failures.setdefault(reason, []).append(plan.label)
                legends.failed[legend_key(plan)] = result.user_text
            else:
                legends.swatches[legend_key(plan)] = tuple(result.swatches)
                legends.notes += [tr("Legend of “{layer}” ({service}): {note}", layer=plan.label,
                                     service=plan.service_title, note=note) for note in result.notes]
    for (service, reason_text, is_advertised), layers in failures.items():
        legends.notes.append(_missing_legend_note(layers, service, reason_text))
        (legends.missing if is_advertised else legends.unoffered).append(legends.notes[-1])
    return legends


def _missing_legend_note(layers: Sequence[str], service: str, reason: str) -> str:
    return tr("The legend of {layers} ({service}) is missing: {reason}", layers=list_quoted_names(layers, len(layers)),
              service=service, reason=reason)


def _fetch_rules(layers: Sequence[_PlannedWms], client: _LegendClient,
                 notes: List[str]) -> Mapping[LegendKey, Tuple[StyleRule, ...]]:
    """Return the rules of every layer, with one GetStyles for each service.

    Services that refuse GetStyles have none. The reason is added to ``notes``.
    """
    rules: Dict[LegendKey, Tuple[StyleRule, ...]] = {}
    for address in dict.fromkeys(source.address for _, source in layers):
        members = [(plan, source) for plan, source in layers if source.address == address]
        names = list(dict.fromkeys(source.name for _, source in members))
        request = Request(HttpMethod.GET, with_parameters(url_prefix(address), {
            "SERVICE": "WMS", "VERSION": "1.1.1", "REQUEST": "GetStyles", "LAYERS": names, "SLD_VER": "1.1.0"}))
        try:
            body = _fetch_styles(request, client)
            # the layers of a service mostly share one style name, and the document may be long
            by_style = {style: read_style_rules(body, style) for style in {source.style for _, source in members}}
        except Cancelled:
            raise
        except CartoguideError as error:
            # GetStyles is optional (SLD profile, 1.1): without it the whole graphic is used
            notes.append(_screen_graphic_note([plan for plan, _ in members], error.user_text))
            continue
        rules.update((legend_key(plan), by_style[source.style].get(source.name, ())) for plan, source in members)
        without = [plan for plan, source in members if not rules[legend_key(plan)] and not source.has_json_legend]
        if without:
            notes.append(_screen_graphic_note(without, tr("GetStyles gave no rules for them.")))
    return rules


def _fetch_styles(request: Request, client: _LegendClient) -> bytes:
    """Return a document of styles, requested again if the response is anything else."""
    return retry_image(lambda: _checked_styles(client.send(request)), attempts=client.attempts)


def _checked_styles(response: Response) -> bytes:
    check_response(response, ExpectedContent.XML)
    if not is_styles_document(response.body):
        raise CartoguideError(tr("The server sent a document other than styles."), response.url)
    return response.body


def _screen_graphic_note(plans: Sequence[LayerPlan], reason: str) -> str:
    return tr("The legend of {layers} ({service}) shows the service’s graphics for screens: {reason}",
              layers=list_quoted_names(dict.fromkeys(plan.label for plan in plans)),
              service=plans[0].service_title, reason=reason)


def _fetch_layer_legend(source: WmsSource, rules: Sequence[StyleRule], scale: float,
                        client: _LegendClient) -> _LayerLegend:
    """Return one swatch for each rule drawn at ``scale``, or the whole graphic without rules or with too many."""
    classes = [rule for rule in rules if rule.symbol is not SymbolKind.TEXT]
    drawn = [rule for rule in classes if rule.is_drawn_at(scale)]
    symbols = sum(not rule.classes for rule in drawn)
    if not rules or symbols > _MAX_SYMBOLS or symbols + sum(len(rule.classes) for rule in drawn) > _MAX_CLASSES:
        return _legend_without_rules(source, client)

    def fetch_symbol(rule: StyleRule) -> Tuple[List[Swatch], _Defect]:
        if rule.classes:
            return [colour_swatch(one.colour, one.opacity, one.label) for one in rule.classes], _Defect.NONE
        image, defect = _fetch_symbol(source, rule, scale, client)
        swatch = _rule_swatch(image, SymbolKind.LINE if rule.is_outline else rule.symbol, rule.title or rule.name)
        # a name with a figure is one that a program has given, such as rule1
        is_named = bool(rule.title or rule.name and not any(map(str.isdigit, rule.name)))
        if swatch is not None and len(drawn) == 1 < len(classes) and is_named:
            swatch = replace(swatch, is_one_of_several=True)
        return [swatch] if swatch is not None else [], defect

    legend = _LayerLegend([], [])
    for rule, (swatches, defect) in zip(drawn, client.symbol_pool.map(fetch_symbol, drawn)):
        legend.swatches += swatches
        if defect:
            legend.notes.append(tr("“{rule}”: {problem}", rule=rule.title or rule.name, problem=_defect_text(defect)))
    return legend


def _legend_without_rules(source: WmsSource, client: _LegendClient) -> _LayerLegend:
    """Return the classes of a legend as JSON, else those cut from the whole graphic, else the whole graphic."""
    swatches = _fetch_json_swatches(source, client) if source.has_json_legend else []
    if swatches:
        return _LayerLegend(swatches, [])
    whole = _fetch_whole_graphic(source, client)
    notes = [_defect_text(whole.defect)] if whole.defect else []
    cut = cut_graphic(whole.swatch.image, whole.dpi) if not whole.defect else []
    if len(cut) == 1:
        # the layer's title is the label
        cut = [replace(cut[0], label_image=None)]
    return _LayerLegend(cut or [whole.swatch], notes)


def _fetch_json_swatches(source: WmsSource, client: _LegendClient) -> List[Swatch]:
    """Return an entry for each class of the legend as JSON, empty if the service sends none that can be drawn."""
    try:
        response = client.send(legend_graphic_request(source, {"FORMAT": JSON_LEGEND_FORMAT}))
        classes = read_legend_json(response.body) if response.status == _OK else ()
        if len(classes) > _MAX_CLASSES:
            return []
        return [icon_swatch(images.image_from_bytes(one.icon), one.label) if one.icon else
                colour_swatch(one.colour, one.opacity, one.label) for one in classes]
    except Cancelled:
        raise
    except CartoguideError:
        return []


def _fetch_symbol(source: WmsSource, rule: StyleRule, scale: float, client: _LegendClient) -> Tuple[QImage, _Defect]:
    """Return the image of one rule's symbol at print resolution, and its defect. Lines are straight if possible."""
    width, height = _POINT_SIZE if rule.symbol is SymbolKind.POINT else _LINE_SIZE
    size = (round(width / _MM_PER_INCH * DPI), round(height / _MM_PER_INCH * DPI))

    def request(image_width: int) -> Request:
        return legend_graphic_request(
            source, {
                "RULE": rule.name, "WIDTH": str(image_width), "HEIGHT": str(size[1]), "MAP_RESOLUTION": str(DPI),
                "SCALE": f"{scale:.0f}"
            })

    if rule.symbol is SymbolKind.LINE or rule.is_outline:
        stretched = size[0] * _LINE_STRETCH
        image, defect = _fetch_sound_image(request(stretched), client, (stretched, size[1]))
        edge = frame_edge(image, size[0]) if rule.is_outline else None
        line = edge or straight_line(image, size[0]) if defect in (_Defect.NONE, _Defect.FORMAT) else None
        if line is not None:
            return line, defect
    plain = (rule.fill or "any") if rule.symbol in _AREAS else ""
    return _fetch_sound_image(request(size[0]), client, size, plain)


def legend_graphic_request(source: WmsSource, extra_parameters: Mapping[str, str]) -> Request:
    """Return GetLegendGraphic for one layer, with ``extra_parameters`` (SLD profile of WMS 05-078r4, 12)."""
    address = source.legend_url if source.legend_url and "getlegendgraphic" in source.legend_url.lower() \
        else url_prefix(source.address)
    return Request(
        HttpMethod.GET,
        with_parameters(
            address, {
                "SERVICE": "WMS", "VERSION": "1.3.0", "SLD_VERSION": "1.1.0", "REQUEST": "GetLegendGraphic",
                "LAYER": source.name, "STYLE": source.style, "FORMAT": "image/png", "TRANSPARENT": "TRUE",
                **extra_parameters
            }))


def _fetch_whole_graphic(source: WmsSource, client: _LegendClient) -> _WholeGraphic:
    """Return the service's own graphic, at print resolution if the service supports that, as large as at the screen's.

    An enlarged graphic is refused whose symbols and letters grew and its boxes did not: its shape is another one.
    """
    is_of_operation = source.legend_url is not None and "getlegendgraphic" in source.legend_url.lower()
    advertised = source.legend_url if not is_of_operation else None
    if advertised:
        image, defect = _fetch_sound_image(Request(HttpMethod.GET, advertised), client)
        return _WholeGraphic(_whole_swatch(image, _SCREEN_DPI), defect, SCREEN_DPI)
    at_screen, defect = _fetch_sound_image(legend_graphic_request(source, {}), client)
    whole = _WholeGraphic(_whole_swatch(at_screen, _SCREEN_DPI), defect, SCREEN_DPI)
    request_at_print = legend_graphic_request(source, {
        "LEGEND_OPTIONS": f"dpi:{_GRAPHIC_DPI};fontAntiAliasing:true", "MAP_RESOLUTION": str(_GRAPHIC_DPI),
        "DPI": str(_GRAPHIC_DPI)})
    try:
        at_print = _fetch_image(request_at_print, client).image
    except Cancelled:
        raise
    except CartoguideError:
        # a service that refuses it, or a snapshot of an earlier version that lacks it
        return whole
    growth = at_print.width() / at_screen.width()
    if growth < _LEAST_GROWTH or abs(at_print.height() / at_screen.height() / growth - 1) > _SAME_SHAPE:
        return whole
    return _WholeGraphic(replace(whole.swatch, image=at_print), defect, SCREEN_DPI * growth)


def _whole_swatch(image: QImage, dpi: float) -> Swatch:
    return Swatch(image, image.width() / dpi * _MM_PER_INCH, image.height() / dpi * _MM_PER_INCH, is_whole_graphic=True)


def _fetch_sound_image(request: Request, client: _LegendClient, size: Tuple[int, int] = (0, 0),
                       plain: str = "") -> Tuple[QImage, _Defect]:
    """Return an image and its defect, requested once more if it has one.

    ``size`` is the size in pixels that was requested, (0, 0) for any. ``plain`` is the colour (#rrggbb or "any") that
    all of the image may have, as that of an area, "" for none.
    """
    fetched = _fetch_image(request, client)
    defect = _image_defect(fetched, size, plain)
    if defect:
        fetched = _fetch_image(request, client)
        defect = _image_defect(fetched, size, plain)
    return fetched.image, defect


def _image_defect(fetched: _LegendImage, size: Tuple[int, int], plain: str) -> _Defect:
    image = fetched.image
    if fetched.is_jpeg_for_png:
        return _Defect.FORMAT
    if all(size) and (image.width(), image.height()) != size:
        return _Defect.SIZE
    if drawn_bounds(image) is not None:
        return _Defect.NONE
    if image.pixelColor(0, 0).alpha() == 0:
        return _Defect.TRANSPARENT
    return _Defect.NONE if plain == "any" or plain and _is_colour(image, plain) else _Defect.PLAIN


def _is_colour(image: QImage, colour: str) -> bool:
    """Return whether an image of one colour has ``colour`` (#rrggbb), as far as the eye can tell."""
    actual, wanted = image.pixelColor(0, 0), QColor(colour)
    return all(abs(value - other) <= _COLOUR_TOLERANCE for value, other in
               ((actual.red(), wanted.red()), (actual.green(), wanted.green()), (actual.blue(), wanted.blue())))


def _defect_text(defect: _Defect) -> str:
    return {
        _Defect.FORMAT: tr("The service sent an opaque JPEG image instead of a transparent one."),
        _Defect.SIZE: tr("The service sent an image of another size than requested."),
        _Defect.TRANSPARENT: tr("The service sent an empty image, so the entry is missing or blank."),
        _Defect.PLAIN: tr("The service sent an image of one colour, so the entry is missing or blank."),
    }[defect]


def _fetch_image(request: Request, client: _LegendClient) -> _LegendImage:
    return retry_image(lambda: _read_image(request, client.send), attempts=client.attempts)


def _read_image(request: Request, send: RequestSender) -> _LegendImage:
    response = send(request)
    check_response(response, ExpectedContent.IMAGE)
    image = images.image_from_bytes(response.body)
    if image.isNull():
        raise CartoguideError(tr("The service sent an image that cannot be read."), response.url)
    colours = images.ImagePixels(response.body, (image.width(), image.height())).text_colours()
    if colours is not None:
        check_for_drawn_error(request.url, response, colours, lambda url: send(Request(HttpMethod.GET, url)),
                              ConfirmedImages())
    is_jpeg_for_png = "FORMAT=image/png" in request.url and image_format(response.body) == "jpeg"
    return _LegendImage(images.converted(image, QImage.Format.Format_ARGB32_Premultiplied), is_jpeg_for_png)


def _rule_swatch(image: QImage, symbol: SymbolKind, label: str) -> Optional[Swatch]:
    """Return the image cropped to its symbol (points) with its size on paper, or None if nothing is drawn."""
    bounds = drawn_bounds(image)
    if bounds is None and (symbol is SymbolKind.POINT or image.pixelColor(0, 0).alpha() == 0):
        return None
    if bounds is not None and symbol is SymbolKind.POINT:
        image = image.copy(*bounds)
    width, height = (pixels / DPI * _MM_PER_INCH for pixels in (image.width(), image.height()))
    reduction = min(1.0, _MAX_POINT_SIZE / max(width, height, 0.1)) if symbol is SymbolKind.POINT else 1.0
    return Swatch(image, width * reduction, height * reduction, label, is_area=symbol in _AREAS and
                  _is_filled_area(image))


def _is_filled_area(image: QImage) -> bool:
    """Return whether an area's inner part is covered, or is pale from edge to edge, rather than a mere outline."""
    shares = (0.3, 0.5, 0.7)
    inner = [image.pixelColor(int(image.width() * x), int(image.height() * y)) for x in shares for y in shares]
    white = all(colour.alpha() == 0 or colour.lightness() > _PALE_LIGHTNESS for colour in inner)
    return all(colour.alpha() > 0 for colour in inner) and (not white or drawn_bounds(image, _COLOUR_TOLERANCE) is None)


def straight_line(image: QImage, width: int) -> Optional[QImage]:
    """Return the middle ``width`` pixels of a wide image of a zigzag, sheared so that the line in it is level.

    None if the middle is empty or shows anything other than one line.
    """
    middle = image.copy((image.width() - width) // 2, 0, width, image.height())
    if drawn_bounds(middle) is None:
        return None
    background = middle.pixel(0, 0)
    centres = []
    for x in range(width):
        rows = [y for y in range(middle.height()) if middle.pixel(x, y) != background]
        if rows:
            centres.append((x, (rows[0] + rows[-1]) / 2))
    mean_x, mean_y = (sum(point[axis] for point in centres) / len(centres) for axis in (0, 1))
    spread = sum((x - mean_x) ** 2 for x, _ in centres)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in centres) / spread if spread else 0.0
    if abs(slope) > _MAX_LINE_SLOPE or any(abs(y - mean_y - slope * (x - mean_x)) > middle.height() / 4
                                           for x, y in centres):
        return None
    level = QImage(middle.size(), QImage.Format.Format_ARGB32_Premultiplied)
    level.fill(QColor.fromRgba(background))
    painter = QPainter(level)
    try:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        offset = (middle.height() - 1) / 2 - mean_y + slope * mean_x
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        painter.setTransform(QTransform(1, -slope, 0, 1, 0, offset))
        painter.drawImage(0, 0, middle)
    finally:
        painter.end()
    return level


def frame_edge(image: QImage, width: int) -> Optional[QImage]:
    """Return the middle ``width`` pixels of the upper edge of a wide frame, in the middle of an image of its height.

    Services draw the outline of an area as a frame. What its border cuts off at one side of the line is taken from the
    other side. None if the image shows anything other than a frame.
    """
    middle = images.converted(image.copy((image.width() - width) // 2, 0, width, image.height()),
                              QImage.Format.Format_ARGB32_Premultiplied)
    height, ground = middle.height(), middle.pixelColor(width // 2, middle.height() // 2)
    rows = [[middle.pixelColor(x, y).getRgb() for x in range(0, width, _EVERY)] for y in range(height)]

    def differ(one: Sequence[Tuple[int, ...]], other: Sequence[Tuple[int, ...]]) -> bool:
        return any(abs(value - other_value) > _COLOUR_TOLERANCE for pixel, other_pixel in zip(one, other)
                   for value, other_value in zip(pixel, other_pixel))

    blank = [ground.getRgb()] * len(rows[0])
    drawn = [y for y in range(height) if differ(rows[y], blank)]
    upper = [y for y in drawn if y < height // 2]
    lower = [y for y in drawn if y >= height // 2]
    sides = [any(differ([image.pixelColor(x, height // 2).getRgb()], blank[:1]) for x in columns)
             for columns in (range(_SIDE), range(image.width() - _SIDE, image.width()))]
    if not upper or not lower or not all(sides) or lower[0] - upper[-1] < 2 or any(
            len(part) != part[-1] - part[0] + 1 for part in (upper, lower)):
        return None
    top, bottom = upper[0], upper[-1]
    # twice the row around which the line is even, the lowest one that the rows above it allow
    axis = next((axis for axis in range(top + bottom, 2 * top, -1) if not any(
        differ(rows[y], rows[axis - y]) for y in range(top, axis - top + 1))), top + bottom)
    edge = QImage(middle.size(), middle.format())
    edge.fill(ground)
    painter = QPainter(edge)
    try:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        for y in range(axis - bottom, bottom + 1):
            source = y if y >= top else axis - y
            painter.drawImage(0, y + (height - 1 - axis) // 2, middle, 0, source, width, 1)
    finally:
        painter.end()
    return edge


def drawn_bounds(image: QImage, tolerance: int = 0) -> Optional[Tuple[int, int, int, int]]:
    """Return left, top, width, height in pixels of the part that differs from the corners' colour, or None.

    If the corners differ from each other the image has no background, and all of it is returned. ``tolerance`` is the
    largest difference of a colour component (0 to 255) that is ignored.
    """
    pixels = images.converted(image, QImage.Format.Format_RGBA8888)
    width, height, stride = pixels.width(), pixels.height(), pixels.bytesPerLine()
    bits = pixels.constBits()
    bits.setsize(stride * height)
    data = bytes(bits)
    rows = [data[y * stride:y * stride + 4 * width] for y in range(height)]
    background = rows[0][:4]
    if any(corner != background for corner in (rows[0][-4:], rows[-1][:4], rows[-1][-4:])):
        return 0, 0, width, height

    def drawn(pixel: bytes) -> bool:
        return any(abs(component - base) > tolerance for component, base in zip(pixel, background))

    empty = background * width
    drawn_rows = [y for y, row in enumerate(rows)
                  if row != empty and any(drawn(row[x:x + 4]) for x in range(0, 4 * width, 4))]
    if not drawn_rows:
        return None
    band = rows[drawn_rows[0]:drawn_rows[-1] + 1]
    columns = [x for x in range(width) if any(drawn(row[4 * x:4 * x + 4]) for row in band)]
    return columns[0], drawn_rows[0], columns[-1] - columns[0] + 1, drawn_rows[-1] - drawn_rows[0] + 1

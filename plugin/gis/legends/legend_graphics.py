"""Fetch legends fit for print: one image for each rule of a style, at 300 dpi.

A service's whole legend graphic does not print well. MapServer enlarges its symbols and letters with the resolution but
not the boxes around them, so they run into each other. At screen resolution the graphic is blurred on paper. Therefore
the rules are read with GetStyles, each rule's symbol is requested by itself (SLD profile of WMS 05-078r4, RULE), and
the labels are set as text. For a service without rules the whole graphic is used at the size that it was made for.

Everything here blocks and runs in a task, never on the main thread.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum
from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Union

from qgis.core import QgsFeedback
from qgis.PyQt.QtGui import QColor, QImage

from ...core.custommap.model import LayerPlan
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.request import HttpMethod, Request, Response
from ...core.text import list_quoted_names
from ...core.wms.model.service import in_scale_range
from ...core.wms.requests.urls import with_parameters
from ...core.wms.responses.image_headers import image_format
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ...core.wms.responses.style_rules import StyleRule, SymbolKind, is_styles_document, read_style_rules
from ..network.client import IMAGE_ATTEMPTS, retry_image
from ..network.drawn_errors import check_for_drawn_error
from ..runtime import images
from ..runtime.thread_pool import pool_slot_released
from .archive import RequestSender, legend_request_sender
from .legend_nodes import SYMBOL_WIDTH, LegendKey, Swatch

DPI = 300
#: whole graphics are made for the screen: at this resolution their letters are about as large as the text around them
_SCREEN_DPI = 170.0
_AREAS = (SymbolKind.POLYGON, SymbolKind.RASTER)
_MM_PER_INCH = 25.4
#: size of requested symbols in millimetres: point symbols get room for large ones and are cropped afterwards
_LINE_SIZE = (SYMBOL_WIDTH, 3.3)
_POINT_SIZE = (12.0, 12.0)
_MAX_POINT_SIZE = 3.9
#: lightness (0 to 255) from which a colour is invisible on paper, and a difference of colour that is invisible
_PALE_LIGHTNESS, _COLOUR_TOLERANCE = 244, 16
#: styles with more rules than this use the whole graphic
_MAX_RULES = 60
#: layers whose legends are requested in parallel (the network's limit for each server applies as well)
_MAX_PARALLEL = 4


@dataclass
class FetchedLegends:
    """Swatches by layer key, with notes on the legends that could not be fetched.

    ``missing`` holds those notes that are about legends which their services advertise. A map without them is
    incomplete.
    """

    swatches: Dict[LegendKey, Tuple[Swatch, ...]] = field(default_factory=dict)
    notes: List[str] = field(default_factory=list)
    missing: List[str] = field(default_factory=list)


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
    """A service's own graphic with its defect."""

    swatch: Swatch
    defect: _Defect


def legend_key(plan: LayerPlan) -> LegendKey:
    """Return the key of a layer's legend: address, layer name, style."""
    return plan.address, plan.name, plan.style


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
    shown = [plan for plan in plans if is_visible_at(plan, scale)]
    legends = FetchedLegends()
    # titles of the layers by service, reason, and True if the service advertises the legend
    failures: Dict[Tuple[str, str, bool], List[str]] = {}

    # the symbols of a layer wait in a pool of their own: the threads of its layers wait for them
    with pool_slot_released(), ThreadPoolExecutor(max_workers=_MAX_PARALLEL) as pool, \
            ThreadPoolExecutor(max_workers=_MAX_PARALLEL) as symbol_pool:
        client = _LegendClient(send, attempts, symbol_pool)
        rules = _fetch_rules(shown, client, legends.notes)

        def collect(plan: LayerPlan) -> Union[_LayerLegend, CartoguideError]:
            try:
                return _fetch_layer_legend(plan, rules.get(legend_key(plan), ()), scale, client)
            except CartoguideError as error:
                return error

        for number, (plan, result) in enumerate(zip(shown, pool.map(collect, shown)), 1):
            if isinstance(result, Cancelled):
                raise result
            if feedback is not None:
                feedback.setProgress(100.0 * number / len(shown))
            if isinstance(result, CartoguideError):
                reason = plan.service_title, result.user_text, bool(plan.legend_url)
                failures.setdefault(reason, []).append(plan.title or plan.name)
            else:
                legends.swatches[legend_key(plan)] = tuple(result.swatches)
                legends.notes += [tr("Legend of “{layer}” ({service}): {note}", layer=plan.title or plan.name,
                                     service=plan.service_title, note=note) for note in result.notes]
    for (service, reason_text, is_advertised), layers in failures.items():
        legends.notes.append(_missing_legend_note(layers, service, reason_text))
        legends.missing += legends.notes[-1:] if is_advertised else []
    return legends


def _missing_legend_note(layers: Sequence[str], service: str, reason: str) -> str:
    return tr("The legend of {layers} ({service}) is missing: {reason}", layers=list_quoted_names(layers, len(layers)),
              service=service, reason=reason)


def _fetch_rules(plans: Sequence[LayerPlan], client: _LegendClient,
                 notes: List[str]) -> Mapping[LegendKey, Tuple[StyleRule, ...]]:
    """Return the rules of every layer, with one GetStyles for each service.

    Services that refuse GetStyles have none. The reason is added to ``notes``.
    """
    rules: Dict[LegendKey, Tuple[StyleRule, ...]] = {}
    for address in dict.fromkeys(plan.address for plan in plans):
        members = [plan for plan in plans if plan.address == address]
        names = list(dict.fromkeys(plan.name for plan in members))
        request = Request(HttpMethod.GET, with_parameters(address, {
            "SERVICE": "WMS", "VERSION": "1.1.1", "REQUEST": "GetStyles", "LAYERS": names, "SLD_VER": "1.1.0"}))
        try:
            body = _fetch_styles(request, client)
            # the layers of a service mostly share one style name, and the document may be long
            by_style = {style: read_style_rules(body, style) for style in {plan.style for plan in members}}
        except Cancelled:
            raise
        except CartoguideError as error:
            # GetStyles is optional (SLD profile, 1.1): without it the whole graphic is used
            notes.append(_screen_graphic_note(members, error.user_text))
            continue
        rules.update((legend_key(plan), by_style[plan.style].get(plan.name, ())) for plan in members)
        without = [plan for plan in members if not rules[legend_key(plan)]]
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
              layers=list_quoted_names(dict.fromkeys(plan.title or plan.name for plan in plans)),
              service=plans[0].service_title, reason=reason)


def _fetch_layer_legend(plan: LayerPlan, rules: Sequence[StyleRule], scale: float,
                        client: _LegendClient) -> _LayerLegend:
    """Return one swatch for each rule drawn at ``scale``, or the whole graphic without rules or with too many."""
    drawn = [rule for rule in rules if rule.is_drawn_at(scale) and rule.symbol is not SymbolKind.TEXT]
    if not rules or len(drawn) > _MAX_RULES:
        whole = _fetch_whole_graphic(plan, client)
        return _LayerLegend([whole.swatch], [_defect_text(whole.defect)] if whole.defect else [])

    def fetch_symbol(rule: StyleRule) -> Tuple[Optional[Swatch], _Defect]:
        width, height = _POINT_SIZE if rule.symbol is SymbolKind.POINT else _LINE_SIZE
        size = (round(width / _MM_PER_INCH * DPI), round(height / _MM_PER_INCH * DPI))
        request = legend_graphic_request(
            plan, {
                "RULE": rule.name, "WIDTH": str(size[0]), "HEIGHT": str(size[1]), "MAP_RESOLUTION": str(DPI),
                "SCALE": f"{scale:.0f}"
            })
        plain = (rule.fill or "any") if rule.symbol in _AREAS else ""
        image, defect = _fetch_sound_image(request, client, size, plain)
        return _rule_swatch(image, rule.symbol, rule.title or rule.name), defect

    legend = _LayerLegend([], [])
    for rule, (swatch, defect) in zip(drawn, client.symbol_pool.map(fetch_symbol, drawn)):
        if swatch is not None:
            legend.swatches.append(swatch)
        if defect:
            legend.notes.append(tr("“{rule}”: {problem}", rule=rule.title or rule.name, problem=_defect_text(defect)))
    return legend


def legend_graphic_request(plan: LayerPlan, extra_parameters: Mapping[str, str]) -> Request:
    """Return GetLegendGraphic for one layer, with ``extra_parameters`` (SLD profile of WMS 05-078r4, 12)."""
    address = plan.legend_url if plan.legend_url and "getlegendgraphic" in plan.legend_url.lower() else plan.address
    return Request(
        HttpMethod.GET,
        with_parameters(
            address, {
                "SERVICE": "WMS", "VERSION": "1.3.0", "SLD_VERSION": "1.1.0", "REQUEST": "GetLegendGraphic",
                "LAYER": plan.name, "STYLE": plan.style, "FORMAT": "image/png", "TRANSPARENT": "TRUE",
                **extra_parameters
            }))


def _fetch_whole_graphic(plan: LayerPlan, client: _LegendClient) -> _WholeGraphic:
    """Return the service's own graphic, at print resolution if the service supports that (GeoServer)."""
    advertised = plan.legend_url if plan.legend_url and "getlegendgraphic" not in plan.legend_url.lower() else None
    if advertised:
        image, defect = _fetch_sound_image(Request(HttpMethod.GET, advertised), client)
        return _WholeGraphic(_whole_swatch(image, _SCREEN_DPI), defect)
    at_screen, defect = _fetch_sound_image(legend_graphic_request(plan, {}), client)
    request_at_print = legend_graphic_request(plan, {"LEGEND_OPTIONS": f"dpi:{DPI};fontAntiAliasing:true"})
    at_print = _fetch_image(request_at_print, client)
    if at_print.image.width() > 1.5 * at_screen.width():
        return _WholeGraphic(_whole_swatch(at_print.image, DPI), defect)
    return _WholeGraphic(_whole_swatch(at_screen, _SCREEN_DPI), defect)


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
    check_for_drawn_error(request.url, response, (image.width(), image.height()),
                          lambda url: send(Request(HttpMethod.GET, url)))
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

"""What is asked of a service to see whether it is well: each operation once, of one layer, as small as can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Optional, Tuple

from ..custommap.layer_choice import drawn_layers
from ..errors import CartoguideError, InvalidRequest
from ..featureinfo.formats import best_format
from ..i18n import tr
from ..request import Request, Response
from ..wms import boxes
from ..wms.answers import explain_answer
from ..wms.crs import is_automatic
from ..wms.dimension_choice import dimension_values
from ..wms.maps import MapChoices, map_request
from ..wms.model import Layer, Service
from ..wms.requests import describe_layer_request, feature_info_request, legend_request, styles_request
from .model import DESCRIBE, INFO, LEGEND, MAP, STYLES, Probe, Verdict

#: pixels of the longer side of the map that is asked for
_SIDE = 128
#: seconds beyond which an answer is slow for so little
SLOW = 5.0


@dataclass(frozen=True)
class Attempt:
    """One operation: its request, or why there is none; what is to come back, and its size where it is an image."""

    part: str
    request: Optional[Request] = None
    expected: str = "xml"
    size: Optional[Tuple[int, int]] = None
    layer: str = ""
    refused: str = ""
    verdict: Verdict = Verdict.SKIPPED


def attempts(service: Service) -> List[Attempt]:
    """The requests for one map, one legend, one GetFeatureInfo, one DescribeLayer, one GetStyles."""
    layers = sorted(drawn_layers(service), key=_reluctance)
    if not layers:
        nothing = tr("There is no layer that can be asked for.")
        return [Attempt(part, refused=nothing, verdict=Verdict.FAILED if part == MAP else Verdict.SKIPPED)
                for part in (MAP, LEGEND, INFO, DESCRIBE, STYLES)]
    shown = layers[0]
    asked = next((layer for layer in layers if layer.queryable), None)
    with_legend = next((layer for layer in layers if any(style.legends for style in layer.styles)), shown)
    name = shown.name or ""
    return [_attempt(MAP, service, lambda: _map(service, shown), name),
            _attempt(LEGEND, service, lambda: Attempt(LEGEND, legend_request(service, with_legend.name or ""), "image"),
                     with_legend.name or "", needs=""),
            _attempt(INFO, service, lambda: _info(service, asked), (asked or shown).name or "", "GetFeatureInfo"),
            _attempt(DESCRIBE, service, lambda: Attempt(DESCRIBE, describe_layer_request(service, [name])), name,
                     "DescribeLayer"),
            _attempt(STYLES, service, lambda: Attempt(STYLES, styles_request(service, [name])), name, "GetStyles")]


def judged(attempt: Attempt, response: Response, service: Service) -> Probe:
    """What an answer says of the service's health."""
    url = attempt.request.url if attempt.request else ""
    try:
        explain_answer(response, attempt.expected, attempt.size)
    except CartoguideError as error:
        return failed(attempt, error, response.seconds)
    words = tr("Layer {layer}: answered as it should.", layer=attempt.layer)
    if attempt.part == LEGEND:
        words = _legend_words(service)
    if response.seconds > SLOW:
        slow = tr("Slow: {seconds} s for very little.", seconds=f"{response.seconds:.1f}")
        return Probe(attempt.part, Verdict.DOUBTFUL, slow, response.seconds, url)
    return Probe(attempt.part, Verdict.GOOD, words, response.seconds, url)


def failed(attempt: Attempt, error: CartoguideError, seconds: float) -> Probe:
    """The probe of an operation that could not be asked or did not answer as it should."""
    url = attempt.request.url if attempt.request else ""
    return Probe(attempt.part, Verdict.FAILED, error.user_text, seconds, url, error.detail)


def not_tried(attempt: Attempt) -> Probe:
    """The probe of an operation for which there is no request."""
    return Probe(attempt.part, attempt.verdict, attempt.refused)


def _attempt(part: str, service: Service, make: Callable[[], Attempt], layer: str, needs: str = "") -> Attempt:
    """The attempt with its layer; one that the service does not offer, or that cannot be put, says so."""
    if needs and service.operation(needs) is None:
        return Attempt(part, refused=tr("The service does not offer it."))
    try:
        made = make()
    except CartoguideError as error:
        # a map must be possible; all else may be lacking
        return Attempt(part, refused=error.user_text, layer=layer,
                       verdict=Verdict.FAILED if part == MAP else Verdict.SKIPPED)
    return Attempt(part, made.request, made.expected, made.size, layer, made.refused, made.verdict)


def _reluctance(layer: Layer) -> Tuple[bool, bool, bool]:
    """Layers that are drawn at every scale and whole come first; those that need a value of a dimension come last."""
    needs_value = any(not dimension.default for dimension in layer.dimensions)
    return needs_value, layer.scale_range != (None, None), layer.no_subsets or any(layer.fixed_size)


def _choices(service: Service, layer: Layer) -> MapChoices:
    """A small map of the whole layer, with square pixels, in a CRS whose box is advertised."""
    version = (1, 3, 0) if service.version.startswith("1.3") else (1, 1, 1)
    told = [box.crs for box in layer.bboxes]
    for crs in [*(code for code in layer.crs if code in told), *layer.crs]:
        if is_automatic(crs):
            continue
        try:
            box = boxes.advertised_box(layer, crs, version)
        except CartoguideError:
            continue
        if box is None or not (box[0] < box[2] and box[1] < box[3]):
            continue
        width, height = _size(layer, box)
        values, _, _ = dimension_values(layer, {}, None)
        return MapChoices((layer.name or "",), crs, width, height, native_box=_squared(layer, box, width, height),
                          dimensions=values)
    raise InvalidRequest(tr("The layer “{layer}” names no box in a coordinate reference system that is known here.",
                            layer=layer.name))


def _size(layer: Layer, box: boxes.Box) -> Tuple[int, int]:
    across, upright = box[2] - box[0], box[3] - box[1]
    longer = max(across, upright)
    width, height = max(8, round(_SIDE * across / longer)), max(8, round(_SIDE * upright / longer))
    return layer.fixed_size[0] or width, layer.fixed_size[1] or height


def _squared(layer: Layer, box: boxes.Box, width: int, height: int) -> boxes.Box:
    """The box widened so that its pixels are square: some servers draw interpolated layers only then."""
    if layer.no_subsets or any(layer.fixed_size):
        return box
    pixel = max((box[2] - box[0]) / width, (box[3] - box[1]) / height)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return (x - pixel * width / 2, y - pixel * height / 2, x + pixel * width / 2, y + pixel * height / 2)


def _map(service: Service, layer: Layer) -> Attempt:
    chosen = _choices(service, layer)
    return Attempt(MAP, map_request(service, chosen), "image", (chosen.width, chosen.height))


def _info(service: Service, layer: Optional[Layer]) -> Attempt:
    if layer is None:
        return Attempt(INFO, refused=tr("None of the layers can be asked what lies at a place."))
    chosen = _choices(service, layer)
    info = service.operation("GetFeatureInfo")
    media = best_format(info.formats if info else ()) or ""
    request = feature_info_request(service, chosen, chosen.width // 2, chosen.height // 2, info_format=media)
    return Attempt(INFO, request, "any")


def _legend_words(service: Service) -> str:
    layers = drawn_layers(service)
    named = sum(1 for layer in layers if any(style.legends for style in layer.styles))
    return tr("One legend was read; {named} of {all} layers name theirs.", named=named, all=len(layers))

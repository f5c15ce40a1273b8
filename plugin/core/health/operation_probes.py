"""What is asked of a service to see whether it is well: each operation once, of one layer, as small as can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Optional, Tuple

from ..custommap.layer_choice import drawable_layers
from ..errors import CartoguideError, InvalidRequest
from ..featureinfo.info_formats import best_format
from ..i18n import tr
from ..request import Request, Response
from ..wms.crs import bounding_boxes
from ..wms.crs.codes import is_automatic_crs
from ..wms.dimensions.value_selection import select_dimension_values
from ..wms.model.service import Layer, Service
from ..wms.requests.get_feature_info import feature_info_request
from ..wms.requests.get_map import MapOptions, map_request
from ..wms.requests.sld_profile import describe_layer_request, legend_request, styles_request
from ..wms.responses.response_validation import check_response
from .health_check import DESCRIBE, INFO, LEGEND, MAP, STYLES, Probe, Verdict

#: pixels of the longer side of the map that is asked for
_MAP_SIDE = 128
#: seconds beyond which an answer is slow for so little
SLOW_SECONDS = 5.0


@dataclass(frozen=True)
class PlannedProbe:
    """One operation: its request, or why there is none; what is to come back, and its size where it is an image."""

    kind: str
    request: Optional[Request] = None
    expected: str = "xml"
    size: Optional[Tuple[int, int]] = None
    layer: str = ""
    skip_reason: str = ""
    verdict: Verdict = Verdict.SKIPPED


def plan_probes(service: Service) -> List[PlannedProbe]:
    """The requests for one map, one legend, one GetFeatureInfo, one DescribeLayer, one GetStyles."""
    layers = sorted(drawable_layers(service), key=_suitability)
    if not layers:
        nothing = tr("There is no layer that can be asked for.")
        return [
            PlannedProbe(part, skip_reason=nothing, verdict=Verdict.FAILED if part == MAP else Verdict.SKIPPED)
            for part in (MAP, LEGEND, INFO, DESCRIBE, STYLES)
        ]
    shown = layers[0]
    asked = next((layer for layer in layers if layer.queryable), None)
    with_legend = next((layer for layer in layers if any(style.legends for style in layer.styles)), shown)
    name = shown.name or ""
    return [
        _plan_probe(MAP, service, lambda: _plan_map_probe(service, shown), name),
        _plan_probe(LEGEND, service,
                    lambda: PlannedProbe(LEGEND, legend_request(service, with_legend.name or ""), "image"),
                    with_legend.name or "", operation=""),
        _plan_probe(INFO, service, lambda: _plan_feature_info_probe(service, asked), (asked or shown).name or "",
                    "GetFeatureInfo"),
        _plan_probe(DESCRIBE, service, lambda: PlannedProbe(DESCRIBE, describe_layer_request(service, [name])), name,
                    "DescribeLayer"),
        _plan_probe(STYLES, service, lambda: PlannedProbe(STYLES, styles_request(service, [name])), name, "GetStyles")
    ]


def evaluate_response(planned: PlannedProbe, response: Response, service: Service) -> Probe:
    """What an answer says of the service's health."""
    url = planned.request.url if planned.request else ""
    try:
        check_response(response, planned.expected, planned.size)
    except CartoguideError as error:
        return failed_probe(planned, error, response.seconds)
    words = tr("Layer {layer}: answered as it should.", layer=planned.layer)
    if planned.kind == LEGEND:
        words = _legend_message(service)
    if response.seconds > SLOW_SECONDS:
        slow = tr("Slow: {seconds} s for very little.", seconds=f"{response.seconds:.1f}")
        return Probe(planned.kind, Verdict.DOUBTFUL, slow, response.seconds, url)
    return Probe(planned.kind, Verdict.GOOD, words, response.seconds, url)


def failed_probe(planned: PlannedProbe, error: CartoguideError, seconds: float) -> Probe:
    """The probe of an operation that could not be asked or did not answer as it should."""
    url = planned.request.url if planned.request else ""
    return Probe(planned.kind, Verdict.FAILED, error.user_text, seconds, url, error.detail)


def skipped_probe(planned: PlannedProbe) -> Probe:
    """The probe of an operation for which there is no request."""
    return Probe(planned.kind, planned.verdict, planned.skip_reason)


def _plan_probe(part: str, service: Service, make: Callable[[], PlannedProbe], layer: str,
                operation: str = "") -> PlannedProbe:
    """The attempt with its layer; one that the service does not offer, or that cannot be put, says so."""
    if operation and service.operation(operation) is None:
        return PlannedProbe(part, skip_reason=tr("The service does not offer it."))
    try:
        made = make()
    except CartoguideError as error:
        # a map must be possible; all else may be lacking
        return PlannedProbe(part, skip_reason=error.user_text, layer=layer,
                            verdict=Verdict.FAILED if part == MAP else Verdict.SKIPPED)
    return PlannedProbe(part, made.request, made.expected, made.size, layer, made.skip_reason, made.verdict)


def _suitability(layer: Layer) -> Tuple[bool, bool, bool]:
    """Layers that are drawn at every scale and whole come first; those that need a value of a dimension come last."""
    needs_value = any(not dimension.default for dimension in layer.dimensions)
    return needs_value, layer.scale_range != (None, None), layer.no_subsets or any(layer.fixed_size)


def _small_map_options(service: Service, layer: Layer) -> MapOptions:
    """A small map of the whole layer, with square pixels, in a CRS whose box is advertised."""
    version = (1, 3, 0) if service.version.startswith("1.3") else (1, 1, 1)
    told = [box.crs for box in layer.bboxes]
    for crs in [*(code for code in layer.crs if code in told), *layer.crs]:
        if is_automatic_crs(crs):
            continue
        try:
            box = bounding_boxes.layer_bbox(layer, crs, version)
        except CartoguideError:
            continue
        if box is None or not (box[0] < box[2] and box[1] < box[3]):
            continue
        width, height = _small_map_size(layer, box)
        values, _, _ = select_dimension_values(layer, {}, None)
        return MapOptions((layer.name or "", ), crs, width, height,
                          native_bbox=_with_square_pixels(layer, box, width, height), dimensions=values)
    raise InvalidRequest(tr("The layer “{layer}” names no box in a coordinate reference system that is known here.",
                            layer=layer.name))


def _small_map_size(layer: Layer, box: bounding_boxes.BBox) -> Tuple[int, int]:
    across, upright = box[2] - box[0], box[3] - box[1]
    longer = max(across, upright)
    width, height = max(8, round(_MAP_SIDE * across / longer)), max(8, round(_MAP_SIDE * upright / longer))
    return layer.fixed_size[0] or width, layer.fixed_size[1] or height


def _with_square_pixels(layer: Layer, box: bounding_boxes.BBox, width: int, height: int) -> bounding_boxes.BBox:
    """The box widened so that its pixels are square: some servers draw interpolated layers only then."""
    if layer.no_subsets or any(layer.fixed_size):
        return box
    pixel = max((box[2] - box[0]) / width, (box[3] - box[1]) / height)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return (x - pixel * width / 2, y - pixel * height / 2, x + pixel * width / 2, y + pixel * height / 2)


def _plan_map_probe(service: Service, layer: Layer) -> PlannedProbe:
    chosen = _small_map_options(service, layer)
    return PlannedProbe(MAP, map_request(service, chosen), "image", (chosen.width, chosen.height))


def _plan_feature_info_probe(service: Service, layer: Optional[Layer]) -> PlannedProbe:
    if layer is None:
        return PlannedProbe(INFO, skip_reason=tr("None of the layers can be asked what lies at a place."))
    chosen = _small_map_options(service, layer)
    info = service.operation("GetFeatureInfo")
    media = best_format(info.formats if info else ()) or ""
    request = feature_info_request(service, chosen, chosen.width // 2, chosen.height // 2, info_format=media)
    return PlannedProbe(INFO, request, "any")


def _legend_message(service: Service) -> str:
    layers = drawable_layers(service)
    named = sum(1 for layer in layers if any(style.legends for style in layer.styles))
    return tr("One legend was read; {named} of {all} layers name theirs.", named=named, all=len(layers))

"""Probes of a service's operations: one small request for each, for one layer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, List, Optional, Tuple

from ..custommap.planner import drawable_layers
from ..errors import CartoguideError, InvalidRequest
from ..featureinfo.queries import best_format
from ..i18n import tr
from ..numbers import format_decimal
from ..request import Request, Response
from ..wms.crs import bounding_boxes
from ..wms.crs.codes import is_automatic_crs
from ..wms.dimensions.value_selection import select_dimension_values
from ..wms.model.service import Layer, Service
from ..wms.requests.get_feature_info import feature_info_request
from ..wms.requests.get_map import MapOptions, map_request
from ..wms.requests.request_validation import version_numbers
from ..wms.requests.sld_profile import describe_layer_request, legend_request, styles_request
from ..wms.responses.response_validation import ExpectedContent, check_response
from .health_check import Probe, ProbeKind, Verdict

#: longer side of the requested map in pixels
_MAP_SIDE = 128
#: seconds from which a response is slow for such a small request
SLOW_SECONDS = 5.0


@dataclass(frozen=True)
class PlannedProbe:
    """One planned probe: its request, or the reason why there is none.

    ``expected`` and ``size`` are arguments of ``response_validation.check_response``.
    """

    kind: ProbeKind
    request: Optional[Request] = None
    expected: ExpectedContent = ExpectedContent.XML
    size: Optional[Tuple[int, int]] = None
    layer: str = ""
    skip_reason: str = ""
    verdict: Verdict = Verdict.SKIPPED


def plan_probes(service: Service) -> List[PlannedProbe]:
    """Return the probes for one map, one legend, one GetFeatureInfo, one DescribeLayer and one GetStyles."""
    layers = sorted(drawable_layers(service), key=_suitability)
    if not layers:
        reason = tr("There is no layer that can be requested.")
        return [
            PlannedProbe(kind, skip_reason=reason, verdict=Verdict.FAILED if kind is ProbeKind.MAP else Verdict.SKIPPED)
            for kind in (ProbeKind.MAP, ProbeKind.LEGEND, ProbeKind.INFO, ProbeKind.DESCRIBE, ProbeKind.STYLES)
        ]
    drawn = layers[0]
    queryable = next((layer for layer in layers if layer.queryable), None)
    with_legend = next((layer for layer in layers if any(style.legends for style in layer.styles)), drawn)
    name, legend_name, queried_name = drawn.name or "", with_legend.name or "", (queryable or drawn).name or ""

    def plan_legend() -> PlannedProbe:
        return PlannedProbe(ProbeKind.LEGEND, legend_request(service, legend_name), ExpectedContent.IMAGE)

    def plan_description() -> PlannedProbe:
        return PlannedProbe(ProbeKind.DESCRIBE, describe_layer_request(service, [name]))

    def plan_styles() -> PlannedProbe:
        return PlannedProbe(ProbeKind.STYLES, styles_request(service, [name]))

    return [
        _plan_probe(ProbeKind.MAP, service, lambda: _plan_map_probe(service, drawn), name),
        _plan_probe(ProbeKind.LEGEND, service, plan_legend, legend_name),
        _plan_probe(ProbeKind.INFO, service, lambda: _plan_feature_info_probe(service, queryable), queried_name,
                    "GetFeatureInfo"),
        _plan_probe(ProbeKind.DESCRIBE, service, plan_description, name, "DescribeLayer"),
        _plan_probe(ProbeKind.STYLES, service, plan_styles, name, "GetStyles"),
    ]


def evaluate_response(planned: PlannedProbe, response: Response, service: Service) -> Probe:
    url = planned.request.url if planned.request else ""
    try:
        check_response(response, planned.expected, planned.size)
    except CartoguideError as error:
        return failed_probe(planned, error, response.seconds)
    message = tr("Layer {layer}: responded correctly.", layer=planned.layer)
    if planned.kind is ProbeKind.LEGEND:
        message = _legend_message(service)
    if response.seconds > SLOW_SECONDS:
        slow = tr("Slow: {seconds} s for a very small request.", seconds=format_decimal(response.seconds, 1))
        return Probe(planned.kind, Verdict.DOUBTFUL, slow, response.seconds, url)
    return Probe(planned.kind, Verdict.GOOD, message, response.seconds, url)


def failed_probe(planned: PlannedProbe, error: CartoguideError, seconds: float) -> Probe:
    """Return the probe of a request that failed or whose response is unusable."""
    url = planned.request.url if planned.request else ""
    return Probe(planned.kind, Verdict.FAILED, error.user_text, seconds, url, error.detail)


def skipped_probe(planned: PlannedProbe) -> Probe:
    """Return the probe of an operation without request."""
    return Probe(planned.kind, planned.verdict, planned.skip_reason)


def _plan_probe(kind: ProbeKind, service: Service, plan: Callable[[], PlannedProbe], layer: str,
                operation: str = "") -> PlannedProbe:
    """Return the planned probe, or one with the reason why the operation cannot be requested."""
    if operation and service.operation(operation) is None:
        return PlannedProbe(kind, skip_reason=tr("Not offered by the service."))
    try:
        planned = plan()
    except CartoguideError as error:
        # only a map is mandatory
        return PlannedProbe(kind, skip_reason=error.user_text, layer=layer,
                            verdict=Verdict.FAILED if kind is ProbeKind.MAP else Verdict.SKIPPED)
    return replace(planned, kind=kind, layer=layer)


def _suitability(layer: Layer) -> Tuple[bool, bool, bool]:
    """Return the sort key: layers drawn at every scale come first, layers that need a dimension value last."""
    needs_value = any(not dimension.default for dimension in layer.dimensions)
    return needs_value, layer.scale_range != (None, None), layer.no_subsets or any(layer.fixed_size)


def _small_map_options(service: Service, layer: Layer) -> MapOptions:
    """Return a small map of the whole layer with square pixels, in a CRS for which it advertises a bounding box.

    Raises InvalidRequest if there is no bounding box in a known CRS.
    """
    version = version_numbers(service)
    advertised = [box.crs for box in layer.bboxes]
    for crs in [*(code for code in layer.crs if code in advertised), *layer.crs]:
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
    raise InvalidRequest(tr("The layer “{layer}” has no bounding box in a known coordinate reference system.",
                            layer=layer.name))


def _small_map_size(layer: Layer, box: bounding_boxes.BBox) -> Tuple[int, int]:
    across, upright = box[2] - box[0], box[3] - box[1]
    longer = max(across, upright)
    width, height = max(8, round(_MAP_SIDE * across / longer)), max(8, round(_MAP_SIDE * upright / longer))
    return layer.fixed_size[0] or width, layer.fixed_size[1] or height


def _with_square_pixels(layer: Layer, box: bounding_boxes.BBox, width: int, height: int) -> bounding_boxes.BBox:
    """Return the box enlarged so that its pixels are square.

    Some servers do not draw interpolated layers otherwise.
    """
    if layer.no_subsets or any(layer.fixed_size):
        return box
    pixel = max((box[2] - box[0]) / width, (box[3] - box[1]) / height)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return (x - pixel * width / 2, y - pixel * height / 2, x + pixel * width / 2, y + pixel * height / 2)


def _plan_map_probe(service: Service, layer: Layer) -> PlannedProbe:
    chosen = _small_map_options(service, layer)
    size = (chosen.width, chosen.height)
    return PlannedProbe(ProbeKind.MAP, map_request(service, chosen), ExpectedContent.IMAGE, size)


def _plan_feature_info_probe(service: Service, layer: Optional[Layer]) -> PlannedProbe:
    if layer is None:
        return PlannedProbe(ProbeKind.INFO, skip_reason=tr("None of the layers can be queried."))
    chosen = _small_map_options(service, layer)
    info = service.operation("GetFeatureInfo")
    media = best_format(info.formats if info else ()) or ""
    request = feature_info_request(service, chosen, chosen.width // 2, chosen.height // 2, info_format=media)
    return PlannedProbe(ProbeKind.INFO, request, ExpectedContent.ANY)


def _legend_message(service: Service) -> str:
    layers = drawable_layers(service)
    named = sum(1 for layer in layers if any(style.legends for style in layer.styles))
    return tr("One legend was read; {named} of {all} layers declare a legend.", named=named, all=len(layers))

"""Preflight rules about the page: missing layers, scale, CRS, image sizes, legends, opaque layers, extent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from ..box import Box
from ..custommap.ground_scale import LARGE_DIFFERENCE, propose_projected_crs
from ..custommap.layer_metadata import record_extent
from ..custommap.legend.tree import is_in_legend
from ..custommap.map_findings import MapFinding, MapRemedy, RemedyKind, Severity, covering_remedies
from ..custommap.model import BlendMode, LayerPlan, LoginUse, Plan
from ..custommap.moments import plan_multiples
from ..custommap.planner import best_crs, same_crs, supports_transparency
from ..i18n import tr
from ..numbers import format_decimal, format_distance, format_scale
from ..pages.page_features import of_template
from ..text import list_quoted_names
from ..wms.crs.codes import common_crs, is_automatic_crs
from ..wms.model.service import Layer, ScaleRange, Service, in_scale_range
from .context import PreflightContext
from .print_estimate import estimate_print

#: usual scales of printed maps, for proposals
_SCALES = (1000, 2000, 2500, 5000, 10000, 15000, 20000, 25000, 40000, 50000, 75000, 80000, 100000, 150000, 200000,
           250000, 300000, 400000, 500000, 750000, 1000000, 1500000, 2000000)
#: more images than this are a burden on shared servers
_MANY_REQUESTS = 60
#: a service that covers a smaller share of the map is noted
_LITTLE_COVERAGE = 0.5


def missing_layers(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield what the plan could not include: failed services and missing layers."""
    for note in context.plan.notes:
        if note.is_missing:
            yield MapFinding("missing", Severity.ERROR, note.text,
                             tr("Load the service again, choose other layers, or remove it from the map."),
                             context.entry_title(note.entry_index) if note.entry_index is not None else "",
                             note.entry_index, MapRemedy(RemedyKind.REFRESH, tr("Load again")))


def logins(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield services whose capabilities name another host than the one that their login is for."""
    advice = {
        LoginUse.KEPT: tr("If layers stay empty, ask the provider of the service."),
        LoginUse.WITHHELD: tr("If layers stay empty, load the service again: a message then offers to send the login."),
    }
    for note in context.plan.notes:
        if note.login_use is not None and note.entry_index is not None:
            severity = Severity.WARNING if note.login_use is LoginUse.WITHHELD else Severity.NOTE
            yield MapFinding(f"login-{note.login_use.value}", severity, note.text, advice[note.login_use],
                             context.entry_title(note.entry_index), note.entry_index,
                             MapRemedy(RemedyKind.REFRESH, tr("Load again")) if severity is Severity.WARNING else None)


def hidden_on_canvas(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield a note for a map that is hidden in the layer tree: the page shows it, the canvas does not."""
    if context.hidden_on_canvas:
        yield MapFinding("hidden-on-canvas", Severity.NOTE,
                         tr("The map is hidden in the Layers panel. It is printed all the same."),
                         tr("Tick its group in the Layers panel to see it on the canvas, or untick single layers to "
                            "leave them out of the page."))


def unknown_extent(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield an error for a map without an extent."""
    if context.frame is None and context.plan.extent is None and (context.plan.centre is None or
                                                                  context.plan.scale is None):
        yield MapFinding("extent-unknown", Severity.ERROR, tr("The map has no area yet."),
                         tr("Choose an extent, or a centre and a scale."))


def scale_ranges(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield layers that are not drawn at the map's scale.

    It is an error where a whole service would be empty, and one note where services leave out some of their layers.
    """
    scale, factor = context.scale, context.nominal_factor
    if not scale:
        return
    own_scales = [(own, context.own_scales.get(own.id, (None, None))) for own in context.document.own_layers
                  if own.visible]
    scale_text, advice = format_scale(scale), tr("Leave it out, or choose a scale at which it is drawn.")
    drawn = [*(layer.scale_range for layer in context.plan.layers if layer.visible), *(item for _, item in own_scales)]

    def other_scale(ranges: Sequence[ScaleRange]) -> Tuple[MapRemedy, ...]:
        proposal = _nearest_scale(drawn, scale, factor) or _nearest_scale(ranges, scale, factor)
        return (MapRemedy(RemedyKind.SCALE, tr("Show it at {scale}", scale=format_scale(proposal)),
                          float(proposal)),) if proposal else ()

    leave_out = MapRemedy(RemedyKind.HIDE, tr("Leave it out"))
    for own, own_range in own_scales:
        if not in_scale_range(own_range, scale * factor):
            yield MapFinding("scale", Severity.WARNING, tr("It is not drawn at {scale}.", scale=scale_text), advice,
                             own.name, remedy=leave_out, own_layer=own.id, other_remedies=other_scale([own_range]))
    partly: Dict[int, List[LayerPlan]] = {}
    for index in range(len(context.entries)):
        layers = context.entry_layers(index)
        hidden = [layer for layer in layers if not in_scale_range(layer.scale_range, scale * factor)]
        if not hidden:
            continue
        if len(hidden) < len(layers):
            partly[index] = hidden
            continue
        yield MapFinding("scale", Severity.ERROR, tr("It is not drawn at {scale}.", scale=scale_text), advice,
                         context.entry_title(index), index, leave_out,
                         other_remedies=other_scale([layer.scale_range for layer in layers]))
    if partly:
        left_out = [layer for layers in partly.values() for layer in layers]
        only = next(iter(partly)) if len(partly) == 1 else None
        hide = replace(leave_out, layers=tuple((layer.entry_index, layer.name) for layer in left_out))
        if len(left_out) > 1:
            hide = replace(hide, label=tr("Leave them out"))
        yield MapFinding(
            "scale", Severity.NOTE, tr("Not drawn at {scale}: {layers}.", scale=scale_text,
                                       layers=list_quoted_names([layer.label for layer in left_out])), advice,
            context.entry_title(only) if only is not None else "", only, hide,
            other_remedies=other_scale([layer.scale_range for layer in left_out]))


def transparent_layers(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield layers that nobody can see because their opacity is 0. No page is written without a layer of a service."""
    advice, leave_out = tr("Give it an opacity, or leave it out."), MapRemedy(RemedyKind.HIDE, tr("Leave it out"))
    for own in context.document.own_layers:
        if own.visible and not own.opacity:
            yield MapFinding("transparent", Severity.WARNING, tr("Its opacity is 0 %."), advice, own.name,
                             remedy=leave_out, own_layer=own.id)
    for index in range(len(context.entries)):
        clear = [layer for layer in context.entry_layers(index) if not layer.opacity]
        if clear:
            names = list_quoted_names([layer.label for layer in clear])
            yield MapFinding("transparent", Severity.ERROR, tr("Opacity of 0 %: {layers}.", layers=names), advice,
                             context.entry_title(index), index,
                             replace(leave_out, layers=tuple((index, layer.name) for layer in clear)))


def ground_scale(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield a warning for a map whose scale is not one: in degrees, or with another scale along than across."""
    ground = context.frame.ground if context.frame is not None else None
    if ground is None or not (ground.in_degrees or ground.difference > LARGE_DIFFERENCE):
        return
    metres = (context.scale or 0.0) / 100
    across, along = format_distance(metres), format_distance(metres * ground.across / ground.along)
    if ground.in_degrees:
        rule = "degrees"
        message = tr("The map is in degrees ({crs}). One centimetre is {across} on the ground across the page and "
                     "{along} along it. No numeric scale is printed, and the scale bar is true along one parallel "
                     "only.",
                     crs=context.plan.crs, across=across, along=along)
    else:
        rule = "uneven-scale"
        message = tr("In {crs} the scale is not the same in all directions here. One centimetre is {across} on the "
                     "ground across the page and {along} along it ({percent} %). No numeric scale is printed, and the "
                     "scale bar is true across the page only.", crs=context.plan.crs, across=across, along=along,
                     percent=format_decimal(ground.difference * 100, 1))
    area = context.extent
    offered = _offered_crs(context)
    proposed = propose_projected_crs(offered, area) if area is not None else ""
    remedy = MapRemedy(RemedyKind.CRS, tr("Use {crs} for the map", crs=proposed), proposed) if proposed else None
    yield MapFinding(rule, Severity.WARNING, message,
                     tr("Choose a projected reference system made for this area, if distances matter."), remedy=remedy)


def reference_system(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield layers that are not offered in the map's CRS, with the CRS used instead."""
    for index, entry in enumerate(context.entries):
        other = [layer.wms.crs for layer in context.entry_layers(index)
                 if layer.wms is not None and not same_crs(layer.wms.crs, context.plan.crs)]
        if not other:
            continue
        used = ", ".join(dict.fromkeys(other))
        shared = _shared_crs(context)
        remedy = MapRemedy(RemedyKind.CRS, tr("Use {crs} for the map", crs=shared), shared) if shared else None
        yield MapFinding(
            "crs", Severity.WARNING,
            tr("Not offered in {wanted}: it is requested in {used} and warped, which blurs its text.",
               wanted=context.plan.crs, used=used),
            tr("Choose a reference system for the map that the service offers, where sharp text matters."),
            context.entry_title(index), index, remedy, entry.endpoint)


def image_sizes(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield layers divided into several images, layers of a fixed size, and maps that need too many images."""
    estimate = estimate_print(context)
    for index, images in estimate.images_by_entry:
        source = next(layer.wms for layer in context.entry_layers(index) if layer.wms is not None)
        limits = f"{source.max_width or '–'} × {source.max_height or '–'}"
        yield MapFinding(
            "pieces", Severity.NOTE,
            tr("Its image is divided into {count} parts: the service allows at most {limits} pixels per "
               "request.", count=images, limits=limits),
            tr("The parts overlap, so that symbols are complete, but labels may be placed "
               "differently at the seams. A smaller paper or a lower resolution needs one "
               "image only."), context.entry_title(index), index)
    if estimate.requests > _MANY_REQUESTS:
        yield MapFinding(
            "many-images", Severity.WARNING, tr("The map needs {images}.", images=estimate.text()),
            tr("Choose fewer layers, a smaller paper or a lower resolution, to spare the servers."))
    for index, entry in enumerate(context.entries):
        service = context.service_of(entry)
        for planned in context.entry_layers(index):
            layer_of = service.layer(planned.name) if service else None
            if layer_of is not None and (layer_of.no_subsets or any(layer_of.fixed_size)):
                yield MapFinding(
                    "fixed", Severity.WARNING,
                    tr("“{layer}” is only available in a fixed size or extent.", layer=planned.label),
                    tr("It will look coarse on paper: check it at this scale."), context.entry_title(index), index)


def missing_legends(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield layers without a legend graphic."""
    for index in range(len(context.entries)):
        without = [layer for layer in context.entry_layers(index)
                   if layer.wms is not None and not layer.wms.legend_url and is_in_legend(context.plan, layer)]
        if without:
            yield MapFinding(
                "legend", Severity.NOTE,
                tr("No legend is offered for {layers}.",
                   layers=list_quoted_names([layer.label for layer in without])),
                tr("Explain it in the title or on the page."), context.entry_title(index), index)


def covering_layers(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield overlays with images that hide everything below."""
    for index, entry in enumerate(context.entries):
        below = [layer for layer in context.plan.layers if layer.visible and layer.entry_index < index]
        if not below or entry.opacity < 0.995 or entry.blend is not BlendMode.NORMAL:
            continue
        service = context.service_of(entry)
        hiding = [layer for layer in context.entry_layers(index) if _hides_below(layer, service)]
        if hiding:
            remedies = covering_remedies(index > (0 if context.document.base is None else 1))
            yield MapFinding(
                "opaque", Severity.WARNING,
                tr("What lies below is covered by {layers}.",
                   layers=list_quoted_names([layer.label for layer in hiding])),
                tr("Multiply it with what lies below, move it down, make it translucent, or use it as the base."),
                context.entry_title(index), index, remedies[0], other_remedies=remedies[1:])


def extent_outside_records(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield services with an extent outside or mostly outside of the map."""
    area = context.extent
    if area is None:
        return
    for index, entry in enumerate(context.entries):
        if not entry.visible:
            continue
        record = context.record_of(entry)
        record_box = record_extent(record) if record else None
        layer_extents = [layer.extent for layer in context.entry_layers(index) if layer.extent]
        extents = [record_box] if record_box else layer_extents
        if not extents:
            continue
        share = max(_covered_share(area, box) for box in extents if box)
        remedy = MapRemedy(RemedyKind.EXTENT, tr("Show its area"), float(index))
        if share <= 0:
            yield MapFinding("outside", Severity.ERROR, tr("The map is outside the extent in its record."),
                             tr("Choose another extent, or remove the service from the map."),
                             context.entry_title(index), index, remedy)
        elif share < _LITTLE_COVERAGE:
            yield MapFinding("partly-outside", Severity.NOTE,
                             tr("It covers {share} % of the map.", share=f"{max(1.0, 100 * share):.0f}"),
                             tr("Choose another extent if the rest should not be empty."), context.entry_title(index),
                             index)


def _hides_below(layer: LayerPlan, service: Optional[Service]) -> bool:
    if layer.wms is not None and not supports_transparency(layer.wms.format):
        return True
    described = service.layer(layer.name) if service is not None else None
    return described is not None and bool(described.opaque)


def _nearest_scale(ranges: Sequence[ScaleRange], wanted: float, factor: float) -> Optional[int]:
    """Return the usual scale nearest to ``wanted`` at which everything is drawn.

    ``factor`` is QGIS's own denominator, with which the ranges are compared, over the ground's.
    """
    fitting = [number for number in _SCALES if all(in_scale_range(item, number * factor) for item in ranges)]
    return min(fitting, key=lambda number: max(number, wanted) / min(number, wanted)) if fitting else None


def _requested_layers(context: PreflightContext) -> List[Layer]:
    """Return the services' own descriptions of all visible layers."""
    layers = []
    for index, entry in enumerate(context.entries):
        service = context.service_of(entry)
        named = [service.layer(layer.name) for layer in context.entry_layers(index)] if service else []
        layers += [layer for layer in named if layer is not None]
    return layers


def _offered_crs(context: PreflightContext) -> List[str]:
    """Return the CRSs that all visible layers offer."""
    return [code for code in common_crs(_requested_layers(context)) if not is_automatic_crs(code)]


def _shared_crs(context: PreflightContext) -> str:
    """Return the best CRS that all visible layers offer, or an empty text."""
    layers, shared = _requested_layers(context), _offered_crs(context)
    if not layers or not shared:
        return ""
    return best_crs(replace(layers[0], crs=tuple(shared)), context.plan.crs, context.extent) or ""


def _covered_share(area: Box, box: Box) -> float:
    shared = area.intersection(box)
    if not shared.has_area:
        return 0.0
    return shared.width * shared.height / (area.width * area.height)


def page_features(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield what the features of the page warn of."""
    page = context.document.page
    for feature in of_template(page.template):
        if feature.problems is not None:
            value = getattr(page, feature.member) if feature.member else None
            for problem in feature.problems(value, _PlannedMap(context.plan)):
                yield MapFinding(*problem)


@dataclass(frozen=True)
class _PlannedMap:
    """A plan as the features of the page see it."""

    plan: Plan

    @property
    def moments(self) -> int:
        return len(plan_multiples(self.plan).panels)


RULES: Tuple[Callable[[PreflightContext], Iterator[MapFinding]],
             ...] = (missing_layers, logins, unknown_extent, hidden_on_canvas, scale_ranges, transparent_layers,
                     ground_scale, reference_system, image_sizes, missing_legends, covering_layers,
                     extent_outside_records, page_features)

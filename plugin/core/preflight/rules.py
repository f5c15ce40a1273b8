"""Preflight rules: of the page, of credit, terms, years and addresses, and of a map that shows its snapshot."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from ..custommap.ground_scale import LARGE_DIFFERENCE, propose_projected_crs
from ..custommap.layer_metadata import record_extent
from ..custommap.legend.tree import is_in_legend
from ..custommap.map_findings import MapFinding, MapRemedy, RemedyKind, Severity, covering_remedies, missing_credit
from ..custommap.model import BlendMode, LayerPlan, LoginUse, PlanNote
from ..custommap.planner import PlannedMap, best_crs, same_crs
from ..custommap.time_selection import select_moment
from ..dates import format_date, format_day
from ..distributions.record_distributions import wms_address
from ..i18n import tr
from ..numbers import format_decimal, format_distance, format_scale
from ..pages.page_features import feature_value, of_template, shows_all_moments
from ..records.model.endpoints import normalise_endpoint
from ..review.checks.service_rules import against_service
from ..snapshot.snapshot_sources import live_layers
from ..terms import credited_year
from ..terms.labels import limit_label
from ..terms.model import PUBLISHING_LIMITS, Decision, LimitKind, Terms
from ..terms.paper_gate import UnfitReason
from ..text import list_quoted_names, shorten
from ..wms.crs.codes import common_crs, is_automatic_crs
from ..wms.model.service import Layer, ScaleRange, in_scale_range
from ..wms.requests.urls import as_https
from .context import PreflightContext
from .ground import LITTLE_OF_BASE, covered_share, missing_base, turned_names
from .print_estimate import estimate_print

#: usual scales of printed maps, for proposals
_SCALES = (1000, 2000, 2500, 5000, 10000, 15000, 20000, 25000, 40000, 50000, 75000, 80000, 100000, 150000, 200000,
           250000, 300000, 400000, 500000, 750000, 1000000, 1500000, 2000000)
#: more images than this are a burden on shared servers
_MANY_REQUESTS = 60
#: a service that covers a smaller share of the map is noted
_LITTLE_COVERAGE = 0.5


def missing_layers(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield what the plan could not include: failed services, one finding for each cause, and missing layers."""
    moved = _moved_services(context)
    causes: Dict[Tuple[object, ...], List[PlanNote]] = {}
    for note in context.plan.notes:
        if note.is_missing:
            key = (note.reason, note.entry_index in moved) if note.reason else (note.text, note.entry_index)
            causes.setdefault(key, []).append(note)
    for notes in causes.values():
        indexes = tuple(note.entry_index for note in notes if note.entry_index is not None)
        again = MapRemedy(RemedyKind.REFRESH, tr("Load again"), entries=indexes)
        finding = MapFinding("missing", Severity.ERROR, notes[0].text if len(notes) == 1 else tr(
            "They are missing from the map: their services cannot be used. {reason}", reason=notes[0].reason),
            tr("Load the service again, choose other layers, or remove it from the map."),
            ", ".join(map(context.entry_title, indexes)), indexes[0] if len(indexes) == 1 else None, again)
        if notes[0].reason and moved.keys() >= set(indexes):
            finding = replace(
                finding, advice=_moved_advice(), remedy=_address_remedy(moved), other_remedies=(again,),
                detail="\n".join(f"{context.entry_title(index)}: {moved[index]}" for index in indexes))
        yield finding


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


def all_hidden(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield an error for a map of which nothing is shown, because its services and own layers are hidden."""
    own_layers = context.document.own_layers
    if not (context.entries or own_layers) or any(own.visible for own in own_layers) or not all(
            entry.is_hidden([layer.name for layer in context.plan.layers if layer.entry_index == index])
            for index, entry in enumerate(context.entries)):
        return
    titles = [*map(context.entry_title, range(len(context.entries))), *(own.name for own in own_layers)]
    yield MapFinding("all-hidden", Severity.ERROR,
                     tr("The map shows no layer: {layers} is hidden.", layers=list_quoted_names(titles))
                     if len(titles) == 1 else
                     tr("The map shows no layer: {layers} are hidden.", layers=list_quoted_names(titles)),
                     tr("Tick the box of what the map should show."),
                     remedy=MapRemedy(RemedyKind.SHOW, tr("Show it") if len(titles) == 1 else tr("Show all")))


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
        return (MapRemedy(RemedyKind.SCALE, tr("Print at {scale}", scale=format_scale(proposal)),
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
            advice = tr("Leave them out, or choose a scale at which they are drawn.")
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
            several = len(clear) > 1
            yield MapFinding("transparent", Severity.ERROR, tr("Opacity of 0 %: {layers}.", layers=names),
                             tr("Give them an opacity, or leave them out.") if several else advice,
                             context.entry_title(index), index,
                             replace(leave_out, layers=tuple((index, layer.name) for layer in clear),
                                     label=tr("Leave them out") if several else leave_out.label))


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
        hiding = [layer for layer in context.entry_layers(index) if layer.opaque]
        if hiding:
            remedies = covering_remedies(index > (0 if context.document.base is None else 1))
            yield MapFinding(
                "opaque", Severity.WARNING,
                tr("What lies below is covered by {layers}.",
                   layers=list_quoted_names([layer.label for layer in hiding])),
                tr("Multiply it with what lies below, move it down, make it translucent, or use it as the base."),
                context.entry_title(index), index, remedies[0], other_remedies=remedies[1:])


def pale_ground(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield a note where the ground of the base is drawn pale and grey, which it is not without the series above it."""
    pale = [layer for layer in context.plan.layers if layer.is_pale]
    if pale:
        yield MapFinding(
            "pale-ground", Severity.NOTE,
            tr("The base ({layers}) is drawn pale and grey, so that the colours above it are those of the legend.",
               layers=list_quoted_names([layer.label for layer in pale])),
            tr("The legend leaves its colours out. With another blending mode of the series above, the base has its "
               "own colours."),
            context.entry_title(pale[0].entry_index), pale[0].entry_index)


def base_of_map(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield a map without a base."""
    yield from missing_base(context.plan, context.scale, context.filling_layers, context.base_offers)


def rotation(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield a map on which names lie on their sides."""
    yield from turned_names(context.plan)


def mixed_moments(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield services of which several times are drawn over each other, because no moment of the series was chosen."""
    if shows_all_moments(context.document.page.template):
        return
    for index, entry in enumerate(context.entries):
        service = context.service_of(entry)
        if entry.moment or service is None:
            continue
        drawn = [layer.name for layer in context.entry_layers(index)]
        shown = select_moment(service, drawn, "")
        steps = shown.layer_steps() if shown is not None else {}
        if shown is not None and len(steps) > 1:
            yield MapFinding(
                "mixed-moments", Severity.WARNING,
                tr("{count} times are drawn over each other, in colours that the legend does not have.",
                   count=len(steps)),
                tr("Show one of them, which can be changed in the service’s row then, or each on a map of small "
                   "multiples."), context.entry_title(index), index,
                MapRemedy(RemedyKind.MOMENT, tr("Show only {moment}", moment=format_date(shown.entry.moment)),
                          shown.entry.moment))


def extent_outside_records(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield services with an extent outside or mostly outside of the map."""
    corners, base = context.corners, None if context.document.base is None else 0
    if corners is None:
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
        share = max(covered_share(corners, box) for box in extents)
        remedy = MapRemedy(RemedyKind.EXTENT, tr("Show its area"), float(index))
        if share <= 0:
            yield MapFinding("outside", Severity.ERROR, tr("The map is outside the extent in its record."),
                             tr("Choose another extent, or remove the service from the map."),
                             context.entry_title(index), index, remedy)
            continue
        drawn = max([share, *(covered_share(corners, box) for box in layer_extents)])
        if index == base and drawn < LITTLE_OF_BASE:
            yield MapFinding("partly-outside", Severity.NOTE,
                             tr("It covers {share} % of the map. The rest is plain ground.", share=_percent(drawn)),
                             tr("Choose another extent if the base should fill the map."), context.entry_title(index),
                             index, remedy, other_remedies=(MapRemedy(RemedyKind.FIT, tr("Fit to the base")),))
        elif share < _LITTLE_COVERAGE:
            yield MapFinding("partly-outside", Severity.NOTE,
                             tr("It covers {share} % of the map.", share=_percent(share)),
                             tr("Choose another extent if the rest should not be empty."), context.entry_title(index),
                             index, remedy if index == base else None)


def _percent(share: float) -> str:
    return f"{max(1.0, 100 * share):.0f}"


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


def page_features(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield why another page is printed than the one chosen, and what the features of the page warn of."""
    if context.plan.replaced_page is not None:
        yield MapFinding(*context.plan.replaced_page)
    page, planned = context.plan.page, PlannedMap(context.document, context.plan)
    for feature in of_template(page.template):
        if feature.problems is not None:
            for problem in feature.problems(feature_value(page, feature), planned):
                yield MapFinding(*problem)


def required_credit(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield credits that are required but unknown or undecided, and missing records."""
    for index, entry in enumerate(context.entries):
        if not entry.visible:
            continue
        credit = context.credit_of(index)
        asked = {unfit: None for layer in context.entry_layers(index) for unfit in layer.unfit_credits}
        asked.update((unfit, None) for unfit in credit.unfit)
        for unfit in asked:
            yield MapFinding(
                "no-credit" if unfit.reason is UnfitReason.NO_OWNER else "unfit-credit", Severity.ERROR, unfit.message,
                tr("Write the credit as it has to be printed. It is saved in the map."), context.entry_title(index),
                index, MapRemedy(RemedyKind.CREDIT, tr("Use this credit"), unfit.line, unfit.line))
        if asked:
            continue
        if not credit.lines:
            yield missing_credit(credit.required, context.entry_title(index), index)
        elif credit.from_document_only:
            yield MapFinding("kept-credit", Severity.NOTE,
                             tr("Its record is not available. The credit saved in the map is used."),
                             tr("Search for the record again if its terms may have changed."),
                             context.entry_title(index), index)
        elif credit.required is Decision.UNDECIDED:
            yield MapFinding("credit-undecided", Severity.NOTE,
                             tr("Its terms leave open whether a credit is required. It is shown to be safe."),
                             tr("Leave the credit on the map."), context.entry_title(index), index)


def terms_of_use(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield fees, undecided or contradicting terms, and restrictions, those of the services' data too."""
    for index, entry in enumerate(context.entries):
        for words in dict.fromkeys(text for stored in entry.data_credits for text in stored.limits if entry.visible):
            yield MapFinding("limits", Severity.WARNING,
                             tr("The terms of its data may restrict this use: “{words}”", words=shorten(words, 160)),
                             tr("Check that your map complies."), context.entry_title(index), index)
        terms = context.terms_of(index)
        if terms is None or not entry.visible:
            continue
        title = context.entry_title(index)
        priced = terms.free is Decision.NO
        costs = priced or (terms.free is Decision.UNDECIDED and bool(terms.fees) and not terms.free_for_some)
        if costs:
            fees = shorten(terms.fees) or tr("no amount is given")
            yield MapFinding("fees", Severity.WARNING,
                             tr("It is not free of charge: {fees}", fees=fees) if priced
                             else tr("It may not be free of charge: {fees}", fees=fees),
                             tr("Settle the fees with its owner before you publish."), title, index)
        if terms.conflict:
            yield MapFinding("terms-conflict", Severity.WARNING, terms.conflict, tr("Ask its owner which terms apply."),
                             title, index)
        elif not costs and terms.free is Decision.UNDECIDED and terms.licence is None and not terms.leftovers:
            yield MapFinding("terms-undecided", Severity.WARNING, tr("Its terms of use are unclear."),
                             tr("Read its terms before you publish."), title, index, detail="\n".join(terms.undecided))
        yield from _restrictions(terms, title, index, terms.fees if costs else None)


def _restrictions(terms: Terms, title: str, index: int, reported: Optional[str]) -> Iterator[MapFinding]:
    """Yield the words of the terms that restrict the use or were not understood, and the limits by name.

    ``reported`` are words that another finding has.
    """
    named = [limit for limit in terms.limits if limit.kind in PUBLISHING_LIMITS and limit.kind is not LimitKind.PRICE]
    for limit in named[:3]:
        yield MapFinding(
            "limits", Severity.NOTE if limit.from_licence else Severity.WARNING,
            tr("Its terms restrict the use: {limit}",
               limit=f"{limit_label(limit.kind)} ({tr('“{words}”', words=shorten(limit.text, 160))})"),
            tr("Check that your map complies."), title, index)
    named_texts = {limit.text for limit in terms.limits}
    leftovers = [words for words in terms.leftovers if words not in named_texts and words != reported]
    if leftovers:
        yield MapFinding("terms-restricted", Severity.WARNING,
                         tr("Its terms may restrict this use: “{words}”", words=shorten(leftovers[0], 160)),
                         tr("Read its terms before you publish."), title, index, detail="\n".join(leftovers))


def record_against_service(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield services that contradict their records."""
    for index, entry in enumerate(context.entries):
        record, service = context.record_of(entry), context.service_of(entry)
        if record is None or service is None:
            continue
        grave = [item for item in against_service(record, service) if item.severity is not Severity.NOTE]
        if grave:
            yield MapFinding(
                "disagreement", Severity.WARNING,
                tr("Record and service disagree in %n point(s): {first}", n=len(grave), first=grave[0].message),
                tr("See the Checks tab of its record, and rely on what the service states."),
                context.entry_title(index), index, detail="\n".join(item.message for item in grave))


def data_years(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield a note where the data is of different years."""
    years = [(credited_year(record), context.entry_title(index))
             for index, entry in enumerate(context.entries)
             if entry.visible and (record := context.record_of(entry)) is not None]
    dated = [(year, title) for year, title in years if year]
    if len({year for year, _ in dated}) > 1:
        years_text = "; ".join(title if title.endswith(year) else f"{title} ({year})" for year, title in dated)
        yield MapFinding("years", Severity.NOTE, tr("The data come from different years: {years}.", years=years_text),
                         tr("The sources on the page name each year."))


def service_addresses(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield services with a new address in their record, and http where https works. One button repairs all alike.

    Of a service that is missing the finding about that says it.
    """
    moved = _moved_services(context)
    secure = {index: as_https(entry.endpoint) for index, entry in enumerate(context.entries)
              if index not in moved and entry.endpoint in context.https_endpoints}
    missing = {note.entry_index for note in context.plan.notes if note.is_missing and note.reason}
    for index, new in moved.items():
        if index not in missing:
            yield MapFinding("moved", Severity.WARNING,
                             tr("Its record now names another address: {address}", address=new), _moved_advice(),
                             context.entry_title(index), index, _address_remedy(moved), context.entries[index].endpoint)
    label = tr("Use https for all") if len(secure) > 1 else tr("Use https")
    remedy = MapRemedy(RemedyKind.ENDPOINT, label, addresses=tuple(secure.items()))
    for index in secure:
        yield MapFinding("http", Severity.NOTE,
                         tr("It is requested over http although the server also supports https."),
                         tr("Use https so that nobody in between can read or alter the map."),
                         context.entry_title(index), index, remedy, context.entries[index].endpoint)


def _moved_services(context: PreflightContext) -> Dict[int, str]:
    """Return the addresses that records name today, of services that have another one on the map, by their indexes."""
    records = [context.record_of(entry) for entry in context.entries]
    named = [wms_address(record) if record is not None else None for record in records]
    return {index: new for index, (entry, new) in enumerate(zip(context.entries, named))
            if new and normalise_endpoint(new) != normalise_endpoint(entry.endpoint)}


def _moved_advice() -> str:
    return tr("Use the record's address: the old one may be switched off.")


def _address_remedy(moved: Dict[int, str]) -> MapRemedy:
    label = tr("Use the record's address for all") if len(moved) > 1 else tr("Use the record's address")
    return MapRemedy(RemedyKind.ENDPOINT, label, addresses=tuple(moved.items()))


#: relative difference below which scales are equal
_TOLERANCE = 0.02
_EDGE_TOLERANCE = 0.002


def layers_without_snapshot(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield layers missing in the snapshot, which are requested from their servers."""
    if context.snapshot is None:
        return
    # of a layer that is not drawn at this scale nothing is requested
    live = live_layers(context.plan, (context.scale or 0.0) * context.nominal_factor)
    for index in range(len(context.entries)):
        names = [layer.label for layer in live if layer.entry_index == index]
        if names:
            yield MapFinding(
                "offline-live", Severity.WARNING,
                tr("Not in the snapshot: {layers}. The live service is used instead.",
                   layers=list_quoted_names(names)),
                tr("Take a new snapshot, or show the live services."), context.entry_title(index), index)


def snapshot_area(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield an error for a page that extends beyond the snapshot."""
    box, area = context.extent, context.snapshot.degrees if context.snapshot is not None else None
    if box is None or area is None:
        return
    across, along = box.width * _EDGE_TOLERANCE, box.height * _EDGE_TOLERANCE
    if (box.west < area.west - across or box.east > area.east + across or box.south < area.south - along
            or box.north > area.north + along):
        yield MapFinding("offline-area", Severity.ERROR, tr("The snapshot does not cover all of this page."),
                         tr("Move the map into the snapshot’s area, take a larger one, or show the live services."))


def snapshot_resolution(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield pages that need a finer resolution or another scale than the snapshot has."""
    snapshot = context.snapshot
    if snapshot is None or context.frame is None or not snapshot.scales:
        return
    scale = context.frame.scale
    scales_text = ", ".join(map(format_scale, snapshot.scales))
    if min(snapshot.scales) / snapshot.dpi > scale / context.dpi * (1 + _TOLERANCE):
        yield MapFinding(
            "offline-coarse", Severity.WARNING,
            tr("The snapshot is coarser than this page: it was taken for {scales} at {dpi} dpi.", scales=scales_text,
               dpi=snapshot.dpi), tr("Print at a smaller scale or a lower resolution, or take a finer snapshot."))
    elif all(abs(scale / other - 1) > _TOLERANCE for other in snapshot.scales):
        yield MapFinding(
            "offline-scale", Severity.NOTE,
            tr("The snapshot was drawn for {scales}: at this scale its symbols and labels "
               "have another size.", scales=scales_text),
            tr("Print at one of these scales, or take a snapshot for this one."))


def snapshot_terms(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield services whose terms in the snapshot differ from those known from the library or the service."""
    day = context.snapshot.day if context.snapshot is not None else ""
    for index, terms in enumerate(context.plan.stored_terms):
        known = context.terms_of(index)
        if terms is not None and known is not None and context.entries[index].visible:
            yield MapFinding(
                "offline-terms", Severity.WARNING,
                tr("Terms as stored in the snapshot of {date} differ from those known here. The stricter duty to "
                   "credit counts.", date=format_day(day)),
                tr("Read both terms before you publish, and ask its owner which apply."), context.entry_title(index),
                index, detail="\n\n".join((tr("In the snapshot: {terms}", terms=terms.sentence),
                                           tr("Known here: {terms}", terms=known.sentence))))


#: the rules of the page, of the terms, and of a map that shows its snapshot
_PAGE_RULES = (missing_layers, logins, unknown_extent, all_hidden, hidden_on_canvas, scale_ranges, transparent_layers,
               ground_scale, reference_system, image_sizes, missing_legends, covering_layers, pale_ground, base_of_map,
               rotation, mixed_moments, extent_outside_records, page_features)
_TERMS_RULES = (required_credit, terms_of_use, record_against_service, data_years, service_addresses)
SNAPSHOT_RULES = (layers_without_snapshot, snapshot_area, snapshot_resolution, snapshot_terms)
RULES: Tuple[Callable[[PreflightContext], Iterator[MapFinding]], ...] = (
    *_PAGE_RULES, *_TERMS_RULES, *SNAPSHOT_RULES)

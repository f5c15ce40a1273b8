"""The whole pipeline from a custom map and its records to layers in a project, a plan and print layouts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import List, Mapping, Optional, Sequence, Tuple

from qgis.core import QgsCoordinateReferenceSystem, QgsFeedback, QgsMapLayer, QgsPrintLayout, QgsProject

from ...core.custommap.model import NO_DESCRIPTIONS, CustomMap, Plan, PlanNote
from ...core.custommap.moments import animation_problem, frame_plans
from ...core.custommap.page_fit import needs_fit
from ...core.custommap.planner import at_one_moment, make_plan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.pages.page_features import shows_all_moments
from ...core.records.model.record import Record
from ...core.snapshot.snapshot_sources import Snapshot, with_snapshot
from ..layers import project_document
from ..layers.project_group import ExistingGroup, add_own_layers, add_to_project
from ..layers.wms_layers import BuiltLayers, make_layers
from ..pages.page_measurement import PageMeasurement
from ..pages.small_multiples import panel_title
from ..runtime import tasks
from ..runtime.terms import terms_settings
from ..services import service_cache
from ..services.map_addresses import choose_map_address, settle_addresses
from ..snapshots.snapshot_packages import load_snapshot
from .atlas import build_and_wait


@dataclass(frozen=True)
class LoadedMap:
    """Result of ``load_map``: the plan, its layers in the plan's order (None for failed ones), failures, the document.

    ``document`` is the map with the page that was fitted to the base, if it stated none.
    """

    plan: Plan
    layers: Tuple[Optional[QgsMapLayer], ...]
    failures: Tuple[str, ...]
    document: CustomMap


@dataclass(frozen=True)
class ComposedMap(LoadedMap):
    """Result of ``compose_map`` and ``compose_frames``: what was loaded, and the layouts."""

    layouts: Tuple[QgsPrintLayout, ...]

    @property
    def layout(self) -> QgsPrintLayout:
        """The only layout, or that of the first frame."""
        return self.layouts[0]


def layers_in_order(plan: Plan, built: BuiltLayers) -> Tuple[Optional[QgsMapLayer], ...]:
    """Return the built layers in the order of ``plan.layers``, None for one that could not be made."""
    by_plan = {id(layer_plan): layer for layer_plan, layer in built.layers}
    return tuple(by_plan.get(id(layer_plan)) for layer_plan in plan.layers)


def compose_map(project: QgsProject, custom_map: CustomMap, records: Mapping[str, Record],
                cache: Optional[service_cache.ServiceCache] = None, seconds: float = 120.0,
                feedback: Optional[QgsFeedback] = None, may_turn: bool = False) -> ComposedMap:
    """Add the layers of ``custom_map`` to ``project`` and build its layout with legends: for scripts, without a GUI.

    ``records`` are by endpoint. If the map uses its snapshot (an absolute path), the snapshot's rasters are shown, and
    no server is contacted for them. Of a series one moment is shown, the service's own if the map names neither it nor
    layers. A page without an area or a scale is fitted to the base, and turned as suits it with ``may_turn``. Processes
    events until done. Each of the three steps may take ``seconds`` (0 for no limit). Failures are listed in
    ``failures`` and in the plan's notes, and an export of the layout refuses them. Raises CartoguideError if no layer
    could be made, and Cancelled.
    """
    loaded = load_map(project, custom_map, records, cache, seconds, feedback, may_turn)
    plan, layers = loaded.plan, loaded.layers
    layouts = build_and_wait(project, [plan], [layers], plan.title, cache, seconds, feedback, numbered=False)
    return ComposedMap(plan, layers, loaded.failures, loaded.document, tuple(layouts))


def load_map(project: QgsProject, custom_map: CustomMap, records: Mapping[str, Record],
             cache: Optional[service_cache.ServiceCache] = None, seconds: float = 120.0,
             feedback: Optional[QgsFeedback] = None, may_turn: bool = False,
             all_moments: Optional[bool] = None) -> LoadedMap:
    """Add the layers of ``custom_map`` to ``project``: the steps of ``compose_map`` before its layout.

    With ``all_moments`` they are those of every moment of a time series. By default the page's template decides.
    """
    run = partial(tasks.run_and_wait, seconds=seconds, feedback=feedback)
    service_source = cache or service_cache.shared()
    snapshot_use = custom_map.snapshot
    snapshot: Optional[Snapshot] = None
    if snapshot_use is not None and snapshot_use.in_use:
        folder = Path(snapshot_use.path)
        snapshot = run(lambda _inner: load_snapshot(folder, service_source), description=tr("Opening the snapshot"))
    stored = snapshot.descriptions if snapshot is not None else NO_DESCRIPTIONS
    endpoints = [entry.endpoint for entry in custom_map.entries if not entry.refusal]
    # no server is contacted for a service that the snapshot describes
    missing = [endpoint for endpoint in endpoints if stored.service(endpoint) is None]
    found = run(lambda inner: service_source.get_or_fetch_all(missing, inner),
                description=tr("Reading the services of “{title}”", title=custom_map.title))
    known = ((endpoint, service_source.get(endpoint)) for endpoint in endpoints if endpoint not in found)
    found.update((endpoint, service) for endpoint, service in known if service is not None)
    if needs_fit(custom_map):
        custom_map = PageMeasurement(project).fitted(custom_map, {**stored.services, **found},
                                                     {**stored.records, **records}, may_turn) or custom_map

    time_notes: List[PlanNote] = []
    if not (shows_all_moments(custom_map.page.template) if all_moments is None else all_moments):
        custom_map, time_notes = at_one_moment(custom_map, found, stored)

    def planned() -> Plan:
        plan = with_snapshot(make_plan(custom_map, found, records, terms_settings(), all_moments, choose_map_address,
                                       stored), snapshot)
        return replace(plan, notes=(*plan.notes, *time_notes))

    # what the trials say decides the addresses of the plan
    run(lambda inner: settle_addresses(planned().layers, service_source, inner),
        description=tr("Reading the services of “{title}”", title=custom_map.title))
    plan = planned()
    built = run(lambda inner: make_layers(plan, service_source, inner),
                description=tr("Creating the layers of “{title}”", title=plan.title))
    if not project.crs().isValid():
        # QGIS Server needs the project's CRS to publish a meaningful extent
        project.setCrs(QgsCoordinateReferenceSystem(plan.crs))
    group = add_to_project(plan, built, project, existing=ExistingGroup.REPLACE)
    own_failures = add_own_layers(plan, built, group, project, feedback)
    project_document.save_document(group, custom_map, [
        {made.name: layer.id() for made, layer in built.layers if made.entry_index == number}
        for number in range(len(custom_map.entries))])
    return LoadedMap(plan, layers_in_order(plan, built),
                     (*(failure.error.user_text for failure in built.failures), *own_failures), custom_map)


@dataclass(frozen=True)
class AnimationPlans:
    """The plans of an animation's frames, and the layers of each in the order of its plan."""

    plans: Tuple[Plan, ...]
    layers: Tuple[Sequence[Optional[QgsMapLayer]], ...]


def animation_frames(plan: Plan, layers: Sequence[Optional[QgsMapLayer]], project: QgsProject) -> AnimationPlans:
    """Return the frames of ``plan``, which has all moments. ``layers`` are those of ``plan.layers``.

    They show the area that the map's page shows. Raises CartoguideError without a series, or for one that is too long.
    """
    frames = frame_plans(plan)
    shown = _shown_area(plan, project)
    problem = animation_problem(plan, shown.extent)
    if problem:
        raise CartoguideError(problem)
    plans: List[Plan] = []
    for number, (panel, frame) in enumerate(frames, 1):
        title = panel_title(panel, plan.language, one_year=False) or panel.title
        plans.append(replace(frame, extent=shown.extent, centre=shown.centre, scale=shown.scale, moment_title=title,
                             moment_number=(number, len(frames))))
    return AnimationPlans(tuple(plans), tuple([layers[number] for number in panel.layer_indexes]
                                               for panel, _plan in frames))


def _shown_area(plan: Plan, project: QgsProject) -> Plan:
    """Return the plan with the extent that its page shows in place of a scale, which would be that of another page."""
    frame = PageMeasurement(project).frame(plan) if plan.scale else None
    if frame is None or frame.extent is None:
        return plan
    return replace(plan, extent=frame.extent, centre=None, scale=None)


def compose_frames(project: QgsProject, custom_map: CustomMap, records: Mapping[str, Record],
                   cache: Optional[service_cache.ServiceCache] = None,
                   feedback: Optional[QgsFeedback] = None) -> ComposedMap:
    """Add the layers of every moment of ``custom_map`` to ``project`` and build its frames: for scripts, without a GUI.

    ``records`` are by endpoint. Processes events until done. Raises CartoguideError as ``animation_frames`` and
    ``load_map`` do, and Cancelled.
    """
    loaded = load_map(project, custom_map, records, cache, 0.0, feedback, all_moments=True)
    frames = animation_frames(loaded.plan, loaded.layers, project)
    layouts = build_and_wait(project, frames.plans, frames.layers, loaded.plan.title, feedback=feedback)
    return ComposedMap(loaded.plan, loaded.layers, loaded.failures, loaded.document, tuple(layouts))

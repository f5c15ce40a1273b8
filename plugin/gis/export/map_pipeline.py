"""The whole pipeline from a custom map and its records to layers in a project, a plan and a print layout."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Mapping, Optional, Sequence, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeedback,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ...core.custommap.model import CustomMap, Plan
from ...core.custommap.page_fit import needs_fit
from ...core.custommap.planner import make_plan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.snapshot.snapshot_sources import Snapshot, with_snapshot
from ..layers import project_document
from ..layers.project_group import ExistingGroup, add_own_layers, add_to_project
from ..layers.wms_layers import BuiltLayers, make_layers
from ..layouts.layout_builder import build_layout, set_legends
from ..layouts.layout_items import map_scale
from ..layouts.page_measurement import PageMeasurement
from ..layouts.small_multiples import legend_layers
from ..legends.legend_graphics import fetch_legends
from ..runtime import tasks
from ..runtime.terms import terms_settings
from ..services import service_cache
from ..snapshots import snapshot_documents
from ..snapshots.snapshot_job import open_snapshot

PlanLayers = Sequence[Optional[QgsMapLayer]]


@dataclass(frozen=True)
class ComposedMap:
    """Result of ``compose_map``: the plan, its layers in the plan's order (None for failed ones), and the layout.

    ``document`` is the map with the page that was fitted to the base, if it stated none.
    """

    plan: Plan
    layers: Tuple[Optional[QgsMapLayer], ...]
    layout: QgsPrintLayout
    failures: Tuple[str, ...]
    document: CustomMap


def layers_in_order(plan: Plan, built: BuiltLayers) -> Tuple[Optional[QgsMapLayer], ...]:
    """Return the built layers in the order of ``plan.layers``, None for one that could not be made."""
    by_plan = {id(layer_plan): layer for layer_plan, layer in built.layers}
    return tuple(by_plan.get(id(layer_plan)) for layer_plan in plan.layers)


def start_layout(project: QgsProject, plan: Plan, layers: PlanLayers, done: Callable[[QgsPrintLayout], None],
                 failed: tasks.ErrorCallback, owner: Optional[QObject] = None,
                 progress: Optional[tasks.ProgressCallback] = None) -> Optional[tasks.Job]:
    """Build the layout of ``plan``, fetch its legends in a task, then pass the layout to ``done``.

    Main thread only. The layout is in the project already. Returns None if building failed at once.
    """
    try:
        layout = build_layout(project, plan, layers)
    except CartoguideError as error:
        failed(error)
        return None
    scale, legend_plans = map_scale(layout), legend_layers(layout, plan)

    def finish(legends: object) -> None:
        if sip.isdeleted(layout):
            failed(CartoguideError(tr("The layout was closed before its legends had loaded.")))
            return
        set_legends(layout, plan, layers, legends)  # type: ignore[arg-type]
        done(layout)

    return tasks.start(tr("Fetching the legends of “{title}”", title=plan.title),
                       lambda feedback: fetch_legends(legend_plans, scale, feedback), finish, failed, owner, progress)


def compose_map(project: QgsProject, custom_map: CustomMap, records: Mapping[str, Record],
                cache: Optional[service_cache.ServiceCache] = None, seconds: float = 120.0,
                feedback: Optional[QgsFeedback] = None, snapshot: Optional[Snapshot] = None,
                may_turn: bool = False) -> ComposedMap:
    """Add the layers of ``custom_map`` to ``project`` and build its layout with legends: for scripts, without a GUI.

    ``records`` are by endpoint. With ``snapshot``, or if the map uses its own (an absolute path), the snapshot's
    rasters are shown, and no server is contacted for them. A page without an area or a scale is fitted to the base, and
    turned as suits it with ``may_turn``. Processes events until done. Each of the three steps may
    take ``seconds`` (0 for no limit). Failures are listed in ``failures`` and in the plan's notes, and an export of the
    layout refuses them. Raises CartoguideError if no layer could be made, and Cancelled.
    """
    service_source = cache or service_cache.shared()
    snapshot_use = custom_map.snapshot
    if snapshot is None and snapshot_use is not None and snapshot_use.in_use:
        snapshot = open_snapshot(Path(snapshot_use.path))
    if snapshot is not None:
        snapshot_documents.load_services(snapshot, service_source)
    endpoints = [entry.endpoint for entry in custom_map.entries]
    found = tasks.run_and_wait(lambda inner: service_source.get_or_fetch_all(endpoints, inner), seconds, feedback,
                               description=tr("Reading the services of “{title}”", title=custom_map.title))
    if needs_fit(custom_map):
        custom_map = PageMeasurement(project).fitted(custom_map, found, records, may_turn) or custom_map
    plan = with_snapshot(make_plan(custom_map, found, records, terms_settings()), snapshot)
    built = tasks.run_and_wait(lambda inner: make_layers(plan, service_source, inner), seconds, feedback,
                               description=tr("Creating the layers of “{title}”", title=plan.title))
    if not project.crs().isValid():
        # QGIS Server needs the project's CRS to publish a meaningful extent
        project.setCrs(QgsCoordinateReferenceSystem(plan.crs))
    group = add_to_project(plan, built, project, existing=ExistingGroup.REPLACE)
    own_failures = add_own_layers(plan, built, group, project)
    project_document.save_document(group, custom_map)
    layers = layers_in_order(plan, built)
    layout = build_layout(project, plan, layers)
    scale, legend_plans = map_scale(layout), legend_layers(layout, plan)
    legends = tasks.run_and_wait(lambda inner: fetch_legends(legend_plans, scale, inner), seconds, feedback,
                                 description=tr("Fetching the legends of “{title}”", title=plan.title))
    set_legends(layout, plan, layers, legends)
    return ComposedMap(plan, layers, layout, (*(failure.error.user_text for failure in built.failures), *own_failures),
                       custom_map)

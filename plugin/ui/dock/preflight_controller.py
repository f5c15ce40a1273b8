"""The composer's findings kept up to date, the services asked before printing, and what the findings' buttons do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Callable, Optional

from qgis.core import QgsCoordinateReferenceSystem, QgsPrintLayout
from qgis.PyQt.QtCore import QObject, QTime

from ...app.maps.extent_mode import KEPT
from ...app.maps.map_extent import service_extent
from ...app.maps.map_state import MapItem, base_first, without_wms_prefix
from ...core.custommap.map_findings import CRS, ENDPOINT, EXTENT, OPACITY, REFRESH, REMOVE, SCALE, sorted_findings
from ...core.custommap.model import CustomMap, Plan
from ...core.custommap.preflight import MapFinding, PreflightContext, estimate_print, preflight_findings, trial_findings
from ...core.custommap.preflight.trial_requests import seconds_per_megapixel
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.checks.rules import Severity
from ...gis.export import preflight_requests
from ...gis.layouts.page_measurement import PageMeasurement
from ...gis.runtime import settings, tasks

if TYPE_CHECKING:
    from .composer_controller import ComposerController


class PreflightController(QObject):
    """One for each composer. What was asked counts for the very map that it was asked for, and no longer."""

    def __init__(self, actions: ComposerController) -> None:
        super().__init__(actions)
        self._controller = actions
        self._map = actions.map
        self._panel = actions.composer.findings
        self._measure = PageMeasurement(self._map.project)
        self._last_check: Optional[preflight_requests.PreflightResponses] = None
        self._checked_key: Optional[tuple[CustomMap, int]] = None
        self._checked_at = ""
        self._seconds_per_megapixel: Optional[float] = None
        self._job: Optional[tasks.Job] = None
        self._panel.check_requested.connect(self.check_images_of_map)
        self._panel.remedy_requested.connect(self.apply_remedy)

    @property
    def seconds_per_megapixel(self) -> Optional[float]:
        """Seconds for a million pixels, as they were measured when the services were last asked."""
        return self._seconds_per_megapixel

    # -- showing

    def refresh(self) -> None:
        """Find anew what can be found without the network, beside what was heard when it was last asked."""
        self._panel.setVisible(bool(self._map.items))
        if not self._map.items:
            self._panel.show_findings(())
            return
        case = self._context()
        found = list(preflight_findings(case)) + self._layer_findings()
        fresh = self._last_check is not None and self._checked_key == (case.document, case.dpi)
        if self._last_check is not None and fresh:
            found += trial_findings(self._last_check.trial_requests)
        told = estimate_print(case, self._seconds_per_megapixel).text()
        state = [tr("At {dpi} dpi: {figures}.", dpi=case.dpi, figures=told)] if told else []
        if self._last_check is not None:
            state.append(tr("Checked at {time}.", time=self._checked_at) if fresh
                         else tr("Changed since it was checked."))
        self._panel.show_findings(sorted_findings(found), " ".join(state))

    def preparation_steps(self) -> list[Callable[[], object]]:
        """What ``refresh`` needs and what takes a moment the first time, to be done ahead of it in pieces."""
        if not self._map.items:
            return []
        plans: list[Plan] = []

        def read() -> None:
            plans.append(self._map.plan())
            self._measure.preload(plans[0])

        return [read, lambda: self._measure.frame(plans[0])]

    def _context(self) -> PreflightContext:
        document = replace(self._map.document(), extent=self._controller.current_extent(), centre=None) \
            if self._controller.extent_mode != KEPT else self._map.document()
        services, records = self._map.services_and_records(document)
        plan = self._map.plan(document)
        shown = self._map.state.active_snapshot
        secure = self._last_check.https_endpoints if self._last_check is not None else ()
        titles = tuple(without_wms_prefix(item.entry.title) for item in base_first(self._map.items))
        return PreflightContext(document, plan, services, records, self._measure.frame(plan),
                                settings.get("export_dpi"), titles, secure,
                                shown.manifest if shown is not None else None)

    def _layer_findings(self) -> list[MapFinding]:
        """Layers that could not be made though their service answers."""
        return [
            MapFinding("missing", Severity.ERROR, item.problem, tr("Add the service again to try once more."),
                       without_wms_prefix(item.entry.title), number)
            for number, item in enumerate(base_first(self._map.items)) if item.problem and item.layer_ids
        ]

    # -- asking

    def check_images_of_map(self) -> None:
        """Build the layout and ask for every picture that exporting it takes."""
        if self._job is None and self._map.items:
            self._controller.exporter.build_layout(lambda layout: self.check_images(layout, self._show_result))

    def check_images(self, layout: QgsPrintLayout, on_checked: Callable[[preflight_requests.PreflightResponses], None],
                     as_image: bool = False) -> None:
        """Ask for the pictures of ``layout``, show what came of it, then call ``then``."""
        plan = self._map.plan()
        case = self._context()
        key = (case.document, case.dpi)
        layers = self._map.qgis_layers(plan)
        composer = self._controller.composer
        self._panel.show_busy(True)
        composer.show_busy(tr("Asking for the pictures…"))

        def done(checked: preflight_requests.PreflightResponses) -> None:
            self._end_job()
            self._last_check, self._checked_key = checked, key
            self._checked_at = QTime.currentTime().toString("HH:mm")
            self._seconds_per_megapixel = seconds_per_megapixel(checked.trial_requests,
                                                                checked.seconds) or self._seconds_per_megapixel
            self.refresh()
            on_checked(checked)

        def failed(error: CartoguideError) -> None:
            self._end_job()
            self._controller.exporter.failed.emit(error)

        self._job = preflight_requests.start_preflight_requests(
            layout,
            plan,
            layers,  # type: ignore[arg-type]
            [case.entries[layer.entry_index].endpoint for layer in plan.layers if layer.snapshot_source is None],
            case.dpi,
            done,
            failed,
            self,
            lambda _percent, title: composer.show_busy(
                tr("Asking for the pictures: {layer}…", layer=title) if title else tr("Asking for the pictures…")),
            as_image)

    def cancel(self) -> None:
        """Give up asking."""
        if self._job is not None:
            self._job.cancel()
            self._end_job()

    def _end_job(self) -> None:
        self._job = None
        self._panel.show_busy(False)
        self._controller.composer.show_busy("")

    def _show_result(self, checked: preflight_requests.PreflightResponses) -> None:
        self._panel.set_expanded(True)
        if checked.complete:
            self._controller.notify(tr("Every picture came in {seconds} s.", seconds=f"{checked.seconds:.1f}"))

    # -- doing

    def apply_remedy(self, finding: MapFinding) -> None:
        """Do what the finding's button says."""
        kind, value = (finding.remedy.kind, finding.remedy.value) if finding.remedy is not None else ("", None)
        item = self._item_at(finding.entry_index)
        if kind == SCALE and isinstance(value, float):
            self._controller.set_scale(value)
        elif kind == CRS and isinstance(value, str):
            self._map.state.crs = value
            self._map.project.setCrs(QgsCoordinateReferenceSystem(value))
        elif item is not None:
            number = self._map.items.index(item)
            run: dict[str, Callable[[], object]] = {
                OPACITY: lambda: self._map.set_opacity(number, float(value or 0.7)),
                REMOVE: lambda: self._map.remove(number),
                REFRESH: lambda: self._controller.history.reload_service(item),
                ENDPOINT: lambda: self._controller.history.change_endpoint(item, str(value)),
                EXTENT: lambda: self._set_extent_of(item),
            }
            if kind in run:
                run[kind]()
        self._controller.refresh_view()

    def _item_at(self, entry: Optional[int]) -> Optional[MapItem]:
        ordered = base_first(self._map.items)
        return ordered[entry] if entry is not None and entry < len(ordered) else None

    def _set_extent_of(self, item: MapItem) -> None:
        box = service_extent(self._map, item)
        if box is not None:
            self._controller.set_extent(box)

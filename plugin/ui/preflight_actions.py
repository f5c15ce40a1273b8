"""The composer's findings kept up to date, the services asked before printing, and what the findings' buttons do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Callable, Optional

from qgis.core import QgsCoordinateReferenceSystem, QgsPrintLayout
from qgis.PyQt.QtCore import QObject, QTime

from ..core.custommap.model import CustomMap, Plan
from ..core.custommap.preflight import MapCase, MapFinding, asked_findings, figures, quick_findings
from ..core.custommap.preflight.asked import seconds_for_megapixel
from ..core.custommap.preflight.model import CRS, ENDPOINT, EXTENT, OPACITY, REFRESH, REMOVE, SCALE, sorted_findings
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.checks.model import Severity
from ..gis import preflight, settings, tasks
from ..gis.map_measure import MapMeasure
from .extent_mode import KEPT
from .map_extent import box_of
from .map_items import MapItem, in_order, plain_title

if TYPE_CHECKING:
    from .composer_actions import ComposerActions


class PreflightActions(QObject):
    """One for each composer. What was asked counts for the very map that it was asked for, and no longer."""

    def __init__(self, actions: ComposerActions) -> None:
        super().__init__(actions)
        self._actions = actions
        self._maps = actions.map
        self._panel = actions.composer.findings
        self._measure = MapMeasure(self._maps.project)
        self._checked: Optional[preflight.Checked] = None
        self._checked_map: Optional[tuple[CustomMap, int]] = None
        self._checked_at = ""
        self._pace: Optional[float] = None
        self._job: Optional[tasks.Job] = None
        self._panel.check_asked.connect(self.check)
        self._panel.remedied.connect(self.remedy)

    @property
    def pace(self) -> Optional[float]:
        """Seconds for a million pixels, as they were measured when the services were last asked."""
        return self._pace

    # -- showing

    def refresh(self) -> None:
        """Find anew what can be found without the network, beside what was heard when it was last asked."""
        self._panel.setVisible(bool(self._maps.items))
        if not self._maps.items:
            self._panel.show_findings(())
            return
        case = self._case()
        found = list(quick_findings(case)) + self._of_items()
        fresh = self._checked is not None and self._checked_map == (case.document, case.dpi)
        if self._checked is not None and fresh:
            found += asked_findings(self._checked.answers)
        told = figures(case, self._pace).words()
        state = [tr("At {dpi} dpi: {figures}.", dpi=case.dpi, figures=told)] if told else []
        if self._checked is not None:
            state.append(tr("Checked at {time}.", time=self._checked_at) if fresh
                         else tr("Changed since it was checked."))
        self._panel.show_findings(sorted_findings(found), " ".join(state))

    def preparations(self) -> list[Callable[[], object]]:
        """What ``refresh`` needs and what takes a moment the first time, to be done ahead of it in pieces."""
        if not self._maps.items:
            return []
        plans: list[Plan] = []

        def read() -> None:
            plans.append(self._maps.plan())
            self._measure.read(plans[0])

        return [read, lambda: self._measure.frame(plans[0])]

    def _case(self) -> MapCase:
        document = replace(self._maps.document(), extent=self._actions.extent_now(), centre=None) \
            if self._actions.mode != KEPT else self._maps.document()
        services, records = self._maps.known(document)
        plan = self._maps.plan(document)
        shown = self._maps.state.shown
        secure = self._checked.secure if self._checked is not None else ()
        titles = tuple(plain_title(item.entry.title) for item in in_order(self._maps.items))
        return MapCase(document, plan, services, records, self._measure.frame(plan), settings.get("export_dpi"),
                       titles, secure, shown.manifest if shown is not None else None)

    def _of_items(self) -> list[MapFinding]:
        """Layers that could not be made though their service answers."""
        return [MapFinding("missing", Severity.ERROR, item.problem, tr("Add the service again to try once more."),
                           plain_title(item.entry.title), number)
                for number, item in enumerate(in_order(self._maps.items)) if item.problem and item.layer_ids]

    # -- asking

    def check(self) -> None:
        """Build the layout and ask for every picture that exporting it takes."""
        if self._job is None and self._maps.items:
            self._actions.printing.with_layout(lambda layout: self.ask(layout, self._opened))

    def ask(self, layout: QgsPrintLayout, then: Callable[[preflight.Checked], None], as_image: bool = False) -> None:
        """Ask for the pictures of ``layout``, show what came of it, then call ``then``."""
        plan = self._maps.plan()
        case = self._case()
        key = (case.document, case.dpi)
        layers = self._maps.qgis_layers(plan)
        composer = self._actions.composer
        self._panel.show_busy(True)
        composer.show_busy(tr("Asking for the pictures…"))

        def done(checked: preflight.Checked) -> None:
            self._end()
            self._checked, self._checked_map = checked, key
            self._checked_at = QTime.currentTime().toString("HH:mm")
            self._pace = seconds_for_megapixel(checked.answers, checked.seconds) or self._pace
            self.refresh()
            then(checked)

        def failed(error: CartoguideError) -> None:
            self._end()
            self._actions.printing.failed.emit(error)

        self._job = preflight.start(
            layout, plan, layers,  # type: ignore[arg-type]
            [case.entries[layer.entry].endpoint for layer in plan.layers if layer.local is None],
            case.dpi, done, failed, self, lambda _percent, title: composer.show_busy(
                tr("Asking for the pictures: {layer}…", layer=title) if title else tr("Asking for the pictures…")),
            as_image)

    def cancel(self) -> None:
        """Give up asking."""
        if self._job is not None:
            self._job.cancel()
            self._end()

    def _end(self) -> None:
        self._job = None
        self._panel.show_busy(False)
        self._actions.composer.show_busy("")

    def _opened(self, checked: preflight.Checked) -> None:
        self._panel.set_open(True)
        if checked.complete:
            self._actions.told(tr("Every picture came in {seconds} s.", seconds=f"{checked.seconds:.1f}"))

    # -- doing

    def remedy(self, finding: MapFinding) -> None:
        """Do what the finding's button says."""
        kind, value = (finding.remedy.kind, finding.remedy.value) if finding.remedy is not None else ("", None)
        item = self._item(finding.entry)
        if kind == SCALE and isinstance(value, float):
            self._actions.scale_changed(value)
        elif kind == CRS and isinstance(value, str):
            self._maps.state.crs = value
            self._maps.project.setCrs(QgsCoordinateReferenceSystem(value))
        elif item is not None:
            number = self._maps.items.index(item)
            run: dict[str, Callable[[], object]] = {
                OPACITY: lambda: self._maps.set_opacity(number, float(value or 0.7)),
                REMOVE: lambda: self._maps.remove(number),
                REFRESH: lambda: self._actions.changes.ask_again(item),
                ENDPOINT: lambda: self._actions.changes.move_endpoint(item, str(value)),
                EXTENT: lambda: self._show_area(item),
            }
            if kind in run:
                run[kind]()
        self._actions.show_map()

    def _item(self, entry: Optional[int]) -> Optional[MapItem]:
        ordered = in_order(self._maps.items)
        return ordered[entry] if entry is not None and entry < len(ordered) else None

    def _show_area(self, item: MapItem) -> None:
        box = box_of(self._maps, item)
        if box is not None:
            self._actions.show_extent(box)

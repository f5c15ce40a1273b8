"""Series of maps of one custom map, by scale, by polygon or as a grid of sheets, exported to one file or several."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import List, Optional, Sequence

from qgis.core import QgsPrintLayout, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.ground_scale import round_scale
from ...core.custommap.model import Plan
from ...core.errors import CartoguideError
from ...core.files import safe_file_name
from ...core.i18n import tr
from ...gis.export import atlas, map_book
from ...gis.export.layout_export import ExportFormat
from ...gis.layouts.page_measurement import PageMeasurement
from ...gis.runtime import tasks
from ..window import Notifier
from .export_controller import ExportController
from .extent_controller import ExtentController
from .map_controller import MapController

#: sheets across the page's map at the proposed scale: two, less their usual overlap
_SHEETS_ACROSS = 1.95


class MapSeriesController(QObject):
    """Exports one series at a time. Its layouts are removed from the project afterwards."""

    busy_changed = pyqtSignal(str)

    def __init__(self, map_controller: MapController, extent: ExtentController, exporter: ExportController,
                 notifier: Notifier, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._extent, self._exporter, self._notifier = map_controller, extent, exporter, notifier
        self._job: Optional[tasks.Job] = None
        self._layouts: list[QgsPrintLayout] = []

    def cancel(self) -> None:
        """Cancel the export and remove its layouts."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        atlas.remove_layouts(self._layouts)
        self._layouts = []

    def export_scales(self, scales: Sequence[float], export_format: ExportFormat) -> None:
        """Ask for a file and export a map for each scale (a denominator)."""
        path = self._exporter.ask_path(export_format)
        if path is not None:
            self.export(atlas.scale_plans(self._map.plan(), scales), export_format, path,
                        [f"1-{scale:.0f}" for scale in scales])

    def export_features(self, layer: QgsVectorLayer, only_selected: bool, with_overview: bool,
                        export_format: ExportFormat) -> None:
        """Ask for a file and export a map for each polygon of ``layer``, after an overview of them if it is wanted."""
        try:
            features = atlas.polygon_features(layer, self._map.project, only_selected)
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        path = self._exporter.ask_path(export_format, f"{self._map.title()} – {layer.name()}")
        if path is not None:
            self.export_book(self._map.plan(), features, export_format, path, with_overview)

    def grid_scale(self) -> Optional[float]:
        """Return the scale (a denominator) at which what the page shows takes at most two by two sheets.

        None without an area.
        """
        try:
            shown = PageMeasurement(self._map.project).placed(self._map.plan())
        except CartoguideError:
            return None
        return round_scale(shown[1] / _SHEETS_ACROSS) if shown is not None else None

    def grid_features(self, scale: float, overlap: float) -> List[atlas.AtlasFeature]:
        """Return the sheets at ``scale`` that cover the map's area. Raises CartoguideError without one."""
        return atlas.grid_features(self._map.plan(), scale, overlap, self._map.project)

    def export_grid(self, scale: float, overlap: float, with_overview: bool, export_format: ExportFormat) -> None:
        """Ask for a file and export the sheets at ``scale`` that cover the map's area, after an overview if wanted."""
        try:
            features = self.grid_features(scale, overlap)
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        path = self._exporter.ask_path(export_format)
        if path is not None:
            self.export_book(replace(self._map.plan(), scale=scale), features, export_format, path, with_overview)

    def export_book(self, plan: Plan, features: Sequence[atlas.AtlasFeature], export_format: ExportFormat,
                    path: Path, with_overview: bool = False) -> None:
        """Export a numbered sheet for each feature into ``path``, with the names of adjoining sheets at its edges.

        ``with_overview`` puts a page before them that shows where they are.
        """
        names = [f"{number:03d} {safe_file_name(feature.name)}" for number, feature in enumerate(features, 1)]
        plans = atlas.feature_plans(plan, features)
        sheet_names = [feature.name for feature in features]
        if with_overview:
            try:
                overview = atlas.overview_plan(plan, plans, self._map.project)
            except CartoguideError as error:
                self._notifier.show_error(error)
                return
            plans, names = [overview, *plans], [f"{0:03d} {safe_file_name(overview.title)}", *names]
        self.export(plans, export_format, path, names, sheet_names)

    def export(self, plans: Sequence[Plan], export_format: ExportFormat, path: Path, names: Sequence[str],
               sheet_names: Sequence[str] = ()) -> None:
        """Build a layout for each plan and render them into ``path``. With ``sheet_names`` they become a book.

        ``names`` are those of the files, where each layout is written to its own. A first plan that has no name of a
        sheet is that of the overview.
        """
        self.cancel()
        layers = self._map.qgis_layers(plans[0])
        busy = self.busy_changed.emit
        busy(tr("Loading the legends…"))

        def render(pages: list[QgsPrintLayout]) -> None:
            self._job, self._layouts = None, pages
            busy("")
            try:
                if sheet_names:
                    sheets = pages[-len(sheet_names):]
                    map_book.add_book_items(sheets, sheet_names, pages[0] if len(pages) > len(sheets) else None)
                self._exporter.run_reporting_errors(
                    lambda: self._exporter.render_layouts(pages, export_format, path, names=names))
            finally:
                self.cancel()

        def fail(error: CartoguideError) -> None:
            self._job = None
            busy("")
            self._notifier.show_error(error)

        self._job = atlas.start_layouts(
            self._map.project,
            plans,
            [layers] * len(plans),
            render,
            fail,
            self)

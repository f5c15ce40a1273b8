"""Series of maps of one custom map, by scale, by polygon, as a grid of sheets or as an animation, exported to files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Callable, List, Optional, Sequence

from qgis.core import QgsCoordinateReferenceSystem, QgsMapLayer, QgsPrintLayout, QgsVectorLayer
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.ground_scale import round_scale
from ...core.custommap.model import Plan
from ...core.custommap.moments import FRAME_SECONDS, animation_problem
from ...core.errors import CartoguideError
from ...core.files import safe_file_name
from ...core.i18n import tr
from ...core.pages.map_book import NameIndex
from ...gis.export import atlas, map_pipeline
from ...gis.export.layout_export import ExportFormat
from ...gis.pages import map_book
from ...gis.pages.map_book import SHEETS_ONLY, BookParts
from ...gis.pages.page_measurement import PageMeasurement
from ...gis.runtime import tasks
from ..window import Notifier
from .export_controller import ExportController
from .extent_controller import ExtentController
from .map_controller import MapController
from .map_document import ExtentMode

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
            self._write_scales(scales, export_format, path)

    def _write_scales(self, scales: Sequence[float], export_format: ExportFormat, path: Path) -> None:
        self._exporter.begin(lambda: self._build(
            atlas.scale_plans(self._map.plan(), scales), lambda pages: self._render(
                pages, export_format, path, [f"1-{scale:.0f}" for scale in scales])))

    def export_features(self, layer: QgsVectorLayer, only_selected: bool, parts: BookParts,
                        export_format: ExportFormat) -> None:
        """Ask for a file and export a map for each polygon of ``layer``, as a book with ``parts``."""
        try:
            features = atlas.polygon_features(layer, self._map.project, only_selected)
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        path = self._exporter.ask_path(export_format, f"{self._map.title()} – {layer.name()}")
        if path is not None:
            self.export_book(features, export_format, path, parts)

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

    def export_grid(self, scale: float, overlap: float, parts: BookParts, export_format: ExportFormat) -> None:
        """Ask for a file and export the sheets at ``scale`` that cover the map's area, as a book with ``parts``."""
        try:
            features = self.grid_features(scale, overlap)
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        path = self._exporter.ask_path(export_format)
        if path is not None:
            self.export_book(features, export_format, path, parts, scale)

    def animation_problem(self) -> str:
        """Return why the map cannot be exported as an animation, or ""."""
        return animation_problem(self._map.plan(all_moments=True))

    def animation_length(self) -> int:
        """Return the number of frames of the map's animation. Where there is none, show why and return 0."""
        try:
            return len(self._animation_frames().plans)
        except CartoguideError as error:
            self._notifier.show_error(error)
            return 0

    def export_animation(self, seconds: float = FRAME_SECONDS) -> None:
        """Ask for a file and export a frame for each moment of the map's time series, shown for ``seconds``."""
        path = self._exporter.ask_path(ExportFormat.GIF) if self.animation_length() else None
        if path is not None:
            self._exporter.begin(lambda: self._exporter.run_reporting_errors(
                lambda: self._write_animation(path, seconds)))

    def _write_animation(self, path: Path, seconds: float) -> None:
        frames = self._animation_frames()
        self._build(frames.plans, lambda pages: self._render(pages, ExportFormat.GIF, path, [], seconds),
                    frames.layers)

    def _animation_frames(self) -> map_pipeline.AnimationPlans:
        plan = self._map.plan(all_moments=True)
        return map_pipeline.animation_frames(plan, self._map.mirror.qgis_layers(plan), self._map.project)

    def export_book(self, features: Sequence[atlas.AtlasFeature], export_format: ExportFormat, path: Path,
                    parts: BookParts = SHEETS_ONLY, scale: Optional[float] = None) -> None:
        """Export a numbered sheet for each feature into ``path``, with the names of adjoining sheets at its edges.

        They are at ``scale`` (a denominator), by default the map's where a person has chosen it, else each is fitted to
        its page.
        """
        self._exporter.begin(lambda: self._write_book(features, export_format, path, parts, scale))

    def _write_book(self, features: Sequence[atlas.AtlasFeature], export_format: ExportFormat, path: Path,
                    parts: BookParts, scale: Optional[float]) -> None:
        plan = self._map.plan()
        if scale is not None or self._map.custom_map.extent_mode is ExtentMode.FITTED:
            # the scale that fits the page to the base is that of the whole map, and nobody has chosen it for a part
            plan = replace(plan, scale=scale)
        sheet_names, plans = [feature.name for feature in features], atlas.feature_plans(plan, features)
        titles = sheet_names
        first = int(parts.has_overview)
        if parts.has_overview:
            try:
                overview = atlas.overview_plan(plan, plans, self._map.project)
            except CartoguideError as error:
                self._notifier.show_error(error)
                return
            titles, plans = [overview.title, *titles], [overview, *plans]
        names = [f"{number:03d} {safe_file_name(title)}" for number, title in enumerate(titles, 1 - first)]

        def complete(pages: List[QgsPrintLayout], index: Optional[NameIndex]) -> None:
            if any(sip.isdeleted(page) for page in pages):
                self._fail(CartoguideError(tr("The layout was closed before the names had been read.")))
                return
            map_book.add_book_items(pages[first:], sheet_names, pages[0] if parts.has_overview else None, index)
            self._render(pages, export_format, path, names)

        def read_index(pages: List[QgsPrintLayout]) -> None:
            layer = parts.index_layer
            if layer is None:
                complete(pages, None)
                return
            try:
                source = map_book.name_source(layer, map_book.sheet_areas(pages[first:]),
                                                QgsCoordinateReferenceSystem(plan.crs), self._map.project)
            except RuntimeError:
                self._fail(CartoguideError(tr("The layer with the names was removed meanwhile.")))
                return
            except CartoguideError as error:
                self._fail(error)
                return
            self._job = tasks.start(tr("Reading the names of “{layer}”", layer=layer.name()),
                                    lambda feedback: map_book.read_names(source, feedback),
                                    lambda index: complete(pages, index), self._fail, self)

        self._build(plans, read_index)

    def _build(self, plans: Sequence[Plan], done: Callable[[List[QgsPrintLayout]], None],
               layers: Sequence[Sequence[Optional[QgsMapLayer]]] = ()) -> None:
        """Build a layout for each plan with its legends, and pass the layouts to ``done``.

        ``layers`` are those of each plan, and if empty those of the first for all.
        """
        self.cancel()
        self._exporter.note_document()
        self.busy_changed.emit(tr("Loading the legends…"))

        def keep(pages: List[QgsPrintLayout]) -> None:
            self._job, self._layouts = None, pages
            done(pages)

        self._job = atlas.start_layouts(self._map.project, plans,
                                        layers or [self._map.mirror.qgis_layers(plans[0])] * len(plans), keep,
                                        self._fail,
                                        self)

    def _render(self, pages: Sequence[QgsPrintLayout], export_format: ExportFormat, path: Path,
                names: Sequence[str], frame_seconds: float = FRAME_SECONDS) -> None:
        self._job = None
        self.busy_changed.emit("")
        try:
            self._exporter.run_reporting_errors(
                lambda: self._exporter.render_layouts(pages, export_format, path, names=names,
                                                       frame_seconds=frame_seconds))
        finally:
            self.cancel()

    def _fail(self, error: CartoguideError) -> None:
        self.cancel()
        self.busy_changed.emit("")
        self._notifier.show_error(error)

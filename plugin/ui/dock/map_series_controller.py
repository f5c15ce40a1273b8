"""Series of maps out of one custom map: asked for, their layouts built, drawn into one file or several."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional, Sequence

from qgis.core import QgsPrintLayout, QgsVectorLayer
from qgis.PyQt.QtCore import QObject

from ...core.custommap.model import Plan
from ...core.errors import CartoguideError
from ...core.files import safe_file_name
from ...core.i18n import tr
from ...gis.export import atlas
from ...gis.runtime import tasks
from ..composer.map_series_dialog import MapSeriesDialog

if TYPE_CHECKING:
    from .composer_controller import ComposerController


class MapSeriesController(QObject):
    """One series at a time; its layouts leave the project when it is done."""

    def __init__(self, actions: ComposerController) -> None:
        super().__init__(actions)
        self._controller = actions
        self._job: Optional[tasks.Job] = None
        self._layouts: list[QgsPrintLayout] = []

    def ask_scales(self) -> None:
        """Ask for the scales, then for the file."""
        dialog = MapSeriesDialog(None, self._controller.map.state.scale, self._controller.window)
        dialog.scales_chosen.connect(self._on_scales_chosen)
        dialog.show()

    def ask_atlas(self) -> None:
        """Ask for the polygon layer, then for the file."""
        dialog = MapSeriesDialog(atlas.polygon_layers(self._controller.map.project), None, self._controller.window)
        dialog.layer_chosen.connect(self._on_layer_chosen)
        dialog.show()

    def cancel(self) -> None:
        """Give up."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        atlas.remove_layouts(self._layouts)
        self._layouts = []

    def _on_scales_chosen(self, scales: Sequence[float], kind: str) -> None:
        self._controller.store_extent()
        path = self._controller.ask_export_path(kind)
        if path is not None:
            self.export(atlas.scale_plans(self._controller.map.plan(), scales), kind, path,
                        [f"1-{scale:.0f}" for scale in scales])

    def _on_layer_chosen(self, layer: QgsVectorLayer, only_selected: bool, kind: str) -> None:
        try:
            features = atlas.polygon_features(layer, self._controller.map.project, only_selected)
        except CartoguideError as error:
            self._controller.show_error(error)
            return
        path = self._controller.ask_export_path(kind, f"{self._controller.map.title()} – {layer.name()}")
        if path is not None:
            names = [f"{number:03d} {safe_file_name(feature.name)}" for number, feature in enumerate(features, 1)]
            self.export(atlas.feature_plans(self._controller.map.plan(), features), kind, path, names)

    def export(self, plans: Sequence[Plan], kind: str, path: Path, names: Sequence[str]) -> None:
        """Build a layout for each plan and draw them into ``path``."""
        self.cancel()
        layers = self._controller.map.qgis_layers(plans[0])
        busy = self._controller.composer.show_busy
        busy(tr("Reading the legends…"))

        def go_on(pages: list[QgsPrintLayout]) -> None:
            self._job, self._layouts = None, pages
            busy("")
            try:
                self._controller.exporter.run_reporting_errors(
                    lambda: self._controller.exporter.render_layouts(pages, kind, path, names=names))
            finally:
                self.cancel()

        def give_up(error: CartoguideError) -> None:
            self._job = None
            busy("")
            self._controller.show_error(error)

        self._job = atlas.start_layouts(
            self._controller.map.project,
            plans,
            [layers] * len(plans),  # type: ignore[list-item]
            go_on,
            give_up,
            self)

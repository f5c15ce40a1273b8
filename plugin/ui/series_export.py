"""Series of maps out of one custom map: asked for, their layouts built, drawn into one file or several."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional, Sequence

from qgis.core import QgsPrintLayout, QgsVectorLayer
from qgis.PyQt.QtCore import QObject

from ..core.custommap.model import Plan
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..gis import map_series, tasks
from .files import safe_name
from .series_dialogs import SeriesDialog

if TYPE_CHECKING:
    from .composer_actions import ComposerActions


class SeriesExport(QObject):
    """One series at a time; its layouts leave the project when it is done."""

    def __init__(self, actions: ComposerActions) -> None:
        super().__init__(actions)
        self._actions = actions
        self._job: Optional[tasks.Job] = None
        self._pages: list[QgsPrintLayout] = []

    def ask_scales(self) -> None:
        """Ask for the scales, then for the file."""
        dialog = SeriesDialog(None, self._actions.map.state.scale, self._actions.window)
        dialog.scales_chosen.connect(self._scales)
        dialog.show()

    def ask_atlas(self) -> None:
        """Ask for the polygon layer, then for the file."""
        dialog = SeriesDialog(map_series.polygon_layers(self._actions.map.project), None, self._actions.window)
        dialog.layer_chosen.connect(self._features)
        dialog.show()

    def cancel(self) -> None:
        """Give up."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        map_series.remove(self._pages)
        self._pages = []

    def _scales(self, scales: Sequence[float], kind: str) -> None:
        self._actions.take_extent()
        path = self._actions.ask_path(kind)
        if path is not None:
            self.export(map_series.scale_plans(self._actions.map.plan(), scales), kind, path,
                        [f"1-{scale:.0f}" for scale in scales])

    def _features(self, layer: QgsVectorLayer, only_selected: bool, kind: str) -> None:
        try:
            features = map_series.features_of(layer, self._actions.map.project, only_selected)
        except CartoguideError as error:
            self._actions.complain(error)
            return
        path = self._actions.ask_path(kind, f"{self._actions.map.title()} – {layer.name()}")
        if path is not None:
            names = [f"{number:03d} {safe_name(feature.name)}" for number, feature in enumerate(features, 1)]
            self.export(map_series.feature_plans(self._actions.map.plan(), features), kind, path, names)

    def export(self, plans: Sequence[Plan], kind: str, path: Path, names: Sequence[str]) -> None:
        """Build a layout for each plan and draw them into ``path``."""
        self.cancel()
        layers = self._actions.map.qgis_layers(plans[0])
        busy = self._actions.composer.show_busy
        busy(tr("Reading the legends…"))

        def go_on(pages: list[QgsPrintLayout]) -> None:
            self._job, self._pages = None, pages
            busy("")
            try:
                self._actions.printing.guarded(
                    lambda: self._actions.printing.draw(pages, kind, path, names=names))
            finally:
                self.cancel()

        def give_up(error: CartoguideError) -> None:
            self._job = None
            busy("")
            self._actions.complain(error)

        self._job = map_series.start_series(self._actions.map.project, plans, [layers] * len(plans),  # type: ignore[list-item]
                                            go_on, give_up, self)

"""The legends of the services and own layers on the map, for their rows: what is known, fetched only on request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Dict, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.model import LayerPlan
from ...core.i18n import tr
from ...gis.legends.legend_graphics import FetchedLegends, legend_key
from ...gis.legends.legend_nodes import Swatch, layer_swatches
from ...gis.runtime import tasks
from ..maps.map_controller import MapController
from ..maps.map_state import MapItem, MapPart, OwnItem
from .page_preview_controller import PagePreviewController


@dataclass(frozen=True)
class RowLegend:
    """The legend of a row: swatches for each layer with its title, topmost first. ``is_loading`` while it is fetched.

    ``notes`` say why parts of it are missing.
    """

    layers: Tuple[Tuple[str, Tuple[Swatch, ...]], ...] = ()
    is_loading: bool = False
    notes: Tuple[str, ...] = ()


class RowLegendController(QObject):
    """Finds the legends of rows that the person opens. ``changed`` carries a part of the map whose legend has come.

    Legends that the picture of the page has fetched are shown from memory. Others are requested once a row is opened.
    """

    changed = pyqtSignal(object)

    def __init__(self, map_controller: MapController, preview: PagePreviewController,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._preview = map_controller, preview
        self._jobs: Dict[MapPart, tasks.Job] = {}

    def legend(self, part: MapPart, fetch: bool = False) -> RowLegend:
        """Return the legend of a part of the map as far as it is known. With ``fetch``, request what is not known."""
        if isinstance(part, OwnItem):
            layer = self._map.project.mapLayer(part.layer_id)
            swatches = tuple(layer_swatches(layer)) if layer is not None else ()
            return RowLegend(((part.own.name, swatches),) if swatches else ())
        plans, legends = self._plans(part), self._preview.legends
        unknown = [plan for plan in plans if legends.is_due(legend_key(plan))]
        if unknown and fetch and part not in self._jobs:
            self._fetch(part, unknown)
        found = [(plan.label, legends.known(legend_key(plan)) or ()) for plan in plans]
        notes = dict.fromkeys(note for plan in plans for note in legends.notes(legend_key(plan)))
        return RowLegend(tuple(pair for pair in reversed(found) if pair[1]), part in self._jobs, tuple(notes))

    def close(self) -> None:
        """Give up what is being fetched."""
        jobs, self._jobs = self._jobs, {}
        for job in jobs.values():
            job.cancel()

    def _plans(self, item: MapItem) -> List[LayerPlan]:
        """Return the visible layers of a service, bottom first, of a time series the moment that is shown."""
        if item not in self._map.items:
            return []
        number = self._map.items.index(item)
        plans = [plan for plan in self._map.plan().layers if plan.entry_index == number]
        shown = [plan for plan in plans if plan.visible] or plans
        return list({legend_key(plan): plan for plan in shown}.values())

    def _fetch(self, item: MapItem, plans: Sequence[LayerPlan]) -> None:
        # a legend is of use while its layer is hidden or out of its range of scales
        wanted = [replace(plan, visible=True, scale_range=(None, None)) for plan in plans]
        picture, store = self._preview.picture, self._preview.legends
        scale = picture.scale if picture is not None else self._map.chosen.scale or 1.0

        def finish(legends: FetchedLegends) -> None:
            store.remember_layers(wanted, legends)
            self._jobs.pop(item, None)
            self.changed.emit(item)

        self._jobs[item] = tasks.start(
            tr("Fetching the legends of “{title}”", title=item.entry.title),
            lambda feedback: store.fetch(wanted, scale, feedback), finish,
            lambda error: finish(FetchedLegends(notes=[error.user_text])), self)

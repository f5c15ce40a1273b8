"""The legend of the page while it is edited, each edit as a change of the map's document, and the legends of rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, Collection, Dict, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.legend import changes
from ...core.custommap.legend.changes import ServiceNames, offered_language, service_names, with_service_names
from ...core.custommap.legend.tree import (
    LegendGroup,
    LegendItem,
    LegendReference,
    LegendTree,
    is_in_legend,
    legend_tree,
    neighbour,
    series_once,
)
from ...core.custommap.model import CustomMap, LayerPlan, OwnLayer
from ...core.custommap.moments import legend_layer_plans
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import fold
from ...gis.credits.map_phrases import moment_text
from ...gis.layouts import templates
from ...gis.legends.legend_graphics import FetchedLegends, is_visible_at, legend_key
from ...gis.legends.legend_nodes import Swatch, layer_swatches
from ...gis.runtime import tasks
from ...gis.runtime.tasks import Feedback
from ..maps.map_controller import MapController
from ..maps.map_state import MapItem, MapPart, OwnItem
from .page_preview_controller import PagePreviewController


class LegendController(QObject):
    """Edits the legend by references to its layers. ``changed`` is emitted after an edit.

    ``names_fetched`` carries the error, or None, when a request for the services' names has ended.
    """

    changed = pyqtSignal()
    names_fetched = pyqtSignal(object)

    def __init__(self, map_controller: MapController, preview: PagePreviewController,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._preview = map_controller, preview
        self._names_job: Optional[tasks.Job] = None

    def tree(self) -> LegendTree:
        """Return the groups of the page's legend, with hidden layers, without those that are not drawn at its scale.

        Layers of a time series with the same classes are one, as on the page.
        """
        shown = (replace(group, items=series_once([item for item in group.items if self._is_drawn(item)],
                                                  lambda layer: self._preview.legends.known(legend_key(layer)),
                                                  lambda moment: moment_text(self.language, moment)))
                 for group in self._whole_tree())
        return tuple(group for group in shown if group.items)

    @property
    def language(self) -> str:
        """The map's language, which titles are edited in."""
        return self._map.language()

    @property
    def is_edited(self) -> bool:
        """True if the legend differs from what the services have."""
        return changes.is_edited(self._map.document())

    def references_of(self, part: MapPart) -> Tuple[LegendReference, ...]:
        """Return the references of the layers of a service or own layer of the map."""
        if isinstance(part, OwnItem):
            return (LegendReference(None, part.own.id),)
        services = self._map.items
        index = services.index(part) if part in services else -1
        return tuple(item.reference for group in self._whole_tree() for item in group.items
                     if item.reference.entry_index == index)

    def rename_layer(self, item: LegendItem, title: str) -> None:
        """Give a layer another title in the map's language. "" is the default title."""
        self._edit(lambda document, _tree: changes.rename_layer(document, item, title))

    def classes_of(self, item: LegendItem) -> Tuple[Tuple[str, str], ...]:
        """Return the classes of a layer whose legend is known: the text of each, and its title on the page.

        Empty for a layer with a single entry, which has the layer's title, and where texts are part of a picture.
        """
        if isinstance(item.layer, OwnLayer):
            return ()
        labels = [swatch.label for swatch in self._preview.legends.known(legend_key(item.layer)) or ()]
        texts = dict.fromkeys(label for label in labels if label) if len(labels) > 1 else {}
        return tuple((text, item.class_title(text, self.language)) for text in texts)

    def rename_class(self, item: LegendItem, text: str, title: str) -> None:
        """Give the class with this text another title in the map's language. "" is its own text."""
        self._edit(lambda document, _tree: changes.rename_class(document, item, text, title))

    def rename_group(self, group: LegendGroup, title: str) -> None:
        """Give a group another title in the map's language. "" is the default title, or no heading."""
        self._edit(lambda document, tree: changes.rename_group(document, tree, _same_group(tree, group), title))

    def set_hidden(self, references: Collection[LegendReference], hidden: bool) -> None:
        """Hide layers in the legend, or show them. They stay on the map, and so do their credits."""
        self._edit(lambda document, tree: changes.set_hidden(document, tree, references, hidden))

    def put_under_heading(self, references: Collection[LegendReference], title: str) -> None:
        """Put layers under a heading, "" for none. The heading of a whole group is renamed, unless there is such one.
        """
        def put(document: CustomMap, tree: LegendTree) -> CustomMap:
            group = next((one for one in tree if one.heading and set(one.references) <= set(references)), None)
            if group is not None and title.strip() and not any(fold(one.title) == fold(title) for one in tree):
                return changes.rename_group(document, tree, group, title)
            return changes.put_under_heading(document, tree, references, title)

        self._edit(put)

    def move(self, references: Collection[LegendReference], step: int) -> None:
        """Move a group among the groups, or a layer in its group, one place up (-1) or down (1)."""
        beside = neighbour(self.tree(), references, step)
        if beside:
            self._edit(lambda document, tree: changes.move(document, tree, references, beside, step < 0))

    def offered_names(self) -> Dict[str, str]:
        """Return the services that list the map's language besides their default: its code by their endpoint."""
        found = ((entry.endpoint, self._map.service_of(entry)) for entry in self._map.document().entries)
        codes = ((endpoint, offered_language(service, self.language)) for endpoint, service in found if service)
        return {endpoint: code for endpoint, code in codes if code is not None}

    @property
    def is_fetching_names(self) -> bool:
        """True while the services' names are being fetched."""
        return self._names_job is not None

    def fetch_names(self) -> None:
        """Request the names that the services have in the map's language, and take them where it has none itself."""
        codes, language, services = self.offered_names(), self.language, self._map.session.services
        originals = {entry.endpoint: service_names(service) for entry in self._map.document().entries
                     for service in [self._map.service_of(entry)] if service is not None and entry.endpoint in codes}
        if self._names_job is not None or not codes:
            return

        def work(feedback: Feedback) -> Dict[str, ServiceNames]:
            return {endpoint: service_names(services.fetch_in_language(endpoint, code, feedback))
                    for endpoint, code in codes.items()}

        def finish(names: Dict[str, ServiceNames]) -> None:
            self._names_job = None
            # the person may have changed the map's language meanwhile
            if self.language == language:
                self._edit(lambda document, tree: with_service_names(document, tree, names, originals))
            self.names_fetched.emit(None)

        def fail(error: CartoguideError) -> None:
            self._names_job = None
            self.names_fetched.emit(error)

        self._names_job = tasks.start(tr("Fetching the names of layers"), work, finish, fail, self)

    def reset(self) -> None:
        self._edit(lambda document, _tree: changes.reset(document))

    def _edit(self, change: Callable[[CustomMap, LegendTree], CustomMap]) -> None:
        self._map.flush()
        document = self._map.document()
        changed = change(document, self._whole_tree())
        if changed != document:
            self._map.set_legends(changed)
        self.changed.emit()

    def _whole_tree(self) -> LegendTree:
        plan = self._map.plan()
        if templates.has_small_multiples(plan.page):
            plan = replace(plan, layers=legend_layer_plans(plan))
        return legend_tree(plan)

    def _is_drawn(self, item: LegendItem) -> bool:
        if isinstance(item.layer, OwnLayer):
            return item.layer.visible
        picture = self._preview.picture
        return is_visible_at(item.layer, picture.scale) if picture is not None else item.layer.visible


def _same_group(tree: LegendTree, group: LegendGroup) -> LegendGroup:
    """Return the group of ``tree`` with the layers of ``group``, also of those that are not drawn."""
    first = group.references[0]
    return next((one for one in tree if first in one.references), group)


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

    def lacking(self) -> List[MapItem]:
        """Return the services of which a legend did not come when the page was drawn last."""
        items, plan, legends = self._map.items, self._map.plan(), self._preview.legends
        return [items[number] for number in {
            layer.entry_index for layer in plan.layers
            if layer.visible and is_in_legend(plan, layer) and legends.failure(legend_key(layer))}]

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

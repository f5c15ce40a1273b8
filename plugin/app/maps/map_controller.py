"""The custom map in step with the QGIS project: services are added, moved, hidden and removed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Optional, Sequence, Union

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.custommap.model import CustomMap, MapRole, Plan
from ...core.custommap.planner import make_plan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.snapshot.snapshot_sources import with_snapshot
from ...core.wms.crs.codes import offers_crs
from ...core.wms.model.service import Service
from ...gis.layers import project_group
from ...gis.layers import time_series as gis_series
from ...gis.layers import wms_layers as gis_layers
from ...gis.layouts import templates
from ...gis.runtime.i18n import map_language
from ...gis.runtime.terms import terms_settings
from ..records.dock_session import DockSession
from .map_state import (
    LayerChoice,
    MapItem,
    MapState,
    base_first,
    make_document,
    make_entry,
    merge_layers,
    update_entry,
    without_wms_prefix,
)


class MapController(QObject):
    """Holds the map's services, bottom first, and arranges the project's layers like them."""

    changed = pyqtSignal()
    adding_changed = pyqtSignal(bool)
    failed = pyqtSignal(object)
    warned = pyqtSignal(str, str)
    added = pyqtSignal(object)
    removed = pyqtSignal(object, int)

    def __init__(self, session: DockSession, project: Optional[QgsProject] = None,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.session = session
        self.project = project or QgsProject.instance()
        self.items: list[MapItem] = []
        self.state = MapState()
        self._job: Optional[object] = None
        self._queue: list[tuple[MapItem, Optional[str]]] = []
        self._pending_opacities: dict[str, float] = {}
        self._target_order: list[str] = []
        self._opacity_timer = QTimer(self)
        self._opacity_timer.setSingleShot(True)
        self._opacity_timer.setInterval(120)
        self._opacity_timer.timeout.connect(self._apply_opacity)
        self.project.layersRemoved.connect(self._on_layers_removed)
        self.project.crsChanged.connect(self.changed)

    def close(self) -> None:
        """Stop listening to the project, which outlives the dock."""
        self._opacity_timer.stop()
        self.project.layersRemoved.disconnect(self._on_layers_removed)
        self.project.crsChanged.disconnect(self.changed)

    # -- state

    @property
    def adding(self) -> bool:
        """True while layers are being made or are queued."""
        return self._job is not None or bool(self._queue)

    def title(self) -> str:
        """Return the map's title, else that of its base or of its first service."""
        ordered = base_first(self.items)
        return self.state.title or (without_wms_prefix(ordered[0].entry.title) if ordered else tr("Custom map"))

    def project_crs(self) -> str:
        """Return the code of the project's CRS, such as "EPSG:25830", or ""."""
        return str(self.project.crs().authid()) if self.project.crs().isValid() else ""

    def crs(self) -> str:
        """Return the code of the map's CRS. An empty project in degrees does not decide it. Then the document does, or
        the network profile.
        """
        crs = self.project.crs()
        undecided = not crs.isValid() or (crs.isGeographic() and not self.project.mapLayers())
        return self.state.crs or self.session.network_crs if undecided else self.project_crs()

    def language(self) -> str:
        """Return the language of the map's own texts: the chosen one, else QGIS's."""
        return self.state.language or map_language()

    def layers_on_map(self, endpoint: str) -> Sequence[str]:
        """Return the names of a service's layers that are on the map."""
        return next((item.entry.layers for item in self.items if item.entry.endpoint == endpoint), ())

    def document(self) -> CustomMap:
        """Return the map as a document."""
        return make_document(self.items, self.state, self.title(), self.crs(), self.language())

    def plan(self, document: Optional[CustomMap] = None, all_moments: Optional[bool] = None) -> Plan:
        """Return the layers that QGIS must make for the map, as far as its services are loaded.

        ``document`` is the map's own by default. ``all_moments`` includes every moment of a time series. By default the
        page's template decides.
        """
        document = document or self.document()
        every = templates.has_small_multiples(document.page) if all_moments is None else all_moments
        return with_snapshot(make_plan(document, *self.services_and_records(document), terms_settings(), every),
                             self.state.shown_snapshot)

    def services_and_records(
            self,
            document: CustomMap) -> tuple[dict[str, Union[Service, CartoguideError]], dict[str, Record]]:
        """Return the document's services (or why one is not available) and its records, by endpoint."""
        known: dict[str, Union[Service, CartoguideError]] = {}
        records: dict[str, Record] = {}
        for entry in document.entries:
            state = self.session.service_state(entry.endpoint)
            service = self.session.services.get(entry.endpoint)
            known[entry.endpoint] = service or state.error or CartoguideError(
                tr("The service of “{title}” has not been loaded yet.", title=entry.title), entry.endpoint)
            record = (self.session.record(entry.record_id) if entry.record_id else None) \
                or self.session.record_for_endpoint(entry.endpoint)
            if record is not None:
                records[entry.endpoint] = record
        return known, records

    def record_of(self, item: MapItem) -> Optional[Record]:
        """Return the record that an item was added from, or None if the library no longer has it."""
        return self.session.record(item.entry.record_id) if item.entry.record_id else None

    def qgis_layers(self, plan: Plan) -> list[Optional[object]]:
        """Return the project's layers for those of ``plan``, in its order, with None for missing ones."""
        ordered = base_first(self.items)
        return [
            self.project.mapLayer(ordered[layer.entry_index].layer_ids.get(layer.name, "")) for layer in plan.layers
        ]

    # -- adding

    def add(self, record: Record, endpoint: str, choice: LayerChoice) -> None:
        """Make the chosen layers in a task and add them to the map. The service must be loaded."""
        entry = make_entry(record, self.session.terms(record), endpoint, choice)
        self.build(MapItem(entry, choice.role), choice.crs)

    def add_missing_layers(self, record: Record, endpoint: str, choice: LayerChoice) -> bool:
        """Add the chosen layers that are not on the map beside those that are.

        Returns False if all of them are on the map already.
        """
        on_map = set(self.layers_on_map(endpoint))
        pairs = [pair for pair in zip(choice.layers, choice.styles) if pair[0] not in on_map]
        if pairs:
            entry = make_entry(
                record, self.session.terms(record), endpoint,
                replace(choice, layers=tuple(name for name, _ in pairs), styles=tuple(style for _, style in pairs)))
            self.build(MapItem(entry, choice.role, adds_layers=True), choice.crs)
        return bool(pairs)

    def build(self, item: MapItem, crs: Optional[str] = None) -> None:
        """Queue the layers of ``item``. They replace those that the map has of the same service."""
        self._queue.append((item, crs))
        self._build_next()

    def cancel(self) -> None:
        """Cancel the layers that are being made and those in the queue."""
        self._queue.clear()
        if self._job is not None:
            self._job.cancel()  # type: ignore[attr-defined]
        self._job = None
        self.adding_changed.emit(False)

    def _build_next(self) -> None:
        while self._job is None and self._queue:
            item, crs = self._queue.pop(0)
            plan = self._plan_for(item, crs)
            if plan.layers:
                self._job = gis_layers.start_making_layers(plan, partial(self._on_built, item), self._on_build_failed,
                                                           self, cache=self.session.services)
            else:
                self.failed.emit(
                    CartoguideError(tr("Nothing of “{title}” could be added.", title=item.entry.title),
                                    "\n".join(note.text for note in plan.notes if note.is_missing)))
        self.adding_changed.emit(self.adding)

    def _plan_for(self, item: MapItem, crs: Optional[str]) -> Plan:
        """Return the plan of one item, in ``crs`` for the layers that are offered in it."""
        base = item.role is MapRole.BASE
        plan = self.plan(CustomMap(title=item.entry.title, base=item.entry if base else None,
                                   overlays=() if base else (item.entry,), crs=self.crs()), all_moments=True)
        service = self.session.services.get(item.entry.endpoint)
        if not crs or service is None:
            return plan
        offering = {layer.name for layer in service.iter_layers() if offers_crs(layer, crs)}
        return replace(plan, layers=tuple(
            replace(layer, crs=crs) if layer.name in offering else layer for layer in plan.layers))

    def _on_built(self, item: MapItem, built: gis_layers.BuiltLayers) -> None:
        self._job = None
        try:
            self._insert_built(item, built)
        finally:
            self._build_next()

    def _insert_built(self, item: MapItem, built: gis_layers.BuiltLayers) -> None:
        if not built.layers:
            first = built.failures[0].error if built.failures else CartoguideError(tr("No layer could be created."))
            self.failed.emit(first)
            return
        former = next((other for other in self.items if other.entry.endpoint == item.entry.endpoint), None)
        item.layer_ids = {plan.name: layer.id() for plan, layer in built.layers}
        if built.failures:
            item.problem = tr("%n layer(s) missing", n=len(built.failures))
        if former is not None and item.adds_layers:
            merge_layers(former, item)
        else:
            self._insert_item(item, former)
        self._apply_order()
        for plan, layer in built.layers:
            if plan.time_span is not None and not plan.time_extent:
                gis_series.set_layer_time(layer, *plan.time_span, item.entry.endpoint)
        new_layers = {layer.id(): layer for _, layer in built.layers}
        if not self.project.mapLayers() and built.layers[0][1].crs().isValid():
            self.project.setCrs(built.layers[0][1].crs())
        self._update_layer_tree(new_layers)
        self.changed.emit()
        self.added.emit(item)
        if built.failures:
            errors = [failure.error for failure in built.failures]
            self.warned.emit(
                tr("%n layer(s) of “{title}” could not be created.", n=len(errors), title=item.entry.title),
                "\n\n".join(f"{error.user_text}\n{error.detail}" for error in errors))

    def _insert_item(self, item: MapItem, former: Optional[MapItem]) -> None:
        """Insert ``item`` in place of ``former``, or on top."""
        index = self.items.index(former) if former is not None else len(self.items)
        if former is not None:
            self.discard(former)
        if item.role is MapRole.BASE:
            for other in self.items:
                other.role = MapRole.OVERLAY
        self.items.insert(min(index, len(self.items)), item)

    def _on_build_failed(self, error: CartoguideError) -> None:
        self._job = None
        self.failed.emit(error)
        self._build_next()

    # -- changing

    def set_title(self, title: str) -> None:
        """Rename the map and its layer group."""
        self.state.title = title
        group = project_group.group_of_layers(self.project, self._layer_ids())
        if group is not None:
            project_group.rename_group(group, self.title())
        self.changed.emit()

    def set_opacity(self, number: int, opacity: float) -> None:
        """Change a service's opacity (0 to 1). The canvas follows a moment later."""
        update_entry(self.items[number], opacity=opacity)
        for layer_id in self.items[number].layer_ids.values():
            self._pending_opacities[layer_id] = opacity
        self._opacity_timer.start()

    def set_visible(self, number: int, on: bool) -> None:
        """Show or hide a service."""
        update_entry(self.items[number], visible=on)
        project_group.set_visible(self.project, self.items[number].layer_ids.values(), on)
        self.changed.emit()

    def set_role(self, number: int, role: MapRole) -> None:
        """Make a service the base, which makes the former base an overlay, or make it an overlay."""
        item = self.items[number]
        if role is MapRole.BASE:
            for other in self.items:
                other.role = MapRole.OVERLAY
        item.role = role
        self.items = base_first(self.items)
        self._update_layer_tree({})
        self.changed.emit()

    def move(self, number: int, target: int) -> None:
        """Move a service to the position ``target``, 0 being the bottom. A base cannot be moved."""
        if not 0 <= target < len(self.items) or MapRole.BASE in (self.items[target].role, self.items[number].role):
            return
        self.items.insert(target, self.items.pop(number))
        self._update_layer_tree({})
        self.changed.emit()

    def remove(self, number: int) -> None:
        """Remove a service from the map. ``removed`` is emitted, so that it can be restored."""
        item = self.items[number]
        self.discard(item)
        self.changed.emit()
        self.removed.emit(item, number)

    def add_unavailable(self, item: MapItem) -> None:
        """Add a service that cannot be drawn now, so that its place and its credit are kept."""
        self.items.append(item)
        self.items = base_first(self.items)
        self.changed.emit()

    def clear(self) -> None:
        """Begin a new map. The layers of the old one stay in the project."""
        self.items = []
        self.state = MapState()
        self.changed.emit()

    def set_order(self, endpoints: Sequence[str]) -> None:
        """Arrange the services in the order of ``endpoints``, including those that are still being made."""
        self._target_order = list(endpoints)
        self._apply_order()
        self._update_layer_tree({})
        self.changed.emit()

    def _apply_order(self) -> None:
        if self._target_order:
            last = len(self._target_order)
            self.items.sort(key=lambda item: self._target_order.index(item.entry.endpoint)
                            if item.entry.endpoint in self._target_order else last)
        if not self.adding:
            self._target_order = []

    def discard(self, item: MapItem) -> None:
        """Remove a service from the map without emitting ``removed``."""
        self.items.remove(item)
        ids = list(item.layer_ids.values())
        item.layer_ids = {}
        project_group.remove_layers(self.project, ids)

    def _update_layer_tree(self, new_layers: dict[str, object]) -> None:
        self.items = base_first(self.items)
        layers = []
        for item in self.items:
            for name in item.entry.layers or item.layer_ids:
                layer_id = item.layer_ids.get(name, "")
                layer = new_layers.get(layer_id) or self.project.mapLayer(layer_id)
                if layer is not None:
                    layers.append((layer, item.entry.visible))
        project_group.arrange_group(self.project, self.title(), layers)

    def _apply_opacity(self) -> None:
        for layer_id, opacity in self._pending_opacities.items():
            project_group.set_opacity(self.project, [layer_id], opacity)
        self._pending_opacities.clear()
        self.changed.emit()

    def _layer_ids(self) -> list[str]:
        return [layer_id for item in self.items for layer_id in item.layer_ids.values()]

    def _on_layers_removed(self, ids: Sequence[str]) -> None:
        """Remove the layers from the map that the person removed from the project."""
        removed = set(ids)
        affected = [item for item in self.items if removed.intersection(item.layer_ids.values())]
        for item in affected:
            item.layer_ids = {name: layer_id for name, layer_id in item.layer_ids.items() if layer_id not in removed}
            pairs = zip(item.entry.layers, item.entry.styles)
            left = [(name, style) for name, style in pairs if name in item.layer_ids]
            update_entry(item, layers=tuple(name for name, _ in left), styles=tuple(style for _, style in left))
            if not item.layer_ids:
                self.items.remove(item)
        if affected:
            self.changed.emit()

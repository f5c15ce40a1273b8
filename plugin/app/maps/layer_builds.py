"""The layers of the custom map that are being made, and how far each service and own layer is."""

from __future__ import annotations

from datetime import datetime, timezone
from functools import partial
from typing import Callable, Optional, Protocol

from qgis.core import QgsMapLayer, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.custommap import foreign_maps, own_sources, undo_history
from ...core.custommap.foreign_maps import Consent
from ...core.custommap.model import MapEntry, OwnLayer, Plan
from ...core.custommap.planner import same_crs
from ...core.custommap.service_state import Progress, combined_state
from ...core.custommap.undo_history import Change
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.snapshot.snapshot_sources import Snapshot
from ...core.trust.provenance import Trust
from ...core.wms.model.service import Service
from ...gis.layers import wms_layers as gis_layers
from ...gis.legends.legend_nodes import has_qgis_legend
from ...gis.network import bound_origins
from ...gis.own_layers import opening, references
from ...gis.runtime import tasks
from ...gis.runtime.drawn_source import drawn_source
from ...gis.runtime.main_thread import single_shot
from ...gis.runtime.network_errors import diverted_text
from ...gis.runtime.symbol_library import svg_library
from ...gis.services.map_addresses import forget_trials, sends_login_astray
from ...gis.sources.layer_source import shows_snapshot
from ...gis.sources.service_states import ServiceStates, Viewer
from ..records.dock_session import DockSession, ServiceStatus
from .map_document import MapDocument
from .map_state import MapItem, MapPart, OwnItem, drawn_layer_ids, layer_ids_of, source_of_layer
from .project_mirror import ProjectMirror


class BuiltMap(Protocol):
    """The map that layers are made for."""

    shown_snapshot: Optional[Snapshot]

    def plan_for(self, item: MapItem, crs: Optional[str]) -> Plan:
        """Return the layers to be made for a service, in ``crs`` where they are offered in it."""

    def service_of(self, entry: MapEntry) -> Optional[Service]:
        """Return the service of an entry, as far as it is known."""

    def former_of(self, item: MapItem) -> Optional[MapItem]:
        """Return the service on the map that a new one replaces or belongs to, or None."""

    def insert_built(self, item: MapItem, built: gis_layers.BuiltLayers) -> None:
        """Put the layers that were made on the map."""

    def commit(self, change: Optional[Change] = None) -> None:
        """Write the project from the document."""


class LayerBuilds(QObject):
    """Makes the layers of services one after the other, and opens own layers beside them."""

    #: something is shown differently, but the document is the same
    changed = pyqtSignal()
    adding_changed = pyqtSignal(bool)
    #: what was being made was given up, by the person or for another map
    given_up = pyqtSignal()
    #: title of what was to be added to the map and is not, and why (a CartoguideError)
    not_added = pyqtSignal(str, object)
    #: the same, if it is an error that nobody has been shown yet
    addition_failed = pyqtSignal(str, object, object)
    failed = pyqtSignal(object)
    warned = pyqtSignal(str, str)
    #: services of the map (a list of MapItem) that do not respond, after all of them were tried
    unavailable = pyqtSignal(list)
    #: services or own layers are drawn, or fail, other than before
    states_changed = pyqtSignal()
    #: services and own layers (a list of MapPart) that were missing have come whole: canvas or picture of the page
    #: lacked them, or somebody has asked for them again
    came_back = pyqtSignal(list)
    #: the picture of the page lacks layers that can be drawn again
    page_outdated = pyqtSignal()

    def __init__(self, session: DockSession, maps: BuiltMap, custom_map: MapDocument, mirror: ProjectMirror,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._maps, self._map, self._mirror = session, maps, custom_map, mirror
        self._job: Optional[object] = None
        #: the service whose layers were begun last, and the CRS that was chosen for it
        self._begun: tuple[Optional[MapItem], Optional[str]] = (None, None)
        self._queue: list[tuple[MapItem, Optional[str]]] = []
        self._failed_items: list[MapItem] = []
        self._openings = OwnLayerOpenings(self)
        self._openings.opened.connect(self._on_own_opened)
        self._openings.failed.connect(self._on_own_failed)
        #: of the layers, by what canvas, picture of the page and export have received
        self.states = ServiceStates(self._layers_of_map, self)
        #: ids of the layers that the picture of the page lacks, or parts of them, as it was drawn last
        self.page_lacks: frozenset[str] = frozenset()
        #: parts of the map that are to come back
        self._expected: list[MapPart] = []
        self.states.changed.connect(self._note_states)
        self.states.recovered.connect(self._on_recovered)
        self._refusals = bound_origins.announcer().refused
        self._refusals.connect(self._on_redirect_refused)
        session.service_changed.connect(self.on_service_changed)
        mirror.crs_settled.connect(self.load_in_new_crs)

    def close(self) -> None:
        """Stop listening to the network, which outlives the dock."""
        self._refusals.disconnect(self._on_redirect_refused)
        self.states.close()

    @property
    def adding(self) -> bool:
        """True while layers are being made or are queued, or a service or own layer of the map is awaited."""
        return self._job is not None or bool(self._queue) or any(part.loading for part in self._map.stack)

    def stop(self) -> None:
        """End all that is being made, without a word."""
        self._queue.clear()
        self._openings.cancel()
        self._failed_items = []
        if self._job is not None:
            self._job.cancel()  # type: ignore[attr-defined]
        self._job = None
        self.given_up.emit()

    def load(self, item: MapItem, refresh: bool = False) -> None:
        """Make the layers of a service on the map, whose capabilities are loaded first if they are not known.

        ``refresh`` requests them again.
        """
        endpoint = item.entry.endpoint
        item.loading, item.awaiting_service, item.problem, item.error, item.failed_since = True, False, "", None, None
        if item.entry.refusal:
            self.fail(item, CartoguideError(item.entry.refusal, endpoint))
            return
        if self._maps.service_of(item.entry) is not None and not refresh:
            self.build(item)
            return
        item.awaiting_service = True
        status = self._session.service_state(endpoint).status
        self._session.load_service(endpoint, refresh or status not in (ServiceStatus.UNKNOWN, ServiceStatus.LOADING))
        self.adding_changed.emit(self.adding)

    def has_failed(self, item: MapItem) -> bool:
        """Return whether the service of ``item`` could not be read when it was last requested."""
        return self._session.service_state(item.entry.endpoint).status is ServiceStatus.FAILED

    def build(self, item: MapItem, crs: Optional[str] = None) -> None:
        """Queue the layers of ``item``.

        Those of a service that is on the map replace its former layers. Another one is put on the map when it has
        layers, in place of ``item.replaces`` or of the same service.
        """
        self._queue.append((item, crs))
        self._build_next()

    def reload(self, item: MapItem) -> None:
        """Load the service of ``item`` again and make its layers."""
        forget_trials()
        item.refreshing = True
        self.load(item, refresh=True)
        self.changed.emit()

    def retry(self, part: MapPart) -> None:
        """Request again what is missing of a service or own layer, and draw it."""
        self._expect(part)
        if isinstance(part, OwnItem) and not part.layer_id:
            self.retry_own_layer(part)
            return
        self.states.forget_failures(list(layer_ids_of(part)))
        for layer in filter(None, map(self._mirror.layer, layer_ids_of(part))):
            if isinstance(layer, QgsVectorLayer):
                layer.reload()
            layer.triggerRepaint()
        self.page_outdated.emit()
        if isinstance(part, MapItem):
            self.reload(part)

    def refresh_states(self) -> None:
        """Go by the layers that the map has now, and by the sources that they have."""
        self.states.forget_layers()
        self._note_states()

    def _layers_of_map(self) -> list[QgsMapLayer]:
        return [layer for part in self._map.stack for layer in map(self._mirror.layer, layer_ids_of(part))
                if layer is not None]

    def _note_states(self, _layer_ids: object = None) -> None:
        """Note the states of the layers on the parts of the map that they belong to. Those that are hidden count not.
        """
        lacking = self.states.lacking(Viewer.PAGE)
        is_other, self.page_lacks = lacking != self.page_lacks, lacking
        lacking |= self.states.lacking(Viewer.CANVAS)
        for part in self._map.stack:
            received = combined_state([self.states.state(layer_id) for layer_id in drawn_layer_ids(part)])
            is_other = is_other or received != part.received
            part.received = received
            if received.is_missing and not lacking.isdisjoint(layer_ids_of(part)):
                self._expect(part)
        if is_other:
            self.states_changed.emit()
        back = [part for part in self._expected
                if part.received.progress is Progress.DRAWN and not part.received.is_missing]
        if back:
            self._expected = [part for part in self._expected if part not in back and part in self._map.stack]
            self.came_back.emit(back)

    def _expect(self, part: MapPart) -> None:
        if part not in self._expected:
            self._expected.append(part)

    def expect_missing(self) -> None:
        """Note that all that is missing is going to be requested again, as by an export."""
        for part in self._map.stack:
            if part.is_missing:
                self._expect(part)

    def _on_recovered(self, viewer: Viewer, layer_ids: list[str]) -> None:
        """Have the canvas or the page drawn again that lacks layers whose server is back."""
        if viewer is Viewer.PAGE:
            self.page_outdated.emit()
            return
        for layer in filter(None, map(self._mirror.layer, layer_ids)):
            layer.triggerRepaint()

    def cancel(self) -> None:
        """Cancel the layers that are being made and those in the queue."""
        self.stop()
        for part in self._map.stack:
            if not part.loading:
                continue
            part.loading = False
            # an own layer whose layer was to be replaced is drawn as before
            if isinstance(part, MapItem) or not part.layer_id:
                part.problem = tr("not loaded")
            if isinstance(part, MapItem):
                part.awaiting_service = False
                self._let_outdated_stand(part)
                if not self._mirror.valid_layers(part):
                    part.error = CartoguideError(tr("The service of “{title}” has not been loaded yet.",
                                                    title=part.entry.title), part.entry.endpoint)
        self.adding_changed.emit(False)

    def _build_next(self) -> None:
        while self._job is None and self._queue:
            item, crs = self._queue.pop(0)
            on_map = self._map.has(item)
            if item.loading and not on_map:
                continue
            self._begun = item, crs
            plan = self._maps.plan_for(item, crs)
            if plan.layers:
                self._job = gis_layers.start_making_layers(plan, partial(self._on_built, item, on_map),
                                                           partial(self._on_build_failed, item), self,
                                                           cache=self._session.services,
                                                           present=self._present_layers(item))
            else:
                self.fail(item, CartoguideError(tr("Nothing of “{title}” could be added.", title=item.entry.title),
                                                 "\n".join(note.text for note in plan.notes if note.is_missing)))
        self.adding_changed.emit(self.adding)
        self._report_unavailable()

    def _present_layers(self, item: MapItem) -> dict[str, QgsRasterLayer]:
        """Return the layers that a service has, or had when it was on the map last, by WMS layer name."""
        former = item if self._map.has(item) else self._maps.former_of(item)
        # one that is in the project is the person's, who had put it into the group for a while
        ids = {name: layer_id for name, layer_id in self._mirror.former.layers_of(item.entry).items()
               if self._mirror.project.mapLayer(layer_id) is None}
        if former is not None and not item.adds_layers:
            ids.update(former.layer_ids)
        found = {name: self._mirror.layer(layer_id) for name, layer_id in ids.items()}
        return {name: layer for name, layer in found.items() if layer is not None}

    def is_current(self, item: MapItem) -> bool:
        """Return whether all layers of a service are there and are drawn from what its entry and the map say."""
        planned = self._maps.plan_for(item, None).layers
        found = [(plan, self._mirror.layer(item.layer_ids.get(plan.name, ""))) for plan in planned]
        return bool(found) and all(
            layer is not None and layer.isValid()
            and self._mirror.former.drawn_from.get(layer.id()) == source_of_layer(item.entry, plan.name)
            and shows_snapshot(layer) is (plan.snapshot_source is not None)
            and (plan.snapshot_source is not None or same_crs(gis_layers.wms_of(plan).crs, layer.crs().authid()))
            for plan, layer in found)

    def _on_built(self, item: MapItem, was_on_map: bool, built: gis_layers.BuiltLayers) -> None:
        self._job = None
        try:
            # it may have been removed meanwhile, or point to another address
            if not was_on_map or (self._map.has(item) and not item.awaiting_service):
                self._maps.insert_built(item, built)
        finally:
            self._build_next()

    def _on_build_failed(self, item: MapItem, error: CartoguideError) -> None:
        self._job = None
        self.fail(item, error)
        self._build_next()

    def fail(self, item: MapItem, error: CartoguideError) -> None:
        """Announce that no layer of a service could be made. One that is on the map stays there with its problem.

        Layers that are drawn already stay as they are.
        """
        item.loading = item.awaiting_service = False
        self._let_outdated_stand(item)
        if not self._map.has(item):
            last, crs = self._begun
            self.fail_addition(item.entry.title, error, lambda: self.build(item, crs if last is item else None))
            self.changed.emit()
            return
        if self._mirror.valid_layers(item):
            self.failed.emit(error)
            self.changed.emit()
            return
        item.problem = tr("its service does not respond") \
            if not item.entry.refusal and self._maps.service_of(item.entry) is None else error.user_text.split("\n")[0]
        item.error, item.failed_since = error, datetime.now(timezone.utc)
        self._failed_items.append(item)
        self._maps.commit()

    def fail_addition(self, title: str, error: CartoguideError, again: Optional[Callable[[], object]] = None) -> None:
        """Announce that something is not added to the map, and why. ``again`` adds it once more, if that may help."""
        self.addition_failed.emit(title, error, again)
        self.not_added.emit(title or tr("Service"), error)

    def _let_outdated_stand(self, item: MapItem) -> None:
        """Let layers that are drawn from what a service was before stand for what it is, which could not be loaded.

        They draw nothing, and the project keeps them: themes and layouts show them again when the service responds.
        """
        if item.outdated:
            with self._mirror.writing():
                for name, layer_id in item.layer_ids.items():
                    layer = self._mirror.layer(layer_id)
                    if layer is not None:
                        gis_layers.let_stand(layer, item.entry, name)
            self._mirror.former.note_sources(item)
            item.outdated = False

    def _report_unavailable(self) -> None:
        """Emit ``unavailable`` once, when no service of the map is awaited any more."""
        if self.adding or not self._failed_items:
            return
        failed, self._failed_items = self._failed_items, []
        failed = [item for item in failed if self._map.has(item) and item.problem]
        if failed:
            self.unavailable.emit(failed)

    def on_service_changed(self, endpoint: str) -> None:
        """Make the layers of the services on the map that waited for this one, or say why there are none."""
        state = self._session.service_state(endpoint)
        if state.status is ServiceStatus.LOADING:
            return
        key = normalise_endpoint(endpoint)
        waiting = [item for item in self._map.items
                   if item.awaiting_service and normalise_endpoint(item.entry.endpoint) == key]
        for item in waiting:
            item.awaiting_service = False
            known = self._maps.service_of(item.entry) is not None
            if known and not item.loading and all(
                    layer is not None and layer.isValid() for layer in map(self._mirror.layer, item.layer_ids.values())
            ) and not self._sends_login_astray(item):
                continue
            # a refresh that failed keeps the capabilities that were there before
            if known and (state.error is None or not item.refreshing):
                item.loading, item.refreshing = True, False
                self.build(item)
            else:
                item.refreshing = False
                self.fail(item, state.error or CartoguideError(tr("The service could not be read."), endpoint))
        if waiting:
            self.adding_changed.emit(self.adding)
            self._report_unavailable()
        for item in self._map.items:
            # somebody else has asked the service, and it is there again
            if item not in waiting and item.is_unavailable and normalise_endpoint(item.entry.endpoint) == key and (
                    state.status is ServiceStatus.LOADED and state.error is None):
                self.load(item)

    def _sends_login_astray(self, item: MapItem) -> bool:
        """Return whether layers of a service, as a project may have them, send their login to another host."""
        service = self._session.services.get(item.entry.endpoint)
        return service is not None and any(
            drawn_source(layer).is_map_service and sends_login_astray(layer.source(), service, has_qgis_legend(layer))
            for layer in self._mirror.valid_layers(item))

    def load_in_new_crs(self) -> None:
        """Make the layers anew that are requested in another CRS than the document's, which is the project's.

        Otherwise QGIS would draw the former images warped, and print them so, other than the document does elsewhere.
        """
        if self._maps.shown_snapshot is not None:
            return
        for item in list(self._map.items):
            if not item.loading and self._maps.service_of(item.entry) is not None and any(
                    not same_crs(crs, layer.crs().authid()) for layer, crs in self._layers_with_planned_crs(item)):
                self.load(item)

    def _layers_with_planned_crs(self, item: MapItem) -> list[tuple[QgsMapLayer, str]]:
        """Return the valid layers of a service, each with the CRS in which it would be requested today."""
        pairs = [(self._mirror.layer(item.layer_ids.get(layer.name, "")), layer.wms.crs)
                 for layer in self._maps.plan_for(item, None).layers if layer.wms is not None]
        return [(layer, crs) for layer, crs in pairs if layer is not None and layer.isValid()]

    def locate_own_layer(self, number: int, path: str) -> None:
        """Draw an own layer from another file. Its style and source line stay. ``failed`` is emitted if it cannot."""
        item = self._map.stack[number]
        if isinstance(item, OwnItem):
            own = own_sources.with_file(item.own, path)
            if not own.trust.may_open:
                # whoever chooses a file agrees to it, and to nothing else that the document names
                foreign = foreign_maps.one_layer(own)
                if not foreign.needs_consent:
                    self.failed.emit(CartoguideError(foreign_maps.refusals_text(foreign), path))
                    return
                own, = foreign_maps.admit(foreign, Consent.LISTED, svg_library()).document.own_layers
            item.loading = True
            self._open(OwnItem(own, replaces=item))
            self.changed.emit()

    def open_agreed(self, item: OwnItem, admitted: foreign_maps.AdmittedMap) -> None:
        """Open an own layer of a foreign map that the person agreed to, with the source and style that were judged."""
        if not self._map.has(item):
            return
        self._map.set_layers({item: admitted.document.own_layers[0]})
        self.retry_own_layer(item)
        if admitted.left_out:
            self.warned.emit("\n".join(admitted.left_out), "")

    def retry_own_layer(self, item: OwnItem) -> None:
        """Open the QGIS layer of an own layer of the map once more."""
        if item in self._map.stack and not item.loading:
            self._open(item)
            self._maps.commit(undo_history.layer_settings(item.own))

    def own_item(self, own: OwnLayer, former: Optional[OwnItem] = None) -> OwnItem:
        """Return the item of an own layer that is drawn as the document says.

        Its QGIS layer is the one of ``former``, one that the project has, or a new one from its source, which is opened
        in a task.
        """
        known = former.layer_id if former is not None else self._mirror.own_layer_ids.get(own.id, "")
        layer = self._mirror.layer(known) or references.find_layer(self._mirror.project, own)
        item = OwnItem(own)
        # an undo may lead back to before somebody agreed to it: nothing foreign is drawn as it was written
        if layer is None or not own.trust.may_open:
            self._open(item)
        else:
            with_style = former is None or former.own.style != own.style

            def show() -> None:
                if former is not None and former.own.source != own.source:
                    # it may have become another one since somebody agreed to it
                    opening.check_file(own)
                    references.show_file(layer, own)
                references.show_as_documented(layer, own, with_style)

            self._show_own(item, layer, show)
        return item

    def _open(self, item: OwnItem) -> None:
        """Open the layer of ``item`` in a task, or say why it may not be opened."""
        item.problem = "" if item.own.trust.may_open else item.own.refusal or opening.unopened_text(item.own)
        item.loading = not item.problem
        if item.loading:
            self._openings.add(item)
            self.adding_changed.emit(self.adding)

    def _show_own(self, item: OwnItem, layer: QgsMapLayer, show: Callable[[], object]) -> None:
        """Make the layer that of ``item``, and draw it as the document says by ``show``."""
        with self._mirror.writing():
            try:
                show()
                item.problem = self._redirect_problem(item.own.name, layer.id()) if layer.isValid() \
                    else references.unavailable_text(item.own)
            except CartoguideError as error:
                item.problem = error.user_text
        if item.own.trust is Trust.AGREED and not bound_origins.is_bound(layer):
            bound_origins.bind(layer)
        item.layer_id = layer.id()
        self._mirror.watch_own_layer(item, layer)

    def _on_redirect_refused(self, _redirect: bound_origins.RefusedRedirect) -> None:
        """Say of which layers a server led elsewhere, so that they lack parts."""
        for item in self._map.own_items:
            problem = self._redirect_problem(item.own.name, item.layer_id)
            if problem and problem != item.problem:
                item.problem = problem
                self.changed.emit()

    @staticmethod
    def _redirect_problem(name: str, layer_id: str) -> str:
        redirect = bound_origins.refused_redirect(layer_id)
        return diverted_text(name, redirect.address, redirect.target) if redirect is not None else ""

    def _on_own_opened(self, item: OwnItem, layer: QgsMapLayer) -> None:
        """Put the layer that was opened on the map, unless the person has removed it meanwhile."""
        place = item.replaces or item
        item.loading = place.loading = False
        if place in self._map.stack:
            # themes and layouts showed the layer that it replaces, or that the person has removed from the project
            former_id = place.layer_id or self._mirror.own_layer_ids.get(item.own.id, "")
            self._mirror.new_layers[layer.id()] = layer
            self._show_own(item, layer, lambda: references.show_opened(layer, item.own))
            if place is not item:
                self._map.put(item, 0, place)
            if place is not item and place.layer_id != item.layer_id:
                self._mirror.remove_layer_ids([place.layer_id] if place.layer_id else [])
            item.replaces = None
            self._maps.commit(undo_history.layer_settings(item.own))
            self._mirror.removed.restore_as(former_id, layer)
        self.adding_changed.emit(self.adding)

    def _on_own_failed(self, item: OwnItem, error: CartoguideError) -> None:
        """Say why a layer of the map could not be opened. Its row stays, and so does one that it would replace."""
        place = item.replaces or item
        item.loading = place.loading = False
        if place in self._map.stack:
            if place is item:
                item.problem = error.user_text
                self._maps.commit()
            else:
                self.failed.emit(error)
                self.changed.emit()
        self.adding_changed.emit(self.adding)


#: layers that are opened at once. A server that does not answer must not hold up the others
_AT_ONCE = 4


class OwnLayerOpenings(QObject):
    """Opens the layers of items of the map. Each item ends with ``opened`` or ``failed``, unless it is cancelled."""

    #: an OwnItem and its QgsMapLayer, which is in no project yet
    opened = pyqtSignal(object, object)
    #: an OwnItem and a CartoguideError
    failed = pyqtSignal(object, object)

    def __init__(self, parent: Optional[QObject] = None, seconds: Optional[float] = None) -> None:
        """``seconds`` is the limit of time of each, by default that of the documents' layers."""
        super().__init__(parent)
        self._seconds = seconds
        self._waiting: list[OwnItem] = []
        self._jobs: dict[OwnItem, tasks.Job] = {}
        #: the limits of time, by item, each a child of this object. A timer that belonged to its job would be in a
        #: circle with it, which Python might collect in the very moment when it calls the timer's slot
        self._limits: dict[OwnItem, QTimer] = {}

    def add(self, item: OwnItem) -> None:
        """Open the layer of ``item`` when its turn comes."""
        self._waiting.append(item)
        self._begin_next()

    def cancel(self) -> None:
        """End all openings. A layer that is made all the same is dropped."""
        self._waiting.clear()
        jobs, self._jobs = self._jobs, {}
        for item, job in jobs.items():
            self._limits.pop(item).deleteLater()
            job.cancel()

    def _begin_next(self) -> None:
        while self._waiting and len(self._jobs) < _AT_ONCE:
            self._begin(self._waiting.pop(0))

    def _begin(self, item: OwnItem) -> None:
        own = item.own
        self._jobs[item] = opening.start_opening(
            own, lambda layer: self._end(item, lambda: self.opened.emit(item, layer)),
            lambda error: self._end(item, lambda: self.failed.emit(item, error)), self)
        limit = self._limits[item] = single_shot(self, int(self._limit * 1000), lambda: self._give_up(item))
        limit.start()

    def _give_up(self, item: OwnItem) -> None:
        """Let the job go: QGIS cannot be stopped while it makes a layer. What it makes later is dropped."""
        job = self._jobs.get(item)
        if job is not None and job.running:
            job.cancel()
            self._end(item, lambda: self.failed.emit(item, CartoguideError(opening.late_text(item.own, self._limit))))

    def _end(self, item: OwnItem, announce: Callable[[], None]) -> None:
        if self._jobs.pop(item, None) is not None:
            self._limits.pop(item).deleteLater()
            announce()
        self._begin_next()

    @property
    def _limit(self) -> float:
        return self._seconds or opening.OPENING_SECONDS

    @property
    def running(self) -> bool:
        """True while a layer is being opened or waits for its turn."""
        return bool(self._jobs or self._waiting)

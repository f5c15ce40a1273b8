"""The custom map: services and own layers are added, moved, hidden and removed.

The document is the truth. Every change is a change of ``MapController.custom_map``, with the label that Undo shows, and
``MapController.commit`` writes the project's group from it. What the person changes in QGIS's layer tree is read into
the document first.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from qgis.core import QgsCoordinateReferenceSystem, QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap import undo_history
from ...core.custommap.map_entries import record_of_entry
from ...core.custommap.model import (
    NO_DESCRIPTIONS,
    BlendMode,
    CustomMap,
    MapEntry,
    MapExtent,
    MapRole,
    Orientation,
    OwnLayer,
    Plan,
    SnapshotDescriptions,
)
from ...core.custommap.planner import make_plan
from ...core.custommap.service_use import hides_below
from ...core.custommap.undo_history import Change
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record
from ...core.snapshot.snapshot_sources import Snapshot, with_snapshot
from ...core.text import single_line
from ...core.trust.provenance import Trust
from ...core.wms.crs.codes import offers_crs
from ...core.wms.model.service import Service
from ...gis.credits.layer_metadata import STORED_TERMS, UNFIT_CREDITS, has_own_marks, mark, set_planned_credit
from ...gis.credits.map_phrases import default_map_language
from ...gis.layers import project_document, project_group
from ...gis.layers import time_series as gis_series
from ...gis.layers import wms_layers as gis_layers
from ...gis.layers.blend_modes import set_blend
from ...gis.layouts import templates
from ...gis.own_layers import references
from ...gis.pages.page_measurement import PageMeasurement
from ...gis.runtime.terms import terms_settings
from ...gis.services.map_addresses import choice_state, choose_map_address
from ..records.dock_session import DockSession
from .layer_builds import LayerBuilds
from .map_document import ExtentMode, MapDocument, new_document
from .map_state import (
    LayerChoice,
    MapItem,
    MapPart,
    OwnItem,
    base_first,
    entry_shown,
    layer_of,
    make_entry,
    merge_layers,
    role_in,
    update_entry,
    with_layers,
    without_wms_prefix,
)
from .project_mirror import ProjectMirror

#: degrees between two centres of a page that count as one place
_SAME_DEGREES = 1e-6


class MapController(QObject):
    """Changes the document (``custom_map``), its view in the project (``mirror``) and what is made for it (``builds``).

    The numbers of its methods are places in ``stack``.
    """

    changed = pyqtSignal()
    adding_changed = pyqtSignal(bool)
    failed = pyqtSignal(object)
    warned = pyqtSignal(str, str)
    #: a service (MapItem) is drawn without its login (LoginWithheld), which its maps' server must not have
    login_withheld = pyqtSignal(object, object)
    #: a service is new on the map, with its layers
    added = pyqtSignal(object)
    #: the layers of a service on the map were made
    built = pyqtSignal(object)
    removed = pyqtSignal(object, int)
    #: the page was given a place that the person has not chosen
    page_placed = pyqtSignal()
    #: another project was begun or opened: this map is empty
    reset = pyqtSignal()
    #: services of the map (a list of MapItem) that do not respond, after all of them were tried
    unavailable = pyqtSignal(list)

    def __init__(self, session: DockSession, project: Optional[QgsProject] = None,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.session = session
        self.project = project or QgsProject.instance()
        self.custom_map = MapDocument(self.crs, self)
        self.mirror = ProjectMirror(self.project, self.custom_map, self.title, self._document_in_project, self)
        #: where the map lies on its page. All ask this one, which keeps the templates that it has loaded
        self.page_measurement = PageMeasurement(self.project)
        #: the snapshot while it is shown
        self.shown_snapshot: Optional[Snapshot] = None
        #: returns the extent in effect while it follows the canvas, the record or the services
        self.find_extent: Callable[[], Optional[MapExtent]] = lambda: None
        #: returns the fields of the document, and the extent mode, that fit the page to the base. The argument allows
        #: to turn the page
        self.fit_page: Callable[[bool], Mapping[str, object]] = lambda _may_turn: {}
        #: returns those that place the page of a map that has just begun without a base, where the person looks
        self.place_first_page: Callable[[bool], Mapping[str, object]] = lambda _may_turn: {}
        #: the place and the orientation of the page that were given to it last, and not by the person
        self._fitted_place: Optional[tuple[object, ...]] = None
        self._fitted_orientation: Optional[Orientation] = None
        #: the last plan, and what it was made from
        self._planned: Optional[tuple[tuple[object, ...], Plan]] = None
        self.builds = LayerBuilds(session, self, self.custom_map, self.mirror, self)
        for part in (self.mirror, self.builds):
            part.changed.connect(self.changed)
            part.failed.connect(self.failed)
        self.builds.warned.connect(self.warned)
        self.builds.unavailable.connect(self.unavailable)
        self.builds.adding_changed.connect(self.adding_changed)
        self.mirror.opacity_timer.timeout.connect(self.commit)
        self.mirror.cleared.connect(self._on_project_cleared)
        self.custom_map.begin()

    def close(self) -> None:
        """Stop listening to what outlives the dock."""
        self.mirror.close()
        self.builds.close()

    def _on_project_cleared(self) -> None:
        self.builds.stop()
        self.custom_map.stack, self.shown_snapshot = [], None
        self.custom_map.use_snapshot(None)
        self.custom_map.show(new_document())
        self.reset.emit()
        self.custom_map.begin()
        self.changed.emit()
        self.adding_changed.emit(False)

    # -- state

    @property
    def chosen(self) -> CustomMap:
        """The document as far as the person has chosen it. ``document`` has what is in effect."""
        return self.custom_map.current

    @property
    def stack(self) -> list[MapPart]:
        """The services and own layers, bottom first."""
        return self.custom_map.stack

    @property
    def items(self) -> list[MapItem]:
        """The services, bottom first."""
        return self.custom_map.items

    @property
    def own_items(self) -> list[OwnItem]:
        """The own layers, bottom first."""
        return self.custom_map.own_items

    @property
    def adding(self) -> bool:
        """True while layers are being made or are queued, or a service or own layer of the map is awaited."""
        return self.builds.adding

    def title(self) -> str:
        """Return the map's title, else that of its base or of its first service."""
        ordered = base_first(self.items)
        return self.chosen.title or (without_wms_prefix(ordered[0].entry.title) if ordered else tr("Custom map"))

    def project_crs(self) -> str:
        """Return the code of the project's CRS, such as "EPSG:25830", or ""."""
        return str(self.project.crs().authid()) if self.project.crs().isValid() else ""

    def crs(self) -> str:
        """Return the code of the map's CRS. An empty project in degrees does not decide it. Then the document does, or
        the network profile.
        """
        crs = self.project.crs()
        undecided = not crs.isValid() or (crs.isGeographic() and not self.project.mapLayers())
        return self.chosen.crs or self.session.network_crs if undecided else self.project_crs()

    def language(self) -> str:
        """Return the language of the map's own texts: the chosen one, else QGIS's."""
        return self.chosen.language or default_map_language()

    def layers_on_map(self, endpoint: str) -> Sequence[str]:
        """Return the names of a service's layers that are on the map."""
        return next((item.entry.layers or tuple(item.layer_ids) for item in self.items
                     if item.entry.endpoint == endpoint), ())

    def document(self) -> CustomMap:
        """Return the map as a document. It has an extent only if the person chose one: ``printed_document`` always has.
        """
        document = replace(with_layers(self.chosen, self.stack), title=self.title(), crs=self.crs(),
                           language=self.language())
        is_custom = self.custom_map.extent_mode is ExtentMode.CUSTOM
        return document if is_custom else replace(document, extent=None, centre=None)

    def _document_in_project(self) -> CustomMap:
        return self.document() if self.custom_map.extent_mode is ExtentMode.CANVAS else self.printed_document()

    def printed_document(self) -> CustomMap:
        """Return the map as a document, with the extent that a page printed now would have."""
        document = self.document()
        if self.custom_map.extent_mode is ExtentMode.CUSTOM:
            return document
        return replace(document, extent=self.find_extent(), centre=None)

    def plan(self, document: Optional[CustomMap] = None, all_moments: Optional[bool] = None) -> Plan:
        """Return the layers that QGIS must make for the map, as far as its services are loaded.

        ``document`` is the map as it would be printed by default. ``all_moments`` includes every moment of a time
        series. By default the page's template decides.
        """
        document = document or self.printed_document()
        every = templates.has_small_multiples(document.page) if all_moments is None else all_moments
        given = (document, *self._known_services_and_records(document), terms_settings(), every)
        stored = self.stored
        arguments = (*given, choice_state(), stored)
        # several views show the same state, one after the other
        if self._planned is None or self._planned[0] != arguments:
            self._planned = arguments, make_plan(*given, choose_map_address, stored)
        return with_snapshot(self._planned[1], self.shown_snapshot)

    def services_and_records(
            self,
            document: CustomMap) -> tuple[dict[str, Union[Service, CartoguideError]], dict[str, Record]]:
        """Return the document's services (or why one is not available) and its records, by endpoint.

        What is known of them counts before what the snapshot that is shown stores.
        """
        known, records = self._known_services_and_records(document)
        for entry in document.entries:
            if not isinstance(known[entry.endpoint], Service):
                known[entry.endpoint] = self.service_of(entry) or known[entry.endpoint]
            stored = self.stored.record(entry.endpoint)
            if stored is not None:
                records.setdefault(entry.endpoint, stored)
        return known, records

    def service_of(self, entry: MapEntry) -> Optional[Service]:
        """Return the service of an entry, or the one that the snapshot that is shown stores, or None."""
        return self.session.services.get(entry.endpoint) or self.stored.service(entry.endpoint)

    @property
    def stored(self) -> SnapshotDescriptions:
        """The services and records of the map as the snapshot that is shown stores them."""
        shown = self.shown_snapshot
        return shown.descriptions if shown is not None else NO_DESCRIPTIONS

    def _known_services_and_records(
            self, document: CustomMap) -> tuple[dict[str, Union[Service, CartoguideError]], dict[str, Record]]:
        """Return the services and records without those that only a snapshot stores."""
        known: dict[str, Union[Service, CartoguideError]] = {}
        records: dict[str, Record] = {}
        for entry in document.entries:
            state = self.session.service_state(entry.endpoint)
            service = self.session.services.get(entry.endpoint)
            known[entry.endpoint] = service or state.error or CartoguideError(
                tr("The service of “{title}” has not been loaded yet.", title=entry.title), entry.endpoint)
            named = self.session.record(entry.record_id) if entry.record_id else None
            record = record_of_entry(entry, named, partial(self.session.record_for_endpoint, entry.endpoint))
            if record is not None:
                records[entry.endpoint] = record
        return known, records

    def record_of(self, item: MapItem) -> Optional[Record]:
        """Return the record that an item was added from, or None if the library no longer has it."""
        return self.session.record(item.entry.record_id) if item.entry.record_id else None

    def refresh_credits(self) -> None:
        """Give layers the planned credit where something else than their own terms makes a difference.

        That is the snapshot that is shown, or was, what the person has completed, or has undone, and a style that was
        pasted, which brings what is noted on another layer.
        """
        plan = self.plan()
        for layer_plan, layer in zip(plan.layers, self.mirror.qgis_layers(plan)):
            if layer is not None and (layer_plan.stored_terms_day or layer_plan.unfit_credits or
                                      mark(layer, STORED_TERMS) or mark(layer, UNFIT_CREDITS) or
                                      layer_plan.entry is not None and layer_plan.entry.credit.answers or
                                      not has_own_marks(layer)):
                set_planned_credit(layer, layer_plan)

    def answer_credit(self, item: MapItem, question: str, line: str) -> None:
        """Print ``line`` for a credit of a service that may not be printed as it stands. The document has it.

        ``question`` is that credit, or "" for a service without one. An empty line takes the answer back.
        """
        credit = item.entry.credit
        answers = {asked: given for asked, given in credit.answers.items() if asked != question}
        if single_line(line):
            answers[question] = single_line(line)
        update_entry(item, credit=replace(credit, answers=answers))
        self.refresh_credits()
        self.commit(undo_history.layer_settings(item.entry))

    # -- the views

    def commit(self, change: Optional[Change] = None, extent_mode: Optional[ExtentMode] = None,
               **fields: object) -> None:
        """Change fields of the document, write the project's group from it, and announce the change.

        The services and own layers are those of ``stack``. Without ``change`` they changed in QGIS.
        """
        self.custom_map.change_layers(change, extent_mode, **fields)
        self.mirror.write()
        self.changed.emit()

    def undo(self) -> None:
        """Restore the map before the last change."""
        self.flush()
        self._restore(self.custom_map.undo())

    def redo(self) -> None:
        """Restore the map that was undone last."""
        self.flush()
        self._restore(self.custom_map.redo())

    def _restore(self, step: Optional[undo_history.Step]) -> None:
        if step is not None:
            self.show_document(step.document, ExtentMode(step.extent_mode or ExtentMode.CANVAS), with_crs=True)

    def flush(self) -> None:
        """Read what was changed in the layer tree, and commit an opacity that waits for the slider to rest."""
        if self.mirror.tree_timer.isActive():
            self.mirror.tree_timer.stop()
            self.mirror.read()
        if self.mirror.opacity_timer.isActive():
            self.commit()

    def save_to_project(self) -> None:
        """Write the document into the project. Its extent may follow the record that is selected."""
        if self.stack and not self.mirror.tree_timer.isActive():
            self.mirror.write()

    # -- whole maps

    def show_document(self, document: CustomMap, extent_mode: Optional[ExtentMode] = None,
                      with_crs: bool = False) -> None:
        """Make the map what ``document`` says. Services that are on it already stay, the others are loaded.

        ``extent_mode`` is by default the one that the document implies. The state of the snapshot stays. The project
        takes the document's CRS if it has no other layers, and with ``with_crs`` in any case.
        """
        self.custom_map.show(document, extent_mode)
        former, former_own = self.items, {item.own.id: item for item in self.own_items}
        self.custom_map.stack = []
        for entry in document.stack:
            if isinstance(entry, OwnLayer):
                self.stack.append(self.builds.own_item(entry, former_own.get(entry.id)))
                continue
            item = next((one for one in former if _layer_key(one.entry) == _layer_key(entry)), None)
            if item is not None:
                former.remove(item)
                item.entry, item.role = entry, role_in(document, entry)
            else:
                item = MapItem(entry, role_in(document, entry), loading=True)
            self.stack.append(item)
        self.mirror.remove_layers(former)
        for item in self.items:
            # the same service at another address, as after undoing a change of it
            same = next((one for one in former if (one.entry.title, one.entry.layers) ==
                         (item.entry.title, item.entry.layers)), None)
            if item.loading and item.expanded is None and same is not None:
                item.expanded = same.expanded
        crs = QgsCoordinateReferenceSystem(document.crs)
        own = set(self.mirror.layer_ids())
        if document.stack and crs.isValid() and self.project.crs() != crs and (
                with_crs or own.issuperset(self.project.mapLayers())):
            self.mirror.set_crs(crs)
        self.refresh_credits()
        self.commit()
        for item in [item for item in self.items if item.loading]:
            self.builds.load(item)

    def show_unloaded(self, document: CustomMap, problem: str) -> None:
        """Put the services of ``document`` on the map without loading them, so that their credits are kept."""
        self.custom_map.stack = [
            self.builds.own_item(entry) if isinstance(entry, OwnLayer) else
            MapItem(entry, role_in(document, entry), problem=problem) for entry in document.stack]
        self.commit()

    def adopt(self, stored: project_document.StoredMap) -> None:
        """Show the map that the project's layers were made for."""
        document = stored.document
        self.shown_snapshot = None
        self.custom_map.use_snapshot(document.snapshot)
        self.custom_map.show(document)
        layer_ids = iter(stored.layer_ids)
        self.custom_map.stack = []
        for entry in document.stack:
            if isinstance(entry, OwnLayer):
                # the project has the layer as the person left it
                found = references.find_layer(self.project, entry)
                self.stack.append(self.builds.own_item(entry) if found is None else OwnItem(
                    replace(entry, trust=Trust.OWN), found.id()))
            else:
                self.stack.append(MapItem(entry, role_in(document, entry), dict(next(layer_ids))))
        for item in self.items:
            missing = len(item.entry.layers) - len(item.layer_ids)
            item.problem = tr("%n layer(s) missing", n=missing) if item.layer_ids and missing > 0 else ""
        self.mirror.adopt(stored)
        for item in list(self.items):
            item.awaiting_service = True
            item.loading = not item.layer_ids
            if self.session.services.get(item.entry.endpoint) is None:
                self.session.load_service(item.entry.endpoint)
            else:
                self.builds.on_service_changed(item.entry.endpoint)
        self.changed.emit()
        for note in document.change_notes:
            self.warned.emit(note, "")

    # -- own layers

    def add_own_layer(self, layer: QgsMapLayer, credit: Optional[str] = None) -> None:
        """Put a layer of the project on the map, on top. ``failed`` is emitted if the document cannot refer to it.

        ``credit`` is its source line, by default the one that it has.
        """
        if layer.id() in self.mirror.layer_ids():
            return
        if credit is not None:
            references.show_credit(layer, single_line(credit))
        try:
            self.mirror.put_on_stack(layer, True)
        except CartoguideError as error:
            self.failed.emit(error)
            return
        self.commit(undo_history.added([self.own_items[-1].own]))

    def set_own_credit(self, number: int, credit: str) -> None:
        """Make ``credit`` the source line of an own layer."""
        item = self.stack[number]
        if isinstance(item, OwnItem):
            item.own = replace(item.own, credit=single_line(credit))
            layer = self.mirror.layer(item.layer_id)
            if layer is not None:
                references.show_credit(layer, item.own.credit)
            self.commit(undo_history.layer_settings(item.own))

    # -- adding

    def add(self, record: Record, endpoint: str, choice: LayerChoice) -> None:
        """Make the chosen layers in a task and add them to the map. The service must be loaded."""
        entry = make_entry(record, self.session.terms(record), endpoint, choice)
        self.builds.build(MapItem(entry, choice.role), choice.crs)

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
            self.builds.build(MapItem(entry, choice.role, adds_layers=True), choice.crs)
        return bool(pairs)

    def insert(self, item: MapPart, index: int) -> None:
        """Put a service or an own layer back on the map at ``index``, and make its layers."""
        if isinstance(item, OwnItem):
            self.stack.insert(min(index, len(self.stack)), self.builds.own_item(item.own))
            self.commit(undo_history.added([item.own]))
            return
        if item.role is MapRole.BASE:
            self._demote_base()
        self.stack.insert(min(index, len(self.stack)), item)
        item.loading = True
        self.commit(undo_history.added([item.entry]))
        self.builds.load(item)

    def plan_for(self, item: MapItem, crs: Optional[str]) -> Plan:
        """Return the plan of one item, in ``crs`` for the layers that are offered in it."""
        base = item.role is MapRole.BASE
        plan = self.plan(CustomMap(title=item.entry.title, base=item.entry if base else None,
                                   overlays=() if base else (item.entry,), crs=self.crs()), all_moments=True)
        service = self.service_of(item.entry)
        if not crs or service is None:
            return plan
        offering = {layer.name for layer in service.iter_layers() if offers_crs(layer, crs)}
        return replace(plan, layers=tuple(
            replace(layer, crs=crs) if layer.name in offering else layer for layer in plan.layers))

    def insert_built(self, item: MapItem, built: gis_layers.BuiltLayers) -> None:
        if not built.layers:
            self.builds.fail(item, built.failures[0].error if built.failures else
                       CartoguideError(tr("No layer could be created.")))
            return
        layers = {plan.name: layer for plan, layer in built.layers}
        was_on_map = self.custom_map.has(item)
        former = None if was_on_map else self._former(item)
        item.problem = tr("%n layer(s) missing", n=len(built.failures)) if built.failures else ""
        item.loading, item.error, item.failed_since = False, None, None
        first = not self.project.mapLayers()
        if former is not None and item.adds_layers:
            layers = {name: layer for name, layer in layers.items() if name not in former.layer_ids}
            item.layer_ids = {name: layer.id() for name, layer in layers.items()}
            merge_layers(former, item)
        else:
            if was_on_map:
                self.mirror.remove_layers([item])
            item.layer_ids = {name: layer.id() for name, layer in layers.items()}
            if not was_on_map:
                self._insert_item(item, former)
        change = undo_history.layer_settings(item.entry)
        if former is not None and former.entry.endpoint != item.entry.endpoint:
            change = undo_history.replaced_layers()
        elif former is None and not was_on_map:
            change = undo_history.added([item.entry])
        for plan, layer in built.layers:
            if plan.time_span is not None and not plan.time_extent:
                gis_series.set_layer_time(layer, *plan.time_span, item.entry.endpoint)
        self.mirror.new_layers.update({layer.id(): layer for layer in layers.values()})
        self.mirror.watch_layers(list(layers.values()))
        if first and built.layers[0][1].crs().isValid():
            self.mirror.set_crs(built.layers[0][1].crs())
        placed: Mapping[str, Any] = {}
        if not was_on_map and (item.role is MapRole.BASE or len(self.stack) == 1):
            placed = self._place_page(self.fit_page if item.role is MapRole.BASE else self.place_first_page)
        self.commit(change, **placed)
        if placed:
            self.page_placed.emit()
        self.built.emit(item)
        if not was_on_map:
            self.added.emit(item)
        for withheld in built.withheld:
            self.login_withheld.emit(item if self.custom_map.has(item) else former, withheld)
        if built.failures:
            errors = [failure.error for failure in built.failures]
            self.warned.emit(
                tr("%n layer(s) of “{title}” could not be created.", n=len(errors), title=item.entry.title),
                "\n\n".join(f"{error.user_text}\n{error.detail}" for error in errors))

    def _note_fitted_page(self) -> None:
        """Take the page's place for a fitted one where it is that which fits the present base, before that changes.

        So it is once the person has pressed Fit, and in a map that was opened again.
        """
        chosen = self.chosen
        if self.custom_map.extent_mode is not ExtentMode.CUSTOM or chosen.centre is None:
            return
        fitted = self.fit_page(False)
        centre = fitted.get("centre")
        if isinstance(centre, tuple) and fitted.get("scale") == chosen.scale and all(
                math.isclose(one, other, abs_tol=_SAME_DEGREES) for one, other in zip(centre, chosen.centre)):
            self._fitted_place = _page_place(chosen, self.custom_map.extent_mode)
            self._fitted_orientation = chosen.page.orientation

    def _place_page(self, find: Callable[[bool], Mapping[str, object]]) -> dict[str, Any]:
        """Return the fields of the document that place the page as ``find`` says, unless the person has placed it.

        They are part of the change that needs them. A page that was turned by the person stays turned. A page that
        followed the canvas, as that of own layers alone does, is fitted to a new base too: else it could lie beside it.
        """
        untouched, mode = new_document(), self.custom_map.extent_mode
        if _page_place(self.chosen, mode) not in (_page_place(untouched, ExtentMode.CANVAS), self._fitted_place):
            return {}
        may_turn = self.chosen.page.orientation in (untouched.page.orientation, self._fitted_orientation)
        values = dict(find(may_turn))
        if values:
            fields = {name: value for name, value in values.items() if name != "extent_mode"}
            placed = replace(self.chosen, **fields)  # type: ignore[arg-type]
            self._fitted_place = _page_place(placed, ExtentMode(values.get("extent_mode", mode)))
            self._fitted_orientation = placed.page.orientation
        return values

    def _former(self, item: MapItem) -> Optional[MapItem]:
        """Return the service on the map that ``item`` replaces or belongs to, or None."""
        if item.replaces is not None and self.custom_map.has(item.replaces):
            return item.replaces
        # of another record the service may owe another credit, so it is a part of its own
        return next((other for other in self.items if other.entry.endpoint == item.entry.endpoint
                     and (not item.entry.record_id or other.entry.record_id in (None, "", item.entry.record_id))), None)

    def _insert_item(self, item: MapItem, former: Optional[MapItem]) -> None:
        """Insert ``item`` in place of ``former``, or on top."""
        if item.role is MapRole.BASE:
            self._note_fitted_page()
        index = self.stack.index(former) if former is not None else self._free_index(item)
        if former is not None:
            self.stack.remove(former)
            self.mirror.remove_layers([former])
        if item.role is MapRole.BASE:
            self._demote_base()
        self.stack.insert(min(index, len(self.stack)), item)

    def _free_index(self, item: MapItem) -> int:
        """Return the place of a new service: on top, or below all that it would hide if it is opaque."""
        if self._hides_below(item):
            for index, part in enumerate(self.stack):
                if isinstance(part, OwnItem) or (part.role is not MapRole.BASE and not self._hides_below(part)):
                    return index
        return len(self.stack)

    def _hides_below(self, item: MapItem) -> bool:
        service = self.service_of(item.entry)
        return service is not None and hides_below(service, item.entry.layers)

    # -- services that do not respond

    # -- changing

    def set_title(self, title: str) -> None:
        """Rename the map and its layer group."""
        self.commit(undo_history.map_title(), title=title)

    def set_crs(self, crs: str) -> None:
        """Draw the map and the project in ``crs``, a code such as "EPSG:25830"."""
        self.mirror.set_crs(QgsCoordinateReferenceSystem(crs))
        self.commit(Change(tr("coordinate reference system")), crs=crs)

    def set_opacity(self, number: int, opacity: float) -> None:
        """Change the opacity (0 to 1) of a service or own layer. The canvas follows a moment later."""
        item = self.stack[number]
        if isinstance(item, OwnItem):
            item.own = replace(item.own, opacity=opacity)
        else:
            update_entry(item, opacity=opacity, layer_opacities={})
        self.custom_map.change_layers(undo_history.opacity(layer_of(item)))
        self.mirror.opacity_timer.start()

    def set_blend(self, number: int, blend: BlendMode) -> None:
        """Change how the colours of a service or own layer are mixed with what lies below. The latter needs its layer.
        """
        item = self.stack[number]
        if isinstance(item, OwnItem):
            layer = self.mirror.layer(item.layer_id)
            if layer is not None and layer.isValid() and set_blend(layer, blend):
                # its style in the document follows, as if it was changed in the layer styling
                self.mirror.restyled.add(item.layer_id)
                self.mirror.tree_timer.start()
            return
        update_entry(item, blend=blend)
        self.commit(undo_history.blending_mode(item.entry))

    def set_visible(self, number: int, on: bool) -> None:
        """Show or hide a service or own layer."""
        item = self.stack[number]
        if isinstance(item, OwnItem):
            item.own = replace(item.own, visible=on)
            self.commit(undo_history.visibility(item.own))
            return
        item.entry = entry_shown(item.entry, on, item.layer_ids)
        if item.entry.moment:
            project_group.show_moments(self.project, item.layer_ids.values(), on)
        self.commit(undo_history.visibility(item.entry))

    def set_legends(self, document: CustomMap) -> None:
        """Take the edits of the page's legend from ``document``, which has this map's services and own layers."""
        for item, entry in zip(base_first(self.items), document.entries):
            update_entry(item, legend=entry.legend)
        legends = {own.id: own.legend for own in document.own_layers}
        for own_item in self.own_items:
            own_item.own = replace(own_item.own, legend=legends.get(own_item.own.id, own_item.own.legend))
        self.commit(Change(tr("legend")))

    def set_role(self, number: int, role: MapRole) -> None:
        """Make a service the base, which makes the former base an overlay, or make it an overlay."""
        item = self.stack[number]
        if isinstance(item, OwnItem):
            return
        if role is MapRole.BASE:
            self._note_fitted_page()
            self._demote_base()
        item.role = role
        placed = self._place_page(self.fit_page) if role is MapRole.BASE else {}
        self.commit(undo_history.order_of_layers(), **placed)

    def _demote_base(self) -> None:
        for other in self.items:
            other.role = MapRole.OVERLAY

    def move(self, number: int, target: int) -> None:
        """Move a service or own layer to the position ``target``, 0 being the bottom. A base cannot be moved."""
        if not 0 <= target < len(self.stack) or MapRole.BASE in (self.stack[target].role, self.stack[number].role):
            return
        self.stack.insert(target, self.stack.pop(number))
        self.commit(undo_history.order_of_layers())

    def remove(self, number: int) -> None:
        """Remove a service or own layer from the map. ``removed`` is emitted, so that it can be restored.

        The QGIS layer of an own layer stays in the project, above the map's group.
        """
        item = self.stack.pop(number)
        if isinstance(item, MapItem):
            self.mirror.remove_layers([item])
        self.commit(undo_history.removed([layer_of(item)]))
        self.removed.emit(item, number)

    def change_endpoint(self, item: MapItem, address: str) -> None:
        """Use the service at another address. Layers, styles, opacity and credit stay the same."""
        update_entry(item, endpoint=address)
        self.mirror.remove_layers([item])
        item.loading = True
        self.commit(undo_history.replaced_layers())
        self.builds.load(item)

    def change_layers(self, item: MapItem, choice: LayerChoice) -> None:
        """Replace the layers, styles or image format of a service."""
        entry = replace(item.entry, layers=choice.layers, styles=choice.styles, format=choice.format, hidden=(),
                        layer_opacities={})
        self.builds.build(MapItem(entry, choice.role, replaces=item), choice.crs)


def _page_place(document: CustomMap, extent_mode: ExtentMode) -> tuple[object, ...]:
    return document.extent, document.centre, document.scale, extent_mode


def _layer_key(entry: MapEntry) -> tuple[object, ...]:
    """Return the fields of an entry whose change requires new layers."""
    return normalise_endpoint(entry.endpoint), entry.layers, entry.styles, entry.format, bool(entry.moment)

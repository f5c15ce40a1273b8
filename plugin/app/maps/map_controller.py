"""The custom map: services and own layers are added, moved, hidden and removed.

The document is the truth. Every change is a change of ``MapController.custom_map``, with the label that Undo shows, and
``MapController.commit`` writes the project's group from it. What the person changes in QGIS's layer tree is read into
the document first.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Callable, Collection, Mapping, Optional, Sequence, Set, Union

from qgis.core import QgsCoordinateReferenceSystem, QgsMapLayer, QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.box import Box
from ...core.custommap import undo_history
from ...core.custommap.map_entries import record_of_entry, records_of_entries
from ...core.custommap.model import (
    NO_DESCRIPTIONS,
    BlendMode,
    CustomMap,
    MapEntry,
    MapExtent,
    MapRole,
    Orientation,
    OwnLayer,
    PageSetup,
    Plan,
    SnapshotDescriptions,
)
from ...core.custommap.planner import default_map_title, ground_layers, make_plan
from ...core.custommap.service_use import hides_below
from ...core.custommap.time_selection import blended_series, is_below_series, is_series
from ...core.custommap.undo_history import Change
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record
from ...core.snapshot.snapshot_sources import Snapshot, with_snapshot
from ...core.sources.source_kind import ProviderInfo
from ...core.terms.labels import incomplete_terms_text
from ...core.text import single_line
from ...core.trust.provenance import Trust
from ...core.wms.crs.codes import offers_crs
from ...core.wms.model.service import Service
from ...gis.credits.layer_credits import credit_lines, credited_layers
from ...gis.credits.layer_metadata import has_planned_credit, listed_layers, set_planned_credit
from ...gis.credits.map_phrases import default_map_language
from ...gis.layers import added_layers, project_document, project_group
from ...gis.layers import time_series as gis_series
from ...gis.layers import wms_layers as gis_layers
from ...gis.layers.blend_modes import is_recoloured, set_blend
from ...gis.layouts import templates
from ...gis.own_layers import distribution_layers, references
from ...gis.pages.page_measurement import PageMeasurement
from ...gis.runtime import tasks
from ...gis.runtime.terms import terms_settings
from ...gis.services.map_addresses import choice_state, choose_map_address
from ...gis.sources.layer_source import ENDPOINT, RECORD_ID, STORED_TERMS, UNFIT_CREDITS, mark
from ..phrases import failed_layers
from ..records.dock_session import DockSession
from .arrivals import Arrivals
from .layer_builds import LayerBuilds
from .map_document import ExtentMode, MapDocument, new_document
from .map_state import (
    LayerChoice,
    MapItem,
    MapPart,
    OwnItem,
    entry_shown,
    is_of_same_record,
    is_same_service,
    layer_ids_of,
    make_entry,
    merged_entry,
    source_of_layer,
    with_data_credits,
)
from .project_mirror import ProjectMirror


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
    #: a service with its layers, or an own layer, is new on the map (MapPart)
    added = pyqtSignal(object)
    #: a service was added once more, with the layers that it has on the map (MapItem)
    renewed = pyqtSignal(object)
    #: the layers of a service on the map were made
    built = pyqtSignal(object)
    #: a service or own layer is not on the map any more: what it was, its place, and what showed its layers (ShownIn)
    removed = pyqtSignal(object, int, object)
    #: a service (MapItem) has fewer layers than its former entry (MapEntry), which were shown somewhere (ShownIn)
    has_fewer_layers = pyqtSignal(object, object, object)
    #: the page was given a place that the person has not chosen, or QGIS zooms to the first layer of all
    page_placed = pyqtSignal()
    #: another map is about to be shown by undo or redo: the numbers that the history has for this and that one
    exchanging = pyqtSignal(int, int)
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
        self.mirror = ProjectMirror(self.project, self.custom_map, self.title, self._document_in_project,
                                    self._entry_of_layers, self._pale_layers, self)
        #: where the map lies on its page. All ask this one, which keeps the templates that it has loaded
        self.page_measurement = PageMeasurement(self.project)
        #: the snapshot while it is shown
        self.shown_snapshot: Optional[Snapshot] = None
        #: returns the extent in effect while it follows the canvas, the record or the services
        self.find_extent: Callable[[], Optional[Box]] = lambda: None
        #: returns the fields of the document, and the extent mode, that fit the page to the base. The argument allows
        #: to turn the page
        self.fit_page: Callable[[bool], Mapping[str, object]] = lambda _may_turn: {}
        #: returns those that place the page of a map that has just begun without a base, where the person looks
        self.place_first_page: Callable[[bool], Mapping[str, object]] = lambda _may_turn: {}
        #: the orientation of the page that was given to it last, and not by the person
        self._fitted_orientation: Optional[Orientation] = None
        #: the layers of the document after each addition that brought layers into the project
        self._additions: list[tuple[Union[MapEntry, OwnLayer], ...]] = []
        #: the last plan, and what it was made from
        self._planned: Optional[tuple[tuple[object, ...], Plan]] = None
        self.builds = LayerBuilds(session, self, self.custom_map, self.mirror, self)
        #: what is being added, and an export that waits for it
        self.arrivals = Arrivals(self.builds, self)
        for part in (self.mirror, self.builds):
            part.changed.connect(self.changed)
            part.failed.connect(self.failed)
        self.builds.warned.connect(self.warned)
        self.builds.unavailable.connect(self.unavailable)
        self.builds.adding_changed.connect(self.adding_changed)
        self.changed.connect(self.builds.refresh_states)
        # what an export waits for may have been removed
        self.changed.connect(self.arrivals.changed)
        self.mirror.opacity_timer.timeout.connect(self.commit)
        self.mirror.cleared.connect(self._on_project_cleared)
        self.mirror.adopted.connect(self._await_services)
        self.mirror.marked_otherwise.connect(self.refresh_credits)
        self.custom_map.begin()

    def close(self) -> None:
        """Stop listening to what outlives the dock."""
        self.mirror.close()
        self.builds.close()

    def _on_project_cleared(self) -> None:
        self.builds.stop()
        self.shown_snapshot = None
        self._additions.clear()
        self.custom_map.use_snapshot(None)
        self.custom_map.show(new_document(), ())
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
    def stack(self) -> tuple[MapPart, ...]:
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
        """Return the map's title, else the name of the park that its services show, or the only service's title."""
        return self.chosen.title or default_map_title((item.entry.title for item in self.items), self.language())

    def project_crs(self) -> str:
        """Return the code of the project's CRS, such as "EPSG:25830", or ""."""
        return str(self.project.crs().authid()) if self.project.crs().isValid() else ""

    def crs(self) -> str:
        """Return the code of the map's CRS. An empty project in degrees does not decide it. Then the document does, or
        the network profile.
        """
        crs = self.project.crs()
        undecided = not crs.isValid() or (crs.isGeographic() and not listed_layers(self.project))
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
        mode = self.custom_map.extent_mode
        document = replace(self.chosen, title=self.title(), crs=self.crs(), language=self.language(),
                           fitted=mode is ExtentMode.FITTED)
        return document if mode.is_stored else replace(document, extent=None, centre=None)

    def _document_in_project(self) -> CustomMap:
        return self.document() if self.custom_map.extent_mode is ExtentMode.CANVAS else self.printed_document()

    def printed_document(self) -> CustomMap:
        """Return the map as a document, with the extent that a page printed now would have."""
        document = self.document()
        if self.custom_map.extent_mode.is_stored:
            return document
        found = self.find_extent()
        return replace(document, extent=found and MapExtent.of(found), centre=None)

    def plan(self, document: Optional[CustomMap] = None, all_moments: Optional[bool] = None) -> Plan:
        """Return the layers that QGIS must make for the map, as far as its services are loaded.

        ``document`` is the map as it would be printed by default. ``all_moments`` includes every moment of a time
        series. By default the page's template decides.
        """
        document = document or self.printed_document()
        every = all_moments
        if every is None and templates.is_user_template(document.page.template):
            every = templates.has_small_multiples(document.page)
        given = (document, *self._known_services_and_records(document), terms_settings(), every)
        stored = self.stored
        arguments = (*given, choice_state(), stored)
        # several views show the same state, one after the other
        if self._planned is None or self._planned[0] != arguments:
            self._planned = arguments, make_plan(*given, choose_map_address, stored)
        return self._as_recoloured(with_snapshot(self._planned[1], self.shown_snapshot))

    def _as_recoloured(self, plan: Plan) -> Plan:
        """Return the plan without a pale ground where a person has given its layers other colours in QGIS."""
        base = self.custom_map.base
        names = [layer.name for layer in plan.layers if layer.is_pale]
        drawn = [self.mirror.layer(base.layer_ids.get(name, "")) for name in names] if isinstance(base, MapItem) else []
        recoloured = {name for name, layer in zip(names, drawn)
                      if isinstance(layer, QgsRasterLayer) and is_recoloured(layer)}
        if not recoloured:
            return plan
        return replace(plan, layers=tuple(
            replace(layer, is_pale=False, in_legend=True) if layer.is_pale and layer.name in recoloured else layer
            for layer in plan.layers))

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
        for entry in document.entries:
            state = self.session.service_state(entry.endpoint)
            service = self.session.services.get(entry.endpoint)
            reason = entry.refusal or tr("The service of “{title}” has not been loaded yet.", title=entry.title)
            known[entry.endpoint] = service or state.error or CartoguideError(reason, entry.endpoint)
        return known, records_of_entries(document.entries, self._known_record)

    def _known_record(self, entry: MapEntry) -> Optional[Record]:
        named = self.session.record(entry.record_id) if entry.record_id else None
        return record_of_entry(entry, named, partial(self.session.record_for_endpoint, entry.endpoint))

    def credit_lines(self) -> list[str]:
        """Return the credit lines of the visible services and own layers, topmost first, each once."""
        items = self.items
        credits = dict(zip(items, self.plan().credits if items else ()))
        lines = [line for part in reversed(self.stack) if part.layer.visible
                 for line in (self._own_credits(part) if isinstance(part, OwnItem) else credits[part].lines)]
        return list(dict.fromkeys(line for line in lines if line))

    def _own_credits(self, item: OwnItem) -> list[str]:
        """Return the source line of an own layer, and the credits of the layers that it reads."""
        layer = self.mirror.layer(item.layer_id)
        behind = credited_layers(layer)[1:] if layer is not None else []
        return [item.own.credit, *(line for part in behind for line in credit_lines(part))]

    def record_of(self, item: MapItem) -> Optional[Record]:
        """Return the record that an item was added from, or None if the library no longer has it."""
        return self.session.record(item.entry.record_id) if item.entry.record_id else None

    def new_address(self, item: MapItem) -> str:
        """Return the address that the service's record names today if it is another one, or ""."""
        record = self.record_of(item)
        address = self.session.endpoint(record) if record is not None else None
        return address if address and normalise_endpoint(address) != normalise_endpoint(item.entry.endpoint) else ""

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
                                      not mark(layer, ENDPOINT)):
                set_planned_credit(layer, layer_plan)

    def _renew_credits(self, item: MapItem) -> None:
        """Give layers that return to the map the credit that is planned today, but for one that somebody entered."""
        for plan in self.plan_for(item, None).layers:
            layer = self.mirror.layer(item.layer_ids.get(plan.name, ""))
            if layer is not None and has_planned_credit(layer):
                set_planned_credit(layer, plan)

    def answer_credit(self, item: MapItem, question: str, line: str) -> None:
        """Print ``line`` for a credit of a service that may not be printed as it stands. The document has it.

        ``question`` is that credit, or "" for a service without one. An empty line takes the answer back.
        """
        credit = item.entry.credit
        answers = {asked: given for asked, given in credit.answers.items() if asked != question}
        if single_line(line):
            answers[question] = single_line(line)
        self.custom_map.update(item, credit=replace(credit, answers=answers))
        self.refresh_credits()
        self.commit(undo_history.layer_settings(item.entry))

    # -- the views

    def commit(self, change: Optional[Change] = None, extent_mode: Optional[ExtentMode] = None,
               **fields: object) -> None:
        """Change fields of the document, write the project's group from it, and announce the change.

        Without ``change`` it was changed in QGIS.
        """
        self.custom_map.change(change, extent_mode, **fields)
        self.mirror.write()
        self.changed.emit()

    def undo(self) -> None:
        """Restore the map before the last change. Layers that it brought into the project leave that too."""
        self.flush()
        brought = self.mirror.layer_ids() if self.chosen.stack in self._additions else ()
        history = self.custom_map.history
        number = history.map_number
        self._restore(history.undo)
        if history.map_number == number:
            # the own layers of another map stay
            self._remove_from_project(brought)

    def undo_map(self) -> None:
        """Restore the map that this one took the place of."""
        self.flush()
        self._restore(self.custom_map.history.undo_map)

    def show_map(self, number: int) -> bool:
        """Restore the map that has this number in the history. Return False if it is not there any more."""
        self.flush()
        return self._restore(lambda: self.custom_map.history.show_map(number))

    def redo(self) -> None:
        """Restore the map that was undone last."""
        self.flush()
        self._restore(self.custom_map.history.redo)

    def _restore(self, find_step: Callable[[], Optional[undo_history.Step]]) -> bool:
        number = self.custom_map.history.map_number
        step = find_step()
        if step is None:
            return False
        is_other = step.map_number != number
        if is_other:
            # what both maps have and is not loaded yet is loaded for this one
            self.builds.stop()
            self.exchanging.emit(number, step.map_number)
        self.show_document(step.document, ExtentMode(step.extent_mode or ExtentMode.CANVAS), with_crs=True,
                           releases=not is_other)
        if is_other:
            self.custom_map.begun.emit()
            self.adding_changed.emit(self.adding)
        return True

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
                      with_crs: bool = False, releases: bool = False) -> None:
        """Make the map what ``document`` says. Services that are on it already stay, the others are loaded.

        ``extent_mode`` is by default the one that the document implies. The state of the snapshot stays. The project
        takes the document's CRS if it has no other layers, and with ``with_crs`` in any case. With ``releases`` layers
        that the person made and put into the map's group stay in the project.
        """
        former, former_own = self.items, {item.own.id: item for item in self.own_items}
        parts: list[MapPart] = []
        for entry in document.stack:
            if isinstance(entry, OwnLayer):
                parts.append(self.builds.own_item(entry, former_own.get(entry.id)))
                continue
            item = next((one for one in former if _layer_key(one.entry) == _layer_key(entry)), None)
            if item is not None:
                former.remove(item)
            else:
                item = MapItem(entry, loading=True)
            parts.append(item)
        self.custom_map.show(document, parts, extent_mode)
        changed = [item for item in self.items if item.loading and not item.layer_ids]
        candidates = list(former)
        for item in changed:
            # the same service with other layers, or at another address, as after undoing a change of it
            same = next((one for one in candidates if is_same_service(one.entry, item.entry)), None)
            if same is not None:
                candidates.remove(same)
                names = item.entry.layers or tuple(same.layer_ids)
                item.layer_ids = {name: same.layer_ids.pop(name) for name in names if name in same.layer_ids}
                item.adopted = same.adopted.intersection(item.layer_ids.values())
                item.expanded = same.expanded
        made_by_person = {layer_id for item in former for layer_id in item.layer_ids.values()
                          if layer_id in item.adopted}
        self.mirror.remove_layers(former, released=made_by_person if releases else ())
        for item in changed:
            self.mirror.former.bring_back(item)
        crs = QgsCoordinateReferenceSystem(document.crs)
        own = set(self.mirror.layer_ids())
        if document.stack and crs.isValid() and self.project.crs() != crs and (
                with_crs or own.issuperset(layer.id() for layer in listed_layers(self.project))):
            self.mirror.set_crs(crs)
            self.custom_map.keep_place()
        for item in changed:
            item.loading = not self.builds.is_current(item)
            item.outdated = item.loading and any(
                self.mirror.former.drawn_from.get(layer_id) != source_of_layer(item.entry, name)
                for name, layer_id in item.layer_ids.items())
            self._renew_credits(item)
        self.refresh_credits()
        self.commit()
        for item in [item for item in self.items if item.loading]:
            self.builds.load(item)

    def show_unloaded(self, document: CustomMap, problem: str) -> None:
        """Put the services of ``document`` on the map without loading them, so that their credits are kept."""
        parts = [self.builds.own_item(entry) if isinstance(entry, OwnLayer) else MapItem(entry, problem=problem)
                 for entry in document.stack]
        self.custom_map.arrange(parts, parts[0] if document.base is not None else None)
        self.commit()

    def adopt(self, stored: project_document.StoredMap, moved: bool = False) -> None:
        """Show the map that the project's layers were made for.

        ``moved``: it is the map that is shown, whose group was copied, pasted and deleted, so that its layers are
        others.
        """
        document = stored.document
        if moved:
            document = replace(self.chosen, base=document.base, overlays=document.overlays,
                               own_layers=document.own_layers)
        else:
            self.shown_snapshot = None
            self.custom_map.use_snapshot(document.snapshot)
        layer_ids = iter(stored.layer_ids)
        parts: list[MapPart] = []
        found_layers: dict[MapPart, OwnLayer] = {}
        for entry in document.stack:
            if not isinstance(entry, OwnLayer):
                parts.append(MapItem(entry, layer_ids=dict(next(layer_ids))))
                continue
            found = self.project.mapLayer(stored.own_layer_ids.get(entry.id, "")) or references.find_layer(
                self.project, entry)
            if found is not None and found.id() != entry.id and self.project.mapLayer(entry.id) is not None:
                # a copy beside the layer that it was made of
                entry = replace(entry, id=found.id())
            parts.append(self.builds.own_item(entry) if found is None else OwnItem(entry, layer_id=found.id()))
            if found is not None:
                # the project has the layer as the person left it
                found_layers[parts[-1]] = replace(entry, trust=Trust.OWN)
        self.custom_map.show(document, parts, self.custom_map.extent_mode if moved else None)
        self.custom_map.set_layers(found_layers)
        for item in self.items:
            missing = len(item.entry.layers) - len(item.layer_ids)
            item.problem = tr("%n layer(s) missing", n=missing) if item.layer_ids and missing > 0 else ""
        self.mirror.adopt(stored, moved)
        self._await_services(list(self.items))
        self.changed.emit()
        for note in document.change_notes:
            self.warned.emit(note, "")

    def _await_services(self, items: Sequence[MapItem]) -> None:
        """Load the services of layers that the project has, whose terms and legend the page needs."""
        for item in items:
            item.awaiting_service = True
            item.loading = not item.layer_ids
            if item.entry.refusal:
                self.builds.load(item)
            elif self.session.services.get(item.entry.endpoint) is None:
                # one that did not respond before may do so now
                self.session.load_service(item.entry.endpoint, self.builds.has_failed(item))
            else:
                self.builds.on_service_changed(item.entry.endpoint)

    def _entry_of_layers(self, layers: Sequence[QgsMapLayer]) -> MapEntry:
        """Return the document's entry for layers of one service that somebody put into the map's group."""
        key = added_layers.known_service(layers[0])
        same = next((item.entry for item in self.items for layer in self.mirror.valid_layers(item)
                     if added_layers.known_service(layer) == key), None)
        entry = added_layers.entry_of_layers(layers, same)
        record = self.session.record(entry.record_id) if entry.record_id else None
        if same is not None or record is None:
            return entry
        made = make_entry(record, self.session.terms(record), entry.endpoint, LayerChoice(entry.layers, entry.styles))
        return replace(entry, title=made.title, credit=made.credit)

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
        item = self.own_items[-1]
        self.commit(undo_history.added([item.own]))
        self.added.emit(item)

    def set_own_credit(self, number: int, credit: str) -> None:
        """Make ``credit`` the source line of an own layer."""
        item = self.stack[number]
        if isinstance(item, OwnItem):
            self.custom_map.update(item, credit=single_line(credit))
            layer = self.mirror.layer(item.layer_id)
            if layer is not None:
                references.show_credit(layer, item.own.credit)
            self.commit(undo_history.layer_settings(item.own))

    def read_terms(self, own_id: str) -> None:
        """Read in a task what the service of an own layer says of its terms, and credit what it asks for."""
        for item in self.own_items:
            if item.own.id == own_id and item.own.trust.may_open:
                tasks.start(tr("Reading the terms of “{title}”", title=item.own.name),
                            partial(distribution_layers.terms_of_layer, item.own),
                            partial(self._on_terms_read, item), self.failed.emit, self)

    def _on_terms_read(self, item: OwnItem, provider: ProviderInfo) -> None:
        layer = self.mirror.layer(item.layer_id) if self.custom_map.has(item) else None
        if layer is None:
            return
        record = self.session.record(str(mark(layer, RECORD_ID) or ""))
        with self.mirror.writing():
            distribution_layers.credit_read_terms(layer, item.own.credit, record, provider)
        self.custom_map.set_layers({item: references.updated(item.own, layer, False)})
        self.commit(undo_history.layer_settings(item.own))
        if provider.gaps:
            self.failed.emit(CartoguideError(incomplete_terms_text(item.own.name, " ".join(provider.gaps))))

    # -- adding

    def add(self, record: Record, endpoint: str, choice: LayerChoice) -> None:
        """Make the chosen layers in a task and add them to the map. The service must be loaded."""
        entry = make_entry(record, self.session.terms(record), endpoint, choice)
        former = self.former_of(MapItem(entry, choice.role))
        if former is not None:
            # what it was added by before may be on the map still
            entry = with_data_credits(entry, former.entry)
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
            self.custom_map.put(self.builds.own_item(item.own), index)
            self.commit(undo_history.added([item.own]))
            return
        self.custom_map.put(item, index)
        self.mirror.former.bring_back(item)
        item.loading = not self.builds.is_current(item)
        self._renew_credits(item)
        self.commit(undo_history.added([item.entry]))
        if item.loading:
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
            replace(layer, source=replace(layer.wms, crs=crs)) if layer.wms is not None and layer.name in offering
            else layer for layer in plan.layers))

    def insert_built(self, item: MapItem, built: gis_layers.BuiltLayers) -> None:
        if not built.layers:
            self.builds.fail(item, built.failures[0].error if built.failures else
                       CartoguideError(tr("No layer could be created.")))
            return
        layers = {plan.name: layer for plan, layer in built.layers}
        was_on_map = self.custom_map.has(item)
        former = None if was_on_map else self.former_of(item)
        before = former and MapItem(former.entry, former.role, dict(former.layer_ids))
        item.problem = tr("%n layer(s) missing", n=len(built.failures)) if built.failures else ""
        item.loading, item.outdated, item.error, item.failed_since = False, False, None, None
        first = not listed_layers(self.project)
        if former is not None and item.adds_layers:
            layers = {name: layer for name, layer in layers.items() if name not in former.layer_ids}
            item.layer_ids = {name: layer.id() for name, layer in layers.items()}
            former.layer_ids.update(item.layer_ids)
            self.custom_map.set_layers({former: merged_entry(former, item)})
        else:
            layer_ids = {name: layer.id() for name, layer in layers.items()}
            if was_on_map:
                self.mirror.remove_layers([item], but=set(layer_ids.values()))
            item.layer_ids = layer_ids
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
        self.mirror.former.note_sources(item)
        self.mirror.watch_layers(list(layers.values()))
        if first and built.layers[0][1].crs().isValid():
            self.mirror.set_crs(built.layers[0][1].crs())
        placed: Mapping[str, Any] = {}
        if not was_on_map and (item.role is MapRole.BASE or len(self.stack) == 1):
            placed = self._place_page(self.fit_page if item.role is MapRole.BASE else self.place_first_page)
        self.commit(change, **placed)
        if placed or first:
            self.page_placed.emit()
        self.built.emit(item)
        if not was_on_map:
            is_renewed = before is not None and set(before.layer_ids) == set(item.layer_ids)
            (self.renewed if is_renewed else self.added).emit(item)
        self._announce_losses(item, before)
        for withheld in built.withheld:
            self.login_withheld.emit(item if self.custom_map.has(item) else former, withheld)
        if built.failures:
            self.warned.emit(*failed_layers(item.entry.title, built.failures))

    def _announce_losses(self, item: MapItem, before: Optional[MapItem]) -> None:
        """Say which themes and layouts showed layers of ``before`` that ``item``, in its place, does not have."""
        shown = self.mirror.removed.shown_in(layer_ids_of(before) if before is not None else ())
        if before is not None and (shown.themes or shown.layouts):
            self.has_fewer_layers.emit(item, before.entry, shown)

    def _place_page(self, find: Callable[[bool], Mapping[str, object]]) -> dict[str, Any]:
        """Return the fields of the document that place the page as ``find`` says, unless the person has placed it.

        They are part of the change that needs them. A page that was turned by the person stays turned. A page that
        followed the canvas, as that of own layers alone does, is fitted to a new base too: else it could lie beside it.
        """
        mode, untouched = self.custom_map.extent_mode, new_document()
        is_new = mode is ExtentMode.CANVAS and self.chosen.scale is None
        if not is_new and mode is not ExtentMode.FITTED:
            return {}
        may_turn = self.chosen.page.orientation in (untouched.page.orientation, self._fitted_orientation)
        values = dict(find(may_turn))
        page = values.get("page")
        if isinstance(page, PageSetup):
            self._fitted_orientation = page.orientation
        return values

    def former_of(self, item: MapItem) -> Optional[MapItem]:
        """Return the service on the map that ``item`` replaces or belongs to, or None."""
        if item.replaces is not None and self.custom_map.has(item.replaces):
            return item.replaces
        return next((other for other in self.items if other.entry.endpoint == item.entry.endpoint
                     and other.entry.kind == item.entry.kind
                     and is_of_same_record(other.entry, item.entry)), None)

    def _insert_item(self, item: MapItem, former: Optional[MapItem]) -> None:
        """Insert ``item`` in place of ``former``, or on top."""
        had_base = self.custom_map.base is not None
        if former is not None:
            self.mirror.remove_layers([former], but=set(item.layer_ids.values()))
        self.custom_map.put(item, self._free_index(item), former)
        new = self.items if item.role is MapRole.BASE and not had_base else [item] if former is None else []
        self.custom_map.set_layers({part: blended_series(part.entry, self.service_of(part.entry)) for part in new
                                    if part is not self.stack[0]})

    def _free_index(self, item: MapItem) -> int:
        """Return the place of a new service: on top, or below all that it would hide if it is opaque or a series."""
        if self._covers(item):
            # a series that is multiplied would not be seen below an opaque map either
            covers = self._hides_below if self._hides_below(item) else self._covers
            for index, part in enumerate(self.stack):
                if isinstance(part, OwnItem) or (part.role is not MapRole.BASE and not covers(part)):
                    return index
        return len(self.stack)

    def _covers(self, item: MapItem) -> bool:
        """Return whether points, names and lines would not be seen below a service."""
        return self._hides_below(item) or is_series(item.entry, self.service_of(item.entry))

    def _pale_layers(self) -> Optional[tuple[str, ...]]:
        """Return the layers of the base that are drawn pale and grey, None where nothing is known of its service."""
        base = next((item for item in self.items if item is self.custom_map.base), None)
        service = self.service_of(base.entry) if base is not None else None
        if base is None or service is None:
            return None
        overlays = [item.entry for item in self.items if item is not base]
        return ground_layers(service, base.entry.layers) if is_below_series(overlays, self.service_of) else ()

    def _hides_below(self, item: MapItem) -> bool:
        service = self.service_of(item.entry)
        return service is not None and hides_below(service, item.entry.layers)

    # -- changing

    def set_title(self, title: str) -> None:
        """Rename the map and its layer group."""
        self.commit(undo_history.map_title(), title=title)

    def set_crs(self, crs: str) -> None:
        """Draw the map and the project in ``crs``, a code such as "EPSG:25830"."""
        self.mirror.set_crs(QgsCoordinateReferenceSystem(crs))
        self.commit(Change(tr("coordinate reference system")), crs=crs)

    def show_moment(self, item: MapItem, moment: str) -> None:
        """Show one moment (ISO 8601) of a service whose layers are a time series."""
        self.custom_map.update(item, moment=moment)
        self.commit(undo_history.layer_settings(item.entry))
        # its layers have no times yet
        self.builds.load(item)

    def set_opacity(self, number: int, opacity: float) -> None:
        """Change the opacity (0 to 1) of a service or own layer. The canvas follows a moment later."""
        item = self.stack[number]
        if isinstance(item, OwnItem):
            self.custom_map.update(item, opacity=opacity)
        else:
            self.custom_map.update(item, opacity=opacity, layer_opacities={})
        self.custom_map.change(undo_history.opacity(item.layer))
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
        self.custom_map.update(item, blend=blend)
        self.commit(undo_history.blending_mode(item.entry))

    def set_visible(self, number: int, on: bool) -> None:
        """Show or hide a service or own layer."""
        item = self.stack[number]
        if isinstance(item, OwnItem):
            self.custom_map.update(item, visible=on)
        else:
            self.custom_map.set_layers({item: entry_shown(item.entry, on, item.layer_ids)})
            if item.entry.moment:
                project_group.show_moments(self.project, item.layer_ids.values(), on)
        self.commit(undo_history.visibility(item.layer))

    def show_all(self) -> None:
        """Show all services and own layers, as one change. Where all layers of a service are hidden, none is then."""
        parts = list(self.stack)
        self.custom_map.set_layers({part: replace(part.own, visible=True) if isinstance(part, OwnItem) else
                                    entry_shown(part.entry, True, part.entry.layers or tuple(part.layer_ids))
                                    for part in parts})
        for part in parts:
            if isinstance(part, MapItem) and part.entry.moment:
                project_group.show_moments(self.project, part.layer_ids.values(), True)
        if parts:
            self.commit(undo_history.visibility(parts[0].layer))

    def hide_layers(self, names: Mapping[MapItem, Sequence[str]]) -> None:
        self.custom_map.set_layers({
            item: replace(item.entry, hidden=tuple(dict.fromkeys((*item.entry.hidden, *hidden))))
            for item, hidden in names.items()})
        if names:
            self.commit(undo_history.visibility(next(iter(names)).layer))

    def set_legends(self, document: CustomMap) -> None:
        """Take the edits of the page's legend from ``document``, which has this map's services and own layers."""
        edited: dict[MapPart, Any] = {item: replace(item.entry, legend=entry.legend, private=entry.private)
                                      for item, entry in zip(self.items, document.entries)}
        own_layers = {own.id: own for own in document.own_layers}
        edited.update((item, replace(item.own, legend=own.legend, private=own.private))
                      for item in self.own_items for own in [own_layers.get(item.own.id, item.own)])
        self.custom_map.set_layers(edited)
        self.commit(Change(tr("legend")))

    def set_role(self, number: int, role: MapRole) -> None:
        """Make a service the base, which makes the former base an overlay, or make it an overlay."""
        item = self.stack[number]
        if isinstance(item, OwnItem):
            return
        if role is not item.role:
            self.custom_map.arrange(self.stack, item if role is MapRole.BASE else None)
        placed = self._place_page(self.fit_page) if role is MapRole.BASE else {}
        self.commit(undo_history.order_of_layers(), **placed)

    def move(self, number: int, target: int) -> None:
        """Move a service or own layer to the position ``target``, 0 being the bottom. A base cannot be moved."""
        if not 0 <= target < len(self.stack) or MapRole.BASE in (self.stack[target].role, self.stack[number].role):
            return
        parts = list(self.stack)
        parts.insert(target, parts.pop(number))
        self.custom_map.arrange(parts, self.custom_map.base)
        self.commit(undo_history.order_of_layers())

    def move_below(self, number: int) -> None:
        """Move a service below all others but the base."""
        self.move(number, 0 if self.custom_map.base is None else 1)

    def remove(self, number: int) -> None:
        """Remove a service or own layer from the map. ``removed`` is emitted, so that it can be restored.

        The QGIS layer of an own layer stays in the project, above the map's group.
        """
        item = self.stack[number]
        layer_ids = layer_ids_of(item)
        self.custom_map.remove([item])
        if isinstance(item, MapItem):
            self.mirror.remove_layers([item])
        self.commit(undo_history.removed([item.layer]))
        self.removed.emit(item, number, self.mirror.removed.shown_in(layer_ids))

    def undo_of_addition(self, layer_ids: Sequence[str]) -> Callable[[], None]:
        """Return what undoes the last change, which added these QGIS layers: they leave map and project again.

        After other changes they are removed, and nothing else changes.
        """
        added, ids = self.chosen, set(layer_ids)
        self._additions.append(added.stack)

        def take_back() -> None:
            self.flush()
            if self.chosen == added:
                self.undo()
            else:
                for part in [part for part in self.stack if ids.intersection(layer_ids_of(part))]:
                    self._take_off(part, ids)
                self._remove_from_project(ids)

        return take_back

    def _remove_from_project(self, layer_ids: Collection[str]) -> None:
        """Remove those of these layers that are not on the map any more."""
        self.mirror.remove_layer_ids([layer_id for layer_id in set(layer_ids).difference(self.mirror.layer_ids())
                                      if self.project.mapLayer(layer_id) is not None])

    def _take_off(self, part: MapPart, layer_ids: Set[str]) -> None:
        """Remove a part of the map, or those of its layers if it has others."""
        if isinstance(part, OwnItem) or layer_ids.issuperset(layer_ids_of(part)):
            self.remove(self.stack.index(part))
            return
        entry = part.entry
        kept = [(name, style) for name, style in zip(entry.layers, entry.styles)
                if part.layer_ids.get(name) not in layer_ids]
        self.change_layers(part, LayerChoice(tuple(name for name, _ in kept), tuple(style for _, style in kept),
                                             entry.format, None, part.role, entry.moment))

    def change_endpoints(self, addresses: Mapping[MapItem, str]) -> None:
        """Use services at other addresses, as one change. Layers, styles, opacity and credit stay the same."""
        self.custom_map.set_layers({item: replace(item.entry, endpoint=address) for item, address in addresses.items()})
        for item in addresses:
            item.loading = item.outdated = True
        self.commit(undo_history.replaced_layers())
        for item in addresses:
            self.builds.load(item)

    def change_layers(self, item: MapItem, choice: LayerChoice) -> None:
        """Replace the layers, styles or image format of a service."""
        entry = replace(item.entry, layers=choice.layers, styles=choice.styles, format=choice.format, hidden=(),
                        layer_opacities={}, names={name: given for name, given in item.entry.names.items()
                                                   if name in choice.layers},
                        private=tuple(name for name in item.entry.private if name in choice.layers))
        self.builds.build(MapItem(entry, choice.role, replaces=item), choice.crs)


def _layer_key(entry: MapEntry) -> tuple[object, ...]:
    """Return the fields of an entry whose change requires new layers."""
    return normalise_endpoint(entry.endpoint), entry.layers, entry.styles, entry.format, bool(entry.moment)

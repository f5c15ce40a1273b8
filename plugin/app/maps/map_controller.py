"""The custom map in step with the QGIS project: services are added, moved, hidden and removed.

The document is the truth. Every change is a change of ``MapController.custom_map``, with the label that Undo shows, and
``MapController.commit`` writes the project's group from it. What the person changes in QGIS's layer tree is read into
the document first.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any, Callable, Collection, Mapping, Optional, Sequence, Union

from qgis.core import QgsCoordinateReferenceSystem, QgsLayerTreeGroup, QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.custommap import foreign_maps, own_sources, undo_history
from ...core.custommap.document import MAX_OWN_LAYERS
from ...core.custommap.foreign_maps import Consent
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
from ...core.custommap.planner import make_plan, same_crs
from ...core.custommap.service_use import hides_below
from ...core.custommap.undo_history import Change
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record
from ...core.snapshot.snapshot_sources import Snapshot, with_snapshot
from ...core.text import inert, single_line
from ...core.trust.provenance import Trust
from ...core.wms.crs.codes import offers_crs
from ...core.wms.model.service import Service
from ...gis.credits.layer_metadata import STORED_TERMS, UNFIT_CREDITS, has_own_marks, mark, set_planned_credit
from ...gis.credits.map_phrases import default_map_language
from ...gis.layers import project_document, project_group
from ...gis.layers import time_series as gis_series
from ...gis.layers import wms_layers as gis_layers
from ...gis.layers.blend_modes import entry_with_blend, set_blend
from ...gis.layers.project_group import GroupPart, find_subgroups, is_expanded, own_part, renamed_title, service_part
from ...gis.layouts import templates
from ...gis.legends.legend_nodes import has_qgis_legend
from ...gis.network import bound_origins
from ...gis.own_layers import opening, references
from ...gis.runtime.network_errors import diverted_text
from ...gis.runtime.symbol_library import svg_library
from ...gis.runtime.terms import terms_settings
from ...gis.services.map_addresses import choice_state, choose_map_address, forget_trials, sends_login_astray
from ..records.dock_session import DockSession, ServiceStatus
from .map_document import ExtentMode, MapDocument, new_document
from .map_state import (
    LayerChoice,
    MapItem,
    MapPart,
    OwnItem,
    base_first,
    entry_shown,
    entry_with_group_ticks,
    entry_with_layers_in_order,
    entry_with_opacities,
    entry_with_ticks,
    layer_ids_of,
    layer_of,
    make_entry,
    merge_layers,
    role_in,
    update_entry,
    with_layers,
    without_wms_prefix,
)
from .own_layer_openings import OwnLayerOpenings

#: degrees between two centres of a page that count as one place
_SAME_DEGREES = 1e-6


class MapController(QObject):
    """Holds the map's services and own layers in one stack, bottom first, and arranges the project's layers like them.

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
        self.stack: list[MapPart] = []
        self.custom_map = MapDocument(self.crs, self)
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
        self._job: Optional[object] = None
        self._queue: list[tuple[MapItem, Optional[str]]] = []
        self._new_layers: dict[str, QgsMapLayer] = {}
        self._failed_items: list[MapItem] = []
        self._writing = self._setting_crs = False
        #: the QGIS layers that own layers had, by the own layers' ids: those that left the map may return
        self._own_layer_ids: dict[str, str] = {}
        #: ids of QGIS layers of own layers whose style the person has changed
        self._restyled: set[str] = set()
        self._written_document: Optional[str] = None
        #: the last plan, and what it was made from
        self._planned: Optional[tuple[tuple[object, ...], Plan]] = None
        self._openings = OwnLayerOpenings(self)
        self._openings.opened.connect(self._on_own_opened)
        self._openings.failed.connect(self._on_own_failed)
        self._opacity_timer = self._single_shot(120, self.commit)
        # later: QGIS changes the tree in several steps, and must not be disturbed while it clears a project
        self._tree_timer = self._single_shot(0, self._read_tree)
        # later: the CRS may be tried out, or a project be about to be opened
        self._crs_timer = self._single_shot(500, self._load_in_new_crs)
        #: whether the group was unticked when the tree was last read
        self._was_hidden = False
        #: whether layers were removed from the project since the tree was last read
        self._layers_were_removed = False
        self._connections: list[tuple[object, Callable[..., object]]] = []
        root = self.project.layerTreeRoot()
        for signal in (root.visibilityChanged, root.nameChanged, root.addedChildren, root.removedChildren):
            self._connect(signal, self._on_tree_changed)
        self._connect(self.project.layersRemoved, self._on_layers_removed)
        self._connect(self.project.cleared, self._on_project_cleared)
        self._connect(self.project.crsChanged, self._on_crs_changed)
        self._connect(bound_origins.announcer().refused, self._on_redirect_refused)
        session.service_changed.connect(self._on_service_changed)
        self.custom_map.begin()

    def _single_shot(self, milliseconds: int, run: Callable[[], object]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(run)
        return timer

    def _connect(self, signal: object, slot: Callable[..., object]) -> None:
        signal.connect(slot)  # type: ignore[attr-defined]
        self._connections.append((signal, slot))

    def close(self) -> None:
        """Stop listening to the project, which outlives the dock."""
        self._opacity_timer.stop()
        self._tree_timer.stop()
        self._crs_timer.stop()
        for signal, slot in self._connections:
            signal.disconnect(slot)  # type: ignore[attr-defined]
        self._connections = []

    # -- state

    @property
    def chosen(self) -> CustomMap:
        """The document as far as the person has chosen it. ``document`` has what is in effect."""
        return self.custom_map.current

    @property
    def items(self) -> list[MapItem]:
        """The services, bottom first."""
        return [part for part in self.stack if isinstance(part, MapItem)]

    @property
    def own_items(self) -> list[OwnItem]:
        """The own layers, bottom first."""
        return [part for part in self.stack if isinstance(part, OwnItem)]

    @property
    def adding(self) -> bool:
        """True while layers are being made or are queued, or a service or own layer of the map is awaited."""
        return self._job is not None or bool(self._queue) or any(part.loading for part in self.stack)

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

    def is_hidden_on_canvas(self) -> bool:
        """Return true where the map's group, or one that it is in, is not ticked in the layer tree.

        The document and the page are not concerned: the ticks of the layers are theirs, that of the group is a way to
        look at something else for a while.
        """
        group = self.find_group()
        return group is not None and not group.isVisible()

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
        for layer_plan, layer in zip(plan.layers, self.qgis_layers(plan)):
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

    def qgis_layers(self, plan: Plan) -> list[Optional[QgsMapLayer]]:
        """Return the project's layers for those of ``plan``, in its order, with None for missing ones."""
        ordered = base_first(self.items)
        return [
            self.project.mapLayer(ordered[layer.entry_index].layer_ids.get(layer.name, "")) for layer in plan.layers
        ]

    # -- the views

    def commit(self, change: Optional[Change] = None, extent_mode: Optional[ExtentMode] = None,
               **fields: object) -> None:
        """Change fields of the document, write the project's group from it, and announce the change.

        The services and own layers are those of ``stack``. Without ``change`` they changed in QGIS.
        """
        self._opacity_timer.stop()
        self._change(change, extent_mode, **fields)
        self._write_project()
        self.changed.emit()

    def _change(self, change: Optional[Change] = None, extent_mode: Optional[ExtentMode] = None,
                **fields: object) -> None:
        document = with_layers(replace(self.chosen, **fields), self.stack)  # type: ignore[arg-type]
        self.custom_map.change(document, change or undo_history.change_in_qgis(self.chosen, document), extent_mode)

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
        if self._tree_timer.isActive():
            self._tree_timer.stop()
            self._read_tree()
        if self._opacity_timer.isActive():
            self.commit()

    def save_to_project(self) -> None:
        """Write the document into the project. Its extent may follow the record that is selected."""
        if self.stack and not self._tree_timer.isActive():
            self._write_project()

    def _write_project(self) -> None:
        """Arrange the map's group like the document, and save the document in it."""
        self.stack = base_first(self.stack)
        parts = [self._group_part(part) for part in self.stack]
        self._writing = True
        try:
            group = self.find_group()
            own_ids = {item.own.id: item.layer_id for item in self.own_items if item.layer_id}
            if group is not None:
                project_group.release_own_layers(group, own_ids.values())
            if self.stack:
                group = project_group.arrange_group(self.project, self.title(), parts, group)
                for item in self.items:
                    if item.entry.visible and self._has_no_moment(item):
                        project_group.show_moments(self.project, item.layer_ids.values(), True)
                follows_canvas = self.custom_map.extent_mode is ExtentMode.CANVAS
                document = self.document() if follows_canvas else self.printed_document()
                self._written_document = project_document.save_document(group, document,
                                                                        [item.layer_ids for item in self.items])
            else:
                self._written_document = None
                if group is not None:
                    project_group.release_group(group)
            references.tie(self.project, own_ids)
        finally:
            self._writing = False
        self._new_layers.clear()

    def _group_part(self, part: MapPart) -> GroupPart:
        """Return one part of the map as the group shows it, with the layers that it has."""
        if isinstance(part, OwnItem):
            return own_part(part.own, self._layer(part.layer_id))
        layers = ((name, self._layer(part.layer_ids[name])) for name in part.names_in_order())
        return service_part(part.entry, [(name, layer) for name, layer in layers if layer is not None],
                            self._ticks_are_moments(part), part.expanded)

    def _ticks_are_moments(self, item: MapItem) -> bool:
        """Return whether the ticks of a service's layers say which moment of a series is shown.

        That of a single layer says whether the service is shown, as any other's, unless the series has its moments in
        several services of the map.
        """
        if not item.entry.moment:
            return False
        family = [other for other in self.items if other.entry.moment and other.entry.endpoint == item.entry.endpoint]
        return len(item.layer_ids) != 1 or len(family) > 1

    def _has_no_moment(self, item: MapItem) -> bool:
        """Return whether the layers of a series in a sub-group are all unticked."""
        nodes = [self.project.layerTreeRoot().findLayer(layer_id) for layer_id in item.layer_ids.values()]
        return (len(nodes) > 1 and self._ticks_are_moments(item)
                and not any(node is not None and node.itemVisibilityChecked() for node in nodes))

    def _layer(self, layer_id: str) -> Optional[QgsMapLayer]:
        return self._new_layers.get(layer_id) or self.project.mapLayer(layer_id)

    def find_group(self) -> Optional[QgsLayerTreeGroup]:
        """Return the group with the map's layers in the layer tree, else the one with its saved document, or None."""
        return project_group.group_of_layers(self.project, self._layer_ids()) or (
            project_document.find_group_of_document(self.project, self._written_document)
            if self._written_document is not None else None)

    def _on_tree_changed(self) -> None:
        if not self._writing and self.stack and self._connections:
            self._tree_timer.start()

    def _on_own_style_changed(self) -> None:
        layer = self.sender()
        if not self._writing and isinstance(layer, QgsMapLayer) and self._connections:
            self._restyled.add(layer.id())
            self._tree_timer.start()

    def _read_tree(self) -> None:
        """Read the title, order, ticks and opacities that the person changed in QGIS into the document."""
        root = self.project.layerTreeRoot()
        if any(self.project.mapLayer(layer_id) is not None and root.findLayer(layer_id) is None
               for layer_id in self._layer_ids()):
            # QGIS is going to remove the layer: its signal is still to come
            return
        changed = self._layers_were_removed
        self._layers_were_removed = False
        if self._read_group() or changed:
            self._change()
            self.changed.emit()

    def _read_group(self) -> bool:
        """Read the map's group into the document, and arrange it like that. Return whether anything was changed."""
        if not self.stack:
            if self._written_document is not None:
                self._write_project()
            return False
        root = self.project.layerTreeRoot()
        group = self.find_group()
        if group is None:
            if self._written_document is None or any(map(self.project.mapLayer, self._layer_ids())):
                return False
            # the person removed the whole group, with services that had no layers
            self.stack = []
            self._write_project()
            return True
        before, title = self._document_key(), self.chosen.title
        if group.name() != inert(self.title()):
            title = group.name()
        bottom_first = [node.layerId() for node in reversed(root.findLayers())]
        found = find_subgroups(group, [self._group_part(part) for part in self.stack])
        subgroups = {part: found[number] for number, part in enumerate(self.stack) if number in found}
        for item in self.items:
            names = {layer_id: name for name, layer_id in item.layer_ids.items()}
            order = [names[layer_id] for layer_id in bottom_first if layer_id in names]
            entry = entry_with_layers_in_order(item.entry, order, item.names_in_order())
            ticks = {} if self._ticks_are_moments(item) else {
                name: root.findLayer(item.layer_ids[name]).itemVisibilityChecked() for name in order}
            subgroup = subgroups.get(item)
            if subgroup is not None and order:
                entry = replace(entry, title=renamed_title(subgroup) or entry.title)
                entry = entry_with_group_ticks(entry, bool(subgroup.itemVisibilityChecked()), ticks)
            else:
                entry = entry_with_ticks(entry, ticks)
            if item.entry.visible and order and self._has_no_moment(item):
                # the page would show the moment of a series that the tree hides
                entry = replace(entry, visible=False)
            item.entry = entry_with_blend(self._entry_with_opacities(entry, item), self._valid_layers(item))
        self._read_own_layers(group)
        in_subgroups = {part: set(subgroup.findLayerIds()) for part, subgroup in subgroups.items()}
        self._sort_stack(bottom_first, in_subgroups)
        self._change(title=title)
        self._write_project()
        was_hidden, self._was_hidden = self._was_hidden, self.is_hidden_on_canvas()
        return self._document_key() != before or was_hidden != self._was_hidden

    def _document_key(self) -> tuple[object, ...]:
        return self.chosen.title, tuple((id(part), part.own, part.role) if isinstance(part, OwnItem) else
                                       (id(part), part.entry, part.role) for part in self.stack)

    def _read_own_layers(self, group: QgsLayerTreeGroup) -> None:
        """Read what the person did to own layers: layers dropped into the map's group are on the map, others not."""
        present = set(group.findLayerIds())
        for item in self.own_items:
            layer = self._layer(item.layer_id)
            if layer is None or item.layer_id in self._new_layers:
                continue
            if item.layer_id not in present:
                self.stack.remove(item)
                continue
            read = references.updated(item.own, layer, item.layer_id in self._restyled)
            opacity = item.own.opacity if self._opacity_timer.isActive() else read.opacity
            visible = self.project.layerTreeRoot().findLayer(item.layer_id).itemVisibilityChecked()
            item.own = replace(read, opacity=opacity, visible=visible)
            item.problem = "" if layer.isValid() else references.unavailable_text(item.own)
        self._restyled.clear()
        known = set(self._layer_ids())
        for layer, visible in project_group.foreign_layers(group, known):
            try:
                self._put_on_stack(layer, visible)
            except CartoguideError as error:
                self.failed.emit(error)

    def _sort_stack(self, bottom_first: Sequence[str], in_subgroups: Mapping[MapPart, Collection[str]]) -> None:
        """Put all parts in the order of their lowest layers. A part without layers stays above its neighbour.

        ``in_subgroups`` are the ids of the layers in the sub-groups of services. A layer that was dragged out of one
        does not move the service: it returns.
        """
        position = {layer_id: number for number, layer_id in enumerate(bottom_first)}
        keys: list[tuple[int, int]] = []
        last = -1
        for number, part in enumerate(self.stack):
            ids = [layer_id for layer_id in layer_ids_of(part) if layer_id in position]
            inside = [layer_id for layer_id in ids if layer_id in in_subgroups.get(part, ())]
            last = min((position[layer_id] for layer_id in inside or ids), default=last)
            keys.append((last, number))
        self.stack = base_first([self.stack[number] for _, number in sorted(keys)])

    def _entry_with_opacities(self, entry: MapEntry, item: MapItem) -> MapEntry:
        """Return the entry with the opacities that the person chose in QGIS's layer styling."""
        if self._opacity_timer.isActive():
            return entry
        found = {name: layer.opacity() for name, layer in
                 ((name, self._layer(layer_id)) for name, layer_id in item.layer_ids.items())
                 if layer is not None and layer.isValid()}
        return entry_with_opacities(entry, found) if len(found) == len(item.layer_ids) else entry

    def _valid_layers(self, item: MapItem) -> list[QgsMapLayer]:
        """Return the service's layers that can be drawn."""
        found = (self._layer(layer_id) for layer_id in item.layer_ids.values())
        return [layer for layer in found if layer is not None and layer.isValid()]

    def _watch_layers(self, layers: Sequence[QgsMapLayer]) -> None:
        for layer in layers:
            # this signal follows an opacity that is chosen in the layer styling too
            layer.styleChanged.connect(self._on_tree_changed)

    def _on_crs_changed(self) -> None:
        # later: the project may be about to be cleared
        self._on_tree_changed()
        self._crs_timer.start()
        if not self._setting_crs:
            self._change(Change(tr("coordinate reference system")))
            self.changed.emit()

    def _set_project_crs(self, crs: QgsCoordinateReferenceSystem) -> None:
        """Set the project's CRS, as part of a change that is committed after it."""
        self._setting_crs = True
        try:
            self.project.setCrs(crs)
        finally:
            self._setting_crs = False

    def _load_in_new_crs(self) -> None:
        """Make the layers anew that are requested in another CRS than the document's, which is the project's.

        Otherwise QGIS would draw the former images warped, and print them so, other than the document does elsewhere.
        """
        if self.shown_snapshot is not None:
            return
        for item in list(self.items):
            if not item.loading and self.service_of(item.entry) is not None and any(
                    not same_crs(crs, layer.crs().authid()) for layer, crs in self._layers_with_planned_crs(item)):
                self.load(item)

    def _layers_with_planned_crs(self, item: MapItem) -> list[tuple[QgsMapLayer, str]]:
        """Return the valid layers of a service, each with the CRS in which it would be requested today."""
        pairs = [(self._layer(item.layer_ids.get(layer.name, "")), layer.crs)
                 for layer in self._plan_for(item, None).layers]
        return [(layer, crs) for layer, crs in pairs if layer is not None and layer.isValid()]

    def _on_project_cleared(self) -> None:
        self._stop_jobs()
        self._opacity_timer.stop()
        self._tree_timer.stop()
        self._crs_timer.stop()
        self.stack, self.shown_snapshot, self._written_document = [], None, None
        self.custom_map.use_snapshot(None)
        self.custom_map.show(new_document())
        self._layers_were_removed = False
        self._own_layer_ids.clear()
        self._restyled.clear()
        self.reset.emit()
        self.custom_map.begin()
        self.changed.emit()
        self.adding_changed.emit(False)

    # -- whole maps

    def show_document(self, document: CustomMap, extent_mode: Optional[ExtentMode] = None,
                      with_crs: bool = False) -> None:
        """Make the map what ``document`` says. Services that are on it already stay, the others are loaded.

        ``extent_mode`` is by default the one that the document implies. The state of the snapshot stays. The project
        takes the document's CRS if it has no other layers, and with ``with_crs`` in any case.
        """
        self.custom_map.show(document, extent_mode)
        former, former_own = self.items, {item.own.id: item for item in self.own_items}
        self.stack = []
        for entry in document.stack:
            if isinstance(entry, OwnLayer):
                self.stack.append(self._own_item(entry, former_own.get(entry.id)))
                continue
            item = next((one for one in former if _layer_key(one.entry) == _layer_key(entry)), None)
            if item is not None:
                former.remove(item)
                item.entry, item.role = entry, role_in(document, entry)
            else:
                item = MapItem(entry, role_in(document, entry), loading=True)
            self.stack.append(item)
        self._remove_layers(former)
        for item in self.items:
            # the same service at another address, as after undoing a change of it
            same = next((one for one in former if (one.entry.title, one.entry.layers) ==
                         (item.entry.title, item.entry.layers)), None)
            if item.loading and item.expanded is None and same is not None:
                item.expanded = same.expanded
        crs = QgsCoordinateReferenceSystem(document.crs)
        own = set(self._layer_ids())
        if document.stack and crs.isValid() and self.project.crs() != crs and (
                with_crs or own.issuperset(self.project.mapLayers())):
            self._set_project_crs(crs)
        self.refresh_credits()
        self.commit()
        for item in [item for item in self.items if item.loading]:
            self.load(item)

    def show_unloaded(self, document: CustomMap, problem: str) -> None:
        """Put the services of ``document`` on the map without loading them, so that their credits are kept."""
        self.stack = [self._own_item(entry) if isinstance(entry, OwnLayer) else
                      MapItem(entry, role_in(document, entry), problem=problem) for entry in document.stack]
        self.commit()

    def adopt(self, stored: project_document.StoredMap) -> None:
        """Show the map that the project's layers were made for."""
        document = stored.document
        self.shown_snapshot = None
        self.custom_map.use_snapshot(document.snapshot)
        self.custom_map.show(document)
        layer_ids = iter(stored.layer_ids)
        self.stack = []
        for entry in document.stack:
            if isinstance(entry, OwnLayer):
                # the project has the layer as the person left it
                found = references.find_layer(self.project, entry)
                self.stack.append(self._own_item(entry) if found is None else OwnItem(
                    replace(entry, trust=Trust.OWN), found.id()))
            else:
                self.stack.append(MapItem(entry, role_in(document, entry), dict(next(layer_ids))))
        self._restyled = {item.layer_id for item in self.own_items if item.layer_id}
        self._watch_own_layers()
        for item in self.items:
            missing = len(item.entry.layers) - len(item.layer_ids)
            item.problem = tr("%n layer(s) missing", n=missing) if item.layer_ids and missing > 0 else ""
        self._written_document = project_document.save_document(stored.group, document, stored.layer_ids)
        self._watch_layers([layer for layer in map(self.project.mapLayer, self._layer_ids()) if layer is not None])
        # the tree may have been changed without the dock
        self._read_tree()
        for item in list(self.items):
            item.awaiting_service = True
            item.loading = not item.layer_ids
            if self.session.services.get(item.entry.endpoint) is None:
                self.session.load_service(item.entry.endpoint)
            else:
                self._on_service_changed(item.entry.endpoint)
        self.changed.emit()
        for note in document.change_notes:
            self.warned.emit(note, "")

    # -- own layers

    def add_own_layer(self, layer: QgsMapLayer, credit: Optional[str] = None) -> None:
        """Put a layer of the project on the map, on top. ``failed`` is emitted if the document cannot refer to it.

        ``credit`` is its source line, by default the one that it has.
        """
        if layer.id() in self._layer_ids():
            return
        if credit is not None:
            references.show_credit(layer, single_line(credit))
        try:
            self._put_on_stack(layer, True)
        except CartoguideError as error:
            self.failed.emit(error)
            return
        self.commit(undo_history.added([self.own_items[-1].own]))

    def _put_on_stack(self, layer: QgsMapLayer, visible: bool) -> None:
        if len(self.own_items) >= MAX_OWN_LAYERS:
            raise CartoguideError(tr("A map has at most {count} own layers.", count=MAX_OWN_LAYERS))
        own = references.refer_to(layer, visible)
        self.stack.append(OwnItem(own, layer.id()))
        self._watch_own_layers()

    def set_own_credit(self, number: int, credit: str) -> None:
        """Make ``credit`` the source line of an own layer."""
        item = self.stack[number]
        if isinstance(item, OwnItem):
            item.own = replace(item.own, credit=single_line(credit))
            layer = self._layer(item.layer_id)
            if layer is not None:
                references.show_credit(layer, item.own.credit)
            self.commit(undo_history.layer_settings(item.own))

    def locate_own_layer(self, number: int, path: str) -> None:
        """Draw an own layer from another file. Its style and source line stay. ``failed`` is emitted if it cannot."""
        item = self.stack[number]
        if isinstance(item, OwnItem):
            own = own_sources.with_file(item.own, path)
            if not own.trust.may_open:
                # whoever chooses a file agrees to it, and to nothing else that the document names
                foreign = foreign_maps.one_layer(own)
                if not foreign.needs_consent:
                    self.failed.emit(CartoguideError(foreign_maps.refusals_text(foreign), path))
                    return
                own, = foreign_maps.admit(foreign, Consent.LISTED, svg_library()).document.own_layers
            self._open(OwnItem(own, replaces=item))
            item.loading = True
            self.changed.emit()

    def open_agreed(self, item: OwnItem, admitted: foreign_maps.AdmittedMap) -> None:
        """Open an own layer of a foreign map that the person agreed to, with the source and style that were judged."""
        item.own, = admitted.document.own_layers
        self.retry_own_layer(item)
        if admitted.left_out:
            self.warned.emit("\n".join(admitted.left_out), "")

    def retry_own_layer(self, item: OwnItem) -> None:
        """Open the QGIS layer of an own layer of the map once more."""
        if item in self.stack and not item.loading:
            self._open(item)
            self.commit(undo_history.layer_settings(item.own))

    def _own_item(self, own: OwnLayer, former: Optional[OwnItem] = None) -> OwnItem:
        """Return the item of an own layer that is drawn as the document says.

        Its QGIS layer is the one of ``former``, one that the project has, or a new one from its source, which is opened
        in a task.
        """
        known = former.layer_id if former is not None else self._own_layer_ids.get(own.id, "")
        layer = self._layer(known) or references.find_layer(self.project, own)
        item = OwnItem(own)
        # an undo may lead back to before somebody agreed to it: nothing foreign is drawn as it was written
        if layer is None or not own.trust.may_open:
            self._open(item)
        else:
            with_style = former is None or former.own.style != own.style
            self._show_own(item, layer, lambda: references.show_as_documented(layer, own, with_style))
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
        self._writing, was_writing = True, self._writing
        try:
            show()
            item.problem = self._redirect_problem(item.own.name, layer.id()) if layer.isValid() \
                else references.unavailable_text(item.own)
        except CartoguideError as error:
            item.problem = error.user_text
        finally:
            self._writing = was_writing
        if item.own.trust is Trust.AGREED and not bound_origins.is_bound(layer):
            bound_origins.bind(layer)
        item.layer_id = layer.id()
        self._watch_own_layer(item, layer)

    def _on_redirect_refused(self, _redirect: bound_origins.RefusedRedirect) -> None:
        """Say of which layers a server led elsewhere, so that they lack parts."""
        for item in self.own_items:
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
        if place in self.stack:
            self._new_layers[layer.id()] = layer
            self._show_own(item, layer, lambda: references.show_opened(layer, item.own))
            self.stack[self.stack.index(place)] = item
            if place is not item and place.layer_id != item.layer_id:
                self._writing = True
                try:
                    project_group.remove_layers(self.project, [place.layer_id] if place.layer_id else [])
                finally:
                    self._writing = False
            item.replaces = None
            self.commit(undo_history.layer_settings(item.own))
        self.adding_changed.emit(self.adding)

    def _on_own_failed(self, item: OwnItem, error: CartoguideError) -> None:
        """Say why a layer of the map could not be opened. Its row stays, and so does one that it would replace."""
        place = item.replaces or item
        item.loading = place.loading = False
        if place in self.stack:
            if place is item:
                item.problem = error.user_text
                self.commit()
            else:
                self.failed.emit(error)
                self.changed.emit()
        self.adding_changed.emit(self.adding)

    def _watch_own_layers(self) -> None:
        for item in self.own_items:
            layer = self._layer(item.layer_id)
            if layer is not None:
                self._watch_own_layer(item, layer)

    def _watch_own_layer(self, item: OwnItem, layer: QgsMapLayer) -> None:
        """Follow what the person changes in QGIS. Only once: ``_own_layer_ids`` has those that are followed."""
        if layer.id() in self._own_layer_ids.values():
            return
        self._own_layer_ids[item.own.id] = layer.id()
        layer.styleChanged.connect(self._on_own_style_changed)
        for signal in (layer.nameChanged, layer.metadataChanged, layer.dataSourceChanged):
            signal.connect(self._on_tree_changed)

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

    def insert(self, item: MapPart, index: int) -> None:
        """Put a service or an own layer back on the map at ``index``, and make its layers."""
        if isinstance(item, OwnItem):
            self.stack.insert(min(index, len(self.stack)), self._own_item(item.own))
            self.commit(undo_history.added([item.own]))
            return
        if item.role is MapRole.BASE:
            self._demote_base()
        self.stack.insert(min(index, len(self.stack)), item)
        item.loading = True
        self.commit(undo_history.added([item.entry]))
        self.load(item)

    def load(self, item: MapItem, refresh: bool = False) -> None:
        """Make the layers of a service on the map, whose capabilities are loaded first if they are not known.

        ``refresh`` requests them again.
        """
        endpoint = item.entry.endpoint
        item.loading, item.awaiting_service, item.problem, item.error = True, False, "", None
        if self.service_of(item.entry) is not None and not refresh:
            self.build(item)
            return
        item.awaiting_service = True
        status = self.session.service_state(endpoint).status
        self.session.load_service(endpoint, refresh or status not in (ServiceStatus.UNKNOWN, ServiceStatus.LOADING))
        self.adding_changed.emit(self.adding)

    def build(self, item: MapItem, crs: Optional[str] = None) -> None:
        """Queue the layers of ``item``.

        Those of a service that is on the map replace its former layers. Another one is put on the map when it has
        layers, in place of ``item.replaces`` or of the same service.
        """
        self._queue.append((item, crs))
        self._build_next()

    def cancel(self) -> None:
        """Cancel the layers that are being made and those in the queue."""
        self._stop_jobs()
        for part in self.stack:
            if not part.loading:
                continue
            part.loading = False
            if isinstance(part, MapItem):
                part.awaiting_service = False
            # an own layer whose layer was to be replaced is drawn as before
            if isinstance(part, MapItem) or not part.layer_id:
                part.problem = tr("not loaded")
        self.adding_changed.emit(False)

    def _stop_jobs(self) -> None:
        self._queue.clear()
        self._openings.cancel()
        self._failed_items = []
        if self._job is not None:
            self._job.cancel()  # type: ignore[attr-defined]
        self._job = None

    def _build_next(self) -> None:
        while self._job is None and self._queue:
            item, crs = self._queue.pop(0)
            on_map = self._is_on_map(item)
            if item.loading and not on_map:
                continue
            plan = self._plan_for(item, crs)
            if plan.layers:
                self._job = gis_layers.start_making_layers(plan, partial(self._on_built, item, on_map),
                                                           partial(self._on_build_failed, item), self,
                                                           cache=self.session.services)
            else:
                self._fail(item, CartoguideError(tr("Nothing of “{title}” could be added.", title=item.entry.title),
                                                 "\n".join(note.text for note in plan.notes if note.is_missing)))
        self.adding_changed.emit(self.adding)
        self._report_unavailable()

    def _plan_for(self, item: MapItem, crs: Optional[str]) -> Plan:
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

    def _on_built(self, item: MapItem, was_on_map: bool, built: gis_layers.BuiltLayers) -> None:
        self._job = None
        try:
            # it may have been removed meanwhile, or point to another address
            if not was_on_map or (self._is_on_map(item) and not item.awaiting_service):
                self._insert_built(item, built)
        finally:
            self._build_next()

    def _insert_built(self, item: MapItem, built: gis_layers.BuiltLayers) -> None:
        if not built.layers:
            self._fail(item, built.failures[0].error if built.failures else
                       CartoguideError(tr("No layer could be created.")))
            return
        layers = {plan.name: layer for plan, layer in built.layers}
        was_on_map = self._is_on_map(item)
        former = None if was_on_map else self._former(item)
        item.problem = tr("%n layer(s) missing", n=len(built.failures)) if built.failures else ""
        item.loading, item.error = False, None
        first = not self.project.mapLayers()
        if former is not None and item.adds_layers:
            layers = {name: layer for name, layer in layers.items() if name not in former.layer_ids}
            item.layer_ids = {name: layer.id() for name, layer in layers.items()}
            merge_layers(former, item)
        else:
            if was_on_map:
                self._remove_layers([item])
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
        self._new_layers.update({layer.id(): layer for layer in layers.values()})
        self._watch_layers(list(layers.values()))
        if first and built.layers[0][1].crs().isValid():
            self._set_project_crs(built.layers[0][1].crs())
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
            self.login_withheld.emit(item if self._is_on_map(item) else former, withheld)
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
        if item.replaces is not None and self._is_on_map(item.replaces):
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
            self._remove_layers([former])
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

    def _on_build_failed(self, item: MapItem, error: CartoguideError) -> None:
        self._job = None
        self._fail(item, error)
        self._build_next()

    # -- services that do not respond

    def _fail(self, item: MapItem, error: CartoguideError) -> None:
        """Announce that no layer of a service could be made. One that is on the map stays there with its problem.

        Layers that are drawn already stay as they are.
        """
        item.loading = item.awaiting_service = False
        drawn = any(layer is not None and layer.isValid() for layer in map(self._layer, item.layer_ids.values()))
        if drawn or not self._is_on_map(item):
            self.failed.emit(error)
            self.changed.emit()
            return
        item.problem = tr("its service does not respond") \
            if self.service_of(item.entry) is None else error.user_text.split("\n")[0]
        item.error = error
        self._failed_items.append(item)
        self.commit()

    def _report_unavailable(self) -> None:
        """Emit ``unavailable`` once, when no service of the map is awaited any more."""
        if self.adding or not self._failed_items:
            return
        failed, self._failed_items = self._failed_items, []
        failed = [item for item in failed if self._is_on_map(item) and item.problem]
        if failed:
            self.unavailable.emit(failed)

    def _on_service_changed(self, endpoint: str) -> None:
        """Make the layers of the services on the map that waited for this one, or say why there are none."""
        state = self.session.service_state(endpoint)
        if state.status is ServiceStatus.LOADING:
            return
        key = normalise_endpoint(endpoint)
        waiting = [item for item in self.items
                   if item.awaiting_service and normalise_endpoint(item.entry.endpoint) == key]
        for item in waiting:
            item.awaiting_service = False
            known = self.service_of(item.entry) is not None
            if known and not item.loading and all(
                    layer is not None and layer.isValid() for layer in map(self._layer, item.layer_ids.values())
            ) and not self._sends_login_astray(item):
                continue
            # a refresh that failed keeps the capabilities that were there before
            if known and (state.error is None or not item.refreshing):
                item.loading, item.refreshing = True, False
                self.build(item)
            else:
                item.refreshing = False
                self._fail(item, state.error or CartoguideError(tr("The service could not be read."), endpoint))
        if waiting:
            self.adding_changed.emit(self.adding)
            self._report_unavailable()

    def _sends_login_astray(self, item: MapItem) -> bool:
        """Return whether layers of a service, as a project may have them, send their login to another host."""
        service = self.session.services.get(item.entry.endpoint)
        return service is not None and any(
            layer.providerType() == "wms" and sends_login_astray(layer.source(), service, has_qgis_legend(layer))
            for layer in self._valid_layers(item))

    # -- changing

    def set_title(self, title: str) -> None:
        """Rename the map and its layer group."""
        self.commit(undo_history.map_title(), title=title)

    def set_crs(self, crs: str) -> None:
        """Draw the map and the project in ``crs``, a code such as "EPSG:25830"."""
        self._set_project_crs(QgsCoordinateReferenceSystem(crs))
        self.commit(Change(tr("coordinate reference system")), crs=crs)

    def set_opacity(self, number: int, opacity: float) -> None:
        """Change the opacity (0 to 1) of a service or own layer. The canvas follows a moment later."""
        item = self.stack[number]
        if isinstance(item, OwnItem):
            item.own = replace(item.own, opacity=opacity)
        else:
            update_entry(item, opacity=opacity, layer_opacities={})
        self._change(undo_history.opacity(layer_of(item)))
        self._opacity_timer.start()

    def set_blend(self, number: int, blend: BlendMode) -> None:
        """Change how the colours of a service or own layer are mixed with what lies below. The latter needs its layer.
        """
        item = self.stack[number]
        if isinstance(item, OwnItem):
            layer = self._layer(item.layer_id)
            if layer is not None and layer.isValid() and set_blend(layer, blend):
                # its style in the document follows, as if it was changed in the layer styling
                self._restyled.add(item.layer_id)
                self._on_tree_changed()
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
            self._remove_layers([item])
        self.commit(undo_history.removed([layer_of(item)]))
        self.removed.emit(item, number)

    def change_endpoint(self, item: MapItem, address: str) -> None:
        """Use the service at another address. Layers, styles, opacity and credit stay the same."""
        update_entry(item, endpoint=address)
        self._remove_layers([item])
        item.loading = True
        self.commit(undo_history.replaced_layers())
        self.load(item)

    def change_layers(self, item: MapItem, choice: LayerChoice) -> None:
        """Replace the layers, styles or image format of a service."""
        entry = replace(item.entry, layers=choice.layers, styles=choice.styles, format=choice.format, hidden=(),
                        layer_opacities={})
        self.build(MapItem(entry, choice.role, replaces=item), choice.crs)

    def reload(self, item: MapItem) -> None:
        """Load the service of ``item`` again and make its layers."""
        forget_trials()
        item.refreshing = True
        self.load(item, refresh=True)
        self.changed.emit()

    def _is_on_map(self, item: MapItem) -> bool:
        return any(other is item for other in self.items)

    def _remove_layers(self, items: Sequence[MapItem]) -> None:
        """Remove the layers of services from the project, without taking it for a removal by the person."""
        ids = [layer_id for item in items for layer_id in item.layer_ids.values()]
        for item in items:
            expanded = is_expanded(self.project, item.layer_ids.values())
            item.expanded = item.expanded if expanded is None else expanded
            item.layer_ids = {}
        self._writing = True
        try:
            project_group.remove_layers(self.project, ids)
        finally:
            self._writing = False

    def _layer_ids(self) -> list[str]:
        """Return the ids of the map's QGIS layers, those of services first."""
        parts: list[MapPart] = [*self.items, *self.own_items]
        return [layer_id for part in parts for layer_id in layer_ids_of(part)]

    def _on_layers_removed(self, ids: Sequence[str]) -> None:
        """Remove the layers from the map that the person removed from the project.

        The tree is left alone here: QGIS sends this signal while it clears a project too. The change is announced with
        the next reading of the tree: QGIS removes the layers of a group one by one, and they are one step to undo.
        """
        removed = set(ids)
        affected = [item for item in self.items if removed.intersection(item.layer_ids.values())]
        for item in affected:
            gone = {name for name, layer_id in item.layer_ids.items() if layer_id in removed}
            item.remove_layer_names(gone)
            if not item.layer_ids:
                self.stack.remove(item)
        own = [item for item in self.own_items if item.layer_id in removed]
        for own_item in own:
            self.stack.remove(own_item)
        self._own_layer_ids = {key: layer_id for key, layer_id in self._own_layer_ids.items()
                               if layer_id not in removed}
        if affected or own:
            self._layers_were_removed = True
            self._tree_timer.start()


def _page_place(document: CustomMap, extent_mode: ExtentMode) -> tuple[object, ...]:
    return document.extent, document.centre, document.scale, extent_mode


def _layer_key(entry: MapEntry) -> tuple[object, ...]:
    """Return the fields of an entry whose change requires new layers."""
    return normalise_endpoint(entry.endpoint), entry.layers, entry.styles, entry.format, bool(entry.moment)

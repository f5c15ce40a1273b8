"""Checks of the custom map before it is printed, and the remedies of their findings."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, Iterator, Optional, Sequence, Union

from qgis.core import QgsPrintLayout
from qgis.PyQt.QtCore import QObject, QTime, pyqtSignal
from qgis.PyQt.QtGui import QFont

from ...core.addresses import source_without_secrets
from ...core.custommap import own_sources
from ...core.custommap.legend.tree import is_in_legend
from ...core.custommap.map_findings import MapRemedy, RemedyKind, missing_credit, sorted_findings
from ...core.custommap.model import BlendMode, CustomMap, Plan
from ...core.custommap.service_state import Progress
from ...core.custommap.suggestions import Suggestion, SuggestionCandidate, shows_ground
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.numbers import format_decimal
from ...core.preflight import MapFinding, PreflightContext, estimate_print, preflight_findings, trial_findings
from ...core.preflight.template_findings import template_findings
from ...core.preflight.trial_requests import seconds_per_megapixel
from ...core.review.checks.rules import Severity
from ...core.terms.model import Decision
from ...core.text import inert, list_names, list_quoted_names
from ...gis.credits.layer_credits import layers_without_credit, visible_layers
from ...gis.credits.layer_metadata import scale_range
from ...gis.credits.map_credits import visible_services
from ...gis.export import preflight_requests
from ...gis.layers import project_group
from ...gis.layers.added_layers import reason_not_on_map
from ...gis.layouts.layout_items import MAP
from ...gis.layouts.template_loading import load_template, read_template
from ...gis.layouts.template_resources import resolve_template
from ...gis.layouts.templates import is_user_template, template_path
from ...gis.legends.legend_graphics import legend_key
from ...gis.legends.legend_store import LegendStore
from ...gis.pages.completeness_checks import (
    layer_label,
    letters_text,
    reads_cut_file,
    unchecked_layers,
    unchecked_names,
)
from ...gis.pages.ground import filling_layers
from ...gis.pages.layout_builder import substituted_font_notes
from ...gis.runtime import compat, page_fonts, settings, tasks
from ..window import Notifier
from .export_controller import ExportController
from .extent_controller import ExtentController, service_extent
from .map_controller import MapController
from .map_state import MapItem, MapPart, OwnItem, ServiceRemedy, layer_ids_of, title_of, without_wms_prefix


class PreflightController(QObject):
    """Finds what is wrong with the map without the network, and on request by requesting all its images.

    The images' findings count only as long as the map and the resolution do not change.
    """

    #: findings, most severe first, and a line about the export's cost and the last check
    findings_changed = pyqtSignal(list, str)
    #: what is being requested, or ""
    busy_changed = pyqtSignal(str)
    #: whether images are being requested
    checking_changed = pyqtSignal(bool)
    #: all images were requested because the person asked for it
    checked = pyqtSignal()
    #: a remedy changed the map
    map_changed = pyqtSignal()
    #: legends that did not come are to be requested again
    legends_requested = pyqtSignal()
    #: the person wants to locate the file of an own layer, given by its id
    locate_requested = pyqtSignal(str)
    #: the person wants the service of a record as base, given by its identifier
    base_requested = pyqtSignal(str)
    #: the person wants to see the record of a service, given by its identifier
    record_requested = pyqtSignal(str)
    #: the page is to be fitted to the base
    fit_requested = pyqtSignal()
    #: the map is to be rotated to these degrees on its page
    rotation_requested = pyqtSignal(float)

    def __init__(self, map_controller: MapController, extent: ExtentController,
                 exporter: ExportController, legends: LegendStore, notifier: Notifier,
                 parent: Optional[QObject] = None) -> None:
        """``legends`` are those of the picture of the page."""
        super().__init__(parent)
        self._map, self._extent, self._legends = map_controller, extent, legends
        self._exporter, self._notifier = exporter, notifier
        self._last_check: Optional[preflight_requests.PreflightResponses] = None
        self._checked_key: Optional[tuple[CustomMap, int]] = None
        self._checked_at = ""
        #: the services that it was about, by their indexes in its results
        self._checked_items: list[MapItem] = []
        #: something has come again that failed in the last check or after it
        self._came_since = False
        #: the services and own layers that were not drawn then, as ``_parts_of`` has them
        self._undrawn_when_checked: set[tuple[Optional[int], str]] = set()
        self._unchecked_names: tuple[str, ...] = ()
        self._seconds_per_megapixel: Optional[float] = None
        self._job: Optional[tasks.Job] = None
        self._base_offers: tuple[SuggestionCandidate, ...] = ()
        #: what the findings say of services and own layers that are not drawn
        self._undrawn: list[MapFinding] = []
        #: what they say of legends that did not come
        self._legendless: list[MapFinding] = []
        #: what the page that was drawn or built last says of itself
        self._page_notes: list[str] = []
        exporter.built.connect(self.show_page_notes)
        # what was checked was another map
        map_controller.custom_map.begun.connect(self._forget_check)
        map_controller.builds.came_back.connect(self._forget_failures)
        exporter.finished.connect(self._on_exported)

    @property
    def seconds_per_megapixel(self) -> Optional[float]:
        """Seconds for a million pixels, as measured by the last check, or None."""
        return self._seconds_per_megapixel

    # -- showing

    def refresh(self) -> None:
        """Update the findings that need no network, and add those of the last check while they are valid."""
        if not self._map.stack:
            self.findings_changed.emit([], "")
            return
        case = self._context()
        found = [*preflight_findings(case), *self._letter_findings(case.plan), *self._layer_findings(case.plan),
                 *self._own_layer_findings(), *self._left_out_findings(), *self._group_findings(),
                 *self._template_findings(case)]
        self._legendless = self._legend_findings()
        self._undrawn = self._undrawn_findings()
        found += self._legendless
        found += [MapFinding("page", Severity.NOTE, note, "") for note in self._page_notes]
        unchecked = self._unchecked_findings()
        is_valid = self._last_check is not None and self._checked_key == (case.document, case.dpi)
        if self._last_check is not None and is_valid:
            # what the check says of one service is more than its cause, of several that are away it is the same again
            away = self._away() if len(self._away()) > 1 else set()
            found += trial_findings([trial for trial in self._last_check.trial_requests if not (
                trial.error and not trial.depends_on_size and (trial.entry_index, trial.own_layer) in away)])
            # a template may have maps of its own, which show other layers of the project
            named = {finding.service_title for finding in unchecked}
            unchecked += [_unchecked_finding(name) for name in self._unchecked_names if name not in named]
        found += unchecked
        found = [finding for finding in found if not self._is_repeated(finding)]
        # what the last check says of a service is more
        told = _parts_of([finding for finding in found if finding.severity is Severity.ERROR])
        found += self._folded([finding for finding in self._undrawn if _parts_of([finding]).isdisjoint(told)])
        cost = estimate_print(case, self._seconds_per_megapixel).text()
        state = [tr("At {dpi} dpi: {figures}.", dpi=case.dpi, figures=cost)] if cost else []
        if self._last_check is not None:
            # first: a narrow panel shows the beginning
            is_complete = self._last_check.complete
            fails_since = is_complete and not _parts_of(self._undrawn) <= self._undrawn_when_checked
            is_over = not is_valid or self._came_since or fails_since
            state.insert(0, tr("Changed since it was checked.") if is_over
                         else tr("All images arrived at {time}.", time=self._checked_at) if is_complete
                         else tr("Not all images arrived at {time}.", time=self._checked_at))
        self.findings_changed.emit(list(sorted_findings(found)), " ".join(state))

    def show_states(self) -> None:
        """Update the findings if other services or own layers than before are not drawn, or lack their legends."""
        if self._undrawn_findings() != self._undrawn or self.has_other_legends:
            self.refresh()

    @property
    def has_other_legends(self) -> bool:
        """True if other legends than the findings say did not come when they were requested last."""
        return self._legend_findings() != self._legendless

    def _legend_findings(self) -> list[MapFinding]:
        """Return a finding for each service and reason about legends that it offers, and that did not come."""
        missing: dict[tuple[int, str, str], list[str]] = {}
        plan = self._map.plan()
        for layer in plan.layers:
            reason = self._legends.failure(legend_key(layer))
            if reason and layer.visible and layer.wms is not None and layer.wms.legend_url and is_in_legend(
                    plan, layer):
                missing.setdefault((layer.entry_index, layer.service_title, reason), []).append(layer.label)
        return [MapFinding("legend-missing", Severity.ERROR, tr(
                    "The legend of {layers} is missing: {reason}", layers=list_quoted_names(layers), reason=reason),
                    tr("The map is not exported without it."), title, index,
                    MapRemedy(RemedyKind.LEGEND, tr("Try again")))
                for (index, title, reason), layers in missing.items()]

    def show_page_notes(self, notes: Sequence[str]) -> None:
        """Show what the page says of itself among the findings: it was drawn or built with these notes."""
        if list(notes) != self._page_notes:
            self._page_notes = list(notes)
            self.refresh()

    def _undrawn_findings(self) -> list[MapFinding]:
        """Return a finding about each service and own layer that was not received, or not all of it."""
        items, found = self._map.items, []
        for part in self._map.stack:
            state = part.received
            if state.is_missing and not part.problem:
                message = tr("It is drawn in part: {cause}.", cause=state.cause) \
                    if state.progress is Progress.PARTLY else tr("It is not drawn: {cause}.", cause=state.cause)
                index = items.index(part) if isinstance(part, MapItem) else None
                remedies = [MapRemedy(RemedyKind.REFRESH, tr("Try again")),
                            MapRemedy(RemedyKind.HIDE, tr("Leave it out"))]
                if index is not None:
                    address, record = self._map.new_address(items[index]), self._map.record_of(items[index])
                    if address:
                        remedies.insert(0, MapRemedy(RemedyKind.ENDPOINT, tr("Use the record's address"),
                                                     addresses=((index, address),)))
                    if record is not None:
                        remedies.append(MapRemedy(RemedyKind.RECORD, tr("Show its record"), record.id))
                found.append(MapFinding(
                    "undrawn", Severity.ERROR, message, tr("The map is not exported without it."), title_of(part),
                    index, remedies[0], own_layer=part.own.id if isinstance(part, OwnItem) else "",
                    other_remedies=tuple(remedies[1:])))
        return found

    def _folded(self, undrawn: Sequence[MapFinding]) -> list[MapFinding]:
        """Return one finding about all services that are not drawn for the same reason, such as a server that is away.
        """
        of_reason: dict[str, list[MapFinding]] = {}
        for finding in undrawn:
            reason = finding.own_layer if finding.entry_index is None else finding.message
            of_reason.setdefault(reason, []).append(finding)
        found = []
        for same in of_reason.values():
            first, entries = same[0], tuple(one.entry_index for one in same if one.entry_index is not None)
            item = self._item_at(first.entry_index)
            if len(same) == 1 or item is None:
                found += same
                continue
            state = item.received
            message = tr("They are drawn in part: {cause}.", cause=state.cause) \
                if state.progress is Progress.PARTLY else tr("They are not drawn: {cause}.", cause=state.cause)
            remedies = [MapRemedy(RemedyKind.REFRESH, tr("Try again"), entries=entries),
                        MapRemedy(RemedyKind.HIDE, tr("Leave them out"), entries=entries)]
            addresses = tuple(address for one in same for remedy in one.remedies for address in remedy.addresses)
            if addresses:
                remedies.insert(0, MapRemedy(
                    RemedyKind.ENDPOINT, tr("Use the record's address for all"), addresses=addresses))
            found.append(MapFinding(
                "undrawn", Severity.ERROR, message, tr("The map is not exported without them."),
                list_names([one.service_title for one in same]), remedy=remedies[0],
                other_remedies=tuple(remedies[1:])))
        return found

    def _away(self) -> set[tuple[Optional[int], str]]:
        """Return the services and own layers, as ``_parts_of`` has them, of which nothing at all is drawn."""
        return {one for finding in self._undrawn for one in _parts_of([finding])
                if (part := self._part_of(finding)) is not None and part.received.progress is not Progress.PARTLY}

    def _is_repeated(self, finding: MapFinding) -> bool:
        """Return whether a finding only repeats that a service is not drawn: its legend, or a note with the cause."""
        if finding.rule == "legend-missing":
            return _parts_of([finding]) <= self._away()
        causes = [part.received.cause for part in self._map.stack if part.received.is_missing and part.received.cause]
        return finding.rule == "page" and any(cause in finding.message for cause in causes)

    def offer_bases(self, suggestions: Sequence[Suggestion]) -> None:
        """Offer those of the services suggested for the map that may be its base."""
        offers = tuple(one.candidate for one in suggestions if shows_ground(one.candidate.title))
        if offers != self._base_offers:
            self._base_offers = offers
            self.refresh()

    def prepare(self) -> Iterator[None]:
        """Do in steps what takes a moment the first time: before ``refresh``, or before a new map gets its layers."""
        measurement, page = self._map.page_measurement, self._map.chosen.page
        if self._map.stack:
            plan = self._map.plan()
            yield
            yield from measurement.preload(page, bool(visible_services(plan)), both_ways=False)
            measurement.frame(plan)
            yield
        elif self._map.adding:
            yield from measurement.preload(page, True, both_ways=True)

    def _context(self) -> PreflightContext:
        document = self._map.printed_document()
        services, records = self._map.services_and_records(document)
        plan = self._map.plan(document)
        shown = self._map.shown_snapshot
        secure = self._last_check.https_endpoints if self._last_check is not None else ()
        titles = tuple(without_wms_prefix(item.entry.title) for item in self._map.items)
        frame = self._map.page_measurement.frame(plan)
        filling = filling_layers(plan.own_layers, self._map.project, frame.corners) if frame and frame.corners else ()
        return PreflightContext(document, plan, services, records, frame,
                                settings.get("export_dpi"), titles, secure,
                                shown.manifest if shown is not None else None,
                                self._map.mirror.is_hidden_on_canvas(),
                                {item.own.id: scale_range(layer) for item in self._map.own_items
                                 if (layer := self._map.mirror.layer(item.layer_id)) is not None},
                                self._base_offers, filling)

    def _layer_findings(self, plan: Plan) -> list[MapFinding]:
        """Return findings about services that are drawn without some of their layers, which are named.

        These could not be made although their service responds, are damaged, or left the group of a map that was not
        being composed.
        """
        missing: dict[int, list[str]] = {}
        for layer, made in zip(plan.layers, self._map.mirror.qgis_layers(plan)):
            if made is None or not made.isValid():
                missing.setdefault(layer.entry_index, []).append(layer.label)
        return [
            MapFinding("missing", Severity.ERROR,
                       tr("Layers missing: {layers}.", layers=", ".join(missing[number])) if number in missing
                       else item.problem, tr("Load them again, or remove the service from the map."),
                       without_wms_prefix(item.entry.title), number, MapRemedy(RemedyKind.REFRESH, tr("Try again")))
            for number, item in enumerate(self._map.items)
            if (item.problem or (number in missing and not item.loading)) and self._map.mirror.valid_layers(item)
        ]

    def _own_layer_findings(self) -> list[MapFinding]:
        """Return findings about own layers that are missing, or that will be missing where the map is opened again."""
        locate = MapRemedy(RemedyKind.LOCATE, tr("Locate…"))
        found = []
        for item in self._map.own_items:
            own, layer = item.own, self._map.project.mapLayer(item.layer_id)
            if own.terms_gap and own.visible:
                found.append(MapFinding("terms-gap", Severity.WARNING, tr(
                    "The terms of its service could not be read completely: it may ask for another credit."),
                    tr("Try again, or read its terms before you publish."), own.name, detail=own.terms_gap,
                    remedy=MapRemedy(RemedyKind.TERMS, tr("Try again")), own_layer=own.id))
            if item.problem and own.visible:
                advice = tr("Locate its file, or remove it from the map.") if own_sources.file_of(own) else tr(
                    "Remove it from the map, or add a layer of a server that you know in its place.")
                remedy = locate if own_sources.file_of(own) else MapRemedy(
                    RemedyKind.REFRESH, tr("Try again")) if ServiceRemedy.RETRY in item.remedies() else None
                found.append(MapFinding("own-missing", Severity.ERROR, item.problem, advice, own.name, remedy=remedy,
                                        own_layer=own.id))
            elif layer is not None and own.visible and reads_cut_file(layer):
                found.append(MapFinding("own-cut", Severity.ERROR,
                                        tr("A file of it is cut short, so that only a part of it would be drawn."),
                                        tr("Copy the file again, or remove the layer from the map."), own.name,
                                        own_layer=own.id))
            elif own_sources.is_temporary(own):
                found.append(MapFinding("own-temporary", Severity.WARNING,
                                        tr("It is a temporary layer: a saved map cannot refer to it."),
                                        tr("Make it permanent in QGIS's layer tree."), own.name, own_layer=own.id))
            elif layer is not None and source_without_secrets(layer.source()) != layer.source():
                found.append(MapFinding("own-login", Severity.WARNING,
                                        tr("Its login is part of its address, and is not saved in the map."),
                                        tr("Use an authentication configuration, so that the map can be opened "
                                           "elsewhere."), own.name, own_layer=own.id))
            if layer is not None and own.visible and layers_without_credit(visible_layers([layer])):
                found.append(missing_credit(Decision.UNDECIDED, own.name, own_layer=own.id))
        return found

    def _left_out_findings(self) -> list[MapFinding]:
        """Return findings about layers that are drawn in the map's group and are not on the map."""
        add = MapRemedy(RemedyKind.ADD_LAYER, tr("Add to the map"))
        leave_out = MapRemedy(RemedyKind.LEAVE_OUT, tr("Leave it out"))
        return [MapFinding("not-on-map", Severity.ERROR, tr("It lies in the map's group, but is not on the map. "
                                                            "{reason}", reason=reason).strip(),
                           tr("Move it out of the map's group, or save what it shows as a layer of a file."),
                           layer_label(layer), remedy=leave_out if reason_not_on_map(layer) else add,
                           layer_id=layer.id(), other_remedies=() if reason_not_on_map(layer) else (leave_out,))
                for layer, reason in self._map.mirror.layers_left_out()]

    def _group_findings(self) -> list[MapFinding]:
        """Return findings about groups that QGIS draws as one layer, and about another order, which no page has."""
        found = []
        for group in self._map.mirror.groups_drawn_as_one():
            layer = compat.group_layer(group)
            found.append(MapFinding(
                "group-as-one", Severity.WARNING,
                tr("QGIS draws the layers of this group as one ({effects}), the page draws them one by one.",
                   effects=", ".join(project_group.effects_of_group(group))),
                tr("Give opacity and blending mode to services and layers instead: the page has them too."),
                inert(group.name()), layer_id=layer.id() if layer is not None else "",
                remedy=MapRemedy(RemedyKind.ONE_BY_ONE, tr("Draw them one by one"))))
        if self._map.mirror.has_other_order():
            found.append(MapFinding(
                "layer-order", Severity.WARNING,
                tr("QGIS draws the layers in the order of its Layer Order panel, the page in that of the layer tree."),
                tr("Untick “Control rendering order” there, and move the layers in the layer tree."),
                remedy=MapRemedy(RemedyKind.TREE_ORDER, tr("Draw as in the layer tree"))))
        return found

    def _template_findings(self, case: PreflightContext) -> list[MapFinding]:
        """Return findings about a person's template: it cannot be loaded, or needs what is not here."""
        page = case.document.page
        if not is_user_template(page.template):
            return []
        path = template_path(page)
        try:
            template = resolve_template(read_template(path, page.agreed_file), path.parent, self._map.project)
            if case.frame is None:
                # the page could not be measured: this says why, if it is for the template
                load_template(self._map.project, path, (MAP,), page.agreed_file)
        except CartoguideError as error:
            return [MapFinding("template", Severity.ERROR, error.user_text, tr("Choose another template."),
                               detail=error.detail)]
        return list(template_findings(template))

    def _letter_findings(self, plan: Plan) -> list[MapFinding]:
        """Return findings about credits with letters that the page's font lacks, or that no installed font has."""
        found: dict[tuple[str, str], MapFinding] = {}
        for layer in plan.layers:
            for line in layer.rights if layer.visible else ():
                letters = page_fonts.letters_without_font(line)
                if letters:
                    found.setdefault(("letters", line), MapFinding(
                        "letters", Severity.ERROR, letters_text(letters, line),
                        tr("Install a font with these letters, and begin QGIS anew."), layer.service_title,
                        layer.entry_index))
                for note in substituted_font_notes(line, QFont(page_fonts.FAMILY)):
                    found.setdefault(("font", note), MapFinding(
                        "other-font", Severity.NOTE, note, tr("Look at the credits of the page."), layer.service_title,
                        layer.entry_index))
        return list(found.values())

    def _unchecked_findings(self) -> list[MapFinding]:
        """Return a note about each layer of the map whose completeness the export does not check."""
        found = []
        for item in self._map.stack:
            visible = item.own.visible if isinstance(item, OwnItem) else item.entry.visible
            layers = visible_layers(map(self._map.project.mapLayer, layer_ids_of(item))) if visible else []
            own_layer = item.own.id if isinstance(item, OwnItem) else ""
            found += [_unchecked_finding(layer_label(layer), own_layer) for layer in unchecked_layers(layers)]
        return found

    # -- asking

    def check_images_of_map(self) -> None:
        """Build the layout and request every image that its export needs."""
        if self._job is None and self._map.items:
            self._map.arrivals.when_here(
                lambda: self._exporter.build_layout(lambda layout: self.check_images(layout, self._show_result)),
                self._exporter.failed.emit)

    def check_images(self, layout: QgsPrintLayout, on_checked: Callable[[preflight_requests.PreflightResponses], None],
                     as_image: bool = False) -> None:
        """Request the images of ``layout``, update the findings, then call ``on_checked``."""
        plan = self._map.plan()
        case = self._context()
        key = (case.document, case.dpi)
        unchecked, items = tuple(unchecked_names([layout])), list(self._map.items)
        layers = self._map.mirror.qgis_layers(plan)
        self.checking_changed.emit(True)
        self.busy_changed.emit(tr("Requesting the images…"))

        def done(checked: preflight_requests.PreflightResponses) -> None:
            self._end_job()
            self._last_check, self._checked_key, self._checked_items = checked, key, items
            self._came_since, self._undrawn_when_checked = False, _parts_of(self._undrawn_findings())
            self._unchecked_names = (*unchecked, *checked.unproved)
            self._checked_at = QTime.currentTime().toString("HH:mm")
            self._seconds_per_megapixel = seconds_per_megapixel(checked.trial_requests,
                                                                checked.seconds) or self._seconds_per_megapixel
            self.refresh()
            on_checked(checked)

        def failed(error: CartoguideError) -> None:
            self._end_job()
            self._exporter.failed.emit(error)

        self._job = preflight_requests.start_preflight_requests(
            layout,
            plan,
            layers,
            [case.entries[layer.entry_index].endpoint for layer in plan.layers if layer.snapshot_source is None],
            case.dpi,
            done,
            failed,
            self,
            lambda _percent, title: self.busy_changed.emit(
                tr("Requesting the images: {layer}…", layer=title) if title else tr("Requesting the images…")),
            as_image,
            {item.layer_id: item.own.id for item in self._map.own_items})

    def cancel(self) -> None:
        """Stop requesting images."""
        if self._job is not None:
            self._job.cancel()
            self._end_job()

    def _forget_check(self) -> None:
        self._last_check = None

    def _forget_failures(self, parts: Sequence[MapPart]) -> None:
        """Say no more of services and own layers that they failed when the map was checked: they have come since."""
        check = self._last_check
        if check is None:
            return
        left = tuple(trial for trial in check.trial_requests if not trial.error or not any(
            trial.own_layer == part.own.id if isinstance(part, OwnItem)
            else part in self._checked_items and trial.entry_index == self._checked_items.index(part)
            for part in parts))
        self._last_check, self._came_since = replace(check, trial_requests=left), True
        self.refresh()

    def _on_exported(self, _done: object) -> None:
        """Request legends of the picture again that did not come: those of the exported map have come since."""
        if self._legendless:
            self._request_legends()

    def _request_legends(self) -> None:
        self._legends.forget_failures()
        self.legends_requested.emit()

    def _end_job(self) -> None:
        self._job = None
        self.checking_changed.emit(False)
        self.busy_changed.emit("")

    def _show_result(self, checked: preflight_requests.PreflightResponses) -> None:
        self.checked.emit()
        if checked.complete:
            self._notifier.notify(tr("All images arrived in {seconds} s.", seconds=format_decimal(checked.seconds, 1)))

    # -- doing

    def apply_remedy(self, finding: MapFinding) -> None:
        kind, value = (finding.remedy.kind, finding.remedy.value) if finding.remedy is not None else ("", None)
        question = finding.remedy.question if finding.remedy is not None else ""
        item = self._part_of(finding)
        mirror = self._map.mirror
        of_no_service: dict[str, Callable[[], object]] = {
            RemedyKind.ADD_LAYER: lambda: mirror.put_inside(finding.layer_id),
            RemedyKind.LEAVE_OUT: lambda: mirror.put_outside(finding.layer_id),
            RemedyKind.ONE_BY_ONE: lambda: mirror.draw_one_by_one(finding.layer_id),
            RemedyKind.TREE_ORDER: mirror.draw_in_tree_order,
            RemedyKind.LOCATE: lambda: self.locate_requested.emit(finding.own_layer),
            RemedyKind.ADD_BASE: lambda: self.base_requested.emit(str(value)),
            RemedyKind.FIT: self.fit_requested.emit,
            RemedyKind.ROTATION: lambda: self.rotation_requested.emit(float(value or 0.0)),
            RemedyKind.SHOW: self._map.show_all,
            RemedyKind.CHECK: self.check_images_of_map,
            RemedyKind.LEGEND: self._request_legends,
            RemedyKind.TERMS: lambda: self._map.read_terms(finding.own_layer),
            RemedyKind.RECORD: lambda: self.record_requested.emit(str(value)),
        }
        if kind in of_no_service:
            of_no_service[kind]()
        elif kind == RemedyKind.REFRESH and finding.remedy is not None:
            for part in map(self._item_at, finding.remedy.entries) if finding.remedy.entries else (item,):
                if part is not None:
                    self._map.builds.retry(part)
        elif kind == RemedyKind.SCALE and isinstance(value, float):
            self._extent.set_scale(value)
        elif kind == RemedyKind.CRS and isinstance(value, str):
            self._map.set_crs(value)
        elif kind == RemedyKind.HIDE and finding.remedy is not None:
            self._hide(finding, finding.remedy)
        elif kind == RemedyKind.ENDPOINT and finding.remedy is not None:
            found = {self._item_at(index): address for index, address in finding.remedy.addresses}
            self._map.change_endpoints({part: address for part, address in found.items() if part is not None})
        elif item is not None:
            number = self._map.stack.index(item)
            run: dict[str, Callable[[], object]] = {
                RemedyKind.OPACITY: lambda: self._map.set_opacity(number, float(value or 0.7)),
                RemedyKind.BLEND: lambda: self._map.set_blend(number, BlendMode(value)),
                RemedyKind.BELOW: lambda: self._map.move_below(number),
                RemedyKind.REMOVE: lambda: self._map.remove(number),
            }
            if isinstance(item, OwnItem):
                run[RemedyKind.CREDIT] = lambda: self._map.set_own_credit(number, str(value or ""))
            else:
                run.update({
                    RemedyKind.MOMENT: lambda: self._map.show_moment(item, str(value)),
                    RemedyKind.EXTENT: lambda: self._set_extent_of(item),
                    RemedyKind.CREDIT: lambda: self._map.answer_credit(item, question, str(value or "")),
                })
            if kind in run:
                run[kind]()
        self.map_changed.emit()

    def _hide(self, finding: MapFinding, remedy: MapRemedy) -> None:
        """Hide the layers of a remedy, or the whole service or own layer of the finding, as one change."""
        if remedy.layers:
            names: dict[MapItem, list[str]] = {}
            for entry, name in remedy.layers:
                item = self._item_at(entry)
                if item is not None:
                    names.setdefault(item, []).append(name)
            self._map.hide_layers(names)
            return
        for part in map(self._item_at, remedy.entries) if remedy.entries else (self._part_of(finding),):
            if part is not None:
                self._map.set_visible(self._map.stack.index(part), False)

    def _part_of(self, finding: MapFinding) -> Union[MapItem, OwnItem, None]:
        """Return the service or own layer that a finding is about, None for the whole map."""
        own = next((item for item in self._map.own_items if item.own.id == finding.own_layer), None)
        return own or self._item_at(finding.entry_index)

    def _item_at(self, entry: Optional[int]) -> Optional[MapItem]:
        ordered = self._map.items
        return ordered[entry] if entry is not None and entry < len(ordered) else None

    def _set_extent_of(self, item: MapItem) -> None:
        extent = service_extent(self._map, item)
        if extent is not None:
            self._extent.set_extent(extent)


def _parts_of(findings: Sequence[MapFinding]) -> set[tuple[Optional[int], str]]:
    """Return the services, by their index, and the own layers, by their id, that findings are about."""
    return {(finding.entry_index, finding.own_layer) for finding in findings}


def _unchecked_finding(name: str, own_layer: str = "") -> MapFinding:
    return MapFinding("unchecked", Severity.NOTE, tr("The export does not check whether it arrives completely."),
                      tr("Compare the exported map with the map canvas."), name, own_layer=own_layer)

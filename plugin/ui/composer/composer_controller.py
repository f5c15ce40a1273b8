"""The composer of the custom map: its controllers, and the parts of its panel, each with the controllers it needs."""

from __future__ import annotations

import contextlib
from functools import partial
from itertools import chain
from typing import Callable, Generator, Iterator, Optional

from qgis.gui import QgsMessageBar
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal
from qgis.PyQt.QtWidgets import QWidget

from ...app.maps.document_controller import DocumentController
from ...app.maps.export_controller import ExportController
from ...app.maps.extent_controller import ExtentController
from ...app.maps.map_additions import SuggestionController
from ...app.maps.map_controller import MapController
from ...app.maps.map_document import ExtentMode
from ...app.maps.map_state import AddMode, MapItem, MapPart, layer_ids_of, title_of, without_wms_prefix
from ...app.maps.offline_controller import OfflineController
from ...app.maps.preflight_controller import PreflightController
from ...app.maps.time_series_controller import TimeSelectionController
from ...app.phrases import cancelled_text
from ...app.records.record_controller import SelectedRecord
from ...app.window import MapWindow, MessageAction, Notifier, Prompts
from ...core.cooperative_yield import run_to_end
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.preflight import MapFinding
from ...core.records.model.record import Record
from ...core.review.checks.rules import Severity
from ...core.text import list_quoted_names
from ...gis.credits.layer_metadata import listed_layers
from ...gis.export.layout_export import ExportFormat
from ...gis.pages.completeness_checks import IncompleteMap
from ...gis.previews.page_drawing import PagePicture
from ...gis.runtime.main_thread import single_shot
from .composer_panel import ComposerAction, ComposerPanel
from .export_actions import ExportActions, show_export_progress
from .findings_panel import findings_summary
from .layer_actions import LayerActions
from .offline import OfflineActions
from .page_actions import PageActions

#: milliseconds between two steps of an update, in which the window handles its events
_STEP_INTERVAL_MS = 4


class ComposerController(QObject):
    """Creates the controllers of the custom map, and keeps the composer's panel up to date.

    The page, the layers, the exports and the snapshot have their own parts, which connect their widgets themselves.
    ``map_opened`` is emitted when there is a map to see: a first service or own layer, a document, or the map of a
    project.
    """

    map_opened = pyqtSignal()
    #: carries the identifier of a record that is to be shown
    record_requested = pyqtSignal(str)

    def __init__(self, composer: ComposerPanel, map_controller: MapController, selected: SelectedRecord,
                 map_window: MapWindow, add_record: Callable[[Record, str, AddMode], None], notifier: Notifier,
                 prompts: Prompts, window: QWidget) -> None:
        """``add_record`` adds a record's service (by its endpoint). Dialogs are windows of ``window``."""
        super().__init__(window)
        self.composer, self.map = composer, map_controller
        self._map_window, self._notifier = map_window, notifier
        self.extent = ExtentController(self.map, map_window, selected, self)
        self.exporter = ExportController(self.map, map_window, prompts, partial(show_export_progress, window), self)
        self.page = PageActions(composer.page, composer.picture, self.map, self.extent, map_window, notifier, prompts,
                                window)
        self.preflight = PreflightController(self.map, self.extent, self.exporter, self.page.preview.legends, notifier,
                                             self)
        self.exporter.check_images = self.preflight.check_images
        self.offline = OfflineController(self.map, self.extent, map_window,
                                         lambda: self.preflight.seconds_per_megapixel, notifier, prompts, self)
        self.documents = DocumentController(self.map, self.offline, self.extent.canvas_place, notifier, prompts, self)
        self.time_selection = TimeSelectionController(self.map, map_window, prompts, self)
        self.suggestions = SuggestionController(self.map, add_record, self)
        self.layers = LayerActions(composer.rows, self.map, self.page.preview, self.offline, self.documents,
                                   self.time_selection, map_window, notifier, prompts, window)
        self.exports = ExportActions(composer.export.menu(), self.map, self.extent, self.exporter, notifier,
                                     self._show_export_failure, window)
        self.snapshots = OfflineActions(composer.offline, composer.offline_row, self.offline, window)
        self._refresh_timer = single_shot(self, 30, self._refresh_in_steps)
        self._step_timer = single_shot(self, _STEP_INTERVAL_MS, self._run_step)
        self._steps: Iterator[None] = iter(())
        #: closes the message of an export that was refused for issues that stop it
        self._close_refusal: Callable[[], object] = lambda: None
        #: waits for what was added to be shown
        self._when_shown: list[Callable[[], object]] = []
        self._connect_panel()
        self._connect_checks()
        self._connect_map()
        self.refresh_view()

    def _connect_panel(self) -> None:
        composer, documents = self.composer, self.documents
        composer.action_requested.connect(self._on_action)
        composer.recent_map_requested.connect(documents.open_file)
        composer.title_changed.connect(self.map.set_title)
        composer.cancel_requested.connect(self._cancel)
        composer.legend_requested.connect(self.layers.edit_legend)
        composer.export_menu_opened.connect(
            lambda: composer.show_animation_problem(self.exports.series.animation_problem()))
        composer.suggestions.add_requested.connect(self.suggestions.add_suggestion)
        self.suggestions.suggestions_changed.connect(composer.suggestions.show_suggestions)
        self.suggestions.suggestions_changed.connect(self.preflight.offer_bases)
        self.preflight.base_requested.connect(self.suggestions.add_base)
        documents.changed.connect(self.refresh_view)
        documents.opening_started.connect(self.map_opened)
        documents.file_changed.connect(composer.show_file)
        documents.opened_layers_came.connect(self.page.show_whole_frame)
        documents.restored.connect(self._on_restored)
        # what is read then is for another map
        documents.opening_started.connect(composer.page.stop_features)
        documents.restored.connect(composer.page.stop_features)
        for controller in (self.exporter, self.preflight, self.offline, self.exports.series):
            controller.busy_changed.connect(composer.show_busy)
        self.exporter.drawing_changed.connect(composer.show_drawing)
        self.map.arrivals.waiting_changed.connect(composer.show_busy)
        self.offline.progress_changed.connect(composer.show_progress)

    def _connect_checks(self) -> None:
        preflight, panel = self.preflight, self.composer.findings
        panel.check_requested.connect(preflight.check_images_of_map)
        panel.remedy_requested.connect(preflight.apply_remedy)
        preflight.findings_changed.connect(self._show_findings)
        preflight.checking_changed.connect(panel.show_busy)
        preflight.checked.connect(lambda: panel.set_expanded(True))
        preflight.map_changed.connect(self.refresh_view)
        preflight.legends_requested.connect(self.page.preview.refresh)
        self.page.preview.picture_changed.connect(self._show_page_issues)
        self.exporter.opened.connect(self._point_to_issues)
        preflight.record_requested.connect(self.record_requested)
        self.composer.rows.record_requested.connect(self._show_record_of)
        preflight.locate_requested.connect(self.layers.own_layers.ask_file_of)
        preflight.fit_requested.connect(self.page.fit)
        preflight.rotation_requested.connect(self.page.frame.turn)

    def _show_record_of(self, number: int) -> None:
        part = self.map.stack[number]
        record = self.map.record_of(part) if isinstance(part, MapItem) else None
        if record is not None:
            self.record_requested.emit(record.id)
        else:
            self._notifier.show_warning(tr("The library does not have the record of “{title}” any more.",
                                           title=title_of(part)))

    def _connect_map(self) -> None:
        refresh_soon = self._refresh_timer.start
        self.map.changed.connect(refresh_soon)
        self.map.changed.connect(self._clear_canvas)
        self.map.failed.connect(self._notifier.show_error)
        self.map.builds.addition_failed.connect(
            lambda title, error, again: self._notifier.show_error(error, again, title))
        self.map.login_withheld.connect(
            lambda item, error: self._notifier.show_error(error, lambda: self.map.builds.reload(item)))
        self.map.warned.connect(self._notifier.show_warning)
        self.map.builds.states_changed.connect(self._show_states)
        self.map.added.connect(self._on_added)
        self.map.renewed.connect(lambda item: self._notifier.notify(
            tr("“{title}” is on the map already.", title=without_wms_prefix(item.entry.title))))
        self.map.mirror.lowered.connect(self._on_lowered)
        self.map.reset.connect(self._when_shown.clear)
        self.map.page_placed.connect(refresh_soon)
        self.map.built.connect(lambda _item: refresh_soon())
        self.map.adding_changed.connect(lambda _on: refresh_soon())
        self.map.session.service_changed.connect(lambda _endpoint: refresh_soon())
        self.map.session.terms_changed.connect(lambda _record: refresh_soon())
        self.map.custom_map.changed.connect(self._show_history)
        self.documents.changed.connect(self._show_history)
        self.extent.changed.connect(self.refresh_view)
        canvas = self._map_window.canvas
        if canvas is not None:
            canvas.extentsChanged.connect(self._on_canvas_moved)
            self.map.builds.states.follow_canvas(canvas)

    def close(self) -> None:
        """Stop listening to the project and the map canvas, which outlive the dock."""
        # a service that comes late would start it again
        self._refresh_timer.timeout.disconnect(self._refresh_in_steps)
        self._step_timer.stop()
        self.layers.close()
        self.page.close()
        self.documents.close()
        self.time_selection.series_visibility.close()
        self.map.close()
        canvas = self._map_window.canvas
        if canvas is not None:
            # a canvas that came later was never connected
            with contextlib.suppress(TypeError):
                canvas.extentsChanged.disconnect(self._on_canvas_moved)

    # -- showing

    def refresh_view(self) -> None:
        """Show the map's rows, page, credits, findings and suggestions as they are now."""
        self._step_timer.stop()
        run_to_end(self._view_steps())

    def _view_steps(self) -> Generator[None, None, None]:
        # first: whoever sees the rows of the map sees what is true of it
        self.preflight.refresh()
        yield
        self.composer.show_rows(self.layers.row_states())
        self.composer.show_title(self.map.chosen.title or (self.map.title() if self.map.stack else ""))
        self.layers.refresh()
        self.page.refresh()
        self.page.show_missing(self.layers.unavailable.parts())
        self.composer.show_credits(self.map.credit_lines())
        self._announce()
        self.suggestions.refresh()
        self.offline.refresh()
        self.map.save_to_project()

    def _show_history(self) -> None:
        history = self.map.custom_map.history
        self.composer.show_history(history.undo_label, history.redo_label)

    def _show_states(self) -> None:
        """Show how far each service is in its row, in the layer tree and on the picture of the page."""
        self.composer.show_rows(self.layers.row_states())
        self.layers.refresh()
        self.page.show_missing(self.layers.unavailable.parts())
        self.preflight.show_states()

    def _point_to_issues(self, bar: Optional[QgsMessageBar]) -> None:
        """Say in the window of the layout, which may lie above the dock, that the map has issues."""
        findings = self.composer.findings.findings
        # notes alone are nothing to be warned of
        if bar is not None and any(finding.is_problem for finding in findings):
            self._notifier.part(bar).show_warning_with_action(
                tr("Issues of this map: {words}.", words=findings_summary(findings)), tr("Show the issues"),
                self._open_issues)

    def _show_page_issues(self, picture: Optional[PagePicture]) -> None:
        """Show in issues and rows what the page says of itself, and which services lack legends."""
        if picture is None or picture.is_complete:
            self.preflight.show_page_notes(picture.notes if picture is not None else ())
        if self.map.stack and self.preflight.has_other_legends:
            self._show_states()

    def _clear_canvas(self) -> None:
        """Draw the canvas again without the map that was removed. QGIS keeps the picture if no layer is left."""
        if not self.map.stack and not listed_layers(self.map.project):
            QTimer.singleShot(0, self._map_window.refresh)

    def _refresh_in_steps(self) -> None:
        """Do what ``refresh_view`` does, and before what is slow the first time, in steps that let the window respond.
        """
        self._steps = chain(self.preflight.prepare(), self._view_steps())
        self._step_timer.start()

    def _run_step(self) -> None:
        with contextlib.suppress(StopIteration):
            next(self._steps)
            self._step_timer.start()

    def _show_findings(self, findings: list[MapFinding], state: str) -> None:
        self.composer.findings.setVisible(bool(self.map.stack))
        self.composer.findings.show_findings(findings, state)
        if not self._has_errors():
            self._close_refusal()

    def _has_errors(self) -> bool:
        return any(finding.severity is Severity.ERROR for finding in self.composer.findings.findings)

    def _show_export_failure(self, error: CartoguideError, export_again: Callable[[], object]) -> None:
        """Show why a map was not exported. What an issue says leads to it, and is closed when there is none any more.
        """
        if not isinstance(error, IncompleteMap) or self.layers.unavailable.parts() or not self._has_errors():
            self.layers.unavailable.show_failure(error, export_again)
            return
        first, *rest = error.problems
        self._close_refusal = self._notifier.show_warning_with_actions(
            f"{tr('The map was not exported.')} {first}", [MessageAction(tr("Show the issues"), self._open_issues)],
            "\n".join(filter(None, [*rest, error.detail])))

    def _open_issues(self) -> None:
        self.map_opened.emit()
        self.composer.findings.set_expanded(True)
        # the window of a layout may lie above it
        self.composer.window().raise_()
        self.composer.window().activateWindow()

    def _on_canvas_moved(self) -> None:
        if self.extent.mode is ExtentMode.CANVAS and self.map.stack:
            self._refresh_timer.start()
            self.page.preview.refresh()

    def _on_restored(self) -> None:
        self.map_opened.emit()
        self.refresh_view()

    def _on_added(self, item: MapPart) -> None:
        # of an own layer, who added it says so: the layer may have been in the project before
        if isinstance(item, MapItem) and not self.map.adding:
            text = tr("%n layer(s) added: {title}", n=len(item.layer_ids), title=without_wms_prefix(item.entry.title))
            self._when_shown.append(partial(self._notifier.notify, text, tr("Undo"),
                                            self.map.undo_of_addition(layer_ids_of(item))))
        if len(self.map.items if isinstance(item, MapItem) else self.map.stack) == 1:
            self._when_shown.append(self.map_opened.emit)
        self._refresh_timer.start()

    def _on_lowered(self, hidden: list[str]) -> None:
        text = tr("The base lies below what was in the project, so that it covers nothing of it.") if not hidden else \
            tr("The base lies below what was in the project but covers its lowest images: {names}.",
               names=list_quoted_names(hidden))
        self._when_shown.append(partial(self._notifier.notify, text))

    def _announce(self) -> None:
        """Say what was added. Until the composer shows it, the words that it is empty would stand beside."""
        while self._when_shown:
            self._when_shown.pop(0)()

    # -- actions

    def _on_action(self, action: ComposerAction) -> None:
        run: dict[ComposerAction, Callable[[], object]] = {
            ComposerAction.SAVE: self.documents.save, ComposerAction.SAVE_AS: self.documents.save_as,
            ComposerAction.OPEN: self.documents.open, ComposerAction.NEW: self.documents.new,
            ComposerAction.UNDO: self.map.undo, ComposerAction.REDO: self.map.redo,
            ComposerAction.LAYOUT: self.exporter.open_layout, ComposerAction.SERIES: self.exports.ask_scales,
            ComposerAction.ATLAS: self.exports.ask_atlas, ComposerAction.ANIMATION: self.exports.ask_animation,
            ComposerAction.STAMPED: lambda: self.exports.export(ExportFormat.PDF, stamped=True),
            ComposerAction.SNAPSHOT: self.snapshots.ask_snapshot,
            ComposerAction.ADD_OWN_LAYER: self.layers.own_layers.ask_layer
        }
        run.get(action, lambda: self.exports.export(ExportFormat(action.value)))()

    def _cancel(self) -> None:
        what = self.composer.busy_label.text()
        self.map.arrivals.forget()
        for controller in (self.preflight, self.offline, self.exports.series, self.exporter):
            controller.cancel()
        self._notifier.notify(cancelled_text(what))

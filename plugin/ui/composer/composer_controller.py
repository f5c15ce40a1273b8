"""The composer's widgets connected with the custom map: its page, its layers, its documents and its exports."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from typing import Any, Callable, Optional

from qgis.core import QgsFeedback, QgsLayerTreeNode
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtWidgets import QProgressDialog, QWidget

from ...app.maps.document_controller import DocumentController
from ...app.maps.export_controller import ExportController
from ...app.maps.extent_controller import ExtentController
from ...app.maps.map_additions import SuggestionController
from ...app.maps.map_controller import MapController
from ...app.maps.map_document import ExtentMode
from ...app.maps.map_series_controller import MapSeriesController
from ...app.maps.map_state import (
    MapItem,
    MapPart,
    OwnItem,
    ServiceRemedy,
    base_first,
    without_wms_prefix,
)
from ...app.maps.offline_controller import OfflineController
from ...app.maps.preflight_controller import PreflightController
from ...app.maps.time_series_controller import TimeSelectionController
from ...app.maps.unavailable_services import UnavailableServices
from ...app.page.legend_controller import LegendController
from ...app.page.page_frame_controller import PageFrame, PageFrameController
from ...app.page.page_preview_controller import PagePreviewController
from ...app.page.row_legend_controller import RowLegendController
from ...app.page.template_gallery_controller import TemplateGalleryController
from ...app.records.record_controller import SelectedRecord
from ...app.window import MapWindow, Notifier, Prompts
from ...core.addresses import without_secrets
from ...core.custommap import undo_history
from ...core.custommap.model import PageSetup
from ...core.custommap.undo_history import Change
from ...core.dates import format_day
from ...core.i18n import tr
from ...core.preflight import MapFinding
from ...core.publication.map_citation import map_citation, map_work
from ...core.records.model.record import Record
from ...core.review.report.bibliography import CitationFormat, citation, record_work, written_citations
from ...core.text import inert
from ...gis.export import atlas
from ...gis.export.layout_export import ExportedMap, ExportFormat
from ...gis.pages import map_book
from ...gis.pages.unchecked_layers import unchecked_text
from ...gis.runtime import settings
from ..legend import LegendEditor
from ..record.record_view import add_citation_menu
from ..service.add_layers_dialog import AddLayersDialog
from .composer_panel import ComposerAction, ComposerPanel, OfflineAction
from .extent_dialog import CentreScaleDialog, PolygonExtentDialog
from .map_series_dialog import AnimationDialog, MapSeriesDialog
from .own_layer_dialogs import OwnLayerActions
from .page_frame_tool import PageFrameDisplay
from .snapshot_dialog import SnapshotDefaults, SnapshotDialog
from .template_gallery import TemplateGallery
from .tree_indicators import TreeIndicators

#: milliseconds between two steps of an update, in which the window handles its events
_STEP_INTERVAL_MS = 4


class ComposerController(QObject):
    """Creates the controllers of the custom map and keeps the composer's widgets up to date.

    ``map_opened`` is emitted when there is a map to see: a first service, a document, or the map of a project.
    """

    map_opened = pyqtSignal()

    def __init__(self, composer: ComposerPanel, map_controller: MapController, selected: SelectedRecord,
                 map_window: MapWindow, add_record: Callable[[Record, str], None], notifier: Notifier,
                 prompts: Prompts, window: QWidget) -> None:
        """``add_record`` adds a record's service (by its endpoint). Dialogs are windows of ``window``."""
        super().__init__(window)
        self.composer, self.map = composer, map_controller
        self._map_window, self._notifier, self._window = map_window, notifier, window
        self.extent = ExtentController(self.map, map_window, selected, self)
        self.exporter = ExportController(self.map, map_window, prompts, partial(show_export_progress, window), self)
        self.preflight = PreflightController(self.map, self.extent, self.exporter, notifier, self)
        self.offline = OfflineController(self.map, self.extent, map_window,
                                         lambda: self.preflight.seconds_per_megapixel, notifier, prompts, self)
        self.documents = DocumentController(self.map, self.offline, notifier, prompts, self)
        self.map_series = MapSeriesController(self.map, self.extent, self.exporter, notifier, self)
        self.time_selection = TimeSelectionController(self.map, map_window, prompts, self)
        self.unavailable = UnavailableServices(self.map, self.offline.toggle_snapshot, notifier, self)
        self.indicators = TreeIndicators(lambda: map_window.layer_tree_view,
                                         lambda: self.unavailable.show_message(self.unavailable.items()), self)
        self.own_layers = OwnLayerActions(self.map, prompts, window)
        self.preflight.locate_requested.connect(self.own_layers.ask_file_of)
        self.page_preview = PagePreviewController(self.map, self.extent, self)
        self.legends = RowLegendController(self.map, self.page_preview, self)
        self.page_legend = LegendController(self.map, self.page_preview, self)
        composer.page.attach(self.map, notifier, prompts)
        #: while it is open
        self.legend_editor: Optional[LegendEditor] = None
        self.template_pages = TemplateGalleryController(self.map, self.extent, self)
        #: while it is open
        self.gallery: Optional[TemplateGallery] = None
        self.page_frame = PageFrameController(self.map, self.extent, self)
        #: made when there is a canvas and somebody looks at the composer
        self.frame_display: Optional[PageFrameDisplay] = None
        self.suggestions = SuggestionController(self.map, add_record, self)
        self.snapshot_dialog: Optional[SnapshotDialog] = None
        self.exporter.check_images = self.preflight.check_images
        #: the canvas is going to show the whole frame, once QGIS has zoomed it to its first layer
        self._is_page_to_show = False
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.setInterval(30)
        self._refresh_timer.timeout.connect(self._prepare_refresh)
        self._step_timer = QTimer(self)
        self._step_timer.timeout.connect(self._run_step)
        self._steps: list[Callable[[], object]] = []
        self._connect_widgets()
        self._connect_map()
        self._connect_exports()
        self.refresh_view()

    def _connect_widgets(self) -> None:
        composer, rows, page = self.composer, self.composer.rows, self.composer.page
        composer.action_requested.connect(self._on_action)
        composer.recent_map_requested.connect(self.documents.open_file)
        composer.title_changed.connect(self.map.set_title)
        composer.cancel_requested.connect(self._cancel)
        rows.opacity_changed.connect(self.map.set_opacity)
        rows.blend_requested.connect(self.map.set_blend)
        rows.visible_changed.connect(self.map.set_visible)
        rows.role_requested.connect(self.map.set_role)
        rows.move_requested.connect(self.map.move)
        rows.remove_requested.connect(self.map.remove)
        rows.layers_requested.connect(self._choose_layers)
        rows.time_requested.connect(self.time_selection.ask_time)
        rows.remedy_requested.connect(self._apply_remedy)
        rows.credit_requested.connect(self.own_layers.ask_credit)
        rows.locate_requested.connect(self.own_layers.ask_file)
        rows.legend_requested.connect(lambda number: self._show_legend(number, fetch=True))
        rows.legend_edit_requested.connect(lambda number: self._edit_legend(self.map.stack[number]))
        composer.legend_requested.connect(self._edit_legend)
        self.legends.changed.connect(self._on_legend_changed)
        page.page_changed.connect(self._on_page_changed)
        page.extent_changed.connect(self._on_extent_changed)
        page.scale_changed.connect(self.extent.set_scale)
        page.language_changed.connect(self._on_language_changed)
        composer.picture.watched.connect(self.page_preview.set_watched)
        composer.picture.watched.connect(lambda on, _width: self._show_frame_while(on))
        page.fit_requested.connect(self._fit_page)
        page.feature_changed.connect(self._on_feature_changed)
        # what is read then is for another map
        self.documents.opening_started.connect(page.stop_features)
        self.documents.restored.connect(page.stop_features)
        page.frame_toggled.connect(self._on_frame_toggled)
        page.gallery_requested.connect(self._open_gallery)
        self.page_frame.changed.connect(self._show_page_share)
        self.page_preview.picture_changed.connect(composer.picture.show_picture)
        self.page_preview.drawing_changed.connect(composer.picture.show_drawing)
        self.page_preview.failed.connect(composer.picture.show_problem)
        composer.findings.check_requested.connect(self.preflight.check_images_of_map)
        composer.findings.remedy_requested.connect(self.preflight.apply_remedy)
        composer.suggestions.add_requested.connect(self.suggestions.add_suggestion)
        composer.offline.action_requested.connect(self._on_offline_action)
        composer.offline_row.switch_requested.connect(self.offline.toggle_snapshot)
        add_citation_menu(composer.export.menu(), self._citation, self._notifier)

    def _connect_map(self) -> None:
        refresh_soon = self._refresh_timer.start
        self.map.changed.connect(refresh_soon)
        self.map.changed.connect(self._clear_canvas)
        self.map.failed.connect(self._notifier.show_error)
        self.map.login_withheld.connect(
            lambda item, error: self._notifier.show_error(error, lambda: self.map.builds.reload(item)))
        self.map.warned.connect(self._notifier.show_warning)
        self.map.added.connect(self._on_added)
        self.map.page_placed.connect(self._show_placed_page)
        self.map.built.connect(lambda _item: refresh_soon())
        self.map.removed.connect(self._on_removed)
        self.map.adding_changed.connect(lambda _on: refresh_soon())
        self.map.session.service_changed.connect(lambda _endpoint: refresh_soon())
        self.map.session.terms_changed.connect(lambda _record: refresh_soon())
        custom_map = self.map.custom_map
        custom_map.changed.connect(
            lambda: self.composer.show_history(custom_map.undo_label, custom_map.redo_label))
        self.extent.changed.connect(self.refresh_view)
        self.documents.changed.connect(self.refresh_view)
        self.documents.opening_started.connect(self.map_opened)
        self.documents.file_changed.connect(self.composer.show_file)
        self.documents.restored.connect(self._on_restored)
        self.suggestions.suggestions_changed.connect(self.composer.suggestions.show_suggestions)
        canvas = self._map_window.canvas
        if canvas is not None:
            canvas.extentsChanged.connect(self._on_canvas_moved)

    def _connect_exports(self) -> None:
        self.composer.export_menu_opened.connect(
            lambda: self.composer.show_animation_problem(self.map_series.animation_problem()))
        show_busy = self.composer.show_busy
        for controller in (self.exporter, self.preflight, self.offline, self.map_series):
            controller.busy_changed.connect(show_busy)
        self.exporter.failed.connect(self._notifier.show_error)
        self.exporter.warned.connect(self._notifier.show_warning)
        self.exporter.finished.connect(self._on_exported)
        self.preflight.findings_changed.connect(self._show_findings)
        self.preflight.checking_changed.connect(self.composer.findings.show_busy)
        self.preflight.checked.connect(lambda: self.composer.findings.set_expanded(True))
        self.preflight.map_changed.connect(self.refresh_view)
        self.offline.state_changed.connect(self._show_snapshot_state)

    def close(self) -> None:
        """Stop listening to the project and the map canvas, which outlive the dock."""
        self._refresh_timer.stop()
        self._step_timer.stop()
        self.indicators.clear()
        self.page_preview.close()
        self.composer.page.stop_features()
        self.legends.close()
        self.template_pages.close()
        for dialog in (self.gallery, self.legend_editor):
            if dialog is not None:
                dialog.close()
        if self.frame_display is not None:
            self.frame_display.close()
            self.frame_display = None
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
        state = self.map.chosen
        self.composer.show_rows([part.row_state() if isinstance(part, OwnItem) else
                                 replace(part.row_state(), remedies=self.unavailable.remedies(part))
                                 for part in self.map.stack])
        self._show_indicators()
        self.composer.show_title(state.title or (self.map.title() if self.map.stack else ""))
        self.composer.picture.expect(state.page.orientation)
        self.composer.page.show_page(state.page, self.extent.mode, state.scale, self.map.crs(), self.map.language())
        if self.gallery is not None:
            self.gallery.show_page(state.page)
        if self.legend_editor is not None:
            self.legend_editor.show_tree()
        self.composer.show_credits(self._credits())
        self.page_frame.refresh()
        if self._is_page_to_show and self.frame_display is not None:
            self._is_page_to_show = False
            self.frame_display.show_whole()
        self.preflight.refresh()
        self.suggestions.refresh()
        self.offline.refresh()
        self.map.save_to_project()

    def _clear_canvas(self) -> None:
        """Draw the canvas again without the map that was removed. QGIS keeps the picture if no layer is left."""
        if not self.map.stack and not self.map.project.mapLayers():
            QTimer.singleShot(0, self._map_window.refresh)

    def _show_indicators(self) -> None:
        """Show in the layer tree which services are missing: beside their layers, else beside the map's group."""
        root = self.map.project.layerTreeRoot()
        nodes: list[tuple[QgsLayerTreeNode, str]] = []
        for item in self.unavailable.items():
            text = tr("“{title}”: {problem}.", title=without_wms_prefix(item.entry.title), problem=item.problem)
            own = [root.findLayer(layer_id) for layer_id in item.layer_ids.values()]
            nodes.extend((node, text) for node in own or [self.map.mirror.find_group()] if node is not None)
        self.indicators.show(nodes)

    def _prepare_refresh(self) -> None:
        """Run what is slow the first time before ``refresh_view``, in steps between which the window responds."""
        self._steps = [*self.preflight.preparation_steps(), self.refresh_view]
        self._step_timer.start(_STEP_INTERVAL_MS)

    def _run_step(self) -> None:
        self._steps.pop(0)()

    def _show_findings(self, findings: list[MapFinding], state: str) -> None:
        self.composer.findings.setVisible(bool(self.map.stack))
        self.composer.findings.show_findings(findings, state)

    def _show_snapshot_state(self, has_map: bool, has_snapshot: bool, in_use: bool, day: str, lacking: int) -> None:
        self.composer.offline.show_state(has_map, has_snapshot, in_use)
        self.composer.offline_row.show_state(has_snapshot, in_use, day, lacking)

    def _on_canvas_moved(self) -> None:
        if self.extent.mode is ExtentMode.CANVAS and self.map.stack:
            self._refresh_timer.start()
            self.page_preview.refresh()

    def _on_restored(self) -> None:
        self.map_opened.emit()
        self.refresh_view()

    def _credits(self) -> list[str]:
        """Return the credit lines of the visible services and own layers, topmost first, each once."""
        items = base_first(self.map.items)
        credits = dict(zip(map(id, items), self.map.plan().credits if items else ()))
        lines = [line for part in reversed(self.map.stack) if part.row_state().visible
                 for line in ((part.own.credit,) if isinstance(part, OwnItem) else credits[id(part)].lines)]
        return list(dict.fromkeys(line for line in lines if line))

    def _citation(self, citation_format: CitationFormat) -> str:
        """Return the citations of the map and of what its services' records describe."""
        today = datetime.now(timezone.utc).date()
        work = map_work(self.map.document(), self._credits(), today)
        works, texts = [work], [map_citation(work)]
        for item in self.map.items:
            record = self.map.record_of(item) or self.map.stored.record(item.entry.endpoint)
            if record is not None:
                address = without_secrets(self.map.session.catalogue_page(record.id or "") or item.entry.endpoint)
                works.append(record_work(record, address, today))
                texts.append(citation(record, address, format_day(today.isoformat())))
        return written_citations(citation_format, works, texts)

    # -- actions

    def _on_action(self, action: ComposerAction) -> None:
        run: dict[ComposerAction, Callable[[], object]] = {
            ComposerAction.SAVE: self.documents.save, ComposerAction.SAVE_AS: self.documents.save_as,
            ComposerAction.OPEN: self.documents.open,
            ComposerAction.NEW: self.documents.new, ComposerAction.UNDO: self.map.undo,
            ComposerAction.REDO: self.map.redo, ComposerAction.SERIES: self._ask_scales,
            ComposerAction.ATLAS: self._ask_atlas, ComposerAction.ANIMATION: self._ask_animation,
            ComposerAction.SNAPSHOT: self.open_snapshot_dialog,
            ComposerAction.ADD_OWN_LAYER: self.own_layers.ask_layer
        }
        run.get(action, partial(self._export, action))()

    def _on_offline_action(self, action: OfflineAction) -> None:
        run: dict[OfflineAction, Callable[[], object]] = {
            OfflineAction.TAKE: self.open_snapshot_dialog, OfflineAction.SWITCH: self.offline.toggle_snapshot,
            OfflineAction.PACK: self.offline.ask_package_path,
            OfflineAction.UNPACK: self.offline.ask_and_open_package
        }
        run[action]()

    def _cancel(self) -> None:
        self.preflight.cancel()
        self.offline.cancel()
        self.map_series.cancel()
        self.exporter.cancel()

    def _on_added(self, item: MapItem) -> None:
        if len(self.map.items) == 1:
            self.map_opened.emit()
        self._refresh_timer.start()
        if not self.map.adding:
            self._notifier.notify(
                tr("%n layer(s) added: {title}", n=len(item.layer_ids), title=without_wms_prefix(item.entry.title)))

    def _on_removed(self, item: MapPart, index: int) -> None:
        def put_back() -> None:
            self.map.insert(item if isinstance(item, OwnItem) else MapItem(item.entry, item.role), index)

        title = item.own.name if isinstance(item, OwnItem) else item.entry.title
        self._notifier.notify(tr("“{title}” removed from the map.", title=title), tr("Undo"), put_back)

    def _service_at(self, number: int) -> MapItem:
        """Return the service in a row. Rows of own layers have no actions that need one."""
        part = self.map.stack[number]
        if not isinstance(part, MapItem):
            raise LookupError(number)
        return part

    def _apply_remedy(self, number: int, remedy: ServiceRemedy) -> None:
        part = self.map.stack[number]
        if isinstance(part, MapItem):
            self.unavailable.apply(remedy, [part])
        elif remedy is ServiceRemedy.OPEN:
            self.documents.ask_to_open(part)
        else:
            self.map.builds.retry_own_layer(part)

    def _choose_layers(self, index: int) -> None:
        """Let the person choose other layers and styles of a service on the map."""
        item = self._service_at(index)
        service = self.map.service_of(item.entry)
        if service is None:
            self.map.builds.reload(item)
            return
        dialog = AddLayersDialog(without_wms_prefix(item.entry.title), service, self.map.crs(), item.role,
                                 item.entry.layers or None, self._window)
        dialog.set_styles(dict(zip(item.entry.layers, item.entry.styles)))
        dialog.chosen.connect(lambda choice: self.map.change_layers(item, choice))
        dialog.load_images(item.entry.endpoint, ())
        dialog.show()

    def _show_legend(self, number: int, fetch: bool = False) -> None:
        if 0 <= number < len(self.map.stack):
            self.composer.rows.show_legend(number, self.legends.legend(self.map.stack[number], fetch))

    def _on_legend_changed(self, part: MapPart) -> None:
        if part in self.map.stack:
            self._show_legend(self.map.stack.index(part))

    def _edit_legend(self, part: Optional[MapPart] = None) -> None:
        """Open the editor of the page's legend, with the layers of ``part`` chosen. There is one editor."""
        if self.legend_editor is None:
            self.legend_editor = LegendEditor(self.page_legend, self._window)
            self.legend_editor.finished.connect(self._forget_legend_editor)
        if part is not None:
            self.legend_editor.select(self.page_legend.references_of(part))
        self.legend_editor.show()
        self.legend_editor.raise_()
        self.legend_editor.activateWindow()
        self.legend_editor.tree.setFocus()

    def _forget_legend_editor(self, _result: int) -> None:
        self.legend_editor = None

    # -- the page

    def _on_page_changed(self, page: PageSetup) -> None:
        before = self.map.chosen.page
        # the form has no field for the rest of the page
        fields = {name: getattr(page, name) for name in ("paper", "orientation", "template", "rotation", "theme")}
        changed = [name for name, value in fields.items() if value != getattr(before, name)]
        labels = {"rotation": tr("rotation of the page"), "theme": tr("theme of the page")}
        self._change_page(Change(labels.get(" ".join(changed), tr("page"))), **fields)

    def _change_page(self, change: Change, **fields: Any) -> None:
        self.map.commit(change, page=replace(self.map.chosen.page, **fields))

    def _on_feature_changed(self, name: str, value: Any) -> None:
        feature = self.composer.page.features[name].feature
        self._change_page(undo_history.page_feature(feature), **{feature.member: value})

    def _on_extent_changed(self, mode: ExtentMode) -> None:
        if mode is ExtentMode.POLYGON:
            polygon_dialog = PolygonExtentDialog(self.map.project, self._window)
            polygon_dialog.chosen.connect(self.extent.set_extent)
            polygon_dialog.show()
            self.refresh_view()
        elif mode is ExtentMode.CENTRE:
            centre_dialog = CentreScaleDialog(self.extent.current_centre(), self.map.chosen.scale, self._window)
            centre_dialog.chosen.connect(self.extent.set_centre)
            centre_dialog.show()
            self.refresh_view()
        else:
            self.extent.set_mode(mode)

    def _show_page_share(self, frame: Optional[PageFrame]) -> None:
        self.composer.page.show_share(frame.share if frame is not None else None)

    def _show_frame_while(self, watched: bool) -> None:
        canvas = self._map_window.canvas
        if self.frame_display is None and watched and canvas is not None:
            self.frame_display = PageFrameDisplay(canvas, self.page_frame, self)
            self.frame_display.tool_changed.connect(self.composer.page.frame.setChecked)
            self.frame_display.tool_changed.connect(self._show_share_again)
            self.frame_display.hint.connect(self.composer.page.meter.show_text)
        if self.frame_display is not None:
            self.frame_display.set_watched(watched)

    def _show_placed_page(self) -> None:
        self._is_page_to_show = True
        self._refresh_timer.start()

    def _show_share_again(self, is_moving: bool) -> None:
        """Show the share of the base instead of the hint once the page is not moved any more."""
        if not is_moving:
            self._show_page_share(self.page_frame.frame)

    def _on_frame_toggled(self, on: bool) -> None:
        if self.frame_display is not None:
            self.frame_display.set_active(on)

    def _fit_page(self) -> None:
        self.page_frame.refresh()
        if not self.page_frame.fit():
            self._notifier.show_warning(tr("The extent of the base is not known, so the page cannot be fitted to it."))
        elif self.frame_display is not None:
            self.frame_display.show_whole()

    def _open_gallery(self) -> None:
        """Show all templates with this map. There is one gallery, which a second request brings to the front."""
        if self.gallery is None:
            self.gallery = TemplateGallery(self.template_pages, self.map.chosen.page, self._window)
            self.gallery.chosen.connect(self._on_page_changed)
            self.gallery.finished.connect(self._forget_gallery)
        self.gallery.show()
        self.gallery.raise_()

    def _forget_gallery(self, _result: int) -> None:
        self.gallery = None

    def _on_language_changed(self, language: str) -> None:
        self.map.commit(Change(tr("language of the map")), language=language)

    # -- snapshots, layouts and exports

    def open_snapshot_dialog(self) -> None:
        """Ask what a snapshot of the map covers, then take it."""
        if not self.offline.can_take_snapshot:
            return
        defaults = SnapshotDefaults(self.offline.available_extents(), (self.offline.default_scale(),),
                                    settings.get("export_dpi"), self.offline.default_folder())
        self.snapshot_dialog = SnapshotDialog(defaults, self.offline.prepare, self._window)
        self.snapshot_dialog.chosen.connect(self.offline.take_snapshot)
        self.snapshot_dialog.show()

    def _ask_scales(self) -> None:
        dialog = MapSeriesDialog(None, self.map.chosen.scale, self._window)
        dialog.scales_chosen.connect(self.map_series.export_scales)
        dialog.show()

    def _ask_animation(self) -> None:
        count = self.map_series.animation_length()
        if count:
            dialog = AnimationDialog(count, self._window)
            dialog.seconds_chosen.connect(self.map_series.export_animation)
            dialog.show()

    def _ask_atlas(self) -> None:
        dialog = MapSeriesDialog(atlas.polygon_layers(self.map.project), self.map_series.grid_scale(), self._window,
                                 lambda scale, overlap: len(self.map_series.grid_features(scale, overlap)),
                                 map_book.layers_with_names(self.map.project))
        dialog.layer_chosen.connect(self.map_series.export_features)
        dialog.grid_chosen.connect(self.map_series.export_grid)
        dialog.show()

    def _export(self, action: ComposerAction) -> None:
        """Open the layout, or ask for a file and export to the format that ``action`` names."""
        if action is ComposerAction.LAYOUT:
            self.exporter.open_layout()
            return
        stamped = action is ComposerAction.STAMPED
        export_format = ExportFormat.PDF if stamped else ExportFormat(action.value)
        path = self.exporter.ask_path(export_format)
        if path is not None:
            self.exporter.export(export_format, path, stamp=stamped)

    def _on_exported(self, done: ExportedMap) -> None:
        from ..widgets.rich_text import open_file

        path = done.files[0]
        said = [tr("Exported as {name}.", name=path.name), unchecked_text(done.unchecked)]
        # an export takes long, and the person may look elsewhere meanwhile
        self._notifier.notify(" ".join(filter(None, said)), tr("Open"), lambda: open_file(path), stays=True)


def show_export_progress(window: QWidget, name: str, feedback: QgsFeedback) -> Callable[[], None]:
    """Show the progress of ``feedback`` in a dialog with a Cancel button, and return a function that closes it.

    Modal, because QGIS renders on the main thread.
    """
    progress = QProgressDialog(inert(tr("Drawing {name}…", name=name)), tr("Cancel"), 0, 100, window)
    progress.setWindowTitle(tr("Cartoguide: export"))
    progress.setWindowModality(Qt.WindowModality.ApplicationModal)
    progress.setMinimumDuration(300)
    progress.canceled.connect(feedback.cancel)

    def report(percent: float) -> None:
        # its window may be closed while it is shown
        if not sip.isdeleted(progress):
            progress.setValue(int(percent))

    feedback.progressChanged.connect(report)
    report(0.0)

    def close() -> None:
        if not sip.isdeleted(progress):
            progress.reset()
            progress.deleteLater()

    return close

"""What the composer's widgets ask for, done: pages, layers, layout, export; and what they show, kept up to date."""

from __future__ import annotations

import contextlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Optional

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QObject, QTimer
from qgis.PyQt.QtWidgets import QFileDialog, QWidget

from ...app.maps.export_controller import ExportController
from ...app.maps.extent_mode import CANVAS, CENTRE, KEPT, POLYGON
from ...app.maps.layer_choice import LayerChoice
from ...app.maps.map_controller import MapController
from ...app.maps.map_extent import extent_for_mode
from ...app.maps.map_history import MapHistory
from ...app.maps.map_state import MapItem, without_wms_prefix
from ...core.custommap.model import CustomMap, MapExtent, PageSetup
from ...core.errors import CartoguideError
from ...core.files import safe_file_name
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...gis.export.layout_export import EXPORT_FORMATS
from ...gis.runtime import settings
from ..composer.composer_panel import ATLAS, LAYOUT, NEW, OPEN, REDO, SAVE, SERIES, STAMPED, UNDO
from ..composer.extent_dialog import CentreScaleDialog, PolygonExtentDialog
from ..composer.offline_controls import TAKE
from ..service.add_layers_dialog import AddLayersDialog
from .document_controller import DocumentController
from .map_series_controller import MapSeriesController
from .offline_controller import OfflineController
from .preflight_controller import PreflightController
from .project_sync import ProjectSync
from .suggestion_controller import SuggestionController
from .time_selection_controller import TimeSelectionController

if TYPE_CHECKING:
    from .dock_widget import CartoguideDock

#: milliseconds that the window has between two pieces of work
_STEP_INTERVAL_MS = 4


class ComposerController(QObject):
    """Connects the composer with the map and the project."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self.window: QWidget = dock
        self.composer = dock.composer
        self.map = MapController(dock.session, parent=self)
        self.exporter = ExportController(self.map, dock.iface, dock, self)
        self.history = MapHistory(self.map, self)
        self.documents = DocumentController(self)
        self.preflight = PreflightController(self)
        self.map_series = MapSeriesController(self)
        self.offline = OfflineController(self)
        self.time_selection = TimeSelectionController(self, dock)
        self.suggestions = SuggestionController(
            self, lambda record, endpoint: dock.record_controller.add_record(record, endpoint))
        self.project_sync = ProjectSync(self)
        self.exporter.check_images = self.preflight.check_images
        self.map.state.page = PageSetup(settings.get("paper"), settings.get("orientation"), settings.get("template"))
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.setInterval(30)
        self._refresh_timer.timeout.connect(self._prepare_refresh)
        self._step_timer = QTimer(self)
        self._step_timer.timeout.connect(self._run_step)
        self._steps: list[Callable[[], object]] = []
        self._connect()
        self.refresh_view()

    @property
    def extent_mode(self) -> str:
        """Where the map's extent comes from: one of the page panel's words."""
        return self.map.state.extent_mode

    @extent_mode.setter
    def extent_mode(self, mode: str) -> None:
        self.map.state.extent_mode = mode

    def _connect(self) -> None:
        composer, maps, messages = self.composer, self.map, self._dock.messages
        composer.action_requested.connect(self._on_action)
        composer.recent_map_requested.connect(self.open_file)
        composer.title_changed.connect(maps.set_title)
        composer.cancel_requested.connect(self._cancel)
        composer.rows.opacity_changed.connect(maps.set_opacity)
        composer.rows.visible_changed.connect(maps.set_visible)
        composer.rows.role_requested.connect(maps.set_role)
        composer.rows.move_requested.connect(maps.move)
        composer.rows.remove_requested.connect(maps.remove)
        composer.rows.layers_requested.connect(self._choose_layers)
        composer.page.page_changed.connect(self._on_page_changed)
        composer.page.extent_changed.connect(self._on_extent_changed)
        composer.page.scale_changed.connect(self.set_scale)
        composer.page.language_changed.connect(self._on_language_changed)
        maps.changed.connect(self._refresh_timer.start)
        maps.failed.connect(messages.show_error)
        maps.warned.connect(messages.show_warning)
        maps.added.connect(self._on_added)
        maps.removed.connect(self._on_removed)
        maps.adding_changed.connect(lambda _on: self._dock.record_controller.show_busy())
        maps.adding_changed.connect(lambda _on: self._refresh_timer.start())
        self._dock.session.service_changed.connect(lambda _endpoint: self._refresh_timer.start())
        self._dock.session.terms_changed.connect(lambda _record: self._refresh_timer.start())
        self.history.changed.connect(lambda: composer.show_history(self.history.can_undo, self.history.can_redo))
        self.exporter.busy_changed.connect(composer.show_busy)
        self.exporter.failed.connect(messages.show_error)
        self.exporter.warned.connect(messages.show_warning)
        self.exporter.finished.connect(self._on_exported)
        if hasattr(self._dock.iface, "mapCanvas"):
            self._dock.iface.mapCanvas().extentsChanged.connect(self._on_canvas_moved)

    def close(self) -> None:
        """Before the dock goes: neither project nor map window tells it anything any more."""
        self._refresh_timer.stop()
        self._step_timer.stop()
        self.project_sync.close()
        self.map.close()
        if hasattr(self._dock.iface, "mapCanvas"):
            # a window that came later was never connected
            with contextlib.suppress(TypeError):
                self._dock.iface.mapCanvas().extentsChanged.disconnect(self._on_canvas_moved)

    # -- showing

    def refresh_view(self) -> None:
        """Show rows, page, credits and findings as they are now."""
        self._step_timer.stop()
        maps = self.map
        self.history.record_change()
        self.composer.show_rows([item.row_state() for item in maps.items])
        self.composer.show_title(maps.state.title or (maps.title() if maps.items else ""))
        self.composer.page.show_page(maps.state.page, self.extent_mode, maps.state.scale, maps.crs(), maps.language())
        self.composer.show_credits(self._credits())
        self.preflight.refresh()
        self.suggestions.refresh()
        self.offline.refresh()
        self.project_sync.save()

    def _prepare_refresh(self) -> None:
        """What takes a moment the first time is done ahead of showing, a piece at a time: the window answers between.
        """
        self._steps = [*self.preflight.preparation_steps(), self.refresh_view]
        self._step_timer.start(_STEP_INTERVAL_MS)

    def _run_step(self) -> None:
        self._steps.pop(0)()

    def notify(self, words: str, button: str = "", run: Optional[Callable[[], object]] = None) -> None:
        """Say in passing that something was done."""
        self._dock.messages.notify(words, button, run) if run is not None else self._dock.messages.notify(words)

    def warn_with_action(self, words: str, button: str, run: Callable[[], object]) -> None:
        """Say that something is not as it was, with what can be done about it."""
        self._dock.messages.show_warning_with_action(words, button, run)

    def canvas(self) -> Optional[QgsMapCanvas]:
        """QGIS's map window, where there is one."""
        return self._dock.iface.mapCanvas() if hasattr(self._dock.iface, "mapCanvas") else None

    def show_error(self, error: CartoguideError) -> None:
        """Say that something went wrong."""
        self._dock.messages.show_error(error)

    def _on_canvas_moved(self) -> None:
        if self.extent_mode == CANVAS and self.map.items:
            self._refresh_timer.start()

    def _credits(self) -> list[str]:
        """The credit lines of the visible services, topmost first, each once."""
        lines = [self._credit_line(item) for item in reversed(self.map.items) if item.entry.visible]
        return list(dict.fromkeys(line for line in lines if line))

    def _credit_line(self, item: MapItem) -> str:
        record = self._dock.session.record(item.entry.record_id) if item.entry.record_id else None
        return self._dock.session.terms(record).credit if record else item.entry.credit.line

    # -- what is asked

    def add(self, record: Record, endpoint: str, choice: LayerChoice) -> None:
        """Put the chosen layers of a service on the map."""
        self.map.add(record, endpoint, choice)

    def open_file(self, path: Path) -> None:
        """Open the custom map at ``path``."""
        self.documents.open_file(path)

    def open_document(self, document: CustomMap) -> None:
        """Put the services of ``document`` on a map of their own."""
        self.documents.open_document(document)

    def save_to(self, path: Path) -> None:
        """Save the custom map at ``path``."""
        self.documents.save_to(path)

    def _on_action(self, what: str) -> None:
        run: dict[str, Callable[[], object]] = {
            SAVE: self.documents.save, OPEN: self.documents.open, NEW: self.documents.new, UNDO: self.history.undo,
            REDO: self.history.redo, SERIES: self.map_series.ask_scales, ATLAS: self.map_series.ask_atlas,
            TAKE: self.offline.open_dialog
        }
        run.get(what, partial(self._export, what))()

    def _cancel(self) -> None:
        self.preflight.cancel()
        self.offline.cancel()
        self.map_series.cancel()
        self.exporter.cancel()

    def _on_added(self, item: MapItem) -> None:
        if not self.composer.is_expanded:
            self.composer.set_expanded(True)
        self._refresh_timer.start()
        if not self.documents.opening and not self.map.adding:
            self._dock.messages.notify(
                tr("%n layer(s) added: {title}", n=len(item.layer_ids), title=without_wms_prefix(item.entry.title)))

    def _on_removed(self, item: MapItem, number: int) -> None:
        self._dock.messages.notify(tr("“{title}” was taken off the map.", title=item.entry.title), tr("Undo"),
                                   lambda: self.history.restore_item(item, number))

    def _choose_layers(self, number: int) -> None:
        """Let other layers and styles of a service be chosen that is on the map."""
        item = self.map.items[number]
        service = self.map.session.services.get(item.entry.endpoint)
        if service is None:
            self.history.reload_service(item)
            return
        dialog = AddLayersDialog(without_wms_prefix(item.entry.title), service, self.map.crs(), item.role,
                                 item.entry.layers or None, self._dock)
        dialog.set_styles(dict(zip(item.entry.layers, item.entry.styles)))
        dialog.chosen.connect(lambda choice: self.history.change_layers(item, choice))
        dialog.show()

    # -- the page

    def _on_page_changed(self, page: PageSetup) -> None:
        self.map.state.page = page
        for name, value in (("paper", page.paper), ("orientation", page.orientation)):
            settings.set(name, value)
        self.refresh_view()

    def _on_extent_changed(self, mode: str) -> None:
        if mode == POLYGON:
            area = PolygonExtentDialog(self.map.project, self._dock)
            area.chosen.connect(self.set_extent)
            area.show()
        elif mode == CENTRE:
            point = CentreScaleDialog(self._current_centre(), self.map.state.scale, self._dock)
            point.chosen.connect(self.set_centre)
            point.show()
        else:
            self.extent_mode = mode
        self.refresh_view()

    def set_scale(self, scale: Optional[float]) -> None:
        """Print at ``scale`` (a denominator); None fits the page."""
        self.map.state.scale = scale
        self.refresh_view()

    def _on_language_changed(self, language: str) -> None:
        self.map.state.language = language
        self.refresh_view()

    def set_extent(self, extent: MapExtent) -> None:
        """Print ``extent`` (degrees) from now on."""
        self.map.state.extent, self.map.state.centre = extent, None
        self.extent_mode = KEPT
        self.refresh_view()

    def set_centre(self, centre: tuple[float, float], scale: float) -> None:
        """Print around ``centre`` (longitude, latitude) at ``scale`` from now on."""
        self.map.state.extent, self.map.state.centre, self.map.state.scale = None, centre, scale
        self.extent_mode = KEPT
        self.refresh_view()

    def _current_centre(self) -> Optional[tuple[float, float]]:
        area = self.current_extent()
        if self.map.state.centre is not None or area is None:
            return self.map.state.centre
        return (area.west + area.east) / 2, (area.south + area.north) / 2

    def current_extent(self) -> Optional[MapExtent]:
        """The extent that would be printed now, in degrees."""
        if self.extent_mode == KEPT:
            return self.map.state.extent
        canvas = self._dock.iface.mapCanvas() if hasattr(self._dock.iface, "mapCanvas") else None
        return extent_for_mode(self.extent_mode, canvas, self.map, self._dock.view.record)

    def store_extent(self) -> None:
        """Put the extent that is asked for into the document."""
        if self.extent_mode != KEPT:
            self.map.state.extent = self.current_extent()
            self.map.state.centre = None

    # -- layout and export

    def _export(self, what: str) -> None:
        self.store_extent()
        if what == LAYOUT:
            self.exporter.open_layout()
            return
        kind = "pdf" if what == STAMPED else what
        path = self.ask_export_path(kind)
        if path is not None:
            self.exporter.export(kind, path, stamp=what == STAMPED)

    def ask_export_path(self, kind: str, title: str = "") -> Optional[Path]:
        """Ask where the map is to be exported; None where that was given up."""
        suffix = EXPORT_FORMATS[kind].suffix
        start = str(Path(settings.get("last_folder")) / f"{safe_file_name(title or self.map.title())}.{suffix}")
        path, _ = QFileDialog.getSaveFileName(self._dock, tr("Export the map"), start, f"{suffix.upper()} (*.{suffix})")
        if not path:
            return None
        settings.set("last_folder", str(Path(path).parent))
        return Path(path if path.lower().endswith(f".{suffix}") else f"{path}.{suffix}")

    def _on_exported(self, path: Path) -> None:
        from ..widgets.rich_text import open_file

        self._dock.messages.notify(tr("Exported as {name}.", name=path.name), tr("Open"), lambda: open_file(path))

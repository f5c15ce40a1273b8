"""What the composer's widgets ask for, done: pages, layers, layout, export; and what they show, kept up to date."""

from __future__ import annotations

import contextlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Optional

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QObject, QTimer
from qgis.PyQt.QtWidgets import QFileDialog, QWidget

from ..core.custommap.model import CustomMap, MapExtent, Page
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.model import Record
from ..gis import settings
from ..gis.export import FORMATS
from .add_dialog import AddDialog
from .composer import ATLAS, LAYOUT, NEW, OPEN, REDO, SAVE, SERIES, STAMPED, UNDO
from .document_actions import DocumentActions
from .extent_dialog import CentreDialog, PolygonDialog
from .extent_mode import CANVAS, CENTRE, KEPT, POLYGON
from .files import safe_name
from .layer_choice import Choice
from .map_changes import MapChanges
from .map_controller import MapController
from .map_extent import extent_of
from .map_items import MapItem, plain_title
from .moment_actions import MomentActions
from .offline_actions import OfflineActions
from .offline_row import TAKE
from .preflight_actions import PreflightActions
from .printing import Printing
from .project_map import ProjectMap
from .series_export import SeriesExport
from .suggestions import Suggestions

if TYPE_CHECKING:
    from .dock import CartoguideDock

#: milliseconds that the window has between two pieces of work
_BETWEEN_TURNS = 4


class ComposerActions(QObject):
    """Connects the composer with the map and the project."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self.window: QWidget = dock
        self.composer = dock.composer
        self.map = MapController(dock.session, parent=self)
        self.printing = Printing(self.map, dock.iface, dock, self)
        self.changes = MapChanges(self.map, self)
        self.documents = DocumentActions(self)
        self.preflight = PreflightActions(self)
        self.series = SeriesExport(self)
        self.offline = OfflineActions(self)
        self.moments = MomentActions(self, dock)
        self.suggestions = Suggestions(self, lambda record, endpoint: dock.record_actions.add_record(record, endpoint))
        self.project_map = ProjectMap(self)
        self.printing.ask = self.preflight.ask
        self.map.state.page = Page(settings.get("paper"), settings.get("orientation"), settings.get("template"))
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(30)
        self._refresh.timeout.connect(self._get_ready)
        self._turns = QTimer(self)
        self._turns.timeout.connect(self._take_turn)
        self._steps: list[Callable[[], object]] = []
        self._connect()
        self.show_map()

    @property
    def mode(self) -> str:
        """Where the map's extent comes from: one of the page panel's words."""
        return self.map.state.mode

    @mode.setter
    def mode(self, mode: str) -> None:
        self.map.state.mode = mode

    def _connect(self) -> None:
        composer, maps, messages = self.composer, self.map, self._dock.messages
        composer.asked.connect(self._asked)
        composer.recent_asked.connect(self.open_from)
        composer.title_changed.connect(maps.set_title)
        composer.cancel_asked.connect(self._cancel)
        composer.rows.opacity_changed.connect(maps.set_opacity)
        composer.rows.visible_changed.connect(maps.set_visible)
        composer.rows.role_asked.connect(maps.set_role)
        composer.rows.move_asked.connect(maps.move)
        composer.rows.remove_asked.connect(maps.remove)
        composer.rows.layers_asked.connect(self._choose_layers)
        composer.page.page_changed.connect(self._page_changed)
        composer.page.extent_changed.connect(self._extent_changed)
        composer.page.scale_changed.connect(self.scale_changed)
        composer.page.language_changed.connect(self._language_changed)
        maps.changed.connect(self._refresh.start)
        maps.failed.connect(messages.error)
        maps.warned.connect(messages.warning)
        maps.added.connect(self._added)
        maps.removed.connect(self._removed)
        maps.adding_changed.connect(lambda _on: self._dock.record_actions.show_busy())
        maps.adding_changed.connect(lambda _on: self._refresh.start())
        self._dock.session.service_changed.connect(lambda _endpoint: self._refresh.start())
        self._dock.session.terms_changed.connect(lambda _record: self._refresh.start())
        self.changes.changed.connect(
            lambda: composer.show_history(self.changes.can_undo, self.changes.can_redo))
        self.printing.busy_changed.connect(composer.show_busy)
        self.printing.failed.connect(messages.error)
        self.printing.warned.connect(messages.warning)
        self.printing.finished.connect(self._exported)
        if hasattr(self._dock.iface, "mapCanvas"):
            self._dock.iface.mapCanvas().extentsChanged.connect(self._canvas_moved)

    def close(self) -> None:
        """Before the dock goes: neither project nor map window tells it anything any more."""
        self._refresh.stop()
        self._turns.stop()
        self.project_map.close()
        self.map.close()
        if hasattr(self._dock.iface, "mapCanvas"):
            # a window that came later was never connected
            with contextlib.suppress(TypeError):
                self._dock.iface.mapCanvas().extentsChanged.disconnect(self._canvas_moved)

    # -- showing

    def show_map(self) -> None:
        """Show rows, page, credits and findings as they are now."""
        self._turns.stop()
        maps = self.map
        self.changes.note()
        self.composer.show_rows([item.row() for item in maps.items])
        self.composer.show_title(maps.state.title or (maps.title() if maps.items else ""))
        self.composer.page.show_page(maps.state.page, self.mode, maps.state.scale, maps.crs(), maps.language())
        self.composer.show_credits(self._credits())
        self.preflight.refresh()
        self.suggestions.refresh()
        self.offline.refresh()
        self.project_map.keep()

    def _get_ready(self) -> None:
        """What takes a moment the first time is done ahead of showing, a piece at a time: the window answers between.
        """
        self._steps = [*self.preflight.preparations(), self.show_map]
        self._turns.start(_BETWEEN_TURNS)

    def _take_turn(self) -> None:
        self._steps.pop(0)()

    def told(self, words: str, button: str = "", run: Optional[Callable[[], object]] = None) -> None:
        """Say in passing that something was done."""
        self._dock.messages.news(words, button, run) if run is not None else self._dock.messages.news(words)

    def offer(self, words: str, button: str, run: Callable[[], object]) -> None:
        """Say that something is not as it was, with what can be done about it."""
        self._dock.messages.warning_with(words, button, run)

    def canvas(self) -> Optional[QgsMapCanvas]:
        """QGIS's map window, where there is one."""
        return self._dock.iface.mapCanvas() if hasattr(self._dock.iface, "mapCanvas") else None

    def complain(self, error: CartoguideError) -> None:
        """Say that something went wrong."""
        self._dock.messages.error(error)

    def _canvas_moved(self) -> None:
        if self.mode == CANVAS and self.map.items:
            self._refresh.start()

    def _credits(self) -> list[str]:
        """The credit lines of the visible services, topmost first, each once."""
        lines = [self._terms_credit(item) for item in reversed(self.map.items) if item.entry.visible]
        return list(dict.fromkeys(line for line in lines if line))

    def _terms_credit(self, item: MapItem) -> str:
        record = self._dock.session.record(item.entry.record_id) if item.entry.record_id else None
        return self._dock.session.terms(record).credit if record else item.entry.credit.line

    # -- what is asked

    def add(self, record: Record, endpoint: str, choice: Choice) -> None:
        """Put the chosen layers of a service on the map."""
        self.map.add(record, endpoint, choice)

    def open_from(self, path: Path) -> None:
        """Open the custom map at ``path``."""
        self.documents.open_from(path)

    def open_document(self, document: CustomMap) -> None:
        """Put the services of ``document`` on a map of their own."""
        self.documents.open_document(document)

    def save_to(self, path: Path) -> None:
        """Save the custom map at ``path``."""
        self.documents.save_to(path)

    def _asked(self, what: str) -> None:
        run: dict[str, Callable[[], object]] = {
            SAVE: self.documents.save, OPEN: self.documents.open, NEW: self.documents.new, UNDO: self.changes.undo,
            REDO: self.changes.redo, SERIES: self.series.ask_scales, ATLAS: self.series.ask_atlas,
            TAKE: self.offline.ask}
        run.get(what, partial(self._print, what))()

    def _cancel(self) -> None:
        self.preflight.cancel()
        self.offline.cancel()
        self.series.cancel()
        self.printing.cancel()

    def _added(self, item: MapItem) -> None:
        if not self.composer.is_open:
            self.composer.set_open(True)
        self._refresh.start()
        if not self.documents.opening and not self.map.adding:
            self._dock.messages.news(tr("%n layer(s) added: {title}", n=len(item.layer_ids),
                                        title=plain_title(item.entry.title)))

    def _removed(self, item: MapItem, number: int) -> None:
        self._dock.messages.news(tr("“{title}” was taken off the map.", title=item.entry.title), tr("Undo"),
                                 lambda: self.changes.put_back(item, number))

    def _choose_layers(self, number: int) -> None:
        """Let other layers and styles of a service be chosen that is on the map."""
        item = self.map.items[number]
        service = self.map.session.services.get(item.entry.endpoint)
        if service is None:
            self.changes.ask_again(item)
            return
        dialog = AddDialog(plain_title(item.entry.title), service, self.map.crs(), item.role, item.entry.layers or None,
                           self._dock)
        dialog.use_styles(dict(zip(item.entry.layers, item.entry.styles)))
        dialog.chosen.connect(lambda choice: self.changes.choose(item, choice))
        dialog.show()

    # -- the page

    def _page_changed(self, page: Page) -> None:
        self.map.state.page = page
        for name, value in (("paper", page.paper), ("orientation", page.orientation)):
            settings.set(name, value)
        self.show_map()

    def _extent_changed(self, mode: str) -> None:
        if mode == POLYGON:
            area = PolygonDialog(self.map.project, self._dock)
            area.chosen.connect(self.show_extent)
            area.show()
        elif mode == CENTRE:
            point = CentreDialog(self._middle(), self.map.state.scale, self._dock)
            point.chosen.connect(self.show_centre)
            point.show()
        else:
            self.mode = mode
        self.show_map()

    def scale_changed(self, scale: Optional[float]) -> None:
        """Print at ``scale`` (a denominator); None fits the page."""
        self.map.state.scale = scale
        self.show_map()

    def _language_changed(self, language: str) -> None:
        self.map.state.language = language
        self.show_map()

    def show_extent(self, extent: MapExtent) -> None:
        """Print ``extent`` (degrees) from now on."""
        self.map.state.extent, self.map.state.centre = extent, None
        self.mode = KEPT
        self.show_map()

    def show_centre(self, centre: tuple[float, float], scale: float) -> None:
        """Print around ``centre`` (longitude, latitude) at ``scale`` from now on."""
        self.map.state.extent, self.map.state.centre, self.map.state.scale = None, centre, scale
        self.mode = KEPT
        self.show_map()

    def _middle(self) -> Optional[tuple[float, float]]:
        area = self.extent_now()
        if self.map.state.centre is not None or area is None:
            return self.map.state.centre
        return (area.west + area.east) / 2, (area.south + area.north) / 2

    def extent_now(self) -> Optional[MapExtent]:
        """The extent that would be printed now, in degrees."""
        if self.mode == KEPT:
            return self.map.state.extent
        canvas = self._dock.iface.mapCanvas() if hasattr(self._dock.iface, "mapCanvas") else None
        return extent_of(self.mode, canvas, self.map, self._dock.view.record)

    def take_extent(self) -> None:
        """Put the extent that is asked for into the document."""
        if self.mode != KEPT:
            self.map.state.extent = self.extent_now()
            self.map.state.centre = None

    # -- layout and export

    def _print(self, what: str) -> None:
        self.take_extent()
        if what == LAYOUT:
            self.printing.show_layout()
            return
        kind = "pdf" if what == STAMPED else what
        path = self.ask_path(kind)
        if path is not None:
            self.printing.export(kind, path, stamp=what == STAMPED)

    def ask_path(self, kind: str, title: str = "") -> Optional[Path]:
        """Ask where the map is to be exported; None where that was given up."""
        suffix = FORMATS[kind].suffix
        start = str(Path(settings.get("last_folder")) / f"{safe_name(title or self.map.title())}.{suffix}")
        path, _ = QFileDialog.getSaveFileName(self._dock, tr("Export the map"), start, f"{suffix.upper()} (*.{suffix})")
        if not path:
            return None
        settings.set("last_folder", str(Path(path).parent))
        return Path(path if path.lower().endswith(f".{suffix}") else f"{path}.{suffix}")

    def _exported(self, path: Path) -> None:
        from .rich_text import open_file

        self._dock.messages.news(tr("Exported as {name}.", name=path.name), tr("Open"), lambda: open_file(path))

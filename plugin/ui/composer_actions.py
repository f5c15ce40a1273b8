"""What the composer's widgets ask for, done: layout, export, documents; and what they show, kept up to date."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional

from qgis.PyQt.QtCore import QObject, QTimer
from qgis.PyQt.QtWidgets import QFileDialog

from ..core.custommap.document import read_document, write_document
from ..core.custommap.model import CustomMap, Entry, Page
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.model import Record
from ..gis import settings
from .add_dialog import Choice
from .composer import LAYOUT, NEW, OPEN, PDF, PNG, SAVE
from .files import safe_name, write_whole
from .map_controller import MapController
from .map_extent import extent_of
from .map_items import MapItem, MapState, plain_title
from .page_panel import CANVAS, KEPT
from .printing import Printing

if TYPE_CHECKING:
    from .dock import CartoguideDock

_FILTER = "Cartoguide (*.custommap.json)"


class ComposerActions(QObject):
    """Connects the composer with the map and the project."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self.composer = dock.composer
        self.map = MapController(dock.session, parent=self)
        self.printing = Printing(self.map, dock.iface, dock, self)
        self.mode = CANVAS
        self._opening: list[tuple[Entry, str]] = []
        self.map.state.page = Page(settings.get("paper"), settings.get("orientation"), settings.get("template"))
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(30)
        self._refresh.timeout.connect(self.show_map)
        self._connect()
        self.show_map()

    def _connect(self) -> None:
        composer, maps, messages = self.composer, self.map, self._dock.messages
        composer.asked.connect(self._asked)
        composer.title_changed.connect(maps.set_title)
        composer.cancel_asked.connect(self.printing.cancel)
        composer.rows.opacity_changed.connect(maps.set_opacity)
        composer.rows.visible_changed.connect(maps.set_visible)
        composer.rows.role_asked.connect(maps.set_role)
        composer.rows.move_asked.connect(maps.move)
        composer.rows.remove_asked.connect(maps.remove)
        composer.page.page_changed.connect(self._page_changed)
        composer.page.extent_changed.connect(self._extent_changed)
        composer.page.scale_changed.connect(self._scale_changed)
        composer.page.language_changed.connect(self._language_changed)
        maps.changed.connect(self._refresh.start)
        maps.failed.connect(messages.error)
        maps.warned.connect(messages.warning)
        maps.added.connect(self._added)
        maps.removed.connect(self._removed)
        maps.adding_changed.connect(lambda _on: self._dock.record_actions.show_busy())
        self._dock.session.service_changed.connect(lambda _endpoint: self._refresh.start())
        self._dock.session.terms_changed.connect(lambda _record: self._refresh.start())
        self._dock.session.service_changed.connect(self._go_on_opening)
        self.printing.busy_changed.connect(composer.show_busy)
        self.printing.failed.connect(messages.error)
        self.printing.warned.connect(messages.warning)
        self.printing.finished.connect(self._exported)

    # -- showing

    def show_map(self) -> None:
        """Show rows, page, credits and findings as they are now."""
        maps = self.map
        self.composer.show_rows([item.row() for item in maps.items])
        self.composer.show_title(maps.state.title or (maps.title() if maps.items else ""))
        self.composer.page.show_page(maps.state.page, self.mode, maps.state.scale, maps.crs(), maps.language())
        self.composer.show_credits(self._credits())
        self.composer.show_findings(self._findings())

    def _credits(self) -> list[str]:
        """The credit lines of the visible services, topmost first, each once."""
        lines = [self._terms_credit(item) for item in reversed(self.map.items) if item.entry.visible]
        return list(dict.fromkeys(line for line in lines if line))

    def _terms_credit(self, item: MapItem) -> str:
        record = self._dock.session.record(item.entry.record_id) if item.entry.record_id else None
        return self._dock.session.terms(record).credit if record else item.entry.credit.line

    def _findings(self) -> list[str]:
        """What is missing from the map, and which credits are not settled, in words."""
        notes = self.map.plan().notes if self.map.items else ()
        lines = [note.text for note in notes if note.missing]
        for item in self.map.items:
            title = plain_title(item.entry.title)
            if item.problem and item.layer_ids:
                lines.append(f"{title}: {item.problem}")
            if not self._terms_credit(item):
                lines.append(tr("“{title}” has no credit line: read its terms before you publish.", title=title))
            elif item.entry.credit.required == "undecided":
                lines.append(tr("“{title}”: it is undecided whether its credit is required; it is shown to be safe.",
                                title=title))
        return lines + [note.text for note in notes if not note.missing]

    # -- what is asked

    def add(self, record: Record, endpoint: str, choice: Choice) -> None:
        """Put the chosen layers of a service on the map."""
        self.map.add(record, endpoint, choice)

    def _asked(self, what: str) -> None:
        run = {LAYOUT: lambda: self._print(LAYOUT), PDF: lambda: self._print(PDF), PNG: lambda: self._print(PNG),
               SAVE: self._save, OPEN: self._open, NEW: self._new}
        run[what]()

    def _added(self, item: MapItem) -> None:
        if not self.composer.is_open:
            self.composer.set_open(True)
        self._refresh.start()
        if not self._opening and not self.map.adding:
            self._dock.messages.news(tr("%n layer(s) added: {title}", n=len(item.layer_ids),
                                        title=plain_title(item.entry.title)))

    def _removed(self, item: MapItem, number: int) -> None:
        self._dock.messages.news(tr("“{title}” was taken off the map.", title=item.entry.title), tr("Undo"),
                                 lambda: self.map.put_back(item, number))

    def _new(self) -> None:
        before = (self.map.items, self.map.state)
        self.map.clear()
        self.map.state.page = before[1].page
        self.mode = CANVAS

        def undo() -> None:
            self.map.items, self.map.state = before
            self.show_map()

        self._dock.messages.news(tr("A new custom map. The layers of the one before stay in the project."),
                                 tr("Undo"), undo)

    # -- the page

    def _page_changed(self, page: Page) -> None:
        self.map.state.page = page
        for name, value in (("paper", page.paper), ("orientation", page.orientation)):
            settings.set(name, value)
        self.show_map()

    def _extent_changed(self, mode: str) -> None:
        self.mode = mode
        self.show_map()

    def _scale_changed(self, scale: Optional[float]) -> None:
        self.map.state.scale = scale
        self.show_map()

    def _language_changed(self, language: str) -> None:
        self.map.state.language = language
        self.show_map()

    def _take_extent(self) -> None:
        """Put the extent that is asked for into the document."""
        if self.mode != KEPT:
            canvas = self._dock.iface.mapCanvas() if self._dock.iface is not None else None  # type: ignore[attr-defined]
            self.map.state.extent = extent_of(self.mode, canvas, self.map, self._dock.view.record)
            self.map.state.centre = None

    # -- layout and export

    def _print(self, what: str) -> None:
        self._take_extent()
        if what == LAYOUT:
            self.printing.show_layout()
            return
        kind = {PDF: ("PDF", "pdf"), PNG: ("PNG", "png")}[what]
        start = str(Path(settings.get("last_folder")) / f"{safe_name(self.map.title())}.{kind[1]}")
        path, _ = QFileDialog.getSaveFileName(self._dock, tr("Export the map"), start, f"{kind[0]} (*.{kind[1]})")
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.printing.export(what, Path(path if path.lower().endswith(f".{kind[1]}") else f"{path}.{kind[1]}"))

    def _exported(self, path: Path) -> None:
        from .rich_text import open_file

        self._dock.messages.news(tr("Exported as {name}.", name=path.name), tr("Open"), lambda: open_file(path))

    # -- documents

    def _save(self) -> None:
        self._take_extent()
        start = str(Path(settings.get("last_folder")) / f"{safe_name(self.map.title())}.custommap.json")
        path, _ = QFileDialog.getSaveFileName(self._dock, tr("Save the custom map"), start, _FILTER)
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.save_to(Path(path))

    def save_to(self, path: Path) -> None:
        """Write the map's document to ``path``; what goes wrong is told."""
        if not path.name.endswith(".json"):
            path = path.with_name(path.name + ".custommap.json")
        try:
            write_whole(path, write_document(self.map.document()))
        except CartoguideError as error:
            self._dock.messages.error(error)
            return
        self._dock.messages.news(tr("Saved as {name}.", name=path.name))

    def _open(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._dock, tr("Open a custom map"), settings.get("last_folder"),
                                              f"{_FILTER};;JSON (*.json)")
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.open_from(Path(path))

    def open_from(self, path: Path) -> None:
        """Read the document at ``path`` and put its services on the map; where that fails the map stays as it was."""
        try:
            document = read_document(path.read_bytes())
        except OSError as error:
            self._dock.messages.error(CartoguideError(
                tr("{name} could not be opened: {reason}.", name=path.name, reason=error.strerror or "?"), str(error)))
            return
        except CartoguideError as error:
            self._dock.messages.error(error)
            return
        self.open_document(document)

    def open_document(self, document: CustomMap) -> None:
        """Put the services of ``document`` on a map of their own, one after the other, as they answer."""
        self.map.clear()
        self.map.state = MapState(document.title, document.page, document.scale, document.extent, document.centre,
                                  document.extra, document.language, document.crs)
        self.mode = KEPT if document.extent or document.centre else CANVAS
        self.composer.set_open(True)
        self._opening = [(entry, "base" if entry is document.base else "overlay") for entry in document.entries]
        self.show_map()
        for entry, _ in list(self._opening):
            if self._dock.session.services.get(entry.endpoint) is None:
                self._dock.session.load_service(entry.endpoint)
        self._go_on_opening()

    def _go_on_opening(self, _endpoint: str = "") -> None:
        """Take the services of the opened document in its order, as far as they have answered or failed."""
        session = self._dock.session
        while self._opening:
            entry, role = self._opening[0]
            state = session.state(entry.endpoint)
            if session.services.get(entry.endpoint) is not None:
                self.map.build(MapItem(entry, role))
            elif state.name == "loading":
                return
            else:
                # the entry stays on the map: its credit and its place are not lost with its server
                self.map.keep_missing(MapItem(entry, role, {}, tr("its service does not answer")))
                if state.error is not None:
                    self._dock.messages.error(state.error)
            self._opening.pop(0)

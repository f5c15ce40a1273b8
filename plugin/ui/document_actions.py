"""Custom map documents: begun, saved, opened, opened again from the list of the last ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QFileDialog

from ..core.custommap.document import read_document, write_document
from ..core.custommap.model import CustomMap, Entry
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.snapshot.use import as_written
from ..gis import settings
from .extent_mode import CANVAS, KEPT
from .files import safe_name, write_whole
from .map_items import MapItem, MapState
from .recent_maps import remember_map

if TYPE_CHECKING:
    from .composer_actions import ComposerActions

_FILTER = "Cartoguide (*.custommap.json)"


class DocumentActions(QObject):
    """Save, open and begin; what goes wrong is told, and the map stays as it was."""

    def __init__(self, actions: ComposerActions) -> None:
        super().__init__(actions)
        self._actions = actions
        self._maps = actions.map
        self._session = actions.map.session
        self._opening: list[tuple[Entry, str]] = []
        self._session.service_changed.connect(self._go_on_opening)

    @property
    def opening(self) -> bool:
        """Whether services of an opened document are still to come."""
        return bool(self._opening)

    def new(self) -> None:
        """Begin a new map; it can be undone."""
        maps = self._maps
        before = (maps.items, maps.state)
        maps.clear()
        maps.state.page = before[1].page

        def undo() -> None:
            maps.items, maps.state = before
            self._actions.show_map()

        self._actions.told(tr("A new custom map. The layers of the one before stay in the project."), tr("Undo"), undo)

    def save(self) -> None:
        """Ask for a file and save the map there."""
        self._actions.take_extent()
        start = str(Path(settings.get("last_folder")) / f"{safe_name(self._maps.title())}.custommap.json")
        path, _ = QFileDialog.getSaveFileName(self._actions.window, tr("Save the custom map"), start, _FILTER)
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.save_to(Path(path))

    def save_to(self, path: Path) -> None:
        """Write the map's document to ``path``; what goes wrong is told."""
        if not path.name.endswith(".json"):
            path = path.with_name(path.name + ".custommap.json")
        try:
            write_whole(path, write_document(as_written(self._maps.document(), path.resolve())))
        except CartoguideError as error:
            self._actions.complain(error)
            return
        remember_map(path)
        self._actions.told(tr("Saved as {name}.", name=path.name))

    def open(self) -> None:
        """Ask for a file and open it."""
        path, _ = QFileDialog.getOpenFileName(self._actions.window, tr("Open a custom map"),
                                              settings.get("last_folder"), f"{_FILTER};;JSON (*.json)")
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.open_from(Path(path))

    def open_from(self, path: Path) -> None:
        """Read the document at ``path`` and put its services on the map; where that fails the map stays as it was."""
        try:
            document = read_document(path.read_bytes())
        except OSError as error:
            self._actions.complain(CartoguideError(
                tr("{name} could not be opened: {reason}.", name=path.name, reason=error.strerror or "?"), str(error)))
            return
        except CartoguideError as error:
            self._actions.complain(error)
            return
        remember_map(path)
        self.open_document(document, path.resolve())

    def open_document(self, document: CustomMap, place: Optional[Path] = None) -> None:
        """Put the services of ``document`` on a map of their own, one after the other, as they answer; with its
        snapshot, where the document, whose file is ``place``, shows one.
        """
        maps = self._maps
        maps.clear()
        maps.state = MapState(document.title, document.page, document.scale, document.extent, document.centre,
                              document.extra, document.language, document.crs)
        self._actions.mode = KEPT if document.extent or document.centre else CANVAS
        self._actions.composer.set_open(True)
        self._actions.changes.forget()
        self._opening = []
        self._actions.show_map()
        self._actions.offline.with_snapshot(document, place, lambda: self._begin_opening(document))

    def keep_all_missing(self, document: CustomMap, why: str) -> None:
        """Put the services of ``document`` on the map as what cannot be drawn now, with their credits."""
        for entry in document.entries:
            self._maps.keep_missing(MapItem(entry, "base" if entry is document.base else "overlay", {}, why))

    def _begin_opening(self, document: CustomMap) -> None:
        self._opening = [(entry, "base" if entry is document.base else "overlay") for entry in document.entries]
        for entry, _ in list(self._opening):
            if self._session.services.get(entry.endpoint) is None:
                self._session.load_service(entry.endpoint)
        self._go_on_opening()

    def _go_on_opening(self, _endpoint: str = "") -> None:
        """Take the services of the opened document in its order, as far as they have answered or failed."""
        while self._opening:
            entry, role = self._opening[0]
            state = self._session.state(entry.endpoint)
            if self._session.services.get(entry.endpoint) is not None:
                self._maps.build(MapItem(entry, role))
            elif state.name == "loading":
                return
            else:
                # the entry stays on the map: its credit and its place are not lost with its server
                self._maps.keep_missing(MapItem(entry, role, {}, tr("its service does not answer")))
                if state.error is not None:
                    self._actions.complain(state.error)
            self._opening.pop(0)

"""Custom map documents: begun, saved, opened, opened again from the list of the last ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QFileDialog

from ...app.maps.extent_mode import CANVAS, KEPT
from ...app.maps.map_state import MapItem, MapState
from ...app.maps.recent_maps import add_recent_map
from ...core.custommap.document import read_document, write_document
from ...core.custommap.model import CustomMap, MapEntry
from ...core.errors import CartoguideError
from ...core.files import safe_file_name, write_bytes_atomically
from ...core.i18n import tr
from ...core.snapshot.snapshot_sources import with_relative_snapshot_path
from ...gis.runtime import settings

if TYPE_CHECKING:
    from .composer_controller import ComposerController

_FILTER = "Cartoguide (*.custommap.json)"


class DocumentController(QObject):
    """Save, open and begin; what goes wrong is told, and the map stays as it was."""

    def __init__(self, actions: ComposerController) -> None:
        super().__init__(actions)
        self._controller = actions
        self._map = actions.map
        self._session = actions.map.session
        self._pending_entries: list[tuple[MapEntry, str]] = []
        self._session.service_changed.connect(self._continue_opening)

    @property
    def opening(self) -> bool:
        """Whether services of an opened document are still to come."""
        return bool(self._pending_entries)

    def new(self) -> None:
        """Begin a new map; it can be undone."""
        maps = self._map
        before = (maps.items, maps.state)
        maps.clear()
        maps.state.page = before[1].page

        def undo() -> None:
            maps.items, maps.state = before
            self._controller.refresh_view()

        self._controller.notify(tr("A new custom map. The layers of the one before stay in the project."), tr("Undo"),
                                undo)

    def save(self) -> None:
        """Ask for a file and save the map there."""
        self._controller.store_extent()
        start = str(Path(settings.get("last_folder")) / f"{safe_file_name(self._map.title())}.custommap.json")
        path, _ = QFileDialog.getSaveFileName(self._controller.window, tr("Save the custom map"), start, _FILTER)
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.save_to(Path(path))

    def save_to(self, path: Path) -> None:
        """Write the map's document to ``path``; what goes wrong is told."""
        if not path.name.endswith(".json"):
            path = path.with_name(path.name + ".custommap.json")
        try:
            write_bytes_atomically(path,
                                   write_document(with_relative_snapshot_path(self._map.document(), path.resolve())))
        except CartoguideError as error:
            self._controller.show_error(error)
            return
        add_recent_map(path)
        self._controller.notify(tr("Saved as {name}.", name=path.name))

    def open(self) -> None:
        """Ask for a file and open it."""
        path, _ = QFileDialog.getOpenFileName(self._controller.window, tr("Open a custom map"),
                                              settings.get("last_folder"), f"{_FILTER};;JSON (*.json)")
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.open_file(Path(path))

    def open_file(self, path: Path) -> None:
        """Read the document at ``path`` and put its services on the map; where that fails the map stays as it was."""
        try:
            document = read_document(path.read_bytes())
        except OSError as error:
            self._controller.show_error(
                CartoguideError(
                    tr("{name} could not be opened: {reason}.", name=path.name, reason=error.strerror or "?"),
                    str(error)))
            return
        except CartoguideError as error:
            self._controller.show_error(error)
            return
        add_recent_map(path)
        self.open_document(document, path.resolve())

    def open_document(self, document: CustomMap, path: Optional[Path] = None) -> None:
        """Put the services of ``document`` on a map of their own, one after the other, as they answer; with its
        snapshot, where the document, whose file is ``place``, shows one.
        """
        maps = self._map
        maps.clear()
        maps.state = MapState(document.title, document.page, document.scale, document.extent, document.centre,
                              document.extra, document.language, document.crs)
        self._controller.extent_mode = KEPT if document.extent or document.centre else CANVAS
        self._controller.composer.set_expanded(True)
        self._controller.history.clear()
        self._pending_entries = []
        self._controller.refresh_view()
        self._controller.offline.open_snapshot_of(document, path, lambda: self._load_services(document))

    def add_all_unavailable(self, document: CustomMap, why: str) -> None:
        """Put the services of ``document`` on the map as what cannot be drawn now, with their credits."""
        for entry in document.entries:
            self._map.add_unavailable(MapItem(entry, "base" if entry is document.base else "overlay", {}, why))

    def _load_services(self, document: CustomMap) -> None:
        self._pending_entries = [(entry, "base" if entry is document.base else "overlay") for entry in document.entries]
        for entry, _ in list(self._pending_entries):
            if self._session.services.get(entry.endpoint) is None:
                self._session.load_service(entry.endpoint)
        self._continue_opening()

    def _continue_opening(self, _endpoint: str = "") -> None:
        """Take the services of the opened document in its order, as far as they have answered or failed."""
        while self._pending_entries:
            entry, role = self._pending_entries[0]
            state = self._session.service_state(entry.endpoint)
            if self._session.services.get(entry.endpoint) is not None:
                self._map.build(MapItem(entry, role))
            elif state.status == "loading":
                return
            else:
                # the entry stays on the map: its credit and its place are not lost with its server
                self._map.add_unavailable(MapItem(entry, role, {}, tr("its service does not answer")))
                if state.error is not None:
                    self._controller.show_error(state.error)
            self._pending_entries.pop(0)

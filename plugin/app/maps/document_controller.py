"""Custom map documents: created, saved and opened."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Optional

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.document import read_document, write_document
from ...core.custommap.model import CustomMap, MapEntry, MapRole
from ...core.errors import CartoguideError
from ...core.files import safe_file_name, write_bytes_atomically
from ...core.i18n import tr
from ...core.snapshot.snapshot_sources import with_relative_snapshot_path
from ...gis.runtime import settings
from ..records.dock_session import ServiceStatus
from ..window import Notifier, Prompts
from .extent_controller import ExtentController
from .map_controller import MapController
from .map_history import MapHistory
from .map_state import MapItem, MapState, role_in
from .offline_controller import OfflineController

_FILTER = "Cartoguide (*.custommap.json)"
#: the most files in the list of recent maps
_MAX_RECENT = 8


class DocumentController(QObject):
    """Reads and writes the map's document. After an error the map is as it was before."""

    #: the map is another one, or is back after an undo
    changed = pyqtSignal()
    #: a document is being put on the map
    opening_started = pyqtSignal()

    def __init__(self, map_controller: MapController, history: MapHistory, extent: ExtentController,
                 offline: OfflineController, notifier: Notifier, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._history, self._extent, self._offline = map_controller, history, extent, offline
        self._notifier, self._prompts = notifier, prompts
        self._session = map_controller.session
        self._pending_entries: list[tuple[MapEntry, MapRole]] = []
        self._session.service_changed.connect(self._continue_opening)
        offline.package_unpacked.connect(self.open_document)

    @property
    def opening(self) -> bool:
        """True while services of an opened document are awaited."""
        return bool(self._pending_entries)

    def new(self) -> None:
        """Begin a new map. This can be undone."""
        before = (self._map.items, self._map.state)
        self._map.clear()
        self._map.state.page = before[1].page

        def undo() -> None:
            self._map.items, self._map.state = before
            self.changed.emit()

        self._notifier.notify(tr("A new custom map. The layers of the one before stay in the project."), tr("Undo"),
                              undo)

    def save(self) -> None:
        """Ask for a file and save the map's document to it."""
        self._extent.store()
        path = self._prompts.save_file(tr("Save the custom map"), f"{safe_file_name(self._map.title())}.custommap.json",
                                       _FILTER, in_project=True)
        if path is not None:
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Write the map's document to ``path``. An error is shown."""
        if not path.name.endswith(".json"):
            path = path.with_name(path.name + ".custommap.json")
        try:
            write_bytes_atomically(path,
                                   write_document(with_relative_snapshot_path(self._map.document(), path.resolve())))
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        add_recent_map(path)
        self._notifier.notify(tr("Saved as {name}.", name=path.name))

    def open(self) -> None:
        """Ask for a file and open it."""
        path = self._prompts.open_file(tr("Open a custom map"), f"{_FILTER};;JSON (*.json)")
        if path is not None:
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Read the document at ``path`` and put its services on the map. An error is shown."""
        try:
            document = read_document(path.read_bytes())
        except OSError as error:
            self._notifier.show_error(
                CartoguideError(
                    tr("{name} could not be opened: {reason}.", name=path.name, reason=error.strerror or "?"),
                    str(error)))
            return
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        add_recent_map(path)
        self.open_document(document, path.resolve())

    def open_document(self, document: CustomMap, path: Optional[Path] = None) -> None:
        """Replace the map by ``document`` and add its services in its order, as they are loaded.

        A snapshot that the document shows is opened first. ``path`` is the document's file, which the snapshot's folder
        is relative to.
        """
        self._map.clear()
        self._map.state = MapState.of_document(document)
        self.opening_started.emit()
        self._history.clear()
        self._pending_entries = []
        self.changed.emit()
        self._offline.open_snapshot_of(document, path, lambda: self._load_services(document),
                                       lambda error: self._on_snapshot_missing(document, error))

    def _on_snapshot_missing(self, document: CustomMap, error: CartoguideError) -> None:
        """Keep the services with their credits on the map, and offer to load them instead of the snapshot."""
        reason = tr("its snapshot is not there")
        for entry in document.entries:
            self._map.add_unavailable(MapItem(entry, role_in(document, entry), {}, reason))
        self._notifier.show_warning_with_action(
            tr("{reason} The map shows nothing until its services are loaded instead.",
               reason=error.user_text.split("\n")[0]), tr("Use the live services"),
            lambda: self.open_document(replace(document, snapshot=None)))

    def _load_services(self, document: CustomMap) -> None:
        self._pending_entries = [(entry, role_in(document, entry)) for entry in document.entries]
        for entry, _ in list(self._pending_entries):
            if self._session.services.get(entry.endpoint) is None:
                self._session.load_service(entry.endpoint)
        self._continue_opening()

    def _continue_opening(self, _endpoint: str = "") -> None:
        """Add services in the document's order, up to the first one that is still being loaded."""
        while self._pending_entries:
            entry, role = self._pending_entries[0]
            state = self._session.service_state(entry.endpoint)
            if self._session.services.get(entry.endpoint) is not None:
                self._map.build(MapItem(entry, role))
            elif state.status is ServiceStatus.LOADING:
                return
            else:
                # its credit and its place in the order stay on the map
                self._map.add_unavailable(MapItem(entry, role, {}, tr("its service does not respond")))
                if state.error is not None:
                    self._notifier.show_error(state.error)
            self._pending_entries.pop(0)


def recent_maps() -> list[Path]:
    """Return the custom maps opened or saved most recently, newest first. Files that no longer exist are left out."""
    try:
        stored = json.loads(settings.get("recent_maps") or "[]")
    except ValueError:
        return []
    if not isinstance(stored, list):
        return []
    return [Path(text) for text in stored if isinstance(text, str) and Path(text).is_file()]


def add_recent_map(path: Path) -> None:
    """Put a file at the head of the list, which has each file once. The oldest files beyond the limit are dropped."""
    resolved = path.resolve()
    paths = [resolved, *(recent for recent in recent_maps() if recent.resolve() != resolved)]
    settings.set("recent_maps", json.dumps([str(recent) for recent in paths[:_MAX_RECENT]], ensure_ascii=False))

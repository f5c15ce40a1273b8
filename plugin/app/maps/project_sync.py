"""The custom map in the QGIS project: shown again when the project is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...gis.layers import project_document
from .map_controller import MapController
from .offline_controller import OfflineController


class ProjectSync(QObject):
    """Reads the map's document from the project that was opened. ``MapController`` writes it there."""

    #: the map of the project that was opened is shown
    restored = pyqtSignal()

    def __init__(self, map_controller: MapController, offline: OfflineController,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._offline = map_controller, offline
        # a moment later, when the layers have been notified of the project too
        self._restore_timer = QTimer(self)
        self._restore_timer.setSingleShot(True)
        self._restore_timer.setInterval(0)
        self._restore_timer.timeout.connect(self.restore)
        self._map.project.readProject.connect(self._restore_timer.start)
        self._restore_timer.start()

    def close(self) -> None:
        """Stop listening to the project, which outlives the dock."""
        self._restore_timer.stop()
        self._map.project.readProject.disconnect(self._restore_timer.start)

    def restore(self) -> None:
        """Show the map that is saved in the project, unless another one is being composed."""
        if self._map.stack or self._map.adding:
            return
        found = project_document.read_stored_map(self._map.project)
        if found is None or not found.document.stack:
            return
        file = self._map.project.fileName()
        self._offline.reopen_snapshot_of(found.document, Path(file) if file else None)
        self._map.adopt(found)
        self._map.custom_map.begin()
        self.restored.emit()

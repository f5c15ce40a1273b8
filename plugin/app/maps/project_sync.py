"""The custom map in the QGIS project: saved with it, and shown again when the project is opened."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, Optional

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.i18n import tr
from ...gis.layers import project_document
from .map_controller import MapController
from .map_history import MapHistory
from .map_state import MapItem, MapState, role_in


class ProjectSync(QObject):
    """Writes the map's document into the project's layers, and reads it from there."""

    #: the map of the project that was opened is shown
    restored = pyqtSignal()

    def __init__(self, map_controller: MapController, history: MapHistory, is_opening: Callable[[], bool],
                 parent: Optional[QObject] = None) -> None:
        """``is_opening``: whether a document is being put on the map, which is not saved before it is complete."""
        super().__init__(parent)
        self._map, self._history, self._is_opening = map_controller, history, is_opening
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

    def save(self) -> None:
        """Write the map's document into the project, if the map has layers there."""
        ids = [layer_id for item in self._map.items for layer_id in item.layer_ids.values()]
        if ids and not self._map.adding and not self._is_opening():
            project_document.save_document_for_layers(self._map.project, ids, self._map.document())

    def restore(self) -> None:
        """Show the map that is saved in the project, unless another one is being composed.

        A map that shows a snapshot is left out: only its document's file knows where the snapshot is.
        """
        if self._map.items or self._map.adding:
            return
        found = project_document.read_stored_map(self._map.project)
        if found is None or not any(found.layer_ids) or (found.document.snapshot and found.document.snapshot.in_use):
            return
        document = found.document
        self._map.state = replace(MapState.of_document(document), snapshot_reference=document.snapshot)
        self._map.items = [MapItem(entry, role_in(document, entry), dict(layer_ids),
                                   "" if layer_ids else tr("%n layer(s) missing", n=max(1, len(entry.layers))))
                           for entry, layer_ids in zip(document.entries, found.layer_ids)]
        self._history.clear()
        for item in self._map.items:
            # the project requests these services anyway
            if item.layer_ids and self._map.session.services.get(item.entry.endpoint) is None:
                self._map.session.load_service(item.entry.endpoint)
        self.restored.emit()

"""The composer and the project: the map is kept with the project, and shown again when that is opened again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.PyQt.QtCore import QObject, QTimer

from ...app.maps.extent_mode import CANVAS, KEPT
from ...app.maps.map_state import MapItem, MapState
from ...core.i18n import tr
from ...gis.layers import project_document

if TYPE_CHECKING:
    from .composer_controller import ComposerController


class ProjectSync(QObject):
    """One for each composer."""

    def __init__(self, actions: ComposerController) -> None:
        super().__init__(actions)
        self._controller = actions
        self._map = actions.map
        # the layers' own listeners have heard of the project when this is done
        self._restore_timer = QTimer(self)
        self._restore_timer.setSingleShot(True)
        self._restore_timer.setInterval(0)
        self._restore_timer.timeout.connect(self.restore)
        self._map.project.readProject.connect(self._restore_timer.start)
        self._restore_timer.start()

    def close(self) -> None:
        """Before the dock goes: the project, which stays, tells it nothing any more."""
        self._restore_timer.stop()
        self._map.project.readProject.disconnect(self._restore_timer.start)

    def save(self) -> None:
        """Write the map as it is now into the project, if it has layers there."""
        maps = self._map
        ids = [layer_id for item in maps.items for layer_id in item.layer_ids.values()]
        if ids and not maps.adding and not self._controller.documents.opening:
            project_document.save_document_for_layers(maps.project, ids, maps.document())

    def restore(self) -> None:
        """Show the map that the project keeps; not over one that is being composed.

        A map that shows a snapshot is opened from its document, which knows where the snapshot is.
        """
        maps = self._map
        if maps.items or maps.adding:
            return
        found = project_document.read_stored_map(maps.project)
        if found is None or not any(found.layer_ids) or (found.document.snapshot and found.document.snapshot.in_use):
            return
        document = found.document
        mode = KEPT if document.extent or document.centre else CANVAS
        maps.state = MapState(document.title, document.page, document.scale, document.extent, document.centre,
                              document.extra, document.language, document.crs, mode, document.snapshot)
        maps.items = [MapItem(entry, "base" if entry is document.base else "overlay", dict(layer_ids),
                              "" if layer_ids else tr("%n layer(s) missing", n=max(1, len(entry.layers))))
                      for entry, layer_ids in zip(document.entries, found.layer_ids)]
        self._controller.history.clear()
        self._controller.composer.set_expanded(True)
        for item in maps.items:
            # only what the project itself asks: its layers are there
            if item.layer_ids and maps.session.services.get(item.entry.endpoint) is None:
                maps.session.load_service(item.entry.endpoint)
        self._controller.refresh_view()

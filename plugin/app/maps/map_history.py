"""Undo and redo of the custom map, and changes of a service that load it again."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

from qgis.core import QgsCoordinateReferenceSystem
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.custommap.model import CustomMap, MapEntry, MapRole
from ...core.custommap.undo_history import UndoHistory
from ...gis.layers import project_group
from ..records.dock_session import ServiceStatus
from .map_controller import MapController
from .map_state import ExtentMode, LayerChoice, MapItem, MapState, role_in, update_entry


class MapHistory(QObject):
    """Stack of the map's former documents. ``changed`` is emitted when ``can_undo`` or ``can_redo`` may have changed.
    """

    changed = pyqtSignal()

    def __init__(self, map_controller: MapController, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map = map_controller
        self._history = UndoHistory()
        self._awaiting_service: list[MapItem] = []
        #: document that undo or redo is restoring, or None
        self._target: Optional[CustomMap] = None
        self._pause_timer = QTimer(self)
        self._pause_timer.setSingleShot(True)
        self._pause_timer.setInterval(1000)
        self._pause_timer.timeout.connect(self._history.end_gesture)
        map_controller.session.service_changed.connect(self._on_service_changed)

    @property
    def can_undo(self) -> bool:
        """True if a change can be undone."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """True if a change was undone."""
        return self._history.can_redo

    def record_change(self) -> None:
        """Record the map's state, unless layers are still being made."""
        if self._map.adding or self._awaiting_service:
            return
        document = self._undo_document()
        if self._target is not None:
            # some of the services may be missing now
            self._target = None
            self._history.replace_current(document, self._map.state.extent_mode.value)
        else:
            self._history.push(document, self._map.state.extent_mode.value)
            self._pause_timer.start()
        self.changed.emit()

    def clear(self) -> None:
        """Forget all changes, because another map was opened."""
        self._history.clear()
        self._target = None
        self.changed.emit()

    def undo(self) -> None:
        """Restore the map before the last change."""
        self._apply(self._history.undo())

    def redo(self) -> None:
        """Restore the map that was undone last."""
        self._apply(self._history.redo())

    # -- services

    def restore_item(self, item: MapItem, index: int) -> None:
        """Undo the removal of one service: make its layers again, at their former position."""
        restored = MapItem(item.entry, item.role)

        def move_to_position(added: object) -> None:
            if added is restored:
                self._map.added.disconnect(move_to_position)
                if restored.role is not MapRole.BASE:
                    self._map.move(self._map.items.index(restored), min(index, len(self._map.items) - 1))

        self._map.added.connect(move_to_position)
        self._map.build(restored)

    def reload_service(self, item: MapItem) -> None:
        """Load the service of ``item`` again and make its layers."""
        self._awaiting_service.append(item)
        self._map.session.load_service(item.entry.endpoint, refresh=True)

    def change_endpoint(self, item: MapItem, address: str) -> None:
        """Use the service at another address. Layers, styles and credit stay the same."""
        project_group.remove_layers(self._map.project, list(item.layer_ids.values()))
        item.layer_ids = {}
        update_entry(item, endpoint=address)
        if self._map.session.services.get(address) is not None:
            self._map.build(MapItem(item.entry, item.role))
        else:
            self._awaiting_service.append(item)
            self._map.session.load_service(address)
        self._map.changed.emit()

    def change_layers(self, item: MapItem, choice: LayerChoice) -> None:
        """Replace the layers, styles or image format of a service."""
        entry = replace(item.entry, layers=choice.layers, styles=choice.styles, format=choice.format)
        self._map.build(MapItem(entry, choice.role), choice.crs)

    def _on_service_changed(self, endpoint: str) -> None:
        for item in [hoped for hoped in self._awaiting_service if hoped.entry.endpoint == endpoint]:
            state = self._map.session.service_state(endpoint)
            if state.status is ServiceStatus.LOADING:
                continue
            self._awaiting_service.remove(item)
            if state.error is None and self._map.session.services.get(endpoint) is not None:
                self._map.build(MapItem(item.entry, item.role))
            elif state.error is not None:
                self._map.failed.emit(state.error)
                self._map.changed.emit()

    # -- whole maps

    def _undo_document(self) -> CustomMap:
        """Return the map's document without what was not chosen by the person, such as a default title."""
        state = self._map.state
        document = replace(self._map.document(), title=state.title, language=state.language, snapshot=None)
        # an extent that follows the canvas or a record was not chosen by the person
        return document if state.extent_mode is ExtentMode.CUSTOM else replace(document, extent=None, centre=None)

    def _apply(self, target: Optional[CustomMap]) -> None:
        if target is None:
            return
        self._target = target
        if target.entries and self._map.items and self._map.crs() != target.crs:
            self._map.state.crs = target.crs
            self._map.project.setCrs(QgsCoordinateReferenceSystem(target.crs))
        state = self._map.state
        self._map.state = replace(MapState.of_document(target), crs=state.crs,
                                  extent_mode=ExtentMode(self._history.extent_mode or ExtentMode.CANVAS),
                                  snapshot_reference=state.snapshot_reference, shown_snapshot=state.shown_snapshot)
        target_entries = {entry.endpoint: (entry, role_in(target, entry)) for entry in target.entries}
        for item in [item for item in self._map.items if item.entry.endpoint not in target_entries]:
            self._map.discard(item)
        for endpoint, (entry, role) in target_entries.items():
            current = next((item for item in self._map.items if item.entry.endpoint == endpoint), None)
            if current is None or _layer_key(current.entry) != _layer_key(entry):
                self._map.build(MapItem(entry, role))
            else:
                current.entry, current.role = entry, role
                project_group.set_opacity(self._map.project, list(current.layer_ids.values()), entry.opacity)
                project_group.set_visible(self._map.project, current.layer_ids.values(), entry.visible)
        self._map.set_order(list(target_entries))
        self.changed.emit()


def _layer_key(entry: MapEntry) -> tuple[object, ...]:
    """Return the fields of an entry whose change requires new layers."""
    return entry.layers, entry.styles, entry.format, bool(entry.moment)

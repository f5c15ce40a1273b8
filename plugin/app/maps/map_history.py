"""Undo and redo of the custom map."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.custommap.model import CustomMap
from ...core.custommap.undo_history import UndoHistory
from .map_controller import MapController
from .map_state import ExtentMode


class MapHistory(QObject):
    """Stack of the map's former documents. ``changed`` is emitted when ``can_undo`` or ``can_redo`` may have changed.
    """

    changed = pyqtSignal()

    def __init__(self, map_controller: MapController, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map = map_controller
        self._history = UndoHistory()
        self._pause_timer = QTimer(self)
        self._pause_timer.setSingleShot(True)
        self._pause_timer.setInterval(1000)
        self._pause_timer.timeout.connect(self._history.end_gesture)
        map_controller.changed.connect(self.record_change)
        map_controller.reset.connect(self.clear)

    @property
    def can_undo(self) -> bool:
        """True if a change can be undone."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """True if a change was undone."""
        return self._history.can_redo

    @property
    def undo_label(self) -> str:
        """The change that can be undone, in a few words for people, or ""."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str:
        """The change that was undone, in a few words for people, or ""."""
        return self._history.redo_label

    def record_change(self) -> None:
        """Record the map's document if it has changed."""
        self._history.push(self._undo_document(), self._map.state.extent_mode)
        self._pause_timer.start()
        self.changed.emit()

    def clear(self) -> None:
        """Forget all changes, because another map was opened."""
        self._history.clear()
        self.record_change()

    def undo(self) -> None:
        """Restore the map before the last change."""
        self._map.flush()
        self._apply(self._history.undo())

    def redo(self) -> None:
        """Restore the map that was undone last."""
        self._map.flush()
        self._apply(self._history.redo())

    def _undo_document(self) -> CustomMap:
        """Return the map's document without what was not chosen by the person, such as a default title."""
        state = self._map.state
        document = replace(self._map.document(), title=state.title, language=state.language, snapshot=None)
        # an extent that follows the canvas or a record was not chosen by the person
        return document if state.extent_mode is ExtentMode.CUSTOM else replace(document, extent=None, centre=None)

    def _apply(self, target: Optional[CustomMap]) -> None:
        if target is not None:
            self._map.show_document(target, ExtentMode(self._history.extent_mode or ExtentMode.CANVAS), with_crs=True)
            self.changed.emit()

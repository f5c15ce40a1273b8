"""The custom map that is composed: one frozen document, and the documents that it was before."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Callable, Optional

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.custommap.model import CustomMap, Orientation, PageSetup, SnapshotReference
from ...core.custommap.undo_history import Change, Step, UndoHistory, change_in_qgis
from ...core.trust.provenance import Trust
from ...gis.runtime import settings
from .map_state import MapItem, MapPart, OwnItem, with_layers

#: milliseconds after which the next movement of a slider is a step of its own
_GESTURE_PAUSE_MS = 1000


class ExtentMode(str, Enum):
    """Sources of the printed extent."""

    CANVAS = "canvas"
    RECORD = "record"
    ALL_SERVICES = "services"
    #: as stored in the document
    CUSTOM = "custom"
    #: chosen in a dialog, then stored as CUSTOM
    POLYGON = "polygon"
    CENTRE = "centre"


class MapDocument(QObject):
    """Holds the document. Title, language and CRS that nobody has chosen are "" in it.

    ``changed`` is emitted after each change, but not where a document is shown or a change undone: the views follow
    the controller that does so.
    """

    changed = pyqtSignal()

    def __init__(self, find_crs: Callable[[], str], parent: Optional[QObject] = None) -> None:
        """``find_crs`` returns the CRS in effect, which is that of the project."""
        super().__init__(parent)
        self._find_crs = find_crs
        self._history = UndoHistory()
        self.current = new_document()
        self.extent_mode = ExtentMode.CANVAS
        #: the services and own layers, bottom first, with what the window adds
        self.stack: list[MapPart] = []
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_GESTURE_PAUSE_MS)
        self._pause.timeout.connect(self._history.end_gesture)

    @property
    def items(self) -> list[MapItem]:
        """The services, bottom first."""
        return [part for part in self.stack if isinstance(part, MapItem)]

    @property
    def own_items(self) -> list[OwnItem]:
        """The own layers, bottom first."""
        return [part for part in self.stack if isinstance(part, OwnItem)]

    def has(self, item: MapItem) -> bool:
        """Return whether a service is on the map."""
        return any(other is item for other in self.items)

    @property
    def undo_label(self) -> str:
        """The change that can be undone, in a few words for people, or ""."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str:
        """The change that was undone, in a few words for people, or ""."""
        return self._history.redo_label

    @property
    def can_undo(self) -> bool:
        """True if a change can be undone."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """True if a change was undone."""
        return self._history.can_redo

    def change(self, document: CustomMap, change: Change, extent_mode: Optional[ExtentMode] = None) -> None:
        """Make ``document`` the current one. It is a step to undo unless nothing that can be undone is different."""
        self.current = document
        self.extent_mode = extent_mode or self.extent_mode
        self._history.push(self._undoable(), change, self.extent_mode)
        self._pause.start()
        self.changed.emit()

    def change_layers(self, change: Optional[Change] = None, extent_mode: Optional[ExtentMode] = None,
                      **fields: object) -> None:
        """Change fields of the document, and its services and own layers to those of ``stack``.

        Without ``change`` they were changed in QGIS.
        """
        document = with_layers(replace(self.current, **fields), self.stack)  # type: ignore[arg-type]
        self.change(document, change or change_in_qgis(self.current, document), extent_mode)

    def show(self, document: CustomMap, extent_mode: Optional[ExtentMode] = None) -> None:
        """Make a document that was read the current one, without a step. The state of the snapshot stays.

        ``extent_mode`` is by default the one that the document implies.
        """
        implied = ExtentMode.CUSTOM if document.extent or document.centre else ExtentMode.CANVAS
        self.extent_mode = extent_mode or implied
        self.current = replace(document, snapshot=self.current.snapshot, seal="", trust=Trust.OWN, change_notes=())

    def begin(self) -> None:
        """Forget all changes, because another map was opened."""
        self._history.clear()
        self.change(self.current, Change(""))

    def use_snapshot(self, reference: Optional[SnapshotReference]) -> None:
        """Change where the map's snapshot is and whether it is shown, without a step."""
        self.current = replace(self.current, snapshot=reference)

    def undo(self) -> Optional[Step]:
        """Return what the map was before the last change, or None."""
        return self._history.undo()

    def redo(self) -> Optional[Step]:
        """Return what the map was when it was undone last, or None."""
        return self._history.redo()

    def _undoable(self) -> CustomMap:
        document = replace(self.current, crs=self._find_crs(), snapshot=None)
        # an extent that follows the canvas or a record was not chosen by the person
        return document if self.extent_mode is ExtentMode.CUSTOM else replace(document, extent=None, centre=None)


def new_document() -> CustomMap:
    """Return the document of a new map, on the page that the settings name."""
    page = PageSetup(settings.get("paper"), Orientation(settings.get("orientation")), settings.get("template"))
    return CustomMap(language="", crs="", page=page.on_offered_paper())

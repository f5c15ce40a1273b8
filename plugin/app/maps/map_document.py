"""The custom map that is composed: one frozen document, and the documents that it was before."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Any, Callable, Mapping, Optional, Sequence

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.model import CustomMap, MapRole, Orientation, PageSetup, SnapshotReference
from ...core.custommap.planner import PlannedMap
from ...core.custommap.undo_history import Change, UndoHistory
from ...core.pages.page_features import unmet_need
from ...core.trust.provenance import Trust
from ...gis.runtime import settings
from ...gis.runtime.main_thread import single_shot
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
    #: the place and scale that fit the page to the base, until the person moves the page
    FITTED = "fitted"
    #: chosen in a dialog, then stored as CUSTOM
    POLYGON = "polygon"
    CENTRE = "centre"

    @property
    def is_stored(self) -> bool:
        """True if the document has the place, and the page follows nothing else."""
        return self in (ExtentMode.CUSTOM, ExtentMode.FITTED)


class MapDocument(QObject):
    """Holds the document, and with it what the window adds to each of its services and own layers (``stack``).

    Title, language and CRS that nobody has chosen are "" in the document. The parts of the map have nothing of it: they
    ask here for their layers. They are arranged and their layers are set first, and ``change`` makes a step of that.

    ``changed`` is emitted after each change, but not where a document is shown or a change undone: the views follow
    the controller that does so.
    """

    changed = pyqtSignal()
    #: another map was opened, or begun: what was offered to be undone was done to the one before
    begun = pyqtSignal()

    def __init__(self, find_crs: Callable[[], str], parent: Optional[QObject] = None) -> None:
        """``find_crs`` returns the CRS in effect, which is that of the project."""
        super().__init__(parent)
        self._find_crs = find_crs
        self.history = UndoHistory()
        self._document = new_document()
        #: the services and own layers of the document by the parts that stand for them, bottom first
        self._layers: dict[MapPart, Any] = {}
        self.extent_mode = ExtentMode.CANVAS
        #: returns the fields of a document that fit its page to its base
        self.fit: Callable[[CustomMap], Mapping[str, Any]] = lambda _document: {}
        #: what the fitted page was last fitted to
        self._fitted_to: Optional[tuple[object, ...]] = None
        self._pause = single_shot(self, _GESTURE_PAUSE_MS, self.history.end_gesture)

    @property
    def current(self) -> CustomMap:
        """The document, as far as the person has chosen it."""
        return self._document

    @property
    def stack(self) -> tuple[MapPart, ...]:
        """The services and own layers, bottom first: the base, then the others in their order."""
        return tuple(self._layers)

    @property
    def items(self) -> list[MapItem]:
        """The services, bottom first."""
        return [part for part in self._layers if isinstance(part, MapItem)]

    @property
    def own_items(self) -> list[OwnItem]:
        """The own layers, bottom first."""
        return [part for part in self._layers if isinstance(part, OwnItem)]

    @property
    def base(self) -> Optional[MapPart]:
        """The service that is the base, or None."""
        return self.stack[0] if self._document.base is not None else None

    def has(self, part: MapPart) -> bool:
        """Return whether a service or own layer is on the map."""
        return part in self._layers

    def layer_of(self, part: MapPart) -> Any:
        """Return the layer of the document, a MapEntry or an OwnLayer, that a part of the map stands for."""
        return self._layers[part]

    def role_of(self, part: MapPart) -> MapRole:
        return MapRole.BASE if part is self.base else MapRole.OVERLAY

    # -- the services and own layers, without a step to undo

    def arrange(self, parts: Sequence[MapPart], base: Optional[MapPart]) -> None:
        """Let the map consist of these parts, bottom first above ``base``, which is None or one of them."""
        ordered = sorted(parts, key=lambda part: part is not base)
        self._show(with_layers(self._document, [part.layer for part in ordered], base is not None), ordered)

    def put(self, part: MapPart, place: int, replaced: Optional[MapPart] = None) -> None:
        """Put a part on the map at ``place``, or at the place of ``replaced``, as the base if that is its role."""
        parts = list(self.stack)
        if replaced is not None:
            place = parts.index(replaced)
            parts.remove(replaced)
        parts.insert(place, part)
        kept = self.base if self.base in parts else None
        self.arrange(parts, part if part.role is MapRole.BASE else kept)

    def remove(self, parts: Sequence[MapPart]) -> None:
        self.arrange([part for part in self._layers if part not in parts],
                     self.base if self.base not in parts else None)

    def set_layers(self, layers: Mapping[MapPart, Any]) -> None:
        """Let parts of the map stand for other layers: a MapEntry for a service, an OwnLayer for an own layer."""
        new = [layers.get(part, layer) for part, layer in self._layers.items()]
        self._show(with_layers(self._document, new, self.base is not None), self.stack)

    def update(self, part: MapPart, **fields: Any) -> None:
        """Change fields of the layer of a part."""
        self.set_layers({part: replace(part.layer, **fields)})

    def _show(self, document: CustomMap, parts: Sequence[MapPart]) -> None:
        """Make ``document`` the current one. ``parts`` stand for its services and own layers, in their order."""
        for part in self._layers:
            if part not in parts:
                part.take_off()
        self._document, self._layers = document, dict(zip(parts, document.stack))
        for part in parts:
            part.put_on(self)

    # -- changes

    def change(self, change: Optional[Change] = None, extent_mode: Optional[ExtentMode] = None, **fields: Any) -> None:
        """Change fields of the document. With what was arranged and set before, that is a step to undo.

        There is none where nothing that can be undone is different. Without ``change`` it was changed in QGIS. A page
        that nobody has placed is fitted anew where it has another size or another base.
        """
        self._document = replace(self._document, **fields)
        self.extent_mode = extent_mode or self.extent_mode
        if self.extent_mode is ExtentMode.FITTED and self._fitted_to != self._fit_key():
            self._fitted_to = self._fit_key()
            self._document = replace(self._document, **self.fit(self._document))
        self.history.push(self._undoable(), change, self.extent_mode)
        self._pause.start()
        self.changed.emit()

    def show(self, document: CustomMap, parts: Sequence[MapPart], extent_mode: Optional[ExtentMode] = None) -> None:
        """Make a document that was read the current one, without a step. The state of the snapshot stays.

        ``parts`` stand for its services and own layers, in their order. ``extent_mode`` is by default the one that the
        document implies.
        """
        implied = ExtentMode.CUSTOM if document.extent or document.centre else ExtentMode.CANVAS
        if document.fitted and document.centre:
            implied = ExtentMode.FITTED
        self.extent_mode = extent_mode or implied
        shown = with_layers(document, document.stack, document.base is not None)
        self._show(replace(shown, snapshot=self._document.snapshot, fitted=False, seal="", trust=Trust.OWN,
                           change_notes=()), parts)
        self.keep_place()

    def keep_place(self) -> None:
        """Leave a fitted page where the document has it, in the CRS that the project has now."""
        self._fitted_to = self._fit_key()

    def begin(self, after_former: bool = False) -> None:
        """Forget all changes, because another map was opened. ``after_former``: undo leads back to the map before it.
        """
        if after_former:
            self.history.restart_map()
        else:
            self.history.clear()
        self.change(Change(""))
        self.begun.emit()

    def use_snapshot(self, reference: Optional[SnapshotReference]) -> None:
        """Change where the map's snapshot is and whether it is shown, without a step."""
        self._document = replace(self._document, snapshot=reference)

    def _undoable(self) -> CustomMap:
        # an empty map has no CRS of its own: that of the project changes with whatever layers it has
        crs = self._find_crs() if self._document.stack else ""
        document = replace(self._document, crs=crs, snapshot=None)
        # an extent that follows the canvas or a record was not chosen by the person
        return document if self.extent_mode.is_stored else replace(document, extent=None, centre=None)

    def _fit_key(self) -> tuple[object, ...]:
        """Return what the fitted place depends on: the size of the page's map, and what it is fitted to."""
        page, entry = self._document.page, next(iter(self._document.entries), None)
        covered = (entry.endpoint, entry.layers) if entry is not None else None
        # a map that lacks what its page needs is printed as a guide map
        lacking = unmet_need(page, PlannedMap(self._document))
        return (page.template, page.paper, page.orientation, page.rotation, page.theme, self._document.base is not None,
                covered, lacking is None, self._find_crs())


def new_document() -> CustomMap:
    """Return the document of a new map, on the page that the settings name."""
    page = PageSetup(settings.get("paper"), Orientation(settings.get("orientation")), settings.get("template"))
    return CustomMap(language="", crs="", page=page.on_offered_paper())

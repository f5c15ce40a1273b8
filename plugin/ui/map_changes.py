"""Changes of the map that can be undone: and a service asked anew, at its new address, or for other layers."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

from qgis.core import QgsCoordinateReferenceSystem
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ..core.custommap.history import History
from ..core.custommap.model import CustomMap, Entry
from ..gis import map_group
from .extent_mode import CANVAS, KEPT
from .layer_choice import Choice
from .map_controller import MapController
from .map_items import MapItem, MapState, update_entry


class MapChanges(QObject):
    """``changed`` when what can be undone has changed."""

    changed = pyqtSignal()

    def __init__(self, maps: MapController, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._maps = maps
        self._history = History()
        self._hoped: list[MapItem] = []
        #: the document that undo or redo is making; None where nothing is under way
        self._target: Optional[CustomMap] = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(1000)
        self._rest.timeout.connect(self._history.pause)
        maps.session.service_changed.connect(self._heard)

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether something was undone."""
        return self._history.can_redo

    def note(self) -> None:
        """Take down the map as it is, unless it is only on its way to somewhere."""
        if self._maps.adding or self._hoped:
            return
        document = self._document()
        if self._target is not None:
            # a service that did not come back leaves the map as it could be made
            self._target = None
            self._history.replace_present(document, self._maps.state.mode)
        else:
            self._history.note(document, self._maps.state.mode)
            self._rest.start()
        self.changed.emit()

    def forget(self) -> None:
        """Another map was opened: its history begins."""
        self._history.clear()
        self._target = None
        self.changed.emit()

    def undo(self) -> None:
        """Go back to the map before."""
        self._become(self._history.undo())

    def redo(self) -> None:
        """Go on to the map that was undone."""
        self._become(self._history.redo())

    # -- services

    def put_back(self, item: MapItem, number: int) -> None:
        """Undo one service's removal: its layers are made again and go where they were."""
        again = MapItem(item.entry, item.role)
        maps = self._maps

        def to_place(added: object) -> None:
            if added is again:
                maps.added.disconnect(to_place)
                if again.role != "base":
                    maps.move(maps.items.index(again), min(number, len(maps.items) - 1))

        maps.added.connect(to_place)
        maps.build(again)

    def ask_again(self, item: MapItem) -> None:
        """Ask the service of ``item`` anew, and make its layers when it answers."""
        self._hoped.append(item)
        self._maps.session.load_service(item.entry.endpoint, again=True)

    def move_endpoint(self, item: MapItem, address: str) -> None:
        """Ask ``item``'s service at another address from now on; layers, styles and credit stay."""
        map_group.take_out(self._maps.project, list(item.layer_ids.values()))
        item.layer_ids = {}
        update_entry(item, endpoint=address)
        if self._maps.session.services.get(address) is not None:
            self._maps.build(MapItem(item.entry, item.role))
        else:
            self._hoped.append(item)
            self._maps.session.load_service(address)
        self._maps.changed.emit()

    def choose(self, item: MapItem, choice: Choice) -> None:
        """Other layers, styles or another image format of a service that is on the map."""
        entry = replace(item.entry, layers=choice.layers, styles=choice.styles, format=choice.format)
        self._maps.build(MapItem(entry, choice.role), choice.crs)

    def _heard(self, endpoint: str) -> None:
        for item in [hoped for hoped in self._hoped if hoped.entry.endpoint == endpoint]:
            state = self._maps.session.state(endpoint)
            if state.name == "loading":
                continue
            self._hoped.remove(item)
            if state.error is None and self._maps.session.services.get(endpoint) is not None:
                self._maps.build(MapItem(item.entry, item.role))
            elif state.error is not None:
                self._maps.failed.emit(state.error)
                self._maps.changed.emit()

    # -- whole maps

    def _document(self) -> CustomMap:
        """The map with nothing decided for it: a title that nobody gave stays empty."""
        state = self._maps.state
        document = replace(self._maps.document(), title=state.title, language=state.language, snapshot=None)
        # an extent that is read off elsewhere whenever it is needed is no choice of the person's
        return document if state.mode == KEPT else replace(document, extent=None, centre=None)

    def _become(self, target: Optional[CustomMap]) -> None:
        if target is None:
            return
        maps = self._maps
        self._target = target
        if target.entries and maps.items and maps.crs() != target.crs:
            maps.state.crs = target.crs
            maps.project.setCrs(QgsCoordinateReferenceSystem(target.crs))
        maps.state = MapState(target.title, target.page, target.scale, target.extent, target.centre, target.extra,
                              target.language, maps.state.crs, self._history.mode or CANVAS, maps.state.snapshot,
                              maps.state.shown)
        wanted = {entry.endpoint: (entry, "base" if entry is target.base else "overlay") for entry in target.entries}
        for item in [item for item in maps.items if item.entry.endpoint not in wanted]:
            maps.drop(item)
        for endpoint, (entry, role) in wanted.items():
            here = next((item for item in maps.items if item.entry.endpoint == endpoint), None)
            if here is None or _drawn(here.entry) != _drawn(entry):
                maps.build(MapItem(entry, role))
            else:
                here.entry, here.role = entry, role
                map_group.set_opacity(maps.project, list(here.layer_ids.values()), entry.opacity)
                map_group.set_visible(maps.project, here.layer_ids.values(), entry.visible)
        maps.keep_order(list(wanted))
        self.changed.emit()


def _drawn(entry: Entry) -> tuple[object, ...]:
    """What of an entry asks for other layers in the project when it changes."""
    return entry.layers, entry.styles, entry.format, bool(entry.moment)

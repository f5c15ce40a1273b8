"""Services of the custom map that do not respond: one message about them, with what can be done."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

from qgis.PyQt.QtCore import QObject

from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.text import quoted
from ..window import MessageAction, Notifier
from .map_controller import MapController
from .map_state import MapItem, ServiceRemedy, without_wms_prefix

#: services that the message names, and letters of a title in it
_MAX_TITLES, _MAX_TITLE_LENGTH = 2, 26


class UnavailableServices(QObject):
    """Finds and applies the remedies of services that cannot be drawn."""

    def __init__(self, map_controller: MapController, show_snapshot: Callable[[], object], notifier: Notifier,
                 parent: Optional[QObject] = None) -> None:
        """``show_snapshot`` shows the map's snapshot in place of its live services."""
        super().__init__(parent)
        self._map, self._show_snapshot, self._notifier = map_controller, show_snapshot, notifier
        self._close_message: Callable[[], object] = lambda: None
        map_controller.unavailable.connect(self.show_message)
        map_controller.changed.connect(self._close_message_if_solved)

    def items(self) -> list[MapItem]:
        """Return the services of which nothing is drawn, bottom first."""
        return [item for item in self._map.items if item.is_unavailable]

    def remedies(self, item: MapItem) -> tuple[ServiceRemedy, ...]:
        """Return what can be done about a service, the best first. None for a service that is drawn."""
        if not item.is_unavailable:
            return ()
        found = [ServiceRemedy.NEW_ADDRESS] if self._new_address(item) else []
        if self._map.chosen.snapshot is not None and self._map.shown_snapshot is None:
            found.append(ServiceRemedy.SNAPSHOT)
        return (*found, ServiceRemedy.RETRY)

    def apply(self, remedy: ServiceRemedy, items: Sequence[MapItem]) -> None:
        having = [item for item in items if remedy in self.remedies(item)]
        if remedy is ServiceRemedy.SNAPSHOT and having:
            self._show_snapshot()
            return
        for item in having:
            address = self._new_address(item)
            if remedy is ServiceRemedy.NEW_ADDRESS and address:
                self._map.change_endpoint(item, address)
            elif remedy is ServiceRemedy.RETRY:
                self._map.builds.reload(item)

    def show_message(self, items: Sequence[MapItem]) -> None:
        """Show one message about all of ``items``, with a button for each remedy that any of them has."""
        offered = [remedy for remedy in ServiceRemedy if any(remedy in self.remedies(item) for item in items)]
        titles = ", ".join(quoted(_short_title(item)) for item in items[:_MAX_TITLES])
        if len(items) > _MAX_TITLES:
            titles += "…"
        details = [f"{item.entry.title}\n{item.entry.endpoint}\n{item.error.user_text}\n{item.error.detail}".strip()
                   for item in items if item.error is not None]
        self._close_message()
        self._close_message = self._notifier.show_warning_with_actions(
            tr("%n service(s) missing: {titles}.", n=len(items), titles=titles),
            [MessageAction(remedy_label(remedy), lambda remedy=remedy: self.apply(remedy, items))  # type: ignore[misc]
             for remedy in offered], "\n\n".join(details))

    def _close_message_if_solved(self) -> None:
        if not self.items():
            self._close_message()
            self._close_message = lambda: None

    def _new_address(self, item: MapItem) -> str:
        """Return the address that the service's record names today if it is another one, or ""."""
        record = self._map.record_of(item)
        address = self._map.session.endpoint(record) if record is not None else None
        if not address or normalise_endpoint(address) == normalise_endpoint(item.entry.endpoint):
            return ""
        return address


def _short_title(item: MapItem) -> str:
    """Return a title that leaves room for the buttons of QGIS's message bar."""
    title = without_wms_prefix(item.entry.title) or item.entry.endpoint
    return title if len(title) <= _MAX_TITLE_LENGTH else title[:_MAX_TITLE_LENGTH - 1].rstrip() + "…"


def remedy_label(remedy: ServiceRemedy) -> str:
    """Return the text of a remedy's button."""
    return {ServiceRemedy.NEW_ADDRESS: tr("Use the new address"), ServiceRemedy.SNAPSHOT: tr("Show the snapshot"),
            ServiceRemedy.OPEN: tr("Open it…"), ServiceRemedy.RETRY: tr("Try again")}[remedy]

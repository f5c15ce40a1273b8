"""Services and own layers of the map that are missing: one message, what can be done, and when they are back."""

from __future__ import annotations

from functools import partial
from typing import Callable, Collection, Optional, Sequence

from qgis.PyQt.QtCore import QObject

from ...core.custommap.service_state import Progress
from ...core.errors import CartoguideError, NetworkFailure
from ...core.i18n import tr
from ...core.text import list_names, list_quoted_names, quoted
from ...gis.pages.completeness_checks import IncompleteMap, layer_label
from ...gis.runtime.main_thread import single_shot
from ...gis.runtime.network_errors import phrase_of_kind
from ..window import MessageAction, Notifier
from .map_controller import MapController
from .map_state import MapItem, MapPart, OwnItem, ServiceRemedy, drawn_layer_ids, title_of

#: services that the message names, layers of one that it names, and letters of a title in it
_MAX_TITLES, _MAX_LAYERS, _MAX_TITLE_LENGTH = 2, 1, 26
#: milliseconds in which the services of one dead server come together in one message
_GATHER_MS = 400


class UnavailableServices(QObject):
    """Finds and applies the remedies of services and own layers that cannot be drawn, or lack parts.

    Services whose layers could not be made are requested again when the project is saved. Nothing is requested without
    a reason.
    """

    def __init__(self, map_controller: MapController, show_snapshot: Callable[[], object],
                 find_other_maps: Callable[[Collection[str]], Sequence[str]], notifier: Notifier,
                 parent: Optional[QObject] = None) -> None:
        """``show_snapshot`` shows the map's snapshot in place of its live services. ``find_other_maps`` returns the
        names of other saved maps that use one of the addresses.
        """
        super().__init__(parent)
        self._map, self._show_snapshot, self._notifier = map_controller, show_snapshot, notifier
        self._find_other_maps = find_other_maps
        self._close_message: Callable[[], object] = lambda: None
        #: the parts of the map that the person was told of
        self._told: list[MapPart] = []
        self._timer = single_shot(self, _GATHER_MS, self._tell)
        map_controller.unavailable.connect(lambda _items: self.show_message())
        map_controller.builds.states_changed.connect(self._timer.start)
        map_controller.changed.connect(self._close_message_if_solved)
        map_controller.project.projectSaved.connect(self._retry_failed)

    def close(self) -> None:
        """Stop listening to the project, which outlives the dock."""
        self._timer.stop()
        self._map.project.projectSaved.disconnect(self._retry_failed)

    def _retry_failed(self) -> None:
        """Request the services again that could not be read, also those whose layers the project has and draws."""
        for item in self._map.items:
            if not (item.loading or item.entry.refusal) and (item.is_unavailable or self._map.builds.has_failed(item)):
                self._map.builds.reload(item)

    def parts(self) -> list[MapPart]:
        """Return the services and own layers of which something is missing, bottom first."""
        return [part for part in self._map.stack if part.is_missing]

    def remedies(self, part: MapPart) -> tuple[ServiceRemedy, ...]:
        """Return what can be done about a service or own layer, the best first. None for one that is drawn."""
        if not part.is_missing and not (isinstance(part, MapItem) and part.is_unavailable):
            return part.remedies() if isinstance(part, OwnItem) else ()
        found = [ServiceRemedy.NEW_ADDRESS] if isinstance(part, MapItem) and self._map.new_address(part) else []
        if self._map.chosen.snapshot is not None and self._map.shown_snapshot is None and isinstance(part, MapItem):
            found.append(ServiceRemedy.SNAPSHOT)
        return (*found, ServiceRemedy.RETRY, *([ServiceRemedy.LEAVE_OUT] if self._can_leave_out(part) else []))

    def _can_leave_out(self, part: MapPart) -> bool:
        """Return whether the map shows anything else than what is missing of ``part``."""
        return part.layer.visible and (bool(self._failed_layers(part)) or any(
            other is not part and drawn_layer_ids(other) for other in self._map.stack))

    def _failed_layers(self, part: MapPart) -> tuple[str, ...]:
        """Return the names of the layers of a service that are missing, where others of it are drawn. () elsewhere."""
        if not isinstance(part, MapItem) or part.entry.moment or not part.layer_ids:
            return ()
        shown = [name for name in part.entry.layers or part.layer_ids if part.entry.is_visible(name)]
        failed = tuple(name for name in shown if name not in part.layer_ids
                       or self._map.builds.states.state(part.layer_ids[name]).is_missing)
        return failed if len(failed) < len(shown) else ()

    def apply(self, remedy: ServiceRemedy, parts: Sequence[MapPart]) -> None:
        """Do something about those of ``parts`` that have this remedy."""
        having = [part for part in parts if part in self._map.stack and remedy in self.remedies(part)]
        if remedy is ServiceRemedy.SNAPSHOT and having:
            self._show_snapshot()
            return
        if remedy is ServiceRemedy.NEW_ADDRESS and having:
            addresses = {part: self._map.new_address(part) for part in having if isinstance(part, MapItem)}
            others = self._find_other_maps({part.entry.endpoint for part in addresses})
            self._map.change_endpoints(addresses)
            if others:
                self._notifier.show_warning(tr(
                    "The former address is still used by %n other saved map(s): {names}. Repair the services there "
                    "too.",
                    n=len(others), names=list_quoted_names(others)))
            return
        failed = {part: self._failed_layers(part) for part in having} if remedy is ServiceRemedy.LEAVE_OUT else {}
        self._map.hide_layers({part: names for part, names in failed.items() if names and isinstance(part, MapItem)})
        for part in having:
            if remedy is ServiceRemedy.RETRY:
                self._map.builds.retry(part)
            elif remedy is ServiceRemedy.LEAVE_OUT and not failed[part]:
                self._map.set_visible(self._map.stack.index(part), False)

    def show_message(self) -> None:
        """Show one message about all that is missing: the cause first, and a button for each remedy."""
        self._show("", [])

    def show_failure(self, error: CartoguideError, export_again: Callable[[], object]) -> None:
        """Show why a map was not exported: services that are missing before the legends that miss with them.

        ``export_again`` is what is tried again.
        """
        self._map.builds.states.judge_now()
        if isinstance(error, IncompleteMap) and self.parts():
            self._show(tr("The map was not exported."), [*error.problems, error.detail], export_again)
        else:
            self._notifier.show_error(error, export_again if isinstance(error, IncompleteMap) else None)

    def _export_again(self, parts: Sequence[MapPart], export: Callable[[], object]) -> None:
        """Export the map once more, as soon as services have layers that had none. The export requests the others."""
        for part in parts:
            if part in self._map.stack and part.problem:
                self._map.builds.retry(part)
        self._map.arrivals.when_here(export, self._notifier.show_error)

    def _show(self, beginning: str, more_details: Sequence[str],
              export_again: Optional[Callable[[], object]] = None) -> None:
        parts = self._told = self.parts()
        self._timer.stop()
        self._close_message()
        if not parts:
            return
        titles = list_names(list(map(self._named, parts)), _MAX_TITLES)
        in_part, count = sum(part.state.progress is Progress.PARTLY for part in parts), len(parts)
        missing = tr("%n service(s) missing: {titles}.", n=count, titles=titles) if not in_part else \
            tr("%n service(s) drawn in part: {titles}.", n=count, titles=titles) if in_part == count else \
            tr("%n service(s) missing or drawn in part: {titles}.", n=count, titles=titles)
        causes = list(dict.fromkeys(map(_cause, parts)))
        cause = causes[0] + ("…" if len(causes) > 1 else ".")
        details = [*(_details(part) for part in parts), "\n".join(filter(None, more_details))]
        offered = [remedy for remedy in ServiceRemedy if any(remedy in self.remedies(part) for part in parts)]

        def run(remedy: ServiceRemedy) -> None:
            if remedy is ServiceRemedy.RETRY and export_again is not None:
                self._export_again(parts, export_again)
            else:
                self.apply(remedy, parts)

        self._close_message = self._notifier.show_warning_with_actions(
            " ".join(filter(None, (beginning, cause, missing))),
            [MessageAction(remedy_label(remedy, sum(1 for part in parts if remedy in self.remedies(part))),
                           partial(run, remedy)) for remedy in offered], "\n\n".join(filter(None, details)))

    def _named(self, part: MapPart) -> str:
        """Return the title of a part of the map, with the layers that are missing where others of it are drawn."""
        title, failed = quoted(_short(title_of(part))), self._failed_layers(part)
        if not failed or not isinstance(part, MapItem):
            return title
        layers = [self._map.mirror.layer(part.layer_ids.get(name, "")) for name in failed]
        labels = [layer_label(layer) if layer is not None else name for layer, name in zip(layers, failed)]
        return f"{title} ({list_quoted_names(map(_short, labels), _MAX_LAYERS)})"

    def _tell(self) -> None:
        """Tell of services that are missing now and were not, and of nothing any more when they are back.

        A service that was not loaded, as where a snapshot is gone, has a message that says so.
        """
        parts = self.parts()
        is_said = all(isinstance(part, MapItem) and part.is_unavailable and part.error is None for part in parts)
        if set(map(id, parts)) != set(map(id, self._told)) and not (parts and is_said):
            self.show_message()

    def _close_message_if_solved(self) -> None:
        if not self.parts():
            self._close_message()
            self._close_message, self._told = lambda: None, []


def _cause(part: MapPart) -> str:
    """Return why a part of the map is missing, without a full stop."""
    error = part.error if isinstance(part, MapItem) else None
    if isinstance(error, NetworkFailure) and phrase_of_kind(error.kind, error.url):
        return phrase_of_kind(error.kind, error.url)
    return error.user_text.split("\n")[0].rstrip(".") if error is not None else part.received.cause or part.problem


def _details(part: MapPart) -> str:
    state, error = part.state, part.error if isinstance(part, MapItem) else None
    lines = [title_of(part), part.entry.endpoint if isinstance(part, MapItem) else "", state.problem,
             error.user_text if error is not None else "", error.detail if error is not None else state.detail]
    return "\n".join(filter(None, lines))


def _short(title: str) -> str:
    """Return a title that leaves room for the buttons of QGIS's message bar."""
    return title if len(title) <= _MAX_TITLE_LENGTH else title[:_MAX_TITLE_LENGTH - 1].rstrip() + "…"


def remedy_label(remedy: ServiceRemedy, count: int = 1) -> str:
    """Return the text of the button of a remedy for ``count`` services."""
    return {ServiceRemedy.NEW_ADDRESS: tr("Use the record's address for all") if count > 1
            else tr("Use the record's address"), ServiceRemedy.SNAPSHOT: tr("Show the snapshot"),
            ServiceRemedy.OPEN: tr("Open it…"), ServiceRemedy.RETRY: tr("Try again"),
            ServiceRemedy.LEAVE_OUT: tr("Leave it out") if count == 1 else tr("Leave them out")}[remedy]

"""State of a service or layer of the map, judged by what was received of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Dict, FrozenSet, Optional, Sequence, Set, Tuple

from ..addresses import host_and_port
from ..i18n import tr


class Progress(str, Enum):
    """Stages of drawing a service or layer."""

    NOT_ASKED = "not asked"
    LOADING = "loading"
    DRAWN = "drawn"
    #: a part of it is missing
    PARTLY = "partly"
    FAILED = "failed"


@dataclass(frozen=True)
class DrawnState:
    """Progress of a service or layer of the map.

    ``since`` is the time since when something is missing, None while nothing is. ``cause`` is a translated phrase about
    the reason, without a full stop, and ``detail`` the technical detail. While what is missing is requested again, all
    three stay.
    """

    progress: Progress = Progress.NOT_ASKED
    since: Optional[datetime] = None
    cause: str = ""
    detail: str = ""

    @property
    def is_missing(self) -> bool:
        """True if the service, or a part of it, was not there when it was last requested."""
        return self.since is not None

    @property
    def problem(self) -> str:
        """A translated phrase about why something is missing, and since when, or "" if nothing is."""
        if self.since is None:
            return ""
        time = f"{self.since.astimezone():%H:%M}"
        text = tr("{cause} · drawn in part since {time}", time=time, cause=self.cause) \
            if self.progress is Progress.PARTLY else tr("{cause} · failed since {time}", time=time, cause=self.cause)
        return tr("loading… ({problem})", problem=text) if self.progress is Progress.LOADING else text


def combined_state(states: Sequence[DrawnState]) -> DrawnState:
    """Return the state of a service from those of its layers.

    If one lacks anything, it is drawn in part where anything of any is drawn, and failed otherwise.
    """
    missing = [state for state in states if state.is_missing]
    known = {state.progress for state in states}
    if Progress.LOADING in known:
        progress = Progress.LOADING
    elif missing:
        progress = Progress.PARTLY if known & {Progress.DRAWN, Progress.PARTLY} else Progress.FAILED
    else:
        progress = Progress.DRAWN if Progress.DRAWN in known else Progress.NOT_ASKED
    first = min(missing, key=lambda state: str(state.since), default=DrawnState())
    details = dict.fromkeys(state.detail for state in missing if state.detail)
    return DrawnState(progress, first.since, first.cause, "\n".join(details))


@dataclass
class ReceivedParts:
    """Images, tiles and pages of features that were requested of one layer, and what became of them.

    Requests that overlap in time make a round, which is judged when the last of them has been answered (``close``).
    A part that was answered in the end counts as received, however often it failed before.
    """

    #: of the last round that was judged
    verdict: DrawnState = field(default_factory=DrawnState)
    #: host and port of the server whose failure is the verdict's cause
    failed_host: str = ""
    #: an answer has been awaited for long enough to be told
    is_slow: bool = False
    _awaited: Dict[int, str] = field(default_factory=dict)
    _answered: Set[str] = field(default_factory=set)
    _failed: Dict[str, Tuple[str, str, str]] = field(default_factory=dict)
    #: in the last round that was judged
    _former_failed: FrozenSet[str] = frozenset()
    _is_any_new: bool = False

    @property
    def state(self) -> DrawnState:
        return replace(self.verdict, progress=Progress.LOADING) if self.is_slow else self.verdict

    @property
    def is_awaited(self) -> bool:
        """True while the answer to any request is awaited."""
        return bool(self._awaited)

    def awaits(self, number: int) -> bool:
        """Return whether the answer to the request ``number`` is awaited."""
        return number in self._awaited

    def has_received(self, address: str) -> bool:
        """Return whether the part at ``address`` has come in this round."""
        return address in self._answered

    def has_failed(self, address: str) -> bool:
        """Return whether it is known why the part at ``address`` has not come, or did not before this round."""
        return address in self._failed or address in self._former_failed - self._answered

    def request(self, number: int, address: str) -> None:
        """Note that the request ``number`` for the part at ``address`` is sent."""
        self._awaited[number] = address

    def receive(self, number: int, address: str, is_stored: bool = False) -> None:
        """Note that a part has come. ``is_stored``: from QGIS's cache, so that it says nothing of the server."""
        self._awaited.pop(number, None)
        self._failed.pop(address, None)
        self._answered.add(address)
        self._is_any_new = self._is_any_new or not is_stored

    def fail(self, number: int, address: str, cause: str, detail: str, host: str = "") -> None:
        """Note that a part has not come, or that what came is none. For ``cause`` and ``detail`` see DrawnState.

        ``host`` is that of a part without a known address.
        """
        self._awaited.pop(number, None)
        self._answered.discard(address)
        self._failed[address] = cause, detail, host or host_and_port(address)

    def forget_failures(self) -> None:
        """Go by what comes from now on: somebody asks again, and the round may still be that of the failures."""
        self._failed.clear()

    def give_up(self, number: int) -> None:
        """Note that a request was cancelled, which says nothing of the server."""
        self._awaited.pop(number, None)

    def close(self, now: datetime) -> None:
        """Judge the round, which is over. Without any answer the verdict stays."""
        if self._failed:
            cause, detail, self.failed_host = next(reversed(list(self._failed.values())))
            self.verdict = DrawnState(Progress.PARTLY if self._answered else Progress.FAILED,
                                        self.verdict.since or now, cause, detail)
        elif self._answered and (self._is_any_new or not self.verdict.is_missing):
            self.verdict = DrawnState(Progress.DRAWN)
        self._former_failed = frozenset(self._failed)
        self._answered, self._failed, self._is_any_new, self.is_slow = set(), {}, False, False

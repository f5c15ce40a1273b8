"""The pictures of a snapshot, fetched side by side into files; what is there already is not fetched again.

Servers are treated as the rest of Cartoguide treats them (requests at a time, pauses that they ask for, time-outs); a
part that fails is asked for again, and a service that fails again and again is left alone. Worker threads only.
"""

from __future__ import annotations

import hashlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from qgis.core import QgsNetworkAccessManager

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.request import Request
from ..core.snapshot.model import Part
from ..core.whole_file import whole_file
from ..core.wms.answers import explain_answer
from .authentication import authcfg_for
from .network import Cancelled, Limits, fetch, host_of, pool_thread_lent
from .tasks import Feedback

#: how often a part is asked for before it counts as failed
ATTEMPTS = 3
#: parts of one server that fail, one after the other, before it is asked for nothing more
_PATIENCE = 4
_PAUSE = 0.4
#: requests under way at once over all servers; one server gets no more than the setting allows
_SIDE_BY_SIDE = 12


@dataclass(frozen=True)
class PartWork:
    """One request of a snapshot: its address, the number of its layer, what to call that, and the part it brings."""

    url: str
    layer: int
    title: str
    service: str
    part: Part


@dataclass(frozen=True)
class PartFailure:
    """A part that did not come: which, why in words, and the technical detail."""

    work: PartWork
    reason: str
    detail: str


class Parts:
    """The folder of the fetched parts; each is there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, url: str) -> Path:
        """The file of the answer at ``url``."""
        return self.folder / f"{hashlib.sha256(url.encode('utf-8')).hexdigest()[:40]}.part"

    def has(self, url: str) -> bool:
        """Whether it was fetched already."""
        return self.path(url).is_file()

    def put(self, url: str, data: bytes) -> None:
        """Keep what was fetched."""
        with whole_file(self.path(url)) as stream:
            stream.write(data)


def fetch_parts(works: Sequence[PartWork], parts: Parts, most_bytes: int, feedback: Feedback) -> List[PartFailure]:
    """Fetch what ``parts`` does not hold yet; what did not come, and why. Cancelled where ``feedback`` was.

    CartoguideError where more than ``most_bytes`` would have to be kept: what came until then stays.
    """
    lacking = [work for work in works if not parts.has(work.url)]
    run = _Run(parts, most_bytes - sum(parts.path(work.url).stat().st_size for work in works
                                       if parts.has(work.url)), len(works), len(works) - len(lacking), feedback)
    feedback.tell(run.percent, "")
    with pool_thread_lent(), ThreadPoolExecutor(max_workers=_SIDE_BY_SIDE) as pool:
        found = [future.result() for future in [pool.submit(run.one, work) for work in lacking]]
    feedback.stop_if_cancelled()
    if run.left < 0:
        raise CartoguideError(tr("The snapshot becomes larger than its limit of {size} MB. Choose a smaller area or "
                                 "fewer scales, or raise the limit in the settings; what was fetched is kept.",
                                 size=most_bytes // 1_000_000))
    return [failure for failure in found if failure is not None]


class _Run:
    """One fetching: how far it is, how much room is left, and which servers have failed too often."""

    def __init__(self, parts: Parts, left: int, total: int, done: int, feedback: Feedback) -> None:
        self._parts, self._total, self._done, self._feedback = parts, total, done, feedback
        self.left = left
        self._limits = replace(Limits.from_settings(), first_byte=QgsNetworkAccessManager.timeout() / 1000)
        self._failures: Dict[str, Tuple[int, str]] = {}
        self._lock = threading.Lock()

    @property
    def percent(self) -> float:
        """How much is there."""
        return 100.0 * self._done / max(1, self._total)

    def one(self, work: PartWork) -> Optional[PartFailure]:
        """Fetch one part; never raises (the pool's other threads would not stop)."""
        if self._feedback.isCanceled() or self.left < 0:
            return None
        host = host_of(work.url)
        failed, why = self._failures.get(host, (0, ""))
        if failed >= _PATIENCE:
            return PartFailure(work, why, work.url)
        try:
            data = self._fetched(work)
            self._parts.put(work.url, data)
        except Cancelled:
            return None
        except CartoguideError as error:
            with self._lock:
                self._failures[host] = (self._failures.get(host, (0, ""))[0] + 1, error.user_text)
            return PartFailure(work, error.user_text, f"{work.url}\n{error.detail}".strip())
        with self._lock:
            self._failures[host] = (0, "")
            self._done += 1
            self.left -= len(data)
        self._feedback.tell(self.percent, work.title)
        return None

    def _fetched(self, work: PartWork) -> bytes:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                response = fetch(Request("GET", work.url), limits=self._limits, authcfg=authcfg_for(work.url),
                                 feedback=self._feedback)
                explain_answer(response, "image", work.part.asked)
                return response.body
            except Cancelled:
                raise
            except CartoguideError:
                if attempt == ATTEMPTS:
                    raise
            self._pause(_PAUSE * 2 ** (attempt - 1))
        raise AssertionError

    def _pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._feedback.stop_if_cancelled()
            time.sleep(0.02)


def problems_of(failures: Sequence[PartFailure], works: Sequence[PartWork]) -> List[str]:
    """The failures in words: each service, layer and reason once, with how many of its pictures lack."""
    grouped: Dict[Tuple[str, str, str], int] = {}
    for failure in failures:
        key = (failure.work.service, failure.work.title, failure.reason)
        grouped[key] = grouped.get(key, 0) + 1
    lines = []
    for (service, title, reason), count in grouped.items():
        total = sum(1 for work in works if work.title == title and work.service == service)
        lines.append(tr("“{layer}” of “{service}” lacks {count} of %n picture(s): {reason}", n=total, layer=title,
                        service=service, count=count, reason=reason))
    return lines

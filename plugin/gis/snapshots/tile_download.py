"""Download the tiles of a snapshot in parallel into files, skipping those that exist.

Servers are treated as elsewhere (parallel requests, requested pauses, timeouts). A tile that fails is requested again,
and a server that fails repeatedly is left alone. For worker threads.
"""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from ...core.errors import Cancelled, CartoguideError
from ...core.files import atomic_write
from ...core.i18n import tr
from ...core.request import HttpMethod, Request, Response
from ...core.snapshot.manifest import RasterPart
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..network.client import RequestLimits, fetch, retry_image
from ..network.drawn_errors import ConfirmedImages, check_for_drawn_error
from ..runtime.network_errors import host_of
from ..runtime.tasks import Feedback
from ..runtime.thread_pool import pool_slot_released

#: consecutive failures of one server after which it is left alone
_MAX_HOST_FAILURES = 4
#: parallel requests over all servers (the setting limits those to one server)
_MAX_PARALLEL = 12


@dataclass(frozen=True)
class TileRequest:
    """One request of a snapshot: its address, its layer's number and title, and the tile it returns."""

    url: str
    layer_number: int
    title: str
    service_title: str
    tile: RasterPart


@dataclass(frozen=True)
class TileFailure:
    """A tile that failed: its request, the reason for the user, and the technical detail."""

    request: TileRequest
    reason: str
    detail: str


class TileFolder:
    """The folder of downloaded tiles. Each file is written whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, url: str) -> Path:
        """Return the file of the response from ``url``."""
        return self.folder / f"{hashlib.sha256(url.encode('utf-8')).hexdigest()[:40]}.part"

    def has(self, url: str) -> bool:
        """Return whether the tile was downloaded. An empty file is what a power cut left of one."""
        try:
            return self.path(url).stat().st_size > 0
        except OSError:
            return False

    def save(self, url: str, data: bytes) -> None:
        with atomic_write(self.path(url), private=True, sync=False) as stream:
            stream.write(data)


def download_tiles(requests: Sequence[TileRequest], tile_folder: TileFolder, max_bytes: int,
                   feedback: Feedback) -> List[TileFailure]:
    """Download the tiles missing from ``tile_folder`` and return the failures.

    Raises Cancelled, and CartoguideError if the tiles exceed ``max_bytes``. Tiles downloaded until then are kept.
    """
    missing = [work for work in requests if not tile_folder.has(work.url)]
    run = _DownloadRun(
        tile_folder,
        max_bytes - sum(tile_folder.path(work.url).stat().st_size for work in requests if tile_folder.has(work.url)),
        len(requests),
        len(requests) - len(missing), feedback)
    feedback.report(run.percent, "")
    with pool_slot_released(), ThreadPoolExecutor(max_workers=_MAX_PARALLEL) as pool:
        results = [future.result() for future in [pool.submit(run.download_tile, work) for work in missing]]
    feedback.raise_if_cancelled()
    if run.bytes_left < 0:
        raise CartoguideError(
            tr(
                "The snapshot exceeds its limit of {size} MB. Choose a smaller area or fewer scales, or raise the "
                "limit in the settings. What was downloaded is kept.",
                size=max_bytes // 1_000_000))
    return [failure for failure in results if failure is not None]


class _DownloadRun:
    """State of one download: its progress, the bytes left, and the failures of each server."""

    def __init__(self, tile_folder: TileFolder, bytes_left: int, total: int, done: int, feedback: Feedback) -> None:
        self._tile_folder, self._total, self._done, self._feedback = tile_folder, total, done, feedback
        self.bytes_left = bytes_left
        self._limits = RequestLimits.for_map_images()
        self._failures: Dict[str, Tuple[int, str]] = {}
        self._confirmed = ConfirmedImages()
        self._lock = threading.Lock()

    @property
    def percent(self) -> float:
        """The share of tiles that exist."""
        return 100.0 * self._done / max(1, self._total)

    def download_tile(self, request: TileRequest) -> Optional[TileFailure]:
        """Download one tile. Never raises, because the pool's other threads would not stop."""
        if self._feedback.isCanceled() or self.bytes_left < 0:
            return None
        host = host_of(request.url)
        failed, why = self._failures.get(host, (0, ""))
        if failed >= _MAX_HOST_FAILURES:
            return TileFailure(request, why, request.url)
        try:
            data = retry_image(lambda: self._fetch(request), self._feedback)
            self._tile_folder.save(request.url, data)
        except Cancelled:
            return None
        except CartoguideError as error:
            with self._lock:
                self._failures[host] = (self._failures.get(host, (0, ""))[0] + 1, error.user_text)
            return TileFailure(request, error.user_text, f"{request.url}\n{error.detail}".strip())
        with self._lock:
            self._failures[host] = (0, "")
            self._done += 1
            self.bytes_left -= len(data)
        self._feedback.report(self.percent, request.title)
        return None

    def _fetch(self, request: TileRequest) -> bytes:
        def send(url: str) -> Response:
            return fetch(Request(HttpMethod.GET, url), limits=self._limits, feedback=self._feedback)

        response = send(request.url)
        check_response(response, ExpectedContent.IMAGE, request.tile.request_size)
        check_for_drawn_error(request.url, response, request.tile.request_size, send, self._confirmed)
        return response.body


def describe_failures(failures: Sequence[TileFailure], requests: Sequence[TileRequest]) -> List[str]:
    """Return the failures for the user: each service, layer and reason once, with the number of missing tiles."""
    grouped: Dict[Tuple[str, str, str], int] = {}
    for failure in failures:
        key = (failure.request.service_title, failure.request.title, failure.reason)
        grouped[key] = grouped.get(key, 0) + 1
    lines = []
    for (service, title, reason), count in grouped.items():
        total = sum(1 for work in requests if work.title == title and work.service_title == service)
        lines.append(tr("“{layer}” of “{service}” lacks {count} of %n image(s): {reason}", n=total, layer=title,
                        service=service, count=count, reason=reason))
    return lines

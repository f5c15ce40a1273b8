"""Download the tiles of a snapshot into files, skipping those that exist. They are fetched and judged as all images.

For worker threads.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.snapshot.manifest import RasterPart
from ...core.wms.requests.tile_overlap import ImagePiece
from ..network.origin_settings import OriginLogin
from ..pixels.fetch import FetchedPiece, fetch_files
from ..pixels.request import RequestedPiece
from ..runtime.tasks import Feedback


@dataclass(frozen=True)
class TileRequest:
    """One request of a snapshot: its address, its layer's number, title and service, and the tile it returns.

    With ``hides_others`` there are layers below.
    """

    url: str
    layer_id: str
    title: str
    service: str
    tile: RasterPart
    hides_others: bool = False
    page: int = 1
    address: str = ""
    login: Optional[OriginLogin] = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_plain: bool = True

    @property
    def piece(self) -> RequestedPiece:
        left, top, _right, _bottom = self.tile.gutter
        return RequestedPiece(self.url, ImagePiece(0, 0, self.tile.width, self.tile.height, left, top,
                                                   self.tile.request_size))


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

    def size(self, url: str) -> int:
        """Return the bytes of a downloaded tile. An empty file is what a power cut left of one."""
        try:
            return self.path(url).stat().st_size
        except OSError:
            return 0


class _Budget(Feedback):
    """Feedback that also cancels when more bytes have come than the snapshot may have."""

    def __init__(self, whole: Feedback, limit: int, used: int, begin: float) -> None:
        super().__init__()
        self._whole, self._limit, self._begin = whole, limit, begin
        self.bytes_left = limit - used

    def report(self, percent: float, text: str = "") -> None:
        """Report the share of the tiles that exist."""
        self._whole.report(self._begin + percent * (100.0 - self._begin) / 100.0, text)

    def isCanceled(self) -> bool:  # noqa: N802
        """Return whether no more tiles are wanted (QGIS)."""
        return self.bytes_left < 0 or bool(self._whole.isCanceled())

    def raise_if_cancelled(self) -> None:
        """Raise CartoguideError if the limit is exceeded, and Cancelled."""
        if self.bytes_left < 0:
            raise CartoguideError(
                tr(
                    "The snapshot exceeds its limit of {size} MB. Choose a smaller area or fewer scales, or raise the "
                    "limit in the settings. What was downloaded is kept.",
                    size=self._limit // 1_000_000))
        self._whole.raise_if_cancelled()


def download_tiles(requests: Sequence[TileRequest], tile_folder: TileFolder, max_bytes: int,
                   feedback: Feedback) -> List[TileFailure]:
    """Download the tiles missing from ``tile_folder`` and return the failures.

    Raises Cancelled, and CartoguideError if the tiles exceed ``max_bytes``. Tiles downloaded until then are kept.
    """
    missing = [work for work in requests if not tile_folder.size(work.url)]
    budget = _Budget(feedback, max_bytes, sum(tile_folder.size(work.url) for work in requests),
                     100.0 * (len(requests) - len(missing)) / max(1, len(requests)))

    def save(piece: FetchedPiece) -> None:
        if piece.pixels.file is not None:
            os.replace(piece.pixels.file, tile_folder.path(piece.requested.url))
            budget.bytes_left -= piece.size

    budget.report(0.0)
    fetched = fetch_files([(work, work.piece) for work in missing], budget, tile_folder.folder, save)
    return [TileFailure(work, piece.error.user_text, piece.detail)
            for work, piece in zip(missing, fetched) if piece.error is not None]


def describe_failures(failures: Sequence[TileFailure], requests: Sequence[TileRequest]) -> List[str]:
    """Return the failures for the user: each service, layer and reason once, with the number of missing tiles."""
    grouped: Dict[Tuple[str, str, str], int] = {}
    for failure in failures:
        key = (failure.request.service, failure.request.title, failure.reason)
        grouped[key] = grouped.get(key, 0) + 1
    lines = []
    for (service, title, reason), count in grouped.items():
        total = sum(1 for work in requests if work.title == title and work.service == service)
        lines.append(tr("“{layer}” of “{service}” lacks {count} of %n image(s): {reason}", n=total, layer=title,
                        service=service, count=count, reason=reason))
    return lines

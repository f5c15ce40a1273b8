"""The estimated cost of a snapshot: requests, pixels, megabytes and time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional, Tuple

from ..custommap.planner import supports_transparency
from ..i18n import tr
from ..numbers import format_decimal
from .manifest import RasterLevel, RasterPart

#: usual bytes per pixel: drawn overlays, lossless opaque images, photographs
_OVERLAY_BYTES, _IMAGE_BYTES, _PHOTO_BYTES = 0.12, 0.9, 0.35
#: seconds for a million pixels without a measurement, with several parallel requests
_SECONDS_PER_MEGAPIXEL = 0.5
#: least seconds of a request
_MIN_REQUEST_SECONDS = 0.1


@dataclass(frozen=True)
class SnapshotEstimate:
    """``requests`` images with ``megapixels`` in total, about ``megabytes`` on disk and ``seconds``."""

    requests: int = 0
    megapixels: float = 0.0
    megabytes: float = 0.0
    seconds: float = 0.0

    def text(self) -> str:
        """Return the figures for people."""
        if not self.requests:
            return tr("Nothing needs to be fetched.")
        size = format_decimal(max(self.megabytes, 0.1), 0 if self.megabytes >= 10 else 1)
        time = tr("about {minutes} min", minutes=f"{self.seconds / 60:.0f}") if self.seconds >= 90 \
            else tr("about {seconds} s", seconds=f"{max(1.0, self.seconds):.0f}")
        return ", ".join((tr("%n request(s)", n=self.requests), tr("about {size} MB", size=size), time))


def estimate_snapshot(parts: Iterable[Tuple[str, bool, RasterLevel, RasterPart]],
                      seconds_per_megapixel: Optional[float] = None) -> SnapshotEstimate:
    """Return the cost of ``parts``: each part with its image format, and whether its layer is opaque.

    The time is based on ``seconds_per_megapixel`` where the map's services were measured.
    """
    requests, pixels, size = 0, 0.0, 0.0
    for image_format, opaque, _level, part in parts:
        width, height = part.request_size
        requests += 1
        pixels += width * height
        rate = _PHOTO_BYTES if not supports_transparency(image_format) else _IMAGE_BYTES if opaque else _OVERLAY_BYTES
        size += part.width * part.height * rate
    seconds = max(pixels / 1e6 * (seconds_per_megapixel or _SECONDS_PER_MEGAPIXEL), requests * _MIN_REQUEST_SECONDS)
    return SnapshotEstimate(requests, pixels / 1e6, size / 1e6, seconds if requests else 0.0)

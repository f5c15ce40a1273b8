"""The estimated number and size of the images of a printed map, and the time they take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Dict, Optional, Tuple

from ..i18n import tr
from ..numbers import format_decimal
from ..wms.requests.tile_overlap import tile_step
from .context import PreflightContext

#: the largest side of an image in pixels where the service has no limit
MAX_IMAGE_SIDE = 4096


@dataclass(frozen=True)
class PrintEstimate:
    """``requests`` images with ``megapixels`` in total, none larger than ``largest`` (width, height).

    ``seconds`` is based on measured requests, None without any. ``images_by_entry`` lists the entries whose layers need
    several images.
    """

    requests: int
    megapixels: float
    largest: Tuple[int, int] = (0, 0)
    seconds: Optional[float] = None
    images_by_entry: Tuple[Tuple[int, int], ...] = ()

    def text(self) -> str:
        """Return the figures for people, an empty text without requests."""
        if not self.requests:
            return ""
        parts = [tr("%n image(s)", n=self.requests),
                 tr("{count} megapixels", count=format_decimal(self.megapixels, 0 if self.megapixels >= 10 else 1))]
        if self.seconds is not None:
            parts.append(tr("about {seconds} s", seconds=f"{max(1.0, self.seconds):.0f}"))
        return ", ".join(parts)


def estimate_print(context: PreflightContext, seconds_per_megapixel: Optional[float] = None) -> PrintEstimate:
    """Return the cost of printing the map. ``seconds_per_megapixel`` was measured by the last trial requests."""
    if context.frame is None:
        return PrintEstimate(0, 0.0)
    width, height = context.frame.pixels(context.dpi)
    requests, largest = 0, (0, 0)
    images_by_entry: Dict[int, int] = {}
    count = 0
    for layer in context.plan.layers:
        source = layer.wms
        if not layer.visible or source is None:
            continue
        widest = min(source.max_width or MAX_IMAGE_SIDE, MAX_IMAGE_SIDE)
        highest = min(source.max_height or MAX_IMAGE_SIDE, MAX_IMAGE_SIDE)
        # a divided image consists of overlapping parts, which are smaller than the limits
        fits_one_image = width <= widest and height <= highest
        if not fits_one_image:
            widest = min(tile_step(source.max_width), MAX_IMAGE_SIDE) if source.max_width else MAX_IMAGE_SIDE
            highest = min(tile_step(source.max_height), MAX_IMAGE_SIDE) if source.max_height else MAX_IMAGE_SIDE
        images = math.ceil(width / widest) * math.ceil(height / highest)
        images_by_entry[layer.entry_index] = max(images_by_entry.get(layer.entry_index, 1), images)
        largest = max(largest, (min(width, widest), min(height, highest)))
        requests += images
        count += 1
    megapixels = count * width * height / 1e6
    seconds = None if seconds_per_megapixel is None else megapixels * seconds_per_megapixel
    several = tuple((entry, number) for entry, number in sorted(images_by_entry.items()) if number > 1)
    return PrintEstimate(requests, megapixels, largest, seconds, several)

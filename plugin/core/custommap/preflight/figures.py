"""How many images a map takes, how large they are, and how long that may last."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Dict, Optional, Tuple

from ...i18n import tr
from ...wms.overlap import step
from .case import MapCase

#: pixels of one image where the service names no limit: what the layers ask for at most
ONE_IMAGE = 4096


@dataclass(frozen=True)
class Figures:
    """``requests`` images of together ``megapixels``, none larger than ``largest`` (width, height); ``seconds`` is an
    estimate from what was measured, None before anything was; ``pieces`` is by entry, where a picture has several.
    """

    requests: int
    megapixels: float
    largest: Tuple[int, int] = (0, 0)
    seconds: Optional[float] = None
    pieces: Tuple[Tuple[int, int], ...] = ()

    def words(self) -> str:
        """The figures as people read them; empty where nothing would be asked."""
        if not self.requests:
            return ""
        parts = [tr("%n image(s)", n=self.requests),
                 tr("{count} megapixels", count=f"{self.megapixels:.0f}" if self.megapixels >= 10
                    else f"{self.megapixels:.1f}")]
        if self.seconds is not None:
            parts.append(tr("about {seconds} s", seconds=f"{max(1.0, self.seconds):.0f}"))
        return ", ".join(parts)


def figures(case: MapCase, seconds_for_megapixel: Optional[float] = None) -> Figures:
    """What printing ``case`` asks for; the time from ``seconds_for_megapixel``, measured when it was last asked."""
    if case.frame is None:
        return Figures(0, 0.0)
    width, height = case.frame.pixels(case.dpi)
    requests, largest = 0, (0, 0)
    pieces: Dict[int, int] = {}
    count = 0
    for layer in case.plan.layers:
        if not layer.visible:
            continue
        widest = min(layer.max_width or ONE_IMAGE, ONE_IMAGE)
        highest = min(layer.max_height or ONE_IMAGE, ONE_IMAGE)
        # a picture that the limits cut comes in pieces, each with a margin: what is larger than one piece but within
        # the limits is still one
        whole = width <= widest and height <= highest
        if not whole:
            widest = min(step(layer.max_width), ONE_IMAGE) if layer.max_width else ONE_IMAGE
            highest = min(step(layer.max_height), ONE_IMAGE) if layer.max_height else ONE_IMAGE
        here = math.ceil(width / widest) * math.ceil(height / highest)
        pieces[layer.entry] = max(pieces.get(layer.entry, 1), here)
        largest = max(largest, (min(width, widest), min(height, highest)))
        requests += here
        count += 1
    megapixels = count * width * height / 1e6
    seconds = None if seconds_for_megapixel is None else megapixels * seconds_for_megapixel
    several = tuple((entry, number) for entry, number in sorted(pieces.items()) if number > 1)
    return Figures(requests, megapixels, largest, seconds, several)

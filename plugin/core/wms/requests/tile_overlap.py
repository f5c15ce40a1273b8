"""Pieces of a map's image requested with a margin, so that labels and symbols at their edges are complete.

A map server draws what lies inside the requested box: a symbol at the edge is cut, a label there is left out or moved.
So each piece is requested larger than needed, and its margin is cut off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Tuple

Size = Tuple[int, int]
#: largest margin on each side in pixels, about 20 mm of paper at 300 dpi, for symbols and letters of their usual size
_MAX_MARGIN = 256
#: the margin is this fraction of the largest image
_MARGIN_DIVISOR = 6


def tile_margin(limit: int) -> int:
    """Return the margin in pixels on each side for a service whose images have at most ``limit`` pixels a side."""
    return min(_MAX_MARGIN, limit // _MARGIN_DIVISOR)


def tile_step(limit: int) -> int:
    """Return the largest side of a tile in pixels that leaves room for its margin."""
    return limit - 2 * tile_margin(limit)


@dataclass(frozen=True)
class ImagePiece:
    """A piece of an image, and the requested image that it is cut from, in pixels from the upper left corner.

    ``left``, ``top``, ``width`` and ``height`` are the piece's. The requested image begins ``margin_left`` and
    ``margin_top`` pixels before it and has ``requested`` pixels.
    """

    left: int
    top: int
    width: int
    height: int
    margin_left: int
    margin_top: int
    requested: Size


def image_pieces(size: Size, limits: Size, symbol_factor: float = 1.0) -> List[ImagePiece]:
    """Return the pieces of an image of ``size`` from a service whose images have at most ``limits`` pixels.

    A limit of 0 is none. Neighbouring pieces overlap by their margins. Together they cover the image once. Symbols and
    letters that are ``symbol_factor`` times as large have larger margins, as far as no more pieces are needed for them.
    """
    columns, rows = (_spans(side, limit, symbol_factor) for side, limit in zip(size, limits))
    return [ImagePiece(left, top, width, height, before_x, before_y, (wide, high))
            for top, height, before_y, high in rows for left, width, before_x, wide in columns]


def _spans(side: int, limit: int, symbol_factor: float) -> List[Tuple[int, int, int, int]]:
    """Return start, length, margin before and requested length of each piece along one side."""
    if not limit or side <= limit:
        return [(0, side, 0, side)]
    margin = tile_margin(limit)
    count = -(-side // max(1, tile_step(limit)))
    edges = [round(number * side / count) for number in range(count + 1)]
    margin = max(margin, min(round(margin * symbol_factor), (limit - -(-side // count)) // 2))
    spans = []
    for start, end in zip(edges, edges[1:]):
        first, last = max(0, start - margin), min(side, end + margin)
        spans.append((start, end - start, start - first, last - first))
    return spans

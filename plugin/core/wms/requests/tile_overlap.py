"""Pictures that come in pieces, asked for with a margin: labels and symbols at an edge are cut by who draws them.

A map server draws what lies in the box that it is asked for: a symbol on the edge is cut, a label there is left out or
put elsewhere. So each piece is asked for larger than it is needed, and its margin is thrown away.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from ..crs.bounding_boxes import BBox
from .urls import ParameterValue, query_parameters, with_parameters

Size = Tuple[int, int]
#: pixels of margin on each side, at the most: about 20 mm of paper at 300 dpi
_MAX_MARGIN = 256
#: the margin's share of the largest picture
_MARGIN_DIVISOR = 6
#: a difference of pixel sizes below this is the noise of rounded edges
_PIXEL_SIZE_TOLERANCE = 0.01
#: parts of a pixel that a box may be off without being worth another request
_MAX_OFFSET_PIXELS = 0.05
#: a place of the map (x, y) as pixels from its upper left corner, and back
CoordinateMapping = Callable[[float, float], Tuple[float, float]]


@dataclass(frozen=True)
class PaddedTile:
    """The picture that a piece is cut out of: its address, its size, and the piece's left upper corner in it."""

    url: str
    size: Size
    left: int
    top: int


def tile_margin(limit: int) -> int:
    """Pixels on each side for a service whose pictures have at most ``limit``."""
    return min(_MAX_MARGIN, limit // _MARGIN_DIVISOR)


def tile_step(limit: int) -> int:
    """How large a piece may be so that it can be asked for with its margin."""
    return limit - 2 * tile_margin(limit)


def pad_tiles(urls: Sequence[str], limits: Size, visible: Optional[BBox] = None) -> List[Optional[PaddedTile]]:
    """For the GetMap addresses of one layer's pieces what each is to be cut out of; None for one asked for as it is.

    All of them are cut out of one picture where ``limits`` (width, height in pixels) allow it. ``seen`` is what the map
    shows (left, bottom, right, top in the requests' reference system): pieces may lie partly outside.
    """
    pieces = [_TileRequest.from_url(url) for url in urls]
    known = [piece for piece in pieces if piece is not None]
    if len(urls) < 2 or len(known) != len(pieces) or not _share_pixel_size(known):
        return [None] * len(urls)
    whole = _mosaic(known, visible)
    if 1 <= whole.size[0] <= limits[0] and 1 <= whole.size[1] <= limits[1]:
        return [piece.cropped_from(whole) for piece in known]
    return [piece.padded(limits, whole) for piece in known]


def with_square_pixels(url: str, to_pixel: CoordinateMapping, to_map: CoordinateMapping,
                       page: Size) -> Optional[PaddedTile]:
    """What a GetMap for one whole picture should have asked for, where QGIS asks for pixels that are not square.

    QGIS counts pixels from the first to the last that the box touches (a last bit too much is one more), but asks for
    the box as it is: the picture is stretched by a pixel, and MapServer draws no interpolated layer at all that way.
    ``page`` is the whole map's size in pixels. None where the box is that of its pixels, or cannot be told.
    """
    piece = _TileRequest.from_url(url)
    if piece is None:
        return None
    for turned in (piece, piece.with_axes_swapped()):
        left, top = (math.floor(value) for value in to_pixel(turned.left, turned.top))
        right, bottom = (math.ceil(value) for value in to_pixel(turned.right, turned.bottom))
        inside = left >= -2 and top >= -2 and right <= page[0] + 2 and bottom <= page[1] + 2
        if inside and (right - left, bottom - top) == piece.size:
            (west, north), (east, south) = to_map(left, top), to_map(right, bottom)
            exact = turned.resized(west, south, east, north, piece.size)
            return PaddedTile(exact.url, exact.size, 0, 0) if turned.edge_offset(exact) > _MAX_OFFSET_PIXELS else None
    return None


@dataclass(frozen=True)
class _TileRequest:
    """A GetMap: x and y from left to right and from bottom to top, whatever the axis order of its BBOX."""

    url: str
    left: float
    bottom: float
    right: float
    top: float
    size: Size
    swapped: bool

    @classmethod
    def from_url(cls, url: str) -> Optional[_TileRequest]:
        """What a GetMap asks for; None where its box or its size cannot be told."""
        values = {name.upper(): value for name, value in query_parameters(url)}
        try:
            one, two, three, four = (float(part) for part in values["BBOX"].split(","))
            size = int(values["WIDTH"]), int(values["HEIGHT"])
        except (KeyError, ValueError):
            return None
        if one >= three or two >= four or min(size) < 1:
            return None
        # y first (06-042, 6.7.2): then only are the pixels square
        swapped = not _nearly_equal((three - one) / size[0], (four - two) / size[1]) and _nearly_equal(
            (three - one) / size[1], (four - two) / size[0])
        box = (two, one, four, three) if swapped else (one, two, three, four)
        return cls(url, *box, size, swapped)

    @property
    def pixel_size(self) -> Tuple[float, float]:
        """Width and height of a pixel in the reference system's units."""
        return (self.right - self.left) / self.size[0], (self.top - self.bottom) / self.size[1]

    def cropped_from(self, mosaic: _TileRequest) -> PaddedTile:
        """Where this piece lies in the picture of all."""
        across, along = mosaic.pixel_size
        return PaddedTile(mosaic.url, mosaic.size, round((self.left - mosaic.left) / across),
                          round((mosaic.top - self.top) / along))

    def padded(self, limits: Size, mosaic: _TileRequest) -> Optional[PaddedTile]:
        """The piece with its margin towards its neighbours, as far as the limits leave room."""
        room = [min(tile_margin(limit), (limit - pixels) // 2) for limit, pixels in zip(limits, self.size)]
        if min(room) < 1:
            return None
        across, along = self.pixel_size
        left, right = self._whole_pixels(self.left - mosaic.left,
                                         across), self._whole_pixels(mosaic.right - self.right, across)
        bottom, top = self._whole_pixels(self.bottom - mosaic.bottom,
                                         along), self._whole_pixels(mosaic.top - self.top, along)
        left, right, bottom, top = (min(left, room[0]), min(right, room[0]), min(bottom, room[1]), min(top, room[1]))
        wide = self.with_bbox(self.left - left * across, self.bottom - bottom * along, self.right + right * across,
                              self.top + top * along)
        return PaddedTile(wide.url, wide.size, left, top)

    @staticmethod
    def _whole_pixels(distance: float, pixel: float) -> int:
        """Whole pixels in ``distance``; none where the neighbour lies the other way, outside of what is seen."""
        return max(0, round(distance / pixel))

    def edge_offset(self, other: _TileRequest) -> float:
        """How far the edges of ``other``'s box are from this one's, in its pixels, at the most."""
        across, along = other.pixel_size
        return max(abs(self.left - other.left) / across, abs(self.right - other.right) / across,
                   abs(self.top - other.top) / along, abs(self.bottom - other.bottom) / along)

    def with_axes_swapped(self) -> _TileRequest:
        """The same box read the other way round."""
        return _TileRequest(self.url, self.bottom, self.left, self.top, self.right, self.size, not self.swapped)

    def with_bbox(self, left: float, bottom: float, right: float, top: float) -> _TileRequest:
        """The same pixels in another box."""
        across, along = self.pixel_size
        return self.resized(left, bottom, right, top, (round((right - left) / across), round((top - bottom) / along)))

    def resized(self, left: float, bottom: float, right: float, top: float, size: Size) -> _TileRequest:
        """The same request for another box and size."""
        box = (bottom, left, top, right) if self.swapped else (left, bottom, right, top)
        said = {name.upper(): value for name, value in query_parameters(self.url)}
        asked: Dict[str, ParameterValue] = {
            "BBOX": [f"{side:.15g}" for side in box], "WIDTH": str(size[0]), "HEIGHT": str(size[1])
        }
        asked.update((name, said[name]) for name in ("SERVICE", "VERSION", "REQUEST") if name in said)
        url = with_parameters(self.url, asked)
        return _TileRequest(url, left, bottom, right, top, size, self.swapped)


def _mosaic(pieces: Sequence[_TileRequest], visible: Optional[BBox]) -> _TileRequest:
    """One picture of all that is seen of the pieces, however large."""
    left, bottom = min(piece.left for piece in pieces), min(piece.bottom for piece in pieces)
    right, top = max(piece.right for piece in pieces), max(piece.top for piece in pieces)
    if visible is not None:
        # whole pixels, so that the pieces fit
        across, along = pieces[0].pixel_size
        left += max(0, math.floor((visible[0] - left) / across)) * across
        bottom += max(0, math.floor((visible[1] - bottom) / along)) * along
        right -= max(0, math.floor((right - visible[2]) / across)) * across
        top -= max(0, math.floor((top - visible[3]) / along)) * along
    return pieces[0].with_bbox(left, bottom, right, top)


def _share_pixel_size(pieces: Sequence[_TileRequest]) -> bool:
    """Whether all have pixels of one size and read their boxes the same way."""
    across, along = pieces[0].pixel_size
    largest = max(pieces, key=lambda piece: piece.size[0] * piece.size[1])
    return all(
        _nearly_equal(piece.pixel_size[0], largest.pixel_size[0]) and
        _nearly_equal(piece.pixel_size[1], largest.pixel_size[1]) and piece.swapped == largest.swapped
        for piece in pieces) and across > 0 < along


def _nearly_equal(one: float, other: float) -> bool:
    return abs(one - other) <= _PIXEL_SIZE_TOLERANCE * max(abs(one), abs(other))

"""Tiles of a map requested with a margin, so that labels and symbols at the edges are complete.

A map server draws what lies inside the requested box: a symbol at the edge is cut, a label there is left out or moved.
So each tile is requested larger than needed, and its margin is cut off.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from ..crs.bounding_boxes import BBox
from .urls import ParameterValue, query_parameters, with_parameters

Size = Tuple[int, int]
#: largest margin on each side in pixels, about 20 mm of paper at 300 dpi
_MAX_MARGIN = 256
#: the margin is this fraction of the largest image
_MARGIN_DIVISOR = 6
#: relative differences of pixel sizes below this come from rounded edges
_PIXEL_SIZE_TOLERANCE = 0.01
#: fraction of a pixel by which a box may be off without another request
_MAX_OFFSET_PIXELS = 0.05
#: conversion between map coordinates (x, y) and pixels from the upper left corner of the map
CoordinateMapping = Callable[[float, float], Tuple[float, float]]


@dataclass(frozen=True)
class PaddedTile:
    """The image from which a tile is cut: its address, its size in pixels, and the tile's upper left corner in it."""

    url: str
    size: Size
    left: int
    top: int


def tile_margin(limit: int) -> int:
    """Return the margin in pixels on each side for a service whose images have at most ``limit`` pixels a side."""
    return min(_MAX_MARGIN, limit // _MARGIN_DIVISOR)


def tile_step(limit: int) -> int:
    """Return the largest side of a tile in pixels that leaves room for its margin."""
    return limit - 2 * tile_margin(limit)


def pad_tiles(urls: Sequence[str], limits: Size, visible: Optional[BBox] = None) -> List[Optional[PaddedTile]]:
    """Return for each GetMap address of one layer's tiles the image from which it is cut, or None to request it
    unchanged.

    If ``limits`` (width and height in pixels) allow it, all tiles are cut from one image. ``visible`` is the map's
    extent (left, bottom, right, top in the CRS of the requests). Tiles may lie partly outside.
    """
    parsed = [_TileRequest.from_url(url) for url in urls]
    tiles = [tile for tile in parsed if tile is not None]
    if len(urls) < 2 or len(tiles) != len(parsed) or not _share_pixel_size(tiles):
        return [None] * len(urls)
    mosaic = _mosaic(tiles, visible)
    if 1 <= mosaic.size[0] <= limits[0] and 1 <= mosaic.size[1] <= limits[1]:
        return [tile.cropped_from(mosaic) for tile in tiles]
    return [tile.padded(limits, mosaic) for tile in tiles]


def with_square_pixels(url: str, to_pixel: CoordinateMapping, to_map: CoordinateMapping,
                       page: Size) -> Optional[PaddedTile]:
    """Return the corrected request for a GetMap of one whole image if its pixels are not square, otherwise None.

    QGIS counts pixels from the first to the last that the box touches, but requests the box itself. The image is then
    stretched by one pixel, and MapServer does not draw interpolated layers at all. ``to_pixel`` converts map
    coordinates to pixels from the upper left corner, ``to_map`` converts back. ``page`` is the size of the whole map in
    pixels.
    """
    tile = _TileRequest.from_url(url)
    if tile is None:
        return None
    for candidate in (tile, tile.with_axes_swapped()):
        left, top = (math.floor(value) for value in to_pixel(candidate.left, candidate.top))
        right, bottom = (math.ceil(value) for value in to_pixel(candidate.right, candidate.bottom))
        is_on_page = left >= -2 and top >= -2 and right <= page[0] + 2 and bottom <= page[1] + 2
        if is_on_page and (right - left, bottom - top) == tile.size:
            (west, north), (east, south) = to_map(left, top), to_map(right, bottom)
            exact = candidate.resized(west, south, east, north, tile.size)
            if candidate.edge_offset(exact) > _MAX_OFFSET_PIXELS:
                return PaddedTile(exact.url, exact.size, 0, 0)
            return None
    return None


@dataclass(frozen=True)
class _TileRequest:
    """A GetMap request, x from left to right and y from bottom to top, whatever the axis order of its BBOX."""

    url: str
    left: float
    bottom: float
    right: float
    top: float
    size: Size
    swapped: bool

    @classmethod
    def from_url(cls, url: str) -> Optional[_TileRequest]:
        """Parse a GetMap address. Return None if its box or size is missing or invalid."""
        values = {name.upper(): value for name, value in query_parameters(url)}
        try:
            x1, y1, x2, y2 = (float(part) for part in values["BBOX"].split(","))
            size = int(values["WIDTH"]), int(values["HEIGHT"])
        except (KeyError, ValueError):
            return None
        if x1 >= x2 or y1 >= y2 or min(size) < 1:
            return None
        # y comes first in this BBOX (06-042 6.7.2) if only that makes the pixels square: 100 × 50 pixels of the box
        # 0,0,50,100 are 0.5 × 2 units as x,y but 1 × 1 units as y,x
        swapped = not _nearly_equal((x2 - x1) / size[0], (y2 - y1) / size[1]) and _nearly_equal(
            (x2 - x1) / size[1], (y2 - y1) / size[0])
        box = (y1, x1, y2, x2) if swapped else (x1, y1, x2, y2)
        return cls(url, *box, size, swapped)

    @property
    def pixel_size(self) -> Tuple[float, float]:
        """Width and height of a pixel in units of the CRS."""
        return (self.right - self.left) / self.size[0], (self.top - self.bottom) / self.size[1]

    def cropped_from(self, mosaic: _TileRequest) -> PaddedTile:
        """Return where this tile lies in the image ``mosaic``."""
        pixel_width, pixel_height = mosaic.pixel_size
        return PaddedTile(mosaic.url, mosaic.size, round((self.left - mosaic.left) / pixel_width),
                          round((mosaic.top - self.top) / pixel_height))

    def padded(self, limits: Size, mosaic: _TileRequest) -> Optional[PaddedTile]:
        """Return the tile with its margin towards its neighbours, as far as ``limits`` allow, or None."""
        room = [min(tile_margin(limit), (limit - pixels) // 2) for limit, pixels in zip(limits, self.size)]
        if min(room) < 1:
            return None
        pixel_width, pixel_height = self.pixel_size
        left = min(self._whole_pixels(self.left - mosaic.left, pixel_width), room[0])
        right = min(self._whole_pixels(mosaic.right - self.right, pixel_width), room[0])
        bottom = min(self._whole_pixels(self.bottom - mosaic.bottom, pixel_height), room[1])
        top = min(self._whole_pixels(mosaic.top - self.top, pixel_height), room[1])
        enlarged = self.with_bbox(self.left - left * pixel_width, self.bottom - bottom * pixel_height,
                                  self.right + right * pixel_width, self.top + top * pixel_height)
        return PaddedTile(enlarged.url, enlarged.size, left, top)

    @staticmethod
    def _whole_pixels(distance: float, pixel: float) -> int:
        """Return the whole pixels in ``distance``, 0 if the neighbour lies outside the visible extent."""
        return max(0, round(distance / pixel))

    def edge_offset(self, other: _TileRequest) -> float:
        """Return the largest distance between edges of the two boxes, in pixels of ``other``."""
        pixel_width, pixel_height = other.pixel_size
        return max(abs(self.left - other.left) / pixel_width, abs(self.right - other.right) / pixel_width,
                   abs(self.top - other.top) / pixel_height, abs(self.bottom - other.bottom) / pixel_height)

    def with_axes_swapped(self) -> _TileRequest:
        """Return the same request with the axes of its BBOX read in the other order."""
        return _TileRequest(self.url, self.bottom, self.left, self.top, self.right, self.size, not self.swapped)

    def with_bbox(self, left: float, bottom: float, right: float, top: float) -> _TileRequest:
        """Return the request for another box with pixels of the same size."""
        pixel_width, pixel_height = self.pixel_size
        size = round((right - left) / pixel_width), round((top - bottom) / pixel_height)
        return self.resized(left, bottom, right, top, size)

    def resized(self, left: float, bottom: float, right: float, top: float, size: Size) -> _TileRequest:
        """Return the request for another box and size in pixels."""
        box = (bottom, left, top, right) if self.swapped else (left, bottom, right, top)
        current = {name.upper(): value for name, value in query_parameters(self.url)}
        changed: Dict[str, ParameterValue] = {
            "BBOX": [f"{side:.15g}" for side in box], "WIDTH": str(size[0]), "HEIGHT": str(size[1])
        }
        changed.update((name, current[name]) for name in ("SERVICE", "VERSION", "REQUEST") if name in current)
        url = with_parameters(self.url, changed)
        return _TileRequest(url, left, bottom, right, top, size, self.swapped)


def _mosaic(tiles: Sequence[_TileRequest], visible: Optional[BBox]) -> _TileRequest:
    """Return one request for the visible part of all tiles, however large."""
    left, bottom = min(tile.left for tile in tiles), min(tile.bottom for tile in tiles)
    right, top = max(tile.right for tile in tiles), max(tile.top for tile in tiles)
    if visible is not None:
        # whole pixels, so that the tiles fit
        pixel_width, pixel_height = tiles[0].pixel_size
        left += max(0, math.floor((visible[0] - left) / pixel_width)) * pixel_width
        bottom += max(0, math.floor((visible[1] - bottom) / pixel_height)) * pixel_height
        right -= max(0, math.floor((right - visible[2]) / pixel_width)) * pixel_width
        top -= max(0, math.floor((top - visible[3]) / pixel_height)) * pixel_height
    return tiles[0].with_bbox(left, bottom, right, top)


def _share_pixel_size(tiles: Sequence[_TileRequest]) -> bool:
    """Return whether all tiles have the same pixel size and axis order."""
    pixel_width, pixel_height = tiles[0].pixel_size
    largest = max(tiles, key=lambda tile: tile.size[0] * tile.size[1])
    return all(
        _nearly_equal(tile.pixel_size[0], largest.pixel_size[0]) and
        _nearly_equal(tile.pixel_size[1], largest.pixel_size[1]) and tile.swapped == largest.swapped
        for tile in tiles) and pixel_width > 0 < pixel_height


def _nearly_equal(first: float, second: float) -> bool:
    return abs(first - second) <= _PIXEL_SIZE_TOLERANCE * max(abs(first), abs(second))

"""Sheets of a map book: a grid of them over an area, and which of them adjoin one another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Collection, List, Mapping, Optional, Sequence, Tuple

from ..box import Box
from ..errors import CartoguideError
from ..i18n import tr
from ..text import sort_key

#: limit of sheets: larger books are mostly mistakes
MAX_SHEETS = 300
#: largest part of a sheet that its neighbour shows again
MAX_OVERLAP = 0.5
#: limit of names in an index: more fill a book of their own
MAX_NAMES = 3000
#: rounding of an area's size in sheets
_ROUNDING = 1e-6
#: part of a sheet for which no row or column of sheets is made: they would show nearly what the others do
_UNSEEN = 0.03
#: smallest length of a shared edge, and smallest distance of the middles, as shares of the smaller sheet
_MIN_SHARED, _MIN_DISTANCE = 0.25, 0.1
#: widest gap between sheets that adjoin, as a share of the smaller sheet: rounding, no more
_MAX_GAP = 0.01


class SheetSide(str, Enum):
    """Sides of a sheet whose top is north."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


@dataclass(frozen=True)
class AdjoiningSheet:
    """A sheet that adjoins another: its index, the side, and the place of the shared edge's middle along that side.

    ``place`` is a share of the side's length, from the west or from the north.
    """

    index: int
    side: SheetSide
    place: float


@dataclass(frozen=True)
class GridSheet:
    """A sheet of a grid: its name, and its middle (x, y) in the CRS of the area, x to the east.

    The name consists of the row's letters from the north and the column's number from the west.
    """

    name: str
    centre: Tuple[float, float]


@dataclass(frozen=True)
class IndexEntry:
    """A name of the index, and the indices of the sheets on which it is, in their order."""

    name: str
    sheets: Tuple[int, ...]


@dataclass(frozen=True)
class NameIndex:
    """The index of a map book, and the credit lines that the source of its names asks for."""

    entries: Tuple[IndexEntry, ...]
    credits: Tuple[str, ...] = ()


def index_entries(names: Mapping[str, Collection[int]]) -> Tuple[IndexEntry, ...]:
    """Return the entries of an index in the order in which people spell. ``names`` has the sheets of each name."""
    return tuple(IndexEntry(name, tuple(sorted(names[name]))) for name in sorted(names, key=sort_key))


def sheet_grid(area: Box, width: float, height: float, overlap: float) -> List[GridSheet]:
    """Return the sheets that cover ``area``, row by row from the north-west.

    ``width`` and ``height`` are those of a sheet in units of the area, all above 0. Sheets show at least ``overlap``
    of them, a share, again on the next sheet. The outer ones end where the area ends, beyond which the base may have
    no data: the others overlap more. A single row or column has the area in its middle. None is made for a strip of a
    few hundredths of a sheet, which stays outside, one half at either side. Raises CartoguideError for more than
    MAX_SHEETS.
    """
    overlap = min(max(overlap, 0.0), MAX_OVERLAP)
    sizes = [(area.width / width, width, area.centre[0]), (area.height / height, height, area.centre[1])]
    if any(not math.isfinite(sheets) or sheets > MAX_SHEETS for sheets, _size, _middle in sizes):
        raise _too_many_sheets()
    columns, rows = ([middle + (number / (count - 1) - 0.5) * min(sheets - 1, (count - 1) * (1 - overlap)) * size
                      for number in range(count)] if count > 1 else [middle] for sheets, size, middle in sizes
                     for count in (max(1, math.ceil((sheets - _UNSEEN - overlap) / (1 - overlap) - _ROUNDING)),))
    if len(columns) * len(rows) > MAX_SHEETS:
        raise _too_many_sheets()
    return [GridSheet(f"{_row_letters(row)}{column}", (x, y)) for row, y in enumerate(reversed(rows))
            for column, x in enumerate(columns, 1)]


def _too_many_sheets() -> CartoguideError:
    return CartoguideError(tr("That would be more than {most} sheets: choose a smaller scale or area.",
                              most=MAX_SHEETS))


def _row_letters(number: int) -> str:
    """Return A to Z for 0 to 25, then AA, AB …"""
    letters = ""
    while number >= 0:
        letters = chr(ord("A") + number % 26) + letters
        number = number // 26 - 1
    return letters


def adjoining_sheets(extents: Sequence[Optional[Box]], index: int) -> List[AdjoiningSheet]:
    """Return the sheets that touch or overlap the one at ``index``, the nearest first.

    A sheet is on the side to which its middle lies, and reaches beyond it. Sheets that meet at a corner only, sheets
    of nearly the same middle, and those beyond a corner where a nearer one lies do not adjoin. ``extents`` are in
    degrees, with None for one that is unknown.
    """
    own = extents[index]
    if own is None:
        return []
    found: List[Tuple[float, AdjoiningSheet, Tuple[float, float], bool]] = []
    for other_index, other in enumerate(extents):
        if other is None or other_index == index:
            continue
        east, shared_x, place_x = _along((own.west, own.east), (other.west, other.east))
        north, shared_y, place_y = _along((own.south, own.north), (other.south, other.north))
        is_beside = abs(east) >= abs(north)
        offset, across, shared = (east, shared_x, shared_y) if is_beside else (north, shared_y, shared_x)
        if abs(offset) < _MIN_DISTANCE or across < -_MAX_GAP or shared < _MIN_SHARED:
            continue
        side, is_beyond = (
            (SheetSide.EAST, other.east > own.east) if is_beside and east > 0 else
            (SheetSide.WEST, other.west < own.west) if is_beside else
            (SheetSide.NORTH, other.north > own.north) if north > 0 else (SheetSide.SOUTH, other.south < own.south))
        if not is_beyond:
            continue
        place = 1.0 - place_y if is_beside else place_x
        half = shared / 2 * (min(own.height, other.height) / own.height if is_beside else
                             min(own.width, other.width) / own.width)
        found.append((east ** 2 + north ** 2, AdjoiningSheet(other_index, side, place), (place - half, place + half),
                      min(abs(east), abs(north)) >= _MIN_DISTANCE))
    kept: List[AdjoiningSheet] = []
    spans: List[Tuple[SheetSide, float, float]] = []
    for _distance, sheet, (start, end), is_diagonal in sorted(found, key=lambda each: (each[0], each[1].index)):
        if is_diagonal and any(side is sheet.side and low <= sheet.place <= high for side, low, high in spans):
            continue
        kept.append(sheet)
        spans.append((sheet.side, start, end))
    return kept


def _along(own: Tuple[float, float], other: Tuple[float, float]) -> Tuple[float, float, float]:
    """Compare two ranges of one axis.

    Return the distance of their middles and the length that they share (negative: the gap), both as shares of the
    smaller range, and the middle of the shared length as a share of ``own``.
    """
    low, high = max(own[0], other[0]), min(own[1], other[1])
    smaller = min(own[1] - own[0], other[1] - other[0])
    distance = (sum(other) - sum(own)) / 2 / smaller
    return distance, (high - low) / smaller, ((low + high) / 2 - own[0]) / (own[1] - own[0])

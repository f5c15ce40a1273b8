"""Seams of an image that comes in pieces: each leads, within the overlap of two pieces, to where both show the same.

A map server places names by what lies in the image that it draws. Two pieces may have a name in different places, or
one of them has none, so that the name would be cut where they meet. Along a line on which they are equal nothing is
cut. A seam goes around names in steps where no straight one is such a line.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Sequence, Tuple

from .tile_overlap import ImagePiece

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

#: left, top, width and height in pixels
Area = Tuple[int, int, int, int]
#: checksums of the pixels near the left, upper, right and lower side of a piece
EdgeSums = Tuple[int, int, int, int]
#: difference of a colour component (0 to 255) up to which pixels count as equal: images may be packed with losses
_TOLERANCE = 40
#: share of an overlap from which on two images differ everywhere, as drawings of different states do
_UNLIKE = 0.3
#: pixels at either side of a seam that are to be equal: between two letters of a name there is nothing either
_NEAR = 32
#: pixels of a seam's steps, and of the distances of places that are tried
_STEP, _TRIED = 64, 8
#: what a step costs, in differing pixels, and the whole way across the overlap
_STEP_COST, _ASIDE_COST = 0.5, 0.1


@dataclass(frozen=True)
class JoinedPiece:
    """A piece between its seams. ``beyond`` are the parts of it, from its corner, that lie beyond a seam."""

    piece: ImagePiece
    beyond: Tuple[Area, ...] = ()


@dataclass(frozen=True)
class _Run:
    """A straight part of a seam: from ``begin`` to ``end`` along it, at ``place`` across."""

    begin: int
    end: int
    place: int


def edge_sums(pixels: Array, piece: ImagePiece) -> EdgeSums:
    """Return checksums of the lines near the sides of a piece of an image."""
    x, y = piece.margin_left, piece.margin_top
    right, bottom = x + piece.width, y + piece.height
    near = [min(_NEAR, margin) for margin in (x, y, pixels.shape[1] - right, pixels.shape[0] - bottom)]
    parts = (pixels[:, x - near[0]:x + near[0]], pixels[y - near[1]:y + near[1]],
             pixels[:, right - near[2]:right + near[2]], pixels[bottom - near[3]:bottom + near[3]])
    left, top, end, foot = (zlib.crc32(part.tobytes()) for part in parts)
    return left, top, end, foot


def are_equal_at_sides(pieces: Sequence[ImagePiece], sums: Sequence[EdgeSums]) -> bool:
    """Return whether the pieces of one image show the same near the sides that two of them share."""
    ends: Dict[Tuple[int, int], EdgeSums] = {}
    feet: Dict[Tuple[int, int], EdgeSums] = {}
    for piece, of_piece in zip(pieces, sums):
        ends[piece.left + piece.width, piece.top] = of_piece
        feet[piece.left, piece.top + piece.height] = of_piece
    return all((not piece.left or ends[piece.left, piece.top][2] == left)
               and (not piece.top or feet[piece.left, piece.top][3] == top)
               for piece, (left, top, _end, _foot) in zip(pieces, sums))


def joined_pieces(pieces: Sequence[ImagePiece], read: Callable[[int], Array]) -> List[JoinedPiece]:
    """Return the pieces of one image, in their order, with the seams between them where they cut least.

    ``read`` returns the pixels of the whole requested image of a piece by its number (rows of 32 bits), which are used
    until it is called again. It is called once for each, row by row. Where pieces are equal their sides stay.
    """
    import numpy

    tops, lefts = (sorted({getattr(piece, side) for piece in pieces}) for side in ("top", "left"))
    numbers = {(tops.index(piece.top), lefts.index(piece.left)): number for number, piece in enumerate(pieces)}
    of_column = [pieces[numbers[0, column]] for column in range(len(lefts))]
    of_row = [pieces[numbers[row, 0]] for row in range(len(tops))]
    starts_x, starts_y = [one.left - one.margin_left for one in of_column], [one.top - one.margin_top for one in of_row]
    width, height = (max(getattr(piece, start) + getattr(piece, side) for piece in pieces)
                     for start, side in (("left", "width"), ("top", "height")))
    beside: Dict[Tuple[int, int], Array] = {}
    below: Dict[int, List[Array]] = {row: [] for row in range(1, len(tops))}
    lower: Dict[int, Array] = {}
    for row in range(len(tops)):
        right = None
        for column, (left, end) in enumerate(zip(lefts, [*lefts[1:], width])):
            pixels = read(numbers[row, column])
            if right is not None:
                beside[row, column] = _differ(right, pixels[:, :right.shape[1]]).T
            if row:
                part = slice(left - starts_x[column], end - starts_x[column])
                below[row].append(_differ(lower[column], pixels[:lower[column].shape[0], part]))
            # copies: the whole image is let go
            if column + 1 < len(lefts):
                right = pixels[:, starts_x[column + 1] - starts_x[column]:].copy()
            if row + 1 < len(tops):
                lower[column] = pixels[starts_y[row + 1] - starts_y[row]:,
                                       left - starts_x[column]:end - starts_x[column]].copy()
    across = [[_Run(0, width, 0)],
              *(_seam(numpy.concatenate(below[row], axis=1), starts_y[row], 0, tops[row])
                for row in range(1, len(tops))), [_Run(0, width, height)]]
    found: Dict[int, JoinedPiece] = {}
    for row in range(len(tops)):
        down = [[_Run(0, height, 0)],
                *(_seam(beside[row, column], starts_x[column], starts_y[row], lefts[column])
                  for column in range(1, len(lefts))), [_Run(0, height, width)]]
        for column in range(len(lefts)):
            number = numbers[row, column]
            found[number] = _between(pieces[number], down[column], down[column + 1], across[row], across[row + 1])
    return [found[number] for number in range(len(pieces))]


def _between(piece: ImagePiece, lefts: Sequence[_Run], rights: Sequence[_Run], tops: Sequence[_Run],
             bottoms: Sequence[_Run]) -> JoinedPiece:
    """Return a piece as it lies between four seams."""
    left, right = min(run.place for run in lefts), max(run.place for run in rights)
    tops, bottoms = ([run for run in runs if run.begin < right and run.end > left] for runs in (tops, bottoms))
    top, bottom = min(run.place for run in tops), max(run.place for run in bottoms)
    beyond = [*((left, run.begin, run.place, run.end) for run in lefts),
              *((run.place, run.begin, right, run.end) for run in rights),
              *((run.begin, top, run.end, run.place) for run in tops),
              *((run.begin, run.place, run.end, bottom) for run in bottoms)]
    areas = []
    for area in beyond:
        x, y, to_x, to_y = max(left, area[0]), max(top, area[1]), min(right, area[2]), min(bottom, area[3])
        if x < to_x and y < to_y:
            areas.append((x - left, y - top, to_x - x, to_y - y))
    begin_x, begin_y = piece.left - piece.margin_left, piece.top - piece.margin_top
    return JoinedPiece(replace(piece, left=left, top=top, width=right - left, height=bottom - top,
                               margin_left=left - begin_x, margin_top=top - begin_y), tuple(areas))


def _differ(first: Array, second: Array) -> Array:
    """Return which pixels of an overlap differ."""
    import numpy

    differing: Array = first != second
    if not differing.any():
        return differing
    places = numpy.nonzero(differing)
    one, other = (numpy.ascontiguousarray(part[places]).view(numpy.uint8).reshape(-1, 4).astype(numpy.int16)
                  for part in (first, second))
    differing[places] = abs(one - other).max(axis=1) > _TOLERANCE
    return differing


def _seam(differing: Array, across: int, along: int, former: int) -> List[_Run]:
    """Return a seam through an overlap, whose mask has a row for each place across. ``former`` is the place it had.

    The mask begins at ``across`` and ``along``.
    """
    import numpy

    places, length = differing.shape
    straight = [_Run(along, along + length, former)]
    count = int(differing.sum())
    if not count or count > _UNLIKE * differing.size or places < 4 * _NEAR:
        return straight
    tried = numpy.unique([former - across, *range(_NEAR, places - _NEAR, _TRIED)])
    aside = _ASIDE_COST * abs(tried - (former - across)) / places
    edges = [*range(0, length, _STEP), length]
    least = numpy.zeros(len(tried))
    came_from: List[Array] = []
    for begin, end in zip(edges, edges[1:]):
        if begin:
            # a step runs along a line too
            beside = _sums(differing[:, max(0, begin - _NEAR):begin + _NEAR].sum(axis=1))[tried]
            steps = abs(beside[:, None] - beside[None, :]) + _STEP_COST * (tried[:, None] != tried[None, :])
            costs = least[:, None] + steps
            came_from.append(costs.argmin(axis=0))
            least = costs.min(axis=0)
        lines = _sums(differing[:, begin:end].sum(axis=1))
        least = least + lines[tried + _NEAR] - lines[tried - _NEAR] + aside
    at = int(least.argmin())
    way = [at]
    for before in reversed(came_from):
        at = int(before[at])
        way.append(at)
    runs: List[_Run] = []
    for begin, end, at in zip(edges, edges[1:], reversed(way)):
        place = int(tried[at]) + across
        if runs and runs[-1].place == place:
            runs[-1] = replace(runs[-1], end=along + end)
        else:
            runs.append(_Run(along + begin, along + end, place))
    return runs


def _sums(values: Array) -> Array:
    """Return the sums of the first values: of none, of one, and so on."""
    import numpy

    return numpy.concatenate(([0], numpy.cumsum(values)))

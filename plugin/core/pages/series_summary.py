"""The highest class of a series at each place, and the area of each class at each moment, from the images of its maps.

Services send pictures, not values. What the legend's colours say of a pixel is its class. Of classes a highest one is
known. A sum is not: of two classes only an interval of sums is known, which for thirty days is wider than most
totals. So the total is left to the service, and the area of each class is counted for each moment instead.

The order of the classes comes from the values in their labels. Where labels are pictures, the legend's own order is
tested on the images: on maps of a field, a class touches the next one, and the lowest class touches places where
nothing is drawn. Where neither shows an order there is no maximum. Colours between two classes are those of a
continuous ramp, and have their place between them.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

_NUMBER = r"[-−]?\d+(?:[.,]\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\s*(?:[-–—…]|\.\.|\ba\b|\bto\b|\by\b|\band\b|[<≤])\s*({_NUMBER})")
_BELOW = re.compile(rf"(?:<|≤|menos de|hasta|less than|up to|below)\s*=?\s*({_NUMBER})", re.IGNORECASE)
_ABOVE = re.compile(rf"(?:>|≥|más de|mayor que|more than|over|above)\s*=?\s*({_NUMBER})", re.IGNORECASE)
_ALONE = re.compile(rf"({_NUMBER})")
#: what a label may say, and the groups of its lower and its upper value, 0 for an open end
_PATTERNS = ((_RANGE, 1, 2), (_BELOW, 0, 1), (_ABOVE, 1, 0), (_ALONE, 1, 1))


def class_bounds(label: str) -> Optional[Tuple[float, float]]:
    """Return the values between which a class lies, as its label says: "10 – 20 mm", "< 5", "> 60 mm", "0".

    An open end is infinite. None for a label without such values.
    """
    text = " ".join(label.split())
    for pattern, low, high in _PATTERNS:
        found = pattern.search(text)
        if found is not None:
            bounds = (_value(found[low]) if low else -math.inf, _value(found[high]) if high else math.inf)
            return bounds if bounds[0] <= bounds[1] else None
    return None


def ascending_order(labels: Sequence[str]) -> Optional[List[int]]:
    """Return the indexes of the classes with values in their labels, the lowest first.

    A class without values, such as "No data", is left out. None if fewer than two have values, or if two overlap.
    """
    found = [(bounds, number) for number, bounds in enumerate(map(class_bounds, labels)) if bounds is not None]
    found.sort()
    if len(found) < 2 or any(above[0][0] < below[0][1] or above[0] == below[0]
                             for below, above in zip(found, found[1:])):
        return None
    return [number for _bounds, number in found]


def _value(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "."))


Colour = Tuple[int, int, int]
#: difference of a colour component (0 to 255) up to which two colours are the same, on a ramp that of all three
_TOLERANCE, _RAMP_TOLERANCE = 10.0, 14.0
#: opacity (0 to 255) from which a pixel shows something
_LEAST_ALPHA = 32
#: share of the drawn pixels whose class must be known, and of changes between neighbours that go to the next class
_KNOWN_SHARE, _ORDERED_SHARE = 0.95, 0.75
#: how many times as often as the other half the lower classes touch places where nothing is drawn
_EDGE_FACTOR = 3.0
#: positions of pixels whose colour is no class's, and of pixels where nothing is drawn: less than any class
_UNKNOWN, _NOTHING = -1.0, -2.0
#: position of a colour whose class has no value, for the count of what is known
_VALUELESS = -1.5


class SummaryDefect(str, Enum):
    """Reason for which a series has no maximum."""

    NOTHING_DRAWN = "nothing_drawn"
    OTHER_COLOURS = "other_colours"
    NO_ORDER = "no_order"
    UNEQUAL_IMAGES = "unequal_images"


class SummaryError(ValueError):
    """The images of a series have no maximum. ``defect`` says why."""

    def __init__(self, defect: SummaryDefect) -> None:
        super().__init__(defect.value)
        self.defect = defect


@dataclass(frozen=True)
class SeriesClass:
    """One class of a legend: its colour, and its label, "" where that is a picture."""

    colour: Colour
    label: str = ""


@dataclass(frozen=True)
class SeriesMaximum:
    """``image`` has at each place the pixel of the highest class (height × width × RGBA, not premultiplied).

    ``classes`` are the indexes of the legend's classes, the lowest first. ``shares`` has for each moment the share (0
    to 1) of each of them in the area on which any map shows something. ``highest`` has for each pixel the place of its
    class in ``classes``, -1 where only colours of no class are, and -2 where no map shows anything.
    """

    image: Array
    classes: Tuple[int, ...]
    shares: Tuple[Tuple[float, ...], ...]
    highest: Array


def series_maximum(pictures: Sequence[Array], legend: Sequence[SeriesClass]) -> SeriesMaximum:
    """Return the maximum of the maps of a series, all of one size (height × width × RGBA, not premultiplied).

    ``legend`` is in its own order. Raises SummaryError.
    """
    import numpy

    if not pictures or len({picture.shape for picture in pictures}) != 1:
        raise SummaryError(SummaryDefect.UNEQUAL_IMAGES)
    if len({one.colour for one in legend}) < max(2, len(legend)):
        raise SummaryError(SummaryDefect.NO_ORDER)
    order = ascending_order([one.label for one in legend])
    ranked = list(range(len(legend))) if order is None else order
    ignored = [number for number in range(len(legend)) if number not in ranked]
    colours = numpy.array([legend[number].colour for number in (*ranked, *ignored)], dtype=numpy.float64)
    positions = _positions(pictures, colours, len(ranked))
    drawn_ever = numpy.zeros(positions[0].shape, dtype=bool)
    for one in positions:
        drawn_ever |= one != _NOTHING
    if order is None and _is_descending(positions, drawn_ever, len(ranked)):
        ranked.reverse()
        positions = [numpy.where(one >= 0, len(ranked) - 1 - one, one) for one in positions]
    highest = numpy.full(positions[0].shape, _NOTHING)
    image = numpy.zeros_like(pictures[0])
    for picture, one in zip(pictures, positions):
        is_higher = one > highest
        highest[is_higher] = one[is_higher]
        image[is_higher] = picture[is_higher]
    area = float(drawn_ever.sum())
    shares = tuple(tuple(float((numpy.rint(one) == place).sum()) / area for place in range(len(ranked)))
                   for one in positions)
    return SeriesMaximum(image, tuple(ranked), shares, numpy.rint(highest).astype(numpy.int16))


def _positions(pictures: Sequence[Array], colours: Array, ranked: int) -> List[Array]:
    """Return for each picture the places of its pixels' classes among the first ``ranked`` colours.

    The legend may be drawn on white where the images are translucent. Whichever explains more of the images counts, and
    the classes themselves before a ramp between them.
    """
    import numpy

    packed = [_packed(picture) for picture in pictures]
    counts: Dict[int, int] = {}
    for one in packed:
        for value, count in zip(*(part.tolist() for part in numpy.unique(one, return_counts=True))):
            counts[value] = counts.get(value, 0) + count
    values = numpy.array(sorted(counts), dtype=numpy.uint32)
    weights = numpy.array([counts[value] for value in values.tolist()], dtype=numpy.float64)
    channels = values.view(numpy.uint8).reshape(-1, 4).astype(numpy.float64)
    table = _table(channels, weights, colours, ranked, (_class_positions, _ramp_positions))
    return [table[numpy.searchsorted(values, one)] for one in packed]


def classes_seen(counts: Mapping[Tuple[int, int, int, int], int], classes: Sequence[Colour]) -> Optional[List[int]]:
    """Return the numbers of the classes whose colours an image has, in their order.

    ``counts`` are the numbers of its pixels by their colours (RGBA, not premultiplied). None for an image that shows
    nothing, or other colours.
    """
    import numpy

    if not counts or not classes:
        return None
    try:
        table = _table(numpy.array(list(counts), dtype=numpy.float64), numpy.array(list(counts.values()), dtype=float),
                       numpy.array(classes, dtype=numpy.float64), len(classes), (_class_positions, ))
    except SummaryError:
        return None
    return [number for number in range(len(classes)) if (table == number).any()]


def _table(channels: Array, weights: Array, colours: Array, ranked: int,
           ways: Sequence[Callable[[Array, Array, int], Tuple[Array, Array]]]) -> Array:
    """Return the places of colours (RGBA), which have as many pixels as ``weights`` say, in the first of the ways.

    Raises SummaryError where too little is known.
    """
    import numpy

    drawn = channels[:, 3] >= _LEAST_ALPHA
    if not drawn.any():
        raise SummaryError(SummaryDefect.NOTHING_DRAWN)
    opacity = channels[:, 3:4] / 255.0
    colourings = (channels[:, :3], channels[:, :3] * opacity + 255.0 * (1.0 - opacity))
    weights = numpy.where(drawn, weights, 0.0) / weights[drawn].sum()
    for place in ways:
        found = [place(colouring, colours, ranked) for colouring in colourings]
        # as much as possible is known, as closely as possible: a translucent colour may resemble another class
        known, _nearness, number = max(
            (float(weights[positions != _UNKNOWN].sum()), -float((weights * distances).sum()), number)
            for number, (positions, distances) in enumerate(found))
        if known >= _KNOWN_SHARE:
            table: Array = numpy.where(found[number][0] == _VALUELESS, _UNKNOWN, found[number][0])
            table[~drawn] = _NOTHING
            if not (table >= 0).any():
                raise SummaryError(SummaryDefect.NOTHING_DRAWN)
            return table
    raise SummaryError(SummaryDefect.OTHER_COLOURS)


def _class_positions(colouring: Array, colours: Array, ranked: int) -> Tuple[Array, Array]:
    """Return the place of the nearest class of each colour, and the distance to it."""
    import numpy

    distances = numpy.abs(colouring[:, None, :] - colours[None, :, :]).max(axis=2)
    nearest = distances.argmin(axis=1)
    least = distances.min(axis=1)
    found = numpy.where(nearest < ranked, nearest.astype(numpy.float64), _VALUELESS)
    found[least > _TOLERANCE] = _UNKNOWN
    return found, least


def _ramp_positions(colouring: Array, colours: Array, ranked: int) -> Tuple[Array, Array]:
    """Return the place of each colour on the line through the classes' colours, such as 2.25, and its distance."""
    import numpy

    found, best = _class_positions(colouring, colours, ranked)
    best = numpy.where(found == _VALUELESS, best, numpy.inf)
    for number, (start, end) in enumerate(zip(colours[:ranked], colours[1:ranked])):
        way = end - start
        along = numpy.clip(((colouring - start) @ way) / max(float(way @ way), 1.0), 0.0, 1.0)
        distance = numpy.linalg.norm(colouring - start - along[:, None] * way, axis=1)
        nearer = distance < best
        best = numpy.where(nearer, distance, best)
        found = numpy.where(nearer, number + along, found)
    found[best > _RAMP_TOLERANCE] = _UNKNOWN
    return found, best


def _is_descending(positions: Sequence[Array], drawn_ever: Array, count: int) -> bool:
    """Return whether the classes are in descending order, as the images show. Raises SummaryError if they do not."""
    ordered = changes = low_edge = high_edge = 0.0
    for one in positions:
        for first, second, inside in ((one[:, :-1], one[:, 1:], drawn_ever[:, :-1] & drawn_ever[:, 1:]),
                                      (one[:-1], one[1:], drawn_ever[:-1] & drawn_ever[1:])):
            both = inside & (first >= 0) & (second >= 0)
            step = abs(first - second)
            changes += float((both & (step >= 0.5)).sum())
            ordered += float((both & (step >= 0.5) & (step < 1.5)).sum())
            for known, other in ((first, second), (second, first)):
                edge = inside & (known >= 0) & (other == _NOTHING)
                low_edge += float((edge & (known < (count - 1) / 2)).sum())
                high_edge += float((edge & (known > (count - 1) / 2)).sum())
    is_field = changes > 0 and ordered >= _ORDERED_SHARE * changes
    if is_field and low_edge > _EDGE_FACTOR * high_edge:
        return False
    if is_field and high_edge > _EDGE_FACTOR * low_edge:
        return True
    raise SummaryError(SummaryDefect.NO_ORDER)


def _packed(picture: Array) -> Array:
    """Return each pixel as one number."""
    import numpy

    return numpy.ascontiguousarray(picture, dtype=numpy.uint8).view(numpy.uint32)[:, :, 0]

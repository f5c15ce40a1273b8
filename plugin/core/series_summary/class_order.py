"""Order of a legend's classes: by the values in their labels, else as the images of a series show it."""

from __future__ import annotations

import math
import re
from typing import List, Optional, Sequence, Tuple

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

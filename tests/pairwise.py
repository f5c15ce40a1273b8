"""Fewer rows of a matrix in the suite: some, or so many that each value and each pair of values occurs."""

from __future__ import annotations

import itertools
import os
from typing import Any, Iterable, Sequence, Set, Tuple, TypeVar

Row = TypeVar("Row")

#: each combination (``make campaigns``)
ALL = bool(os.environ.get("CARTOGUIDE_ALL"))


def pairwise(rows: Iterable[Sequence[Any]]) -> list[Sequence[Any]]:
    """Return rows in which each pair of values of two columns occurs that occurs in ``rows``, or all of them."""
    left = list(rows)
    chosen: list[Sequence[Any]] = []
    missing = set().union(*map(_pairs, left))
    while missing and not ALL:
        best = max(left, key=lambda row: len(_pairs(row) & missing))
        chosen.append(best)
        missing -= _pairs(best)
    return left if ALL else chosen


def some(rows: Iterable[Row], every: int) -> list[Row]:
    """Return the first one and each ``every``-th after it, or all of them."""
    return list(rows)[::1 if ALL else every]


def _pairs(row: Sequence[Any]) -> Set[Tuple[Any, ...]]:
    return set(itertools.combinations(enumerate(row), min(2, len(row))))

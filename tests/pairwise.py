"""Fewer rows of a matrix in the suite: some, or so many that each value and each pair of values occurs."""

from __future__ import annotations

import itertools
import os
from typing import Any, Iterable, Sequence, Set, Tuple, TypeVar

Row = TypeVar("Row")

#: each combination (``make campaigns``)
ALL = bool(os.environ.get("CARTOGUIDE_ALL"))


def pairwise(rows: Iterable[Sequence[Any]], columns: int = 2) -> list[Sequence[Any]]:
    """Return rows in which each pair of values of two columns occurs that occurs in ``rows``, or all of them.

    With ``columns=1`` each value occurs.
    """
    left = list(rows)
    chosen: list[Sequence[Any]] = []
    parts = {id(row): set(itertools.combinations(enumerate(row), min(columns, len(row)))) for row in left}
    missing: Set[Tuple[Any, ...]] = set().union(*parts.values())
    while missing and not ALL:
        best = max(left, key=lambda row: len(parts[id(row)] & missing))
        chosen.append(best)
        missing -= parts[id(best)]
    return left if ALL else chosen


def some(rows: Iterable[Row], every: int) -> list[Row]:
    """Return the first one and each ``every``-th after it, or all of them."""
    return list(rows)[::1 if ALL else every]

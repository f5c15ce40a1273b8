"""Boxes of a query, west, south, east, north in degrees (CRS:84): written for servers, cut at the date line."""

from __future__ import annotations

from typing import List

from .model import Box


def halves(box: Box) -> List[Box]:
    """A box, or its two parts where it crosses the date line (west greater than east)."""
    west, south, east, north = box
    return [box] if west <= east else [(west, south, 180.0, north), (-180.0, south, east, north)]


def number(value: float) -> str:
    """A number of degrees as servers read it: without exponent and trailing zeros."""
    return f"{value:.9f}".rstrip("0").rstrip(".")


def written(box: Box) -> str:
    """The four numbers, separated by commas."""
    return ",".join(number(value) for value in box)

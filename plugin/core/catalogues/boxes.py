"""Boxes of a query, west, south, east, north in degrees (CRS:84): written for servers, cut at the date line."""

from __future__ import annotations

from typing import List

from .model import BBox


def split_at_antimeridian(bbox: BBox) -> List[BBox]:
    """A box, or its two parts where it crosses the date line (west greater than east)."""
    west, south, east, north = bbox
    return [bbox] if west <= east else [(west, south, 180.0, north), (-180.0, south, east, north)]


def format_degrees(value: float) -> str:
    """A number of degrees as servers read it: without exponent and trailing zeros."""
    return f"{value:.9f}".rstrip("0").rstrip(".")


def format_bbox(bbox: BBox) -> str:
    """The four numbers, separated by commas."""
    return ",".join(format_degrees(value) for value in bbox)

"""Terms of the word index: plain words, words of titles, facet values, and cells of the globe.

All are searched in one FTS5 index. A prefix that no folded word can begin with distinguishes their kinds.
"""

from __future__ import annotations

from typing import Iterable, List, Optional

from ...box import Box

TITLE_MARK = "¤"
FACET_MARK = "§"
_FINE_MARK = "¶f"
_COARSE_MARK = "¶c"
_REGION_MARK = "¶r"
WORLD_CELL = "¶w"
_FINE_DEGREES = 2
_COARSE_DEGREES = 20
_MAX_RECORD_CELLS = 9
_MAX_QUERY_CELLS = 36


def facet_term(facet_id: int) -> str:
    return f"{FACET_MARK}{facet_id}"


def record_cells(bbox: Optional[Box]) -> List[str]:
    """Return the cells that a record's bounding box touches: fine ones if they are few, else coarse ones, else the
    world.

    Every record with a bounding box also has its coarse regions, for queries too large for fine cells.
    """
    if bbox is None:
        return []
    coarse = _cells(bbox, _COARSE_DEGREES, _MAX_RECORD_CELLS)
    if coarse is None:
        return [WORLD_CELL]
    regions = [_REGION_MARK + cell for cell in coarse]
    fine = _cells(bbox, _FINE_DEGREES, _MAX_RECORD_CELLS)
    if fine is None:
        return regions + [_COARSE_MARK + cell for cell in coarse]
    return regions + [_FINE_MARK + cell for cell in fine]


def query_cells(bbox: Box) -> Optional[List[str]]:
    """Return terms of which every record that intersects ``bbox`` has at least one, or None if ``bbox`` is too
    large.
    """
    coarse = _cells(bbox, _COARSE_DEGREES, _MAX_QUERY_CELLS)
    if coarse is None:
        return None
    fine = _cells(bbox, _FINE_DEGREES, _MAX_QUERY_CELLS)
    if fine is None:
        return [WORLD_CELL] + [_REGION_MARK + cell for cell in coarse]
    return [WORLD_CELL] + [_COARSE_MARK + cell for cell in coarse] + [_FINE_MARK + cell for cell in fine]


def _cells(bbox: Box, degrees: int, max_cells: int) -> Optional[List[str]]:
    west, east = int((bbox.west + 180) // degrees), int((bbox.east + 180) // degrees)
    south, north = int((bbox.south + 90) // degrees), int((bbox.north + 90) // degrees)
    if (east - west + 1) * (north - south + 1) > max_cells:
        return None
    return [f"{column}x{row}" for column in range(west, east + 1) for row in range(south, north + 1)]


def any_of(words: Iterable[str]) -> str:
    """Return an FTS5 expression that matches any of ``words``, or "" if there are none."""
    some = " OR ".join(quote(word) for word in words)
    return f"({some})" if some else ""


def quote(word: str) -> str:
    """Return ``word`` as an FTS5 string."""
    return '"' + word.replace('"', '""') + '"'

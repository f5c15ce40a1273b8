"""Everything that is searched for is a word of one index: plain words, title words, facet values, cells of the globe.

A mark in front keeps the kinds apart; no folded word of a document or of a person can begin with one.
"""

from __future__ import annotations

from typing import Iterable, List, Optional, Tuple

Box = Tuple[float, float, float, float]

TITLE = "¤"
FACET = "§"
_FINE = "¶f"
_COARSE = "¶c"
_REGION = "¶r"
WORLD = "¶w"
_FINE_DEGREES = 2
_COARSE_DEGREES = 20
_MOST_CELLS = 9
_MOST_QUERY_CELLS = 36


def facet_word(facet_id: int) -> str:
    """The word that stands for a facet value."""
    return f"{FACET}{facet_id}"


def record_cells(box: Optional[Box]) -> List[str]:
    """The cells that a record's box touches: fine ones where they are few, else coarse ones, else the whole world.

    Each record with cells also names its coarse regions, for boxes too large to be asked for in fine cells.
    """
    if box is None:
        return []
    coarse = _cells(box, _COARSE_DEGREES, _MOST_CELLS)
    if coarse is None:
        return [WORLD]
    regions = [_REGION + cell for cell in coarse]
    fine = _cells(box, _FINE_DEGREES, _MOST_CELLS)
    if fine is None:
        return regions + [_COARSE + cell for cell in coarse]
    return regions + [_FINE + cell for cell in fine]


def query_cells(box: Box) -> Optional[List[str]]:
    """The words of which every record that meets ``box`` bears at least one; None where the box is too large to
    narrow.
    """
    coarse = _cells(box, _COARSE_DEGREES, _MOST_QUERY_CELLS)
    if coarse is None:
        return None
    fine = _cells(box, _FINE_DEGREES, _MOST_QUERY_CELLS)
    if fine is None:
        return [WORLD] + [_REGION + cell for cell in coarse]
    return [WORLD] + [_COARSE + cell for cell in coarse] + [_FINE + cell for cell in fine]


def _cells(box: Box, degrees: int, most: int) -> Optional[List[str]]:
    west, east = int((box[0] + 180) // degrees), int((box[2] + 180) // degrees)
    south, north = int((box[1] + 90) // degrees), int((box[3] + 90) // degrees)
    if (east - west + 1) * (north - south + 1) > most:
        return None
    return [f"{column}x{row}" for column in range(west, east + 1) for row in range(south, north + 1)]


def either(words: Iterable[str]) -> str:
    """An FTS5 expression that any of ``words`` satisfies; "" where there are none."""
    some = " OR ".join(quoted(word) for word in words)
    return f"({some})" if some else ""


def quoted(word: str) -> str:
    """``word`` as an FTS5 string."""
    return '"' + word.replace('"', '""') + '"'

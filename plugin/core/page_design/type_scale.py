"""Sizes of type on printed pages: one for each role on A4, the least it may shrink to, and the factors of papers.

The templates are drawn with these sizes, and code that fits text to a page reads its limits here. Type grows with the
distance from which a paper is read. What is read is never smaller than 7 points on A4. Credits, terms and sources that
would go to another page may have 6.5, and the figures of a map's grids, which are only looked up, 5.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Dict

#: how many times as large as on A4 type, lines and margins are: a wall map is read from afar
PAPER_FACTORS: Dict[str, float] = {"A4": 1.0, "A3": 1.2, "A2": 1.5, "A1": 2.0, "A0": 2.8, "screen": 1.25}
#: least size in points on A4 of what is read, of credits, terms and sources, and of the figures at a map's edge
MIN_READ, MIN_CREDIT, MIN_FIGURE = 7.0, 6.5, 5.5
#: size in points below which a credit on a person's own layout counts as illegible, on any paper
MIN_LEGIBLE = 5.0


class TextRole(str, Enum):
    """Roles of texts on a page. NOTE is what has no other."""

    TITLE = "title"
    COVER_TITLE = "cover_title"
    FRAME_TITLE = "frame_title"
    SUBTITLE = "subtitle"
    HEADING = "heading"
    ABSTRACT = "abstract"
    BODY = "body"
    CREDITS = "credits"
    LEGEND_GROUP = "legend_group"
    LEGEND = "legend"
    TABLE = "table"
    SCALE = "scale"
    SCALE_FIGURE = "scale_figure"
    NOTE = "note"
    #: labels of small maps, and names of adjoining sheets
    PANEL = "panel"
    #: the last line of a leaflet's reverse
    FOOT = "foot"
    #: names on the location map
    PLACE = "place"
    SHEET_NUMBER = "sheet_number"
    INDEX = "index"
    INDEX_HEADING = "index_heading"
    OVERFLOW = "overflow"
    #: notice across an incomplete map
    STAMP = "stamp"
    GRID_FIGURE = "grid_figure"


@dataclass(frozen=True)
class TypeSize:
    """Size of a role's type on A4 and the least size that it is shrunk to, both in points."""

    points: float
    least: float = MIN_READ


_SIZES: Dict[TextRole, TypeSize] = {
    TextRole.TITLE: TypeSize(20.0, 11.0), TextRole.COVER_TITLE: TypeSize(23.0, 11.0),
    TextRole.FRAME_TITLE: TypeSize(14.0, 9.0),
    TextRole.SUBTITLE: TypeSize(9.0), TextRole.HEADING: TypeSize(8.5), TextRole.ABSTRACT: TypeSize(7.5),
    TextRole.BODY: TypeSize(8.2), TextRole.CREDITS: TypeSize(7.0), TextRole.LEGEND_GROUP: TypeSize(7.5),
    TextRole.LEGEND: TypeSize(7.5), TextRole.TABLE: TypeSize(7.0), TextRole.SCALE: TypeSize(11.0),
    TextRole.SCALE_FIGURE: TypeSize(7.0), TextRole.NOTE: TypeSize(7.0), TextRole.PANEL: TypeSize(7.5),
    TextRole.FOOT: TypeSize(11.0), TextRole.PLACE: TypeSize(7.0), TextRole.OVERFLOW: TypeSize(8.0),
    TextRole.SHEET_NUMBER: TypeSize(9.5), TextRole.STAMP: TypeSize(13.0),
    TextRole.INDEX: TypeSize(7.5), TextRole.INDEX_HEADING: TypeSize(13.0),
    TextRole.GRID_FIGURE: TypeSize(5.6, MIN_FIGURE),
}


def size_of(role: TextRole, factor: float = 1.0) -> float:
    """Return the role's size in points on a paper whose type is ``factor`` times as large as on A4."""
    return round(_SIZES[role].points * factor, 2)


def least_size(role: TextRole, factor: float = 1.0) -> float:
    """Return the size in points below which the role's text is not shrunk on a paper of this factor."""
    return round(_SIZES[role].least * factor, 2)

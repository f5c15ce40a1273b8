"""Elements of a page for programs that read it aloud or search it: titles, paragraphs, lists and figures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import List, Optional, Sequence, Tuple

_MARGIN = 1.0
_ADDRESS = re.compile(r"https?://[^\s<>\"'«»“”]+[^\s<>\"'«»“”.,;:!?)\]]")


class ElementRole(str, Enum):
    """Roles of a page's elements, as the standard structure types of PDF (ISO 32000-1, 14.8.4)."""

    TITLE = "H1"
    HEADING = "H2"
    SUBHEADING = "H3"
    PARAGRAPH = "P"
    LIST = "L"
    #: number and text of one row of a list whose rows are elements. A row without a number has its text alone
    ROW_NUMBER = "Lbl"
    ROW = "LBody"
    FIGURE = "Figure"


@dataclass(frozen=True)
class PageElement:
    """One element of a page: its role, its area as left, top, width and height in millimetres, and its text.

    The text of a figure describes it to people who cannot see it. The area's origin is the page's upper left corner.
    ``linked_page`` is the number, from 0, of the page of the file that the element leads to. ``entries`` are the texts
    of a list's entries, each of which may be broken into several lines.
    """

    role: ElementRole
    area: Tuple[float, float, float, float]
    text: str = ""
    linked_page: Optional[int] = None
    entries: Tuple[str, ...] = ()

    def contains(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Return whether a point is in the element's area with a margin around it.

        All lengths are in millimetres, those of the point from the page's upper left corner.
        """
        left, top, width, height = self.area
        return left - margin <= x <= left + width + margin and top - margin <= y <= top + height + margin

    @property
    def addresses(self) -> List[str]:
        """The web addresses in the text, each once."""
        return list(dict.fromkeys(_ADDRESS.findall(self.text)))


def entries_of_lines(lines: Sequence[str], entries: Sequence[str]) -> List[List[int]]:
    """Return the numbers of the lines of each entry of a list. A line that belongs to none is an entry by itself."""
    wanted = {"".join(entry.split()) for entry in entries}
    found: List[List[int]] = []
    begun = ""
    for number, line in enumerate(lines):
        text = "".join(line.split())
        if found and begun not in wanted and any(entry.startswith(begun + text) for entry in wanted):
            found[-1].append(number)
            begun += text
        else:
            found.append([number])
            begun = text
    return found


def element_at(elements: Sequence[PageElement], x: float, y: float, of_letters: bool = False) -> Optional[int]:
    """Return the index of the smallest element that contains the point, or None. Millimetres, from the upper left.

    Letters begin a part of a millimetre before the area of their label. ``of_letters`` prefers that label to a figure
    below it.
    """
    inside = [number for number, element in enumerate(elements) if element.contains(x, y)]
    near = [number for number, element in enumerate(elements) if element.contains(x, y, _MARGIN)]
    labels = [number for number in near if elements[number].role is not ElementRole.FIGURE]
    is_label = any(elements[number].role is not ElementRole.FIGURE for number in inside)
    found = (labels if of_letters and not is_label else []) or inside or near
    return min(found, key=lambda number: elements[number].area[2] * elements[number].area[3]) if found else None

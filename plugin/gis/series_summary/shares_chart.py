"""Chart of a series as SVG: for each moment a column of the shares of the area in each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Sequence

from ...core.text import escaped

#: units of the drawing per millimetre: Qt rounds sizes of type to whole units
_UNITS = 100
_MM_PER_POINT = 25.4 / 72
#: share of a column's room that it fills, and lines of the scale, in percent
_COLUMN_SHARE, _LINES = 0.72, (0, 50, 100)
#: lines of the scale, and edges without which pale classes are lost on white paper, in millimetres
_LINE_COLOUR, _LINE_WIDTH, _EDGE_WIDTH = "#b4bcb6", 0.1, 0.06


@dataclass(frozen=True)
class ChartStyle:
    """Size in millimetres, and the type of the figures: family, size in points, colour (#rrggbb)."""

    width: float
    height: float
    family: str
    points: float
    text_colour: str


def shares_chart(shares: Sequence[Sequence[float]], colours: Sequence[str], moments: Sequence[str],
                 style: ChartStyle) -> bytes:
    """Return the chart. ``shares`` (0 to 1) of each moment are stacked from below, in ``colours`` (#rrggbb).

    ``moments`` stand below the columns, as many of them as there is room for.
    """
    letter = style.points * _MM_PER_POINT
    left, bottom, top = 4.2 * letter, style.height - 1.5 * letter, 0.7 * letter
    room = (style.width - left) / max(1, len(shares))
    parts: List[str] = []
    for percent in _LINES:
        y = bottom - (bottom - top) * percent / 100
        parts.append(_line(left, y, style.width, y))
        parts.append(_text(left - 0.5 * letter, y + 0.35 * letter, "end", f"{percent} %"))
    longest = max((len(moment) for moment in moments), default=1)
    step = max(1, -(-int(100 * 0.75 * letter * longest) // max(1, int(100 * room))))
    for number, (column, moment) in enumerate(zip(shares, moments)):
        x, y = left + number * room, bottom
        for share, colour in zip(column, colours):
            height = (bottom - top) * share
            if height > 0:
                y -= height
                parts.append(f'<rect x="{_units(x + room * (1 - _COLUMN_SHARE) / 2)}" y="{_units(y)}" '
                             f'width="{_units(room * _COLUMN_SHARE)}" height="{_units(height)}" '
                             f'fill="{escaped(colour)}" stroke="{_LINE_COLOUR}" stroke-width="{_units(_EDGE_WIDTH)}"/>')
        if number % step == 0:
            parts.append(_text(x + room / 2, style.height - 0.25 * letter, "middle", moment))
    body = "".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{style.width}mm" height="{style.height}mm" '
            f'viewBox="0 0 {_units(style.width)} {_units(style.height)}"><g font-family="{escaped(style.family)}" '
            f'font-size="{_units(letter)}" fill="{escaped(style.text_colour)}">{body}</g></svg>').encode()


def _units(millimetres: float) -> int:
    return round(millimetres * _UNITS)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return (f'<line x1="{_units(x1)}" y1="{_units(y1)}" x2="{_units(x2)}" y2="{_units(y2)}" stroke="{_LINE_COLOUR}" '
            f'stroke-width="{_units(_LINE_WIDTH)}"/>')


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text x="{_units(x)}" y="{_units(y)}" text-anchor="{anchor}">{escaped(text)}</text>'

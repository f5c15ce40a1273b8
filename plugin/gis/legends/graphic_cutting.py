"""Cut a service's whole legend graphic: into its classes, or, if it is not made of those, between its rows.

A class is a symbol and the picture of its label. The letters of whole graphics are of any size. Cut out and scaled by
their height, they are as large as the text around them, and symbols stand in the legend's symbol column.
A graphic that is cut between its rows looks as before. Its pieces go on in the next column or on the next page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Tuple

from qgis.PyQt.QtGui import QColor, QImage

from ..runtime import images
from .legend_nodes import SYMBOL_WIDTH, Swatch

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

#: resolution that graphics are made for unless the service says otherwise
SCREEN_DPI = 96.0
#: height in millimetres of a symbol that fills the symbol column
SYMBOL_HEIGHT = 3.3
#: the colour of the legend's text
_INK = QColor("#1f2a24")
#: at 96 dpi: pixels between symbols and labels, between two lines, of a symbol's width and of labels' uneven beginnings
_COLUMN_GAP, _LINE_GAP, _MAX_SYMBOL, _UNEVEN = 3, 2, 72, 4
_MIN_SYMBOL = 4
_MM_PER_INCH = 25.4
#: difference of a colour component that is ignored, and the largest graphic that is looked at
_TOLERANCE, _MAX_PIXELS = 12, 4_000_000
_MAX_CLASSES = 500
#: least blank rows between two rows of a graphic, the pixels at its sides that may be a frame, and the share of rows
#: that a side of a frame is in
_ROW_GAP, _MAX_FRAME, _FRAME_SHARE = 2, 6, 0.95

_Span = Tuple[int, int]


def cut_graphic(image: QImage, dpi: float) -> List[Swatch]:
    """Return a swatch for each class of a whole graphic, or an empty list if it is not made of symbols and labels.

    ``dpi`` is the resolution that the graphic was made for.
    """
    pixels = images.converted(image, QImage.Format.Format_ARGB32)
    if pixels.width() * pixels.height() > _MAX_PIXELS:
        return []
    factor = max(1.0, dpi / SCREEN_DPI)
    drawn = _drawn_pixels(pixels)
    height = pixels.height()
    columns = _spans(drawn.any(axis=0), round(_COLUMN_GAP * factor))
    if len(columns) < 2:
        return []
    symbols, label_left = columns[0], columns[1][0]
    if not _MIN_SYMBOL <= symbols[1] - symbols[0] <= _MAX_SYMBOL * factor:
        return []
    lines = _spans(drawn[:, label_left:].any(axis=1), round(_LINE_GAP * factor))
    if not 0 < len(lines) <= _MAX_CLASSES or any(_first(drawn[top:bottom], label_left) > label_left + _UNEVEN * factor
                                                  for top, bottom in lines):
        return []
    heights = sorted(bottom - top for top, bottom in lines)
    capital = float(heights[len(heights) // 4])
    edges = [0, *((above[1] + below[0]) // 2 for above, below in zip(lines, lines[1:])), height]
    swatches = []
    for (top, bottom), room in zip(lines, zip(edges, edges[1:])):
        rows = _symbol_rows(drawn, symbols, room, (top + bottom) // 2)
        if rows is None:
            return []
        symbol = pixels.copy(symbols[0], rows[0], symbols[1] - symbols[0], rows[1] - rows[0])
        right = int(drawn[top:bottom].any(axis=0).nonzero()[0][-1]) + 1
        label = _in_ink(pixels.copy(label_left, top, right - label_left, bottom - top), pixels.pixelColor(0, 0))
        swatches.append(_swatch(symbol, dpi, label, capital))
    return swatches


def colour_swatch(colour: str, opacity: float, label: str) -> Swatch:
    """Return the entry of an area of one colour (#rrggbb, opacity 0 to 1)."""
    image = QImage(16, 8, QImage.Format.Format_ARGB32)
    fill = QColor(colour)
    fill.setAlphaF(opacity)
    image.fill(fill)
    return Swatch(images.converted(image, QImage.Format.Format_ARGB32_Premultiplied), SYMBOL_WIDTH, SYMBOL_HEIGHT,
                  label, is_area=True)


def icon_swatch(icon: QImage, label: str) -> Swatch:
    """Return the entry of an icon that was made for the screen, fitted into the symbol column."""
    return _fitted(icon, SCREEN_DPI, label)


def _swatch(symbol: QImage, dpi: float, label: QImage, capital: float) -> Swatch:
    plain = _plain_colour(symbol)
    made = colour_swatch(plain.name(), plain.alphaF(), "") if plain is not None else _fitted(symbol, dpi, "")
    return Swatch(made.image, made.width, made.height, "", is_area=made.is_area, label_image=label, capital=capital)


def _fitted(symbol: QImage, dpi: float, label: str) -> Swatch:
    width, height = (pixels / dpi * _MM_PER_INCH for pixels in (symbol.width(), symbol.height()))
    reduction = min(1.0, SYMBOL_WIDTH / max(width, 0.1), SYMBOL_HEIGHT / max(height, 0.1))
    return Swatch(symbol, width * reduction, height * reduction, label)


def _plain_colour(symbol: QImage) -> Optional[QColor]:
    """Return the colour of a box of one colour, without regard to its outline, or None."""
    edge_x, edge_y = max(2, symbol.width() // 8), max(2, symbol.height() // 6)
    inner = [symbol.pixelColor(x, y) for x in range(edge_x, symbol.width() - edge_x)
             for y in range(edge_y, symbol.height() - edge_y)]
    if not inner or any(_differs(colour, inner[0]) for colour in inner):
        return None
    return QColor(inner[0]) if inner[0].alpha() > 0 else None


def _differs(one: QColor, other: QColor) -> bool:
    return bool(max(abs(one.red() - other.red()), abs(one.green() - other.green()), abs(one.blue() - other.blue()),
                    abs(one.alpha() - other.alpha())) > _TOLERANCE)


def _in_ink(label: QImage, background: QColor) -> QImage:
    """Return dark letters on a light ground in the colour of the legend's text on a transparent ground."""
    import numpy

    if background.alpha() and background.lightness() < 128:
        return label
    colours = _colours(label)
    # as QColor has it, the mean of the strongest and the weakest component
    lightness = (colours[:, :, :3].max(axis=2) + colours[:, :, :3].min(axis=2)) // 2
    lightest = background.lightness() if background.alpha() else 255
    shades = numpy.maximum(0, lightest - lightness) * colours[:, :, 3] // 255
    alpha = numpy.minimum(255, shades * 255 // max(1, int(shades.max()))).astype(numpy.uint32)
    inked = numpy.ascontiguousarray((alpha << 24) | (_INK.rgb() & 0xffffff))
    result = QImage(inked.tobytes(), label.width(), label.height(), 4 * label.width(), QImage.Format.Format_ARGB32)
    # drawn anew, since the array's bytes go with it
    return images.converted(result, QImage.Format.Format_ARGB32_Premultiplied)


def row_cuts(image: QImage, height: int) -> List[int]:
    """Return the rows (pixels from the top) at which a graphic is cut into pieces of about ``height`` pixels.

    A cut lies in the middle of blank rows, the most that are near, and so between classes rather than between the lines
    of a label. A piece without blank rows is as high as it has to be.
    """
    blanks = _blank_rows(images.converted(image, QImage.Format.Format_ARGB32))
    cuts: List[int] = []
    start, number = 0, 0
    while number < len(blanks):
        near: List[_Span] = []
        for top, bottom in blanks[number:]:
            middle = (top + bottom) // 2
            if middle - start < height // 2:
                number += 1
            elif middle - start <= 2 * height or not near:
                near.append((top, bottom))
            else:
                break
        if near:
            top, bottom = max(near, key=lambda span: (span[1] - span[0], -abs(sum(span) // 2 - start - height)))
            start = (top + bottom) // 2
            cuts.append(start)
    return cuts[:-1] if cuts and image.height() - cuts[-1] < height // 2 else cuts


def _blank_rows(pixels: QImage) -> List[_Span]:
    """Return the stretches of rows (first, one past the last) of background colour between those that are drawn.

    A thin frame around the graphic does not count.
    """
    import numpy

    colours = _colours(pixels)
    # the corner may be that of a frame
    shades, counts = numpy.unique(colours[::2, ::2].reshape(-1, 4), axis=0, return_counts=True)
    drawn: Array = (numpy.abs(colours - shades[counts.argmax()]) > _TOLERANCE).any(axis=2)
    sides = drawn.mean(axis=0) > _FRAME_SHARE
    sides[_MAX_FRAME:-_MAX_FRAME] = False
    drawn[:, sides] = False
    lines = _spans(drawn.any(axis=1), _ROW_GAP)
    return [(above[1], below[0]) for above, below in zip(lines, lines[1:])]


def _colours(pixels: QImage) -> Array:
    """Return the pixels of an image as rows, columns and blue, green, red, alpha (0 to 255)."""
    import numpy

    pixels = images.converted(pixels, QImage.Format.Format_ARGB32)
    bits = pixels.constBits()
    bits.setsize(pixels.bytesPerLine() * pixels.height())
    rows = numpy.frombuffer(bytes(bits), numpy.uint8).reshape(pixels.height(), pixels.bytesPerLine())
    return rows[:, :4 * pixels.width()].reshape(pixels.height(), pixels.width(), 4).astype(numpy.int32)


def _drawn_pixels(pixels: QImage) -> Array:
    """Return for each row which pixels differ from the upper left corner."""
    import numpy

    colours = _colours(pixels)
    drawn: Array = (numpy.abs(colours - colours[0, 0]) > _TOLERANCE).any(axis=2)
    return drawn


def _spans(drawn: Array, gap: int) -> List[_Span]:
    """Return (first, one past the last) of the drawn stretches, those closer than ``gap`` together."""
    spans: List[_Span] = []
    for position, is_drawn in enumerate(drawn.tolist()):
        if not is_drawn:
            continue
        if spans and position - spans[-1][1] < gap:
            spans[-1] = spans[-1][0], position + 1
        else:
            spans.append((position, position + 1))
    return spans


def _first(rows: Array, start: int) -> int:
    """Return the first drawn column from ``start`` on."""
    columns = rows[:, start:].any(axis=0).nonzero()[0]
    return start + (int(columns[0]) if len(columns) else 10_000)


def _symbol_rows(drawn: Array, symbols: _Span, room: _Span, centre: int) -> Optional[_Span]:
    """Return the rows of the symbol beside the line whose middle is ``centre``, within ``room``, or None."""
    spans = [(top + room[0], bottom + room[0])
             for top, bottom in _spans(drawn[room[0]:room[1], symbols[0]:symbols[1]].any(axis=1), 2)]
    if not spans:
        return None
    top, bottom = min(spans, key=lambda span: abs((span[0] + span[1]) / 2 - centre))
    return (top, bottom) if bottom - top >= _MIN_SYMBOL // 2 else None

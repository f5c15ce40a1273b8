"""Cut a service's whole legend graphic into its classes: a symbol and the picture of its label for each.

The letters of whole graphics are of any size. Cut out and scaled by their height, they are as large as the text around
them, and symbols stand in the legend's symbol column.
"""

from __future__ import annotations

from typing import List, Optional, Sequence, Tuple

from qgis.PyQt.QtGui import QColor, QImage

from ..runtime import images
from .legend_nodes import SYMBOL_WIDTH, Swatch

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
_MAX_CLASSES = 60

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
    width, height = pixels.width(), pixels.height()
    columns = _spans([any(row[x] for row in drawn) for x in range(width)], round(_COLUMN_GAP * factor))
    if len(columns) < 2:
        return []
    symbols, label_left = columns[0], columns[1][0]
    if not _MIN_SYMBOL <= symbols[1] - symbols[0] <= _MAX_SYMBOL * factor:
        return []
    lines = _spans([any(row[label_left:]) for row in drawn], round(_LINE_GAP * factor))
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
        right = max(x for row in drawn[top:bottom] for x in range(label_left, width) if row[x]) + 1
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
    if background.alpha() and background.lightness() < 128:
        return label
    result = QImage(label.size(), QImage.Format.Format_ARGB32)
    lightest = background.lightness() if background.alpha() else 255
    shades = [[max(0, lightest - label.pixelColor(x, y).lightness()) * label.pixelColor(x, y).alpha() // 255
               for x in range(label.width())] for y in range(label.height())]
    darkest = max(1, max(max(row) for row in shades))
    for y, row in enumerate(shades):
        for x, shade in enumerate(row):
            colour = QColor(_INK)
            colour.setAlpha(min(255, shade * 255 // darkest))
            result.setPixelColor(x, y, colour)
    return images.converted(result, QImage.Format.Format_ARGB32_Premultiplied)


def _drawn_pixels(pixels: QImage) -> List[List[bool]]:
    """Return for each row which pixels differ from the upper left corner."""
    bits = pixels.constBits()
    stride, width = pixels.bytesPerLine(), pixels.width()
    bits.setsize(stride * pixels.height())
    data = bytes(bits)
    base = data[:4]
    same = {base}
    rows = []
    for y in range(pixels.height()):
        row = data[y * stride:y * stride + 4 * width]
        cells = [row[x:x + 4] for x in range(0, 4 * width, 4)]
        for cell in set(cells) - same:
            if all(abs(one - other) <= _TOLERANCE for one, other in zip(cell, base)):
                same.add(cell)
        rows.append([cell not in same for cell in cells])
    return rows


def _spans(drawn: Sequence[bool], gap: int) -> List[_Span]:
    """Return (first, one past the last) of the drawn stretches, those closer than ``gap`` together."""
    spans: List[_Span] = []
    for position, is_drawn in enumerate(drawn):
        if not is_drawn:
            continue
        if spans and position - spans[-1][1] < gap:
            spans[-1] = spans[-1][0], position + 1
        else:
            spans.append((position, position + 1))
    return spans


def _first(rows: Sequence[Sequence[bool]], start: int) -> int:
    """Return the first drawn column from ``start`` on."""
    return min((x for row in rows for x in range(start, len(row)) if row[x]), default=start + 10_000)


def _symbol_rows(drawn: Sequence[Sequence[bool]], symbols: _Span, room: _Span, centre: int) -> Optional[_Span]:
    """Return the rows of the symbol beside the line whose middle is ``centre``, within ``room``, or None."""
    spans = [(top + room[0], bottom + room[0])
             for top, bottom in _spans([any(row[symbols[0]:symbols[1]]) for row in drawn[room[0]:room[1]]], 2)]
    if not spans:
        return None
    top, bottom = min(spans, key=lambda span: abs((span[0] + span[1]) / 2 - centre))
    return (top, bottom) if bottom - top >= _MIN_SYMBOL // 2 else None

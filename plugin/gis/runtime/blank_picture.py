"""Pictures on which nothing is drawn: wholly transparent, or of one colour all over; for worker threads."""

from __future__ import annotations

from typing import Tuple

from qgis.PyQt.QtGui import QImage

from . import images

TRANSPARENT = "transparent"
#: an empty picture is packed to less than a byte for so many pixels; what is larger need not be unpacked
_EMPTY_PIXELS_PER_BYTE = 20
_HEADER_BYTES = 2_000
_BYTES_PER_PIXEL = 4


def single_colour(body: bytes, size: Tuple[int, int]) -> str:
    """``transparent`` or the colour (#rrggbb) that all of the picture's pixels have; empty where they differ, or where
    the picture cannot be read. ``size`` is its width and height.
    """
    if len(body) > size[0] * size[1] / _EMPTY_PIXELS_PER_BYTE + _HEADER_BYTES:
        return ""
    image = images.converted(QImage.fromData(body), QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        return ""
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    # 32 bits a pixel: lines have no padding
    data = bytes(bits)
    if data[_BYTES_PER_PIXEL:] != data[:-_BYTES_PER_PIXEL]:
        return ""
    colour = image.pixelColor(0, 0)
    return TRANSPARENT if colour.alpha() == 0 else str(colour.name())

"""Scaling and conversion of images in the calling thread.

QImage's ``scaled`` and ``convertToFormat`` process large images in Qt's global pool and wait for it, while PyQt holds
Python's lock. If the threads of that pool wait for the lock (jobs, QGIS's browser), QGIS hangs.
"""

from __future__ import annotations

from typing import Tuple

from qgis.PyQt.QtCore import QBuffer, QByteArray, QRect, QSize, Qt
from qgis.PyQt.QtGui import QImage, QPainter


def scaled(image: QImage, size: QSize, keep_aspect_ratio: bool = True) -> QImage:
    """Return ``image`` scaled smoothly to ``size`` (pixels), or into ``size`` with its aspect ratio."""
    if image.isNull() or size.isEmpty():
        return QImage()
    if keep_aspect_ratio:
        size = image.size().scaled(size, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))
    while image.width() > 2 * size.width() and image.height() > 2 * size.height():
        # halving uses every pixel, whereas a single step would only interpolate four of them
        image = _redrawn(image, QSize(image.width() // 2,
                                      image.height() // 2), QImage.Format.Format_ARGB32_Premultiplied)
    return _redrawn(image, size, QImage.Format.Format_ARGB32_Premultiplied)


def png_bytes(image: QImage, quality: int = -1) -> bytes:
    """Return the image as a PNG. ``quality`` is Qt's: 0 packs it most and 100 least, -1 is the default."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG", quality)
    return bytes(data)


def converted(image: QImage, image_format: QImage.Format) -> QImage:
    """Return ``image`` in another format, one with 32 bits a pixel that can be painted on."""
    return image if image.isNull() or image.format() == image_format else _redrawn(image, image.size(), image_format)


def _redrawn(image: QImage, size: QSize, image_format: QImage.Format) -> QImage:
    target = QImage(size, image_format)
    target.fill(Qt.GlobalColor.transparent)
    painter = QPainter(target)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, size != image.size())
    painter.drawImage(QRect(0, 0, size.width(), size.height()), image, QRect(0, 0, image.width(), image.height()))
    painter.end()
    return target


TRANSPARENT = "transparent"
#: pixels for each byte of a compressed empty image, at least (larger files need not be decoded)
_EMPTY_PIXELS_PER_BYTE = 20
_HEADER_BYTES = 2_000
_BYTES_PER_PIXEL = 4


def single_colour(body: bytes, size: Tuple[int, int]) -> str:
    """Return ``transparent`` or the colour (#rrggbb) of an image whose pixels are all equal, else "".

    ``size`` is the image's width and height. "" is also returned for an image that cannot be read.
    """
    if len(body) > size[0] * size[1] / _EMPTY_PIXELS_PER_BYTE + _HEADER_BYTES:
        return ""
    image = converted(QImage.fromData(body), QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        return ""
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    # 32 bits a pixel: no padding of lines
    data = bytes(bits)
    if data[_BYTES_PER_PIXEL:] != data[:-_BYTES_PER_PIXEL]:
        return ""
    colour = image.pixelColor(0, 0)
    return TRANSPARENT if colour.alpha() == 0 else str(colour.name())

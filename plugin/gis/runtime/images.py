"""Scaling and conversion of images in the calling thread.

QImage's ``scaled`` and ``convertToFormat`` process large images in Qt's global pool and wait for it, while PyQt holds
Python's lock. If the threads of that pool wait for the lock (jobs, QGIS's browser), QGIS hangs.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any, Optional, Tuple

from qgis.PyQt.QtCore import QBuffer, QByteArray, QPoint, QRect, QSize, Qt
from qgis.PyQt.QtGui import QColor, QImage, QImageReader, QPainter

from ...core.storage.temporary_files import temporary_folder
from ...core.wms.responses.image_headers import image_size, is_complete_image, is_overloaded

#: pixels of an image that is decoded, far more than those of a piece of a map
MAX_PIXELS = 100_000_000


def image_from_bytes(data: bytes) -> QImage:
    """Return an image, null if it cannot be read, ends early, or claims more pixels than :data:`MAX_PIXELS`."""
    return QImage.fromData(data) if _can_be_read(data) else QImage()


def _can_be_read(data: bytes) -> bool:
    """Return whether Qt may decode an image: it draws a JPEG that ends early in part.

    A file of some kilobytes can claim a picture of gigabytes, or hide as much in texts.
    """
    width, height = image_size(data) or (0, 0)
    return width * height <= MAX_PIXELS and not is_overloaded(data) and is_complete_image(data) is not False


def image_from_file(path: Path) -> QImage:
    """Return an image from a file, null as that of :func:`image_from_bytes`. Decodes without Python's lock."""
    return QImage(str(path)) if _can_be_read(path.read_bytes()) else QImage()


def decode_from_file(data: bytes, kind: str, size: QSize, is_turned_as_stored: bool = False) -> QImage:
    """Decode a large image, scaled to ``size`` while it is read, without Python's lock. Null if it cannot be read.

    The reader gets a temporary file, not a device made in Python: it would wait for Python's lock to read from that
    device, while it holds the lock of Qt's image plug-ins, for which any other thread that decodes an image with
    Python's lock waits. With ``is_turned_as_stored`` a photo is turned as its EXIF data say. ``size`` is the one before
    that. Raises OSError.
    """
    if is_overloaded(data):
        return QImage()
    folder = temporary_folder(Path(tempfile.gettempdir()))
    try:
        path = folder / f"image.{kind}"
        path.write_bytes(data)
        reader = QImageReader(str(path), QByteArray(kind.encode("ascii")))
        reader.setAutoTransform(is_turned_as_stored)
        reader.setScaledSize(size)
        return reader.read()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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


def cut_out(image: QImage, area: QRect, image_format: QImage.Format) -> QImage:
    """Return an area of ``image`` (pixels) in a format of 32 bits a pixel, the image itself if that is what it is."""
    if area == image.rect() and image.format() == image_format:
        return image
    target = QImage(area.size(), image_format)
    painter = QPainter(target)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
    painter.drawImage(QPoint(0, 0), image, area)
    painter.end()
    return target


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


#: text drawn into an image by a server: largest file (bytes, and pixels for each byte more), most lines, and fewest
#: edges in the busiest row of a line
_TEXT_BYTES, _TEXT_PIXELS_PER_BYTE = 40_000, 50
_MAX_TEXT_LINES, _MIN_LINE_EDGES = 40, 12
#: largest share of pixels that text covers, highest line in pixels, and largest distance from a mix of two colours
_MAX_TEXT_SHARE, _MAX_LINE_HEIGHT, _MIX_TOLERANCE = 0.6, 80, 24.0


#: colours of a text and of its background, as BGRA
TextColours = Tuple[Tuple[int, ...], Tuple[int, ...]]


class ImagePixels:
    """The pixels of an image file, decoded at most once and only for what can be answered by them.

    ``size`` is the image's width and height. An ``image`` that is decoded already has 32 bits a pixel.
    """

    def __init__(self, body: bytes, size: Tuple[int, int], image: Optional[QImage] = None) -> None:
        self._body, self._size = body, size
        self._decoded = image
        self._image: Optional[QImage] = None

    def text_colours(self) -> Optional[TextColours]:
        """Return the colours of an image that shows nothing but a few lines of text on one background, otherwise None.

        The text is in one colour or in greys. Servers draw their errors like this (06-042 7.3.3.11, INIMAGE). A layer
        of labels or of scattered points looks the same.
        """
        if len(self._body) > _TEXT_BYTES + self._size[0] * self._size[1] / _TEXT_PIXELS_PER_BYTE:
            return None
        import numpy

        words = self._words()
        if words is None:
            return None
        ink = words != words[-1, -1]
        share = numpy.count_nonzero(ink) / ink.size
        if not 0 < share <= _MAX_TEXT_SHARE:
            return None
        inked = words[ink]
        # of neighbours that are equal one is enough, and there are few colours
        inked = numpy.unique(inked[numpy.concatenate(([True], inked[1:] != inked[:-1]))])
        colours, background = _colours_of(inked), _colours_of(words[-1, -1:])[0]
        if not (_is_grey(colours) or _is_mix_of_two(colours - background)) or not _has_text_lines(ink):
            return None
        strongest = colours[numpy.abs(colours - background).sum(axis=1).argmax()]
        return tuple(strongest.tolist()), tuple(background.tolist())

    def single_colour(self) -> str:
        """Return ``transparent`` or the colour (#rrggbb) of an image whose pixels are all equal, else "".

        "" is also returned for an image that cannot be read.
        """
        if len(self._body) > self._size[0] * self._size[1] / _EMPTY_PIXELS_PER_BYTE + _HEADER_BYTES:
            return ""
        words = self._words()
        if words is None or self._image is None or (words != words[0, 0]).any():
            return ""
        colour = self._image.pixelColor(0, 0)
        return TRANSPARENT if colour.alpha() == 0 else str(colour.name())

    def _words(self) -> Any:
        """Return the pixels as rows of numbers of 32 bits, or None if the image cannot be read."""
        import numpy

        if self._image is None:
            self._image = converted(self._decoded or image_from_bytes(self._body),
                                    QImage.Format.Format_ARGB32_Premultiplied)
        if self._image.isNull():
            return None
        bits = self._image.constBits()
        bits.setsize(self._image.sizeInBytes())
        # no padding of lines: the pixels of the image itself, which is held as long as they are
        return numpy.frombuffer(bits, numpy.uint32).reshape(self._image.height(), self._image.width())


def single_colour(body: bytes, size: Tuple[int, int]) -> str:
    """Return the one colour of an image file, as ``ImagePixels.single_colour`` does."""
    return ImagePixels(body, size).single_colour()


def is_grey(colour: Tuple[int, ...]) -> bool:
    """Return whether a colour of ``text_colours`` is black, white or between."""
    return max(colour[:3]) - min(colour[:3]) <= _MIX_TOLERANCE


def _colours_of(words: Any) -> Any:
    """Return pixels as an array of count × BGRA that differences can be computed of."""
    import numpy

    return words.view(numpy.uint8).reshape(-1, 4).astype(numpy.int16)


def _has_text_lines(ink: Any) -> bool:
    """Return whether the inked pixels (a mask of the image) form a few lines that are as high and busy as text."""
    import numpy

    rows = ink.any(axis=1)
    starts = numpy.flatnonzero(rows & ~numpy.concatenate(([False], rows[:-1])))
    ends = numpy.flatnonzero(rows & ~numpy.concatenate((rows[1:], [False]))) + 1
    if len(starts) > _MAX_TEXT_LINES or int((ends - starts).max()) > _MAX_LINE_HEIGHT:
        return False
    edges = numpy.count_nonzero(ink[:, 1:] != ink[:, :-1], axis=1)
    return any(int(edges[start:end].max()) >= _MIN_LINE_EDGES for start, end in zip(starts, ends))


def _is_grey(colours: Any) -> bool:
    """Return whether colours (count × BGRA) are all grey: text may have an outline."""
    import numpy

    return bool(numpy.abs(numpy.diff(colours[:, :3], axis=1)).max() <= _MIX_TOLERANCE)


def _is_mix_of_two(differences: Any) -> bool:
    """Return whether colours, given as differences from a background, all mix that background with one other colour."""
    import numpy

    strongest = differences[numpy.abs(differences).sum(axis=1).argmax()].astype(numpy.float64)
    shares = (differences @ strongest) / float(strongest @ strongest)
    return bool(numpy.abs(differences - shares[:, None] * strongest).max() <= _MIX_TOLERANCE)


def faded(image: QImage, opacity: float) -> QImage:
    """Return ``image`` with its opacity times ``opacity`` (0 to 1), and its colours as they are."""
    target = QImage(converted(image, QImage.Format.Format_ARGB32))
    painter = QPainter(target)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
    painter.fillRect(target.rect(), QColor(0, 0, 0, round(255 * opacity)))
    painter.end()
    return target

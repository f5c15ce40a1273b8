"""Pixels of an area of a page that was written to a file: PDF, SVG, PNG, JPEG, TIFF or a frame of a GIF.

PDF and rasters are read by GDAL, SVG is drawn and GIF read by Qt.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Tuple

from osgeo import gdal
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QColor, QImage, QImageReader, QPainter

from ..layouts.credit_legibility import pixel_window, rgb_pixels
from ..runtime.gdal import quiet_gdal

if TYPE_CHECKING:
    from ..layouts.credit_legibility import Pixels

#: resolution that pages without pixels of their own are read at
VECTOR_DPI = 150
_MM = 25.4


def pdf_readable() -> bool:
    """Return whether QGIS's GDAL can draw the pages of a PDF."""
    driver = gdal.GetDriverByName("PDF")
    return driver is not None and any(driver.GetMetadataItem(name) == "YES" for name in ("HAVE_POPPLER", "HAVE_PDFIUM"))


def svg_readable() -> bool:
    """Return whether PyQt can draw SVG: some systems package that module separately."""
    try:
        importlib.import_module("qgis.PyQt.QtSvg")
    except ImportError:
        return False
    return True


def read_pdf_area(path: Path, number: int, area: QRectF, page_width: float) -> Optional[Pixels]:
    """Return an area of page ``number`` (from 1) of a PDF, or None if there is no such page.

    ``area`` and ``page_width`` are in millimetres.
    """
    with quiet_gdal():
        data = gdal.OpenEx(f"PDF:{number}:{path}", gdal.OF_RASTER, open_options=[f"DPI={VECTOR_DPI}", "BANDS=3"])
    if data is None:
        return None
    size = (int(data.RasterXSize), int(data.RasterYSize))
    return _read_window(data, pixel_window(area, size[0] / page_width, size))


def read_raster_area(path: Path, window: Tuple[int, int, int, int]) -> Optional[Pixels]:
    """Return a window (left, top, width, height in pixels) of an image file, or None if the file cannot be read."""
    with quiet_gdal():
        data = gdal.Open(str(path))
    return None if data is None else _read_window(data, window)


def raster_size(path: Path) -> Tuple[int, int]:
    """Return width and height of an image file in pixels, (0, 0) if it cannot be read."""
    with quiet_gdal():
        data = gdal.Open(str(path))
    return (0, 0) if data is None else (int(data.RasterXSize), int(data.RasterYSize))


class AnimationFrames:
    """The frames of a GIF as a viewer shows them, read one after the other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reader, self._number = QImageReader(str(path)), -1
        self._image = QImage()

    def count(self) -> int:
        """Return the number of frames, 0 if the file cannot be read."""
        return max(0, int(QImageReader(str(self._path)).imageCount()))

    def image(self, number: int) -> Optional[QImage]:
        """Return the frame ``number``, from 0, or None if there is no such frame."""
        if number < self._number:
            self._reader, self._number = QImageReader(str(self._path)), -1
        while self._number < number:
            self._image = self._reader.read()
            self._number += 1
            if self._image.isNull():
                return None
        return None if self._image.isNull() else self._image


def gif_readable() -> bool:
    """Return whether Qt can read GIF."""
    return b"gif" in [bytes(name) for name in QImageReader.supportedImageFormats()]


def read_svg_area(path: Path, area: QRectF, page_width: float) -> Optional[Pixels]:
    """Return an area of an SVG page, or None if it cannot be read. Sizes as ``read_pdf_area``."""
    from qgis.PyQt.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(str(path))
    box = renderer.viewBoxF()
    if not renderer.isValid() or box.isEmpty():
        return None
    unit, scale = box.width() / page_width, VECTOR_DPI / _MM
    left, top, width, height = pixel_window(area, scale, (1 << 30, 1 << 30))
    renderer.setViewBox(QRectF(box.left() + left / scale * unit, box.top() + top / scale * unit,
                               width / scale * unit, height / scale * unit))
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(255, 255, 255))
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, width, height))
    painter.end()
    return rgb_pixels(image)


def _read_window(data: Any, window: Tuple[int, int, int, int]) -> Optional[Pixels]:
    """Return the window of a GDAL dataset in RGB, transparent pixels on white."""
    import numpy

    with quiet_gdal():
        bands = data.ReadAsArray(*window)
    if bands is None:
        return None
    pixels = numpy.atleast_3d(bands) if bands.ndim == 2 else numpy.moveaxis(bands, 0, 2)
    if pixels.shape[2] in (2, 4):
        alpha = pixels[:, :, -1:].astype(numpy.float64) / 255.0
        pixels = (pixels[:, :, :-1] * alpha + 255.0 * (1.0 - alpha)).round().astype(numpy.uint8)
    return numpy.repeat(pixels, 3, axis=2) if pixels.shape[2] == 1 else pixels[:, :, :3]

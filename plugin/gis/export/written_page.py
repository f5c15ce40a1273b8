"""Pixels of an area of a page that was written to a file: PDF, SVG, PNG, JPEG or TIFF.

PDF and rasters are read by GDAL, SVG is drawn by Qt.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Tuple

from osgeo import gdal
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QColor, QImage, QPainter

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
    return driver is not None and any(driver.GetMetadataItem(name) == "YES"
                                      for name in ("HAVE_POPPLER", "HAVE_PDFIUM"))


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
    return None if data is None else _read_window(data, area, page_width)


def read_raster_area(path: Path, area: QRectF, page_width: float) -> Optional[Pixels]:
    """Return an area of a page that is an image, or None if the file cannot be read. Sizes as ``read_pdf_area``."""
    with quiet_gdal():
        data = gdal.Open(str(path))
    return None if data is None else _read_window(data, area, page_width)


def raster_size(path: Path) -> Tuple[int, int]:
    """Return width and height of an image file in pixels, (0, 0) if it cannot be read."""
    with quiet_gdal():
        data = gdal.Open(str(path))
    return (0, 0) if data is None else (int(data.RasterXSize), int(data.RasterYSize))


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


def _read_window(data: Any, area: QRectF, page_width: float) -> Optional[Pixels]:
    """Return the window of a GDAL dataset in RGB, transparent pixels on white."""
    import numpy

    size = (int(data.RasterXSize), int(data.RasterYSize))
    left, top, width, height = pixel_window(area, size[0] / page_width, size)
    with quiet_gdal():
        bands = data.ReadAsArray(left, top, width, height)
    if bands is None:
        return None
    pixels = numpy.atleast_3d(bands) if bands.ndim == 2 else numpy.moveaxis(bands, 0, 2)
    if pixels.shape[2] in (2, 4):
        alpha = pixels[:, :, -1:].astype(numpy.float64) / 255.0
        pixels = (pixels[:, :, :-1] * alpha + 255.0 * (1.0 - alpha)).round().astype(numpy.uint8)
    return numpy.repeat(pixels, 3, axis=2) if pixels.shape[2] == 1 else pixels[:, :, :3]

"""GeoTIFF and JPEG 2000 responses as images: read by GDAL from memory, reduced and stretched for display."""

from __future__ import annotations

import uuid
from typing import Optional, Tuple

from osgeo import gdal
from qgis.PyQt.QtGui import QImage

from ...core.errors import CartoguideError, UnexpectedResponse
from ...core.i18n import tr
from ..library.thumbnails import MAX_PIXELS, decode_image
from ..runtime.gdal import quiet_gdal, refers_elsewhere

#: drivers that may read a service's bytes: single-file formats that open no other file or address
_DRIVERS = ("GTiff", "JP2OpenJPEG")
#: first bytes of JPEG 2000, as a file and as a stream
_JPEG2000 = (b"\x00\x00\x00\x0cjP  ", b"\xff\x4f\xff\x51")
_MAX_COMPRESSION = 20


def is_raster(body: bytes) -> bool:
    """Return whether ``body`` is a TIFF or JPEG 2000 by its first bytes, so that GDAL may read it."""
    return body.startswith((b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+", *_JPEG2000))


def raster_image(body: bytes, edge: int) -> Tuple[QImage, Tuple[int, int]]:
    """Return (image with edges up to ``edge`` pixels, the raster's width and height). For worker threads.

    Values of other types than bytes are stretched from their minimum to their maximum. Raises UnusableAnswer with the
    reason if the image cannot be read.
    """
    memory = f"/vsimem/cartoguide-{uuid.uuid4().hex}"
    with quiet_gdal():
        gdal.FileFromMemBuffer(memory, body)
        try:
            size, png = _translate_to_png(memory, edge)
        except RuntimeError as error:  # if GDAL's exceptions are switched on
            raise _unreadable_error(str(error)) from error
        finally:
            gdal.Unlink(memory)
    return decode_image(png, edge), size


def _translate_to_png(memory: str, edge: int) -> Tuple[Tuple[int, int], bytes]:
    source = gdal.OpenEx(memory, gdal.OF_RASTER | gdal.OF_READONLY, allowed_drivers=list(_DRIVERS))
    if source is None or not source.RasterCount:
        raise _unreadable_error(gdal.GetLastErrorMsg())
    if refers_elsewhere(source):
        raise UnexpectedResponse(tr("The image refers to other files or addresses, and is not shown."))
    width, height = source.RasterXSize, source.RasterYSize
    if width * height > MAX_PIXELS * _MAX_COMPRESSION:
        raise UnexpectedResponse(tr("The image is too large to be displayed."), f"{width} × {height}")
    reduction = min(1.0, edge / max(width, height))
    first = source.GetRasterBand(1)
    options = {"format": "PNG", "width": max(1, round(width * reduction)), "height": max(1, round(height * reduction)),
               "resampleAlg": "average" if reduction < 1 else "nearest"}
    if first.GetColorTable() is not None:
        options.update(rgbExpand="rgba", resampleAlg="nearest")
    else:
        options["bandList"] = list(range(1, source.RasterCount + 1)) if source.RasterCount <= 4 else [1, 2, 3]
        if first.DataType != gdal.GDT_Byte:
            options.update(outputType=gdal.GDT_Byte, scaleParams=[[]])
    target = f"{memory}.png"
    translated = gdal.Translate(target, source, **options)
    if translated is None:
        raise _unreadable_error(gdal.GetLastErrorMsg())
    translated.FlushCache()
    translated = source = None
    try:
        return (width, height), _read_memory_file(target)
    finally:
        for leftover in (target, f"{target}.aux.xml"):
            gdal.Unlink(leftover)


def _read_memory_file(path: str) -> bytes:
    file = gdal.VSIFOpenL(path, "rb")
    if file is None:
        raise _unreadable_error(path)
    try:
        length: int = gdal.VSIStatL(path).size
        read: Optional[bytes] = gdal.VSIFReadL(1, length, file)
        return bytes(read or b"")
    finally:
        gdal.VSIFCloseL(file)


def _unreadable_error(detail: str) -> CartoguideError:
    return UnexpectedResponse(tr("The image is damaged, or in a format that this QGIS cannot display."), detail)

"""Digests of the pixels of PNG and TIFF, decoded by GDAL a few rows at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterator, Optional

from osgeo import gdal

from ...core.publication.content_digest import pixels_digest
from ...core.trust.files import check_regular
from ..runtime.gdal import quiet_gdal

#: pixels that are decoded, more than A0 at 400 dpi has
MAX_PIXELS = 400_000_000
#: pixels of the widest image, which is as wide as JPEG can be. Rows are decoded whole, with all their bands
MAX_WIDTH, MAX_BANDS = 65_535, 4
#: a multiple of the heights of a GeoTIFF's tiles
_ROWS = 256
_OPAQUE = 255


def digest_of_pixels(file: Path) -> str:
    """Return the digest (``content_digest``) of a PNG or TIFF, or "" if it has too many pixels or is not readable.

    Files beside it, in which GDAL looks for colours and masks, are left alone. Raises CartoguideError if it is no
    regular file.
    """
    check_regular(file)
    with quiet_gdal():
        image = gdal.OpenEx(str(file), gdal.OF_RASTER, allowed_drivers=["PNG", "GTiff"], sibling_files=[file.name])
        if image is None or image.RasterXSize * image.RasterYSize > MAX_PIXELS:
            return ""
        if image.RasterXSize > MAX_WIDTH or image.RasterCount > MAX_BANDS:
            return ""
        try:
            return pixels_digest(image.RasterXSize, image.RasterYSize, _rows(image))
        except ValueError:
            return ""


def _rows(image: Any) -> Iterator[bytes]:
    """Yield the pixels as RGBA. Raises ValueError for pixels that cannot be read."""
    import numpy

    palette = _palette(image.GetRasterBand(1))
    for top in range(0, image.RasterYSize, _ROWS):
        height = min(_ROWS, image.RasterYSize - top)
        bands = image.ReadAsArray(0, top, image.RasterXSize, height)
        if bands is None:
            raise ValueError("the pixels cannot be read")
        if bands.dtype not in (numpy.uint8, numpy.uint16):
            raise ValueError("the pixels are no colours")
        if bands.ndim == 2:
            bands = bands[numpy.newaxis]
        if bands.dtype == numpy.uint16:
            bands = bands >> 8
        pixels = numpy.full((height, image.RasterXSize, 4), _OPAQUE, numpy.uint8)
        if palette is not None:
            pixels[:] = palette[bands[0] & 0xff]
        else:
            # one band is grey, two are grey and opacity
            grey = len(bands) < 3
            pixels[:, :, :3] = numpy.moveaxis(bands[:1] if grey else bands[:3], 0, 2)
            if len(bands) in (2, 4):
                pixels[:, :, 3] = bands[-1]
        pixels[pixels[:, :, 3] == 0] = 0
        yield pixels.tobytes()


def _palette(band: Any) -> Optional[Any]:
    import numpy

    table = band.GetRasterColorTable()
    if table is None:
        return None
    colours = numpy.zeros((256, 4), numpy.uint8)
    for number in range(min(256, table.GetCount())):
        colours[number] = table.GetColorEntry(number)
    return colours

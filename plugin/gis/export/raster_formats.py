"""Pages as images: PNG and JPEG with a world file, GeoTIFF with georeference and metadata inside, and animated GIF."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, Optional, Sequence

from osgeo import gdal
from qgis.core import QgsLayoutExporter, QgsPrintLayout
from qgis.PyQt.QtCore import QCoreApplication
from qgis.PyQt.QtGui import QImage

from ...core.custommap.moments import LAST_FRAME_FACTOR, bounded_seconds
from ...core.errors import CartoguideError
from ...core.files import incomplete_error, write_error
from ...core.i18n import tr
from ...core.publication.animated_gif import GifWriter
from ..layouts import layout_items
from ..layouts.credit_legibility import rgb_pixels
from ..runtime.gdal import quiet_gdal
from .sealed_layouts import ExportFeedback

#: resolution at which the page of an animation has 1280 by 720 pixels
FRAME_DPI = 127
_RESULTS = QgsLayoutExporter.ExportResult
_SUCCESS = _RESULTS.Success


def write_image(layout: QgsPrintLayout, file: Path, dpi: int) -> Any:
    """Write the layout in the format of the file's suffix, with its world file. Return QGIS's export result."""
    settings = QgsLayoutExporter.ImageExportSettings()
    settings.dpi = dpi
    settings.generateWorldFile = True
    settings.exportMetadata = True
    # GDAL cannot write a georeference into a finished PNG and prints an error, but the world file has it
    with quiet_gdal():
        result = QgsLayoutExporter(layout).exportToImage(str(file), settings)
    # GDAL's sidecar files repeat the image's metadata and the world file
    for note in file.parent.glob(f"{file.name}.aux.xml"):
        note.unlink()
    return result


def write_geotiff(layout: QgsPrintLayout, file: Path, dpi: int) -> Any:
    """Write the layout as a GeoTIFF: tiled, lossless, with its CRS and credits. Return QGIS's export result.

    Raises CartoguideError if GDAL cannot write it.
    """
    page_image = file.with_suffix(".page.png")
    result = write_image(layout, page_image, dpi)
    if result != _SUCCESS:
        return result
    with quiet_gdal():
        source = gdal.Open(str(page_image))
        geotiff = None if source is None else gdal.Translate(
            str(file), source, format="GTiff", outputSRS=_crs_code(layout) or None,
            metadataOptions=_tiff_tags(layout, dpi),
            creationOptions=["COMPRESS=DEFLATE", "PREDICTOR=2", "TILED=YES", "BIGTIFF=IF_SAFER"])
    if geotiff is None:
        raise CartoguideError(tr("GDAL could not write {name}.", name=file.name), gdal.GetLastErrorMsg())
    _write_other_pages(page_image, file)
    geotiff.SetGeoTransform(_georeference(layout, dpi))
    geotiff.FlushCache()
    source = geotiff = None
    for leftover in file.parent.glob(f"{page_image.stem}[._]*"):
        leftover.unlink()
    return _SUCCESS


def _write_other_pages(page_image: Path, file: Path) -> None:
    """Write the layout's other pages beside the map without a georeference, since they may contain credits."""
    for page in sorted(page_image.parent.glob(f"{page_image.stem}_*{page_image.suffix}")):
        target = file.with_name(f"{file.stem}{page.stem[len(page_image.stem):]}{file.suffix}")
        with quiet_gdal():
            written = gdal.Translate(str(target), str(page), format="GTiff",
                                     creationOptions=["COMPRESS=DEFLATE", "PREDICTOR=2"])
        if written is None:
            raise CartoguideError(tr("GDAL could not write {name}.", name=target.name), gdal.GetLastErrorMsg())
        written = None


def _georeference(layout: QgsPrintLayout, dpi: int) -> tuple[float, float, float, float, float, float]:
    """Return GDAL's geotransform of the page, from its outer upper left corner, in map units."""
    a, b, c, d, e, f = QgsLayoutExporter(layout).computeWorldFileParameters(dpi)
    return c, a, b, f, d, e


def _crs_code(layout: QgsPrintLayout) -> str:
    item = layout_items.main_map(layout)
    return str(item.crs().authid()) if item is not None and item.crs().authid() else ""


def _tiff_tags(layout: QgsPrintLayout, dpi: int) -> list[str]:
    metadata = layout.project().metadata()
    values: Dict[str, str] = {
        "TIFFTAG_DOCUMENTNAME": metadata.title(), "TIFFTAG_ARTIST": metadata.author(),
        "TIFFTAG_COPYRIGHT": metadata.abstract(), "TIFFTAG_SOFTWARE": "Cartoguide",
        "TIFFTAG_XRESOLUTION": str(dpi), "TIFFTAG_YRESOLUTION": str(dpi),
        "TIFFTAG_RESOLUTIONUNIT": "2"}
    return [f"{name}={' '.join(value.split())}" for name, value in values.items() if value]


def write_animation(layouts: Sequence[QgsPrintLayout], file: Path, dpi: int, seconds: float,
                    feedback: ExportFeedback) -> Any:
    """Write the first page of each layout as a frame that is shown for ``seconds``. Return QGIS's export result.

    Raises CartoguideError if the file cannot be written.
    """
    frame_file = file.with_name("frame.png")
    try:
        with file.open("wb") as stream:
            writer: Optional[GifWriter] = None
            for number, layout in enumerate(layouts, 1):
                feedback.begin_page(number, len(layouts), tr("Frame {number} of {count}", number=number,
                                                             count=len(layouts)))
                result = write_image(layout, frame_file, dpi)
                if result != _SUCCESS:
                    return result
                image = QImage(str(frame_file))
                if image.isNull():
                    raise _not_written(file)
                if writer is None:
                    writer = GifWriter(stream, image.width(), image.height())
                factor = LAST_FRAME_FACTOR if number == len(layouts) else 1.0
                writer.add_frame(rgb_pixels(image), bounded_seconds(seconds) * factor)
                # a click on Cancel gets through between two frames
                QCoreApplication.processEvents()
                if feedback.isCanceled():
                    return _RESULTS.Canceled
            if writer is not None:
                writer.finish()
    except OSError as error:
        raise write_error(file, error, _not_written(file).user_text) from error
    finally:
        for leftover in file.parent.glob(f"{frame_file.stem}[._]*"):
            leftover.unlink()
    return _SUCCESS


def _not_written(file: Path, detail: str = "") -> CartoguideError:
    return incomplete_error(file, detail)

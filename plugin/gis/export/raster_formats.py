"""A page as pixels: PNG and JPEG with a world file beside them, GeoTIFF with everything inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict

from osgeo import gdal
from qgis.core import QgsLayoutExporter, QgsPrintLayout

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..layouts import layout_items
from ..runtime.gdal import quiet_gdal

_SUCCESS = QgsLayoutExporter.ExportResult.Success


def write_image(layout: QgsPrintLayout, file: Path, dpi: int) -> Any:
    """The layout as the picture that the file's ending says, with its world file; what QGIS's exporter said of it."""
    settings = QgsLayoutExporter.ImageExportSettings()
    settings.dpi = dpi
    settings.generateWorldFile = True
    settings.exportMetadata = True
    # GDAL cannot put a georeference into a finished PNG and says so on the console: the world file has it
    with quiet_gdal():
        result = QgsLayoutExporter(layout).exportToImage(str(file), settings)
    # GDAL's own notes on the picture; what they say stands in the picture and in the world file
    for note in file.parent.glob(f"{file.name}.aux.xml"):
        note.unlink()
    return result


def write_geotiff(layout: QgsPrintLayout, file: Path, dpi: int) -> Any:
    """The layout as a GeoTIFF: tiled, packed without loss, with its reference system and who is to be credited."""
    picture = file.with_suffix(".page.png")
    result = write_image(layout, picture, dpi)
    if result != _SUCCESS:
        return result
    with quiet_gdal():
        source = gdal.Open(str(picture))
        made = None if source is None else gdal.Translate(
            str(file), source, format="GTiff", outputSRS=_crs_code(layout), metadataOptions=_tiff_tags(layout, dpi),
            creationOptions=["COMPRESS=DEFLATE", "PREDICTOR=2", "TILED=YES", "BIGTIFF=IF_SAFER"])
    if made is None:
        raise CartoguideError(tr("GDAL could not write {name}.", name=file.name), gdal.GetLastErrorMsg())
    _write_other_pages(picture, file)
    corner_x, corner_y, width, height = _georeference(layout, dpi)
    made.SetGeoTransform((corner_x, width, 0.0, corner_y, 0.0, height))
    made.FlushCache()
    source = made = None
    for rest in file.parent.glob(f"{picture.stem}[._]*"):
        rest.unlink()
    return _SUCCESS


def _write_other_pages(picture: Path, file: Path) -> None:
    """The layout's other pages beside the map, without a georeference: a credit may stand there."""
    for page in sorted(picture.parent.glob(f"{picture.stem}_*{picture.suffix}")):
        target = file.with_name(f"{file.stem}{page.stem[len(picture.stem):]}{file.suffix}")
        with quiet_gdal():
            made = gdal.Translate(str(target), str(page), format="GTiff",
                                  creationOptions=["COMPRESS=DEFLATE", "PREDICTOR=2"])
        if made is None:
            raise CartoguideError(tr("GDAL could not write {name}.", name=target.name), gdal.GetLastErrorMsg())
        made = None


def _georeference(layout: QgsPrintLayout, dpi: int) -> tuple[float, float, float, float]:
    """The outer upper left corner of the page in the map's units, a pixel's width, and its height (negative)."""
    a, _b, c, _d, e, f = QgsLayoutExporter(layout).computeWorldFileParameters(dpi)
    return c, f, a, e


def _crs_code(layout: QgsPrintLayout) -> str:
    item = layout_items.main_map(layout)
    return str(item.crs().authid()) if item is not None and item.crs().authid() else ""


def _tiff_tags(layout: QgsPrintLayout, dpi: int) -> list[str]:
    about = layout.project().metadata()
    values: Dict[str, str] = {
        "TIFFTAG_DOCUMENTNAME": about.title(), "TIFFTAG_ARTIST": about.author(), "TIFFTAG_COPYRIGHT": about.abstract(),
        "TIFFTAG_SOFTWARE": "Cartoguide", "TIFFTAG_XRESOLUTION": str(dpi), "TIFFTAG_YRESOLUTION": str(dpi),
        "TIFFTAG_RESOLUTIONUNIT": "2"}
    return [f"{name}={' '.join(value.split())}" for name, value in values.items() if value]

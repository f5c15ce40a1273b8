"""Layouts to files, each format with what it can carry: text, georeference, metadata; whole and credited, or no file.

On the main thread, all of them. IncompleteMap where the map lacks a service or a credit or a service failed in every
attempt, Cancelled where ``feedback`` was cancelled, CartoguideError where the file cannot be written; then there is no
file. Of several layouts a PDF has a page each, the other formats a file each, called by ``names``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from osgeo import gdal
from qgis.core import (
    Qgis,
    QgsAbstractLayoutIterator,
    QgsFeedback,
    QgsLayout,
    QgsLayoutExporter,
    QgsLayoutRenderContext,
    QgsPrintLayout,
)

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..runtime.gdal import quiet_gdal
from . import raster_formats
from .export_transaction import ATTEMPTS, ExportedMap, ExportOptions, run_export

__all__ = [
    "ATTEMPTS", "DPI", "EXPORT_FORMATS", "ExportedMap", "ExportOptions", "export_layouts", "export_pdf", "export_png",
    "geopdf_available"
]

DPI = 300
_Layouts = Union[QgsPrintLayout, Sequence[QgsPrintLayout]]
_SUCCESS = QgsLayoutExporter.ExportResult.Success


@dataclass(frozen=True)
class ExportFormat:
    """A file format: its ending, whether its page is a whole number of pixels cut off, and what writes one layout."""

    suffix: str
    as_image: bool
    write: Callable[[QgsPrintLayout, Path, int], Any]


def export_pdf(layout: QgsPrintLayout, path: Path, dpi: int = DPI, feedback: Optional[QgsFeedback] = None,
               attempts: int = ATTEMPTS) -> ExportedMap:
    """The layout as a PDF: text as text with its fonts, the map's pictures without loss, georeferenced, with
    metadata.
    """
    return export_layouts(layout, path, "pdf", ExportOptions(dpi, attempts=attempts), feedback)


def export_png(layout: QgsPrintLayout, path: Path, dpi: int = DPI, feedback: Optional[QgsFeedback] = None,
               attempts: int = ATTEMPTS) -> ExportedMap:
    """The layout as a PNG with a world file beside it; else as ``export_pdf``."""
    return export_layouts(layout, path, "png", ExportOptions(dpi, attempts=attempts), feedback)


def export_layouts(
    layouts: _Layouts,
    path: Path,
    format_name: str,
    options: ExportOptions = ExportOptions(DPI),  # noqa: B008 - a frozen value
    feedback: Optional[QgsFeedback] = None,
    names: Sequence[str] = ()) -> ExportedMap:
    """One layout or several as ``kind``, a key of FORMATS."""
    pages = [layouts] if isinstance(layouts, QgsPrintLayout) else list(layouts)
    if format_name == "geopdf" and not geopdf_available():
        raise CartoguideError(tr("The GDAL of this QGIS cannot write GeoPDF. Export an ordinary PDF: it is "
                                 "georeferenced too."))
    chosen = EXPORT_FORMATS[format_name]
    exact = ExportOptions(options.dpi, chosen.as_image, options.attempts, options.stamp_incomplete)

    def write(some: Sequence[QgsPrintLayout], file: Path) -> Any:
        if len(some) > 1 and format_name == "pdf":
            return _write_pdf_pages(some, file, options.dpi)
        for number, layout in enumerate(some):
            name = names[number] if number < len(names) else f"{number + 1}"
            target = file if len(some) == 1 else file.with_name(f"{file.stem} {name}{file.suffix}")
            result = chosen.write(layout, target, options.dpi)
            if result != _SUCCESS:
                return result
        return _SUCCESS

    return run_export(pages, Path(path), exact, feedback, write)


def geopdf_available() -> bool:
    """Whether the GDAL that QGIS uses can write GeoPDF: it must be able to read PDF, too."""
    driver = gdal.GetDriverByName("PDF")
    return driver is not None and any(driver.GetMetadataItem(name) == "YES"
                                      for name in ("HAVE_POPPLER", "HAVE_PDFIUM", "HAVE_PODOFO"))


def _pdf_settings(dpi: int) -> QgsLayoutExporter.PdfExportSettings:
    settings = QgsLayoutExporter.PdfExportSettings()
    settings.dpi = dpi
    settings.appendGeoreference = True
    settings.exportMetadata = True
    settings.forceVectorOutput = False
    settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
    flags = QgsLayoutRenderContext.Flag
    settings.flags = settings.flags | flags.FlagLosslessImageRendering | flags.FlagAntialiasing
    return settings


def _write_pdf(layout: QgsPrintLayout, file: Path, dpi: int) -> Any:
    return QgsLayoutExporter(layout).exportToPdf(str(file), _pdf_settings(dpi))


def _write_geopdf(layout: QgsPrintLayout, file: Path, dpi: int) -> Any:
    settings = _pdf_settings(dpi)
    settings.writeGeoPdf = True
    return QgsLayoutExporter(layout).exportToPdf(str(file), settings)


def _write_pdf_pages(layouts: Sequence[QgsPrintLayout], file: Path, dpi: int) -> Any:
    result, _problem = QgsLayoutExporter.exportToPdf(LayoutPages(layouts), str(file), _pdf_settings(dpi))
    if result == _SUCCESS:
        # of several pages QGIS writes no metadata; it does so by GDAL, too
        about = layouts[0].project().metadata()
        values = {"TITLE": about.title(), "AUTHOR": about.author(), "SUBJECT": about.abstract(),
                  "KEYWORDS": ", ".join(word for words in about.keywords().values() for word in words),
                  "CREATOR": "Cartoguide"}
        with quiet_gdal():
            data = gdal.Open(str(file), gdal.GA_Update)
            for name, value in values.items() if data is not None else ():
                data.SetMetadataItem(name, value)
            data = None
    return result


def _write_svg(layout: QgsPrintLayout, file: Path, dpi: int) -> Any:
    settings = QgsLayoutExporter.SvgExportSettings()
    settings.dpi = dpi
    settings.exportMetadata = True
    settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
    return QgsLayoutExporter(layout).exportToSvg(str(file), settings)


#: how a map can be handed out, by name
EXPORT_FORMATS: Mapping[str, ExportFormat] = {
    "pdf": ExportFormat("pdf", False, _write_pdf), "geopdf": ExportFormat("pdf", False, _write_geopdf),
    "png": ExportFormat("png", True,
                        raster_formats.write_image), "jpeg": ExportFormat("jpg", True, raster_formats.write_image),
    "svg": ExportFormat("svg", True, _write_svg), "geotiff": ExportFormat("tif", True, raster_formats.write_geotiff),
}


class LayoutPages(QgsAbstractLayoutIterator):
    """Hands QgsLayoutExporter one layout after the other, each as a page of the same file."""

    def __init__(self, layouts: Sequence[QgsPrintLayout]) -> None:
        super().__init__()
        self._layouts = list(layouts)
        self._index = -1

    def layout(self) -> QgsLayout:
        """QGIS: the layout of this page."""
        return self._layouts[max(self._index, 0)]

    def beginRender(self) -> bool:  # noqa: N802
        """QGIS: from the start."""
        self._index = -1
        return True

    def endRender(self) -> bool:  # noqa: N802
        """QGIS: nothing to clean up."""
        return True

    def count(self) -> int:
        """QGIS: how many pages there are."""
        return len(self._layouts)

    def next(self) -> bool:
        """QGIS: on to the next page; whether there is one."""
        self._index += 1
        return self._index < len(self._layouts)

    def filePath(self, base_file_path: str, _extension: str) -> str:  # noqa: N802
        """QGIS: all pages are in one file."""
        return base_file_path

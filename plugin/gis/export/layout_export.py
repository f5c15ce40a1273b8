"""Export layouts to files, each format with text, georeference and metadata as far as it supports them.

Main thread only. The layouts are copied first, with their project and layers, so that nothing that happens to them
meanwhile reaches the file. Raises IncompleteMap if the map lacks a service or a credit or a service failed in every
attempt, Cancelled, and CartoguideError if the file cannot be written or a layer that could not be copied was changed.
No file is left behind then. A PDF has a page for each layout, a GIF a frame, and other formats have a file for each,
named after ``names``.
"""

from __future__ import annotations

import glob
import math
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Callable, List, Mapping, Optional, Sequence, Union

from osgeo import gdal
from qgis.core import (
    Qgis,
    QgsAbstractLayoutIterator,
    QgsFeedback,
    QgsLayout,
    QgsLayoutExporter,
    QgsLayoutItemMap,
    QgsLayoutSize,
    QgsPrintLayout,
)

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..credits.layer_metadata import is_outline
from ..layouts import layout_items
from ..runtime import compat
from . import raster_formats, svg_format
from .export_transaction import ATTEMPTS, ExportedMap, ExportOptions, run_export
from .page_proof import PageKind, WrittenPages, unproven_credits
from .publication import Publication
from .sealed_layouts import ExportFeedback, sealed

__all__ = [
    "ATTEMPTS", "DPI", "EXPORT_FORMATS", "ExportFormat", "ExportedMap", "ExportOptions", "export_layouts", "export_pdf",
    "export_png", "geopdf_available"
]

DPI = 300
#: name of a grid of the bundled templates that draws nothing
_FLATTENING_GRID = "flatten"
_Layouts = Union[QgsPrintLayout, Sequence[QgsPrintLayout]]
_MM_PER_POINT = 25.4 / 72
#: points by which a side is shorter than a whole number of them, so that no error in the last figure makes it longer
_LESS = 0.01
#: points of a page that may stay white at its edge, and by how much the resolution is raised at most for that
_LOST, _MORE_DPI = 0.12, 36
_SUCCESS = QgsLayoutExporter.ExportResult.Success


class ExportFormat(str, Enum):
    PDF = "pdf"
    GEOPDF = "geopdf"
    PNG = "png"
    JPEG = "jpeg"
    SVG = "svg"
    GEOTIFF = "geotiff"
    GIF = "gif"


@dataclass(frozen=True)
class FormatWriter:
    """Writer of a format: its suffix, the function that writes one layout, and whether its page has whole pixels.

    ``page_kind`` says how a written page is read back. ``dpi`` is a resolution that cannot be chosen.
    """

    suffix: str
    as_image: bool
    write: Callable[[QgsPrintLayout, Path, int], Any]
    page_kind: PageKind = PageKind.RASTER
    dpi: Optional[int] = None


def export_pdf(layout: QgsPrintLayout, path: Path, dpi: int = DPI, feedback: Optional[QgsFeedback] = None,
               attempts: int = ATTEMPTS) -> ExportedMap:
    """Export the layout as a PDF: text as text with its fonts, lossless map images, georeference and metadata."""
    return export_layouts(layout, path, ExportFormat.PDF, ExportOptions(dpi, attempts=attempts), feedback)


def export_png(layout: QgsPrintLayout, path: Path, dpi: int = DPI, feedback: Optional[QgsFeedback] = None,
               attempts: int = ATTEMPTS) -> ExportedMap:
    """Export the layout as a PNG with a world file, otherwise as ``export_pdf``."""
    return export_layouts(layout, path, ExportFormat.PNG, ExportOptions(dpi, attempts=attempts), feedback)


def export_layouts(
    layouts: _Layouts,
    path: Path,
    export_format: ExportFormat,
    options: ExportOptions = ExportOptions(DPI),  # noqa: B008 - a frozen value
    feedback: Optional[QgsFeedback] = None,
    names: Sequence[str] = ()) -> ExportedMap:
    """Export one layout or several in ``export_format``. Raises as the module describes."""
    pages = [layouts] if isinstance(layouts, QgsPrintLayout) else list(layouts)
    if export_format == ExportFormat.GEOPDF and not geopdf_available():
        raise CartoguideError(tr("The GDAL of this QGIS cannot write GeoPDF. Export an ordinary PDF: it is "
                                 "georeferenced too."))
    writer = EXPORT_FORMATS[export_format]
    dpi = writer.dpi or options.dpi
    if export_format == ExportFormat.GEOPDF:
        dpi = _full_resolution(pages, dpi)
    run_options = replace(options, dpi=dpi, as_image=writer.as_image)

    as_one_file = len(pages) == 1 or export_format in (ExportFormat.PDF, ExportFormat.GIF)

    def file_of(file: Path, number: int) -> Path:
        name = names[number] if number < len(names) else f"{number + 1}"
        return file if as_one_file else file.with_name(f"{file.stem} {name}{file.suffix}")

    def write_files(some_layouts: Sequence[QgsPrintLayout], file: Path) -> Any:
        if len(some_layouts) > 1 and export_format == ExportFormat.PDF:
            return _write_pdf_pages(some_layouts, file, dpi, work.feedback)
        for number, layout in enumerate(some_layouts):
            work.feedback.begin_page(number + 1, len(some_layouts))
            result = writer.write(layout, file_of(file, number), dpi)
            if result != _SUCCESS:
                return result
        return _SUCCESS

    with sealed(pages, feedback) as work:
        if export_format == ExportFormat.GEOPDF:
            # before the images are planned, whose size depends on how a map is drawn
            for layout in work.layouts:
                _draw_by_layer(layout)
                _end_at_whole_points(layout)

        def write(some_layouts: Sequence[QgsPrintLayout], file: Path) -> Any:
            result = (raster_formats.write_animation(some_layouts, file, dpi, options.frame_seconds, work.feedback)
                      if export_format == ExportFormat.GIF else write_files(some_layouts, file))
            work.check_unchanged()
            return result

        publications = [Publication(work.layouts, path, options.document)] if as_one_file else [
            Publication([layout], file_of(Path(path), number), options.document)
            for number, layout in enumerate(work.layouts)]

        def describe(file: Path, requests: Mapping[str, int]) -> None:
            for number, publication in enumerate(publications):
                first = file_of(file, number)
                for page in (first, *first.parent.glob(f"{glob.escape(first.stem)}_*{first.suffix}")):
                    publication.describe(page, requests)

        def prove(file: Path) -> List[str]:
            unproven = unproven_credits(work.layouts, WrittenPages(
                writer.page_kind, lambda layout, model: writer.write(layout, model, dpi),
                lambda number: file_of(file, number), dpi), work.feedback)
            work.check_unchanged()
            return unproven

        return run_export(work.layouts, Path(path), run_options, work.feedback, write, describe, prove)


def geopdf_available() -> bool:
    """Return whether QGIS's GDAL can write GeoPDF, for which it must be able to read PDF."""
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
    settings.flags = compat.with_lossless_images(settings.flags)
    return settings


def _write_pdf(layout: QgsPrintLayout, file: Path, dpi: int) -> Any:
    return QgsLayoutExporter(layout).exportToPdf(str(file), _pdf_settings(dpi))


def _write_geopdf(layout: QgsPrintLayout, file: Path, dpi: int) -> Any:
    settings = _pdf_settings(dpi)
    settings.writeGeoPdf = True
    for layer in layout.project().mapLayers().values():
        if is_outline(layer):
            # QGIS would write their features
            layer.setCustomProperty("geopdf/includeFeatures", False)
    return QgsLayoutExporter(layout).exportToPdf(str(file), settings)


def _draw_by_layer(layout: QgsPrintLayout) -> None:
    """Let the maps of a sealed copy be drawn one layer after the other, for a file that has each by itself.

    The bundled templates make one picture of a map by a grid that is mixed with it.
    """
    for item in layout_items.items_of_type(layout, QgsLayoutItemMap):
        for grid in map(item.grids().grid, range(item.grids().size())):
            if grid.name() == _FLATTENING_GRID:
                grid.setEnabled(False)


def _full_resolution(layouts: Sequence[QgsPrintLayout], dpi: int) -> int:
    """Return the resolution from ``dpi`` on at which a GeoPDF fills its pages.

    Qt cuts a page to whole pixels, and QGIS reduces all to those of its height. What is left of the page's whole points
    would be a white line at its right and lower edge.
    """
    sides = [round(side / _MM_PER_POINT) for layout in layouts for page in layout.pageCollection().pages()
             for side in (page.rect().width(), page.rect().height())]

    def lost(resolution: int) -> float:
        """Return the points of the longest side that stay white."""
        return float(max(1 - round(side * resolution / 72) / (side * resolution / 72) for side in sides) * max(sides))

    return next((one for one in range(dpi, dpi + _MORE_DPI) if lost(one) <= _LOST), dpi)


def _end_at_whole_points(layout: QgsPrintLayout) -> None:
    """Take up to half a point off the pages of a sealed copy that QGIS rounds off and GDAL rounds up.

    The difference would be a white line at an edge of the page.
    """
    for page in layout.pageCollection().pages():
        points = [side / _MM_PER_POINT for side in (page.rect().width(), page.rect().height())]
        width, height = (_MM_PER_POINT * (round(side) - _LESS) if math.ceil(side) > round(side) else
                         _MM_PER_POINT * side for side in points)
        page.attemptResize(QgsLayoutSize(width, height))
    layout.pageCollection().reflow()


def _write_pdf_pages(layouts: Sequence[QgsPrintLayout], file: Path, dpi: int, feedback: ExportFeedback) -> Any:
    result, _problem = QgsLayoutExporter.exportToPdf(LayoutPages(layouts, feedback), str(file), _pdf_settings(dpi))
    return result


EXPORT_FORMATS: Mapping[ExportFormat, FormatWriter] = {
    ExportFormat.PDF: FormatWriter("pdf", False, _write_pdf, PageKind.PDF),
    ExportFormat.GEOPDF: FormatWriter("pdf", False, _write_geopdf, PageKind.PDF),
    ExportFormat.PNG: FormatWriter("png", True, raster_formats.write_image),
    ExportFormat.JPEG: FormatWriter("jpg", True, raster_formats.write_image),
    ExportFormat.SVG: FormatWriter("svg", True, svg_format.write_svg, PageKind.SVG),
    ExportFormat.GEOTIFF: FormatWriter("tif", True, raster_formats.write_geotiff),
    ExportFormat.GIF: FormatWriter("gif", True, raster_formats.write_image, PageKind.ANIMATION,
                                   raster_formats.FRAME_DPI),
}


class LayoutPages(QgsAbstractLayoutIterator):
    """Gives QgsLayoutExporter one layout after the other, each as a page of the same file."""

    def __init__(self, layouts: Sequence[QgsPrintLayout], feedback: ExportFeedback) -> None:
        super().__init__()
        self._layouts, self._feedback = list(layouts), feedback
        self._index = -1

    def layout(self) -> QgsLayout:
        return self._layouts[max(self._index, 0)]

    def beginRender(self) -> bool:  # noqa: N802
        """Start from the beginning (QGIS)."""
        self._index = -1
        return True

    def endRender(self) -> bool:  # noqa: N802
        """Return True, since nothing needs cleaning up (QGIS)."""
        return True

    def count(self) -> int:
        return len(self._layouts)

    def next(self) -> bool:
        """Go to the next page and return whether it exists (QGIS)."""
        self._index += 1
        if self._index < len(self._layouts):
            self._feedback.begin_page(self._index + 1, len(self._layouts))
        return self._index < len(self._layouts)

    def filePath(self, base_file_path: str, _extension: str) -> str:  # noqa: N802
        return base_file_path

"""Proof of written pages: every credit that their layers owe can be read in the files themselves.

A page counts by what its file shows, not by the layout that it was drawn from.
"""

from __future__ import annotations

import importlib
import shutil
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from osgeo import gdal
from qgis.core import QgsPrintLayout
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QColor, QImage, QImageReader, QPainter

from ...core.i18n import tr
from ..layouts.credit_legibility import (
    AreaReader,
    CreditLabel,
    copy_reader,
    model_layout,
    pixel_window,
    render_area,
    rgb_pixels,
    unreadable_credits,
)
from ..pages.completeness_checks import printed_credits
from ..runtime.gdal import quiet_gdal
from .sealed_layouts import ExportFeedback

if TYPE_CHECKING:
    from ..layouts.credit_legibility import Pixels


class PageKind(str, Enum):
    """Kinds of written pages, each read back in its own way."""

    RASTER = "raster"
    SVG = "svg"
    PDF = "pdf"
    ANIMATION = "animation"


@dataclass(frozen=True)
class WrittenPages:
    """The files of an export and how to read them.

    ``write`` writes one layout to a file as the export did, at ``dpi``. ``file_of`` returns the
    file of a layout by its number. In a PDF the pages of all layouts follow one another, and
    each is a frame of an animation.
    """

    kind: PageKind
    write: Callable[[QgsPrintLayout, Path], Any]
    file_of: Callable[[int], Path]
    dpi: float


def unproven_credits(layouts: Sequence[QgsPrintLayout], written: WrittenPages, feedback: ExportFeedback) -> List[str]:
    """Return a text for each credit that cannot be read in the written pages. Main thread only."""
    problems: List[str] = []
    first_page = 1
    frames = _frames(written)
    if frames is not None and frames.count() != len(layouts):
        problems.append(tr("The animation has {count} of {expected} frames.", count=frames.count(),
                           expected=len(layouts)))
    for number, layout in enumerate(layouts):
        feedback.begin_proof(number + 1, len(layouts))
        owed = printed_credits(layout)

        def read(labels: Sequence[CreditLabel], number: int = number, layout: QgsPrintLayout = layout,
                 first_page: int = first_page) -> AreaReader:
            if frames is not None:
                return _frame_reader(layout, _models(layout, labels), written, frames, number)
            return _reader(layout, labels, written, written.file_of(number), first_page)

        found = unreadable_credits(layout, owed, read)
        if len(layouts) > 1:
            found = [tr("Page {page}: {problem}", page=number + 1, problem=problem) for problem in found]
        problems += found
        first_page += sum(layout.pageCollection().shouldExportPage(page)
                          for page in range(layout.pageCollection().pageCount()))
    return list(dict.fromkeys(problems))


def _reader(layout: QgsPrintLayout, labels: Sequence[CreditLabel], written: WrittenPages, file: Path,
            first_page: int) -> AreaReader:
    models = _models(layout, labels)
    if written.kind is PageKind.RASTER:
        return _raster_reader(layout, models, file, written.dpi)
    readable = {PageKind.PDF: pdf_readable, PageKind.SVG: svg_readable,
                PageKind.ANIMATION: gif_readable}[written.kind]
    if not readable():
        # the next best proof: the layout as QGIS draws it
        return copy_reader(layout)(labels)
    return _vector_reader(layout, models, written, file, first_page)


def _models(layout: QgsPrintLayout, labels: Sequence[CreditLabel]) -> Dict[int, QgsPrintLayout]:
    """Return the models of the pages with ``labels``, by the number of the page."""
    pages = sorted({entry.page for entry in labels})
    return {page: model_layout(layout, page, [entry for entry in labels if entry.page == page]) for page in pages}


def _frames(written: WrittenPages) -> Optional[AnimationFrames]:
    """Return the frames of an animation, or None for another kind of pages and where Qt cannot read GIF."""
    if written.kind is not PageKind.ANIMATION or not gif_readable():
        return None
    return AnimationFrames(written.file_of(0))


def _frame_reader(layout: QgsPrintLayout, models: Mapping[int, QgsPrintLayout], written: WrittenPages,
                  frames: AnimationFrames, number: int) -> AreaReader:
    """Return the reader of a frame, which shows a layout's first page only."""
    def area_of(entry: CreditLabel) -> Tuple[Pixels, Pixels]:
        image = frames.image(number) if entry.page == 0 else None
        if image is None:
            return _nothing()
        scale = _scale(layout, 0, (image.width(), image.height()))
        window = pixel_window(entry.area, scale, (image.width(), image.height()))
        return rgb_pixels(image.copy(*window)), render_area(models[0], 0, window, scale, written.dpi)

    return area_of


def _raster_reader(layout: QgsPrintLayout, models: Mapping[int, QgsPrintLayout], file: Path, dpi: float) -> AreaReader:
    def area_of(entry: CreditLabel) -> Tuple[Pixels, Pixels]:
        path = _file_of_page(file, entry.page)
        size = raster_size(path)
        scale = _scale(layout, entry.page, size)
        window = pixel_window(entry.area, scale, size)
        pixels = read_raster_area(path, window) if all(size) else None
        return _nothing() if pixels is None else (pixels, render_area(models[entry.page], 0, window, scale, dpi))

    return area_of


def _scale(layout: QgsPrintLayout, page: int, size: Tuple[int, int]) -> float:
    """Return pixels for each millimetre: QGIS fits a page into whole pixels and keeps its proportions."""
    sheet = layout.pageCollection().page(page).rect()
    return float(min(size[0] / sheet.width(), size[1] / sheet.height()))


def _vector_reader(layout: QgsPrintLayout, models: Mapping[int, QgsPrintLayout], written: WrittenPages, file: Path,
                   first_page: int) -> AreaReader:
    """Return the reader of a PDF or SVG, whose models are written and read in the same way."""
    def area_of(entry: CreditLabel) -> Tuple[Pixels, Pixels]:
        width = layout.pageCollection().page(entry.page).rect().width()
        # not beside the export's own files, which are moved to the target with all of their folder
        folder = file.parent / "proof"
        folder.mkdir(exist_ok=True)
        model_file = folder / f"model{file.suffix}"
        try:
            written.write(models[entry.page], model_file)
            if written.kind is PageKind.PDF:
                pages = [page for page in range(layout.pageCollection().pageCount())
                         if layout.pageCollection().shouldExportPage(page)]
                pixels = read_pdf_area(file, first_page + pages.index(entry.page), entry.area, width)
                model = read_pdf_area(model_file, 1, entry.area, width)
            else:
                pixels = read_svg_area(_file_of_page(file, entry.page), entry.area, width)
                model = read_svg_area(model_file, entry.area, width)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return _nothing() if pixels is None or model is None else (pixels, model)

    return area_of


def _file_of_page(file: Path, page: int) -> Path:
    """Return the file of one page of a layout: QGIS numbers the second and later ones."""
    return file if page == 0 else file.with_name(f"{file.stem}_{page + 1}{file.suffix}")


def _nothing() -> Tuple[Pixels, Pixels]:
    """Return pixels that show no text, for a page that cannot be read."""
    import numpy

    blank = numpy.full((8, 8, 3), 255, numpy.uint8)
    ink = blank.copy()
    ink[2:6, 2:6] = 0
    return blank, ink


# -- pixels of an area of a written file: GDAL reads PDF and rasters, Qt draws SVG and reads GIF

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

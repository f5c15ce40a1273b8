"""Proof of written pages: every credit that their layers owe can be read in the files themselves.

A page counts by what its file shows, not by the layout that it was drawn from.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from qgis.core import QgsPrintLayout

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
from . import written_page

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


def unproven_credits(layouts: Sequence[QgsPrintLayout], written: WrittenPages) -> List[str]:
    """Return a text for each credit that cannot be read in the written pages. Main thread only."""
    problems: List[str] = []
    first_page = 1
    frames = _frames(written)
    if frames is not None and frames.count() != len(layouts):
        problems.append(tr("The animation has {count} of {expected} frames.", count=frames.count(),
                           expected=len(layouts)))
    for number, layout in enumerate(layouts):
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
    readable = {PageKind.PDF: written_page.pdf_readable, PageKind.SVG: written_page.svg_readable,
                PageKind.ANIMATION: written_page.gif_readable}[written.kind]
    if not readable():
        # the next best proof: the layout as QGIS draws it
        return copy_reader(layout)(labels)
    return _vector_reader(layout, models, written, file, first_page)


def _models(layout: QgsPrintLayout, labels: Sequence[CreditLabel]) -> Dict[int, QgsPrintLayout]:
    """Return the models of the pages with ``labels``, by the number of the page."""
    pages = sorted({entry.page for entry in labels})
    return {page: model_layout(layout, page, [entry for entry in labels if entry.page == page]) for page in pages}


def _frames(written: WrittenPages) -> Optional[written_page.AnimationFrames]:
    """Return the frames of an animation, or None for another kind of pages and where Qt cannot read GIF."""
    if written.kind is not PageKind.ANIMATION or not written_page.gif_readable():
        return None
    return written_page.AnimationFrames(written.file_of(0))


def _frame_reader(layout: QgsPrintLayout, models: Mapping[int, QgsPrintLayout], written: WrittenPages,
                  frames: written_page.AnimationFrames, number: int) -> AreaReader:
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
        path = _file_of_page(layout, file, entry.page)
        size = written_page.raster_size(path)
        scale = _scale(layout, entry.page, size)
        window = pixel_window(entry.area, scale, size)
        pixels = written_page.read_raster_area(path, window) if all(size) else None
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
                pixels = written_page.read_pdf_area(file, first_page + pages.index(entry.page), entry.area, width)
                model = written_page.read_pdf_area(model_file, 1, entry.area, width)
            else:
                pixels = written_page.read_svg_area(_file_of_page(layout, file, entry.page), entry.area, width)
                model = written_page.read_svg_area(model_file, entry.area, width)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return _nothing() if pixels is None or model is None else (pixels, model)

    return area_of


def _file_of_page(layout: QgsPrintLayout, file: Path, page: int) -> Path:
    """Return the file of one page of a layout: QGIS numbers the second and later ones."""
    return file if page == 0 else file.with_name(f"{file.stem}_{page + 1}{file.suffix}")


def _nothing() -> Tuple[Pixels, Pixels]:
    """Return pixels that show no text, for a page that cannot be read."""
    import numpy

    blank = numpy.full((8, 8, 3), 255, numpy.uint8)
    ink = blank.copy()
    ink[2:6, 2:6] = 0
    return blank, ink

"""Exporting a layout so that what is called finished is: complete, credited, whole; otherwise no file and a clear
error.

QgsLayoutExporter draws on the main thread. WMS layers wait for their pictures in nested event loops, so the window
repaints and a cancel gets through, but the person could also change the project meanwhile: callers keep a modal
progress dialog up.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional, Sequence

from osgeo import gdal
from qgis.core import (
    Qgis,
    QgsAbstractMetadataBase,
    QgsFeedback,
    QgsLayoutExporter,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutRenderContext,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
)

from ..core.errors import CartoguideError
from ..core.i18n import tr
from . import layout_items as ids
from .credits import credits_of, layers_of_map, visible_layers
from .legend_nodes import restore_swatches
from .map_checks import IncompleteMap, check
from .network import Cancelled
from .watch import RequestWatch, summary

DPI = 300
#: how often the map is drawn before a failing service is given up
ATTEMPTS = 3
_PAUSE = 400


@dataclass(frozen=True)
class Exported:
    """A finished export: the files written (the map first), seconds taken, map requests answered, times drawn."""

    files: Sequence[Path]
    seconds: float
    requests: int
    attempts: int


_Write = Callable[[QgsLayoutExporter, Path], Any]


def export_pdf(layout: QgsPrintLayout, path: Path, dpi: int = DPI, feedback: Optional[QgsFeedback] = None,
               attempts: int = ATTEMPTS) -> Exported:
    """The layout as a PDF: text as text with its fonts, the map's pictures without loss, georeferenced, with
    metadata.

    On the main thread. IncompleteMap where the map lacks a service or a credit or a service failed in every attempt,
    Cancelled where ``feedback`` was cancelled, CartoguideError where the file cannot be written; then there is no
    file.
    """
    settings = QgsLayoutExporter.PdfExportSettings()
    settings.dpi = dpi
    settings.appendGeoreference = True
    settings.exportMetadata = True
    settings.forceVectorOutput = False
    settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
    flags = QgsLayoutRenderContext.Flag
    settings.flags = settings.flags | flags.FlagLosslessImageRendering | flags.FlagAntialiasing
    return _export(layout, Path(path), dpi, feedback, attempts,
                   lambda exporter, file: exporter.exportToPdf(str(file), settings))


def export_png(layout: QgsPrintLayout, path: Path, dpi: int = DPI, feedback: Optional[QgsFeedback] = None,
               attempts: int = ATTEMPTS) -> Exported:
    """The layout as a PNG with a world file beside it; else as ``export_pdf``."""
    settings = QgsLayoutExporter.ImageExportSettings()
    settings.dpi = dpi
    settings.generateWorldFile = True
    settings.exportMetadata = True

    def write(exporter: QgsLayoutExporter, file: Path) -> Any:
        # GDAL cannot put a georeference into a finished PNG and says so on the console: the world file has it
        gdal.PushErrorHandler("CPLQuietErrorHandler")
        try:
            return exporter.exportToImage(str(file), settings)
        finally:
            gdal.PopErrorHandler()

    return _export(layout, Path(path), dpi, feedback, attempts, write)


def _export(layout: QgsPrintLayout, path: Path, dpi: int, feedback: Optional[QgsFeedback], attempts: int,
            write: _Write) -> Exported:
    started = time.monotonic()
    restore_swatches(layout.project().mapLayers().values())
    check(layout)
    item = ids.find(layout, ids.MAP, QgsLayoutItemMap)
    layers = visible_layers(layers_of_map(item), item.scale()) if item is not None else []
    try:
        folder = Path(tempfile.mkdtemp(prefix=".cartoguide-", dir=path.parent))
    except OSError as error:
        raise CartoguideError(tr("There is no writing to the folder {folder}.", folder=str(path.parent)),
                              str(error)) from error
    try:
        with _metadata(layout, layers), RequestWatch(layers, dpi, _progress(feedback, len(layers))) as watch:
            drawn = _draw(layout, folder / path.name, watch, feedback, attempts, write)
            if watch.failures:
                raise IncompleteMap(summary(watch.failures).split("\n"), _detail(watch))
        files = _move(folder, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Exported(files, time.monotonic() - started, watch.answered, drawn)


def _draw(layout: QgsPrintLayout, file: Path, watch: RequestWatch, feedback: Optional[QgsFeedback], attempts: int,
          write: _Write) -> int:
    """Draw until every request of the map succeeded, at most ``attempts`` times; gives how often it was drawn."""
    if feedback is not None:
        feedback.canceled.connect(watch.cancel_requests)
    try:
        for attempt in range(1, max(1, attempts) + 1):
            if feedback is not None and feedback.isCanceled():
                raise Cancelled
            result = write(QgsLayoutExporter(layout), file)
            watch.settle()
            if feedback is not None and feedback.isCanceled():
                raise Cancelled
            if result != QgsLayoutExporter.ExportResult.Success:
                raise _not_written(result, file)
            if not watch.failures:
                return attempt
            if attempt < attempts:
                watch.settle(_PAUSE * attempt)
        return attempts
    finally:
        if feedback is not None:
            feedback.canceled.disconnect(watch.cancel_requests)


def _move(folder: Path, path: Path) -> List[Path]:
    """Put the finished files in their place: the map last, so that it is there only when all is."""
    made = sorted(folder.iterdir(), key=lambda file: file.name == path.name)
    if not made or made[-1].name != path.name or not made[-1].stat().st_size:
        raise CartoguideError(tr("QGIS wrote no file {name}.", name=path.name))
    try:
        for file in made:
            os.replace(file, path.parent / file.name)
    except OSError as error:
        raise CartoguideError(tr("The file {name} could not be written. Is it open in another program?",
                                 name=path.name), str(error)) from error
    return [path.parent / file.name for file in reversed(made)]


def _not_written(result: Any, file: Path) -> CartoguideError:
    results = QgsLayoutExporter.ExportResult
    if result == results.MemoryError:
        return CartoguideError(tr("There is not enough memory for a map of this size. Choose a lower resolution or a "
                                  "smaller paper."))
    if result == results.Canceled:
        return Cancelled()
    return CartoguideError(tr("QGIS could not write {name}.", name=file.name), f"QgsLayoutExporter: {result}")


def _progress(feedback: Optional[QgsFeedback], layers: int) -> Callable[[int], None]:
    """Tell how many of the layers' pictures are there; one for each layer is what a page of usual size takes."""
    def tell(answered: int) -> None:
        if feedback is not None:
            feedback.setProgress(min(99.0, 100.0 * answered / max(layers, 1)))
    return tell


def _detail(watch: RequestWatch) -> str:
    return "\n\n".join([failure.detail for failure in watch.failures] + [watch.messages]).strip()


@contextmanager
def _metadata(layout: QgsPrintLayout, layers: Sequence[QgsMapLayer]) -> Iterator[None]:
    """Let the project describe this map of ``layers`` while it is exported: the exporter takes title, authors and
    keywords from there.
    """
    project: QgsProject = layout.project()
    own, dirty = project.metadata(), project.isDirty()
    changed = project.metadata()
    label = ids.find(layout, ids.TITLE, QgsLayoutItemLabel)
    changed.setTitle(label.currentText() if label is not None else layout.name())
    changed.setAuthor("; ".join(_authors(layers)) or own.author())
    changed.setAbstract("; ".join([*credits_of(layers), *_licences(layers)]))
    changed.setKeywords({tr("keywords"): list(dict.fromkeys(
        word for layer in layers for words in layer.metadata().keywords().values() for word in words))})
    project.setMetadata(changed)
    try:
        yield
    finally:
        project.setMetadata(own)
        project.setDirty(dirty)


def _authors(layers: Sequence[QgsMapLayer]) -> List[str]:
    """The organisations behind the layers, each once."""
    contacts: List[QgsAbstractMetadataBase.Contact] = [
        contact for layer in layers for contact in layer.metadata().contacts()]
    return list(dict.fromkeys(contact.organization or contact.name for contact in contacts
                              if contact.organization or contact.name))


def _licences(layers: Sequence[QgsMapLayer]) -> List[str]:
    return list(dict.fromkeys(licence for layer in layers for licence in layer.metadata().licenses()))

"""One export from its checks to its files: fetched, drawn, watched, and moved into place whole or not at all.

QgsLayoutExporter draws on the main thread. WMS layers wait for their pictures in nested event loops, so the window
repaints and a cancel gets through, but the person could also change the project meanwhile: callers keep a modal
progress dialog up.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsAbstractMetadataBase,
    QgsFeedback,
    QgsLayoutExporter,
    QgsLayoutItemLabel,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
)

from ...core.custommap.preflight import MapFinding, empty_image_findings
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.output_validation import is_complete_file
from ..credits.credit_lines import credits_of_layers, layers_of_maps, visible_layers
from ..layers.snapshot_switch import sharp_rendering
from ..layouts import layout_items
from ..layouts.completeness_checks import IncompleteMap, check_complete
from ..layouts.incomplete_stamp import stamped_incomplete
from ..legends.legend_nodes import restore_swatches
from . import prefetch
from .request_monitor import RequestFailure, RequestMonitor, summarise_failures

#: how often the map is drawn, and a picture asked for, before a failing service is given up
ATTEMPTS = 3
_RETRY_PAUSE_MS = 400
#: how much of the progress is the pictures' fetching
_FETCH_PERCENT = 80.0

#: draws the layouts into the file, or into files called after it; what QgsLayoutExporter said of it
LayoutWriter = Callable[[Sequence[QgsPrintLayout], Path], Any]


@dataclass(frozen=True)
class ExportedMap:
    """A finished export: the files written (the map first), seconds taken, map requests answered, times drawn.

    ``problems`` is what is missing from a map that was exported all the same, because it was asked for; it is stamped.
    ``remarks`` are services and layers that came as they should, and empty.
    """

    files: Sequence[Path]
    seconds: float
    request_count: int
    attempts: int
    problems: Sequence[str] = ()
    remarks: Tuple[MapFinding, ...] = ()


@dataclass(frozen=True)
class ExportOptions:
    """What is to be exported: resolution, whether the format is one of pixels, how often to try, stamped or not.

    ``stamp``: a map that is not complete is exported all the same, with words across it that say so.
    """

    dpi: int
    as_image: bool = False
    attempts: int = ATTEMPTS
    stamp_incomplete: bool = False


@dataclass(frozen=True)
class _DrawResult:
    """A drawing: what QGIS said of it, and how many pictures it is made of (0: not known)."""

    export_result: Any
    image_count: int = 0


def run_export(layouts: Sequence[QgsPrintLayout], path: Path, options: ExportOptions, feedback: Optional[QgsFeedback],
               write: LayoutWriter) -> ExportedMap:
    """Export ``layouts`` with ``write``, on the main thread; nothing is at ``path`` unless all of it is whole.

    IncompleteMap where a map lacks a service or a credit or a service failed in every attempt, Cancelled where
    ``feedback`` was cancelled, CartoguideError where a file cannot be written.
    """
    started = time.monotonic()
    restore_swatches(layouts[0].project().mapLayers().values())
    problems = _check_layouts(layouts, options)
    layers = _drawn_layers(layouts)
    folder = working_folder(path.parent)
    try:
        pictures = sum(len(_drawn_layers([layout])) for layout in layouts)
        with temporary_project_metadata(layouts[0], layers), sharp_rendering(layers), \
                RequestMonitor(layers, options.dpi, _progress_reporter(feedback, pictures)) as watch:
            tries, failures, first, remarks = _prefetch_and_draw(layouts, folder / path.name, options, feedback, write)
            if failures and not options.stamp_incomplete:
                raise _incomplete_error(failures)
            attempts = 1 if options.stamp_incomplete else options.attempts
            drawn = _draw(layouts, folder / path.name, watch, feedback, attempts, write, first)
            if watch.failures and not options.stamp_incomplete:
                raise _incomplete_error(watch.failures, watch.messages)
            problems += [line for line in summarise_failures(watch.failures).split("\n") if line]
            if problems:
                _draw_stamped(layouts, folder / path.name, problems, write)
        files = move_finished_files(folder, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return ExportedMap(files,
                       time.monotonic() - started, watch.answered_count, max(tries, drawn), tuple(problems), remarks)


def working_folder(parent: Path) -> Path:
    """A hidden folder beside the target, so that finished files are moved within one disk."""
    try:
        return Path(tempfile.mkdtemp(prefix=".cartoguide-", dir=parent))
    except OSError as error:
        raise CartoguideError(tr("There is no writing to the folder {folder}.", folder=str(parent)),
                              str(error)) from error


def move_finished_files(folder: Path, path: Path) -> List[Path]:
    """Put the finished files in their place: the map last, so that it is there only when all is."""
    made = sorted(sorted(folder.iterdir(), reverse=True),
                  key=lambda file: (file.suffix == path.suffix, file.name == path.name))
    if not made or made[-1].suffix != path.suffix:
        raise CartoguideError(tr("QGIS wrote no file {name}.", name=path.name))
    if not all(map(is_complete_file, made)):
        raise CartoguideError(tr("The file {name} could not be written to its end. Is there room left on the disk?",
                                 name=path.name))
    try:
        for file in made:
            os.replace(file, path.parent / file.name)
    except OSError as error:
        raise CartoguideError(tr("The file {name} could not be written. Is it open in another program?",
                                 name=path.name), str(error)) from error
    return [path.parent / file.name for file in reversed(made)]


def _check_layouts(layouts: Sequence[QgsPrintLayout], options: ExportOptions) -> List[str]:
    """What is missing before anything is drawn: raised, or given where a stamped map was asked for."""
    problems: List[str] = []
    for layout in layouts:
        try:
            check_complete(layout)
        except IncompleteMap as error:
            if not options.stamp_incomplete:
                raise
            problems.extend(error.problems)
    return list(dict.fromkeys(problems))


def _prefetch_and_draw(
        layouts: Sequence[QgsPrintLayout], file: Path, options: ExportOptions, feedback: Optional[QgsFeedback],
        write: LayoutWriter) -> Tuple[int, List[RequestFailure], Optional[_DrawResult], Tuple[MapFinding, ...]]:
    """Fetch every picture of the layouts' maps and draw meanwhile; fetch those that failed again.

    How often was tried, what failed in the end for sure (of a layer with headers of its own only the drawing can
    tell), the drawing (None where it had to do without a picture), and what came empty.
    """
    results: List[Any] = []
    pictures, whole = prefetch.fetch_and_draw(layouts, options.dpi, options.as_image,
                                              lambda: results.append(write(layouts, file)), feedback, _FETCH_PERCENT)
    failed = [picture for picture in pictures if picture.error is not None]
    tried = 1
    while failed and tried < options.attempts:
        prefetch.wait_or_cancel(_RETRY_PAUSE_MS * tried, feedback)
        tried += 1
        failed = [
            picture for picture in prefetch.fetch_and_wait([picture.request for picture in failed], feedback)
            if picture.error is not None
        ]
    return tried, [RequestFailure(picture.request.layer, picture.error.user_text,
                           f"{picture.request.url}\n{picture.error.detail}")
                   for picture in failed if picture.error is not None and picture.request.layer.has_plain_requests], \
        _DrawResult(results[0], len(pictures)) if whole else None, \
        empty_image_findings([picture.to_trial_request() for picture in pictures])


def _draw(layouts: Sequence[QgsPrintLayout], file: Path, watch: RequestMonitor, feedback: Optional[QgsFeedback],
          attempts: int, write: LayoutWriter, first: Optional[_DrawResult]) -> int:
    """Draw until every request of the map succeeded, at most ``attempts`` times; gives how often it was drawn.

    ``first`` is a drawing that is there already.
    """
    if feedback is not None:
        feedback.canceled.connect(watch.cancel_requests)
    try:
        for attempt in range(1, max(1, attempts) + 1):
            if feedback is not None and feedback.isCanceled():
                raise Cancelled
            drawn, first = first or _DrawResult(write(layouts, file)), None
            watch.wait_for_replies(expected=drawn.image_count)
            if feedback is not None and feedback.isCanceled():
                raise Cancelled
            if drawn.export_result != QgsLayoutExporter.ExportResult.Success:
                raise _write_error(drawn.export_result, file)
            if not watch.failures:
                return attempt
            if attempt < attempts:
                watch.wait_for_replies(_RETRY_PAUSE_MS * attempt)
        return attempts
    finally:
        if feedback is not None:
            feedback.canceled.disconnect(watch.cancel_requests)


def _draw_stamped(layouts: Sequence[QgsPrintLayout], file: Path, problems: Sequence[str], write: LayoutWriter) -> None:
    with ExitStack() as stamps:
        for layout in layouts:
            stamps.enter_context(stamped_incomplete(layout, problems))
        result = write(layouts, file)
    if result != QgsLayoutExporter.ExportResult.Success:
        raise _write_error(result, file)


def _incomplete_error(failures: Sequence[RequestFailure], messages: str = "") -> IncompleteMap:
    detail = "\n\n".join([failure.detail for failure in failures] + [messages]).strip()
    return IncompleteMap(summarise_failures(failures).split("\n"), detail)


def _write_error(result: Any, file: Path) -> CartoguideError:
    results = QgsLayoutExporter.ExportResult
    if result == results.MemoryError:
        return CartoguideError(tr("There is not enough memory for a map of this size. Choose a lower resolution or a "
                                  "smaller paper."))
    if result == results.Canceled:
        return Cancelled()
    return CartoguideError(tr("QGIS could not write {name}.", name=file.name), f"QgsLayoutExporter: {result}")


def _progress_reporter(feedback: Optional[QgsFeedback], layers: int) -> Callable[[int], None]:
    """Tell how many of the layers' pictures are drawn; one for each layer is what a page of usual size takes."""
    def tell(answered: int) -> None:
        if feedback is not None:
            told = min(99.0, _FETCH_PERCENT + (100.0 - _FETCH_PERCENT) * answered / max(layers, 1))
            feedback.setProgress(max(feedback.progress(), told))
    return tell


def _drawn_layers(layouts: Sequence[QgsPrintLayout]) -> List[QgsMapLayer]:
    """The layers that the layouts' maps show at their scales, each once."""
    found: Dict[str, QgsMapLayer] = {}
    for layout in layouts:
        item = layout_items.main_map(layout)
        if item is not None:
            shown = visible_layers(layers_of_maps(layout_items.map_items(layout)), item.scale())
            found.update((layer.id(), layer) for layer in shown)
    return list(found.values())


@contextmanager
def temporary_project_metadata(layout: QgsPrintLayout, layers: Sequence[QgsMapLayer]) -> Iterator[None]:
    """Let the project describe this map of ``layers`` while it is exported: the exporter takes title, authors and
    keywords from there.
    """
    project: QgsProject = layout.project()
    own, dirty = project.metadata(), project.isDirty()
    changed = project.metadata()
    label = layout_items.find_item(layout, layout_items.TITLE, QgsLayoutItemLabel)
    changed.setTitle(label.currentText() if label is not None else layout.name())
    changed.setAuthor("; ".join(_authors(layers)) or own.author())
    changed.setAbstract("; ".join([*credits_of_layers(layers), *_licences(layers)]))
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

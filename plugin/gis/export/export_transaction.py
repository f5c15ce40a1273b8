"""One export from its checks to its files: fetched, drawn, monitored, and moved into place completely or not at all.

QgsLayoutExporter draws on the main thread. WMS layers wait for their images in nested event loops, so the GUI repaints
and a cancel gets through, but the person could also change the project meanwhile. Callers therefore show a modal
progress dialog.
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from qgis.core import (
    QgsFeedback,
    QgsLayoutExporter,
    QgsLayoutItemLabel,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
)

from ...core.custommap.moments import FRAME_SECONDS
from ...core.errors import Cancelled, CartoguideError
from ...core.files import incomplete_error, is_complete_file, write_error
from ...core.i18n import tr
from ...core.preflight import MapFinding, image_findings
from ...core.storage.syncing import sync_file, sync_folder
from ...core.storage.temporary_files import temporary_folder
from ..checks.incomplete_stamp import StampPlace, stamped_incomplete
from ..credits.layer_credits import credits_of_layers, keywords_of, layers_drawn_by, licences_of, organisations_of
from ..layers.snapshot_switch import sharp_rendering
from ..layouts import layout_items
from ..legends.legend_nodes import restore_swatches
from ..network import bound_origins
from ..pages.completeness_checks import IncompleteMap, check_complete, page_layers
from ..pages.series_summary import fill_from_maps, hide_summary, series_state
from ..pages.unchecked_layers import layer_label, unchecked_names
from ..runtime.network_errors import diverted_text
from . import prefetch
from .request_matching import monitored_layers
from .request_monitor import RequestFailure, RequestMonitor, summarise_failures

#: attempts at drawing the map, and at fetching an image, before a service counts as failed
ATTEMPTS = 3
_RETRY_PAUSE_MS = 400
#: share of the progress for fetching the images
_FETCH_PERCENT = 80.0

#: returns what cannot be read in the written files
PageProof = Callable[[Path], List[str]]
#: writes into the finished files what they say of themselves, given the numbers of images by the ids of layers
FileDescriber = Callable[[Path, Mapping[str, int]], None]
#: draws the layouts into the file, or into files named after it, and returns the result of QgsLayoutExporter
LayoutWriter = Callable[[Sequence[QgsPrintLayout], Path], Any]


@dataclass(frozen=True)
class ExportedMap:
    """A finished export: the files (the map first), seconds, map requests answered, and times drawn.

    ``problems`` lists the defects of a map exported although it is incomplete, which is stamped. ``remarks`` are
    services and layers whose images are empty. ``unchecked`` are the names of the layers whose requests nobody watched,
    so that nobody knows whether they are complete.
    """

    files: Sequence[Path]
    seconds: float
    request_count: int
    attempts: int
    problems: Sequence[str] = ()
    remarks: Tuple[MapFinding, ...] = ()
    unchecked: Tuple[str, ...] = ()


@dataclass(frozen=True)
class ExportOptions:
    """Options of an export: resolution, whether the format is an image, attempts, and treatment of incomplete maps.

    With ``stamp_incomplete`` an incomplete map is exported with a notice across it. ``frame_seconds`` is the time for
    which each frame of an animation is shown.
    """

    dpi: int
    as_image: bool = False
    attempts: int = ATTEMPTS
    stamp_incomplete: bool = False
    frame_seconds: float = FRAME_SECONDS


@dataclass(frozen=True)
class _DrawResult:
    """Result of drawing: QGIS's export result, and the number of images in it (0 if unknown)."""

    export_result: Any
    image_count: int = 0


@dataclass(frozen=True)
class _PrefetchResult:
    """Result of fetching and drawing: attempts, final failures, the drawing (None if it lacks an image), findings.

    ``failures`` excludes layers with custom headers, for which only the drawing can tell. ``remarks`` are findings
    about empty images.
    """

    attempts: int
    failures: List[RequestFailure]
    drawing: Optional[_DrawResult]
    remarks: Tuple[MapFinding, ...]


def run_export(layouts: Sequence[QgsPrintLayout], path: Path, options: ExportOptions, feedback: Optional[QgsFeedback],
               write: LayoutWriter, describe: FileDescriber, prove: PageProof) -> ExportedMap:
    """Export ``layouts`` with ``write``, on the main thread. Nothing is at ``path`` unless the export is complete.

    ``describe`` completes the files. ``prove`` looks for the credits in them before they get their names. Raises
    IncompleteMap if a map lacks a service or a credit, if a credit cannot be read, or if a service failed in every
    attempt. Raises Cancelled, and CartoguideError if a file cannot be written.
    """
    started = time.monotonic()
    restore_swatches(layouts[0].project().mapLayers().values())
    problems = _check_layouts(layouts, options)
    layers, unchecked = _drawn_layers(layouts), tuple(unchecked_names(layouts))
    former_refusals = bound_origins.refusal_counts()
    folder = working_folder(path.parent)
    try:
        image_count = sum(len(monitored_layers(_drawn_layers([layout]))) for layout in layouts)
        with temporary_project_metadata(layouts[0], layers), sharp_rendering(layers), \
                RequestMonitor(layers, options.dpi, _progress_reporter(feedback, image_count)) as monitor:
            prefetched = _prefetch_and_draw(layouts, folder / path.name, options, feedback, write)
            if prefetched.failures and not options.stamp_incomplete:
                raise _incomplete_error(prefetched.failures)
            attempts = 1 if options.stamp_incomplete else options.attempts
            drawings = _draw(layouts, folder / path.name, monitor, feedback, attempts, write, prefetched.drawing)
            if monitor.failures and not options.stamp_incomplete:
                raise _incomplete_error(monitor.failures, monitor.messages)
            diverted = [diverted_text(layer_label(layer), redirect.address, redirect.target)
                        for layer, redirect in bound_origins.refused_since(layers, former_refusals)]
            if diverted and not options.stamp_incomplete:
                raise IncompleteMap(diverted)
            # before the proof, which would take half a file for one whose credits cannot be read
            finished_files(folder, path)
            describe(folder / path.name, monitor.answered_by_layer)
            unproven = prove(folder / path.name)
            if unproven and not options.stamp_incomplete:
                raise IncompleteMap(unproven)
            problems += [line for line in summarise_failures(monitor.failures).split("\n") if line]
            problems += diverted + unproven
            if problems:
                problems += _draw_stamped(
                    layouts, folder / path.name, problems, write,
                    lambda file: describe(file, monitor.answered_by_layer), prove)
        files = move_finished_files(folder, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return ExportedMap(files, time.monotonic() - started, monitor.answered_count,
                       max(prefetched.attempts, drawings), tuple(problems), prefetched.remarks, unchecked)


def working_folder(parent: Path) -> Path:
    """Return a new hidden folder beside the target, so that finished files are moved within one disk.

    Raises CartoguideError if the folder cannot be written to.
    """
    try:
        return temporary_folder(parent)
    except OSError as error:
        raise write_error(parent, error, tr("The folder {folder} is not writable.", folder=str(parent))) from error


def finished_files(folder: Path, path: Path) -> List[Path]:
    """Return the files that were written, the map last. Raises CartoguideError if one is missing or cut off."""
    files_written = sorted(sorted(folder.iterdir(), reverse=True),
                           key=lambda file: (file.suffix == path.suffix, file.name == path.name))
    if not files_written or files_written[-1].suffix != path.suffix:
        raise CartoguideError(tr("QGIS did not write the file {name}.", name=path.name))
    if not all(map(is_complete_file, files_written)):
        raise incomplete_error(path)
    return files_written


def move_finished_files(folder: Path, path: Path) -> List[Path]:
    """Move the finished files into place, the map last, so that it exists only when everything does.

    Raises CartoguideError if the map is missing, cut off, or cannot be moved.
    """
    files_written = finished_files(folder, path)
    try:
        for file in files_written:
            sync_file(file)
        for file in files_written:
            os.replace(file, path.parent / file.name)
        sync_folder(path.parent)
    except OSError as error:
        raise write_error(path, error, tr("The file {name} could not be written. Is it open in another program?",
                                          name=path.name)) from error
    return [path.parent / file.name for file in reversed(files_written)]


def _check_layouts(layouts: Sequence[QgsPrintLayout], options: ExportOptions) -> List[str]:
    """Return the problems known before drawing. Raises IncompleteMap unless a stamped map is requested."""
    problems: List[str] = []
    for layout in layouts:
        try:
            check_complete(layout)
        except IncompleteMap as error:
            if not options.stamp_incomplete:
                raise
            problems.extend(error.problems)
    return list(dict.fromkeys(problems))


def _prefetch_and_draw(layouts: Sequence[QgsPrintLayout], file: Path, options: ExportOptions,
                       feedback: Optional[QgsFeedback], write: LayoutWriter) -> _PrefetchResult:
    """Fetch every image of the layouts' maps, those that fail more than once, and draw meanwhile."""
    results: List[Any] = []
    unsummarised: List[MapFinding] = []
    for layout in layouts:
        hide_summary(layout)
    series = [layout for layout in layouts if series_state(layout) is not None]

    def summarise() -> None:
        for layout in series:
            unsummarised.extend(fill_from_maps(layout, lambda item, layer: prefetch.draw_fetched(
                item, layer, options.dpi, options.as_image)))

    images, complete = prefetch.fetch_and_draw(layouts, options.dpi, options.as_image,
                                               lambda: results.append(write(layouts, file)), feedback, _FETCH_PERCENT,
                                               options.attempts, summarise if series else None)
    failures = [RequestFailure(image.request.layer, image.error.user_text, f"{image.request.url}\n{image.error.detail}")
                for image in images if image.error is not None and image.request.layer.has_plain_requests]
    return _PrefetchResult(max((image.attempts for image in images), default=1), failures,
                           _DrawResult(results[0], len(images)) if complete else None,
                           (*image_findings([image.to_trial_request() for image in images]), *unsummarised))


def _draw(layouts: Sequence[QgsPrintLayout], file: Path, monitor: RequestMonitor, feedback: Optional[QgsFeedback],
          attempts: int, write: LayoutWriter, first: Optional[_DrawResult]) -> int:
    """Draw until every request of the map succeeded, at most ``attempts`` times. Return the number of drawings.

    ``first`` is a drawing that exists already.
    """
    if feedback is not None:
        feedback.canceled.connect(monitor.cancel_requests)
    try:
        for attempt in range(1, max(1, attempts) + 1):
            if feedback is not None and feedback.isCanceled():
                raise Cancelled
            drawn, first = first or _DrawResult(write(layouts, file)), None
            monitor.wait_for_replies(expected=drawn.image_count)
            if feedback is not None and feedback.isCanceled():
                raise Cancelled
            if drawn.export_result != QgsLayoutExporter.ExportResult.Success:
                raise _write_error(drawn.export_result, file)
            if not monitor.failures:
                return attempt
            if attempt < attempts:
                monitor.wait_for_replies(_RETRY_PAUSE_MS * attempt)
        return attempts
    finally:
        if feedback is not None:
            feedback.canceled.disconnect(monitor.cancel_requests)


def _draw_stamped(layouts: Sequence[QgsPrintLayout], file: Path, problems: Sequence[str], write: LayoutWriter,
                  describe: Callable[[Path], None], prove: PageProof) -> List[str]:
    """Draw the pages with the stamp where it covers no credit. Return the problems that are due to the stamp alone."""
    covered: List[str] = []
    for place in StampPlace:
        with ExitStack() as stamps:
            for layout in layouts:
                stamps.enter_context(stamped_incomplete(layout, problems, place))
            result = write(layouts, file)
        if result != QgsLayoutExporter.ExportResult.Success:
            raise _write_error(result, file)
        finished_files(file.parent, file)
        describe(file)
        covered = [problem for problem in prove(file) if problem not in problems]
        if not covered:
            break
    return covered


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
    """Return a function that reports the images drawn. A page of usual size takes one for each layer."""
    def report_answered(answered: int) -> None:
        if feedback is not None:
            percent = min(99.0, _FETCH_PERCENT + (100.0 - _FETCH_PERCENT) * answered / max(layers, 1))
            feedback.setProgress(max(feedback.progress(), percent))
    return report_answered


def _drawn_layers(layouts: Sequence[QgsPrintLayout]) -> List[QgsMapLayer]:
    """Return the layers that the layouts' maps show at their scales, each once, those of the main maps first."""
    found: Dict[str, QgsMapLayer] = {}
    for layout in layouts:
        shown = [*layers_drawn_by(layout_items.map_items(layout)), *page_layers(layout)]
        found.update((layer.id(), layer) for layer in shown)
    return list(found.values())


@contextmanager
def temporary_project_metadata(layout: QgsPrintLayout, layers: Sequence[QgsMapLayer]) -> Iterator[None]:
    """Describe this map of ``layers`` in the project's metadata within the context.

    The exporter takes title, authors and keywords from there.
    """
    project: QgsProject = layout.project()
    previous, was_dirty = project.metadata(), project.isDirty()
    metadata = project.metadata()
    label = layout_items.find_item(layout, layout_items.TITLE, QgsLayoutItemLabel)
    metadata.setTitle(label.currentText() if label is not None else layout.name())
    metadata.setAuthor("; ".join(organisations_of(layers)) or previous.author())
    metadata.setAbstract("; ".join([*credits_of_layers(layers), *licences_of(layers)]))
    metadata.setKeywords({tr("keywords"): keywords_of(layers)})
    project.setMetadata(metadata)
    try:
        yield
    finally:
        project.setMetadata(previous)
        project.setDirty(was_dirty)


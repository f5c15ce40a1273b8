"""One export from its checks to its files: fetched, proved, drawn, and moved into place completely or not at all.

The images are fetched in other threads, while the GUI repaints and a cancel gets through. QgsLayoutExporter then draws
them on the main thread, without a request. The person could change the project meanwhile. Callers therefore show a
modal progress dialog.
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from qgis.core import (
    QgsCoordinateTransform,
    QgsCsException,
    QgsExpressionContextUtils,
    QgsFeedback,
    QgsLayoutExporter,
    QgsLayoutItemLabel,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QEventLoop, QRectF, Qt, QTimer
from qgis.PyQt.QtGui import QColor, QFont

from ...core.cooperative_yield import run_to_end
from ...core.custommap.model import CustomMap
from ...core.custommap.moments import FRAME_SECONDS
from ...core.errors import Cancelled, CartoguideError
from ...core.files import incomplete_error, is_complete_file, write_error
from ...core.i18n import tr
from ...core.page_design.type_scale import TextRole
from ...core.preflight import MapFinding, TrialRequest, image_findings
from ...core.storage.syncing import sync_file, sync_folder
from ...core.storage.temporary_files import temporary_folder
from ...core.text import bounded_title, inert, list_quoted_names, single_line
from ..credits.expression_functions import LANGUAGE_VARIABLE
from ..credits.layer_credits import credits_of_layers, keywords_of, licences_of, organisations_of
from ..credits.map_phrases import map_phrase
from ..layers.snapshot_switch import sharp_rendering
from ..layouts import layout_items
from ..layouts.text_fitting import role_points, text_height, type_factor
from ..legends.legend_nodes import drawn_classes, restore_swatches, seen_classes
from ..network import bound_origins
from ..pages.completeness_checks import (
    IncompleteMap,
    check_complete,
    layer_label,
    layers_of_pages,
    pictured_names,
    services_of_other_scales,
    unchecked_names,
    uncredited_pictures,
)
from ..pages.layout_builder import fit_changed_credits, unoffered_legends
from ..pages.layout_legend import EntryFilter, leave_out_of_legend
from ..pages.map_book import clear_adjoining_names
from ..pages.series_summary import fill_from_maps, hide_summary, series_state
from ..pixels.fetch import Fetched, FetchedPiece, Rgba, fetch_pixels, images_by_layer
from ..pixels.plan import absent_trials, plan_page
from ..pixels.raster import drawn_locally
from ..pixels.request import LayerRequest, service_title, visible_maps
from ..runtime import compat, tasks
from ..runtime.network_errors import diverted_text
from .sealed_layouts import FETCHED_PERCENT, WRITTEN_PERCENT

#: attempts at fetching an image before a service counts as failed
ATTEMPTS = 3
#: milliseconds for events that are queued already
_LATE_EVENTS_MS = 10
#: room around a map, as a share of its longer side, from which symbols of an own layer reach into it
_AROUND_MAP = 0.03

#: returns what cannot be read in the written files
PageProof = Callable[[Path], List[str]]
#: writes into the finished files what they say of themselves, given the numbers of images by the ids of layers
FileDescriber = Callable[[Path, Mapping[str, int]], None]
#: draws the layouts into the file, or into files named after it, and returns the result of QgsLayoutExporter
LayoutWriter = Callable[[Sequence[QgsPrintLayout], Path], Any]


@dataclass(frozen=True)
class ExportedMap:
    """A finished export: the files (the map first), seconds, images that came, and attempts at the last of them.

    ``problems`` lists the defects of a map exported although it is incomplete, which is stamped. ``could_be_stamped``
    says that a stamp was asked for, which a map without problems does not get. ``remarks`` are services and layers
    whose images are empty. ``unchecked`` are the names of the layers whose requests nobody watched, so that nobody
    knows whether they are complete. ``without_legend`` are notes on legends that no service offers and that did not
    come.
    """

    files: Sequence[Path]
    seconds: float
    request_count: int
    attempts: int
    problems: Sequence[str] = ()
    remarks: Tuple[MapFinding, ...] = ()
    unchecked: Tuple[str, ...] = ()
    could_be_stamped: bool = False
    without_legend: Tuple[str, ...] = ()


@dataclass(frozen=True)
class ExportOptions:
    """Options of an export: resolution, whether the format is an image, attempts, and treatment of incomplete maps.

    With ``stamp_incomplete`` an incomplete map is exported with a notice across it. ``frame_seconds`` is the time for
    which each frame of an animation is shown. ``document`` is the map that the pages were built from, by default the
    one that their project has.
    """

    dpi: int
    as_image: bool = False
    attempts: int = ATTEMPTS
    stamp_incomplete: bool = False
    frame_seconds: float = FRAME_SECONDS
    document: Optional[CustomMap] = None


@dataclass(frozen=True)
class RequestFailure:
    """An image of the map that failed: the title of its layer and service, the reason, and the technical detail."""

    layer: str
    service: str
    reason: str
    detail: str


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
    layers, unchecked = layers_of_pages(layouts), tuple(unchecked_names(layouts))
    former_refusals = bound_origins.refusal_counts()
    folder, images = working_folder(path.parent), working_folder(path.parent)
    try:
        for layout in layouts:
            hide_summary(layout)
        requests = [request for number, layout in enumerate(layouts, 1)
                    for request in plan_page(layout, options.dpi, options.as_image, number)]
        pieces = _fetch(requests, images, path, options, feedback)
        with temporary_project_metadata(layouts[0], layers), sharp_rendering(layers), \
                drawn_locally(layouts, requests, pieces) as drawing:
            trials = drawing.seen(pieces)
            seen = [*trials, *(trial for _layer, trial in absent_trials(requests))]
            remarks = (services_of_other_scales(layouts) + image_findings(seen)
                       + image_findings(drawing.covering())
                       + tuple(finding for layout in layouts for item in visible_maps(layout)
                               for finding in drawing.lost_in_mixing(item, options.dpi, options.as_image)))
            _shorten_legends(layouts, pieces, trials)
            for layout in layouts:
                clear_adjoining_names(layout, lambda item: drawing.draw_map(item, options.dpi, options.as_image))
                if series_state(layout) is not None:
                    remarks += tuple(fill_from_maps(layout, lambda item, layer: drawing.draw(
                        item, layer, options.dpi, options.as_image)))
            _write(layouts, folder / path.name, feedback, write)
            others = drawing.plan_undrawn()
            if others:
                more = _fetch(others, images, path, options, feedback)
                drawing.add(others, more)
                pieces += more
                _write(layouts, folder / path.name, feedback, write)
            failures, counts = _failures(pieces), images_by_layer(pieces)
            unchecked = tuple(dict.fromkeys([*unchecked, *drawing.unproved(), *pictured_names(layouts)]))
            undrawn = [*map(_undrawn_text, drawing.undrawn()), *_drawing_errors(layouts), *dict.fromkeys(
                problem for layout in layouts for problem in uncredited_pictures(layout, layers))]
            diverted = [diverted_text(layer_label(layer), redirect.address, redirect.target)
                        for layer, redirect in bound_origins.refused_since(layers, former_refusals)]
            if (undrawn or diverted) and not options.stamp_incomplete:
                raise IncompleteMap(undrawn + diverted)
            # before the proof, which would take half a file for one whose credits cannot be read
            finished_files(folder, path)
            describe(folder / path.name, counts)
            unproven = prove(folder / path.name)
            if unproven and not options.stamp_incomplete:
                raise IncompleteMap(unproven)
            seen_on_pages = undrawn + diverted + unproven
            stamped = [*problems, *summarise_failures(failures, _MAX_NAMES).splitlines(), *seen_on_pages]
            problems += [*summarise_failures(failures).splitlines(), *seen_on_pages]
            if problems:
                problems += _draw_stamped(layouts, folder / path.name, stamped, write,
                                          lambda file: describe(file, counts), prove)
        files = move_finished_files(folder, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(images, ignore_errors=True)
    return ExportedMap(files, time.monotonic() - started, sum(counts.values()),
                       max((piece.attempts for piece in pieces), default=1), tuple(problems), remarks, unchecked,
                       options.stamp_incomplete,
                       tuple(dict.fromkeys(note for layout in layouts for note in unoffered_legends(layout))))


def working_folder(parent: Path) -> Path:
    """Return a new hidden folder beside the target, so that finished files are moved within one disk.

    Raises CartoguideError if the folder cannot be written to.
    """
    try:
        return temporary_folder(parent)
    except OSError as error:
        raise write_error(parent, error, tr("The map was not exported: the folder {folder} is not writable. "
                                               "Choose another one.", folder=str(parent))) from error


def check_folder(path: Path) -> None:
    """Raise CartoguideError if the folder of ``path`` cannot be written to."""
    shutil.rmtree(working_folder(path.parent), ignore_errors=True)


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
        raise _not_written(path, error) from error
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


def _fetch(requests: Sequence[LayerRequest], folder: Path, path: Path, options: ExportOptions,
           feedback: Optional[QgsFeedback]) -> List[Fetched]:
    """Fetch all that is needed, what fails more than once.

    Raises IncompleteMap if anything has failed, unless a stamped map is requested, and CartoguideError where the disk
    has no room for it.
    """
    if not any(request.is_needed for request in requests):
        return []

    def fetch(inner: tasks.Feedback) -> List[Fetched]:
        try:
            return fetch_pixels(requests, inner, folder, options.attempts)
        except OSError as error:
            raise _not_written(path, error) from error

    def report(percent: float, _text: str) -> None:
        _report(feedback, percent * FETCHED_PERCENT / 100.0)

    pieces = tasks.run_and_wait(fetch, 0.0, feedback, report, tr("Loading the map images"))
    failures = _failures(pieces)
    if failures and not options.stamp_incomplete:
        raise IncompleteMap(summarise_failures(failures).split("\n"),
                            "\n\n".join(failure.detail for failure in failures))
    return pieces


def _shorten_legends(layouts: Sequence[QgsPrintLayout], pieces: Sequence[Fetched],
                     trials: Sequence[TrialRequest]) -> None:
    """Leave out of the legend of each page the layers of which nothing is on it.

    A service of which nothing came at all keeps its entries, and so does a moment of a series. Rain has no classes on
    a page without any, but for pages of several days, which have one legend. Layers of one title may share an entry.
    """
    came = [(piece.request.page, trial) for piece, trial in zip(pieces, trials) if not trial.is_empty]
    services, drawn = {trial.part for _, trial in came}, {(page, trial.layer) for page, trial in came}
    has_days = len({moment for layout in layouts for moment in layout_items.shown_moments(layout).values()}) > 1
    for number, layout in enumerate(layouts, 1):
        empty = {piece.request.layer_id: trial for piece, trial in zip(pieces, trials)
                 if piece.request.page == number and (number, trial.layer) not in drawn}
        layers = {layer_id for layer_id, trial in empty.items() if trial.part in services}
        layers -= layout_items.shown_moments(layout).keys()
        is_single = len(layout_items.map_items(layout)) == 1
        shown = {layer.id(): entries for layer in _layers_of_one_legend(layout)
                 for entries in [_shown_entries(layer, layout, number, pieces)] if entries is not None}
        if shown or empty and is_single:
            leave_out_of_legend(layout, layers if is_single else (),
                                empty if is_single and not has_days else (), shown)


def _layers_of_one_legend(layout: QgsPrintLayout) -> List[QgsMapLayer]:
    """Return the layers that are in one of the layout's legends, and do not go on in another."""
    found = [{node.layerId(): node.layer() for node in legend.model().rootGroup().findLayers()
              if node.layer() is not None} for legend in layout_items.legends(layout)]
    return [layer for of_legend in found for layer_id, layer in of_legend.items()
            if sum(layer_id in other for other in found) == 1]


def _shown_entries(layer: QgsMapLayer, layout: QgsPrintLayout, page: int,
                   pieces: Sequence[Fetched]) -> Optional[EntryFilter]:
    """Return which entries of a layer's legend the page shows, None if that is not known.

    A layer stands for all of its service that have no entry, as the days of a series, whose pages have the same legend.
    """
    if isinstance(layer, QgsVectorLayer):
        return _entries_of_features(layer, layout)
    is_series = layer.id() in layout_items.shown_moments(layout)
    others = {node.layerId() for legend in layout_items.legends(layout)
              for node in legend.model().rootGroup().findLayers()} - {layer.id()}
    colours: Dict[Rgba, int] = {}
    for piece in pieces:
        if not isinstance(piece, FetchedPiece) or not (is_series or piece.request.page == page) or (
                piece.request.layer_id in others or piece.request.service != service_title(layer)):
            continue
        if piece.pixels.colours is None or piece.error is not None:
            return None
        for colour, count in piece.pixels.colours.items():
            colours[colour] = colours.get(colour, 0) + count
    seen = seen_classes(layer, colours)
    return None if seen is None else set(map(str, seen)).__contains__


def _entries_of_features(layer: QgsVectorLayer, layout: QgsPrintLayout) -> Optional[EntryFilter]:
    """Return which classes of an own layer have a feature on a map of the page."""
    keys: Set[str] = set()
    for item in layout_items.map_items(layout):
        bounds = layout_items.visible_bounds(item)
        try:
            area = QgsCoordinateTransform(item.crs(), layer.crs(), layout.project()).transformBoundingBox(
                bounds.buffered(_AROUND_MAP * max(bounds.width(), bounds.height())))
        except QgsCsException:
            return None
        found = run_to_end(drawn_classes(layer, area))
        if found is None:
            return None
        keys |= found
    # of labels and diagrams there are entries without a key
    return (lambda key: not key or key in keys) if keys else None


def _failures(pieces: Sequence[Fetched]) -> List[RequestFailure]:
    return [RequestFailure(piece.request.title, piece.request.service, piece.error.user_text, piece.detail)
            for piece in pieces if piece.error is not None]


def _not_written(path: Path, error: OSError) -> CartoguideError:
    return write_error(path, error, tr("The file {name} could not be written. Is it open in another program?",
                                       name=path.name))


def _write(layouts: Sequence[QgsPrintLayout], file: Path, feedback: Optional[QgsFeedback], write: LayoutWriter) -> None:
    """Write the pages. Raises Cancelled, and CartoguideError if QGIS does not write them."""
    if feedback is not None and feedback.isCanceled():
        raise Cancelled
    result = write(layouts, file)
    loop = QEventLoop()
    # what layers that are drawn by their own requests announce from other threads
    QTimer.singleShot(_LATE_EVENTS_MS, loop.quit)
    loop.exec()
    if feedback is not None and feedback.isCanceled():
        raise Cancelled
    if result != QgsLayoutExporter.ExportResult.Success:
        raise _write_error(result, file)
    _report(feedback, WRITTEN_PERCENT)


def _report(feedback: Optional[QgsFeedback], percent: float) -> None:
    if feedback is not None:
        feedback.setProgress(max(feedback.progress(), percent))


def _undrawn_text(layer: str) -> str:
    return tr("“{layer}” was not drawn as planned. Please report it, with the layout.", layer=layer)


def _drawing_errors(layouts: Sequence[QgsPrintLayout]) -> List[str]:
    """Return a sentence for each layer of which QGIS could not draw all when it wrote the pages."""
    errors: Dict[str, str] = {}
    for layout in layouts:
        for item in visible_maps(layout):
            for error in item.renderingErrors():
                layer = layout.project().mapLayer(error.layerID)
                errors.setdefault(error.layerID if layer is None else layer_label(layer), error.message)
    return [tr("Not all of “{layer}” could be drawn: {reason}", layer=name, reason=single_line(reason))
            for name, reason in errors.items()]


def _draw_stamped(layouts: Sequence[QgsPrintLayout], file: Path, problems: Sequence[str], write: LayoutWriter,
                  describe: Callable[[Path], None], prove: PageProof) -> List[str]:
    """Draw the pages with the stamp where it covers no credit. Return the problems that are due to the stamp alone."""
    for layout in layouts:
        # the notice in place of a credit may be longer than the credit that the page was built for
        fit_changed_credits(layout)
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


def summarise_failures(failures: Sequence[RequestFailure], names: Optional[int] = None) -> str:
    """Return the failures for the user: each service and reason once, with the layers that it is about.

    With ``names`` that many layers of each are named, and the others counted.
    """
    layers: Dict[Tuple[str, str], List[str]] = {}
    for failure in failures:
        layers.setdefault((failure.service, failure.reason), []).append(failure.layer)
    return "\n".join(
        tr("{layers} of “{service}”: {reason}", layers=list_quoted_names(dict.fromkeys(titles), names or len(titles)),
           service=service, reason=reason) for (service, reason), titles in layers.items())


def _write_error(result: Any, file: Path) -> CartoguideError:
    results = QgsLayoutExporter.ExportResult
    if result == results.MemoryError:
        return CartoguideError(tr("There is not enough memory for a map of this size. Choose a lower resolution or a "
                                  "smaller paper."))
    if result == results.Canceled:
        return Cancelled()
    return CartoguideError(tr("QGIS could not write {name}.", name=file.name), f"QgsLayoutExporter: {result}")


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


_STAMP_COLOUR = QColor(176, 0, 32)
#: millimetres on A4
_STAMP_HEIGHT, _MARGIN = 22.0, 12.0
_STAMP_PADDING = 3.0
#: share of the page's height that the stamp takes at most, and layers of a service that it names
_MOST_OF_PAGE, _MAX_NAMES = 0.5, 3


class StampPlace(float, Enum):
    """Places of the stamp on the page, in the order in which they are tried: the share of the free height above it."""

    MIDDLE = 0.5
    TOP = 0.05
    UPPER = 0.25
    LOWER = 0.75
    BOTTOM = 0.95


@contextmanager
def stamped_incomplete(layout: QgsPrintLayout, problems: Sequence[str],
                       place: StampPlace = StampPlace.MIDDLE) -> Iterator[None]:
    """Put the stamp with ``problems`` on every page within the context, and remove it afterwards."""
    items = [_add_stamp(layout, page, problems, place) for page in range(layout.pageCollection().pageCount())]
    try:
        yield
    finally:
        for item in items:
            layout.removeLayoutItem(item)


def _add_stamp(layout: QgsPrintLayout, page: int, problems: Sequence[str], place: StampPlace) -> QgsLayoutItemLabel:
    language = str(QgsExpressionContextUtils.layoutScope(layout).variable(LANGUAGE_VARIABLE) or "en")
    label = QgsLayoutItemLabel(layout)
    font = QFont(compat.label_font(label))
    font.setBold(True)
    factor = type_factor(layout) or 1.0
    font.setPointSizeF(role_points(layout, TextRole.STAMP))
    compat.set_label_font(label, font)
    compat.set_label_colour(label, _STAMP_COLOUR)
    label.setHAlign(Qt.AlignmentFlag.AlignHCenter)
    label.setVAlign(Qt.AlignmentFlag.AlignVCenter)
    label.setBackgroundEnabled(True)
    label.setBackgroundColor(QColor(255, 255, 255, 225))
    label.setFrameEnabled(True)
    label.setFrameStrokeColor(_STAMP_COLOUR)
    sheet = layout.pageCollection().page(page)
    margin = _MARGIN * factor
    width = sheet.rect().width() - 2 * margin
    padding = _STAMP_PADDING * factor
    label.setMarginX(padding)
    lines: List[str] = [map_phrase(language, "incomplete"), *map(bounded_title, problems)]
    named = len(lines)

    def height_of_text() -> float:
        return 2 * padding + text_height("\n".join(lines), font, width - 2 * padding)

    while len(lines) > 1 and height_of_text() > _MOST_OF_PAGE * sheet.rect().height():
        named -= 1
        lines[named:] = ["…"] if named > 1 else []
    height = max(_STAMP_HEIGHT * factor, height_of_text())
    label.setText(inert("\n".join(lines)))
    layout.addLayoutItem(label)
    layout_items.place_item(label, QRectF(margin, (sheet.rect().height() - height) * place.value, width, height), page)
    label.setZValue(10_000)
    return label

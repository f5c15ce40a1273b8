"""Fetch a map's images in parallel before it is drawn, because QGIS requests one layer after the other.

Each image is put into QGIS's network cache under the address that the provider requests, so that drawing only reads it.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import Empty, Queue
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import QgsFeedback, QgsLayoutItemMap, QgsMapLayer, QgsMapSettings, QgsPrintLayout
from qgis.PyQt.QtCore import QEventLoop
from qgis.PyQt.QtGui import QImage

from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.preflight import TrialRequest
from ...core.request import HttpMethod, Request, Response
from ...core.wms.requests.tile_overlap import PaddedTile
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..layouts import layout_items
from ..network import bound_origins, qgis_http_cache
from ..network.client import IMAGE_ATTEMPTS, RequestLimits, fetch, retry_image
from ..network.drawn_errors import ConfirmedImages, check_for_drawn_error
from ..runtime import main_thread, tasks
from ..runtime.images import ImagePixels, image_from_bytes, png_bytes, single_colour
from ..runtime.tasks import Feedback
from ..runtime.thread_pool import pool_slot_released
from . import image_checks
from .getmap_prediction import GetMapRequest, draw_from_images, predict_requests
from .render_gate import RenderGate, wait_for_image

#: seconds that an image is cached: long enough to read the findings and then to export
CACHE_SECONDS = 600
#: parallel requests over all servers (the setting limits those to one server)
_MAX_PARALLEL = 12
_POLL_SECONDS = 0.05
#: Qt's quality of a PNG that is read again at once: little compression, lossless
_PNG_QUALITY = 80
#: words of the note of a cached image: it hides the layers below it, and how much larger its symbols are
_OPAQUE, _SYMBOLS = "opaque", "symbols:"


class SharedResponses:
    """Responses that several tiles are cropped from: the first thread fetches, the others wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._responses: Dict[str, Future[Response]] = {}

    def obtain(self, url: str, ask: Callable[[], Response]) -> Response:
        """Return the response of ``ask``, called once for each address. Its error is raised in every thread."""
        with self._lock:
            answer, first = self._responses.get(url), False
            if answer is None:
                answer, first = self._responses.setdefault(url, Future()), True
        if first:
            try:
                answer.set_result(ask())
            except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
                answer.set_exception(error)
        return answer.result()


def crop_tile(response: Response, padded: PaddedTile, size: Tuple[int, int]) -> bytes:
    """Return the tile cropped from the padded image as a PNG, or the unchanged response if it is the whole image.

    Raises CartoguideError if the image cannot be read.
    """
    if (padded.left, padded.top) == (0, 0) and padded.size == size:
        return response.body
    image = image_from_bytes(response.body)
    if image.isNull():
        raise CartoguideError(tr("The server sent an image that cannot be read."), response.url)
    return png_bytes(image.copy(padded.left, padded.top, *size), _PNG_QUALITY)


@dataclass(frozen=True)
class FetchedImage:
    """Result of one request: seconds and bytes (0 if it was cached), or its error.

    ``colour`` is that of an empty image, as returned by ``images.single_colour``. ``attempts`` is the number of
    requests. With ``is_opaque`` the image hides the layers below it. ``pages`` are the numbers of the layouts that show
    it, from 1.
    """

    request: GetMapRequest
    seconds: float = 0.0
    size: int = 0
    error: Optional[CartoguideError] = None
    colour: str = ""
    attempts: int = 1
    is_opaque: bool = False
    pages: Tuple[int, ...] = ()

    def to_trial_request(self, entry: Optional[int] = None) -> TrialRequest:
        """Return the result for the preflight's rules. ``entry`` is the service's index on the map if known."""
        layer, error = self.request.layer, self.error
        return TrialRequest(layer.title, layer.service, entry, self.request.size, self.seconds, self.size,
                            error.user_text if error else "",
                            f"{self.request.url}\n{error.detail}".strip() if error else "", self.colour,
                            self.is_opaque, self.pages)


def fetch_images(requests: Sequence[GetMapRequest], feedback: Feedback) -> List[FetchedImage]:
    """Fetch, check and cache the images that QGIS's cache lacks. For worker threads.

    Returns the images in the order of the requests, with errors in those that failed. Raises Cancelled.
    """
    queue: Queue[Optional[GetMapRequest]] = Queue()
    for request in (*requests, None):
        queue.put(request)
    return _fetch_queue(queue, feedback, {}, 1) if requests else []


def _fetch_queue(queue: Queue[Optional[GetMapRequest]], feedback: Feedback, outcomes: Dict[str, bool],
                 attempts: int) -> List[FetchedImage]:
    """Fetch the requests of the queue in parallel until it yields None. ``outcomes`` records success or failure."""
    limits = RequestLimits.for_map_images()
    futures: List[Future[FetchedImage]] = []
    shared, confirmed = SharedResponses(), ConfirmedImages()
    done = 0

    def fetch_one(request: GetMapRequest) -> FetchedImage:
        nonlocal done
        image = _fetch_image(request, limits, feedback, shared, confirmed, attempts)
        # a cancelled image is missing from the cache: QGIS would request it itself and wait
        outcomes[request.url] = image.error is None and not feedback.isCanceled()
        done += 1
        # a cached image may be done before it is in the list
        feedback.report(99.0 * done / max(done, len(futures)), request.layer.title)
        return image

    with pool_slot_released(), ThreadPoolExecutor(max_workers=_MAX_PARALLEL) as pool:
        while True:
            try:
                request = queue.get(timeout=_POLL_SECONDS)
            except Empty:
                feedback.raise_if_cancelled()
                continue
            if request is None:
                break
            futures.append(pool.submit(fetch_one, request))
        images = [future.result() for future in futures]
    feedback.raise_if_cancelled()
    return images


def image_note(colour: str, opaque: bool, symbol_factor: float = 1.0) -> str:
    """Return the note with which an image is cached: its single colour, if it has one, if it is opaque, and by how much
    its symbols are enlarged.

    It has no white space at its ends, which Qt 6.8 and later remove from the values of headers.
    """
    symbols = f"{_SYMBOLS}{symbol_factor:.3g}" if symbol_factor > 1 else ""
    return " ".join(word for word in (colour, _OPAQUE if opaque else "", symbols) if word)


def read_image_note(note: str) -> Tuple[str, bool]:
    """Return the single colour of a cached image, or "", and whether it is opaque."""
    words = note.split()
    return "".join(word for word in words if word != _OPAQUE and not word.startswith(_SYMBOLS)), _OPAQUE in words


def _cached_note(request: GetMapRequest) -> Optional[str]:
    """Return the note of the image in QGIS's cache that may be used for a request, or None. Main thread only.

    QGIS requests an image by the same address whatever the size of its symbols. One of another size is removed.
    """
    if not qgis_http_cache.is_fresh(request.url):
        return None
    note = qgis_http_cache.read_note(request.url)
    cached = [word for word in note.split() if word.startswith(_SYMBOLS)]
    if cached == image_note("", False, request.symbol_factor).split():
        return note
    qgis_http_cache.remove(request.url)
    return None


def _fetch_image(request: GetMapRequest, limits: RequestLimits, feedback: Feedback,
                 shared: SharedResponses, confirmed: ConfirmedImages, attempts: int) -> FetchedImage:
    started, made = time.monotonic(), 0
    pixels = ImagePixels(b"", (0, 0))
    try:
        feedback.raise_if_cancelled()
        note = main_thread.call(lambda: _cached_note(request), feedback)
        if note is not None:
            colour, opaque = read_image_note(note)
            return FetchedImage(request, colour=colour, is_opaque=opaque)
        padded = request.padded_tile

        def send(url: str) -> Response:
            return fetch(Request(HttpMethod.GET, url), limits=limits, login=request.layer.login, feedback=feedback,
                         stays_at_origin=bound_origins.is_guarded(url))

        def request_image() -> Response:
            nonlocal made, pixels
            made += 1
            url, size = request.sent_url, padded.size if padded else request.size
            answer = send(url)
            check_response(answer, ExpectedContent.IMAGE, size if all(size) else None)
            image_checks.check_format(request, answer)
            pixels = ImagePixels(answer.body, size)
            check_for_drawn_error(url, answer, size, send, confirmed, pixels)
            return answer

        def request_until_usable() -> Response:
            return retry_image(request_image, feedback, attempts)

        response = shared.obtain(request.sent_url, request_until_usable) if padded else request_until_usable()
        media_type, body = response.headers.get("content-type", "") or "image/png", response.body
        if padded:
            body = crop_tile(response, padded, request.size)
            media_type = media_type if body is response.body else "image/png"
    except Cancelled:
        return FetchedImage(request)
    except CartoguideError as error:
        return FetchedImage(request, time.monotonic() - started, 0, error.with_traceback(None), attempts=made)
    seconds = time.monotonic() - started
    # one decoding of a large image takes a tenth of a second
    colour = single_colour(body, request.size) if padded else pixels.single_colour()
    opaque = image_checks.is_opaque(request, response.body)
    qgis_http_cache.insert_document(request.url, body, media_type, CACHE_SECONDS,
                                    image_note(colour, opaque, request.symbol_factor))
    return FetchedImage(request, seconds, len(response.body), None, colour, max(1, made), opaque)


def layout_requests(layout: QgsPrintLayout, dpi: float, as_image: bool = False,
                    on_request: Optional[Callable[[GetMapRequest], None]] = None) -> List[GetMapRequest]:
    """Return every GetMap that the layout's maps will make, including the location map. Main thread only.

    ``on_request`` gets each as soon as it is known.
    """
    requests: Dict[str, GetMapRequest] = {}
    for item in layout_items.items_of_type(layout, QgsLayoutItemMap):
        if item.isVisible() and not item.excludeFromExports():
            requests.update(
                (request.url, request) for request in predict_requests(layout, item, dpi, as_image, on_request))
    return list(requests.values())


def fetch_and_draw(layouts: Sequence[QgsPrintLayout], dpi: float, as_image: bool, draw: Callable[[], None],
                   feedback: Optional[QgsFeedback] = None, progress_share: float = 0.0,
                   attempts: int = IMAGE_ATTEMPTS,
                   prepare: Optional[Callable[[], None]] = None) -> Tuple[List[FetchedImage], bool]:
    """Fetch every image of the layouts' maps while ``draw`` runs, whose requests wait for theirs. Main thread only.

    ``prepare`` is for pages that draw what is computed from the images. It is called before ``draw``, once all of them
    have arrived.

    The first images are requested while the last addresses are still being found. An image that is unusable is
    requested again, up to ``attempts`` times in all. Also returns whether the drawing has all of its images.
    """
    queue: Queue[Optional[GetMapRequest]] = Queue()
    outcomes: Dict[str, bool] = {}
    ended: List[bool] = []
    completed: List[bool] = []
    pages: Dict[str, List[int]] = {}

    def find_and_draw() -> None:
        requests: List[GetMapRequest] = []
        try:
            for number, layout in enumerate(layouts, 1):
                found = layout_requests(layout, dpi, as_image, queue.put)
                requests += found
                for request in found:
                    pages.setdefault(request.url, []).append(number)
        finally:
            queue.put(None)
        def outcome(address: str) -> Optional[bool]:
            # a job that QGIS's task list has cancelled would else be waited for without end
            return outcomes.get(address, False if ended else None)

        if prepare is not None and all(wait_for_image(outcome, request.url, feedback) for request in requests):
            prepare()
        with RenderGate(requests, outcome, feedback) as gate:
            draw()
        completed.append(not gate.image_failed)

    images = _run_with_events(lambda inner: _fetch_queue(queue, inner, outcomes, attempts), find_and_draw, ended,
                              feedback, progress_share)
    return [replace(image, pages=tuple(pages.get(image.request.url, ()))) for image in images], completed == [True]


def draw_fetched(item: QgsLayoutItemMap, layer: QgsMapLayer, dpi: float,
                 as_image: bool) -> Tuple[QImage, QgsMapSettings]:
    """Return the image of one layer of a layout's map, from images that were fetched before, and its settings."""
    return draw_from_images(item.layout(), item, [layer], dpi, as_image, qgis_http_cache.fresh_document)


def _run_with_events(work: Callable[[Feedback], List[FetchedImage]], meanwhile: Callable[[], None],
                     ended: List[bool], feedback: Optional[QgsFeedback],
                     progress_share: float) -> List[FetchedImage]:
    """Start ``work`` in a task, run ``meanwhile`` here, then handle events until the task has ended.

    ``ended`` is empty until then.
    """
    if feedback is not None and feedback.isCanceled():
        raise Cancelled
    images: List[FetchedImage] = []
    failures: List[CartoguideError] = []
    loop = QEventLoop()

    def report_share(percent: float, _text: str) -> None:
        if feedback is not None and progress_share:
            feedback.setProgress(max(feedback.progress(), percent * progress_share / 100.0))

    def end() -> None:
        ended.append(True)
        loop.quit()

    job = tasks.start(tr("Loading the map images"), work, images.extend, failures.append, None, report_share)
    job.ended.connect(end)
    if feedback is not None:
        feedback.canceled.connect(job.cancel)
    try:
        meanwhile()
        if not ended:
            loop.exec()
    except BaseException:
        job.cancel()
        raise
    finally:
        if feedback is not None:
            feedback.canceled.disconnect(job.cancel)
    if feedback is not None and feedback.isCanceled():
        raise Cancelled
    if failures:
        raise failures[0]
    return images

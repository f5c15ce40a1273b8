"""The pictures of a map, fetched side by side before it is drawn: QGIS itself asks for one layer after the other.

Each goes into QGIS's network cache under the very address that its provider asks for, so that the drawing only reads.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import QgsFeedback, QgsLayoutItemMap, QgsNetworkAccessManager, QgsPrintLayout
from qgis.PyQt.QtCore import QBuffer, QByteArray, QEventLoop, QTimer
from qgis.PyQt.QtGui import QImage

from ...core.custommap.preflight import TrialRequest
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.request import Request, Response
from ...core.wms.requests.tile_overlap import PaddedTile
from ...core.wms.responses.response_validation import check_response
from ..layouts import layout_items
from ..network import qgis_http_cache
from ..network.authentication import authcfg_for
from ..network.client import RequestLimits, fetch
from ..runtime import main_thread, tasks
from ..runtime.images import single_colour
from ..runtime.tasks import Feedback
from ..runtime.thread_pool import pool_slot_released
from .getmap_prediction import GetMapRequest, predict_requests
from .render_gate import RenderGate

#: seconds that a picture is kept: long enough to look at the findings and then to export
CACHE_SECONDS = 600
#: requests under way at once over all servers; one server gets no more than the setting allows
_MAX_PARALLEL = 12
_POLL_SECONDS = 0.05
#: Qt's quality of a PNG that is read again at once: packed little, without loss
_PNG_QUALITY = 80


class SharedResponses:
    """Pictures that several pieces are cut out of: who asks first fetches, the others wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._responses: Dict[str, Future[Response]] = {}

    def obtain(self, url: str, ask: Callable[[], Response]) -> Response:
        """What ``ask`` gives, or gave to another; the same error for all."""
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


def crop_tile(response: Response, wider: PaddedTile, size: Tuple[int, int]) -> bytes:
    """The piece out of the wider picture, as a PNG, or the picture as it came where it is all of it; CartoguideError
    where it cannot be read.
    """
    if (wider.left, wider.top) == (0, 0) and wider.size == size:
        return response.body
    image = QImage.fromData(response.body)
    if image.isNull():
        raise CartoguideError(tr("The server sent an image that cannot be read."), response.url)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.copy(wider.left, wider.top, *size).save(buffer, "PNG", _PNG_QUALITY)
    return bytes(data)


@dataclass(frozen=True)
class FetchedImage:
    """What became of one request: the seconds and bytes that it took (0 where it was at hand), or why it failed.

    ``colour`` is that of an empty picture, as ``blank_picture.only_colour`` tells it.
    """

    request: GetMapRequest
    seconds: float = 0.0
    size: int = 0
    error: Optional[CartoguideError] = None
    colour: str = ""

    def to_trial_request(self, entry: Optional[int] = None) -> TrialRequest:
        """For the preflight's rules; ``entry`` is the service's index on the map, where it is known."""
        layer, error = self.request.layer, self.error
        return TrialRequest(layer.title, layer.service, entry, self.request.size, self.seconds, self.size,
                            error.user_text if error else "",
                            f"{self.request.url}\n{error.detail}".strip() if error else "", self.colour)


def fetch_images(requests: Sequence[GetMapRequest], feedback: Feedback) -> List[FetchedImage]:
    """Fetch what QGIS's cache does not hold yet, check it, keep it there; for worker threads.

    The same pictures in the same order; those that failed say why. Cancelled where ``feedback`` was cancelled.
    """
    coming: Queue[Optional[GetMapRequest]] = Queue()
    for request in (*requests, None):
        coming.put(request)
    return _fetch_queue(coming, feedback, {}) if requests else []


def _fetch_queue(queue: Queue[Optional[GetMapRequest]], feedback: Feedback, outcomes: Dict[str,
                                                                                           bool]) -> List[FetchedImage]:
    """Fetch what comes out of the queue, side by side, until None comes; ``come`` tells which came or failed."""
    limits = RequestLimits.from_settings(first_byte=QgsNetworkAccessManager.timeout() / 1000)
    under_way: List[Future[FetchedImage]] = []
    shared = SharedResponses()
    done = 0

    def one(request: GetMapRequest) -> FetchedImage:
        nonlocal done
        picture = _fetch_image(request, limits, feedback, shared)
        # one that was given up is not there: QGIS would ask for it itself, and wait
        outcomes[request.url] = picture.error is None and not feedback.isCanceled()
        done += 1
        # a picture from the cache may be here before the list has it
        feedback.report(99.0 * done / max(done, len(under_way)), request.layer.title)
        return picture

    with pool_slot_released(), ThreadPoolExecutor(max_workers=_MAX_PARALLEL) as pool:
        while True:
            try:
                request = queue.get(timeout=_POLL_SECONDS)
            except Empty:
                feedback.raise_if_cancelled()
                continue
            if request is None:
                break
            under_way.append(pool.submit(one, request))
        pictures = [future.result() for future in under_way]
    feedback.raise_if_cancelled()
    return pictures


def _fetch_image(request: GetMapRequest, limits: RequestLimits, feedback: Feedback,
                 shared: SharedResponses) -> FetchedImage:
    started = time.monotonic()
    authcfg = request.layer.authcfg or authcfg_for(request.url)
    try:
        feedback.raise_if_cancelled()
        if main_thread.call(lambda: qgis_http_cache.is_fresh(request.url), feedback):
            return FetchedImage(request, colour=main_thread.call(lambda: qgis_http_cache.read_note(request.url),
                                                                 feedback))
        wider = request.padded_tile

        def ask() -> Response:
            answer = fetch(Request("GET", wider.url if wider else request.url), limits=limits, authcfg=authcfg,
                           feedback=feedback)
            size = wider.size if wider else request.size
            check_response(answer, "image", size if all(size) else None)
            return answer

        response = shared.obtain(wider.url, ask) if wider else ask()
        media, body = response.headers.get("content-type", "") or "image/png", response.body
        if wider:
            body = crop_tile(response, wider, request.size)
            media = media if body is response.body else "image/png"
    except Cancelled:
        return FetchedImage(request)
    except CartoguideError as error:
        return FetchedImage(request, time.monotonic() - started, 0, error.with_traceback(None))
    seconds = time.monotonic() - started
    colour = single_colour(body, request.size)
    qgis_http_cache.insert_document(request.url, body, media, CACHE_SECONDS, colour)
    return FetchedImage(request, seconds, len(response.body), None, colour)


def layout_requests(layout: QgsPrintLayout, dpi: float, as_image: bool = False,
                    on_request: Optional[Callable[[GetMapRequest], None]] = None) -> List[GetMapRequest]:
    """Every GetMap that the layout's maps, the inset among them, will make; on the main thread.

    ``found_one`` gets each as soon as it is known.
    """
    found: Dict[str, GetMapRequest] = {}
    for item in layout_items.items_of_type(layout, QgsLayoutItemMap):
        if item.isVisible() and not item.excludeFromExports():
            found.update(
                (request.url, request) for request in predict_requests(layout, item, dpi, as_image, on_request))
    return list(found.values())


def fetch_and_draw(layouts: Sequence[QgsPrintLayout], dpi: float, as_image: bool, draw: Callable[[], None],
                   feedback: Optional[QgsFeedback] = None,
                   progress_share: float = 0.0) -> Tuple[List[FetchedImage], bool]:
    """Every picture of the layouts' maps, and meanwhile ``draw``, whose requests wait for theirs; on the main thread.

    The first pictures are under way while the last addresses are still found out. Also tells whether what was drawn
    has all of its pictures.
    """
    coming: Queue[Optional[GetMapRequest]] = Queue()
    come: Dict[str, bool] = {}
    whole: List[bool] = []

    def find_and_draw() -> None:
        requests: List[GetMapRequest] = []
        try:
            for layout in layouts:
                requests += layout_requests(layout, dpi, as_image, coming.put)
        finally:
            coming.put(None)
        with RenderGate(requests, come.get, feedback) as gate:
            draw()
        whole.append(not gate.image_failed)

    pictures = _run_with_events(lambda inner: _fetch_queue(coming, inner, come), find_and_draw, feedback,
                                progress_share)
    return pictures, whole == [True]


def fetch_and_wait(requests: Sequence[GetMapRequest], feedback: Optional[QgsFeedback] = None,
                   progress_share: float = 0.0) -> List[FetchedImage]:
    """The pictures, fetched in a job while this (the main thread) handles events; Cancelled where ``feedback`` was.

    ``feedback`` is told of the progress, ``share`` per cent of it being all.
    """
    if not requests:
        return []
    return _run_with_events(lambda inner: fetch_images(requests, inner), lambda: None, feedback, progress_share)


def _run_with_events(work: Callable[[Feedback], List[FetchedImage]], meanwhile: Callable[[], None],
                     feedback: Optional[QgsFeedback], progress_share: float) -> List[FetchedImage]:
    """Start ``work`` in a job, do ``meanwhile`` here, then handle events until the job has ended."""
    if feedback is not None and feedback.isCanceled():
        raise Cancelled
    pictures: List[FetchedImage] = []
    failures: List[CartoguideError] = []
    ended: List[bool] = []
    loop = QEventLoop()

    def tell(percent: float, _words: str) -> None:
        if feedback is not None and progress_share:
            feedback.setProgress(max(feedback.progress(), percent * progress_share / 100.0))

    def end() -> None:
        ended.append(True)
        loop.quit()

    job = tasks.start(tr("Fetching the pictures of the map"), work, pictures.extend, failures.append, None, tell)
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
    return pictures


def wait_or_cancel(milliseconds: int, feedback: Optional[QgsFeedback] = None) -> None:
    """Let some time pass before the next try; Cancelled where ``feedback`` was."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    if feedback is not None:
        feedback.canceled.connect(loop.quit)
    loop.exec()
    if feedback is not None and feedback.isCanceled():
        raise Cancelled

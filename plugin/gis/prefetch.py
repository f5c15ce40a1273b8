"""The pictures of a map, fetched side by side before it is drawn: QGIS itself asks for one layer after the other.

Each goes into QGIS's network cache under the very address that its provider asks for, so that the drawing only reads.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import Empty, Queue
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import QgsFeedback, QgsLayoutItemMap, QgsNetworkAccessManager, QgsPrintLayout
from qgis.PyQt.QtCore import QEventLoop, QTimer

from ..core.custommap.preflight import Asked
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.request import Request, Response
from ..core.wms.answers import explain_answer
from . import disk_cache, main_thread, tasks
from . import layout_items as ids
from .authentication import authcfg_for
from .blank_picture import only_colour
from .draw_gate import DrawGate
from .map_requests import MapRequest, map_requests
from .memory import memory_kept
from .network import Cancelled, Limits, fetch, pool_thread_lent
from .pieces import SharedAnswers, cut
from .tasks import Feedback

#: seconds that a picture is kept: long enough to look at the findings and then to export
KEPT = 600
#: requests under way at once over all servers; one server gets no more than the setting allows
_SIDE_BY_SIDE = 12
_TICK = 0.05


@dataclass(frozen=True)
class Picture:
    """What became of one request: the seconds and bytes that it took (0 where it was at hand), or why it failed.

    ``colour`` is that of an empty picture, as ``blank_picture.only_colour`` tells it.
    """

    request: MapRequest
    seconds: float = 0.0
    size: int = 0
    error: Optional[CartoguideError] = None
    colour: str = ""

    def asked(self, entry: Optional[int] = None) -> Asked:
        """For the preflight's rules; ``entry`` is the service's index on the map, where it is known."""
        layer, error = self.request.layer, self.error
        return Asked(layer.title, layer.service, entry, self.request.size, self.seconds, self.size,
                     error.user_text if error else "",
                     f"{self.request.url}\n{error.detail}".strip() if error else "", self.colour)


def fetch_pictures(requests: Sequence[MapRequest], feedback: Feedback) -> List[Picture]:
    """Fetch what QGIS's cache does not hold yet, check it, keep it there; for worker threads.

    The same pictures in the same order; those that failed say why. Cancelled where ``feedback`` was cancelled.
    """
    coming: Queue[Optional[MapRequest]] = Queue()
    for request in (*requests, None):
        coming.put(request)
    return _fetch(coming, feedback, {}) if requests else []


def _fetch(coming: Queue[Optional[MapRequest]], feedback: Feedback, come: Dict[str, bool]) -> List[Picture]:
    """Fetch what comes out of the queue, side by side, until None comes; ``come`` tells which came or failed."""
    limits = replace(Limits.from_settings(), first_byte=QgsNetworkAccessManager.timeout() / 1000)
    under_way: List[Future[Picture]] = []
    shared = SharedAnswers()
    done = 0

    def one(request: MapRequest) -> Picture:
        nonlocal done
        picture = _picture(request, limits, feedback, shared)
        # one that was given up is not there: QGIS would ask for it itself, and wait
        come[request.url] = picture.error is None and not feedback.isCanceled()
        done += 1
        # a picture from the cache may be here before the list has it
        feedback.tell(99.0 * done / max(done, len(under_way)), request.layer.title)
        return picture

    with pool_thread_lent(), ThreadPoolExecutor(max_workers=_SIDE_BY_SIDE) as pool:
        while True:
            try:
                request = coming.get(timeout=_TICK)
            except Empty:
                feedback.stop_if_cancelled()
                continue
            if request is None:
                break
            under_way.append(pool.submit(one, request))
        pictures = [future.result() for future in under_way]
    feedback.stop_if_cancelled()
    return pictures


def _picture(request: MapRequest, limits: Limits, feedback: Feedback, shared: SharedAnswers) -> Picture:
    started = time.monotonic()
    authcfg = request.layer.authcfg or authcfg_for(request.url)
    try:
        feedback.stop_if_cancelled()
        if main_thread.call(lambda: disk_cache.is_fresh(request.url), feedback):
            return Picture(request, colour=main_thread.call(lambda: disk_cache.note_of(request.url), feedback))
        wider = request.wider

        def ask() -> Response:
            answer = fetch(Request("GET", wider.url if wider else request.url), limits=limits, authcfg=authcfg,
                           feedback=feedback)
            size = wider.size if wider else request.size
            explain_answer(answer, "image", size if all(size) else None)
            return answer

        response = shared.obtain(wider.url, ask) if wider else ask()
        media, body = response.headers.get("content-type", "") or "image/png", response.body
        if wider:
            body = cut(response, wider, request.size)
            media = media if body is response.body else "image/png"
    except Cancelled:
        return Picture(request)
    except CartoguideError as error:
        return Picture(request, time.monotonic() - started, 0, error.with_traceback(None))
    seconds = time.monotonic() - started
    colour = only_colour(body, request.size)
    disk_cache.put(request.url, body, media, KEPT, colour)
    return Picture(request, seconds, len(response.body), None, colour)


def requests_of(layout: QgsPrintLayout, dpi: float, as_image: bool = False,
                found_one: Optional[Callable[[MapRequest], None]] = None) -> List[MapRequest]:
    """Every GetMap that the layout's maps, the inset among them, will make; on the main thread.

    ``found_one`` gets each as soon as it is known.
    """
    found: Dict[str, MapRequest] = {}
    with memory_kept():
        for item in ids.every(layout, QgsLayoutItemMap):
            if item.isVisible() and not item.excludeFromExports():
                found.update((request.url, request)
                             for request in map_requests(layout, item, dpi, as_image, found_one))
    return list(found.values())


def fetch_layouts(layouts: Sequence[QgsPrintLayout], dpi: float, as_image: bool, draw: Callable[[], None],
                  feedback: Optional[QgsFeedback] = None, share: float = 0.0) -> Tuple[List[Picture], bool]:
    """Every picture of the layouts' maps, and meanwhile ``draw``, whose requests wait for theirs; on the main thread.

    The first pictures are under way while the last addresses are still found out. Also tells whether what was drawn
    has all of its pictures.
    """
    coming: Queue[Optional[MapRequest]] = Queue()
    come: Dict[str, bool] = {}
    whole: List[bool] = []

    def find_and_draw() -> None:
        requests: List[MapRequest] = []
        try:
            for layout in layouts:
                requests += requests_of(layout, dpi, as_image, coming.put)
        finally:
            coming.put(None)
        with DrawGate(requests, come.get, feedback) as gate:
            draw()
        whole.append(not gate.spoilt)

    pictures = _await(lambda inner: _fetch(coming, inner, come), find_and_draw, feedback, share)
    return pictures, whole == [True]


def fetch_now(requests: Sequence[MapRequest], feedback: Optional[QgsFeedback] = None,
              share: float = 0.0) -> List[Picture]:
    """The pictures, fetched in a job while this (the main thread) handles events; Cancelled where ``feedback`` was.

    ``feedback`` is told of the progress, ``share`` per cent of it being all.
    """
    if not requests:
        return []
    return _await(lambda inner: fetch_pictures(requests, inner), lambda: None, feedback, share)


def _await(work: Callable[[Feedback], List[Picture]], meanwhile: Callable[[], None], feedback: Optional[QgsFeedback],
           share: float) -> List[Picture]:
    """Start ``work`` in a job, do ``meanwhile`` here, then handle events until the job has ended."""
    if feedback is not None and feedback.isCanceled():
        raise Cancelled
    pictures: List[Picture] = []
    failures: List[CartoguideError] = []
    ended: List[bool] = []
    loop = QEventLoop()

    def tell(percent: float, _words: str) -> None:
        if feedback is not None and share:
            feedback.setProgress(max(feedback.progress(), percent * share / 100.0))

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


def wait(milliseconds: int, feedback: Optional[QgsFeedback] = None) -> None:
    """Let some time pass before the next try; Cancelled where ``feedback`` was."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    if feedback is not None:
        feedback.canceled.connect(loop.quit)
    loop.exec()
    if feedback is not None and feedback.isCanceled():
        raise Cancelled

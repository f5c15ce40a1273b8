"""The pictures of a map, fetched side by side before it is drawn: QGIS itself asks for one layer after the other.

Each goes into QGIS's network cache under the very address that its provider asks for, so that the drawing only reads.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Callable, Dict, List, Optional, Sequence

from qgis.core import QgsFeedback, QgsLayoutItemMap, QgsNetworkAccessManager, QgsPrintLayout
from qgis.PyQt.QtCore import QEventLoop, QObject, QTimer

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.request import Request
from ..core.wms.answers import explain_answer
from . import disk_cache, main_thread, tasks
from . import layout_items as ids
from .authentication import authcfg_for
from .map_requests import MapRequest, map_requests
from .network import Cancelled, Limits, fetch, pool_thread_lent
from .tasks import Feedback

#: seconds that a picture is kept: long enough to look at the findings and then to export
KEPT = 600
#: requests under way at once over all servers; one server gets no more than the setting allows
_SIDE_BY_SIDE = 12


@dataclass(frozen=True)
class Picture:
    """What became of one request: the seconds and bytes that it took (0 where it was at hand), or why it failed."""

    request: MapRequest
    seconds: float = 0.0
    size: int = 0
    error: Optional[CartoguideError] = None


def fetch_pictures(requests: Sequence[MapRequest], feedback: Feedback) -> List[Picture]:
    """Fetch what QGIS's cache does not hold yet, check it, keep it there; for worker threads.

    The same pictures in the same order; those that failed say why. Cancelled where ``feedback`` was cancelled.
    """
    limits = replace(Limits.from_settings(), first_byte=QgsNetworkAccessManager.timeout() / 1000)
    done = 0

    def one(request: MapRequest) -> Picture:
        nonlocal done
        picture = _picture(request, limits, feedback)
        done += 1
        feedback.tell(99.0 * done / len(requests), request.layer.title)
        return picture

    if not requests:
        return []
    with pool_thread_lent(), ThreadPoolExecutor(max_workers=min(_SIDE_BY_SIDE, len(requests))) as pool:
        pictures = list(pool.map(one, requests))
    feedback.stop_if_cancelled()
    return pictures


def _picture(request: MapRequest, limits: Limits, feedback: Feedback) -> Picture:
    started = time.monotonic()
    authcfg = request.layer.authcfg or authcfg_for(request.url)
    try:
        feedback.stop_if_cancelled()
        if main_thread.call(lambda: disk_cache.is_fresh(request.url), feedback):
            return Picture(request)
        response = fetch(Request("GET", request.url), limits=limits, authcfg=authcfg, feedback=feedback)
        explain_answer(response, "image", request.size if all(request.size) else None)
    except Cancelled:
        return Picture(request)
    except CartoguideError as error:
        return Picture(request, time.monotonic() - started, 0, error.with_traceback(None))
    media = response.headers.get("content-type", "") or "image/png"
    disk_cache.put(request.url, response.body, media, KEPT)
    return Picture(request, time.monotonic() - started, len(response.body))


def requests_of(layout: QgsPrintLayout, dpi: float, as_image: bool = False) -> List[MapRequest]:
    """Every GetMap that the layout's maps, the inset among them, will make; on the main thread."""
    found: Dict[str, MapRequest] = {}
    for item in ids.every(layout, QgsLayoutItemMap):
        if item.isVisible() and not item.excludeFromExports():
            found.update((request.url, request) for request in map_requests(layout, item, dpi, as_image))
    return list(found.values())


def start(requests: Sequence[MapRequest], done: Callable[[List[Picture]], None],
          failed: Callable[[CartoguideError], None], owner: Optional[QObject] = None,
          progress: Optional[Callable[[float, str], None]] = None) -> tasks.Job:
    """Fetch in a job; ``done`` gets the pictures on the main thread."""
    return tasks.start(tr("Fetching the pictures of the map"), lambda feedback: fetch_pictures(requests, feedback),
                       done, failed, owner, progress)


def fetch_now(requests: Sequence[MapRequest], feedback: Optional[QgsFeedback] = None,
              share: float = 0.0) -> List[Picture]:
    """The pictures, fetched in a job while this (the main thread) handles events; Cancelled where ``feedback`` was.

    ``feedback`` is told of the progress, ``share`` per cent of it being all.
    """
    if feedback is not None and feedback.isCanceled():
        raise Cancelled
    if not requests:
        return []
    pictures: List[Picture] = []
    failures: List[CartoguideError] = []
    loop = QEventLoop()

    def tell(percent: float, _words: str) -> None:
        if feedback is not None and share:
            feedback.setProgress(percent * share / 100.0)

    job = start(requests, pictures.extend, failures.append, None, tell)
    job.ended.connect(loop.quit)
    if feedback is not None:
        feedback.canceled.connect(job.cancel)
    loop.exec()
    if feedback is not None:
        feedback.canceled.disconnect(job.cancel)
        if feedback.isCanceled():
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

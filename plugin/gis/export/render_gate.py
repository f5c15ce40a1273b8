"""Hold each request of a drawing until its image is in QGIS's network cache.

QGIS requests and draws one layer after the other. The images are fetched in parallel beforehand, and the drawing is
held where it would read one that has not arrived.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Callable, Dict, Optional, Sequence

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QEventLoop, QTimer, QUrl
from qgis.PyQt.QtNetwork import QNetworkRequest

from ..network.request_preprocessors import request_preprocessor
from ..runtime import main_thread
from .getmap_prediction import EMPTY_IMAGE_URL, GetMapRequest, encoded_url, is_own_request

_POLL_MS = 10


class RenderGate:
    """Context around a drawing. ``image_failed`` is True if an image failed, so that the drawing must not be used.

    ``outcome(address)`` returns None until the image arrived (True) or failed (False). It is called on the main thread.
    """

    def __init__(self, requests: Sequence[GetMapRequest], outcome: Callable[[str], Optional[bool]],
                 feedback: Optional[QgsFeedback]) -> None:
        self.image_failed = False
        self._requests: Dict[str, GetMapRequest] = {request.url: request for request in requests}
        self._outcome = outcome
        self._feedback = feedback
        self._open = ExitStack()

    def __enter__(self) -> RenderGate:
        self._open.enter_context(request_preprocessor(self._hold_request))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _hold_request(self, request: QNetworkRequest) -> None:
        if not main_thread.is_main() or is_own_request(request):
            return
        expected = self._requests.get(encoded_url(request))
        if expected is None:
            return
        # for a layer with custom headers only QGIS's request shows whether it succeeds
        if not self.image_failed and wait_for_image(
                self._outcome, expected.url, self._feedback) is False and expected.layer.has_plain_requests:
            self.image_failed = True
        if self.image_failed:
            # the drawing will be discarded: no more waiting and no more requests
            request.setUrl(QUrl(EMPTY_IMAGE_URL))


def wait_for_image(outcome: Callable[[str], Optional[bool]], address: str, feedback: Optional[QgsFeedback]) -> bool:
    """Handle events until the image arrives. Return False if it failed or everything was cancelled."""
    loop, ticks = QEventLoop(), QTimer()
    ticks.start(_POLL_MS)
    while (arrived := outcome(address)) is None:
        if feedback is not None and feedback.isCanceled():
            return False
        loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    return arrived and not (feedback is not None and feedback.isCanceled())

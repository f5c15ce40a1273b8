"""Drawing while the last pictures still come: each request of a drawing waits until its picture is in QGIS's cache.

QGIS asks for one layer's picture after the other, and draws one before it asks for the next. The pictures are fetched
side by side beforehand; here the drawing is held just where it would read one that has not come yet.
"""

from __future__ import annotations

from typing import Callable, Dict, Optional, Sequence

from qgis.core import QgsFeedback, QgsNetworkAccessManager
from qgis.PyQt.QtCore import QEventLoop, QTimer, QUrl
from qgis.PyQt.QtNetwork import QNetworkRequest

from ..runtime import main_thread
from .getmap_prediction import EMPTY_IMAGE_URL, GetMapRequest, encoded_url, is_own_request

_POLL_MS = 10


class RenderGate:
    """Use as a context around a drawing. ``spoilt`` tells that a picture failed: the drawing is not to be used.

    ``outcome(address)`` is None until the picture came (True) or failed (False); it is called on the main thread.
    """

    def __init__(self, requests: Sequence[GetMapRequest], outcome: Callable[[str], Optional[bool]],
                 feedback: Optional[QgsFeedback]) -> None:
        self.image_failed = False
        self._requests: Dict[str, GetMapRequest] = {request.url: request for request in requests}
        self._outcome = outcome
        self._feedback = feedback
        self._preprocessor_id = ""

    def __enter__(self) -> RenderGate:
        self._preprocessor_id = QgsNetworkAccessManager.setRequestPreprocessor(self._hold_request)
        return self

    def __exit__(self, *_: object) -> None:
        QgsNetworkAccessManager.removeRequestPreprocessor(self._preprocessor_id)

    def _hold_request(self, request: QNetworkRequest) -> None:
        if not main_thread.is_main() or is_own_request(request):
            return
        wanted = self._requests.get(encoded_url(request))
        if wanted is None:
            return
        # of a layer with headers of its own only QGIS's own request can tell
        if not self.image_failed and self._wait_for_image(wanted.url) is False and wanted.layer.has_plain_requests:
            self.image_failed = True
        if self.image_failed:
            # what is left of a drawing that nobody will see: no more waiting, and nothing more asked for
            request.setUrl(QUrl(EMPTY_IMAGE_URL))

    def _wait_for_image(self, address: str) -> bool:
        """Handle events until the picture is there; False where it failed, or all was cancelled."""
        loop, ticks = QEventLoop(), QTimer()
        ticks.start(_POLL_MS)
        while (come := self._outcome(address)) is None:
            if self._feedback is not None and self._feedback.isCanceled():
                return False
            loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        return come and not (self._feedback is not None and self._feedback.isCanceled())

"""Small images of services, drawn by their own GetMap: fetched in a task, the newest only, and cached in memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import Hashable, Optional, Sequence, Tuple

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtGui import QImage

from ...core.custommap.preview_image import PreviewContent, preview_request
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.record import Extent
from ...core.request import Request
from ...core.wms.model.service import Service
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..library.thumbnails import decode_image
from ..network.client import RequestLimits, fetch
from ..runtime import images, tasks
from ..runtime.network_errors import host_of
from ..services.map_addresses import address_of_requests

#: pixels of a preview
WIDTH, HEIGHT = 380, 180
_MAX_BYTES = 4 * 1024 * 1024
_TOTAL_SECONDS = 30.0
_MAX_CACHED = 40


class ServicePreviews(QObject):
    """Emits ``loaded`` with the image, or ``failed`` with a CartoguideError, of the newest request. Main thread only.

    ``started`` is emitted if the image is not in memory.
    """

    started = pyqtSignal()
    loaded = pyqtSignal(QImage)
    failed = pyqtSignal(object)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._cache: OrderedDict[Hashable, QImage] = OrderedDict()
        self._job = tasks.LatestJob[QImage](self)

    def cached(self, content: PreviewContent, extents: Sequence[Extent], crs: str, endpoint: str,
               room: Tuple[int, int] = (WIDTH, HEIGHT)) -> Optional[QImage]:
        """Return the image that ``request`` would load if it is in memory, or None."""
        return self._cache.get((content, tuple(extents), crs, endpoint, room))

    def request(self, service: Service, content: PreviewContent, extents: Sequence[Extent], crs: str,
                endpoint: str, room: Tuple[int, int] = (WIDTH, HEIGHT)) -> None:
        """Load the image of ``content``. ``extents`` are those of the record, ``crs`` is that of the map.

        The service is the one at ``endpoint``, and the image at most ``room`` pixels wide and high.
        """
        self._job.cancel()
        key = (content, tuple(extents), crs, endpoint, room)
        known = self._cache.get(key)
        if known is not None:
            self._cache.move_to_end(key)
            self.loaded.emit(known)
            return

        def load(feedback: QgsFeedback) -> QImage:
            # PROJ takes long for the first coordinates of a CRS
            return _fetch_map(*preview_request(service, content, extents, crs, *room,
                                               address_of_requests(endpoint, service)), feedback)

        def show(image: QImage) -> None:
            self._cache[key] = image
            while len(self._cache) > _MAX_CACHED:
                self._cache.popitem(last=False)
            self.loaded.emit(image)

        self.started.emit()
        self._job.start(tr("Loading an image from {host}", host=host_of(endpoint)), load, show, self.failed.emit)

    def cancel(self) -> None:
        self._job.cancel()


def _fetch_map(request: Request, size: Tuple[int, int], feedback: QgsFeedback) -> QImage:
    limits = RequestLimits.from_settings(max_total=_TOTAL_SECONDS, max_bytes=_MAX_BYTES, retries=0)
    response = fetch(request, limits=limits, feedback=feedback)
    check_response(response, ExpectedContent.IMAGE)
    if images.single_colour(response.body, size) == images.TRANSPARENT:
        raise CartoguideError(tr("The service draws nothing at this scale."), request.url)
    return decode_image(response.body)

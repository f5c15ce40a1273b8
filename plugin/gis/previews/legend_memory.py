"""Legends fetched for the picture of the page, kept so that a change of the page requests only what is new."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Dict, Hashable, Optional, Sequence, Tuple

from qgis.core import QgsFeedback

from ...core.custommap.model import LayerPlan
from ...core.errors import Cancelled, CartoguideError
from ...core.request import Request, Response
from ...core.wms.responses.image_headers import image_format
from ...core.wms.responses.style_rules import is_styles_document
from ..legends.archive import legend_request_sender
from ..legends.legend_graphics import FetchedLegends, fetch_legends, legend_key
from ..legends.legend_nodes import LegendKey, Swatch
from ..pages.page_contents import ContentsRequest, ReadContents

#: seconds after which what could not be fetched is requested again, and what could
_RETRY_SECONDS, _KEEP_SECONDS = 60.0, 1800.0
#: seconds for which table and photos are shown again: a layer of the project may be edited at any time
_EXTRAS_SECONDS = 300.0
#: responses and their bytes that are kept at most
_MAX_RESPONSES, _MAX_BYTES = 400, 32_000_000
#: pages, and bytes of the images in their legends, that are kept at most. The page drawn last is kept whatever its size
_MAX_PAGES, _MAX_IMAGE_BYTES = 8, 24_000_000

_LegendsKey = Tuple[object, ...]


class _Stored:
    """A response, or why there is none, until a time of the monotonic clock."""

    def __init__(self, response: Optional[Response], error: Optional[CartoguideError], seconds: float) -> None:
        self.response, self.error = response, error
        self.until = time.monotonic() + seconds

    @property
    def size(self) -> int:
        """Bytes of the response."""
        return len(self.response.body) if self.response is not None else 0

    def result(self) -> Response:
        """Return the response. Raises the error that was raised in its place."""
        if self.response is None:
            raise self.error or CartoguideError("")
        return self.response


class LegendMemory:
    """The legends fetched last, and the responses that they were made from, by address.

    Styles and whole graphics do not depend on the map's scale: another scale requests only the symbols drawn at it.
    """

    def __init__(self) -> None:
        self._legends: OrderedDict[_LegendsKey, Tuple[FetchedLegends, float]] = OrderedDict()
        self._responses: Dict[str, _Stored] = {}
        self._extras: Optional[Tuple[Hashable, ReadContents, float]] = None
        self._lock = threading.Lock()

    def find(self, plans: Sequence[LayerPlan], scale: float) -> Optional[FetchedLegends]:
        """Return the legends of these layers at this scale, or None if they have to be fetched."""
        legends, until = self._legends.get(_legends_key(plans, scale), (None, 0.0))
        return legends if time.monotonic() < until else None

    def known(self, key: LegendKey) -> Optional[Tuple[Swatch, ...]]:
        """Return a layer's swatches on the page drawn last that had its legend, or None."""
        return next((legends.swatches[key] for legends, _until in reversed(list(self._legends.values()))
                     if key in legends.swatches), None)

    def remember(self, plans: Sequence[LayerPlan], scale: float, legends: FetchedLegends) -> None:
        """Keep ``legends``, those with missing ones for a short while."""
        key = _legends_key(plans, scale)
        self._legends[key] = legends, time.monotonic() + (_RETRY_SECONDS if legends.missing else _KEEP_SECONDS)
        self._legends.move_to_end(key)
        while len(self._legends) > 1 and (len(self._legends) > _MAX_PAGES or self._image_bytes() > _MAX_IMAGE_BYTES):
            self._legends.popitem(last=False)

    def _image_bytes(self) -> int:
        """Bytes of the images, each counted once: pages at several scales may share them."""
        images = {id(image): image.sizeInBytes() for legends, _until in self._legends.values()
                  for swatches in legends.swatches.values() for swatch in swatches
                  for image in (swatch.image, swatch.label_image) if image is not None}
        return sum(images.values())

    def fetch(self, plans: Sequence[LayerPlan], scale: float, feedback: Optional[QgsFeedback]) -> FetchedLegends:
        """Fetch legends for a look: each request is sent once, and none whose response is known.

        Blocks, for worker threads. Raises Cancelled.
        """
        send = legend_request_sender(plans, feedback)
        # responses of a snapshot are not those of the service
        source = "|".join(dict.fromkeys(plan.snapshot_source.folder for plan in plans
                                        if plan.snapshot_source is not None))

        def send_once(request: Request) -> Response:
            key = f"{source}|{request.url}"
            with self._lock:
                stored = self._responses.get(key)
            if stored is None or time.monotonic() > stored.until:
                try:
                    response = send(request)
                    stored = _Stored(response, None, _KEEP_SECONDS if _is_usable(response) else _RETRY_SECONDS)
                except Cancelled:
                    raise
                except CartoguideError as error:
                    stored = _Stored(None, error, _RETRY_SECONDS)
                self._store(key, stored)
            return stored.result()

        return fetch_legends(plans, scale, feedback, send_once, attempts=1)

    def find_extras(self, request: ContentsRequest) -> Optional[ReadContents]:
        """Return table and photos that were read for an equal request, or None if they have to be read."""
        key, extras, until = self._extras or ((), None, 0.0)
        return extras if key == request.key and time.monotonic() < until else None

    def remember_extras(self, request: ContentsRequest, extras: ReadContents) -> None:
        """Keep the table and photos that were read last, with problems for a short while."""
        seconds = _RETRY_SECONDS if extras.has_problems else _EXTRAS_SECONDS
        self._extras = request.key, extras, time.monotonic() + seconds

    def _store(self, key: str, stored: _Stored) -> None:
        with self._lock:
            self._responses.pop(key, None)
            self._responses[key] = stored
            size = sum(one.size for one in self._responses.values())
            while size > _MAX_BYTES or len(self._responses) > _MAX_RESPONSES:
                size -= self._responses.pop(next(iter(self._responses))).size


def _is_usable(response: Response) -> bool:
    return bool(image_format(response.body)) or is_styles_document(response.body)


def _legends_key(plans: Sequence[LayerPlan], scale: float) -> _LegendsKey:
    return (round(scale), *((legend_key(plan), plan.visible, plan.symbol_factor) for plan in plans))

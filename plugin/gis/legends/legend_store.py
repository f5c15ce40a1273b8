"""Legends fetched for pictures of pages and for the rows of the map, kept so that only what is new is requested.

What is printed or saved in a snapshot is fetched anew (``legend_graphics``). The small legends of a service's list of
layers are other images: one whole graphic each (``legend_previews``).
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Dict, Optional, Sequence, Tuple, TypeVar

from qgis.core import QgsFeedback

from ...core.custommap.model import LayerPlan
from ...core.errors import Cancelled, CartoguideError
from ...core.request import Request, Response
from ...core.wms.responses.image_headers import image_format
from ...core.wms.responses.style_rules import is_styles_document
from .archive import legend_request_sender
from .legend_graphics import FetchedLegends, fetch_legends, legend_key
from .legend_nodes import LegendKey, Swatch

#: seconds after which what could not be fetched is requested again, and what could
_RETRY_SECONDS, _KEEP_SECONDS = 60.0, 1800.0
#: responses and their bytes that are kept at most
_MAX_RESPONSES, _MAX_BYTES = 400, 32_000_000
#: pages and layers of rows, and bytes of the images in their legends, that are kept at most. What was fetched last is
#: kept whatever its size
_MAX_PAGES, _MAX_PAGE_BYTES = 8, 24_000_000
_MAX_LAYERS, _MAX_LAYER_BYTES = 100, 12_000_000

_LegendsKey = Tuple[object, ...]
_Key = TypeVar("_Key", LegendKey, _LegendsKey)


class _Stored:
    """A response, or why there is none, until a time of the monotonic clock."""

    def __init__(self, response: Optional[Response], error: Optional[CartoguideError], seconds: float) -> None:
        self.response, self.error = response, error
        self.until = time.monotonic() + seconds

    @property
    def size(self) -> int:
        return len(self.response.body) if self.response is not None else 0

    def result(self) -> Response:
        """Return the response. Raises the error that was raised in its place."""
        if self.response is None:
            raise self.error or CartoguideError("")
        return self.response


class LegendStore:
    """The legends fetched last, and the responses that they were made from, by address.

    Styles and whole graphics do not depend on the map's scale: another scale requests only the symbols drawn at it.
    """

    def __init__(self) -> None:
        self._legends: OrderedDict[_LegendsKey, Tuple[FetchedLegends, float]] = OrderedDict()
        self._responses: Dict[str, _Stored] = {}
        #: of rows: layers without a legend have none until they may be requested again
        self._layers: OrderedDict[LegendKey, Tuple[FetchedLegends, float]] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, plans: Sequence[LayerPlan], scale: float) -> Optional[FetchedLegends]:
        """Return the legends of these layers at this scale, or None if they have to be fetched."""
        legends, until = self._legends.get(_legends_key(plans, scale), (None, 0.0))
        return legends if time.monotonic() < until else None

    def known(self, key: LegendKey) -> Optional[Tuple[Swatch, ...]]:
        """Return a layer's swatches on the page drawn last that had its legend, else those of its row, or None."""
        of_row = [self._layers[key]] if key in self._layers else []
        return next((legends.swatches[key] for legends, _until in (*reversed(list(self._legends.values())), *of_row)
                     if key in legends.swatches), None)

    def failure(self, key: LegendKey) -> str:
        """Return why a layer's legend did not come for the page drawn last that has it, or ""."""
        return next((legends.failed.get(key, "") for legends, _until in reversed(list(self._legends.values()))
                     if key in legends.failed or key in legends.swatches), "")

    def forget_failures(self) -> None:
        """Request anew what did not come."""
        self._legends = OrderedDict((key, kept) for key, kept in self._legends.items() if not kept[0].failed)
        self._layers = OrderedDict((key, kept) for key, kept in self._layers.items() if not kept[0].notes)
        with self._lock:
            self._responses = {key: stored for key, stored in self._responses.items()
                               if stored.response is not None and _is_usable(stored.response)}

    def notes(self, key: LegendKey) -> Sequence[str]:
        """Return why a layer's row has no legend, as far as it was requested for the row."""
        return self._layers[key][0].notes if self.known(key) is None and key in self._layers else ()

    def is_due(self, key: LegendKey) -> bool:
        """Return whether a layer's legend is unknown and may be requested."""
        return self.known(key) is None and (key not in self._layers or time.monotonic() >= self._layers[key][1])

    def remember_layers(self, plans: Sequence[LayerPlan], legends: FetchedLegends) -> None:
        """Keep the legends that were fetched for the rows of these layers, and for a while why there are none."""
        for key in map(legend_key, plans):
            found = {key: legends.swatches[key]} if key in legends.swatches else {}
            self._layers[key] = FetchedLegends(found, [] if found else legends.notes), time.monotonic() + _RETRY_SECONDS
            self._layers.move_to_end(key)
        _trim(self._layers, _MAX_LAYERS, _MAX_LAYER_BYTES)

    def remember(self, plans: Sequence[LayerPlan], scale: float, legends: FetchedLegends) -> None:
        """Keep ``legends``, those with missing ones for a short while."""
        key = _legends_key(plans, scale)
        self._legends[key] = legends, time.monotonic() + (_RETRY_SECONDS if legends.missing else _KEEP_SECONDS)
        self._legends.move_to_end(key)
        _trim(self._legends, _MAX_PAGES, _MAX_PAGE_BYTES)

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

    def _store(self, key: str, stored: _Stored) -> None:
        with self._lock:
            self._responses.pop(key, None)
            self._responses[key] = stored
            size = sum(one.size for one in self._responses.values())
            while size > _MAX_BYTES or len(self._responses) > _MAX_RESPONSES:
                size -= self._responses.pop(next(iter(self._responses))).size


def _trim(legends: OrderedDict[_Key, Tuple[FetchedLegends, float]], most: int, most_bytes: int) -> None:
    """Drop the oldest legends until the rest is within its bounds. Images that several share count once."""
    while len(legends) > 1:
        images = {id(image): image.sizeInBytes() for found, _until in legends.values()
                  for swatches in found.swatches.values() for swatch in swatches
                  for image in (swatch.image, swatch.label_image) if image is not None}
        if len(legends) <= most and sum(images.values()) <= most_bytes:
            return
        legends.popitem(last=False)


def _is_usable(response: Response) -> bool:
    return bool(image_format(response.body)) or is_styles_document(response.body)


def _legends_key(plans: Sequence[LayerPlan], scale: float) -> _LegendsKey:
    return (round(scale), *((legend_key(plan), plan.visible, plan.symbol_factor) for plan in plans))

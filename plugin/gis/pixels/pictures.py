"""Pictures of map services other than WMS, in pieces that the service's description allows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Optional, Sequence

from qgis.core import QgsMapSettings, QgsRasterLayer

from ...core.box import Box
from ...core.sources.feature_pages import Get
from ...core.wms.requests.tile_overlap import image_pieces
from ...core.wms.responses.response_validation import ExpectedContent
from ..sources.layer_kind import ServedPicture
from .request import PixelRequest, RequestedPiece, source_window, viewport


@dataclass(frozen=True)
class PictureRequest(PixelRequest):
    """The pictures that are needed of a layer for one map. Their largest size is in the service's description."""

    source: Optional[ServedPicture] = field(default=None, compare=False, repr=False)

    @property
    def is_needed(self) -> bool:
        return self.window.width > 0

    def needed_pieces(self, read: Get) -> Sequence[RequestedPiece]:
        """Return the pictures to request. Raises CartoguideError."""
        if self.source is None or not self.is_needed:
            return ()
        window, limits = self.window, read(self.source.description, ExpectedContent.JSON, self.source.limits)
        unit_x, unit_y = window.extent.width() / window.width, window.extent.height() / window.height
        found = []
        for piece in image_pieces((window.width, window.height), limits):
            west = window.extent.xMinimum() + (piece.left - piece.margin_left) * unit_x
            north = window.extent.yMaximum() - (piece.top - piece.margin_top) * unit_y
            width, height = piece.requested
            box = Box(west, north - height * unit_y, west + width * unit_x, north)
            found.append(RequestedPiece(self.source.url(box, piece.requested, self.settings.outputDpi()), piece))
        return found


def picture_request(settings: QgsMapSettings, layer: QgsRasterLayer, source: ServedPicture, service: str, address: str,
                    page: int) -> PictureRequest:
    """Return what one drawing needs of a layer. Main thread only."""
    request = PictureRequest(layer, settings, layer.id(), layer.name(), service, source.login, source.headers, page,
                             address, source=source)
    area = viewport(settings, layer)
    window = source_window(settings, layer, area) if area is not None else None
    return request if area is None or window is None else replace(request, viewport=area, window=window)

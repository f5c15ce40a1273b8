"""Checks of map images that are valid and would hide the layers below them."""

from __future__ import annotations

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.request import Response
from ...core.wms.requests.urls import query_parameters
from ...core.wms.responses.image_headers import can_be_transparent, image_format
from .getmap_prediction import GetMapRequest

#: names of image formats in media types, by the name that the first bytes of an image give
_FORMAT_NAMES = {"jpeg": ("jpeg", "jpg"), "png": ("png",), "gif": ("gif",), "webp": ("webp",), "tiff": ("tiff",),
                 "bmp": ("bmp",)}


def is_opaque(request: GetMapRequest, body: bytes) -> bool:
    """Return whether the image cannot be transparent although that was requested and there are layers below it."""
    return request.is_above_others and _parameter(request.url, "TRANSPARENT").upper() == "TRUE" \
        and can_be_transparent(body) is False


def check_format(request: GetMapRequest, response: Response) -> None:
    """Raise CartoguideError for an opaque image of another format than requested that would hide the layers below."""
    actual = image_format(response.body) or ""
    wanted = _parameter(request.url, "FORMAT").lower()
    if actual in _FORMAT_NAMES and not any(name in wanted for name in _FORMAT_NAMES[actual]) \
            and is_opaque(request, response.body):
        raise CartoguideError(
            tr("The server sent an opaque image ({actual}) instead of a transparent one ({wanted}). It would hide the "
               "layers below.", actual=actual.upper(), wanted=wanted), response.url)


def _parameter(url: str, name: str) -> str:
    return next((value for key, value in query_parameters(url) if key.upper() == name), "")

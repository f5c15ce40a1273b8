"""Checks of map images that are valid and may be wrong all the same: opaque overlays, and errors drawn as pictures."""

from __future__ import annotations

from typing import Callable, Tuple

from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.request import Response
from ...core.wms.requests.urls import query_parameters, with_parameters
from ...core.wms.responses.exception_reports import read_exception_report
from ...core.wms.responses.image_headers import can_be_transparent, image_format
from ..runtime.images import looks_like_text
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


def check_for_drawn_error(url: str, response: Response, size: Tuple[int, int],
                          send: Callable[[str], Response]) -> None:
    """Raise the error of a server that draws it into the image.

    An image of ``size`` pixels that shows nothing but text is requested once more from ``url`` with errors as XML
    (06-042 7.3.3.11), by ``send``. If the response is an exception report, it is raised. Any other proves nothing.
    """
    if not looks_like_text(response.body, size):
        return
    version = _parameter(url, "VERSION")
    as_xml = "XML" if version.startswith("1.3") else "application/vnd.ogc.se_xml"
    try:
        second = send(with_parameters(url, {"SERVICE": "WMS", "VERSION": version, "REQUEST": "GetMap",
                                            "EXCEPTIONS": as_xml}))
    except Cancelled:
        raise
    except CartoguideError:
        return
    report = read_exception_report(second.body, second.content_type)
    if report is not None:
        raise report


def _parameter(url: str, name: str) -> str:
    return next((value for key, value in query_parameters(url) if key.upper() == name), "")

"""Send an operation's request and prepare the response for display: image, text, HTML, styles, descriptions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Callable, Optional, Tuple

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QImage

from ...core.errors import CartoguideError
from ...core.featureinfo.safe_html import sanitise_html
from ...core.i18n import tr
from ...core.request import Request, Response
from ...core.safe_xml import decode_for_display
from ...core.wms.responses.document_detection import is_html, looks_like_xml
from ...core.wms.responses.image_headers import image_format, image_size
from ...core.wms.responses.layer_descriptions import LayerDescription, read_layer_descriptions
from ...core.wms.responses.response_validation import check_response
from ...core.wms.responses.style_rules import LayerStyle, read_styles
from ..library.thumbnails import FORMATS, decode_image
from ..network.client import fetch
from ..network.http_exchange import CachePolicy
from ..runtime import tasks
from ..runtime.network_errors import host_of
from .raster_image import is_raster, raster_image

#: pixels of the longer edge of a displayed image (it is saved unchanged)
MAX_DISPLAY_EDGE = 2048
#: bytes that are checked to recognise text
_SAMPLE_BYTES = 4096


class ResponseKind(Enum):
    """Kind of a response, by its bytes."""

    IMAGE = "image"
    XML = "xml"
    HTML = "html"
    TEXT = "text"
    BINARY = "binary"


@dataclass(frozen=True)
class OperationResponse:
    """A response ready for a widget. ``problem`` is the error if it is not what was requested."""

    response: Response
    kind: ResponseKind
    problem: Optional[CartoguideError] = None
    image: Optional[QImage] = None
    #: the image's full size in pixels
    size: Optional[Tuple[int, int]] = None
    #: sanitised markup of an HTML response
    html: str = ""
    descriptions: Tuple[LayerDescription, ...] = ()
    styles: Tuple[LayerStyle, ...] = ()
    #: an SLD without any style, as servers send for rasters
    without_styles: bool = False


def start_request(request: Request, expected: str, size: Optional[Tuple[int, int]],
                  done: Callable[[OperationResponse], None], failed: tasks.ErrorCallback,
                  owner: Optional[QObject] = None) -> tasks.Job:
    """Send ``request`` in a task.

    ``failed`` is called if no response arrives. A refusal by the service is a response with a ``problem``. ``expected``
    and ``size`` are those of ``check_response``.
    """
    def work(feedback: QgsFeedback) -> OperationResponse:
        # a person who presses "Send" expects the server's present response, not a cached one
        return read_response(fetch(request, feedback=feedback, cache_policy=CachePolicy.REFRESH), expected, size)

    return tasks.start(tr("Contacting {host}", host=host_of(request.url)), work, done, failed, owner)


def read_response(response: Response, expected: str, size: Optional[Tuple[int, int]] = None) -> OperationResponse:
    """Return ``response`` prepared for display. For worker threads."""
    problem: Optional[CartoguideError] = None
    try:
        check_response(response, expected, size)
    except CartoguideError as error:
        problem = error.with_traceback(None)
    kind = detect_kind(response.body)
    if kind is ResponseKind.IMAGE:
        return _image_response(response, problem)
    if kind is ResponseKind.HTML:
        return OperationResponse(response, kind, problem, html=sanitise_html(decode_for_display(response.body)))
    if kind is not ResponseKind.XML or problem is not None:
        return OperationResponse(response, kind, problem)
    host = host_of(response.url)
    try:
        styles = read_styles(response.body, host)
        return OperationResponse(
            response, kind, None, descriptions=read_layer_descriptions(response.body, host), styles=styles,
            without_styles=not styles and b"StyledLayerDescriptor" in response.body[:_SAMPLE_BYTES])
    except CartoguideError as error:
        return OperationResponse(response, kind, error.with_traceback(None))


def detect_kind(body: bytes) -> ResponseKind:
    """Return the kind of a response by its bytes, because the media type that a server sends is often wrong."""
    if image_format(body) in FORMATS or is_raster(body):
        return ResponseKind.IMAGE
    if is_html(body) and not body.lstrip().startswith(b"<?xml"):
        return ResponseKind.HTML
    if looks_like_xml(body):
        return ResponseKind.XML
    head = decode_for_display(body[:_SAMPLE_BYTES])
    readable = sum(character.isprintable() or character.isspace() for character in head)
    return ResponseKind.TEXT if readable >= 0.95 * len(head) else ResponseKind.BINARY


def _image_response(response: Response, problem: Optional[CartoguideError]) -> OperationResponse:
    full_size = image_size(response.body)
    try:
        if is_raster(response.body):
            image, full_size = raster_image(response.body, MAX_DISPLAY_EDGE)
            return OperationResponse(response, ResponseKind.IMAGE, problem, image, full_size)
        image = decode_image(response.body, MAX_DISPLAY_EDGE)
        return OperationResponse(response, ResponseKind.IMAGE, problem, image, full_size)
    except CartoguideError as error:
        return OperationResponse(response, ResponseKind.BINARY, problem or error.with_traceback(None), size=full_size)

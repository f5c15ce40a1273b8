"""An operation's request sent, and its answer made ready to be shown: pixels, text, HTML, styles, data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional, Tuple

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QImage

from ...core.errors import CartoguideError
from ...core.featureinfo.safe_html import sanitise_html
from ...core.i18n import tr
from ...core.request import Request, Response
from ...core.wms.responses.document_detection import is_html, looks_like_xml
from ...core.wms.responses.image_headers import image_format, image_size
from ...core.wms.responses.layer_descriptions import LayerDescription, read_layer_descriptions
from ...core.wms.responses.response_validation import check_response
from ...core.wms.responses.style_rules import LayerStyle, read_styles
from ...core.xml_display import decode_for_display
from ..library.thumbnails import FORMATS, decode_image
from ..network.client import fetch
from ..network.http_exchange import CachePolicy
from ..runtime import tasks
from ..runtime.network_errors import host_of
from .raster_image import is_raster, raster_image

#: what an answer is, by its bytes
IMAGE, XML, HTML, TEXT, BINARY = "image", "xml", "html", "text", "binary"
#: pixels of the longer edge that an image is shown with; it is saved as it came
MAX_DISPLAY_EDGE = 2048
#: bytes in which a text is told from anything else
_SAMPLE_BYTES = 4096


@dataclass(frozen=True)
class OperationResponse:
    """What came back, ready for a widget. ``problem`` says in words why it is not what was asked for, if so."""

    response: Response
    kind: str
    problem: Optional[CartoguideError] = None
    image: Optional[QImage] = None
    #: the image's own size in pixels, however it is shown
    size: Optional[Tuple[int, int]] = None
    #: harmless markup of an HTML answer
    html: str = ""
    descriptions: Tuple[LayerDescription, ...] = ()
    styles: Tuple[LayerStyle, ...] = ()
    #: an SLD that holds no style at all, as servers send of rasters
    without_styles: bool = False


def start_request(request: Request, expected: str, size: Optional[Tuple[int, int]], done: Callable[[OperationResponse],
                                                                                                   None],
                  failed: Callable[[CartoguideError], None], owner: Optional[QObject] = None) -> tasks.Job:
    """Send ``request`` in a task. ``failed`` is called where no answer came at all; what a service refuses is an
    answer with a ``problem``. ``expected`` and ``size`` as in ``explain_answer``.
    """
    def work(feedback: QgsFeedback) -> OperationResponse:
        # a person who presses "Send" wants the server's answer of now, not one that a cache kept
        return read_response(fetch(request, feedback=feedback, cache_policy=CachePolicy.REFRESH), expected, size)

    return tasks.start(tr("Asking {host}", host=host_of(request.url)), work, done, failed, owner)


def read_response(response: Response, expected: str, size: Optional[Tuple[int, int]] = None) -> OperationResponse:
    """``response`` made ready to be shown; for worker threads."""
    problem: Optional[CartoguideError] = None
    try:
        check_response(response, expected, size)
    except CartoguideError as error:
        problem = error.with_traceback(None)
    kind = detect_kind(response.body)
    if kind == IMAGE:
        return _image_response(response, problem)
    if kind == HTML:
        return OperationResponse(response, kind, problem, html=sanitise_html(decode_for_display(response.body)))
    if kind != XML or problem is not None:
        return OperationResponse(response, kind, problem)
    try:
        styles = read_styles(response.body)
        return OperationResponse(
            response, kind, None, descriptions=read_layer_descriptions(response.body), styles=styles,
            without_styles=not styles and b"StyledLayerDescriptor" in response.body[:_SAMPLE_BYTES])
    except CartoguideError as error:
        return OperationResponse(response, kind, error.with_traceback(None))


def detect_kind(body: bytes) -> str:
    """IMAGE, XML, HTML, TEXT or BINARY, by the bytes: what a server calls its answer is often wrong."""
    if image_format(body) in FORMATS or is_raster(body):
        return IMAGE
    if is_html(body) and not body.lstrip().startswith(b"<?xml"):
        return HTML
    if looks_like_xml(body):
        return XML
    head = decode_for_display(body[:_SAMPLE_BYTES])
    readable = sum(character.isprintable() or character.isspace() for character in head)
    return TEXT if readable >= 0.95 * len(head) else BINARY


def _image_response(response: Response, problem: Optional[CartoguideError]) -> OperationResponse:
    own = image_size(response.body)
    try:
        if is_raster(response.body):
            picture, own = raster_image(response.body, MAX_DISPLAY_EDGE)
            return OperationResponse(response, IMAGE, problem, picture, own)
        return OperationResponse(response, IMAGE, problem, decode_image(response.body, MAX_DISPLAY_EDGE), own)
    except CartoguideError as error:
        return OperationResponse(response, BINARY, problem or error.with_traceback(None), size=own)

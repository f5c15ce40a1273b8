"""An operation's request sent, and its answer made ready to be shown: pixels, text, HTML, styles, data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional, Tuple

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QImage

from ..core.errors import CartoguideError
from ..core.featureinfo.safe_html import safe_fragment
from ..core.i18n import tr
from ..core.request import Request, Response
from ..core.wms.answers import explain_answer
from ..core.wms.descriptions import LayerDescription, read_descriptions
from ..core.wms.identify import is_html, looks_like_xml
from ..core.wms.images import image_format, image_size
from ..core.wms.rules import StyleRules, read_styles
from ..core.xmltext import text_of
from . import tasks
from .network import Freshness, fetch
from .network_errors import host_of
from .raster_picture import is_raster, raster_picture
from .thumbnails import FORMATS, read_picture

#: what an answer is, by its bytes
IMAGE, XML, HTML, TEXT, BINARY = "image", "xml", "html", "text", "binary"
#: pixels of the longer edge that an image is shown with; it is saved as it came
SHOWN_EDGE = 2048
#: bytes in which a text is told from anything else
_HEAD = 4096


@dataclass(frozen=True)
class Answer:
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
    styles: Tuple[StyleRules, ...] = ()
    #: an SLD that holds no style at all, as servers send of rasters
    without_styles: bool = False


def send(request: Request, expected: str, size: Optional[Tuple[int, int]], done: Callable[[Answer], None],
         failed: Callable[[CartoguideError], None], owner: Optional[QObject] = None) -> tasks.Job:
    """Send ``request`` in a task. ``failed`` is called where no answer came at all; what a service refuses is an
    answer with a ``problem``. ``expected`` and ``size`` as in ``explain_answer``.
    """
    def work(feedback: QgsFeedback) -> Answer:
        # a person who presses "Send" wants the server's answer of now, not one that a cache kept
        return answer_of(fetch(request, feedback=feedback, freshness=Freshness.REFRESH), expected, size)

    return tasks.start(tr("Asking {host}", host=host_of(request.url)), work, done, failed, owner)


def answer_of(response: Response, expected: str, size: Optional[Tuple[int, int]] = None) -> Answer:
    """``response`` made ready to be shown; for worker threads."""
    problem: Optional[CartoguideError] = None
    try:
        explain_answer(response, expected, size)
    except CartoguideError as error:
        problem = error.with_traceback(None)
    kind = kind_of(response.body)
    if kind == IMAGE:
        return _image(response, problem)
    if kind == HTML:
        return Answer(response, kind, problem, html=safe_fragment(text_of(response.body)))
    if kind != XML or problem is not None:
        return Answer(response, kind, problem)
    try:
        styles = read_styles(response.body)
        return Answer(response, kind, None, descriptions=read_descriptions(response.body), styles=styles,
                      without_styles=not styles and b"StyledLayerDescriptor" in response.body[:_HEAD])
    except CartoguideError as error:
        return Answer(response, kind, error.with_traceback(None))


def kind_of(body: bytes) -> str:
    """IMAGE, XML, HTML, TEXT or BINARY, by the bytes: what a server calls its answer is often wrong."""
    if image_format(body) in FORMATS or is_raster(body):
        return IMAGE
    if is_html(body) and not body.lstrip().startswith(b"<?xml"):
        return HTML
    if looks_like_xml(body):
        return XML
    head = text_of(body[:_HEAD])
    readable = sum(character.isprintable() or character.isspace() for character in head)
    return TEXT if readable >= 0.95 * len(head) else BINARY


def _image(response: Response, problem: Optional[CartoguideError]) -> Answer:
    own = image_size(response.body)
    try:
        if is_raster(response.body):
            picture, own = raster_picture(response.body, SHOWN_EDGE)
            return Answer(response, IMAGE, problem, picture, own)
        return Answer(response, IMAGE, problem, read_picture(response.body, SHOWN_EDGE), own)
    except CartoguideError as error:
        return Answer(response, BINARY, problem or error.with_traceback(None), size=own)

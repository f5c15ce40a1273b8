"""Send an operation's request and prepare the response for display: image, text, HTML, styles, descriptions."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from enum import Enum
from typing import Callable, Optional, Tuple

from osgeo import gdal
from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QImage

from ...core.errors import CartoguideError, UnexpectedResponse
from ...core.featureinfo.safe_html import sanitise_html
from ...core.i18n import tr
from ...core.request import Request, Response
from ...core.safe_xml import decode_for_display
from ...core.wms.responses.document_detection import is_html, looks_like_xml
from ...core.wms.responses.image_headers import image_format, image_size
from ...core.wms.responses.layer_descriptions import LayerDescription, read_layer_descriptions
from ...core.wms.responses.response_validation import check_response
from ...core.wms.responses.style_rules import LayerStyle, read_styles
from ..library.thumbnails import FORMATS, MAX_PIXELS, decode_image
from ..network.client import fetch
from ..network.http_exchange import CachePolicy
from ..runtime import tasks
from ..runtime.gdal import quiet_gdal, refers_elsewhere
from ..runtime.network_errors import host_of

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


#: drivers that may read a service's bytes: single-file formats that open no other file or address
_DRIVERS = ("GTiff", "JP2OpenJPEG")
#: first bytes of JPEG 2000, as a file and as a stream
_JPEG2000 = (b"\x00\x00\x00\x0cjP  ", b"\xff\x4f\xff\x51")
_MAX_COMPRESSION = 20


def is_raster(body: bytes) -> bool:
    """Return whether ``body`` is a TIFF or JPEG 2000 by its first bytes, so that GDAL may read it."""
    return body.startswith((b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+", *_JPEG2000))


def raster_image(body: bytes, edge: int) -> Tuple[QImage, Tuple[int, int]]:
    """Return (image with edges up to ``edge`` pixels, the raster's width and height). For worker threads.

    Values of other types than bytes are stretched from their minimum to their maximum. Raises UnusableAnswer with the
    reason if the image cannot be read.
    """
    memory = f"/vsimem/cartoguide-{uuid.uuid4().hex}"
    with quiet_gdal():
        gdal.FileFromMemBuffer(memory, body)
        try:
            size, png = _translate_to_png(memory, edge)
        except RuntimeError as error:  # if GDAL's exceptions are switched on
            raise _unreadable_error(str(error)) from error
        finally:
            gdal.Unlink(memory)
    return decode_image(png, edge), size


def _translate_to_png(memory: str, edge: int) -> Tuple[Tuple[int, int], bytes]:
    source = gdal.OpenEx(memory, gdal.OF_RASTER | gdal.OF_READONLY, allowed_drivers=list(_DRIVERS))
    if source is None or not source.RasterCount:
        raise _unreadable_error(gdal.GetLastErrorMsg())
    if refers_elsewhere(source):
        raise UnexpectedResponse(tr("The image refers to other files or addresses, and is not shown."))
    width, height = source.RasterXSize, source.RasterYSize
    if width * height > MAX_PIXELS * _MAX_COMPRESSION:
        raise UnexpectedResponse(tr("The image is too large to be displayed."), f"{width} × {height}")
    reduction = min(1.0, edge / max(width, height))
    first = source.GetRasterBand(1)
    options = {"format": "PNG", "width": max(1, round(width * reduction)), "height": max(1, round(height * reduction)),
               "resampleAlg": "average" if reduction < 1 else "nearest"}
    if first.GetColorTable() is not None:
        options.update(rgbExpand="rgba", resampleAlg="nearest")
    else:
        options["bandList"] = list(range(1, source.RasterCount + 1)) if source.RasterCount <= 4 else [1, 2, 3]
        if first.DataType != gdal.GDT_Byte:
            options.update(outputType=gdal.GDT_Byte, scaleParams=[[]])
    target = f"{memory}.png"
    translated = gdal.Translate(target, source, **options)
    if translated is None:
        raise _unreadable_error(gdal.GetLastErrorMsg())
    translated.FlushCache()
    translated = source = None
    try:
        return (width, height), _read_memory_file(target)
    finally:
        for leftover in (target, f"{target}.aux.xml"):
            gdal.Unlink(leftover)


def _read_memory_file(path: str) -> bytes:
    file = gdal.VSIFOpenL(path, "rb")
    if file is None:
        raise _unreadable_error(path)
    try:
        length: int = gdal.VSIStatL(path).size
        read: Optional[bytes] = gdal.VSIFReadL(1, length, file)
        return bytes(read or b"")
    finally:
        gdal.VSIFCloseL(file)


def _unreadable_error(detail: str) -> CartoguideError:
    return UnexpectedResponse(tr("The image is damaged, or in a format that this QGIS cannot display."), detail)

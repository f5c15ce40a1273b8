"""Fetch the images of a page in parallel, and judge each by what came: status, type, size, completeness and pixels.

An image is decoded once, in the thread that fetched it, from a file (see ``images.decode_from_file``). It is kept in
memory until it is drawn. Those for which there is no room are decoded again one by one when they are drawn.
"""

from __future__ import annotations

import math
import threading
import time
import uuid
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Protocol, Sequence, Set, Tuple, TypeVar, Union

from qgis.PyQt.QtCore import QRect, Qt
from qgis.PyQt.QtGui import QImage, QPainter

from ...core.errors import Cancelled, CartoguideError, FailureKind, NetworkFailure, ServiceError, may_depend_on_size
from ...core.i18n import tr
from ...core.preflight import TrialRequest
from ...core.request import HttpMethod, Request, Response
from ...core.wms.requests.seams import Area, EdgeSums, JoinedPiece, are_equal_at_sides, edge_sums, joined_pieces
from ...core.wms.requests.tile_overlap import ImagePiece
from ...core.wms.requests.urls import query_parameters
from ...core.wms.responses.exception_reports import read_exception_report
from ...core.wms.responses.image_headers import image_format
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..network import bound_origins, qgis_http_cache
from ..network.client import IMAGE_ATTEMPTS, RequestLimits, fetch, retry_image
from ..network.drawn_errors import ConfirmedImages, check_for_drawn_error
from ..network.http_exchange import CachePolicy
from ..network.origin_settings import OriginLogin, authcfg_for, headers_at, is_same_server, origin_address
from ..runtime.images import TRANSPARENT, ImagePixels, TextColours, converted, cut_out, image_from_file
from ..runtime.network_errors import host_of, large_response, slow_response, unlisted_redirect
from ..runtime.tasks import Feedback, no_op
from ..runtime.thread_pool import pool_slot_released
from .features import FeatureRequest, FetchedFeatures, ReadFeatures, read_features
from .files import FetchedFile, FileRequest
from .request import LayerRequest, PixelRequest, RequestedPiece

T = TypeVar("T")
#: seconds that an image is cached: long enough to read the findings and then to export, in several formats
CACHE_SECONDS = 600
#: parallel requests over all servers (the setting limits those to one server)
_MAX_PARALLEL = 12
#: alpha (0 to 255) from which on little is seen through a pixel
_HIDING_ALPHA = 192
#: images that are decoded at the same time, each in up to 85 MB
_MAX_DECODED = 2
#: pixels of decoded images that are kept in memory, 4 bytes each
_MAX_KEPT_PIXELS = 30_000_000
#: failures in a row after which a server that does not answer is left alone, and a layer that it does not send
_MAX_FAILURES = 4
#: time-outs of a request that all requests of a layer may take together
_LAYER_TIMEOUTS = 10
#: names of image formats in media types, by the name that the first bytes of an image give
_FORMAT_NAMES = {"jpeg": ("jpeg", "jpg"), "png": ("png",), "gif": ("gif",), "webp": ("webp",), "tiff": ("tiff",),
                 "bmp": ("bmp",)}
_WITH_ALPHA = (QImage.Format.Format_ARGB32, QImage.Format.Format_ARGB32_Premultiplied)


#: red, green, blue and opacity, from 0 to 255
Rgba = Tuple[int, int, int, int]
#: share of neighbours that differ, changes and colours of an image at most whose colours are counted
_MOST_CHANGES, _MOST_CHANGED, _MOST_COLOURS = 0.2, 1_000_000, 4096


@dataclass
class ProvedPixels:
    """A piece of an image as it came, without its margins.

    ``colour`` is ``transparent`` or the one colour (#rrggbb) of all pixels, otherwise "". With ``is_opaque`` no pixel
    lets anything below it through, and ``covered`` is the share of those that let nothing through.
    ``box`` is what is not transparent in the piece: left, top, width and height.
    ``image`` is cut to it, and null if there is nothing or if it is decoded from ``file`` when it is drawn. With
    ``is_tile`` it is a whole image of whatever size. The areas ``beyond`` the seams of the piece are not drawn.
    Its neighbours show the same near their sides if they have the same ``edges`` there. ``colours`` are the numbers of
    its pixels by their colours (not premultiplied), None where they are too many, as in relief and photos.
    """

    colour: str = ""
    is_opaque: bool = False
    box: Tuple[int, int, int, int] = (0, 0, 0, 0)
    image: QImage = field(default_factory=QImage, compare=False, repr=False)
    file: Optional[Path] = None
    is_tile: bool = False
    covered: float = 0.0
    beyond: Tuple[Area, ...] = ()
    edges: EdgeSums = field(default=(0, 0, 0, 0), compare=False, repr=False)
    colours: Optional[Mapping[Rgba, int]] = field(default=None, compare=False, repr=False)

    def read(self, piece: ImagePiece) -> QImage:
        """Return the pixels in ``box``."""
        if not self.image.isNull() or self.file is None or not self.box[2]:
            return self.image
        return self._cut(_decoded(self.file), piece)

    def keep(self, image: QImage, piece: ImagePiece) -> None:
        """Keep the pixels of a whole image in memory."""
        self.image = self._cut(image, piece)

    def release(self) -> None:
        """Forget pixels that can be decoded again."""
        if self.file is not None:
            self.image = QImage()

    def _cut(self, image: QImage, piece: ImagePiece) -> QImage:
        left, top, width, height = self.box
        area = QRect(piece.margin_left + left, piece.margin_top + top, width, height)
        # as QGIS paints it: colours that are not premultiplied differ by one of 255
        is_whole = self.is_opaque and not self.beyond
        kept_format = image.format() if is_whole else QImage.Format.Format_ARGB32_Premultiplied
        found = cut_out(image, image.rect() if self.is_tile else area, kept_format)
        if self.beyond:
            painter = QPainter(found)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
            for x, y, wide, high in self.beyond:
                painter.fillRect(x - left, y - top, wide, high, Qt.GlobalColor.transparent)
            painter.end()
        return found


def _decoded(file: Path) -> QImage:
    """Return the image in a file with 32 bits a pixel, null if it cannot be read."""
    image = image_from_file(file)
    if image.format() not in (*_WITH_ALPHA, QImage.Format.Format_RGB32):
        image = converted(image, QImage.Format.Format_ARGB32_Premultiplied)
    return image


class Keep(Enum):
    """Which part of an image stays when it has been judged."""

    NOTHING = "nothing"
    #: its pixels
    PIXELS = "pixels"
    #: its pixels, as far as there is room for them, and the file from which they can be decoded again
    IMAGES = "images"
    #: the file as the server sent it
    FILES = "files"


class LayerImages(Protocol):
    """Purpose and terms of requests for images of one layer. The names are those of PixelRequest."""

    @property
    def layer_id(self) -> str: ...  # noqa: D102

    @property
    def title(self) -> str: ...  # noqa: D102

    @property
    def service(self) -> str: ...  # noqa: D102

    @property
    def page(self) -> int: ...  # noqa: D102

    @property
    def address(self) -> str: ...  # noqa: D102

    @property
    def login(self) -> Optional[OriginLogin]: ...  # noqa: D102

    @property
    def headers(self) -> Mapping[str, str]: ...  # noqa: D102

    @property
    def hides_others(self) -> bool: ...  # noqa: D102

    @property
    def is_plain(self) -> bool: ...  # noqa: D102


@dataclass(frozen=True)
class FetchedPiece:
    """Result of one request: its pixels, or its error. Seconds, and bytes of the response (0 if it was cached).

    ``attempts`` is the number of answers, at least 1.
    """

    request: LayerImages
    requested: RequestedPiece
    pixels: ProvedPixels = field(default_factory=ProvedPixels)
    error: Optional[CartoguideError] = None
    seconds: float = 0.0
    size: int = 0
    attempts: int = 1

    @property
    def detail(self) -> str:
        """Address and technical detail of the error."""
        return f"{self.requested.url}\n{self.error.detail}".strip() if self.error else ""

    def to_trial_request(self) -> TrialRequest:
        """Return the result for the preflight's rules."""
        piece, covered = self.requested.piece, 0.0
        if self.request.hides_others:
            covered = self.pixels.covered * (self.request.share if isinstance(self.request, PixelRequest) else 1.0)
        return TrialRequest(
            self.request.title, self.request.service, None, (piece.width, piece.height), self.seconds, self.size,
            self.error.user_text if self.error else "", self.detail, self.pixels.colour,
            self.pixels.is_opaque and self.request.hides_others, covered, (self.request.page, ), self.pixels.is_tile,
            depends_on_size=self.error is not None and may_depend_on_size(self.error))


Fetched = Union[FetchedPiece, FetchedFeatures, FetchedFile]


def fetch_pixels(requests: Sequence[LayerRequest], feedback: Feedback, folder: Path, attempts: int = IMAGE_ATTEMPTS,
                 keep: Keep = Keep.IMAGES, confirmed: Optional[ConfirmedImages] = None) -> List[Fetched]:
    """Fetch and judge what ``requests`` need: images, each address once, and features. For worker threads.

    Files are written into ``folder``, which is needed until the images have been drawn. ``confirmed`` are images that
    look like text, of several calls. Returns the pieces in the order of the requests, with errors in those that failed
    in every attempt. Raises Cancelled, and OSError where ``folder`` cannot be written to.
    """
    of_pixels = [request for request in requests if isinstance(request, PixelRequest)]
    with pool_slot_released(), ThreadPoolExecutor(_MAX_PARALLEL) as pool, ThreadPoolExecutor(_MAX_DECODED) as decoders:
        run = _Run(feedback, folder, attempts, keep, confirmed or ConfirmedImages(), decoders)
        # they take longest
        features = [pool.submit(run.fetch_features, request) for request in requests
                    if isinstance(request, FeatureRequest)]
        of_files = [(request, name, url) for request in requests if isinstance(request, FileRequest)
                    for name, url in request.files or ([("", request.address)] if request.error else [])]
        # several maps may need the same file
        files: Dict[Tuple[str, str], Future[FetchedFile]] = {}
        for whole, name, url in of_files:
            if (whole.folder, name) not in files:
                files[whole.folder, name] = pool.submit(run.fetch_file, whole, name, url)
        run.total = len(features) + len(files)
        wanted = [(request, piece) for request, pieces in zip(of_pixels, pool.map(run.needed_pieces, of_pixels))
                  for piece in pieces]
        fetched = run.join_pieces(run.fetch_pieces(wanted, pool))
        read = [one.result() for one in features]
        written = [replace(files[request.folder, name].result(), request=request) for request, name, _url in of_files]
    feedback.raise_if_cancelled()
    return [*fetched, *read, *written]


def fetch_files(wanted: Sequence[Tuple[LayerImages, RequestedPiece]], feedback: Feedback, folder: Path,
                on_arrived: Callable[[FetchedPiece], None]) -> List[FetchedPiece]:
    """Fetch and judge images as files in ``folder``, as ``fetch_pixels`` does.

    ``on_arrived`` gets each result as soon as it is known, in any thread.
    """
    with pool_slot_released(), ThreadPoolExecutor(_MAX_PARALLEL) as pool, ThreadPoolExecutor(_MAX_DECODED) as decoders:
        run = _Run(feedback, folder, IMAGE_ATTEMPTS, Keep.FILES, ConfirmedImages(), decoders, on_arrived)
        fetched = run.fetch_pieces(wanted, pool)
    feedback.raise_if_cancelled()
    return fetched


class _Run:
    """State of one fetch: progress, failures, and the room in memory. Its methods are called by several threads."""

    def __init__(self, feedback: Feedback, folder: Path, attempts: int, keep: Keep, confirmed: ConfirmedImages,
                 decoders: ThreadPoolExecutor, on_arrived: Callable[[FetchedPiece], None] = no_op) -> None:
        self.total = 0
        self._feedback, self._folder, self._attempts, self._keep = feedback, folder, attempts, keep
        self._confirmed, self._on_arrived = confirmed, on_arrived
        # the memory of an image that was decoded stays with the thread, for its next one
        self._decoders = decoders
        self._limits = RequestLimits.for_map_images(attempts)
        self._lock = threading.Lock()
        self._kept_pixels = self._done = 0
        #: failures in a row, of servers and of their layers
        self._failures: Dict[Tuple[str, str], Tuple[int, CartoguideError]] = {}
        #: times of the first requests of layers, by the page
        self._begun: Dict[Tuple[int, str], float] = {}

    def fetch_pieces(self, wanted: Sequence[Tuple[LayerImages, RequestedPiece]],
                     pool: ThreadPoolExecutor) -> List[FetchedPiece]:
        """Fetch images, each address once, and return them in their order."""
        # what somebody gets with a login or a header is nobody else's, and opacity is a fault above others only
        keys = [(piece, request.login, tuple(request.headers.items()), request.hides_others)
                for request, piece in wanted]
        self.total += len(set(keys))
        futures: Dict[object, Future[FetchedPiece]] = {}
        for key, (request, piece) in zip(keys, wanted):
            if key not in futures:
                futures[key] = pool.submit(self.fetch_piece, request, piece)
        return [replace(futures[key].result(), request=request, requested=piece)
                for key, (request, piece) in zip(keys, wanted)]

    def join_pieces(self, fetched: Sequence[FetchedPiece]) -> List[FetchedPiece]:
        """Return the pieces with their seams where they cut nothing, those of images that are to be drawn."""
        of_request: Dict[int, List[int]] = {}
        for number, one in enumerate(fetched):
            of_request.setdefault(id(one.request), []).append(number)
        joined = list(fetched)
        tasks = [(numbers, self._decoders.submit(self._joined, [fetched[number] for number in numbers]))
                 for numbers in of_request.values()
                 if self._keep is Keep.IMAGES and len(numbers) > 1
                 and all(fetched[number].error is None and not fetched[number].pixels.is_tile for number in numbers)]
        for numbers, task in tasks:
            for number, one in zip(numbers, task.result()):
                joined[number] = one
        return joined

    def _joined(self, pieces: Sequence[FetchedPiece]) -> Sequence[FetchedPiece]:
        """Return the pieces of one image with their seams where they cut nothing. Cancelled, they stay as they are."""
        planned = [one.requested.piece for one in pieces]
        if are_equal_at_sides(planned, [one.pixels.edges for one in pieces]):
            return pieces
        # all are kept, since they have margins
        files = [one.pixels.file for one in pieces if one.pixels.file is not None]
        held: List[QImage] = []

        def read(number: int) -> Any:
            self._feedback.raise_if_cancelled()
            held[:] = [_decoded(files[number])]
            return pixel_rows(held[0])

        try:
            places = joined_pieces(planned, read)
        except Cancelled:
            return pieces
        return [one if place == JoinedPiece(one.requested.piece) else self._moved(one, place, file)
                for one, place, file in zip(pieces, places, files)]

    def _moved(self, one: FetchedPiece, place: JoinedPiece, file: Path) -> FetchedPiece:
        """Return a piece of the image in ``file`` with other sides."""
        with self._lock:
            self._kept_pixels -= one.pixels.image.width() * one.pixels.image.height()
        pixels = self._proved(_decoded(file), place.piece, file, False, place.beyond)
        return replace(one, requested=replace(one.requested, piece=place.piece), pixels=pixels)

    def needed_pieces(self, request: PixelRequest) -> Sequence[RequestedPiece]:
        """Return the images of a request. Raises nothing: with an error one piece stands for all that is not known."""
        address = ""

        def read(url: str, content: ExpectedContent, parse: Callable[[bytes], Any]) -> Any:
            nonlocal address
            address = url
            return self._parsed(request, url, content, parse)[1]

        try:
            self._feedback.raise_if_cancelled()
            return request.needed_pieces(read)
        except Cancelled:
            return ()
        except CartoguideError as error:
            area = request.viewport
            whole = ImagePiece(0, 0, area.width, area.height, 0, 0, (area.width, area.height))
            return [RequestedPiece(address, whole, error=error.with_traceback(None))]

    def _parsed(self, request: LayerRequest, url: str, content: ExpectedContent,
                parse: Callable[[bytes], Any]) -> Tuple[Response, Any]:
        """Return the answer at an address, and what ``parse`` makes of it. Raises CartoguideError and Cancelled."""
        def judge(response: Response) -> Tuple[Response, Any]:
            check_response(response, content)
            return response, parse(response.body)

        return self._fetch(request, url, judge)

    def fetch_features(self, request: FeatureRequest) -> FetchedFeatures:
        """Read the features of a layer. Raises nothing, as ``fetch_piece``: what has come is in the result."""
        started, read, error = time.monotonic(), ReadFeatures(), None
        size = 0
        answered: Set[str] = set()

        def get(url: str, content: ExpectedContent, parse: Callable[[bytes], Any]) -> Any:
            nonlocal size
            response, found = self._parsed(request, url, content, parse)
            size += len(response.body)
            answered.update((url, response.url))
            if size > self._limits.max_bytes:
                raise large_response(url, self._limits.max_bytes, "")
            _save(request, url, response, "text/xml")
            return found

        try:
            read_features(request, get, self._folder, read)
        except Cancelled:
            return FetchedFeatures(request, ReadFeatures())
        except CartoguideError as problem:
            error = problem.with_traceback(None)
            # each page was sound, and too few came
            qgis_http_cache.expire(answered)
        self._note_done(request)
        return FetchedFeatures(request, read, error, time.monotonic() - started, size)

    def fetch_file(self, request: FileRequest, name: str, url: str) -> FetchedFile:
        """Fetch one file of a layer, and write it. Raises no CartoguideError, as ``fetch_piece``."""
        started, made, size = time.monotonic(), 0, 0
        path, source = self._folder / request.folder / name, request.source
        error: Optional[CartoguideError] = request.error

        def judge(response: Response) -> bytes:
            nonlocal made
            made += 1
            return source.content(url, response) if source is not None else b""

        try:
            if error is None:
                content = self._fetch(request, url, judge)
                size = len(content)
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(content)
        except Cancelled:
            return FetchedFile(request, url, path)
        except CartoguideError as problem:
            error = problem.with_traceback(None)
        self._note_done(request)
        is_unproved = bool(source and source.may_be_too_large) and isinstance(
            error, NetworkFailure) and error.kind is FailureKind.TOO_LARGE
        return FetchedFile(request, url, path, None if is_unproved else error, is_unproved,
                           time.monotonic() - started, size, max(1, made))

    def _note_done(self, request: Union[LayerImages, LayerRequest]) -> None:
        with self._lock:
            self._done += 1
            done = self._done
        # the number of tiles may not be known yet
        self._feedback.report(99.0 * done / max(done, self.total), request.title)

    def fetch_piece(self, request: LayerImages, requested: RequestedPiece) -> FetchedPiece:
        """Fetch and judge one image. Raises no CartoguideError, because the pool's other threads would not stop."""
        started, made, size = time.monotonic(), 0, 0

        def judge(response: Response) -> ProvedPixels:
            nonlocal made, size
            made += 1
            if requested.box is not None and is_empty_tile(response):
                return ProvedPixels(TRANSPARENT, is_tile=True)
            check_response(response, ExpectedContent.IMAGE, None if requested.box else requested.piece.requested)
            pixels = self._judged(request, requested, response)
            size = len(response.body)
            return pixels

        try:
            if requested.error is not None:
                raise requested.error
            # a tile may be missing where others are not
            pixels = self._fetch(request, requested.url, judge, may_be_missing=requested.box is not None)
            found = FetchedPiece(request, requested, pixels, None, time.monotonic() - started, size, made)
        except Cancelled:
            return FetchedPiece(request, requested)
        except CartoguideError as error:
            found = FetchedPiece(request, requested, ProvedPixels(), error.with_traceback(None),
                                 time.monotonic() - started, 0, max(1, made))
        self._on_arrived(found)
        self._note_done(request)
        return found

    def _fetch(self, request: Union[LayerImages, LayerRequest], url: str, judge: Callable[[Response], T],
               may_be_missing: bool = True) -> T:
        """Return what ``judge`` makes of the answer at an address, in one of the attempts.

        A server that has failed too often is requested no more, nor a layer that it does not send at all unless parts
        of it ``may_be_missing``. Raises their last error then, and NetworkFailure if the layer takes too long.
        """
        host = host_of(url)
        server, layer = (host, ""), (host, request.title)

        def attempt() -> T:
            self._feedback.raise_if_cancelled()
            with self._lock:
                known = [self._failures[place] for place in (server, layer) if place in self._failures]
            for count, error in known:
                if count >= _MAX_FAILURES:
                    raise error
            return self._request_once(request, url, judge)

        with self._lock:
            begun = self._begun.setdefault((request.page, request.layer_id), time.monotonic())
        # a snapshot may have any number of tiles
        seconds = _LAYER_TIMEOUTS * self._limits.total if isinstance(request, LayerRequest) else math.inf
        if time.monotonic() - begun > seconds:
            raise slow_response(url, seconds, "")
        try:
            found = retry_image(attempt, self._feedback, self._attempts)
        except Cancelled:
            raise
        except CartoguideError as error:
            is_server = isinstance(error, NetworkFailure) and error.kind is not FailureKind.TOO_LARGE
            if is_server or not may_be_missing:
                with self._lock:
                    place = server if is_server else layer
                    self._failures[place] = self._failures.get(place, (0, error))[0] + 1, error
            raise
        with self._lock:
            self._failures.pop(server, None)
            self._failures.pop(layer, None)
        return found

    def _request_once(self, request: Union[LayerImages, LayerRequest], url: str, judge: Callable[[Response], T]) -> T:
        """Return what ``judge`` makes of the answer at an address. One that it refuses is requested again next time."""
        response = self._send(request, url)
        try:
            return judge(response)
        except Cancelled:
            raise
        except CartoguideError:
            qgis_http_cache.expire({url, response.url})
            raise

    def _send(self, request: Union[LayerImages, LayerRequest], url: str) -> Response:
        if bound_origins.is_guarded(request.address) and not is_same_server(url, request.address):
            # an address in an answer, to which nobody agreed
            raise unlisted_redirect(origin_address(request.address), origin_address(url))
        accept = request.source.accept if isinstance(request, FeatureRequest) and request.source is not None else ""
        headers = headers_at(url, {**({"Accept": accept} if accept else {}), **request.headers}, request.address or url)
        return fetch(Request(HttpMethod.GET, url, headers), limits=self._limits, login=request.login,
                     feedback=self._feedback, stays_at_origin=bound_origins.is_guarded(url),
                     cache_policy=CachePolicy.NORMAL if request.is_plain else CachePolicy.PRIVATE)

    def _judged(self, request: LayerImages, requested: RequestedPiece, response: Response) -> ProvedPixels:
        """Return the pixels of a response. Raises CartoguideError for an image that must not be printed."""
        file = self._folder / f"{uuid.uuid4().hex}.image"
        proved = ProvedPixels()
        try:
            proved = self._pixels_of(request, requested, response, file)
        finally:
            if proved.file is None:
                file.unlink(missing_ok=True)
        # QGIS may be writing the entry of a tile at the same time, in other threads
        if self._keep is not Keep.FILES and requested.box is None:
            _save(request, requested.url, response, "image/png")
        return proved

    def _pixels_of(self, request: LayerImages, requested: RequestedPiece, response: Response,
                   file: Path) -> ProvedPixels:
        file.write_bytes(response.body)
        proved, text = self._decoders.submit(self._decode, requested, response, file).result()
        if request.hides_others and proved.is_opaque:
            check_format(requested.url, response)
        if text is not None:
            check_for_drawn_error(requested.url, response, text, lambda url: self._send(request, url), self._confirmed)
        return proved

    def _decode(self, requested: RequestedPiece, response: Response,
                file: Path) -> Tuple[ProvedPixels, Optional[TextColours]]:
        """Return the pixels in a file, and the colours of an image that shows nothing but text."""
        piece, is_tile = requested.piece, requested.box is not None
        image = _decoded(file)
        if is_tile:
            # QGIS draws a tile of any size into its place
            size = (image.width(), image.height())
            piece = ImagePiece(0, 0, *size, 0, 0, size)
        if image.isNull() or (image.width(), image.height()) != piece.requested:
            raise CartoguideError(tr("The server sent an image that cannot be read."), response.url)
        # a tile has no other answer to compare it with
        text = None if is_tile else ImagePixels(response.body, piece.requested, image).text_colours()
        return self._proved(image, piece, file, is_tile), text

    def _proved(self, image: QImage, piece: ImagePiece, file: Path, is_tile: bool,
                beyond: Tuple[Area, ...] = ()) -> ProvedPixels:
        proved = ProvedPixels(*judged_pixels(image, piece), is_tile=is_tile, beyond=beyond)
        if (piece.width, piece.height) != piece.requested:
            proved.edges = edge_sums(pixel_rows(image), piece)
        if self._keep is Keep.IMAGES and not is_tile:
            proved.colours = counted_colours(image, piece)
        proved.covered = 1.0 if proved.is_opaque else covered_share(image, piece) if proved.box[2] else 0.0
        # a margin may be needed where the piece itself is empty
        is_drawn = proved.colour != TRANSPARENT or (piece.width, piece.height) != piece.requested
        if self._keep is Keep.FILES or self._keep is Keep.IMAGES and is_drawn:
            proved.file = file
        with self._lock:
            size = proved.box[2] * proved.box[3]
            fits = self._keep is Keep.PIXELS or (
                self._keep is Keep.IMAGES and self._kept_pixels + size <= _MAX_KEPT_PIXELS)
            self._kept_pixels += size if fits else 0
        if fits and size:
            proved.keep(image, piece)
        return proved


def _save(request: Union[LayerImages, LayerRequest], url: str, response: Response, media_type: str) -> None:
    """Save an answer in QGIS's cache until the page is written, for requests with the same login."""
    if request.is_plain:
        qgis_http_cache.insert_document(url, response.body, response.content_type or media_type, CACHE_SECONDS,
                                        authcfg_for(url, request.login))


def is_empty_tile(response: Response) -> bool:
    """Return whether a service says that there is nothing in a tile: without content, or out of its range.

    RFC 9110 15.3.5, and TileOutOfRange of WMTS (07-057r7 table 25). A tile that is not found is a missing one.
    """
    if response.status == 204:
        return True
    report = read_exception_report(response.body, response.content_type)
    return isinstance(report, ServiceError) and report.code == "TileOutOfRange"


def judged_pixels(image: QImage, piece: ImagePiece) -> Tuple[str, bool, Tuple[int, int, int, int]]:
    """Return the one colour of a piece of an image (32 bits a pixel) or "", its opacity, and what is not transparent.

    The last one is left, top, width and height in the piece.
    """
    import numpy

    rows = _rows_of(image, piece)
    whole = (0, 0, piece.width, piece.height)
    first = rows[0, 0]
    is_single = bool((rows[0] == first).all()) and bool((rows == first).all())
    if int(numpy.bitwise_and.reduce(rows, axis=None)) >> 24 == 255:
        return f"#{int(first) & 0xFFFFFF:06x}" if is_single else "", True, whole
    seen = rows > 0x00FFFFFF
    lines = numpy.flatnonzero(seen.any(axis=1))
    if not len(lines):
        return TRANSPARENT, False, (0, 0, 0, 0)
    columns = numpy.flatnonzero(seen.any(axis=0))
    box = (int(columns[0]), int(lines[0]), int(columns[-1] - columns[0]) + 1, int(lines[-1] - lines[0]) + 1)
    return image.pixelColor(piece.margin_left, piece.margin_top).name() if is_single else "", False, box


def covered_share(image: QImage, piece: ImagePiece) -> float:
    """Return the share (0 to 1) of the pixels of a piece that let little or nothing below them through."""
    import numpy

    rows = _rows_of(image, piece)
    return float(numpy.count_nonzero(rows >= _HIDING_ALPHA << 24)) / int(rows.size)


def counted_colours(image: QImage, piece: ImagePiece) -> Optional[Dict[Rgba, int]]:
    """Return the numbers of pixels of a piece by their colours (not premultiplied), None if they are too many."""
    import numpy

    rows = _rows_of(image, piece)
    begins = numpy.ones(rows.shape, bool)
    numpy.not_equal(rows[:, 1:], rows[:, :-1], out=begins[:, 1:])
    if numpy.count_nonzero(begins) > min(_MOST_CHANGED, max(_MOST_CHANGES * rows.size, rows.shape[0])):
        return None
    places = numpy.flatnonzero(begins)
    values, numbers = numpy.unique(rows[begins], return_inverse=True)
    if len(values) > _MOST_COLOURS:
        return None
    counts = numpy.bincount(numbers, weights=numpy.diff(numpy.append(places, rows.size)))
    is_premultiplied = image.format() == QImage.Format.Format_ARGB32_Premultiplied
    found: Dict[Rgba, int] = {}
    for value, count in zip(values.tolist(), counts.tolist()):
        alpha = value >> 24 if image.format() in _WITH_ALPHA else 255
        parts = tuple(min(255, round(part * 255 / alpha)) if is_premultiplied and alpha else part
                      for part in (value >> 16 & 255, value >> 8 & 255, value & 255))
        colour = (parts[0], parts[1], parts[2], alpha)
        found[colour] = found.get(colour, 0) + int(count)
    return found


def _rows_of(image: QImage, piece: ImagePiece) -> Any:
    return pixel_rows(image)[piece.margin_top:piece.margin_top + piece.height,
                             piece.margin_left:piece.margin_left + piece.width]


def pixel_rows(image: QImage, writable: bool = False) -> Any:
    """Return the pixels of an image with 32 bits a pixel as rows of numbers, which last as long as the image."""
    import numpy

    bits = image.bits() if writable else image.constBits()
    bits.setsize(image.sizeInBytes())
    return numpy.frombuffer(bits, numpy.uint32).reshape(image.height(), image.width())


def check_format(url: str, response: Response) -> None:
    """Raise CartoguideError for an opaque image of another format than requested, which would hide the layers below."""
    values = {name.upper(): value for name, value in query_parameters(url)}
    actual, wanted = image_format(response.body) or "", values.get("FORMAT", "").lower()
    if values.get("TRANSPARENT", "").upper() == "TRUE" and actual in _FORMAT_NAMES and not any(
            name in wanted for name in _FORMAT_NAMES[actual]):
        raise CartoguideError(
            tr("The server sent an opaque image ({actual}) instead of a transparent one ({wanted}). It would hide the "
               "layers below.", actual=actual.upper(), wanted=wanted), response.url)


def images_by_layer(pieces: Sequence[Fetched]) -> Mapping[str, int]:
    """Return the numbers of images that came, by the ids of the layers. Features of a map count as one."""
    found: Dict[str, int] = {}
    for piece in pieces:
        if piece.error is None:
            found[piece.request.layer_id] = found.get(piece.request.layer_id, 0) + 1
    return found

"""Cache of services by endpoint: one capabilities request however many callers, read in a task, kept in memory.

QGIS's WMS provider reads the capabilities again for every layer. ``prime_qgis_cache`` puts them into QGIS's network
cache, where it finds them without a request.
"""

from __future__ import annotations

import math
import re
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Callable, Collection, Dict, Iterable, Iterator, List, Mapping, Optional, Union

from qgis.core import QgsFeedback
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, QTimer

from ...core.custommap.planner import choose_getmap_address
from ...core.errors import Cancelled, CartoguideError, NotCapabilities, ServiceError, UnexpectedResponse
from ...core.i18n import tr
from ...core.library.blob_cache import BlobKind, CachedBlob
from ...core.records.input.document_reader import set_secrets_apart
from ...core.records.model.endpoints import normalise_endpoint
from ...core.request import Request, Response
from ...core.wms import read_service
from ...core.wms.capabilities.parser import prune_capabilities
from ...core.wms.model.protocol import SUPPORTED_VERSIONS, negotiate_version
from ...core.wms.model.service import Service
from ...core.wms.requests.get_capabilities import (
    REQUESTED_VERSION,
    cache_validators,
    capabilities_request,
    conditional_request,
    is_not_modified,
    rejects_update_sequence,
)
from ...core.wms.requests.urls import described_prefix, url_prefix, with_parameters
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..network import qgis_http_cache
from ..network.client import fetch
from ..network.http_exchange import CachePolicy
from ..runtime import log, main_thread, settings, tasks
from ..runtime.network_errors import host_of
from ..runtime.tasks import ErrorCallback, no_op
from ..runtime.thread_pool import hold_lock
from .saved_blobs import OpenBlobCache, load_blob, save_blob

#: kind of these documents in the blob cache

#: statuses of services that fail on a request without a version
_MAY_NEED_VERSION = frozenset((200, 400, 406, 422, 500, 501))
#: seconds until a service is requested again after a failure without, and with, older capabilities
FAILURE_SECONDS = 5.0
STALE_SECONDS = 300.0
#: seconds that capabilities are used at least, so that all layers of a map are created from the same document
MINIMUM_SECONDS = 60.0
ServiceCallback = Callable[[Service], None]


@dataclass(frozen=True)
class FetchedService:
    """A service as its capabilities described it at ``fetched_at`` (UTC).

    ``refresh_error`` is the reason why there is nothing newer. ``to_save`` is the blob to save, or None if the blob
    cache is up to date.
    """

    service: Service
    fetched_at: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    refresh_error: Optional[CartoguideError] = None
    to_save: Optional[CachedBlob] = None

    @property
    def age(self) -> float:
        """Age of the capabilities in seconds, never negative, even if a clock was changed."""
        return max(0.0, (datetime.now(timezone.utc) - self.fetched_at).total_seconds())

    def is_younger_than(self, hours: float) -> bool:
        """Return whether the capabilities need not be requested again yet.

        False for a date that is still to come: a clock was wrong, and nobody knows their age.
        """
        return self.fetched_at <= datetime.now(timezone.utc) and self.age < hours * 3600


def capabilities_url(endpoint: str) -> str:
    """Return the GetCapabilities address of a service, as QGIS's WMS provider requests it, without VERSION."""
    return url_prefix(endpoint) + "SERVICE=WMS&REQUEST=GetCapabilities"


def source_capabilities_url(address: str) -> str:
    """Return the GetCapabilities address of a layer of QGIS with this address, whose parameters it sends as well."""
    return described_prefix(address) + "SERVICE=WMS&REQUEST=GetCapabilities"


def get_or_fetch(url: str, feedback: Optional[QgsFeedback], open_blob_cache: Optional[OpenBlobCache], hours: float,
                 refresh: bool) -> FetchedService:
    """Return the service at ``url`` (see ``capabilities_url``).

    The saved capabilities are used if they are younger than ``hours``. Otherwise, and if ``refresh`` is set, they are
    requested. If that fails, the saved ones are returned with the reason as ``refresh_error``. ``refresh`` also
    requests the complete document instead of revalidating the saved one.

    Raises CartoguideError if there are no capabilities at all, Cancelled if ``feedback`` is cancelled.
    """
    blob = load_blob(open_blob_cache, BlobKind.CAPABILITIES, url)
    saved = _parse_blob(url, blob)
    if blob is None or saved is None:
        return _fetch(url, {}, feedback)
    if not refresh and saved.is_younger_than(hours):
        return saved
    try:
        return _fetch(url, {} if refresh else blob.validators, feedback, FetchedService(saved.service, to_save=blob))
    except Cancelled:
        raise
    except CartoguideError as error:
        return FetchedService(saved.service, saved.fetched_at, error.with_traceback(None))


def load_saved(url: str, open_blob_cache: OpenBlobCache) -> Optional[FetchedService]:
    """Return the service at ``url`` from the saved capabilities, whatever their age, or None. Sends no request."""
    return _parse_blob(url, load_blob(open_blob_cache, BlobKind.CAPABILITIES, url))


def saved_service(url: str, open_blob_cache: OpenBlobCache) -> Optional[Service]:
    """Return the service of ``load_saved`` without its date."""
    saved = load_saved(url, open_blob_cache)
    return saved.service if saved is not None else None


def save(url: str, blob: CachedBlob, open_blob_cache: OpenBlobCache) -> None:
    """Save a capabilities document in the blob cache. Errors are logged."""
    save_blob(open_blob_cache, BlobKind.CAPABILITIES, url, blob)


def _parse_blob(url: str, blob: Optional[CachedBlob]) -> Optional[FetchedService]:
    """Read a saved document. Returns None if it cannot be read by this version."""
    if blob is None:
        return None
    try:
        fetched_at = datetime.fromisoformat(blob.fetched_at)
        return FetchedService(_parse_service(blob.data, url), fetched_at)
    except (CartoguideError, ValueError) as error:
        log.warning(f"{url}: {error}")
        return None


def _fetch(url: str, validators: Mapping[str, str], feedback: Optional[QgsFeedback],
           saved: Optional[FetchedService] = None) -> FetchedService:
    """Request the capabilities. Returns ``saved`` with a new date if the server confirms them as unchanged."""
    version = validators.get(REQUESTED_VERSION, "")
    requested: List[str] = []
    first_error: Optional[CartoguideError] = None
    request = conditional_request(url, validators)
    while True:
        response = _send(request, feedback)
        if saved is not None and saved.to_save is not None and is_not_modified(response):
            return replace(saved, to_save=replace(saved.to_save, fetched_at=saved.fetched_at.isoformat()))
        if saved is not None and rejects_update_sequence(response):
            saved, request = None, capabilities_request(url, version)
            continue
        requested.append(version)
        try:
            check_response(response, ExpectedContent.XML)
            return _to_fetched_service(url, response, version)
        except (NotCapabilities, ServiceError, UnexpectedResponse) as error:
            following = _next_version(error, version, requested)
            if following is None:
                # the answer to another version than the service would choose says less
                raise first_error or error from None
            if not isinstance(error, NotCapabilities) or not error.version:
                first_error = first_error or error
            version, saved = following, None
            request = capabilities_request(url, version)


def _send(request: Request, feedback: Optional[QgsFeedback]) -> Response:
    # the entry in QGIS's cache comes from ``insert_document`` and would count as fresh all day
    return fetch(request, feedback=feedback, cache_policy=CachePolicy.REFRESH)


def _next_version(error: CartoguideError, version: str, requested: List[str]) -> Optional[str]:
    """Return the version to request next (OGC 06-042, 6.2.4), or None if no other version would help."""
    if isinstance(error, NotCapabilities) and error.version:
        return negotiate_version(version, error.version, tried=requested)
    if requested != [""] or isinstance(error, UnexpectedResponse) and error.status not in _MAY_NEED_VERSION:
        return None
    # contrary to 6.2.4 some services require a version in every request, and few say so
    return SUPPORTED_VERSIONS[0]


def _parse_service(data: bytes, url: str) -> Service:
    """Read a capabilities document. Its ``original`` has no logins and keys, which some servers repeat in it."""
    return read_service(set_secrets_apart(data)[0], host_of(url))


def _to_fetched_service(url: str, response: Response, version: str) -> FetchedService:
    service = _parse_service(response.body, url)
    qgis_http_cache.insert_document(url, service.original)
    now = datetime.now(timezone.utc)
    validators: Dict[str, str] = cache_validators(response.headers, service, version)
    return FetchedService(service, now, None, CachedBlob(service.original, validators, now.isoformat()))


@dataclass
class CachedService:
    """Entry of the cache: the service, or the error of the last request, or both.

    ``requested_at`` is in monotonic seconds.
    """

    reading: Optional[FetchedService] = None
    error: Optional[CartoguideError] = None
    requested_at: float = field(default_factory=time.monotonic)

    @property
    def service(self) -> Optional[Service]:
        """The service, whatever the age of its capabilities."""
        return self.reading.service if self.reading is not None else None

    def is_usable(self) -> bool:
        """Return True if the service need not be requested again yet."""
        age = time.monotonic() - self.requested_at
        if self.reading is None:
            return age < FAILURE_SECONDS
        if self.error is not None:
            return age < STALE_SECONDS
        return self.reading.is_younger_than(settings.get("capabilities_hours")) or age < MINIMUM_SECONDS


@dataclass
class _Waiter:
    done: ServiceCallback
    failed: ErrorCallback
    owner: Optional[QObject]

    def is_alive(self) -> bool:
        return self.owner is None or not sip.isdeleted(self.owner)


class ServiceCache:
    """Services by endpoint.

    ``get`` and ``request`` are for the main thread, ``get_or_fetch`` is for worker threads.
    """

    def __init__(self, open_blob_cache: Optional[OpenBlobCache] = None) -> None:
        self._entries: Dict[str, CachedService] = {}
        #: the keys of services whose capabilities advertise another address of the same endpoint
        self._aliases: Dict[str, str] = {}
        self._open_blob_cache = open_blob_cache
        self._lock = threading.Lock()
        self._fetch_locks: Dict[str, threading.Lock] = {}
        self._waiters: Dict[str, List[_Waiter]] = {}
        self._jobs: Dict[str, tasks.Job] = {}

    def get(self, endpoint: str) -> Optional[Service]:
        """Return the cached service, whatever its age, or None."""
        entry = self._entries.get(self._cache_key(endpoint))
        return entry.service if entry else None

    def error(self, endpoint: str) -> Optional[CartoguideError]:
        """Return the error of the last request, or None."""
        entry = self._entries.get(self._cache_key(endpoint))
        return entry.error if entry else None

    def age(self, endpoint: str) -> Optional[float]:
        """Return the age of the capabilities in seconds, or None if the service is not cached."""
        entry = self._entries.get(self._cache_key(endpoint))
        return entry.reading.age if entry and entry.reading else None

    def save_to(self, open_blob_cache: Optional[OpenBlobCache]) -> None:
        """Save capabilities in this blob cache, and use it when a server does not respond."""
        self._open_blob_cache = open_blob_cache

    def forget(self, endpoint: str) -> None:
        """Remove the service, so that it is requested again next time."""
        with self._lock:
            self._entries.pop(self._cache_key(endpoint), None)

    def request(self, endpoint: str, done: ServiceCallback, failed: ErrorCallback, owner: Optional[QObject] = None,
                refresh: bool = False) -> None:
        """Call ``done`` with the service, or ``failed`` with the error, later on the main thread.

        Neither is called if ``owner`` has been deleted. Simultaneous calls share one request. ``refresh`` sends a
        request even if the service is cached.
        """
        waiter = _Waiter(done, failed, owner)
        try:
            key = self._cache_key(endpoint)
        except CartoguideError as error:
            refused = error
            QTimer.singleShot(0, lambda: main_thread.when_undisturbed(
                lambda: waiter.failed(refused) if waiter.is_alive() else None))
            return
        entry = self._entries.get(key)
        if entry is not None and entry.is_usable() and not refresh and key not in self._jobs:
            usable = entry
            QTimer.singleShot(0, lambda: main_thread.when_undisturbed(lambda: _notify_waiters([waiter], usable)))
            return
        self._waiters.setdefault(key, []).append(waiter)
        if key in self._jobs:
            return

        def finish(service: Service) -> None:
            self._finish_request(key, self._entries.get(key) or CachedService(FetchedService(service)))

        self._jobs[key] = tasks.start(
            tr("Loading the service of {host}", host=host_of(endpoint)),
            lambda feedback: self.get_or_fetch(endpoint, feedback, refresh), finish,
            lambda error: self._finish_request(key, CachedService(error=error)))

    def cancel(self, owner: QObject) -> None:
        """Remove the callbacks of ``owner``, and cancel requests that nothing else waits for."""
        for key, waiters in list(self._waiters.items()):
            self._waiters[key] = [waiter for waiter in waiters if waiter.owner is not owner]
            if not self._waiters[key]:
                del self._waiters[key]
                self._jobs.pop(key).cancel()

    def get_or_fetch(self, endpoint: str, feedback: Optional[QgsFeedback] = None, refresh: bool = False) -> Service:
        """Return the service, requesting its capabilities if necessary. Blocks, so it is for worker threads only.

        Raises CartoguideError if there is no service, Cancelled if ``feedback`` is cancelled.
        """
        key = self._cache_key(endpoint)
        called_at = time.monotonic()
        with self._lock:
            lock = self._fetch_locks.setdefault(key, threading.Lock())
        with hold_lock(lock, feedback, key):
            entry = self._entries.get(key)
            if entry is None or not entry.is_usable() or (refresh and entry.requested_at < called_at):
                entry = self._fetch(key, feedback, refresh)
        if entry.service is None:
            error = entry.error or CartoguideError(tr("The service could not be read."), key)
            raise error.with_traceback(None)
        return entry.service

    def get_or_fetch_all(self, endpoints: Iterable[str],
                         feedback: Optional[QgsFeedback] = None) -> Dict[str, Union[Service, CartoguideError]]:
        """Return each service or its error by endpoint, one after the other. For worker threads. Raises Cancelled."""
        services: Dict[str, Union[Service, CartoguideError]] = {}
        for endpoint in dict.fromkeys(endpoints):
            try:
                services[endpoint] = self.get_or_fetch(endpoint, feedback)
            except Cancelled:
                raise
            except CartoguideError as error:
                services[endpoint] = error
        return services

    def fetch_in_language(self, endpoint: str, code: str, feedback: Optional[QgsFeedback] = None) -> Service:
        """Return the service as its capabilities in the language ``code`` describe it, for its titles only.

        The parameter LANGUAGE is that of INSPIRE's Technical Guidance for View Services (3.11, 4.3.3.1).
        It is in the blob cache only: terms and layers are those of the default language. For worker threads. Raises
        CartoguideError, Cancelled.
        """
        key = capabilities_url(with_parameters(endpoint, {"LANGUAGE": code}))
        reading = get_or_fetch(key, feedback, self._open_blob_cache, settings.get("capabilities_hours"), False)
        self._save(key, reading)
        return reading.service

    def load_saved(self, endpoint: str) -> Optional[Service]:
        """Return the cached service, or else the one in the saved capabilities, whatever its age, or None.

        It sends no request. For worker threads.
        """
        key = self._cache_key(endpoint)
        known = self.get(endpoint)
        if known is not None or self._open_blob_cache is None:
            return known
        reading = load_saved(key, self._open_blob_cache)
        if reading is None:
            return None
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry.reading is None:
                error, requested_at = (entry.error, entry.requested_at) if entry is not None else (None, -math.inf)
                self._entries[key] = entry = CachedService(reading, error, requested_at)
                self._add_alias(key, reading.service)
        return entry.service

    def _fetch(self, key: str, feedback: Optional[QgsFeedback], refresh: bool) -> CachedService:
        try:
            reading = get_or_fetch(key, feedback, self._open_blob_cache, settings.get("capabilities_hours"), refresh)
            entry = CachedService(reading, reading.refresh_error)
            self._save(key, reading)
        except Cancelled:
            raise
        except CartoguideError as error:
            entry = CachedService(error=error.with_traceback(None))
        with self._lock:
            before = self._entries.get(key)
            # a service that was read once stays usable when a refresh fails
            if entry.service is not None or before is None or before.service is None:
                self._entries[key] = entry
            if entry.service is not None:
                self._add_alias(key, entry.service)
        return entry

    def _save(self, key: str, reading: FetchedService) -> None:
        """Save new capabilities in a task, because the record library may be busy with an import."""
        open_blob_cache, blob = self._open_blob_cache, reading.to_save
        if open_blob_cache is None or blob is None:
            return
        description = tr("Saving the capabilities of {host}", host=host_of(key))

        def start() -> None:
            # errors are logged by ``save``
            tasks.start(description, lambda _feedback: save(key, blob, open_blob_cache), no_op, no_op)

        main_thread.post(start)

    def _add_alias(self, key: str, service: Service) -> None:
        """Make the entry known under the GetMap address that the service advertises, which its layers request.

        Only another spelling of the same endpoint is accepted: a service does not describe other endpoints.
        """
        advertised = choose_getmap_address(key, service).url
        if normalise_endpoint(advertised) != normalise_endpoint(key):
            return
        alias = capabilities_url(advertised)
        if alias != key and alias not in self._entries:
            self._aliases[alias] = key

    def _cache_key(self, endpoint: str) -> str:
        """Return the address under which the service is cached, which may be another spelling of ``endpoint``."""
        key = capabilities_url(endpoint)
        return self._aliases.get(key, key)

    def _finish_request(self, key: str, entry: CachedService) -> None:
        self._jobs.pop(key, None)
        _notify_waiters(self._waiters.pop(key, []), entry)


def _notify_waiters(waiters: List[_Waiter], entry: CachedService) -> None:
    for waiter in waiters:
        if not waiter.is_alive():
            continue
        if entry.service is not None:
            waiter.done(entry.service)
        elif entry.error is not None:
            waiter.failed(entry.error)


_shared: Optional[ServiceCache] = None


def shared() -> ServiceCache:
    global _shared
    if _shared is None:
        _shared = ServiceCache()
    return _shared


#: width and height in pixels of QGIS's own request tiles (stepWidth, stepHeight)
DEFAULT_STEP_SIZE = 2000
#: QGIS parses the document for every layer, so documents with more layers than this are pruned while layers are created
_PRUNE_ABOVE = 100
_SIZE_LIMIT_ELEMENT = re.compile(rb"<((?:\w+:)?Max(?:Width|Height))>\s*\d+\s*</\1>")

_locks: Dict[str, threading.Lock] = {}
_locks_guard = threading.Lock()


def prime_qgis_cache(cache: ServiceCache, endpoint: str, addresses: Collection[str] = ()) -> bool:
    """Insert the capabilities that ``cache`` has for ``endpoint`` into QGIS's network cache.

    ``addresses`` are further addresses of the layers, with parameters that differ from the endpoint's. Returns False
    if the service is not cached or QGIS's cache did not accept the document.
    """
    service = cache.get(endpoint)
    return service is not None and _insert(endpoint, addresses, _without_size_limits(service, service.original))


@contextmanager
def primed_qgis_cache(cache: ServiceCache, endpoint: str, names: Collection[str],
                      feedback: Optional[QgsFeedback] = None, addresses: Collection[str] = ()) -> Iterator[None]:
    """Keep the capabilities in QGIS's network cache while the layers with these names are created in a worker thread.

    The document of a large service is reduced to these layers in the meantime, so only one caller per endpoint is
    let in at a time. Raises Cancelled if ``feedback`` is cancelled while waiting.
    """
    key, service = capabilities_url(endpoint), cache.get(endpoint)
    with _locks_guard:
        lock = _locks.setdefault(key, threading.Lock())
    with hold_lock(lock, feedback, key):
        is_large = service is not None and sum(1 for _ in service.iter_layers()) > _PRUNE_ABOVE
        if service is not None and is_large:
            _insert(endpoint, addresses, _without_size_limits(service, prune_capabilities(service.original, names)))
        else:
            prime_qgis_cache(cache, endpoint, addresses)
        try:
            yield
        finally:
            if is_large:
                prime_qgis_cache(cache, endpoint, addresses)


def _without_size_limits(service: Service, document: bytes) -> bytes:
    """Remove MaxWidth and MaxHeight (WMS 1.3.0, 7.2.4.3) from the document that the provider reads.

    With MaxWidth, QGIS 3.22 requests whole tiles of that size in its own grid. These have many times the pixels of
    the page and are resampled with visible seams. Without it, QGIS requests exactly what it draws, in tiles of the
    layer's stepWidth and stepHeight, which respect the limits. Limits below QGIS's default step stay.
    """
    limits = (service.limits.width, service.limits.height)
    if any(limit is not None and limit < DEFAULT_STEP_SIZE for limit in limits):
        return document
    # both elements are in the Service element, before the large Capability element
    head, begin, rest = document.partition(b"Capability>")
    return _SIZE_LIMIT_ELEMENT.sub(b"", head) + begin + rest


def _insert(endpoint: str, addresses: Collection[str], document: bytes) -> bool:
    """Insert ``document`` for the endpoint and for each address. Returns False if the cache rejects one of them."""
    keys = {capabilities_url(endpoint), *map(source_capabilities_url, addresses)}
    accepted = [qgis_http_cache.insert_document(key, document) for key in keys]
    return all(accepted)

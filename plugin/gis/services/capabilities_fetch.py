"""What a service says of itself, asked for over the network or taken from what is kept: negotiated, revalidated, aged.

The address is the very one that QGIS's provider asks, and the answer goes where the provider looks first. Worker
threads only.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Callable, Dict, List, Mapping, Optional

from qgis.core import QgsFeedback

from ...core.errors import Cancelled, CartoguideError, NotCapabilities, ServiceError
from ...core.gc_control import gc_paused
from ...core.library.blob_cache import BlobCache, CachedBlob
from ...core.request import Request, Response
from ...core.wms import read_service
from ...core.wms.model.service import Service
from ...core.wms.model.versions import SUPPORTED_VERSIONS, negotiate_version
from ...core.wms.requests.get_capabilities import capabilities_request
from ...core.wms.requests.revalidation import (
    REQUESTED_VERSION,
    cache_validators,
    conditional_request,
    is_not_modified,
    rejects_update_sequence,
)
from ...core.wms.requests.urls import url_prefix
from ...core.wms.responses.response_validation import check_response
from ..network import qgis_http_cache
from ..network.client import fetch
from ..network.http_exchange import CachePolicy
from ..runtime import log
from ..runtime.network_errors import host_of

#: what the store calls them
BLOB_KIND = "capabilities"

OpenBlobCache = Callable[[], BlobCache]


@dataclass(frozen=True)
class FetchedService:
    """A service as its capabilities told it at ``fetched_at`` (UTC); ``trouble`` says why nothing newer could be had.

    ``to_keep`` is what the store should hold from now on; None where it holds that already.
    """

    service: Service
    fetched_at: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    refresh_error: Optional[CartoguideError] = None
    to_save: Optional[CachedBlob] = None

    @property
    def age(self) -> float:
        """Seconds since the server said so; never negative, whatever its or this machine's clock does."""
        return max(0.0, (datetime.now(timezone.utc) - self.fetched_at).total_seconds())


def capabilities_url(endpoint: str) -> str:
    """The address at which QGIS's provider asks for capabilities: no VERSION, the endpoint's own parameters kept."""
    return url_prefix(endpoint) + "SERVICE=WMS&REQUEST=GetCapabilities"


def get_or_fetch(url: str, feedback: Optional[QgsFeedback], open_blob_cache: Optional[OpenBlobCache], hours: float,
                 refresh: bool) -> FetchedService:
    """The service at ``url`` (see ``capabilities_url``): what is kept of it while that is younger than ``hours``, else
    what it says now, else what is kept however old, with why.

    ``refresh`` asks the server in any case, and for the whole document. CartoguideError where there is nothing at all.
    """
    kept = _load_blob(url, open_blob_cache)
    held = _parse_blob(url, kept)
    if kept is None or held is None:
        return _fetch(url, {}, feedback)
    if not refresh and held.age < hours * 3600:
        return held
    try:
        return _fetch(url, {} if refresh else kept.validators, feedback, FetchedService(held.service, to_save=kept))
    except Cancelled:
        raise
    except CartoguideError as error:
        return FetchedService(held.service, held.fetched_at, error.with_traceback(None))


def saved_service(url: str, open_blob_cache: OpenBlobCache) -> Optional[Service]:
    """The service at ``url`` as it was kept, however long ago; None where nothing is. Nothing is asked for."""
    found = _parse_blob(url, _load_blob(url, open_blob_cache))
    return found.service if found is not None else None


def save(url: str, blob: CachedBlob, open_blob_cache: OpenBlobCache) -> None:
    """Put ``kept`` into the store; where that cannot be, nothing is lost but the next time offline."""
    try:
        open_blob_cache().save(BLOB_KIND, url, blob.data, blob.validators, blob.fetched_at)
    except Cancelled:
        return
    except CartoguideError as error:
        log.error(error)


def _load_blob(url: str, open_blob_cache: Optional[OpenBlobCache]) -> Optional[CachedBlob]:
    if open_blob_cache is None:
        return None
    try:
        return open_blob_cache().load(BLOB_KIND, url)
    except Cancelled:
        return None
    except CartoguideError as error:
        log.error(error)
        return None


def _parse_blob(url: str, kept: Optional[CachedBlob]) -> Optional[FetchedService]:
    """What is kept, read; None where it cannot be (any more)."""
    if kept is None:
        return None
    try:
        fetched_at = datetime.fromisoformat(kept.fetched_at)
        return FetchedService(_parse_service(kept.data, url), fetched_at)
    except (CartoguideError, ValueError) as error:
        log.warning(f"{url}: {error}")
        return None


def _fetch(url: str, validators: Mapping[str, str], feedback: Optional[QgsFeedback],
           held: Optional[FetchedService] = None) -> FetchedService:
    """What the server says now; ``held``, with its new date, where it says that this still holds."""
    version = validators.get(REQUESTED_VERSION, "")
    asked: List[str] = []
    request = conditional_request(url, validators)
    while True:
        response = _send(request, feedback)
        if held is not None and held.to_save is not None and is_not_modified(response):
            return replace(held, to_save=replace(held.to_save, fetched_at=held.fetched_at.isoformat()))
        if held is not None and rejects_update_sequence(response):
            held, request = None, capabilities_request(url, version)
            continue
        asked.append(version)
        try:
            check_response(response, "xml")
            return _to_fetched_service(url, response, version)
        except (NotCapabilities, ServiceError) as error:
            following = _next_version(error, version, asked)
            if following is None:
                raise
            version, held = following, None
            request = capabilities_request(url, version)


def _send(request: Request, feedback: Optional[QgsFeedback]) -> Response:
    # what stands in QGIS's cache was put there by ``disk_cache.put`` and would pass for fresh all day
    return fetch(request, feedback=feedback, cache_policy=CachePolicy.REFRESH)


def _next_version(error: CartoguideError, version: str, asked: List[str]) -> Optional[str]:
    """The version to ask for next (06-042 6.2.4); None where this is not about versions, or none is left."""
    if isinstance(error, NotCapabilities):
        return negotiate_version(version, error.version, tried=asked) if error.version else None
    # against 6.2.4 some services want a version in every request
    return SUPPORTED_VERSIONS[0] if asked == [""] and "version" in f"{error.user_text} {error.detail}".lower() else None


def _parse_service(data: bytes, url: str) -> Service:
    """The service that ``data`` describes: thousands of new layers would cause several scans for garbage."""
    with gc_paused():
        return read_service(data, host_of(url))


def _to_fetched_service(url: str, response: Response, version: str) -> FetchedService:
    service = _parse_service(response.body, url)
    qgis_http_cache.insert_document(url, response.body)
    now = datetime.now(timezone.utc)
    kept: Dict[str, str] = cache_validators(response.headers, service, version)
    return FetchedService(service, now, None, CachedBlob(response.body, kept, now.isoformat()))

"""Capabilities of a service from the network or from the blob cache, with version negotiation and revalidation.

The request address is the one of QGIS's WMS provider, and responses are inserted into QGIS's network cache for it. All
functions are for worker threads.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Dict, List, Mapping, Optional

from qgis.core import QgsFeedback

from ...core.errors import Cancelled, CartoguideError, NotCapabilities, ServiceError, UnexpectedResponse
from ...core.library.blob_cache import BlobKind, CachedBlob
from ...core.records.input.document_reader import set_secrets_apart
from ...core.request import Request, Response
from ...core.wms import read_service
from ...core.wms.model.operation_name import IDENTIFYING_PARAMETERS
from ...core.wms.model.service import Service
from ...core.wms.model.versions import SUPPORTED_VERSIONS, negotiate_version
from ...core.wms.requests.get_capabilities import (
    REQUESTED_VERSION,
    cache_validators,
    capabilities_request,
    conditional_request,
    is_not_modified,
    rejects_update_sequence,
)
from ...core.wms.requests.urls import url_prefix
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..network import qgis_http_cache
from ..network.client import fetch
from ..network.http_exchange import CachePolicy
from ..runtime import log
from ..runtime.network_errors import host_of
from .saved_blobs import OpenBlobCache, load_blob, save_blob

#: kind of these documents in the blob cache


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


#: statuses of services that fail on a request without a version
_MAY_NEED_VERSION = frozenset((200, 400, 406, 422, 500, 501))


def capabilities_url(endpoint: str) -> str:
    """Return the GetCapabilities address of a service, as QGIS's WMS provider requests it, without VERSION."""
    return url_prefix(endpoint) + "SERVICE=WMS&REQUEST=GetCapabilities"


def source_capabilities_url(address: str) -> str:
    """Return the GetCapabilities address of a layer of QGIS with this address, whose parameters it sends as well."""
    return url_prefix(address, IDENTIFYING_PARAMETERS) + "SERVICE=WMS&REQUEST=GetCapabilities"


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

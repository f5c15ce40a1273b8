"""What a service says of itself, asked for over the network or taken from what is kept: negotiated, revalidated, aged.

The address is the very one that QGIS's provider asks, and the answer goes where the provider looks first. Worker
threads only.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Callable, Dict, List, Mapping, Optional

from qgis.core import QgsFeedback

from ..core.errors import CartoguideError, NotCapabilities, ServiceError
from ..core.garbage import unscanned
from ..core.request import Request, Response
from ..core.store.keeping import Keeping, Kept
from ..core.wms import read_service
from ..core.wms.addresses import prefix
from ..core.wms.answers import explain_answer
from ..core.wms.model import Service
from ..core.wms.requests import capabilities_request
from ..core.wms.revalidation import VERSION, asks_for_news, is_unchanged, refuses_sequence, validators_of
from ..core.wms.versions import UNDERSTOOD, negotiate
from . import disk_cache, log
from .network import Cancelled, Freshness, fetch
from .network_errors import host_of

#: what the store calls them
KIND = "capabilities"

OpenKeeping = Callable[[], Keeping]


@dataclass(frozen=True)
class Reading:
    """A service as its capabilities told it at ``fetched_at`` (UTC); ``trouble`` says why nothing newer could be had.

    ``to_keep`` is what the store should hold from now on; None where it holds that already.
    """

    service: Service
    fetched_at: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    trouble: Optional[CartoguideError] = None
    to_keep: Optional[Kept] = None

    @property
    def age(self) -> float:
        """Seconds since the server said so; never negative, whatever its or this machine's clock does."""
        return max(0.0, (datetime.now(timezone.utc) - self.fetched_at).total_seconds())


def capabilities_url(endpoint: str) -> str:
    """The address at which QGIS's provider asks for capabilities: no VERSION, the endpoint's own parameters kept."""
    return prefix(endpoint) + "SERVICE=WMS&REQUEST=GetCapabilities"


def read(url: str, feedback: Optional[QgsFeedback], keeping: Optional[OpenKeeping], hours: float,
         refresh: bool) -> Reading:
    """The service at ``url`` (see ``capabilities_url``): what is kept of it while that is younger than ``hours``, else
    what it says now, else what is kept however old, with why.

    ``refresh`` asks the server in any case, and for the whole document. CartoguideError where there is nothing at all.
    """
    kept = _kept(url, keeping)
    held = _held(url, kept)
    if kept is None or held is None:
        return _ask(url, {}, feedback)
    if not refresh and held.age < hours * 3600:
        return held
    try:
        return _ask(url, {} if refresh else kept.validators, feedback, Reading(held.service, to_keep=kept))
    except Cancelled:
        raise
    except CartoguideError as error:
        return Reading(held.service, held.fetched_at, error.with_traceback(None))


def kept_service(url: str, keeping: OpenKeeping) -> Optional[Service]:
    """The service at ``url`` as it was kept, however long ago; None where nothing is. Nothing is asked for."""
    found = _held(url, _kept(url, keeping))
    return found.service if found is not None else None


def keep(url: str, kept: Kept, keeping: OpenKeeping) -> None:
    """Put ``kept`` into the store; where that cannot be, nothing is lost but the next time offline."""
    try:
        keeping().keep(KIND, url, kept.data, kept.validators, kept.fetched_at)
    except Cancelled:
        return
    except CartoguideError as error:
        log.error(error)


def _kept(url: str, keeping: Optional[OpenKeeping]) -> Optional[Kept]:
    if keeping is None:
        return None
    try:
        return keeping().kept(KIND, url)
    except Cancelled:
        return None
    except CartoguideError as error:
        log.error(error)
        return None


def _held(url: str, kept: Optional[Kept]) -> Optional[Reading]:
    """What is kept, read; None where it cannot be (any more)."""
    if kept is None:
        return None
    try:
        fetched_at = datetime.fromisoformat(kept.fetched_at)
        return Reading(_service(kept.data, url), fetched_at)
    except (CartoguideError, ValueError) as error:
        log.warning(f"{url}: {error}")
        return None


def _ask(url: str, validators: Mapping[str, str], feedback: Optional[QgsFeedback],
         held: Optional[Reading] = None) -> Reading:
    """What the server says now; ``held``, with its new date, where it says that this still holds."""
    version = validators.get(VERSION, "")
    asked: List[str] = []
    request = asks_for_news(url, validators)
    while True:
        response = _send(request, feedback)
        if held is not None and held.to_keep is not None and is_unchanged(response):
            return replace(held, to_keep=replace(held.to_keep, fetched_at=held.fetched_at.isoformat()))
        if held is not None and refuses_sequence(response):
            held, request = None, capabilities_request(url, version)
            continue
        asked.append(version)
        try:
            explain_answer(response, "xml")
            return _reading(url, response, version)
        except (NotCapabilities, ServiceError) as error:
            following = _other_version(error, version, asked)
            if following is None:
                raise
            version, held = following, None
            request = capabilities_request(url, version)


def _send(request: Request, feedback: Optional[QgsFeedback]) -> Response:
    # what stands in QGIS's cache was put there by ``disk_cache.put`` and would pass for fresh all day
    return fetch(request, feedback=feedback, freshness=Freshness.REFRESH)


def _other_version(error: CartoguideError, version: str, asked: List[str]) -> Optional[str]:
    """The version to ask for next (06-042 6.2.4); None where this is not about versions, or none is left."""
    if isinstance(error, NotCapabilities):
        return negotiate(version, error.version, already=asked) if error.version else None
    # against 6.2.4 some services want a version in every request
    return UNDERSTOOD[0] if asked == [""] and "version" in f"{error.user_text} {error.detail}".lower() else None


def _service(data: bytes, url: str) -> Service:
    """The service that ``data`` describes: thousands of new layers would cause several scans for garbage."""
    with unscanned():
        return read_service(data, host_of(url))


def _reading(url: str, response: Response, version: str) -> Reading:
    service = _service(response.body, url)
    disk_cache.put(url, response.body)
    now = datetime.now(timezone.utc)
    kept: Dict[str, str] = validators_of(response.headers, service, version)
    return Reading(service, now, None, Kept(response.body, kept, now.isoformat()))

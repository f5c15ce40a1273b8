"""Requests to catalogues from a task, with the login of each catalogue, and a cache of their protocols."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Dict, List, Optional, Sequence, Tuple

from qgis.core import QgsFeedback

from ...core.catalogues.detection import create_protocol
from ...core.catalogues.model import CatalogueProtocol, CatalogueQuery, Fetch, Source
from ...core.catalogues.paginator import Paginator
from ...core.catalogues.protocols.csw import CswProtocol
from ...core.distributions.record_distributions import coupled_identifiers
from ...core.records.model.record import Record, ResourceKind
from ...core.request import Request, Response
from ..network.client import RequestLimits, fetch
from ..network.http_exchange import CachePolicy
from ..network.origin_settings import OriginLogin, origin
from ..runtime.i18n import record_language

#: lifetime of a detected protocol, in seconds
_CACHE_SECONDS = 900.0
#: seconds that each answer about the services of a data set may take, and services that are read
_COUPLED_SECONDS, _MAX_COUPLED = 10.0, 20
_protocols: Dict[Tuple[Source, str], Tuple[float, CatalogueProtocol]] = {}
_protocols_lock = threading.Lock()


def fetcher(source: Source, feedback: Optional[QgsFeedback] = None, bypass_cache: bool = False,
            seconds: float = float("inf")) -> Fetch:
    """Return a function that sends requests to ``source``, each of which may take so many ``seconds``.

    Its login is only sent to its own origin.
    """
    login = OriginLogin(source.address, source.authcfg)
    cache_policy = CachePolicy.REFRESH if bypass_cache else CachePolicy.NORMAL

    def send(request: Request) -> Response:
        return fetch(request, limits=RequestLimits.from_settings(max_total=seconds), login=login, feedback=feedback,
                     cache_policy=cache_policy)

    return send


def with_login(source: Source, login: OriginLogin) -> Source:
    """Return the source with a login if it is at the origin that the login is for, else without one.

    A server says itself where its catalogue is.
    """
    return replace(source, authcfg=login.authcfg if origin(source.address) == origin(login.address) else "")


def open_protocol(source: Source, send_request: Fetch, language: str = "") -> CatalogueProtocol:
    """Return the protocol of a source, detected by requests if it is not cached. Raises CartoguideError, Cancelled."""
    protocol = cached_protocol(source, language)
    if protocol is None:
        protocol = create_protocol(source, send_request, language)
        with _protocols_lock:
            _protocols[(source, language)] = (time.monotonic(), protocol)
    return protocol


def cached_protocol(source: Source, language: str = "") -> Optional[CatalogueProtocol]:
    """Return the protocol of a source if it is cached, or None."""
    with _protocols_lock:
        entry = _protocols.get((source, language))
    return entry[1] if entry is not None and time.monotonic() - entry[0] < _CACHE_SECONDS else None


def services_in_catalogue(record: Record, sources: Sequence[Source],
                          feedback: Optional[QgsFeedback] = None) -> List[Tuple[Source, Record]]:
    """Return the services that operate on a data set in the CSW of ``sources`` that its record came from.

    Raises CartoguideError, Cancelled.
    """
    if record.kind is ResourceKind.SERVICE or not record.id:
        return []
    for source in (one for one in sources if origin(one.address) == origin(record.source)):
        send_request = fetcher(source, feedback, seconds=_COUPLED_SECONDS)
        protocol = open_protocol(source, send_request, record_language())
        if isinstance(protocol, CswProtocol) and protocol.record_url(record.id) == record.source:
            query = CatalogueQuery(type=ResourceKind.SERVICE.value, operates_on=record.id, page_size=_MAX_COUPLED)
            page = next(Paginator(protocol, send_request, query).pages(protocol.first_request(query)))
            return [(source, item.record) for item in page.items if record.id in coupled_identifiers(item.record)]
    return []


def forget_protocol(source: Optional[Source] = None) -> None:
    with _protocols_lock:
        for key in [key for key in _protocols if source is None or key[0].key == source.key]:
            del _protocols[key]

"""How sources are asked from a task: QGIS's network, with the login that was chosen for a source and only for it."""

from __future__ import annotations

import threading
import time
from typing import Dict, Optional, Tuple

from qgis.core import QgsFeedback

from ...core.catalogues.model import CatalogueProtocol, Fetch, Source
from ...core.catalogues.protocol_factory import create_protocol
from ...core.request import Request, Response
from ..network.authentication import origin
from ..network.client import fetch
from ..network.http_exchange import CachePolicy

#: seconds for which what a source says of itself is taken as true
_CACHE_SECONDS = 900.0
_protocols: Dict[Tuple[Source, str], Tuple[float, CatalogueProtocol]] = {}
_protocols_lock = threading.Lock()


def fetcher(source: Source, feedback: Optional[QgsFeedback] = None, bypass_cache: bool = False) -> Fetch:
    """Carries requests to ``source``; its login goes to its own origin (scheme, host, port) and nowhere else."""
    home = origin(source.address)
    freshness = CachePolicy.REFRESH if bypass_cache else CachePolicy.NORMAL

    def carry(request: Request) -> Response:
        authcfg = source.authcfg if source.authcfg and origin(request.url) == home else None
        return fetch(request, authcfg=authcfg, feedback=feedback, cache_policy=freshness)

    return carry


def open_protocol(source: Source, send_request: Fetch, language: str = "") -> CatalogueProtocol:
    """The protocol of a source; what it says of itself is asked for once in a while, not for every search."""
    protocol = cached_protocol(source, language)
    if protocol is None:
        protocol = create_protocol(source, send_request, language)
        with _protocols_lock:
            _protocols[(source, language)] = (time.monotonic(), protocol)
    return protocol


def cached_protocol(source: Source, language: str = "") -> Optional[CatalogueProtocol]:
    """The protocol of a source that was asked lately what it is; None where it would have to be asked now."""
    with _protocols_lock:
        kept = _protocols.get((source, language))
    return kept[1] if kept is not None and time.monotonic() - kept[0] < _CACHE_SECONDS else None


def forget_protocol(source: Optional[Source] = None) -> None:
    """Ask a source (all of them) again for what it is."""
    with _protocols_lock:
        for key in [key for key in _protocols if source is None or key[0].key == source.key]:
            del _protocols[key]

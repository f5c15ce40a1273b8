"""How sources are asked from a task: QGIS's network, with the login that was chosen for a source and only for it."""

from __future__ import annotations

import threading
import time
from typing import Dict, Optional, Tuple

from qgis.core import QgsFeedback

from ..core.request import Request, Response
from ..core.sources.model import Fetch, Source, SourceProtocol
from ..core.sources.opening import open_source
from .authentication import origin
from .network import Freshness, fetch

#: seconds for which what a source says of itself is taken as true
_KEPT = 900.0
_opened: Dict[Tuple[Source, str], Tuple[float, SourceProtocol]] = {}
_lock = threading.Lock()


def fetcher(source: Source, feedback: Optional[QgsFeedback] = None, afresh: bool = False) -> Fetch:
    """Carries requests to ``source``; its login goes to its own origin (scheme, host, port) and nowhere else."""
    home = origin(source.address)
    freshness = Freshness.REFRESH if afresh else Freshness.NORMAL

    def carry(request: Request) -> Response:
        authcfg = source.authcfg if source.authcfg and origin(request.url) == home else None
        return fetch(request, authcfg=authcfg, feedback=feedback, freshness=freshness)

    return carry


def opened(source: Source, carry: Fetch, language: str = "") -> SourceProtocol:
    """The protocol of a source; what it says of itself is asked for once in a while, not for every search."""
    protocol = known(source, language)
    if protocol is None:
        protocol = open_source(source, carry, language)
        with _lock:
            _opened[(source, language)] = (time.monotonic(), protocol)
    return protocol


def known(source: Source, language: str = "") -> Optional[SourceProtocol]:
    """The protocol of a source that was asked lately what it is; None where it would have to be asked now."""
    with _lock:
        kept = _opened.get((source, language))
    return kept[1] if kept is not None and time.monotonic() - kept[0] < _KEPT else None


def forget(source: Optional[Source] = None) -> None:
    """Ask a source (all of them) again for what it is."""
    with _lock:
        for key in [key for key in _opened if source is None or key[0].key == source.key]:
            del _opened[key]

"""Capabilities in QGIS's network cache, where its WMS provider finds them without a request.

The provider reads the capabilities again for every layer. Without an entry it would request the same document each
time.
"""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager
from typing import Collection, Dict, Iterator, Optional

from qgis.core import QgsFeedback

from ...core.wms.capabilities.parser import prune_capabilities
from ...core.wms.model.service import Service
from ..network import qgis_http_cache
from ..runtime.thread_pool import hold_lock
from .service_cache import ServiceCache, capabilities_url, source_capabilities_url

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

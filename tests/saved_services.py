"""Services known to a service cache without a request, from capabilities that a test gives."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, Mapping

from plugin.core.library.blob_cache import CachedBlob


class SavedDocuments:
    """A blob cache with the capabilities of some endpoints, fetched a moment ago. Nothing is saved in it."""

    def __init__(self, documents: Mapping[str, bytes]) -> None:
        from plugin.gis.services.service_cache import capabilities_url

        self._documents = {capabilities_url(endpoint): data for endpoint, data in documents.items()}

    def load(self, _kind: object, url: str) -> CachedBlob | None:
        data = self._documents.get(url)
        return None if data is None else CachedBlob(data, {}, datetime.now(timezone.utc).isoformat())

    def save(self, *_blob: object) -> None:
        """The test's documents stay as they are."""


def cache_of(documents: Mapping[str, bytes]) -> Any:
    """A service cache that knows the services of these capabilities documents by endpoint."""
    from plugin.gis.services.service_cache import ServiceCache

    saved = SavedDocuments(documents)
    cache = ServiceCache(lambda: saved)  # type: ignore[arg-type, return-value]
    for endpoint in documents:
        cache.load_saved(endpoint)
    return cache

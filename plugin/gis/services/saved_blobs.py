"""Access to the blob cache of the record library, for data that can be fetched again.

Errors of the library are logged and not raised, because a missing copy only matters offline.
"""

from __future__ import annotations

from typing import Callable, Optional

from ...core.errors import Cancelled, CartoguideError
from ...core.library.blob_cache import BlobCache, BlobKind, CachedBlob
from ..runtime import log

#: returns the blob cache of the open library. Called in worker threads
OpenBlobCache = Callable[[], BlobCache]


def load_blob(open_blob_cache: Optional[OpenBlobCache], kind: BlobKind, url: str) -> Optional[CachedBlob]:
    """Return the saved blob of this kind and address, or None."""
    if open_blob_cache is None:
        return None
    try:
        return open_blob_cache().load(kind, url)
    except Cancelled:
        return None
    except CartoguideError as error:
        log.error(error)
        return None


def save_blob(open_blob_cache: OpenBlobCache, kind: BlobKind, url: str, blob: CachedBlob) -> None:
    try:
        open_blob_cache().save(kind, url, blob.data, blob.validators, blob.fetched_at)
    except Cancelled:
        return
    except CartoguideError as error:
        log.error(error)

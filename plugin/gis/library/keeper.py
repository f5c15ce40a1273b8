"""The records that come with Cartoguide give way to a catalogue's own, wherever these come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict, List, Optional, Sequence

from ...core.library.query import LibraryQuery, SearchHit

if TYPE_CHECKING:
    from pathlib import Path

    from ...core.library.blob_cache import CheckpointStore
    from ...core.library.record_copies import IncomingRecord, Origin
    from ...core.library.record_store import RecordStore

#: the source of the records that come with the network profile
BUNDLED = "bundled"
_SEARCH_PAGE_SIZE = 500


class ImportTarget:
    """The store as an import needs it; for one worker thread at a time. ``identifiers`` are those of the records that
    were put here, by place: what another process writes for an import is not among them.
    """

    def __init__(self, store: RecordStore) -> None:
        self.store = store
        self.identifiers: Dict[str, str] = {}

    @property
    def path(self) -> Path:
        """The store's file."""
        return self.store.path

    @property
    def checkpoints(self) -> CheckpointStore:
        """Where unfinished harvests, and what is known of watched folders, are noted."""
        return self.store.checkpoints

    def save_rows(self, origin: Origin, batch: Sequence[IncomingRecord]) -> List[str]:
        """Keep a batch of one source; "new", "changed", "same" for each. On the disk when it returns."""
        from ...core.library.record_copies import identifier_of

        outcomes = self.store.save_rows(origin, batch)
        self.identifiers.update((one.location, identifier_of(origin.source, one)) for one in batch)
        return outcomes

    def merge_segments(self, cancelled: Optional[Callable[[], bool]] = None) -> None:
        """Join the pieces that many batches left in the index."""
        self.store.merge_segments(cancelled)

    def mark_unseen_as_vanished(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark what a complete reading of a source did not come across."""
        return self.store.mark_unseen_as_vanished(source, is_seen)


def remove_replaced_starters(store: RecordStore) -> None:
    """Take out the starters of the services that another record describes, under whichever identifier."""
    starters = [hit for hit in find_bundled(store) if hit.starter and hit.endpoint]
    gone = [hit.identifier for hit in starters if has_catalogue_record(store, hit.endpoint)]
    if gone:
        store.remove(gone)


def has_catalogue_record(store: RecordStore, endpoint: str) -> bool:
    """Whether a catalogue's own record describes the map service at a normalised ``endpoint``."""
    return any(not hit.starter and hit.kind == "service" for hit in store.find_by_endpoint(endpoint))


def find_bundled(store: RecordStore) -> List[SearchHit]:
    """The records of the store that came with the network profile."""
    found: List[SearchHit] = []
    more = True
    while more:
        page = store.search(LibraryQuery(facets={"source": (BUNDLED,)}), _SEARCH_PAGE_SIZE, len(found))
        found += page.hits
        more = page.has_more and bool(page.hits)
    return found

"""The records that come with Cartoguide give way to a catalogue's own, wherever these come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict, List, Optional, Sequence

from ..core.store.query import Hit, Query

if TYPE_CHECKING:
    from pathlib import Path

    from ..core.store.copies import Incoming, Origin
    from ..core.store.keeping import Progress
    from ..core.store.store import Store

#: the source of the records that come with the network profile
BUNDLED = "bundled"
_PAGE = 500


class Keeper:
    """The store as an import needs it; for one worker thread at a time. ``identifiers`` are those of the records that
    were put here, by place: what another process writes for an import is not among them.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.identifiers: Dict[str, str] = {}

    @property
    def path(self) -> Path:
        """The store's file."""
        return self.store.path

    @property
    def progress(self) -> Progress:
        """Where unfinished harvests, and what is known of watched folders, are noted."""
        return self.store.progress

    def put_rows(self, origin: Origin, batch: Sequence[Incoming]) -> List[str]:
        """Keep a batch of one source; "new", "changed", "same" for each. On the disk when it returns."""
        from ..core.store.copies import identifier_of

        outcomes = self.store.put_rows(origin, batch)
        self.identifiers.update((one.place, identifier_of(origin.source, one)) for one in batch)
        return outcomes

    def tidy(self, cancelled: Optional[Callable[[], bool]] = None) -> None:
        """Join the pieces that many batches left in the index."""
        self.store.tidy(cancelled)

    def vanish_unseen(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark what a complete reading of a source did not come across."""
        return self.store.vanish_unseen(source, is_seen)


def retire_starters(store: Store) -> None:
    """Take out the starters of the services that another record describes, under whichever identifier."""
    starters = [hit for hit in bundled(store) if hit.starter and hit.endpoint]
    gone = [hit.identifier for hit in starters if is_described(store, hit.endpoint)]
    if gone:
        store.forget(gone)


def is_described(store: Store, endpoint: str) -> bool:
    """Whether a catalogue's own record describes the map service at a normalised ``endpoint``."""
    return any(not hit.starter and hit.kind == "service" for hit in store.by_endpoint(endpoint))


def bundled(store: Store) -> List[Hit]:
    """The records of the store that came with the network profile."""
    found: List[Hit] = []
    more = True
    while more:
        page = store.search(Query(facets={"source": (BUNDLED,)}), _PAGE, len(found))
        found += page.hits
        more = page.more and bool(page.hits)
    return found

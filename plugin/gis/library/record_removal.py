"""Taking records out of the store for good, and back again: every copy with its source and place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, Sequence, Tuple

from .record_library import BUNDLED

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore
    from ...core.records.model.record import Record


@dataclass(frozen=True)
class RemovedRecords:
    """What was taken out: of each copy (source's address, record, place, whether its source no longer held it)."""

    copies: Tuple[Tuple[str, Record, str, bool], ...]
    count: int


def remove_records(store: RecordStore, identifiers: Sequence[str]) -> RemovedRecords:
    """Take records out; they stay members of collections, so that they are there again when they come back.

    What comes with the network profile alone stays: it would be there again the next time.
    """
    known = {identifier: store.find_copies(identifier) for identifier in identifiers}
    going = [identifier for identifier, copies in known.items() if any(copy.source != BUNDLED for copy in copies)]
    copies = [(copy.source, store.load_copy(copy), copy.location, copy.vanished_at is not None) for identifier in going
              for copy in reversed(known[identifier])]
    return RemovedRecords(tuple(copies), store.remove(going) if going else 0)


def restore_records(store: RecordStore, removed: RemovedRecords) -> None:
    """Undo ``take_out``."""
    sources = store.sources()
    by_source: Dict[str, List[Tuple[Record, str]]] = {}
    for source, record, place, _ in removed.copies:
        by_source.setdefault(source, []).append((record, place))
    for source, records in by_source.items():
        kind, title = sources.get(source, ("", ""))
        store.save(source, kind, title, records)
        store.mark_vanished(source,
                            [place for address, _, place, vanished in removed.copies if vanished and address == source])

"""Removal of records from the library, with undo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, Sequence, Tuple

from .record_library import BUNDLED

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore
    from ...core.records.model.record import Record


@dataclass(frozen=True)
class RemovedRecords:
    """The removed copies (address of the source, record, location, vanished from its source) and number of records."""

    copies: Tuple[Tuple[str, Record, str, bool], ...]
    count: int


def remove_records(store: RecordStore, identifiers: Sequence[str]) -> RemovedRecords:
    """Remove records with all their copies. They stay members of collections, in case they are restored.

    Records that only come from the network profile are not removed, because they would return at the next start.
    """
    known = {identifier: store.find_copies(identifier) for identifier in identifiers}
    removed = [identifier for identifier, copies in known.items() if any(copy.source != BUNDLED for copy in copies)]
    copies = [(copy.source, store.load_copy(copy), copy.location, copy.vanished_at is not None)
              for identifier in removed for copy in reversed(known[identifier])]
    return RemovedRecords(tuple(copies), store.remove(removed) if removed else 0)


def restore_records(store: RecordStore, removed: RemovedRecords) -> None:
    """Undo ``remove_records``."""
    sources = store.sources()
    by_source: Dict[str, List[Tuple[Record, str]]] = {}
    for source, record, location, _ in removed.copies:
        by_source.setdefault(source, []).append((record, location))
    for source, records in by_source.items():
        kind, title = sources.get(source, ("", ""))
        store.save(source, kind, title, records)
        store.mark_vanished(source,
                            [location for address, _, location, vanished in removed.copies
                             if vanished and address == source])

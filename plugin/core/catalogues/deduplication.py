"""Results of several sources as one list: each identifier once, the newest version speaks, the others are listed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, Iterable, List, Tuple

from .model import CatalogueRecord, Source

_MIDNIGHT = re.compile(r"T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:00)?\Z")


@dataclass(frozen=True)
class SourceRecord:
    """One record as one source gives it."""

    source: Source
    item: CatalogueRecord


@dataclass(frozen=True)
class MergedRecord:
    """One identifier: ``best`` is its newest version, ``others`` are those of other sources or older ones."""

    identifier: str
    best: SourceRecord
    others: Tuple[SourceRecord, ...] = ()

    @property
    def sources(self) -> Tuple[Source, ...]:
        """Every source that has it, the best version's first."""
        return tuple(dict.fromkeys(version.source for version in (self.best, *self.others)))


class RecordMerger:
    """A list that grows as results arrive; ``results`` stay in the order in which identifiers first came."""

    def __init__(self) -> None:
        self._versions: Dict[str, List[SourceRecord]] = {}

    def add(self, source: Source, items: Iterable[CatalogueRecord]) -> List[str]:
        """Take results in; gives the identifiers that are new or changed by them."""
        touched = []
        for item in items:
            identifier = item.record.id or item.location
            versions = self._versions.setdefault(identifier, [])
            if any(known.source == source and known.item.location == item.location and known.item.record == item.record
                   for known in versions):
                continue
            versions.append(SourceRecord(source, item))
            touched.append(identifier)
        return list(dict.fromkeys(touched))

    def get(self, identifier: str) -> MergedRecord:
        """One identifier; KeyError for one that no source gave."""
        versions = sorted(self._versions[identifier], key=_newest_first_key, reverse=True)
        return MergedRecord(identifier, versions[0], tuple(versions[1:]))

    @property
    def results(self) -> List[MergedRecord]:
        """Every identifier once."""
        return [self.get(identifier) for identifier in self._versions]

    def __len__(self) -> int:
        return len(self._versions)


def comparable_date_stamp(stamp: str) -> str:
    """A date stamp (ISO 8601) that sorts as text: midnight, which indexes make of a mere date, is that date."""
    return _MIDNIGHT.sub("", stamp)


def _newest_first_key(version: SourceRecord) -> Tuple[str, bool]:
    """Newest date stamp first (a date is older than a moment of its day), whole ones before mere index entries."""
    return comparable_date_stamp(version.item.record.date_stamp or ""), version.item.full

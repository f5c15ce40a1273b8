"""Merging of results from several sources, so that each identifier occurs once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, Iterable, List, Tuple

from .model import CatalogueRecord, Source

_MIDNIGHT = re.compile(r"T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:00)?\Z")


@dataclass(frozen=True)
class SourceRecord:
    """One record as one source returned it."""

    source: Source
    item: CatalogueRecord


@dataclass(frozen=True)
class MergedRecord:
    """One identifier: ``best`` is its newest version, ``others`` are older ones and those of other sources."""

    identifier: str
    best: SourceRecord
    others: Tuple[SourceRecord, ...] = ()

    @property
    def sources(self) -> Tuple[Source, ...]:
        """Return every source that has the record, that of the best version first."""
        return tuple(dict.fromkeys(version.source for version in (self.best, *self.others)))


class RecordMerger:
    """List of records that grows as results arrive, in the order in which their identifiers first arrived."""

    def __init__(self) -> None:
        self._versions: Dict[str, List[SourceRecord]] = {}

    def add(self, source: Source, items: Iterable[CatalogueRecord]) -> List[str]:
        """Add results and return the identifiers that are new or changed."""
        touched = []
        for item in items:
            identifier = item.record.id or item.location
            versions = self._versions.setdefault(identifier, [])
            if any(version.source == source and version.item.location == item.location and
                   version.item.record == item.record for version in versions):
                continue
            versions.append(SourceRecord(source, item))
            touched.append(identifier)
        return list(dict.fromkeys(touched))

    def get(self, identifier: str) -> MergedRecord:
        """Return the merged record for an identifier. Raises KeyError if no source returned it."""
        versions = sorted(self._versions[identifier], key=_freshness, reverse=True)
        return MergedRecord(identifier, versions[0], tuple(versions[1:]))

    @property
    def results(self) -> List[MergedRecord]:
        """Return every merged record."""
        return [self.get(identifier) for identifier in self._versions]

    def __len__(self) -> int:
        return len(self._versions)


def comparable_date_stamp(stamp: str) -> str:
    """Return a date stamp (ISO 8601) that sorts as text.

    A time of midnight is removed, because catalogue indexes add it to dates.
    """
    return _MIDNIGHT.sub("", stamp)


def _freshness(version: SourceRecord) -> Tuple[str, bool]:
    """Return a sort key by date stamp and completeness. A date is older than a time on that day."""
    return comparable_date_stamp(version.item.record.date_stamp or ""), version.item.full

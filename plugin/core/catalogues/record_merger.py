"""Merging of the records of several sources, so that each identifier occurs once.

A catalogue returns a CatalogueRecord (a record and its address). With its source it is a SourceRecord, one version of
the record. All versions with one identifier are a MergedRecord.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Dict, Iterable, List, Tuple

from .model import CatalogueRecord, Source

_MIDNIGHT = re.compile(r"T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:00)?\Z")


@dataclass(frozen=True)
class SourceRecord:
    source: Source
    item: CatalogueRecord


@dataclass(frozen=True)
class MergedRecord:
    """All versions of one record: ``best`` is the newest, ``others`` are the rest, newest first.

    Of versions with the same date stamp, full records come before index entries. ``identifier`` is the address of a
    record that has no identifier.
    """

    identifier: str
    best: SourceRecord
    others: Tuple[SourceRecord, ...] = ()

    @property
    def sources(self) -> Tuple[Source, ...]:
        """Return every source that has the record, that of the best version first."""
        return tuple(dict.fromkeys(version.source for version in (self.best, *self.others)))


class RecordMerger:
    """Merges the records of several sources as they arrive, in the order in which their identifiers first arrived."""

    def __init__(self) -> None:
        self._versions: Dict[str, List[SourceRecord]] = {}

    def add(self, source: Source, items: Iterable[CatalogueRecord]) -> List[str]:
        """Add results and return the identifiers that are new or changed."""
        changed_identifiers = []
        for item in items:
            # the address stands for an identifier that is missing
            identifier = item.record.id or item.location
            versions = self._versions.setdefault(identifier, [])
            # ``full`` is not compared: the same record is no news
            known = [(version.source, version.item.location, version.item.record) for version in versions]
            if (source, item.location, item.record) in known:
                continue
            versions.append(SourceRecord(source, item))
            changed_identifiers.append(identifier)
        return list(dict.fromkeys(changed_identifiers))

    def get(self, identifier: str) -> MergedRecord:
        """Return the merged record for an identifier. Raises KeyError if no source returned it."""
        versions = sorted(self._versions[identifier], key=_freshness, reverse=True)
        return MergedRecord(identifier, versions[0], tuple(versions[1:]))

    @property
    def results(self) -> List[MergedRecord]:
        """Return every merged record, in the order in which their identifiers first arrived."""
        return [self.get(identifier) for identifier in self._versions]

    def __len__(self) -> int:
        return len(self._versions)


def comparable_date_stamp(stamp: str) -> str:
    """Return a date stamp (ISO 8601) that sorts as text.

    A time of midnight is removed, because catalogue indexes add it to dates. Time zones are ignored. A date that is
    still to come is today.
    """
    return min(_MIDNIGHT.sub("", stamp), datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S"))


def _freshness(version: SourceRecord) -> Tuple[str, bool]:
    """Return a sort key by date stamp, then completeness, greatest for the newest version.

    A date without a time sorts before a time on that day.
    """
    return comparable_date_stamp(version.item.record.date_stamp or ""), version.item.full

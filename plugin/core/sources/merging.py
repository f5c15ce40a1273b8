"""Results of several sources as one list: each identifier once, the newest version speaks, the others are listed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, Iterable, List, Tuple

from .model import Found, Source

_MIDNIGHT = re.compile(r"T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:00)?\Z")


@dataclass(frozen=True)
class Version:
    """One record as one source gives it."""

    source: Source
    found: Found


@dataclass(frozen=True)
class Merged:
    """One identifier: ``best`` is its newest version, ``others`` are those of other sources or older ones."""

    identifier: str
    best: Version
    others: Tuple[Version, ...] = ()

    @property
    def sources(self) -> Tuple[Source, ...]:
        """Every source that has it, the best version's first."""
        return tuple(dict.fromkeys(version.source for version in (self.best, *self.others)))


class Merging:
    """A list that grows as results arrive; ``results`` stay in the order in which identifiers first came."""

    def __init__(self) -> None:
        self._versions: Dict[str, List[Version]] = {}

    def add(self, source: Source, items: Iterable[Found]) -> List[str]:
        """Take results in; gives the identifiers that are new or changed by them."""
        touched = []
        for item in items:
            identifier = item.record.id or item.place
            versions = self._versions.setdefault(identifier, [])
            if any(known.source == source and known.found.place == item.place
                   and known.found.record == item.record for known in versions):
                continue
            versions.append(Version(source, item))
            touched.append(identifier)
        return list(dict.fromkeys(touched))

    def get(self, identifier: str) -> Merged:
        """One identifier; KeyError for one that no source gave."""
        versions = sorted(self._versions[identifier], key=_rank, reverse=True)
        return Merged(identifier, versions[0], tuple(versions[1:]))

    @property
    def results(self) -> List[Merged]:
        """Every identifier once."""
        return [self.get(identifier) for identifier in self._versions]

    def __len__(self) -> int:
        return len(self._versions)


def comparable(stamp: str) -> str:
    """A date stamp (ISO 8601) that sorts as text: midnight, which indexes make of a mere date, is that date."""
    return _MIDNIGHT.sub("", stamp)


def _rank(version: Version) -> Tuple[str, bool]:
    """Newest date stamp first (a date is older than a moment of its day), whole ones before mere index entries."""
    return comparable(version.found.record.date_stamp or ""), version.found.full

"""Merging of the records of several catalogues, and of these with the record library, into one list without duplicates.

A catalogue returns a CatalogueRecord (a record and its address). With its source it is a SourceRecord, one version of
the record. All versions with one identifier are a MergedRecord.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Container, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from ..box import WORLD, Box
from ..library.index.index_row import IndexRow, index_row
from ..library.query import Facet, FacetCounts, LibraryQuery, SearchHit, SortOrder
from ..text import fold
from .local_filter import INDEX_ENTRY_FACETS
from .model import CatalogueQuery, CatalogueRecord, CatalogueSort, Source

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


#: by relevance, catalogues return their records in the order that is best for the query
_CATALOGUE_SORTS = {SortOrder.RELEVANCE: CatalogueSort.NONE, SortOrder.TITLE: CatalogueSort.TITLE,
                    SortOrder.DATE: CatalogueSort.DATE}


@dataclass(frozen=True)
class RemoteHit(SearchHit):
    """A result that only a catalogue has, or of which it has a newer version.

    ``catalogue`` is its title and ``source`` its key. ``rank`` is the position among that catalogue's results (from 0),
    and ``local_date_stamp`` the date stamp of the older copy in the library (None without one).
    """

    catalogue: str = ""
    source: str = ""
    rank: int = 0
    local_date_stamp: Optional[str] = None


def to_catalogue_query(query: LibraryQuery, page_size: int = 50) -> CatalogueQuery:
    """Return ``query`` as a query to catalogues. ``Facet.SOURCE`` is left out, since it selects the catalogues."""
    facets = tuple(sorted((facet, tuple(values)) for facet, values in query.facets.items()
                          if values and facet != Facet.SOURCE))
    return CatalogueQuery(query.text.strip(), bbox=_clip_to_globe(query.bbox), facets=facets, page_size=page_size,
                          sort=_CATALOGUE_SORTS[query.sort])


def selected_sources(query: LibraryQuery, sources: Sequence[Source]) -> List[Source]:
    """Return those of ``sources`` that the query does not exclude."""
    keys = query.facets.get(Facet.SOURCE, ())
    return [source for source in sources if not keys or source.key in keys]


def matches_facets(row: IndexRow, sources: Tuple[str, ...], query: LibraryQuery, full: bool) -> bool:
    """Return True if a result has one of the values of each facet.

    Index entries (not ``full``) are tested only on the facets that they are certain to have.
    """
    own_values: Mapping[str, Tuple[str, ...]] = {**row.facets, Facet.SOURCE: sources}
    for facet, values in query.facets.items():
        if not values or not (full or facet in (*INDEX_ENTRY_FACETS, Facet.SOURCE)):
            continue
        folded = {fold(value) for value in own_values.get(facet, ())}
        if not any(fold(value) in folded for value in values):
            return False
    return True


def to_search_hit(merged: MergedRecord, rank: int, query: LibraryQuery,
                  local: Optional[SearchHit]) -> Optional[SearchHit]:
    """Return the hit for one identifier: the local record if it is as new, else the catalogue's.

    Return None if it does not match the query.
    """
    best = merged.best
    row = index_row(best.item.record)
    sources = tuple(source.key for source in merged.sources)
    facets = tuple((facet, values) for facet, values in {**row.facets, Facet.SOURCE: sources}.items() if values)
    if not matches_facets(row, sources, query, best.item.full):
        return None
    if local is not None and not local.starter and comparable_date_stamp(local.date_stamp) >= comparable_date_stamp(
            row.date_stamp):
        return replace(local, facets=facets)
    return RemoteHit(
        record_id=-1, identifier=merged.identifier, title=row.title, kind=row.kind, service_type=row.service_type,
        year=row.year, date_stamp=row.date_stamp, organisation=row.organisation, licence=row.licence, free=row.free,
        credit_required=row.credit_required, endpoint=row.endpoint, overview=row.overview, starter=False, bbox=row.bbox,
        offered=row.offered,
        catalogue=best.source.display_name, source=best.source.key, rank=rank,
        local_date_stamp=None if local is None else local.date_stamp, facets=facets)


def is_in_library(hit: SearchHit) -> bool:
    """Return True if the library has the record of a catalogue's result, perhaps in an older version."""
    return not isinstance(hit, RemoteHit) or hit.local_date_stamp is not None


def add_remote_counts(local: FacetCounts, remote: Iterable[SearchHit], listed: Container[str] = ()) -> FacetCounts:
    """Return the local counts plus those of the hits that only catalogues have found.

    ``listed`` are the identifiers that the local counts include. A record of the library may be found by its catalogue
    alone, which searches more than titles and texts. Only hits received so far are counted.
    """
    totals: Dict[str, Dict[str, int]] = {facet: dict(values) for facet, values in local.facets.items()}
    added = 0
    for hit in remote:
        if hit.identifier in listed:
            continue
        added += 1
        for facet, values in hit.facets:
            counts = totals.setdefault(facet, {})
            for value in values:
                counts[value] = counts.get(value, 0) + 1
    if not added:
        return local
    facets = {
        facet: tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))) for facet, counts in totals.items()
    }
    return FacetCounts(local.total + added, facets)


def merge_results(local: Sequence[SearchHit], remote: Sequence[SearchHit], sort: SortOrder) -> List[SearchHit]:
    """Return local and remote hits in one order.

    By title or date the order covers all of them. By relevance, which no two catalogues measure alike, the first hits
    of each come before the second ones, local hits first.
    """
    newer = {hit.identifier: hit for hit in remote if isinstance(hit, RemoteHit)}
    local_hits = [newer.pop(hit.identifier, hit) for hit in local]
    local_identifiers = {hit.identifier for hit in local_hits}
    others = [hit for hit in remote if hit.identifier not in local_identifiers]
    if sort is SortOrder.TITLE:
        return sorted([*local_hits, *others], key=lambda hit: fold(hit.title))
    if sort is SortOrder.DATE:
        return sorted([*local_hits, *others], key=lambda hit: hit.date_stamp, reverse=True)
    ranked = [(rank, 0, hit) for rank, hit in enumerate(local_hits)]
    ranked += [(hit.rank if isinstance(hit, RemoteHit) else 0, 1, hit) for hit in others]
    return [hit for _, _, hit in sorted(ranked, key=lambda item: item[:2])]


def _clip_to_globe(box: Optional[Box]) -> Optional[Box]:
    """Return a bounding box limited to the globe, or None if nothing is left."""
    if box is None:
        return None
    inside = box.intersection(WORLD)
    return inside if inside.west <= inside.east and inside.south <= inside.north else None

"""What catalogues found and what is kept already, as one list: asked for alike, each identifier once, the newer one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from ..store.indexing import IndexRow, index_row
from ..store.query import Counts, Hit, Query
from ..text import fold
from .matching import SURE
from .merging import Merged, comparable
from .model import Box, Source, SourceQuery


@dataclass(frozen=True)
class RemoteHit(Hit):
    """A result that only a catalogue has, or has newer. ``catalogue`` is its title, ``source`` its key, ``rank`` the
    place among that catalogue's results (from 0), ``held`` the date stamp of the older copy that is kept (None: none),
    ``facets`` pairs of each facet and the values that it bears.
    """

    catalogue: str = ""
    source: str = ""
    rank: int = 0
    held: Optional[str] = None
    facets: Tuple[Tuple[str, Tuple[str, ...]], ...] = ()


def source_query(query: Query, page_size: int = 50) -> SourceQuery:
    """``query`` as catalogues are asked for it. A source is none of its conditions: only that one is asked."""
    facets = tuple(sorted((facet, tuple(values)) for facet, values in query.facets.items()
                          if values and facet != "source"))
    return SourceQuery(query.text.strip(), box=_on_the_globe(query.box), facets=facets, page_size=page_size,
                       sort="" if query.sort == "relevance" else query.sort)


def wanted_sources(query: Query, sources: Sequence[Source]) -> List[Source]:
    """Those of ``sources`` that the query does not leave out."""
    wanted = query.facets.get("source", ())
    return [source for source in sources if not wanted or source.key in wanted]


def fits(row: IndexRow, sources: Tuple[str, ...], query: Query, full: bool) -> bool:
    """Whether a result bears one of the chosen values of each facet; of a mere index entry (not ``full``) only those
    count that it is sure to have.
    """
    own: Mapping[str, Tuple[str, ...]] = {**row.facets, "source": sources}
    for facet, wanted in query.facets.items():
        if not wanted or not (full or facet in (*SURE, "source")):
            continue
        values = {fold(value) for value in own.get(facet, ())}
        if not any(fold(value) in values for value in wanted):
            return False
    return True


def row_of(merged: Merged, rank: int, query: Query, kept: Optional[Hit]) -> Optional[Hit]:
    """The line for one identifier: the record that is kept where it is as new, else the catalogue's; None where it does
    not fit the query.
    """
    best = merged.best
    row = index_row(best.found.record)
    if kept is not None and not kept.starter and comparable(kept.date_stamp) >= comparable(row.date_stamp):
        return kept
    sources = tuple(source.key for source in merged.sources)
    if not fits(row, sources, query, best.found.full):
        return None
    return RemoteHit(
        record_id=-1, identifier=merged.identifier, title=row.title, kind=row.kind, service_type=row.service_type,
        year=row.year, date_stamp=row.date_stamp, organisation=row.organisation, licence=row.licence, free=row.free,
        credit_required=row.credit_required, endpoint=row.endpoint, overview=row.overview, starter=False, box=row.box,
        catalogue=best.source.shown, source=best.source.key, rank=rank, held=None if kept is None else kept.date_stamp,
        facets=tuple((facet, values) for facet, values in {**row.facets, "source": sources}.items() if values))


def counted(own: Counts, found: Iterable[Hit]) -> Counts:
    """The counts of what is kept, and of what only catalogues hold beside it: of the lines that came, no others."""
    totals: Dict[str, Dict[str, int]] = {facet: dict(values) for facet, values in own.facets.items()}
    more = 0
    for hit in found:
        if not isinstance(hit, RemoteHit) or hit.held is not None:
            continue
        more += 1
        for facet, values in hit.facets:
            known = totals.setdefault(facet, {})
            for value in values:
                known[value] = known.get(value, 0) + 1
    if not more:
        return own
    facets = {facet: tuple(sorted(known.items(), key=lambda pair: (-pair[1], pair[0])))
              for facet, known in totals.items()}
    return Counts(own.total + more, facets)


def weave(kept: Sequence[Hit], found: Sequence[Hit], sort: str) -> List[Hit]:
    """Both in one order. By title or date the order is that of all; by relevance, which no two catalogues measure
    alike, the first of each come before the second of each, what is kept in front.
    """
    newer = {hit.identifier: hit for hit in found if isinstance(hit, RemoteHit)}
    own = [newer.pop(hit.identifier, hit) for hit in kept]
    here = {hit.identifier for hit in own}
    others = [hit for hit in found if hit.identifier not in here]
    if sort == "title":
        return sorted([*own, *others], key=lambda hit: fold(hit.title))
    if sort == "date":
        return sorted([*own, *others], key=lambda hit: hit.date_stamp, reverse=True)
    ranked = [(rank, 0, hit) for rank, hit in enumerate(own)]
    ranked += [(hit.rank if isinstance(hit, RemoteHit) else 0, 1, hit) for hit in others]
    return [hit for _, _, hit in sorted(ranked, key=lambda item: item[:2])]


def _on_the_globe(box: Optional[Box]) -> Optional[Box]:
    """A window that shows more than the globe asks for all that is on it."""
    if box is None:
        return None
    west, south, east, north = max(-180.0, box[0]), max(-90.0, box[1]), min(180.0, box[2]), min(90.0, box[3])
    return (west, south, east, north) if west <= east and south <= north else None

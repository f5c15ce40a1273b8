"""A search as a value, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Optional, Tuple

SORTS = ("relevance", "title", "date")


@dataclass(frozen=True)
class LibraryQuery:
    """What is looked for. Every word must stand in the record, as a prefix; values of one facet are
    alternatives, facets add up.

    ``box`` is west, south, east, north in degrees (CRS:84) and must be met by the record's own.
    ``collection`` narrows to a named set.
    """

    text: str = ""
    bbox: Optional[Tuple[float, float, float, float]] = None
    facets: Mapping[str, Tuple[str, ...]] = field(default_factory=dict)
    sort: str = "relevance"
    collection: str = ""


@dataclass(frozen=True)
class SearchHit:
    """One result: what a list needs to show it, without reading the record.

    ``vanished_at`` (ISO 8601) says since when no source holds it any more.
    """

    record_id: int
    identifier: str
    title: str
    kind: str
    service_type: str
    year: Optional[int]
    date_stamp: str
    organisation: str
    licence: str
    free: str
    credit_required: str
    endpoint: str
    overview: str
    starter: bool
    bbox: Optional[Tuple[float, float, float, float]]
    vanished_at: Optional[str] = None


@dataclass(frozen=True)
class ResultPage:
    """Some results in order, and whether there are more behind them."""

    hits: Tuple[SearchHit, ...]
    has_more: bool


@dataclass(frozen=True)
class FacetCounts:
    """How many records a query finds in all, and how many of them bear each facet value, most first."""

    total: int
    facets: Mapping[str, Tuple[Tuple[str, int], ...]]

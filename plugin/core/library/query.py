"""Search of the record library as a value, and its results."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Mapping, Optional, Tuple

from ..box import Box

#: results that a search returns at a time
PAGE_SIZE = 50


class SortOrder(str, Enum):
    """Orders of the results: by relevance, by title, or by date with the newest first."""

    RELEVANCE = "relevance"
    TITLE = "title"
    DATE = "date"


class Facet(str, Enum):
    """Properties that narrow a search, with the count of each value. Values are saved in the index and in settings."""

    KIND = "kind"
    SERVICE_TYPE = "service_type"
    LICENCE = "licence"
    YEAR = "year"
    ORGANISATION = "organisation"
    KEYWORD = "keyword"
    SOURCE = "source"


@dataclass(frozen=True)
class LibraryQuery:
    """Search of the record library. The empty query finds every record.

    Every word of ``text`` must occur in the record, as a word or the beginning of one. ``facets`` has values by
    ``Facet``. The values of one facet are alternatives, and every facet must match. ``bbox`` is west, south, east,
    north in degrees (CRS:84), and the record's extent must intersect it. ``collection`` restricts the search to a
    collection.
    """

    text: str = ""
    bbox: Optional[Box] = None
    facets: Mapping[str, Tuple[str, ...]] = field(default_factory=dict)
    sort: SortOrder = SortOrder.RELEVANCE
    collection: str = ""


@dataclass(frozen=True)
class SearchHit:
    """One search result, with what a list shows of it, so that the record need not be read.

    ``bbox`` is west, south, east, north in degrees (CRS:84). ``vanished_at`` (ISO 8601) is the time since when its
    source no longer has it.
    """

    record_id: int
    identifier: str
    title: str
    #: a ResourceKind value
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
    bbox: Optional[Box]
    vanished_at: Optional[str] = None
    #: the LinkKind value of what is added of it, "" for nothing, "?" if its service or the record has to be read first
    offered: str = ""
    #: pairs of each facet and the record's values, where a catalogue's answer has them
    facets: Tuple[Tuple[str, Tuple[str, ...]], ...] = ()

    @property
    def can_be_added(self) -> bool:
        """True if something of it can be added to a map, or may turn out to be."""
        return bool(self.endpoint or self.offered)


@dataclass(frozen=True)
class ResultPage:
    """Some results in order. ``has_more`` is True if more follow."""

    hits: Tuple[SearchHit, ...]
    has_more: bool


@dataclass(frozen=True)
class FacetCounts:
    """Number of records that a query finds, and the number for each facet value, most frequent first."""

    total: int
    facets: Mapping[str, Tuple[Tuple[str, int], ...]]

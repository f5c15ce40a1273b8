"""Suggestions of services for a map: those named by its records, and those of the same network nearby."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterable, List, Sequence, Set
from urllib.parse import urlsplit

from ..i18n import tr
from ..records.model.endpoints import normalise_endpoint
from ..records.model.record import Record
from ..text import fold

_WORD = re.compile(r"[^\W\d_]{5,}")
#: words in so many titles that they identify nothing
_STOP_WORDS = frozenset(
    fold(word) for word in ("servicio", "servicios", "service", "services", "mapas", "mapa", "guía", "datos", "parque",
                            "natural", "nature", "espacios", "naturales", "andalucía", "junta", "consejería",
                            "ambiente", "medio", "visualización", "network"))
#: words of titles of maps that show the ground, in folded text
_BASE_WORDS = re.compile(r"\b(?:mapa (?:guia|base|topografico)|(?:guide|base|topographic) ?map|topogra|cartografia base"
                         r"|orth?o(?:foto|photo|ima)|callejero)")
#: share of a title's distinctive words that a record has to contain to name the service
_NAMING_SHARE = 0.6
_MAX_SUGGESTIONS = 3


@dataclass(frozen=True)
class SuggestionCandidate:
    """A service that is not on the map: its record's identifier, title and endpoint."""

    identifier: str
    title: str
    endpoint: str


@dataclass(frozen=True)
class Suggestion:
    """A candidate with the reason why it is suggested. ``is_named``: a record on the map names it."""

    candidate: SuggestionCandidate
    reason: str
    is_named: bool = False


def shows_ground(title: str) -> bool:
    """Return whether a service of this title is a map of the ground, which may be the base of others."""
    return _BASE_WORDS.search(fold(title)) is not None


def suggest_services(records: Sequence[Record], endpoints: Sequence[str],
                     candidates: Iterable[SuggestionCandidate]) -> List[Suggestion]:
    """Return at most three of ``candidates``, whose extents overlap the map's, the best ones first.

    ``records`` and ``endpoints`` are those of the map. Services named by a record come first (as associated resource,
    or by the words of their title), then services of the same host.
    """
    on_map = {normalise_endpoint(endpoint) for endpoint in endpoints}
    hosts = {_host(endpoint) for endpoint in endpoints}
    named: List[Suggestion] = []
    same_host: List[Suggestion] = []
    for candidate in candidates:
        if not candidate.endpoint or normalise_endpoint(candidate.endpoint) in on_map:
            continue
        naming_record = next((record for record in records if _names_candidate(record, candidate)), None)
        if naming_record is not None:
            named.append(
                Suggestion(candidate, tr("Named by the record “{title}”.", title=naming_record.title or ""), True))
        elif _host(candidate.endpoint) in hosts:
            same_host.append(Suggestion(candidate,
                                        tr("From the same network, with an extent that overlaps the map's.")))
    return [*named, *same_host][:_MAX_SUGGESTIONS]


def _names_candidate(record: Record, candidate: SuggestionCandidate) -> bool:
    for other in record.associated:
        if other.id and other.id == candidate.identifier:
            return True
        if other.url and normalise_endpoint(other.url) == normalise_endpoint(candidate.endpoint):
            return True
        if other.title and fold(other.title) == fold(candidate.title):
            return True
    candidate_words = _title_words(candidate.title) - _title_words(record.title or "")
    record_words = _title_words(" ".join(part for part in (record.abstract, record.purpose) if part))
    return len(candidate_words) >= 2 and len(candidate_words & record_words) >= max(
        2, _NAMING_SHARE * len(candidate_words))


def _title_words(text: str) -> Set[str]:
    return {fold(word) for word in _WORD.findall(text)} - _STOP_WORDS


def _host(address: str) -> str:
    # normalised endpoints have no scheme
    return urlsplit(address).netloc.lower()

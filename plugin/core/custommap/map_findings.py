"""Findings about a map to be printed, and their remedies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Iterable, Optional, Tuple, Union

from ..review.checks.rules import Severity

__all__ = ["MapFinding", "MapRemedy", "RemedyKind", "Severity", "sorted_findings"]


class RemedyKind(str, Enum):
    """The kinds of remedies: what a remedy changes."""

    SCALE = "scale"
    CRS = "crs"
    OPACITY = "opacity"
    ENDPOINT = "endpoint"
    REMOVE = "remove"
    EXTENT = "extent"
    REFRESH = "refresh"
    LOCATE = "locate"
    CREDIT = "credit"


@dataclass(frozen=True)
class MapRemedy:
    """A change that solves a finding when its button is clicked.

    ``value`` is the new scale (denominator), CRS code, opacity (0 to 1) or address, or the text to begin with where
    the person writes what is missing. ``label`` is the text of the button. ``question`` is what a written text answers.
    """

    kind: RemedyKind
    label: str
    value: Union[float, str, None] = None
    question: str = ""

    @property
    def asks_for_text(self) -> bool:
        """True if the person has to write something before it can be applied."""
        return self.kind is RemedyKind.CREDIT


@dataclass(frozen=True)
class MapFinding:
    """A problem or a note about a service or the map, with advice.

    ``rule`` identifies it in scripts and tests. ``service_title`` is empty for the map as a whole. ``entry_index`` is
    the service's index on the map, ``own_layer`` the id of an own layer.
    """

    rule: str
    severity: Severity
    message: str
    advice: str
    service_title: str = ""
    entry_index: Optional[int] = None
    remedy: Optional[MapRemedy] = None
    detail: str = ""
    own_layer: str = ""


def sorted_findings(findings: Iterable[MapFinding]) -> Tuple[MapFinding, ...]:
    """Return the findings by severity, the gravest first, then by service, bottom first."""
    return tuple(
        sorted(findings, key=lambda finding: (finding.severity.rank, -1
                                              if finding.entry_index is None else finding.entry_index)))

"""A finding about a map that is to be printed, and what can be done about it at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional, Tuple, Union

from ..records.checks.rules import Severity

__all__ = ["MapFinding", "MapRemedy", "Severity", "sorted_findings"]

#: what a remedy changes
SCALE, CRS, OPACITY, ENDPOINT, REMOVE, EXTENT, REFRESH = (
    "scale", "crs", "opacity", "endpoint", "remove", "extent", "refresh")


@dataclass(frozen=True)
class MapRemedy:
    """Something that mends a finding when a button is pressed.

    ``kind`` is one of this module's words; ``value`` the new scale (denominator), CRS code, opacity (0 to 1) or
    address; ``words`` is what the button says.
    """

    kind: str
    label: str
    value: Union[float, str, None] = None


@dataclass(frozen=True)
class MapFinding:
    """What is wrong (or worth knowing), of which service, and what to do.

    ``rule`` names it for scripts and tests; ``about`` is the service's title, empty for the map as a whole; ``entry``
    the service's index on the map.
    """

    rule: str
    severity: Severity
    message: str
    advice: str
    service_title: str = ""
    entry_index: Optional[int] = None
    remedy: Optional[MapRemedy] = None
    detail: str = ""


def sorted_findings(findings: Iterable[MapFinding]) -> Tuple[MapFinding, ...]:
    """The gravest first; within a severity by service, bottom first."""
    return tuple(
        sorted(findings, key=lambda finding: (finding.severity.rank, -1
                                              if finding.entry_index is None else finding.entry_index)))

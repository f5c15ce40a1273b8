"""What the servers said when each layer was asked for its picture at print size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from ...i18n import tr
from .model import REMOVE, MapFinding, Remedy, Severity, sorted_findings

#: seconds for one picture from which on a person should know
_SLOW = 20.0


@dataclass(frozen=True)
class Asked:
    """One picture that was asked for: of which layer, how large (pixels), how long it took, and why it failed."""

    layer: str
    service: str
    entry: Optional[int]
    size: Tuple[int, int]
    seconds: float = 0.0
    bytes: int = 0
    error: str = ""
    detail: str = ""


def asked_findings(answers: Sequence[Asked]) -> Tuple[MapFinding, ...]:
    """A finding for each layer that failed or was slow; nothing for those that came as they should."""
    found: List[MapFinding] = []
    failed: Dict[Tuple[str, str, str], List[Asked]] = {}
    for answer in answers:
        if answer.error:
            failed.setdefault((answer.service, answer.layer, answer.error), []).append(answer)
    for (service, layer, error), some in failed.items():
        width, height = some[0].size
        found.append(MapFinding(
            "print-size", Severity.ERROR,
            tr("“{layer}” gave no picture of {width} × {height} pixels: {reason}", layer=layer, width=width,
               height=height, reason=error),
            tr("Try again later, choose a lower resolution or a smaller paper, or take the service off the map."),
            service, some[0].entry, Remedy(REMOVE, tr("Take it off the map")),
            "\n\n".join(answer.detail for answer in some)))
    slow = [answer for answer in answers if not answer.error and answer.seconds >= _SLOW]
    for answer in slow:
        found.append(MapFinding(
            "slow", Severity.NOTE, tr("“{layer}” took {seconds} s.", layer=answer.layer,
                                      seconds=f"{answer.seconds:.0f}"),
            tr("Be patient when exporting, or choose a lower resolution."), answer.service, answer.entry))
    return sorted_findings(found)


def seconds_for_megapixel(answers: Sequence[Asked], took: float) -> Optional[float]:
    """The measured time for a million pixels, all pictures together; None where no picture was fetched."""
    pixels = sum(answer.size[0] * answer.size[1] for answer in answers if not answer.error and answer.bytes)
    return took / pixels * 1e6 if pixels and took > 0 else None

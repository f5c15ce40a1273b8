"""The results of trial requests: each layer's image at print size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from ...i18n import tr
from ..map_findings import REMOVE, MapFinding, MapRemedy, Severity, sorted_findings

#: seconds for one picture from which on a person should know
_SLOW_SECONDS = 20.0


@dataclass(frozen=True)
class TrialRequest:
    """One requested image: layer, size in pixels, duration, and error.

    ``single_colour`` is "transparent" or the colour of an image without any content, else empty.
    """

    layer: str
    service: str
    entry_index: Optional[int]
    size: Tuple[int, int]
    seconds: float = 0.0
    bytes: int = 0
    error: str = ""
    detail: str = ""
    single_colour: str = ""


def trial_findings(answers: Sequence[TrialRequest]) -> Tuple[MapFinding, ...]:
    """Return a finding for each failed service and each slow layer."""
    found: List[MapFinding] = []
    failed: Dict[Tuple[str, str], List[TrialRequest]] = {}
    for answer in answers:
        if answer.error:
            failed.setdefault((answer.service, answer.error), []).append(answer)
    for (service, error), some in failed.items():
        width, height = some[0].size
        told = _listed(answer.layer for answer in some)
        found.append(
            MapFinding(
                "print-size", Severity.ERROR,
                tr("No image of {width} × {height} pixels for {layers}. {reason}",
                   layers=told, width=width, height=height, reason=error),
                tr("A lower resolution or a smaller paper needs smaller images."), service, some[0].entry_index,
                MapRemedy(REMOVE, tr("Remove from the map")), "\n\n".join(answer.detail for answer in some)))
    slow = [answer for answer in answers if not answer.error and answer.seconds >= _SLOW_SECONDS]
    for answer in slow:
        found.append(
            MapFinding("slow", Severity.NOTE,
                       tr("“{layer}” took {seconds} s.", layer=answer.layer, seconds=f"{answer.seconds:.0f}"),
                       tr("Export will be slow. Consider a lower resolution."), answer.service,
                       answer.entry_index))
    return sorted_findings([*found, *empty_image_findings(answers)])


def empty_image_findings(answers: Sequence[TrialRequest]) -> Tuple[MapFinding, ...]:
    """Return a warning for each service without any content, a note where only some of its layers are empty.

    The images are valid: failing servers may send them, and so do servers without data in the extent.
    """
    found: List[MapFinding] = []
    services: Dict[Tuple[Optional[int], str], List[TrialRequest]] = {}
    for answer in answers:
        services.setdefault((answer.entry_index, answer.service), []).append(answer)
    for (entry, service), some in services.items():
        layers = list(dict.fromkeys(answer.layer for answer in some))
        empty = [
            name for name in layers
            if all(answer.single_colour and not answer.error for answer in some if answer.layer == name)
        ]
        if not empty:
            continue
        advice = tr("Compare it with the map window. If something should be here, try another resolution or scale; if "
                    "not, it may be left out.")
        if len(empty) == len(layers):
            found.append(
                MapFinding("empty", Severity.WARNING, tr("Draws nothing here at this scale: "
                                                         "its image is empty."), advice, service, entry,
                           MapRemedy(REMOVE, tr("Remove from the map"))))
        else:
            found.append(
                MapFinding("empty", Severity.NOTE,
                           tr("Nothing is drawn here at this scale of {layers}.", layers=_listed(empty)), advice,
                           service, entry))
    return sorted_findings(found)


def _listed(layers: Iterable[str], most: int = 3) -> str:
    names = list(dict.fromkeys(f"“{layer}”" for layer in layers))
    listed = ", ".join(names[:most])
    return listed if len(names) <= most else tr("{names} and %n more", n=len(names) - most, names=listed)


def seconds_per_megapixel(answers: Sequence[TrialRequest], elapsed: float) -> Optional[float]:
    """Return the measured time for a million pixels over all images, or None without a fetched image."""
    pixels = sum(answer.size[0] * answer.size[1] for answer in answers if not answer.error and answer.bytes)
    return elapsed / pixels * 1e6 if pixels and elapsed > 0 else None

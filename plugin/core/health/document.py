"""The checks that were made, as a document (``cartoguide-health/1``): for each service the last ones, newest first."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

from .. import jsondoc
from ..errors import InvalidDocument
from ..i18n import tr
from ..records.links import normalise_endpoint
from .model import Health, Probe, Verdict

FORMAT = "cartoguide-health/1"
#: checks that are kept of each service, and services
KEPT_OF_EACH = 5
_MOST = 20_000
_LONGEST_DETAIL = 2_000
MAX_BYTES = 64 * 1024 * 1024


def write(checks: Sequence[Health]) -> bytes:
    """The document."""
    return jsondoc.dump({"format": FORMAT, "checks": [_to_dict(health) for health in checks]})


def read(data: bytes, name: str) -> List[Health]:
    """The checks of a document, newest first. InvalidDocument or UnreadableDocument where it is none."""
    root = jsondoc.load(data, name, MAX_BYTES)
    if root.text("format", "") != FORMAT:
        raise InvalidDocument(tr("{name} does not hold checks of services.", name=name), root.text("format", ""))
    return [_from_place(place) for place in root.children("checks", _MOST)]


def joined(former: Sequence[Health], fresh: Sequence[Health]) -> List[Health]:
    """All checks, newest first, no more of a service than are kept."""
    counts: Dict[str, int] = {}
    kept = []
    for health in sorted([*fresh, *former], key=lambda one: one.when, reverse=True):
        key = normalise_endpoint(health.endpoint)
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= KEPT_OF_EACH:
            kept.append(health)
    return kept[:_MOST]


def latest(checks: Sequence[Health]) -> List[Health]:
    """The newest check of each service."""
    found: Dict[str, Health] = {}
    for health in sorted(checks, key=lambda one: one.when, reverse=True):
        found.setdefault(normalise_endpoint(health.endpoint), health)
    return list(found.values())


def _to_dict(health: Health) -> Dict[str, Any]:
    return {"endpoint": health.endpoint, "title": health.title, "when": health.when, "version": health.version,
            "record_id": health.record_id, "probes": [
                {"part": probe.part, "verdict": probe.verdict.value, "words": probe.words, "seconds": probe.seconds,
                 "url": probe.url, "detail": probe.detail[:_LONGEST_DETAIL]} for probe in health.probes]}


def _from_place(place: jsondoc.Place) -> Health:
    verdicts = {verdict.value: verdict for verdict in Verdict}
    probes = tuple(
        Probe(probe.text("part"), verdicts[probe.one_of("verdict", verdicts, "skipped")], probe.text("words", ""),
              probe.optional_number("seconds", 0, 1e6), probe.text("url", "", 70_000), probe.text("detail", ""))
        for probe in place.children("probes", 50))
    return Health(place.text("endpoint"), place.text("title", ""), place.text("when"), place.text("version", ""),
                  place.text("record_id", ""), probes)

"""The checks that were made, as a document (``cartoguide-health/1``): for each service the last ones, newest first."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

from .. import json_document
from ..errors import InvalidDocument
from ..i18n import tr
from ..records.model.endpoints import normalise_endpoint
from .health_check import HealthCheck, Probe, Verdict

HISTORY_FORMAT = "cartoguide-health/1"
#: checks that are kept of each service, and services
MAX_CHECKS_PER_SERVICE = 5
_MAX_CHECKS = 20_000
_MAX_DETAIL_LENGTH = 2_000
MAX_BYTES = 64 * 1024 * 1024


def write_history(checks: Sequence[HealthCheck]) -> bytes:
    """The document."""
    return json_document.dump({"format": HISTORY_FORMAT, "checks": [_to_dict(health) for health in checks]})


def read_history(data: bytes, name: str) -> List[HealthCheck]:
    """The checks of a document, newest first. InvalidDocument or UnreadableDocument where it is none."""
    root = json_document.load(data, name, MAX_BYTES)
    if root.text("format", "") != HISTORY_FORMAT:
        raise InvalidDocument(tr("{name} does not hold checks of services.", name=name), root.text("format", ""))
    return [_from_node(place) for place in root.children("checks", _MAX_CHECKS)]


def merge_checks(stored: Sequence[HealthCheck], new: Sequence[HealthCheck]) -> List[HealthCheck]:
    """All checks, newest first, no more of a service than are kept."""
    counts: Dict[str, int] = {}
    kept = []
    for health in sorted([*new, *stored], key=lambda one: one.checked_at, reverse=True):
        key = normalise_endpoint(health.endpoint)
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= MAX_CHECKS_PER_SERVICE:
            kept.append(health)
    return kept[:_MAX_CHECKS]


def latest_checks(checks: Sequence[HealthCheck]) -> List[HealthCheck]:
    """The newest check of each service."""
    found: Dict[str, HealthCheck] = {}
    for health in sorted(checks, key=lambda one: one.checked_at, reverse=True):
        found.setdefault(normalise_endpoint(health.endpoint), health)
    return list(found.values())


def _to_dict(health: HealthCheck) -> Dict[str, Any]:
    return {
        "endpoint": health.endpoint, "title": health.title, "when": health.checked_at, "version": health.version,
        "record_id": health.record_id, "probes": [{
            "part": probe.kind, "verdict": probe.verdict.value, "words": probe.message, "seconds": probe.seconds,
            "url": probe.url, "detail": probe.detail[:_MAX_DETAIL_LENGTH]
        } for probe in health.probes]
    }


def _from_node(place: json_document.JsonNode) -> HealthCheck:
    verdicts = {verdict.value: verdict for verdict in Verdict}
    probes = tuple(
        Probe(probe.text("part"), verdicts[probe.one_of("verdict", verdicts, "skipped")], probe.text("words", ""),
              probe.optional_number("seconds", 0, 1e6), probe.text("url", "", 70_000), probe.text("detail", ""))
        for probe in place.children("probes", 50))
    return HealthCheck(place.text("endpoint"), place.text("title", ""), place.text("when"), place.text("version", ""),
                       place.text("record_id", ""), probes)

"""The document of past health checks (``cartoguide-health/1``), for each service the latest ones, newest first."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

from .. import json_document
from ..errors import InvalidDocument
from ..i18n import tr
from ..records.model.endpoints import normalise_endpoint
from .health_check import HealthCheck, Probe, ProbeKind, Verdict

HISTORY_FORMAT = "cartoguide-health/1"
#: limits of stored checks for each service, and in all
MAX_CHECKS_PER_SERVICE = 5
_MAX_CHECKS = 20_000
_MAX_DETAIL_LENGTH = 2_000
MAX_BYTES = 16 * 1024 * 1024


def write_history(checks: Sequence[HealthCheck]) -> bytes:
    """Return the document as bytes."""
    return json_document.dump({"format": HISTORY_FORMAT, "checks": [_to_dict(check) for check in checks]})


def read_history(data: bytes, name: str) -> List[HealthCheck]:
    """Return the checks in a document, newest first.

    Raises InvalidDocument for another format, and UnreadableDocument for bytes that are not JSON.
    """
    root = json_document.load(data, name, MAX_BYTES)
    if root.text("format", "") != HISTORY_FORMAT:
        raise InvalidDocument(tr("{name} does not contain service checks.", name=name), root.text("format", ""))
    return [_from_node(node) for node in root.children("checks", _MAX_CHECKS)]


def merge_checks(stored: Sequence[HealthCheck], new: Sequence[HealthCheck]) -> List[HealthCheck]:
    """Return all checks, newest first, at most MAX_CHECKS_PER_SERVICE of each service."""
    counts: Dict[str, int] = {}
    merged = []
    for check in sorted([*new, *stored], key=lambda check: check.checked_at, reverse=True):
        key = normalise_endpoint(check.endpoint)
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= MAX_CHECKS_PER_SERVICE:
            merged.append(check)
    return merged[:_MAX_CHECKS]


def latest_checks(checks: Sequence[HealthCheck]) -> List[HealthCheck]:
    """Return the newest check of each service."""
    latest: Dict[str, HealthCheck] = {}
    for check in sorted(checks, key=lambda check: check.checked_at, reverse=True):
        latest.setdefault(normalise_endpoint(check.endpoint), check)
    return list(latest.values())


def _to_dict(check: HealthCheck) -> Dict[str, Any]:
    return {
        "endpoint": check.endpoint, "title": check.title, "when": check.checked_at, "version": check.version,
        "record_id": check.record_id, "probes": [_probe_to_dict(probe) for probe in check.probes]
    }


def _probe_to_dict(probe: Probe) -> Dict[str, Any]:
    kind = probe.kind.value if isinstance(probe.kind, ProbeKind) else probe.kind
    return {
        "part": kind, "verdict": probe.verdict.value, "words": probe.message, "seconds": probe.seconds,
        "url": probe.url, "detail": probe.detail[:_MAX_DETAIL_LENGTH]
    }


def _probe_from_node(node: json_document.JsonNode) -> Probe:
    verdicts = {verdict.value: verdict for verdict in Verdict}
    kinds = {kind.value: kind for kind in ProbeKind}
    kind = node.text("part")
    return Probe(kinds.get(kind, kind), verdicts[node.one_of("verdict", verdicts, "skipped")], node.text("words", ""),
                 node.optional_number("seconds", 0, 1e6), node.text("url", "", 70_000),
                 node.text("detail", "")[:_MAX_DETAIL_LENGTH])


def _from_node(node: json_document.JsonNode) -> HealthCheck:
    probes = tuple(_probe_from_node(child) for child in node.children("probes", 50))
    return HealthCheck(node.text("endpoint"), node.text("title", ""), node.text("when"), node.text("version", ""),
                       node.text("record_id", ""), probes)

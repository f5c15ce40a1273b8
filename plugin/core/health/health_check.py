"""Health checks of services: a verdict for each probe and for the whole, their saved history, and reports of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from .. import json_document
from ..csv_tables import csv_table
from ..errors import InvalidDocument
from ..html_templates import render
from ..i18n import tr
from ..records.model.endpoints import normalise_endpoint

HISTORY_FORMAT = "cartoguide-health/1"
#: limits of stored checks for each service, and in all
MAX_CHECKS_PER_SERVICE = 5
_MAX_CHECKS = 20_000
_MAX_DETAIL_LENGTH = 2_000
MAX_BYTES = 16 * 1024 * 1024


class Verdict(Enum):
    """The result of a probe, the best first. Values are used in documents."""

    GOOD = "good"
    SKIPPED = "skipped"
    DOUBTFUL = "doubtful"
    FAILED = "failed"

    @property
    def label(self) -> str:
        """The verdict as a translated word."""
        return {Verdict.GOOD: tr("works"), Verdict.SKIPPED: tr("not checked"), Verdict.DOUBTFUL: tr("questionable"),
                Verdict.FAILED: tr("failed")}[self]

    def count_label(self, count: int) -> str:
        """Return how many services have this verdict, in words: "3 working"."""
        return {Verdict.GOOD: tr("%n working", n=count), Verdict.SKIPPED: tr("%n not checked", n=count),
                Verdict.DOUBTFUL: tr("%n questionable", n=count), Verdict.FAILED: tr("%n not working", n=count)}[self]

    @property
    def symbol(self) -> str:
        """A sign that distinguishes the verdicts without colour."""
        return {Verdict.GOOD: "✓", Verdict.SKIPPED: "–", Verdict.DOUBTFUL: "!", Verdict.FAILED: "✗"}[self]


class ProbeKind(str, Enum):
    """The parts of a health check, in their order. Values are used in documents."""

    CAPABILITIES = "capabilities"
    CONTENT = "content"
    VERSION = "version"
    TERMS = "terms"
    MAP = "map"
    LEGEND = "legend"
    INFO = "info"
    DESCRIBE = "describe"
    STYLES = "styles"

    @property
    def label(self) -> str:
        """The translated name of the probe."""
        return {
            ProbeKind.CAPABILITIES: tr("Returns its capabilities"),
            ProbeKind.CONTENT: tr("Capabilities are valid"),
            ProbeKind.VERSION: tr("Version"),
            ProbeKind.TERMS: tr("Record matches service"),
            ProbeKind.MAP: "GetMap",
            ProbeKind.LEGEND: tr("Legends"),
            ProbeKind.INFO: "GetFeatureInfo",
            ProbeKind.DESCRIBE: "DescribeLayer",
            ProbeKind.STYLES: "GetStyles",
        }[self]


@dataclass(frozen=True)
class Probe:
    """The result of one probe.

    ``kind`` is a ``ProbeKind``, or another text from a newer document. ``message`` is translated text, ``seconds`` the
    duration of the request (None without one), ``url`` its address, ``detail`` technical text.
    """

    kind: Union[ProbeKind, str]
    verdict: Verdict
    message: str = ""
    seconds: Optional[float] = None
    url: str = ""
    detail: str = ""

    @property
    def label(self) -> str:
        """The translated name of the probe. An unknown kind is returned unchanged."""
        return self.kind.label if isinstance(self.kind, ProbeKind) else self.kind


@dataclass(frozen=True)
class HealthCheck:
    """One check of one service. ``checked_at`` is its time in UTC (ISO 8601)."""

    endpoint: str
    title: str
    checked_at: str
    version: str = ""
    record_id: str = ""
    probes: Tuple[Probe, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of the probes. Skipped probes do not count."""
        order = list(Verdict)
        tried = [probe.verdict for probe in self.probes if probe.verdict is not Verdict.SKIPPED]
        return max(tried, key=order.index, default=Verdict.SKIPPED)

    @property
    def seconds(self) -> float:
        """The duration of all requests."""
        return sum(probe.seconds or 0.0 for probe in self.probes)

    def probe(self, kind: Union[ProbeKind, str]) -> Optional[Probe]:
        """Return the probe of the given kind, or None."""
        return next((probe for probe in self.probes if probe.kind == kind), None)

    def summary(self) -> str:
        """Return one line that lists the problems or says that there are none."""
        problems = [probe for probe in self.probes if probe.verdict in (Verdict.FAILED, Verdict.DOUBTFUL)]
        if not problems:
            return tr("Everything that was checked works.") if self.probes else tr("Not checked yet.")
        return "; ".join(f"{probe.label}: {probe.message}" for probe in problems)


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


def health_html(checks: Sequence[HealthCheck]) -> str:
    """Return a complete HTML document: one line for each service, then the probes of each.

    The page loads nothing from the network. Raises CartoguideError if Jinja2 is not installed.
    """
    counts = [f"{sum(check.verdict is verdict for check in checks)} {verdict.label}" for verdict in Verdict
              if any(check.verdict is verdict for check in checks)]
    return render(
        "service_health.html", title=tr("Health of map services"), total=tr("%n service(s)", n=len(checks)),
        counts=counts, checks=checks,
        headings=(tr("State"), tr("Service"), tr("Checked (UTC)"), tr("Time")))


def health_csv(checks: Sequence[HealthCheck]) -> str:
    """Return one CSV row for each probe (RFC 4180), with a heading line."""
    heading = (tr("Service"), tr("Address"), tr("Record"), tr("Checked (UTC)"), tr("Version"), tr("Part"), tr("State"),
               tr("Seconds"), tr("Result"), tr("Request"), tr("Detail"))
    return csv_table(heading, (
        (check.title, check.endpoint, check.record_id, check.checked_at, check.version, probe.label,
         probe.verdict.label, "" if probe.seconds is None else f"{probe.seconds:.2f}", probe.message, probe.url,
         " ".join(probe.detail.split())) for check in checks for probe in check.probes))

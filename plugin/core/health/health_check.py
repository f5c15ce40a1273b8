"""The result of a service's health check: a verdict for each probe and for the whole."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Optional, Tuple, Union

from ..i18n import tr


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

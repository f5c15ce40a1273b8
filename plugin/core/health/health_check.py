"""What a check of a service found: a verdict for each thing that was tried, and for the whole."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Callable, Dict, Optional, Tuple

from ..i18n import tr


class Verdict(Enum):
    """How something stands, the best first; its value is its name in documents."""

    GOOD = "good"
    SKIPPED = "skipped"
    DOUBTFUL = "doubtful"
    FAILED = "failed"

    @property
    def label(self) -> str:
        """For people."""
        return {Verdict.GOOD: tr("fine"), Verdict.SKIPPED: tr("not tried"), Verdict.DOUBTFUL: tr("doubtful"),
                Verdict.FAILED: tr("fails")}[self]

    @property
    def symbol(self) -> str:
        """A sign that is told from the others without colour."""
        return {Verdict.GOOD: "✓", Verdict.SKIPPED: "–", Verdict.DOUBTFUL: "!", Verdict.FAILED: "✗"}[self]


#: what is tried, in this order
CAPABILITIES, CONTENT, VERSION, TERMS, MAP, LEGEND, INFO, DESCRIBE, STYLES = (
    "capabilities", "content", "version", "terms", "map", "legend", "info", "describe", "styles")


def probe_label(name: str) -> str:
    """What is tried under ``name``, for people."""
    table: Dict[str, Callable[[], str]] = {
        CAPABILITIES: lambda: tr("Answers with its capabilities"), CONTENT: lambda: tr("Capabilities are sound"),
        VERSION: lambda: tr("Version"), TERMS: lambda: tr("Record and service agree"), MAP: lambda: "GetMap",
        LEGEND: lambda: tr("Legends"), INFO: lambda: "GetFeatureInfo", DESCRIBE: lambda: "DescribeLayer",
        STYLES: lambda: "GetStyles"}
    return table.get(name, lambda: name)()


@dataclass(frozen=True)
class Probe:
    """One thing that was tried: its name, verdict, what was found in words, seconds (None: nothing was asked for it),
    the request's address, and what a technician needs.
    """

    kind: str
    verdict: Verdict
    message: str = ""
    seconds: Optional[float] = None
    url: str = ""
    detail: str = ""


@dataclass(frozen=True)
class HealthCheck:
    """One check of one service; ``when`` is its time in UTC (ISO 8601)."""

    endpoint: str
    title: str
    checked_at: str
    version: str = ""
    record_id: str = ""
    probes: Tuple[Probe, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """That of the worst probe; things that a service does not offer count as nothing."""
        order = list(Verdict)
        tried = [probe.verdict for probe in self.probes if probe.verdict is not Verdict.SKIPPED]
        return max(tried, key=order.index, default=Verdict.SKIPPED)

    @property
    def seconds(self) -> float:
        """The time of all its requests."""
        return sum(probe.seconds or 0.0 for probe in self.probes)

    def probe(self, part: str) -> Optional[Probe]:
        """What was found under ``part``."""
        return next((probe for probe in self.probes if probe.kind == part), None)

    def summary(self) -> str:
        """One line: all is well, or what is not."""
        wrong = [probe for probe in self.probes if probe.verdict in (Verdict.FAILED, Verdict.DOUBTFUL)]
        if not wrong:
            return tr("All that was tried works.") if self.probes else tr("Not checked yet.")
        return "; ".join(f"{probe_label(probe.kind)}: {probe.message}" for probe in wrong)

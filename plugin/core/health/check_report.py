"""Service health checks as an HTML page and as CSV."""

from __future__ import annotations

from typing import Sequence

from ..csv_tables import csv_table
from ..html_templates import render
from ..i18n import tr
from .health_check import HealthCheck, Verdict


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

"""Checks of services as a page to keep or send, and as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from typing import Sequence

from ..i18n import tr
from ..records.checks.findings_csv import safe_cell
from ..records.report.html_fragments import escaped, link
from .health_check import HealthCheck, Probe, Verdict, probe_label

_STYLE = """
:root { color-scheme: light; }
body { font: 10.5pt/1.45 "Noto Sans", "Segoe UI", "Helvetica Neue", Arial, sans-serif; color: #1d2a26;
       background: #fff; margin: 2em auto; max-width: 60em; padding: 0 1.5em; }
h1 { font-size: 1.5em; margin: 0 0 .2em; } h2 { font-size: 1.1em; margin: 1.8em 0 .1em; }
p { margin: .3em 0; } .aside { color: #55645e; }
a { color: #1b5e8a; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: .5em 0; }
th, td { text-align: left; vertical-align: top; padding: .25em .8em .25em 0; border-top: 1px solid #e3eae6;
         overflow-wrap: anywhere; }
th { font-weight: 600; white-space: nowrap; } td.number { text-align: right; white-space: nowrap; }
.failed { color: #a3211b; font-weight: 600; } .doubtful { color: #8a5a00; font-weight: 600; }
.good { color: #1f6650; } .skipped { color: #55645e; }
@media print { body { margin: 0; max-width: none; padding: 0; } table { break-inside: avoid; } }
"""


def health_html(checks: Sequence[HealthCheck]) -> str:
    """A whole HTML document: a line for each service, then what was tried of each; nothing is loaded from elsewhere."""
    title = tr("Health of map services")
    counts = ", ".join(f"{sum(1 for one in checks if one.verdict is verdict)} {verdict.label}" for verdict in Verdict
                       if any(one.verdict is verdict for one in checks))
    rows = "".join(f'<tr><td>{_verdict(one.verdict)}</td><td><a href="#s{number}">{escaped(one.title)}</a></td>'
                   f'<td>{escaped(one.checked_at)}</td><td class="number">{one.seconds:.1f} s</td></tr>'
                   for number, one in enumerate(checks))
    head = "".join(f"<th>{escaped(word)}</th>" for word in (tr("State"), tr("Service"), tr("Checked (UTC)"),
                                                            tr("Time")))
    return (
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escaped(title)}</title><style>{_STYLE}</style></head><body><h1>{escaped(title)}</h1>"
        f'<p class="aside">{escaped(tr("%n service(s)", n=len(checks)))}: {escaped(counts)}</p>'
        f"<table><tr>{head}</tr>{rows}</table>"
        + "".join(_service(number, one) for number, one in enumerate(checks)) + "</body></html>\n")


def health_csv(checks: Sequence[HealthCheck]) -> str:
    """A row for each thing that was tried (RFC 4180), with a heading; what would be a formula gets an apostrophe."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow((tr("Service"), tr("Address"), tr("Record"), tr("Checked (UTC)"), tr("Version"), tr("Part"),
                     tr("State"), tr("Seconds"), tr("What was found"), tr("Request"), tr("Detail")))
    for one in checks:
        for probe in one.probes:
            writer.writerow([
                safe_cell(cell) for cell in (one.title, one.endpoint, one.record_id, one.checked_at, one.version,
                                             probe_label(probe.kind), probe.verdict.label,
                                             "" if probe.seconds is None else f"{probe.seconds:.2f}", probe.message,
                                             probe.url, " ".join(probe.detail.split()))
            ])
    return stream.getvalue()


def probes_html(probes: Sequence[Probe]) -> str:
    """What was tried as a table, everything escaped."""
    return "<table>" + "".join(f"<tr><td>{_verdict(probe.verdict)}</td><th>{escaped(probe_label(probe.kind))}</th>"
                               f"<td>{escaped(probe.message)}</td><td class=\"number\">{_seconds(probe)}</td></tr>"
                               for probe in probes) + "</table>"


def _service(number: int, one: HealthCheck) -> str:
    version = f" · WMS {escaped(one.version)}" if one.version else ""
    return (f'<h2 id="s{number}">{escaped(one.title)}</h2><p class="aside">{link(one.endpoint)}{version} · '
            f"{escaped(one.checked_at)}</p>{probes_html(one.probes)}")


def _verdict(verdict: Verdict) -> str:
    return f'<span class="{verdict.value}">{verdict.symbol} {escaped(verdict.label)}</span>'


def _seconds(probe: Probe) -> str:
    return "" if probe.seconds is None else f"{probe.seconds:.2f} s"

"""The audit as a page to keep or send: what is missing first, nothing loaded from elsewhere."""

from __future__ import annotations

from typing import Sequence

from ..i18n import tr
from ..records.report.html_fragments import escaped, link
from .audit_row import AuditRow, CreditState

_STYLE = """
:root { color-scheme: light; }
body { font: 10.5pt/1.45 "Noto Sans", "Segoe UI", "Helvetica Neue", Arial, sans-serif; color: #1d2a26;
       background: #fff; margin: 2em auto; max-width: 68em; padding: 0 1.5em; }
h1 { font-size: 1.5em; margin: 0 0 .2em; }
.aside { color: #55645e; margin: .3em 0; } a { color: #1b5e8a; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: 1em 0; }
th, td { text-align: left; vertical-align: top; padding: .35em .9em .35em 0; border-top: 1px solid #e3eae6;
         overflow-wrap: anywhere; }
th { font-weight: 600; }
.missing { color: #a3211b; font-weight: 600; } .found, .differs { color: #8a5a00; font-weight: 600; }
.credited, .not-asked { color: #1f6650; }
@media print { body { margin: 0; max-width: none; padding: 0; } tr { break-inside: avoid; } }
"""
#: what needs a hand first; each with a sign that is told without colour
_SYMBOLS = {
    CreditState.MISSING: "✗", CreditState.DIFFERS: "!", CreditState.FOUND: "+", CreditState.CREDITED: "✓",
    CreditState.NOT_REQUIRED: "–"
}


def audit_html(rows: Sequence[AuditRow]) -> str:
    """A whole HTML document with a row for each layer, what lacks its credit first."""
    title = tr("Credits of this project")
    order = list(_SYMBOLS)
    counts = ", ".join(f"{sum(row.state is state for row in rows)} {state.label}" for state in order
                       if any(row.state is state for row in rows))
    said = tr("%n layer(s) from map services", n=len(rows))
    head = "".join(f"<th>{escaped(word)}</th>" for word in (
        tr("State"), tr("Layer"), tr("Credit"), tr("Terms"), tr("Found in")))
    body = "".join(_row(row) for row in sorted(rows, key=lambda row: order.index(row.state)))
    return (
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escaped(title)}</title><style>{_STYLE}</style></head><body><h1>{escaped(title)}</h1>"
        f'<p class="aside">{escaped(said)}{escaped(": " + counts if counts else "")}</p>'
        f"<table><tr>{head}</tr>{body}</table></body></html>\n")


def _row(row: AuditRow) -> str:
    own, found = "<br>".join(map(escaped, row.layer.credit)), "<br>".join(map(escaped, row.credit))
    if row.state is CreditState.DIFFERS:
        credit = f"{escaped(tr('now:'))} {own}<br>{escaped(tr('found:'))} {found}"
    else:
        credit = own if row.state is CreditState.CREDITED else found
    licence = f"<br>{link(row.licence_url)}" if row.licence_url and row.licence_url not in row.terms_summary else ""
    return (f'<tr><td><span class="{row.state.value}">{_SYMBOLS[row.state]} {escaped(row.state.label)}</span></td>'
            f'<td>{escaped(row.layer.title)} ({escaped(row.layer.kind)})<br>{link(row.layer.address)}</td>'
            f"<td>{credit or '—'}</td><td>{escaped(row.terms_summary or tr('not stated'))}{licence}</td>"
            f"<td>{escaped(row.origin or row.problem or '—')}</td></tr>")

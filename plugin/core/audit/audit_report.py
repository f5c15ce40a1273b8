"""The credit audit as an HTML page and as CSV."""

from __future__ import annotations

from typing import Iterable, Sequence

from ..csv_tables import csv_table
from ..html_templates import render
from ..i18n import tr
from .audit_row import AuditGroup, AuditRow, CreditState, group_rows

#: states that need attention come first
_PAGE_ORDER = (CreditState.MISSING, CreditState.DIFFERS, CreditState.UNKNOWN, CreditState.FOUND, CreditState.CREDITED,
               CreditState.NOT_REQUIRED, CreditState.CONFIRMED)


def audit_html(rows: Sequence[AuditRow]) -> str:
    """Return a complete HTML document with a row for each service and its layers below, lacking credits first.

    The page loads nothing from the network. Raises CartoguideError if Jinja2 is not installed.
    """
    counts = [f"{sum(row.state is state for row in rows)} {state.label}" for state in _PAGE_ORDER
              if any(row.state is state for row in rows)]
    return render(
        "audit.html", title=tr("Credits of this project"), total=tr("%n layer(s)", n=len(rows)),
        counts=counts, groups=sorted(group_rows(rows), key=_urgency),
        headings=(tr("State"), tr("Layer"), tr("Credit"), tr("Terms"), tr("Found in")),
        labels={"now": tr("now:"), "found": tr("found:"), "not_stated": tr("not stated")})


def _urgency(group: AuditGroup) -> int:
    return min(_PAGE_ORDER.index(state) for state in group.states)


def audit_csv(rows: Iterable[AuditRow]) -> str:
    """Return the rows as CSV (RFC 4180) with a heading line."""
    heading = (tr("Layer"), tr("Type"), tr("State"), tr("Credit on the layer"), tr("Credit found"), tr("Found in"),
               tr("Credit required"), tr("Licence"), tr("Licence’s address"), tr("Fees"), tr("Access constraints"),
               tr("Service"), tr("Record"), tr("Record’s title"), tr("Address"), tr("Problem"))
    return csv_table(heading, (
        (row.layer.title, row.layer.kind.label, row.state.label, "; ".join(row.layer.credit), "; ".join(row.credit),
         row.origin, row.required.label, row.licence, row.licence_url, row.fees, row.access, row.service, row.record_id,
         row.record_title, row.layer.place, row.problem) for row in rows))

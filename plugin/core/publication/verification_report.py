"""Verified maps as an HTML page, as JSON values and as lines of text.

The JSON object has ``file``, ``kind``, ``title``, ``made``, ``complete`` (true if the file is known to carry every
credit that it owes), ``content`` ("same" if the pixels or the drawing are as exported, "changed", "unknown"),
``sentence``, ``problems`` and ``sources``, each with ``title``, ``record_id``, ``endpoint``,
``layers``, ``credit``, ``credit_required``, ``origin`` ("file", "record" or null), ``presence`` ("on-page",
"in-metadata", "missing", "unreadable", "unknown", "not-required"), ``in_metadata``, ``licence``, ``licence_url``,
``capabilities_date``, ``capabilities_sha256`` and ``changes``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, List, Sequence

from ..addresses import text_without_secrets
from ..dates import format_date
from ..html_templates import render
from ..i18n import tr
from ..text import quoted, single_line
from .map_verification import CreditPresence, VerifiedMap, VerifiedSource


def verification_html(maps: Sequence[VerifiedMap]) -> str:
    """Return a complete HTML document with a table of sources for each file, missing credits first.

    The page loads nothing from the network. Raises CartoguideError if Jinja2 is not installed.
    """
    return render(
        "map_verification.html", title=tr("Credits of published maps"),
        maps=[(verified, _heading(verified), sources_in_order(verified)) for verified in maps],
        headings=(tr("State"), tr("Source"), tr("Credit"), tr("Terms"), tr("Since then")),
        labels={"required": tr("required by"), "none": tr("not stated"), "nothing": "—"})


def verification_values(verified: VerifiedMap) -> Dict[str, Any]:
    """Return the result as JSON-ready values, as the module describes. Logins and keys in addresses are left out."""
    statement, document = verified.file.statement, verified.file.document
    return {
        "file": verified.file.name, "kind": verified.file.kind.value,
        "title": statement.title if statement is not None else document.title if document is not None else "",
        "made": statement.made if statement is not None else "", "complete": verified.is_complete,
        "content": verified.file.content.value, "sentence": verified.sentence, "problems": list(verified.file.problems),
        "sources": [_source_values(source) for source in sources_in_order(verified)]}


def verification_lines(verified: VerifiedMap) -> List[str]:
    """Return the result as lines of text: the file, what is to be said about it, and a line for each source."""
    lines = [single_line(_heading(verified)), "  " + verified.sentence]
    lines += ["  " + single_line(problem) for problem in verified.file.problems]
    for source in sources_in_order(verified):
        credit = f": {quoted(single_line(source.credit))}" if source.credit else ""
        lines.append(f"  {source.presence.symbol} {single_line(source.source.title)}: {source.presence.label}{credit}")
        lines += ["      " + single_line(change) for change in source.changes]
    return lines


def sources_in_order(verified: VerifiedMap) -> List[VerifiedSource]:
    """Return the sources, those with a missing credit first, without logins and keys in their addresses."""
    order = list(CreditPresence)
    return [replace(found, source=replace(found.source, title=text_without_secrets(found.source.title),
                                          endpoint=text_without_secrets(found.source.endpoint)))
            for found in sorted(verified.sources, key=lambda source: order.index(source.presence))]


def _heading(verified: VerifiedMap) -> str:
    statement = verified.file.statement
    if statement is None:
        return verified.file.name
    return tr("{name}: {title}, made on {date}", name=verified.file.name, title=quoted(statement.title),
              date=format_date(statement.made))


def _source_values(verified: VerifiedSource) -> Dict[str, Any]:
    source = verified.source
    return {
        "title": source.title, "record_id": source.record_id, "endpoint": source.endpoint,
        "layers": list(source.layers), "credit": verified.credit, "credit_required": verified.required.value,
        "origin": verified.origin.value if verified.origin is not None else None, "presence": verified.presence.value,
        "in_metadata": verified.in_metadata, "licence": source.licence, "licence_url": source.licence_url,
        "capabilities_date": source.capabilities_date, "capabilities_sha256": source.capabilities_sha256,
        "changes": list(verified.changes)}

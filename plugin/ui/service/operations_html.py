"""The operations of a record as HTML: platforms, entries, formats, addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional, Sequence

from ...app.phrases import short_address
from ...core.i18n import tr
from ...core.records.model.record import Operation, Record
from ...core.text import escaped
from ...core.wms.model.service import Service
from ...core.wms.requests.advertised_operations import OPERATION_NAMES, advertised_operation
from ..widgets.rich_text import html_link

#: prefix of the inner links that open the form of an operation
OPERATION_LINK_PREFIX = "#ask-"


@dataclass(frozen=True)
class OperationGroup:
    """Operation whose repeated entries are merged: each address once, each format once."""

    name: str
    platforms: tuple[str, ...]
    entries: int
    addresses: tuple[str, ...]
    formats: tuple[str, ...]


def operation_purpose(name: str) -> str:
    """Return a short text on the purpose of an operation, empty if it is unknown."""
    return {
        "getcapabilities": tr("describes the service"), "getmap": tr("draws the map"),
        "getfeatureinfo": tr("returns the features at a point"),
        "describelayer": tr("describes the data source of a layer"),
        "getlegendgraphic": tr("draws the legend"), "getstyles": tr("returns the styles"),
    }.get(name.split(":")[-1].lower(), "")


def group_operations(operations: Sequence[Operation]) -> list[OperationGroup]:
    """Return the operations of a record merged by name.

    Some harvesters write one entry for each output format.
    """
    rows: dict[str, list[Operation]] = {}
    for operation in operations:
        rows.setdefault(operation.name, []).append(operation)
    folded = []
    for name, group in rows.items():
        points = [point for operation in group for point in operation.connect_points]
        formats = [point.protocol for point in points if point.protocol and "/" in point.protocol]
        folded.append(
            OperationGroup(name, _unique(platform for operation in group for platform in operation.platforms),
                           len(points), _unique(point.url for point in points), _unique(formats)))
    return folded


def operations_html(record: Record, service: Optional[Service]) -> str:
    """Return the operations of the record as HTML, compared with those of the service if its capabilities are known."""
    parts = [_group_html(row, service) for row in group_operations(record.operations)]
    if not parts:
        parts.append(f"<p class='quiet'>{escaped(tr('The record lists no operations.'))}</p>")
    if service is not None:
        known = {row.name.split(":")[-1].lower() for row in group_operations(record.operations)}
        others = [info for key, info in service.operations.items() if key.split(":")[-1].lower() not in known]
        if others:
            parts.append(f"<h3>{escaped(tr('Only in the capabilities'))}</h3>")
            for info in others:
                formats = escaped(", ".join(info.formats))
                parts.append(f"<p><b>{escaped(info.name)}</b><br>{formats}{_form_link(info.name, service)}</p>")
    return "".join(parts)


def _group_html(row: OperationGroup, service: Optional[Service]) -> str:
    purpose = operation_purpose(row.name)
    platforms = ", ".join(row.platforms)
    lines = [f"<b>{escaped(row.name)}</b>" + (f" <span class='quiet'>– {escaped(purpose)}</span>" if purpose else "")]
    entries = tr("%n entries", n=row.entries) if row.entries > 1 else ""
    summary = " · ".join(part for part in (platforms, entries) if part)
    lines.append(escaped(summary))
    live = service.operation(row.name) if service else None
    formats = row.formats or (live.formats if live else ())
    if formats:
        lines.append("<span class='quiet'>" + escaped(tr("Formats: {formats}", formats=", ".join(formats))) + "</span>")
    lines += [html_link(address, short_address(address)) for address in row.addresses]
    if service is not None and live is None:
        lines.append(escaped(tr("The capabilities do not list this operation.")))
    asking = _form_link(row.name, service) if service is not None else ""
    return "<p>" + "<br>".join(line for line in lines if line) + asking + "</p>"


def _form_link(name: str, service: Service) -> str:
    """Return a link to the form of an operation, empty if the operation cannot be requested."""
    short = name.split(":")[-1]
    known = next((name_of_six for name_of_six in OPERATION_NAMES if name_of_six.lower() == short.lower()), "")
    if not known or advertised_operation(service, known).unavailable_reason:
        return ""
    return f'<br><a href="{OPERATION_LINK_PREFIX}{known}">{escaped(tr("Request…"))}</a>'


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))

"""The operations of a record as HTML: platforms, entries, formats, addresses."""

from __future__ import annotations

from typing import Optional

from ...app.phrases import short_address
from ...core.i18n import tr
from ...core.records.model.operation_grouping import GroupedOperation, group_operations
from ...core.records.model.record import Record
from ...core.text import escaped
from ...core.wms.model.operation_name import OPERATION_NAMES, operation_key
from ...core.wms.model.service import Service
from ...core.wms.requests.advertised_operations import advertised_operation
from ..widgets.rich_text import html_link

#: prefix of the inner links that open the form of an operation
OPERATION_LINK_PREFIX = "#ask-"


def operation_purpose(name: str) -> str:
    """Return a short text on the purpose of an operation, empty if it is unknown."""
    return {
        "getcapabilities": tr("describes the service"), "getmap": tr("draws the map"),
        "getfeatureinfo": tr("returns the features at a point"),
        "describelayer": tr("describes the data source of a layer"),
        "getlegendgraphic": tr("draws the legend"), "getstyles": tr("returns the styles"),
    }.get(operation_key(name), "")


def operations_html(record: Record, service: Optional[Service]) -> str:
    """Return the operations of the record as HTML, compared with those of the service if its capabilities are known."""
    parts = [_operation_html(operation, service) for operation in group_operations(record)]
    if not parts:
        parts.append(f"<p class='quiet'>{escaped(tr('The record lists no operations.'))}</p>")
    if service is not None:
        known = {operation_key(operation.name) for operation in group_operations(record)}
        others = [info for key, info in service.operations.items() if operation_key(key) not in known]
        if others:
            parts.append(f"<h3>{escaped(tr('Only in the capabilities'))}</h3>")
            for info in others:
                formats = escaped(", ".join(info.formats))
                parts.append(f"<p><b>{escaped(info.name)}</b><br>{formats}{_form_link(info.name, service)}</p>")
    return "".join(parts)


def _operation_html(operation: GroupedOperation, service: Optional[Service]) -> str:
    purpose = operation_purpose(operation.name)
    platforms = ", ".join(platform for platform in operation.platforms if platform)
    purpose_html = f" <span class='quiet'>– {escaped(purpose)}</span>" if purpose else ""
    lines = [f"<b>{escaped(operation.name)}</b>{purpose_html}"]
    entries = tr("%n entries", n=operation.entry_count) if operation.entry_count > 1 else ""
    summary = " · ".join(part for part in (platforms, entries) if part)
    lines.append(escaped(summary))
    live = service.operation(operation.name) if service else None
    formats = operation.formats or (live.formats if live else ())
    if formats:
        lines.append("<span class='quiet'>" + escaped(tr("Formats: {formats}", formats=", ".join(formats))) + "</span>")
    lines += [html_link(address.url, short_address(address.url)) for address in operation.addresses if address.url]
    if service is not None and live is None:
        lines.append(escaped(tr("The capabilities do not list this operation.")))
    form_link = _form_link(operation.name, service) if service is not None else ""
    return "<p>" + "<br>".join(line for line in lines if line) + form_link + "</p>"


def _form_link(name: str, service: Service) -> str:
    """Return a link to the form of an operation, empty if the operation cannot be requested."""
    known = next((operation for operation in OPERATION_NAMES if operation_key(operation) == operation_key(name)), "")
    if not known or advertised_operation(service, known).unavailable_reason:
        return ""
    return f'<br><a href="{OPERATION_LINK_PREFIX}{known}">{escaped(tr("Request…"))}</a>'

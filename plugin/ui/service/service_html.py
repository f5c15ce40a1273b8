"""The capabilities of a service, its layers and the operations of a record as HTML for the Service tab."""

from __future__ import annotations

from typing import Optional

from ...app.phrases import scale_range_text, short_address
from ...core.i18n import tr
from ...core.records.model.operation_grouping import GroupedOperation, group_operations
from ...core.records.model.record import Record
from ...core.review.report.html_fragments import html_link
from ...core.text import escaped
from ...core.wms.model.protocol import OPERATION_NAMES, operation_key
from ...core.wms.model.service import Layer, Service
from ...core.wms.requests.advertised_operations import advertised_operation
from ..widgets.rich_text import html_paragraphs, html_table
from .layer_model import layer_title

#: prefix of the inner links that open the form of an operation
OPERATION_LINK_PREFIX = "#ask-"
_MAX_CRS = 12


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


def layer_html(layer: Layer, legend_width: int = 0) -> str:
    """Return a layer as HTML: name, scale range, styles, coordinate systems, dimensions.

    With a ``legend_width`` in pixels the HTML contains the image "legend".
    """
    scales = scale_range_text(layer.scale_range)
    styles = ", ".join(style.title or style.name for style in layer.styles if style.title or style.name)
    rows = [(tr("Name"), f"<code>{escaped(layer.name)}</code>" if layer.name else escaped(tr("none (group only)"))),
            (tr("Scales"), escaped(scales or tr("all"))),
            (tr("Query"), escaped(tr("can be queried") if layer.queryable else tr("cannot be queried"))),
            (tr("Styles"), escaped(styles)), (tr("Coordinate systems"), _crs_list_html(layer.crs, _MAX_CRS)),
            (tr("Dimensions"),
             "<br>".join(escaped(f"{dimension.name}: {dimension.extent[:120]}") for dimension in layer.dimensions)),
            (tr("Notes"), "<br>".join(escaped(note) for note in _layer_notes(layer))),
            (tr("Credit"), escaped(layer.attribution.title or "") if layer.attribution else ""),
            (tr("Records"),
             "<br>".join(html_link(document.url, document.record_id or "") for document in layer.metadata_urls)), ]
    abstract = html_paragraphs(layer.abstract) if layer.abstract else ""
    legend = f'<p><img src="legend" width="{legend_width}"></p>' if legend_width else ""
    return f"<p><b>{escaped(layer_title(layer))}</b></p>{legend}{html_table(rows)}{abstract}"


def service_html(service: Service) -> str:
    """Return the service as HTML: fees, access constraints, contact, limits and formats."""
    contact = service.contact
    lines = (contact.organisation, contact.individual, contact.position, contact.phone, contact.address)
    contact_html = "<br>".join(escaped(text) for text in lines if text and text.strip("- "))
    if contact.email:
        contact_html += "<br>" + escaped(contact.email)
    get_map = service.operation("GetMap")
    info = service.operation("GetFeatureInfo")
    rows = [(tr("Service"), escaped(f"WMS {service.version}")), (tr("Fees"), escaped(service.fees or tr("not stated"))),
            (tr("Access"), escaped(service.access_constraints or tr("not stated"))),
            (tr("Credit"), escaped(service.attribution.title or "") if service.attribution else ""),
            (tr("Contact"), contact_html), (tr("Limits"), escaped(limits_text(service))),
            (tr("Images"), escaped(", ".join(get_map.formats) if get_map else "")),
            (tr("Feature info formats"), escaped(", ".join(info.formats) if info else "")),
            (tr("Coordinate systems"), _crs_list_html(service.root.crs if service.root else (), 40)),
            (tr("Website"), html_link(service.online_resource) if service.online_resource else ""), ]
    title = f"<p><b>{escaped(service.title or service.name or '')}</b></p>"
    return title + (html_paragraphs(service.abstract) if service.abstract else "") + html_table(rows)


def limits_text(service: Service) -> str:
    """Return LayerLimit, MaxWidth and MaxHeight as text. An absent value means no limit."""
    limits = service.limits
    parts = []
    if limits.width or limits.height:
        parts.append(tr("images up to {width} × {height} pixels", width=limits.width or "∞",
                        height=limits.height or "∞"))
    if limits.layers:
        parts.append(tr("%n layer(s) in one image", n=limits.layers))
    return ", ".join(parts) or tr("none listed")


def _crs_list_html(codes: tuple[str, ...], limit: int) -> str:
    """Return the first ``limit`` coordinate systems without line breaks inside, and the number of the others."""
    rest = len(codes) - limit
    shown = ", ".join(f"<nobr>{escaped(code)}</nobr>" for code in codes[:limit])
    return shown + (" " + escaped(tr("and %n more", n=rest)) if rest > 0 else "")


def _layer_notes(layer: Layer) -> list[str]:
    notes = []
    if layer.opaque:
        notes.append(tr("opaque: it hides what lies below"))
    if layer.no_subsets:
        notes.append(tr("only as a whole, not in parts"))
    if any(layer.fixed_size):
        width, height = layer.fixed_size
        notes.append(tr("only at {width} × {height} pixels", width=width or "?", height=height or "?"))
    if layer.cascaded:
        notes.append(tr("cascaded from another service"))
    return notes

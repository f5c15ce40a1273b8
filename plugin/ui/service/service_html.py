"""The capabilities of a service and its layers as HTML for the Service tab."""

from __future__ import annotations

from ...app.phrases import scale_range_text
from ...core.i18n import tr
from ...core.text import escaped
from ...core.wms.model.service import Layer, Service
from ..widgets.rich_text import html_link, html_paragraphs, html_table
from .layer_model import layer_title

_MAX_CRS = 12


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

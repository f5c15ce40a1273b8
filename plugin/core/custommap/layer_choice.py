"""Which WMS layers an entry means, in drawing order, and in which style."""

from __future__ import annotations

from typing import List, Optional, Sequence, Tuple

from ..wms.model.service import Layer, LinkedDocument, Service, Style

#: what GetFeatureInfo is asked for, best first: geometry and attributes, then what a person can read
_INFO_FORMATS = ("application/vnd.ogc.gml", "application/vnd.ogc.gml/3.1.1", "text/xml; subtype=gml/3.1.1",
                 "application/gml+xml", "application/geo+json", "application/geojson", "application/json", "text/html",
                 "text/plain")


def drawable_layers(service: Service) -> List[Layer]:
    """Every layer that draws something of its own and can be asked for, bottom first.

    A named layer above others (MapServer names its root, and lets it be queried) stands for all of them in one image;
    it would bring its children twice and hide their legends and scale ranges, so only leaves are meant. They come in
    the document's order: servers list them as they draw them, and the first one drawn lies at the bottom (7.3.3.3
    draws a request's list in that order too). A group whose children have no names is the smallest thing to ask for.
    """
    return [layer for layer in service.iter_layers() if layer.name and not _has_named_child(layer)]


def select_layers(service: Service, names: Sequence[str]) -> Tuple[List[Layer], List[str]]:
    """The layers called ``names`` in that order (bottom first), and the names that the service does not have.

    A named group among them is one layer. No names means all of ``drawn_layers``.
    """
    if not names:
        return drawable_layers(service), []
    found, missing = [], []
    for name in names:
        layer = service.layer(name)
        if layer is None:
            missing.append(name)
        else:
            found.append(layer)
    return found, missing


def select_style(layer: Layer, wanted: str) -> Tuple[str, bool]:
    """(style to ask for, whether it is the one that was wanted). "" is the layer's default style (7.3.3.4)."""
    if not wanted or layer.style(wanted) is not None:
        return wanted, True
    return "", wanted.lower() == "default"


def legend_graphic(layer: Layer, style: str) -> Optional[LinkedDocument]:
    """The legend graphic of a style; of the default one where ``style`` is empty."""
    found: Optional[Style] = layer.style(style) if style else (layer.style("default") or next(iter(layer.styles), None))
    legends = found.legends if found else ()
    return next((item for item in legends if item.url.lower().startswith(("http://", "https://"))), None)


def feature_info_format(service: Service, layer: Layer) -> Optional[str]:
    """The media type to ask GetFeatureInfo for, as advertised; None where the layer cannot be queried."""
    operation = service.operation("GetFeatureInfo")
    if not layer.queryable or operation is None:
        return None
    offered = {"".join(name.lower().split()): name for name in reversed(operation.formats)}
    for name in _INFO_FORMATS:
        found = offered.get("".join(name.split()))
        if found:
            return found
    return next(iter(operation.formats), None)


def _has_named_child(layer: Layer) -> bool:
    return any(below.name for child in layer.layers for below in child.walk())

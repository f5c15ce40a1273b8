"""The WMS layers of an entry, in drawing order, and their styles."""

from __future__ import annotations

from typing import List, Optional, Sequence, Tuple

from ..wms.model.service import Layer, LinkedDocument, Service, Style

#: formats for GetFeatureInfo, best first: with geometry and attributes, then readable text
_INFO_FORMATS = ("application/vnd.ogc.gml", "application/vnd.ogc.gml/3.1.1", "text/xml; subtype=gml/3.1.1",
                 "application/gml+xml", "application/geo+json", "application/geojson", "application/json", "text/html",
                 "text/plain")


def drawable_layers(service: Service) -> List[Layer]:
    """Return every layer that can be requested and draws something, bottom first.

    A named layer with named children (MapServer names its root and makes it queryable) is an image of all of them. It
    would repeat its children and hide their legends and scale ranges, so only leaves are returned. They are in the
    document's order: servers list layers as they draw them, and the first one is at the bottom (as in a request's list,
    7.3.3.3). A group whose children have no names is requested as a whole.
    """
    return [layer for layer in service.iter_layers() if layer.name and not _has_named_child(layer)]


def select_layers(service: Service, names: Sequence[str]) -> Tuple[List[Layer], List[str]]:
    """Return the layers called ``names`` in that order (bottom first), and the names that the service does not have.

    A named group among them is one layer. Without names, all of ``drawable_layers`` are returned.
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
    """Return the style to request, and whether it is ``wanted``. An empty text is the layer's default style (7.3.3.4).
    """
    if not wanted or layer.style(wanted) is not None:
        return wanted, True
    return "", wanted.lower() == "default"


def legend_graphic(layer: Layer, style: str) -> Optional[LinkedDocument]:
    """Return the legend graphic of a style, of the default one where ``style`` is empty, or None."""
    found: Optional[Style] = layer.style(style) if style else (layer.style("default") or next(iter(layer.styles), None))
    legends = found.legends if found else ()
    return next((item for item in legends if item.url.lower().startswith(("http://", "https://"))), None)


def feature_info_format(service: Service, layer: Layer) -> Optional[str]:
    """Return the media type for GetFeatureInfo as advertised, or None where the layer is not queryable."""
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

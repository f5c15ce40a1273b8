"""The WMS layers of an entry in drawing order, their styles, and the formats in which they are requested.

Formats are chosen among those advertised for GetMap (06-042 7.3.3.7) and GetFeatureInfo.
"""

from __future__ import annotations

import re
from typing import List, Optional, Sequence, Tuple

from ..records.model.endpoints import normalise_endpoint
from ..records.model.record import Record, ResourceKind
from ..text import fold
from ..wms.model.service import Layer, LinkedDocument, Service, Style
from ..wms.requests.urls import query_parameters

#: formats for GetFeatureInfo, best first: with geometry and attributes, then readable text
_INFO_FORMATS = ("application/vnd.ogc.gml", "application/vnd.ogc.gml/3.1.1", "text/xml; subtype=gml/3.1.1",
                 "application/gml+xml", "application/geo+json", "application/geojson", "application/json", "text/html",
                 "text/plain")
#: formats with transparency, best first (GIF has one transparent colour and 256 in all)
_TRANSPARENT = ("image/png", "image/png; mode=32bit", "image/png32", "image/webp", "image/png; mode=8bit", "image/png8",
                "image/vnd.jpeg-png", "image/vnd.jpeg-png8", "image/gif")
_OPAQUE = ("image/jpeg", "image/jpg")
#: other formats that QGIS reads
_OTHER_FORMATS = ("image/png; mode=24bit", "image/png24", "image/jpeg", "image/jpg", "image/tiff", "image/bmp")


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
    layers, missing = [], []
    for name in names:
        layer = service.layer(name)
        if layer is None:
            missing.append(name)
        else:
            layers.append(layer)
    return layers, missing


def linked_layers(record: Record, endpoint: str, service: Service) -> List[str]:
    """Return the names of the layers that the links of a dataset's record to this service name, in their order.

    They stand in the name of a link (ISO 19115 B.3.2.5, one or several with commas) or in LAYERS of its address, by
    name or title. What the capabilities do not have is left out, and so is the root: it is the whole service. The
    record of a service names none: it describes all of them.
    """
    if record.kind is ResourceKind.SERVICE:
        return []
    known = {fold(layer.title or ""): layer for layer in service.iter_layers() if layer.name}
    known.update({fold(layer.name): layer for layer in service.iter_layers() if layer.name})
    found: List[str] = []
    for link in record.online:
        if normalise_endpoint(link.url) != normalise_endpoint(endpoint):
            continue
        lists = [link.name or "", *(value for name, value in query_parameters(link.url) if name.upper() == "LAYERS")]
        for name in (part.strip() for text in lists for part in (text, *text.split(","))):
            layer = service.layer(name) or known.get(fold(name))
            if name and layer is not None and layer.name and (layer is not service.root or not layer.layers):
                found.append(layer.name)
    return list(dict.fromkeys(found))


def select_style(layer: Layer, wanted: str) -> Tuple[str, bool]:
    """Return the style to request, and whether it is ``wanted``. An empty text is the layer's default style (7.3.3.4).
    """
    if not wanted or layer.style(wanted) is not None:
        return wanted, True
    return "", wanted.lower() == "default"


def legend_graphic(layer: Layer, style: str) -> Optional[LinkedDocument]:
    """Return the legend graphic of a style, of the default one where ``style`` is empty, or None."""
    default = layer.style("default") or next(iter(layer.styles), None)
    chosen: Optional[Style] = layer.style(style) if style else default
    legends = chosen.legends if chosen else ()
    return next((item for item in legends if item.url.lower().startswith(("http://", "https://"))), None)


def feature_info_format(service: Service, layer: Layer) -> Optional[str]:
    """Return the media type for GetFeatureInfo as advertised, or None where the layer is not queryable."""
    operation = service.operation("GetFeatureInfo")
    if not layer.queryable or operation is None:
        return None
    offered = {"".join(name.lower().split()): name for name in reversed(operation.formats)}
    for name in _INFO_FORMATS:
        media_type = offered.get("".join(name.split()))
        if media_type:
            return media_type
    return next(iter(operation.formats), None)


def _has_named_child(layer: Layer) -> bool:
    return any(below.name for child in layer.layers for below in child.walk())


def best_format(offered: Sequence[str], opaque: bool, wanted: Optional[str] = None) -> Optional[str]:
    """Return the format to request, as the service spells it, or None where QGIS reads none of the offered ones.

    ``wanted`` is the document's choice, which is taken if the service offers it. Otherwise layers that the service
    calls opaque are requested as JPEG, which is smaller, and all others as PNG with transparency. Even the base of a
    map is, unless it is opaque: JPEG would fill its gaps and blur its text.
    """
    if wanted:
        chosen = advertised_format(offered, wanted)
        if chosen:
            return chosen
    order: List[str] = [*(_OPAQUE if opaque else ()), *_TRANSPARENT, *_OTHER_FORMATS]
    for name in order:
        chosen = advertised_format(offered, name)
        if chosen:
            return chosen
    return next((name for name in offered if normalise_media_type(name).startswith("image/png")), None)


def advertised_format(offered: Sequence[str], name: str) -> Optional[str]:
    """Return the spelling in which a format is offered, or None. Case and spaces make no difference."""
    return next((item for item in offered if normalise_media_type(item) == normalise_media_type(name)), None)


def supports_transparency(name: str) -> bool:
    """Return true where images of this format can show the layers below."""
    return normalise_media_type(name) in {normalise_media_type(item) for item in _TRANSPARENT
                                          } or (normalise_media_type(name).startswith("image/png") and "24" not in name)


def normalise_media_type(name: str) -> str:
    """Return a media type in lower case without spaces."""
    return re.sub(r"\s+", "", name).lower()

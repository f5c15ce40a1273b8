"""Symbols and labels of services on papers that are read from afar: requested at a higher resolution than the page's.

A service draws symbols with as many dots as suit the resolution in the request. At twice the page's resolution they are
twice as large on paper, and the service chooses what it shows as for a map of half the scale. The image has the same
pixels.
"""

from __future__ import annotations

import re

from ..model.service import ScaleRange

#: what MapServer takes at most (MapServer's RESOLUTION is from 10 to 1000)
_MAX_RESOLUTION = 1000
#: share of a layer's smallest scale that is left, because services compute it with a dot of another size
_MARGIN = 0.99
#: factors below this are not worth an image of their own
_LEAST = 1.05
#: parameters with the resolution: of QGIS Server, of MapServer, of GeoServer
_RESOLUTION = re.compile(r"([?&](?:DPI|MAP_RESOLUTION)=|[?&]FORMAT_OPTIONS=dpi(?::|%3A))(\d+)", re.IGNORECASE)


def layer_symbol_factor(factor: float, scale: float, scale_range: ScaleRange) -> float:
    """Return how many times as large as on A4 the symbols of a layer are requested, at most ``factor``.

    A layer of ``scale_range`` that is drawn at ``scale`` (a denominator) is still drawn so.
    """
    smallest = scale_range[1]
    if smallest is not None and scale > 0:
        factor = min(factor, _MARGIN * smallest / scale)
    return factor if factor >= _LEAST else 1.0


def with_larger_symbols(url: str, factor: float) -> str:
    """Return a GetMap address with ``factor`` times the resolution that it states, the same address without any."""
    def enlarged(match: re.Match[str]) -> str:
        stated = int(match.group(2))
        return f"{match.group(1)}{max(stated, min(round(stated * factor), _MAX_RESOLUTION))}"

    return _RESOLUTION.sub(enlarged, url) if factor > 1 else url

"""Plan all that the maps of a page need from the web, layer by layer, as the kind of each layer's source says."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Mapping, Optional, Sequence, Tuple

from qgis.core import QgsMapLayer, QgsMapSettings, QgsPrintLayout, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtGui import QPainter

from ...core.preflight import TrialRequest
from ..credits.layer_credits import in_style
from ..layouts.symbol_size import layer_factors
from ..runtime.drawn_source import drawn_source
from ..sources.kinds import is_fetched, layer_kind
from ..sources.layer_source import drawn_parts
from .features import FeatureRequest, feature_request
from .files import file_request
from .request import (
    LayerRequest,
    image_request,
    is_image_layer,
    map_settings,
    picture_request,
    service_title,
    visible_maps,
)
from .tiles import tile_request


def plan_page(layout: QgsPrintLayout, dpi: float, as_image: bool = False, page: int = 1) -> List[LayerRequest]:
    """Return what the maps of a layout need at ``dpi``, the location map's too, in drawing order. Main thread only.

    ``as_image`` is for image formats, whose page is a whole number of pixels. Nothing is sent. QGIS may handle events.
    """
    found: List[LayerRequest] = []
    for item in visible_maps(layout):
        settings = map_settings(layout, item, dpi, as_image)
        found += plan_map(settings, layer_factors(layout, item, settings.layers()), page)
    return found


def absent_trials(requests: Sequence[LayerRequest]) -> List[Tuple[str, TrialRequest]]:
    """Return the ids of the layers of which nothing is requested, because they lie beside a map, with empty results.

    Features have such a result themselves.
    """
    return [(request.layer_id,
             TrialRequest(request.title, request.service, None, (0, 0), pages=(request.page, ), count=0))
            for request in requests if not request.is_needed and not isinstance(request, FeatureRequest)]


def plan_map(settings: QgsMapSettings, symbol_factors: Mapping[str, float], page: int = 1) -> List[LayerRequest]:
    """Return what one drawing needs, the lowest layer first. ``symbol_factors`` enlarge symbols, by ids of layers."""
    drawn = [part for layer in settings.layers() if layer.isInScaleRange(settings.scale())
             for part in drawn_parts(layer) if part.isInScaleRange(settings.scale())]
    planned = [(layer, _plan_layer(settings, layer, symbol_factors.get(layer.id(), 1.0), page))
               for layer in reversed(drawn) if layer.isValid()]
    return [replace(request, hides_others=True) if layer is not drawn[-1] and _covers(layer) else request
            for layer, request in planned if request is not None]


def _covers(layer: QgsMapLayer) -> bool:
    """Return whether opaque pixels of the layer hide what is below."""
    return bool(isinstance(layer, QgsRasterLayer) and layer.renderer() is not None
                and layer.blendMode() == QPainter.CompositionMode.CompositionMode_SourceOver
                and layer.renderer().opacity() >= 1.0)


def _plan_layer(settings: QgsMapSettings, layer: QgsMapLayer, symbol_factor: float,
                page: int) -> Optional[LayerRequest]:
    """Return what a layer needs, or None for one that is drawn as it is."""
    if is_image_layer(layer):
        return image_request(settings, layer, symbol_factor, page)
    source = drawn_source(layer)
    kind, service = layer_kind(source), service_title(layer)
    if isinstance(layer, QgsRasterLayer) and kind.tiles is not None:
        tiles = kind.tiles(layer, source)
        return None if tiles is None else tile_request(settings, layer, tiles, service, page)
    if isinstance(layer, QgsVectorLayer) and kind.features is not None:
        # the style of the map says which features are needed
        with in_style(layer, settings.layerStyleOverrides().get(layer.id(), "")):
            features = kind.features(layer, source) if is_fetched(layer) else None
            return None if features is None else feature_request(settings, layer, features, service, page)
    picture = kind.picture(layer, source) if kind.picture is not None else None
    if picture is not None:
        return picture_request(settings, layer, picture, service, source.address, page)
    files = kind.files(layer, source) if kind.files is not None else None
    return None if files is None else file_request(settings, layer, files, service, source.address, page)

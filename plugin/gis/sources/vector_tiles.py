"""Layers of vector tiles, read from files: QGIS requests tiles in other threads, and misses none that fails."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Mapping, Optional, Sequence, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsMapLayer,
    QgsMapSettings,
    QgsVectorTileLayer,
)
from qgis.PyQt.QtCore import QUrl

from ...core.errors import InvalidRequest, UnexpectedResponse
from ...core.i18n import tr
from ...core.request import Response
from ...core.sources.kinds import kind_of
from ...core.sources.layer_source import LayerSource
from ...core.sources.source_kind import SourceProof
from ...core.sources.source_text import encoded_parameters, encoded_source
from ...core.sources.tile_grid import HALF_WORLD, xyz_address
from ...core.sources.vector_tiles import tile_content
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from .feature_services import login_of, sent_headers
from .layer_kind import LayerKind, ServedFiles

#: scale denominator of level 0 (GoogleMapsCompatible)
_FIRST_SCALE = 559082264.0287178
#: tiles of one map
_MAX_TILES = 5_000


def _level(layer: QgsVectorTileLayer, settings: QgsMapSettings) -> int:
    """Return the level that QGIS draws at (QgsVectorTileLayerRenderer::render), which differs by its version."""
    scale = settings.scale()
    if not hasattr(layer, "tileMatrixSet"):
        level = round(math.log2(_FIRST_SCALE / scale) - 1)
        return max(int(layer.sourceMinZoom()), min(level, int(layer.sourceMaxZoom())))
    levels = layer.tileMatrixSet()
    if hasattr(levels, "calculateTileScaleForMap"):
        scale = levels.calculateTileScaleForMap(scale, settings.destinationCrs(), settings.visibleExtent(),
                                                settings.outputSize(), settings.outputDpi())
    return int(levels.scaleToZoomLevel(scale))


def _needed(layer: QgsVectorTileLayer, template: str, settings: QgsMapSettings) -> Sequence[Tuple[str, str]]:
    """Return the tiles of a map. Raises InvalidRequest for too many."""
    world = QgsCoordinateReferenceSystem("EPSG:3857")
    transform = QgsCoordinateTransform(settings.destinationCrs(), world, settings.transformContext())
    try:
        area = transform.transformBoundingBox(settings.visibleExtent())
    except QgsCsException:
        # the map shows more than the world
        area = layer.extent()
    level = _level(layer, settings)
    last, side = 2 ** level - 1, 2 * HALF_WORLD / 2 ** level
    columns, rows = (range(max(0, math.floor(first / side)), min(last, math.floor(end / side)) + 1) for first, end in (
        (area.xMinimum() + HALF_WORLD, area.xMaximum() + HALF_WORLD),
        (HALF_WORLD - area.yMaximum(), HALF_WORLD - area.yMinimum())))
    if len(columns) * len(rows) > _MAX_TILES:
        raise InvalidRequest(tr("The map needs more than {count} tiles of this layer. Choose a larger scale, or a "
                                "lower first level for the layer's tiles.", count=_MAX_TILES))
    return [(f"{level}-{column}-{row}.pbf", xyz_address(template, level, column, row))
            for row in rows for column in columns]


def _content(_url: str, response: Response) -> bytes:
    """Return the content of a tile: that of one without content is empty (RFC 9110 15.3.5)."""
    if response.status == 204:
        return b""
    if response.body or response.status != 200:
        check_response(response, ExpectedContent.ANY)
    content = tile_content(response.body)
    if content is None:
        raise UnexpectedResponse(tr("The server sent a vector tile that cannot be read."), response.url,
                                 response.status)
    return content


def _source(parameters: Mapping[str, str], folder: Path) -> Tuple[str, str]:
    levels = [(name, parameters[name]) for name in ("zmin", "zmax") if parameters.get(name)]
    address = f"{QUrl.fromLocalFile(str(folder)).toString()}/{{z}}-{{x}}-{{y}}.pbf"
    return "vectortile", encoded_source([("type", "xyz"), ("url", address), *levels])


def _files(layer: QgsMapLayer, source: LayerSource) -> Optional[ServedFiles]:
    parameters = encoded_parameters(source.text)
    if not isinstance(layer, QgsVectorTileLayer) or kind_of(source).proof(source) is not SourceProof.WATCHED:
        return None
    return ServedFiles(partial(_needed, layer, source.address), _content, partial(_source, parameters),
                       login_of(source), sent_headers(parameters))


VECTOR_TILES = LayerKind(files=_files)

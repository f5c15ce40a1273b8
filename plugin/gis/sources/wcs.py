"""Layers of coverages (WCS 1.0.0, OGC 03-065r6), read from files of the pixels that a map shows."""

from __future__ import annotations

import hashlib
import math
from functools import partial
from pathlib import Path
from typing import Optional, Sequence, Tuple

from osgeo import gdal
from qgis.core import QgsCoordinateTransform, QgsCsException, QgsMapLayer, QgsMapSettings, QgsRasterLayer

from ...core.sources.kinds import kind_of
from ...core.sources.layer_source import LayerSource
from ...core.sources.source_kind import SourceProof
from ...core.sources.source_text import encoded_parameters
from ...core.wms.requests.urls import with_parameters
from .feature_services import login_of, sent_headers
from .files import RASTER_DRIVERS, data_content
from .layer_kind import LayerKind, ServedFiles

#: pixels of a side of what is requested at once, as QGIS does
_SIDE = 2000


def _needed(layer: QgsRasterLayer, source: LayerSource, settings: QgsMapSettings) -> Sequence[Tuple[str, str]]:
    """Return the pieces of the coverage that a map shows, in its pixels."""
    transform = QgsCoordinateTransform(settings.destinationCrs(), layer.crs(), settings.transformContext())
    visible = settings.visibleExtent()
    try:
        area = transform.transformBoundingBox(visible)
    except QgsCsException:
        # the map shows more than the world
        area = layer.extent()
    unit_x, unit_y = (side / (whole / settings.mapUnitsPerPixel()) for side, whole in (
        (area.width(), visible.width()), (area.height(), visible.height())))
    # QGIS draws a pixel more at each side
    area.grow(2 * max(unit_x, unit_y))
    area = area.intersect(layer.extent())
    if area.isEmpty():
        return ()
    parameters = encoded_parameters(source.text)
    columns, rows = (max(1, math.ceil(side / unit)) for side, unit in ((area.width(), unit_x), (area.height(), unit_y)))
    across, down = (math.ceil(count / _SIDE) for count in (columns, rows))
    found = []
    for row in range(down):
        for column in range(across):
            left, right = (round(columns * place / across) for place in (column, column + 1))
            top, bottom = (round(rows * place / down) for place in (row, row + 1))
            box = (area.xMinimum() + left * area.width() / columns, area.yMaximum() - bottom * area.height() / rows,
                   area.xMinimum() + right * area.width() / columns, area.yMaximum() - top * area.height() / rows)
            address = with_parameters(source.address, {
                "SERVICE": "WCS", "VERSION": "1.0.0", "REQUEST": "GetCoverage", "COVERAGE": source.names[0],
                "CRS": layer.crs().authid(), "BBOX": ",".join(map(repr, box)), "WIDTH": str(right - left),
                "HEIGHT": str(bottom - top), "FORMAT": parameters["format"]})
            found.append((f"{hashlib.sha256(address.encode()).hexdigest()[:24]}.tif", address))
    return found


def _source(folder: Path) -> Tuple[str, str]:
    """Return a mosaic of the pieces in a folder."""
    mosaic = folder / "mosaic.vrt"
    gdal.BuildVRT(str(mosaic), sorted(str(path) for path in folder.glob("*.tif")))
    return "gdal", str(mosaic)


def _files(layer: QgsMapLayer, source: LayerSource) -> Optional[ServedFiles]:
    if not isinstance(layer, QgsRasterLayer) or kind_of(source).proof(source) is not SourceProof.WATCHED:
        return None
    return ServedFiles(partial(_needed, layer, source), partial(data_content, drivers=RASTER_DRIVERS), _source,
                       login_of(source), sent_headers(encoded_parameters(source.text)))


WCS = LayerKind(files=_files)

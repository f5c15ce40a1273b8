"""Layers of coverages (WCS 1.0.0, OGC 03-065r6), read from files of the pixels that a map shows."""

from __future__ import annotations

import hashlib
import math
from functools import partial
from pathlib import Path
from typing import Optional, Sequence, Tuple

from osgeo import gdal, osr
from qgis.core import QgsCoordinateTransform, QgsCsException, QgsMapLayer, QgsMapSettings, QgsRasterLayer

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.sources.kinds import kind_of
from ...core.sources.layer_source import LayerSource
from ...core.sources.source_kind import SourceProof
from ...core.sources.source_text import encoded_parameters
from ...core.wms.requests.urls import query_parameters, with_parameters
from ..runtime import compat
from .feature_services import login_of, sent_headers
from .files import RASTER_DRIVERS, data_content
from .layer_kind import LayerKind, ServedFiles

#: pixels of a side of what is requested at once, as QGIS does
_SIDE = 2000
#: share of a pixel by which a piece may lie beside its place
_SHIFT = 0.5
#: option of a comparison of reference systems: GeoTIFF has x before y in each of them
_ANY_ORDER = "IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES"


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


def _fault(types: Sequence[int], url: str, piece: gdal.Dataset) -> str:
    """Return by what a piece differs from the one at an address, with bands of these types, or ""."""
    asked = {name.upper(): value for name, value in query_parameters(url)}
    box, size = [float(side) for side in asked["BBOX"].split(",")], (int(asked["WIDTH"]), int(asked["HEIGHT"]))
    found = [piece.GetRasterBand(number).DataType for number in range(1, piece.RasterCount + 1)]
    left, unit_x, turn_x, top, turn_y, unit_y = piece.GetGeoTransform()
    sides = (left, top + piece.RasterYSize * unit_y, left + piece.RasterXSize * unit_x, top)
    units = ((box[2] - box[0]) / size[0], (box[3] - box[1]) / size[1])
    wanted, reference = osr.SpatialReference(), piece.GetSpatialRef()
    wanted.SetFromUserInput(asked["CRS"])
    if (piece.RasterXSize, piece.RasterYSize) != size:
        return f"{piece.RasterXSize} × {piece.RasterYSize} pixels"
    if found != list(types):
        return ", ".join(map(gdal.GetDataTypeName, found))
    if turn_x or turn_y or any(abs(one - other) > _SHIFT * unit for one, other, unit in zip(sides, box, units * 2)):
        return ", ".join(map(repr, sides))
    return "" if reference is None or reference.IsSame(wanted, [_ANY_ORDER]) else str(reference.ExportToWkt())


def _source(folder: Path) -> Tuple[str, str]:
    """Return a mosaic of the pieces in a folder. Raises CartoguideError if GDAL leaves one out."""
    mosaic, pieces = folder / "mosaic.vrt", sorted(str(path) for path in folder.glob("*.tif"))
    try:
        built = gdal.BuildVRT(str(mosaic), pieces)
    except RuntimeError:
        # another plugin may have switched on GDAL's exceptions
        built = None
    if built is None or not {Path(path) for path in built.GetFileList()}.issuperset(map(Path, pieces)):
        raise CartoguideError(tr("The parts of the coverage do not fit together."), gdal.GetLastErrorMsg())
    return "gdal", str(mosaic)


def _files(layer: QgsMapLayer, source: LayerSource) -> Optional[ServedFiles]:
    if not isinstance(layer, QgsRasterLayer) or kind_of(source).proof(source) is not SourceProof.WATCHED:
        return None
    types = [compat.enum_value(layer.dataProvider().sourceDataType(band)) for band in range(1, layer.bandCount() + 1)]
    content = partial(data_content, drivers=RASTER_DRIVERS, fault=partial(_fault, types))
    return ServedFiles(partial(_needed, layer, source), content, _source, login_of(source),
                       sent_headers(encoded_parameters(source.text)), differs_by_map=True)


WCS = LayerKind(files=_files)

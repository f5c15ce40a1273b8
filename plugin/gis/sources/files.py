"""Layers of files of this computer and on the web, temporary layers and annotations."""

from __future__ import annotations

import re
import uuid
from functools import partial
from pathlib import Path
from typing import Callable, Iterator, Optional, Sequence, Tuple

from osgeo import gdal
from qgis.core import QgsDataProvider, QgsMapLayer, QgsMapSettings, QgsRasterLayer, QgsVectorLayer, QgsWkbTypes

from ...core.errors import UnexpectedResponse
from ...core.i18n import tr
from ...core.request import Response
from ...core.sources.files import web_file_name, web_file_source
from ...core.sources.kinds import kind_of
from ...core.sources.layer_source import LayerSource, SourceType
from ...core.sources.source_kind import SourceProof
from ...core.wms.responses.image_headers import is_complete_image
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..runtime import compat
from ..runtime.drawn_source import drawn_source
from .feature_services import is_all_from_service
from .layer_kind import LayerKind, ServedFiles

#: GDAL's drivers of files that name no others
RASTER_DRIVERS, VECTOR_DRIVERS = ("GTiff", "PNG", "JPEG"), ("GeoJSON", "GPKG", "FlatGeobuf")


def _is_plain_file(layer: QgsMapLayer, source: LayerSource) -> bool:
    if isinstance(layer, QgsRasterLayer):
        return source.by_gdal and "/vsi" not in source.text and "://" not in source.text
    return is_saved(layer, source)


def _bound_requests(source: LayerSource, connect_seconds: float, seconds: float) -> None:
    """Limit the time of GDAL's own requests for this file alone: they cannot be cancelled. New in GDAL 3.6."""
    set_option = getattr(gdal, "SetPathSpecificOption", None)
    if set_option is not None:
        path = source.text.split("|")[0]
        set_option(path, "GDAL_HTTP_TIMEOUT", f"{seconds:g}")
        set_option(path, "GDAL_HTTP_CONNECTTIMEOUT", f"{connect_seconds:g}")


def data_content(url: str, response: Response, drivers: Sequence[str],
                 fault: Callable[[str, gdal.Dataset], str] = lambda _url, _dataset: "") -> bytes:
    """Return the content of an answer, all of which one of these drivers can read. For worker threads.

    ``fault`` returns what is wrong with the data for this address, or "". Raises CartoguideError for any other answer.
    """
    check_response(response, ExpectedContent.ANY)
    path, problem = f"/vsimem/{uuid.uuid4().hex}/file", ""
    gdal.FileFromMemBuffer(path, response.body)
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    gdal.ErrorReset()
    try:
        dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_VECTOR, allowed_drivers=list(drivers), sibling_files=[])
        # of a JPEG that is cut off GDAL only warns
        is_read = dataset is not None and all(_parts_read(dataset)) and is_complete_image(response.body) is not False
        problem = gdal.GetLastErrorMsg() if not is_read or gdal.GetLastErrorType() >= gdal.CE_Failure else ""
        other = fault(url, dataset) if is_read and not problem else ""
    except RuntimeError as error:
        is_read, problem, other = False, str(error), ""
    finally:
        dataset = None
        gdal.PopErrorHandler()
        gdal.Unlink(path)
    if not is_read or problem:
        raise UnexpectedResponse(tr("The server sent a file that cannot be read completely."),
                                 f"{response.url}\n{problem}", response.status)
    if other:
        raise UnexpectedResponse(tr("The server sent another file than was asked for."), f"{response.url}\n{other}",
                                 response.status)
    return response.body


def _parts_read(dataset: gdal.Dataset) -> Iterator[bool]:
    """Yield for each band and layer whether all of it can be read: a file that is cut off opens like any other."""
    for number in range(1, dataset.RasterCount + 1):
        yield dataset.GetRasterBand(number).Checksum() >= 0
    for number in range(dataset.GetLayerCount()):
        layer = dataset.GetLayer(number)
        yield sum(1 for _feature in layer) >= 0


def _served_file(layer: QgsMapLayer, source: LayerSource) -> Optional[ServedFiles]:
    is_raster = isinstance(layer, QgsRasterLayer)
    is_known = is_raster or (isinstance(layer, QgsVectorLayer) and is_all_from_service(layer))
    name = web_file_name(source)
    if not name or not is_known or kind_of(source).proof(source) is not SourceProof.WATCHED:
        return None
    return ServedFiles(partial(_needed_file, name, source.address),
                       partial(data_content, drivers=RASTER_DRIVERS if is_raster else VECTOR_DRIVERS),
                       partial(_copied_source, name, source), may_be_too_large=True)


def _needed_file(name: str, address: str, _settings: QgsMapSettings) -> Sequence[Tuple[str, str]]:
    return ((name, address), )


def _copied_source(name: str, source: LayerSource, folder: Path) -> Tuple[str, str]:
    return source.provider, web_file_source(source, str(folder / name))


def leaves_shapes_out(layer: QgsMapLayer) -> bool:
    """Return whether a layer's file on this computer has shapes of other kinds too, which QGIS does not draw."""
    source = drawn_source(layer)
    if not isinstance(layer, QgsVectorLayer) or source.provider != "ogr" or source.type is not SourceType.FILE or (
            "|geometrytype=" in source.text.lower()):
        return False
    # number, name, count and kind of shapes
    parts = [text.split(QgsDataProvider.sublayerSeparator()) for text in layer.dataProvider().subLayers()]
    named = re.search(r"\|layername=([^|]+)", source.text)
    name = named.group(1) if named is not None else parts[0][1] if parts else ""
    kinds = {QgsWkbTypes.geometryType(QgsWkbTypes.parseType(part[3])) for part in parts if part[1] == name}
    return len(kinds & {compat.point_geometry(), compat.line_geometry(), compat.polygon_geometry()}) > 1


FILE = LayerKind(_is_plain_file)
WEB_FILE = LayerKind(prepare=_bound_requests, files=_served_file)


def is_saved(layer: QgsMapLayer, _source: LayerSource) -> bool:
    """Return whether a layer of features has neither edits nor auxiliary fields that a copy would lack."""
    return isinstance(layer, QgsVectorLayer) and not layer.isEditable() and layer.auxiliaryLayer() is None


MEMORY = LayerKind(is_saved)
ANNOTATIONS = LayerKind(lambda _layer, _source: True)

"""GDAL where errors are expected and files may be anybody's: its messages, and what a raster's metadata refer to."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import Iterator, List, Optional

from osgeo import gdal, ogr

#: GDAL's domains of metadata that name files or addresses which are opened with the raster, in lower case
REFERRING_DOMAINS = frozenset(("overviews", "geolocation", "subdatasets", "proxyoverviewrequest"))
_MAX_BANDS = 64
_SINGLE_SHAPES = {ogr.wkbPoint: "Point", ogr.wkbMultiPoint: "Point", ogr.wkbLineString: "LineString",
                  ogr.wkbMultiLineString: "LineString", ogr.wkbPolygon: "Polygon", ogr.wkbMultiPolygon: "Polygon",
                  ogr.wkbTIN: "Polygon", ogr.wkbPolyhedralSurface: "Polygon"}


def metadata_domains(dataset: gdal.Dataset) -> List[str]:
    """Return the domains of the metadata of a raster and its bands, in lower case. Opens nothing."""
    found = list(dataset.GetMetadataDomainList() or ())
    for number in range(1, min(dataset.RasterCount, _MAX_BANDS) + 1):
        band: Optional[List[str]] = dataset.GetRasterBand(number).GetMetadataDomainList()
        found.extend(band or ())
    return sorted({domain.lower() for domain in found})


def refers_elsewhere(dataset: gdal.Dataset) -> bool:
    """Return whether a raster's metadata name other files or addresses, which GDAL would open."""
    return not REFERRING_DOMAINS.isdisjoint(metadata_domains(dataset))


def mixed_shapes(layer: ogr.Layer) -> List[str]:
    """Return the kinds of shapes of a layer that has several ("Point", "LineString", "Polygon"), else nothing.

    QGIS draws one kind of a layer: the first that comes, unless the source names another by ``geometrytype``.
    """
    if ogr.GT_Flatten(layer.GetGeomType()) != ogr.wkbUnknown:
        return []
    # GetGeometryTypes is new in GDAL 3.6
    read = getattr(layer, "GetGeometryTypes", None)
    found = list(read() or ()) if read is not None else [
        shape.GetGeometryType() for shape in (feature.GetGeometryRef() for feature in layer) if shape is not None]
    layer.ResetReading()
    kinds = {_SINGLE_SHAPES.get(ogr.GT_GetLinear(ogr.GT_Flatten(one)), "") for one in found} - {""}
    return [name for name in dict.fromkeys(_SINGLE_SHAPES.values()) if name in kinds] if len(kinds) > 1 else []


@contextmanager
def quiet_gdal() -> Iterator[None]:
    """Suppress GDAL's messages, and report its errors by return values instead of exceptions."""
    # ExceptionMgr is new in GDAL 3.7. Before, exceptions are off unless another plugin has enabled them
    manager = getattr(gdal, "ExceptionMgr", None)
    with manager(useExceptions=False) if manager else nullcontext():
        gdal.PushErrorHandler("CPLQuietErrorHandler")
        try:
            yield
        finally:
            gdal.PopErrorHandler()

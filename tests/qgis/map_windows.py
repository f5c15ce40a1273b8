"""A map window with layers of the test network, at a facility with known coordinates."""

from __future__ import annotations

from network import REFERENCE
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsDataSourceUri,
    QgsPointXY,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
)

PLACE = QgsPointXY(REFERENCE["x"], REFERENCE["y"])


def wms(endpoint, name, crs="EPSG:25830", **more):
    uri = QgsDataSourceUri()
    for key, value in {"url": endpoint, "format": "image/png", "crs": crs, **more}.items():
        uri.setParam(key, value)
    uri.setParamList("layers", [name])
    uri.setParamList("styles", [""])
    layer = QgsRasterLayer(bytes(uri.encodedUri()).decode(), name, "wms")
    assert layer.isValid()
    QgsProject.instance().addMapLayer(layer)
    return layer


def show(canvas, crs, metres=4000, offset=(0.31, 0.17)):
    """The window in ``crs`` with the reference place off its middle; gives the place in the window's CRS."""
    system = QgsCoordinateReferenceSystem(crs)
    canvas.setDestinationCrs(system)
    box = QgsRectangle(PLACE.x() - metres * offset[0], PLACE.y() - metres * offset[1],
                       PLACE.x() + metres * (1 - offset[0]), PLACE.y() + metres * (1 - offset[1]))
    transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:25830"), system, QgsProject.instance())
    canvas.setExtent(transform.transformBoundingBox(box))
    return transform.transform(PLACE)

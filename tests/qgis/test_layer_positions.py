"""A facility's symbol is drawn on its coordinates within one pixel, whatever the CRS and its axis order."""

from __future__ import annotations

import pytest
from network import REFERENCE
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor

from plugin.core.custommap.model import LayerPlan, Plan
from plugin.core.sources.layer_source import WmsSource
from plugin.gis.layers import wms_layers
from plugin.gis.runtime import tasks
from plugin.gis.services.service_cache import ServiceCache

#: pixels of the picture, and half the ground that it shows, in metres
SIZE, HALF = 401, 300.0


@pytest.mark.parametrize("shown", ["EPSG:25830", "EPSG:3857", "EPSG:4326"])
@pytest.mark.parametrize("asked", ["EPSG:25830", "EPSG:3042", "EPSG:4326", "EPSG:4258", "EPSG:3857", "CRS:84"])
def test_a_symbol_is_drawn_on_its_coordinates(network, qgis_app, asked, shown):
    layer = _layer(network, asked)
    place = _transformed(QgsPointXY(REFERENCE["x"], REFERENCE["y"]), REFERENCE["crs"], shown)
    half = _half_width(shown)
    picture = _drawn(layer, shown, QgsRectangle.fromCenterAndSize(place, 2 * half, 2 * half))
    column, row = _middle_of_ink(picture)
    # a symbol is drawn on whole pixels, and QGIS moves a reprojected image by up to one
    assert column == pytest.approx(SIZE / 2, abs=1.5)
    assert row == pytest.approx(SIZE / 2, abs=1.5)


def _layer(network, crs):
    plan = Plan(title="", crs=crs, layers=(LayerPlan(
        WmsSource(network.endpoints[REFERENCE["endpoint"]], REFERENCE["layer"], "", "image/png", crs),
        title=REFERENCE["layer"]),))
    cache = _caches.setdefault(network.url, ServiceCache())
    built = tasks.run_and_wait(lambda feedback: wms_layers.make_layers(plan, cache, feedback), 60)
    assert not built.failures, [failure.error.user_text for failure in built.failures]
    return built.layers[0][1]


_caches: dict[str, ServiceCache] = {}


def _transformed(point, source, target):
    return QgsCoordinateTransform(QgsCoordinateReferenceSystem(source), QgsCoordinateReferenceSystem(target),
                                  QgsProject.instance()).transform(point)


def _half_width(crs):
    """Half the width of the picture in units of ``crs``."""
    here = QgsPointXY(REFERENCE["x"], REFERENCE["y"])
    middle = _transformed(here, REFERENCE["crs"], crs)
    east = _transformed(QgsPointXY(here.x() + HALF, here.y()), REFERENCE["crs"], crs)
    return east.x() - middle.x()


def _drawn(layer, crs, extent):
    wanted = QgsMapSettings()
    wanted.setLayers([layer])
    wanted.setDestinationCrs(QgsCoordinateReferenceSystem(crs))
    wanted.setOutputSize(QSize(SIZE, SIZE))
    wanted.setExtent(extent)
    wanted.setBackgroundColor(QColor("#ff00ff"))
    job = QgsMapRendererParallelJob(wanted)
    job.start()
    job.waitForFinished()
    return job.renderedImage()


def _middle_of_ink(picture):
    """The middle of the box around all pixels that are not the background's, in pixels from the upper left corner."""
    inked = [(x, y) for y in range(picture.height()) for x in range(picture.width())
             if picture.pixel(x, y) & 0xFFFFFF != 0xFF00FF]
    assert inked, "nothing was drawn"
    columns, rows = [x for x, _ in inked], [y for _, y in inked]
    assert max(columns) - min(columns) < 60 and max(rows) - min(rows) < 60, "more than one symbol was drawn"
    return (min(columns) + max(columns) + 1) / 2, (min(rows) + max(rows) + 1) / 2

"""A map that a service sent, kept as a file and put into the project as a layer: where it lies, and whose credit it
bears.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Callable, Optional, Tuple

from qgis.core import QgsApplication, QgsCoordinateReferenceSystem, QgsRasterLayer
from qgis.PyQt.QtCore import QObject

from ...core.atomic_write import atomic_write
from ...core.custommap.model import LayerPlan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..credits.layer_metadata import fill_metadata
from ..runtime import crs_ownership, tasks
from .raster_image import is_raster

#: minx, miny, maxx, maxy with x to the east
Envelope = Tuple[float, float, float, float]


def start_making_image_layer(path: Path, body: bytes, envelope: Envelope, size: Tuple[int, int], plan: LayerPlan,
                             done: Callable[[QgsRasterLayer], None], failed: Callable[[CartoguideError], None],
                             owner: Optional[QObject] = None) -> tasks.Job:
    """Write the map in ``body`` to ``path`` and make a layer of it in a task.

    ``box`` is the map's in ``plan.crs``, ``size`` its (width, height) in pixels; ``plan`` gives title, credit and
    metadata. What has no place of its own (PNG, JPEG …) gets a world file beside it.
    """
    def work(feedback: tasks.Feedback) -> QgsRasterLayer:
        crs_ownership.claim_crs((plan.crs,), feedback)
        with atomic_write(path) as file:
            file.write(body)
        if not is_raster(body):
            with atomic_write(path.with_suffix(path.suffix + "w")) as file:
                file.write(world_file_text(envelope, size).encode("ascii"))
        layer = QgsRasterLayer(str(path), plan.title, "gdal", QgsRasterLayer.LayerOptions(False))
        if not layer.isValid():
            raise CartoguideError(tr("QGIS could not make a layer of {name}.", name=path.name), str(path))
        if not layer.crs().isValid() or not is_raster(body):
            layer.setCrs(QgsCoordinateReferenceSystem(plan.crs))
        fill_metadata(layer, replace(plan, scale_range=(None, None), legend_url=None, feature_info_format=None))
        layer.moveToThread(QgsApplication.instance().thread())
        return layer

    return tasks.start(tr("Making a layer of {name}", name=path.name), work, done, failed, owner)


def world_file_text(envelope: Envelope, size: Tuple[int, int]) -> str:
    """A world file's six lines: a pixel's width, two turns, its height downwards, the centre of the first pixel."""
    width, height = (envelope[2] - envelope[0]) / size[0], (envelope[3] - envelope[1]) / size[1]
    numbers = (width, 0.0, 0.0, -height, envelope[0] + width / 2, envelope[3] - height / 2)
    return "\n".join(f"{number:.12g}" for number in numbers) + "\n"

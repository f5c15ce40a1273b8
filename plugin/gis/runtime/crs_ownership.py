"""Coordinate reference systems that the main thread owns, whichever thread uses them next.

QGIS keeps every CRS in a cache, and what PROJ holds for it belongs to the thread that asked first. When that is a
worker thread, the CRS loses its definition everywhere once the thread has ended, half a minute after its last task:
maps are exported without georeference, coordinates are no longer transformed. So the main thread asks first.
"""

from __future__ import annotations

from typing import Iterable, Optional, Set

from qgis.core import QgsCoordinateReferenceSystem, QgsFeedback

from ...core.wms.model.service import Layer
from . import main_thread

#: codes that the main thread has asked for in this session
_claimed: Set[str] = set()


def claim_crs(codes: Iterable[str], feedback: Optional[QgsFeedback] = None) -> None:
    """See that the main thread owns the CRSs called ``codes``; for worker threads, before they use them.

    One at a time, so that the window is never held for long.
    """
    for code in codes:
        if code and code not in _claimed:
            main_thread.call(lambda code=code: _load_crs(code), feedback)  # type: ignore[misc]


def crs_codes_of_layer(layer: Layer) -> Set[str]:
    """The CRSs that QGIS's WMS provider looks up for a layer: those of its boxes, and geographic ones."""
    return {"EPSG:4326", "CRS:84", *(box.crs for box in layer.bboxes)}


def _load_crs(code: str) -> None:
    QgsCoordinateReferenceSystem(code)
    QgsCoordinateReferenceSystem.fromOgcWmsCrs(code)
    _claimed.add(code)

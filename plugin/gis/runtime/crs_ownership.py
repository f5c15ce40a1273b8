"""Creation of coordinate reference systems on the main thread before worker threads use them.

QGIS caches every CRS, and its PROJ objects belong to the thread that created it. If that is a worker thread, the CRS
loses its definition everywhere when the thread ends, half a minute after its last task. Maps are then exported without
georeference, coordinates are no longer transformed, and no tiles of a WMTS can be added any more. Therefore the main
thread creates each CRS first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Iterable, List, Optional, Set

from qgis.core import QgsCoordinateReferenceSystem, QgsFeedback

from . import main_thread

if TYPE_CHECKING:
    from ...core.wms.model.service import Layer

#: codes and definitions of the CRSs that the main thread has created in this session
_claimed: Set[str] = set()
#: those that QGIS takes by itself, for tiles and for services that name none, as it calls them: the extents of a WMTS
#: are in CRS:84, and features of OGC API in the last one, which QGIS 3.40 has as OGC:CRS84
_COMMON = ("EPSG:4326", "EPSG:3857", "CRS:84", "OGC:CRS84", "http://www.opengis.net/def/crs/OGC/1.3/CRS84")
_NAMED = re.compile(rb"EPSG[/:0-9.]{1,12}?(\d{4,6})\b|\"(?:latestWkid|wkid)\"\s?:\s?(\d{4,6})\b", re.IGNORECASE)
#: the least number of the CRSs that only ESRI defines
_FIRST_ESRI = 37_000
_MAX_CODES, _MAX_READ = 40, 2_000_000


def claim_common_crs() -> None:
    """Create the CRSs that most layers have, before the first work of another thread. Main thread only."""
    for code in _COMMON:
        if code not in _claimed:
            _load_crs(code)


def claim_crs(codes: Iterable[str], feedback: Optional[QgsFeedback] = None) -> None:
    """Create the CRSs with these codes on the main thread. For worker threads, before they use them.

    They are created one at a time, so that the main thread is never blocked for long. Raises Cancelled.
    """
    for code in codes:
        if code and code not in _claimed:
            main_thread.call(lambda code=code: _load_crs(code), feedback)  # type: ignore[misc]


def claim_definitions(definitions: Iterable[str], feedback: Optional[QgsFeedback] = None) -> None:
    """Create the CRSs with these definitions (WKT2) on the main thread, as ``claim_crs``. Raises Cancelled.

    QGIS's providers of files look a CRS up by its definition, which is another cache than that of the codes.
    """
    for definition in definitions:
        if definition not in _claimed:
            main_thread.call(lambda text=definition: _load_definition(text), feedback)  # type: ignore[misc]


def crs_codes_of_layer(layer: Layer) -> Set[str]:
    """Return the CRS codes that QGIS's WMS provider uses for a layer: geographic ones and those of its extents."""
    return {"EPSG:4326", "CRS:84", *(box.crs for box in layer.bboxes)}


def crs_codes_in(answer: bytes) -> List[str]:
    """Return the codes of the first CRSs that the answer of a service names, in which QGIS may take its layers."""
    numbers = [int(first or second) for first, second in _NAMED.findall(answer[:_MAX_READ])[:_MAX_CODES]]
    # ArcGIS sends numbers of its own without saying so, such as 102100
    return [f"{'ESRI' if number >= _FIRST_ESRI else 'EPSG'}:{number}" for number in numbers]


def _load_crs(code: str) -> None:
    QgsCoordinateReferenceSystem(code)
    QgsCoordinateReferenceSystem.fromOgcWmsCrs(code)
    _claimed.add(code)


def _load_definition(definition: str) -> None:
    QgsCoordinateReferenceSystem.fromWkt(definition)
    _claimed.add(definition)

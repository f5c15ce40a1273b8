"""An order for a snapshot worked out before anything is asked: levels, requests, cost, and what stands in the way.

On the main thread: it looks up reference systems.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import FrozenSet, List, Mapping, Optional, Sequence, Tuple, Union

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsProject,
    QgsRectangle,
    QgsScaleCalculator,
)

from ...core.custommap.map_findings import MapFinding, Severity
from ...core.custommap.model import CustomMap, LayerPlan, Plan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.snapshot import raster_grid
from ...core.snapshot.findings import SnapshotContext, drawn_scale_indexes, snapshot_findings
from ...core.snapshot.model import GPKG, CrsBounds, RasterLevel, RasterPart
from ...core.snapshot.part_requests import part_request_url
from ...core.snapshot.snapshot_estimate import SnapshotEstimate, estimate_snapshot
from ...core.terms.model import RecordWithTerms
from ...core.wms.model.service import Service
from ..layouts.map_frame import WGS84, scale_factor_at
from ..runtime import settings
from .tile_download import TileRequest

#: so many requests of one layer are not even listed
_MAX_REQUESTS = 50_000


@dataclass(frozen=True)
class SnapshotOptions:
    """What is to be taken: ``area`` (x to the east) in the map's CRS, at which ``scales`` (true denominators), for
    printing at ``dpi``, as "gpkg" or "cog", into ``folder``, which is made.

    ``permitted`` are the endpoints whose publisher allowed a copy although their terms forbid it.
    """

    folder: Path
    area: CrsBounds
    scales: Tuple[float, ...]
    dpi: int = 300
    raster_format: str = GPKG
    permitted: FrozenSet[str] = frozenset()


@dataclass(frozen=True)
class LayerDownload:
    """One layer of the order: its plan and service, its area in its own CRS, its levels and its requests."""

    plan: LayerPlan
    service: Service
    area: CrsBounds
    levels: Tuple[RasterLevel, ...]
    tiles: Tuple[RasterPart, ...]
    number: int
    dpi: int

    def requests(self) -> List[TileRequest]:
        """The parts with their addresses; InvalidRequest where the service does not allow one."""
        plan = self.plan
        return [
            TileRequest(part_request_url(plan, self.service, self.area, self.levels[part.level], part, self.dpi),
                        self.number, plan.title or plan.name, plan.service_title, part) for part in self.tiles
        ]


@dataclass(frozen=True)
class SnapshotPlan:
    """An order worked out: what it costs and what was found; ``blocked`` where it cannot be taken."""

    options: SnapshotOptions
    document: CustomMap
    plan: Plan
    layers: Tuple[LayerDownload, ...]
    services: Mapping[str, Service]
    records: Mapping[str, RecordWithTerms]
    nominal_scales: Tuple[float, ...]
    scales: Tuple[float, ...]
    geographic_extent: CrsBounds
    estimate: SnapshotEstimate
    findings: Tuple[MapFinding, ...]

    @property
    def blocked(self) -> bool:
        """Whether a finding is an error."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def requests(self) -> List[TileRequest]:
        """Every request; InvalidRequest where a service does not allow one."""
        return [part for layer in self.layers for part in layer.requests()]


def plan_snapshot(options: SnapshotOptions, document: CustomMap, plan: Plan,
                  known: Mapping[str, Union[Service, CartoguideError]], records: Mapping[str, RecordWithTerms],
                  project: QgsProject, seconds_per_megapixel: Optional[float] = None) -> SnapshotPlan:
    """The order worked out, on the main thread; nothing is asked of any server.

    CartoguideError where the area has no size, or lies where the map's CRS is not defined; what else stands in the way
    is among the findings.
    """
    found = {endpoint: service for endpoint, service in known.items() if isinstance(service, Service)}
    try:
        ruler = _AreaMeasure(options, plan.crs, project)
    except (ValueError, QgsCsException) as error:
        raise CartoguideError(tr("The area cannot be taken: it has no size, or lies where {crs} is not defined. Choose "
                                 "another area.", crs=plan.crs), str(error)) from error
    levels = raster_grid.raster_levels(options.area, options.scales, ruler.resolution, options.raster_format != GPKG)
    nominal = tuple(level.scale * ruler.scale_factor for level in levels)
    works: List[LayerDownload] = []
    for number, layer in enumerate(plan.layers):
        service = _service_of(found, document, layer)
        drawn = drawn_scale_indexes(layer, nominal)
        if service is not None and drawn:
            works.append(_plan_layer(options, number, layer, service, ruler, [levels[one] for one in drawn]))
    cost = estimate_snapshot([(work.plan.format, bool(_is_opaque(work)), work.levels[part.level], part)
                              for work in works for part in work.tiles], seconds_per_megapixel)
    case = SnapshotContext(document, plan, records, found, options.scales, nominal, cost,
                           settings.get("snapshot_requests"), settings.get("snapshot_mb"), options.permitted,
                           tuple(level.scale for level in levels))
    own = {normalise_endpoint(entry.endpoint) for entry in document.entries}
    records = {endpoint: pair for endpoint, pair in records.items() if normalise_endpoint(endpoint) in own}
    return SnapshotPlan(options, document, plan, tuple(works), found, records, nominal,
                        tuple(level.scale for level in levels), ruler.geographic_extent, cost, snapshot_findings(case))


class _AreaMeasure:
    """Lengths of the order: map units for a pixel at 1:1, the area in degrees, and in other layers' CRSs."""

    def __init__(self, options: SnapshotOptions, crs: str, project: QgsProject) -> None:
        self._crs, self._project = QgsCoordinateReferenceSystem(crs), project
        self.area = QgsRectangle(*options.area)
        if not self._crs.isValid() or self.area.isEmpty() or not self.area.isFinite():
            raise ValueError(crs)
        self.scale_factor = scale_factor_at(self._crs, self.area.center(), project)
        calculator = QgsScaleCalculator(options.dpi, self._crs.mapUnits())
        pixels = 1000.0
        nominal = calculator.calculate(self.area, pixels)
        if not (math.isfinite(nominal) and nominal > 0):
            raise ValueError(nominal)
        self.resolution = self.area.width() / pixels / nominal * self.scale_factor
        self.geographic_extent = _envelope(self._transformed(WGS84))

    def in_crs(self, crs: str) -> Tuple[CrsBounds, float]:
        """The area in another CRS, and its units for a unit of the map's."""
        if QgsCoordinateReferenceSystem(crs) == self._crs:
            return _envelope(self.area), 1.0
        there = self._transformed(crs)
        return _envelope(there), math.sqrt(there.width() * there.height() / (self.area.width() * self.area.height()))

    def _transformed(self, crs: str) -> QgsRectangle:
        return QgsCoordinateTransform(self._crs, QgsCoordinateReferenceSystem(crs),
                                      self._project).transformBoundingBox(self.area)


def _plan_layer(options: SnapshotOptions, number: int, layer: LayerPlan, service: Service, measure: _AreaMeasure,
                drawn_levels: Sequence[RasterLevel]) -> LayerDownload:
    area, share = measure.in_crs(layer.crs)
    levels = tuple(
        raster_grid.raster_levels(area, [level.scale for level in drawn_levels], measure.resolution * share,
                                  options.raster_format != GPKG))
    limits = (layer.max_width, layer.max_height)
    if sum(raster_grid.estimate_part_count(level, limits) for level in levels) > _MAX_REQUESTS:
        raise CartoguideError(tr("This takes many thousands of requests. Choose a smaller area, fewer or smaller "
                                 "scales, or a lower resolution."))
    parts = tuple(part for place, level in enumerate(levels)
                  for part in raster_grid.level_parts(level, place, options.dpi, limits))
    return LayerDownload(layer, service, area, levels, parts, number, options.dpi)


def _service_of(found: Mapping[str, Service], document: CustomMap, layer: LayerPlan) -> Optional[Service]:
    return found.get(document.entries[layer.entry_index].endpoint)


def _is_opaque(work: LayerDownload) -> bool:
    layer = work.service.layer(work.plan.name)
    return work.plan.role == "base" or (layer is not None and bool(layer.opaque))


def _envelope(rectangle: QgsRectangle) -> CrsBounds:
    return rectangle.xMinimum(), rectangle.yMinimum(), rectangle.xMaximum(), rectangle.yMaximum()

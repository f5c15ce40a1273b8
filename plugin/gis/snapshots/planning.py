"""Plan a snapshot before anything is requested: levels, requests, cost, and obstacles.

Runs on the main thread, because it looks up reference systems.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import FrozenSet, List, Mapping, Optional, Sequence, Tuple, Union

from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsCsException, QgsProject, QgsRectangle

from ...core.box import Box
from ...core.custommap.map_findings import MapFinding, Severity
from ...core.custommap.model import CustomMap, LayerPlan, MapRole, Plan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record
from ...core.snapshot import raster_grid
from ...core.snapshot.findings import SnapshotContext, drawn_scale_indexes, snapshot_findings
from ...core.snapshot.manifest import RasterFormat, RasterLevel, RasterPart
from ...core.snapshot.raster_grid import part_request_url
from ...core.snapshot.snapshot_estimate import SnapshotEstimate, estimate_snapshot
from ...core.sources.layer_source import WmsSource
from ...core.wms.model.service import Service
from ..layouts.map_frame import WGS84
from ..runtime import settings
from ..runtime.conversions import rectangle_box
from ..runtime.ground_scale import ground_scale_at, qgis_scale
from .tile_download import TileRequest

#: limit of requests of one layer, above which they are not even listed
_MAX_REQUESTS = 50_000
_MM_PER_INCH = 25.4


@dataclass(frozen=True)
class SnapshotOptions:
    """Options of a snapshot: the area to save, its scales, and the folder.

    ``area`` is in the map's CRS. ``scales`` are true denominators, to be
    printed at ``dpi``. ``folder`` is made. ``permitted`` are the endpoints whose
    publishers allowed a copy although their terms forbid it.
    """

    folder: Path
    area: Box
    scales: Tuple[float, ...]
    dpi: int = 300
    raster_format: RasterFormat = RasterFormat.GPKG
    permitted: FrozenSet[str] = frozenset()


@dataclass(frozen=True)
class LayerDownload:
    """One layer of the snapshot: its plan and service, its area in its CRS, its levels and its tiles."""

    plan: LayerPlan
    source: WmsSource
    service: Service
    area: Box
    levels: Tuple[RasterLevel, ...]
    tiles: Tuple[RasterPart, ...]
    number: int
    dpi: int

    def requests(self) -> List[TileRequest]:
        """Return the tiles with their addresses. Raises InvalidRequest if the service does not allow one."""
        plan, layer_id = self.plan, str(self.number)
        moment = plan.moment if plan.time_span is not None else ""
        return [
            TileRequest(part_request_url(self.source, moment, self.service, self.area, self.levels[part.level], part,
                                         self.dpi),
                        layer_id, plan.title or plan.name, plan.service_title, part, plan.role is not MapRole.BASE)
            for part in self.tiles
        ]


@dataclass(frozen=True)
class SnapshotPlan:
    """A planned snapshot with its cost and findings.

    ``nominal_scales`` are QGIS's own denominators for ``scales``, which are the ground's. ``geographic_extent`` is
    west, south, east, north.
    """

    options: SnapshotOptions
    document: CustomMap
    plan: Plan
    layers: Tuple[LayerDownload, ...]
    services: Mapping[str, Service]
    records: Mapping[str, Record]
    nominal_scales: Tuple[float, ...]
    scales: Tuple[float, ...]
    geographic_extent: Box
    estimate: SnapshotEstimate
    findings: Tuple[MapFinding, ...]

    @property
    def blocked(self) -> bool:
        """True if a finding is an error, so that the snapshot cannot be taken."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def requests(self) -> List[TileRequest]:
        """Return every request. Raises InvalidRequest if a service does not allow one."""
        return [part for layer in self.layers for part in layer.requests()]


def plan_snapshot(options: SnapshotOptions, document: CustomMap, plan: Plan,
                  known_services: Mapping[str, Union[Service, CartoguideError]], records: Mapping[str, Record],
                  project: QgsProject, seconds_per_megapixel: Optional[float] = None) -> SnapshotPlan:
    """Return the plan of a snapshot. Main thread only. Nothing is requested.

    ``known_services`` are the services or their errors, and ``records`` the records, both by endpoint.
    Raises CartoguideError if the area has no size or lies outside the map's CRS, or if there are far too many requests.
    Other obstacles are among the findings.
    """
    services = {endpoint: service for endpoint, service in known_services.items() if isinstance(service, Service)}
    try:
        measure = _AreaMeasure(options, plan.crs, project)
    except (ValueError, QgsCsException) as error:
        raise CartoguideError(tr("The area cannot be used: it is empty, or {crs} is not defined there. Choose "
                                 "another area.", crs=plan.crs), str(error)) from error
    levels = raster_grid.raster_levels(options.area, options.scales, measure.resolution,
                                       options.raster_format is not RasterFormat.GPKG)
    true_scales = tuple(level.scale for level in levels)
    nominal = tuple(scale * measure.nominal_factor for scale in true_scales)
    downloads: List[LayerDownload] = []
    for number, layer in enumerate(plan.layers):
        service = services.get(document.entries[layer.entry_index].endpoint)
        drawn = drawn_scale_indexes(layer, nominal)
        if service is not None and layer.wms is not None and drawn:
            downloads.append(_plan_layer(options, number, layer, layer.wms, service, measure,
                                         [levels[index] for index in drawn]))
    tiles = [(download.source.format, _is_opaque(download), download.levels[tile.level], tile)
             for download in downloads for tile in download.tiles]
    estimated_cost = estimate_snapshot(tiles, seconds_per_megapixel)
    context = SnapshotContext(document, plan, records, services, options.scales, nominal, estimated_cost,
                              settings.get("snapshot_requests"), settings.get("snapshot_mb"), options.permitted,
                              true_scales)
    endpoints = {normalise_endpoint(entry.endpoint) for entry in document.entries}
    records = {endpoint: record for endpoint, record in records.items() if normalise_endpoint(endpoint) in endpoints}
    return SnapshotPlan(options, document, plan, tuple(downloads), services, records, nominal, true_scales,
                        measure.geographic_extent, estimated_cost, snapshot_findings(context))


class _AreaMeasure:
    """Measurements of the area: map units for a pixel at 1:1, its extent in degrees and in the CRSs of layers."""

    def __init__(self, options: SnapshotOptions, crs: str, project: QgsProject) -> None:
        self._crs, self._project = QgsCoordinateReferenceSystem(crs), project
        self.area = QgsRectangle(*options.area)
        if not self._crs.isValid() or self.area.isEmpty() or not self.area.isFinite():
            raise ValueError(crs)
        ground = ground_scale_at(self._crs, self.area.center(), project)
        if ground is None:
            raise ValueError(crs)
        self.resolution = ground.map_units(1.0, _MM_PER_INCH / options.dpi)
        # of any width on paper: both denominators shrink with it
        self.nominal_factor = qgis_scale(self._crs, self.area, 1.0) / ground.denominator(self.area.width(), 1.0)
        if not (math.isfinite(self.nominal_factor) and self.nominal_factor > 0):
            raise ValueError(crs)
        self.geographic_extent = rectangle_box(self._transformed(WGS84))

    def in_crs(self, crs: str) -> Tuple[Box, float]:
        """Return the area in another CRS, and that CRS's units for a unit of the map's."""
        if QgsCoordinateReferenceSystem(crs) == self._crs:
            return rectangle_box(self.area), 1.0
        transformed = self._transformed(crs)
        area_ratio = transformed.width() * transformed.height() / (self.area.width() * self.area.height())
        return rectangle_box(transformed), math.sqrt(area_ratio)

    def _transformed(self, crs: str) -> QgsRectangle:
        return QgsCoordinateTransform(self._crs, QgsCoordinateReferenceSystem(crs),
                                      self._project).transformBoundingBox(self.area)


def _plan_layer(options: SnapshotOptions, number: int, layer: LayerPlan, source: WmsSource, service: Service,
                measure: _AreaMeasure, drawn_levels: Sequence[RasterLevel]) -> LayerDownload:
    area, share = measure.in_crs(source.crs)
    levels = tuple(
        raster_grid.raster_levels(area, [level.scale for level in drawn_levels], measure.resolution * share,
                                  options.raster_format is not RasterFormat.GPKG))
    limits = (source.max_width, source.max_height)
    if sum(raster_grid.estimate_part_count(level, limits) for level in levels) > _MAX_REQUESTS:
        raise CartoguideError(tr("This takes many thousands of requests. Choose a smaller area, fewer or smaller "
                                 "scales, or a lower resolution."))
    parts = tuple(part for index, level in enumerate(levels)
                  for part in raster_grid.level_parts(level, index, options.dpi, limits))
    return LayerDownload(layer, source, service, area, levels, parts, number, options.dpi)


def _is_opaque(download: LayerDownload) -> bool:
    layer = download.service.layer(download.plan.name)
    return download.plan.role is MapRole.BASE or (layer is not None and bool(layer.opaque))

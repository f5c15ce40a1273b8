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

from ..core.custommap.model import CustomMap, LayerPlan, Plan
from ..core.custommap.preflight.model import MapFinding, Severity
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.links import normalise_endpoint
from ..core.records.model import Record
from ..core.snapshot import grid
from ..core.snapshot.asking import part_address
from ..core.snapshot.estimate import Estimate, estimate
from ..core.snapshot.findings import Case, drawn_scales, snapshot_findings
from ..core.snapshot.model import GPKG, Box, Level, Part
from ..core.terms.model import Terms
from ..core.wms.model import Service
from . import settings
from .map_frame import DEGREES, ground_stretch
from .snapshot_parts import PartWork

Known = Tuple[Record, Terms]
#: so many requests of one layer are not even listed
_FAR_TOO_MANY = 50_000


@dataclass(frozen=True)
class Order:
    """What is to be taken: ``area`` (x to the east) in the map's CRS, at which ``scales`` (true denominators), for
    printing at ``dpi``, as "gpkg" or "cog", into ``folder``, which is made.

    ``permitted`` are the endpoints whose publisher allowed a copy although their terms forbid it.
    """

    folder: Path
    area: Box
    scales: Tuple[float, ...]
    dpi: int = 300
    kind: str = GPKG
    permitted: FrozenSet[str] = frozenset()


@dataclass(frozen=True)
class LayerWork:
    """One layer of the order: its plan and service, its area in its own CRS, its levels and its requests."""

    plan: LayerPlan
    service: Service
    area: Box
    levels: Tuple[Level, ...]
    parts: Tuple[Part, ...]
    number: int
    dpi: int

    def requests(self) -> List[PartWork]:
        """The parts with their addresses; InvalidRequest where the service does not allow one."""
        plan = self.plan
        return [PartWork(part_address(plan, self.service, self.area, self.levels[part.level], part, self.dpi),
                         self.number, plan.title or plan.name, plan.service_title, part) for part in self.parts]


@dataclass(frozen=True)
class Prepared:
    """An order worked out: what it costs and what was found; ``blocked`` where it cannot be taken."""

    order: Order
    document: CustomMap
    plan: Plan
    layers: Tuple[LayerWork, ...]
    services: Mapping[str, Service]
    records: Mapping[str, Known]
    nominal: Tuple[float, ...]
    scales: Tuple[float, ...]
    degrees: Box
    estimate: Estimate
    findings: Tuple[MapFinding, ...]

    @property
    def blocked(self) -> bool:
        """Whether a finding is an error."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def requests(self) -> List[PartWork]:
        """Every request; InvalidRequest where a service does not allow one."""
        return [part for layer in self.layers for part in layer.requests()]


def prepare(order: Order, document: CustomMap, plan: Plan, known: Mapping[str, Union[Service, CartoguideError]],
            records: Mapping[str, Known], project: QgsProject,
            seconds_for_megapixel: Optional[float] = None) -> Prepared:
    """The order worked out, on the main thread; nothing is asked of any server.

    CartoguideError where the area has no size, or lies where the map's CRS is not defined; what else stands in the way
    is among the findings.
    """
    found = {endpoint: service for endpoint, service in known.items() if isinstance(service, Service)}
    try:
        ruler = _Ruler(order, plan.crs, project)
    except (ValueError, QgsCsException) as error:
        raise CartoguideError(tr("The area cannot be taken: it has no size, or lies where {crs} is not defined. Choose "
                                 "another area.", crs=plan.crs), str(error)) from error
    levels = grid.levels(order.area, order.scales, ruler.resolution, order.kind != GPKG)
    nominal = tuple(level.scale * ruler.stretch for level in levels)
    works: List[LayerWork] = []
    for number, layer in enumerate(plan.layers):
        service = _service_of(found, document, layer)
        drawn = drawn_scales(layer, nominal)
        if service is not None and drawn:
            works.append(_layer_work(order, number, layer, service, ruler, [levels[one] for one in drawn]))
    cost = estimate([(work.plan.format, bool(_opaque(work)), work.levels[part.level], part)
                     for work in works for part in work.parts], seconds_for_megapixel)
    case = Case(document, plan, records, found, order.scales, nominal, cost, settings.get("snapshot_requests"),
                settings.get("snapshot_mb"), order.permitted, tuple(level.scale for level in levels))
    own = {normalise_endpoint(entry.endpoint) for entry in document.entries}
    records = {endpoint: pair for endpoint, pair in records.items() if normalise_endpoint(endpoint) in own}
    return Prepared(order, document, plan, tuple(works), found, records, nominal,
                    tuple(level.scale for level in levels), ruler.degrees, cost, snapshot_findings(case))


class _Ruler:
    """Lengths of the order: map units for a pixel at 1:1, the area in degrees, and in other layers' CRSs."""

    def __init__(self, order: Order, crs: str, project: QgsProject) -> None:
        self._crs, self._project = QgsCoordinateReferenceSystem(crs), project
        self.area = QgsRectangle(*order.area)
        if not self._crs.isValid() or self.area.isEmpty() or not self.area.isFinite():
            raise ValueError(crs)
        self.stretch = ground_stretch(self._crs, self.area.center(), project)
        calculator = QgsScaleCalculator(order.dpi, self._crs.mapUnits())
        pixels = 1000.0
        nominal = calculator.calculate(self.area, pixels)
        if not (math.isfinite(nominal) and nominal > 0):
            raise ValueError(nominal)
        self.resolution = self.area.width() / pixels / nominal * self.stretch
        self.degrees = _box(self._there(DEGREES))

    def in_crs(self, crs: str) -> Tuple[Box, float]:
        """The area in another CRS, and its units for a unit of the map's."""
        if QgsCoordinateReferenceSystem(crs) == self._crs:
            return _box(self.area), 1.0
        there = self._there(crs)
        return _box(there), math.sqrt(there.width() * there.height() / (self.area.width() * self.area.height()))

    def _there(self, crs: str) -> QgsRectangle:
        return QgsCoordinateTransform(self._crs, QgsCoordinateReferenceSystem(crs),
                                      self._project).transformBoundingBox(self.area)


def _layer_work(order: Order, number: int, layer: LayerPlan, service: Service, ruler: _Ruler,
                wanted: Sequence[Level]) -> LayerWork:
    area, share = ruler.in_crs(layer.crs)
    levels = tuple(grid.levels(area, [level.scale for level in wanted], ruler.resolution * share, order.kind != GPKG))
    limits = (layer.max_width, layer.max_height)
    if sum(grid.count(level, limits) for level in levels) > _FAR_TOO_MANY:
        raise CartoguideError(tr("This takes many thousands of requests. Choose a smaller area, fewer or smaller "
                                 "scales, or a lower resolution."))
    parts = tuple(part for place, level in enumerate(levels) for part in grid.parts(level, place, order.dpi, limits))
    return LayerWork(layer, service, area, levels, parts, number, order.dpi)


def _service_of(found: Mapping[str, Service], document: CustomMap, layer: LayerPlan) -> Optional[Service]:
    return found.get(document.entries[layer.entry].endpoint)


def _opaque(work: LayerWork) -> bool:
    layer = work.service.layer(work.plan.name)
    return work.plan.role == "base" or (layer is not None and bool(layer.opaque))


def _box(rectangle: QgsRectangle) -> Box:
    return rectangle.xMinimum(), rectangle.yMinimum(), rectangle.xMaximum(), rectangle.yMaximum()

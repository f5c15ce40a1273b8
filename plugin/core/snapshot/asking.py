"""The GetMap of each part of a snapshot: as QGIS itself would ask, with the resolution that symbols are drawn for."""

from __future__ import annotations

from ..custommap.format_choice import is_transparent
from ..custommap.model import LayerPlan
from ..custommap.moments import moment_text
from ..wms.addresses import pair
from ..wms.maps import MapChoices, map_request
from ..wms.model import Service
from .grid import asked_box
from .model import Box, Level, Part


def part_address(plan: LayerPlan, service: Service, area: Box, level: Level, part: Part, dpi: int) -> str:
    """The address of the picture of ``part``, gutters included; ``area`` is in the layer's CRS, x to the east.

    The resolution goes along as QGIS sends it to the servers that know one each (dpiMode 7): DPI, MAP_RESOLUTION,
    FORMAT_OPTIONS. InvalidRequest where the service's capabilities do not allow the request.
    """
    width, height = part.asked
    shown = {"TIME": moment_text(plan.span[0])} if plan.time_extent and plan.span else {}
    chosen = MapChoices((plan.name,), plan.crs, width, height, native_box=asked_box(area, level, part),
                        styles=(plan.style,), format=plan.format, transparent=is_transparent(plan.format) or None,
                        dimensions={**dict(plan.values), **shown})
    request = map_request(service, chosen, address=plan.address if plan.ignore_operation_addresses else "")
    resolution = {"DPI": str(dpi), "MAP_RESOLUTION": str(dpi), "FORMAT_OPTIONS": f"dpi:{dpi}"}
    return "&".join([request.url, *(pair(name, value) for name, value in resolution.items())])

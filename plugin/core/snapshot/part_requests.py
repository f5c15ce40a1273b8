"""GetMap requests for the parts of a snapshot, as QGIS itself sends them, with the resolution for symbols."""

from __future__ import annotations

from ..custommap.format_choice import supports_transparency
from ..custommap.model import LayerPlan
from ..custommap.time_selection import format_moment
from ..wms.model.service import Service
from ..wms.requests.get_map import MapOptions, map_request
from ..wms.requests.urls import encode_parameter
from .model import CrsBounds, RasterLevel, RasterPart
from .raster_grid import request_bounds


def part_request_url(plan: LayerPlan, service: Service, area: CrsBounds, level: RasterLevel, part: RasterPart,
                     dpi: int) -> str:
    """Return the URL of the image of ``part``, gutters included.

    ``area`` is in the layer's CRS, x to the east. The resolution is sent as QGIS does for the three servers that
    support it (dpiMode 7): DPI, MAP_RESOLUTION, FORMAT_OPTIONS. Raises InvalidRequest where the capabilities do not
    allow the request.
    """
    width, height = part.request_size
    time_value = {"TIME": format_moment(plan.time_span[0])} if plan.time_extent and plan.time_span else {}
    options = MapOptions((plan.name, ), plan.crs, width, height, native_bbox=request_bounds(area, level, part),
                         styles=(plan.style, ), format=plan.format, transparent=supports_transparency(plan.format) or
                         None, dimensions={**dict(plan.dimension_values), **time_value})
    request = map_request(service, options, address=plan.address if plan.ignore_operation_addresses else "")
    resolution = {"DPI": str(dpi), "MAP_RESOLUTION": str(dpi), "FORMAT_OPTIONS": f"dpi:{dpi}"}
    return "&".join([request.url, *(encode_parameter(name, value) for name, value in resolution.items())])

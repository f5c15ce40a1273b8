"""Project entries that QGIS Server reads: terms and extent of the maps, and the GetPrint query of a layout.

QGIS Server reads the entries under Project Properties, QGIS Server. Those that a person has written are not changed.
"""

from __future__ import annotations

from typing import Dict, List, Union
from urllib.parse import urlencode

from qgis.core import (
    QgsCoordinateTransform,
    QgsCsException,
    QgsExpressionContextUtils,
    QgsLayoutItemMap,
    QgsPrintLayout,
    QgsProject,
)

from ...core.custommap.model import Plan
from ..credits.layer_credits import credits_of_layers, plan_from_layers, visible_project_layers
from ..credits.map_credits import terms_statement
from ..runtime.conversions import rectangle_box
from ..sources.layer_source import source_address
from . import layout_items

#: layout variable with the GetPrint query of the layout
GETPRINT_VARIABLE = "cartoguide_getprint"
_SCOPE, _ROOT = "cartoguide", "/"
_DPI = 300
_EXTRA_CRS = ("EPSG:4326", "EPSG:3857")

_Value = Union[str, List[str]]


def update_server_entries(project: QgsProject, language: str = "") -> None:
    """Write the layers' fees and access constraints (06-042, 7.2.4.3), the CRSs and the printed map's extent.

    An entry with a different value than Cartoguide wrote is a person's and is not changed.
    """
    from ..runtime.i18n import user_locale

    language = language or user_locale()
    layers = [layer for layer in visible_project_layers(project) if source_address(layer)]
    plan = plan_from_layers(layers, language)
    # the terms, and the credits that each image of these layers requires
    constraints = (terms_statement(plan) if plan.layers else "", *credits_of_layers(layers))
    entries: Dict[str, _Value] = {"WMSFees": _fees(plan), "WMSAccessConstraints": "\n".join(filter(None, constraints))}
    if layers:
        title = project.title() or next((layout.name() for layout in project.layoutManager().printLayouts()), "")
        entries.update({"WMSServiceTitle": title, "WMSCrsList": _crs_list(project), "WMSExtent": _map_extent(project)})
    for name, value in entries.items():
        _write_entry(project, name, value)
    if layers and not project.readBoolEntry("WMSServiceCapabilities", _ROOT)[0]:
        project.writeEntryBool("WMSServiceCapabilities", _ROOT, True)


def _fees(plan: Plan) -> str:
    """Return the fees of the services: one text if they agree, else each with its title."""
    by_service = {layer.service_title: layer.fees.strip() for layer in plan.layers if layer.fees.strip()}
    fees = set(by_service.values())
    return next(iter(fees)) if len(fees) == 1 else "\n".join(f"{title}: {fee}" for title, fee in by_service.items())


def _crs_list(project: QgsProject) -> List[str]:
    map_codes = [
        layout_map.crs().authid() for layout in project.layoutManager().printLayouts()
        if (layout_map := layout_items.main_map(layout)) is not None
    ]
    return [code for code in dict.fromkeys([project.crs().authid(), *map_codes, *_EXTRA_CRS]) if code]


def _map_extent(project: QgsProject) -> List[str]:
    """Return west, south, east, north of the first layout's map in the project's CRS, or an empty list."""
    for layout in project.layoutManager().printLayouts():
        item = layout_items.main_map(layout)
        if item is None or item.extent().isEmpty() or not project.crs().isValid():
            continue
        try:
            bounds = QgsCoordinateTransform(item.crs(), project.crs(), project).transformBoundingBox(
                layout_items.visible_bounds(item))
        except QgsCsException:
            continue
        return [f"{number:.10g}" for number in rectangle_box(bounds)]
    return []


def _write_entry(project: QgsProject, name: str, value: _Value) -> None:
    """Write one entry unless a person has changed it."""
    is_list = isinstance(value, list)
    read = project.readListEntry if is_list else project.readEntry
    current, last_written = read(name, _ROOT)[0], read(_SCOPE, f"/served/{name}")[0]
    if current == value or (current and current != last_written):
        return
    for scope, key in ((name, _ROOT), (_SCOPE, f"/served/{name}")):
        if value:
            project.writeEntry(scope, key, value)
        else:
            project.removeEntry(scope, key)


def getprint_query(layout: QgsPrintLayout) -> str:
    """Return the query of the GetPrint that prints this page by QGIS Server. The caller adds the project (MAP).

    QGIS Server numbers a layout's maps, the topmost first, and omits those without an extent in the request.
    """
    maps = [item for item in layout.items() if isinstance(item, QgsLayoutItemMap)]
    main = layout_items.main_map(layout)
    crs = main.crs() if main is not None else layout.project().crs()
    query = {"SERVICE": "WMS", "VERSION": "1.3.0", "REQUEST": "GetPrint", "TEMPLATE": layout.name(),
             "FORMAT": "pdf", "CRS": crs.authid(), "DPI": str(_DPI)}
    for number, item in enumerate(maps):
        box = rectangle_box(item.extent())
        sides = box.with_axes_swapped if crs.hasAxisInverted() else box
        query[f"map{number}:EXTENT"] = ",".join(f"{coordinate:.10g}" for coordinate in sides)
    return urlencode(query)


def save_getprint_query(layout: QgsPrintLayout) -> None:
    QgsExpressionContextUtils.setLayoutVariable(layout, GETPRINT_VARIABLE, getprint_query(layout))

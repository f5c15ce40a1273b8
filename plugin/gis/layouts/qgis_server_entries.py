"""What a project tells when QGIS Server serves it: whose its maps are, on what terms, how they are printed.

QGIS Server reads the entries that QGIS keeps under Project Properties, QGIS Server. Those that a person has written
stay as they are.
"""

from __future__ import annotations

from typing import Dict, List, Sequence, Union
from urllib.parse import urlencode

from qgis.core import (
    QgsCoordinateTransform,
    QgsCsException,
    QgsExpressionContextUtils,
    QgsLayoutItemMap,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
)

from ..credits.credit_lines import credits_of_layers
from ..credits.layer_credits import plan_from_layers, source_address, terms_text
from . import layout_items

_SCOPE, _ROOT = "cartoguide", "/"
_EXTRA_CRS = ("EPSG:4326", "EPSG:3857")

_Value = Union[str, List[str]]


def update_server_entries(project: QgsProject, language: str = "") -> None:
    """Write what the project's layers ask for into the entries that QGIS Server reads: fees and access constraints
    (06-042, 7.2.4.3), reference systems, the area of its printed map.

    An entry that says something else than was written here is a person's, and stays.
    """
    from ..runtime.i18n import user_locale

    language = language or user_locale()
    root = project.layerTreeRoot()
    shown = {layer.id() for layer in root.checkedLayers()}
    layers = [layer for layer in root.layerOrder() if layer.id() in shown and source_address(layer)]
    entries: Dict[str, _Value] = {
        "WMSFees": _fees(layers, language), "WMSAccessConstraints": _constraints(layers, language)}
    if layers:
        title = project.title() or next((layout.name() for layout in project.layoutManager().printLayouts()), "")
        entries.update({"WMSServiceTitle": title, "WMSCrsList": _crs_list(project), "WMSExtent": _map_extent(project)})
    for name, value in entries.items():
        _write_entry(project, name, value)
    if layers and not project.readBoolEntry("WMSServiceCapabilities", _ROOT)[0]:
        project.writeEntryBool("WMSServiceCapabilities", _ROOT, True)


def _fees(layers: Sequence[QgsMapLayer], language: str) -> str:
    """What the services cost: in one word where they agree, else each with its title."""
    by_service = {
        plan.service_title: plan.fees.strip() for plan in plan_from_layers(layers, language).layers
        if plan.fees.strip()
    }
    words = set(by_service.values())
    return next(iter(words)) if len(words) == 1 else "\n".join(f"{title}: {fee}" for title, fee in by_service.items())


def _constraints(layers: Sequence[QgsMapLayer], language: str) -> str:
    """The terms, and the credits that each picture of these layers owes."""
    return "\n".join(line for line in (terms_text(layers, language), *credits_of_layers(layers)) if line)


def _crs_list(project: QgsProject) -> List[str]:
    own = [
        layout_map.crs().authid() for layout in project.layoutManager().printLayouts()
        if (layout_map := layout_items.main_map(layout)) is not None
    ]
    return [code for code in dict.fromkeys([project.crs().authid(), *own, *_EXTRA_CRS]) if code]


def _map_extent(project: QgsProject) -> List[str]:
    """West, south, east, north of the first layout's map in the project's reference system; empty without one."""
    for layout in project.layoutManager().printLayouts():
        item = layout_items.main_map(layout)
        if item is None or item.extent().isEmpty() or not project.crs().isValid():
            continue
        try:
            box = QgsCoordinateTransform(item.crs(), project.crs(), project).transformBoundingBox(item.extent())
        except QgsCsException:
            continue
        return [f"{side:.10g}" for side in (box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum())]
    return []


def _write_entry(project: QgsProject, name: str, value: _Value) -> None:
    """Write one entry, unless it is a person's own."""
    is_list = isinstance(value, list)
    read = project.readListEntry if is_list else project.readEntry
    there, ours = read(name, _ROOT)[0], read(_SCOPE, f"/served/{name}")[0]
    if there == value or (there and there != ours):
        return
    for scope, key in ((name, _ROOT), (_SCOPE, f"/served/{name}")):
        if value:
            project.writeEntry(scope, key, value)
        else:
            project.removeEntry(scope, key)


_DPI = 300


#: the layout variable that holds how QGIS Server is asked for this page
GETPRINT_VARIABLE = "cartoguide_getprint"


def getprint_query(layout: QgsPrintLayout, dpi: int = _DPI, file_format: str = "pdf") -> str:
    """The query of the GetPrint that gives this page by QGIS Server; the project (MAP) is for the caller to add.

    QGIS Server numbers a layout's maps, the topmost first, and leaves out those whose extent the request does not tell.
    """
    maps = [item for item in layout.items() if isinstance(item, QgsLayoutItemMap)]
    main = layout_items.main_map(layout)
    crs = main.crs() if main is not None else layout.project().crs()
    query = {"SERVICE": "WMS", "VERSION": "1.3.0", "REQUEST": "GetPrint", "TEMPLATE": layout.name(),
             "FORMAT": file_format, "CRS": crs.authid(), "DPI": str(dpi)}
    for number, item in enumerate(maps):
        box = item.extent()
        sides = [box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()]
        if crs.hasAxisInverted():
            sides = [sides[1], sides[0], sides[3], sides[2]]
        query[f"map{number}:EXTENT"] = ",".join(f"{side:.10g}" for side in sides)
    return urlencode(query)


def save_getprint_query(layout: QgsPrintLayout) -> None:
    """Let the layout's variables say how it is printed by QGIS Server."""
    QgsExpressionContextUtils.setLayoutVariable(layout, GETPRINT_VARIABLE, getprint_query(layout))

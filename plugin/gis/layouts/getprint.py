"""The GetPrint request that prints a layout by QGIS Server, kept in one of the layout's variables."""

from __future__ import annotations

from urllib.parse import urlencode

from qgis.core import QgsExpressionContextUtils, QgsLayoutItemMap, QgsPrintLayout

from . import layout_items as ids

_DPI = 300


#: the layout variable that holds how QGIS Server is asked for this page
GETPRINT_VARIABLE = "cartoguide_getprint"


def getprint_query(layout: QgsPrintLayout, dpi: int = _DPI, file_format: str = "pdf") -> str:
    """The query of the GetPrint that gives this page by QGIS Server; the project (MAP) is for the caller to add.

    QGIS Server numbers a layout's maps, the topmost first, and leaves out those whose extent the request does not tell.
    """
    maps = [item for item in layout.items() if isinstance(item, QgsLayoutItemMap)]
    main = ids.find_item(layout, ids.MAP, QgsLayoutItemMap)
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

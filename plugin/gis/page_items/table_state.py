"""State of the table of features on a layout: awaited, or drawn for an area of the map, with credits and problems."""

from __future__ import annotations

import json
from typing import List, NamedTuple, Tuple

from qgis.core import QgsLayoutItemMap, QgsPrintLayout

from ...core.i18n import tr
from ...core.json_document import stored_object

_TABLE = "cartoguide/table"
_AWAITED = "awaited"


class TableState(NamedTuple):
    """Problems of the table, the credits that its data ask for, and the area that its numbers are placed on."""

    problems: Tuple[str, ...]
    credits: Tuple[str, ...]
    area: str


def shown_area(item: QgsLayoutItemMap) -> str:
    """Return the corners of what a map shows as a text, which changes when the map is moved."""
    return json.dumps([round(value, 3) for point in item.visibleExtentPolygon() for value in (point.x(), point.y())])


def await_table(layout: QgsPrintLayout) -> None:
    """Note that the layout's page is to have a table, which is read later."""
    layout.setCustomProperty(_TABLE, json.dumps({_AWAITED: True}))


def record_table(layout: QgsPrintLayout, state: TableState) -> None:
    """Note the state of the table that was drawn."""
    layout.setCustomProperty(_TABLE, json.dumps(state._asdict(), ensure_ascii=False))


def table_credits(layout: QgsPrintLayout) -> List[str]:
    """Return the credits that the data of the layout's table ask for."""
    return _texts(layout, "credits")


def table_problems(layout: QgsPrintLayout, item: QgsLayoutItemMap) -> List[str]:
    """Return a text for each thing that the layout's table lacks. ``item`` is the map with its numbers."""
    stored = stored_object(layout.customProperty(_TABLE))
    if stored.get(_AWAITED):
        return [tr("Its table of trails and facilities has not been read yet.")]
    problems = _texts(layout, "problems")
    if stored and stored.get("area") != shown_area(item):
        problems.append(tr("The map was moved after the numbers of the table were put on it. Build the page again."))
    return problems


def _texts(layout: QgsPrintLayout, name: str) -> List[str]:
    values = stored_object(layout.customProperty(_TABLE)).get(name)
    return [text for text in values if isinstance(text, str)] if isinstance(values, list) else []

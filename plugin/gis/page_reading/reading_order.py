"""Reading order of a page's items: the title and the maps first, then each panel between folds, row by row."""

from __future__ import annotations

from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from qgis.core import QgsLayoutItem, QgsPrintLayout

from ..layouts import layout_items
from ..page_items.summary_items import CHART, MAXIMUM, METHOD_LABEL

#: left, top, width and height in millimetres from the upper left corner of the page
Area = Tuple[float, float, float, float]
SortKey = Tuple[float, ...]
#: millimetres by which the tops of items of one row differ
_ROW = 3.0
#: what ends small multiples: numbers behind those of the maps
_SUMMARY = {MAXIMUM: 10_001, CHART: 10_002}
#: headings of a place with another name
_TARGETS = {"location": layout_items.INSET}


class ReadingOrder:
    """Sort keys of the items of one page. ``areas`` are those of all items by id, also of the former ones."""

    def __init__(self, layout: QgsPrintLayout, page: int, items: Sequence[QgsLayoutItem],
                 areas: Mapping[str, Area]) -> None:
        self._areas = areas
        self._folds = layout_items.vertical_folds(layout, page)
        self._has_title = layout_items.TITLE in areas
        self._maps = [(number, areas[item.id()]) for item in items for number in [_map_number(item.id())]
                      if number is not None and item.id() in areas]
        self._runs: Dict[str, Area] = {}
        for prefix in layout_items.ROW_PREFIXES:
            rows = [area_on_page(item) for item in items if item.id().startswith(prefix)]
            if rows:
                self._runs[prefix] = (min(area[0] for area in rows), min(area[1] for area in rows), 0.0, 0.0)
        title = areas.get(layout_items.TITLE)
        self._cover = self._panel(title) if title is not None else -1

    def is_title(self, item: QgsLayoutItem) -> bool:
        """Return whether an item is the page's title. On a page without one, that is the title at its foot."""
        return item.id() == layout_items.TITLE or (item.id() == layout_items.FOOT and not self._has_title)

    def key(self, item: QgsLayoutItem) -> SortKey:
        """Return the item's sort key. A heading precedes its item, and what lies on a map follows it."""
        name = item.id()
        if self.is_title(item) or name == layout_items.SUBTITLE:
            return (0, 0 if self.is_title(item) else 1)
        number = _SUMMARY.get(name) or _map_number(name)
        if number is not None:
            return (1, number, 1)
        if name == METHOD_LABEL:
            return (1, _SUMMARY[CHART], 2)
        if name.startswith(layout_items.LABEL_PREFIX):
            labelled = name[len(layout_items.LABEL_PREFIX):]
            return (1, _SUMMARY.get(labelled) or _map_number(layout_items.MAP_PREFIX + labelled) or 0, 0)
        for prefix, run in self._runs.items():
            if name.startswith(prefix):
                return (2, *self._place(run), 1, *_row_of_run(name, area_on_page(item)))
        target = name[len(layout_items.HEADING_PREFIX):] if name.startswith(layout_items.HEADING_PREFIX) else ""
        area = self._areas.get(_TARGETS.get(target, target)) or self._areas.get(name) or area_on_page(item)
        place = (*self._place(area), 0 if target else 1, area[1])
        for number, frame in self._maps:
            if _lies_in(area, frame):
                return (1, number, 2, *place)
        return (2, *place)

    def _place(self, area: Area) -> Tuple[int, int, float]:
        """Return panel, row and left edge. The panel of the title is the first."""
        panel = self._panel(area)
        return (-1 if panel == self._cover else panel), round(area[1] / _ROW), area[0]

    def _panel(self, area: Area) -> int:
        return sum(fold < area[0] + area[2] / 2 for fold in self._folds)


def area_on_page(item: QgsLayoutItem) -> Area:
    """Return the item's area from the upper left corner of its page."""
    bounds = item.sceneBoundingRect()
    corner = item.layout().pageCollection().page(item.page()).pos()
    return bounds.left() - corner.x(), bounds.top() - corner.y(), bounds.width(), bounds.height()


def _map_number(name: str) -> Optional[int]:
    """Return the number of the map with this id, from 1, or None if it is not one of the page's maps."""
    if name == layout_items.MAP:
        return 1
    number = name[len(layout_items.MAP_PREFIX):]
    return int(number) if name.startswith(layout_items.MAP_PREFIX) and number.isdecimal() else None


def _row_of_run(name: str, area: Area) -> List[float]:
    """Return the place of a row among those of its run, which may have several columns."""
    if name.startswith(layout_items.INDEX_PREFIX):
        number = name[len(layout_items.INDEX_PREFIX):]
        return [float(number) if number.isdecimal() else 0.0]
    return [area[1], area[0]]


def _lies_in(area: Area, frame: Area) -> bool:
    x, y = area[0] + area[2] / 2, area[1] + area[3] / 2
    return frame[0] <= x <= frame[0] + frame[2] and frame[1] <= y <= frame[1] + frame[3]

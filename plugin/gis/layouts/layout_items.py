"""The items of a layout template, by id: what a template may hold and how an item is found in it.

A template is any .qpt file. Its items are found by these ids; one that it lacks is left out and said, never drawn
over somebody's design. Only ``map`` and ``credits`` are needed for a map that may be handed out.

    title, subtitle     labels: the map's title, and the line below it (services and years)
    map                 the map
    grid                a map without layers above it: its first grid becomes the kilometre grid, its second one the
                        geographic grid; without it those of ``map`` are used
    legend              a legend: filled by service, fitted into the box that the template gives it
    inset               a second map: where this map lies
    scalebar, scale_text, north_arrow   bound to ``map``
    credits, terms, sources             labels: who is credited, what may be done, where the data come from
    projection          label: reference system and grid
    colophon            label: when and with what the map was made
    heading:NAME        label: a heading in the map's language, NAME one of legend, location, credits, terms, sources,
                        abstract, facts

Some templates have more; who lacks these misses nothing:

    map:2, map:3 …      small multiples: maps of the same place and scale, one for each moment of a series; ``map`` is
                        the first one. What is left over is taken out of the layout.
    label:1, label:2 …  labels: what each of them shows
    abstract            label: what the services say of themselves
    facts               a table (manual): organisation, layers, reference system, fees … of each service
    foot                label: title and scale again, for the second page of a leaflet

A template that leaves an item out on purpose says so in its layout variable ``cartoguide_without`` (ids with commas
between them).
"""

from __future__ import annotations

from typing import Any, List, Optional, Type, TypeVar

from qgis.core import (
    QgsExpressionContextUtils,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsLayoutItemScaleBar,
    QgsPrintLayout,
)

#: ids that a template leaves out on purpose
OMITTED_VARIABLE = "cartoguide_without"

TITLE, SUBTITLE = "title", "subtitle"
MAP, GRID, LEGEND, INSET = "map", "grid", "legend", "inset"
SCALEBAR, SCALE_TEXT, NORTH_ARROW = "scalebar", "scale_text", "north_arrow"
CREDITS, TERMS, SOURCES = "credits", "terms", "sources"
PROJECTION, COLOPHON = "projection", "colophon"
ABSTRACT, FACTS, FOOT = "abstract", "facts", "foot"
HEADING_PREFIX, MAP_PREFIX, LABEL_PREFIX = "heading:", "map:", "label:"

#: the items that a template is expected to hold, and what each must be
EXPECTED_ITEMS = {
    TITLE: QgsLayoutItemLabel, SUBTITLE: QgsLayoutItemLabel, MAP: QgsLayoutItemMap, LEGEND: QgsLayoutItemLegend,
    INSET: QgsLayoutItemMap, SCALEBAR: QgsLayoutItemScaleBar, SCALE_TEXT: QgsLayoutItemLabel,
    NORTH_ARROW: QgsLayoutItemPicture, CREDITS: QgsLayoutItemLabel, TERMS: QgsLayoutItemLabel,
    SOURCES: QgsLayoutItemLabel, PROJECTION: QgsLayoutItemLabel, COLOPHON: QgsLayoutItemLabel,
}

Item = TypeVar("Item", bound=QgsLayoutItem)


def find_item(layout: QgsPrintLayout, item_id: str, kind: Type[Item]) -> Optional[Item]:
    """The layout's item called ``item_id`` if it is a ``kind``, else None."""
    item = layout.itemById(item_id)
    return item if isinstance(item, kind) else None


def main_map(layout: QgsPrintLayout) -> Optional[QgsLayoutItemMap]:
    """Return the layout's map item with the id ``map``, or None."""
    return find_item(layout, MAP, QgsLayoutItemMap)


def map_scale(layout: QgsPrintLayout) -> float:
    """Return the scale denominator of the layout's main map, 0 for a layout without one."""
    item = main_map(layout)
    return float(item.scale()) if item is not None else 0.0


def missing_items(layout: QgsPrintLayout) -> List[str]:
    """The ids of the expected items that the layout lacks or holds as something else, save those that it means to
    lack.
    """
    meant = str(QgsExpressionContextUtils.layoutScope(layout).variable(OMITTED_VARIABLE) or "").replace(" ",
                                                                                                        "").split(",")
    return [
        item_id for item_id, kind in EXPECTED_ITEMS.items()
        if item_id not in meant and find_item(layout, item_id, kind) is None
    ]


def map_items(layout: QgsPrintLayout) -> List[QgsLayoutItemMap]:
    """The layout's map, followed by those of small multiples in the order of their numbers; none where it has none."""
    first = main_map(layout)
    if first is None:
        return []
    numbered = [(int(item.id()[len(MAP_PREFIX):]), item) for item in items_of_type(layout, QgsLayoutItemMap)
                if item.id().startswith(MAP_PREFIX) and item.id()[len(MAP_PREFIX):].isdigit()]
    return [first, *(item for _, item in sorted(numbered, key=lambda pair: pair[0]))]


def items_of_type(layout: QgsPrintLayout, kind: Type[Item]) -> List[Item]:
    """All items of one kind, in no particular order."""
    items: List[Any] = layout.items()
    return [item for item in items if isinstance(item, kind)]

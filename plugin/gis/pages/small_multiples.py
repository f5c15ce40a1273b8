"""Small multiples in a layout: maps of the same area and scale, each with the layers of one moment."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Optional, Sequence, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QColor

from ...core.custommap.model import LayerPlan, Plan
from ...core.custommap.moments import (
    MultiplesPanel,
    legend_layer_plans,
    plan_multiples,
    summarised_moments,
    unchanging_layers,
)
from ...core.i18n import tr
from ...core.pages.small_multiples import TEMPLATE, WEEK, first_weekday, grid_columns
from ...core.publication.page_elements import ElementRole
from ...core.text import inert, list_quoted_names
from ..credits.map_phrases import map_phrase, short_date, weekday
from ..layouts import layout_items, text_fitting
from ..layouts.locator_map import outline_layers, region_area
from ..layouts.map_frame import MapFrame, planned_area, set_frame, set_map_time_range
from ..own_layers.references import visible_layers_in_order
from .layout_feature import Arrangement, LayoutFeature, PageBuilding
from .series_summary import (
    CHART,
    CHART_LABEL,
    MAXIMUM,
    MAXIMUM_LABEL,
    METHOD_LABEL,
    SeriesPanel,
    SeriesState,
    add_summary_items,
    record_series,
)

#: relative differences of size below this are rounding errors
_SHAPE_TOLERANCE = 1e-6
#: room around the region's outline in a small map, as a factor of its size
_REGION_MARGIN = 1.04
#: least distance of two small maps, and the greatest of two rows, as shares of a map's width
_GAP, _GREATEST_GAP = 0.05, 0.12
#: places of small maps that a series' summary takes at least: its maximum, and twice that for its chart
_SUMMARY_CELLS = 3
#: millimetres within which small maps stand in the same row
_SAME_ROW = 1.0


def without_unchanging_layers(plan: Plan) -> Tuple[Plan, List[str]]:
    """Return the plan with the layers hidden that are on no small map, and a note that names them."""
    hidden = unchanging_layers(plan)
    if not hidden:
        return plan, []
    layers = tuple(replace(layer, visible=layer.visible and number not in hidden)
                   for number, layer in enumerate(plan.layers))
    return replace(plan, layers=layers), [
        tr("Small multiples show what changes with time. Left out: {layers}.",
           layers=list_quoted_names([plan.layers[number].title or plan.layers[number].name for number in hidden]))
    ]


def fit_small_multiples(layout: QgsPrintLayout, plan: Plan, project: QgsProject) -> Optional[QgsRectangle]:
    """Arrange the maps of the bundled template to the shape of the area that they show, as large as they fit.

    Returns the area in the map's CRS: the bounds of the region where its outline is shown, else the planned area. A
    page of one moment is not arranged. Returns None for other templates, whose arrangement is their author's, and for a
    map whose scale a person has set: its days stand in weeks in the template's places.
    """
    items = layout_items.map_items(layout)
    crs = QgsCoordinateReferenceSystem(plan.crs)
    if plan.moment_title and not plan.scale and crs.isValid():
        planned = planned_area(plan, crs, project)
        region = region_area(planned, crs, project)
        return planned if region is None else region.scaled(_REGION_MARGIN)
    count = min(len(items), len(plan_multiples(plan).panels))
    if plan.page.template != TEMPLATE or len(items) < 2 or not count:
        return None
    has_summary = len(summarised_moments(plan)) == count
    first = first_weekday([panel.day for panel in plan_multiples(plan).panels[:count]])
    if not crs.isValid() or (plan.scale and not plan.is_fitted):
        _place_in_grid(layout, items, count, has_summary, first or 0)
        return None
    planned = _fitted_area(items[0], plan, project) if plan.scale else planned_area(plan, crs, project)
    region = region_area(planned, crs, project)
    area = planned if region is None else region.scaled(_REGION_MARGIN)
    if not (area.width() > 0 and area.height() > 0):
        return None
    _place_maps(layout, items, count, min(max(area.width() / area.height(), 0.5), 2.5), has_summary, first)
    return area


def _fitted_area(item: QgsLayoutItemMap, plan: Plan, project: QgsProject) -> QgsRectangle:
    """Return what a map of the template shows of a plan with a scale, in the map's CRS. The map shows it from now on.
    """
    set_frame(item, plan, project)
    return QgsRectangle(item.extent())


def _place_maps(layout: QgsPrintLayout, items: Sequence[QgsLayoutItemMap], count: int, ratio: float,
                has_summary: bool, first_column: Optional[int] = None) -> None:
    """Place the first ``count`` maps and their labels in rows within the box of all maps.

    Successive days stand in weeks, of which the first one begins in ``first_column``.
    A summary follows them: the maximum as one more map, and the chart beside it if two maps would fit, else below.
    """
    labels = [layout_items.find_item(layout, f"{layout_items.LABEL_PREFIX}{number + 1}", QgsLayoutItemLabel)
              for number in range(len(items))]
    box, label_height = QRectF(), 0.0
    for item, label in zip(items, labels):
        box = box.united(_box(item))
        if label is not None:
            box = box.united(_box(label))
            label_height = max(label_height, label.rect().height())
    gap = _GAP * items[0].rect().width()
    before = first_column or 0
    end = before + count
    cells = end + _SUMMARY_CELLS if has_summary else end
    columns, width = grid_columns(cells, box.width(), box.height(), ratio, label_height, gap,
                                  0 if first_column is None else WEEK)
    if first_column is not None and has_summary:
        # where the last week leaves too little room, the summary has a row of its own
        cells = max(cells, _first_of_chart(end, columns) + 2)
        width = grid_columns(cells, box.width(), box.height(), ratio, label_height, gap, WEEK)[1]
    # tenths of a millimetre, so that all maps have the same number of pixels
    width = int(width * 10) / 10
    rows = -(-cells // columns)
    # maps in a single row show more of their surroundings, in place of a white half page below
    least_height = min(box.height() - label_height, width) if rows == 1 else 0.0
    height = int(max(width / ratio, least_height) * 10) / 10
    across = _step(box.width(), width, columns)
    down = min(_step(box.height(), height + label_height, rows), (height + label_height) + _GREATEST_GAP * width)

    def place_of(number: int) -> QRectF:
        return QRectF(box.x() + number % columns * across, box.y() + number // columns * down + label_height, width,
                      height)

    for number, (item, label) in enumerate(zip(items[:count], labels)):
        place = place_of(before + number)
        layout_items.place_item(item, QRectF(place.x(), place.y(), width, height))
        if label is not None:
            layout_items.place_item(label, QRectF(place.x(), place.y() - label_height, width, label_height))
    if has_summary and labels[0] is not None:
        first = _first_of_chart(end, columns)
        chart = place_of(first)
        chart.setRight(place_of(first + columns - 1 - first % columns).right())
        add_summary_items(layout, items[0], labels[0], place_of(end), chart)


def _first_of_chart(count: int, columns: int) -> int:
    """Return the place at which the chart of ``count`` moments begins: beside the maximum, or below it if that leaves
    less than two places. It ends with the row.
    """
    is_beside = 2 <= columns - (count + 1) % columns < columns
    return count + 1 if is_beside else -(-(count + 1) // columns) * columns


def _place_in_grid(layout: QgsPrintLayout, items: Sequence[QgsLayoutItemMap], count: int, has_summary: bool,
                   first_column: int) -> None:
    """Place ``count`` maps from ``first_column`` on in the places that the template has, for a map whose scale is set.

    A summary is in the places after them. Without room for its chart nothing is added.
    """
    labels = [layout_items.find_item(layout, f"{layout_items.LABEL_PREFIX}{number + 1}", QgsLayoutItemLabel)
              for number in range(len(items))]
    places, headings = [_box(item) for item in items], [label and _box(label) for label in labels]
    columns = sum(abs(place.top() - places[0].top()) < _SAME_ROW for place in places)
    before = first_column if columns == WEEK and first_column + count <= len(items) else 0
    for number in range(count if before else 0):
        layout_items.place_item(items[number], places[before + number])
        label, heading = labels[number], headings[before + number]
        if label is not None and heading is not None:
            layout_items.place_item(label, heading)
    first = _first_of_chart(before + count, columns)
    if not has_summary or labels[0] is None or first + 1 >= len(items):
        return
    chart = QRectF(places[first])
    chart.setRight(places[min(first + columns - 1 - first % columns, len(items) - 1)].right())
    add_summary_items(layout, items[0], labels[0], places[before + count], chart)


def _step(room: float, size: float, count: int) -> float:
    """Return the distance from one of ``count`` things of this size to the next, so that the last ends the room."""
    return (room - size) / (count - 1) if count > 1 else 0.0


def _box(item: QgsLayoutItem) -> QRectF:
    """Return the item's place on its page, in millimetres."""
    return QRectF(item.pagePos().x(), item.pagePos().y(), item.rect().width(), item.rect().height())


def fill_small_multiples(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]],
                         frame: MapFrame, outline_project: QgsProject) -> List[str]:
    """Distribute the plan's layers over the layout's maps. Return notes on moments without a map.

    ``layers`` are the QGIS layers of ``plan.layers``, None for one that could not be made. The first map already has
    its extent and scale. Superfluous maps are removed with their labels. ``outline_project`` gets the outline's layers.
    """
    items = layout_items.map_items(layout)
    if len(items) < 2:
        return []
    panels = plan_multiples(plan).panels
    one_year = len({panel.day.year for panel in panels if panel.day}) == 1
    project = layout.project()
    layers_above, layers_below = outline_layers(outline_project, frame, layout)
    titles: List[QgsLayoutItemLabel] = []
    # QGIS ignores an extent that almost equals the present one, but 3.40 requests images a pixel wider for it
    shown_count, shown = len(items), items[0].extent()
    items[0].setExtent(shown.scaled(2))
    items[0].setExtent(shown)
    for number, item in enumerate(items):
        label = layout_items.find_item(layout, f"{layout_items.LABEL_PREFIX}{number + 1}", QgsLayoutItemLabel)
        if number >= len(panels):
            _remove_map(layout, item, label, number)
            continue
        if number == len(items) - 1 and len(panels) > len(items) and label is not None and number:
            _tell_of_others(layout, item, label, [panel_title(panel, plan.language, one_year)
                                                  for panel in panels[number:]], plan.language)
            shown_count = number
            continue
        if any(plan.layers[index].time_extent for index in panels[number].layer_indexes):
            set_map_time_range(item, panels[number].time_span)
        made = visible_layers_in_order(plan, layers, project, panels[number].layer_indexes)[::-1]
        _show_layers(item, items[0], shown, [*layers_above, *made, *layers_below])
        if not layers_below:
            # the template's colour of the sea would be that of what has no value
            item.setBackgroundColor(QColor("white"))
        if label is not None:
            label.setText(inert(panel_title(panels[number], plan.language, one_year)))
            text_fitting.shrink_to_fit(label, text_fitting.least_label_points(label))
            text_fitting.cut_to_fit(label)
            titles.append(label)
    text_fitting.share_smallest_size(titles)
    _note_series(layout, plan, layers, ([layer.id() for layer in layers_above], [layer.id() for layer in layers_below]))
    if len(panels) > len(items):
        return [tr("The template has {places} maps, but there are {count} to show: only the first ones are shown.",
                   places=shown_count, count=len(panels))]
    return []


def _tell_of_others(layout: QgsPrintLayout, item: QgsLayoutItemMap, label: QgsLayoutItemLabel, titles: Sequence[str],
                    language: str) -> None:
    """Say in the place of the last map which moments have none on the page."""
    place = _box(label).united(_box(item))
    layout.removeLayoutItem(item)
    layout_items.place_item(label, place)
    label.setText(inert(map_phrase(language, "more_maps", count=len(titles), first=titles[0], last=titles[-1])))
    label.setVAlign(Qt.AlignmentFlag.AlignVCenter)
    text_fitting.shrink_to_fit(label, text_fitting.least_label_points(label))
    text_fitting.cut_to_fit(label)


def _note_series(layout: QgsPrintLayout, plan: Plan, layers: Sequence[Optional[QgsMapLayer]],
                 outlines: Tuple[List[str], List[str]]) -> None:
    """Note the series for its summary, and write the summary's headings, which are shown with it."""
    varying, moments = set(plan_multiples(plan).varying_layers), summarised_moments(plan)
    panels = []
    for number, (panel, item) in enumerate(zip(moments, layout_items.map_items(layout))):
        layer = next((layers[index] for index in panel.layer_indexes if index in varying), None)
        if layer is None:
            return
        panels.append(SeriesPanel(item.id(), layer.id(), str(panel.day.day if panel.day else number + 1)))
    if not panels:
        return
    by_day = all(panel.day is not None for panel in moments)
    kind = "days" if by_day else "maps"
    shown = visible_layers_in_order(plan, layers, layout.project(), moments[0].layer_indexes)
    ground = tuple(layer.id() for layer in shown)
    ground = ground[:ground.index(panels[0].layer)] if panels[0].layer in ground else ()
    record_series(layout, SeriesState(tuple(panels), tuple(outlines[0]), tuple(outlines[1]), by_day, ground))
    for item_id, *phrases in ((MAXIMUM_LABEL, f"maximum_{kind}"), (CHART_LABEL, "class_shares", "class_shares_short"),
                              (METHOD_LABEL, f"computed_{kind}", "computed_short")):
        label = layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
        if label is None:
            continue
        least = text_fitting.least_label_points(label)
        for phrase in phrases:
            label.setText(inert(map_phrase(plan.language, phrase, count=len(panels))))
            if text_fitting.shrink_to_fit(label, least):
                break
        text_fitting.cut_to_fit(label)


def shares_legend(layout: QgsPrintLayout, plan: Plan) -> bool:
    """Return whether the layout is of several moments of a series, or of one among several."""
    return len(layout_items.map_items(layout)) > 1 or bool(plan.varying_layers)


def show_moment(layout: QgsPrintLayout, plan: Plan, frame: MapFrame, outline_project: QgsProject) -> None:
    """Write the heading of a page of one moment, and show the region's outline as on small maps."""
    item = layout_items.main_map(layout)
    if item is None or not plan.moment_title:
        return
    layers_above, layers_below = outline_layers(outline_project, frame, layout)
    item.setLayers([*layers_above, *item.layers(), *layers_below])
    if not layers_below:
        item.setBackgroundColor(QColor("white"))
    label = layout_items.find_item(layout, f"{layout_items.LABEL_PREFIX}1", QgsLayoutItemLabel)
    if label is not None:
        label.setText(inert(plan.moment_title))
        text_fitting.shrink_to_fit(label, text_fitting.least_label_points(label))
    number = layout_items.find_item(layout, layout_items.FRAME_NUMBER, QgsLayoutItemLabel)
    if number is not None:
        at, count = plan.moment_number or (0, 0)
        number.setText(map_phrase(plan.language, "frame_number", number=at, count=count) if count else "")


def _show_layers(item: QgsLayoutItemMap, first: QgsLayoutItemMap, shown: QgsRectangle,
                 layers: Sequence[QgsMapLayer]) -> None:
    if item is not first:
        item.setCrs(first.crs())
        item.setMapRotation(first.mapRotation())
        # items of another shape show more or less of the area, never another scale
        units = shown.width() / first.rect().width()
        width, height = units * item.rect().width(), units * item.rect().height()
        is_same = abs(width / shown.width() - 1) + abs(height / shown.height() - 1) < _SHAPE_TOLERANCE
        item.setExtent(shown if is_same else QgsRectangle.fromCenterAndSize(shown.center(), width, height))
    item.setLayers(layers)
    item.setKeepLayerSet(True)
    item.setFollowVisibilityPreset(False)


def _remove_map(layout: QgsPrintLayout, item: QgsLayoutItemMap, label: Optional[QgsLayoutItemLabel],
                number: int) -> None:
    """Remove a map without layers, which on paper would look like a failed one.

    The first map stays, because the other items are linked to it.
    """
    if number:
        layout.removeLayoutItem(item)
        if label is not None:
            layout.removeLayoutItem(label)


def panel_title(panel: MultiplesPanel, language: str, one_year: bool) -> str:
    """Return weekday and day, with the year only if the maps differ in years, else the layer's title."""
    if panel.day is None:
        return panel.title
    return f"{weekday(language, panel.day)} {short_date(language, panel.day, not one_year)}"


def _arrange(layout: QgsPrintLayout, plan: Plan, project: QgsProject) -> Arrangement:
    left_out: List[str] = []
    if len(layout_items.map_items(layout)) > 1:
        plan, left_out = without_unchanging_layers(plan)
    area = fit_small_multiples(layout, plan, project)
    # small maps of another size show a fitted area at another scale
    return Arrangement(plan if area is None else replace(plan, scale=None), area, left_out)


def _fill(page: PageBuilding) -> List[str]:
    notes = fill_small_multiples(page.layout, page.plan, page.layers, page.frame, page.project)
    show_moment(page.layout, page.plan, page.frame, page.project)
    return notes


def _legend_plans(layout: QgsPrintLayout, plan: Plan) -> Optional[Sequence[LayerPlan]]:
    return legend_layer_plans(plan) if shares_legend(layout, plan) else None


def _describe(item: QgsLayoutItem, _language: str) -> Optional[Tuple[ElementRole, str]]:
    if isinstance(item, QgsLayoutItemPicture) and item.id() in (MAXIMUM, CHART):
        return ElementRole.FIGURE, str(item.customProperty(layout_items.ALTERNATIVE_TEXT, ""))
    return None


FEATURE = LayoutFeature("small_multiples", arrange=_arrange, fill=_fill, legend_plans=_legend_plans, describe=_describe)
